//! Normal rows: spring, damper, bump stop and anti-roll bar of a strut, at the end of the substep
//! (ROWS §3, §4).
//!
//! ```text
//! j̇ = −s/i                              i: incidence −n·travel, s: normal speed, j: jounce
//! F = force + rate·j̇⁺                   along travel, linear in the rate j̇⁺ at the end
//!   force = preload + k·m + twist + c·(1 − θ)·j̇₀ − (k + k_bar)·T/4·j̇₀
//!   rate  = (k + k_bar)·T/4 + c·θ       m = j + T/2·j̇₀, T: duration of the contact
//! λ = gain·F ≥ 0,  gain = T/i           i.e. N = F/i
//! ```
//!
//! θ is ½ (the damper acts by the mean rate), or 1 if the mean would overshoot.

mod travel;

use crate::base::lanes::{LANES, Mask4, W4};
use crate::base::math;
use crate::stages::strut_curves::{Springs, StrutCurves};
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::{Order, RowBlock};
pub use travel::{Compression, Extension, LEAST_INCIDENCE, buried, buried_hubs, slack};

/// Number of estimates of a nonlinear damper's rate.
const ESTIMATES: usize = 3;

/// Maximum speed along n of a wheel that was placed in the ground (`m/s`).
const EMERGENCE: f32 = 1.0;

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
    /// Force and rate of springs, bars and dampers.
    force: W4,
    rate: W4,
    /// The stop is reached if the normal speed at the end is below this (`m/s`).
    stop_speed: [f32; LANES],
    inverse_effective_mass: [f32; LANES],
    effective_mass: [f32; LANES],
    /// [`Compression::release`].
    release: [f32; LANES],
    /// Wheels that do not touch the ground.
    off: Mask4,
    buried: Mask4,
    /// Maximum normal speed of buried wheels (`m/s`).
    emergence: [f32; LANES],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ImpulseLine {
    /// Impulse at ŝ = 0 (`N·s`).
    base: [f32; LANES],
    /// Impulse per speed (`kg`).
    slope: [f32; LANES],
}

impl ImpulseLine {
    /// Eliminates the row's own response from `λ = gain·(force − rate·s⁺/i)`, `s⁺ = ŝ + w·λ`:
    ///
    /// ```text
    /// λ = gain·(force − rate·ŝ/i)/(1 + w·gain·rate/i)
    /// ```
    #[inline]
    fn new(force: W4, rate: W4, at: &Compression, inverse_effective_mass: W4) -> Self {
        let (rate, gain) = (rate * at.steepness, at.gain());
        let scale = gain / (W4::ONE + inverse_effective_mass * gain * rate);
        Self {
            base: (force * scale).to_array(),
            slope: (rate * scale).to_array(),
        }
    }

    #[inline]
    fn impulse(&self, lane: usize, speed: f32) -> f32 {
        math::greater(self.base[lane] - self.slope[lane] * speed, 0.0)
    }
}

/// Weight θ of the end's rate in the rate that a damper acts by, `(1 − θ)·j̇₀ + θ·j̇⁺`: ½, or 1 if
/// `c·w·T/i² ≥ 1`, where the mean would overshoot.
#[inline]
fn share_of_end(damper: W4, at: &Compression, inverse_effective_mass: W4) -> W4 {
    let strong = (damper * inverse_effective_mass * at.gain()).ge(at.incidence);
    strong.select(W4::ONE, W4::splat(0.5))
}

/// Where in a contact a spring acts: by the jounce in the middle, in which it neither gains nor loses energy; by that
/// at the end if the contact is too short to resolve its oscillation, `k·w·T²/i² ≥ 2.5`; from 100 on, where four of
/// them bounce off one after another, by that which the rate at the end leads to: it stops the wheel.
///
/// ```text
/// middle:  j + T/4·(j̇₀ + j̇⁺)        end:  j + T/2·(j̇₀ + j̇⁺)        rigid:  j + T·j̇⁺
/// ```
#[derive(Clone, Copy)]
struct Lever {
    /// Its part that is known at the start (`m`).
    begun: W4,
    /// Its change per rate of jounce at the end (`s`).
    time: W4,
}

