//! Cars that become another model while driving.

use super::*;
use crate::exchange::grip_memory::{GripMemory, RowsGrip};
use crate::params::profile::Solver;
use crate::params::retune::ThreeWheeler;

/// Most that a change may do to the velocity in a step, half throttle included (`m/s`).
const KICK: f32 = 0.06;

/// The sample car with its mass in front and to the right, so that it stands without its rear left
/// wheel, too.
fn lopsided() -> VehicleParams {
    params(|p| p.move_center_of_mass(Vec3::new(0.3, -0.3, 0.0)).unwrap())
}

/// A world with the car rolling at 10 m/s.
fn rolling(model: &Arc<VehicleModel>) -> World {
    let mut world = World::new(model, 0.0, 0.0);
    world.command = CarCommand {
        throttle: 0.5,
        ..CarCommand::default()
    };
    world.body.linear_velocity = Vec3::X * 10.0;
    let state = world.car.state_mut();
    state.drive.engine_speed = 160.0;
    state
        .wheels
        .iter_mut()
        .for_each(|w| w.spin = W4::splat(20.0));
    world.run(1.0);
    world
}

/// How much the next step changes the velocity (`m/s`); gravity alone would by 0.16.
fn kick(world: &mut World) -> f32 {
    let start = world.velocity();
    world.step();
    (world.velocity() - start).length()
}

fn spins(world: &World) -> Vec<f32> {
    let groups = world.car.state().wheels.iter();
    groups.flat_map(|w| w.spin.to_array()).collect()
}

#[test]
fn a_wheel_is_disabled_and_enabled_again_in_a_driven_car() {
    let four = model(lopsided(), geared(Some(1e4)));
    let mut off = lopsided();
    off.enable_only(&[0, 1, 3]).unwrap();
    let three = Arc::new(four.with_params(Checked::new(off).unwrap()).unwrap());
    let mut world = rolling(&four);
    world.car.set_model(three);
    assert!(kick(&mut world) < KICK);
    world.run(1.0);
    assert_eq!(spins(&world)[2], 0.0);
    assert_eq!(world.forces()[2], 0.0);
    assert!(world.car.contacts()[2].is_none());
    assert!(world.tilt() < 0.01, "{}", world.tilt());
    let control = &world.car.control().wheels[0];
    assert_eq!(control.torque_share.lane(2), 0.0);
    assert!((control.torque_share.sum() - 1.0).abs() < 1e-6);
    let drive = world.car.state().drive;
    let mean: f32 = spins(&world).iter().sum::<f32>() / 3.0;
    assert!(
        (drive.engine_speed - 8.0 * mean).abs() < 0.5,
        "{drive:?} {mean}"
    );

    world.car.set_model(four);
    let [a, b, c, d] = spins(&world)[..] else {
        panic!("four wheels");
    };
    assert!((c - (a + b + d) / 3.0).abs() < 1e-3, "{c}");
    assert!(kick(&mut world) < KICK);
    world.run(1.0);
    assert!(world.forces()[2] > 1000.0, "{:?}", world.forces());
}

#[test]
fn a_parked_car_stays_when_wheels_are_disabled() {
    let six = params(six_wheeler);
    let four = six.with_wheels(&[0, 1, 4, 5]).unwrap();
    let (six, four) = (
        model(six, testing::no_drive()),
        model(four, testing::no_drive()),
    );
    let mut world = World::new(&six, 0.1, 0.0);
    world.run(2.0);
    let position = world.body.position;
    world
        .car
        .set_model_with(Arc::clone(&four), &[0, 1, 4, 5].map(Some));
    world.run(1.0);
    let down = (world.body.position - position).length();
    assert!(down < 0.002, "{down}");
    world
        .car
        .set_model_with(Arc::clone(&six), &[0, 1, 0, 1, 2, 3].map(Some));
    world.run(1.0);
    let up = (world.body.position - position).length();
    assert!(up < 0.002, "{up}");
}

