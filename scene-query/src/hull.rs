//! Keeps a body's hull out of the ground.
//!
//! Sequential impulses at velocity level, with Coulomb friction. A point above the ground may move down to it within the
//! step; where it has, the ground takes the rest of its velocity, or returns it with Newton's restitution. Stopped where the
//! step finds it, a fast hull would hang above the ground, over springs that it has not compressed. Remaining overlaps are
//! pushed out at position level, which adds no velocity.

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
    /// Position of the contact, from the center of mass (`m`, world axes).
    arm: Vec3,
    /// Normal and two tangents (world axes).
    axes: [Vec3; 3],
    /// Effective mass along each of them (`kg`).
    mass: [f32; 3],
    /// Distance over the ground (`m`), negative for an overlap.
    gap: f32,
    /// Speed toward the ground before the ground acts (`m/s`).
    approach: f32,
    /// Minimum speed along the normal (`m/s`).
    least: f32,
    /// Impulse accumulated along each axis in this step (`N·s`).
    impulse: [f32; 3],
}

/// Solves the contacts of hulls with the ground. Its lists are kept, so that steps do not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct HullSolver {
    spots: HullSpots,
    /// Contacts of one body after the other.
    contacts: Vec<HullContact>,
    /// Index in `contacts` at which those of each body end.
    ends: Vec<usize>,
}

impl HullSolver {
    /// Changes the velocities of bodies so that their hulls do not enter the ground within the step, and
    /// gradually pushes them out where they overlap.
    pub(crate) fn approach<'a>(
        &mut self,
        around: &Surroundings<'_>,
        bodies: impl Iterator<Item = &'a mut Body>,
    ) {
        self.contacts.clear();
        self.ends.clear();
        for body in bodies {
            let first = self.contacts.len();
            if let Some(hull) = body.now.hull.filter(|_| !body.sleep.asleep) {
                let spots = self.spots.find(around, body, &hull).iter();
                let contacts = spots.map(|spot| HullContact::new(body, spot, around.dt));
                self.contacts.extend(contacts);
                let contacts = &mut self.contacts[first..];
                solve(contacts, body, hull.friction);
                push_out(body, contacts, around.dt);
            }
            self.ends.push(self.contacts.len());
        }
    }

    /// Stops or bounces the hulls that reached the ground, after the same bodies have moved through the step of `dt` (`s`).
    pub(crate) fn land<'a>(&mut self, dt: f32, bodies: impl Iterator<Item = &'a mut Body>) {
        let mut first = 0;
        for (body, end) in bodies.zip(&self.ends) {
            let contacts = &mut self.contacts[first..*end];
            first = *end;
            if let Some(hull) = body.now.hull.filter(|_| !contacts.is_empty()) {
                for contact in &mut *contacts {
                    contact.land(body, dt);
                }
                solve(contacts, body, hull.friction);
            }
        }
    }
}

fn solve(contacts: &mut [HullContact], body: &mut Body, friction: f32) {
    for _ in 0..SWEEPS {
        for contact in &mut *contacts {
            contact.solve(body, friction);
        }
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
        Self {
            arm,
            axes,
            mass,
            gap,
            approach: -velocity.dot(normal),
            // A point above the ground may move down to it, but not further.
            least: -gap.max(0.0) / dt,
            impulse: [0.0; 3],
        }
    }

    /// Sets the minimum speed after the body has moved. A point that the ground has pressed is at the ground now. Another
    /// point keeps its speed; if the landing turns it down, it gets no faster than reaches the ground in the next step.
    fn land(&mut self, body: &Body, dt: f32) {
        let speed = self.speed(body, 0);
        self.least = if self.impulse[0] == 0.0 {
            let gap = self.gap + speed * dt;
            speed.min(-gap.max(0.0) / dt)
        } else if self.approach > BOUNCE {
            body.now.restitution * self.approach
        } else {
            0.0
        };
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
