//! A parallel hybrid: an engine behind a separating clutch drives the input of a gearbox beside a motor.
//!
//! ```text
//! engine ── K0 ── motor ── gearbox ── differential ── wheels
//! ```
//!
//! Known as P2 by the place of its motor (L. Guzzella, A. Sciarretta, *Vehicle Propulsion Systems*, 3rd ed. 2013, chapter 4). No other
//! clutch starts the vehicle: the motor does, or the slipping K0.

use alloc::vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::EngineCoupling;
use vehicle_core::{Check, Gear, Inspector, ShaftRow};

use super::engine_rules::EngineRules;
use super::hybrid::{FIRES, READY, USED};
use super::memory::EngineMemory;
use super::motor::MotorParams;
use crate::autobox::AutoboxParams;
use crate::clutch::ClutchParams;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;

/// An engine, a separating clutch and a gearbox before and behind the first motor, and the rules by which the engine runs.
///
/// Below `start_power`, the vehicle drives by its motor, with the clutch open and the engine off. The turning motor starts the
/// engine by the clutch; at a standstill a starter does. The running engine gives what the driver asks, and charges the battery;
/// the motor adds what is missing, and takes what is too much. The gearbox changes gears by clutches of its own, under torque.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParallelHybridParams {
    /// The separating clutch K0 between engine and gearbox. It closes as an automatic clutch does; it has no pedal.
    pub clutch: ClutchParams,
    /// Greatest torque that engine and motors are asked to give together to the gearbox (`N·m`), > 0; `None` without a limit.
    #[serde(default)]
    pub input_torque: Option<f32>,
    /// Torque up to which the clutch closes to start the engine by the turning motor (`N·m`), > 0.
    pub cranking_torque: f32,
    /// The gearbox, between the input that engine and motor turn and the differential.
    pub gearbox: GearboxParams,
    /// The autobox of the gearbox, by speeds of its input over the engine's maximum speed; `None` without.
    #[serde(default)]
    pub autobox: Option<AutoboxParams>,
    /// Part of the power that gears and differential pass on (–), > 0, at most 1.
    #[serde(default = "lossless")]
    pub efficiency: f32,
    /// Power of the driver's request above which the engine starts (`W`), > 0.
    pub start_power: f32,
    /// Power of the driver's request below which the engine stops (`W`), ≥ 0, at most `start_power`.
    pub stop_power: f32,
    /// Speed of the vehicle above which the engine runs (`m/s`), > 0; `None` if it need not.
    #[serde(default)]
    pub electric_speed: Option<f32>,
    /// State of charge below which the engine starts, and the one to which it charges (–), ascending, 0…1. It charges with
    /// `charge_power` at the lower one, and stops above their middle.
    pub charge: [f32; 2],
    /// Power with which the engine charges the battery at the lower state of charge (`W`), ≥ 0.
    pub charge_power: f32,
}

const fn lossless() -> f32 {
    1.0
}

/// Gearbox and request at the start of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParallelInput {
    /// What the drive remembers of its engine.
    pub(super) memory: EngineMemory,
    /// Speeds of the engine, and of the gearbox's input (`rad/s`).
    pub(super) engine_speed: f32,
    pub(super) input_speed: f32,
    /// Mean spin of the wheels (`rad/s`), and speed of the vehicle (`m/s`).
    pub(super) spin: f32,
    pub(super) speed: f32,
    /// Torque that the driver asks at the wheels, in the selected direction (`N·m`).
    pub(super) torque: f32,
    /// 1 forward, 0 neutral, −1 reverse.
    pub(super) direction: f32,
    /// Speed of the input over the mean spin (–): negative in reverse, 0 in neutral.
    pub(super) ratio: f32,
    /// State of charge (–).
    pub(super) charge: f32,
    /// Length of the substep (`s`).
    pub(super) duration: f32,
}

/// Engine and separating clutch for the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ParallelDemand {
    /// What the drive remembers of its engine.
    pub(super) memory: EngineMemory,
    /// The engine; its `capacity` is that of the separating clutch.
    pub(super) coupling: EngineCoupling,
}

impl ParallelHybridParams {
    /// The rules by which the engine runs.
    pub(super) fn rules(&self) -> EngineRules {
        EngineRules {
            start_power: self.start_power,
            stop_power: self.stop_power,
            electric_speed: self.electric_speed,
            charge: self.charge,
            charge_power: self.charge_power,
        }
    }

    /// Speed of the gearbox's input over the mean spin of the wheels in a range and gear (–).
    pub(super) fn ratio(&self, range: u8, gear: Gear) -> f32 {
        self.gearbox.ratio(gear) * self.gearbox.range_ratio(range)
    }

    /// The row of the gearbox between node `own` of `nodes`, the rotor, and the wheels: its torque is that on the input.
    pub(super) fn gear(motor: &MotorParams, own: usize, nodes: usize, wheels: usize) -> ShaftRow {
        let mut weights = vec![0.0; nodes + wheels];
        weights[own] = 1.0 / motor.ratio;
        ShaftRow::gear(&weights)
    }

