//! Wheel rows: spin, brake and tire of a wheel, solved together in closed form, and the friction
//! ellipse (ROWS §6).
//!
//! ```text
//! ŝ = s − w·λ                                      speed without this row's impulse
//! λ = h·(force − gain·(s⁺ − r·Ω))  ⇒  λ = base − slope·ŝ + traction·Ω
//!   scale = h/(1 + gain·w·h)   base = force·scale   slope = gain·scale   traction = slope·r
//! grips:   Ω = soft(y + drive − r·(base − slope·ŝ), b)/(I + hζ + r·traction)
//! slides:  Ω = soft(y + drive − r·λ, b)/(I + hζ)   λ clamped to the ellipse
//! ```
//!
//! w is the row's inverse effective mass, y the angular momentum I·Ω₀ + h·T, b the brake's impulse.

mod friction;

use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::stateful_tire::TireRow;
use crate::stages::load::LoadLine;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::{Order, RowBlock};
use friction::{FrictionBound, LEAST_HOLD, clamp_to_ellipse};

/// Soft threshold, `z − clamp(z, ±b)`: what dry friction `b` leaves of an impulse.
#[inline]
#[must_use]
pub fn soft(z: f32, b: f32) -> f32 {
    z - clamp(z, b)
}

/// `z` clamped to ±`b`.
#[inline]
pub(super) fn clamp(z: f32, b: f32) -> f32 {
    math::lesser(math::greater(z, -b), b)
}

/// Inputs of four wheels at the start of a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelStart {
    /// Spin (`rad/s`).
    pub spin: W4,
    /// Driving torque without the clutch's (`N·m`).
    pub torque: W4,
    /// Maximum torque of brake and rolling resistance, both dry friction (`N·m`).
    pub brake: W4,
    /// Friction coefficient forward (–).
    pub friction: W4,
    /// Maximum lateral over maximum longitudinal force (–), > 0.
    pub side_grip: W4,
    /// Rest load (`N`).
    pub rest_load: W4,
    /// Weight of the rim's final speed over the contact's in the forward row (–): 2 if the row counts half of the
    /// contact's.
    pub rim_weight: W4,
}

/// Effect of a shaft on a wheel in a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shaft {
    /// Not bonded: torque by clutch and differential.
    #[default]
    Free,
    /// Adds an angular impulse, the brake's included (`N·m·s`).
    Adds(f32),
    /// Imposes a spin (`rad/s`).
    At(f32),
}

/// Four wheels, prepared for the sweeps of one substep. Torques and forces are multiplied by the substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelRows {
    /// Angular momentum y before tire and clutch (`N·m·s`).
    pub(super) momentum: [f32; LANES],
    /// Maximum impulse b of the brake (`N·m·s`).
    pub(super) brake: [f32; LANES],
    pub(super) radius: [f32; LANES],
    /// Inverse effective inertia while the tire grips, and while it slides (`1/(N·m·s²)`).
    gripping: [f32; LANES],
    pub(super) sliding: [f32; LANES],
    forward: TangentRows,
    left: TangentRows,
    /// Slope of the forward row's impulse in spin (`N·s²`), and of the angular momentum that it takes in speed (`N·s²`).
    traction: [f32; LANES],
    drag: [f32; LANES],
    friction_bound: FrictionBound,
    /// By how much links let a wheel's own forces forward and to the left lift it (–), if there are any.
    lifting: Option<[[f32; LANES]; 2]>,
    /// Spin (`rad/s`).
    pub spin: [f32; LANES],
    /// Angular impulse of clutch and differential (`N·m·s`).
    pub drive: [f32; LANES],
}

/// Four tangential rows with their own response eliminated: `λ = base − slope·ŝ`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TangentRows {
    base: [f32; LANES],
    slope: [f32; LANES],
    /// Part of an impulse to which a row answers by itself, slope·w (–), in 0 … 1.
    answered: [f32; LANES],
}

impl TangentRows {
    /// `inverse_effective_mass` is w (`1/kg`), `step` h (`s`); also returns the slope.
    #[inline]
    fn new(row: &TireRow<W4>, inverse_effective_mass: W4, step: W4) -> (Self, W4) {
        let scale = step / (W4::ONE + row.gain * inverse_effective_mass * step);
        let slope = row.gain * scale;
        let tangent = Self {
            base: (row.force * scale).to_array(),
            slope: slope.to_array(),
            answered: (slope * inverse_effective_mass).to_array(),
        };
        (tangent, slope)
    }

