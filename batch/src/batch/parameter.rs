//! Parameters of running cars.

use crate::episode::Episode;
use crate::error::{BatchError, check_finite};
use crate::setup::{GRIP, PAYLOAD, SPEED};

/// A parameter of a car that may change while it runs, and that the next episode draws again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Factor on the friction of the ground (–), ≥ 0.
    Grip,
    /// Mass beside the car's own (`kg`), ≥ 0.
    Payload,
    /// Velocity of the air along the world's x axis (`m/s`).
    WindX,
    /// Velocity of the air along the world's y axis (`m/s`).
    WindY,
}

impl Parameter {
    /// All parameters.
    pub const ALL: [Self; 4] = [Self::Grip, Self::Payload, Self::WindX, Self::WindY];

    /// Name of the parameter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grip => "grip",
            Self::Payload => "payload",
            Self::WindX => "wind.x",
            Self::WindY => "wind.y",
        }
    }

    /// The parameter with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Self, BatchError> {
        let found = Self::ALL.into_iter().find(|it| it.name() == name);
        found.ok_or_else(|| BatchError::unknown("name", name, Self::ALL.map(Self::name)))
    }

    pub(super) fn check(self, values: &[f32]) -> Result<(), BatchError> {
        check_finite(self.name(), values, 1)?;
        let (range, unit) = match self {
            Self::Grip => (GRIP, ""),
            Self::Payload => (PAYLOAD, "kg"),
            Self::WindX | Self::WindY => (SPEED, "m/s"),
        };
        let outside = |&value: &f32| !range.contains(&f64::from(value));
        let Some(n) = values.iter().position(outside) else {
            return Ok(());
        };
        let place = format!("{}[{n}]", self.name());
        let expected = format!("within {}..={}", range.start(), range.end());
        Err(BatchError::argument(place, expected, values[n], unit))
    }

    pub(super) const fn of(self, episode: &Episode) -> f32 {
        match self {
            Self::Grip => episode.grip,
            Self::Payload => episode.payload,
            Self::WindX => episode.wind.x,
            Self::WindY => episode.wind.y,
        }
    }
}
