//! Units of a vehicle file, the table `[units]`: quantities in them are converted to SI before anything else reads
//! the file.

use core::f64::consts::PI;

use serde::Deserialize;
use tire_models::tir::Units;
use toml::{Table, Value};
use vehicle_core::Fault;

use super::read::{FileFindings, Placeholder, read};

/// Names of units: of lengths, masses, forces and pressures as in `.tir` files. SI where a key is missing; speeds, torques,
/// pressures and powers then follow from the others.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitsFile {
    length: Option<String>,
    mass: Option<String>,
    force: Option<String>,
    speed: Option<String>,
    torque: Option<String>,
    pressure: Option<String>,
    power: Option<String>,
    angular_speed: Option<String>,
}

/// Powers of the units in [`UnitsFile`], in its order; seconds and radians are the same in all files.
type UnitPowers = [i32; 8];

const NUMBER: UnitPowers = [0; 8];
const AREA: UnitPowers = [2, 0, 0, 0, 0, 0, 0, 0];
/// Unit of lengths and accelerations.
const LENGTH: UnitPowers = [1, 0, 0, 0, 0, 0, 0, 0];
const PER_LENGTH: UnitPowers = [-1, 0, 0, 0, 0, 0, 0, 0];
const FORCE: UnitPowers = [0, 0, 1, 0, 0, 0, 0, 0];
const MASS: UnitPowers = [0, 1, 0, 0, 0, 0, 0, 0];
const INERTIA: UnitPowers = [2, 1, 0, 0, 0, 0, 0, 0];
/// Unit of stiffness and damping, which has a second more.
const STIFFNESS: UnitPowers = [-1, 0, 1, 0, 0, 0, 0, 0];
const SPEED: UnitPowers = [0, 0, 0, 1, 0, 0, 0, 0];
const PER_SQUARE_OF_SPEED: UnitPowers = [0, 0, 0, -2, 0, 0, 0, 0];
/// Unit of torques, rotational stiffness, and rotational damping, which is per `rad/s` in all files.
const TORQUE: UnitPowers = [0, 0, 0, 0, 1, 0, 0, 0];
const TORQUE_PER_SPEED: UnitPowers = [0, 0, 0, -1, 1, 0, 0, 0];
const PRESSURE: UnitPowers = [0, 0, 0, 0, 0, 1, 0, 0];
const POWER: UnitPowers = [0, 0, 0, 0, 0, 0, 1, 0];
const POWER_PER_SPEED: UnitPowers = [0, 0, 0, -1, 0, 0, 1, 0];
const ANGULAR_SPEED: UnitPowers = [0, 0, 0, 0, 0, 0, 0, 1];

/// Names of units with their values in SI.
type UnitNames = &'static [(&'static str, f64)];

const POUND_FORCE: f64 = 0.453_592_37 * 9.806_65;
const FOOT: f64 = 0.3048;
const SPEEDS: UnitNames = &[
    ("m/s", 1.0),
    ("km/h", 1.0 / 3.6),
    ("mph", 0.447_04),
    ("ft/s", FOOT),
];
const TORQUES: UnitNames = &[
    ("N·m", 1.0),
    ("Nm", 1.0),
    ("lbf·ft", POUND_FORCE * FOOT),
    ("lb-ft", POUND_FORCE * FOOT),
    ("kgf·m", 9.806_65),
];
const POWERS: UnitNames = &[
    ("W", 1.0),
    ("kW", 1e3),
    ("hp", 550.0 * POUND_FORCE * FOOT),
    ("PS", 75.0 * 9.806_65),
];
const ANGULAR_SPEEDS: UnitNames = &[
    ("rad/s", 1.0),
    ("rpm", PI / 30.0),
    ("1/min", PI / 30.0),
    ("deg/s", PI / 180.0),
];

/// The quantity of the numbers under a key.
#[derive(Clone, Copy)]
enum Numbers {
    /// Numbers of one dimension.
    All(UnitPowers),
    /// Points of a table: the first number of each, and the others.
    Points(UnitPowers, UnitPowers),
}

