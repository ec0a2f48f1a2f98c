//! A solid box.

use glam::{DMat3, DVec3, Quat, Vec3};
use parry_query::{ShapeHit, sweep_cuboid};
use vehicle_core::sweep_query::GroundSweep;
use vehicle_core::{BodyId, math};

use crate::body::{Body, BodyDesc, check_pose};
use crate::error::{GroundError, check};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};

/// A solid box of any orientation: a single shape for sweeps, including its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    center: DVec3,
    rotation: Quat,
    half_extents: Vec3,
}

impl Block {
    /// A box with this `center` (`m`, world) and `half_extents` (`m`, its own axes, > 0);
    /// `rotation` maps its axes to the world's.
    ///
    /// # Errors
    /// If the center is not finite, the rotation is not of unit length within 1 %, or an extent is
    /// not finite or not > 0.
    pub fn new(center: DVec3, rotation: Quat, half_extents: Vec3) -> Result<Self, GroundError> {
        check("block", |i| {
            check_pose(i, center, rotation);
            let holds = half_extents.is_finite() && half_extents.min_element() > 0.0;
            let rule = "must be finite and > 0 in every component";
            i.rule(holds, "half_extents", half_extents, "m", rule);
        })?;
        Ok(Self {
            center,
            rotation: rotation.normalize(),
            half_extents,
        })
    }

    /// The hull of a body, where it is.
    pub(crate) fn of_hull(body: &BodyDesc) -> Option<Self> {
        let hull = body.hull?;
        let middle = math::matrix(body.rotation) * hull.center;
        Some(Self {
            center: body.position + middle.as_dvec3(),
            rotation: body.rotation,
            half_extents: hull.half_extents,
        })
    }
}

/// Calls `found` with the hits of a wheel on the hulls of these bodies.
pub(crate) fn sweep_hulls<'a>(
    query: &GroundSweep,
    bodies: impl Iterator<Item = (&'a Body, BodyId)>,
    found: &mut dyn FnMut(ShapeHit, BodyId),
) {
    let Some(sweep) = Sweep::new(query) else {
        return;
    };
    let way = query.shape.radius + query.shape.half_width + query.length;
    for (body, id) in bodies {
        let Some(block) = Block::of_hull(&body.now) else {
            continue;
        };
        let half = block.half_extents;
        let reach = f64::from(math::sqrt(half.dot(half)) + way);
        if block.center.distance_squared(sweep.start) <= reach * reach {
            block.sweep(&sweep, &mut |hit| found(hit, id));
        }
    }
}

