//! Rotation of the wheels in an update, for reports and for what an extrapolation goes on with.

use super::Vehicle;
use crate::base::lanes::W4;
use crate::stages::spin::AngleWrap;

/// How four wheels turned in the last update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WheelTurns {
    /// Angles before the update (`rad`).
    before: W4,
    /// Spins after the update (`rad/s`).
    spin: W4,
    /// Changes of the spins since the update before (`rad/s`).
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
    /// Rotation of the wheels of a group in the last update (`rad`); none once the state was changed from outside.
    #[inline]
    #[must_use]
    pub(super) fn turned(&self, group: usize) -> W4 {
        if self.turned_for == 0.0 {
            return W4::ZERO;
        }
        let wheels = &self.state.wheels[group];
        let expected = wheels.spin_shown * W4::splat(self.turned_for);
        AngleWrap::of(self.model.params().profile.explicit())
            .unwrapped(wheels.angle - self.turning[group].before, expected)
    }

    /// No rotation.
    pub(super) fn forget_turning(&mut self) {
        self.turned_for = 0.0;
    }

    /// Records the angles before the wheels rotate for a step of `dt` (`s`).
    pub(super) fn begin_turning(&mut self, dt: f32) {
        for (own, wheels) in self.turning.iter_mut().zip(self.state.wheels.iter()) {
            own.before = wheels.angle;
        }
        self.turned_for = dt;
    }

    /// Notes the spins after an update.
    pub(super) fn note_spins(&mut self) {
        for (own, wheels) in self.turning.iter_mut().zip(self.state.wheels.iter()) {
            own.note(wheels.spin);
        }
    }
}
