//! A body under the wheels between steps: how it really moved, and how its velocity changes (ROWS §3).
//!
//! Scripted platforms change their velocity from step to step, and an engine may report the one of the step
//! before; other vehicles have the mean velocity of a step. The chassis, whose velocity changes within a step,
//! would fall behind such ground by half of each change.

use glam::{DVec3, Vec3};

use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::GroundMotion;
use crate::exchange::state::{GroundHandover, VehicleState};

use super::handover;

/// How the ground differs from what it did in the last step, at the vehicle's centre of mass (world axes).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundDeviation {
    /// Displacement from where the last step expected it (`m`, `rad`).
    pub astray: Velocity,
    /// Change of its velocity since the last step (`m/s`, `rad/s`).
    pub change: Velocity,
}

impl GroundDeviation {
    /// Compares ground that moves like `motion` with the last step's, in this `state` of the vehicle. Other
    /// ground, or one that was moved by hand, does not deviate.
    ///
    /// ```text
    /// Δx = x − x_expected        ΔV = V − V_last
    /// ```
    #[must_use]
    pub fn new(state: &VehicleState, motion: &GroundMotion, gravity: Vec3) -> Self {
        let last = &state.handover;
        let Some(ground) = last.ground.filter(|_| last.duration > 0.0) else {
            return Self::default();
        };
        let moved = Velocity {
            linear: (motion.position - state.position).as_vec3() - (last.place + ground.place),
            angular: handover::turned_since(ground.rotation, motion.rotation)
                - ground.velocity.angular * last.duration,
        };
        let change = motion.velocity() - ground.velocity;
        let step = (gravity, last.duration);
        if handover::is_unexplained(&moved, &change, motion.position, step) {
            return Self::default();
        }
        let arm = (state.position - motion.position).as_vec3();
        Self {
            astray: moved.at(arm),
            change: change.at(arm),
        }
    }
}

/// Ground that moves like `motion`, as the next step expects it after `dt` (`s`); `end` is where the vehicle's
/// centre of mass should then be (`m`, world).
#[must_use]
pub fn expected(motion: &GroundMotion, end: DVec3, dt: f32) -> GroundHandover {
    let centre = motion.position + (motion.linear_velocity * dt).as_dvec3();
    GroundHandover {
        place: (centre - end).as_vec3(),
        rotation: motion.rotation.to_array(),
        velocity: motion.velocity(),
    }
}
