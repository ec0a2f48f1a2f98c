//! Ground that a probe found, until the next step takes it into the state, in exchange for the planes before it.
//!
//! A probe does not change the state: repeated in the same world, it finds the same, and a state that is saved between a
//! probe and its update is the state before both.

use glam::DVec3;

use super::Vehicle;
use crate::base::lanes::{Groups, LANES, Mask4};
use crate::stages::contact::{GroundPlanes, ProbedGround};

/// Result of the last probe.
#[derive(Clone, Debug)]
pub(super) struct ProbeResult {
    /// Ground under the wheels, per group; once a step has taken it, the planes before it.
    pub(super) ground: Groups<ProbedGround>,
    /// The center of mass at the time of the probe (`m`, world).
    pub(super) position: DVec3,
    /// Whether the step after the next one needs a probe, too.
    pub(super) needs_probe: bool,
    /// Whether the wheels met sections, not rays; `None` before the first probe.
    pub(super) met_sections: Option<bool>,
}

impl ProbeResult {
    /// No ground under this number of wheels.
    pub(super) fn none(wheels: usize) -> Self {
        Self {
            ground: Groups::for_wheels(wheels, |_| ProbedGround::default()),
            position: DVec3::ZERO,
            needs_probe: false,
            met_sections: None,
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
        let (result, state) = (&mut self.probe_result, &mut self.state);
        let moved = (result.position - state.position).as_vec3();
        for (wheels, ground) in state.wheels.iter_mut().zip(result.ground.iter_mut()) {
            let before = GroundPlanes::under(wheels, moved);
            ground.store(wheels);
            ground.planes = before;
        }
        state.move_to(result.position);
        state.needs_probe = result.needs_probe;
    }
}
