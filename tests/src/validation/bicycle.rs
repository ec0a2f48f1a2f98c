//! The bicycle model in closed form: both wheels of an axle as one, tires linear, no roll.
//!
//! Shipped cars drive on linear tires; over frequency, with roll centers at the height of their centers of mass.

use core::f64::consts::TAU;

use glam::{DMat2, DVec2};
use jounce::core::params::{Compliance, LinkSlopes};
use jounce::core::profile::Solver;
use jounce::core::{CarCommand, TireInput};
use jounce::document::{Models, Registries};
use jounce::file::Car;
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

use super::{Apart, Reckoning};

/// Source of the bicycle model's formulas.
pub const SOURCE: &str =
    "bicycle model, closed form (Milliken, Race Car Vehicle Dynamics, 1995, chapter 5)";

/// The cars that are compared with the model.
const CARS: [&str; 3] = ["sedan", "hatchback", "sports-car"];
/// Allowed difference (%).
const BOUND: f64 = 2.0;
/// Rate of the drives (`Hz`): the model's time is continuous. At 240 Hz two of the figures are 2.0 and 2.3 % off.
const RATE: f32 = 960.0;
/// Steering of both wheels: small enough for tires to be linear (`rad`).
const STEER: f64 = 0.002;
/// Speeds of steady bends (`m/s`).
const SPEEDS: [f64; 3] = [15.0, 25.0, 35.0];
/// Speed of the responses over frequency (`m/s`).
const SPEED: f64 = 30.0;
/// Frequencies of these (`Hz`).
const FREQUENCIES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

/// The model.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SingleTrack {
    mass: f64,
    /// Yaw inertia (`kg·m²`).
    inertia: f64,
    /// Distances of the axles ahead of the center of mass and behind it (`m`).
    levers: [f64; 2],
    /// Cornering stiffness of both axles (`N/rad`).
    cornering: [f64; 2],
}

impl SingleTrack {
    /// Model of a car with linear tires as stiff as the tangents of its own at rest.
    fn of(car: &Car) -> Result<Self, ProvingError> {
        let model = car.model();
        let ahead = |wheel: usize| {
            f64::from(model.params().wheels[wheel].position.x - car.center_of_mass().x)
        };
        let (mass, levers) = (f64::from(car.mass()), [ahead(0), -ahead(2)]);
        let length = levers[0] + levers[1];
        let load = |lever: f64| 0.5 * mass * f64::from(-GRAVITY.z) * lever / length;
        Ok(Self {
            mass,
            inertia: car.inertia().z_axis.z.into(),
            levers,
            cornering: [
                2.0 * cornering_stiffness(car, 0, load(levers[1]))?,
                2.0 * cornering_stiffness(car, 2, load(levers[0]))?,
            ],
        })
    }

    fn wheelbase(&self) -> f64 {
        self.levers[0] + self.levers[1]
    }

    /// Understeer gradient: the steering angle in addition to that of the path, over lateral acceleration (`rad·s²/m`).
    fn understeer_gradient(&self) -> f64 {
        let [a, b] = self.levers;
        let [front, rear] = self.cornering;
        self.mass / self.wheelbase() * (b / front - a / rear)
    }

    /// Steady yaw rate over steering angle (`1/s`).
    fn yaw_gain(&self, speed: f64) -> f64 {
        speed / (self.wheelbase() + self.understeer_gradient() * speed * speed)
    }

    /// Speed at which an understeering car needs twice the steering angle of the path (`m/s`).
    fn characteristic_speed(&self) -> f64 {
        libm::sqrt(self.wheelbase() / self.understeer_gradient())
    }

    /// Yaw rate over steering angle at a frequency (`Hz`): real and imaginary part (`1/s`).
    fn yaw_response(&self, speed: f64, frequency: f64) -> DVec2 {
        let [a, b] = self.levers;
        let [front, rear] = self.cornering;
        let turning = rear * b - front * a;
        // d/dt (v, r) = A·(v, r) + input·δ
        let state = DMat2::from_cols_array(&[
            -(front + rear) / (self.mass * speed),
            turning / (self.inertia * speed),
            turning / (self.mass * speed) - speed,
            -(front * a * a + rear * b * b) / (self.inertia * speed),
        ]);
        let input = DVec2::new(front / self.mass, front * a / self.inertia);
        // r/δ = (s·i₁ + A₁₀·i₀ − A₀₀·i₁) / (s² − s·tr A + det A) at s = jω
        let omega = TAU * frequency;
        let above = DVec2::new(
            state.x_axis.y * input.x - state.x_axis.x * input.y,
            omega * input.y,
        );
        let trace = state.x_axis.x + state.y_axis.y;
        let below = DVec2::new(state.determinant() - omega * omega, -omega * trace);
        over(above, below)
    }

