//! Scenarios of the real PhysX: the header of a reference trace becomes a vehicle, a ground and a
//! schedule of commands, to be replayed here.

mod axes;
mod build;
mod drives;
mod frame;
mod ground;
mod header;
mod replay;
mod smoothing;
mod trace;
mod vehicle2;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::params::Probe;
use jounce::core::{
    CarCommand, Command, Gear, GearCommand, InvalidParams, Profile, Surfaces, Vehicle, VehicleKind,
    VehicleParams, VehicleReport, math,
};
use jounce::drive::EngineDriveParams;
use jounce::input::{CarHands, InputFault};
use jounce::scene::{BodyDesc, Hull};
use serde::Deserialize as _;

use crate::error::LabError;
use crate::ground::Terrain;
use crate::text;
pub use axes::{from_physx, place_to_physx, rotation_from_physx, rotation_to_physx, to_physx};
pub use frame::{Frame, Wheels};
pub use ground::Obstacle;
use header::{DriveKind, Header};
pub use replay::Replay;
use smoothing::Smoothing;
pub use smoothing::hands_at;
pub use trace::{TraceArgs, trace_command};
pub use vehicle2::Vehicle2;

/// Why a scenario cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file's first object is no scenario.
    #[error("{file}: {source}")]
    Malformed {
        /// Which file.
        file: String,
        /// Why.
        source: serde_json::Error,
    },
    /// The scenario needs something that there is not.
    #[error("{file}: not supported: {what}")]
    Unsupported {
        /// Which file.
        file: String,
        /// What it needs.
        what: String,
    },
    /// Its parameters break rules.
    #[error("{file}: {source}")]
    Invalid {
        /// Which file.
        file: String,
        /// Every fault.
        source: InvalidParams,
    },
    /// Numbers make no ground.
    #[error(transparent)]
    Ground(#[from] jounce::scene::GroundError),
    /// The world cannot be made.
    #[error(transparent)]
    World(Box<LabError>),
}

/// The parameters that PhysX's dump of a four-wheel drive describes, with the origin at the centre of
/// mass.
///
/// # Errors
/// If it is no such dump.
pub fn described(
    vehicle: &serde_json::Value,
) -> Result<(VehicleParams, EngineDriveParams), serde_json::Error> {
    let vehicle = header::Vehicle::deserialize(vehicle)?;
    let params = build::params(&vehicle, Probe::Ray, Profile::PHYSX_4);
    Ok((params, build::drive(&vehicle, false)))
}

