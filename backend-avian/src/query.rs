//! Rays and wheel sweeps against Avian's colliders.
//!
//! Avian's own `SpatialQuery` reports no triangles, cannot exclude the child colliders of a body,
//! and has one filter per call; so Avian's trees find the colliders near the query, and
//! `parry-query` computes the hits on single shapes.

use avian3d::collider_tree::{
    ColliderTreeProxy, ColliderTreeType, ColliderTrees, update_moved_collider_aabbs,
};

use avian3d::prelude::{
    Collider, ColliderAabb, ColliderOf, ColliderTransform, Position, RigidBody, Rotation,
};
use bevy::ecs::system::SystemParam;
use bevy::math::Dir3;
use bevy::prelude::{Entity, Query, Res, With, Without, World};
use bevy::shape::Ray3d;
use parry_query::group::GroundTag;
use parry_query::{
    First, RayGroup, WheelSweep, cast_by_vehicle, cast_ray, from_anchor, ground_hit, is_surface,
    reach, sweep, to_offset, triangles_near,
};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayIntersection};
use vehicle_core::{
    BodyError, BodyId, BodyState, GroundHit, GroundMotion, GroundRay, GroundSweep, GroundTriangle,
    GroundTriangles, MaterialId, QueryFilter, SceneQuery, SweepHit, SweepQuery, TriangleQuery,
};

use crate::body::{self, BodyComponentsReadOnly};
use crate::convert::{body_id, collider_id};
use crate::ground::{GroundFilter, GroundMaterial, TriangleMaterials};

/// Makes queries valid immediately: moves child colliders to their bodies, and updates the query
/// trees for colliders moved since the last step.
///
/// New colliders are found without it. Call it after moving a body by its `Position`; one moved by
/// its `Transform` stays at its old position until Avian reads transforms, at the start of a step.
///
/// # Panics
/// If the world has no `PhysicsPlugins`.
pub fn index_colliders(world: &mut World) {
    let ran = world
        .run_system_cached(place_child_colliders)
        .and_then(|()| world.run_system_cached(update_moved_collider_aabbs::<Collider>));
    assert!(ran.is_ok(), "the world needs Avian's plugins: {ran:?}");
}

pub(crate) fn place_child_colliders(
    mut colliders: Query<
        (
            &ColliderTransform,
            &mut Position,
            &mut Rotation,
            &ColliderOf,
        ),
        Without<RigidBody>,
    >,
    bodies: Query<(&Position, &Rotation), With<RigidBody>>,
) {
    for (local, mut position, mut rotation, of) in &mut colliders {
        if let Ok((body_position, body_rotation)) = bodies.get(of.body) {
            let place = body_position.0 + body_rotation.0 * local.translation;
            let turn = Rotation((body_rotation.0 * local.rotation).normalize());
            if (position.0, *rotation) != (place, turn) {
                (position.0, *rotation) = (place, turn);
            }
        }
    }
}

/// Access to a world for rays.
#[derive(SystemParam)]
pub(crate) struct ColliderAccess<'w, 's> {
    trees: Res<'w, ColliderTrees>,
    grounds: GroundFilter<'w, 's>,
    shapes: Query<'w, 's, (&'static Position, &'static Rotation, &'static Collider)>,
    materials: Query<
        'w,
        's,
        (
            Option<&'static GroundMaterial>,
            Option<&'static TriangleMaterials>,
        ),
    >,
}

/// The nearest hit so far.
struct Nearest {
    hit: RayIntersection,
    collider: Entity,
    body: Option<BodyId>,
    surface: bool,
}

impl Nearest {
    fn distance(&self) -> f32 {
        self.hit.time_of_impact
    }
}

/// The body of a collider, if it can move.
fn moving_body(kind: ColliderTreeType, proxy: &ColliderTreeProxy) -> Option<BodyId> {
    let moves = kind.is_dynamic() || kind.is_kinematic();
    proxy.body.filter(|_| moves).map(body_id)
}

impl ColliderAccess<'_, '_> {
    /// Whether a collider is ground for this query, for any kind of body.
    fn answers(&self, proxy: &ColliderTreeProxy, filter: &QueryFilter) -> bool {
        let of_ground = |body| self.grounds.is_of_ground(body, filter);
        !proxy.is_sensor()
            && GroundFilter::is_in_layers(proxy.layers.memberships, filter)
            && proxy.body.is_none_or(of_ground)
    }

    /// The kinds of bodies that are ground for this query.
    fn kinds(&self, filter: &QueryFilter) -> impl Iterator<Item = ColliderTreeType> {
        let dynamic = self.grounds.are_dynamic_bodies(filter);
        let all = ColliderTreeType::ALL.into_iter();
        all.filter(move |kind| dynamic || !kind.is_dynamic())
    }

