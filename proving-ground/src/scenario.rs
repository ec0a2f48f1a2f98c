//! Scenarios of the real PhysX: the header of a reference trace becomes a vehicle, a ground and a
//! schedule of commands, to be replayed here.

mod axes;
mod header;
mod drives;
mod ground;
mod smoothing;
mod build;
mod frame;
mod legacy;
mod replay;
mod vehicle2;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use jounce::core::lanes::W4;
use jounce::core::params::Probe;
use jounce::core::{
    Command, Gear, GearCommand, InvalidParams, Profile, Surfaces, Vehicle, VehicleKind,
    VehicleParams, VehicleReport, math,
};
use jounce::drive::EngineDriveParams;
use jounce::input::{CarHands, InputFault};
use jounce::scene::BodyDesc;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::text;
pub use axes::{from_physx, place_to_physx, rotation_from_physx, rotation_to_physx, to_physx};
pub use frame::{Frame, Wheels};
pub use ground::Obstacle;
pub use legacy::Legacy;
pub use replay::Replay;
pub use smoothing::hands_at;
use vehicle2::Vehicle2;

/// Why a scenario cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file's first object is no scenario.
    #[error("{file}: {source}")]
    Malformed {
        /// The file.
        file: String,
        /// Why.
        source: serde_json::Error,
    },
    /// The scenario needs something that there is not.
    #[error("{file}: not supported: {what}")]
    Unsupported {
        /// The file.
        file: String,
        /// What it needs.
        what: String,
    },
    /// Its parameters break rules.
    #[error("{file}: {source}")]
    Invalid {
        /// The file.
        file: String,
        /// Every fault.
        source: InvalidParams,
    },
    /// Numbers make no ground.
    #[error(transparent)]
    Ground(#[from] jounce::scene::GroundError),
    /// The world cannot be made.
    #[error(transparent)]
    World(#[from] ProvingError),
}

impl ScenarioError {
    fn unsupported(file: &str, what: impl ToString) -> Self {
        Self::Unsupported {
            file: file.to_owned(),
            what: what.to_string(),
        }
    }

    fn invalid(file: &str, source: InvalidParams) -> Self {
        Self::Invalid {
            file: file.to_owned(),
            source,
        }
    }
}

/// A header's value as what it should be; errors call it `file`.
fn parsed<T: DeserializeOwned>(value: &Value, file: &str) -> Result<T, ScenarioError> {
    T::deserialize(value).map_err(|source| ScenarioError::Malformed {
        file: file.to_owned(),
        source,
    })
}

/// The parameters that PhysX's dump of a four-wheel drive describes, with the origin at the centre of
/// mass.
///
/// # Errors
/// If it is no such dump.
pub fn described(vehicle: &Value) -> Result<(VehicleParams, EngineDriveParams), serde_json::Error> {
    let vehicle = header::Vehicle::deserialize(vehicle)?;
    let params = build::params(&vehicle, Probe::Ray, Profile::PHYSX_4);
    Ok((params, build::drive(&vehicle, false)))
}

/// A scenario of either generation of PhysX's vehicles.
#[derive(Debug)]
pub struct Scenario {
    setup: Setup,
    script: Script,
}

/// What headers tell of a scenario, each generation's in its own words.
#[derive(Debug)]
struct Setup {
    name: String,
    dt: f32,
    frames: usize,
    gravity: Vec3,
    kind: Arc<VehicleKind>,
    surfaces: Surfaces,
    terrain: Terrain,
    obstacle: Option<Obstacle>,
    /// The actor's origin relative to the centre of mass (`m`, vehicle frame).
    origin: Vec3,
    body: BodyDesc,
    start: Start,
}

/// What turns at the start.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Of every wheel (`rad/s`).
    spin: f32,
    /// (`rad/s`)
    engine_speed: f32,
    gear: Gear,
}

/// What the driver does, frame by frame.
#[derive(Debug)]
enum Script {
    Legacy(Box<Legacy>),
    Vehicle2(Vehicle2),
}

/// What the driver does in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Accelerator, brake, handbrake, steer left, steer right, as PhysX has them.
    pub analog: [f32; 5],
    /// The same as a command.
    pub command: Command,
    /// What the lever is asked for.
    pub gear: GearCommand,
    /// A gear that is put in at once, before the update.
    pub force_gear: Option<Gear>,
}

