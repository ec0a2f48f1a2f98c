//! Rotating and moving a world together with the query does the same to the answer, and the
//! creation order of colliders does not matter.

use backend_rapier::{RapierLink, RapierScene, index_colliders};
use glam::{DQuat, DVec3, Quat, Vec3};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{
    Frame, GroundHit, GroundRay, GroundSweep, MaterialId, SceneQuery, ShapeKind, SweepHit,
    SweepQuery, WheelShape,
};

/// The grounds of the world, of many kinds and partly hiding each other. No cylinders: the normals
/// of Parry's rays on them depend on the world's axes.
fn grounds() -> Vec<ColliderBuilder> {
    let waves = (0..12).flat_map(|j| (0..9).map(move |i| 0.3 * ((i * 7 + j * 3) % 5) as f32));
    let field = Array2::new(9, 12, waves.collect());
    let tilt = Vec3::new(0.2, 0.1, -0.3);
    let mesh = [(-2.0, -2.0), (-2.0, 2.0), (2.0, 2.0), (2.0, -2.0)];
    let mesh = mesh.map(|(x, z)| Vec3::new(x, 0.3 * x - 0.2 * z, z));
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    let kinds = [
        ColliderBuilder::heightfield(field, Vec3::new(12.0, 1.0, 9.0)).translation(Vec3::NEG_Y),
        ColliderBuilder::cuboid(1.0, 0.4, 1.5).translation(Vec3::X * 2.0),
        ColliderBuilder::ball(0.8).translation(Vec3::new(-2.0, 0.3, 1.0)),
        ColliderBuilder::cuboid(0.4, 1.5, 0.3).translation(Vec3::new(0.0, 0.5, -2.0)),
        ColliderBuilder::trimesh(mesh.to_vec(), triangles).unwrap(),
    ];
    let numbered = kinds.into_iter().enumerate();
    let turned = numbered.map(|(n, ground)| {
        let tilt = if n == 0 { Vec3::ZERO } else { tilt * n as f32 };
        let ground = ground.rotation(tilt);
        ground.user_data(n as u128 + 1)
    });
    turned.collect()
}

/// The grounds in the order of `numbers`, all moved by a pose.
fn world(pose: Pose, numbers: &[usize]) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let grounds = grounds();
    for &number in numbers {
        let mut ground = grounds[number].clone();
        ground.position = pose * ground.position;
        world.insert_collider(ground, None);
    }
    index_colliders(
        &world.integration_parameters,
        &world.bodies,
        &mut world.colliders,
        &mut world.broad_phase,
    );
    world
}

const ORDER: [usize; 5] = [0, 1, 2, 3, 4];

/// Six well-distributed numbers in −1…1.
fn spread(n: usize) -> [f32; 6] {
    const STEPS: [f64; 6] = [
        0.414_213, 0.732_051, 0.236_068, 0.645_751, 0.316_625, 0.605_551,
    ];
    STEPS.map(|step| ((n as f64 * step).fract() * 2.0 - 1.0) as f32)
}

/// A moving wheel, in the frame of a pose.
fn sweep(n: usize, pose: Pose) -> GroundSweep {
    const KINDS: [ShapeKind; 4] = [
        ShapeKind::Cylinder,
        ShapeKind::Sphere,
        ShapeKind::Capsule,
        ShapeKind::RoundedDisc,
    ];
    let [x, y, z, a, b, c] = spread(n);
    let turned = |v: Vec3| (pose.rotation.as_dquat() * v.as_dvec3()).as_vec3();
    let anchor = DVec3::new(0.5, 2.0, -0.25);
    let turn: DQuat = pose.rotation.as_dquat();
    GroundSweep {
        anchor: pose.translation.as_dvec3() + turn * anchor,
        offset: turned(Vec3::new(3.0 * x, 0.5 * y, 2.5 * z)),
        axle: turned(Vec3::new(0.3 * b, 0.2 * c, 1.0).normalize()),
        shape: WheelShape {
            kind: KINDS[n % 4],
            radius: 0.35,
            half_width: 0.1,
        },
        direction: turned(Vec3::new(a, -1.2, b).normalize()),
        length: 6.0,
        filter: vehicle_core::QueryFilter {
            layers: u32::MAX,
            ignore: [None, None],
            dynamic_bodies: true,
        },
    }
}

fn cast(world: &PhysicsWorld, query: &GroundSweep) -> Option<GroundHit> {
    let link = RapierLink::new(Frame::X_FORWARD_Y_UP);
    let ray = GroundRay {
        anchor: query.anchor,
        offset: query.offset,
        direction: query.direction,
        length: query.length,
        filter: query.filter,
    };
    let mut hits = [None];
    RapierScene::of(&link, world).cast_rays(&[ray], &mut hits);
    hits[0]
}

fn first(world: &PhysicsWorld, query: &GroundSweep) -> Option<SweepHit> {
    let link = RapierLink::new(Frame::X_FORWARD_Y_UP);
    let mut hits = [None];
    RapierScene::of(&link, world).sweep_first(&[*query], &mut hits);
    hits[0]
}

/// Asserts that two hits are the same up to a rotation; distances are compared across the ground.
fn assert_same(turn: Quat, direction: Vec3, from: &GroundHit, moved: &GroundHit) {
    let approach = -moved.normal.dot(direction);
    let apart = (from.distance - moved.distance).abs() * approach;
    let turned = (turn * from.normal - moved.normal).length();
    assert!(apart < 2e-5 && turned < 2e-3, "{from:?} {moved:?}");
    assert_eq!(from.material, moved.material);
    assert_ne!(from.material, MaterialId(0));
}

#[rstest]
#[case::moved(Pose::from_translation(Vec3::new(3.0, -7.0, 11.0)))]
#[case::x_up(Pose::from_parts(Vec3::Z, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)))]
#[case::leaning(Pose::from_parts(Vec3::Y, Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt())))]
fn a_moved_world_gives_the_same_hits(#[case] pose: Pose) {
    let (here, there) = (world(Pose::IDENTITY, &ORDER), world(pose, &ORDER));
    let mut materials = [0; 6];
    for n in 0..200 {
        let (own, moved) = (sweep(n, Pose::IDENTITY), sweep(n, pose));
        let (from, to) = (cast(&here, &own).unwrap(), cast(&there, &moved).unwrap());
        assert_same(pose.rotation, moved.direction, &from, &to);
        assert_eq!(from.triangle, to.triangle);
        let (from, to) = (first(&here, &own).unwrap(), first(&there, &moved).unwrap());
        assert_same(pose.rotation, moved.direction, &from.ground, &to.ground);
        let apart = to.point - pose.rotation * from.point;
        assert!(apart.dot(to.ground.normal).abs() < 5e-5, "{from:?} {to:?}");
        materials[from.ground.material.0 as usize] += 1;
    }
    assert!(
        materials[1..].iter().all(|&count| count > 5),
        "{materials:?}"
    );
}

#[test]
fn the_order_of_colliders_does_not_matter() {
    let here = world(Pose::IDENTITY, &ORDER);
    let there = world(Pose::IDENTITY, &[3, 1, 4, 0, 2]);
    for n in 0..200 {
        let query = sweep(n, Pose::IDENTITY);
        let bare = |hit: GroundHit| (hit.distance, hit.normal, hit.material, hit.triangle);
        assert_eq!(
            cast(&here, &query).map(bare),
            cast(&there, &query).map(bare)
        );
        let bare = |hit: SweepHit| (bare(hit.ground), hit.point);
        assert_eq!(
            first(&here, &query).map(bare),
            first(&there, &query).map(bare)
        );
    }
}
