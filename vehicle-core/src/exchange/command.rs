//! Commands of the driver, with a gamepad's signs: steer +1 is right, pedals are 0…1.

mod digest;
pub(crate) mod examine;

use crate::MAX_WHEELS;

/// A gear: negative reverse, 0 neutral, 1 first and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gear(pub i8);

impl Gear {
    /// First reverse gear.
    pub const REVERSE: Self = Self(-1);
    /// Neutral.
    pub const NEUTRAL: Self = Self(0);
    /// First forward gear.
    pub const FIRST: Self = Self(1);
}

/// Gear request of the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GearCommand {
    /// No new request; a pending one stays pending.
    #[default]
    Hold,
    /// One gear up.
    Up,
    /// One gear down.
    Down,
    /// Request for this gear, engaged after the usual switch time.
    Engage(Gear),
    /// Cancel a pending `Up` or `Down`.
    Cancel,
}

/// Input of the hands at a steering wheel, positive to the **right** as all commands: see [`CarCommand::steering_wheel`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SteeringInput {
    /// Angle at which the driver's hands hold the steering wheel (`rad`).
    Angle(f32),
    /// Torque of the driver's hands on the steering wheel (`N·m`); 0 is hands off.
    Torque(f32),
}

/// Positions of a car's levers and switches beside the gear lever, without effect on drivetrains that do not have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Levers {
    /// Whether the driver works the clutch by its pedal alone, where the drivetrain has such a pedal; otherwise the clutch opens and
    /// closes by itself, too.
    pub manual_clutch: bool,
    /// Whether the starter turns a stalled engine whose clutch the driver works by its pedal.
    pub starter: bool,
    /// Range of the gearbox, in the order of its ranges, the first 0.
    pub range: u8,
    /// Step of the retarder's lever; 0 is released.
    pub retarder: u8,
    /// Whether the power take-off is engaged.
    pub power_take_off: bool,
}

impl Levers {
    /// No lever used.
    pub const RELEASED: Self = Self {
        manual_clutch: false,
        starter: false,
        range: 0,
        retarder: 0,
        power_take_off: false,
    };
}

/// Command of a car.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CarCommand {
    /// Accelerator pedal, 0…1.
    pub throttle: f32,
    /// Brake pedal, 0…1.
    pub brake: f32,
    /// Handbrake lever, 0…1.
    pub handbrake: f32,
    /// Steering, −1 (left) … 1 (right).
    pub steer: f32,
    /// Clutch pedal, 0 (released, engine coupled) … 1 (pressed).
    pub clutch: f32,
    /// Gear request.
    pub gear: GearCommand,
    /// Whether the autobox may change gears.
    pub automatic: bool,
    /// Input of the hands at the steering wheel, instead of `steer`; without effect on drivetrains that have
    /// [none](crate::Drivetrain::steering_wheel).
    #[cfg_attr(feature = "serde", serde(default))]
    pub steering_wheel: Option<SteeringInput>,
    /// Levers beside the gear lever.
    #[cfg_attr(feature = "serde", serde(default))]
    pub levers: Levers,
}

impl Default for CarCommand {
    /// No pedal pressed, wheels straight, automatic gears.
    fn default() -> Self {
        Self {
            throttle: 0.0,
            brake: 0.0,
            handbrake: 0.0,
            steer: 0.0,
            clutch: 0.0,
            gear: GearCommand::Hold,
            automatic: true,
            steering_wheel: None,
            levers: Levers::RELEASED,
        }
    }
}

/// Command of a tracked vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TankCommand {
    /// Accelerator, 0…1.
    pub throttle: f32,
    /// Thrust of the left and the right track, −1…1.
    pub thrust: [f32; 2],
    /// Brakes of the left and the right track, 0…1.
    pub brake: [f32; 2],
    /// Gear request.
    pub gear: GearCommand,
    /// Whether the autobox may change gears.
    pub automatic: bool,
}

/// Torques and angles per wheel, in wheel order; entries beyond the last wheel are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WheelCommand {
    /// Driving torque per wheel (`N·m`), positive forward.
    pub drive: [f32; MAX_WHEELS],
    /// Braking torque per wheel (`N·m`), ≥ 0.
    pub brake: [f32; MAX_WHEELS],
    /// Steering angle per wheel (`rad`), positive to the left (vehicle frame).
    pub steer: [f32; MAX_WHEELS],
}

/// Command of any vehicle; its drivetrain accepts one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(
    clippy::large_enum_variant,
    reason = "plain data without pointers, handed over by reference"
)]
pub enum Command {
    /// Command of a car.
    Car(CarCommand),
    /// Command of a tracked vehicle.
    Tank(TankCommand),
    /// Command of a vehicle with individually driven wheels.
    Wheels(WheelCommand),
}

impl Default for Command {
    fn default() -> Self {
        Self::Car(CarCommand::default())
    }
}

impl From<CarCommand> for Command {
    fn from(car: CarCommand) -> Self {
        Self::Car(car)
    }
}

impl From<TankCommand> for Command {
    fn from(tank: TankCommand) -> Self {
        Self::Tank(tank)
    }
}

impl From<WheelCommand> for Command {
    fn from(wheels: WheelCommand) -> Self {
        Self::Wheels(wheels)
    }
}
