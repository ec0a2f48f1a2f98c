//! Cars whose wheels are swept.

use jounce::file::Car;
use proving_ground::stage::car_with;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::Scene;

use super::{BRAKED, stage, way};

const SHAPES: [&str; 4] = ["cylinder", "sphere", "capsule", "rounded-disc"];

/// The sedan with a table of sweeps.
fn swept(table: &str) -> Car {
    let table: toml::Table = table.parse().expect("a table");
    car_with("sedan", "sweep", table).expect("the sedan can be swept")
}

#[test]
fn a_swept_car_stands_on_a_slope() {
    for &world in WorldKind::all() {
        for shape in SHAPES {
            for rest in ["", "\nhits = \"first\"", "\ndirect = true"] {
                let car = swept(&format!("shape = \"{shape}\"{rest}"));
                let down = Scene::nose_down(20.0);
                let across = Scene {
                    heading: core::f32::consts::FRAC_PI_2,
                    ..down
                };
                for scene in [down, across] {
                    let mut stage = stage(world, &car, &scene);
                    stage.run(2.0, &BRAKED).unwrap();
                    let way = way(&mut stage, 10.0).unwrap();
                    assert!(way < 5e-4, "{world:?} {shape}{rest}: {way} m");
                }
            }
        }
    }
}

/// Placed 25 cm too deep, it neither falls through nor is thrown out.
#[test]
fn a_swept_car_comes_out_of_the_ground() {
    for &world in WorldKind::all() {
        for shape in SHAPES {
            let car = swept(&format!("shape = \"{shape}\""));
            let mut at_rest = stage(world, &car, &Scene::LEVEL);
            at_rest.run(5.0, &BRAKED).unwrap();
            let rest = at_rest.position().unwrap().z;
            for lift in [-0.25, -0.5] {
                let scene = Scene {
                    lift,
                    hull: false,
                    ..Scene::LEVEL
                };
                let mut stage = stage(world, &car, &scene);
                let mut highest = 0.0_f64;
                for _ in 0..300 {
                    stage.step(&BRAKED).unwrap();
                    highest = highest.max(stage.position().unwrap().z);
                }
                let height = stage.position().unwrap().z;
                assert!((height - rest).abs() < 2e-3, "{world:?} {shape}: {height}");
                assert!(highest < rest + 0.1, "{world:?} {shape}: {highest}");
            }
        }
    }
}
