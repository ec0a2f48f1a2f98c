//! The standalone world: fixed ground and free rigid bodies, without an engine.

use glam::{DVec3, Quat, Vec3};
use vehicle_core::outcome::{Motion, Outcome, Reaction};
use vehicle_core::rigid_bodies::{BodyError, BodyState, GroundMotion, RigidBodies};
use vehicle_core::scene_query::{BodyId, GroundHit, GroundRay, SceneQuery};

use crate::body::{Body, BodyDesc, check_rotation};
use crate::error::{GroundError, check, finite_point};
use crate::grounds::Grounds;
use crate::hull;

/// Fixed ground and free rigid bodies.
///
/// Bodies use the vehicle frame directly. They meet the ground with their hulls and nothing else:
/// they do not meet each other and are no ground for queries, whatever
/// [`dynamic_bodies`](vehicle_core::QueryFilter::dynamic_bodies) says.
///
/// Everything it does is the same bit by bit on every platform. Numbers that are not finite never
/// reach a body: an outcome or a reaction with one is refused, silently.
#[derive(Clone, Debug, Default)]
pub struct Standalone {
    ground: Grounds,
    /// Where this world's origin is for the ground [m].
    origin: DVec3,
    /// By id; a removed body leaves its place empty, so that ids are never used twice.
    bodies: Vec<Option<Body>>,
}

impl Standalone {
    /// A world of `ground` without bodies.
    #[must_use]
    pub fn new(ground: impl Into<Grounds>) -> Self {
        Self {
            ground: ground.into(),
            origin: DVec3::ZERO,
            bodies: Vec::new(),
        }
    }

    /// The ground, in the coordinates that it was made in: [`shift_origin`](Self::shift_origin)
    /// does not move it.
    #[must_use]
    pub const fn ground(&self) -> &Grounds {
        &self.ground
    }

    /// Adds a body, awake.
    ///
    /// # Errors
    /// With every number of the description that breaks its rule.
    pub fn add(&mut self, desc: &BodyDesc) -> Result<BodyId, GroundError> {
        desc.check()?;
        self.bodies.push(Some(Body::new(desc)));
        Ok(BodyId(self.bodies.len() as u64 - 1))
    }

    /// Takes a body out and returns it; its id is never used again.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, BodyError> {
        self.slot(id)
            .and_then(Option::take)
            .ok_or(BodyError::Missing(id))
    }

    /// A body.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, id: BodyId) -> Result<&Body, BodyError> {
        usize::try_from(id.0)
            .ok()
            .and_then(|index| self.bodies.get(index)?.as_ref())
            .ok_or(BodyError::Missing(id))
    }

    /// Puts a body's centre of mass at `position` [m, world] with `rotation` (vehicle frame →
    /// world), keeps its velocities and wakes it.
    ///
    /// # Errors
    /// If there is no such body, the position is not finite or the rotation is not of unit length
    /// within 1 %.
    pub fn set_pose(
        &mut self,
        id: BodyId,
        position: DVec3,
        rotation: Quat,
    ) -> Result<(), GroundError> {
        check("body", |i| {
            finite_point(i, "position", position, "m");
            check_rotation(i, rotation);
        })?;
        let body = self.body_mut(id)?;
        body.now.position = position;
        body.now.rotation = vehicle_core::math::unit(rotation);
        body.wake();
        Ok(())
    }

    /// Sets a body's velocities, linear [m/s] and angular [rad/s, world axes], and wakes it.
    ///
    /// # Errors
    /// If there is no such body or a number is not finite.
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), GroundError> {
        check("body", |i| {
            i.finite_vector("linear_velocity", linear, "m/s");
            i.finite_vector("angular_velocity", angular, "rad/s");
        })?;
        let body = self.body_mut(id)?;
        body.now.linear_velocity = linear;
        body.now.angular_velocity = angular;
        body.wake();
        Ok(())
    }

    /// Makes `to` [m, world] the new origin: every body's position changes by `−to`, and the
    /// ground is where it was under them. A point that is not finite changes nothing.
    pub fn shift_origin(&mut self, to: DVec3) {
        if !to.is_finite() {
            return;
        }
        self.origin += to;
        for body in self.bodies.iter_mut().flatten() {
            body.now.position -= to;
        }
    }

    /// One step of `dt` [s] under `gravity` [m/s², world axes], in PhysX's order (semi-implicit
    /// Euler): gravity and accelerations change the velocities; damping; the limit of angular
    /// speed; impulses of the ground on hulls; then the pose follows the velocities, the rotation
    /// along the exact arc; last, what hardly moves falls asleep.
    ///
    /// Gyroscopic torque is left out, as PhysX does by default. A step that is not > 0 or not
    /// finite, or such a gravity, does nothing.
    pub fn step(&mut self, gravity: Vec3, dt: f32) {
        if !(dt > 0.0 && dt.is_finite() && gravity.is_finite()) {
            return;
        }
        let up = (-gravity.as_dvec3()).try_normalize();
        for body in self.bodies.iter_mut().flatten() {
            body.accelerate(gravity, dt);
            // Hulls meet the ground in its own coordinates.
            body.now.position += self.origin;
            hull::resolve(&self.ground, body, up, dt);
            body.now.position -= self.origin;
            body.advance(dt);
        }
    }

    fn slot(&mut self, id: BodyId) -> Option<&mut Option<Body>> {
        self.bodies.get_mut(usize::try_from(id.0).ok()?)
    }

    fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, BodyError> {
        self.slot(id)
            .and_then(Option::as_mut)
            .ok_or(BodyError::Missing(id))
    }
}

impl SceneQuery for Standalone {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one hit per ray");
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.ground.answer(&GroundRay {
                anchor: ray.anchor + self.origin,
                ..*ray
            });
        }
    }
}

impl RigidBodies for Standalone {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), out.len(), "one state per body");
        for (&id, out) in ids.iter().zip(out) {
            *out = self.body(id)?.state();
        }
        Ok(())
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        let now = self.body(id).ok()?.now();
        Some(GroundMotion {
            position: now.position,
            linear_velocity: now.linear_velocity,
            angular_velocity: now.angular_velocity,
            mass: Some(now.mass),
        })
    }

    /// A velocity change for a body that sleeps, and is not woken, is refused: it stands still
    /// until woken.
    fn apply(&mut self, ids: &[BodyId], outcomes: &[Outcome]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), outcomes.len(), "one outcome per body");
        for (&id, outcome) in ids.iter().zip(outcomes) {
            let body = self.body_mut(id)?;
            if outcome.wake {
                body.wake();
            }
            match outcome.motion {
                Motion::Keep => {}
                Motion::VelocityChange { linear, angular } => body.add_velocity(linear, angular),
                Motion::Acceleration { linear, angular } => body.add_acceleration(linear, angular),
            }
        }
        Ok(())
    }

    /// Nobody stands on a body of this world, but a force is a force: it accelerates the body
    /// over the next step, unless it sleeps.
    fn react(&mut self, reactions: &[Reaction]) {
        for reaction in reactions {
            let Ok(body) = self.body_mut(reaction.body) else {
                continue;
            };
            let arm = (reaction.anchor - body.now.position).as_vec3() + reaction.offset;
            let turn = body.over_inertia(arm.cross(reaction.force));
            body.add_acceleration(reaction.force / body.now.mass, turn);
        }
    }
}
