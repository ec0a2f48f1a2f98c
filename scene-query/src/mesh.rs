//! A triangle mesh.

use glam::DVec3;
use parry_query::ShapeHit;

use crate::error::{GroundError, check};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};
use crate::tree::{Bounds, BoxTree};
use crate::triangles::{Triangles, bounds, check_triangles};

/// A surface of triangles, hit from both sides, without an inside.
///
/// A tree of boxes finds the triangles near a ray; the triangles themselves are stored and
/// intersected in double precision, by a test that leaves no gap along shared edges.
#[derive(Clone)]
pub struct TriangleMesh {
    /// Vertices are relative to it, so that single precision suffices for the tree (`m`, world).
    center: DVec3,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    tree: BoxTree,
}

impl core::fmt::Debug for TriangleMesh {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TriangleMesh")
            .field("center", &self.center)
            .field("vertices", &self.vertices.len())
            .field("triangles", &self.triangles.len())
            .finish_non_exhaustive()
    }
}

impl TriangleMesh {
    /// A mesh from `vertices` (`m`, world) and `triangles` of vertex indices from 0. Triangles
    /// without area are kept, so that indices do not change, and never hit.
    ///
    /// # Errors
    /// If a vertex is not finite, a triangle has an invalid vertex index, or there is no triangle.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, GroundError> {
        check("mesh", |i| check_triangles(i, vertices, triangles))?;
        let (low, high) = bounds(vertices);
        let center = (low + high) * 0.5;
        let vertices: Vec<DVec3> = vertices.iter().map(|&v| v - center).collect();
        let boxes: Vec<Bounds> = triangles.iter().map(|t| around(&vertices, *t)).collect();
        Ok(Self {
            center,
            tree: BoxTree::of(&boxes),
            vertices,
            triangles: triangles.to_vec(),
        })
    }

    /// A mesh of these triangles, as [`new`](Self::new).
    ///
    /// # Errors
    /// As `new`.
    pub fn of(triangles: &Triangles) -> Result<Self, GroundError> {
        Self::new(&triangles.vertices, &triangles.corners)
    }

    /// Triangles of the mesh, numbered as in hits. Vertices equal the original ones within rounding.
    #[must_use]
    pub fn triangles(&self) -> Triangles {
        Triangles {
            vertices: self.vertices.iter().map(|&v| v + self.center).collect(),
            corners: self.triangles.clone(),
        }
    }

    /// Number of triangles of the mesh.
    #[must_use]
    pub const fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Calls `found` with each triangle whose box overlaps a region, and its corners (`m`, world).
    fn near(&self, region: &GroundRegion, mut found: impl FnMut(u32, [DVec3; 3])) {
        let around = Bounds {
            low: (region.low - self.center).as_vec3(),
            high: (region.high - self.center).as_vec3(),
        };
        self.tree.near(&around, |triangle| {
            let corners = self.corners(triangle);
            found(triangle, corners.map(|corner| corner + self.center));
        });
    }

    /// The corners of a triangle, relative to the center.
    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| self.vertices[vertex as usize])
    }
}

/// A box around a triangle, enlarged by single-precision rounding.
fn around(vertices: &[DVec3], triangle: [u32; 3]) -> Bounds {
    let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let slack = DVec3::splat(1e-6) + low.abs().max(high.abs()) * 1e-6;
    Bounds {
        low: (low - slack).as_vec3(),
        high: (high + slack).as_vec3(),
    }
}

/// A ray prepared for boxes and triangles: the axes are reordered so that the third is the ray's
/// dominant one, and sheared so that the ray runs along it (Woop, Benthin, Wald, "Watertight
/// Ray/Triangle Intersection", JCGT 2(1), 2013).
struct ShearedRay {
    origin: DVec3,
    direction: DVec3,
    axes: [usize; 3],
    shear: DVec3,
}

