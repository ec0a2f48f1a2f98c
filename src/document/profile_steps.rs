//! Migrations of records with a profile. Schema 2: settings went into the solver that they are of. Schema 3: the
//! profile has no units, parameters are in SI. Schema 4: the rows solver's observer has no limit of speed. Schema 5:
//! the profile says whether sprung masses may differ; text without it has the default. Schema 6: keys are spelled as today. Schema 7: vehicles have
//! driver aids.

use toml::{Table, Value};

use super::schema::Migration;
use super::spelling::to_present_keys;

/// Migrations of a vehicle's parameters.
pub(super) const OF_PARAMS: &[Migration] = &[
    settings_into_solver,
    units_into_world,
    remove_the_observers_speed,
    allow_other_sprung_masses,
    |params| to_present_keys(params, ""),
];
/// Migrations of a vehicle.
pub(super) const OF_VEHICLE: &[Migration] = &[
    |vehicle| settings_into_solver(params(vehicle)?),
    |vehicle| units_into_world(params(vehicle)?),
    |vehicle| remove_the_observers_speed(params(vehicle)?),
    |vehicle| allow_other_sprung_masses(params(vehicle)?),
    |vehicle| to_present_keys(vehicle, ""),
    // In schema 6, vehicles had no aids.
    |_| Ok(()),
];

/// Keys that schema 1 had beside one another and that belong to the explicit solver.
const EXPLICIT: [&str; 17] = [
    "output",
    "slip",
    "sticky",
    "stops",
    "tire_axes",
    "contact_point",
    "gravity_across",
    "integrates_gravity",
    "signed_substep_speed",
    "signed_blend_speed",
    "turns_once",
    "blend_speed",
    "project_suspension_force",
    "expansion",
    "bars_outlive_wheels",
    "damper_may_pull",
    "equal_bound_spins",
];

fn params(vehicle: &mut Table) -> Result<&mut Table, String> {
    let params = vehicle.get_mut("params").and_then(Value::as_table_mut);
    params.ok_or_else(|| "params are missing".to_owned())
}

fn settings_into_solver(params: &mut Table) -> Result<(), String> {
    let Some(Value::Table(profile)) = params.get_mut("profile") else {
        return Err("profile is missing".to_owned());
    };
    let rows = profile.remove("rows");
    let explicit = EXPLICIT.map(|key| (key.to_owned(), profile.remove(key)));
    let (name, settings) = match profile.get("solver").and_then(Value::as_str) {
        Some("rows") => ("rows", rows.unwrap_or_else(|| Table::new().into())),
        Some("explicit") => {
            let present = explicit.into_iter();
            let present = present.filter_map(|(key, value)| Some((key, value?)));
            ("explicit", Table::from_iter(present).into())
        }
        _ => return Err("profile.solver must be rows or explicit".to_owned()),
    };
    let solver = Table::from_iter([(name.to_owned(), settings)]);
    profile.insert("solver".to_owned(), solver.into());
    Ok(())
}

/// Units other than SI were those of the world, which is now wrapped.
fn units_into_world(params: &mut Table) -> Result<(), String> {
    let profile = params.get_mut("profile").and_then(Value::as_table_mut);
    let units = profile.and_then(|profile| profile.remove("units"));
    for key in ["length", "mass"] {
        let per_si = units.as_ref().and_then(|units| units.get(key));
        if per_si.is_some_and(|per_si| !is_one(per_si)) {
            return Err(format!(
                "profile.units.{key} must be 1: parameters are in SI, `InUnits` converts a world"
            ));
        }
    }
    Ok(())
}

fn remove_the_observers_speed(params: &mut Table) -> Result<(), String> {
    let profile = params.get_mut("profile").and_then(Value::as_table_mut);
    let solver = profile.and_then(|profile| profile.get_mut("solver")?.as_table_mut());
    if let Some(rows) = solver.and_then(|solver| solver.get_mut("rows")?.as_table_mut()) {
        rows.remove("observer_speed");
    }
    Ok(())
}

/// Changes nothing: binary documents alone must name values that text has by default.
fn allow_other_sprung_masses(_params: &mut Table) -> Result<(), String> {
    Ok(())
}

fn is_one(value: &Value) -> bool {
    value.as_float() == Some(1.0) || value.as_integer() == Some(1)
}
