//! Raw input: keys, triggers and sticks.

use serde::{Deserialize, Serialize};
use vehicle_core::GearCommand;

use crate::fault::{Clamping, InputFault};

/// State of a car's keys.
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
    /// Gear request, passed through.
    pub gear: GearCommand,
    /// Whether the autobox may change gears, passed through.
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

/// Triggers and stick of a car's pad.
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
    /// Gear request, passed through.
    pub gear: GearCommand,
    /// Whether the autobox may change gears, passed through.
    pub automatic: bool,
}

impl CarPad {
    /// Everything released, automatic gears.
    pub const FREE: Self = Self {
        throttle: 0.0,
        brake: 0.0,
        handbrake: 0.0,
        steer: 0.0,
        gear: GearCommand::Hold,
        automatic: true,
    };

    /// Every value clamped to its range.
    pub(crate) fn examined(&self) -> Result<(Self, bool), InputFault> {
        let mut look = Clamping::default();
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

/// Capabilities of a tank's tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TankMode {
    /// Each track is driven or braked: thrusts are 0…1.
    #[default]
    Standard,
    /// The tracks may turn in opposite directions: thrusts are −1…1.
    Special,
}

/// State of a tank's keys; pairs are left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankKeys {
    /// Accelerate.
    pub throttle: bool,
    /// Brake a track.
    pub brake: [bool; 2],
    /// Drive a track.
    pub thrust: [bool; 2],
    /// Gear request, passed through.
    pub gear: GearCommand,
    /// Whether the autobox may change gears, passed through.
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

/// Triggers and sticks of a tank's pad; pairs are left and right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankPad {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Brakes of the tracks, 0…1.
    pub brake: [f32; 2],
    /// Thrust of the tracks: 0…1, or −1…1 in the special mode.
    pub thrust: [f32; 2],
    /// Gear request, passed through.
    pub gear: GearCommand,
    /// Whether the autobox may change gears, passed through.
    pub automatic: bool,
}

impl TankPad {
    /// Everything released, automatic gears.
    pub const FREE: Self = Self {
        throttle: 0.0,
        brake: [0.0; 2],
        thrust: [0.0; 2],
        gear: GearCommand::Hold,
        automatic: true,
    };

    /// Every value clamped to its range.
    pub(crate) fn examined(&self, mode: TankMode) -> Result<(Self, bool), InputFault> {
        let mut look = Clamping::default();
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
