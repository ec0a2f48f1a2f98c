//! An engine with one clutch as shafts, of drives whose other parts turn with them: the engine is a node, and the clutch a row to the
//! wheels by the gear.

use alloc::vec;

use vehicle_core::{Control, DriveState, ShaftNode, ShaftRow, Shafts};

use super::EngineDrive;
use super::automatic::{set_engine, set_gear};

/// Node of the engine.
const ENGINE: usize = 0;

/// Rows: the clutch; the idle controller, before the engine's stop and its limiter.
const CLUTCH: usize = 0;
const IDLE: usize = 1;
const ROWS: usize = 4;

/// Number of values that the drive remembers: whether it has begun.
pub(super) const MEMORY: usize = 1;

/// Torque that the engine gave to the clutch in the last substep (`N·m`).
pub(super) fn engine_load(shafts: &Shafts) -> f32 {
    shafts.rows[CLUTCH].torque
}

impl EngineDrive {
    /// An engine, and this number of rows, between it and `wheels` wheels.
    pub(super) fn engine_shafts(&self, rows: usize, wheels: usize) -> Shafts {
        let mut weights = vec![0.0; 1 + wheels];
        weights[ENGINE] = 1.0;
        let mut engine = ShaftNode::new(self.params.engine.inertia);
        engine.is_engine = true;
        Shafts {
            nodes: vec![engine],
            rows: vec![ShaftRow::gear(&weights); rows],
        }
    }

    /// Shafts of a drive with one clutch and `wheels` wheels.
    pub(super) fn single_clutch_shafts(&self, wheels: usize) -> Shafts {
        self.engine_shafts(ROWS, wheels)
    }

    /// Sets the shafts of a drive with one clutch in place of the `control`'s coupling.
    pub(super) fn turn_single_clutch(
        memory: &mut [f32],
        state: &mut DriveState,
        control: &mut Control,
    ) {
        let coupling = control.coupling.take();
        let (Some(coupling), Some(mut shafts)) = (coupling, control.shafts.take()) else {
            return;
        };
        if let Some(begun) = memory.first_mut().filter(|begun| **begun == 0.0) {
            *begun = 1.0;
            shafts.nodes[ENGINE].speed = state.engine_speed;
        }
        state.clutch_torque = engine_load(&shafts);
        set_engine(&coupling, IDLE, &mut shafts);
        let clutch = &mut shafts.rows[CLUTCH];
        let most = match coupling.capacity {
            Some(capacity) => capacity,
            None if coupling.clutch > 0.0 => f32::INFINITY,
            None => 0.0,
        };
        clutch.range = [-most, most];
        // Without plates it slips by its strength.
        let viscous = coupling.capacity.is_none() && coupling.clutch > 0.0;
        clutch.softness = if viscous { 1.0 / coupling.clutch } else { 0.0 };
        set_gear(clutch, 1, [coupling.ratio; 2], 1.0, control);
        control.shafts = Some(shafts);
    }
}
