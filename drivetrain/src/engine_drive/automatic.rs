//! An engine with a torque converter and an automatic gearbox, as shafts: engine and turbine are nodes, and clutches of the gearbox
//! change its ratio while they transmit torque.

use alloc::vec;

use vehicle_core::drivetrain::EngineCoupling;
use vehicle_core::{Control, DriveState, Gear, ShaftNode, ShaftRow, Shafts};

use super::EngineDrive;
use crate::converter::{ConverterParams, ConverterTorque};
use crate::under_torque::{ChangeUnderTorque, EngagedGear};

/// Nodes.
const ENGINE: usize = 0;
const TURBINE: usize = 1;

/// Rows: torque that the pump takes, torque that the turbine gets, lock-up clutch, clutches of the gearbox, and idle controller, before
/// the engine's stop and its speed limiter.
const PUMP: usize = 0;
const FLUID: usize = 1;
const LOCK_UP: usize = 2;
const GEAR: usize = 3;
const IDLE: usize = 4;

/// Time in which the lock-up clutch opens (`s`).
const OPENING_TIME: f32 = 0.1;
/// Speed over the idle speed below which it opens (–).
const UNLOCKS: f32 = 1.2;

/// What a drive with a converter remembers.
#[derive(Debug)]
struct Memory<'a> {
    /// Whether the shafts have begun to turn with engine and wheels (1), or not yet (0).
    begun: &'a mut f32,
    /// Total ratio of the gear that was last engaged (–).
    ratio: &'a mut f32,
    /// Part of its capacity to which the lock-up clutch is closed, 0…1.
    locked: &'a mut f32,
}

/// Number of values of a [`Memory`], before the ratio of a variator.
pub(super) const MEMORY: usize = 3;

/// Ratio of the variator at the end of the substep, and its mean in it (–): with these for speeds and torques, it neither takes nor
/// gives power. 1 without a variator.
#[derive(Clone, Copy, Debug)]
struct Varied {
    end: f32,
    mean: f32,
}

impl EngineDrive {
    /// Shafts of a drive with a converter and `wheels` wheels.
    pub(super) fn automatic_shafts(&self, converter: &ConverterParams, wheels: usize) -> Shafts {
        let row = |engine: f32, turbine: f32| {
            let mut weights = vec![0.0; 2 + wheels];
            (weights[ENGINE], weights[TURBINE]) = (engine, turbine);
            ShaftRow::gear(&weights)
        };
        // Its torque acts on one part only, and follows from both speeds with a softness of 1.
        let fluid = |part: usize, sign: f32| {
            let mut fluid = row(0.0, 0.0);
            (fluid.torques[part], fluid.softness) = (sign, 1.0);
            fluid
        };
        let mut engine = ShaftNode::new(self.params.engine.inertia);
        engine.is_engine = true;
        Shafts {
            nodes: vec![engine, ShaftNode::new(converter.inertia)],
            rows: vec![
                fluid(ENGINE, -1.0),
                fluid(TURBINE, 1.0),
                row(1.0, -1.0),
                row(0.0, 1.0),
                row(1.0, 0.0),
                row(1.0, 0.0),
                row(1.0, 0.0),
            ],
        }
    }

    /// Sets the shafts of a drive with a converter in place of the `control`'s coupling, for a substep of this `duration` (`s`), in
    /// which the wheels turn with this `mean` spin (`rad/s`).
    pub(super) fn turn_automatic(
        &self,
        converter: &ConverterParams,
        memory: &mut [f32],
        state: &mut DriveState,
        control: &mut Control,
        (mean, duration): (f32, f32),
    ) {
        let coupling = control.coupling.take();
        let (Some(coupling), Some(mut shafts)) = (coupling, control.shafts.take()) else {
            return;
        };
        let [begun, ratio, locked, rest @ ..] = memory else {
            return;
        };
        let varied = self.vary(rest, &coupling, control, (mean, duration));
        // Spin at which the gearbox sees the wheels.
        let mean = varied.mean * mean;
        let mut memory = Memory {
            begun,
            ratio,
            locked,
        };
        if *memory.begun == 0.0 {
            *memory.begun = 1.0;
            *memory.ratio = coupling.ratio;
            shafts.nodes[ENGINE].speed = state.engine_speed;
            shafts.nodes[TURBINE].speed = coupling.ratio * mean;
        }
        state.clutch_torque = shafts.rows[GEAR].torque;
        set_engine(&coupling, IDLE, &mut shafts);
        set_fluid(converter, &mut shafts);
        self.set_lock_up(converter, &mut memory, state, &mut shafts, duration);
        let next = self.ratio(control.levers.range, state.target_gear);
        let engaged = self.engaged(
            &coupling,
            [*memory.ratio, next],
            state,
            (&shafts, mean, duration),
        );
        if state.gear == state.target_gear {
            *memory.ratio = coupling.ratio;
        }
        let ratios = [varied.end, varied.mean].map(|varied| varied * engaged.ratio);
        let gear = &mut shafts.rows[GEAR];
        gear.range = [-engaged.capacity, engaged.capacity];
        set_gear(gear, 2, ratios, converter.efficiency, control);
        control.shafts = Some(shafts);
    }

