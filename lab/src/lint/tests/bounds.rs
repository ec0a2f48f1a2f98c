//! Findings about a car at and beyond the bounds of rules, by hand.

use super::proposals::{found, numbers};
use super::*;

/// A sound car has no findings, except that a law without rolling resistance has none.
#[test]
fn a_sound_car_has_no_findings() {
    let findings = lint(&sedan_with(&[]), DT).unwrap();
    let sound = findings
        .iter()
        .all(|found| (found.severity, found.rule) == (Note, "rolling-resistance"));
    assert!(sound, "{findings:#?}");
}

/// A number at the bound of its rule, and one beside it.
#[rstest]
#[case::long_enough("autobox-latency", &[("switch_time = 0.25", "switch_time = 0.4")], &[])]
#[case::no_longer_than_a_change("autobox-latency", &[("switch_time = 0.25", "switch_time = 0.6")], &[Error])]
#[case::hunts("autobox-hunting", &[("[3.6, 2.05,", "[4.0, 2.0,"), ("[0.0, 0.38,", "[0.0, 0.44,")], &[Warning])]
#[case::hunts_not("autobox-hunting", &[("[3.6, 2.05,", "[4.0, 2.0,"), ("[0.0, 0.38,", "[0.0, 0.43,")], &[])]
#[case::full_throttle("engine-damping", &[("damping_full_throttle = 0.05", "damping_full_throttle = 0.0")], &[])]
#[case::force_point("force-point", &[("force_height = 0.36", "force_height = 0.9")], &[])]
#[case::droop("theoretical-spring", &[("max_droop = 0.10", "max_droop = 0.05")], &[])]
#[case::damped("engine-damping", &[("damping_full_throttle = 0.05", "damping_full_throttle = 1.0"),
    ("peak_torque = 230.0 ", "peak_torque = 170.0 ")], &[])]
#[case::no_bump("damping-ratio", &[("damping = 2600.0",
    "damping = { bump = { rate = 0.0 }, rebound = { rate = 4000.0 } }")], &[Warning])]
#[case::no_rebound("damping-ratio", &[("damping = 2600.0",
    "damping = { bump = { rate = 4000.0 }, rebound = { rate = 0.0 } }")], &[Warning])]
#[case::of_no_torque("torque-curve", &[("[0.55, 1.0]", "[0.55, 0.95]")], &[])]
fn bounds_are_kept(
    #[case] rule: &str,
    #[case] changes: &[(&str, &str)],
    #[case] wanted: &[Severity],
) {
    assert_eq!(severities(&sedan_with(changes), DT, rule), wanted);
}

/// Sprung mass of a front wheel (kg): half of what 1500 kg, 0.14 m ahead of the middle of 2.72 m, rest on it with.
const SPRUNG: f64 = 750.0 * (0.5 + 0.14 / 2.72);
const WEIGHT: f64 = SPRUNG * 9.81;

/// Numbers of the value, the wanted value and the proposal, in the order of the text.
#[rstest]
// Springs.
#[case("samples-per-oscillation", &[(FRONT_SPRING, "stiffness = 2e5, damping = 9000.0")],
    &[60.0 / 21.99, 1.0 / 60.0, 1.0], &[5.0], &[0.2 / 21.99])]
#[case("natural-frequency", &[(FRONT_SPRING, "stiffness = 2000.0, damping = 900.0")],
    &[0.35, 2029.0], &[0.7, 2.5, 0.8, 1.5, 2.5, 3.0, 5.0], &[39.48 * SPRUNG, 157.9 * SPRUNG])]
#[case("damping-ratio", &[(FRONT_SPRING, "stiffness = 27500.0, damping = 20000.0")],
    &[2.965, 20000.0, 20000.0], &[0.2, 1.2, 0.4, 1.2], &[0.4 * 6745.0, 6745.0])]
#[case("theoretical-spring", &[(FRONT_SPRING, PURE), ("max_droop = 0.10", "max_droop = 0.05")],
    &[1375.0, WEIGHT], &[], &[WEIGHT / 27500.0, WEIGHT / 0.05])]
#[case("carries-the-car", &[(FRONT_SPRING, "stiffness = 9000.0, damping = 1500.0")],
    &[1890.0, WEIGHT], &[], &[WEIGHT / 0.21])]
