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

use crate::kind::{TireUse, WheelConsts, tire_forces};
use crate::lanes::{Mask4, W4};
use crate::profile::RowsSettings;
use crate::slip;
use crate::tire_model::{TireForces4, TireInput4};
use crate::units::UnitScale;

/// Slips are taken over at least this speed [m/s].
const LEAST_SPEED: f32 = 0.05;
/// Below this speed, a held wheel may seem to slide [m/s].
const SLOW: f32 = 1.0;
/// The law is asked at no smaller slip [−], so that force over slip is well defined.
const LEAST_SLIP: f32 = 1e-3;
/// Least secant of a law, per rest load [−]: a law without force leaves a tire that slides freely.
const LEAST_SECANT: f32 = 1e-3;

/// How four tires move over the ground, as the law sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Speed of the contact along the rolling direction [m/s].
    pub forward: W4,
    /// Speed of the contact to the left [m/s].
    pub left: W4,
    /// Speed of the rim, spin·radius [m/s].
    pub rim: W4,
}

impl Motion {
    /// The larger of ground and rim speed [m/s].
    #[inline]
    #[must_use]
    pub fn speed(&self) -> W4 {
        self.forward.abs().max(self.rim.abs())
    }

    /// Longitudinal slip and tangent of the slip angle [−], on the same speed.
    #[inline]
    #[must_use]
    pub fn slips(&self, units: UnitScale) -> (W4, W4) {
        let least = W4::splat(units.metres(LEAST_SPEED));
        let scale = W4::ONE / self.speed().max(least);
        ((self.rim - self.forward) * scale, self.left * scale)
    }

    /// Whether all wheels are too fast for [`Motion::or_slower`] to change anything.
    #[inline]
    #[must_use]
    pub fn hurries(&self, units: UnitScale) -> bool {
        self.speed().ge(W4::splat(units.metres(SLOW))).all()
    }

    /// Of two views of the same wheels, the one in which the contact is slower, below 1 m/s: while
    /// gravity is in the velocity but the tire's force is not yet, a held wheel seems to slide.
    #[inline]
    #[must_use]
    pub fn or_slower(self, other: &Self, units: UnitScale) -> Self {
        let square = |m: &Self| m.forward * m.forward + m.left * m.left;
        let (own, others) = (square(&self), square(other));
        let take = self.speed().lt(W4::splat(units.metres(SLOW))) & others.lt(own);
        Self {
            forward: take.select(other.forward, self.forward),
            left: take.select(other.left, self.left),
            rim: self.rim,
        }
    }
}

/// A row's law in one direction: `force + gain·slip speed`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// Force without slip speed [N].
    pub force: W4,
    /// Force per slip speed [N·s/m], ≥ 0.
    pub gain: W4,
}

/// What the law said of four tires.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Law {
    /// Longitudinal slip [−].
    pub slip_ratio: W4,
    /// Tangent of the slip angle [−].
    pub tan_slip_angle: W4,
    /// Friction coefficient at this slip [−].
    pub friction: W4,
    /// Forces at this slip.
    pub forces: TireForces4,
    /// Secants forward and to the left, force per slip [N].
    secants: [W4; 2],
    /// Even part of the force forward and to the left [N].
    offsets: [W4; 2],
}

/// What the law is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Constants.
    pub consts: &'a WheelConsts,
    /// Models.
    pub tires: &'a [TireUse],
    /// Friction of tire on ground, slip aside [−].
    pub ground_friction: W4,
    /// Wheels that press on the ground.
    pub carrying: Mask4,
}

/// Asks the law at a motion, once for a plain law and once more at the opposite slip for one that
/// has offsets. `input` holds load, camber and what else does not follow from the motion.
#[must_use]
pub fn ask(question: &Question<'_>, motion: &Motion, mut input: TireInput4) -> Law {
    let k = question.consts;
    let (slip_ratio, tan_slip_angle) = motion.slips(k.units);
    let friction = question.ground_friction * slip::curve_friction(k, slip_ratio);
    let friction = question.carrying.keep(friction);
    let gripping = friction.gt(W4::ZERO);
    let (kappa, tangent) = (lifted(slip_ratio), lifted(tan_slip_angle));
    (input.slip_ratio, input.tan_slip_angle) = (kappa, tangent);
    (input.forward_speed, input.lateral_speed) = (motion.forward, motion.left);
    (input.rim_speed, input.friction) = (motion.rim, friction);
    let forces = tire_forces(question.tires, &input, gripping);
    let (mut odd, mut even) = ([forces.longitudinal, forces.lateral], [W4::ZERO; 2]);
    if k.has_offsets {
        (input.slip_ratio, input.tan_slip_angle) = (-kappa, -tangent);
        let mirrored = tire_forces(question.tires, &input, gripping);
        let half = W4::splat(0.5);
        for (n, there) in [mirrored.longitudinal, mirrored.lateral]
            .into_iter()
            .enumerate()
        {
            (odd[n], even[n]) = ((odd[n] - there) * half, (odd[n] + there) * half);
        }
    }
    let least = input.rest_load * W4::splat(LEAST_SECANT);
    Law {
        slip_ratio: question.carrying.keep(slip_ratio),
        tan_slip_angle: question.carrying.keep(tan_slip_angle),
        friction,
        forces,
        secants: [
            (odd[0] / kappa).max(least),
            (-(odd[1] / tangent)).max(least),
        ],
        offsets: even,
    }
}

/// A slip of at least [`LEAST_SLIP`], its sign kept.
#[inline]
fn lifted(slip: W4) -> W4 {
    let least = W4::splat(LEAST_SLIP);
    let magnitude = slip.abs().max(least);
    slip.lt(W4::ZERO).select(-magnitude, magnitude)
}

/// The rows forward and to the left, from what the law said and how the carcass is deflected [m].
#[must_use]
pub fn rows(
    settings: &RowsSettings,
    law: &Law,
    rest_load: W4,
    speed: W4,
    deflections: [W4; 2],
    h: f32,
) -> [Row; 2] {
    let stiffness = rest_load * W4::splat(settings.carcass_stiffness);
    let damped = stiffness * W4::splat(1.0 + settings.carcass_damping_time / h);
    core::array::from_fn(|n| {
        let creep = damped * speed * W4::splat(h) / law.secants[n];
        let share = W4::ONE / (W4::ONE + creep);
        Row {
            force: (stiffness * deflections[n] + creep * law.offsets[n]) * share,
            gain: damped * W4::splat(h) * share,
        }
    })
}

/// Deflection [m] of a carcass that ended the substep with `force` [N].
#[inline]
#[must_use]
pub fn deflected(settings: &RowsSettings, rest_load: W4, before: W4, force: W4, h: f32) -> W4 {
    let part = W4::splat(settings.carcass_damping_time / h);
    let stiffness = rest_load * W4::splat(settings.carcass_stiffness);
    (force / stiffness + part * before) / (W4::ONE + part)
}

#[cfg(test)]
mod tests;
