//! Normal rows: spring, damper, bump stop and anti-roll bar of a strut, at the end of the substep
//! (ROWS §3, §4).
//!
//! ```text
//! j̇ = −s/i                              i: incidence −n·travel, s: normal speed, j: jounce
//! F = force + damping·j̇⁺                along travel, linear in the jounce speed j̇⁺ at the end
//!   force   = preload + k·m + twist + c·(1 − θ)·j̇₀ − (k + k_bar)·T/4·j̇₀
//!   damping = (k + k_bar)·T/4 + c·θ     m = j + T/2·j̇₀, T: duration of the contact
//! λ = gain·F ≥ 0,  gain = T/i           i.e. N = F/i, less where the ray grazes the ground
//! ```
//!
//! θ is ½ (the damper acts by the mean jounce speed), or 1 if the mean would overshoot.

mod travel;

use crate::base::lanes::{Mask4, W4};
use crate::stages::axles::WheelAxles;
use crate::stages::strut_curves::{Springs, StrutCurves};
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::RowBlock;
use super::tuning::{EMERGENCE, RIGID_STRUT, STIFF_STRUT, STRUT_ESTIMATES};
pub use travel::{Compression, Extension, buried, buried_unsprung_masses, slack};

/// Forces of four struts that do not depend on their speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutForces {
    /// The springs, of which linear ones are all.
    pub springs: Springs,
    /// Force of anti-roll bars (`N`).
    pub twist: W4,
}

/// Rows of four struts for one substep, `λ = base − slope·ŝ` with the normal speed ŝ = s − w·λ without this
/// row's impulse; on another line if the bump stop is reached, which is found when it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutRows {
    free: ImpulseLine,
    /// Force of springs, bars and dampers, and its change per final jounce speed.
    force: W4,
    damping: W4,
    /// The stop is reached if the normal speed at the end is below this (`m/s`).
    stop_speed: W4,
    inverse_effective_mass: W4,
    effective_mass: W4,
    /// [`Compression::release`].
    release: W4,
    /// Wheels that touch the ground.
    touching: Mask4,
    buried: Mask4,
    /// Maximum normal speed of buried wheels (`m/s`).
    emergence: W4,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ImpulseLine {
    /// Impulse at ŝ = 0 (`N·s`).
    base: W4,
    /// Impulse per speed (`kg`).
    slope: W4,
}

impl ImpulseLine {
    /// Eliminates the row's own response from `λ = gain·(force − damping·s⁺/i)`, `s⁺ = ŝ + w·λ`:
    ///
    /// ```text
    /// λ = gain·(force − damping·ŝ/i)/(1 + w·gain·damping/i)
    /// ```
    #[inline]
    fn new(force: W4, damping: W4, at: &Compression, inverse_effective_mass: W4) -> Self {
        let (damping, gain) = (damping * at.steepness, at.gain());
        let scale = gain / (W4::ONE + inverse_effective_mass * gain * damping);
        Self {
            base: force * scale,
            slope: damping * scale,
        }
    }

    #[inline]
    fn impulse(&self, speed: W4) -> W4 {
        (self.base - self.slope * speed).max(W4::ZERO)
    }
}

/// Weight θ of the final jounce speed in the one that a damper acts by, `(1 − θ)·j̇₀ + θ·j̇⁺`: ½, or 1 if
/// `c·w·T/i² ≥ 1`, where the mean would overshoot.
#[inline]
fn share_of_end(damper: W4, at: &Compression, inverse_effective_mass: W4) -> W4 {
    let strong = (damper * inverse_effective_mass * at.gain()).ge(at.incidence);
    strong.select(W4::ONE, W4::splat(0.5))
}

