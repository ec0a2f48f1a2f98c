//! The aligning moment Mz and the pneumatic trail (\[B\] 4.E31–4.E48, 4.E71–4.E78; \[P\] A54–A60).

use crate::real::{Real, each};

use super::context::{Basics, Levels, LoadContext};
use super::limits::bounded;
use super::motion::Motion;
use super::settings::{SlipDefinition, Variant, Version};
use super::shape::{Curve, guarded, values};
use super::turn_slip::TurningMoment;
use super::{MagicFormula, Planar, lateral};

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

/// Trail and residual moment at a friction: what a slip does not change, but for decay and turn slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Level<T> {
    /// λ*μy.
    friction: T,
    /// Kxκ/Kyα, which makes a slip angle of a slip ratio.
    angle_per_ratio: T,
    /// `SHf` and `SHt`.
    shifts: [T; 2],
    /// Their tangents, where angles are slips.
    tangents: [T; 2],
    /// Bt (A58).
    slope: T,
    /// Br (4.E45).
    residual_slope: T,
    /// Dr without turn slip over cos α (4.E47) [N·m].
    residual: T,
}

impl<T: Real> Level<T> {
    /// At a load and the `lateral` curve, and how its `motion` changes that.
    #[inline]
    pub(super) fn new(
        tire: &MagicFormula<T>,
        at: &LoadContext<T>,
        lateral: &lateral::Level<T>,
        motion: Option<&Motion<T>>,
    ) -> Self {
        let (c, own) = (&tire.c, &at.aligning);
        let decay = motion.map_or(T::one(), |m| m.decay);
        let friction = at.basics.friction.1 * decay;
        let divisor = least_friction(friction);
        let stiffness = guarded(lateral.stiffness);
        let shifts = [lateral.shift + lateral.rise / stiffness, own.shift];
        Self {
            friction,
            angle_per_ratio: at.longitudinal.stiffness / stiffness,
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
        let anew;
        let levels = match (&planar.changed, &at.levels) {
            (Some(levels), _) | (None, Some(levels)) => levels,
            (None, None) => {
                anew = self.levels(at, Some(m));
                &anew
            }
        };
        let level = &levels.aligning;
        let turning = m.turn.as_ref().map(|turn| turn.moment(self, at, planar));
        let alpha_t = m.alpha_star + level.shifts[1];
        let bend = level.slope * self.c.QCZ1 * alpha_t;
        let ([alpha_r, alpha_t], bend) = self.equivalents(level, m, bend);
        let residual = self.residual(at, level, m, alpha_r, &turning);
        let curvature = at.aligning.curvature * (T::one() + at.aligning.odd * bend);
        let argument = level.slope * alpha_t;
        let curve = Curve::cosine(argument, self.c.QCZ1, self.curvature(curvature));
        let (force, cosine) = self.trailed_force(at, levels, planar, curve);
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

    /// Slip angles that do what slip angle and ratio do together, of the residual moment and of the trail
    /// (A54, A55; \[B\] 4.E77, 4.E78), and the arctangent of what bends the trail's curve, which is taken
    /// beside them.
    #[inline]
    fn equivalents(&self, level: &Level<T>, m: &Motion<T>, bend: T) -> ([T; 2], T) {
        // The slip ratio as a slip angle.
        let ratio = level.angle_per_ratio * m.kappa;
        let alphas = each(level.shifts, |shift, _| m.alpha_star + shift);
        let signed = |magnitudes: [T; 2]| each(magnitudes, |x, i| x * alphas[i].sign());
        if self.settings.variant == Variant::Book {
            let magnitudes = each(alphas, |alpha, _| alpha.hypot(ratio));
            return (signed(magnitudes), bend.atan());
        }
        let tangent = |i: usize| match self.settings.slip_definition {
            // tan(α + S): of the shift it is known.
            SlipDefinition::Angles => {
                let shift = level.tangents[i];
                (m.tan_alpha + shift) / (T::one() - m.tan_alpha * shift)
            }
            SlipDefinition::Tangents => alphas[i].tan(),
        };
        let magnitude = |i: usize| bounded(tangent(i), 1e15).hypot(ratio);
        let [r, t, bend] = T::atans([magnitude(0), magnitude(1), bend]);
        (signed([r, t]), bend)
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
        level: &Level<T>,
        m: &Motion<T>,
        alpha: T,
        turning: &Option<TurningMoment<T>>,
    ) -> T {
        let along = m.direction * self.cosine(m);
        let moment = match (turning, &m.turn) {
            (Some(turning), Some(turn)) => {
                let residual = at.aligning.residual * turn.peak_y * level.friction;
                let peak = residual * along + turning.peak;
                let slip = bounded(level.residual_slope * turning.slope * alpha, 1e18);
                peak * (turning.shape * slip.atan()).cos()
            }
            _ => {
                let slip = bounded(level.residual_slope * alpha, 1e18);
                level.residual * along * slip.cos_atan()
            }
        };
        moment * m.fade
    }

    /// The lateral force that acts at the trail [N]: F'y (4.E74, MFT: Gyκ at the real inclination);
    /// 5.2: Fy without the part of the slip ratio. Beside it, the cosine of the trail's curve.
    #[inline]
    fn trailed_force(
        &self,
        at: &LoadContext<T>,
        levels: &Levels<T>,
        planar: &Planar<T>,
        trail: Curve<T>,
    ) -> (T, T) {
        let m = &planar.motion;
        if self.version == Version::V52 {
            return (planar.unscaled.1 - planar.side_force, trail.value());
        }
        let (force, cosine) = if at.basics.gamma_star.is_nothing() {
            (planar.lateral_force_pure, trail.value())
        } else {
            let upright = self.lateral_curve(&at.upright, &levels.upright, m);
            let [sine, cosine] = values([upright, trail]);
            (self.lateral_force(&levels.upright, sine, m), cosine)
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
