//! Thousands of random sweeps and a judge.

use parry3d::math::Pose;
use parry3d::shape::Triangle;
use vehicle_core::{GroundSweep, WheelShape};

use crate::dice::Dice;
use crate::judge::{distance_to_wheel, gap, least_gap};
use crate::{KINDS, cases, down, nearest};

/// The judge's statistics.
#[derive(Default, Debug)]
struct Verdicts {
    hits: u32,
    misses: u32,
    overlaps: u32,
    wrong: u32,
}

/// Tolerance of a touch (`m`).
const TOUCHING: f64 = 2e-6;
/// Tolerance of a late hit (`m`).
const LATE: f64 = 2e-5;
/// A miss may be a touch of a wheel thicker by this (`m`).
const OPEN: f32 = 5e-6;

fn judge(seed: u64, verdicts: &mut Verdicts) {
    let mut dice = Dice(seed);
    let kind = KINDS[seed as usize % 4];
    let query = GroundSweep {
        axle: dice.direction(),
        direction: dice.direction(),
        ..down(kind, dice.vector(0.3))
    };
    // From small to large triangles near the sweep.
    let size = [0.1, 0.5, 3.0, 30.0][(seed / 4) as usize % 4];
    let near = query.offset + query.direction * (dice.roll() * 1.0 + 1.0) + dice.vector(0.3);
    let triangle = Triangle::new(
        near + dice.vector(size),
        near + dice.vector(size),
        near + dice.vector(size),
    );
    let center = query.offset.as_dvec3();
    let corners = [triangle.a, triangle.b, triangle.c].map(|v| v.as_dvec3() - center);
    let axle = query.axle.as_dvec3().normalize();
    let way = query.direction.as_dvec3().normalize();
    let gap_at = |t: f64| gap(corners, &query.shape, axle, way * t, 64);
    let answer = nearest(&query, &triangle, &Pose::IDENTITY);
    let wrong = match answer {
        None => {
            verdicts.misses += 1;
            // Faces parallel to the sweep are not hit, and a touch within rounding is no hit.
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let slides = normal.normalize().dot(way).abs() < 2e-3;
            let thinner = WheelShape {
                radius: query.shape.radius - OPEN,
                half_width: query.shape.half_width - OPEN,
                ..query.shape
            };
            !slides && least_gap(corners, &thinner, axle, way * f64::from(query.length)) <= 0.0
        }
        Some(hit) if hit.distance == 0.0 => {
            verdicts.overlaps += 1;
            gap_at(0.0) > TOUCHING
        }
        Some(hit) => {
            verdicts.hits += 1;
            let t = f64::from(hit.distance);
            // The point lies on both; an error of the distance counts less along a steep face.
            let point = hit.point.as_dvec3() - way * t;
            let approach = -hit.normal.dot(query.direction);
            let apart = distance_to_wheel(point, &query.shape, axle) * f64::from(approach);
            let late = t > LATE && gap_at(t - LATE) <= 0.0;
            gap_at(t) > TOUCHING || apart > TOUCHING || late
        }
    };
    if wrong {
        verdicts.wrong += 1;
        println!("{seed}: {kind:?}, {size} m: {answer:?}");
    }
}

#[test]
fn random_sweeps_agree_with_the_judge() {
    let mut verdicts = Verdicts::default();
    let count = cases(20_000, 1000);
    for seed in 0..u64::from(count) {
        judge(seed, &mut verdicts);
    }
    println!("{verdicts:?}");
    assert_eq!(verdicts.wrong, 0, "{verdicts:?}");
    let share = |part: u32| f64::from(part) / f64::from(count);
    assert!(
        share(verdicts.hits.min(verdicts.misses)) > 0.15,
        "{verdicts:?}"
    );
    assert!(share(verdicts.overlaps) > 0.015, "{verdicts:?}");
}
