//! Recorded channels: names, units and the ranges shown by graphs (PhysX vehicle SDK, ALGORITHMS
//! §6.7).

mod body;
mod drive;
mod fuel;

use core::fmt;

use vehicle_core::report::{EngineReport, WheelReport};
use vehicle_core::{AirLoad, CarCommand, Command, SteeringWheel};

pub use body::{BodyChannel, BodySample};
pub use drive::DriveChannel;
pub use fuel::FuelChannel;

/// Key, name, unit and graph range of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Key of the channel among those of its part of the vehicle, in `snake_case`: for tables, files and other languages. Keys do
    /// not change.
    pub key: &'static str,
    /// Name, as its graph is titled.
    pub name: &'static str,
    /// SI unit of the channel; empty if dimensionless.
    pub unit: &'static str,
    /// Lower edge of the channel's graph.
    pub min: f32,
    /// Value below which samples are drawn in a different color.
    pub mid: f32,
    /// Upper edge of the channel's graph.
    pub max: f32,
}

impl Channel {
    const fn new(
        key: &'static str,
        name: &'static str,
        unit: &'static str,
        [min, mid, max]: [f32; 3],
    ) -> Self {
        Self {
            key,
            name,
            unit,
            min,
            mid,
            max,
        }
    }
}

impl fmt::Display for Channel {
    /// The title of its graph.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unit.is_empty() {
            f.write_str(self.name)
        } else {
            write!(f, "{} [{}]", self.name, self.unit)
        }
    }
}

const NUMBER: &str = "";
const METERS: &str = "m";
const NEWTONS: &str = "N";
const TORQUE: &str = "N·m";
const ANGLE: &str = "rad";
const SPIN: &str = "rad/s";
const SPEED: &str = "m/s";

/// Channels of each wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelChannel {
    /// Jounce (`m`), positive in compression.
    Jounce,
    /// Suspension force along the ground's normal (`N`).
    SuspensionForce,
    /// Filtered tire load (`N`).
    TireLoad,
    /// Tire load over the load at rest (–).
    NormalizedTireLoad,
    /// Spin (`rad/s`).
    Spin,
    /// Friction of tire on ground at the current slip (–).
    Friction,
    /// Longitudinal slip (–).
    SlipRatio,
    /// Longitudinal force over the load at rest (–), ≥ 0.
    NormalizedLongForce,
    /// Slip angle (`rad`).
    SlipAngle,
    /// Lateral force over the load at rest (–), ≥ 0.
    NormalizedLatForce,
    /// Aligning moment over the load at rest (`m`), ≥ 0.
    NormalizedAligningMoment,
    /// Overturning moment (`N·m`), positive to the right.
    OverturningMoment,
    /// Moment that resists rolling (`N·m`), ≥ 0.
    RollingResistance,
    /// Share of rolling in the motion of the rim (–): 1 rolls, 0 slides.
    SkidInfo,
    /// Height of the wheel's center over the ground (`m`): its radius, less the deflection of the tire.
    LoadedRadius,
    /// Steering angle with toe and compliance (`rad`), positive to the left.
    Steer,
    /// Camber (`rad`), right-handed about the forward axis.
    Camber,
    /// Whether the wheel carries no load: 1 or 0.
    InAir,
    /// Longitudinal tire force on the chassis (`N`), forward.
    LongForce,
    /// Lateral tire force on the chassis (`N`), to the left.
    LatForce,
    /// Used part of the available grip (–).
    GripUsed,
    /// Speed of the contact point along the rolling direction (`m/s`).
    ForwardSpeed,
    /// Friction of the tire on the ground without its dependence on slip (–); 0 without contact.
    GroundFriction,
}

impl WheelChannel {
    /// Number of channels.
    pub const COUNT: usize = 23;

