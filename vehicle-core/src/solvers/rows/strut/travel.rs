//! Travel of four struts in a substep: how far they extend without ground, and when and where they meet it.

use crate::base::lanes::{Mask4, W4};
use crate::exchange::state::WheelState;
use crate::solvers::rows::tuning::{BURIED, FULL_INCIDENCE, LEAST_TRAVEL_PART};
use crate::stages::strut_curves::{Springs, StrutCurves};
use crate::stages::suspension::{ContactDepth, LEAST_INCIDENCE};
use crate::stages::wheel_consts::WheelConsts;

/// Wheels that were placed in the ground and are not yet back within their travel: their stops would throw
/// the car out. `placed`: there is no previous step, or the car was teleported.
#[must_use]
pub fn buried(k: &WheelConsts, depth: &ContactDepth, wheels: &WheelState, placed: bool) -> Mask4 {
    let beyond = depth.jounce - k.max_compression;
    let inside = depth.reaches & beyond.gt(W4::ZERO);
    if !inside.any() {
        return Mask4::NONE;
    }
    let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
    let not_out = known & wheels.jounce.gt(k.max_compression);
    let put_in = Mask4::from_fn(|_| placed) & beyond.gt(W4::splat(BURIED));
    inside & (not_out | put_in)
}

/// Wheels in the ground among those with an unsprung mass, whose own jounce may be beyond the stop: until they are
/// out, it is unknown.
#[must_use]
pub fn buried_unsprung_masses(
    k: &WheelConsts,
    depth: &ContactDepth,
    wheels: &WheelState,
    placed: bool,
) -> Mask4 {
    let beyond = depth.jounce - k.max_compression;
    if placed {
        return depth.reaches & beyond.gt(W4::splat(BURIED));
    }
    let unknown = wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
    depth.reaches & unknown & beyond.gt(W4::ZERO)
}

/// Extension of four wheels without ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extension {
    /// Jounce at the end of the substep (`m`).
    pub jounce: W4,
    /// Jounce speed at the end of the substep (`m/s`).
    pub speed: W4,
}

impl Extension {
    /// Wheels without mass: full droop at once.
    #[inline]
    #[must_use]
    pub fn full(k: &WheelConsts) -> Self {
        Self {
            jounce: -k.max_droop,
            speed: W4::ZERO,
        }
    }

    /// Wheels extended by their `springs` against their mass and damper; implicit
    /// in jounce speed (ROWS §4).
    ///
    /// ```text
    /// j̇⁺ = (m_w·j̇ − h·max(preload + k·j, 0))/(m_w + h·(c + h·k))
    /// j⁺ = max(j + h·j̇⁺, −droop)
    /// ```
    #[must_use]
    pub fn of_mass(
        k: &WheelConsts,
        curves: Option<&StrutCurves>,
        wheels: &WheelState,
        springs: Springs,
        h: f32,
    ) -> Self {
        let step = W4::splat(h);
        let unknown = wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        let start = unknown.select(-k.max_droop, wheels.jounce);
        let speed = unknown.select(W4::ZERO, wheels.jounce_speed);
        let damper = curves.map_or(k.damper, |curves| curves.damper(-speed.abs()));
        let Springs { preload, stiffness } = curves.map_or(springs, |curves| {
            curves.springs_between(springs, start, start)
        });
        let push = (preload + stiffness * start).max(W4::ZERO);
        let mass = k.wheel_mass + step * (damper + step * stiffness);
        let end = (k.wheel_mass * speed - step * push) / mass;
        let free = start + step * end;
        let out = free.le(-k.max_droop);
        Self {
            jounce: out.select(-k.max_droop, free),
            speed: out.select(W4::ZERO, end),
        }
    }
}

/// Share of its force that a ray of this `incidence` bears (–).
///
/// ```text
/// (i − 0.25)/(0.5 − 0.25), within 0…1
/// ```
#[inline]
fn supports(incidence: W4) -> W4 {
    const SLOPE: f32 = 1.0 / (FULL_INCIDENCE - LEAST_INCIDENCE);
    let share = (incidence - W4::splat(LEAST_INCIDENCE)) * W4::splat(SLOPE);
    share.max(W4::ZERO).min(W4::ONE)
}

/// Jounce from which on springs push (`m`): between it and full droop, a wheel follows the
/// ground without force.
///
/// ```text
/// j = −preload/k
/// ```
#[inline]
#[must_use]
pub fn slack(curves: Option<&StrutCurves>, springs: Springs) -> W4 {
    let curved = curves.and_then(|curves| curves.slack(springs));
    curved.unwrap_or_else(|| -springs.preload / springs.stiffness.max(W4::splat(f32::MIN_POSITIVE)))
}

/// Contact of four struts with the ground in a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compression {
    /// Wheels that touch the ground within the substep.
    pub touching: Mask4,
    /// Jounce at the beginning of the contact (`m`), bounded only by the extension; in the air, the extension.
    pub jounce: W4,
    /// Jounce speed at the start of the substep (`m/s`).
    pub speed: W4,
    /// Jounce in the middle of the contact, extrapolated from its beginning (`m`).
    pub middle: W4,
    /// Incidence −n·travel (–), in (0, 1].
    pub incidence: W4,
    /// Jounce speed per normal speed, 1/incidence (–), ≥ 1.
    pub steepness: W4,
    /// Share of the force that a ray of this incidence bears (–), 0…1.
    pub support: W4,
    /// Duration of the contact within the substep (`s`).
    pub duration: W4,
    /// Normal speed (`m/s`) at which the wheel would be where its spring ends within another substep: a spring that ends with
    /// a force would throw a wheel off that falls without the struts and would come back. Infinite for others.
    pub release: W4,
    /// Extension of wheels that do not touch.
    pub free: Extension,
    /// Wheels that were placed in the ground: [`buried`].
    pub buried: Mask4,
}

