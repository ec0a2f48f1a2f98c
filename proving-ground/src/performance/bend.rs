//! Steady bends and sudden ones.

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, GearCommand};
use jounce::file::Car;

use super::{GAIN, PATIENCE, RATE, speed_of, stage};
use crate::error::ProvingError;
use crate::stage::{FLAT_OUT, FREE, Scene, Stage, steps};

/// Standard gravity (`m/s²`), in which gradients count accelerations.
const G: f64 = 9.806_65;
/// Speed of bends, or [`SHARE`] of the greatest speed if that is lower (`m/s`; ISO 7401: 80 km/h).
const BEND_SPEED: f64 = 80.0 / 3.6;
const SHARE: f64 = 0.8;
/// Rate at which the steering opens in a steady bend (part of full lock, `1/s`): some 0.1°/s at the wheels.
const OPENING: f32 = 0.003;
/// Rate of a steering step (part of full lock, `1/s`): some 25°/s at the wheels, 400°/s at a steering wheel (ISO 7401: 200 to
/// 500).
const STEPPING: f32 = 0.7;
/// Lateral accelerations between which gradients are taken (`m/s²`): 0.1 to 0.3 g, where cars are linear.
const LINEAR: [f64; 2] = [0.1 * G, 0.3 * G];
/// Lateral acceleration of a step (`m/s²`; ISO 7401), or [`STEP_SHARE`] of the greatest if that is lower.
const STEP_ACCELERATION: f64 = 4.0;
const STEP_SHARE: f64 = 0.5;
/// Lateral acceleration is averaged over this (`s`).
const SPAN: f32 = 1.0;
/// Roll at which a car has tipped over (`rad`).
const TIPPED: f64 = 0.7;
/// Throttle per speed error (`s/m`), and per its sum (`1/m`).
const SPEED_GAIN: [f64; 2] = [0.3, 0.05];

/// A car in a bend that narrows slowly to the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkidPadPoint {
    /// Steering command to the left, 0…1.
    pub steer: f64,
    /// Speed (`m/s`).
    pub speed: f64,
    /// Lateral acceleration (`m/s²`), averaged over a second.
    pub lateral_acceleration: f64,
    /// Angle from the path of the rearmost axle to the heading of the car (`rad`), positive to the left, which is inward.
    pub rear_slip: f64,
}

/// A car that keeps about this speed (`m/s`) while its bend narrows from straight on, within half a minute to full lock, up to
/// its fastest bend. Faster, and so less steady, than [`fastest_bend`].
///
/// # Errors
/// If the car cannot be driven.
pub fn skid_pad(car: &Car, speed: f64) -> Result<Vec<SkidPadPoint>, ProvingError> {
    const QUICK: f32 = 10.0 * OPENING;
    let bend = Bend::narrowing(car, speed, QUICK)?;
    let points = bend.points.iter().map(|point| SkidPadPoint {
        steer: -f64::from(point.command),
        speed: point.speed,
        lateral_acceleration: point.lateral_acceleration,
        rear_slip: point.rear_slip,
    });
    let points: Vec<SkidPadPoint> = points.collect();
    let order = |a: &&SkidPadPoint, b: &&SkidPadPoint| {
        a.lateral_acceleration.total_cmp(&b.lateral_acceleration)
    };
    let fastest = points.iter().max_by(order).map_or(0.0, |point| point.steer);
    Ok(points
        .into_iter()
        .take_while(|point| point.steer <= fastest)
        .collect())
}

/// Speed (`m/s`) and lateral acceleration (`m/s²`) of the fastest steady bend of a car that keeps about this speed (`m/s`).
///
/// # Errors
/// If the car cannot be driven.
pub fn fastest_bend(car: &Car, speed: f64) -> Result<[f64; 2], ProvingError> {
    let bend = Bend::of(car, speed)?;
    let points = bend.points.iter();
    let fastest = points.max_by(|a, b| a.lateral_acceleration.total_cmp(&b.lateral_acceleration));
    Ok(fastest.map_or([f64::NAN; 2], |it| [it.speed, it.lateral_acceleration]))
}

/// A car that is kept at its speed in one gear.
struct Cruise {
    stage: Stage,
    speed: f64,
    /// Summed speed error (`m`).
    sum: f64,
}

impl Cruise {
    /// Accelerates to a speed (`m/s`), and stays in the gear that this takes.
    fn of(car: &Car, wanted: f64) -> Result<Self, ProvingError> {
        const LONGEST: f32 = 60.0;
        const SETTLES: f32 = 4.0;
        let mut stage = stage(car, &Scene::IN_FIRST, RATE)?;
        let (mut fastest, mut judged) = (0.0_f64, -1.0);
        for n in 1..=steps(LONGEST, RATE) {
            stage.step(&FLAT_OUT)?;
            fastest = fastest.max(speed_of(&stage));
            if fastest >= wanted {
                break;
            }
            if n % steps(PATIENCE, RATE) == 0 {
                if fastest < judged + GAIN {
                    break;
                }
                judged = fastest;
            }
        }
        let speed = if fastest >= wanted {
            wanted
        } else {
            SHARE * fastest
        };
        let mut cruise = Self {
            stage,
            speed,
            sum: 0.0,
        };
        for _ in 0..steps(SETTLES, RATE) {
            cruise.step(0.0)?;
        }
        Ok(cruise)
    }

