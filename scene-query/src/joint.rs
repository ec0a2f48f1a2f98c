//! Joints between bodies of the standalone world.

use glam::{Mat3, Quat, Vec3};
use vehicle_core::checked::Inspector;
use vehicle_core::{BodyId, math};

use crate::body::{Body, as_unit, check_rotation};
use crate::error::{GroundError, check};
use crate::rows::{Ends, Row, Slots};

/// A joint of [`Standalone`](crate::Standalone), by the order in which joints were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(pub u64);

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Two points stay together; every rotation is free: a trailer's coupling.
    Ball,
    /// The second body travels along z of the first one's frame, and turns about y: a wheel.
    Wheel(WheelJoint),
}

/// Spring, limits and torques of a wheel on its joint. Travel is that of the wheel, positive up; 0
/// where both frames meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelJoint {
    /// Spring's stiffness (`N/m`), ≥ 0.
    pub stiffness: f32,
    /// Its damping (`N·s/m`), ≥ 0.
    pub damping: f32,
    /// Travel at which the spring is relaxed (`m`).
    pub free_travel: f32,
    /// Least and most travel (`m`).
    pub limits: [f32; 2],
    /// Torque on the wheel about y, and its opposite on the first body (`N·m`).
    pub drive: f32,
    /// Torque of the brake, and of the bearing's friction (`N·m`), ≥ 0: at most this, to stop the
    /// turning.
    pub brake: f32,
}

/// Where a joint holds a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrame {
    /// From its center of mass (`m`, the body's axes).
    pub anchor: Vec3,
    /// The joint's axes → the body's, of unit length within 1 %; a ball joint ignores it.
    pub rotation: Quat,
}

impl JointFrame {
    /// A point (`m`, from the center of mass, the body's axes), with the body's own axes.
    #[must_use]
    pub const fn at(anchor: Vec3) -> Self {
        Self {
            anchor,
            rotation: Quat::IDENTITY,
        }
    }
}

/// A joint between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDesc {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// Where it holds them.
    pub frames: [JointFrame; 2],
    /// What it leaves free.
    pub kind: JointKind,
}

impl JointDesc {
    /// Reports all faults of its numbers.
    pub(crate) fn check(&self) -> Result<(), GroundError> {
        check("joint", |i| {
            for frame in &self.frames {
                i.finite_vector("anchor", frame.anchor, "m");
                check_rotation(i, frame.rotation);
            }
            if let JointKind::Wheel(wheel) = &self.kind {
                wheel.check(i);
            }
        })
    }
}

impl WheelJoint {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("stiffness", self.stiffness, "N/m");
        i.not_negative("damping", self.damping, "N·s/m");
        i.finite("free_travel", self.free_travel, "m");
        let [least, most] = self.limits;
        let ordered = least.is_finite() && most.is_finite() && least <= most;
        i.rule(
            ordered,
            "limits",
            format!("[{least}, {most}]"),
            "m",
            "must be finite and rise",
        );
        i.finite("drive", self.drive, "N·m");
        i.not_negative("brake", self.brake, "N·m");
    }
}

/// Most rows of a joint: two of position, spring, two limits, two of direction, torque.
const ROWS: usize = 8;

/// A joint in the world, with the impulses of its last substep (`N·s`, `N·m·s`).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joint {
    pub(crate) desc: JointDesc,
    impulses: [f32; ROWS],
}

impl Joint {
    /// A joint from a checked description.
    pub(crate) fn new(desc: &JointDesc) -> Self {
        let mut desc = *desc;
        for frame in &mut desc.frames {
            frame.rotation = as_unit(frame.rotation);
        }
        Self {
            desc,
            impulses: [0.0; ROWS],
        }
    }

    /// Its rows for a substep of `h` (`s`), with the last one's impulses, which
    /// act on the bodies at once.
    pub(crate) fn start(&self, slots: &mut Slots, h: f32) -> Vec<Row> {
        let mut rows = self.rows(slots, h).unwrap_or_default();
        for (row, impulse) in rows.iter_mut().zip(self.impulses) {
            row.warm_start(slots, impulse);
        }
        rows
    }

    /// Keeps the impulses of its rows for the next substep.
    pub(crate) fn remember(&mut self, rows: &[Row]) {
        for (kept, row) in self.impulses.iter_mut().zip(rows) {
            *kept = row.impulse;
        }
    }

    /// Without impulses; `None` if a body is gone.
    fn rows(&self, slots: &Slots, h: f32) -> Option<Vec<Row>> {
        let frames = &self.desc.frames;
        let indices = self.desc.bodies.map(|id| id.0 as usize);
        let [base, held] = [0, 1].map(|n| slots[indices[n]].as_ref());
        let (base, held) = (base?, held?);
        let arm = |body: &Body, n: usize| math::matrix(body.now.rotation) * frames[n].anchor;
        let arms = [arm(held, 1), arm(base, 0)];
        let ahead = (held.now.position - base.now.position).as_vec3() + arms[0] - arms[1];
        let ends = Ends {
            slots,
            bodies: [Some(indices[1]), Some(indices[0])],
            // Both act where the second body is held, so that no impulse adds angular momentum.
            arms: [arms[0], arms[1] + ahead],
            h,
        };
        Some(match &self.desc.kind {
            JointKind::Ball => Vec3::AXES
                .map(|axis| ends.rigid(axis, ahead.dot(axis)))
                .to_vec(),
            JointKind::Wheel(wheel) => {
                let axes = |body: &Body, n: usize| {
                    math::matrix(math::compose(body.now.rotation, frames[n].rotation))
                };
                wheel.rows(&ends, ahead, &axes(base, 0), axes(held, 1).y_axis)
            }
        })
    }
}

impl WheelJoint {
    /// Rows of a wheel `ahead` of its frame (`m`), whose `axes` are those of the world's, as is the
    /// wheel's axle.
    fn rows(&self, ends: &Ends<'_>, ahead: Vec3, axes: &Mat3, axle: Vec3) -> Vec<Row> {
        let [x, y, up] = [axes.x_axis, axes.y_axis, axes.z_axis];
        let travel = ahead.dot(up);
        let tilt = y.cross(axle);
        let law = [self.stiffness, self.damping];
        vec![
            ends.rigid(x, ahead.dot(x)),
            ends.rigid(y, ahead.dot(y)),
            ends.spring(up, travel - self.free_travel, law),
            ends.stop(up, travel - self.limits[0]),
            ends.stop(-up, self.limits[1] - travel),
            ends.aligned(x, tilt.dot(x)),
            ends.aligned(up, tilt.dot(up)),
            ends.turned(y, self.drive, self.brake),
        ]
    }
}

#[cfg(test)]
mod tests;
