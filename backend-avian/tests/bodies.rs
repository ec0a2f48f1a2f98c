//! Chassis and ground bodies of a real Avian world.

#[path = "../../tests/shared/bodies/driving.rs"]
mod driving;
#[path = "../../tests/shared/bodies/step_motion.rs"]
mod step_motion;

mod forces;
mod systems;

use crate::support;
use avian3d::dynamics::integrator::VelocityIntegrationData;
use avian3d::prelude::*;
use backend_avian::{AvianWorld, ChassisFrame, body_id, set_mass_properties};
use bevy::app::App;
use bevy::ecs::component::Mutable;
use bevy::prelude::{Component, Entity, Transform, World};
use glam::{Mat3, Quat, Vec3};
use vehicle_core::{
    BodyId, BodyState, Frame, GroundMotion, Motion, Reaction, RigidBodies as _, StepResult,
};

const DT: f32 = 1.0 / 60.0;
const INERTIA: Vec3 = Vec3::new(500.0, 1500.0, 1800.0);
/// A user's force and torque; odd values, so that sums with ours are rounded.
const USER: (Vec3, Vec3) = (Vec3::new(0.1, 1.0e-7, -33.3), Vec3::new(1.7, -0.3, 1.0e3));
/// Least angular velocity by that torque in a step (`rad/s`).
const USER_TURNS: f32 = 1e-3;
/// Greatest drift of a car within a second whose gravity is canceled (`m`).
const DRIFT: f64 = 0.0;

/// A world without gravity and a 1200 kg car, whose center of mass is off its origin.
struct Rig {
    app: App,
    dt: f32,
    car: BodyId,
    entity: Entity,
}

fn rig_in(frame: Frame) -> Rig {
    let mut app = support::app();
    let world = app.world_mut();
    world.insert_resource(Gravity::ZERO);
    let entity = world.spawn((
        RigidBody::Dynamic,
        ChassisFrame(frame),
        Collider::cuboid(4.0, 1.0, 2.0),
    ));
    let entity = entity.id();
    world.spawn((
        bevy::prelude::ChildOf(entity),
        Collider::sphere(0.4),
        Transform::from_xyz(1.0, 2.0, 3.0),
    ));
    let mut rig = Rig {
        app,
        dt: DT,
        car: body_id(entity),
        entity,
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

impl Rig {
    fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    fn view<R>(&mut self, task: impl FnOnce(&mut AvianWorld<'_, '_>) -> R) -> R {
        AvianWorld::scope(self.app.world_mut(), task)
    }

    fn set_mass(&mut self, frame: Frame, inertia: Mat3, center_of_mass: Vec3) {
        let car = self.car;
        set_mass_properties(self.world(), car, &frame, 1200.0, inertia, center_of_mass).unwrap();
    }

    fn read(&mut self) -> BodyState {
        let car = self.car;
        let mut states = [BodyState::BLANK];
        self.view(|view| view.read(&[car], &mut states)).unwrap();
        states[0]
    }

    fn apply(&mut self, motion: Motion, wake: bool) {
        let car = self.car;
        self.view(|view| view.apply(&[car], &[StepResult { motion, wake }]))
            .unwrap();
    }

    fn step(&mut self) {
        support::step(&mut self.app, self.dt);
    }

    /// A component of the car, written without change detection.
    fn quietly<C: Component<Mutability = Mutable>>(&mut self, write: impl FnOnce(&mut C)) {
        use bevy::prelude::DetectChangesMut as _;
        let entity = self.entity;
        let mut component = self.world().get_mut::<C>(entity).unwrap();
        write(component.bypass_change_detection());
    }

    /// Sets position and transform: in the first step, Avian reads transforms only.
    fn place(&mut self, position: Vec3, rotation: Quat) {
        let entity = self.entity;
        let transform = Transform::from_translation(position).with_rotation(rotation);
        let place = (Position(position), Rotation(rotation), transform);
        self.world().entity_mut(entity).insert(place);
    }

    fn set_linear(&mut self, velocity: Vec3) {
        self.quietly(|linear: &mut LinearVelocity| linear.0 = velocity);
    }

    /// A user's force at the center of mass and torque, for the next step.
    fn push(&mut self, force: Vec3, torque: Vec3) {
        let entity = self.entity;
        let mut query = self.world().query::<Forces>();
        let mut forces = query.get_mut(self.app.world_mut(), entity).unwrap();
        forces.apply_force(force);
        forces.apply_torque(torque);
    }

    /// The car's accelerations for the coming step (`m/s²`, `rad/s²`).
    fn pushed(&self) -> (Vec3, Vec3) {
        let push = self.app.world().get::<VelocityIntegrationData>(self.entity);
        let push = push.unwrap();
        (push.linear_increment, push.angular_increment)
    }

    fn sleep(&mut self) {
        use avian3d::dynamics::solver::islands::SleepBody;
        use bevy::prelude::Command as _;
        SleepBody(self.entity).apply(self.world()).unwrap();
    }

    fn ground(&mut self, body: BodyId) -> Option<GroundMotion> {
        self.view(|view| view.ground_motion(body))
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.view(|view| view.react(reactions));
    }

    fn set_gravity(&mut self, gravity: Vec3) {
        self.world().insert_resource(Gravity(gravity));
    }

    /// Steps per second from now on (`Hz`).
    fn set_rate(&mut self, rate: f32) {
        self.dt = 1.0 / rate;
    }

    fn set_angular(&mut self, velocity: Vec3) {
        self.quietly(|angular: &mut AngularVelocity| angular.0 = velocity);
    }

    fn set_damping(&mut self, linear: f32, angular: f32) {
        let (entity, damping) = (
            self.entity,
            (LinearDamping(linear), AngularDamping(angular)),
        );
        self.world().entity_mut(entity).insert(damping);
    }

    /// Does nothing: Avian has no switch for gyroscopic torque.
    fn leave_out_gyroscopic_torque(&mut self) {}

    /// A force at the center of mass and a torque of the user's, until they are taken back.
    fn push_always(&mut self, (force, torque): (Vec3, Vec3)) {
        let (entity, push) = (self.entity, (ConstantForce(force), ConstantTorque(torque)));
        self.world().entity_mut(entity).insert(push);
    }

    fn assert_pushed_always(&mut self, (force, torque): (Vec3, Vec3)) {
        let car = self.app.world().entity(self.entity);
        let kept = car.components::<(&ConstantForce, &ConstantTorque)>();
        assert_eq!((kept.0.0, kept.1.0), (force, torque));
    }

    /// Checks that the car gets exactly this acceleration in the coming step (`m/s²`).
    fn assert_pushed(&mut self, linear: Vec3) {
        assert_eq!(self.pushed(), (linear, Vec3::ZERO));
    }

    fn add_floor(&mut self, height: f32) {
        self.world().spawn((
            RigidBody::Static,
            Collider::half_space(Vec3::Y),
            Position(Vec3::Y * height),
        ));
    }

    fn add_fixed(&mut self) -> BodyId {
        let fixed = (RigidBody::Static, Collider::sphere(0.1));
        body_id(self.world().spawn(fixed).id())
    }

    fn add_belt(&mut self, place: Vec3, velocity: Vec3) -> BodyId {
        let belt = (
            RigidBody::Kinematic,
            Collider::sphere(0.1),
            Position(place),
            LinearVelocity(velocity),
        );
        body_id(self.world().spawn(belt).id())
    }
}

fn close(a: Vec3, b: Vec3, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} against {b}");
}
