//! Proposals remedy the findings that they come with.

use super::*;

/// Numbers of a text, in their order.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !"-.0123456789".contains(c));
    parts
        .filter_map(|part| part.trim_end_matches('.').parse().ok())
        .collect()
}

/// Findings of a rule about one place.
pub(super) fn found(car: &Car, rule: &str, place: &str) -> Option<Finding> {
    let findings = lint(car, DT).unwrap();
    let of_rule = |found: &Finding| found.rule == rule && found.place.contains(place);
    findings.into_iter().find(of_rule)
}

/// Parts of the sedan's file as changed by a proposal's numbers.
type Cure = fn(&[f64]) -> Vec<(&'static str, String)>;

const INERTIA: &str = "inertia = [560.0, 2400.0, 2650.0]";
const HULL: &str = "center = [0.0, 0.0, 0.78]";
const FILTER: &str =
    "solver = \"rows\"\nload_filter = { min_load = 0.0, min_filtered = 0.2, max_load = 1.5, ";

fn front_spring(stiffness: f64) -> Vec<(&'static str, String)> {
    vec![(
        FRONT_SPRING,
        format!("stiffness = {stiffness:?}, damping = 2600.0"),
    )]
}

fn front_damping(damping: f64) -> Vec<(&'static str, String)> {
    vec![(
        FRONT_SPRING,
        format!("stiffness = 27500.0, damping = {damping:?}"),
    )]
}

#[rstest]
// Springs.
#[case::samples("samples-per-oscillation", "front", &[(FRONT_SPRING, "stiffness = 2e5, damping = 9000.0")],
    |n: &[f64]| vec![(FRONT_SPRING, "stiffness = 2e5, damping = 9000.0".to_owned()),
        ("max_substep = 0.016666668", format!("max_substep = {:?}", n[0] - 1e-4))])]
#[case::least_frequency("natural-frequency", "front", &[(FRONT_SPRING, "stiffness = 2000.0, damping = 900.0")],
    |n: &[f64]| front_spring(n[0]))]
#[case::greatest_frequency("natural-frequency", "front", &[(FRONT_SPRING, "stiffness = 2000.0, damping = 900.0")],
    |n: &[f64]| front_spring(n[1]))]
#[case::longer_droop("theoretical-spring", "front", &[(FRONT_SPRING, PURE)],
    |n: &[f64]| vec![(FRONT_SPRING, PURE.to_owned()), ("max_droop = 0.10", format!("max_droop = {:?}", n[0]))])]
#[case::stiffer_spring("theoretical-spring", "front", &[(FRONT_SPRING, PURE)],
    |n: &[f64]| vec![(FRONT_SPRING, PURE.replace("27500.0", &format!("{:?}", n[1])))])]
#[case::least_damping("damping-ratio", "front", &[(FRONT_SPRING, "stiffness = 27500.0, damping = 20000.0")],
    |n: &[f64]| front_damping(n[0]))]
#[case::greatest_damping("damping-ratio", "front", &[(FRONT_SPRING, "stiffness = 27500.0, damping = 20000.0")],
    |n: &[f64]| front_damping(n[1]))]
#[case::compression("travel", "front", &[("max_compression = 0.11", "max_compression = 0.0")],
    |n: &[f64]| vec![("max_compression = 0.11", format!("max_compression = {:?}", n[0]))])]
#[case::carried("carries-the-car", "front", &[(FRONT_SPRING, "stiffness = 9000.0, damping = 1500.0")],
    |n: &[f64]| front_spring(n[0] + 1.0))]
#[case::bottoms("bottoms", "front", &[("max_compression = 0.11", "max_compression = 0.02")],
    |n: &[f64]| vec![("max_compression = 0.11", format!("max_compression = {:?}", n[0] + 1e-3))])]
#[case::force_point("force-point", "front", &[EXPLICIT, ("force_height = 0.36", "force_height = 0.9")],
    |n: &[f64]| vec![(EXPLICIT.0, EXPLICIT.1.to_owned()), ("force_height = 0.36", format!("force_height = {:?}", n[0]))])]
// Wheels.
#[case::wheel_inertia("wheel-inertia", "front", &[("inertia = 1.1 ", "inertia = 9.0 ")],
    |n: &[f64]| vec![("inertia = 1.1 ", format!("inertia = {:?} ", n[0]))])]
#[case::load_filter("load-filter", "", &[("solver = \"rows\"", concat!("solver = \"rows\"\nload_filter = ",
    "{ min_load = 0.0, min_filtered = 0.2, max_load = 1.5, max_filtered = 3.0 }"))],
    |n: &[f64]| vec![("solver = \"rows\"", format!("{FILTER}max_filtered = {:?} }}", n[0]))])]
