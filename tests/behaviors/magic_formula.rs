//! A sedan on Magic Formula tires, with their moments, grip and relaxation lengths.

use core::f32::consts::FRAC_PI_2;
use std::collections::BTreeMap;

use jounce::file::Car;
use proving_ground::stage::{FREE, car_with};
use proving_ground::world::WorldKind;
use rstest::rstest;
use vehicle_conformance::stability::{Scene, Setup, Stage};

use super::{BRAKED, stage};

/// The sedan on the tire of the `.tir` template, with the mass for its nominal load.
fn sedan() -> Car {
    let tires: toml::Table = toml::from_str(
        "model = 'magic-formula'\n\
         version = '6.1'\n\
         coefficients = { UNLOADED_RADIUS = 0.32, FNOMIN = 4000.0, QSX2 = 0.5, PHY1 = 0.002, PVY1 = 0.01 }",
    )
    .unwrap();
    let tires = ["left", "right"].map(|name| (name, tires.clone()));
    car_with("sedan", "tires", BTreeMap::from(tires)).unwrap()
}

/// The sedan stands on a slope; its carcasses deflect by some mm at first.
#[rstest]
#[case::fifth(11.31, 0.0)]
#[case::fifth_across(11.31, FRAC_PI_2)]
#[case::steep(30.0, 0.0)]
fn it_stands_on_a_slope(
    #[case] slope: f64,
    #[case] heading: f32,
    #[values(30.0, 60.0, 240.0, 1000.0)] rate: f32,
) {
    let car = sedan();
    for &world in WorldKind::all() {
        let scene = Scene {
            heading,
            ..Scene::nose_down(slope)
        };
        let setup = Setup { world, car: &car };
        let mut stage = Stage::new(&setup, &scene, rate).unwrap();
        stage.run(2.0, &BRAKED).unwrap();
        let settled = stage.position().unwrap();
        stage.run(20.0, &BRAKED).unwrap();
        let creep = 3e3 * (stage.position().unwrap() - settled).length();
        assert!(creep < 1.0, "{world:?}: {creep} mm per minute");
    }
}

/// The report of a braked car contains the maximum longitudinal force of its tires: it slides where
/// that is too small by 2 %. The locked tire of the template has 0.52 of its peak, sin(1.65·π/2):
/// where that is enough, the car stands, whatever happened before. Between the two, a sliding car
/// goes on sliding, and so does one that is placed there suddenly, whose carcasses oscillate.
#[test]
fn it_slides_where_the_peak_of_its_tires_is_exceeded() {
    let car = sedan();
    let on = |friction| {
        let scene = Scene {
            friction,
            ..Scene::nose_down(15.0)
        };
        let mut stage = stage(WorldKind::Standalone, &car, &scene);
        stage.run(3.0, &BRAKED).unwrap();
        stage
    };
    let held = on(1.0);
    let (mut load, mut grip) = (0.0, 0.0);
    for wheel in 0..4 {
        let report = held.vehicle.wheel_report(wheel);
        load += report.load;
        grip += report.load * report.friction;
    }
    assert!(grip > 1.1 * load, "{grip} {load}");
    let just = 15f32.to_radians().tan() * load / grip;
    for (part, stands) in [(1.02 / 0.52, true), (0.98, false)] {
        let mut stage = on(part * just);
        let before = stage.position().unwrap();
        stage.run(5.0, &BRAKED).unwrap();
        let way = (stage.position().unwrap() - before).length();
        assert_eq!(way < 1e-3, stands, "{part}: {way} m");
    }
}

/// The rolling resistance of the template is at least 1 % of the load, and acts at a standstill, too.
#[test]
fn it_rolls_out_and_stays() {
    let scene = Scene {
        speed: 10.0,
        ..Scene::LEVEL
    };
    let mut stage = stage(WorldKind::Standalone, &sedan(), &scene);
    let mut before = 10.0;
    for _ in 0..20 {
        stage.run(1.0, &FREE).unwrap();
        let speed = stage.velocity().length();
        assert!(speed <= before, "{speed} {before}");
        before = speed;
    }
    assert!(before < 8.5, "{before}");
    stage.run(180.0, &FREE).unwrap();
    let stopped = stage.position().unwrap();
    assert!(stage.velocity().length() < 1e-3);
    stage.run(60.0, &FREE).unwrap();
    let creep = (stage.position().unwrap() - stopped).length();
    assert!(creep < 1e-3, "{creep}");
}
