//! Values of a vehicle's sensors, from the lanes of the solvers.

use glam::Vec3;

use crate::MAX_WHEELS;
use crate::base::lanes::{LANES, V3x4, W4};
use crate::contracts::drivetrain::Control;
use crate::contracts::sensors::{Sensors, WheelSensors};
use crate::exchange::state::VehicleState;
use crate::stages::chassis::View;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::Workspace;
use crate::stages::shaft_memory;
use crate::stages::slip;
use crate::stages::suspension;

/// Values of the sensors at the start of a substep of `h` (`s`), the first of its step if it `begins_step`.
pub(crate) fn sensors<'a>(
    sensed: &'a SensedWheels,
    view: &View,
    work: &Workspace<'a>,
    h: f32,
    begins_step: bool,
) -> Sensors<'a> {
    let mass = work.control.mass;
    Sensors {
        duration: h,
        begins_step,
        mass,
        gravity: view.gravity,
        velocity: view.linear,
        angular_velocity: view.angular,
        acceleration: (sensed.force + work.air_load.force) / mass,
        engine_speed: sensed.engine_speed,
        command: work.command,
        wheels: sensed.wheels(),
    }
}

/// Lets the drivetrain change its control by the sensors, if it uses them.
pub(crate) fn drivetrain(
    model: &VehicleModel,
    sensors: &Sensors<'_>,
    state: &mut VehicleState,
    control: &mut Control,
) {
    let drivetrain = model.drivetrain();
    if !drivetrain.uses_sensors() {
        return;
    }
    if let Some(shafts) = &mut control.shafts {
        shaft_memory::recall(shafts, &state.extras);
    }
    let memories = state.extras.memories_mut();
    let memory = memories.map_or(&mut [][..], |all| &mut all.drivetrain);
    drivetrain.sense(sensors, memory, &mut state.drive, control);
    if !memory.iter().copied().all(f32::is_finite) {
        memory.fill(0.0);
    }
}

/// Sensors of a vehicle's wheels, and the force of wheels on the chassis in the last substep (`N`, vehicle frame).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SensedWheels {
    wheels: [WheelSensors; MAX_WHEELS],
    count: usize,
    /// Speed of the engine (`rad/s`).
    engine_speed: f32,
    /// Sum of the wheels' forces (`N`).
    force: Vec3,
}

impl SensedWheels {
    /// Sensors of the wheels of a vehicle in this `state`, whose chassis this `view` shows.
    #[must_use]
    pub(crate) fn new(
        model: &VehicleModel,
        state: &VehicleState,
        view: &View,
        (work, h): (&Workspace<'_>, f32),
    ) -> Self {
        let mut sensed = Self {
            wheels: [WheelSensors::default(); MAX_WHEELS],
            count: model.wheel_count(),
            engine_speed: state.drive.engine_speed,
            force: Vec3::ZERO,
        };
        for g in 0..state.wheels.len() {
            sensed.sense_group(g, (model, state), view, (work, h));
        }
        sensed
    }

    /// Sensors in wheel order.
    #[must_use]
    pub(crate) fn wheels(&self) -> &[WheelSensors] {
        &self.wheels[..self.count]
    }

    fn sense_group(
        &mut self,
        g: usize,
        (model, state): (&VehicleModel, &VehicleState),
        view: &View,
        (work, h): (&Workspace<'_>, f32),
    ) {
        let (k, wheels) = (&model.wheels()[g], &state.wheels[g]);
        let (steering, ground) = (&work.steering[g], &work.ground[g]);
        let swept = work.swept.get(g).and_then(Option::as_ref);
        let depth = suspension::contact_depth(k, view, wheels, ground, swept);
        let touches = depth.reaches & wheels.normal_force.gt(W4::ZERO);
        let point = depth.bottom.kept_or(touches, k.center);
        let up = depth.normal.kept_or(touches, V3x4::splat(Vec3::Z));
        let axes = slip::tire_axes(up, steering.sin, steering.cos);
        let mut velocity = V3x4::splat(view.linear) + V3x4::splat(view.angular).cross(point);
        if ground.any {
            let under = suspension::ground_velocities(view, point, ground, h).mean;
            velocity = velocity - under.kept(touches);
        }
        let along = [axes.longitudinal, axes.lateral].map(|axis| axis.dot(velocity));
        let tire = wheels.grip.rows().force;
        let force = up * wheels.normal_force + axes.longitudinal * tire[0] + axes.lateral * tire[1];
        self.force += force.sum();
        let brakes = state.extras.memories().and_then(|all| all.brakes.get(g));
        let brakes = brakes.copied().unwrap_or_default();
        let control = &work.control.wheels[g];
        let coupling = work.control.coupling.as_ref();
        let geared = coupling.map_or(0.0, |engine| engine.ratio * state.drive.clutch_torque);
        let drive = control.torque_share * W4::splat(geared) + control.drive;
        let shafts =
            |lane| shaft_memory::wheel_torque(work.control, &state.extras, g * LANES + lane);
        let count = self.count.min((g + 1) * LANES) - g * LANES;
        for lane in 0..count {
            let n = |lanes: W4| lanes.lane(lane);
            let friction = n(wheels.ground_friction);
            let on_ground = touches.lane(lane);
            let (spin, radius) = (n(wheels.spin), n(k.radius));
            self.wheels[g * LANES + lane] = WheelSensors {
                enabled: k.enabled.lane(lane),
                on_ground,
                radius,
                inertia: n(k.inertia),
                position: k.center.lane(lane),
                steering_angle: n(steering.angle),
                spin,
                ground_velocity: along.map(n),
                slip: if on_ground {
                    WheelSensors::slip_of(spin * radius, n(along[0]))
                } else {
                    0.0
                },
                load: n(wheels.normal_force),
                force: tire.map(n),
                brake: n(brakes),
                drive: n(drive) + shafts(lane),
                friction,
                best_slip: model.best_slip(g, lane, friction),
            };
        }
    }
}
