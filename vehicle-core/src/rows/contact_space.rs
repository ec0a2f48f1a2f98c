//! The rows of four wheels, seen from their contacts: how fast each contact moves, and how an
//! impulse in one row changes the speeds in all of them.

use glam::Mat3;

use crate::chassis::Velocity;
use crate::lanes::{LANES, V3x4, W4};

/// Rows of a group: four along the normals, four forward, four to the left.
pub const ROWS: usize = 3 * LANES;
/// The first row of each direction.
pub const NORMAL: usize = 0;
/// The first forward row.
pub const FORWARD: usize = LANES;
/// The first lateral row.
pub const LEFT: usize = 2 * LANES;

/// Directions and levers of one kind of row at four wheels (vehicle frame).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Levers {
    /// Direction of an impulse on the chassis, unit; zero where there is no row.
    pub direction: V3x4,
    /// Point × direction [m].
    pub arm: V3x4,
    /// Angular velocity per impulse, inverse inertia × arm.
    reach: V3x4,
}

impl Levers {
    /// Rows along `direction` through `point`.
    #[inline]
    #[must_use]
    pub fn new(direction: V3x4, point: V3x4, inverse_inertia: &Mat3) -> Self {
        let arm = point.cross(direction);
        Self {
            direction,
            arm,
            reach: arm.rotated(inverse_inertia),
        }
    }

    /// Speeds along the rows.
    #[inline]
    #[must_use]
    pub fn rates(&self, velocity: &Velocity) -> W4 {
        self.direction.dot(V3x4::splat(velocity.linear))
            + self.arm.dot(V3x4::splat(velocity.angular))
    }

    /// Change of velocity by impulses in the rows.
    #[inline]
    #[must_use]
    pub fn change(&self, impulses: W4, inverse_mass: f32) -> Velocity {
        Velocity {
            linear: (self.direction * impulses).sum() * inverse_mass,
            angular: (self.reach * impulses).sum(),
        }
    }
}

/// Speeds, impulses and their coupling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactSpace {
    /// Of the normal, forward and lateral rows.
    pub levers: [Levers; 3],
    /// Change of every row's speed per impulse in a row: `response[row]`.
    response: [[f32; ROWS]; ROWS],
    /// Present speeds, the ground's subtracted [m/s].
    pub rates: [f32; ROWS],
    /// Impulses of this substep [N·s].
    pub impulses: [f32; ROWS],
    /// Impulses that the chassis' velocity knows of [N·s].
    known: [f32; ROWS],
    /// Speed of the ground along the rows [m/s].
    ground: [W4; 3],
    inverse_mass: f32,
}

impl ContactSpace {
    /// Prepares the rows, which begin with these impulses of each kind.
    pub fn prepare(
        &mut self,
        levers: [Levers; 3],
        ground: [W4; 3],
        impulses: [W4; 3],
        inverse_mass: f32,
    ) {
        self.levers = levers;
        self.ground = ground;
        self.inverse_mass = inverse_mass;
        self.known = [0.0; ROWS];
        for (kind, first) in impulses.into_iter().enumerate() {
            self.impulses[kind * LANES..][..LANES].copy_from_slice(&first.to_array());
        }
        for kind in 0..3 {
            for lane in 0..LANES {
                let direction = levers[kind].direction.lane(lane) * inverse_mass;
                let (direction, reach) = (
                    V3x4::splat(direction),
                    V3x4::splat(levers[kind].reach.lane(lane)),
                );
                let column = &mut self.response[kind * LANES + lane];
                for (other, rows) in levers.iter().enumerate() {
                    let coupling = rows.direction.dot(direction) + rows.arm.dot(reach);
                    column[other * LANES..][..LANES].copy_from_slice(&coupling.to_array());
                }
            }
        }
    }

    /// A row's own speed per impulse [1/kg].
    #[inline]
    #[must_use]
    pub fn own_response(&self, row: usize) -> f32 {
        self.response[row][row]
    }

    /// Own responses of a kind of row, from its first on.
    #[inline]
    #[must_use]
    pub fn own_responses(&self, first: usize) -> W4 {
        W4::from_fn(|lane| self.own_response(first + lane))
    }

    /// Speeds of a kind of row, from its first on.
    #[inline]
    #[must_use]
    pub fn rates_of(&self, first: usize) -> W4 {
        W4::from_fn(|lane| self.rates[first + lane])
    }

    /// Impulses of a kind of row, from its first on.
    #[inline]
    #[must_use]
    pub fn impulses_of(&self, first: usize) -> W4 {
        W4::from_fn(|lane| self.impulses[first + lane])
    }

    /// Speeds along the rows at a chassis' velocity, against the ground.
    #[inline]
    #[must_use]
    pub fn rates_at(&self, velocity: &Velocity) -> [W4; 3] {
        core::array::from_fn(|kind| self.levers[kind].rates(velocity) - self.ground[kind])
    }

    /// Takes the speeds over from the chassis, which other groups have moved.
    #[inline]
    pub fn enter(&mut self, velocity: &Velocity) {
        for (kind, rates) in self.rates_at(velocity).into_iter().enumerate() {
            self.rates[kind * LANES..][..LANES].copy_from_slice(&rates.to_array());
        }
    }

    /// Hands the impulses since the last time to the chassis.
    #[inline]
    pub fn leave(&mut self, velocity: &mut Velocity) {
        for (kind, levers) in self.levers.iter().enumerate() {
            let rows = kind * LANES..(kind + 1) * LANES;
            let new = W4::from_fn(|lane| self.impulses[rows.start + lane])
                - W4::from_fn(|lane| self.known[rows.start + lane]);
            *velocity = *velocity + levers.change(new, self.inverse_mass);
        }
        self.known = self.impulses;
    }

    /// Sets the impulse of a row.
    #[inline]
    pub fn set(&mut self, row: usize, impulse: f32) {
        let change = impulse - self.impulses[row];
        self.impulses[row] = impulse;
        for (rate, response) in self.rates.iter_mut().zip(&self.response[row]) {
            *rate += response * change;
        }
    }
}
