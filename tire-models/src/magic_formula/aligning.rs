//! The aligning moment Mz and the pneumatic trail (\[B\] 4.E31–4.E48, 4.E71–4.E78; \[P\] A54–A60).

use crate::real::{Real, each};

use super::MagicFormula;
use super::combined::Planar;
use super::context::LoadContext;
use super::lateral::{LateralAtFriction, LateralAtLoad};
use super::limits::bounded;
use super::motion::EffectiveSlip;
use super::settings::{SlipDefinition, Variant, Version};
use super::shape::{MagicCurve, values};
use super::trail::{TrailAtFriction, TrailAtLoad};
use super::turn_slip::TurningMoment;

/// The aligning moment and its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligning<T> {
    /// Mz (`N·m`) about the contact normal, counter-clockwise from above positive.
    pub moment: T,
    /// Pneumatic trail t (`m`): how far behind the contact center the lateral force acts.
    pub trail: T,
    /// Residual moment Mzr (`N·m`).
    pub residual: T,
}

/// The part of Mz that depends only on load, inclination and pressure.
pub(crate) struct AligningAtLoad<T> {
    trail: TrailAtLoad<T>,
    /// Fy0 of the same tire without inclination, if it has some.
    upright: Option<LateralAtLoad<T>>,
    /// The curves at this friction, if slips do not change them.
    levels: Option<AligningLevels<T>>,
}

/// The curves of Mz at a friction.
struct AligningLevels<T> {
    trail: TrailAtFriction<T>,
    upright: Option<LateralAtFriction<T>>,
}

impl<T: Real> AligningAtLoad<T> {
    #[inline]
    pub(crate) fn new(tire: &MagicFormula<T>, at: &LoadContext<T>) -> Self {
        let b = &at.basics;
        let leans = !b.gamma_star.is_nothing();
        let trail = TrailAtLoad::new(tire, b);
        let upright = leans.then(|| at.lateral.upright(tire, b));
        let levels = at.levels.as_ref().map(|levels| {
            let own = (&trail, upright.as_ref());
            AligningLevels::new(tire, at, own, &levels.lateral, None)
        });
        Self {
            trail,
            upright,
            levels,
        }
    }
}

impl<T: Real> AligningLevels<T> {
    /// The curves at a load's friction beside the `lateral` one, and a `motion`'s effect on them.
    #[inline]
    fn new(
        tire: &MagicFormula<T>,
        at: &LoadContext<T>,
        (trail, upright): (&TrailAtLoad<T>, Option<&LateralAtLoad<T>>),
        lateral: &LateralAtFriction<T>,
        motion: Option<&EffectiveSlip<T>>,
    ) -> Self {
        let b = &at.basics;
        Self {
            upright: upright.map(|upright| LateralAtFriction::new(tire, upright, b, motion)),
            trail: TrailAtFriction::new(tire, (trail, &at.longitudinal), b, (lateral, motion)),
        }
    }
}

impl<T: Real> MagicFormula<T> {
    /// The aligning moment of forces from [`MagicFormula::planar`] at the same load.
    #[must_use]
    pub fn aligning(&self, at: &LoadContext<T>, planar: &Planar<T>) -> Aligning<T> {
        self.aligning_of(&AligningAtLoad::new(self, at), at, planar)
    }

