//! Tables of the small laws: every output of every row, in double and in single precision.

mod laws;
pub(crate) mod parameters;

use std::collections::BTreeMap;
use std::path::Path;

use crate::reference::{self, Comparison};
use jounce::tires::real::Real;

use crate::table::{Row, Table};
pub(crate) use parameters::Parameters;

/// Maximum errors, relative to the maximum value of a column.
const DOUBLE_BOUND: f64 = 1e-12;
const SINGLE_BOUND: f64 = 2e-5;

/// A kind of table.
pub(crate) struct Law {
    /// Prefix of its file names.
    pub(crate) prefix: &'static str,
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
    double: Outputs,
    single: Outputs,
    /// Outputs that are compared in single precision only: columns of a single-precision program.
    single_outputs: &'static [&'static str],
}

/// The outputs of a row, in the order of their columns.
type Outputs = fn(&Row<'_>, &Parameters) -> Result<Vec<f64>, String>;

/// Every kind.
pub(crate) const LAWS: &[Law] = &[
    Law {
        prefix: "bakker1987",
        inputs: &["quantity", "x", "Fz_kN", "gamma_deg"],
        outputs: &["value", "B", "C", "D", "E"],
        double: laws::bakker87::<f64>,
        single: laws::bakker87::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "pacejka89",
        inputs: &["set", "kappa_percent", "alpha_deg", "gamma_deg", "Fz_kN"],
        outputs: &["Fx", "Fy", "Mz"],
        double: laws::pacejka89::<f64>,
        single: laws::pacejka89::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "pacejka94",
        inputs: &["set", "kappa_percent", "alpha_deg", "gamma_deg", "Fz_kN"],
        outputs: &["Fx", "Fy", "Mz"],
        double: laws::pacejka94::<f64>,
        single: laws::pacejka94::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "brush_isotropic",
        inputs: &["mu", "cp_N_m2", "a", "Fz", "kappa", "tan_alpha"],
        outputs: &["Fx", "Fy", "Mz"],
        double: laws::brush::<f64>,
        single: laws::brush::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "dugoff",
        inputs: &["Cx", "Cy", "mu", "kappa", "tan_alpha", "Fz"],
        outputs: &["Fx", "Fy"],
        double: laws::dugoff::<f64>,
        single: laws::dugoff::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "fiala_adams",
        inputs: &[
            "CSLIP", "CALPHA", "UMIN", "UMAX", "width", "mu", "mu0", "kappa", "alpha", "Fz",
        ],
        outputs: &["Fx", "Fy", "Mz"],
        double: laws::fiala::<f64>,
        single: laws::fiala::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "tmeasy",
        inputs: &[
            "set",
            "load_capacity_N",
            "width",
            "aspect",
            "rim_diameter",
            "Fz",
            "vx",
            "vy",
            "omega",
            "depth",
            "mu_road",
        ],
        outputs: &["sx", "sy", "q", "Fx", "Fy", "Mz"],
        double: laws::tmeasy::<f64>,
        single: laws::tmeasy::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "tmsimple",
        inputs: &["pn", "sx", "sy", "Fz", "muscale"],
        outputs: &["Fx", "Fy"],
        double: laws::tmsimple::<f64>,
        single: laws::tmsimple::<f32>,
        single_outputs: &[],
    },
    Law {
        prefix: "michigan_physx",
        inputs: &[
            "latStiffX",
            "latStiffY",
            "longStiff",
            "camberStiff",
            "restLoad",
            "friction",
            "long_slip",
            "lat_slip",
            "camber",
            "wheel_radius",
            "load",
        ],
        outputs: &["wheel_torque", "long_force", "lat_force", "align_moment"],
        double: laws::michigan,
        single: laws::michigan_in_a_vehicle,
        single_outputs: &[
            "wheel_torque_f32",
            "long_force_f32",
            "lat_force_f32",
            "align_moment_f32",
        ],
    },
];

impl Law {
    /// The kind of a file's name.
    pub(crate) fn of(stem: &str) -> Option<&'static Self> {
        LAWS.iter().find(|law| stem.starts_with(law.prefix))
    }

    /// Columns for single precision: those of the single-precision program, if there is one.
    fn singles(&self) -> &'static [&'static str] {
        if self.single_outputs.is_empty() {
            self.outputs
        } else {
            self.single_outputs
        }
    }
}

/// Compares every kept cell of a table.
pub(crate) fn compare(path: &Path, law: &Law) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let at = |what: String| format!("{name}: {what}");
    let table = Table::read(path)?;
    let parameters = Parameters::beside(path).map_err(at)?;
    known(&table, law).map_err(at)?;
    let line = |precision, columns, outputs, bound| {
        line(&table, &parameters, columns, outputs).map(|(worst, note)| Comparison {
            name: format!("{name} {precision}"),
            rows: table.rows().count(),
            max_error: worst,
            bound,
            note,
        })
    };
    let double = line("f64", law.outputs, law.double, DOUBLE_BOUND).map_err(at)?;
    let single = line("f32", law.singles(), law.single, SINGLE_BOUND).map_err(at)?;
    Ok(vec![double, single])
}

/// Fails on columns that are missing or not known.
fn known(table: &Table, law: &Law) -> Result<(), String> {
    let all = || {
        law.inputs
            .iter()
            .chain(law.outputs)
            .chain(law.single_outputs)
    };
    for column in &table.columns {
        if !all().any(|known| known == column) {
            return Err(format!("unknown column {column}"));
        }
    }
    for column in all() {
        if !table.columns.iter().any(|found| found == column) {
            return Err(format!("no column {column}"));
        }
    }
    Ok(())
}

/// The maximum error of a precision relative to its column's maximum value, and a note.
fn line(
    table: &Table,
    parameters: &Parameters,
    columns: &[&'static str],
    outputs: Outputs,
) -> Result<(f64, String), String> {
    // By column and by what the column holds in this row.
    let mut scales: BTreeMap<(&str, String), f64> = BTreeMap::new();
    let mut errors: BTreeMap<(&str, String), f64> = BTreeMap::new();
    let (mut count, mut blank) = (0, 0);
    for row in table.rows() {
        let quantity = row.text("quantity").unwrap_or_default();
        for (&column, found) in columns.iter().zip(outputs(&row, parameters)?) {
            let Some(expected) = row.number(column)? else {
                blank += 1;
                continue;
            };
            count += 1;
            let key = (column, quantity.to_owned());
            let scale = scales.entry(key.clone()).or_default();
            *scale = scale.max(expected.abs());
            let error = (found - expected).abs();
            let worst = errors.entry(key).or_default();
            // NaN counts as the worst.
            *worst = worst.max(if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    let (mut worst, mut place) = (0.0, String::new());
    for ((column, quantity), error) in errors {
        let scale = scales[&(column, quantity.clone())].max(f64::MIN_POSITIVE);
        if error / scale > worst {
            worst = error / scale;
            place = format!("; worst {column} {quantity}");
        }
    }
    let place = place.trim_end().to_owned();
    Ok((worst, format!("{count} cells, {blank} blank{place}")))
}

/// A cell that may not be blank, as a number of any type.
fn given<T: Real>(row: &Row<'_>, column: &str) -> Result<T, String> {
    row.given(column).map(T::of)
}
