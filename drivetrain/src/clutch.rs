//! The clutch: a torque proportional to the speed difference (ALGORITHMS §4.4), or plates that hold
//! up to a torque.

mod automatic;
mod pedal;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::ClutchAccuracy;
use vehicle_core::{Check, Inspector};

pub use pedal::ClutchPedalParams;

/// Parameters of a clutch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClutchParams {
    /// Torque per speed difference of its two sides (`N·m·s/rad`), > 0.
    pub strength: f32,
    /// Torque that the plates transmit before they slip (`N·m`), > 0: a friction clutch, which the
    /// rows solver holds rigid up to there. The explicit solver has viscous clutches only and uses
    /// `strength`.
    #[serde(default)]
    pub capacity: Option<f32>,
    /// Method by which the coupled speeds are solved.
    #[serde(default)]
    pub accuracy: ClutchAccuracy,
    /// Whether the clutch opens and closes by itself: it opens below the idle speed and during a change of gear, and closes by
    /// the engine's torque and the throttle. The pedal opens it, too. Without a value, a clutch does so in the rows solver, and
    /// not in the explicit solver, as in PhysX.
    #[serde(default)]
    pub automatic: Option<bool>,
    /// Time constant of the automatic clutch (`s`), > 0: in it, the engine's difference to the speed of the gearbox falls to
    /// 37 %.
    #[serde(default = "default_closing_time")]
    pub closing_time: f32,
    /// Torque with which the automatic clutch drags below the idle speed (`N·m`), ≥ 0: the vehicle creeps. 0 for one that
    /// stands until the throttle opens.
    #[serde(default)]
    pub creep_torque: f32,
    /// Travel of the pedal, of a clutch that drivers may work by it; without a value the torque is linear over all of it, and the
    /// clutch always opens and closes by itself, if it does so at all.
    #[serde(default)]
    pub pedal: Option<ClutchPedalParams>,
}

const fn default_closing_time() -> f32 {
    ClutchParams::CLOSING_TIME
}

impl ClutchParams {
    /// The default of [`closing_time`](Self::closing_time) (`s`). tuned: by what passengers feel when a coasting car changes
    /// down.
    pub const CLOSING_TIME: f32 = 0.3;

    /// Engagement, 0…1, with the pedal pressed by `pedal`, 0…1; 0 in neutral.
    #[must_use]
    pub fn engagement(pedal: f32, neutral: bool) -> f32 {
        if neutral {
            0.0
        } else {
            1.0 - pedal.clamp(0.0, 1.0)
        }
    }

    /// Engagement, 0…1, with the pedal at this position of its travel; 0 in neutral.
    pub(crate) fn engagement_at(&self, pedal: f32, neutral: bool) -> f32 {
        match &self.pedal {
            Some(travel) if !neutral => travel.engagement(pedal),
            _ => Self::engagement(pedal, neutral),
        }
    }

    /// Strength (`N·m·s/rad`) and capacity (`N·m`; `None` without plates) at this engagement, 0…1.
    pub(crate) fn engaged(&self, engagement: f32) -> (f32, Option<f32>) {
        let capacity = self.capacity.map(|torque| torque * engagement);
        (self.strength * engagement, capacity)
    }

    /// Strength (`N·m·s/rad`) with the pedal pressed by `pedal`, 0…1; 0 in neutral.
    #[must_use]
    pub fn engaged_strength(&self, pedal: f32, neutral: bool) -> f32 {
        self.engaged(Self::engagement(pedal, neutral)).0
    }

    /// Capacity (`N·m`) with the pedal pressed by `pedal`, 0…1; 0 in neutral, `None` without plates.
    #[must_use]
    pub fn engaged_capacity(&self, pedal: f32, neutral: bool) -> Option<f32> {
        self.engaged(Self::engagement(pedal, neutral)).1
    }
}

impl Check for ClutchParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("strength", self.strength, "N·m·s/rad");
        if let Some(capacity) = self.capacity {
            i.positive("capacity", capacity, "N·m");
        }
        i.positive("closing_time", self.closing_time, "s");
        i.not_negative("creep_torque", self.creep_torque, "N·m");
        if let Some(pedal) = &self.pedal {
            i.within("pedal", |i| pedal.check(i));
        }
        if let ClutchAccuracy::Iterative { sweeps, tolerance } = self.accuracy {
            i.rule(sweeps > 0, "accuracy.sweeps", sweeps, "", "must be > 0");
            i.not_negative("accuracy.tolerance", tolerance, "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[rstest]
    #[case::released(0.0, false, 1.0)]
    #[case::half(0.5, false, 0.5)]
    #[case::pressed(1.0, false, 0.0)]
    #[case::beyond(1.01, false, 0.0)]
    #[case::neutral(0.0, true, 0.0)]
    fn pedal_and_neutral_open_the_clutch(
        #[case] pedal: f32,
        #[case] neutral: bool,
        #[case] left: f32,
    ) {
        let viscous = ClutchParams::physx();
        assert_eq!(viscous.engaged_strength(pedal, neutral), 10.0 * left);
        assert_eq!(viscous.engaged_capacity(pedal, neutral), None);
        let plates = ClutchParams {
            capacity: Some(320.0),
            ..viscous
        };
        assert_eq!(plates.engaged_strength(pedal, neutral), 10.0 * left);
        let capacity = plates.engaged_capacity(pedal, neutral);
        assert_eq!(capacity, Some(320.0 * left));
    }

    /// The torque is linear between bite point and closed point.
    #[rstest]
    #[case::pressed(1.0, 0.0)]
    #[case::bite_point(0.7, 0.0)]
    #[case::half(0.5, 0.5)]
    #[case::closed_point(0.3, 1.0)]
    #[case::released(0.0, 1.0)]
    fn a_pedal_bites_within_its_travel(#[case] pedal: f32, #[case] expected: f32) {
        let clutch = ClutchParams {
            pedal: Some(ClutchPedalParams {
                bite_point: 0.7,
                closed_point: 0.3,
            }),
            ..ClutchParams::physx()
        };
        let found = clutch.engagement_at(pedal, false);
        assert!((found - expected).abs() < 1e-6, "{found}");
        assert_eq!(clutch.engagement_at(pedal, true), 0.0);
    }

    #[test]
    fn every_fault_is_found() {
        let bad = ClutchParams {
            strength: -1.0,
            capacity: Some(0.0),
            accuracy: ClutchAccuracy::physx_estimate(0),
            automatic: None,
            closing_time: 0.0,
            creep_torque: -1.0,
            pedal: Some(ClutchPedalParams {
                bite_point: 1.2,
                closed_point: 1.3,
            }),
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 7);
    }

    #[test]
    fn an_iterative_solution_needs_a_sweep() {
        for (sweeps, valid) in [(0, false), (1, true), (5, true)] {
            let clutch = ClutchParams {
                accuracy: ClutchAccuracy::physx_estimate(sweeps),
                ..ClutchParams::physx()
            };
            assert_eq!(Checked::new(clutch).is_ok(), valid);
        }
    }
}
