//! Reports on vehicles and wheels, computed on request.
//!
//! Values are of two kinds, as in PhysX. *Persistent* ones are in the [`VehicleState`](crate::VehicleState),
//! saved and restored with it: spins and angles of the wheels, jounce, forces that warm-start the next step,
//! engine speed, gears, timers. Everything else here, and [`Vehicle::control`], is *of the last update only*:
//! after a state is restored, it is of the last update until the next one. Nothing has to be enabled, and only requested
//! reports cost time.

mod four;
mod vehicle;

use glam::Vec3;

use crate::base::lanes::{LANES, V3x4, W4};
use crate::contracts::ground::GroundHit;
use crate::params::Probe;
use crate::params::surface::SurfaceType;
use crate::stages::suspension::LEAST_INCIDENCE;
use crate::vehicle::Vehicle;
use crate::vehicle::pose::{self, WheelPose};

use four::Four;
pub use vehicle::{EngineReport, VehicleReport};

/// One wheel after an update; values are those of the last substep.
// In the order in which `Four` has its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelReport {
    /// Whether the wheel carries no load.
    pub in_air: bool,
    /// The hit of the wheel's probe, unless planes of an earlier step were used.
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
    /// Length of that line, to beyond full droop (`m`). Rays of the rows solver are longer by the distance that
    /// the wheel may approach the ground in a step.
    pub probe_length: f32,
    /// Direction of that line, of droop, unit (world axes).
    pub probe_direction: Vec3,
    /// Jounce (`m`), positive in compression; full droop in the air.
    pub jounce: f32,
    /// Jounce speed (`m/s`).
    pub jounce_speed: f32,
    /// Whether the strut is compressed beyond its stop; with the explicit solver in the substep whose stops act on
    /// the whole step.
    pub at_stop: bool,
    /// Steering angle with toe and compliance (`rad`), positive to the left.
    pub steer: f32,
    /// Camber (`rad`).
    pub camber: f32,
    /// Moment of the road on the wheel about its steering axis (`N·m`), positive to the left; 0 without a
    /// [steering wheel](crate::Drivetrain::steering_wheel).
    pub steering_moment: f32,
    /// Point of application of the suspension force, relative to the center of mass at the step's start (`m`, world axes):
    /// with the explicit solver at the application point of the parameters, with the rows solver where the ray
    /// meets the ground.
    pub suspension_point: Vec3,
    /// Suspension force along the ground's normal (`N`); what links carry is not in it.
    pub suspension_force: f32,
    /// Point of application of tire forces, relative to the center of mass (`m`, world axes), of wheels with links where the tire touches
    /// the ground; the lateral force at the height given by the roll influence.
    pub tire_point: Vec3,
    /// Tire load (`N`), filtered: what suspension and links press on the ground.
    pub load: f32,
    /// Height of the wheel's center over the ground (`m`): its radius, less what the tire gives under load if the wheel has an
    /// [unsprung mass](crate::params::WheelParams::unsprung).
    pub loaded_radius: f32,
    /// Mass on the tire at rest (`kg`).
    pub rest_mass: f32,
    /// Friction coefficient of tire on ground at this slip (–); with the rows solver, the forward one of a tire
    /// that provides its maximum forces.
    pub friction: f32,
    /// Lateral over longitudinal grip (–): the friction ellipse's half axes are `friction · load` along the wheel and
    /// `lateral_grip` times as much across it.
    pub lateral_grip: f32,
    /// Rolling direction in the ground plane, unit (world axes).
    pub longitudinal_direction: Vec3,
    /// Speed of the contact point along the rolling direction (`m/s`).
    pub forward_speed: f32,
    /// Lateral direction in the ground plane, to the left, unit (world axes).
    pub lateral_direction: Vec3,
    /// Speed of the contact point to the left (`m/s`).
    pub lateral_speed: f32,
    /// Longitudinal slip (–); 0 where the contact sticks.
    pub slip_ratio: f32,
    /// Slip angle (`rad`); 0 where the contact sticks.
    pub slip_angle: f32,
    /// Longitudinal tire force on the chassis (`N`).
    pub longitudinal_force: f32,
    /// Lateral tire force on the chassis (`N`), positive to the left.
    pub lateral_force: f32,
    /// Torque of the drivetrain on the wheel (`N·m`): its output of the differential, or its direct drive. Wheels that a
    /// lock couples pass torque on to one another besides.
    pub drive_torque: f32,
    /// Aligning moment (`N·m`), ISO-W: with the rows solver, the one on the chassis if the tire's moments act
    /// ([`Profile::tire_moments`](crate::Profile::tire_moments)); otherwise the law's.
    pub aligning_moment: f32,
    /// Overturning moment about the rolling direction (`N·m`), ISO-W: positive rolls to the right. Acts under
    /// the same conditions as the aligning moment.
    pub overturning_moment: f32,
    /// Rolling resistance moment (`N·m`), ≥ 0: friction on the spin, of the tire's law or of its
    /// [fit](crate::params::TireFit::rolling_resistance).
    pub rolling_resistance: f32,
    /// Used part of the available grip (–).
    pub grip_used: f32,
    /// How well the rim follows the ground (–), as in Bullet's `m_skidInfo`: 1 if the wheel rolls or stands, 0
    /// if all its motion is sliding (locked, spinning on the spot, sideways) or it is in the air. Below about 0.8
    /// a tire squeals.
    pub skid_info: f32,
    /// Whether the explicit solver's sticky row engaged along the rolling direction in this step (decided by its first
    /// substep); never with the rows solver, which has no such mode.
    pub sticks_longitudinally: bool,
    /// Whether the explicit solver's sticky row engaged laterally in this step; never with the rows solver.
    pub sticks_laterally: bool,
    /// Time that the wheel has stood still forward (`s`) (explicit solver; 0 with the rows solver).
    pub still_forward: f32,
    /// Time that the wheel has stood still laterally (`s`) (explicit solver; 0 with the rows solver).
    pub still_lateral: f32,
    /// Spin (`rad/s`).
    pub spin: f32,
    /// Displayed spin (`rad/s`).
    pub spin_shown: f32,
    /// Rotation angle (`rad`), within ±10π; within ±2π where
    /// [`ExplicitSettings::turns_once`](crate::profile::ExplicitSettings::turns_once) holds.
    pub angle: f32,
    /// Rotation in the last update (`rad`).
    pub turned: f32,
    /// The user value ([`Vehicle::set_user_value`]).
    pub user_value: u64,
}

