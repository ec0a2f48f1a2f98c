//! A world with some cars of a batch, which one thread steps. Its cars, each with its trailer if they tow, do not touch each
//! other, so that none depends on which others share its world.

mod report;
mod saved;

use core::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use jounce::core::fleet::Fleet;
use jounce::core::{
    Air, CarCommand, Environment, StepError, UpdateLevel, Vehicle, VehicleReport, math, phases,
};
use jounce::scene::{BodyDesc, GroundError, JOINT_ROWS, JointId, Standalone};
use proving_ground::world::{GRAVITY, Start, loaded};
use proving_ground::{stage, tow};

use crate::act;
use crate::episode::{Beginning, Episode};
use crate::error::BatchError;
use crate::rows::Rows;
use crate::setup::Design;
use crate::trailer::Trailer;

/// Some cars and their world.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    world: Standalone,
    /// The cars, and after them their trailers in the same order.
    fleet: Fleet,
    /// Joints of the trailers.
    joints: Vec<JointId>,
    episodes: Vec<Episode>,
    /// Commands of the physics step, of all vehicles.
    commands: Vec<CarCommand>,
    /// Commands that the actions ask for.
    wanted: Vec<CarCommand>,
    /// The last action of each car, row by row.
    actions: Vec<f32>,
    /// Why a car's last action was refused.
    errors: Vec<Option<StepError>>,
    /// Beginnings of the cars that a reset is about to place.
    beginnings: Vec<(usize, Beginning)>,
}

impl Arena {
    /// An arena of the cars with these numbers, in their first episodes.
    pub(crate) fn new(design: &Design, cars: Range<u64>) -> Result<Self, BatchError> {
        let mut world = Standalone::new(design.terrain.grounds.clone());
        let (mut vehicles, mut episodes) = (Vec::new(), Vec::new());
        let (mut trailers, mut joints) = (Vec::new(), Vec::new());
        for car in cars {
            let begun = Beginning::new(design, (design.seed, car, 0), None)?;
            let id = world.add(&begun.body).map_err(unplaced)?;
            let model = &design.models[begun.episode.model];
            vehicles.push(Vehicle::new(Arc::clone(&model.model), id));
            if let Some((trailer, body)) = design.trailer.as_ref().zip(begun.trailer) {
                let towed = world.add(&body).map_err(unplaced)?;
                trailers.push(Vehicle::new(Arc::clone(&trailer.model), towed));
                joints.push(world.join(&trailer.joint([id, towed])).map_err(unplaced)?);
            }
            episodes.push(begun);
        }
        let count = vehicles.len();
        let mut arena = Self {
            world,
            commands: vec![CarCommand::default(); count + trailers.len()],
            fleet: vehicles.into_iter().chain(trailers).collect(),
            joints,
            episodes: episodes.iter().map(|begun| begun.episode.clone()).collect(),
            wanted: vec![CarCommand::default(); count],
            actions: vec![0.0; count * design.actions.len()],
            errors: vec![None; count],
            beginnings: Vec::new(),
        };
        arena.beginnings = episodes.into_iter().enumerate().collect();
        arena.begin(design);
        Ok(arena)
    }

    pub(crate) fn count(&self) -> usize {
        self.episodes.len()
    }

    pub(crate) fn episodes(&self) -> &[Episode] {
        &self.episodes
    }

    pub(crate) fn errors(&self) -> &[Option<StepError>] {
        &self.errors
    }

    /// Computes the beginnings of the next episodes of the cars in `mask`, or of their first ones under a new seed; nothing moves
    /// yet.
    pub(crate) fn prepare(
        &mut self,
        design: &Design,
        seed: Option<u64>,
        mask: impl Fn(usize) -> bool,
        start: impl Fn(usize) -> Option<Start>,
    ) -> Result<(), BatchError> {
        self.beginnings.clear();
        for (n, episode) in self.episodes.iter().enumerate().filter(|(n, _)| mask(*n)) {
            let (number, seed) = match seed {
                Some(seed) => (0, seed),
                None => (episode.number + 1, episode.seed),
            };
            let begun = Beginning::new(design, (seed, episode.car, number), start(n))?;
            self.beginnings.push((n, begun));
        }
        Ok(())
    }

    /// Begins the prepared episodes.
    pub(crate) fn begin(&mut self, design: &Design) {
        for (n, begun) in core::mem::take(&mut self.beginnings) {
            if let Some(trailer) = design.trailer.as_ref().zip(begun.trailer) {
                self.begin_trailer(n, trailer, (begun.episode.grip, begun.speed));
            }
            let Beginning {
                episode,
                body,
                speed,
                ..
            } = begun;
            let model = &design.models[episode.model];
            let vehicle = &mut self.fleet.vehicles_mut()[n];
            let is_new = !Arc::ptr_eq(vehicle.model(), &model.model);
            if is_new {
                *vehicle = Vehicle::new(Arc::clone(&model.model), vehicle.body());
            }
            phases::reset(vehicle, &model.new).expect("a state of its model");
            vehicle.set_grip(episode.grip).expect("it was checked");
            if speed != 0.0 {
                model.roll(vehicle, speed);
            }
            let id = vehicle.body();
            let placed = if is_new || episode.payload != self.episodes[n].payload {
                self.world.replace(id, &body)
            } else {
                let posed = self.world.set_pose(id, body.position, body.rotation);
                posed.and_then(|()| {
                    self.world
                        .set_velocity(id, body.linear_velocity, Vec3::ZERO)
                })
            };
            placed.expect("a checked body");
            self.episodes[n] = episode;
            self.errors[n] = None;
            let width = design.actions.len();
            self.actions[n * width..][..width].fill(0.0);
            self.commands[n] = CarCommand::default();
        }
    }

