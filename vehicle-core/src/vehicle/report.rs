//! Reports on vehicles and wheels, computed on request.
//!
//! Values are of two kinds, as in PhysX. *Persistent* ones are in the [`VehicleState`](crate::VehicleState),
//! saved and restored with it: spins and angles of the wheels, jounce, forces that warm-start the next step,
//! engine speed, gears, timers. Everything else here, [`Vehicle::outputs`], [`Vehicle::control`],
//! [`Vehicle::contacts`] and [`Vehicle::steering`] are *of the last update only*: after a state is restored,
//! they describe the last update until the next one. Nothing has to be enabled, and only requested reports cost
//! time.

mod vehicle;

use glam::{Vec2, Vec3};

use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::ground::GroundHit;
use crate::params::profile::Solver;
use crate::params::surface::SurfaceType;
use crate::stages::outputs::WheelOutputs;
use crate::stages::strut_curves::{Stance, Yielded};
use crate::vehicle::Vehicle;
use crate::vehicle::pose::{self, WheelPose};

pub use vehicle::{EngineReport, VehicleReport};

/// One wheel after an update; values are those of the last substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelReport {
    /// Whether the wheel carries no load.
    pub in_air: bool,
    /// What its probe hit, unless planes of an earlier step were used.
    pub ground: Option<GroundHit>,
    /// Point of that contact relative to the center of mass at the step's start (`m`, world axes); 0 without it.
    pub ground_point: Vec3,
    /// Surface type there; 0 without contact.
    pub surface: SurfaceType,
    /// Friction of the tire on it, without its dependence on slip (–); 0 without contact.
    pub ground_friction: f32,
    /// Start of the line along which it probes the ground, relative to the center of mass at the step's start
    /// (`m`, world axes): the top of the wheel at full compression.
    pub probe_start: Vec3,
    /// Direction of that line, of droop, unit (world axes).
    pub probe_direction: Vec3,
    /// Length of that line, to beyond full droop (`m`). Rays of the rows solver are longer by the distance that
    /// the wheel may approach the ground in a step.
    pub probe_length: f32,
    /// Where the suspension force acts, relative to the center of mass at the step's start (`m`, world axes):
    /// with the explicit solver at the application point of the parameters, with the rows solver where the ray
    /// meets the ground.
    pub suspension_point: Vec3,
    /// Where tire forces act, relative to the center of mass (`m`, world axes), of wheels with links where the tire touches
    /// the ground; the lateral force at the height given by the roll influence.
    pub tire_point: Vec3,
    /// Jounce (`m`), positive in compression; full droop in the air.
    pub jounce: f32,
    /// Rate of jounce (`m/s`).
    pub jounce_speed: f32,
    /// Whether the strut is compressed beyond its stop; with the explicit solver in the substep whose stops act on
    /// the whole step.
    pub at_stop: bool,
    /// Suspension force along the ground's normal (`N`); what links carry is not in it.
    pub suspension_force: f32,
    /// Tire load (`N`), filtered: what suspension and links press on the ground.
    pub load: f32,
    /// Mass on the tire at rest (`kg`).
    pub rest_mass: f32,
    /// Friction coefficient of tire on ground at this slip (–); with the rows solver, the forward one of a tire
    /// that provides its maximum forces.
    pub friction: f32,
    /// Rolling direction in the ground plane, unit (world axes).
    pub long_direction: Vec3,
    /// Lateral direction in the ground plane, to the left, unit (world axes).
    pub lat_direction: Vec3,
    /// Speed of the contact point along the rolling direction (`m/s`).
    pub forward_speed: f32,
    /// Speed of the contact point to the left (`m/s`).
    pub lateral_speed: f32,
    /// Longitudinal slip (–); 0 if held.
    pub slip_ratio: f32,
    /// Slip angle (`rad`); 0 if held.
    pub slip_angle: f32,
    /// Longitudinal tire force on the chassis (`N`).
    pub long_force: f32,
    /// Lateral tire force on the chassis (`N`), positive to the left.
    pub lat_force: f32,
    /// Torque of the drivetrain on the wheel (`N·m`): its output of the differential, or its direct drive. Wheels that a
    /// lock holds together pass torque on to one another besides.
    pub drive_torque: f32,
    /// Aligning moment (`N·m`), ISO-W: with the rows solver, the one on the chassis if the tire's moments act
    /// ([`Profile::tire_moments`](crate::Profile::tire_moments)); otherwise the law's.
    pub aligning_moment: f32,
    /// Overturning moment about the rolling direction (`N·m`), ISO-W: positive leans to the right. Acts under
    /// the same conditions as the aligning moment.
    pub overturning_moment: f32,
    /// Rolling resistance moment of the tire's law (`N·m`), ≥ 0: friction on the spin. Acts if the tire's
    /// moments do.
    pub rolling_resistance: f32,
    /// Used part of the available grip (–).
    pub grip_used: f32,
    /// How well the rim follows the ground (–), as in Bullet's `m_skidInfo`: 1 if the wheel rolls or stands, 0
    /// if all its motion is sliding (locked, spinning on the spot, sideways) or it is in the air. Below about 0.8
    /// a tire squeals.
    pub skid_info: f32,
    /// Steering angle with toe and compliance (`rad`), positive to the left.
    pub steer: f32,
    /// Camber (`rad`).
    pub camber: f32,
    /// Spin (`rad/s`).
    pub spin: f32,
    /// Displayed spin (`rad/s`).
    pub spin_shown: f32,
    /// Rotation angle (`rad`), within ±10π; within ±2π where
    /// [`ExplicitSettings::turns_once`](crate::profile::ExplicitSettings::turns_once) holds.
    pub angle: f32,
    /// Rotation in the last update (`rad`).
    pub turned: f32,
    /// Whether the explicit solver's low-speed hold engaged forward in this step (decided by its first
    /// substep); never with the rows solver, which has no such mode.
    pub held_forward: bool,
    /// The same laterally.
    pub held_sideways: bool,
    /// Time that the wheel has stood still forward (`s`) (explicit solver; 0 with the rows solver).
    pub still_forward: f32,
    /// Time that the wheel has stood still laterally (`s`) (explicit solver; 0 with the rows solver).
    pub still_sideways: f32,
    /// The user value ([`Vehicle::set_user_value`]).
    pub user_value: u64,
}