use Numbers::{All, Points};

/// Every key with a dimension, those within lists without their indices. Tires are not among them: the
/// tables under `[tires]` are in SI, a `.tir` file has units of its own.
const DIMENSIONS: &[(&str, Numbers)] = &[
    ("rows.carcass_stiffness", All(PER_LENGTH)),
    ("sweep.inflation", All(LENGTH)),
    ("substeps.threshold_speed", All(SPEED)),
    ("chassis.mass", All(MASS)),
    ("chassis.inertia", All(INERTIA)),
    ("chassis.products.*", All(INERTIA)),
    ("chassis.center_of_mass", All(LENGTH)),
    ("chassis.design_gravity", All(LENGTH)),
    ("chassis.hull.size", All(LENGTH)),
    ("chassis.hull.center", All(LENGTH)),
    ("ladder.rungs.end", All(LENGTH)),
    ("coupling.position", All(LENGTH)),
    ("coupling.load", All(MASS)),
    ("coupling.roll_stiffness", All(TORQUE)),
    ("rear_coupling.position", All(LENGTH)),
    ("rear_coupling.roll_stiffness", All(TORQUE)),
    ("aids.*.speed", All(SPEED)),
    ("aids.*.band", All(SPEED)),
    ("aids.*.least_speed", All(SPEED)),
    ("aids.*.greatest_speed", All(SPEED)),
    ("aids.*.end_speed", All(SPEED)),
    ("aids.*.brake_speed", All(SPEED)),
    ("aids.*.characteristic_speed", All(SPEED)),
    ("aids.*.engine_speed", All(ANGULAR_SPEED)),
    ("aids.*.yaw_rate", All(ANGULAR_SPEED)),
    ("aids.*.yaw_tolerance", All(ANGULAR_SPEED)),
    ("aids.cruise-control.gain", All(TORQUE_PER_SPEED)),
    ("aids.*.greatest_torque", All(TORQUE)),
    ("aids.*.least_torque", All(TORQUE)),
    ("aids.*.brake", All(TORQUE)),
    ("aids.*.fill_rate", All(TORQUE)),
    ("aids.abs.release_rate", All(TORQUE)),
    ("aids.abs.front_parting_rate", All(TORQUE)),
    ("aids.valve-abs.release_rate", All(TORQUE)),
    ("aids.valve-abs.pedal_rate", All(TORQUE)),
    ("aids.valve-abs.pump_rate", All(TORQUE)),
    ("aids.valve-abs.accumulator", All(TORQUE)),
    ("aids.valve-abs.falling", All(LENGTH)),
    ("aids.valve-abs.rising", All(LENGTH)),
    ("aids.*.deceleration", All(LENGTH)),
    ("aids.cruise-control.least_gap", All(LENGTH)),
    ("aids.parking-brake.torque", All(TORQUE)),
    ("aids.brake-fade.capacity", All(POWER)),
    ("aids.brake-fade.cooling", All(POWER)),
    ("aids.brake-fade.cooling_by_speed", All(POWER_PER_SPEED)),
    ("axles.x", All(LENGTH)),
    ("axles.track", All(LENGTH)),
    ("axles.z", All(LENGTH)),
    ("axles.radius", All(LENGTH)),
    ("axles.width", All(LENGTH)),
    ("axles.mass", All(MASS)),
    ("axles.inertia", All(INERTIA)),
    ("axles.damping", All(TORQUE)),
    ("axles.suspension.stiffness", All(STIFFNESS)),
    ("axles.suspension.damping", All(STIFFNESS)),
    ("axles.suspension.damping.bump.rate", All(STIFFNESS)),
    ("axles.suspension.damping.bump.knee.speed", All(SPEED)),
    ("axles.suspension.damping.bump.knee.rate", All(STIFFNESS)),
    ("axles.suspension.damping.rebound.rate", All(STIFFNESS)),
    ("axles.suspension.damping.rebound.knee.speed", All(SPEED)),
    ("axles.suspension.damping.rebound.knee.rate", All(STIFFNESS)),
    ("axles.suspension.spring_curve", Points(LENGTH, FORCE)),
    ("axles.suspension.bump_curve", Points(SPEED, FORCE)),
    ("axles.suspension.rebound_curve", Points(SPEED, FORCE)),
    ("axles.suspension.bump_stop_stiffness", All(STIFFNESS)),
    ("axles.suspension.max_compression", All(LENGTH)),
    ("axles.suspension.max_droop", All(LENGTH)),
    ("axles.suspension.sprung_mass", All(MASS)),
    ("axles.suspension.force_height", All(LENGTH)),
    // Of `compliance` and `compliance_right`.
    ("axles.*.toe_deg", Points(LENGTH, NUMBER)),
    ("axles.compliance.camber_deg", Points(LENGTH, NUMBER)),
    ("axles.compliance_right.camber_deg", Points(LENGTH, NUMBER)),
    ("axles.*.shift", Points(LENGTH, LENGTH)),
    ("axles.*.suspension_point", Points(LENGTH, LENGTH)),
    ("axles.*.tire_point", Points(LENGTH, LENGTH)),
    (
        "axles.*.by_longitudinal_force.toe_deg",
        Points(FORCE, NUMBER),
    ),
    (
        "axles.*.by_longitudinal_force.camber_deg",
        Points(FORCE, NUMBER),
    ),
    ("axles.*.by_longitudinal_force.shift", Points(FORCE, LENGTH)),
    ("axles.*.by_lateral_force.toe_deg", Points(FORCE, NUMBER)),
    ("axles.*.by_lateral_force.camber_deg", Points(FORCE, NUMBER)),
    ("axles.*.by_lateral_force.shift", Points(FORCE, LENGTH)),
    ("axles.*.by_aligning_moment.toe_deg", Points(TORQUE, NUMBER)),
    (
        "axles.*.by_aligning_moment.camber_deg",
        Points(TORQUE, NUMBER),
    ),
    ("axles.*.by_aligning_moment.shift", Points(TORQUE, LENGTH)),
    ("axles.links.roll_center", All(LENGTH)),
    ("axles.unsprung.mass", All(MASS)),
    ("axles.unsprung.tire_stiffness", All(STIFFNESS)),
    ("axles.unsprung.tire_damping", All(STIFFNESS)),
    ("axles.tire.force_height", All(LENGTH)),
    (
        "axles.tire.rolling_resistance_rise",
        All(PER_SQUARE_OF_SPEED),
    ),
    ("axles.brakes.max_torque", All(TORQUE)),
    ("axles.brakes.max_handbrake_torque", All(TORQUE)),
    ("axles.steering.separation", All(LENGTH)),
    ("axles.steering.axis.trail", All(LENGTH)),
    ("axles.steering.axis.scrub_radius", All(LENGTH)),
    ("anti_roll.stiffness", All(STIFFNESS)),
    ("aerodynamics.area", All(AREA)),
    ("aerodynamics.wheelbase", All(LENGTH)),
    ("aerodynamics.point", All(LENGTH)),
    ("aerodynamics.ground_effect.*", Points(LENGTH, NUMBER)),
    ("drivetrain.max_torques", All(TORQUE)),
    ("drivetrain.motors.inertia", All(INERTIA)),
    ("drivetrain.motors.peak_torque", All(TORQUE)),
    ("drivetrain.motors.peak_power", All(POWER)),
    ("drivetrain.motors.weakening_speed", All(ANGULAR_SPEED)),
    ("drivetrain.motors.max_speed", All(ANGULAR_SPEED)),
    (
        "drivetrain.motors.torque_curve",
        Points(ANGULAR_SPEED, TORQUE),
    ),
    (
        "drivetrain.motors.losses.copper",
        All([0, 0, 0, 0, -2, 0, 1, 0]),
    ),
    (
        "drivetrain.motors.losses.iron",
        All([0, 0, 0, 0, 0, 0, 1, -1]),
    ),
    ("drivetrain.motors.losses.constant", All(POWER)),
    // Per kelvin; of the energy of a second.
    ("drivetrain.motors.heat.capacity", All(POWER)),
    ("drivetrain.motors.heat.cooling", All(POWER)),
    (
        "drivetrain.power_split.operating_line",
        Points(POWER, ANGULAR_SPEED),
    ),
    ("drivetrain.power_split.speed_rate", All(ANGULAR_SPEED)),
    ("drivetrain.power_split.start_power", All(POWER)),
    ("drivetrain.power_split.stop_power", All(POWER)),
    ("drivetrain.power_split.electric_speed", All(SPEED)),
    ("drivetrain.power_split.charge_power", All(POWER)),
    ("drivetrain.parallel.input_torque", All(TORQUE)),
    ("drivetrain.parallel.cranking_torque", All(TORQUE)),
    ("drivetrain.parallel.start_power", All(POWER)),
    ("drivetrain.parallel.stop_power", All(POWER)),
    ("drivetrain.parallel.electric_speed", All(SPEED)),
    ("drivetrain.parallel.charge_power", All(POWER)),
    ("drivetrain.parallel.clutch.strength", All(TORQUE)),
    ("drivetrain.parallel.clutch.capacity", All(TORQUE)),
    ("drivetrain.parallel.clutch.creep_torque", All(TORQUE)),
    ("drivetrain.battery.discharge_power", All(POWER)),
    ("drivetrain.battery.charge_power", All(POWER)),
    ("drivetrain.regeneration.alone", All(TORQUE)),
    ("drivetrain.regeneration.fade", All(SPEED)),
    ("drivetrain.creep.torque", All(TORQUE)),
    ("drivetrain.creep.speed", All(SPEED)),
    ("drivetrain.vectoring.gain", All(TORQUE)),
    ("drivetrain.vectoring.characteristic_speed", All(SPEED)),
    ("drivetrain.vectoring.max_torque", All(TORQUE)),
    ("drivetrain.engine.inertia", All(INERTIA)),
    ("drivetrain.engine.peak_torque", All(TORQUE)),
    ("drivetrain.engine.idle_speed", All(ANGULAR_SPEED)),
    ("drivetrain.engine.max_speed", All(ANGULAR_SPEED)),
    (
        "drivetrain.engine.net_torque",
        Points(ANGULAR_SPEED, TORQUE),
    ),
    ("drivetrain.engine.net_power", Points(ANGULAR_SPEED, POWER)),
    ("drivetrain.engine.damping_full_throttle", All(TORQUE)),
    (
        "drivetrain.engine.damping_zero_throttle_engaged",
        All(TORQUE),
    ),
    (
        "drivetrain.engine.damping_zero_throttle_disengaged",
        All(TORQUE),
    ),
    ("drivetrain.engine.static_friction", All(TORQUE)),
    ("drivetrain.engine.idle_torque", All(TORQUE)),
    // Per kilogram and per cubic meter in all files.
    (
        "drivetrain.engine.fuel.friction",
        Points(ANGULAR_SPEED, TORQUE),
    ),
    ("drivetrain.engine.torque_map.speeds", All(ANGULAR_SPEED)),
    ("drivetrain.engine.torque_map.rows", Points(NUMBER, TORQUE)),
    ("drivetrain.engine.limiter.*", All(ANGULAR_SPEED)),
    (
        "drivetrain.engine.turbo.unboosted",
        Points(ANGULAR_SPEED, NUMBER),
    ),
    ("drivetrain.engine.turbo.lag", Points(ANGULAR_SPEED, NUMBER)),
    ("drivetrain.engine.fuel.cut_speed", All(ANGULAR_SPEED)),
    ("drivetrain.engine.fuel.map.speeds", All(ANGULAR_SPEED)),
    ("drivetrain.engine.fuel.map.rows", Points(TORQUE, NUMBER)),
    ("drivetrain.clutch.strength", All(TORQUE)),
    ("drivetrain.clutch.capacity", All(TORQUE)),
    ("drivetrain.clutch.creep_torque", All(TORQUE)),
    (
        "drivetrain.retarder.torque_curve",
        Points(ANGULAR_SPEED, TORQUE),
    ),
    ("drivetrain.power_take_off.torque", All(TORQUE)),
    ("drivetrain.converter.inertia", All(INERTIA)),
    ("drivetrain.converter.capacity", Points(NUMBER, TORQUE)),
    ("drivetrain.converter.lock_up.capacity", All(TORQUE)),
    (
        "drivetrain.variator.speed_map.by_speed",
        Points(SPEED, ANGULAR_SPEED),
    ),
    (
        "drivetrain.differential.slip_limiter.plates.preload",
        All(TORQUE),
    ),
    (
        "drivetrain.differential.axles.slip_limiter.plates.preload",
        All(TORQUE),
    ),
    (
        "drivetrain.differential.slip_limiter.viscous.torque_curve",
        Points(ANGULAR_SPEED, TORQUE),
    ),
    (
        "drivetrain.differential.axles.slip_limiter.viscous.torque_curve",
        Points(ANGULAR_SPEED, TORQUE),
    ),
    ("drivetrain.differential.tracks.radii", All(LENGTH)),
    ("drivetrain.steering.system.wheel_inertia", All(INERTIA)),
    ("drivetrain.steering.system.rack_inertia", All(INERTIA)),
    ("drivetrain.steering.system.column_stiffness", All(TORQUE)),
    ("drivetrain.steering.system.rack_stiffness", All(TORQUE)),
    ("drivetrain.steering.system.damping", All(TORQUE)),
    ("drivetrain.steering.system.friction", All(TORQUE)),
    ("drivetrain.steering.system.assist.torque", All(TORQUE)),
    (
        "drivetrain.steering.system.assist.by_speed",
        Points(SPEED, TORQUE),
    ),
    ("drivetrain.steering.system.tread.stiffness", All(TORQUE)),
    ("drivetrain.steering.system.tread.pressure", All(PRESSURE)),
    ("drivetrain.*.*.rows.by_speed", Points(SPEED, NUMBER)),
    ("drivetrain.responses.top_speed", All(SPEED)),
    ("drivetrain.responses.top_speed_reverse", All(SPEED)),
];

