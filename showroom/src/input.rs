//! Keys and pads to commands: the library's smoothing and reversing.

use std::collections::BTreeSet;
use std::sync::Arc;

use jounce::core::{CarCommand, Checked, GearCommand, Levers, VehicleModel, VehicleReport};
use jounce::input::{AutoReverse, CarHands, CarKeys, CarPad, CarSmoothing, ReverseSpeeds};

/// A control that a driver can press.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Pedal {
    /// Accelerates.
    Throttle,
    /// Brakes, then reverses.
    Brake,
    /// Steers left.
    Left,
    /// Steers right.
    Right,
    /// Pulls the handbrake.
    Handbrake,
    /// One gear up.
    GearUp,
    /// One gear down.
    GearDown,
    /// Presses the clutch pedal.
    Clutch,
    /// Turns the starter.
    Starter,
}

/// Speeds at which a foot presses and releases the clutch pedal (`1/s`).
const PRESSES: f32 = 6.0;
const RELEASES: f32 = 1.5;

/// The driver's hands and feet.
#[derive(Debug)]
pub struct DriverInput {
    held: BTreeSet<Pedal>,
    /// A gear change that the next step makes.
    gear_request: GearCommand,
    pad: Option<CarPad>,
    /// Whether the gearbox changes gear by itself.
    pub automatic: bool,
    /// Positions of the levers; the starter follows its key.
    pub levers: Levers,
    /// Position of the clutch pedal, 0…1.
    clutch: f32,
    reverse: AutoReverse,
    hands: CarHands,
    /// The car for which the smoothing is made.
    car: Option<Arc<VehicleModel>>,
    smoothing: Checked<CarSmoothing>,
}

impl Default for DriverInput {
    fn default() -> Self {
        Self {
            held: BTreeSet::new(),
            gear_request: GearCommand::Hold,
            pad: None,
            automatic: true,
            levers: Levers::RELEASED,
            clutch: 0.0,
            reverse: AutoReverse::default(),
            hands: CarHands::default(),
            car: None,
            smoothing: checked(CarSmoothing::physx_keys()),
        }
    }
}

fn checked(smoothing: CarSmoothing) -> Checked<CarSmoothing> {
    Checked::new(smoothing).expect("the library's own are valid")
}

