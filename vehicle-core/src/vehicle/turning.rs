//! Rotation of the wheels in an update, for reports and for what an extrapolation goes on with.

use super::Vehicle;
use crate::base::lanes::W4;
use crate::stages::spin::AngleWrap;

/// How four wheels turned in the last update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WheelTurns {
    /// Their rotation (`rad`).
    turned: W4,
    /// Spins after it (`rad/s`).
    spin: W4,
    /// Their changes since the update before (`rad/s`).
    pub(super) changed: W4,
}

impl WheelTurns {
    /// Notes the spins after an update (`rad/s`).
    fn note(&mut self, spin: W4) {
        self.changed = spin - self.spin;
        self.spin = spin;
    }
}

impl Vehicle {
    /// Rotation of the wheels of a group in the last update (`rad`).
    #[must_use]
    pub fn turned(&self, group: usize) -> W4 {
        self.turning[group].turned
    }

    /// No rotation.
    pub(super) fn forget_turning(&mut self) {
        self.turning.each_mut(|_, wheels| wheels.turned = W4::ZERO);
    }

    /// Records the angles before the wheels rotate.
    pub(super) fn begin_turning(&mut self) {
        self.turning
            .each_with(&self.state.wheels, |own, wheels| own.turned = -wheels.angle);
    }

    /// Computes the rotation since, in a step of `dt` (`s`); after an update, `notes` the spins too.
    #[inline(always)]
    pub(super) fn end_turning(&mut self, dt: f32, notes: bool) {
        let wrap = AngleWrap::of(self.kind.params().profile.explicit());
        self.turning.each_with(&self.state.wheels, |own, wheels| {
            let expected = wheels.spin_shown * W4::splat(dt);
            own.turned = wrap.unwrapped(own.turned + wheels.angle, expected);
            if notes {
                own.note(wheels.spin);
            }
        });
    }
}