    /// Frequency (`Hz`) and amount (`1/s`) of the greatest gain.
    fn peak(&self, speed: f64) -> DVec2 {
        let gain = |n: u32| {
            DVec2::new(
                f64::from(n) * 1e-3,
                self.yaw_response(speed, f64::from(n) * 1e-3).length(),
            )
        };
        let gains = (0..4000).map(gain);
        gains
            .max_by(|a, b| a.y.total_cmp(&b.y))
            .unwrap_or(DVec2::NAN)
    }
}

/// Quotient of complex numbers.
fn over(above: DVec2, below: DVec2) -> DVec2 {
    let square = below.length_squared();
    DVec2::new(above.dot(below), above.y * below.x - above.x * below.y) / square
}

/// Lateral force over slip angle at none, of a wheel's tire at a load (`N`) (`N/rad`).
fn cornering_stiffness(car: &Car, wheel: usize, load: f64) -> Result<f64, ProvingError> {
    const SLIP: f32 = 1e-3;
    let spec = car.spec();
    let wheel = &spec.params.wheels[wheel];
    let syntax = |message: String| ProvingError::Syntax {
        file: car.name.clone(),
        message,
    };
    let law = Registries::with_builtins().tire(&spec.tires[wheel.tire.model]);
    let law = law.map_err(|error| syntax(error.to_string()))?;
    let force = |tan_slip_angle: f32| {
        law.forces(&TireInput {
            tan_slip_angle,
            forward_speed: SPEED as f32,
            rim_speed: SPEED as f32,
            radius: wheel.radius,
            load: load as f32,
            rest_load: load as f32,
            friction: 1.0,
            gravity: -GRAVITY.z,
            ..TireInput::default()
        })
    };
    Ok(f64::from(
        (force(-SLIP).lateral - force(SLIP).lateral) / (2.0 * SLIP),
    ))
}

/// Linear tires that make a car understeer: those of shipped cars are as stiff for their loads in front as behind.
/// Lateral force over load and slip angle (1/rad).
const TIRES: [(&str, f64); 2] = [("front", 13.0), ("rear", 16.0)];

/// A preset car on linear tires.
fn on_linear_tires(name: &str) -> Result<Car, ProvingError> {
    let syntax = |message: String| ProvingError::Syntax {
        file: name.to_owned(),
        message,
    };
    let file = presets::FILES.into_iter().find(|(known, _)| *known == name);
    let (_, text) = file.ok_or_else(|| syntax("not a preset".to_owned()))?;
    let mut table: toml::Table = text
        .parse()
        .map_err(|e: toml::de::Error| syntax(e.to_string()))?;
    let tires = TIRES.map(|(tire, stiffness)| {
        let text = format!(
            "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = {stiffness:?}\n\
             camber_stiffness = 0.0\ntrail = 0.0"
        );
        let law: toml::Table = text.parse().expect("it is TOML");
        (tire.to_owned(), toml::Value::from(law))
    });
    table.insert("tires".to_owned(), toml::Table::from_iter(tires).into());
    let axles = table.get_mut("axles").and_then(toml::Value::as_array_mut);
    for (axle, (tire, _)) in axles.into_iter().flatten().zip(TIRES) {
        // The model's tires roll freely.
        let fit = toml::Table::from_iter([
            ("model".to_owned(), toml::Value::from(tire)),
            ("rolling_resistance".to_owned(), 0.0.into()),
        ]);
        let axle = axle.as_table_mut();
        axle.map(|axle| axle.insert("tire".to_owned(), fit.into()));
    }
    Ok(Car::parse(&table.to_string(), name)?)
}

/// The car on linear tires, without toe, bearing drag and compliance, with roll centers at this height over the ground (`m`)
/// if any.
fn plain(name: &str, roll_center: Option<f32>) -> Result<Car, ProvingError> {
    let car = on_linear_tires(name)?;
    let mut params = car.spec().params.clone();
    if let Solver::Rows(rows) = &mut params.profile.solver {
        // The model's tires do not relax: with 280/m, the phase at 2 Hz is 0.9° later.
        rows.carcass_stiffness = 1000.0;
    }
    for wheel in &mut params.wheels {
        wheel.damping = 0.0;
        wheel.toe = 0.0;
        wheel.compliance = Compliance {
            links: roll_center.map(|height| LinkSlopes {
                lateral: height / wheel.position.y,
                ..LinkSlopes::default()
            }),
            ..Compliance::default()
        };
    }
    let syntax = |error: jounce::document::VehicleSpecError| ProvingError::Syntax {
        file: name.to_owned(),
        message: error.to_string(),
    };
    car.with_params(&Registries::with_builtins(), params)
        .map_err(syntax)
}