impl Vehicle {
    /// Reports on wheel `wheel` after the last update.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel_report(&self, wheel: usize) -> WheelReport {
        self.assert_wheel(wheel);
        Four::new(self, wheel / LANES).report(wheel)
    }

    /// Reports on all wheels after the last update, in wheel order: for less than one by one.
    #[inline]
    pub fn wheel_reports(&self) -> impl Iterator<Item = WheelReport> {
        let mut four = Four::new(self, 0);
        (0..self.model().wheel_count()).map(move |wheel| {
            if wheel > 0 && wheel.is_multiple_of(LANES) {
                four = Four::new(self, wheel / LANES);
            }
            four.report(wheel)
        })
    }

    /// Steering angles of a group.
    #[inline]
    fn steer_angles(&self, group: usize) -> W4 {
        let angle = self.steering()[group].angle;
        match self.model().curves(group) {
            Some(curves) => {
                let jounce = self.outputs()[group].touch.jounce;
                angle + curves.toe(jounce, self.state().extras.bushing_forces(group))
            }
            None => angle,
        }
    }

    /// Whether no wheel carries load.
    #[must_use]
    pub(crate) fn is_in_air(&self) -> bool {
        !self.outputs().iter().any(|out| out.loaded.any())
    }

    /// Pose of wheel `wheel` relative to the vehicle's origin, after the last update.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel_pose(&self, wheel: usize) -> WheelPose {
        self.assert_wheel(wheel);
        self.poses_of(wheel / LANES)[wheel % LANES]
    }

    /// Poses of all wheels relative to the vehicle's origin, after the last update, in wheel order: four for hardly more than
    /// one.
    #[inline]
    pub fn wheel_poses(&self) -> impl Iterator<Item = WheelPose> {
        let mut four = self.poses_of(0);
        (0..self.model().wheel_count()).map(move |wheel| {
            if wheel > 0 && wheel.is_multiple_of(LANES) {
                four = self.poses_of(wheel / LANES);
            }
            four[wheel % LANES]
        })
    }

    /// The pose of wheel `wheel` without its rotation: for colliders, which are rotationally symmetric, so that those of
    /// a parked car do not move.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn unrolled_wheel_pose(&self, wheel: usize) -> WheelPose {
        self.assert_wheel(wheel);
        self.poses_at(wheel / LANES, W4::ZERO)[wheel % LANES]
    }

    fn assert_wheel(&self, wheel: usize) {
        assert!(wheel < self.model().wheel_count(), "no wheel {wheel}");
    }

    /// Poses of the wheels of a group.
    fn poses_of(&self, group: usize) -> [WheelPose; LANES] {
        self.poses_at(group, self.state().wheels[group].angle)
    }

    /// Poses of the wheels of a group at rotation angles (`rad`).
    #[inline]
    fn poses_at(&self, group: usize, angle: W4) -> [WheelPose; LANES] {
        let (k, out) = (&self.model().wheels()[group], &self.outputs()[group]);
        let jounce = out.touch.jounce + self.stop_deflection(group);
        let center = k.position - k.travel * jounce + self.wheel_shifts(group);
        pose::wheel_poses(center, self.steer_angles(group), out.camber, angle)
    }

    /// How far wheels that meet sections of the ground, and are shown on it, are pressed into their bump stops (`m`).
    #[inline]
    fn stop_deflection(&self, group: usize) -> W4 {
        if self.probe() != Probe::Sections {
            return W4::ZERO;
        }
        let touch = &self.outputs()[group].touch;
        let facing = (-touch.along).max(W4::splat(LEAST_INCIDENCE));
        touch.beyond_stop.max(W4::ZERO) / facing
    }

    /// How far travel and forces have moved the wheels of a group forward and aside (`m`, vehicle frame).
    #[inline]
    fn wheel_shifts(&self, group: usize) -> V3x4 {
        let rows = self.model().params().profile.rows();
        let Some(curves) = self.model().curves(group).filter(|_| rows.is_some()) else {
            return V3x4::ZERO;
        };
        let bushings = self
            .state()
            .extras
            .bushing_forces(group)
            .unwrap_or(&[W4::ZERO; 3]);
        curves.contact_offset(self.outputs()[group].touch.jounce, Some(bushings))
    }
}
