//! Frames of `vehicle2` files: read in the format of the others, and what only they have computed from our vehicle.

use jounce::core::internals::stage_results;
use jounce::core::lanes::{Groups, W4};
use jounce::core::params::WheelParams;
use jounce::core::state::WheelState;
use jounce::core::{Vehicle, WheelReport};
use proving_ground::scenario::Scenario;
use serde_json::Value;

use super::super::figures::Own;
use super::super::recorded::{ANALOG, columns, without_engine};
use super::super::variants::Updated;
use super::super::{Recorded, clutch_slip, ratio};
use crate::row::numbers;

/// A frame in the format of the other traces; missing parts are at rest.
pub(in super::super) fn read(row: &Value, scenario: &Scenario) -> Result<Recorded, String> {
    let list = |key: &str| row.get(key).map(numbers).unwrap_or_default();
    let separations = list("sep");
    let model = scenario.model();
    let (count, wheels) = (model.wheel_count(), model.params().wheels.iter());
    let mut row = row.clone();
    // Without a gear change, PhysX's switch time is a marker.
    if let Some(time) = row.get("gst").and_then(Value::as_f64) {
        row["gst"] = time.max(0.0).into();
    }
    let columns = columns(&row);
    // PhysX 5 counts jounce from full droop, in single precision.
    let jounce: Vec<f32> = list("jounce")
        .iter()
        .zip(wheels)
        .map(|(jounce, wheel)| *jounce as f32 - wheel.suspension.max_droop)
        .collect();
    row["jounce"] = jounce.into();
    if !scenario.has_engine() {
        row = without_engine(&row);
    }
    let flags = |holds: fn(f64) -> bool| -> Value {
        separations
            .iter()
            .map(|sep| u8::from(holds(*sep)))
            .collect()
    };
    let rest = [
        ("air", flags(|sep| sep > 0.0)),
        ("lim", flags(|sep| sep < 0.0)),
        ("lft", vec![0; count].into()),
        ("lst", vec![0; count].into()),
        ("abt", 0.into()),
        ("gu", 0.into()),
        ("gd", 0.into()),
        ("skipped", 0.into()),
        ("in", vec![0; ANALOG].into()),
    ];
    for (key, value) in rest {
        if row.get(key).is_none() {
            row[key] = value;
        }
    }
    Recorded::parse(&row, count, columns)
}

/// Values that only these files have, or count otherwise: PhysX 5 counts jounce from full droop, and displays the true spins
/// and, with the opposite sign, the slip of the clutch before the substep, for tracks as if both drove forward.
pub(super) fn computed(updated: &Updated, shares: &[f32], groups: f64) -> Own {
    let vehicle = &updated.after;
    let each = |figure: fn(&WheelReport) -> f32| -> Vec<f64> {
        let wheels = 0..vehicle.model().wheel_count();
        let figures = wheels.map(|n| f64::from(figure(&vehicle.wheel_report(n))));
        figures.collect()
    };
    let control = vehicle.control();
    let stands = |wheels: &WheelState| {
        let ground = wheels.ground_normal;
        ground.dot(ground).gt(W4::ZERO).keep(W4::ONE)
    };
    let throttle = control
        .coupling
        .as_ref()
        .map_or(0.0, |engine| engine.throttle);
    let before = updated.before.state();
    let spins = before.wheels.iter().flat_map(|four| four.spin.to_array());
    let spins: Vec<f32> = spins.collect();
    let slip = clutch_slip(before.drive.engine_speed, ratio(control), shares, &spins);
    vec![
        ("jounce", jounces(vehicle)),
        ("omega", each(|wheel| wheel.spin)),
        ("jounce_speed", each(|wheel| wheel.jounce_speed)),
        ("sep", separations(vehicle)),
        ("hit", per_wheel(vehicle, &vehicle.state().wheels, stands)),
        // A marker where no gear is changed.
        (
            "gst",
            vec![f64::from(vehicle.state().drive.switch_time.max(0.0))],
        ),
        (
            "brake",
            per_wheel(vehicle, &control.wheels, |four| four.brake),
        ),
        (
            "tratio",
            per_wheel(vehicle, &control.wheels, |four| four.torque_share),
        ),
        ("thr", vec![f64::from(throttle)]),
        ("cslip", vec![-f64::from(slip)]),
        ("ngroups", vec![groups]),
    ]
}

/// A figure of each wheel, from groups of four.
fn per_wheel<T>(vehicle: &Vehicle, groups: &Groups<T>, figure: impl Fn(&T) -> W4) -> Vec<f64> {
    let all = groups.iter().flat_map(|four| figure(four).to_array());
    let wheels = all.take(vehicle.model().wheel_count());
    wheels.map(f64::from).collect()
}

/// Jounces from full droop (`m`).
fn jounces(vehicle: &Vehicle) -> Vec<f64> {
    let wheels = vehicle.model().params().wheels.iter().enumerate();
    let jounce = |(n, wheel): (usize, &WheelParams)| {
        f64::from(vehicle.wheel_report(n).jounce) + f64::from(wheel.suspension.max_droop)
    };
    wheels.map(jounce).collect()
}

/// Distances of wheels from the ground (`m`): negative beyond the stop; in the air a mark.
fn separations(vehicle: &Vehicle) -> Vec<f64> {
    per_wheel(vehicle, stage_results::outputs(vehicle), |out| {
        let beyond = -out.touch.beyond_stop.max(W4::ZERO);
        out.loaded.select(beyond, W4::splat(f32::MIN_POSITIVE))
    })
}
