//! The contract [`GroundTriangles`]: of which triangles does the ground near a wheel consist?

use glam::{DVec3, Vec3};

use crate::base::ids::{BodyId, ColliderId, MaterialId};
use crate::contracts::ground::QueryFilter;

/// A box in which a wheel looks for ground, in world axes.
///
/// Points are offsets from an `anchor`, like those of a [`GroundRay`](crate::GroundRay).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleQuery {
    /// Center of mass of the vehicle (`m`, world).
    pub anchor: DVec3,
    /// Least coordinates of the box, relative to the anchor (`m`, world axes).
    pub low: Vec3,
    /// Greatest coordinates of the box, relative to the anchor (`m`, world axes).
    pub high: Vec3,
    /// Filter of the colliders whose triangles are asked for.
    pub filter: QueryFilter,
}

impl TriangleQuery {
    /// Initial value: an empty box of no layers.
    pub const BLANK: Self = Self {
        anchor: DVec3::ZERO,
        low: Vec3::ZERO,
        high: Vec3::ZERO,
        filter: QueryFilter {
            layers: 0,
            ignore: [None; 2],
            dynamic_bodies: false,
        },
    };
}

/// A triangle of the ground's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundTriangle {
    /// Corners relative to the query's anchor (`m`, world axes), counter-clockwise as seen from outside a solid.
    pub corners: [Vec3; 3],
    /// Whether a solid is behind the triangle; otherwise it has two sides.
    pub solid: bool,
    /// Material of the triangle.
    pub material: MaterialId,
    /// The body of the triangle, if it can move; `None` for fixed ground.
    pub body: Option<BodyId>,
    /// The collider of the triangle.
    pub collider: ColliderId,
    /// Its number, as in the [`GroundHit`](crate::GroundHit) of a ray on it.
    pub triangle: Option<u32>,
}

/// Tells of which triangles the ground near wheels consists.
///
/// * Only what the query's own [`QueryFilter`] admits is told; sensors never are.
/// * Every triangle that overlaps the box is told, others may be. Those of an unbounded surface end somewhere
///   outside the box.
/// * A query that is not finite finds nothing.
pub trait GroundTriangles {
    /// Calls `on_triangle` with the index of the query and each triangle in its box. Queries come in order, the
    /// triangles of each in any order, which is the same for the same world.
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    );

    /// Unit normal (world axes) of the curved surface that a told triangle stands for, at a `point` of it (`m`, world), on the side of the
    /// triangle's own normal; `None` if the triangle is the surface itself.
    fn curved_normal(&self, triangle: &GroundTriangle, point: DVec3) -> Option<Vec3> {
        let _ = (triangle, point);
        None
    }
}
