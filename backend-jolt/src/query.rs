//! Rays and wheel sweeps against Jolt's bodies.
//!
//! A ray is Jolt's own. So is a sweep, within Jolt's tolerance; [`parry_query::sweep_contact`] then
//! finds exactly where the wheel meets the plane that was hit.

use core::cell::RefCell;
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use oxijolt::{
    MotionType, ObjectLayer, PhysicsWorld, QueryFilter as JoltFilter, RayCast, Shape, ShapeCast,
    ShapeCastHit, SubShapeId,
};
use parry_query::{WheelSweep, reach, sweep_contact};
use vehicle_core::{
    BodyId, ColliderId, GroundHit, GroundRay, GroundSweep, MaterialId, QueryFilter, SceneQuery,
    ShapeKind, SweepHit, SweepQuery, WheelShape, math,
};

use crate::JoltLink;

/// Length that sweeps have beyond the one asked for (`m`): Jolt stops short of a contact, or goes too far.
const SPARE: f32 = 0.01;

/// A read-only world: implements [`SceneQuery`].
#[derive(Clone, Copy)]
pub struct JoltScene<'a> {
    pub(crate) link: &'a JoltLink,
    pub(crate) world: &'a PhysicsWorld,
}

impl core::fmt::Debug for JoltScene<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("JoltScene")
            .field("link", self.link)
            .finish_non_exhaustive()
    }
}

/// Bodies that answer a query.
struct AnsweringBodies {
    layers: Vec<ObjectLayer>,
    /// Bodies in these layers that do not answer.
    ignored: [Option<oxijolt::BodyId>; 2],
}

impl AnsweringBodies {
    fn of(scene: &JoltScene<'_>, filter: &QueryFilter) -> Self {
        let (link, world) = (scene.link, scene.world);
        let layers = link.layers.of(filter, &link.options);
        let would_answer = |&body: &oxijolt::BodyId| {
            let found = world.body(body);
            found.is_ok_and(|found| layers.contains(&found.object_layer()))
        };
        let known = filter.ignore.iter().flatten();
        let mut ignored = known.filter_map(|&id| link.body(id)).filter(would_answer);
        Self {
            ignored: [ignored.next(), ignored.next()],
            layers,
        }
    }

    /// Asks Jolt, which leaves out at most one body, with each of the ignored ones left out, and takes an answer that is
    /// neither.
    fn first<T>(
        &self,
        body_of: impl Fn(&T) -> oxijolt::BodyId,
        ask: impl Fn(&JoltFilter<'_>) -> Option<T>,
    ) -> Option<T> {
        let all = JoltFilter::new().object_layers(&self.layers);
        let without = |body: Option<oxijolt::BodyId>| {
            let filter = body.map_or(all, |body| all.exclude_body(body));
            ask(&filter).filter(|hit| !self.ignored.contains(&Some(body_of(hit))))
        };
        let [first, second] = self.ignored;
        without(first).or_else(|| second.and_then(|_| without(second)))
    }
}

/// A body as a query needs to know it once it was hit.
struct BodyGround {
    /// Body of the hit, if the body can move.
    body: Option<BodyId>,
    collider: ColliderId,
    material: MaterialId,
    triangle: Option<u32>,
}

impl<'a> JoltScene<'a> {
    /// Borrows a world and its link.
    #[must_use]
    pub const fn new(link: &'a JoltLink, world: &'a PhysicsWorld) -> Self {
        Self { link, world }
    }

    fn ground(&self, body: oxijolt::BodyId, part: SubShapeId) -> Option<BodyGround> {
        let found = self.world.body(body).ok()?;
        let id = self.link.body_id(body);
        let data = found.user_data();
        Some(BodyGround {
            body: (found.motion_type() != MotionType::Static).then_some(id),
            collider: ColliderId(id.0),
            // The low 32 bits: truncation is intended.
            material: MaterialId(data as u32),
            triangle: (data & SURFACE != 0).then(|| part.to_raw()),
        })
    }

    fn cast(&self, ray: &GroundRay, answering: &AnsweringBodies) -> Option<GroundHit> {
        let far = reach(ray.length, ray.offset);
        let start = ray.anchor + ray.offset.as_dvec3();
        if !(start.is_finite() && far.is_finite()) || ray.length < 0.0 {
            return None;
        }
        let way = RayCast::new(start.into(), (ray.direction * far).into());
        let cast = |filter: &JoltFilter<'_>| self.world.cast_ray(&way, filter).ok().flatten();
        let hit = answering.first(|hit| hit.body, cast)?;
        let ground = self.ground(hit.body, hit.sub_shape_id)?;
        let inside = hit.fraction == 0.0;
        Some(GroundHit {
            distance: (hit.fraction * far).min(ray.length),
            normal: against(hit.normal.into(), ray.direction, inside),
            material: ground.material,
            body: ground.body,
            collider: ground.collider,
            triangle: ground.triangle,
        })
    }

