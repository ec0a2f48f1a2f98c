//! Whole cars, mostly on the rows solver, on planes, with an engine that only applies their motions.

mod absurd;
mod aids;
mod shafts;
mod coupled;
mod changing;
mod constrained;
mod driving;
mod extrapolated;
mod gravity;
mod hops;
mod links;
mod locked;
mod mirrored;
mod bushings;
mod moments;
mod beams;
mod products;
mod properties;
mod reported;
mod saved;
mod springs;
mod standing;
mod stateful;
mod struts;
mod traceless;
mod waking;
mod windy;

use core::f32::consts::PI;

use glam::{DVec3, Mat3, Quat};
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::base::checked::Inspector;
use crate::base::ids::MaterialId;
use crate::base::lanes::{LANES, W4};
use crate::contracts::drivetrain::{ClutchAccuracy, Drivetrain, EngineCoupling};
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::GroundMotion;
use crate::exchange::command::{CarCommand, Command};
use crate::exchange::state::{DriveState, WheelState};
use crate::exchange::step_error::StepError;
use crate::exchange::step_result::{Reaction, StepResult};
use crate::params::AntiRollBar;
use crate::params::profile::Solver;
use crate::{Checked, Profile, VehicleParams, inertia, math, testing};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

/// Brakes, steering and an engine of 0.5 kg·m² on all wheels, 8:1, behind a clutch that is dry or
/// viscous. Counts the time that the accelerator is pressed, in the autobox's field, and the substeps of
/// the explicit solver, in that of a change of gears.
#[derive(Debug)]
struct Geared {
    capacity: Option<f32>,
    /// Torque on each wheel, besides the engine's (`N·m`).
    direct: f32,
    /// Idle speed of the engine (`rad/s`).
    idle_speed: f32,
}

/// An engine and a clutch of so much capacity, or a viscous one.
fn geared(capacity: Option<f32>) -> Arc<Geared> {
    Arc::new(Geared {
        capacity,
        direct: 0.0,
        idle_speed: 0.0,
    })
}

impl Drivetrain for Geared {
    fn check(&self, _: usize, _: &mut Inspector) {}

    fn initial_state(&self) -> DriveState {
        DriveState::default()
    }

    fn control(
        &self,
        command: &Command,
        _: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        let Command::Car(car) = command else {
            return Err(StepError::WrongCommand { expected: "car" });
        };
        let share = 1.0 / (control.wheels.len() * LANES) as f32;
        for wheels in control.wheels.iter_mut() {
            wheels.brake = W4::splat(3000.0 * car.brake);
            wheels.drive = W4::splat(self.direct);
            wheels.torque_share = W4::splat(share);
            wheels.speed_share = W4::splat(share);
        }
        control.wheels[0].steer = W4::from_array([-0.6 * car.steer, -0.6 * car.steer, 0.0, 0.0]);
        control.throttle = car.throttle;
        control.coupling = Some(EngineCoupling {
            inertia: 0.5,
            idle_speed: self.idle_speed,
            idle_torque: 900.0,
            max_speed: 600.0,
            damping: 0.2,
            torque: 400.0 * car.throttle,
            friction: 20.0,
            ratio: 8.0,
            clutch: 10.0 * (1.0 - car.clutch),
            capacity: self.capacity.map(|most| most * (1.0 - car.clutch)),
            accuracy: ClutchAccuracy::Exact,
            throttle: car.throttle,
        });
        Ok(())
    }

    fn change_gears(
        &self,
        drive: &mut DriveState,
        _: &[WheelState],
        duration: f32,
        control: &mut Control,
    ) {
        drive.autobox_time += control.throttle * duration;
    }

    fn substep(&self, drive: &mut DriveState, duration: f32, _: &mut Control) {
        drive.switch_time += duration;
    }

    fn requests_motion(&self, command: &Command, _: &DriveState) -> bool {
        matches!(command, Command::Car(car) if car.throttle != 0.0 || car.steer != 0.0)
    }
}

fn params(change: impl FnOnce(&mut VehicleParams)) -> VehicleParams {
    let mut params = testing::four_wheeler();
    params.profile = Profile::DEFAULT;
    change(&mut params);
    params
}

fn model(params: VehicleParams, drivetrain: Arc<dyn Drivetrain>) -> Arc<VehicleModel> {
    let params = Checked::new(params).unwrap();
    Arc::new(VehicleModel::new(params, &testing::tires(), drivetrain).unwrap())
}

/// Three axles, 250 kg on each wheel; the last axle stands in a group of its own.
fn six_wheeler(p: &mut VehicleParams) {
    let pair = [p.wheels[2].clone(), p.wheels[3].clone()];
    p.wheels.extend(pair);
    for (n, wheel) in p.wheels.iter_mut().enumerate() {
        let x = 1.5 - 1.5 * (n / 2) as f32;
        wheel.position.x = x;
        wheel.suspension.application_point.x = x;
        wheel.tire.application_point.x = x;
        wheel.suspension.sprung_mass = 250.0;
    }
    p.anti_roll.push(AntiRollBar {
        wheels: [4, 5],
        stiffness: 10_000.0,
    });
}

