//! Slips that aids keep: a number, or the best one of each tire.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vehicle_core::math;
use vehicle_core::{Inspector, WheelSensors};

/// Magnitude of the slip that an aid keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlipTarget {
    /// The [slip of the tire's greatest force](WheelSensors::best_slip) on the ground under it; `"best"` in files. Real vehicles
    /// do not know it.
    Best,
    /// One slip for any ground (–), within 0…1.
    Fixed(f32),
}

/// Least slip that is kept (–): on ice, the best slip is near 0.
const LEAST: f32 = 0.01;

impl SlipTarget {
    /// The slip for a wheel (–), > 0.
    #[must_use]
    pub fn of(self, wheel: &WheelSensors) -> f32 {
        match self {
            Self::Best => math::greater(wheel.best_slip, LEAST),
            Self::Fixed(slip) => slip,
        }
    }

    /// Reports a fixed slip outside 0…1.
    pub(crate) fn check(self, name: &str, inspector: &mut Inspector) {
        if let Self::Fixed(slip) = self {
            check_fraction(name, slip, inspector);
        }
    }
}

/// Reports a value that is not between 0 and 1 (–).
pub(crate) fn check_fraction(name: &str, value: f32, inspector: &mut Inspector) {
    let holds = value > 0.0 && value < 1.0;
    inspector.rule(holds, name, value, "", "must be > 0 and < 1");
}

impl Serialize for SlipTarget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self, serializer.is_human_readable()) {
            (Self::Best, true) => serializer.serialize_str("best"),
            (Self::Fixed(slip), true) => serializer.serialize_f32(*slip),
            (Self::Best, false) => None::<f32>.serialize(serializer),
            (Self::Fixed(slip), false) => Some(*slip).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for SlipTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            let slip = Option::<f32>::deserialize(deserializer)?;
            return Ok(slip.map_or(Self::Best, Self::Fixed));
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Text {
            Number(f32),
            Word(alloc::string::String),
        }
        match Text::deserialize(deserializer) {
            Ok(Text::Number(slip)) => Ok(Self::Fixed(slip)),
            Ok(Text::Word(word)) if word == "best" => Ok(Self::Best),
            _ => Err(D::Error::custom("must be \"best\" or a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Table {
        slip: SlipTarget,
    }

    #[test]
    fn a_target_is_a_word_or_a_number() {
        let both = [
            ("slip = \"best\"\n", SlipTarget::Best),
            ("slip = 0.25\n", SlipTarget::Fixed(0.25)),
        ];
        for (text, slip) in both {
            assert_eq!(toml::from_str::<Table>(text).unwrap(), Table { slip });
            assert_eq!(toml::to_string(&Table { slip }).unwrap(), text);
        }
        let error = toml::from_str::<Table>("slip = 'worst'").unwrap_err();
        assert!(error.to_string().contains("\"best\" or a number"));
    }

    #[test]
    fn the_best_slip_is_the_tires() {
        let wheel = WheelSensors {
            best_slip: 0.08,
            ..WheelSensors::default()
        };
        assert_eq!(SlipTarget::Best.of(&wheel), 0.08);
        assert_eq!(SlipTarget::Best.of(&WheelSensors::default()), LEAST);
        assert_eq!(SlipTarget::Fixed(0.3).of(&wheel), 0.3);
    }
}
