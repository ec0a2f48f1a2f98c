//! The record of a drive: one sample per step.

use glam::{DVec3, Quat, Vec3};
use jounce::core::{
    AirLoad, BodyState, CarCommand, FuelUse, SteeringWheel, Vehicle, WheelPose, WheelReport, math,
};
use jounce::document::ModelSpec;
use jounce::file::Car;
use jounce::tires::Thermal;

use crate::energy::{EnergyFlow, EnergyMeter};

/// One wheel at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelSample {
    /// Center, from the vehicle's origin (`m`, vehicle axes).
    pub position: Vec3,
    /// Rotation wheel → vehicle.
    pub rotation: Quat,
    /// Jounce (`m`), positive in compression.
    pub jounce: f32,
    /// Tire load (`N`).
    pub load: f32,
    /// Longitudinal slip (–).
    pub slip_ratio: f32,
    /// Slip angle (`rad`).
    pub slip_angle: f32,
    /// Longitudinal tire force (`N`), positive drives.
    pub longitudinal_force: f32,
    /// Lateral tire force (`N`), positive to the left.
    pub lateral_force: f32,
    /// Force of tire and strut on the chassis (`N`, world axes).
    pub force: Vec3,
    /// Point at which the tire's forces act, from the center of mass (`m`, world axes).
    pub tire_point: Vec3,
    /// Share of the available grip in use (–).
    pub grip_used: f32,
    /// Spin (`rad/s`).
    pub spin: f32,
    /// Steering angle (`rad`), positive to the left.
    pub steer: f32,
    /// Speed of the contact point along the rolling direction (`m/s`).
    pub forward_speed: f32,
    /// Whether the wheel carries no load.
    pub in_air: bool,
    /// Height of the wheel's center over the ground (`m`): its radius, less the deflection of the tire.
    pub loaded_radius: f32,
    /// Temperature of its tread (`°C`), if its tire has one.
    pub temperature: Option<f32>,
}

/// A towed vehicle at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TowedSample {
    /// Center of mass (`m`, world).
    pub position: DVec3,
    /// Roll, left side up positive (`rad`).
    pub roll: f32,
    /// Speed along itself (`m/s`).
    pub forward_speed: f32,
    /// Angle from the vehicle that tows it to itself, seen from above (`rad`), positive to the left, within ±π.
    pub angle: f32,
}

impl TowedSample {
    /// A towed vehicle on body `behind`, and the one that tows it on body `ahead`.
    #[must_use]
    pub fn of(ahead: &BodyState, behind: &BodyState) -> Self {
        let [before, after] = [ahead, behind].map(|body| body.rotation * Vec3::X);
        Self {
            position: behind.position,
            roll: roll(behind),
            forward_speed: after.dot(behind.linear_velocity),
            angle: before.truncate().angle_to(after.truncate()),
        }
    }
}

/// The car at the end of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Time since the start (`s`).
    pub time: f32,
    /// Index of the maneuver's stage.
    pub stage: usize,
    /// Center of mass (`m`, world).
    pub position: DVec3,
    /// Rotation vehicle → world.
    pub rotation: Quat,
    /// Heading, positive to the left (`rad`), continuous over full turns.
    pub heading: f32,
    /// Pitch, nose up positive (`rad`).
    pub pitch: f32,
    /// Roll, left side up positive (`rad`).
    pub roll: f32,
    /// The vehicle's up axis against the world's [−]: 1 upright, −1 on the roof.
    pub upright: f32,
    /// Speed of the center of mass along the car's own ground plane (`m/s`), ≥ 0. Vertical speed is
    /// excluded: engines with substeps leave a parked body with a small fall speed, which the next
    /// step removes.
    pub speed: f32,
    /// Speed along the car (`m/s`).
    pub forward_speed: f32,
    /// Speed to the left (`m/s`).
    pub lateral_speed: f32,
    /// Yaw rate about the car's z (`rad/s`).
    pub yaw_rate: f32,
    /// Acceleration forward, left and up over this step, without gravity (`m/s²`, car axes).
    pub acceleration: Vec3,
    /// The driver's command.
    pub command: CarCommand,
    /// The engaged gear: negative reverse, 0 neutral.
    pub gear: i8,
    /// The current gear, or the one being engaged.
    pub target_gear: i8,
    /// Engine speed (`rad/s`).
    pub engine_speed: f32,
    /// The steering wheel, if the car has one that torques move.
    pub steering: Option<SteeringWheel>,
    /// Fuel that it has used, if it counts any.
    pub fuel: Option<FuelUse>,
    /// Load of the air, if the car has aerodynamics.
    pub air: Option<AirLoad>,
    /// Whether no wheel of the car carries a load.
    pub in_air: bool,
    /// Whether values of the command were clamped.
    pub clamped: bool,
    /// Whether the update of the car or of any towed vehicle was refused.
    pub refused: bool,
    /// Values that the car's drivetrain remembers: what an electric drive makes its report of.
    pub drivetrain_memory: Vec<f32>,
    /// How much each driver aid of the car acted, 0…1, in the order of its model's aids.
    pub aids: Vec<f32>,
    /// Works of the car's parts in this step (`J`).
    pub energy: EnergyFlow,
    /// The wheels.
    pub wheels: Vec<WheelSample>,
    /// The towed vehicles, from front to rear.
    pub towed: Vec<TowedSample>,
}

/// Turns a vehicle and its body into samples.
#[derive(Clone, Debug)]
pub struct Recorder {
    heading: f32,
    velocity: Vec3,
    energy: EnergyMeter,
}

