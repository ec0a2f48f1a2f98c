//! Tires of a group of wheels, each with its model: forces, properties, and states of stateful ones.

mod input;

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::base::lanes::{LANES, Mask4, W4};
use crate::contracts::stateful_tire::{StatefulTire, TireCondition, TireRow, TireStep};
use crate::contracts::tire::{TireForces, TireInput, TireProperties};
use crate::contracts::tire_model::TireModel;
use crate::contracts::tire_outputs::{TireOutputs, TireRequest};
use crate::exchange::tire_state::TireState;
use crate::params::WheelParams;
use crate::stages::wheel_consts::WheelConsts;

pub use input::{ContactMotion, TireOperatingPoint, tire_input};

/// A tire model and the wheels of a group that use it.
#[derive(Clone, Debug)]
pub struct TireUse {
    /// The model.
    pub model: Arc<dyn TireModel>,
    /// Wheels with this model.
    pub wheels: Mask4,
}

/// One entry per tire model that a group uses, or per several that can be evaluated together.
pub(crate) fn tire_uses(wheels: &[WheelParams], tires: &[Arc<dyn TireModel>]) -> Vec<TireUse> {
    let uses = (0..tires.len()).filter_map(|model| {
        let lanes = Mask4::from_fn(|lane| {
            wheels
                .get(lane)
                .is_some_and(|wheel| wheel.tire.model == model)
        });
        lanes.any().then(|| TireUse {
            model: Arc::clone(&tires[model]),
            wheels: lanes,
        })
    });
    uses.fold(Vec::new(), |mut known, tire| {
        match known.iter_mut().find_map(|other| other.with(&tire)) {
            Some((other, joined)) => *other = joined,
            None => known.push(tire),
        }
        known
    })
}

impl TireUse {
    /// Joined use of `self` and `other`, stored in `self`, if their models can be evaluated together.
    fn with(&mut self, other: &Self) -> Option<(&mut Self, Self)> {
        if self.model.traits() != other.model.traits() {
            return None;
        }
        let joined = Self {
            model: self.model.joined(self.wheels, &*other.model)?,
            wheels: self.wheels | other.wheels,
        };
        Some((self, joined))
    }
}

/// The wheels whose models satisfy a condition.
pub(crate) fn wheels_with(tires: &[TireUse], has: fn(&dyn TireModel) -> bool) -> Mask4 {
    let with = tires.iter().filter(|tire| has(&*tire.model));
    with.fold(Mask4::NONE, |wheels, tire| wheels | tire.wheels)
}

/// The model of all four wheels if there is only one and they all grip: its outputs need no selection by wheel.
#[inline]
fn only_model(tires: &[TireUse], gripping: Mask4) -> Option<&dyn TireModel> {
    let [tire] = tires else { return None };
    (tire.wheels & gripping).all().then_some(&*tire.model)
}

/// Forces of four wheels, each by its own model; zero for wheels that do not grip.
#[inline]
#[must_use]
pub fn tire_forces(tires: &[TireUse], input: &TireInput<W4>, gripping: Mask4) -> TireForces<W4> {
    // Most groups have one law: its forces need no selection by wheel.
    if let [tire] = tires
        && let wheels = tire.wheels & gripping
        && wheels.any()
    {
        let forces = tire.model.forces4(input, wheels);
        return if wheels.all() {
            forces
        } else {
            forces.kept(wheels)
        };
    }
    let mut forces = TireForces::default();
    for tire in tires {
        let wheels = tire.wheels & gripping;
        if wheels.any() {
            forces = forces.with(wheels, &tire.model.forces4(input, wheels));
        }
    }
    forces
}

/// Properties of four wheels, each by its own model; plain ones for wheels that do not grip and for models
/// without properties.
#[must_use]
pub fn tire_properties(
    k: &WheelConsts,
    tires: &[TireUse],
    input: &TireInput<W4>,
    gripping: Mask4,
) -> TireProperties<W4> {
    let plain = TireProperties::plain(input);
    tires.iter().fold(plain, |properties, tire| {
        let wheels = tire.wheels & gripping & k.properties;
        if wheels.any() {
            properties.with(wheels, &tire.model.properties4(input, wheels))
        } else {
            properties
        }
    })
}

