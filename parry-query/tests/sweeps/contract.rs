//! The requirements of `SweepQuery` that apply to a single shape.

use glam::{IVec3, Quat, Vec3};
use parry_query::WheelSweep;
use parry3d::math::Pose;
use parry3d::shape::{
    Compound, Cuboid, HalfSpace, HeightField, Polyline, Segment, Shape, SharedShape, TriMesh,
    Voxels,
};
use parry3d::utils::Array2;
use rstest::rstest;
use vehicle_core::{GroundSweep, ShapeKind};

use crate::dice::Dice;
use crate::{KINDS, cases, down, hits, nearest, wheel};

pub(crate) fn slab() -> (Cuboid, Pose) {
    let half = Vec3::new(50.0, 1.0, 50.0);
    (Cuboid::new(half), Pose::from_translation(Vec3::NEG_Y))
}

/// A box equals its twelve triangles, which are another representation of it, and the judge has checked triangles.
#[test]
fn a_box_equals_its_triangles() {
    let mut dice = Dice(7);
    let half = Vec3::new(0.5, 0.2, 0.8);
    let (solid, surface) = (Cuboid::new(half), Cuboid::new(half).to_trimesh());
    let surface = TriMesh::new(surface.0, surface.1).unwrap();
    let (mut seen, mut worst) = (0, 0.0_f32);
    let count = cases(4000, 400);
    for turn in 0..count {
        let pose = Pose::from_parts(dice.vector(0.2), Quat::from_scaled_axis(dice.vector(3.0)));
        let way = dice.direction();
        let query = GroundSweep {
            axle: dice.direction(),
            direction: way,
            length: 3.0,
            ..down(KINDS[turn as usize % 4], dice.vector(0.5) - way * 2.0)
        };
        let (a, b) = (
            nearest(&query, &solid, &pose),
            nearest(&query, &surface, &pose),
        );
        assert_eq!(a.is_some(), b.is_some(), "{query:?}: {a:?} {b:?}");
        if let (Some(a), Some(b)) = (a, b) {
            seen += 1;
            // Across the faces: along the sweep, the error at a steep face is larger.
            let approach = -a.normal.dot(way);
            worst = worst.max((a.distance - b.distance).abs() * approach);
        }
    }
    assert!(4 * seen > count && worst < 2e-6, "{seen} {worst:e}");
}

#[rstest]
fn a_hit_at_exactly_the_length_counts(
    #[values(0, 1, 2, 3)] kind: usize,
    #[values(0.3, 1.0, 1.7, 2.5, 7.3)] length: f32,
) {
    let (shape, pose) = slab();
    let place = Vec3::new(3.0, 0.35 + length, 4.0);
    let query = |length| GroundSweep {
        length,
        ..down(KINDS[kind], place)
    };
    let hit = nearest(&query(length), &shape, &pose).unwrap();
    assert!(hit.distance <= length && hit.distance > length - 1e-5);
    assert_eq!(nearest(&query(length - 1e-4), &shape, &pose), None);
}

#[rstest]
fn a_face_that_the_wheel_slides_along_or_leaves_is_not_hit(
    #[values(0, 1, 2, 3)] kind: usize,
    #[values("box", "half-space", "mesh", "heightfield")] ground: &str,
    #[values(0.0, 0.7, 1.5)] turn: f32,
) {
    let square = vec![
        Vec3::new(-5.0, 0.0, -5.0),
        Vec3::new(-5.0, 0.0, 5.0),
        Vec3::new(5.0, 0.0, 5.0),
        Vec3::new(5.0, 0.0, -5.0),
    ];
    let (shape, pose): (Box<dyn Shape>, _) = match ground {
        "box" => (Box::new(slab().0), slab().1),
        "half-space" => (Box::new(HalfSpace::new(Vec3::Y)), Pose::IDENTITY),
        "mesh" => {
            let mesh = TriMesh::new(square, vec![[0, 1, 2], [0, 2, 3]]);
            (Box::new(mesh.unwrap()), Pose::IDENTITY)
        }
        _ => {
            let field = HeightField::new(Array2::repeat(9, 9, 0.0), Vec3::splat(10.0));
            (Box::new(field), Pose::IDENTITY)
        }
    };
    let (sin, cos) = turn.sin_cos();
    for (from, way) in [
        (0.35, Vec3::X),
        (0.35, Vec3::new(cos, 0.0, sin)),
        (0.35, Vec3::Z),
        (0.36, Vec3::Y),
    ] {
        let query = GroundSweep {
            axle: Vec3::new(-sin, 0.0, cos),
            direction: way,
            ..down(KINDS[kind], Vec3::new(0.3, from, 0.4))
        };
        assert_eq!(hits(&query, &*shape, &pose), [], "{way}");
    }
}

