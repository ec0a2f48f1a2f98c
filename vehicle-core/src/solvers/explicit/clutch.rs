//! Wheels, clutch and engine solved together, implicitly (ALGORITHMS §4.7).
//!
//! Unknowns are the wheels' spins and the engine's; the clutch transmits a torque proportional to its slip.
//! Brakes lock wheels that they stop. Coupled wheels are solved by least squares, whatever accuracy the clutch
//! has.

mod wheel_couplings;

use crate::base::lanes::{LANES, W4};
use crate::contracts::drivetrain::{ClutchAccuracy, Control, EngineCoupling, WheelControl};
use crate::exchange::state::{DriveState, WheelState};
use crate::stages::wheel_consts::WheelConsts;

/// Inputs of a step for the wheels.
#[derive(Clone, Copy)]
struct ClutchStep<'a, T> {
    consts: &'a [WheelConsts],
    control: &'a [WheelControl],
    /// The tires' torques on a group (`N·m`).
    tire: T,
    /// Length (`s`).
    h: f32,
}

impl<T: Fn(usize) -> W4> ClutchStep<'_, T> {
    /// Spins (`rad/s`) of group `g` before the clutch acts: with brakes, tires and direct torques, before
    /// division by the bearing damping.
    fn pushed(&self, g: usize, spin: W4) -> W4 {
        let (k, c) = (&self.consts[g], &self.control[g]);
        let turns = !spin.same(W4::ZERO);
        let brake = turns.keep(c.brake.copysign(spin));
        spin + W4::splat(self.h) * k.inverse_inertia * ((self.tire)(g) - brake + c.drive)
    }

    /// 1/(1 + h·ζ/I): factor of the bearing damping on a spin.
    fn damped(&self, g: usize) -> W4 {
        let k = &self.consts[g];
        W4::ONE / (W4::ONE + W4::splat(self.h) * k.inverse_inertia * k.damping)
    }

    /// A braked wheel that would reverse is stopped (ALGORITHMS §4.7).
    fn locked(&self, g: usize, before: W4, after: W4) -> W4 {
        let brake = self.control[g].brake;
        let stops = brake.gt(W4::ZERO) & (before * after).le(W4::ZERO);
        stops.select(W4::ZERO, after)
    }
}

/// Advances the spins of all wheels and the engine by `h` (`s`); `tire(g)` returns the tires' torques on group
/// `g` (`N·m`), and `equal_bound_spins` is the setting of that name.
#[inline(always)]
pub fn solve(
    equal_bound_spins: bool,
    consts: &[WheelConsts],
    control: &Control,
    tire: impl Fn(usize) -> W4 + Copy,
    wheels: &mut [WheelState],
    drive: &mut DriveState,
    h: f32,
) {
    let step = ClutchStep {
        consts,
        control: &control.wheels,
        tire,
        h,
    };
    if control.wheel_couplings > 0 {
        let coupling = control.coupling.as_ref();
        let mut system = System::new(&step, coupling, wheels, drive);
        system.bind(consts, control, !equal_bound_spins);
        system.conclude(&step, coupling, wheels, drive);
        return;
    }
    let Some(coupling) = &control.coupling else {
        for (g, state) in wheels.iter_mut().enumerate() {
            let free = step.pushed(g, state.spin) * step.damped(g);
            state.spin = step.locked(g, state.spin, free);
        }
        return;
    };
    match coupling.accuracy {
        // With one group, the compiler knows that there is no loop.
        ClutchAccuracy::Exact => match wheels {
            [_] => solve_exactly(&step, coupling, &mut wheels[..1], drive),
            _ => solve_exactly(&step, coupling, wheels, drive),
        },
        ClutchAccuracy::Iterative { sweeps, tolerance } => {
            let mut system = System::new(&step, Some(coupling), wheels, drive);
            system.iterate(sweeps, tolerance);
            system.conclude(&step, Some(coupling), wheels, drive);
        }
    }
}