    /// All channels: PhysX's in its order, then our additions.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Jounce,
        Self::SuspensionForce,
        Self::TireLoad,
        Self::NormalizedTireLoad,
        Self::Spin,
        Self::Friction,
        Self::SlipRatio,
        Self::NormalizedLongForce,
        Self::SlipAngle,
        Self::NormalizedLatForce,
        Self::NormalizedAligningMoment,
        Self::OverturningMoment,
        Self::RollingResistance,
        Self::SkidInfo,
        Self::LoadedRadius,
        Self::Steer,
        Self::Camber,
        Self::InAir,
        Self::LongForce,
        Self::LatForce,
        Self::GripUsed,
        Self::ForwardSpeed,
        Self::GroundFriction,
    ];

    /// The channel with this [key](Channel::key).
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.channel().key == key)
    }

    /// Name, unit and range: PhysX's, where it has the channel.
    #[must_use]
    pub const fn channel(self) -> Channel {
        let new = Channel::new;
        match self {
            Self::Jounce => new("jounce", "jounce", METERS, [-0.2, 0.0, 0.4]),
            Self::SuspensionForce => new(
                "suspension_force",
                "suspension force",
                NEWTONS,
                [0.0, 0.0, 20_000.0],
            ),
            Self::TireLoad => new("tire_load", "tire load", NEWTONS, [0.0, 0.0, 20_000.0]),
            Self::NormalizedTireLoad => new(
                "normalized_tire_load",
                "normalized tire load",
                NUMBER,
                [0.0, 1.0, 3.0],
            ),
            Self::Spin => new("spin", "spin", SPIN, [-50.0, 0.0, 250.0]),
            Self::Friction => new("friction", "friction", NUMBER, [0.0, 1.0, 1.1]),
            Self::SlipRatio => new("slip_ratio", "slip ratio", NUMBER, [-0.2, 0.0, 0.2]),
            Self::NormalizedLongForce => new(
                "normalized_longitudinal_force",
                "normalized long. force",
                NUMBER,
                [0.0, 1.0, 2.0],
            ),
            Self::SlipAngle => new("slip_angle", "slip angle", ANGLE, [-1.0, 0.0, 1.0]),
            Self::NormalizedLatForce => new(
                "normalized_lateral_force",
                "normalized lat. force",
                NUMBER,
                [0.0, 1.0, 2.0],
            ),
            Self::NormalizedAligningMoment => new(
                "normalized_aligning_moment",
                "normalized aligning moment",
                METERS,
                [0.0, 1.0, 2.0],
            ),
            Self::OverturningMoment => new(
                "overturning_moment",
                "overturning moment",
                TORQUE,
                [-1000.0, 0.0, 1000.0],
            ),
            Self::RollingResistance => new(
                "rolling_resistance",
                "rolling resistance",
                TORQUE,
                [0.0, 0.0, 100.0],
            ),
            Self::SkidInfo => new("skid_info", "skid info", NUMBER, [0.0, 0.8, 1.1]),
            Self::LoadedRadius => new("loaded_radius", "loaded radius", METERS, [0.0, 0.3, 0.6]),
            Self::Steer => new("steer", "steering angle", ANGLE, [-0.7, 0.0, 0.7]),
            Self::Camber => new("camber", "camber", ANGLE, [-0.2, 0.0, 0.2]),
            Self::InAir => new("in_air", "in air", NUMBER, [0.0, 0.0, 1.1]),
            Self::LongForce => new(
                "longitudinal_force",
                "long. force",
                NEWTONS,
                [-20_000.0, 0.0, 20_000.0],
            ),
            Self::LatForce => new(
                "lateral_force",
                "lat. force",
                NEWTONS,
                [-20_000.0, 0.0, 20_000.0],
            ),
            Self::GripUsed => new("grip_used", "grip used", NUMBER, [0.0, 0.0, 1.1]),
            Self::ForwardSpeed => new("forward_speed", "forward speed", SPEED, [-20.0, 0.0, 80.0]),
            Self::GroundFriction => new(
                "ground_friction",
                "ground friction",
                NUMBER,
                [0.0, 0.0, 1.2],
            ),
        }
    }

    /// Value of the channel in a report, under a gravity (`m/s²`).
    #[must_use]
    pub fn sample(self, report: &WheelReport, gravity: f32) -> f32 {
        let per_rest_load = |x: f32| x / (report.rest_mass * gravity);
        match self {
            Self::Jounce => report.jounce,
            Self::SuspensionForce => report.suspension_force,
            Self::TireLoad => report.load,
            Self::NormalizedTireLoad => per_rest_load(report.load),
            Self::Spin => report.spin,
            Self::Friction => report.friction,
            Self::SlipRatio => report.slip_ratio,
            Self::NormalizedLongForce => per_rest_load(report.longitudinal_force.abs()),
            Self::SlipAngle => report.slip_angle,
            Self::NormalizedLatForce => per_rest_load(report.lateral_force.abs()),
            Self::NormalizedAligningMoment => per_rest_load(report.aligning_moment.abs()),
            Self::OverturningMoment => report.overturning_moment,
            Self::RollingResistance => report.rolling_resistance,
            Self::SkidInfo => report.skid_info,
            Self::LoadedRadius => report.loaded_radius,
            Self::Steer => report.steer,
            Self::Camber => report.camber,
            Self::InAir => f32::from(u8::from(report.in_air)),
            Self::LongForce => report.longitudinal_force,
            Self::LatForce => report.lateral_force,
            Self::GripUsed => report.grip_used,
            Self::ForwardSpeed => report.forward_speed,
            Self::GroundFriction => report.ground_friction,
        }
    }
}

