//! Pure lateral slip: Fy0 (\[B\] 4.E19–4.E30; 5.2 as in PAC2002; `motorcycle`).

mod motorcycle;

use crate::real::{Function, Real, each};

use super::MagicFormula;
use super::load::Basics;
use super::motion::EffectiveSlip;
use super::settings::{SlipDefinition, Version};
use super::shape::{MagicCurve, guarded, nonzero};
use motorcycle::{Lean, LeanAngle};

/// Fy0's curve at a load and inclination, without the friction of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LateralAtLoad<T> {
    /// γ* (`rad`).
    gamma: T,
    /// The part of inclination inside the sine, for motorcycles.
    lean: Option<Lean<T>>,
    /// Cy (4.E21).
    shape: T,
    /// μy over λ*μy (4.E23).
    friction: T,
    /// Kyα without turn slip (`N/rad`) (4.E25).
    pub(super) stiffness: T,
    /// Kyα without inclination (`N/rad`), used by turn slip.
    pub(super) stiffness_upright: T,
    /// Kyγ0 (`N/rad`) (4.E30).
    pub(super) camber_stiffness: T,
    /// Ey without its sign factor (4.E24).
    curvature: T,
    /// The part of that factor that does not depend on the sign.
    even: T,
    /// The part that does.
    odd: T,
    /// `SHy` without inclination (4.E27).
    shift: T,
    /// `SVy` over λ'μy without inclination (`N`) (4.E29).
    rise: T,
    /// `SVyγ` over λ'μy (`N`) (4.E28).
    camber_rise: T,
}

impl<T: Real> LateralAtLoad<T> {
    /// Computes the lateral shape at the actual inclination.
    #[inline]
    pub(super) fn leaning(tire: &MagicFormula<T>, b: &Basics<T>) -> Self {
        if tire.version == Version::Motorcycle {
            return motorcycle::leaning(tire, b);
        }
        let none = T::zero();
        let gamma = b.gamma_star * tire.c.LGAY;
        let square = gamma * gamma;
        let [leaning, upright] = stiffness_by_load(tire, b, [square, none]);
        if gamma.is_nothing() {
            return Self::new(tire, b, none, [upright; 2]);
        }
        Self::new(tire, b, gamma, [leaning, upright])
    }

    /// The lateral shape of an upright tire.
    pub(super) fn upright(&self, tire: &MagicFormula<T>, b: &Basics<T>) -> Self {
        if tire.version == Version::Motorcycle {
            return motorcycle::at(tire, b, T::zero());
        }
        Self::new(tire, b, T::zero(), [self.stiffness_upright; 2])
    }

    /// Computes the lateral shape at an inclination γ*, which may differ from that of `b`, with its Kyα without the direct part
    /// of inclination, and the upright one.
    #[inline]
    fn new(tire: &MagicFormula<T>, b: &Basics<T>, gamma: T, stiffness: [T; 2]) -> Self {
        let c = &tire.c;
        let one = T::one();
        let (fz, dfz, dpi) = (b.fz, b.dfz, b.dpi);
        let square = gamma * gamma;
        let loaded = T::select(fz.gt(T::zero()), one, T::zero());
        let camber_load = fz * (c.PVY3 + c.PVY4 * dfz) * c.LKYC;
        Self {
            gamma,
            lean: None,
            shape: c.PCY1 * c.LCY,
            friction: (c.PDY1 + c.PDY2 * dfz)
                * (one + c.PPY3 * dpi + c.PPY4 * dpi * dpi)
                * (one - c.PDY3 * square)
                * loaded,
            stiffness: stiffness[0] * (one - c.PKY3 * gamma.abs()),
            stiffness_upright: stiffness[1],
            camber_stiffness: fz * (c.PKY6 + c.PKY7 * dfz) * (one + c.PPY5 * dpi) * c.LKYC,
            curvature: (c.PEY1 + c.PEY2 * dfz) * c.LEY,
            even: one + c.PEY5 * square,
            odd: c.PEY3 + c.PEY4 * gamma,
            shift: (c.PHY1 + c.PHY2 * dfz) * c.LHY,
            rise: fz * (c.PVY1 + c.PVY2 * dfz) * c.LVY,
            camber_rise: camber_load * gamma,
        }
    }
}

/// sin(C·atan x) for x and C.
struct SineOfAngle;
impl Function<2> for SineOfAngle {
    #[inline]
    fn at<T: Real, const N: usize>(x: [[T; 2]; N]) -> [T; N] {
        let angles = each([T::zero(); N], |_, i| x[i][1] * x[i][0].atan());
        each(angles, |angle, _| angle.sin())
    }
}

