//! Several grounds as one, each with a material and layers.

use std::sync::Arc;

use glam::DVec3;
use parry_query::First;
use vehicle_core::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use vehicle_core::{
    ColliderId, GroundHit, GroundRay, GroundTriangle, GroundTriangles, MaterialId, TriangleQuery,
    scene_query::SceneQuery,
};

use crate::ground::{Gap, Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep, gap};

/// One ground of [`Grounds`].
#[derive(Clone, Debug)]
pub struct GroundPart {
    /// Shape of the ground, shared so that copies of a world are cheap.
    pub ground: Arc<dyn Ground>,
    /// Material that hits of the ground report, where its triangles have none of their own.
    pub material: MaterialId,
    /// Materials of the triangles of a mesh or heightfield, by their numbers in hits; the others have `material`. Shared like
    /// the shape.
    pub triangle_materials: Option<Arc<[MaterialId]>>,
    /// Layers of the ground, one bit each: a query hits it if they share one.
    pub layers: u32,
}

impl GroundPart {
    /// A part of material 0 in all layers.
    #[must_use]
    pub fn new(ground: impl Ground + 'static) -> Self {
        Self {
            ground: Arc::new(ground),
            material: MaterialId::default(),
            triangle_materials: None,
            layers: u32::MAX,
        }
    }

    /// This part with another material.
    #[must_use]
    pub const fn of(mut self, material: MaterialId) -> Self {
        self.material = material;
        self
    }

    /// This part with a material for each triangle of its mesh or heightfield, by number.
    #[must_use]
    pub fn of_triangles(mut self, materials: Arc<[MaterialId]>) -> Self {
        self.triangle_materials = Some(materials);
        self
    }

    /// The material at a hit of a triangle.
    fn material_at(&self, triangle: Option<u32>) -> MaterialId {
        let own = || {
            self.triangle_materials
                .as_ref()?
                .get(triangle? as usize)
                .copied()
        };
        own().unwrap_or(self.material)
    }

    /// This part in other layers.
    #[must_use]
    pub const fn in_layers(mut self, layers: u32) -> Self {
        self.layers = layers;
        self
    }
}

/// Fixed grounds side by side: the nearest hit counts, the earlier part if two are equally near.
///
/// It implements [`SceneQuery`] and [`SweepQuery`]. Nothing in it moves, so a filter's `ignore` and
/// `dynamic_bodies` have no effect. A query with a number that is not finite, or with a direction
/// that is not a unit vector, is a miss.
#[derive(Clone, Debug, Default)]
pub struct Grounds(pub Vec<GroundPart>);

impl<G: Ground + 'static> From<G> for Grounds {
    fn from(ground: G) -> Self {
        Self(vec![GroundPart::new(ground)])
    }
}

impl From<Vec<GroundPart>> for Grounds {
    fn from(parts: Vec<GroundPart>) -> Self {
        Self(parts)
    }
}

impl Grounds {
    /// The nearest hit of a ray on the parts that share a bit with `layers`, with its part.
    #[must_use]
    pub fn cast(&self, ray: &Ray, layers: u32) -> Option<(Hit, &GroundPart)> {
        let (hit, index) = self.nearest(ray, layers)?;
        Some((hit, &self.0[index]))
    }

    /// The nearest hit, and the index of its part.
    fn nearest(&self, ray: &Ray, layers: u32) -> Option<(Hit, usize)> {
        if !ray.is_sound() {
            return None;
        }
        let mut nearest: Option<(Hit, usize)> = None;
        for (index, part) in self.0.iter().enumerate() {
            if part.layers & layers == 0 {
                continue;
            }
            let Some(hit) = part.ground.cast(ray) else {
                continue;
            };
            if nearest.is_none_or(|(best, _)| hit.distance < best.distance) {
                nearest = Some((hit, index));
            }
        }
        nearest
    }

    /// The answer to one query.
    pub(crate) fn answer(&self, query: &GroundRay) -> Option<GroundHit> {
        self.hit(&Ray::new(query)?, query.filter.layers)
    }