/// From this k·w·T²/i² on, a spring acts by the end of the contact (–). With 4, a kart of 1.5 kg on 100 kN/m, dropped
/// undamped, bounces higher than it fell; with 1, the stops of cars take 3 % off the depth of a landing at 30 Hz.
const STIFF: f32 = 2.5;

/// From this k·w·T²/i² on, a spring stops its wheel (–). Without, a car of 1.5 kg on 100 MN/m, dropped undamped by 2 mm,
/// more than doubles its energy.
const RIGID: f32 = 100.0;

impl Lever {
    #[inline]
    fn new(rate: W4, at: &Compression, inverse_effective_mass: W4) -> Self {
        let gain = at.gain();
        let stiffness = rate * inverse_effective_mass * gain * gain;
        let (stiff, rigid) = (
            stiffness.ge(W4::splat(STIFF)),
            stiffness.ge(W4::splat(RIGID)),
        );
        let share = rigid.select(W4::ONE, stiff.select(W4::splat(0.5), W4::splat(0.25)));
        let time = at.duration * share;
        Self {
            begun: at.speed * (!rigid).keep(time),
            time,
        }
    }
}

/// Bump stops for one substep: force `rate·(beyond + lever·j̇⁺)`, if positive.
struct Stop {
    rate: W4,
    beyond: W4,
    lever: W4,
}

impl Stop {
    /// A stop engaged at the start acts as springs do. One reached within the
    /// substep acts by half of its final deflection for the remaining time, estimated by the rate at the start:
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
            rate: k.bump_stop * (half * part),
            beyond: middle,
            lever: at.duration * half,
        };
        if inside.all() {
            return reached;
        }
        let engaged = Lever::new(k.bump_stop, at, inverse_effective_mass);
        Self {
            rate: inside.select(reached.rate, k.bump_stop),
            beyond: inside.select(reached.beyond, before + engaged.begun),
            lever: inside.select(reached.lever, engaged.time),
        }
    }
}

