use super::*;
use crate::file::path::find;
use crate::file::read::Placeholder;
use crate::file::tests::keys;
use crate::file::{Car, FileError};
use crate::presets;
use rstest::rstest;
use std::collections::BTreeSet;

/// Keys of plain numbers, angles, times and rates, those within lists without their indices.
const WITHOUT: &[&str] = &[
    "aerodynamics.by_yaw_deg.drag",
    "aerodynamics.by_yaw_deg.lift_front",
    "aerodynamics.by_yaw_deg.lift_rear",
    "aerodynamics.by_yaw_deg.pitch",
    "aerodynamics.by_yaw_deg.roll",
    "aerodynamics.by_yaw_deg.side",
    "aerodynamics.by_yaw_deg.yaw",
    "aerodynamics.drag",
    "aerodynamics.lift_front",
    "aerodynamics.lift_rear",
    "aerodynamics.pitch",
    "aerodynamics.roll",
    "aerodynamics.side",
    "aerodynamics.vertical",
    "aerodynamics.yaw",
    "anti_roll.wheels",
    "axles.layers",
    "axles.steering.ackermann",
    "axles.steering.max_deg",
    "axles.suspension.camber_at_max_compression_deg",
    "axles.suspension.camber_at_max_droop_deg",
    "axles.suspension.camber_deg",
    "axles.suspension.roll_influence",
    "axles.tire.friction_curve",
    "axles.tire.kind",
    "axles.tire.rolling_resistance",
    "axles.toe_deg",
    "axles.wheels",
    "coupling.yaw_limit_deg",
    "coupling.pitch_limit_deg",
    "coupling.roll_limit_deg",
    "rear_coupling.yaw_limit_deg",
    "rear_coupling.pitch_limit_deg",
    "rear_coupling.roll_limit_deg",
    "drivetrain.autobox.down",
    "drivetrain.autobox.latency",
    "drivetrain.autobox.light_throttle",
    "drivetrain.autobox.neutral_up",
    "drivetrain.autobox.up",
    "drivetrain.battery.capacity",
    "drivetrain.battery.charge_current",
    "drivetrain.battery.discharge_current",
    "drivetrain.battery.resistance",
    "drivetrain.battery.state_of_charge",
    "drivetrain.battery.taper",
    "drivetrain.battery.voltage",
    "drivetrain.motors.heat.derating",
    "drivetrain.motors.ratio",
    "drivetrain.motors.share",
    "drivetrain.motors.wheels",
    "drivetrain.parallel.autobox.down",
    "drivetrain.parallel.autobox.latency",
    "drivetrain.parallel.autobox.light_throttle",
    "drivetrain.parallel.autobox.neutral_up",
    "drivetrain.parallel.autobox.up",
    "drivetrain.parallel.charge",
    "drivetrain.parallel.efficiency",
    "drivetrain.parallel.gearbox.final_ratio",
    "drivetrain.parallel.gearbox.forward",
    "drivetrain.parallel.gearbox.ranges",
    "drivetrain.parallel.gearbox.reverse",
    "drivetrain.parallel.gearbox.switch_time",
    "drivetrain.power_split.charge",
    "drivetrain.power_split.planetary",
    "drivetrain.power_split.ratio",
    "drivetrain.power_split.wheels",
    "drivetrain.dual_clutch.efficiency",
    "drivetrain.dual_clutch.handover",
    "drivetrain.variator.rate",
    "drivetrain.clutch.pedal.bite_point",
    "drivetrain.clutch.pedal.closed_point",
    "drivetrain.differential.axles.slip_limiter.plates.coast",
    "drivetrain.differential.axles.slip_limiter.plates.power",
    "drivetrain.differential.axles.slip_limiter.torsen.coast",
    "drivetrain.differential.axles.slip_limiter.torsen.power",
    "drivetrain.differential.slip_limiter.plates.coast",
    "drivetrain.differential.slip_limiter.plates.power",
    "drivetrain.differential.slip_limiter.torsen.coast",
    "drivetrain.differential.slip_limiter.torsen.power",
    "drivetrain.gearbox.ranges",
    "drivetrain.retarder.steps",
    "drivetrain.variator.ratios",
    "drivetrain.variator.speed_map.throttle",
    "drivetrain.regeneration.lift_off",
    "drivetrain.regeneration.one_pedal",
    "drivetrain.clutch.accuracy.iterative.sweeps",
    "drivetrain.clutch.accuracy.iterative.tolerance",
    "drivetrain.differential.air_share",
    "drivetrain.differential.axles.bias",
    "drivetrain.differential.axles.share",
    "drivetrain.differential.axles.split",
    "drivetrain.differential.axles.wheels",
    "drivetrain.differential.bias",
    "drivetrain.differential.center_bias",
    "drivetrain.converter.efficiency",
    "drivetrain.converter.lock_up.closes_above",
    "drivetrain.converter.lock_up.closing_time",
    "drivetrain.converter.lock_up.from_gear",
    "drivetrain.converter.torque_ratio",
    "drivetrain.differential.center_limit.bias",
    "drivetrain.differential.center_limit.target",
    "drivetrain.clutch.closing_time",
    "drivetrain.differential.front",
    "drivetrain.differential.front_bias",
    "drivetrain.differential.front_limit.bias",
    "drivetrain.differential.front_limit.target",
    "drivetrain.differential.front_rear_split",
    "drivetrain.differential.front_split",
    "drivetrain.differential.hold",
    "drivetrain.differential.law.scaled.speed_ratios",
    "drivetrain.differential.law.scaled.torque_ratios",
    "drivetrain.differential.least_grounded",
    "drivetrain.differential.rate",
    "drivetrain.differential.ratios.speed_ratios",
    "drivetrain.differential.ratios.torque_ratios",
    "drivetrain.differential.rear",
    "drivetrain.differential.rear_bias",
    "drivetrain.differential.rear_limit.bias",
    "drivetrain.differential.rear_limit.target",
    "drivetrain.differential.rear_split",
    "drivetrain.differential.speed_ratios",
    "drivetrain.differential.torque_ratios",
    "drivetrain.differential.tracks.wheels",
    "drivetrain.differential.wheels",
    "drivetrain.engine.torque_curve",
    "drivetrain.engine.fuel.density",
    "drivetrain.engine.fuel.efficiency",
    "drivetrain.engine.fuel.heating_value",
    "drivetrain.gearbox.final_ratio",
    "drivetrain.gearbox.forward",
    "drivetrain.gearbox.reverse",
    "drivetrain.gearbox.switch_time",
    "drivetrain.responses.brake.rows.command",
    "drivetrain.responses.clutch.rows.command",
    "drivetrain.responses.governor",
    "drivetrain.responses.handbrake.rows.command",
    "drivetrain.responses.throttle.rows.command",
    "drivetrain.steering.response.rows.command",
    "ladder.hysteresis",
    "ladder.rungs.constraint.damping_ratio",
    "ladder.rungs.constraint.frequency",
    "ladder.rungs.detail.probe_every",
    "ladder.rungs.detail.update_every",
    "ladder.rungs.friction",
    "ladder.rungs.only",
    "load_filter.max_filtered",
    "load_filter.max_load",
    "load_filter.min_filtered",
    "load_filter.min_load",
    "rows.carcass_damping_time",
    "rows.max_substep",
    "rows.observer_gain",
    "rows.sweeps",
    "schema",
    "substeps.fast",
    "substeps.slow",
    "sweep.normal_angle_deg",
    "sweep.point_angle_deg",
    "axles.links.roll_center_change",
    "axles.*.roll_camber",
    "axles.*.roll_steer",
    "axles.links.anti_dive",
    "axles.suspension.constraint.damping_ratio",
    "axles.suspension.constraint.frequency",
    "axles.links.anti_lift",
    "axles.links.anti_squat",
    "sweep.radius_scale",
    "sweep.width_scale",
    "aids.*.slip",
    "aids.*.grip",
    "aids.*.time",
    "aids.*.least_slope",
    "aids.*.load_transfer",
    "aids.hill-hold.duration",
    "aids.hill-hold.release_rate",
    "aids.hill-hold.reserve",
    "aids.torque-vectoring.gain",
    "aids.rollover-mitigation.gain",
    "aids.trailer-sway-control.swings",
    "aids.trailer-sway-control.longest_swing",
    "aids.stability-control.yaw_gain",
    "aids.stability-control.side_slip_gain",
    "aids.stability-control.side_slip_tolerance",
    "aids.cruise-control.time_gap",
    "aids.parking-brake.closes_after",
    "aids.brake-fade.fade",
    "aids.brake-fade.least",
    "aids.brake-distribution.ratio",
    "aids.brake-distribution.least_slip",
    "aids.valve-abs.dead_time",
    "axles.steering.axis.caster_deg",
    "axles.steering.axis.inclination_deg",
    "drivetrain.steering.system.ratio_at_deg",
    "target.*.tolerance",
    "target.*.value",
];

