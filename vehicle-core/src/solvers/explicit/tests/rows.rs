//! Rows that stops and sticking wheels leave for the end of a step.

use super::*;
use crate::base::velocity::Velocity;
use crate::exchange::grip_memory::{ExplicitGrip, GripMemory};
use crate::params::profile::Profile;

/// A car that creeps along on a moving belt.
fn creeping(profile: Profile, change: impl FnOnce(&mut Rig)) -> Rig {
    let mut rig = Rig::new(on_ice(profile), REST).moving(Quat::IDENTITY, BELT + CREEP, Vec3::ZERO);
    rig.ground[0] = MovingGround {
        any: true,
        velocity: V3x4::splat(BELT),
        ..MovingGround::FIXED
    };
    rig.wheels().spin = W4::splat(0.01);
    change(&mut rig);
    rig.advance(H);
    rig
}

const BELT: Vec3 = Vec3::new(0.7, -0.4, 0.0);
const CREEP: Vec3 = Vec3::new(0.1, 0.08, 0.0);

/// Velocity after the rows of the point where the first tire pushes.
fn contact_velocity(rig: &Rig) -> Vec3 {
    let mut velocity = Velocity {
        linear: BELT + CREEP,
        angular: Vec3::ZERO,
    };
    let (mass, inertia) = (rig.chassis.inverse_mass, rig.chassis.inverse_inertia);
    for _ in 0..20 {
        velocity = stops::solve(&rig.rows, velocity, mass, &inertia, 0.0, 1.0).end;
    }
    let arm = rig.model.wheels().first().tire_point.lane(0);
    velocity.linear + velocity.angular.cross(arm)
}

fn stood(forward: f32, sideways: f32) -> impl FnOnce(&mut Rig) {
    move |rig| {
        rig.wheels().grip = GripMemory::Explicit(ExplicitGrip {
            still: [W4::splat(forward), W4::splat(sideways)],
            ..ExplicitGrip::default()
        });
    }
}

#[test]
fn a_rolling_car_has_no_rows() {
    let rig = creeping(Profile::PHYSX_4, |_| ());
    assert!(rig.rows.is_empty());
    assert!(!(rig.out().sticky.longitudinal | rig.out().sticky.lateral).any());
}

/// Sticking wheels go along with their ground, but for a share of what they slide; the tire is asked for
/// nothing along the sticky row.
#[test]
fn sticking_wheels_follow_their_ground() {
    let rig = creeping(Profile::PHYSX_4, stood(2.0, 2.0));
    assert_eq!(rig.rows.len(), 8);
    let left = contact_velocity(&rig) - BELT;
    assert!((left.x - 0.01 * CREEP.x).abs() < 2e-4, "{left}");
    assert!((left.y - 0.1 * CREEP.y).abs() < 2e-4, "{left}");
    assert_eq!(
        (rig.out().slip_ratio, rig.out().tan_slip_angle),
        (W4::ZERO, W4::ZERO)
    );
}

#[test]
fn a_longitudinal_sticky_row_keeps_the_lateral_tire_force() {
    let rig = creeping(Profile::PHYSX_4, stood(2.0, 0.0));
    assert_eq!(rig.rows.len(), 4);
    let left = contact_velocity(&rig) - BELT;
    assert!((left.x - 0.01 * CREEP.x).abs() < 2e-4, "{left}");
    assert!((left.y - CREEP.y).abs() < 0.03, "{left}");
    assert_eq!(rig.out().slip_ratio, W4::ZERO);
    assert!(rig.out().tan_slip_angle.gt(W4::splat(0.05)).all());
}

#[test]
fn a_lateral_sticky_row_keeps_the_longitudinal_tire_force() {
    // It stands sideways for long, and has only begun to stand forward.
    let rig = creeping(Profile::PHYSX_4, stood(0.5, 2.0));
    assert_eq!(rig.rows.len(), 4);
    assert!((contact_velocity(&rig) - BELT).y.abs() < 0.15 * CREEP.y);
    assert_eq!(rig.out().tan_slip_angle, W4::ZERO);
    assert!(rig.out().slip_ratio.abs().gt(W4::splat(0.01)).all());
}

