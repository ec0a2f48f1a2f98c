//! Numbers that no vehicle has.

use super::proposals::{found, numbers};
use super::*;

fn told(car: &Car, rule: &str) -> Option<Finding> {
    found(car, rule, "")
}

/// The default sedan with a coefficient of its tires' Magic Formula.
fn on_tires(coefficient: &str) -> Car {
    let text = presets::FILES[0].1;
    let preset = "preset = \"sedan-245-40-r18\"";
    let changed = text.replace(
        preset,
        &format!("{preset}\ncoefficients = {{ {coefficient} }}"),
    );
    Car::parse(&changed, "car.toml").unwrap()
}

#[test]
fn a_chassis_lighter_than_its_wheels_is_told_by_that_name() {
    let car = |mass: f64, front: f64, rear: f64| {
        sedan_with(&[
            ("mass = 1500.0", &format!("mass = {mass:?}")),
            ("mass = 22.0", &format!("mass = {front:?}")),
            ("mass = 20.0", &format!("mass = {rear:?}")),
        ])
    };
    let light = told(&car(70.0, 22.0, 20.0), "wheel-masses").unwrap();
    assert_eq!(light.severity, Error);
    assert!(
        light
            .found
            .contains("the chassis is lighter than its wheels"),
        "{light}"
    );
    let proposed = numbers(&light.proposal);
    assert_eq!(told(&car(proposed[0], 22.0, 20.0), "wheel-masses"), None);
    assert_eq!(
        told(&car(70.0, proposed[1], proposed[1]), "wheel-masses"),
        None
    );
}

#[test]
fn a_center_of_mass_outside_the_wheels_is_told_by_that_name() {
    let masses = [
        (
            FRONT_SPRING,
            "stiffness = 27500.0, damping = 2600.0, sprung_mass = 375.0",
        ),
        (
            REAR_SPRING,
            "stiffness = 26000.0, damping = 2300.0, sprung_mass = 375.0",
        ),
    ];
    let car = |center: &str| {
        let center = format!("center_of_mass = [{center}]");
        sedan_with(
            &[
                &masses[..],
                &[("center_of_mass = [0.14, 0.0, 0.54]", &center)],
            ]
            .concat(),
        )
    };
    let outside = told(&car("1.5, 0.0, 0.54"), "center-of-mass").unwrap();
    assert!(
        outside.severity == Error && outside.found.contains("outside the wheels"),
        "{outside}"
    );
    let inside = numbers(&outside.proposal);
    let inside = inside
        .iter()
        .map(f64::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    assert_eq!(told(&car(&inside), "center-of-mass"), None);
    let below = told(&car("0.0, 0.0, -0.1"), "center-of-mass").unwrap();
    assert_eq!(
        (below.severity, below.found.as_str()),
        (Note, "0.10 m below the ground")
    );
    let above = format!("0.0, 0.0, {}", numbers(&below.proposal)[0]);
    assert_eq!(told(&car(&above), "center-of-mass"), None);
}

#[test]
fn gears_for_any_speed_are_told() {
    let car =
        |ratio: f64| sedan_with(&[("final_ratio = 4.05", &format!("final_ratio = {ratio:?}"))]);
    let fast = told(&car(0.4), "top-speed").unwrap();
    // 680 rad/s over 0.7 × 0.4, on wheels of 0.32 m.
    assert!(
        (numbers(&fast.found)[1] - 680.0 / 0.28 * 0.32 * 3.6).abs() < 1.0,
        "{fast}"
    );
    assert_eq!(told(&car(numbers(&fast.proposal)[0]), "top-speed"), None);
    let slow = told(&car(40.5), "top-speed").unwrap();
    assert_eq!(told(&car(numbers(&slow.proposal)[0]), "top-speed"), None);
}

/// Lengths and speeds in other units are reported with their values in SI.
#[rstest]
#[case::millimeters("length-scale", &[("x = 1.36", "x = 1360.0"), ("x = -1.36", "x = -1360.0")], "2.72 m, if it is in mm")]
#[case::centimeters("length-scale", &[("track = 1.56", "track = 156.0")], "1.56 m, if it is in cm")]
#[case::rpm("top-speed", &[("max_speed = 680.0", "max_speed = 6500.0")], "max_speed = 681 rad/s, if it is in rpm")]
#[case::tons("wheel-masses", &[("mass = 1500.0", "mass = 1.5")], "chassis.mass = 1500, if 1.50 is in t")]
#[case::newtons_per_millimeter(
    "carries-the-car",
    &[("stiffness = 27500.0", "stiffness = 27.5")],
    "27500 N/m, if 27.5 is in N/mm"
)]
#[case::radians("steers", &[("max_deg = 36.0", "max_deg = 0.63")], "max_deg = 36: it is in degrees")]
fn other_units_are_recognized(
    #[case] rule: &str,
    #[case] changes: &[(&str, &str)],
    #[case] proposal: &str,
) {
    let finding = told(&sedan_with(changes), rule).unwrap();
    assert!(finding.proposal.contains(proposal), "{finding}");
}

/// Cases with their message, and with the coefficient that remedies them.
#[rstest]
#[case::grip("LMUY = 9.0", "peak friction 7.", "LMUY = 1.0")]
#[case::in_other_units("FNOMIN = 4.5", "peak friction ", "FNOMIN = 4500.0")]
#[case::reversed("PKY1 = 20.0", "N to the left as it slips to the left", "PKY1 = -20.0")]
#[case::drives_backward("PKX1 = -25.0", "N forward as it brakes", "PKX1 = 25.0")]
#[case::faster_than_its_rims(
    "PHX1 = 0.5",
    "rolls freely at a slip ratio of -0.50: the car is 2.0 times",
    "PHX1 = 0.0"
)]
#[case::never_free("PHX1 = 0.95", "rolls freely at no slip ratio", "PHX1 = 0.0")]
fn a_tire_that_is_none_is_told(#[case] fault: &str, #[case] what: &str, #[case] cure: &str) {
    let finding = told(&on_tires(fault), "tire-forces").unwrap();
    assert!(
        finding.severity == Error && finding.found.contains(what),
        "{finding}"
    );
    let key = cure.split(' ').next().unwrap();
    assert!(finding.proposal.contains(key), "{finding}");
    assert_eq!(told(&on_tires(cure), "tire-forces"), None);
}

#[test]
fn the_default_sedan_has_no_finding() {
    let findings = lint(&presets::sedan(), DT).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
}