    /// Unbounded impulse at spin 0 and speed 0, `base + slope·w·λ` (`N·s`): what the rows before do not change.
    #[inline]
    fn at_rest(&self, rows: &RowBlock<2>, kind: usize, lane: usize) -> f32 {
        self.base[lane] + self.answered[lane] * rows.impulses[kind][lane]
    }

    /// Unbounded impulse at spin 0, `base − slope·(s − w·λ)` (`N·s`).
    #[inline]
    fn impulse(&self, rows: &RowBlock<2>, kind: usize, lane: usize) -> f32 {
        self.at_rest(rows, kind, lane) - self.slope[lane] * rows.rates[kind][lane]
    }
}

/// Inverse effective inertia of wheels that grip (`1/(N·m·s²)`), with `inertia` I without their tires, in one division beside
/// that of the row:
///
/// ```text
/// 1/(I + r·traction) = x/(I·x + rim_weight·r²·gain·h),   x = 1 + gain·w·h
/// ```
#[inline]
pub(super) fn gripping(
    inertia: W4,
    radius: W4,
    gain: W4,
    (inverse_effective_mass, rim_weight): (W4, W4),
    step: W4,
) -> W4 {
    let answered = W4::ONE + gain * inverse_effective_mass * step;
    answered / (inertia * answered + radius * radius * rim_weight * gain * step)
}