/// Takes `[units]` out of a file and brings its numbers to SI.
pub(super) fn bring_to_si(file: &mut Table, findings: &mut FileFindings) {
    let units = match file.remove("units") {
        None => return,
        Some(Value::Table(units)) => units,
        Some(other) => {
            let fault = fault("units", &other, "must be a table");
            return findings.broken.push(fault);
        }
    };
    let before = findings.count();
    let named: UnitsFile = read(units, "units", findings).unwrap_or_default();
    // A misspelt key may be that of any quantity.
    let misread = findings.count() > before;
    let mut si = |quantity, name: Option<String>, derived: f64| match name {
        None if misread => any_unit(quantity, None, findings),
        None => derived,
        Some(name) => {
            in_si(quantity, &name).unwrap_or_else(|| any_unit(quantity, Some(name), findings))
        }
    };
    let [length, mass, force] = [
        si("length", named.length, 1.0),
        si("mass", named.mass, 1.0),
        si("force", named.force, 1.0),
    ];
    let torque = si("torque", named.torque, force * length);
    let units = [
        length,
        mass,
        force,
        si("speed", named.speed, length),
        torque,
        si("pressure", named.pressure, force / (length * length)),
        si("power", named.power, torque),
        si("angular_speed", named.angular_speed, 1.0),
    ];
    for &(path, numbers) in DIMENSIONS {
        let steps: Vec<&str> = path.split('.').collect();
        if let Some((first, rest)) = steps.split_first()
            && let Some(value) = file.get_mut(*first)
        {
            convert(value, rest, numbers, &units);
        }
    }
}

