//! Dampers: one coefficient, or one for each direction, with a knee.

use crate::base::checked::{Check, Inspector};

/// Knee of a damper's curve, where its valve opens.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DamperKnee {
    /// Speed of the strut above which `rate` applies (`m/s`), > 0.
    pub speed: f32,
    /// Force per speed beyond the knee (`N·s/m`), ≥ 0: below the low-speed `rate` for a digressive damper.
    pub rate: f32,
}

/// A damper in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DamperStroke {
    /// Force per speed at low speed (`N·s/m`), ≥ 0.
    pub rate: f32,
    /// Knee, if any.
    #[cfg_attr(feature = "serde", serde(default))]
    pub knee: Option<DamperKnee>,
}

impl DamperStroke {
    /// All forces times `ratio`.
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

/// A damper at the wheel. A single number (`N·s/m`) is the coefficient of both directions: `Damping::from(2600.0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Damping {
    /// Damper in compression.
    pub bump: DamperStroke,
    /// Damper in extension.
    pub rebound: DamperStroke,
}

impl Damping {
    /// This damper with all forces times `ratio`.
    #[must_use]
    pub fn scaled(self, ratio: f32) -> Self {
        Self {
            bump: self.bump.scaled(ratio),
            rebound: self.rebound.scaled(ratio),
        }
    }

    /// Mean low-speed coefficient (`N·s/m`), from which damping ratios are computed.
    #[must_use]
    pub fn mean_rate(&self) -> f32 {
        0.5 * (self.bump.rate + self.rebound.rate)
    }

    /// Whether the damper's force is proportional to speed, equally in both directions.
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
