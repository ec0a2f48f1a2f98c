//! Rays against colliders of a real Avian world.

mod smooth;
mod sweeps;

use crate::support;
use avian3d::prelude::*;
use backend_avian::{
    AvianScene, AvianWorld, ChassisFrame, GroundMaterial, GroundOptions, TriangleMaterials,
    VehicleGround, body_id, collider_id, index_colliders,
};
use bevy::app::App;
use bevy::prelude::{Bundle, ChildOf, Entity, Transform};
use glam::{DVec3, Quat, Vec3};
use parry3d::shape::SharedShape;
use rstest::rstest;
use vehicle_core::{GroundHit, GroundRay, MaterialId, SceneQuery};

type Filter = vehicle_core::QueryFilter;

const ANY: Filter = Filter {
    layers: u32::MAX,
    ignore: [None, None],
    dynamic_bodies: true,
};

/// A collider without a body.
fn app_with(collider: impl Bundle) -> (App, Entity) {
    let mut app = support::app();
    let entity = app.world_mut().spawn(collider).id();
    (app, entity)
}

fn ray(from: Vec3, direction: Vec3, length: f32, filter: Filter) -> GroundRay {
    GroundRay {
        anchor: DVec3::ZERO,
        offset: from,
        direction,
        length,
        filter,
    }
}

fn down(x: f32, y: f32, z: f32) -> GroundRay {
    ray(Vec3::new(x, y, z), Vec3::NEG_Y, 10.0, ANY)
}

fn cast(app: &mut App, ray: GroundRay) -> Option<GroundHit> {
    let mut hits = [None];
    AvianWorld::scope(app.world_mut(), |view| view.cast_rays(&[ray], &mut hits));
    hits[0]
}

fn slab() -> Collider {
    Collider::cuboid(40.0, 2.0, 40.0)
}

fn at(place: Vec3) -> Transform {
    Transform::from_translation(place)
}

#[rstest]
#[case::without_a_body(false)]
#[case::as_a_body(true)]
fn everything_is_found_before_the_first_step(#[case] body: bool) {
    let (mut app, ground) = app_with((slab(), at(Vec3::Y)));
    if body {
        app.world_mut().entity_mut(ground).insert(RigidBody::Static);
    }
    let hit = cast(&mut app, down(0.0, 5.0, 0.0)).unwrap();
    assert_eq!((hit.distance, hit.collider), (3.0, collider_id(ground)));
}

#[test]
fn a_child_collider_is_found_where_it_hangs() {
    let (mut app, body) = app_with((RigidBody::Static, at(Vec3::new(0.0, 1.0, 7.0))));
    app.world_mut()
        .spawn((ChildOf(body), slab(), at(Vec3::NEG_Y * 2.0)));
    for _ in 0..2 {
        let hit = cast(&mut app, down(0.0, 5.0, 25.0)).unwrap();
        assert_eq!(hit.distance, 5.0);
        // Nothing to do.
        index_colliders(app.world_mut());
    }
}

#[test]
fn a_child_collider_moves_with_its_body() {
    let velocity = LinearVelocity(Vec3::Y * 3.0);
    let (mut app, lift) = app_with((RigidBody::Kinematic, velocity, at(Vec3::ZERO)));
    app.world_mut().spawn((ChildOf(lift), slab()));
    for step in 1..=60 {
        support::step(&mut app, 1.0 / 60.0);
        let hit = cast(&mut app, down(0.0, 5.0, 0.0)).unwrap();
        let expected = 4.0 - 0.05 * step as f32;
        assert!((hit.distance - expected).abs() < 1e-5, "{step}: {hit:?}");
    }
}

#[rstest]
fn a_teleport_is_seen_after_indexing(#[values(false, true)] stepped: bool) {
    let (mut app, ground) = app_with((RigidBody::Kinematic, at(Vec3::Y)));
    app.world_mut().spawn((ChildOf(ground), slab()));
    if stepped {
        support::step(&mut app, 1.0 / 60.0);
    }
    let far = Vec3::new(500.0, 0.0, 0.0);
    app.world_mut().entity_mut(ground).insert(Position(far));
    index_colliders(app.world_mut());
    assert_eq!(cast(&mut app, down(0.0, 5.0, 0.0)), None);
    let hit = cast(&mut app, down(500.0, 5.0, 0.0)).unwrap();
    assert_eq!((hit.distance, hit.body), (4.0, Some(body_id(ground))));
}

