//! Whatever comes in, no NaN comes out.

use super::*;

/// A number of any magnitude from 10^`low` to 10^`high`, of either sign.
fn any_size(low: f32, high: f32) -> impl Strategy<Value = f32> {
    (low..high, any::<bool>()).prop_map(|(size, positive)| {
        let size = 10f32.powf(size);
        if positive { size } else { -size }
    })
}

fn any_speed(most: f32) -> impl Strategy<Value = Vec3> {
    let one = move || prop_oneof![Just(0.0f32), any_size(-3.0, most)];
    (one(), one(), one()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn any_rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1f32..1.0)
        .prop_map(|[x, y, z, w]| math::unit(Quat::from_xyzw(x, y, z, w)))
}

fn any_command() -> impl Strategy<Value = CarCommand> {
    let pedal = || prop_oneof![Just(0.0f32), Just(1.0), 0f32..1.0];
    (pedal(), pedal(), pedal(), -1f32..1.0).prop_map(|(throttle, brake, clutch, steer)| {
        CarCommand {
            throttle,
            brake,
            clutch,
            steer,
            ..CarCommand::default()
        }
    })
}

/// Whether the reports and the state of a car are finite.
fn is_sound(car: &Vehicle) -> bool {
    let state = car.state();
    let wheels = (0..car.model().wheel_count()).map(|n| car.wheel_report(n));
    let finite = |w: &WheelState| {
        [w.spin, w.angle, w.jounce, w.normal_force]
            .iter()
            .all(|x| x.is_finite())
            && w.grip.is_finite()
    };
    state.wheels.iter().all(finite)
        && state.drive.engine_speed >= 0.0
        && state.drive.engine_speed.is_finite()
        && state.drive.clutch_torque.is_finite()
        && [state.carry, state.last_step.push]
            .iter()
            .all(Velocity::is_finite)
        && wheels
            .map(|report| {
                report.spin + report.load + report.longitudinal_force + report.lateral_force
            })
            .all(f32::is_finite)
}

proptest! {
    /// Anything that may happen in a game: crashes, tumbling, falls. Never refused, always finite,
    /// over some steps.
    #[test]
    fn finite_states_stay_finite(
        height in 0.2f64..3.0, rotation in any_rotation(), upright in any::<bool>(),
        linear in any_speed(2.0), angular in any_speed(1.0), spin in any_size(-1.0, 2.7),
        engine in 0f32..700.0, command in any_command(), dry in any::<bool>(),
        six in any::<bool>(), friction in prop_oneof![Just(0.0f32), 0f32..2.0],
    ) {
        let change = |p: &mut VehicleParams| if six { six_wheeler(p) };
        let capacity = dry.then_some(500.0);
        let model = model(params(change), geared(capacity));
        let mut world = World::new(&model, 0.1, 0.1);
        world.body.position = (world.normal.as_dvec3()) * height;
        if !upright {
            world.body.rotation = rotation;
        }
        (world.body.linear_velocity, world.body.angular_velocity) = (linear, angular);
        (world.command, world.friction) = (command, friction);
        for wheels in world.car.state_mut().wheels.iter_mut() {
            wheels.spin = W4::splat(spin);
        }
        world.car.state_mut().drive.engine_speed = engine;
        for _ in 0..6 {
            let outcome = world.update(DT);
            prop_assert!(outcome.is_ok(), "{outcome:?}");
            let outcome = outcome.unwrap();
            prop_assert!(outcome.motion.is_finite() && is_sound(&world.car), "{outcome:?}");
            for report in (0..model.wheel_count()).map(|n| world.car.wheel_report(n)) {
                let (along, across) = (report.longitudinal_force, report.lateral_force);
                let grip = friction * report.load;
                prop_assert!(report.suspension_force >= 0.0);
                prop_assert!(along.hypot(across) <= grip * 1.00001 + 1e-3, "{report:?}");
            }
            world.apply(&outcome, DT);
        }
    }

    /// Far beyond: finite, or refused and put to rest.
    #[test]
    fn extreme_parameters_are_finite_or_refused(
        dt in (-4f32..0.0).prop_map(|size| 10f32.powf(size)),
        mass in any_size(-3.0, 9.0), inertia in any_size(-3.0, 9.0),
        linear in any_speed(20.0), angular in any_speed(20.0), spin in any_size(-1.0, 20.0),
        height in 0.2f64..3.0, rotation in any_rotation(), command in any_command(),
        dry in any::<bool>(), carry in any_speed(20.0), force in any_size(0.0, 20.0),
    ) {
        let capacity = dry.then_some(500.0);
        let model = model(params(|_| ()), geared(capacity));
        let mut world = World::new(&model, 0.0, 0.0);
        world.body.position.z = height;
        world.body.rotation = rotation;
        world.body.mass = mass.abs();
        world.body.inverse_inertia = Mat3::from_diagonal(Vec3::splat(1.0 / inertia.abs()));
        (world.body.linear_velocity, world.body.angular_velocity) = (linear, angular);
        world.command = command;
        let state = world.car.state_mut();
        state.carry.linear = carry;
        state.wheels[0].spin = W4::splat(spin);
        state.wheels[0].normal_force = W4::splat(force.abs());
        for _ in 0..4 {
            match world.update(dt) {
                Ok(outcome) => {
                    prop_assert!(outcome.motion.is_finite(), "{outcome:?}");
                    prop_assert!(is_sound(&world.car), "{:?}", world.car.state());
                    world.apply(&outcome, dt);
                }
                Err(refused) => {
                    prop_assert_eq!(refused, StepError::Overflow);
                    let rest = VehicleState::at_rest(4, DriveState::default());
                    prop_assert_eq!(world.car.state(), &rest);
                }
            }
            // What an engine does with numbers beyond its range is its own affair.
            let body = &world.body;
            let finite = body.position.is_finite() && body.rotation.is_finite();
            let moves = body.linear_velocity.is_finite() && body.angular_velocity.is_finite();
            let near = body.position.abs().max_element() < 1e7;
            if !(finite && moves && near) {
                break;
            }
        }
    }
}

#[test]
fn forces_beyond_all_range_are_refused() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, 0.0, 0.0);
    world.body.position.z = 0.2;
    world.body.rotation = Quat::from_xyzw(0.0, 0.451_034_43, 0.892_506_54, 0.0);
    world.body.mass = 202_565.19;
    world.body.inverse_inertia = Mat3::from_diagonal(Vec3::splat(1.0 / 12_443_405.0));
    world.body.linear_velocity.z = -4.569_275e34;
    let outcome = world.update(0.000_493_426_3);
    assert!(
        outcome.is_err() || is_sound(&world.car),
        "{:?}",
        world.car.state().wheels
    );
}