    /// The nearest hit, if there is one on colliders of this kind of body. Ties go to the lower
    /// collider, so that the order in the tree does not matter.
    fn search(
        &self,
        kind: ColliderTreeType,
        ray: &GroundRay,
        along: Ray3d,
        nearest: &mut Option<Nearest>,
    ) {
        let tree = self.trees.tree_for_type(kind);
        let line = Ray::new(ray.offset, ray.direction);
        let limit = |nearest: &Option<Nearest>| {
            let way = nearest.as_ref().map_or(ray.length, Nearest::distance);
            reach(way, along.origin)
        };
        tree.ray_traverse_closest(along, limit(nearest), |proxy| {
            let hit = tree.get_proxy(proxy).and_then(|proxy| {
                let (position, rotation, collider) = self.shapes.get(proxy.collider).ok()?;
                if !self.answers(proxy, &ray.filter) {
                    return None;
                }
                // Relative to the anchor, to stay precise far from the origin.
                let place = to_offset(ray.anchor, position.0);
                let shape = collider.shape_scaled().as_ref();
                let pose = Pose::from_parts(place, rotation.0);
                Some(Nearest {
                    hit: cast_ray(shape, &pose, &line, limit(nearest))?,
                    collider: proxy.collider,
                    body: moving_body(kind, proxy),
                    surface: is_surface(shape),
                })
            });
            let Some(hit) = hit else { return f32::MAX };
            let distance = hit.distance();
            let key = |n: &Nearest| (n.distance(), collider_id(n.collider).0);
            if nearest.as_ref().is_none_or(|best| key(&hit) < key(best)) {
                *nearest = Some(hit);
            }
            distance
        });
    }

    /// Casts rays of one vehicle on the colliders near all of them that are ground for it.
    fn cast_together(&self, group: &mut RayGroup<'_>) {
        let Aabb { mins, maxs } = group.bounds();
        let GroundRay { anchor, filter, .. } = *group.first();
        let around = ColliderAabb::from_min_max(mins, maxs);
        for kind in self.kinds(&filter) {
            let tree = self.trees.tree_for_type(kind);
            tree.aabb_traverse(around.into(), |proxy| {
                let proxy = tree
                    .get_proxy(proxy)
                    .filter(|proxy| self.answers(proxy, &filter));
                let placed =
                    proxy.and_then(|proxy| Some((proxy, self.shapes.get(proxy.collider).ok()?)));
                if let Some((proxy, (position, rotation, collider))) = placed {
                    let pose = Pose::from_parts(to_offset(anchor, position.0), rotation.0);
                    let body = moving_body(kind, proxy);
                    let tag = |triangle| self.tag(proxy.collider, body, triangle);
                    let shape = collider.shape_scaled().as_ref();
                    group.cast(collider_id(proxy.collider), shape, &pose, tag);
                }
                !group.gave_up()
            });
        }
    }

    fn cast(&self, ray: &GroundRay) -> Option<GroundHit> {
        let origin = from_anchor(ray.anchor, ray.offset);
        if !(origin.is_finite() && ray.length.is_finite()) {
            return None;
        }
        let along = Ray3d::new(origin, Dir3::new(ray.direction).ok()?);
        let mut nearest = None;
        for kind in self.kinds(&ray.filter) {
            self.search(kind, ray, along, &mut nearest);
        }
        let Nearest {
            hit,
            collider,
            body,
            surface,
        } = nearest?;
        let tag = |triangle| self.tag(collider, body, triangle);
        Some(ground_hit(ray, collider_id(collider), &hit, surface, tag))
    }

    /// Calls `found` with all hits of one sweep.
    fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let start = from_anchor(query.anchor, query.offset);
        let Some(way) = WheelSweep::new(query, start) else {
            return;
        };
        self.visit_near(&query.filter, &way.aabb(), |kind, proxy| {
            self.sweep_one(query, &way, kind, proxy, found);
        });
    }

    /// Calls `visit` with the colliders whose boxes overlap this one (`m`, world).
    fn visit_near(
        &self,
        filter: &QueryFilter,
        near: &Aabb,
        mut visit: impl FnMut(ColliderTreeType, &ColliderTreeProxy),
    ) {
        let near = ColliderAabb::from_min_max(near.mins, near.maxs);
        for kind in self.kinds(filter) {
            let tree = self.trees.tree_for_type(kind);
            tree.aabb_traverse(near.into(), |proxy| {
                if let Some(proxy) = tree.get_proxy(proxy) {
                    visit(kind, proxy);
                }
                true
            });
        }
    }

    fn sweep_one(
        &self,
        query: &GroundSweep,
        way: &WheelSweep,
        kind: ColliderTreeType,
        proxy: &ColliderTreeProxy,
        found: &mut dyn FnMut(SweepHit),
    ) {
        let Ok((position, rotation, collider)) = self.shapes.get(proxy.collider) else {
            return;
        };
        if !self.answers(proxy, &query.filter) {
            return;
        }
        let pose = Pose::from_parts(position.0, rotation.0);
        let (body, id) = (moving_body(kind, proxy), collider_id(proxy.collider));
        sweep(collider.shape_scaled().as_ref(), &pose, way, &mut |hit| {
            let (material, body) = self.tag(proxy.collider, body, hit.triangle);
            found(hit.answer(query, material, body, id));
        });
    }

