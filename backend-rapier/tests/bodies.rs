//! Chassis and ground bodies of a real Rapier world.

#[path = "../../tests/shared/bodies/driving.rs"]
mod driving;
#[path = "../../tests/shared/bodies/step_motion.rs"]
mod step_motion;

mod forces;
mod guided;
mod locked;
mod snapshot;
mod turned;

use backend_rapier::{RapierLink, RapierScene, RapierWorld, body_id, set_mass_properties};
use glam::{Mat3, Quat, Vec3};
use rapier3d::prelude::*;
use vehicle_core::params::ChassisParams;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, GroundMotion, GroundRay, Motion, QueryFilter, Reaction,
    RigidBodies as _, SceneQuery as _, StepResult,
};

const DT: f32 = 1.0 / 60.0;
const INERTIA: Vec3 = Vec3::new(500.0, 1500.0, 1800.0);
/// A user's force and torque; odd values, so that sums with ours are rounded.
const USER: (Vec3, Vec3) = (Vec3::new(0.1, 1.0e-7, -33.3), Vec3::new(1.7, -0.3, 1.0e5));
/// Least angular velocity by that torque in a step (`rad/s`).
const USER_TURNS: f32 = 0.1;
/// Greatest drift of a car within a second whose gravity is canceled (`m`).
const DRIFT: f64 = 1e-5;

/// A world without gravity and a 1200 kg car, whose center of mass is off its origin.
struct Rig {
    world: PhysicsWorld,
    link: RapierLink,
    car: BodyId,
    handle: RigidBodyHandle,
}

fn rig_in(frame: Frame) -> Rig {
    let mut world = PhysicsWorld::new();
    world.gravity = Vec3::ZERO;
    world.integration_parameters.dt = DT;
    let handle = world.insert_body(RigidBodyBuilder::dynamic());
    world.insert_collider(ColliderBuilder::cuboid(2.0, 0.5, 1.0), Some(handle));
    let child = ColliderBuilder::ball(0.4).translation(Vec3::new(1.0, 2.0, 3.0));
    world.insert_collider(child, Some(handle));
    let mut link = RapierLink::new(Frame::X_FORWARD_Y_UP);
    let car = link.add_chassis(handle, frame);
    let mut rig = Rig {
        world,
        link,
        car,
        handle,
    };
    rig.set_mass(
        frame,
        Mat3::from_diagonal(INERTIA),
        Vec3::new(0.2, 0.1, 0.3),
    );
    rig
}

fn rig() -> Rig {
    rig_in(Frame::X_FORWARD_Y_UP)
}

/// A body that is attached is read as one that was registered and given its mass properties by calls of their own, and queries
/// find the ground before the first step; a fixed body is refused and stays unregistered.
#[test]
fn a_body_is_attached_by_one_call() {
    let params = ChassisParams {
        mass: 1200.0,
        inertia: INERTIA,
        products: [10.0, -20.0, 30.0],
        center_of_mass: Vec3::new(0.2, 0.1, 0.3),
        ..ChassisParams::blank()
    };
    let mut one_by_one = rig_in(Frame::Z_FORWARD_Y_UP);
    one_by_one.set_mass(
        Frame::Z_FORWARD_Y_UP,
        params.inertia_tensor(),
        params.center_of_mass,
    );
    let mut rig = rig_in(Frame::Z_FORWARD_Y_UP);
    rig.set_mass(Frame::X_FORWARD_Y_UP, Mat3::IDENTITY, Vec3::ZERO);
    rig.link = RapierLink::new(Frame::Z_FORWARD_Y_UP);
    let ground = ColliderBuilder::cuboid(50.0, 1.0, 50.0).translation(Vec3::NEG_Y * 10.0);
    rig.world.insert_collider(ground, None);
    let attached = rig.link.attach(&mut rig.world, rig.handle, &params);
    assert_eq!(attached, Ok(rig.car));
    assert!(rig.link.is_chassis(rig.car));
    assert_eq!(rig.read(), one_by_one.read());
    let down = GroundRay {
        direction: Vec3::NEG_Y,
        length: 20.0,
        filter: QueryFilter::except(rig.car),
        ..GroundRay::BLANK
    };
    let mut hits = [None];
    RapierScene::of(&rig.link, &rig.world).cast_rays(&[down], &mut hits);
    assert_eq!(hits[0].map(|hit| hit.distance), Some(9.0));

    let fixed = rig.world.insert_body(RigidBodyBuilder::fixed());
    let refused = rig.link.attach(&mut rig.world, fixed, &params);
    assert_eq!(refused, Err(BodyError::NotDynamic(body_id(fixed))));
    assert!(!rig.link.is_chassis(body_id(fixed)));
}

