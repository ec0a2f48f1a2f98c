//! Events that wake a sleeping car: whatever would move it if it were awake.

use super::*;
use crate::exchange::command::{Gear, GearCommand};

/// A car in gear on a gentle slope, with its brake half pressed, that has slept for some steps.
fn asleep() -> World {
    let model = model(params(|_| ()), geared(Some(400.0)));
    let mut world = World::new(&model, 0.1, 0.0);
    world.command.brake = 0.5;
    world.run(2.0);
    assert!(!world.last.wake, "it may fall asleep");
    world.body.asleep = true;
    (world.body.linear_velocity, world.body.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
    for _ in 0..5 {
        world.step();
        assert_eq!(world.last, StepResult::default());
    }
    world
}

/// Some engines keep the velocity with which a body fell asleep.
#[test]
fn a_velocity_of_a_sleeping_body_wakes_nothing() {
    let model = model(params(|_| ()), geared(Some(400.0)));
    let mut world = World::new(&model, 0.1, 0.0);
    world.command.brake = 0.5;
    world.run(2.0);
    world.body.asleep = true;
    world.body.linear_velocity = Vec3::new(7e-4, 3e-4, -5e-4);
    world.body.angular_velocity = Vec3::new(1e-3, -2e-3, 1e-3);
    let asleep = world.body;
    for _ in 0..20 {
        // The engine does not move it.
        world.body = asleep;
        world.step();
        assert_eq!(world.last, StepResult::default());
    }
}

/// Level ground that can move, at this velocity (`m/s`).
fn platform(velocity: Vec3) -> Option<GroundMotion> {
    Some(GroundMotion {
        position: DVec3::new(0.0, 0.0, -1.0),
        rotation: Quat::IDENTITY,
        linear_velocity: velocity,
        angular_velocity: Vec3::ZERO,
        mass: None,
        inverse_inertia: Mat3::ZERO,
    })
}

#[rstest]
#[case::accelerator(|w: &mut World| w.command.throttle = 0.1)]
#[case::brake_eased(|w: &mut World| w.command.brake = 0.4)]
#[case::brake_pressed(|w: &mut World| w.command.brake = 0.6)]
#[case::handbrake(|w: &mut World| w.command.handbrake = 1.0)]
#[case::clutch(|w: &mut World| w.command.clutch = 0.5)]
#[case::steering(|w: &mut World| w.command.steer = -0.1)]
#[case::gear_request(|w: &mut World| w.command.gear = GearCommand::Engage(Gear(0)))]
#[case::autobox(|w: &mut World| w.command.automatic = false)]
#[case::ice(|w: &mut World| w.friction = 0.1)]
#[case::ice_under_one_wheel(|w: &mut World| w.grip[2] = 0.1)]
#[case::gravity_turned(|w: &mut World| w.gravity = Vec3::new(-2.0, 0.0, -9.6))]
#[case::gravity_halved(|w: &mut World| w.gravity = GRAVITY * 0.5)]
#[case::ground_moves(|w: &mut World| w.motion = platform(Vec3::X * 1e-3))]
#[case::ground_sinks(|w: &mut World| w.bumps[1] = -1e-3)]
#[case::ground_inclines(|w: &mut World| w.normal = Vec3::new(-0.11, 0.0, 1.0).normalize())]
#[case::ground_vanishes(|w: &mut World| w.bumps = [-9.0; 6])]
#[case::ground_vanishes_under_one_wheel(|w: &mut World| w.bumps[3] = -9.0)]
#[case::load(|w: &mut World| w.body.mass += 80.0)]
#[case::turned_body(|w: &mut World| w.body.rotation = math::turn(w.body.rotation, Vec3::Z, 0.1))]
#[case::gear_of_the_state(|w: &mut World| w.car.state_mut().drive.force_gear(Gear(0)))]
#[case::other_tires(|w: &mut World| w.car.set_model(Arc::clone(&w.car.model)))]
#[case::reset(|w: &mut World| w.car.reset_to_rest())]
fn what_moves_a_car_wakes_it(#[case] change: fn(&mut World)) {
    let mut world = asleep();
    change(&mut world);
    world.step();
    assert!(world.last.wake && !world.body.asleep);
}

/// Once awake, it is a car like any other: the same cause does not wake it for ever.
#[rstest]
#[case::clutch(|w: &mut World| w.command.clutch = 1.0)]
#[case::grip(|w: &mut World| w.friction = 0.8)]
#[case::load(|w: &mut World| w.body.mass += 80.0)]
fn a_car_that_is_held_sleeps_on_afterwards(#[case] change: fn(&mut World)) {
    let mut world = asleep();
    change(&mut world);
    world.run(3.0);
    assert!(!world.last.wake);
    world.body.asleep = true;
    for _ in 0..5 {
        world.step();
        assert_eq!(world.last, StepResult::default());
    }
}

#[rstest]
#[case::nothing(|_: &mut World| ())]
#[case::a_new_origin(|w: &mut World| {
    let shift = DVec3::new(3.0, -1e5, 7.0);
    w.car.shift_origin(shift);
    // The plane is where it was, and so are hits but for their rounding.
    w.bumps = [1e-7 - w.normal.as_dvec3().dot(shift) as f32; 6];
    w.body.position -= shift;
})]
#[case::its_own_state(|w: &mut World| w.car.restore(w.car.state().clone()).unwrap())]
#[case::a_new_vehicle_in_this_state(|w: &mut World| {
    let mut car = Vehicle::new(Arc::clone(&w.car.model), w.car.body());
    car.restore(w.car.state().clone()).unwrap();
    w.car = car;
})]
#[case::ground_that_could_move(|w: &mut World| w.motion = platform(Vec3::ZERO))]
fn what_moves_nothing_lets_it_sleep(#[case] change: fn(&mut World)) {
    let mut world = asleep();
    change(&mut world);
    for _ in 0..5 {
        world.step();
        assert_eq!(world.last, StepResult::default());
    }
}

