//! The belts of a tank's tracks, for drawing and colliders: where they are, and how far they have run.

use alloc::vec::Vec;

use vehicle_core::{Vehicle, math};

use crate::differential::{TankDifferential, Track, TrackSide};

/// Corners of a belt around a whole wheel.
const CORNERS: usize = 48;

/// Motion of the tracks of a tank: one value per [track](TankDifferential::tracks), in their order.
///
/// ```text
/// let mut report = TankReport::new(&differential);
/// // after each step of the vehicle:
/// report.follow(&differential, &vehicle);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TankReport {
    /// The tracks.
    pub tracks: Vec<TrackReport>,
}

/// A track after an update.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackReport {
    /// Side of the vehicle whose thrust and brake the track follows.
    pub side: TrackSide,
    /// Speed of the belt past the vehicle (`m/s`), positive drives forward.
    pub speed: f32,
    /// Displacement of the belt in the last update (`m`), backwards negative.
    pub moved: f32,
    /// Displacement of the belt since the report began (`m`), backwards negative: the offset of a scrolling texture. Double
    /// precision keeps it smooth for any distance.
    pub run: f64,
    /// Outline of the belt: x and z of the corners of a closed, convex line around its wheels at their present positions, from x
    /// toward z, without the first corner again (`m`, vehicle frame).
    pub outline: Vec<[f32; 2]>,
    /// Length of the outline (`m`).
    pub length: f32,
    /// Lateral position of the belt, the mean of its wheels' (`m`, vehicle frame).
    pub y: f32,
}

impl TankReport {
    /// Tracks that have not moved yet.
    #[must_use]
    pub fn new(tank: &TankDifferential) -> Self {
        let still = |track: &Track| TrackReport {
            side: track.side,
            speed: 0.0,
            moved: 0.0,
            run: 0.0,
            outline: Vec::new(),
            length: 0.0,
            y: 0.0,
        };
        Self {
            tracks: tank.tracks.iter().map(still).collect(),
        }
    }

    /// Brings the report up to date; call it once after each step, at any level of detail of the vehicle.
    ///
    /// # Panics
    /// If the vehicle has fewer wheels than the tracks name.
    pub fn follow(&mut self, tank: &TankDifferential, vehicle: &Vehicle) {
        for (report, track) in self.tracks.iter_mut().zip(&tank.tracks) {
            report.follow(track, vehicle);
        }
    }
}

impl TrackReport {
    fn follow(&mut self, track: &Track, vehicle: &Vehicle) {
        let wheels = &vehicle.model().params().wheels;
        let on = |&&wheel: &&usize| wheels[wheel].enabled;
        // All rims of a track have the same speed, except those of wheels that are off.
        if let Some(&leader) = track.wheels.iter().find(on) {
            let (radius, report) = (wheels[leader].radius, vehicle.wheel_report(leader));
            (self.speed, self.moved) = (report.spin * radius, report.turned * radius);
            self.run += f64::from(self.moved);
        }
        let place = |&wheel: &usize| (vehicle.wheel_pose(wheel).position, wheels[wheel].radius);
        let circles: Vec<_> = track.wheels.iter().map(place).collect();
        self.y = circles.iter().map(|(center, _)| center.y).sum::<f32>() / circles.len() as f32;
        let circles = circles.iter().map(|(c, radius)| ([c.x, c.z], *radius));
        self.outline = around(circles);
        self.length = length(&self.outline);
    }
}

/// The convex line around circles, from x toward z (`m`).
fn around(circles: impl Iterator<Item = ([f32; 2], f32)>) -> Vec<[f32; 2]> {
    let step = core::f32::consts::TAU / CORNERS as f32;
    let corners = |([x, z], radius): ([f32; 2], f32)| {
        (0..CORNERS).map(move |n| {
            let (sin, cos) = math::sin_cos(n as f32 * step);
            [x + cos * radius, z + sin * radius]
        })
    };
    let mut points: Vec<_> = circles.flat_map(corners).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let below = half(points.iter().copied());
    let above = half(points.into_iter().rev());
    below.into_iter().chain(above).collect()
}

/// The half of a convex hull that turns left from the first to the last of these points, without the last
/// (Andrew's monotone chain).
fn half(points: impl Iterator<Item = [f32; 2]>) -> Vec<[f32; 2]> {
    let mut line: Vec<[f32; 2]> = Vec::new();
    for point in points {
        while let [.., a, b] = line[..] {
            if turn(a, b, point) > 0.0 {
                break;
            }
            line.pop();
        }
        line.push(point);
    }
    line.pop();
    line
}

/// Twice the area of a triangle, positive if it turns left.
fn turn(a: [f32; 2], b: [f32; 2], c: [f32; 2]) -> f32 {
    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}

fn length(line: &[[f32; 2]]) -> f32 {
    let ends = line.iter().skip(1).chain(line.first());
    let chords = line.iter().zip(ends).map(|(a, b)| {
        let (x, z) = (b[0] - a[0], b[1] - a[1]);
        math::sqrt(x * x + z * z)
    });
    chords.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::TAU;
    use proptest::prelude::*;

    #[test]
    fn a_belt_lies_around_its_wheels() {
        let circles = [(-1.5, 0.4), (0.2, 0.4), (2.0, 0.4)];
        let line = around(circles.into_iter().map(|(x, r)| ([x, 0.3], r)));
        let expected = 2.0 * 3.5 + TAU * 0.4;
        assert!((length(&line) / expected - 1.0).abs() < 1e-3);
        let lowest = line.iter().map(|point| point[1]).fold(f32::MAX, f32::min);
        assert!((lowest + 0.1).abs() < 1e-6, "{lowest}");
    }

    proptest! {
        /// Every corner of the line turns left, and no wheel sticks out by more than the chord of a corner.
        #[test]
        fn a_belt_is_convex_and_holds_every_wheel(
            wheels in proptest::collection::vec((-3f32..3.0, -0.3f32..0.5, 0.2f32..0.6), 1..8),
        ) {
            let circles = || wheels.iter().map(|&(x, z, radius)| ([x, z], radius));
            let line = around(circles());
            let count = line.len();
            for n in 0..count {
                let [a, b, c] = [0, 1, 2].map(|k| line[(n + k) % count]);
                prop_assert!(turn(a, b, c) >= -1e-6);
                let chord = length(&[a, b]) / 2.0;
                for (center, radius) in circles() {
                    prop_assert!(turn(a, b, center) / chord > 0.997 * radius);
                }
            }
        }
    }
}
