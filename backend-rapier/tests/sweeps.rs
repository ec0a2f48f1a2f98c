//! Wheel sweeps against colliders of a real Rapier world. Single shapes are tested in
//! `parry-query`; here are filters, ids, poses and the tree.

use backend_rapier::{
    GroundOptions, RapierLink, RapierScene, RapierWorld, body_id, collider_id, index_colliders,
};
use glam::{DVec3, Vec3};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{
    Frame, GroundSweep, MaterialId, SceneQuery, ShapeKind, SweepHit, SweepQuery, WheelShape,
};

type Filter = vehicle_core::QueryFilter;

const R: f32 = 0.35;

fn index(world: &mut PhysicsWorld) {
    index_colliders(
        &world.integration_parameters,
        &world.bodies,
        &mut world.colliders,
        &mut world.broad_phase,
    );
}

/// Straight down (−y) from `from` for 3 m, the axle along z.
fn down(from: Vec3) -> GroundSweep {
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
        filter: Filter {
            layers: u32::MAX,
            ignore: [None, None],
            dynamic_bodies: true,
        },
    }
}

fn link() -> RapierLink {
    RapierLink::new(Frame::X_FORWARD_Y_UP)
}

fn first(link: &RapierLink, world: &PhysicsWorld, query: GroundSweep) -> Option<SweepHit> {
    let mut hits = [None];
    RapierScene::of(link, world).sweep_first(&[query], &mut hits);
    hits[0]
}

fn all(link: &RapierLink, world: &PhysicsWorld, query: GroundSweep) -> Vec<SweepHit> {
    let mut hits = Vec::new();
    RapierScene::of(link, world).sweep_all(&[query], &mut |_, hit| hits.push(hit));
    hits
}

fn slab(top: f32) -> ColliderBuilder {
    ColliderBuilder::cuboid(20.0, 1.0, 20.0).translation(Vec3::Y * (top - 1.0))
}

#[test]
fn a_batch_is_answered_in_order_with_ids() {
    let mut world = PhysicsWorld::new();
    let ground = world.insert_collider(slab(0.0).user_data(7), None);
    let lift = world.insert_body(RigidBodyBuilder::kinematic_velocity_based());
    world.insert_collider(
        ColliderBuilder::cuboid(1.0, 1.0, 1.0).translation(Vec3::X * 8.0 - Vec3::Y * 0.5),
        Some(lift),
    );
    index(&mut world);
    let mut link = link();
    let view = RapierWorld::of(&mut link, &mut world);
    let sweeps = view.sweeps().unwrap();
    let queries = [
        down(Vec3::Y),
        down(Vec3::new(50.0, 1.0, 0.0)),
        down(Vec3::new(8.0, 1.0, 0.0)),
    ];
    let mut hits = [None; 3];
    sweeps.sweep_first(&queries, &mut hits);
    let hit = hits[0].unwrap().ground;
    assert!((hit.distance - (1.0 - R)).abs() < 1e-6);
    assert!((hit.normal - Vec3::Y).length() < 1e-6);
    assert_eq!((hit.body, hit.triangle), (None, None));
    assert_eq!(
        (hit.material, hit.collider),
        (MaterialId(7), collider_id(ground))
    );
    assert_eq!(hits[1], None);
    let hit = hits[2].unwrap().ground;
    assert!((hit.distance - (0.5 - R)).abs() < 1e-6);
    assert_eq!(hit.body, Some(body_id(lift)));
    let mut order = Vec::new();
    sweeps.sweep_all(&queries, &mut |number, _| order.push(number));
    assert_eq!(order, [0, 2, 2]);
}

#[test]
#[should_panic(expected = "one slot per sweep")]
fn a_short_answer_slice_is_refused() {
    RapierScene::of(&link(), &PhysicsWorld::new()).sweep_first(&[down(Vec3::Y)], &mut []);
}

