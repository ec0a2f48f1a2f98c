//! Elapsed time of timers.

/// Elapsed time for gears and autobox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Duration (`s`), > 0.
    pub duration: f32,
    /// Whether an expired timer passes on its remainder, so that changes take equally long at every rate;
    /// PhysX's timers check before they count and restart at 0.
    pub exact: bool,
}

impl Tick {
    /// Start of a timer (`s`) whose predecessor expired `over` (`s`) ago; it was rounded up to end now where that is negative.
    #[must_use]
    pub fn head_start(self, over: f32) -> f32 {
        if self.exact {
            // A timer set by the user may have expired by more than a tick.
            over.clamp(-self.duration, self.duration)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_timers_pass_on_their_remainder() {
        let tick = |exact| Tick {
            duration: 0.01,
            exact,
        };
        for (over, head_start) in [(0.004, 0.004), (0.03, 0.01), (-0.002, -0.002)] {
            assert_eq!(tick(true).head_start(over), head_start);
            assert_eq!(tick(false).head_start(over), 0.0);
        }
    }
}
