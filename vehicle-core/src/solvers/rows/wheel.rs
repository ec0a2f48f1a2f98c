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
mod limited;

use crate::base::lanes::{LANES, Mask4, W4};
use crate::base::math;
use crate::contracts::stateful_tire::TireRow;
use crate::stages::axles::WheelAxles;
use crate::stages::load::LoadLine;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::RowBlock;
use super::tuning::{LEAST_GRIP, OPPOSITE_FRACTION};
use friction::{FrictionBound, clamp_to_ellipse};
use limited::LimitedBrakes;

/// Soft threshold, `z − clamp(z, ±b)`: an impulse `z` less the dry friction `b`.
#[inline]
#[must_use]
pub fn soft(z: f32, b: f32) -> f32 {
    z - clamp(z, b)
}

/// [`soft`] for four wheels.
#[inline]
pub(super) fn soft4(z: W4, b: W4) -> W4 {
    z - clamp4(z, b)
}

/// `z` clamped to ±`b`.
#[inline]
pub(super) fn clamp(z: f32, b: f32) -> f32 {
    math::lesser(math::greater(z, -b), b)
}

/// [`clamp`] for four wheels.
#[inline]
pub(super) fn clamp4(z: W4, b: W4) -> W4 {
    z.max(-b).min(b)
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
    /// Longitudinal friction coefficient (–).
    pub friction: W4,
    /// Maximum lateral over maximum longitudinal force (–), > 0.
    pub lateral_grip: W4,
    /// Rest load (`N`).
    pub rest_load: W4,
    /// Weight of the rim's final speed over the contact's in the longitudinal row (–): 2 if the row counts half of the
    /// contact's.
    pub rim_weight: W4,
}

/// Effect of a shaft on a wheel in a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shaft {
    /// A wheel without a wheel coupling: clutch and differential drive it.
    #[default]
    Free,
    /// An angular impulse on the wheel, the brake's included (`N·m·s`).
    Adds(f32),
    /// An imposed spin (`rad/s`).
    At(f32),
}

/// Four wheels, prepared for the sweeps of one substep. Torques and forces are multiplied by the substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelRows {
    /// Angular momentum y before tire and clutch (`N·m·s`).
    pub(super) momentum: W4,
    /// Maximum impulse b of the brake (`N·m·s`).
    pub(super) brake: W4,
    pub(super) radius: W4,
    /// Inverse effective inertia while the tire grips, and while it slides (`1/(N·m·s²)`).
    gripping: W4,
    pub(super) sliding: W4,
    longitudinal: TangentRows,
    lateral: TangentRows,
    /// Slope of the longitudinal row's impulse in spin (`N·s²`).
    traction: W4,
    /// Slope in the contact's speed of the angular momentum that the longitudinal row takes from the wheel (`N·s²`).
    drag: W4,
    friction_bound: FrictionBound,
    /// Fractions of a wheel's own longitudinal and lateral force by which links lift it (–), if there are links.
    lifting: Option<[W4; 2]>,
    /// Limits of slips that the brakes keep, if there are any.
    pub(super) limited: Option<LimitedBrakes>,
    /// Spin (`rad/s`).
    pub spin: W4,
    /// Angular impulse of clutch and differential (`N·m·s`).
    pub drive: W4,
}

/// Tangential rows of four wheels in one direction, with their own response eliminated: `λ = base − slope·ŝ`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TangentRows {
    base: W4,
    slope: W4,
    /// Fraction of an impulse that a row's own response takes back, slope·w (–), in 0 … 1.
    own_response: W4,
}

impl TangentRows {
    /// Rows of the tires' `row` with an inverse effective mass w (`1/kg`) in a `step` h (`s`), and their slope.
    #[inline]
    fn new(row: &TireRow<W4>, inverse_effective_mass: W4, step: W4) -> (Self, W4) {
        let scale = step / (W4::ONE + row.gain * inverse_effective_mass * step);
        let slope = row.gain * scale;
        let tangent = Self {
            base: row.force * scale,
            slope,
            own_response: slope * inverse_effective_mass,
        };
        (tangent, slope)
    }

    /// Unbounded impulse at spin 0 and speed 0, `base + slope·w·λ` (`N·s`), which does not depend on the other rows.
    #[inline]
    fn at_rest(&self, rows: &RowBlock<2>, kind: usize) -> W4 {
        self.base + self.own_response * rows.impulses[kind]
    }

