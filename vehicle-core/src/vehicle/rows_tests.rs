//! Whole cars on the rows solver, on planes, in the hands of an engine that only does as it is told.

use core::f32::consts::PI;

use glam::{DVec3, Mat3, Quat};
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::checked::Inspector;
use crate::command::{CarCommand, CommandFault};
use crate::drivetrain::{ClutchAccuracy, Drivetrain, EngineCoupling, EngineLaw, Tick};
use crate::lanes::W4;
use crate::params::AntiRollBar;
use crate::rigid_bodies::GroundMotion;
use crate::scene_query::{GroundHit, GroundRay, MaterialId};
use crate::state::{DriveState, WheelState};
use crate::{Checked, Profile, VehicleParams, math, testing};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

/// Brakes, steering and an engine of 0.5 kg·m² on all wheels, 8:1, behind a clutch that is dry or
/// viscous.
#[derive(Debug)]
struct Geared {
    capacity: Option<f32>,
    /// Torque on each wheel, besides the engine's [N·m].
    direct: f32,
}

/// An engine and a clutch of so much capacity, or a viscous one.
fn geared(capacity: Option<f32>) -> Arc<Geared> {
    Arc::new(Geared {
        capacity,
        direct: 0.0,
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
    ) -> Result<(), CommandFault> {
        let Command::Car(car) = command else {
            return Err(CommandFault::WrongKind { expected: "car" });
        };
        let share = 1.0 / (control.wheels.count() * LANES) as f32;
        for wheels in control.wheels.iter_mut() {
            wheels.brake = W4::splat(3000.0 * car.brake);
            wheels.drive = W4::splat(self.direct);
            wheels.torque_share = W4::splat(share);
            wheels.speed_share = W4::splat(share);
        }
        control.wheels[0].steer = W4::from_array([-0.6 * car.steer, -0.6 * car.steer, 0.0, 0.0]);
        control.coupling = Some(EngineCoupling {
            engine: EngineLaw {
                inertia: 0.5,
                max_speed: 600.0,
                damping: 0.2,
                torque: 400.0 * car.throttle,
                friction: 20.0,
            },
            ratio: 8.0,
            clutch: 10.0 * (1.0 - car.clutch),
            capacity: self.capacity.map(|most| most * (1.0 - car.clutch)),
            accuracy: ClutchAccuracy::Exact,
            throttle: car.throttle,
        });
        Ok(())
    }

    fn shift(&self, _: &mut DriveState, _: Tick, _: &mut Control) {}

    fn shares(&self, _: &DriveState, _: &Groups<WheelState>, _: &mut Control) {}

    fn wants_motion(&self, command: &Command, _: &DriveState) -> bool {
        matches!(command, Command::Car(car) if car.throttle != 0.0 || car.steer != 0.0)
    }
}

fn params(change: impl FnOnce(&mut VehicleParams)) -> VehicleParams {
    let mut params = testing::four_wheeler();
    params.profile = Profile::DEFAULT;
    change(&mut params);
    params
}

fn kind(params: VehicleParams, drivetrain: Arc<dyn Drivetrain>) -> Arc<VehicleKind> {
    let params = Checked::new(params).unwrap();
    Arc::new(VehicleKind::new(params, &testing::tires(), drivetrain).unwrap())
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
    /// How much higher the ground is under each wheel [m].
    bumps: [f32; 6],
    motion: Option<GroundMotion>,
    command: CarCommand,
    last: Outcome,
}

impl World {
    /// A car at its design height over a plane that rises by `up` [rad] ahead and `left` [rad] to the
    /// left.
    fn new(kind: &Arc<VehicleKind>, up: f32, left: f32) -> Self {
        let pitch = math::rotation_about(Vec3::NEG_Y, up);
        let rotation = math::compose(pitch, math::rotation_about(Vec3::X, left));
        let normal = math::matrix(rotation).z_axis;
        let inertia = kind.params().chassis.inertia;
        Self {
            car: Vehicle::new(Arc::clone(kind), BodyId(7)),
            body: BodyState {
                position: (normal * 1.65).as_dvec3(),
                rotation,
                mass: kind.params().chassis.mass,
                inverse_inertia: Mat3::from_diagonal(Vec3::ONE / inertia),
                ..BodyState::BLANK
            },
            normal,
            friction: 1.0,
            bumps: [0.0; 6],
            motion: None,
            command: CarCommand {
                brake: 1.0,
                ..CarCommand::default()
            },
            last: Outcome::default(),
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
        let rays = &mut rays[..self.car.kind().wheel_count()];
        self.car.plan_rays(&self.body, rays);
        let contacts: [Option<Contact>; 6] = core::array::from_fn(|wheel| {
            let ray = rays.get(wheel)?;
            let hit = self.hit(wheel, ray)?;
            Some(Contact::new(ray, hit, self.friction, self.motion))
        });
        let take = |wheel: usize| contacts[wheel];
        self.car.take_contacts(self.body.position, take).unwrap();
    }

    fn update(&mut self, dt: f32) -> Result<Outcome, Refused> {
        self.probe();
        let command = Command::Car(self.command);
        self.car.update(&self.body, &command, GRAVITY, dt)
    }

    /// Does to the body what the outcome says.
    fn apply(&mut self, outcome: &Outcome, dt: f32) {
        let body = &mut self.body;
        match outcome.motion_for(body.asleep) {
            Motion::Keep if body.asleep => return,
            Motion::StepMotion {
                linear,
                angular,
                carried_gravity,
            } => {
                body.asleep = false;
                body.linear_velocity = linear + (GRAVITY - carried_gravity) * dt;
                body.angular_velocity = angular;
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

    /// Angle of the car against the ground [rad].
    fn lean(&self) -> f32 {
        let up = math::matrix(self.body.rotation).z_axis;
        up.cross(self.normal).length()
    }

    fn forces(&self) -> Vec<f32> {
        let wheels = 0..self.car.kind().wheel_count();
        wheels
            .map(|wheel| self.car.wheel_report(wheel).suspension_force)
            .collect()
    }
}

/// 20° [rad].
const STEEP: f32 = PI / 9.0;

#[rstest]
#[case::four_up(false, STEEP, 0.0)]
#[case::six_up(true, STEEP, 0.0)]
#[case::six_down(true, -STEEP, 0.0)]
#[case::six_across(true, 0.0, STEEP)]
#[case::six_askew(true, 0.2, 0.2)]
fn a_braked_car_stands_on_a_slope(#[case] six: bool, #[case] up: f32, #[case] left: f32) {
    let change = |p: &mut VehicleParams| {
        if six {
            six_wheeler(p);
        }
    };
    let kind = kind(params(change), testing::no_drive());
    let mut world = World::new(&kind, up, left);
    world.run(2.0);
    let settled = world.body.position;
    world.run(5.0);
    let drift = (world.body.position - settled).length();
    // What HOLDING §5 shows is 0.03 mm, of settling.
    assert!(drift < 0.5e-3, "{drift}");
    let carried: f32 = world.forces().iter().sum();
    let weight = 1500.0 * 9.81 * world.normal.z;
    assert!((carried - weight).abs() < 1e-3 * weight, "{carried}");
}

#[test]
fn a_car_set_down_on_a_slope_stays_where_it_is() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, STEEP, 0.0);
    world.run(2.0);
    let ahead = Vec3::new(STEEP.cos(), 0.0, STEEP.sin());
    let down = -(world.body.position.as_vec3() - world.normal * 1.65).dot(ahead);
    // Carcasses yield 0.4 mm at a third of their grip; the rest is springs that pitch the car.
    assert!(down > 0.3e-3 && down < 3e-3, "{down}");
}

#[test]
fn without_brakes_it_does_not() {
    let kind = kind(params(six_wheeler), testing::no_drive());
    let mut world = World::new(&kind, STEEP, 0.0);
    world.command.brake = 0.0;
    world.run(2.0);
    // Six wheels of 2.5 kg·m² on 0.5 m weigh 60 kg more; bearings take 6 kg/s.
    let (m, damping) = (1560.0, 6.0);
    let pull = 1500.0 * 9.81 * STEEP.sin();
    let expected = pull / damping * (1.0 - (-damping / m * 2.0f32).exp());
    let speed = world.velocity().length();
    // The springs settle meanwhile.
    assert!(
        (speed - expected).abs() < 5e-3 * expected,
        "{speed} {expected}"
    );
}

// Four struts of 35 kN/m on 1.05 m, with bars of 10 kN/m on each axle or without.
#[rstest]
#[case::without(false, 0.0)]
#[case::with(false, 10_000.0)]
#[case::with_stiff(false, 40_000.0)]
#[case::six_without(true, 0.0)]
#[case::six_with(true, 10_000.0)]
fn a_car_leans_as_springs_and_bars_let_it(#[case] six: bool, #[case] bar: f32) {
    let change = |p: &mut VehicleParams| {
        if six {
            six_wheeler(p);
        }
        p.anti_roll.iter_mut().for_each(|b| b.stiffness = bar);
    };
    let kind = kind(params(change), testing::no_drive());
    let tilt = 0.1f32;
    let mut world = World::new(&kind, 0.0, tilt);
    world.run(4.0);
    let axles = if six { 3.0 } else { 2.0 };
    let track = 1.05 * 1.05;
    let stiffness = axles * track * (2.0 * 35_000.0 + 4.0 * bar);
    // Tires pull 0.3 m below the centre of mass; as the car leans, its weight moves over wheels
    // 1.65 m below.
    let weight = 1500.0 * 9.81;
    let expected = 0.3 * weight * tilt.sin() / (stiffness - 1.65 * weight * tilt.cos());
    let lean = world.lean();
    // Of second order in angles of up to 0.1.
    assert!(
        (lean - expected).abs() < 0.02 * expected,
        "{lean} {expected}"
    );
}

#[test]
fn a_bar_lifts_a_wheel_off_the_ground() {
    let raised = |bar: f32| {
        let change = |p: &mut VehicleParams| p.anti_roll[1].stiffness = bar;
        let kind = kind(params(change), testing::no_drive());
        let mut world = World::new(&kind, 0.0, 0.0);
        // The light axle: the heavy one keeps the car from leaning with it.
        world.bumps[2] = 0.2;
        world.run(4.0);
        world
    };
    let (soft, stiff) = (raised(0.0), raised(200_000.0));
    assert!(soft.forces()[3] > 500.0);
    let forces = stiff.forces();
    let (touched, lifted) = (stiff.car.contacts()[3].unwrap(), stiff.car.wheel_report(3));
    assert!(lifted.in_air && forces[3] == 0.0, "{forces:?}");
    // There is ground within the reach of its spring.
    let reach = 2.0 * 0.5 + 0.3 + 0.1;
    assert!(touched.hit.distance < reach - 0.02, "{touched:?}");
    let carried: f32 = forces.iter().sum();
    assert!((carried - 1500.0 * 9.81).abs() < 15.0, "{forces:?}");
}

#[test]
fn a_disabled_wheel_carries_nothing() {
    let change = |p: &mut VehicleParams| {
        six_wheeler(p);
        p.anti_roll.remove(1);
        for n in [2, 3] {
            p.wheels[n].enabled = false;
        }
        for n in [0, 1, 4, 5] {
            p.wheels[n].suspension.sprung_mass = 375.0;
        }
    };
    let kind = kind(params(change), testing::no_drive());
    let mut world = World::new(&kind, 0.1, 0.0);
    world.run(2.0);
    let (forces, place) = (world.forces(), world.body.position);
    assert_eq!(forces[2..4], [0.0, 0.0]);
    assert!(world.car.wheel_report(3).in_air);
    let weight = 1500.0 * 9.81 * 0.1f32.cos();
    let carried: f32 = forces.iter().sum();
    assert!((carried - weight).abs() < 1e-3 * weight, "{forces:?}");
    world.run(2.0);
    let drift = (world.body.position - place).length();
    assert!(drift < 0.2e-3, "{drift}");
}

#[test]
fn on_no_friction_it_slides_like_a_stone() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, STEEP, 0.0);
    world.friction = 0.0;
    world.run(2.0);
    let downhill = Vec3::new(-STEEP.cos(), 0.0, -STEEP.sin());
    let speed = world.velocity().dot(downhill);
    let expected = 9.81 * STEEP.sin() * 2.0;
    // 120 steps, each rounded at 6.7 m/s.
    assert!((speed - expected).abs() < 1e-3, "{speed} {expected}");
    for wheel in 0..4 {
        let report = world.car.wheel_report(wheel);
        assert_eq!([report.spin, report.long_force, report.lat_force], [0.0; 3]);
    }
}

#[test]
fn in_the_air_it_follows_its_parabola() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, 0.0, 0.0);
    world.body.position.z = 50.0;
    world.body.linear_velocity = Vec3::new(7.0, 0.0, 3.0);
    world.run(2.0);
    let place = world.body.position;
    // In the first step nobody knows what the engine does besides; so gravity is left to it, and it
    // moves by the velocity at the end, not by the mean: ½·g·dt² deeper.
    let fallen = 0.5 * 9.81 * (2.0 * 2.0 + DT * DT);
    let expected = DVec3::new(14.0, 0.0, f64::from(50.0 + 6.0 - fallen));
    assert!((place - expected).length() < 1e-4, "{place}");
    assert!(world.car.is_in_air());
}