/// The flat side of a cylinder against a wall, the ground below.
#[test]
fn a_wall_beside_a_wheel_does_not_stop_it() {
    let wall = Cuboid::new(Vec3::new(5.0, 1.0, 0.5));
    for nudge in [-3e-8_f32, 0.0, 3e-8] {
        let pose = Pose::from_translation(Vec3::new(0.0, -0.6, 0.6 + nudge));
        let query = down(ShapeKind::Cylinder, Vec3::Y);
        assert_eq!(hits(&query, &wall, &pose), []);
    }
}

#[rstest]
fn an_overlap_reports_the_shortest_way_out(
    #[values(0, 1, 2, 3)] kind: usize,
    #[values(0.01, 0.2, 0.45)] depth: f32,
    #[values("slab", "mesh", "half-space")] ground: &str,
) {
    let (shape, pose) = slab();
    let place = Vec3::new(40.0, 0.35 - depth, 3.0);
    let query = GroundSweep {
        direction: Vec3::new(0.6, -0.8, 0.0),
        ..down(KINDS[kind], place)
    };
    let hit = match ground {
        "slab" => nearest(&query, &shape, &pose),
        "mesh" => {
            let (corners, triangles) = shape.to_trimesh();
            let mesh = TriMesh::new(corners, triangles).unwrap();
            nearest(&query, &mesh, &pose).filter(|hit| hit.triangle.is_some())
        }
        _ => nearest(&query, &HalfSpace::new(Vec3::Y), &Pose::IDENTITY),
    };
    let hit = hit.unwrap();
    assert_eq!(hit.distance, 0.0);
    assert!((hit.normal - Vec3::Y).length() < 1e-5, "{hit:?}");
    // The point lies on the surface.
    assert!((place + hit.point).y.abs() < 1e-5, "{hit:?}");
}

/// The reported displacement out of a box frees the wheel, and no face of the box is nearer.
#[test]
fn overlaps_of_boxes_are_measured_across_their_faces() {
    let mut dice = Dice(11);
    let half = Vec3::new(0.9, 0.5, 1.4);
    let shape = Cuboid::new(half);
    let (mut told, mut silent, mut worst) = (0, 0, 0.0_f32);
    let count = cases(4000, 400);
    for turn in 0..count {
        let query = GroundSweep {
            axle: dice.direction(),
            direction: dice.direction(),
            ..down(KINDS[turn as usize % 4], dice.vector(1.2) * half)
        };
        let depth = |normal: Vec3| {
            let face = (half * normal).abs().element_sum();
            let lowest = query.offset + query.shape.lowest(normal, query.axle);
            face - lowest.dot(normal)
        };
        let faces = [Vec3::X, Vec3::Y, Vec3::Z].map(|n| [n, -n]).concat();
        let nearest_face = faces.into_iter().map(depth).fold(f32::INFINITY, f32::min);
        if nearest_face < 1e-3 {
            continue;
        }
        let Some(hit) = nearest(&query, &shape, &Pose::IDENTITY) else {
            silent += 1;
            continue;
        };
        if hit.distance > 0.0 {
            continue;
        }
        told += 1;
        let place = query.offset + hit.point;
        let lowest = query.offset + query.shape.lowest(hit.normal, query.axle);
        let out = (place - lowest).dot(hit.normal);
        assert!(
            out <= nearest_face + 1e-5,
            "{query:?}: {hit:?} {out} {nearest_face}"
        );
        // Moved out, the wheel is free.
        let freed = GroundSweep {
            offset: query.offset + hit.normal * (out + 1e-4),
            direction: hit.normal,
            ..query
        };
        assert_eq!(
            hits(&freed, &shape, &Pose::IDENTITY),
            [],
            "{query:?}: {hit:?}"
        );
        // Back again, it touches at once; across an edge the search ends within hundredths of a
        // millimeter of the shortest displacement.
        let back = GroundSweep {
            direction: -hit.normal,
            ..freed
        };
        let again = nearest(&back, &shape, &Pose::IDENTITY).unwrap();
        worst = worst.max((again.distance - 1e-4).abs());
    }
    println!("{told} overlaps, {silent} not against the way, {worst:e} m");
    assert!(
        4 * told > count && 8 * silent > count && worst < 5e-5,
        "{told} {silent} {worst:e}"
    );
}

