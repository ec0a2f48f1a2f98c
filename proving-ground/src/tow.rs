//! Vehicles that tow each other by joints of the world, one behind the other.

use std::path::Path;

use glam::{DVec3, Quat, Vec3};
use jounce::core::{BodyId, BodyState, CarCommand, Gear, Vehicle};
use jounce::file::{Car, Coupling};
use jounce::presets;
use serde::Serialize;

use crate::error::ProvingError;
use crate::ground::Terrain;
use crate::world::{self, Start, World};

/// The towed vehicle, and how it followed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Towed {
    /// Name of the trailer.
    pub trailer: String,
    /// Maximum angle between the two vehicles, seen from above (`rad`).
    pub peak_angle: f32,
    /// Maximum distance between the two couplings (`m`).
    pub peak_gap: f32,
}

/// Most vehicles of a road train.
const MOST: usize = 10;

/// The vehicle called `name` and those it tows, from front to rear: `tow`, or, if there are none and `name` is a trailer,
/// that trailer behind its usual towing vehicle, which may be towed itself.
///
/// # Errors
/// If a file is invalid, or usual towing vehicles tow each other in a circle.
pub(crate) fn vehicles(name: &str, tow: &[String]) -> Result<Vec<Car>, ProvingError> {
    let mut all = vec![presets::load(name)?];
    if !tow.is_empty() {
        for trailer in tow {
            all.push(presets::load(trailer)?);
        }
        return Ok(all);
    }
    let mut file = name.to_owned();
    while let Some(puller) = all[0].coupling.as_ref().and_then(|c| c.towed_by.clone()) {
        if all.len() == MOST {
            return Err(ProvingError::LongTrain { most: MOST });
        }
        file = named_in(&file, &puller);
        all.insert(0, presets::load(&file)?);
    }
    Ok(all)
}

/// The vehicle that the vehicle file `file` calls `name`: a preset, or a file relative to the
/// folder of `file`.
fn named_in(file: &str, name: &str) -> String {
    match presets::by_name(name) {
        Some(_) => name.to_owned(),
        None => Path::new(file).with_file_name(name).display().to_string(),
    }
}

/// The command of a towed vehicle for the driver's `command`: it brakes with the towing vehicle.
/// Its engine idles, and it does not steer.
#[must_use]
pub fn command(command: &CarCommand) -> CarCommand {
    CarCommand {
        brake: command.brake,
        handbrake: command.handbrake,
        automatic: false,
        ..CarCommand::default()
    }
}

/// Couplings of two vehicles, each relative to the center of mass of its vehicle (`m`, vehicle frame).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Couplings([Vec3; 2]);

impl Couplings {
    /// Distance of the couplings in the world, and the angle between the vehicles seen from above (`m`, `rad`).
    fn between(&self, bodies: [&BodyState; 2]) -> (f32, f32) {
        let place = |n: usize| bodies[n].position + (bodies[n].rotation * self.0[n]).as_dvec3();
        let ahead = bodies.map(|body| (body.rotation * Vec3::X).truncate());
        let gap = (place(0) - place(1)).length() as f32;
        (gap, ahead[0].angle_to(ahead[1]).abs())
    }
}

/// A vehicle that tows by a coupling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Towing<'a> {
    car: &'a Car,
    by: &'a Coupling,
}

impl<'a> Towing<'a> {
    /// A vehicle that is driven.
    ///
    /// # Errors
    /// If it has no coupling.
    pub(crate) fn driven(car: &'a Car) -> Result<Self, ProvingError> {
        let by = car.towing_coupling().ok_or_else(|| uncoupled(car))?;
        Ok(Self { car, by })
    }

    /// A vehicle that is towed itself, by its other coupling.
    ///
    /// # Errors
    /// If it has none behind.
    pub(crate) fn towed(car: &'a Car) -> Result<Self, ProvingError> {
        let by = car.rear_coupling.as_ref();
        let by = by.ok_or_else(|| ProvingError::NoRearCoupling {
            vehicle: car.name.clone(),
        })?;
        Ok(Self { car, by })
    }

    /// Position of the coupling for a pose of the vehicle's body (`m`, world).
    pub(crate) fn place(&self, position: DVec3, rotation: Quat) -> DVec3 {
        let arm = self.by.position - self.car.center_of_mass();
        position + (rotation * arm).as_dvec3()
    }

