//! Fleet mode: one car to drive among many on a plain, each in the detail that its distance from the eye deserves, and what
//! each phase costs.

mod cost;
mod start;

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::{
    Air, CarCommand, Command, Environment, Fleet, Vehicle, VehicleModel, VehicleReport,
};
use jounce::file::Car;
use jounce::jointed::Ladder;
use jounce::scene::Standalone;
use proving_ground::course::{Cover, DrivingCourse};
use proving_ground::world::GRAVITY;

use crate::levels;
use crate::sim::{Place, Shape};
use cost::Laps;
use start::Start;

pub use cost::PhaseCost;

/// Length of a step (`s`).
const DT: f32 = 1.0 / 60.0;
/// Distance from the eye within which cars are shown with their wheels (`m`).
const WHEELS: f64 = 80.0;
/// Most cars.
pub const MOST: usize = 5000;

/// Many cars in the standalone world.
pub struct FleetShow {
    fleet: Fleet,
    /// Center of mass of each, in its own axes (`m`).
    center: Vec3,
    world: Standalone,
    course: DrivingCourse,
    surfaces: jounce::core::Surfaces,
    commands: Vec<Command>,
    /// The car with a driver.
    driven: usize,
    ladder: Ladder,
    /// The rung of each car.
    rungs: Vec<usize>,
    /// One rung for all; `None` goes by distance.
    held: Option<usize>,
    steps: u64,
    due: f32,
    /// Poses of all cars after the step before the last; `after` has those after the last step.
    before: Vec<Place>,
    after: Vec<Place>,
    /// Durations of the phases of a step (`ms`), smoothed.
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
    /// Places `count` cars in a square, each of which drives a circle, except the middle one, which waits for its driver.
    #[must_use]
    pub fn new(car: &Car, count: usize) -> Self {
        let count = count.clamp(1, MOST);
        let start = Start::of(car, count);
        let mut show = Self {
            fleet: start.fleet,
            center: car.center_of_mass(),
            world: start.world,
            course: start.course,
            surfaces: Cover::surfaces(),
            commands: start.commands,
            driven: start.driven,
            ladder: levels::ladder(car),
            rungs: vec![0; count],
            held: None,
            steps: 0,
            due: 0.0,
            before: Vec::new(),
            after: Vec::new(),
            cost: PhaseCost::default(),
        };
        show.after = show.found();
        show.before.clone_from(&show.after);
        show
    }

    /// Number of cars.
    #[must_use]
    pub fn count(&self) -> usize {
        self.commands.len()
    }

    /// The levels of detail, and where each but the last ends (`m` from the eye).
    #[must_use]
    pub fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// Number of cars on each level of detail, from the finest.
    #[must_use]
    pub fn on_levels(&self) -> Vec<usize> {
        let mut counts = vec![0; self.ladder.rungs().len()];
        self.rungs.iter().for_each(|rung| counts[*rung] += 1);
        counts
    }

    /// The level of detail of all cars; `None` if it goes by distance.
    #[must_use]
    pub fn held(&self) -> Option<usize> {
        self.held
    }