/// The keys of all numbers of a value; indices of lists are left out.
fn numbers(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Integer(_) | Value::Float(_) => {
            found.insert(path.to_owned());
        }
        Value::Array(list) => list.iter().for_each(|part| numbers(part, path, found)),
        Value::Table(table) => table.iter().for_each(|(key, part)| {
            let dot = if path.is_empty() { "" } else { "." };
            numbers(part, &format!("{path}{dot}{key}"), found);
        }),
        _ => {}
    }
}

fn is_of(pattern: &str, path: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), path.split('.').collect());
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| *a == "*" || a == b)
}

#[test]
fn every_number_of_a_vehicle_file_has_a_dimension_or_is_known_to_have_none() {
    let mut found = BTreeSet::new();
    for file in keys::files().into_values() {
        numbers(&Value::Table(file), "", &mut found);
    }
    found.retain(|path| !path.starts_with("tires."));
    assert!(found.len() > 80, "{}", found.len());
    for path in &found {
        let with = DIMENSIONS
            .iter()
            .filter(|(key, _)| is_of(key, path))
            .count();
        let without = WITHOUT.iter().filter(|key| is_of(key, path)).count();
        assert_eq!(with + without, 1, "{path}");
    }
}

/// A file whose numbers are counted in other units, which derive others or name them all, gives the same vehicle.
#[rstest]
#[case::derived(
    [1000.0, 1e3, 1e-3, 1000.0, 1.0, 1e-9, 1.0, 1.0],
    "length = 'mm'\nmass = 'gram'\nforce = 'kN'"
)]
#[case::named(
    [1.0 / 0.3048, 1.0, 1.0, 3.6, 0.737_562_149_277, 1.0 / 6_894.757_293_17, 1e-3, 30.0 / PI],
    "length = 'ft'\nspeed = 'km/h'\ntorque = 'lbf·ft'\npressure = 'psi'\npower = 'kW'\nangular_speed = 'rpm'"
)]
fn a_file_in_any_units_is_the_same_vehicle(#[case] per_si: [f64; 8], #[case] units: &str) {
    for (name, mut file) in keys::files() {
        let si = keys::read(&file).unwrap();
        for &(path, numbers) in DIMENSIONS {
            let steps: Vec<&str> = path.split('.').collect();
            if let Some(value) = file.get_mut(steps[0]) {
                convert(value, &steps[1..], numbers, &per_si);
            }
        }
        file.insert("units".to_owned(), units.parse::<Table>().unwrap().into());
        let other = keys::read(&file).unwrap();
        let (si, other) = (keys::leaves(&si), keys::leaves(&other));
        assert!(si.keys().eq(other.keys()), "{name}");
        for (path, value) in si {
            match (value, other[&path]) {
                (Value::Float(a), Value::Float(b)) => {
                    assert!((a - b).abs() <= 1e-5 * a.abs(), "{name}: {path} {a} {b}");
                }
                (a, b) => assert_eq!(a, b, "{name}: {path}"),
            }
        }
    }
}

