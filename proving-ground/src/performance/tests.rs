use super::*;
use crate::stage::{car_with, on_free_tires};
use jounce::presets;

const STRAIGHT: [TargetFigure; 2] = [TargetFigure::ZeroTo100, TargetFigure::TopSpeed];

/// A car's power at its greatest speed goes into drag and bearings: twice the drag area divides the
/// speed by almost the cube root of two.
#[test]
fn top_speed_follows_from_drag() {
    let pair = |(key, value): (&str, f64)| (key.to_owned(), value.into());
    let speed = |drag: f64| {
        let air = toml::Table::from_iter([("area", 2.15), ("drag", drag)].map(pair));
        let car = car_with("suv", "aerodynamics", air).unwrap();
        measure(&car, &STRAIGHT).unwrap()[1]
    };
    let ratio = speed(1.5) / speed(3.0);
    assert!((ratio - 2.0_f64.cbrt()).abs() < 0.06, "{ratio}");
}

/// A car on linear tires of c₁ and c₂ per load and radian understeers by 1/c₁ − 1/c₂.
#[test]
fn understeer_is_that_of_the_bicycle_model() {
    let tires = |stiffness: f64| {
        let mut tire: toml::Table = toml::toml! {
            model = "linear"
            slip_stiffness = 20.0
            camber_stiffness = 0.0
            trail = 0.0
        };
        tire.insert("cornering_stiffness".to_owned(), stiffness.into());
        tire
    };
    let table = [("front", tires(13.0)), ("rear", tires(16.0))];
    let table = toml::Table::from_iter(table.map(|(name, tire)| (name.to_owned(), tire.into())));
    let car = on_free_tires(&car_with("sports-car", "tires", table).unwrap()).unwrap();
    let found = measure(&car, &[TargetFigure::UndersteerGradient]).unwrap()[0];
    let wanted = (1.0_f64 / 13.0 - 1.0 / 16.0).to_degrees();
    assert!(
        (found / wanted - 1.0).abs() < 0.1,
        "{found} °/g, {wanted} °/g"
    );
}

/// A figure that a car does not reach has no value.
#[test]
fn a_tractor_does_not_reach_100() {
    let tractor = presets::by_name("tractor").unwrap();
    let found = measure(&tractor, &STRAIGHT).unwrap();
    assert!(found[0].is_nan() && found[1] > 40.0, "{found:?}");
}
