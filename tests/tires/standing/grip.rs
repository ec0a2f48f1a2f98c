//! What tires hold by their own law.

use glam::Vec3;
use jounce::core::{TireInput, TireModel, WheelReport};
use lab::stage::GRAVITY;

/// Least speed that slips are taken over [m/s]: the rows solver's.
const LEAST_SPEED: f32 = 0.05;

/// Slips that are tried: from a thousandth, each by so much greater than the one before [−], so often.
const FIRST: f32 = 1e-3;
const FACTOR: f32 = 1.02;
const COUNT: i32 = 600;

/// Greatest force up the slope of a braked tire [N] that slides slowly down, `downhill` (unit, vehicle frame).
pub(super) fn peak(tire: &dyn TireModel, wheel: &WheelReport, radius: f32, downhill: Vec3) -> f64 {
    // A braked wheel is locked at most.
    let most = if downhill.y == 0.0 { 1.0 } else { f32::INFINITY };
    let slips = (0..COUNT).map(|n| FIRST * FACTOR.powi(n)).filter(|slip| *slip <= most);
    let forces = slips.map(|slip| {
        let over = LEAST_SPEED;
        let input = TireInput {
            slip_ratio: -slip * downhill.x,
            tan_slip_angle: slip * downhill.y,
            forward_speed: over,
            rim_speed: over * (1.0 - slip * downhill.x),
            lateral_speed: slip * downhill.y * over,
            ..standing(wheel, radius)
        };
        held(tire, &input, downhill)
    });
    forces.fold(0.0, f64::max)
}

/// Force up the slope of a locked tire [N] that slides down at `speed` [m/s].
pub(super) fn sliding(tire: &dyn TireModel, wheel: &WheelReport, radius: f32, downhill: Vec3, speed: f32) -> f64 {
    let [forward, left] = [speed * downhill.x, speed * downhill.y];
    let over = forward.abs().max(LEAST_SPEED);
    let input = TireInput {
        slip_ratio: -forward / over,
        tan_slip_angle: left / over,
        forward_speed: forward,
        lateral_speed: left,
        ..standing(wheel, radius)
    };
    held(tire, &input, downhill)
}

/// The wheel without slip or speed, on a surface of friction 1.
fn standing(wheel: &WheelReport, radius: f32) -> TireInput {
    TireInput {
        radius,
        load: wheel.load,
        rest_load: wheel.rest_mass * -GRAVITY.z,
        camber: wheel.camber,
        friction: 1.0,
        gravity: -GRAVITY.z,
        ..TireInput::default()
    }
}

/// Force up the slope [N].
fn held(tire: &dyn TireModel, input: &TireInput, downhill: Vec3) -> f64 {
    let forces = tire.forces(input);
    let force = Vec3::new(forces.longitudinal, forces.lateral, 0.0);
    f64::from(-force.dot(downhill))
}
