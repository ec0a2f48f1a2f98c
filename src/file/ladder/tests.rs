use rstest::rstest;
use vehicle_core::params::Probe;

use super::*;
use crate::file::Car;
use crate::file::tests::sedan_uncommented;
use crate::presets;

/// The sedan on the ladder that its file shows, changed.
fn sedan(from: &str, to: &str) -> Result<Car, String> {
    sedan_uncommented("# [ladder]", from, to).map_err(|error| error.to_string())
}

#[test]
fn rungs_are_the_vehicle_but_for_what_they_say() {
    assert!(presets::sedan().ladder_in(ABLE).unwrap().is_none());
    let car = sedan("", "").unwrap();
    let ladder = car.ladder_in(ABLE).unwrap().expect("it has one");
    let [rigid, constraints, sweeps, rays, three, known, seldom] = ladder.rungs() else {
        panic!("{ladder:?}");
    };
    assert_eq!(ladder.ends(), [8.0, 16.0, 24.0, 32.0, 42.0, 54.0]);
    assert!(Arc::ptr_eq(&rays.model, &car.model()) && Arc::ptr_eq(&rigid.model, &car.model()));
    assert_eq!(
        rigid.attachments,
        Some(Attachments::of(&car.model(), 1.0).unwrap())
    );
    assert!(
        ladder.rungs()[1..]
            .iter()
            .all(|rung| rung.attachments.is_none())
    );
    let usual = car.model().params().clone();
    let strut = usual.wheels[2].suspension.constrained(1.4, 0.4);
    assert_eq!(constraints.model.params().wheels[2].suspension, strut);
    let [law, usual_law] =
        [&constraints.model, &rays.model].map(|model| format!("{:?}", model.tires()));
    assert!(law.contains("Friction") && !usual_law.contains("Friction"));
    let swept = Probe::Sweep(SweepSettings::DEFAULT);
    assert_eq!(sweeps.model.params().probe, swept);
    assert_eq!(sweeps.model.params().wheels, usual.wheels);
    let on = |rung: &Rung| {
        let wheels = rung.model.params().wheels.iter();
        wheels.map(|wheel| wheel.enabled).collect::<Vec<_>>()
    };
    assert_eq!(on(three).iter().filter(|on| **on).count(), 3);
    assert!(Arc::ptr_eq(&three.model, &known.model) && Arc::ptr_eq(&three.model, &seldom.model));
    let often = |rung: &Rung| [rung.detail.probe_every, rung.detail.update_every];
    let found = [three, known, seldom].map(often);
    assert_eq!(found, [[1, 1], [4, 1], [2, 3]]);
}

/// A car on rung 1 at 7.5 m from the camera goes back to rung 0 with a hysteresis of 0.05, and stays with 0.1.
#[test]
fn the_way_back_takes_the_files_hysteresis() {
    for (hysteresis, rung) in [("0.1", 1), ("0.05", 0), ("0.0", 0)] {
        let car = sedan("hysteresis = 0.1 ", &format!("hysteresis = {hysteresis} ")).unwrap();
        let ladder = car.ladder_in(ABLE).unwrap().unwrap();
        assert_eq!(ladder.rung_at(7.5, 1), rung, "{hysteresis}");
    }
    let car = sedan("hysteresis = 0.1 ", "").unwrap();
    assert_eq!(car.ladder.unwrap().hysteresis, 0.1);
}

#[test]
fn fewer_wheels_are_named_by_their_index() {
    let car = presets::by_name("truck-6x6").expect("a preset");
    let (_, text) = *presets::FILES
        .iter()
        .find(|(name, _)| *name == "truck-6x6")
        .unwrap();
    let with = |only: &str| {
        let rungs = format!(
            "\n[ladder]\nrungs = [{{ name = 'near', end = 50.0 }}, {{ name = 'far', only = {only} }}]\n"
        );
        Car::parse(&format!("{text}{rungs}"), "t").map_err(|error| error.to_string())
    };
    assert!(
        car.ladder_in(ABLE).unwrap().is_none(),
        "without a table, none"
    );
    let four = with("[0, 1, 4, 5]").unwrap();
    let ladder = four.ladder_in(ABLE).unwrap().unwrap();
    let params = ladder.rungs()[1].model.params().clone();
    let on: Vec<bool> = params.wheels.iter().map(|wheel| wheel.enabled).collect();
    assert_eq!(on, [true, true, false, false, true, true]);
    let fault = with("[]").unwrap_err();
    assert!(fault.contains("ladder.rungs[1].only"), "{fault}");
    let fault = with("[0, 1, 9]").unwrap_err();
    assert!(
        fault.contains("ladder.rungs[1].only = 9: must name wheels within 0..6"),
        "{fault}"
    );
}