/// What is the same for all frames of a scenario.
#[derive(Debug)]
pub struct Scenario {
    header: Header,
    kind: Arc<VehicleKind>,
    surfaces: Surfaces,
    terrain: Terrain,
    obstacle: Option<Obstacle>,
    smoothing: Option<Smoothing>,
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
            .into_iter::<serde_json::Value>()
            .next()
            .unwrap_or(Ok(serde_json::Value::Null));
        let malformed = |source| ScenarioError::Malformed {
            file: name.clone(),
            source,
        };
        let value = first.map_err(malformed)?;
        Self::from_header(value.get("header").unwrap_or(&value), &name)
    }

    /// A scenario from the header itself; errors call it `file`.
    ///
    /// # Errors
    /// If the scenario is malformed or not supported.
    pub fn from_header(value: &serde_json::Value, file: &str) -> Result<Self, ScenarioError> {
        let unsupported = |what| ScenarioError::Unsupported {
            file: file.to_owned(),
            what,
        };
        build::check_supported(value).map_err(unsupported)?;
        let header: Header =
            serde_json::from_value(value.clone()).map_err(|source| ScenarioError::Malformed {
                file: file.to_owned(),
                source,
            })?;
        let invalid = |source| ScenarioError::Invalid {
            file: file.to_owned(),
            source,
        };
        let kind = build::kind(&header).map_err(invalid)?;
        let smoothing = Smoothing::new(&header).map_err(invalid)?;
        let (terrain, obstacle) = ground::read(&header.ground).map_err(|fault| fault.of(file))?;
        Ok(Self {
            kind: Arc::new(kind),
            surfaces: build::surfaces(&header),
            terrain,
            obstacle,
            smoothing,
            header,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// Time step [s].
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.header.dt
    }

    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.header.frames
    }

    /// Gravity [m/s², our axes].
    #[must_use]
    pub fn gravity(&self) -> Vec3 {
        from_physx(self.header.vehicle.gravity)
    }

    /// Friction of tires on the ground.
    #[must_use]
    pub fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// The kind of vehicle.
    #[must_use]
    pub fn kind(&self) -> Arc<VehicleKind> {
        Arc::clone(&self.kind)
    }

    /// The actor's origin relative to the centre of mass [m, vehicle frame].
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        -from_physx(self.header.vehicle.cmass_local_pos)
    }

    /// The ground, without what stands on it.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// What stands on the ground.
    #[must_use]
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.obstacle.as_ref()
    }

    /// Whether wheels share their contacts with the suspension, and run into the rest.
    #[must_use]
    pub fn modifies_contacts(&self) -> bool {
        self.header.contact_modification
    }

    /// Whether the schedule's values are raw ones, which are smoothed.
    #[must_use]
    pub fn smooths_input(&self) -> bool {
        self.smoothing.is_some()
    }

    /// Parts of the vehicle that the world's own contacts keep out of the obstacle, as boxes: centre
    /// and half extents [m, vehicle frame, from the centre of mass]. Chassis meet walls; wheels meet
    /// what they can drive on only where contacts are modified.
    #[must_use]
    pub fn rigid_parts(&self) -> Vec<(Vec3, Vec3)> {
        let vehicle = &self.header.vehicle;
        match self.obstacle {
            Some(obstacle) if !obstacle.drivable => {
                let hull = self.hull();
                vec![(hull.centre, hull.half_extents)]
            }
            Some(_) if self.modifies_contacts() => {
                let wheels = vehicle.wheels.iter();
                wheels
                    .map(|w| {
                        let half = Vec3::new(w.radius, 0.5 * w.width, w.radius);
                        (from_physx(w.wheel_centre_cm_offset), half)
                    })
                    .collect()
            }
            _ => vec![],
        }
    }

    /// The chassis' box.
    fn hull(&self) -> Hull {
        let vehicle = &self.header.vehicle;
        Hull {
            half_extents: from_physx(vehicle.chassis_box_dims) * 0.5,
            centre: self.origin(),
            friction: vehicle.material.dynamic,
        }
    }

    /// Whether its differentials limit slip.
    #[must_use]
    pub fn has_limited_slip(&self) -> bool {
        let differential = self.header.vehicle.differential.as_ref();
        differential.is_some_and(|differential| differential.kind.starts_with("LS"))
    }

    /// Whether it has an engine and gears.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        self.header.vehicle.engine.is_some()
    }

    /// Whether neither a brake nor the engine acts on a wheel in a frame in which PhysX's driver gave
    /// these analog values, with a gear in or not.
    #[must_use]
    pub fn is_free(&self, wheel: usize, frame: usize, analog: [f32; 5], in_gear: bool) -> bool {
        let command = self.command(frame, analog, GearCommand::Hold);
        drives::is_free(&self.header.vehicle, wheel, &command, in_gear)
    }

    /// Whether vehicles look for the ground in a frame; in others they use the planes that they
    /// know.
    #[must_use]
    pub fn queries(&self, frame: usize) -> bool {
        frame.is_multiple_of(self.header.query_every.max(1))
    }

    /// The chassis as a body, at the start. It has a hull where it can run into something; as in
    /// PhysX's sample, that never meets the ground wheels drive on.
    #[must_use]
    pub fn body(&self) -> BodyDesc {
        let (init, vehicle) = (&self.header.init, &self.header.vehicle);
        let rotation = rotation_from_physx(init.quat);
        let centre = math::matrix(rotation) * self.origin();
        let position: DVec3 = from_physx(init.pos).as_dvec3() - centre.as_dvec3();
        BodyDesc {
            rotation,
            linear_velocity: from_physx(init.lin_vel),
            angular_velocity: from_physx(init.ang_vel),
            linear_damping: vehicle.body.linear_damping,
            angular_damping: vehicle.body.angular_damping,
            max_angular_speed: vehicle.body.max_angular_velocity,
            // PhysX multiplies the threshold by one plus the constraints and contacts of a body; a
            // vehicle has one constraint for every four wheels.
            sleep_threshold: vehicle.body.sleep_threshold
                * (1 + vehicle.wheels.len().div_ceil(4)) as f32,
            hull: self
                .obstacle
                .and_then(|obstacle| (!obstacle.drivable).then(|| self.hull())),
            restitution: vehicle.material.restitution,
            ..BodyDesc::at_rest(
                position,
                vehicle.chassis_mass,
                from_physx(vehicle.chassis_moi),
            )
        }
    }

    /// Sets spins, engine and gear to the start's.
    pub fn prepare(&self, vehicle: &mut Vehicle) {
        let init = &self.header.init;
        let state = vehicle.state_mut();
        for wheels in state.wheels.iter_mut() {
            wheels.spin = jounce::core::lanes::W4::splat(init.wheel_omega);
            wheels.spin_shown = wheels.spin;
        }
        state.drive.engine_speed = init.engine_omega;
        state.drive.force_gear(Gear(init.gear - 1));
    }

    /// What the driver does in a frame, as the car gets it: the schedule's values, where the header
    /// says so smoothed by `hands` that see the car so.
    ///
    /// # Errors
    /// If what is seen is no use.
    pub fn moment(
        &self,
        frame: usize,
        hands: &mut CarHands,
        seen: &VehicleReport,
    ) -> Result<Moment, InputFault> {
        let mut moment = self.scheduled(frame);
        if let Some(smoothing) = &self.smoothing {
            // PhysX's smoothing sets the lever anew in every frame.
            if moment.gear == GearCommand::Hold {
                moment.gear = GearCommand::Cancel;
            }
            moment.analog = smoothing.smooth(hands, moment.analog, seen, self.dt())?;
            moment.command = self.command(frame, moment.analog, moment.gear);
        }
        Ok(moment)
    }

    /// What the schedule says for a frame.
    fn scheduled(&self, frame: usize) -> Moment {
        let entries = self.header.schedule.iter().filter(|e| e.frame <= frame);
        let analog = entries.clone().filter_map(|e| e.analog).next_back();
        let analog = analog.unwrap_or_default();
        let mut gear = GearCommand::Hold;
        let mut force_gear = None;
        for entry in entries.filter(|e| e.frame == frame) {
            gear = match (entry.gear_up, entry.gear_down) {
                (Some(1), _) => GearCommand::Up,
                (_, Some(1)) => GearCommand::Down,
                (Some(_), _) | (_, Some(_)) => GearCommand::Cancel,
                (None, None) => gear,
            };
            force_gear = entry.force_gear.map(|g| Gear(g - 1)).or(force_gear);
        }
        Moment {
            analog,
            command: self.command(frame, analog, gear),
            gear,
            force_gear,
        }
    }

    /// Analog values of PhysX as a command; torques of its user's as the schedule has them.
    fn command(&self, frame: usize, analog: [f32; 5], gear: GearCommand) -> Command {
        let automatic = self.header.init.auto_gears;
        match self.header.vehicle.kind {
            DriveKind::Drive4W | DriveKind::DriveNW => {
                let [throttle, brake, handbrake, left, right] = analog;
                Command::Car(CarCommand {
                    throttle,
                    brake,
                    handbrake,
                    // PhysX's right is our left; the driver's command is positive to the right.
                    steer: left - right,
                    clutch: 0.0,
                    gear,
                    automatic,
                })
            }
            DriveKind::DriveTank => drives::tank_command(analog, gear, automatic),
            DriveKind::NoDrive => {
                let mut entries = self.header.schedule.iter();
                let entry = entries.rfind(|entry| entry.frame <= frame);
                entry.map_or_else(Command::default, drives::wheel_command)
            }
        }
    }
}
