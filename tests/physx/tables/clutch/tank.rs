//! The coupled solve of tanks, and how far rounding may lead PhysX's astray.

use glam::{DMat3, DVec3, Mat3, Vec3};
use jounce::core::drivetrain::WheelControl;
use jounce::core::lanes::{LANES, W4};

use super::super::Outputs;
use super::{Rig, coupling, legacy, outcome};
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
    rig.control.coupling = Some(coupling(row));
    let h = row.number("dt");
    let lost = if row.is_variant() {
        lost(&equations(&rig, h))
    } else {
        DVec3::ZERO
    };
    let limits = coupling(row);
    let (spins, speed) = rig.solve(h);
    let each = spins.iter().enumerate();
    let spins = each.map(|(n, &spin)| match spin {
        0.0 => 0.0,
        _ => (f64::from(spin) + lost[n % 2]) as f32,
    });
    let speed = limits.limited((f64::from(speed) + lost.z) as f32);
    outcome((spins.collect(), speed))
}

/// Equations of the speeds of both tracks and of the engine, one for each wheel and one for the engine: factors and
/// right-hand sides.
fn equations(rig: &Rig, h: f32) -> Vec<(DVec3, f64)> {
    let coupling = rig.control.coupling.as_ref().expect("tanks have engines");
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
        coupling.inertia,
        coupling.damping,
        coupling.torque,
        rig.engine_speed,
    ]
    .map(f64::from);
    let mut row = mean * -(h / inertia * clutch * ratio);
    row.z = 1.0 + h / inertia * (clutch + damping);
    equations.push((row, speed + h / inertia * torque));
    equations
}

/// What PhysX's least squares lose: it solves the normal equations in single precision, by cofactors (`rad/s`).
fn lost(equations: &[(DVec3, f64)]) -> DVec3 {
    let (mut matrix, mut known) = (DMat3::ZERO, DVec3::ZERO);
    let (mut coarse, mut roughly) = (Mat3::ZERO, Vec3::ZERO);
    for &(row, right) in equations {
        matrix += DMat3::from_cols(row * row.x, row * row.y, row * row.z);
        known += row * right;
        let row = row.as_vec3();
        coarse += Mat3::from_cols(row * row.x, row * row.y, row * row.z);
        roughly += row * right as f32;
    }
    (coarse.inverse() * roughly).as_dvec3() - matrix.inverse() * known
}
