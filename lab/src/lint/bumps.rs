//! A bend on a bad road.

use std::sync::LazyLock;

use glam::{DVec2, DVec3};
use jounce::scene::{Axes, HeightField};
use proving_ground::ground::Terrain;
use proving_ground::stage::Scene;

use super::finding::{Findings, Rule, Severity, above};
use super::run::{FLAT_OUT, LintRun, NOTHING};
use super::subject::{AnyCommand, G, LintedCar};
use crate::error::LabError;

use Severity::Warning;

/// Standard deviation over mean of the curvature of the heading within 3 s, by a steering step for 0.2 g from up to 15
/// m/s without throttle, on bumps of 5 cm that differ left and right. Warning above 0.5.
const BUMPS: Rule = Rule::new(
    "bumps",
    "Troubleshooting: The Vehicle Under-steers Then Over-steers; Tuning Guide, PxVehicleTireLoadFilterData",
);
/// Fastest drive over the bumps (`m/s`).
const SPEED: f32 = 15.0;
/// Heights along each side of the road's field, and their spacing (`m`).
const FIELD: (usize, f64) = (641, 0.75);
/// Height of a bump (`m`), and the lengths of their waves along both axes (`m`): left and right wheels meet
/// different ones.
const WAVES: (f64, [f64; 2]) = (0.025, [7.0, 5.0]);

/// The bumpy field that every car is driven over.
static ROAD: LazyLock<Terrain> = LazyLock::new(|| {
    let (size, cell) = FIELD;
    let half = 0.5 * cell * (size - 1) as f64;
    let (height, [long, across]) = WAVES;
    let wave = |way: f64, length: f64| libm::sin(core::f64::consts::TAU * way / length);
    let origin = DVec3::new(-half, -half, 0.0);
    let field = HeightField::from_fn(Axes::Z_UP, origin, cell, [size; 2], |x, y| {
        height * wave(x, long) * wave(y, across)
    });
    let mut road = Terrain::height_field("bumps".to_owned(), field.expect("its numbers are fine"));
    road.start = DVec2::new(20.0 - half, 0.0);
    road
});

/// Checks that a car keeps its line in a bend on a bad road: its yaw rate hardly swings.
///
/// # Errors
/// If the world loses the car.
pub(super) fn look(subject: &LintedCar<'_>, findings: &mut Findings) -> Result<(), LabError> {
    let base = subject.wheelbase();
    let enough = (4.0 * (G * base).sqrt()).min(SPEED);
    let mut run = LintRun::over(subject, &ROAD, Scene::LEVEL)?;
    run.go_while(15.0, FLAT_OUT, |run| run.speed() < enough)?;
    run.go(0.5, NOTHING)?;
    let speed = run.speed();
    let lock = subject.steering_angle(1.0, speed);
    // As in the bend on level ground.
    if speed < 3.0 || lock < 0.01 {
        return Ok(());
    }
    let steered = AnyCommand {
        steer: (subject.fifth_of_g(speed) / lock).min(1.0),
        ..NOTHING
    };
    run.go(1.0, steered)?;
    let mut bends = Vec::new();
    run.watch(3.0, steered, |run| bends.push(run.curvature()))?;
    let swing = swing(&bends);
    findings.add(
        above(swing, 0.5, Warning),
        BUMPS,
        "load_filter",
        format!(
            "the bend at {speed:.0} m/s swings by {:.0} % on bumps of {:.0} mm",
            100.0 * swing,
            2000.0 * WAVES.0
        ),
        [
            "at most 50 %".to_owned(),
            "a flatter load_filter, softer springs, more damping".to_owned(),
        ],
    );
    Ok(())
}

/// Standard deviation of a bend over its mean (–).
fn swing(bends: &[f32]) -> f32 {
    let count = bends.len() as f32;
    let mean = bends.iter().sum::<f32>() / count;
    let squares = bends.iter().map(|bend| (bend - mean) * (bend - mean));
    (squares.sum::<f32>() / count).sqrt() / mean.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_swings_about_its_mean() {
        assert_eq!(swing(&[0.5; 7]), 0.0);
        assert!((swing(&[1.0, 3.0, 1.0, 3.0]) - 0.5).abs() < 1e-6);
        assert!((swing(&[-1.0, -3.0]) - 0.5).abs() < 1e-6, "to either side");
    }

    #[test]
    fn the_road_has_bumps_for_both_sides() {
        let height = |x: f64, y: f64| ROAD.height(DVec2::new(x, y)).unwrap();
        let along: Vec<_> = (0..40).map(|n| height(f64::from(n), 1.25)).collect();
        let top = along.iter().copied().fold(f64::MIN, f64::max);
        assert!((0.02..=0.0251).contains(&top), "{top}");
        let apart = (0..40).map(|n| (along[n] - height(n as f64, -1.25)).abs());
        assert!(apart.fold(0.0, f64::max) > 0.04);
    }
}
