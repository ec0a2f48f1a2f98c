//! Tables of counts: a column for each case, in a document.

use core::fmt::Write as _;
use std::collections::BTreeMap;

/// A table under construction.
#[derive(Debug)]
pub(crate) struct CaseTable<'a> {
    cases: &'a [&'a str],
    /// Number of updates by which each case's counts are divided.
    updates: &'a BTreeMap<String, u64>,
    text: String,
}

impl<'a> CaseTable<'a> {
    /// A table with this heading above the names of its rows.
    pub(crate) fn new(
        heading: &str,
        cases: &'a [&'a str],
        updates: &'a BTreeMap<String, u64>,
    ) -> Self {
        let columns = "---:|".repeat(cases.len());
        Self {
            text: format!("| {heading} | {} |\n|---|{columns}\n", cases.join(" | ")),
            cases,
            updates,
        }
    }

    /// Adds a row: `of` has the count of all updates of a case, by its place.
    pub(crate) fn row(&mut self, name: &str, of: impl Fn(usize) -> u64) {
        let per_update = |(n, case): (usize, &&str)| {
            let updates = self.updates.get(*case).unwrap_or(&1);
            (of(n) / updates).to_string()
        };
        let cells: Vec<String> = self.cases.iter().enumerate().map(per_update).collect();
        let _ = writeln!(self.text, "| {name} | {} |", cells.join(" | "));
    }

    /// The document's text.
    pub(crate) fn text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_per_update() {
        let updates = [("a".to_owned(), 10), ("b".to_owned(), 1)].into();
        let mut table = CaseTable::new("part", &["a", "b"], &updates);
        table.row("one", |case| [120, 7][case]);
        let expected = "| part | a | b |\n|---|---:|---:|\n| one | 12 | 7 |\n";
        assert_eq!(table.text(), expected);
    }
}
