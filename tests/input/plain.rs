//! Settings and states of input logic as files.

use core::fmt::Debug;

use jounce::core::{Checked, GearCommand};
use jounce::input::{
    AutoReverse, CarHands, CarKeys, CarSmoothing, CounterSteer, ReverseSpeeds, TankHands, TankKeys,
    TankMode, TankRates, TankSmoothing,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn goes_round<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
    let toml = toml::to_string(value).unwrap();
    assert_eq!(toml::from_str::<T>(&toml).unwrap(), *value, "{toml}");
}

#[test]
fn settings_and_states_go_through_files() {
    goes_round(&CarSmoothing::physx_keys());
    goes_round(&TankSmoothing {
        rates: TankRates::PHYSX_SAMPLE,
        mode: TankMode::Special,
    });
    goes_round(&ReverseSpeeds::PHYSX);
    goes_round(&CounterSteer {
        gain: 2.5,
        tolerance: 0.05,
        limit: 1.0,
    });
    goes_round(&AutoReverse { held: true });
    goes_round(&TankKeys {
        gear: GearCommand::Up,
        ..TankKeys::FREE
    });
    goes_round(&TankHands {
        thrust: [0.25, -0.5],
        ..TankHands::default()
    });
}

#[test]
fn hands_go_on_as_if_they_had_never_been_saved() {
    let smoothing = Checked::new(CarSmoothing::physx_keys()).unwrap();
    let seen = jounce::core::VehicleReport::STANDING;
    let keys = CarKeys {
        throttle: true,
        left: true,
        ..CarKeys::FREE
    };
    let mut hands = CarHands::default();
    hands.press(&smoothing, &keys, &seen, 0.1).unwrap();
    let json = serde_json::to_string(&hands).unwrap();
    let mut loaded: CarHands = serde_json::from_str(&json).unwrap();
    assert_eq!(
        loaded.press(&smoothing, &keys, &seen, 0.1),
        hands.press(&smoothing, &keys, &seen, 0.1)
    );
}

#[test]
fn unknown_settings_are_refused() {
    let mut toml = toml::to_string(&CarSmoothing::physx_pad()).unwrap();
    toml = toml.replace("sharpness", "sharpnes");
    let error = toml::from_str::<CarSmoothing>(&toml).unwrap_err();
    assert!(error.to_string().contains("sharpnes"), "{error}");
}