    /// Calls `found` with the triangles of one query.
    fn tell_triangles(&self, query: &TriangleQuery, found: &mut dyn FnMut(&GroundTriangle)) {
        let near = Aabb::new(query.low, query.high);
        let [mins, maxs] = [query.low, query.high].map(|end| from_anchor(query.anchor, end));
        if mins.is_finite() && maxs.is_finite() {
            self.visit_near(&query.filter, &Aabb::new(mins, maxs), |kind, proxy| {
                self.tell_triangles_of(query, &near, kind, proxy, found);
            });
        }
    }

    fn tell_triangles_of(
        &self,
        query: &TriangleQuery,
        near: &Aabb,
        kind: ColliderTreeType,
        proxy: &ColliderTreeProxy,
        found: &mut dyn FnMut(&GroundTriangle),
    ) {
        let Ok((position, rotation, collider)) = self.shapes.get(proxy.collider) else {
            return;
        };
        if !self.answers(proxy, &query.filter) {
            return;
        }
        let pose = Pose::from_parts(to_offset(query.anchor, position.0), rotation.0);
        let (body, id) = (moving_body(kind, proxy), collider_id(proxy.collider));
        let shape = collider.shape_scaled();
        triangles_near(shape.as_ref(), &pose, near, &mut |triangle| {
            let (material, body) = self.tag(proxy.collider, body, triangle.number);
            found(&GroundTriangle {
                corners: triangle.corners,
                solid: triangle.solid,
                material,
                body,
                collider: id,
                triangle: triangle.number,
            });
        });
    }

    /// Material and body of a hit on a collider.
    fn tag(&self, collider: Entity, body: Option<BodyId>, triangle: Option<u32>) -> GroundTag {
        let Ok((whole, triangles)) = self.materials.get(collider) else {
            return (MaterialId::default(), body);
        };
        let at_triangle = || triangles?.0.get(triangle? as usize).copied();
        let of_whole = || whole.map_or(MaterialId::default(), |whole| whole.0);
        (at_triangle().unwrap_or_else(of_whole), body)
    }
}

impl ColliderAccess<'_, '_> {
    /// A ray that is not finite misses.
    pub(crate) fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        cast_by_vehicle(
            rays,
            hits,
            |groups| {
                groups
                    .iter_mut()
                    .for_each(|group| self.cast_together(group));
            },
            |ray| self.cast(ray),
        );
    }

    /// Custom shapes are never hit.
    pub(crate) fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        assert_eq!(sweeps.len(), hits.len(), "one slot per sweep");
        for (query, hit) in sweeps.iter().zip(hits) {
            let mut first = First::new(query.direction);
            self.sweep(query, &mut |hit| first.offer(hit));
            *hit = first.take();
        }
    }

    pub(crate) fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        for (number, query) in queries.iter().enumerate() {
            self.tell_triangles(query, &mut |triangle| on_triangle(number, triangle));
        }
    }

    pub(crate) fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        for (number, query) in sweeps.iter().enumerate() {
            self.sweep(query, &mut |hit| found(number, hit));
        }
    }
}

/// A read-only world: implements [`SceneQuery`], and the reading half of
/// [`RigidBodies`](vehicle_core::RigidBodies) as inherent methods. A system with it can run in
/// parallel with other readers.
///
/// Hits are as current as the trees (see [`index_colliders`]).
#[derive(SystemParam)]
pub struct AvianScene<'w, 's> {
    colliders: ColliderAccess<'w, 's>,
    pub(crate) bodies: Query<'w, 's, BodyComponentsReadOnly>,
}

impl core::fmt::Debug for AvianScene<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AvianScene").finish_non_exhaustive()
    }
}

impl AvianScene<'_, '_> {
    /// Writes the state of `ids[i]` to `out[i]`, by the rules of [`RigidBodies::read`](vehicle_core::RigidBodies::read).
    ///
    /// # Errors
    /// For the first id that does not name a dynamic body.
    ///
    /// # Panics
    /// If `ids.len() != out.len()`.
    pub fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        body::read(self.bodies, ids, out)
    }

    /// The motion of a body under a wheel; `None` if it is fixed or does not exist.
    #[must_use]
    pub fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        body::ground_motion(self.bodies, id)
    }
}

impl SceneQuery for AvianScene<'_, '_> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.colliders.cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for AvianScene<'_, '_> {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        self.colliders.visit_triangles(queries, on_triangle);
    }
}

impl SweepQuery for AvianScene<'_, '_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.colliders.sweep_first(sweeps, hits);
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.colliders.sweep_all(sweeps, found);
    }
}
