//! Cases, verdicts, and the run of all of them.

use core::fmt;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use jounce::core::BodyError;
use proving_ground::ProvingError;

use crate::agreement::{self, Course, Driven};
use crate::backend::{Backend, Expected};
use crate::{contracts, facts, truth};

/// What a case is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Sentences of the contracts.
    Contract,
    /// Closed forms.
    Truth,
    /// Other worlds.
    Agreement,
    /// Facts that the tests of other vehicle libraries assert.
    Fact,
}

impl Tier {
    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Contract => 'A',
            Self::Truth => 'B',
            Self::Agreement => 'C',
            Self::Fact => 'D',
        }
    }
}

/// What a case found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// The worst of what was measured, in the case's unit; 0 of a sentence that is kept.
    pub value: f64,
    /// What else there is to say.
    pub note: String,
}

impl Measure {
    /// A sentence that is kept.
    pub const KEPT: Self = Self {
        value: 0.0,
        note: String::new(),
    };
}

impl From<f64> for Measure {
    fn from(value: f64) -> Self {
        Self {
            value,
            ..Self::KEPT
        }
    }
}

/// Why a case found nothing, or not what it should have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The backend has no such thing.
    #[error("not in this world: {0}")]
    Unsupported(String),
    /// A sentence is not kept.
    #[error("{0}")]
    Broken(String),
}

impl From<ProvingError> for Failure {
    fn from(error: ProvingError) -> Self {
        match error {
            ProvingError::Unsupported { message, .. } => Self::Unsupported(message.to_owned()),
            other => Self::Broken(other.to_string()),
        }
    }
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Fails with `text` unless `holds`.
pub(crate) fn expect(holds: bool, text: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds {
        Ok(())
    } else {
        Err(Failure::Broken(text()))
    }
}

/// What a case needs that not every world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Sweeps, [`SceneQuery::sweeps`](jounce::core::SceneQuery::sweeps).
    Sweeps,
    /// Platforms.
    MovingGround,
    /// Free bodies that wheels can stand on.
    BodiesAsGround,
    /// Hulls that meet the ground.
    Hulls,
    /// Wheels that run into things, [`World::add_wheels`](proving_ground::world::World::add_wheels).
    RigidWheels,
    /// Pushes on bodies that wheels stand on.
    Reactions,
    /// Forces of the user's.
    UserForces,
    /// Bodies that can be taken out.
    Removal,
    /// Bodies that fall asleep.
    Sleep,
    /// Bodies that can be joined, [`World::join`](proving_ground::world::World::join).
    Joints,
    /// Bodies that can be put elsewhere, [`World::place`](proving_ground::world::World::place).
    Placing,
}

impl Need {
    /// Every one.
    pub const ALL: [Self; 11] = [
        Self::Sweeps,
        Self::MovingGround,
        Self::BodiesAsGround,
        Self::Hulls,
        Self::RigidWheels,
        Self::Reactions,
        Self::UserForces,
        Self::Removal,
        Self::Sleep,
        Self::Joints,
        Self::Placing,
    ];
}

/// How a case is carried out.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// In a world of the backend alone.
    Alone(fn(&dyn Backend) -> Result<Measure, Failure>),
    /// Driven, and compared with other backends.
    Course(&'static Course),
}

/// One behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is held against.
    pub tier: Tier,
    /// The behaviour, as a sentence.
    pub name: &'static str,
    /// What is measured, with its unit; empty of a sentence that is kept or not.
    pub measures: &'static str,
    /// The most that it may measure.
    pub bound: f64,
    /// What it needs that not every world has.
    pub need: Option<Need>,
    /// How it is carried out.
    pub check: Check,
}

/// A function that carries out a case.
type Run = fn(&dyn Backend) -> Result<Measure, Failure>;

impl Case {
    /// A sentence of a contract, kept or not.
    pub(crate) const fn sentence(name: &'static str, run: Run) -> Self {
        Self::measured(name, "", 0.0, run)
    }

    /// A sentence of a contract that speaks of a quantity.
    pub(crate) const fn measured(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: Run,
    ) -> Self {
        Self {
            tier: Tier::Contract,
            name,
            measures,
            bound,
            need: None,
            check: Check::Alone(run),
        }
    }

    /// The same for worlds that have what it needs.
    pub(crate) const fn needs(mut self, need: Need) -> Self {
        self.need = Some(need);
        self
    }

    /// A closed form.
    pub(crate) const fn truth(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: Run,
    ) -> Self {
        Self {
            tier: Tier::Truth,
            ..Self::measured(name, measures, bound, run)
        }
    }

    /// A fact, restated: it holds or not.
    pub(crate) const fn fact(name: &'static str, run: Run) -> Self {
        Self {
            tier: Tier::Fact,
            ..Self::sentence(name, run)
        }
    }

    /// A fact that speaks of a quantity.
    pub(crate) const fn measured_fact(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: Run,
    ) -> Self {
        Self {
            tier: Tier::Fact,
            ..Self::measured(name, measures, bound, run)
        }
    }

