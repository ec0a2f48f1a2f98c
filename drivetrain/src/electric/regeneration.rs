//! Regeneration: what motors brake, and what is left to the friction brakes.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector, MAX_WHEELS};

use super::PerMotor;
use super::motor::MotorParams;
use crate::brakes::BrakeParams;
use crate::per_wheel::PerWheel;

/// Braking by motors. By default, they do not brake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RegenerationParams {
    /// Whether the brake pedal regenerates: motors then take over torque of the brakes of their wheels.
    pub brake: bool,
    /// Braking torque at all wheels up to which the pedal brakes by motors alone, on whichever axle they are (`N·m`), ≥ 0. Beyond,
    /// friction brakes join on all wheels, and at full pedal braking is distributed as the brakes are.
    pub alone: f32,
    /// Part of the motors' peak torques that brakes while the accelerator is released (–), 0…1.
    pub lift_off: f32,
    /// Speeds of the wheels' rims below which motors do not brake, and from which they do fully (`m/s`), ascending, ≥ 0.
    pub fade: [f32; 2],
    /// Brake pedal that is pressed in place of the fading motors, while the accelerator is released (–), 0…1: one-pedal driving
    /// down to a stop, and on a slope. 0 for a vehicle that rolls on.
    pub one_pedal: f32,
}

impl Default for RegenerationParams {
    fn default() -> Self {
        Self {
            brake: false,
            alone: 0.0,
            lift_off: 0.0,
            fade: [0.5, 2.0],
            one_pedal: 0.0,
        }
    }
}

impl RegenerationParams {
    /// Part of its torque with which a motor brakes, 0…1, at a speed of the rim (`m/s`), and what this part gains per speed
    /// (`s/m`).
    #[must_use]
    pub fn fading(&self, rim_speed: f32) -> [f32; 2] {
        let [none, full] = self.fade;
        let part = (rim_speed.abs() - none) / (full - none);
        let slope = if (0.0..1.0).contains(&part) {
            1.0 / (full - none)
        } else {
            0.0
        };
        [part.clamp(0.0, 1.0), slope]
    }

    /// Accelerator at which motors neither drive nor brake on the whole (–).
    fn neutral_pedal(&self) -> f32 {
        self.lift_off / (1.0 + self.lift_off)
    }

    /// Brake pedal of one-pedal driving (–), 0…1, at an accelerator (–) and a part with which motors brake.
    pub(super) fn holding_pedal(&self, accelerator: f32, fading: f32) -> f32 {
        let released = 1.0 - accelerator / self.neutral_pedal().max(0.02);
        self.one_pedal * released.clamp(0.0, 1.0) * (1.0 - fading)
    }
}

impl Check for RegenerationParams {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("alone", self.alone, "N·m");
        i.within_range("lift_off", self.lift_off, 0.0, 1.0, "");
        let [none, full] = self.fade;
        i.not_negative("fade[0]", none, "m/s");
        i.finite("fade[1]", full, "m/s");
        let rule = "must be above the speed below which motors do not brake";
        i.rule(full > none, "fade[1]", full, "m/s", rule);
        i.within_range("one_pedal", self.one_pedal, 0.0, 1.0, "");
    }
}

/// Braking torques at the wheels (`N·m`), ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlendedBrakes {
    /// Torque of each motor at its wheels together.
    pub(super) motors: PerMotor,
    /// Torque of each wheel's friction brake.
    pub(super) friction: PerWheel,
}

/// Torques that the brake pedal asks of the brakes of all wheels (`N·m`).
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedBrakes {
    torques: PerWheel,
    /// Sum of the torques, and with the pedal fully pressed.
    sums: [f32; 2],
}

impl AskedBrakes {
    /// The torques at a pedal, 0…1.
    pub(super) fn new(brakes: &[BrakeParams], pedal: f32) -> Self {
        let mut torques = [0.0; MAX_WHEELS];
        for (torque, brake) in torques.iter_mut().zip(brakes) {
            *torque = brake.torque(pedal, 0.0);
        }
        let full = brakes.iter().map(|brake| brake.max_torque).sum();
        Self {
            torques,
            sums: [torques.iter().sum(), full],
        }
    }

    /// Part that motors brake alone (`N·m`), of `available` by their `shares`: it grows with the pedal up to `alone`, and falls to
    /// 0 at full pedal.
    fn alone(&self, alone: f32, shares: &PerMotor, available: &PerMotor) -> f32 {
        let [asked, full] = self.sums;
        let falling = alone * (full - asked) / (full - alone).max(f32::MIN_POSITIVE);
        let motors = shares.iter().zip(available);
        let least = motors
            .filter(|(share, _)| **share > 0.0)
            .map(|(share, available)| available / share)
            .fold(f32::INFINITY, f32::min);
        asked.min(falling).min(least).max(0.0)
    }

    /// Splits the torques between motors, of which this much is `available` (`N·m`, at their wheels together), and friction.
    pub(super) fn blend(
        &self,
        params: &RegenerationParams,
        motors: &[MotorParams],
        shares: &PerMotor,
        available: &PerMotor,
    ) -> BlendedBrakes {
        let mut blended = BlendedBrakes {
            motors: [0.0; super::MAX_MOTORS],
            friction: self.torques,
        };
        let [asked, _] = self.sums;
        if !params.brake || asked <= 0.0 {
            return blended;
        }
        let alone = self.alone(params.alone, shares, available);
        let rest = (asked - alone) / asked;
        blended.friction = self.torques.map(|torque| rest * torque);
        for (n, motor) in motors.iter().enumerate() {
            let of_brakes = |friction: &PerWheel| motor.wheels.iter().map(|w| friction[*w]).sum();
            let own: f32 = of_brakes(&blended.friction);
            let taken = (shares[n] * alone + own).min(available[n]);
            blended.motors[n] = taken;
            let left = (shares[n] * alone + own - taken).min(own);
            for &wheel in &motor.wheels {
                blended.friction[wheel] *= if own > 0.0 { left / own } else { 0.0 };
            }
        }
        blended
    }
}

#[cfg(test)]
mod tests;
