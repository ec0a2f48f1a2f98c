//! The last samples of one channel.

/// Number of samples that a channel keeps.
pub const SAMPLES: usize = 256;

/// The last [`SAMPLES`] samples of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    samples: [f32; SAMPLES],
    /// Slot of the next sample.
    next: usize,
    len: usize,
}

impl Default for Ring {
    fn default() -> Self {
        Self {
            samples: [0.0; SAMPLES],
            next: 0,
            len: 0,
        }
    }
}

impl Ring {
    /// Adds a sample, replacing the oldest if full. A value that is not finite repeats the previous
    /// sample, so that graphs stay unbroken.
    pub fn push(&mut self, sample: f32) {
        let sample = if sample.is_finite() {
            sample
        } else {
            self.last().unwrap_or(0.0)
        };
        self.samples[self.next] = sample;
        self.next = (self.next + 1) % SAMPLES;
        self.len = (self.len + 1).min(SAMPLES);
    }

    /// Number of samples, at most [`SAMPLES`].
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the ring has no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The newest sample.
    #[must_use]
    pub fn last(&self) -> Option<f32> {
        self.iter().next_back()
    }

    /// Iterates from the oldest to the newest.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = f32> + ExactSizeIterator + '_ {
        let first = self.next + SAMPLES - self.len;
        (0..self.len).map(move |n| self.samples[(first + n) % SAMPLES])
    }

    /// Discards all samples.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_samples_come_out_old_to_new(
            samples in proptest::collection::vec(-1e6..1e6_f32, 0..700),
        ) {
            let mut ring = Ring::default();
            samples.iter().for_each(|sample| ring.push(*sample));
            let kept = &samples[samples.len().saturating_sub(SAMPLES)..];
            prop_assert!(ring.iter().eq(kept.iter().copied()));
            prop_assert_eq!(ring.len(), kept.len());
            prop_assert_eq!(ring.last(), kept.last().copied());
        }
    }

    #[test]
    fn nan_repeats_the_last() {
        let mut ring = Ring::default();
        for sample in [f32::NAN, 2.0, f32::INFINITY, f32::NAN, 3.0] {
            ring.push(sample);
        }
        assert!(ring.iter().eq([0.0, 2.0, 2.0, 2.0, 3.0]));
        ring.clear();
        assert!(ring.is_empty());
    }

    #[test]
    fn a_ring_is_empty_before_the_first_sample() {
        let mut ring = Ring::default();
        assert!(ring.is_empty() && ring.last().is_none());
        ring.push(0.0);
        assert!(!ring.is_empty() && ring.len() == 1);
        for _ in 0..SAMPLES {
            ring.push(1.0);
        }
        assert!(!ring.is_empty() && ring.iter().all(|sample| sample == 1.0));
    }
}
