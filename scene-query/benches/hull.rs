//! Cost of a hull in a step of the standalone world: `cargo bench -p jounce-scene-query --bench hull`.
//!
//! | | |
//! |---|---|
//! | `none` | a body without a hull: what the step costs by itself |
//! | `clear` | a car's hull at 30 m/s, 0.2 m over the ground |
//! | `sliding` | the same hull on the ground |
//! | `struck` | the same hull before a wall |

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{DVec3, Quat, Vec3};
use scene_query::{
    Axes, Block, BodyDesc, CollisionBox, GroundPart, Grounds, HeightField, Plane, Standalone,
    TriangleMesh,
};
use vehicle_core::{Axis, BodyId};

const DT: f32 = 1.0 / 60.0;
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const SPEED: Vec3 = Vec3::new(30.0, 0.0, 0.0);
const HALF: Vec3 = Vec3::new(2.2, 0.9, 0.5);
const CELL: f64 = 0.5;

fn grounds() -> [(&'static str, Grounds); 3] {
    let low = DVec3::new(-10.0, -10.0, 0.0);
    let field = HeightField::from_fn(Axes::Z_UP, low, CELL, [81, 41], |_, _| 0.0);
    let field = field.expect("a field");
    let mesh = TriangleMesh::of(&field.triangles()).expect("a mesh");
    [
        ("plane", Plane::level(Axis::Z, 0.0).expect("a plane").into()),
        ("heightfield", field.into()),
        ("mesh", mesh.into()),
    ]
}

fn world(ground: Grounds, has_hull: bool) -> (Standalone, BodyId) {
    let mut world = Standalone::new(ground);
    let inertia = BodyDesc::box_inertia(1500.0, HALF);
    let mut desc = BodyDesc::at_rest(DVec3::Z, 1500.0, inertia);
    desc.sleep_threshold = 0.0;
    desc.hull = has_hull.then_some(CollisionBox {
        half_extents: HALF,
        center: Vec3::ZERO,
        friction: 0.5,
        layers: u32::MAX,
    });
    let body = world.add(&desc).expect("a body");
    (world, body)
}

/// A step from the same pose each time.
fn step(world: &mut Standalone, body: BodyId, clearance: f64) {
    let start = DVec3::new(0.3, 0.2, f64::from(HALF.z) + clearance);
    world.set_pose(body, start, Quat::IDENTITY).expect("a pose");
    world
        .set_velocity(body, SPEED, Vec3::ZERO)
        .expect("a velocity");
    world.step(black_box(GRAVITY), DT);
}

fn hull(c: &mut Criterion) {
    for (name, ground) in grounds() {
        let mut group = c.benchmark_group(name);
        let mut measure = |case: &str, ground: &Grounds, has_hull: bool, clearance: f64| {
            let (mut world, body) = world(ground.clone(), has_hull);
            group.bench_function(case, |b| b.iter(|| step(&mut world, body, clearance)));
        };
        measure("none", &ground, false, 0.2);
        measure("clear", &ground, true, 0.2);
        measure("sliding", &ground, true, 0.0);
        let wall = Block::new(DVec3::X * 3.0, Quat::IDENTITY, Vec3::new(0.2, 3.0, 3.0));
        let mut walled = ground;
        walled.0.push(GroundPart::new(wall.expect("a wall")));
        measure("struck", &walled, true, 0.2);
    }
}

criterion_group!(benches, hull);
criterion_main!(benches);