impl Rig {
    fn set_mass(&mut self, frame: Frame, inertia: Mat3, center_of_mass: Vec3) {
        let world = &mut self.world;
        set_mass_properties(
            &mut world.bodies,
            &mut world.colliders,
            self.car,
            &frame,
            1200.0,
            inertia,
            center_of_mass,
        )
        .unwrap();
    }

    fn read(&self) -> BodyState {
        let mut states = [BodyState::BLANK];
        let view = RapierScene::of(&self.link, &self.world);
        view.read(&[self.car], &mut states).unwrap();
        states[0]
    }

    fn apply(&mut self, motion: Motion, wake: bool) {
        RapierWorld::of(&mut self.link, &mut self.world)
            .apply(&[self.car], &[StepResult { motion, wake }])
            .unwrap();
    }

    fn step(&mut self) {
        self.world.step();
        self.link.end_step(&mut self.world.bodies);
    }

    fn body(&mut self) -> &mut RigidBody {
        &mut self.world.bodies[self.handle]
    }

    fn react(&mut self, reactions: &[Reaction]) {
        RapierWorld::of(&mut self.link, &mut self.world).react(reactions);
    }

    fn set_gravity(&mut self, gravity: Vec3) {
        self.world.gravity = gravity;
    }

    /// Steps per second from now on (`Hz`).
    fn set_rate(&mut self, rate: f32) {
        self.world.integration_parameters.dt = 1.0 / rate;
    }

    fn place(&mut self, position: Vec3, rotation: Quat) {
        let pose = Pose::from_parts(position, rotation);
        self.body().set_position(pose, false);
    }

    fn set_linear(&mut self, velocity: Vec3) {
        self.body().set_linvel(velocity, false);
    }

    fn set_angular(&mut self, velocity: Vec3) {
        self.body().set_angvel(velocity, false);
    }

    fn set_damping(&mut self, linear: f32, angular: f32) {
        self.body().set_linear_damping(linear);
        self.body().set_angular_damping(angular);
    }

    fn leave_out_gyroscopic_torque(&mut self) {
        self.body().enable_gyroscopic_forces(false);
    }

    fn sleep(&mut self) {
        self.body().sleep();
    }

    /// A force at the center of mass and a torque of the user's, until they are taken back.
    fn push_always(&mut self, (force, torque): (Vec3, Vec3)) {
        self.body().add_force(force, true);
        self.body().add_torque(torque, true);
    }

    fn assert_pushed_always(&mut self, (force, torque): (Vec3, Vec3)) {
        assert_eq!(self.body().user_force(), force);
        assert_eq!(self.body().user_torque(), torque);
    }

    /// Checks that the car gets exactly this acceleration in the coming step (`m/s²`).
    fn assert_pushed(&mut self, linear: Vec3) {
        let force = linear * self.read().mass;
        self.assert_pushed_always((force, Vec3::ZERO));
    }

    fn add_floor(&mut self, height: f32) {
        let floor = ColliderBuilder::new(SharedShape::halfspace(Vec3::Y));
        let floor = floor.translation(Vec3::Y * height);
        self.world.insert_collider(floor, None);
    }

    fn add_fixed(&mut self) -> BodyId {
        body_id(self.world.insert_body(RigidBodyBuilder::fixed()))
    }

    fn add_belt(&mut self, place: Vec3, velocity: Vec3) -> BodyId {
        let belt = RigidBodyBuilder::kinematic_velocity_based();
        let belt = belt.translation(place).linvel(velocity);
        body_id(self.world.insert_body(belt))
    }

    fn ground(&self, body: BodyId) -> Option<GroundMotion> {
        RapierScene::of(&self.link, &self.world).ground_motion(body, DT)
    }
}

fn close(a: Vec3, b: Vec3, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} against {b}");
}
