//! Platforms: their pose, motion, and queries that find them.

use approx::assert_relative_eq;
use rstest::rstest;
use vehicle_core::frame::Axis;
use vehicle_core::math;
use vehicle_core::wheel_shape::{ShapeKind, WheelShape};
use vehicle_core::{
    GroundHit, GroundRay, GroundSweep, MaterialId, QueryFilter, SceneQuery as _, SweepQuery as _,
};

use super::G;
use crate::grounds::GroundPart;
use crate::plane::Plane;
use crate::platform::Platform;
use crate::ramp::Ramp;
use crate::standalone::*;
use crate::{Axes, CollisionBox, TriangleMesh};

const DOWN: GroundRay = GroundRay {
    anchor: DVec3::new(100.0, 10.0, 0.0),
    offset: Vec3::ZERO,
    direction: Vec3::NEG_Y,
    length: 20.0,
    filter: QueryFilter {
        layers: u32::MAX,
        ignore: [None; 2],
        dynamic_bodies: false,
    },
};

fn deck() -> Platform {
    let deck = GroundPart::new(Plane::level(Axis::Y, 0.5).unwrap()).of(MaterialId(7));
    Platform::at_rest(vec![deck], DVec3::new(100.0, 1.0, 0.0))
}

/// A floor at height 0, and one platform.
fn world_with(platform: Platform) -> (Standalone, BodyId) {
    let mut world = Standalone::new(Plane::level(Axis::Y, 0.0).unwrap());
    let id = world.add_platform(platform).unwrap();
    (world, id)
}

fn cast(world: &Standalone, ray: &GroundRay) -> Option<GroundHit> {
    let mut hits = [None];
    world.cast_rays(core::slice::from_ref(ray), &mut hits);
    hits[0]
}

#[test]
fn the_nearest_ground_is_hit_and_names_its_body() {
    let (world, id) = world_with(deck());
    let hit = cast(&world, &DOWN).unwrap();
    assert_eq!((hit.distance, hit.body), (8.5, Some(id)));
    assert_eq!((hit.material, hit.normal), (MaterialId(7), Vec3::Y));
    // The floor hides a platform under it, and wins at equal height.
    for y in [-1.0, -0.5] {
        let sunk = Platform {
            position: DVec3::Y * y,
            ..deck()
        };
        let hit = cast(&world_with(sunk).0, &DOWN).unwrap();
        assert_eq!((hit.distance, hit.body), (10.0, None));
    }
}

/// Rays and sweeps name a ground consistently, and every ground differently.
#[test]
fn every_part_of_every_platform_has_a_unique_collider() {
    let part = |z: f64| {
        let square = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
        let square = square.map(|(x, y)| DVec3::new(x, 0.0, y + z));
        GroundPart::new(TriangleMesh::new(&square, &[[0, 1, 2], [0, 2, 3]]).unwrap())
    };
    let mut world = Standalone::new(vec![part(0.0), part(5.0)]);
    for place in [10.0, 20.0] {
        let platform = Platform::at_rest(vec![part(0.0), part(5.0)], DVec3::Z * place);
        world.add_platform(platform).unwrap();
    }
    let mut names: Vec<ColliderId> = Vec::new();
    for z in [0.0, 5.0, 10.0, 15.0, 20.0, 25.0] {
        let ray = GroundRay {
            anchor: DVec3::new(0.5, 2.0, z),
            ..DOWN
        };
        let sweep = GroundSweep {
            anchor: ray.anchor,
            offset: ray.offset,
            axle: Vec3::X,
            shape: WheelShape {
                kind: ShapeKind::Cylinder,
                radius: 0.3,
                half_width: 0.1,
            },
            direction: ray.direction,
            length: ray.length,
            filter: ray.filter,
        };
        let mut swept = [None];
        world.sweep_first(&[sweep], &mut swept);
        let (hit, swept) = (cast(&world, &ray).unwrap(), swept[0].unwrap().ground);
        world.shift_origin(DVec3::splat(300.0));
        let there = GroundSweep {
            anchor: sweep.anchor - DVec3::splat(300.0),
            ..sweep
        };
        let mut shifted = [None];
        world.sweep_first(&[there], &mut shifted);
        assert_eq!(shifted[0].unwrap().ground, swept);
        world.shift_origin(DVec3::splat(-300.0));
        assert_eq!((hit.collider, hit.body), (swept.collider, swept.body));
        assert!(hit.triangle.is_some() && swept.triangle.is_some());
        assert!(!names.contains(&hit.collider), "{z}: {names:?}");
        names.push(hit.collider);
    }
}

#[test]
fn filters_hold_for_platforms() {
    let mut high = deck();
    high.grounds.0[0].layers = 0b10;
    let (world, id) = world_with(high);
    let with = |filter| cast(&world, &GroundRay { filter, ..DOWN }).unwrap().body;
    let all = DOWN.filter;
    assert_eq!(with(all), Some(id));
    assert_eq!(
        with(QueryFilter {
            layers: 0b01,
            ..all
        }),
        None
    );
    assert_eq!(with(QueryFilter::except(id)), None);
    let nan = GroundRay {
        offset: Vec3::NAN,
        ..DOWN
    };
    assert_eq!(cast(&world, &nan), None);
}

