//! Couplings between a towing and a towed body: two points stay together, and the towed body swings within limits.
//!
//! Yaw ψ, pitch θ and roll φ are those of the towed body's axes b in the towing one's a:
//!
//! ```text
//! ψ = atan2(b_x·a_y, b_x·a_x)     θ = atan2(b_z·a_x, b_z·a_z)     φ = −atan2(b_z·a_y, b_z·a_z)
//! ```
//!
//! Pitch and roll thus turn about axes of the towing body, as the plate of a fifth wheel does, at any yaw.

use glam::{Mat3, Vec3};
use jointed_wheels::rows::{Ends, ImpulseRow};
use vehicle_core::checked::Inspector;
use vehicle_core::math;

/// A coupling: what a joint between a towing and a towed body leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplingJoint {
    /// Most yaw, pitch and roll of the towed body against the towing one, either way (`rad`), > 0; from π on it is
    /// free.
    pub limits: Vec3,
    /// Stiffness against roll (`N·m/rad`), ≥ 0: 0 for a ball, infinite where both bodies roll as one.
    pub roll_stiffness: f32,
    /// Whether the hulls of the coupled bodies meet.
    pub contact: bool,
}

impl CouplingJoint {
    /// A ball joint: every rotation is free, and hulls do not meet.
    pub const FREE: Self = Self {
        limits: Vec3::INFINITY,
        roll_stiffness: 0.0,
        contact: false,
    };

    /// Reports all faults of its numbers.
    pub(crate) fn check(&self, i: &mut Inspector) {
        let limits = self.limits.to_array();
        for (name, limit) in ["limits.x", "limits.y", "limits.z"].into_iter().zip(limits) {
            i.rule(limit > 0.0, name, limit, "rad", "must be > 0");
        }
        let stiffness = self.roll_stiffness;
        let (name, rule) = ("roll_stiffness", "must be >= 0");
        i.rule(stiffness >= 0.0, name, stiffness, "N·m/rad", rule);
    }

    /// The rows of its rotations, in an order that is always the same, for bodies with these axes (world): those of
    /// the towing one and of the towed one, which is the first of `ends`.
    pub(crate) fn rows(
        &self,
        ends: &Ends<'_>,
        [base, held]: [Mat3; 2],
    ) -> impl Iterator<Item = ImpulseRow> {
        let roll_axis = math::unit_or_zero(base.y_axis.cross(held.z_axis));
        let up = [base.x_axis, base.y_axis, base.z_axis].map(|axis| axis.dot(held.z_axis));
        let ahead = [base.x_axis, base.y_axis].map(|axis| axis.dot(held.x_axis));
        let swings = [
            (base.z_axis, angle_of(ahead[1], ahead[0])),
            (base.y_axis, angle_of(up[0], up[2])),
            (roll_axis, -angle_of(up[1], up[2])),
        ];
        let roll = swings[2].1;
        let stiffness = match self.roll_stiffness {
            0.0 => None,
            f32::INFINITY => Some(ends.aligned(roll_axis, roll)),
            stiffness => Some(ends.turning_spring(roll_axis, roll, stiffness)),
        };
        let stops = swings.into_iter().zip(self.limits.to_array());
        let stops = stops.filter(|(_, limit)| *limit < core::f32::consts::PI);
        let stops = stops.map(|((axis, angle), limit)| {
            ends.turning_stop(-axis * 1_f32.copysign(angle), limit - angle.abs())
        });
        stiffness.into_iter().chain(stops)
    }
}

/// Angle of a direction with these components across and along an axis (`rad`), −π…π.
fn angle_of(across: f32, along: f32) -> f32 {
    let length = math::sqrt(across * across + along * along);
    // Half of the angle is within ±π/2, whose tangent is infinite in floating point only against the axis itself.
    2.0 * math::atan(across / (length + along).max(f32::MIN_POSITIVE))
}

#[cfg(test)]
mod tests;
