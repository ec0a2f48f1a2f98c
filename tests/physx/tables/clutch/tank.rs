//! The coupled solve of tanks, and its reference in double precision.

use glam::{DMat3, DVec3};
use jounce::core::drivetrain::{ClutchAccuracy, EngineCoupling, WheelControl};
use jounce::core::lanes::{LANES, W4};

use super::super::{Outputs, ROUNDING};
use super::{Rig, engine, legacy, outcome};
use crate::row::Row;

/// Tanks: even wheels form one bond, odd wheels the other, all with the same radius.
pub(crate) fn tank(row: &Row<'_>) -> Option<Outputs> {
    for key in ["n", "thrust_left", "thrust_right", "wheel_radius"] {
        row.ignore(key);
    }
    let mut rig = legacy(row);
    let gearing = row.list("gearing");
    let geared = |key| -> Vec<f32> {
        let shares = row.list(key).into_iter().zip(&gearing);
        shares.map(|(share, sign)| share * sign).collect()
    };
    rig.set(&geared("torque_ratio"), |wheel| &mut wheel.torque_share);
    rig.set(&geared("ave_speed_contrib"), |w| &mut w.speed_share);
    rig.control.bonds = 2;
    for wheels in rig.control.wheels.iter_mut() {
        (wheels.bond, wheels.bond_ratio) = ([1, 2, 1, 2], W4::ONE);
    }
    rig.control.coupling = Some(EngineCoupling {
        engine: engine(row),
        ratio: row.number("gear_ratio"),
        clutch: row.number("clutch_strength"),
        capacity: None,
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    });
    let h = row.number("dt");
    let (exact, exact_engine) = least_squares(&rig, h);
    let (spins, engine) = rig.solve(h);
    let lost = |spins: &[f32], engine: f32| {
        let mut pairs = spins.iter().zip(&exact);
        (f64::from(engine) - exact_engine).abs() > LOST_ENGINE
            || pairs.any(|(spin, exact)| (f64::from(*spin) - exact).abs() > LOST)
    };
    if lost(&row.list("out_wheel_omega"), row.number("out_engine_omega")) {
        assert!(!lost(&spins, engine), "{spins:?}, exactly {exact:?}");
        row.set_apart(ROUNDING);
        return None;
    }
    outcome((spins, engine))
}

/// Spins and engine speeds that PhysX's normal equations in single precision may lose [rad/s]: the table's
/// bound of 2e-5 at its 80 and 566 rad/s.
const LOST: f64 = 1.6e-3;
const LOST_ENGINE: f64 = 1.1e-2;

/// Spins of a tank's wheels and its engine's speed by the same normal equations in double precision (`rad/s`).
/// If PhysX's row differs from them, the cause is rounding.
fn least_squares(rig: &Rig, h: f32) -> (Vec<f64>, f64) {
    let coupling = rig.control.coupling.as_ref().expect("tanks have engines");
    let engine = &coupling.engine;
    let [clutch, ratio, h] = [coupling.clutch, coupling.ratio, h].map(f64::from);
    let value = |n: usize, field: fn(&WheelControl) -> W4| {
        f64::from(field(&rig.control.wheels[n / LANES]).lane(n % LANES))
    };
    let mut mean = DVec3::ZERO;
    for n in 0..rig.spin.len() {
        mean[n % 2] += value(n, |w| w.speed_share);
    }
    let mut equations = Vec::new();
    for (n, wheel) in rig.params.wheels.iter().enumerate() {
        let (spin, tire) = (f64::from(rig.spin[n]), f64::from(rig.tire[n]));
        let per_inertia = h / f64::from(wheel.inertia);
        let drive = per_inertia * value(n, |w| w.torque_share) * clutch * ratio;
        let mut row = mean * (drive * ratio);
        row[n % 2] += 1.0 + per_inertia * f64::from(wheel.damping);
        row.z = -drive;
        let brake = if spin == 0.0 { 0.0 } else { -spin.signum() };
        let push = brake * value(n, |w| w.brake) + tire;
        equations.push((row, spin + per_inertia * push));
    }
    let [inertia, damping, torque, speed] = [
        engine.inertia,
        engine.damping,
        engine.torque,
        rig.engine_speed,
    ]
    .map(f64::from);
    let mut row = mean * -(h / inertia * clutch * ratio);
    row.z = 1.0 + h / inertia * (clutch + damping);
    equations.push((row, speed + h / inertia * torque));
    let (mut matrix, mut known) = (DMat3::ZERO, DVec3::ZERO);
    for (row, right) in equations {
        matrix += DMat3::from_cols(row * row.x, row * row.y, row * row.z);
        known += row * right;
    }
    let speeds = matrix.inverse() * known;
    let stops =
        |n: usize| value(n, |w| w.brake) > 0.0 && speeds[n % 2] * f64::from(rig.spin[n]) <= 0.0;
    let spins = (0..rig.spin.len()).map(|n| if stops(n) { 0.0 } else { speeds[n % 2] });
    let limited = engine.limited(speeds.z as f32);
    (spins.collect(), limited.into())
}
