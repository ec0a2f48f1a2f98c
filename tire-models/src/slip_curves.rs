//! User-drawn curves of friction over slip, one along and one across (as in Jolt).
//!
//! ```text
//! ρ = √((κ/κ̂)² + (α/α̂)²)
//! Fx = μN·curve(ρ·κ̂)·(κ/κ̂)/ρ        Fy = −μN·curve(ρ·α̂)·(α/α̂)/ρ
//! ```
//!
//! κ̂ and α̂ are the slips of the curves' peaks. With only one slip the force is the curve; with
//! both, it stays on the ellipse of the peaks. Jolt does not combine the curves. The curves' values
//! times the friction of the surface are the coefficient of friction. No camber, no aligning
//! moment.

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire::TireTraits;
use vehicle_core::{
    Check, Checked, Curve, Inspector, TireForces, TireInput, TireModel, TireProperties,
};

use crate::real::Real;
use crate::spec::TireParams;
use crate::steady::{self, Forces, SteadyInput, SteadyLaw, TINY};

/// Parameters of [`SlipCurves`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlipCurvesParams {
    /// Friction over the slip ratio's magnitude (–); from (0, 0), ≥ 0.
    pub longitudinal: Curve,
    /// Friction over the slip angle's magnitude (`deg`); from (0, 0), ≥ 0.
    pub lateral_deg: Curve,
}

impl SlipCurvesParams {
    /// Jolt's default curves.
    #[must_use]
    pub fn jolt() -> Self {
        Self {
            longitudinal: Curve(vec![[0.0, 0.0], [0.06, 1.2], [0.2, 1.0]]),
            lateral_deg: Curve(vec![[0.0, 0.0], [3.0, 1.2], [20.0, 1.0]]),
        }
    }
}

impl Check for SlipCurvesParams {
    fn check(&self, i: &mut Inspector) {
        for (name, curve) in [
            ("longitudinal", &self.longitudinal),
            ("lateral_deg", &self.lateral_deg),
        ] {
            i.within(name, |i| {
                curve.check(i);
                let first = curve.0.first().copied().unwrap_or_default();
                let rule = "the first point must be (0, 0)";
                i.rule(first == [0.0, 0.0], "[0]", format!("{first:?}"), "", rule);
                for (n, point) in curve.0.iter().enumerate() {
                    i.not_negative(&format!("[{n}].y"), point[1], "");
                }
                let (x, y) = peak(curve);
                i.rule(x > 0.0 && y > 0.0, "", y, "", "must rise above 0");
            });
        }
    }
}

impl TireParams for SlipCurvesParams {
    type Model = SlipCurves;
    fn build(params: Checked<Self>) -> SlipCurves {
        SlipCurves::new(&params)
    }
}

/// The first maximum of a curve.
fn peak(curve: &Curve) -> (f32, f32) {
    let points = curve.0.iter();
    points.fold(
        (0.0, 0.0),
        |best, &[x, y]| if y > best.1 { (x, y) } else { best },
    )
}

/// A curve over any number type: pieces, each with a start and a slope.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pieces<T> {
    x: [T; Curve::CAPACITY],
    y: [T; Curve::CAPACITY],
    slope: [T; Curve::CAPACITY],
    /// Slip of the peak.
    peak: T,
    /// Friction there.
    greatest: T,
}

impl Pieces<f32> {
    fn new(curve: &Curve) -> Self {
        let last = curve.0.len().saturating_sub(1);
        let point = |i: usize| curve.0.get(i.min(last)).copied().unwrap_or_default();
        let slope = |i| {
            let ([x0, y0], [x1, y1]) = (point(i), point(i + 1));
            if x1 > x0 { (y1 - y0) / (x1 - x0) } else { 0.0 }
        };
        Self {
            x: core::array::from_fn(|i| point(i)[0]),
            y: core::array::from_fn(|i| point(i)[1]),
            slope: core::array::from_fn(slope),
            peak: peak(curve).0,
            greatest: peak(curve).1,
        }
    }

    fn map<U: Copy>(&self, f: impl Fn(f32) -> U) -> Pieces<U> {
        Pieces {
            x: self.x.map(&f),
            y: self.y.map(&f),
            slope: self.slope.map(&f),
            peak: f(self.peak),
            greatest: f(self.greatest),
        }
    }
}

impl<T: Real> Pieces<T> {
    #[inline]
    fn at(&self, x: T) -> T {
        let mut y = self.y[0];
        for i in 0..Curve::CAPACITY {
            let here = self.y[i] + self.slope[i] * (x - self.x[i]);
            y = T::select(x.ge(self.x[i]), here, y);
        }
        y
    }
}

