//! Sensors of a vehicle: what drivetrains and driver aids see at the start of a substep, one number at a time.

use glam::Vec3;

use crate::exchange::command::Command;

/// Values of a vehicle's sensors at the start of a substep. Vectors are in the vehicle frame (x forward, y to the left, z up);
/// forces are those of the last substep.
#[derive(Clone, Copy, Debug)]
pub struct Sensors<'a> {
    /// Length of the substep (`s`), > 0.
    pub duration: f32,
    /// Whether the substep is the first of its step.
    pub begins_step: bool,
    /// Mass of the chassis and its load (`kg`), > 0.
    pub mass: f32,
    /// Gravity (`m/s²`).
    pub gravity: Vec3,
    /// Velocity of the center of mass (`m/s`).
    pub velocity: Vec3,
    /// Angular velocity (`rad/s`): x rolls to the right, y pitches the nose down, z yaws to the left.
    pub angular_velocity: Vec3,
    /// Acceleration of the center of mass without gravity, as an accelerometer shows it (`m/s²`): by wheels and air.
    pub acceleration: Vec3,
    /// Speed of the engine (`rad/s`), ≥ 0; 0 without one.
    pub engine_speed: f32,
    /// Command of the step; `None` if it was refused, so that pedals and steering stay as the last accepted one set them.
    pub command: Option<&'a Command>,
    /// Sensors of the wheels, in wheel order.
    pub wheels: &'a [WheelSensors],
}

/// Values of a wheel's sensors at the start of a substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelSensors {
    /// Whether the wheel is enabled: a disabled one carries no load and does not turn.
    pub enabled: bool,
    /// Whether the wheel touches the ground.
    pub on_ground: bool,
    /// Radius (`m`), > 0.
    pub radius: f32,
    /// Moment of inertia about the axle (`kg·m²`), > 0.
    pub inertia: f32,
    /// Center of the wheel at jounce 0, from the center of mass (`m`, vehicle frame).
    pub position: Vec3,
    /// Steering angle with toe (`rad`), positive to the left.
    pub steering_angle: f32,
    /// Spin (`rad/s`), positive rolling forward.
    pub spin: f32,
    /// Velocity of the contact over the ground, along the wheel's rolling direction and to its left (`m/s`); of the wheel in the air.
    pub ground_velocity: [f32; 2],
    /// Longitudinal slip (r·Ω − v)/max(|v|, |r·Ω|) (–), −1…1: negative while braking forward; 0 in the air and where neither moves.
    pub slip: f32,
    /// Force of the wheel on the chassis along the ground's normal (`N`), ≥ 0.
    pub load: f32,
    /// Force of the tire on the chassis, along the rolling direction and to the left (`N`).
    pub force: [f32; 2],
    /// Braking torque as applied in the last substep, without rolling resistance (`N·m`), ≥ 0; measured in vehicles with aids, 0
    /// in others.
    pub brake: f32,
    /// Torque of the drivetrain on the wheel in the last substep (`N·m`), positive forward: the clutch's through the gears, and direct
    /// torque.
    pub drive: f32,
    /// Friction of the tire on the ground (–), ≥ 0. Real vehicles do not know it: aids that use it are ideal.
    pub friction: f32,
    /// Slip at which the tire reaches its greatest longitudinal force on this ground (–), 0…1, from its law at rest load: the
    /// least slip with 99.5 % of it. Real vehicles do not know it either.
    pub best_slip: f32,
}

impl WheelSensors {
    /// Longitudinal slip (–) of a wheel whose rim has the speed `rim`, r·Ω, over ground with the speed `forward` under it
    /// (`m/s`), as in [`WheelSensors::slip`].
    #[must_use]
    pub fn slip_of(rim: f32, forward: f32) -> f32 {
        let faster = crate::base::math::greater(rim.abs(), forward.abs());
        if faster > 0.0 {
            (rim - forward) / faster
        } else {
            0.0
        }
    }
}
