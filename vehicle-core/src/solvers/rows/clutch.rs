//! The clutch: one unknown torque between an engine and wheels that grip, slide or stand
//! (ROWS §7).
//!
//! Every speed is a piecewise linear, monotone function of the torque that the clutch passes, so the
//! slip of the clutch is one, too: Newton's method within a bracket ends after a few steps.

use crate::base::lanes::W4;
use crate::contracts::drivetrain::{EngineCoupling, WheelControl};
use crate::contracts::stateful_tire::TireRow4;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::Block;
use super::member::{Member, Sloped};
use super::wheel::{WheelStart, soft};

/// Strength of a friction clutch whose plates stick [N·m·s/rad]: rigid, for all that matters.
const RIGID: f32 = 1e8;
/// Torque beyond what any clutch that slips by its strength passes (`N·m`).
const UNLIMITED: f32 = 1e9;
/// Most steps of the search.
const STEPS: usize = 12;

/// Spins of four wheels against the clutch's torque, the rows' present speeds given. Torques and
/// forces times the substep are impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spins {
    /// Angular momentum without tire and clutch (`N·m·s`).
    momentum: W4,
    /// Angular momentum per torque of the clutch (`s`).
    per_torque: W4,
    /// Impulse of the tire on a standing wheel (`N·s`), and per spin (`N·s²`).
    along: W4,
    traction: W4,
    /// Greatest impulse of the tire (`N·s`).
    bound: W4,
    brake: W4,
    radius: W4,
    /// Spin per angular momentum of a wheel whose tire grips, and of one whose tire slides.
    gripping: W4,
    sliding: W4,
    /// Share of the wheel in the mean speed that the clutch sees (–).
    speed_share: W4,
}

/// Four wheels that a clutch may drive, in the middle of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Driven<'a> {
    /// Constants.
    pub consts: &'a WheelConsts,
    /// What they started the substep with.
    pub start: &'a WheelStart,
    /// Their shares.
    pub shares: &'a WheelControl,
    /// Their tires' forward rows.
    pub row: &'a TireRow4,
    /// Present speeds and impulses.
    pub space: &'a Block<2>,
}

impl Spins {
    /// From the rows' present speeds. The wheels that carry move one chassis together: this solve,
    /// which sees each alone, takes it as `loaded` times lighter. `bound` is the tires' greatest
    /// impulse (`N·s`).
    #[inline]
    #[must_use]
    pub fn new(wheels: &Driven<'_>, bound: W4, loaded: f32, h: f32) -> Self {
        let Driven {
            consts: k,
            start,
            shares,
            row,
            space,
        } = *wheels;
        let step = W4::splat(h);
        let own = space.own_response(0) * W4::splat(loaded);
        let without = space.rates_of(0) - own * space.impulses_of(0);
        let scale = step / (W4::ONE + row.gain * own * step);
        let traction = row.gain * scale * k.radius;
        let bearing = k.inertia + k.damping * step;
        Self {
            momentum: k.inertia * start.spin + start.torque * step,
            per_torque: shares.torque_share * step,
            along: (row.force - row.gain * without) * scale,
            traction,
            bound,
            brake: start.brake * step,
            radius: k.radius,
            gripping: W4::ONE / (bearing + k.radius * traction),
            sliding: W4::ONE / bearing,
            speed_share: shares.speed_share,
        }
    }

    /// The wheel of a lane as the member of a bond, which takes over its part in the mean speed.
    #[must_use]
    pub fn release(&mut self, lane: usize) -> Member {
        let own = W4::from_fn(|l| if l == lane { 0.0 } else { 1.0 });
        self.speed_share = self.speed_share * own;
        Member {
            momentum: self.momentum.lane(lane),
            bearing: 1.0 / self.sliding.lane(lane),
            brake: self.brake.lane(lane),
            radius: self.radius.lane(lane),
            along: self.along.lane(lane),
            traction: self.traction.lane(lane),
            bound: self.bound.lane(lane),
            ..Member::default()
        }
    }

    /// The wheels' part in the mean speed (`rad/s`), and its slope, when the differentials receive
    /// `torque` (`N·m`).
    #[inline]
    #[must_use]
    pub fn mean_at(&self, torque: f32) -> Sloped {
        let momentum = self.momentum + self.per_torque * W4::splat(torque);
        let grip = soft4(momentum - self.radius * self.along, self.brake) * self.gripping;
        let force = self.along + self.traction * grip;
        let over = force.abs().gt(self.bound);
        let limited = force.gt(W4::ZERO).select(self.bound, -self.bound);
        let slide = soft4(momentum - self.radius * limited, self.brake) * self.sliding;
        let spin = over.select(slide, grip);
        let turning = !spin.same(W4::ZERO);
        let slope = turning.keep(self.per_torque * over.select(self.sliding, self.gripping));
        Sloped {
            value: (self.speed_share * spin).sum(),
            slope: (self.speed_share * slope).sum(),
        }
    }
}

