//! A car with driver aids on a straight road without an engine, as the table of aids drives it.

use core::f64::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use jounce::aids::AidSuite;
use jounce::core::lanes::W4;
use jounce::core::{
    Air, BodyId, BodyState, CarCommand, Command, Environment, Gear, InvalidParams, MaterialId,
    SurfaceType, Surfaces, TireType, Vehicle, step,
};
use jounce::file::Car;
use jounce::scene::{Axes, Block, BodyDesc, GroundPart, Grounds, HeightField, Standalone};
use proving_ground::ProvingError;

/// Gravity (`m/s²`).
const GRAVITY: f32 = 9.81;
/// Length of waves, and of the cells of their heightfield (`m`).
const WAVE_LENGTH: f64 = 3.0;
const CELL: f64 = 0.1;

/// A straight road along x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Road {
    /// Friction on the left and on the right of the x axis (–).
    pub frictions: [f32; 2],
    /// Rise over length (–): the car stands nose up.
    pub slope: f32,
    /// Height of waves along the road from crest to trough (`m`), 3 m long.
    pub waves: f64,
}

impl Road {
    /// A level road with this friction (–).
    #[must_use]
    pub const fn level(friction: f32) -> Self {
        Self {
            frictions: [friction; 2],
            slope: 0.0,
            waves: 0.0,
        }
    }
}

/// A car on a road.
#[derive(Debug)]
pub struct Rig {
    world: Standalone,
    body: BodyId,
    /// The car.
    pub vehicle: Vehicle,
    surfaces: Surfaces,
    /// Tilted on a slope (`m/s²`).
    gravity: Vec3,
    /// Length of a step (`s`).
    pub dt: f32,
}

impl Rig {
    /// Places a car with these aids on a road, at a speed (`m/s`) with rolling wheels, in a world with steps at `rate` (`Hz`).
    ///
    /// # Errors
    /// If the car cannot have the aids, or the world refuses it.
    pub fn new(
        car: &Car,
        aids: &AidSuite,
        road: Road,
        (speed, rate): (f32, f32),
    ) -> Result<Self, ProvingError> {
        let model = (*car.model()).clone().with_aids(&aids.aids())?;
        let mut world = Standalone::new(ground(road.waves)?);
        let start = [0.0, 0.0, car.ride_height()].into();
        let mut desc = BodyDesc::at_rest(start, car.mass(), car.inertia());
        desc.linear_velocity.x = speed;
        let body = world.add(&desc)?;
        let radii: Vec<f32> = model
            .params()
            .wheels
            .iter()
            .map(|wheel| wheel.radius)
            .collect();
        let mut vehicle = Vehicle::new(Arc::new(model), body);
        for (g, wheels) in vehicle.state_mut().wheels.iter_mut().enumerate() {
            wheels.spin = W4::from_fn(|lane| radii.get(4 * g + lane).map_or(0.0, |r| speed / r));
        }
        let mut surfaces = Surfaces::new();
        for (side, friction) in (0_u16..).zip(road.frictions) {
            surfaces.map(MaterialId(u32::from(side)), SurfaceType(side));
            let set = surfaces.set_friction(SurfaceType(side), TireType(0), friction);
            set.map_err(|fault| InvalidParams(vec![fault]))?;
        }
        let rise = (1.0 + road.slope * road.slope).sqrt();
        Ok(Self {
            world,
            body,
            vehicle,
            surfaces,
            gravity: Vec3::new(-road.slope, 0.0, -1.0) * (GRAVITY / rise),
            dt: 1.0 / rate,
        })
    }

    /// Engages a gear at once.
    pub fn engage(&mut self, gear: i8) {
        self.vehicle.state_mut().drive.force_gear(Gear(gear));
    }

    /// Advances car and world by a step.
    ///
    /// # Errors
    /// If the update fails.
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        let environment = Environment {
            gravity: self.gravity,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        let command = Command::Car(*command);
        step(
            &mut self.vehicle,
            &mut self.world,
            &command,
            &environment,
            self.dt,
        )?;
        self.world.step(self.gravity, self.dt);
        Ok(())
    }

    /// State of the body.
    ///
    /// # Panics
    /// Never: the world has it.
    #[must_use]
    pub fn body(&self) -> BodyState {
        self.world.body(self.body).expect("it was added").state()
    }

    /// Greatest activity of the car's aids, 0…1.
    #[must_use]
    pub fn activity(&self) -> f32 {
        let (model, state) = (self.vehicle.model(), self.vehicle.state());
        let aids = 0..model.aids().len();
        aids.map(|aid| model.aid_activity(state, aid))
            .fold(0.0, f32::max)
    }

    /// Yaw angle, to the left (`rad`).
    #[must_use]
    pub fn yaw(&self) -> f32 {
        let ahead = self.body().rotation * Vec3::X;
        ahead.y.atan2(ahead.x)
    }
}

/// Two boxes side by side, of material 0 to the left of the x axis and 1 to the right; or waves.
fn ground(waves: f64) -> Result<Grounds, ProvingError> {
    if waves > 0.0 {
        let (origin, wave) = ([-3.0, -3.0, 0.0].into(), TAU / WAVE_LENGTH);
        let height = |x: f64, _: f64| 0.5 * waves * (libm::cos(x * wave) - 1.0);
        let cells = [(80.0 / CELL) as usize, (6.0 / CELL) as usize];
        let field = HeightField::from_fn(Axes::Z_UP, origin, CELL, cells, height)?;
        return Ok(Grounds(vec![GroundPart::new(field).of(MaterialId(0))]));
    }
    let side = |y: f64| {
        let (center, size) = ([450.0, y, -1.0].into(), [550.0, 100.0, 1.0].into());
        Block::new(center, Default::default(), size)
    };
    Ok(Grounds(vec![
        GroundPart::new(side(100.0)?).of(MaterialId(0)),
        GroundPart::new(side(-100.0)?).of(MaterialId(1)),
    ]))
}
