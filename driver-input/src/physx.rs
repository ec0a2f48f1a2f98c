//! Rates, limits and rules of PhysX's samples and guide (ALGORITHMS §5).

use alloc::vec;

use vehicle_core::Curve;

use crate::car::CarSmoothing;
use crate::rate::{CarRates, Rate, TankRates};
use crate::reverse::ReverseSpeeds;
use crate::steer_limit::SteerLimit;
use crate::tank::BrakeKeys;

impl ReverseSpeeds {
    /// Values of PhysX's samples.
    pub const PHYSX: Self = Self {
        forward: 0.1,
        sideways: 0.2,
        rolling: 0.1,
    };
}

impl CarRates {
    /// PhysX's four-wheel sample, keys and pad.
    pub const PHYSX_SAMPLE: Self = Self::symmetric(
        Rate::new(6.0, 10.0),
        Rate::new(6.0, 10.0),
        Rate::new(2.5, 5.0),
    );
    /// PhysX's guide, keys: slower pedals.
    pub const PHYSX_KEYS: Self = Self::symmetric(
        Rate::new(3.0, 5.0),
        Rate::new(10.0, 10.0),
        Rate::new(2.5, 5.0),
    );
    /// PhysX's guide, pad.
    pub const PHYSX_PAD: Self = Self::symmetric(
        Rate::new(6.0, 10.0),
        Rate::new(12.0, 12.0),
        Rate::new(2.5, 5.0),
    );
}

impl TankRates {
    /// PhysX's tank sample, keys and pad.
    pub const PHYSX_SAMPLE: Self = Self {
        throttle: Rate::new(6.0, 10.0),
        brake: [Rate::new(6.0, 10.0); 2],
        thrust: [Rate::new(2.5, 5.0); 2],
    };
}

impl SteerLimit {
    /// The table of PhysX's samples and guide, without filter.
    #[must_use]
    pub fn physx() -> Self {
        Self {
            by_speed: Curve(vec![[0.0, 0.75], [5.0, 0.75], [30.0, 0.125], [120.0, 0.1]]),
            sharpness: 0.0,
        }
    }
}

impl CarSmoothing {
    /// PhysX's guide, for keys.
    #[must_use]
    pub fn physx_keys() -> Self {
        Self {
            rates: CarRates::PHYSX_KEYS,
            steer_limit: SteerLimit::physx(),
            grip: None,
        }
    }

    /// PhysX's guide, for a pad.
    #[must_use]
    pub fn physx_pad() -> Self {
        Self {
            rates: CarRates::PHYSX_PAD,
            steer_limit: SteerLimit::physx(),
            grip: None,
        }
    }

    /// PhysX's four-wheel sample, for both.
    #[must_use]
    pub fn physx_sample() -> Self {
        Self {
            rates: CarRates::PHYSX_SAMPLE,
            steer_limit: SteerLimit::physx(),
            grip: None,
        }
    }
}

impl BrakeKeys {
    /// Thrust and brake of a special track while its keys hold these values.
    pub(crate) fn held(self, thrust: f32, brake: f32) -> (f32, f32) {
        match self {
            Self::PullAndBrake => (thrust, brake),
            Self::PullBack => (thrust - brake, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::clean(BrakeKeys::PullAndBrake, (0.5, 0.25))]
    #[case::physx(BrakeKeys::PullBack, (0.25, 0.0))]
    fn brake_keys_of_special_tracks(#[case] keys: BrakeKeys, #[case] held: (f32, f32)) {
        assert_eq!(keys.held(0.5, 0.25), held);
    }
}
