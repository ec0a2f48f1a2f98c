//! Our fleets: over a plane in the standalone world, and in any engine.

use core::hint::black_box;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::{
    Axis, BodyId, CarCommand, Environment, Fleet, Gear, RigidBodies, SceneQuery, Surfaces,
    TankCommand, UpdateLevel, Vehicle,
};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

use crate::clock::LapClock;
use crate::contest::{Contestant, Stages, too_few};
use crate::course::{DT, GRAVITY, pedals, start};

pub(crate) const DOWN: Vec3 = Vec3::new(0.0, 0.0, -GRAVITY);

/// The benchmarks' sedan.
pub(crate) fn sedan() -> Car {
    car("sedan", "")
}

/// The benchmarks' sedan or a preset vehicle, with additional keys in its file.
pub(crate) fn car(preset: &str, keys: &str) -> Car {
    let found = presets::FILES.iter().find(|(known, _)| *known == preset);
    let (_, shipped) = found.expect("a preset vehicle");
    let text = if preset == "sedan" {
        presets::BENCHMARK_SEDAN
    } else {
        shipped
    };
    let mut file: toml::Table = text.parse().expect("it is TOML");
    let keys: toml::Table = keys.parse().expect("these are TOML");
    file.extend(keys);
    Car::parse(&file.to_string(), preset).expect("it is valid")
}

/// The key of the explicit solver with this many substeps.
pub(crate) fn explicit(substeps: u32) -> String {
    format!(
        "solver = \"explicit\"\n\
         substeps = {{ threshold_speed = 5.0, slow = {substeps}, fast = {substeps} }}"
    )
}

/// Commands to the vehicles of a fleet.
enum FleetCommands {
    Cars(Vec<CarCommand>),
    /// Tracked vehicles turn by their thrusts.
    Tanks(Vec<TankCommand>),
}

fn car_command(n: usize, step: usize) -> CarCommand {
    let (throttle, brake, steer) = pedals(n, step);
    CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    }
}

fn tank_command(n: usize, step: usize) -> TankCommand {
    let (throttle, brake, steer) = pedals(n, step);
    TankCommand {
        throttle,
        thrust: [1.0, 1.0 - 2.0 * steer.abs()],
        brake: [brake; 2],
        ..TankCommand::default()
    }
}

/// Start of a car's body.
pub(crate) fn body(car: &Car, n: usize, count: usize) -> BodyDesc {
    let (place, speed) = start(n, count);
    BodyDesc {
        linear_velocity: Vec3::X * speed,
        ..BodyDesc::at_rest(
            place + DVec3::Z * car.ride_height(),
            car.mass(),
            car.inertia(),
        )
    }
}

/// Vehicles with their commands.
pub(crate) struct Drivers {
    fleet: Fleet,
    told: FleetCommands,
    surfaces: Surfaces,
    /// Whether reports and poses of all wheels are read after each update.
    reports: bool,
}

impl Drivers {
    pub(crate) fn new(
        vehicles: impl Iterator<Item = Vehicle>,
        tracked: bool,
        reports: bool,
    ) -> Self {
        let in_first = |mut vehicle: Vehicle| {
            vehicle.state_mut().drive.force_gear(Gear::FIRST);
            vehicle
        };
        let fleet: Fleet = vehicles.map(in_first).collect();
        let count = fleet.vehicles().len();
        Self {
            told: if tracked {
                FleetCommands::Tanks(vec![TankCommand::default(); count])
            } else {
                FleetCommands::Cars(vec![CarCommand::default(); count])
            },
            fleet,
            surfaces: Surfaces::new(),
            reports,
        }
    }

    pub(crate) fn tell(&mut self, step: usize) {
        fn tell<C>(told: &mut [C], step: usize, command: fn(usize, usize) -> C) {
            for (n, told) in told.iter_mut().enumerate() {
                *told = command(n, step);
            }
        }
        match &mut self.told {
            FleetCommands::Cars(cars) => tell(cars, step, car_command),
            FleetCommands::Tanks(tanks) => tell(tanks, step, tank_command),
        }
    }

