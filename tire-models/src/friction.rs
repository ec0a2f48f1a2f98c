//! Friction alone, without a slip curve: the contact sticks, and slides when that takes more than friction gives.
//!
//! ```text
//! s = (κ, −tan α)     F = μN·s/max(|s|, ε),  ε = 0.001
//! ```
//!
//! In the rows solver this is a bounded velocity constraint: a row's force is whatever stops the contact's
//! sliding, up to the bound of friction. What is left of sliding is at most 0.1 % of the speed at full grip, and
//! nothing for a wheel that stands. The bound is a cone, |F| ≤ μN, or a pyramid, `|F_x|` ≤ μN and `|F_y|` ≤ μN, with up
//! to √2 of the force at its corners. The explicit solver evaluates the law above as any other.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Checked, Inspector, TireForces, TireInput, TireModel, math};

use crate::limits::{FORCE, SLIP, within};
use crate::spec::TireParams;

/// Slip from which the contact slides (–): the least at which solvers evaluate a law.
const STICKS: f32 = 1e-3;

/// Bound that friction sets on the forces in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrictionShape {
    /// Friction bounds the resultant of both forces.
    #[default]
    Cone,
    /// Friction bounds each force by itself.
    Pyramid,
}

/// Parameters of [`Friction`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrictionParams {
    /// Bound that friction sets on the forces in both directions.
    #[serde(default)]
    pub shape: FrictionShape,
}

impl Check for FrictionParams {
    fn check(&self, _: &mut Inspector) {}
}

/// A tire that sticks or slides.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    law: FrictionParams,
}

impl Friction {
    /// A tire with these parameters.
    #[must_use]
    pub fn new(params: Checked<FrictionParams>) -> Self {
        Self {
            law: params.into_inner(),
        }
    }
}

impl TireParams for FrictionParams {
    type Model = Friction;
    fn build(params: Checked<Self>) -> Friction {
        Friction::new(params)
    }
}

impl TireModel for Friction {
    fn traits(&self) -> TireTraits {
        TireTraits {
            feels_camber: false,
            bounds_each: self.law.shape == FrictionShape::Pyramid,
            ..TireTraits::PLAIN
        }
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        let grip = (input.friction.max(0.0) * input.load.max(0.0)).min(FORCE);
        let slips = [input.slip_ratio, -input.tan_slip_angle].map(|slip| within(slip, SLIP));
        let length = match self.law.shape {
            FrictionShape::Cone => [math::sqrt(slips[0] * slips[0] + slips[1] * slips[1]); 2],
            FrictionShape::Pyramid => slips.map(f32::abs),
        };
        let [longitudinal, lateral] = [0, 1].map(|n| grip * (slips[n] / length[n].max(STICKS)));
        TireForces {
            longitudinal,
            lateral,
            wheel_torque: -longitudinal * input.radius.clamp(0.0, FORCE),
            ..TireForces::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn forces(shape: FrictionShape, slips: [f32; 2]) -> [f32; 2] {
        let tire = Friction::new(Checked::new(FrictionParams { shape }).unwrap());
        let forces = tire.forces(&TireInput {
            slip_ratio: slips[0],
            tan_slip_angle: slips[1],
            friction: 0.8,
            load: 5000.0,
            ..TireInput::default()
        });
        [forces.longitudinal, forces.lateral]
    }

    proptest! {
        /// Sliding takes all of the friction, in a cone against the slip, in a pyramid in each direction.
        #[test]
        fn sliding_takes_all_friction(
            forward in prop_oneof![-1f32..-0.002, 0.002f32..1.0],
            left in prop_oneof![-1f32..-0.002, 0.002f32..1.0],
        ) {
            let [x, y] = forces(FrictionShape::Cone, [forward, left]);
            prop_assert!((x.hypot(y) - 4000.0).abs() < 0.01);
            prop_assert!((x * left + y * forward).abs() < 0.01, "against the slip");
            let pyramid = forces(FrictionShape::Pyramid, [forward, left]);
            prop_assert_eq!(pyramid, [4000.0 * forward.signum(), -4000.0 * left.signum()]);
        }
    }

    #[test]
    fn a_sticking_contact_is_stiff() {
        for shape in [FrictionShape::Cone, FrictionShape::Pyramid] {
            assert_eq!(forces(shape, [0.0005, 0.0]), [2000.0, 0.0]);
            assert_eq!(forces(shape, [0.0, 0.0005]), [0.0, -2000.0]);
            assert_eq!(forces(shape, [0.0, 0.0]), [0.0, 0.0]);
        }
    }
}
