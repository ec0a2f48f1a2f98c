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
    turn_group(0, model, settings, state, work, (clutch_torque, h));
    if state.wheels.has_more() {
        for g in 1..state.wheels.len() {
            turn_other_group(g, model, settings, state, work, (clutch_torque, h));
        }
    }
}

/// Rotates the four wheels of a group by a substep of `h` (`s`); `clutch_torque` is behind the gearbox (`N·m`).
#[inline(always)]
fn turn_group(
    g: usize,
    model: &VehicleModel,
    settings: &ExplicitSettings,
    state: &mut VehicleState,
    work: &Workspace<'_>,
    (clutch_torque, h): (f32, f32),
) {
    let (k, wheels) = (&model.wheels()[g], &mut state.wheels[g]);
    let (out, c) = (&work.outputs[g], &work.control.wheels[g]);
    let undriven = if settings.turns_once {
        !c.accelerated
    } else {
        (c.torque_share * W4::splat(clutch_torque) + c.drive).same(W4::ZERO)
    };
    let free = undriven & c.brake.same(W4::ZERO) & out.touch.jounce.gt(-k.max_droop);
    let display = Display::of(settings);
    spin::turn_wheels(k, wheels, free, out.forward_speed, &display, h);
}

/// Rotates the wheels of a group after the first, which most vehicles lack.
#[inline(never)]
fn turn_other_group(
    g: usize,
    model: &VehicleModel,
    settings: &ExplicitSettings,
    state: &mut VehicleState,
    work: &Workspace<'_>,
    of: (f32, f32),
) {
    turn_group(g, model, settings, state, work, of);
}
