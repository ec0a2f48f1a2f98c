//! Every wheel gets what its own tire says.

use super::*;
use crate::contracts::stateful_tire::TireRow;
use crate::contracts::tire::{TireForces, TireInput, TireProperties, TireTraits};
use crate::params::VehicleParams;
use crate::testing::uneven::{lanes, masks, wide};
use crate::testing::{four_wheeler, model_of};
use proptest::prelude::*;

/// A law whose forces, properties, rows and memory tell which law it is and what it was asked.
#[derive(Clone, Copy, Debug)]
struct Tells {
    number: f32,
    properties: bool,
    remembers: bool,
    /// Whether the tire's state and rows are numbers.
    sound: bool,
}

impl Tells {
    const NOTHING: Self = Self {
        number: 0.0,
        properties: false,
        remembers: false,
        sound: true,
    };

    fn number_or_none(&self, number: f32) -> f32 {
        if self.sound { number } else { f32::NAN }
    }
}

impl TireModel for Tells {
    fn forces(&self, input: &TireInput) -> TireForces {
        TireForces {
            longitudinal: self.number,
            lateral: self.number * input.tan_slip_angle,
            wheel_torque: input.slip_ratio,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits {
            has_properties: self.properties,
            ..TireTraits::PLAIN
        }
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        assert!(self.properties, "asked of a law that tells none");
        TireProperties {
            grip: [self.number, input.load],
            slip_stiffness: [self.number; 2],
            relaxation_length: [input.load; 2],
        }
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        self.remembers.then_some(self)
    }
}

impl StatefulTire for Tells {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    fn condition(&self, state: &TireState) -> TireCondition {
        TireCondition {
            friction: self.number,
            stiffness: 2.0 * self.number,
            pressure: state.values[0],
        }
    }

    fn rows(&self, state: &TireState, input: &TireInput, duration: f32) -> Option<[TireRow; 2]> {
        let row = |gain: f32| TireRow {
            force: self.number_or_none(state.values[0] + input.load),
            gain: gain * duration,
        };
        Some([row(self.number), row(2.0 * self.number)])
    }

    fn advance(&self, state: &mut TireState, step: &TireStep) {
        let [forward, left] = step.forces;
        let (load, speed) = (step.input.load, step.input.forward_speed);
        state.lengths = [forward, left];
        state.values = [self.number, load, speed, step.duration, 0.0, 0.0];
        state.values[5] = self.number_or_none(1.0);
    }
}

/// Wheels 0 and 3 on the first law, 1 on the second, 2 on the third.
const OF: [usize; LANES] = [0, 1, 2, 0];

const LAWS: [Tells; 3] = [
    Tells {
        number: 1.5,
        remembers: true,
        ..Tells::NOTHING
    },
    Tells {
        number: 2.5,
        properties: true,
        ..Tells::NOTHING
    },
    Tells {
        number: 3.5,
        properties: true,
        remembers: true,
        sound: true,
    },
];

fn params() -> VehicleParams {
    let mut params = four_wheeler();
    for (wheel, model) in params.wheels.iter_mut().zip(OF) {
        wheel.tire.model = model;
    }
    params
}

fn uses(laws: [Tells; 3]) -> Vec<TireUse> {
    let models = laws.map(|law| Arc::new(law) as Arc<dyn TireModel>);
    tire_uses(&params().wheels, &models)
}

/// Constants that know which tires tell properties and which remember.
fn consts() -> WheelConsts {
    let mut k = *model_of(four_wheeler()).wheels().first();
    k.properties = wheels_with(&uses(LAWS), |model| model.traits().has_properties);
    k.stateful = wheels_with(&uses(LAWS), |model| model.stateful().is_some());
    k
}

fn inputs() -> impl Strategy<Value = TireInput<W4>> {
    let parts = (
        lanes(-1.0..1.0),
        lanes(-1.0..1.0),
        lanes(0.0..5000.0),
        lanes(0.1..1.2),
    );
    parts.prop_map(|(slip_ratio, tan_slip_angle, load, friction)| TireInput {
        slip_ratio,
        tan_slip_angle,
        load,
        friction,
        forward_speed: load * W4::splat(0.01),
        ..TireInput::default()
    })
}

fn states() -> [TireState; LANES] {
    core::array::from_fn(|n| TireState {
        values: [10.0 * (n + 1) as f32; 6],
        ..TireState::default()
    })
}

/// A law that joins others like it: of each wheel, its number.
#[derive(Debug)]
struct Joins(W4, TireTraits);

impl TireModel for Joins {
    fn forces(&self, _: &TireInput) -> TireForces {
        unreachable!("only four wheels at once are asked")
    }

