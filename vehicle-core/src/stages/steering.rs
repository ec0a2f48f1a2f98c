//! Steering angles.

use crate::base::lanes::W4;
use crate::base::lanes::angles::sin_cos;

/// Steering of four wheels, with toe; sine and cosine are cached until the angle changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// Angle (`rad`), positive to the left.
    pub angle: W4,
    /// Sine of the steering angle.
    pub sin: W4,
    /// Cosine of the steering angle.
    pub cos: W4,
}

impl Steering {
    /// Zero angles.
    pub const STRAIGHT: Self = Self {
        angle: W4::ZERO,
        sin: W4::ZERO,
        cos: W4::ONE,
    };

    /// Steers the wheels to `angle` (`rad`).
    #[inline]
    pub fn turn_to(&mut self, angle: W4) {
        if self.angle == angle {
            return;
        }
        let (sin, cos) = sin_cos(angle);
        *self = Self { angle, sin, cos };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::LANES;
    use crate::testing::uneven::{close, lanes};
    use proptest::prelude::*;

    proptest! {
        /// However wheels got to an angle, their sine and cosine are its own, bit by bit.
        #[test]
        fn steering_depends_on_the_angle_only(from in lanes(-1.0..1.0), to in lanes(-1.0..1.0)) {
            let mut turned = Steering::STRAIGHT;
            turned.turn_to(from);
            turned.turn_to(to);
            let mut fresh = Steering::STRAIGHT;
            fresh.turn_to(to);
            prop_assert_eq!(turned, fresh);
            for lane in 0..LANES {
                prop_assert!(close(fresh.sin.lane(lane), to.lane(lane).sin(), 1.0));
                prop_assert!(close(fresh.cos.lane(lane), to.lane(lane).cos(), 1.0));
            }
        }
    }
}
