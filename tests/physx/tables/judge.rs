//! How a table is judged: every value within the table's bound or, where rounding decides, our own row from inputs
//! moved by their rounding.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{BOUND, Outputs, Table, expected_columns};
use crate::reference::Comparison;
use crate::rounding::{TIMES, range};
use crate::row::Row;

/// Number of times that a row out of bounds is computed from differently rounded inputs.
const VARIANTS: u32 = 64;

/// Relative error that any operation in single precision causes.
const NOTHING: f64 = f32::EPSILON as f64;

/// The values of a row by column.
type Columns = BTreeMap<String, Vec<f64>>;

/// One line for a table of these rows.
///
/// # Errors
/// If the schema is unknown.
pub(super) fn compare(
    table: &Table,
    name: &str,
    rows: &[Value],
) -> Result<Vec<Comparison>, String> {
    let answered = rows.iter().enumerate().filter_map(|(n, value)| {
        let row = Compared::new(table, value).transpose()?;
        Some(row.map_err(|error| format!("{name} row {}: {error}", n + 1)))
    });
    let compared: Vec<Compared<'_>> = answered.collect::<Result<_, _>>()?;
    let judge = Judge::new(table, &compared);
    let mut worst: Option<(&str, f64)> = None;
    let (mut decided, mut spread) = (0, 0);
    for row in &compared {
        let verdict = judge.verdict(row);
        decided += usize::from(verdict.decided);
        spread += verdict.spread;
        let (column, error) = verdict.worst;
        if worst.is_none_or(|(_, most)| error > most) {
            worst = Some((column, error));
        }
    }
    let mut note = worst.map_or(String::new(), |(column, _)| format!("worst: {column}"));
    let unanswered = rows.len() - compared.len();
    if unanswered > 0 {
        note += &format!(", {unanswered} rows without an answer of PhysX's");
    }
    if decided > 0 {
        note += &format!(", {decided} rows as from inputs rounded otherwise");
    }
    if spread > 0 {
        note += &format!(", {spread} values within what rounding does");
    }
    Ok(vec![Comparison {
        name: name.to_owned(),
        rows: compared.len(),
        max_error: worst.map_or(0.0, |(_, error)| error),
        bound: BOUND,
        note,
    }])
}

/// A row with PhysX's outputs and ours.
struct Compared<'a> {
    value: &'a Value,
    theirs: Columns,
    ours: Columns,
}

impl<'a> Compared<'a> {
    fn new(table: &Table, value: &'a Value) -> Result<Option<Self>, String> {
        let row = Row::new(value);
        let Some(outputs) = (table.compute)(&row) else {
            return Ok(None);
        };
        let unknown = row.unknown();
        if !unknown.is_empty() {
            return Err(format!("unknown schema: columns {unknown:?}"));
        }
        let (theirs, ours) = (expected_columns(value), by_column(outputs));
        if let Some(column) = theirs.keys().find(|&column| !ours.contains_key(column)) {
            return Err(format!("unknown schema: column {column}"));
        }
        for (column, ours) in &ours {
            let theirs = theirs
                .get(column)
                .ok_or_else(|| format!("no column {column}"))?;
            if theirs.len() != ours.len() {
                let (theirs, ours) = (theirs.len(), ours.len());
                return Err(format!("{column}: {theirs} values, ours {ours}"));
            }
        }
        Ok(Some(Self {
            value,
            theirs,
            ours,
        }))
    }
}

fn by_column(outputs: Outputs) -> Columns {
    let named = outputs
        .into_iter()
        .map(|(column, values)| (column.to_owned(), values));
    named.collect()
}

/// The outcome of a row.
struct Verdict<'a> {
    /// The column with the largest error, and that error in scales of the column.
    worst: (&'a str, f64),
    /// Whether it is that of differently rounded inputs.
    decided: bool,
    /// How many values are out of bounds, but not more than rounding explains.
    spread: usize,
}

impl<'a> Verdict<'a> {
    /// A row as it is.
    const fn plain(worst: (&'a str, f64)) -> Self {
        Self {
            worst,
            decided: false,
            spread: 0,
        }
    }
}

struct Judge<'t> {
    table: &'t Table,
    /// The largest finite value of each column.
    scales: BTreeMap<String, f64>,
    /// Columns of decisions: PhysX's values are all 0 or 1.
    decisions: BTreeSet<String>,
}

