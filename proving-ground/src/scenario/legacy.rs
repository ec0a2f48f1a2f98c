//! Scenarios of the legacy vehicle SDK: their headers and drivers.

use std::sync::Arc;

use glam::{Mat3, Vec3};
use jounce::core::{Command, Gear, GearCommand, VehicleReport};
use jounce::input::{CarHands, InputFault};
use jounce::scene::{BodyDesc, CollisionBox};
use serde_json::Value;

use super::header::{DriveKind, Header};
use super::smoothing::Smoothing;
use super::{
    CommonHeader, InitialSpins, Moment, Obstacle, ScenarioError, build, center_of_mass, drives,
    from_physx, ground, parsed, rotation_from_physx,
};

/// A scenario of the legacy SDK.
#[derive(Debug)]
pub struct Legacy {
    header: Header,
    smoothing: Option<Smoothing>,
}

/// A scenario from its header; errors call it `file`.
pub(super) fn read(value: &Value, file: &str) -> Result<(CommonHeader, Legacy), ScenarioError> {
    build::check_supported(value).map_err(|what| ScenarioError::unsupported(file, what))?;
    let header: Header = parsed(value, file)?;
    let invalid = |source| ScenarioError::invalid(file, source);
    let model = build::model(&header).map_err(invalid)?;
    let smoothing = Smoothing::new(&header).map_err(invalid)?;
    let (terrain, obstacles) = ground::read(&header.ground).map_err(|fault| fault.of(file))?;
    let (init, vehicle) = (&header.init, &header.vehicle);
    let setup = CommonHeader {
        name: header.name.clone(),
        dt: header.dt,
        frames: header.frames,
        gravity: from_physx(vehicle.gravity),
        model: Arc::new(model),
        surfaces: build::surfaces(&header),
        terrain,
        origin: header.origin(),
        body: header.body(&obstacles),
        obstacles,
        start: InitialSpins {
            spin: init.wheel_omega,
            engine_speed: init.engine_omega,
            gear: Gear(init.gear - 1),
        },
    };
    Ok((setup, Legacy { header, smoothing }))
}

/// Whether the chassis hits any of the obstacles.
fn is_solid(obstacles: &[Obstacle]) -> bool {
    obstacles.iter().any(|obstacle| !obstacle.drivable)
}

impl Header {
    /// The actor's origin relative to the center of mass (`m`, vehicle frame).
    fn origin(&self) -> Vec3 {
        -from_physx(self.vehicle.cmass_local_pos)
    }

    /// The chassis' box.
    fn hull(&self) -> CollisionBox {
        CollisionBox {
            half_extents: from_physx(self.vehicle.chassis_box_dims) * 0.5,
            center: self.origin(),
            friction: self.vehicle.material.dynamic,
            layers: ground::SOLID,
        }
    }

    /// The chassis at the start.
    fn body(&self, obstacles: &[Obstacle]) -> BodyDesc {
        let (init, vehicle) = (&self.init, &self.vehicle);
        let rotation = rotation_from_physx(init.quat);
        let position = center_of_mass(init.pos, rotation, self.origin());
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
            hull: is_solid(obstacles).then(|| self.hull()),
            restitution: vehicle.material.restitution,
            ..BodyDesc::at_rest(
                position,
                vehicle.chassis_mass,
                Mat3::from_diagonal(from_physx(vehicle.chassis_moi)),
            )
        }
    }
}

impl Legacy {
    /// Whether a wheel is free of brakes and engine in a frame with these analog values of PhysX's driver, with a gear engaged
    /// or not.
    #[must_use]
    pub fn is_free(&self, wheel: usize, frame: usize, analog: [f32; 5], in_gear: bool) -> bool {
        let command = self.command(frame, analog, GearCommand::Hold);
        drives::is_free(&self.header.vehicle, wheel, &command, in_gear)
    }

    pub(super) fn has_engine(&self) -> bool {
        self.header.vehicle.engine.is_some()
    }

    pub(super) fn modifies_contacts(&self) -> bool {
        self.header.contact_modification
    }

    pub(super) fn smooths_input(&self) -> bool {
        self.smoothing.is_some()
    }

    pub(super) fn queries(&self, frame: usize) -> bool {
        frame.is_multiple_of(self.header.query_every.max(1))
    }

    pub(super) fn rigid_parts(&self, obstacles: &[Obstacle]) -> Vec<(Vec3, Vec3)> {
        if is_solid(obstacles) {
            let hull = self.header.hull();
            return vec![(hull.center, hull.half_extents)];
        }
        let hit_wheels = |obstacle: &Obstacle| self.modifies_contacts() || obstacle.is_round();
        if !obstacles.iter().any(hit_wheels) {
            return vec![];
        }
        let wheels = self.header.vehicle.wheels.iter();
        wheels
            .map(|w| {
                let half = Vec3::new(w.radius, 0.5 * w.width, w.radius);
                (from_physx(w.wheel_center_cm_offset), half)
            })
            .collect()
    }

    pub(super) fn scheduled(&self, frame: usize) -> Moment {
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

    /// The schedule's values after smoothing by the driver's hands for the state `seen`, if they
    /// are smoothed.
    pub(super) fn smoothed(
        &self,
        frame: usize,
        mut moment: Moment,
        hands: &mut CarHands,
        seen: &VehicleReport,
    ) -> Result<Moment, InputFault> {
        if let Some(smoothing) = &self.smoothing {
            // PhysX's smoothing sets the gear request again in every frame.
            if moment.gear == GearCommand::Hold {
                moment.gear = GearCommand::Cancel;
            }
            moment.analog = smoothing.smooth(hands, moment.analog, seen, self.header.dt)?;
            moment.command = self.command(frame, moment.analog, moment.gear);
        }
        Ok(moment)
    }

    /// PhysX's analog values as a command; user-defined torques as in the schedule.
    fn command(&self, frame: usize, analog: [f32; 5], gear: GearCommand) -> Command {
        let automatic = self.header.init.auto_gears;
        match self.header.vehicle.kind {
            DriveKind::Drive4W | DriveKind::DriveNW => drives::car_command(analog, gear, automatic),
            DriveKind::DriveTank => drives::tank_command(analog, gear, automatic),
            DriveKind::NoDrive => {
                let mut entries = self.header.schedule.iter();
                let entry = entries.rfind(|entry| entry.frame <= frame);
                entry.map_or_else(Command::default, drives::wheel_command)
            }
        }
    }
}
