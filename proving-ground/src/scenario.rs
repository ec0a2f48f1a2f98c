//! Scenarios of the real PhysX: the header of a reference trace becomes a vehicle, a ground and a
//! schedule of commands for replay.

mod fault;
mod axes;
mod header;
mod drives;
mod ground;
mod smoothing;
mod build;
mod frame;
mod legacy;
mod random;
mod replay;
mod vehicle2;

use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use jounce::core::lanes::{LANES, W4};
use jounce::core::params::Probe;
use jounce::core::{
    Command, Gear, GearCommand, Profile, Surfaces, Vehicle, VehicleModel, VehicleParams,
    VehicleReport, math,
};
use jounce::drive::{EngineDriveParams, LockingDifferential};
use jounce::input::{CarHands, InputFault};
use jounce::scene::BodyDesc;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::text;
use crate::world::{self, World, WorldKind};
pub use axes::{from_physx, place_to_physx, rotation_from_physx, rotation_to_physx, to_physx};
pub use fault::ScenarioError;
pub use frame::{TraceFrame, Wheels};
pub use ground::Obstacle;
pub use legacy::Legacy;
pub use random::random;
pub use replay::Replay;
pub use smoothing::hands_at;
use vehicle2::Vehicle2;

/// Parses a header's value; errors call it `file`.
fn parsed<T: DeserializeOwned>(value: &Value, file: &str) -> Result<T, ScenarioError> {
    T::deserialize(value).map_err(|source| ScenarioError::Malformed {
        file: file.to_owned(),
        source,
    })
}

/// The parameters in PhysX's dump of a four-wheel drive, with the origin at the center of mass.
///
/// # Errors
/// If it is not such a dump.
pub fn described(vehicle: &Value) -> Result<(VehicleParams, EngineDriveParams), serde_json::Error> {
    let vehicle = header::VehicleData::deserialize(vehicle)?;
    let params = build::params(&vehicle, Probe::Ray, Profile::PHYSX_4);
    Ok((params, build::drive(&vehicle, false)))
}

/// A scenario of either generation of PhysX's vehicles.
#[derive(Debug)]
pub struct Scenario {
    setup: CommonHeader,
    script: Script,
}

/// Common contents of the headers of both generations.
#[derive(Debug)]
struct CommonHeader {
    name: String,
    dt: f32,
    frames: usize,
    gravity: Vec3,
    model: Arc<VehicleModel>,
    surfaces: Surfaces,
    terrain: Terrain,
    obstacles: Vec<Obstacle>,
    /// The actor's origin relative to the center of mass (`m`, vehicle frame).
    origin: Vec3,
    body: BodyDesc,
    start: InitialSpins,
}

/// Initial spins.
#[derive(Clone, Copy, Debug)]
struct InitialSpins {
    /// Spin of every wheel (`rad/s`).
    spin: f32,
    /// Speed of the engine (`rad/s`).
    engine_speed: f32,
    gear: Gear,
}

/// The driver's actions, frame by frame.
#[derive(Debug)]
enum Script {
    Legacy(Box<Legacy>),
    Vehicle2(Vehicle2),
}

/// The driver's actions in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Accelerator, brake, handbrake, steer left, steer right, in PhysX's convention.
    pub analog: [f32; 5],
    /// The analog channels as a command.
    pub command: Command,
    /// The gear request.
    pub gear: GearCommand,
    /// A gear to engage at once, before the update.
    pub force_gear: Option<Gear>,
}

