//! Rays and wheel sweeps against Rapier's colliders.
//!
//! Three things differ from Rapier's own `cast_ray_and_get_normal`: a batch has a filter per ray; a
//! start inside a solid has a normal; and rays do not slip through the grid lines of a heightfield.
//! Sweeps do not use Rapier's: its tree finds the colliders near the sweep, and `parry-query`
//! sweeps the wheel against each of them.

use glam::DVec3;
use parry_query::group::GroundTag;
use parry_query::{
    First, RayGroup, WheelSweep, cast_by_vehicle, cast_ray, from_anchor, ground_hit, is_surface,
    reach, sweep, to_offset, triangles_near,
};
use rapier3d::dynamics::{IntegrationParameters, RigidBodySet};
use rapier3d::geometry::{BroadPhaseBvh, Collider, ColliderHandle, ColliderSet, Ray};
use rapier3d::math::Pose;
use rapier3d::parry::bounding_volume::Aabb;
use rapier3d::parry::partitioning::Bvh;
use rapier3d::parry::query::DefaultQueryDispatcher;
use rapier3d::pipeline::PhysicsWorld;
use vehicle_core::{
    BodyId, GroundHit, GroundRay, GroundSweep, GroundTriangle, GroundTriangles, MaterialId,
    QueryFilter, SceneQuery, SweepHit, SweepQuery, TriangleQuery,
};

use crate::RapierLink;
use crate::convert::{body_id, collider_id};

/// Materials of ground colliders.
///
/// Without an entry here, a collider's material is the low 32 bits of its `user_data`, so
/// `ColliderBuilder::user_data(7)` suffices for simple ground. An entry takes precedence: one
/// material for a collider whose `user_data` has another use, or one per triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials {
    /// Sorted by raw handle.
    entries: Vec<((u32, u32), ColliderMaterials)>,
}

#[derive(Clone, Debug, PartialEq)]
struct ColliderMaterials {
    whole: Option<MaterialId>,
    triangles: Vec<MaterialId>,
}

impl Materials {
    /// Sets one material for a whole collider, replacing earlier settings.
    pub fn set(&mut self, collider: ColliderHandle, material: MaterialId) {
        self.insert(
            collider,
            ColliderMaterials {
                whole: Some(material),
                triangles: Vec::new(),
            },
        );
    }

    /// Sets a material for each triangle of a mesh or heightfield, by Parry's triangle id,
    /// replacing earlier settings. A triangle beyond the list uses the collider's `user_data`.
    pub fn set_triangles(&mut self, collider: ColliderHandle, triangles: Vec<MaterialId>) {
        self.insert(
            collider,
            ColliderMaterials {
                whole: None,
                triangles,
            },
        );
    }

    /// Removes a collider's entry; returns whether it had one.
    pub fn remove(&mut self, collider: ColliderHandle) -> bool {
        self.find(collider).map(|i| self.entries.remove(i)).is_ok()
    }

    /// The material of a collider, at one of its triangles if it has any.
    #[inline]
    #[must_use]
    pub fn of(
        &self,
        handle: ColliderHandle,
        collider: &Collider,
        triangle: Option<u32>,
    ) -> MaterialId {
        let entry = self.find(handle).ok().map(|i| &self.entries[i].1);
        let at_triangle = || entry?.triangles.get(triangle? as usize).copied();
        entry
            .and_then(|entry| entry.whole)
            .or_else(at_triangle)
            // The low 32 bits: truncation is intended.
            .unwrap_or(MaterialId(collider.user_data as u32))
    }

    fn insert(&mut self, collider: ColliderHandle, entry: ColliderMaterials) {
        match self.find(collider) {
            Ok(i) => self.entries[i].1 = entry,
            Err(i) => self.entries.insert(i, (collider.into_raw_parts(), entry)),
        }
    }

    fn find(&self, collider: ColliderHandle) -> Result<usize, usize> {
        let key = collider.into_raw_parts();
        self.entries.binary_search_by_key(&key, |entry| entry.0)
    }
}

