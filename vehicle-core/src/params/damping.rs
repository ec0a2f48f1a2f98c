//! Dampers: one rate, or a rate for each direction, with a knee.

use crate::base::checked::{Check, Inspector};

/// Where a damper's valve opens.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DamperKnee {
    /// Speed of the strut from which on `rate` counts (`m/s`), > 0.
    pub speed: f32,
    /// Force per speed beyond (`N·s/m`), ≥ 0: below the rate of slow motion for a digressive damper.
    pub rate: f32,
}

/// A damper in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DamperStroke {
    /// Force per speed of slow motion (`N·s/m`), ≥ 0.
    pub rate: f32,
    /// Where that changes, if it does.
    #[cfg_attr(feature = "serde", serde(default))]
    pub knee: Option<DamperKnee>,
}

impl DamperStroke {
    /// The same force at all speeds times `ratio`.
    fn scaled(self, ratio: f32) -> Self {
        Self {
            rate: self.rate * ratio,
            knee: self.knee.map(|knee| DamperKnee {
                rate: knee.rate * ratio,
                ..knee
            }),
        }
    }
}

/// A damper at the wheel. A single number (`N·s/m`) becomes one that is alike both ways:
/// `Damping::from(2600.0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Damping {
    /// While the strut is compressed.
    pub bump: DamperStroke,
    /// While it extends.
    pub rebound: DamperStroke,
}

impl Damping {
    /// The same damper, `ratio` times as strong.
    #[must_use]
    pub fn scaled(self, ratio: f32) -> Self {
        Self {
            bump: self.bump.scaled(ratio),
            rebound: self.rebound.scaled(ratio),
        }
    }

    /// Mean rate of slow motion [N·s/m]: what damping ratios are told from.
    #[must_use]
    pub fn mean_rate(&self) -> f32 {
        0.5 * (self.bump.rate + self.rebound.rate)
    }

    /// Whether force is in proportion to speed, alike both ways.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.bump == self.rebound && self.bump.knee.is_none()
    }
}

impl From<f32> for Damping {
    fn from(rate: f32) -> Self {
        let stroke = DamperStroke { rate, knee: None };
        Self {
            bump: stroke,
            rebound: stroke,
        }
    }
}

impl Check for Damping {
    fn check(&self, i: &mut Inspector) {
        if self.is_linear() {
            i.not_negative("", self.bump.rate, "N·s/m");
            return;
        }
        for (name, stroke) in [("bump", &self.bump), ("rebound", &self.rebound)] {
            i.within(name, |i| {
                i.not_negative("rate", stroke.rate, "N·s/m");
                if let Some(knee) = &stroke.knee {
                    i.within("knee", |i| {
                        i.positive("speed", knee.speed, "m/s");
                        i.not_negative("rate", knee.rate, "N·s/m");
                    });
                }
            });
        }
    }
}
