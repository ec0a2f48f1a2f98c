//! Where the instructions of an update go: callgrind's counts, by function.

use std::collections::BTreeMap;
use std::path::Path;

use crate::callgrind;
use crate::case_table::CaseTable;
use crate::files;

/// Functions with a smaller share of every case are summed up.
const SHOWN: f64 = 0.02;

/// Instructions of functions by themselves.
type Own = BTreeMap<String, u64>;

/// A table of the functions of some cases, whose counts of so many `updates` lie in `folder`.
pub(crate) fn table(
    folder: &Path,
    cases: &[&str],
    updates: &BTreeMap<String, u64>,
) -> Result<String, String> {
    let read = |case: &&str| Ok(own(&files::read(&folder.join(case))?));
    let counts: Vec<Own> = cases.iter().map(read).collect::<Result<_, String>>()?;
    let sums: Vec<u64> = counts.iter().map(|count| count.values().sum()).collect();
    let large = |name: &&String| {
        let of = |(count, sum): (&Own, &u64)| {
            *count.get(*name).unwrap_or(&0) as f64 > SHOWN * *sum as f64
        };
        counts.iter().zip(&sums).any(of)
    };
    let mut names: Vec<&String> = counts.iter().flat_map(Own::keys).filter(large).collect();
    names.sort_unstable();
    names.dedup();
    let largest = |name: &String| counts.iter().filter_map(|count| count.get(name)).max();
    names.sort_by_key(|name| core::cmp::Reverse(largest(name)));
    let mut table = CaseTable::new("function", cases, updates);
    let shown = |case: usize| {
        names
            .iter()
            .filter_map(|name| counts[case].get(*name))
            .sum::<u64>()
    };
    for name in &names {
        table.row(&format!("`{}`", short(name)), |case| {
            *counts[case].get(*name).unwrap_or(&0)
        });
    }
    table.row("all others", |case| sums[case] - shown(case));
    table.row("**an update**", |case| sums[case]);
    Ok(table.text())
}

/// Sums up a file of callgrind's.
fn own(text: &str) -> Own {
    let mut counts = Own::new();
    for executed in callgrind::executed(text) {
        *counts.entry(executed.function.to_owned()).or_default() += executed.count;
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// A function without crate, generics and what the compiler appends.
fn short(name: &str) -> String {
    let name = name.split("'2").next().unwrap_or(name);
    let name = name
        .split("::h")
        .next()
        .filter(|_| name.contains("::h"))
        .unwrap_or(name);
    name.replace("vehicle_core::", "")
        .replace("tire_models::", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_summed_up() {
        let text = "fn=(1) a\n0x10 10\n+4 5\nfn=(2) b\n0x20 0\nfn=(3) c\n0x30 2\nfn=(1)\n0x10 1\n";
        let expected = [("a".to_owned(), 16), ("c".to_owned(), 2)];
        assert_eq!(own(text), expected.into());
    }
}