    /// Moves the variator, whose ratio is the last value of the memory.
    fn vary(
        &self,
        memory: &mut [f32],
        coupling: &EngineCoupling,
        control: &Control,
        (mean, duration): (f32, f32),
    ) -> Varied {
        let (Some(variator), [ratio, ..]) = (&self.params.variator, memory) else {
            return Varied {
                end: 1.0,
                mean: 1.0,
            };
        };
        let input = variator.input_speed(control.throttle, control.forward_speed);
        // Backward, it stays at its greatest.
        let output = coupling.ratio.max(0.0) * mean;
        if *ratio == 0.0 {
            // Of a fresh vehicle: for the speed that it has.
            *ratio = variator.after(1.0, input, output, f32::INFINITY);
        }
        let before = *ratio;
        if coupling.ratio != 0.0 {
            *ratio = variator.after(before, input, output, duration);
        }
        Varied {
            end: *ratio,
            mean: 0.5 * (before + *ratio),
        }
    }

    /// Opens or closes the lock-up clutch.
    fn set_lock_up(
        &self,
        converter: &ConverterParams,
        memory: &mut Memory<'_>,
        state: &DriveState,
        shafts: &mut Shafts,
        duration: f32,
    ) {
        let Some(lock_up) = &converter.lock_up else {
            return shafts.rows[LOCK_UP].range = [0.0; 2];
        };
        let [engine, turbine] = [ENGINE, TURBINE].map(|node| shafts.nodes[node].speed);
        let changes = state.gear != state.target_gear;
        let closes = !changes
            && state.gear >= Gear(lock_up.from_gear)
            && turbine > UNLOCKS * self.params.engine.idle_speed
            && turbine > lock_up.closes_above * engine;
        let change = if closes {
            duration / lock_up.closing_time
        } else {
            -duration / OPENING_TIME
        };
        *memory.locked = (*memory.locked + change).clamp(0.0, 1.0);
        let capacity = *memory.locked * lock_up.capacity;
        shafts.rows[LOCK_UP].range = [-capacity, capacity];
    }

    /// Ratio and capacity of the gearbox's clutches, from the ratios of the last and the next gear.
    fn engaged(
        &self,
        coupling: &EngineCoupling,
        [last, next]: [f32; 2],
        state: &DriveState,
        (shafts, mean, duration): (&Shafts, f32, f32),
    ) -> EngagedGear {
        let p = &self.params;
        if state.gear == state.target_gear || next == 0.0 {
            return EngagedGear {
                ratio: coupling.ratio,
                capacity: coupling.capacity.unwrap_or(f32::INFINITY),
            };
        }
        let most = p.clutch.capacity.unwrap_or(f32::INFINITY);
        let turbine = &shafts.nodes[TURBINE];
        let change = ChangeUnderTorque {
            ratios: [last, next],
            torque: shafts.rows[FLUID].torque + shafts.rows[LOCK_UP].torque,
            speed: turbine.speed,
            inertia: turbine.inertia,
            spin: mean,
            time: state.switch_time,
            total: p.gearbox.switch_time,
            duration,
            most,
            out_of_neutral: most.min(p.engine.peak_torque),
        };
        change.engaged()
    }
}

/// Torque that the engine gave to converter and lock-up clutch in the last substep (`N·m`).
pub(super) fn engine_load(shafts: &Shafts) -> f32 {
    shafts.rows[PUMP].torque + shafts.rows[LOCK_UP].torque
}

/// Sets the engine, the first node, with its idle controller, the row `idle`, and its stop and limiter, the two next rows.
pub(crate) fn set_engine(coupling: &EngineCoupling, idle: usize, shafts: &mut Shafts) {
    let engine = &mut shafts.nodes[ENGINE];
    engine.inertia = coupling.inertia;
    engine.slope = coupling.damping;
    engine.torque = coupling.torque - coupling.damping * engine.speed;
    engine.friction = coupling.friction;
    shafts.rows[idle].offset = coupling.idle_speed;
    shafts.rows[idle].range = [-coupling.idle_reserve(), 0.0];
    shafts.rows[idle + 1].range = [f32::NEG_INFINITY, 0.0];
    shafts.rows[idle + 2].offset = coupling.max_speed;
    shafts.rows[idle + 2].range = [0.0, coupling.torque.max(0.0)];
}

/// Sets the torques of pump and turbine, linear about their speeds.
fn set_fluid(converter: &ConverterParams, shafts: &mut Shafts) {
    let speeds = [ENGINE, TURBINE].map(|node| shafts.nodes[node].speed);
    let torques = converter.torques(speeds[0], speeds[1]);
    for (row, ConverterTorque { torque, slopes }) in [PUMP, FLUID].into_iter().zip(torques) {
        let row = &mut shafts.rows[row];
        (row.speeds[ENGINE], row.speeds[TURBINE]) = (slopes[0], slopes[1]);
        row.bias = torque - slopes[0] * speeds[0] - slopes[1] * speeds[1];
    }
}

/// Sets the row of a gear between one of `nodes` and the wheels, with its ratio for speeds and for torques; it loses power the way
/// that it was transmitted in the last substep.
pub(crate) fn set_gear(
    row: &mut ShaftRow,
    nodes: usize,
    [of_speeds, of_torques]: [f32; 2],
    efficiency: f32,
    control: &Control,
) {
    let gain = if row.torque >= 0.0 {
        efficiency
    } else {
        1.0 / efficiency
    };
    let (speeds, torques) = (&mut row.speeds[nodes..], &mut row.torques[nodes..]);
    for (n, (speed, torque)) in speeds.iter_mut().zip(torques).enumerate() {
        let wheel = control.wheel(n);
        *speed = -of_speeds * wheel.speed_share;
        *torque = of_torques * wheel.torque_share * gain;
    }
}
