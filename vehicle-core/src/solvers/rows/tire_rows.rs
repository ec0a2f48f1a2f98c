//! Tangential rows: a tire's law in series with its carcass, at the end of the substep
//! (ROWS §5).
//!
//! This module computes the rows' force and gain ([`TireRow`]); [`wheel`](super::wheel) solves the rows, with the Jacobians
//! and impulses of a [`RowBlock`](super::contact_space::RowBlock).
//!
//! The carcass is a stiff spring in series with the law's creep. At speed, the row is the law, implicit in
//! the slip speed; at a standstill there is no creep, and the row is static friction.
//!
//! ```text
//! F = K·u + K·τ·u̇         carcass, deflected by u
//! s = u̇ + (F − F₀)·V/C    slip speed: deflection, and creep at speed V
//! ⇒ F⁺ = force + gain·s⁺,  with D = K·(h + τ):
//!   force = (K·u·C + D·V·F₀)/(C + D·V)     gain = D·C/(C + D·V)
//! ```
//!
//! `C` is the law's *secant*, force over slip: positive even where the law falls, so that the row is
//! stable for every law. `F₀` is the law's offset, the even part of its force (camber, conicity).
//!
//! Moments of a law scale with its row's force and fade below 1 m/s: a wheel at a standstill, whose law is evaluated at a
//! fictitious slip, has none.

use super::tuning::{BREAKAWAY, DAMPED_LENGTH, LEAST_CREEP_SPEED, LEAST_SECANT, LEAST_SLIP, SLOW};
use crate::base::lanes::{Mask4, W4};
use crate::contracts::stateful_tire::TireRow;
use crate::contracts::tire::{TireForces, TireInput, TireProperties, is_there};
use crate::contracts::tire_outputs::TireRequest;
use crate::params::profile::RowsSettings;
use crate::stages::slip;
use crate::stages::tire_use::{
    ContactMotion, TireOperatingPoint, TireUse, tire_forces, tire_input, tire_outputs,
};
use crate::stages::wheel_consts::WheelConsts;

impl ContactMotion {
    /// The larger of ground and rim speed (`m/s`).
    #[inline]
    #[must_use]
    pub fn speed(&self) -> W4 {
        self.forward.abs().max(self.rim.abs())
    }

    /// Speed V of the creep (`m/s`): `max(|v_l|, |r·Ω|)`, but at least `min(|v_t|, 0.05 m/s)`, so that a locked
    /// wheel that slides sideways creeps, too. Below 0.05 m/s, times `softer` (–, ≥ 1) of a softer carcass, and where it
    /// `sticks`, only the rim's: a wheel that does not turn does not creep, it deflects its carcass.
    #[inline]
    #[must_use]
    pub fn creep_speed(&self, softer: W4, sticks: Mask4) -> W4 {
        let least = W4::splat(LEAST_CREEP_SPEED);
        let square = self.forward * self.forward + self.left * self.left;
        let slides = square.ge(least * least * softer * softer) & !sticks;
        let contact = self.forward.abs().max(self.left.abs().min(least));
        self.rim.abs().max(slides.keep(contact))
    }

    /// Longitudinal slip and tangent of the slip angle (–), over the same speed.
    #[inline]
    #[must_use]
    pub fn slips(&self) -> (W4, W4) {
        let least = W4::splat(LEAST_CREEP_SPEED);
        let scale = W4::ONE / self.speed().max(least);
        ((self.rim - self.forward) * scale, self.left * scale)
    }

    /// Wheels below 1 m/s.
    #[inline]
    #[must_use]
    pub fn slow(&self) -> Mask4 {
        self.speed().lt(W4::splat(SLOW))
    }

    /// Motion with the slower contact of `self` and `other` for wheels below 1 m/s, `self` for faster ones: where gravity is
    /// already in the velocity and the tire's force is not, a sticking wheel appears to slide.
    #[inline]
    #[must_use]
    pub fn or_slower(self, other: &Self) -> Self {
        let square = |m: &Self| m.forward * m.forward + m.left * m.left;
        let (own, others) = (square(&self), square(other));
        let take = self.slow() & others.lt(own);
        Self {
            forward: take.select(other.forward, self.forward),
            left: take.select(other.left, self.left),
            rim: self.rim,
        }
    }
}

