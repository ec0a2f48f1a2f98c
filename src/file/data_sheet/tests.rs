use super::*;
use crate::file::Car;
use crate::file::tests::SEDAN;
use drivetrain::{EngineDriveParams, EngineParams};
use rstest::rstest;

/// Keys of the benchmarks' sedan that a data sheet replaces.
const OLD: [&str; 4] = ["peak_torque", "torque_curve", "damping_full", "max_speed"];

/// The sedan with these lines instead of its torque.
pub(in crate::file) fn sedan_with(lines: &str) -> String {
    let mut text = String::new();
    let mut within = false;
    for line in SEDAN.lines() {
        if line.starts_with('[') {
            within = line == "[drivetrain.engine]";
        }
        if !(within && OLD.iter().any(|key| line.starts_with(key))) {
            text += &format!("{line}\n");
        }
        if line == "[drivetrain.engine]" {
            text += &format!("{lines}\n");
        }
    }
    text
}

/// The engine of a file.
fn engine_of(text: &str) -> EngineParams {
    let car = Car::parse(text, "sheet.toml").unwrap();
    let mut drive = car.spec().drive.0.clone();
    drive.remove("model");
    let params: EngineDriveParams = Value::Table(drive).try_into().unwrap();
    params.engine
}

const RPM: f32 = core::f32::consts::PI / 30.0;

/// The engine's output is that of the sheet at full throttle, and the loss by damping at no throttle.
#[rstest]
#[case::torque("net_torque = [[1000, 150.0], [4000, 205.0], [7000, 184.0]]", 1.0)]
#[case::power(
    "net_power = [[1000, 15.70796], [4000, 85.86919], [7000, 134.8800]]",
    1.0
)]
#[case::redline(
    "net_torque = [[1000, 150.0], [4000, 205.0], [7000, 184.0]]\nmax_speed = 7500.0",
    7500.0 / 7000.0
)]
fn net_torque_is_that_of_the_sheet(#[case] lines: &str, #[case] redline: f32) {
    let units = "[units]\nangular_speed = 'rpm'\npower = 'kW'";
    let engine = engine_of(&format!("{}\n{units}", sedan_with(lines)));
    assert!((engine.max_speed / (redline * 7000.0 * RPM) - 1.0).abs() < 1e-5);
    for (rpm, torque) in [
        (800.0, 150.0),
        (1000.0, 150.0),
        (2500.0, 177.5),
        (4000.0, 205.0),
        (7000.0, 184.0),
    ] {
        let speed = rpm * RPM;
        let net = engine.torque(1.0, speed) - engine.damping(1.0, 1.0) * speed;
        assert!((net - torque).abs() < 0.01, "{rpm}: {net} N·m");
    }
    assert_eq!(engine.torque(0.0, 300.0), 0.0);
    assert!(engine.damping(0.0, 1.0) > 0.0);
}

#[test]
fn a_data_sheet_in_si_needs_no_units() {
    let engine = engine_of(&sedan_with("net_torque = [[100.0, 150.0], [600.0, 300.0]]"));
    assert_eq!((engine.peak_torque, engine.max_speed), (300.0, 600.0));
    assert_eq!(engine.torque_curve.0[1], [1.0, 1.0]);
}

/// A map is the engine's torque, and its last row the sheet's.
#[test]
fn a_map_is_net_torque_over_speed_and_throttle() {
    let lines = "torque_map = { speeds = [1000, 4000, 7000], rows = [[0.0, [-10, -20, -40]], [0.5, [90, 80, 50]], \
                 [1.0, [150, 205, 184]]] }";
    let text = format!("{}\n[units]\nangular_speed = 'rpm'", sedan_with(lines));
    let engine = engine_of(&text);
    assert!((engine.max_speed / (7000.0 * RPM) - 1.0).abs() < 1e-5);
    assert_eq!(engine.peak_torque, 205.0);
    for (throttle, rpm, torque) in [
        (0.0, 4000.0, -20.0),
        (0.25, 4000.0, 30.0),
        (1.0, 2500.0, 177.5),
        (1.0, 7000.0, 184.0),
    ] {
        let found = engine.torque(throttle, rpm * RPM);
        assert!((found - torque).abs() < 0.01, "{throttle}, {rpm}: {found}");
    }
    for rpm in [1000.0, 2500.0, 7000.0] {
        let by_curve = engine.peak_torque * engine.torque_curve.at(rpm * RPM / engine.max_speed);
        assert!((by_curve - engine.torque(1.0, rpm * RPM)).abs() < 0.01);
    }
    assert_eq!(engine.damping_full_throttle, 0.0);
}

#[rstest]
#[case::map_and_torque(
    "net_torque = [[100.0, 150.0]]\ntorque_map = { speeds = [0.0, 600.0], rows = [[0.0, [0.0, 0.0]], [1.0, [90.0, 80.0]]] }",
    "drivetrain.engine.torque_map = given: net_torque or net_power says it"
)]
#[case::row_of_a_map(
    "torque_map = { speeds = [0.0, 600.0], rows = [[0.0, [0.0, 0.0]], [0.9, [90.0, 80.0]]] }",
    "drivetrain.engine.torque_map.rows = 2 rows: must begin at throttle 0 and end at 1"
)]
#[case::values_of_a_map(
    "torque_map = { speeds = [0.0, 600.0], rows = [[0.0, [0.0]], [1.0, [90.0, 80.0]]] }",
    "drivetrain.engine.torque_map.rows[0][1] = 1 values: there must be one per speed, 2"
)]
#[case::both(
    "net_torque = [[100.0, 150.0]]\nnet_power = [[100.0, 15e3]]",
    "drivetrain.engine.net_power = given: net_torque says it"
)]
#[case::peak(
    "net_torque = [[100.0, 150.0]]\npeak_torque = 150.0",
    "drivetrain.engine.peak_torque = given: must be left out beside net_torque, net_power or torque_map"
)]
#[case::backward(
    "net_torque = [[-100.0, 150.0]]",
    "drivetrain.engine.net_torque.[0].x = -100 rad/s: must be >= 0"
)]
#[case::standing(
    "net_power = [[0.0, 150.0]]",
    "drivetrain.engine.net_power.[0].x = 0 rad/s: must be >= 0, of a power > 0"
)]
#[case::falling(
    "net_torque = [[100.0, 150.0], [90.0, 100.0]]",
    "drivetrain.engine.net_torque.[1].x = 90: must be above"
)]
#[case::negative(
    "net_torque = [[100.0, -150.0]]",
    "drivetrain.engine.net_torque.[0].y = -150 N·m: must be finite and >= 0"
)]
#[case::nothing(
    "net_torque = [[100.0, 0.0]]",
    "drivetrain.engine.net_torque = 0 N·m: must be > 0 somewhere"
)]
#[case::text(
    "net_torque = 'much'",
    "drivetrain.engine.net_torque = \"much\": must be a list"
)]
fn faults_of_a_data_sheet_are_told_at_its_keys(#[case] lines: &str, #[case] fault: &str) {
    let error = Car::parse(&sedan_with(lines), "e.toml")
        .unwrap_err()
        .to_string();
    assert!(error.contains(fault), "{error}");
    assert!(!error.contains("torque_curve"), "{error}");
}

#[test]
fn a_misspelt_key_is_recognized() {
    let text = sedan_with("net_torqe = [[100.0, 150.0]]");
    let error = Car::parse(&text, "e.toml").unwrap_err().to_string();
    assert!(error.contains("did you mean net_torque?"), "{error}");
}
