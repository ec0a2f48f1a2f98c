//! One suite for every tire law: what a [`TireModel`] promises, measured over a grid of slips, loads and
//! frictions, and on a quarter of a car.
//!
//! A law comes in with what it [declares](Declared). A sentence that it cannot keep is declared, too, with
//! the reason, and the list is strict: one that it keeps all the same is a failure.
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
//!     // Of a law in proportion to the load, twice what it has at rest.
//!     slip_stiffness: 40.0,
//!     ..Declared::within_the_circle(0.31, 4000.0)
//! };
//! assert_eq!(check(&tire, &declared), Vec::<String>::new());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`trials`] makes a test of each case for `libtest-mimic`.

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

/// What a tire law says of itself, beside its [`traits`](TireModel::traits).
#[derive(Clone, Debug)]
pub struct Declared {
    /// Radius of the wheel (`m`), > 0.
    pub radius: f32,
    /// Load at rest (`N`), > 0. Cases go up to twice this.
    pub load: f32,
    /// Maximum force over friction times load (–), > 0: 1 inside the friction circle. It must be
    /// reached to 80 %.
    pub grip: f32,
    /// Maximum force without slip over load (–), ≥ 0, with an inclination of up to 0.1 rad to either side
    /// (camber thrust, conicity, ply steer). It must be reached to 80 %.
    pub offset: f32,
    /// Maximum change of force over the load at rest per change of slip (–), > 0, of slip ratio or
    /// tangent of the slip angle, at up to twice that load. It must be reached to 80 %.
    pub slip_stiffness: f32,
    /// What it cannot keep.
    pub expected_failures: Vec<Expected>,
}

impl Declared {
    /// A law inside the friction circle, without offsets, whose force grows by up to 20 times the load at
    /// rest per slip.
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

/// What a case is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    tire: &'a Arc<dyn TireModel>,
    declared: &'a Declared,
}

/// One behaviour of a tire law.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The behaviour, as a sentence.
    pub name: &'static str,
    /// What is measured, with its unit; empty of a sentence that is kept or not.
    pub measures: &'static str,
    /// The most that it may measure.
    pub bound: f64,
    run: fn(&Subject<'_>) -> Result<Measure, Failure>,
}

impl Case {
    /// Asks a tire.
    #[must_use]
    pub fn find(&self, tire: &Arc<dyn TireModel>, declared: &Declared) -> Finding {
        let subject = Subject { tire, declared };
        let result = guarded(|| (self.run)(&subject));
        Finding::of(self.name, self.bound, &declared.expected_failures, result)
    }

    /// What is not as it should be with a tire.
    fn complaint(&self, tire: &Arc<dyn TireModel>, declared: &Declared) -> Option<String> {
        let finding = self.find(tire, declared);
        let complaint = || finding.complaint_about(self.measures, self.bound);
        (!finding.verdict.is_good()).then(|| format!("{}: {}", self.name, complaint()))
    }
}

/// Every case.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    laws::CASES.iter().chain(&quarter_car::CASES)
}

/// Asks a tire everything: what is not as it should be, a line each.
#[must_use]
pub fn check(tire: &Arc<dyn TireModel>, declared: &Declared) -> Vec<String> {
    let complaints = cases().filter_map(|case| case.complaint(tire, declared));
    complaints.chain(unknown(declared)).collect()
}

/// One test per case; their names begin with `name`.
#[must_use]
pub fn trials(name: &str, tire: &Arc<dyn TireModel>, declared: &Declared) -> Vec<Trial> {
    let named = |what: &str| format!("{name}::{what}").replace(' ', "_");
    let trial = |case: &'static Case| {
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

/// Expected failures that there is no case of.
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