    /// Joins a trailer on `bodies` to it at `place` (`m`, world).
    ///
    /// # Errors
    /// If the trailer has no coupling, or the world no joints.
    pub(crate) fn couple(
        &self,
        trailer: &Car,
        world: &mut dyn World,
        (bodies, place): ([BodyId; 2], DVec3),
    ) -> Result<(), ProvingError> {
        let joint = self
            .by
            .joint(&self.car.hull, (coupling(trailer)?, &trailer.hull));
        world.couple(bodies, place, &joint)
    }
}

/// The coupling by which a car is towed.
///
/// # Errors
/// If it has none.
fn coupling(car: &Car) -> Result<&Coupling, ProvingError> {
    car.coupling.as_ref().ok_or_else(|| uncoupled(car))
}

fn uncoupled(car: &Car) -> ProvingError {
    ProvingError::NoCoupling {
        vehicle: car.name.clone(),
    }
}

/// Makes a vehicle's probes ignore the other vehicle.
pub(crate) fn ignore(vehicle: &mut Vehicle, other: BodyId) {
    vehicle.filter_mut().ignore[1] = Some(other);
}

/// A coupled trailer.
#[derive(Debug)]
pub(crate) struct Hook {
    couplings: Couplings,
    /// Bodies of both vehicles.
    bodies: [BodyId; 2],
    /// Record of the trailer so far.
    pub(crate) towed: Towed,
}

impl Hook {
    /// Places a trailer, out of gear, behind a vehicle on `body` at `start`, moving along itself at `speed` (`m/s`), and
    /// joins the two.
    ///
    /// # Errors
    /// If the trailer has no coupling, there is no ground under it, or the world has no joints.
    pub(crate) fn up(
        world: &mut dyn World,
        terrain: &Terrain,
        (towing, body): (Towing<'_>, BodyId),
        trailer: &Car,
        (start, speed): (Start, f32),
    ) -> Result<(Self, Vehicle), ProvingError> {
        let state = world.body_state(body)?;
        let hook = towing.place(state.position, state.rotation);
        let position = coupling(trailer)?.position;
        let start = Start {
            position: hook.truncate() - (state.rotation * position).as_dvec3().truncate(),
            ..start
        };
        let mut pose = world::rest_pose(world, terrain, trailer, start)?;
        pose.origin += hook - (pose.origin + (pose.rotation * position).as_dvec3());
        let velocity = pose.rotation * Vec3::X * speed;
        let towed = world.add_chassis_at(trailer, &pose, velocity)?;
        towing.couple(trailer, world, ([body, towed], hook))?;
        let ahead = towing.by.position - towing.car.center_of_mass();
        let hook = Self {
            couplings: Couplings([ahead, position - trailer.center_of_mass()]),
            bodies: [body, towed],
            towed: Towed {
                trailer: trailer.name.clone(),
                peak_angle: 0.0,
                peak_gap: 0.0,
            },
        };
        let mut vehicle = Vehicle::new(trailer.model(), towed);
        vehicle.state_mut().drive.force_gear(Gear::NEUTRAL);
        ignore(&mut vehicle, body);
        Ok((hook, vehicle))
    }

    /// The trailer's body.
    pub(crate) fn trailer(&self) -> BodyId {
        self.bodies[1]
    }

    /// Measures how the trailer follows.
    ///
    /// # Errors
    /// If the world has lost one of the bodies.
    pub(crate) fn look(&mut self, world: &dyn World) -> Result<(), ProvingError> {
        let [ahead, behind] = self.bodies.map(|body| world.body_state(body));
        let (gap, angle) = self.couplings.between([&ahead?, &behind?]);
        self.towed.peak_gap = self.towed.peak_gap.max(gap);
        self.towed.peak_angle = self.towed.peak_angle.max(angle);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_towed_vehicle_only_brakes() {
        let driver = CarCommand {
            throttle: 0.9,
            brake: 0.3,
            handbrake: 0.2,
            steer: -0.5,
            clutch: 0.1,
            gear: jounce::core::GearCommand::Up,
            automatic: true,
            steering_wheel: None,
            levers: jounce::core::Levers::RELEASED,
        };
        let expected = CarCommand {
            brake: 0.3,
            handbrake: 0.2,
            automatic: false,
            ..CarCommand::default()
        };
        assert_eq!(command(&driver), expected);
    }
}