/// Longitudinal and lateral curve.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Curves<T> {
    longitudinal: Pieces<T>,
    lateral: Pieces<T>,
}

impl<T: Real> SteadyLaw<T> for Curves<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let degrees = slip.tan_angle.atan() * T::of(180.0 / core::f64::consts::PI);
        let x = slip.ratio / self.longitudinal.peak;
        let y = degrees / self.lateral.peak;
        let total = x.hypot(y);
        let divisor = total.max(T::of(TINY));
        let force = slip.friction * slip.load;
        let along = self.longitudinal.at(total * self.longitudinal.peak);
        let across = self.lateral.at(total * self.lateral.peak);
        Forces {
            longitudinal: force * along * (x / divisor),
            lateral: -(force * across * (y / divisor)),
            aligning_moment: T::zero(),
        }
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        let force = slip.friction * slip.load;
        [
            force * self.longitudinal.greatest,
            force * self.lateral.greatest,
        ]
    }
}

/// User-drawn friction curves as a tire.
#[derive(Clone, Debug, PartialEq)]
pub struct SlipCurves {
    law: Curves<f32>,
    /// The law with its parameters in every lane.
    law4: Curves<W4>,
    falls: bool,
}

impl SlipCurves {
    /// A tire with these curves.
    #[must_use]
    pub fn new(params: &Checked<SlipCurvesParams>) -> Self {
        let law = Curves {
            longitudinal: Pieces::new(&params.longitudinal),
            lateral: Pieces::new(&params.lateral_deg),
        };
        let curves = [&params.longitudinal, &params.lateral_deg];
        let falls = |c: &&Curve| c.0.windows(2).any(|pair| pair[1][1] < pair[0][1]);
        Self {
            law4: Curves {
                longitudinal: law.longitudinal.map(W4::splat),
                lateral: law.lateral.map(W4::splat),
            },
            law,
            falls: curves.iter().any(falls),
        }
    }
}

impl TireModel for SlipCurves {
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: false,
            feels_camber: false,
            friction_falls: self.falls,
            has_moments: false,
            has_properties: true,
            bounds_each: false,
        }
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        steady::properties(&self.law, input)
    }

    fn properties4(&self, input: &TireInput<W4>, _: Mask4) -> TireProperties<W4> {
        steady::properties(&self.law4, input)
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        steady::forces(&self.law, input)
    }

    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        steady::forces4(&self.law4, input, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;
    use vehicle_core::math;

    fn input(slip_ratio: f32, degrees: f32) -> TireInput {
        TireInput {
            slip_ratio,
            tan_slip_angle: math::tan(degrees.to_radians()),
            radius: 0.3,
            load: 1000.0,
            rest_load: 1000.0,
            friction: 1.0,
            gravity: 9.81,
            ..TireInput::default()
        }
    }

    #[rstest]
    #[case(0.03, 0.0, 600.0, 0.0)]
    #[case(-0.06, 0.0, -1200.0, 0.0)]
    #[case(0.13, 0.0, 1100.0, 0.0)]
    #[case(9.0, 0.0, 1000.0, 0.0)]
    #[case(0.0, 1.5, 0.0, -600.0)]
    #[case(0.0, -45.0, 0.0, 1000.0)]
    // 0.6 and 0.8 of the peak slips: on the ellipse of the peaks.
    #[case(0.036, 2.4, 720.0, -960.0)]
    fn forces_by_hand(#[case] ratio: f32, #[case] degrees: f32, #[case] x: f32, #[case] y: f32) {
        let tire = SlipCurves::new(&Checked::new(SlipCurvesParams::jolt()).unwrap());
        let f = tire.forces(&input(ratio, degrees));
        assert_relative_eq!(f.longitudinal, x, epsilon = 0.01);
        assert_relative_eq!(f.lateral, y, epsilon = 0.01);
    }

    #[rstest]
    #[case::not_from_zero(vec![[0.0, 0.1], [1.0, 1.0]])]
    #[case::negative(vec![[0.0, 0.0], [1.0, 1.0], [2.0, -1.0]])]
    #[case::flat(vec![[0.0, 0.0], [1.0, 0.0]])]
    #[case::empty(vec![])]
    fn bad_curves_are_named(#[case] points: Vec<[f32; 2]>) {
        let params = SlipCurvesParams {
            longitudinal: Curve(points),
            ..SlipCurvesParams::jolt()
        };
        let error = Checked::new(params).unwrap_err();
        assert!(
            error
                .0
                .iter()
                .all(|fault| fault.path.starts_with("longitudinal"))
        );
    }
}
