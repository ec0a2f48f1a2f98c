//! Normal rows: spring, damper, bump stop and anti-roll bar of a strut, at the end of the substep
//! (ROWS §3, §4).

use crate::base::lanes::{LANES, Mask4, W4};
use crate::base::math;
use crate::exchange::state::WheelState;
use crate::stages::strut_curves::StrutCurves;
use crate::stages::suspension::Reach;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::Block;

/// A ray is a wheel only while it points into the ground: −n·travel is no less than this.
pub const LEAST_INCIDENCE: f32 = 0.25;
/// Least part of a substep that a contact lasts (–).
const LEAST_PART: f32 = 1e-3;

/// How often the rate of a damper with a curve is estimated anew.
const ESTIMATES: usize = 3;

/// A wheel that was put into the ground comes out of it no faster than this (`m/s`).
const EMERGENCE: f32 = 1.0;
/// So far beyond its stop, a wheel of a car that was just put somewhere is in the ground (`m`).
const BURIED: f32 = 0.05;

/// Wheels that somebody put into the ground, until they are back within their travel: their stops
/// would throw the car out. `placed` says that the car did not come here by driving.
#[must_use]
pub fn buried(k: &WheelConsts, found: &Reach, wheels: &WheelState, placed: bool) -> Mask4 {
    let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
    let not_out = known & wheels.jounce.gt(k.max_compression);
    let beyond = found.jounce - k.max_compression;
    let put_in = Mask4::from_fn(|_| placed) & beyond.gt(W4::splat(BURIED));
    found.reaches & beyond.gt(W4::ZERO) & (not_out | put_in)
}

/// How far four wheels are out if nothing lies under them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extension {
    /// Jounce at the end of the substep (`m`).
    pub jounce: W4,
    /// Its rate then (`m/s`).
    pub speed: W4,
}

impl Extension {
    /// Wheels without mass: at full droop at once.
    #[inline]
    #[must_use]
    pub fn full(k: &WheelConsts) -> Self {
        Self {
            jounce: -k.max_droop,
            speed: W4::ZERO,
        }
    }

    /// Wheels whose springs, preloaded by `preload` (`N`), push them out against their mass and their
    /// dampers, implicit in the rate of jounce (ROWS §4).
    #[must_use]
    pub fn of_mass(
        k: &WheelConsts,
        curves: Option<&StrutCurves>,
        wheels: &WheelState,
        preload: W4,
        h: f32,
    ) -> Self {
        let step = W4::splat(h);
        let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        let start = known.select(wheels.jounce, -k.max_droop);
        let speed = known.keep(wheels.jounce_speed);
        let damper = curves.map_or(k.damper, |curves| curves.damper(-speed.abs()));
        let push = (preload + k.stiffness * start).max(W4::ZERO);
        let mass = k.wheel_mass + step * (damper + step * k.stiffness);
        let end = (k.wheel_mass * speed - step * push) / mass;
        let free = start + step * end;
        let out = free.le(-k.max_droop);
        Self {
            jounce: out.select(-k.max_droop, free),
            speed: (!out).keep(end),
        }
    }
}

/// How four struts meet the ground in a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compression {
    /// Wheels that touch, or will within the substep.
    pub touching: Mask4,
    /// Jounce when the wheel's contact begins (`m`), limited by its extension alone, which it is in the air.
    pub jounce: W4,
    /// Rate of jounce at the start of the substep (`m/s`).
    pub speed: W4,
    /// Jounce in the middle of the contact, as far as the start tells (`m`).
    pub middle: W4,
    /// −normal · travel, in (0, 1].
    pub incidence: W4,
    /// How long the wheel is on the ground within the substep (`s`).
    pub duration: W4,
    /// Where wheels are that do not touch.
    pub free: Extension,
    /// Wheels that were put into the ground: [`buried`].
    pub buried: Mask4,
}

