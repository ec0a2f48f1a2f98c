//! A line in the plane with points at equal distances along it.

use core::f64::consts::TAU;

use glam::DVec2;

/// Parts into which a span between two given points is cut to measure its length.
const PARTS: usize = 16;
/// Fewest spans of a closed line.
const FEWEST: f64 = 8.0;
/// Reach of the incremental projection to either side, along the line (`m`): farther than a car goes in a step.
const REACH: f64 = 20.0;

/// A line in the plane, open or closed, whose points are equally far apart along the curve on which they lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyline {
    points: Vec<DVec2>,
    /// Heading at each point (`rad`), continuous; of a closed line once more at its first point, after a whole lap.
    headings: Vec<f64>,
    step: f64,
    closed: bool,
}

/// Nearest point of a line to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Distance along the line (`m`).
    pub s: f64,
    /// Distance from the line (`m`), positive to its left.
    pub offset: f64,
}

/// A place along a polyline: its span, and the part of it, 0…1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Along {
    pub(crate) span: usize,
    pub(crate) part: f64,
}

impl Polyline {
    /// The smooth curve through `points` (`m`), two or more of which no two in a row are equal, with points about `spacing`
    /// (`m`) apart. For each of these, the second result has its place among the given points: 2.5 is halfway from the
    /// third to the fourth.
    ///
    /// The curve is a cubic Hermite spline over the chord length, its slope at each point that of the parabola through the
    /// point and its neighbors (de Boor, *A Practical Guide to Splines*, 1978, chapter IV, Bessel's interpolation).
    pub(crate) fn through(points: &[DVec2], closed: bool, spacing: f64) -> (Self, Vec<f64>) {
        let curve = Curve::through(points, closed);
        let lengths = curve.lengths();
        let length = lengths.last().copied().unwrap_or(0.0);
        let fewest = if closed { FEWEST } else { 1.0 };
        let spans = (length / spacing).round().max(fewest) as usize;
        let step = length / spans as f64;
        let count = if closed { spans } else { spans + 1 };
        let mut places = Vec::with_capacity(count);
        let mut n = 0;
        for k in 0..count {
            let s = k as f64 * step;
            while n + 2 < lengths.len() && lengths[n + 1] < s {
                n += 1;
            }
            let part = (s - lengths[n]) / (lengths[n + 1] - lengths[n]);
            places.push((n as f64 + part.clamp(0.0, 1.0)) / PARTS as f64);
        }
        let points: Vec<DVec2> = places.iter().map(|place| curve.at(*place)).collect();
        let headings = headings(&points, closed);
        let line = Self {
            points,
            headings,
            step,
            closed,
        };
        (line, places)
    }

    /// The points (`m`).
    #[must_use]
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Distance between neighboring points along the line (`m`).
    #[must_use]
    pub const fn step(&self) -> f64 {
        self.step
    }

    /// Whether the line ends where it begins.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Length of the line (`m`).
    #[must_use]
    pub fn length(&self) -> f64 {
        self.spans() as f64 * self.step
    }

    /// Number of spans between neighboring points.
    pub(crate) fn spans(&self) -> usize {
        self.headings.len() - 1
    }

    /// The point at the end of span `n`.
    pub(crate) fn after(&self, n: usize) -> usize {
        (n + 1) % self.points.len()
    }

    /// A distance along the line (`m`) within it: of a closed line less whole laps, of an open one no farther than its ends.
    #[must_use]
    pub fn within(&self, s: f64) -> f64 {
        self.lap(s).1
    }

    /// Whole laps in a distance along the line (`m`), and the rest of it.
    fn lap(&self, s: f64) -> (f64, f64) {
        let length = self.length();
        if !self.closed {
            return (0.0, s.clamp(0.0, length));
        }
        let laps = (s / length).floor();
        let rest = s - length * laps;
        // The quotient is rounded.
        if rest < 0.0 {
            (laps, 0.0)
        } else if rest < length {
            (laps, rest)
        } else {
            (laps + 1.0, 0.0)
        }
    }

    fn along(&self, rest: f64) -> Along {
        let at = rest / self.step;
        let span = (at as usize).min(self.spans() - 1);
        Along {
            span,
            part: at - span as f64,
        }
    }

    /// The span of a distance along the line (`m`), and the part of it.
    pub(crate) fn place(&self, s: f64) -> Along {
        self.along(self.within(s))
    }

    /// The point at a distance along the line (`m`).
    #[must_use]
    pub fn point(&self, s: f64) -> DVec2 {
        let Along { span, part } = self.place(s);
        self.points[span].lerp(self.points[self.after(span)], part)
    }

    /// Heading of the line (`rad`, to the left of +x) at a distance along it (`m`): continuous, also from lap to lap.
    #[must_use]
    pub fn heading(&self, s: f64) -> f64 {
        let (laps, rest) = self.lap(s);
        let Along { span, part } = self.along(rest);
        let [from, to] = [self.headings[span], self.headings[span + 1]];
        from + (to - from) * part + laps * (self.headings[self.spans()] - self.headings[0])
    }

    /// Mean curvature (`1/m`, positive to the left) between two distances along the line (`m`), of which the second is the
    /// greater. A mean misses no bend between two points; an open line counts as straight beyond its ends.
    #[must_use]
    pub fn curvature(&self, from: f64, to: f64) -> f64 {
        (self.heading(to) - self.heading(from)) / (to - from)
    }

