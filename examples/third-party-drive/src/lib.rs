//! An electric drive with a motor at each rear wheel: a [`Drivetrain`] that sees wheels and chassis, and remembers the energy
//! in its battery and the temperatures of its motors.

pub mod launch;

use jounce::core::{
    CarCommand, Command, Control, DriveState, Drivetrain, Inspector, Sensors, StepError,
};

/// Two motors, a battery and the brakes of a car whose wheels 0 and 1 are steered, and 2 and 3 driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwinMotors {
    /// Greatest torque of a motor at its wheel, gear included (`N·m`), > 0.
    pub torque: f32,
    /// Greatest mechanical power of a motor (`W`), > 0.
    pub power: f32,
    /// Efficiency of motor, inverter and battery (–), within 0…1.
    pub efficiency: f32,
    /// Energy of the full battery (`J`), > 0.
    pub capacity: f32,
    /// Heat capacity of a motor (`J/K`), and what it gives to the air (`W/K`), > 0.
    pub heat_capacity: f32,
    pub cooling: f32,
    /// Temperature over the air's from which torque falls, and at which there is none (`K`).
    pub derating: [f32; 2],
    /// Torque by which the motors turn the car, per error of the yaw rate (`N·m·s`), ≥ 0.
    pub vectoring: f32,
    /// Braking torque of the friction brakes at full pedal, at a front and at a rear wheel (`N·m`), ≥ 0.
    pub brakes: [f32; 2],
    /// Greatest steering angle (`rad`), > 0, and wheelbase (`m`), > 0.
    pub steering: f32,
    pub wheelbase: f32,
}

impl TwinMotors {
    /// For a sports car of 1500 kg.
    pub const SPORTS_CAR: Self = Self {
        torque: 1200.0,
        power: 110_000.0,
        efficiency: 0.9,
        capacity: 1.8e8,
        heat_capacity: 20_000.0,
        cooling: 40.0,
        derating: [90.0, 130.0],
        vectoring: 3000.0,
        brakes: [2200.0, 1100.0],
        steering: 0.6,
        wheelbase: 2.7,
    };

    /// Greatest torque of a motor at this `spin` (`rad/s`) and temperature (`K` over the air's), in `N·m`.
    fn most(&self, spin: f32, temperature: f32) -> f32 {
        let [begins, ends] = self.derating;
        let cool = ((ends - temperature) / (ends - begins)).clamp(0.0, 1.0);
        cool * self.torque.min(self.power / spin.abs().max(1.0))
    }

    /// Torques of both motors (`N·m`): the pedal's, by the loads of their wheels, and a difference that turns the car as it is
    /// steered.
    fn torques(&self, sensors: &Sensors<'_>, car: &CarCommand, temperatures: &[f32]) -> [f32; 2] {
        let speed = sensors.velocity.x;
        let wanted = -car.steer * self.steering * speed / self.wheelbase;
        let turning = self.vectoring * (wanted - sensors.angular_velocity.z);
        let turning = if speed > 1.0 { turning } else { 0.0 };
        let driven = [&sensors.wheels[2], &sensors.wheels[3]];
        let loads = driven.map(|wheel| wheel.load + 1.0);
        core::array::from_fn(|n| {
            let most = self.most(driven[n].spin, temperatures[n]);
            let share = 2.0 * loads[n] / (loads[0] + loads[1]);
            let asked = car.throttle * self.torque * share;
            let difference = if n == 0 { -turning } else { turning };
            (asked + difference).clamp(-most, most)
        })
    }
}

impl Drivetrain for TwinMotors {
    fn check(&self, wheels: usize, inspector: &mut Inspector) {
        inspector.rule(wheels == 4, "wheels", wheels, "", "must be 4");
        inspector.positive("torque", self.torque, "N·m");
        inspector.positive("power", self.power, "W");
        let efficiency = self.efficiency;
        let range = efficiency > 0.0 && efficiency <= 1.0;
        inspector.rule(range, "efficiency", efficiency, "", "must be within 0..1");
        inspector.positive("capacity", self.capacity, "J");
        inspector.positive("heat_capacity", self.heat_capacity, "J/K");
        inspector.positive("cooling", self.cooling, "W/K");
        inspector.positive("wheelbase", self.wheelbase, "m");
    }

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    /// Energy taken from the battery (`J`), and the temperatures of both motors over the air's (`K`).
    fn memory(&self, _wheels: usize) -> usize {
        3
    }

    fn uses_sensors(&self) -> bool {
        true
    }

    fn control(
        &self,
        command: &Command,
        _state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        let Command::Car(car) = command else {
            return Err(StepError::WrongCommand { expected: "car" });
        };
        for n in 0..4 {
            let mut wheel = control.wheel(n);
            wheel.brake = car.brake * self.brakes[n / 2];
            wheel.steer = if n < 2 {
                -car.steer * self.steering
            } else {
                0.0
            };
            wheel.accelerated = n >= 2 && car.throttle > 0.0;
            control.set_wheel(n, &wheel);
        }
        control.throttle = car.throttle;
        control.braking = car.brake > 0.0;
        control.accelerating = car.throttle > 0.0;
        Ok(())
    }

    fn sense(
        &self,
        sensors: &Sensors<'_>,
        memory: &mut [f32],
        _state: &mut DriveState,
        control: &mut Control,
    ) {
        let Some(Command::Car(car)) = sensors.command else {
            return;
        };
        let [used, temperatures @ ..] = memory else {
            return;
        };
        let torques = if *used < self.capacity {
            self.torques(sensors, car, temperatures)
        } else {
            [0.0; 2]
        };
        let h = sensors.duration;
        for (n, torque) in torques.into_iter().enumerate() {
            let mut wheel = control.wheel(2 + n);
            wheel.drive = torque;
            control.set_wheel(2 + n, &wheel);
            let power = torque * sensors.wheels[2 + n].spin;
            let losses = power.abs() * (1.0 / self.efficiency - 1.0);
            *used = (*used + (power + losses) * h).max(0.0);
            // Exact for constant losses: any substep gives the same temperature.
            let end = losses / self.cooling;
            let part = (-self.cooling * h / self.heat_capacity).exp();
            temperatures[n] = end + (temperatures[n] - end) * part;
        }
    }

    fn requests_motion(&self, command: &Command, _state: &DriveState) -> bool {
        matches!(command, Command::Car(car) if car.throttle > 0.0)
    }
}
