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

    /// Whether the vehicles drive: what is wrong, if they do not.
    fn fault(&self) -> Option<String>;
}

/// A contestant, its name and its times.
pub(crate) struct Contender {
    pub(crate) name: String,
    contestant: Box<dyn Contestant>,
    /// One per turn.
    pub(crate) turns: Vec<Stages>,
    steps: usize,
}

impl Contender {
    pub(crate) fn new(name: String, contestant: Box<dyn Contestant>) -> Self {
        Self {
            name,
            contestant,
            turns: Vec::new(),
            steps: 0,
        }
    }

    /// A turn of `steps` (`ns` per step).
    fn turn(&mut self, steps: usize, watch: &mut LapClock) -> Stages {
        let mut mean = Stages::default();
        for _ in 0..steps {
            let stages = self.contestant.advance(self.steps, watch);
            mean.add(&stages, 1.0 / steps as f64);
            self.steps += 1;
        }
        mean
    }
}

/// How long a contest takes.
#[derive(Clone, Copy, Debug)]
struct Length {
    warm_up: usize,
    turns: usize,
    /// Steps of a turn.
    steps: usize,
}

impl Length {
    /// With fewer vehicles, more steps: turns of a few milliseconds.
    fn of(vehicles: usize) -> Self {
        let steps = (3000 / vehicles).clamp(3, 100);
        Self {
            warm_up: if vehicles > 200 { 40 } else { 120 },
            turns: if vehicles > 2000 { 11 } else { 21 },
            steps,
        }
    }
}

/// Lets all take turns; their times per vehicle are in the entries.
///
/// # Errors
/// If the vehicles of one do not drive.
pub(crate) fn run(entries: &mut [Contender], vehicles: usize) -> Result<(), String> {
    let length = Length::of(vehicles);
    let mut watch = LapClock::new();
    for entry in &mut *entries {
        entry.turn(length.warm_up, &mut watch);
    }
    for _ in 0..length.turns {
        for entry in &mut *entries {
            let turn = entry.turn(length.steps, &mut watch);
            let mut each = Stages::default();
            each.add(&turn, 1.0 / vehicles as f64);
            entry.turns.push(each);
        }
    }
    for entry in entries {
        if let Some(fault) = entry.contestant.fault() {
            return Err(format!("{} of {vehicles}: {fault}", entry.name));
        }
    }
    Ok(())
}
