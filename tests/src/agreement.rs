//! Tier C: the same cars through the same manoeuvres in any two worlds.

mod course;
mod drive;

pub use course::{COURSES, Course, Judged, Site};
pub use drive::{CARS, Driven, Trace, judge};

use crate::suite::{Case, Check, Tier};

/// How far paths may part, relative to the path's length [−].
pub const PATH_BOUND: f64 = 0.005;
/// How far speeds may part after the last step, relative to the speed [−].
pub const SPEED_BOUND: f64 = 0.01;
/// How far headings may part where only the outcome counts [°].
pub const HEADING_BOUND: f64 = 10.0;

/// Every case of this tier: one per course.
pub(crate) const CASES: [Case; COURSES.len()] = {
    let mut cases = [case(&COURSES[0]); COURSES.len()];
    let mut n = 1;
    while n < cases.len() {
        cases[n] = case(&COURSES[n]);
        n += 1;
    }
    cases
};

const fn case(course: &'static Course) -> Case {
    Case {
        tier: Tier::Agreement,
        name: course.name,
        measures: "share of what is allowed",
        bound: 1.0,
        need: course.need,
        check: Check::Course(course),
    }
}
