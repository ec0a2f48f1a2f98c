//! Every vehicle that ships drives what `jounce drive NAME` drives: to the end, on its wheels, and parks.

use std::path::PathBuf;

use glam::Vec3;
use jounce::core::{BodyState, Command, TankCommand};
use jounce::presets;
use lab::drive::{self, Drive, DriveArgs, End};
use lab::ground::MeshUp;
use lab::stage::{Scene, Setup, Stage};
use lab::summary::Summary;
use lab::world::WorldKind;

/// What `jounce drive NAME` drives.
fn default_drive(name: &str) -> Drive {
    let args = DriveArgs {
        vehicle: name.to_owned(),
        manoeuvre: None,
        ground: None,
        up: MeshUp::default(),
        start: None,
        tow: None,
        world: None,
        dt: 1.0 / 60.0,
        query_every: 1,
        out: PathBuf::new(),
    };
    drive::run(&args, |_, _| ()).unwrap()
}

#[test]
fn every_vehicle_drives_its_drive_to_the_end_and_parks() {
    for (name, _) in presets::FILES {
        let drive = default_drive(name);
        let summary = Summary::of(&drive);
        assert_eq!(drive.end, End::Finished, "{name}");
        assert_eq!(drive.refusal, None, "{name}");
        assert_eq!((summary.refused, summary.clamped), (0, 0), "{name}");
        let reached = drive.stages.last().map(|start| start.stage + 1);
        assert_eq!(reached, Some(drive.manoeuvre.stages.len()), "{name}");
        let roll = summary.peak_roll.to_degrees();
        assert!(!summary.rolled_over && roll < 12.0, "{name}: {roll}°");
        let parked = drive.samples.last().unwrap();
        assert!(parked.speed < 0.02, "{name}: {} m/s", parked.speed);
        assert!(!parked.in_air, "{name}");
    }
}

/// Bends, weaving and circles take a vehicle round, its trailer behind it.
#[test]
fn every_vehicle_goes_where_it_is_steered() {
    for (name, _) in presets::FILES {
        let drive = default_drive(name);
        let turned = |name: &str| turned_in(&drive, name).to_degrees();
        assert!(turned("bend") > 55.0, "{name}: {}°", turned("bend"));
        let circle = turned("full circle");
        assert!((150.0..450.0).contains(&circle), "{name}: {circle}°");
        assert!(turned("accelerate").abs() < 12.0, "{name}");
        if let Some(towed) = &drive.towed {
            let angle = towed.peak_angle.to_degrees();
            assert!(angle < 60.0 && towed.peak_gap < 0.02, "{name}: {towed:?}");
        }
    }
}

/// Heading that was gained in a stage, to the left [rad].
fn turned_in(drive: &Drive, name: &str) -> f32 {
    let names = drive.stage_names();
    let stage = names.iter().position(|known| known == name).unwrap();
    let mut headings = drive.samples.iter().filter(|sample| sample.stage == stage);
    let first = headings.next().unwrap();
    headings.next_back().unwrap_or(first).heading - first.heading
}

/// Opposite thrusts turn the tank on the spot, from a standstill and in first gear.
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