/// The units of a quantity that `.tir` files do not name.
fn own_names(quantity: &str) -> UnitNames {
    match quantity {
        "speed" => SPEEDS,
        "torque" => TORQUES,
        "power" => POWERS,
        "angular_speed" => ANGULAR_SPEEDS,
        _ => &[],
    }
}

/// A unit of a quantity in SI, if there is one of this name.
fn in_si(quantity: &str, name: &str) -> Option<f64> {
    let same = |(known, _): &&(&str, f64)| known.eq_ignore_ascii_case(name);
    if let Some((_, in_si)) = own_names(quantity).iter().find(same) {
        return Some(*in_si);
    }
    let mut units = Units::SI;
    let known = units.count_in(name) == Some(quantity);
    known.then_some(match quantity {
        "length" => units.length,
        "mass" => units.mass,
        "pressure" => units.pressure?,
        _ => units.force,
    })
}

/// A stand-in for an unknown unit: faults reported with it hold in any unit.
fn any_unit(quantity: &str, name: Option<String>, findings: &mut FileFindings) -> f64 {
    let path = format!("units.{quantity}");
    let unknown = name.map(|name| {
        let own = own_names(quantity).iter().map(|(name, _)| *name);
        let known: Vec<&str> = own.chain(Units::names(quantity)).collect();
        let rule = format!("must be a unit of {quantity}: {}", known.join(", "));
        fault(&path, &Value::String(name), &rule)
    });
    match findings.stand_in(path, unknown) {
        Placeholder::Small => 1e-3,
        Placeholder::Negative => 1.0,
        Placeholder::Large => 1e3,
    }
}