    /// The throttle that keeps the speed.
    fn throttle(&mut self) -> f32 {
        let error = self.speed - speed_of(&self.stage);
        let [gain, sum_gain] = SPEED_GAIN;
        self.sum = (self.sum + error * f64::from(self.stage.dt)).clamp(0.0, 1.0 / sum_gain);
        (gain * error + sum_gain * self.sum).clamp(0.0, 1.0) as f32
    }

    /// A step with this steering, at the kept speed.
    fn step(&mut self, steer: f32) -> Result<(), ProvingError> {
        let throttle = self.throttle();
        self.steer(steer, throttle)
    }

    fn steer(&mut self, steer: f32, throttle: f32) -> Result<(), ProvingError> {
        self.stage.step(&CarCommand {
            steer,
            throttle,
            gear: GearCommand::Hold,
            ..FREE
        })
    }

    fn now(&self) -> Result<BendState, ProvingError> {
        let body = self.stage.body()?;
        let left = (body.rotation * Vec3::Y).as_dvec3();
        let velocity = self.stage.velocity().as_dvec3();
        let velocity = DVec3::new(velocity.x, velocity.y, 0.0);
        let yaw_rate = f64::from(self.stage.vehicle.updated_velocity().1.z);
        let rear = velocity + left * (yaw_rate * self.rear());
        Ok(BendState {
            velocity,
            yaw_rate,
            rear_slip: -libm::atan2(
                rear.dot(left),
                rear.dot((body.rotation * Vec3::X).as_dvec3()),
            ),
            roll: libm::asin(left.z),
            steering: self.steering(),
        })
    }

    /// Position of the rearmost axle ahead of the center of mass (`m`).
    fn rear(&self) -> f64 {
        let params = self.stage.vehicle.model().params();
        let wheels = params.wheels.iter().map(|wheel| wheel.position.x);
        (wheels.fold(f32::MAX, f32::min) - params.chassis.center_of_mass.x).into()
    }

    /// Mean angle of the wheels of the foremost axle as the steering turns them (`rad`): what mounts yield is understeer.
    fn steering(&self) -> f64 {
        let vehicle = &self.stage.vehicle;
        let state = vehicle.state();
        let wheels = &vehicle.model().params().wheels;
        let foremost = wheels.iter().map(|wheel| wheel.position.x);
        let foremost = foremost.fold(f32::MIN, f32::max);
        let of_axle = |n: &usize| wheels[*n].position.x == foremost;
        let angles = (0..wheels.len()).filter(of_axle);
        let angles: Vec<f64> = angles.map(|n| state.wheel(n).steer.into()).collect();
        angles.iter().sum::<f64>() / angles.len() as f64
    }
}

/// A car at one time.
#[derive(Clone, Copy, Debug)]
struct BendState {
    /// Velocity in the plane (`m/s`).
    velocity: DVec3,
    /// Yaw rate (`rad/s`).
    yaw_rate: f64,
    /// Slip angle of the rearmost axle, of [`SkidPadPoint::rear_slip`] (`rad`).
    rear_slip: f64,
    /// Roll angle, to the right (`rad`).
    roll: f64,
    /// Steering angle (`rad`).
    steering: f64,
}

/// A car at one time of a steady bend.
#[derive(Clone, Copy, Debug)]
struct BendPoint {
    command: f32,
    /// Speed (`m/s`).
    speed: f64,
    /// Lateral acceleration, to the left of the path, averaged over [`SPAN`] (`m/s²`).
    lateral_acceleration: f64,
    /// Steering angle in addition to that of the path (`rad`).
    additional: f64,
    /// Slip angle of the rearmost axle, of [`SkidPadPoint::rear_slip`] (`rad`).
    rear_slip: f64,
    /// Roll angle, to the right (`rad`).
    roll: f64,
}

/// A bend that narrows slowly at a constant speed (ISO 4138, method of constant speed), to the left.
#[derive(Clone, Debug)]
pub(super) struct Bend {
    points: Vec<BendPoint>,
}

impl Bend {
    /// Time between points (`s`).
    const APART: f32 = 0.1;

    /// Measures a bend at the speed of the standard.
    pub(super) fn at_80(car: &Car) -> Result<Self, ProvingError> {
        Self::of(car, BEND_SPEED)
    }

    fn of(car: &Car, speed: f64) -> Result<Self, ProvingError> {
        Self::narrowing(car, speed, OPENING)
    }