#[test]
fn a_step_after_indexing_still_finds_contacts() {
    let (mut app, _) = app_with((RigidBody::Static, slab()));
    let ball = (RigidBody::Dynamic, Collider::sphere(0.5), at(Vec3::Y * 2.0));
    let ball = app.world_mut().spawn(ball).id();
    index_colliders(app.world_mut());
    for _ in 0..120 {
        support::step(&mut app, 1.0 / 60.0);
    }
    let height = app.world().get::<Position>(ball).unwrap().y;
    assert!((height - 1.5).abs() < 0.02, "{height}");
}

#[test]
fn a_batch_is_answered_in_order() {
    let (mut app, _) = app_with(slab());
    let rays = [
        down(0.0, 2.0, 0.0),
        down(30.0, 2.0, 0.0),
        down(1.0, 4.0, 0.0),
    ];
    let mut hits = [None; 3];
    AvianWorld::scope(app.world_mut(), |view| view.cast_rays(&rays, &mut hits));
    let distances = hits.map(|hit| hit.map(|hit| hit.distance));
    assert_eq!(distances, [Some(1.0), None, Some(3.0)]);
    let hit = hits[0].unwrap();
    assert_eq!((hit.normal, hit.body, hit.triangle), (Vec3::Y, None, None));
}

/// Whatever the order in which they were made; of those that are equally near, the lower one.
#[rstest]
fn the_nearest_collider_answers(#[values(1, 3, 5, 7)] stride: usize) {
    let mut app = support::app();
    let heights = (0..8).map(|n| (n * stride % 8) as f32);
    let slabs: Vec<Entity> = heights
        .map(|height| app.world_mut().spawn((slab(), at(Vec3::Y * height))).id())
        .collect();
    let highest = (0..8).position(|n| n * stride % 8 == 7).unwrap();
    let hit = cast(&mut app, down(0.0, 10.0, 0.0)).unwrap();
    assert_eq!(
        (hit.distance, hit.collider),
        (2.0, collider_id(slabs[highest]))
    );
    let twin = app.world_mut().spawn((slab(), at(Vec3::Y * 7.0))).id();
    let hit = cast(&mut app, down(0.0, 10.0, 0.0)).unwrap();
    assert_eq!(hit.collider, collider_id(slabs[highest].min(twin)));
}

#[test]
#[should_panic(expected = "one slot per ray")]
fn a_short_answer_slice_is_refused() {
    let (mut app, _) = app_with(slab());
    AvianWorld::scope(app.world_mut(), |view| {
        view.cast_rays(&[down(0.0, 2.0, 0.0)], &mut []);
    });
}

#[rstest]
#[case::cuboid((slab(), at(Vec3::ZERO)))]
#[case::half_space((Collider::half_space(Vec3::Y), at(Vec3::Y)))]
#[case::mesh((grid(false), at(Vec3::ZERO)))]
#[case::heightfield((grid(true), at(Vec3::ZERO)))]
#[case::cylinder((Collider::cylinder(20.0, 2.0), at(Vec3::ZERO)))]
fn a_hit_at_exactly_the_length_counts(#[case] ground: (Collider, Transform)) {
    let (mut app, _) = app_with(ground);
    for length in [0.3_f32, 1.0, 1.7, 2.5, 7.3] {
        let from = Vec3::new(0.37, 1.0 + length, 0.61);
        let hit = cast(&mut app, ray(from, Vec3::NEG_Y, length, ANY));
        let hit = hit.unwrap_or_else(|| panic!("missed at {length}"));
        assert!(hit.distance <= length && hit.distance > length - 1e-4);
        let short = ray(from, Vec3::NEG_Y, length - 1e-3, ANY);
        assert_eq!(cast(&mut app, short), None);
    }
}

