//! Unsprung masses, between strut and tire, and their wheel hop (ROWS §4.1).
//!
//! An unsprung mass moves along its strut's travel, by the jounce j at the speed u, under the chassis, whose point at the contact moves
//! along the normal at the mean s̄ = ½(s₀ + s⁺) of the substep, as its pose does. The tire gives
//! by `δ = (j_ground − j)·i`.
//!
//! ```text
//! m·u̇ = i·N − F − m·i·f + push       F = springs(j) + bars + stop + c·u,   N = k·δ + c·δ̇ ≥ 0,   δ̇ = −s̄ − i·u
//! f = (s⁺ − s₀)/h + g                of the chassis along the normal: the unsprung mass falls with it
//! ```
//!
//! It is integrated by the implicit midpoint rule in parts of the substep that resolve it: without dampers, the energy of
//! unsprung mass, springs and chassis stays the same, at any length of the substep. Each part is linear in s⁺, so that the whole is
//! eliminated: what the unsprung mass's end and its impulse would be is known as a line over s⁺, and the row of the chassis, whose mass
//! includes the unsprung mass's, is
//!
//! ```text
//! λ = ∫N dt − m·i·(u⁺ − u₀) + led
//! ```
//!
//! where `led` is what links lead past the springs: the rows of the tires push the chassis down by it.

use crate::base::lanes::{Mask4, W4};
use crate::stages::axles::WheelAxles;
use crate::stages::strut_curves::{Springs, StrutCurves};
use crate::stages::wheel_consts::{UnsprungConsts, WheelConsts};

use super::contact_space::RowBlock;
use super::strut::StrutForces;
use super::tuning::{LONGEST_HOP_PART, MOST_UNSPRUNG_SHARE, UNSPRUNG_ESTIMATES};

/// Line over the normal speed at the end, about the one at which it was linearized.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SpeedLine {
    value: W4,
    slope: W4,
}

impl SpeedLine {
    const fn flat(value: W4) -> Self {
        Self {
            value,
            slope: W4::ZERO,
        }
    }

    /// `self + other·factor`.
    #[inline]
    fn plus(self, other: Self, factor: W4) -> Self {
        Self {
            value: self.value + other.value * factor,
            slope: self.slope + other.slope * factor,
        }
    }

    #[inline]
    fn at(&self, change: W4) -> W4 {
        self.value + self.slope * change
    }
}

/// Four unsprung masses at the start of a substep, and what acts on them besides springs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnsprungStart {
    /// Jounce (`m`).
    pub jounce: W4,
    /// Jounce speed (`m/s`).
    pub speed: W4,
    /// Deflection of the tires (`m`); negative above the ground.
    pub deflection: W4,
    /// Incidence −n·travel (–), 1 without ground.
    pub incidence: W4,
    /// Normal speed of the chassis over the ground at the start (`m/s`).
    pub away: W4,
    /// Normal speed at the end with which the chassis, and an unsprung mass with it, would fall freely (`m/s`).
    pub falling: W4,
    /// Jounce at which the bars' forces count (`m`).
    pub middle: W4,
    /// Force of links and of what accelerates unsprung masses across the normal, along the travel (`N`).
    pub push: W4,
    /// Impulse that links lead past the springs, up on the unsprung masses and down on the chassis (`N·s`).
    pub led: W4,
    /// Length of the substep (`s`).
    pub h: f32,
}

/// Springs and dampers of four unsprung masses.
#[derive(Clone, Copy, Debug)]
pub struct UnsprungForces<'a> {
    /// The wheels' constants.
    pub k: &'a WheelConsts,
    /// The unsprung masses' constants.
    pub unsprung_mass: &'a UnsprungConsts,
    /// Nonlinear springs and dampers, if any.
    pub curves: Option<&'a StrutCurves>,
    /// Springs and bars.
    pub forces: &'a StrutForces,
    /// The largest damping coefficient of a strut that the ground bears (`N·s/m`).
    pub most_damping: W4,
    /// Vertical stiffness (`N/m`) and damping (`N·s/m`) of the tires on this ground.
    pub tire: [W4; 2],
}

