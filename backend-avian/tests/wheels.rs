//! Wheel colliders in a real Avian world.

mod contact;
mod follow;

use crate::support;
use avian3d::prelude::*;
use backend_avian::{
    ChassisFrame, WheelCollider, WheelError, WheelHooks, WheelHooksPlugin, WheelSettings,
    WheelSize, attach_wheels, body_id, mass_properties, pose_wheels, wheel_layers,
};
use bevy::app::App;
use bevy::prelude::{Entity, Transform, With};
use glam::{Mat3, Quat, Vec3};
use rstest::rstest;
use vehicle_core::{BodyError, BodyId, Frame, WheelColliderSettings};

const WHEELS: LayerMask = LayerMask(0b010);
const ROAD: LayerMask = LayerMask(0b100);
const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const SIZE: WheelSize = WheelSize {
    radius: 0.35,
    width: 0.2,
};
const DT: f32 = 1.0 / 60.0;

/// Corners of the car (`m`, vehicle axes).
const CORNERS: [Vec3; 4] = [
    Vec3::new(1.4, 0.8, -0.3),
    Vec3::new(1.4, -0.8, -0.3),
    Vec3::new(-1.4, 0.8, -0.3),
    Vec3::new(-1.4, -0.8, -0.3),
];

fn settings() -> WheelSettings {
    WheelSettings {
        layers: wheel_layers(WHEELS, ROAD),
        shared: None,
        swept: false,
    }
}

struct Car {
    app: App,
    body: Entity,
    wheels: Vec<Option<Entity>>,
}

/// A car above a road with its top at 0; its wheels reach `depth` into the road. No gravity.
fn car(depth: f32, settings: &WheelSettings) -> Car {
    let mut app = support::app();
    let world = app.world_mut();
    world.insert_resource(Gravity::ZERO);
    world.spawn((
        RigidBody::Static,
        Collider::cuboid(400.0, 2.0, 400.0),
        Transform::from_xyz(0.0, -1.0, 0.0),
        CollisionLayers::new(ROAD, LayerMask::ALL),
    ));
    let body = world.spawn((
        RigidBody::Dynamic,
        ChassisFrame(FRAME),
        Collider::cuboid(3.0, 0.4, 1.4),
        Transform::from_xyz(0.0, 0.65 - depth, 0.0),
        mass_properties(
            &FRAME,
            1200.0,
            Mat3::from_diagonal(Vec3::new(500.0, 1500.0, 1800.0)),
            Vec3::ZERO,
        ),
    ));
    let body = body.id();
    let sizes = [Some(SIZE), Some(SIZE), Some(SIZE), None];
    let wheels = attach_wheels(world, body_id(body), &sizes, settings).unwrap();
    Car { app, body, wheels }
}

impl Car {
    fn pose(&mut self, poses: &[(Vec3, Quat); 4]) {
        let world = self.app.world_mut();
        let mut transforms = world.query_filtered::<&mut Transform, With<WheelCollider>>();
        pose_wheels(
            &mut transforms.query_mut(world),
            &self.wheels,
            poses,
            &FRAME,
        );
    }

    fn step(&mut self) {
        support::step(&mut self.app, DT);
    }

    fn position(&self) -> Vec3 {
        self.app.world().get::<Position>(self.body).unwrap().0
    }

    fn set_velocity(&mut self, velocity: Vec3) {
        let velocity = LinearVelocity(velocity);
        self.app.world_mut().entity_mut(self.body).insert(velocity);
    }

    fn touches(&self) -> usize {
        let graph = self.app.world().resource::<ContactGraph>();
        let is_wheel = |entity| self.wheels.contains(&Some(entity));
        let pairs = graph.iter_active_touching();
        pairs
            .filter(|pair| is_wheel(pair.collider1) || is_wheel(pair.collider2))
            .count()
    }
}

fn straight() -> [(Vec3, Quat); 4] {
    CORNERS.map(|corner| (corner, Quat::IDENTITY))
}

#[test]
fn wheels_in_the_ground_never_touch_it() {
    let mut car = car(0.1, &settings());
    let start = car.position();
    for tick in 0..60_u8 {
        let steer = Quat::from_rotation_z(0.01 * f32::from(tick));
        car.pose(&CORNERS.map(|corner| (corner, steer)));
        car.step();
        assert_eq!(car.touches(), 0);
    }
    assert_eq!(car.position(), start);
    let mass = car.app.world().get::<ComputedMass>(car.body).unwrap();
    assert_eq!(mass.value(), 1200.0);
}

/// Avian sweeps fast bodies against fixed ground; because of wheels it must not stop the car.
#[rstest]
fn a_fast_car_with_wheels_is_not_held_back(
    #[values(40.0, 120.0)] speed: f32,
    #[values(false, true)] swept: bool,
) {
    let settings = WheelSettings {
        swept,
        ..settings()
    };
    let mut car = car(0.1, &settings);
    car.set_velocity(Vec3::X * speed);
    car.pose(&straight());
    for _ in 0..60 {
        car.step();
    }
    let way = car.position().x;
    assert!((way - speed).abs() < 1e-3 * speed, "{way}");
}

