//! The wheels' rotation in a substep, as it is displayed.

use crate::base::lanes::W4;
use crate::exchange::state::VehicleState;
use crate::params::profile::ExplicitSettings;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::Workspace;
use crate::stages::spin::{self, Display};

/// Rotates the wheels for `h` (`s`).
#[inline(always)]
pub(super) fn turn(
    model: &VehicleModel,
    settings: &ExplicitSettings,
    state: &mut VehicleState,
    work: &Workspace<'_>,
    h: f32,
) {
    let coupling = work.control.coupling.as_ref();
    let clutch_torque = coupling.map_or(0.0, |c| c.clutch * c.ratio * c.torque);
    let display = Display::of(settings);
    for (g, wheels) in state.wheels.iter_mut().enumerate() {
        let (k, out, c) = (
            &model.wheels()[g],
            &work.outputs[g],
            &work.control.wheels[g],
        );
        let undriven = if settings.turns_once {
            !c.accelerated
        } else {
            (c.torque_share * W4::splat(clutch_torque) + c.drive).same(W4::ZERO)
        };
        let free = undriven & c.brake.same(W4::ZERO) & out.touch.jounce.gt(-k.max_droop);
        spin::turn_wheels(k, wheels, free, out.forward_speed, &display, h);
    }
}
