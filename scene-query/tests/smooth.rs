//! Smooth normals on top of a world.

use glam::{DVec3, Mat3, Quat, Vec3};
use rstest::rstest;
use scene_query::{
    Axes, BodyDesc, Grounds, HeightField, SmoothNormals, SmoothSurface, SmoothSurfaces, Standalone,
    TriangleMesh, Triangles,
};
use vehicle_core::{
    BodyId, BodyState, ColliderId, GroundRay, GroundSweep, QueryFilter, RigidBodies, SceneQuery,
    ShapeKind, SweepHit, WheelShape,
};

const GROUND: ColliderId = ColliderId(0);
const FAR: DVec3 = DVec3::new(1e5, -1e5, 9e4);

/// A road of waves along x, 8 m long and 0.2 m high, in half-meter steps, starting at `FAR`.
fn waves() -> HeightField {
    let height = |x: f64, _: f64| 0.1 * (x * core::f64::consts::TAU / 8.0).sin();
    HeightField::from_fn(Axes::Z_UP, FAR, 0.5, [65, 9], height).unwrap()
}

fn true_normal(x: f64) -> Vec3 {
    let number = core::f64::consts::TAU / 8.0;
    let slope = 0.1 * number * (x * number).cos();
    DVec3::new(-slope, 0.0, 1.0).normalize().as_vec3()
}

fn ray(x: f64) -> GroundRay {
    GroundRay {
        anchor: FAR + DVec3::new(x, 2.1, 1.0),
        offset: Vec3::ZERO,
        direction: Vec3::NEG_Z,
        length: 3.0,
        filter: QueryFilter::except(BodyId(9)),
    }
}

fn sweep(x: f64) -> GroundSweep {
    let ray = ray(x);
    GroundSweep {
        anchor: ray.anchor,
        offset: ray.offset,
        axle: Vec3::Y,
        shape: WheelShape {
            kind: ShapeKind::Cylinder,
            radius: 0.3,
            half_width: 0.1,
        },
        direction: ray.direction,
        length: ray.length,
        filter: ray.filter,
    }
}

fn smooth(triangles: Triangles) -> SmoothSurfaces {
    let mut surfaces = SmoothSurfaces::default();
    surfaces.set(GROUND, SmoothSurface::new(triangles).unwrap());
    surfaces
}

fn cast(world: &impl SceneQuery, x: f64) -> vehicle_core::GroundHit {
    let mut hits = [None];
    world.cast_rays(&[ray(x)], &mut hits);
    hits[0].unwrap()
}

/// Errors relative to the true normals, and the largest jump within a centimeter: facets and
/// smooth.
#[test]
fn waves_are_rounder_than_their_facets() {
    let mut world = Grounds::from(waves());
    let surfaces = smooth(waves().triangles());
    let mut facets = (0.0_f32, 0.0_f32);
    let mut rounded = facets;
    let mut last = None;
    for step in 100..3000_u16 {
        let x = f64::from(step) * 0.01;
        let facet = cast(&world, x);
        let smooth = cast(&SmoothNormals::new(&mut world, &surfaces), x);
        assert_eq!(
            (smooth.distance, smooth.triangle),
            (facet.distance, facet.triangle)
        );
        facets.0 = facets.0.max((facet.normal - true_normal(x)).length());
        rounded.0 = rounded.0.max((smooth.normal - true_normal(x)).length());
        if let Some((facet_before, smooth_before)) = last.replace((facet.normal, smooth.normal)) {
            facets.1 = facets.1.max((facet.normal - facet_before).length());
            rounded.1 = rounded.1.max((smooth.normal - smooth_before).length());
        }
    }
    println!("error and jump: facets {facets:?}, smooth {rounded:?}");
    // The remaining error is second order in the spacing, that of facets first order.
    assert!(rounded.0 < 0.25 * facets.0 && rounded.1 < 0.05 * facets.1);
}