    /// The hit of one sweep on the nearest body, or an overlap.
    fn sweep(&self, query: &GroundSweep) -> Option<SweepHit> {
        let way = WheelSweep::new(query, Vec3::ZERO)?;
        let answering = AnsweringBodies::of(self, &query.filter);
        let start = query.anchor + query.offset.as_dvec3();
        let hit = self.cast_wheel(query, &answering, start, 0.0)?;
        // Of what overlaps at the start Jolt knows no surface: come from farther away.
        let hit = if hit.fraction > 0.0 {
            hit
        } else {
            self.cast_wheel(query, &answering, start, 2.0 * query.shape.radius)?
        };
        let ground = self.ground(hit.body, hit.sub_shape_id)?;
        let normal = against(hit.normal.into(), query.direction, false);
        let point = (DVec3::from(hit.point) - start).as_vec3();
        let exact = sweep_contact(point, normal, &way)?;
        let mut answer = exact.answer(query, ground.material, ground.body, ground.collider);
        answer.ground.triangle = ground.triangle;
        Some(answer)
    }

    /// Jolt's cast of the wheel from `back` (`m`) behind its start.
    fn cast_wheel(
        &self,
        query: &GroundSweep,
        answering: &AnsweringBodies,
        start: DVec3,
        back: f32,
    ) -> Option<ShapeCastHit> {
        let direction = query.direction;
        let from = start - (direction * back).as_dvec3();
        let way = direction * (query.length + back + SPARE);
        // Jolt's cylinders and capsules are about y.
        let turn = Quat::from_rotation_arc(Vec3::Y, math::unit_or_zero(query.axle));
        self.link.shapes.with(&query.shape, |shape| {
            let cast = ShapeCast::new(shape, from.into(), turn.into(), way.into());
            let cast = cast.collide_with_back_faces(true);
            let ask = |filter: &JoltFilter<'_>| self.world.cast_shape(&cast, filter).ok().flatten();
            answering.first(|hit| hit.body, ask)
        })?
    }
}

/// Flag in a body's user data: the shape is a mesh or a heightfield, whose triangles are told apart.
pub const SURFACE: u64 = 1 << 32;

/// The unit normal on the side from which `direction` comes; `−direction` from inside a solid.
fn against(normal: Vec3, direction: Vec3, inside: bool) -> Vec3 {
    if inside || normal == Vec3::ZERO {
        -direction
    } else if normal.dot(direction) > 0.0 {
        -normal
    } else {
        normal
    }
}

/// Jolt's shapes of wheels, which are costly to make.
#[derive(Clone, Default)]
pub(crate) struct WheelShapes(RefCell<Vec<(WheelShape, Arc<Shape>)>>);

impl core::fmt::Debug for WheelShapes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("WheelShapes")
            .field(&self.0.borrow().len())
            .finish()
    }
}

impl WheelShapes {
    /// Calls `act` with the shape; `None` if Jolt has none of this size.
    fn with<T>(&self, wheel: &WheelShape, act: impl FnOnce(&Shape) -> T) -> Option<T> {
        let mut shapes = self.0.borrow_mut();
        let known = shapes.iter().position(|(known, _)| known == wheel);
        let index = match known {
            Some(index) => index,
            None => {
                shapes.push((*wheel, Arc::new(shape(wheel).ok()?)));
                shapes.len() - 1
            }
        };
        Some(act(&shapes[index].1))
    }
}

fn shape(wheel: &WheelShape) -> Result<Shape, oxijolt::ShapeError> {
    let (radius, half_width) = (wheel.radius, wheel.half_width);
    match wheel.kind {
        ShapeKind::Cylinder => Shape::new_cylinder_with_convex_radius(half_width, radius, 0.0),
        ShapeKind::Sphere => Shape::new_sphere(radius),
        ShapeKind::Capsule => Shape::new_capsule(half_width, radius),
        ShapeKind::RoundedDisc => {
            let (_, rim) = wheel.disc_and_rim();
            Shape::new_cylinder_with_convex_radius(rim, radius, rim)
        }
    }
}

impl SceneQuery for JoltScene<'_> {
    /// A ray that is not finite misses.
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one slot per ray");
        let mut slots = hits.iter_mut();
        // Those of a vehicle.
        for rays in rays.chunk_by(|ray, next| ray.filter == next.filter) {
            let answering = AnsweringBodies::of(self, &rays[0].filter);
            for (ray, hit) in rays.iter().zip(slots.by_ref()) {
                *hit = self.cast(ray, &answering);
            }
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

/// The nearest hit of each sweep alone is known.
impl SweepQuery for JoltScene<'_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        assert_eq!(sweeps.len(), hits.len(), "one slot per sweep");
        for (query, hit) in sweeps.iter().zip(hits) {
            *hit = self.sweep(query);
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        for (number, query) in sweeps.iter().enumerate() {
            if let Some(hit) = self.sweep(query) {
                found(number, hit);
            }
        }
    }
}
