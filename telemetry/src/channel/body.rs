//! Channels of the body in a world with z up.

use vehicle_core::glam::{DVec3, Mat3, Vec3};
use vehicle_core::{BodyState, math};

use super::{ANGLE, Channel, METERS, NUMBER, SPEED, SPIN};

const ACCELERATION: &str = "m/s²";

/// Body of a vehicle at the end of a step, which the channels of a [`BodyChannel`] read.
#[derive(Clone, Copy, Debug)]
pub struct BodySample {
    body: BodyState,
    /// Columns: the vehicle's axes (world axes).
    axes: Mat3,
    acceleration: Vec3,
}

impl BodySample {
    /// A `body` after a step, best [as it is at its end](vehicle_core::VehicleState::at_end_of_step), and its `acceleration`
    /// (`m/s²`, world axes), which only a caller with two steps knows.
    #[must_use]
    pub fn new(body: BodyState, acceleration: Vec3) -> Self {
        Self {
            body,
            axes: math::matrix(body.rotation),
            acceleration,
        }
    }

    /// Center of mass (`m`, world).
    #[must_use]
    pub fn position(&self) -> DVec3 {
        self.body.position
    }

    /// The vehicle's upward axis, unit (world axes).
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.axes.z_axis
    }

    /// A vector of the world in the vehicle's frame.
    fn inside(&self, v: Vec3) -> Vec3 {
        math::rotated_back(&self.axes, v)
    }

    fn heading(&self) -> f32 {
        let ahead = self.axes.x_axis;
        math::atan2(ahead.y, ahead.x)
    }

    fn pitch(&self) -> f32 {
        let ahead = self.axes.x_axis;
        math::atan2(-ahead.z, math::sqrt(ahead.x * ahead.x + ahead.y * ahead.y))
    }

    fn roll(&self) -> f32 {
        math::atan2(self.axes.y_axis.z, self.axes.z_axis.z)
    }

    fn slip_angle(&self) -> f32 {
        let velocity = self.inside(self.body.linear_velocity);
        math::atan2(velocity.y, velocity.x)
    }
}

/// Channels of the body. Vectors are in the vehicle's frame but for the position; angles are those of a world with z up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyChannel {
    /// Position of the center of mass along the world's x axis (`m`).
    PositionX,
    /// Position of the center of mass along the world's y axis (`m`).
    PositionY,
    /// Height of the center of mass (`m`).
    PositionZ,
    /// First imaginary part of the rotation vehicle frame → world (–).
    RotationX,
    /// Second imaginary part of the rotation (–).
    RotationY,
    /// Third imaginary part of the rotation (–).
    RotationZ,
    /// Real part of the rotation (–).
    RotationW,
    /// Speed forward (`m/s`).
    VelocityX,
    /// Speed to the left (`m/s`).
    VelocityY,
    /// Speed along the vehicle's upward axis (`m/s`).
    VelocityZ,
    /// Roll rate (`rad/s`), right-handed about the forward axis.
    RateX,
    /// Pitch rate (`rad/s`), nose down.
    RateY,
    /// Yaw rate (`rad/s`), to the left.
    RateZ,
    /// Acceleration forward (`m/s²`), without gravity's part: that of the velocity.
    AccelerationX,
    /// Acceleration to the left (`m/s²`).
    AccelerationY,
    /// Acceleration along the vehicle's upward axis (`m/s²`).
    AccelerationZ,
    /// Direction of the forward axis in the horizontal plane (`rad`), −π…π, from the world's x axis to the left.
    Heading,
    /// Angle of the forward axis below the horizontal plane (`rad`), positive nose down.
    Pitch,
    /// Angle about the forward axis (`rad`), −π…π, positive leaning to the right.
    Roll,
    /// Direction of the velocity in the vehicle's frame (`rad`), −π…π, positive to the left; 0 at rest.
    SlipAngle,
}

impl BodyChannel {
    /// Number of channels.
    pub const COUNT: usize = 20;

    /// All channels.
    pub const ALL: [Self; Self::COUNT] = [
        Self::PositionX,
        Self::PositionY,
        Self::PositionZ,
        Self::RotationX,
        Self::RotationY,
        Self::RotationZ,
        Self::RotationW,
        Self::VelocityX,
        Self::VelocityY,
        Self::VelocityZ,
        Self::RateX,
        Self::RateY,
        Self::RateZ,
        Self::AccelerationX,
        Self::AccelerationY,
        Self::AccelerationZ,
        Self::Heading,
        Self::Pitch,
        Self::Roll,
        Self::SlipAngle,
    ];