#[test]
fn swept_wheels_get_smooth_normals_and_still_touch_their_plane() {
    let mut world = Grounds::from(waves());
    let surfaces = smooth(waves().triangles());
    let smooth = SmoothNormals::new(&mut world, &surfaces);
    let sweeps = smooth.sweeps().unwrap();
    for step in 100..300_u16 {
        let query = sweep(f64::from(step) * 0.1);
        let mut first = [None];
        sweeps.sweep_first(&[query], &mut first);
        let hit = first[0].unwrap();
        let x = query.anchor.x - FAR.x + f64::from(hit.point.x);
        assert!(
            (hit.ground.normal - true_normal(x)).length() < 0.01,
            "{hit:?}"
        );
        let center = query.offset + query.direction * hit.ground.distance;
        let lowest = center + query.shape.lowest(hit.ground.normal, query.axle);
        assert!((lowest - hit.point).dot(hit.ground.normal).abs() < 1e-6);
        let mut all = Vec::new();
        sweeps.sweep_all(&[query], &mut |_, hit| all.push(hit));
        assert!(all.contains(&hit));
    }
}

#[test]
fn a_flat_mesh_and_other_colliders_are_unchanged() {
    let rows = vec![vec![0.0; 10]; 10];
    let flat = HeightField::new(Axes::Z_UP, FAR, 0.5, &rows).unwrap();
    let surfaces = smooth(flat.triangles());
    for mut world in [Grounds::from(flat), Grounds::from(waves())] {
        for step in 0..200_u16 {
            let x = 0.2 + f64::from(step) * 0.02;
            let own = cast(&world, x);
            let told = cast(&SmoothNormals::new(&mut world, &surfaces), x);
            if own.normal == Vec3::Z {
                assert_eq!(told, own);
            }
            let nothing = SmoothSurfaces::default();
            let told = cast(&SmoothNormals::new(&mut world, &nothing), x);
            assert_eq!(told, own);
        }
    }
}

/// A roof of two triangles with the ridge on top, queried from both sides, rotated and moved.
#[rstest]
#[case::above(1.0)]
#[case::below(-1.0)]
fn surfaces_have_a_pose_and_two_sides(#[case] side: f64) {
    let roof = Triangles {
        vertices: vec![
            DVec3::new(-1.0, -1.0, 0.0),
            DVec3::new(-1.0, 1.0, 0.0),
            DVec3::new(0.0, 0.0, 0.5),
            DVec3::new(1.0, 0.0, 0.0),
        ],
        corners: vec![[0, 2, 1], [0, 3, 2], [1, 2, 3]],
    };
    let turn = Quat::from_rotation_x(0.4);
    let mut placed = roof.clone();
    for vertex in &mut placed.vertices {
        *vertex = FAR + turn.as_dquat() * *vertex;
    }
    let mut world = Grounds::from(TriangleMesh::of(&placed).unwrap());
    let mut surfaces = SmoothSurfaces::default();
    let up = [Vec3::Z; 4];
    let surface = SmoothSurface::with_normals(roof, &up).unwrap();
    surfaces.set(GROUND, surface.at(FAR, turn).unwrap());
    let up = turn * Vec3::Z * side as f32;
    let query = GroundRay {
        anchor: FAR,
        offset: turn * Vec3::new(0.1, 0.05, 0.0) + up * 2.0,
        direction: -up,
        ..ray(0.0)
    };
    let mut hits = [None];
    SmoothNormals::new(&mut world, &surfaces).cast_rays(&[query], &mut hits);
    let hit = hits[0].unwrap();
    assert!((hit.normal - up).length() < 1e-6, "{hit:?}");
    assert!(surfaces.remove(GROUND) && !surfaces.remove(GROUND));
}

/// Rotating and moving mesh, surface and ray together does the same to the normal.
#[rstest]
#[case(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5))]
#[case(Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()))]
#[case(Quat::from_xyzw(0.0, 0.0, 0.6, 0.8))]
fn smooth_normals_rotate_with_their_surface(#[case] turn: Quat) {
    let turned = |v: Vec3| (turn.as_dquat() * v.as_dvec3()).as_vec3();
    let mut own = waves().triangles();
    own.vertices.iter_mut().for_each(|vertex| *vertex -= FAR);
    let mut placed = own.clone();
    for vertex in &mut placed.vertices {
        *vertex = FAR + turn.as_dquat() * *vertex;
    }
    let mut still = Grounds::from(TriangleMesh::of(&own).unwrap());
    let mut moved = Grounds::from(TriangleMesh::of(&placed).unwrap());
    let surfaces = smooth(own.clone());
    let mut surfaces_there = smooth(own);
    let there = surfaces_there.get_mut(GROUND).unwrap();
    there.place(FAR, turn).unwrap();
    for step in 0..100_u8 {
        let here = GroundRay {
            anchor: DVec3::new(0.3 + f64::from(step) * 0.3, 1.9, 1.0),
            ..ray(0.0)
        };
        let there = GroundRay {
            anchor: FAR + turn.as_dquat() * here.anchor,
            direction: turned(here.direction),
            ..here
        };
        let (mut hit, mut hit_there) = ([None], [None]);
        SmoothNormals::new(&mut still, &surfaces).cast_rays(&[here], &mut hit);
        SmoothNormals::new(&mut moved, &surfaces_there).cast_rays(&[there], &mut hit_there);
        let (hit, hit_there) = (hit[0].unwrap(), hit_there[0].unwrap());
        let apart = (turned(hit.normal) - hit_there.normal).length();
        assert!(apart < 1e-5, "{hit:?} {hit_there:?}");
    }
}

