//! A motor: greatest torque over speed, losses, and the wheels that it drives.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, ShaftNode, ShaftRow};

use super::heat::MotorHeatParams;
use crate::per_wheel;

/// A motor with its gear. It drives its wheels through an open differential, which one wheel does not need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorParams {
    /// Indices of the wheels that it drives, at least one; each wheel has one motor at most. None for the generator of a power split,
    /// which turns with its sun.
    pub wheels: Vec<usize>,
    /// Speed of the rotor over the mean of its wheels' spins, over the sun's speed, or over that of the input of a parallel hybrid's
    /// gearbox (–), > 0.
    pub ratio: f32,
    /// Moment of inertia of rotor and gear, at the rotor (`kg·m²`), > 0.
    pub inertia: f32,
    /// Greatest torque at the rotor (`N·m`), > 0.
    pub peak_torque: f32,
    /// Greatest mechanical power (`W`), > 0: above `peak_power / peak_torque`, the torque falls with the speed.
    pub peak_power: f32,
    /// Speed of the rotor from which field weakening no longer keeps the power (`rad/s`), > 0: above it, the torque falls with the
    /// square of the speed. `None` for a motor that keeps it up to its maximum speed.
    #[serde(default)]
    pub weakening_speed: Option<f32>,
    /// Maximum speed of the rotor (`rad/s`), > 0: there is no torque; it falls in the last 5 % below.
    pub max_speed: f32,
    /// Measured greatest torque over speed (`rad/s`, `N·m`, both ≥ 0), which limits the torque too.
    #[serde(default)]
    pub torque_curve: Option<Curve>,
    /// Weight of this motor in the torque that the accelerator asks of all (–), ≥ 0. What a motor cannot give, the others do. By
    /// default, the greatest torque at its wheels.
    #[serde(default)]
    pub share: Option<f32>,
    /// Losses of motor and inverter.
    #[serde(default)]
    pub losses: MotorLosses,
    /// Heat; `None` for a motor that does not heat up.
    #[serde(default)]
    pub heat: Option<MotorHeatParams>,
}

/// Losses of a motor with its inverter: copper·T² + iron·|Ω| + constant while it turns or gives torque.
///
/// The terms of the loss model in J. Larminie, J. Lowry, *Electric Vehicle Technology Explained*, 2nd ed. 2012,
/// without that for windage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotorLosses {
    /// Losses by current, per square of the torque (`W/(N·m)²`), ≥ 0.
    pub copper: f32,
    /// Losses by the changing field, per speed (`W·s/rad`), ≥ 0.
    pub iron: f32,
    /// Constant losses (`W`), ≥ 0.
    pub constant: f32,
}

impl MotorLosses {
    /// Losses (`W`) at a torque (`N·m`) and speed (`rad/s`) of the rotor.
    #[must_use]
    pub fn at(&self, torque: f32, speed: f32) -> f32 {
        self.copper * torque * torque + self.without_torque(torque, speed)
    }

    /// Losses that do not grow with the torque (`W`).
    pub(super) fn without_torque(&self, torque: f32, speed: f32) -> f32 {
        if torque.abs() < OFF && speed == 0.0 {
            return 0.0;
        }
        self.iron * speed.abs() + self.constant
    }
}

/// Torque below which the inverter of a standing motor is off (`N·m`): rounding of shafts at rest leaves less.
const OFF: f32 = 1e-3;
/// Part of the maximum speed in which the torque falls to 0 (–).
const CUT: f32 = 0.05;

impl MotorParams {
    /// Greatest torque at the rotor (`N·m`), ≥ 0, at its speed (`rad/s`), in either direction.
    ///
    /// Constant torque, constant power, and ∝ 1/Ω² from the weakening speed on: A. Emadi (ed.), *Advanced Electric Drive Vehicles*,
    /// 2015.
    #[must_use]
    pub fn limit(&self, speed: f32) -> f32 {
        let speed = speed.abs();
        let weakening = self.weakening_speed.unwrap_or(self.max_speed);
        let power = self.peak_power * (weakening / speed.max(weakening));
        let torque = (power / speed.max(f32::MIN_POSITIVE)).min(self.peak_torque);
        let measured = self.torque_curve.as_ref();
        let torque = measured.map_or(torque, |curve| torque.min(curve.at(speed).max(0.0)));
        torque * ((self.max_speed - speed) / (CUT * self.max_speed)).clamp(0.0, 1.0)
    }

    /// Torque that [`limit`](Self::limit) loses per speed that the motor gains (`N·m·s/rad`), ≥ 0.
    pub(super) fn limit_slope(&self, speed: f32) -> f32 {
        let (speed, near) = (speed.abs(), 0.005 * self.max_speed);
        let [below, above] = [speed - near, speed + near].map(|speed| self.limit(speed));
        ((below - above) / (2.0 * near)).max(0.0)
    }

    /// Weight of the motor among all (–), ≥ 0; a generator has none.
    pub(super) fn weight(&self) -> f32 {
        if self.wheels.is_empty() {
            return 0.0;
        }
        self.share.unwrap_or(self.peak_wheel_torque())
    }

    /// Greatest torque at its wheels together (`N·m`).
    #[must_use]
    pub fn peak_wheel_torque(&self) -> f32 {
        self.peak_torque * self.ratio
    }

    /// The node of the rotor.
    pub(super) fn node(&self) -> ShaftNode {
        ShaftNode {
            // A generator follows the engine.
            is_engine: !self.wheels.is_empty(),
            ..ShaftNode::new(self.inertia)
        }
    }

    /// The gear between node `own` of `nodes`, the rotor, and its wheels, in a vehicle of `wheels` wheels.
    pub(super) fn gear(&self, own: usize, nodes: usize, wheels: usize) -> ShaftRow {
        let mut weights = alloc::vec![0.0; nodes + wheels];
        weights[own] = 1.0;
        for &wheel in self.wheels.iter().filter(|wheel| **wheel < wheels) {
            weights[nodes + wheel] = -self.ratio / self.wheels.len() as f32;
        }
        ShaftRow::gear(&weights)
    }
}

impl Check for MotorLosses {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("copper", self.copper, "W/(N·m)²");
        i.not_negative("iron", self.iron, "W·s/rad");
        i.not_negative("constant", self.constant, "W");
    }
}

impl Check for MotorParams {
    fn check(&self, i: &mut Inspector) {
        if !self.wheels.is_empty() {
            per_wheel::check_driven("wheels", &self.wheels, i);
        }
        i.positive("ratio", self.ratio, "");
        i.positive("inertia", self.inertia, "kg·m²");
        i.positive("peak_torque", self.peak_torque, "N·m");
        i.positive("peak_power", self.peak_power, "W");
        i.positive(
            "weakening_speed",
            self.weakening_speed.unwrap_or(1.0),
            "rad/s",
        );
        i.positive("max_speed", self.max_speed, "rad/s");
        if let Some(curve) = &self.torque_curve {
            i.within("torque_curve", |i| {
                curve.check(i);
                for (n, [speed, torque]) in curve.0.iter().enumerate() {
                    i.within(alloc::format!("[{n}]"), |i| {
                        i.not_negative("x", *speed, "rad/s");
                        i.not_negative("y", *torque, "N·m");
                    });
                }
            });
        }
        i.not_negative("share", self.share.unwrap_or(1.0), "");
        i.within("losses", |i| self.losses.check(i));
        if let Some(heat) = &self.heat {
            i.within("heat", |i| heat.check(i));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