    /// Puts the trailer of a car behind it, with this grip (–) and speed (`m/s`).
    fn begin_trailer(
        &mut self,
        n: usize,
        (trailer, body): (&Trailer, BodyDesc),
        (grip, speed): (f32, f32),
    ) {
        let count = self.count();
        let vehicle = &mut self.fleet.vehicles_mut()[count + n];
        phases::reset(vehicle, &trailer.new).expect("a state of its model");
        vehicle.set_grip(grip).expect("it was checked");
        if speed != 0.0 {
            stage::roll(vehicle, speed);
        }
        let id = vehicle.body();
        self.world.replace(id, &body).expect("a checked body");
        let none = [0.0; JOINT_ROWS];
        self.world.set_joint_impulses(self.joints[n], none);
    }

    /// Steps all cars by one action each, row by row, and writes what came of it.
    pub(crate) fn step(&mut self, design: &Design, actions: &[f32], rows: Rows<'_>) {
        let width = design.actions.len();
        let vehicles = self.fleet.vehicles().iter();
        for ((row, vehicle), wanted) in actions.chunks(width).zip(vehicles).zip(&mut self.wanted) {
            let gear = vehicle.state().drive.target_gear;
            *wanted = act::command(&design.actions, row, gear);
        }
        self.errors.fill(None);
        for _ in 0..design.substeps {
            self.follow(design);
            self.substep(design);
        }
        self.report(design, actions, rows);
        self.actions.copy_from_slice(actions);
    }

    /// Moves hands and feet toward the wanted commands.
    fn follow(&mut self, design: &Design) {
        if !design.has_hands {
            self.commands[..self.wanted.len()].copy_from_slice(&self.wanted);
            return;
        }
        let cars = self.fleet.vehicles().iter().take(self.wanted.len());
        for (n, vehicle) in cars.enumerate() {
            let body = self.world.body(vehicle.body()).expect("its body").now();
            let ahead = math::matrix(body.rotation).x_axis;
            let seen = VehicleReport {
                forward_speed: ahead.dot(body.linear_velocity),
                ..VehicleReport::STANDING
            };
            let episode = &mut self.episodes[n];
            let smoothing = &design.models[episode.model].hands;
            let wanted = &self.wanted[n];
            self.commands[n] =
                act::followed(&mut episode.hands, smoothing, wanted, &seen, design.dt);
        }
    }

    /// One physics step of all cars. Cars that are refused keep their errors; others go on.
    fn substep(&mut self, design: &Design) {
        let environment = Environment::in_still_air(GRAVITY, &design.surfaces);
        let full = |_: usize, _: &Vehicle| UpdateLevel::Full;
        // Errors of all phases are in the fleet.
        let _ = self.fleet.probe(&self.world, &environment, full);
        let (cars, trailers) = self.commands.split_at_mut(self.episodes.len());
        for (trailer, car) in trailers.iter_mut().zip(cars) {
            *trailer = tow::command(car);
        }
        let episodes = &self.episodes;
        self.fleet.set_air(|n, _| Air {
            wind: episodes[n % episodes.len()].wind,
            ..Air::STILL
        });
        self.fleet.update(&self.commands, &environment, design.dt);
        let (cars, trailers) = self.fleet.vehicles_mut().split_at_mut(self.episodes.len());
        for (trailer, car) in trailers.iter_mut().zip(cars) {
            trailer.set_towed(car.control().accelerating);
        }
        let _ = self.fleet.apply(&mut self.world);
        self.world.step(GRAVITY, design.dt);
        let count = self.errors.len();
        for (n, error) in self.fleet.errors().iter().enumerate() {
            let own = &mut self.errors[n % count];
            *own = own.or(*error);
        }
    }

    /// Sets the grip of a car from now on (–).
    pub(crate) fn set_grip(&mut self, n: usize, grip: f32) {
        self.episodes[n].grip = grip;
        let count = self.count();
        for vehicle in self.fleet.vehicles_mut().iter_mut().skip(n).step_by(count) {
            vehicle.set_grip(grip).expect("it was checked");
        }
    }

    /// Sets the payload of a car from now on (`kg`).
    pub(crate) fn set_payload(&mut self, design: &Design, n: usize, payload: f32) {
        let episode = &mut self.episodes[n];
        episode.payload = payload;
        let id = self.fleet.vehicles()[n].body();
        let (mass, inertia) = loaded(&design.models[episode.model].car, payload);
        let now = *self.world.body(id).expect("its body").now();
        let body = BodyDesc {
            mass,
            inertia,
            ..now
        };
        self.world.replace(id, &body).expect("a checked body");
    }

    /// Sets the wind of a car from now on (`m/s`, world axes).
    pub(crate) fn set_wind(&mut self, n: usize, wind: Vec3) {
        self.episodes[n].wind = wind;
    }
}

fn unplaced(error: GroundError) -> BatchError {
    BatchError::Ground(error.into())
}
