//! Trailers sway as the linear model says, fold no further than their couplings, and make road trains.

use rstest::rstest;

use super::{Drive, DrivePlan, run};
use crate::ground::GroundSpec;
use crate::world::WorldKind;

/// A drive with vehicles and a maneuver of the folder `trailers`.
fn drive(train: &[&str], maneuver: &str, world: WorldKind, rate: f32) -> Drive {
    go(train, maneuver, world, rate, None)
}

fn go(train: &[&str], maneuver: &str, world: WorldKind, rate: f32, slope: Option<f64>) -> Drive {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/drive/trailers");
    let file = |name: &str| format!("{folder}/{name}.toml");
    let plan = DrivePlan {
        maneuver: Some(file(maneuver)),
        ground: slope.map(GroundSpec::Slope),
        tow: train[1..].iter().map(|name| file(name)).collect(),
        world: Some(world),
        dt: 1.0 / rate,
        ..DrivePlan::of(&file(train[0]))
    };
    let drive = run(&plan, |_, _| ()).unwrap();
    assert_eq!(drive.refusal, None);
    drive
}

/// Worlds whose couplings have limits and hold as the standalone world's do. Those of Box3D and Jolt have no limits. Avian's have
/// none, and give: sway decays twice as fast there, a reversed caravan folds to 124°, and a parked dolly moves by 2 mm.
fn worlds() -> impl Iterator<Item = WorldKind> {
    let exact = |world: &WorldKind| ["standalone", "rapier"].contains(&world.name());
    WorldKind::all().iter().copied().filter(exact)
}

/// The rate σ (`1/s`) of y = exp(σ·t)·cos(ω·t + φ) + c, from y(t + 2τ) = a·y(t + τ) + b·y(t) + d by least squares, each
/// sample weighted by the inverse square of the swing that is left: b = −exp(2·σ·τ).
fn growth(values: &[f64], dt: f64) -> f64 {
    let lag = (0.1 / dt).round() as usize;
    let mut sums = [[0.0; 4]; 3];
    for n in 0..values.len() - 2 * lag {
        let weight = (3.2 * n as f64 * dt).exp();
        let row = [values[n + lag], values[n], 1.0, values[n + 2 * lag]];
        for (i, sums) in sums.iter_mut().enumerate() {
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += weight * row[i] * x;
            }
        }
    }
    for pivot in 0..3 {
        let row = sums[pivot].map(|x| x / sums[pivot][pivot]);
        sums[pivot] = row;
        for (n, other) in sums.iter_mut().enumerate() {
            let share = other[pivot];
            if n != pivot {
                for (x, own) in other.iter_mut().zip(row) {
                    *x -= share * own;
                }
            }
        }
    }
    (-sums[1][3]).ln() / (2.0 * lag as f64 * dt)
}

/// A caravan of 1300 kg behind a car at 15 m/s. The linear model has the lateral speed and the yaw rate of the car, the angle
/// of the trailer and its rate, tires of 12 loads per radian: −1.677 ± 3.548i.
#[rstest]
fn sway_decays_by_the_linear_model(#[values(30.0, 60.0, 120.0, 240.0, 1000.0)] rate: f32) {
    const LINEAR: f64 = -1.677;
    for world in worlds() {
        // In single precision, engines round positions by more than such short steps move a joint.
        if rate > 240.0 && world.name() != "standalone" {
            continue;
        }
        let drive = drive(&["towcar", "caravan"], "sway", world, rate);
        let free = drive.stages.last().unwrap().time;
        let swing = drive.samples.iter();
        let swing = swing.filter(|s| (free + 0.5..free + 3.5).contains(&s.time));
        let rates: Vec<f64> = swing.map(|s| s.yaw_rate.into()).collect();
        let found = growth(&rates, f64::from(1.0 / rate));
        assert!(
            (found / LINEAR - 1.0).abs() < 0.03,
            "{world:?}: {found} 1/s"
        );
    }
}

/// 60°, the limit of a ball; 180° without one.
#[rstest]
fn a_caravan_that_is_reversed_folds_to_the_limit(#[values(30.0, 60.0)] rate: f32) {
    for world in worlds() {
        let drive = drive(&["towcar", "caravan"], "reverse", world, rate);
        let towed = &drive.towed[0];
        let fold = towed.peak_angle.to_degrees();
        assert!((fold - 60.0).abs() < 2.0, "{world:?}: {fold}°");
        assert!(towed.peak_gap < 0.02, "{world:?}: {towed:?}");
    }
}

/// Two caravans; a truck, a dolly and a semi-trailer on a fifth wheel; nose up and nose down.
#[rstest]
#[case::caravans(&["towcar", "middle", "caravan"])]
#[case::dolly(&["truck", "dolly", "semi"])]
fn road_trains_park_on_slopes(#[case] train: &[&str], #[values(-8.0, 8.0)] slope: f64) {
    for world in worlds() {
        let drive = go(train, "park", world, 60.0, Some(slope));
        let parked = drive.samples.iter().filter(|s| s.stage == 1);
        let places: Vec<_> = parked.map(|s| s.position).collect();
        let crept = places[0].distance(places[places.len() - 1]);
        assert!(crept < 1e-3, "{world:?}: {crept} m");
        assert_eq!(drive.towed.len(), 2);
        for towed in &drive.towed {
            assert!(towed.peak_gap < 0.02, "{world:?}: {towed:?}");
        }
    }
}

/// A caravan behind another one has nothing to couple to: the first has no coupling behind.
#[test]
fn a_trailer_without_a_rear_coupling_tows_nothing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/drive/trailers");
    let file = |name: &str| format!("{folder}/{name}.toml");
    let plan = DrivePlan {
        tow: vec![file("caravan"), file("caravan")],
        ..DrivePlan::of(&file("towcar"))
    };
    let error = run(&plan, |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("caravan: has no rear_coupling"), "{error}");
}
