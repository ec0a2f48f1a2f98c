//! Tangential rows: a tire's law in series with its carcass, at the end of the substep
//! (ROWS §5).
//!
//! The carcass is a stiff spring that the tire's law creeps against. At speed the row is the law,
//! implicit in the slip speed; at a standstill the law's creep is nothing and the row is static
//! friction. Nothing engages or releases.
//!
//! ```text
//! F = K·u + K·τ·u̇         carcass, deflected by u
//! s = u̇ + (F − F₀)·V/C    slip speed: what deflects, and what creeps at speed V
//! ⇒ F⁺ = force + gain·s⁺,  with K′ = K(1 + τ/h), a = hV/C:
//!   force = (K·u + K′·a·F₀)/(1 + K′a)     gain = K′h/(1 + K′a)
//! ```
//!
//! `C` is the law's *secant*, force over slip: positive even where the law falls, so that the row is
//! stable for every law. `F₀` is the law's offset, the even part of its force (camber, conicity).
//!
//! Moments of a law go with the force that its row found: a standing wheel, which is asked about a slip
//! that it does not have, gets none.

use crate::base::lanes::{Mask4, W4};
use crate::contracts::stateful_tire::TireRow4;
use crate::contracts::tire::{TireForces4, TireInput4, TireProperties4, TireWants, is_there};
use crate::params::profile::RowsSettings;
use crate::stages::slip;
use crate::stages::tire_use::{Motion, Stand, TireUse, tire_answers, tire_input};
use crate::stages::wheel_consts::WheelConsts;

/// Slips are taken over at least this speed (`m/s`).
const LEAST_SPEED: f32 = 0.05;
/// Below this speed, a held wheel may seem to slide, and moments of tires fade (`m/s`).
const SLOW: f32 = 1.0;
/// The law is asked at no smaller slip (–), so that force over slip is well defined.
const LEAST_SLIP: f32 = 1e-3;
/// Of the way in which a force builds up, what the damping of the carcass may take (–).
const DAMPED_LENGTH: f32 = 0.1;
/// Least secant of a law, per rest load [−]: a law without force leaves a tire that slides freely.
const LEAST_SECANT: f32 = 1e-3;

impl Motion {
    /// The larger of ground and rim speed (`m/s`).
    #[inline]
    #[must_use]
    pub fn speed(&self) -> W4 {
        self.forward.abs().max(self.rim.abs())
    }

    /// Speed at which the law lets the carcass creep [m/s]: a wheel that slides to its side without
    /// rolling does so over the speed that its slips are taken over, and not as one that stands.
    #[inline]
    #[must_use]
    pub fn creep_speed(&self) -> W4 {
        let least = W4::splat(LEAST_SPEED);
        self.speed().max(self.left.abs().min(least))
    }

    /// Longitudinal slip and tangent of the slip angle (–), on the same speed.
    #[inline]
    #[must_use]
    pub fn slips(&self) -> (W4, W4) {
        let least = W4::splat(LEAST_SPEED);
        let scale = W4::ONE / self.speed().max(least);
        ((self.rim - self.forward) * scale, self.left * scale)
    }

    /// Whether all wheels are too fast for [`Motion::or_slower`] to change anything.
    #[inline]
    #[must_use]
    pub fn is_fast(&self) -> bool {
        self.speed().ge(W4::splat(SLOW)).all()
    }

    /// Of two views of the same wheels, the one in which the contact is slower, below 1 m/s: while
    /// gravity is in the velocity but the tire's force is not yet, a held wheel seems to slide.
    #[inline]
    #[must_use]
    pub fn or_slower(self, other: &Self) -> Self {
        let square = |m: &Self| m.forward * m.forward + m.left * m.left;
        let (own, others) = (square(&self), square(other));
        let take = self.speed().lt(W4::splat(SLOW)) & others.lt(own);
        Self {
            forward: take.select(other.forward, self.forward),
            left: take.select(other.left, self.left),
            rim: self.rim,
        }
    }
}

/// What the law said of four tires.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Law {
    /// Longitudinal slip (–).
    pub slip_ratio: W4,
    /// Tangent of the slip angle (–).
    pub tan_slip_angle: W4,
    /// Friction coefficient at this slip (–), forward where the tire tells its grip.
    pub friction: W4,
    /// Greatest force to a side over that forward (–).
    pub side_grip: W4,
    /// Forces at this slip.
    pub forces: TireForces4,
    /// Secants forward and to the left, force per slip (`N`).
    secants: [W4; 2],
    /// Even part of the force forward and to the left (`N`).
    offsets: [W4; 2],
    /// What is in series with the law.
    pub carcass: Carcass,
}