/// One car over a plane through the origin.
#[derive(Clone)]
struct World {
    car: Vehicle,
    body: BodyState,
    normal: Vec3,
    friction: f32,
    /// Share of that friction under each wheel (–).
    grip: [f32; 6],
    /// How much higher the ground is under each wheel (`m`).
    bumps: [f32; 6],
    motion: Option<GroundMotion>,
    gravity: Vec3,
    command: CarCommand,
    last: StepResult,
}

impl World {
    /// A car at its design height over a plane that rises by `up` (`rad`) ahead and `left` (`rad`) to the
    /// left.
    fn new(model: &Arc<VehicleModel>, up: f32, left: f32) -> Self {
        let pitch = math::rotation_about(Vec3::NEG_Y, up);
        let rotation = math::compose(pitch, math::rotation_about(Vec3::X, left));
        let normal = math::matrix(rotation).z_axis;
        let chassis = &model.params().chassis;
        let wheel = &model.params().wheels[0];
        let height = wheel.radius - wheel.position.z;
        Self {
            car: Vehicle::new(Arc::clone(model), BodyId(7)),
            body: BodyState {
                position: (normal * height).as_dvec3(),
                rotation,
                mass: chassis.mass,
                inverse_inertia: inertia::inverse(chassis.inertia_tensor()),
                ..BodyState::BLANK
            },
            normal,
            friction: 1.0,
            grip: [1.0; 6],
            bumps: [0.0; 6],
            motion: None,
            gravity: GRAVITY,
            command: CarCommand {
                brake: 1.0,
                ..CarCommand::default()
            },
            last: StepResult::default(),
        }
    }

    fn hit(&self, wheel: usize, ray: &GroundRay) -> Option<GroundHit> {
        let normal = self.normal.as_dvec3();
        let height = normal.dot(ray.anchor + ray.offset.as_dvec3()) - f64::from(self.bumps[wheel]);
        let along = normal.dot(ray.direction.as_dvec3());
        let distance = -(height / along) as f32;
        (along < 0.0 && distance >= 0.0 && distance <= ray.length && ray.filter.layers != 0)
            .then_some(GroundHit {
                distance,
                normal: self.normal,
                material: MaterialId(0),
                body: self.motion.map(|_| BodyId(9)),
                collider: crate::ColliderId(0),
                triangle: None,
            })
    }

    fn probe(&mut self) {
        let blank = GroundRay {
            anchor: DVec3::ZERO,
            offset: Vec3::ZERO,
            direction: Vec3::ZERO,
            length: 0.0,
            filter: QueryFilter::except(BodyId(0)),
        };
        let mut rays = [blank; 6];
        let rays = &mut rays[..self.car.model().wheel_count()];
        self.car.plan_rays(&self.body, rays);
        let contacts: [Option<(Contact, Option<GroundMotion>)>; 6] =
            core::array::from_fn(|wheel| {
                let ray = rays.get(wheel)?;
                let hit = self.hit(wheel, ray)?;
                let friction = self.friction * self.grip[wheel];
                Some((Contact::new(ray, hit, friction), self.motion))
            });
        let take = |wheel: usize| contacts[wheel];
        self.car.take_contacts(self.body.position, take).unwrap();
    }

    fn update(&mut self, dt: f32) -> Result<StepResult, StepError> {
        self.probe();
        let command = Command::Car(self.command);
        self.car.update(&self.body, &command, self.gravity, dt)
    }

    /// Does to the body what the outcome says.
    fn apply(&mut self, outcome: &StepResult, dt: f32) {
        let body = &mut self.body;
        match outcome.motion_for(body.asleep) {
            Motion::Keep if body.asleep => return,
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => {
                body.asleep = false;
                body.linear_velocity = linear + (self.gravity - canceled_acceleration) * dt;
                body.angular_velocity = angular - canceled_angular_acceleration * dt;
            }
            Motion::Acceleration { linear, angular } => {
                body.asleep = false;
                body.linear_velocity += (linear + self.gravity) * dt;
                body.angular_velocity += angular * dt;
            }
            other => panic!("{other:?}"),
        }
        body.position += (body.linear_velocity * dt).as_dvec3();
        body.rotation = math::turn(body.rotation, body.angular_velocity, dt);
    }

    fn step(&mut self) {
        self.last = self.update(DT).unwrap();
        let outcome = self.last;
        self.apply(&outcome, DT);
    }

    fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / DT).round() as u32 {
            self.step();
        }
    }

    /// The true velocity, which the engine's lacks the carry of.
    fn velocity(&self) -> Vec3 {
        self.body.linear_velocity + self.car.state().carry.linear
    }

    /// Angle of the car against the ground (`rad`).
    fn tilt(&self) -> f32 {
        let up = math::matrix(self.body.rotation).z_axis;
        up.cross(self.normal).length()
    }

    fn forces(&self) -> Vec<f32> {
        let wheels = 0..self.car.model().wheel_count();
        wheels
            .map(|wheel| self.car.wheel_report(wheel).suspension_force)
            .collect()
    }
}
