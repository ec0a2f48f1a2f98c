//! Events of a vehicle, from what consecutive steps show: for sounds, lamps and lists.

use alloc::vec;
use alloc::vec::Vec;

use vehicle_core::{CarCommand, Command, DriveState, Gear, GearCommand, Vehicle};

/// Engine speed over the idle speed above which an engine has started, and below which it stands (–).
const STARTED: f32 = 0.8;
const STANDS: f32 = 0.3;
/// Engine speed over the limit from which an engine with throttle is limited, and below which it no longer is (–).
const LIMITED: f32 = 0.985;
const RELEASED: f32 = 0.95;
/// Throttle above which an engine at its limit is limited (–).
const PRESSED: f32 = 0.1;
/// Closed part of a lock-up clutch above which it is closed, and below which it is open (–).
const CLOSED: [f32; 2] = [0.95, 0.05];
/// Slip above which a tire slides, and below which it grips (–): beyond and before the peak of road tires.
const SLIDES: [f32; 2] = [0.2, 0.12];
/// Activity above which a driver aid acts, and at which it rests (–).
const ACTS: [f32; 2] = [0.02, 0.0];
/// Speed of rim and contact below which slip says nothing (`m/s`).
const SLOW: f32 = 1.0;
/// Time for which slip, limiter or aid must be over before its end is told (`s`): aids and limiters pulse.
const OVER: f32 = 0.2;

/// Something that a vehicle began or ended in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VehicleEvent {
    /// The engine runs from now on.
    EngineStarts,
    /// A controller has stopped the engine.
    EngineStops,
    /// The engine has been stopped by its load.
    EngineStalls,
    /// A change of gears begins.
    ShiftBegins {
        /// Gear that is left.
        from: Gear,
        /// Gear that is to be engaged.
        to: Gear,
    },
    /// A gear is engaged, or neutral.
    ShiftEnds {
        /// The engaged gear.
        gear: Gear,
    },
    /// A gear does not go in, because the driver who works the clutch has not opened it.
    GearGrinds {
        /// Gear in which the lever is.
        gear: Gear,
    },
    /// The engine reaches its limit with throttle.
    LimiterBegins,
    /// The engine leaves its limit.
    LimiterEnds,
    /// The lock-up clutch of a torque converter is closed.
    LockUpCloses,
    /// The lock-up clutch is open.
    LockUpOpens,
    /// A tire begins to slide.
    SlipBegins {
        /// Index of its wheel.
        wheel: usize,
    },
    /// A tire grips again.
    SlipEnds {
        /// Index of its wheel.
        wheel: usize,
    },
    /// A driver aid begins to act.
    AidBegins {
        /// Index of the aid in the model's list.
        aid: usize,
    },
    /// A driver aid no longer acts.
    AidEnds {
        /// Index of the aid in the model's list.
        aid: usize,
    },
}

/// Speeds of the engine whose events are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WatchedEngine {
    /// Idle speed (`rad/s`), > 0.
    pub idle_speed: f32,
    /// Speed at which it is limited (`rad/s`), > 0.
    pub limit: f32,
    /// Whether a controller starts and stops it, as in hybrids; otherwise an engine that stops has stalled.
    pub is_controlled: bool,
}

/// Slip of a wheel in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSlip {
    /// Longitudinal slip (–), of either sign.
    pub slip_ratio: f32,
    /// Slip angle (`rad`), of either sign.
    pub slip_angle: f32,
    /// Speeds of the contact along the wheel, and of the rim (`m/s`), of either sign.
    pub speeds: [f32; 2],
    /// Whether the wheel carries no load.
    pub in_air: bool,
}

impl WheelSlip {
    /// Greater part of longitudinal and lateral slip (–), ≥ 0; 0 of a wheel that stands or is in the air.
    fn size(&self) -> f32 {
        let slow = self.speeds.iter().all(|speed| speed.abs() < SLOW);
        if slow || self.in_air {
            return 0.0;
        }
        self.slip_ratio.abs().max(self.slip_angle.abs())
    }
}

