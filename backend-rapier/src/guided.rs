//! Ground bodies that follow poses: whether their script sets the next one before the vehicles' update, or after it.
//!
//! Rapier keeps the next pose alone. One that is the present pose means that the body will stand, or that its script has
//! not set it yet; the script's action in the past step says which.

use std::sync::{Mutex, PoisonError};

use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodySet, RigidBodyType};

/// Whether the next pose of a body is known, and differs from the present one.
pub(crate) fn leaves(body: &RigidBody) -> bool {
    body.next_position() != body.position()
}

/// A body that follows poses.
#[derive(Clone, Copy, Debug)]
struct Guided {
    body: RigidBodyHandle,
    /// Whether the body's script sets the next pose before the update.
    ahead: bool,
    /// Whether the body's script has set a pose in this step.
    told: bool,
}

/// The bodies under wheels that follow poses.
#[derive(Debug, Default)]
pub(crate) struct GuidedBodies {
    /// Bodies that vehicles have asked about since the last update was applied; several threads may ask.
    asked: Mutex<Vec<RigidBodyHandle>>,
    known: Vec<Guided>,
}

impl Clone for GuidedBodies {
    fn clone(&self) -> Self {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            asked: Mutex::new(asked.clone()),
            known: self.known.clone(),
        }
    }
}

impl GuidedBodies {
    /// Whether a body without a next pose will stand: its script would have set one by now.
    pub(crate) fn stands(&self, body: RigidBodyHandle) -> bool {
        self.find(body).is_some_and(|guided| guided.ahead)
    }

    /// Takes note of a body that follows poses.
    pub(crate) fn note(&self, body: RigidBodyHandle) {
        if self.find(body).is_none() {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            if !asked.contains(&body) {
                asked.push(body);
            }
        }
    }

    /// Looks which scripts have set a pose, as an update is applied.
    pub(crate) fn look(&mut self, bodies: &RigidBodySet) {
        let asked = self
            .asked
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..);
        self.known.extend(asked.map(|body| Guided {
            body,
            ahead: false,
            told: false,
        }));
        for guided in &mut self.known {
            guided.told |= bodies.get(guided.body).is_some_and(leaves);
        }
    }

    /// Ends a step: a script whose body moved without a pose set before the update will not set one in the next step either.
    pub(crate) fn end_step(&mut self, bodies: &RigidBodySet) {
        self.known.retain_mut(|guided| {
            let Some(body) = bodies.get(guided.body) else {
                return false;
            };
            let moved = *body.vels() != Default::default();
            guided.ahead = guided.told || guided.ahead && !moved;
            guided.told = false;
            body.body_type() == RigidBodyType::KinematicPositionBased
        });
    }

    fn find(&self, body: RigidBodyHandle) -> Option<&Guided> {
        self.known.iter().find(|guided| guided.body == body)
    }
}
