//! Gear schedule of the autobox in [`CleanChange`](super::CleanChange), by engine speed, accelerator, load, and the slip of
//! the driven wheels. PhysX's logics compare the engine speed with thresholds instead.
//!
//! A change up must pay off. The next gear has less torque at the wheels, and the vehicle loses speed while the clutch
//! is open; where the engine could not maintain the speed then, the autobox would soon change down again, and so on
//! without end. So from gear ratio G to G′ with the time t of a change, the mass m and the speed v,
//!
//! ```text
//! P(ω′) ≥ 1.04·kept·P_needed,   ω′ = ω·kept·G′/G,   kept = 1 − P_needed·t/(m·v²)
//! ```
//!
//! with the engine's power P and the power `P_needed` that maintains the vehicle's speed.
//!
//! The thresholds rise linearly with the accelerator t, from those of its lightest touch to those of full throttle:
//!
//! ```text
//! up(t) = (1 − t)·max(light·up, 1.4·ω_idle·G/G′) + t·up
//! ```
//!
//! so that with a light foot each gear is changed up as soon as the next one leaves the engine well above its idle speed.

use vehicle_core::lanes::LANES;
use vehicle_core::{Control, DriveState, Gear};

use super::Gears;
use crate::autobox::AutoboxParams;

/// Maximum engine speed after a change down, over the speed at which the lower gear changes up (–).
const BACK: f32 = 0.85;
/// Minimum vehicle speed after a kick-down, over that before (–); more than `BACK`.
const KEPT: f32 = 0.9;
/// Minimum excess power after a change up, over the needed power (–).
const SPARE: f32 = 0.04;
/// Maximum relative gain of speed that is expected after a change up, before the autobox may change down again (–).
const GAINED: f32 = 1.0;
/// Minimum power after a kick-down, over that before (–).
const MORE: f32 = 1.1;
/// Position of the accelerator from which a gear with more power is engaged at once (–).
const KICK_DOWN: f32 = 0.85;
/// Relative engine speed below which the clutch may slip while the vehicle sets off (–).
const SLIPPING: f32 = 0.5;
/// Position below which the accelerator counts as released (–).
const RELEASED: f32 = 0.01;
/// Minimum speed of a coasting engine over its idle speed, in gears that can be changed down (–).
const ABOVE_IDLE: f32 = 1.2;
/// Excess of the speed of slipping wheels over that of the ground (–), well beyond the peak of tires.
const SLIP: f32 = 0.5;
/// Minimum excess of the speed of slipping wheels over that of the ground (`m/s`).
const SLIP_SPEED: f32 = 1.0;
/// Speed of the fastest driven wheel over that of the vehicle, below which the wheels count as locked (–).
const LOCKED: f32 = 0.5;

/// Inputs of the autobox: gears, the driver's pedals, and the vehicle's state.
pub(super) struct Schedule<'a> {
    pub(super) gears: &'a Gears<'a>,
    pub(super) autobox: &'a AutoboxParams,
    pub(super) control: &'a Control,
    pub(super) state: &'a DriveState,
}

