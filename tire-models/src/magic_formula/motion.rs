//! Slip as the formulas take it: limits, the definition of α*, and the low-speed model.

use crate::real::Real;

use super::context::LoadContext;
use super::limits::{Clamped, GREATEST_ANGLE, GREATEST_CURVATURE, GREATEST_SPEED, bounded};
use super::settings::SlipDefinition;
use super::{MagicFormula, turn_slip};

/// How a contact point slips over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip<T> {
    /// Slip ratio κ = −Vsx/Vx [−]: positive spins faster than it rolls, in either direction of travel; −1 is
    /// locked.
    pub ratio: T,
    /// Slip angle α [rad], tan α = Vy/|Vx|: positive where the contact point moves to the left.
    pub angle: T,
    /// Turn slip φt, the curvature of the path [1/m].
    pub turn: T,
    /// Speed of the contact centre along x, Vx [m/s].
    pub speed: T,
    /// Spin of the wheel Ω [rad/s]; `None` works it out of slip ratio and effective radius.
    pub spin: Option<T>,
}

impl<T: Real> Slip<T> {
    /// Free rolling straight ahead at a speed [m/s].
    #[must_use]
    pub fn rolling(speed: T) -> Self {
        Self {
            ratio: T::zero(),
            angle: T::zero(),
            turn: T::zero(),
            speed,
            spin: None,
        }
    }
}

/// Slip within the limits and faded out at low speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion<T: Real> {
    pub(super) kappa: T,
    /// κ as given.
    pub(super) kappa_given: T,
    pub(super) alpha: T,
    pub(super) tan_alpha: T,
    /// α*: α, or tan α · sgn Vx (4.E3).
    pub(super) alpha_star: T,
    /// cos α' (4.E6).
    pub(super) cos_alpha: T,
    /// Vx [m/s].
    pub(super) vx: T,
    /// sgn Vx, 0 at a standstill.
    pub(super) direction: T,
    /// Whether Vx < 0.
    pub(super) backward: T::Mask,
    /// What shifts and moments are multiplied with at low speed (MFT).
    pub(super) fade: T,
    /// λ*μ over λμ: decay with slip speed (4.E7).
    pub(super) decay: T,
    /// Factors of turn slip, where it acts.
    pub(super) turn: Option<turn_slip::Turn<T>>,
}

/// How much is left of slips and shifts at a speed.
struct LowSpeed<T> {
    /// Of κ and φt.
    slip: T,
    /// Of shifts and moments.
    shift: T,
}

impl<T: Real> MagicFormula<T> {
    /// MFT: within `VXLOW`, slips fall linearly and shifts as half a wave of cosine.
    fn low_speed(&self, speed: T) -> LowSpeed<T> {
        let low = self.c.VXLOW;
        let share = speed.abs() / low.max(T::of(1e-9));
        let slow = speed.abs().le(low);
        let wave = T::of(0.5) * (T::one() + (T::of(core::f64::consts::PI) * share).cos());
        LowSpeed {
            slip: T::select(slow, share, T::one()),
            shift: T::select(slow, T::one() - wave, T::one()),
        }
    }

    /// MFT: the slip angle falls with |Vx| + |Vsy|.
    fn faded_angle(&self, angle: T, speed: T) -> T {
        let low = self.c.VXLOW;
        let sum = speed.abs() + (angle.tan() * speed).abs();
        T::select(sum.lt(low), angle * (sum / low.max(T::of(1e-9))), angle)
    }

    /// Slip as the formulas take it, and which limits acted.
    pub(super) fn motion(
        &self,
        at: &LoadContext<T>,
        slip: &Slip<T>,
    ) -> (Motion<T>, Clamped<T::Mask>) {
        let vx = bounded(slip.speed, GREATEST_SPEED);
        let backward = vx.lt(T::zero());
        let kappa_given = self.finite_slip_ratio(slip.ratio);
        let angle_given = bounded(slip.angle, GREATEST_ANGLE);
        let (mut kappa, mut alpha, mut fade) = (kappa_given, angle_given, T::one());
        let mut phi_t = bounded(slip.turn, GREATEST_CURVATURE);
        if self.settings.limits.is_some() {
            phi_t = phi_t * angle_given.cos();
        }
        if self.settings.low_speed {
            let low = self.low_speed(vx);
            (kappa, phi_t, fade) = (kappa * low.slip, phi_t * low.slip, low.shift);
            alpha = self.faded_angle(angle_given, vx);
        }
        if self.settings.limits.is_some() {
            phi_t = T::select(backward, -phi_t, phi_t);
        }
        let (kappa, alpha) = (self.held_slip_ratio(kappa), self.held_slip_angle(alpha));
        let clamped = Clamped {
            slip_ratio: kappa.acted,
            slip_angle: alpha.acted,
            ..at.clamped
        };
        let mut motion = self.held_motion(vx, kappa.value, alpha.value);
        motion.kappa_given = kappa_given;
        motion.fade = fade;
        if self.settings.turn_slip {
            let spin = self.rolling_at(at, vx, kappa_given, slip.spin).spin;
            motion.turn = Some(turn_slip::Turn::new(self, at, &motion, phi_t, spin));
        }
        (motion, clamped)
    }

    /// What follows from slips that are within their limits.
    fn held_motion(&self, vx: T, kappa: T, alpha: T) -> Motion<T> {
        let tan_alpha = alpha.tan();
        let direction = vx.sign();
        let speed = vx.abs();
        // Vc' = Vc + ε, 4.E6a.
        let total = speed * (T::one() + tan_alpha * tan_alpha).sqrt() + T::of(1e-6);
        let mut decay = T::one();
        if !self.without.decay {
            let slip_speed = speed * kappa.hypot(tan_alpha);
            decay = T::one() / (T::one() + self.c.LMUV.max(T::zero()) * slip_speed / self.c.LONGVL);
        }
        Motion {
            kappa,
            kappa_given: kappa,
            alpha,
            tan_alpha,
            alpha_star: match self.settings.slip_definition {
                SlipDefinition::Angles => alpha,
                SlipDefinition::Tangents => tan_alpha * direction,
            },
            cos_alpha: vx / total,
            vx,
            direction,
            backward: vx.lt(T::zero()),
            fade: T::one(),
            decay,
            turn: None,
        }
    }
}
