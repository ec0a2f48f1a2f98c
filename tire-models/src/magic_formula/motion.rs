//! Slip as input of the formulas: limits, the definition of α*, and the low-speed model.

use crate::real::Real;

use super::MagicFormula;
use super::coefficients::Coefficients;
use super::limits::{Clamped, GREATEST_ANGLE, GREATEST_CURVATURE, GREATEST_SPEED, bounded};
use super::load::Basics;
use super::settings::{Settings, SlipDefinition};
use super::turn_slip::{Moving, Turn};

/// Slip of a contact point over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip<T> {
    /// Slip ratio κ = −Vsx/Vx [−]: positive spins faster than it rolls, in either direction of travel; −1 is
    /// locked.
    pub ratio: T,
    /// Slip angle α (`rad`), tan α = Vy/|Vx|: positive where the contact point moves to the left.
    pub angle: T,
    /// Turn slip φt, the curvature of the path (`1/m`).
    pub turn: T,
    /// Speed of the contact center along x, Vx (`m/s`).
    pub speed: T,
    /// tan α, if known and α is within a quarter turn (–); `None` computes it from the angle.
    pub tangent: Option<T>,
    /// Spin of the wheel Ω (`rad/s`); `None` computes it from slip ratio and effective radius.
    pub spin: Option<T>,
}

impl<T: Real> Slip<T> {
    /// Free rolling straight ahead at a speed (`m/s`).
    #[must_use]
    pub fn rolling(speed: T) -> Self {
        Self {
            ratio: T::zero(),
            angle: T::zero(),
            turn: T::zero(),
            speed,
            tangent: None,
            spin: None,
        }
    }
}

/// Slip within the limits and faded out at low speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EffectiveSlip<T: Real> {
    pub(super) kappa: T,
    /// κ as given.
    pub(super) kappa_given: T,
    pub(super) alpha: T,
    pub(super) tan_alpha: T,
    /// α*: α, or tan α · sgn Vx (4.E3).
    pub(super) alpha_star: T,
    /// cos α' (4.E6).
    pub(super) cos_alpha: T,
    /// √(1 + tan² α): the magnitude of 1/cos α.
    pub(super) secant: T,
    /// Vx (`m/s`).
    pub(super) vx: T,
    /// sgn Vx, 0 at a standstill.
    pub(super) direction: T,
    /// Whether the contact moves backward, Vx < 0.
    pub(super) backward: T::Mask,
    /// Factor on shifts and moments at low speed (MFT).
    pub(super) fade: T,
    /// λ*μ over λμ: decay with slip speed (4.E7).
    pub(super) decay: T,
    /// Factors of turn slip, where it acts.
    pub(super) turn: Option<Turn<T>>,
    /// Limits that acted.
    pub(super) clamped: Clamped<T::Mask>,
}

/// Tangents of the slip angle's limits, if these are on and at most a quarter turn: then clamping
/// the tangent equals clamping the angle, and the cosine follows from the tangent.
pub(super) fn tangents_of_limits<T: Real>(c: &Coefficients, settings: Settings) -> Option<(T, T)> {
    const STEEP: f64 = 1e15;
    // Files round a quarter turn, and 1.5708 is beyond it.
    let tangent = |limit: f64| {
        if limit.abs() < 1.57 {
            Some(T::of(Real::tan(limit)))
        } else {
            (limit.abs() < 1.571).then(|| T::of(STEEP.copysign(limit)))
        }
    };
    settings.limits?;
    Some((tangent(c.ALPMIN)?, tangent(c.ALPMAX)?))
}

/// Factors on slips and shifts at a speed.
struct LowSpeed<T> {
    /// Factor on κ and φt.
    slip: T,
    /// Factor on shifts and moments.
    shift: T,
}

impl<T: Real> LowSpeed<T> {
    /// Factors without any fading.
    fn none() -> Self {
        Self {
            slip: T::one(),
            shift: T::one(),
        }
    }
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

