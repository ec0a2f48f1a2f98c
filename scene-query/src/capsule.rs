//! A solid capsule.

use glam::DVec3;
use parry_query::{ShapeHit, sweep_capsule};
use vehicle_core::math;

use crate::error::{GroundError, check, finite_point, positive};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};

/// A solid capsule of any orientation: a round bar or bump, a ball if its ends coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    ends: [DVec3; 2],
    radius: f64,
}

impl Capsule {
    /// All within `radius` (`m`, > 0) of the line between two `ends` (`m`, world).
    ///
    /// # Errors
    /// If a number is not finite, or the radius is not > 0.
    pub fn new(ends: [DVec3; 2], radius: f64) -> Result<Self, GroundError> {
        check("capsule", |i| {
            ends.iter()
                .for_each(|&end| finite_point(i, "end", end, "m"));
            positive(i, "radius", radius, "m");
        })?;
        Ok(Self { ends, radius })
    }

    /// The point of its line nearest to `point` (`m`, world).
    fn nearest(&self, point: DVec3) -> DVec3 {
        let [start, end] = self.ends;
        let line = end - start;
        let square = line.length_squared();
        if square == 0.0 {
            return start;
        }
        start + line * ((point - start).dot(line) / square).clamp(0.0, 1.0)
    }

    /// Distance along a ray at which it enters the round side between the ends (`m`).
    fn enter_side(&self, ray: &Ray) -> Option<f64> {
        let axis = (self.ends[1] - self.ends[0]).try_normalize()?;
        let across = |v: DVec3| v - axis * v.dot(axis);
        let from = ray.origin - self.ends[0];
        let distance = enter(across(from), across(ray.direction), self.radius)?;
        let along = (from + ray.direction * distance).dot(axis);
        (0.0..=(self.ends[1] - self.ends[0]).dot(axis))
            .contains(&along)
            .then_some(distance)
    }
}

/// Triangles of a capsule: its sides around the axis, and the rings of each round end. Their edges
/// lie on its surface, their middles up to 2 % of the radius below it, 4 % at the ends.
const SIDES: usize = 16;
const RINGS: usize = 4;

impl Capsule {
    /// The corner of its triangles on a ring, counted from the first end, and on a side.
    fn vertex(&self, axes: &[DVec3; 3], ring: usize, side: usize) -> DVec3 {
        let [axis, along, across] = *axes;
        let first = ring <= RINGS;
        let quarter = core::f32::consts::FRAC_PI_2 / RINGS as f32;
        let steps = if first { ring } else { ring - 1 };
        let (sin, cos) = math::sin_cos(quarter * (steps as f32 - RINGS as f32));
        let (aside, ahead) = math::sin_cos(core::f32::consts::TAU / SIDES as f32 * side as f32);
        let round = along * f64::from(ahead) + across * f64::from(aside);
        let outward = axis * f64::from(sin) + round * f64::from(cos);
        self.ends[usize::from(!first)] + outward * self.radius
    }
}

/// Number of times that a line from the point `from` goes `way` until it enters the ball or the cylinder of this radius
/// about the origin; in the latter case, both are vectors across the axis.
fn enter(from: DVec3, way: DVec3, radius: f64) -> Option<f64> {
    let square = way.length_squared();
    if square == 0.0 {
        return None;
    }
    let nearest = -from.dot(way) / square;
    let aside = (from + way * nearest).length_squared();
    let half = (radius * radius - aside) / square;
    (half >= 0.0).then(|| nearest - half.sqrt())
}