/// Four unsprung masses through a substep: their rows for the chassis, and where they end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnsprungMasses {
    /// The unsprung masses at the start.
    pub start: UnsprungStart,
    /// Wheels that are unsprung masses: not those that are off or buried.
    pub own: Mask4,
    /// Unsprung masses under which there is ground.
    pub over_ground: Mask4,
    /// Speed at which the rows were linearized, and at which each row was solved last (`m/s`).
    linearized_at: W4,
    solved: W4,
    /// Impulses of the rows (`N·s`), with the mass that the chassis' includes.
    impulse: SpeedLine,
    /// Impulses of the tires (`N·s`).
    tire: SpeedLine,
    jounce: SpeedLine,
    speed: SpeedLine,
    deflection: SpeedLine,
    /// Mass of the unsprung masses along the normal (`kg`).
    mass: W4,
}

/// One-sided spring over a displacement from `start` (`m`): force at the start, slope, and the part of the displacement in which it pushes. Along
/// the line of force and slope, it does the work of the spring.
#[inline]
fn one_sided(stiffness: W4, start: W4, displacement: W4) -> (W4, W4, W4) {
    let (end, zero) = (start + displacement, W4::ZERO);
    let (before, after) = (start.gt(zero), end.gt(zero));
    let over = |x: W4, y: W4| x / y.same(zero).select(W4::ONE, y);
    let landing = after.select(over(end, displacement), zero);
    let leaving = after.select(W4::ONE, over(start, -displacement));
    let share = before.select(leaving, landing);
    let steepness = before.select(share * (W4::splat(2.0) - share), share * share);
    (stiffness * start.max(zero), stiffness * steepness, share)
}

impl UnsprungMasses {
    /// Unsprung masses of the wheels `own` with this start; there is ground under those `over_ground`.
    #[must_use]
    pub fn new(start: UnsprungStart, own: Mask4, over_ground: Mask4) -> Self {
        Self {
            start,
            own,
            over_ground,
            ..Self::default()
        }
    }

    /// Unsprung masses that touch the ground within the substep if the chassis has the normal speed `end` at its end (`m/s`).
    #[must_use]
    pub fn touching(&self, end: W4) -> Mask4 {
        let start = &self.start;
        let closing = -(start.away + end) * W4::splat(0.5) - start.incidence * start.speed;
        let after = start.deflection + closing * W4::splat(start.h);
        let give = start.deflection.gt(W4::ZERO) | after.gt(W4::ZERO);
        self.over_ground & give
    }

    /// Finds the rows for the chassis' present speeds.
    pub fn prepare(&mut self, forces: &UnsprungForces<'_>, rows: &RowBlock<1>) {
        let inverse_mass = rows.inverse_effective_mass(0);
        let present = self.over_ground.keep(rows.speeds_of(0));
        let without = present - inverse_mass * rows.impulses_of(0);
        let share = W4::splat(MOST_UNSPRUNG_SHARE) / inverse_mass.max(W4::splat(f32::MIN_POSITIVE));
        self.mass = forces.unsprung_mass.mass.min(share);
        self.linearized_at = present;
        for left in (0..UNSPRUNG_ESTIMATES).rev() {
            self.advance(forces, self.linearized_at);
            if left > 0 {
                let solved = self.impulses(without, inverse_mass);
                self.linearized_at = self.over_ground.keep(without + inverse_mass * solved);
            }
        }
        self.solved = self.linearized_at;
    }

    /// Impulses of the rows for the chassis' speeds `without` them (`m/s`).
    #[inline]
    fn impulses(&self, without: W4, inverse_mass: W4) -> W4 {
        let SpeedLine { value, slope } = self.impulse;
        (value + slope * (without - self.linearized_at)) / (W4::ONE - slope * inverse_mass)
    }

    /// One sweep over the rows, axle by axle.
    #[inline]
    pub fn sweep(&mut self, rows: &mut RowBlock<1>, axles: &WheelAxles) {
        let inverse_mass = rows.inverse_effective_mass(0);
        let slope = self.impulse.slope / (W4::ONE - self.impulse.slope * inverse_mass);
        let fraction = rows.opposite_fraction(0, slope, axles);
        for axle in axles.iter() {
            let axle = axle.among(self.over_ground);
            rows.solve_axle(axle, [fraction], |rows| {
                let without = rows.speeds_of(0) - inverse_mass * rows.impulses_of(0);
                let impulses = self.impulses(without, inverse_mass);
                let end = without + inverse_mass * impulses;
                self.solved = axle.wheels.select(end, self.solved);
                [impulses]
            });
        }
    }

