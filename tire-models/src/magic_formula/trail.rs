//! Trail and residual moment at a load, and at a friction.

use crate::real::{Real, each};

use super::load::Basics;
use super::motion::EffectiveSlip;
use super::settings::{SlipDefinition, Variant, Version};
use super::shape::guarded;
use super::{MagicFormula, lateral, longitudinal};

/// Trail and residual moment at a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrailAtLoad<T> {
    /// Bt times λ*μy (A58).
    pub(super) slope: T,
    /// Dt (`m`) (A60).
    pub(super) peak: T,
    /// Et without the sign of slip (4.E44).
    pub(super) curvature: T,
    /// The part of Et that depends on the sign of slip.
    pub(super) odd: T,
    /// `SHt` (4.E35).
    pub(super) shift: T,
    /// Dr over λ*μy without camber (`N·m`) (4.E47).
    pub(super) residual: T,
    /// Dr over λ*μy by camber (`N·m`).
    pub(super) residual_camber: T,
    /// Arm of Fx for Mz without the part of the lateral force (`m`) (A56).
    pub(super) arm: T,
}

impl<T: Real> TrailAtLoad<T> {
    pub(super) fn new(tire: &MagicFormula<T>, b: &Basics<T>) -> Self {
        let (c, one) = (&tire.c, T::one());
        let (dfz, dpi, fz, r0) = (b.dfz, b.dpi, b.fz_moment, c.UNLOADED_RADIUS);
        let (gamma, star) = (b.gamma * c.LGAZ, b.gamma_star * c.LGAZ);
        // MFT has γ where [B] has its magnitude (4.E40 with QBZ6, which no file has, and 4.E43).
        let (slope_camber, peak_camber) = match tire.settings.variant {
            Variant::Book => (
                one + c.QBZ5 * star.abs(),
                one + c.QDZ3 * star.abs() + c.QDZ4 * star * star,
            ),
            Variant::MfTyre | Variant::MfevalCompat => {
                let signed = match tire.version {
                    Version::Motorcycle => gamma.abs(),
                    _ => gamma,
                };
                (
                    one + c.QBZ4 * gamma + c.QBZ5 * gamma.abs(),
                    one + c.QDZ3 * signed + c.QDZ4 * gamma * gamma,
                )
            }
        };
        let by_camber =
            (c.QDZ8 + c.QDZ9 * dfz) * (one + c.PPZ2 * dpi) + (c.QDZ10 + c.QDZ11 * dfz) * star.abs();
        Self {
            slope: (c.QBZ1 + c.QBZ2 * dfz + c.QBZ3 * dfz * dfz) * slope_camber * c.LKY,
            peak: fz
                * (r0 / b.nominal)
                * (c.QDZ1 + c.QDZ2 * dfz)
                * (one - c.PPZ1 * dpi)
                * peak_camber
                * c.LTR,
            curvature: c.QEZ1 + c.QEZ2 * dfz + c.QEZ3 * dfz * dfz,
            odd: (c.QEZ4 + c.QEZ5 * star) * T::of(core::f64::consts::FRAC_2_PI),
            shift: c.QHZ1 + c.QHZ2 * dfz + (c.QHZ3 + c.QHZ4 * dfz) * star,
            residual: fz * r0 * (c.QDZ6 + c.QDZ7 * dfz) * c.LRES,
            residual_camber: fz * r0 * by_camber * star * c.LKZC,
            arm: r0 * (c.SSZ1 + (c.SSZ3 + c.SSZ4 * dfz) * gamma) * c.LS,
        }
    }
}

/// Trail and residual moment at a friction: everything independent of slip, except decay and turn
/// slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrailAtFriction<T> {
    /// λ*μy.
    pub(super) friction: T,
    /// Kxκ/Kyα, which converts a slip ratio to a slip angle.
    pub(super) angle_per_ratio: T,
    /// `SHf` and `SHt`.
    pub(super) shifts: [T; 2],
    /// Tangents of the shifts, if angles are slips.
    pub(super) tangents: [T; 2],
    /// Bt (A58).
    pub(super) slope: T,
    /// Br (4.E45).
    pub(super) residual_slope: T,
    /// Dr without turn slip over cos α (4.E47) (`N·m`).
    pub(super) residual: T,
}

impl<T: Real> TrailAtFriction<T> {
    /// Computes the trail at a load and the `lateral` curve, and a `motion`'s effect on it.
    #[inline]
    pub(super) fn new(
        tire: &MagicFormula<T>,
        (own, longitudinal): (&TrailAtLoad<T>, &longitudinal::LongitudinalAtLoad<T>),
        b: &Basics<T>,
        (lateral, motion): (&lateral::LateralAtFriction<T>, Option<&EffectiveSlip<T>>),
    ) -> Self {
        let c = &tire.c;
        let decay = motion.map_or(T::one(), |m| m.decay);
        let friction = b.friction.1 * decay;
        let divisor = least_friction(friction);
        let stiffness = guarded(lateral.stiffness);
        // For motorcycles, the shift is that of the residual moment.
        let shifts = match tire.version {
            Version::Motorcycle => [own.shift, T::zero()],
            _ => [lateral.shift + lateral.rise / stiffness, own.shift],
        };
        Self {
            friction,
            angle_per_ratio: longitudinal.stiffness / stiffness,
            shifts,
            tangents: match tire.settings.slip_definition {
                SlipDefinition::Angles => each(shifts, |shift, _| shift.tan()),
                SlipDefinition::Tangents => [T::zero(); 2],
            },
            slope: own.slope / divisor,
            residual_slope: c.QBZ9 * c.LKY / divisor + c.QBZ10 * lateral.initial_slope,
            residual: (own.residual + own.residual_camber) * friction,
        }
    }
}

/// λ*μy as a denominator: away from 0.
#[inline]
fn least_friction<T: Real>(friction: T) -> T {
    let least = T::of(1e-6);
    T::select(
        friction.abs().lt(least),
        least * friction.sign_or_one(),
        friction,
    )
}
