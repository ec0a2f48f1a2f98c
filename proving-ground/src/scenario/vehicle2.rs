//! Scenarios of PhysX 5's `vehicle2`: their headers and drivers.

mod header;
mod layout;
mod build;

use std::sync::Arc;

use glam::{Mat3, Vec3};
use jounce::core::{Gear, GearCommand, SurfaceType, Surfaces, TireType, math};
use jounce::drive::LockingDifferential;
use jounce::scene::BodyDesc;
use serde_json::Value;

use super::header::GroundData;
use super::{
    CommonHeader, InitialSpins, Moment, ScenarioError, centre_of_mass, drives, from_physx, ground,
    parsed, rotation_from_physx,
};
use header::{AUTOMATIC, Vehicle2Action, Vehicle2Header};
use layout::AxleLayout;

/// Gravity of all these scenarios, PhysX 5's default (`m/s²`).
const GRAVITY: f32 = 9.81;

/// The driver of a `vehicle2` scenario.
#[derive(Debug)]
pub(super) struct Vehicle2 {
    schedule: Vec<Vehicle2Action>,
    has_engine: bool,
    is_tracked: bool,
    locking: Option<LockingDifferential>,
}

/// A scenario from its header; errors call it `file`.
pub(super) fn read(value: &Value, file: &str) -> Result<(CommonHeader, Vehicle2), ScenarioError> {
    build::check_supported(value).map_err(|what| ScenarioError::unsupported(file, what))?;
    let header = header_of(value, file)?;
    let layout = AxleLayout::of(&header).map_err(|what| ScenarioError::unsupported(file, what))?;
    let model = header.model(&layout);
    let model = model.map_err(|source| ScenarioError::invalid(file, source))?;
    let plane = GroundData::Plane {
        normal: header.plane_normal,
        d: 0.0,
    };
    let (terrain, obstacles) = ground::read(&plane).map_err(|fault| fault.of(file))?;
    let mut surfaces = Surfaces::new();
    surfaces
        .set_friction(SurfaceType(0), TireType(0), header.params.road_friction)
        .map_err(|fault| ScenarioError::unsupported(file, fault))?;
    let engine = header.params.engine.as_ref();
    let script = Vehicle2 {
        has_engine: engine.is_some(),
        is_tracked: engine.is_some_and(|engine| engine.diff_type == layout::TANK),
        locking: engine.and_then(|engine| build::locking(engine, &layout)),
        schedule: header.schedule.clone(),
    };
    let init = &header.init;
    let setup = CommonHeader {
        gravity: Vec3::NEG_Z * GRAVITY,
        model: Arc::new(model),
        surfaces,
        terrain,
        obstacles,
        origin: header.origin(),
        body: header.body(),
        start: InitialSpins {
            spin: init.forward_speed / header.params.wheels[0].radius,
            engine_speed: init.engine_omega,
            gear: Gear(init.gear - 1),
        },
        dt: header.dt,
        frames: header.frames,
        name: header.name,
    };
    Ok((setup, script))
}

/// The header with its engine, if it has one.
fn header_of(value: &Value, file: &str) -> Result<Vehicle2Header, ScenarioError> {
    let mut header: Vehicle2Header = parsed(value, file)?;
    if header.drivetrain == build::ENGINE {
        header.params.engine = Some(parsed(&value["params"], file)?);
    }
    Ok(header)
}

impl Vehicle2Header {
    /// The actor's origin relative to the center of mass (`m`, vehicle frame).
    fn origin(&self) -> Vec3 {
        -from_physx(self.params.actor_cmass_local_pos)
    }

    /// The chassis at the start.
    fn body(&self) -> BodyDesc {
        let (init, params) = (&self.init, &self.params);
        let rotation = rotation_from_physx(init.actor_quat);
        let position = centre_of_mass(init.actor_pos, rotation, self.origin());
        BodyDesc {
            rotation,
            linear_velocity: math::matrix(rotation).x_axis * init.forward_speed,
            // PhysX's default.
            angular_damping: 0.05,
            // PhysX's default, times one plus the number of its constraints.
            sleep_threshold: 0.005 * (1 + params.wheels.len().div_ceil(4)) as f32,
            ..BodyDesc::at_rest(
                position,
                params.mass,
                Mat3::from_diagonal(from_physx(params.moi)),
            )
        }
    }
}

impl Vehicle2 {
    pub(super) fn has_engine(&self) -> bool {
        self.has_engine
    }

    pub(super) fn locking(&self) -> Option<&LockingDifferential> {
        self.locking.as_ref()
    }

    pub(super) fn scheduled(&self, frame: usize) -> Moment {
        let mut entries = self.schedule.iter();
        let entry = entries.rfind(|entry| entry.frame <= frame);
        let entry = entry.copied().unwrap_or(Vehicle2Action::REST);
        let automatic = entry.gear == AUTOMATIC;
        let gear = match i8::try_from(entry.gear) {
            Ok(gear) => GearCommand::Engage(Gear(gear - 1)),
            Err(_) => GearCommand::Hold,
        };
        let Vehicle2Action {
            throttle, brake0, ..
        } = entry;
        let (analog, command) = if self.is_tracked {
            let analog = [throttle, brake0, brake0, entry.thrust0, entry.thrust1];
            (analog, drives::tank_command(analog, gear, automatic))
        } else {
            let [left, right] = [-entry.steer, entry.steer].map(|steer| steer.max(0.0));
            let analog = [throttle, brake0, entry.brake1, left, right];
            (analog, drives::car_command(analog, gear, automatic))
        };
        Moment {
            analog,
            command,
            gear,
            force_gear: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::core::Command;
    use rstest::rstest;

    /// 0 is reverse, 1 neutral, 2 forward or first; 255 leaves the gear as it is or to the autobox.
    #[rstest]
    #[case::reverse(0, GearCommand::Engage(Gear::REVERSE))]
    #[case::neutral(1, GearCommand::Engage(Gear(0)))]
    #[case::forward(2, GearCommand::Engage(Gear::FIRST))]
    #[case::kept(AUTOMATIC, GearCommand::Hold)]
    fn gears_are_selected_with_an_engine_and_without(
        #[case] gear: u8,
        #[case] expected: GearCommand,
        #[values(true, false)] has_engine: bool,
    ) {
        let script = Vehicle2 {
            schedule: vec![Vehicle2Action {
                gear,
                ..Vehicle2Action::REST
            }],
            has_engine,
            is_tracked: false,
            locking: None,
        };
        let moment = script.scheduled(3);
        let Command::Car(car) = moment.command else {
            panic!("{:?}", moment.command);
        };
        assert_eq!((moment.gear, car.gear), (expected, expected));
        assert_eq!(car.automatic, gear == AUTOMATIC);
    }
}
