//! Levels of detail: what a switch does to place and speed, beside the same car in full detail.

use std::sync::Arc;

use jounce::core::{BodyState, RigidBodies as _};
use jounce::core::{CarCommand, Command, Detail, Effort, Environment, Gear, fleet};
use jounce::file::Car;
use lab::ground::{MeshUp, Terrain};
use lab::stage::{GRAVITY, Scene, Stage, car_with};
use lab::world::{self, WorldKind};

use crate::{FREE, RATE, car};

/// A car on its way.
fn on_the_way(car: &Car, ground: &str, speed: f32, gear: Gear) -> Stage {
    let terrain = Terrain::new(&ground.parse().unwrap(), MeshUp::Z).unwrap();
    let world = world::open(WorldKind::Standalone, &terrain, 1.0 / RATE).unwrap();
    let scene = Scene {
        speed,
        gear,
        ..Scene::LEVEL
    };
    Stage::put(world, &terrain, car, &scene, 1.0 / RATE).unwrap()
}

/// A step with so much effort.
fn step(stage: &mut Stage, command: &CarCommand, effort: Effort) {
    let dt = stage.dt;
    let surfaces = jounce::core::Surfaces::new();
    let world = &mut *stage.world;
    if effort == Effort::Full {
        fleet::probe(&mut stage.vehicle, &*world, &surfaces).unwrap();
    }
    let id = stage.vehicle.body();
    let mut body = [BodyState::BLANK];
    world.read(&[id], &mut body).unwrap();
    let outcome = match effort {
        Effort::Extrapolated => stage.vehicle.extrapolate(&body[0], GRAVITY, dt),
        _ => stage
            .vehicle
            .update(&body[0], &Command::Car(*command), GRAVITY, dt),
    };
    world.apply(&[id], &[outcome.unwrap()]).unwrap();
    world.advance(GRAVITY, dt);
}

#[test]
fn measure() {
    let drives = [
        ("coast", CarCommand { ..FREE }, 20.0, Gear::NEUTRAL),
        (
            "pull",
            CarCommand {
                throttle: 1.0,
                ..FREE
            },
            10.0,
            Gear(2),
        ),
        ("brake", CarCommand { brake: 1.0, ..FREE }, 20.0, Gear(3)),
        (
            "turn",
            CarCommand {
                steer: 0.3,
                throttle: 0.3,
                ..FREE
            },
            20.0,
            Gear(3),
        ),
    ];
    for ground in ["flat", "hills"] {
        for solver in ["rows", "explicit"] {
            for (name, command, speed, gear) in drives {
                for (what, detail) in [
                    (
                        "every 2",
                        Detail {
                            probe_every: 1,
                            update_every: 2,
                        },
                    ),
                    (
                        "every 3",
                        Detail {
                            probe_every: 1,
                            update_every: 3,
                        },
                    ),
                    (
                        "probe 4",
                        Detail {
                            probe_every: 4,
                            update_every: 1,
                        },
                    ),
                ] {
                    let car = car_with("sedan", "solver", solver).unwrap();
                    let mut jump = [0.0f64; 2];
                    for start in (20..100).step_by(7) {
                        let make = || {
                            let mut stage = on_the_way(&car, ground, speed, gear);
                            for _ in 0..start {
                                step(&mut stage, &command, Effort::Full);
                            }
                            stage
                        };
                        let (mut full, mut less) = (make(), make());
                        for n in 1..=detail.update_every.max(detail.probe_every) {
                            step(&mut full, &command, Effort::Full);
                            step(&mut less, &command, detail.effort(u64::from(n), 0));
                            let (a, b) = (full.body().unwrap(), less.body().unwrap());
                            let v = |s: &Stage, b: &BodyState| {
                                b.linear_velocity + s.vehicle.state().carry.linear
                            };
                            jump[0] = jump[0].max((a.position - b.position).length());
                            let (va, vb) = (v(&full, &a), v(&less, &b));
                            jump[1] =
                                jump[1].max(f64::from((va - vb).length() / va.length().max(1.0)));
                        }
                    }
                    println!(
                        "{ground:6} {solver:9} {name:6} {what}: {:.2} mm {:.2} %",
                        jump[0] * 1e3,
                        jump[1] * 100.0
                    );
                }
            }
        }
    }
}