    /// [`MagicFormula::aligning`] with the load-dependent part given.
    pub(crate) fn aligning_of(
        &self,
        own: &AligningAtLoad<T>,
        at: &LoadContext<T>,
        planar: &Planar<T>,
    ) -> Aligning<T> {
        let m = &planar.motion;
        let anew;
        let levels = match &own.levels {
            Some(levels) => levels,
            None => {
                let lateral = LateralAtFriction::new(self, &at.lateral, &at.basics, Some(m));
                let own = (&own.trail, own.upright.as_ref());
                anew = AligningLevels::new(self, at, own, &lateral, Some(m));
                &anew
            }
        };
        let level = &levels.trail;
        let turning = m
            .turn
            .as_ref()
            .map(|turn| turn.moment(self, &at.basics, planar.friction_y, planar.weight_y));
        let alpha_t = m.alpha_star + level.shifts[1];
        let bend = level.slope * self.c.QCZ1 * alpha_t;
        let ([alpha_r, alpha_t], bend) = self.equivalents(level, m, bend);
        let residual = self.residual(&own.trail, level, m, alpha_r, &turning);
        let curvature = own.trail.curvature * (T::one() + own.trail.odd * bend);
        let argument = level.slope * alpha_t;
        let curve = MagicCurve::cosine(argument, self.c.QCZ1, self.curvature(curvature));
        let (force, cosine) = self.trailed_force(own, levels, planar, curve);
        let trail = self.trail(&own.trail, m, cosine, &turning);
        let (fx, fy) = planar.unscaled;
        let mut moment = -trail * force + residual;
        if !self.without.arm {
            let c = &self.c;
            let nominal = match self.settings.variant {
                Variant::Book => at.basics.nominal,
                Variant::MfTyre | Variant::MfevalCompat => c.FNOMIN,
            };
            let by_force = c.UNLOADED_RADIUS * c.SSZ2 * (fy / nominal) * c.LS;
            moment = moment + (own.trail.arm + by_force) * fx;
        }
        Aligning {
            moment: moment * at.scale,
            trail,
            residual: residual * at.scale,
        }
    }

    /// Slip angles equivalent to slip angle and ratio combined, for the residual moment and the
    /// trail (A54, A55; \[B\] 4.E77, 4.E78), and the arctangent in the trail curve's bend, computed
    /// together with them.
    #[inline]
    fn equivalents(
        &self,
        level: &TrailAtFriction<T>,
        m: &EffectiveSlip<T>,
        bend: T,
    ) -> ([T; 2], T) {
        // The slip ratio as a slip angle.
        let ratio = level.angle_per_ratio * m.kappa;
        let alphas = each(level.shifts, |shift, _| m.alpha_star + shift);
        let signed = |magnitudes: [T; 2]| each(magnitudes, |x, i| x * alphas[i].sign());
        if self.settings.variant == Variant::Book {
            let magnitudes = each(alphas, |alpha, _| alpha.hypot(ratio));
            return (signed(magnitudes), bend.atan());
        }
        let tangent = |i: usize| match self.settings.slip_definition {
            // tan(α + S): the shift's tangent is known.
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

    /// Pneumatic trail t (`m`) (4.E73) from the cosine of its curve.
    #[inline]
    fn trail(
        &self,
        own: &TrailAtLoad<T>,
        m: &EffectiveSlip<T>,
        cosine: T,
        turning: &Option<TurningMoment<T>>,
    ) -> T {
        let peak = own.peak;
        let peak = turning
            .as_ref()
            .map_or(peak, |turning| peak * turning.trail);
        let trail = peak * cosine * m.cos_alpha * m.fade;
        match self.settings.variant {
            Variant::Book => trail * m.direction,
            // MFT, undocumented.
            Variant::MfTyre | Variant::MfevalCompat => trail * self.c.LFZO,
        }
    }

    /// Residual moment Mzr (`N·m`) (4.E45–4.E47, 4.E75).
    #[inline]
    fn residual(
        &self,
        own: &TrailAtLoad<T>,
        level: &TrailAtFriction<T>,
        m: &EffectiveSlip<T>,
        alpha: T,
        turning: &Option<TurningMoment<T>>,
    ) -> T {
        let along = m.direction * self.cosine(m);
        let moment = match (turning, &m.turn) {
            (Some(turning), Some(turn)) => {
                let residual = own.residual * turn.peak_y * level.friction;
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
    /// 5.2: Fy without the part due to slip ratio. Also returns the cosine of the trail's curve.
    #[inline]
    fn trailed_force(
        &self,
        own: &AligningAtLoad<T>,
        levels: &AligningLevels<T>,
        planar: &Planar<T>,
        trail: MagicCurve<T>,
    ) -> (T, T) {
        let m = &planar.motion;
        if self.version == Version::V52 {
            return (planar.unscaled.1 - planar.side_force, trail.value());
        }
        let (force, cosine) = match (&own.upright, &levels.upright) {
            (Some(upright), Some(level)) => {
                let curve = self.lateral_curve(upright, level, m);
                let [sine, cosine] = values([curve, trail]);
                (self.lateral_force(level, sine, m), cosine)
            }
            _ => (planar.lateral_force_pure, trail.value()),
        };
        (planar.weight_y * force, cosine)
    }
}