    pub(crate) fn probe<W: SceneQuery + RigidBodies>(&mut self, world: &W) {
        let environment = Environment::in_still_air(DOWN, &self.surfaces);
        let probed = self
            .fleet
            .probe(world, &environment, |_, _| UpdateLevel::Full);
        probed.expect("all bodies are there");
    }

    pub(crate) fn update(&mut self) {
        let environment = Environment::in_still_air(DOWN, &self.surfaces);
        match &self.told {
            FleetCommands::Cars(cars) => self.fleet.update(cars, &environment, DT),
            FleetCommands::Tanks(tanks) => self.fleet.update(tanks, &environment, DT),
        }
        if self.reports {
            self.fleet.vehicles().iter().for_each(look);
        }
    }

    pub(crate) fn apply<W: RigidBodies>(&mut self, world: &mut W) {
        self.fleet.apply(world).expect("all bodies are there");
    }

    /// Fault that keeps the vehicles from driving, if there is any.
    pub(crate) fn fault(&self) -> Option<String> {
        if let Some(refused) = self.fleet.errors().iter().flatten().next() {
            return Some(format!("refused: {refused}"));
        }
        let touching =
            |vehicle: &&Vehicle| vehicle.wheel_reports().any(|wheel| wheel.ground.is_some());
        let vehicles = self.fleet.vehicles();
        let grounded = vehicles.iter().filter(touching).count();
        too_few(grounded, vehicles.len(), 2, "touch the ground")
    }
}

/// Reports and poses of all wheels, as read by a game with every display on.
fn look(vehicle: &Vehicle) {
    for report in vehicle.wheel_reports() {
        black_box(&report);
    }
    for pose in vehicle.wheel_poses() {
        black_box(&pose);
    }
}

/// A world that our vehicles drive in.
pub(crate) trait DrivenWorld {
    /// View of the world for its vehicles.
    type View<'a>: SceneQuery + RigidBodies
    where
        Self: 'a;

    fn view(&mut self) -> Self::View<'_>;

    /// The engine's own step.
    fn advance(&mut self);
}

impl DrivenWorld for Standalone {
    type View<'a> = &'a mut Self;

    fn view(&mut self) -> &mut Self {
        self
    }

    fn advance(&mut self) {
        self.step(DOWN, DT);
    }
}

/// Vehicles of one model, without its driver aids, in a world.
pub(crate) struct DrivenFleet<W> {
    world: W,
    drivers: Drivers,
}

impl<W> DrivenFleet<W> {
    /// Our sedans, on these bodies.
    pub(crate) fn sedans(world: W, bodies: impl IntoIterator<Item = BodyId>) -> Self {
        Self::of(&sedan(), world, bodies, false)
    }

    fn of(car: &Car, world: W, bodies: impl IntoIterator<Item = BodyId>, reports: bool) -> Self {
        // PhysX's vehicles have no driver aids.
        let model = car.model().as_ref().clone().with_aids(&[]);
        let model = Arc::new(model.expect("none is refused"));
        let vehicles = bodies
            .into_iter()
            .map(|body| Vehicle::new(model.clone(), body));
        let drivers = Drivers::new(vehicles, car.name == "tank", reports);
        Self { world, drivers }
    }
}

impl DrivenFleet<Standalone> {
    pub(crate) fn on_plane(car: &Car, count: usize, reports: bool) -> Self {
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).expect("a plane"));
        let add = |n| world.add(&body(car, n, count)).expect("a valid body");
        let bodies: Vec<_> = (0..count).map(add).collect();
        Self::of(car, world, bodies, reports)
    }
}

impl<W: DrivenWorld> Contestant for DrivenFleet<W> {
    fn advance(&mut self, step: usize, watch: &mut LapClock) -> Stages {
        self.drivers.tell(step);
        watch.start();
        self.drivers.probe(&self.world.view());
        let probe = watch.lap();
        self.drivers.update();
        let update = watch.lap();
        self.drivers.apply(&mut self.world.view());
        let apply = watch.lap();
        self.world.advance();
        Stages {
            probe,
            update,
            apply,
            step: watch.lap(),
        }
    }

    fn fault(&self) -> Option<String> {
        self.drivers.fault()
    }
}
