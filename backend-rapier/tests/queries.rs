//! Rays against colliders of a real Rapier world.

use backend_rapier::{RapierLink, RapierScene, RapierWorld, body_id, index_colliders};
use glam::{DVec3, Vec3};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{BodyId, Frame, GroundHit, GroundRay, MaterialId, SceneQuery};

type Filter = vehicle_core::QueryFilter;

const ANY: Filter = Filter {
    layers: u32::MAX,
    ignore: [None, None],
    dynamic_bodies: true,
};

fn link() -> RapierLink {
    RapierLink::new(Frame::X_FORWARD_Y_UP)
}

fn world(colliders: impl IntoIterator<Item = ColliderBuilder>) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    for collider in colliders {
        world.insert_collider(collider, None);
    }
    index(&mut world);
    world
}

fn index(world: &mut PhysicsWorld) {
    index_colliders(
        &world.integration_parameters,
        &world.bodies,
        &mut world.colliders,
        &mut world.broad_phase,
    );
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

fn cast(link: &RapierLink, world: &PhysicsWorld, ray: GroundRay) -> Option<GroundHit> {
    let scene = RapierScene::of(link, world);
    let mut hits = [None];
    scene.cast_rays(&[ray], &mut hits);
    hits[0]
}

fn slab() -> ColliderBuilder {
    ColliderBuilder::cuboid(20.0, 1.0, 20.0)
}

#[test]
fn nothing_is_found_before_indexing_and_everything_after() {
    let mut world = PhysicsWorld::new();
    let ground = world.insert_body(RigidBodyBuilder::fixed().translation(Vec3::Y));
    world.insert_collider(slab(), Some(ground));
    assert_eq!(cast(&link(), &world, down(0.0, 5.0, 0.0)), None);
    index(&mut world);
    let hit = cast(&link(), &world, down(0.0, 5.0, 0.0)).unwrap();
    assert_eq!(hit.distance, 3.0);

    // A teleport is found, too.
    world.bodies[ground].set_translation(Vec3::ZERO, false);
    index(&mut world);
    let hit = cast(&link(), &world, down(0.0, 5.0, 0.0)).unwrap();
    assert_eq!(hit.distance, 4.0);
}

#[test]
fn a_step_after_indexing_still_finds_contacts() {
    let mut world = world([slab()]);
    let ball = world.insert_body(RigidBodyBuilder::dynamic().translation(Vec3::Y * 2.0));
    world.insert_collider(ColliderBuilder::ball(0.5), Some(ball));
    index(&mut world);
    for _ in 0..120 {
        world.step();
    }
    let height = world.bodies[ball].translation().y;
    assert!((height - 1.5).abs() < 0.02, "{height}");
}

/// Rapier's own way to refresh queries loses new bodies; if this fails, the crate's front page is
/// outdated.
#[rstest]
#[case::by_indexing(true)]
#[case::by_detecting_collisions(false)]
fn only_indexing_leaves_new_bodies_to_the_simulation(#[case] indexing: bool) {
    let mut world = PhysicsWorld::new();
    let ball = world.insert_body(RigidBodyBuilder::dynamic());
    world.insert_collider(ColliderBuilder::ball(0.5), Some(ball));
    if indexing {
        index(&mut world);
    } else {
        world.detect_collisions(&(), &());
    }
    for _ in 0..30 {
        world.step();
    }
    let falls = world.bodies[ball].translation().y < -1.0;
    assert_eq!(falls, indexing);
}

#[test]
fn a_batch_is_answered_in_order() {
    let mut world = world([slab()]);
    let mut link = link();
    let view = RapierWorld::of(&mut link, &mut world);
    let rays = [
        down(0.0, 2.0, 0.0),
        down(30.0, 2.0, 0.0),
        down(1.0, 4.0, 0.0),
    ];
    let mut hits = [None; 3];
    view.cast_rays(&rays, &mut hits);
    let distances = hits.map(|hit| hit.map(|hit| hit.distance));
    assert_eq!(distances, [Some(1.0), None, Some(3.0)]);
    let hit = hits[0].unwrap();
    assert_eq!((hit.normal, hit.body, hit.triangle), (Vec3::Y, None, None));
}

#[test]
#[should_panic(expected = "one slot per ray")]
fn a_short_answer_slice_is_refused() {
    let mut world = world([slab()]);
    let mut link = link();
    RapierWorld::of(&mut link, &mut world).cast_rays(&[down(0.0, 2.0, 0.0)], &mut []);
}

#[rstest]
#[case::cuboid(slab())]
#[case::half_space(ColliderBuilder::new(SharedShape::halfspace(Vec3::Y)).translation(Vec3::Y))]
#[case::mesh(grid(false))]
#[case::heightfield(grid(true))]
#[case::cylinder(ColliderBuilder::cylinder(1.0, 20.0))]
fn a_hit_at_exactly_the_length_counts(#[case] ground: ColliderBuilder) {
    let world = world([ground]);
    for length in [0.3_f32, 1.0, 1.7, 2.5, 7.3] {
        let from = Vec3::new(0.37, 1.0 + length, 0.61);
        let hit = cast(&link(), &world, ray(from, Vec3::NEG_Y, length, ANY));
        let hit = hit.unwrap_or_else(|| panic!("missed at {length}"));
        assert!(hit.distance <= length && hit.distance > length - 1e-4);
        let short = ray(from, Vec3::NEG_Y, length - 1e-3, ANY);
        assert_eq!(cast(&link(), &world, short), None);
    }
}

/// Flat, 2 m per cell, at height 1.
fn grid(heightfield: bool) -> ColliderBuilder {
    if heightfield {
        let heights = Array2::repeat(21, 21, 1.0);
        return ColliderBuilder::heightfield(heights, Vec3::new(40.0, 1.0, 40.0));
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
    ColliderBuilder::trimesh(vertices, triangles).unwrap()
}

#[rstest]
#[case::cuboid(ColliderBuilder::cuboid(2.0, 2.0, 2.0))]
#[case::turned(ColliderBuilder::cuboid(2.0, 2.0, 2.0).rotation(Vec3::new(0.3, 0.2, 0.1)))]
#[case::ball(ColliderBuilder::ball(2.0))]
#[case::capsule(ColliderBuilder::capsule_y(1.0, 2.0))]
#[case::cylinder(ColliderBuilder::cylinder(2.0, 2.0))]
#[case::cone(ColliderBuilder::cone(4.0, 4.0))]
#[case::round(ColliderBuilder::round_cuboid(1.0, 1.0, 1.0, 1.0))]
#[case::half_space(ColliderBuilder::new(SharedShape::halfspace(Vec3::Y)).translation(Vec3::Y))]
#[case::compound(ColliderBuilder::compound(vec![(Pose::IDENTITY, SharedShape::cuboid(2.0, 2.0, 2.0))]))]
#[case::hull(ColliderBuilder::convex_hull(&[
    Vec3::new(-3.0, -3.0, -3.0), Vec3::new(3.0, -3.0, -3.0), Vec3::new(0.0, -3.0, 3.0), Vec3::new(0.0, 4.0, 0.0),
]).unwrap())]
fn a_start_inside_is_a_hit_at_once(#[case] solid: ColliderBuilder) {
    let world = world([solid]);
    for direction in [Vec3::NEG_Y, Vec3::new(0.6, -0.8, 0.0), Vec3::Z] {
        for from in [Vec3::ZERO, Vec3::new(0.3, -0.4, 0.2)] {
            let hit = cast(&link(), &world, ray(from, direction, 3.0, ANY)).unwrap();
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
    let world = world([grid(heightfield)]);
    let hit = cast(&link(), &world, ray(from, direction, 5.0, ANY)).unwrap();
    assert!((hit.normal - normal).length() < 1e-6, "{}", hit.normal);
    assert!(hit.triangle.is_some());
}

#[rstest]
#[case::sensor(slab().sensor(true))]
#[case::disabled(slab().enabled(false))]
#[case::other_layer(slab().collision_groups(InteractionGroups::all().with_memberships(Group::GROUP_3)))]
fn sensors_and_the_like_are_never_hit(#[case] ground: ColliderBuilder) {
    let world = world([ground]);
    let filter = Filter { layers: !4, ..ANY };
    let down = ray(Vec3::Y * 3.0, Vec3::NEG_Y, 5.0, filter);
    assert_eq!(cast(&link(), &world, down), None);
}

#[test]
fn a_just_disabled_collider_is_not_hit() {
    let mut world = world([slab()]);
    let (handle, _) = world.colliders.iter().next().unwrap();
    world.colliders[handle].set_enabled(false);
    assert_eq!(cast(&link(), &world, down(0.0, 3.0, 0.0)), None);
}

#[rstest]
#[case(0b001, Some(2.0))]
#[case(0b010, Some(1.0))]
#[case(0b011, Some(1.0))]
#[case(0b100, None)]
#[case(0, None)]
fn layers_are_memberships(#[case] layers: u32, #[case] distance: Option<f32>) {
    let in_groups = |bits: u32| InteractionGroups::all().with_memberships(Group::from(bits));
    let upper = ColliderBuilder::cuboid(5.0, 1.0, 5.0).translation(Vec3::Y);
    let world = world([
        slab().collision_groups(in_groups(0b001)),
        upper.collision_groups(in_groups(0b010)),
    ]);
    let filter = Filter { layers, ..ANY };
    let hit = cast(
        &link(),
        &world,
        ray(Vec3::Y * 3.0, Vec3::NEG_Y, 5.0, filter),
    );
    assert_eq!(hit.map(|hit| hit.distance), distance);
}

/// A car with a child collider below it, a trailer, and a slab underneath.
fn traffic() -> (PhysicsWorld, [BodyId; 2]) {
    let mut world = world([slab()]);
    let mut car = |x: f32| {
        let place = Vec3::new(x, 5.0, 0.0);
        let body = world.insert_body(RigidBodyBuilder::dynamic().translation(place));
        world.insert_collider(ColliderBuilder::cuboid(2.0, 0.5, 1.0), Some(body));
        let child = ColliderBuilder::ball(0.3).translation(Vec3::NEG_Y);
        world.insert_collider(child, Some(body));
        body_id(body)
    };
    let ids = [car(0.0), car(10.0)];
    index(&mut world);
    (world, ids)
}

#[test]
fn ignored_bodies_are_skipped_with_all_their_colliders() {
    let (world, [car, trailer]) = traffic();
    let at = |x: f32, filter| ray(Vec3::new(x, 7.0, 0.0), Vec3::NEG_Y, 9.0, filter);
    let only = Filter::except(car);
    let both = Filter {
        ignore: [Some(car), Some(trailer)],
        ..ANY
    };
    assert_eq!(cast(&link(), &world, at(0.0, only)).unwrap().distance, 6.0);
    let hit = cast(&link(), &world, at(10.0, only)).unwrap();
    assert_eq!((hit.distance, hit.body), (1.5, Some(trailer)));
    assert_eq!(cast(&link(), &world, at(10.0, both)).unwrap().distance, 6.0);
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
    let (world, [_, other]) = traffic();
    let mut link = link();
    link.options.drive_on_dynamic = drive_on_dynamic;
    if registered {
        link.add_chassis(backend_rapier::body_handle(other), Frame::X_FORWARD_Y_UP);
    }
    let filter = Filter {
        dynamic_bodies,
        ..ANY
    };
    let down = ray(Vec3::new(10.0, 7.0, 0.0), Vec3::NEG_Y, 9.0, filter);
    assert_eq!(cast(&link, &world, down).unwrap().distance, distance);
    link.options.drive_on_vehicles = true;
    let on_cars = cast(&link, &world, down).unwrap().distance;
    let ground = if dynamic_bodies && drive_on_dynamic {
        1.5
    } else {
        6.0
    };
    assert_eq!(on_cars, ground);
}

#[rstest]
#[case(RigidBodyBuilder::fixed(), false)]
#[case(RigidBodyBuilder::kinematic_position_based(), true)]
#[case(RigidBodyBuilder::kinematic_velocity_based(), true)]
#[case(RigidBodyBuilder::dynamic(), true)]
fn only_movable_bodies_are_named(#[case] body: RigidBodyBuilder, #[case] named: bool) {
    let mut world = PhysicsWorld::new();
    let body = world.insert_body(body);
    world.insert_collider(slab(), Some(body));
    index(&mut world);
    let hit = cast(&link(), &world, down(0.0, 3.0, 0.0)).unwrap();
    assert_eq!(hit.body, named.then(|| body_id(body)));
}

#[test]
fn materials_come_from_user_data_or_the_table() {
    let world = world([grid(false).user_data(0xAAAA_0000_0007)]);
    let (handle, _) = world.colliders.iter().next().unwrap();
    let at = |link: &RapierLink, x: f32| cast(link, &world, down(x, 3.0, -18.5)).unwrap();
    let mut link = link();
    assert_eq!(at(&link, -18.5).material, MaterialId(7));

    let first = at(&link, -19.5).triangle.unwrap() as usize;
    let mut triangles = vec![MaterialId(3); first + 1];
    triangles[first] = MaterialId(4);
    link.materials.set_triangles(handle, triangles);
    assert_eq!(at(&link, -19.5).material, MaterialId(4));
    assert_eq!(at(&link, 18.5).material, MaterialId(7));

    link.materials.set(handle, MaterialId(9));
    assert_eq!(at(&link, -19.5).material, MaterialId(9));
    assert!(link.materials.remove(handle));
    assert_eq!(at(&link, -19.5).material, MaterialId(7));
}

/// A wavy field of `n × m` cells over 37.3 m × 51.9 m, and its height at a vertex.
fn waves(n: usize, m: usize) -> (ColliderBuilder, impl Fn(usize, usize) -> Vec3) {
    let height = |row: usize, column: usize| ((row * 7 + column * 13) % 11) as f32 * 0.1;
    let mut heights = Array2::zeros(n + 1, m + 1);
    for row in 0..=n {
        for column in 0..=m {
            heights[(row, column)] = height(row, column);
        }
    }
    let scale = Vec3::new(51.9, 1.0, 37.3);
    let vertex = move |row: usize, column: usize| {
        // Rows run along z, columns along x.
        let x = (column as f32 / m as f32 - 0.5) * scale.x;
        let z = (row as f32 / n as f32 - 0.5) * scale.z;
        Vec3::new(x, height(row, column), z)
    };
    (ColliderBuilder::heightfield(heights, scale), vertex)
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
    let pose = Pose::new(Vec3::new(3.0, -2.0, 11.0), Vec3::Y * turn);
    let world = world([field.position(pose)]);
    let direction = direction.normalize();
    let mut worst = 0.0_f32;
    for row in 1..60 {
        for column in 1..50 {
            let (a, b) = (vertex(row - 1, column - 1), vertex(row, column));
            let on_line = b + (a - b) * Vec3::new(along_x, 0.0, along_z);
            let target = pose.transform_point(on_line);
            let query = ray(target - direction * 3.0, direction, 8.0, ANY);
            let hit = cast(&link(), &world, query)
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
    let world = world([field]);
    let rim = (0..=60).flat_map(|row| [(row, 0), (row, 50)]);
    let rim = rim.chain((0..=50).flat_map(|column| [(0, column), (60, column)]));
    for (row, column) in rim {
        // Half a millimeter inside the field.
        let mut target = vertex(row, column);
        target.x -= 5e-4 * target.x.signum();
        target.z -= 5e-4 * target.z.signum();
        let hit = cast(&link(), &world, down(target.x, 5.0, target.z));
        assert!(hit.is_some(), "missed at row {row}, column {column}");
    }
}

#[test]
fn ground_below_does_not_hide_a_miss_of_the_heightfield() {
    let (field, vertex) = waves(60, 50);
    let cellar = ColliderBuilder::cuboid(50.0, 1.0, 50.0).translation(Vec3::NEG_Y * 3.0);
    let world = world([field, cellar]);
    for row in 1..60 {
        for column in 1..50 {
            let target = vertex(row, column);
            let hit = cast(&link(), &world, down(target.x, 5.0, target.z)).unwrap();
            assert!(
                (5.0 - hit.distance - target.y).abs() < 1e-3,
                "{row} {column}"
            );
        }
    }
}

#[test]
fn mesh_edges_and_vertices_have_no_gaps() {
    let world = world([grid(false)]);
    for i in 0..2000_u32 {
        let (x, z) = ((i % 39) as f32 - 19.0, (i / 39 % 39) as f32 - 19.0);
        let hit = cast(&link(), &world, down(x, 3.0, z)).unwrap();
        assert_eq!(hit.distance, 2.0, "{x} {z}");
    }
}

#[rstest]
#[case(Vec3::splat(f32::NAN), Vec3::NEG_Y, 1.0)]
#[case(Vec3::ZERO, Vec3::splat(f32::NAN), 1.0)]
#[case(Vec3::new(f32::NAN, 5.0, 0.0), Vec3::NEG_Y, 10.0)]
#[case(Vec3::Y * f32::INFINITY, Vec3::NEG_Y, 10.0)]
#[case(Vec3::Y * 5.0, Vec3::new(0.0, -1.0, f32::NAN), 10.0)]
#[case(Vec3::Y * 5.0, Vec3::NEG_Y, f32::NAN)]
#[case(Vec3::Y, Vec3::NEG_Y, f32::INFINITY)]
#[case(Vec3::Y * 3.0, Vec3::NEG_Y, -1.0)]
fn invalid_rays_miss(
    #[case] from: Vec3,
    #[case] direction: Vec3,
    #[case] length: f32,
    #[values(true, false)] heightfield: bool,
) {
    let world = world([grid(heightfield)]);
    let hit = cast(&link(), &world, ray(from, direction, length, ANY));
    assert_eq!(hit, None);
}

#[test]
fn probing_may_be_shared_between_threads() {
    fn shared<T: Sync + Copy>(_: T) {}
    let world = world([slab()]);
    shared(RapierScene::of(&link(), &world));
}

/// Sweeps are available wherever rays are.
#[test]
fn scene_and_world_offer_sweeps() {
    let mut world = world([slab()]);
    let mut link = link();
    assert!(RapierScene::of(&link, &world).sweeps().is_some());
    assert!(RapierWorld::of(&mut link, &mut world).sweeps().is_some());
}

#[test]
fn debug_output_of_world_and_scene() {
    let mut world = world([slab(), slab()]);
    world.insert_body(RigidBodyBuilder::fixed());
    let mut link = link();
    let scene = format!("{:?}", RapierScene::of(&link, &world));
    assert!(scene.contains("bodies: 1, colliders: 2"), "{scene}");
    let dt = world.integration_parameters.dt;
    let view = format!("{:?}", RapierWorld::of(&mut link, &mut world));
    let expected = format!("bodies: 1, colliders: 2, dt: {dt:?}");
    assert!(view.contains(&expected), "{view}");
}
