//! Contestants take turns on one thread: A B A B.

use crate::clock::LapClock;

/// Time of the stages of a step (`ns` per vehicle).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stages {
    /// Finding the ground.
    pub(crate) probe: f64,
    /// The vehicles.
    pub(crate) update: f64,
    /// Handing their forces to the engine.
    pub(crate) apply: f64,
    /// The engine's step.
    pub(crate) step: f64,
}

impl Stages {
    /// All that a vehicle costs beside the engine's step.
    pub(crate) fn vehicle(&self) -> f64 {
        self.probe + self.update + self.apply
    }

    /// Time of a vehicle with the engine's step.
    pub(crate) fn frame(&self) -> f64 {
        self.vehicle() + self.step
    }

    fn add(&mut self, other: &Self, share: f64) {
        self.probe += other.probe * share;
        self.update += other.update * share;
        self.apply += other.apply * share;
        self.step += other.step * share;
    }
}

/// A fleet in a world.
pub(crate) trait Contestant {
    /// One step of all vehicles (`ns` for all of them).
    fn advance(&mut self, step: usize, watch: &mut LapClock) -> Stages;

    /// Fault of vehicles that do not drive; `None` if they do.
    fn fault(&self) -> Option<String>;
}

/// The fault of a fleet of which fewer than one vehicle in `of` does as vehicles that drive.
pub(crate) fn too_few(doing: usize, all: usize, of: usize, what: &str) -> Option<String> {
    (of * doing < all).then(|| format!("{doing} of {all} {what}"))
}

/// A contestant, its name and its times.
pub(crate) struct Contender {
    pub(crate) name: String,
    vehicles: usize,
    contestant: Box<dyn Contestant>,
    /// Times of the stages, one entry per turn (`ns` per vehicle).
    pub(crate) turns: Vec<Stages>,
    steps: usize,
}

impl Contender {
    pub(crate) fn new(name: String, vehicles: usize, contestant: Box<dyn Contestant>) -> Self {
        Self {
            name,
            vehicles,
            contestant,
            turns: Vec::new(),
            steps: 0,
        }
    }

    /// A turn of `steps` (`ns` per vehicle and step).
    fn turn(&mut self, steps: usize, watch: &mut LapClock) -> Stages {
        let mut mean = Stages::default();
        for _ in 0..steps {
            let stages = self.contestant.advance(self.steps, watch);
            mean.add(&stages, 1.0 / (steps * self.vehicles) as f64);
            self.steps += 1;
        }
        mean
    }
}

/// Turns of each contestant. A single car is at half throttle after them, so that it can be seen to roll.
const TURNS: usize = 9;

/// Steps before the first turn.
fn warm_up(vehicles: usize) -> usize {
    if vehicles > 200 { 40 } else { 120 }
}

/// Steps of a turn: with fewer vehicles, more of them, for turns of a few milliseconds.
fn steps(vehicles: usize) -> usize {
    (3000 / vehicles).clamp(3, 100)
}

/// Lets all take turns; their times are in the entries.
///
/// # Errors
/// If the vehicles of one do not drive.
pub(crate) fn run(entries: &mut [Contender]) -> Result<(), String> {
    let mut watch = LapClock::new();
    for entry in &mut *entries {
        entry.turn(warm_up(entry.vehicles), &mut watch);
    }
    for _ in 0..TURNS {
        for entry in &mut *entries {
            let turn = entry.turn(steps(entry.vehicles), &mut watch);
            entry.turns.push(turn);
        }
    }
    for entry in entries {
        if let Some(fault) = entry.contestant.fault() {
            return Err(format!("{} of {}: {fault}", entry.name, entry.vehicles));
        }
    }
    Ok(())
}
