//! Settings of batches, which Python has as data classes.

use jounce_batch::{self as jb, Uniform};
use pyo3::prelude::*;

/// A number, or the ends of a range.
#[derive(FromPyObject)]
enum Range {
    Fixed(f64),
    Between((f64, f64)),
}

impl From<Range> for Uniform {
    fn from(range: Range) -> Self {
        match range {
            Range::Fixed(value) => Self::fixed(value),
            Range::Between((low, high)) => Self { low, high },
        }
    }
}

/// `jounce.Randomize`.
#[derive(FromPyObject)]
pub(crate) struct Randomize {
    grip: Range,
    payload: Range,
    x: Range,
    y: Range,
    heading: Range,
    speed: Range,
    wind: Range,
    car: bool,
}

impl From<Randomize> for jb::Randomize {
    fn from(it: Randomize) -> Self {
        Self {
            grip: it.grip.into(),
            payload: it.payload.into(),
            x: it.x.into(),
            y: it.y.into(),
            heading: it.heading.into(),
            speed: it.speed.into(),
            wind: it.wind.into(),
            model: it.car,
        }
    }
}

/// `jounce.Limits`.
#[derive(FromPyObject)]
pub(crate) struct Limits {
    time: f32,
    tilt: f32,
    distance: f32,
}

impl From<Limits> for jb::Limits {
    fn from(it: Limits) -> Self {
        let Limits {
            time,
            tilt,
            distance,
        } = it;
        Self {
            time,
            tilt,
            distance,
        }
    }
}

/// `jounce.Goal`.
#[derive(FromPyObject)]
pub(crate) struct Goal {
    x: Range,
    y: Range,
    heading: Range,
    radius: f32,
    angle: f32,
    speed: f32,
}

impl From<Goal> for jb::Goal {
    fn from(it: Goal) -> Self {
        Self {
            x: it.x.into(),
            y: it.y.into(),
            heading: it.heading.into(),
            radius: it.radius,
            angle: it.angle,
            speed: it.speed,
        }
    }
}