impl ShearedRay {
    fn new(origin: DVec3, direction: DVec3) -> Self {
        let size = direction.abs();
        let main = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let axes = [(main + 1) % 3, (main + 2) % 3, main];
        let along = direction[main];
        Self {
            origin,
            direction,
            axes,
            shear: DVec3::new(direction[axes[0]], direction[axes[1]], 1.0) / along,
        }
    }

    fn sheared(&self, corner: DVec3) -> DVec3 {
        let p = corner - self.origin;
        let along = p[self.axes[2]];
        DVec3::new(
            p[self.axes[0]] - self.shear.x * along,
            p[self.axes[1]] - self.shear.y * along,
            self.shear.z * along,
        )
    }

    /// The ray parameter of its line's intersection with a triangle. Edges belong to both
    /// neighbors: the sign of an edge is computed from its two ends alone and is exactly opposite
    /// in the neighbor.
    fn cuts(&self, corners: [DVec3; 3]) -> Option<f64> {
        let [a, b, c] = corners.map(|corner| self.sheared(corner));
        let u = c.x * b.y - c.y * b.x;
        let v = a.x * c.y - a.y * c.x;
        let w = b.x * a.y - b.y * a.x;
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let sum = u + v + w;
        let t = (u * a.z + v * b.z + w * c.z) / sum;
        (sum != 0.0).then_some(t)
    }

