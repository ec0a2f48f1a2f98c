//! Stateful tires of a group of wheels: their condition, their rows, what they remember.

use crate::kind::{TireUse, WheelConsts};
use crate::lanes::{Mask4, W4};
use crate::rows::tread::Row;
use crate::tire_model::TireInput4;
use crate::tire_state::{StatefulTire, TireCondition, TireCondition4, TireState, TireStep};

/// The stateful tires of a group with their lanes and states.
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

/// Conditions of four tires.
#[inline]
#[must_use]
pub fn conditions(k: &WheelConsts, tires: &[TireUse], states: &[TireState]) -> TireCondition4 {
    if k.stateful.any() {
        told(k, tires, states)
    } else {
        TireCondition4::NEW
    }
}

fn told(k: &WheelConsts, tires: &[TireUse], states: &[TireState]) -> TireCondition4 {
    let mut found = [TireCondition::NEW; crate::lanes::LANES];
    for (tire, lane, state) in each(tires, k.stateful, states) {
        found[lane] = tire.condition(state).sound();
    }
    TireCondition4 {
        friction: W4::from_fn(|lane| found[lane].friction),
        stiffness: W4::from_fn(|lane| found[lane].stiffness),
        pressure: W4::from_fn(|lane| found[lane].pressure),
    }
}

/// Puts the rows of stateful tires in place of those of their laws, at the wheels that grip.
pub fn own_rows(
    tires: &[TireUse],
    states: &[TireState],
    input: &TireInput4,
    gripping: Mask4,
    h: f32,
    rows: &mut [Row; 2],
) {
    for (tire, lane, state) in each(tires, gripping, states) {
        let own = tire.rows(state, &input.lane(lane), h);
        let Some(own) = own.filter(|own| own.iter().all(|row| row.is_sound())) else {
            continue;
        };
        let here = Mask4::from_fn(|n| n == lane);
        for (row, own) in rows.iter_mut().zip(own) {
            row.force = here.select(W4::splat(own.force), row.force);
            row.gain = here.select(W4::splat(own.gain), row.gain);
        }
    }
}

/// Lets stateful tires remember a substep of `h` [s] in which they passed these forces, forward and to the
/// left [N]. What is not finite is not taken.
pub fn advance(
    tires: &[TireUse],
    states: &mut [TireState],
    input: &TireInput4,
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
