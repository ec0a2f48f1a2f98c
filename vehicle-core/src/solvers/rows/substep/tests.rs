//! Numbers of sweeps and of evaluations: landing wheels, falling friction, and groups in sequence.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::base::lanes::W4;
use crate::contracts::tire::{TireForces, TireInput, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::params::VehicleParams;
use crate::solvers::rows::testing::{self, Anything, H, Rig, Rubber, anything, car};
use glam::Vec3;
use proptest::prelude::*;
use rstest::rstest;

/// Rubber whose traits claim falling friction, and whose forces do not fall.
const FALLING: Rubber = Rubber {
    traits: TireTraits {
        friction_falls: true,
        ..TireTraits::PLAIN
    },
    ..Rubber::PLAIN
};

/// A substep of any state on these tires with this number of sweeps; all wheels carried `before` (`N`).
fn swept(anything: &Anything, tire: Rubber, sweeps: u32, before: f32, friction: f32) -> Rig {
    let mut rig = Rig::on(
        car(|p| {
            testing::with_axles(p, 1);
            crate::testing::rows(&mut p.profile).sweeps = sweeps;
        }),
        tire,
    );
    anything.happen_to(&mut rig);
    for wheels in rig.state.wheels.iter_mut() {
        wheels.normal_force = W4::splat(before);
        wheels.ground_friction = W4::splat(friction);
        // All on the ground, at different heights.
        wheels.ground_height = wheels.ground_height.min(W4::splat(1.7));
    }
    rig.advance(H);
    rig
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A landing wheel adds one sweep: its normal force was zero.
    #[test]
    fn landing_adds_one_sweep(anything in anything(3.0), sweeps in 1u32..4) {
        let lands = swept(&anything, Rubber::PLAIN, sweeps, 0.0, 1.0);
        let pressed = |sweeps| swept(&anything, Rubber::PLAIN, sweeps, 1e-30, 1.0);
        prop_assume!(lands.outputs[0].touch.touching.any());
        prop_assert_eq!(lands.chassis, pressed(sweeps + 1).chassis);
    }
}

/// Fast struts have a second sweep where friction falls, and all have one in long substeps. Without friction, laws are not evaluated
/// again, and only the sweeps differ.
#[rstest]
#[case::at_rest(0.0, H, 1)]
#[case::falling(-2.0, H, 2)]
#[case::long_substep(-2.0, 1.0 / 30.0, 1)]
fn falling_friction_adds_a_sweep(#[case] speed: f32, #[case] h: f32, #[case] sweeps: u32) {
    let chassis = |tire, sweeps| {
        let change = |p: &mut VehicleParams| {
            let rows = crate::testing::rows(&mut p.profile);
            (rows.sweeps, rows.max_substep) = (sweeps, h);
        };
        let mut rig = Rig::on(car(change), tire);
        rig.chassis.velocity.linear = Vec3::new(0.3, 0.0, speed).extend(0.0);
        rig.state.wheels[0].normal_force = W4::splat(3000.0);
        rig.state.wheels[0].ground_friction = W4::ZERO;
        rig.advance(h);
        rig.chassis
    };
    assert_eq!(chassis(FALLING, 1), chassis(Rubber::PLAIN, sweeps));
    assert_ne!(chassis(Rubber::PLAIN, 1), chassis(Rubber::PLAIN, 2));
}

/// A car that is placed upright has the same loads on its left and its right from its first long substep on.
#[test]
fn a_placed_car_is_loaded_alike_on_both_sides() {
    let h = 1.0 / 30.0;
    let mut rig = Rig::new(car(|p| {
        crate::testing::rows(&mut p.profile).max_substep = h;
    }));
    rig.state.last_step.duration = 0.0;
    rig.advance(h);
    let [a, b, c, d] = rig.state.wheels[0].normal_force.to_array();
    assert!(
        (a - b).abs() < 1e-3 * a && (c - d).abs() < 1e-3 * c,
        "{a} {b} {c} {d}"
    );
}

/// Counts its evaluations.
#[derive(Debug)]
struct Counted {
    tire: Rubber,
    calls: Arc<AtomicU32>,
}

impl TireModel for Counted {
    fn forces(&self, input: &TireInput) -> TireForces {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.tire.forces(input)
    }

    fn traits(&self) -> TireTraits {
        self.tire.traits()
    }
}

/// A law is evaluated at the initial spins; where friction falls, again at the resulting ones, as long as they differ near the
/// peak.
#[rstest]
#[case::plain(Rubber::PLAIN, 1e4, 1)]
#[case::locks(FALLING, 1e4, 2)]
#[case::far_from_its_peak(FALLING, 500.0, 1)]
#[case::stays_locked(FALLING, f32::MAX, 1)]
fn laws_are_evaluated_again_while_a_tire_slips_on(
    #[case] tire: Rubber,
    #[case] brake: f32,
    #[case] evaluations: u32,
) {
    let counter = Arc::new(AtomicU32::new(0));
    let model = Counted {
        tire,
        calls: Arc::clone(&counter),
    };
    let mut rig = Rig::on(car(|_| ()), model);
    let speed = 20.0;
    rig.chassis.velocity.linear.x = speed;
    let radius = rig.model.wheels()[0].radius;
    let locked = brake == f32::MAX;
    let rolling = W4::splat(if locked { 0.0 } else { 0.95 * speed }) / radius;
    rig.state.wheels[0].spin = rolling;
    rig.state.wheels[0].normal_force = W4::splat(3000.0);
    rig.control.wheels[0].brake = W4::splat(brake);
    rig.advance(H);
    assert_eq!(counter.load(Ordering::Relaxed), 4 * evaluations);
}

// Six wheels at one point, in two groups: each later one finds a slower car, and pushes less.
#[rstest]
#[case::free(0)]
#[case::where_wheels_may_be_coupled(1)]
fn groups_are_solved_in_sequence(#[case] wheel_couplings: u8) {
    let mut rig = Rig::new(car(|p| {
        testing::with_axles(p, 1);
        p.anti_roll.clear();
        let sprung_mass = p.chassis.mass / 6.0;
        for wheel in &mut p.wheels {
            wheel.position = Vec3::new(0.0, 0.0, -1.15);
            wheel.tire.application_point = Vec3::ZERO;
            wheel.suspension.sprung_mass = sprung_mass;
        }
    }));
    rig.control.wheel_couplings = wheel_couplings;
    rig.chassis.velocity.linear = Vec3::new(5.0, 0.5, 0.0).extend(0.0);
    for wheels in rig.state.wheels.iter_mut() {
        wheels.spin = W4::splat(10.0);
        wheels.normal_force = W4::splat(3000.0);
    }
    let start = rig.chassis.velocity.truncated().linear.y;
    rig.advance(H);
    let pushed = |n: usize| -rig.forces(n)[2];
    for n in rig.wheels().skip(1) {
        let (before, later) = (pushed(n - 1), pushed(n));
        assert!(later > 0.0 && later < before, "{n}: {later} {before}");
    }
    // The chassis receives the last group's impulses.
    let all: f64 = rig.wheels().map(pushed).sum();
    let lost = f64::from(start - rig.chassis.velocity.truncated().linear.y) * f64::from(rig.mass());
    assert!((all * f64::from(H) - lost).abs() < 0.1, "{all} {lost}");
}
