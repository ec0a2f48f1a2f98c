//! Relaxation lengths for any law: a model on top of another, `model = "relaxing"`.
//!
//! Forces build up to 63 % over this distance; a law with [rows of its own](StatefulTire::rows)
//! keeps its own behavior. In the rows solver the tire then gets a carcass of slip stiffness over
//! relaxation length; the explicit solver delays slips by the exact exponential. If a law has no
//! slip stiffness, it is measured at a small slip.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::stateful_tire::StatefulTire;
use vehicle_core::tire::TireTraits;
use vehicle_core::tire_model::{TireOutputs, TireRequest};
use vehicle_core::{Check, Checked, Inspector, TireForces, TireInput, TireModel, TireProperties};

use crate::spec::TireOver;

/// Parameters of [`Relaxing`], in addition to the `law`.
///
/// ```
/// use tire_models::TireRegistry;
///
/// let table = toml::from_str(
///     r#"
///     model = "relaxing"
///     relaxation_length = [0.25, 0.45]
///     law = { model = "dugoff", slip_stiffness = 100e3, cornering_stiffness = 80e3 }
///     "#,
/// )?;
/// assert!(TireRegistry::with_builtins().build(table).is_ok());
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelaxingParams {
    /// Relaxation lengths forward and to a side (`m`), > 0; about 0.3 and 0.5.
    pub relaxation_length: [f32; 2],
}

impl Check for RelaxingParams {
    fn check(&self, i: &mut Inspector) {
        for (n, length) in self.relaxation_length.iter().enumerate() {
            i.positive(&format!("relaxation_length[{n}]"), *length, "m");
        }
    }
}

impl TireOver for RelaxingParams {
    type Model = Relaxing;
    fn build(law: Arc<dyn TireModel>, params: Checked<Self>) -> Relaxing {
        Relaxing::new(law, params)
    }
}

/// A law whose forces build up over a distance.
#[derive(Clone, Debug)]
pub struct Relaxing {
    law: Arc<dyn TireModel>,
    params: RelaxingParams,
}

/// Slip at which a law's slip stiffness is measured (–).
const SMALL: f32 = 1e-3;

impl Relaxing {
    /// The law with these relaxation lengths.
    #[must_use]
    pub fn new(law: Arc<dyn TireModel>, params: Checked<RelaxingParams>) -> Self {
        let params = params.into_inner();
        Self { law, params }
    }

    /// Force over slip along and across at a small slip, without the law's offsets (`N`), ≥ 0.
    fn slip_stiffness(&self, input: &TireInput<W4>, mask: Mask4) -> [W4; 2] {
        let asked = |ratio: f32, tangent: f32| {
            let slip = TireInput {
                slip_ratio: W4::splat(ratio),
                tan_slip_angle: W4::splat(tangent),
                ..*input
            };
            self.law.forces4(&slip, mask)
        };
        let per_slip = W4::splat(0.5 / SMALL);
        let along = asked(SMALL, 0.0).longitudinal - asked(-SMALL, 0.0).longitudinal;
        let across = asked(0.0, -SMALL).lateral - asked(0.0, SMALL).lateral;
        [along, across].map(|force| (force * per_slip).max(W4::ZERO))
    }
}

