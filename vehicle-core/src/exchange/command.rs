//! Commands of the driver, with a gamepad's signs: steer +1 is right, pedals are 0…1.

use crate::MAX_WHEELS;
use crate::base::digest::Digest;
use crate::base::lanes::W4;
use crate::exchange::refused::Refused;

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

/// Command of the gear lever.
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
    /// This gear, after the usual switch time.
    Engage(Gear),
    /// Cancel a pending `Up` or `Down`.
    Cancel,
}

/// What the hands do to a steering wheel, positive to the **right** as all commands: see
/// [`CarCommand::steering_wheel`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SteeringInput {
    /// They hold it at this angle (`rad`).
    Angle(f32),
    /// They turn it with this torque (`N·m`); 0 is hands off.
    Torque(f32),
}

impl SteeringInput {
    /// Its number, whatever it is.
    fn value(self) -> f32 {
        match self {
            Self::Angle(x) | Self::Torque(x) => x,
        }
    }
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
    /// Gear lever.
    pub gear: GearCommand,
    /// Whether the autobox may change gears.
    pub automatic: bool,
    /// What the hands do to the steering wheel, instead of `steer`; without effect on drivetrains that have
    /// [none](crate::Drivetrain::steering_wheel).
    #[cfg_attr(feature = "serde", serde(default))]
    pub steering_wheel: Option<SteeringInput>,
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
        }
    }
}

impl CarCommand {
    /// Whether every value is finite and within its range.
    fn is_within_range(&self) -> bool {
        let pedals = [self.throttle, self.brake, self.handbrake, self.clutch];
        let pedals = W4::from_array(pedals);
        (pedals.ge(W4::ZERO) & pedals.le(W4::ONE)).all()
            && self.steer.abs() <= 1.0
            && self.steering_wheel.is_none()
    }