fn fault(path: &str, value: &Value, rule: &str) -> Fault {
    Fault {
        path: path.to_owned(),
        value: value.to_string(),
        rule: rule.to_owned(),
    }
}

/// Converts what stands under the keys `steps` of a value, or of each of a list; `*` is any key.
fn convert(value: &mut Value, steps: &[&str], numbers: Numbers, units: &[f64; 8]) {
    match (steps.split_first(), value) {
        (None, value) => convert_numbers(value, numbers, units),
        (Some(_), Value::Array(list)) => {
            list.iter_mut()
                .for_each(|part| convert(part, steps, numbers, units));
        }
        (Some((step, rest)), Value::Table(table)) => {
            let parts = table
                .iter_mut()
                .filter(|(key, _)| *step == "*" || key == step);
            parts.for_each(|(_, part)| convert(part, rest, numbers, units));
        }
        // What is of another type than it should be is a fault that the reader finds.
        _ => {}
    }
}

fn convert_numbers(value: &mut Value, numbers: Numbers, units: &[f64; 8]) {
    match (numbers, value) {
        (All(dimension), value) => multiply(value, factor(dimension, units)),
        (Points(first, others), Value::Array(points)) => {
            for point in points.iter_mut().filter_map(Value::as_array_mut) {
                for (n, part) in point.iter_mut().enumerate() {
                    multiply(part, factor(if n == 0 { first } else { others }, units));
                }
            }
        }
        _ => {}
    }
}

/// SI units in a unit of this dimension.
fn factor(dimension: UnitPowers, units: &[f64; 8]) -> f64 {
    let powers = units.iter().zip(dimension);
    powers.map(|(unit, power)| unit.powi(power)).product()
}

/// Multiplies a number, or all of a list.
fn multiply(value: &mut Value, factor: f64) {
    match value {
        Value::Integer(n) if factor != 1.0 => *value = Value::Float(*n as f64 * factor),
        Value::Float(x) => *x *= factor,
        Value::Array(list) => list.iter_mut().for_each(|part| multiply(part, factor)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
