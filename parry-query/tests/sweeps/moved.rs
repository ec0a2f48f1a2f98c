//! Rotating, mirroring and moving a shape together with the sweep does the same to the hits.

use glam::{DQuat, IVec3, Quat, Vec3};
use parry_query::ShapeHit;
use parry3d::math::Pose;
use parry3d::shape::{
    Compound, HalfSpace, HeightField, Polyline, SharedShape, TriMesh, Triangle, Voxels,
};
use parry3d::utils::Array2;
use rstest::rstest;
use vehicle_core::GroundSweep;

use crate::dice::Dice;
use crate::{KINDS, cases, down, hits};

/// A tetrahedron that is its own mirror image across z.
fn tetrahedron() -> TriMesh {
    let corners = vec![
        Vec3::new(-0.8, -0.5, 0.9),
        Vec3::new(-0.8, -0.5, -0.9),
        Vec3::new(1.1, -0.4, 0.0),
        Vec3::new(0.1, 0.7, 0.0),
    ];
    let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    TriMesh::new(corners, triangles).unwrap()
}

/// Shapes that are their own mirror images across z, with hits that differ along x.
fn shape(kind: &str) -> SharedShape {
    match kind {
        "half-space" => SharedShape::new(HalfSpace::new(Vec3::new(0.6, 0.8, 0.0))),
        "box" => SharedShape::cuboid(0.9, 0.3, 1.4),
        "ball" => SharedShape::ball(0.7),
        "capsule" => SharedShape::capsule(Vec3::NEG_X, Vec3::new(0.8, 0.4, 0.0), 0.3),
        "cylinder" => SharedShape::cylinder(0.4, 0.8),
        "cone" => SharedShape::cone(0.6, 0.9),
        "round box" => SharedShape::round_cuboid(0.7, 0.2, 1.0, 0.2),
        "hull" => SharedShape::convex_hull(tetrahedron().vertices()).unwrap(),
        "triangle" => SharedShape::new(Triangle::new(
            Vec3::new(-1.0, 0.0, 1.0),
            Vec3::new(-1.0, 0.0, -1.0),
            Vec3::new(1.2, 0.5, 0.0),
        )),
        "mesh" => SharedShape::new(tetrahedron()),
        "heightfield" => {
            let heights = (0..5).flat_map(|j| (0..5).map(move |_| 0.2 * j as f32));
            let heights = Array2::new(5, 5, heights.collect());
            SharedShape::new(HeightField::new(heights, Vec3::new(3.0, 1.0, 3.0)))
        }
        "compound" => {
            let part = |x: f32, y: f32, z: f32| {
                let place = Pose::from_parts(Vec3::new(x, y, z), Quat::from_rotation_z(0.4));
                (place, SharedShape::cuboid(0.4, 0.3, 0.5))
            };
            let parts = vec![
                part(-0.8, 0.0, 0.7),
                part(-0.8, 0.0, -0.7),
                part(0.9, 0.2, 0.0),
            ];
            SharedShape::new(Compound::new(parts))
        }
        "polyline" => {
            let corners = [(-1.0, 0.2), (0.0, 0.5), (1.2, -0.3)];
            let corners = corners.map(|(x, y)| Vec3::new(x, y, 0.0));
            SharedShape::new(Polyline::new(corners.to_vec(), None))
        }
        _ => {
            let filled = [IVec3::ZERO, IVec3::new(2, 0, 0), IVec3::new(-2, 1, 0)];
            // Their centers are at half a voxel.
            let voxels = Voxels::new(Vec3::new(0.5, 0.5, 0.8), &filled);
            let place = Pose::from_translation(Vec3::NEG_Z * 0.4);
            let part = (place, SharedShape::new(voxels));
            SharedShape::new(Compound::new(vec![part]))
        }
    }
}

/// A sweep toward the shape from all sides; occasionally it starts inside.
fn toward(dice: &mut Dice, turn: u32) -> GroundSweep {
    let way = dice.direction();
    GroundSweep {
        axle: dice.direction(),
        direction: way,
        length: 4.0,
        ..down(
            KINDS[turn as usize % 4],
            dice.vector(0.6) - way * (1.2 + 1.2 * dice.roll()),
        )
    }
}