/// Flat, 2 m per cell, at height 1.
fn grid(heightfield: bool) -> Collider {
    if heightfield {
        return Collider::heightfield(vec![vec![1.0; 21]; 21], Vec3::new(40.0, 1.0, 40.0));
    }
    let vertex = |i: u32| {
        Vec3::new(
            (i % 21) as f32 * 2.0 - 20.0,
            1.0,
            (i / 21) as f32 * 2.0 - 20.0,
        )
    };
    let cell = |i: u32| {
        let a = i / 20 * 21 + i % 20;
        [[a, a + 21, a + 1], [a + 1, a + 21, a + 22]]
    };
    let vertices = (0..21 * 21).map(vertex).collect();
    let triangles = (0..20 * 20).flat_map(cell).collect();
    Collider::trimesh(vertices, triangles)
}

#[rstest]
#[case::cuboid(Collider::cuboid(4.0, 4.0, 4.0))]
#[case::ball(Collider::sphere(2.0))]
#[case::capsule(Collider::capsule(2.0, 2.0))]
#[case::cylinder(Collider::cylinder(2.0, 4.0))]
#[case::cone(Collider::cone(4.0, 8.0))]
#[case::round(Collider::round_cuboid(2.0, 2.0, 2.0, 1.0))]
#[case::half_space(Collider::half_space(Vec3::new(0.0, 1.0, 0.1)))]
#[case::compound(Collider::compound(vec![(Vec3::ZERO, Quat::IDENTITY, Collider::cuboid(4.0, 4.0, 4.0))]))]
#[case::hull(Collider::convex_hull(&[
    Vec3::new(-3.0, -3.0, -3.0), Vec3::new(3.0, -3.0, -3.0), Vec3::new(0.0, -3.0, 3.0), Vec3::new(0.0, 4.0, 0.0),
]).unwrap())]
fn a_start_inside_is_a_hit_at_once(#[case] solid: Collider) {
    let (mut app, _) = app_with(solid);
    for direction in [Vec3::NEG_Y, Vec3::new(0.6, -0.8, 0.0), Vec3::Z] {
        for from in [Vec3::NEG_Y * 0.1, Vec3::new(0.3, -0.4, 0.2)] {
            let hit = cast(&mut app, ray(from, direction, 3.0, ANY)).unwrap();
            assert_eq!((hit.distance, hit.normal), (0.0, -direction), "{from}");
        }
    }
}

#[rstest]
#[case::from_above(Vec3::new(0.4, 3.0, 0.3), Vec3::NEG_Y, Vec3::Y)]
#[case::from_below(Vec3::new(0.4, -1.0, 0.3), Vec3::Y, Vec3::NEG_Y)]
fn normals_face_the_ray(
    #[values(true, false)] heightfield: bool,
    #[case] from: Vec3,
    #[case] direction: Vec3,
    #[case] normal: Vec3,
) {
    let (mut app, _) = app_with(grid(heightfield));
    let hit = cast(&mut app, ray(from, direction, 5.0, ANY)).unwrap();
    assert!((hit.normal - normal).length() < 1e-6, "{}", hit.normal);
    assert!(hit.triangle.is_some());
}

#[rstest]
fn sensors_and_the_like_are_never_hit(
    #[values(0, 1, 2, 3)] kind: usize,
    #[values(false, true)] later: bool,
) {
    let (mut app, ground) = app_with((RigidBody::Static, slab()));
    if later {
        support::step(&mut app, 1.0 / 60.0);
    }
    let mut entity = app.world_mut().entity_mut(ground);
    match kind {
        0 => entity.insert(Sensor),
        1 => entity.insert(ColliderDisabled),
        2 => entity.insert(RigidBodyDisabled),
        _ => entity.insert(CollisionLayers::from_bits(4, u32::MAX)),
    };
    let filter = Filter { layers: !4, ..ANY };
    let down = ray(Vec3::Y * 3.0, Vec3::NEG_Y, 5.0, filter);
    assert_eq!(cast(&mut app, down), None);
}

