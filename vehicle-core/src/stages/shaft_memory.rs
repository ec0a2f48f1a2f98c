//! The state of a drivetrain's shafts, as the vehicle's state remembers it: speed, applied torque and work of each node, then the
//! torques of the rows.

use crate::contracts::shafts::Shafts;
use crate::exchange::extra_states::ExtraStates;

/// Remembered values of each node.
const PER_NODE: usize = 3;

/// Number of values that shafts remember.
#[must_use]
pub(crate) fn length(shafts: &Shafts) -> usize {
    PER_NODE * shafts.nodes.len() + shafts.rows.len()
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
    for (own, value) in memories.shafts.iter_mut().zip(nodes.chain(rows)) {
        *own = value;
    }
    if !memories.shafts.iter().copied().all(f32::is_finite) {
        memories.shafts.fill(0.0);
    }
}