/// Forces and other requested quantities of four wheels, each by its own model; no forces and plain properties for
/// wheels that do not grip, plain ones for models without properties.
#[must_use]
pub fn tire_outputs(
    k: &WheelConsts,
    tires: &[TireUse],
    input: &TireInput<W4>,
    gripping: Mask4,
    request: TireRequest,
) -> TireOutputs {
    if !request.opposite && !request.properties {
        return TireOutputs {
            forces: tire_forces(tires, input, gripping),
            ..TireOutputs::default()
        };
    }
    if let Some(model) = only_model(tires, gripping)
        && k.properties.all() == request.properties
    {
        return model.evaluate4(input, gripping, request);
    }
    let mut all = TireOutputs {
        properties: TireProperties::plain(input),
        ..TireOutputs::default()
    };
    for tire in tires {
        let wheels = tire.wheels & gripping;
        if !wheels.any() {
            continue;
        }
        let with_properties = wheels & k.properties;
        let request = TireRequest {
            properties: with_properties.any(),
            ..request
        };
        let own = tire.model.evaluate4(input, wheels, request);
        all.forces = all.forces.with(wheels, &own.forces);
        all.opposite = all.opposite.with(wheels, &own.opposite);
        all.properties = all.properties.with(with_properties, &own.properties);
    }
    all
}

/// The stateful tires of these `wheels` with their lanes and states.
fn each<'a>(
    tires: &'a [TireUse],
    wheels: Mask4,
    states: &'a [TireState],
) -> impl Iterator<Item = (&'a dyn StatefulTire, usize, &'a TireState)> {
    let stateful = tires.iter().filter_map(move |tire| {
        let model = tire.model.stateful()?;
        Some((model, tire.wheels & wheels))
    });
    stateful.flat_map(move |(model, wheels)| {
        let own = states
            .iter()
            .enumerate()
            .filter(move |(lane, _)| wheels.lane(*lane));
        own.map(move |(lane, state)| (model, lane, state))
    })
}

/// Conditions of four tires; new for tires without a state.
#[inline]
#[must_use]
pub fn conditions(k: &WheelConsts, tires: &[TireUse], states: &[TireState]) -> TireCondition<W4> {
    if !states.is_empty() && k.stateful.any() {
        stateful_conditions(k, tires, states)
    } else {
        TireCondition::of(&[TireCondition::NEW; LANES])
    }
}

/// Conditions of a group with stateful tires; new for the others.
fn stateful_conditions(
    k: &WheelConsts,
    tires: &[TireUse],
    states: &[TireState],
) -> TireCondition<W4> {
    let mut conditions = [TireCondition::NEW; LANES];
    for (tire, lane, state) in each(tires, k.stateful, states) {
        conditions[lane] = tire.condition(state).sound();
    }
    TireCondition::of(&conditions)
}

/// Replaces the laws' rows by those of stateful tires, at wheels that grip.
pub fn own_rows(
    tires: &[TireUse],
    states: &[TireState],
    input: &TireInput<W4>,
    gripping: Mask4,
    h: f32,
    rows: &mut [TireRow<W4>; 2],
) {
    for (tire, lane, state) in each(tires, gripping, states) {
        let own = tire.rows(state, &input.lane(lane), h);
        let Some(own) = own.filter(|own| own.iter().all(|row| row.is_sound())) else {
            continue;
        };
        for (row, own) in rows.iter_mut().zip(own) {
            row.force = row.force.with_lane(lane, own.force);
            row.gain = row.gain.with_lane(lane, own.gain);
        }
    }
}

/// Advances stateful tires by a substep of `h` (`s`) with these transmitted forces, forward and to the left
/// (`N`). Non-finite states are discarded.
pub fn advance(
    tires: &[TireUse],
    states: &mut [TireState],
    input: &TireInput<W4>,
    forces: [W4; 2],
    h: f32,
) {
    for tire in tires {
        let Some(model) = tire.model.stateful() else {
            continue;
        };
        for (lane, state) in states.iter_mut().enumerate() {
            if !tire.wheels.lane(lane) {
                continue;
            }
            let step = TireStep {
                input: input.lane(lane),
                forces: forces.map(|force| force.lane(lane)),
                duration: h,
            };
            let mut next = *state;
            model.advance(&mut next, &step);
            if next.is_finite() {
                *state = next;
            }
        }
    }
}

#[cfg(test)]
mod tests;