    /// The nearest hit of a ray within `layers`, in the terms of the contract [`SceneQuery`].
    pub(crate) fn hit(&self, ray: &Ray, layers: u32) -> Option<GroundHit> {
        let (hit, index) = self.nearest(ray, layers)?;
        Some(GroundHit {
            distance: hit.distance,
            normal: hit.normal,
            material: self.0[index].material_at(hit.triangle),
            body: None,
            collider: ColliderId(index as u64),
            triangle: hit.triangle,
        })
    }

    /// Calls `found` with all hits of one sweep.
    pub(crate) fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let Some(sweep) = Sweep::new(query) else {
            return;
        };
        for (index, part) in self.0.iter().enumerate() {
            if part.layers & query.filter.layers == 0 {
                continue;
            }
            part.ground.sweep(&sweep, &mut |hit| {
                let material = part.material_at(hit.triangle);
                found(hit.answer(query, material, None, ColliderId(index as u64)));
            });
        }
    }

    /// Calls `found` with the triangles in a region of all parts that share a bit with `layers`.
    pub(crate) fn triangles_in(
        &self,
        region: &GroundRegion,
        layers: u32,
        found: &mut dyn FnMut(&SurfaceTriangle),
    ) {
        for part in self.0.iter().filter(|part| part.layers & layers != 0) {
            part.ground.triangles_in(region, found);
        }
    }

    /// Calls `found` with the triangles of one query.
    pub(crate) fn tell_triangles(
        &self,
        query: &TriangleQuery,
        found: &mut dyn FnMut(&GroundTriangle),
    ) {
        let Some(region) = GroundRegion::of(query) else {
            return;
        };
        for (index, part) in self.0.iter().enumerate() {
            if part.layers & query.filter.layers == 0 {
                continue;
            }
            let collider = ColliderId(index as u64);
            part.ground.triangles_in(&region, &mut |triangle| {
                let material = part.material_at(triangle.number);
                found(&triangle.answer(query.anchor, material, collider));
            });
        }
    }

    /// Distance of `point` (`m`, world) above the ground, searched along −`up` (a unit vector) from
    /// `above` (`m`) over it to `below` (`m`) under it; `None` if there is no ground.
    #[must_use]
    pub fn gap(&self, point: DVec3, up: DVec3, above: f64, below: f64, layers: u32) -> Option<Gap> {
        let cast = |ray: &Ray| self.cast(ray, layers).map(|(hit, _)| hit);
        gap(cast, point, up, above, below)
    }
}

impl SceneQuery for Grounds {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one hit per ray");
        for (query, out) in rays.iter().zip(hits) {
            *out = self.answer(query);
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for Grounds {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        for (number, query) in queries.iter().enumerate() {
            self.tell_triangles(query, &mut |triangle| on_triangle(number, triangle));
        }
    }
}

impl SweepQuery for Grounds {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        sweep_first(sweeps, hits, |query, found| self.sweep(query, found));
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        sweep_all(sweeps, found, |query, found| self.sweep(query, found));
    }
}

/// A batch of blocking sweeps; `sweep` reports all hits of one.
pub(crate) fn sweep_first(
    sweeps: &[GroundSweep],
    hits: &mut [Option<SweepHit>],
    sweep: impl Fn(&GroundSweep, &mut dyn FnMut(SweepHit)),
) {
    assert_eq!(sweeps.len(), hits.len(), "one hit per sweep");
    for (query, out) in sweeps.iter().zip(hits) {
        let mut first = First::new(query.direction);
        sweep(query, &mut |hit| first.offer(hit));
        *out = first.take();
    }
}

