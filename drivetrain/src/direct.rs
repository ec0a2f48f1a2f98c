//! Torque straight to the wheels, without an engine (ALGORITHMS §4.9).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::W4;
use vehicle_core::{
    CarCommand, Check, Checked, Command, Control, DriveState, Drivetrain, Gear, GearCommand,
    Inspector, MAX_WHEELS, SteeringInput, SteeringWheel, StepError, TireForces, TireInput,
    WheelCommand,
};

use crate::brakes::{self, BrakeParams};
use crate::logic::DriveLogic;
use crate::pedals;
use crate::per_wheel::{self, PerWheel};
use crate::response::{ResponseTable, Responses};
use crate::selector::{selected, selected_with_lock};
use crate::steering::SteeringParams;

/// Parameters of [`DirectDrive`]. Lists are in wheel order; wheels beyond the last entry have
/// none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectDriveParams {
    /// Driving torque of each wheel at full throttle (`N·m`); negative for a wheel driven
    /// backwards.
    #[serde(default)]
    pub max_torques: Vec<f32>,
    /// Responses to the pedals. There is no clutch: its table must be empty.
    #[serde(default)]
    pub responses: Responses,
    /// Rule by which the driver counts as accelerating; `rules` in documents.
    #[serde(default, rename = "rules")]
    pub logic: DriveLogic,
    /// Steering.
    #[serde(default)]
    pub steering: SteeringParams,
    /// Brakes.
    #[serde(default)]
    pub brakes: Vec<BrakeParams>,
}

impl Check for DirectDriveParams {
    fn check(&self, i: &mut Inspector) {
        i.within("max_torques", |i| {
            per_wheel::check_length(self.max_torques.len(), MAX_WHEELS, i);
        });
        for (n, torque) in self.max_torques.iter().enumerate() {
            i.finite(&format!("max_torques[{n}]"), *torque, "N·m");
        }
        i.within("responses", |i| {
            self.responses.check(i);
            self.responses.check_without_engine("a direct drive", i);
        });
        i.within("steering", |i| self.steering.check(i));
        brakes::check_all(&self.brakes, i);
    }
}

/// A drive that sets the torque of each wheel.
///
/// [`WheelCommand`]s give torques, brakes and angles directly, as in PhysX's `NoDrive`.
/// [`CarCommand`]s are converted: throttle times each wheel's maximum torque, in the direction of
/// the gear (forward, neutral or reverse, changed at once).
#[derive(Clone, Debug, PartialEq)]
pub struct DirectDrive {
    params: DirectDriveParams,
    max_torques: PerWheel,
}

impl DirectDrive {
    /// A drive with these parameters.
    #[must_use]
    pub fn new(params: Checked<DirectDriveParams>) -> Self {
        let params = params.into_inner();
        Self {
            max_torques: per_wheel::padded(params.max_torques.iter().copied()),
            params,
        }
    }

    /// The parameters of the drive.
    #[must_use]
    pub fn params(&self) -> &DirectDriveParams {
        &self.params
    }

    /// The gear after a command at a forward speed (`m/s`). [`DriveLogic::Waiting`] does not reverse a vehicle that rolls forward.
    fn gear_at(&self, gear: Gear, command: GearCommand, forward_speed: f32) -> Gear {
        match self.params.logic {
            DriveLogic::Waiting => selected_with_lock(gear, command, forward_speed),
            DriveLogic::Immediate => selected(gear, command),
        }
    }