/// Kyα (`N/rad`) at squares of inclination, without its direct part (4.E25).
#[inline]
fn stiffness_by_load<T: Real>(tire: &MagicFormula<T>, b: &Basics<T>, squares: [T; 2]) -> [T; 2] {
    let c = &tire.c;
    let greatest = c.PKY1 * b.nominal * (T::one() + c.PPY1 * b.dpi) * c.LKY;
    let relative = b.fz / b.nominal;
    let loads = each(squares, |square, _| {
        let at = (c.PKY2 + c.PKY5 * square) * (T::one() + c.PPY2 * b.dpi);
        relative / nonzero(at)
    });
    let sines = T::side_by_side::<SineOfAngle, 2, 2>(loads.map(|load| [load, c.PKY4]));
    each(sines, |sine, _| greatest * sine)
}

/// Fy0's curve at a friction: everything independent of slip, except decay, low speed and turn
/// slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LateralAtFriction<T> {
    /// By (4.E26).
    slope: T,
    /// By·Cy.
    pub(super) initial_slope: T,
    /// Dy (`N`).
    peak: T,
    /// μy.
    pub(super) friction: T,
    /// Kyα (`N/rad`).
    pub(super) stiffness: T,
    /// `SHy`.
    pub(super) shift: T,
    /// `SVy` (`N`).
    pub(super) rise: T,
    /// The part of inclination, for motorcycles.
    pub(super) lean: Option<LeanAngle<T>>,
}

impl<T: Real> LateralAtFriction<T> {
    /// Computes the lateral curve at a load, and a `motion`'s effect on it.
    #[inline]
    pub(super) fn new(
        tire: &MagicFormula<T>,
        at: &LateralAtLoad<T>,
        b: &Basics<T>,
        motion: Option<&EffectiveSlip<T>>,
    ) -> Self {
        let one = T::one();
        let (decay, fade) = motion.map_or((one, one), |m| (m.decay, m.fade));
        let turning = motion.and_then(|m| Some((m, m.turn.as_ref()?)));
        let scale = b.friction.1 * decay;
        let digressive = tire.digressive(scale);
        let (mut stiffness, mut peak_factor) = (at.stiffness, one);
        if let Some((_, turn)) = turning {
            (stiffness, peak_factor) = (stiffness * turn.stiffness_y, turn.peak_y);
        }
        let camber_rise = at.camber_rise * digressive * peak_factor;
        let by_camber = match (tire.version, turning) {
            (Version::V52, _) => tire.c.PHY3 * at.gamma * tire.c.LKYC,
            (Version::Motorcycle, _) => T::zero(),
            // ζ0 = 0 and ζ4, 4.83 and 4.84.
            (_, Some((m, turn))) => {
                turn.shift_y(
                    tire,
                    b,
                    [at.stiffness_upright, at.camber_stiffness],
                    m.direction,
                ) - camber_rise / guarded(stiffness)
            }
            (_, None) => (at.camber_stiffness * at.gamma - camber_rise) / guarded(stiffness),
        };
        let friction = at.friction * scale;
        let peak = friction * b.fz * peak_factor;
        let slope = stiffness / guarded(at.shape * peak);
        Self {
            slope,
            initial_slope: slope * at.shape,
            peak,
            friction,
            stiffness,
            shift: (at.shift + by_camber) * fade,
            rise: (at.rise * digressive * peak_factor + camber_rise) * fade,
            lean: at.lean.map(|lean| lean.angle(peak)),
        }
    }
}

impl<T: Real> MagicFormula<T> {
    /// The argument of Fy0's sine.
    #[inline]
    pub(super) fn lateral_curve(
        &self,
        at: &LateralAtLoad<T>,
        level: &LateralAtFriction<T>,
        m: &EffectiveSlip<T>,
    ) -> MagicCurve<T> {
        let alpha = m.alpha_star + level.shift;
        let curvature = at.curvature * (at.even - at.odd * alpha.sign_or_one());
        MagicCurve::sine(level.slope * alpha, at.shape, self.curvature(curvature))
    }

    /// Fy0 (`N`) from the sine of [`MagicFormula::lateral_curve`].
    #[inline]
    pub(super) fn lateral_force(
        &self,
        level: &LateralAtFriction<T>,
        sine: T,
        m: &EffectiveSlip<T>,
    ) -> T {
        let force = level.peak * sine + level.rise;
        // Backward, tangents reverse it.
        match self.settings.slip_definition {
            SlipDefinition::Angles => force,
            SlipDefinition::Tangents => T::select(m.backward, -force, force),
        }
    }
}
