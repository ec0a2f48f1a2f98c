//! Wheels as bodies on Rapier's joints.
//!
//! One generic joint per wheel: it travels along z of its frame on a spring with limits and turns
//! about y by a motor; steering turns the frame. Rapier solves it with the contacts of the wheel's
//! cylinder. Gyroscopic forces act on wheels.

use glam::{Quat, Vec3};
use jointed_wheels::motion::{WheelBase, WheelBody, joint_frame};
use jointed_wheels::{
    ChassisBody, JointedError, JointedWheels, Motor, WheelAttachment, WheelDrive, WheelMotion,
    WheelPlacing,
};
use rapier3d::dynamics::CoefficientCombineRule;
use rapier3d::dynamics::{
    GenericJoint, GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis,
    MassProperties, MotorModel, RigidBody, RigidBodyBuilder, RigidBodyHandle,
};
use rapier3d::geometry::{ColliderBuilder, Group, InteractionGroups};
use rapier3d::math::Pose;
use rapier3d::pipeline::{EventHandler, PhysicsWorld};
use vehicle_core::{BodyError, BodyId, Frame, Reaction, RigidBodies, math};

use crate::body::center_of_mass;
use crate::convert::{body_handle, body_id, pose_in_body};
use crate::{RapierLink, RapierWorld, set_mass_properties};

/// Damping that stops a wheel within its torque (`N·m·s/rad`).
const BRAKE: f32 = 1e6;
/// Torques below this are none (`N·m`), so that a parked car may sleep.
const NO_TORQUE: f32 = 0.01;

/// Jointed wheels of the vehicles of a [`RapierLink`].
#[derive(Clone, Debug, Default)]
pub(crate) struct JointTable(Vec<(BodyId, Vec<HeldWheel>)>);

#[derive(Clone, Copy, Debug)]
struct HeldWheel {
    body: RigidBodyHandle,
    joint: ImpulseJointHandle,
    /// Mount of the wheel, in the vehicle's axes.
    position: Vec3,
    upright: Quat,
    motor: Motor,
}

impl JointTable {
    fn of(&self, chassis: BodyId) -> Result<&[HeldWheel], JointedError> {
        let found = self.0.iter().find(|(body, _)| *body == chassis);
        let (_, wheels) = found.ok_or(JointedError::NotAttached(chassis))?;
        Ok(wheels)
    }

    fn wheels(&mut self) -> impl Iterator<Item = &mut HeldWheel> {
        self.0.iter_mut().flat_map(|(_, wheels)| wheels)
    }

    /// Sets the motors of a chassis' wheels.
    fn drive(&mut self, chassis: BodyId, drives: &[WheelDrive]) {
        let all = self.0.iter_mut().filter(|(body, _)| *body == chassis);
        for (wheel, drive) in all.flat_map(|(_, wheels)| wheels).zip(drives) {
            wheel.motor = drive.motor;
        }
    }

    /// Sets the joints' motors for a step of `h` (`s`).
    fn turn(&mut self, physics: &mut PhysicsWorld, h: f32) {
        for wheel in self.wheels() {
            if let Some(joint) = physics.impulse_joints.get_mut(wheel.joint, false) {
                let Motor {
                    spin,
                    drive,
                    inertia,
                    most,
                    ..
                } = wheel.motor;
                let gained = if inertia > 0.0 {
                    drive * h / inertia
                } else {
                    0.0
                };
                let damping = (inertia / h).min(BRAKE);
                joint
                    .data
                    .set_motor_velocity(JointAxis::AngY, spin + gained, damping);
                joint.data.set_motor_max_force(JointAxis::AngY, most);
            }
        }
    }

    /// The motors' rotors follow their wheels after a step of `h` (`s`).
    fn follow(&mut self, physics: &PhysicsWorld, h: f32) {
        for wheel in self.wheels() {
            let joint = physics.impulse_joints.get(wheel.joint);
            let Some(joint) = joint else { continue };
            let [base, held] = [joint.body1(), joint.body2()].map(|body| physics.bodies.get(body));
            if let (Some(base), Some(held)) = (base, held) {
                let frame = base.rotation() * joint.data.local_frame1.rotation;
                let spin = (held.angvel() - base.angvel()).dot(frame * Vec3::Y);
                wheel.motor.follow(spin, h);
            }
        }
    }

