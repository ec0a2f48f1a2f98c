//! Driver aids of a file: their order, their faults, and that they survive documents.

use super::*;
use crate::document::{Document, Registries};

const AIDS: &str =
    "\n[aids.abs]\nslip = 'best'\n[aids.stability-control]\nyaw_gain = 12.0\n[aids.hill-hold]\n";

fn names(car: &Car) -> Vec<String> {
    let model = car.model();
    model
        .aids()
        .iter()
        .map(|aid| aid.name().to_owned())
        .collect()
}

#[test]
fn a_car_has_the_aids_of_its_file_in_their_order() {
    let car = Car::parse(&format!("{SEDAN}{AIDS}"), "sedan.toml").unwrap();
    let order = ["hill-hold", "stability-control", "abs"];
    assert_eq!(names(&car), order);
    assert!(names(&presets::sedan()).is_empty());
    let stability = car.spec().aids.stability_control.unwrap();
    assert_eq!((stability.yaw_gain, stability.grip), (12.0, 0.9));
    let without = car.with("aids.abs.slip", 0.2).unwrap();
    assert_eq!(names(&without), order);
    let models = Registries::with_builtins();
    let params = VehicleParams::clone(car.model().params());
    assert_eq!(names(&car.with_params(&models, params).unwrap()), order);
}

#[test]
fn aids_survive_documents() {
    let car = Car::parse(&format!("{SEDAN}{AIDS}"), "sedan.toml").unwrap();
    let document = Document(car.spec().clone());
    let text = toml::to_string(&document).unwrap();
    let from_text: Document<VehicleSpec> = toml::from_str(&text).unwrap();
    let json = serde_json::to_string(&document).unwrap();
    let from_json: Document<VehicleSpec> = serde_json::from_str(&json).unwrap();
    let bytes = postcard::to_allocvec(&document).unwrap();
    let from_bytes: Document<VehicleSpec> = postcard::from_bytes(&bytes).unwrap();
    for read in [from_text, from_json, from_bytes] {
        assert_eq!(read, document);
        let model = read.0.build(&Registries::with_builtins()).unwrap();
        assert_eq!(model.aids().len(), 3);
    }
}

#[test]
fn every_fault_of_aids_is_reported_with_its_line() {
    let aids = "\n[aids.abs]\nslip = 1.5\nfill_rate = -1.0\n[aids.traction-control]\nbreak = 3.0\n[aids.hill-hold]\nduration = 'long'\n[aids.valve-abs]\n";
    let text = format!("{SEDAN}{aids}");
    let error = Car::parse(&text, "sedan.toml").unwrap_err().to_string();
    for (key, fault) in [
        ("slip = 1.5", "aids.abs.slip = 1.5: must be > 0 and < 1"),
        (
            "fill_rate = -1.0",
            "aids.abs.fill_rate = -1 N·m/s: must be finite and > 0",
        ),
        ("break = 3.0", "aids.traction-control.break = "),
        (
            "duration = 'long'",
            "aids.hill-hold.duration = \"long\": must be a number",
        ),
        (
            "[aids.valve-abs]",
            "aids.valve-abs = given: must be left out beside abs",
        ),
    ] {
        let line = line_of(&text, key);
        assert!(
            error.contains(&format!("sedan.toml:{line}: {fault}")),
            "{fault}\n{error}"
        );
    }
}

#[rstest]
#[case::solver("solver = \"rows\"", "solver = \"explicit\"", "aids need solver")]
#[case::bodies(
    "solver = \"rows\"",
    "solver = \"rows\"\nwheels = \"rigid\"",
    "wheels that are bodies"
)]
fn aids_need_wheels_that_they_reach(#[case] from: &str, #[case] to: &str, #[case] rule: &str) {
    let text = format!("{SEDAN}{AIDS}").replacen(from, to, 1);
    let error = Car::parse(&text, "sedan.toml").unwrap_err().to_string();
    assert!(
        error.contains("aids = given: ") && error.contains(rule),
        "{error}"
    );
}
