//! The requirements of `SweepQuery`, on grounds without an engine.

use glam::{DVec3, Quat, Vec3};
use rstest::rstest;
use scene_query::{
    Axes, GroundPart, Grounds, HeightField, Plane, Platform, Ramp, Standalone, Steps, TriangleMesh,
    generate,
};
use vehicle_core::{
    Axis, BodyId, ColliderId, GroundSweep, MaterialId, QueryFilter, SceneQuery, ShapeKind,
    SweepHit, SweepQuery, WheelShape, math,
};

const KINDS: [ShapeKind; 4] = [
    ShapeKind::Cylinder,
    ShapeKind::Sphere,
    ShapeKind::Capsule,
    ShapeKind::RoundedDisc,
];
const FAR: DVec3 = DVec3::new(1e5, -1e5, 9e4);
const R: f32 = 0.35;

/// Straight down for 2 m, the axle along y; z is up.
fn down(kind: ShapeKind, anchor: DVec3, offset: Vec3) -> GroundSweep {
    GroundSweep {
        anchor,
        offset,
        axle: Vec3::Y,
        shape: WheelShape {
            kind,
            radius: R,
            half_width: 0.1,
        },
        direction: Vec3::NEG_Z,
        length: 2.0,
        filter: QueryFilter::except(BodyId(u64::MAX)),
    }
}

fn all(world: &impl SweepQuery, query: &GroundSweep) -> Vec<SweepHit> {
    let mut hits = Vec::new();
    world.sweep_all(&[*query], &mut |number, hit| {
        assert_eq!(number, 0);
        hits.push(hit);
    });
    hits
}

fn first(world: &impl SweepQuery, query: &GroundSweep) -> Option<SweepHit> {
    let mut hits = [None];
    world.sweep_first(&[*query], &mut hits);
    hits[0]
}

/// Level ground through `place`, of any kind.
fn level(ground: &str, place: DVec3) -> Grounds {
    let square = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)];
    let square = square.map(|(x, y)| place + DVec3::new(x, y, 0.0));
    match ground {
        "plane" => Plane::new(place, DVec3::Z).unwrap().into(),
        "ramp" => Ramp::new(Axes::Z_UP, place + DVec3::X * 5.0, 20.0, 3.0)
            .unwrap()
            .into(),
        "steps" => Steps::curb(Axes::Z_UP, place + DVec3::X * 5.0, 0.2)
            .unwrap()
            .into(),
        "heightfield" => {
            let corner = place - DVec3::new(9.0, 9.0, 0.0);
            let rows = vec![vec![0.0; 10]; 10];
            HeightField::new(Axes::Z_UP, corner, 2.0, &rows)
                .unwrap()
                .into()
        }
        _ => TriangleMesh::new(&square, &[[0, 1, 2], [0, 2, 3]])
            .unwrap()
            .into(),
    }
}

/// Directions and axles in turn.
fn leans() -> impl Iterator<Item = (Vec3, Vec3)> {
    (0..60_u8).map(|i| {
        let (sin, cos) = math::sin_cos(f32::from(i) * 0.7);
        let way = Vec3::new(0.3 * sin, 0.3 * cos, -1.0).normalize();
        let axle = Vec3::new(0.4 * cos, 1.0, 0.03 * f32::from(i) * sin).normalize();
        (way, axle)
    })
}

#[rstest]
fn level_ground_is_exact_near_and_far(
    #[values("plane", "ramp", "steps", "heightfield", "mesh")] ground: &str,
    #[values(DVec3::ZERO, FAR)] place: DVec3,
    #[values(0, 1, 2, 3)] kind: usize,
) {
    let world = level(ground, place);
    for (direction, axle) in leans() {
        let query = GroundSweep {
            direction,
            axle,
            ..down(
                KINDS[kind],
                place + DVec3::Z * 2.0,
                Vec3::new(0.3, -0.2, -0.8),
            )
        };
        let lowest = query.shape.lowest(Vec3::Z, axle);
        let expected = -(1.2 + lowest.z) / direction.z;
        let hit = first(&world, &query).unwrap();
        let ground = hit.ground;
        assert!(
            (ground.distance - expected).abs() < 2e-6,
            "{ground:?} {expected}"
        );
        assert!((ground.normal - Vec3::Z).length() < 1e-3, "{ground:?}");
        assert_eq!((ground.body, ground.collider), (None, ColliderId(0)));
        // The point lies on the ground, and on the wheel where it then is.
        assert!((hit.point.z + 2.0).abs() < 1e-5, "{hit:?}");
        let center = query.offset + direction * ground.distance;
        let apart = (hit.point - center - lowest).dot(ground.normal);
        assert!(apart.abs() < 2e-6, "{hit:?}");
    }
}

