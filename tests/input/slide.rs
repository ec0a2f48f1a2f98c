//! Slides that end in a spin without counter-steer, but not with it.

use jounce::core::{CarCommand, Checked, Gear};
use jounce::input::CounterSteer;
use jounce::presets;
use proving_ground::stage::{FREE, Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Time at which the handbrake is pulled (`s`).
const FLICK: f32 = 0.5;
/// Time for which the car is watched (`s`).
const WATCH: f32 = 6.0;
/// Speed below which the direction of motion is undefined (`m/s`).
const MOVING: f32 = 3.0;
/// A car that slides further than this has spun (`°`).
const SPUN: f32 = 120.0;
/// Maximum angle of a controlled slide (`°`).
const HELD: f32 = 45.0;
/// Counter-steering for the rear-driven sports car with a maximum steering angle of 34°.
const ASSIST: CounterSteer = CounterSteer {
    gain: 2.5,
    tolerance: 0.05,
    limit: 1.0,
};

/// A corner with the throttle released, the handbrake pulled in the middle of it, and then no
/// steering: the driver does not counter the slide.
#[derive(Clone, Copy)]
struct Flick {
    /// Speed (`m/s`).
    speed: f32,
    /// Steering until the handbrake is released.
    steer: f32,
    /// Duration of the handbrake pull (`s`).
    pull: f32,
}

const FLICKS: [Flick; 6] = [
    Flick {
        speed: 25.0,
        steer: 0.1,
        pull: 0.5,
    },
    Flick {
        speed: 25.0,
        steer: 0.2,
        pull: 0.5,
    },
    Flick {
        speed: 30.0,
        steer: 0.1,
        pull: 0.6,
    },
    Flick {
        speed: 30.0,
        steer: 0.2,
        pull: 0.7,
    },
    Flick {
        speed: 20.0,
        steer: -0.3,
        pull: 0.7,
    },
    Flick {
        speed: 25.0,
        steer: -0.2,
        pull: 0.5,
    },
];

impl Flick {
    fn command(self, time: f32) -> CarCommand {
        let until = FLICK + self.pull;
        let steers = time < until;
        let pulls = time > FLICK && steers;
        CarCommand {
            steer: if steers { self.steer } else { 0.0 },
            handbrake: if pulls { 1.0 } else { 0.0 },
            ..FREE
        }
    }
}

/// Maximum and final slip angle of the car (`°`), and its final speed (`m/s`).
struct Slid {
    most: f32,
    last: f32,
    speed: f32,
}

fn drive(world: WorldKind, flick: Flick, assist: Option<CounterSteer>) -> Slid {
    let assist = assist.map(|assist| Checked::new(assist).unwrap());
    let car = presets::sports_car();
    let setup = Setup { world, car: &car };
    let scene = Scene {
        speed: flick.speed,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(&setup, &scene, RATE).unwrap();
    let mut slid = Slid {
        most: 0.0,
        last: 0.0,
        speed: 0.0,
    };
    for n in 0..steps(WATCH, RATE) {
        let command = flick.command(n as f32 / RATE);
        let command = assist.as_ref().map_or(command, |assist| {
            CounterSteer::add(assist, &command, &stage.vehicle)
        });
        stage.step(&command).unwrap();
        let seen = stage.vehicle.report(&stage.body().unwrap());
        slid.speed = seen.forward_speed.hypot(seen.lateral_speed);
        if slid.speed > MOVING {
            slid.last = libm::atan2f(seen.lateral_speed, seen.forward_speed).to_degrees();
            slid.most = slid.most.max(slid.last.abs());
        }
    }
    slid
}

#[test]
fn a_car_that_spins_by_itself_is_held_by_counter_steer() {
    for &world in WorldKind::all() {
        for flick in FLICKS {
            let Flick { speed, steer, pull } = flick;
            let told = format!("{world:?}: {speed} m/s, steer {steer}, handbrake {pull} s");
            let spun = drive(world, flick, None);
            assert!(spun.most > SPUN, "{told}: only {}°", spun.most);
            let held = drive(world, flick, Some(ASSIST));
            assert!(held.most < HELD, "{told}: {}°", held.most);
            assert!(held.last.abs() < 1.0, "{told}: {}° left", held.last);
            assert!(held.speed > 10.0, "{told}: {} m/s", held.speed);
        }
    }
}

#[test]
fn a_driver_who_does_not_slide_is_left_alone() {
    let car = presets::sports_car();
    let setup = Setup {
        world: WorldKind::Standalone,
        car: &car,
    };
    let scene = Scene {
        speed: 15.0,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(&setup, &scene, RATE).unwrap();
    let assist = Checked::new(ASSIST).unwrap();
    for n in 0..steps(2.0, RATE) {
        let command = CarCommand {
            // In a quarter of a second: front wheels that turn at once slip before the rear ones do.
            steer: 0.1 * (4.0 * n as f32 / RATE).min(1.0),
            throttle: 0.2,
            ..FREE
        };
        let assisted = CounterSteer::add(&assist, &command, &stage.vehicle);
        assert_eq!(assisted, command);
        stage.step(&command).unwrap();
    }
}
