//! Time of the calling thread, which other programs on the machine do not lengthen.

use rustix::time::{ClockId, clock_gettime};

/// CPU time of this thread (`ns`).
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Measures stages that follow each other.
pub(crate) struct LapClock {
    last: f64,
    /// Time that a reading of the clock takes (`ns`).
    cost: f64,
}

impl LapClock {
    pub(crate) fn new() -> Self {
        const LOOKS: usize = 1000;
        let mut looks: Vec<f64> = (0..LOOKS)
            .map(|_| {
                let before = now();
                now() - before
            })
            .collect();
        looks.sort_by(f64::total_cmp);
        Self {
            last: now(),
            cost: looks[LOOKS / 2],
        }
    }

    /// Starts the first stage.
    pub(crate) fn start(&mut self) {
        self.last = now();
    }

    /// Ends a stage and starts the next; how long it took (`ns`), without looking at the clock.
    pub(crate) fn lap(&mut self) -> f64 {
        let time = now();
        let stage = time - self.last - self.cost;
        self.last = now();
        stage.max(0.0)
    }
}
