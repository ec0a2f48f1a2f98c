//! Wheel colliders in a real Rapier world.

use backend_rapier::{
    RapierLink, WheelSize, attach_wheels, body_handle, pose_wheels, set_mass_properties,
    wheel_groups,
};
use glam::{Mat3, Quat, Vec3};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{BodyError, BodyId, Frame};

const WHEELS: Group = Group::GROUP_2;
const ROAD: Group = Group::GROUP_1;
const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const SIZE: WheelSize = WheelSize {
    radius: 0.35,
    width: 0.2,
};

/// Corners of the car (`m`, vehicle axes).
const CORNERS: [Vec3; 4] = [
    Vec3::new(1.4, 0.8, -0.3),
    Vec3::new(1.4, -0.8, -0.3),
    Vec3::new(-1.4, 0.8, -0.3),
    Vec3::new(-1.4, -0.8, -0.3),
];

struct Car {
    world: PhysicsWorld,
    id: BodyId,
    wheels: Vec<Option<ColliderHandle>>,
}

/// A car above a road with its top at 0; its wheels reach `depth` into the road.
fn car(depth: f32) -> Car {
    let mut world = PhysicsWorld::new();
    let road = InteractionGroups::all().with_memberships(ROAD);
    let slab = ColliderBuilder::cuboid(200.0, 1.0, 200.0).translation(Vec3::NEG_Y);
    world.insert_collider(slab.collision_groups(road), None);
    let place = Vec3::Y * (0.65 - depth);
    let body = world.insert_body(RigidBodyBuilder::dynamic().translation(place));
    world.insert_collider(ColliderBuilder::cuboid(1.5, 0.2, 0.7), Some(body));
    let id = RapierLink::new(FRAME).add_chassis(body, FRAME);
    let wheels = attach_wheels(
        &mut world.bodies,
        &mut world.colliders,
        id,
        &FRAME,
        &[Some(SIZE), Some(SIZE), Some(SIZE), None],
        wheel_groups(WHEELS, ROAD),
    )
    .unwrap();
    set_mass_properties(
        &mut world.bodies,
        &mut world.colliders,
        id,
        &FRAME,
        1200.0,
        Mat3::from_diagonal(Vec3::new(500.0, 1500.0, 1800.0)),
        Vec3::ZERO,
    )
    .unwrap();
    Car { world, id, wheels }
}

impl Car {
    fn pose(&mut self, poses: &[(Vec3, Quat); 4]) {
        pose_wheels(&mut self.world.colliders, &self.wheels, poses, &FRAME);
    }

    fn body(&mut self) -> &mut RigidBody {
        &mut self.world.bodies[body_handle(self.id)]
    }

    fn touches(&self) -> usize {
        let is_wheel = |handle| self.wheels.contains(&Some(handle));
        let wheel_pairs = self.world.contact_pairs().filter(|pair| {
            pair.has_any_active_contact() && (is_wheel(pair.collider1) || is_wheel(pair.collider2))
        });
        wheel_pairs.count()
    }
}

fn straight() -> [(Vec3, Quat); 4] {
    CORNERS.map(|corner| (corner, Quat::IDENTITY))
}

#[test]
fn wheels_in_the_ground_never_touch_it() {
    let mut car = car(0.1);
    car.world.gravity = Vec3::ZERO;
    let start = car.body().translation();
    for tick in 0..60_u8 {
        let steer = Quat::from_rotation_z(0.01 * f32::from(tick));
        car.pose(&CORNERS.map(|corner| (corner, steer)));
        car.world.step();
        assert_eq!(car.touches(), 0);
    }
    assert_eq!(car.body().translation(), start);
    assert_eq!(car.body().mass(), 1200.0);
}

/// Rapier sweeps fast bodies against fixed ground; because of wheels it must not stop the car.
#[rstest]
fn a_fast_car_with_wheels_is_not_held_back(#[values(40.0, 120.0)] speed: f32) {
    let mut car = car(0.1);
    car.world.gravity = Vec3::ZERO;
    car.body().set_linvel(Vec3::X * speed, true);
    car.pose(&straight());
    for _ in 0..60 {
        car.world.step();
    }
    let way = car.body().translation().x;
    assert!((way - speed).abs() < 1e-3 * speed, "{way}");
}

#[test]
fn other_bodies_run_into_wheels() {
    let mut car = car(0.0);
    car.world.gravity = Vec3::ZERO;
    car.pose(&straight());
    // Beside the front left wheel, which is at z = −0.8: clear of the chassis box.
    let ball = RigidBodyBuilder::dynamic()
        .translation(Vec3::new(1.4, 0.35, -1.4))
        .linvel(Vec3::Z * 3.0);
    let ball = car.world.insert_body(ball);
    car.world
        .insert_collider(ColliderBuilder::ball(0.2), Some(ball));
    let mut touched = false;
    for _ in 0..30 {
        car.world.step();
        touched |= car.touches() > 0;
    }
    assert!(touched);
    assert!(car.world.bodies[ball].linvel().z < 1.5);
}

