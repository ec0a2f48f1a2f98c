//! Results of a run, as text tables.

use core::fmt;

use proving_ground::columns::lined_up;

use crate::agreement::{self, HEADING_BOUND, Judged, PATH_BOUND, SPEED_BOUND};
use crate::case::{Case, Procedure, Tier};
use crate::finding::{Finding, Verdict};
use crate::suite::{CaseRow, Results};

/// The tiers in order, with their names.
pub const TIERS: [(Tier, &str); 4] = [
    (Tier::Contract, "A: sentences of the contracts"),
    (Tier::ClosedForm, "B: closed forms"),
    (Tier::Agreement, "C: any two worlds"),
    (Tier::OtherLibrary, "D: what other libraries' tests assert"),
];

/// Prints the tables, then everything unexpected, then the expected failures.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (tier, title) in TIERS {
            write!(f, "{title}\n\n{}\n", lined_up(table(self, tier).iter()))?;
        }
        let pairs = lined_up(pairs(self).iter());
        writeln!(
            f,
            "any two worlds: paths, most apart [% of the way]\n\n{pairs}"
        )?;
        writeln!(f, "expected failures\n")?;
        for text in expected(self) {
            writeln!(f, "{text}")?;
        }
        writeln!(f)?;
        for text in complaints(self) {
            writeln!(f, "UNEXPECTED {text}")?;
        }
        writeln!(f, "{}", summary(self))
    }
}

/// The table of one tier, with its header: cases by backends.
#[must_use]
pub fn table(results: &Results, tier: Tier) -> Vec<Vec<String>> {
    let rows = results.rows.iter().filter(|row| row.case.tier == tier);
    let line = |row: &CaseRow| {
        let cells = row.findings.iter().map(|finding| cell(row.case, finding));
        let start = [row.case.name.to_owned(), bound(row.case)];
        start.into_iter().chain(cells).collect()
    };
    let head = head(results, &["case", "at most"]);
    core::iter::once(head).chain(rows.map(line)).collect()
}

/// Greatest distance between the paths in any two worlds (`%` of the path).
#[must_use]
pub fn pairs(results: &Results) -> Vec<Vec<String>> {
    let apart = |a: usize, b: usize| {
        let drives = results.drives.iter();
        let apart =
            drives.filter_map(|(course, driven)| agreement::apart(course, &driven[a], &driven[b]));
        apart.reduce(f64::max)
    };
    let line = |(a, name): (usize, &&str)| {
        let cells = (0..results.backends.len()).map(|b| match apart(a, b) {
            Some(share) if a != b => format!("{:.3}", 100.0 * share),
            _ => String::new(),
        });
        core::iter::once((*name).to_owned()).chain(cells).collect()
    };
    let lines = results.backends.iter().enumerate().map(line);
    core::iter::once(head(results, &[""]))
        .chain(lines)
        .collect()
}

fn head(results: &Results, start: &[&str]) -> Vec<String> {
    let names = start.iter().chain(&results.backends);
    names.map(|name| (*name).to_owned()).collect()
}

/// The bound.
fn bound(case: &Case) -> String {
    match case.check {
        Procedure::Course(course) => match course.judged {
            Judged::Path => format!(
                "{} % of way, {} % of speed",
                100.0 * PATH_BOUND,
                100.0 * SPEED_BOUND
            ),
            Judged::Crossing => format!("same crossing, {HEADING_BOUND}°"),
        },
        Procedure::Alone(_) if case.measures.is_empty() => String::new(),
        Procedure::Alone(_) if (1e-9..1e-3).contains(&case.bound) => {
            format!("{:e} {}", case.bound, case.measures)
        }
        Procedure::Alone(_) => format!("{} {}", case.bound, case.measures),
    }
}

/// The verdict and the measurement. For courses, the parts of their measure are shown instead.
fn cell(case: &Case, finding: &Finding) -> String {
    let mut text = finding.verdict.to_string();
    if let Ok(measure) = &finding.result {
        let course = matches!(case.check, Procedure::Course(_));
        let value = if course || case.measures.is_empty() {
            String::new()
        } else {
            short(measure.value)
        };
        for part in [value, measure.note.clone()] {
            if !part.is_empty() {
                text += " ";
                text += &part;
            }
        }
    }
    text
}