/// A batch of sweeps that report all hits.
pub(crate) fn sweep_all(
    sweeps: &[GroundSweep],
    found: &mut dyn FnMut(usize, SweepHit),
    sweep: impl Fn(&GroundSweep, &mut dyn FnMut(SweepHit)),
) {
    for (number, query) in sweeps.iter().enumerate() {
        sweep(query, &mut |hit| found(number, hit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::TriangleMesh;
    use crate::plane::Plane;
    use glam::Vec3;
    use vehicle_core::frame::Axis;
    use vehicle_core::{BodyId, QueryFilter};

    fn two_floors() -> Grounds {
        let floor = |height| GroundPart::new(Plane::level(Axis::Z, height).unwrap());
        Grounds(vec![
            floor(0.0).of(MaterialId(1)).in_layers(0b01),
            floor(1.0).of(MaterialId(2)).in_layers(0b10),
        ])
    }

    fn query(layers: u32) -> GroundRay {
        GroundRay {
            anchor: DVec3::new(5.0, 5.0, 2.0),
            offset: Vec3::Z,
            direction: Vec3::NEG_Z,
            length: 5.0,
            filter: QueryFilter {
                layers,
                ..QueryFilter::except(BodyId(0))
            },
        }
    }

    #[test]
    fn the_nearest_part_in_the_layers_is_hit() {
        let rays = [query(0b11), query(0b01), query(0b100)];
        let mut hits = [None; 3];
        two_floors().cast_rays(&rays, &mut hits);
        let told = hits.map(|hit| hit.map(|hit| (hit.distance, hit.material.0)));
        assert_eq!(told, [Some((2.0, 2)), Some((3.0, 1)), None]);
    }

    /// Rays, sweeps and gathered triangles report the material of the triangle, not of the part.
    #[test]
    fn triangles_have_their_own_materials() {
        let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        let square =
            [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)].map(|(x, y)| corner(x, y));
        let mesh = TriangleMesh::new(&square, &[[0, 1, 2], [0, 2, 3]]).unwrap();
        let part = GroundPart::new(mesh).of(MaterialId(9));
        let ground = Grounds(vec![part.of_triangles(Arc::new([MaterialId(4)]))]);
        let at = |x, y| {
            let mut ray = query(1);
            ray.anchor = DVec3::new(x, y, 2.0);
            let mut hits = [None];
            ground.cast_rays(&[ray], &mut hits);
            hits[0].map(|hit| (hit.triangle, hit.material.0))
        };
        assert_eq!(at(8.0, 2.0), Some((Some(0), 4)));
        // The list ends before this one.
        assert_eq!(at(2.0, 8.0), Some((Some(1), 9)));
        let query = TriangleQuery {
            anchor: DVec3::ZERO,
            low: Vec3::splat(-1.0),
            high: Vec3::splat(11.0),
            filter: QueryFilter::except(BodyId(0)),
        };
        let mut told = Vec::new();
        ground.visit_triangles(&[query], &mut |_, triangle| told.push(triangle.material.0));
        told.sort_unstable();
        assert_eq!(told, [4, 9]);
    }

    #[test]
    fn invalid_queries_miss() {
        let nan = GroundRay {
            offset: Vec3::NAN,
            ..query(1)
        };
        let long = GroundRay {
            length: f32::INFINITY,
            ..query(1)
        };
        let zero = GroundRay {
            direction: Vec3::ZERO,
            ..query(1)
        };
        let back = GroundRay {
            length: -1.0,
            ..query(1)
        };
        let mut hits = [None; 4];
        two_floors().cast_rays(&[nan, long, zero, back], &mut hits);
        assert_eq!(hits, [None; 4]);
    }

    #[test]
    fn gaps_are_signed() {
        let ground = Grounds::from(Plane::level(Axis::Z, 0.0).unwrap());
        let gap = |z: f64| ground.gap(DVec3::new(0.0, 0.0, z), DVec3::Z, 1.0, 2.0, u32::MAX);
        assert_eq!(gap(1.5).unwrap().distance, 1.5);
        assert_eq!(gap(-0.25).unwrap().distance, -0.25);
        assert_eq!(gap(3.0), None);
        assert!(gap(-2.0).unwrap().buried);
    }
}