/// The carcass of four tires, forward and to the left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carcass {
    /// Force per deflection (`N/m`), > 0.
    pub stiffness: [W4; 2],
    /// Damping over stiffness (`s`), ≥ 0.
    pub damping_time: [W4; 2],
}

impl Carcass {
    /// The same for all tires, by their load at rest (`N`).
    #[inline]
    #[must_use]
    pub fn of(settings: &RowsSettings, rest_load: W4) -> Self {
        Self {
            stiffness: [rest_load * W4::splat(settings.carcass_stiffness); 2],
            damping_time: [W4::splat(settings.carcass_damping_time); 2],
        }
    }

    /// That of tires at this speed (`m/s`) which relax as they tell and are as many times stiffer; `self` of
    /// those that do not say.
    fn with_properties(self, told: &TireProperties4, stiffer: W4, speed: W4) -> Self {
        let both = |n: usize| {
            let length = told.relaxation_length[n];
            let stiffness = told.slip_stiffness[n] * stiffer / length;
            let known = is_there(length) & is_there(stiffness);
            let time = (W4::splat(DAMPED_LENGTH) * length / speed).min(self.damping_time[n]);
            (
                known.select(stiffness, self.stiffness[n]),
                known.select(time, self.damping_time[n]),
            )
        };
        let [along, across] = [both(0), both(1)];
        Self {
            stiffness: [along.0, across.0],
            damping_time: [along.1, across.1],
        }
    }
}

/// Aligning and overturning moment of a law (`N·m`), in parts that are odd and even in slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    odd: [W4; 2],
    even: [W4; 2],
    /// Forces to the left that go with them, odd and even part (`N`).
    left: [W4; 2],
}

impl Moments {
    /// Aligning and overturning moment on the chassis (`N·m`) of tires that push to the left by this
    /// force [N]: the odd part in proportion to the force, the even part whole.
    #[must_use]
    pub fn at(&self, left: W4) -> [W4; 2] {
        let [odd, even] = self.left;
        let pushes = !odd.same(W4::ZERO);
        let share = (left - even) / pushes.select(odd, W4::ONE);
        let share = pushes.keep(share.max(-W4::ONE).min(W4::ONE));
        core::array::from_fn(|n| self.odd[n] * share + self.even[n])
    }
}

/// Parts of two quantities that are odd and even in slip, from what they are at a slip and at the
/// opposite one.
#[inline]
fn parts(here: [W4; 2], opposite: [W4; 2]) -> ([W4; 2], [W4; 2]) {
    let half = W4::splat(0.5);
    (
        core::array::from_fn(|n| (here[n] - opposite[n]) * half),
        core::array::from_fn(|n| (here[n] + opposite[n]) * half),
    )
}

/// What the law is asked about.
#[derive(Clone, Copy, Debug)]
pub struct LawInput<'a> {
    /// The rows solver's settings.
    pub settings: &'a RowsSettings,
    /// Constants.
    pub consts: &'a WheelConsts,
    /// Models.
    pub tires: &'a [TireUse],
    /// Friction of tire on ground, slip aside (–).
    pub ground_friction: W4,
    /// How much stiffer the tires are than their laws say (–).
    pub stiffness: W4,
    /// Wheels that press on the ground.
    pub carrying: Mask4,
}

impl Law {
    /// Asks the law at a motion, once for a plain law and once more at the opposite slip for one that
    /// has offsets.
    pub fn evaluate(&mut self, input: &LawInput<'_>, motion: &Motion, stand: &Stand) {
        evaluate::<false>(self, input, motion, stand);
    }

    /// The same of tires whose moments act.
    #[must_use]
    pub fn evaluate_with_moments(
        &mut self,
        input: &LawInput<'_>,
        motion: &Motion,
        stand: &Stand,
    ) -> Moments {
        evaluate::<true>(self, input, motion, stand)
    }
}