/// What a step shows of a vehicle beside its wheels and aids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WatchedStep {
    /// Length of the step (`s`), > 0.
    pub duration: f32,
    /// Speed of the engine (`rad/s`).
    pub engine_speed: f32,
    /// Throttle of the command (–), 0…1.
    pub throttle: f32,
    /// The engaged gear, and the one that is being engaged.
    pub gears: [Gear; 2],
    /// Gear in which the lever of a driver is who works the clutch; `None` without one.
    pub lever: Option<Gear>,
    /// Closed part of a lock-up clutch (–), 0…1; 0 without one.
    pub lock_up: f32,
}

impl WatchedStep {
    /// The step of a car with this drive and command, of this duration (`s`), without a lock-up clutch.
    #[must_use]
    pub fn new(drive: &DriveState, command: &CarCommand, duration: f32) -> Self {
        let lever = match command.gear {
            GearCommand::Engage(gear) if command.levers.manual_clutch => Some(gear),
            _ => None,
        };
        Self {
            duration,
            engine_speed: drive.engine_speed,
            throttle: command.throttle,
            gears: [drive.gear, drive.target_gear],
            lever,
            lock_up: 0.0,
        }
    }
}

/// Something that begins at one value and ends at another, once it has been there for a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Latch {
    is_on: bool,
    /// Time since it was last seen (`s`).
    over: f32,
}

impl Latch {
    /// Whether the condition began (`true`) or ended (`false`) in a step of this duration (`s`).
    fn watch(
        &mut self,
        value: f32,
        [begins, ends]: [f32; 2],
        [wait, step]: [f32; 2],
    ) -> Option<bool> {
        if value > begins {
            self.over = 0.0;
            return (!core::mem::replace(&mut self.is_on, true)).then_some(true);
        }
        if !self.is_on || value > ends {
            self.over = 0.0;
            return None;
        }
        self.over += step;
        if self.over < wait {
            return None;
        }
        *self = Self::default();
        Some(false)
    }
}

/// Derives the events of one vehicle from its steps. Watching does not allocate.
///
/// The first step tells what acts already as having begun, but neither that the engine runs nor which gear is engaged.
#[derive(Clone, Debug, PartialEq)]
pub struct EventWatcher {
    engine: Option<WatchedEngine>,
    /// The engaged gear, and the one being engaged, in the last step; `None` before the first.
    gears: Option<[Gear; 2]>,
    runs: bool,
    limited: Latch,
    locked: Latch,
    grinds: Latch,
    slips: Vec<Latch>,
    aids: Vec<Latch>,
}

impl EventWatcher {
    /// A watcher of a vehicle with this engine, if it has one, and so many wheels and aids.
    #[must_use]
    pub fn new(engine: Option<WatchedEngine>, wheels: usize, aids: usize) -> Self {
        Self {
            engine,
            gears: None,
            runs: false,
            limited: Latch::default(),
            locked: Latch::default(),
            grinds: Latch::default(),
            slips: vec![Latch::default(); wheels],
            aids: vec![Latch::default(); aids],
        }
    }

    /// Tells the events of a vehicle's step of this duration (`s`) with this command, after its update; without those of a lock-up
    /// clutch.
    pub fn watch(
        &mut self,
        vehicle: &Vehicle,
        command: &Command,
        duration: f32,
        tell: &mut impl FnMut(VehicleEvent),
    ) {
        let car = match command {
            Command::Car(car) => *car,
            _ => CarCommand::default(),
        };
        let params = &vehicle.model().params().wheels;
        let wheels = vehicle.wheel_reports().zip(params);
        let wheels = wheels.map(|(now, wheel)| WheelSlip {
            slip_ratio: now.slip_ratio,
            slip_angle: now.slip_angle,
            speeds: [now.forward_speed, now.spin * wheel.radius],
            in_air: now.in_air,
        });
        let (model, state) = (vehicle.model(), vehicle.state());
        let aids = (0..model.aids().len()).map(|aid| model.aid_activity(state, aid));
        let step = WatchedStep::new(&state.drive, &car, duration);
        self.watch_step(&step, wheels, aids, tell);
    }

