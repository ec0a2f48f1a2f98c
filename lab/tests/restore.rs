//! A drive continued by another process, from documents: the same bits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use glam::{DVec3, Vec3};
use jounce::core::report::EngineReport;
use jounce::core::{
    Air, Axis, CarCommand, Command, Environment, Gear, Surfaces, Vehicle, VehicleState, step,
};
use jounce::document::{Document, Registries, VehicleSpec};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

/// Passes the folder of the documents to the second process.
const FOLDER: &str = "JOUNCE_TEST_RESTORE";
const DT: f32 = 1.0 / 60.0;
/// Steps before and after the change of processes, in a bend and during a gear change.
const STEPS: [u32; 2] = [150, 150];

struct Drive {
    world: Standalone,
    vehicle: Vehicle,
}

impl Drive {
    fn begin(car: &Car) -> Self {
        let start = DVec3::Z * car.ride_height();
        let desc = BodyDesc::at_rest(start, car.mass(), car.inertia());
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
        let body = world.add(&desc).unwrap();
        let mut vehicle = Vehicle::new(car.model(), body);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        Self { world, vehicle }
    }

    fn go(&mut self, steps: u32) {
        let surfaces = Surfaces::new();
        let environment = Environment {
            gravity: Vec3::NEG_Z * 9.81,
            surfaces: &surfaces,
            air: Air::STILL,
        };
        let command = Command::Car(CarCommand {
            throttle: 0.9,
            steer: 0.1,
            ..CarCommand::default()
        });
        for _ in 0..steps {
            let (vehicle, world) = (&mut self.vehicle, &mut self.world);
            step(vehicle, world, &command, &environment, DT).unwrap();
            world.step(environment.gravity, DT);
        }
    }

    /// Pose and velocities of the body, number by number, bit for bit.
    fn body(&self) -> String {
        let now = self.world.body(self.vehicle.body()).unwrap().now();
        let place = now.position.to_array().map(f64::to_bits);
        let turn = now.rotation.to_array().map(f32::to_bits);
        let linear = now.linear_velocity.to_array().map(f32::to_bits);
        let angular = now.angular_velocity.to_array().map(f32::to_bits);
        format!("{place:?} {turn:?} {linear:?} {angular:?}")
    }

    fn state(&self) -> String {
        toml::to_string(&Document(self.vehicle.state().clone())).unwrap()
    }
}

/// Restores body and state from documents.
fn resume(folder: &Path) -> Drive {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let Document(spec): Document<VehicleSpec> = toml::from_str(&read("vehicle.toml")).unwrap();
    let model = spec.build(&Registries::with_builtins()).unwrap();
    let Document(state): Document<VehicleState> = toml::from_str(&read("state.toml")).unwrap();
    let numbers: Vec<f64> = serde_json::from_str(&read("body.json")).unwrap();
    let single = |n: usize| Vec3::from_array([n, n + 1, n + 2].map(|n| numbers[n] as f32));
    let chassis = &model.params().chassis;
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
    let place = DVec3::from_slice(&numbers);
    let turn = glam::Quat::from_array([3, 4, 5, 6].map(|n| numbers[n] as f32));
    let body = world
        .add(&BodyDesc {
            rotation: turn,
            linear_velocity: single(7),
            angular_velocity: single(10),
            ..BodyDesc::at_rest(place, chassis.mass, chassis.inertia_tensor())
        })
        .unwrap();
    let mut vehicle = Vehicle::new(model.into(), body);
    vehicle.restore(state).unwrap();
    Drive { world, vehicle }
}

#[test]
#[ignore = "run by the other process"]
fn continue_drive() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("set by the parent test"));
    let mut drive = resume(&folder);
    drive.go(STEPS[1]);
    fs::write(folder.join("end.txt"), drive.body() + "\n" + &drive.state()).unwrap();
}

#[test]
fn a_drive_continued_by_another_process_ends_in_the_same_bits() {
    for (name, _) in presets::FILES {
        ends_in_the_same_bits(name);
    }
}

fn ends_in_the_same_bits(name: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("restore-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let car = presets::by_name(name).unwrap();
    let mut drive = Drive::begin(&car);
    drive.go(STEPS[0]);
    let now = *drive.world.body(drive.vehicle.body()).unwrap().now();
    let single = [
        &now.rotation.to_array()[..],
        &now.linear_velocity.to_array(),
        &now.angular_velocity.to_array(),
    ];
    let single = single.concat().into_iter().map(f64::from);
    let numbers: Vec<f64> = now.position.to_array().into_iter().chain(single).collect();
    let vehicle = toml::to_string(&Document(car.spec().clone())).unwrap();
    fs::write(folder.join("vehicle.toml"), vehicle).unwrap();
    fs::write(folder.join("state.toml"), drive.state()).unwrap();
    fs::write(
        folder.join("body.json"),
        serde_json::to_string(&numbers).unwrap(),
    )
    .unwrap();
    let other = Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "restore::continue_drive", "--ignored"])
        .env(FOLDER, &folder)
        .output()
        .unwrap();
    assert!(other.status.success(), "{name}: {other:?}");
    drive.go(STEPS[1]);
    let has_engine = EngineReport::of(&drive.vehicle).is_some();
    let state = drive.vehicle.state();
    assert!(
        !has_engine || state.drive.target_gear > Gear::NEUTRAL,
        "{name}"
    );
    let end = fs::read_to_string(folder.join("end.txt")).unwrap();
    assert_eq!(end, drive.body() + "\n" + &drive.state(), "{name}");
}
