//! The rotation that is shown: blended spin and wheel angle.

use crate::kind::WheelConsts;
use crate::lanes::{Mask4, W4};
use crate::state::WheelState;

/// Advances the wheels' angles by `h` [s] (ALGORITHMS §3.12).
///
/// `free` are touching wheels that nothing drives or brakes: below `blend_speed` [m/s] they are
/// shown rolling at their `forward` speed [m/s], so that a slowly rolling wheel does not appear to
/// slip. Angles wrap at ±10π.
pub fn turn_wheels(
    k: &WheelConsts,
    wheels: &mut WheelState,
    free: Mask4,
    forward: W4,
    blend_speed: f32,
    h: f32,
) {
    let share = forward.abs() / W4::splat(blend_speed);
    let rolling = forward * k.inverse_radius;
    let blended = (W4::ONE - share) * rolling + share * wheels.spin;
    let slow = free & share.lt(W4::ONE);
    wheels.spin_shown = slow.select(blended, wheels.spin);
    advance_angle(wheels, h);
}

/// Advances the wheels' angles by `h` [s] at their true spins.
pub fn turn(wheels: &mut WheelState, h: f32) {
    wheels.spin_shown = wheels.spin;
    advance_angle(wheels, h);
}

fn advance_angle(wheels: &mut WheelState, h: f32) {
    let turned = wheels.angle + wheels.spin_shown * W4::splat(h);
    let wrap = W4::splat(WheelState::ANGLE_WRAP);
    let down = turned.ge(wrap).select(turned - wrap, turned);
    wheels.angle = turned.le(-wrap).select(turned + wrap, down);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_slow_free_wheel_is_shown_rolling() {
        let k = testing::wheel_consts();
        let mut wheels = WheelState {
            spin: W4::splat(9.0),
            ..WheelState::AT_REST
        };
        let forward = W4::from_array([0.0, 2.5, 5.0, -2.5]);
        turn_wheels(&k, &mut wheels, Mask4::ALL, forward, 5.0, 0.1);
        let shown = wheels.spin_shown.to_array();
        assert_eq!(shown[0], 0.0);
        assert!((shown[1] - (0.5 * 5.0 + 0.5 * 9.0)).abs() < 1e-6);
        assert_eq!(shown[2], 9.0);
        assert!((shown[3] - (0.5 * -5.0 + 0.5 * 9.0)).abs() < 1e-6);
        assert_eq!(wheels.spin.lane(0), 9.0, "the true spin is untouched");
    }

    #[test]
    fn angles_wrap_both_ways() {
        let k = testing::wheel_consts();
        let near = WheelState::ANGLE_WRAP - 0.1;
        let mut wheels = WheelState {
            angle: W4::from_array([near, -near, 0.0, near]),
            spin: W4::from_array([2.0, -2.0, 1.0, 0.5]),
            ..WheelState::AT_REST
        };
        turn_wheels(&k, &mut wheels, Mask4::NONE, W4::ZERO, 5.0, 0.1);
        let angle = wheels.angle.to_array();
        assert!((angle[0] - 0.1).abs() < 1e-4 && (angle[1] + 0.1).abs() < 1e-4);
        assert!((angle[3] - near - 0.05).abs() < 1e-4);
    }
}
