//! Effects of tires beside their forces, on some vehicles: rolling resistance, and memory.

use crate::base::lanes::{LANES, V3x4, W4};
use crate::exchange::state::VehicleState;
use crate::params::profile::ExplicitSettings;
use crate::stages::chassis::View;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::WheelOutputs;
use crate::stages::tire_use::{self, ContactMotion, TireOperatingPoint, tire_input};

use super::wheels::Weights;

/// Reduces spins by the tires' rolling resistance, never beyond 0.
pub(super) fn resist_rolling(
    model: &VehicleModel,
    state: &mut VehicleState,
    outputs: &mut [WheelOutputs],
    h: f32,
) {
    for (g, wheels) in state.wheels.iter_mut().enumerate() {
        let (k, out) = (&model.wheels()[g], &mut outputs[g]);
        let resistance = k.rolling_resistance(&out.forces, out.load, out.forward_speed);
        out.forces.rolling_resistance = resistance;
        let most = resistance * k.inverse_inertia * W4::splat(h);
        wheels.spin = wheels.spin - wheels.spin.max(-most).min(most);
    }
}

/// Advances stateful tires by a substep.
pub(super) fn remember(
    (model, settings): (&VehicleModel, &ExplicitSettings),
    view: &View,
    state: &mut VehicleState,
    outputs: &[WheelOutputs],
    h: f32,
) {
    for (g, states) in state.extras.tires_mut().chunks_mut(LANES).enumerate() {
        let (k, out) = (&model.wheels()[g], &outputs[g]);
        let condition = tire_use::conditions(k, &model.tires()[g], states);
        let weights = Weights::of(k, settings, view);
        let point = TireOperatingPoint {
            load: out.load,
            rest_load: weights.on_tires,
            camber: out.camber,
            yaw_speed: out.touch.normal.dot(V3x4::splat(view.angular)),
            pressure: condition.pressure,
            gravity: weights.gravity,
        };
        let in_air = W4::splat(view.linear.x);
        let motion = ContactMotion {
            forward: out.loaded.select(out.forward_speed, in_air),
            left: out.lateral_speed,
            rim: state.wheels[g].spin * k.radius,
        };
        let slips = [out.slip_ratio, out.tan_slip_angle];
        let input = tire_input(k, &point, &motion, slips, out.friction);
        let forces = [out.forces.longitudinal, out.forces.lateral];
        tire_use::advance(&model.tires()[g], states, &input, forces, h);
    }
}
