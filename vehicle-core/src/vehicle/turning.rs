//! Rotation of the wheels in an update, for reports.

use super::Vehicle;
use crate::base::lanes::W4;
use crate::stages::spin::AngleWrap;

impl Vehicle {
    /// Rotation of the wheels in the last update (`rad`), per group of wheels.
    #[must_use]
    pub fn turned(&self) -> &[W4] {
        &self.turned
    }

    /// No rotation.
    pub(super) fn forget_turning(&mut self) {
        self.turned.each_mut(|_, turned| *turned = W4::ZERO);
    }

    /// Records the angles before the wheels rotate.
    pub(super) fn begin_turning(&mut self) {
        self.turned
            .each_with(&self.state.wheels, |turned, wheels| *turned = -wheels.angle);
    }

    /// Computes the rotation since, in a step of `dt` (`s`).
    #[inline]
    pub(super) fn end_turning(&mut self, dt: f32) {
        let wrap = AngleWrap::of(self.kind.params().profile.explicit());
        self.turned.each_with(&self.state.wheels, |turned, wheels| {
            let expected = wheels.spin_shown * W4::splat(dt);
            *turned = wrap.unwrapped(*turned + wheels.angle, expected);
        });
    }
}
