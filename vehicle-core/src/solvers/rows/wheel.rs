//! Wheel blocks: spin, brake and tire of a wheel, solved together in closed form, and the friction
//! ellipse (ROWS §6).

use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::stateful_tire::TireRow4;
use crate::params::LoadFilter;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::Block;

/// `z` brought towards 0 by at most `b`: what dry friction `b` leaves of an impulse.
#[inline]
#[must_use]
pub fn soft(z: f32, b: f32) -> f32 {
    z - within(z, b)
}

/// `z` within ±`b`.
#[inline]
fn within(z: f32, b: f32) -> f32 {
    math::lesser(math::greater(z, -b), b)
}

/// The tire's impulses forward and to the left, shrunk in proportion to the ellipse that is `bound` long
/// and `bound/squeeze` wide; `None` if they are within it.
#[inline]
fn within_ellipse(forward: f32, left: f32, bound: f32, squeeze: f32) -> Option<[f32; 2]> {
    let across = left * squeeze;
    let square = forward * forward + across * across;
    (square > bound * bound).then(|| {
        let forward = forward * (bound / math::sqrt(square));
        let rest = math::sqrt(math::greater(bound * bound - forward * forward, 0.0));
        [forward, within(across, rest) / squeeze]
    })
}

/// What four wheels start a substep with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelStart {
    /// Spin (`rad/s`).
    pub spin: W4,
    /// Driving torque, clutch aside (`N·m`).
    pub torque: W4,
    /// Torque of brake and rolling resistance, which act alike (`N·m`).
    pub brake: W4,
    /// Friction coefficient forward (–).
    pub friction: W4,
    /// Greatest force to a side over that forward (–), > 0.
    pub side_grip: W4,
    /// Load at rest (`N`).
    pub rest_load: W4,
}

/// What a shaft does to a wheel in a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shaft {
    /// Clutch and differential as they are.
    #[default]
    Free,
    /// Adds an angular momentum, brake included (`N·m·s`).
    Adds(f32),
    /// Turns it at a spin (`rad/s`).
    At(f32),
}

/// Four wheels, prepared for the sweeps of one substep. Torques and forces times the substep are
/// impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelBlocks {
    /// Angular momentum before tire and clutch (`N·m·s`).
    momentum: [f32; LANES],
    /// Greatest impulse of the brake (`N·m·s`).
    brake: [f32; LANES],
    radius: [f32; LANES],
    /// Spin per angular momentum of a wheel whose tire grips, and of one whose tire slides.
    gripping: [f32; LANES],
    sliding: [f32; LANES],
    forward: Tangent,
    left: Tangent,
    /// Impulse per spin of the forward row (`N·s²`).
    traction: [f32; LANES],
    grip: Grip,
    /// Spin (`rad/s`).
    pub spin: [f32; LANES],
    /// Angular momentum that clutch and differential add (`N·m·s`).
    pub drive: [f32; LANES],
}

/// Impulse `base − slope·speed` of four rows, their own response worked in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tangent {
    base: [f32; LANES],
    slope: [f32; LANES],
    own: [f32; LANES],
}

impl Tangent {
    #[inline]
    fn new(row: &TireRow4, own: W4, step: W4) -> (Self, W4) {
        let scale = step / (W4::ONE + row.gain * own * step);
        let slope = row.gain * scale;
        let tangent = Self {
            base: (row.force * scale).to_array(),
            slope: slope.to_array(),
            own: own.to_array(),
        };
        (tangent, slope)
    }

    /// Impulse on a standing wheel.
    #[inline]
    fn impulse(&self, rows: &Block<2>, kind: usize, lane: usize) -> f32 {
        let without = rows.rates[kind][lane] - self.own[lane] * rows.impulses[kind][lane];
        self.base[lane] - self.slope[lane] * without
    }
}

/// Greatest friction impulse forward against normal impulse: `least + slope·impulse`, up to an impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Grip {
    least: [f32; LANES],
    slope: [f32; LANES],
    most: [f32; LANES],
    /// The greatest impulse forward over that to a side (–).
    squeeze: [f32; LANES],
}

impl Grip {
    /// The load filter is a straight line from load 0 to its greatest load.
    #[inline]
    fn new(filter: &LoadFilter, start: &WheelStart, step: W4) -> Self {
        let slope = (filter.max_filtered - filter.min_filtered) / filter.max_load;
        let rest = start.rest_load * step;
        Self {
            least: (start.friction * rest * W4::splat(filter.min_filtered)).to_array(),
            slope: (start.friction * W4::splat(slope)).to_array(),
            most: (rest * W4::splat(filter.max_load)).to_array(),
            squeeze: (W4::ONE / start.side_grip).to_array(),
        }
    }

