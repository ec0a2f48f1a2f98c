//! `VehicleState`: save it, restore it, step again, the same bits.

use jounce::core::{BodyId, CarCommand, Gear, Vehicle, phases};
use jounce::presets;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::{GRAVITY, Scene, Setup, Stage};

/// Frames that are saved; `AGAIN` is the number of frames driven twice from each.
const FRAMES: [usize; 5] = [1, 37, 118, 203, 290];
const AGAIN: usize = 60;

/// Drives off, steers to and fro, brakes hard, drives off again; a pure function of the frame.
fn command(frame: usize) -> CarCommand {
    let time = frame as f32 / super::RATE;
    let (throttle, brake) = match time {
        t if t < 2.5 => (1.0, 0.0),
        t if t < 4.0 => (0.0, 0.8),
        _ => (0.7, 0.0),
    };
    CarCommand {
        throttle,
        brake,
        steer: 0.3 * libm::sinf(2.0 * time),
        automatic: true,
        ..super::FREE
    }
}

/// The full state after a frame: the shortest decimals are exact.
fn bits(stage: &Stage) -> String {
    format!("{:?}\n{:?}", stage.body().unwrap(), stage.vehicle.state())
}

/// The states of world and vehicle are all that must be saved: a new vehicle with that state
/// behaves like the old one.
#[test]
fn a_restored_drive_goes_on_to_the_bit() {
    let mut copied = 0;
    for &world in WorldKind::all() {
        for (name, _) in presets::FILES {
            let car = presets::by_name(name).unwrap();
            let scene = Scene {
                slope: 3.0,
                gear: Gear::FIRST,
                ..Scene::LEVEL
            };
            let setup = Setup { world, car: &car };
            let mut stage = Stage::new(&setup, &scene, super::RATE).unwrap();
            if stage.world.snapshots().is_none() {
                continue;
            }
            copied += 1;
            for frame in 0..FRAMES[FRAMES.len() - 1] + 1 {
                if FRAMES.contains(&frame) {
                    replay(
                        &mut stage,
                        frame,
                        &format!("{world:?} {name} frame {frame}"),
                    );
                }
                stage.step(&command(frame)).unwrap();
            }
        }
    }
    assert!(copied >= 2, "worlds can be copied");
}

/// Drives some frames twice and leaves the stage as it was.
fn replay(stage: &mut Stage, frame: usize, what: &str) {
    let (world, state) = (
        stage.world.snapshot().unwrap(),
        stage.vehicle.state().clone(),
    );
    let before = bits(stage);
    let go_on = |stage: &mut Stage| -> Vec<String> {
        let frames = frame..frame + AGAIN;
        let step = |frame| {
            stage.step(&command(frame)).unwrap();
            bits(stage)
        };
        frames.map(step).collect()
    };
    let first = go_on(stage);
    assert_ne!(first[0], first[AGAIN - 1], "{what}: it moves");
    let back = |stage: &mut Stage| {
        stage.world.restore(&world).unwrap();
        let model = std::sync::Arc::clone(stage.vehicle.model());
        stage.vehicle = Vehicle::new(model, stage.vehicle.body());
        stage.vehicle.restore(state.clone()).unwrap();
    };
    back(stage);
    assert_eq!(bits(stage), before, "{what}");
    for (n, (a, b)) in first.iter().zip(go_on(stage)).enumerate() {
        assert_eq!(*a, b, "{what}, {n} frames later");
    }
    back(stage);
}

/// `phases::extrapolate` of a restored state: the commands of the discarded future have no effect.
#[test]
fn a_restored_drive_is_extrapolated_without_the_future_that_it_left() {
    let car = presets::sedan();
    let scene = Scene {
        gear: Gear::FIRST,
        ..Scene::LEVEL
    };
    let setup = Setup {
        world: WorldKind::Standalone,
        car: &car,
    };
    let mut stage = Stage::new(&setup, &scene, super::RATE).unwrap();
    (0..60).for_each(|frame| stage.step(&command(frame)).unwrap());
    let (body, state) = (stage.body().unwrap(), stage.vehicle.state().clone());
    let go_on = |vehicle: &mut Vehicle| {
        vehicle.restore(state.clone()).unwrap();
        for _ in 0..2 {
            phases::extrapolate(vehicle, &body, GRAVITY, stage.dt).unwrap();
        }
        format!("{:?}", vehicle.state())
    };
    let model = std::sync::Arc::clone(stage.vehicle.model());
    let fresh = go_on(&mut Vehicle::new(model, stage.vehicle.body()));
    assert_eq!(go_on(&mut stage.vehicle), fresh);
}

/// The state of a vehicle with more gears, or one that somebody wrote.
#[test]
fn a_restored_gear_that_the_drive_lacks_becomes_the_nearest() {
    let sedan = presets::sedan();
    let mut vehicle = Vehicle::new(sedan.model(), BodyId(0));
    for (saved, expected) in [(9, 6), (-5, -1), (3, 3)] {
        let mut state = vehicle.state().clone();
        state.drive.force_gear(Gear(saved));
        vehicle.restore(state).unwrap();
        let drive = &vehicle.state().drive;
        assert_eq!(
            (drive.gear, drive.target_gear),
            (Gear(expected), Gear(expected))
        );
    }
}
