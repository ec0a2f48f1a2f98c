//! Rows of walls in the way of wheels: the hub comes no nearer than to where the wheel touches.
//!
//! A row pushes, without friction, along the wall's normal across the wheel's travel, through the hub: the strut takes no part in
//! it. A wheel that is in a wall leaves it slowly.

use core::hint::cold_path;

use glam::{Mat3, Vec3};

use crate::base::math;
use crate::base::velocity::VelocityLanes;
use crate::stages::edge_ground::MOST_OBSTACLES;
use crate::stages::section::Obstacle;

use super::substep_context::SubstepContext;

/// Part of a wheel's depth in a wall by which a substep reduces it (–).
const RECOVERY: f32 = 0.2;
/// Greatest speed at which a wheel leaves a wall (`m/s`).
const FASTEST: f32 = 2.0;

/// Row of an obstacle in a substep (vehicle frame).
#[derive(Clone, Copy, Debug)]
struct ObstacleRow {
    direction: Vec3,
    arm: Vec3,
    response: Vec3,
    inverse_mass: f32,
    /// Change of its speed per impulse (`1/kg`).
    gain: f32,
    /// Least speed at the end (`m/s`).
    least: f32,
    impulse: f32,
}

impl ObstacleRow {
    const NONE: Self = Self {
        direction: Vec3::ZERO,
        arm: Vec3::ZERO,
        response: Vec3::ZERO,
        inverse_mass: 0.0,
        gain: 1.0,
        least: f32::NEG_INFINITY,
        impulse: 0.0,
    };

    /// The row of an obstacle in a substep that `now` describes; `None` if no impulse moves the chassis along it.
    fn new(obstacle: &Obstacle, now: &SubstepContext<'_>) -> Option<Self> {
        let to_vehicle = now.view.matrix.transpose();
        let (direction, hub) = (to_vehicle * obstacle.direction, to_vehicle * obstacle.hub);
        let arm = hub.cross(direction);
        let gap = obstacle.gap + obstacle.direction.dot(now.view.moved);
        let free = now.free_directions.unwrap_or(Mat3::IDENTITY);
        let direction = free * direction;
        let response = *now.inverse_inertia * arm;
        let gain = now.inverse_mass * direction.dot(direction) + arm.dot(response);
        let least = if gap >= 0.0 {
            -gap * now.per_second
        } else {
            math::lesser(-RECOVERY * gap * now.per_second, FASTEST)
        };
        (gain > 0.0).then_some(Self {
            direction,
            arm,
            response,
            inverse_mass: now.inverse_mass,
            gain,
            least,
            impulse: 0.0,
        })
    }

    /// Speed of the hub away from the wall (`m/s`).
    fn speed(&self, velocity: &VelocityLanes) -> f32 {
        let linear = self.direction.dot(velocity.linear.truncate());
        linear + self.arm.dot(velocity.angular.truncate())
    }

    /// Pushes the chassis so that the hub has at least its speed.
    fn solve(&mut self, velocity: &mut VelocityLanes) {
        let wanted = self.impulse + (self.least - self.speed(velocity)) / self.gain;
        let impulse = math::greater(wanted, 0.0);
        let change = impulse - self.impulse;
        if change == 0.0 {
            return;
        }
        cold_path();
        self.impulse = impulse;
        velocity.linear += (self.direction * (change * self.inverse_mass)).extend(0.0);
        velocity.angular += (self.response * change).extend(0.0);
    }
}

/// Rows of all obstacles in a substep.
pub(super) struct ObstacleRows {
    rows: [ObstacleRow; MOST_OBSTACLES],
    count: usize,
}

impl ObstacleRows {
    pub(super) fn new(obstacles: &[Obstacle], now: &SubstepContext<'_>) -> Self {
        let mut rows = Self {
            rows: [ObstacleRow::NONE; MOST_OBSTACLES],
            count: 0,
        };
        let found = obstacles
            .iter()
            .filter_map(|obstacle| ObstacleRow::new(obstacle, now));
        for (row, new) in rows.rows.iter_mut().zip(found) {
            *row = new;
            rows.count += 1;
        }
        rows
    }

    /// One sweep over the rows.
    pub(super) fn solve(&mut self, velocity: &mut VelocityLanes) {
        for row in &mut self.rows[..self.count] {
            row.solve(velocity);
        }
    }
}
