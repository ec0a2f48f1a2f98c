//! Joints between bodies of the standalone world.

use glam::{Quat, Vec3};
use jointed_wheels::rows::{Ends, ImpulseRow, JointStrut, Movers, WHEEL_ROWS};
use vehicle_core::checked::Inspector;
use vehicle_core::{BodyId, math};

use crate::body::{Body, as_unit, check_rotation};
use crate::coupling::CouplingJoint;
use crate::error::{GroundError, check};
use crate::touch::{Around, WheelTouches};
use crate::tread::Tread;

/// Number of impulses of a joint; most kinds have fewer, and 0 for the rest.
pub const JOINT_ROWS: usize = WHEEL_ROWS;

/// A joint of [`Standalone`](crate::Standalone), by the order in which joints were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(pub u64);

/// Degrees of freedom that a joint leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Two points stay together; every rotation is free, and hulls do not meet.
    Ball,
    /// Two points stay together; the second body swings behind the first one, as a trailer does. Both frames have x
    /// forward and z up.
    Coupling(CouplingJoint),
    /// The second body travels along z of the first one's frame, and turns about y: a wheel.
    Wheel(WheelJoint),
}

/// A wheel on its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelJoint {
    /// The first frame's rotation before any steering: its z is the direction of travel.
    pub upright: Quat,
    /// Spring, limits and drive of the wheel.
    pub strut: JointStrut,
    /// Surface that rolls on ground, platforms and other bodies' hulls, if any: its center is that of the second body.
    pub tread: Option<Tread>,
}

/// Frame in which a joint acts on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrame {
    /// Anchor, from the body's center of mass (`m`, the body's axes).
    pub anchor: Vec3,
    /// The joint's axes → the body's, of unit length within 1 %; a ball ignores it.
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
    /// Frames of the joint on both bodies.
    pub frames: [JointFrame; 2],
    /// Degrees of freedom that the joint leaves.
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
            match &self.kind {
                JointKind::Ball => {}
                JointKind::Coupling(coupling) => i.within("coupling", |i| coupling.check(i)),
                JointKind::Wheel(wheel) => wheel.check(i),
            }
        })
    }

    /// Whether the joint keeps the hulls of its bodies from meeting.
    pub(crate) const fn parts_hulls(&self) -> bool {
        !matches!(self.kind, JointKind::Coupling(coupling) if coupling.contact)
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
    i.finite("motor.drive", motor.drive, "N·m");
    i.not_negative("motor.most", motor.most, "N·m");
    // Infinite for a brake.
    let (inertia, rule) = (motor.inertia, "must be >= 0");
    i.rule(inertia >= 0.0, "motor.inertia", inertia, "kg·m²", rule);
}

/// The jointed wheels of one chassis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WheelSet {
    pub(crate) chassis: BodyId,
    pub(crate) wheels: Vec<(BodyId, JointId)>,
}

/// A joint in the world, with its rows and contacts in a substep.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joint {
    pub(crate) desc: JointDesc,
    /// Kept, so that substeps do not allocate.
    rows: Vec<ImpulseRow>,
    /// Impulses with which the next substep begins, if there are no rows.
    first: [f32; WHEEL_ROWS],
    /// Contacts of the tread.
    touches: WheelTouches,
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
            rows: Vec::with_capacity(WHEEL_ROWS),
            first: [0.0; WHEEL_ROWS],
            touches: WheelTouches::default(),
        }
    }

    /// Impulses with which the next substep begins.
    pub(crate) fn impulses(&self) -> [f32; WHEEL_ROWS] {
        let mut impulses = self.first;
        for (kept, row) in impulses.iter_mut().zip(&self.rows) {
            *kept = row.impulse;
        }
        impulses
    }

    /// Lets the next substep begin with these impulses, and without contacts.
    pub(crate) fn begin_with(&mut self, impulses: [f32; WHEEL_ROWS]) {
        self.rows.clear();
        self.first = impulses;
        self.touches = WheelTouches::default();
    }

    /// Sets up the rows and contacts of the joint for a substep, with the impulses of the last one, which act on the bodies
    /// at once; none if a body is gone.
    pub(crate) fn start(&mut self, around: &Around<'_>, movers: &mut Movers) {
        let impulses = self.impulses();
        self.rows.clear();
        self.first = [0.0; WHEEL_ROWS];
        let [base, held] = self
            .desc
            .bodies
            .map(|id| around.bodies[id.0 as usize].as_ref());
        let Some((base, held)) = base.zip(held) else {
            return self.touches.settle();
        };
        self.add_rows([base, held], movers, around.h);
        for (row, impulse) in self.rows.iter_mut().zip(impulses) {
            row.warm_start(movers, impulse);
        }
        if let JointKind::Wheel(WheelJoint {
            tread: Some(tread), ..
        }) = &self.desc.kind
        {
            let frame = math::compose(base.now.rotation, self.desc.frames[0].rotation);
            let wheel = (&held.now, math::matrix(frame).z_axis);
            tread.start(&mut self.touches, around, movers, self.desc.bodies, wheel);
        }
    }

    /// One iteration.
    pub(crate) fn solve(&mut self, movers: &mut Movers, relax: bool) {
        for row in &mut self.rows {
            row.solve(movers, relax);
        }
        self.touches.solve(movers, relax);
    }

    /// Ends a substep of `h` (`s`): a motor's rotor follows its wheel.
    pub(crate) fn settle(&mut self, movers: &Movers, h: f32) {
        if let JointKind::Wheel(wheel) = &mut self.desc.kind
            && let Some(row) = self.rows.last()
        {
            wheel.strut.motor.follow(row.speed(movers), h);
        }
    }

    /// The bodies that its tread presses on.
    pub(crate) fn pressed(&self, movers: &Movers) -> impl Iterator<Item = BodyId> {
        self.touches.pressed(movers)
    }

    /// Turns a wheel on as a gyroscope for a substep of `h` (`s`).
    pub(crate) fn precess(&self, bodies: &mut [Option<Body>], h: f32) {
        if let JointKind::Wheel(_) = self.desc.kind
            && let Some(body) = &mut bodies[self.desc.bodies[1].0 as usize]
        {
            body.precess(h);
        }
    }

    /// Rows without impulses.
    fn add_rows(&mut self, [base, held]: [&Body; 2], movers: &Movers, h: f32) {
        let frames = &self.desc.frames;
        let indices = self.desc.bodies.map(|id| id.0 as usize);
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
        let axes = |body: &Body, n: usize| {
            math::matrix(math::compose(body.now.rotation, frames[n].rotation))
        };
        let together = || Vec3::AXES.map(|axis| ends.rigid(axis, ahead.dot(axis)));
        match &self.desc.kind {
            JointKind::Ball => self.rows.extend(together()),
            JointKind::Coupling(coupling) => {
                let swing = coupling.rows(&ends, [axes(base, 0), axes(held, 1)]);
                self.rows.extend(together().into_iter().chain(swing));
            }
            JointKind::Wheel(wheel) => {
                let axle = axes(held, 1).y_axis;
                let rows = ends.strut(&wheel.strut, ahead, &axes(base, 0), axle);
                self.rows.extend(rows);
            }
        }
    }
}

#[cfg(test)]
mod tests;
