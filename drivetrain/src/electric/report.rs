//! Report of an electric drive: battery, energy and motors.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use super::ElectricDriveParams;
use super::memory::ElectricMemory;

/// Battery, energy and motors of an electric drive in the last substep that it saw the end of.
#[derive(Clone, Debug, PartialEq)]
pub struct ElectricReport {
    /// State of charge (–), 0…1.
    pub state_of_charge: f32,
    /// Voltage at the terminals (`V`).
    pub voltage: f32,
    /// Current (`A`), positive discharging.
    pub current: f32,
    /// Power at the terminals (`W`), positive discharging.
    pub power: f32,
    /// Energy that left the terminals since the vehicle was fresh (`J`), ≥ 0.
    pub energy_used: f32,
    /// Energy that came back through the terminals (`J`), ≥ 0.
    pub energy_recovered: f32,
    /// The engine of a power split.
    pub engine: Option<EngineReport>,
    /// The motors, in the order of the parameters.
    pub motors: Vec<MotorReport>,
}

/// The engine of an [`ElectricReport`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineReport {
    /// Whether the controller asks the engine to run, which takes a moment to start and to stop.
    pub running: bool,
    /// Speed that it is to have (`rad/s`), ≥ 0; [`DriveState::engine_speed`](vehicle_core::DriveState) is the one that it has.
    pub target_speed: f32,
    /// Work that it did since the vehicle was fresh (`J`), less what turned it.
    pub work: f32,
}

/// A motor of an [`ElectricReport`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorReport {
    /// Speed of the rotor (`rad/s`), positive forward.
    pub speed: f32,
    /// Torque of the rotor (`N·m`), positive forward.
    pub torque: f32,
    /// Mechanical power (`W`), negative while it regenerates.
    pub power: f32,
    /// Losses (`W`), ≥ 0.
    pub losses: f32,
    /// Temperature over the coolant's (`K`).
    pub temperature_rise: f32,
}

impl ElectricReport {
    pub(super) fn new(params: &ElectricDriveParams, memory: &ElectricMemory) -> Self {
        let state_of_charge = memory.state_of_charge(params);
        let open = params.battery.voltage.at(state_of_charge);
        let current = params.battery.current(memory.power, open);
        let motors = params.motors.iter().zip(&memory.motors);
        Self {
            state_of_charge,
            voltage: open - params.battery.resistance * current,
            current,
            power: memory.power,
            energy_used: memory.used as f32,
            energy_recovered: memory.recovered as f32,
            engine: params.engine.as_ref().map(|_| EngineReport {
                running: memory.engine.running,
                target_speed: memory.engine.target,
                work: memory.engine.work as f32,
            }),
            motors: motors
                .map(|(params, motor)| MotorReport {
                    speed: motor.speed,
                    torque: motor.torque,
                    power: motor.torque * motor.speed,
                    losses: params.losses.at(motor.torque, motor.speed),
                    temperature_rise: motor.rise,
                })
                .collect(),
        }
    }

    /// All values by name, in SI units: `state_of_charge`, `power`, `motor_0_torque` and so on, for telemetry.
    #[must_use]
    pub fn scalars(&self) -> Vec<(Cow<'static, str>, f32)> {
        let battery = [
            ("state_of_charge", self.state_of_charge),
            ("voltage", self.voltage),
            ("current", self.current),
            ("power", self.power),
            ("energy_used", self.energy_used),
            ("energy_recovered", self.energy_recovered),
        ];
        let engine = self.engine.iter().flat_map(|engine| {
            [
                ("engine_target_speed", engine.target_speed),
                ("engine_work", engine.work),
            ]
        });
        let named = battery.into_iter().chain(engine);
        let named = named.map(|(name, value)| (Cow::Borrowed(name), value));
        let motors = self.motors.iter().enumerate().flat_map(|(n, motor)| {
            [
                ("speed", motor.speed),
                ("torque", motor.torque),
                ("power", motor.power),
                ("losses", motor.losses),
                ("temperature_rise", motor.temperature_rise),
            ]
            .map(|(name, value)| (Cow::Owned(format!("motor_{n}_{name}")), value))
        });
        named.chain(motors).collect()
    }
}