#[test]
fn filters_are_those_of_rays() {
    let mut world = PhysicsWorld::new();
    world.insert_collider(slab(0.0), None);
    let groups = InteractionGroups::all().with_memberships(Group::GROUP_3);
    let groups = slab(0.1).collision_groups(groups);
    world.insert_collider(groups, None);
    world.insert_collider(slab(0.2).sensor(true), None);
    world.insert_collider(slab(0.25).enabled(false), None);
    let crate_body = world.insert_body(RigidBodyBuilder::dynamic());
    world.insert_collider(slab(0.3), Some(crate_body));
    let car = world.insert_body(RigidBodyBuilder::dynamic());
    world.insert_collider(slab(0.4), Some(car));
    index(&mut world);
    let mut link = link();
    let car = link.add_chassis(car, Frame::X_FORWARD_Y_UP);
    let top = |link: &RapierLink, filter: Filter| {
        let hit = first(
            link,
            &world,
            GroundSweep {
                filter,
                ..down(Vec3::Y * 2.0)
            },
        );
        hit.map(|hit| ((2.0 - R - hit.ground.distance) * 100.0).round() as i32)
    };
    let any = down(Vec3::ZERO).filter;
    assert_eq!(top(&link, any), Some(30));
    link.options = GroundOptions {
        drive_on_vehicles: true,
        ..link.options
    };
    assert_eq!(top(&link, any), Some(40));
    let ignore = [Some(car), Some(body_id(crate_body))];
    assert_eq!(top(&link, Filter { ignore, ..any }), Some(10));
    let fixed = Filter {
        dynamic_bodies: false,
        ..any
    };
    assert_eq!(top(&link, fixed), Some(10));
    let layers = Group::GROUP_1.bits();
    assert_eq!(top(&link, Filter { layers, ..fixed }), Some(0));
    assert_eq!(top(&link, Filter { layers: 0, ..any }), None);
}

#[test]
fn bodies_are_swept_in_place_and_materials_are_per_triangle() {
    let mut world = PhysicsWorld::new();
    let tilted = RigidBodyBuilder::fixed()
        .translation(Vec3::new(30.0, 4.0, -20.0))
        .rotation(Vec3::new(0.0, 0.0, 0.3));
    let body = world.insert_body(tilted);
    let square = [(-9.0, -9.0), (-9.0, 9.0), (9.0, 9.0), (9.0, -9.0)];
    let corners = square.map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
    let mesh = ColliderBuilder::trimesh(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let mesh = world.insert_collider(mesh, Some(body));
    index(&mut world);
    let mut link = link();
    link.materials
        .set_triangles(mesh, vec![MaterialId(4), MaterialId(5)]);
    let normal = Vec3::new(-0.3_f32.sin(), 0.3_f32.cos(), 0.0);
    for (side, triangle) in [(3.0, 0), (-3.0, 1)] {
        let query = down(Vec3::new(30.0, 5.0, -20.0 + side));
        let hit = first(&link, &world, query).unwrap();
        let expected = (normal.y + query.shape.lowest(normal, Vec3::Z).dot(normal)) / normal.y;
        assert!(
            (hit.ground.distance - expected).abs() < 5e-6,
            "{hit:?} {expected}"
        );
        assert!((hit.ground.normal - normal).length() < 1e-5, "{hit:?}");
        let told = (hit.ground.triangle, hit.ground.material);
        assert_eq!(told, (Some(triangle), MaterialId(4 + triangle)));
        assert_eq!(hit.ground.body, None);
    }
}

/// The tree's boxes are large for large grounds, flat for flat ones and infinite for half-spaces.
#[rstest]
#[case::half_space(ColliderBuilder::new(SharedShape::halfspace(Vec3::Y)))]
#[case::large(slab(0.0))]
#[case::small(ColliderBuilder::cuboid(0.02, 0.5, 0.02).translation(Vec3::NEG_Y * 0.5))]
#[case::flat(ColliderBuilder::heightfield(Array2::repeat(3, 3, 0.0), Vec3::new(9.0, 1.0, 9.0),))]
fn the_tree_finds_every_ground(#[case] ground: ColliderBuilder) {
    let mut world = PhysicsWorld::new();
    world.insert_collider(ground, None);
    for stepped in [false, true] {
        if stepped {
            world.step();
        } else {
            index(&mut world);
        }
        let query = down(Vec3::Y * 2.0);
        let hit = first(&link(), &world, query).unwrap();
        assert!((hit.ground.distance - (2.0 - R)).abs() < 1e-5, "{hit:?}");
        assert!(!all(&link(), &world, query).is_empty());
        let nan = GroundSweep {
            anchor: DVec3::NAN,
            ..query
        };
        assert_eq!(first(&link(), &world, nan), None);
    }
}

/// 5 km from the origin single precision resolves half a millimeter.
#[test]
fn far_from_the_origin_sweeps_are_as_exact_as_coordinates() {
    let mut world = PhysicsWorld::new();
    let far = Vec3::new(5000.0, 0.0, -5000.0);
    world.insert_collider(slab(0.0).translation(far - Vec3::Y), None);
    index(&mut world);
    let mut worst = 0.0_f32;
    for step in 0..200_u8 {
        let offset = Vec3::new(0.013, 0.0, 0.007) * f32::from(step) + Vec3::Y;
        let query = GroundSweep {
            anchor: far.as_dvec3(),
            offset,
            ..down(Vec3::ZERO)
        };
        let hit = first(&link(), &world, query).unwrap().ground;
        worst = worst.max((hit.distance - (1.0 - R)).abs());
        assert!((hit.normal - Vec3::Y).length() < 1e-6);
    }
    assert!(worst < 1e-6, "{worst:e}");
}
