//! Refused inputs, overflow, sleeping and waking.

use super::*;
use crate::base::velocity::Velocity;
use crate::exchange::grip_memory::{GripMemory, RowsGrip};
use crate::params::profile::Profile;

fn car_of(profile: Profile) -> Vehicle {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    Vehicle::new(Arc::new(testing::model_of(params)), BodyId(7))
}

#[rstest]
#[case::position(|b: &mut BodyState| b.position.y = f64::NAN)]
#[case::rotation(|b: &mut BodyState| b.rotation.z = f32::NAN)]
#[case::velocity(|b: &mut BodyState| b.linear_velocity.x = f32::INFINITY)]
#[case::turning(|b: &mut BodyState| b.angular_velocity.z = f32::NAN)]
#[case::inertia(|b: &mut BodyState| b.inverse_inertia.y_axis.x = f32::NAN)]
#[case::no_mass(|b: &mut BodyState| b.mass = 0.0)]
#[case::negative_mass(|b: &mut BodyState| b.mass = -1.0)]
#[case::mass_without_end(|b: &mut BodyState| b.mass = f32::INFINITY)]
#[case::mass_of_nan(|b: &mut BodyState| b.mass = f32::NAN)]
#[case::damping(|b: &mut BodyState| b.linear_damping = -0.1)]
#[case::damping_without_end(|b: &mut BodyState| b.linear_damping = f32::INFINITY)]
#[case::angular_damping(|b: &mut BodyState| b.angular_damping = -0.1)]
#[case::angular_damping_of_nan(|b: &mut BodyState| b.angular_damping = f32::NAN)]
fn a_body_with_one_wrong_value_is_refused(#[case] spoil: fn(&mut BodyState)) {
    let (mut car, right) = (car(), body(1.6, Vec3::X));
    let mut wrong = right;
    spoil(&mut wrong);
    let before = car.state().clone();
    let refused = car.update(&wrong, &braking(0.0), GRAVITY, DT);
    assert_eq!(refused, Err(StepError::Body));
    assert_eq!(*car.state(), before);
    assert!(car.update(&right, &braking(0.0), GRAVITY, DT).is_ok());
}

#[test]
fn gravity_and_time_may_be_as_small_as_numbers_are() {
    let (mut car, body) = (car(), body(1.6, Vec3::X));
    for (gravity, dt, taken) in [
        (Vec3::Z * -1e-3, DT, true),
        (Vec3::Z * 1e-30, DT, true),
        (Vec3::ZERO, DT, true),
        (Vec3::Z * f32::NAN, DT, false),
        (GRAVITY, 1e-6, true),
        (GRAVITY, -DT, false),
        (GRAVITY, f32::INFINITY, false),
    ] {
        let actual = car.update(&body, &braking(0.0), gravity, dt);
        assert_eq!(actual.is_ok(), taken, "{gravity} {dt}");
    }
}

fn forces(forward: W4, left: W4) -> GripMemory {
    GripMemory::Rows(RowsGrip {
        force: [forward, left],
        ..RowsGrip::default()
    })
}

/// Any number of the state that a step leaves behind: the explicit solver's step without an update touches few.
#[rstest]
#[case::carry(|s: &mut VehicleState| s.carry.angular.x = f32::NAN)]
#[case::step_record(|s: &mut VehicleState| s.last_step.expected.linear.y = f32::INFINITY)]
#[case::engine(|s: &mut VehicleState| s.drive.engine_speed = f32::INFINITY)]
#[case::spin(|s: &mut VehicleState| s.wheels[0].spin = W4::from_array([0.0, 0.0, f32::INFINITY, 0.0]))]
#[case::angle(|s: &mut VehicleState| s.wheels[0].angle = W4::splat(f32::NAN))]
#[case::jounce(|s: &mut VehicleState| s.wheels[0].jounce = W4::splat(f32::NAN))]
#[case::load(|s: &mut VehicleState| s.wheels[0].normal_force = W4::splat(f32::INFINITY))]
#[case::forward(|s: &mut VehicleState| s.wheels[0].grip = forces(W4::splat(f32::NAN), W4::ZERO))]
#[case::left(|s: &mut VehicleState| s.wheels[0].grip = forces(W4::ZERO, W4::from_array([0.0, f32::NAN, 0.0, 0.0])))]
fn a_state_with_one_number_beyond_all_range_is_put_to_rest(#[case] spoil: fn(&mut VehicleState)) {
    let (mut car, body) = (car(), body(1.6, Vec3::X));
    let rest = car.state().clone();
    probe(&mut car, &body);
    assert!(car.extrapolate(&body, GRAVITY, DT).is_ok());
    spoil(car.state_mut());
    let refused = car.extrapolate(&body, GRAVITY, DT);
    assert_eq!(refused, Err(StepError::Overflow));
    assert_eq!(*car.state(), rest);
}