// Written in millimeters, grams and newtons.
#[rstest]
#[case::stiffness("axles[0].suspension.stiffness", 35.0, 35_000.0)]
#[case::torque("drivetrain.engine.peak_torque", 2e5, 200.0)]
#[case::inertia("chassis.inertia", 6e11, 600.0)]
#[case::product("chassis.products.xz", -3e10, -30.0)]
#[case::carcass("rows.carcass_stiffness", 1.0, 1000.0)]
#[case::damper("axles[0].suspension.damping", 2.5, 2500.0)]
#[case::area("aerodynamics.area", 2.2e6, 2.2)]
#[case::height("aerodynamics.ground_effect.drag[0][0]", -20.0, -0.02)]
#[case::speed("substeps.threshold_speed", 5000.0, 5.0)]
#[case::angle("axles[0].toe_deg", 0.2, 0.2)]
fn a_number_by_hand(#[case] path: &str, #[case] written: f64, #[case] si: f64) {
    let text = "units = { length = 'mm', mass = 'gram', force = 'n' }\n\
                rows.carcass_stiffness = 1.0\nsubsteps.threshold_speed = 5000\n\
                aerodynamics = { area = 2.2e6, ground_effect.drag = [[-20.0, 0.9]] }\n\
                chassis.inertia = 6e11\nchassis.products.xz = -3e10\ndrivetrain.engine.peak_torque = 200000\n\
                axles = [{ suspension = { stiffness = 35, damping = 2.5 }, toe_deg = 0.2 }]";
    let mut file: Table = text.parse().unwrap();
    let number = |file: &Table| {
        let value = Value::Table(file.clone());
        let found = find(&value, path).unwrap();
        found
            .as_float()
            .unwrap_or_else(|| found.as_integer().unwrap() as f64)
    };
    assert_eq!(number(&file), written);
    let mut findings = FileFindings::new(Placeholder::Small);
    bring_to_si(&mut file, &mut findings);
    assert!(findings.count() == 0 && !file.contains_key("units"));
    assert!(
        (number(&file) / si - 1.0).abs() < 1e-12,
        "{}",
        number(&file)
    );
}