    /// A bend that narrows at this rate of the steering (part of full lock, `1/s`).
    fn narrowing(car: &Car, speed: f64, opening: f32) -> Result<Self, ProvingError> {
        let mut cruise = Cruise::of(car, speed)?;
        let wheels = &cruise.stage.vehicle.model().params().wheels;
        let ends = wheels.iter().map(|wheel| f64::from(wheel.position.x));
        let [last, first] = ends.fold([f64::MAX, f64::MIN], |[last, first], x| {
            [last.min(x), first.max(x)]
        });
        let wheelbase = first - last;
        let (every, back) = (
            steps(Self::APART, RATE),
            (SPAN / Self::APART).round() as usize,
        );
        let mut states = vec![cruise.now()?];
        let mut points = Vec::<BendPoint>::new();
        let mut greatest = 0.0_f64;
        for n in 1..=steps(1.0 / opening, RATE) {
            let command = -opening * n as f32 / RATE;
            cruise.step(command)?;
            if n % every != 0 {
                continue;
            }
            let now = cruise.now()?;
            states.push(now);
            let Some(then) = states.len().checked_sub(back + 1).map(|n| states[n]) else {
                continue;
            };
            // The path turns by the angle between the velocities; their middle is where the others are taken.
            let (from, to) = (then.velocity, now.velocity);
            let turned = libm::atan2(from.cross(to).z, from.dot(to));
            let middle = states[states.len() - 1 - back / 2];
            let rate = turned / f64::from(SPAN);
            let speed = middle.velocity.length();
            points.push(BendPoint {
                command: command + 0.5 * SPAN * opening,
                speed,
                lateral_acceleration: speed * rate,
                additional: middle.steering - wheelbase * rate / speed,
                rear_slip: middle.rear_slip,
                roll: middle.roll,
            });
            greatest = greatest.max(speed * rate);
            let over = speed * rate < 0.8 * greatest && greatest > 1.0;
            if over || now.roll.abs() > TIPPED {
                break;
            }
        }
        Ok(Self { points })
    }

    pub(super) fn greatest(&self) -> f64 {
        let all = self.points.iter().map(|point| point.lateral_acceleration);
        all.fold(f64::NAN, f64::max)
    }

    /// Slope of a quantity (`rad`) over lateral acceleration in the linear range (`°/g`), by least squares.
    fn gradient(&self, of: impl Fn(&BendPoint) -> f64) -> f64 {
        let [low, high] = LINEAR;
        let points = self.points.iter();
        let upto = points.take_while(|point| point.lateral_acceleration <= high);
        let points: Vec<[f64; 2]> = upto
            .filter(|point| point.lateral_acceleration >= low)
            .map(|point| [point.lateral_acceleration, of(point)])
            .collect();
        let count = points.len() as f64;
        let mean = |n: usize| points.iter().map(|point| point[n]).sum::<f64>() / count;
        let [x, y] = [mean(0), mean(1)];
        let sum = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>();
        let slope =
            sum(&|point| (point[0] - x) * (point[1] - y)) / sum(&|point| (point[0] - x).powi(2));
        (slope * G).to_degrees()
    }

    pub(super) fn understeer_gradient(&self) -> f64 {
        self.gradient(|point| point.additional)
    }

    pub(super) fn roll_gradient(&self) -> f64 {
        self.gradient(|point| point.roll)
    }

    /// The command at a lateral acceleration (`m/s²`) below the greatest.
    fn command_at(&self, acceleration: f64) -> f32 {
        let mut points = self.points.iter();
        let first = points.find(|point| point.lateral_acceleration >= acceleration);
        first.map_or(0.0, |point| point.command)
    }

    /// Time of the yaw rate from half of a step of the steering to 90 % of its steady value (`s`).
    pub(super) fn response(&self, car: &Car) -> Result<f64, ProvingError> {
        const DURATION: f32 = 5.0;
        const RISEN: f64 = 0.9;
        let acceleration = STEP_ACCELERATION.min(STEP_SHARE * self.greatest());
        let command = self.command_at(acceleration);
        let mut cruise = Cruise::of(car, BEND_SPEED)?;
        let throttle = cruise.throttle();
        let mut rates = Vec::new();
        for n in 1..=steps(DURATION, RATE) {
            let stepped = (STEPPING * n as f32 / RATE).min(command.abs());
            cruise.steer(-stepped, throttle)?;
            rates.push(cruise.now()?.yaw_rate);
        }
        let settled = &rates[rates.len() - steps(1.0, RATE)..];
        let steady = settled.iter().sum::<f64>() / settled.len() as f64;
        let reached = rates.iter().position(|rate| *rate >= RISEN * steady);
        let half = f64::from(0.5 * command.abs() / STEPPING);
        Ok(reached.map_or(f64::NAN, |n| (n + 1) as f64 / f64::from(RATE) - half))
    }
}