    /// Torques, brakes and angles of a car's command, and its input to the steering wheel, if there is one.
    fn wheels_of(
        &self,
        car: &CarCommand,
        gear: Gear,
        forward_speed: f32,
    ) -> (WheelCommand, SteeringInput) {
        let p = &self.params;
        let response =
            |table: &ResponseTable, command: f32| table.at(pedals::pedal(command), forward_speed);
        let throttle = pedals::pedal(car.throttle);
        let throttle = p.responses.throttle_at(throttle, forward_speed);
        let throttle = throttle * f32::from(gear.0.signum());
        let brake = response(&p.responses.brake, car.brake);
        let handbrake = response(&p.responses.handbrake, car.handbrake);
        let brakes = p.brakes.iter();
        let mut steer = [0.0; MAX_WHEELS];
        let hands = p
            .steering
            .read(car, forward_speed, |wheel, angle| steer[wheel] = angle);
        let wheels = WheelCommand {
            drive: self.max_torques.map(|torque| throttle * torque),
            brake: per_wheel::padded(brakes.map(|wheel| wheel.torque(brake, handbrake))),
            steer,
        };
        (wheels, hands)
    }
}

/// Sets every wheel. The driver counts as accelerating if any wheel is driven, unless brakes count
/// against it under `logic` (ALGORITHMS §3.8, §7.7).
fn set_wheels(command: &WheelCommand, logic: DriveLogic, control: &mut Control) {
    let acts = |torque: W4| !torque.same(W4::ZERO);
    control.coupling = None;
    for (group, wheels) in control.wheels.iter_mut().enumerate() {
        *wheels = WheelControl {
            steer: per_wheel::lanes(&command.steer, group),
            brake: per_wheel::lanes(&command.brake, group).max(W4::ZERO),
            drive: per_wheel::lanes(&command.drive, group),
            ..WheelControl::default()
        };
        wheels.accelerated = acts(wheels.drive);
    }
    let braked = control.wheels.iter().any(|w| acts(w.brake).any());
    control.accelerating = control.wheels.iter().any(|w| w.accelerated.any());
    logic.heed_brakes(braked, control);
}

impl Drivetrain for DirectDrive {
    fn check(&self, wheels: usize, i: &mut Inspector) {
        let p = &self.params;
        i.within("max_torques", |i| {
            per_wheel::check_length(p.max_torques.len(), wheels, i);
        });
        i.within("steering", |i| p.steering.check_wheels(wheels, i));
        i.within("brakes", |i| {
            per_wheel::check_length(p.brakes.len(), wheels, i);
        });
    }

    /// State of a drive in the forward gear.
    fn initial_state(&self) -> DriveState {
        let mut state = DriveState::default();
        state.force_gear(Gear::FIRST);
        state
    }

    /// Ends a pending change of gears at once. There is no engine, clutch or timer.
    fn adopt(&self, state: &mut DriveState) {
        let gear = selected(state.target_gear, GearCommand::Hold);
        *state = DriveState::default();
        state.force_gear(gear);
    }

    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        match command {
            Command::Car(car) => {
                state.force_gear(self.gear_at(state.gear, car.gear, control.forward_speed));
                let (wheels, hands) = self.wheels_of(car, state.gear, control.forward_speed);
                control.hands = hands;
                set_wheels(&wheels, self.params.logic, control);
                Ok(())
            }
            Command::Wheels(wheels) => {
                set_wheels(wheels, self.params.logic, control);
                Ok(())
            }
            Command::Tank(_) => Err(StepError::WrongCommand {
                expected: "car or wheel",
            }),
        }
    }

    fn steering_wheel(&self) -> Option<SteeringWheel> {
        self.params.steering.steering_wheel()
    }

    fn steer(
        &self,
        wheel: &mut SteeringWheel,
        road: &[(TireInput<W4>, TireForces<W4>)],
        duration: f32,
        control: &mut Control,
    ) {
        self.params.steering.steer(wheel, road, duration, control);
    }

    /// Torque, throttle, steering and gear changes do (PhysX, ALGORITHMS §3.15).
    fn requests_motion(&self, command: &Command, state: &DriveState) -> bool {
        let any = |values: &PerWheel| values.iter().any(|&value| value != 0.0);
        match command {
            Command::Car(car) => {
                let gear_request = selected(state.gear, car.gear) != state.gear;
                gear_request || car.throttle != 0.0 || self.params.steering.is_turned(car)
            }
            Command::Wheels(wheels) => any(&wheels.drive) || any(&wheels.steer),
            Command::Tank(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
