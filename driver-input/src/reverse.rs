//! Reverse by the brake pedal, as PhysX's samples have it (ALGORITHMS §5.5): a driver with automatic
//! gears who brakes to a stop and keeps braking reverses, and from then on the pedals are swapped. The
//! other way round in the same way. A car that rolls against its gear with no pedal touched changes,
//! too.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Gear, GearCommand, Inspector, VehicleReport, scaled};

use crate::car::{CarKeys, CarPad};
use crate::tank::{TankKeys, TankMode, TankPad};

/// What counts as standing, and as rolling against the gear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReverseSpeeds {
    /// Slower than this along the vehicle, it stands [m/s], > 0.
    pub forward: f32,
    /// Slower than this across the vehicle, it stands [m/s], > 0.
    pub sideways: f32,
    /// Faster than this, it rolls against its gear [m/s], > 0.
    pub rolling: f32,
}

impl ReverseSpeeds {
    /// Those of PhysX's samples.
    pub const PHYSX: Self = Self {
        forward: 0.1,
        sideways: 0.2,
        rolling: 0.1,
    };

    fn stands(&self, seen: &VehicleReport) -> bool {
        seen.forward_speed.abs() < self.forward && seen.lateral_speed.abs() < self.sideways
    }

    fn rolls_against_its_gear(&self, seen: &VehicleReport) -> bool {
        (seen.gear == Gear::FIRST && seen.forward_speed < -self.rolling)
            || (seen.gear < Gear::NEUTRAL && seen.forward_speed > self.rolling)
    }
}

scaled!(ReverseSpeeds {
    forward: [1, 0],
    sideways: [1, 0],
    rolling: [1, 0],
});

impl Check for ReverseSpeeds {
    fn check(&self, i: &mut Inspector) {
        i.positive("forward", self.forward, "m/s");
        i.positive("sideways", self.sideways, "m/s");
        i.positive("rolling", self.rolling, "m/s");
    }
}

/// What raw input asks for, pedals not swapped.
#[derive(Clone, Copy, Debug)]
struct Wish {
    ahead: bool,
    back: bool,
    /// No pedal is touched.
    free: bool,
    automatic: bool,
}

/// What the pedals mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pedals {
    AsTheyAre,
    Swapped,
    /// Either of them brakes: the gear that is in would drive the wrong way.
    Braking,
}

impl Pedals {
    /// What drives and what brakes, of the two that are pressed.
    fn meaning<T: Default>(self, drive: T, brake: T, either: impl Fn(T, T) -> T) -> (T, T) {
        match self {
            Self::AsTheyAre => (drive, brake),
            Self::Swapped => (brake, drive),
            Self::Braking => (T::default(), either(drive, brake)),
        }
    }
}

/// What is to be done with raw input.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Verdict {
    engage: Option<Gear>,
    pedals: Pedals,
}

impl Verdict {
    fn lever(self, asked: GearCommand) -> GearCommand {
        self.engage.map_or(asked, GearCommand::Engage)
    }
}

/// Reverses by the pedals. It looks at the raw input before that is smoothed. Plain data.
///
/// The change takes the gearbox's usual time, in which both pedals brake; PhysX's samples put the gear
/// in at once, for which there is [`DriveState::force_gear`](vehicle_core::DriveState::force_gear).
/// Without automatic gears, pedals are never swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoReverse {
    /// Whether the vehicle stood in the last update, its driver on the pedal that stops it.
    pub held: bool,
}

impl AutoReverse {
    /// What the keys of a car mean, whose driver sees it so.
    #[must_use]
    pub fn keys(
        &mut self,
        speeds: &ReverseSpeeds,
        keys: &CarKeys,
        seen: &VehicleReport,
    ) -> CarKeys {
        let wish = Wish {
            ahead: keys.throttle,
            back: keys.brake,
            free: !(keys.throttle || keys.brake || keys.handbrake),
            automatic: keys.automatic,
        };
        let verdict = self.judge(speeds, wish, seen);
        let gear = verdict.lever(keys.gear);
        let keys = CarKeys { gear, ..*keys };
        let either = |drive, brake| drive || brake;
        let (throttle, brake) = verdict.pedals.meaning(keys.throttle, keys.brake, either);
        CarKeys {
            throttle,
            brake,
            ..keys
        }
    }

