//! A quarter car at 60 Hz, on the rows solver: one wheel under a mass that does not rotate.
//!
//! The explicit solver is not used: there, a light wheel's behavior at 60 Hz is due to the solver,
//! as in `PhysX`.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::lanes::W4;
use jounce::core::{
    Air, Axis, CarCommand, Checked, Command, Environment, Surfaces, Vehicle, VehicleModel, step,
};
use jounce::document::{Models, Registries};
use jounce::file::Car;
use jounce::scene::{BodyDesc, Plane, Standalone};
use proving_ground::stage::{FREE, GRAVITY, steps};

use super::{LawCase, LawUnderTest};
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [LawCase; 2] = [
    LawCase {
        name: "at 60 Hz a quarter car never becomes faster than it was",
        measures: "speed over that of the start, less 1 [−]",
        bound: 1e-3,
        run: slows_down,
    },
    LawCase {
        name: "at 60 Hz a braked quarter car comes to rest and stays there",
        measures: "way within the last 2 s [mm]",
        bound: 0.1,
        run: stays,
    },
];

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Speeds forward and to the left at the start (`m/s`).
const STARTS: [[f32; 2]; 3] = [[20.0, 1.5], [-8.0, 1.0], [5.0, -5.0]];
/// Rolling time, and braking time after that (`s`).
const ROLLS: f32 = 0.5;
const BRAKES: f32 = 8.0;
/// Time by which the quarter car must stand still (`s`).
const STANDS: f32 = 2.0;

/// Vehicle file of the quarter car, with a wheel that carries `load` (`N`) on springs of 1.5 Hz.
fn file(subject: &LawUnderTest<'_>) -> String {
    let (radius, load) = (subject.declared.radius, subject.declared.load);
    let mass = load / -GRAVITY.z;
    let rate = core::f32::consts::TAU * 1.5;
    let (stiffness, damping) = (mass * rate * rate, 0.6 * mass * rate);
    format!(
        "schema = 2\nname = 'quarter-car'\nsolver = 'rows'\nprofile = 'default'\n\
         [chassis]\nmass = {mass:?}\ninertia = [1e9, 1e9, 1e9]\n\
         center_of_mass = [0.0, 0.0, {radius:?}]\n\
         hull = {{ size = [1.0, 1.0, 0.5], center = [0.0, 0.0, 1.0] }}\n\
         [[axles]]\nname = 'wheel'\nx = 0.0\nwheels = 1\nradius = {radius:?}\nwidth = 0.2\n\
         mass = {:?}\ndamping = 0.1\n\
         suspension = {{ stiffness = {stiffness:?}, damping = {damping:?}, \
         max_compression = 0.1, max_droop = 0.1, force_height = {radius:?} }}\n\
         tire = {{ model = 'any', force_height = {radius:?} }}\n\
         brakes = {{ max_torque = {:?}, max_handbrake_torque = 0.0 }}\n\
         [tires.any]\nmodel = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
         camber_stiffness = 0.0\ntrail = 0.0\n\
         [drivetrain]\nmodel = 'direct'\nmax_torques = [0.0]\n",
        0.05 * mass,
        3.0 * load * radius,
    )
}

/// A mass on the tested tire.
struct QuarterCar {
    world: Standalone,
    vehicle: Vehicle,
}

/// Converts errors that a valid tire cannot cause to failures.
fn broken(error: impl ToString) -> Failure {
    Failure::Broken(error.to_string())
}

impl QuarterCar {
    fn new(subject: &LawUnderTest<'_>, [ahead, left]: [f32; 2]) -> Result<Self, Failure> {
        let car = Car::parse(&file(subject), "quarter-car").map_err(broken)?;
        let params = Checked::new(car.spec().params.clone()).map_err(broken)?;
        let drive = Registries::with_builtins().drive(&car.spec().drive);
        let tires = [Arc::clone(subject.tire)];
        let model = VehicleModel::new(params, &tires, drive.map_err(broken)?).map_err(broken)?;
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).map_err(broken)?);
        let start = DVec3::Z * car.ride_height();
        let desc = BodyDesc {
            linear_velocity: Vec3::new(ahead, left, 0.0),
            ..BodyDesc::at_rest(start, car.mass(), car.inertia())
        };
        let body = world.add(&desc).map_err(broken)?;
        let mut vehicle = Vehicle::new(Arc::new(model), body);
        let spin = ahead / subject.declared.radius;
        vehicle.state_mut().wheels[0].spin = W4::splat(spin);
        Ok(Self { world, vehicle })
    }

    /// Rolls, then brakes; calls `look` with velocity and position after each step.
    fn drive(&mut self, mut look: impl FnMut(f32, Vec3, DVec3)) -> Result<(), Failure> {
        let surfaces = &Surfaces::new();
        let environment = Environment {
            gravity: GRAVITY,
            surfaces,
            air: Air::STILL,
        };
        for n in 0..steps(ROLLS + BRAKES, RATE) {
            let time = n as f32 / RATE;
            let brake = if time < ROLLS { 0.0 } else { 1.0 };
            let command = Command::Car(CarCommand { brake, ..FREE });
            let dt = 1.0 / RATE;
            step(
                &mut self.vehicle,
                &mut self.world,
                &command,
                &environment,
                dt,
            )
            .map_err(broken)?;
            self.world.step(GRAVITY, dt);
            let body = self.world.body(self.vehicle.body())?.state();
            let moving = body.linear_velocity.is_finite() && body.position.is_finite();
            expect(moving, || format!("after {time} s it is nowhere"))?;
            look(time, body.linear_velocity, body.position);
        }
        Ok(())
    }
}

fn slows_down(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let mut worst = Measure::KEPT;
    for start in STARTS {
        let first = f64::from(Vec3::new(start[0], start[1], 0.0).length());
        let mut car = QuarterCar::new(subject, start)?;
        car.drive(|time, velocity, _| {
            let speed = f64::from(velocity.x).hypot(f64::from(velocity.y));
            let value = speed / first - 1.0;
            if value > worst.value {
                let note = format!("from {start:?} m/s after {time} s");
                worst = Measure { value, note };
            }
        })?;
    }
    Ok(worst)
}

fn stays(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let mut worst = Measure::KEPT;
    for start in STARTS {
        let mut stood = None;
        let mut car = QuarterCar::new(subject, start)?;
        car.drive(|time, _, position| {
            if time >= ROLLS + BRAKES - STANDS {
                let value = 1000.0 * stood.get_or_insert(position).distance(position);
                if value > worst.value {
                    let note = format!("from {start:?} m/s");
                    worst = Measure { value, note };
                }
            }
        })?;
    }
    Ok(worst)
}
