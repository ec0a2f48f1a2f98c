//! Suspensions as constraints with limits.

use super::*;
use crate::params::profile::{RowsSettings, Solver};

/// A car whose struts are constraints of this frequency (`Hz`) and damping ratio.
fn car(frequency: f32, damping_ratio: f32, settings: RowsSettings) -> Arc<VehicleModel> {
    let params = params(|p| {
        p.profile.solver = Solver::Rows(settings);
        for wheel in &mut p.wheels {
            wheel.suspension = wheel.suspension.constrained(frequency, damping_ratio);
        }
    });
    model(params, geared(None))
}

/// Heights after each 1/30 s of a car that falls from `height` (`m`), in steps at `rate` (`Hz`).
fn falls(model: &Arc<VehicleModel>, height: f64, rate: f32) -> Vec<f64> {
    let mut world = World::new(model, 0.0, 0.0);
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
    let model = car(frequency, 1.0, RowsSettings::DEFAULT);
    let mut world = World::new(&model, 0.0, 0.0);
    world.run(3.0);
    let wheels = &model.params().wheels;
    let arms = [0, 2].map(|n| model.params().from_center_of_mass(wheels[n].position).x);
    let weight = model.params().chassis.mass * 9.81;
    for wheel in 0..4 {
        let [own, other] = if wheel < 2 { arms } else { [arms[1], arms[0]] };
        let expected = 0.5 * weight * other / (other - own);
        let load = world.car.wheel_report(wheel).suspension_force;
        assert!(
            (load / expected - 1.0).abs() < 1e-3,
            "{wheel}: {load} N, {expected} N"
        );
    }
}

/// A tenth more of its mass lets each strut sink by a tenth of g/ω².
#[rstest]
fn a_load_sinks_as_the_frequency_lets_it(#[values(1.5, 4.0, 12.0)] frequency: f32) {
    let model = car(frequency, 1.0, RowsSettings::DEFAULT);
    let mut world = World::new(&model, 0.0, 0.0);
    let mut rest = |share: f32| {
        world.body.mass *= share;
        world.body.inverse_inertia *= 1.0 / share;
        world.run(3.0);
        [0, 1, 2, 3].map(|wheel| world.car.wheel_report(wheel).jounce)
    };
    let (before, after) = (rest(1.0), rest(1.1));
    let omega = core::f32::consts::TAU * frequency;
    for (before, after) in before.into_iter().zip(after) {
        let sunk = (after - before) / (0.1 * 9.81 / (omega * omega));
        assert!((sunk - 1.0).abs() < 0.05, "{sunk}");
    }
}

/// A fall from 2 m is the same at every rate within 1 % of its height, as long as a substep resolves the
/// constraint: below a tenth of the substeps' rate.
#[rstest]
#[case::reaches_the_limit(1.5, 0.5, RowsSettings::DEFAULT, true)]
#[case::soft(1.5, 1.0, RowsSettings::DEFAULT, false)]
#[case::firm(3.0, 1.0, RowsSettings::DEFAULT, false)]
#[case::firm_and_bouncing(3.0, 0.5, RowsSettings::DEFAULT, false)]
#[case::stiff(6.0, 1.0, RowsSettings::DEFAULT, false)]
#[case::nearly_rigid(12.0, 1.0, RowsSettings::FINE, false)]
fn a_fall_does_not_depend_on_the_rate(
    #[case] frequency: f32,
    #[case] damping_ratio: f32,
    #[case] settings: RowsSettings,
    #[case] reaches: bool,
) {
    let model = car(frequency, damping_ratio, settings);
    let exact = falls(&model, 2.0, 960.0);
    let lowest = exact.iter().copied().fold(f64::MAX, f64::min);
    let limit = 1.65 - f64::from(model.params().wheels[0].suspension.max_compression);
    assert!(lowest > limit - 0.06, "{lowest} m: it is stopped");
    assert_eq!(lowest < limit + 0.01, reaches, "{lowest} m");
    for rate in [30.0, 60.0, 120.0, 240.0] {
        let heights = falls(&model, 2.0, rate);
        let apart = heights.iter().zip(&exact).map(|(a, b)| (a - b).abs());
        let most = apart.fold(0.0, f64::max);
        assert!(most < 0.02, "{rate} Hz: {most} m apart");
    }
}

/// A car too heavy for the constraint rests on its limit, and sinks beyond it by the compliance of the limit's 20 Hz.
#[test]
fn an_overloaded_constraint_rests_on_its_limit() {
    const LOAD: f32 = 40.0;
    let model = car(4.0, 1.0, RowsSettings::DEFAULT);
    let mut world = World::new(&model, 0.0, 0.0);
    world.run(1.0);
    let designed = world.body.position.z;
    world.body.mass *= LOAD;
    world.body.inverse_inertia *= 1.0 / LOAD;
    world.run(15.0);
    let sunk = (designed - world.body.position.z) as f32;
    let square = |hertz: f32| (core::f32::consts::TAU * hertz).powi(2);
    let limit = model.params().wheels[0].suspension.max_compression;
    // Per mass: g·(load − 1) = ω²·(limit + x) + limits' ω²·x.
    let beyond = (9.81 * (LOAD - 1.0) - square(4.0) * limit) / (square(4.0) + square(20.0));
    let actual = sunk - limit;
    assert!(
        (actual / beyond - 1.0).abs() < 0.02,
        "{actual} m beyond, {beyond} m expected"
    );
}
