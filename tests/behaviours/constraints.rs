//! Friction as bounded velocity constraints, suspensions as constraints with limits: laws of the rows solver.

use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::{Scene, Setup, Stage};

use super::{BRAKED, FREE};

/// The sedan, changed.
fn changed(change: impl Fn(&mut toml::Table)) -> Car {
    let (_, text) = presets::FILES[0];
    let mut table: toml::Table = text.parse().expect("it is valid");
    change(&mut table);
    Car::parse(&table.to_string(), "constrained").expect("it is valid")
}

/// The sedan on tires that stick or slide.
fn sticking(shape: &str) -> Car {
    changed(|table| {
        let tires = table["tires"].as_table_mut().expect("a table");
        for (_, tire) in tires.iter_mut() {
            let law = format!("model = 'friction'\nshape = '{shape}'");
            *tire = law.parse::<toml::Table>().expect("a table").into();
        }
    })
}

/// The sedan whose struts are constraints.
fn constrained(frequency: f32) -> Car {
    let constraint = format!("frequency = {frequency:?}\ndamping_ratio = 1.0");
    let constraint: toml::Table = constraint.parse().expect("a table");
    changed(|table| {
        for axle in table["axles"].as_array_mut().expect("a list") {
            let strut = axle["suspension"].as_table_mut().expect("a table");
            for key in ["stiffness", "damping", "bump_stop_stiffness"] {
                strut.remove(key);
            }
            strut.insert("constraint".to_owned(), constraint.clone().into());
        }
    })
}

fn stage(world: WorldKind, car: &Car, scene: &Scene, rate: f32) -> Stage {
    Stage::new(&Setup { world, car }, scene, rate).expect("the scene can be made")
}

/// Braked into a bend, no wheel has more than friction times its load: in a cone both directions together, in a
/// pyramid each by itself, and then at its corners more than in a cone.
#[test]
fn friction_bounds_what_a_constraint_may_do() {
    let fast = Scene {
        speed: 20.0,
        ..Scene::IN_FIRST
    };
    let bend = CarCommand {
        brake: 0.5,
        steer: 0.5,
        ..FREE
    };
    for world in WorldKind::all().iter().copied() {
        for (shape, is_cone) in [("cone", true), ("pyramid", false)] {
            let mut stage = stage(world, &sticking(shape), &fast, super::RATE);
            let (mut together, mut each) = (0.0_f64, 0.0_f64);
            for step in 0..120 {
                stage.step(if step < 30 { &FREE } else { &bend }).unwrap();
                for wheel in (0..4).map(|n| stage.vehicle.wheel_report(n)) {
                    let bound = f64::from(wheel.friction * wheel.load);
                    if bound > 0.0 {
                        let [x, y] = [wheel.long_force, wheel.lat_force].map(f64::from);
                        together = together.max(x.hypot(y) / bound);
                        each = each.max(x.abs().max(y.abs()) / bound);
                    }
                }
            }
            println!("{world:?}, {shape}: {together:.7} of the bound, {each:.7} in one direction");
            assert!(each > 0.9 && each < 1.000_001, "{world:?}, {shape}: {each}");
            if is_cone {
                assert!(together < 1.000_001, "{world:?}: {together}");
            } else {
                assert!(together > 1.2, "{world:?}: it has corners: {together}");
            }
        }
    }
}

/// The mean slip angle of a sedan's wheels in a bend at 10 m/s (`rad`).
fn slip_in_a_bend(car: &Car) -> f32 {
    let fast = Scene {
        speed: 10.0,
        ..Scene::IN_FIRST
    };
    let bend = CarCommand {
        steer: 0.15,
        clutch: 1.0,
        ..FREE
    };
    let mut stage = stage(WorldKind::Standalone, car, &fast, super::RATE);
    stage.run(2.0, &bend).unwrap();
    let rate = stage.body().unwrap().angular_velocity.z;
    assert!(rate < -0.1, "it turns: {rate}");
    let wheels = (0..4).map(|n| stage.vehicle.wheel_report(n));
    wheels.map(|wheel| wheel.slip_angle.abs()).sum::<f32>() / 4.0
}

/// Where friction is enough, the contact hardly slides: no more than toe and steering geometry make its wheels
/// disagree.
#[test]
fn a_constrained_contact_follows_its_wheel() {
    let (own, constrained) = (presets::sedan(), sticking("cone"));
    let [own, constrained] = [&own, &constrained].map(slip_in_a_bend);
    println!("{constrained} rad, {own} rad on the sedan's own tires");
    assert!(
        constrained < 0.006 && constrained < 0.5 * own,
        "{constrained} {own}"
    );
}

/// A stopped car does not creep, whichever constraints it has, in any world, at any rate.
#[test]
fn constrained_cars_stand_still() {
    let cars = [
        ("cone", sticking("cone")),
        ("pyramid", sticking("pyramid")),
        ("2 Hz", constrained(2.0)),
        ("8 Hz", constrained(8.0)),
    ];
    for world in WorldKind::all().iter().copied() {
        for (name, car) in &cars {
            for rate in [30.0, 60.0, 240.0] {
                let mut stage = stage(world, car, &Scene::nose_down(20.0), rate);
                stage.run(3.0, &BRAKED).unwrap();
                let start = stage.position().unwrap();
                stage.run(10.0, &BRAKED).unwrap();
                let drift = stage.position().unwrap().distance(start);
                println!("{world:?}, {name}, {rate} Hz: {:.3} mm", 1000.0 * drift);
                assert!(drift < 5e-4, "{world:?}, {name}, {rate} Hz: {drift} m");
            }
        }
    }
}

/// Loads of a car on constraints are those of statics, and a fall from 2 m is the same at 30 to 240 Hz, in every
/// world.
#[test]
fn constraints_carry_and_catch_a_car() {
    let car = constrained(3.0);
    let lifted = Scene {
        lift: 2.0,
        hull: false,
        ..Scene::LEVEL
    };
    for world in WorldKind::all().iter().copied() {
        let falls = [30.0_f32, 60.0, 120.0, 240.0].map(|rate| {
            let mut stage = stage(world, &car, &lifted, rate);
            let heights = (0..90).map(|_| {
                stage.run(1.0 / 30.0, &BRAKED).unwrap();
                stage.position().unwrap().z
            });
            let heights: Vec<f64> = heights.collect();
            for n in 0..4 {
                let carried = car.spec().params.wheels[n].suspension.sprung_mass * 9.81;
                let load = stage.vehicle.wheel_report(n).suspension_force;
                let off = load / carried - 1.0;
                assert!(off.abs() < 1e-3, "{world:?}, {rate} Hz, {n}: {off}");
            }
            heights
        });
        for (heights, rate) in falls.iter().zip([30, 60, 120]) {
            let apart = heights.iter().zip(&falls[3]).map(|(a, b)| (a - b).abs());
            let most = apart.fold(0.0, f64::max);
            println!("{world:?}, {rate} Hz: {:.1} mm from 240 Hz", 1000.0 * most);
            assert!(most < 0.02, "{world:?}, {rate} Hz: {most} m");
        }
    }
}
