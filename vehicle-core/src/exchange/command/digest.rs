//! Digests of commands: a sleeping car wakes when its own changes.

use super::{CarCommand, Command, GearCommand, Levers, SteeringInput};
use crate::MAX_WHEELS;
use crate::base::digest::Digest;

impl Command {
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
                let pedals = digest
                    .numbers(&pedals)
                    .word(gear_request(car.gear, car.automatic));
                car.levers.added_to(car.hands_added_to(pedals))
            }
            Self::Tank(tank) => {
                let pedals = digest.numbers(&[tank.throttle]);
                let tracks = pedals.numbers(&tank.thrust).numbers(&tank.brake);
                tracks.word(gear_request(tank.gear, tank.automatic))
            }
            Self::Wheels(given) => {
                let lists = [&given.drive, &given.brake, &given.steer];
                let add =
                    |digest: Digest, list: &[f32; MAX_WHEELS]| digest.numbers(&list[..wheels]);
                lists.into_iter().fold(digest, add)
            }
        }
    }
}

impl CarCommand {
    /// A digest with the hands on the steering wheel, if any, added.
    fn hands_added_to(&self, digest: Digest) -> Digest {
        match self.steering_wheel {
            None => digest,
            Some(SteeringInput::Angle(angle)) => digest.numbers(&[angle]).word(1),
            Some(SteeringInput::Torque(torque)) => digest.numbers(&[torque]).word(2),
        }
    }
}

impl Levers {
    /// A digest with the levers, if any is used, added.
    fn added_to(&self, digest: Digest) -> Digest {
        if *self == Self::RELEASED {
            return digest;
        }
        let switches = [self.manual_clutch, self.starter, self.power_take_off];
        let switches = switches
            .iter()
            .fold(1, |bits, on| bits << 1 | u8::from(*on));
        digest.word(u32::from_le_bytes([self.range, self.retarder, switches, 3]))
    }
}

/// Gear request and the autobox's switch as one word.
fn gear_request(gear: GearCommand, automatic: bool) -> u32 {
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
    use super::super::{Gear, TankCommand, WheelCommand};
    use super::*;
    use rstest::rstest;
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
    #[case(|c: &mut CarCommand| c.levers.manual_clutch = true)]
    #[case(|c: &mut CarCommand| c.levers.starter = true)]
    #[case(|c: &mut CarCommand| c.levers.range = 1)]
    #[case(|c: &mut CarCommand| c.levers.retarder = 1)]
    #[case(|c: &mut CarCommand| c.levers.power_take_off = true)]
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
            .flat_map(|gear| [gear_request(*gear, false), gear_request(*gear, true)])
            .collect();
        for (n, word) in words.iter().enumerate() {
            assert!(!words[..n].contains(word), "{n}");
        }
    }
}