impl Ground for Block {
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        let to_world = DMat3::from_quat(self.rotation.as_dquat());
        let start = to_world.transpose() * (ray.origin - self.center);
        let way = to_world.transpose() * ray.direction;
        let half = self.half_extents.as_dvec3();
        if start.abs().cmplt(half).all() {
            return Some(Hit::inside(ray));
        }
        let (mut enter, mut leave, mut face) = (f64::NEG_INFINITY, f64::INFINITY, DVec3::ZERO);
        for axis in 0..3 {
            if way[axis] == 0.0 {
                if start[axis].abs() > half[axis] {
                    return None;
                }
                continue;
            }
            let side = way[axis].signum();
            let near = (-side * half[axis] - start[axis]) / way[axis];
            leave = leave.min((side * half[axis] - start[axis]) / way[axis]);
            if near > enter {
                enter = near;
                face = DVec3::AXES[axis] * -side;
            }
        }
        let distance = (enter <= leave).then(|| ray.reach(enter)).flatten()?;
        Some(Hit {
            distance,
            normal: (to_world * face).as_vec3(),
            triangle: None,
            inside: false,
        })
    }

    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        // Single precision suffices relative to the wheel.
        let place = (self.center - sweep.start).as_vec3();
        let hit = sweep_cuboid(self.half_extents, place, self.rotation, &sweep.way);
        hit.into_iter().for_each(found);
    }

    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle)) {
        let to_world = DMat3::from_quat(self.rotation.as_dquat());
        let half = self.half_extents.as_dvec3();
        let sides = [0, 1, 2].map(|axis| to_world.col(axis) * half[axis]);
        let extent = sides[0].abs() + sides[1].abs() + sides[2].abs();
        if !region.meets(self.center - extent, self.center + extent) {
            return;
        }
        for axis in 0..3 {
            let [out, u, v] = [axis, axis + 1, axis + 2].map(|n| sides[n % 3]);
            for (out, u, v) in [(out, u, v), (-out, v, u)] {
                let [a, b, c, d] = [u + v, v - u, -u - v, u - v].map(|p| self.center + out + p);
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
    use rstest::rstest;
    use vehicle_core::QueryFilter;
    use vehicle_core::wheel_shape::{ShapeKind, WheelShape};

    const FAR: DVec3 = DVec3::new(1e5, -1e5, 0.0);

    /// A curb of 2 m by 4 m, 0.2 m high, rotated by 90°: its long side lies along x.
    fn curb() -> Block {
        let turn = Quat::from_xyzw(0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt());
        Block::new(FAR + DVec3::Z * 0.1, turn, Vec3::new(1.0, 2.0, 0.1)).unwrap()
    }

    #[rstest]
    #[case::on_top([1.9, 0.9, 3.0], [0.0, 0.0, -1.0], Some((2.8, Vec3::Z)))]
    #[case::beside([1.9, 1.1, 3.0], [0.0, 0.0, -1.0], None)]
    #[case::at_the_end([-3.0, 0.0, 0.1], [1.0, 0.0, 0.0], Some((1.0, Vec3::NEG_X)))]
    #[case::over_it([-3.0, 0.0, 0.3], [1.0, 0.0, 0.0], None)]
    #[case::away([0.0, 0.0, 3.0], [0.0, 0.0, 1.0], None)]
    #[case::inside([0.0, 0.0, 0.1], [0.0, 0.0, -1.0], Some((0.0, Vec3::Z)))]
    fn rays(
        #[case] origin: [f64; 3],
        #[case] direction: [f64; 3],
        #[case] found: Option<(f32, Vec3)>,
    ) {
        let ray = Ray {
            origin: FAR + DVec3::from_array(origin),
            direction: DVec3::from_array(direction),
            length: 9.0,
        };
        let hit = curb().cast(&ray);
        assert_eq!(hit.is_some(), found.is_some());
        if let (Some(hit), Some((distance, normal))) = (hit, found) {
            assert!((hit.distance - distance).abs() < 1e-6, "{hit:?}");
            assert!((hit.normal - normal).length() < 1e-6, "{hit:?}");
        }
    }

    #[test]
    fn a_wheel_meets_an_edge_once() {
        let (radius, ahead): (f32, f32) = (0.5, 0.3);
        let query = GroundSweep {
            anchor: FAR,
            offset: Vec3::new(-2.0 - ahead, 0.0, 2.0),
            axle: Vec3::Y,
            shape: WheelShape {
                kind: ShapeKind::Cylinder,
                radius,
                half_width: 0.1,
            },
            direction: Vec3::NEG_Z,
            length: 2.0,
            filter: QueryFilter::except(BodyId(0)),
        };
        let mut hits = vec![];
        curb().sweep(&Sweep::new(&query).unwrap(), &mut |hit| hits.push(hit));
        let [hit] = hits.as_slice() else {
            panic!("{hits:?}");
        };
        let drop = (radius * radius - ahead * ahead).sqrt();
        assert!((hit.distance - (1.8 - drop)).abs() < 1e-4, "{hit:?}");
        let normal = Vec3::new(-ahead, 0.0, drop) / radius;
        assert!((hit.normal - normal).length() < 1e-3, "{hit:?}");
    }

    #[test]
    fn faults_are_reported_together() {
        let error = Block::new(DVec3::NAN, Quat::IDENTITY, Vec3::X).unwrap_err();
        let text = error.to_string();
        for part in ["block.position", "block.half_extents"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
