//! A car with driver aids on a straight road, as the table of aids drives it.

use core::f64::consts::TAU;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::aids::AidSuite;
use jounce::core::{
    Air, BodyState, CarCommand, Gear, InvalidParams, MaterialId, SurfaceType, TireType, Vehicle,
};
use jounce::scene::{Axes, HeightField};
use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::stage::{GRAVITY, Scene, Setup, Stage, roll};
use proving_ground::world::{self, ColliderShape, ColliderSpec, World};

/// Half of the length, width and height of a side of the road (`m`).
const HALF_ROAD: Vec3 = Vec3::new(550.0, 100.0, 0.5);
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
    /// The car in its world.
    pub stage: Stage,
}

impl Rig {
    /// Places a car with these aids on a road, at a speed (`m/s`) with rolling wheels, in a world with steps at `rate` (`Hz`).
    ///
    /// # Errors
    /// If the car cannot have the aids, or the world refuses it or the road.
    pub fn new(
        setup: &Setup<'_>,
        aids: &AidSuite,
        road: Road,
        (speed, rate): (f32, f32),
    ) -> Result<Self, ProvingError> {
        let dt = 1.0 / rate;
        let (world, terrain) = road.open(setup, dt)?;
        let scene = Scene {
            speed,
            gear: Gear::FIRST,
            hull: false,
            ..Scene::LEVEL
        };
        let mut stage = Stage::put(world, &terrain, setup.car, &scene, dt)?;
        let model = (*setup.car.model()).clone().with_aids(&aids.aids())?;
        stage.vehicle = Vehicle::new(Arc::new(model), stage.vehicle.body());
        roll(&mut stage.vehicle, speed);
        for (side, friction) in (0_u16..).zip(road.frictions) {
            let surface = SurfaceType(side);
            stage.surfaces.map(MaterialId(u32::from(side)), surface);
            let set = stage.surfaces.set_friction(surface, TireType(0), friction);
            set.map_err(|fault| InvalidParams(vec![fault]))?;
        }
        let rise = (1.0 + road.slope * road.slope).sqrt();
        stage.gravity = Vec3::new(-road.slope, 0.0, -1.0) * (GRAVITY.length() / rise);
        stage.air = Air::STILL;
        Ok(Self { stage })
    }

    /// The car.
    #[must_use]
    pub fn vehicle(&self) -> &Vehicle {
        &self.stage.vehicle
    }

    /// Length of a step (`s`).
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.stage.dt
    }

    /// Engages a gear at once.
    pub fn engage(&mut self, gear: i8) {
        let drive = &mut self.stage.vehicle.state_mut().drive;
        drive.force_gear(Gear(gear));
    }

    /// Advances car and world by a step.
    ///
    /// # Errors
    /// If the update fails.
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        self.stage.step(command)
    }

    /// State of the body.
    ///
    /// # Panics
    /// Never: the world has it.
    #[must_use]
    pub fn body(&self) -> BodyState {
        self.stage.body().expect("it was added")
    }

    /// Greatest activity of the car's aids, 0…1.
    #[must_use]
    pub fn activity(&self) -> f32 {
        let (model, state) = (self.vehicle().model(), self.vehicle().state());
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

impl Road {
    /// A world with the road: two boxes side by side, of material 0 to the left of the x axis and 1 to the right; or waves.
    fn open(&self, setup: &Setup<'_>, dt: f32) -> Result<(Box<dyn World>, Terrain), ProvingError> {
        if self.waves > 0.0 {
            let terrain = waves(self.waves)?;
            return Ok((world::open(setup.world, &terrain, dt)?, terrain));
        }
        let terrain = Terrain::plane("below the road".to_owned(), DVec3::NEG_Z, DVec3::Z)?;
        let mut world = world::open(setup.world, &terrain, dt)?;
        for (material, y) in [(0, HALF_ROAD.y), (1, -HALF_ROAD.y)] {
            let center = Vec3::new(450.0, y, -HALF_ROAD.z).as_dvec3();
            world.add_collider(&ColliderSpec {
                material: MaterialId(material),
                ..ColliderSpec::fixed(ColliderShape::Cuboid(HALF_ROAD), center)
            })?;
        }
        Ok((world, terrain))
    }
}

fn waves(height: f64) -> Result<Terrain, ProvingError> {
    let (origin, wave) = ([-3.0, -3.0, 0.0].into(), TAU / WAVE_LENGTH);
    let height = |x: f64, _: f64| 0.5 * height * (libm::cos(x * wave) - 1.0);
    let cells = [(80.0 / CELL) as usize, (6.0 / CELL) as usize];
    let field = HeightField::from_fn(Axes::Z_UP, origin, CELL, cells, height)?;
    Ok(Terrain::height_field("waves".to_owned(), field))
}
