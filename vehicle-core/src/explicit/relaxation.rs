//! Forces that build up over a way, for tires that tell their relaxation lengths σ.
//!
//! The slip y that the law is asked at follows the slip s that there is: `ẏ = (s − y)·V/σ` with V what s is
//! taken over, so that at a standstill y grows by what the contact slides. Over a step that is
//!
//! ```text
//! y⁺ = s + (y − s)·exp(−V·h/σ)
//! ```
//!
//! exactly, for any step.

use crate::kind::{TireUse, WheelConsts, tire_properties};
use crate::lanes::{Mask4, W4};
use crate::math;
use crate::state::WheelState;
use crate::tire_model::{TireInput4, is_there};

/// Lets the slips of `input` lag where the tires of `rolling` wheels, forward and to the left, tell how;
/// slips are over `speeds` [m/s]. The wheels remember the force of their deflected carcasses: slip
/// stiffness times slip.
#[inline(never)]
pub(super) fn relax(
    k: &WheelConsts,
    tires: &[TireUse],
    wheels: &mut WheelState,
    input: &mut TireInput4,
    rolling: [Mask4; 2],
    speeds: [W4; 2],
    h: f32,
) {
    let told = tire_properties(k, tires, input, rolling[0] | rolling[1]);
    let slips = [input.slip_ratio, -input.tan_slip_angle];
    let forces = [&mut wheels.forward_force, &mut wheels.left_force];
    let mut lagging = slips;
    for (n, force) in forces.into_iter().enumerate() {
        let (stiffness, length) = (told.slip_stiffness[n], told.relaxation_length[n]);
        let relaxes = rolling[n] & is_there(stiffness) & is_there(length);
        let left = W4::from_fn(|lane| {
            let ways = speeds[n].lane(lane) * h / length.lane(lane);
            if relaxes.lane(lane) {
                math::exp(-ways)
            } else {
                0.0
            }
        });
        let before = relaxes.select(*force / stiffness, slips[n]);
        lagging[n] = relaxes.select(slips[n] + (before - slips[n]) * left, slips[n]);
        *force = relaxes.keep(lagging[n] * stiffness);
    }
    (input.slip_ratio, input.tan_slip_angle) = (lagging[0], -lagging[1]);
}