    /// Tells the events of a step in which wheels and aids, in their order, were these.
    pub fn watch_step(
        &mut self,
        step: &WatchedStep,
        wheels: impl Iterator<Item = WheelSlip>,
        aids: impl Iterator<Item = f32>,
        tell: &mut impl FnMut(VehicleEvent),
    ) {
        self.watch_engine(step, tell);
        self.watch_gears(step, tell);
        let waiting = [OVER, step.duration];
        for (wheel, (latch, slip)) in self.slips.iter_mut().zip(wheels).enumerate() {
            match latch.watch(slip.size(), SLIDES, waiting) {
                Some(true) => tell(VehicleEvent::SlipBegins { wheel }),
                Some(false) => tell(VehicleEvent::SlipEnds { wheel }),
                None => {}
            }
        }
        for (aid, (latch, activity)) in self.aids.iter_mut().zip(aids).enumerate() {
            match latch.watch(activity, ACTS, waiting) {
                Some(true) => tell(VehicleEvent::AidBegins { aid }),
                Some(false) => tell(VehicleEvent::AidEnds { aid }),
                None => {}
            }
        }
    }

    fn watch_engine(&mut self, step: &WatchedStep, tell: &mut impl FnMut(VehicleEvent)) {
        let Some(engine) = self.engine else {
            return;
        };
        let part = step.engine_speed / engine.idle_speed;
        let ran = self.runs;
        self.runs = part > if ran { STANDS } else { STARTED };
        let first = self.gears.is_none();
        match (ran, self.runs) {
            (false, true) if !first => tell(VehicleEvent::EngineStarts),
            (true, false) if engine.is_controlled => tell(VehicleEvent::EngineStops),
            (true, false) => tell(VehicleEvent::EngineStalls),
            _ => {}
        }
        let speed = step.engine_speed / engine.limit;
        let limited = if step.throttle > PRESSED { speed } else { 0.0 };
        match self
            .limited
            .watch(limited, [LIMITED, RELEASED], [OVER, step.duration])
        {
            Some(true) => tell(VehicleEvent::LimiterBegins),
            Some(false) => tell(VehicleEvent::LimiterEnds),
            None => {}
        }
        match self
            .locked
            .watch(step.lock_up, CLOSED, [0.0, step.duration])
        {
            Some(true) => tell(VehicleEvent::LockUpCloses),
            Some(false) => tell(VehicleEvent::LockUpOpens),
            None => {}
        }
    }

    fn watch_gears(&mut self, step: &WatchedStep, tell: &mut impl FnMut(VehicleEvent)) {
        let [gear, target] = step.gears;
        let [last, asked] = self.gears.replace(step.gears).unwrap_or(step.gears);
        let changes = gear != target;
        if changes && (target != asked || last == asked) {
            tell(VehicleEvent::ShiftBegins {
                from: last,
                to: target,
            });
        }
        if !changes && gear != last {
            if last == asked {
                // Begun and ended within the step.
                tell(VehicleEvent::ShiftBegins {
                    from: last,
                    to: gear,
                });
            }
            tell(VehicleEvent::ShiftEnds { gear });
        }
        let refused = step
            .lever
            .filter(|lever| *lever != Gear::NEUTRAL && *lever != target);
        let seen = if refused.is_some() { 1.0 } else { 0.0 };
        let begins = self.grinds.watch(seen, [0.5, 0.5], [0.0, step.duration]);
        if let (Some(true), Some(gear)) = (begins, refused) {
            tell(VehicleEvent::GearGrinds { gear });
        }
    }
}

#[cfg(test)]
mod tests;