#[rstest]
#[case::unknown(
    "length = 'parsec'",
    "units.length = \"parsec\": must be a unit of length: meter, meter, m, mm, "
)]
#[case::other(
    "mass = 'mm'",
    "units.mass = \"mm\": must be a unit of mass: kg, g, lb, "
)]
#[case::misspelt(
    "lenght = 'mm'",
    "units.lenght = \"mm\": unknown key, did you mean length?"
)]
#[case::speed(
    "angular_speed = 'rmp'",
    "units.angular_speed = \"rmp\": must be a unit of angular_speed: rad/s, rpm, 1/min, deg/s"
)]
#[case::other_quantity(
    "power = 'rpm'",
    "units.power = \"rpm\": must be a unit of power: W, kW, hp, PS"
)]
#[case::number("force = 3", "units.force = 3: must be a text in quotes")]
fn a_unit_that_is_none_is_named(#[case] units: &str, #[case] fault: &str) {
    let (_, text) = presets::FILES[0];
    let error = Car::parse(&format!("{text}\n[units]\n{units}"), "e.toml").unwrap_err();
    assert!(error.to_string().contains(fault), "{error}");
}

/// A number that is too large in one unit may be right in another.
#[rstest]
#[case::unknown("length = 'millimeters'\nmass = 'gram'", &["units.length"])]
#[case::misspelt("lenght = 'mm'\nmass = 'gram'", &["units.lenght"])]
#[case::and_a_bad_number("length = 'millimeters'\nmass = 'gram'", &["drivetrain.gearbox.final_ratio", "units.length"])]
fn numbers_of_an_unknown_unit_are_not_judged(#[case] units: &str, #[case] paths: &[&str]) {
    let (_, text) = presets::FILES[0];
    let mut file: Table = text.parse().unwrap();
    for &(path, numbers) in DIMENSIONS {
        let steps: Vec<&str> = path.split('.').collect();
        if let Some(value) = file.get_mut(steps[0]) {
            convert(
                value,
                &steps[1..],
                numbers,
                &[1000.0, 1000.0, 1.0, 1000.0, 1000.0, 1e-6, 1000.0, 1.0],
            );
        }
    }
    file.insert("units".to_owned(), units.parse::<Table>().unwrap().into());
    if paths.len() > 1 {
        file["drivetrain"]["gearbox"]["final_ratio"] = Value::Float(-1.0);
    }
    let error = Car::parse(&file.to_string(), "e.toml").unwrap_err();
    let FileError::Invalid { faults, .. } = error else {
        panic!("{error}");
    };
    let mut found: Vec<&str> = faults.iter().map(|placed| &*placed.fault.path).collect();
    found.sort_unstable();
    assert_eq!(found, paths, "{faults:#?}");
}

#[test]
fn units_are_a_table() {
    let (_, text) = presets::FILES[0];
    let error = Car::parse(&format!("units = 'mm'\n{text}"), "e.toml").unwrap_err();
    let fault = "e.toml:1: units = \"mm\": must be a table";
    assert!(error.to_string().contains(fault), "{error}");
}
