//! Durations of the phases of a fleet's step.

use crate::clock::Clock;

/// Durations of the phases of a step (`ms`), smoothed.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct PhaseCost {
    /// Distances from the eye, and changes of levels.
    pub levels: f32,
    /// Ground queries.
    pub probe: f32,
    /// The vehicles.
    pub update: f32,
    /// Step results, applied to the bodies.
    pub apply: f32,
    /// The world's own step.
    pub world: f32,
}

/// The phases of a step as they end.
pub(super) struct Laps {
    clock: Clock,
    last: f32,
}

impl Laps {
    pub(super) fn start() -> Self {
        Self {
            clock: Clock::start(),
            last: 0.0,
        }
    }

    /// A phase has ended: its `cost` (`ms`) is smoothed over ten steps.
    pub(super) fn end(&mut self, cost: &mut f32) {
        let now = self.clock.ms();
        *cost += 0.1 * (now - self.last - *cost);
        self.last = now;
    }
}