#[test]
fn new_wheels_roll_at_the_others_rim_speed() {
    let six = params(six_wheeler);
    let four = six.with_wheels(&[0, 1, 4, 5]).unwrap();
    let (six, four) = (model(six, geared(None)), model(four, geared(None)));
    let mut world = rolling(&four);
    let before = spins(&world);
    let map = [Some(0), Some(1), None, None, Some(2), Some(3)];
    world.car.set_model_with(Arc::clone(&six), &map);
    let after = spins(&world);
    assert_eq!([after[0], after[5]], [before[0], before[3]]);
    let mean = before.iter().sum::<f32>() / 4.0;
    assert!((after[2] - mean).abs() < 1e-3, "{after:?}");
    assert!(kick(&mut world) < KICK);
    assert!(world.forces().iter().all(|force| *force > 1000.0));
}

#[test]
fn a_car_becomes_a_three_wheeler_while_driving() {
    for layout in [ThreeWheeler::Tadpole, ThreeWheeler::Delta] {
        let four = model(params(|_| ()), geared(None));
        let three = model(
            params(|p| p.make_three_wheeler(layout).unwrap()),
            geared(None),
        );
        let mut world = rolling(&four);
        world.car.set_model(three);
        world.run(2.0);
        let gone = world.forces()[layout.removed()];
        assert_eq!(gone, 0.0);
        let carried: f32 = world.forces().iter().sum();
        assert!((carried - 1500.0 * 9.81).abs() < 30.0, "{carried}");
        assert!(world.tilt() < 0.02 && world.velocity().x > 10.0);
    }
}

#[test]
fn the_center_of_mass_moves_without_a_jump() {
    let shift = Vec3::new(0.2, 0.0, -0.1);
    let moved = params(|p| p.move_center_of_mass(shift).unwrap());
    let (before, after) = (
        model(params(|_| ()), geared(None)),
        model(moved, geared(None)),
    );
    let mut world = rolling(&before);
    let wheel = |world: &World| {
        let position = world.car.wheel_pose(0).position;
        let offset = world.car.model().params().from_center_of_mass(position);
        let offset = math::matrix(world.body.rotation) * offset;
        world.body.position + offset.as_dvec3()
    };
    let start = wheel(&world);
    world.car.set_model(after);
    let displacement = math::matrix(world.body.rotation) * shift;
    world.body.position += displacement.as_dvec3();
    assert!(kick(&mut world) < KICK);
    let displacement = (wheel(&world) - start).as_vec3() - world.velocity() * DT;
    assert!(displacement.length() < 0.005, "{displacement}");
}

#[test]
fn a_vehicle_moves_over_to_another_body() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, 0.0, 0.0);
    world.car.filter_mut().ignore[1] = Some(BodyId(3));
    world.run(1.0);
    let state = world.car.state().wheels.clone();
    world.car.set_body(BodyId(4));
    assert_eq!(world.car.body(), BodyId(4));
    assert_eq!(
        world.car.filter_mut().ignore,
        [Some(BodyId(4)), Some(BodyId(3))]
    );
    assert_eq!(world.car.state().wheels, state);
    let position = world.body.position;
    world.run(1.0);
    assert!((world.body.position - position).length() < 1e-3);
}

/// Forces of each wheel's strut and tire follow the mass that it carries.
#[test]
fn wheel_forces_scale_with_sprung_mass() {
    let light = params(|_| ());
    let heavy = params(|p| {
        p.set_mass(2400.0);
        p.move_center_of_mass(Vec3::new(0.2, -0.1, 0.0)).unwrap();
    });
    let carried =
        |params: &VehicleParams, wheel: usize| params.wheels[wheel].suspension.sprung_mass;
    let ratio = W4::from_fn(|wheel| carried(&heavy, wheel) / carried(&light, wheel));
    assert!((0..4).all(|wheel| (ratio.lane(wheel) - 1.6).abs() > 0.02));
    let mut car = Vehicle::new(model(light, testing::no_drive()), BodyId(7));
    let pushed = W4::from_array([4000.0, 3000.0, -2000.0, 1000.0]);
    let wheels = &mut car.state_mut().wheels[0];
    wheels.normal_force = pushed;
    wheels.grip = GripMemory::Rows(RowsGrip {
        force: [0.5, -0.25].map(|share| pushed * W4::splat(share)),
        ..RowsGrip::default()
    });
    car.set_model(model(heavy, testing::no_drive()));
    let (wheels, expected) = (&car.state().wheels[0], pushed * ratio);
    for (force, share) in [
        (wheels.normal_force, 1.0),
        (wheels.grip.rows().force[0], 0.5),
        (wheels.grip.rows().force[1], -0.25),
    ] {
        let off = force - expected * W4::splat(share);
        assert!(off.abs().lt(W4::splat(0.01)).all(), "{share}: {force:?}");
    }
}