#[rstest]
#[case::falls(
    "end = 16.0",
    "end = 7.0",
    "ladder.rungs[1].end = 7 m: must be finite and > 8, the end before"
)]
#[case::negative(
    "end = 8.0",
    "end = -1.0",
    "ladder.rungs[0].end = -1 m: must be finite and > 0"
)]
#[case::missing(", end = 24.0", "", "ladder.rungs[2].end = nothing: must be given")]
#[case::last(
    "update_every = 3 }",
    "update_every = 3 }, end = 99.0",
    "ladder.rungs[6].end = 99 m: the last rung has none"
)]
#[case::hysteresis(
    "hysteresis = 0.1 ",
    "hysteresis = 1.5 ",
    "ladder.hysteresis = 1.5: must be within 0..=1"
)]
#[case::word(
    "wheels = \"sweeps\"",
    "wheels = \"square\"",
    "ladder.rungs[2].wheels = \"square\": must be one of"
)]
#[case::rigid_far(
    "wheels = \"sweeps\"",
    "wheels = \"rigid\"",
    "ladder.rungs[2].wheels = rigid: only the nearest of several rungs may be"
)]
#[case::friction(
    "friction = 1.0",
    "friction = -1.0",
    "ladder.rungs[0].friction = -1: must be finite and >= 0"
)]
#[case::friction_of_rays(
    "name = \"rays\"",
    "name = \"rays\", friction = 1.0",
    "ladder.rungs[3].friction = 1: rigid wheels only"
)]
#[case::no_constraint(
    "constraint = { frequency = 1.4, damping_ratio = 0.4 }, ",
    "",
    "ladder.rungs[1].constraint = nothing: must be given"
)]
#[case::constraint(
    "frequency = 1.4",
    "frequency = 0.0",
    "ladder.rungs[1].constraint.frequency = 0 Hz: must be"
)]
#[case::constraint_of_rays(
    "name = \"rays\"",
    "name = \"rays\", constraint = { frequency = 1.4, damping_ratio = 0.4 }",
    "ladder.rungs[3].constraint = given: wheels = \"constraints\" only"
)]
#[case::seldom_rigid(
    "friction = 1.0",
    "detail = { probe_every = 2, update_every = 1 }",
    "ladder.rungs[0].detail = given: rigid wheels are all there"
)]
#[case::rigid_on_three(
    "friction = 1.0",
    "three_wheeler = \"delta\"",
    "ladder.rungs[0].three_wheeler = given: rigid wheels are all there"
)]
#[case::rigid_on_some(
    "friction = 1.0",
    "only = [0]",
    "ladder.rungs[0].only = given: rigid wheels are all there"
)]
#[case::both(
    "three_wheeler = \"tadpole\", end",
    "three_wheeler = \"tadpole\", only = [0], end",
    "ladder.rungs[4].only = given: or three_wheeler, not both"
)]
#[case::detail(
    "update_every = 3",
    "update_every = 4",
    "ladder.rungs[6].detail.update_every = 4: must be within 1..=3"
)]
#[case::unknown(
    "name = \"rays\"",
    "name = \"rays\", wheel = 3",
    "ladder.rungs[3].wheel = 3: unknown key, did you mean wheels"
)]
fn a_rung_that_cannot_be_is_named(#[case] from: &str, #[case] to: &str, #[case] fault: &str) {
    let text = sedan(from, to).unwrap_err();
    assert!(text.contains(fault), "{text}");
    assert_eq!(text.lines().count(), 2, "nothing else is: {text}");
}

#[test]
fn a_ladder_has_rungs() {
    let (_, text) = presets::FILES
        .iter()
        .find(|(name, _)| *name == "hatchback")
        .unwrap();
    let text = format!("{text}\n[ladder]\nrungs = []\n");
    let error = Car::parse(&text, "h").unwrap_err().to_string();
    assert!(
        error.contains("ladder.rungs = []: must not be empty"),
        "{error}"
    );
}

/// Wheels that joints cannot carry are refused where the rung is.
#[test]
fn wheels_that_cannot_be_bodies_are_refused_on_their_rung() {
    let text = {
        let (_, text) = presets::FILES[0];
        let heavy = text.replacen("mass = 22.0 ", "mass = 500.0 ", 1);
        let rungs = "\n[ladder]\nrungs = [{ name = 'near', wheels = 'rigid', end = 9.0 }, { name = 'far' }]\n";
        Car::parse(&format!("{heavy}{rungs}"), "h")
            .unwrap_err()
            .to_string()
    };
    let fault = "ladder.rungs[0].wheels = rigid: front left: is heavier than what it carries";
    assert!(text.contains(fault), "{text}");
}
