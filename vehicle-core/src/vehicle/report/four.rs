//! Reports on four wheels: what takes arithmetic is computed for all of them at once.

use glam::{Vec3, Vec4};

use crate::base::lanes::angles::atan;
use crate::base::lanes::{LANES, V3x4, W4, by_wheel};
use crate::params::profile::Solver;
use crate::params::surface::SurfaceType;
use crate::stages::outputs::WheelOutputs;
use crate::stages::shaft_memory;
use crate::vehicle::Vehicle;

use super::WheelReport;

/// Below this speed (`m/s`), what slides counts as standing.
const CREEP: f32 = 0.05;

/// Four wheels of a vehicle after an update: numbers of each by wheel, as they lie side by side in a [`WheelReport`], so that
/// four are written at once. Vectors are in world axes.
pub(super) struct Four<'a> {
    vehicle: &'a Vehicle,
    out: &'a WheelOutputs,
    /// Start of the probe, and its length.
    probe_start: [Vec4; LANES],
    /// Direction of the probe, and the jounce.
    probe_direction: [Vec4; LANES],
    /// Jounce speed, steering angle, camber, moment about the steering axis.
    attitude: [Vec4; LANES],
    /// Point of application of the suspension force, and the force.
    suspension_point: [Vec4; LANES],
    /// Point of application of tire forces, and the load.
    tire_point: [Vec4; LANES],
    /// Radius, mass, friction forward, sideways over forward.
    on_ground: [Vec4; LANES],
    /// Longitudinal direction, and the speed along it.
    longitudinal_direction: [Vec4; LANES],
    /// Lateral direction, and the speed along it.
    lateral_direction: [Vec4; LANES],
    /// Slip ratio and angle, longitudinal and lateral force.
    slip: [Vec4; LANES],
    /// Torque of the drivetrain; aligning, overturning, rolling resistance.
    moments: [Vec4; LANES],
    /// Grip used, skid, times that it has stood still forward and laterally.
    sliding: [Vec4; LANES],
    /// Spin, displayed spin, angle, rotation in the update.
    rotation: [Vec4; LANES],
}

impl<'a> Four<'a> {
    /// The wheels of a group.
    pub(super) fn new(vehicle: &'a Vehicle, group: usize) -> Self {
        let (k, out) = (&vehicle.model().wheels()[group], &vehicle.outputs()[group]);
        let state = &vehicle.state().wheels[group];
        let control = &vehicle.control().wheels[group];
        let turned = vehicle.turned(group);
        let [still_forward, still_lateral] = state.grip.explicit().still;
        let drive_torque = drive_torque(vehicle, group);
        let slip_angle = atan(out.tan_slip_angle);
        let steer = vehicle.steer_angles(group);
        let [suspension_point, tire_point] = force_points(vehicle, group);
        let rotation = vehicle.last_matrix();
        let with = |v: V3x4, number: W4| {
            let v = v.rotated(&rotation);
            by_wheel([v.x, v.y, v.z, number])
        };
        let (touch, forces) = (&out.touch, &out.forces);
        let loaded_radius = k.radius - out.deflection;
        let skid_info = skid_info(out, k.radius * state.spin);
        let rolling_resistance = forces.rolling_resistance.max(W4::ZERO);
        Self {
            vehicle,
            out,
            probe_start: with(k.ray_start, k.ray_length),
            probe_direction: with(k.travel, touch.jounce),
            attitude: by_wheel([touch.jounce_speed, steer, out.camber, control.road_moment]),
            suspension_point: with(suspension_point, out.suspension_force),
            tire_point: with(tire_point, out.load),
            on_ground: by_wheel([loaded_radius, k.rest_mass, out.friction, out.lateral_grip]),
            longitudinal_direction: with(out.axes.longitudinal, out.forward_speed),
            lateral_direction: with(out.axes.lateral, out.lateral_speed),
            slip: by_wheel([
                out.slip_ratio,
                slip_angle,
                forces.longitudinal,
                forces.lateral,
            ]),
            moments: by_wheel([
                drive_torque,
                forces.aligning_moment,
                forces.overturning_moment,
                rolling_resistance,
            ]),
            sliding: by_wheel([grip_used(out), skid_info, still_forward, still_lateral]),
            rotation: by_wheel([state.spin, state.spin_shown, state.angle, turned]),
        }
    }