impl DriverInput {
    /// Smooths keys and pad for this car from now on.
    pub fn sit_in(&mut self, car: &Arc<VehicleModel>) {
        if !self
            .car
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, car))
        {
            self.smoothing = checked(CarSmoothing::for_car(car));
            self.car = Some(Arc::clone(car));
        }
    }

    /// A key or button goes down or up.
    pub fn press(&mut self, pedal: Pedal, down: bool) {
        match (pedal, down) {
            (Pedal::GearUp, true) => self.gear_request = GearCommand::Up,
            (Pedal::GearDown, true) => self.gear_request = GearCommand::Down,
            (_, true) => {
                self.held.insert(pedal);
            }
            (_, false) => {
                self.held.remove(&pedal);
            }
        }
    }

    /// The pad's present state; `None` without a pad, or when it has been unplugged.
    pub fn hold_pad(&mut self, pad: Option<CarPad>) {
        self.pad = pad;
    }

    /// Releases everything, as when the window loses its focus.
    pub fn release(&mut self) {
        self.held.clear();
    }

    /// The command of the next step of `dt` (`s`) for a car that looks like this. A pad in use comes first.
    pub fn command(&mut self, seen: &VehicleReport, dt: f32) -> CarCommand {
        let gear = core::mem::take(&mut self.gear_request);
        let pressed = self.held.contains(&Pedal::Clutch);
        let reach = if pressed { PRESSES } else { -RELEASES };
        self.clutch = (self.clutch + reach * dt).clamp(0.0, 1.0);
        let levers = Levers {
            starter: self.held.contains(&Pedal::Starter),
            ..self.levers
        };
        let (speeds, automatic) = (&ReverseSpeeds::PHYSX, self.automatic);
        let used = |pad: &CarPad| *pad != CarPad::FREE;
        let command = match self.pad.filter(used).filter(|_| self.held.is_empty()) {
            Some(pad) => {
                let pad = CarPad {
                    gear,
                    automatic,
                    ..pad
                };
                let pad = self.reverse.pad(speeds, &pad, seen);
                self.hands.follow(&self.smoothing, &pad, seen, dt)
            }
            None => {
                let held = |pedal| self.held.contains(&pedal);
                let keys = CarKeys {
                    throttle: held(Pedal::Throttle),
                    brake: held(Pedal::Brake),
                    handbrake: held(Pedal::Handbrake),
                    left: held(Pedal::Left),
                    right: held(Pedal::Right),
                    gear,
                    automatic,
                };
                let keys = self.reverse.keys(speeds, &keys, seen);
                self.hands.press(&self.smoothing, &keys, seen, dt)
            }
        };
        // What is not finite is refused: then nothing is pressed.
        CarCommand {
            clutch: self.clutch,
            levers,
            ..command.unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    #[test]
    fn keys_are_smoothed() {
        let mut driver = DriverInput::default();
        driver.press(Pedal::Throttle, true);
        let first = driver.command(&VehicleReport::STANDING, DT).throttle;
        assert!(first > 0.0 && first < 0.2, "{first}");
        for _ in 0..60 {
            driver.command(&VehicleReport::STANDING, DT);
        }
        assert_eq!(driver.command(&VehicleReport::STANDING, DT).throttle, 1.0);
        driver.release();
        assert!(driver.command(&VehicleReport::STANDING, DT).throttle < 1.0);
    }

    #[test]
    fn steering_is_limited_for_the_car_that_is_driven() {
        let held = |name: &str| {
            let mut driver = DriverInput::default();
            driver.sit_in(&jounce::presets::by_name(name).unwrap().model());
            driver.press(Pedal::Right, true);
            let seen = VehicleReport {
                forward_speed: 25.0,
                ..VehicleReport::STANDING
            };
            let steers = (0..120).map(|_| driver.command(&seen, DT).steer);
            steers.last().unwrap()
        };
        assert!(held("truck") < held("sedan") && held("sedan") < 0.2);
    }

    #[test]
    fn braking_at_a_standstill_reverses() {
        let mut driver = DriverInput::default();
        let seen = VehicleReport {
            gear: jounce::core::Gear::FIRST,
            target_gear: jounce::core::Gear::FIRST,
            ..VehicleReport::STANDING
        };
        driver.press(Pedal::Brake, true);
        let gears: Vec<GearCommand> = (0..3).map(|_| driver.command(&seen, DT).gear).collect();
        let reverse = GearCommand::Engage(jounce::core::Gear::REVERSE);
        assert!(gears.contains(&reverse), "{gears:?}");
    }

    #[test]
    fn an_unplugged_pad_lets_go() {
        let mut driver = DriverInput::default();
        driver.hold_pad(Some(CarPad {
            throttle: 1.0,
            ..CarPad::FREE
        }));
        for _ in 0..60 {
            driver.command(&VehicleReport::STANDING, DT);
        }
        driver.hold_pad(None);
        for _ in 0..60 {
            driver.command(&VehicleReport::STANDING, DT);
        }
        assert_eq!(driver.command(&VehicleReport::STANDING, DT).throttle, 0.0);
    }

    #[test]
    fn a_broken_pad_presses_nothing() {
        let mut driver = DriverInput::default();
        driver.hold_pad(Some(CarPad {
            steer: f32::NAN,
            ..CarPad::FREE
        }));
        assert_eq!(
            driver.command(&VehicleReport::STANDING, DT),
            CarCommand::default()
        );
    }

    #[test]
    fn a_foot_releases_the_clutch_slowly() {
        let mut driver = DriverInput::default();
        driver.levers.range = 1;
        driver.press(Pedal::Clutch, true);
        driver.press(Pedal::Starter, true);
        let command = (0..20).map(|_| driver.command(&VehicleReport::STANDING, DT));
        let command = command.last().unwrap();
        assert!(command.clutch == 1.0 && command.levers.starter && command.levers.range == 1);
        driver.release();
        let command = driver.command(&VehicleReport::STANDING, DT);
        assert!(command.clutch > 0.9 && !command.levers.starter);
    }

    #[test]
    fn a_gear_is_shifted_once() {
        let mut driver = DriverInput::default();
        driver.press(Pedal::GearUp, true);
        assert_eq!(
            driver.command(&VehicleReport::STANDING, DT).gear,
            GearCommand::Up
        );
        assert_eq!(
            driver.command(&VehicleReport::STANDING, DT).gear,
            GearCommand::Hold
        );
    }
}
