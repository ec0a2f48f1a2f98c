//! Tables of slips with a relaxation length: a step of the slip angle, σ·ẏ + |Vx|·y = |Vx|·tan α.

use std::path::Path;

use crate::reference::{self, Comparison};
use jounce::core::internals::explicit::relaxation::{Precision, relaxed};
use jounce::tires::real::Real;

use crate::table::{Row, Table};

/// Prefix of their names.
pub(crate) const PREFIX: &str = "relaxation_step";

const COLUMNS: [&str; 6] = [
    "case",
    "sigma",
    "Vx",
    "tan_alpha_step",
    "t",
    "tan_alpha_prime",
];

/// Maximum errors, relative to the step; single precision rounds times and distances, too.
const DOUBLE_BOUND: f64 = 1e-12;
const SINGLE_BOUND: f64 = 5e-7;

/// Compares every row, once from the start of the step and once from the previous row.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let at = |what: String| format!("{name}: {what}");
    let table = Table::read(path)?;
    if table.columns != COLUMNS {
        return Err(at(format!("columns {:?}", table.columns)));
    }
    let rows: Vec<_> = table.rows().collect();
    let line = |precision, error: RowError, bound| {
        let mut worst = 0.0_f64;
        for (n, row) in rows.iter().enumerate() {
            let before = n.checked_sub(1).map(|n| &rows[n]);
            let error = error(row, before)?;
            worst = worst.max(if error.is_nan() { f64::INFINITY } else { error });
        }
        Ok(Comparison {
            name: format!("{name} {precision}"),
            rows: rows.len(),
            max_error: worst,
            bound,
            note: String::new(),
        })
    };
    let double = line("f64", error::<f64>, DOUBLE_BOUND).map_err(at)?;
    let single = line("f32", error::<f32>, SINGLE_BOUND).map_err(at)?;
    Ok(vec![double, single])
}

/// The error of a row that follows another, relative to its step (–).
type RowError = fn(&Row<'_>, Option<&Row<'_>>) -> Result<f64, String>;

fn error<T: Precision + Real + Into<f64>>(
    row: &Row<'_>,
    before: Option<&Row<'_>>,
) -> Result<f64, String> {
    let same = |before: &&Row<'_>| before.text("case") == row.text("case");
    let mut starts = vec![[0.0; 2]];
    if let Some(before) = before.filter(same) {
        starts.push([before.given("t")?, before.given("tan_alpha_prime")?]);
    }
    let step = row.given("tan_alpha_step")?;
    let expected = row.given("tan_alpha_prime")?;
    let mut worst = 0.0_f64;
    for [time, slip] in starts {
        let rolled = row.given("Vx")?.abs() * (row.given("t")? - time);
        let lengths = T::of(rolled / row.given("sigma")?);
        let found: f64 = relaxed(T::of(slip), T::of(step), lengths).into();
        worst = worst.max(((found - expected) / step).abs());
    }
    Ok(worst)
}
