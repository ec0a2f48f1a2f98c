//! Samples of the vehicle's sound, for the window; a page's browser has oscillators of its own.

use core::f32::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sound::Heard;

/// Volume of everything together.
const VOLUME: f32 = 0.3;
/// Time constant with which tones follow the score (`s`): a level that jumps would click.
const GLIDE: f32 = 0.03;

/// The sound to play, written by the window and read by the thread that plays.
#[derive(Clone, Debug, Default)]
pub struct SoundScore(Arc<Mutex<Heard>>);

impl SoundScore {
    /// Sets the sound to play from now on.
    pub fn tell(&self, heard: Heard) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = heard;
    }

    fn read(&self) -> Heard {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes samples of a score.
#[derive(Debug)]
pub struct Voice {
    score: SoundScore,
    /// Samples per second.
    rate: f32,
    note: Tone,
    rumble: Tone,
    squeal: Tone,
}

impl Voice {
    /// Plays a score, at this many samples per second.
    #[must_use]
    pub fn new(score: SoundScore, rate: f32) -> Self {
        let tone = |wave, cut, damping| Tone {
            wave,
            cut,
            damping,
            ..Tone::SILENT
        };
        Self {
            score,
            rate,
            note: tone(saw, 5.0, 1.0),
            rumble: tone(square, 4.0, 1.0),
            squeal: tone(saw, 1.0, 1.0 / 9.0),
        }
    }

    /// The next samples, within −1…1.
    pub fn fill(&mut self, samples: impl Iterator<Item: FnOnce(f32)>) {
        let heard = self.score.read();
        let (pitch, load) = (heard.engine_pitch, 0.5 * heard.engine_level);
        for put in samples {
            let [note, _] = self.note.next(pitch, load, self.rate);
            let [rumble, _] = self.rumble.next(0.5 * pitch, load, self.rate);
            let [_, squeal] = self
                .squeal
                .next(heard.squeal_pitch, heard.squeal_level, self.rate);
            put((VOLUME * (note + rumble + squeal)).clamp(-1.0, 1.0));
        }
    }
}

/// An oscillator, and a filter that follows its pitch.
#[derive(Debug)]
struct Tone {
    wave: fn(f32) -> f32,
    /// The filter's frequency over the pitch (–), and its damping (–): 1 / quality.
    cut: f32,
    damping: f32,
    /// 0…1 through a period.
    phase: f32,
    pitch: f32,
    level: f32,
    /// Memory of the filter.
    kept: [f32; 2],
}

fn saw(phase: f32) -> f32 {
    2.0 * phase - 1.0
}

fn square(phase: f32) -> f32 {
    if phase < 0.5 { 1.0 } else { -1.0 }
}

impl Tone {
    const SILENT: Self = Self {
        wave: saw,
        cut: 1.0,
        damping: 1.0,
        phase: 0.0,
        pitch: 0.0,
        level: 0.0,
        kept: [0.0; 2],
    };

    /// The next sample below the filter's frequency, and about it.
    fn next(&mut self, pitch: f32, level: f32, rate: f32) -> [f32; 2] {
        let glide = 1.0 / (GLIDE * rate);
        self.pitch += glide * (pitch - self.pitch);
        self.level += glide * (level - self.level);
        self.phase = (self.phase + self.pitch / rate).fract();
        // A state-variable filter by trapezoids (Zavalishin, The Art of VA Filter Design, §4.4): stable below half the rate.
        let slope = (PI * (self.cut * self.pitch / rate).min(0.45)).tan();
        let [first, second] = self.kept;
        let high = (self.wave)(self.phase) - second;
        let band = (first + slope * high) / (1.0 + slope * (slope + self.damping));
        let low = second + slope * band;
        self.kept = [2.0 * band - first, 2.0 * low - second];
        [self.level * low, self.level * self.damping * band]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f32 = 44_100.0;

    fn heard(voice: &mut Voice, seconds: f32) -> Vec<f32> {
        let mut samples = vec![0.0_f32; (seconds * RATE) as usize];
        voice.fill(
            samples
                .iter_mut()
                .map(|place| move |sample| *place = sample),
        );
        samples
    }

    fn loudness(samples: &[f32]) -> f32 {
        (samples.iter().map(|s| s * s).sum::<f32>() / samples.len() as f32).sqrt()
    }

    /// Number of periods in samples, by their rise through zero.
    fn rises(samples: &[f32]) -> usize {
        samples
            .windows(2)
            .filter(|w| w[0] < 0.0 && w[1] >= 0.0)
            .count()
    }

    #[test]
    fn an_engine_is_heard_at_half_its_pitch_and_silence_is_silent() {
        let score = SoundScore::default();
        let mut voice = Voice::new(score.clone(), RATE);
        assert_eq!(loudness(&heard(&mut voice, 0.2)), 0.0);
        score.tell(Heard {
            engine_pitch: 120.0,
            engine_level: 1.0,
            ..Heard::default()
        });
        heard(&mut voice, 0.5);
        let samples = heard(&mut voice, 1.0);
        assert!(loudness(&samples) > 0.05 && samples.iter().all(|s| s.abs() < 1.0));
        // The rumble, an octave below the firings, is the period of the sum; each has two rises at most.
        let count = rises(&samples);
        assert!((60..=121).contains(&count), "{count}");
        score.tell(Heard::default());
        heard(&mut voice, 0.5);
        assert!(loudness(&heard(&mut voice, 0.2)) < 1e-5);
    }

    #[test]
    fn tires_squeal_at_their_pitch() {
        let score = SoundScore::default();
        let mut voice = Voice::new(score.clone(), RATE);
        score.tell(Heard {
            squeal_pitch: 800.0,
            squeal_level: 1.0,
            ..Heard::default()
        });
        heard(&mut voice, 0.5);
        let count = rises(&heard(&mut voice, 1.0));
        assert!((795..=805).contains(&count), "{count}");
    }
}