/// An overlap below a surface is one from below.
#[test]
fn a_surface_is_hit_from_both_sides() {
    let square = [(-5.0, -5.0), (-5.0, 5.0), (5.0, 0.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
    let mesh = TriMesh::new(square.to_vec(), vec![[0, 1, 2]]).unwrap();
    let up = GroundSweep {
        direction: Vec3::Y,
        ..down(ShapeKind::Cylinder, Vec3::NEG_Y)
    };
    let hit = nearest(&up, &mesh, &Pose::IDENTITY).unwrap();
    assert!((hit.distance - 0.65).abs() < 1e-6, "{hit:?}");
    assert_eq!((hit.normal, hit.triangle), (Vec3::NEG_Y, Some(0)));
}

/// The shortest displacement out at an edge of a box is sideways, which is parallel to a downward sweep; on
/// top it is up.
#[test]
fn an_overlap_with_a_way_out_not_against_the_sweep_is_no_hit() {
    let wall = Cuboid::new(Vec3::new(5.0, 2.0, 0.5));
    let beside = |depth: f32| Pose::from_translation(Vec3::new(0.0, 0.0, 0.6 - depth));
    let query = down(ShapeKind::Cylinder, Vec3::ZERO);
    assert_eq!(hits(&query, &wall, &beside(0.05)), []);
    let top = down(ShapeKind::Cylinder, Vec3::Y * 2.32);
    assert_eq!(hits(&top, &wall, &beside(0.05)).len(), 1);
}

#[test]
fn touching_at_the_start_is_distance_zero() {
    let (shape, pose) = slab();
    for kind in KINDS {
        let hit = nearest(&down(kind, Vec3::Y * 0.35), &shape, &pose).unwrap();
        assert!(hit.distance < 1e-6, "{hit:?}");
        assert!((hit.normal - Vec3::Y).length() < 1e-4, "{hit:?}");
    }
}

/// Lying flat or standing on its axle.
#[rstest]
#[case(ShapeKind::Cylinder, 0.1)]
#[case(ShapeKind::Sphere, 0.35)]
#[case(ShapeKind::Capsule, 0.45)]
#[case(ShapeKind::RoundedDisc, 0.1)]
fn a_wheel_may_lie_on_its_side(#[case] kind: ShapeKind, #[case] height: f32) {
    let (shape, pose) = slab();
    for axle in [Vec3::Y, Vec3::NEG_Y, Vec3::new(1e-8, 1.0, 0.0)] {
        let query = GroundSweep {
            axle,
            ..down(kind, Vec3::Y)
        };
        let hit = nearest(&query, &shape, &pose).unwrap();
        assert!((hit.distance - (1.0 - height)).abs() < 1e-6, "{hit:?}");
        assert!((hit.point + Vec3::Y).y.abs() < 1e-6, "{hit:?}");
        assert!((hit.point + Vec3::Y).length() < 0.36, "{hit:?}");
    }
}

#[test]
fn every_triangle_and_every_part_is_a_separate_hit() {
    let ledge = |x: f32| {
        (
            Pose::from_translation(Vec3::X * x),
            SharedShape::cuboid(0.1, 0.1, 1.0),
        )
    };
    let compound = Compound::new(vec![ledge(-0.2), ledge(0.2), ledge(3.0)]);
    let query = down(ShapeKind::Cylinder, Vec3::Y);
    assert_eq!(hits(&query, &compound, &Pose::IDENTITY).len(), 2);

    let field = HeightField::new(Array2::repeat(5, 5, 0.0), Vec3::new(4.0, 1.0, 4.0));
    let found = hits(&query, &field, &Pose::IDENTITY);
    let mut triangles: Vec<_> = found.iter().filter_map(|hit| hit.triangle).collect();
    triangles.sort_unstable();
    triangles.dedup();
    assert_eq!(triangles.len(), found.len());
    // Six of the eight triangles around the vertex below; wheels on a vertex never miss.
    assert!(found.len() >= 6, "{found:?}");

    let voxels = Voxels::new(Vec3::ONE, &[IVec3::ZERO, IVec3::X, IVec3::X * 7]);
    let above = GroundSweep {
        offset: Vec3::new(1.0, 2.0, 0.5),
        ..query
    };
    let found = hits(&above, &voxels, &Pose::IDENTITY);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|hit| (hit.distance - 0.65).abs() < 1e-6));

    let line = Polyline::new(vec![Vec3::X * -3.0, Vec3::X * 3.0], None);
    let wire = Segment::new(Vec3::X * -3.0, Vec3::X * 3.0);
    for shape in [&line as &dyn Shape, &wire] {
        let hit = nearest(&query, shape, &Pose::IDENTITY).unwrap();
        assert!((hit.distance - 0.65).abs() < 1e-6, "{hit:?}");
    }
}

