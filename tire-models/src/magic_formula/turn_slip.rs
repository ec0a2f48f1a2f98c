//! Turn slip: the factors ζ of path curvature (\[B\] 4.75–4.106).
//!
//! Axes are ISO-W, z up: a wheel whose path bends to the left, φt < 0, and one that inclines to the
//! right, γ > 0, turn their contacts alike; both push to the right and resist. Turn slip without
//! path curvature therefore leaves camber unchanged. MFeval has the camber part with the opposite
//! sign, which reverses camber thrust, and a moment by φt with a stiffness of another sign: see
//! [`Variant::MfevalCompat`].
//!
//! ζ = 1 without turn slip. ζ0 = 0, ζ4 and ζ8 are sums in \[B\]; here they are the added terms.

use crate::real::Real;

use super::MagicFormula;
use super::load::Basics;
use super::settings::Variant;
use super::shape::{MagicCurve, guarded, nonzero};

/// Turn slip at a slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn<T> {
    /// φ, spin of the contact with the part of camber (`1/m`), positive to the left (4.76).
    spin: T,
    /// φt within the limits (`1/m`).
    path: T,
    /// 1 − εγ (4.90).
    camber_share: T,
    /// ζ1, of Fx's peak (4.105).
    pub(super) peak_x: T,
    /// ζ2, of Fy's peak (4.77).
    pub(super) peak_y: T,
    /// ζ3, of Kyα (4.79).
    pub(super) stiffness_y: T,
}

/// Quantities of a motion that turn slip uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<T> {
    /// κ.
    pub(super) kappa: T,
    /// tan α.
    pub(super) tan_alpha: T,
    /// Vx (`m/s`).
    pub(super) vx: T,
    /// Curvature of the path φt (`1/m`).
    pub(super) path: T,
    /// Spin of the wheel Ω (`rad/s`).
    pub(super) wheel_spin: T,
}

/// Factors of turn slip on the aligning moment.
pub(super) struct TurningMoment<T> {
    /// ζ5, of the trail (4.91).
    pub(super) trail: T,
    /// ζ6, of the residual moment's slope (4.102).
    pub(super) slope: T,
    /// ζ7, the residual moment's shape.
    pub(super) shape: T,
    /// Drφ = ζ8 − 1 (`N·m`).
    pub(super) peak: T,
}

impl<T: Real> Turn<T> {
    pub(super) fn new(tire: &MagicFormula<T>, b: &Basics<T>, m: &Moving<T>) -> Self {
        let (c, one, path) = (&tire.c, T::one(), m.path);
        let camber_share = one - c.PECP1 * (one + c.PECP2 * b.dfz);
        // Vc', kept away from 0 (4.76).
        let low = c.VXLOW.max(T::of(1e-3));
        let total = m.vx.hypot(m.tan_alpha * m.vx);
        let slow = m.vx.abs().lt(low);
        let speed = T::select(slow, low * m.vx.sign_or_one(), total);
        let leaning = camber_share * m.wheel_spin * b.gamma.sin() / speed;
        let spin = match tire.settings.variant {
            Variant::MfevalCompat => -path - leaning,
            Variant::MfTyre | Variant::Book => -path + leaning,
        };
        let turns = c.UNLOADED_RADIUS * spin;
        let slope_x = c.PDXP1 * (one + c.PDXP2 * b.dfz) * (c.PDXP3 * m.kappa).cos_atan();
        let slope_y = c.PDYP1 * (one + c.PDYP2 * b.dfz) * (c.PDYP3 * m.tan_alpha).cos_atan();
        let magnitude = turns.abs();
        Self {
            spin,
            path,
            camber_share,
            peak_x: (slope_x * turns).cos_atan(),
            peak_y: (slope_y * (magnitude + c.PDYP4 * magnitude.sqrt())).cos_atan(),
            stiffness_y: (c.PKYP1 * turns * turns).cos_atan(),
        }
    }

    /// `SHyφ` (4.80–4.89), from an upright tire's cornering and camber stiffness, driving in a
    /// direction.
    pub(super) fn shift_y(
        &self,
        tire: &MagicFormula<T>,
        b: &Basics<T>,
        [stiffness, camber]: [T; 2],
        direction: T,
    ) -> T {
        let c = &tire.c;
        let peak = (c.PHYP2 + c.PHYP3 * b.dfz) * direction;
        let stiffness = guarded(stiffness * self.stiffness_y);
        let camber = camber / nonzero(self.camber_share);
        let slope = camber / nonzero(c.PHYP1 * peak * stiffness);
        let turns = c.UNLOADED_RADIUS * self.spin;
        let curvature = tire.curvature(c.PHYP4);
        peak * MagicCurve::sine(slope * turns, c.PHYP1, curvature).value() * direction
    }

    /// ζ5 to ζ8 (4.91–4.103), at a peak friction μy and a weight Gyκ.
    pub(super) fn moment(
        &self,
        tire: &MagicFormula<T>,
        b: &Basics<T>,
        friction_y: T,
        weight_y: T,
    ) -> TurningMoment<T> {
        let c = &tire.c;
        let (r0, fz) = (c.UNLOADED_RADIUS, b.fz_moment);
        // Mzφ∞, the moment of turning on the spot (4.95).
        let friction = friction_y.abs();
        let standing = c.QCRP1 * friction * r0 * fz * (fz / b.nominal).sqrt() * c.LMP;
        let standing = T::select(standing.lt(T::zero()), T::of(1e-6), standing);
        let quarter = T::of(core::f64::consts::FRAC_PI_2);
        let most = standing / nonzero((quarter * c.QDRP1).sin());
        let stiffness = turning_stiffness(tire, b);
        let slope = stiffness / nonzero(c.QDRP1 * most * self.camber_share);
        let turns = match tire.settings.variant {
            Variant::MfevalCompat => self.path,
            Variant::MfTyre | Variant::Book => self.spin,
        };
        let peak = most * (c.QDRP1 * bounded_atan(slope * r0 * turns)).sin();
        let across = (c.QCRP2 * r0 * self.path.abs()).atan() / quarter;
        let across = standing * across * weight_y;
        // 0 where nothing turns; the limit for φt → 0 is the ratio of slopes; MFeval divides 0 by
        // 0.
        let share = (across / nonzero(peak.abs())).clamp(T::zero(), T::one());
        TurningMoment {
            trail: (c.QDTP1 * r0 * self.spin).cos_atan(),
            slope: (c.QBRP1 * r0 * self.spin).cos_atan(),
            shape: share.acos() / quarter,
            peak,
        }
    }
}

/// Kzγr0 (`N·m/rad`) (4.99). MFeval multiplies `QDZ8` with `QDZ9`, which makes it 0 at nominal load
/// where `QDZ10` is 0, and ζ7 NaN.
fn turning_stiffness<T: Real>(tire: &MagicFormula<T>, b: &Basics<T>) -> T {
    let c = &tire.c;
    let (first, last) = match tire.settings.variant {
        Variant::MfevalCompat => (
            c.QDZ8 * c.QDZ9 * b.dfz,
            c.QDZ10 + c.QDZ11 * b.dfz * b.gamma.abs(),
        ),
        Variant::MfTyre | Variant::Book => (
            c.QDZ8 + c.QDZ9 * b.dfz,
            (c.QDZ10 + c.QDZ11 * b.dfz) * b.gamma.abs(),
        ),
    };
    b.fz_moment * c.UNLOADED_RADIUS * (first + last) * c.LKZC
}

/// atan of an argument that may be out of bounds.
fn bounded_atan<T: Real>(x: T) -> T {
    super::limits::bounded(x, 1e18).atan()
}
