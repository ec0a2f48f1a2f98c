//! Scripted ground: a lift, a turntable, the deck of a ship.

use glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use jointed_wheels::rows::Mover;
use vehicle_core::math;
use vehicle_core::rigid_bodies::GroundMotion;
use vehicle_core::sweep_query::{GroundSweep, SweepHit};
use vehicle_core::{GroundHit, GroundRay, GroundTriangle, TriangleQuery};

use crate::body::{check_pose, check_velocities};
use crate::error::{GroundError, check};
use crate::ground::Ray;
use crate::grounds::Grounds;

/// Grounds on a scripted body.
///
/// Nothing pushes it: it keeps its velocities until they are set again. Its pose follows them
/// exactly, the center along a straight line and the rotation along an arc.
#[derive(Clone, Debug)]
pub struct Platform {
    /// The grounds (`m`, in the platform's axes, from its center).
    pub grounds: Grounds,
    /// Center of rotation (`m`, world).
    pub position: DVec3,
    /// Rotation platform → world, of unit length within 1 %.
    pub rotation: Quat,
    /// Velocity of the center (`m/s`, world axes).
    pub linear_velocity: Vec3,
    /// Angular velocity (`rad/s`, world axes).
    pub angular_velocity: Vec3,
}

impl Platform {
    /// A platform at rest, with its axes along the world's.
    #[must_use]
    pub fn at_rest(grounds: impl Into<Grounds>, position: DVec3) -> Self {
        Self {
            grounds: grounds.into(),
            position,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
        }
    }

    /// Reports all faults.
    pub(crate) fn check(&self) -> Result<(), GroundError> {
        check("platform", |i| {
            check_pose(i, self.position, self.rotation);
            check_velocities(i, self.linear_velocity, self.angular_velocity);
        })
    }

    pub(crate) fn motion(&self) -> GroundMotion {
        GroundMotion {
            position: self.position,
            rotation: self.rotation,
            linear_velocity: self.linear_velocity,
            angular_velocity: self.angular_velocity,
            mass: None,
            inverse_inertia: Mat3::ZERO,
        }
    }

    /// The platform as rows of contacts know it: nothing pushes it.
    pub(crate) fn mover(&self) -> Mover {
        Mover {
            linear: self.linear_velocity,
            angular: self.angular_velocity,
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
        }
    }

    /// Advances by one step of `dt` (`s`).
    pub(crate) fn advance(&mut self, dt: f32) {
        self.position += self.linear_velocity.as_dvec3() * f64::from(dt);
        self.rotation = math::turn(self.rotation, self.angular_velocity, dt);
    }

    /// The answer to one query, with `body` left open.
    pub(crate) fn answer(&self, query: &GroundRay) -> Option<GroundHit> {
        let ray = Ray::new(query)?;
        let to_world = self.axes();
        let to_platform = to_world.transpose();
        let local = Ray {
            origin: to_platform * (ray.origin - self.position),
            direction: to_platform * ray.direction,
            ..ray
        };
        let hit = self.grounds.hit(&local, query.filter.layers)?;
        Some(GroundHit {
            normal: (to_world * hit.normal.as_dvec3()).as_vec3(),
            ..hit
        })
    }

    /// All hits of one sweep, with `body` left open.
    pub(crate) fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let to_world = self.axes();
        let to_platform = to_world.transpose();
        let turned = |axes: DMat3, v: Vec3| (axes * v.as_dvec3()).as_vec3();
        let local = GroundSweep {
            anchor: to_platform * (query.anchor - self.position),
            offset: turned(to_platform, query.offset),
            axle: turned(to_platform, query.axle),
            direction: turned(to_platform, query.direction),
            ..*query
        };
        self.grounds.sweep(&local, &mut |hit| {
            found(SweepHit {
                ground: GroundHit {
                    normal: turned(to_world, hit.ground.normal),
                    ..hit.ground
                },
                point: turned(to_world, hit.point),
            });
        });
    }

    /// The triangles of one query, with `body` left open.
    pub(crate) fn tell_triangles(
        &self,
        query: &TriangleQuery,
        found: &mut dyn FnMut(&GroundTriangle),
    ) {
        let to_world = self.axes();
        let to_platform = to_world.transpose();
        // The box around the query's box in the platform's axes.
        let middle = to_platform * query.low.midpoint(query.high).as_dvec3();
        let half = (0.5 * (query.high - query.low)).as_dvec3();
        let extent = DVec3::new(
            to_platform.row(0).abs().dot(half),
            to_platform.row(1).abs().dot(half),
            to_platform.row(2).abs().dot(half),
        );
        let local = TriangleQuery {
            anchor: to_platform * (query.anchor - self.position),
            low: (middle - extent).as_vec3(),
            high: (middle + extent).as_vec3(),
            ..*query
        };
        self.grounds.tell_triangles(&local, &mut |triangle| {
            let turned = |corner: Vec3| (to_world * corner.as_dvec3()).as_vec3();
            found(&GroundTriangle {
                corners: triangle.corners.map(turned),
                ..*triangle
            });
        });
    }

    /// Platform → world, in double precision, so that the rim of a large platform is as exact as
    /// its center.
    fn axes(&self) -> DMat3 {
        DMat3::from_quat(self.rotation.as_dquat().normalize())
    }
}
