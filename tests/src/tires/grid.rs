//! Grid of test points: slips in every direction, loads, frictions, inclinations.

use jounce::core::{TireForces, TireInput};

use super::LawUnderTest;

/// Magnitudes of slip (–).
pub(super) const SLIPS: [f32; 12] = [
    0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.45, 0.7, 1.0, 1.8,
];
/// Full sliding from here on (–).
pub(super) const SLIDING: f32 = 1.0;
/// Directions of slip.
const DIRECTIONS: u8 = 16;
/// Loads over that at rest (–).
pub(super) const LOADS: [f32; 6] = [0.05, 0.3, 0.7, 1.0, 1.5, 2.0];
/// Frictions of tire on ground (–).
const FRICTIONS: [f32; 3] = [0.2, 0.6, 1.0];
/// Inclinations (`rad`).
const CAMBERS: [f32; 3] = [0.0, -0.1, 0.1];
/// Speeds (`m/s`), negative backwards.
const SPEEDS: [f32; 2] = [15.0, -6.0];
/// Gravity (`m/s²`).
const GRAVITY: f32 = 9.81;

/// State of a wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Slip ratio and tangent of the slip angle (–).
    pub(super) slip: [f32; 2],
    pub(super) camber: f32,
    pub(super) load: f32,
    pub(super) friction: f32,
    /// Reference speed of slips, negative backwards (`m/s`).
    pub(super) speed: f32,
}

impl Point {
    /// A point at rest load on a surface of friction 1, upright.
    pub(super) fn plain(subject: &LawUnderTest<'_>, slip: [f32; 2]) -> Self {
        Self {
            slip,
            camber: 0.0,
            load: subject.declared.load,
            friction: 1.0,
            speed: SPEEDS[0],
        }
    }

    /// A solver's input: slips are relative to the larger of ground and rim speed.
    pub(super) fn input(&self, subject: &LawUnderTest<'_>) -> TireInput {
        let ([ratio, tangent], over) = (self.slip, self.speed.abs());
        // The larger of both speeds is the reference of slips.
        let (forward_speed, rim_speed) = if (ratio >= 0.0) == (self.speed >= 0.0) {
            (self.speed - ratio * over, self.speed)
        } else {
            (self.speed, self.speed + ratio * over)
        };
        TireInput {
            slip_ratio: ratio,
            tan_slip_angle: tangent,
            forward_speed,
            lateral_speed: tangent * over,
            rim_speed,
            radius: subject.declared.radius,
            load: self.load,
            rest_load: subject.declared.load,
            camber: self.camber,
            friction: self.friction,
            gravity: GRAVITY,
            ..TireInput::default()
        }
    }

    /// The law's forces.
    pub(super) fn forces(&self, subject: &LawUnderTest<'_>) -> TireForces {
        subject.tire.forces(&self.input(subject))
    }

    /// Friction times load (`N`).
    pub(super) fn limit(&self) -> f64 {
        f64::from(self.friction) * f64::from(self.load)
    }
}

/// Force forward and to the left (`N`).
pub(super) fn planar(forces: &TireForces) -> [f64; 2] {
    [f64::from(forces.longitudinal), f64::from(forces.lateral)]
}

/// Directions of slip, unit.
pub(super) fn directions() -> impl Iterator<Item = [f32; 2]> {
    (0..DIRECTIONS).map(|n| {
        let angle = core::f32::consts::TAU * f32::from(n) / f32::from(DIRECTIONS);
        [libm::cosf(angle), libm::sinf(angle)]
    })
}

/// Every point without slip.
pub(super) fn still(subject: &LawUnderTest<'_>) -> impl Iterator<Item = Point> {
    let plain = Point::plain(subject, [0.0; 2]);
    let loads = LOADS.map(|load| load * subject.declared.load);
    let points = loads.into_iter().map(move |load| Point { load, ..plain });
    let points = points.flat_map(|p| FRICTIONS.map(|friction| Point { friction, ..p }));
    let points = points.flat_map(|p| CAMBERS.map(|camber| Point { camber, ..p }));
    points.flat_map(|p| SPEEDS.map(|speed| Point { speed, ..p }))
}

/// Every point with slip, and its magnitude.
pub(super) fn slipping(subject: &LawUnderTest<'_>) -> impl Iterator<Item = (Point, f32)> {
    still(subject).flat_map(|p| {
        directions().flat_map(move |[x, y]| {
            SLIPS.map(|slip| {
                let slips = [slip * x, slip * y];
                (Point { slip: slips, ..p }, slip)
            })
        })
    })
}
