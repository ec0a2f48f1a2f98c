//! Smooth normals in other kinds of worlds: Rapier's meshes and heightfields, and a car's ride.

use core::f64::consts::TAU;

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::params::Probe;
use jounce::core::{
    Air, BodyId, BodyState, CarCommand, Checked, Command, Environment, Frame, GroundRay,
    GroundSweep, QueryFilter, RigidBodies, SceneQuery, ShapeKind, Surfaces, SweepQuery, Vehicle,
    WheelShape, step,
};
use jounce::rapier::{RapierLink, RapierWorld, collider_id, index_colliders, surface_triangles};
use jounce::scene::{
    Axes, BodyDesc, HeightField, SmoothNormals, SmoothSurface, SmoothSurfaces, Standalone,
    Triangles,
};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use rstest::rstest;

/// Waves of 8 m along x, 20 cm from top to bottom.
fn height(x: f64) -> f64 {
    0.1 * (x * TAU / 8.0).sin()
}

fn slope(x: f64) -> f64 {
    0.1 * TAU / 8.0 * (x * TAU / 8.0).cos()
}

/// 40 m of waves along x in half meters; y is up.
fn waves(heightfield: bool) -> ColliderBuilder {
    let mut heights = Array2::zeros(21, 81);
    for row in 0..21 {
        for column in 0..81 {
            heights[(row, column)] = height(column as f64 * 0.5 - 20.0) as f32;
        }
    }
    let scale = Vec3::new(40.0, 1.0, 10.0);
    if heightfield {
        return ColliderBuilder::heightfield(heights, scale);
    }
    let field = ColliderBuilder::heightfield(heights, scale).build();
    let (vertices, corners) = surface_triangles(field.shape()).unwrap();
    ColliderBuilder::trimesh(vertices, corners).unwrap()
}

#[rstest]
fn rapiers_surfaces_are_smooth_too(#[values(true, false)] heightfield: bool) {
    let mut world = PhysicsWorld::new();
    let ground = world.insert_collider(waves(heightfield), None);
    index_colliders(
        &world.integration_parameters,
        &world.bodies,
        &mut world.colliders,
        &mut world.broad_phase,
    );
    let (vertices, corners) = surface_triangles(world.colliders[ground].shape()).unwrap();
    let vertices = vertices.iter().map(|v| v.as_dvec3()).collect();
    let surface = SmoothSurface::new(Triangles { vertices, corners }).unwrap();
    let mut surfaces = SmoothSurfaces::default();
    surfaces.set(collider_id(ground), surface);
    let mut link = RapierLink::new(Frame::X_FORWARD_Y_UP);
    let mut world = RapierWorld::of(&mut link, &mut world);
    let smooth = SmoothNormals::new(&mut world, &surfaces);
    let filter = QueryFilter::except(BodyId(u64::MAX));
    let (mut facet, mut rounded) = (0.0_f64, 0.0_f64);
    for i in 0..300_u16 {
        let x = f64::from(i) * 0.1 - 15.0;
        let ray = GroundRay {
            anchor: DVec3::new(x, 1.0, 0.63),
            offset: Vec3::ZERO,
            direction: Vec3::NEG_Y,
            length: 2.0,
            filter,
        };
        let true_normal = DVec3::new(-slope(x), 1.0, 0.0).normalize();
        let mut hits = [None];
        smooth.world().cast_rays(&[ray], &mut hits);
        facet = facet.max((hits[0].unwrap().normal.as_dvec3() - true_normal).length());
        smooth.cast_rays(&[ray], &mut hits);
        rounded = rounded.max((hits[0].unwrap().normal.as_dvec3() - true_normal).length());

        let sweep = GroundSweep {
            anchor: ray.anchor,
            offset: ray.offset,
            axle: Vec3::Z,
            shape: WheelShape {
                kind: ShapeKind::Cylinder,
                radius: 0.35,
                half_width: 0.1,
            },
            direction: ray.direction,
            length: ray.length,
            filter,
        };
        let mut hits = [None];
        smooth.sweep_first(&[sweep], &mut hits);
        let hit = hits[0].unwrap();
        let x = x + f64::from(hit.point.x);
        let true_normal = DVec3::new(-slope(x), 1.0, 0.0).normalize();
        let error = (hit.ground.normal.as_dvec3() - true_normal).length();
        assert!(error < 0.012, "{error} {hit:?}");
    }
    println!("normals off by up to: facets {facet:.4}, smooth {rounded:.4}");
    assert!(rounded < 0.25 * facet);
}

/// A sedan over waves: jumps of the longitudinal ground force from step to step.
#[rstest]
fn a_car_rides_smoother_than_over_facets(#[values(Probe::Ray, Probe::Sections)] probe: Probe) {
    let field = HeightField::from_fn(Axes::Z_UP, DVec3::new(-20.0, -5.0, 0.0), 0.5, [241, 21], {
        |x, _| height(x)
    })
    .unwrap();
    let surface = SmoothSurface::new(field.triangles()).unwrap();
    let mut smooth = SmoothSurfaces::default();
    smooth.set(jounce::core::ColliderId(0), surface);
    let jerk = |surfaces: &SmoothSurfaces| {
        const DT: f32 = 1.0 / 240.0;
        let car = jounce::presets::sedan();
        let mut params = (*car.model().params()).clone();
        params.probe = probe;
        let params = Checked::new(params).unwrap();
        let model = Arc::new(car.model().with_params(params).unwrap());
        let mut world = Standalone::new(field.clone());
        let desc = BodyDesc {
            linear_velocity: Vec3::X * 8.0,
            ..BodyDesc::at_rest(DVec3::Z * 0.6, car.mass(), car.inertia())
        };
        let body = world.add(&desc).unwrap();
        let mut vehicle = Vehicle::new(Arc::clone(&model), body);
        let mut states = [BodyState::BLANK];
        let (mut last, mut sum) = ([Vec3::ZERO; 2], 0.0);
        let gravity = Vec3::NEG_Z * 9.81;
        let environment = Environment {
            gravity,
            surfaces: &Surfaces::new(),
            air: Air::STILL,
        };
        let command = Command::Car(CarCommand {
            clutch: 1.0,
            ..CarCommand::default()
        });
        for tick in 0..1200 {
            let mut view = SmoothNormals::new(&mut world, surfaces);
            step(&mut vehicle, &mut view, &command, &environment, DT).unwrap();
            world.step(gravity, DT);
            world.read(&[body], &mut states).unwrap();
            let velocity = vehicle.updated_velocity().0;
            let acceleration = (velocity - last[0]) / DT;
            if tick > 480 {
                sum += (acceleration - last[1]).x.powi(2);
            }
            last = [velocity, acceleration];
        }
        assert!(states[0].position.x > 20.0);
        (sum / 720.0).sqrt()
    };
    let (facets, smooth) = (jerk(&SmoothSurfaces::default()), jerk(&smooth));
    println!(
        "jump of the acceleration along the road: facets {facets:.3}, smooth {smooth:.3} m/s²"
    );
    // Planes that lead along the step smooth facets, too.
    assert!(smooth < 0.7 * facets, "{facets} {smooth}");
}
