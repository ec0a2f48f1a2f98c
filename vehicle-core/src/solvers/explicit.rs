//! The explicit solver: suspension, tires, drivetrain and chassis in sequence, in a few substeps per step
//! (ALGORITHMS §3).

mod physx;
mod step_settings;
pub mod clutch;
pub mod relaxation;
pub mod sticky;
mod wheels;
mod tires;
mod air;
mod rotation;
pub mod stops;

use alloc::vec::Vec;

use glam::{Mat3, Vec3, Vec4};

use crate::base::lanes::{V3x4, W4};
use crate::contracts::drivetrain::WheelControl;
use crate::exchange::state::VehicleState;
use crate::stages::alignment::WheelAlignment;
use crate::stages::anti_roll::BarEnd;
use crate::stages::chassis::{Chassis, View};
use crate::stages::contact::MovingGround;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::{GroundPushes, WheelOutputs, Workspace};
use crate::stages::sensing::{self, SensedWheels};
use crate::stages::suspension;

use rotation::turn;
use step_settings::{DefaultSettings, StepSettings};
use stops::{Row, RowSource};
pub use wheels::{WheelStage, chassis_load, wheel_forces};

/// Runs all substeps of a step of `dt` (`s`) on the private `chassis`.
pub fn advance(
    model: &VehicleModel,
    duration: (Vec3, f32),
    state: &mut VehicleState,
    chassis: &mut Chassis,
    work: &mut Workspace<'_>,
    rows: &mut Vec<Row>,
) {
    if model.has_default_settings() {
        advance_with(model, DefaultSettings, duration, state, chassis, work, rows);
    } else if let Some(settings) = model.params().profile.explicit() {
        advance_with(model, settings, duration, state, chassis, work, rows);
    }
}

/// Advances the vehicle by `duration` (`s`) with these settings.
fn advance_with(
    model: &VehicleModel,
    settings: impl StepSettings,
    (gravity, dt): (Vec3, f32),
    state: &mut VehicleState,
    chassis: &mut Chassis,
    work: &mut Workspace<'_>,
    rows: &mut Vec<Row>,
) {
    let linear = chassis.velocity.linear.truncate();
    let forward = chassis.matrix.x_axis.dot(linear);
    let speed = if settings.get().signed_substep_speed {
        forward
    } else {
        forward.abs()
    };
    let count = model.params().substeps.count(speed);
    let h = dt / count as f32;
    model
        .drivetrain()
        .change_gears(&mut state.drive, &state.wheels, dt, work.control);
    model.disable_wheels(work.control);
    rows.clear();
    work.reactions.fill(GroundPushes::default());
    let brakes = |c: &WheelControl| c.brake.gt(W4::ZERO).any();
    let braking = work.control.wheels.iter().any(brakes);
    let step = ExplicitStep {
        model,
        settings,
        gravity: gravity.extend(0.0),
        dt,
        h,
        count,
        braking,
    };
    for n in 0..count {
        step.substep(n, state, chassis, work, rows);
    }
}

/// Data that the substeps of a step have in common.
struct ExplicitStep<'a, S> {
    model: &'a VehicleModel,
    settings: S,
    /// Gravity (`m/s²`, world axes); the fourth lane counts for nothing.
    gravity: Vec4,
    /// Duration (`s`), and that of each of its substeps.
    dt: f32,
    h: f32,
    /// Number of substeps.
    count: u32,
    /// Whether any wheel of the vehicle is braked.
    braking: bool,
}

