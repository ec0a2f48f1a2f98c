//! A curb or a staircase.

use glam::{DVec2, DVec3};
use parry_query::ShapeHit;

use crate::axes::Axes;
use crate::error::{GroundError, check, finite, finite_point, positive};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};
use crate::profile::HeightProfile;
use crate::triangles::Triangles;

/// Level treads between vertical risers, infinite sideways, solid below.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    profile: HeightProfile,
}

impl Steps {
    /// Maximum number of steps of a staircase: a ray checks each of them.
    pub const MAX_COUNT: u32 = 10_000;

    /// `count` steps of height `rise` (`m`, negative descends). The first riser has its foot at
    /// `origin` (`m`, world), the others follow every `run` (`m`, > 0) along the axes' forward;
    /// before the first and after the last the ground is level.
    ///
    /// # Errors
    /// If a number is not finite, the rise is 0, the run is not > 0, or the count is not within
    /// 1..=[`MAX_COUNT`](Self::MAX_COUNT).
    pub fn new(
        axes: Axes,
        origin: DVec3,
        rise: f64,
        run: f64,
        count: u32,
    ) -> Result<Self, GroundError> {
        check("steps", |i| {
            finite_point(i, "origin", origin, "m");
            finite(i, "rise", rise, "m");
            i.rule(rise != 0.0, "rise", rise, "m", "must not be 0");
            positive(i, "run", run, "m");
            let holds = (1..=Self::MAX_COUNT).contains(&count);
            let rule = format!("must be within 1..={}", Self::MAX_COUNT);
            i.rule(holds, "count", count, "", rule);
        })?;
        let points = (0..count).flat_map(|i| {
            let (x, z) = (f64::from(i) * run, f64::from(i) * rise);
            [DVec2::new(x, z), DVec2::new(x, f64::from(i + 1) * rise)]
        });
        Ok(Self {
            profile: HeightProfile::new(axes, origin, points.collect()),
        })
    }

    /// One step: a curb of `height` (`m`, negative descends) with its face at `origin` (`m`,
    /// world).
    ///
    /// # Errors
    /// If a number is not finite or the height is 0.
    pub fn curb(axes: Axes, origin: DVec3, height: f64) -> Result<Self, GroundError> {
        Self::new(axes, origin, height, 1.0, 1)
    }

    /// The surface up to `reach` (`m`, > 0) before the first riser, after the last and to either
    /// side of the origin.
    #[must_use]
    pub fn triangles(&self, reach: f64) -> Triangles {
        self.profile.triangles(reach)
    }
}

impl Ground for Steps {
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
    use glam::Vec3;
    use rstest::rstest;
    use vehicle_core::frame::Axis;

    fn down(x: f64) -> (DVec3, DVec3) {
        (DVec3::new(x, 0.0, 3.0), DVec3::NEG_Z)
    }

    #[rstest]
    #[case::before(down(-0.01), 3.0, Vec3::Z)]
    #[case::at_riser_the_upper_tread(down(0.0), 2.8, Vec3::Z)]
    #[case::first_tread(down(0.29), 2.8, Vec3::Z)]
    #[case::second_tread(down(0.31), 2.6, Vec3::Z)]
    #[case::top(down(50.0), 2.4, Vec3::Z)]
    #[case::riser_head_on((DVec3::new(-1.0, 5.0, 0.1), DVec3::X), 1.0, Vec3::NEG_X)]
    #[case::second_riser((DVec3::new(-1.0, 5.0, 0.3), DVec3::X), 1.3, Vec3::NEG_X)]
    #[case::slanted_on_the_riser(
        (DVec3::new(-0.8, 0.0, 0.7), DVec3::new(0.8, 0.0, -0.6)), 1.0, Vec3::NEG_X
    )]
    #[case::slanted_on_the_tread(
        (DVec3::new(-0.7, 0.0, 0.8), DVec3::new(0.8, 0.0, -0.6)), 1.0, Vec3::Z
    )]
    fn hits(#[case] (origin, direction): (DVec3, DVec3), #[case] at: f32, #[case] normal: Vec3) {
        for far in [DVec3::ZERO, DVec3::new(1e5, -1e5, 1e4)] {
            let steps = Steps::new(Axes::Z_UP, far, 0.2, 0.3, 3).unwrap();
            let ray = Ray {
                origin: far + origin,
                direction,
                length: 9.0,
            };
            let hit = steps.cast(&ray).unwrap();
            assert!((hit.distance - at).abs() < 1e-6, "{hit:?}");
            assert_eq!(hit.normal, normal, "{hit:?}");
        }
    }

    #[test]
    fn a_ray_along_the_top_misses_and_a_start_inside_is_inside() {
        let axes = Axes::new(Axis::Z, Axis::NegY).unwrap();
        let curb = Steps::curb(axes, DVec3::ZERO, 0.1).unwrap();
        let along = |height: f64| Ray {
            origin: DVec3::new(0.0, -height, -1.0),
            direction: DVec3::Z,
            length: 2.0,
        };
        assert_eq!(curb.cast(&along(0.11)), None);
        assert_eq!(curb.cast(&along(0.05)).unwrap().normal, Vec3::NEG_Z);
        assert!(curb.cast(&along(-0.05)).unwrap().inside);
    }

    #[test]
    fn a_curb_down_has_a_face_toward_forward() {
        let curb = Steps::curb(Axes::Z_UP, DVec3::ZERO, -0.1).unwrap();
        let back = Ray {
            origin: DVec3::new(1.0, 0.0, -0.05),
            direction: DVec3::NEG_X,
            length: 2.0,
        };
        let hit = curb.cast(&back).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.0, Vec3::X));
    }

    #[test]
    fn faults_are_reported_together() {
        let error = Steps::new(Axes::Z_UP, DVec3::ZERO, 0.0, -1.0, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3 invalid parameter(s):\n\
             steps.rise = 0 m: must not be 0\n\
             steps.run = -1 m: must be finite and > 0\n\
             steps.count = 0: must be within 1..=10000"
        );
    }
}