/// Rows cars say when they may fall asleep: not while driver or brakes change, a wheel turns or the car moves.
#[test]
fn a_car_stays_awake_while_anything_changes() {
    let mut car = car_of(Profile::DEFAULT);
    let body = body(1.65, Vec3::ZERO);
    let mut wakes = |brake: f32, steer: f32| {
        probe(&mut car, &body);
        let command = CarCommand {
            brake,
            steer,
            ..CarCommand::default()
        };
        let outcome = car.update(&body, &Command::Car(command), GRAVITY, DT);
        outcome.unwrap().wake
    };
    assert!(wakes(1.0, 0.0), "the brake was not pressed before");
    assert!(!wakes(1.0, 0.0), "held");
    assert!(wakes(1.0, 0.1), "steered");
    assert!(wakes(1.0, 0.1), "for as long as it is");
    assert!(wakes(1.0, 0.0), "steered back");
    assert!(!wakes(1.0, 0.0), "held again");
    assert!(wakes(0.5, 0.0), "eased");
    for profile in [Profile::PHYSX_4, Profile::PHYSX_5] {
        let mut car = car_of(profile);
        for brake in [0.0, 1.0] {
            let outcome = car.update(&body, &braking(brake), GRAVITY, DT);
            assert!(!outcome.unwrap().wake, "the engine alone knows");
        }
    }
}

/// Below 1 cm/s, 0.01 rad/s and 0.3 rad/s of any wheel, in the world's units.
#[rstest]
#[case::stands(0.0, 0.0, 0.0, true)]
#[case::nearly_stands(0.009, 0.009, -0.29, true)]
#[case::moves(0.011, 0.0, 0.0, false)]
#[case::turns(0.0, 0.011, 0.0, false)]
#[case::wheel_turns(0.0, 0.0, 0.31, false)]
#[case::wheel_turns_back(0.0, 0.0, -0.31, false)]
fn slow_vehicles_may_fall_asleep(
    #[case] speed: f32,
    #[case] turning: f32,
    #[case] spin: f32,
    #[case] rests: bool,
) {
    let mut car = car_of(Profile::DEFAULT);
    car.updated = Velocity {
        linear: Vec3::new(0.6, 0.0, -0.8) * speed,
        angular: Vec3::new(0.0, 0.6, 0.8) * turning,
    };
    car.state.wheels[0].spin = W4::from_array([0.0, 0.0, 0.0, spin]);
    assert_eq!(car.is_at_rest(), rests);
}

/// A sleeping car on a body that moves wakes in the step of a probe, which knows of that.
#[test]
fn moving_ground_wakes() {
    let mut car = car_of(Profile::DEFAULT);
    let mut body = body(1.65, Vec3::ZERO);
    probe(&mut car, &body);
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    body.asleep = true;
    for moves in [false, true] {
        probe(&mut car, &body);
        let contacts: Vec<_> = car.contacts().to_vec();
        let on_a_lift = |wheel: usize| {
            let contact = contacts[wheel]?;
            let motion = moves.then_some(GroundMotion {
                position: DVec3::ZERO,
                rotation: Quat::IDENTITY,
                linear_velocity: Vec3::Z,
                angular_velocity: Vec3::ZERO,
                mass: None,
                inverse_inertia: Mat3::ZERO,
            });
            Some((contact, motion))
        };
        car.take_contacts(body.position, on_a_lift).unwrap();
        for probed in [true, false] {
            let outcome = car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
            assert_eq!(outcome.wake, moves && probed, "{moves} {probed}");
        }
    }
}

#[test]
fn a_towed_vehicle_counts_as_accelerating_when_it_is_pulled() {
    for towed in [false, true] {
        let (mut car, body) = (car(), body(1.65, Vec3::X * 3.0));
        car.set_towed(towed);
        car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
        assert_eq!(car.control().accelerating, towed);
        assert_eq!(car.control().forward_speed, 3.0);
    }
}

#[test]
fn clamping_is_reported_until_the_next_update() {
    let mut car = car_of(Profile::DEFAULT);
    let body = body(1.65, Vec3::ZERO);
    for (brake, clamped) in [(1.5, true), (0.5, false), (-0.2, true), (1.0, false)] {
        car.update(&body, &braking(brake), GRAVITY, DT).unwrap();
        assert_eq!(car.command_was_clamped(), clamped, "{brake}");
    }
}