#[test]
fn other_bodies_run_into_wheels() {
    let mut car = car(0.0, &settings());
    car.pose(&straight());
    // Beside the front left wheel, which is at z = −0.8: clear of the chassis box.
    let ball = car.app.world_mut().spawn((
        RigidBody::Dynamic,
        Collider::sphere(0.2),
        Transform::from_xyz(1.4, 0.35, -1.4),
        LinearVelocity(Vec3::Z * 3.0),
    ));
    let ball = ball.id();
    let mut touched = false;
    for _ in 0..30 {
        car.step();
        touched |= car.touches() > 0;
    }
    assert!(touched);
    let velocity = car.app.world().get::<LinearVelocity>(ball).unwrap();
    assert!(velocity.z < 1.5);
}

/// A 2 cm ball that would be behind the wheel after a step.
#[rstest]
#[case(false, 0)]
#[case(true, 1)]
fn swept_wheels_let_no_moving_body_through(#[case] swept: bool, #[case] met: usize) {
    let settings = WheelSettings {
        swept,
        ..settings()
    };
    let mut car = car(0.0, &settings);
    car.pose(&straight());
    car.step();
    car.app.world_mut().spawn((
        RigidBody::Dynamic,
        Collider::sphere(0.02),
        SweptCcd::default().with_filter(CcdFilter::NONE),
        Transform::from_xyz(7.0, 0.35, -0.8),
    ));
    car.set_velocity(Vec3::X * 300.0);
    for _ in 0..3 {
        car.step();
    }
    assert_eq!(
        usize::from(car.position().x < 14.0),
        met,
        "{}",
        car.position()
    );
}

#[test]
fn wheels_follow_their_poses() {
    let mut car = car(0.0, &settings());
    let steer = Quat::from_rotation_z(0.4);
    car.pose(&CORNERS.map(|corner| (corner, steer)));
    car.step();
    for (wheel, corner) in car.wheels.iter().zip(CORNERS) {
        let Some(wheel) = *wheel else { continue };
        let world = car.app.world();
        let place = world.get::<Position>(wheel).unwrap().0;
        let expected = car.position() + FRAME.to_body(corner);
        assert!((place - expected).length() < 1e-5);
        let turn = world.get::<Rotation>(wheel).unwrap().0;
        let axle = FRAME.to_vehicle(turn * Vec3::Y);
        assert!((axle - steer * Vec3::Y).length() < 1e-5, "{axle}");
    }
    assert_eq!(car.wheels[3], None);
}

#[test]
fn unmoved_wheels_let_the_car_sleep() {
    let mut car = car(0.0, &settings());
    for _ in 0..180 {
        car.pose(&straight());
        car.step();
    }
    assert!(car.app.world().get::<Sleeping>(car.body).is_some());
    car.pose(&straight());
    car.step();
    assert!(car.app.world().get::<Sleeping>(car.body).is_some());
}

#[test]
fn wheels_are_removed_with_their_chassis() {
    let mut car = car(0.0, &settings());
    car.app.world_mut().despawn(car.body);
    car.pose(&straight());
    car.step();
    let wheel = car.wheels[0].unwrap();
    assert!(car.app.world().get_entity(wheel).is_err());
}

#[test]
fn wheels_that_cannot_be_attached_are_reported() {
    let mut car = car(0.0, &settings());
    let id = body_id(car.body);
    let fixed = car.app.world_mut().spawn(RigidBody::Static).id();
    let mut attach = |id, size, settings| {
        attach_wheels(car.app.world_mut(), id, &[None, Some(size)], &settings).unwrap_err()
    };
    let nobody = BodyId(0);
    let error = attach(nobody, SIZE, settings());
    assert_eq!(error, WheelError::Body(BodyError::Missing(nobody)));
    let error = attach(body_id(fixed), SIZE, settings());
    assert_eq!(
        error,
        WheelError::Body(BodyError::NotDynamic(body_id(fixed)))
    );
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = attach(id, WheelSize { radius, ..SIZE }, settings());
        assert!(matches!(error, WheelError::Size { wheel: 1, .. }));
    }
    let unasked = WheelSettings {
        shared: Some(WheelColliderSettings::DEFAULT),
        ..settings()
    };
    assert_eq!(attach(id, SIZE, unasked), WheelError::NoHooks);
    // With the hooks named, as long as Avian asks them in every step.
    let mut app = support::app_with_hooks::<WheelHooks<'_, '_>>(|app| {
        app.add_plugins(WheelHooksPlugin);
    });
    let body = app.world_mut().spawn(RigidBody::Dynamic).id();
    let mut attach = |distance: f32| {
        let world = app.world_mut();
        world.resource_mut::<NarrowPhaseConfig>().recycle_distance = distance;
        attach_wheels(world, body_id(body), &[Some(SIZE)], &unasked)
    };
    assert_eq!(attach(0.01), Err(WheelError::NoHooks));
    assert!(attach(0.0).is_ok());
}
