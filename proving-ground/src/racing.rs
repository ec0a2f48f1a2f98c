//! Racing: the line of least curvature within the edges of a track, the speeds along it that a car's limits allow, and a driver.
//!
//! ```text
//! track ─▶ line ──┐
//! car ─▶ limits ──┼─▶ speeds ─▶ driver ─▶ command
//! ```

mod banded;
mod limits;
mod line;
mod speed;
mod driver;

pub use driver::Racer;
pub use limits::CarLimits;

use crate::error::ProvingError;
use crate::track::{Polyline, Track};

/// Distance that the tires keep from the edges on the racing line (`m`): what the driver needs for errors.
const CLEARANCE: f64 = 0.9;
/// Distance between the points of a racing line (`m`).
const SPACING: f64 = 1.0;

/// A line for a car on a track, with the speed at each point.
#[derive(Clone, Debug)]
pub struct RacingLine {
    line: Polyline,
    speeds: Vec<f64>,
    limits: CarLimits,
}

impl RacingLine {
    /// The line of least curvature that a car with these limits can follow within the edges.
    ///
    /// # Errors
    /// [`ProvingError::NarrowTrack`] if the car is wider than the track anywhere.
    pub fn of(track: &Track, limits: CarLimits) -> Result<Self, ProvingError> {
        let widths = track.widths().iter().map(|[right, left]| right + left);
        let narrowest = widths.fold(f64::INFINITY, f64::min);
        if narrowest < 2.0 * limits.half_width {
            return Err(ProvingError::NarrowTrack {
                track: track.name().to_owned(),
                width: narrowest,
                vehicle: limits.name,
                needed: 2.0 * limits.half_width,
            });
        }
        let offsets = line::least_curvature(track, limits.half_width + CLEARANCE);
        let points = line::moved(track, &offsets);
        let (line, _) = Polyline::through(&points, track.is_closed(), SPACING);
        Ok(Self::along(line, limits))
    }

    /// The center line of a track, as fast as a car with these limits can follow it.
    #[must_use]
    pub fn center(track: &Track, limits: CarLimits) -> Self {
        Self::along(track.center().clone(), limits)
    }

    fn along(line: Polyline, limits: CarLimits) -> Self {
        Self {
            speeds: speed::profile(&line, &limits),
            line,
            limits,
        }
    }

    /// The line.
    #[must_use]
    pub const fn line(&self) -> &Polyline {
        &self.line
    }

    /// Speeds at the points of the line (`m/s`).
    #[must_use]
    pub fn speeds(&self) -> &[f64] {
        &self.speeds
    }

    /// Limits of the car.
    #[must_use]
    pub const fn limits(&self) -> &CarLimits {
        &self.limits
    }

    /// Speed at a distance along the line (`m`), in `m/s`.
    #[must_use]
    pub fn speed(&self, s: f64) -> f64 {
        let along = self.line.place(s);
        let [from, to] = [along.span, self.line.after(along.span)].map(|n| self.speeds[n]);
        from + (to - from) * along.part
    }

    /// Time of a lap at these speeds (`s`): what a driver without errors reaches.
    #[must_use]
    pub fn lap_time(&self) -> f64 {
        let times = (0..self.line.spans()).map(|n| {
            let speeds = self.speeds[n] + self.speeds[self.line.after(n)];
            2.0 * self.line.step() / speeds
        });
        times.sum()
    }
}

#[cfg(test)]
mod tests;
