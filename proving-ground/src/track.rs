//! Tracks: a center line with widths to both edges, from files in the public format, with what a driver asks of it.
//!
//! ```
//! use glam::DVec2;
//! use proving_ground::track::Track;
//!
//! let oval = Track::load("oval")?;
//! let place = oval.place(DVec2::new(30.0, 1.5), 0.1);
//! assert!((place.s - 30.0).abs() < 0.01 && (place.offset - 1.5).abs() < 0.01);
//! assert!((place.left - 4.5).abs() < 0.01 && (place.right - 7.5).abs() < 0.01);
//! let mut bends = [0.0; 5];
//! oval.preview(place.s, 30.0, &mut bends);        // the first bend, of 40 m, begins 95 m ahead
//! assert!(bends[0].abs() < 1e-3 && (bends[4] - 1.0 / 40.0).abs() < 1e-3);
//! # Ok::<(), proving_ground::ProvingError>(())
//! ```
//!
//! Tracks lie in the plane z = 0 of the world. All numbers come from `libm` and plain arithmetic, so that they have the same
//! bits on every platform.

mod polyline;
mod file;
mod ray;

use core::fmt;

use glam::DVec2;
use jounce::core::checked::{Fault, InvalidParams};

pub use file::BUILT_IN;
pub use polyline::{Polyline, Projection};

pub(crate) use polyline::turn;

/// Distance between the points of a track after resampling (`m`), at most some halves more or less on very short ones.
const SPACING: f64 = 1.0;

/// A given point of a center line, and the widths there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackPoint {
    /// Position (`m`, world).
    pub position: DVec2,
    /// Distance to the right edge (`m`), > 0.
    pub right: f64,
    /// Distance to the left edge (`m`), > 0.
    pub left: f64,
}

/// Place of a car on a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackPlace {
    /// Distance along the center line (`m`). From an incremental projection, it goes on from lap to lap.
    pub s: f64,
    /// Distance from the center line (`m`), positive to its left.
    pub offset: f64,
    /// Heading against that of the center line (`rad`), positive to the left, within ±π.
    pub heading_error: f64,
    /// Distance to the right edge (`m`), negative beyond it.
    pub right: f64,
    /// Distance to the left edge (`m`), negative beyond it.
    pub left: f64,
}

/// A track, open or closed.
#[derive(Clone, PartialEq)]
pub struct Track {
    name: String,
    center: Polyline,
    /// Distances from the points of the center line to the right and the left edge (`m`).
    widths: Vec<[f64; 2]>,
    /// The right and the left edge at the points of the center line (`m`).
    edges: Vec<[DVec2; 2]>,
}

impl fmt::Debug for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut track = f.debug_struct("Track");
        track
            .field("name", &self.name)
            .field("length", &self.length())
            .finish_non_exhaustive()
    }
}

/// A rule that a given point breaks; the path is that of the value within the point.
struct PointFault {
    point: usize,
    fault: Fault,
}

impl Track {
    /// A track from the points of its center line, in order, resampled to points about 1 m apart. A closed one goes on from
    /// the last point to the first, which is not repeated.
    ///
    /// # Errors
    /// With every fault: fewer than three points (of an open track two), a number that is not finite, a width that is not
    /// positive, a point twice in a row, an edge that folds because it is farther inside a bend than its center.
    pub fn new(name: &str, points: &[TrackPoint], closed: bool) -> Result<Self, InvalidParams> {
        Self::checked(name, points, closed).map_err(|faults| {
            let faults = faults.into_iter().map(|PointFault { point, fault }| Fault {
                path: format!("points[{point}].{}", fault.path),
                ..fault
            });
            InvalidParams(faults.collect())
        })
    }

    fn checked(name: &str, points: &[TrackPoint], closed: bool) -> Result<Self, Vec<PointFault>> {
        let fewest = if closed { 3 } else { 2 };
        if points.len() < fewest {
            let rule = format!("must be at least {fewest}");
            let fault = Fault::new("count", points.len(), "points", rule);
            return Err(vec![PointFault { point: 0, fault }]);
        }
        let faults = value_faults(points, closed);
        if !faults.is_empty() {
            return Err(faults);
        }
        let positions: Vec<DVec2> = points.iter().map(|point| point.position).collect();
        let (center, places) = Polyline::through(&positions, closed, SPACING);
        let widths = places.iter().map(|place| {
            let n = (*place as usize).min(points.len() - 1);
            let (from, to) = (points[n], points[(n + 1) % points.len()]);
            let part = place - n as f64;
            [(from.right, to.right), (from.left, to.left)].map(|(a, b)| a + (b - a) * part)
        });
        let widths: Vec<[f64; 2]> = widths.collect();
        let edge = |n: usize| {
            let (left, [to_right, to_left]) = (center.left(n), widths[n]);
            let middle = center.points()[n];
            [middle - left * to_right, middle + left * to_left]
        };
        let track = Self {
            name: name.to_owned(),
            edges: (0..widths.len()).map(edge).collect(),
            center,
            widths,
        };
        let folds = track.folds(points, &places);
        if folds.is_empty() {
            Ok(track)
        } else {
            Err(folds)
        }
    }

