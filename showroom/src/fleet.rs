//! Fleet mode: many cars on a plain, and what each phase costs.

use core::f32::consts::TAU;

use glam::{DVec2, DVec3, Quat, Vec3};
use jounce::core::{Air, CarCommand, Command, Detail, Environment, Fleet, Gear, Vehicle};
use jounce::file::Car;
use jounce::scene::Standalone;
use proving_ground::course::{CourseName, Cover, DrivingCourse};
use proving_ground::world::{self, GRAVITY, Pose};

use crate::clock::Clock;
use crate::sim::{Place, Shape};

/// Length of a step (`s`).
const DT: f32 = 1.0 / 60.0;
/// Distance between cars at the start (`m`).
const SPACING: f64 = 9.0;
/// Within this distance of the eye, cars are shown with their wheels (`m`).
const WHEELS: f64 = 80.0;
/// Most cars.
pub const MOST: usize = 5000;

/// What the phases of a step cost (`ms`).
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct PhaseCost {
    /// Rays.
    pub probe: f32,
    /// The vehicles.
    pub update: f32,
    /// Handing over.
    pub apply: f32,
    /// The world's own step.
    pub world: f32,
}

/// Many cars in the standalone world.
pub struct FleetShow {
    fleet: Fleet,
    /// Center of mass of each, in its own axes (`m`).
    centre: Vec3,
    world: Standalone,
    course: DrivingCourse,
    surfaces: jounce::core::Surfaces,
    commands: Vec<Command>,
    /// How often cars probe and are updated.
    pub detail: Detail,
    steps: u64,
    due: f32,
    /// Of the last step, smoothed.
    pub cost: PhaseCost,
}

impl core::fmt::Debug for FleetShow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut show = f.debug_struct("FleetShow");
        show.field("count", &self.count());
        show.finish_non_exhaustive()
    }
}

impl FleetShow {
    /// So many cars in a square, each about to drive a circle.
    ///
    /// # Panics
    /// Never: the plain has ground everywhere.
    #[must_use]
    pub fn new(car: &Car, count: usize) -> Self {
        let count = count.clamp(1, MOST);
        let course = || DrivingCourse::new(CourseName::SkidPad).expect("a built-in course");
        let mut world = Standalone::new(course().terrain.grounds);
        let side = (count as f64).sqrt().ceil();
        let mut fleet = Fleet::new();
        let commands = (0..count).map(|n| {
            let (row, column) = ((n as f64 / side).floor(), n as f64 % side);
            let place = (DVec2::new(row, column) - 0.5 * side) * SPACING;
            let height = car.ride_height() - f64::from(car.centre_of_mass().z);
            let pose = Pose {
                origin: place.extend(height),
                rotation: Quat::from_rotation_z(TAU * (n % 8) as f32 / 8.0),
            };
            let body = world
                .add(&world::chassis(car, &pose))
                .expect("a valid body");
            let mut vehicle = Vehicle::new(car.kind(), body);
            vehicle.state_mut().drive.force_gear(Gear::FIRST);
            fleet.push(vehicle);
            Command::Car(CarCommand {
                throttle: 0.25 + 0.05 * (n % 5) as f32,
                steer: if n % 2 == 0 { 0.5 } else { -0.5 },
                ..CarCommand::default()
            })
        });
        Self {
            commands: commands.collect(),
            fleet,
            centre: car.centre_of_mass(),
            world,
            course: course(),
            surfaces: Cover::surfaces(),
            detail: Detail::FULL,
            steps: 0,
            due: 0.0,
            cost: PhaseCost::default(),
        }
    }

    /// How many cars there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.commands.len()
    }

    /// Lets time pass: at most two steps, however long a frame takes.
    pub fn pass(&mut self, elapsed: f32) {
        self.due = (self.due + elapsed).min(2.0 * DT);
        while self.due >= DT {
            self.due -= DT;
            self.step();
        }
    }

    fn step(&mut self) {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        let (detail, steps) = (self.detail, self.steps);
        let effort = |n: usize, _: &Vehicle| detail.effort(steps, n as u64);
        let clock = Clock::start();
        // Cars that are refused are named in the fleet; the others go on.
        let _ = self.fleet.probe(&self.world, environment.surfaces, effort);
        let probe = clock.ms();
        self.fleet.update(&self.commands, environment.gravity, DT);
        let update = clock.ms() - probe;
        let _ = self.fleet.apply(&mut self.world);
        let apply = clock.ms() - probe - update;
        self.world.step(environment.gravity, DT);
        let world = clock.ms() - probe - update - apply;
        let smooth = |old: &mut f32, new: f32| *old += 0.1 * (new - *old);
        smooth(&mut self.cost.probe, probe);
        smooth(&mut self.cost.update, update);
        smooth(&mut self.cost.apply, apply);
        smooth(&mut self.cost.world, world);
        self.steps += 1;
    }

    /// What they drive on.
    #[must_use]
    pub fn course(&self) -> &DrivingCourse {
        &self.course
    }

    /// The cars; those near an eye with their wheels.
    #[must_use]
    pub fn shapes(&self, eye: DVec3) -> Vec<Shape> {
        let shapes = self.fleet.vehicles().iter().filter_map(|vehicle| {
            let place = self.place(vehicle)?;
            if (place.position - eye).length() < WHEELS {
                return Some(Shape::around(place, vehicle, self.centre));
            }
            let places = vec![place];
            Some(Shape { places })
        });
        shapes.collect()
    }

    /// Where the cars are.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let vehicles = self.fleet.vehicles().iter();
        vehicles.filter_map(|vehicle| self.place(vehicle)).collect()
    }

    fn place(&self, vehicle: &Vehicle) -> Option<Place> {
        let state = self.world.body(vehicle.body()).ok()?.state();
        Some(Place {
            position: state.position,
            rotation: state.rotation,
        })
    }

    /// What the camera looks at: their middle.
    #[must_use]
    pub fn middle(&self) -> Option<Place> {
        let places = self.places();
        let sum: DVec3 = places.iter().map(|place| place.position).sum();
        let middle = sum / places.len().max(1) as f64;
        Some(Place {
            position: middle + Vec3::Z.as_dvec3() * 2.0,
            rotation: Quat::from_rotation_z(0.6),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fleet_drives_off_and_its_cost_is_told() {
        let mut show = FleetShow::new(&jounce::presets::sedan(), 30);
        let before = show.places();
        for _ in 0..240 {
            show.pass(DT);
        }
        assert_eq!(show.count(), 30);
        let moved = show
            .places()
            .iter()
            .zip(&before)
            .filter(|(a, b)| (a.position - b.position).length() > 1.0)
            .count();
        assert_eq!(moved, 30);
        assert!(show.cost.update > 0.0 && show.cost.probe > 0.0);
    }

    #[test]
    fn near_cars_have_wheels() {
        let show = FleetShow::new(&jounce::presets::sedan(), 900);
        let eye = show.places()[0].position;
        for shape in show.shapes(eye) {
            let near = (shape.places[0].position - eye).length() < WHEELS;
            assert_eq!(shape.places.len(), if near { 5 } else { 1 });
        }
    }

    #[test]
    fn a_slow_frame_does_not_pile_up() {
        let mut show = FleetShow::new(&jounce::presets::sedan(), 1);
        show.pass(10.0);
        assert_eq!(show.steps, 2);
    }
}
