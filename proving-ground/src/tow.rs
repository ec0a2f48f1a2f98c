//! A vehicle that tows another by a joint of the world.

use std::path::Path;

use glam::Vec3;
use jounce::core::{BodyId, BodyState, CarCommand, Gear, Vehicle};
use jounce::file::Car;
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

/// The vehicle called `name` and the one it tows: `tow`, or, if `name` is a trailer, that trailer
/// behind its usual towing vehicle.
///
/// # Errors
/// If a file is invalid.
pub(crate) fn vehicles(name: &str, tow: Option<&str>) -> Result<(Car, Option<Car>), ProvingError> {
    let car = presets::load(name)?;
    if let Some(trailer) = tow {
        return Ok((car, Some(presets::load(trailer)?)));
    }
    let towed_by = car.coupling.as_ref().and_then(|c| c.towed_by.clone());
    match towed_by {
        Some(puller) => Ok((named_in(name, &puller)?, Some(car))),
        None => Ok((car, None)),
    }
}

/// The vehicle that the vehicle file `file` calls `name`: a preset, or a file relative to the
/// folder of `file`.
fn named_in(file: &str, name: &str) -> Result<Car, ProvingError> {
    match presets::by_name(name) {
        Some(car) => Ok(car),
        None => Ok(Car::load(Path::new(file).with_file_name(name))?),
    }
}

/// The command of a towed vehicle for the driver's `command`: it brakes with the towing vehicle.
/// Its engine idles, and it does not steer.
pub(crate) fn command(command: &CarCommand) -> CarCommand {
    CarCommand {
        brake: command.brake,
        handbrake: command.handbrake,
        automatic: false,
        ..CarCommand::default()
    }
}

/// Both couplings, each relative to the center of mass of its vehicle (`m`, vehicle frame).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Couplings([Vec3; 2]);

impl Couplings {
    /// # Errors
    /// If one of them has none.
    fn of(cars: [&Car; 2]) -> Result<Self, ProvingError> {
        let [ahead, behind] = cars;
        Ok(Self([coupling(ahead)?, coupling(behind)?]))
    }

    /// Their distance in the world, and the angle between the vehicles seen from above (`m`,
    /// `rad`).
    fn between(&self, bodies: [&BodyState; 2]) -> (f32, f32) {
        let place = |n: usize| bodies[n].position + (bodies[n].rotation * self.0[n]).as_dvec3();
        let ahead = bodies.map(|body| (body.rotation * Vec3::X).truncate());
        let gap = (place(0) - place(1)).length() as f32;
        (gap, ahead[0].angle_to(ahead[1]).abs())
    }
}

/// Where a car couples, from its center of mass (`m`, vehicle frame).
///
/// # Errors
/// If it has no coupling.
pub(crate) fn coupling(car: &Car) -> Result<Vec3, ProvingError> {
    let coupling = car.coupling.as_ref();
    let coupling = coupling.ok_or_else(|| ProvingError::NoCoupling {
        vehicle: car.name.clone(),
    })?;
    Ok(coupling.position - car.centre_of_mass())
}

/// Makes a vehicle's probes ignore the other vehicle.
pub(crate) fn ignore(vehicle: &mut Vehicle, other: BodyId) {
    vehicle.filter_mut().ignore[1] = Some(other);
}

/// A coupled trailer.
#[derive(Debug)]
pub(crate) struct Hook {
    couplings: Couplings,
    /// Bodies of both.
    bodies: [BodyId; 2],
    /// How it has followed so far.
    pub(crate) towed: Towed,
}

impl Hook {
    /// Places a trailer, out of gear, behind a car on `body` at `start`, and joins the two.
    ///
    /// # Errors
    /// If one has no coupling, there is no ground under the trailer, or the world has no joints.
    pub(crate) fn up(
        world: &mut dyn World,
        terrain: &Terrain,
        (car, body): (&Car, BodyId),
        trailer: &Car,
        start: Start,
    ) -> Result<(Self, Vehicle), ProvingError> {
        let couplings = Couplings::of([car, trailer])?;
        let state = world.body_state(body)?;
        let hook = state.position + (state.rotation * couplings.0[0]).as_dvec3();
        let position = couplings.0[1] + trailer.centre_of_mass();
        let place = hook.truncate() - (state.rotation * position).as_dvec3().truncate();
        let start = Start { place, ..start };
        let mut pose = world::standing(world, terrain, trailer, start)?;
        pose.origin += hook - (pose.origin + (pose.rotation * position).as_dvec3());
        let towed = world.add_chassis(trailer, &pose)?;
        world.join(body, towed, hook)?;
        let hook = Self {
            couplings,
            bodies: [body, towed],
            towed: Towed {
                trailer: trailer.name.clone(),
                peak_angle: 0.0,
                peak_gap: 0.0,
            },
        };
        let mut vehicle = Vehicle::new(trailer.kind(), towed);
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
