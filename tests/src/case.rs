//! A case: one behavior, its measure, and how it is run.

use crate::agreement::{self, Course};
use crate::backend::{Backend, Need};
use crate::finding::{Failure, Finding, Measure, guarded};

/// The reference of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Requirements of the contracts.
    Contract,
    /// Closed forms.
    ClosedForm,
    /// Other worlds.
    Agreement,
    /// Assertions of other vehicle libraries' tests.
    OtherLibrary,
}

impl Tier {
    /// Letter of the tier.
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

/// Procedure of a case.
#[derive(Clone, Copy, Debug)]
pub enum Procedure {
    /// A function in a world of one backend.
    Alone(fn(&dyn Backend) -> Result<Measure, Failure>),
    /// A driven course, compared with other backends.
    Course(&'static Course),
}

/// One behavior.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Reference of the case.
    pub tier: Tier,
    /// The behavior, as a sentence.
    pub name: &'static str,
    /// The measured quantity, with its unit; empty for a requirement that holds or not.
    pub measures: &'static str,
    /// The maximum allowed.
    pub bound: f64,
    /// Ability that the case needs, if any.
    pub need: Option<Need>,
    /// Procedure of the case.
    pub check: Procedure,
}

/// A function that runs a case.
type CaseFunction = fn(&dyn Backend) -> Result<Measure, Failure>;

impl Case {
    /// A requirement of a contract that holds or not.
    pub(crate) const fn sentence(name: &'static str, run: CaseFunction) -> Self {
        Self::measured(name, "", 0.0, run)
    }

    /// A requirement of a contract on a quantity.
    pub(crate) const fn measured(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: CaseFunction,
    ) -> Self {
        Self {
            tier: Tier::Contract,
            name,
            measures,
            bound,
            need: None,
            check: Procedure::Alone(run),
        }
    }

    /// This case for worlds with an ability.
    pub(crate) const fn needs(mut self, need: Need) -> Self {
        self.need = Some(need);
        self
    }

    /// A closed form.
    pub(crate) const fn closed_form(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: CaseFunction,
    ) -> Self {
        Self {
            tier: Tier::ClosedForm,
            ..Self::measured(name, measures, bound, run)
        }
    }

    /// The assertion of another library's test, restated: it holds or not.
    pub(crate) const fn assertion(name: &'static str, run: CaseFunction) -> Self {
        Self {
            tier: Tier::OtherLibrary,
            ..Self::sentence(name, run)
        }
    }

    /// The assertion of another library's test about a quantity: it stays within the bound.
    pub(crate) const fn measured_assertion(
        name: &'static str,
        measures: &'static str,
        bound: f64,
        run: CaseFunction,
    ) -> Self {
        Self {
            tier: Tier::OtherLibrary,
            ..Self::measured(name, measures, bound, run)
        }
    }

    /// A drive that every world must drive alike.
    pub(crate) const fn course(course: &'static Course) -> Self {
        Self {
            tier: Tier::Agreement,
            name: course.name,
            measures: "share of what is allowed",
            bound: 1.0,
            need: course.need,
            check: Procedure::Course(course),
        }
    }

    /// Tests a backend; `others` are compared with it on courses.
    #[must_use]
    pub fn find(&self, backend: &dyn Backend, others: &[&dyn Backend]) -> Finding {
        let result = match self.check {
            Procedure::Alone(run) => guarded(|| run(backend)),
            Procedure::Course(course) => {
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
    /// Reason why the finding is not good, in one line.
    #[must_use]
    pub fn complaint(&self, case: &Case) -> String {
        self.complaint_about(case.measures, case.bound)
    }
}
