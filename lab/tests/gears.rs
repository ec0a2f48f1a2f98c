//! Gears that automatic gearboxes choose: by a light foot those that suit the speed, at full throttle the fastest ones.

use std::fs;
use std::path::PathBuf;

use jounce::core::Gear;
use jounce::drive::{AutoboxParams, EngineParams};
use jounce::file::Car;
use jounce::presets;
use proving_ground::drive::{self, Drive, DriveConditions, DrivePlan};
use proving_ground::gears::gear_reaches;
use proving_ground::sample::Sample;
use rstest::rstest;
use serde::de::DeserializeOwned;

/// A steady engine turns at most at this many times its idle speed, except in the highest gear: cars that idle at 750 1/min,
/// below 2600 1/min.
const CALM: f32 = 3.5;
/// It never turns below this many times its idle speed, except in first gear.
const LUGGING: f32 = 1.15;
/// Time for which a speed is held (`s`), and its last part, in which gears and speed are steady.
const HELD: f32 = 40.0;
const STEADY: f32 = 10.0;

/// A part of a car's drive, if it has one of this name.
fn part<T: DeserializeOwned>(car: &Car, name: &str) -> Option<T> {
    let value = car.spec().drive.0.get(name)?;
    T::deserialize(value.clone()).ok()
}

/// Names, engines and autoboxes of the shipped vehicles whose autobox knows the load.
fn automatic_cars() -> Vec<(&'static str, EngineParams, AutoboxParams)> {
    let names = presets::FILES.iter().map(|(name, _)| *name);
    let parts = names
        .filter(|name| *name != "physx-snippet")
        .filter_map(|name| {
            let car = presets::by_name(name)?;
            Some((name, part(&car, "engine")?, part(&car, "autobox")?))
        });
    parts.collect()
}

/// Drives a maneuver of these stages on a plane, for at most two minutes.
fn drive(car: &str, name: &str, stages: &str) -> Drive {
    let head =
        "schema = 1\nname = \"m\"\ndescription = \"d\"\nground = \"flat\"\nduration = 120.0\n";
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{car}-{name}.toml"));
    fs::write(&file, format!("{head}{stages}")).unwrap();
    let plan = DrivePlan {
        maneuver: Some(file.to_str().unwrap().to_owned()),
        ..DrivePlan::of(car)
    };
    drive::run(&plan, |_, _| ()).unwrap()
}

/// After a hard start, a speed is held in a gear in which the engine neither races nor lugs, and gears do not hunt.
#[rstest]
fn a_light_foot_holds_a_speed_in_a_calm_gear(#[values(30.0, 50.0, 80.0)] kilometers_per_hour: f32) {
    let speed = kilometers_per_hour / 3.6;
    let stages = format!(
        "[[stages]]\nname = \"go\"\nuntil = {{ speed_above = {speed}, time = 60.0 }}\nthrottle = 1.0\nkeep_heading = true\n\
         [[stages]]\nname = \"hold\"\nuntil = {{ time = {HELD} }}\nhold_speed = {speed}\nkeep_heading = true\n"
    );
    let mut held = 0;
    for (name, engine, autobox) in automatic_cars() {
        let drive = drive(name, &format!("{kilometers_per_hour}"), &stages);
        let end = drive.samples.last().unwrap();
        // Tractors and tanks are slower than 50 km/h.
        if end.speed < speed - 0.5 {
            continue;
        }
        held += 1;
        let steady = drive.samples.iter().filter(|s| s.time > end.time - STEADY);
        let gears: Vec<i8> = steady.map(|sample| sample.gear).collect();
        assert!(
            gears.iter().all(|gear| *gear == end.gear),
            "{name}: {gears:?}"
        );
        let turns = end.engine_speed / engine.idle_speed;
        let highest = usize::try_from(end.gear).unwrap() == autobox.up.len();
        assert!(
            highest || turns < CALM,
            "{name}: {turns} times its idle speed in gear {}",
            end.gear
        );
        assert!(
            end.gear == 1 || turns > LUGGING,
            "{name}: {turns} times its idle speed in gear {}",
            end.gear
        );
    }
    assert!(held >= 9, "{held} cars hold {kilometers_per_hour} km/h");
}

/// The whole accelerator leaves all of the thresholds: each change up starts where the vehicle's file says, or later.
#[rstest]
fn full_throttle_changes_up_at_the_speeds_of_the_file(
    #[values(
        "sedan",
        "hatchback",
        "sports-car",
        "rally-car",
        "pickup",
        "suv",
        "truck",
        "truck-6x6",
        "eighteen-wheeler",
        "tadpole"
    )]
    name: &str,
) {
    let stages =
        "[[stages]]\nname = \"go\"\nuntil = { time = 40.0 }\nthrottle = 1.0\nkeep_heading = true\n";
    let cars = automatic_cars();
    let (_, engine, autobox) = cars.iter().find(|(known, ..)| *known == name).unwrap();
    let drive = drive(name, "full", stages);
    let pressed = |pair: &&[Sample]| pair[0].command.throttle >= 1.0 && pair[0].gear > 0;
    let changes = drive.samples.windows(2).filter(pressed);
    let changes = changes.filter(|pair| pair[1].target_gear > pair[0].gear);
    let relative: Vec<f32> = changes
        .map(|pair| {
            let threshold = autobox.up[usize::try_from(pair[0].gear).unwrap() - 1];
            pair[0].engine_speed / (engine.max_speed * threshold)
        })
        .collect();
    assert!(
        !relative.is_empty() && relative.iter().all(|share| *share > 0.98),
        "{relative:?}"
    );
}

/// Gears that are requested at speed: all of them at once out of neutral, as a lever moved from N to D, and one by one
/// downward.
#[rstest]
#[case("drive", Some(Gear::NEUTRAL), "time,lever\n0,\n1,1\n4,\n")]
#[case("autobox", Some(Gear::NEUTRAL), "time,throttle\n0,0\n1,0.2\n4,0.2\n")]
#[case("first", None, "time,lever\n0,\n1,1\n4,\n")]
#[case(
    "down",
    None,
    "time,lever\n0,\n1,down\n1.5,down\n2,down\n2.5,down\n3,down\n5,\n"
)]
fn no_request_makes_an_engine_turn_too_fast(
    #[case] case: &str,
    #[case] gear: Option<Gear>,
    #[case] requests: &str,
) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{case}.csv"));
    fs::write(&file, requests).unwrap();
    for (name, engine, _) in automatic_cars() {
        let reaches = gear_reaches(&presets::by_name(name).unwrap().model());
        let plan = DrivePlan {
            input: Some(file.clone()),
            ground: Some("flat".parse().unwrap()),
            conditions: DriveConditions {
                speed: (0.7 * reaches.last().unwrap().speed).min(50.0),
                gear,
                ..DriveConditions::USUAL
            },
            ..DrivePlan::of(name)
        };
        let drive = drive::run(&plan, |_, _| ()).unwrap();
        let fastest = drive.samples.iter().map(|s| s.engine_speed);
        let turns = fastest.fold(0.0, f32::max) / engine.max_speed;
        assert!(turns < 1.03, "{name}: {turns} of its maximum speed");
        let end = drive.samples.last().unwrap();
        assert!(end.target_gear > 0, "{name}: gear {}", end.target_gear);
    }
}
