//! Reverse by the brake pedal, as in PhysX's samples (ALGORITHMS §5.5): a driver with automatic
//! gears who brakes to a stop and keeps braking reverses, and from then on the pedals are swapped.
//! The same applies in the other direction. A car that rolls against its gear with no pedal pressed
//! also changes gear.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Gear, GearCommand, Inspector, VehicleReport};

use crate::raw::{CarKeys, CarPad, TankKeys, TankMode, TankPad};

/// Speed thresholds for standing, and for rolling against the gear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReverseSpeeds {
    /// Below this forward speed the vehicle stands (`m/s`), > 0.
    pub forward: f32,
    /// Below this sideways speed the vehicle stands (`m/s`), > 0.
    pub sideways: f32,
    /// Above this speed it rolls against its gear (`m/s`), > 0.
    pub rolling: f32,
}

impl ReverseSpeeds {
    fn stands(&self, seen: &VehicleReport) -> bool {
        seen.forward_speed.abs() < self.forward && seen.lateral_speed.abs() < self.sideways
    }

    fn rolls_against_its_gear(&self, seen: &VehicleReport) -> bool {
        (seen.gear == Gear::FIRST && seen.forward_speed < -self.rolling)
            || (seen.gear < Gear::NEUTRAL && seen.forward_speed > self.rolling)
    }
}

impl Check for ReverseSpeeds {
    fn check(&self, i: &mut Inspector) {
        i.positive("forward", self.forward, "m/s");
        i.positive("sideways", self.sideways, "m/s");
        i.positive("rolling", self.rolling, "m/s");
    }
}

/// The driver's request by raw input, with pedals not swapped.
#[derive(Clone, Copy, Debug)]
struct Wish {
    ahead: bool,
    back: bool,
    /// No pedal is pressed.
    free: bool,
    automatic: bool,
}

/// Meaning of the pedals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pedals {
    AsTheyAre,
    Swapped,
    /// Both brake: the current gear would drive the wrong way.
    Braking,
}

impl Pedals {
    /// The driving and the braking value of the two pedals.
    fn meaning<T: Default>(self, drive: T, brake: T, either: impl Fn(T, T) -> T) -> (T, T) {
        match self {
            Self::AsTheyAre => (drive, brake),
            Self::Swapped => (brake, drive),
            Self::Braking => (T::default(), either(drive, brake)),
        }
    }
}

/// Changes of raw input that reversing asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Decision {
    engage: Option<Gear>,
    pedals: Pedals,
}

impl Decision {
    fn gear_request(self, asked: GearCommand) -> GearCommand {
        self.engage.map_or(asked, GearCommand::Engage)
    }
}

/// Reverses by the pedals. It reads the raw input before smoothing. Plain data.
///  The change takes the gearbox's usual time, in which both pedals brake; PhysX's samples engage
/// the gear at once: see [`DriveState::force_gear`](vehicle_core::DriveState::force_gear). Without
/// automatic gears, pedals are never swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoReverse {
    /// Whether the vehicle stood in the last update with the driver on the stopping pedal.
    pub held: bool,
}

impl AutoReverse {
    /// Converts a car's keys, for a vehicle in the state `seen`.
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
        let gear = verdict.gear_request(keys.gear);
        let keys = CarKeys { gear, ..*keys };
        let either = |drive, brake| drive || brake;
        let (throttle, brake) = verdict.pedals.meaning(keys.throttle, keys.brake, either);
        CarKeys {
            throttle,
            brake,
            ..keys
        }
    }

    /// Converts a car's pad, for a vehicle in the state `seen`.
    #[must_use]
    pub fn pad(&mut self, speeds: &ReverseSpeeds, pad: &CarPad, seen: &VehicleReport) -> CarPad {
        let wish = Wish {
            ahead: pad.throttle > 0.0,
            back: pad.brake > 0.0,
            free: !(pad.throttle > 0.0 || pad.brake > 0.0 || pad.handbrake > 0.0),
            automatic: pad.automatic,
        };
        let verdict = self.judge(speeds, wish, seen);
        let gear = verdict.gear_request(pad.gear);
        let pad = CarPad { gear, ..*pad };
        let (throttle, brake) = verdict.pedals.meaning(pad.throttle, pad.brake, f32::max);
        CarPad {
            throttle,
            brake,
            ..pad
        }
    }

    /// Converts a tank's keys, for a vehicle in the state `seen`; both tracks must request the
    /// same.
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
        let gear = verdict.gear_request(keys.gear);
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

    /// Converts a tank's pad, for a vehicle in the state `seen`; both tracks must request the same.
    /// With special tracks a backward thrust counts as braking, and thrusts change sign instead of
    /// being swapped.
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
        let gear = verdict.gear_request(pad.gear);
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

    fn judge(&mut self, speeds: &ReverseSpeeds, wish: Wish, seen: &VehicleReport) -> Decision {
        if !wish.automatic {
            self.held = false;
            return Decision {
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
        Decision { engage, pedals }
    }

    /// The gear to change to, if any.
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
mod tests;
