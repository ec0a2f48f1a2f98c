//! Cars that fall asleep and wake.

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Gear, GearCommand, SurfaceType, TireType};
use proving_ground::world::WorldKind;
use rstest::rstest;
use vehicle_conformance::stability::{Scene, Stage, steps};

use super::{BRAKED, FREE, RATE, car, stage};

/// A car that has been braked until its body sleeps.
fn asleep(world: WorldKind, name: &str, scene: &Scene) -> Stage {
    asleep_with(world, name, scene, &BRAKED)
}

/// A car that has been given this command until its body sleeps.
fn asleep_with(world: WorldKind, name: &str, scene: &Scene, command: &CarCommand) -> Stage {
    let scene = Scene {
        sleeps: true,
        ..*scene
    };
    let mut stage = stage(world, &car(name), &scene);
    for _ in 0..steps(6.0, RATE) {
        stage.step(command).unwrap();
        if stage.body().unwrap().asleep {
            return stage;
        }
    }
    panic!("{world:?}: the parked {name} did not fall asleep within 6 s");
}

/// A sleeping car does not move at all, and keeps its holding forces.
#[test]
fn a_parked_car_sleeps_and_stays() {
    for &world in WorldKind::all() {
        for name in vehicle_conformance::stability::CARS {
            let mut stage = asleep(world, name, &Scene::nose_down(20.0));
            let holds = |stage: &Stage| {
                let wheels = stage.vehicle.state().wheels.iter();
                let held = wheels.map(|w| (w.grip, w.normal_force));
                (stage.body().unwrap(), held.collect::<Vec<_>>())
            };
            let before = holds(&stage);
            stage.run(5.0, &BRAKED).unwrap();
            assert_eq!(holds(&stage), before, "{world:?} {name}");
        }
    }
}

/// `Profile::brakes_wake`: a change of the brakes wakes it, and it rolls within the same step.
#[test]
fn a_sleeping_car_that_is_released_rolls_in_the_first_step() {
    for &world in WorldKind::all() {
        for name in vehicle_conformance::stability::CARS {
            let scene = Scene::nose_down(10.0);
            let mut stage = asleep(world, name, &scene);
            let stood = stage.position().unwrap();
            stage.step(&FREE).unwrap();
            assert!(!stage.body().unwrap().asleep, "{world:?} {name}");
            let wheels = (0..4).map(|n| stage.vehicle.wheel_report(n));
            let rolling: f32 = wheels.map(|w| w.rolling_resistance / w.loaded_radius).sum();
            let resisted = rolling / stage.body().unwrap().mass;
            let ideal = (9.81 * libm::sinf(10_f32.to_radians()) - resisted) / RATE;
            let speed = stage.velocity().dot(scene.downhill());
            // Wheels on soft carcasses turn a step later.
            assert!(speed > 0.8 * ideal, "{world:?} {name}: {speed} of {ideal}");
            assert!(stage.position().unwrap() != stood, "{world:?} {name}");
        }
    }
}

/// `Drivetrain::requests_motion`: throttle, steering and gears wake it.
#[test]
fn a_sleeping_car_wakes_on_a_command() {
    let commands = [
        CarCommand {
            throttle: 1.0,
            ..FREE
        },
        CarCommand {
            steer: 0.3,
            ..BRAKED
        },
        CarCommand {
            gear: GearCommand::Up,
            ..BRAKED
        },
    ];
    for &world in WorldKind::all() {
        for command in commands {
            let scene = Scene {
                gear: Gear::FIRST,
                ..Scene::LEVEL
            };
            let mut stage = asleep(world, "sedan", &scene);
            stage.step(&command).unwrap();
            assert!(!stage.body().unwrap().asleep, "{world:?} {command:?}");
            if command.throttle > 0.0 {
                assert!(stage.velocity().x > 1e-3, "{world:?}: {}", stage.velocity());
            }
        }
    }
}