impl RapierLink {
    /// Whether a collider is ground for a query.
    pub(crate) fn is_ground(
        &self,
        bodies: &RigidBodySet,
        collider: &Collider,
        filter: &QueryFilter,
    ) -> bool {
        // A disabled collider stays in the tree until the next step.
        if collider.is_sensor()
            || !collider.is_enabled()
            || collider.collision_groups().memberships.bits() & filter.layers == 0
        {
            return false;
        }
        let Some(handle) = collider.parent() else {
            return true;
        };
        let id = body_id(handle);
        if filter.ignore.contains(&Some(id)) {
            return false;
        }
        let options = &self.options;
        if !options.drive_on_vehicles && self.is_chassis(id) {
            return false;
        }
        let Some(body) = bodies.get(handle) else {
            return false;
        };
        !body.is_dynamic() || (filter.dynamic_bodies && options.drive_on_dynamic)
    }
}

/// Makes queries valid immediately: moves colliders to their bodies and inserts every enabled
/// collider into the query tree.
///
/// Rapier does this while stepping, so queries find nothing before the first step, and bodies moved
/// by `set_position` at their old position until the next one. Call it after building a scene or
/// after a teleport; the cost grows with the number of colliders. The next step finds all contacts
/// as if it had not been called.
pub fn index_colliders(
    parameters: &IntegrationParameters,
    bodies: &RigidBodySet,
    colliders: &mut ColliderSet,
    broad_phase: &mut BroadPhaseBvh,
) {
    bodies.propagate_modified_body_positions_to_colliders(colliders);
    for (handle, collider) in colliders.iter() {
        if collider.is_enabled() {
            broad_phase.set_aabb(parameters, handle, collider.compute_aabb());
        }
    }
}

/// A read-only world: implements [`SceneQuery`], and the reading half of
/// [`RigidBodies`](vehicle_core::RigidBodies) as inherent methods. `Copy` and `Sync`.
///
/// Hits are as current as the colliders' positions (see [`index_colliders`]).
#[derive(Clone, Copy)]
pub struct RapierScene<'a> {
    pub(crate) link: &'a RapierLink,
    pub(crate) bodies: &'a RigidBodySet,
    colliders: &'a ColliderSet,
    tree: &'a Bvh,
}

impl core::fmt::Debug for RapierScene<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RapierScene")
            .field("link", self.link)
            .field("bodies", &self.bodies.len())
            .field("colliders", &self.colliders.len())
            .finish_non_exhaustive()
    }
}

/// A pose relative to an anchor, so that shapes stay precise far from the origin.
fn pose_from(anchor: DVec3, pose: &Pose) -> Pose {
    Pose::from_parts(to_offset(anchor, pose.translation), pose.rotation)
}

impl<'a> RapierScene<'a> {
    /// Borrows the parts of a world.
    #[must_use]
    pub fn new(
        link: &'a RapierLink,
        bodies: &'a RigidBodySet,
        colliders: &'a ColliderSet,
        broad_phase: &'a BroadPhaseBvh,
    ) -> Self {
        // Rapier's own view is not `Sync`, and the tree is private: only the tree is taken from it.
        let pipeline = broad_phase.as_query_pipeline(
            &DefaultQueryDispatcher,
            bodies,
            colliders,
            rapier3d::pipeline::QueryFilter::default(),
        );
        Self {
            link,
            bodies,
            colliders,
            tree: pipeline.bvh,
        }
    }

    /// Borrows a [`PhysicsWorld`].
    #[must_use]
    pub fn of(link: &'a RapierLink, world: &'a PhysicsWorld) -> Self {
        Self::new(link, &world.bodies, &world.colliders, &world.broad_phase)
    }

    fn answers(&self, collider: &Collider, filter: &QueryFilter) -> bool {
        self.link.is_ground(self.bodies, collider, filter)
    }

    /// Casts rays of one vehicle on a collider, if that is ground for it.
    fn cast_together(&self, index: u32, group: &mut RayGroup<'_>) {
        let GroundRay { anchor, filter, .. } = group.first();
        let Some((collider, handle)) = self.colliders.get_unknown_gen(index) else {
            return;
        };
        if self.answers(collider, filter) {
            let pose = pose_from(*anchor, collider.position());
            let tag = |triangle| self.tag(handle, collider, triangle);
            group.cast(collider_id(handle), collider.shape(), &pose, tag);
        }
    }