/// A car on either solver.
fn solved_by(solver: Solver) -> Arc<VehicleModel> {
    let change = |p: &mut VehicleParams| {
        p.profile.solver = solver;
    };
    model(params(change), testing::no_drive())
}

/// Deflections of carcasses of the rows solver are no times of the explicit one, and the reverse.
#[rstest]
#[case::to_rows(testing::EXPLICIT, testing::ROWS)]
#[case::to_explicit(testing::ROWS, testing::EXPLICIT)]
fn hold_timers_end_with_their_solver(#[case] before: Solver, #[case] after: Solver) {
    let mut world = World::new(&solved_by(before), 0.05, 0.05);
    world.run(0.5);
    let deflection = |world: &World| match world.car.state().wheels[0].grip {
        GripMemory::Rows(grip) => grip.deflection,
        GripMemory::Explicit(grip) => grip.still,
    };
    let stood = deflection(&world);
    assert!(stood.iter().all(|x| !x.same(W4::ZERO).any()));
    world.car.set_model(solved_by(before));
    assert_eq!(deflection(&world), stood, "the same solver goes on");
    world.car.set_model(solved_by(after));
    assert_eq!(deflection(&world), [W4::ZERO; 2]);
}

/// A new body has no record of what the engine did to the one before.
#[test]
fn a_new_body_has_no_end_step() {
    let mut world = World::new(&solved_by(testing::ROWS), 0.05, 0.0);
    world.run(1.0);
    let learned = |world: &World| world.car.state().last_step.push;
    let before = learned(&world);
    let position = world.body.position;
    world.car.set_body(BodyId(4));
    world.body.linear_velocity.y += 0.05;
    world.step();
    assert_eq!(learned(&world), before);
    assert!((world.body.position - position).length() < 0.01);
    // As a force within the step.
    world.body.linear_velocity.y += 0.05;
    world.body.position.y += f64::from(0.05 * DT);
    world.step();
    assert_ne!(learned(&world), before, "but from the next step on");
}

/// A new solver or center of mass is not compared with the record of the one before.
#[test]
fn a_new_solver_or_center_of_mass_has_no_end_step() {
    let mut world = World::new(&solved_by(testing::ROWS), 0.05, 0.0);
    world.run(0.5);
    let record = world.car.state().last_step;
    assert!(record.duration > 0.0);
    world.car.set_model(solved_by(testing::ROWS));
    assert_eq!(world.car.state().last_step, record, "nothing moved");
    let shift = Vec3::new(0.2, 0.0, -0.1);
    let moved = model(
        params(|p| p.move_center_of_mass(shift).unwrap()),
        testing::no_drive(),
    );
    for other in [moved, solved_by(testing::EXPLICIT)] {
        let mut world = world.clone();
        world.car.set_model(other);
        let actual = world.car.state().last_step;
        assert_eq!((actual.duration, actual.push), (0.0, record.push));
    }
}

/// A wheel that begins is shown as it turns; the moment of the tires before stays with the solver that counts it.
#[test]
fn a_change_clears_the_history() {
    let four = solved_by(testing::ROWS);
    let mut car = Vehicle::new(Arc::clone(&four), BodyId(7));
    let state = car.state_mut();
    state.wheels[0].spin = W4::splat(12.0);
    state.tire_moment = Vec3::ONE;
    car.set_model_with(Arc::clone(&four), &[Some(0), Some(1), Some(3), None]);
    let wheels = &car.state().wheels[0];
    assert_eq!(wheels.spin_shown.to_array(), [0.0, 0.0, 0.0, 12.0]);
    assert_eq!(wheels.spin, W4::splat(12.0));
    car.state_mut().tire_moment = Vec3::ONE;
    car.set_model(four);
    assert_eq!(car.state().tire_moment, Vec3::ONE);
    car.set_model(solved_by(testing::EXPLICIT));
    assert_eq!(car.state().tire_moment, Vec3::ZERO);
}

