//! The clutch pedal: its travel, and what it means for gears and starter.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

/// Travel of a clutch pedal, 0 (released) … 1 (pressed).
///
/// A driver with [`Levers::manual_clutch`](vehicle_core::Levers::manual_clutch) works the clutch by this pedal alone. An engine that
/// stalls then stands until its starter turns it, and in the rows solver gears engage only while the pedal is pressed beyond the bite
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClutchPedalParams {
    /// Bite point: the position at which a pedal that is let out begins to close the clutch (–), > 0, at most 1.
    pub bite_point: f32,
    /// Position below which the clutch is closed (–), ≥ 0, below the bite point; the torque that it can transmit is linear between.
    pub closed_point: f32,
}

impl ClutchPedalParams {
    /// Engagement of the clutch, 0…1, with the pedal at this position.
    pub(crate) fn engagement(&self, pedal: f32) -> f32 {
        let travel = self.bite_point - self.closed_point;
        ((self.bite_point - pedal) / travel).clamp(0.0, 1.0)
    }
}

impl Check for ClutchPedalParams {
    fn check(&self, i: &mut Inspector) {
        let (bite, closed) = (self.bite_point, self.closed_point);
        let range = bite > 0.0 && bite <= 1.0;
        i.rule(range, "bite_point", bite, "", "must be > 0 and at most 1");
        let range = closed >= 0.0 && closed < bite;
        let rule = "must be >= 0 and below the bite point";
        i.rule(range, "closed_point", closed, "", rule);
    }
}