    fn cast(&self, ray: &GroundRay) -> Option<GroundHit> {
        let line = Ray::new(from_anchor(ray.anchor, ray.offset), ray.direction);
        if !(line.origin.is_finite() && line.dir.is_finite() && ray.length.is_finite()) {
            return None;
        }
        // Shapes are placed relative to the anchor, to stay precise far from the origin.
        let near = Ray::new(ray.offset, ray.direction);
        let (index, hit) = self.tree.find_best(
            reach(ray.length, line.origin),
            |node, best| node.cast_ray(&line, best),
            |index, best| {
                let (collider, _) = self.colliders.get_unknown_gen(index)?;
                if self.answers(collider, &ray.filter) {
                    cast_ray(
                        collider.shape(),
                        &pose_from(ray.anchor, collider.position()),
                        &near,
                        best,
                    )
                } else {
                    None
                }
            },
        )?;
        let (collider, handle) = self.colliders.get_unknown_gen(index)?;
        let tag = |triangle| self.tag(handle, collider, triangle);
        let surface = is_surface(collider.shape());
        Some(ground_hit(ray, collider_id(handle), &hit, surface, tag))
    }

    /// Material and body of a hit on a collider.
    #[inline]
    fn tag(&self, handle: ColliderHandle, collider: &Collider, triangle: Option<u32>) -> GroundTag {
        let material = self.link.materials.of(handle, collider, triangle);
        (material, self.moving_body(collider))
    }

    /// The body of a collider, if it can move.
    fn moving_body(&self, collider: &Collider) -> Option<BodyId> {
        let parent = collider.parent()?;
        let moves = self.bodies.get(parent)?.is_dynamic_or_kinematic();
        moves.then(|| body_id(parent))
    }

    /// Calls `found` with the triangles of one query.
    fn tell_triangles(&self, query: &TriangleQuery, found: &mut dyn FnMut(&GroundTriangle)) {
        let near = Aabb::new(query.low, query.high);
        let around = Aabb::new(
            from_anchor(query.anchor, query.low),
            from_anchor(query.anchor, query.high),
        );
        if !(around.mins.is_finite() && around.maxs.is_finite()) {
            return;
        }
        for index in self.tree.intersect_aabb(&around) {
            let Some((collider, handle)) = self.colliders.get_unknown_gen(index) else {
                continue;
            };
            if !self.answers(collider, &query.filter) {
                continue;
            }
            let pose = pose_from(query.anchor, collider.position());
            triangles_near(collider.shape(), &pose, &near, &mut |triangle| {
                let (material, body) = self.tag(handle, collider, triangle.number);
                found(&GroundTriangle {
                    corners: triangle.corners,
                    solid: triangle.solid,
                    material,
                    body,
                    collider: collider_id(handle),
                    triangle: triangle.number,
                });
            });
        }
    }

    /// Calls `found` with all hits of one sweep.
    fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let start = from_anchor(query.anchor, query.offset);
        let Some(way) = WheelSweep::new(query, start) else {
            return;
        };
        for index in self.tree.intersect_aabb(&way.aabb()) {
            let Some((collider, handle)) = self.colliders.get_unknown_gen(index) else {
                continue;
            };
            if !self.answers(collider, &query.filter) {
                continue;
            }
            let id = collider_id(handle);
            sweep(collider.shape(), collider.position(), &way, &mut |hit| {
                let (material, body) = self.tag(handle, collider, hit.triangle);
                found(hit.answer(query, material, body, id));
            });
        }
    }
}

impl SceneQuery for RapierScene<'_> {
    /// A ray that is not finite misses.
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        cast_by_vehicle(
            rays,
            hits,
            |groups| groups.visit_near(self.tree, |index, group| self.cast_together(index, group)),
            |ray| self.cast(ray),
        );
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for RapierScene<'_> {
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

/// Custom shapes are never hit by sweeps.
impl SweepQuery for RapierScene<'_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        assert_eq!(sweeps.len(), hits.len(), "one slot per sweep");
        for (query, hit) in sweeps.iter().zip(hits) {
            let mut first = First::new(query.direction);
            self.sweep(query, &mut |hit| first.offer(hit));
            *hit = first.take();
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        for (number, query) in sweeps.iter().enumerate() {
            self.sweep(query, &mut |hit| found(number, hit));
        }
    }
}
