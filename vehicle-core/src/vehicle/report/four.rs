//! Reports on four wheels: what takes arithmetic is computed for all of them at once.

use glam::Vec3;

use crate::base::lanes::angles::atan;
use crate::base::lanes::{LANES, V3x4, W4};
use crate::contracts::drivetrain::WheelControl;
use crate::exchange::state::WheelState;
use crate::params::profile::Solver;
use crate::params::surface::SurfaceType;
use crate::stages::outputs::WheelOutputs;
use crate::stages::wheel_consts::WheelConsts;
use crate::vehicle::Vehicle;

use super::WheelReport;

/// Below this speed (`m/s`), what slides counts as standing.
const CREEP: f32 = 0.05;

/// Four wheels of a vehicle after an update. Vectors are in world axes; the fields have the meaning of those of
/// [`WheelReport`].
pub(super) struct Four<'a> {
    vehicle: &'a Vehicle,
    consts: &'a WheelConsts,
    out: &'a WheelOutputs,
    state: &'a WheelState,
    control: &'a WheelControl,
    turned: W4,
    still: [W4; 2],
    probe_start: V3x4,
    probe_direction: V3x4,
    suspension_point: V3x4,
    tire_point: V3x4,
    long_direction: V3x4,
    lat_direction: V3x4,
    slip_angle: W4,
    drive_torque: W4,
    rolling_resistance: W4,
    grip_used: W4,
    skid_info: W4,
    steer: W4,
}

impl<'a> Four<'a> {
    /// The wheels of a group.
    pub(super) fn new(vehicle: &'a Vehicle, group: usize) -> Self {
        let (consts, out) = (&vehicle.kind().wheels()[group], &vehicle.outputs()[group]);
        let state = &vehicle.state().wheels[group];
        let control = &vehicle.control().wheels[group];
        // First what has branches: across one, vectors are kept on the stack.
        let turned = vehicle.turned(group);
        let still = state.grip.explicit().still;
        let drive_torque = drive_torque(vehicle, control);
        let slip_angle = atan(out.tan_slip_angle);
        let steer = vehicle.steer_angles(group);
        let [suspension_point, tire_point] = force_points(vehicle, group);
        let rotation = vehicle.last_matrix();
        let world = |v: V3x4| v.rotated(&rotation);
        Self {
            vehicle,
            consts,
            out,
            state,
            control,
            turned,
            still,
            probe_start: world(consts.ray_start),
            probe_direction: world(consts.travel),
            suspension_point: world(suspension_point),
            tire_point: world(tire_point),
            long_direction: world(out.axes.long),
            lat_direction: world(out.axes.lat),
            slip_angle,
            drive_torque,
            rolling_resistance: out.forces.rolling_resistance.max(W4::ZERO),
            grip_used: grip_used(out),
            skid_info: skid_info(out, consts.radius * state.spin),
            steer,
        }
    }

