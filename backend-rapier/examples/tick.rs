//! One tick, phase by phase: a box on four springs in a user's own Rapier world.
//!
//! The springs stand in for a vehicle, to show what this crate does and in which order: probe,
//! update, apply, the engine's step, take back, present. Run with
//! `cargo run -p backend-rapier --example tick`.

use backend_rapier::{
    RapierLink, RapierWorld, WheelSize, attach_wheels, index_colliders, pose_wheels,
    set_mass_properties, wheel_groups,
};
use glam::{DVec3, Mat3, Quat, Vec3};
use rapier3d::prelude::*;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, GroundHit, GroundRay, Motion, Outcome, QueryFilter,
    RigidBodies as _, SceneQuery as _,
};

/// The car's body is modelled with x forward and y up, like Rapier's world.
const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const ROAD: Group = Group::GROUP_1;
const WHEELS: Group = Group::GROUP_2;

const MASS: f32 = 1200.0;
const INERTIA: Vec3 = Vec3::new(500.0, 1500.0, 1800.0);
const RADIUS: f32 = 0.35;
/// Spring rate [N/m] and damping [N·s/m] at each wheel.
const SPRING: f32 = 30_000.0;
const DAMPING: f32 = 4000.0;
/// Wheel centres at full droop, and how far above them rays start [m, vehicle axes].
const CORNERS: [Vec3; 4] = [
    Vec3::new(1.4, 0.8, -0.4),
    Vec3::new(1.4, -0.8, -0.4),
    Vec3::new(-1.4, 0.8, -0.4),
    Vec3::new(-1.4, -0.8, -0.4),
];
const TRAVEL: f32 = 0.4;

fn main() -> Result<(), BodyError> {
    let mut world = PhysicsWorld::new();
    let mut link = RapierLink::new(FRAME);
    let (car, wheels) = build(&mut world, &mut link)?;

    for tick in 0..=180_u16 {
        let mut poses = CORNERS.map(|corner| (corner, Quat::IDENTITY));
        {
            let mut view = RapierWorld::of(&mut link, &mut world);
            let state = read(&view, car)?;
            let mut hits = [None; 4];
            view.cast_rays(&CORNERS.map(|corner| ray(&state, car, corner)), &mut hits);
            let outcome = update(&state, &hits, &mut poses);
            view.apply(&[car], &[outcome])?;
            if tick % 30 == 0 {
                println!(
                    "{:5.2} s  height {:.4} m",
                    f32::from(tick) / 60.0,
                    state.position.y
                );
            }
        }
        world.step();
        link.end_step(&mut world.bodies);
        pose_wheels(&mut world.colliders, &wheels, &poses, &FRAME);
    }

    let state = read(&RapierWorld::of(&mut link, &mut world), car)?;
    let droop = TRAVEL - MASS * 9.81 / (4.0 * SPRING);
    let expected = f64::from(RADIUS + 0.4 - TRAVEL + droop);
    println!(
        "   rest  height {:.4} m, expected {expected:.4} m",
        state.position.y
    );
    assert!((state.position.y - expected).abs() < 1e-3);
    Ok(())
}

/// A road, and a car 1 m above it.
fn build(
    world: &mut PhysicsWorld,
    link: &mut RapierLink,
) -> Result<(BodyId, Vec<Option<ColliderHandle>>), BodyError> {
    let road = ColliderBuilder::cuboid(100.0, 1.0, 100.0)
        .translation(Vec3::NEG_Y)
        .collision_groups(InteractionGroups::all().with_memberships(ROAD));
    world.insert_collider(road, None);
    let body = world.insert_body(RigidBodyBuilder::dynamic().translation(Vec3::Y));
    world.insert_collider(ColliderBuilder::cuboid(2.0, 0.3, 0.8), Some(body));

    let car = link.add_chassis(body, FRAME);
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    set_mass_properties(bodies, colliders, car, &FRAME, MASS, INERTIA, Vec3::ZERO)?;
    let size = WheelSize {
        radius: RADIUS,
        width: 0.2,
    };
    let groups = wheel_groups(WHEELS, ROAD);
    let wheels = attach_wheels(bodies, colliders, car, &FRAME, &[Some(size); 4], groups)?;
    // So that the first tick finds the road.
    let parameters = &world.integration_parameters;
    index_colliders(parameters, bodies, colliders, &mut world.broad_phase);
    Ok((car, wheels))
}

fn read(view: &RapierWorld<'_>, car: BodyId) -> Result<BodyState, BodyError> {
    let mut states = [BodyState {
        position: DVec3::ZERO,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        mass: 0.0,
        inverse_inertia: Mat3::ZERO,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    }];
    view.read(&[car], &mut states)?;
    Ok(states[0])
}

/// From the wheel's highest place down to the ground under its lowest.
fn ray(state: &BodyState, car: BodyId, corner: Vec3) -> GroundRay {
    GroundRay {
        anchor: state.position,
        offset: state.rotation * (corner + Vec3::Z * TRAVEL),
        direction: state.rotation * Vec3::NEG_Z,
        length: TRAVEL + RADIUS,
        filter: QueryFilter::except(car),
    }
}

/// Springs along the ground's normal; lifts the wheels' poses to the ground.
fn update(
    state: &BodyState,
    hits: &[Option<GroundHit>; 4],
    poses: &mut [(Vec3, Quat); 4],
) -> Outcome {
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    for (hit, (place, _)) in hits.iter().zip(poses) {
        let Some(hit) = hit else { continue };
        let jounce = TRAVEL + RADIUS - hit.distance;
        place.z += jounce;
        let arm = state.rotation * *place;
        let velocity = state.linear_velocity + state.angular_velocity.cross(arm);
        let load = SPRING * jounce - DAMPING * velocity.dot(hit.normal);
        let push = hit.normal * load.max(0.0);
        force += push;
        torque += arm.cross(push);
    }
    let to_vehicle = state.rotation.inverse();
    let angular = state.rotation * (state.inverse_inertia * (to_vehicle * torque));
    Outcome {
        motion: Motion::Acceleration {
            linear: force / state.mass,
            angular,
        },
        wake: true,
    }
}