    /// Faults of edges that run backward, one for each given point.
    fn folds(&self, points: &[TrackPoint], places: &[f64]) -> Vec<PointFault> {
        let mut faults: Vec<PointFault> = Vec::new();
        for (n, place) in places.iter().enumerate().take(self.center.spans()) {
            let next = self.center.after(n);
            let way = self.center.points()[next] - self.center.points()[n];
            let point = place.round() as usize % points.len();
            let sides = [
                ("w_tr_right_m", points[point].right),
                ("w_tr_left_m", points[point].left),
            ];
            for (side, (key, width)) in sides.into_iter().enumerate() {
                let edge = self.edges[next][side] - self.edges[n][side];
                let known = |known: &PointFault| known.point == point && known.fault.path == key;
                if edge.dot(way) <= 0.0 && !faults.iter().any(known) {
                    let s = n as f64 * self.center.step();
                    let radius = 1.0 / self.center.curvature(s - SPACING, s + 2.0 * SPACING).abs();
                    let rule =
                        format!("must be less than the radius of the bend there, {radius:.1} m");
                    let fault = Fault::new(key, width, "m", rule);
                    faults.push(PointFault { point, fault });
                }
            }
        }
        faults
    }

    /// Name of the track.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The center line.
    #[must_use]
    pub const fn center(&self) -> &Polyline {
        &self.center
    }

    /// Length of the center line (`m`).
    #[must_use]
    pub fn length(&self) -> f64 {
        self.center.length()
    }

    /// Whether the track ends where it begins.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.center.is_closed()
    }

    /// Distances from each point of the center line to the right and the left edge (`m`).
    #[must_use]
    pub fn widths(&self) -> &[[f64; 2]] {
        &self.widths
    }

    /// The right and the left edge at each point of the center line (`m`).
    #[must_use]
    pub fn edges(&self) -> &[[DVec2; 2]] {
        &self.edges
    }

    /// Distances to the right and the left edge (`m`) at a distance along the center line (`m`).
    #[must_use]
    pub fn widths_at(&self, s: f64) -> [f64; 2] {
        let along = self.center.place(s);
        let [from, to] = [along.span, self.center.after(along.span)].map(|n| self.widths[n]);
        core::array::from_fn(|side| from[side] + (to[side] - from[side]) * along.part)
    }

    /// Place of a car at `position` (`m`, world) with this `heading` (`rad`, to the left of +x), found on the whole track.
    #[must_use]
    pub fn place(&self, position: DVec2, heading: f64) -> TrackPlace {
        self.placed(self.center.project(position), heading)
    }

    /// Place of a car whose last place was at `s` (`m`): the nearest within 20 m along the center line. On a track that comes
    /// near itself, the car stays on its part, and `s` goes on from lap to lap. After a reset, [`Track::place`] finds it.
    #[must_use]
    pub fn place_near(&self, position: DVec2, heading: f64, s: f64) -> TrackPlace {
        self.placed(self.center.project_near(position, s), heading)
    }

    fn placed(&self, Projection { s, offset }: Projection, heading: f64) -> TrackPlace {
        let [right, left] = self.widths_at(s);
        TrackPlace {
            s,
            offset,
            heading_error: turn(self.center.heading(s), heading),
            right: right + offset,
            left: left - offset,
        }
    }

    /// Mean curvature (`1/m`, positive to the left) of the center line over each of the next stretches of `stretch` (`m`, > 0)
    /// from `s` (`m`) on: one stretch follows the other, so that none hides a bend.
    pub fn preview(&self, s: f64, stretch: f64, curvatures: &mut [f64]) {
        for (n, curvature) in curvatures.iter_mut().enumerate() {
            let from = s + n as f64 * stretch;
            *curvature = self.center.curvature(from, from + stretch);
        }
    }

    /// The track as a mirror along the x axis shows it: y, left and right are swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            name: self.name.clone(),
            center: self.center.mirrored(),
            widths: self
                .widths
                .iter()
                .map(|[right, left]| [*left, *right])
                .collect(),
            edges: self
                .edges
                .iter()
                .map(|[right, left]| [left, right].map(|point| DVec2::new(point.x, -point.y)))
                .collect(),
        }
    }
}

/// Faults of the given points by themselves.
fn value_faults(points: &[TrackPoint], closed: bool) -> Vec<PointFault> {
    let mut faults = Vec::new();
    for (point, at) in points.iter().enumerate() {
        let mut rule = |holds: bool, key: &str, value: f64, rule: &str| {
            if !holds {
                let fault = Fault::new(key, value, "m", rule);
                faults.push(PointFault { point, fault });
            }
        };
        for (key, value) in [("x_m", at.position.x), ("y_m", at.position.y)] {
            rule(value.is_finite(), key, value, "must be finite");
        }
        for (key, value) in [("w_tr_right_m", at.right), ("w_tr_left_m", at.left)] {
            let holds = value > 0.0 && value.is_finite();
            rule(holds, key, value, "must be finite and > 0");
        }
        let before = match point {
            0 if closed => points.last(),
            0 => None,
            n => points.get(n - 1),
        };
        let repeats = before.is_some_and(|before| before.position == at.position);
        let why = "must not be where the point before is";
        rule(!repeats, "x_m", at.position.x, why);
    }
    faults
}

#[cfg(test)]
mod tests;
