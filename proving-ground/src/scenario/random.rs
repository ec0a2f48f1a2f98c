//! Headers of random scenarios, of every kind that the reader knows.

mod dice;
mod body;
mod engine;
mod legacy;
mod vehicle2;

use serde_json::Value;

use dice::Dice;

/// The header of scenario `number` of a `seed`, of `frames` frames: the same on every machine. Types of vehicles follow
/// one another, the rest is drawn: parameters, ground, driver, start.
#[must_use]
pub fn random(seed: u64, number: u64, frames: usize) -> Value {
    let mut dice = Dice::new(seed, number);
    let name = format!("random_{seed}_{number}");
    let types = legacy::TYPES.len() + vehicle2::DRIVES.len();
    let kind = (number % types as u64) as usize;
    match kind.checked_sub(legacy::TYPES.len()) {
        None => legacy::header(&mut dice, &name, legacy::TYPES[kind], frames),
        Some(drive) => vehicle2::header(&mut dice, &name, vehicle2::DRIVES[drive], frames),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn every_random_scenario_can_be_read() {
        for number in 0..400 {
            let header = random(7, number, 60);
            if let Err(refused) = Scenario::from_header(&header, "random") {
                panic!("{number}: {refused}\n{header}");
            }
        }
    }

    #[test]
    fn a_seed_and_a_number_always_give_the_same_scenario() {
        assert_eq!(random(3, 5, 60), random(3, 5, 60));
        assert_ne!(random(3, 5, 60), random(3, 13, 60));
        assert_ne!(random(3, 5, 60), random(4, 5, 60));
    }

    /// Words that a scenario may have, of which each must be drawn.
    #[test]
    fn every_kind_is_drawn() {
        let headers: Vec<Value> = (0..600).map(|number| random(1, number, 60)).collect();
        let drawn = |pointer: &str, word: &str| {
            let word = Value::from(word);
            let found = headers.iter().any(|h| h.pointer(pointer) == Some(&word));
            assert!(found, "{pointer} {word}");
        };
        for (pointer, words) in [
            (
                "/vehicle/type",
                &["Drive4W", "DriveNW", "DriveTank", "NoDrive"] as &[&str],
            ),
            (
                "/ground/kind",
                &["plane", "mesh", "hf", "curb", "wall", "capsules"],
            ),
            (
                "/query",
                &["raycast", "sweep_blocking", "sweep_nonblocking_8hits"],
            ),
            (
                "/update_mode",
                &[
                    "VELOCITY_CHANGE",
                    "ACCELERATION",
                    "APPLY_VELOCITY",
                    "APPLY_ACCELERATION",
                ],
            ),
            ("/three_wheel", &["none", "tadpole", "delta"]),
            ("/smoothing", &["none", "key", "pad"]),
            ("/tank_mode", &["STANDARD", "SPECIAL"]),
            (
                "/vehicle/clutch/accuracy_mode",
                &["best_possible", "estimate"],
            ),
            (
                "/vehicle/differential/type",
                &[
                    "LS_4WD",
                    "LS_FRONTWD",
                    "LS_REARWD",
                    "OPEN_4WD",
                    "OPEN_FRONTWD",
                    "OPEN_REARWD",
                ],
            ),
            ("/drivetrain", &["engine", "direct"]),
            ("/params/jounce_type", &["raycast", "sweep"]),
            ("/params/diff_type", &["four_wheel", "multi_wheel", "tank"]),
        ] {
            words.iter().for_each(|word| drawn(pointer, word));
        }
        for flags in 0..8 {
            let has = |h: &Value| h.pointer("/vehicle/wheels_sim_flags") == Some(&flags.into());
            assert!(headers.iter().any(has), "flags {flags}");
        }
    }
}
