//! Actions by name: how a row of numbers becomes a driver's command.

use driver_input::{CarHands, CarPad, CarRates, CarSmoothing, Rate};
use jounce::core::command::GearCommand;
use jounce::core::{CarCommand, Checked, Gear, VehicleReport, math};
use jounce::file::Car;

use crate::error::BatchError;

/// One number of an action; numbers beyond their range are clamped to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Accelerator, 0…1.
    Throttle,
    /// Brake, 0…1.
    Brake,
    /// Brake −1 … accelerator 1.
    Pedals,
    /// Steering, −1 left … 1 right.
    Steer,
    /// Handbrake, 0…1.
    Handbrake,
    /// Clutch pedal, 0 released … 1 pressed.
    Clutch,
    /// Gear by number, rounded: −1 reverse, 0 neutral; the automatic does not change gears then.
    Gear,
    /// Below 0 reverse, otherwise forward, in gears that the automatic chooses.
    Direction,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 8] = [
        Self::Throttle,
        Self::Brake,
        Self::Pedals,
        Self::Steer,
        Self::Handbrake,
        Self::Clutch,
        Self::Gear,
        Self::Direction,
    ];

    /// Name of the action.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Throttle => "throttle",
            Self::Brake => "brake",
            Self::Pedals => "pedals",
            Self::Steer => "steer",
            Self::Handbrake => "handbrake",
            Self::Clutch => "clutch",
            Self::Gear => "gear",
            Self::Direction => "direction",
        }
    }

    /// Least and greatest value (–).
    #[must_use]
    pub const fn range(self) -> [f32; 2] {
        match self {
            Self::Throttle | Self::Brake | Self::Handbrake | Self::Clutch => [0.0, 1.0],
            Self::Pedals | Self::Steer | Self::Direction => [-1.0, 1.0],
            Self::Gear => [-1.0, 10.0],
        }
    }

    /// The actions with these names.
    pub(crate) fn all_named(names: &[String]) -> Result<Vec<Self>, BatchError> {
        let mut actions = Vec::new();
        for name in names {
            let found = Self::ALL.into_iter().find(|action| action.name() == name);
            let known = Self::ALL.map(Self::name);
            let action = found.ok_or_else(|| BatchError::unknown("actions", name, known))?;
            if actions.contains(&action) {
                let expected = "named once each";
                return Err(BatchError::argument("actions", expected, name, ""));
            }
            actions.push(action);
        }
        Ok(actions)
    }

    /// Sets its part of a command, for a drive that is in, or changes to, this gear.
    fn set(self, value: f32, gear: Gear, command: &mut CarCommand) {
        let [low, high] = self.range();
        let value = value.clamp(low, high);
        match self {
            Self::Throttle => command.throttle = value,
            Self::Brake => command.brake = value,
            Self::Pedals => {
                command.throttle = value.max(0.0);
                command.brake = (-value).max(0.0);
            }
            Self::Steer => command.steer = value,
            Self::Handbrake => command.handbrake = value,
            Self::Clutch => command.clutch = value,
            Self::Gear => {
                command.automatic = false;
                engage(Gear(math::nearest(value) as i8), gear, command);
            }
            Self::Direction if value < 0.0 && gear.0 >= 0 => {
                engage(Gear::REVERSE, gear, command);
            }
            Self::Direction if value >= 0.0 && gear.0 < 1 => engage(Gear::FIRST, gear, command),
            Self::Direction => {}
        }
    }
}

impl Action {
    /// The value with which it asks for its part of a command in a gear that the automatic chooses; steering has a `limit` (–), of which
    /// it is a part.
    fn of(self, command: &CarCommand, limit: f32) -> f32 {
        match self {
            Self::Throttle => command.throttle,
            Self::Brake => command.brake,
            Self::Pedals => command.throttle - command.brake,
            Self::Steer => (command.steer / limit).clamp(-1.0, 1.0),
            Self::Handbrake => command.handbrake,
            Self::Clutch => command.clutch,
            Self::Gear | Self::Direction => 1.0,
        }
    }
}

/// The row of actions by which hands, if there are any, follow a command at a forward speed (`m/s`).
pub(crate) fn row(
    actions: &[Action],
    command: &CarCommand,
    hands: Option<(&Checked<CarSmoothing>, f32)>,
    row: &mut [f32],
) {
    let limit = hands.map_or(1.0, |(hands, speed)| {
        hands.steer_limit.by_speed.at(speed.abs())
    });
    for (action, value) in actions.iter().zip(row) {
        *value = action.of(command, limit);
    }
}

/// Requests a gear, unless it is engaged or being changed to.
fn engage(wanted: Gear, gear: Gear, command: &mut CarCommand) {
    if wanted != gear {
        command.gear = GearCommand::Engage(wanted);
    }
}

/// The command of a row, for a drive that is in, or changes to, this gear.
pub(crate) fn command(actions: &[Action], row: &[f32], gear: Gear) -> CarCommand {
    let mut command = CarCommand::default();
    for (action, &value) in actions.iter().zip(row) {
        action.set(value, gear, &mut command);
    }
    command
}

/// Rate of a pedal or lever that takes 0.15 s from end to end, and of a steering wheel that takes 0.45 s from the middle to the
/// lock (`1/s`): quick drivers.
const PEDALS: Rate = Rate::new(1.0 / 0.15, 1.0 / 0.15);
const STEERING: Rate = Rate::new(1.0 / 0.45, 1.0 / 0.45);

