//! Contact space: speeds and impulses along the rows of four wheels, and their coupling.
//!
//! ```text
//! s = J·v − s_ground                  speeds along rows; a row of J: (n, p × n)
//! v ← v + M⁻¹·Jᵀ·Δλ                   impulses λ on the chassis
//! s ← s + A·Δλ,  A = J·M⁻¹·Jᵀ         the same, seen from the rows
//! ```
//!
//! A row's diagonal element of A is its inverse effective mass. Rows that are swept together form a
//! [`RowBlock`], in which the impulses of an axle change all speeds at once (Gauss–Seidel). Blocks are coupled by the
//! chassis' velocity, which they read before and update after their sweep.

mod jacobian;

use crate::base::lanes::{self, LANES, Pairs, V3x4, W4};
use crate::base::velocity::VelocityLanes;
use crate::stages::axles::{AxleWheels, WheelAxles};

pub use jacobian::{Jacobian, inverse_moments};

/// `KINDS` rows at each of four wheels: Jacobian, speeds, impulses and their coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowBlock<const KINDS: usize> {
    /// Jacobians by kind of row.
    pub jacobian: [Jacobian; KINDS],
    /// Columns of A, change of the block's speeds per impulse in a row: `response[kind][lane]` (`1/kg`).
    response: [[[W4; KINDS]; LANES]; KINDS],
    /// Present speeds relative to the ground (`m/s`).
    pub speeds: [W4; KINDS],
    /// Accumulated impulses λ of this substep (`N·s`).
    pub impulses: [W4; KINDS],
    /// Impulses already applied to the chassis' velocity (`N·s`).
    applied: [W4; KINDS],
    /// Speed of the ground along the rows (`m/s`).
    ground: [W4; KINDS],
    /// 1/mass (`1/kg`) of the chassis.
    inverse_mass: f32,
}

impl<const KINDS: usize> Default for RowBlock<KINDS> {
    #[inline]
    fn default() -> Self {
        Self::NONE
    }
}

impl<const KINDS: usize> RowBlock<KINDS> {
    /// Rows without effect.
    const NONE: Self = Self {
        jacobian: [Jacobian::NONE; KINDS],
        response: [[[W4::ZERO; KINDS]; LANES]; KINDS],
        speeds: [W4::ZERO; KINDS],
        impulses: [W4::ZERO; KINDS],
        applied: [W4::ZERO; KINDS],
        ground: [W4::ZERO; KINDS],
        inverse_mass: 0.0,
    };

    /// Sets up A = J·M⁻¹·Jᵀ for the Jacobian in place. The impulses start at `warm_start` (`N·s`), which
    /// [`RowBlock::apply_impulses`] then applies.
    #[inline(always)]
    pub fn prepare(&mut self, ground: [W4; KINDS], warm_start: [W4; KINDS], inverse_mass: f32) {
        self.ground = ground;
        self.inverse_mass = inverse_mass;
        self.applied = [W4::ZERO; KINDS];
        self.impulses = warm_start;
        for kind in 0..KINDS {
            let direction = self.jacobian[kind].direction * W4::splat(inverse_mass);
            for lane in 0..LANES {
                let direction = V3x4::splat(direction.lane(lane));
                let angular_response = V3x4::splat(self.jacobian[kind].angular_response.lane(lane));
                for (other, row) in self.jacobian.iter().enumerate() {
                    if other >= kind {
                        self.response[kind][lane][other] =
                            row.direction.dot(direction) + row.arm.dot(angular_response);
                    }
                }
            }
            self.mirror_responses(kind);
        }
    }

    /// Fills in the responses between this `kind` and the kinds before it, which are already computed: A is symmetric.
    #[inline(always)]
    fn mirror_responses(&mut self, kind: usize) {
        // Loops of a fixed length are unrolled.
        for other in 0..KINDS {
            if other < kind {
                let columns = self.response[other].map(|responses| responses[kind]);
                let rows = lanes::transposed(columns);
                for (responses, row) in self.response[kind].iter_mut().zip(rows) {
                    responses[other] = row;
                }
            }
        }
    }

    /// Inverse effective masses of a kind of row, the diagonal of A (`1/kg`).
    #[inline]
    #[must_use]
    pub fn inverse_effective_mass(&self, kind: usize) -> W4 {
        W4::from_fn(|lane| self.response[kind][lane][kind].lane(lane))
    }

    /// Present speeds of a kind of row (`m/s`).
    #[inline]
    #[must_use]
    pub fn speeds_of(&self, kind: usize) -> W4 {
        self.speeds[kind]
    }

