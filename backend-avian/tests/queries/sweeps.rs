//! Wheel sweeps against colliders of a real Avian world. Single shapes are tested in `parry-query`;
//! here are filters, ids, poses and the trees.

use avian3d::prelude::*;
use backend_avian::{
    AvianScene, AvianWorld, ChassisFrame, GroundMaterial, GroundOptions, VehicleGround, body_id,
    collider_id,
};
use bevy::app::App;
use bevy::ecs::system::RunSystemOnce as _;
use bevy::prelude::{ChildOf, Transform};
use glam::{Quat, Vec3};
use vehicle_core::{
    GroundSweep, MaterialId, SceneQuery, ShapeKind, SweepHit, SweepQuery, WheelShape,
};

use crate::support;

type Filter = vehicle_core::QueryFilter;

const R: f32 = 0.35;
const ANY: Filter = Filter {
    layers: u32::MAX,
    ignore: [None, None],
    dynamic_bodies: true,
};

/// Straight down (−y) from `from` for 3 m, the axle along z.
fn down(from: Vec3, filter: Filter) -> GroundSweep {
    GroundSweep {
        anchor: from.as_dvec3(),
        offset: Vec3::ZERO,
        axle: Vec3::Z,
        shape: WheelShape {
            kind: ShapeKind::Cylinder,
            radius: R,
            half_width: 0.1,
        },
        direction: Vec3::NEG_Y,
        length: 3.0,
        filter,
    }
}

/// A slab whose top is at `top`.
fn slab(top: f32) -> (Collider, Transform) {
    let place = Transform::from_xyz(0.0, top - 1.0, 0.0);
    (Collider::cuboid(40.0, 2.0, 40.0), place)
}

fn first(app: &mut App, sweeps: &[GroundSweep]) -> Vec<Option<SweepHit>> {
    let mut hits = vec![None; sweeps.len()];
    AvianWorld::scope(app.world_mut(), |view| {
        let query = view.sweeps().expect("it has sweeps");
        query.sweep_first(sweeps, &mut hits);
    });
    hits
}

/// A system that only reads gets the same hits as one that writes.
#[test]
fn a_scene_answers_as_a_world_does() {
    let mut app = support::app();
    app.world_mut().spawn(slab(0.0));
    app.world_mut().spawn(slab(-0.2));
    let sweeps = [down(Vec3::Y, ANY), down(Vec3::X * 90.0, ANY)];
    let all = move |query: &dyn SweepQuery| {
        let mut found = Vec::new();
        query.sweep_all(&sweeps, &mut |number, hit| found.push((number, hit)));
        found
    };
    let of_world = AvianWorld::scope(app.world_mut(), |view| all(view.sweeps().unwrap()));
    let of_scene = move |scene: AvianScene<'_, '_>| {
        let query = scene.sweeps().unwrap();
        let mut hits = vec![None; 2];
        query.sweep_first(&sweeps, &mut hits);
        (all(query), hits)
    };
    let (found, hits) = app.world_mut().run_system_once(of_scene).unwrap();
    assert!(found.len() > 1);
    assert_eq!(found, of_world);
    assert_eq!(hits, first(&mut app, &sweeps));
    assert!(hits[0].is_some() && hits[1].is_none());
}

#[test]
fn a_batch_is_answered_in_order_with_ids() {
    let mut app = support::app();
    let material = GroundMaterial(MaterialId(7));
    let ground = app.world_mut().spawn((slab(0.0), material)).id();
    let lift = (RigidBody::Kinematic, Transform::from_xyz(8.0, 0.5, 0.0));
    let lift = app.world_mut().spawn(lift).id();
    // A rotated child of the body.
    let child = Transform::from_xyz(0.0, -1.0, 0.0)
        .with_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_2));
    app.world_mut()
        .spawn((ChildOf(lift), Collider::cuboid(1.0, 2.0, 4.0), child));
    let queries = [
        down(Vec3::Y, ANY),
        down(Vec3::new(50.0, 1.0, 0.0), ANY),
        down(Vec3::new(9.5, 1.0, 0.0), ANY),
    ];
    let hits = first(&mut app, &queries);
    let hit = hits[0].unwrap().ground;
    assert!((hit.distance - (1.0 - R)).abs() < 1e-6);
    assert!((hit.normal - Vec3::Y).length() < 1e-6);
    assert_eq!((hit.body, hit.triangle), (None, None));
    let ids = (hit.material, hit.collider);
    assert_eq!(ids, (MaterialId(7), collider_id(ground)));
    assert_eq!(hits[1], None);
    let hit = hits[2].unwrap().ground;
    assert!((hit.distance - (0.5 - R)).abs() < 1e-6, "{hit:?}");
    assert_eq!(hit.body, Some(body_id(lift)));

    let mut order = Vec::new();
    AvianWorld::scope(app.world_mut(), |view| {
        view.sweep_all(&queries, &mut |number, _| order.push(number));
    });
    assert_eq!(order, [0, 2, 2]);
}

#[test]
#[should_panic(expected = "one slot per sweep")]
fn a_short_answer_slice_is_refused() {
    let mut app = support::app();
    AvianWorld::scope(app.world_mut(), |view| {
        view.sweep_first(&[down(Vec3::Y, ANY)], &mut []);
    });
}

#[test]
fn filters_are_those_of_rays() {
    let mut app = support::app();
    let world = app.world_mut();
    world.spawn(slab(0.0));
    world.spawn((slab(0.1), CollisionLayers::from_bits(4, u32::MAX)));
    world.spawn((slab(0.2), Sensor));
    world.spawn((slab(0.25), ColliderDisabled));
    let free = world.spawn((slab(0.3), RigidBody::Dynamic)).id();
    let car = (slab(0.4), RigidBody::Dynamic, ChassisFrame::default());
    let car = world.spawn(car).id();
    let mut top = |options: GroundOptions, filter: Filter| {
        app.insert_resource(VehicleGround(options));
        let hit = first(&mut app, &[down(Vec3::Y * 2.0, filter)])[0];
        hit.map(|hit| ((2.0 - R - hit.ground.distance) * 100.0).round() as i32)
    };
    let cars_are_not = GroundOptions::default();
    let cars_are = GroundOptions {
        drive_on_vehicles: true,
        ..cars_are_not
    };
    assert_eq!(top(cars_are_not, ANY), Some(30));
    assert_eq!(top(cars_are, ANY), Some(40));
    let ignore = [Some(body_id(car)), Some(body_id(free))];
    assert_eq!(top(cars_are, Filter { ignore, ..ANY }), Some(10));
    let fixed = Filter {
        dynamic_bodies: false,
        ..ANY
    };
    assert_eq!(top(cars_are, fixed), Some(10));
    assert_eq!(top(cars_are, Filter { layers: 1, ..fixed }), Some(0));
    assert_eq!(top(cars_are, Filter { layers: 2, ..fixed }), None);
}