#[rstest]
fn a_slope_is_exact(#[values(-35.0, 10.0, 40.0)] degrees: f32, #[values(0, 1, 2, 3)] kind: usize) {
    let ramp = Ramp::new(Axes::Z_UP, FAR, degrees, 60.0).unwrap();
    let world = Grounds::from(ramp);
    let (sin, cos) = math::sin_cos(degrees.to_radians());
    let normal = Vec3::new(-sin, 0.0, cos);
    for (direction, axle) in leans() {
        let over = DVec3::new(f64::from(cos), 0.0, f64::from(sin)) * 20.0;
        let query = GroundSweep {
            direction,
            axle,
            ..down(KINDS[kind], FAR + over, normal)
        };
        let lowest = query.shape.lowest(normal, axle);
        let expected = -(1.0 + lowest.dot(normal)) / direction.dot(normal);
        let hit = first(&world, &query).unwrap().ground;
        assert!((hit.distance - expected).abs() < 5e-6, "{hit:?} {expected}");
        assert!((hit.normal - normal).length() < 1e-6, "{hit:?}");
    }
}

/// The center of a wheel over an edge lies on a circle about it.
#[rstest]
fn a_curb_is_hit_at_its_edge(#[values(0.0, 0.05, 0.2, 0.3)] before: f32) {
    let curb = Grounds::from(Steps::curb(Axes::Z_UP, FAR, 0.1).unwrap());
    let start = Vec3::new(-before, 0.0, 1.0);
    let hit = first(&curb, &down(ShapeKind::Cylinder, FAR, start)).unwrap();
    let edge = 1.0 - 0.1 - (R * R - before * before).sqrt();
    let street = 1.0 - R;
    assert!(
        (hit.ground.distance - edge.min(street)).abs() < 2e-6,
        "{hit:?}"
    );
    if edge < street {
        let normal = Vec3::new(-before, 0.0, (R * R - before * before).sqrt()) / R;
        assert!((hit.ground.normal - normal).length() < 1e-4, "{hit:?}");
        assert!(
            (hit.point.z - 0.1).abs() < 1e-6 && hit.point.x.abs() < 1e-6,
            "{hit:?}"
        );
    }
}

/// Next to a curb's face a wheel still finds the street.
#[test]
fn a_face_along_the_way_is_not_hit() {
    let curb = Grounds::from(Steps::curb(Axes::Z_UP, DVec3::ZERO, 0.5).unwrap());
    let query = down(ShapeKind::Cylinder, DVec3::ZERO, Vec3::new(-R, 0.0, 0.4));
    let hits = all(&curb, &query);
    assert_eq!(hits.len(), 1, "{hits:?}");
    assert!((hits[0].ground.distance - 0.05).abs() < 1e-6);
}

#[rstest]
fn a_hit_at_exactly_the_length_counts(
    #[values("plane", "ramp", "steps", "heightfield", "mesh")] ground: &str,
    #[values(0.3, 1.0, 2.5)] length: f32,
) {
    let world = level(ground, FAR);
    let query = |length| GroundSweep {
        length,
        ..down(ShapeKind::Capsule, FAR, Vec3::new(0.1, 0.2, R + 2.5))
    };
    let starts = |mut query: GroundSweep| {
        query.offset.z = R + length;
        query
    };
    let hit = first(&world, &starts(query(length))).unwrap().ground;
    assert!(hit.distance <= length && hit.distance > length - 1e-6);
    assert_eq!(first(&world, &starts(query(length - 1e-4))), None);
}

#[rstest]
fn a_wheel_in_the_ground_finds_the_surface(
    #[values("plane", "ramp", "steps", "heightfield", "mesh")] ground: &str,
    #[values(0.01, 0.2, 0.5, 0.69, 1.5)] depth: f32,
) {
    let world = level(ground, FAR);
    let query = down(ShapeKind::Cylinder, FAR, Vec3::new(0.3, 0.2, R - depth));
    let hit = first(&world, &query);
    if ground == "mesh" && depth > 2.0 * R {
        // A mesh has no inside.
        assert_eq!(hit, None);
        return;
    }
    let hit = hit.unwrap();
    assert_eq!(hit.ground.distance, 0.0);
    assert!((hit.ground.normal - Vec3::Z).length() < 1e-6, "{hit:?}");
    assert!(hit.point.z.abs() < 1e-6, "{hit:?}");
}

#[test]
fn an_overlap_hides_no_hit_and_is_reported_if_alone() {
    let ceiling = Plane::level(Axis::Z, 0.9).unwrap();
    let floor = Plane::level(Axis::Z, 0.0).unwrap();
    let both = Grounds(vec![
        GroundPart::new(ceiling),
        GroundPart::new(floor).of(MaterialId(3)),
    ]);
    let query = down(ShapeKind::Sphere, DVec3::ZERO, Vec3::Z);
    let overlapping = first(&both, &query).unwrap().ground;
    assert_eq!(
        (overlapping.distance, overlapping.collider),
        (1.0 - R, ColliderId(1))
    );
    assert_eq!(overlapping.material, MaterialId(3));
    let alone = Grounds::from(ceiling);
    assert_eq!(first(&alone, &query).unwrap().ground.distance, 0.0);
    assert_eq!(all(&both, &query).len(), 2);

    let slant = Plane::new(DVec3::Z, DVec3::new(0.5, 0.0, 1.0)).unwrap();
    let two = Grounds(vec![GroundPart::new(slant), GroundPart::new(ceiling)]);
    assert_eq!(first(&two, &query).unwrap().ground.collider, ColliderId(1));
}

