//! A wheel that turns together with others, as clutch and bonds see it.

use crate::base::math;

/// A value and its slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sloped {
    /// The value.
    pub value: f32,
    /// Its derivative.
    pub slope: f32,
}

impl Sloped {
    /// The sum of two functions.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

/// A wheel of a bond, in the middle of a sweep. Torques and forces times the substep are impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Member {
    /// Spin over the bond's speed (–).
    pub ratio: f32,
    /// Angular momentum without tire, brake and shaft (`N·m·s`).
    pub momentum: f32,
    /// Angular momentum per spin (`N·m·s²`).
    pub bearing: f32,
    /// Greatest impulse of brake and rolling resistance (`N·m·s`).
    pub brake: f32,
    /// Radius (`m`).
    pub radius: f32,
    /// Impulse of the tire on a standing wheel (`N·s`), and per spin (`N·s²`).
    pub along: f32,
    /// See `along`.
    pub traction: f32,
    /// Impulse to the left that the tire wants (`N·s`), where the ellipse of friction is made a circle.
    pub across: f32,
    /// Greatest impulse of the tire (`N·s`).
    pub bound: f32,
}

impl Member {
    /// Impulse of the tire at a spin (`N·s`), within the friction circle; and whether it slides.
    #[must_use]
    pub fn tire_at(&self, spin: f32) -> (Sloped, bool) {
        let forward = self.along + self.traction * spin;
        let square = forward * forward + self.across * self.across;
        if square <= self.bound * self.bound {
            let slope = self.traction;
            return (
                Sloped {
                    value: forward,
                    slope,
                },
                false,
            );
        }
        let share = self.bound / math::sqrt(square);
        let sideways = self.across * self.across / square;
        let limited = Sloped {
            value: forward * share,
            slope: self.traction * share * sideways,
        };
        (limited, true)
    }

    /// What shaft and brake must add for the wheel to turn at `spin` (`N·m·s`).
    #[must_use]
    pub fn need_at(&self, spin: f32) -> Sloped {
        let (tire, _) = self.tire_at(spin);
        Sloped {
            value: self.bearing * spin + self.radius * tire.value - self.momentum,
            slope: self.bearing + self.radius * tire.slope,
        }
    }
}