    /// Integrates the substep with the chassis' normal speed `end` at its end (`m/s`).
    fn advance(&mut self, forces: &UnsprungForces<'_>, end: W4) {
        let UnsprungStart { h, .. } = self.start;
        // Not one more for the rounding of a substep that they fill.
        let parts = ((h / LONGEST_HOP_PART + 0.99) as u32).max(1);
        let mut unsprung_mass = Path::new(&self.start, end);
        for _ in 0..parts {
            unsprung_mass.advance(forces, &self.start, h / parts as f32);
        }
        let change = unsprung_mass
            .speed
            .plus(SpeedLine::flat(self.start.speed), -W4::ONE);
        let inertia = self.mass * self.start.incidence;
        self.impulse = unsprung_mass
            .tire
            .plus(change, -inertia)
            .plus(SpeedLine::flat(self.start.led), W4::ONE);
        (self.tire, self.jounce) = (unsprung_mass.tire, unsprung_mass.jounce);
        (self.speed, self.deflection) = (unsprung_mass.speed, unsprung_mass.deflection);
    }

    /// Values of unsprung masses, and `others` of wheels that are none.
    #[inline]
    #[must_use]
    pub fn select(&self, own: W4, others: W4) -> W4 {
        self.own.select(own, others)
    }

    /// How far the speeds at which the rows were solved are from those at which the rows were linearized (`m/s`).
    #[inline]
    fn change(&self) -> W4 {
        self.solved - self.linearized_at
    }

    /// Impulses of the tires along the normal (`N·s`), ≥ 0.
    #[inline]
    #[must_use]
    pub fn tire_impulse(&self) -> W4 {
        self.tire.at(self.change()).max(W4::ZERO)
    }

    /// Jounce (`m`) at the end.
    #[must_use]
    pub fn end_jounce(&self, k: &WheelConsts) -> W4 {
        self.jounce.at(self.change()).max(-k.max_droop)
    }

    /// Jounce speed at the end (`m/s`).
    #[must_use]
    pub fn end_speed(&self) -> W4 {
        self.speed.at(self.change())
    }

    /// Deflection of the tires at the end (`m`), ≥ 0.
    #[must_use]
    pub fn end_deflection(&self) -> W4 {
        let standing = self.own & self.tire_impulse().gt(W4::ZERO);
        standing.keep(self.deflection.at(self.change()).max(W4::ZERO))
    }

    /// Mean forces of the struts along the normal (`N`), from the unsprung masses' momentum.
    #[must_use]
    pub fn strut_force(&self, unsprung_mass: &UnsprungConsts) -> W4 {
        let start = &self.start;
        let falling = self.solved - start.falling;
        let gained = (self.end_speed() - start.speed) / start.incidence + falling;
        let per_step = W4::splat(1.0 / start.h);
        (self.tire_impulse() - unsprung_mass.mass * gained) * per_step
            + start.push / start.incidence
    }
}

/// Motion of four unsprung masses through a substep.
struct Path {
    jounce: SpeedLine,
    speed: SpeedLine,
    deflection: SpeedLine,
    /// Impulses of the tires so far (`N·s`).
    tire: SpeedLine,
    /// Mean speed of the chassis along the normal (`m/s`).
    mean: SpeedLine,
    /// Acceleration of the chassis along the normal, against free fall (`m/s²`).
    lift: SpeedLine,
}

impl Path {
    fn new(start: &UnsprungStart, end: W4) -> Self {
        let (half, per_time) = (W4::splat(0.5), W4::splat(1.0 / start.h));
        Self {
            jounce: SpeedLine::flat(start.jounce),
            speed: SpeedLine::flat(start.speed),
            deflection: SpeedLine::flat(start.deflection),
            tire: SpeedLine::default(),
            mean: SpeedLine {
                value: (start.away + end) * half,
                slope: half,
            },
            lift: SpeedLine {
                value: (end - start.falling) * per_time,
                slope: per_time,
            },
        }
    }