#[rstest]
#[case(0b001, Some(2.0))]
#[case(0b010, Some(1.0))]
#[case(0b011, Some(1.0))]
#[case(0b100, None)]
#[case(0, None)]
fn layers_are_memberships(#[case] layers: u32, #[case] distance: Option<f32>) {
    // Avian's default is membership of the first layer.
    let (mut app, _) = app_with(slab());
    app.world_mut().spawn((
        Collider::cuboid(10.0, 2.0, 10.0),
        at(Vec3::Y),
        CollisionLayers::from_bits(0b010, 0),
    ));
    let filter = Filter { layers, ..ANY };
    let hit = cast(&mut app, ray(Vec3::Y * 3.0, Vec3::NEG_Y, 5.0, filter));
    assert_eq!(hit.map(|hit| hit.distance), distance);
}

/// A car with a child collider below it, a trailer, and a slab underneath.
fn traffic() -> (App, [Entity; 2]) {
    let (mut app, _) = app_with((RigidBody::Static, slab()));
    let cars = [0.0, 10.0].map(|x| {
        let place = at(Vec3::new(x, 5.0, 0.0));
        let car = (RigidBody::Dynamic, Collider::cuboid(4.0, 1.0, 2.0), place);
        let car = app.world_mut().spawn(car).id();
        let ball = (ChildOf(car), Collider::sphere(0.3), at(Vec3::NEG_Y));
        app.world_mut().spawn(ball);
        car
    });
    (app, cars)
}

#[test]
fn ignored_bodies_are_skipped_with_all_their_colliders() {
    let (mut app, cars) = traffic();
    let [car, trailer] = cars.map(body_id);
    let at = |x: f32, filter| ray(Vec3::new(x, 7.0, 0.0), Vec3::NEG_Y, 9.0, filter);
    let only = Filter::except(car);
    let both = Filter {
        ignore: [Some(car), Some(trailer)],
        ..ANY
    };
    assert_eq!(cast(&mut app, at(0.0, only)).unwrap().distance, 6.0);
    let hit = cast(&mut app, at(10.0, only)).unwrap();
    assert_eq!((hit.distance, hit.body), (1.5, Some(trailer)));
    assert_eq!(cast(&mut app, at(10.0, both)).unwrap().distance, 6.0);
    // The child alone.
    let side = Vec3::new(10.0, 4.0, 5.0);
    let hit = cast(&mut app, ray(side, Vec3::NEG_Z, 9.0, only)).unwrap();
    assert_eq!(hit.body, Some(trailer));
    assert_eq!(cast(&mut app, ray(side, Vec3::NEG_Z, 9.0, both)), None);
}

#[rstest]
#[case::crates_are_ground(true, true, false, 1.5)]
#[case::query_says_no(false, true, false, 6.0)]
#[case::options_say_no(true, false, false, 6.0)]
#[case::cars_are_not_ground(true, true, true, 6.0)]
fn dynamic_bodies_are_ground_if_wanted(
    #[case] dynamic_bodies: bool,
    #[case] drive_on_dynamic: bool,
    #[case] registered: bool,
    #[case] distance: f32,
) {
    let (mut app, [_, other]) = traffic();
    let options = |drive_on_vehicles| {
        VehicleGround(GroundOptions {
            drive_on_dynamic,
            drive_on_vehicles,
        })
    };
    app.insert_resource(options(false));
    if registered {
        let frame = ChassisFrame::default();
        app.world_mut().entity_mut(other).insert(frame);
    }
    let filter = Filter {
        dynamic_bodies,
        ..ANY
    };
    let down = ray(Vec3::new(10.0, 7.0, 0.0), Vec3::NEG_Y, 9.0, filter);
    assert_eq!(cast(&mut app, down).unwrap().distance, distance);
    app.insert_resource(options(true));
    let on_cars = cast(&mut app, down).unwrap().distance;
    let ground = if dynamic_bodies && drive_on_dynamic {
        1.5
    } else {
        6.0
    };
    assert_eq!(on_cars, ground);
}

