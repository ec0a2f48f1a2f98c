//! Solver settings and rules common to both solvers.

pub(crate) mod explicit;
mod rows;

use crate::base::checked::{Check, Inspector};
use crate::base::words::words;

pub use explicit::{ExplicitSettings, SlipSettings, StickySettings, StopSettings, SubstepPolicy};
pub use rows::RowsSettings;

/// The solver of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Solver {
    /// Rows for struts, tires and clutch, solved together and implicitly: stands still, and does not depend on
    /// the time step.
    Rows(RowsSettings),
    /// Stages in sequence, as in PhysX.
    Explicit(ExplicitSettings),
}

impl Solver {
    /// Whether two settings are of one solver, whatever they are.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}

words!(commands: "Clamp", "Refuse");

/// A solver with its settings, and rules common to both solvers (ALGORITHMS §1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Profile {
    /// The solver of the vehicle.
    pub solver: Solver,
    /// Whether finite commands beyond their range by more than a tolerance of 0.01 are refused, as in PhysX
    /// (ALGORITHMS §4.10), or clamped and reported.
    #[cfg_attr(feature = "serde", serde(rename = "commands", with = "commands"))]
    pub refuses_out_of_range: bool,
    /// Whether moments of tires ([`TireTraits::has_moments`]) act on chassis and spins, in both solvers. In
    /// PhysX they do not: its aligning moment, with a trail of 1 m, is only reported.
    ///
    /// [`TireTraits::has_moments`]: crate::contracts::tire::TireTraits::has_moments
    pub tire_moments: bool,
    /// Maximum acceleration of a dynamic body by the wheel on it (`m/s²`); infinite for no limit. The explicit
    /// solver's wheel then carries no more than that, either (ALGORITHMS §3.6).
    #[cfg_attr(feature = "serde", serde(with = "crate::base::infinite"))]
    pub max_ground_acceleration: f32,
    /// Whether the wheel's mass limits the speed at which a spring extends it (ALGORITHMS §3.5, ROWS §4).
    pub limit_expansion: bool,
    /// Whether the sum of the sprung masses may differ from the chassis' mass by more than 1 %, as in PhysX 5,
    /// which only recommends it (ALGORITHMS §4.1): such a car sinks, or stands too high.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sprung_masses_may_differ: bool,
    /// Whether a wheel whose sweep starts inside the ground stands on it; in PhysX it stands on nothing
    /// (ALGORITHMS §2.4).
    pub overlaps_carry: bool,
    /// Whether swept wheels keep the last step's steering, with which they were swept (ALGORITHMS §2.2), or use
    /// the present one (PhysX 5).
    pub sweeps_lag: bool,
    /// Whether a change of the brakes wakes a sleeping car, so that it rolls when they are released on a slope,
    /// and with them a change of anything else that makes it stand (ROWS §8); in PhysX none does (ALGORITHMS §3.15).
    pub brakes_wake: bool,
}

impl Profile {
    /// The rows solver; commands are clamped, and any change wakes a sleeping car.
    pub const DEFAULT: Self = Self {
        solver: Solver::Rows(RowsSettings::DEFAULT),
        refuses_out_of_range: false,
        tire_moments: true,
        max_ground_acceleration: 100.0,
        limit_expansion: false,
        sprung_masses_may_differ: false,
        overlaps_carry: true,
        sweeps_lag: true,
        brakes_wake: true,
    };

    /// The explicit solver's settings, if it is the solver.
    #[must_use]
    pub const fn explicit(&self) -> Option<&ExplicitSettings> {
        match &self.solver {
            Solver::Explicit(settings) => Some(settings),
            Solver::Rows(_) => None,
        }
    }

    /// The rows solver's settings, if it is the solver.
    #[must_use]
    pub const fn rows(&self) -> Option<&RowsSettings> {
        match &self.solver {
            Solver::Rows(settings) => Some(settings),
            Solver::Explicit(_) => None,
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Check for Profile {
    fn check(&self, i: &mut Inspector) {
        match &self.solver {
            Solver::Rows(settings) => i.within("rows", |i| settings.check(i)),
            Solver::Explicit(settings) => i.within("explicit", |i| settings.check(i)),
        }
        let limit = self.max_ground_acceleration;
        i.rule(
            limit > 0.0,
            "max_ground_acceleration",
            limit,
            "m/s²",
            "must be > 0",
        );
    }
}
