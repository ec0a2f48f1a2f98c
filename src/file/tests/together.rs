//! Missing keys and bad values are reported together, and faults that follow from a missing key are not.

use toml::{Table, Value};

use super::{Car, FileError, SEDAN, rstest};
use crate::file::path::{find, is_within, replace};
use crate::presets;

/// The faults of a text, each without its line.
fn faults_of(text: &str) -> Vec<String> {
    match Car::parse(text, "car.toml") {
        Ok(_) => Vec::new(),
        Err(FileError::Invalid { faults, .. }) => faults
            .iter()
            .map(|placed| placed.fault.to_string())
            .collect(),
        Err(other) => panic!("{other}"),
    }
}

const NO_ENGINE: (&str, &str) = ("[drivetrain.engine]", "[drivetrain.motor]");
const NO_TIRES: (&str, &str) = ("[tires.street]", "[tyres.street]");
const NO_MASS: (&str, &str) = ("mass = 1500.0", "");
const WIDTH: (&str, &str) = ("width = 0.205", "width = -0.2");
const BAD_WIDTH: &str = "axles[0].width = -0.2 m: must be finite and > 0";

/// Beside what is missing stands what is bad.
#[rstest]
#[case::a_number(&[NO_MASS, WIDTH], &["chassis.mass = nothing: must be given", BAD_WIDTH])]
#[case::of_the_same_table(&[NO_MASS, ("inertia = [", "inertia = [-")],
    &["chassis.mass = nothing: must be given", "chassis.inertia = [-"])]
#[case::a_table(&[("[chassis]", "[body]"), WIDTH],
    &["chassis = nothing: must be given", "body = ", BAD_WIDTH])]
#[case::tires(&[NO_TIRES, WIDTH], &["tires = nothing: must be given", "tyres = ", BAD_WIDTH])]
#[case::an_engine(&[NO_ENGINE, ("final_ratio = ", "final_ratio = -"), WIDTH],
    &["drivetrain.engine = nothing: must be given", "drivetrain.motor = ", "drivetrain.gearbox.final_ratio = -", BAD_WIDTH])]
#[case::a_name(&[("profile = \"default\"", ""), WIDTH], &["profile = nothing: must be given", BAD_WIDTH])]
#[case::of_another_type(&[("schema = 4", "schema = 4\nchassis = 3"), ("[chassis]", "[body]"), WIDTH],
    &["chassis = 3: must be a table", "body = ", BAD_WIDTH])]
#[case::a_load_on_no_mass(&[NO_MASS, ("[chassis]", "[coupling]\nposition = [0.0, 0.0, 0.4]\nload = nan\n[chassis]")],
    &["chassis.mass = nothing: must be given", "coupling.load = "])]
fn missing_and_bad_are_told_together(#[case] edits: &[(&str, &str)], #[case] expected: &[&str]) {
    let mut text = SEDAN.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "the sedan has {from:?}");
        text = text.replacen(from, to, 1);
    }
    let found = faults_of(&text);
    let told = |start: &&str| found.iter().any(|fault| fault.starts_with(*start));
    assert!(expected.iter().all(told), "{found:#?}");
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

/// Parameters of a tire are read as all others are.
#[rstest]
#[case::missing("model = \"linear\"\nslip_stiffness = -1.0\ncamber_stiffness = 0.5\ntrail = 0.03",
    &["cornering_stiffness = nothing: must be given", "slip_stiffness = -1"])]
#[case::two_missing("model = \"linear\"\ntrail = -0.5",
    &["slip_stiffness = nothing: must be given", "cornering_stiffness = nothing: must be given",
      "camber_stiffness = nothing: must be given"])]
#[case::misspelt("model = \"linear\"\nslip_stifness = 8.0\ncornering_stiffness = \"stiff\"\ncamber_stiffness = 0.5\ntrail = 0.03",
    &["slip_stifness = 8.0: unknown key, did you mean slip_stiffness?", "slip_stiffness = nothing: must be given",
      "cornering_stiffness = \"stiff\": must be a number"])]
fn all_faults_of_a_tire_are_told(#[case] tire: &str, #[case] expected: &[&str]) {
    let (before, after) = SEDAN.split_once("[tires.street]").unwrap();
    let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
    let found = faults_of(&format!("{before}[tires.street]\n{tire}\n\n{rest}"));
    for start in expected {
        let start = format!("tires.street.{start}");
        assert!(
            found.iter().any(|fault| fault.starts_with(&start)),
            "{start}: {found:#?}"
        );
    }
    assert!(
        found.iter().all(|fault| fault.starts_with("tires.street.")),
        "{found:#?}"
    );
}