    /// The channel with this [key](Channel::key).
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.channel().key == key)
    }

    /// Name, unit and range.
    #[must_use]
    pub const fn channel(self) -> Channel {
        let new = Channel::new;
        match self {
            Self::PositionX => new("position.x", "position x", METERS, [-1000.0, 0.0, 1000.0]),
            Self::PositionY => new("position.y", "position y", METERS, [-1000.0, 0.0, 1000.0]),
            Self::PositionZ => new("position.z", "position z", METERS, [-100.0, 0.0, 100.0]),
            Self::RotationX => new("rotation.x", "rotation x", NUMBER, [-1.0, 0.0, 1.0]),
            Self::RotationY => new("rotation.y", "rotation y", NUMBER, [-1.0, 0.0, 1.0]),
            Self::RotationZ => new("rotation.z", "rotation z", NUMBER, [-1.0, 0.0, 1.0]),
            Self::RotationW => new("rotation.w", "rotation w", NUMBER, [-1.0, 0.0, 1.0]),
            Self::VelocityX => new("velocity.x", "forward speed", SPEED, [-20.0, 0.0, 80.0]),
            Self::VelocityY => new("velocity.y", "lateral speed", SPEED, [-20.0, 0.0, 20.0]),
            Self::VelocityZ => new("velocity.z", "vertical speed", SPEED, [-5.0, 0.0, 5.0]),
            Self::RateX => new("rate.x", "roll rate", SPIN, [-2.0, 0.0, 2.0]),
            Self::RateY => new("rate.y", "pitch rate", SPIN, [-2.0, 0.0, 2.0]),
            Self::RateZ => new("rate.z", "yaw rate", SPIN, [-2.0, 0.0, 2.0]),
            Self::AccelerationX => new(
                "acceleration.x",
                "forward acceleration",
                ACCELERATION,
                [-15.0, 0.0, 15.0],
            ),
            Self::AccelerationY => new(
                "acceleration.y",
                "lateral acceleration",
                ACCELERATION,
                [-15.0, 0.0, 15.0],
            ),
            Self::AccelerationZ => new(
                "acceleration.z",
                "vertical acceleration",
                ACCELERATION,
                [-15.0, 0.0, 15.0],
            ),
            Self::Heading => new("heading", "heading", ANGLE, [-3.2, 0.0, 3.2]),
            Self::Pitch => new("pitch", "pitch", ANGLE, [-0.5, 0.0, 0.5]),
            Self::Roll => new("roll", "roll", ANGLE, [-0.5, 0.0, 0.5]),
            Self::SlipAngle => new("slip_angle", "sideslip angle", ANGLE, [-1.0, 0.0, 1.0]),
        }
    }

    /// Value of the channel for a body.
    #[must_use]
    pub fn sample(self, s: &BodySample) -> f32 {
        match self {
            Self::PositionX => s.body.position.x as f32,
            Self::PositionY => s.body.position.y as f32,
            Self::PositionZ => s.body.position.z as f32,
            Self::RotationX => s.body.rotation.x,
            Self::RotationY => s.body.rotation.y,
            Self::RotationZ => s.body.rotation.z,
            Self::RotationW => s.body.rotation.w,
            Self::VelocityX => s.inside(s.body.linear_velocity).x,
            Self::VelocityY => s.inside(s.body.linear_velocity).y,
            Self::VelocityZ => s.inside(s.body.linear_velocity).z,
            Self::RateX => s.inside(s.body.angular_velocity).x,
            Self::RateY => s.inside(s.body.angular_velocity).y,
            Self::RateZ => s.inside(s.body.angular_velocity).z,
            Self::AccelerationX => s.inside(s.acceleration).x,
            Self::AccelerationY => s.inside(s.acceleration).y,
            Self::AccelerationZ => s.inside(s.acceleration).z,
            Self::Heading => s.heading(),
            Self::Pitch => s.pitch(),
            Self::Roll => s.roll(),
            Self::SlipAngle => s.slip_angle(),
        }
    }
}