#[test]
fn wheels_follow_their_poses() {
    let mut car = car(0.0);
    car.world.gravity = Vec3::ZERO;
    let steer = Quat::from_rotation_z(0.4);
    car.pose(&CORNERS.map(|corner| (corner, steer)));
    car.world.step();
    let chassis = *car.body().position();
    for (wheel, corner) in car.wheels.iter().zip(CORNERS) {
        let Some(wheel) = wheel else { continue };
        let pose = car.world.colliders[*wheel].position();
        let expected = chassis.transform_point(FRAME.to_body(corner));
        assert!((pose.translation - expected).length() < 1e-5);
        let axle = FRAME.to_vehicle(pose.transform_vector(Vec3::Y));
        assert!((axle - steer * Vec3::Y).length() < 1e-5, "{axle}");
    }
    assert_eq!(car.wheels[3], None);
}

/// A wheel is updated that only rotates in place: steering does not move its center.
#[rstest]
#[case::steered(Quat::from_rotation_z(0.4))]
#[case::cambered(Quat::from_rotation_x(0.05))]
#[case::by_little(Quat::from_rotation_z(-3e-4))]
fn a_wheel_that_only_rotates_is_updated(#[case] turn: Quat) {
    let mut car = car(0.0);
    car.pose(&straight());
    car.world.step();
    car.pose(&CORNERS.map(|corner| (corner, turn)));
    for wheel in car.wheels.iter().flatten() {
        let place = car.world.colliders[*wheel].position_wrt_parent().unwrap();
        let axle = FRAME.to_vehicle(place.transform_vector(Vec3::Y));
        assert!((axle - turn * Vec3::Y).length() < 1e-5, "{axle}");
    }
}

/// Less than a twentieth of a millimeter causes no update; twice that does.
#[rstest]
fn a_wheel_is_updated_if_it_has_moved_enough(
    #[values(Vec3::X, Vec3::Y, Vec3::NEG_Z)] direction: Vec3,
    #[values(4e-5, 1e-4)] way: f32,
) {
    let mut car = car(0.0);
    car.pose(&straight());
    car.pose(&CORNERS.map(|corner| (corner + direction * way, Quat::IDENTITY)));
    for (wheel, corner) in car.wheels.iter().zip(CORNERS) {
        let Some(wheel) = wheel else { continue };
        let place = car.world.colliders[*wheel].position_wrt_parent().unwrap();
        let moved = FRAME.to_vehicle(place.translation) - corner;
        let expected = if way > 5e-5 {
            direction * way
        } else {
            Vec3::ZERO
        };
        assert!((moved - expected).length() < 1e-6, "{moved}");
    }
}

/// Whatever the axes of the chassis model, wheels are where the vehicle has them.
#[rstest]
fn wheels_are_posed_in_the_axes_of_the_vehicle(
    #[values(Frame::X_FORWARD_Z_UP, Frame::Z_FORWARD_Y_UP, FRAME)] frame: Frame,
) {
    let mut car = car(0.0);
    let turn = Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt());
    let poses = CORNERS.map(|corner| (corner, turn));
    pose_wheels(&mut car.world.colliders, &car.wheels, &poses, &frame);
    for (wheel, corner) in car.wheels.iter().zip(CORNERS) {
        let Some(wheel) = wheel else { continue };
        let place = car.world.colliders[*wheel].position_wrt_parent().unwrap();
        assert!((frame.to_vehicle(place.translation) - corner).length() < 1e-6);
        let axle = frame.to_vehicle(place.transform_vector(Vec3::Y));
        assert!((axle - turn * Vec3::Y).length() < 1e-6, "{axle}");
    }
}

#[test]
fn unmoved_wheels_let_the_car_sleep() {
    let mut car = car(0.0);
    car.world.gravity = Vec3::ZERO;
    for _ in 0..180 {
        car.pose(&straight());
        car.world.step();
    }
    assert!(car.body().is_sleeping());
    car.pose(&straight());
    car.world.step();
    assert!(car.body().is_sleeping());
}

#[test]
fn a_wheel_needs_a_chassis() {
    let mut world = PhysicsWorld::new();
    let nobody = BodyId(u64::MAX);
    let groups = wheel_groups(WHEELS, ROAD);
    let attached = attach_wheels(
        &mut world.bodies,
        &mut world.colliders,
        nobody,
        &FRAME,
        &[Some(SIZE)],
        groups,
    );
    assert_eq!(attached, Err(BodyError::Missing(nobody).into()));
}
