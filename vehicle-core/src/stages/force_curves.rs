//! Effect of the tires' forces on the alignment of four wheels, through the bushings of their suspension.

use alloc::vec::Vec;

use glam::Vec2;

use crate::base::lanes::{V3x4, W4};
use crate::exchange::extra_states::BushingForces;
use crate::params::{Compliance, WheelParams};
use crate::stages::polyline::Polyline;

/// Tables of shifts forward and to the left.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShiftTable([Polyline; 2]);

impl ShiftTable {
    pub(crate) fn new<'a>(points: impl Fn(usize) -> &'a [(f32, Vec2)]) -> Self {
        Self(core::array::from_fn(|axis| {
            Polyline::bounded(&points, |v: Vec2| v[axis])
        }))
    }

    pub(crate) fn at(&self, x: W4) -> V3x4 {
        let [forward, left] = &self.0;
        V3x4 {
            x: forward.at(x),
            y: left.at(x),
            z: W4::ZERO,
        }
    }
}

/// Tables over the forces on the bushings of four wheels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ForceCurves {
    toe: [Polyline; 3],
    camber: [Polyline; 3],
    shift: [ShiftTable; 3],
    /// Slopes of toe over lateral force (`rad/N`) and aligning moment (`rad/(N·m)`).
    slopes: [W4; 2],
}

/// Tables of an angle over longitudinal force, lateral force and aligning moment.
type ForceTables = [Vec<(f32, f32)>; 3];

impl ForceCurves {
    /// Tables of up to four wheels, of which the first stands in for missing ones; `None` if no force moves any of them.
    pub(crate) fn new(wheels: &[WheelParams]) -> Option<Self> {
        let moves = wheels.iter().any(|wheel| wheel.compliance.moves_by_force());
        let of = |lane: usize| &wheels.get(lane).unwrap_or(&wheels[0]).compliance;
        let angles = |table: fn(&Compliance) -> &ForceTables| {
            core::array::from_fn(|n| Polyline::bounded(|lane| &table(of(lane))[n], |x: f32| x))
        };
        moves.then(|| Self {
            toe: angles(|c| &c.toe_by_force),
            camber: angles(|c| &c.camber_by_force),
            shift: core::array::from_fn(|n| ShiftTable::new(|lane| &of(lane).shift_by_force[n])),
            // A moment that turns the wheel in its own direction resists the force that makes it.
            slopes: [
                W4::from_fn(|lane| stiffest_slope(&of(lane).toe_by_force[1], false)),
                W4::from_fn(|lane| stiffest_slope(&of(lane).toe_by_force[2], true)),
            ],
        })
    }

    /// Steering angle (`rad`).
    pub(crate) fn toe(&self, bushings: &BushingForces) -> W4 {
        sum(&self.toe, bushings)
    }

    /// Camber (`rad`).
    pub(crate) fn camber(&self, bushings: &BushingForces) -> W4 {
        sum(&self.camber, bushings)
    }

    /// Shift forward and to the left (`m`).
    pub(crate) fn contact_offset(&self, bushings: &BushingForces) -> V3x4 {
        let [x, y, z] = core::array::from_fn(|n| self.shift[n].at(bushings[n]));
        x + y + z
    }

    /// Steering angle per lateral force (`rad/N`) of tires whose aligning moment has this `trail` (`m`): what is to be counted
    /// with in a substep.
    pub(crate) fn toe_per_force(&self, trail: W4) -> W4 {
        let [by_force, by_moment] = self.slopes;
        by_force + by_moment * trail
    }
}

/// Slope of the piece of a table that resists a force most, or favors it least: the greatest or the least.
fn stiffest_slope(table: &[(f32, f32)], greatest: bool) -> f32 {
    let of = |pair: &[(f32, f32)]| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
    let more = if greatest { f32::max } else { f32::min };
    table.windows(2).map(of).reduce(more).unwrap_or(0.0)
}

fn sum(tables: &[Polyline; 3], bushings: &BushingForces) -> W4 {
    let [a, b, c] = core::array::from_fn(|n| tables[n].at(bushings[n]));
    a + b + c
}
