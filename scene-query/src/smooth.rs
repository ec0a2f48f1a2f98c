//! Normals that are continuous across triangles, for any world that reports triangles.
//!
//! The normals of a mesh's vertices are interpolated over each triangle by the barycentric
//! coordinates of the hit (seed 003, "Interpolate Normals"). Distances stay those of the triangles.

use glam::{DMat3, DVec3, Quat, Vec3};
use vehicle_core::rigid_bodies::{BodyError, BodyState, GroundMotion, RigidBodies};
use vehicle_core::step_result::{Reaction, StepResult};
use vehicle_core::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use vehicle_core::{
    BodyId, ColliderId, GroundHit, GroundRay, GroundTriangle, GroundTriangles, TriangleQuery,
    scene_query::SceneQuery,
};

use crate::body::check_pose;
use crate::error::{GroundError, check};
use crate::triangles::{Triangles, check_triangles};

/// A mesh with a normal per vertex.
///
/// Vertices shared by triangles have one normal, so the edges between them look round. For a sharp
/// edge, duplicate its vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothSurface {
    triangles: Triangles,
    /// Unit vectors, one per vertex; zero where no triangle with area uses it.
    normals: Vec<DVec3>,
    /// Mesh → world.
    position: DVec3,
    rotation: DMat3,
}

impl SmoothSurface {
    /// A surface whose normals are the means of the triangles around each vertex, weighted by area.
    /// Vertices are in the collider's own axes; triangles are numbered as in the world's hits.
    ///
    /// # Errors
    /// If a vertex is not finite, a triangle has an invalid vertex index, there is no triangle, or
    /// the triangles around a vertex cancel each other out.
    pub fn new(triangles: Triangles) -> Result<Self, GroundError> {
        check_surface(&triangles)?;
        let mut sums = vec![(DVec3::ZERO, 0.0); triangles.vertices.len()];
        for corners in &triangles.corners {
            let across = across(corners.map(|corner| triangles.vertices[corner as usize]));
            for &corner in corners {
                let (sum, area) = &mut sums[corner as usize];
                *sum += across;
                *area += across.length();
            }
        }
        check("surface", |i| {
            for (index, &(sum, area)) in sums.iter().enumerate() {
                if sum.length() < 1e-9 * area {
                    let name = format!("vertices[{index}]");
                    let rule = "the triangles around it must not cancel out";
                    i.rule(false, &name, triangles.vertices[index], "m", rule);
                }
            }
        })?;
        let normals = sums.iter().map(|(sum, _)| sum.normalize_or_zero());
        Ok(Self {
            normals: normals.collect(),
            triangles,
            position: DVec3::ZERO,
            rotation: DMat3::IDENTITY,
        })
    }

    /// A surface with given `normals` of any length, one per vertex, on either side.
    ///
    /// # Errors
    /// If a vertex or a normal is not finite, a normal is zero, there is not one per vertex, a
    /// triangle has an invalid vertex index, or there is no triangle.
    pub fn with_normals(triangles: Triangles, normals: &[Vec3]) -> Result<Self, GroundError> {
        check_surface(&triangles)?;
        check("surface", |i| {
            let vertices = triangles.vertices.len();
            let rule = format!("must be {vertices}, one per vertex");
            i.rule(
                normals.len() == vertices,
                "normals",
                normals.len(),
                "",
                rule,
            );
            for (index, &normal) in normals.iter().enumerate() {
                if !(normal.is_finite() && normal != Vec3::ZERO) {
                    let name = format!("normals[{index}]");
                    i.rule(false, &name, normal, "", "must be finite and not zero");
                }
            }
        })?;
        let normals = normals.iter().map(|normal| normal.as_dvec3().normalize());
        Ok(Self {
            normals: normals.collect(),
            triangles,
            position: DVec3::ZERO,
            rotation: DMat3::IDENTITY,
        })
    }

    /// This surface with its axes at `position` (`m`, world) and `rotation` (mesh → world); by default both are the world's.
    ///
    /// # Errors
    /// If the position is not finite or the rotation is not of unit length within 1 %.
    pub fn at(mut self, position: DVec3, rotation: Quat) -> Result<Self, GroundError> {
        self.place(position, rotation)?;
        Ok(self)
    }

    /// Moves the surface; see [`at`](Self::at).
    ///
    /// # Errors
    /// As `at`.
    pub fn place(&mut self, position: DVec3, rotation: Quat) -> Result<(), GroundError> {
        check("surface", |i| check_pose(i, position, rotation))?;
        self.position = position;
        self.rotation = DMat3::from_quat(rotation.as_dquat().normalize());
        Ok(())
    }

    /// The interpolated unit normal of a hit on a triangle at `point` (`m`, world), on the side of
    /// the `hit` normal; `None` if there is no such triangle or it has no area.
    fn normal(&self, triangle: u32, point: DVec3, hit: Vec3) -> Option<Vec3> {
        let corners = self.triangles.corners.get(triangle as usize)?;
        let [a, b, c] = corners.map(|corner| self.triangles.vertices[corner as usize]);
        let across = across([a, b, c]);
        let point = self.rotation.transpose() * (point - self.position);
        let area = |from: DVec3, to: DVec3| (from - point).cross(to - point).dot(across).max(0.0);
        let weights = [area(b, c), area(c, a), area(a, b)];
        let mut sum = DVec3::ZERO;
        for (&corner, weight) in corners.iter().zip(weights) {
            sum += self.normals[corner as usize] * weight;
        }
        let normal = (self.rotation * sum).try_normalize()?;
        let side = normal.dot(hit.as_dvec3());
        Some(if side < 0.0 { -normal } else { normal }.as_vec3())
    }
}