    /// The report on wheel `wheel` of the vehicle, which must be one of these.
    #[inline(always)]
    pub(super) fn report(&self, wheel: usize) -> WheelReport {
        let Self { out, .. } = self;
        let lane = wheel % LANES;
        let contact = self.vehicle.contacts()[wheel].as_ref();
        WheelReport {
            in_air: !out.loaded.lane(lane),
            ground: contact.map(|contact| contact.hit),
            ground_point: contact.map_or(Vec3::ZERO, |contact| contact.point),
            surface: contact.map_or(SurfaceType(0), |contact| contact.surface),
            ground_friction: contact.map_or(0.0, |contact| contact.friction),
            probe_start: self.probe_start[lane].truncate(),
            probe_length: self.probe_start[lane].w,
            probe_direction: self.probe_direction[lane].truncate(),
            jounce: self.probe_direction[lane].w,
            jounce_speed: self.attitude[lane].x,
            at_stop: out.touch.beyond_stop.lane(lane) > 0.0,
            steer: self.attitude[lane].y,
            camber: self.attitude[lane].z,
            steering_moment: self.attitude[lane].w,
            suspension_point: self.suspension_point[lane].truncate(),
            suspension_force: self.suspension_point[lane].w,
            tire_point: self.tire_point[lane].truncate(),
            load: self.tire_point[lane].w,
            loaded_radius: self.on_ground[lane].x,
            rest_mass: self.on_ground[lane].y,
            friction: self.on_ground[lane].z,
            lateral_grip: self.on_ground[lane].w,
            longitudinal_direction: self.longitudinal_direction[lane].truncate(),
            forward_speed: self.longitudinal_direction[lane].w,
            lateral_direction: self.lateral_direction[lane].truncate(),
            lateral_speed: self.lateral_direction[lane].w,
            slip_ratio: self.slip[lane].x,
            slip_angle: self.slip[lane].y,
            longitudinal_force: self.slip[lane].z,
            lateral_force: self.slip[lane].w,
            drive_torque: self.moments[lane].x,
            aligning_moment: self.moments[lane].y,
            overturning_moment: self.moments[lane].z,
            rolling_resistance: self.moments[lane].w,
            grip_used: self.sliding[lane].x,
            skid_info: self.sliding[lane].y,
            sticks_longitudinally: out.sticky.longitudinal.lane(lane),
            sticks_laterally: out.sticky.lateral.lane(lane),
            still_forward: self.sliding[lane].z,
            still_lateral: self.sliding[lane].w,
            spin: self.rotation[lane].x,
            spin_shown: self.rotation[lane].y,
            angle: self.rotation[lane].z,
            turned: self.rotation[lane].w,
            user_value: self.vehicle.user_value(wheel),
        }
    }
}

/// Points of application of suspension and tire forces (`m`, vehicle frame, from the center of mass).
fn force_points(vehicle: &Vehicle, group: usize) -> [V3x4; 2] {
    let k = &vehicle.model().wheels()[group];
    let curves = vehicle.model().curves(group);
    let touch = &vehicle.outputs()[group].touch;
    let bushings = vehicle.state().extras.bushing_forces(group);
    let [suspension_point, tire_point] = match curves {
        None => [k.suspension_point, k.tire_point],
        Some(curves) => curves.force_points(k, touch.jounce, bushings),
    };
    match vehicle.model().params().profile.solver {
        Solver::Rows(_) if curves.is_some_and(|curves| curves.leads) => [touch.bottom; 2],
        Solver::Rows(_) => [touch.bottom, tire_point],
        Solver::Explicit(_) => [suspension_point, tire_point],
    }
}

/// Torque of the drivetrain on the wheels (`N·m`).
fn drive_torque(vehicle: &Vehicle, group: usize) -> W4 {
    let (control, extras) = (vehicle.control(), &vehicle.state().extras);
    let wheels = &control.wheels[group];
    let geared = control.coupling.as_ref();
    let torque = geared.map_or(0.0, |engine| vehicle.clutch_torque(engine) * engine.ratio);
    let torque = wheels.torque_share * W4::splat(torque) + wheels.drive;
    if control.shafts.is_none() {
        return torque;
    }
    let of_shafts = |lane| shaft_memory::wheel_torque(control, extras, group * LANES + lane);
    torque + W4::from_fn(of_shafts)
}

/// Used part of the available grip (–).
fn grip_used(out: &WheelOutputs) -> W4 {
    let over = |a: W4, b: W4| {
        let divides = b.gt(W4::ZERO);
        divides.keep(a / divides.select(b, W4::ONE))
    };
    let (along, across) = (
        out.forces.longitudinal,
        over(out.forces.lateral, out.lateral_grip),
    );
    let used = (along * along + across * across).sqrt();
    over(used, out.friction * out.load)
}

/// Share of the wheels' motion that is not sliding, with rims at the speed `rim` (`m/s`).
///
/// ```text
/// 1 − |(rΩ − v_l, v_t)|/max(|rΩ|, |v|)
/// ```
fn skid_info(out: &WheelOutputs, rim: W4) -> W4 {
    let (forward, left) = (out.forward_speed, out.lateral_speed);
    let length = |x: W4, y: W4| (x * x + y * y).sqrt();
    let slide = length(rim - forward, left);
    let fastest = rim.abs().max(length(forward, left)).max(W4::splat(CREEP));
    out.loaded.keep((W4::ONE - slide / fastest).max(W4::ZERO))
}
