//! Wheels as bodies on Rapier's joints, under a chassis modeled in any axes.

use backend_rapier::{RapierJoints, RapierLink, set_mass_properties};
use glam::{Mat3, Vec3};
use jointed_wheels::{
    JointedError, JointedWheels, Motor, WheelAttachment, WheelDrive, WheelMotion,
};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{BodyError, BodyId, Frame};

const DT: f32 = 1.0 / 60.0;
/// Center of mass of the chassis from the body's origin (`m`, vehicle axes).
const CENTER: Vec3 = Vec3::new(0.1, 0.0, 0.2);

struct Cart {
    link: RapierLink,
    world: PhysicsWorld,
    frame: Frame,
    id: BodyId,
}

fn attachment(x: f32, y: f32) -> WheelAttachment {
    WheelAttachment {
        position: Vec3::new(x, y, -0.3),
        up: Vec3::Z,
        radius: 0.3,
        width: 0.2,
        mass: 20.0,
        inertia: [2.0, 1.0],
        stiffness: 30_000.0,
        damping: 3000.0,
        free_travel: -0.08,
        limits: [-0.2, 0.1],
        friction: 1.0,
        layers: u32::MAX,
    }
}

/// A chassis of 1 t, modeled along `frame`, on four wheels over a plane; the world's axes are the
/// body's.
fn cart(frame: Frame) -> Cart {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    world.gravity = frame.to_body(Vec3::Z * -9.81);
    let up = frame.to_body(Vec3::Z);
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(up)), None);
    let place = frame.to_body(Vec3::Z * 0.6 - CENTER);
    let body = world.insert_body(
        RigidBodyBuilder::dynamic()
            .translation(place)
            .can_sleep(false),
    );
    let mut link = RapierLink::new(frame);
    let id = link.add_chassis(body, frame);
    let inertia = Mat3::from_diagonal(Vec3::new(300.0, 900.0, 1000.0));
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    set_mass_properties(bodies, colliders, id, &frame, 1000.0, inertia, CENTER).unwrap();
    let places = [(1.0, 0.7), (1.0, -0.7), (-1.0, 0.7), (-1.0, -0.7)];
    let attachments = places.map(|(x, y)| attachment(x, y));
    let mut joints = RapierJoints::of(&mut link, &mut world);
    joints.attach_wheels(id, &attachments).unwrap();
    Cart {
        link,
        world,
        frame,
        id,
    }
}

impl Cart {
    /// Runs the world with torque and steering on the front wheels.
    fn run(&mut self, seconds: f32, torque: f32, steer: f32) {
        for _ in 0..(seconds / DT).round() as usize {
            let drive = |steer: f32| WheelDrive {
                steer,
                free_travel: -0.08,
                motor: Motor {
                    torque,
                    ..Motor::default()
                },
            };
            let drives = [steer, steer, 0.0, 0.0].map(drive);
            let mut joints = RapierJoints::of(&mut self.link, &mut self.world);
            joints.drive_wheels(self.id, &drives, true).unwrap();
            self.link.step(&mut self.world, &());
            self.link.end_step(&mut self.world.bodies);
        }
    }

    fn motions(&mut self) -> [WheelMotion; 4] {
        let mut motions = [WheelMotion::default(); 4];
        let joints = RapierJoints::of(&mut self.link, &mut self.world);
        joints.wheel_motions(self.id, &mut motions).unwrap();
        motions
    }

    /// Velocities in vehicle axes of the world.
    fn velocity(&self) -> [Vec3; 2] {
        let body = &self.world.bodies[backend_rapier::body_handle(self.id)];
        [body.linvel(), body.angvel()].map(|v| self.frame.to_vehicle(v))
    }
}

#[rstest]
#[case(Frame::X_FORWARD_Z_UP)]
#[case(Frame::X_FORWARD_Y_UP)]
#[case(Frame::Z_FORWARD_Y_UP)]
fn a_cart_in_any_axes_rests_drives_ahead_and_turns_left(#[case] frame: Frame) {
    let mut cart = cart(frame);
    cart.run(2.0, 0.0, 0.0);
    for motion in cart.motions() {
        let expected = 250.0 * 9.81 / 30_000.0 - 0.08;
        assert!((motion.travel - expected).abs() < 1e-3, "{motion:?}");
    }
    cart.run(2.0, 100.0, 0.0);
    let [linear, _] = cart.velocity();
    let expected = 2.0 * (400.0 / 0.3) / (1000.0 + 4.0 * (20.0 + 2.0 / 0.09));
    assert!(
        (linear - Vec3::X * expected).length() < 0.1,
        "{linear}, not {expected}"
    );
    for motion in cart.motions() {
        assert!((motion.spin * 0.3 - linear.x).abs() < 0.1, "{motion:?}");
    }
    cart.run(1.0, 0.0, 0.2);
    let [_, angular] = cart.velocity();
    // v·tan δ/wheelbase.
    let expected = linear.x * 0.2_f32.tan() / 2.0;
    assert!(
        (angular.z / expected - 1.0).abs() < 0.15,
        "{angular}, not {expected}"
    );
}

#[test]
fn a_torque_lasts_as_long_as_it_is_told() {
    let mut cart = cart(Frame::X_FORWARD_Z_UP);
    cart.run(2.0, 100.0, 0.0);
    let [before, _] = cart.velocity();
    cart.run(1.0, 0.0, 0.0);
    let [after, _] = cart.velocity();
    assert!((after.x - before.x).abs() < 0.1, "{before} {after}");
}

#[test]
fn wheels_are_of_a_dynamic_chassis_and_go_with_it() {
    let mut cart = cart(Frame::X_FORWARD_Z_UP);
    let id = cart.id;
    let mut joints = RapierJoints::of(&mut cart.link, &mut cart.world);
    let again = joints.attach_wheels(id, &[attachment(0.0, 0.0)]);
    assert_eq!(again, Err(JointedError::Twice(id)));
    let fixed = cart.world.insert_body(RigidBodyBuilder::fixed());
    let fixed = backend_rapier::body_id(fixed);
    let mut joints = RapierJoints::of(&mut cart.link, &mut cart.world);
    let refused = joints.attach_wheels(fixed, &[attachment(0.0, 0.0)]);
    assert_eq!(refused, Err(BodyError::NotDynamic(fixed).into()));
    cart.link.remove_chassis(id);
    let joints = RapierJoints::of(&mut cart.link, &mut cart.world);
    let gone = joints.wheel_motions(id, &mut [WheelMotion::default(); 4]);
    assert_eq!(gone, Err(JointedError::NotAttached(id)));
}
