//! PhysX's default values against ours.

mod chassis;
mod drive;
mod settings;
pub(crate) mod vehicle2;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::reference::{self, Comparison};
use serde_json::Value;

use crate::row::numbers;

/// Values by PhysX's names.
type Values = BTreeMap<&'static str, Vec<f64>>;

/// Zero in PhysX until a user sets it; here a file or a struct without it is invalid.
const MUST_BE_SAID: &str = "a user must say it: parameters have no defaults";
/// Empty bars of PhysX; a bar of ours is either listed or absent.
const NO_EMPTY_BAR: &str = "marks a bar that has not been filled in";
/// Zero in PhysX for wheels that do not steer.
const NOT_STEERED: &str = "an axle that does not steer is not listed";
const FROM_WHEELS: &str = "a vehicle file takes it from where the wheels are";

/// Values without a counterpart, and why they have none.
const NOT_COMPARED: [(&str, &str); 16] = [
    (
        "PxVehicleAckermannGeometryData.mAxleSeparation",
        FROM_WHEELS,
    ),
    ("PxVehicleAckermannGeometryData.mFrontWidth", FROM_WHEELS),
    ("PxVehicleAckermannGeometryData.mRearWidth", FROM_WHEELS),
    ("PxVehicleAntiRollBarData.mStiffness", NO_EMPTY_BAR),
    ("PxVehicleAntiRollBarData.mWheel0", NO_EMPTY_BAR),
    ("PxVehicleAntiRollBarData.mWheel1", NO_EMPTY_BAR),
    ("PxVehicleChassisData.mCMOffset", MUST_BE_SAID),
    ("PxVehicleChassisData.mMOI", MUST_BE_SAID),
    (
        "PxVehicleClutchData.mEstimateIterations",
        "who wants the estimate says its sweeps: `ClutchAccuracy::physx_estimate`",
    ),
    ("PxVehicleSuspensionData.mSpringDamperRate", MUST_BE_SAID),
    ("PxVehicleSuspensionData.mSpringStrength", MUST_BE_SAID),
    (
        "PxVehicleSuspensionData.mSprungMass",
        "a vehicle file without it takes what balances the car",
    ),
    ("PxVehicleWheelData.mMOI", MUST_BE_SAID),
    ("PxVehicleWheelData.mMaxSteer", NOT_STEERED),
    ("PxVehicleWheelData.mRadius", MUST_BE_SAID),
    ("PxVehicleWheelData.mWidth", MUST_BE_SAID),
];

/// Compares the file of default values.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let ours = ours();
    let (mut rows, mut worst) = (0, 0.0_f64);
    let mut left_out = BTreeMap::from(NOT_COMPARED);
    for (structure, fields) in value.as_object().ok_or("an object")? {
        for (field, theirs) in fields.as_object().ok_or("an object")? {
            let name = format!("{structure}.{field}");
            if left_out.remove(name.as_str()).is_some() {
                continue;
            }
            let mine = ours
                .get(name.as_str())
                .ok_or_else(|| format!("unknown schema: default {name}"))?;
            for (a, b) in mine.iter().zip(significant(&numbers(theirs), mine.len())?) {
                let error = (a - b).abs() / b.abs().max(1e-9);
                worst = worst.max(if a == &b { 0.0 } else { error });
            }
            rows += 1;
        }
    }
    if let Some((name, _)) = left_out.first_key_value() {
        return Err(format!("no default {name}"));
    }
    let why: BTreeSet<&str> = NOT_COMPARED.iter().map(|(_, why)| *why).collect();
    Ok(vec![Comparison {
        name: reference::stem(path),
        rows,
        max_error: worst,
        bound: f64::from(f32::EPSILON),
        note: format!(
            "{} values have no counterpart: {}",
            NOT_COMPARED.len(),
            why.into_iter().collect::<Vec<_>>().join("; ")
        ),
    }])
}

/// The first `count` numbers; what follows must repeat the last or be zero, as in PhysX's tables
/// of fixed length.
fn significant(theirs: &[f64], count: usize) -> Result<Vec<f64>, String> {
    let (head, tail) = theirs.split_at(count.min(theirs.len()));
    let padding = |x: &f64| *x == 0.0 || Some(x) == head.last();
    if head.len() == count && tail.iter().all(padding) {
        Ok(head.to_vec())
    } else {
        Err(format!("{} values, ours {count}", theirs.len()))
    }
}

fn ours() -> Values {
    let mut map = Values::new();
    chassis::add(&mut map);
    drive::add(&mut map);
    settings::add(&mut map);
    map
}