/// Two significant digits.
fn short(value: f64) -> String {
    if value == 0.0 || (0.01..1000.0).contains(&value) {
        format!("{value:.2}")
    } else {
        format!("{value:.1e}")
    }
}

/// All findings, with their case and the name of their backend.
fn findings(results: &Results) -> impl Iterator<Item = (&'static Case, &'static str, &Finding)> {
    results.rows.iter().flat_map(|row| {
        let named = results.backends.iter().zip(&row.findings);
        named.map(|(backend, finding)| (row.case, *backend, finding))
    })
}

/// Expected failures and reasons: one line per reason.
#[must_use]
pub fn expected(results: &Results) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>, Vec<&str>)> = Vec::new();
    for (case, backend, finding) in findings(results) {
        let Verdict::Expected(reason) = finding.verdict else {
            continue;
        };
        let place = reasons.iter().position(|(known, ..)| *known == reason);
        let place = place.unwrap_or_else(|| {
            reasons.push((reason, Vec::new(), Vec::new()));
            reasons.len() - 1
        });
        let (_, backends, cases) = &mut reasons[place];
        for (list, name) in [(backends, backend), (cases, case.name)] {
            if !list.contains(&name) {
                list.push(name);
            }
        }
    }
    let line = |(reason, backends, cases): &(&str, Vec<&str>, Vec<&str>)| {
        format!("{}: {reason}: {}.", backends.join(", "), cases.join("; "))
    };
    reasons.iter().map(line).collect()
}

/// Everything unexpected.
#[must_use]
pub fn complaints(results: &Results) -> Vec<String> {
    let unknown = results.unknown.iter();
    let unknown = unknown.map(|(backend, name)| format!("{backend}: no case is called `{name}`"));
    let bad = findings(results).filter(|(.., finding)| !finding.verdict.is_good());
    let bad = bad.map(|(case, backend, finding)| {
        format!("{backend}: {}: {}", case.name, finding.complaint(case))
    });
    bad.chain(unknown).collect()
}

/// Number of each verdict, per backend.
#[must_use]
pub fn summary(results: &Results) -> String {
    let count = |n: usize| {
        let of = |good: fn(Verdict) -> bool| {
            let verdicts = results.rows.iter().map(|row| row.findings[n].verdict);
            verdicts.filter(|verdict| good(*verdict)).count()
        };
        format!(
            "{}: {} pass, {} fail as expected, {} unexpected",
            results.backends[n],
            of(|verdict| verdict == Verdict::Pass),
            of(|verdict| matches!(verdict, Verdict::Expected(_))),
            of(|verdict| !verdict.is_good()),
        )
    };
    let lines: Vec<String> = (0..results.backends.len()).map(count).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Backend, Expected};
    use crate::suite::{cases, run};
    use crate::{ProvingError, Terrain, World, WorldSource};

    /// The standalone world with wrong expectations.
    struct Slandered;

    const SLANDER: [Expected; 2] = [
        Expected {
            case: "a miss is no hit",
            reason: "slander",
        },
        Expected {
            case: "no such case",
            reason: "slander",
        },
    ];

    impl WorldSource for Slandered {
        fn name(&self) -> &'static str {
            "slandered"
        }

        fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
            proving_ground::world::WorldKind::Standalone.open(terrain, dt)
        }
    }

    impl Backend for Slandered {
        fn expected_failures(&self) -> Vec<Expected> {
            SLANDER.to_vec()
        }
    }

    #[test]
    fn the_list_of_failures_is_strict_and_every_case_is_reported() {
        let results = run(&[&Slandered]);
        assert!(!results.is_good());
        let text = results.to_string();
        for part in [
            "UNEXPECTED slandered: a miss is no hit: is listed",
            "UNEXPECTED slandered: no case is called `no such case`",
            "UNEXPECTED slandered: colliders attached to an ignored body never answer: ",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        // Alone, it has no world to agree with.
        let alone: Vec<_> = cases()
            .filter(|case| case.tier != Tier::Agreement)
            .collect();
        assert!(alone.iter().all(|case| text.contains(case.name)));
        assert_eq!(results.rows.len(), alone.len());
    }

    #[test]
    fn names_of_cases_are_unique() {
        let mut names: Vec<_> = cases().map(|case| case.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
