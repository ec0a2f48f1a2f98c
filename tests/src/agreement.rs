//! Tier C: the same cars through the same manoeuvres in any two worlds.

mod course;
mod drive;

pub use course::{COURSES, Course, Judged, Site};
pub use drive::{CARS, Driven, Trace, judge};

/// How far paths may part, relative to the path's length (–).
pub const PATH_BOUND: f64 = 0.005;
/// How far speeds may part after the last step, relative to the speed (–).
pub const SPEED_BOUND: f64 = 0.01;
/// How far headings may part where only the outcome counts (`°`).
pub const HEADING_BOUND: f64 = 10.0;
