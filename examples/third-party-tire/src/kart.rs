//! A kart on these tires, in a world without an engine.

use std::error::Error;
use std::sync::Arc;

use jounce::core::{
    Air, Axis, BodyState, CarCommand, Command, Environment, Surfaces, Vehicle, VehicleModel, step,
};
use jounce::file::{Car, FileError};
use jounce::scene::{BodyDesc, Plane, Standalone};

use crate::{Hyperbolic, registry};

/// Gravity [m/s²]: z is up.
const GRAVITY: [f32; 3] = [0.0, 0.0, -9.81];
/// Step (`s`).
const DT: f32 = 1.0 / 60.0;

/// The vehicle file of this folder.
///
/// # Errors
/// If it is invalid.
pub fn kart() -> Result<Car, FileError> {
    Car::load_with(
        concat!(env!("CARGO_MANIFEST_DIR"), "/kart.toml"),
        &registry(),
    )
}

/// A kart with its driver. A clone of it is a snapshot.
#[derive(Clone, Debug)]
pub struct Drive {
    world: Standalone,
    vehicle: Vehicle,
    steps: u16,
}

impl Drive {
    /// A drive of a car at rest on level ground.
    ///
    /// # Errors
    /// If the world rejects it.
    pub fn new(car: &Car) -> Result<Self, Box<dyn Error>> {
        Self::of_model(car, car.model())
    }

    /// A drive of a vehicle of this `model` with the car's chassis, at rest on level ground.
    ///
    /// # Errors
    /// As [`Drive::new`].
    pub fn of_model(car: &Car, model: Arc<VehicleModel>) -> Result<Self, Box<dyn Error>> {
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
        let start = [0.0, 0.0, car.ride_height()].into();
        let body = world.add(&BodyDesc::at_rest(start, car.mass(), car.inertia()))?;
        let vehicle = Vehicle::new(model, body);
        Ok(Self {
            world,
            vehicle,
            steps: 0,
        })
    }

    /// One step: four seconds of throttle, the last two of them to the right, then the brake.
    ///
    /// # Errors
    /// If an update fails.
    pub fn step(&mut self) -> Result<(), Box<dyn Error>> {
        let time = f32::from(self.steps) * DT;
        let command = Command::Car(CarCommand {
            throttle: if time < 4.0 { 1.0 } else { 0.0 },
            steer: if (2.0..4.0).contains(&time) { 0.2 } else { 0.0 },
            brake: if time < 4.0 { 0.0 } else { 1.0 },
            ..CarCommand::default()
        });
        let gravity = GRAVITY.into();
        let surfaces = &Surfaces::new();
        let environment = Environment {
            gravity,
            surfaces,
            air: Air::STILL,
        };
        step(
            &mut self.vehicle,
            &mut self.world,
            &command,
            &environment,
            DT,
        )?;
        self.world.step(gravity, DT);
        self.steps += 1;
        Ok(())
    }

    /// Restores the snapshot: body, state of the vehicle, time.
    ///
    /// # Errors
    /// If the world has lost the body, or the state is for other wheels.
    pub fn roll_back(&mut self, snapshot: &Self) -> Result<(), Box<dyn Error>> {
        self.world = snapshot.world.clone();
        self.vehicle.restore(snapshot.vehicle.state().clone())?;
        self.steps = snapshot.steps;
        Ok(())
    }

    /// Warmth of its tires (–), front left first.
    #[must_use]
    pub fn warmth(&self) -> Vec<f32> {
        let tires = self.vehicle.state().tires().iter();
        tires.map(Hyperbolic::warmth).collect()
    }

    /// The chassis.
    ///
    /// # Errors
    /// If the world has lost it.
    pub fn state(&self) -> Result<BodyState, Box<dyn Error>> {
        Ok(self.world.body(self.vehicle.body())?.state())
    }
}
