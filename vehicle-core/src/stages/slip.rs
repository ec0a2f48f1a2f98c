//! Tire axes, slips and friction.

use crate::base::lanes::angles::{atan, sin_cos};
use crate::base::lanes::{Mask4, V3x4, W4};
use crate::params::profile::SlipSettings;
use crate::stages::wheel_consts::WheelConsts;

/// Rolling and lateral direction of four tires in the ground plane (vehicle frame).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireAxes {
    /// Rolling direction, unit.
    pub longitudinal: V3x4,
    /// Lateral direction, to the left, unit.
    pub lateral: V3x4,
}

impl TireAxes {
    /// Along these directions, forward and to the left (vehicle frame), that `scale` makes unit (–).
    #[inline]
    #[must_use]
    pub fn along([forward, left]: [V3x4; 2], scale: W4) -> Self {
        Self {
            longitudinal: forward * scale,
            lateral: left * scale,
        }
    }
}

/// Axes from the ground's normal and the steering angle (ALGORITHMS §3.7): camber does not tilt them. Zero if
/// the normal is along the vehicle's y axis.
#[must_use]
pub fn tire_axes(normal: V3x4, steer_sin: W4, steer_cos: W4) -> TireAxes {
    let (directions, scale) = tire_directions(normal, steer_sin, steer_cos);
    TireAxes::along(directions, scale)
}

/// Directions of the same axes, forward and to the left (vehicle frame), and the scale that makes both unit (–). The scale takes
/// a root and a division: products with the directions can be computed meanwhile, and scaled last.
#[inline]
#[must_use]
pub fn tire_directions(normal: V3x4, steer_sin: W4, steer_cos: W4) -> ([V3x4; 2], W4) {
    let square = normal.z * normal.z + normal.x * normal.x;
    let usable = square.gt(W4::ZERO);
    let scale = usable.keep(W4::ONE / usable.select(square.sqrt(), W4::ONE));
    // Without steering, the rolling direction has no lateral part.
    let (ahead_x, ahead_z) = (normal.z, -normal.x);
    let aside = V3x4 {
        x: normal.y * ahead_z,
        y: square,
        z: -(normal.y * ahead_x),
    };
    let forward = V3x4 {
        x: ahead_x * steer_cos + aside.x * steer_sin,
        y: aside.y * steer_sin,
        z: ahead_z * steer_cos + aside.z * steer_sin,
    };
    let left = V3x4 {
        x: aside.x * steer_cos - ahead_x * steer_sin,
        y: aside.y * steer_cos,
        z: aside.z * steer_cos - ahead_z * steer_sin,
    };
    ([forward, left], scale)
}

/// Axes from the ground's normal and the axles with steering and camber (`rad`), and the wheels' inclination to
/// the ground (`rad`) (ALGORITHMS §7.11). Zero if the axle is along the ground's normal.
#[must_use]
pub fn axle_axes(normal: V3x4, steer_sin: W4, steer_cos: W4, camber: W4) -> (TireAxes, W4) {
    let (tilt, upright) = sin_cos(camber);
    let axle = V3x4 {
        x: -(steer_sin * upright),
        y: steer_cos * upright,
        z: tilt,
    };
    let heading = V3x4 {
        x: steer_cos,
        y: steer_sin,
        z: W4::ZERO,
    };
    let long = unit_or_zero(axle.cross(normal));
    let lat = unit_or_zero(normal.cross(long));
    let up = heading.cross(axle);
    let (across, along) = (normal.dot(axle), normal.dot(up));
    let above = along.gt(W4::ZERO);
    let to_ground = above.keep(across / above.select(along, W4::ONE));
    (
        TireAxes {
            longitudinal: long,
            lateral: lat,
        },
        atan(to_ground),
    )
}

/// Inclination to the ground of wheels without camber (`rad`), positive where the top tilts to the right: the angle that the chassis'
/// tilt adds to the camber of wheels with this steering. 0 where the chassis is on its side.
#[must_use]
pub fn inclination(normal: V3x4, steer_sin: W4, steer_cos: W4) -> W4 {
    let of = W4::splat;
    let (across, up) = (normal.y * steer_cos - normal.x * steer_sin, normal.z);
    // Twice the half angle, whose tangent is within 1: there, Padé's [5/4] approximant of the arc tangent is within 0.03 %,
    // and up to an inclination of 60° within 0.001 %, for a tenth of its cost.
    let half = across / (up + (up * up + across * across).sqrt());
    let square = half * half;
    let above = of(945.0) + square * (of(735.0) + square * of(64.0));
    let below = of(945.0) + square * (of(1050.0) + square * of(225.0));
    up.gt(W4::ZERO).keep(half * (above + above) / below)
}

fn unit_or_zero(v: V3x4) -> V3x4 {
    let square = v.dot(v);
    let usable = square.gt(W4::ZERO);
    v * usable.keep(W4::ONE / usable.select(square.sqrt(), W4::ONE))
}

/// Denominators of longitudinal slips of four tires (`m/s`). `active` wheels are driven or braked.
#[inline]
#[must_use]
pub fn longitudinal_denominator(
    settings: &SlipSettings,
    active: Mask4,
    forward: W4,
    rim: W4,
) -> W4 {
    let ground = forward.abs();
    let faster = ground.max(rim.abs());
    let counted = if settings.active_counts_spin {
        faster
    } else {
        ground
    };
    let driven = counted + W4::splat(settings.active_offset);
    let passive = W4::splat(settings.passive_denominator);
    let rolling = if settings.passive_adds {
        passive + ground
    } else {
        passive.max(faster)
    };
    active.select(driven, rolling)
}

/// Longitudinal slip (Ω·r − v)/den of four tires (–). `active` wheels are driven or braked.
#[inline]
#[must_use]
pub fn slip_ratio(settings: &SlipSettings, active: Mask4, forward: W4, rim: W4) -> W4 {
    (rim - forward) / longitudinal_denominator(settings, active, forward, rim)
}

/// Denominators of the tangents of slip angles (`m/s`).
#[inline]
#[must_use]
pub fn lateral_denominator(settings: &SlipSettings, forward: W4) -> W4 {
    forward.abs() + W4::splat(settings.lateral_offset)
}

/// Tangent of the slip angle of four tires (–).
#[inline]
#[must_use]
pub fn tan_slip_angle(settings: &SlipSettings, forward: W4, lateral: W4) -> W4 {
    lateral / lateral_denominator(settings, forward)
}

/// Friction factor at a slip ratio, from the wheels' friction curves (–).
#[inline]
#[must_use]
pub fn curve_friction(k: &WheelConsts, slip_ratio: W4) -> W4 {
    let [y0, y1, y2] = k.curve_friction;
    if !k.friction_curved {
        return y0;
    }
    let slip = slip_ratio.abs();
    let [x1, x2] = k.curve_slip;
    let rising = y0 + slip * (y1 - y0) / x1;
    let falling = y1 + (slip - x1) * (y2 - y1) / (x2 - x1);
    let beyond = slip.ge(x2).select(y2, falling);
    slip.lt(x1).select(rising, beyond)
}

#[cfg(test)]
mod tests;