    /// The report on wheel `wheel` of the vehicle, which must be one of these. Written where it is wanted: a call would
    /// copy it.
    #[inline(always)]
    pub(super) fn report(&self, wheel: usize) -> WheelReport {
        let Self { out, state, .. } = self;
        let lane = wheel % LANES;
        let at = |lanes: &W4| lanes.as_array()[lane];
        let vector = |v: &V3x4| Vec3::new(at(&v.x), at(&v.y), at(&v.z));
        // First what has branches: numbers read before one are kept on the stack.
        let user_value = self.vehicle.user_value(wheel);
        let (ground, ground_point, surface, ground_friction) = match &self.vehicle.contacts()[wheel]
        {
            Some(contact) => (
                Some(contact.hit),
                contact.point,
                contact.surface,
                contact.friction,
            ),
            None => (None, Vec3::ZERO, SurfaceType(0), 0.0),
        };
        WheelReport {
            in_air: !out.carrying.lane(lane),
            ground,
            ground_point,
            surface,
            ground_friction,
            probe_start: vector(&self.probe_start),
            probe_direction: vector(&self.probe_direction),
            probe_length: at(&self.consts.ray_length),
            suspension_point: vector(&self.suspension_point),
            tire_point: vector(&self.tire_point),
            jounce: at(&out.touch.jounce),
            jounce_speed: at(&out.touch.jounce_speed),
            at_stop: at(&out.touch.beyond_stop) > 0.0,
            suspension_force: at(&out.suspension_force),
            load: at(&out.load),
            loaded_radius: at(&self.consts.radius) - at(&out.deflection),
            rest_mass: at(&self.consts.rest_mass),
            friction: at(&out.friction),
            side_grip: at(&out.side_grip),
            long_direction: vector(&self.long_direction),
            lat_direction: vector(&self.lat_direction),
            forward_speed: at(&out.forward_speed),
            lateral_speed: at(&out.lateral_speed),
            slip_ratio: at(&out.slip_ratio),
            slip_angle: at(&self.slip_angle),
            long_force: at(&out.forces.longitudinal),
            lat_force: at(&out.forces.lateral),
            drive_torque: at(&self.drive_torque),
            aligning_moment: at(&out.forces.aligning_moment),
            overturning_moment: at(&out.forces.overturning_moment),
            rolling_resistance: at(&self.rolling_resistance),
            grip_used: at(&self.grip_used),
            skid_info: at(&self.skid_info),
            steering_moment: at(&self.control.road_moment),
            steer: at(&self.steer),
            camber: at(&out.camber),
            spin: at(&state.spin),
            spin_shown: at(&state.spin_shown),
            angle: at(&state.angle),
            turned: at(&self.turned),
            held_forward: out.hold.forward.lane(lane),
            held_sideways: out.hold.sideways.lane(lane),
            still_forward: at(&self.still[0]),
            still_sideways: at(&self.still[1]),
            user_value,
        }
    }
}

/// Where suspension and tire forces act (`m`, vehicle frame, from the center of mass).
fn force_points(vehicle: &Vehicle, group: usize) -> [V3x4; 2] {
    let k = &vehicle.kind().wheels()[group];
    let curves = vehicle.kind().curves(group);
    let touch = &vehicle.outputs()[group].touch;
    let mounts = vehicle.state().extras.mount_forces(group);
    let [suspension_point, tire_point] = match curves {
        None => [k.suspension_point, k.tire_point],
        Some(curves) => curves.force_points(k, touch.jounce, mounts),
    };
    match vehicle.kind().params().profile.solver {
        Solver::Rows(_) if curves.is_some_and(|curves| curves.leads) => [touch.bottom; 2],
        Solver::Rows(_) => [touch.bottom, tire_point],
        Solver::Explicit(_) => [suspension_point, tire_point],
    }
}

/// What the drivetrain turned the wheels with (`N·m`).
fn drive_torque(vehicle: &Vehicle, wheels: &WheelControl) -> W4 {
    let geared = vehicle.control().coupling.as_ref();
    let torque = geared.map_or(0.0, |engine| vehicle.clutch_torque(engine) * engine.ratio);
    wheels.torque_share * W4::splat(torque) + wheels.drive
}

/// Used part of the available grip (–).
fn grip_used(out: &WheelOutputs) -> W4 {
    let over = |a: W4, b: W4| {
        let divides = b.gt(W4::ZERO);
        divides.keep(a / divides.select(b, W4::ONE))
    };
    let (along, across) = (
        out.forces.longitudinal,
        over(out.forces.lateral, out.side_grip),
    );
    let used = (along * along + across * across).sqrt();
    over(used, out.friction * out.load)
}

/// What is left of the wheels' motion without its sliding, with rims at the speed `rim` (`m/s`).
///
/// ```text
/// 1 − |(rΩ − v_l, v_t)|/max(|rΩ|, |v|)
/// ```
fn skid_info(out: &WheelOutputs, rim: W4) -> W4 {
    let (forward, left) = (out.forward_speed, out.lateral_speed);
    let length = |x: W4, y: W4| (x * x + y * y).sqrt();
    let slide = length(rim - forward, left);
    let fastest = rim.abs().max(length(forward, left)).max(W4::splat(CREEP));
    out.carrying.keep((W4::ONE - slide / fastest).max(W4::ZERO))
}