    /// Impulses of a kind of row (`N·s`).
    #[inline]
    #[must_use]
    pub fn impulses_of(&self, kind: usize) -> W4 {
        self.impulses[kind]
    }

    /// Speeds along the rows relative to the ground, `J·v − s_ground` (`m/s`).
    #[inline]
    #[must_use]
    pub fn speeds_at(&self, velocity: &VelocityLanes) -> [W4; KINDS] {
        core::array::from_fn(|kind| self.jacobian[kind].speeds(velocity) - self.ground[kind])
    }

    /// Updates the rows' speeds from the chassis' velocity.
    #[inline]
    pub fn read_velocity(&mut self, velocity: &VelocityLanes) {
        self.speeds = self.speeds_at(velocity);
    }

    /// Applies to the chassis' velocity the changes of the impulses since the last call, v ← v + M⁻¹·Jᵀ·Δλ. The impulses of
    /// these `pairs` are added first.
    #[inline]
    pub(crate) fn apply_impulses(&mut self, velocity: &mut VelocityLanes, pairs: Pairs) {
        let parts: [[V3x4; 2]; KINDS] = core::array::from_fn(|kind| {
            let impulses = self.impulses_of(kind);
            let new = impulses - self.applied[kind];
            self.applied[kind] = impulses;
            let Jacobian {
                direction,
                angular_response,
                ..
            } = &self.jacobian[kind];
            [*direction * new, *angular_response * new]
        });
        // Without a first sum with zero.
        let sum = |[a, b]: [V3x4; 2], [c, d]: [V3x4; 2]| [a + c, b + d];
        let [linear, angular] = parts.into_iter().reduce(sum).unwrap_or_default();
        velocity.linear += linear.sum_by(pairs) * self.inverse_mass;
        velocity.angular += angular.sum_by(pairs);
    }

    /// Fraction of a wheel's change that is applied before the opposite wheel is solved (–), where an impulse of this `kind` of
    /// row responds to speed by `slope` (`kg`).
    ///
    /// ```text
    /// 1/(1 + |slope·a|)       a: change of one's speed per impulse of the other (1/kg)
    /// ```
    #[inline]
    #[must_use]
    pub fn opposite_fraction(&self, kind: usize, slope: W4, axles: &WheelAxles) -> W4 {
        let opposite = |lane: usize| usize::from(axles.opposite[lane]) % LANES;
        let by_opposite = |lane: usize| self.response[kind][opposite(lane)][kind].as_array()[lane];
        W4::ONE / (W4::ONE + (slope * W4::from_fn(by_opposite)).abs())
    }

    /// Solves the rows of an axle symmetrically: `solve` returns each wheel's impulses as if it were alone, at the present
    /// speeds. It runs once at these speeds, and once after these `fractions` of the changes are applied.
    #[inline(always)]
    pub fn solve_axle(
        &mut self,
        axle: AxleWheels,
        fractions: [W4; KINDS],
        mut solve: impl FnMut(&Self) -> [W4; KINDS],
    ) {
        let alone = solve(self);
        let partly = |kind| {
            let present: W4 = self.impulses[kind];
            present + (alone[kind] - present) * fractions[kind]
        };
        self.set(axle, core::array::from_fn(partly));
        let together = solve(self);
        self.set(axle, together);
    }

    /// Sets the impulses of an axle's wheels and updates the block's speeds: s ← s + A·Δλ.
    #[inline(always)]
    pub fn set(&mut self, axle: AxleWheels, impulses: [W4; KINDS]) {
        let [a, b] = axle.lanes.map(|lane| usize::from(lane) % LANES);
        let mut gained = [W4::ZERO; KINDS];
        for (kind, impulses) in impulses.into_iter().enumerate() {
            let new = axle.wheels.select(impulses, self.impulses[kind]);
            let change = (new - self.impulses[kind]).to_array();
            self.impulses[kind] = new;
            let [by_a, by_b] = [a, b].map(|lane| W4::splat(change[lane]));
            let [from_a, from_b] = [a, b].map(|lane| &self.response[kind][lane]);
            for (other, gained) in gained.iter_mut().enumerate() {
                // Both wheels' parts first: the sum is that of the mirror image.
                let both = from_a[other] * by_a + from_b[other] * by_b;
                *gained = if kind == 0 { both } else { *gained + both };
            }
        }
        for (speeds, gained) in self.speeds.iter_mut().zip(gained) {
            *speeds += gained;
        }
    }
}

#[cfg(test)]
mod tests;