impl Ground for Capsule {
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        if self.nearest(ray.origin).distance(ray.origin) < self.radius {
            return Some(Hit::inside(ray));
        }
        let ends = self
            .ends
            .map(|end| enter(ray.origin - end, ray.direction, self.radius));
        let entries = ends.into_iter().chain([self.enter_side(ray)]).flatten();
        let first = entries.min_by(f64::total_cmp)?;
        let distance = ray.reach(first)?;
        let point = ray.at(first);
        Some(Hit {
            distance,
            normal: ((point - self.nearest(point)) / self.radius).as_vec3(),
            triangle: None,
            inside: false,
        })
    }

    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        let ends = self.ends.map(|end| end - sweep.start);
        let hit = sweep_capsule(ends, self.radius, &sweep.way);
        hit.into_iter().for_each(found);
    }

    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle)) {
        let [start, end] = self.ends;
        if !region.meets(start.min(end) - self.radius, start.max(end) + self.radius) {
            return;
        }
        let axis = (end - start).try_normalize().unwrap_or(DVec3::Z);
        let (along, across) = axis.any_orthonormal_pair();
        let axes = [axis, along, across];
        for ring in 0..=2 * RINGS {
            for side in 0..SIDES {
                let next = (side + 1) % SIDES;
                let corners = [
                    (ring, side),
                    (ring, next),
                    (ring + 1, next),
                    (ring + 1, side),
                ];
                let [a, b, c, d] = corners.map(|(ring, side)| self.vertex(&axes, ring, side));
                for corners in [[a, b, c], [a, c, d]] {
                    found(&SurfaceTriangle {
                        corners,
                        solid: true,
                        number: None,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use rstest::rstest;
    use vehicle_core::sweep_query::GroundSweep;
    use vehicle_core::wheel_shape::{ShapeKind, WheelShape};
    use vehicle_core::{BodyId, QueryFilter};

    const FAR: DVec3 = DVec3::new(1e5, -1e5, 0.0);

    /// Across the road, 6 m between the centers of its ends, on the ground.
    fn bump() -> Capsule {
        let ends = [-3.0, 3.0].map(|y| FAR + DVec3::new(0.0, y, 0.5));
        Capsule::new(ends, 0.5).unwrap()
    }

    #[rstest]
    #[case::on_top([0.0, 2.9, 3.0], [0.0, 0.0, -1.0], Some((2.0, [0.0, 0.0, 1.0])))]
    #[case::on_its_side([0.3, -2.0, 3.0], [0.0, 0.0, -1.0], Some((2.1, [0.6, 0.0, 0.8])))]
    #[case::on_its_end([0.0, 3.4, 3.0], [0.0, 0.0, -1.0], Some((2.2, [0.0, 0.8, 0.6])))]
    #[case::on_its_other_end([0.0, -3.4, 3.0], [0.0, 0.0, -1.0], Some((2.2, [0.0, -0.8, 0.6])))]
    #[case::head_on([-3.0, 0.0, 0.5], [1.0, 0.0, 0.0], Some((2.5, [-1.0, 0.0, 0.0])))]
    #[case::along_it([0.0, -5.0, 0.5], [0.0, 1.0, 0.0], Some((1.5, [0.0, -1.0, 0.0])))]
    #[case::slanted([-2.4, 0.0, 3.7], [0.6, 0.0, -0.8], Some((3.5, [-0.6, 0.0, 0.8])))]
    #[case::beside([0.51, 0.0, 3.0], [0.0, 0.0, -1.0], None)]
    #[case::beyond_its_end([0.4, 3.4, 3.0], [0.0, 0.0, -1.0], None)]
    #[case::away([0.0, 0.0, 3.0], [0.0, 0.0, 1.0], None)]
    #[case::short([0.0, 0.0, 9.0], [0.0, 0.0, -1.0], None)]
    #[case::inside([0.2, 3.2, 0.5], [0.0, 0.0, -1.0], Some((0.0, [0.0, 0.0, 1.0])))]
    fn rays(
        #[case] origin: [f64; 3],
        #[case] direction: [f64; 3],
        #[case] found: Option<(f32, [f32; 3])>,
    ) {
        let ray = Ray {
            origin: FAR + DVec3::from_array(origin),
            direction: DVec3::from_array(direction),
            length: 7.0,
        };
        let hit = bump().cast(&ray);
        assert_eq!(hit.is_some(), found.is_some());
        if let (Some(hit), Some((distance, normal))) = (hit, found) {
            assert!((hit.distance - distance).abs() < 1e-6, "{hit:?}");
            assert!(
                (hit.normal - Vec3::from_array(normal)).length() < 1e-6,
                "{hit:?}"
            );
            assert_eq!(hit.inside, distance == 0.0);
        }
    }

    #[test]
    fn a_capsule_without_length_is_a_ball() {
        let ball = Capsule::new([FAR; 2], 0.5).unwrap();
        let ray = Ray {
            origin: FAR + DVec3::new(0.3, 0.0, 2.0),
            direction: DVec3::NEG_Z,
            length: 7.0,
        };
        let hit = ball.cast(&ray).unwrap();
        assert!((hit.distance - 1.6).abs() < 1e-6);
        assert!((hit.normal - Vec3::new(0.6, 0.0, 0.8)).length() < 1e-6);
    }

    /// A wheel stands on the line beside it where their circles touch.
    #[test]
    fn a_wheel_meets_the_round_side() {
        let ahead = 0.6_f32;
        let query = GroundSweep {
            anchor: FAR,
            offset: Vec3::new(-ahead, 0.0, 2.0),
            axle: Vec3::Y,
            shape: WheelShape {
                kind: ShapeKind::Cylinder,
                radius: 0.5,
                half_width: 0.1,
            },
            direction: Vec3::NEG_Z,
            length: 2.0,
            filter: QueryFilter::except(BodyId(0)),
        };
        let mut hits = vec![];
        bump().sweep(&Sweep::new(&query).unwrap(), &mut |hit| hits.push(hit));
        let [hit] = hits.as_slice() else {
            panic!("{hits:?}");
        };
        assert!((hit.distance - (1.5 - 0.8)).abs() < 1e-5, "{hit:?}");
        assert!(
            (hit.normal - Vec3::new(-0.6, 0.0, 0.8)).length() < 1e-4,
            "{hit:?}"
        );
    }

    #[test]
    fn faults_are_reported_together() {
        let error = Capsule::new([DVec3::NAN, DVec3::ZERO], 0.0).unwrap_err();
        let text = error.to_string();
        for part in ["capsule.end", "capsule.radius"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
