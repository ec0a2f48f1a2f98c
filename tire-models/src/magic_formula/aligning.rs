//! The aligning moment Mz and the pneumatic trail (\[B\] 4.E31–4.E48, 4.E71–4.E78; \[P\] A54–A60).

use crate::real::Real;

use super::context::{Basics, LoadContext, is_upright};
use super::limits::bounded;
use super::motion::Motion;
use super::settings::{Variant, Version};
use super::shape::{Curve, guarded, values};
use super::turn_slip::TurningMoment;
use super::{MagicFormula, Planar};

/// Trail and residual moment at a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AtLoad<T> {
    /// Bt times λ*μy (A58).
    slope: T,
    /// Dt [m] (A60).
    peak: T,
    /// Et without the sign of slip (4.E44).
    curvature: T,
    /// What Et has of the sign of slip.
    odd: T,
    /// `SHt` (4.E35).
    shift: T,
    /// Dr over λ*μy without camber [N·m] (4.E47).
    residual: T,
    /// Dr over λ*μy by camber [N·m].
    residual_camber: T,
    /// Arm of Fx for Mz without the part of the lateral force [m] (A56).
    arm: T,
}

impl<T: Real> AtLoad<T> {
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
            Variant::MfTyre | Variant::MfevalCompat => (
                one + c.QBZ4 * gamma + c.QBZ5 * gamma.abs(),
                one + c.QDZ3 * gamma + c.QDZ4 * gamma * gamma,
            ),
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

/// The aligning moment and its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligning<T> {
    /// Mz [N·m] about the contact normal, counter-clockwise from above positive.
    pub moment: T,
    /// Pneumatic trail t [m]: how far behind the contact centre the lateral force acts.
    pub trail: T,
    /// Residual moment Mzr [N·m].
    pub residual: T,
}

impl<T: Real> MagicFormula<T> {
    /// The aligning moment of forces that [`MagicFormula::planar`] gave at the same load.
    #[must_use]
    pub fn aligning(&self, at: &LoadContext<T>, planar: &Planar<T>) -> Aligning<T> {
        let m = &planar.motion;
        let pure = &planar.lateral_pure;
        let stiffness = guarded(pure.stiffness);
        let turning = m.turn.as_ref().map(|turn| turn.moment(self, at, planar));
        // The slip ratio as a slip angle.
        let ratio = at.longitudinal.stiffness / stiffness * m.kappa;
        let alpha_r = m.alpha_star + (pure.shift + pure.rise / stiffness);
        let alpha_t = m.alpha_star + at.aligning.shift;
        let slope_t = at.aligning.slope / least_friction(at.basics.friction.1 * m.decay);
        let ([alpha_r, alpha_t], bend) =
            self.equivalents([alpha_r, alpha_t], ratio, slope_t * self.c.QCZ1 * alpha_t);
        let residual = self.residual(at, planar, alpha_r, &turning);
        let curvature = at.aligning.curvature * (T::one() + at.aligning.odd * bend);
        let curve = Curve::cosine(slope_t * alpha_t, self.c.QCZ1, self.curvature(curvature));
        let (force, cosine) = self.trailed_force(at, planar, curve);
        let trail = self.trail(at, m, cosine, &turning);
        let (fx, fy) = planar.unscaled;
        let mut moment = -trail * force + residual;
        if !self.without.arm {
            let c = &self.c;
            let nominal = match self.settings.variant {
                Variant::Book => at.basics.nominal,
                Variant::MfTyre | Variant::MfevalCompat => c.FNOMIN,
            };
            let by_force = c.UNLOADED_RADIUS * c.SSZ2 * (fy / nominal) * c.LS;
            moment = moment + (at.aligning.arm + by_force) * fx;
        }
        Aligning {
            moment: moment * at.scale,
            trail,
            residual: residual * at.scale,
        }
    }

    /// Slip angles that do what slip angle and ratio do together (A54, A55; \[B\] 4.E77, 4.E78), and the
    /// arctangent of what bends the trail's curve, which is taken beside them.
    #[inline]
    fn equivalents(&self, alphas: [T; 2], ratio: T, bend: T) -> ([T; 2], T) {
        let signed =
            |magnitudes: [T; 2]| core::array::from_fn(|i| magnitudes[i] * alphas[i].sign());
        match self.settings.variant {
            Variant::Book => (signed(alphas.map(|alpha| alpha.hypot(ratio))), bend.atan()),
            Variant::MfTyre | Variant::MfevalCompat => {
                let [r, t] = alphas.map(|alpha| bounded(alpha.tan(), 1e15).hypot(ratio));
                let [r, t, bend] = T::atans([r, t, bend]);
                (signed([r, t]), bend)
            }
        }
    }

    /// Pneumatic trail t [m] (4.E73) of its curve's cosine.
    #[inline]
    fn trail(
        &self,
        at: &LoadContext<T>,
        m: &Motion<T>,
        cosine: T,
        turning: &Option<TurningMoment<T>>,
    ) -> T {
        let peak = at.aligning.peak;
        let peak = turning
            .as_ref()
            .map_or(peak, |turning| peak * turning.trail);
        let trail = peak * cosine * m.cos_alpha * m.fade;
        match self.settings.variant {
            Variant::Book => trail * m.direction,
            // MFT, written nowhere.
            Variant::MfTyre | Variant::MfevalCompat => trail * self.c.LFZO,
        }
    }

    /// Residual moment Mzr [N·m] (4.E45–4.E47, 4.E75).
    #[inline]
    fn residual(
        &self,
        at: &LoadContext<T>,
        planar: &Planar<T>,
        alpha: T,
        turning: &Option<TurningMoment<T>>,
    ) -> T {
        let (c, l, m) = (&self.c, &at.aligning, &planar.motion);
        let friction = at.basics.friction.1 * m.decay;
        let slope = c.QBZ9 * c.LKY / least_friction(friction) + c.QBZ10 * planar.lateral_pure.slope;
        let along = friction * m.direction * m.alpha_star.cos();
        let moment = match (turning, &m.turn) {
            (Some(turning), Some(turn)) => {
                let peak = l.residual * turn.peak_y * along + turning.peak;
                let slip = bounded(slope * turning.slope * alpha, 1e18);
                peak * (turning.shape * slip.atan()).cos()
            }
            _ => {
                let slip = bounded(slope * alpha, 1e18);
                (l.residual + l.residual_camber) * along * slip.cos_atan()
            }
        };
        moment * m.fade
    }

    /// The lateral force that acts at the trail [N]: F'y (4.E74, MFT: Gyκ at the real inclination);
    /// 5.2: Fy without the part of the slip ratio. Beside it, the cosine of the trail's curve.
    #[inline]
    fn trailed_force(&self, at: &LoadContext<T>, planar: &Planar<T>, trail: Curve<T>) -> (T, T) {
        let (b, m) = (&at.basics, &planar.motion);
        if self.version == Version::V52 {
            let by_ratio = self.side_force(&at.combined, b, m, planar.friction_y);
            return (planar.unscaled.1 - by_ratio, trail.value());
        }
        let (force, cosine) = if is_upright(b.gamma_star) {
            (planar.lateral_force_pure, trail.value())
        } else {
            let upright = self.lateral_pure(&at.upright, b, m);
            let [sine, cosine] = values([upright.curve(), trail]);
            (upright.force(sine), cosine)
        };
        (planar.weight_y * force, cosine)
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
