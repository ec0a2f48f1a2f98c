//! Balances of whole steps: momentum, angular momentum, and symmetries.

mod views;

use glam::{DVec3, Vec3};
use proptest::prelude::*;
use rstest::rstest;

use super::testing::{self, Anything, GRAVITY, H, Rig, Rubber, anything, car, inverse_inertia};
use super::*;
use crate::base::lanes::LANES;
use crate::contracts::drivetrain::{ClutchAccuracy, EngineCoupling};
use crate::stages::contact::MovingGround;

/// Sum of forces and moments of all wheels in the last substep, with the geometry of `before`, in the frame of its `middle`.
fn pushed(before: &Rig, middle: &Rig, after: &Rig) -> (DVec3, DVec3) {
    after.wheels().fold((DVec3::ZERO, DVec3::ZERO), |sum, n| {
        let (force, moment) = before.contact(n, middle).wrench(after.forces(n));
        (sum.0 + force, sum.1 + moment)
    })
}

/// The states before and after a substep with arbitrary inputs.
fn substep(mut before: Rig, anything: &Anything) -> (Rig, Rig) {
    anything.happen_to(&mut before);
    let mut after = before.clone();
    after.advance(anything.h);
    (before, after)
}

/// The engine of [`drive`].
const ENGINE: EngineCoupling = EngineCoupling {
    inertia: 0.5,
    idle_speed: 0.0,
    idle_torque: f32::INFINITY,
    max_speed: 1e4,
    damping: 0.2,
    torque: 300.0,
    friction: 20.0,
    ratio: 8.0,
    clutch: 10.0,
    capacity: None,
    accuracy: ClutchAccuracy::Exact,
    throttle: 1.0,
};

/// A clutch of this capacity, or a viscous one, with uneven shares for all wheels.
fn drive(rig: &mut Rig, capacity: Option<f32>) {
    rig.control.coupling = Some(EngineCoupling { capacity, ..ENGINE });
    rig.state.drive.engine_speed = 200.0;
    for wheels in rig.control.wheels.iter_mut() {
        wheels.torque_share = W4::from_array([0.3, 0.2, 0.4, 0.1]);
        wheels.speed_share = wheels.torque_share;
    }
}

