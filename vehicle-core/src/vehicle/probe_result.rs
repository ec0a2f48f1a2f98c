//! Ground that a probe found, until the next step takes it into the state.
//!
//! A probe does not change the state: repeated in the same world, it finds the same, and a state that is saved between a
//! probe and its update is the state before both.

use glam::DVec3;

use super::Vehicle;
use crate::base::lanes::{Groups, LANES, Mask4};
use crate::stages::contact::ProbedGround;

/// Result of the last probe.
#[derive(Clone, Debug)]
pub(super) struct ProbeResult {
    /// Ground under the wheels, per group.
    pub(super) ground: Groups<ProbedGround>,
    /// The center of mass at the time of the probe (`m`, world).
    pub(super) position: DVec3,
    /// Whether the step after the next one needs a probe, too.
    pub(super) needs_probe: bool,
}

impl ProbeResult {
    /// No ground under this number of wheels.
    pub(super) fn none(wheels: usize) -> Self {
        Self {
            ground: Groups::for_wheels(wheels, |_| ProbedGround::default()),
            position: DVec3::ZERO,
            needs_probe: false,
        }
    }

    /// Subtracts a `shift` of the world's origin (`m`).
    pub(super) fn shift_origin(&mut self, shift: DVec3) {
        self.position -= shift;
    }

    /// Forgets the ground of the wheels that do not `stay`.
    pub(super) fn keep_wheels(&mut self, stays: impl Fn(usize) -> bool) {
        for (g, ground) in self.ground.iter_mut().enumerate() {
            *ground = ground.kept(Mask4::from_fn(|lane| stays(g * LANES + lane)));
        }
    }
}

impl Vehicle {
    /// Takes the result of a probe for the step that begins into the state, whose planes become the previous ones.
    #[inline]
    pub(super) fn take_probe(&mut self) {
        if !self.probed.is_present() {
            return;
        }
        let (result, state) = (&self.probe_result, &mut self.state);
        self.previous.copy_planes(state, result.position);
        state
            .wheels
            .each_with(&result.ground, |wheels, ground| ground.store(wheels));
        state.move_to(result.position);
        state.needs_probe = result.needs_probe;
    }
}
