//! The state of a drivetrain's shafts, as the vehicle's state remembers it: speed, applied torque and work of each node, the torques
//! of the rows, then those on the wheels.

use crate::contracts::drivetrain::Control;
use crate::contracts::shafts::{ShaftRow, Shafts};
use crate::exchange::extra_states::ExtraStates;

/// Remembered values of each node.
const PER_NODE: usize = 3;

/// Number of values that shafts of a vehicle of `wheels` wheels remember.
#[must_use]
pub(crate) fn length(shafts: &Shafts, wheels: usize) -> usize {
    PER_NODE * shafts.nodes.len() + shafts.rows.len() + wheels
}

/// Torque of shafts on a wheel in the last substep (`N·m`); 0 of drives without shafts.
#[must_use]
pub(crate) fn wheel_torque(control: &Control, states: &ExtraStates, wheel: usize) -> f32 {
    let torque = control.shafts.as_ref().and_then(|shafts| {
        let memory = &states.memories()?.shafts;
        memory.get(length(shafts, wheel)).copied()
    });
    torque.unwrap_or(0.0)
}

/// Sets the state of shafts to the remembered one.
pub(crate) fn recall(shafts: &mut Shafts, states: &ExtraStates) {
    let memory = states.memories().map(|memories| &memories.shafts[..]);
    let split = memory.and_then(|memory| memory.split_at_checked(PER_NODE * shafts.nodes.len()));
    let Some((nodes, rows)) = split else {
        return;
    };
    for (node, values) in shafts.nodes.iter_mut().zip(nodes.chunks_exact(PER_NODE)) {
        if let [speed, applied, work] = *values {
            (node.speed, node.applied, node.work) = (speed, applied, work);
        }
    }
    for (row, torque) in shafts.rows.iter_mut().zip(rows) {
        row.torque = *torque;
    }
}

/// Remembers the state of shafts, all 0 if any value is not finite.
pub(crate) fn remember(shafts: &Shafts, states: &mut ExtraStates) {
    let Some(memories) = states.memories_mut() else {
        return;
    };
    let nodes = shafts.nodes.iter();
    let nodes = nodes.flat_map(|node| [node.speed, node.applied, node.work]);
    let rows = shafts.rows.iter().map(|row| row.torque);
    let wheel = |n: usize| {
        let on_wheel = |row: &ShaftRow| row.torques.get(n).map_or(0.0, |part| part * row.torque);
        shafts.rows.iter().map(on_wheel).sum::<f32>()
    };
    let wheels = (shafts.nodes.len()..).map(wheel);
    let values = nodes.chain(rows).chain(wheels);
    for (own, value) in memories.shafts.iter_mut().zip(values) {
        *own = value;
    }
    if !memories.shafts.iter().copied().all(f32::is_finite) {
        memories.shafts.fill(0.0);
    }
}