    /// Forgets a chassis; returns the bodies of its wheels.
    pub(crate) fn remove(&mut self, chassis: BodyId) -> Vec<BodyId> {
        let gone = self.0.extract_if(.., |(body, _)| *body == chassis);
        let wheels = gone.flat_map(|(_, wheels)| wheels);
        wheels.map(|wheel| body_id(wheel.body)).collect()
    }
}

/// Least rate of steps of a world with jointed wheels (`Hz`): at 240, a car that rolls straight on weaves
/// by 0.3 m/s, at 960 by 1 mm/s.
const RATE: f32 = 960.0;

impl RapierLink {
    /// Steps a world by its `dt`, with this link's hooks.
    ///
    /// Without jointed wheels, this is [`PhysicsWorld::step_with_events`]. With them, it is several
    /// steps of at most 1/960 s with one substep each, instead of a few with several: within a step,
    /// Rapier's contacts turn with the bodies that they are on, so that those of a fast wheel would
    /// rise from the ground, and the wheel sink into it.
    pub fn step(&mut self, physics: &mut PhysicsWorld, events: &dyn EventHandler) {
        if self.axles.0.is_empty() {
            physics.step_with_events(&self.hooks(), events);
            return;
        }
        let whole = physics.integration_parameters;
        // Rounding must not add one.
        let parts = (whole.dt * RATE - 1e-3).ceil().max(1.0);
        let part = &mut physics.integration_parameters;
        part.dt /= parts;
        part.num_solver_iterations = 1;
        let h = part.dt;
        for _ in 0..parts as usize {
            self.axles.turn(physics, h);
            physics.step_with_events(&self.hooks(), events);
            self.axles.follow(physics, h);
        }
        physics.integration_parameters = whole;
    }
}

/// A physics world, borrowed to put vehicles on jointed wheels and to drive them.
pub struct RapierJoints<'a> {
    link: &'a mut RapierLink,
    physics: &'a mut PhysicsWorld,
}

impl core::fmt::Debug for RapierJoints<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut joints = f.debug_struct("RapierJoints");
        joints.field("link", self.link).finish_non_exhaustive()
    }
}

impl<'a> RapierJoints<'a> {
    /// Borrows a world and the link of its vehicles.
    #[must_use]
    pub fn of(link: &'a mut RapierLink, physics: &'a mut PhysicsWorld) -> Self {
        Self { link, physics }
    }

    fn chassis(&self, id: BodyId) -> Result<&RigidBody, BodyError> {
        let body = self.physics.bodies.get(body_handle(id));
        let body = body.ok_or(BodyError::Missing(id))?;
        if body.is_dynamic() {
            Ok(body)
        } else {
            Err(BodyError::NotDynamic(id))
        }
    }

