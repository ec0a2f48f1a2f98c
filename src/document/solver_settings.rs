//! The step from schema 1 to 2 of what holds a profile: settings went into the solver that they are of.

use toml::{Table, Value};

/// What schema 1 had beside one another, of the explicit solver.
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

/// Of a vehicle's parameters.
///
/// # Errors
/// If they have no profile, or its solver is unknown.
pub(super) fn of_params(params: &mut Table) -> Result<(), String> {
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

/// Of a vehicle.
///
/// # Errors
/// If it has no parameters, and as [`of_params`].
pub(super) fn of_vehicle(vehicle: &mut Table) -> Result<(), String> {
    match vehicle.get_mut("params") {
        Some(Value::Table(params)) => of_params(params),
        _ => Err("params are missing".to_owned()),
    }
}
