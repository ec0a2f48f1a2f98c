//! Parts of a fleet for updates on several threads.

use glam::Vec3;

use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::command::Command;
use crate::exchange::outcome::Outcome;
use crate::exchange::refused::Refused;
use crate::vehicle::Vehicle;
use crate::vehicle::detail::Effort;

/// Consecutive vehicles of a fleet to be updated. Each vehicle is computed independently: results are bitwise
/// equal for any split, on any number of threads.
#[derive(Debug)]
pub struct Part<'a> {
    pub(super) vehicles: &'a mut [Vehicle],
    pub(super) bodies: &'a [BodyState],
    pub(super) commands: &'a [Command],
    pub(super) efforts: &'a [Effort],
    pub(super) outcomes: &'a mut [Outcome],
    pub(super) refused: &'a mut [Option<Refused>],
    pub(super) gravity: Vec3,
    pub(super) dt: f32,
}

impl Part<'_> {
    /// Number of vehicles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vehicles.len()
    }

    /// Whether there are no vehicles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vehicles.is_empty()
    }

    /// The first `at` vehicles, and the others.
    ///
    /// # Panics
    /// If there are fewer vehicles.
    #[must_use]
    pub fn split_at(self, at: usize) -> (Self, Self) {
        let (vehicles, other_vehicles) = self.vehicles.split_at_mut(at);
        let (outcomes, other_outcomes) = self.outcomes.split_at_mut(at);
        let (refused, other_refused) = self.refused.split_at_mut(at);
        let (gravity, dt) = (self.gravity, self.dt);
        let first = Self {
            vehicles,
            bodies: &self.bodies[..at],
            commands: &self.commands[..at],
            efforts: &self.efforts[..at],
            outcomes,
            refused,
            gravity,
            dt,
        };
        let others = Self {
            vehicles: other_vehicles,
            bodies: &self.bodies[at..],
            commands: &self.commands[at..],
            efforts: &self.efforts[at..],
            outcomes: other_outcomes,
            refused: other_refused,
            gravity,
            dt,
        };
        (first, others)
    }

    /// Updates its vehicles, except those refused in the probe.
    pub fn update(self) {
        let (gravity, dt) = (self.gravity, self.dt);
        for (n, vehicle) in self.vehicles.iter_mut().enumerate() {
            if self.refused[n].is_some() {
                continue;
            }
            let body = &self.bodies[n];
            let result = match self.efforts[n] {
                Effort::Extrapolated => vehicle.extrapolate(body, gravity, dt),
                Effort::Full | Effort::KnownGround => {
                    vehicle.update(body, &self.commands[n], gravity, dt)
                }
            };
            match result {
                Ok(outcome) => self.outcomes[n] = outcome,
                Err(refused) => self.refused[n] = Some(refused),
            }
        }
    }
}
