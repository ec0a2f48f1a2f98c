//! Changes of gears: gear request, autobox and gearbox, tick by tick (ALGORITHMS §4.2, §4.3, §7.5).
//!
//! The provided methods of [`GearChange`] are those of [`CleanChange`], whose timers carry over excess time. PhysX's logics
//! override the ones in which they differ (`physx/gears.rs`).

mod schedule;

use core::mem;

use vehicle_core::Control;
use vehicle_core::state::WheelState;
use vehicle_core::{DriveState, Gear, GearCommand};

use crate::autobox::AutoboxParams;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::logic::DriveLogic;
use crate::response::Responses;
use crate::tick::Tick;
use schedule::Schedule;

/// Parts that change gears, and inputs of the autobox.
pub(crate) struct Gears<'a> {
    /// The gearbox.
    pub(crate) gearbox: &'a GearboxParams,
    /// The autobox, if there is one.
    pub(crate) autobox: Option<&'a AutoboxParams>,
    /// Ratio behind the gears (–): that of the engaged range, and the least of a variator, with which the engine turns most slowly.
    pub(crate) rear_ratio: f32,
    /// Whether a gear may engage: a clutch that the driver works by its pedal must be open.
    pub(crate) engages: bool,
    /// Speed of the engine, or of the turbine behind a torque converter (`rad/s`).
    pub(crate) input_speed: f32,
    /// That speed over the engine's maximum.
    pub(crate) relative_speed: f32,
    /// The engine.
    pub(crate) engine: &'a EngineParams,
    /// Responses to the pedals.
    pub(crate) responses: &'a Responses,
    /// All wheels.
    pub(crate) wheels: &'a [WheelState],
    /// Their radii (`m`), as far as they are known.
    pub(crate) radii: &'a [f32],
}

impl Gears<'_> {
    /// Relative engine speed that a governor allows at this accelerator, 0…1; 1 without a governor.
    fn governed(&self, throttle: f32) -> f32 {
        self.responses.governed_speed(throttle, self.idle())
    }

    /// Throttle of the engine at this accelerator and relative engine speed.
    pub(crate) fn fuel(&self, throttle: f32, relative_speed: f32) -> f32 {
        let responses = self.responses;
        responses.governed(throttle, relative_speed, self.idle())
    }

    /// Idle speed over the maximum speed.
    fn idle(&self) -> f32 {
        self.engine.idle_speed / self.engine.max_speed
    }
}

