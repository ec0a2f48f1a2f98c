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
    focus: Option<Range>,
    focus_share: f64,
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
            focus: it.focus.map(|x| jb::Focus {
                x: x.into(),
                share: it.focus_share,
            }),
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
    off_track: f32,
    laps: u32,
}

impl From<Limits> for jb::Limits {
    fn from(it: Limits) -> Self {
        let Limits {
            time,
            tilt,
            distance,
            off_track,
            laps,
        } = it;
        Self {
            time,
            tilt,
            distance,
            off_track,
            laps,
        }
    }
}

/// `jounce.Sight`.
#[derive(FromPyObject)]
pub(crate) struct Sight {
    ahead: Vec<u32>,
    rays: Vec<i32>,
    reach: f32,
}

impl From<Sight> for jb::Sight {
    fn from(it: Sight) -> Self {
        Self {
            ahead: it.ahead,
            rays_deg: it.rays,
            reach: it.reach,
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
