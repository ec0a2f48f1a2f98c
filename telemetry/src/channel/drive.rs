//! Channels of the gears.

use vehicle_core::DriveState;

use super::{Channel, NUMBER};

/// Channels of the gears: negative for reverse, 0 in neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveChannel {
    /// The engaged gear (–).
    Gear,
    /// The engaged gear or the one being changed to (–).
    TargetGear,
}

impl DriveChannel {
    /// Number of channels.
    pub const COUNT: usize = 2;

    /// All channels.
    pub const ALL: [Self; Self::COUNT] = [Self::Gear, Self::TargetGear];

    /// The channel with this [key](Channel::key).
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.channel().key == key)
    }

    /// Name, unit and range.
    #[must_use]
    pub const fn channel(self) -> Channel {
        let new = Channel::new;
        match self {
            Self::Gear => new("gear", "gear", NUMBER, [-2.0, 0.0, 10.0]),
            Self::TargetGear => new("target_gear", "target gear", NUMBER, [-2.0, 0.0, 10.0]),
        }
    }

    /// Value of the channel for a drive.
    #[must_use]
    pub fn sample(self, drive: &DriveState) -> f32 {
        let gear = match self {
            Self::Gear => drive.gear,
            Self::TargetGear => drive.target_gear,
        };
        f32::from(gear.0)
    }
}