/// [`soft`] for four wheels.
fn soft4(z: W4, b: W4) -> W4 {
    z - z.max(-b).min(b)
}

/// Speed of the engine (`rad/s`) against the torque that the clutch takes from it (`N·m`).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Engine {
    /// Angular momentum with and without the engine's own torque (`N·m·s`).
    driven: f32,
    idle: f32,
    friction: f32,
    per_momentum: f32,
    idle_speed: f32,
    max_speed: f32,
    h: f32,
}

impl Engine {
    fn new(coupling: &EngineCoupling, speed: f32, h: f32) -> Self {
        let engine = &coupling.engine;
        let idle = engine.inertia * speed;
        Self {
            driven: idle + engine.torque * h,
            idle,
            friction: engine.friction * h,
            per_momentum: 1.0 / (engine.inertia + engine.damping * h),
            idle_speed: engine.idle_speed,
            max_speed: engine.max_speed,
            h,
        }
    }

    /// It never falls below its idle speed, and its own torque brings it no further than its greatest
    /// speed.
    fn speed_at(&self, torque: f32) -> Sloped {
        let speed = |momentum: f32| {
            let left = soft(momentum - self.h * torque, self.friction);
            left * self.per_momentum
        };
        let driven = speed(self.driven);
        let value = if driven > self.max_speed {
            speed(self.idle).max(self.max_speed)
        } else {
            driven
        };
        let moves = value > self.idle_speed && value != self.max_speed;
        Sloped {
            value: value.max(self.idle_speed),
            slope: if moves {
                -self.h * self.per_momentum
            } else {
                0.0
            },
        }
    }
}

/// Finds the torque that the clutch passes in this substep (`N·m`) and the engine's speed after it
/// (`rad/s`). `mean_at` is the wheels' mean speed against the torque on the differentials; the search
/// begins at `torque`.
#[must_use]
pub fn engage(
    coupling: &EngineCoupling,
    mean_at: impl Fn(f32) -> Sloped,
    engine_speed: f32,
    torque: f32,
    h: f32,
) -> (f32, f32) {
    let engine = Engine::new(coupling, engine_speed, h);
    let (strength, most) = match coupling.capacity {
        Some(capacity) => (RIGID, capacity),
        None => (coupling.clutch, UNLIMITED),
    };
    let ratio = coupling.ratio;
    if strength <= 0.0 || most <= 0.0 || ratio == 0.0 {
        return (0.0, engine.speed_at(0.0).value);
    }
    let slip = |torque: f32| {
        let (speed, mean) = (engine.speed_at(torque), mean_at(ratio * torque));
        Sloped {
            value: speed.value - ratio * mean.value - torque / strength,
            slope: speed.slope - ratio * ratio * mean.slope - 1.0 / strength,
        }
    };
    let torque = root(slip, torque, most, engine_speed);
    (torque, engine.speed_at(torque).value)
}

/// The torque within ±`most` at which a falling `slip` is 0, or the end where it comes closest.
///
/// Newton's method within a bracket. Its ends are looked at before they count as bounds: between flat
/// pieces, only halving gets on.
fn root(slip: impl Fn(f32) -> Sloped, start: f32, most: f32, scale: f32) -> f32 {
    let enough = 1e-5 * (1.0 + scale.abs());
    let (mut low, mut high) = (-most, most);
    let (mut low_seen, mut high_seen) = (false, false);
    let mut torque = start.clamp(low, high);
    for _ in 0..STEPS {
        let at = slip(torque);
        let at_end = torque == if at.value > 0.0 { most } else { -most };
        if at.value.abs() <= enough || at_end {
            break;
        }
        if at.value > 0.0 {
            (low, low_seen) = (torque, true);
        } else {
            (high, high_seen) = (torque, true);
        }
        let step = torque - at.value / at.slope;
        if step == torque {
            // Lost in rounding: this is as near as it gets.
            break;
        }
        torque = if step > low && step < high {
            step
        } else if step >= high && !high_seen {
            high
        } else if step <= low && !low_seen {
            low
        } else {
            0.5 * (low + high)
        };
    }
    torque
}

#[cfg(test)]
mod tests;