/// Below this speed (`m/s`), what slides counts as standing.
const CREEP: f32 = 0.05;

/// What is left of a wheel's motion without its sliding, with its rim at the speed `rim` (`m/s`).
///
/// ```text
/// 1 − |(rΩ − v_l, v_t)|/max(|rΩ|, |v|)
/// ```
fn skid_info(out: &WheelOutputs, lane: usize, rim: f32) -> f32 {
    if !out.carrying.lane(lane) {
        return 0.0;
    }
    let ground = Vec2::new(out.forward_speed.lane(lane), out.lateral_speed.lane(lane));
    let slide = (Vec2::new(rim, 0.0) - ground).length();
    let fastest = rim.abs().max(ground.length()).max(CREEP);
    (1.0 - slide / fastest).max(0.0)
}

impl Vehicle {
    /// Reports on wheel `wheel` after the last update.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel_report(&self, wheel: usize) -> WheelReport {
        assert!(wheel < self.kind().wheel_count(), "no wheel {wheel}");
        let (group, lane) = (wheel / LANES, wheel % LANES);
        let (k, out) = (&self.kind().wheels()[group], &self.outputs()[group]);
        let state = &self.state().wheels[group];
        let rotation = &self.last_matrix();
        let still = state.grip.explicit().still;
        let (long_force, lat_force) = (
            out.forces.longitudinal.lane(lane),
            out.forces.lateral.lane(lane),
        );
        let grip = out.friction.lane(lane) * out.load.lane(lane);
        let [suspension_point, tire_point] = self.force_points(wheel);
        let side_grip = out.side_grip.lane(lane);
        let across = if side_grip > 0.0 {
            lat_force / side_grip
        } else {
            0.0
        };
        let used = math::sqrt(long_force * long_force + across * across);
        let contact = self.contacts().get(wheel).copied().flatten();
        WheelReport {
            in_air: !out.carrying.lane(lane),
            ground: contact.map(|contact| contact.hit),
            ground_point: contact.map_or(Vec3::ZERO, |contact| contact.point),
            surface: contact.map_or(SurfaceType(0), |contact| contact.surface),
            ground_friction: contact.map_or(0.0, |contact| contact.friction),
            probe_start: *rotation * k.ray_start.lane(lane),
            probe_direction: *rotation * k.travel.lane(lane),
            probe_length: k.ray_length.lane(lane),
            suspension_point,
            tire_point,
            jounce: out.touch.jounce.lane(lane),
            jounce_speed: out.touch.jounce_speed.lane(lane),
            at_stop: out.touch.beyond_stop.lane(lane) > 0.0,
            suspension_force: out.suspension_force.lane(lane),
            load: out.load.lane(lane),
            rest_mass: k.rest_mass.lane(lane),
            friction: out.friction.lane(lane),
            long_direction: *rotation * out.axes.long.lane(lane),
            lat_direction: *rotation * out.axes.lat.lane(lane),
            forward_speed: out.forward_speed.lane(lane),
            lateral_speed: out.lateral_speed.lane(lane),
            slip_ratio: out.slip_ratio.lane(lane),
            slip_angle: math::atan(out.tan_slip_angle.lane(lane)),
            long_force,
            lat_force,
            drive_torque: self.drive_torque(group).lane(lane),
            aligning_moment: out.forces.aligning_moment.lane(lane),
            overturning_moment: out.forces.overturning_moment.lane(lane),
            rolling_resistance: out.forces.rolling_resistance.max(W4::ZERO).lane(lane),
            grip_used: if grip > 0.0 { used / grip } else { 0.0 },
            skid_info: skid_info(out, lane, k.radius.lane(lane) * state.spin.lane(lane)),
            steer: self.steer_angle(wheel),
            camber: out.camber.lane(lane),
            spin: state.spin.lane(lane),
            spin_shown: state.spin_shown.lane(lane),
            angle: state.angle.lane(lane),
            turned: self.turned()[group].lane(lane),
            held_forward: out.hold.forward.lane(lane),
            held_sideways: out.hold.sideways.lane(lane),
            still_forward: still[0].lane(lane),
            still_sideways: still[1].lane(lane),
            user_value: self.user_value(wheel),
        }
    }

    /// What the drivetrain turned a group's wheels with (`N·m`).
    fn drive_torque(&self, group: usize) -> W4 {
        let (control, wheels) = (self.control(), &self.control().wheels[group]);
        let geared = control.coupling.as_ref();
        let torque = geared.map_or(0.0, |engine| self.clutch_torque(engine) * engine.ratio);
        wheels.torque_share * W4::splat(torque) + wheels.drive
    }

    /// Steering and compliance of a group's wheels.
    fn stance<'a>(&'a self, group: usize, room: &'a mut Option<Yielded>) -> Stance<'a> {
        let jounce = self.outputs()[group].touch.jounce;
        let (k, curves) = (&self.kind().wheels()[group], self.kind().curves(group));
        Stance::new(k, curves, &self.steering()[group], jounce, room)
    }

    /// Where suspension and tire forces act (`m`, world axes, from the center of mass).
    fn force_points(&self, wheel: usize) -> [Vec3; 2] {
        let (group, lane) = (wheel / LANES, wheel % LANES);
        let mut room = None;
        let stance = self.stance(group, &mut room);
        let contact = self.outputs()[group].touch.bottom;
        let linked = self.kind().curves(group).is_some_and(|curves| curves.leads);
        let points = match self.kind().params().profile.solver {
            Solver::Rows(_) if linked => [contact; 2],
            Solver::Rows(_) => [contact, *stance.tire_point],
            Solver::Explicit(_) => [*stance.suspension_point, *stance.tire_point],
        };
        points.map(|point| self.last_matrix() * point.lane(lane))
    }

    /// Steering angle of a wheel after the last update (`rad`), positive to the left, with toe and compliance.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn steer_angle(&self, wheel: usize) -> f32 {
        let (group, lane) = (wheel / LANES, wheel % LANES);
        let jounce = self.outputs()[group].touch.jounce;
        let curves = self.kind().curves(group);
        let yielded = curves.map_or(W4::ZERO, |curves| curves.toe(jounce));
        (self.steering()[group].angle + yielded).lane(lane)
    }

    /// Whether no wheel carries load.
    #[must_use]
    pub fn is_in_air(&self) -> bool {
        !self.outputs().iter().any(|out| out.carrying.any())
    }

    /// Pose of wheel `wheel` relative to the vehicle's origin, after the last update.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel_pose(&self, wheel: usize) -> WheelPose {
        let angle = self.state().wheels[wheel / LANES].angle;
        self.wheel_pose_at(wheel, angle.lane(wheel % LANES))
    }

    /// The same without the wheel's rotation: for colliders, which are rotationally symmetric, so that those of
    /// a parked car do not move.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn unrolled_wheel_pose(&self, wheel: usize) -> WheelPose {
        self.wheel_pose_at(wheel, 0.0)
    }

    fn wheel_pose_at(&self, wheel: usize, angle: f32) -> WheelPose {
        let (group, lane) = (wheel / LANES, wheel % LANES);
        let out = &self.outputs()[group];
        pose::wheel_pose(
            self.kind(),
            wheel,
            out.touch.jounce.lane(lane),
            self.steer_angle(wheel),
            out.camber.lane(lane),
            angle,
        )
    }
}