    /// Holds all cars on a level, or lets them go by distance.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn hold(&mut self, level: Option<usize>) -> Result<(), String> {
        let count = self.ladder.rungs().len();
        match level.filter(|level| *level >= count) {
            Some(level) => Err(format!("detail {level}: must be below {count}")),
            None => {
                self.held = level;
                Ok(())
            }
        }
    }

    /// Lets time pass: at most two steps, however long a frame takes. `command` is the driver's, `eye` the camera.
    pub fn pass(
        &mut self,
        elapsed: f32,
        eye: DVec3,
        mut command: impl FnMut(&VehicleReport, f32) -> CarCommand,
    ) {
        self.due = (self.due + elapsed).min(2.0 * DT);
        while self.due >= DT {
            self.due -= DT;
            self.commands[self.driven] = Command::Car(command(&self.report(), DT));
            self.step(eye);
        }
    }

    fn step(&mut self, eye: DVec3) {
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        let mut laps = Laps::start();
        watch(&mut self.fleet, &mut self.rungs, |n, rung| {
            let distance = || (self.after[n].position - eye).length() as f32;
            let by_distance = || self.ladder.rung_at(distance(), rung);
            let rung = self.held.unwrap_or_else(by_distance);
            (rung, &self.ladder.rungs()[rung])
        });
        laps.end(&mut self.cost.levels);
        let (all, rungs, steps) = (self.ladder.rungs(), &self.rungs, self.steps);
        let update_level =
            |n: usize, car: &Vehicle| car.update_level(all[rungs[n]].detail, steps, n as u64);
        // Cars that are refused are named in the fleet; the others go on.
        let _ = self.fleet.probe(&self.world, &environment, update_level);
        laps.end(&mut self.cost.probe);
        self.fleet.update(&self.commands, &environment, DT);
        laps.end(&mut self.cost.update);
        let _ = self.fleet.apply(&mut self.world);
        laps.end(&mut self.cost.apply);
        self.world.step(environment.gravity, DT);
        laps.end(&mut self.cost.world);
        self.steps += 1;
        let after = self.found();
        self.before = core::mem::replace(&mut self.after, after);
    }

    /// Course that the cars drive on.
    #[must_use]
    pub fn course(&self) -> &DrivingCourse {
        &self.course
    }

    /// The cars in sight with their levels; those near an eye with their wheels.
    #[must_use]
    pub fn shapes(&self, eye: DVec3, in_sight: impl Fn(DVec3) -> bool) -> Vec<(usize, Shape)> {
        let vehicles = self.fleet.vehicles().iter().zip(&self.rungs).enumerate();
        let shapes = vehicles.filter_map(|(n, (vehicle, rung))| {
            let place = self.place(n);
            if !in_sight(place.position) {
                return None;
            }
            if (place.position - eye).length() < WHEELS {
                return Some((*rung, Shape::around(place, vehicle, self.center)));
            }
            let places = vec![place];
            Some((*rung, Shape { places }))
        });
        shapes.collect()
    }

    /// Pose of a car, interpolated between the last two steps.
    fn place(&self, n: usize) -> Place {
        let share = f64::from(self.due / DT);
        self.before[n].between(&self.after[n], share)
    }

    /// Poses of all cars in the world; a car that the world has lost keeps its last one.
    fn found(&self) -> Vec<Place> {
        let vehicles = self.fleet.vehicles().iter().enumerate();
        let found = vehicles.map(|(n, vehicle)| match self.world.body(vehicle.body()) {
            Ok(body) => Place {
                position: body.state().position,
                rotation: body.state().rotation,
            },
            Err(_) => self.after[n],
        });
        found.collect()
    }

    /// The car with a driver, which the camera follows.
    #[must_use]
    pub fn driven(&self) -> Place {
        self.place(self.driven)
    }

    /// Model of the driven car.
    #[must_use]
    pub fn model(&self) -> &Arc<VehicleModel> {
        self.fleet.vehicles()[self.driven].model()
    }

    /// Report of the driven car.
    #[must_use]
    pub fn report(&self) -> VehicleReport {
        let vehicle = &self.fleet.vehicles()[self.driven];
        match self.world.body(vehicle.body()) {
            Ok(body) => vehicle.report(&body.state()),
            Err(_) => VehicleReport::STANDING,
        }
    }

    /// Command of the driven car.
    #[must_use]
    pub fn command(&self) -> CarCommand {
        match self.commands[self.driven] {
            Command::Car(command) => command,
            _ => CarCommand::default(),
        }
    }
}