impl<S: StepSettings> ExplicitStep<'_, S> {
    /// Substep `n`, from 0.
    #[inline(never)]
    fn substep(
        &self,
        n: u32,
        state: &mut VehicleState,
        chassis: &mut Chassis,
        work: &mut Workspace<'_>,
        rows: &mut Vec<Row>,
    ) {
        let Self { model, h, .. } = *self;
        let settings = self.settings.get();
        let drivetrain = model.drivetrain();
        drivetrain.substep(&mut state.drive, h, work.control);
        let (view, wind) = chassis.view_in_wind(self.gravity, work.air.wind);
        for g in 0..state.wheels.len() {
            self.forces_of_group(g, n, (chassis, &view), state, work, rows);
        }
        drivetrain.split_torque(&state.drive, &state.wheels, work.control);
        if model.uses_sensors() {
            let sensed = SensedWheels::new(model, state, &view, (work, h));
            let sensors = sensing::sensors(&sensed, &view, work, h, n == 0);
            sensing::drivetrain(model, &sensors, state, work.control);
        }
        model.disable_wheels(work.control);
        let air = air::force(model, settings, (&view, wind), state, work);
        let (mut force, mut torque) = self.load_of_wheels(work);
        if model.resists_rolling() {
            tires::resist_rolling(model, state, work.outputs, h);
        }
        if model.has_stateful_tires() {
            tires::remember((model, settings), &view, state, work.outputs, h);
        }
        let outputs = &*work.outputs;
        clutch::solve(
            settings.equal_bound_spins,
            model.wheels(),
            work.control,
            |group| outputs[group].forces.wheel_torque,
            &mut state.wheels,
            &mut state.drive,
            h,
        );
        if settings.integrates_gravity {
            force += view.gravity.extend(0.0) / chassis.inverse_mass;
        }
        if let Some(air) = &air {
            let seen = (chassis.inverse_mass, &view);
            (force, *work.air_load) = air::with_air(air, settings, force, seen, h);
            torque += air.load.moment.extend(0.0);
        }
        chassis.push(force, torque, h);
        let turns_once = settings.turns_once;
        if !turns_once || n + 1 == self.count {
            let duration = if turns_once { self.dt } else { h };
            turn(model, settings, state, work, duration);
        }
        // Where the last one leads to is the engine's to decide.
        if n + 1 < self.count {
            chassis.drift(h);
        }
    }

    /// Forces of a group's wheels in substep `n`, and the rows of those that stop.
    #[inline(always)]
    fn forces_of_group(
        &self,
        g: usize,
        n: u32,
        (chassis, view): (&Chassis, &View),
        state: &mut VehicleState,
        work: &mut Workspace<'_>,
        rows: &mut Vec<Row>,
    ) {
        let moves = work.ground[g].any;
        let rows_of = if self.settings.get().stops.of_last_substep {
            self.count - 1
        } else {
            0
        };
        // The rows of one substep apply to the whole step.
        let rows_before = |out: &WheelOutputs| (out.sticky, out.touch.beyond_stop);
        let before = (n > rows_of).then(|| rows_before(&work.outputs[g]));
        let profile = &self.model.params().profile;
        let stage = WheelStage {
            consts: &self.model.wheels()[g],
            curves: self.model.curves(g),
            tires: &self.model.tires()[g],
            tire_states: state.extras.group(g),
            control: &work.control.wheels[g],
            steering: &work.steering[g],
            ground: &work.ground[g],
            swept: work.swept.get(g).and_then(Option::as_ref),
            settings: self.settings.get(),
            limits_expansion: profile.limit_expansion,
            max_ground_acceleration: profile.max_ground_acceleration,
            load_line: self.model.load_line(),
            accelerating: work.control.accelerating,
            braking: self.braking,
        };
        let (wheels, out) = (&mut state.wheels[g], &mut work.outputs[g]);
        if self.model.has_plain_wheels() && !moves {
            // Compiled for them: 5 % fewer instructions of an update (rustc 1.95).
            let plain = WheelStage {
                curves: None,
                tire_states: &[],
                ground: &MovingGround::FIXED,
                swept: None,
                ..stage
            };
            wheel_forces(&plain, view, wheels, self.h, out);
        } else {
            wheel_forces(&stage, view, wheels, self.h, out);
        }
        let out = &mut work.outputs[g];
        if let Some(before) = before {
            (out.sticky, out.touch.beyond_stop) = before;
        } else if n == rows_of && out.has_rows() {
            self.collect_rows(g, view, work, rows);
        }
        if moves {
            self.push_ground(g, &chassis.matrix, work);
        }
    }

    /// Sum of forces (`N`) and of moments (`N·m`) of wheels and anti-roll bars on the chassis, vehicle frame.
    #[inline(always)]
    fn load_of_wheels(&self, work: &Workspace<'_>) -> (Vec4, Vec4) {
        let bars = match self.model.paired_bars() {
            Some(bars) => {
                let out = &work.outputs[0];
                bars.torque(out.touch.jounce, out.loaded)
            }
            None => torque_of_bars(self.model, work.outputs).extend(0.0),
        };
        let of_group = |g: usize| {
            let (k, curves) = (&self.model.wheels()[g], self.model.curves(g));
            chassis_load(k, curves, &work.steering[g], &work.outputs[g])
        };
        let (mut force, mut torque) = of_group(0);
        for g in 1..self.model.wheels().len() {
            let (f, m) = of_group(g);
            force += f;
            torque += m;
        }
        (force, torque + bars)
    }

    /// Rows of a substep.
    fn collect_rows(&self, g: usize, view: &View, work: &Workspace<'_>, rows: &mut Vec<Row>) {
        let (settings, out) = (self.settings.get(), &work.outputs[g]);
        let sticky = &settings.sticky;
        let ground = if sticky.follows_ground && work.ground[g].any {
            suspension::ground_velocity(view, out.touch.bottom, &work.ground[g])
        } else {
            V3x4::ZERO
        };
        let (k, jounce, mut room) = (&self.model.wheels()[g], out.touch.jounce, None);
        let (curves, steering) = (self.model.curves(g), &work.steering[g]);
        let alignment = WheelAlignment::new(k, curves, steering, jounce, None, &mut room);
        let source = RowSource {
            consts: k,
            touch: &out.touch,
            axes: &out.axes,
            sticky: &out.sticky,
            forward_target: out.forward_speed * W4::splat(sticky.forward_target)
                + ground.dot(out.axes.longitudinal),
            lateral_target: out.lateral_speed * W4::splat(sticky.side_target)
                + ground.dot(out.axes.lateral),
            tire_point: *alignment.tire_point,
            settings,
        };
        let before = rows.len();
        stops::collect(&source, rows);
        // PhysX solves the last block first.
        rows.rotate_left(before);
    }

    /// Sets the forces of the wheels of a group on their ground.
    fn push_ground(&self, g: usize, matrix: &Mat3, work: &mut Workspace<'_>) {
        let out = &work.outputs[g];
        let push = out.touch.normal * (-out.suspension_force * W4::splat(self.h / self.dt));
        let reaction = &mut work.reactions[g];
        reaction.force = reaction.force + push.rotated(matrix);
    }
}

/// Moment of the anti-roll bars (`N·m`, vehicle frame).
fn torque_of_bars(model: &VehicleModel, outputs: &[WheelOutputs]) -> Vec3 {
    let end = |group: usize, lane: usize| BarEnd {
        jounce: outputs[group].touch.jounce.as_array()[lane],
        loaded: outputs[group].loaded.lane(lane),
    };
    model.bars().iter().map(|bar| bar.torque(end)).sum()
}

#[cfg(test)]
mod tests;