#[test]
fn layers_and_numbers_are_checked() {
    let low = GroundPart::new(Plane::level(Axis::Z, 0.0).unwrap()).in_layers(0b01);
    let high = GroundPart::new(Plane::level(Axis::Z, 0.5).unwrap()).in_layers(0b10);
    let world = Grounds(vec![low, high]);
    let mut query = down(ShapeKind::Cylinder, DVec3::ZERO, Vec3::Z);
    query.filter.layers = 0b01;
    assert_eq!(
        first(&world, &query).unwrap().ground.collider,
        ColliderId(0)
    );
    query.filter.layers = 0b10;
    assert_eq!(
        first(&world, &query).unwrap().ground.collider,
        ColliderId(1)
    );
    query.filter.layers = 0b100;
    assert_eq!(first(&world, &query), None);
    let bad = GroundSweep {
        anchor: DVec3::NAN,
        ..down(ShapeKind::Cylinder, DVec3::ZERO, Vec3::Z)
    };
    assert_eq!(first(&world, &bad), None);
    assert_eq!(all(&world, &bad), []);
}

/// A heightfield walk and a mesh tree find the same triangles: none is overlooked.
#[test]
fn a_heightfield_equals_the_mesh_of_its_triangles() {
    let hills = generate::hills(&generate::Hills {
        seed: 3,
        size: 60,
        cell: 1.3,
        amplitude: 6.0,
        up: Axis::Z,
    })
    .unwrap();
    let mesh = Grounds::from(TriangleMesh::of(&hills.triangles()).unwrap());
    let field = Grounds::from(hills.clone());
    for (n, (direction, axle)) in leans().enumerate() {
        let place = DVec3::new(n as f64 * 0.37 - 15.0, 7.0 - n as f64 * 0.59, 0.0);
        let surface = hills.surface(place).unwrap();
        let query = GroundSweep {
            direction,
            axle,
            ..down(KINDS[n % 4], surface, Vec3::Z)
        };
        let sorted = |world: &Grounds| {
            let mut hits = all(world, &query);
            hits.sort_by_key(|hit| hit.ground.triangle);
            hits
        };
        assert_eq!(sorted(&field), sorted(&mesh));
        assert_eq!(first(&field, &query), first(&mesh, &query));
        assert!(first(&field, &query).is_some());
    }
}

/// A wheel above a vertex, an edge or a diagonal never falls through.
#[test]
fn wheels_on_grid_lines_never_miss() {
    let field = level("heightfield", DVec3::ZERO);
    for kind in KINDS {
        for i in 0..=16_u8 {
            for j in 0..=16_u8 {
                let place = Vec3::new(f32::from(i), f32::from(j), 9.0) - 8.0;
                let hit = first(&field, &down(kind, DVec3::ZERO, place)).unwrap();
                assert!((hit.ground.distance - (1.0 - R)).abs() < 1e-6, "{place}");
            }
        }
    }
}

#[test]
fn platforms_are_hit_in_place_and_by_id() {
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
    let deck = Plane::level(Axis::Z, 0.2).unwrap();
    let turn = Quat::from_rotation_y(0.1);
    let platform = Platform {
        rotation: turn,
        ..Platform::at_rest(deck, FAR)
    };
    let id = world.add_platform(platform).unwrap();
    let normal = turn * Vec3::Z;
    let query = down(ShapeKind::Cylinder, FAR, normal);
    let hit = first(&world, &query).unwrap();
    let lowest = query.shape.lowest(normal, Vec3::Y).dot(normal);
    let expected = (1.0 - 0.2 + lowest) / normal.z;
    assert!((hit.ground.distance - expected).abs() < 2e-6, "{hit:?}");
    assert!((hit.ground.normal - normal).length() < 1e-6, "{hit:?}");
    assert!((hit.point.dot(normal) - 0.2).abs() < 2e-6, "{hit:?}");
    assert_eq!(
        (hit.ground.body, hit.ground.collider.0),
        (Some(id), 1 << 32)
    );

    let mut without = query;
    without.filter.ignore[1] = Some(id);
    assert_eq!(first(&world, &without), None);
    world.shift_origin(FAR);
    let shifted = GroundSweep {
        anchor: DVec3::ZERO,
        ..query
    };
    assert_eq!(first(&world, &shifted), Some(hit));
    assert!(world.sweeps().is_some());
}

#[test]
#[should_panic(expected = "one hit per sweep")]
fn a_short_answer_slice_is_refused() {
    let query = down(ShapeKind::Cylinder, DVec3::ZERO, Vec3::Z);
    level("plane", DVec3::ZERO).sweep_first(&[query], &mut []);
}