fn check_surface(triangles: &Triangles) -> Result<(), GroundError> {
    let Triangles { vertices, corners } = triangles;
    check("surface", |i| check_triangles(i, vertices, corners))
}

/// Twice the area of a triangle, along its normal.
fn across([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Smooth normals of colliders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmoothSurfaces {
    /// Sorted by id.
    entries: Vec<(ColliderId, SmoothSurface)>,
}

impl SmoothSurfaces {
    /// Sets a collider's smooth normals, replacing earlier ones.
    pub fn set(&mut self, collider: ColliderId, surface: SmoothSurface) {
        match self.find(collider) {
            Ok(i) => self.entries[i].1 = surface,
            Err(i) => self.entries.insert(i, (collider, surface)),
        }
    }

    /// Restores a collider's own normals; returns whether it had smooth ones.
    pub fn remove(&mut self, collider: ColliderId) -> bool {
        self.find(collider).map(|i| self.entries.remove(i)).is_ok()
    }

    /// The surface of a collider.
    #[must_use]
    pub fn get(&self, collider: ColliderId) -> Option<&SmoothSurface> {
        self.find(collider).ok().map(|i| &self.entries[i].1)
    }

    /// The surface of a collider, to move it with the collider.
    pub fn get_mut(&mut self, collider: ColliderId) -> Option<&mut SmoothSurface> {
        self.find(collider).ok().map(|i| &mut self.entries[i].1)
    }

    fn find(&self, collider: ColliderId) -> Result<usize, usize> {
        self.entries
            .binary_search_by_key(&collider, |entry| entry.0)
    }

    /// The smooth normal of a hit at `point` (`m`, world); `None` if the collider has none, or if
    /// it would not point against the unit `direction`.
    fn normal(&self, hit: &GroundHit, point: DVec3, direction: Vec3) -> Option<Vec3> {
        let index = self.find(hit.collider).ok()?;
        let normal = self.entries[index]
            .1
            .normal(hit.triangle?, point, hit.normal)?;
        (normal.dot(direction) < 0.0).then_some(normal)
    }
}

/// A world whose hits on the registered surfaces have smooth normals; everything else is unchanged.
///
/// Created per update, like the borrowed worlds of engines. A ray that starts in a solid keeps its
/// normal. A sweep's point is moved along the new normal, so that the shape still touches the plane
/// through it.
#[derive(Debug)]
pub struct SmoothNormals<'a, W: ?Sized> {
    world: &'a mut W,
    surfaces: &'a SmoothSurfaces,
}

impl<'a, W: ?Sized> SmoothNormals<'a, W> {
    /// Borrows a world and its surfaces.
    #[must_use]
    pub const fn new(world: &'a mut W, surfaces: &'a SmoothSurfaces) -> Self {
        Self { world, surfaces }
    }

    /// The wrapped world.
    #[must_use]
    pub const fn world(&self) -> &W {
        self.world
    }

    fn smooth(&self, query: &GroundSweep, hit: &mut SweepHit) {
        let point = query.anchor + hit.point.as_dvec3();
        let normal = self.surfaces.normal(&hit.ground, point, query.direction);
        if let Some(normal) = normal {
            let center = query.offset + query.direction * hit.ground.distance;
            let lowest = center + query.shape.lowest(normal, query.axle);
            // The depth of an overlap does not change.
            let depth = if hit.ground.distance == 0.0 {
                let old = hit.ground.normal;
                let lowest = center + query.shape.lowest(old, query.axle);
                (hit.point - lowest).dot(old)
            } else {
                0.0
            };
            hit.point += normal * ((lowest - hit.point).dot(normal) + depth);
            hit.ground.normal = normal;
        }
    }
}

impl<W: SceneQuery + ?Sized> SceneQuery for SmoothNormals<'_, W> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.world.cast_rays(rays, hits);
        for (ray, hit) in rays.iter().zip(hits) {
            let Some(hit) = hit else { continue };
            let way = ray.offset + ray.direction * hit.distance;
            let point = ray.anchor + way.as_dvec3();
            let normal = self.surfaces.normal(hit, point, ray.direction);
            hit.normal = normal.unwrap_or(hit.normal);
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        self.world.sweeps()?;
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        self.world.triangles()?;
        Some(self)
    }
}

/// No triangles if the world tells none; see [`triangles`](SceneQuery::triangles).
impl<W: SceneQuery + ?Sized> GroundTriangles for SmoothNormals<'_, W> {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        if let Some(world) = self.world.triangles() {
            world.visit_triangles(queries, on_triangle);
        }
    }

    fn curved_normal(&self, triangle: &GroundTriangle, point: DVec3) -> Option<Vec3> {
        let surface = self.surfaces.get(triangle.collider)?;
        let [a, b, c] = triangle.corners;
        surface.normal(triangle.triangle?, point, (b - a).cross(c - a))
    }
}

/// Without hits if the world has no sweeps; see [`sweeps`](SceneQuery::sweeps).
impl<W: SceneQuery + ?Sized> SweepQuery for SmoothNormals<'_, W> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        let Some(world) = self.world.sweeps() else {
            hits.fill(None);
            return;
        };
        world.sweep_first(sweeps, hits);
        for (query, hit) in sweeps.iter().zip(hits) {
            if let Some(hit) = hit {
                self.smooth(query, hit);
            }
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        if let Some(world) = self.world.sweeps() {
            world.sweep_all(sweeps, &mut |number, mut hit| {
                self.smooth(&sweeps[number], &mut hit);
                found(number, hit);
            });
        }
    }
}

impl<W: RigidBodies + ?Sized> RigidBodies for SmoothNormals<'_, W> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.world.read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.world.ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        self.world.apply(ids, results)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.world.react(reactions);
    }
}
