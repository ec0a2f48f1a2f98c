//! A car on wheels that are bodies of the world, ready to be measured step by step.

use glam::{DVec3, Vec3};
use jounce::core::{Air, BodyState, CarCommand, Command};
use jounce::file::Car;
use jounce::jointed::{Attachments, JointedCar};

use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::stage::{GRAVITY, NO_AIR, Scene, steps};
use crate::world::{self, Start, World};

/// World and car of a measurement.
pub struct JointedStage {
    /// The world.
    pub world: Box<dyn World>,
    /// The car.
    pub car: JointedCar,
    /// The air, initially [none](NO_AIR).
    pub air: Air,
    /// The step (`s`).
    pub dt: f32,
}

impl core::fmt::Debug for JointedStage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut stage = f.debug_struct("JointedStage");
        stage.field("car", &self.car).finish_non_exhaustive()
    }
}

impl JointedStage {
    /// Places the car in a world over this terrain with steps of `dt` (`s`), as
    /// [`Stage::put`](crate::stage::Stage::put) does: slope, lift, platform and sleep of the scene
    /// are ignored, and its speed is that of everything, wheels included.
    ///
    /// # Errors
    /// If the world cannot.
    pub fn put(
        mut world: Box<dyn World>,
        terrain: &Terrain,
        car: &Car,
        scene: &Scene,
        dt: f32,
    ) -> Result<Self, ProvingError> {
        let attachments = Attachments::of(&car.model(), scene.friction)?;
        let start = Start {
            position: terrain.start,
            heading: scene.heading,
        };
        let pose = world::rest_pose(&*world, terrain, car, start)?;
        let mut desc = world::chassis(car, &pose);
        let lift = attachments.center_of_mass - car.center_of_mass();
        desc.position += (pose.rotation * lift).as_dvec3();
        desc.mass = attachments.mass;
        desc.inertia = attachments.inertia;
        desc.sleep_threshold = 0.0;
        desc.hull = None;
        desc.linear_velocity = pose.rotation * Vec3::X * scene.speed;
        let body = world.add_body(&desc)?;
        let mut wheels = world.on_joints()?;
        let mut car = JointedCar::new(&mut *wheels, car.model(), attachments, body)?;
        drop(wheels);
        scene.set_drive(car.drive_mut());
        let air = NO_AIR;
        Ok(Self {
            world,
            car,
            air,
            dt,
        })
    }

    /// One step.
    ///
    /// # Errors
    /// If the world loses the car or refuses the command.
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        let state = self.body()?;
        let mut wheels = self.world.on_joints()?;
        let command = Command::Car(*command);
        self.car
            .step(&mut *wheels, &state, &command, &self.air, self.dt)?;
        drop(wheels);
        self.world.advance(GRAVITY, self.dt);
        Ok(())
    }

    /// Continues with one command for this many seconds.
    ///
    /// # Errors
    /// As [`JointedStage::step`].
    pub fn run(&mut self, seconds: f32, command: &CarCommand) -> Result<(), ProvingError> {
        (0..steps(seconds, 1.0 / self.dt)).try_for_each(|_| self.step(command))
    }

    /// The chassis' body: its center of mass is above the car's.
    ///
    /// # Errors
    /// If the world lost it.
    pub fn body(&self) -> Result<BodyState, ProvingError> {
        Ok(self.world.body_state(self.car.body())?)
    }

    /// The whole car's center of mass, as at the design position (`m`, world).
    ///
    /// # Errors
    /// As [`JointedStage::body`].
    pub fn position(&self) -> Result<DVec3, ProvingError> {
        let body = self.body()?;
        let whole = self.car.model().params().chassis.center_of_mass;
        let down = whole - self.car.attachments().center_of_mass;
        Ok(body.position + (body.rotation * down).as_dvec3())
    }
}