/// Whatever the smooth normal, a wheel's depth in the ground is that of the triangle.
#[test]
fn the_depth_of_an_overlap_is_unchanged() {
    let mut world = Grounds::from(waves());
    let surfaces = smooth(waves().triangles());
    let mut turned = 0.0_f32;
    for step in 100..300_u16 {
        let x = f64::from(step) * 0.1;
        let ground = waves().surface(ray(x).anchor).unwrap().z - ray(x).anchor.z;
        let query = GroundSweep {
            offset: Vec3::Z * (ground as f32 + 0.2),
            ..sweep(x)
        };
        let depth = |hit: &SweepHit| {
            assert_eq!(hit.ground.distance, 0.0);
            let lowest = query.shape.lowest(hit.ground.normal, query.axle);
            (hit.point - query.offset - lowest).dot(hit.ground.normal)
        };
        let (mut own, mut told) = ([None], [None]);
        world.sweeps().unwrap().sweep_first(&[query], &mut own);
        let smooth = SmoothNormals::new(&mut world, &surfaces);
        smooth.sweeps().unwrap().sweep_first(&[query], &mut told);
        let (own, told) = (own[0].unwrap(), told[0].unwrap());
        assert!(depth(&own) > 0.05, "{own:?}");
        assert!(
            (depth(&told) - depth(&own)).abs() < 1e-6,
            "{own:?} {told:?}"
        );
        turned = turned.max((told.ground.normal - own.ground.normal).length());
    }
    assert!(turned > 0.01, "{turned}");
}

#[test]
fn body_access_is_forwarded() {
    let mut world = Standalone::new(waves());
    let car = world
        .add(&BodyDesc::at_rest(
            FAR,
            1000.0,
            Mat3::from_diagonal(Vec3::splat(800.0)),
        ))
        .unwrap();
    let surfaces = smooth(waves().triangles());
    let smooth = SmoothNormals::new(&mut world, &surfaces);
    let mut states = [BodyState::BLANK];
    smooth.read(&[car], &mut states).unwrap();
    assert_eq!(states[0].mass, 1000.0);
    assert!(smooth.ground_motion(car).is_some());
}

#[test]
fn faults_are_reported() {
    let triangles = |corners: &[[u32; 3]]| Triangles {
        vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y],
        corners: corners.to_vec(),
    };
    let told =
        |result: Result<SmoothSurface, scene_query::GroundError>| result.unwrap_err().to_string();
    assert!(told(SmoothSurface::new(triangles(&[[0, 1, 3]]))).contains("must be below 3"));
    let both_sides = told(SmoothSurface::new(triangles(&[[0, 1, 2], [2, 1, 0]])));
    assert!(both_sides.contains("must not cancel out"), "{both_sides}");
    let normals = [Vec3::Z, Vec3::ZERO];
    let error = told(SmoothSurface::with_normals(
        triangles(&[[0, 1, 2]]),
        &normals,
    ));
    assert_eq!(
        error,
        "2 invalid parameter(s):\n\
         surface.normals = 2: must be 3, one per vertex\n\
         surface.normals[1] = [0, 0, 0]: must be finite and not zero"
    );
    let good = SmoothSurface::new(triangles(&[[0, 1, 2]])).unwrap();
    assert!(good.clone().at(DVec3::NAN, Quat::IDENTITY).is_err());
    assert!(
        good.at(DVec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0))
            .is_err()
    );
}
