//! Keeps the corners of a body's hull above the ground.
//!
//! Sequential impulses at velocity level, with Coulomb friction and Newton's restitution; remaining
//! overlaps are pushed out at position level, which adds no velocity.

use glam::{DVec3, Vec3};
use vehicle_core::math;

use crate::body::{Body, CollisionBox};
use crate::contact_rows::tangents;
use crate::ground::Ray;
use crate::grounds::Grounds;

/// Solver iterations over all contacts. tuned: a box comes to rest flat (`a_box_comes_to_rest`).
const SWEEPS: usize = 16;
/// Corners up to this height above the ground are considered (`m`), plus their motion within the
/// step.
const MARGIN: f64 = 0.02;
/// Restitution threshold (`m/s`) (PhysX's default).
const BOUNCE: f32 = 2.0;
/// Tolerated overlap (`m`), so that a box at rest keeps its contacts.
const SLOP: f32 = 0.001;
/// Share of an overlap removed per step (–), and the limit of its speed (`m/s`).
const PUSH: (f32, f32) = (0.2, 1.0);

/// A corner at the ground.
struct CornerContact {
    /// From the center of mass to the corner (`m`, world axes).
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

/// Where a corner is near the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullCorner {
    /// From the center of mass (`m`, world axes).
    pub(crate) arm: Vec3,
    /// The ground's unit normal (world axes).
    pub(crate) normal: Vec3,
    /// Distance over the ground (`m`), negative for an overlap.
    pub(crate) gap: f32,
}

/// The environment of the hulls in one step.
pub(crate) struct Surroundings<'a> {
    pub(crate) ground: &'a Grounds,
    /// The world's origin in the ground's coordinates (`m`).
    pub(crate) origin: DVec3,
    /// Unit vector against gravity (world axes); `None` without gravity, in which case only
    /// overlapping corners are found.
    pub(crate) up: Option<DVec3>,
    /// The step (`s`).
    pub(crate) dt: f32,
}

/// Changes a body's velocities so that its hull does not enter the ground within the step, and
/// gradually pushes it out where it overlaps.
pub(crate) fn resolve(around: &Surroundings<'_>, body: &mut Body) {
    let dt = around.dt;
    let Some(hull) = body.now.hull else {
        return;
    };
    if body.sleep.asleep {
        return;
    }
    let mut contacts = corners(around, body, &hull).map(|corner| {
        corner.map(|HullCorner { arm, normal, gap }| CornerContact::new(body, arm, normal, gap, dt))
    });
    for _ in 0..SWEEPS {
        for contact in contacts.iter_mut().flatten() {
            contact.solve(body, hull.friction);
        }
    }
    push_out(body, &contacts, dt);
}

/// Corners of a hull that are near the ground.
pub(crate) fn corners(
    around: &Surroundings<'_>,
    body: &Body,
    hull: &CollisionBox,
) -> [Option<HullCorner>; 8] {
    let turn = math::matrix(body.now.rotation);
    let middle = turn * hull.centre;
    core::array::from_fn(|corner| {
        let sign = |bit: usize| if corner & bit == 0 { 1.0 } else { -1.0 };
        let side = turn * (hull.half_extents * Vec3::new(sign(1), sign(2), sign(4)));
        let arm = middle + side;
        let speed = body.now.linear_velocity + body.now.angular_velocity.cross(arm);
        let reach = f64::from(math::sqrt(speed.dot(speed)) * around.dt) + MARGIN;
        let centre = around.origin + body.now.position + middle.as_dvec3();
        let (gap, normal) = around.meet(centre, side.as_dvec3(), reach, hull.layers)?;
        let gap = gap as f32;
        Some(HullCorner { arm, normal, gap })
    })
}

impl Surroundings<'_> {
    /// Height of the corner at `centre + side` (`m`, world) above the ground, and the ground's
    /// normal.
    ///
    /// A ray from the hull's center finds what lies between it and the corner, including walls; a
    /// ray along gravity finds what the corner is about to land on, and the way up if the whole
    /// hull is buried.
    fn meet(&self, centre: DVec3, side: DVec3, reach: f64, layers: u32) -> Option<(f64, Vec3)> {
        let length = side.length();
        let outwards = Ray {
            origin: centre,
            direction: side / length,
            length: length as f32,
        };
        let blocked = self.ground.cast(&outwards, layers).map(|(hit, _)| hit);
        if let Some(hit) = blocked.filter(|hit| !hit.inside) {
            let beyond = length - f64::from(hit.distance);
            let slant = hit.normal.as_dvec3().dot(outwards.direction);
            return Some((beyond * slant, hit.normal));
        }
        let up = self.up?;
        let above = (-side.dot(up)).max(0.0);
        let gap = self.ground.gap(centre + side, up, above, reach, layers)?;
        let buried = blocked.is_some();
        (gap.buried == buried).then_some((gap.distance, gap.normal))
    }
}

impl CornerContact {
    fn new(body: &Body, arm: Vec3, normal: Vec3, gap: f32, dt: f32) -> Self {
        let [along, across] = tangents(normal);
        let axes = [normal, along, across];
        let mass = axes.map(|axis| {
            let lever = arm.cross(axis);
            1.0 / (1.0 / body.now.mass + body.over_inertia(lever).dot(lever))
        });
        let velocity = body.now.linear_velocity + body.now.angular_velocity.cross(arm);
        let approach = -velocity.dot(normal);
        // A corner above the ground may move down to it, but not further. Without restitution, a fast one does, too: stopped
        // above the ground, it would leave springs what it has to take.
        let allowed = gap.max(0.0) / dt;
        let restitution = body.now.restitution;
        let least = if restitution > 0.0 && approach > allowed.max(BOUNCE) {
            restitution * approach
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

fn push_out(body: &mut Body, contacts: &[Option<CornerContact>], dt: f32) {
    let mut shift = Vec3::ZERO;
    for contact in contacts.iter().flatten() {
        let normal = contact.axes[0];
        let left = contact.gap + contact.speed(body, 0) * dt + shift.dot(normal);
        let out = ((-left - SLOP) * PUSH.0).min(PUSH.1 * dt);
        shift += normal * out.max(0.0);
    }
    body.now.position += shift.as_dvec3();
}

#[cfg(test)]
mod tests;
