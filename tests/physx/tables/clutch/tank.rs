//! The coupled solve of tanks, and how far rounding may lead PhysX's astray.

use glam::{Mat3, Vec3};
use jounce::core::drivetrain::{ClutchAccuracy, EngineCoupling, WheelControl};
use jounce::core::lanes::{LANES, W4};

use super::super::Outputs;
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
    outcome(if row.is_variant() {
        normal_equations(&rig, h)
    } else {
        rig.solve(h)
    })
}

/// Spins of a tank's wheels and its engine's speed as PhysX solves them (`rad/s`): by normal equations and cofactors in
/// single precision, which amplifies rounding.
fn normal_equations(rig: &Rig, h: f32) -> (Vec<f32>, f32) {
    let coupling = rig.control.coupling.as_ref().expect("tanks have engines");
    let engine = &coupling.engine;
    let (clutch, ratio) = (coupling.clutch, coupling.ratio);
    let value = |n: usize, field: fn(&WheelControl) -> W4| {
        field(&rig.control.wheels[n / LANES]).lane(n % LANES)
    };
    let mut mean = Vec3::ZERO;
    for n in 0..rig.spin.len() {
        mean[n % 2] += value(n, |w| w.speed_share);
    }
    let mut equations = Vec::new();
    for (n, wheel) in rig.params.wheels.iter().enumerate() {
        let (spin, tire) = (rig.spin[n], rig.tire[n]);
        let per_inertia = h / wheel.inertia;
        let drive = per_inertia * value(n, |w| w.torque_share) * clutch * ratio;
        let mut row = mean * (drive * ratio);
        row[n % 2] += 1.0 + per_inertia * wheel.damping;
        row.z = -drive;
        let brake = if spin == 0.0 { 0.0 } else { -spin.signum() };
        let push = brake * value(n, |w| w.brake) + tire;
        equations.push((row, spin + per_inertia * push));
    }
    let per_inertia = h / engine.inertia;
    let mut row = mean * -(per_inertia * clutch * ratio);
    row.z = 1.0 + per_inertia * (clutch + engine.damping);
    equations.push((row, rig.engine_speed + per_inertia * engine.torque));
    let (mut matrix, mut known) = (Mat3::ZERO, Vec3::ZERO);
    for (row, right) in equations {
        matrix += Mat3::from_cols(row * row.x, row * row.y, row * row.z);
        known += row * right;
    }
    let speeds = matrix.inverse() * known;
    let stops = |n: usize| value(n, |w| w.brake) > 0.0 && speeds[n % 2] * rig.spin[n] <= 0.0;
    let spins = (0..rig.spin.len()).map(|n| if stops(n) { 0.0 } else { speeds[n % 2] });
    (spins.collect(), engine.limited(speeds.z))
}
