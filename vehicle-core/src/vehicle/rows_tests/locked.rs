//! Cars whose bodies an engine locks to a plane.

use glam::BVec3;

use super::*;
use crate::LockedAxes;

/// The body slides along x and z, and turns about y.
const SIDE_VIEW: LockedAxes = LockedAxes {
    translation: BVec3::new(false, true, false),
    rotation: BVec3::new(true, false, true),
};

/// The body stays at its height, and turns about z.
const TOP_VIEW: LockedAxes = LockedAxes {
    translation: BVec3::new(false, false, true),
    rotation: BVec3::new(true, true, false),
};

/// A steered car on a bank.
fn locked(params: VehicleParams, axes: LockedAxes) -> World {
    let mut world = World::new(&model(params, geared(None)), 0.0, 0.15);
    world.body.locked_axes = axes;
    world.body.linear_velocity = Vec3::X * 10.0;
    world.command = CarCommand {
        steer: 0.5,
        throttle: 0.3,
        ..CarCommand::default()
    };
    world
}

/// Gravity, tires and wind push it aside, and neither motion nor carry nor the estimate of what the engine adds has it.
#[rstest]
#[case::rows(params(|_| ()))]
#[case::explicit(params(|p| {
    p.profile.solver = testing::EXPLICIT;
    testing::explicit(&mut p.profile).accelerates = true;
}))]
fn a_lock_is_no_push(#[case] params: VehicleParams) {
    let mut world = locked(params, SIDE_VIEW);
    let start = world.body.position;
    for _ in 0..120 {
        world.step();
        let state = world.car.state();
        let velocity = Velocity {
            linear: world.body.linear_velocity,
            angular: world.body.angular_velocity,
        };
        for v in [velocity, state.carry, state.last_step.push] {
            let aside = [v.linear.y, v.angular.x, v.angular.z];
            assert!(aside.iter().all(|v| v.abs() < 1e-5), "{v:?}");
        }
    }
    let displacement = world.body.position - start;
    assert!(
        displacement.x > 5.0 && displacement.y.abs() < 1e-4,
        "{displacement}"
    );
}

/// Springs of a body that cannot rise press as far as they are compressed, whatever the step is.
#[rstest]
fn springs_of_a_body_at_its_height_press_as_they_are_compressed(
    #[values(30.0, 60.0, 240.0)] rate: f32,
) {
    let mut world = World::new(&model(params(|_| ()), geared(None)), 0.0, 0.0);
    world.body.locked_axes = TOP_VIEW;
    world.body.position.z -= 0.03;
    for _ in 0..20 {
        let outcome = world.update(1.0 / rate).unwrap();
        world.apply(&outcome, 1.0 / rate);
    }
    for (n, wheel) in world.car.model().params().wheels.iter().enumerate() {
        let strut = &wheel.suspension;
        let wheel = world.car.wheel_report(n);
        assert!(wheel.jounce > 0.02, "{}", wheel.jounce);
        let expected = strut.sprung_mass * 9.81 + strut.stiffness * wheel.jounce;
        let load = wheel.suspension_force;
        assert!((load / expected - 1.0).abs() < 1e-5, "{load} {expected}");
    }
}