    /// A digest with the hands on the steering wheel, if any, added.
    fn hands_added_to(&self, digest: Digest) -> Digest {
        match self.steering_wheel {
            None => digest,
            Some(SteeringInput::Angle(angle)) => digest.numbers(&[angle]).word(1),
            Some(SteeringInput::Torque(torque)) => digest.numbers(&[torque]).word(2),
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
    /// Gear lever.
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
    /// For cars.
    Car(CarCommand),
    /// For tracked vehicles.
    Tank(TankCommand),
    /// For vehicles with individually driven wheels.
    Wheels(WheelCommand),
}

impl Default for Command {
    fn default() -> Self {
        Self::Car(CarCommand::default())
    }
}

/// A checked command.
#[derive(Debug)]
pub(crate) struct Examined {
    /// The command to use.
    pub(crate) command: Command,
    /// Whether any value was clamped.
    pub(crate) clamped: bool,
}

/// Checks values and records whether any was clamped.
struct Examiner {
    /// Whether values out of range are refused instead of clamped.
    refuses: bool,
    clamped: bool,
}

impl Examiner {
    /// PhysX tolerates this excess over the range (ALGORITHMS §4.10).
    const TOLERANCE: f32 = 0.01;

    fn value(
        &mut self,
        field: &'static str,
        value: &mut f32,
        low: f32,
        high: f32,
    ) -> Result<(), Refused> {
        if !value.is_finite() {
            return Err(Refused::NotFinite {
                field,
                value: *value,
            });
        }
        if *value >= low && *value <= high {
            return Ok(());
        }
        if !self.refuses {
            *value = value.clamp(low, high);
            self.clamped = true;
        } else if *value <= low - Self::TOLERANCE || *value >= high + Self::TOLERANCE {
            return Err(Refused::OutOfRange {
                field,
                value: *value,
                low,
                high,
            });
        }
        Ok(())
    }
}

impl Command {
    /// Whether this is the common case: a car's command with every value in range, which needs no further
    /// check.
    #[inline]
    pub(crate) fn is_usual(&self) -> bool {
        matches!(self, Self::Car(car) if car.is_within_range())
    }

    /// A digest with this command for a vehicle with `wheels` wheels added.
    pub(crate) fn added_to(&self, digest: Digest, wheels: usize) -> Digest {
        match self {
            Self::Car(car) => {
                let pedals = [
                    car.throttle,
                    car.brake,
                    car.handbrake,
                    car.steer,
                    car.clutch,
                ];
                let pedals = digest.numbers(&pedals).word(lever(car.gear, car.automatic));
                car.hands_added_to(pedals)
            }
            Self::Tank(tank) => {
                let pedals = digest.numbers(&[tank.throttle]);
                let tracks = pedals.numbers(&tank.thrust).numbers(&tank.brake);
                tracks.word(lever(tank.gear, tank.automatic))
            }
            Self::Wheels(given) => {
                let lists = [&given.drive, &given.brake, &given.steer];
                let add =
                    |digest: Digest, list: &[f32; MAX_WHEELS]| digest.numbers(&list[..wheels]);
                lists.into_iter().fold(digest, add)
            }
        }
    }

    /// The command as a vehicle of `wheels` wheels takes it: values out of range are clamped, or, if it `refuses`
    /// them, errors.
    ///
    /// # Errors
    /// If a value is not finite, or refused, or there is not one per wheel.
    pub fn accepted(&self, refuses: bool, wheels: usize) -> Result<Self, Refused> {
        Ok(self.examined(refuses, wheels)?.command)
    }

    /// The command for a vehicle with `wheels` wheels: values out of range clamped, entries of missing wheels
    /// zero. If it `refuses`, values out of range by more than the tolerance are an error instead.
    ///
    /// # Errors
    /// For the first value that is not finite or refused.
    pub(crate) fn examined(&self, refuses: bool, wheels: usize) -> Result<Examined, Refused> {
        let mut command = *self;
        if let Self::Wheels(given) = &mut command {
            let lists = [&mut given.drive, &mut given.brake, &mut given.steer];
            lists.into_iter().for_each(|list| list[wheels..].fill(0.0));
        }
        let clamped = command.examine(refuses)?;
        Ok(Examined { command, clamped })
    }

    /// Clamps or refuses values out of range; returns whether anything was clamped.
    ///
    /// # Errors
    /// For the first value that is not finite or refused.
    fn examine(&mut self, refuses: bool) -> Result<bool, Refused> {
        let mut look = Examiner {
            refuses,
            clamped: false,
        };
        match self {
            Self::Car(car) => {
                look.value("throttle", &mut car.throttle, 0.0, 1.0)?;
                look.value("brake", &mut car.brake, 0.0, 1.0)?;
                look.value("handbrake", &mut car.handbrake, 0.0, 1.0)?;
                look.value("steer", &mut car.steer, -1.0, 1.0)?;
                look.value("clutch", &mut car.clutch, 0.0, 1.0)?;
                if let Some(hands) = car.steering_wheel {
                    look.value("steering_wheel", &mut hands.value(), f32::MIN, f32::MAX)?;
                }
            }
            Self::Tank(tank) => {
                look.value("throttle", &mut tank.throttle, 0.0, 1.0)?;
                for side in 0..2 {
                    look.value("thrust", &mut tank.thrust[side], -1.0, 1.0)?;
                    look.value("brake", &mut tank.brake[side], 0.0, 1.0)?;
                }
            }
            Self::Wheels(wheels) => {
                let half_turn = core::f32::consts::PI;
                for i in 0..MAX_WHEELS {
                    look.value("drive", &mut wheels.drive[i], f32::MIN, f32::MAX)?;
                    look.value("brake", &mut wheels.brake[i], 0.0, f32::MAX)?;
                    look.value("steer", &mut wheels.steer[i], -half_turn, half_turn)?;
                }
            }
        }
        Ok(look.clamped)
    }
}

/// A lever and the autobox's switch as one word.
fn lever(gear: GearCommand, automatic: bool) -> u32 {
    let [kind, gear] = match gear {
        GearCommand::Hold => [0, 0],
        GearCommand::Up => [1, 0],
        GearCommand::Down => [2, 0],
        GearCommand::Engage(gear) => [3, gear.0.cast_unsigned()],
        GearCommand::Cancel => [4, 0],
    };
    u32::from_le_bytes([kind, gear, u8::from(automatic), 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn car(throttle: f32, steer: f32) -> Command {
        Command::Car(CarCommand {
            throttle,
            steer,
            ..CarCommand::default()
        })
    }

    #[rstest]
    #[case(0.5, 0.2, Ok(false))]
    #[case(1.5, 0.2, Ok(true))]
    #[case(0.5, -3.0, Ok(true))]
    fn clamping_is_reported(
        #[case] throttle: f32,
        #[case] steer: f32,
        #[case] expected: Result<bool, Refused>,
    ) {
        let mut command = car(throttle, steer);
        assert_eq!(command.examine(false), expected);
        let Command::Car(c) = command else { panic!() };
        assert!((0.0..=1.0).contains(&c.throttle) && (-1.0..=1.0).contains(&c.steer));
    }

    #[rstest]
    #[case(f32::NAN)]
    #[case(f32::INFINITY)]
    fn every_policy_refuses_non_finite_values(#[case] bad: f32) {
        for refuses in [false, true] {
            let fault = car(0.0, bad).examine(refuses).unwrap_err();
            assert!(matches!(fault, Refused::NotFinite { field: "steer", .. }));
        }
    }

    #[rstest]
    #[case(SteeringInput::Angle(f32::NAN))]
    #[case(SteeringInput::Torque(f32::INFINITY))]
    fn hands_on_a_steering_wheel_are_finite(#[case] hands: SteeringInput) {
        let mut command = Command::Car(CarCommand {
            steering_wheel: Some(hands),
            ..CarCommand::default()
        });
        assert!(!command.is_usual());
        let fault = command.examine(false).unwrap_err();
        assert!(matches!(
            fault,
            Refused::NotFinite {
                field: "steering_wheel",
                ..
            }
        ));
    }

    #[test]
    fn entries_of_missing_wheels_are_ignored() {
        let mut wheels = WheelCommand::default();
        wheels.drive[2] = 100.0;
        wheels.brake[7] = f32::NAN;
        let command = Command::Wheels(wheels);
        assert!(command.examined(true, 8).is_err());
        let examined = command.examined(true, 6).unwrap();
        assert!(!examined.clamped);
        wheels.brake[7] = 0.0;
        assert_eq!(examined.command, Command::Wheels(wheels));
    }

    #[rstest]
    #[case(1.005, true)]
    #[case(1.02, false)]
    #[case(-0.02, false)]
    fn physx_tolerates_a_hundredth(#[case] throttle: f32, #[case] accepted: bool) {
        let result = car(throttle, 0.0).examine(true);
        assert_eq!(result.is_ok(), accepted);
    }

    #[rstest]
    #[case(|c: &mut CarCommand| c.throttle = 0.5)]
    #[case(|c: &mut CarCommand| c.brake = 0.5)]
    #[case(|c: &mut CarCommand| c.handbrake = 0.5)]
    #[case(|c: &mut CarCommand| c.steer = 0.5)]
    #[case(|c: &mut CarCommand| c.clutch = 0.5)]
    #[case(|c: &mut CarCommand| c.automatic = false)]
    #[case(|c: &mut CarCommand| c.gear = GearCommand::Up)]
    #[case(|c: &mut CarCommand| c.gear = GearCommand::Engage(Gear(0)))]
    #[case(|c: &mut CarCommand| c.steering_wheel = Some(SteeringInput::Angle(0.5)))]
    #[case(|c: &mut CarCommand| c.steering_wheel = Some(SteeringInput::Torque(0.0)))]
    fn a_digest_has_every_value_of_a_car(#[case] change: fn(&mut CarCommand)) {
        let mut car = CarCommand::default();
        let before = Command::Car(car).added_to(Digest::new(), 4).long();
        change(&mut car);
        assert_ne!(Command::Car(car).added_to(Digest::new(), 4).long(), before);
    }

    #[rstest]
    #[case(|c: &mut TankCommand| c.throttle = 0.5)]
    #[case(|c: &mut TankCommand| c.thrust[0] = 0.5)]
    #[case(|c: &mut TankCommand| c.thrust[1] = 0.5)]
    #[case(|c: &mut TankCommand| c.brake[0] = 0.5)]
    #[case(|c: &mut TankCommand| c.brake[1] = 0.5)]
    #[case(|c: &mut TankCommand| c.automatic = true)]
    #[case(|c: &mut TankCommand| c.gear = GearCommand::Down)]
    fn a_digest_has_every_value_of_a_tank(#[case] change: fn(&mut TankCommand)) {
        let mut tank = TankCommand::default();
        let before = Command::Tank(tank).added_to(Digest::new(), 4).long();
        change(&mut tank);
        assert_ne!(
            Command::Tank(tank).added_to(Digest::new(), 4).long(),
            before
        );
    }

    #[rstest]
    #[case(|c: &mut WheelCommand| c.drive[5] = 0.5, true)]
    #[case(|c: &mut WheelCommand| c.brake[0] = 0.5, true)]
    #[case(|c: &mut WheelCommand| c.steer[3] = 0.5, true)]
    #[case::of_no_wheel(|c: &mut WheelCommand| c.steer[6] = 0.5, false)]
    fn a_digest_has_the_values_of_every_wheel(
        #[case] change: fn(&mut WheelCommand),
        #[case] counts: bool,
    ) {
        let mut wheels = WheelCommand::default();
        let before = Command::Wheels(wheels).added_to(Digest::new(), 6).long();
        change(&mut wheels);
        let after = Command::Wheels(wheels).added_to(Digest::new(), 6).long();
        assert_eq!(after != before, counts);
    }

    #[test]
    fn levers_differ() {
        let gears = [
            GearCommand::Hold,
            GearCommand::Up,
            GearCommand::Down,
            GearCommand::Cancel,
            GearCommand::Engage(Gear(0)),
            GearCommand::Engage(Gear(1)),
            GearCommand::Engage(Gear(-1)),
        ];
        let words: alloc::vec::Vec<u32> = gears
            .iter()
            .flat_map(|gear| [lever(*gear, false), lever(*gear, true)])
            .collect();
        for (n, word) in words.iter().enumerate() {
            assert!(!words[..n].contains(word), "{n}");
        }
    }
}
