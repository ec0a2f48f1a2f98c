//! A wheel that turns together with others, as seen by clutch and wheel couplings (ROWS §7).

use crate::base::lanes::{LANES, Mask4, W4};

/// Value and slope of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sloped {
    /// The value.
    pub value: f32,
    /// Derivative of the value.
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

/// Sum of functions in double precision, in which its order does not show: of wheels on the left and on the right, none is first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    value: f64,
    slope: f64,
}

impl Total {
    /// Adds a function.
    #[inline]
    pub fn add(&mut self, of: Sloped) {
        self.value += f64::from(of.value);
        self.slope += f64::from(of.slope);
    }

    /// The sum.
    #[inline]
    #[must_use]
    pub fn sum(self) -> Sloped {
        Sloped {
            value: self.value as f32,
            slope: self.slope as f32,
        }
    }
}

/// A wheel of a wheel coupling within a sweep. Torques and forces are multiplied by the substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoupledWheel {
    /// Spin over the wheel coupling's speed (–).
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

/// Up to four wheels of one wheel coupling side by side; lanes without a wheel are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoupledWheels {
    ratio: [f32; LANES],
    momentum: [f32; LANES],
    effective_inertia: [f32; LANES],
    radius: [f32; LANES],
    standing_impulse: [f32; LANES],
    traction: [f32; LANES],
    lateral_impulse: [f32; LANES],
    bound: [f32; LANES],
}

impl CoupledWheels {
    /// Puts a wheel into a lane.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    pub fn set(&mut self, lane: usize, wheel: &CoupledWheel) {
        self.ratio[lane] = wheel.ratio;
        self.momentum[lane] = wheel.momentum;
        self.effective_inertia[lane] = wheel.effective_inertia;
        self.radius[lane] = wheel.radius;
        self.standing_impulse[lane] = wheel.standing_impulse;
        self.traction[lane] = wheel.traction;
        self.lateral_impulse[lane] = wheel.lateral_impulse;
        self.bound[lane] = wheel.bound;
    }

    /// Spins at a `speed` of the wheel coupling (`rad/s`).
    #[inline]
    pub fn spins_at(&self, speed: f32) -> W4 {
        W4::from_array(self.ratio) * W4::splat(speed)
    }

    /// The wheels at a `speed` of the wheel coupling (`rad/s`).
    ///
    /// ```text
    /// λ_x = λ₀ + traction·Ω,   ρ² = λ_x² + λ_y²
    /// slides (ρ > bound):  λ_x·bound/ρ,  slope traction·(bound/ρ)·(λ_y/ρ)²
    /// need = (I + hζ)·Ω + r·λ_x(Ω) − y
    /// ```
    #[inline]
    pub fn at(&self, speed: f32) -> Turning {
        let [inertia, momentum] = [self.effective_inertia, self.momentum].map(W4::from_array);
        let [traction, radius] = [self.traction, self.radius].map(W4::from_array);
        let spin = self.spins_at(speed);
        let unbounded = W4::from_array(self.standing_impulse) + traction * spin;
        let (mut tire, mut slope) = (unbounded, traction);
        let [left, bound] = [self.lateral_impulse, self.bound].map(W4::from_array);
        let square = unbounded * unbounded + left * left;
        let slides = !square.le(bound * bound);
        if slides.any() {
            let share = bound / square.sqrt();
            tire = slides.select(unbounded * share, unbounded);
            slope = slides.select(traction * share * (left * left / square), traction);
        }
        Turning {
            spin,
            slides,
            need: inertia * spin + radius * tire - momentum,
            slope: inertia + radius * slope,
        }
    }

    /// Adds to a `total` the impulses that the wheel coupling needs for its wheels to turn at its `speed` (`N·m·s`).
    #[inline]
    pub fn add_needs_at(&self, speed: f32, total: &mut Total) {
        let (ratio, turning) = (W4::from_array(self.ratio), self.at(speed));
        let values = (ratio * turning.need).to_array();
        let slopes = (ratio * ratio * turning.slope).to_array();
        for (value, slope) in values.into_iter().zip(slopes) {
            total.add(Sloped { value, slope });
        }
    }

    /// Angular momentum that the wheel of a lane gives its wheel coupling after its tire's `impulse` (`N·s`), brakes not yet
    /// counted (`N·m·s`).
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    pub fn momentum_after(&self, lane: usize, impulse: f32) -> f32 {
        self.ratio[lane] * (self.momentum[lane] - self.radius[lane] * impulse)
    }
}

/// Four wheels at a speed of their wheel coupling.
#[derive(Clone, Copy, Debug)]
pub struct Turning {
    /// Spins (`rad/s`).
    pub spin: W4,
    /// Wheels whose tires slide.
    pub slides: Mask4,
    /// Impulses that shaft and brake must add (`N·m·s`), and their slopes in spin.
    pub need: W4,
    slope: W4,
}

/// Up to four wheels of one wheel coupling.
#[derive(Clone, Copy, Debug)]
pub struct CoupledFour {
    /// Index of the wheel coupling.
    pub wheel_coupling: usize,
    /// The wheels.
    pub wheels: CoupledWheels,
    /// Group and lane of each wheel.
    locations: [(usize, usize); LANES],
    count: usize,
}

impl CoupledFour {
    /// No wheels yet of this `wheel_coupling`.
    #[inline]
    pub fn of(wheel_coupling: usize) -> Self {
        Self {
            wheel_coupling,
            wheels: CoupledWheels::default(),
            locations: [(0, 0); LANES],
            count: 0,
        }
    }

    /// Whether another wheel of this `wheel_coupling` fits in.
    #[inline]
    pub fn has_room_for(&self, wheel_coupling: usize) -> bool {
        self.wheel_coupling == wheel_coupling && self.count < LANES
    }

    /// Adds a wheel, whose `location` is its group and lane.
    ///
    /// # Panics
    /// If there are four.
    #[inline]
    pub fn push(&mut self, wheel: &CoupledWheel, location: (usize, usize)) {
        self.wheels.set(self.count, wheel);
        self.locations[self.count] = location;
        self.count += 1;
    }

    /// Lane here, group, and lane in the group, of each wheel.
    #[inline]
    pub fn locations(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let locations = self.locations.iter().take(self.count).enumerate();
        locations.map(|(n, &(g, lane))| (n, g, lane))
    }
}