/// Channels of engine and driver.
///
/// PhysX's guide lists these eight. Its code has nine, because left and right steering are separate
/// channels; our command has a signed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChannel {
    /// Engine speed (`rad/s`).
    Speed,
    /// Engine torque (`N·m`).
    Torque,
    /// Clutch slip (`rad/s`).
    ClutchSlip,
    /// Accelerator (–).
    Throttle,
    /// Brake (–); for a tank the mean of both tracks.
    Brake,
    /// Handbrake (–).
    Handbrake,
    /// Steering (–), positive to the right; for a tank half of left minus right thrust.
    Steer,
    /// Total gear ratio (–).
    GearRatio,
}

impl EngineChannel {
    /// Number of channels.
    pub const COUNT: usize = 8;

    /// All channels, in PhysX's order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Speed,
        Self::Torque,
        Self::ClutchSlip,
        Self::Throttle,
        Self::Brake,
        Self::Handbrake,
        Self::Steer,
        Self::GearRatio,
    ];

    /// The channel with this [key](Channel::key).
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.channel().key == key)
    }

    /// Name, unit and PhysX's range.
    #[must_use]
    pub const fn channel(self) -> Channel {
        let new = Channel::new;
        match self {
            Self::Speed => new("speed", "engine speed", SPIN, [0.0, 400.0, 800.0]),
            Self::Torque => new("torque", "engine torque", TORQUE, [0.0, 0.0, 1000.0]),
            Self::ClutchSlip => new("clutch_slip", "clutch slip", SPIN, [-200.0, 0.0, 200.0]),
            Self::Throttle => new("throttle", "throttle", NUMBER, [0.0, 0.0, 1.1]),
            Self::Brake => new("brake", "brake", NUMBER, [0.0, 0.0, 1.1]),
            Self::Handbrake => new("handbrake", "handbrake", NUMBER, [0.0, 0.0, 1.1]),
            Self::Steer => new("steer", "steer", NUMBER, [-1.1, 0.0, 1.1]),
            Self::GearRatio => new("gear_ratio", "gear ratio", NUMBER, [-4.0, 0.0, 20.0]),
        }
    }

    /// Value of the channel for an engine, if there is one, and a command. Without an engine, and for per-wheel
    /// commands, it is 0.
    #[must_use]
    pub fn sample(self, engine: Option<&EngineReport>, command: &Command) -> f32 {
        let of_engine = |f: fn(&EngineReport) -> f32| engine.map_or(0.0, f);
        let car = as_car(command);
        match self {
            Self::Speed => of_engine(|e| e.speed),
            Self::Torque => of_engine(|e| e.torque),
            Self::ClutchSlip => of_engine(|e| e.clutch_slip),
            Self::Throttle => car.throttle,
            Self::Brake => car.brake,
            Self::Handbrake => car.handbrake,
            Self::Steer => car.steer,
            Self::GearRatio => of_engine(|e| e.ratio),
        }
    }
}

