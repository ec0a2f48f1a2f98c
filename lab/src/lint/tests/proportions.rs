//! Numbers that do not suit each other, and tires that are scaled: each is told with its value and what to write.

use super::proposals::found;
use super::*;

fn told(car: &Car, rule: &str) -> Option<Finding> {
    found(car, rule, "")
}

/// A torque in another unit is told as power for the mass, with what it is in N·m; the proposal cures it.
#[rstest]
#[case::kilogram_force("23.45", " kW for 1.50 t: ", "230 N·m, if it is in kgf·m", "230.0")]
#[case::kilonewtons("0.23", " kW for 1.50 t: ", "230 N·m, if it is in kN·m", "230.0")]
#[case::ten_times(
    "2300.0",
    " kW/t",
    "N·m, if engine.max_speed is right: 80 kW/t",
    "235.0"
)]
fn an_engine_that_does_not_suit_its_car_is_told(
    #[case] torque: &str,
    #[case] what: &str,
    #[case] proposal: &str,
    #[case] cure: &str,
) {
    let car =
        |torque: &str| sedan_with(&[("peak_torque = 230.0 ", &format!("peak_torque = {torque} "))]);
    let finding = told(&car(torque), "power").unwrap();
    assert!(finding.found.contains(what), "{finding}");
    assert!(finding.wanted.contains("15 to 600 kW/t"), "{finding}");
    assert!(finding.proposal.contains(proposal), "{finding}");
    assert_eq!(told(&car(cure), "power"), None);
    assert!(
        implausible(&car(torque)).contains(&finding),
        "`jounce check` tells it, too"
    );
}

#[test]
fn a_diameter_that_is_written_as_a_radius_is_told() {
    let car = |radius: &str| sedan_with(&[("radius = 0.32 ", &format!("radius = {radius} "))]);
    let finding = told(&car("0.64"), "wheel-size").unwrap();
    assert!(
        finding
            .proposal
            .contains("radius = 0.320 m, if 0.64 m is the diameter"),
        "{finding}"
    );
    assert_eq!(told(&car("0.4"), "wheel-size"), None, "an off-roader's");
}

/// Rear wheels that steer as the front ones do, to the same side; a few degrees steady a car at speed.
#[rstest]
#[case::crab("max_deg = 36.0", Some(Note))]
#[case::counter("max_deg = 36.0, counter = true", None)]
#[case::steadies("max_deg = 5.0", None)]
fn a_car_that_moves_sideways_is_told(#[case] steering: &str, #[case] severity: Option<Severity>) {
    let rear = format!("name = \"rear\"\nsteering = {{ {steering} }}");
    let finding = told(&sedan_with(&[("name = \"rear\"", &rear)]), "crab-steering");
    assert_eq!(finding.as_ref().map(|found| found.severity), severity);
    assert!(finding.is_none_or(|found| found.proposal.contains("counter = true")));
}

/// Scales of a tire are told with the property that they change, and with their names.
#[rstest]
#[case::friction("LMUX = 0.4, LMUY = 0.4", "peak friction 0.4", "LMUY")]
#[case::cornering("LKY = 0.2", "cornering stiffness over the load 3.", "LKY")]
#[case::slip("LKX = 0.1", "slip stiffness over the load 2.", "LKX")]
fn a_scaled_tire_is_told(#[case] scales: &str, #[case] what: &str, #[case] key: &str) {
    let text = presets::FILES[0].1;
    let preset = "preset = \"sedan-245-40-r18\"";
    let changed = text.replace(preset, &format!("{preset}\ncoefficients = {{ {scales} }}"));
    let finding = told(&Car::parse(&changed, "car.toml").unwrap(), "tire-scale").unwrap();
    assert!(finding.found.contains(what), "{finding}");
    assert!(finding.proposal.contains(key), "{finding}");
}

/// Nothing that ships is out of proportion.
#[test]
fn shipped_vehicles_are_in_proportion() {
    for (name, _) in presets::FILES {
        let car = presets::by_name(name).unwrap();
        let findings = inspect(&car, DT);
        let rules = ["power", "wheel-size", "crab-steering", "tire-scale"];
        let odd = findings.iter().filter(|found| rules.contains(&found.rule));
        // The longitudinal law of PhysX's own sample is soft, in front and behind.
        let allowed = if name == "physx-snippet" { 2 } else { 0 };
        assert!(
            odd.clone().count() <= allowed,
            "{name}: {:#?}",
            odd.collect::<Vec<_>>()
        );
    }
}
