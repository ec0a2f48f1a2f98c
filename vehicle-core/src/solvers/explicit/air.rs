//! The air's force on the chassis, and what is left of all forces as it changes with the velocity.

use glam::{Vec3, Vec4};

use crate::exchange::air::AirLoad;
use crate::exchange::state::VehicleState;
use crate::params::profile::ExplicitSettings;
use crate::stages::air::AirForce;
use crate::stages::chassis::View;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::Workspace;

/// The air's force on a chassis of this view in a wind (`m/s`, vehicle frame), if the vehicle has any aerodynamics.
#[inline(always)]
pub(super) fn force(
    model: &VehicleModel,
    settings: &ExplicitSettings,
    (view, mut wind): (&View, Vec3),
    state: &VehicleState,
    work: &Workspace<'_>,
) -> Option<AirForce> {
    let shape = model.air_in(work.air.density)?;
    if !settings.integrates_gravity {
        // What the body has fallen by then is not in its velocity.
        wind -= view.gravity * view.elapsed;
    }
    Some(shape.force(&work.air, wind, view, &state.wheels))
}

/// The `force` (`N`) of all else with that of the `air`, and the air's mean load in a substep of `h` (`s`). Gravity counts even
/// where the engine adds it after the step.
#[inline(always)]
pub(super) fn with_air(
    air: &AirForce,
    settings: &ExplicitSettings,
    force: Vec4,
    (inverse_mass, view): (f32, &View),
    h: f32,
) -> (Vec4, AirLoad) {
    let weight = if settings.integrates_gravity {
        Vec4::ZERO
    } else {
        view.gravity.extend(0.0) / inverse_mass
    };
    let change = (force + weight + air.load.force.extend(0.0)) * (inverse_mass * h);
    let (kept, load) = air.resist(change, inverse_mass, h);
    (kept / (inverse_mass * h) - weight, load)
}
