//! Function tables: one function per table recomputes a row's outputs.

mod anti_roll;
mod body;
mod clutch;
mod contact;
mod defaults;
mod drive;
mod drive_v2;
mod input;
mod suspension;
mod three_wheelers;
mod tire;
mod wheel_chain;

use core::fmt;
use std::collections::BTreeMap;
use std::path::Path;

use crate::lines;
use crate::reference::{self, Comparison};
use serde_json::Value;

use crate::row::{Row, numbers};

/// Outputs of a row by column, in PhysX's axes; lists are flattened.
pub(crate) type Outputs = Vec<(&'static str, Vec<f64>)>;

/// How a table is compared.
pub(crate) struct Table {
    /// Prefix of the file name.
    pub(crate) prefix: &'static str,
    /// Recomputes a row; `None` for rows that cannot be compared.
    pub(crate) compute: fn(&Row<'_>) -> Option<Outputs>,
    /// Maximum error, relative to the column's scale.
    pub(crate) bound: f64,
    /// Permitted exclusions: reason and maximum number.
    pub(crate) apart: &'static [(&'static str, usize)],
}

/// Reason to exclude a row whose result depends on rounding.
const ROUNDING: &str = "rows decided by rounding";

/// The bound of nearly all tables.
const TIGHT: f64 = 2e-5;
/// Forces of a whole wheel pass through many more operations.
const WHEEL: f64 = 1e-4;

const fn table(prefix: &'static str, compute: fn(&Row<'_>) -> Option<Outputs>) -> Table {
    Table {
        prefix,
        compute,
        bound: TIGHT,
        apart: &[],
    }
}

/// This table with permitted exclusions.
const fn except(table: Table, apart: &'static [(&'static str, usize)]) -> Table {
    Table { apart, ..table }
}

/// Tables that are covered.
pub(crate) const TABLES: &[Table] = &[
    table("fn_ackermann", drive::ackermann),
    table("fn_ackermann_4w", drive::ackermann_car),
    table("fn_anti_roll_bar", anti_roll::legacy),
    table("fn_clutch_solver_4w", clutch::solver),
    table("fn_clutch_solver_nw", clutch::many_wheels),
    except(
        table("fn_clutch_solver_tank", clutch::tank),
        &[(ROUNDING, 3)],
    ),
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
    table("fn_update_cmass_local_pose", body::move_centre_of_mass),
    table("fn_wheel_local_pose", suspension::wheel_pose),
    Table {
        prefix: "fn_wheel_module",
        compute: suspension::wheel_module,
        bound: WHEEL,
        apart: &[(ROUNDING, 13)],
    },
    table("fn_wheel_rotation_angle", suspension::rotation_angle),
    table("series_autobox", drive::autobox),
    table("v2_anti_roll", anti_roll::vehicle2),
    except(
        table("v2_wheel_chain", wheel_chain::wheel_chain),
        &[
            (ROUNDING, 1),
            (wheel_chain::MARKS, 75),
            (wheel_chain::SLIDES, 179),
        ],
    ),
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
/// The same of PhysX 5.
pub(crate) const DEFAULTS_5: &str = "DEFAULTS_vehicle2";

/// Full parameter sets before and after a conversion, not rows of columns either.
pub(crate) const THREE_WHEELERS: &str = "fn_three_wheel_mode";

/// Scale and error of one column.
#[derive(Default)]
struct Column {
    scale: f64,
    error: f64,
}

impl Column {
    fn relative(&self) -> f64 {
        if self.error == 0.0 {
            0.0
        } else {
            self.error / self.scale
        }
    }
}

/// Compares a table file; one line for the file.
pub(crate) fn compare(path: &Path, prefix: &'static str) -> Result<Vec<Comparison>, String> {
    match prefix {
        DEFAULTS => return defaults::compare(path),
        DEFAULTS_5 => return defaults::compare_vehicle2(path),
        _ => {}
    }
    if prefix == THREE_WHEELERS {
        return three_wheelers::compare(path);
    }
    let name = reference::stem(path);
    let Some(table) = TABLES.iter().find(|table| table.prefix == prefix) else {
        return Err(format!("{name}: nothing computes this table"));
    };
    let rows = lines::rows(path)?;
    let mut columns = BTreeMap::<String, Column>::new();
    let (mut compared, mut apart) = (0, Apart::default());
    for (n, value) in rows.iter().enumerate() {
        let row = Row::new(value);
        let Some(outputs) = (table.compute)(&row) else {
            let why = row.apart();
            apart.add(
                1,
                why.ok_or_else(|| format!("{name} row {}: nothing computed", n + 1))?,
            );
            continue;
        };
        let unknown = row.unknown();
        if !unknown.is_empty() {
            return Err(format!("{name}: unknown schema: columns {unknown:?}"));
        }
        add_row(value, &outputs, &row.left_out(), &mut columns, &mut apart)
            .map_err(|error| format!("{name} row {}: {error}", n + 1))?;
        compared += 1;
    }
    apart
        .within(table.apart)
        .map_err(|error| format!("{name}: {error}"))?;
    let worst = columns
        .iter()
        .max_by(|a, b| a.1.relative().total_cmp(&b.1.relative()));
    let mut note = worst.map_or(String::new(), |(column, _)| format!("worst: {column}"));
    note += &apart.to_string();
    Ok(vec![Comparison {
        name,
        rows: compared,
        max_error: worst.map_or(0.0, |(_, column)| column.relative()),
        bound: table.bound,
        note,
    }])
}

/// Number of exclusions by reason.
#[derive(Default)]
struct Apart(BTreeMap<&'static str, usize>);

impl Apart {
    fn add(&mut self, count: usize, why: &'static str) {
        *self.0.entry(why).or_default() += count;
    }

    /// Whether the exclusions are within those of the table.
    fn within(&self, allowed: &[(&'static str, usize)]) -> Result<(), String> {
        for (why, count) in &self.0 {
            let most = allowed.iter().find(|(known, _)| known == why);
            let most = most.map_or(0, |(_, most)| *most);
            if *count > most {
                return Err(format!("{count} {why}, at most {most} are allowed"));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = self.0.iter();
        all.try_for_each(|(why, count)| write!(f, ", {count} {why}"))
    }
}

/// Adds a row's errors; exclusions are counted.
fn add_row(
    expected: &Value,
    outputs: &Outputs,
    left_out: &[(&'static str, &'static str)],
    columns: &mut BTreeMap<String, Column>,
    apart: &mut Apart,
) -> Result<(), String> {
    let wanted = expected_columns(expected);
    for (column, why) in left_out {
        let theirs = wanted.get(*column).map_or(0, Vec::len);
        apart.add(theirs, why);
    }
    let mut known: Vec<&str> = outputs.iter().map(|(name, _)| *name).collect();
    known.extend(left_out.iter().map(|(column, _)| *column));
    for key in wanted.keys() {
        if !known.contains(&key.as_str()) {
            return Err(format!("unknown schema: column {key}"));
        }
    }
    for (name, ours) in outputs {
        let theirs = wanted
            .get(*name)
            .ok_or_else(|| format!("no column {name}"))?;
        if theirs.len() != ours.len() {
            return Err(format!(
                "{name}: {} values, ours {}",
                theirs.len(),
                ours.len()
            ));
        }
        let column = columns.entry((*name).to_owned()).or_default();
        for (a, b) in ours.iter().zip(theirs) {
            let error = (a - b).abs();
            if !error.is_finite() {
                return Err(format!("{name}: {b}, ours {a}: not finite"));
            }
            column.scale = column.scale.max(b.abs());
            column.error = column.error.max(error);
        }
    }
    Ok(())
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