#[case::tire_point("tire-force-point", "front", &[("force_height = 0.20", "force_height = 1.2")],
    |n: &[f64]| vec![("force_height = 0.20", format!("force_height = {:?}", n[0]))])]
#[case::roll_center("roll-center", "front", &[("camber_at_max_droop_deg = 0.8 }\ntire", "camber_at_max_droop_deg = 0.8 }\nlinks = { roll_center = 0.7 }\ntire")],
    |n: &[f64]| vec![("camber_at_max_droop_deg = 0.8 }\ntire", format!("camber_at_max_droop_deg = 0.8 }}\nlinks = {{ roll_center = {:?} }}\ntire", n[0]))])]
// Body.
#[case::inertia("inertia", "about y", &[(INERTIA, "inertia = [560.0, 900.0, 1000.0]")],
    |n: &[f64]| vec![(INERTIA, format!("inertia = [560.0, {:?}, 1000.0]", n[0]))])]
#[case::turned_frame("mass-frame", "", &[(INERTIA, "inertia = [2400.0, 560.0, 2650.0]")],
    |n: &[f64]| vec![(INERTIA, format!("inertia = {:?}", &n[..3]))])]
#[case::the_boxs_moments("mass-frame", "", &[(INERTIA, "inertia = [2400.0, 560.0, 2650.0]")],
    |n: &[f64]| vec![(INERTIA, format!("inertia = {:?}", &n[3..]))])]
#[case::clearance("clearance", "", &[(HULL, "center = [0.0, 0.0, 0.6]")],
    |n: &[f64]| vec![(HULL, format!("center = [0.0, 0.0, {:?}]", n[0] + 0.5 * 1.05))])]
#[case::air("aerodynamics", "aerodynamics", &[(AIR, "")],
    |n: &[f64]| vec![(AIR, format!("[aerodynamics]\narea = {:?}\ndrag = {:?}\n", n[0], n[1]))])]
// Drive.
#[case::engine_damping("engine-damping", "zero", &[("damping_zero_throttle_engaged = 0.12", "damping_zero_throttle_engaged = 0.0")],
    |n: &[f64]| vec![("damping_zero_throttle_engaged = 0.12", format!("damping_zero_throttle_engaged = {:?}", n[0]))])]
#[case::gear_steps("gear-steps", "gear 1 to 2", &[("forward = [3.6, 2.05,", "forward = [9.6, 2.05,")],
    |n: &[f64]| vec![("forward = [3.6, 2.05,", format!("forward = [9.6, {:?},", n[0]))])]
#[case::latency("autobox-latency", "", &[("latency = 0.6", "latency = 0.2")],
    |n: &[f64]| vec![("latency = 0.6", format!("latency = {:?}", n[0]))])]
#[case::hunting("autobox-hunting", "gear 2", &[("down = [0.0, 0.38,", "down = [0.0, 0.7,")],
    |n: &[f64]| vec![("down = [0.0, 0.38,", format!("down = [0.0, {:?},", n[0]))])]
#[case::brakes("brakes", "", &[("max_torque = 1900.0", "max_torque = 200.0"), ("max_torque = 950.0", "max_torque = 100.0")],
    |n: &[f64]| vec![("max_torque = 1900.0", format!("max_torque = {:?}", 200.0 * n[0])),
        ("max_torque = 950.0", format!("max_torque = {:?}", 100.0 * n[0]))])]
#[case::brake_balance("brakes", "behind", &[("max_torque = 950.0", "max_torque = 1900.0")],
    |n: &[f64]| vec![("max_torque = 950.0", format!("max_torque = {:?}", 1900.0 * n[0] - 10.0))])]
#[case::handbrake("handbrake", "brakes", &[("max_handbrake_torque = 1600.0", "max_handbrake_torque = 10.0")],
    |n: &[f64]| vec![("max_handbrake_torque = 1600.0", format!("max_handbrake_torque = {:?}", 10.0 * n[0]))])]
fn a_proposal_cures_what_was_found(
    #[case] rule: &str,
    #[case] place: &str,
    #[case] fault: &[(&str, &str)],
    #[case] cure: Cure,
) {
    let before = found(&sedan_with(fault), rule, place).expect("there is a fault");
    let changes = cure(&numbers(&before.proposal));
    let changes: Vec<(&str, &str)> = changes
        .iter()
        .map(|(from, to)| (*from, to.as_str()))
        .collect();
    let after = found(&sedan_with(&changes), rule, place);
    let cured = after
        .as_ref()
        .is_none_or(|after| after.severity > before.severity);
    assert!(cured, "{before}\n{changes:?}\n{after:?}");
}
