//! How far wheels turn in an update, for reports.

use super::Vehicle;
use crate::base::lanes::{Groups, W4};
use crate::stages::spin::AngleWrap;

impl Vehicle {
    /// By how much wheels turned in the last update (`rad`), per group of wheels.
    #[must_use]
    pub fn turned(&self) -> &Groups<W4> {
        &self.turned
    }

    /// Nothing has turned.
    pub(super) fn forget_turning(&mut self) {
        self.turned.iter_mut().for_each(|turned| *turned = W4::ZERO);
    }

    /// Notes the angles before wheels turn.
    pub(super) fn begin_turning(&mut self) {
        for (turned, wheels) in self.turned.iter_mut().zip(self.state.wheels.iter()) {
            *turned = -wheels.angle;
        }
    }

    /// Notes by how much they have turned since, in a step of `dt` (`s`).
    pub(super) fn end_turning(&mut self, dt: f32) {
        let wrap = AngleWrap::of(self.kind.params().profile.explicit());
        for (turned, wheels) in self.turned.iter_mut().zip(self.state.wheels.iter()) {
            let expected = wheels.spin_shown * W4::splat(dt);
            *turned = wrap.unwrapped(*turned + wheels.angle, expected);
        }
    }
}
