//! Flat ground of every kind and size.

use glam::{Quat, Vec3};
use parry_query::{WheelSweep, sweep_plane, sweep_triangle};
use parry3d::math::Pose;
use parry3d::shape::{
    Ball, Compound, Cuboid, Cylinder, HalfSpace, HeightField, Shape, SharedShape, TriMesh, Triangle,
};
use parry3d::utils::Array2;
use rstest::rstest;
use vehicle_core::GroundSweep;

use crate::dice::Dice;
use crate::{KINDS, cases, down, nearest};

/// A level square centered on 0, made of two triangles.
fn quad(half: f32) -> TriMesh {
    let corner = |x: f32, z: f32| Vec3::new(x * half, 0.0, z * half);
    let corners = vec![
        corner(-1.0, -1.0),
        corner(-1.0, 1.0),
        corner(1.0, 1.0),
        corner(1.0, -1.0),
    ];
    TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap()
}

fn cuboid(half: f32) -> impl Shape {
    Compound::new(vec![(
        Pose::from_translation(Vec3::NEG_Y * half),
        SharedShape::cuboid(half, half, half),
    )])
}

fn heightfield(half: f32) -> HeightField {
    HeightField::new(
        Array2::repeat(9, 9, 0.0),
        Vec3::new(2.0 * half, 1.0, 2.0 * half),
    )
}

/// The distance to the level plane through 0 in closed form, in double precision where it matters.
fn expected(query: &GroundSweep) -> f64 {
    let lowest = query.shape.lowest(Vec3::Y, query.axle);
    let height = f64::from(query.offset.y) + f64::from(lowest.y);
    -height / f64::from(query.direction.y)
}

#[rstest]
fn flat_ground_is_exact_at_every_size(
    #[values(2.0, 20.0, 100.0, 400.0)] half: f32,
    #[values("box", "slab", "mesh", "heightfield", "half-space")] ground: &str,
) {
    let shape: Box<dyn Shape> = match ground {
        "box" => Box::new(cuboid(half)),
        "slab" => Box::new(Cuboid::new(Vec3::new(half, 1.0, half))),
        "mesh" => Box::new(quad(half)),
        "heightfield" => Box::new(heightfield(half)),
        _ => Box::new(HalfSpace::new(Vec3::Y)),
    };
    let pose = Pose::from_translation(if ground == "slab" {
        Vec3::NEG_Y
    } else {
        Vec3::ZERO
    });
    let mut dice = Dice(half.to_bits().into());
    let mut worst = 0.0_f64;
    for turn in 0..cases(2000, 200) as usize {
        let upright = turn % 5 == 0;
        let from =
            Vec3::new(dice.roll(), 0.0, dice.roll()) * 1.2 + Vec3::Y * (1.0 + 0.4 * dice.roll());
        let query = GroundSweep {
            axle: if upright { Vec3::Z } else { dice.direction() },
            direction: (Vec3::NEG_Y + dice.vector(0.2)).normalize(),
            ..down(KINDS[turn % 4], from)
        };
        let hit = nearest(&query, &*shape, &pose).unwrap_or_else(|| panic!("missed: {query:?}"));
        let error = f64::from(hit.distance) - expected(&query);
        worst = worst.max(error.abs());
        // Next to a seam the neighbor may be equally near in single precision, touched at its
        // edge.
        let seams = matches!(ground, "mesh" | "heightfield");
        let open = if seams { 1e-3 } else { 1e-5 };
        assert!((hit.normal - Vec3::Y).length() < open, "{query:?}: {hit:?}");
        assert!((hit.point + from).y.abs() < 1e-5, "{query:?}: {hit:?}");
    }
    println!("{ground} {half}: {worst:.1e} m");
    assert!(worst < 2e-6, "{worst:e}");
}

