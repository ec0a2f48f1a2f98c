//! Exact derivatives of a law's forces with respect to all of its inputs: [`derivatives`].
//!
//! They come from dual numbers ([`Dual`]), not from differences: there is no step to choose, and
//! the only error is rounding. At a corner of a law (a limit that starts to act) they are
//! one-sided.

use crate::real::Dual;
use crate::steady::{Forces, SteadyInput, SteadyLaw};

/// Number of a law's inputs.
const INPUTS: usize = 6;

/// The number type that a law must support for [`derivatives`]: one with six derivatives.
pub type Variable = Dual<f64, INPUTS>;

/// Forces (`N`, `N·m`) in ISO-W, and their derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivatives {
    /// The forces themselves.
    pub forces: Forces<f64>,
    /// Derivatives by the slip ratio κ; at zero slip, `longitudinal` is the slip stiffness (`N`).
    pub by_slip_ratio: Forces<f64>,
    /// Derivatives by the tangent of the slip angle; at zero slip, `lateral` is the cornering stiffness (`N/rad`), negative.
    pub by_tan_angle: Forces<f64>,
    /// Derivatives by the inclination γ (`1/rad`).
    pub by_camber: Forces<f64>,
    /// Derivatives by the load (`1/N`).
    pub by_load: Forces<f64>,
    /// Derivatives by the friction between tire and surface.
    pub by_friction: Forces<f64>,
    /// Derivatives by the sliding speed of the contact (`s/m`).
    pub by_speed: Forces<f64>,
}

