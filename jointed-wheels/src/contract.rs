//! The contract [`JointedWheels`]: what an engine can do with wheels on joints.

use vehicle_core::BodyId;

use crate::error::JointedError;
use crate::mount::WheelMount;

/// Torque of a joint on a wheel about its axle, and its opposite on the chassis. Positive turns the
/// wheel forward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor {
    /// Torque whatever the spin (`N·m`).
    pub torque: f32,
    /// Spin relative to the chassis that the rest pulls towards (`rad/s`).
    pub spin: f32,
    /// Torque per difference in spin at the end of the step (`N·m·s/rad`), ≥ 0; infinite for a
    /// brake, which stops the wheel.
    pub damping: f32,
    /// Most of it (`N·m`), ≥ 0.
    pub most: f32,
}

/// What a joint does in the coming steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelDrive {
    /// Steering angle (`rad`), positive to the left.
    pub steer: f32,
    /// Travel at which the spring is free (`m`), usually negative.
    pub free_travel: f32,
    /// The torque.
    pub motor: Motor,
}

/// How a wheel has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelMotion {
    /// Travel from the design position (`m`), positive in compression.
    pub travel: f32,
    /// Spin relative to the chassis (`rad/s`), positive rolling forward.
    pub spin: f32,
}

/// A world whose engine carries vehicles on wheels that are bodies.
pub trait JointedWheels {
    /// Adds a body and a joint for each wheel; returns the bodies. Wheels collide with the ground,
    /// not with their chassis. The chassis is a body of [`Mounts`](crate::Mounts)' mass and inertia,
    /// whose position is its center of mass.
    ///
    /// # Errors
    /// If the chassis does not exist, is not dynamic, or has wheels; then nothing is added.
    fn attach_wheels(
        &mut self,
        chassis: BodyId,
        mounts: &[WheelMount],
    ) -> Result<Vec<BodyId>, JointedError>;

    /// Reads the motion of a chassis' wheels, in the order of their mounts.
    ///
    /// # Errors
    /// If the chassis has no wheels in this world.
    ///
    /// # Panics
    /// If there is not one entry per wheel.
    fn wheel_motions(&self, chassis: BodyId, out: &mut [WheelMotion]) -> Result<(), JointedError>;

    /// Sets what the joints do until set again, and wakes the bodies if `wake`.
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
        mounts: &[WheelMount],
    ) -> Result<Vec<BodyId>, JointedError> {
        (**self).attach_wheels(chassis, mounts)
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