#[rstest]
#[case(RigidBody::Static, false)]
#[case(RigidBody::Kinematic, true)]
#[case(RigidBody::Dynamic, true)]
fn only_movable_bodies_are_named(#[case] body: RigidBody, #[case] named: bool) {
    let (mut app, entity) = app_with((body, slab()));
    let hit = cast(&mut app, down(0.0, 3.0, 0.0)).unwrap();
    assert_eq!(hit.body, named.then(|| body_id(entity)));
}

#[test]
fn materials_are_components() {
    let (mut app, ground) = app_with(grid(false));
    let at = |app: &mut App, x: f32| cast(app, down(x, 3.0, -18.5)).unwrap();
    assert_eq!(at(&mut app, -18.5).material, MaterialId(0));
    let whole = GroundMaterial(MaterialId(7));
    app.world_mut().entity_mut(ground).insert(whole);
    assert_eq!(at(&mut app, -18.5).material, MaterialId(7));

    let first = at(&mut app, -19.5).triangle.unwrap() as usize;
    let mut triangles = vec![MaterialId(3); first + 1];
    triangles[first] = MaterialId(4);
    let triangles = TriangleMaterials(triangles);
    app.world_mut().entity_mut(ground).insert(triangles);
    assert_eq!(at(&mut app, -19.5).material, MaterialId(4));
    assert_eq!(at(&mut app, 18.5).material, MaterialId(7));
}

/// A wavy field of `n × m` cells over 37.3 m × 51.9 m, and its height at a vertex.
fn waves(n: usize, m: usize) -> (Collider, impl Fn(usize, usize) -> Vec3) {
    let height = |row: usize, column: usize| ((row * 7 + column * 13) % 11) as f32 * 0.1;
    let rows = (0..=n).map(|row| (0..=m).map(|column| height(row, column)).collect());
    let heights: Vec<Vec<f32>> = rows.collect();
    let scale = Vec3::new(51.9, 1.0, 37.3);
    let vertex = move |row: usize, column: usize| {
        let x = (column as f32 / m as f32 - 0.5) * scale.x;
        let z = (row as f32 / n as f32 - 0.5) * scale.z;
        Vec3::new(x, height(row, column), z)
    };
    // Avian's own constructor reads the rows along x: parry's has them along z.
    let field = parry3d::utils::Array2::new(n + 1, m + 1, columns(&heights));
    (SharedShape::heightfield(field, scale).into(), vertex)
}

/// Column by column, as parry stores them.
fn columns(rows: &[Vec<f32>]) -> Vec<f32> {
    let count = rows[0].len();
    (0..count)
        .flat_map(|column| rows.iter().map(move |row| row[column]))
        .collect()
}

#[rstest]
#[case::exact(0.0, 0.0)]
#[case::along_x(0.37, 0.0)]
#[case::along_z(0.0, 0.61)]
#[case::diagonal(0.43, 0.43)]
#[case::anti_diagonal(0.43, 0.57)]
fn no_ray_slips_through_a_heightfield(
    #[case] along_x: f32,
    #[case] along_z: f32,
    #[values(Vec3::NEG_Y, Vec3::new(0.28, -0.96, 0.0), Vec3::new(-0.1, -0.99, 0.1))]
    direction: Vec3,
    #[values(0.0, 0.7)] turn: f32,
) {
    let (field, vertex) = waves(60, 50);
    let pose = at(Vec3::new(3.0, -2.0, 11.0)).with_rotation(Quat::from_rotation_y(turn));
    let (mut app, _) = app_with((field, pose));
    let direction = direction.normalize();
    let mut worst = 0.0_f32;
    for row in 1..60 {
        for column in 1..50 {
            let (a, b) = (vertex(row - 1, column - 1), vertex(row, column));
            let on_line = b + (a - b) * Vec3::new(along_x, 0.0, along_z);
            let target = pose.transform_point(on_line);
            let query = ray(target - direction * 3.0, direction, 8.0, ANY);
            let hit = cast(&mut app, query)
                .unwrap_or_else(|| panic!("missed at row {row}, column {column}"));
            if along_x == 0.0 && along_z == 0.0 {
                worst = worst.max((hit.distance - 3.0).abs());
            }
            assert!((hit.normal.length() - 1.0).abs() < 1e-5);
            assert!(hit.normal.dot(direction) < 0.0);
        }
    }
    // At a vertex the neighbor's plane may be hit, within rounding.
    assert!(worst < 2e-4, "{worst} m");
}

