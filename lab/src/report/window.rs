//! A part of the world seen from above, and its common decorations.

use core::fmt::Write as _;

use glam::DVec2;
use jounce::file::Car;

use super::svg::{coordinate, label, round_step};

/// The part of the world shown by a map or a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Minimum x and y (`m`).
    pub low: DVec2,
    /// Extent in x and y (`m`).
    pub size: DVec2,
}

impl Window {
    /// The smallest window that contains all finite points; `None` without any.
    pub fn around(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        let bounds = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let finite = points.into_iter().filter(|p| p.is_finite());
        let (low, high) = finite.fold(bounds, |(low, high), p| (low.min(p), high.max(p)));
        let size = high - low;
        (low.x <= high.x).then_some(Self { low, size })
    }

    /// A window with this center and another extent (`m`).
    #[must_use]
    pub fn resized(&self, size: DVec2) -> Self {
        Self {
            low: self.low + (self.size - size) * 0.5,
            size,
        }
    }

    /// Corners of the window, one after the other (`m`, world).
    #[must_use]
    pub fn corners(&self) -> Vec<DVec2> {
        let high = self.low + self.size;
        let (ahead, left) = (
            DVec2::new(high.x, self.low.y),
            DVec2::new(self.low.x, high.y),
        );
        vec![self.low, ahead, high, left]
    }

    /// A point in map coordinates: meters to the right and down from the upper left corner.
    pub(super) fn place(&self, point: DVec2) -> DVec2 {
        DVec2::new(point.x - self.low.x, self.low.y + self.size.y - point.y)
    }

    /// A point in percent of the map (`%`, from the left and from the top).
    pub(super) fn percent(&self, point: DVec2) -> DVec2 {
        self.place(point) / self.size * 100.0
    }

    /// Spacing of grid lines (`m`).
    pub(super) fn grid_step(&self) -> f64 {
        round_step(self.size.x, 14)
    }

    /// Grid lines as the `d` of an SVG path.
    pub(super) fn grid(&self) -> String {
        let (low, size, step) = (self.low, self.size, self.grid_step());
        let lines = |from: f64, length: f64| {
            let first = (from / step).ceil() as i64;
            let last = ((from + length) / step).floor() as i64;
            (first..=last).map(move |n| n as f64 * step - from)
        };
        let mut d = String::new();
        for x in lines(low.x, size.x) {
            // Writing to a string cannot fail.
            let _ = write!(d, "M{} 0V{}", coordinate(x), coordinate(size.y));
        }
        for y in lines(low.y, size.y) {
            let _ = write!(d, "M0 {}H{}", coordinate(size.y - y), coordinate(size.x));
        }
        d
    }

    /// The scale bar, in the corner with the fewest points.
    pub(super) fn scale(&self, points: impl Iterator<Item = DVec2> + Clone) -> String {
        let visits = |right: bool, top: bool| {
            let near = |point: DVec2| {
                let p = self.percent(point);
                let x = if right { 100.0 - p.x } else { p.x };
                let y = if top { p.y } else { 100.0 - p.y };
                x < 30.0 && y < 30.0
            };
            points.clone().filter(|point| near(*point)).count()
        };
        let corners = [
            ("left:14px;bottom:12px", false, false),
            ("right:14px;bottom:12px", true, false),
            ("left:14px;top:24px", false, true),
            ("right:14px;top:24px", true, true),
        ];
        let best = corners
            .into_iter()
            .min_by_key(|&(_, right, top)| visits(right, top));
        let length = round_step(self.size.x, 6);
        format!(
            "<div class=\"scale\" style=\"{};width:{}%\"><b>{}</b></div>",
            best.map_or("", |(place, ..)| place),
            coordinate(length / self.size.x * 100.0),
            distance(length),
        )
    }
}

/// A round distance (`m`) in human-readable form.
pub(super) fn distance(length: f64) -> String {
    if length < 1.0 {
        let length = 100.0 * length;
        format!("{} cm", label(length, length))
    } else {
        format!("{} m", label(length, length))
    }
}

