//! How wheels turn from update to update: for reports, and to extrapolate.

use super::Vehicle;
use super::extrapolate::Earlier;
use crate::lanes::W4;
use crate::state::WheelState;

/// How four wheels turn from update to update.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turning {
    /// Spins before the last step [rad/s]: what they are extrapolated from.
    pub(super) earlier_spin: W4,
    /// By how much they turned in the last update [rad].
    turned: W4,
}

impl Vehicle {
    /// By how much wheels turned in the last update [rad].
    pub(crate) fn turned(&self, group: usize) -> W4 {
        self.turning[group].turned
    }

    /// Nothing has turned.
    pub(super) fn forget_turning(&mut self) {
        self.turning.iter_mut().for_each(|t| t.turned = W4::ZERO);
    }

    /// Notes how wheels and engine turn before a step of `dt` [s].
    pub(super) fn note_turning(&mut self, dt: f32) {
        for (turning, wheels) in self.turning.iter_mut().zip(self.state.wheels.iter()) {
            *turning = Turning {
                earlier_spin: wheels.spin,
                turned: -wheels.angle,
            };
        }
        self.earlier = Earlier {
            engine: self.state.drive.engine_speed,
            duration: dt,
        };
    }

    /// Notes the angles before wheels turn in a step that is extrapolated.
    pub(super) fn begin_turning(&mut self) {
        for (turning, wheels) in self.turning.iter_mut().zip(self.state.wheels.iter()) {
            turning.turned = -wheels.angle;
        }
    }

    /// Notes by how much they have turned since.
    pub(super) fn end_turning(&mut self) {
        for (turning, wheels) in self.turning.iter_mut().zip(self.state.wheels.iter()) {
            turning.turned = unwrapped(turning.turned + wheels.angle);
        }
    }
}

/// A difference of angles [rad] of which one may have been wrapped since the other.
fn unwrapped(change: W4) -> W4 {
    let wrap = W4::splat(WheelState::ANGLE_WRAP);
    let half = W4::splat(0.5 * WheelState::ANGLE_WRAP);
    let down = change.gt(half).select(change - wrap, change);
    change.lt(-half).select(change + wrap, down)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_does_not_notice_the_wrap() {
        let most = WheelState::ANGLE_WRAP;
        let from = W4::from_array([0.5, 0.5, most - 0.5, 0.5 - most]);
        let to = W4::from_array([2.0, -2.0, 1.0, -1.0]);
        let turned = unwrapped(to - from).to_array();
        for (ours, by) in turned.iter().zip([1.5, -2.5, 1.5, -1.5]) {
            assert!((ours - by).abs() < 1e-5, "{ours} {by}");
        }
    }
}
