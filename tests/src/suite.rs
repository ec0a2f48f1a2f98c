//! All cases, and their run.

use crate::agreement::{self, COURSES, Course, Traces};
use crate::backend::{Backend, Expected, Need, expected};
use crate::case::{Case, Procedure};
use crate::finding::{Finding, Verdict};
use crate::stability::{Preset, StabilityCase};
use crate::{closed_forms, contracts, other_libraries, stability};

/// The cases of tier C: one per course.
const OF_COURSES: [Case; COURSES.len()] = {
    let mut cases = [Case::course(&COURSES[0]); COURSES.len()];
    let mut n = 1;
    while n < cases.len() {
        cases[n] = Case::course(&COURSES[n]);
        n += 1;
    }
    cases
};

/// Every case, tier by tier.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    contracts::cases()
        .chain(closed_forms::cases())
        .chain(&OF_COURSES)
        .chain(other_libraries::cases())
}

/// All cases that need one of these abilities, as expected failures with this reason.
pub fn without(needs: &'static [Need], reason: &'static str) -> impl Iterator<Item = Expected> {
    let lacking = move |case: &&Case| case.need.is_some_and(|need| needs.contains(&need));
    let cases = cases().filter(lacking);
    cases.map(move |case| expected(case.name, reason))
}

/// Expected failures of a backend that match no case and no row of the trust table.
#[must_use]
pub fn unknown_failures(backend: &dyn Backend) -> Vec<&'static str> {
    let expected = backend.expected_failures();
    let names = expected.iter().map(|expected| expected.case);
    let known = |name: &str| {
        let keys = |row: &StabilityCase| {
            let presets = Preset::ALL.iter().map(|preset| preset.key(row));
            presets.chain([row.key_of_others()]).collect::<Vec<_>>()
        };
        let mut keys = stability::CASES.iter().flat_map(keys);
        cases().any(|case| case.name == name) || keys.any(|key| key == name)
    };
    names.filter(|name| !known(name)).collect()
}

/// One case in every backend.
#[derive(Debug)]
pub struct CaseRow {
    /// The case.
    pub case: &'static Case,
    /// One per backend.
    pub findings: Vec<Finding>,
}

/// The results of a run.
#[derive(Debug)]
pub struct Results {
    /// Names of the backends.
    pub backends: Vec<&'static str>,
    /// Every case.
    pub rows: Vec<CaseRow>,
    /// Drives of the suite, by course and then by backend.
    pub drives: Vec<(&'static Course, Vec<Traces>)>,
    /// Expected failures that match no case: backend and name.
    pub unknown: Vec<(&'static str, &'static str)>,
}

impl Results {
    /// Whether the table has no unexpected result.
    #[must_use]
    pub fn is_good(&self) -> bool {
        let findings = self.rows.iter().flat_map(|row| &row.findings);
        self.unknown.is_empty() && findings.map(|f| f.verdict).all(Verdict::is_good)
    }
}

/// Runs every case in every backend; each course is driven once, and any two are compared.
#[must_use]
pub fn run(backends: &[&dyn Backend]) -> Results {
    let mut results = Results {
        backends: backends.iter().map(|backend| backend.name()).collect(),
        rows: Vec::new(),
        drives: Vec::new(),
        unknown: Vec::new(),
    };
    for backend in backends {
        let unknown = unknown_failures(*backend);
        let named = unknown.into_iter().map(|name| (backend.name(), name));
        results.unknown.extend(named);
    }
    for case in cases() {
        let findings = match case.check {
            Procedure::Alone(_) => backends.iter().map(|b| case.find(*b, &[])).collect(),
            // A single backend has no other to agree with.
            Procedure::Course(_) if backends.len() < 2 => continue,
            Procedure::Course(course) => {
                let driven: Vec<_> = backends.iter().map(|b| course.drive(*b)).collect();
                let findings = compared(case, course, backends, &driven);
                results.drives.push((course, driven));
                findings
            }
        };
        results.rows.push(CaseRow { case, findings });
    }
    results
}

/// Compares each backend's drive with those of all others except known failures.
fn compared(
    case: &Case,
    course: &Course,
    backends: &[&dyn Backend],
    driven: &[Traces],
) -> Vec<Finding> {
    let known = |backend: &&dyn Backend| {
        let expected = backend.expected_failures();
        expected.iter().any(|expected| expected.case == case.name)
    };
    let finding = |(n, backend): (usize, &&dyn Backend)| {
        let others = backends.iter().zip(driven).enumerate();
        let others = others.filter(|(other, (backend, _))| *other != n && !known(backend));
        let others = others.map(|(_, (_, driven))| driven);
        case.verdict(*backend, agreement::judge(course, &driven[n], others))
    };
    backends.iter().enumerate().map(finding).collect()
}
