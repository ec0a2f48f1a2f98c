//! One suite for every tire law: the promises of a [`TireModel`], measured over a grid of slips,
//! loads and frictions, and on a quarter car.
//!
//! For a law, [declare](Declared) its properties. Cases that it cannot pass are declared, too, with
//! the reason, and the list is strict: one that passes anyway is a failure.
//!
//! ```
//! use vehicle_conformance::tires::{Declared, check};
//! use jounce::tires::TireRegistry;
//!
//! let table = toml::from_str(
//!     "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
//!      camber_stiffness = 0.0\ntrail = 0.03",
//! )?;
//! let tire = TireRegistry::with_builtins().build(table)?;
//! let declared = Declared {
//!     // For a law proportional to load, twice the value at rest load.
//!     slip_stiffness: 40.0,
//!     ..Declared::within_the_circle(0.31, 4000.0)
//! };
//! assert_eq!(check(&tire, &declared), Vec::<String>::new());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`trials`] creates a test of each case for `libtest-mimic`.

mod grid;
mod measures;
mod smooth;
mod total;
mod laws;
mod quarter_car;

use std::sync::Arc;

use crate::harness::Trial;
use jounce::core::TireModel;

use crate::backend::Expected;
use crate::finding::{Failure, Finding, Measure, guarded};

/// Declared properties of a tire law, in addition to its [`traits`](TireModel::traits).
#[derive(Clone, Debug)]
pub struct Declared {
    /// Radius of the wheel (`m`), > 0.
    pub radius: f32,
    /// Load at rest (`N`), > 0. Cases go up to twice this.
    pub load: f32,
    /// Maximum force over friction times load (–), > 0: 1 inside the friction circle. At least 80 %
    /// of it must be reached.
    pub grip: f32,
    /// Maximum force without slip over load (–), ≥ 0, with an inclination of up to 0.1 rad to
    /// either side (camber thrust, conicity, ply steer). At least 80 % of it must be reached.
    pub offset: f32,
    /// Maximum change of force over the load at rest per change of slip (–), > 0, of slip ratio or
    /// tangent of the slip angle, at up to twice that load. At least 80 % of it must be reached.
    pub slip_stiffness: f32,
    /// Known failures.
    pub expected_failures: Vec<Expected>,
}

impl Declared {
    /// A law inside the friction circle, without offsets, with a slip stiffness of up to 20 times
    /// the load at rest.
    #[must_use]
    pub const fn within_the_circle(radius: f32, load: f32) -> Self {
        Self {
            radius,
            load,
            grip: 1.0,
            offset: 0.0,
            slip_stiffness: 20.0,
            expected_failures: Vec::new(),
        }
    }
}

/// The subject of a case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LawUnderTest<'a> {
    tire: &'a Arc<dyn TireModel>,
    declared: &'a Declared,
}

/// One behavior of a tire law.
#[derive(Clone, Copy, Debug)]
pub struct LawCase {
    /// The behavior, as a sentence.
    pub name: &'static str,
    /// The measured quantity, with its unit; empty for a requirement that holds or not.
    pub measures: &'static str,
    /// The maximum allowed.
    pub bound: f64,
    run: fn(&LawUnderTest<'_>) -> Result<Measure, Failure>,
}

impl LawCase {
    /// Tests a tire.
    #[must_use]
    pub fn find(&self, tire: &Arc<dyn TireModel>, declared: &Declared) -> Finding {
        let subject = LawUnderTest { tire, declared };
        let result = guarded(|| (self.run)(&subject));
        Finding::of(self.name, self.bound, &declared.expected_failures, result)
    }

    /// The deviation of a tire, if any.
    fn complaint(&self, tire: &Arc<dyn TireModel>, declared: &Declared) -> Option<String> {
        let finding = self.find(tire, declared);
        let complaint = || finding.complaint_about(self.measures, self.bound);
        (!finding.verdict.is_good()).then(|| format!("{}: {}", self.name, complaint()))
    }
}

/// Every case.
pub fn cases() -> impl Iterator<Item = &'static LawCase> {
    laws::CASES.iter().chain(&quarter_car::CASES)
}

/// Runs all cases on a tire: unexpected results, a line each.
#[must_use]
pub fn check(tire: &Arc<dyn TireModel>, declared: &Declared) -> Vec<String> {
    let complaints = cases().filter_map(|case| case.complaint(tire, declared));
    complaints.chain(unknown(declared)).collect()
}

/// One test per case, with names that start with `name`.
#[must_use]
pub fn trials(name: &str, tire: &Arc<dyn TireModel>, declared: &Declared) -> Vec<Trial> {
    let named = |what: &str| format!("{name}::{what}").replace(' ', "_");
    let trial = |case: &'static LawCase| {
        let (tire, declared) = (Arc::clone(tire), declared.clone());
        Trial::new(named(case.name), move || {
            case.complaint(&tire, &declared).map_or(Ok(()), Err)
        })
    };
    let unknown = unknown(declared);
    let list = Trial::new(named("expected failures are of cases"), move || {
        unknown.map_or(Ok(()), Err)
    });
    cases().map(trial).chain([list]).collect()
}

/// Expected failures that match no case.
fn unknown(declared: &Declared) -> Option<String> {
    let names = declared
        .expected_failures
        .iter()
        .map(|expected| expected.case);
    let unknown: Vec<_> = names
        .filter(|name| cases().all(|case| case.name != *name))
        .collect();
    (!unknown.is_empty()).then(|| format!("no case is called {unknown:?}"))
}
