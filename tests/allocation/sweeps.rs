//! Sweeps and triangles, in worlds without an engine and on Rapier.

use core::hint::black_box;

use allocation_counter::measure;
use glam::{DVec3, Vec3};
use jounce::core::{
    Axis, BodyId, Frame, GroundSweep, GroundTriangles, QueryFilter, ShapeKind, SweepQuery,
    TriangleQuery, WheelShape,
};
use jounce::rapier::{RapierLink, RapierScene, index_colliders};
use jounce::scene::{Axes, GroundPart, Grounds, HeightField, Plane, Steps, TriangleMesh};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;

/// Downward sweeps of four wheels: some overlap the ground, some hit it, one misses.
fn wheels() -> [GroundSweep; 4] {
    [0.1_f32, 0.3, 0.9, 99.0].map(|height| GroundSweep {
        anchor: DVec3::Z * f64::from(height),
        offset: Vec3::new(0.3, 0.1, 0.0),
        axle: Vec3::Y,
        shape: WheelShape {
            kind: ShapeKind::Cylinder,
            radius: 0.35,
            half_width: 0.1,
        },
        direction: Vec3::NEG_Z,
        length: 1.0,
        filter: QueryFilter::except(BodyId(9)),
    })
}

fn allocations(world: &(impl SweepQuery + GroundTriangles)) -> u64 {
    let (sweeps, mut hits, mut count) = (wheels(), [None; 4], 0);
    let boxes = sweeps.map(|sweep| TriangleQuery {
        anchor: sweep.anchor,
        low: sweep.offset - 1.0,
        high: sweep.offset + 1.0,
        filter: sweep.filter,
    });
    let mut triangles = 0;
    let found = measure(|| {
        world.sweep_first(&sweeps, &mut hits);
        world.sweep_all(&sweeps, &mut |_, hit| {
            black_box(hit);
            count += 1;
        });
        world.visit_triangles(&boxes, &mut |_, triangle| {
            black_box(triangle);
            triangles += 1;
        });
    });
    assert!(
        count > 6 && triangles > 12,
        "{count} hits, {triangles} triangles only"
    );
    found.count_total
}

#[test]
fn sweeps_without_an_engine_allocate_nothing() {
    let rows = vec![vec![0.0; 10]; 10];
    let corner = DVec3::new(-4.5, -4.5, 0.05);
    let field = HeightField::new(Axes::Z_UP, corner, 1.0, &rows).unwrap();
    let mesh = TriangleMesh::of(&field.triangles()).unwrap();
    let world = Grounds(vec![
        GroundPart::new(Plane::level(Axis::Z, 0.0).unwrap()),
        GroundPart::new(Steps::curb(Axes::Z_UP, DVec3::ZERO, 0.1).unwrap()),
        GroundPart::new(field),
        GroundPart::new(mesh),
    ]);
    assert_eq!(allocations(&world), 0);
}

#[test]
fn sweeps_on_rapier_allocate_nothing() {
    let mut world = PhysicsWorld::new();
    let turn = Vec3::X * core::f32::consts::FRAC_PI_2;
    let field = ColliderBuilder::heightfield(Array2::repeat(9, 9, 0.0), Vec3::new(9.0, 1.0, 9.0));
    let cube = || SharedShape::cuboid(1.0, 1.0, 0.1);
    let (corners, triangles) = Cuboid::new(Vec3::splat(0.1)).to_trimesh();
    for ground in [
        ColliderBuilder::cuboid(5.0, 5.0, 0.1),
        field.rotation(turn),
        ColliderBuilder::trimesh(corners, triangles).unwrap(),
        ColliderBuilder::compound(vec![(Pose::IDENTITY, cube())]),
        ColliderBuilder::new(SharedShape::halfspace(Vec3::Z)),
    ] {
        world.insert_collider(ground, None);
    }
    index_colliders(
        &world.integration_parameters,
        &world.bodies,
        &mut world.colliders,
        &mut world.broad_phase,
    );
    let link = RapierLink::new(Frame::X_FORWARD_Z_UP);
    assert_eq!(allocations(&RapierScene::of(&link, &world)), 0);
}
