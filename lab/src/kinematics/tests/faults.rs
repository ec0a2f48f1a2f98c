//! Refused hard points, and the fault that names each.

use rstest::rstest;

use super::file;
use crate::kinematics::hardpoints::{HardPoints, invalid};
use crate::kinematics::sweep::TravelSweep;

/// Message of the command about a text.
fn said(text: &str) -> String {
    let points = match HardPoints::parse(text, "points.toml") {
        Err(error) => return error.to_string(),
        Ok(points) => points,
    };
    let fault = TravelSweep::new(&points).expect_err("it goes");
    invalid("points.toml", vec![fault]).to_string()
}

#[rstest]
#[case::no_length(
    "double-wishbone",
    ("lower_outer = [0.0, 900.0, 200.0]", "lower_outer = [250.0, 400.0, 200.0]"),
    "points.lower_outer = 0 m away: must be apart from points.lower_front"
)]
#[case::missing(
    "double-wishbone",
    ("upper_rear = [-275.0, 350.0, 500.0]", ""),
    "points.upper_rear = nothing: must be given"
)]
#[case::unknown(
    "double-wishbone",
    ("upper_rear =", "uper_rear ="),
    "points.uper_rear = [-0.275, 0.35, 0.5] m: is no point of this kind, which has lower_front"
)]
#[case::not_finite(
    "macpherson",
    ("strut_top = [-40.0,", "strut_top = [nan,"),
    "points.strut_top = [NaN, 0.7, 0.85] m: must be finite"
)]
#[case::kind("macpherson", ("\"macpherson\"", "\"leaf\""), "kind")]
#[case::unit("macpherson", ("\"mm\"", "\"mn\""), "units.length = mn: must be a unit of length")]
#[case::right("macpherson", ("[-20.0, 950.0", "[-20.0, -950.0"), "wheel.center = -0.95 m: must be that of the left wheel")]
#[case::radius("macpherson", ("radius = 313.6", "radius = 0.0"), "wheel.radius = 0 m: must be finite and > 0")]
#[case::travel("macpherson", ("droop = 80.0", "droop = 0.0"), "travel.droop = 0 m: must be within 0.001..=0.5 m")]
#[case::no_rack(
    "trailing-arm",
    ("droop = 0.1 }", "droop = 0.1, rack = 0.05 }"),
    "travel.rack = 0.05 m: only double wishbones, struts and five links have a rack"
)]
#[case::aslant(
    "trailing-arm",
    ("pivot_outer = [-0.87", "pivot_outer = [-0.80"),
    "points.pivot_outer = 15."
)]
#[case::arm(
    "trailing-arm",
    ("wheel = [-1.15, 0.60, 0.28]", "wheel = [-1.15, 0.60, 0.28]\non = \"lower\""),
    "spring.on = lower: must be one of carrier"
)]
#[case::out_of_reach(
    "trailing-arm",
    ("compression = 0.1,", "compression = 0.5,"),
    "points.toml: travel.compression = 0.5 m: these links cannot be assembled beyond 4"
)]
#[case::loose(
    // Two links on the same points hold no more than one.
    "five-link",
    (
        "tie_rod_inner = [-137.5, 502.5, 199.0]\ntie_rod_outer = [-85.5, 816.0, 195.0]",
        "tie_rod_inner = [-56.0, 439.0, 204.0]\ntie_rod_outer = [1.0, 789.5, 200.5]",
    ),
    "points = as given: must leave the wheel its travel and nothing else"
)]
fn faulty_hard_points_are_named(
    #[case] name: &str,
    #[case] change: (&str, &str),
    #[case] expected: &str,
) {
    let text = file(name);
    assert!(text.contains(change.0), "{}", change.0);
    let said = said(&text.replacen(change.0, change.1, 1));
    assert!(said.contains(expected), "{said}");
    assert!(
        said.starts_with("points.toml: 1 fault(s)") || said.matches("points.toml").count() > 1,
        "{said}"
    );
}

#[test]
fn all_faults_are_told_at_once() {
    let text = file("double-wishbone")
        .replace("radius = 313.6", "radius = -1.0")
        .replace("compression = 60.0", "compression = 6000.0")
        .replace("upper_rear = [-275.0, 350.0, 500.0]", "");
    let said = said(&text);
    for path in ["wheel.radius", "travel.compression", "points.upper_rear"] {
        assert!(said.contains(path), "{said}");
    }
}
