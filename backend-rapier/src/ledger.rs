//! Forces that vehicles add to bodies for one step: Rapier's persist, and are the user's, too.

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle, RigidBodySet};

/// A force (`N`) and a torque about the center of mass (`N·m`), in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Push {
    pub(crate) force: Vec3,
    pub(crate) torque: Vec3,
}

impl Push {
    fn of_user(body: &RigidBody) -> Self {
        Self {
            force: body.user_force(),
            torque: body.user_torque(),
        }
    }

    fn write(self, body: &mut RigidBody) {
        body.reset_forces(false);
        body.reset_torques(false);
        body.add_force(self.force, false);
        body.add_torque(self.torque, false);
    }

    fn plus(self, other: Self) -> Self {
        Self {
            force: self.force + other.force,
            torque: self.torque + other.torque,
        }
    }
}

/// Forces on a body, separated into ours and the user's.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AppliedForces {
    body: RigidBodyHandle,
    /// The acceleration of the body's own vehicle.
    motion: Push,
    /// Wheels of any vehicle on this body.
    reaction: Push,
    /// The user's force.
    user: Push,
    /// The sum last written to the body.
    written: Push,
}

impl AppliedForces {
    /// The first of ours in a step, written to a body that has the user's alone.
    #[inline]
    fn begin(handle: RigidBodyHandle, body: &mut RigidBody, motion: Push, reaction: Push) -> Self {
        let user = Push::of_user(body);
        let written = user.plus(motion).plus(reaction);
        written.write(body);
        Self {
            body: handle,
            motion,
            reaction,
            user,
            written,
        }
    }

    /// Writes the user's and our forces to the body, after detecting the user's changes.
    fn write(&mut self, body: &mut RigidBody) {
        let now = Push::of_user(body);
        self.user.force = after_change(self.user.force, self.written.force, now.force);
        self.user.torque = after_change(self.user.torque, self.written.torque, now.torque);
        self.written = self.user.plus(self.motion).plus(self.reaction);
        self.written.write(body);
    }
}

/// The user's share of a force that was left as `written` and found as `now`. Only bit-identical
/// values count as unchanged; zero means that the user has reset it.
fn after_change(user: Vec3, written: Vec3, now: Vec3) -> Vec3 {
    if now == written {
        user
    } else if now == Vec3::ZERO {
        Vec3::ZERO
    } else {
        user + (now - written)
    }
}

/// The forces in effect for the coming step. Rapier's forces persist; this limits them to one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ledger {
    /// Sorted by raw handle; keeps its capacity.
    entries: Vec<AppliedForces>,
}

impl Ledger {
    pub(crate) fn take_back(&mut self, bodies: &mut RigidBodySet) {
        for mut entry in self.entries.drain(..) {
            if let Some(body) = bodies.get_mut(entry.body) {
                entry.motion = Push::default();
                entry.reaction = Push::default();
                entry.write(body);
            }
        }
    }

    /// Replaces the motion force of the body's own vehicle.
    pub(crate) fn set_motion(
        &mut self,
        handle: RigidBodyHandle,
        body: &mut RigidBody,
        motion: Push,
    ) {
        match self.find(handle) {
            Ok(place) => {
                let entry = &mut self.entries[place];
                entry.motion = motion;
                entry.write(body);
            }
            // No entry, and none needed.
            Err(_) if motion == Push::default() => {}
            Err(place) => {
                let entry = AppliedForces::begin(handle, body, motion, Push::default());
                self.entries.insert(place, entry);
            }
        }
    }

    /// Adds to the reaction of wheels on the body.
    pub(crate) fn add_reaction(
        &mut self,
        handle: RigidBodyHandle,
        body: &mut RigidBody,
        reaction: Push,
    ) {
        match self.find(handle) {
            Ok(place) => {
                let entry = &mut self.entries[place];
                entry.reaction = entry.reaction.plus(reaction);
                entry.write(body);
            }
            Err(place) => {
                let entry = AppliedForces::begin(handle, body, Push::default(), reaction);
                self.entries.insert(place, entry);
            }
        }
    }

    /// Whether the body's own vehicle applies a force to it.
    pub(crate) fn moves(&self, handle: RigidBodyHandle) -> bool {
        let pushed = |i: usize| self.entries[i].motion != Push::default();
        self.find(handle).is_ok_and(pushed)
    }

    fn find(&self, handle: RigidBodyHandle) -> Result<usize, usize> {
        let key = handle.into_raw_parts();
        let key_of = |entry: &AppliedForces| entry.body.into_raw_parts();
        // Bodies of a fleet mostly come in order.
        if self.entries.last().is_none_or(|last| key_of(last) < key) {
            return Err(self.entries.len());
        }
        self.entries.binary_search_by_key(&key, key_of)
    }
}
