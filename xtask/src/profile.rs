//! Where the instructions of an update go: callgrind's counts, by function.

use std::collections::BTreeMap;
use std::path::Path;

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

/// Reads a file of callgrind's. Lines with a position and a count belong to the last function named, but for the one
/// after `calls=`, which counts what was called.
fn own(text: &str) -> Own {
    let (mut names, mut counts) = (BTreeMap::new(), Own::new());
    let (mut function, mut called) = (String::new(), false);
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("cfn=") {
            name_of(named, &mut names);
        } else if let Some(named) = line.strip_prefix("fn=") {
            function = name_of(named, &mut names);
        } else if line.starts_with("calls=") {
            called = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let count = line
                .split_whitespace()
                .nth(1)
                .and_then(|count| count.parse::<u64>().ok());
            if !core::mem::take(&mut called) {
                *counts.entry(function.clone()).or_default() += count.unwrap_or(0);
            }
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// A name such as `(12) name`, or `(12)` where it was given before.
fn name_of(text: &str, names: &mut BTreeMap<String, String>) -> String {
    let (number, name) = text.split_once(' ').unwrap_or((text, ""));
    if !name.is_empty() {
        names.insert(number.to_owned(), name.to_owned());
    }
    names
        .get(number)
        .cloned()
        .unwrap_or_else(|| number.to_owned())
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
    fn calls_are_not_counted_to_the_caller() {
        let text =
            "events: Ir\nfn=(1) a\n1 10\n+2 5\ncfn=(2) b\ncalls=1 9\n* 100\n4 1\nfn=(2)\n9 100\n";
        let expected = [("a".to_owned(), 16), ("b".to_owned(), 100)];
        assert_eq!(own(text), expected.into());
    }
}
