//! Keys or a pad of a tank's driver, smoothed (PhysX vehicle SDK, ALGORITHMS §5.3).

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Checked, GearCommand, Inspector, TankCommand};

use crate::fault::{self, InputFault, Look};
use crate::rate::TankRates;

/// What the tracks can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TankMode {
    /// Each track is driven or braked: thrusts are 0…1.
    #[default]
    Standard,
    /// The tracks may turn against each other: thrusts are −1…1.
    Special,
}

/// Which keys are down; pairs are left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankKeys {
    /// Accelerate.
    pub throttle: bool,
    /// Brake a track.
    pub brake: [bool; 2],
    /// Drive a track.
    pub thrust: [bool; 2],
    /// The gear lever; it is handed on as it is.
    pub gear: GearCommand,
    /// Whether the autobox may change gears; handed on as it is.
    pub automatic: bool,
}

impl TankKeys {
    /// No key down, automatic gears.
    pub const FREE: Self = Self {
        throttle: false,
        brake: [false; 2],
        thrust: [false; 2],
        gear: GearCommand::Hold,
        automatic: true,
    };
}

/// Where triggers and sticks are; pairs are left and right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankPad {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Brakes of the tracks, 0…1.
    pub brake: [f32; 2],
    /// Thrust of the tracks: 0…1, in the special mode −1…1.
    pub thrust: [f32; 2],
    /// The gear lever; it is handed on as it is.
    pub gear: GearCommand,
    /// Whether the autobox may change gears; handed on as it is.
    pub automatic: bool,
}

impl TankPad {
    /// Nothing touched, automatic gears.
    pub const FREE: Self = Self {
        throttle: 0.0,
        brake: [0.0; 2],
        thrust: [0.0; 2],
        gear: GearCommand::Hold,
        automatic: true,
    };

    /// Every value within its range.
    fn examined(&self, mode: TankMode) -> Result<(Self, bool), InputFault> {
        let mut look = Look::default();
        let least = match mode {
            TankMode::Standard => 0.0,
            TankMode::Special => -1.0,
        };
        let mut pad = Self {
            throttle: look.clamp("throttle", self.throttle, 0.0..=1.0)?,
            ..*self
        };
        for side in 0..2 {
            pad.brake[side] = look.clamp("brake", self.brake[side], 0.0..=1.0)?;
            pad.thrust[side] = look.clamp("thrust", self.thrust[side], least..=1.0)?;
        }
        Ok((pad, look.clamped))
    }
}

/// How a tank's input is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankSmoothing {
    /// How fast feet and hands are.
    pub rates: TankRates,
    /// What the tracks can do.
    pub mode: TankMode,
    /// PhysX's rule for the brake keys of special tracks: they pull backwards only, and each update
    /// forgets how far they were pressed.
    #[serde(default)]
    pub physx_rules: bool,
}

impl Check for TankSmoothing {
    fn check(&self, i: &mut Inspector) {
        i.within("rates", |i| self.rates.check(i));
    }
}

/// Where pedals and levers are by now; pairs are left and right. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankHands {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Brakes of the tracks, 0…1.
    pub brake: [f32; 2],
    /// Thrusts of the tracks, −1…1.
    pub thrust: [f32; 2],
    /// Whether a raw value of the last update was clamped to its range.
    pub clamped: bool,
}

impl TankHands {
    /// Goes on by `dt` [s] with these keys. In the special mode a brake key pulls its track backwards as
    /// far as the driver accelerates, and brakes it as far as not.
    ///
    /// # Errors
    /// If `dt` is not finite or out of range; nothing has changed then.
    pub fn press(
        &mut self,
        smoothing: &Checked<TankSmoothing>,
        keys: &TankKeys,
        dt: f32,
    ) -> Result<TankCommand, InputFault> {
        fault::time_step(dt)?;
        let rates = &smoothing.rates;
        self.clamped = false;
        self.throttle = rates.throttle.press(self.throttle, keys.throttle, dt);
        for side in 0..2 {
            let brake = rates.brake[side].press(self.brake[side], keys.brake[side], dt);
            let thrust = rates.thrust[side].press(self.thrust[side], keys.thrust[side], dt);
            match smoothing.mode {
                TankMode::Standard => self.split(side, thrust - brake),
                TankMode::Special if smoothing.physx_rules => {
                    self.thrust[side] = thrust - brake;
                    self.brake[side] = 0.0;
                }
                TankMode::Special => (self.thrust[side], self.brake[side]) = (thrust, brake),
            }
        }
        let mut command = self.command(keys.gear, keys.automatic);
        if smoothing.mode == TankMode::Special {
            for side in 0..2 {
                command.thrust[side] -= self.brake[side] * self.throttle;
                command.brake[side] *= 1.0 - self.throttle;
            }
        }
        Ok(command)
    }

    /// Goes on by `dt` [s] with this pad.
    ///
    /// # Errors
    /// If a raw value or `dt` is not finite or out of range; nothing has changed then.
    pub fn follow(
        &mut self,
        smoothing: &Checked<TankSmoothing>,
        pad: &TankPad,
        dt: f32,
    ) -> Result<TankCommand, InputFault> {
        let (pad, clamped) = pad.examined(smoothing.mode)?;
        fault::time_step(dt)?;
        let rates = &smoothing.rates;
        self.clamped = clamped;
        self.throttle = rates.throttle.follow(self.throttle, pad.throttle, dt);
        for side in 0..2 {
            let (brake, thrust) = (pad.brake[side], pad.thrust[side]);
            match smoothing.mode {
                TankMode::Standard => {
                    let now = self.thrust[side] - self.brake[side];
                    let pull = rates.thrust[side].follow_signed(now, thrust - brake, dt);
                    self.split(side, pull);
                }
                TankMode::Special => {
                    self.brake[side] = rates.brake[side].follow(self.brake[side], brake, dt);
                    self.thrust[side] =
                        rates.thrust[side].follow_signed(self.thrust[side], thrust, dt);
                }
            }
        }
        Ok(self.command(pad.gear, pad.automatic))
    }

    /// A track is driven or braked, not both.
    fn split(&mut self, side: usize, pull: f32) {
        self.thrust[side] = pull.max(0.0);
        self.brake[side] = (-pull).max(0.0);
    }

    fn command(&self, gear: GearCommand, automatic: bool) -> TankCommand {
        TankCommand {
            throttle: self.throttle,
            thrust: self.thrust,
            brake: self.brake,
            gear,
            automatic,
        }
    }
}

#[cfg(test)]
mod tests;
