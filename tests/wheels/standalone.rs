//! Wheel colliders that share their contacts with the suspension, in the standalone world.

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, CarCommand, ContactPolicy, Gear, WheelColliderSettings};
use jounce::presets;
use jounce::scene::{BodyDesc, CollisionBox};
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Setup, Stage};
use proving_ground::world::{ColliderShape, ColliderSpec, WorldKind};
use rstest::rstest;

const RATE: f32 = 60.0;
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// A sedan without a hull, with wheel colliders or without; out of gear if it rolls.
fn stage(shares: bool, speed: f32, sleeps: bool) -> Stage {
    let car = &presets::benchmark_sedan();
    let setup = Setup {
        world: WorldKind::Standalone,
        car,
    };
    let scene = Scene {
        speed,
        sleeps,
        hull: false,
        gear: if speed == 0.0 {
            Gear::FIRST
        } else {
            Gear::NEUTRAL
        },
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(&setup, &scene, RATE).unwrap();
    if shares {
        stage.add_wheels().unwrap();
    }
    stage
}

/// Foremost point of the front left wheel (`m`).
fn front(stage: &Stage) -> f64 {
    let (body, params) = (stage.body().unwrap(), stage.vehicle.model().params());
    let hub = params.from_center_of_mass(stage.vehicle.wheel_pose(0).position);
    body.position.x + f64::from((body.rotation * hub).x + params.wheels[0].radius)
}

/// Adds a wall across the road, so far ahead of the wheels (`m`); returns the position of its face.
fn wall(stage: &mut Stage, ahead: f64) -> f64 {
    let face = front(stage) + ahead;
    let shape = ColliderShape::Cuboid(Vec3::new(1.0, 20.0, 3.0));
    let wall = ColliderSpec::fixed(shape, DVec3::X * (face + 1.0));
    stage.world.add_collider(&wall).unwrap();
    face
}

/// A crate of 800 kg with a bottom that hardly rubs, 2 m ahead.
fn ahead(stage: &mut Stage) -> BodyId {
    let half_extents = Vec3::splat(0.5);
    let place = DVec3::new(front(stage) + 2.5, 0.0, 0.5);
    let mut body = BodyDesc::at_rest(place, 800.0, BodyDesc::box_inertia(800.0, half_extents));
    body.hull = Some(CollisionBox {
        half_extents: half_extents + Vec3::Y,
        center: Vec3::ZERO,
        friction: 1e-3,
        layers: u32::MAX,
    });
    stage.world.add_body(&body).unwrap()
}

/// Parked, creeping, rolling: bit-identical to a car without colliders.
#[rstest]
fn wheels_on_flat_ground_feel_nothing(#[values(0.0, 0.5, 20.0)] speed: f32) {
    let command = if speed == 0.0 { BRAKED } else { FREE };
    let [with, without] = [true, false].map(|shares| {
        let mut stage = stage(shares, speed, false);
        stage.run(8.0, &command).unwrap();
        stage.body().unwrap()
    });
    assert_eq!(with, without);
}

#[rstest]
fn a_wall_stops_the_car_at_its_wheels(#[values(0.5, 3.0, 15.0)] speed: f32) {
    let mut stage = stage(true, speed, false);
    let face = wall(&mut stage, 2.0);
    let mut deepest = f64::MIN;
    for _ in 0..360 {
        stage.step(&FREE).unwrap();
        deepest = deepest.max(front(&stage) - face);
    }
    assert!((-0.01..0.02).contains(&deepest), "{deepest} m");
    assert!(stage.body().unwrap().rotation.xyz().length() < 0.1);
}

/// Full throttle against a wall: the rims pull the car up a little, and it can reverse away.
#[test]
fn spinning_wheels_pull_at_a_wall() {
    let (mut highest, mut fastest) = ([0.0_f64; 2], 0.0_f32);
    for (highest, spin_share) in highest.iter_mut().zip([0.1, 0.0]) {
        let mut stage = stage(false, 0.0, false);
        let settings = WheelColliderSettings {
            spin_share,
            ..WheelColliderSettings::beside(&stage.vehicle)
        };
        stage.world.add_wheels(&stage.vehicle, settings).unwrap();
        let face = wall(&mut stage, 0.5);
        let start = stage.position().unwrap().z;
        for _ in 0..300 {
            stage.step(&FLAT_OUT).unwrap();
            *highest = highest.max(stage.position().unwrap().z - start);
            fastest = stage.spins().into_iter().fold(fastest, f32::max);
        }
        assert!(
            (front(&stage) - face).abs() < 0.05,
            "{}",
            front(&stage) - face
        );
    }
    assert!(fastest > 30.0, "{fastest}");
    let [pulled, not] = highest;
    assert!(pulled > not + 5e-3 && pulled < 0.3, "{pulled} m, {not} m");
}

/// The angles decide: with those of a wheel that takes all that faces it, the wall is a ramp.
#[test]
fn what_the_suspension_takes_is_dropped() {
    let mut stage = stage(false, 5.0, false);
    let all = ContactPolicy {
        point_angle: core::f32::consts::PI,
        normal_angle: core::f32::consts::PI,
        leaves_gap: false,
    };
    let settings = WheelColliderSettings {
        policy: all,
        ..WheelColliderSettings::DEFAULT
    };
    stage.world.add_wheels(&stage.vehicle, settings).unwrap();
    let face = wall(&mut stage, 1.0);
    stage.run(0.3, &FREE).unwrap();
    assert!(front(&stage) > face + 0.3);
}

/// A body in no layer of the wheels is rigid, also from below: it carries the car.
#[test]
fn what_is_not_ground_is_rigid() {
    let mut stage = stage(true, 0.0, false);
    stage.vehicle.filter_mut().layers = 1;
    let slab = ColliderShape::Cuboid(Vec3::new(5.0, 5.0, 0.1));
    let mut slab = ColliderSpec::fixed(slab, DVec3::NEG_Z * 0.05);
    slab.layers = 2;
    let before = stage.position().unwrap().z;
    stage.world.add_collider(&slab).unwrap();
    stage.run(2.0, &FREE).unwrap();
    let raised = stage.position().unwrap().z - before;
    // Where its wheels would be, 5 cm higher, and its springs reach down.
    assert!(raised > 0.02, "{raised} m");
}

/// A crate gains the momentum that the car loses, and sleeps until then.
#[test]
fn a_crate_is_pushed_ahead() {
    let mut stage = stage(true, 5.0, false);
    let body = ahead(&mut stage);
    stage.run(1.0, &FREE).unwrap();
    let pushed = stage.world.body_state(body).unwrap();
    let mass = stage.body().unwrap().mass;
    let momentum = mass * stage.velocity().x + 800.0 * pushed.linear_velocity.x;
    assert!(pushed.linear_velocity.x > 2.0, "{}", pushed.linear_velocity);
    // Wheels keep some of theirs.
    assert!((momentum / (5.0 * mass) - 1.0).abs() < 0.05, "{momentum}");
}

#[test]
fn a_parked_car_falls_asleep_and_stays_so() {
    let mut stage = stage(true, 0.0, true);
    stage.run(8.0, &BRAKED).unwrap();
    let before = stage.body().unwrap();
    assert!(before.asleep);
    stage.run(5.0, &BRAKED).unwrap();
    assert_eq!(stage.body().unwrap(), before);
}

#[test]
fn colliders_are_shared_once_and_removed_with_their_car() {
    let mut stage = stage(true, 0.0, false);
    let twice = stage.add_wheels().unwrap_err();
    assert!(twice.to_string().contains("share"), "{twice}");
    let body = stage.vehicle.body();
    stage.world.remove_body(body).unwrap();
    stage.world.advance(stage.gravity, stage.dt);
    assert!(stage.add_wheels().is_err());
}