impl Scenario {
    /// Reads a scenario: JSON whose first object is a header, or holds one under `header`;
    /// unpacked if the name ends in `.gz`.
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
        // Traces hold one object a line; a scenario of its own may spread over lines.
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

    /// A scenario from the header itself, of `vehicle2` where it says so; errors call it `file`.
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

    /// The kind of vehicle. Where PhysX's jounce begins at full droop, ours is PhysX's less the travel.
    #[must_use]
    pub fn kind(&self) -> Arc<VehicleKind> {
        Arc::clone(&self.setup.kind)
    }

    /// The actor's origin relative to the centre of mass (`m`, vehicle frame).
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.setup.origin
    }

    /// The ground, without what stands on it.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.setup.terrain
    }

    /// What stands on the ground.
    #[must_use]
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.setup.obstacle.as_ref()
    }

    /// The chassis as a body, at the start. It has a hull where it can run into something; as in
    /// PhysX's sample, that never meets the ground wheels drive on.
    #[must_use]
    pub fn body(&self) -> BodyDesc {
        self.setup.body
    }

    /// Whether wheels share their contacts with the suspension, and run into the rest.
    #[must_use]
    pub fn modifies_contacts(&self) -> bool {
        self.legacy().is_some_and(Legacy::modifies_contacts)
    }

    /// Whether the schedule's values are raw ones, which are smoothed.
    #[must_use]
    pub fn smooths_input(&self) -> bool {
        self.legacy().is_some_and(Legacy::smooths_input)
    }

    /// Parts of the vehicle that the world's own contacts keep out of the obstacle, as boxes: centre
    /// and half extents (`m`, vehicle frame, from the centre of mass). Chassis meet walls; wheels meet
    /// what they can drive on only where contacts are modified.
    #[must_use]
    pub fn rigid_parts(&self) -> Vec<(Vec3, Vec3)> {
        let parts = |legacy: &Legacy| legacy.rigid_parts(self.obstacle());
        self.legacy().map_or(vec![], parts)
    }

    /// Whether its differentials limit slip.
    #[must_use]
    pub fn has_limited_slip(&self) -> bool {
        self.legacy().is_some_and(Legacy::has_limited_slip)
    }

    /// Whether it has an engine and gears.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        match &self.script {
            Script::Legacy(legacy) => legacy.has_engine(),
            Script::Vehicle2(vehicle2) => vehicle2.has_engine(),
        }
    }

    /// Whether vehicles look for the ground in a frame; in others they use the planes that they
    /// know.
    #[must_use]
    pub fn queries(&self, frame: usize) -> bool {
        self.legacy().is_none_or(|legacy| legacy.queries(frame))
    }

    /// Sets spins, engine and gear to the start's.
    pub fn prepare(&self, vehicle: &mut Vehicle) {
        let start = &self.setup.start;
        let state = vehicle.state_mut();
        for wheels in state.wheels.iter_mut() {
            wheels.spin = W4::splat(start.spin);
            wheels.spin_shown = wheels.spin;
        }
        state.drive.engine_speed = start.engine_speed;
        state.drive.force_gear(start.gear);
    }

    /// What the schedule says for a frame.
    #[must_use]
    pub fn scheduled(&self, frame: usize) -> Moment {
        match &self.script {
            Script::Legacy(legacy) => legacy.scheduled(frame),
            Script::Vehicle2(vehicle2) => vehicle2.scheduled(frame),
        }
    }

    /// What the driver does in a frame, as the car gets it: the schedule's values, where the header
    /// says so smoothed by `hands` that see the car so.
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

    /// What only scenarios of the legacy SDK have.
    #[must_use]
    pub fn legacy(&self) -> Option<&Legacy> {
        match &self.script {
            Script::Legacy(legacy) => Some(legacy),
            Script::Vehicle2(_) => None,
        }
    }
}

/// The centre of mass of an actor whose origin is at `position` (`m`, world), turned by `rotation`;
/// `origin` is the origin relative to it (`m`, vehicle frame).
fn centre_of_mass(position: [f32; 3], rotation: Quat, origin: Vec3) -> DVec3 {
    let centre = math::matrix(rotation) * origin;
    from_physx(position).as_dvec3() - centre.as_dvec3()
}
