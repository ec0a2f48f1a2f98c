//! A ramp between two levels.

use glam::{DVec2, DVec3};
use parry_query::ShapeHit;
use vehicle_core::math;

use crate::axes::Axes;
use crate::error::{GroundError, check, finite_point, positive};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};
use crate::profile::HeightProfile;
use crate::triangles::Triangles;

/// A slope between two levels, infinite sideways, solid below.
#[derive(Clone, Debug, PartialEq)]
pub struct Ramp {
    profile: HeightProfile,
    rise: f64,
}

impl Ramp {
    /// A ramp that starts at `origin` (`m`, world) and rises along the axes' forward at `grade_deg`
    /// (`°`, > −90 and < 90, negative descends) for `length` (`m`, along the slope). Before and
    /// after it the ground is level.
    ///
    /// # Errors
    /// If a number is not finite, the length is not > 0 or the grade is vertical or more.
    pub fn new(
        axes: Axes,
        origin: DVec3,
        grade_deg: f32,
        length: f64,
    ) -> Result<Self, GroundError> {
        check("ramp", |i| {
            finite_point(i, "origin", origin, "m");
            let holds = grade_deg > -90.0 && grade_deg < 90.0;
            i.rule(holds, "grade", grade_deg, "°", "must be > -90 and < 90");
            positive(i, "length", length, "m");
        })?;
        let (sin, cos) = math::sin_cos(grade_deg.to_radians());
        let end = DVec2::new(f64::from(cos), f64::from(sin)) * length;
        Ok(Self {
            profile: HeightProfile::new(axes, origin, vec![DVec2::ZERO, end]),
            rise: end.y,
        })
    }

    /// Height difference of the far and the near level (`m`).
    #[must_use]
    pub const fn rise(&self) -> f64 {
        self.rise
    }

    /// The surface up to `reach` (`m`, > 0) before the slope, after it and to either side of the
    /// origin.
    #[must_use]
    pub fn triangles(&self, reach: f64) -> Triangles {
        self.profile.triangles(reach)
    }
}

impl Ground for Ramp {
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        self.profile.cast(ray)
    }

    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        self.profile.sweep(sweep, found);
    }

    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle)) {
        self.profile.triangles_in(region, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;
    use vehicle_core::frame::Axis;

    #[rstest]
    #[case::before(-1.0, 0.0, 0.0)]
    #[case::foot(0.0, 0.0, 0.0)]
    #[case::middle(4.330_127, 2.5, 0.5)]
    #[case::after(20.0, 5.0, 0.0)]
    fn heights_and_normals(#[case] x: f64, #[case] height: f64, #[case] lean: f32) {
        let axes = Axes::new(Axis::NegX, Axis::Y).unwrap();
        let far = DVec3::new(-9e4, 12.0, 1e5);
        let ramp = Ramp::new(axes, far, 30.0, 10.0).unwrap();
        let ray = Ray {
            origin: far + DVec3::new(-x, 8.0, -77.0),
            direction: DVec3::NEG_Y,
            length: 9.0,
        };
        let hit = ramp.cast(&ray).unwrap();
        assert_relative_eq!(8.0 - f64::from(hit.distance), height, epsilon = 2e-6);
        assert_relative_eq!(hit.normal.x, lean, epsilon = 1e-6);
        assert_relative_eq!(ramp.rise(), 5.0, epsilon = 1e-6);
    }

    #[test]
    fn faults_are_reported_together() {
        let error = Ramp::new(Axes::Z_UP, DVec3::ZERO, 90.0, 0.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 invalid parameter(s):\n\
             ramp.grade = 90 °: must be > -90 and < 90\n\
             ramp.length = 0 m: must be finite and > 0"
        );
        assert!(Ramp::new(Axes::Z_UP, DVec3::NAN, f32::NAN, f64::NAN).is_err());
    }
}
