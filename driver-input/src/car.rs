//! Keys or pad of a car's driver, smoothed (PhysX vehicle SDK, ALGORITHMS §5.1, §5.2).

use serde::{Deserialize, Serialize};
use vehicle_core::{CarCommand, Check, Checked, GearCommand, Inspector, VehicleReport};

use crate::fault::{self, InputFault};
use crate::grip_control::GripControl;
use crate::rate::CarRates;
use crate::raw::{CarKeys, CarPad};
use crate::steer_limit::SteerLimit;

/// How a car's input is smoothed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarSmoothing {
    /// Rates of pedals and steering.
    pub rates: CarRates,
    /// Steering limit by speed.
    pub steer_limit: SteerLimit,
    /// How the driver keeps the car within its grip, if so. Steering rates then count in steering limits per second.
    #[serde(default)]
    pub grip: Option<GripControl>,
}

impl CarSmoothing {
    /// The steering limit after `dt` (`s`); `filtered` is the filter's state.
    fn limit(&self, filtered: &mut f32, seen: &VehicleReport, dt: f32) -> f32 {
        let counted = self.grip.map_or(*seen, |grip| grip.counted(seen));
        self.steer_limit.update(filtered, &counted, dt)
    }

    /// Full steering of its rates at this steering limit.
    fn turning(&self, limit: f32) -> f32 {
        if self.grip.is_some() { limit } else { 1.0 }
    }

    /// The command with which the driver keeps the car within its grip.
    fn kept(&self, command: &CarCommand, seen: &VehicleReport) -> CarCommand {
        self.grip.map_or(*command, |grip| grip.keep(command, seen))
    }
}

impl Check for CarSmoothing {
    fn check(&self, i: &mut Inspector) {
        i.within("rates", |i| self.rates.check(i));
        i.within("steer_limit", |i| self.steer_limit.check(i));
        if let Some(grip) = &self.grip {
            i.within("grip", |i| grip.check(i));
        }
    }
}

/// Current positions of the pedals and the steering wheel. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarHands {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Brake, 0…1.
    pub brake: f32,
    /// Handbrake, 0…1.
    pub handbrake: f32,
    /// Steering from the left key, 0…1.
    pub left: f32,
    /// Steering from the right key, 0…1; a pad's steering, −1…1.
    pub right: f32,
    /// State of the filter of [`SteerLimit`], 0…1.
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

    /// Advances by `dt` (`s`) with these keys, for a car in the state `seen`.
    ///
    /// # Errors
    /// If the car's speed or `dt` is not finite or out of range; nothing changes then.
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
        let limit = smoothing.limit(&mut self.steer_limit, seen, dt);
        let turning = dt * smoothing.turning(limit);
        self.left = rates.steer_left.press(self.left, keys.left, turning);
        self.right = rates.steer_right.press(self.right, keys.right, turning);
        let steer = self.steer().abs();
        if steer > limit {
            let share = limit / steer;
            self.left *= share;
            self.right *= share;
        }
        Ok(smoothing.kept(&self.command(keys.gear, keys.automatic), seen))
    }

    /// Advances by `dt` (`s`) with this pad, for a car in the state `seen`.
    ///
    /// # Errors
    /// If a raw value, the car's speed or `dt` is not finite or out of range; nothing changes then.
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
        let limit = smoothing.limit(&mut self.steer_limit, seen, dt);
        let turning = dt * smoothing.turning(limit);
        let target = pad.steer * limit;
        self.right = rates
            .steer_right
            .follow_signed(self.steer(), target, turning);
        self.left = 0.0;
        Ok(smoothing.kept(&self.command(pad.gear, pad.automatic), seen))
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
            steering_wheel: None,
            levers: vehicle_core::Levers::RELEASED,
        }
    }
}

#[cfg(test)]
mod tests;