impl WheelRows {
    /// Prepares the wheels; `rows` are the tires' rows forward and to the left.
    #[inline]
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        start: &WheelStart,
        rows: &[TireRow<W4>; 2],
        line: &LoadLine,
        space: &RowBlock<2>,
        h: f32,
    ) -> Self {
        let step = W4::splat(h);
        let [ahead, aside] = [0, 1].map(|kind| space.inverse_effective_mass(kind));
        let (forward, slope) = TangentRows::new(&rows[0], ahead, step);
        let (left, _) = TangentRows::new(&rows[1], aside, step);
        let inertia = k.inertia + k.damping * step;
        let drag = slope * k.radius;
        let own = (ahead, start.rim_weight);
        Self {
            momentum: (k.inertia * start.spin + start.torque * step).to_array(),
            brake: (start.brake * step).to_array(),
            radius: k.radius.to_array(),
            gripping: gripping(inertia, k.radius, rows[0].gain, own, step).to_array(),
            sliding: (W4::ONE / inertia).to_array(),
            forward,
            left,
            traction: (drag * start.rim_weight).to_array(),
            drag: drag.to_array(),
            friction_bound: FrictionBound::new(line, start, k.friction_shape, step),
            lifting: None,
            spin: start.spin.to_array(),
            drive: [0.0; LANES],
        }
    }

    /// Has links let a wheel's own forces forward and to the left lift it by these parts of them (–).
    #[inline]
    pub fn lift_by(&mut self, parts: [W4; 2]) {
        self.lifting = Some(parts.map(W4::to_array));
    }

    /// Bound of a tire that would push with these impulses forward and to the left, at a `normal` impulse without what
    /// they lift (`N·s`), at which it is `alone`: friction times what presses the wheel as they are scaled down to the bound.
    ///
    /// ```text
    /// σ·ρ = μ·(N − σ·t·λ)  ⇒  σ = μ·N/(ρ + μ·t·λ)      ρ: size of λ, scaled so that the ellipse is a circle
    /// ```
    #[inline]
    fn bound(&self, lane: usize, (normal, alone): (f32, f32), [forward, left]: [f32; 2]) -> f32 {
        let bounds = &self.friction_bound;
        let Some([long, lat]) = &self.lifting else {
            return alone;
        };
        if bounds.squeeze[lane] < 0.0 {
            let along = |force: f32, part: f32| if force < 0.0 { -part } else { part };
            let parts = [along(forward, long[lane]), along(left, lat[lane])];
            return bounds.pyramid(lane, alone, [forward.abs(), left.abs()], parts);
        }
        let lifted = long[lane] * forward + lat[lane] * left;
        let across = left * bounds.squeeze[lane];
        let size = math::sqrt(forward * forward + across * across);
        let whole = size + bounds.slope[lane] * lifted;
        // Where friction times slope is near 1, a wheel would press itself on the ground without end.
        let share = alone / math::greater(whole, LEAST_HOLD * size);
        let share = math::lesser(share, 1.0);
        bounds.at(lane, normal - share * lifted)
    }

    /// Normal impulses as the friction bounds count them (`N·s`).
    #[inline]
    #[must_use]
    pub fn counted(&self, normal: W4) -> W4 {
        match self.friction_bound.flat {
            Some(flat) => normal.gt(W4::ZERO).select(normal.max(flat), normal),
            None => normal,
        }
    }

    /// Friction bounds forward at these normal impulses (`N·s`).
    #[must_use]
    #[inline]
    pub fn bounds(&self, normal: W4) -> W4 {
        self.friction_bound.of_all(normal)
    }

    /// One Gauss–Seidel sweep over the wheels in this `order` of lanes, at these `normal` impulses (`N·s`).
    #[inline]
    pub fn sweep(&mut self, rows: &mut RowBlock<2>, normal: W4, order: Order) {
        let bounds = self.bounds(normal).to_array();
        let normal = normal.to_array();
        for lane in order.lanes() {
            self.solve(lane, rows, (normal[lane], bounds[lane]));
        }
    }

    /// The same with bonded wheels, whose spins are not set.
    pub fn sweep_bonded(
        &mut self,
        rows: &mut RowBlock<2>,
        normal: W4,
        shafts: &[Shaft; LANES],
        order: Order,
    ) {
        let bounds = self.bounds(normal).to_array();
        let normal = normal.to_array();
        for lane in order.lanes() {
            let normal = (normal[lane], bounds[lane]);
            let standing_impulse = self.forward.impulse(rows, 0, lane);
            let spin = match shafts[lane] {
                Shaft::Free => {
                    self.solve(lane, rows, normal);
                    continue;
                }
                Shaft::Adds(added) => {
                    let momentum = self.momentum[lane] + added;
                    self.left_over(lane, rows, momentum) * self.gripping[lane]
                }
                Shaft::At(spin) => spin,
            };
            let forward = standing_impulse + self.traction[lane] * spin;
            let left = self.left.impulse(rows, 1, lane);
            let bound = self.bound(lane, normal, [forward, left]);
            let limited = clamp_to_ellipse(forward, left, bound, self.friction_bound.squeeze[lane]);
            let [forward, left] = limited.unwrap_or([forward, left]);
            rows.set(1, lane, left);
            rows.set(0, lane, forward);
        }
    }

    /// Unbounded impulse to the left, scaled so that the friction ellipse is a circle (`N·s`).
    #[must_use]
    pub fn circular_lateral_impulse(&self, rows: &RowBlock<2>, lane: usize) -> f32 {
        self.left.impulse(rows, 1, lane) * self.friction_bound.squeeze[lane]
    }

    /// What the tire's impulse at spin 0 leaves of a `momentum` (`N·m·s`).
    // A line in the speed, which comes last: it waits for the wheel before.
    #[inline]
    fn left_over(&self, lane: usize, rows: &RowBlock<2>, momentum: f32) -> f32 {
        let at_rest = momentum - self.radius[lane] * self.forward.at_rest(rows, 0, lane);
        at_rest + self.drag[lane] * rows.rates[0][lane]
    }

    /// Solves one wheel in closed form; `normal` is its normal impulse, and the bound at it.
    #[inline]
    fn solve(&mut self, lane: usize, rows: &mut RowBlock<2>, normal: (f32, f32)) {
        let momentum = self.momentum[lane] + self.drive[lane];
        let (radius, brake) = (self.radius[lane], self.brake[lane]);
        let left_over = self.left_over(lane, rows, momentum);
        let mut spin = soft(left_over, brake) * self.gripping[lane];
        let mut forward = self.forward.impulse(rows, 0, lane) + self.traction[lane] * spin;
        let mut left = self.left.impulse(rows, 1, lane);
        let bound = self.bound(lane, normal, [forward, left]);
        if let Some(limited) =
            clamp_to_ellipse(forward, left, bound, self.friction_bound.squeeze[lane])
        {
            [forward, left] = limited;
            spin = soft(momentum - radius * forward, brake) * self.sliding[lane];
        }
        self.spin[lane] = spin;
        // What is known first.
        rows.set(1, lane, left);
        rows.set(0, lane, forward);
    }
}

#[cfg(test)]
mod tests;
