//! Where wheels point.

use crate::lanes::W4;
use crate::math;

/// Steering of four wheels, toe included; sine and cosine are kept until the angle changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// Angle [rad], positive to the left.
    pub angle: W4,
    /// Its sine.
    pub sin: W4,
    /// Its cosine.
    pub cos: W4,
}

impl Steering {
    /// Wheels straight ahead.
    pub const STRAIGHT: Self = Self {
        angle: W4::ZERO,
        sin: W4::ZERO,
        cos: W4::ONE,
    };

    /// Turns the wheels to `angle` [rad].
    pub fn turn_to(&mut self, angle: W4) {
        if self.angle != angle {
            let both = angle.to_array().map(math::sin_cos);
            *self = Self {
                angle,
                sin: W4::from_array(both.map(|(sin, _)| sin)),
                cos: W4::from_array(both.map(|(_, cos)| cos)),
            };
        }
    }
}
