//! The course that all cars drive, and its ground.

use glam::DVec3;
use jounce::scene::{Axes, HeightField};

/// Gravity (`m/s²`).
pub(crate) const GRAVITY: f32 = 9.81;
/// Length of a step (`s`).
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Cells along each side of the uneven grounds, and the length of one (`m`).
pub(crate) const CELLS: usize = 200;
pub(crate) const CELL: f64 = 6.0;
/// Distance of cars at the start (`m`).
const SPACING: f64 = 9.0;

/// Ground of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CourseGround {
    Plane,
    HeightField,
    Mesh,
}

impl CourseGround {
    pub(crate) const ALL: [Self; 3] = [Self::Plane, Self::HeightField, Self::Mesh];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plane => "plane",
            Self::HeightField => "heightfield",
            Self::Mesh => "mesh",
        }
    }

    /// Height at a point (`m`).
    pub(crate) fn height(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Plane => 0.0,
            Self::HeightField | Self::Mesh => 0.8 * (x / 11.0).sin() * (y / 13.0).cos(),
        }
    }
}

/// The uneven ground, centered on the origin.
pub(crate) fn hills() -> HeightField {
    let half = 0.5 * CELL * CELLS as f64;
    let origin = DVec3::new(-half, -half, 0.0);
    let height = |x, y| CourseGround::HeightField.height(x - half, y - half);
    let size = [CELLS + 1; 2];
    HeightField::from_fn(Axes::Z_UP, origin, CELL, size, height).expect("a valid grid")
}

/// Heights of the course with x running fastest.
pub(crate) fn heights_by_x() -> Vec<f32> {
    let (field, side) = (hills(), CELLS + 1);
    let height = |n: usize| field.heights()[n % side * side + n / side];
    (0..side * side).map(height).collect()
}

/// Start of car `n` of `count` (`m`, on a plane at height 0) and its speed (`m/s`, along x): on a square, every other one at
/// speed.
pub(crate) fn start(n: usize, count: usize) -> (DVec3, f32) {
    let side = (count as f64).sqrt().ceil() as usize;
    let at = |index: usize| SPACING * (index as f64 - 0.5 * (side - 1) as f64);
    let place = DVec3::new(at(n % side), at(n / side), 0.0);
    (place, if n.is_multiple_of(2) { 14.0 } else { 2.0 })
}

/// Pedals and steering of car `n` at step `step`: full throttle, half throttle, braking and coasting, on a circle whose
/// radius changes, so that it stays within 100 m of its start.
pub(crate) fn pedals(n: usize, step: usize) -> (f32, f32, f32) {
    let time = step as f32 * DT + n as f32 * 0.37;
    let phase = (time * (0.2 + 0.01 * (n % 20) as f32)).fract();
    let (throttle, brake) = match (phase * 4.0) as u32 {
        0 => (1.0, 0.0),
        1 => (0.5, 0.0),
        2 => (0.0, 0.1),
        _ => (0.0, 0.0),
    };
    let wave = 4.0 * (phase - 0.5).abs() - 1.0;
    let steer = 0.12 + 0.08 * wave;
    (
        throttle,
        brake,
        if n.is_multiple_of(3) { -steer } else { steer },
    )
}
