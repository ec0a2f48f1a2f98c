//! A power split: a planetary gear between a combustion engine, a generator and wheels that motors drive, too.
//!
//! ```text
//! (1 + ρ)·Ω_carrier = Ω_sun + ρ·Ω_ring          ρ = teeth of the ring over those of the sun
//! T_sun = T_engine/(1 + ρ),   T_ring = ρ·T_sun
//! ```
//!
//! The engine turns the carrier, the generator the sun (R. Willis, *Principles of Mechanism*, 1841; J. Liu, H. Peng, *Modeling and
//! Control of a Power-Split Hybrid Vehicle*, IEEE Trans. Control Syst. Technol. 16-6, 2008).

use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, ShaftRow};

use super::engine_rules::EngineRules;
use super::motor::MotorParams;
use crate::per_wheel;

/// A planetary gear whose carrier a combustion engine turns, whose sun a generator turns, and whose ring turns wheels; and the rules by
/// which the engine runs.
///
/// The engine runs at the speed of the operating line for the power that driver and battery ask, which the generator holds; the
/// motors add what the engine's torque on the ring leaves of the driver's request. Below `start_power`, the car drives by its
/// battery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerSplitParams {
    /// Indices of the wheels that the ring turns through an open differential, at least one.
    pub wheels: Vec<usize>,
    /// Teeth of the ring over those of the sun (–), > 0.
    pub planetary: f32,
    /// Speed of the ring over the mean of its wheels' spins (–), > 0.
    pub ratio: f32,
    /// Speed of the engine (`rad/s`, > 0) over the power that is asked of it (`W`, ≥ 0): where it burns least for that power. The last
    /// power is the greatest that is asked.
    pub operating_line: Curve,
    /// Greatest change of the engine's speed (`rad/s²`), > 0.
    pub speed_rate: f32,
    /// Power of the driver's request above which the engine starts (`W`), > 0.
    pub start_power: f32,
    /// Power of the driver's request below which the engine stops (`W`), ≥ 0, at most `start_power`.
    pub stop_power: f32,
    /// Speed of the vehicle above which the engine runs (`m/s`), > 0; `None` if it need not.
    #[serde(default)]
    pub electric_speed: Option<f32>,
    /// State of charge below which the engine starts, and the one to which it charges (–), ascending, 0…1. It charges with
    /// `charge_power` at the lower one, and stops above their middle.
    pub charge: [f32; 2],
    /// Power with which the engine charges the battery at the lower state of charge (`W`), ≥ 0.
    pub charge_power: f32,
}

impl PowerSplitParams {
    /// Greatest power that is asked of the engine (`W`).
    #[must_use]
    pub fn engine_power(&self) -> f32 {
        self.operating_line
            .0
            .last()
            .map_or(0.0, |[power, _]| *power)
    }

    /// The rules by which the engine runs.
    pub(super) fn rules(&self) -> EngineRules {
        EngineRules {
            start_power: self.start_power,
            stop_power: self.stop_power,
            electric_speed: self.electric_speed,
            charge: self.charge,
            charge_power: self.charge_power,
        }
    }

    /// Speed of the sun (`rad/s`) at these speeds of carrier and ring.
    #[must_use]
    pub fn sun_speed(&self, carrier: f32, ring: f32) -> f32 {
        (1.0 + self.planetary) * carrier - self.planetary * ring
    }

    /// Torque on the wheels together over that of the planetary gear's row, which is the sun's (–).
    pub(super) fn wheel_torque_ratio(&self) -> f32 {
        self.planetary * self.ratio
    }

    /// Torque on the wheels together over the engine's (–).
    pub(super) fn direct_ratio(&self) -> f32 {
        self.wheel_torque_ratio() / (1.0 + self.planetary)
    }

    /// The row of the planetary gear between the nodes `engine` and `generator` of `nodes`, and `wheels` wheels.
    pub(super) fn gear(
        &self,
        generator: &MotorParams,
        [engine, sun]: [usize; 2],
        [nodes, wheels]: [usize; 2],
    ) -> ShaftRow {
        let mut weights = vec![0.0; nodes + wheels];
        weights[engine] = 1.0 + self.planetary;
        weights[sun] = -1.0 / generator.ratio;
        for &wheel in self.wheels.iter().filter(|wheel| **wheel < wheels) {
            weights[nodes + wheel] = -self.wheel_torque_ratio() / self.wheels.len() as f32;
        }
        ShaftRow::gear(&weights)
    }
}

impl Check for PowerSplitParams {
    fn check(&self, i: &mut Inspector) {
        per_wheel::check_driven("wheels", &self.wheels, i);
        i.positive("planetary", self.planetary, "");
        i.positive("ratio", self.ratio, "");
        i.within("operating_line", |i| {
            self.operating_line.check(i);
            for (n, [power, speed]) in self.operating_line.0.iter().enumerate() {
                i.within(alloc::format!("[{n}]"), |i| {
                    i.not_negative("x", *power, "W");
                    i.positive("y", *speed, "rad/s");
                });
            }
        });
        i.positive("speed_rate", self.speed_rate, "rad/s²");
        self.rules().check(i);
    }
}

#[cfg(test)]
mod tests;
