//! An engine with a double-clutch gearbox, as shafts: the engine is a node, and each clutch a row to the wheels by its gear.

use vehicle_core::drivetrain::EngineCoupling;
use vehicle_core::{Control, DriveState, Gear, Shafts};

use super::EngineDrive;
use super::automatic::{set_engine, set_gear};
use crate::dual_clutch::DualClutchParams;

/// Node of the engine.
const ENGINE: usize = 0;

/// Rows: the clutches of odd gears and of even gears and reverse; the idle controller, before the engine's stop and its limiter.
const ODD: usize = 0;
const EVEN: usize = 1;
const IDLE: usize = 2;
const ROWS: usize = 5;

/// Torque with which a clutch holds an engine that has its speed, over the peak torque (–), beside the engine's own.
const HOLDS: f32 = 0.2;

/// Number of values that a drive with two clutches remembers: whether it has begun, and the gear that was last engaged.
pub(super) const MEMORY: usize = 2;

/// Ratio and range of torques of a clutch.
#[derive(Clone, Copy, Debug, Default)]
struct Clutch {
    ratio: f32,
    range: [f32; 2],
}

/// A change between gears of two clutches at the start of a substep.
#[derive(Clone, Copy, Debug)]
struct Handover {
    /// Ratios of the last and the next gear (–).
    ratios: [f32; 2],
    /// Torque of the engine (`N·m`), its speed, and the speed that it will have (`rad/s`).
    torque: f32,
    speeds: [f32; 2],
    /// Time since the change began (`s`).
    time: f32,
    /// Length of the substep (`s`).
    duration: f32,
}

impl Clutch {
    fn new(ratio: f32, capacity: f32) -> Self {
        Self {
            ratio,
            range: [-capacity, capacity],
        }
    }
}

/// Row of the clutch of a gear.
const fn row_of(gear: Gear) -> usize {
    if gear.0 > 0 && gear.0 % 2 == 1 {
        ODD
    } else {
        EVEN
    }
}

/// Torque that the engine gave to both clutches in the last substep (`N·m`).
pub(super) fn engine_load(shafts: &Shafts) -> f32 {
    shafts.rows[ODD].torque + shafts.rows[EVEN].torque
}

impl EngineDrive {
    /// Shafts of a drive with two clutches and `wheels` wheels.
    pub(super) fn dual_clutch_shafts(&self, wheels: usize) -> Shafts {
        self.engine_shafts(ROWS, wheels)
    }

    /// Sets the shafts of a drive with two clutches in place of the `control`'s coupling, for a substep of this `duration` (`s`), in
    /// which the wheels turn with this `mean` spin (`rad/s`).
    pub(super) fn turn_dual_clutch(
        &self,
        dual: &DualClutchParams,
        memory: &mut [f32],
        state: &mut DriveState,
        control: &mut Control,
        (mean, duration): (f32, f32),
    ) {
        let coupling = control.coupling.take();
        let (Some(coupling), Some(mut shafts)) = (coupling, control.shafts.take()) else {
            return;
        };
        let [begun, last, ..] = memory else {
            return;
        };
        if *begun == 0.0 {
            *begun = 1.0;
            shafts.nodes[ENGINE].speed = state.engine_speed;
        }
        if state.gear == state.target_gear {
            *last = f32::from(state.gear.0);
        }
        state.clutch_torque = engine_load(&shafts);
        set_engine(&coupling, IDLE, &mut shafts);
        let speed = shafts.nodes[ENGINE].speed;
        let clutches = if state.gear == state.target_gear {
            self.engaged_clutch(&coupling, state, [speed, coupling.ratio * mean], duration)
        } else {
            let next = self.ratio(control.levers.range, state.target_gear);
            let last = Gear(*last as i8);
            let change = Handover {
                ratios: [self.ratio(control.levers.range, last), next],
                torque: coupling.torque - coupling.damping * speed,
                speeds: [speed, next * mean],
                time: state.switch_time,
                duration,
            };
            self.handing_over(dual, &change, [last, state.target_gear])
        };
        for (row, clutch) in shafts.rows.iter_mut().zip(clutches) {
            row.range = clutch.range;
            set_gear(row, 1, [clutch.ratio; 2], dual.efficiency, control);
        }
        control.shafts = Some(shafts);
    }

    /// The clutch of the engaged gear, which closes as the automatic clutch does; the other one is open.
    fn engaged_clutch(
        &self,
        coupling: &EngineCoupling,
        state: &DriveState,
        speeds: [f32; 2],
        duration: f32,
    ) -> [Clutch; 2] {
        let p = &self.params;
        let mut clutches = [Clutch::default(); 2];
        if state.gear != Gear::NEUTRAL {
            let torque = p
                .clutch
                .automatic_torque(&p.engine, coupling, speeds, duration);
            let most = coupling.capacity.unwrap_or(f32::INFINITY);
            clutches[row_of(state.gear)] = Clutch::new(coupling.ratio, torque.min(most));
        }
        clutches
    }

    /// Both clutches during a change from one gear to another; open where one clutch would have both gears.
    ///
    /// One clutch slips, by the torque: in a change up under power the next gear's, which first takes the torque over and then slows
    /// the engine down; in a change down the last gear's, which first lets the engine speed up and then hands the torque over.
    fn handing_over(
        &self,
        dual: &DualClutchParams,
        change: &Handover,
        [last, next]: [Gear; 2],
    ) -> [Clutch; 2] {
        let p = &self.params;
        let mut clutches = [Clutch::default(); 2];
        let [from, to] = change.ratios;
        if from * to <= 0.0 || row_of(last) == row_of(next) {
            return clutches;
        }
        let most = p.clutch.capacity.unwrap_or(f32::INFINITY);
        let (size, sign) = (change.torque.abs(), 1.0_f32.copysign(change.torque));
        let total = p.gearbox.switch_time;
        let handover = dual.handover.min(0.5 * total);
        let next_slips = (change.torque >= 0.0) == (to < from);
        let begins = if next_slips { 0.0 } else { total - handover };
        let handed = ((change.time + change.duration - begins) / handover).clamp(0.0, 1.0);
        // Time in which the engine comes to its next speed.
        let ends = if next_slips { total } else { total - handover };
        let left = (ends - change.time).max(change.duration);
        let [speed, target] = change.speeds;
        let slowing = sign * p.engine.inertia * (speed - target) / left;
        let (kept, taken) = if next_slips {
            let slowing = if handed < 1.0 { 0.0 } else { slowing };
            ((1.0 - handed) * size, handed * size + slowing)
        } else {
            let slowing = if handed > 0.0 { 0.0 } else { slowing };
            let holding = HOLDS * p.engine.peak_torque;
            ((1.0 - handed) * (size + slowing), handed * (size + holding))
        };
        // The last gear's clutch turns nothing backward.
        let kept = kept.clamp(0.0, most);
        let range = if sign > 0.0 {
            [0.0, kept]
        } else {
            [-kept, 0.0]
        };
        clutches[row_of(last)] = Clutch { ratio: from, range };
        clutches[row_of(next)] = Clutch::new(to, taken.clamp(0.0, most));
        clutches
    }
}
