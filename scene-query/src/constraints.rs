//! Joints and contacts of wheels and of hulls in the standalone world, solved together in substeps.

use glam::DVec3;
use jointed_wheels::rows::Mover;
use vehicle_core::BodyId;

use crate::body::Body;
use crate::hulls::Hulls;
use crate::joint::{Joint, WheelSet};
use crate::scenery::Scenery;
use crate::shared::SharedWheels;
use crate::touch::Around;

/// Least rate of substeps with joints, or while a body bears wheels, or a wheel collider or a hull meets something
/// (`Hz`).
const FINE_RATE: f32 = 240.0;
/// Iterations over all joints in a substep, and, after the positions, without pushing.
const ITERATIONS: (usize, usize) = (4, 2);

/// All joints, wheel colliders and hulls of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    /// Joints by id; a joint is removed with either of its bodies.
    pub(crate) joints: Vec<Option<Joint>>,
    /// Jointed wheels of the bodies that have them.
    pub(crate) axles: Vec<WheelSet>,
    /// Wheel colliders of the bodies that have them.
    pub(crate) shared: Vec<SharedWheels>,
    /// Hulls that others meet.
    pub(crate) hulls: Hulls,
    /// Bodies and platforms as rows know them, kept so that substeps do not allocate.
    movers: Vec<Option<Mover>>,
}

impl Constraints {
    /// Removes all constraints of a body.
    pub(crate) fn forget(&mut self, id: BodyId) {
        for slot in &mut self.joints {
            slot.take_if(|joint| joint.desc.bodies.contains(&id));
        }
        self.axles.retain(|axles| axles.chassis != id);
        self.shared.retain(|wheels| wheels.chassis != id);
        self.hulls.forget(id);
    }

    /// Number of substeps in the coming step, whose length is that of `around`.
    pub(crate) fn substeps(&mut self, around: &Around<'_>) -> usize {
        let mut bodies = around.bodies.iter().flatten();
        let bound = self.joints.iter().any(Option::is_some);
        if bound || bodies.any(Body::bears) || self.meet(around) {
            // Rounding must not add one.
            (around.h * FINE_RATE - 1e-3).ceil().max(1.0) as usize
        } else {
            1
        }
    }

    /// Whether any wheel collider or hull meets something within the step.
    fn meet(&mut self, around: &Around<'_>) -> bool {
        if self.shared.is_empty() && !self.hulls.may_meet() {
            return false;
        }
        self.movers.clear();
        self.movers.extend(around.movers());
        self.start_contacts(around);
        self.hulls.touch() || self.shared.iter().any(SharedWheels::touch)
    }

    /// The end of a substep of `h` (`s`), with `up` against gravity: impulses of joints and contacts, then
    /// the poses follow the velocities.
    pub(crate) fn solve(
        &mut self,
        scenery: &Scenery,
        bodies: &mut [Option<Body>],
        (up, h): (Option<DVec3>, f32),
    ) {
        for joint in self.joints.iter().flatten() {
            joint.precess(bodies, h);
        }
        self.start(&Around {
            scenery,
            bodies,
            up,
            h,
        });
        if self.share_sleep(bodies) {
            self.start(&Around {
                scenery,
                bodies,
                up,
                h,
            });
        }
        for (relax, iterations) in [(false, ITERATIONS.0), (true, ITERATIONS.1)] {
            for _ in 0..iterations {
                self.iterate(relax);
            }
            for (body, mover) in bodies.iter_mut().zip(&self.movers) {
                let (Some(body), Some(mover)) = (body, mover) else {
                    continue;
                };
                body.follow(mover);
                if !relax {
                    body.advance(h);
                }
            }
        }
        for joint in self.joints.iter_mut().flatten() {
            joint.settle(&self.movers, h);
        }
        for body in bodies.iter_mut().flatten() {
            body.update_sleep(h);
        }
        self.share_sleep(bodies);
    }

    /// Rows and contacts for a substep, with the impulses of the last one.
    fn start(&mut self, around: &Around<'_>) {
        self.movers.clear();
        self.movers.extend(around.movers());
        for joint in self.joints.iter_mut().flatten() {
            joint.start(around, &mut self.movers);
        }
        self.start_contacts(around);
    }

    fn start_contacts(&mut self, around: &Around<'_>) {
        for wheels in &mut self.shared {
            wheels.start(around, &mut self.movers);
        }
        let joints = &self.joints;
        self.hulls.start(around, &mut self.movers, |pair| {
            let parting = joints
                .iter()
                .flatten()
                .filter(|joint| joint.desc.parts_hulls());
            let mut all = parting.map(|joint| joint.desc.bodies);
            all.any(|[a, b]| {
                pair == [a, b].map(|id| id.0 as usize) || pair == [b, a].map(|id| id.0 as usize)
            })
        });
    }

    fn iterate(&mut self, relax: bool) {
        for joint in self.joints.iter_mut().flatten() {
            joint.solve(&mut self.movers, relax);
        }
        for wheels in &mut self.shared {
            wheels.solve(&mut self.movers, relax);
        }
        self.hulls.solve(&mut self.movers, relax);
    }

    /// Lets awake bodies keep asleep ones awake: joined bodies, and bodies of which one's wheel or hull presses on the other,
    /// also through chains. Returns whether any body slept.
    fn share_sleep(&self, bodies: &mut [Option<Body>]) -> bool {
        let (mut any, mut woken) = (false, true);
        while woken {
            woken = false;
            let mut share = |pair| woken |= keep_awake(bodies, pair);
            for joint in self.joints.iter().flatten() {
                share(joint.desc.bodies);
                let wheel = joint.desc.bodies[1];
                joint
                    .pressed(&self.movers)
                    .for_each(|other| share([wheel, other]));
            }
            for wheels in &self.shared {
                let chassis = wheels.chassis;
                wheels
                    .pressed(&self.movers)
                    .for_each(|other| share([chassis, other]));
            }
            self.hulls.pressed(&self.movers).for_each(share);
            any |= woken;
        }
        any
    }
}

/// Wakes the sleeper if just one of two bodies sleeps; returns whether it did.
fn keep_awake(bodies: &mut [Option<Body>], pair: [BodyId; 2]) -> bool {
    let pair = pair.map(|id| id.0 as usize);
    // Not of a platform.
    let asleep = |n: usize| Some(bodies.get(pair[n])?.as_ref()?.is_asleep());
    let sleeper = match [asleep(0), asleep(1)] {
        [Some(true), Some(false)] => pair[0],
        [Some(false), Some(true)] => pair[1],
        _ => return false,
    };
    if let Some(body) = &mut bodies[sleeper] {
        body.sleep.asleep = false;
    }
    true
}