/// Checks that `lost` angular momentum is that of dry friction of up to `most` at `spin`.
fn check_friction(lost: f64, most: f64, spin: f64, rounding: f64) -> Result<(), TestCaseError> {
    if spin == 0.0 {
        prop_assert!(lost.abs() <= most + rounding, "{lost} {most}");
    } else {
        let off = lost - most * spin.signum();
        prop_assert!(off.abs() <= rounding, "{lost} {most} {spin}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The chassis' change of momentum is that of gravity, pushes, wheel forces at their points, and the last
    /// substep's tire moments.
    #[test]
    fn the_chassis_receives_all_forces_of_wheels(
        anything in anything(20.0), six in any::<bool>(), turning in any::<bool>(),
        influence in 0f32..1.0,
    ) {
        let tire = if turning { Rubber::TURNING } else { Rubber::PLAIN };
        let params = car(|p| {
            testing::with_axles(p, usize::from(six));
            p.wheels.iter_mut().for_each(|w| w.suspension.roll_influence = influence);
        });
        let (before, after) = substep(Rig::on(params, tire), &anything);
        let middle = before.halfway(anything.h);
        let (force, moment) = pushed(&before, &middle, &after);
        let back = middle.chassis.matrix.as_dmat3().transpose();
        let ((v0, w0), (v1, w1)) = (before.velocity_in(&middle), after.velocity_in(&middle));
        let h = f64::from(anything.h);
        let falls = back * (GRAVITY + anything.push.linear).as_dvec3();
        let size: f64 = before.wheels().map(|n| after.forces(n).iter().map(|f| f.abs()).sum::<f64>()).sum();
        let off = (v1 - v0 - falls * h) * f64::from(before.mass()) - force * h;
        prop_assert!(off.length() < 2e-6 * size * h + 0.02, "{off}");
        let tire_moment = before.state.tire_moment.as_dvec3();
        let turns = back * anything.push.angular.as_dvec3() * h;
        let off = w1 - w0 - turns - inverse_inertia(&before) * (moment + tire_moment) * h;
        prop_assert!(off.length() < 1e-5 * (1.0 + size * h / 1000.0), "{off}");
    }

    /// Tire, shaft, bearing and brake account for every change of spin, and clutch and friction for the
    /// engine's.
    #[test]
    fn spins_conserve_angular_momentum(
        anything in anything(20.0), six in any::<bool>(), turning in any::<bool>(),
        capacity in prop::option::of(10f32..800.0), coupled in any::<bool>(),
    ) {
        let tire = if turning { Rubber::TURNING } else { Rubber::PLAIN };
        let mut rig = Rig::on(car(|p| testing::with_axles(p, usize::from(six))), tire);
        if coupled {
            drive(&mut rig, capacity);
        }
        let (before, after) = substep(rig, &anything);
        let h = f64::from(anything.h);
        let clutch = f64::from(after.state.drive.clutch_torque);
        for n in before.wheels() {
            let (g, lane) = (n / LANES, n % LANES);
            let of = |w: W4| f64::from(w.lane(lane));
            let (start, end) = (of(before.state.wheels[g].spin), of(after.state.wheels[g].spin));
            let control = &before.control.wheels[g];
            let driven = of(control.drive) + 8.0 * of(control.torque_share) * clutch;
            let tire = 0.5 * after.forces(n)[1];
            let lost = 2.5 * start + h * (driven - tire) - end * (2.5 + h * 0.25);
            let rolls = turning && after.outputs[g].load.lane(lane) > 0.0
                && before.state.wheels[g].ground_friction.lane(lane) > 0.0;
            let most = h * (of(control.brake) + if rolls { 20.0 } else { 0.0 });
            // What a gripping tire passes may come of much larger terms.
            let rounding = 1e-4 * (1.0 + 2.5 * start.abs() + h * (driven.abs() + tire.abs())) + 1e-5 * most;
            check_friction(lost, most, end, rounding)?;
        }
        if coupled {
            let speed = f64::from(after.state.drive.engine_speed);
            let lost = 0.5 * 200.0 + h * (300.0 - clutch) - speed * (0.5 + 0.2 * h);
            check_friction(lost, 20.0 * h, speed, 1e-3 + 1e-5 * clutch.abs())?;
        }
    }

    /// The reaction on the ground is opposite to the wrench on the chassis, for any number of substeps: mean
    /// force, and the computed moments.
    #[test]
    fn the_ground_receives_the_opposite_wrench(
        anything in anything(10.0), six in any::<bool>(), count in 1u32..4,
    ) {
        let mut rig = Rig::on(car(|p| testing::with_axles(p, usize::from(six))), Rubber::TURNING);
        anything.happen_to(&mut rig);
        rig.ground.iter_mut().for_each(|ground| ground.any = true);
        let (before, mut each) = (rig.clone(), rig.clone());
        let dt = H * count as f32;
        rig.advance(dt);
        let sum = |rig: &Rig, of: fn(&GroundPushes) -> V3x4| -> Vec3 {
            rig.reactions.iter().map(|pushes| of(pushes).sum()).sum()
        };
        let gained = (rig.chassis.velocity - before.chassis.velocity).truncated().linear - (GRAVITY + anything.push.linear) * dt;
        let force = gained * (rig.mass() / dt);
        let off = sum(&rig, |pushes| pushes.force) + force;
        prop_assert!(off.length() < 2e-4 * (force.length() + 10_000.0), "{off} {force}");
        let mut torque = Vec3::ZERO;
        for _ in 0..count {
            let matrix = each.halfway(H).chassis.matrix;
            each.advance(H);
            torque -= matrix * each.state.tire_moment / count as f32;
        }
        let off = sum(&rig, |pushes| pushes.torque) - torque;
        prop_assert!(off.length() < 0.02, "{off} {torque}");
    }

    /// A step of n substeps equals n steps of one.
    #[test]
    fn a_step_of_substeps_equals_single_steps(anything in anything(20.0), count in 2u32..5) {
        let mut once = Rig::on(car(|p| testing::with_axles(p, 1)), Rubber::TURNING);
        drive(&mut once, Some(300.0));
        anything.happen_to(&mut once);
        let mut each = once.clone();
        // Up to rounding.
        let dt = H * count as f32;
        once.advance(dt);
        for _ in 0..count {
            each.advance(dt / count as f32);
        }
        prop_assert_eq!(&once.state, &each.state);
        prop_assert_eq!(once.chassis, each.chassis);
        prop_assert_eq!(&once.outputs, &each.outputs);
    }
}

// Wheels are only found in the ground in the first substep without a previous step.
#[rstest]
#[case::placed(0.0, 1, true)]
#[case::placed_long(0.0, 2, true)]
#[case::driven(H, 1, false)]
fn a_car_placed_in_the_ground_is_not_thrown_out(
    #[case] duration: f32,
    #[case] substeps: u32,
    #[case] placed: bool,
) {
    let mut rig = Rig::new(car(|_| ()));
    rig.state.last_step.duration = duration;
    // 40 cm beyond rest, 10 cm beyond the stops.
    rig.state.wheels[0].ground_height = W4::splat(1.25);
    rig.advance(H * substeps as f32);
    let speed = rig.chassis.velocity.truncated().linear.z;
    assert_eq!(speed < 1.01, placed, "{speed}");
    assert!(speed > 0.9, "{speed}");
    if placed {
        let jounce = rig.state.wheels[0].jounce.lane(0);
        assert!(jounce > 0.35, "still in the ground: {jounce}");
        rig.advance(H);
        assert!(rig.chassis.velocity.truncated().linear.z < 1.01);
    }
}

/// A non-finite moment is replaced by zero.
#[test]
fn non_finite_moments_are_dropped() {
    let mut rig = Rig::on(
        car(|_| ()),
        Rubber {
            moments: [0.0, f32::NAN],
            ..Rubber::TURNING
        },
    );
    rig.advance(H);
    assert_eq!(rig.state.tire_moment, Vec3::ZERO);
}
