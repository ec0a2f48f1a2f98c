//! Gear changes of PhysX, where they differ from the clean logic (ALGORITHMS §4.2, §4.3; `vehicle2`, §7.5).

use vehicle_core::Control;
use vehicle_core::{DriveState, Gear};

use crate::autobox::AutoboxParams;
use crate::gear_change::{
    CleanChange, GearChange, Gears, finish, leave_gear, request_beyond_latency,
    throttle_between_gears,
};
use crate::gearbox::GearboxParams;
use crate::logic::DriveLogic;
use crate::tick::Tick;

impl DriveLogic {
    /// PhysX 4.1 vehicle SDK.
    pub const PHYSX_4: Self = Self::Waiting;
    /// PhysX 5 `vehicle2`.
    pub const PHYSX_5: Self = Self::Immediate;

    /// The gear-change logic for ticks that are `exact` or not; exact ticks replace PhysX 4's
    /// timers.
    pub(crate) fn gear_change(self, exact: bool) -> &'static dyn GearChange {
        match (self, exact) {
            (Self::Waiting, true) => &CleanChange,
            (Self::Waiting, false) => &Physx4,
            (Self::Immediate, _) => &Physx5,
        }
    }

    /// [`GearChange::change`] of the logic for this `tick`, called in every step: without a table of functions.
    #[inline]
    pub(crate) fn change(
        self,
        gears: &Gears<'_>,
        control: &mut Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        match (self, tick.exact) {
            (Self::Waiting, true) => CleanChange.change(gears, control, state, tick),
            (Self::Waiting, false) => Physx4.change(gears, control, state, tick),
            (Self::Immediate, _) => Physx5.change(gears, control, state, tick),
        }
    }

    /// [`GearChange::substep`] of the logic for ticks that are not exact.
    #[inline]
    pub(crate) fn substep(
        self,
        gearbox: &GearboxParams,
        state: &mut DriveState,
        duration: f32,
    ) -> bool {
        match self {
            Self::Waiting => Physx4.substep(gearbox, state, duration),
            Self::Immediate => Physx5.substep(gearbox, state, duration),
        }
    }
}

/// PhysX 4: timers compare before they count, and the autobox timer keeps running while gears
/// change.
struct Physx4;

impl GearChange for Physx4 {
    #[inline]
    fn change(
        &self,
        gears: &Gears<'_>,
        control: &mut Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        let throttle = self.ask(gears, control, state, tick);
        self.advance(gears.gearbox, state, tick);
        throttle
    }

    #[inline]
    fn request(
        &self,
        autobox: &AutoboxParams,
        relative_speed: f32,
        throttle: f32,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        if !request_beyond_latency(autobox, relative_speed, state, tick) {
            state.autobox_time += tick.duration;
        }
        throttle_between_gears(throttle, state)
    }

    #[inline]
    fn advance(&self, gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) {
        if state.gear == state.target_gear {
            return;
        }
        state.switch_time = state.switch_time.max(0.0);
        if !finish(gearbox, state, tick) {
            state.switch_time += tick.duration;
        }
    }
}

/// The time of a change (`s`) that has just started: its first tick does not count.
const BEGINS: f32 = -1.0;

/// PhysX 5: gears change within a step; every change passes through neutral and none waits; the
/// autobox leaves neutral and reverse at once.
struct Physx5;

impl GearChange for Physx5 {
    fn change(
        &self,
        gears: &Gears<'_>,
        control: &mut Control,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        if tick.exact {
            self.advance(gears.gearbox, state, tick);
        }
        self.ask(gears, control, state, tick)
    }

    fn substep(&self, gearbox: &GearboxParams, state: &mut DriveState, duration: f32) -> bool {
        let changes = state.gear != state.target_gear;
        let exact = false;
        self.advance(gearbox, state, Tick { duration, exact });
        changes
    }

    /// Forgets its requested change, and acts at once when it may again.
    fn rest(&self, state: &mut DriveState) {
        AutoboxParams::rest(state);
    }

    fn engage(&self, gear: Gear, state: &mut DriveState, tick: Tick) {
        if state.gear == state.target_gear && state.gear != gear {
            self.begin(gear, state, tick);
        }
    }

    /// Requests a change of gear, and cuts the throttle in the tick in which it does, recognized by the waiting request.
    fn request(
        &self,
        autobox: &AutoboxParams,
        relative_speed: f32,
        throttle: f32,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        if state.gear != state.target_gear {
            state.autobox_time += tick.duration;
            let asked = state.gear_up || state.gear_down;
            return if asked { 0.0 } else { throttle };
        }
        let (up, down) = wish(autobox, relative_speed, state, tick);
        if !up && !down {
            return throttle;
        }
        (state.gear_up, state.gear_down) = (up, down);
        state.autobox_time = tick.head_start(state.autobox_time - autobox.latency);
        if state.gear < Gear::NEUTRAL {
            // From any reverse gear; the gear request would step through all of them.
            self.engage(Gear::FIRST, state, tick);
        }
        0.0
    }

    fn begin(&self, target: Gear, state: &mut DriveState, tick: Tick) {
        leave_gear(target, state);
        state.switch_time = if tick.exact {
            tick.head_start(state.switch_time)
        } else {
            BEGINS
        };
    }
}

/// Requests of the autobox to leave an engaged gear (up, down).
fn wish(
    autobox: &AutoboxParams,
    relative_speed: f32,
    state: &mut DriveState,
    tick: Tick,
) -> (bool, bool) {
    if tick.exact && state.autobox_time <= autobox.latency {
        state.autobox_time += tick.duration;
    }
    if state.gear <= Gear::NEUTRAL {
        (true, false)
    } else if state.autobox_time > autobox.latency {
        let top = usize::try_from(state.gear.0).is_ok_and(|gear| gear >= autobox.up.len());
        let up = !top && relative_speed > autobox.up_threshold(state.gear);
        let down = relative_speed < autobox.down_threshold(state.gear);
        (up && !down, down)
    } else {
        if !tick.exact {
            state.autobox_time += tick.duration;
        }
        (false, false)
    }
}

impl AutoboxParams {
    /// Lets a step pass in which PhysX 5's autobox may not change gears: it forgets its requested change, and acts at
    /// once when it may again.
    pub fn rest(state: &mut DriveState) {
        state.autobox_time = f32::MAX;
        if state.gear != state.target_gear {
            (state.gear_up, state.gear_down) = (false, false);
        }
    }
}

#[cfg(test)]
mod tests;
