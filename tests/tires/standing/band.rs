//! The slopes on which a car slides: when tilted, when put down, when already sliding.

use glam::Vec3;
use proving_ground::ProvingError;

use super::bench::Bench;
use super::slope::{STANDS, Slope};

/// Required force over the peak force (–) at which cars begin to slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    /// Tangent of the slope that the peak forces can hold (–).
    pub(super) peak: f64,
    /// Ratio at which the car begins to slide on a slope that is slowly tilted (–).
    pub(super) slides: f64,
    /// Creep of the car at 0.98 (`mm/min`).
    pub(super) creep: f64,
    /// The maximum at which a car that is put down at rest stays.
    pub(super) put: f64,
    /// The maximum at which a sliding car comes to rest; NaN if it did not.
    pub(super) rests: f64,
    /// The maximum at which a sliding car comes to rest by the law: force of a sliding tire over its peak.
    pub(super) law: f64,
}

/// Speed of a car that slides (`m/s`).
const FAST: f32 = 3.0;

impl Band {
    /// Measures a car that stands or slides toward `downhill` (vehicle frame), in a world that steps at `rate` (`Hz`).
    pub(super) fn of(bench: &Bench, downhill: Vec3, rate: f32) -> Result<Self, ProvingError> {
        let put = |tangent| Slope::put(bench, downhill, tangent, rate);
        let tilted = Tilted::slowly(put(0.1)?)?;
        let Tilted { peak, sliding, .. } = tilted;
        let stays = search(0.9 * sliding * peak..1.04 * peak, |tangent| {
            stays(put(tangent)?)
        })?;
        let least = sliding.min(1.0) * peak;
        let rests = search(0.92 * least..1.06 * least, |tangent| {
            slows_down(put(STEEP * peak)?, tangent)
        })?;
        let mut at_rest = put(STEEP * peak)?;
        slide(&mut at_rest, 0.97 * rests)?;
        let still = comes_to_rest(&mut at_rest)?;
        let share = at_rest.share_of_peak() / at_rest.tangent;
        Ok(Self {
            peak,
            slides: tilted.slides,
            creep: tilted.creep,
            put: stays / peak,
            rests: if still { rests * share } else { f64::NAN },
            law: at_rest.share_of_peak() / at_rest.share_of_sliding(FAST),
        })
    }
}

/// Result of slow tilting.
struct Tilted {
    peak: f64,
    slides: f64,
    creep: f64,
    /// Force of sliding tires over their peak force (–).
    sliding: f64,
}

impl Tilted {
    /// Tilts a slope until the car slides, or to 1.1 times the limit.
    fn slowly(mut slope: Slope<'_>) -> Result<Self, ProvingError> {
        /// Above this speed, it slides (`m/s`).
        const SLIDES: f32 = 0.01;
        /// Share from which it is tilted slowly, share at which it is observed, and the time of
        /// observation (`s`).
        const SLOWLY_FROM: f64 = 0.93;
        const WATCHED_AT: f64 = 0.98;
        const WATCHED: f32 = 4.0;
        /// Rate of the tangent (`1/s`).
        const QUICK: f64 = 0.1;
        const SLOW: f64 = 0.006;
        let (mut creep, mut share) = (None, 0.0);
        slope.run(1.0)?;
        while share < 1.1 && slope.speed() < SLIDES {
            share = slope.share_of_peak();
            if share > WATCHED_AT && creep.is_none() {
                slope.run(1.0)?;
                let before = slope.position()?;
                slope.run(WATCHED)?;
                let way = slope.position()?.distance(before);
                creep = Some(1e3 * way * f64::from(60.0 / WATCHED));
            }
            let pace = if share < SLOWLY_FROM { QUICK } else { SLOW };
            let until = slope.tangent + 0.1 * pace;
            while slope.tangent < until && slope.speed() < SLIDES {
                slope.tilt(slope.tangent + pace * slope.dt());
                slope.step()?;
            }
        }
        Ok(Self {
            peak: slope.tangent / share,
            slides: share,
            creep: creep.unwrap_or(f64::NAN),
            sliding: share / slope.share_of_sliding(FAST),
        })
    }
}

/// Bisection steps.
const HALVINGS: u8 = 5;

/// The maximum tangent at which a condition holds that holds at the lower end and fails at the
/// upper one.
fn search(
    range: core::ops::Range<f64>,
    holds: impl Fn(f64) -> Result<bool, ProvingError>,
) -> Result<f64, ProvingError> {
    let (mut low, mut high) = (range.start, range.end);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Whether a car that was put down stays.
fn stays(mut slope: Slope<'_>) -> Result<bool, ProvingError> {
    slope.run(1.0)?;
    comes_to_rest(&mut slope)
}

/// Whether a car comes to rest, except for its springs: it may swing back.
fn comes_to_rest(slope: &mut Slope<'_>) -> Result<bool, ProvingError> {
    slope.run_within(30.0, STANDS..2.0 * FAST)?;
    slope.run(1.5)?;
    Ok(slope.speed().abs() < STANDS)
}

/// A slope on which any car slides, relative to the one that the peak forces hold (–).
const STEEP: f64 = 1.15;

/// Lets a car slide, then sets this slope.
fn slide(slope: &mut Slope<'_>, tangent: f64) -> Result<(), ProvingError> {
    slope.run_within(10.0, -1.0..FAST)?;
    slope.tilt(tangent);
    Ok(())
}

/// Whether a sliding car decelerates on this slope, once its springs have settled.
fn slows_down(mut slope: Slope<'_>, tangent: f64) -> Result<bool, ProvingError> {
    slide(&mut slope, tangent)?;
    slope.run(1.0)?;
    let before = slope.speed();
    slope.run(1.0)?;
    Ok(slope.speed() < before)
}
