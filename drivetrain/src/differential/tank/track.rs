//! One track: the wheels that it joins.

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Inspector, MAX_WHEELS};

use crate::per_wheel;

/// A side of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrackSide {
    /// Driven and braked as the left track.
    Left,
    /// Driven and braked as the right track.
    Right,
}

impl TrackSide {
    /// Index of its values in a [`TankCommand`](vehicle_core::TankCommand).
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// Wheels joined by a track: their rims have the same speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Side of the vehicle whose thrust and brake the track follows.
    pub side: TrackSide,
    /// Indices of the track's wheels, at least one.
    pub wheels: Vec<usize>,
    /// Radii of these wheels (`m`), > 0; empty if all are equal.
    #[serde(default)]
    pub radii: Vec<f32>,
}

impl Track {
    /// Wheels of the track, with their spins relative to the first.
    pub(super) fn members(&self) -> impl Iterator<Item = (usize, f32)> {
        let ratio = |n: usize| match (self.radii.first(), self.radii.get(n)) {
            (Some(first), Some(own)) => first / own,
            _ => 1.0,
        };
        self.wheels
            .iter()
            .enumerate()
            .map(move |(n, &wheel)| (wheel, ratio(n)))
    }

    /// Checks the track; `named` holds the wheels of the previous tracks and receives its own.
    pub(super) fn check(&self, named: &mut Vec<usize>, i: &mut Inspector) {
        let count = self.wheels.len();
        i.rule(count > 0, "wheels", 0, "wheels", "there must be at least 1");
        per_wheel::check_indices("wheels", &self.wheels, MAX_WHEELS, i);
        for (k, wheel) in self.wheels.iter().enumerate() {
            let once = !named.contains(wheel);
            let name = format!("wheels[{k}]");
            i.rule(once, &name, wheel, "", "must be in one track only");
            named.push(*wheel);
        }
        let radii = self.radii.len();
        let rule = format!("there must be none, or one per wheel, {count}");
        i.rule(radii == 0 || radii == count, "radii", radii, "radii", rule);
        for (k, radius) in self.radii.iter().enumerate() {
            i.positive(&format!("radii[{k}]"), *radius, "m");
        }
    }
}
