//! Normal rows: spring, damper, bump stop and anti-roll bar of a strut, at the end of the substep
//! (HOLDING §2 steps 2 and 5a; KERBS §1 for the bump stop).

use crate::kind::WheelConsts;
use crate::lanes::{LANES, Mask4, W4};
use crate::math;

use super::contact_space::Block;

/// A ray is a wheel only while it points into the ground: −n·travel is no less than this.
pub const LEAST_INCIDENCE: f32 = 0.25;

/// How four struts meet the ground at the start of a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compression {
    /// Wheels that touch, or will within the substep.
    pub touching: Mask4,
    /// Jounce [m], limited by droop alone; full droop in the air.
    pub jounce: W4,
    /// −normal · travel, in (0, 1].
    pub incidence: W4,
    /// The time that the wheel is on the ground within the substep [s].
    pub duration: W4,
}

impl Compression {
    /// From the jounce that the ground asks for [m] and the speed away from it along the normal
    /// [m/s]. A wheel that will land within the substep touches for the rest of it.
    #[inline]
    #[must_use]
    pub fn new(k: &WheelConsts, reaches: Mask4, along: W4, jounce: W4, away: W4, h: f32) -> Self {
        let whole = W4::splat(h);
        let facing = reaches & along.lt(W4::splat(-LEAST_INCIDENCE));
        let incidence = facing.select(-along, W4::ONE);
        let speed = -away / incidence;
        let droop = -k.max_droop;
        let gap = droop - jounce;
        let lands = facing & gap.ge(W4::ZERO) & gap.lt(speed * whole);
        let until = gap / lands.select(speed, W4::ONE);
        let touching = (facing & gap.lt(W4::ZERO)) | lands;
        Self {
            touching,
            jounce: touching.select(jounce.max(droop), droop),
            incidence,
            duration: lands.select(whole - until, whole),
        }
    }

    /// Where the wheels would be if nothing lay under those that carry nothing: a bar may lift a
    /// wheel off the ground or off its droop. `twist` is what bars add to each strut's force [N].
    #[inline]
    #[must_use]
    pub fn free_jounce(&self, k: &WheelConsts, preload: W4, twist: W4) -> W4 {
        // With the mate at its place, the bar's force falls as this wheel rises.
        let excess = -(preload + k.stiffness * self.jounce + twist);
        let rise = (excess / (k.stiffness + k.bar_stiffness)).max(W4::ZERO);
        self.jounce + rise
    }
}

/// What four struts push with besides speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutForces {
    /// Weight that the springs carry at jounce 0 [N].
    pub preload: W4,
    /// What anti-roll bars add [N].
    pub twist: [f32; LANES],
    /// Speed away from the ground along the normal at the substep's start [m/s].
    pub away: W4,
}

/// The law of four struts for one substep, linear in the normal speed: the impulse is
/// `base − slope·(speed without it)`, on another line where the bump stop is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutRows {
    free: Line,
    stopped: Line,
    /// The stop is reached below this normal speed at the end [m/s].
    stop_speed: [f32; LANES],
    own: [f32; LANES],
    touching: Mask4,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Line {
    /// [N·s]
    base: [f32; LANES],
    /// [kg]
    slope: [f32; LANES],
}

impl Line {
    /// The impulse over `gain` is `force − rate·(speed at the end)`.
    #[inline]
    fn new(force: W4, rate: W4, gain: W4, own: W4) -> Self {
        let scale = gain / (W4::ONE + own * gain * rate);
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

impl StrutRows {
    /// Prepares the rows. `own` is each row's own response [1/kg].
    #[inline]
    #[must_use]
    pub fn new(k: &WheelConsts, at: &Compression, forces: &StrutForces, own: W4, h: f32) -> Self {
        let springs = k.stiffness + k.bar_stiffness;
        // Springs that are too stiff for a step ahead are taken at the middle of the substep.
        let stiff = (W4::splat(h * h) * springs * own).ge(W4::ONE);
        let ahead = stiff.keep(at.duration * W4::splat(0.5));
        let beyond = at.jounce - k.max_compression;
        let half_stop = k.bump_stop * W4::splat(0.5);
        let gain = at.duration / at.incidence;
        // A damper acts by the mean speed of the substep, or by that of its end where it is so
        // strong that the mean would overshoot.
        let strong = (k.damper * own * gain).ge(at.incidence);
        let new = strong.select(W4::ONE, W4::splat(0.5));
        let force = forces.preload
            + k.stiffness * at.jounce.min(k.max_compression)
            + W4::from_array(forces.twist)
            + half_stop * beyond.max(W4::ZERO)
            - k.damper * (W4::ONE - new) * forces.away / at.incidence;
        let rate = springs * ahead + k.damper * new;
        let line = |force, rate| Line::new(force, rate / at.incidence, gain, own);
        Self {
            free: line(force, rate),
            // The stop pushes with the mean of what it does at both ends of the substep.
            stopped: line(force + half_stop * beyond, rate + half_stop * at.duration),
            stop_speed: (beyond * at.incidence / at.duration).to_array(),
            own: own.to_array(),
            touching: at.touching,
        }
    }

    /// Solves the rows one after the other.
    #[inline]
    pub fn sweep(&self, rows: &mut Block<1>) {
        for lane in 0..LANES {
            if self.touching.lane(lane) {
                let without = rows.rates[0][lane] - self.own[lane] * rows.impulses[0][lane];
                rows.set(0, lane, self.impulse(lane, without));
            }
        }
    }

    /// Impulse of a row whose speed would be `without` it [m/s].
    #[inline]
    fn impulse(&self, lane: usize, without: f32) -> f32 {
        let free = self.free.impulse(lane, without);
        if without + self.own[lane] * free >= self.stop_speed[lane] {
            free
        } else {
            self.stopped.impulse(lane, without)
        }
    }
}