/// Forces and their derivatives at a slip.
///
/// `map` converts the law's parameters to constants of that number type; a [`MagicFormula`] is
/// built with it.
///
/// ```
/// use tire_models::DugoffParams;
/// use tire_models::derivatives::{Variable, derivatives};
/// use tire_models::magic_formula::{Coefficients, MagicFormula, Settings, Version};
/// use tire_models::steady::SteadyInput;
///
/// let at = SteadyInput { ratio: 0.0, tan_angle: 0.0, camber: 0.0, load: 4000.0, friction: 1.0, speed: 0.0 };
/// let law = DugoffParams { slip_stiffness: 1e5_f32, cornering_stiffness: 8e4 };
/// let slopes = derivatives(&law.map(|&x| Variable::constant(x.into())), &at);
/// assert_eq!(slopes.by_slip_ratio.longitudinal, 1e5);
/// assert_eq!(slopes.by_tan_angle.lateral, -8e4);
///
/// let tire = MagicFormula::<Variable>::new(&Coefficients::template(), Version::V61, Settings::mf_tyre())?;
/// let slopes = derivatives(&tire, &SteadyInput { ratio: 0.05, tan_angle: 0.1, ..at });
/// // More load gives more force, forward and to the right.
/// assert!(slopes.by_load.longitudinal > 0.0 && slopes.by_load.lateral < 0.0);
/// # Ok::<(), vehicle_core::InvalidParams>(())
/// ```
///
/// [`MagicFormula`]: crate::magic_formula::MagicFormula
#[must_use]
pub fn derivatives(law: &impl SteadyLaw<Variable>, slip: &SteadyInput<f64>) -> Derivatives {
    let forces = law.forces(&SteadyInput {
        ratio: Dual::variable(slip.ratio, 0),
        tan_angle: Dual::variable(slip.tan_angle, 1),
        camber: Dual::variable(slip.camber, 2),
        load: Dual::variable(slip.load, 3),
        friction: Dual::variable(slip.friction, 4),
        speed: Dual::variable(slip.speed, 5),
    });
    let all = |f: fn(&Variable, usize) -> f64, n: usize| Forces {
        longitudinal: f(&forces.longitudinal, n),
        lateral: f(&forces.lateral, n),
        aligning_moment: f(&forces.aligning_moment, n),
    };
    let by = |n| all(|x, n| x.derivatives[n], n);
    Derivatives {
        forces: all(|x, _| x.value, 0),
        by_slip_ratio: by(0),
        by_tan_angle: by(1),
        by_camber: by(2),
        by_load: by(3),
        by_friction: by(4),
        by_speed: by(5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BrushParams;
    use crate::magic_formula::{Coefficients, MagicFormula, Settings, Version};
    use proptest::prelude::*;

    fn brush() -> BrushParams<f64> {
        BrushParams {
            tread_stiffness_x: 2e7,
            tread_stiffness_y: 1.5e7,
            half_length: 0.06,
            nominal_load: 4000.0,
            load_sensitivity: 0.1,
            kinetic_friction: 0.8,
            stribeck_speed: 2.0,
        }
    }

    fn magic<T: crate::real::Real>() -> MagicFormula<T> {
        let c = Coefficients::template();
        MagicFormula::new(&c, Version::V61, Settings::mf_tyre()).unwrap()
    }

    /// Compares all derivatives with central differences.
    fn hold(
        law: &impl SteadyLaw<f64>,
        variable: &impl SteadyLaw<Variable>,
        x: [f64; INPUTS],
    ) -> Result<(), TestCaseError> {
        let slip = |x: [f64; INPUTS]| SteadyInput {
            ratio: x[0],
            tan_angle: x[1],
            camber: x[2],
            load: x[3],
            friction: x[4],
            speed: x[5],
        };
        let list = |f: &Forces<f64>| [f.longitudinal, f.lateral, f.aligning_moment];
        let at = |x| list(&law.forces(&slip(x)));
        let exact = derivatives(variable, &slip(x));
        for (a, b) in list(&exact.forces).into_iter().zip(at(x)) {
            prop_assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()));
        }
        let by = [
            exact.by_slip_ratio,
            exact.by_tan_angle,
            exact.by_camber,
            exact.by_load,
            exact.by_friction,
            exact.by_speed,
        ];
        for (n, found) in by.iter().enumerate() {
            let step = 1e-6 * x[n].abs().max(0.1);
            let moved = |by: f64| {
                let mut x = x;
                x[n] += by;
                at(x)
            };
            let (low, here, high) = (moved(-step), at(x), moved(step));
            for (i, found) in list(found).into_iter().enumerate() {
                let (before, after) = ((here[i] - low[i]) / step, (high[i] - here[i]) / step);
                let near = 0.5 * (before + after);
                let noise = 1e-9 * (1.0 + here[i].abs()) / step + 1e-4 * near.abs();
                // One-sided differences that disagree mark a corner.
                if (before - after).abs() <= noise {
                    prop_assert!((found - near).abs() <= noise, "{n} {i}: {found} {near}");
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn derivatives_are_central_differences(
            ratio in -0.8..0.8_f64, tan in -0.6..0.6_f64, camber in -0.1..0.1_f64,
            load in 500.0..8000.0_f64, friction in 0.2..1.2_f64, speed in 0.5..10.0_f64,
        ) {
            let x = [ratio, tan, camber, load, friction, speed];
            hold(&brush(), &brush().map(|&x| Dual::constant(x)), x)?;
            hold(&magic::<f64>(), &magic::<Variable>(), x)?;
        }
    }

    /// A term of a law may be skipped where it is 0, but not its slope.
    #[test]
    fn an_upright_tire_has_a_derivative_by_camber() {
        let upright = [0.02, 0.03, 0.0, 4000.0, 1.0, 0.6];
        hold(&magic::<f64>(), &magic::<Variable>(), upright).unwrap();
        let slopes = derivatives(
            &magic::<Variable>(),
            &SteadyInput {
                ratio: 0.0,
                tan_angle: 0.0,
                camber: 0.0,
                load: 4000.0,
                friction: 1.0,
                speed: 0.0,
            },
        );
        assert!(slopes.by_camber.lateral < -1000.0, "{slopes:?}");
    }
}