#[test]
fn a_slope_rotates_with_its_platform() {
    // It climbs towards +x, until the platform has turned by a right angle about z.
    let ramp = Ramp::new(Axes::Z_UP, DVec3::ZERO, 30.0, 100.0).unwrap();
    let (mut world, id) = world_with(Platform::at_rest(ramp, DVec3::Z));
    let over = |x: f64, y: f64| GroundRay {
        anchor: DVec3::new(x, y, 20.0),
        direction: Vec3::NEG_Z,
        ..DOWN
    };
    let fall = 19.0 - 10.0 / 3.0_f32.sqrt();
    let distance = |ray| cast(&world, &ray).unwrap().distance;
    assert_relative_eq!(distance(over(10.0, 5.0)), fall, epsilon = 1e-5);
    let quarter = Vec3::Z * core::f32::consts::FRAC_PI_2;
    world.set_velocity(id, Vec3::ZERO, quarter).unwrap();
    for _ in 0..64 {
        world.step(G, 1.0 / 64.0);
    }
    let hit = cast(&world, &over(5.0, 10.0)).unwrap();
    assert_relative_eq!(hit.distance, fall, epsilon = 1e-5);
    let normal = Vec3::new(0.0, -0.5, 0.75_f32.sqrt());
    assert!((hit.normal - normal).length() < 1e-6, "{}", hit.normal);
    assert_eq!(hit.body, Some(id));
}

#[test]
fn a_platform_keeps_its_velocities_and_nothing_pushes_it() {
    let (mut world, id) = world_with(deck());
    let (v, w, dt) = (
        Vec3::new(3.0, -0.25, 1.0),
        Vec3::new(0.3, 0.0, -0.4),
        1.0 / 64.0,
    );
    world.set_velocity(id, v, w).unwrap();
    for _ in 0..64 {
        world.step(G, dt);
    }
    world.step(G, f32::NAN);
    let moved = world.platform(id).unwrap();
    assert_eq!(moved.position, deck().position + v.as_dvec3());
    let turned = math::rotation_about(w / 0.5, 0.5);
    assert!(moved.rotation.dot(turned).abs() > 1.0 - 1e-6);
    let expected = GroundMotion {
        position: moved.position,
        rotation: moved.rotation,
        linear_velocity: v,
        angular_velocity: w,
        mass: None,
        inverse_inertia: glam::Mat3::ZERO,
    };
    assert_eq!(world.ground_motion(id), Some(expected));
    world.react(&[Reaction {
        body: id,
        force: Vec3::X,
        torque: Vec3::ZERO,
        anchor: DVec3::ZERO,
        offset: Vec3::ZERO,
    }]);
    world.step(G, dt);
    assert_eq!(world.ground_motion(id).unwrap().linear_velocity, v);
}

#[test]
fn an_origin_shift_leaves_a_platform_where_it_is() {
    let (mut world, id) = world_with(deck());
    let shift = DVec3::new(1000.0, 2.0, -500.0);
    let before = cast(&world, &DOWN);
    world.shift_origin(shift);
    let ray = GroundRay {
        anchor: DOWN.anchor - shift,
        ..DOWN
    };
    assert_eq!(cast(&world, &ray), before);
    assert_eq!(
        world.ground_motion(id).unwrap().position,
        deck().position - shift
    );
}

#[test]
fn a_platform_is_not_a_free_body() {
    let (mut world, id) = world_with(deck());
    let no = Err(BodyError::NotDynamic(id));
    assert_eq!(world.body(id).map(|_| ()), no);
    assert_eq!(world.remove(id).map(|_| ()), no);
    assert_eq!(world.apply(&[id], &[StepResult::default()]), no);
    assert_eq!(world.read(&[id], &mut [BodyState::BLANK]), no);
    assert!(world.set_force(id, Vec3::X, Vec3::ZERO).is_err());
    let next = world.add_platform(deck()).unwrap();
    assert_ne!(id, next);
    let gone = BodyId(next.0 + 1);
    assert_eq!(
        world.platform(gone).map(|_| ()),
        Err(BodyError::Missing(gone))
    );
    assert_eq!(world.body(gone).map(|_| ()), Err(BodyError::Missing(gone)));
    assert_eq!(world.ground_motion(gone), None);
}

#[test]
fn hulls_pass_through_platforms() {
    let (mut world, _) = world_with(deck());
    let half = Vec3::splat(0.5);
    let hull = CollisionBox {
        half_extents: half,
        centre: Vec3::ZERO,
        friction: 0.5,
        layers: u32::MAX,
    };
    let above = BodyDesc {
        hull: Some(hull),
        ..BodyDesc::at_rest(DVec3::Y * 5.0, 2.0, BodyDesc::box_inertia(2.0, half))
    };
    let id = world.add(&above).unwrap();
    for _ in 0..300 {
        world.step(G, 0.01);
    }
    assert!((world.body(id).unwrap().now().position.y - 0.5).abs() < 0.01);
}

#[rstest]
#[case(Platform { position: DVec3::NAN, ..deck() }, "platform.position")]
#[case(Platform { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..deck() }, "platform.rotation")]
#[case(Platform { linear_velocity: Vec3::INFINITY, ..deck() }, "platform.linear_velocity")]
#[case(Platform { angular_velocity: Vec3::NAN, ..deck() }, "platform.angular_velocity")]
fn bad_numbers_are_refused(#[case] bad: Platform, #[case] fault: &str) {
    let (mut world, id) = world_with(deck());
    let (linear, angular) = (bad.linear_velocity, bad.angular_velocity);
    let set = world.set_velocity(id, linear, angular);
    assert_eq!(set.is_err(), !(linear.is_finite() && angular.is_finite()));
    let error = world.add_platform(bad).unwrap_err().to_string();
    assert!(error.contains(fault), "{error}");
}