#[test]
fn the_ground_feels_the_weight() {
    let kind = kind(params(six_wheeler), testing::no_drive());
    let mut world = World::new(&kind, 0.1, 0.0);
    world.motion = Some(GroundMotion {
        position: DVec3::ZERO,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        mass: Some(1e6),
    });
    world.run(3.0);
    let push: Vec3 = world.car.reactions().map(|reaction| reaction.force).sum();
    let weight = 1500.0 * 9.81;
    assert!((push - GRAVITY * 1500.0).length() < 1e-3 * weight, "{push}");
    assert_eq!(world.car.reactions().count(), 6);
    // The mean of three substeps is no other.
    world.update(3.0 * DT).unwrap();
    let push: Vec3 = world.car.reactions().map(|reaction| reaction.force).sum();
    assert!((push - GRAVITY * 1500.0).length() < 1e-3 * weight, "{push}");
}

#[test]
fn a_car_at_rest_sleeps_until_its_brake_is_released() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, STEEP, 0.0);
    world.run(1.0);
    assert!(!world.last.wake, "at rest it lets itself be put to sleep");
    world.body.asleep = true;
    world.body.linear_velocity = Vec3::ZERO;
    world.body.angular_velocity = Vec3::ZERO;
    let before = world.car.state().clone();
    let place = world.body;
    for _ in 0..60 {
        world.step();
        assert_eq!(world.last, Outcome::default());
    }
    assert_eq!(world.body, place);
    let mut state = world.car.state().clone();
    assert_eq!(state.handover.duration, 0.0);
    state.handover.duration = before.handover.duration;
    // Where it is and what is under it was probed after the step that `before` was left by.
    state.position = before.position;
    state.wheels[0].ground_height = before.wheels[0].ground_height;
    assert_eq!(state, before, "nothing else changed");
    world.command.brake = 0.0;
    world.step();
    assert!(world.last.wake && !world.body.asleep);
    world.run(0.5 - DT);
    // As without_brakes_it_does_not has it, with four wheels: 40 kg of spin, 4 kg/s. The tires'
    // carcass gives back what it held with: 1 mm at full grip.
    let pull = 1500.0 * 9.81 * STEEP.sin();
    let expected = pull / 1540.0 * 0.5;
    let speed = world.velocity().length();
    assert!(
        (speed - expected).abs() < 0.02 * expected,
        "{speed} {expected}"
    );
}