/// A gear-change logic.
pub(crate) trait GearChange {
    /// Runs gear request, autobox and gearbox for one tick; returns the throttle after their cuts. A change that ends makes
    /// room for the present request of the driver or the autobox.
    fn change(
        &self,
        gears: &Gears<'_>,
        control: &mut Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32;

    /// Continues a change within a tick, by `duration` (`s`); returns whether there is one.
    #[inline]
    fn substep(&self, _gearbox: &GearboxParams, _state: &mut DriveState, _duration: f32) -> bool {
        false
    }

    /// Lets a step pass in which the autobox may not change gears.
    fn rest(&self, _state: &mut DriveState) {}

    /// Takes the requests of driver and autobox and starts them; returns the throttle after their cuts.
    #[inline]
    fn ask(
        &self,
        gears: &Gears<'_>,
        control: &mut Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        let gear_request = mem::take(&mut control.gear_request);
        if gear_request != GearCommand::Hold {
            let permitted = self.permitted(gear_request, gears, control, state);
            self.command(gears.gearbox, permitted, state, tick);
        }
        let mut throttle = control.throttle;
        if let Some(autobox) = gears.autobox {
            if control.automatic {
                throttle = self.decide(gears, autobox, control, state, tick);
            } else {
                self.rest(state);
            }
        }
        if state.gear_up || state.gear_down {
            self.start(gears.gearbox, state, tick);
        }
        throttle
    }

    /// The part of a driver's gear request that the gearbox carries out: another gear, or nothing.
    fn permitted(
        &self,
        gear_request: GearCommand,
        _gears: &Gears<'_>,
        _control: &Control,
        _state: &DriveState,
    ) -> GearCommand {
        gear_request
    }

    /// Lets the autobox request a change; returns the throttle after its cuts.
    #[inline]
    fn decide(
        &self,
        gears: &Gears<'_>,
        autobox: &AutoboxParams,
        control: &Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        self.request(autobox, gears.relative_speed, control.throttle, state, tick)
    }

    /// Records the driver's gear request.
    fn command(
        &self,
        gearbox: &GearboxParams,
        command: GearCommand,
        state: &mut DriveState,
        tick: Tick,
    ) {
        match command {
            GearCommand::Hold => {}
            GearCommand::Up => (state.gear_up, state.gear_down) = (true, false),
            GearCommand::Down => (state.gear_up, state.gear_down) = (false, true),
            GearCommand::Cancel => (state.gear_up, state.gear_down) = (false, false),
            GearCommand::Engage(gear) => self.engage(gearbox.nearest(gear), state, tick),
        }
    }

    /// Engages a gear; the current one stays in until the switch time is over.
    fn engage(&self, gear: Gear, state: &mut DriveState, tick: Tick) {
        if state.target_gear != gear {
            let is_engaged = state.gear == state.target_gear;
            let over = if is_engaged { state.switch_time } else { 0.0 };
            state.switch_time = tick.head_start(over);
            state.target_gear = gear;
        }
    }

    /// Requests a gear change at this engine speed over the maximum engine speed, and returns the
    /// throttle after its cuts. The latency timer runs until the latency is over.
    #[inline]
    fn request(
        &self,
        autobox: &AutoboxParams,
        relative_speed: f32,
        throttle: f32,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        count_latency(autobox, state, tick);
        request_beyond_latency(autobox, relative_speed, state, tick);
        throttle
    }

    /// Starts the requested change, if there is one.
    fn start(&self, gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) {
        let (lowest, highest) = (gearbox.lowest(), gearbox.highest());
        if state.gear_up && state.gear < highest && state.gear == state.target_gear {
            // Through the reverse gears one by one, then into first gear.
            let above = if state.gear < Gear::REVERSE {
                state.gear.0 + 1
            } else {
                state.gear.0.max(0) + 1
            };
            self.begin(Gear(above), state, tick);
        }
        if state.gear_down && state.gear > lowest && state.gear == state.target_gear {
            let below = if state.gear == Gear::FIRST {
                -1
            } else {
                state.gear.0 - 1
            };
            self.begin(Gear(below).max(lowest), state, tick);
        }
    }

    /// A change passes through neutral; one to neutral is over at once.
    fn begin(&self, target: Gear, state: &mut DriveState, tick: Tick) {
        leave_gear(target, state);
        state.switch_time = tick.head_start(state.switch_time);
    }

    /// Continues the change in progress; it takes at least one tick.
    #[inline]
    fn advance(&self, gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) {
        if state.gear != state.target_gear {
            state.switch_time = elapsed(state.switch_time, tick);
            finish(gearbox, state, tick);
        }
    }
}

/// The default logic, with a [`Schedule`] for the autobox; the others are PhysX's.
pub(crate) struct CleanChange;

impl GearChange for CleanChange {
    /// The autobox cuts the throttle from the tick on in which a change starts: in that tick, the clutch is open, and a free
    /// engine would gain the more speed the longer it lasts.
    #[inline]
    fn change(
        &self,
        gears: &Gears<'_>,
        control: &mut Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        if !gears.engages && state.gear != state.target_gear {
            // The gear does not go in.
            leave_gear(Gear::NEUTRAL, state);
        }
        self.advance(gears.gearbox, state, tick);
        let throttle = self.ask(gears, control, state, tick);
        if control.automatic && gears.autobox.is_some() {
            throttle_between_gears(throttle, state)
        } else {
            throttle
        }
    }

    /// Behind a closed clutch that the driver works by its pedal no gear goes in, and a lever that is in another one is in neutral.
    /// Reverse is locked out while the vehicle rolls forward. A request for the gear below first is refused too: it would
    /// otherwise wait, and be carried out when the vehicle stops. Beside an autobox, no request makes the engine turn too fast.
    fn permitted(
        &self,
        gear_request: GearCommand,
        gears: &Gears<'_>,
        control: &Control,
        state: &DriveState,
    ) -> GearCommand {
        let target = state.target_gear;
        if !gears.engages {
            return match gear_request {
                // The lever has left its gear, and the next one does not go in.
                GearCommand::Engage(gear) if gear != target => GearCommand::Engage(Gear::NEUTRAL),
                _ => GearCommand::Hold,
            };
        }
        let reverses = match gear_request {
            GearCommand::Engage(gear) => gear < Gear::NEUTRAL,
            GearCommand::Down => target <= Gear::FIRST,
            _ => false,
        };
        if reverses && control.forward_speed > REVERSE_LOCK && target >= Gear::NEUTRAL {
            return GearCommand::Hold;
        }
        let Some(autobox) = gears.autobox.filter(|_| control.automatic) else {
            return gear_request;
        };
        let schedule = Schedule {
            gears,
            autobox,
            control,
            state,
        };
        match gear_request {
            GearCommand::Engage(gear) if gear > Gear::NEUTRAL && target <= Gear::NEUTRAL => {
                GearCommand::Engage(schedule.at_least(gear))
            }
            GearCommand::Engage(gear) if schedule.turns_too_fast(gear) => GearCommand::Hold,
            GearCommand::Down if schedule.turns_too_fast(Gear(target.0 - 1)) => GearCommand::Hold,
            _ => gear_request,
        }
    }