/// Linearization of a tire's law at one slip, for four tires: secants, offsets and carcass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireLinearization {
    /// Longitudinal slip (–).
    pub slip_ratio: W4,
    /// Tangent of the slip angle (–).
    pub tan_slip_angle: W4,
    /// Friction coefficient at this slip (–); the longitudinal one if the tire provides its maximum forces.
    pub friction: W4,
    /// Maximum lateral over maximum longitudinal force (–).
    pub lateral_grip: W4,
    /// Forces of the law at this slip.
    pub forces: TireForces<W4>,
    /// Longitudinal and lateral secant, force per slip (`N`).
    secants: [W4; 2],
    /// Even part of the longitudinal and lateral force (`N`).
    offsets: [W4; 2],
    /// The carcass in series with the law.
    pub carcass: Carcass,
}

/// Longitudinal and lateral carcass of four tires.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carcass {
    /// Force per deflection (`N/m`), > 0.
    pub stiffness: [W4; 2],
    /// Damping over stiffness (`s`), ≥ 0.
    pub damping_time: [W4; 2],
}

impl Carcass {
    /// Carcass by the settings and the rest load (`N`), of tires that provide no stiffness of their own.
    #[inline]
    #[must_use]
    pub fn of(settings: &RowsSettings, rest_load: W4) -> Self {
        Self {
            stiffness: [rest_load * W4::splat(settings.carcass_stiffness); 2],
            damping_time: [W4::splat(settings.carcass_damping_time); 2],
        }
    }

    /// Carcass of tires that provide slip stiffness C₀ and relaxation length σ₀, at this speed V (`m/s`), their
    /// stiffness times `stiffer`; `self` for other tires.
    ///
    /// ```text
    /// K = stiffer·C₀/σ₀         τ ≤ 0.1·σ₀/V
    /// ```
    fn with_properties(self, properties: &TireProperties<W4>, stiffer: W4, speed: W4) -> Self {
        let of = |n: usize| {
            let length = properties.relaxation_length[n];
            let stiffness = properties.slip_stiffness[n] * stiffer / length;
            let known = is_there(length) & is_there(stiffness);
            let time = (W4::splat(DAMPED_LENGTH) * length / speed).min(self.damping_time[n]);
            (
                known.select(stiffness, self.stiffness[n]),
                known.select(time, self.damping_time[n]),
            )
        };
        let [(longitudinal, longitudinal_time), (lateral, lateral_time)] = [of(0), of(1)];
        Self {
            stiffness: [longitudinal, lateral],
            damping_time: [longitudinal_time, lateral_time],
        }
    }

    /// Bounds stiffness and damping of the `slow` wheels, whose rows count their mean speed: more of either would overshoot.
    /// `mass` rests on each wheel (`kg`). A spring whose force is that at the end of the substep also damps, as a damping time
    /// of h/2 does: a carcass below the bound of stiffness needs this much less of τ.
    ///
    /// ```text
    /// K·h² ≤ m, else τ ← τ − ½h ≥ 0     K·τ·h ≤ m
    /// ```
    pub fn limit(&mut self, slow: Mask4, mass: W4, h: f32) {
        let step = W4::splat(h);
        for (time, stiffness) in self.damping_time.iter_mut().zip(&mut self.stiffness) {
            let most = mass / (step * step);
            let shorter = (*time - W4::splat(0.5 * h)).max(W4::ZERO);
            let own = stiffness.gt(most).select(*time, shorter);
            *stiffness = slow.select(stiffness.min(most), *stiffness);
            let most = mass / (*stiffness * step);
            *time = slow.select(own.min(most), *time);
        }
    }
}

/// Aligning and overturning moment of a law (`N·m`), split into parts odd and even in slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    odd: [W4; 2],
    even: [W4; 2],
    /// Odd and even part of the corresponding lateral force (`N`).
    lateral_force: [W4; 2],
}

impl Moments {
    /// Aligning and overturning moment on the chassis (`N·m`) at the row's lateral force `F_y` (`N`):
    ///
    /// ```text
    /// M = M_odd·clamp((F_y − F_even)/F_odd, ±1) + M_even
    /// ```
    #[must_use]
    pub fn at(&self, lateral_force: W4) -> [W4; 2] {
        let [odd, even] = self.lateral_force;
        let pushes = !odd.same(W4::ZERO);
        let share = (lateral_force - even) / pushes.select(odd, W4::ONE);
        let share = pushes.keep(share.max(-W4::ONE).min(W4::ONE));
        core::array::from_fn(|n| self.odd[n] * share + self.even[n])
    }

    /// Trail, aligning moment per lateral force (`m`): < 0 where it turns the wheel out of the force.
    #[must_use]
    pub fn trail(&self) -> W4 {
        let [odd, _] = self.lateral_force;
        let pushes = !odd.same(W4::ZERO);
        pushes.keep(self.odd[0] / pushes.select(odd, W4::ONE))
    }
}