impl<'t> Judge<'t> {
    fn new(table: &'t Table, rows: &[Compared<'_>]) -> Self {
        let mut scales = BTreeMap::<String, f64>::new();
        let mut graded = BTreeSet::new();
        for (column, values) in rows.iter().flat_map(|row| &row.theirs) {
            let scale = scales.entry(column.clone()).or_default();
            for value in values.iter().filter(|value| value.is_finite()) {
                *scale = scale.max(value.abs());
                if *value != 0.0 && *value != 1.0 {
                    graded.insert(column.clone());
                }
            }
        }
        let decisions = scales.keys().filter(|&column| !graded.contains(column));
        Self {
            table,
            decisions: decisions.cloned().collect(),
            scales,
        }
    }

    /// How far a value of ours is from theirs, in scales of its column. Where PhysX's is not finite, ours must only be.
    fn error(&self, column: &str, ours: f64, theirs: f64) -> f64 {
        let error = (ours - theirs).abs();
        if !ours.is_finite() {
            return f64::INFINITY;
        }
        if error == 0.0 || !theirs.is_finite() {
            return 0.0;
        }
        let own = self.table.unbounded.contains(&column);
        error
            / if own {
                theirs.abs()
            } else {
                self.scales[column]
            }
    }

    /// All values of a row by column and place in it, with their errors.
    fn errors<'a>(
        &self,
        theirs: &'a Columns,
        ours: &Columns,
    ) -> impl Iterator<Item = (&'a str, usize, f64)> {
        theirs.iter().flat_map(move |(column, theirs)| {
            let pairs = ours[column].iter().zip(theirs).enumerate();
            pairs.map(move |(n, (a, b))| (column.as_str(), n, self.error(column, *a, *b)))
        })
    }

    /// A row within its bound, or judged by what rounding does.
    fn verdict<'a>(&self, row: &'a Compared<'_>) -> Verdict<'a> {
        let worst = largest(self.errors(&row.theirs, &row.ours));
        let enough = if self.table.unbounded.is_empty() {
            BOUND
        } else {
            NOTHING
        };
        if worst.1 <= enough {
            Verdict::plain(worst)
        } else {
            Rounded::new(self, row).verdict()
        }
    }
}

/// A row, and our outputs from differently rounded inputs.
struct Rounded<'j, 'a, 'v> {
    judge: &'j Judge<'j>,
    row: &'a Compared<'v>,
    variants: Vec<Columns>,
}

impl<'j, 'a, 'v> Rounded<'j, 'a, 'v> {
    fn new(judge: &'j Judge<'j>, row: &'a Compared<'v>) -> Self {
        let variant = |variant: u32| {
            let rounded = Row::rounded(row.value, variant);
            (judge.table.compute)(&Row::variant(&rounded)).map(by_column)
        };
        Self {
            judge,
            row,
            variants: (0..VARIANTS).filter_map(variant).collect(),
        }
    }

    /// The range of a value over the variants that decide like PhysX; 0 for a decision.
    fn range(&self, column: &str, n: usize) -> f64 {
        let decides = |variant: &Columns, d: &String| variant[d] == self.row.theirs[d];
        let decisions = self.judge.decisions.iter();
        let alike = |variant: &&Columns| decisions.clone().all(|d| decides(variant, d));
        let alike = self.variants.iter().filter(alike);
        range(alike.map(|variant| variant[column][n]))
    }

    /// Whether a value of ours is off by no more than a few times what rounding does where it decides nothing.
    fn is_explained(&self, ours: &Columns, column: &str, n: usize) -> bool {
        let off = (ours[column][n] - self.row.theirs[column][n]).abs();
        off <= TIMES * self.range(column, n)
    }

    /// The largest error of our outputs; a column without a scale has none where it is explained.
    fn measured(&self, ours: &Columns) -> (&'a str, f64) {
        let unbounded = self.judge.table.unbounded;
        let errors = self.judge.errors(&self.row.theirs, ours);
        largest(errors.filter(|(column, n, _)| {
            !unbounded.contains(column) || !self.is_explained(ours, column, *n)
        }))
    }

    /// Within the bound as it is or from inputs rounded otherwise, or explained by rounding.
    fn verdict(&self) -> Verdict<'a> {
        let (ours, bound) = (&self.row.ours, BOUND);
        let worst = self.measured(ours);
        if worst.1 <= bound {
            return Verdict::plain(worst);
        }
        let errors = self.judge.errors(&self.row.theirs, ours);
        let (explained, left): (Vec<_>, Vec<_>) = errors
            .partition(|(column, n, error)| *error > bound && self.is_explained(ours, column, *n));
        let left = largest(left);
        let found = self.variants.iter().map(|variant| self.measured(variant));
        match found.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some(nearest) if nearest.1 <= bound && nearest.1 < left.1 => Verdict {
                decided: true,
                ..Verdict::plain(nearest)
            },
            _ => Verdict {
                spread: explained.len(),
                ..Verdict::plain(left)
            },
        }
    }
}

/// The value with the largest error: its column, and that error.
fn largest<'a>(errors: impl IntoIterator<Item = (&'a str, usize, f64)>) -> (&'a str, f64) {
    let each = errors.into_iter().map(|(column, _, error)| (column, error));
    each.max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or(("nothing", 0.0))
}