    /// Whether the ray enters a box at or before `limit`.
    fn enters(&self, bounds: &Bounds, limit: f64) -> bool {
        let (low, high) = (bounds.low.as_dvec3(), bounds.high.as_dvec3());
        let (mut from, mut to) = (0.0_f64, limit);
        for k in 0..3 {
            let (start, way) = (self.origin[k], self.direction[k]);
            if way == 0.0 {
                if start < low[k] || start > high[k] {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low[k] - start) / way, (high[k] - start) / way);
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
        from <= to
    }
}

impl Ground for TriangleMesh {
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        let probe = ShearedRay::new(ray.origin - self.center, ray.direction);
        let mut nearest: Option<(f64, u32)> = None;
        let mut limit = f64::from(ray.length) * (1.0 + 1e-6) + 1e-9;
        self.tree.visit(|bounds, triangle| {
            if !probe.enters(bounds, limit) {
                return false;
            }
            if let Some(triangle) = triangle
                && let Some(t) = probe.cuts(self.corners(triangle))
                && ray.reach(t).is_some()
                // The lower index of two equally near, independent of the tree's order.
                && nearest.is_none_or(|best| (t, triangle) < best)
            {
                nearest = Some((t, triangle));
                limit = limit.min(t.max(0.0));
            }
            true
        });
        let (t, triangle) = nearest?;
        let [a, b, c] = self.corners(triangle);
        let across = (b - a).cross(c - a);
        let outward = if across.dot(ray.direction) > 0.0 {
            -across
        } else {
            across
        };
        Some(Hit {
            distance: ray.reach(t)?,
            normal: outward.try_normalize()?.as_vec3(),
            triangle: Some(triangle),
            inside: false,
        })
    }

    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        let (low, high) = sweep.bounds();
        self.near(&GroundRegion { low, high }, |triangle, corners| {
            if let Some(hit) = sweep.triangle(corners) {
                found(ShapeHit {
                    triangle: Some(triangle),
                    ..hit
                });
            }
        });
    }

    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle)) {
        self.near(region, |triangle, corners| {
            found(&SurfaceTriangle {
                corners,
                solid: false,
                number: Some(triangle),
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    const FAR: DVec3 = DVec3::new(1e5, 0.0, -1e5);

    /// A closed fan of eight triangles around a top, far from the origin.
    fn tent() -> TriangleMesh {
        let ring = [
            (2.0, 0.0),
            (1.3, 1.1),
            (0.0, 2.0),
            (-1.7, 1.2),
            (-2.0, 0.1),
            (-1.1, -1.6),
            (0.3, -2.0),
            (1.9, -1.3),
        ];
        let mut vertices = vec![FAR + DVec3::Y * 1.1];
        vertices.extend(ring.map(|(x, z)| FAR + DVec3::new(x, 0.0, z)));
        let triangles: Vec<[u32; 3]> = (0..8).map(|i| [0, 1 + (i + 1) % 8, 1 + i]).collect();
        TriangleMesh::new(&vertices, &triangles).unwrap()
    }

    #[test]
    fn both_sides_are_hit_and_nothing_is_inside() {
        let mesh = tent();
        let cast = |y: f64, direction| {
            let ray = Ray {
                origin: FAR + DVec3::new(0.3, y, 0.4),
                direction,
                length: 5.0,
            };
            mesh.cast(&ray).map(|hit| hit.normal.y > 0.0)
        };
        assert_eq!(cast(3.0, DVec3::NEG_Y), Some(true));
        assert_eq!(cast(0.1, DVec3::Y), Some(false));
        assert_eq!(cast(0.1, DVec3::NEG_Y), None);
    }

    #[test]
    fn it_returns_its_triangles() {
        let triangles = Triangles {
            vertices: vec![FAR, FAR + DVec3::X, FAR + DVec3::Z],
            corners: vec![[2, 1, 0]],
        };
        let mesh = TriangleMesh::of(&triangles).unwrap();
        assert_eq!(mesh.triangles(), triangles);
        assert_eq!(triangles.bounds(), (FAR, FAR + DVec3::X + DVec3::Z));
    }

    #[test]
    fn a_triangle_without_area_never_hits() {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        let mesh = TriangleMesh::new(&vertices, &[[0, 1, 2]]).unwrap();
        let ray = Ray {
            origin: DVec3::new(0.5, 0.0, 1.0),
            direction: DVec3::NEG_Z,
            length: 2.0,
        };
        assert_eq!(mesh.cast(&ray), None);
    }

    #[test]
    fn the_lowest_index_of_equally_near_triangles_is_hit() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let mesh = TriangleMesh::new(&corners, &[[0, 1, 2], [2, 1, 0], [0, 1, 2]]).unwrap();
        let ray = Ray {
            origin: DVec3::new(0.25, 0.25, 1.0),
            direction: DVec3::NEG_Z,
            length: 1.0,
        };
        let hit = mesh.cast(&ray).unwrap();
        assert_eq!(
            (hit.triangle, hit.distance, hit.normal),
            (Some(0), 1.0, Vec3::Z)
        );
    }

    #[test]
    fn faults_are_reported_together() {
        let vertices = [DVec3::ZERO, DVec3::NAN, DVec3::X];
        let error = TriangleMesh::new(&vertices, &[[0, 1, 2], [0, 3, 1]]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 invalid parameter(s):\n\
             mesh.vertices[1] = [NaN, NaN, NaN] m: must be finite\n\
             mesh.triangles[1] = [0, 3, 1]: must be below 3"
        );
        let error = TriangleMesh::new(&vertices[..1], &[]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("mesh.triangles = 0: must be at least 1")
        );
    }

    proptest! {
        // At the top all eight triangles meet, on the spokes two.
        #[test]
        fn no_ray_slips_between_triangles(
            spoke in 1..9_usize,
            share in prop_oneof![Just(0.0), 0.0..0.99_f64],
            from in prop::array::uniform2(-3.0..3.0_f64),
        ) {
            let mesh = tent();
            let aim = mesh.vertices[0].lerp(mesh.vertices[spoke], share) + mesh.center;
            let start = aim + DVec3::new(from[0], 9.0, from[1]);
            let ray = Ray {
                origin: start,
                direction: (aim - start).normalize(),
                length: 30.0,
            };
            let hit = mesh.cast(&ray).unwrap();
            prop_assert!((f64::from(hit.distance) - (aim - start).length()).abs() < 1e-5);
        }
    }
}