impl Scenario {
    /// Reads a scenario: JSON whose first object is a header, or contains one under `header`;
    /// decompressed if the name ends in `.gz`.
    ///
    /// # Errors
    /// If the file cannot be read or the scenario is not supported.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = text::read(path).map_err(|source| ScenarioError::Unreadable {
            path: path.to_path_buf(),
            source,
        })?;
        // Traces have one object per line; a standalone scenario may span lines.
        let first = serde_json::Deserializer::from_str(&text)
            .into_iter::<Value>()
            .next()
            .unwrap_or(Ok(Value::Null));
        let value = first.map_err(|source| ScenarioError::Malformed {
            file: name.clone(),
            source,
        })?;
        Self::from_header(value.get("header").unwrap_or(&value), &name)
    }

    /// A scenario from a header, of `vehicle2` if it says so; errors call it `file`.
    ///
    /// # Errors
    /// If the scenario is malformed or not supported.
    pub fn from_header(value: &Value, file: &str) -> Result<Self, ScenarioError> {
        let version = value["physx"].as_str().unwrap_or_default();
        let (setup, script) = if version.contains("vehicle2") {
            let (setup, script) = vehicle2::read(value, file)?;
            (setup, Script::Vehicle2(script))
        } else {
            let (setup, script) = legacy::read(value, file)?;
            (setup, Script::Legacy(Box::new(script)))
        };
        Ok(Self { setup, script })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.setup.name
    }

    /// Time step (`s`).
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.setup.dt
    }

    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.setup.frames
    }

    /// Gravity (`m/s²`, our axes).
    #[must_use]
    pub fn gravity(&self) -> Vec3 {
        self.setup.gravity
    }

    /// Friction of tires on the ground.
    #[must_use]
    pub fn surfaces(&self) -> &Surfaces {
        &self.setup.surfaces
    }

    /// The vehicle model. If PhysX's jounce starts at full droop, ours is PhysX's minus the
    /// travel.
    #[must_use]
    pub fn model(&self) -> Arc<VehicleModel> {
        Arc::clone(&self.setup.model)
    }

    /// The actor's origin relative to the center of mass (`m`, vehicle frame).
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.setup.origin
    }

    /// The ground, without obstacles.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.setup.terrain
    }

    /// The obstacles on the ground, in the order in which a car meets them.
    #[must_use]
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.setup.obstacles
    }

    /// A world of this kind with the ground and its obstacles, but no vehicle.
    ///
    /// # Errors
    /// If one of them cannot be created.
    pub fn world(&self, kind: WorldKind) -> Result<Box<dyn World>, ProvingError> {
        let mut world = world::open(kind, self.terrain(), self.dt())?;
        for obstacle in self.obstacles() {
            world.add_collider(&obstacle.collider())?;
        }
        Ok(world)
    }

    /// The chassis at the start. It has a hull if it can hit something; as in PhysX's sample, the
    /// hull never touches the ground that wheels drive on.
    #[must_use]
    pub fn body(&self) -> BodyDesc {
        self.setup.body
    }

    /// Whether wheels share their contacts with the suspension, and hit the rest as rigid bodies.
    #[must_use]
    pub fn modifies_contacts(&self) -> bool {
        self.legacy().is_some_and(Legacy::modifies_contacts)
    }

    /// Whether the schedule has raw values to be smoothed.
    #[must_use]
    pub fn smooths_input(&self) -> bool {
        self.legacy().is_some_and(Legacy::smooths_input)
    }

    /// Parts of the vehicle that meet the obstacles otherwise than PhysX's, as boxes: center and half extents (`m`,
    /// vehicle frame, from the center of mass). Chassis hit walls; wheels hit drivable obstacles if contacts are
    /// modified, and round ones.
    #[must_use]
    pub fn rigid_parts(&self) -> Vec<(Vec3, Vec3)> {
        let parts = |legacy: &Legacy| legacy.rigid_parts(self.obstacles());
        self.legacy().map_or(vec![], parts)
    }

    /// Whether the scenario's vehicle has an engine and gears.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        match &self.script {
            Script::Legacy(legacy) => legacy.has_engine(),
            Script::Vehicle2(vehicle2) => vehicle2.has_engine(),
        }
    }

    /// Whether vehicles query the ground in a frame; in others they reuse the known planes.
    #[must_use]
    pub fn queries(&self, frame: usize) -> bool {
        self.legacy().is_none_or(|legacy| legacy.queries(frame))
    }

    /// Sets spins, engine and gear to their initial values.
    pub fn prepare(&self, vehicle: &mut Vehicle) {
        let start = &self.setup.start;
        let state = vehicle.state_mut();
        let count = self.setup.model.wheel_count();
        for (g, wheels) in state.wheels.iter_mut().enumerate() {
            // Lanes without a wheel stand still.
            let spin = |lane| {
                if g * LANES + lane < count {
                    start.spin
                } else {
                    0.0
                }
            };
            wheels.spin = W4::from_fn(spin);
            wheels.spin_shown = wheels.spin;
        }
        state.drive.engine_speed = start.engine_speed;
        state.drive.force_gear(start.gear);
    }

    /// The schedule of a frame.
    #[must_use]
    pub fn scheduled(&self, frame: usize) -> Moment {
        match &self.script {
            Script::Legacy(legacy) => legacy.scheduled(frame),
            Script::Vehicle2(vehicle2) => vehicle2.scheduled(frame),
        }
    }

    /// The driver's actions in a frame as the car receives them: the schedule's values, smoothed by
    /// `hands` for the state `seen` if the header says so.
    ///
    /// # Errors
    /// If the driver's input is refused.
    pub fn moment(
        &self,
        frame: usize,
        hands: &mut CarHands,
        seen: &VehicleReport,
    ) -> Result<Moment, InputFault> {
        let moment = self.scheduled(frame);
        match self.legacy() {
            Some(legacy) => legacy.smoothed(frame, moment, hands, seen),
            None => Ok(moment),
        }
    }

    /// The four-wheel differential of a `vehicle2` sample: it finds the coupled wheels, though the sample
    /// does not tell its drivetrain of them.
    #[must_use]
    pub fn locking(&self) -> Option<&LockingDifferential> {
        match &self.script {
            Script::Legacy(_) => None,
            Script::Vehicle2(vehicle2) => vehicle2.locking(),
        }
    }

    /// Data that only scenarios of the legacy SDK have.
    #[must_use]
    pub fn legacy(&self) -> Option<&Legacy> {
        match &self.script {
            Script::Legacy(legacy) => Some(legacy),
            Script::Vehicle2(_) => None,
        }
    }
}

/// The center of mass of an actor with its origin at `position` (`m`, world) and this `rotation`;
/// `origin` is the origin relative to it (`m`, vehicle frame).
fn center_of_mass(position: [f32; 3], rotation: Quat, origin: Vec3) -> DVec3 {
    let center = math::matrix(rotation) * origin;
    from_physx(position).as_dvec3() - center.as_dvec3()
}
