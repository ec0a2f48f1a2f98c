//! Rows of parts beside engine, clutch and gears: retarder, power take-off, and slip limiters of differentials.

use alloc::vec;

use vehicle_core::{Control, ShaftRow, Shafts, WheelSensors};

use super::EngineDrive;
use crate::differential::LimitedOutputs;
use crate::power_take_off::PowerTakeOffParams;
use crate::retarder::RetarderParams;

/// Node of the engine.
const ENGINE: usize = 0;

impl EngineDrive {
    /// Number of rows of such parts.
    pub(super) fn auxiliary_rows(&self) -> usize {
        let p = &self.params;
        let parts = usize::from(p.retarder.is_some()) + usize::from(p.power_take_off.is_some());
        parts + p.differential.limited_outputs().count()
    }

    /// Appends their rows to the shafts of a vehicle with `wheels` wheels: slip limiters last, as all others press their plates.
    pub(super) fn append_auxiliary(&self, shafts: &mut Shafts, wheels: usize) {
        let nodes = shafts.nodes.len();
        let p = &self.params;
        let none = vec![0.0; nodes + wheels];
        if p.retarder.is_some() {
            shafts.rows.push(ShaftRow::gear(&none));
        }
        if p.power_take_off.is_some() {
            let mut weights = none.clone();
            weights[ENGINE] = 1.0;
            shafts.rows.push(ShaftRow::gear(&weights));
        }
        for outputs in p.differential.limited_outputs() {
            let mut weights = none[..nodes].to_vec();
            weights.extend(&outputs.weights[..wheels]);
            let mut row = ShaftRow::plates(&weights, 0.0);
            row.pressed_by = vec![0.0; shafts.rows.len()];
            shafts.rows.push(row);
        }
    }

    /// Sets their rows, the last ones of the `control`'s shafts.
    pub(super) fn set_auxiliary(&self, wheels: &[WheelSensors], control: &mut Control) {
        let Some(mut shafts) = control.shafts.take() else {
            return;
        };
        let p = &self.params;
        let nodes = shafts.nodes.len();
        let mut next = shafts.rows.len() - self.auxiliary_rows();
        if let Some(retarder) = &p.retarder {
            let ratio = p.gearbox.final_ratio;
            set_retarder(
                retarder,
                ratio,
                nodes,
                &mut shafts.rows[next],
                (wheels, control),
            );
            next += 1;
        }
        if let Some(power_take_off) = &p.power_take_off {
            set_power_take_off(power_take_off, &mut shafts.rows[next], control);
            next += 1;
        }
        for (row, outputs) in (next..).zip(p.differential.limited_outputs()) {
            set_slip_limiter(&outputs, &mut shafts, row, wheels);
        }
        control.shafts = Some(shafts);
    }

    /// Torque that the power take-off drew from the engine in the last substep (`N·m`).
    pub(super) fn drawn(&self, shafts: &Shafts) -> f32 {
        let limiters = self.params.differential.limited_outputs().count();
        let row = self
            .params
            .power_take_off
            .map(|_| shafts.rows.len() - limiters - 1);
        row.map_or(0.0, |row| shafts.rows[row].torque)
    }
}

/// Sets the row of a retarder: a brake on the output shaft, which turns `ratio` times as fast as the wheels.
fn set_retarder(
    retarder: &RetarderParams,
    ratio: f32,
    nodes: usize,
    row: &mut ShaftRow,
    (wheels, control): (&[WheelSensors], &Control),
) {
    let (speeds, torques) = (&mut row.speeds[nodes..], &mut row.torques[nodes..]);
    let mut speed = 0.0;
    for (n, seen) in wheels.iter().enumerate() {
        let wheel = control.wheel(n);
        speeds[n] = ratio * wheel.speed_share;
        torques[n] = -ratio * wheel.torque_share;
        speed += speeds[n] * seen.spin;
    }
    let torque = retarder.torque(speed, control.levers.retarder);
    row.range = [-torque, torque];
}

/// Sets the row of a power take-off, which stops at most with the engine.
fn set_power_take_off(params: &PowerTakeOffParams, row: &mut ShaftRow, control: &Control) {
    let most = if control.levers.power_take_off {
        params.torque
    } else {
        0.0
    };
    row.range = [0.0, most];
}

/// Sets a slip limiter's row, whose plates the torque on its differential presses: that of all rows before it on its wheels.
fn set_slip_limiter(
    outputs: &LimitedOutputs<'_>,
    shafts: &mut Shafts,
    row: usize,
    wheels: &[WheelSensors],
) {
    let nodes = shafts.nodes.len();
    let (before, rest) = shafts.rows.split_at_mut(row);
    let Some(row) = rest.first_mut() else {
        return;
    };
    let limited = || {
        wheels
            .iter()
            .zip(&outputs.weights)
            .enumerate()
            .filter(|(_, (_, weight))| **weight != 0.0)
    };
    for (weight, other) in row.pressed_by.iter_mut().zip(before) {
        let on_wheels = limited().map(|(n, _)| other.torques[nodes + n]);
        *weight = on_wheels.sum();
    }
    let slip = limited()
        .map(|(_, (wheel, weight))| weight * wheel.spin)
        .sum();
    outputs.limiter.set(slip, row);
    if limited().any(|(_, (wheel, _))| !wheel.enabled) {
        row.range = [0.0; 2];
        row.pressure = [0.0; 2];
    }
}
