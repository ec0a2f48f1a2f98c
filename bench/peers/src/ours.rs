//! Our fleets over a plane in the standalone world.

use core::hint::black_box;

use glam::{DVec3, Vec3};
use jounce::core::{
    Axis, CarCommand, Command, Effort, Fleet, Gear, RigidBodies, Surfaces, TankCommand, Vehicle,
};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

use crate::clock::LapClock;
use crate::contest::{Contestant, Stages};
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

/// What car `n` is told at step `step`; tracked vehicles turn by their thrusts.
pub(crate) fn command(tracked: bool, n: usize, step: usize) -> Command {
    let (throttle, brake, steer) = pedals(n, step);
    if tracked {
        return Command::Tank(TankCommand {
            throttle,
            thrust: [1.0, 1.0 - 2.0 * steer.abs()],
            brake: [brake; 2],
            ..TankCommand::default()
        });
    }
    Command::Car(CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    })
}

/// Where a car's body starts.
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

/// Vehicles and what they are told.
pub(crate) struct Drivers {
    pub(crate) fleet: Fleet,
    pub(crate) commands: Vec<Command>,
    surfaces: Surfaces,
    tracked: bool,
    /// Whether reports and poses of all wheels are read after each update.
    reports: bool,
}

impl Drivers {
    pub(crate) fn new(
        vehicles: impl Iterator<Item = Vehicle>,
        tracked: bool,
        reports: bool,
    ) -> Self {
        let mut fleet = Fleet::new();
        for mut vehicle in vehicles {
            vehicle.state_mut().drive.force_gear(Gear::FIRST);
            fleet.push(vehicle);
        }
        Self {
            commands: vec![Command::default(); fleet.vehicles().len()],
            fleet,
            surfaces: Surfaces::new(),
            tracked,
            reports,
        }
    }

    pub(crate) fn tell(&mut self, step: usize) {
        for (n, told) in self.commands.iter_mut().enumerate() {
            *told = command(self.tracked, n, step);
        }
    }

    pub(crate) fn probe<W: jounce::core::SceneQuery + RigidBodies>(&mut self, world: &W) {
        let probed = self.fleet.probe(world, &self.surfaces, |_, _| Effort::Full);
        probed.expect("all bodies are there");
    }

    pub(crate) fn update(&mut self) {
        self.fleet.update(&self.commands, DOWN, DT);
        if self.reports {
            self.fleet.vehicles().iter().for_each(look);
        }
    }

    pub(crate) fn apply<W: RigidBodies>(&mut self, world: &mut W) {
        self.fleet.apply(world).expect("all bodies are there");
    }

    /// What keeps the vehicles from driving, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        if let Some(refused) = self.fleet.refused().iter().flatten().next() {
            return Some(format!("refused: {refused}"));
        }
        let touching = |vehicle: &&Vehicle| vehicle.contacts().iter().flatten().next().is_some();
        let (all, grounded) = (
            self.commands.len(),
            self.fleet.vehicles().iter().filter(touching).count(),
        );
        (2 * grounded < all).then(|| format!("{grounded} of {all} touch the ground"))
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

/// Vehicles of one kind over the plane.
pub(crate) struct OnPlane {
    world: Standalone,
    drivers: Drivers,
}

impl OnPlane {
    pub(crate) fn new(car: &Car, count: usize, reports: bool) -> Self {
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).expect("a plane"));
        let kind = car.kind();
        let bodies = (0..count).map(|n| world.add(&body(car, n, count)).expect("a valid body"));
        let vehicles = bodies.map(|body| Vehicle::new(kind.clone(), body));
        let drivers = Drivers::new(vehicles, car.name == "tank", reports);
        Self { world, drivers }
    }
}

impl Contestant for OnPlane {
    fn advance(&mut self, step: usize, watch: &mut LapClock) -> Stages {
        self.drivers.tell(step);
        watch.start();
        self.drivers.probe(&self.world);
        let probe = watch.lap();
        self.drivers.update();
        let update = watch.lap();
        self.drivers.apply(&mut self.world);
        let apply = watch.lap();
        self.world.step(DOWN, DT);
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
