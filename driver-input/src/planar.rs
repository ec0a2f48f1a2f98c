//! A car on a level plane at a held speed: the sideslip and the yaw of its body on the tire laws of its wheels.
//!
//! The single-track model of R. Rajamani, *Vehicle Dynamics and Control*, 2nd ed. 2012, section 2.3, with the nonlinear
//! law of every wheel, its load at rest, and the steering that its mounts yield to lateral forces.

use alloc::vec::Vec;

use vehicle_core::lanes::{LANES, W4};
use vehicle_core::{CarCommand, Command, Control, TireInput, VehicleModel, math};

/// Time step (`s`). The sideslip of a car settles in m·v/C, some 20 ms at walking pace.
pub(crate) const STEP: f32 = 0.004;
/// Share of the way to their new angle that mounts take in a step: they follow the force of the step before.
const YIELDING: f32 = 0.3;
/// Tangents of slip angles among which the greatest lateral force is searched (–).
const SLIPS: core::ops::Range<u16> = 1..64;
const SLIP: f32 = 0.01;

/// Maximum lateral forces of the wheels ahead of and behind the center of mass (`N`), and where they act on average, by
/// load, ahead of it (`m`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AxleEnd {
    pub(crate) grip: f32,
    pub(crate) load: f32,
    pub(crate) ahead: f32,
}

/// The car and its motion.
#[derive(Clone, Debug)]
pub(crate) struct PlanarCar<'a> {
    model: &'a VehicleModel,
    /// Forward speed (`m/s`), > 0.
    speed: f32,
    /// Lateral speed of the center of mass (`m/s`), positive to the left.
    pub(crate) lateral_speed: f32,
    /// Yaw rate (`rad/s`), positive to the left.
    pub(crate) yaw_rate: f32,
    /// Lateral acceleration (`m/s²`), positive to the left.
    pub(crate) acceleration: f32,
    /// Steering of the wheels by their mounts (`rad`).
    yielded: Vec<W4>,
}

impl<'a> PlanarCar<'a> {
    /// A car that drives straight ahead at `speed` (`m/s`), > 0.
    pub(crate) fn new(model: &'a VehicleModel, speed: f32) -> Self {
        Self {
            model,
            speed,
            lateral_speed: 0.0,
            yaw_rate: 0.0,
            acceleration: 0.0,
            yielded: model.wheels().iter().map(|_| W4::ZERO).collect(),
        }
    }

    /// One step with this steering, −1 (left) … 1 (right).
    pub(crate) fn advance(&mut self, steer: f32) {
        let Some(control) = steered(self.model, steer, self.speed) else {
            return;
        };
        let (mut force, mut moment) = (0.0, 0.0);
        for (g, k) in self.model.wheels().iter().enumerate() {
            let steered = control.wheels[g].steer + self.yielded[g];
            let drift = W4::splat(self.lateral_speed) + k.center.x * W4::splat(self.yaw_rate);
            let direction = W4::from_fn(|lane| math::atan(drift.lane(lane) / self.speed));
            let slip =
                W4::from_fn(|lane| math::tan((direction - steered).lane(lane).clamp(-1.5, 1.5)));
            let lateral = lateral_forces(self.model, g, slip, self.speed);
            self.yielded[g] = self.yielded[g]
                + (yielding(self.model, g, lateral) - self.yielded[g]) * W4::splat(YIELDING);
            let across = lateral * W4::from_fn(|lane| math::sin_cos(steered.lane(lane)).1);
            force += across.sum();
            moment += (across * k.center.x).sum();
        }
        let chassis = &self.model.params().chassis;
        self.acceleration = force / chassis.mass;
        self.lateral_speed += (self.acceleration - self.speed * self.yaw_rate) * STEP;
        self.yaw_rate += moment / chassis.inertia.z * STEP;
    }

    /// Slip angle of an axle (`rad`) this far ahead of the center of mass (`m`), if it is straight.
    pub(crate) fn slip_angle(&self, ahead: f32) -> f32 {
        math::atan((self.lateral_speed + ahead * self.yaw_rate) / self.speed)
    }
}

/// Control of a drivetrain with this steering at this speed; `None` if it takes no car's command.
fn control(model: &VehicleModel, command: CarCommand, speed: f32) -> Option<Control> {
    let drivetrain = model.drivetrain();
    let mut control = Control {
        forward_speed: speed,
        ..Control::idle(model.wheel_count())
    };
    let mut state = drivetrain.initial_state();
    let command = Command::Car(command);
    let read = drivetrain.control(&command, &mut state, &mut control);
    read.ok().map(|()| control)
}

