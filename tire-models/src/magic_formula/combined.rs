//! Combined slip: Fx and Fy (\[B\] 4.E50–4.E67), and the friction ellipse for files without its
//! coefficients.

use crate::real::{Mask, Real};

use super::context::{Basics, LoadContext};
use super::limits::{Clamped, OutOfRange, OutsideRange};
use super::motion::{Motion, Slip};
use super::settings::CombinedSlip;
use super::shape::{Curve, nonzero, values};
use super::{MagicFormula, lateral, longitudinal};

/// The weighting functions at a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AtLoad<T> {
    /// Bxα before the slip ratio (4.E54).
    slope_x: T,
    /// Exα (4.E56).
    curvature_x: T,
    /// Byκ before the slip angle (4.E62).
    slope_y: T,
    /// Eyκ (4.E64).
    curvature_y: T,
    /// `SHyκ` (4.E65).
    shift_y: T,
    /// `DVyκ` over μy·Fz, before the slip angle (4.E67).
    side_force: T,
}

impl<T: Real> AtLoad<T> {
    pub(super) fn new(tire: &MagicFormula<T>, b: &Basics<T>) -> Self {
        let c = &tire.c;
        let (dfz, gamma) = (b.dfz, b.gamma_star);
        Self {
            slope_x: (c.RBX1 + c.RBX3 * gamma * gamma) * c.LXAL,
            curvature_x: tire.curvature(c.REX1 + c.REX2 * dfz),
            slope_y: (c.RBY1 + c.RBY4 * gamma * gamma) * c.LYKA,
            curvature_y: tire.curvature(c.REY1 + c.REY2 * dfz),
            shift_y: c.RHY1 + c.RHY2 * dfz,
            side_force: (c.RVY1 + c.RVY2 * dfz + c.RVY3 * gamma) * c.LVYKA,
        }
    }
}

/// Forces in the plane of the road, and what moments are worked out of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar<T: Real> {
    /// Longitudinal force Fx [N], positive forward.
    pub longitudinal: T,
    /// Lateral force Fy [N], positive to the left.
    pub lateral: T,
    /// Peak friction μx [−].
    pub friction_x: T,
    /// Peak friction μy [−].
    pub friction_y: T,
    /// Slip stiffness Kxκ [N], ∂Fx0/∂κ at no slip.
    pub slip_stiffness: T,
    /// Cornering stiffness Kyα [N/rad], ∂Fy0/∂α at no slip: negative.
    pub cornering_stiffness: T,
    /// Which limits acted.
    pub clamped: Clamped<T::Mask>,
    pub(super) motion: Motion<T>,
    pub(super) lateral_pure: lateral::Pure<T>,
    /// Fy0 [N].
    pub(super) lateral_force_pure: T,
    /// Gyκ.
    pub(super) weight_y: T,
    /// Fx and Fy [N] at the load within the limits, before they are scaled to the load.
    pub(super) unscaled: (T, T),
}

impl<T: Real> MagicFormula<T> {
    /// Forces in the plane of the road.
    #[must_use]
    pub fn planar(&self, at: &LoadContext<T>, slip: &Slip<T>) -> Planar<T> {
        let (motion, clamped) = self.motion(at, slip);
        let b = &at.basics;
        let x = self.longitudinal_pure(&at.longitudinal, b, &motion);
        let y = self.lateral_pure(&at.lateral, b, &motion);
        let [sine_x, sine_y] = values([x.curve(), y.curve()]);
        let (fx0, fy0) = (x.force(sine_x), y.force(sine_y));
        let (fx, fy, weight_y);
        if self.settings.combined_slip == CombinedSlip::FrictionEllipse {
            (fx, fy) = friction_ellipse(b, &at.longitudinal, &motion, (&x, fx0), (&y, fy0));
            weight_y = T::one();
        } else {
            let weight_x;
            (weight_x, weight_y) = self.weights(&at.combined, &motion);
            fx = weight_x * fx0;
            fy = weight_y * fy0 + self.side_force(&at.combined, b, &motion, y.friction);
        }
        Planar {
            longitudinal: fx * at.scale,
            lateral: fy * at.scale,
            friction_x: x.friction,
            friction_y: y.friction,
            slip_stiffness: at.longitudinal.stiffness * at.scale,
            cornering_stiffness: y.stiffness * at.scale,
            clamped,
            motion,
            lateral_pure: y,
            lateral_force_pure: fy0,
            weight_y,
            unscaled: (fx, fy),
        }
    }

    /// As [`MagicFormula::planar`], if no limit acts.
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

    /// Gxα (4.E51–4.E57) and Gyκ (4.E59–4.E65): each a cosine over that without slip.
    #[inline]
    fn weights(&self, at: &AtLoad<T>, m: &Motion<T>) -> (T, T) {
        let c = &self.c;
        let slope_x = at.slope_x * (c.RBX2 * m.kappa).cos_atan();
        let slope_y = at.slope_y * (c.RBY2 * (m.alpha_star - c.RBY3)).cos_atan();
        let x = slope_x * (m.alpha_star + c.RHX1);
        let y = slope_y * (m.kappa + at.shift_y);
        let curve_x = |x| Curve::cosine(x, c.RCX1, at.curvature_x);
        let curve_y = |y| Curve::cosine(y, c.RCY1, at.curvature_y);
        if self.without.shifts {
            let [x, y] = values([curve_x(x), curve_y(y)]);
            return (x, y);
        }
        let [x, x0, y, y0] = values([
            curve_x(x),
            curve_x(slope_x * c.RHX1),
            curve_y(y),
            curve_y(slope_y * at.shift_y),
        ]);
        (x / nonzero(x0), y / nonzero(y0))
    }

    /// `SVyκ` [N] (4.E66, 4.E67) at a friction μy.
    #[inline]
    pub(super) fn side_force(
        &self,
        at: &AtLoad<T>,
        b: &Basics<T>,
        m: &Motion<T>,
        friction: T,
    ) -> T {
        if self.without.ratio_side_force {
            return T::zero();
        }
        let c = &self.c;
        let peak_factor = m.turn.as_ref().map_or(T::one(), |turn| turn.peak_y);
        let peak = friction * b.fz * at.side_force * (c.RVY4 * m.alpha_star).cos_atan();
        peak * peak_factor * (c.RVY5 * (c.RVY6 * m.kappa).atan()).sin() * m.fade
    }
}

/// Fx and Fy of a file without weighting functions: each force as far along the friction ellipse as
/// the direction of slip says (Adams/Tire's friction ellipse for PAC2002).
fn friction_ellipse<T: Real>(
    b: &Basics<T>,
    at: &longitudinal::AtLoad<T>,
    m: &Motion<T>,
    (x, fx): (&longitudinal::Pure<T>, T),
    (y, fy): (&lateral::Pure<T>, T),
) -> (T, T) {
    let least = T::of(1e-9);
    let fz = nonzero(b.fz);
    let kappa = (m.kappa + x.shift + x.rise / nonzero(at.stiffness)).abs();
    let sine = (m.alpha + y.shift + y.rise / nonzero(y.stiffness))
        .sin()
        .abs();
    // tan β = sin αc / |κc|; both scales in its sine and cosine, so that neither divides by 0.
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
        T::select(slipping, scale_x, T::one()) * fx,
        T::select(slipping, scale_y, T::one()) * fy,
    )
}
