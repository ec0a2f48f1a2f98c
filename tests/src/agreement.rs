//! Tier C: the same cars through the same maneuvers in any two worlds.

mod course;
mod drive;

pub use course::{COURSES, Course, Judged, Site};
pub use drive::{CARS, Trace, Traces, apart, judge};

/// Allowed distance of paths, relative to the path's length (–).
pub const PATH_BOUND: f64 = 0.005;
/// Allowed difference of speeds after the last step, relative to the speed (–).
pub const SPEED_BOUND: f64 = 0.01;
/// Allowed difference of headings of courses that are judged by the crossing of an edge (`°`).
pub const HEADING_BOUND: f64 = 10.0;