/// Control of the wheels with this steering at this speed (`m/s`).
pub(crate) fn steered(model: &VehicleModel, steer: f32, speed: f32) -> Option<Control> {
    let command = CarCommand {
        steer,
        ..CarCommand::default()
    };
    control(model, command, speed)
}

/// Control of the wheels with the brake fully pressed.
pub(crate) fn braked(model: &VehicleModel) -> Option<Control> {
    let command = CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    };
    control(model, command, 0.0)
}

/// Input of a group of tires at rest loads without slip, with this forward speed of contacts and rims (`m/s`).
fn rolling(model: &VehicleModel, group: usize, speed: W4) -> TireInput<W4> {
    let k = &model.wheels()[group];
    TireInput {
        forward_speed: speed,
        rim_speed: speed,
        radius: k.radius,
        load: k.present.keep(k.enabled.keep(k.rest_load)),
        rest_load: k.rest_load,
        friction: k.curve_friction[0],
        gravity: model.params().chassis.design_gravity,
        ..TireInput::default()
    }
}

/// Lateral forces (`N`) of a group of wheels at these slips, without offsets such as those of camber.
fn lateral_forces(model: &VehicleModel, group: usize, slip: W4, speed: f32) -> W4 {
    let (k, forward) = (&model.wheels()[group], W4::splat(speed));
    let input = TireInput {
        tan_slip_angle: slip,
        lateral_speed: slip * forward,
        ..rolling(model, group, forward)
    };
    let mut sum = W4::ZERO;
    for tire in &model.tires()[group] {
        let there = tire.model.forces4(&input, tire.wheels).lateral;
        let opposite = tire.model.forces4(&input.opposite(), tire.wheels).lateral;
        sum += tire.wheels.keep((there - opposite) * W4::splat(0.5));
    }
    k.enabled.keep(k.present.keep(sum))
}

/// Steering of a group of wheels by their mounts (`rad`) under lateral forces (`N`).
fn yielding(model: &VehicleModel, group: usize, lateral: W4) -> W4 {
    W4::from_fn(|lane| {
        let wheel = model.params().wheels.get(group * LANES + lane);
        wheel.map_or(0.0, |wheel| {
            at(&wheel.compliance.toe_by_force[1], lateral.lane(lane))
        })
    })
}

/// Value of a table, linear between its points and constant outside; 0 if it has none.
fn at(table: &[(f32, f32)], x: f32) -> f32 {
    let (Some(first), Some(last)) = (table.first(), table.last()) else {
        return 0.0;
    };
    if x <= first.0 {
        return first.1;
    }
    let pair = table.windows(2).find(|pair| x < pair[1].0);
    pair.map_or(last.1, |pair| {
        let share = (x - pair[0].0) / (pair[1].0 - pair[0].0);
        pair[0].1 + (pair[1].1 - pair[0].1) * share
    })
}

/// The wheels ahead of the center of mass, and those behind it.
pub(crate) fn ends(model: &VehicleModel, speed: f32) -> [AxleEnd; 2] {
    let mut ends = [AxleEnd::default(); 2];
    for (g, k) in model.wheels().iter().enumerate() {
        let load = rolling(model, g, W4::splat(speed)).load;
        let grip =
            SLIPS.map(|n| lateral_forces(model, g, W4::splat(f32::from(n) * SLIP), speed).abs());
        let grip = grip.fold(W4::ZERO, |most, force| most.max(force));
        for lane in 0..LANES {
            let ahead = k.center.x.lane(lane);
            let end = &mut ends[usize::from(ahead < 0.0)];
            end.grip += grip.lane(lane);
            end.load += load.lane(lane);
            end.ahead += ahead * load.lane(lane);
        }
    }
    for end in &mut ends {
        end.ahead /= end.load.max(f32::MIN_POSITIVE);
    }
    ends
}

/// Maximum longitudinal forces (`N`) of a group of braked wheels at rest loads.
pub(crate) fn longitudinal_grip(model: &VehicleModel, group: usize, speed: f32) -> W4 {
    let mut grip = W4::ZERO;
    for n in SLIPS {
        let slip = f32::from(n) * SLIP;
        let input = TireInput {
            slip_ratio: W4::splat(-slip),
            rim_speed: W4::splat(speed * (1.0 - slip)),
            ..rolling(model, group, W4::splat(speed))
        };
        for tire in &model.tires()[group] {
            let force = tire.model.forces4(&input, tire.wheels).longitudinal.abs();
            grip = grip.max(tire.wheels.keep(force));
        }
    }
    grip
}