/// Corners of a car's body seen from above, with a nose that marks the front (`m`, world); its
/// center of mass is at `position` (`m`, world), its heading to the left of +x (`rad`).
#[must_use]
pub fn outline(car: &Car, position: DVec2, heading: f64) -> Vec<DVec2> {
    let center = (car.hull.center - car.center_of_mass()).as_dvec3();
    let half = car.hull.size.as_dvec3() * 0.5;
    let turn = DVec2::from_angle(heading);
    let corners = [
        (1.0, 0.55),
        (0.75, 1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
        (0.75, -1.0),
        (1.0, -0.55),
    ];
    let point = |(x, y)| DVec2::new(center.x + x * half.x, center.y + y * half.y);
    corners
        .map(|corner| position + turn.rotate(point(corner)))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_contains_its_points_and_keeps_its_center() {
        let points = [
            DVec2::ZERO,
            DVec2::new(4.0, -2.0),
            DVec2::new(f64::NAN, 9.0),
        ];
        let window = Window::around(points).unwrap();
        assert_eq!(
            (window.low, window.size),
            (DVec2::new(0.0, -2.0), DVec2::new(4.0, 2.0))
        );
        let wide = window.resized(DVec2::new(8.0, 4.0));
        assert_eq!(wide.percent(DVec2::new(2.0, -1.0)), DVec2::splat(50.0));
        assert_eq!(wide.percent(wide.corners()[3]), DVec2::ZERO);
        assert_eq!(Window::around([]), None);
    }

    #[test]
    fn the_scale_stands_in_the_corner_where_nothing_is() {
        let window = Window {
            low: DVec2::new(-30.0, 50.0),
            size: DVec2::new(100.0, 60.0),
        };
        let corners = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)];
        let places = [
            "left:14px;bottom",
            "right:14px;bottom",
            "left:14px;top",
            "right:14px;top",
        ];
        for (n, place) in places.into_iter().enumerate() {
            let others = corners.into_iter().enumerate().filter(|(k, _)| *k != n);
            let points = others.map(|(_, (x, y))| window.low + DVec2::new(x, y) * window.size);
            let html = window.scale(points);
            assert!(html.contains(place), "{place}: {html}");
            assert!(html.contains("width:20%\"><b>20 m</b>"), "{html}");
        }
    }

    /// A point three tenths of the map from an edge is outside the corners.
    #[test]
    fn the_scale_minds_what_is_within_its_corner() {
        let window = Window {
            low: DVec2::ZERO,
            size: DVec2::splat(100.0),
        };
        let corner = |n: usize, x: f64, y: f64| {
            let x = if n % 2 == 1 { 100.0 - x } else { x };
            DVec2::new(x, if n >= 2 { 100.0 - y } else { y })
        };
        let places = [
            "left:14px;bottom",
            "right:14px;bottom",
            "left:14px;top",
            "right:14px;top",
        ];
        for (n, place) in places.into_iter().enumerate() {
            let others = (0..4).filter(|k| *k != n);
            let near = others.flat_map(|k| [29.0, 20.0].map(|x| corner(k, x, 29.0)));
            let beyond = [(30.0, 10.0), (10.0, 30.0), (30.0, 30.0)].map(|(x, y)| corner(n, x, y));
            let points: Vec<DVec2> = near.chain(beyond).collect();
            let html = window.scale(points.into_iter());
            assert!(html.contains(place), "{place}: {html}");
        }
    }

    /// The box from above, turned with the car about its center of mass, its front corners cut off.
    #[test]
    fn an_outline_is_the_bodys_box_with_a_nose() {
        let mut car = jounce::presets::sedan();
        car.hull.center += glam::Vec3::new(0.3, 0.2, 0.0);
        let center = (car.hull.center - car.center_of_mass()).as_dvec3();
        let (long, wide) = (f64::from(car.hull.size.x), f64::from(car.hull.size.y));
        let place = DVec2::new(7.0, -3.0);
        for heading in [0.0, 0.5, -2.0] {
            // As the driver sees them: ahead of and left of the box's center.
            let seen: Vec<DVec2> = outline(&car, place, heading)
                .into_iter()
                .map(|corner| {
                    DVec2::from_angle(-heading).rotate(corner - place) - center.truncate()
                })
                .collect();
            let wanted = [
                (0.5, 0.275),
                (0.375, 0.5),
                (-0.5, 0.5),
                (-0.5, -0.5),
                (0.375, -0.5),
                (0.5, -0.275),
            ];
            assert_eq!(seen.len(), wanted.len());
            for (seen, (ahead, left)) in seen.into_iter().zip(wanted) {
                let wanted = DVec2::new(ahead * long, left * wide);
                assert!(seen.distance(wanted) < 1e-9, "{seen} for {wanted}");
            }
        }
    }

    /// Lines at the multiples of a step, wherever the window begins.
    #[test]
    fn grid_lines_are_at_round_places() {
        let window = Window {
            low: DVec2::new(-33.0, 47.0),
            size: DVec2::new(100.0, 60.0),
        };
        assert_eq!(window.grid_step(), 10.0);
        let grid = window.grid();
        let lines: Vec<&str> = grid.split_terminator('M').skip(1).collect();
        let across: Vec<String> = (0..10).map(|n| format!("{} 0V60", 3 + 10 * n)).collect();
        let down: Vec<String> = (0..6).map(|n| format!("0 {}H100", 57 - 10 * n)).collect();
        assert_eq!(lines, [across, down].concat());
    }

    #[test]
    fn small_distances_are_centimeters() {
        let texts = [0.2, 0.01, 1.0, 50.0].map(distance);
        assert_eq!(texts, ["20 cm", "1 cm", "1 m", "50 m"]);
    }
}
