//! Driver commands of a vehicle with an engine.

use vehicle_core::lanes::W4;
use vehicle_core::{CarCommand, Control, TankCommand};

use super::EngineDrive;
use crate::differential::{Asked, DifferentialLaw, TankDifferential};
use crate::pedals;
use crate::per_wheel;
use crate::response::ResponseTable;

/// Controls of a car's command that a tank's command does not have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CarControls {
    /// Clutch pedal, 0…1.
    pub(super) clutch: f32,
    /// Handbrake, 0…1.
    pub(super) handbrake: f32,
}

impl EngineDrive {
    /// Reads a car's command.
    pub(super) fn read_car(&self, car: &CarCommand, control: &mut Control) {
        let p = &self.params;
        // First: the angles take longest to compute, and the rest of the step needs them.
        p.steering.aim(car, control);
        let speed = control.forward_speed;
        let pedals = pedals::pedals([car.throttle, car.brake, car.handbrake, car.clutch]);
        let [throttle, brake, handbrake, clutch] = pedals;
        let brake = p.responses.brake.at(brake, speed);
        let handbrake = p.responses.handbrake.at(handbrake, speed);
        control.throttle = p.responses.throttle_at(throttle, speed);
        control.clutch = p.responses.clutch.at(clutch, speed);
        control.braking = brake != 0.0 || handbrake != 0.0;
        control.gear_request = car.gear;
        control.automatic = car.automatic;
        control.levers = car.levers;
        let (brakes, handbrakes) = (W4::splat(brake), W4::splat(handbrake));
        control.wheels.each_mut(|group, wheels| {
            wheels.brake = self.brakes.torque(group, brakes, handbrakes);
            wheels.drive = W4::ZERO;
        });
        if let Some(split) = &self.speed_split {
            return split.set(handbrake, control);
        }
        let asked = Asked {
            handbrake,
            ..Asked::default()
        };
        p.differential.ask(&asked, control);
    }

    /// Reads a tank's command. A driver who brakes one track may mean to move with the other.
    pub(super) fn read_tank(
        &self,
        tank: &TankDifferential,
        command: &TankCommand,
        controls: CarControls,
        control: &mut Control,
    ) {
        let p = &self.params;
        let speed = control.forward_speed;
        let response = |table: &ResponseTable, command| table.at(pedals::pedal(command), speed);
        let (thrust, brake) = tank.thrusts_and_brakes(command);
        let brake = brake.map(|brake| response(&p.responses.brake, brake));
        let handbrake = response(&p.responses.handbrake, controls.handbrake);
        let throttle = pedals::pedal(command.throttle);
        control.throttle = p.responses.throttle_at(throttle, speed);
        control.clutch = response(&p.responses.clutch, controls.clutch);
        control.braking = thrust == [0.0; 2] || handbrake != 0.0;
        control.gear_request = command.gear;
        control.automatic = command.automatic && !tank.is_turning_hard(command);
        let (brakes, handbrakes) = (tank.wheel_brakes(brake), W4::splat(handbrake));
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            let brakes = per_wheel::lanes(&brakes, group);
            wheels.brake = self.brakes.torque(group, brakes, handbrakes);
            wheels.drive = W4::ZERO;
            wheels.steer = W4::ZERO;
        }
        let asked = Asked {
            handbrake,
            thrust: thrust.map(pedals::steer),
        };
        tank.ask(&asked, control);
    }
}