impl Compression {
    /// From where the rays meet the ground and the speeds away from it along the normal, at the
    /// start of the substep and `unconstrained` by gravity to its end (`m/s`). A wheel that lands or leaves
    /// within the substep touches for a part of it; `free` is where it is without ground.
    #[inline]
    #[must_use]
    pub fn new(free: Extension, found: &Reach, away: W4, unconstrained: W4, h: f32) -> Self {
        let (whole, half) = (W4::splat(h), W4::splat(0.5));
        let facing = found.reaches & found.along.lt(W4::splat(-LEAST_INCIDENCE));
        let incidence = facing.select(-found.along, W4::ONE);
        let speed = -away / incidence;
        let mean = (speed - unconstrained / incidence) * half;
        let droop = free.jounce;
        let gap = droop - found.jounce;
        let end = gap - mean * whole;
        let above = gap.ge(W4::ZERO);
        let lands = facing & above & end.lt(W4::ZERO);
        let leaves = facing & !above & end.ge(W4::ZERO);
        let until = gap / (lands | leaves).select(mean, W4::ONE);
        let touching = (facing & !above) | lands;
        let duration = lands.select(whole - until, leaves.select(until, whole));
        let jounce = touching.select(found.jounce.max(droop), droop);
        Self {
            touching,
            jounce,
            speed,
            middle: jounce + touching.keep(speed * duration * half),
            incidence,
            // A wheel that only just touches must not be divided by nothing.
            duration: duration.max(whole * W4::splat(LEAST_PART)),
            free,
            buried: Mask4::NONE,
        }
    }

    /// Where the wheels would be if nothing lay under those that carry nothing: a bar may lift a
    /// wheel off the ground or off its droop. `twist` is what bars add to each strut's force (`N`).
    #[inline]
    #[must_use]
    pub fn free_jounce(&self, k: &WheelConsts, preload: W4, twist: W4) -> W4 {
        // With the mate at its place, the bar's force falls as this wheel rises.
        let excess = -(preload + k.stiffness * self.middle + twist);
        let rise = (excess / (k.stiffness + k.bar_stiffness)).max(W4::ZERO);
        self.middle + rise
    }
}

/// What four struts push with besides speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutForces {
    /// Weight that the springs carry at jounce 0 (`N`).
    pub preload: W4,
    /// What anti-roll bars add (`N`).
    pub twist: [f32; LANES],
}

/// The law of four struts for one substep, linear in the normal speed: the impulse is
/// `base − slope·(speed without it)`, on another line where the bump stop is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutRows {
    free: Line,
    stopped: Line,
    /// The stop is reached below this normal speed at the end (`m/s`).
    stop_speed: [f32; LANES],
    inverse_effective_mass: [f32; LANES],
    touching: Mask4,
    buried: Mask4,
    /// Greatest normal speed of buried wheels (`m/s`).
    emergence: [f32; LANES],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Line {
    /// (`N·s`)
    base: [f32; LANES],
    /// (`kg`)
    slope: [f32; LANES],
}