/// Hands and feet of a car's driver: finite rates, and less steering at speed, by the car's own data.
pub(crate) fn hands(car: &Car) -> Checked<CarSmoothing> {
    let mut smoothing = car.smoothing();
    smoothing.rates = CarRates::symmetric(PEDALS, PEDALS, STEERING);
    smoothing.steer_limit.sharpness = 0.0;
    smoothing.grip = None;
    Checked::new(smoothing).expect("limits that are made for a car are valid")
}

/// The command of hands that follow a wanted command for `dt` (`s`); they stay where the car's speed is not finite.
pub(crate) fn followed(
    hands: &mut CarHands,
    smoothing: &Checked<CarSmoothing>,
    wanted: &CarCommand,
    seen: &VehicleReport,
    dt: f32,
) -> CarCommand {
    let pad = CarPad {
        throttle: wanted.throttle,
        brake: wanted.brake,
        handbrake: wanted.handbrake,
        steer: wanted.steer,
        gear: wanted.gear,
        automatic: wanted.automatic,
    };
    let followed = hands.follow(smoothing, &pad, seen, dt);
    let command = followed.unwrap_or(CarCommand {
        throttle: hands.throttle,
        brake: hands.brake,
        steer: hands.steer(),
        ..*wanted
    });
    CarCommand {
        clutch: wanted.clutch,
        ..command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::presets;
    use rstest::rstest;

    fn of(name: &str, value: f32, gear: i8) -> CarCommand {
        let actions = Action::all_named(&[name.to_owned()]).unwrap();
        command(&actions, &[value], Gear(gear))
    }

    #[rstest]
    #[case("throttle", 0.5, CarCommand { throttle: 0.5, ..CarCommand::default() })]
    #[case("throttle", -2.0, CarCommand::default())]
    #[case("brake", 7.0, CarCommand { brake: 1.0, ..CarCommand::default() })]
    #[case("pedals", 0.5, CarCommand { throttle: 0.5, ..CarCommand::default() })]
    #[case("pedals", -0.5, CarCommand { brake: 0.5, ..CarCommand::default() })]
    #[case("steer", -0.3, CarCommand { steer: -0.3, ..CarCommand::default() })]
    #[case("handbrake", 0.4, CarCommand { handbrake: 0.4, ..CarCommand::default() })]
    #[case("clutch", 0.4, CarCommand { clutch: 0.4, ..CarCommand::default() })]
    fn each_action_sets_its_part(
        #[case] name: &str,
        #[case] value: f32,
        #[case] expected: CarCommand,
    ) {
        assert_eq!(of(name, value, 1), expected);
    }

    #[rstest]
    #[case("gear", 2.4, 1, GearCommand::Engage(Gear(2)), false)]
    #[case("gear", 1.0, 1, GearCommand::Hold, false)]
    #[case("gear", -3.0, 1, GearCommand::Engage(Gear::REVERSE), false)]
    #[case("direction", -0.1, 2, GearCommand::Engage(Gear::REVERSE), true)]
    #[case("direction", -0.1, -1, GearCommand::Hold, true)]
    #[case("direction", 0.0, -1, GearCommand::Engage(Gear::FIRST), true)]
    #[case("direction", 1.0, 0, GearCommand::Engage(Gear::FIRST), true)]
    #[case("direction", 1.0, 3, GearCommand::Hold, true)]
    fn gears_are_requested_once(
        #[case] name: &str,
        #[case] value: f32,
        #[case] gear: i8,
        #[case] expected: GearCommand,
        #[case] automatic: bool,
    ) {
        let command = of(name, value, gear);
        assert_eq!((command.gear, command.automatic), (expected, automatic));
    }

    #[test]
    fn unknown_and_repeated_actions_are_refused() {
        let told = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            Action::all_named(&names).unwrap_err().to_string()
        };
        assert_eq!(
            told(&["stear"]),
            "actions: \"stear\" is not known, did you mean steer or gear?"
        );
        assert_eq!(
            told(&["steer", "steer"]),
            "actions = steer: must be named once each"
        );
    }

    #[test]
    fn a_command_is_asked_for_by_a_row() {
        let actions: Vec<_> = ["pedals", "steer", "direction", "handbrake"]
            .map(str::to_owned)
            .into();
        let actions = Action::all_named(&actions).unwrap();
        let wanted = CarCommand {
            brake: 0.25,
            steer: -0.05,
            handbrake: 0.5,
            ..CarCommand::default()
        };
        let mut asked = [0.0; 4];
        row(&actions, &wanted, None, &mut asked);
        assert_eq!(asked, [-0.25, -0.05, 1.0, 0.5]);
        assert_eq!(command(&actions, &asked, Gear::FIRST), wanted);
        let hands = hands(&presets::sedan());
        row(&actions, &wanted, Some((&hands, 30.0)), &mut asked);
        let limit = hands.steer_limit.by_speed.at(30.0);
        assert!(limit < 0.8 && (asked[1] * limit + 0.05).abs() < 1e-6);
    }

    #[test]
    fn hands_take_their_time_and_steer_less_at_speed() {
        let smoothing = hands(&presets::sedan());
        let wanted = of("steer", 1.0, 1);
        let steered = |forward_speed, steps| {
            let seen = VehicleReport {
                forward_speed,
                ..VehicleReport::STANDING
            };
            let mut hands = CarHands::default();
            let follow = |_| followed(&mut hands, &smoothing, &wanted, &seen, 0.045).steer;
            (0..steps).map(follow).last().unwrap()
        };
        assert!((steered(0.0, 5) - 0.5).abs() < 1e-5);
        assert_eq!(steered(0.0, 20), 1.0);
        assert!(steered(40.0, 20) < 0.5);
    }
}
