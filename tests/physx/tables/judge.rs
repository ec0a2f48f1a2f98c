//! Judgment of a table: every value within the error that rounding of the value and of the row's inputs explains; where
//! rounding decides, from inputs moved by their rounding.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Outputs, Table, expected_columns};
use crate::reference::Comparison;
use crate::rounding::{ROUNDINGS, TIMES, range};
use crate::row::Row;

/// Number of times that a row is computed from differently rounded inputs.
const VARIANTS: u32 = 64;

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
    let mut decided = 0;
    for row in &compared {
        let verdict = judge.verdict(row);
        decided += usize::from(verdict.decided);
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
    Ok(vec![Comparison {
        name: name.to_owned(),
        rows: compared.len(),
        max_error: worst.map_or(0.0, |(_, error)| error),
        bound: 1.0,
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

/// The verdict on a row.
struct Verdict<'a> {
    /// The column with the largest error, and that error as a share of what rounding explains.
    worst: (&'a str, f64),
    /// Whether the error is that of differently rounded inputs.
    decided: bool,
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

    /// Error of a value that rounding explains: that of the inputs, which makes a `range`, and a few roundings of the largest
    /// value in its column.
    fn explained(&self, column: &str, theirs: f64, range: f64) -> f64 {
        let scale = match self.table.unbounded.contains(&column) {
            true => theirs.abs(),
            false => self.scales[column],
        };
        TIMES * range + ROUNDINGS * scale
    }

    /// The largest error of our outputs, as a share of what is explained if rounding of the inputs makes this `range` of
    /// a value. Where PhysX's is not finite, ours must only be.
    fn worst<'a>(
        &self,
        theirs: &'a Columns,
        ours: &Columns,
        range: impl Fn(&str, usize) -> f64,
    ) -> (&'a str, f64) {
        let share = |column: &str, n: usize, ours: f64, theirs: f64| {
            let off = (ours - theirs).abs();
            match (ours.is_finite(), theirs.is_finite()) {
                (false, _) => f64::INFINITY,
                (true, false) => 0.0,
                (true, true) if off == 0.0 => 0.0,
                (true, true) => off / self.explained(column, theirs, range(column, n)),
            }
        };
        let shares = theirs.iter().flat_map(|(column, theirs)| {
            let pairs = ours[column].iter().zip(theirs).enumerate();
            pairs.map(|(n, (a, b))| (column.as_str(), share(column, n, *a, *b)))
        });
        let worst = shares.max_by(|a, b| a.1.total_cmp(&b.1));
        worst.unwrap_or(("nothing", 0.0))
    }

    /// A row against its own outputs, or against those of differently rounded inputs that decide like PhysX.
    fn verdict<'a>(&self, row: &'a Compared<'_>) -> Verdict<'a> {
        let rounded = Rounded::new(self, row);
        let measured = |ours: &Columns| self.worst(&row.theirs, ours, |c, n| rounded.range(c, n));
        let worst = measured(&row.ours);
        let decided = worst.1 > 1.0;
        let others = rounded.0.iter().filter(|_| decided).map(measured);
        let nearest = others.min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest.filter(|nearest| nearest.1 < worst.1) {
            Some(worst) => Verdict { worst, decided },
            None => Verdict {
                worst,
                decided: false,
            },
        }
    }
}

/// Our outputs from differently rounded inputs: of those that decide like PhysX.
struct Rounded(Vec<Columns>);

impl Rounded {
    fn new(judge: &Judge<'_>, row: &Compared<'_>) -> Self {
        let variant = |variant: u32| {
            let rounded = Row::rounded(row.value, variant);
            (judge.table.compute)(&Row::variant(&rounded)).map(by_column)
        };
        // How many groups there are, and what lists of them contain, is decided, too.
        let is_alike = |variant: &Columns| {
            let mut lengths = row.theirs.iter();
            let mut decisions = judge.decisions.iter();
            lengths.all(|(column, theirs)| {
                let values = variant.get(column);
                values.is_some_and(|values| values.len() == theirs.len())
            }) && decisions.all(|column| variant.get(column) == row.theirs.get(column))
        };
        let variants = (0..VARIANTS).filter_map(variant);
        Self(variants.filter(is_alike).collect())
    }

    /// The range of a value; 0 for a decision.
    fn range(&self, column: &str, n: usize) -> f64 {
        range(self.0.iter().map(|variant| variant[column][n]))
    }
}
