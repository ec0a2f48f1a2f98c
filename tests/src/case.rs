//! A case: one behaviour, what it measures, and how it is carried out.

use crate::agreement::{self, Course};
use crate::backend::{Backend, Need};
use crate::finding::{Failure, Finding, Measure, guarded};

/// What a case is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Sentences of the contracts.
    Contract,
    /// Closed forms.
    ClosedForm,
    /// Other worlds.
    Agreement,
    /// What the tests of other vehicle libraries assert.
    OtherLibrary,
}

impl Tier {
    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Contract => 'A',
            Self::ClosedForm => 'B',
            Self::Agreement => 'C',
            Self::OtherLibrary => 'D',
        }
    }
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
    pub(crate) const fn closed_form(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: Run,
    ) -> Self {
        Self {
            tier: Tier::ClosedForm,
            ..Self::measured(name, measures, bound, run)
        }
    }

    /// What another library's test asserts, restated: it holds or not.
    pub(crate) const fn assertion(name: &'static str, run: Run) -> Self {
        Self {
            tier: Tier::OtherLibrary,
            ..Self::sentence(name, run)
        }
    }

    /// The same of a quantity.
    pub(crate) const fn measured_assertion(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: Run,
    ) -> Self {
        Self {
            tier: Tier::OtherLibrary,
            ..Self::measured(name, measures, bound, run)
        }
    }

    /// The same drive as in other worlds.
    pub(crate) const fn course(course: &'static Course) -> Self {
        Self {
            tier: Tier::Agreement,
            name: course.name,
            measures: "share of what is allowed",
            bound: 1.0,
            need: course.need,
            check: Check::Course(course),
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

    pub(crate) fn verdict(
        &self,
        backend: &dyn Backend,
        result: Result<Measure, Failure>,
    ) -> Finding {
        Finding::of(self.name, self.bound, &backend.expected_failures(), result)
    }
}

impl Finding {
    /// Why it is not good, in a line.
    #[must_use]
    pub fn complaint(&self, case: &Case) -> String {
        self.complaint_about(case.measures, case.bound)
    }
}