/// Jounce by which a spring acts in a contact: that in the middle, in which it neither gains nor loses energy; by that
/// at the end if the contact is too short to resolve its oscillation, `k·w·T²/i² ≥ 2.5`; from 100 on, where four of
/// them bounce off one after another, by that which the final jounce speed leads to: it stops the wheel.
///
/// ```text
/// middle:  j + T/4·(j̇₀ + j̇⁺)        end:  j + T/2·(j̇₀ + j̇⁺)        rigid:  j + T·j̇⁺
/// ```
#[derive(Clone, Copy)]
struct SpringPoint {
    /// Part that is known at the start (`m`).
    begun: W4,
    /// Change per final jounce speed (`s`).
    time: W4,
}

impl SpringPoint {
    #[inline]
    fn new(stiffness: W4, at: &Compression, inverse_effective_mass: W4) -> Self {
        let gain = at.gain();
        let ratio = stiffness * inverse_effective_mass * gain * (at.duration * at.steepness);
        let (stiff, rigid) = (
            ratio.ge(W4::splat(STIFF_STRUT)),
            ratio.ge(W4::splat(RIGID_STRUT)),
        );
        let share = rigid.select(W4::ONE, stiff.select(W4::splat(0.5), W4::splat(0.25)));
        let time = at.duration * share;
        Self {
            begun: at.speed * (!rigid).keep(time),
            time,
        }
    }
}

/// Bump stops for one substep: force `stiffness·(beyond + time·j̇⁺)`, if positive.
struct Stop {
    stiffness: W4,
    beyond: W4,
    time: W4,
}

impl Stop {
    /// A stop engaged at the start acts as springs do. One reached within the
    /// substep acts by half of its final deflection for the remaining time, estimated by the jounce speed at the start:
    /// it absorbs at least the work that it stores.
    ///
    /// ```text
    /// x₀ = j − j_max
    /// engaged (x₀ ≥ 0):  k_stop·(x₀ + T/4·(j̇₀ + j̇⁺)), or T/2
    /// reached (x₀ < 0):  ½·k_stop·x/(x − x₀)·(x₀ + T/2·(j̇₀ + j̇⁺)),   x = max(x₀ + T·j̇₀, 0)
    /// ```
    #[inline]
    fn new(k: &WheelConsts, at: &Compression, inverse_effective_mass: W4) -> Self {
        let (half, zero) = (W4::splat(0.5), W4::ZERO);
        let before = at.jounce - k.max_compression;
        let inside = before.lt(zero);
        let middle = at.middle - k.max_compression;
        let end = (middle + middle - before).max(zero);
        let part = end / inside.select(end - before, W4::ONE);
        let reached = Self {
            stiffness: k.bump_stop * (half * part),
            beyond: middle,
            time: at.duration * half,
        };
        if inside.all() {
            return reached;
        }
        let engaged = SpringPoint::new(k.bump_stop, at, inverse_effective_mass);
        Self {
            stiffness: inside.select(reached.stiffness, k.bump_stop),
            beyond: inside.select(reached.beyond, before + engaged.begun),
            time: inside.select(reached.time, engaged.time),
        }
    }
}