/// A steered car that rolls freely.
fn rolling(car: &Car, speed: f64) -> Result<Stage, ProvingError> {
    let scene = Scene {
        speed: speed as f32,
        hull: false,
        ..Scene::LEVEL
    };
    let setup = Setup {
        world: WorldKind::Standalone,
        car,
    };
    Stage::new(&setup, &scene, RATE)
}

fn step(stage: &mut Stage, command: f64) -> Result<(), ProvingError> {
    stage.step(&CarCommand {
        steer: command as f32,
        ..FREE
    })
}

/// Steering angle (`rad`) of a full command to the left.
fn full_lock(car: &Car) -> Result<f64, ProvingError> {
    const COMMAND: f64 = -1e-3;
    let mut stage = rolling(car, SPEED)?;
    step(&mut stage, COMMAND)?;
    let angle = |wheel| f64::from(stage.vehicle.wheel_report(wheel).steer);
    Ok(0.5 * (angle(0) + angle(1)) / -COMMAND)
}

/// Speed (`m/s`) and yaw gain (`1/s`) of a steady bend.
fn steady(car: &Car, speed: f64) -> Result<(f64, f64), ProvingError> {
    const SETTLES: f32 = 6.0;
    let mut stage = rolling(car, speed)?;
    let command = -STEER / full_lock(car)?;
    for _ in 0..steps(SETTLES, RATE) {
        step(&mut stage, command)?;
    }
    let (velocity, turning) = stage.vehicle.updated_velocity();
    Ok((velocity.length().into(), f64::from(turning.z) / STEER))
}

/// Yaw rate over steering angle at a frequency (`Hz`): real and imaginary part (`1/s`).
fn response(car: &Car, frequency: f64) -> Result<DVec2, ProvingError> {
    /// Time before anything is measured (`s`), and periods measured.
    const SETTLES: f64 = 4.0;
    const PERIODS: f64 = 2.0;
    let (rate, lock) = (f64::from(RATE), full_lock(car)?);
    let mut stage = rolling(car, SPEED)?;
    let first = ((SETTLES * frequency).ceil() / frequency * rate).round() as usize;
    let count = (PERIODS / frequency * rate).round() as usize;
    let (mut sum, mut mean) = (DVec2::ZERO, 0.0);
    let mut measured = Vec::new();
    for n in 0..first + count {
        // The command of a step acts throughout it: its mean is that of the middle.
        let middle = (n as f64 + 0.5) / rate;
        step(
            &mut stage,
            -STEER / lock * libm::sin(TAU * frequency * middle),
        )?;
        if n >= first {
            measured.push((n + 1, f64::from(stage.vehicle.updated_velocity().1.z)));
            mean += measured[n - first].1 / count as f64;
        }
    }
    for (n, turning) in measured {
        let angle = TAU * frequency * n as f64 / rate;
        // sin is −j·exp(j·angle)'s real part.
        sum += (turning - mean) * DVec2::new(libm::sin(angle), libm::cos(angle));
    }
    Ok(sum * 2.0 / (count as f64 * STEER))
}

/// Frequency (`Hz`) and amount (`1/s`) of the greatest of ours: the parabola through three around it.
fn peak(car: &Car, about: f64) -> Result<DVec2, ProvingError> {
    const APART: f64 = 0.1;
    let at = [-1.0, 0.0, 1.0].map(|n: f64| about * (1.0 + APART * n));
    let mut gains = [0.0; 3];
    for (gain, frequency) in gains.iter_mut().zip(at) {
        *gain = response(car, frequency)?.length();
    }
    let [low, middle, high] = gains;
    let (slope, bend) = (0.5 * (high - low), low - 2.0 * middle + high);
    let shift = -slope / bend;
    Ok(DVec2::new(
        about * (1.0 + APART * shift),
        middle + 0.5 * slope * shift,
    ))
}