    /// Asks the schedule once the latency is over and no change is in progress.
    #[inline]
    fn decide(
        &self,
        gears: &Gears<'_>,
        autobox: &AutoboxParams,
        control: &Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        count_latency(autobox, state, tick);
        if state.gear == state.target_gear && state.autobox_time > autobox.latency {
            let schedule = Schedule {
                gears,
                autobox,
                control,
                state,
            };
            let (up, down) = schedule.request();
            if up && state.gear == Gear::NEUTRAL {
                let gear = schedule.at_least(Gear::FIRST);
                self.engage(gear, state, tick);
            } else {
                request(up, down, autobox, state, tick);
            }
        }
        control.throttle
    }
}

/// Forward speed above which reverse cannot be engaged (`m/s`): 5 mph, as the lock-out of reverse in manual and automatic
/// transmissions for cars.
pub(crate) const REVERSE_LOCK: f32 = 2.2;

/// Advances the autobox' timer until its latency is over.
fn count_latency(autobox: &AutoboxParams, state: &mut DriveState, tick: Tick) {
    if state.autobox_time <= autobox.latency {
        state.autobox_time += tick.duration;
    }
}

/// The time of a change (`s`) after a tick. Unless ticks are exact, the one in which a negative time starts does not count.
pub(crate) fn elapsed(switch_time: f32, tick: Tick) -> f32 {
    if switch_time < 0.0 && !tick.exact {
        0.0
    } else {
        switch_time + tick.duration
    }
}

/// Ends a change whose time is over; returns whether it did. Exact ticks round to the nearest, so that a
/// time of whole ticks is no tick longer by rounding.
pub(crate) fn finish(gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) -> bool {
    let early = if tick.exact { 0.5 * tick.duration } else { 0.0 };
    let over = state.switch_time + early > gearbox.switch_time;
    if over {
        state.gear = state.target_gear;
        state.switch_time = tick.head_start(state.switch_time - gearbox.switch_time);
        (state.gear_up, state.gear_down) = (false, false);
    }
    over
}

/// Passes through neutral on the way to another gear.
pub(crate) fn leave_gear(target: Gear, state: &mut DriveState) {
    state.target_gear = target;
    state.gear = Gear::NEUTRAL;
    if target == Gear::NEUTRAL {
        (state.gear_up, state.gear_down) = (false, false);
    }
}

/// Requests a change if none is in progress and the latency is over; returns whether it could.
#[inline]
pub(crate) fn request_beyond_latency(
    autobox: &AutoboxParams,
    relative_speed: f32,
    state: &mut DriveState,
    tick: Tick,
) -> bool {
    let may = state.gear == state.target_gear && state.autobox_time > autobox.latency;
    if may {
        let up = relative_speed > autobox.up_threshold(state.gear);
        let down = relative_speed < autobox.down_threshold(state.gear);
        request(up, down, autobox, state, tick);
    }
    may
}

/// Records the autobox's request, if any, and restarts its latency.
#[inline]
fn request(up: bool, down: bool, autobox: &AutoboxParams, state: &mut DriveState, tick: Tick) {
    if up || down {
        (state.gear_up, state.gear_down) = (up, down);
        state.autobox_time = tick.head_start(state.autobox_time - autobox.latency);
    }
}

/// The throttle, 0 between gears.
#[inline]
pub(crate) fn throttle_between_gears(throttle: f32, state: &DriveState) -> f32 {
    let between = state.gear != state.target_gear && state.gear == Gear::NEUTRAL;
    if between { 0.0 } else { throttle }
}

impl GearboxParams {
    /// Records the driver's gear request. A request for one gear up or down waits until it can be
    /// carried out; a later request replaces it. `Engage` follows the gearbox's
    /// [`logic`](Self::logic), and a gear that does not exist means the nearest one.
    pub fn command(&self, command: GearCommand, state: &mut DriveState, tick: Tick) {
        let logic = self.logic.gear_change(tick.exact);
        logic.command(self, command, state, tick);
    }

    /// Starts the requested change.
    pub fn start(&self, state: &mut DriveState, tick: Tick) {
        let logic = self.logic.gear_change(tick.exact);
        logic.start(self, state, tick);
    }

    /// Continues the change in progress. Exact ticks do so before [`start`](Self::start), so that
    /// the next change can start when this one ends. A change takes at least one tick.
    pub fn advance(&self, state: &mut DriveState, tick: Tick) {
        let logic = self.logic.gear_change(tick.exact);
        logic.advance(self, state, tick);
    }
}

impl AutoboxParams {
    /// Requests a gear change at this engine speed over the maximum engine speed, and returns the
    /// throttle after its cuts. Call it before [`GearboxParams::start`], once per tick.
    pub fn update(
        &self,
        logic: DriveLogic,
        relative_speed: f32,
        throttle: f32,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        let logic = logic.gear_change(tick.exact);
        logic.request(self, relative_speed, throttle, state, tick)
    }
}

#[cfg(test)]
mod tests;
