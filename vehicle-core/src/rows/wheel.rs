//! Wheel blocks: spin, brake and tire of a wheel, solved together in closed form, and the friction
//! ellipse (HOLDING §2 steps 5c and 5d).

use crate::kind::WheelConsts;
use crate::lanes::{LANES, W4};
use crate::math;
use crate::params::LoadFilter;

use super::contact_space::{ContactSpace, FORWARD, LEFT, NORMAL};
use super::tread::Row;

/// `z` brought towards 0 by at most `b`: what dry friction `b` leaves of an impulse.
#[inline]
#[must_use]
pub fn soft(z: f32, b: f32) -> f32 {
    z - z.clamp(-b, b)
}

/// Four wheels, prepared for the sweeps of one substep. Torques and forces times the substep are
/// impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelBlocks {
    /// Angular momentum before tire and clutch [N·m·s].
    momentum: [f32; LANES],
    /// Greatest impulse of the brake [N·m·s].
    brake: [f32; LANES],
    /// Radius × substep [m·s].
    reach: [f32; LANES],
    /// Spin per angular momentum of a wheel whose tire grips, and of one whose tire slides.
    gripping: [f32; LANES],
    sliding: [f32; LANES],
    /// Forward row at the wheel's present speed, its own response worked in.
    forward: [Tangent; LANES],
    left: [Tangent; LANES],
    /// Force per spin of the forward row [N·s].
    traction: [f32; LANES],
    grip: [Grip; LANES],
    /// Spin [rad/s].
    pub spin: [f32; LANES],
    /// Angular momentum that clutch and differential add [N·m·s].
    pub drive: [f32; LANES],
}

/// `force − gain·speed`, the row's own response worked in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tangent {
    force: f32,
    gain: f32,
    own: f32,
}

/// Friction force against load: `least + slope·load`, up to a load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Grip {
    least: f32,
    slope: f32,
    greatest_load: f32,
}

impl Grip {
    #[inline]
    fn at(&self, load: f32) -> f32 {
        if load > 0.0 {
            self.least + self.slope * load.min(self.greatest_load)
        } else {
            0.0
        }
    }
}

/// What four wheels start a substep with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelStart {
    /// Spin [rad/s].
    pub spin: W4,
    /// Driving torque, clutch aside [N·m].
    pub torque: W4,
    /// Braking torque [N·m].
    pub brake: W4,
    /// Friction coefficient [−].
    pub friction: W4,
    /// Load at rest [N].
    pub rest_load: W4,
}

impl WheelBlocks {
    /// Prepares the blocks; `rows` are the tires' rows forward and to the left.
    #[must_use]
    pub fn new(
        k: &WheelConsts,
        start: &WheelStart,
        rows: &[Row; 2],
        filter: &LoadFilter,
        space: &ContactSpace,
        h: f32,
    ) -> Self {
        let step = W4::splat(h);
        let tangent = |row: &Row, first: usize| {
            let own = space.own_responses(first);
            let scale = W4::ONE / (W4::ONE + row.gain * own * step);
            (row.force * scale, row.gain * scale, own)
        };
        let (forward, left) = (tangent(&rows[0], FORWARD), tangent(&rows[1], LEFT));
        let bearing = k.inertia + k.damping * step;
        let traction = forward.1 * k.radius;
        Self {
            momentum: (k.inertia * start.spin + start.torque * step).to_array(),
            brake: (start.brake * step).to_array(),
            reach: (k.radius * step).to_array(),
            gripping: (W4::ONE / (bearing + k.radius * step * traction)).to_array(),
            sliding: (W4::ONE / bearing).to_array(),
            forward: tangents(forward),
            left: tangents(left),
            traction: traction.to_array(),
            grip: grips(filter, start),
            spin: start.spin.to_array(),
            drive: [0.0; LANES],
        }
    }

    /// Greatest forces of the tires at these loads [N].
    #[must_use]
    pub fn bounds(&self, loads: W4) -> W4 {
        W4::from_fn(|lane| self.grip[lane].at(loads.lane(lane)))
    }

    /// Solves wheel after wheel.
    #[inline]
    pub fn sweep(&mut self, space: &mut ContactSpace, h: f32) {
        for lane in 0..LANES {
            self.solve(lane, space, h);
        }
    }

    #[inline]
    fn solve(&mut self, lane: usize, space: &mut ContactSpace, h: f32) {
        let bound = self.grip[lane].at(space.impulses[NORMAL + lane] / h);
        let along = self.forward[lane].without_speed(space, FORWARD + lane);
        let momentum = self.momentum[lane] + self.drive[lane];
        let (reach, brake) = (self.reach[lane], self.brake[lane]);
        let mut spin = soft(momentum - reach * along, brake) * self.gripping[lane];
        let mut forward = along + self.traction[lane] * spin;
        let mut left = self.left[lane].without_speed(space, LEFT + lane);
        let square = forward * forward + left * left;
        if square > bound * bound {
            forward *= bound / math::sqrt(square);
            spin = soft(momentum - reach * forward, brake) * self.sliding[lane];
            let rest = math::sqrt((bound * bound - forward * forward).max(0.0));
            left = left.clamp(-rest, rest);
        }
        self.spin[lane] = spin;
        space.set(FORWARD + lane, forward * h);
        space.set(LEFT + lane, left * h);
    }
}

impl Tangent {
    /// Force at the speed that the contact has without the row's own impulse, wheel aside.
    #[inline]
    fn without_speed(&self, space: &ContactSpace, row: usize) -> f32 {
        let without = space.rates[row] - self.own * space.impulses[row];
        self.force - self.gain * without
    }
}

fn tangents((force, gain, own): (W4, W4, W4)) -> [Tangent; LANES] {
    let (force, gain, own) = (force.to_array(), gain.to_array(), own.to_array());
    core::array::from_fn(|lane| Tangent {
        force: force[lane],
        gain: gain[lane],
        own: own[lane],
    })
}

/// The load filter is a straight line from load 0 to its greatest load.
fn grips(filter: &LoadFilter, start: &WheelStart) -> [Grip; LANES] {
    let slope = (filter.max_filtered - filter.min_filtered) / filter.max_load;
    let (friction, rest) = (start.friction.to_array(), start.rest_load.to_array());
    core::array::from_fn(|lane| Grip {
        least: friction[lane] * filter.min_filtered * rest[lane],
        slope: friction[lane] * slope,
        greatest_load: filter.max_load * rest[lane],
    })
}
