//! The explicit solver's car on its bump stops: motions that the engine receives.

use super::*;
use crate::base::velocity::Velocity;
use crate::params::profile::Profile;
use crate::solvers::explicit::stops;

/// The velocity of a body (vehicle frame) after an engine's step with this outcome.
fn moved_by(body: &BodyState, outcome: &StepResult) -> Velocity {
    let (linear, angular) = match outcome.motion {
        Motion::VelocityChange { linear, angular } => (linear, angular),
        Motion::Acceleration { linear, angular } => (linear * DT, angular * DT),
        other => panic!("{other:?}"),
    };
    let left = |damping: f32| 1.0 - damping * DT;
    let back = math::matrix(body.rotation).transpose();
    Velocity {
        linear: back * (body.linear_velocity + linear + GRAVITY * DT) * left(body.linear_damping),
        angular: back * (body.angular_velocity + angular) * left(body.angular_damping),
    }
}

/// After the engine's own gravity and damping, the body moves as the stops decided, however it is turned; what
/// they leave it with is carried.
#[rstest]
fn a_body_moves_as_its_stops_decide(
    #[values(0.0, 0.7)] damping: f32,
    #[values(0.0, 1.1)] turned: f32,
    #[values(false, true)] accelerates: bool,
    #[values(Profile::PHYSX_4, Profile::PHYSX_5)] profile: Profile,
    #[values(1.65, 1.25)] height: f64,
) {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    testing::explicit(&mut params.profile).accelerates = accelerates;
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let mut body = body(height, Vec3::new(3.0, 0.5, -2.0));
    body.angular_velocity = Vec3::new(0.2, -0.3, 0.4);
    body.rotation = math::rotation_about(Vec3::Z, turned);
    (body.linear_damping, body.angular_damping) = (damping, 2.0 * damping);
    let owed = Velocity {
        linear: Vec3::Z * 0.05,
        angular: Vec3::X * 0.02,
    };
    car.state_mut().carry = owed;
    probe(&mut car, &body);
    let outcome = car.update(&body, &braking(0.1), GRAVITY, DT).unwrap();
    assert_eq!(car.stops.is_empty(), height > 1.5);

    let (world, left) = (math::matrix(body.rotation), 1.0 - damping * DT);
    let (linear, angular) = car.updated_velocity();
    // PhysX 5's substeps have gravity in them.
    let falling = if profile.explicit().unwrap().integrates_gravity {
        Vec3::ZERO
    } else {
        GRAVITY * DT
    };
    let start = Velocity {
        linear: world.transpose() * (linear + falling) * left,
        angular: world.transpose() * angular * (1.0 - 2.0 * damping * DT),
    };
    let restitution = profile.explicit().unwrap().stops.restitution;
    let inertia = &body.inverse_inertia;
    let solved = stops::solve(&car.stops, start, 1.0 / body.mass, inertia, restitution, DT);
    let moves = moved_by(&body, &outcome);
    assert!((moves.linear - solved.moving.linear).length() < 1e-4);
    assert!((moves.angular - solved.moving.angular).length() < 1e-4);
    let (carry, end) = (car.state().carry, solved.end - solved.moving);
    assert!((world.transpose() * carry.linear - end.linear).length() < 1e-5);
    assert!((world.transpose() * carry.angular - end.angular).length() < 1e-5);
    let carried = carry.linear.length() + carry.angular.length();
    assert_eq!(carried > 1e-3, height < 1.5, "{carried}");
}

/// Stops along the normal of level ground push upwards, however far the car has turned within the step: the rows of a
/// later substep are in that substep's axes, and the engine's body has not turned yet.
#[rstest]
fn stops_push_along_the_normal_of_a_car_that_turns(#[values(1, 3, 8)] substeps: u32) {
    let mut params = testing::four_wheeler();
    params.profile = Profile::PHYSX_5;
    (params.substeps.slow, params.substeps.fast) = (substeps, substeps);
    let mut car = Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7));
    let mut body = body(1.25, Vec3::new(0.0, 0.0, -2.0));
    body.angular_velocity = Vec3::new(0.3, 2.0, 0.0);
    probe(&mut car, &body);
    let outcome = car.update(&body, &braking(0.1), GRAVITY, DT).unwrap();
    assert!(!car.stops.is_empty());
    let pushed = moved_by(&body, &outcome).linear - car.updated_velocity().0;
    assert!(pushed.z > 1.0, "{pushed}");
    assert!(pushed.truncate().length() < 1e-5 * pushed.z, "{pushed}");
}

/// A stop's correction is reverted with the next change without rows.
#[test]
fn a_stops_correction_is_reverted_once() {
    let change_of = |owed: Vec3, height: f64| {
        let (mut car, body) = (car(), body(height, Vec3::X));
        car.state_mut().carry.linear = owed;
        let first = change(&car.update(&body, &braking(0.0), GRAVITY, DT).unwrap());
        let second = change(&car.update(&body, &braking(0.0), GRAVITY, DT).unwrap());
        (first, second)
    };
    let owed = Vec3::new(0.1, -0.2, 0.3);
    let (first, second) = change_of(owed, 9.0);
    assert!((first - owed).length() < 1e-6, "{first}");
    assert_eq!(second, Vec3::ZERO);
}