    fn traits(&self) -> TireTraits {
        self.1
    }

    fn forces4(&self, _: &TireInput<W4>, _: Mask4) -> TireForces<W4> {
        TireForces {
            longitudinal: self.0,
            ..TireForces::default()
        }
    }

    fn joined(&self, own: Mask4, other: &dyn TireModel) -> Option<Arc<dyn TireModel>> {
        let other: &Self = (other as &dyn core::any::Any).downcast_ref()?;
        Some(Arc::new(Self(own.select(self.0, other.0), self.1)))
    }
}

#[test]
fn laws_that_join_are_evaluated_once_unless_their_traits_differ() {
    let law = |number, traits| Arc::new(Joins(W4::splat(number), traits)) as Arc<dyn TireModel>;
    let (plain, falls) = (
        TireTraits::PLAIN,
        TireTraits {
            friction_falls: true,
            ..TireTraits::PLAIN
        },
    );
    let evaluated = |models: [Arc<dyn TireModel>; 3]| {
        let uses = tire_uses(&params().wheels, &models);
        let forces = tire_forces(&uses, &TireInput::default(), Mask4::ALL);
        (uses.len(), forces.longitudinal.to_array())
    };
    let all = [1.0, 2.0, 3.0, 1.0];
    let alike = [law(1.0, plain), law(2.0, plain), law(3.0, plain)];
    assert_eq!(evaluated(alike), (1, all));
    let one_falls = [law(1.0, plain), law(2.0, falls), law(3.0, plain)];
    assert_eq!(evaluated(one_falls), (2, all));
    let one_apart = [law(1.0, plain), law(2.0, plain), Arc::new(LAWS[2])];
    assert_eq!(evaluated(one_apart), (2, [1.0, 2.0, 3.5, 1.0]));
}

#[test]
fn models_that_no_wheel_uses_are_left_out() {
    let models = [1, 2, 3].map(|_| Arc::new(Tells::NOTHING) as Arc<dyn TireModel>);
    let mut wheels = params().wheels;
    wheels.pop();
    wheels[1].tire.model = 2;
    let uses = tire_uses(&wheels, &models);
    let lanes = |n: usize| core::array::from_fn(|lane| uses[n].wheels.lane(lane));
    assert_eq!(uses.len(), 2);
    assert_eq!(lanes(0), [true, false, false, false]);
    assert_eq!(lanes(1), [false, true, true, false]);
}

#[test]
fn wheels_are_selected_by_model() {
    let k = consts();
    assert_eq!(k.properties, Mask4::from_array([false, true, true, false]));
    assert_eq!(k.stateful, Mask4::from_array([true, false, true, true]));
}

proptest! {
    /// Forces and properties are those of the wheel's own law; of none where it does not grip, and plain
    /// ones of laws that tell none.
    #[test]
    fn every_wheel_uses_its_own_law(input in inputs(), gripping in masks()) {
        let (uses, k) = (uses(LAWS), consts());
        let forces = tire_forces(&uses, &input, gripping);
        let told = tire_properties(&k, &uses, &input, gripping);
        for lane in 0..LANES {
            let (law, one) = (LAWS[OF[lane]], input.lane(lane));
            let (mut own, mut properties) = (TireForces::default(), TireProperties::plain(&one));
            if gripping.lane(lane) {
                own = law.forces(&one);
                if law.properties {
                    properties = law.properties(&one);
                }
            }
            let actual = (forces.longitudinal, forces.lateral, forces.wheel_torque);
            let actual = (actual.0.lane(lane), actual.1.lane(lane), actual.2.lane(lane));
            prop_assert_eq!(actual, (own.longitudinal, own.lateral, own.wheel_torque));
            let of = |pair: [W4; 2]| pair.map(|x| x.lane(lane));
            prop_assert_eq!(of(told.grip), properties.grip);
            prop_assert_eq!(of(told.slip_stiffness), properties.slip_stiffness);
            prop_assert_eq!(of(told.relaxation_length), properties.relaxation_length);
        }
    }

    /// To ask for everything at once is to ask for each.
    #[test]
    fn batches_equal_single_calls(
        input in inputs(), gripping in masks(), opposite in any::<bool>(), properties in any::<bool>(),
    ) {
        let (uses, k) = (uses(LAWS), consts());
        let request = TireRequest { opposite, properties, ..TireRequest::default() };
        let all = tire_outputs(&k, &uses, &input, gripping, request);
        prop_assert_eq!(all.forces, tire_forces(&uses, &input, gripping));
        if opposite {
            let other = tire_forces(&uses, &input.opposite(), gripping);
            prop_assert_eq!(all.opposite, other);
        }
        if properties {
            let told = tire_properties(&k, &uses, &input, gripping);
            prop_assert_eq!(all.properties, told);
        }
    }

    /// Stateful tires replace the rows of the wheels that grip, and of no others.
    #[test]
    fn own_rows_replace_those_of_the_law(input in inputs(), gripping in masks(), h in 0.001f32..0.02) {
        let row = |n: f32| TireRow { force: W4::splat(n), gain: W4::splat(0.1 * n) };
        let mut rows = [row(-1.0), row(-2.0)];
        own_rows(&uses(LAWS), &states(), &input, gripping, h, &mut rows);
        for lane in 0..LANES {
            let law = LAWS[OF[lane]];
            let replaced = law.remembers && gripping.lane(lane);
            let own = law.rows(&states()[lane], &input.lane(lane), h).unwrap();
            for (n, own) in own.into_iter().enumerate() {
                let actual = (rows[n].force.lane(lane), rows[n].gain.lane(lane));
                let plain = (row(-1.0 - n as f32).force.lane(0), row(-1.0 - n as f32).gain.lane(0));
                prop_assert_eq!(actual, if replaced { (own.force, own.gain) } else { plain });
            }
        }
    }

    /// Every stateful tire receives the inputs of its own wheel, on the ground or not.
    #[test]
    fn tire_states_advance_with_their_wheels(
        input in inputs(), forward in lanes(-9.0..9.0), left in lanes(-9.0..9.0), h in 0.001f32..0.02,
        airborne in masks(),
    ) {
        let loads = airborne.select(W4::ZERO, input.load);
        let input = TireInput { load: loads, friction: loads, ..input };
        let mut after = states();
        advance(&uses(LAWS), &mut after, &input, [forward, left], h);
        for lane in 0..LANES {
            let law = LAWS[OF[lane]];
            let mut expected = states()[lane];
            if law.remembers {
                let step = TireStep {
                    input: input.lane(lane),
                    forces: [forward.lane(lane), left.lane(lane)],
                    duration: h,
                };
                law.advance(&mut expected, &step);
            }
            prop_assert_eq!(after[lane], expected);
        }
    }
}

/// A condition is that of the wheel's own law and state; of laws that remember nothing, as new.
#[test]
fn conditions_are_those_of_the_wheels_own_tires() {
    let told = conditions(&consts(), &uses(LAWS), &states());
    assert_eq!(told.friction.to_array(), [1.5, 1.0, 3.5, 1.5]);
    assert_eq!(told.stiffness.to_array(), [3.0, 1.0, 7.0, 3.0]);
    assert_eq!(told.pressure.to_array(), [10.0, 0.0, 30.0, 40.0]);
    let mut plain = consts();
    plain.stateful = Mask4::NONE;
    assert_eq!(
        conditions(&plain, &uses(LAWS), &states()),
        TireCondition::of(&[TireCondition::NEW; LANES])
    );
}

#[test]
fn nan_states_and_rows_are_discarded() {
    let laws = LAWS.map(|law| Tells {
        sound: false,
        ..law
    });
    let mut after = states();
    let none = [W4::ZERO; 2];
    advance(&uses(laws), &mut after, &TireInput::default(), none, 0.01);
    assert_eq!(after, states());
    let row = TireRow {
        force: W4::splat(5.0),
        gain: W4::splat(0.5),
    };
    let mut rows = [row; 2];
    let input = TireInput::default();
    own_rows(&uses(laws), &states(), &input, Mask4::ALL, 0.01, &mut rows);
    assert_eq!(rows, [row; 2]);
    assert_eq!(wide(rows[0].force, 2), 5.0);
}