/// All speeds in closed form.
#[inline(always)]
fn solve_exactly(
    step: &ClutchStep<impl Fn(usize) -> W4>,
    coupling: &EngineCoupling,
    wheels: &mut [WheelState],
    drive: &mut DriveState,
) {
    let slip = clutch_slip(step, coupling, wheels, drive);
    drive.engine_speed = engine_speed(coupling, drive.engine_speed, slip, step.h);
    engage(step, coupling, wheels, slip);
}

/// Engine speed after the step (`rad/s`) for a clutch slip of `slip` (`rad/s`).
#[inline(always)]
fn engine_speed(c: &EngineCoupling, before: f32, slip: f32, h: f32) -> f32 {
    let per_inertia = h / c.inertia;
    let pushed = before + per_inertia * c.torque - per_inertia * c.clutch * slip;
    let speed = pushed / (1.0 + per_inertia * c.damping);
    c.limited(speed, h)
}

/// The clutch's slip at the end of the step: engine speed − ratio·mean wheel speed (`rad/s`).
///
/// All equations are linear in it, and its coefficient is never below 1.
#[inline(always)]
fn clutch_slip(
    step: &ClutchStep<impl Fn(usize) -> W4>,
    coupling: &EngineCoupling,
    wheels: &[WheelState],
    drive: &DriveState,
) -> f32 {
    let EngineCoupling { ratio, clutch, .. } = *coupling;
    let per_inertia = step.h / coupling.inertia;
    let left = 1.0 / (1.0 + per_inertia * coupling.damping);
    let mut free = left * (drive.engine_speed + per_inertia * coupling.torque);
    let mut stiffness = 1.0 + left * per_inertia * clutch;
    for (g, state) in wheels.iter().enumerate() {
        let (k, c) = (&step.consts[g], &step.control[g]);
        let weight = c.speed_share * step.damped(g);
        free -= ratio * (weight * step.pushed(g, state.spin)).sum();
        let reach = weight * W4::splat(step.h) * k.inverse_inertia * c.torque_share;
        stiffness += clutch * ratio * ratio * reach.sum();
    }
    free / stiffness
}

/// Applies to each wheel its share of the clutch torque.
#[inline(always)]
fn engage(
    step: &ClutchStep<impl Fn(usize) -> W4>,
    coupling: &EngineCoupling,
    wheels: &mut [WheelState],
    slip: f32,
) {
    let torque = W4::splat(coupling.clutch * coupling.ratio * slip * step.h);
    for (g, state) in wheels.iter_mut().enumerate() {
        let (k, c) = (&step.consts[g], &step.control[g]);
        let free = step.pushed(g, state.spin);
        let driven = (free + k.inverse_inertia * c.torque_share * torque) * step.damped(g);
        state.spin = step.locked(g, state.spin, driven);
    }
}

/// Number of lanes of the largest vehicle.
const ROWS: usize = crate::MAX_WHEELS;

/// The coupled equations wheel by wheel: `diagonal·Ω + drive·(ratio·Σ α·Ω − Ω_engine) = known`.
struct System {
    rows: usize,
    /// Coefficient of a wheel's spin without the clutch.
    diagonal: [f32; ROWS],
    /// Clutch torque × step/inertia on the wheel per clutch slip.
    drive: [f32; ROWS],
    /// Right-hand side.
    known: [f32; ROWS],
    /// Ratio × share in the mean wheel speed.
    mean: [f32; ROWS],
    spin: [f32; ROWS],
    engine: f32,
    engine_known: f32,
    engine_diagonal: f32,
    engine_drive: f32,
}

