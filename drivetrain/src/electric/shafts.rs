//! Shafts of an electric drive: rotors and their gears, and an engine on a planetary gear or behind a separating clutch.

use alloc::vec;

use vehicle_core::{Sensors, ShaftNode, ShaftRow, Shafts, WheelSensors};

use super::memory::ElectricMemory;
use super::motor::MotorParams;
use super::parallel::ParallelHybridParams;
use super::{ElectricDrive, PerMotor};
use crate::under_torque::EngagedGear;

impl ElectricDrive {
    /// Nodes of engine and rotors, and rows of their gears, in a vehicle of `wheels` wheels.
    pub(super) fn all_shafts(&self, wheels: usize) -> Shafts {
        let p = &self.params;
        let engine = p.engine.iter().map(|engine| ShaftNode {
            is_engine: true,
            ..ShaftNode::new(engine.inertia)
        });
        let rotors = p.motors.iter().map(MotorParams::node);
        let gears = (0..p.motors.len()).map(|n| self.row(n, wheels));
        let all = p.first_motor() + p.motors.len() + wheels;
        let of_engine = match &p.parallel {
            Some(_) => ParallelHybridParams::engine_rows(&p.motors[0], 1, all).to_vec(),
            None => p.engine.iter().map(|_| stop(all)).collect(),
        };
        Shafts {
            nodes: engine.chain(rotors).collect(),
            rows: gears.chain(of_engine).collect(),
        }
    }

    /// Lets the rotors of a fresh vehicle turn with its wheels at their `ratios`, beside a standing engine.
    pub(super) fn begin(&self, sensors: &Sensors<'_>, ratios: &PerMotor, shafts: &mut Shafts) {
        let p = &self.params;
        let rotors = shafts.nodes[p.first_motor()..].iter_mut().zip(ratios);
        for ((node, ratio), motor) in rotors.zip(&p.motors) {
            node.speed = match &p.power_split {
                Some(split) if motor.wheels.is_empty() => {
                    let ring = split.ratio * mean_spin(sensors.wheels, &split.wheels);
                    motor.ratio * split.sun_speed(0.0, ring)
                }
                _ => ratio * mean_spin(sensors.wheels, &motor.wheels),
            };
        }
    }

    /// Row of a motor: the gear to its wheels, or the planetary gear of a generator.
    fn row(&self, n: usize, wheels: usize) -> ShaftRow {
        let p = &self.params;
        let (first, motor) = (p.first_motor(), &p.motors[n]);
        let nodes = first + p.motors.len();
        match &p.power_split {
            Some(split) if motor.wheels.is_empty() => {
                split.gear(motor, [0, first + n], [nodes, wheels])
            }
            _ if n == 0 && p.parallel.is_some() => {
                ParallelHybridParams::gear(motor, first, nodes, wheels)
            }
            _ => motor.gear(first + n, nodes, wheels),
        }
    }

    /// Speed of the engine (`rad/s`), and torque with which it drives the wheels directly (`N·m`), by the last substep.
    pub(super) fn engine_of(
        &self,
        memory: &ElectricMemory,
        shafts: &Shafts,
        gear: Option<EngagedGear>,
    ) -> [f32; 2] {
        if let Some(gear) = gear {
            let torque = shafts.rows[self.params.motors.len()].torque;
            return [shafts.nodes[0].speed, gear.ratio * torque];
        }
        let Some(hybrid) = self.params.hybrid() else {
            return [0.0; 2];
        };
        let speed = shafts.nodes[0].speed;
        let turns = memory.engine.target > 0.0 || speed > 0.0;
        let torque = hybrid.split.wheel_torque_ratio() * shafts.rows[hybrid.index].torque;
        [speed, if turns { torque } else { 0.0 }]
    }
}

/// The row that keeps an engine, the first of `all` nodes and wheels, from turning backward.
fn stop(all: usize) -> ShaftRow {
    let mut weights = vec![0.0; all];
    weights[0] = 1.0;
    ShaftRow {
        range: [f32::NEG_INFINITY, 0.0],
        ..ShaftRow::gear(&weights)
    }
}

/// Mean spin of some wheels (`rad/s`).
pub(super) fn mean_spin(all: &[WheelSensors], wheels: &[usize]) -> f32 {
    let spins = wheels.iter().filter_map(|wheel| all.get(*wheel));
    spins.map(|wheel| wheel.spin).sum::<f32>() / wheels.len() as f32
}