/// A sphere against round solids.
#[test]
fn round_solids_are_exact() {
    let ball = Ball::new(100.0);
    let query = GroundSweep {
        shape: vehicle_core::WheelShape {
            kind: vehicle_core::ShapeKind::Sphere,
            radius: 0.35,
            half_width: 0.1,
        },
        ..down(KINDS[1], Vec3::new(30.0, 97.0, 4.0))
    };
    let hit = nearest(&query, &ball, &Pose::IDENTITY).unwrap();
    let height = (100.35_f64.powi(2) - 30.0_f64.powi(2) - 16.0).sqrt();
    assert!(
        (f64::from(hit.distance) - (97.0 - height)).abs() < 1e-5,
        "{hit:?} {height}"
    );
    // A log across the sweep, along z.
    let log = Cylinder::new(20.0, 0.5);
    let along = Quat::from_rotation_x(core::f32::consts::FRAC_PI_2);
    let pose = Pose::from_parts(Vec3::ZERO, along);
    let query = GroundSweep {
        axle: Vec3::Z,
        ..down(KINDS[0], Vec3::new(0.3, 2.0, 3.0))
    };
    let hit = nearest(&query, &log, &pose).unwrap();
    let height = (0.85_f64.powi(2) - 0.3_f64.powi(2)).sqrt();
    assert!(
        (f64::from(hit.distance) - (2.0 - height)).abs() < 2e-6,
        "{hit:?} {height}"
    );
}

/// A level slab, hit almost parallel to its top: the distance is the height over the slope, and a
/// sweep of exactly that length reaches it.
#[rstest]
fn a_nearly_parallel_face_is_hit_in_place(
    #[values("slab", "mesh", "half-space")] ground: &str,
    #[values(0, 1, 2, 3)] kind: usize,
    #[values(0.5, 0.03, 0.003)] slope: f32,
) {
    let shape: Box<dyn Shape> = match ground {
        "slab" => Box::new(cuboid(20.0)),
        "mesh" => Box::new(quad(20.0)),
        _ => Box::new(HalfSpace::new(Vec3::Y)),
    };
    let way = Vec3::new((1.0 - slope * slope).sqrt(), -slope, 0.0);
    let query = GroundSweep {
        direction: way,
        ..down(KINDS[kind], Vec3::Y * (0.35 + slope))
    };
    let unit = way.as_dvec3().normalize();
    let height = f64::from(query.offset.y) - f64::from(query.shape.radius);
    let expected = height / -unit.y;
    let just = GroundSweep {
        length: (expected as f32).next_up(),
        ..query
    };
    for query in [query, just] {
        let hit = nearest(&query, &*shape, &Pose::IDENTITY).unwrap();
        let off = f64::from(hit.distance) - expected;
        // A wheel's radius and the direction are in single precision.
        let across = off.abs() * f64::from(slope);
        assert!(across < 6e-8, "{hit:?} {expected}");
        assert!((hit.normal - Vec3::Y).length() < 1e-3, "{hit:?}");
    }
}

/// Shapes relative to the wheel give the same hits as shapes in the world.
#[test]
fn triangles_and_planes_give_the_same_hits_as_shapes_and_as_numbers() {
    let mut dice = Dice(17);
    let mut seen = [0; 2];
    for turn in 0..200 {
        let query = GroundSweep {
            axle: dice.direction(),
            direction: (Vec3::NEG_Y + dice.vector(0.9)).normalize(),
            ..down(KINDS[turn % 4], Vec3::ZERO)
        };
        let way = WheelSweep::new(&query, Vec3::ZERO).unwrap();
        let corners = [0; 3].map(|_| Vec3::NEG_Y * 0.8 + dice.vector(1.2));
        let triangle = Triangle::from(corners);
        let hit = sweep_triangle(corners.map(|corner| corner.as_dvec3()), &way);
        assert_eq!(
            hit,
            nearest(&query, &triangle, &Pose::IDENTITY),
            "{query:?}"
        );
        seen[0] += u32::from(hit.is_some());

        let normal = (Vec3::Y + dice.vector(0.4)).normalize();
        let place = Pose::from_translation(Vec3::NEG_Y * (1.0 + dice.roll()));
        let height = -place
            .translation
            .as_dvec3()
            .dot(normal.as_dvec3().normalize());
        let hit = sweep_plane(normal.as_dvec3().normalize(), height, &way);
        let shape = HalfSpace::new(normal);
        assert_eq!(hit, nearest(&query, &shape, &place), "{query:?}");
        seen[1] += u32::from(hit.is_some());
    }
    assert!(
        seen.into_iter().all(|count| (50..200).contains(&count)),
        "{seen:?}"
    );
}
