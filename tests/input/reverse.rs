//! Reverse with the brake pedal, in driving tests.

use jounce::core::{Checked, Gear};
use jounce::input::{AutoReverse, CarHands, CarKeys, CarSmoothing, ReverseSpeeds};
use jounce::presets;
use proving_ground::stage::{Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;

/// A driver of a sedan with keyboard controls.
struct Drive {
    stage: Stage,
    smoothing: Checked<CarSmoothing>,
    reverse: AutoReverse,
    hands: CarHands,
}

impl Drive {
    /// Holds these keys for this many seconds; returns the current or target gear and the forward
    /// speed (`m/s`). The car stands while gears change between forward and reverse.
    fn hold(&mut self, keys: CarKeys, seconds: f32) -> (Gear, f32) {
        for _ in 0..steps(seconds, RATE) {
            let seen = self.stage.vehicle.report(&self.stage.body().unwrap());
            let turns_round = seen.gear.0.signum() * seen.target_gear.0.signum() < 0;
            assert!(!turns_round || seen.forward_speed.abs() < 0.12, "{seen:?}");
            let keys = self.reverse.keys(&ReverseSpeeds::PHYSX, &keys, &seen);
            let dt = self.stage.dt;
            let command = self.hands.press(&self.smoothing, &keys, &seen, dt);
            self.stage.step(&command.unwrap()).unwrap();
        }
        let seen = self.stage.vehicle.report(&self.stage.body().unwrap());
        (seen.target_gear, seen.forward_speed)
    }
}

#[test]
fn a_sedan_goes_ahead_stops_reverses_and_goes_ahead_again() {
    let ahead = CarKeys {
        throttle: true,
        ..CarKeys::FREE
    };
    let back = CarKeys {
        brake: true,
        ..CarKeys::FREE
    };
    // On tires that hardly give: it does not rock back when it stops.
    let car = presets::benchmark_sedan();
    for &world in WorldKind::all() {
        let setup = Setup { world, car: &car };
        let mut drive = Drive {
            stage: Stage::new(&setup, &Scene::IN_FIRST, RATE).unwrap(),
            smoothing: Checked::new(car.smoothing()).unwrap(),
            reverse: AutoReverse::default(),
            hands: CarHands::default(),
        };
        let (gear, speed) = drive.hold(ahead, 2.5);
        assert!(
            gear >= Gear::FIRST && speed > 5.0,
            "{world:?}: {gear:?} {speed}"
        );
        let (gear, speed) = drive.hold(back, 5.0);
        assert!(
            gear == Gear::REVERSE && speed < -1.0,
            "{world:?}: {gear:?} {speed}"
        );
        let (gear, speed) = drive.hold(CarKeys::FREE, 0.5);
        assert!(
            gear == Gear::REVERSE && speed < -1.0,
            "{world:?}: {gear:?} {speed}"
        );
        let (gear, speed) = drive.hold(ahead, 5.0);
        assert!(
            gear >= Gear::FIRST && speed > 1.0,
            "{world:?}: {gear:?} {speed}"
        );
    }
}