    /// Asks a backend; `others` are those that courses are compared with.
    #[must_use]
    pub fn find(&self, backend: &dyn Backend, others: &[&dyn Backend]) -> Finding {
        let result = match self.check {
            Check::Alone(run) => guarded(|| run(backend)),
            Check::Course(course) => {
                let own = course.drive(backend);
                let others: Vec<_> = others.iter().map(|other| course.drive(*other)).collect();
                agreement::judge(course, &own, others.iter())
            }
        };
        self.verdict(backend, result)
    }

    fn verdict(&self, backend: &dyn Backend, result: Result<Measure, Failure>) -> Finding {
        Finding::of(self.name, self.bound, &backend.expected_failures(), result)
    }
}

/// The result of a case that may panic inside an engine.
pub(crate) fn guarded<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let caught = catch_unwind(AssertUnwindSafe(run));
    caught.unwrap_or_else(|_| Err(Failure::Broken("it panics".to_owned())))
}

/// What the suite makes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not hold, for a reason that the backend lists.
    Expected(&'static str),
    /// It does not hold.
    Fail,
    /// It holds, although the backend lists it as failing.
    Surprise,
}

impl Verdict {
    /// Whether nobody is surprised.
    #[must_use]
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Pass | Self::Expected(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Expected(_) => "expected",
            Self::Fail => "FAIL",
            Self::Surprise => "PASSES",
        })
    }
}

/// What one case found in one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What to make of it.
    pub verdict: Verdict,
    /// What was measured, or why nothing was.
    pub result: Result<Measure, Failure>,
}

impl Finding {
    /// What to make of the result of the case of this name, whose measure is at most `bound`.
    pub(crate) fn of(
        name: &str,
        bound: f64,
        expected: &[Expected],
        result: Result<Measure, Failure>,
    ) -> Self {
        let expected = expected.iter().find(|expected| expected.case == name);
        let reason = expected.map(|expected| expected.reason);
        // NaN is not within the bound.
        let passed = matches!(&result, Ok(measure) if measure.value <= bound);
        let verdict = match (passed, reason) {
            (true, None) => Verdict::Pass,
            (false, None) => Verdict::Fail,
            (true, Some(_)) => Verdict::Surprise,
            (false, Some(reason)) => Verdict::Expected(reason),
        };
        Self { verdict, result }
    }

    /// Why it is not good, in a line.
    #[must_use]
    pub fn complaint(&self, case: &Case) -> String {
        self.complaint_about(case.measures, case.bound)
    }

    /// Why it is not good, of a case that measures this and is at most `bound`.
    pub(crate) fn complaint_about(&self, measures: &str, bound: f64) -> String {
        match (&self.result, self.verdict) {
            (_, Verdict::Surprise) => {
                "is listed as an expected failure, and passes: take it off the list".to_owned()
            }
            (Ok(measure), _) => format!(
                "{:.3e}, at most {:.3e} {} {}",
                measure.value, bound, measures, measure.note
            ),
            (Err(failure), _) => failure.to_string(),
        }
    }
}

/// Every case, tier by tier.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    contracts::cases()
        .chain(truth::cases())
        .chain(&agreement::CASES)
        .chain(facts::cases())
}

/// The expected failures of a backend that there is no case of.
#[must_use]
pub fn unknown_failures(backend: &dyn Backend) -> Vec<&'static str> {
    let expected = backend.expected_failures();
    let names = expected.iter().map(|expected| expected.case);
    let unknown = names.filter(|name| cases().all(|case| case.name != *name));
    unknown.collect()
}

/// One case in every backend.
#[derive(Debug)]
pub struct Row {
    /// The case.
    pub case: &'static Case,
    /// One per backend.
    pub findings: Vec<Finding>,
}

/// What a run found.
#[derive(Debug)]
pub struct Results {
    /// Names of the backends.
    pub backends: Vec<&'static str>,
    /// Every case.
    pub rows: Vec<Row>,
    /// What was driven, by course and then by backend.
    pub drives: Vec<(&'static Course, Vec<Driven>)>,
    /// Expected failures that there is no case of: backend and name.
    pub unknown: Vec<(&'static str, &'static str)>,
}

impl Results {
    /// Whether nothing is unexpected.
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
            Check::Alone(_) => backends.iter().map(|b| case.find(*b, &[])).collect(),
            // One alone has nobody to agree with.
            Check::Course(_) if backends.len() < 2 => continue,
            Check::Course(course) => {
                let driven: Vec<_> = backends.iter().map(|b| course.drive(*b)).collect();
                let findings = compared(case, course, backends, &driven);
                results.drives.push((course, driven));
                findings
            }
        };
        results.rows.push(Row { case, findings });
    }
    results
}

/// Each backend's drive against those of all others but the ones that are known to go wrong.
fn compared(
    case: &Case,
    course: &Course,
    backends: &[&dyn Backend],
    driven: &[Driven],
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
