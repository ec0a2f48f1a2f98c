//! The contract [`JointedWheels`]: what an engine can do with wheels on joints.

use glam::{Mat3, Vec3};
use vehicle_core::{BodyId, Reaction};

use crate::attachment::WheelAttachment;
use crate::error::JointedError;
use crate::motion::WheelMotion;

/// Torque about a wheel's axle, and its opposite on the chassis: a torque, and a rotor on the other side of a clutch.
/// Positive turns the wheel forward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor {
    /// Torque that does not depend on the spin (`N·m`).
    pub torque: f32,
    /// Spin of the rotor relative to the chassis (`rad/s`), which the wheel is to have.
    pub spin: f32,
    /// Torque on the rotor (`N·m`).
    pub drive: f32,
    /// Moment of inertia of the rotor (`kg·m²`), ≥ 0; infinite for a brake, which stops the wheel.
    pub inertia: f32,
    /// Most torque between rotor and wheel (`N·m`), ≥ 0.
    pub most: f32,
}

impl Motor {
    /// The rotor after a substep of `h` (`s`) in which the wheel came to this `spin` (`rad/s`).
    pub fn follow(&mut self, spin: f32, h: f32) {
        if self.inertia > 0.0 && self.inertia.is_finite() {
            let alone = self.spin + self.drive * h / self.inertia;
            let most = self.most * h / self.inertia;
            self.spin = spin.clamp(alone - most, alone + most);
        }
    }
}

/// Drive of a joint in the coming steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelDrive {
    /// Steering angle (`rad`), positive to the left.
    pub steer: f32,
    /// Travel at which the spring is free (`m`), usually negative.
    pub free_travel: f32,
    /// The torque.
    pub motor: Motor,
}

/// Position and motion with which a wheel is put on its joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelPlacing {
    /// Steering angle (`rad`), positive to the left.
    pub steer: f32,
    /// Motion of the wheel against its chassis.
    pub motion: WheelMotion,
}

/// Mass, center of mass and inertia of the body of a chassis. It stays where it is: only its center of mass is another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChassisBody {
    /// Mass of the body (`kg`), > 0.
    pub mass: f32,
    /// Inertia tensor about the center of mass (`kg·m²`, vehicle axes), positive definite.
    pub inertia: Mat3,
    /// Displacement of the center of mass from the one before (`m`, vehicle axes).
    pub shift: Vec3,
    /// Velocity of the center of mass (`m/s`, world axes).
    pub linear_velocity: Vec3,
    /// Angular velocity (`rad/s`, world axes).
    pub angular_velocity: Vec3,
}

/// A world whose engine carries vehicles on wheels that are bodies.
pub trait JointedWheels {
    /// Adds a body and a joint for each wheel; returns the bodies. Wheels collide with the ground,
    /// not with their chassis. The chassis is a body of [`Attachments`](crate::Attachments)' mass and inertia,
    /// whose position is its center of mass.
    ///
    /// # Errors
    /// If the chassis does not exist, is not dynamic, or has wheels; then nothing is added.
    fn attach_wheels(
        &mut self,
        chassis: BodyId,
        attachments: &[WheelAttachment],
    ) -> Result<Vec<BodyId>, JointedError>;

    /// Removes a chassis' wheels with their joints.
    ///
    /// # Errors
    /// If the chassis has no wheels in this world.
    fn detach_wheels(&mut self, chassis: BodyId) -> Result<(), JointedError>;

    /// Puts a chassis' wheels where `starts` say, in the order of their attachments.
    ///
    /// # Errors
    /// If the chassis has no wheels in this world.
    ///
    /// # Panics
    /// If there is not one entry per wheel.
    fn place_wheels(
        &mut self,
        chassis: BodyId,
        starts: &[WheelPlacing],
    ) -> Result<(), JointedError>;

    /// Gives the body of a chassis another mass and other velocities, and wakes it.
    ///
    /// # Errors
    /// If the body does not exist or is not dynamic, or a number is not what it must be.
    fn set_chassis(&mut self, chassis: BodyId, body: &ChassisBody) -> Result<(), JointedError>;

    /// Pushes a chassis that has wheels during the coming step, and wakes it.
    ///
    /// # Errors
    /// If the chassis has no wheels in this world.
    fn push_chassis(&mut self, push: &Reaction) -> Result<(), JointedError>;

    /// Reads the motion of a chassis' wheels, in the order of their attachments.
    ///
    /// # Errors
    /// If the chassis has no wheels in this world.
    ///
    /// # Panics
    /// If there is not one entry per wheel.
    fn wheel_motions(&self, chassis: BodyId, out: &mut [WheelMotion]) -> Result<(), JointedError>;

    /// Sets the drives of the joints, which act until set again, and wakes the bodies if `wake`.
    ///
    /// # Errors
    /// If the chassis has no wheels in this world.
    ///
    /// # Panics
    /// If there is not one entry per wheel.
    fn drive_wheels(
        &mut self,
        chassis: BodyId,
        drives: &[WheelDrive],
        wake: bool,
    ) -> Result<(), JointedError>;
}

impl<W: JointedWheels + ?Sized> JointedWheels for &mut W {
    fn attach_wheels(
        &mut self,
        chassis: BodyId,
        attachments: &[WheelAttachment],
    ) -> Result<Vec<BodyId>, JointedError> {
        (**self).attach_wheels(chassis, attachments)
    }

    fn detach_wheels(&mut self, chassis: BodyId) -> Result<(), JointedError> {
        (**self).detach_wheels(chassis)
    }

    fn place_wheels(
        &mut self,
        chassis: BodyId,
        starts: &[WheelPlacing],
    ) -> Result<(), JointedError> {
        (**self).place_wheels(chassis, starts)
    }

    fn set_chassis(&mut self, chassis: BodyId, body: &ChassisBody) -> Result<(), JointedError> {
        (**self).set_chassis(chassis, body)
    }

    fn push_chassis(&mut self, push: &Reaction) -> Result<(), JointedError> {
        (**self).push_chassis(push)
    }

    fn wheel_motions(&self, chassis: BodyId, out: &mut [WheelMotion]) -> Result<(), JointedError> {
        (**self).wheel_motions(chassis, out)
    }

    fn drive_wheels(
        &mut self,
        chassis: BodyId,
        drives: &[WheelDrive],
        wake: bool,
    ) -> Result<(), JointedError> {
        (**self).drive_wheels(chassis, drives, wake)
    }
}