/// Channels of the air, for vehicles with aerodynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AirChannel {
    /// Speed through the air (`m/s`).
    Speed,
    /// Force to the rear (`N`).
    Drag,
    /// Force to the left (`N`).
    SideForce,
    /// Force upwards (`N`).
    Lift,
}

impl AirChannel {
    /// Number of channels.
    pub const COUNT: usize = 4;

    /// All channels.
    pub const ALL: [Self; Self::COUNT] = [Self::Speed, Self::Drag, Self::SideForce, Self::Lift];

    /// The channel with this [key](Channel::key).
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.channel().key == key)
    }

    /// Name, unit and range.
    #[must_use]
    pub const fn channel(self) -> Channel {
        let new = Channel::new;
        match self {
            Self::Speed => new("speed", "air speed", SPEED, [0.0, 0.0, 80.0]),
            Self::Drag => new("drag", "drag", NEWTONS, [0.0, 0.0, 3000.0]),
            Self::SideForce => new("side_force", "side force", NEWTONS, [-3000.0, 0.0, 3000.0]),
            Self::Lift => new("lift", "lift", NEWTONS, [-3000.0, 0.0, 3000.0]),
        }
    }

    /// Value of the channel in the load by the air.
    #[must_use]
    pub fn sample(self, air: &AirLoad) -> f32 {
        match self {
            Self::Speed => air.speed(),
            Self::Drag => -air.force.x,
            Self::SideForce => air.force.y,
            Self::Lift => air.force.z,
        }
    }
}

/// Channels of the steering wheel, for vehicles with one that torques move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteeringChannel {
    /// Angle of the steering wheel (`rad`), positive to the left.
    Angle,
    /// Torque of the hands on the steering wheel (`N·m`), positive to the left: they feel the opposite.
    Torque,
    /// Torque of the power assist (`N·m`).
    Assist,
    /// Torque of the tires on it (`N·m`).
    Road,
}

impl SteeringChannel {
    /// Number of channels.
    pub const COUNT: usize = 4;

    /// All channels.
    pub const ALL: [Self; Self::COUNT] = [Self::Angle, Self::Torque, Self::Assist, Self::Road];

    /// The channel with this [key](Channel::key).
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.channel().key == key)
    }

    /// Name, unit and range.
    #[must_use]
    pub const fn channel(self) -> Channel {
        let new = Channel::new;
        match self {
            Self::Angle => new("angle", "steering wheel", ANGLE, [-10.0, 0.0, 10.0]),
            Self::Torque => new("torque", "hands' torque", TORQUE, [-20.0, 0.0, 20.0]),
            Self::Assist => new("assist", "power assist", TORQUE, [-50.0, 0.0, 50.0]),
            Self::Road => new("road", "road's torque", TORQUE, [-50.0, 0.0, 50.0]),
        }
    }

    /// Value of the channel for a steering wheel.
    #[must_use]
    pub fn sample(self, wheel: &SteeringWheel) -> f32 {
        match self {
            Self::Angle => wheel.angle,
            Self::Torque => wheel.torque,
            Self::Assist => wheel.assist,
            Self::Road => wheel.road,
        }
    }
}

/// A command as a car's pedals and steering.
fn as_car(command: &Command) -> CarCommand {
    match command {
        Command::Car(car) => *car,
        Command::Tank(tank) => CarCommand {
            throttle: tank.throttle,
            brake: 0.5 * (tank.brake[0] + tank.brake[1]),
            steer: 0.5 * (tank.thrust[0] - tank.thrust[1]),
            ..CarCommand::default()
        },
        Command::Wheels(_) => CarCommand::default(),
    }
}

#[cfg(test)]
mod tests;
