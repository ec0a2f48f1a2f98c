//! Which solver advances a vehicle, with what settings; and what both solvers keep to.

mod explicit;
mod rows;

use crate::base::checked::{Check, Inspector};

pub use explicit::{
    ContactPoint, ExpansionRule, ExplicitSettings, GravityAcross, OutputMode, SlipSettings,
    StickySettings, StopSettings, TireAxesRule,
};
pub use rows::RowsSettings;

/// What advances a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Solver {
    /// Rows for struts, tires and clutch, solved together and implicitly: stands still, and does
    /// not depend on the time step.
    Rows(RowsSettings),
    /// One stage after the other, as PhysX does it.
    Explicit(ExplicitSettings),
}

impl Solver {
    /// Whether both are the same solver, whatever their settings.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}

/// What to do with finite values outside their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RangePolicy {
    /// Clamp them, and say so in the report.
    Clamp,
    /// Refuse the command beyond a tolerance of 0.01, as PhysX does (ALGORITHMS §4.10).
    Refuse,
}

/// A solver with its settings, and what both solvers keep to (ALGORITHMS §1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Profile {
    /// What advances the vehicle.
    pub solver: Solver,
    /// What happens to finite commands outside their range.
    pub commands: RangePolicy,
    /// Whether the moments of tires that have some ([`TireTraits::has_moments`]) act on chassis and spins,
    /// in both solvers. In PhysX they do not: its aligning moment is only reported, about a trail of 1 m.
    ///
    /// [`TireTraits::has_moments`]: crate::contracts::tire::TireTraits::has_moments
    pub tire_moments: bool,
    /// Greatest acceleration that a wheel may give the dynamic body under it (`m/s²`); infinite for no
    /// limit. The explicit solver's wheel then carries no more than that, either (ALGORITHMS §3.6).
    #[cfg_attr(feature = "serde", serde(with = "crate::base::infinite"))]
    pub max_ground_acceleration: f32,
    /// Whether a spring may push a wheel out only as fast as its mass allows
    /// (ALGORITHMS §3.5, ROWS §4).
    pub limit_expansion: bool,
    /// Whether a wheel whose sweep starts inside the ground stands on it; in PhysX it stands on
    /// nothing (ALGORITHMS §2.4).
    pub overlaps_carry: bool,
    /// Whether swept wheels stand in a step as they were steered in the last one, which is how they looked
    /// for the ground (ALGORITHMS §2.2), or as they are steered now (PhysX 5).
    pub sweeps_lag: bool,
    /// Whether a change of the brakes wakes a sleeping car, so that it rolls when they are released
    /// on a slope; in PhysX it does not (§3.15).
    pub brakes_wake: bool,
}

impl Profile {
    /// The rows solver; commands are clamped, and brakes wake a sleeping car.
    pub const DEFAULT: Self = Self {
        solver: Solver::Rows(RowsSettings::DEFAULT),
        commands: RangePolicy::Clamp,
        tire_moments: true,
        max_ground_acceleration: 100.0,
        limit_expansion: false,
        overlaps_carry: true,
        sweeps_lag: true,
        brakes_wake: true,
    };

    /// The explicit solver's settings, where that advances the vehicle.
    #[must_use]
    pub const fn explicit(&self) -> Option<&ExplicitSettings> {
        match &self.solver {
            Solver::Explicit(settings) => Some(settings),
            Solver::Rows(_) => None,
        }
    }

    /// The rows solver's settings, where that advances the vehicle.
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