/// The nearest distance, and the normal there.
fn first(found: &[ShapeHit]) -> Option<&ShapeHit> {
    found
        .iter()
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// Asserts that two lists of hits are the same up to `turn`; distances are compared across faces.
fn assert_same(
    turn: impl Fn(Vec3) -> Vec3,
    query: &GroundSweep,
    here: &[ShapeHit],
    there: &[ShapeHit],
) {
    let (Some(from), Some(to)) = (first(here), first(there)) else {
        assert_eq!(here.len(), there.len(), "{query:?}");
        return;
    };
    let approach = -from.normal.dot(query.direction);
    let apart = (from.distance - to.distance).abs() * approach;
    assert!(apart < 5e-6, "{query:?}: {from:?} {to:?}");
    // An overlap equally near two faces may report either.
    if from.distance > 0.0 {
        let turned = (turn(from.normal) - to.normal).length();
        assert!(turned < 2e-3, "{query:?}: {from:?} {to:?}");
        let across = (turn(from.point) - to.point).dot(to.normal);
        assert!(across.abs() < 1e-5, "{query:?}: {from:?} {to:?}");
    }
}

#[rstest]
fn hits_do_not_depend_on_the_pose(
    #[values(
        "half-space",
        "box",
        "ball",
        "capsule",
        "cylinder",
        "cone",
        "round box",
        "hull",
        "triangle",
        "mesh",
        "heightfield",
        "compound",
        "polyline",
        "voxels"
    )]
    kind: &str,
    #[values(
        Pose::from_translation(Vec3::new(5.0, -3.0, 2.0)),
        Pose::from_parts(Vec3::X, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)),
        Pose::from_parts(Vec3::Z, Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()))
    )]
    pose: Pose,
) {
    let (shape, mut dice) = (shape(kind), Dice(3));
    let exact: DQuat = pose.rotation.as_dquat().normalize();
    let turn = |v: Vec3| (exact * v.as_dvec3()).as_vec3();
    let (mut seen, count) = (0, cases(1000, 100));
    for number in 0..count {
        let query = toward(&mut dice, number);
        let turned = GroundSweep {
            offset: turn(query.offset) + pose.translation,
            axle: turn(query.axle),
            direction: turn(query.direction),
            ..query
        };
        let here = hits(&query, &*shape, &Pose::IDENTITY);
        let there = hits(&turned, &*shape, &pose);
        seen += u32::from(!here.is_empty());
        assert_same(turn, &query, &here, &there);
    }
    assert!(4 * seen > count, "{seen}");
}

/// Mirrored sweeps have mirrored hits, except on heightfields: the diagonals of their cells are not symmetric.
#[rstest]
fn mirrored_sweeps_have_mirrored_hits(
    #[values(
        "half-space",
        "box",
        "ball",
        "capsule",
        "cylinder",
        "cone",
        "round box",
        "hull",
        "triangle",
        "mesh",
        "compound",
        "polyline",
        "voxels"
    )]
    kind: &str,
) {
    let (shape, mut dice) = (shape(kind), Dice(5));
    let mirror = |v: Vec3| Vec3::new(v.x, v.y, -v.z);
    for number in 0..cases(1000, 100) {
        let query = toward(&mut dice, number);
        let image = GroundSweep {
            offset: mirror(query.offset),
            axle: mirror(query.axle),
            direction: mirror(query.direction),
            ..query
        };
        let [here, there] = [query, image].map(|query| hits(&query, &*shape, &Pose::IDENTITY));
        assert_same(mirror, &query, &here, &there);
    }
}

/// A hit exists at any length that reaches it, and at no other.
#[test]
fn the_length_decides_whether_there_is_a_hit_but_not_where() {
    let (shape, mut dice) = (shape("hull"), Dice(9));
    for number in 0..cases(1000, 100) {
        let query = toward(&mut dice, number);
        let found = hits(&query, &*shape, &Pose::IDENTITY);
        let Some(hit) = first(&found) else { continue };
        let approach = -hit.normal.dot(query.direction);
        // Along a steep face, rounding moves hits by more than the bound here.
        if approach < 0.05 {
            continue;
        }
        for more in [1e-3, 1.0, 50.0] {
            let longer = GroundSweep {
                length: hit.distance + more,
                ..query
            };
            let again = hits(&longer, &*shape, &Pose::IDENTITY);
            let apart = first(&again).unwrap().distance - hit.distance;
            assert!(apart.abs() * approach < 5e-5, "{query:?}: {hit:?} {apart}");
        }
        let shorter = GroundSweep {
            length: (hit.distance - 1e-2).max(0.0),
            ..query
        };
        let stopped = hits(&shorter, &*shape, &Pose::IDENTITY);
        assert!(hit.distance < 2e-2 || stopped.is_empty(), "{query:?}");
    }
}