    fn attach(
        &mut self,
        chassis: BodyId,
        attachment: &WheelAttachment,
    ) -> Result<HeldWheel, BodyError> {
        let frame = *self.link.frame(chassis);
        let base = self.chassis(chassis)?;
        let rotation = frame.vehicle_rotation(*base.rotation());
        let arm = rotation * attachment.position;
        let spin = base.angvel();
        let body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(center_of_mass(base) + arm, rotation))
            .linvel(base.linvel() + spin.cross(arm))
            .angvel(spin)
            .can_sleep(base.activation().normalized_linear_threshold >= 0.0)
            .gyroscopic_forces_enabled(true)
            .additional_mass_properties(mass_properties(attachment));
        let upright = joint_frame(attachment.up, 0.0);
        let joint = joint(
            attachment,
            frame_on(base, &frame, attachment.position, upright),
        );
        let groups =
            InteractionGroups::all().with_filter(Group::from_bits_retain(attachment.layers));
        let tread = ColliderBuilder::cylinder(0.5 * attachment.width, attachment.radius)
            .collision_groups(groups)
            .friction(attachment.friction)
            .friction_combine_rule(CoefficientCombineRule::Min)
            .density(0.0);
        let body = self.physics.insert_body(body);
        self.physics.insert_collider(tread, Some(body));
        let joint = self
            .physics
            .insert_impulse_joint(body_handle(chassis), body, joint);
        // Not ground for other vehicles, no more than a chassis.
        self.link.add_chassis(body, Frame::X_FORWARD_Z_UP);
        Ok(HeldWheel {
            body,
            joint,
            position: attachment.position,
            upright,
            motor: Motor::default(),
        })
    }

    /// Turns the frame of a wheel on its chassis; returns it.
    fn steer(
        &mut self,
        chassis: BodyId,
        wheel: &HeldWheel,
        steer: f32,
        wake: bool,
    ) -> Result<Pose, BodyError> {
        let turned = math::rotation_about(Vec3::Z, steer);
        let steered = math::compose(wheel.upright, turned);
        let frame = self.link.frame(chassis);
        let on_chassis = frame_on(self.chassis(chassis)?, frame, wheel.position, steered);
        if let Some(joint) = self.physics.impulse_joints.get_mut(wheel.joint, wake) {
            joint.data.set_local_frame1(on_chassis);
        }
        Ok(on_chassis)
    }

    /// The chassis as a wheel on it sees it.
    fn base(&self, chassis: BodyId, wheel: &HeldWheel) -> Result<WheelBase, JointedError> {
        let base = self.chassis(chassis)?;
        let joint = self.physics.impulse_joints.get(wheel.joint);
        let joint = joint.ok_or(JointedError::NotAttached(chassis))?;
        let frame = *base.position() * joint.data.local_frame1;
        Ok(WheelBase {
            frame: frame.rotation,
            arm: frame.translation - center_of_mass(base),
            linear: base.linvel(),
            angular: base.angvel(),
        })
    }
}

fn mass_properties(attachment: &WheelAttachment) -> MassProperties {
    let [about, across] = attachment.inertia;
    MassProperties::new(
        Vec3::ZERO,
        attachment.mass,
        Vec3::new(across, about, across),
    )
}

/// A frame in the body of a chassis, from its center of mass.
fn frame_on(base: &RigidBody, frame: &Frame, position: Vec3, rotation: Quat) -> Pose {
    let mut pose = pose_in_body(frame, position, rotation);
    pose.translation += base.local_center_of_mass();
    pose
}

fn joint(attachment: &WheelAttachment, on_chassis: Pose) -> GenericJoint {
    let free = JointAxesMask::LIN_Z | JointAxesMask::ANG_Y;
    let mut joint = GenericJointBuilder::new(free.complement())
        .local_frame1(on_chassis)
        .local_frame2(Pose::IDENTITY)
        .limits(JointAxis::LinZ, attachment.limits)
        .motor_model(JointAxis::LinZ, MotorModel::ForceBased)
        .motor_model(JointAxis::AngY, MotorModel::ForceBased)
        .contacts_enabled(false)
        .build();
    let (stiffness, damping) = (attachment.stiffness, attachment.damping);
    joint.set_motor_position(JointAxis::LinZ, attachment.free_travel, stiffness, damping);
    joint
}

