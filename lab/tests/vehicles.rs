//! Every preset vehicle completes the drive of `jounce drive NAME` on its wheels, and parks.

use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;
use jounce::core::{BodyState, CarCommand, Command, TankCommand};
use jounce::document::Registries;
use jounce::file::Car;
use jounce::presets;

use proving_ground::drive::{self, Drive, DrivePlan, End};
use proving_ground::ground::GroundSpec;
use proving_ground::stage::{FREE, GRAVITY, Scene, Setup, Stage};
use proving_ground::summary::Summary;
use proving_ground::world::WorldKind;

/// Default drive of a vehicle.
fn default_drive(name: &str) -> Drive {
    drive::run(&DrivePlan::of(name), |_, _| ()).unwrap()
}

#[test]
fn every_vehicle_completes_its_default_drive_and_parks() {
    for (name, _) in presets::FILES {
        let drive = default_drive(name);
        let summary = Summary::of(&drive);
        assert_eq!(drive.end, End::Finished, "{name}");
        assert_eq!(drive.refusal, None, "{name}");
        assert_eq!((summary.refused, summary.clamped), (0, 0), "{name}");
        let reached = drive.stages.last().map(|start| start.stage + 1);
        assert_eq!(reached, Some(drive.maneuver.stages.len()), "{name}");
        let roll = summary.peak_roll.to_degrees();
        assert!(!summary.rolled_over && roll < 12.0, "{name}: {roll}°");
        let parked = drive.samples.last().unwrap();
        assert!(parked.speed < 0.02, "{name}: {} m/s", parked.speed);
        assert!(!parked.in_air, "{name}");
    }
}

/// Vehicles that do not complete the circle within its stage, and the angle they turn at least [°]:
/// the steering of the long truck and the skateboard fades with speed (46 m of radius at 8 m/s),
/// the tank brakes its inner track (5 m/s), and the truck of the semi-trailer takes 30 s for 324°.
const WIDE: [(&str, f32); 5] = [
    ("eighteen-wheeler", 185.0),
    ("eighteen-wheeler-far", 195.0),
    ("eighteen-wheeler-retarder", 185.0),
    ("skateboard", 130.0),
    ("tank", 300.0),
];

/// Bends, weaving and circles turn a vehicle, with its trailer following.
#[test]
fn every_vehicle_goes_where_it_is_steered() {
    for (name, _) in presets::FILES {
        let drive = default_drive(name);
        let turned = |name: &str| turned_in(&drive, name).to_degrees();
        assert!(turned("bend") > 55.0, "{name}: {}°", turned("bend"));
        let wide = WIDE.iter().find(|(wide, _)| *wide == name);
        let most = wide.map_or(450.0, |_| 360.0);
        let least = wide.map_or(360.0, |&(_, least)| least);
        let circle = turned("full circle");
        assert!((least..most).contains(&circle), "{name}: {circle}°");
        assert!(turned("accelerate").abs() < 12.0, "{name}");
        for towed in &drive.towed {
            let angle = towed.peak_angle.to_degrees();
            assert!(angle < 60.0 && towed.peak_gap < 0.02, "{name}: {towed:?}");
        }
    }
}

/// The load on the coupling reaches the truck's wheels.
#[test]
fn a_semi_trailer_rests_on_its_truck() {
    let stand = "schema = 1\nname = \"stand\"\ndescription = \"nothing\"\nduration = 5.0\n\
                 stages = [{ name = \"stand\", until = { time = 5.0 } }]\n";
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stand.toml");
    fs::write(&file, stand).unwrap();
    let args = DrivePlan {
        maneuver: Some(file.display().to_string()),
        ground: Some(GroundSpec::Flat),
        ..DrivePlan::of("semi-trailer")
    };
    let drive = drive::run(&args, |_, _| ()).unwrap();
    let end = drive.samples.last().unwrap();
    let carried: f32 = end.wheels.iter().map(|wheel| wheel.load).sum();
    let trailer = presets::by_name("semi-trailer").unwrap();
    let load = trailer.coupling.unwrap().load;
    let more = carried / -GRAVITY.z - drive.car.mass();
    assert!((more / load - 1.0).abs() < 0.03, "{more} kg of {load}");
}

/// A folder with the tractor's file, coupled at its nose, and the trailer's, which names it as
/// towing vehicle.
fn towing(folder: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    let write = |from: &str, to: &str, changes: &[(&str, &str)]| {
        let mut files = presets::FILES.into_iter();
        let (_, text) = files.find(|(name, _)| *name == from).unwrap();
        let changed = changes.iter().fold(text.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{from} has {old:?}");
            text.replacen(old, new, 1)
        });
        fs::write(folder.join(to), changed).unwrap();
    };
    let nose = ("position = [-2.05,", "position = [2.3,");
    write("tractor", "broken-down.toml", &[nose]);
    let name = ("name = \"tractor\"", "name = \"mule\"");
    write("tractor", "mule.toml", &[name]);
    let by = ("towed_by = \"tractor\"", "towed_by = \"mule.toml\"");
    write("trailer", "cart.toml", &[by]);
    let go = "schema = 1\nname = \"go\"\ndescription = \"go\"\nduration = 5.0\n\
              stages = [{ name = \"go\", until = { time = 4.0 }, throttle = 1.0 }]\n";
    fs::write(folder.join("go.toml"), go).unwrap();
    folder
}

