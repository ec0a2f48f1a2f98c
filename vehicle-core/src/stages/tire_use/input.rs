//! Inputs of four tires: the only place where a [`TireInput<W4>`] is assembled.

use crate::base::lanes::W4;
use crate::contracts::tire::TireInput;
use crate::stages::wheel_consts::WheelConsts;

/// Inputs of four tires that do not depend on slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireOperatingPoint {
    /// Filtered load (`N`).
    pub load: W4,
    /// Rest load (`N`).
    pub rest_load: W4,
    /// Inclination to the ground (`rad`).
    pub camber: W4,
    /// Yaw rate of the wheel relative to the ground (`rad/s`).
    pub yaw_speed: W4,
    /// Inflation pressure (`Pa`); 0 for the law's reference.
    pub pressure: W4,
    /// Gravity (`m/s²`).
    pub gravity: f32,
}

/// Motion of four tires relative to the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMotion {
    /// Speed of the contact along the rolling direction (`m/s`).
    pub forward: W4,
    /// Speed of the contact to the left (`m/s`).
    pub left: W4,
    /// Speed of the rim, spin·radius (`m/s`).
    pub rim: W4,
}

impl ContactMotion {
    /// `input` with this motion.
    #[must_use]
    pub fn apply_to(&self, input: &TireInput<W4>) -> TireInput<W4> {
        TireInput {
            forward_speed: self.forward,
            lateral_speed: self.left,
            rim_speed: self.rim,
            ..*input
        }
    }
}

/// Input of tires at this operating point and motion, with these slips, ratio and tangent of the angle (–), and this friction
/// (–).
#[inline]
#[must_use]
pub fn tire_input(
    k: &WheelConsts,
    point: &TireOperatingPoint,
    motion: &ContactMotion,
    [slip_ratio, tan_slip_angle]: [W4; 2],
    friction: W4,
) -> TireInput<W4> {
    TireInput {
        slip_ratio,
        tan_slip_angle,
        forward_speed: motion.forward,
        lateral_speed: motion.left,
        rim_speed: motion.rim,
        radius: k.radius,
        load: point.load,
        rest_load: point.rest_load,
        camber: point.camber,
        friction,
        yaw_speed: point.yaw_speed,
        pressure: point.pressure,
        gravity: point.gravity,
    }
}