/// What both do. Without `MOMENTS`, none are worked out. The law is filled in where it is, because
/// copying it costs.
#[inline]
fn evaluate<const MOMENTS: bool>(
    law: &mut Law,
    input: &LawInput<'_>,
    motion: &Motion,
    stand: &Stand,
) -> Moments {
    let k = input.consts;
    let (slip_ratio, tan_slip_angle) = motion.slips();
    let friction = input.ground_friction * slip::curve_friction(k, slip_ratio);
    let friction = input.carrying.keep(friction);
    let gripping = friction.gt(W4::ZERO);
    let (kappa, tangent) = (floored(slip_ratio), floored(tan_slip_angle));
    let slips = [kappa * input.stiffness, tangent * input.stiffness];
    let asked = tire_input(k, stand, motion, slips, friction);
    let wants = TireWants {
        opposite: k.has_offsets,
        opposite_moments: MOMENTS,
        properties: k.properties.any(),
    };
    let answers = tire_answers(k, input.tires, &asked, gripping, wants);
    let forces = answers.forces;
    let (mut odd, mut even) = ([forces.longitudinal, forces.lateral], [W4::ZERO; 2]);
    let mut moments = Moments {
        odd: turning(&forces),
        ..Moments::default()
    };
    if k.has_offsets {
        let mirrored = &answers.opposite;
        (odd, even) = parts(odd, [mirrored.longitudinal, mirrored.lateral]);
        if MOMENTS {
            (moments.odd, moments.even) = parts(moments.odd, turning(mirrored));
        }
    }
    if MOMENTS {
        let acting = k.moments & gripping;
        let rolls = (motion.speed() / W4::splat(SLOW)).min(W4::ONE);
        let faded = |part: [W4; 2]| part.map(|moment| acting.keep(moment * rolls));
        moments = Moments {
            odd: faded(moments.odd),
            even: faded(moments.even),
            left: [odd[1], even[1]],
        };
    }
    let (mut friction, mut side_grip) = (friction, W4::ONE);
    let mut carcass = Carcass::of(input.settings, stand.rest_load);
    if wants.properties {
        let told = &answers.properties;
        [friction, side_grip] = ellipse(friction, &asked, told.grip);
        carcass = carcass.with_properties(told, input.stiffness, motion.speed());
    }
    let least = stand.rest_load * W4::splat(LEAST_SECANT);
    *law = Law {
        slip_ratio: input.carrying.keep(slip_ratio),
        tan_slip_angle: input.carrying.keep(tan_slip_angle),
        friction,
        side_grip,
        forces,
        secants: [
            (odd[0] / kappa).max(least),
            (-(odd[1] / tangent)).max(least),
        ],
        offsets: even,
        carcass,
    };
    moments
}

/// Friction forward (–), and the greatest force to a side over that forward (–), of tires with this grip
/// forward and to a side (`N`); a circle of `friction` where that is none.
fn ellipse(friction: W4, input: &TireInput4, grip: [W4; 2]) -> [W4; 2] {
    let [forward, side] = grip;
    let told = is_there(forward) & is_there(side) & input.load.gt(W4::ZERO);
    [
        told.select(forward / input.load, friction),
        told.select(side / forward, W4::ONE),
    ]
}

/// Moments of a law that turn the chassis.
#[inline]
fn turning(forces: &TireForces4) -> [W4; 2] {
    [forces.aligning_moment, forces.overturning_moment]
}

/// A slip of at least [`LEAST_SLIP`], its sign kept.
#[inline]
fn floored(slip: W4) -> W4 {
    let least = W4::splat(LEAST_SLIP);
    let magnitude = slip.abs().max(least);
    slip.lt(W4::ZERO).select(-magnitude, magnitude)
}

/// The rows forward and to the left, from what the law said and how the carcass is deflected (`m`).
#[must_use]
pub fn rows(law: &Law, speed: W4, deflections: [W4; 2], h: f32) -> [TireRow4; 2] {
    let step = W4::splat(h);
    core::array::from_fn(|n| {
        let stiffness = law.carcass.stiffness[n];
        let damped = stiffness * (W4::ONE + law.carcass.damping_time[n] / step);
        let creep = damped * speed * step / law.secants[n];
        let share = W4::ONE / (W4::ONE + creep);
        TireRow4 {
            force: (stiffness * deflections[n] + creep * law.offsets[n]) * share,
            gain: damped * step * share,
        }
    })
}

/// Deflections (`m`) of carcasses that ended the substep with these forces (`N`).
#[inline]
#[must_use]
pub fn deflected(carcass: &Carcass, before: [W4; 2], forces: [W4; 2], h: f32) -> [W4; 2] {
    core::array::from_fn(|n| {
        let part = carcass.damping_time[n] / W4::splat(h);
        (forces[n] / carcass.stiffness[n] + part * before[n]) / (W4::ONE + part)
    })
}

#[cfg(test)]
mod tests;