/// Four seconds of full throttle on level ground.
fn go(folder: &Path, name: &str, tow: Option<&str>) -> Drive {
    let path = |file: &str| folder.join(file).display().to_string();
    let args = DrivePlan {
        maneuver: Some(path("go.toml")),
        ground: Some(GroundSpec::Flat),
        tow: tow.map(path).into_iter().collect(),
        ..DrivePlan::of(name)
    };
    drive::run(&args, |_, _| ()).unwrap()
}

/// A trailer names its towing vehicle relative to its own folder, for any working directory.
#[test]
fn a_trailer_names_its_towing_vehicle_relative_to_its_own_folder() {
    let folder = towing("named");
    let cart = folder.join("cart.toml").display().to_string();
    let drive = go(&folder, &cart, None);
    let towed: Vec<&str> = drive
        .towed
        .iter()
        .map(|towed| towed.trailer.as_str())
        .collect();
    assert_eq!((drive.car.name.as_str(), towed), ("mule", vec!["trailer"]));
}

/// A towed tractor is 5.6 t more for the engine of the other one.
#[test]
fn the_engine_of_a_towed_vehicle_does_not_help() {
    let folder = towing("engines");
    let way = |tow| {
        let drive = go(&folder, "tractor", tow);
        let place = |n: usize| drive.samples[n].position;
        (place(drive.samples.len() - 1) - place(0)).length()
    };
    let (alone, towing) = (way(None), way(Some("broken-down.toml")));
    assert!(towing < 0.8 * alone, "{towing} m, alone {alone} m");
}

/// The tractor moves uphill with its left rear wheel on ice; with an open differential it slides back.
#[test]
fn the_tractors_lock_gets_it_off_with_a_wheel_on_ice() {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files.find(|(name, _)| *name == "tractor").unwrap();
    let lock = "rear_limit = { bias = 1.0, target = 1.0 }\n";
    assert!(text.contains(lock));
    let way = |text: &str| {
        let car = Car::parse(text, "tractor").unwrap();
        let mut params = car.spec().params.clone();
        for point in &mut params.wheels[2].tire.friction_curve {
            point[1] *= 0.05;
        }
        let models = Registries::with_builtins();
        let setup = Setup {
            world: WorldKind::Standalone,
            car: &car.with_params(&models, params).unwrap(),
        };
        let scene = Scene {
            slope: 6.0,
            ..Scene::IN_FIRST
        };
        let mut stage = Stage::new(&setup, &scene, 60.0).unwrap();
        let throttle = CarCommand {
            throttle: 0.5,
            ..FREE
        };
        stage.run(4.0, &throttle).unwrap();
        stage.position().unwrap().x
    };
    let (locked, open) = (way(text), way(&text.replace(lock, "")));
    assert!(locked > 2.0 && open < -0.5, "{locked} m, open {open} m");
}

/// Change of heading in a stage, to the left (`rad`).
fn turned_in(drive: &Drive, name: &str) -> f32 {
    let names = drive.stage_names();
    let stage = names.iter().position(|known| known == name).unwrap();
    let mut headings = drive.samples.iter().filter(|sample| sample.stage == stage);
    let first = headings.next().unwrap();
    headings.next_back().unwrap_or(first).heading - first.heading
}

/// Opposite thrusts rotate the tank on the spot, from a standstill and in first gear.
#[test]
fn the_tank_turns_on_the_spot() {
    let setup = Setup {
        world: WorldKind::Standalone,
        car: &presets::by_name("tank").unwrap(),
    };
    let mut stage = Stage::new(&setup, &Scene::IN_FIRST, 60.0).unwrap();
    let start = stage.body().unwrap();
    let command = Command::Tank(TankCommand {
        throttle: 1.0,
        thrust: [-1.0, 1.0],
        ..TankCommand::default()
    });
    for _ in 0..180 {
        stage.obey(&command, 1.0 / 60.0).unwrap();
    }
    let end = stage.body().unwrap();
    let ahead = |body: &BodyState| (body.rotation * Vec3::X).truncate();
    let turned = ahead(&start).angle_to(ahead(&end)).to_degrees();
    let moved = (end.position - start.position).length();
    assert!(turned > 45.0 && moved < 0.5, "{turned}°, {moved} m");
}