/// Odd and even parts in slip of two quantities, from their values at a slip and at the opposite one.
#[inline]
fn odd_and_even(here: [W4; 2], opposite: [W4; 2]) -> ([W4; 2], [W4; 2]) {
    let half = W4::splat(0.5);
    (
        core::array::from_fn(|n| (here[n] - opposite[n]) * half),
        core::array::from_fn(|n| (here[n] + opposite[n]) * half),
    )
}

/// Inputs of a tire law other than contact motion and operating point.
#[derive(Clone, Copy, Debug)]
pub struct TireQuery<'a> {
    /// The rows solver's settings.
    pub settings: &'a RowsSettings,
    /// Constants of the wheels.
    pub consts: &'a WheelConsts,
    /// Models of the tires.
    pub tires: &'a [TireUse],
    /// Friction of tire on ground without its dependence on slip (–).
    pub ground_friction: W4,
    /// Stiffness of the tires over that of their laws (–).
    pub stiffness: W4,
    /// Wheels with a normal impulse.
    pub loaded: Mask4,
}

impl TireLinearization {
    /// Wheels below 1 m/s that stick by static friction: their carcasses with these deflections (`m`) take less than
    /// [`BREAKAWAY`] of the power of sliding tires, and wind up further.
    #[inline]
    #[must_use]
    pub fn sticks(&self, motion: &ContactMotion, deflections: [W4; 2]) -> Mask4 {
        let slip_speeds = [motion.rim - motion.forward, -motion.left];
        let power = |[longitudinal, lateral]: [W4; 2]| {
            longitudinal * slip_speeds[0] + lateral * slip_speeds[1]
        };
        let carcass = core::array::from_fn(|n| self.carcass.stiffness[n] * deflections[n]);
        let sliding = [self.forces.longitudinal, self.forces.lateral];
        motion.slow() & power(carcass).lt(power(sliding) * W4::splat(BREAKAWAY))
    }

    /// Evaluates the law at a motion; a law with offsets also at the opposite slip.
    #[inline(always)]
    pub fn evaluate(
        &mut self,
        input: &TireQuery<'_>,
        motion: &ContactMotion,
        point: &TireOperatingPoint,
    ) {
        evaluate::<false>(self, input, motion, point);
    }

    /// Evaluates the law of tires whose moments act at a motion.
    #[inline(never)]
    #[must_use]
    pub fn evaluate_with_moments(
        &mut self,
        input: TireQuery<'_>,
        motion: ContactMotion,
        point: TireOperatingPoint,
    ) -> Moments {
        evaluate::<true>(self, &input, &motion, &point)
    }
}