    /// Slip as input of the formulas, and which limits acted, in addition to those of the load in
    /// `clamped`.
    #[inline]
    pub(super) fn motion(
        &self,
        b: &Basics<T>,
        clamped: Clamped<T::Mask>,
        slip: &Slip<T>,
    ) -> EffectiveSlip<T> {
        let vx = bounded(slip.speed, GREATEST_SPEED);
        let backward = vx.lt(T::zero());
        let kappa_given = self.finite_slip_ratio(slip.ratio);
        let angle_given = bounded(slip.angle, GREATEST_ANGLE);
        let (mut kappa, mut alpha) = (kappa_given, angle_given);
        let mut fades = LowSpeed::none();
        if self.settings.low_speed {
            fades = self.low_speed(vx);
            kappa = kappa * fades.slip;
            alpha = self.faded_angle(angle_given, vx);
        }
        let (kappa, alpha) = (self.held_slip_ratio(kappa), self.held_slip_angle(alpha));
        let clamped = Clamped {
            slip_ratio: kappa.acted,
            slip_angle: alpha.acted,
            ..clamped
        };
        let (kappa, alpha) = (kappa.value, alpha.value);
        let tan_alpha = match (self.tangents, slip.tangent) {
            (Some((low, high)), Some(tangent)) if !self.settings.low_speed => {
                tangent.clamp(low, high)
            }
            _ => alpha.tan(),
        };
        let (direction, speed) = (vx.sign(), vx.abs());
        let secant = (T::one() + tan_alpha * tan_alpha).sqrt();
        let mut motion = EffectiveSlip {
            kappa,
            kappa_given,
            alpha,
            tan_alpha,
            alpha_star: match self.settings.slip_definition {
                SlipDefinition::Angles => alpha,
                SlipDefinition::Tangents => tan_alpha * direction,
            },
            // Vc' = Vc + ε, 4.E6a.
            cos_alpha: vx / (speed * secant + T::of(1e-6)),
            secant,
            vx,
            direction,
            backward,
            fade: fades.shift,
            decay: self.decay(speed, kappa, tan_alpha),
            turn: None,
            clamped,
        };
        if self.settings.turn_slip {
            let path = self.path_curvature(slip.turn, angle_given, &motion) * fades.slip;
            let spin = self.rolling_at(b, vx, kappa_given, slip.spin).spin;
            let moving = Moving {
                kappa,
                tan_alpha,
                vx,
                path,
                wheel_spin: spin,
            };
            motion.turn = Some(Turn::new(self, b, &moving));
        }
        motion
    }

    /// cos α*.
    #[inline]
    pub(super) fn cosine(&self, m: &EffectiveSlip<T>) -> T {
        if self.tangents.is_none() || self.settings.slip_definition == SlipDefinition::Tangents {
            return m.alpha_star.cos();
        }
        let magnitude = T::one() / m.secant;
        let beyond = m.alpha.abs().gt(T::of(core::f64::consts::FRAC_PI_2));
        T::select(beyond, -magnitude, magnitude)
    }

    /// λ*μ over λμ (4.E7).
    #[inline]
    fn decay(&self, speed: T, kappa: T, tan_alpha: T) -> T {
        if self.without.decay {
            return T::one();
        }
        let slip_speed = speed * kappa.hypot(tan_alpha);
        T::one() / (T::one() + self.c.LMUV.max(T::zero()) * slip_speed / self.c.LONGVL)
    }

    /// φt within bounds; if limits are on, along the clamped direction of travel.
    fn path_curvature(&self, turn: T, angle_given: T, m: &EffectiveSlip<T>) -> T {
        let path = bounded(turn, GREATEST_CURVATURE);
        if self.settings.limits.is_none() {
            return path;
        }
        let path = path * angle_given.cos();
        T::select(m.backward, -path, path)
    }
}
