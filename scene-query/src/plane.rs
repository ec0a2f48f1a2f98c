//! A plane of any orientation.

use glam::{DVec3, Vec3};
use parry_query::{ShapeHit, sweep_plane};
use vehicle_core::frame::Axis;

use crate::error::{GroundError, check, finite_point};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};

/// A plane, solid on the side that its normal points away from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    point: DVec3,
    normal: DVec3,
}

impl Plane {
    /// The plane through `point` (`m`, world) with the outward `normal` [world axes, any length].
    ///
    /// # Errors
    /// If a number is not finite or the normal is zero.
    pub fn new(point: DVec3, normal: DVec3) -> Result<Self, GroundError> {
        check("plane", |i| {
            finite_point(i, "point", point, "m");
            let length = normal.length();
            let holds = length > 0.0 && length.is_finite();
            i.rule(holds, "normal", normal, "", "must be finite and not zero");
        })?;
        Ok(Self {
            point,
            normal: normal / normal.length(),
        })
    }

    /// A level plane at `height` (`m`) along the world's `up` axis.
    ///
    /// # Errors
    /// If the height is not finite.
    pub fn level(up: Axis, height: f64) -> Result<Self, GroundError> {
        let normal = up.unit().as_dvec3();
        check("plane", |i| {
            crate::error::finite(i, "height", height, "m");
        })?;
        Self::new(normal * height, normal)
    }

    /// Outward unit normal (world axes).
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal.as_vec3()
    }
}

impl Ground for Plane {
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        // The difference first: it is small near the plane's point, far from the origin too.
        let height = (ray.origin - self.point).dot(self.normal);
        if height < 0.0 {
            return Some(Hit::inside(ray));
        }
        let approach = -ray.direction.dot(self.normal);
        if approach <= 0.0 {
            return None;
        }
        ray.reach(height / approach).map(|distance| Hit {
            distance,
            normal: self.normal(),
            triangle: None,
            inside: false,
        })
    }

    /// Hits the plane in closed form.
    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        let height = (sweep.start - self.point).dot(self.normal);
        if let Some(hit) = sweep_plane(self.normal, height, &sweep.way) {
            found(hit);
        }
    }

    /// One triangle around the whole region.
    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle)) {
        let middle = region.middle();
        let height = (middle - self.point).dot(self.normal);
        let half = region.size() * 0.5;
        if height.abs() > half.dot(self.normal.abs()) {
            return;
        }
        let foot = middle - self.normal * height;
        let (along, across) = self.normal.any_orthonormal_pair();
        // The circle in an equilateral triangle has half the radius of the one around it.
        let inner = half.length();
        let base = foot - along * inner;
        let side = across * (inner * 3.0_f64.sqrt());
        found(&SurfaceTriangle {
            corners: [foot + along * (2.0 * inner), base + side, base - side],
            solid: true,
            number: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn ray(origin: [f64; 3], direction: [f64; 3], length: f32) -> Ray {
        Ray {
            origin: DVec3::from_array(origin),
            direction: DVec3::from_array(direction).normalize(),
            length,
        }
    }

    #[rstest]
    #[case::straight([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], 2.0, Some(1.0))]
    #[case::exactly_long_enough([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], 1.0, Some(1.0))]
    #[case::rounded_sum([0.0, 0.0, 0.9_f32 as f64 + 0.1_f32 as f64], [0.0, 0.0, -1.0], 1.0, Some(1.0))]
    #[case::too_short([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], 0.99, None)]
    #[case::slanted([0.0, 0.0, 3.0], [4.0, 0.0, -3.0], 9.0, Some(5.0))]
    #[case::parallel([0.0, 0.0, 1.0], [1.0, 0.0, 0.0], 9.0, None)]
    #[case::away([0.0, 0.0, 1.0], [0.0, 0.0, 1.0], 9.0, None)]
    #[case::on_it([0.0, 0.0, 0.0], [0.0, 0.0, -1.0], 9.0, Some(0.0))]
    #[case::buried([0.0, 0.0, -0.1], [0.0, 0.0, -1.0], 9.0, Some(0.0))]
    #[case::zero_length_on_it([0.0, 0.0, 0.0], [0.0, 0.0, -1.0], 0.0, Some(0.0))]
    fn rays(
        #[case] origin: [f64; 3],
        #[case] direction: [f64; 3],
        #[case] length: f32,
        #[case] distance: Option<f32>,
    ) {
        let plane = Plane::level(Axis::Z, 0.0).unwrap();
        let hit = plane.cast(&ray(origin, direction, length));
        assert_eq!(hit.map(|hit| hit.distance), distance);
    }

    #[test]
    fn a_buried_start_has_the_normal_minus_direction() {
        let plane = Plane::level(Axis::Y, 2.0).unwrap();
        let down = ray([0.0, 1.0, 0.0], [0.6, -0.8, 0.0], 1.0);
        assert_eq!(plane.cast(&down), Some(Hit::inside(&down)));
        assert_eq!(
            plane.cast(&down).unwrap().normal,
            Vec3::new(-0.6, 0.8, -0.0)
        );
    }

    #[test]
    fn faults_are_reported_together() {
        let error = Plane::new(DVec3::NAN, DVec3::ZERO).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 invalid parameter(s):\n\
             plane.point = [NaN, NaN, NaN] m: must be finite\n\
             plane.normal = [0, 0, 0]: must be finite and not zero"
        );
        assert!(Plane::level(Axis::Z, f64::INFINITY).is_err());
    }

    proptest! {
        #[test]
        fn far_from_the_origin_is_as_exact_as_near(x in -1e5..1e5_f64, y in -1e5..1e5_f64, h in 0.01..3.0_f64) {
            let normal = DVec3::new(0.1, -0.2, 1.0);
            let far = DVec3::new(x, y, 1e5);
            let plane = Plane::new(far, normal).unwrap();
            let start = far + normal.normalize() * h;
            let hit = plane.cast(&Ray { origin: start, direction: -normal.normalize(), length: 4.0 });
            prop_assert!((f64::from(hit.unwrap().distance) - h).abs() < 3e-7);
        }
    }
}