#[test]
fn invalid_sweeps_miss() {
    let (shape, pose) = slab();
    let good = down(ShapeKind::Cylinder, Vec3::Y);
    let bad = [
        GroundSweep {
            offset: Vec3::NAN,
            ..good
        },
        GroundSweep {
            length: f32::INFINITY,
            ..good
        },
        GroundSweep {
            length: -1.0,
            ..good
        },
        GroundSweep {
            axle: Vec3::ZERO,
            ..good
        },
        GroundSweep {
            direction: Vec3::ONE,
            ..good
        },
        GroundSweep {
            shape: vehicle_core::WheelShape {
                radius: 0.0,
                ..wheel(ShapeKind::Cylinder)
            },
            ..good
        },
    ];
    for query in bad {
        assert_eq!(hits(&query, &shape, &pose), [], "{query:?}");
    }
}

/// The box around a sweep contains the wheel at both ends and hardly more.
#[test]
fn the_box_around_a_sweep_is_tight() {
    let mut dice = Dice(13);
    for turn in 0..100 {
        let query = GroundSweep {
            axle: dice.direction(),
            direction: dice.direction(),
            length: 1.5 + 1.4 * dice.roll(),
            ..down(KINDS[turn % 4], dice.vector(3.0))
        };
        let found = WheelSweep::new(&query, query.offset).unwrap().aabb();
        let end = query.offset + query.direction * query.length;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let [most, least] = [-axis, axis].map(|against| {
                let reach = query.shape.lowest(against, query.axle).dot(axis);
                [query.offset, end].map(|center| center.dot(axis) + reach)
            });
            let (high, low) = (most[0].max(most[1]), least[0].min(least[1]));
            let (over, under) = (found.maxs.dot(axis) - high, low - found.mins.dot(axis));
            assert!(over > 0.0 && under > 0.0, "{query:?}: {over} {under}");
            assert!(over < 1e-5 && under < 1e-5, "{query:?}: {over} {under}");
        }
    }
}
