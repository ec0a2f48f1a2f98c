//! How far wheels turn in an update, for reports.

use super::Vehicle;
use crate::lanes::W4;
use crate::state::WheelState;

impl Vehicle {
    /// By how much wheels turned in the last update [rad].
    pub(crate) fn turned(&self, group: usize) -> W4 {
        self.turned[group]
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

    /// Notes by how much they have turned since.
    pub(super) fn end_turning(&mut self) {
        for (turned, wheels) in self.turned.iter_mut().zip(self.state.wheels.iter()) {
            *turned = unwrapped(*turned + wheels.angle);
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