impl Schedule<'_> {
    /// Whether the autobox requests a gear change (up, down).
    #[inline]
    pub(super) fn request(&self) -> (bool, bool) {
        let (gear, speed) = (self.state.gear, self.gears.relative_speed);
        if gear <= Gear::NEUTRAL {
            return (speed > self.autobox.up_threshold(gear), false);
        }
        let down = self.down_threshold(gear);
        // Not by the engine alone, which is slower or faster than the gearbox while the clutch slips.
        if speed < down.max(SLIPPING) && self.gearbox_speed() < down {
            return (false, !self.locks());
        }
        let up = speed > self.up_threshold(gear)
            && self.gearbox_speed() > self.least_up_threshold(gear)
            && self.pays_off();
        (up, !up && self.is_kicked() && self.kicks_down())
    }

    /// The lowest gear, at least this one, that would not change up at once.
    pub(super) fn at_least(&self, gear: Gear) -> Gear {
        let highest = self.gears.gearbox.highest();
        let throttle = self.asked();
        let mut gears = (gear.0..highest.0).map(Gear);
        let fits =
            |gear: &Gear| self.gearbox_speed_in(*gear) < self.pressed_up_threshold(*gear, throttle);
        gears.find(fits).unwrap_or(highest)
    }

    /// Whether the engine would exceed its maximum speed in a gear.
    pub(super) fn turns_too_fast(&self, gear: Gear) -> bool {
        self.gearbox_speed_in(gear) > 1.0
    }

    /// The accelerator, 0…1; 0 while the driver brakes.
    fn throttle(&self) -> f32 {
        let pedal = self.control.throttle.clamp(0.0, 1.0);
        if self.control.braking { 0.0 } else { pedal }
    }

    /// Whether the driver presses the pedal as far as the kick-down, though a response lets less through. A speed limiter that
    /// takes the throttle away releases it.
    fn is_kicked(&self) -> bool {
        let response = &self.gears.responses.throttle;
        let throttle = self.throttle();
        throttle > 0.0 && throttle >= response.at(KICK_DOWN, self.control.forward_speed)
    }

    /// The accelerator by which thresholds go, 0…1: all of it from the kick-down on.
    fn asked(&self) -> f32 {
        if self.is_kicked() {
            1.0
        } else {
            self.throttle()
        }
    }

    /// Threshold at this accelerator, between those of its lightest touch and of full throttle. A governor holds the engine
    /// below its maximum speed.
    fn by_pedal(&self, throttle: f32, lightest: f32, full: f32) -> f32 {
        let asked = (1.0 - throttle) * lightest + throttle * full;
        asked.min(self.gears.governed(throttle) * full)
    }

    /// Relative speed above which a forward gear changes up. With the accelerator released it is that of full throttle, so
    /// that the gear stays before a bend, and downhill.
    fn up_threshold(&self, gear: Gear) -> f32 {
        let throttle = self.asked();
        if throttle < RELEASED {
            self.autobox.up_threshold(gear)
        } else {
            self.pressed_up_threshold(gear, throttle)
        }
    }

    /// Relative speed above which a forward gear changes up at this accelerator, if it is pressed: not so low that the next gear
    /// would change down again.
    fn pressed_up_threshold(&self, gear: Gear, throttle: f32) -> f32 {
        let full = self.autobox.up_threshold(gear);
        let light = self.autobox.light_throttle * full;
        let lightest = light.max(self.least_up_threshold(gear));
        self.by_pedal(throttle, lightest.min(full), full)
    }

    /// Relative speed of the gearbox from which the next gear would not change down again. The engine is faster while the
    /// clutch slips in a launch.
    fn least_up_threshold(&self, gear: Gear) -> f32 {
        self.least_speed() / BACK * self.step(gear, Gear(gear.0 + 1))
    }

    /// Relative speed below which a forward gear changes down: low enough that the lower gear does not change up again, and
    /// above the idle speed.
    fn down_threshold(&self, gear: Gear) -> f32 {
        let below = Gear(gear.0 - 1);
        if below < Gear::FIRST {
            return f32::NEG_INFINITY;
        }
        let throttle = self.asked();
        let full = self.autobox.down_threshold(gear);
        let down = self.by_pedal(throttle, self.autobox.light_throttle * full, full);
        let back = BACK * self.pressed_up_threshold(below, throttle) / self.step(below, gear);
        down.max(self.least_speed()).min(back)
    }

    /// Relative speed below which the engine does not coast in gears that can be changed down.
    fn least_speed(&self) -> f32 {
        ABOVE_IDLE * self.gears.engine.idle_speed / self.gears.engine.max_speed
    }

    /// Ratio of a gear over that of another (–).
    fn step(&self, gear: Gear, other: Gear) -> f32 {
        self.gears.gearbox.ratio(gear) / self.gears.gearbox.ratio(other)
    }

    /// Power of the engine (`W`) with the driver's accelerator at a relative speed.
    fn power(&self, relative_speed: f32) -> f32 {
        let engine = self.gears.engine;
        let throttle = self.gears.fuel(self.throttle(), relative_speed);
        let speed = relative_speed * engine.max_speed;
        (engine.torque(throttle, speed) - engine.damping(throttle, 1.0) * speed) * speed
    }

    /// Power that maintains the vehicle's speed (`W`): that of the clutch, less that which accelerates the vehicle.
    ///
    /// ```text
    /// P = T·ω − (Σ F + m·a)·v
    /// ```
    ///
    /// with the tires' forces F and the acceleration a by everything else. A trailer that is accelerated counts as a load.
    fn needed(&self) -> f32 {
        let (control, state) = (self.control, self.state);
        let tires = self.gears.wheels.iter();
        let force: f32 = tires.map(|w| w.driving_force().sum()).sum();
        let net = force + control.mass * control.outside_acceleration;
        state.clutch_torque * self.gears.input_speed - net * control.forward_speed
    }

    /// Speed after a change over that before, as the clutch is open (–), ≤ 1, of a vehicle that needs this power (`W`).
    fn kept(&self, needed: f32) -> f32 {
        let lost = needed * self.gears.gearbox.switch_time;
        1.0 - (lost / self.momentum()).max(0.0)
    }

    /// Mass times the square of the speed (`J`), > 0.
    fn momentum(&self) -> f32 {
        let speed = self.control.forward_speed;
        (self.control.mass * speed * speed).max(f32::MIN_POSITIVE)
    }

    /// Whether the engine maintains the vehicle's speed in the next gear, so that the autobox will not request a change down
    /// when the latency is over.
    fn pays_off(&self) -> bool {
        let (gear, next) = (self.state.gear, Gear(self.state.gear.0 + 1));
        if next > self.gears.gearbox.highest() {
            return true;
        }
        let needed = self.needed();
        let kept = self.kept(needed);
        // The engine is faster than the vehicle while its clutch and the tires slip.
        let now = self.gears.relative_speed.min(self.gearbox_speed());
        let [_, rim, _] = self.rims();
        let ground = self.control.forward_speed;
        let rolling = if rim > ground { ground / rim } else { 1.0 };
        let after = now * rolling * kept / self.step(gear, next);
        let needed = needed * kept;
        let spare = self.power(after) - needed;
        if kept <= 0.0 || spare < SPARE * needed.abs() || self.slips() {
            return false;
        }
        let time = (self.autobox.latency - self.gears.gearbox.switch_time).max(0.0);
        let gained = spare / self.momentum() * time;
        after * (1.0 + gained.min(GAINED)) > self.down_threshold(next)
    }

    /// Whether the lower gear has more power, the engine may turn that fast, and the change up again will not lose that
    /// speed.
    fn kicks_down(&self) -> bool {
        let (gear, below) = (self.state.gear, Gear(self.state.gear.0 - 1));
        if below < Gear::FIRST {
            return false;
        }
        let (now, limit) = (self.gears.relative_speed, BACK * self.up_threshold(below));
        let after = now * self.step(below, gear);
        after < limit
            && self.power(after) > MORE * self.power(now)
            && self.kept(self.needed()) > KEPT
            && !self.slips()
    }

    /// Speed of the gearbox's input, as a relative speed of the engine.
    fn gearbox_speed(&self) -> f32 {
        self.gearbox_speed_in(self.state.gear)
    }

    /// Speed of the gearbox's input in a gear, as a relative speed of the engine.
    fn gearbox_speed_in(&self, gear: Gear) -> f32 {
        let wheels = self.control.wheels.iter().zip(self.gears.wheels);
        let spin: f32 = wheels
            .map(|(w, now)| (w.speed_share * now.spin).sum())
            .sum();
        let ratio = self.gears.gearbox.ratio(gear) * self.gears.rear_ratio;
        ratio * spin / self.gears.engine.max_speed
    }

    /// Speeds of the driven rims over the ground (`m/s`): the slowest, the mean by the speed split, the fastest. All are that
    /// of the chassis where no radii are known.
    fn rims(&self) -> [f32; 3] {
        let (mut rim, mut shares) = (0.0, 0.0);
        let (mut slowest, mut fastest) = (f32::INFINITY, f32::NEG_INFINITY);
        for (n, radius) in self.gears.radii.iter().enumerate() {
            let (group, lane) = (n / LANES, n % LANES);
            let Some(wheels) = self.gears.wheels.get(group) else {
                break;
            };
            let share = self.control.wheels[group].speed_share.lane(lane);
            if share > 0.0 {
                let speed = radius * wheels.spin.lane(lane);
                (slowest, fastest) = (slowest.min(speed), fastest.max(speed));
                rim += share * speed;
                shares += share;
            }
        }
        if shares > 0.0 {
            [slowest, rim / shares, fastest]
        } else {
            [self.control.forward_speed; 3]
        }
    }

    /// Whether all driven wheels spin faster than the vehicle moves: the engine's speed is then no measure of the vehicle's.
    fn slips(&self) -> bool {
        let ([slowest, ..], ground) = (self.rims(), self.control.forward_speed);
        slowest - ground > (SLIP * ground.abs()).max(SLIP_SPEED)
    }

    /// Whether the brakes slow all driven wheels to much less than the vehicle's speed: a lower gear would not turn them.
    fn locks(&self) -> bool {
        let ([.., fastest], ground) = (self.rims(), self.control.forward_speed);
        ground > SLIP_SPEED && fastest < LOCKED * ground
    }
}

#[cfg(test)]
mod tests;