/// Brings each vehicle to the rung that `choose` says, from its number and present rung.
fn watch<'a>(
    fleet: &mut Fleet,
    rungs: &mut [usize],
    choose: impl Fn(usize, usize) -> (usize, &'a jounce::jointed::Rung),
) {
    for (n, (vehicle, present)) in fleet.vehicles_mut().iter_mut().zip(rungs).enumerate() {
        let (rung, wanted) = choose(n, *present);
        *present = rung;
        if !Arc::ptr_eq(vehicle.model(), &wanted.model) {
            wanted.adopt(vehicle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::presets::{self, sedan};

    /// Steps of a fleet whose driver does nothing.
    fn pass(show: &mut FleetShow, steps: usize, eye: DVec3) {
        for _ in 0..steps {
            show.pass(DT, eye, |_, _| CarCommand::default());
        }
    }

    #[test]
    fn a_fleet_drives_off_around_its_driver_and_its_cost_is_told() {
        let mut show = FleetShow::new(&sedan(), 30);
        let before = show.after.clone();
        pass(&mut show, 240, DVec3::ZERO);
        assert_eq!(show.count(), 30);
        let moved = |n: &usize| (show.after[*n].position - before[*n].position).length() > 1.0;
        assert_eq!((0..30).filter(moved).count(), 29);
        assert!(!moved(&show.driven), "nobody presses anything");
        assert!(show.cost.update > 0.0 && show.cost.probe > 0.0);
    }

    #[test]
    fn the_driver_drives_one_of_them() {
        let mut show = FleetShow::new(&sedan(), 5);
        let full = CarCommand {
            throttle: 1.0,
            ..CarCommand::default()
        };
        for _ in 0..120 {
            show.pass(DT, DVec3::ZERO, |_, _| full);
        }
        let speed = show.report().forward_speed;
        assert!(speed > 4.0 && show.command() == full, "{speed}");
    }

    /// Away from the eye, cars are on coarser levels, and come back from them.
    #[test]
    fn levels_go_by_distance_from_the_eye() {
        let mut show = FleetShow::new(&sedan(), 2000);
        let eye = show.driven().position;
        pass(&mut show, 1, eye);
        let ends = show.ladder().ends().to_vec();
        for (place, rung) in show.before.iter().zip(&show.rungs) {
            let distance = (place.position - eye).length() as f32;
            let passed = ends.iter().filter(|end| distance > **end).count();
            assert_eq!(*rung, passed, "{distance} m");
        }
        let counts = show.on_levels();
        assert_eq!(counts.iter().sum::<usize>(), 2000);
        assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
        pass(&mut show, 1, eye + DVec3::X * 1e4);
        assert_eq!(show.on_levels(), [0, 0, 0, 2000]);
        show.hold(Some(1)).unwrap();
        pass(&mut show, 1, eye);
        assert_eq!(show.on_levels(), [0, 2000, 0, 0]);
        assert!(show.hold(Some(4)).unwrap_err().contains("below 4"));
    }

    /// A car on a rung with fewer wheels drives on, and has all of them again when it is near.
    #[test]
    fn far_cars_may_have_fewer_wheels() {
        let (_, text) = presets::FILES[0];
        let rungs = "[ladder]\nrungs = [{ name = \"near\", end = 200.0 }, { name = \"far\", three_wheeler = \"tadpole\" }]";
        let text = text.replacen("[chassis]", &format!("{rungs}\n\n[chassis]"), 1);
        let mut show = FleetShow::new(&Car::parse(&text, "own").unwrap(), 9);
        let wheels = |show: &FleetShow| {
            let vehicles = show.fleet.vehicles().iter();
            let wheels = vehicles.flat_map(|v| &v.model().params().wheels);
            wheels.filter(|wheel| wheel.enabled).count()
        };
        let away = DVec3::X * 1e3;
        for (eye, count) in [(DVec3::ZERO, 36), (away, 27), (DVec3::ZERO, 36)] {
            let before = show.after[0].position;
            pass(&mut show, 90, eye);
            assert_eq!(wheels(&show), count);
            let now = &show.after[0].position;
            assert!((now - before).length() > 0.3 && now.z.abs() < 1.0, "{now}");
        }
    }

    #[test]
    fn near_cars_in_sight_have_wheels() {
        let show = FleetShow::new(&sedan(), 900);
        let eye = show.after[0].position;
        for (_, shape) in show.shapes(eye, |_| true) {
            let near = (shape.places[0].position - eye).length() < WHEELS;
            assert_eq!(shape.places.len(), if near { 5 } else { 1 });
        }
        assert!(show.shapes(eye, |_| false).is_empty());
    }

    #[test]
    fn a_slow_frame_does_not_pile_up() {
        let mut show = FleetShow::new(&sedan(), 1);
        show.pass(10.0, DVec3::ZERO, |_, _| CarCommand::default());
        assert_eq!(show.steps, 2);
    }
}
