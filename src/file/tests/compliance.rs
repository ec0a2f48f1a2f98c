//! Compliance by jounce and force: mirrored, of one side alone, and its faults.

use super::*;
use glam::Vec2;
use jointed_wheels::left_out;
use rstest::rstest;
use std::collections::BTreeSet;
use vehicle_core::params::Compliance;

const STEERING: &str = "steering = {";

/// The sedan with lines added to its front axle.
fn sedan(lines: &str) -> Result<Car, FileError> {
    let text = SEDAN;
    assert!(text.contains(STEERING));
    Car::parse(
        &text.replacen(STEERING, &format!("{lines}\n{STEERING}"), 1),
        "sedan.toml",
    )
}

const BOTH: &str = "compliance = { shift = [[-0.1, [0.01, 0.02]], [0.1, [-0.03, -0.04]]], \
     by_longitudinal_force = { toe_deg = [[-4000, -0.3], [2000, 0.1]] }, \
     by_lateral_force = { toe_deg = [[-4000, -0.2], [3000, 0.4]], camber_deg = [[-1000, 0.1], [2000, -0.5]], \
     shift = [[0, [0.0, 0.0]], [1000, [0.001, 0.002]]] }, \
     by_aligning_moment = { toe_deg = [[-100, -0.1], [50, 0.2]] } }";

/// Forces and moments are positive inwards, and forward; so are angles, and shifts outwards.
#[test]
fn both_wheels_do_the_same_inwards() {
    let car = sedan(BOTH).unwrap_or_else(|error| panic!("{error}"));
    let model = car.model();
    let [left, right] = [0, 1].map(|n| &model.params().wheels[n].compliance);
    let degrees = |table: &[(f32, f32)]| -> Vec<(f32, f32)> {
        let round = |x: f32| (x * 1e4).round() / 1e4;
        table
            .iter()
            .map(|&(x, y)| (x, round(y.to_degrees())))
            .collect()
    };
    assert_eq!(
        degrees(&right.toe_by_force[0]),
        [(-4000.0, -0.3), (2000.0, 0.1)]
    );
    assert_eq!(
        degrees(&left.toe_by_force[0]),
        [(-4000.0, 0.3), (2000.0, -0.1)]
    );
    assert_eq!(
        degrees(&right.toe_by_force[1]),
        [(-4000.0, -0.2), (3000.0, 0.4)]
    );
    assert_eq!(
        degrees(&left.toe_by_force[1]),
        [(-3000.0, -0.4), (4000.0, 0.2)]
    );
    assert_eq!(
        degrees(&left.camber_by_force[1]),
        [(-2000.0, 0.5), (1000.0, -0.1)]
    );
    assert_eq!(
        degrees(&left.toe_by_force[2]),
        [(-50.0, -0.2), (100.0, 0.1)]
    );
    let shifts = [(-1000.0, Vec2::new(0.001, 0.002)), (0.0, Vec2::ZERO)];
    assert_eq!(left.shift_by_force[1], shifts);
    assert_eq!(left.shift[1], (0.1, Vec2::new(-0.03, -0.04)));
    assert_eq!(right.shift[1], (0.1, Vec2::new(-0.03, 0.04)));
}

#[test]
fn the_right_wheel_may_have_its_own() {
    let car = sedan(
        "compliance = { toe_deg = [[0.0, 0.2]] }\ncompliance_right = { camber_deg = [[0.0, 0.5]] }",
    );
    let car = car.unwrap_or_else(|error| panic!("{error}"));
    let model = car.model();
    let [left, right] = [0, 1].map(|n| &model.params().wheels[n].compliance);
    assert_eq!((left.toe.len(), left.camber.len()), (1, 0));
    assert_eq!((right.toe.len(), right.camber.len()), (0, 1));
    assert_eq!(right.camber[0].1, 0.5f32.to_radians());
}

#[rstest]
#[case::order(
    "compliance = { by_lateral_force = { toe_deg = [[3000, 0.1], [-3000, 0.2]] } }",
    "axles[0].compliance.by_lateral_force.toe_deg.[1].force = -3000: must be finite and above the point before"
)]
#[case::angle(
    "compliance = { by_aligning_moment = { camber_deg = [[0, 100]] } }",
    "axles[0].compliance.by_aligning_moment.camber_deg.[0].angle = 100 °"
)]
#[case::no_number(
    "compliance_right = { by_longitudinal_force = { shift = [[0, [nan, 0.0]]] } }",
    "axles[0].compliance_right.by_longitudinal_force.shift.[0].shift = [NaN, 0, 0] m: must be finite"
)]
#[case::of_the_right(
    "compliance_right = { toe_deg = [[0.0, 0.1], [-0.1, 0.2]] }",
    "axles[0].compliance_right.toe.[1].jounce = -0.1 m: must be above the point before"
)]
#[case::unknown("compliance = { by_force = {} }", "axles[0].compliance.by_force")]
fn faults_are_named_where_they_stand(#[case] lines: &str, #[case] expected: &str) {
    let error = sedan(lines).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
    assert!(error.contains(": 1 fault(s)"), "{error}");
}

/// A table that rigid wheels do not heed, and do not name, would be lost without a word.
#[test]
fn rigid_wheels_name_every_table_that_they_leave_out() {
    let file = keys::file("rest 2");
    let car = build::build(file, &TireRegistry::with_builtins(), None).unwrap();
    let model = car.model();
    let named: Vec<String> = left_out(&model)
        .into_iter()
        .map(|fault| fault.path)
        .collect();
    let tables = |compliance: &Compliance| Table::try_from(compliance).unwrap();
    let none = tables(&Compliance::default());
    let mut differing = BTreeSet::new();
    for (n, wheel) in model.params().wheels.iter().enumerate() {
        for (name, table) in tables(&wheel.compliance) {
            if none.get(&name) != Some(&table) {
                let path = format!("wheels[{n}].compliance.{name}");
                assert!(named.contains(&path), "{path}: {named:?}");
                differing.insert(name);
            }
        }
    }
    let all = tables(&model.params().wheels[0].compliance);
    assert!(
        all.keys().all(|name| differing.contains(name)),
        "{differing:?}"
    );
}