impl Recorder {
    /// A recorder for a vehicle whose body has this initial state.
    #[must_use]
    pub fn new(vehicle: &Vehicle, body: &BodyState) -> Self {
        Self {
            heading: heading(body),
            velocity: body.linear_velocity,
            energy: EnergyMeter::new(vehicle, body),
        }
    }

    /// Heading (`rad`), continuous over full turns.
    #[must_use]
    pub fn heading(&self) -> f32 {
        self.heading
    }

    /// The sample after a step of `dt` (`s`) with this body state. The caller fills in time, stage,
    /// command, whether the step was refused, temperatures and towed vehicles.
    pub fn sample(&mut self, vehicle: &Vehicle, body: &BodyState, dt: f32) -> Sample {
        let turn = core::f32::consts::TAU;
        let change = heading(body) - self.heading;
        self.heading += change - turn * libm::roundf(change / turn);
        let to_car = math::matrix(body.rotation).transpose();
        let velocity = to_car * body.linear_velocity;
        let acceleration = to_car * (body.linear_velocity - self.velocity) / dt;
        self.velocity = body.linear_velocity;
        let ahead = body.rotation * Vec3::X;
        let drive = &vehicle.state().drive;
        let wheels: Vec<_> = vehicle.wheel_reports().collect();
        Sample {
            position: body.position,
            rotation: body.rotation,
            heading: self.heading,
            pitch: libm::asinf(ahead.z.clamp(-1.0, 1.0)),
            roll: roll(body),
            upright: (body.rotation * Vec3::Z).z,
            speed: velocity.truncate().length(),
            forward_speed: velocity.x,
            lateral_speed: velocity.y,
            yaw_rate: (to_car * body.angular_velocity).z,
            acceleration,
            gear: drive.gear.0,
            target_gear: drive.target_gear.0,
            engine_speed: drive.engine_speed,
            steering: vehicle.state().steering_wheel(),
            fuel: vehicle.model().fuel_use(vehicle.state()),
            air: vehicle.air_load(),
            in_air: wheels.iter().all(|wheel| wheel.in_air),
            clamped: vehicle.command_was_clamped(),
            drivetrain_memory: vehicle.state().drivetrain_memory().to_vec(),
            aids: aid_activities(vehicle),
            energy: self.energy.step(vehicle, body, dt),
            wheels: wheels
                .iter()
                .zip(vehicle.wheel_poses())
                .map(|(report, pose)| wheel_sample(report, &pose))
                .collect(),
            ..Sample::default()
        }
    }
}

/// How much each driver aid acted in the last substep, 0…1.
fn aid_activities(vehicle: &Vehicle) -> Vec<f32> {
    let model = vehicle.model();
    (0..model.aids().len())
        .map(|aid| model.aid_activity(vehicle.state(), aid))
        .collect()
}

/// Heading (`rad`) within ±π.
fn heading(body: &BodyState) -> f32 {
    let ahead = body.rotation * Vec3::X;
    libm::atan2f(ahead.y, ahead.x)
}

/// Roll, left side up positive (`rad`).
fn roll(body: &BodyState) -> f32 {
    let left = body.rotation * Vec3::Y;
    libm::asinf(left.z.clamp(-1.0, 1.0))
}

/// Whether the tire of each wheel of a car has a temperature.
#[must_use]
pub fn thermal_wheels(car: &Car) -> Vec<bool> {
    let model = car.model();
    let wheels = model.params().wheels.iter();
    let tires = wheels.map(|wheel| car.spec().tires.get(wheel.tire.model));
    tires.map(|tire| tire.is_some_and(is_thermal)).collect()
}

/// Whether a law, or any law that it is made of, has a temperature.
fn is_thermal(spec: &ModelSpec) -> bool {
    let laws = core::iter::successors(Some(&spec.0), |table| table.get("law")?.as_table());
    let mut models = laws.filter_map(|table| table.get("model")?.as_str());
    models.any(|model| model == "thermal")
}

/// Notes temperatures of the tires that have one.
pub fn take_temperatures(sample: &mut Sample, vehicle: &Vehicle, thermal: &[bool]) {
    let states = vehicle.state().tires();
    let tires = sample.wheels.iter_mut().zip(states).zip(thermal);
    for ((wheel, state), thermal) in tires {
        wheel.temperature = thermal.then(|| Thermal::temperature(state));
    }
}

fn wheel_sample(report: &WheelReport, pose: &WheelPose) -> WheelSample {
    WheelSample {
        position: pose.position,
        rotation: pose.rotation,
        jounce: report.jounce,
        load: report.load,
        slip_ratio: report.slip_ratio,
        slip_angle: report.slip_angle,
        longitudinal_force: report.longitudinal_force,
        lateral_force: report.lateral_force,
        force: force(report),
        tire_point: report.tire_point,
        grip_used: report.grip_used,
        spin: report.spin,
        steer: report.steer,
        forward_speed: report.forward_speed,
        in_air: report.in_air,
        loaded_radius: report.loaded_radius,
        temperature: None,
    }
}

fn force(report: &WheelReport) -> Vec3 {
    let (ahead, left) = (report.longitudinal_direction, report.lateral_direction);
    ahead * report.longitudinal_force
        + left * report.lateral_force
        + ahead.cross(left) * report.load
}

/// Revolutions per minute of a spin (`rad/s`).
#[must_use]
pub fn rpm(spin: f32) -> f32 {
    spin * 30.0 / core::f32::consts::PI
}
