//! The curve that Pacejka's formulas of 1987, 1989 and 1994 share, and the combination of curves of pure slip.
//!
//! ```text
//! y(x) = D·sin(C·atan(Bx′ − E·(Bx′ − atan Bx′))) + Sv,  x′ = x + Sh
//! ```
//!
//! The formulas take slip in per cent, angles in degrees and load in kN, and give N and N·m. Their axes are
//! [`TireFrame::AdaptedSae`]; the vehicle models return forces in ISO-W.
//!
//! Combined slip is by similarity: both slips, measured from the centers of the curves, are
//! normalized by peak over stiffness (so that the two curves start alike), and each force is that
//! of its own curve at the resultant slip, in the slip's direction. With only one slip this is the
//! curve itself. What the vertical shifts add is cut off at the ellipse of the two peaks. Friction
//! scales peaks but not stiffnesses. Curvatures above 1 count as 1: otherwise a curve reverses at
//! large slip, and a sliding tire would accelerate the car.

use vehicle_core::Inspector;

use crate::frames::TireFrame;
use crate::magic_formula::shape::MagicCurve;
use crate::real::Real;
use crate::steady::{Forces, SteadyInput, TINY};

/// One curve, at one load and inclination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape<T> {
    /// Stiffness factor B (`1/%` or `1/°`).
    pub b: T,
    /// Shape factor C (–).
    pub c: T,
    /// Peak D (`N` or `N·m`).
    pub d: T,
    /// Curvature factor E at positive slip (–).
    pub e_positive: T,
    /// Curvature factor E at negative slip (–).
    pub e_negative: T,
    /// Horizontal shift Sh (`%` or `°`).
    pub shift: T,
    /// Vertical shift Sv (`N` or `N·m`).
    pub lift: T,
}

impl<T: Real> Shape<T> {
    /// The curve.
    #[inline]
    pub fn at(&self, slip: T) -> T {
        self.odd(slip + self.shift) + self.lift
    }

    /// The curve with curvatures limited to 1, which keep it from changing sign.
    #[inline]
    fn without_return(self) -> Self {
        Self {
            e_positive: self.e_positive.min(T::one()),
            e_negative: self.e_negative.min(T::one()),
            ..self
        }
    }

    /// The curve about its own origin.
    #[inline]
    fn odd(&self, x: T) -> T {
        let e = T::select(x.lt(T::zero()), self.e_negative, self.e_positive);
        self.d * MagicCurve::sine(self.b * x, self.c, e).value()
    }
}

impl<T: Real> Shape<T> {
    /// Maximum magnitude of the curve without its lift: D, or what the sine reaches of it.
    #[inline]
    fn greatest(&self) -> T {
        let most = self.c.min(T::one()) * T::of(core::f64::consts::FRAC_PI_2);
        self.d.abs() * most.sin()
    }
}

/// The three curves of a tire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shapes<T> {
    /// Fx over slip ratio.
    pub longitudinal: Shape<T>,
    /// Fy over slip angle.
    pub lateral: Shape<T>,
    /// Mz over slip angle.
    pub aligning: Shape<T>,
}

/// Lower bound of the load (`kN`) in quotients whose numerator and denominator both vanish with it.
const LEAST_LOAD: f64 = 1e-6;

/// B from the stiffness B·C·D, C and D, the first and last computed at a load from [`held`].
#[inline]
pub(crate) fn stiffness_factor<T: Real>(stiffness: T, c: T, d: T) -> T {
    let product = c * d;
    let none = product.abs().le(T::of(TINY));
    T::select(
        none,
        T::zero(),
        stiffness / T::select(none, T::one(), product),
    )
}

/// A load (`kN`) that is safe as a divisor.
#[inline]
pub(crate) fn held<T: Real>(load: T) -> T {
    load.max(T::of(LEAST_LOAD))
}

/// `sin(2·atan x)`.
#[inline]
pub(crate) fn sin_2_atan<T: Real>(x: T) -> T {
    (x + x) / (T::one() + x * x)
}

/// `p[0]·x² + p[1]·x`.
#[inline]
pub(crate) fn growing<T: Real>(p: [T; 2], x: T) -> T {
    (p[0] * x + p[1]) * x
}

