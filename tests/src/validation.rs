//! Cars compared with others' models: closed forms, drives recorded from other programs, and published figures.
//!
//! Each comparison is a [`Reckoning`]: a figure of ours, theirs, how far apart they are, and the bound. What is outside
//! its bound is listed with its cause in [`DEVIATIONS`]; [`unlisted`] names what is outside and not listed, [`outdated`]
//! what is listed and no longer outside.

mod figures;
mod recorded;
mod driven;
mod bicycle;
mod ride;
mod published;
mod multi_body;
mod deviations;
mod table;

pub use bicycle::{SOURCE as BICYCLE, bicycle};
pub use deviations::{DEVIATIONS, Deviation, outdated, unlisted};
pub use multi_body::multi_body;
pub use published::{QuasiSteadyFigures, published, quasi_steady};
pub use recorded::{BadRecord, RecordedModel};
pub use ride::{RIDE, ride};
pub use table::{FigureLine, lines};

/// Measure of a figure's difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Apart {
    /// Difference over the reference's figure (%).
    Percent,
    /// The plain difference, in the figure's unit.
    Points,
}

/// A figure of ours and theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Reckoning {
    /// Subject of the figure: a car, or a car and a maneuver.
    pub subject: String,
    /// The figure that is compared, with its unit.
    pub figure: &'static str,
    /// Conditions of the figure.
    pub at: String,
    /// Figure of our car.
    pub ours: f64,
    /// Figure of the reference.
    pub theirs: f64,
    /// Measure of the difference.
    pub apart: Apart,
    /// Greatest allowed difference.
    pub bound: f64,
}

impl Reckoning {
    /// Difference of our figure from the reference, with its sign; `NaN` if either has none.
    #[must_use]
    pub fn difference(&self) -> f64 {
        match self.apart {
            Apart::Percent => 100.0 * (self.ours / self.theirs - 1.0),
            Apart::Points => self.ours - self.theirs,
        }
    }

    /// Whether the figure is within the bound.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.difference().abs() <= self.bound
    }
}