#[test]
fn woken_by_others_a_held_car_goes_on_standing() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, STEEP, 0.0);
    world.run(2.0);
    world.body.asleep = true;
    world.run(0.5);
    let place = world.body.position;
    world.body.asleep = false;
    world.run(2.0);
    let drift = (world.body.position - place).length();
    assert!(drift < 0.1e-3, "{drift}");
}

#[rstest]
#[case::dry(Some(400.0))]
#[case::viscous(None)]
fn a_clone_of_the_state_steps_to_the_same_bits(#[case] capacity: Option<f32>) {
    let kind = kind(params(six_wheeler), geared(capacity));
    let mut world = World::new(&kind, 0.05, 0.02);
    world.command = CarCommand {
        throttle: 0.8,
        steer: 0.3,
        ..CarCommand::default()
    };
    world.run(1.5);
    assert!(world.velocity().length() > 1.0, "it drives");
    // Only the state is saved, and comes into a vehicle that knows nothing.
    let mut again = world.clone();
    again.car = Vehicle::new(Arc::clone(&kind), BodyId(7));
    *again.car.state_mut() = world.car.state().clone();
    for n in 0..120 {
        if n == 60 {
            world.command.brake = 1.0;
            again.command.brake = 1.0;
        }
        world.step();
        again.step();
        assert_eq!(world.last, again.last, "step {n}");
        assert_eq!(world.car.state(), again.car.state(), "step {n}");
        assert_eq!(world.body, again.body, "step {n}");
    }
}