impl Compression {
    /// Compression of wheels by their rays' contacts and the speeds along the normal: `away` at the start of the substep,
    /// `unconstrained` with gravity and pushes (`m/s`). A wheel that lands or lifts off within the substep
    /// touches for a part of it; `free` is its extension without ground, and its spring pushes from the jounce `slack`
    /// on (`m`).
    ///
    /// ```text
    /// gap = max(j_free, j_slack) − j_ground,   mean = −½·(away + unconstrained)/i
    /// lands:   gap ≥ 0 > gap − mean·h    duration h − gap/mean
    /// leaves:  gap < 0 ≤ gap − mean·h    duration gap/mean
    /// ```
    #[inline]
    #[must_use]
    pub fn new(
        free: Extension,
        slack: W4,
        depth: &ContactDepth,
        away: W4,
        unconstrained: W4,
        h: f32,
    ) -> Self {
        let (whole, half) = (W4::splat(h), W4::splat(0.5));
        let facing = depth.reaches & depth.along.lt(W4::splat(-LEAST_INCIDENCE));
        let incidence = facing.select(-depth.along, W4::ONE);
        let steepness = W4::ONE / incidence;
        let speed = -away * steepness;
        let mean = (speed - unconstrained * steepness) * half;
        let begins = slack.max(free.jounce);
        let gap = begins - depth.jounce;
        let end = gap - mean * whole;
        let above = gap.ge(W4::ZERO);
        let lands = facing & above & end.lt(W4::ZERO);
        let leaves = facing & !above & end.ge(W4::ZERO);
        let until = gap / (lands | leaves).select(mean, W4::ONE);
        let touching = (facing & !above) | lands;
        let duration = lands.select(whole - until, leaves.select(until, whole));
        let falls = unconstrained.lt(W4::ZERO);
        let least = touching.select(begins, free.jounce);
        let jounce = facing.select(depth.jounce.max(least), free.jounce);
        Self {
            touching,
            jounce,
            speed,
            middle: jounce + touching.keep(speed * duration * half),
            incidence,
            steepness,
            support: supports(incidence),
            release: falls.select(
                (-gap).max(W4::ZERO) * incidence * W4::splat(1.0 / h),
                W4::splat(f32::INFINITY),
            ),
            // Avoids a division by zero.
            duration: duration.max(whole * W4::splat(LEAST_TRAVEL_PART)),
            free,
            buried: Mask4::NONE,
        }
    }

    /// Ends the contacts of wheels with this contact `depth` whose ground ends `after` so much of a substep of `h` (`s`). A wheel
    /// that would land later does not touch.
    pub fn end_after(&mut self, after: W4, depth: &ContactDepth, h: f32) {
        let whole = W4::splat(h);
        let lands = self.touching & depth.jounce.lt(self.jounce);
        let begin = lands.keep(whole - self.duration);
        let lasts = (after - begin).max(whole * W4::splat(LEAST_TRAVEL_PART));
        self.touching = self.touching & after.gt(begin);
        self.jounce = self.touching.select(self.jounce, self.free.jounce);
        self.duration = self
            .touching
            .select(self.duration.min(lasts), self.duration);
        let displacement = self.speed * self.duration * W4::splat(0.5);
        self.middle = self.jounce + self.touching.keep(displacement);
    }

    /// Impulse per force along travel (`s`), T/i times the share of the force that the ray bears.
    #[inline]
    pub(super) fn gain(&self) -> W4 {
        self.duration * self.steepness * self.support
    }

    /// Jounce of wheels that an anti-roll bar may lift off the ground or off their droop (`m`), against their stops if it lifts
    /// them that far. `twist` is the bars' part of the struts' forces (`N`).
    ///
    /// ```text
    /// j = m + max(−(preload + k·m + twist)/(k + k_bar), 0)
    /// j > j_max:  j_max + (j − j_max)·(k + k_bar)/(k + k_bar + k_stop)
    /// ```
    #[inline]
    #[must_use]
    pub fn free_jounce(&self, k: &WheelConsts, springs: Springs, twist: W4) -> W4 {
        let Springs { preload, stiffness } = springs;
        // The bar's force falls as this wheel rises and the opposite wheel stays.
        let stopped = k.bump_stop * (self.middle - k.max_compression).max(W4::ZERO);
        let excess = -(preload + stiffness * self.middle + stopped + twist);
        if !excess.gt(W4::ZERO).any() {
            return self.middle;
        }
        let resisting = stiffness + k.bar_stiffness;
        let rise = (excess / resisting).max(W4::ZERO);
        let beyond = (self.middle + rise - k.max_compression)
            .min(rise)
            .max(W4::ZERO);
        self.middle + rise - beyond * k.bump_stop / (resisting + k.bump_stop)
    }
}
