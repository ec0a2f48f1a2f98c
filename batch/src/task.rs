//! What an episode is about: its limits, and a pose to reach.

use core::f32::consts::PI;

use glam::{DVec2, DVec3, Vec3};
use jounce::core::math;
use serde::{Deserialize, Serialize};

use crate::error::BatchError;
use crate::random::Uniform;

/// Limits that end an episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Duration after which an episode is cut (`s`), > 0; infinite for none.
    pub time: f32,
    /// Tilt against the vertical at which an episode ends (`rad`), > 0: the car has rolled over.
    pub tilt: f32,
    /// Distance from the start at which an episode ends (`m`), > 0; infinite for none.
    pub distance: f32,
    /// Distance of the center of mass beyond an edge of the track at which an episode ends (`m`), ≥ 0; infinite for none.
    pub off_track: f32,
    /// Number of laps after which an episode ends; 0 for none.
    pub laps: u32,
}

impl Default for Limits {
    /// No limit but a tilt of 70°.
    fn default() -> Self {
        Self {
            time: f32::INFINITY,
            tilt: 70.0_f32.to_radians(),
            distance: f32::INFINITY,
            off_track: f32::INFINITY,
            laps: 0,
        }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<(), BatchError> {
        let amounts = [
            ("limits.time", self.time, "s"),
            ("limits.tilt", self.tilt, "rad"),
            ("limits.distance", self.distance, "m"),
        ];
        for (argument, value, unit) in amounts {
            positive(argument, value, unit)?;
        }
        if self.off_track >= 0.0 {
            return Ok(());
        }
        let found = self.off_track;
        Err(BatchError::argument("limits.off_track", ">= 0", found, "m"))
    }

    /// Whether a car at `position` (`m`, world) whose upward axis is `up`, that began at `start`, has passed a limit.
    pub(crate) fn are_passed(&self, position: DVec3, up: Vec3, start: DVec3) -> bool {
        let farthest = f64::from(self.distance);
        up.z < math::sin_cos(self.tilt.min(PI)).1
            || (position - start).length_squared() > farthest * farthest
    }

    /// Whether so many laps are all to drive.
    pub(crate) const fn are_driven(&self, laps: u32) -> bool {
        self.laps > 0 && laps >= self.laps
    }
}

/// What a task has: some observations and terms of the reward need it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Has {
    pub(crate) goal: bool,
    pub(crate) track: bool,
    /// A slip angle to hold.
    pub(crate) slip: bool,
}

/// `value` must be > 0; infinity is.
pub(crate) fn positive(argument: &str, value: f32, unit: &'static str) -> Result<(), BatchError> {
    if value > 0.0 {
        return Ok(());
    }
    Err(BatchError::argument(argument, "> 0", value, unit))
}

/// A pose to reach, drawn for each episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Distance of the goal ahead of the start (`m`), in the start's axes.
    pub x: Uniform,
    /// Distance of the goal to the left of the start (`m`).
    pub y: Uniform,
    /// Heading of the goal against the start's (`rad`), to the left.
    pub heading: Uniform,
    /// Distance within which it is reached (`m`), > 0.
    pub radius: f32,
    /// Error of the heading within which it is reached (`rad`), > 0; π for any heading.
    pub angle: f32,
    /// Speed below which it is reached (`m/s`), > 0; infinite for any speed.
    pub speed: f32,
}

impl Goal {
    pub(crate) fn check(&self) -> Result<(), BatchError> {
        self.x.check("goal.x", -1e7..=1e7, "m")?;
        self.y.check("goal.y", -1e7..=1e7, "m")?;
        self.heading.check("goal.heading", -1e3..=1e3, "rad")?;
        positive("goal.radius", self.radius, "m")?;
        positive("goal.angle", self.angle, "rad")?;
        positive("goal.speed", self.speed, "m/s")
    }

    /// The goal of an episode that begins at `start` (`m`, world) with this `heading` (`rad`), drawn by three numbers of 0…1.
    pub(crate) fn drawn(&self, start: DVec2, heading: f32, units: [f64; 3]) -> GoalPose {
        let (ahead, left) = (self.x.at(units[0]), self.y.at(units[1]));
        let (sin, cos) = math::sin_cos(heading);
        let (sin, cos) = (f64::from(sin), f64::from(cos));
        GoalPose {
            position: start + DVec2::new(ahead * cos - left * sin, ahead * sin + left * cos),
            heading: heading + self.heading.at(units[2]) as f32,
        }
    }

    /// Whether a car that sees its goal like this, at this speed (`m/s`), has reached it.
    pub(crate) fn is_reached(&self, seen: &GoalView, speed: f32) -> bool {
        seen.distance < self.radius && seen.heading.abs() < self.angle && speed < self.speed
    }
}