/// The ground that it fell asleep on counts from the first probe on, and stays known without one.
#[test]
fn without_a_probe_the_known_ground_holds() {
    let mut world = asleep();
    let command = Command::Car(world.command);
    let update = |world: &mut World| world.car.update(&world.body, &command, GRAVITY, DT);
    world.bumps = [-9.0; 6];
    assert_eq!(update(&mut world), Ok(StepResult::default()));
    world.car.state.ground_digest = 0;
    assert_eq!(update(&mut world), Ok(StepResult::default()));
    assert_eq!(world.car.state.ground_digest, 0);
    world.probe();
    assert!(update(&mut world).unwrap().wake);
}

/// Gears that change and an autobox that counts will move the car; an engine that revs down will not.
#[rstest]
#[case::engine(|d: &mut DriveState| d.engine_speed -= 9.0, true)]
#[case::clutch(|d: &mut DriveState| d.clutch_torque = 9.0, true)]
#[case::gear(|d: &mut DriveState| d.gear = Gear(2), false)]
#[case::target(|d: &mut DriveState| d.target_gear = Gear(2), false)]
#[case::change(|d: &mut DriveState| d.switch_time += DT, false)]
#[case::autobox(|d: &mut DriveState| d.autobox_time += DT, false)]
#[case::request(|d: &mut DriveState| d.gear_down = true, false)]
fn a_drive_is_at_rest_when_its_timers_stand(
    #[case] change: fn(&mut DriveState),
    #[case] at_rest: bool,
) {
    let before = DriveState::default();
    let mut after = before;
    change(&mut after);
    assert_eq!(rest::is_drive_at_rest(&before, &after), at_rest);
}

/// However slowly: in an engine, a body below some speed may fall asleep.
#[test]
fn a_car_on_ground_that_creeps_stays_awake() {
    let mut world = asleep();
    world.body.asleep = false;
    world.run(1.0);
    assert!(!world.last.wake);
    world.motion = platform(Vec3::X * 1e-4);
    world.run(1.0);
    assert!(world.last.wake);
}