    /// The nearest point of the whole line.
    #[must_use]
    pub fn project(&self, point: DVec2) -> Projection {
        self.nearest(point, (0..self.spans()).map(|n| (n, n as f64)))
    }

    /// The nearest point of the line within 20 m along it of `s` (`m`): for a point that moves, with its last place. On a line
    /// that comes near itself, it stays on its part; `s` of the result continues that of the last place from lap to lap.
    #[must_use]
    pub fn project_near(&self, point: DVec2, s: f64) -> Projection {
        let spans = self.spans() as i64;
        let [first, last] = [s - REACH, s + REACH].map(|s| (s / self.step).floor() as i64);
        let near = if self.closed {
            first..=last
        } else {
            first.clamp(0, spans - 1)..=last.clamp(0, spans - 1)
        };
        self.nearest(
            point,
            near.map(|n| (n.rem_euclid(spans) as usize, n as f64)),
        )
    }

    /// The nearest point on some spans, each with its number counted from lap to lap.
    fn nearest(&self, point: DVec2, spans: impl Iterator<Item = (usize, f64)>) -> Projection {
        let mut best = (
            f64::INFINITY,
            Projection {
                s: 0.0,
                offset: 0.0,
            },
        );
        for (n, number) in spans {
            let from = self.points[n];
            let way = self.points[self.after(n)] - from;
            let part = ((point - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            let off = point - (from + way * part);
            let square = off.length_squared();
            if square < best.0 {
                let s = (number + part) * self.step;
                let side = way.perp_dot(off);
                let offset = square.sqrt().copysign(side);
                best = (square, Projection { s, offset });
            }
        }
        best.1
    }

    /// The line as a mirror along the x axis shows it.
    pub(crate) fn mirrored(&self) -> Self {
        let points = self
            .points
            .iter()
            .map(|point| DVec2::new(point.x, -point.y));
        Self {
            points: points.collect(),
            headings: self.headings.iter().map(|heading| -heading).collect(),
            ..*self
        }
    }

    /// The unit vector to the left of the line at a point of it.
    pub(crate) fn left(&self, point: usize) -> DVec2 {
        let (sin, cos) = libm::sincos(self.headings[point]);
        DVec2::new(-sin, cos)
    }
}

/// A cubic curve through points, over their numbers.
struct Curve<'a> {
    points: &'a [DVec2],
    /// Derivative at each point by the chord length (–).
    slopes: Vec<DVec2>,
    closed: bool,
}

impl<'a> Curve<'a> {
    fn through(points: &'a [DVec2], closed: bool) -> Self {
        let count = points.len();
        let chord = |n: usize| {
            let way = points[(n + 1) % count] - points[n];
            let length = libm::hypot(way.x, way.y);
            (way / length, length)
        };
        let slope = |n: usize| {
            let last = count - 1;
            let [before, after] = match (closed, n) {
                (true, _) => [(n + last) % count, n],
                (false, 0) => [0, 1.min(last - 1)],
                (false, n) if n == last => [last - 1, last.saturating_sub(2)],
                (false, n) => [n - 1, n],
            };
            let ((a, h), (b, k)) = (chord(before), chord(after));
            if closed || (n > 0 && n < last) {
                (a * k + b * h) / (h + k)
            } else {
                // The parabola through the first or last three points.
                a + (a - b) * (h / (h + k))
            }
        };
        Self {
            points,
            slopes: (0..count).map(slope).collect(),
            closed,
        }
    }

    fn spans(&self) -> usize {
        self.points.len() - usize::from(!self.closed)
    }

    /// The point at a place among the given ones.
    fn at(&self, place: f64) -> DVec2 {
        let n = (place as usize).min(self.spans() - 1);
        let next = (n + 1) % self.points.len();
        let (from, to, t) = (self.points[n], self.points[next], place - n as f64);
        let chord = libm::hypot(to.x - from.x, to.y - from.y);
        let (back, square) = (1.0 - t, t * t);
        from * (back * back * (1.0 + 2.0 * t))
            + to * (square * (3.0 - 2.0 * t))
            + self.slopes[n] * (chord * t * back * back)
            - self.slopes[next] * (chord * square * back)
    }

    /// Length of the curve up to each part of each span (`m`).
    fn lengths(&self) -> Vec<f64> {
        let mut lengths = vec![0.0];
        let (mut length, mut last) = (0.0, self.points[0]);
        for part in 1..=self.spans() * PARTS {
            let point = self.at(part as f64 / PARTS as f64);
            length += libm::hypot(point.x - last.x, point.y - last.y);
            last = point;
            lengths.push(length);
        }
        lengths
    }
}

/// Heading at each point, and once more at the first one of a closed line: the mean of the spans that meet there.
fn headings(points: &[DVec2], closed: bool) -> Vec<f64> {
    let (count, last) = (points.len(), points.len() - 1);
    let way = |n: usize| {
        if closed {
            points[(n + 1) % count] - points[(n + last) % count]
        } else {
            points[(n + 1).min(last)] - points[n.saturating_sub(1)]
        }
    };
    let mut headings: Vec<f64> = Vec::with_capacity(count + 1);
    for n in 0..count + usize::from(closed) {
        let way = way(n % count);
        let heading = libm::atan2(way.y, way.x);
        let before = headings.last().copied().unwrap_or(heading);
        headings.push(before + turn(before, heading));
    }
    headings
}

/// Angle from one heading to another (`rad`), within ±π.
pub(crate) fn turn(from: f64, to: f64) -> f64 {
    let angle = to - from;
    angle - TAU * (angle / TAU).round()
}
