//! Channels of fuel.

use vehicle_core::FuelUse;

use super::Channel;

/// Channels of the fuel, for vehicles whose drivetrain counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuelChannel {
    /// Mass flow (`kg/s`).
    Flow,
    /// Mass used (`kg`).
    Mass,
    /// Volume used (`m³`).
    Volume,
}

impl FuelChannel {
    /// Number of channels.
    pub const COUNT: usize = 3;

    /// All channels.
    pub const ALL: [Self; Self::COUNT] = [Self::Flow, Self::Mass, Self::Volume];

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
            Self::Flow => new("flow", "fuel flow", "kg/s", [0.0, 0.0, 0.01]),
            Self::Mass => new("mass", "fuel used", "kg", [0.0, 0.0, 2.0]),
            Self::Volume => new("volume", "fuel volume", "m³", [0.0, 0.0, 0.003]),
        }
    }

    /// Value of the channel for a vehicle's fuel.
    #[must_use]
    pub fn sample(self, fuel: &FuelUse) -> f32 {
        match self {
            Self::Flow => fuel.flow,
            Self::Mass => fuel.mass,
            Self::Volume => fuel.volume,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_have_the_values_of_their_names() {
        let fuel = FuelUse {
            flow: 0.002,
            mass: 0.75,
            volume: 0.001,
        };
        let values = FuelChannel::ALL.map(|channel| channel.sample(&fuel));
        assert_eq!(values, [0.002, 0.75, 0.001]);
        assert!((0..FuelChannel::COUNT).all(|n| FuelChannel::ALL[n] as usize == n));
        assert_eq!(
            alloc::format!("{}", FuelChannel::Volume.channel()),
            "fuel volume [m³]"
        );
    }
}
