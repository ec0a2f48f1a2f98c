//! Keeps a body's hull out of the ground.
//!
//! Sequential impulses at velocity level, with Coulomb friction and Newton's restitution; remaining
//! overlaps are pushed out at position level, which adds no velocity.

use glam::Vec3;
use vehicle_core::math;

use crate::body::Body;
use crate::contact_rows::tangents;
use crate::hull_spots::{HullSpot, HullSpots, Surroundings};

/// Solver iterations over all contacts. tuned: a box comes to rest flat (`a_box_comes_to_rest`).
const SWEEPS: usize = 16;
/// Restitution threshold (`m/s`) (PhysX's default).
const BOUNCE: f32 = 2.0;
/// Tolerated overlap (`m`), so that a box at rest keeps its contacts.
const SLOP: f32 = 0.001;
/// Share of an overlap removed per step (–), and the limit of its speed (`m/s`).
const PUSH: (f32, f32) = (0.2, 1.0);

/// A point of a hull at the ground.
#[derive(Clone, Debug)]
struct HullContact {
    /// From the center of mass (`m`, world axes).
    arm: Vec3,
    /// Normal and two tangents (world axes).
    axes: [Vec3; 3],
    /// Effective mass along each of them (`kg`).
    mass: [f32; 3],
    /// Distance over the ground (`m`), negative for an overlap.
    gap: f32,
    /// Minimum speed along the normal (`m/s`).
    least: f32,
    /// Impulse accumulated along each axis in this step (`N·s`).
    impulse: [f32; 3],
}

/// Solves the contacts of hulls with the ground. Its lists are kept, so that steps do not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct HullSolver {
    spots: HullSpots,
    contacts: Vec<HullContact>,
}

impl HullSolver {
    /// Changes a body's velocities so that its hull does not enter the ground within the step, and
    /// gradually pushes it out where it overlaps.
    pub(crate) fn resolve(&mut self, around: &Surroundings<'_>, body: &mut Body) {
        let Some(hull) = body.now.hull else {
            return;
        };
        if body.sleep.asleep {
            return;
        }
        let spots = self.spots.find(around, body, &hull).iter();
        self.contacts.clear();
        self.contacts
            .extend(spots.map(|spot| HullContact::new(body, spot, around.dt)));
        for _ in 0..SWEEPS {
            for contact in &mut self.contacts {
                contact.solve(body, hull.friction);
            }
        }
        push_out(body, &self.contacts, around.dt);
    }
}

impl HullContact {
    fn new(body: &Body, spot: &HullSpot, dt: f32) -> Self {
        let HullSpot { arm, normal, gap } = *spot;
        let [along, across] = tangents(normal);
        let axes = [normal, along, across];
        let mass = axes.map(|axis| {
            let lever = arm.cross(axis);
            1.0 / (1.0 / body.now.mass + body.over_inertia(lever).dot(lever))
        });
        let velocity = body.now.linear_velocity + body.now.angular_velocity.cross(arm);
        let approach = -velocity.dot(normal);
        // A point above the ground may move down to it, but not further.
        let allowed = gap.max(0.0) / dt;
        let least = if approach > allowed.max(BOUNCE) {
            (body.now.restitution * approach).max(-allowed)
        } else {
            -allowed
        };
        Self {
            arm,
            axes,
            mass,
            gap,
            least,
            impulse: [0.0; 3],
        }
    }

    fn speed(&self, body: &Body, axis: usize) -> f32 {
        let velocity = body.now.linear_velocity + body.now.angular_velocity.cross(self.arm);
        velocity.dot(self.axes[axis])
    }

    /// Sets the impulse along one axis.
    fn set(&mut self, body: &mut Body, axis: usize, impulse: f32) {
        let push = self.axes[axis] * (impulse - self.impulse[axis]);
        self.impulse[axis] = impulse;
        let turn = body.over_inertia(self.arm.cross(push));
        body.add_velocity(push / body.now.mass, turn);
    }

    fn solve(&mut self, body: &mut Body, friction: f32) {
        let push = (self.least - self.speed(body, 0)) * self.mass[0];
        self.set(body, 0, (self.impulse[0] + push).max(0.0));
        let stick = [1, 2].map(|k| self.impulse[k] - self.speed(body, k) * self.mass[k]);
        let size = math::sqrt(stick[0] * stick[0] + stick[1] * stick[1]);
        let limit = friction * self.impulse[0];
        let scale = if size > limit { limit / size } else { 1.0 };
        self.set(body, 1, stick[0] * scale);
        self.set(body, 2, stick[1] * scale);
    }
}

fn push_out(body: &mut Body, contacts: &[HullContact], dt: f32) {
    let mut shift = Vec3::ZERO;
    for contact in contacts {
        let normal = contact.axes[0];
        let left = contact.gap + contact.speed(body, 0) * dt + shift.dot(normal);
        let out = ((-left - SLOP) * PUSH.0).min(PUSH.1 * dt);
        shift += normal * out.max(0.0);
    }
    body.now.position += shift.as_dvec3();
}

#[cfg(test)]
mod tests;
