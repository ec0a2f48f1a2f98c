//! A wheel that turns together with others, as seen by clutch and bonds (ROWS §7).

use crate::base::lanes::{LANES, W4};
use crate::base::math;

/// Value and slope of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sloped {
    /// The value.
    pub value: f32,
    /// Its derivative.
    pub slope: f32,
}

impl Sloped {
    /// Sum of two functions.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

/// A wheel of a bond within a sweep. Torques and forces are multiplied by the substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Member {
    /// Spin over the bond's speed (–).
    pub ratio: f32,
    /// Angular momentum y without tire, brake and shaft (`N·m·s`).
    pub momentum: f32,
    /// Effective inertia I + hζ (`N·m·s²`).
    pub effective_inertia: f32,
    /// Maximum impulse of brake and rolling resistance (`N·m·s`).
    pub brake: f32,
    /// Radius (`m`).
    pub radius: f32,
    /// Impulse λ₀ of the tire at spin 0 (`N·s`).
    pub standing_impulse: f32,
    /// Slope of the tire's impulse in spin (`N·s²`).
    pub traction: f32,
    /// Unbounded lateral impulse `λ_y` of the tire, scaled so that the friction ellipse is a circle (`N·s`).
    pub lateral_impulse: f32,
    /// Radius of the friction circle (`N·s`).
    pub bound: f32,
}

impl Member {
    /// Forward impulse of the tire at a spin (`N·s`), clamped to the friction circle; and whether it slides.
    ///
    /// ```text
    /// λ_x = λ₀ + traction·Ω,   ρ² = λ_x² + λ_y²
    /// slides (ρ > bound):  λ_x·bound/ρ,  slope traction·(bound/ρ)·(λ_y/ρ)²
    /// ```
    #[must_use]
    pub fn tire_at(&self, spin: f32) -> (Sloped, bool) {
        let forward = self.standing_impulse + self.traction * spin;
        let square = forward * forward + self.lateral_impulse * self.lateral_impulse;
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
        let sideways = self.lateral_impulse * self.lateral_impulse / square;
        let limited = Sloped {
            value: forward * share,
            slope: self.traction * share * sideways,
        };
        (limited, true)
    }

    /// Impulse that shaft and brake must add for the wheel to turn at `spin` (`N·m·s`):
    /// `(I + hζ)·Ω + r·λ_x(Ω) − y`.
    #[must_use]
    pub fn need_at(&self, spin: f32) -> Sloped {
        let (tire, _) = self.tire_at(spin);
        Sloped {
            value: self.effective_inertia * spin + self.radius * tire.value - self.momentum,
            slope: self.effective_inertia + self.radius * tire.slope,
        }
    }
}

/// Up to four wheels of one bond side by side; lanes without a wheel are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Members {
    ratio: [f32; LANES],
    momentum: [f32; LANES],
    effective_inertia: [f32; LANES],
    radius: [f32; LANES],
    standing_impulse: [f32; LANES],
    traction: [f32; LANES],
    lateral_impulse: [f32; LANES],
    bound: [f32; LANES],
}

impl Members {
    /// Puts a wheel into a lane.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    pub fn set(&mut self, lane: usize, member: &Member) {
        self.ratio[lane] = member.ratio;
        self.momentum[lane] = member.momentum;
        self.effective_inertia[lane] = member.effective_inertia;
        self.radius[lane] = member.radius;
        self.standing_impulse[lane] = member.standing_impulse;
        self.traction[lane] = member.traction;
        self.lateral_impulse[lane] = member.lateral_impulse;
        self.bound[lane] = member.bound;
    }

    /// `sum` and the impulses that the bond needs for its wheels to turn at its `speed`, one after the other:
    /// [`Member::need_at`] of each, seen from the bond (`N·m·s`).
    #[inline]
    #[must_use]
    pub fn needs_at(&self, speed: f32, sum: Sloped) -> Sloped {
        let [ratio, inertia] = [self.ratio, self.effective_inertia].map(W4::from_array);
        let [traction, radius] = [self.traction, self.radius].map(W4::from_array);
        let spin = ratio * W4::splat(speed);
        let wanted = W4::from_array(self.standing_impulse) + traction * spin;
        let (mut tire, mut slope) = (wanted, traction);
        let [left, bound] = [self.lateral_impulse, self.bound].map(W4::from_array);
        let square = wanted * wanted + left * left;
        let slides = !square.le(bound * bound);
        if slides.any() {
            let share = bound / square.sqrt();
            tire = slides.select(wanted * share, wanted);
            slope = slides.select(traction * share * (left * left / square), traction);
        }
        let need = inertia * spin + radius * tire - W4::from_array(self.momentum);
        let values = (ratio * need).to_array();
        let slopes = (ratio * ratio * (inertia + radius * slope)).to_array();
        (0..LANES).fold(sum, |sum, lane| Sloped {
            value: sum.value + values[lane],
            slope: sum.slope + slopes[lane],
        })
    }
}