    /// Unbounded impulse at spin 0, `base − slope·(s − w·λ)` (`N·s`).
    #[inline]
    fn impulse(&self, rows: &RowBlock<2>, kind: usize) -> W4 {
        self.at_rest(rows, kind) - self.slope * rows.speeds[kind]
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
    let response = W4::ONE + gain * inverse_effective_mass * step;
    response / (inertia * response + radius * radius * rim_weight * gain * step)
}

impl WheelRows {
    /// Prepares the wheels; `rows` are the tires' longitudinal and lateral rows, whose speeds and impulses are in `tangent`.
    #[inline]
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        start: &WheelStart,
        rows: &[TireRow<W4>; 2],
        line: &LoadLine,
        tangent: &RowBlock<2>,
        h: f32,
    ) -> Self {
        let step = W4::splat(h);
        let inverse_masses = [0, 1].map(|kind| tangent.inverse_effective_mass(kind));
        let (longitudinal, slope) = TangentRows::new(&rows[0], inverse_masses[0], step);
        let (lateral, _) = TangentRows::new(&rows[1], inverse_masses[1], step);
        let inertia = k.inertia + k.damping * step;
        let drag = slope * k.radius;
        let own = (inverse_masses[0], start.rim_weight);
        Self {
            momentum: k.inertia * start.spin + start.torque * step,
            brake: start.brake * step,
            radius: k.radius,
            gripping: gripping(inertia, k.radius, rows[0].gain, own, step),
            sliding: W4::ONE / inertia,
            longitudinal,
            lateral,
            traction: drag * start.rim_weight,
            drag,
            friction_bound: FrictionBound::new(line, start, k.friction_shape, step),
            lifting: None,
            limited: None,
            spin: start.spin,
            drive: W4::ZERO,
        }
    }

    /// Sets the fractions of a wheel's own longitudinal and lateral force by which links lift it (–).
    #[inline]
    pub fn lift_by(&mut self, fractions: [W4; 2]) {
        self.lifting = Some(fractions);
    }

    /// Friction bound of each wheel (`N·s`) where links turn part of the tire's impulse into normal impulse. `alone` is the
    /// bound at `normal` without that part.
    ///
    /// ```text
    /// σ·ρ = μ·(N − σ·t·λ)  ⇒  σ = μ·N/(ρ + μ·t·λ)      ρ: size of λ, scaled so that the ellipse is a circle
    /// ```
    #[inline]
    fn bound(&self, (normal, alone): (W4, W4), unbounded: [W4; 2]) -> W4 {
        let Some(lifting) = self.lifting else {
            return alone;
        };
        let bounds = &self.friction_bound;
        let [longitudinal, lateral] = unbounded;
        let lifted = lifting[0] * longitudinal + lifting[1] * lateral;
        let scaled = lateral * bounds.squeeze;
        let size = (longitudinal * longitudinal + scaled * scaled).sqrt();
        let whole = size + bounds.slope * lifted;
        // Where friction times slope is near 1, a wheel would press itself on the ground without end.
        let share = alone / whole.max(W4::splat(LEAST_GRIP) * size);
        let share = share.min(W4::ONE);
        let ellipse = bounds.of_all(normal - share * lifted);
        let pyramid = bounds.squeeze.lt(W4::ZERO);
        if pyramid.any() {
            let each = bounds.pyramids(alone, unbounded, lifting);
            return pyramid.select(each, ellipse);
        }
        ellipse
    }

    /// Normal impulses from which friction bounds are computed (`N·s`): at least those at which the load filter begins to
    /// rise, for loaded wheels.
    #[inline]
    #[must_use]
    pub fn load_impulse(&self, normal: W4) -> W4 {
        match self.friction_bound.flat {
            Some(flat) => normal.gt(W4::ZERO).select(normal.max(flat), normal),
            None => normal,
        }
    }

    /// Longitudinal friction bounds at these normal impulses (`N·s`).
    #[must_use]
    #[inline]
    pub fn bounds(&self, normal: W4) -> W4 {
        self.friction_bound.of_all(normal)
    }

    /// One Gauss–Seidel sweep over the wheels, axle by axle, at these `normal` impulses (`N·s`).
    #[inline]
    pub fn sweep(&mut self, rows: &mut RowBlock<2>, normal: W4, axles: &WheelAxles) {
        let normal = (normal, self.bounds(normal));
        for axle in axles.iter() {
            rows.solve_axle(axle, OPPOSITE_FRACTION, |rows| {
                self.solve(axle.wheels, rows, normal)
            });
        }
    }