/// Pose of a goal in the horizontal plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct GoalPose {
    /// Position (`m`, world).
    pub(crate) position: DVec2,
    /// Heading (`rad`), 0 along x, to the left.
    pub(crate) heading: f32,
}

/// A goal as its car sees it, in the horizontal plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GoalView {
    /// Ahead of the car's center of mass (`m`).
    pub(crate) x: f32,
    /// To its left (`m`).
    pub(crate) y: f32,
    /// Heading of the goal against the car's (`rad`), −π…π, to the left.
    pub(crate) heading: f32,
    /// Distance (`m`).
    pub(crate) distance: f32,
}

impl GoalPose {
    /// The goal from a car at `position` (`m`, world) with this heading (`rad`).
    pub(crate) fn seen_from(&self, position: DVec3, heading: f32) -> GoalView {
        let away = (self.position - position.truncate()).as_vec2();
        let (sin, cos) = math::sin_cos(heading);
        let turn = math::sin_cos(self.heading - heading);
        GoalView {
            x: away.x * cos + away.y * sin,
            y: away.y * cos - away.x * sin,
            heading: math::atan2(turn.0, turn.1),
            distance: math::sqrt(away.x * away.x + away.y * away.y),
        }
    }
}

/// Channels of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoalChannel {
    X,
    Y,
    Heading,
    Distance,
}

impl GoalChannel {
    pub(crate) const ALL: [Self; 4] = [Self::X, Self::Y, Self::Heading, Self::Distance];

    /// Key, unit and usual range.
    pub(crate) const fn about(self) -> (&'static str, &'static str, [f32; 2]) {
        match self {
            Self::X => ("x", "m", [-100.0, 100.0]),
            Self::Y => ("y", "m", [-100.0, 100.0]),
            Self::Heading => ("heading", "rad", [-PI, PI]),
            Self::Distance => ("distance", "m", [0.0, 100.0]),
        }
    }

    pub(crate) const fn sample(self, seen: &GoalView) -> f32 {
        match self {
            Self::X => seen.x,
            Self::Y => seen.y,
            Self::Heading => seen.heading,
            Self::Distance => seen.distance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    const PARK: Goal = Goal {
        x: Uniform::fixed(10.0),
        y: Uniform::fixed(2.0),
        heading: Uniform::fixed(0.5),
        radius: 0.3,
        angle: 0.1,
        speed: 0.2,
    };

    #[test]
    fn a_goal_is_in_the_starts_axes_and_seen_in_the_cars() {
        let start = DVec2::new(5.0, 7.0);
        let goal = PARK.drawn(start, FRAC_PI_2, [0.0; 3]);
        assert!((goal.position - DVec2::new(3.0, 17.0)).length() < 1e-5);
        let seen = goal.seen_from(start.extend(0.5), FRAC_PI_2);
        assert!((seen.x - 10.0).abs() < 1e-5 && (seen.y - 2.0).abs() < 1e-5);
        assert!((seen.heading - 0.5).abs() < 1e-6);
        assert!((seen.distance - 104.0_f32.sqrt()).abs() < 1e-5);
        let turned = goal.seen_from(start.extend(0.5), FRAC_PI_2 + 2.0 * PI);
        assert!((turned.heading - 0.5).abs() < 1e-5);
    }

    #[test]
    fn a_goal_is_reached_near_it_along_it_and_slowly() {
        let there = GoalView {
            distance: 0.2,
            heading: -0.05,
            ..GoalView::default()
        };
        assert!(PARK.is_reached(&there, 0.1));
        assert!(!PARK.is_reached(&there, 0.3));
        let (away, askew) = (
            GoalView {
                distance: 0.4,
                ..there
            },
            GoalView {
                heading: 0.2,
                ..there
            },
        );
        assert!(!PARK.is_reached(&away, 0.1) && !PARK.is_reached(&askew, 0.1));
    }

    #[test]
    fn limits_are_passed_by_tilt_and_distance() {
        let limits = Limits {
            distance: 100.0,
            ..Limits::default()
        };
        let passed = |x: f64, up| limits.are_passed(DVec3::X * x, up, DVec3::X);
        assert!(!passed(100.9, Vec3::Z) && passed(101.1, Vec3::Z));
        assert!(passed(0.0, Vec3::X) && passed(0.0, Vec3::NEG_Z));
        assert!(!Limits::default().are_passed(DVec3::X * 1e9, Vec3::Z, DVec3::ZERO));
        let bad = Limits {
            time: f32::NAN,
            ..limits
        };
        let error = bad.check().unwrap_err().to_string();
        assert_eq!(error, "limits.time = NaN s: must be > 0");
    }
}
