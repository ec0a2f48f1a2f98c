//! Checks of commands, as a vehicle takes them.

use super::{CarCommand, Command, SteeringInput};
use crate::MAX_WHEELS;
use crate::base::lanes::W4;
use crate::exchange::step_error::StepError;

/// A checked command.
#[derive(Debug)]
pub(crate) struct Examined {
    /// The command to use.
    pub(crate) command: Command,
    /// Whether any value of the command was clamped.
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
    ) -> Result<(), StepError> {
        if !value.is_finite() {
            return Err(StepError::NotFinite {
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
            return Err(StepError::OutOfRange {
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
    /// Whether a command is the common case: a car's with every value in range, which needs no further check.
    #[inline]
    pub(crate) fn is_usual(&self) -> bool {
        matches!(self, Self::Car(car) if car.is_within_range())
    }

    /// The command as a vehicle of `wheels` wheels takes it: values out of range are clamped, or, if it `refuses`
    /// them, errors.
    ///
    /// # Errors
    /// If a value is not finite, or refused, or there is not one per wheel.
    pub fn accepted(&self, refuses: bool, wheels: usize) -> Result<Self, StepError> {
        Ok(self.examined(refuses, wheels)?.command)
    }

    /// The command for a vehicle with `wheels` wheels: values out of range clamped, entries of missing wheels
    /// zero. If it `refuses`, values out of range by more than the tolerance are an error instead.
    ///
    /// # Errors
    /// For the first value that is not finite or refused.
    pub(crate) fn examined(&self, refuses: bool, wheels: usize) -> Result<Examined, StepError> {
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
    fn examine(&mut self, refuses: bool) -> Result<bool, StepError> {
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

impl SteeringInput {
    /// The number, in or out of range.
    fn value(self) -> f32 {
        match self {
            Self::Angle(x) | Self::Torque(x) => x,
        }
    }
}

impl CarCommand {
    /// Whether every value of the command is finite and within its range.
    fn is_within_range(&self) -> bool {
        let pedals = [self.throttle, self.brake, self.handbrake, self.clutch];
        let pedals = W4::from_array(pedals);
        (pedals.ge(W4::ZERO) & pedals.le(W4::ONE)).all()
            && self.steer.abs() <= 1.0
            && self.steering_wheel.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::WheelCommand;
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
        #[case] expected: Result<bool, StepError>,
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
            assert!(matches!(fault, StepError::NotFinite { field: "steer", .. }));
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
            StepError::NotFinite {
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
}