/// A push of each wheel goes to what it stands on, where it stands, and no harder than that may be accelerated.
#[test]
fn each_wheel_pushes_its_own_ground() {
    let (mut car, body) = (car_of(Profile::DEFAULT), body(1.55, Vec3::ZERO));
    probe(&mut car, &body);
    let contacts: Vec<_> = car.contacts().to_vec();
    let on_crates = |wheel: usize| {
        let mut contact = contacts[wheel]?;
        contact.hit.body = (wheel != 2).then_some(BodyId(10 + wheel as u64));
        let motion = (wheel != 1).then_some(GroundMotion {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: Some([1e4, 1e4, 1e4, 20.0][wheel]),
            inverse_inertia: Mat3::ZERO,
        });
        Some((contact, motion))
    };
    car.take_contacts(body.position, on_crates).unwrap();
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    let pushes: Vec<Reaction> = car.reactions().collect();
    let [heavy, light] = pushes[..] else {
        panic!("of a wheel on a body that is pushed: {pushes:?}");
    };
    assert_eq!((heavy.body, light.body), (BodyId(10), BodyId(13)));
    for (wheel, push) in [(0, heavy), (3, light)] {
        assert_eq!(push.anchor, body.position);
        assert_eq!(
            Some(push.offset),
            contacts[wheel].map(|contact| contact.point)
        );
        assert!(push.force.z < 0.0);
    }
    let down = car.wheel_report(0).suspension_force;
    assert!(
        (heavy.force.z + down).abs() < 0.2 * down,
        "{heavy:?} {down}"
    );
    assert!((light.force.length() - 2000.0).abs() < 0.01, "{light:?}");
}

/// The explicit solver stops what turns and, but for PhysX 5, forgets jounces; the rows solver keeps all but what its
/// engine was told. Either way, what is known of the ground stays.
#[rstest]
fn what_sleep_ends(
    #[values(Profile::DEFAULT, Profile::PHYSX_4, Profile::PHYSX_5)] profile: Profile,
) {
    let mut car = car_of(profile);
    let mut body = body(1.55, Vec3::new(2.0, 0.1, -1.0));
    probe(&mut car, &body);
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    let state = &mut car.state;
    state.drive.engine_speed = 80.0;
    state.tire_moment = Vec3::ONE;
    state.carry = Velocity {
        linear: Vec3::X,
        angular: Vec3::Y,
    };
    state.wheels[0].jounce_speed = W4::splat(0.2);
    state.wheels[0].spin_shown = W4::splat(0.3);
    state.wheels[0].spin = W4::splat(0.4);
    let before = state.clone();
    body.asleep = true;
    let asleep = car.update(&body, &braking(0.0), GRAVITY, DT);
    assert_eq!(asleep, Ok(StepResult::default()));
    let mut expected = before.clone();
    if profile.rows().is_some() {
        assert!(before.last_step.duration > 0.0);
        expected.last_step.duration = 0.0;
    } else {
        expected.drive.engine_speed = 0.0;
        expected.tire_moment = Vec3::ZERO;
        expected.carry = Velocity::ZERO;
        let wheels = &mut expected.wheels[0];
        (wheels.spin, wheels.spin_shown) = (W4::ZERO, W4::ZERO);
        if profile != Profile::PHYSX_5 {
            wheels.jounce = W4::splat(WheelState::UNKNOWN);
            wheels.jounce_speed = W4::ZERO;
        }
    }
    assert_eq!(*car.state(), expected);
}

/// A new origin is no motion: nothing is learned from it, and planes stay under the car.
#[test]
fn a_new_origin_is_no_motion() {
    let shift = DVec3::new(1024.0, -2048.0, 512.0);
    let go = |shift: DVec3| {
        let mut car = car_of(Profile::DEFAULT);
        // Nothing is rounded at such a height.
        let mut body = body(1.625, Vec3::ZERO);
        probe(&mut car, &body);
        for _ in 0..5 {
            car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
        }
        car.shift_origin(shift);
        body.position -= shift;
        let outcome = car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
        (outcome, car.state().clone())
    };
    let (stayed, state) = go(DVec3::ZERO);
    let (moved, mut shifted) = go(shift);
    shifted.position += shift;
    // Displacements are differences of positions, which a shift rounds to 1e-13 m.
    let close = |a: Vec3, b: Vec3| (a - b).length() < 1e-6;
    let motion = |outcome: StepResult| match outcome.motion {
        Motion::StepMotion {
            linear, angular, ..
        } => (linear, angular),
        other => panic!("{other:?}"),
    };
    let (stayed, moved) = (motion(stayed), motion(moved));
    assert!(
        close(stayed.0, moved.0) && close(stayed.1, moved.1),
        "{stayed:?} {moved:?}"
    );
    let forces = |state: &VehicleState| state.wheels[0].normal_force;
    assert!(
        (forces(&shifted) - forces(&state))
            .abs()
            .lt(W4::splat(0.1))
            .all()
    );
    assert_eq!(shifted.last_step.push, state.last_step.push);
    assert!((shifted.position - state.position).length() < 1e-9);
    assert!(state.last_step.duration > 0.0);
}
