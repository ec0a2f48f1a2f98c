//! Settings of the rows solver.

use crate::base::checked::{Check, Inspector};

/// The settings of the rows solver (docs/ROWS.md §10).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct RowsSettings {
    /// Maximum substep (`s`), 1e-5…1. A step has at most 100 substeps in any case.
    pub max_substep: f32,
    /// Sweeps over all rows per substep, 1…20. Each is warm-started with the last substep's forces, so that one
    /// suffices; landing wheels and tires whose friction falls add one.
    pub sweeps: u32,
    /// Stiffness of a tire's carcass, by which a standing wheel sticks, per rest load (`1/m`), 10…1e6: with 1000,
    /// it deflects by 1 mm at full grip.
    pub carcass_stiffness: f32,
    /// Damping of the carcass over its stiffness (`s`), 0…10.
    pub carcass_damping_time: f32,
    /// Observer gain: part of a push's estimation error that one step corrects, of a torque's a tenth of it (–), 0…1.
    pub observer_gain: f32,
}

impl RowsSettings {
    /// Substeps of at most 1/60 s: one per step at 60 Hz.
    pub const DEFAULT: Self = Self {
        max_substep: 1.0 / 60.0,
        sweeps: 1,
        carcass_stiffness: 1000.0,
        carcass_damping_time: 0.03,
        observer_gain: 0.25,
    };

    /// Substeps of at most 1/120 s: results at different rates agree about twice as well, at twice the cost.
    pub const FINE: Self = Self {
        max_substep: 1.0 / 120.0,
        ..Self::DEFAULT
    };

    /// Substeps of a step of `dt` (`s`).
    #[must_use]
    pub fn substeps(&self, dt: f32) -> u32 {
        // A step of exactly n substeps must not become n + 1 by rounding.
        const ROUNDING: f32 = 1e-3;
        let most = Self::MOST_SUBSTEPS as f32;
        if dt <= self.max_substep {
            return 1;
        }
        let parts = dt / self.max_substep - ROUNDING;
        libm::ceilf(parts.min(most)) as u32
    }

    /// Maximum number of substeps of a step.
    pub const MOST_SUBSTEPS: u32 = 100;
}

impl Default for RowsSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Check for RowsSettings {
    fn check(&self, i: &mut Inspector) {
        i.within_range("max_substep", self.max_substep, 1e-5, 1.0, "s");
        let sweeps = self.sweeps;
        let rule = "must be within 1..=20";
        i.rule((1..=20).contains(&sweeps), "sweeps", sweeps, "", rule);
        i.within_range(
            "carcass_stiffness",
            self.carcass_stiffness,
            10.0,
            1e6,
            "1/m",
        );
        let time = self.carcass_damping_time;
        i.within_range("carcass_damping_time", time, 0.0, 10.0, "s");
        i.within_range("observer_gain", self.observer_gain, 0.0, 1.0, "");
    }
}
