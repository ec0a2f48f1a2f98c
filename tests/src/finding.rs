//! The result of a case, and the suite's verdict.

use core::fmt;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use jounce::core::BodyError;
use proving_ground::ProvingError;

use crate::backend::Expected;

/// The measurement of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// The worst value measured, in the case's unit; 0 for a requirement that holds.
    pub value: f64,
    /// Additional information.
    pub note: String,
}

impl Measure {
    /// A requirement that holds.
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

/// Reason why a case has no result, or failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The backend lacks the ability.
    #[error("not in this world: {0}")]
    Unsupported(String),
    /// A requirement is violated.
    #[error("{0}")]
    Broken(String),
}

impl From<ProvingError> for Failure {
    fn from(error: ProvingError) -> Self {
        match error {
            ProvingError::Lacks { what, .. } => Self::Unsupported(what.to_owned()),
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

/// Runs a case that may panic inside an engine.
pub(crate) fn guarded<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let caught = catch_unwind(AssertUnwindSafe(run));
    caught.unwrap_or_else(|_| Err(Failure::Broken("it panics".to_owned())))
}

/// Complaint about an expected failure that passes.
pub(crate) const NO_FAILURE: &str =
    "is listed as an expected failure, and passes: take it off the list";

/// The suite's verdict on a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The case holds.
    Pass,
    /// The case does not hold, for a reason listed by the backend.
    Expected(&'static str),
    /// The case does not hold.
    Fail,
    /// The case holds, although the backend lists it as failing.
    Surprise,
}

impl Verdict {
    /// Whether the verdict is as expected.
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

/// End of a test that does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The assertion of the test holds.
    Passed,
    /// The assertion does not hold, for a reason listed by the backend.
    Expected,
    /// The world lacks the ability that the test needs.
    NotAsked,
}

impl Ending {
    pub(crate) const ALL: [Self; 3] = [Self::Passed, Self::Expected, Self::NotAsked];

    /// Words of a line, which begin with that of Rust's own harness.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Passed => "ok",
            Self::Expected => "ok, fails as expected",
            Self::NotAsked => "ok, not asked of this world",
        }
    }

    /// Exit code of a test's process; 1 is a failure, and 101 a panic.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Expected => 3,
            Self::NotAsked => 4,
        }
    }
}

/// The result of one case in one backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The measurement, or the reason for its absence.
    pub result: Result<Measure, Failure>,
}

impl Finding {
    /// The finding for the result of the case with this name and this `bound`.
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

    /// Reason why the finding is not good, for a case with this measure and bound.
    pub(crate) fn complaint_about(&self, measures: &str, bound: f64) -> String {
        match (&self.result, self.verdict) {
            (_, Verdict::Surprise) => NO_FAILURE.to_owned(),
            (Ok(measure), _) => format!(
                "{:.3e}, at most {:.3e} {} {}",
                measure.value, bound, measures, measure.note
            ),
            (Err(failure), _) => failure.to_string(),
        }
    }
}
