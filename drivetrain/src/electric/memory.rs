//! Memory of an electric drive: energy, charge, temperatures, and its motors in the last substep.

use vehicle_core::ShaftNode;

use super::{ElectricDriveParams, MAX_MOTORS};
use crate::long_sum::{halves, whole};

/// Numbers that are remembered of the drive: four sums in two numbers each, and six others.
const OF_DRIVE: usize = 14;
/// Numbers that are remembered of each motor: speed and torque, and at the end of all numbers, its temperature. The ratio of a gearbox
/// stands between them.
const OF_MOTOR: usize = 3;

/// Speed of a rotor without torque, below which it counts as standing (`rad/s`): 2 mm/s of a car.
const STANDING: f32 = 0.05;

/// Memory of an electric drive. A fresh one is 0 throughout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ElectricMemory {
    /// Energy that left the battery's terminals, and that came back (`J`), ≥ 0.
    pub(super) used: f64,
    pub(super) recovered: f64,
    /// Charge that left the battery (`A·s`), less what came back.
    pub(super) drawn: f64,
    /// Length of the last substep (`s`), and mean power at the terminals in it (`W`).
    pub(super) duration: f32,
    pub(super) power: f32,
    /// Brake pedal and handbrake after their responses, 0…1.
    pub(super) brakes: [f32; 2],
    /// The engine of a hybrid.
    pub(super) engine: EngineMemory,
    /// Total ratio of the gear that a parallel hybrid last engaged (–), which only such a drive remembers.
    pub(super) gear_ratio: f32,
    pub(super) motors: [MotorMemory; MAX_MOTORS],
}

/// Memory of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EngineMemory {
    /// Whether the controller asks the engine to run.
    pub(super) running: bool,
    /// Speed that it was to have at the end of the last substep (`rad/s`).
    pub(super) target: f32,
    /// Work that it did since the vehicle was fresh (`J`), less what turned it.
    pub(super) work: f64,
}

/// Memory of a motor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MotorMemory {
    /// Speed of the rotor at the end of the last substep (`rad/s`).
    pub(super) speed: f32,
    /// Mean torque that it gave in the substep (`N·m`).
    pub(super) torque: f32,
    /// Temperature over the coolant's (`K`).
    pub(super) rise: f32,
}

impl ElectricMemory {
    /// Count of the numbers of a drive with so many motors; one more with a gearbox.
    pub(super) const fn length(motors: usize) -> usize {
        OF_DRIVE + OF_MOTOR * motors
    }

    /// The memory in these numbers; that of a fresh drive if there are fewer.
    pub(super) fn read(numbers: &[f32]) -> Self {
        let Some((drive, motors)) = numbers.split_at_checked(OF_DRIVE) else {
            return Self::default();
        };
        let mut memory = Self {
            used: whole([drive[0], drive[1]]),
            recovered: whole([drive[2], drive[3]]),
            drawn: whole([drive[4], drive[5]]),
            duration: drive[6],
            power: drive[7],
            brakes: [drive[8], drive[9]],
            engine: EngineMemory {
                running: drive[10] > 0.0,
                target: drive[11],
                work: whole([drive[12], drive[13]]),
            },
            ..Self::default()
        };
        let count = motors.len() / OF_MOTOR;
        let (turning, rises) = motors.split_at(motors.len() - count);
        let turning = turning.chunks_exact(OF_MOTOR - 1);
        memory.gear_ratio = turning.remainder().first().copied().unwrap_or(0.0);
        let numbers = turning.zip(rises);
        for (motor, (turning, rise)) in memory.motors.iter_mut().zip(numbers) {
            *motor = MotorMemory {
                speed: turning[0],
                torque: turning[1],
                rise: *rise,
            };
        }
        memory
    }

    /// Writes the memory to as many numbers as there are.
    pub(super) fn write(&self, numbers: &mut [f32]) {
        let sums = [self.used, self.recovered, self.drawn].map(halves);
        let others = [self.duration, self.power, self.brakes[0], self.brakes[1]];
        let [high, low] = halves(self.engine.work);
        let engine = [
            f32::from(u8::from(self.engine.running)),
            self.engine.target,
            high,
            low,
        ];
        let count = numbers.len().saturating_sub(OF_DRIVE) / OF_MOTOR;
        let motors = self.motors.iter().take(count);
        let rises = motors.clone().map(|motor| motor.rise);
        let turning = motors.flat_map(|motor| [motor.speed, motor.torque]);
        let drive = sums.into_iter().flatten().chain(others).chain(engine);
        let has_gears = numbers.len() > Self::length(count);
        let gears = has_gears.then_some(self.gear_ratio);
        let all = drive.chain(turning).chain(gears).chain(rises);
        for (slot, number) in numbers.iter_mut().zip(all) {
            *slot = number;
        }
    }

    /// State of charge (–), 0…1.
    pub(super) fn state_of_charge(&self, params: &ElectricDriveParams) -> f32 {
        let battery = &params.battery;
        let drawn = self.drawn / f64::from(battery.capacity);
        (f64::from(battery.state_of_charge) - drawn).clamp(0.0, 1.0) as f32
    }

    /// Adds what happened in the last substep, of which `nodes` has the speeds at the end, torques and work: first the engine's, if
    /// there is one.
    pub(super) fn add_substep(&mut self, params: &ElectricDriveParams, nodes: &[ShaftNode]) {
        let h = self.duration;
        self.power = 0.0;
        let (engine, nodes) = nodes.split_at(params.first_motor().min(nodes.len()));
        self.engine.work += engine.iter().map(|node| f64::from(node.work)).sum::<f64>();
        let motors = self.motors.iter_mut().zip(&params.motors);
        for ((motor, params), node) in motors.zip(nodes) {
            let (before, after) = (motor.speed, node.speed);
            (motor.speed, motor.torque) = (after, node.applied);
            if node.applied == 0.0 && before.abs().max(after.abs()) < STANDING {
                motor.speed = 0.0;
                continue;
            }
            if h > 0.0 {
                let losses = params.losses.at(node.applied, 0.5 * (before + after));
                self.power += node.work / h + losses;
                if let Some(heat) = &params.heat {
                    motor.rise = heat.after(motor.rise, losses, h);
                }
            }
        }
        let voltage = params.battery.voltage.at(self.state_of_charge(params));
        let (power, duration) = (f64::from(self.power), f64::from(h));
        self.used += power.max(0.0) * duration;
        self.recovered += (-power).max(0.0) * duration;
        self.drawn += f64::from(params.battery.current(self.power, voltage)) * duration;
    }
}

#[cfg(test)]
mod tests;
