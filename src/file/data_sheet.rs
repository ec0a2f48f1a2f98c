//! An engine as data sheets have it: net torque or power over speed instead of a peak torque and a curve in parts.
//!
//! Net torque is what leaves the engine at full throttle, so that friction and pumping are in it: damping then acts as far as the
//! throttle is closed. So it is with a map of torque over speed and throttle, whose last row is the net torque.

use drivetrain::SpeedMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};
use vehicle_core::{Check as _, Curve, Inspector};

use super::message;
use super::read::{FileFindings, deserialized, read, read_by};

/// Path of the data sheet's keys.
const PREFIX: &str = "drivetrain.engine";
/// Key of a map, which is the engine's, too.
const MAP: &str = "torque_map";
/// Keys that a data sheet says in its own way.
const REPLACED: [&str; 3] = ["peak_torque", "torque_curve", "damping_full_throttle"];

/// Keys of a data sheet.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DataSheet {
    /// Speed (`rad/s`) and torque (`N·m`).
    net_torque: Option<Curve>,
    /// Speed (`rad/s`) and power (`W`).
    net_power: Option<Curve>,
    /// Torque (`N·m`) over speed (`rad/s`) and throttle: a key of the engine, too.
    torque_map: Option<SpeedMap>,
}

/// The drivetrain of a table, whose engine may be given by a data sheet.
pub(super) fn read_drivetrain<T: DeserializeOwned>(
    mut drivetrain: Table,
    findings: &mut FileFindings,
) -> Option<T> {
    resolve(&mut drivetrain, findings);
    read_by(drivetrain, "drivetrain", findings, |table| {
        deserialized(table).map_err(|mut unread| {
            // The keys of a data sheet are known, too.
            let known = unread.message.starts_with(message::UNKNOWN_KEY);
            let own = unread.path.strip_prefix("engine");
            if known && own.is_some_and(|rest| rest.matches('.').count() <= 1) {
                unread.message += ", `net_torque`, `net_power`";
            }
            unread
        })
    })
}

/// Rewrites the data sheet in a drivetrain's table, if there is one, as peak torque and curve.
fn resolve(drivetrain: &mut Table, findings: &mut FileFindings) {
    let Some(engine) = drivetrain.get_mut("engine").and_then(Value::as_table_mut) else {
        return;
    };
    let keys = ["net_torque", "net_power", MAP];
    let map = engine.get(MAP).cloned();
    let taken = keys.map(|key| Some((key.to_owned(), engine.remove(key)?)));
    let given: Table = taken.into_iter().flatten().collect();
    if given.is_empty() {
        return;
    }
    let before = findings.count();
    let Some(sheet) = read::<DataSheet>(given, PREFIX, findings) else {
        return;
    };
    let mut inspector = Inspector::new();
    inspector.within(PREFIX, |i| sheet.check(engine, i));
    let found = inspector.verdict().err().map(|faults| faults.0);
    findings.broken.extend(found.into_iter().flatten());
    let sound = findings.count() == before;
    // Of a file with a fault, nothing is built.
    let torque = if sound { sheet.torque() } else { Vec::new() };
    insert(engine, &torque);
    engine.extend(map.map(|map| (MAP.to_owned(), map)));
}

impl DataSheet {
    /// Reports faults, also of an engine's other keys beside it.
    fn check(&self, engine: &Table, i: &mut Inspector) {
        let both = self.net_torque.is_some() && self.net_power.is_some();
        i.rule(!both, "net_power", "given", "", "net_torque says it");
        let net = self.net_torque.is_some() || self.net_power.is_some();
        let twice = self.torque_map.is_some() && net;
        i.rule(!twice, MAP, "given", "", "net_torque or net_power says it");
        for key in REPLACED {
            let rule = "must be left out beside net_torque, net_power or torque_map";
            i.rule(!engine.contains_key(key), key, "given", "", rule);
        }
        for (name, curve, unit, least) in [
            ("net_torque", &self.net_torque, "N·m", 0.0),
            ("net_power", &self.net_power, "W", f32::MIN_POSITIVE),
        ] {
            let Some(curve) = curve else {
                continue;
            };
            i.within(name, |i| {
                curve.check(i);
                for (n, [speed, value]) in curve.0.iter().enumerate() {
                    let [speed_name, value_name] = ["x", "y"].map(|axis| format!("[{n}].{axis}"));
                    let rule = "must be >= 0, of a power > 0";
                    i.rule(*speed >= least, &speed_name, speed, "rad/s", rule);
                    i.not_negative(&value_name, *value, unit);
                }
                let most = curve
                    .0
                    .iter()
                    .fold(0.0, |most: f32, [_, value]| most.max(*value));
                i.rule(most > 0.0, "", most, unit, "must be > 0 somewhere");
            });
        }
    }

    /// Speeds (`rad/s`) and torques (`N·m`).
    fn torque(self) -> Vec<[f32; 2]> {
        let of_power = |power: Curve| {
            let points = power.0.into_iter();
            points
                .map(|[speed, power]| [speed, power / speed])
                .collect()
        };
        let torque = self.net_torque.map(|torque| torque.0);
        let torque = torque.or(self.net_power.map(of_power));
        torque
            .or(self.torque_map.map(|map| full_throttle(&map)))
            .unwrap_or_default()
    }
}

/// Speeds (`rad/s`) and torques (`N·m`) of a map at full throttle, as many as a curve may have.
fn full_throttle(map: &SpeedMap) -> Vec<[f32; 2]> {
    let most = Curve::CAPACITY - 1;
    let last = map.speeds.len().saturating_sub(1);
    let speed = |n: usize| map.speeds.get(n).copied();
    let points = (0..=most.min(last)).filter_map(|n| speed(n * last / most.min(last).max(1)));
    points
        .map(|speed| [speed, map.at(speed, 1.0).max(0.0)])
        .collect()
}

/// Writes torques as parts of the greatest one over parts of the maximum speed, by default the last. Placeholders without torques.
fn insert(engine: &mut Table, torque: &[[f32; 2]]) {
    let last = torque.last().map_or(1.0, |[speed, _]| f64::from(*speed));
    let max_speed = engine
        .entry("max_speed")
        .or_insert(Value::Float(last))
        .clone();
    let max_speed = match max_speed {
        Value::Integer(speed) => speed as f64,
        other => other.as_float().unwrap_or(last),
    };
    let peak = torque
        .iter()
        .fold(0.0, |peak: f32, [_, torque]| peak.max(*torque));
    let peak = if peak > 0.0 { f64::from(peak) } else { 1.0 };
    let part = |&[speed, torque]: &[f32; 2]| {
        let point = [f64::from(speed) / max_speed, f64::from(torque) / peak];
        Value::from(point.to_vec())
    };
    let curve: Vec<Value> = match torque {
        [] => vec![Value::from(vec![0.0, 1.0])],
        torque => torque.iter().map(part).collect(),
    };
    for (key, value) in [
        ("peak_torque", Value::Float(peak)),
        ("torque_curve", Value::Array(curve)),
        ("damping_full_throttle", Value::Float(0.0)),
    ] {
        engine.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
pub(super) mod tests;