impl StrutRows {
    /// Prepares the rows for dampers of these rates (`N·s/m`); `inverse_effective_mass` is w (`1/kg`).
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
        let lever = Lever::new(springs, at, inverse_effective_mass);
        let new = share_of_end(damper, at, inverse_effective_mass);
        let force = preload
            + stiffness * at.middle
            + forces.twist
            + damper * (W4::ONE - new) * at.speed
            + springs * (lever.begun - at.speed * at.duration * W4::splat(0.5));
        let rate = springs * lever.time + damper * new;
        let stop = Stop::new(k, at, inverse_effective_mass);
        Self {
            free: ImpulseLine::new(force, rate, at, inverse_effective_mass),
            force,
            rate,
            stop_speed: (stop.beyond * at.incidence / stop.lever).to_array(),
            inverse_effective_mass: inverse_effective_mass.to_array(),
            effective_mass: (W4::ONE / inverse_effective_mass).to_array(),
            release: at.release.to_array(),
            off: k.present & !at.touching,
            buried: at.buried,
            emergence: (at.incidence * W4::splat(EMERGENCE)).to_array(),
        }
    }

    /// The same for nonlinear dampers, whose rate is the curve's force over speed at the rate of jounce that
    /// they act by, and springs, which act along the line that does the work of their curve on the way. Any rate ≥ 0 of a
    /// damper dissipates energy, so that no estimate of it can add any.
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
        let without = rows.rates_of(0) - inverse_effective_mass * rows.impulses_of(0);
        let damper_at = |speed: W4| curves.damper(speed).min(most_damping);
        let forces_until = |end: W4| {
            let way = at.duration * W4::splat(0.5) * (at.speed + end);
            StrutForces {
                springs: curves.springs_between(forces.springs, at.jounce, at.jounce + way),
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
        for _ in 0..ESTIMATES {
            let impulse = W4::from_fn(|lane| {
                struts.impulse(lane, without.lane(lane), (k, at), at.buried.lane(lane))
            });
            let end = -(without + inverse_effective_mass * impulse) * at.steepness;
            let new = share_of_end(damper, at, inverse_effective_mass);
            damper = damper_at(at.speed + new * (end - at.speed));
            struts = Self::new(k, damper, at, &forces_until(end), inverse_effective_mass);
        }
        struts
    }

    /// One Gauss–Seidel sweep over the rows in this `order` of lanes; `on` are the wheels and contacts that they were prepared
    /// for.
    #[inline]
    pub fn sweep(&self, rows: &mut RowBlock<1>, on: (&WheelConsts, &Compression), order: Order) {
        // Most often, no wheel needs to be asked, and none reaches its stop.
        if (self.off | self.buried).any() {
            return self.sweep_each(rows, on, order, 0);
        }
        for (done, lane) in order.lanes().enumerate() {
            if !self.solve_free(lane, rows) {
                return self.sweep_each(rows, on, order, done);
            }
        }
    }

    /// The same wheel by wheel, after those that are `done`.
    #[inline(never)]
    fn sweep_each(
        &self,
        rows: &mut RowBlock<1>,
        on: (&WheelConsts, &Compression),
        order: Order,
        done: usize,
    ) {
        for lane in order.lanes().skip(done) {
            if !self.off.lane(lane) {
                let without = self.without(lane, rows);
                let impulse = self.impulse(lane, without, on, self.buried.lane(lane));
                rows.set(0, lane, impulse);
            }
        }
    }

    /// Solves the row of a wheel that is not buried; returns `false`, and nothing changes, if it reaches its stop.
    #[inline(always)]
    fn solve_free(&self, lane: usize, rows: &mut RowBlock<1>) -> bool {
        let without = self.without(lane, rows);
        let free = self.free_impulse(lane, without);
        if let Some(free) = free {
            rows.set(0, lane, self.held(lane, without, free));
        }
        free.is_some()
    }

    /// Normal speed without a row, ŝ (`m/s`).
    #[inline(always)]
    fn without(&self, lane: usize, rows: &RowBlock<1>) -> f32 {
        rows.rates[0][lane] - self.inverse_effective_mass[lane] * rows.impulses[0][lane]
    }

    /// Impulse of a row (`N·s`), clamped to ≥ 0, for its speed `without` it (ŝ, `m/s`). A
    /// `buried` wheel's is also clamped to the one that leads to the emergence speed.
    fn impulse(
        &self,
        lane: usize,
        without: f32,
        on: (&WheelConsts, &Compression),
        buried: bool,
    ) -> f32 {
        let impulse = self
            .free_impulse(lane, without)
            .unwrap_or_else(|| self.stopped(on).impulse(lane, without));
        let impulse = self.held(lane, without, impulse);
        if buried {
            let out =
                math::greater(self.emergence[lane] - without, 0.0) * self.effective_mass[lane];
            math::lesser(impulse, out)
        } else {
            impulse
        }
    }

    /// The impulse without a stop, unless that is reached.
    #[inline(always)]
    fn free_impulse(&self, lane: usize, without: f32) -> Option<f32> {
        let free = self.free.impulse(lane, without);
        let end = without + self.inverse_effective_mass[lane] * free;
        (end >= self.stop_speed[lane]).then_some(free)
    }

    /// An impulse, bounded by the one that leads to the speed of release.
    #[inline(always)]
    fn held(&self, lane: usize, without: f32, impulse: f32) -> f32 {
        let held = (self.release[lane] - without) * self.effective_mass[lane];
        math::lesser(impulse, math::greater(held, 0.0))
    }

    /// The line of struts at their stops.
    fn stopped(&self, (k, at): (&WheelConsts, &Compression)) -> ImpulseLine {
        let inverse_effective_mass = W4::from_array(self.inverse_effective_mass);
        let stop = Stop::new(k, at, inverse_effective_mass);
        ImpulseLine::new(
            self.force + stop.rate * stop.beyond,
            self.rate + stop.rate * stop.lever,
            at,
            inverse_effective_mass,
        )
    }
}

#[cfg(test)]
mod tests;