impl JointedWheels for RapierJoints<'_> {
    fn attach_wheels(
        &mut self,
        chassis: BodyId,
        attachments: &[WheelAttachment],
    ) -> Result<Vec<BodyId>, JointedError> {
        self.chassis(chassis)?;
        if self.link.axles.of(chassis).is_ok() {
            return Err(JointedError::Twice(chassis));
        }
        let wheels = attachments
            .iter()
            .map(|attachment| self.attach(chassis, attachment));
        let wheels = wheels.collect::<Result<Vec<HeldWheel>, _>>()?;
        let bodies = wheels.iter().map(|wheel| body_id(wheel.body)).collect();
        self.link.axles.0.push((chassis, wheels));
        Ok(bodies)
    }

    fn detach_wheels(&mut self, chassis: BodyId) -> Result<(), JointedError> {
        self.link.axles.of(chassis)?;
        for wheel in self.link.axles.remove(chassis) {
            self.link.remove_chassis(wheel);
            self.physics.remove_body(body_handle(wheel));
        }
        Ok(())
    }

    fn place_wheels(
        &mut self,
        chassis: BodyId,
        starts: &[WheelPlacing],
    ) -> Result<(), JointedError> {
        let wheels = self.link.axles.of(chassis)?.to_vec();
        assert_eq!(wheels.len(), starts.len(), "one start per wheel");
        for (wheel, start) in wheels.iter().zip(starts) {
            self.steer(chassis, wheel, start.steer, true)?;
            let base = self.chassis(chassis)?;
            let center = center_of_mass(base);
            let put = self.base(chassis, wheel)?.body_of(&start.motion);
            let body = self.physics.bodies.get_mut(wheel.body);
            let body = body.ok_or(BodyError::Missing(body_id(wheel.body)))?;
            body.set_position(Pose::from_parts(center + put.place, put.rotation), true);
            body.set_linvel(put.linear, true);
            body.set_angvel(put.angular, true);
        }
        Ok(())
    }

    fn set_chassis(&mut self, chassis: BodyId, body: &ChassisBody) -> Result<(), JointedError> {
        let frame = *self.link.frame(chassis);
        let center = frame.to_vehicle(self.chassis(chassis)?.local_center_of_mass()) + body.shift;
        let physics = &mut *self.physics;
        let (bodies, colliders) = (&mut physics.bodies, &mut physics.colliders);
        let (mass, inertia) = (body.mass, body.inertia);
        set_mass_properties(bodies, colliders, chassis, &frame, mass, inertia, center)?;
        if let Some(found) = bodies.get_mut(body_handle(chassis)) {
            found.set_linvel(body.linear_velocity, true);
            found.set_angvel(body.angular_velocity, true);
        }
        Ok(())
    }

    fn push_chassis(&mut self, push: &Reaction) -> Result<(), JointedError> {
        self.link.axles.of(push.body)?;
        RapierWorld::of(self.link, self.physics).react(core::slice::from_ref(push));
        Ok(())
    }

    fn wheel_motions(&self, chassis: BodyId, out: &mut [WheelMotion]) -> Result<(), JointedError> {
        let wheels = self.link.axles.of(chassis)?;
        assert_eq!(wheels.len(), out.len(), "one motion per wheel");
        let center = center_of_mass(self.chassis(chassis)?);
        for (wheel, out) in wheels.iter().zip(out) {
            let body = self.physics.bodies.get(wheel.body);
            let body = body.ok_or(BodyError::Missing(body_id(wheel.body)))?;
            *out = self.base(chassis, wheel)?.motion_of(&WheelBody {
                place: body.translation() - center,
                rotation: *body.rotation(),
                linear: body.linvel(),
                angular: body.angvel(),
            });
        }
        Ok(())
    }

    fn drive_wheels(
        &mut self,
        chassis: BodyId,
        drives: &[WheelDrive],
        wake: bool,
    ) -> Result<(), JointedError> {
        let wheels = self.link.axles.of(chassis)?.to_vec();
        assert_eq!(wheels.len(), drives.len(), "one drive per wheel");
        let mut reactions = Vec::new();
        for (wheel, drive) in wheels.iter().zip(drives) {
            let on_chassis = self.steer(chassis, wheel, drive.steer, wake)?;
            let base = self.chassis(chassis)?;
            let axle = *base.rotation() * (on_chassis.rotation * Vec3::Y);
            let anchor = center_of_mass(base).as_dvec3();
            if let Some(joint) = self.physics.impulse_joints.get_mut(wheel.joint, wake) {
                joint.data.motors[JointAxis::LinZ as usize].target_pos = drive.free_travel;
            }
            let torque = axle * drive.motor.torque;
            let push = |body: BodyId, torque: Vec3| Reaction {
                body,
                anchor,
                offset: Vec3::ZERO,
                force: Vec3::ZERO,
                torque,
            };
            if drive.motor.torque.abs() > NO_TORQUE {
                reactions.extend([push(body_id(wheel.body), torque), push(chassis, -torque)]);
            }
        }
        self.link.axles.drive(chassis, drives);
        RapierWorld::of(self.link, self.physics).react(&reactions);
        Ok(())
    }
}
