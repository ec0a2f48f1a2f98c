//! Suspensions as constraints with limits.

use super::*;

/// A car whose struts are constraints of this frequency (`Hz`) and damping ratio.
fn car(frequency: f32, damping_ratio: f32) -> Arc<VehicleKind> {
    let params = params(|p| {
        for wheel in &mut p.wheels {
            wheel.suspension = wheel.suspension.constrained(frequency, damping_ratio);
        }
    });
    kind(params, geared(None))
}

/// Heights after each 1/30 s of a car that falls from `height` (`m`), in steps at `rate` (`Hz`).
fn falls(kind: &Arc<VehicleKind>, height: f64, rate: f32) -> Vec<f64> {
    let mut world = World::new(kind, 0.0, 0.0);
    world.body.position.z += height;
    let steps = (rate / 30.0) as usize;
    let heights = (0..120).map(|_| {
        for _ in 0..steps {
            let outcome = world.update(1.0 / rate).unwrap();
            world.apply(&outcome, 1.0 / rate);
        }
        world.body.position.z
    });
    heights.collect()
}

/// Loads of a car at rest are those of statics: the moments about each axle balance.
#[rstest]
fn loads_at_rest_are_those_of_statics(#[values(1.5, 4.0, 12.0, 25.0)] frequency: f32) {
    let kind = car(frequency, 1.0);
    let mut world = World::new(&kind, 0.0, 0.0);
    world.run(3.0);
    for (n, wheel) in kind.params().wheels.iter().enumerate() {
        let expected = wheel.suspension.sprung_mass * 9.81;
        let load = world.car.wheel_report(n).load;
        assert!(
            (load / expected - 1.0).abs() < 1e-3,
            "{n}: {load} N, {expected} N"
        );
    }
}

/// A fall from 2 m is the same at every rate, with and without reaching the limit.
#[rstest]
fn a_fall_does_not_depend_on_the_rate(
    #[values(1.5, 3.0, 6.0, 12.0)] frequency: f32,
    #[values(0.5, 1.0)] damping_ratio: f32,
) {
    let kind = car(frequency, damping_ratio);
    let exact = falls(&kind, 2.0, 960.0);
    let found: Vec<f64> = [30.0, 60.0, 120.0, 240.0]
        .into_iter()
        .map(|rate| {
            let heights = falls(&kind, 2.0, rate);
            let apart = heights.iter().zip(&exact).map(|(a, b)| (a - b).abs());
            apart.fold(0.0, f64::max)
        })
        .collect();
    let lowest = exact.iter().copied().fold(f64::MAX, f64::min);
    println!(
        "{frequency} Hz {damping_ratio}: {found:.4?} m, lowest {lowest:.3}, end {:.4}",
        exact[119]
    );
}
