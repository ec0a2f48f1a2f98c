//! Combined slip: Fx and Fy (\[B\] 4.E50–4.E67), and the friction ellipse for files without its
//! coefficients.

use crate::real::{Mask, Real};

use super::context::{Levels, LoadContext};
use super::limits::{Clamped, OutOfRange, OutsideRange};
use super::load::Basics;
use super::motion::{EffectiveSlip, Slip};
use super::settings::CombinedSlip;
use super::shape::{MagicCurve, nonzero, values};
use super::{MagicFormula, lateral, longitudinal};

/// Forces in the plane of the road, and intermediate results for the moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar<T: Real> {
    /// Longitudinal force Fx (`N`), positive forward.
    pub longitudinal: T,
    /// Lateral force Fy (`N`), positive to the left.
    pub lateral: T,
    /// Peak friction μx (–).
    pub friction_x: T,
    /// Peak friction μy (–).
    pub friction_y: T,
    /// Slip stiffness Kxκ (`N`), ∂Fx0/∂κ at no slip.
    pub slip_stiffness: T,
    /// Cornering stiffness Kyα (`N/rad`), ∂Fy0/∂α at no slip: negative.
    pub cornering_stiffness: T,
    /// Limits that acted.
    pub clamped: Clamped<T::Mask>,
    pub(super) motion: EffectiveSlip<T>,
    /// Fy0 (`N`).
    pub(super) lateral_force_pure: T,
    /// Kyα (`N/rad`) at the load within the limits.
    pub(super) lateral_stiffness: T,
    /// Gyκ.
    pub(super) weight_y: T,
    /// `SVyκ` (`N`).
    pub(super) side_force: T,
    /// Fx and Fy (`N`) at the load within the limits, before they are scaled to the load.
    pub(super) unscaled: (T, T),
}

/// Combined slip's factors of the pure curves, at one slip.
struct Combined<T> {
    /// Fx0 and Fy0 (`N`).
    pure: (T, T),
    /// Gxα and Gyκ.
    weights: (T, T),
    /// `SVyκ` (`N`).
    side_force: T,
}

impl<T: Real> MagicFormula<T> {
    /// Forces in the plane of the road.
    #[must_use]
    pub fn planar(&self, at: &LoadContext<T>, slip: &Slip<T>) -> Planar<T> {
        let motion = self.motion(&at.basics, at.clamped, slip);
        let anew;
        let levels = match &at.levels {
            Some(levels) => levels,
            None => {
                anew = self.levels(at, Some(&motion));
                &anew
            }
        };
        let (x, y) = (&levels.longitudinal, &levels.lateral);
        let curves = [
            self.longitudinal_curve(&at.longitudinal, x, &motion),
            self.lateral_curve(&at.lateral, y, &motion),
        ];
        let combined = if self.settings.combined_slip == CombinedSlip::FrictionEllipse {
            let [sine_x, sine_y] = values(curves);
            let sine_y = self.leaning_sine(y, curves[1], sine_y);
            let pure = (
                x.force(sine_x, &motion),
                self.lateral_force(y, sine_y, &motion),
            );
            Combined {
                weights: friction_ellipse(
                    &at.basics,
                    &at.longitudinal,
                    &motion,
                    (x, pure.0),
                    (y, pure.1),
                ),
                pure,
                side_force: T::zero(),
            }
        } else {
            self.weighted(at, levels, &motion, curves)
        };
        let Combined {
            pure,
            weights,
            side_force,
        } = combined;
        let unscaled = (weights.0 * pure.0, weights.1 * pure.1 + side_force);
        Planar {
            longitudinal: unscaled.0 * at.scale,
            lateral: unscaled.1 * at.scale,
            friction_x: x.friction,
            friction_y: y.friction,
            slip_stiffness: at.longitudinal.stiffness * at.scale,
            cornering_stiffness: y.stiffness * at.scale,
            clamped: motion.clamped,
            lateral_stiffness: y.stiffness,
            lateral_force_pure: pure.1,
            // The ellipse does not affect the aligning moment.
            weight_y: if self.settings.combined_slip == CombinedSlip::FrictionEllipse {
                T::one()
            } else {
                weights.1
            },
            side_force,
            unscaled,
            motion,
        }
    }

