//! A moving wheel, in double precision.

use glam::{DMat3, DVec3, Quat, Vec3};
use vehicle_core::sweep_query::GroundSweep;
use vehicle_core::wheel_shape::{ShapeKind, WheelShape};

/// Sine below which a direction counts as parallel or perpendicular to the axle: the shape's
/// farthest point is then the middle of its line or its face. The error is 1e-7 of the size.
const TIE: f64 = 1e-7;

/// Corners of a disc in [`WheelSweep::hull`]: two discs are the 64 points that Box3D takes.
const CORNERS: usize = 32;

/// Rounding of coordinates, as a share of their size.
pub(crate) const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Single-precision rounding of a sweep of `length` (`m`) from `origin` (`m`).
pub(crate) fn rounding(length: f32, origin: Vec3) -> f32 {
    let magnitude = origin.abs().max_element().max(length).max(1.0);
    ROUNDING * magnitude
}

/// A wheel shape as the Minkowski sum of a disc about the axle, a segment of the axle and a ball;
/// every kind is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelSolid {
    axle: DVec3,
    disc: f64,
    half_width: f64,
    ball: f64,
}

impl WheelSolid {
    fn new(shape: &WheelShape, axle: DVec3) -> Self {
        let (radius, half_width) = (f64::from(shape.radius), f64::from(shape.half_width));
        let (disc, half_width, ball) = match shape.kind {
            ShapeKind::Cylinder => (radius, half_width, 0.0),
            ShapeKind::Sphere => (0.0, 0.0, radius),
            ShapeKind::Capsule => (0.0, half_width, radius),
            ShapeKind::RoundedDisc => {
                let (disc, rim) = shape.disc_and_rim();
                (f64::from(disc), 0.0, f64::from(rim))
            }
        };
        Self {
            axle,
            disc,
            half_width,
            ball,
        }
    }

    /// The wheel without its outermost `skin` (`m`).
    pub(crate) fn without(self, skin: f64) -> Self {
        let less = |size: f64| (size - skin).max(0.0);
        if self.ball > 0.0 {
            Self {
                ball: less(self.ball),
                ..self
            }
        } else {
            Self {
                disc: less(self.disc),
                half_width: less(self.half_width),
                ..self
            }
        }
    }

    /// The point farthest along a unit direction, from the center.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = direction.dot(self.axle);
        let across = direction - self.axle * along;
        let length = across.length();
        let mut point = direction * self.ball;
        if length > TIE {
            point += across * (self.disc / length);
        }
        if along.abs() > TIE {
            point += self.axle * self.half_width.copysign(along);
        }
        point
    }
}

/// A wheel shape in straight motion without rotation, in the axes of the shapes it may hit.
#[derive(Clone, Copy, Debug)]
pub struct WheelSweep {
    /// Center at the start.
    pub(crate) start: DVec3,
    pub(crate) wheel: WheelSolid,
    /// Unit direction.
    pub(crate) direction: DVec3,
    pub(crate) length: f64,
    /// Single-precision rounding here (`m`).
    pub(crate) rounding: f64,
}

impl WheelSweep {
    /// The sweep of a query whose center starts at `start` (`m`) in the world of the shapes; `None`
    /// if one of its numbers is not finite, the shape [is not valid](WheelShape::is_sound), the
    /// length is negative, or a direction does not have unit length within 1 %.
    ///
    /// `start` is anchor plus offset in an engine's single precision, or 0 if the shapes are given
    /// relative to the start.
    #[must_use]
    pub fn new(sweep: &GroundSweep, start: Vec3) -> Option<Self> {
        let unit = |v: Vec3| {
            let v = v.as_dvec3();
            ((v.length_squared() - 1.0).abs() < 0.02).then(|| v.normalize())
        };
        let (axle, direction) = (unit(sweep.axle)?, unit(sweep.direction)?);
        let sound = start.is_finite()
            && sweep.shape.is_sound()
            && sweep.length >= 0.0
            && sweep.length.is_finite();
        sound.then(|| Self {
            start: start.as_dvec3(),
            wheel: WheelSolid::new(&sweep.shape, axle),
            direction,
            length: f64::from(sweep.length),
            rounding: f64::from(rounding(sweep.length, start)),
        })
    }

    /// Unit direction of the motion.
    #[must_use]
    pub const fn direction(&self) -> DVec3 {
        self.direction
    }

    /// The wheel as the hull of some points (`m`, from its center), all within a radius (`m`): for engines that sweep
    /// such hulls. It lies within the wheel, by at most half a percent of its radius.
    #[must_use]
    pub fn hull(&self) -> (Vec<Vec3>, f32) {
        let wheel = &self.wheel;
        let across = self.direction.reject_from_normalized(wheel.axle);
        let down = (across.try_normalize()).unwrap_or_else(|| wheel.axle.any_orthonormal_vector());
        let side = wheel.axle.cross(down);
        let around = if wheel.disc > 0.0 { CORNERS } else { 1 };
        let halves = if wheel.half_width > 0.0 { 2 } else { 1 };
        let point = |n: usize| {
            let angle = core::f64::consts::TAU * (n / halves) as f64 / around as f64;
            let out = down * libm::cos(angle) + side * libm::sin(angle);
            let end = if n.is_multiple_of(2) {
                wheel.half_width
            } else {
                -wheel.half_width
            };
            (out * wheel.disc + wheel.axle * end).as_vec3()
        };
        ((0..around * halves).map(point).collect(), wheel.ball as f32)
    }

    /// The corners of a slightly enlarged box around the whole sweep (`m`).
    #[must_use]
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let reach = |axis: DVec3| self.wheel.farthest(axis).dot(axis);
        let half = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
        let half = half + DVec3::splat(2.0 * self.rounding + 1e-6);
        let end = self.start + self.direction * self.length;
        let (low, high) = (self.start.min(end) - half, self.start.max(end) + half);
        (low.as_vec3(), high.as_vec3())
    }

    /// This sweep relative to a pose at `place` (`m`) with `rotation`; and that pose's axes, which lead back.
    pub(crate) fn seen_from(&self, place: Vec3, rotation: Quat) -> (Self, DMat3) {
        let axes = DMat3::from_quat(rotation.as_dquat().normalize());
        let to_local = axes.transpose();
        let seen = Self {
            start: to_local * (self.start - place.as_dvec3()),
            wheel: WheelSolid {
                axle: to_local * self.wheel.axle,
                ..self.wheel
            },
            direction: to_local * self.direction,
            ..*self
        };
        (seen, axes)
    }
}