    /// Rows of the engine, the first node, beside the rotor, the node `own`: the separating clutch, idle controller, stop and
    /// limiter.
    pub(super) fn engine_rows(motor: &MotorParams, own: usize, all: usize) -> [ShaftRow; 4] {
        let row = |input: f32| {
            let mut weights = vec![0.0; all];
            (weights[0], weights[own]) = (1.0, -input / motor.ratio);
            ShaftRow::gear(&weights)
        };
        [row(1.0), row(0.0), row(0.0), row(0.0)]
    }

    /// Greatest torque that the engine can have at the gearbox's input (`N·m`), once it runs; at its maximum speed, that just below:
    /// the driver goes on asking for it.
    pub(super) fn engine_torque(engine: &EngineParams, input_speed: f32) -> f32 {
        let fastest = (USED * engine.max_speed).max(engine.idle_speed);
        let speed = input_speed.clamp(engine.idle_speed, fastest);
        (engine.torque(1.0, speed) - engine.damping(1.0, 1.0) * speed).max(0.0)
    }

    /// Engine and separating clutch.
    pub(super) fn demand(&self, engine: &EngineParams, input: &ParallelInput) -> ParallelDemand {
        let request = input.torque * READY.max(input.direction * input.spin);
        let rules = self.rules();
        let runs = rules.runs(input.memory.running, request, input.charge, input.speed);
        let running = input.direction != 0.0 && runs;
        let fires = running && input.engine_speed > FIRES * engine.idle_speed;
        let turned = input.input_speed >= engine.idle_speed;
        let starts = running && !fires;
        let mut coupling = self.engine_at(engine, input, [fires, starts && !turned]);
        let speeds = [input.engine_speed, input.input_speed];
        let clutch = &self.clutch;
        let closes = if fires && input.ratio != 0.0 {
            clutch.automatic_torque(engine, &coupling, speeds, input.duration)
        } else if starts && turned {
            self.cranking_torque
        } else {
            0.0
        };
        coupling.capacity = Some(closes.min(clutch.capacity.unwrap_or(f32::INFINITY)));
        let target = input.input_speed.max(engine.idle_speed);
        let memory = EngineMemory {
            running,
            target: if running { target } else { 0.0 },
            ..input.memory
        };
        ParallelDemand { memory, coupling }
    }

    /// The engine that fires, or does not, and that its starter turns, or does not, with the clutch open.
    fn engine_at(
        &self,
        engine: &EngineParams,
        input: &ParallelInput,
        [fires, cranked]: [bool; 2],
    ) -> EngineCoupling {
        let speed = input.engine_speed;
        let throttle = if fires {
            engine.throttle_for(self.engine_share(engine, input), speed)
        } else {
            0.0
        };
        let damping = engine.damping(throttle, 1.0);
        let held = engine.idle_torque(true) + damping * engine.idle_speed;
        EngineCoupling {
            inertia: engine.inertia,
            idle_speed: engine.idle_speed,
            idle_torque: match (fires, cranked) {
                (true, _) => held,
                (false, true) => held + engine.static_friction,
                (false, false) => 0.0,
            },
            max_speed: engine.max_speed,
            damping,
            torque: engine.torque(throttle, speed),
            friction: engine.friction(throttle, speed),
            ratio: input.ratio,
            clutch: self.clutch.strength,
            capacity: Some(0.0),
            accuracy: self.clutch.accuracy,
            throttle,
        }
    }

    /// Torque that the engine is to give (`N·m`): all that the driver asks, and what charges the battery once the clutch can close.
    fn engine_share(&self, engine: &EngineParams, input: &ParallelInput) -> f32 {
        if input.ratio == 0.0 {
            return 0.0;
        }
        let shaft = input.input_speed;
        let charging = if shaft > engine.idle_speed {
            self.rules().charging(input.charge) / shaft
        } else {
            0.0
        };
        input.torque / input.ratio.abs() + charging
    }
}

impl Check for ParallelHybridParams {
    fn check(&self, i: &mut Inspector) {
        i.within("clutch", |i| {
            self.clutch.check(i);
            let rule = "must be left out: a separating clutch has no pedal";
            i.rule(self.clutch.pedal.is_none(), "pedal", "there", "", rule);
        });
        i.positive("input_torque", self.input_torque.unwrap_or(1.0), "N·m");
        i.positive("cranking_torque", self.cranking_torque, "N·m");
        i.within("gearbox", |i| self.gearbox.check(i));
        if let Some(autobox) = &self.autobox {
            i.within("autobox", |i| {
                autobox.check(i);
                autobox.check_gears(self.gearbox.forward.len(), i);
            });
        }
        let range = self.efficiency > 0.0 && self.efficiency <= 1.0;
        let rule = "must be > 0 and at most 1";
        i.rule(range, "efficiency", self.efficiency, "", rule);
        self.rules().check(i);
    }
}

#[cfg(test)]
mod tests;
