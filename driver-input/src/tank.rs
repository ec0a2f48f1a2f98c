//! Keys or pad of a tank's driver, smoothed (PhysX vehicle SDK, ALGORITHMS §5.3).

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Checked, GearCommand, Inspector, TankCommand};

use crate::fault::{self, InputFault};
use crate::rate::TankRates;
use crate::raw::{TankKeys, TankMode, TankPad};

/// How a tank's input is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankSmoothing {
    /// Rates of pedals and levers.
    pub rates: TankRates,
    /// Capabilities of the tracks.
    pub mode: TankMode,
    /// Use of the brake keys of special tracks.
    #[serde(default)]
    pub brake_keys: BrakeKeys,
}

/// Use of the brake keys of special tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrakeKeys {
    /// They pull their track backwards in proportion to the throttle, and brake it for the rest.
    #[default]
    PullAndBrake,
    /// They only pull backwards, and each update forgets how far they were pressed, as in PhysX.
    PullBack,
}

impl Check for TankSmoothing {
    fn check(&self, i: &mut Inspector) {
        i.within("rates", |i| self.rates.check(i));
    }
}

/// Current positions of pedals and levers; pairs are left and right. Plain data.
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
    /// Advances by `dt` (`s`) with these keys. In the special mode a brake key acts according to
    /// [`BrakeKeys`].
    ///
    /// # Errors
    /// If `dt` is not finite or out of range; nothing changes then.
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
                TankMode::Special => {
                    let held = smoothing.brake_keys.held(thrust, brake);
                    (self.thrust[side], self.brake[side]) = held;
                }
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

    /// Advances by `dt` (`s`) with this pad.
    ///
    /// # Errors
    /// If a raw value or `dt` is not finite or out of range; nothing changes then.
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