/// Load (`kN`) and inclination (`°`) of a slip, the load limited to `greatest` (`N`).
#[inline]
pub(crate) fn in_their_units<T: Real>(slip: &SteadyInput<T>, greatest: T) -> [T; 2] {
    let load = slip.load.min(greatest) / T::of(1000.0);
    [load, slip.camber * T::of(180.0 / core::f64::consts::PI)]
}

/// Forces in ISO-W at a combined slip.
#[inline]
pub(crate) fn combined<T: Real>(shapes: &Shapes<T>, slip: &SteadyInput<T>) -> Forces<T> {
    let [longitudinal, lateral, aligning] =
        [shapes.longitudinal, shapes.lateral, shapes.aligning].map(Shape::without_return);
    let tiny = T::of(TINY);
    let degrees = slip.tan_angle.atan() * T::of(180.0 / core::f64::consts::PI);
    let friction = slip.friction.max(T::of(1e-6));

    // Slips in units of peak over stiffness, on this surface.
    let unit_x = (longitudinal.b * longitudinal.c).abs().max(tiny) / friction;
    let unit_y = (lateral.b * lateral.c).abs().max(tiny) / friction;
    let x = (slip.ratio * T::of(100.0) + longitudinal.shift) * unit_x;
    let y = (degrees + lateral.shift) * unit_y;
    let total = x.hypot(y);
    let (cos, sin) = (x.abs() / total.max(tiny), y.abs() / total.max(tiny));

    // The equivalent slip of each curve, on the surface of its measurement.
    let own = |unit: T, sign: T| total / (unit * friction) * sign;
    let (own_x, own_y) = (own(unit_x, x.sign_or_one()), own(unit_y, y.sign_or_one()));
    let fx = longitudinal.odd(own_x) * cos + longitudinal.lift;
    let fy = lateral.odd(own_y) * sin + lateral.lift;
    let mz = aligning.at(own_y - lateral.shift) * sin;

    // On the ellipse of the peaks.
    let (peak_x, peak_y) = (longitudinal.d.abs().max(tiny), lateral.d.abs().max(tiny));
    let used = (fx / peak_x).hypot(fy / peak_y);
    let scale = friction / used.max(T::one());
    TireFrame::AdaptedSae.forces(Forces {
        longitudinal: fx * scale,
        lateral: fy * scale,
        aligning_moment: mz * scale,
    })
}

/// Maximum forces along and across (`N`).
#[inline]
pub(crate) fn grip<T: Real>(shapes: &Shapes<T>, slip: &SteadyInput<T>) -> [T; 2] {
    [&shapes.longitudinal, &shapes.lateral].map(|shape| slip.friction * shape.greatest())
}

/// Coefficients must be finite.
fn check_coefficients(i: &mut Inspector, name: &str, coefficients: &[f32]) {
    for (n, value) in coefficients.iter().enumerate() {
        i.finite(&format!("{name}[{n}]"), *value, "");
    }
}

/// Checks the coefficients of three curves; those of the first two's peaks begin at `peak`.
pub(crate) fn check_curves(
    i: &mut Inspector,
    greatest_load: f32,
    [longitudinal, lateral, aligning]: [&[f32]; 3],
    peak: usize,
) {
    i.positive("greatest_load", greatest_load, "N");
    check_coefficients(i, "longitudinal", longitudinal);
    check_coefficients(i, "lateral", lateral);
    check_coefficients(i, "aligning", aligning);
    for (name, c) in [("longitudinal", longitudinal), ("lateral", lateral)] {
        check_peak(i, name, [c[peak], c[peak + 1]], greatest_load);
    }
}

/// A peak `(p0·N + p1)·N`, N in kN, must be above 0 up to the maximum load (`N`).
fn check_peak(i: &mut Inspector, name: &str, p: [f32; 2], greatest_load: f32) {
    let over_load = p[0] * (greatest_load / 1000.0) + p[1];
    let rule = "must be above 0, and stay so up to greatest_load";
    i.rule(
        p[1] > 0.0 && over_load > 0.0,
        name,
        over_load,
        "N/kN at that load",
        rule,
    );
}

#[cfg(test)]
mod tests;