#[test]
fn the_rim_of_a_heightfield_is_ground() {
    let (field, vertex) = waves(60, 50);
    let (mut app, _) = app_with(field);
    let rim = (0..=60).flat_map(|row| [(row, 0), (row, 50)]);
    let rim = rim.chain((0..=50).flat_map(|column| [(0, column), (60, column)]));
    for (row, column) in rim {
        // Half a millimeter inside the field.
        let mut target = vertex(row, column);
        target.x -= 5e-4 * target.x.signum();
        target.z -= 5e-4 * target.z.signum();
        let hit = cast(&mut app, down(target.x, 5.0, target.z));
        assert!(hit.is_some(), "missed at row {row}, column {column}");
    }
}

#[test]
fn ground_below_does_not_hide_a_miss_of_the_heightfield() {
    let (field, vertex) = waves(60, 50);
    let (mut app, _) = app_with(field);
    let cellar = Collider::cuboid(100.0, 2.0, 100.0);
    app.world_mut().spawn((cellar, at(Vec3::NEG_Y * 3.0)));
    for row in 1..60 {
        for column in 1..50 {
            let target = vertex(row, column);
            let hit = cast(&mut app, down(target.x, 5.0, target.z)).unwrap();
            assert!(
                (5.0 - hit.distance - target.y).abs() < 1e-3,
                "{row} {column}"
            );
        }
    }
}

#[test]
fn mesh_edges_and_vertices_have_no_gaps() {
    let (mut app, _) = app_with(grid(false));
    for i in 0..2000_u32 {
        let (x, z) = ((i % 39) as f32 - 19.0, (i / 39 % 39) as f32 - 19.0);
        let hit = cast(&mut app, down(x, 3.0, z)).unwrap();
        assert_eq!(hit.distance, 2.0, "{x} {z}");
    }
}

/// Tiles near the car are as exact as at the origin, within single-precision resolution.
#[test]
fn far_from_the_origin_distances_stay_exact() {
    let anchor = DVec3::new(5000.0, 3000.0, -4000.0);
    let (mut app, _) = app_with((slab(), at(anchor.as_vec3())));
    for i in 0..200 {
        let offset = Vec3::new(0.01 * i as f32, 1.37 + 0.001 * i as f32, 0.3);
        let query = GroundRay {
            anchor,
            ..ray(offset, Vec3::NEG_Y, 2.0, ANY)
        };
        let hit = cast(&mut app, query).unwrap();
        assert!((hit.distance - (offset.y - 1.0)).abs() < 1e-6, "{hit:?}");
    }
}

#[rstest]
#[case(Vec3::splat(f32::NAN), Vec3::NEG_Y, 1.0)]
#[case(Vec3::ZERO, Vec3::splat(f32::NAN), 1.0)]
#[case(Vec3::ZERO, Vec3::ZERO, 1.0)]
#[case(Vec3::Y, Vec3::NEG_Y, f32::INFINITY)]
#[case(Vec3::Y * 3.0, Vec3::NEG_Y, -1.0)]
fn invalid_rays_miss(
    #[case] from: Vec3,
    #[case] direction: Vec3,
    #[case] length: f32,
    #[values(true, false)] heightfield: bool,
) {
    let (mut app, _) = app_with(grid(heightfield));
    assert_eq!(cast(&mut app, ray(from, direction, length, ANY)), None);
}

#[test]
fn probing_may_be_shared_between_threads() {
    fn shared<T: Sync>() {}
    shared::<AvianScene<'_, '_>>();
}

#[test]
#[should_panic(expected = "add PhysicsPlugins and AvianLinkPlugin")]
fn a_world_without_plugins_is_refused() {
    AvianWorld::scope(App::new().world_mut(), |_| ());
}