#[case("bottoms", &[("max_compression = 0.11", "max_compression = 0.02")],
    &[1.0 + 550.0 / WEIGHT], &[1.3], &[0.3 * WEIGHT / 27500.0])]
#[case("travel", &[("max_compression = 0.11", "max_compression = 0.0")],
    &[0.0], &[], &[0.096])]
#[case("force-point", &[EXPLICIT, ("force_height = 0.36", "force_height = 0.9")],
    &[0.9, 0.0], &[0.32, 0.54], &[0.375])]
// Wheels.
#[case("wheel-inertia", &[("inertia = 1.1 ", "inertia = 9.0 ")], &[9.0], &[1.126], &[1.13])]
#[case("load-filter", &[("solver = \"rows\"",
    "solver = \"rows\"\nload_filter = { min_load = 0.0, min_filtered = 0.2, max_load = 1.5, max_filtered = 3.0 }")],
    &[1.867], &[1.0], &[1.55])]
#[case("ray-start", &[("center = [0.0, 0.0, 0.78]", "center = [0.0, 0.0, 0.0]")], &[0.225], &[], &[])]
#[case("tire-force-point", &[("force_height = 0.20", "force_height = 1.2")],
    &[1.2], &[0.0, 0.54], &[0.27])]
#[case("roll-center", &[("camber_at_max_droop_deg = 0.8 }\ntire", "camber_at_max_droop_deg = 0.8 }\nlinks = { roll_center = 0.7 }\ntire")],
    &[0.7], &[0.54], &[0.08])]
#[case("length-scale", &[("radius = 0.32 ", "radius = 32.0 ")], &[32.0], &[0.02, 3.0], &[0.32])]
// Body.
#[case("inertia", &[("inertia = [560.0, 2400.0, 2650.0]", "inertia = [560.0, 900.0, 2650.0]")],
    &[900.0], &[2783.0], &[2783.0])]
#[case("clearance", &[("center = [0.0, 0.0, 0.78]", "center = [0.0, 0.0, 0.6]")],
    &[0.075], &[0.11], &[0.165])]
// Drive.
#[case("engine-speed", &[("max_speed = 680.0", "max_speed = 6500.0")],
    &[6500.0, 62070.0, 1.0], &[200.0, 600.0, 1900.0], &[680.7])]
#[case("engine-damping", &[("damping_full_throttle = 0.05", "damping_full_throttle = 2.0")],
    &[2.0, 591.3], &[400.0, 0.0], &[0.0676])]
#[case("gear-steps", &[("forward = [3.6, 2.05,", "forward = [9.6, 2.05,")],
    &[9.6, 2.05, 4.683], &[1.1, 2.0], &[6.4])]
#[case("autobox-latency", &[("latency = 0.6", "latency = 0.2")], &[0.2, 0.25], &[], &[0.5])]
#[case("autobox-hunting", &[("down = [0.0, 0.38,", "down = [0.0, 0.7,")],
    &[0.7, 0.501], &[], &[0.426])]
#[case("brakes", &[("max_torque = 1900.0", "max_torque = 200.0")],
    &[0.4885], &[0.5, 1.0], &[1.6])]
#[case("handbrake", &[("max_handbrake_torque = 1600.0", "max_handbrake_torque = 100.0")],
    &[0.0425], &[0.2, 20.0], &[7.1])]
fn numbers_are_those_of_the_file(
    #[case] rule: &str,
    #[case] changes: &[(&str, &str)],
    #[case] of_found: &[f64],
    #[case] of_wanted: &[f64],
    #[case] of_proposal: &[f64],
) {
    let finding = found(&sedan_with(changes), rule, "").unwrap();
    for (text, wanted) in [
        (&finding.found, of_found),
        (&finding.wanted, of_wanted),
        (&finding.proposal, of_proposal),
    ] {
        let found = numbers(text);
        assert_eq!(found.len(), wanted.len(), "{text}: {found:?}");
        for (found, wanted) in found.into_iter().zip(wanted) {
            let off = (found - wanted).abs();
            assert!(
                off <= 0.01 * wanted.abs() + 0.0051,
                "{text}: {found} for {wanted}"
            );
        }
    }
}