    /// Forces and moments in the contact plane, by the rules of [`MagicFormula::planar`], if no limit acts.
    ///
    /// # Errors
    /// If a limit acts and the settings say [`OutOfRange::Error`]; in lanes, if one acts in any.
    pub fn try_planar(
        &self,
        at: &LoadContext<T>,
        slip: &Slip<T>,
    ) -> Result<Planar<T>, OutsideRange<T::Mask>> {
        let planar = self.planar(at, slip);
        let clamped = planar.clamped;
        if self.settings.limits == Some(OutOfRange::Error) && clamped.any().any() {
            return Err(OutsideRange { clamped });
        }
        Ok(planar)
    }

    /// Gxα (4.E51–4.E57) and Gyκ (4.E59–4.E65), each a cosine over its value without slip, and
    /// `SVyκ`, with the sines of the pure curves: all independent parts are computed side by side.
    #[inline]
    fn weighted(
        &self,
        at: &LoadContext<T>,
        levels: &Levels<T>,
        m: &EffectiveSlip<T>,
        [fx0, fy0]: [MagicCurve<T>; 2],
    ) -> Combined<T> {
        let (c, l) = (&self.c, &at.combined);
        let slope_x = l.slope_x * (c.RBX2 * m.kappa).cos_atan();
        let slope_y = l.slope_y * (c.RBY2 * (m.alpha_star - c.RBY3)).cos_atan();
        let curve_x = |x| MagicCurve::cosine(x, c.RCX1, l.curvature_x);
        let curve_y = |y| MagicCurve::cosine(y, c.RCY1, l.curvature_y);
        let [sine_x, sine_y, mut weight_x, mut weight_y] = values([
            fx0,
            fy0,
            curve_x(slope_x * (m.alpha_star + c.RHX1)),
            curve_y(slope_y * (m.kappa + l.shift_y)),
        ]);
        let sine_y = self.leaning_sine(&levels.lateral, fy0, sine_y);
        let mut side_force = T::zero();
        if !(self.without.shifts && self.without.ratio_side_force) {
            let [x, y, sine] = values([
                curve_x(slope_x * c.RHX1),
                curve_y(slope_y * l.shift_y),
                MagicCurve::sine(c.RVY6 * m.kappa, c.RVY5, T::zero()),
            ]);
            (weight_x, weight_y) = (weight_x / nonzero(x), weight_y / nonzero(y));
            let peak_factor = m.turn.as_ref().map_or(T::one(), |turn| turn.peak_y);
            let peak = levels.lateral.friction * at.basics.fz * l.side_force;
            let peak = peak * (c.RVY4 * m.alpha_star).cos_atan();
            side_force = peak * peak_factor * sine * m.fade;
        }
        let (x, y) = (&levels.longitudinal, &levels.lateral);
        Combined {
            pure: (x.force(sine_x, m), self.lateral_force(y, sine_y, m)),
            weights: (weight_x, weight_y),
            side_force,
        }
    }
}

/// Parts of Fx0 and Fy0 of a file without weighting functions: each force on the friction ellipse
/// in the direction of slip (Adams/Tire's friction ellipse for PAC2002).
fn friction_ellipse<T: Real>(
    b: &Basics<T>,
    at: &longitudinal::LongitudinalAtLoad<T>,
    m: &EffectiveSlip<T>,
    (x, fx): (&longitudinal::LongitudinalAtFriction<T>, T),
    (y, fy): (&lateral::LateralAtFriction<T>, T),
) -> (T, T) {
    let least = T::of(1e-9);
    let fz = nonzero(b.fz);
    let kappa = (m.kappa + x.shift + x.rise / nonzero(at.stiffness)).abs();
    let sine = (m.alpha + y.shift + y.rise / nonzero(y.stiffness))
        .sin()
        .abs();
    // tan β = sin αc / |κc|; its sine and cosine serve as scales, so that neither divides by 0.
    let total = kappa.hypot(sine);
    let slipping = total.gt(least);
    let total = T::select(slipping, total, T::one());
    let (cos, sin) = (kappa / total, sine / total);
    let used_x = ((fx - x.rise).abs() / fz).max(least);
    let used_y = ((fy - y.rise).abs() / fz).max(least);
    let (most_x, most_y) = (x.friction.abs().max(least), y.friction.abs().max(least));
    let scale_x = cos / (cos / used_x).hypot(sin / most_y) / used_x;
    let scale_y = sin / (cos / most_x).hypot(sin / used_y) / used_y;
    (
        T::select(slipping, scale_x, T::one()),
        T::select(slipping, scale_y, T::one()),
    )
}