    /// What the pad of a car means, whose driver sees it so.
    #[must_use]
    pub fn pad(&mut self, speeds: &ReverseSpeeds, pad: &CarPad, seen: &VehicleReport) -> CarPad {
        let wish = Wish {
            ahead: pad.throttle > 0.0,
            back: pad.brake > 0.0,
            free: !(pad.throttle > 0.0 || pad.brake > 0.0 || pad.handbrake > 0.0),
            automatic: pad.automatic,
        };
        let verdict = self.judge(speeds, wish, seen);
        let gear = verdict.lever(pad.gear);
        let pad = CarPad { gear, ..*pad };
        let (throttle, brake) = verdict.pedals.meaning(pad.throttle, pad.brake, f32::max);
        CarPad {
            throttle,
            brake,
            ..pad
        }
    }

    /// What the keys of a tank mean, whose driver sees it so; both tracks must ask for the same.
    #[must_use]
    pub fn tank_keys(
        &mut self,
        speeds: &ReverseSpeeds,
        keys: &TankKeys,
        seen: &VehicleReport,
    ) -> TankKeys {
        let both = |channel: [bool; 2]| channel[0] && channel[1];
        let any = |channel: [bool; 2]| channel[0] || channel[1];
        let wish = Wish {
            ahead: both(keys.thrust),
            back: both(keys.brake),
            free: !(keys.throttle || any(keys.thrust) || any(keys.brake)),
            automatic: keys.automatic,
        };
        let verdict = self.judge(speeds, wish, seen);
        let gear = verdict.lever(keys.gear);
        let keys = TankKeys { gear, ..*keys };
        let either = |drive: [bool; 2], brake: [bool; 2]| [0, 1].map(|n| drive[n] || brake[n]);
        let (thrust, brake) = verdict.pedals.meaning(keys.thrust, keys.brake, either);
        TankKeys {
            throttle: keys.throttle && verdict.pedals != Pedals::Braking,
            thrust,
            brake,
            ..keys
        }
    }

    /// What the pad of a tank means, whose driver sees it so; both tracks must ask for the same. With
    /// special tracks a thrust backwards counts as braking, and thrusts change their sign instead of
    /// their place.
    #[must_use]
    pub fn tank_pad(
        &mut self,
        speeds: &ReverseSpeeds,
        pad: &TankPad,
        mode: TankMode,
        seen: &VehicleReport,
    ) -> TankPad {
        let pull = [0, 1].map(|side| pad.thrust[side] - pad.brake[side]);
        let touched = |x: &f32| *x != 0.0;
        let channels = [[pad.throttle, 0.0], pad.thrust, pad.brake];
        let wish = Wish {
            ahead: pull.iter().all(|x| *x > 0.0),
            back: pull.iter().all(|x| *x < 0.0),
            free: !channels.as_flattened().iter().any(touched),
            automatic: pad.automatic,
        };
        let verdict = self.judge(speeds, wish, seen);
        let gear = verdict.lever(pad.gear);
        let pad = TankPad { gear, ..*pad };
        if (verdict.pedals, mode) == (Pedals::Swapped, TankMode::Special) {
            let thrust = pad.thrust.map(|x| -x);
            return TankPad { thrust, ..pad };
        }
        let either =
            |drive: [f32; 2], brake: [f32; 2]| [0, 1].map(|n| drive[n].abs().max(brake[n]));
        let (thrust, brake) = verdict.pedals.meaning(pad.thrust, pad.brake, either);
        let braking = verdict.pedals == Pedals::Braking;
        TankPad {
            throttle: if braking { 0.0 } else { pad.throttle },
            thrust,
            brake,
            ..pad
        }
    }

    fn judge(&mut self, speeds: &ReverseSpeeds, wish: Wish, seen: &VehicleReport) -> Verdict {
        if !wish.automatic {
            self.held = false;
            return Verdict {
                engage: None,
                pedals: Pedals::AsTheyAre,
            };
        }
        let engage = self.change(speeds, wish, seen);
        let (forward, reverse) = (seen.gear >= Gear::FIRST, seen.gear < Gear::NEUTRAL);
        let stopping = (forward && wish.back) || (reverse && wish.ahead);
        self.held = !seen.in_air && speeds.stands(seen) && stopping;
        let target = engage.unwrap_or(seen.target_gear);
        let pedals = if target.0.signum() * seen.gear.0.signum() < 0 {
            Pedals::Braking
        } else if target < Gear::NEUTRAL {
            Pedals::Swapped
        } else {
            Pedals::AsTheyAre
        };
        Verdict { engage, pedals }
    }