impl TireModel for Relaxing {
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_properties: true,
            ..self.law.traits()
        }
    }

    fn forces(&self, input: &TireInput) -> TireForces {
        self.law.forces(input)
    }

    fn forces4(&self, input: &TireInput<W4>, mask: Mask4) -> TireForces<W4> {
        self.law.forces4(input, mask)
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        let one = Mask4::from_array([true, false, false, false]);
        let told = self.properties4(&TireInput::of(&[*input; 4]), one);
        let lane = |pair: [W4; 2]| pair.map(|x| x.lane(0));
        TireProperties {
            grip: lane(told.grip),
            slip_stiffness: lane(told.slip_stiffness),
            relaxation_length: lane(told.relaxation_length),
        }
    }

    fn properties4(&self, input: &TireInput<W4>, mask: Mask4) -> TireProperties<W4> {
        let told = if self.law.traits().has_properties {
            self.law.properties4(input, mask)
        } else {
            TireProperties::plain(input)
        };
        self.relaxing(told, input, mask)
    }

    fn evaluate4(&self, input: &TireInput<W4>, mask: Mask4, request: TireRequest) -> TireOutputs {
        let of_law = TireRequest {
            properties: request.properties && self.law.traits().has_properties,
            ..request
        };
        let mut outputs = self.law.evaluate4(input, mask, of_law);
        if request.properties {
            let plain = TireProperties::plain(input);
            let told = if of_law.properties {
                outputs.properties
            } else {
                plain
            };
            outputs.properties = self.relaxing(told, input, mask);
        }
        outputs
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        self.law.stateful()
    }
}

