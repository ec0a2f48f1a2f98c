//! Joints between bodies of the standalone world.

use glam::{DVec3, Quat, Vec3};
use jointed_wheels::rows::{Ends, ImpulseRow, JointStrut, Movers, WHEEL_ROWS};
use vehicle_core::checked::Inspector;
use vehicle_core::{BodyId, math};

use crate::body::{Body, as_unit, check_rotation};
use crate::error::{GroundError, check};
use crate::grounds::Grounds;
use crate::tread::{Pressed, Tread, TreadContact};

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

/// A wheel on its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelJoint {
    /// The first frame's rotation before any steering: its z is the way of travel.
    pub upright: Quat,
    /// Its spring, its limits and what turns it.
    pub strut: JointStrut,
    /// What rolls on fixed ground, if anything: its center is that of the second body.
    pub tread: Option<Tread>,
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
        check_rotation(i, self.upright);
        check_strut(i, &self.strut);
        if let Some(tread) = self.tread {
            i.positive("tread.radius", tread.radius, "m");
            i.positive("tread.width", tread.width, "m");
            i.not_negative("tread.friction", tread.friction, "");
        }
    }
}

fn check_strut(i: &mut Inspector, strut: &JointStrut) {
    i.not_negative("stiffness", strut.stiffness, "N/m");
    i.not_negative("damping", strut.damping, "N·s/m");
    i.finite("free_travel", strut.free_travel, "m");
    let [least, most] = strut.limits;
    let ordered = least.is_finite() && most.is_finite() && least <= most;
    let found = format!("[{least}, {most}]");
    i.rule(ordered, "limits", found, "m", "must be finite and rise");
    let motor = &strut.motor;
    i.finite("motor.torque", motor.torque, "N·m");
    i.finite("motor.spin", motor.spin, "rad/s");
    i.not_negative("motor.most", motor.most, "N·m");
    // Infinite for a brake.
    let (damping, rule) = (motor.damping, "must be >= 0");
    i.rule(damping >= 0.0, "motor.damping", damping, "N·m·s/rad", rule);
}

/// The jointed wheels of one chassis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WheelSet {
    pub(crate) chassis: BodyId,
    pub(crate) wheels: Vec<(BodyId, JointId)>,
}

/// What joints find around them in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    /// By id.
    pub(crate) bodies: &'a [Option<Body>],
    pub(crate) ground: &'a Grounds,
    /// The world's origin in the ground's coordinates (`m`).
    pub(crate) origin: DVec3,
    /// The substep (`s`).
    pub(crate) h: f32,
}

/// A joint in the world, with the impulses of its last substep (`N·s`, `N·m·s`).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joint {
    pub(crate) desc: JointDesc,
    impulses: [f32; WHEEL_ROWS],
    /// Contacts of the tread at the end of the last substep.
    pressed: Vec<Pressed>,
}

/// Rows of a joint and contacts of its tread in one substep.
#[derive(Debug, Default)]
pub(crate) struct SolvedJoint {
    rows: Vec<ImpulseRow>,
    contacts: Vec<TreadContact>,
}

impl SolvedJoint {
    /// One iteration.
    pub(crate) fn solve(&mut self, movers: &mut Movers, relax: bool) {
        for row in &mut self.rows {
            row.solve(movers, relax);
        }
        for contact in &mut self.contacts {
            contact.solve(movers, relax);
        }
    }
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
            impulses: [0.0; WHEEL_ROWS],
            pressed: Vec::new(),
        }
    }

    /// Its rows and contacts for a substep of `h` (`s`), with the last one's impulses, which act on
    /// the bodies at once.
    pub(crate) fn start(&self, around: &Around<'_>, movers: &mut Movers) -> SolvedJoint {
        let Some(mut rows) = self.rows(around, movers) else {
            return SolvedJoint::default();
        };
        for (row, impulse) in rows.iter_mut().zip(self.impulses) {
            row.warm_start(movers, impulse);
        }
        let contacts = self.contacts(around, movers);
        SolvedJoint {
            rows,
            contacts: contacts.unwrap_or_default(),
        }
    }

    fn contacts(&self, around: &Around<'_>, movers: &mut Movers) -> Option<Vec<TreadContact>> {
        let &Around {
            bodies,
            ground,
            origin,
            h,
        } = around;
        let JointKind::Wheel(WheelJoint {
            tread: Some(tread), ..
        }) = &self.desc.kind
        else {
            return None;
        };
        let [base, wheel] = self.desc.bodies.map(|id| id.0 as usize);
        let frame = math::compose(
            bodies[base].as_ref()?.now.rotation,
            self.desc.frames[0].rotation,
        );
        let held = &bodies[wheel].as_ref()?.now;
        let axle = math::matrix(held.rotation).y_axis;
        let axes = [axle, math::matrix(frame).z_axis];
        let place = held.position + origin;
        let touches = tread.touches(ground, place, axes, held.linear_velocity, h);
        let touches = touches.iter();
        Some(
            touches
                .map(|touch| tread.start(movers, wheel, axle, (touch, &self.pressed), h))
                .collect(),
        )
    }

    /// Turns a wheel on as a gyroscope for a substep of `h` (`s`).
    pub(crate) fn precess(&self, bodies: &mut [Option<Body>], h: f32) {
        if let JointKind::Wheel(_) = self.desc.kind
            && let Some(body) = &mut bodies[self.desc.bodies[1].0 as usize]
        {
            body.precess(h);
        }
    }

    /// Keeps the impulses for the next substep.
    pub(crate) fn remember(&mut self, solved: &SolvedJoint) {
        for (kept, row) in self.impulses.iter_mut().zip(&solved.rows) {
            *kept = row.impulse;
        }
        self.pressed = solved.contacts.iter().map(TreadContact::pressed).collect();
    }

    /// Without impulses; `None` if a body is gone.
    fn rows(&self, around: &Around<'_>, movers: &Movers) -> Option<Vec<ImpulseRow>> {
        let &Around { bodies, h, .. } = around;
        let frames = &self.desc.frames;
        let indices = self.desc.bodies.map(|id| id.0 as usize);
        let [base, held] = [0, 1].map(|n| bodies[indices[n]].as_ref());
        let (base, held) = (base?, held?);
        let arm = |body: &Body, n: usize| math::matrix(body.now.rotation) * frames[n].anchor;
        let arms = [arm(held, 1), arm(base, 0)];
        let ahead = (held.now.position - base.now.position).as_vec3() + arms[0] - arms[1];
        let ends = Ends {
            movers,
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
                let axle = axes(held, 1).y_axis;
                ends.strut(&wheel.strut, ahead, &axes(base, 0), axle)
                    .to_vec()
            }
        })
    }
}

#[cfg(test)]
mod tests;
