//! A launch of the preset sports car with these motors, in a world without an engine.

use std::error::Error;
use std::sync::Arc;

use jounce::core::{
    Air, Axis, CarCommand, Checked, Command, Environment, StepError, Surfaces, Vehicle,
    VehicleModel, step,
};
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

use crate::TwinMotors;

/// Gravity (`m/s²`): z is up.
const GRAVITY: [f32; 3] = [0.0, 0.0, -9.81];

/// A sports car with two motors.
#[derive(Clone, Debug)]
pub struct Launch {
    world: Standalone,
    car: Vehicle,
    surfaces: Surfaces,
}

impl Launch {
    /// A car at rest on level ground of this friction (–).
    ///
    /// # Errors
    /// If the motors or the world are not sound.
    pub fn new(motors: TwinMotors, friction: f32) -> Result<Self, Box<dyn Error>> {
        let preset = presets::sports_car();
        let params = Checked::new(preset.model().params().clone())?;
        let model: VehicleModel = preset.model().with(params, Arc::new(motors))?;
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
        let start = [0.0, 0.0, preset.ride_height()].into();
        let body = world.add(&BodyDesc::at_rest(start, preset.mass(), preset.inertia()))?;
        let mut surfaces = Surfaces::new();
        surfaces.set_grip(friction)?;
        Ok(Self {
            world,
            car: Vehicle::new(Arc::new(model), body),
            surfaces,
        })
    }

    /// Drives for a time at a rate, and returns the speed (`m/s`) and the yaw rate (`rad/s`).
    ///
    /// # Errors
    /// If an update fails.
    pub fn drive(&mut self, car: CarCommand, time: f32, rate: f32) -> Result<[f32; 2], StepError> {
        let command = Command::Car(car);
        for _ in 0..(time * rate).round() as usize {
            let environment = Environment {
                gravity: GRAVITY.into(),
                surfaces: &self.surfaces,
                air: Air::STILL,
            };
            step(
                &mut self.car,
                &mut self.world,
                &command,
                &environment,
                1.0 / rate,
            )?;
            self.world.step(GRAVITY.into(), 1.0 / rate);
        }
        let body = self.world.body(self.car.body())?.state();
        Ok([body.linear_velocity.length(), body.angular_velocity.z])
    }

    /// Energy taken from the battery (`J`), and the temperatures of both motors over the air's (`K`).
    #[must_use]
    pub fn memory(&self) -> &[f32] {
        self.car.state().drivetrain_memory()
    }
}