/// ⚑ PhysX 5's rows aim at a standstill, whatever the ground does.
#[test]
fn physx_5_sticky_rows_ignore_moving_ground() {
    let mut profile = Profile::PHYSX_5;
    let sticky = &mut testing::explicit(&mut profile).sticky;
    (sticky.forward_damping, sticky.side_damping) = (1e5, 1e5);
    let rig = creeping(profile, stood(2.0, 2.0));
    let left = contact_velocity(&rig).truncate();
    assert!(left.length() < 1e-3, "{left}");
}

/// Stops have rows of their own, with or without sticky rows beside them.
#[rstest]
#[case::alone(0.0, 4)]
#[case::beside_sticky_rows(2.0, 12)]
fn stops_that_are_passed_have_rows(#[case] stood_for: f32, #[case] rows: usize) {
    let rig = creeping(Profile::PHYSX_4, |rig| {
        stood(stood_for, stood_for)(rig);
        rig.wheels().ground_height = W4::splat(1.3);
    });
    assert!(rig.out().touch.beyond_stop.gt(W4::ZERO).all());
    assert_eq!(rig.rows.len(), rows);
}

/// PhysX solves the rows of the last four wheels first.
#[test]
fn the_last_block_comes_first() {
    let rows = |more: usize| {
        let mut params = with_profile(Profile::PHYSX_4);
        for wheel in &mut params.wheels[4 - more..] {
            wheel.suspension.sprung_mass *= 0.5;
        }
        params.wheels.extend_from_within(4 - more..);
        let mut rig = Rig::new(on_tires(params, echo(|_| 0.0)), REST);
        for wheels in rig.state.wheels.iter_mut() {
            wheels.grip = GripMemory::Explicit(ExplicitGrip {
                still: [W4::splat(2.0); 2],
                ..ExplicitGrip::default()
            });
        }
        rig.advance(H);
        rig.rows
    };
    let (four, six) = (rows(0), rows(2));
    assert_eq!((four.len(), six.len()), (8, 12));
    assert_eq!(six[4..], four);
}

/// A braked wheel that does not turn sticks at once where brakes lock it, in PhysX 5: any wheel's brake.
#[test]
fn any_brake_locks_the_wheels_of_physx_5() {
    let still = |brake: f32| {
        let rig = creeping(Profile::PHYSX_5, |rig| {
            rig.wheels().spin = W4::ZERO;
            rig.control.wheels[0].brake = W4::from_array([0.0, 0.0, 0.0, brake]);
        });
        rig.out().sticky.longitudinal
    };
    assert!(still(10.0).all() && !still(0.0).any());
}

/// Wheels of a driver who requests acceleration do not stick.
#[test]
fn the_accelerator_releases() {
    let rig = creeping(Profile::PHYSX_4, |rig| {
        stood(2.0, 2.0)(rig);
        rig.control.accelerating = true;
    });
    assert!(rig.rows.is_empty());
    assert_eq!(rig.state.wheels[0].grip.explicit().still[0], W4::ZERO);
}

/// The sticky rows of a step are those of its rows: where a car has stood for long enough only when its first
/// substep is over, it sticks if the rows are those of the last.
#[rstest]
#[case::first(false)]
#[case::last(true)]
fn sticky_rows_are_those_of_the_step(#[case] of_last_substep: bool) {
    let mut profile = Profile::PHYSX_4;
    testing::explicit(&mut profile).stops.of_last_substep = of_last_substep;
    let mut params = with_profile(profile);
    substeps(&mut params, 3);
    let mut rig = Rig::new(on_tires(params, echo(|_| 0.0)), REST);
    rig.wheels().spin = W4::splat(0.01);
    stood(1.0 - 1.5 * H, 0.0)(&mut rig);
    rig.advance(3.0 * H);
    assert!(
        rig.state.wheels[0].grip.explicit().still[0]
            .gt(W4::ONE)
            .all()
    );
    let sticks = rig.out().sticky.longitudinal;
    assert_eq!(
        (sticks.any(), sticks.all()),
        (of_last_substep, of_last_substep)
    );
    assert_eq!(rig.rows.len(), if of_last_substep { 4 } else { 0 });
}