#[test]
fn an_engine_pulls_a_car_as_its_torque_says() {
    let kind = kind(params(|_| ()), geared(Some(1e4)));
    let mut world = World::new(&kind, 0.0, 0.0);
    world.command = CarCommand {
        throttle: 0.5,
        ..CarCommand::default()
    };
    world.run(1.0);
    let (before, place) = (world.velocity().x, world.body.position.x);
    world.run(0.5);
    // 200 N·m less 20 of friction and 0.2 N·m·s of damping at the engine, 8:1 on wheels of 0.5 m;
    // the engine weighs 0.5·(8/0.5)² = 128 kg, wheels 40 kg, bearings take 4 kg/s.
    let mean = (world.body.position.x - place) as f32 / 0.5;
    let (engine, gear) = (200.0 - 20.0, 8.0 / 0.5);
    let force = gear * (engine - 0.2 * gear * mean) - 4.0 * mean;
    let expected = force / (1500.0 + 128.0 + 40.0);
    let found = (world.velocity().x - before) / 0.5;
    // Tires slip by a percent or two, which costs damping and some of the gain in speed.
    assert!(
        (found - expected).abs() < 0.02 * expected,
        "{found} {expected}"
    );
}

#[test]
fn stuck_plates_turn_with_the_wheels() {
    let kind = kind(params(|_| ()), geared(Some(1e4)));
    let mut world = World::new(&kind, 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(0.5);
    let mut worst = 0.0f32;
    for n in 0..60 {
        world.command.throttle = if n / 6 % 2 == 0 { 1.0 } else { 0.0 };
        world.step();
        let state = world.car.state();
        let apart = state.drive.engine_speed - 8.0 * 0.25 * state.wheels[0].spin.sum();
        worst = worst.max(apart.abs());
    }
    // The clutch is solved before the wheels' last sweep, which moves their spins by a little: by
    // 0.035 rad/s of 100 here, by 0.14 if it took each wheel to push the chassis alone.
    assert!(worst < 0.07, "{worst}");
}

#[test]
fn a_circle_costs_the_same_at_every_rate() {
    let speed_at = |rate: u32| {
        let change = |p: &mut VehicleParams| p.profile.rows.max_substep = 1.0;
        let kind = kind(params(change), geared(Some(0.0)));
        let mut world = World::new(&kind, 0.0, 0.0);
        world.command = CarCommand {
            steer: 0.3,
            ..CarCommand::default()
        };
        world.body.linear_velocity = Vec3::X * 8.0;
        world.car.state_mut().wheels[0].spin = W4::splat(16.0);
        let dt = 1.0 / rate as f32;
        for _ in 0..4 * rate {
            let outcome = world.update(dt).unwrap();
            world.apply(&outcome, dt);
        }
        world.velocity().length()
    };
    let fine = speed_at(240);
    for rate in [30, 60] {
        // 1 % if wheels swung by a whole substep.
        let off = speed_at(rate) / fine - 1.0;
        assert!(off.abs() < 1e-3, "{rate} {off}");
    }
}

#[test]
fn torques_on_wheels_drive_it() {
    let drive = Geared {
        capacity: Some(0.0),
        direct: 200.0,
    };
    let kind = kind(params(|_| ()), Arc::new(drive));
    let mut world = World::new(&kind, 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(1.0);
    // 1600 N on 1540 kg, less 4 kg/s of bearings.
    let expected = 1600.0 / 4.0 * (1.0 - (-4.0f32 / 1540.0).exp());
    let found = world.velocity().x;
    // Wheels turn faster than the car by a slip of 1600/(10·14715) = 1.1 %, for which 40 kg of
    // theirs take 0.03 % of the speed.
    assert!(
        (found - expected).abs() < 2e-3 * expected,
        "{found} {expected}"
    );
}

/// A number of any magnitude from 10^`low` to 10^`high`, of either sign.
fn any_size(low: f32, high: f32) -> impl Strategy<Value = f32> {
    (low..high, any::<bool>()).prop_map(|(size, positive)| {
        let size = 10f32.powf(size);
        if positive { size } else { -size }
    })
}

fn any_speed(most: f32) -> impl Strategy<Value = Vec3> {
    let one = move || prop_oneof![Just(0.0f32), any_size(-3.0, most)];
    (one(), one(), one()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn any_rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1f32..1.0)
        .prop_map(|[x, y, z, w]| math::unit(Quat::from_xyzw(x, y, z, w)))
}

fn any_command() -> impl Strategy<Value = CarCommand> {
    let pedal = || prop_oneof![Just(0.0f32), Just(1.0), 0f32..1.0];
    (pedal(), pedal(), pedal(), -1f32..1.0).prop_map(|(throttle, brake, clutch, steer)| {
        CarCommand {
            throttle,
            brake,
            clutch,
            steer,
            ..CarCommand::default()
        }
    })
}

/// Whether all that a car says and remembers is finite.
fn is_sound(car: &Vehicle) -> bool {
    let state = car.state();
    let wheels = (0..car.kind().wheel_count()).map(|n| car.wheel_report(n));
    let finite = |w: &WheelState| {
        [
            w.spin,
            w.angle,
            w.jounce,
            w.carcass_forward,
            w.carcass_left,
            w.normal_force,
            w.forward_force,
            w.left_force,
        ]
        .iter()
        .all(|x| x.is_finite())
    };
    state.wheels.iter().all(finite)
        && state.drive.engine_speed >= 0.0
        && state.drive.engine_speed.is_finite()
        && state.drive.clutch_torque.is_finite()
        && [state.carry, state.handover.push, state.handover.astray]
            .iter()
            .all(Velocity::is_finite)
        && wheels
            .map(|report| report.spin + report.load + report.long_force + report.lat_force)
            .all(f32::is_finite)
}

proptest! {
    /// Anything that may happen in a game: crashes, tumbling, falls. Never refused, always finite,
    /// over some steps.
    #[test]
    fn any_motion_leads_to_finite_motion(
        height in 0.2f64..3.0, rotation in any_rotation(), upright in any::<bool>(),
        linear in any_speed(2.0), angular in any_speed(1.0), spin in any_size(-1.0, 2.7),
        engine in 0f32..700.0, command in any_command(), dry in any::<bool>(),
        six in any::<bool>(), friction in prop_oneof![Just(0.0f32), 0f32..2.0],
    ) {
        let change = |p: &mut VehicleParams| if six { six_wheeler(p) };
        let capacity = dry.then_some(500.0);
        let kind = kind(params(change), geared(capacity));
        let mut world = World::new(&kind, 0.1, 0.1);
        world.body.position = (world.normal.as_dvec3()) * height;
        if !upright {
            world.body.rotation = rotation;
        }
        (world.body.linear_velocity, world.body.angular_velocity) = (linear, angular);
        (world.command, world.friction) = (command, friction);
        for wheels in world.car.state_mut().wheels.iter_mut() {
            wheels.spin = W4::splat(spin);
        }
        world.car.state_mut().drive.engine_speed = engine;
        for _ in 0..6 {
            let outcome = world.update(DT);
            prop_assert!(outcome.is_ok(), "{outcome:?}");
            let outcome = outcome.unwrap();
            prop_assert!(outcome.motion.is_finite() && is_sound(&world.car), "{outcome:?}");
            for report in (0..kind.wheel_count()).map(|n| world.car.wheel_report(n)) {
                let (along, across) = (report.long_force, report.lat_force);
                let grip = friction * report.load;
                prop_assert!(report.suspension_force >= 0.0);
                prop_assert!(along.hypot(across) <= grip * 1.00001 + 1e-3, "{report:?}");
            }
            world.apply(&outcome, DT);
        }
    }

    /// Far beyond: finite, or refused and put to rest.
    #[test]
    fn the_absurd_is_finite_or_refused(
        dt in (-4f32..0.0).prop_map(|size| 10f32.powf(size)),
        mass in any_size(-3.0, 9.0), inertia in any_size(-3.0, 9.0),
        linear in any_speed(20.0), angular in any_speed(20.0), spin in any_size(-1.0, 20.0),
        height in 0.2f64..3.0, rotation in any_rotation(), command in any_command(),
        dry in any::<bool>(), carry in any_speed(20.0), force in any_size(0.0, 20.0),
    ) {
        let capacity = dry.then_some(500.0);
        let kind = kind(params(|_| ()), geared(capacity));
        let mut world = World::new(&kind, 0.0, 0.0);
        world.body.position.z = height;
        world.body.rotation = rotation;
        world.body.mass = mass.abs();
        world.body.inverse_inertia = Mat3::from_diagonal(Vec3::splat(1.0 / inertia.abs()));
        (world.body.linear_velocity, world.body.angular_velocity) = (linear, angular);
        world.command = command;
        let state = world.car.state_mut();
        state.carry.linear = carry;
        state.wheels[0].spin = W4::splat(spin);
        state.wheels[0].normal_force = W4::splat(force.abs());
        for _ in 0..4 {
            match world.update(dt) {
                Ok(outcome) => {
                    prop_assert!(outcome.motion.is_finite(), "{outcome:?}");
                    prop_assert!(is_sound(&world.car), "{:?}", world.car.state());
                    world.apply(&outcome, dt);
                }
                Err(refused) => {
                    prop_assert_eq!(refused, Refused::Overflow);
                    let rest = VehicleState::at_rest(4, DriveState::default());
                    prop_assert_eq!(world.car.state(), &rest);
                }
            }
            // What an engine does with numbers beyond its range is its own affair.
            let body = &world.body;
            let held = body.position.is_finite() && body.rotation.is_finite();
            let moves = body.linear_velocity.is_finite() && body.angular_velocity.is_finite();
            let near = body.position.abs().max_element() < 1e7;
            if !(held && moves && near) {
                break;
            }
        }
    }
}

#[test]
fn forces_beyond_all_range_are_refused() {
    let kind = kind(params(|_| ()), testing::no_drive());
    let mut world = World::new(&kind, 0.0, 0.0);
    world.body.position.z = 0.2;
    world.body.rotation = Quat::from_xyzw(0.0, 0.451_034_43, 0.892_506_54, 0.0);
    world.body.mass = 202_565.19;
    world.body.inverse_inertia = Mat3::from_diagonal(Vec3::splat(1.0 / 12_443_405.0));
    world.body.linear_velocity.z = -4.569_275e34;
    let outcome = world.update(0.000_493_426_3);
    assert!(
        outcome.is_err() || is_sound(&world.car),
        "{:?}",
        world.car.state().wheels
    );
}