    /// One Gauss–Seidel sweep over wheels of which some are coupled: the spins of those are not set.
    pub fn sweep_coupled(
        &mut self,
        rows: &mut RowBlock<2>,
        normal: W4,
        shafts: &[Shaft; LANES],
        axles: &WheelAxles,
    ) {
        let normal = (normal, self.bounds(normal));
        let coupled = Coupled::new(shafts);
        for axle in axles.iter() {
            rows.solve_axle(axle, OPPOSITE_FRACTION, |rows| {
                let free = self.solve(axle.wheels & coupled.free, rows, normal);
                let turned =
                    self.remaining_momentum(rows, self.momentum + coupled.added) * self.gripping;
                let unbounded = self.unbounded(rows, coupled.imposed.select(coupled.spin, turned));
                let (impulses, _) = self.within_ellipse(unbounded, normal);
                core::array::from_fn(|kind| coupled.free.select(free[kind], impulses[kind]))
            });
        }
    }

    /// Unbounded lateral impulse, scaled so that the friction ellipse is a circle (`N·s`).
    #[must_use]
    pub fn circular_lateral_impulse(&self, rows: &RowBlock<2>) -> W4 {
        self.lateral.impulse(rows, 1) * self.friction_bound.squeeze
    }

    /// Remainder of a `momentum` after the tires' impulses at spin 0 (`N·m·s`).
    #[inline]
    fn remaining_momentum(&self, rows: &RowBlock<2>, momentum: W4) -> W4 {
        let at_rest = momentum - self.radius * self.longitudinal.at_rest(rows, 0);
        at_rest + self.drag * rows.speeds[0]
    }

    /// Unbounded longitudinal and lateral impulses of wheels with this `spin` (`rad/s`).
    #[inline]
    fn unbounded(&self, rows: &RowBlock<2>, spin: W4) -> [W4; 2] {
        let longitudinal = self.longitudinal.impulse(rows, 0) + self.traction * spin;
        [longitudinal, self.lateral.impulse(rows, 1)]
    }

    /// Impulses clamped to the friction ellipse, and a mask of the wheels that slide.
    #[inline]
    fn within_ellipse(&self, unbounded: [W4; 2], normal: (W4, W4)) -> ([W4; 2], Mask4) {
        let bound = self.bound(normal, unbounded);
        clamp_to_ellipse(unbounded, bound, self.friction_bound.squeeze)
    }

    /// Impulses of all wheels in closed form, each alone, with their normal impulses and the bounds at these, `normal`. Sets
    /// the spins of these `wheels`.
    #[inline(always)]
    fn solve(&mut self, wheels: Mask4, rows: &RowBlock<2>, normal: (W4, W4)) -> [W4; 2] {
        let (mut spin, mut impulses) = self.turned(rows, normal, self.brake);
        if let Some(limited) = self.limited {
            (spin, impulses) = self.keep_slip(limited, (wheels, rows, normal), (spin, impulses));
        }
        self.spin = wheels.select(spin, self.spin);
        impulses
    }

    /// Spins and impulses of all wheels in closed form, with these impulses of their brakes.
    #[inline(always)]
    fn turned(&self, rows: &RowBlock<2>, normal: (W4, W4), brake: W4) -> (W4, [W4; 2]) {
        let momentum = self.momentum + self.drive;
        let spin = soft4(self.remaining_momentum(rows, momentum), brake) * self.gripping;
        let (impulses, slides) = self.within_ellipse(self.unbounded(rows, spin), normal);
        if !slides.any() {
            return (spin, impulses);
        }
        let remaining = soft4(momentum - self.radius * impulses[0], brake);
        (slides.select(remaining * self.sliding, spin), impulses)
    }
}

/// Results of a sweep for the shafts of four wheels.
struct Coupled {
    /// Wheels that are not coupled.
    free: Mask4,
    /// Wheels of which the spin is imposed (`rad/s`).
    imposed: Mask4,
    spin: W4,
    /// Angular impulses that are added to the others (`N·m·s`).
    added: W4,
}

impl Coupled {
    fn new(shafts: &[Shaft; LANES]) -> Self {
        Self {
            free: Mask4::from_fn(|lane| shafts[lane] == Shaft::Free),
            imposed: Mask4::from_fn(|lane| matches!(shafts[lane], Shaft::At(_))),
            spin: W4::from_fn(|lane| match shafts[lane] {
                Shaft::At(spin) => spin,
                _ => 0.0,
            }),
            added: W4::from_fn(|lane| match shafts[lane] {
                Shaft::Adds(added) => added,
                _ => 0.0,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