/// Every path to a key of a value.
fn paths(value: &Value, at: &str, all: &mut Vec<String>) {
    let mut go = |path: String, part: &Value| {
        paths(part, &path, all);
        all.push(path);
    };
    match value {
        Value::Table(table) => {
            let dot = if at.is_empty() { "" } else { "." };
            table
                .iter()
                .for_each(|(key, part)| go(format!("{at}{dot}{key}"), part));
        }
        Value::Array(list) => {
            let parts = list.iter().enumerate();
            parts.for_each(|(n, part)| paths(part, &format!("{at}[{n}]"), all));
        }
        _ => {}
    }
}

/// Whichever key of whichever preset is missing: if it must be given, that is said, nothing is said that only follows
/// from it, and a bad value elsewhere is reported all the same.
#[test]
fn no_missing_key_hides_a_bad_value_or_brings_forth_others() {
    const BAD: &str = "axles[0].width";
    let mut needed = 0;
    for (name, text) in presets::FILES {
        let file: Table = text.parse().unwrap();
        let (whole, mut all) = (Value::Table(file), Vec::new());
        paths(&whole, "", &mut all);
        // `model` and `schema` say what is to be read at all.
        let read = |path: &&String| !path.ends_with("model") && *path != "schema";
        for path in all.iter().filter(read) {
            let mut value = whole.clone();
            assert!(replace(&mut value, path, None), "{name}: {path}");
            let missing = format!("{path} = nothing: must be given");
            let found = faults_of(&toml::to_string(&value).unwrap());
            if !found.contains(&missing) {
                continue;
            }
            needed += 1;
            assert_eq!(found, [missing.as_str()], "{name} without {path}");
            if is_within(BAD, path) {
                continue;
            }
            replace(&mut value, BAD, Some(Value::Float(-0.3)));
            let found = faults_of(&toml::to_string(&value).unwrap());
            assert!(
                find(&value, BAD).is_some() && found.len() == 2,
                "{name} without {path}: {found:#?}"
            );
            assert!(found.contains(&missing));
            assert!(
                found.iter().any(|fault| fault.starts_with(BAD)),
                "{found:#?}"
            );
        }
    }
    assert!(needed > 1000, "{needed}");
}

/// A fault that follows from an impossible number is not reported beside it.
#[rstest]
#[case::place(&[("x = 1.36", "x = nan")], &["axles[0].x = NaN m: must be finite"])]
#[case::center(&[("center_of_mass = [0.14,", "center_of_mass = [nan,")], &["chassis.center_of_mass = [NaN, "])]
#[case::hull(&[("size = [4.6,", "size = [nan,")], &["chassis.hull.size = [NaN, 1.82, 1.05] m: must be finite and > 0"])]
#[case::flat_hull(&[("size = [4.6,", "size = [0.0,")], &["chassis.hull.size = [0, "])]
#[case::area(&[("area = 2.15", "area = 0.0"), ("radius = 0.33 ", "radius = nan ")],
    &["aerodynamics.area = 0 m²: must be", "axles[0].radius = NaN m: must be"])]
#[case::beside_others(&[("x = 1.36", "x = nan"), ("area = 2.15", "aera = 2.15")],
    &["axles[0].x = NaN m", "aerodynamics.aera = 2.15: unknown key", "aerodynamics.area = nothing: must be given"])]
fn what_follows_from_an_impossible_number_is_not_told(
    #[case] edits: &[(&str, &str)],
    #[case] expected: &[&str],
) {
    let (_, sedan) = presets::FILES[0];
    let mut text = sedan.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "the sedan has {from:?}");
        text = text.replacen(from, to, 1);
    }
    let found = faults_of(&text);
    let told = |start: &&str| found.iter().any(|fault| fault.starts_with(*start));
    assert!(expected.iter().all(told), "{found:#?}");
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn a_byte_order_mark_is_none_of_a_vehicle() {
    let (name, text) = presets::FILES[0];
    let marked = Car::parse(&format!("\u{feff}{text}"), name).unwrap();
    assert_eq!(marked.spec(), Car::parse(text, name).unwrap().spec());
}