/// A sleeping car wakes when its ground begins to move, and moves with it.
#[test]
fn a_sleeping_car_wakes_with_its_ground() {
    for &world in WorldKind::all() {
        let scene = Scene {
            platform: Some(DVec3::Z),
            ..Scene::LEVEL
        };
        let mut stage = asleep(world, "sedan", &scene);
        let platform = stage.platform.unwrap();
        for _ in 0..steps(5.0, RATE) {
            stage.step(&BRAKED).unwrap();
            let asleep = stage.body().unwrap().asleep;
            assert!(asleep, "{world:?}: woken by a platform that stands");
        }
        let slow = Vec3::new(0.02, 0.01, 0.0);
        stage
            .world
            .set_platform_velocity(platform, slow, Vec3::ZERO)
            .unwrap();
        stage.step(&BRAKED).unwrap();
        assert!(!stage.body().unwrap().asleep, "{world:?}");
        stage.run(2.0, &BRAKED).unwrap();
        let speed = stage.velocity();
        assert!(speed.distance(slow) < 1e-3, "{world:?}: {speed}");
    }
}

/// A change that would move an awake car wakes a sleeping one, which then moves as far: the vehicle is told, not its body.
#[rstest]
#[case::clutch(FREE, |stage: &mut Stage| {
    stage.run(2.0, &CarCommand { clutch: 1.0, ..FREE }).unwrap();
})]
#[case::neutral(FREE, |stage: &mut Stage| {
    stage.step(&CarCommand { gear: GearCommand::Engage(Gear::NEUTRAL), ..FREE }).unwrap();
    stage.run(2.0, &FREE).unwrap();
})]
#[case::gear_of_the_state(FREE, |stage: &mut Stage| {
    stage.vehicle.state_mut().drive.force_gear(Gear::NEUTRAL);
    stage.run(2.0, &FREE).unwrap();
})]
#[case::ice(BRAKED, |stage: &mut Stage| {
    stage.surfaces.set_friction(SurfaceType(0), TireType(0), 0.1).unwrap();
    stage.run(2.0, &BRAKED).unwrap();
})]
#[case::gravity(BRAKED, |stage: &mut Stage| {
    stage.gravity = glam::Quat::from_rotation_y(0.6) * stage.gravity;
    stage.run(2.0, &BRAKED).unwrap();
})]
fn what_moves_an_awake_car_moves_a_sleeping_one(
    #[case] held: CarCommand,
    #[case] cause: fn(&mut Stage),
    #[values("sedan", "truck")] name: &str,
) {
    for &world in WorldKind::all() {
        let scene = Scene {
            gear: Gear::FIRST,
            engine_off: true,
            sleeps: true,
            ..Scene::nose_down(20.0)
        };
        let way = |mut stage: Stage| {
            let stood = stage.position().unwrap();
            cause(&mut stage);
            stage.position().unwrap().distance(stood)
        };
        let woken = way(asleep_with(world, name, &scene, &held));
        let mut awake = stage(
            world,
            &car(name),
            &Scene {
                sleeps: false,
                ..scene
            },
        );
        awake.run(6.0, &held).unwrap();
        let awake = way(awake);
        assert!(awake > 1.0, "{world:?}: {awake}");
        assert!(
            (woken - awake).abs() < 0.01 * awake,
            "{world:?}: {woken} {awake}"
        );
    }
}

/// An autobox that waits for its latency, and a change of gears, go on: a body is put to sleep after both.
#[test]
fn a_car_whose_gears_change_is_not_put_to_sleep() {
    let third = Scene {
        gear: Gear(3),
        ..Scene::nose_down(20.0)
    };
    let automatic = CarCommand {
        automatic: true,
        ..BRAKED
    };
    for &world in WorldKind::all() {
        for name in ["sedan", "truck"] {
            let mut stage = asleep(world, name, &third);
            stage.step(&automatic).unwrap();
            let mut slept = (0..steps(20.0, RATE)).filter(|_| {
                stage.step(&automatic).unwrap();
                stage.body().unwrap().asleep
            });
            assert!(slept.next().is_some(), "{world:?} {name}: awake after 20 s");
            let drive = stage.vehicle.state().drive;
            let gears = (drive.gear, drive.target_gear);
            assert_eq!(gears, (Gear::FIRST, Gear::FIRST), "{world:?} {name}");
        }
    }
}
