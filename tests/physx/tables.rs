//! Function tables: one function per table recomputes a row's outputs.

mod anti_roll;
mod body;
mod clutch;
mod contact;
mod defaults;
mod drive;
mod drive_v2;
mod input;
mod judge;
mod suspension;
mod three_wheelers;
mod tire;
mod wheel_chain;
mod wheel_module;

use std::collections::BTreeMap;
use std::path::Path;

use crate::lines;
use crate::reference::{self, Comparison};
use serde_json::Value;

use crate::row::{Row, numbers};

/// Outputs of a row by column, in PhysX's axes; lists are flattened.
pub(crate) type Outputs = Vec<(&'static str, Vec<f64>)>;

/// Comparison of a table.
pub(crate) struct Table {
    /// Prefix of the file name.
    pub(crate) prefix: &'static str,
    /// Recomputes a row; `None` where PhysX has no answer.
    pub(crate) compute: fn(&Row<'_>) -> Option<Outputs>,
    /// Columns whose values have no common scale: each is its own.
    pub(crate) unbounded: &'static [&'static str],
}

const fn table(prefix: &'static str, compute: fn(&Row<'_>) -> Option<Outputs>) -> Table {
    Table {
        prefix,
        compute,
        unbounded: &[],
    }
}

/// Tables that are covered.
pub(crate) const TABLES: &[Table] = &[
    table("fn_ackermann", drive::ackermann),
    table("fn_ackermann_4w", drive::ackermann_car),
    table("fn_anti_roll_bar", anti_roll::legacy),
    table("fn_clutch_solver_4w", clutch::solver),
    table("fn_clutch_solver_nw", clutch::many_wheels),
    table("fn_clutch_solver_tank", clutch::tank),
    table("fn_diff_4w", drive::differential),
    table("fn_diff_tank", drive::tracks),
    table("fn_engine", drive::engine),
    table("fn_integrate_body", body::integrate),
    table("fn_lookup_table", drive::lookup),
    table("fn_modify_wheel_contacts", contact::modify),
    table("fn_nodrive_wheel_integrate", clutch::no_drive),
    table("fn_set_chassis_mass", body::set_chassis_mass),
    table("fn_sprung_masses", body::sprung_masses),
    table("fn_sticky_tire", tire::sticky),
    table("fn_suspension_mass", body::suspension_mass),
    table("fn_tire_dirs", tire::axes),
    table("fn_tire_force_default", tire::michigan),
    table("fn_tire_friction_curve", tire::friction_curve),
    table("fn_tire_load_filter", tire::load_filter),
    table("fn_tire_slips", tire::slips),
    table("fn_undriven_wheel_integrate", clutch::undriven),
    table("fn_update_cmass_local_pose", body::move_center_of_mass),
    table("fn_wheel_local_pose", suspension::wheel_pose),
    table("fn_wheel_module", wheel_module::wheel_module),
    table("fn_wheel_rotation_angle", suspension::rotation_angle),
    table("series_autobox", drive::autobox),
    table("v2_anti_roll", anti_roll::vehicle2),
    Table {
        // Beyond full sliding, the aligning moment is a polynomial without bound: up to 1e21 N·m here.
        unbounded: &["out_align_moment"],
        ..table("v2_wheel_chain", wheel_chain::wheel_chain)
    },
    table("v2_ackermann", drive_v2::ackermann),
    table(
        "v2_brake_clutch_throttle_response",
        drive_v2::linear_responses,
    ),
    table("v2_command_nonlinear_response", drive_v2::response),
    table("v2_diff_four_wheel", drive_v2::locking),
    table("v2_diff_legacy", drive_v2::limited_slip),
    table("v2_diff_multi_wheel", drive_v2::multi_wheel),
    table("v2_diff_tank", drive_v2::tracks),
    table("v2_series_autobox_gearbox", drive_v2::autobox),
    table("v2_direct_drive_update", clutch::direct),
    table("v2_engine_drivetrain_update", clutch::vehicle2),
    table("series_smoothing_4w", input::car),
    table("series_smoothing_tank", input::tank),
];

/// The file of default values is one object, not a table of rows.
pub(crate) const DEFAULTS: &str = "DEFAULTS_legacy";
/// The file of the default values of PhysX 5.
pub(crate) const DEFAULTS_5: &str = "DEFAULTS_vehicle2";

/// Full parameter sets before and after a conversion, not rows of columns either.
pub(crate) const THREE_WHEELERS: &str = "fn_three_wheel_mode";

/// Compares a table file; one line for the file.
pub(crate) fn compare(path: &Path, prefix: &'static str) -> Result<Vec<Comparison>, String> {
    match prefix {
        DEFAULTS => return defaults::compare(path),
        DEFAULTS_5 => return defaults::vehicle2::compare(path),
        _ => {}
    }
    if prefix == THREE_WHEELERS {
        return three_wheelers::compare(path);
    }
    let name = reference::stem(path);
    let Some(table) = TABLES.iter().find(|table| table.prefix == prefix) else {
        return Err(format!("{name}: nothing computes this table"));
    };
    judge::compare(table, &name, &lines::rows(path)?)
}

/// Expected outputs by column; a list of objects has one column per field, over all objects.
fn expected_columns(row: &Value) -> BTreeMap<String, Vec<f64>> {
    let mut columns = BTreeMap::<String, Vec<f64>>::new();
    let outputs = row.as_object().expect("a row is an object");
    for (key, value) in outputs.iter().filter(|(key, _)| is_output(key)) {
        match value
            .as_array()
            .filter(|list| list.iter().all(Value::is_object))
        {
            Some(objects) if !objects.is_empty() => {
                for (field, value) in objects
                    .iter()
                    .flat_map(|o| o.as_object().expect("an object"))
                {
                    let column = columns.entry(format!("{key}.{field}")).or_default();
                    column.extend(numbers(value));
                }
            }
            _ => {
                columns.insert(key.clone(), numbers(value));
            }
        }
    }
    columns
}

/// Outputs start with `out`; a list of wheels after a function is called `after`.
pub(crate) fn is_output(column: &str) -> bool {
    column == "out" || column == "after" || column.starts_with("out_")
}

/// One number as a column.
pub(crate) fn one(x: f32) -> Vec<f64> {
    vec![f64::from(x)]
}

/// A Boolean as a column.
pub(crate) fn yes(x: bool) -> Vec<f64> {
    vec![f64::from(u8::from(x))]
}

/// Numbers as a column.
pub(crate) fn all(xs: impl IntoIterator<Item = f32>) -> Vec<f64> {
    xs.into_iter().map(f64::from).collect()
}

/// A vector in our axes as a column in PhysX's axes.
pub(crate) fn vector(v: glam::Vec3) -> Vec<f64> {
    all(proving_ground::scenario::to_physx(v))
}