impl Line {
    /// The impulse over `gain` is `force − rate·(speed at the end)`.
    #[inline]
    fn new(force: W4, rate: W4, gain: W4, inverse_effective_mass: W4) -> Self {
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

/// How much of the speed that a damper acts by is that of the substep's end: a damper acts by the mean,
/// or by the end where it is so strong that the mean would overshoot.
#[inline]
fn share_of_end(damper: W4, at: &Compression, inverse_effective_mass: W4) -> W4 {
    let gain = at.duration / at.incidence;
    let strong = (damper * inverse_effective_mass * gain).ge(at.incidence);
    strong.select(W4::ONE, W4::splat(0.5))
}

/// Bump stops for one substep: `rate·(beyond + lever·speed at the end)` where that is positive.
struct Stop {
    rate: W4,
    beyond: W4,
    lever: W4,
}

impl Stop {
    /// A stop that is reached at the start acts by its middle, as the springs do. One that is
    /// reached within the substep acts by half of its end, for the part of the time that is left,
    /// as far as the speed at the start tells: so it takes no less work than it stores.
    #[inline]
    fn new(k: &WheelConsts, at: &Compression, begun: W4, quarter: W4) -> Self {
        let (half, zero) = (W4::splat(0.5), W4::ZERO);
        let before = at.jounce - k.max_compression;
        let inside = before.lt(zero);
        let middle = at.middle - k.max_compression;
        let end = (middle + middle - before).max(zero);
        let part = end / inside.select(end - before, W4::ONE);
        Self {
            rate: k.bump_stop * inside.select(half * part, W4::ONE),
            beyond: inside.select(middle, before + begun),
            lever: inside.select(quarter + quarter, quarter),
        }
    }
}

impl StrutRows {
    /// Prepares the rows, for dampers of these rates (`N·s/m`). `inverse_effective_mass` is each row's inverse_effective_mass response (`1/kg`).
    #[inline]
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        damper: W4,
        at: &Compression,
        forces: &StrutForces,
        inverse_effective_mass: W4,
    ) -> Self {
        let quarter = at.duration * W4::splat(0.25);
        let gain = at.duration / at.incidence;
        // Springs and stop act by the jounce in the middle of the substep, whose second half
        // depends on the speed at the end: so they neither gain nor lose energy, however stiff.
        let springs = k.stiffness + k.bar_stiffness;
        let begun = at.speed * quarter;
        let new = share_of_end(damper, at, inverse_effective_mass);
        let force = forces.preload
            + k.stiffness * at.middle
            + W4::from_array(forces.twist)
            + damper * (W4::ONE - new) * at.speed
            - springs * begun;
        let rate = springs * quarter + damper * new;
        let stop = Stop::new(k, at, begun, quarter);
        let line =
            |force, rate| Line::new(force, rate / at.incidence, gain, inverse_effective_mass);
        Self {
            free: line(force, rate),
            stopped: line(
                force + stop.rate * stop.beyond,
                rate + stop.rate * stop.lever,
            ),
            stop_speed: (stop.beyond * at.incidence / stop.lever).to_array(),
            inverse_effective_mass: inverse_effective_mass.to_array(),
            touching: at.touching,
            buried: at.buried,
            emergence: (at.incidence * W4::splat(EMERGENCE)).to_array(),
        }
    }

    /// The same for dampers with curves, each as strong as its curve says for the speed that it acts by.
    /// A rate of any size takes energy away, so that no estimate of it can give any.
    #[must_use]
    pub fn curved(
        k: &WheelConsts,
        curves: &StrutCurves,
        at: &Compression,
        forces: &StrutForces,
        rows: &Block<1>,
    ) -> Self {
        let inverse_effective_mass = rows.inverse_effective_mass(0);
        let without = rows.rates_of(0) - inverse_effective_mass * rows.impulses_of(0);
        let mut damper = curves.damper(at.speed);
        let mut struts = Self::new(k, damper, at, forces, inverse_effective_mass);
        for _ in 0..ESTIMATES {
            let impulse = W4::from_fn(|lane| struts.impulse(lane, without.lane(lane)));
            let end = -(without + inverse_effective_mass * impulse) / at.incidence;
            let new = share_of_end(damper, at, inverse_effective_mass);
            damper = curves.damper(at.speed + new * (end - at.speed));
            struts = Self::new(k, damper, at, forces, inverse_effective_mass);
        }
        struts
    }

    /// Solves the rows one after the other.
    #[inline]
    pub fn sweep(&self, rows: &mut Block<1>) {
        for lane in 0..LANES {
            if self.touching.lane(lane) {
                let without = rows.rates[0][lane]
                    - self.inverse_effective_mass[lane] * rows.impulses[0][lane];
                rows.set(0, lane, self.impulse(lane, without));
            }
        }
    }

    /// Impulse of a row whose speed would be `without` it (`m/s`).
    #[inline]
    fn impulse(&self, lane: usize, without: f32) -> f32 {
        let free = self.free.impulse(lane, without);
        let impulse = if without + self.inverse_effective_mass[lane] * free >= self.stop_speed[lane]
        {
            free
        } else {
            self.stopped.impulse(lane, without)
        };
        if self.buried.lane(lane) {
            let out = math::greater(self.emergence[lane] - without, 0.0)
                / self.inverse_effective_mass[lane];
            math::lesser(impulse, out)
        } else {
            impulse
        }
    }
}

#[cfg(test)]
mod tests;
