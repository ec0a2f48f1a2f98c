//! Curves of springs and dampers, as parameters and as faults.

use super::*;
use rstest::rstest;

const STRUT: &str = "suspension = { stiffness = 27500.0, damping = 2600.0,";

fn sedan(curves: &str) -> Result<Car, FileError> {
    let text = SEDAN;
    assert!(text.contains(STRUT));
    Car::parse(
        &text.replacen(STRUT, &format!("{STRUT} {curves},"), 1),
        "sedan.toml",
    )
}

/// Forces count in the rates, on both sides alike.
#[test]
fn forces_become_parts_of_the_rates() {
    let car = sedan(
        "spring_curve = [[-0.1, -2750], [0, 0], [0.1, 5500]], bump_curve = [[0.1, 260], [1, 1300]], \
         rebound_curve = [[0.2, 520]]",
    );
    let params = car.unwrap_or_else(|error| panic!("{error}"));
    let model = params.model();
    for wheel in &model.params().wheels[..2] {
        let c = &wheel.compliance;
        assert_eq!(c.spring, [(-0.1, -0.1), (0.0, 0.0), (0.1, 0.2)]);
        assert_eq!(c.bump, [(0.1, 0.1), (1.0, 0.5)]);
        assert_eq!(c.rebound, [(0.2, 0.2)]);
    }
    assert!(model.params().wheels[2].compliance.is_none());
}

#[rstest]
#[case::falls(
    "spring_curve = [[-0.1, -2750], [0, 0], [0.1, 2750], [0.2, 2700]]",
    "axles[0].suspension.spring_curve.[3].force over stiffness = 0.0981"
)]
#[case::not_at_rest(
    "spring_curve = [[-0.1, -2750], [0.1, 2750]]",
    "axles[0].suspension.spring_curve = 2 points: two points or more must be given, and 0 at jounce 0 is one"
)]
#[case::other_rate(
    "spring_curve = [[-0.1, -1000], [0, 0], [0.1, 2000]]",
    "axles[0].suspension.stiffness = 27500 N/m: must be the slope of spring_curve at jounce 0, to 1 %: 10000 to 20000 N/m"
)]
#[case::pulls(
    "rebound_curve = [[0.1, 500], [0.5, 400]]",
    "axles[0].suspension.rebound_curve.[1] = (0.5, 0.1538"
)]
#[case::backward(
    "bump_curve = [[-0.1, 500]]",
    "axles[0].suspension.bump_curve.[0] = (-0.1, 0.1923"
)]
#[case::pure(
    "spring = \"pure\", spring_curve = [[0, 0], [0.1, 2750]]",
    "axles[0].suspension.spring_curve = 2 points: a spring that is free at full droop has none"
)]
fn faults_of_curves_are_named_where_they_stand(#[case] curves: &str, #[case] expected: &str) {
    let error = sedan(curves).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    assert!(error.contains(": 1 fault(s)"), "{error}");
}

#[test]
fn a_curve_has_32_points_at_most() {
    let curve = |count: usize| {
        let points = (1..=count).map(|n| format!("[0.{n:02}, {n}]"));
        format!("bump_curve = [{}]", points.collect::<Vec<_>>().join(", "))
    };
    assert!(sedan(&curve(32)).is_ok());
    let error = sedan(&curve(33)).unwrap_err().to_string();
    let expected = "axles[0].suspension.bump_curve = 33 points: there must be at most 32 points";
    assert!(error.contains(expected), "{error}");
}