    #[inline]
    fn at(&self, lane: usize, normal: f32) -> f32 {
        if normal > 0.0 {
            self.least[lane] + self.slope[lane] * math::lesser(normal, self.most[lane])
        } else {
            0.0
        }
    }
}

impl WheelBlocks {
    /// Prepares the blocks; `rows` are the tires' rows forward and to the left.
    #[inline]
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        start: &WheelStart,
        rows: &[TireRow4; 2],
        filter: &LoadFilter,
        space: &Block<2>,
        h: f32,
    ) -> Self {
        let step = W4::splat(h);
        let (forward, traction) = Tangent::new(&rows[0], space.own_response(0), step);
        let (left, _) = Tangent::new(&rows[1], space.own_response(1), step);
        let bearing = k.inertia + k.damping * step;
        let traction = traction * k.radius;
        Self {
            momentum: (k.inertia * start.spin + start.torque * step).to_array(),
            brake: (start.brake * step).to_array(),
            radius: k.radius.to_array(),
            gripping: (W4::ONE / (bearing + k.radius * traction)).to_array(),
            sliding: (W4::ONE / bearing).to_array(),
            forward,
            left,
            traction: traction.to_array(),
            grip: Grip::new(filter, start, step),
            spin: start.spin.to_array(),
            drive: [0.0; LANES],
        }
    }

    /// Greatest impulses forward of the tires at these normal impulses (`N·s`).
    #[must_use]
    pub fn bounds(&self, normal: &[f32; LANES]) -> W4 {
        W4::from_fn(|lane| self.grip.at(lane, normal[lane]))
    }

    /// Solves wheel after wheel, pressed on the ground by these impulses (`N·s`).
    #[inline]
    pub fn sweep(&mut self, rows: &mut Block<2>, normal: &[f32; LANES]) {
        for (lane, &normal) in normal.iter().enumerate() {
            self.solve(lane, rows, normal);
        }
    }

    /// The same where shafts bind some of the wheels; the spins of those are not set.
    pub fn sweep_bound(
        &mut self,
        rows: &mut Block<2>,
        normal: &[f32; LANES],
        shafts: &[Shaft; LANES],
    ) {
        for (lane, &normal) in normal.iter().enumerate() {
            let along = self.forward.impulse(rows, 0, lane);
            let spin = match shafts[lane] {
                Shaft::Free => {
                    self.solve(lane, rows, normal);
                    continue;
                }
                Shaft::Adds(added) => {
                    (self.momentum[lane] + added - self.radius[lane] * along) * self.gripping[lane]
                }
                Shaft::At(spin) => spin,
            };
            let forward = along + self.traction[lane] * spin;
            let left = self.left.impulse(rows, 1, lane);
            let bound = self.grip.at(lane, normal);
            let limited = within_ellipse(forward, left, bound, self.grip.squeeze[lane]);
            let [forward, left] = limited.unwrap_or([forward, left]);
            rows.set(0, lane, forward);
            rows.set(1, lane, left);
        }
    }

    /// Impulse to the left that a tire wants (`N·s`), as far as its ellipse of friction makes a circle.
    #[must_use]
    pub fn across(&self, rows: &Block<2>, lane: usize) -> f32 {
        self.left.impulse(rows, 1, lane) * self.grip.squeeze[lane]
    }

    #[inline]
    fn solve(&mut self, lane: usize, rows: &mut Block<2>, normal: f32) {
        let bound = self.grip.at(lane, normal);
        let along = self.forward.impulse(rows, 0, lane);
        let momentum = self.momentum[lane] + self.drive[lane];
        let (radius, brake) = (self.radius[lane], self.brake[lane]);
        let mut spin = soft(momentum - radius * along, brake) * self.gripping[lane];
        let mut forward = along + self.traction[lane] * spin;
        let mut left = self.left.impulse(rows, 1, lane);
        if let Some(limited) = within_ellipse(forward, left, bound, self.grip.squeeze[lane]) {
            [forward, left] = limited;
            spin = soft(momentum - radius * forward, brake) * self.sliding[lane];
        }
        self.spin[lane] = spin;
        rows.set(0, lane, forward);
        rows.set(1, lane, left);
    }
}

#[cfg(test)]
mod tests;
