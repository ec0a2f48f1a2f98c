//! Rows of four wheels, seen from their contacts: how fast each contact moves, and how an impulse in
//! one row changes the speeds in the others.
//!
//! Rows that are swept together stand in one [`Block`] and know each other's impulses at once;
//! between the sweeps, blocks meet in the velocity of the chassis.

use glam::Mat3;

use crate::chassis::Velocity;
use crate::lanes::{LANES, V3x4, W4};

/// Directions and levers of one row at each of four wheels (vehicle frame).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Levers {
    /// Direction of an impulse on the chassis, unit; zero where there is no row.
    pub direction: V3x4,
    /// Point × direction [m].
    arm: V3x4,
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
        let linear = self.direction.dot(V3x4::splat(velocity.linear));
        linear + self.arm.dot(V3x4::splat(velocity.angular))
    }
}

/// `KINDS` rows at each of four wheels: speeds, impulses and their coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block<const KINDS: usize> {
    /// Of each kind of row.
    pub levers: [Levers; KINDS],
    /// Change of the block's speeds per impulse in a row: `response[kind][lane]`.
    response: [[[W4; KINDS]; LANES]; KINDS],
    /// Present speeds, the ground's subtracted [m/s].
    pub rates: [[f32; LANES]; KINDS],
    /// Impulses of this substep [N·s].
    pub impulses: [[f32; LANES]; KINDS],
    /// Impulses that the chassis' velocity knows of [N·s].
    known: [W4; KINDS],
    /// Speed of the ground along the rows [m/s].
    ground: [W4; KINDS],
    inverse_mass: f32,
}

impl<const KINDS: usize> Default for Block<KINDS> {
    fn default() -> Self {
        Self {
            levers: [Levers::default(); KINDS],
            response: [[[W4::ZERO; KINDS]; LANES]; KINDS],
            rates: [[0.0; LANES]; KINDS],
            impulses: [[0.0; LANES]; KINDS],
            known: [W4::ZERO; KINDS],
            ground: [W4::ZERO; KINDS],
            inverse_mass: 0.0,
        }
    }
}

impl<const KINDS: usize> Block<KINDS> {
    /// Prepares the rows, which begin with these impulses.
    #[inline]
    pub fn prepare(
        &mut self,
        levers: [Levers; KINDS],
        ground: [W4; KINDS],
        impulses: [W4; KINDS],
        inverse_mass: f32,
    ) {
        self.levers = levers;
        self.ground = ground;
        self.inverse_mass = inverse_mass;
        self.known = [W4::ZERO; KINDS];
        self.impulses = impulses.map(W4::to_array);
        for (kind, column) in self.response.iter_mut().enumerate() {
            let direction = levers[kind].direction * W4::splat(inverse_mass);
            for (lane, response) in column.iter_mut().enumerate() {
                let direction = V3x4::splat(direction.lane(lane));
                let reach = V3x4::splat(levers[kind].reach.lane(lane));
                *response = core::array::from_fn(|other| {
                    let row = &levers[other];
                    row.direction.dot(direction) + row.arm.dot(reach)
                });
            }
        }
    }

    /// Each row's own speed per impulse, for a kind of row [1/kg].
    #[inline]
    #[must_use]
    pub fn own_response(&self, kind: usize) -> W4 {
        W4::from_fn(|lane| self.response[kind][lane][kind].lane(lane))
    }

    /// Present speeds of a kind of row [m/s].
    #[inline]
    #[must_use]
    pub fn rates_of(&self, kind: usize) -> W4 {
        W4::from_array(self.rates[kind])
    }

    /// Impulses of a kind of row [N·s].
    #[inline]
    #[must_use]
    pub fn impulses_of(&self, kind: usize) -> W4 {
        W4::from_array(self.impulses[kind])
    }

    /// Speeds along the rows at a chassis' velocity, against the ground [m/s].
    #[inline]
    #[must_use]
    pub fn rates_at(&self, velocity: &Velocity) -> [W4; KINDS] {
        core::array::from_fn(|kind| self.levers[kind].rates(velocity) - self.ground[kind])
    }

    /// Takes the speeds over from the chassis.
    #[inline]
    pub fn enter(&mut self, velocity: &Velocity) {
        self.rates = self.rates_at(velocity).map(W4::to_array);
    }

    /// Hands the impulses since the last time to the chassis.
    #[inline]
    pub fn leave(&mut self, velocity: &mut Velocity) {
        let (mut linear, mut angular) = (V3x4::ZERO, V3x4::ZERO);
        for (kind, levers) in self.levers.iter().enumerate() {
            let impulses = self.impulses_of(kind);
            let new = impulses - self.known[kind];
            self.known[kind] = impulses;
            linear = linear + levers.direction * new;
            angular = angular + levers.reach * new;
        }
        velocity.linear += linear.sum() * self.inverse_mass;
        velocity.angular += angular.sum();
    }

    /// Sets the impulse of a row.
    #[inline]
    pub fn set(&mut self, kind: usize, lane: usize, impulse: f32) {
        let change = W4::splat(impulse - self.impulses[kind][lane]);
        self.impulses[kind][lane] = impulse;
        let responses = &self.response[kind][lane];
        for (rates, response) in self.rates.iter_mut().zip(responses) {
            *rates = (W4::from_array(*rates) + *response * change).to_array();
        }
    }
}