/// Reports of the last update and the query filter stay when the wheels change.
#[test]
fn what_is_no_wheels_stays_when_wheels_change() {
    let mut world = World::new(&solved_by(testing::ROWS), 0.2, 0.0);
    world.command.brake = 1.5;
    world.run(0.1);
    world.car.filter_mut().ignore[1] = Some(BodyId(3));
    world.car.filter_mut().layers = 6;
    world.car.set_user_value(2, 22);
    world.car.set_gravity(Some(Vec3::NEG_Z));
    let before = world.car.clone();
    let car = &mut world.car;
    car.set_model_with(Arc::clone(before.model()), &[2, 0, 1, 3].map(Some));
    assert!(before.command_was_clamped() && car.command_was_clamped());
    assert_eq!(car.updated_velocity(), before.updated_velocity());
    assert_eq!(*car.filter_mut(), before.filter);
    assert_eq!(car.gravity, before.gravity);
    let lines = [&before, car].map(|car| car.wheel_report(0).probe_direction);
    assert_eq!(lines[0], lines[1]);
    assert!(lines[0].x.abs() > 0.1, "the car rolls");
    assert_eq!(
        [0, 1, 2, 3].map(|wheel| car.user_value(wheel)),
        [22, 0, 0, 0]
    );
}

mod panics {
    use super::*;

    #[rstest]
    #[case::one_beyond([0, 1, 2, 4])]
    #[case::far_beyond([17, 1, 2, 3])]
    #[should_panic(expected = "wheels that are there")]
    fn a_wheel_goes_on_as_one_that_is_there(#[case] from: [usize; 4]) {
        let model = solved_by(testing::ROWS);
        let mut car = Vehicle::new(Arc::clone(&model), BodyId(7));
        car.set_model_with(model, &from.map(Some));
    }
}

/// A second step of a car before its world's is refused, and changes nothing; the world's own step makes up for it.
#[test]
fn a_moving_car_is_not_stepped_twice_in_a_step_of_its_world() {
    let mut world = rolling(&model(lopsided(), geared(Some(1e4))));
    let outcome = world.update(DT).unwrap();
    let before = world.car.state().clone();
    if let Motion::StepMotion {
        linear, angular, ..
    } = outcome.motion
    {
        world.body.linear_velocity = linear;
        world.body.angular_velocity = angular;
    }
    assert_eq!(world.update(DT), Err(StepError::NotStepped));
    let mut after = world.car.state().clone();
    // The second probe does not look ahead: it finds the plane elsewhere, equal but for rounding.
    for (actual, expected) in after.wheels.iter_mut().zip(before.wheels.iter()) {
        let apart = (actual.ground_height - expected.ground_height).abs();
        assert!(apart.lt(W4::splat(1e-6)).all());
        actual.ground_height = expected.ground_height;
    }
    assert_eq!(after, before);
    world.apply(&outcome, DT);
    assert!(world.update(DT).is_ok());
}

/// Steps a car for a second whose body is put back into its pose after each step of its world; returns how many were refused.
fn refused_in_pose(world: &mut World, velocity: Option<Vec3>) -> usize {
    let position = (world.body.position, world.body.rotation);
    let mut refused = 0;
    for _ in 0..60 {
        match world.update(DT) {
            Ok(outcome) => world.apply(&outcome, DT),
            Err(error) => {
                assert_eq!(error, StepError::NotStepped);
                world.body.linear_velocity += world.gravity * DT;
                refused += 1;
            }
        }
        (world.body.position, world.body.rotation) = position;
        world.body.linear_velocity = velocity.unwrap_or(world.body.linear_velocity);
    }
    refused
}

/// A body that somebody puts to a pose in each frame is where it was, and may have the velocity that was set: its world was
/// stepped.
#[test]
fn a_body_that_is_held_in_its_pose_is_not_refused() {
    let model = model(lopsided(), geared(Some(1e4)));
    for velocity in [None, Some(Vec3::X), Some(Vec3::ZERO)] {
        let mut world = World::new(&model, 0.0, 0.0);
        world.body.linear_velocity = Vec3::X * 10.0;
        assert_eq!(refused_in_pose(&mut world, velocity), 0);
        // One that drove before may be taken for one whose world was not stepped, once.
        let mut world = rolling(&model);
        assert!(refused_in_pose(&mut world, velocity) <= 1);
        world.body.linear_velocity = Vec3::X * 10.0;
        world.run(0.1);
        assert!(world.car.state().arrived());
    }
}