/// Every figure of every car.
///
/// # Errors
/// If a car cannot be driven.
pub fn bicycle() -> Result<Vec<Reckoning>, ProvingError> {
    let mut found = Vec::new();
    for name in CARS {
        found.extend(in_steady_bends(name)?);
        found.extend(over_frequency(name)?);
    }
    Ok(found)
}

fn reckoning(car: &str, figure: &'static str, at: String, [ours, theirs]: [f64; 2]) -> Reckoning {
    Reckoning {
        subject: format!("{car}, bicycle model"),
        figure,
        at,
        ours,
        theirs,
        apart: Apart::Percent,
        bound: BOUND,
    }
}

fn in_steady_bends(name: &str) -> Result<Vec<Reckoning>, ProvingError> {
    /// Unit of angles over acceleration: degrees and g.
    const UNIT: f64 = 9.81 * 180.0 / core::f64::consts::PI;
    let car = plain(name, None)?;
    let model = SingleTrack::of(&car)?;
    let mut found = Vec::new();
    let mut gradient = 0.0;
    for wanted in SPEEDS {
        let (speed, gain) = steady(&car, wanted)?;
        gradient = (speed / gain - model.wheelbase()) / (speed * speed);
        let gains = [gain, model.yaw_gain(speed)];
        found.push(reckoning(
            name,
            "yaw gain [1/s]",
            format!("{wanted} m/s"),
            gains,
        ));
    }
    let gradients = [gradient, model.understeer_gradient()];
    let fastest = || format!("{} m/s", SPEEDS[2]);
    found.push(reckoning(
        name,
        "understeer gradient [°/g]",
        fastest(),
        gradients.map(|it| it * UNIT),
    ));
    let own = libm::sqrt(model.wheelbase() / gradient);
    let speeds = [own, model.characteristic_speed()];
    found.push(reckoning(
        name,
        "characteristic speed [m/s]",
        fastest(),
        speeds,
    ));
    Ok(found)
}

/// The model does not roll: the car's roll centers are at the height of its center of mass.
fn over_frequency(name: &str) -> Result<Vec<Reckoning>, ProvingError> {
    let height = presets::load(name)?.ride_height() as f32;
    let car = plain(name, Some(height))?;
    let model = SingleTrack::of(&car)?;
    let mut found = Vec::new();
    for frequency in FREQUENCIES {
        let (ours, theirs) = (
            response(&car, frequency)?,
            model.yaw_response(SPEED, frequency),
        );
        let at = || format!("{frequency} Hz, {SPEED} m/s");
        let gains = [ours.length(), theirs.length()];
        found.push(reckoning(name, "yaw gain [1/s]", at(), gains));
        // The same share of a number in the complex plane, across it.
        let phases = [ours, theirs].map(|it| libm::atan2(it.y, it.x).to_degrees());
        found.push(Reckoning {
            apart: Apart::Points,
            bound: (0.01 * BOUND).to_degrees(),
            ..reckoning(name, "yaw phase [°]", at(), phases)
        });
    }
    let theirs = model.peak(SPEED);
    let own = peak(&car, theirs.x)?;
    let at = || format!("{SPEED} m/s");
    found.push(reckoning(
        name,
        "frequency of the greatest yaw gain [Hz]",
        at(),
        [own.x, theirs.x],
    ));
    found.push(reckoning(
        name,
        "greatest yaw gain [1/s]",
        at(),
        [own.y, theirs.y],
    ));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: SingleTrack = SingleTrack {
        mass: 1500.0,
        inertia: 2500.0,
        levers: [1.2, 1.5],
        cornering: [100e3, 110e3],
    };

    #[test]
    fn slow_steering_is_steady() {
        for speed in [10.0, 30.0] {
            let slow = MODEL.yaw_response(speed, 1e-6);
            assert!((slow.x / MODEL.yaw_gain(speed) - 1.0).abs() < 1e-9);
            assert!(slow.y.abs() < 1e-3);
        }
    }

    #[test]
    fn fast_steering_turns_the_inertia_of_the_car() {
        let [frequency, front] = [1e4, MODEL.cornering[0] * MODEL.levers[0]];
        let fast = MODEL.yaw_response(20.0, frequency);
        let alone = front / (MODEL.inertia * TAU * frequency);
        assert!((fast.y / -alone - 1.0).abs() < 1e-3, "{fast}");
    }

    #[test]
    fn at_its_characteristic_speed_a_car_needs_twice_the_angle() {
        let speed = MODEL.characteristic_speed();
        let twice = MODEL.wheelbase() / speed * MODEL.yaw_gain(speed);
        assert!((twice - 0.5).abs() < 1e-9);
    }
}
