//! Keys or a pad of a car's driver, smoothed (PhysX vehicle SDK, ALGORITHMS §5.1, §5.2).

use serde::{Deserialize, Serialize};
use vehicle_core::{CarCommand, Check, Checked, GearCommand, Inspector, VehicleReport, scaled};

use crate::fault::{self, InputFault, Look};
use crate::rate::CarRates;
use crate::steer_limit::SteerLimit;

/// Which keys are down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarKeys {
    /// Accelerate.
    pub throttle: bool,
    /// Brake.
    pub brake: bool,
    /// Handbrake.
    pub handbrake: bool,
    /// Steer to the left.
    pub left: bool,
    /// Steer to the right.
    pub right: bool,
    /// The gear lever; it is handed on as it is.
    pub gear: GearCommand,
    /// Whether the autobox may change gears; handed on as it is.
    pub automatic: bool,
}

impl CarKeys {
    /// No key down, automatic gears.
    pub const FREE: Self = Self {
        throttle: false,
        brake: false,
        handbrake: false,
        left: false,
        right: false,
        gear: GearCommand::Hold,
        automatic: true,
    };
}

/// Where triggers and stick are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarPad {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Brake, 0…1.
    pub brake: f32,
    /// Handbrake, 0…1.
    pub handbrake: f32,
    /// Stick, −1 (left) … 1 (right).
    pub steer: f32,
    /// The gear lever; it is handed on as it is.
    pub gear: GearCommand,
    /// Whether the autobox may change gears; handed on as it is.
    pub automatic: bool,
}

impl CarPad {
    /// Nothing touched, automatic gears.
    pub const FREE: Self = Self {
        throttle: 0.0,
        brake: 0.0,
        handbrake: 0.0,
        steer: 0.0,
        gear: GearCommand::Hold,
        automatic: true,
    };

    /// Every value within its range.
    fn examined(&self) -> Result<(Self, bool), InputFault> {
        let mut look = Look::default();
        let pad = Self {
            throttle: look.clamp("throttle", self.throttle, 0.0..=1.0)?,
            brake: look.clamp("brake", self.brake, 0.0..=1.0)?,
            handbrake: look.clamp("handbrake", self.handbrake, 0.0..=1.0)?,
            steer: look.clamp("steer", self.steer, -1.0..=1.0)?,
            ..*self
        };
        Ok((pad, look.clamped))
    }
}

/// How a car's input is smoothed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarSmoothing {
    /// How fast feet and hands are.
    pub rates: CarRates,
    /// How far the car may be steered.
    pub steer_limit: SteerLimit,
}

impl CarSmoothing {
    /// PhysX's guide, for keys.
    #[must_use]
    pub fn physx_keys() -> Self {
        Self {
            rates: CarRates::PHYSX_KEYS,
            steer_limit: SteerLimit::physx(),
        }
    }

    /// PhysX's guide, for a pad.
    #[must_use]
    pub fn physx_pad() -> Self {
        Self {
            rates: CarRates::PHYSX_PAD,
            steer_limit: SteerLimit::physx(),
        }
    }

    /// PhysX's four-wheel sample, for both.
    #[must_use]
    pub fn physx_sample() -> Self {
        Self {
            rates: CarRates::PHYSX_SAMPLE,
            steer_limit: SteerLimit::physx(),
        }
    }
}

scaled!(CarSmoothing {
    rates: same,
    steer_limit: inner,
});

impl Check for CarSmoothing {
    fn check(&self, i: &mut Inspector) {
        i.within("rates", |i| self.rates.check(i));
        i.within("steer_limit", |i| self.steer_limit.check(i));
    }
}

/// Where the pedals and the steering wheel are by now. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarHands {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Brake, 0…1.
    pub brake: f32,
    /// Handbrake, 0…1.
    pub handbrake: f32,
    /// What the key to the left has steered, 0…1.
    pub left: f32,
    /// What the key to the right has steered, 0…1; a pad's steering, −1…1.
    pub right: f32,
    /// What the filter of [`SteerLimit`] remembers, 0…1.
    pub steer_limit: f32,
    /// Whether a raw value of the last update was clamped to its range.
    pub clamped: bool,
}

impl CarHands {
    /// Steering, −1 (left) … 1 (right).
    #[must_use]
    pub fn steer(&self) -> f32 {
        self.right - self.left
    }

    /// Goes on by `dt` [s] with these keys, for a car that is `seen` so.
    ///
    /// # Errors
    /// If the car's speed or `dt` is not finite or out of range; nothing has changed then.
    pub fn press(
        &mut self,
        smoothing: &Checked<CarSmoothing>,
        keys: &CarKeys,
        seen: &VehicleReport,
        dt: f32,
    ) -> Result<CarCommand, InputFault> {
        fault::finite("forward_speed", seen.forward_speed)?;
        fault::time_step(dt)?;
        let rates = &smoothing.rates;
        self.clamped = false;
        self.throttle = rates.throttle.press(self.throttle, keys.throttle, dt);
        self.brake = rates.brake.press(self.brake, keys.brake, dt);
        self.handbrake = rates.handbrake.press(self.handbrake, keys.handbrake, dt);
        self.left = rates.steer_left.press(self.left, keys.left, dt);
        self.right = rates.steer_right.press(self.right, keys.right, dt);
        let limit = smoothing
            .steer_limit
            .update(&mut self.steer_limit, seen, dt);
        let steer = self.steer().abs();
        if steer > limit {
            let share = limit / steer;
            self.left *= share;
            self.right *= share;
        }
        Ok(self.command(keys.gear, keys.automatic))
    }

    /// Goes on by `dt` [s] with this pad, for a car that is `seen` so.
    ///
    /// # Errors
    /// If a raw value, the car's speed or `dt` is not finite or out of range; nothing has changed then.
    pub fn follow(
        &mut self,
        smoothing: &Checked<CarSmoothing>,
        pad: &CarPad,
        seen: &VehicleReport,
        dt: f32,
    ) -> Result<CarCommand, InputFault> {
        let (pad, clamped) = pad.examined()?;
        fault::finite("forward_speed", seen.forward_speed)?;
        fault::time_step(dt)?;
        let rates = &smoothing.rates;
        self.clamped = clamped;
        self.throttle = rates.throttle.follow(self.throttle, pad.throttle, dt);
        self.brake = rates.brake.follow(self.brake, pad.brake, dt);
        self.handbrake = rates.handbrake.follow(self.handbrake, pad.handbrake, dt);
        let limit = smoothing
            .steer_limit
            .update(&mut self.steer_limit, seen, dt);
        let target = pad.steer * limit;
        self.right = rates.steer_right.follow_signed(self.steer(), target, dt);
        self.left = 0.0;
        Ok(self.command(pad.gear, pad.automatic))
    }

    fn command(&self, gear: GearCommand, automatic: bool) -> CarCommand {
        CarCommand {
            throttle: self.throttle,
            brake: self.brake,
            handbrake: self.handbrake,
            steer: self.steer(),
            clutch: 0.0,
            gear,
            automatic,
        }
    }
}

#[cfg(test)]
mod tests;
