//! Random scenarios: every update of our own drives follows from the recorded state before it, in a mirror, too, and in
//! other units.

mod mirror;
mod units;

use std::env;

use proving_ground::scenario::{Replay, Scenario, random};
use proving_ground::world::WorldKind;
use serde_json::Value;
use vehicle_conformance::harness::Trial;

use crate::traces;

/// Environment variables: how many scenarios are driven, and of which seed.
const COUNT: (&str, u64) = ("JOUNCE_SCENARIOS", 24);
const SEED: (&str, u64) = ("JOUNCE_SCENARIOS_SEED", 1);
/// Length of a drive.
const FRAMES: usize = 90;

/// One trial per scenario.
pub(crate) fn trials() -> Vec<Trial> {
    let number = |(name, default): (&str, u64)| {
        let set = env::var(name).ok();
        set.map_or(default, |text| {
            text.parse()
                .unwrap_or_else(|error| panic!("{name}: {error}"))
        })
    };
    let seed = number(SEED);
    let trial = |n: u64| Trial::new(format!("random {seed} {n}"), move || check(seed, n));
    (0..number(COUNT)).map(trial).collect()
}

fn check(seed: u64, number: u64) -> Result<(), String> {
    let header = random(seed, number, FRAMES);
    let scenario = Scenario::from_header(&header, "random").map_err(|error| error.to_string())?;
    let frames = driven(&scenario)?;
    if units::is_alike(&header, &scenario) {
        units::compare(&scenario, &frames)?;
    }
    single("own", &header, &frames)?;
    if mirror::is_symmetric(&header) {
        let (image, frames) = mirror::image(&header, &scenario, &frames)?;
        single("mirrored", &image, &frames)?;
    }
    Ok(())
}

/// The frames of our drive, as a file has them.
fn driven(scenario: &Scenario) -> Result<Vec<Value>, String> {
    let replay = Replay::new(scenario, WorldKind::Standalone);
    let mut replay = replay.map_err(|error| error.to_string())?;
    let mut frames = Vec::new();
    while let Some(frame) = replay.next() {
        let frame = frame.map_err(|error| format!("frame {}: {error}", frames.len()))?;
        let frame = serde_json::to_value(frame).map_err(|error| error.to_string())?;
        if let Some(key) = traces::not_finite(&frame) {
            return Err(format!("frame {}: {key} is not finite", frames.len()));
        }
        frames.push(traces::as_recorded(frame, scenario, replay.vehicle_mut()));
    }
    Ok(frames)
}

/// Compares every update with the frames.
fn single(what: &str, header: &Value, frames: &[Value]) -> Result<(), String> {
    let lines = traces::compare_updates(what, header, frames)?;
    let failed: Vec<String> = lines
        .iter()
        .filter(|line| !line.holds())
        .map(ToString::to_string)
        .collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n{header}", failed.join("\n")))
    }
}