impl Relaxing {
    /// The law's properties, with the lengths.
    fn relaxing(
        &self,
        told: TireProperties<W4>,
        input: &TireInput<W4>,
        mask: Mask4,
    ) -> TireProperties<W4> {
        let own = told.slip_stiffness;
        let silent = (own[0].same(W4::ZERO) | own[1].same(W4::ZERO)) & mask;
        let slip_stiffness = if silent.any() {
            let found = self.slip_stiffness(input, mask);
            [0, 1].map(|n| own[n].same(W4::ZERO).select(found[n], own[n]))
        } else {
            own
        };
        TireProperties {
            grip: told.grip,
            slip_stiffness,
            relaxation_length: self.params.relaxation_length.map(W4::splat),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TireRegistry;
    use approx::assert_relative_eq;

    fn build(text: &str) -> Arc<dyn TireModel> {
        TireRegistry::with_builtins()
            .build(toml::from_str(text).unwrap())
            .unwrap()
    }

    const INPUT: TireInput = TireInput {
        slip_ratio: 0.03,
        tan_slip_angle: 0.02,
        forward_speed: 20.0,
        lateral_speed: 0.4,
        rim_speed: 20.6,
        radius: 0.3,
        load: 4000.0,
        rest_load: 4000.0,
        camber: 0.0,
        friction: 1.0,
        yaw_speed: 0.0,
        pressure: 0.0,
        gravity: 9.81,
    };

    #[test]
    fn a_law_without_stiffness_gets_it_from_its_forces() {
        const LAW: &str =
            "{ model = 'dugoff', slip_stiffness = 100e3, cornering_stiffness = 80e3 }";
        let tire = build(&format!(
            "model = 'relaxing'\nrelaxation_length = [0.25, 0.4]\nlaw = {LAW}"
        ));
        let told = tire.properties(&INPUT);
        assert_relative_eq!(told.slip_stiffness[0], 100e3, max_relative = 2e-3);
        assert_relative_eq!(told.slip_stiffness[1], 80e3, max_relative = 2e-3);
        assert_eq!(told.relaxation_length, [0.25, 0.4]);
        let law = build("model = 'dugoff'\nslip_stiffness = 100e3\ncornering_stiffness = 80e3");
        assert_eq!(tire.forces(&INPUT), law.forces(&INPUT));
    }

    #[test]
    fn a_law_with_properties_keeps_them() {
        let law = build("model = 'magic-formula'\npreset = 'suv-255-55-r20'").properties(&INPUT);
        let tire = build(
            "model = 'relaxing'\nrelaxation_length = [0.25, 0.4]\n\
             law = { model = 'magic-formula', preset = 'suv-255-55-r20' }",
        );
        let told = tire.properties(&INPUT);
        assert_eq!(told.slip_stiffness, law.slip_stiffness);
        assert_eq!(told.grip, law.grip);
        assert_eq!(told.relaxation_length, [0.25, 0.4]);
    }

    #[test]
    fn faults_of_the_inner_law_name_their_place() {
        let text = "model = 'relaxing'\nrelaxation_length = [0.0, 0.4]\n\
                    law = { model = 'dugoff', slip_stiffness = -1.0, cornering_stiffness = 1.0 }";
        let registry = TireRegistry::with_builtins();
        let error = registry.build(toml::from_str(text).unwrap()).unwrap_err();
        assert!(error.to_string().contains("law.slip_stiffness"), "{error}");
        let none = "model = 'relaxing'\nrelaxation_length = [0.2, 0.4]";
        let error = registry.build(toml::from_str(none).unwrap()).unwrap_err();
        let told = "law = nothing: must be a table that describes a tire";
        assert!(error.to_string().contains(told), "{error}");
    }

    const SUV: &str = "{ model = 'magic-formula', preset = 'suv-255-55-r20' }";

    /// A wheel without load has no properties, for any result of its law; the other wheels of its
    /// group keep theirs.
    #[test]
    fn a_wheel_in_the_air_leaves_the_properties_of_the_others() {
        let law = build("model = 'magic-formula'\npreset = 'suv-255-55-r20'");
        let tire = build(&format!(
            "model = 'relaxing'\nrelaxation_length = [0.25, 0.4]\nlaw = {SUV}"
        ));
        let mut inputs = [INPUT; 4];
        (inputs[1].load, inputs[3].load) = (0.0, 2500.0);
        let (four, mask) = (TireInput::of(&inputs), Mask4::from_array([true; 4]));
        let (own, told) = (law.properties4(&four, mask), tire.properties4(&four, mask));
        for n in [0, 1] {
            assert_eq!(
                own.slip_stiffness[n].lane(1),
                0.0,
                "the law has properties in the air"
            );
            for lane in [0, 2, 3] {
                let (own, told) = (
                    own.slip_stiffness[n].lane(lane),
                    told.slip_stiffness[n].lane(lane),
                );
                assert_eq!(
                    told, own,
                    "a difference in place of what the law tells: lane {lane}"
                );
            }
        }
    }

    /// Together or separately, with and without properties: the same bits.
    #[test]
    fn answers_are_forces_and_properties() {
        for law in [
            SUV,
            "{ model = 'dugoff', slip_stiffness = 1e5, cornering_stiffness = 8e4 }",
        ] {
            let tire = build(&format!(
                "model = 'relaxing'\nrelaxation_length = [0.25, 0.4]\nlaw = {law}"
            ));
            assert!(tire.traits().has_properties);
            let (four, mask) = (TireInput::of(&[INPUT; 4]), Mask4::from_array([true; 4]));
            for properties in [false, true] {
                let request = TireRequest {
                    properties,
                    ..TireRequest::default()
                };
                let outputs = tire.evaluate4(&four, mask, request);
                assert_eq!(
                    outputs.forces.longitudinal,
                    tire.forces4(&four, mask).longitudinal
                );
                if properties {
                    assert_eq!(outputs.properties, tire.properties4(&four, mask));
                }
            }
            let (one, told) = (tire.properties(&INPUT), tire.properties4(&four, mask));
            assert_eq!(one.slip_stiffness, told.slip_stiffness.map(|x| x.lane(2)));
            assert_eq!(one.grip, told.grip.map(|x| x.lane(2)));
        }
    }

    /// The stiffness is the force per slip without the law's offsets, along and across.
    #[test]
    fn a_linear_laws_stiffness_is_found_exactly() {
        let tire = build(
            "model = 'relaxing'\nrelaxation_length = [0.25, 0.4]\n\
             law = { model = 'dugoff', slip_stiffness = 50e3, cornering_stiffness = 80e3 }",
        );
        let small = TireInput {
            slip_ratio: 0.0,
            tan_slip_angle: 0.0,
            ..INPUT
        };
        let [along, across] = tire.properties(&small).slip_stiffness;
        assert_relative_eq!(along, 50e3, max_relative = 2e-3);
        assert_relative_eq!(across, 80e3, max_relative = 2e-3);
    }
}