    /// The gear that it is time for.
    fn change(&self, speeds: &ReverseSpeeds, wish: Wish, seen: &VehicleReport) -> Option<Gear> {
        if seen.in_air || seen.gear != seen.target_gear {
            return None;
        }
        let reverse = seen.gear < Gear::NEUTRAL;
        let other = if reverse { Gear::FIRST } else { Gear::REVERSE };
        if wish.free {
            return speeds.rolls_against_its_gear(seen).then_some(other);
        }
        let asked = if reverse {
            wish.ahead && !wish.back
        } else {
            seen.gear >= Gear::FIRST && wish.back && !wish.ahead
        };
        (self.held && speeds.stands(seen) && asked).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const BACK: CarKeys = CarKeys {
        brake: true,
        ..CarKeys::FREE
    };
    const AHEAD: CarKeys = CarKeys {
        throttle: true,
        ..CarKeys::FREE
    };

    fn seen(gear: i8, forward_speed: f32) -> VehicleReport {
        VehicleReport {
            gear: Gear(gear),
            target_gear: Gear(gear),
            forward_speed,
            ..VehicleReport::STANDING
        }
    }

    fn look(reverse: &mut AutoReverse, keys: CarKeys, seen: &VehicleReport) -> CarKeys {
        reverse.keys(&ReverseSpeeds::PHYSX, &keys, seen)
    }

    #[test]
    fn braking_on_in_a_car_that_has_stopped_reverses_in_the_second_update() {
        let mut reverse = AutoReverse::default();
        assert_eq!(look(&mut reverse, BACK, &seen(1, 3.0)), BACK);
        assert_eq!(look(&mut reverse, BACK, &seen(1, 0.05)), BACK);
        let asked = look(&mut reverse, BACK, &seen(1, 0.02));
        assert_eq!(asked.gear, GearCommand::Engage(Gear::REVERSE));
        assert!(!asked.throttle && asked.brake);
        let changed = look(&mut reverse, BACK, &seen(-1, 0.0));
        assert_eq!(changed.gear, GearCommand::Hold);
        assert!(changed.throttle && !changed.brake);
    }

    #[test]
    fn accelerating_on_in_a_car_that_has_stopped_from_reverse_goes_ahead() {
        let mut reverse = AutoReverse::default();
        let braking = look(&mut reverse, AHEAD, &seen(-1, -2.0));
        assert!(braking.brake && !braking.throttle);
        let _ = look(&mut reverse, AHEAD, &seen(-1, -0.05));
        let asked = look(&mut reverse, AHEAD, &seen(-1, -0.02));
        assert_eq!(asked.gear, GearCommand::Engage(Gear::FIRST));
        assert!(!asked.throttle && asked.brake);
        assert_eq!(look(&mut reverse, AHEAD, &seen(1, 0.0)), AHEAD);
    }

    #[rstest]
    #[case::in_first(1, -1, false)]
    #[case::in_reverse(-1, 1, false)]
    #[case::in_neutral(0, -1, true)]
    #[case::up_through_the_gears(1, 2, false)]
    fn no_pedal_drives_the_wrong_way_while_gears_change(
        #[case] gear: i8,
        #[case] target: i8,
        #[case] drives: bool,
    ) {
        let changing = VehicleReport {
            target_gear: Gear(target),
            ..seen(gear, 0.0)
        };
        let keys = look(&mut AutoReverse::default(), BACK, &changing);
        assert_eq!((keys.throttle, keys.brake), (drives, !drives));
        let pad = CarPad {
            brake: 0.7,
            ..CarPad::FREE
        };
        let pad = AutoReverse::default().pad(&ReverseSpeeds::PHYSX, &pad, &changing);
        let expected = if drives { (0.7, 0.0) } else { (0.0, 0.7) };
        assert_eq!((pad.throttle, pad.brake), expected);
    }

    #[test]
    fn lower_reverse_gears_are_left_like_the_first() {
        let mut reverse = AutoReverse::default();
        let braking = look(&mut reverse, AHEAD, &seen(-2, -0.05));
        assert!(braking.brake && !braking.throttle);
        let asked = look(&mut reverse, AHEAD, &seen(-2, -0.02));
        assert_eq!(asked.gear, GearCommand::Engage(Gear::FIRST));
        let rolling = look(&mut AutoReverse::default(), CarKeys::FREE, &seen(-2, 0.2));
        assert_eq!(rolling.gear, GearCommand::Engage(Gear::FIRST));
    }

    #[rstest]
    #[case::back_in_first(1, -0.2, Some(Gear::REVERSE))]
    #[case::ahead_in_reverse(-1, 0.2, Some(Gear::FIRST))]
    #[case::back_in_second(2, -0.2, None)]
    #[case::slowly(1, -0.05, None)]
    #[case::ahead_in_first(1, 0.2, None)]
    fn a_free_car_that_rolls_against_its_gear_changes(
        #[case] gear: i8,
        #[case] speed: f32,
        #[case] change: Option<Gear>,
    ) {
        let keys = look(
            &mut AutoReverse::default(),
            CarKeys::FREE,
            &seen(gear, speed),
        );
        assert_eq!(
            keys.gear,
            change.map_or(GearCommand::Hold, GearCommand::Engage)
        );
    }

    #[rstest]
    #[case::manual_gears(CarKeys { automatic: false, ..BACK }, seen(1, 0.0))]
    #[case::in_the_air(BACK, VehicleReport { in_air: true, ..seen(1, 0.0) })]
    #[case::sliding(BACK, VehicleReport { lateral_speed: 0.5, ..seen(1, 0.0) })]
    #[case::both_pedals(CarKeys { throttle: true, ..BACK }, seen(1, 0.0))]
    #[case::blind(BACK, seen(1, f32::NAN))]
    fn otherwise_nothing_changes(#[case] keys: CarKeys, #[case] seen: VehicleReport) {
        let mut reverse = AutoReverse::default();
        for _ in 0..3 {
            assert_eq!(look(&mut reverse, keys, &seen), keys);
        }
    }

    #[test]
    fn a_pad_does_the_same() {
        let mut reverse = AutoReverse::default();
        let pad = CarPad {
            brake: 0.7,
            ..CarPad::FREE
        };
        let speeds = ReverseSpeeds::PHYSX;
        assert_eq!(reverse.pad(&speeds, &pad, &seen(1, 0.0)), pad);
        let asked = reverse.pad(&speeds, &pad, &seen(1, 0.0));
        assert_eq!((asked.throttle, asked.brake), (0.0, 0.7));
        assert_eq!(asked.gear, GearCommand::Engage(Gear::REVERSE));
        let changed = reverse.pad(&speeds, &pad, &seen(-1, 0.0));
        assert_eq!((changed.throttle, changed.brake), (0.7, 0.0));
    }

    #[rstest]
    #[case::standard(TankMode::Standard, [0.0, 0.0], [0.6, 0.8], [0.6, 0.8], [0.0, 0.0])]
    #[case::special(TankMode::Special, [-0.6, -0.8], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0])]
    fn tracks_are_swapped_or_turned_round(
        #[case] mode: TankMode,
        #[case] thrust: [f32; 2],
        #[case] brake: [f32; 2],
        #[case] then_thrust: [f32; 2],
        #[case] then_brake: [f32; 2],
    ) {
        let mut reverse = AutoReverse::default();
        let pad = TankPad {
            thrust,
            brake,
            ..TankPad::FREE
        };
        let speeds = ReverseSpeeds::PHYSX;
        assert_eq!(reverse.tank_pad(&speeds, &pad, mode, &seen(1, 0.0)), pad);
        let asked = reverse.tank_pad(&speeds, &pad, mode, &seen(1, 0.0));
        assert_eq!((asked.thrust, asked.brake), ([0.0; 2], [0.6, 0.8]));
        let changed = reverse.tank_pad(&speeds, &pad, mode, &seen(-1, 0.0));
        assert_eq!((changed.thrust, changed.brake), (then_thrust, then_brake));
    }

    #[test]
    fn one_track_alone_does_not_reverse_a_tank() {
        let mut reverse = AutoReverse::default();
        let keys = TankKeys {
            brake: [true, false],
            ..TankKeys::FREE
        };
        for _ in 0..3 {
            let same = reverse.tank_keys(&ReverseSpeeds::PHYSX, &keys, &seen(1, 0.0));
            assert_eq!(same, keys);
        }
        let both = TankKeys {
            brake: [true; 2],
            ..keys
        };
        for _ in 0..2 {
            let stopping = reverse.tank_keys(&ReverseSpeeds::PHYSX, &both, &seen(1, 0.0));
            assert_eq!((stopping.thrust, stopping.brake), ([false; 2], [true; 2]));
        }
        let changed = reverse.tank_keys(&ReverseSpeeds::PHYSX, &both, &seen(-1, 0.0));
        assert_eq!((changed.thrust, changed.brake), ([true; 2], [false; 2]));
    }
}
