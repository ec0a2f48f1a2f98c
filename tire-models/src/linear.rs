//! Constant stiffnesses inside the friction circle: the simplest law that can hold a car.
//!
//! ```text
//! Fx = Cκ·N·κ        Fy = −Cα·N·tan α − Cγ·N·γ        Mz = −t·Fy        wheel torque = −Fx·r
//! ```
//!
//! Both forces are scaled down together if their resultant exceeds μN. Camber thrust points to the
//! side the wheel inclines to: a positive inclination (top to the right) pushes to the right.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Checked, Inspector, TireForces, TireInput, TireModel, math};

use crate::limits;
use crate::spec::TireParams;

/// Parameters of [`Linear`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearParams {
    /// Longitudinal force per load and slip ratio (–), > 0; about 20 for a road tire.
    pub slip_stiffness: f32,
    /// Lateral force per load and tangent of the slip angle (`1/rad`), > 0; about 15.
    pub cornering_stiffness: f32,
    /// Camber thrust per load and inclination (`1/rad`), ≥ 0; about 1.
    pub camber_stiffness: f32,
    /// Pneumatic trail: how far behind the contact's center the lateral force acts (`m`), ≥ 0.
    pub trail: f32,
}

impl Check for LinearParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("slip_stiffness", self.slip_stiffness, "");
        i.positive("cornering_stiffness", self.cornering_stiffness, "1/rad");
        i.not_negative("camber_stiffness", self.camber_stiffness, "1/rad");
        i.not_negative("trail", self.trail, "m");
    }
}

impl TireParams for LinearParams {
    type Model = Linear;
    fn build(params: Checked<Self>) -> Linear {
        Linear::new(params)
    }
}

/// The linear law with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    params: LinearParams,
}

impl Linear {
    /// A tire with these parameters.
    #[must_use]
    pub fn new(params: Checked<LinearParams>) -> Self {
        Self {
            params: params.into_inner(),
        }
    }
}

/// Force over load (–) of a stiffness at a slip; bounded, so that no square overflows.
fn per_load(stiffness: f32, slip: f32) -> f32 {
    (stiffness * slip).clamp(-limits::PER_LOAD, limits::PER_LOAD)
}

/// A product of two finite numbers, kept finite.
fn finite_product(a: f32, b: f32) -> f32 {
    (a * b).clamp(f32::MIN, f32::MAX)
}

impl TireModel for Linear {
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: self.params.camber_stiffness != 0.0,
            feels_camber: self.params.camber_stiffness != 0.0,
            friction_falls: false,
            has_moments: self.params.trail != 0.0,
            has_properties: false,
            bounds_each: false,
        }
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        let p = &self.params;
        let load = input.load.clamp(0.0, limits::FORCE);
        let friction = input.friction.clamp(0.0, limits::PER_LOAD);
        let along = per_load(p.slip_stiffness, input.slip_ratio);
        let across = -per_load(p.cornering_stiffness, input.tan_slip_angle)
            - per_load(p.camber_stiffness, input.camber);
        let total = math::sqrt(along * along + across * across);
        let scale = if total > friction {
            friction / total
        } else {
            1.0
        };
        // The clamp only acts where the squares above underflow.
        let bounded = |x: f32| load * (x * scale).clamp(-friction, friction);
        let (longitudinal, lateral) = (bounded(along), bounded(across));
        TireForces {
            longitudinal,
            lateral,
            aligning_moment: finite_product(-lateral, p.trail),
            wheel_torque: finite_product(-longitudinal, input.radius),
            ..TireForces::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::lanes::{Mask4, W4};
    use vehicle_core::tire::TireInput;

    fn tire() -> Linear {
        Linear::new(
            Checked::new(LinearParams {
                slip_stiffness: 20.0,
                cornering_stiffness: 15.0,
                camber_stiffness: 1.0,
                trail: 0.03,
            })
            .unwrap(),
        )
    }

    fn input(slip_ratio: f32, tan_slip_angle: f32, camber: f32) -> TireInput {
        TireInput {
            slip_ratio,
            tan_slip_angle,
            camber,
            radius: 0.3,
            load: 4000.0,
            rest_load: 4000.0,
            friction: 0.9,
            gravity: 9.81,
            ..TireInput::default()
        }
    }

    #[rstest]
    #[case::drive(input(0.01, 0.0, 0.0), 800.0, 0.0)]
    #[case::slide_to_the_left(input(0.0, 0.01, 0.0), 0.0, -600.0)]
    #[case::lean_to_the_right(input(0.0, 0.0, 0.1), 0.0, -400.0)]
    #[case::locked(input(-1.0, 0.0, 0.0), -3600.0, 0.0)]
    #[case::no_load(TireInput { load: 0.0, ..input(1.0, 1.0, 0.0) }, 0.0, 0.0)]
    #[case::no_friction(TireInput { friction: 0.0, ..input(1.0, 1.0, 0.0) }, 0.0, 0.0)]
    fn forces_by_hand(#[case] input: TireInput, #[case] along: f32, #[case] across: f32) {
        let f = tire().forces(&input);
        assert_relative_eq!(f.longitudinal, along, max_relative = 1e-6);
        assert_relative_eq!(f.lateral, across, max_relative = 1e-6);
        assert_relative_eq!(f.aligning_moment, -0.03 * across, max_relative = 1e-6);
        assert_relative_eq!(f.wheel_torque, -0.3 * along, max_relative = 1e-6);
    }

    #[test]
    fn lanes_use_the_provided_method() {
        let four = TireInput {
            slip_ratio: W4::from_array([0.01, 0.02, 0.03, 0.04]),
            radius: W4::splat(0.3),
            load: W4::splat(4000.0),
            rest_load: W4::splat(4000.0),
            friction: W4::splat(0.9),
            gravity: 9.81,
            ..TireInput::default()
        };
        let forces = tire().forces4(&four, Mask4::from_array([true, true, true, false]));
        let expected = [800.0, 1600.0, 2400.0, 0.0];
        for (found, expected) in forces.longitudinal.to_array().into_iter().zip(expected) {
            assert_relative_eq!(found, expected, max_relative = 1e-6);
        }
    }

    proptest! {
        #[test]
        fn finite_and_within_the_circle(
            v in proptest::array::uniform7(
                proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL,
            ),
        ) {
            let input = TireInput {
                slip_ratio: v[0],
                tan_slip_angle: v[1],
                camber: v[2],
                load: v[3].abs(),
                friction: v[4].abs(),
                radius: v[5].abs(),
                rest_load: v[6].abs(),
                gravity: 9.81,
                ..TireInput::default()
            };
            let f = tire().forces(&input);
            for x in [f.longitudinal, f.lateral, f.aligning_moment, f.wheel_torque] {
                prop_assert!(x.is_finite());
            }
            let limit = f64::from(input.friction) * f64::from(input.load);
            let force = f64::from(f.longitudinal).hypot(f64::from(f.lateral));
            prop_assert!(force <= limit * (1.0 + 1e-5) + 1e-15);
            prop_assert!(f.longitudinal * input.slip_ratio.signum() >= 0.0);
        }
    }
}