impl StrutRows {
    /// Prepares the rows for dampers of these coefficients (`N·s/m`); `inverse_effective_mass` is w (`1/kg`).
    #[inline]
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        damper: W4,
        at: &Compression,
        forces: &StrutForces,
        inverse_effective_mass: W4,
    ) -> Self {
        let Springs { preload, stiffness } = forces.springs;
        let springs = stiffness + k.bar_stiffness;
        let point = SpringPoint::new(springs, at, inverse_effective_mass);
        let new = share_of_end(damper, at, inverse_effective_mass);
        let force = preload
            + stiffness * at.middle
            + forces.twist
            + damper * (W4::ONE - new) * at.speed
            + springs * (point.begun - at.speed * at.duration * W4::splat(0.5));
        let damping = springs * point.time + damper * new;
        let stop = Stop::new(k, at, inverse_effective_mass);
        Self {
            free: ImpulseLine::new(force, damping, at, inverse_effective_mass),
            force,
            damping,
            stop_speed: stop.beyond * at.incidence / stop.time,
            inverse_effective_mass,
            effective_mass: W4::ONE / inverse_effective_mass,
            release: at.release,
            touching: at.touching,
            buried: at.buried,
            emergence: at.incidence * W4::splat(EMERGENCE),
        }
    }

    /// Rows of struts with nonlinear dampers, whose coefficient is the curve's force over speed at the jounce speed that
    /// they act by, and springs, which act along the line that does the work of their curve over the displacement. Any coefficient ≥ 0
    /// of a damper dissipates energy, so that no estimate of it can add any.
    #[must_use]
    pub fn curved(
        k: &WheelConsts,
        curves: &StrutCurves,
        most_damping: W4,
        at: &Compression,
        forces: &StrutForces,
        rows: &RowBlock<1>,
    ) -> Self {
        let inverse_effective_mass = rows.inverse_effective_mass(0);
        let without = rows.speeds_of(0) - inverse_effective_mass * rows.impulses_of(0);
        let damper_at = |speed: W4| curves.damper(speed).min(most_damping);
        let forces_until = |end: W4| {
            let displacement = at.duration * W4::splat(0.5) * (at.speed + end);
            StrutForces {
                springs: curves.springs_between(
                    forces.springs,
                    at.jounce,
                    at.jounce + displacement,
                ),
                ..*forces
            }
        };
        let mut damper = damper_at(at.speed);
        let mut struts = Self::new(
            k,
            damper,
            at,
            &forces_until(at.speed),
            inverse_effective_mass,
        );
        for _ in 0..STRUT_ESTIMATES {
            let impulse = struts.impulse(without, (k, at));
            let end = -(without + inverse_effective_mass * impulse) * at.steepness;
            let new = share_of_end(damper, at, inverse_effective_mass);
            damper = damper_at(at.speed + new * (end - at.speed));
            struts = Self::new(k, damper, at, &forces_until(end), inverse_effective_mass);
        }
        struts
    }

    /// One Gauss–Seidel sweep over the rows, axle by axle; `on` are the wheels and contacts that they were prepared for.
    #[inline]
    pub fn sweep(
        &self,
        rows: &mut RowBlock<1>,
        on: (&WheelConsts, &Compression),
        axles: &WheelAxles,
    ) {
        let fraction = rows.opposite_fraction(0, self.free.slope, axles);
        for axle in axles.iter() {
            rows.solve_axle(axle.among(self.touching), [fraction], |rows| {
                let without = rows.speeds_of(0) - self.inverse_effective_mass * rows.impulses_of(0);
                [self.impulse(without, on)]
            });
        }
    }

    /// Impulses of the rows (`N·s`), ≥ 0, for their speeds `without` them (ŝ, `m/s`): of wheels that reach their stops with the
    /// stops, bounded by those that lead to the speed of release, and of buried wheels by those to the emergence speed.
    #[inline(always)]
    fn impulse(&self, without: W4, on: (&WheelConsts, &Compression)) -> W4 {
        let free = self.free.impulse(without);
        let end = without + self.inverse_effective_mass * free;
        let stopped = self.touching & !end.ge(self.stop_speed);
        let impulse = if stopped.any() {
            stopped.select(self.stopped(on).impulse(without), free)
        } else {
            free
        };
        let to_release = (self.release - without) * self.effective_mass;
        let impulse = impulse.min(to_release.max(W4::ZERO));
        if self.buried.any() {
            let out = (self.emergence - without).max(W4::ZERO) * self.effective_mass;
            return self.buried.select(impulse.min(out), impulse);
        }
        impulse
    }

    /// The line of struts at their stops.
    fn stopped(&self, (k, at): (&WheelConsts, &Compression)) -> ImpulseLine {
        let stop = Stop::new(k, at, self.inverse_effective_mass);
        ImpulseLine::new(
            self.force + stop.stiffness * stop.beyond,
            self.damping + stop.stiffness * stop.time,
            at,
            self.inverse_effective_mass,
        )
    }
}

#[cfg(test)]
mod tests;