impl System {
    /// Solution of the clutch; the engine's speed is unchanged without an engine.
    fn new(
        step: &ClutchStep<impl Fn(usize) -> W4>,
        coupling: Option<&EngineCoupling>,
        wheels: &[WheelState],
        drive: &DriveState,
    ) -> Self {
        let (ratio, clutch) = coupling.map_or((0.0, 0.0), |c| (c.ratio, c.clutch));
        let mut system = Self {
            rows: wheels.len() * LANES,
            diagonal: [1.0; ROWS],
            drive: [0.0; ROWS],
            known: [0.0; ROWS],
            mean: [0.0; ROWS],
            spin: [0.0; ROWS],
            engine: drive.engine_speed,
            engine_known: drive.engine_speed,
            engine_diagonal: 1.0,
            engine_drive: 0.0,
        };
        if let Some(engine) = coupling {
            let per_inertia = step.h / engine.inertia;
            system.engine_known += per_inertia * engine.torque;
            system.engine_diagonal += per_inertia * (clutch + engine.damping);
            system.engine_drive = per_inertia * clutch;
        }
        for (g, state) in wheels.iter().enumerate() {
            let (k, c) = (&step.consts[g], &step.control[g]);
            let per_inertia = W4::splat(step.h) * k.inverse_inertia;
            let diagonal = W4::ONE + per_inertia * k.damping;
            let drive = per_inertia * c.torque_share * W4::splat(clutch * ratio);
            let known = step.pushed(g, state.spin);
            let mean = c.speed_share * W4::splat(ratio);
            let rows = g * LANES..(g + 1) * LANES;
            system.diagonal[rows.clone()].copy_from_slice(&diagonal.to_array());
            system.drive[rows.clone()].copy_from_slice(&drive.to_array());
            system.known[rows.clone()].copy_from_slice(&known.to_array());
            system.mean[rows.clone()].copy_from_slice(&mean.to_array());
            system.spin[rows].copy_from_slice(&state.spin.to_array());
        }
        system
    }

    /// Stores the speeds: wheels lock, the engine stays within its range.
    fn conclude(
        &self,
        step: &ClutchStep<impl Fn(usize) -> W4>,
        coupling: Option<&EngineCoupling>,
        wheels: &mut [WheelState],
        drive: &mut DriveState,
    ) {
        for (g, state) in wheels.iter_mut().enumerate() {
            let spin = W4::from_fn(|lane| self.spin[g * LANES + lane]);
            state.spin = step.locked(g, state.spin, spin);
        }
        if let Some(coupling) = coupling {
            drive.engine_speed = coupling.limited(self.engine, step.h);
        }
    }

    /// Ratio × mean wheel speed, without wheel `except`.
    fn mean_speed(&self, except: usize) -> f32 {
        (0..self.rows)
            .filter(|&j| j != except)
            .map(|j| self.mean[j] * self.spin[j])
            .sum()
    }

    /// Gauss–Seidel from the old speeds, wheels first, then the engine (ALGORITHMS §4.7 "estimate").
    fn iterate(&mut self, sweeps: u32, tolerance: f32) {
        for _ in 0..sweeps {
            self.sweep();
            if self.converged(tolerance) {
                break;
            }
        }
    }

    fn sweep(&mut self) {
        for i in 0..self.rows {
            let others = self.drive[i] * (self.mean_speed(i) - self.engine);
            let own = self.diagonal[i] + self.drive[i] * self.mean[i];
            self.spin[i] = (self.known[i] - others) / own;
        }
        let mean = self.mean_speed(usize::MAX);
        self.engine = (self.engine_known + self.engine_drive * mean) / self.engine_diagonal;
    }

    fn converged(&self, tolerance: f32) -> bool {
        let mean = self.mean_speed(usize::MAX);
        let (mut residual, mut scale) = (0.0, 0.0);
        for i in 0..self.rows {
            let row = self.diagonal[i] * self.spin[i] + self.drive[i] * (mean - self.engine);
            residual += (row - self.known[i]) * (row - self.known[i]);
            scale += self.known[i] * self.known[i];
        }
        let row = self.engine_diagonal * self.engine - self.engine_drive * mean;
        residual += (row - self.engine_known) * (row - self.engine_known);
        scale += self.engine_known * self.engine_known;
        // The addend keeps a right-hand side of zero from dividing by zero.
        residual <= tolerance * (scale + tolerance)
    }
}

#[cfg(test)]
mod tests;