    /// A part of `t` (`s`) by the midpoint rule; springs act along lines that do their work over the displacement that the present speeds
    /// lead.
    ///
    /// ```text
    /// u_m·(2m/t + i²·T + S) = 2m/t·u + i·(N₀ − T·s̄) − F₀ − m·i·f + push
    /// S = (k + k_bar + k_stop)·t/2 + c        T = k_tire·t/2 + c_tire
    /// ```
    #[inline]
    fn advance(&mut self, forces: &UnsprungForces<'_>, start: &UnsprungStart, t: f32) {
        let (i, step, half) = (start.incidence, W4::splat(t), W4::splat(0.5 * t));
        let strut = self.strut(forces, start, step);
        let tire = self.tire(forces, i, step);
        let inertia = forces.unsprung_mass.mass / half;
        let resistance = inertia + i * i * tire.damping + strut.damping;
        let pressed = tire.force.plus(self.mean, -tire.damping);
        let drive = SpeedLine::flat(start.push)
            .plus(self.speed, inertia)
            .plus(pressed, i)
            .plus(strut.force, -W4::ONE)
            .plus(self.lift, -(forces.unsprung_mass.mass * i));
        let free = SpeedLine::default().plus(drive, W4::ONE / resistance);
        // Unsprung masses at the end of their droop stay there.
        let least = (-forces.k.max_droop - self.jounce.value) / step;
        let bounded = free.value.lt(least);
        let speed = SpeedLine {
            value: bounded.select(least, free.value),
            slope: bounded.select(-self.jounce.slope / step, free.slope),
        };
        let load = pressed.plus(speed, -(tire.damping * i));
        let end = SpeedLine::default()
            .plus(speed, W4::splat(2.0))
            .plus(self.speed, -W4::ONE);
        self.jounce = self.jounce.plus(speed, step);
        self.deflection = self
            .deflection
            .plus(self.mean, -step)
            .plus(speed, -(i * step));
        self.tire = self.tire.plus(load, step);
        self.speed = SpeedLine {
            value: (!bounded).keep(end.value),
            slope: (!bounded).keep(end.slope),
        };
    }

    /// Force of the struts at the start of a part, and per jounce speed.
    #[inline]
    fn strut(&self, forces: &UnsprungForces<'_>, start: &UnsprungStart, step: W4) -> Soft {
        let UnsprungForces {
            k,
            curves,
            forces: struts,
            ..
        } = forces;
        let (jounce, speed) = (self.jounce.value, self.speed.value);
        let (half, displacement) = (step * W4::splat(0.5), speed * step);
        let Springs { preload, stiffness } = curves.map_or(struts.springs, |curves| {
            curves.springs_between(struts.springs, jounce, jounce + displacement)
        });
        let damper = curves.map_or(k.damper, |curves| curves.damper(speed));
        let damper = damper.min(forces.most_damping);
        let free = preload / stiffness.max(W4::splat(f32::MIN_POSITIVE));
        let (spring, firm, _) = one_sided(stiffness, jounce + free, displacement);
        let (stop, hard, _) = one_sided(k.bump_stop, jounce - k.max_compression, displacement);
        let bar = struts.twist + k.bar_stiffness * (jounce - start.middle);
        let slope = firm + hard + k.bar_stiffness;
        Soft {
            force: SpeedLine {
                value: spring + stop + bar,
                slope: self.jounce.slope * slope,
            },
            damping: slope * half + damper,
        }
    }

    /// The tires' springs and dampers as soft constraints, against their deflection.
    #[inline]
    fn tire(&self, forces: &UnsprungForces<'_>, incidence: W4, step: W4) -> Soft {
        let closing = -self.mean.value - incidence * self.speed.value;
        let (force, slope, share) =
            one_sided(forces.tire[0], self.deflection.value, closing * step);
        let damper = forces.tire[1] * share;
        Soft {
            force: SpeedLine {
                value: force,
                slope: self.deflection.slope * slope,
            },
            damping: slope * step * W4::splat(0.5) + damper,
        }
    }
}

/// Force at the start of a part, and its change per jounce speed in the part's middle.
struct Soft {
    force: SpeedLine,
    damping: W4,
}

#[cfg(test)]
mod tests;
