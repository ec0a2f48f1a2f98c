//! External forces: the user's, and those of a trailer.

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, CarCommand};
use jounce::scene::{BodyDesc, CollisionBox};
use proving_ground::world::{World, WorldKind};
use vehicle_conformance::stability::{Scene, Stage};

use super::{BRAKED, FREE, car, engines, stage, way};

/// `RigidBodies::apply`: the user's forces keep their full effect, coasting and braking, along the
/// motion and against it.
#[test]
fn a_rolling_car_obeys_the_users_force() {
    const PUSH: f32 = 1500.0;
    const SECONDS: f32 = 1.5;
    let sedan = car("sedan");
    // The wheels' inertia counts as 41 kg.
    let ideal = PUSH * SECONDS / (sedan.mass() + 41.0);
    for &world in WorldKind::all() {
        for (brake, push) in [(0.0, PUSH), (0.0, -PUSH), (0.3, PUSH), (0.3, -PUSH)] {
            let gain = |push: f32| {
                let scene = Scene {
                    speed: 30.0,
                    ..Scene::LEVEL
                };
                let mut stage = stage(world, &sedan, &scene);
                let command = CarCommand { brake, ..FREE };
                stage.run(1.0, &command).unwrap();
                let body = stage.vehicle.body();
                stage.world.push(body, Vec3::X * push).unwrap();
                let before = stage.velocity().x;
                stage.run(SECONDS, &command).unwrap();
                stage.velocity().x - before
            };
            let share = (gain(push) - gain(0.0)) / (ideal * push.signum());
            let what = format!("{world:?}, brake {brake}, {push} N: {share} of its effect");
            // The last step's push is not in the velocity yet.
            assert!((share - 1.0).abs() < 0.02, "{what}");
        }
    }
}

/// A lateral force does not move a parked car: the tires hold it.
#[test]
fn a_parked_car_withstands_a_force_from_any_side() {
    for &world in WorldKind::all() {
        for push in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::new(0.6, 0.8, 0.0)] {
            let mut stage = stage(world, &car("sedan"), &Scene::LEVEL);
            let body = stage.vehicle.body();
            stage.world.push(body, push * 4000.0).unwrap();
            stage.run(1.5, &BRAKED).unwrap();
            let way = way(&mut stage, 8.0).unwrap();
            assert!(way < 1e-3, "{world:?} {push}: {way} m");
        }
    }
}

/// A trailer without brakes behind a braked car, nose up on a slope: it pulls permanently.
#[test]
fn a_trailer_does_not_drag_a_braked_car_down() {
    let scene = Scene {
        slope: 15.0,
        heading: 0.0,
        ..Scene::LEVEL
    };
    let sedan = car("sedan");
    for (world, mass) in engines().flat_map(|w| [100.0, 300.0, 900.0].map(|mass| (w, mass))) {
        let mut stage = stage(world, &sedan, &scene);
        let trailer = couple(&mut stage, mass);
        stage.run(1.5, &BRAKED).unwrap();
        let hanging = stage.world.body_state(trailer).unwrap();
        let way = way(&mut stage, 9.0).unwrap();
        assert!(way < 1e-3, "{world:?}, {mass} kg: {way} m");
        let moved = stage.world.body_state(trailer).unwrap().position - hanging.position;
        assert!(moved.length() < 2e-3, "{world:?}, the trailer: {moved}");
    }
}

/// Joins a box on low-friction runners to the rear of a car.
fn couple(stage: &mut Stage, mass: f32) -> BodyId {
    const HALF: Vec3 = Vec3::new(1.0, 0.8, 0.4);
    /// Length of the bar from the car's rear to the hitch, and from the hitch to the box (`m`).
    const BAR: f32 = 0.3;
    let car = stage.body().unwrap();
    let model = stage.vehicle.model();
    let com = model.params().chassis.center_of_mass;
    let at = |x: f32, z: f32| {
        let offset = Vec3::new(x, 0.0, z) - com;
        car.position + (car.rotation * offset).as_dvec3()
    };
    let tail = -2.3;
    let hitch = at(tail - BAR, HALF.z);
    let desc = BodyDesc {
        rotation: car.rotation,
        sleep_threshold: 0.0,
        hull: Some(CollisionBox {
            half_extents: HALF,
            center: Vec3::ZERO,
            friction: 0.0,
            layers: u32::MAX,
        }),
        ..BodyDesc::at_rest(
            at(tail - 2.0 * BAR - HALF.x, HALF.z),
            mass,
            BodyDesc::box_inertia(mass, HALF),
        )
    };
    let world: &mut dyn World = &mut *stage.world;
    let trailer = world.add_box(&desc).unwrap();
    world.join(stage.vehicle.body(), trailer, hitch).unwrap();
    trailer
}

/// Wheels act on the ground: a sedan stands on a loose slab of a third of its mass.
#[test]
fn a_car_stands_on_a_slab_lighter_than_itself() {
    for world in engines() {
        stand_on_a_slab(world);
    }
}

fn stand_on_a_slab(world: WorldKind) {
    const HALF: Vec3 = Vec3::new(5.0, 3.0, 0.25);
    const MASS: f32 = 500.0;
    let scene = Scene {
        lift: f64::from(2.0 * HALF.z),
        ..Scene::LEVEL
    };
    let mut stage = stage(world, &car("sedan"), &scene);
    let slab = BodyDesc {
        sleep_threshold: 0.0,
        hull: Some(CollisionBox {
            half_extents: HALF,
            center: Vec3::ZERO,
            friction: 0.8,
            layers: u32::MAX,
        }),
        ..BodyDesc::at_rest(DVec3::Z * 0.25, MASS, BodyDesc::box_inertia(MASS, HALF))
    };
    let slab = stage.world.add_box(&slab).unwrap();
    stage.run(2.0, &BRAKED).unwrap();
    assert!(stage.body().unwrap().position.z > 0.9, "it is on the slab");
    let way = way(&mut stage, 8.0).unwrap();
    println!(
        "{world:?}, on a slab of {MASS} kg: {:.3} mm in 8 s",
        1e3 * way
    );
    assert!(way < 1e-4, "{world:?}: {way} m");
    let moved = stage.world.body_state(slab).unwrap().position - DVec3::Z * 0.25;
    assert!(moved.length() < 2e-3, "{world:?}, the slab: {moved}");
}