/// Evaluates secants and offsets of the law, and with `MOMENTS` its moments. Writes fields one by one, since copying a whole
/// linearization is slow.
///
/// ```text
/// C_x = F_x,odd/κ     C_y = −F_y,odd/tan α     F₀ = F_even     C ≥ 0.001·rest load
/// ```
#[inline]
fn evaluate<const MOMENTS: bool>(
    linearization: &mut TireLinearization,
    input: &TireQuery<'_>,
    motion: &ContactMotion,
    point: &TireOperatingPoint,
) -> Moments {
    let k = input.consts;
    let (slip_ratio, tan_slip_angle) = motion.slips();
    let friction = input.ground_friction * slip::curve_friction(k, slip_ratio);
    let friction = input.loaded.keep(friction);
    let gripping = friction.gt(W4::ZERO);
    let kappa = floored(slip_ratio, W4::ONE);
    // Without any slip, outward on both sides, as a mirrored car needs.
    let tangent = floored(tan_slip_angle, k.center.y);
    let slips = [kappa * input.stiffness, tangent * input.stiffness];
    let asked = tire_input(k, point, motion, slips, friction);
    let request = TireRequest {
        opposite: k.has_offsets,
        opposite_moments: MOMENTS,
        properties: k.properties.any(),
    };
    // Most laws in games have forces only.
    let outputs = (request.opposite || request.properties)
        .then(|| tire_outputs(k, input.tires, &asked, gripping, request));
    let forces = match &outputs {
        Some(outputs) => outputs.forces,
        None => tire_forces(input.tires, &asked, gripping),
    };
    let (mut odd, mut even) = ([forces.longitudinal, forces.lateral], [W4::ZERO; 2]);
    let mut moments = Moments {
        odd: chassis_moments(&forces),
        ..Moments::default()
    };
    if let Some(outputs) = outputs.as_ref().filter(|_| k.has_offsets) {
        let mirrored = &outputs.opposite;
        (odd, even) = odd_and_even(odd, [mirrored.longitudinal, mirrored.lateral]);
        if MOMENTS {
            (moments.odd, moments.even) = odd_and_even(moments.odd, chassis_moments(mirrored));
        }
    }
    if MOMENTS {
        let acting = k.moments & gripping;
        let rolls = (motion.speed() / W4::splat(SLOW)).min(W4::ONE);
        let faded = |part: [W4; 2]| part.map(|moment| acting.keep(moment * rolls));
        moments = Moments {
            odd: faded(moments.odd),
            even: faded(moments.even),
            lateral_force: [odd[1], even[1]],
        };
    }
    let (mut friction, mut lateral_grip) = (friction, W4::ONE);
    let mut carcass = Carcass::of(input.settings, point.rest_load);
    if let Some(outputs) = outputs.as_ref().filter(|_| request.properties) {
        let properties = &outputs.properties;
        [friction, lateral_grip] = ellipse(friction, &asked, properties.grip);
        carcass = carcass.with_properties(properties, input.stiffness, motion.speed());
    }
    let least = point.rest_load * W4::splat(LEAST_SECANT);
    linearization.slip_ratio = input.loaded.keep(slip_ratio);
    linearization.tan_slip_angle = input.loaded.keep(tan_slip_angle);
    linearization.friction = friction;
    linearization.lateral_grip = lateral_grip;
    linearization.forces = forces;
    linearization.secants = [
        (odd[0] / kappa).max(least),
        (-(odd[1] / tangent)).max(least),
    ];
    linearization.offsets = even;
    linearization.carcass = carcass;
    moments
}

/// Longitudinal friction (–), and maximum lateral over maximum longitudinal force (–), of tires with these maximum
/// forces `grip` (`N`); a circle of `friction` if they provide none.
fn ellipse(friction: W4, input: &TireInput<W4>, grip: [W4; 2]) -> [W4; 2] {
    let [longitudinal, lateral] = grip;
    let provided = is_there(longitudinal) & is_there(lateral) & input.load.gt(W4::ZERO);
    [
        provided.select(longitudinal / input.load, friction),
        provided.select(lateral / longitudinal, W4::ONE),
    ]
}

/// Aligning and overturning moment of a law on the chassis (`N·m`).
#[inline]
fn chassis_moments(forces: &TireForces<W4>) -> [W4; 2] {
    [forces.aligning_moment, forces.overturning_moment]
}

/// `slip` with a magnitude of at least [`LEAST_SLIP`]; a slip of 0 gets the sign of `direction`.
#[inline]
fn floored(slip: W4, direction: W4) -> W4 {
    let magnitude = slip.abs().max(W4::splat(LEAST_SLIP));
    magnitude.copysign(slip.same(W4::ZERO).select(direction, slip))
}

/// Longitudinal and lateral rows by the equations of this module, from the law's linearization, the creep speed V (`m/s`) and
/// the carcass' deflections u (`m`).
#[must_use]
pub fn rows(tire: &TireLinearization, speed: W4, deflections: [W4; 2], h: f32) -> [TireRow<W4>; 2] {
    let step = W4::splat(h);
    core::array::from_fn(|n| {
        let (stiffness, secant) = (tire.carcass.stiffness[n], tire.secants[n]);
        let damped = stiffness * (step + tire.carcass.damping_time[n]);
        let crept = damped * speed;
        let both = W4::ONE / (secant + crept);
        TireRow {
            force: (stiffness * deflections[n] * secant + crept * tire.offsets[n]) * both,
            gain: damped * secant * both,
        }
    })
}

/// Deflections (`m`) of carcasses with these forces (`N`) at the end of the substep, which had the deflections
/// `before`:
///
/// ```text
/// u⁺ = (F/K + τ/h·u)/(1 + τ/h) = (F·h + K·τ·u)/(K·(h + τ))
/// ```
#[inline]
#[must_use]
pub fn deflected(carcass: &Carcass, before: [W4; 2], forces: [W4; 2], h: f32) -> [W4; 2] {
    let step = W4::splat(h);
    core::array::from_fn(|n| {
        let (stiffness, time) = (carcass.stiffness[n], carcass.damping_time[n]);
        (forces[n] * step + stiffness * time * before[n]) / (stiffness * (step + time))
    })
}

#[cfg(test)]
mod tests;
