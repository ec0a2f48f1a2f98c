//! The standalone world: fixed and scripted ground and free rigid bodies, without an engine.

use glam::{DVec3, Quat, Vec3};
use jointed_wheels::rows::Mover;
use vehicle_core::math;
use vehicle_core::outcome::{Motion, Outcome, Reaction};
use vehicle_core::rigid_bodies::{BodyError, BodyState, GroundMotion, RigidBodies};
use vehicle_core::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use vehicle_core::{BodyId, ColliderId, GroundHit, GroundRay, scene_query::SceneQuery};

use crate::body::{Body, BodyDesc, as_unit, check_pose, check_velocities};
use crate::error::{GroundError, check};
use crate::grounds::{GroundPart, Grounds, sweep_all, sweep_first};
use crate::hull::{self, Surroundings};
use crate::joint::{Around, Joint, JointDesc, JointId, SolvedJoint, WheelSet};
use crate::platform::Platform;

/// Fixed ground, scripted platforms, and free rigid bodies.
///
/// Bodies use the vehicle frame directly. Their hulls collide with the fixed ground only, not with
/// platforms or each other, and queries do not find bodies, whatever
/// [`dynamic_bodies`](vehicle_core::QueryFilter::dynamic_bodies) says. Queries find platforms.
///
/// Results are identical bit for bit on every platform. Numbers that are not finite never reach a
/// body: an outcome or a reaction with one is silently ignored.
#[derive(Clone, Debug, Default)]
pub struct Standalone {
    ground: Grounds,
    /// This world's origin in the ground's coordinates (`m`).
    origin: DVec3,
    /// By id; a removed body leaves its slot empty, so that ids are never reused.
    bodies: Vec<Option<Body>>,
    /// By id minus [`PLATFORMS`].
    platforms: Vec<Platform>,
    /// By id; removed with either body.
    joints: Vec<Option<Joint>>,
    /// Jointed wheels of the bodies that have them.
    pub(crate) axles: Vec<WheelSet>,
}

/// First id of platforms.
const PLATFORMS: u64 = 1 << 63;
/// Least rate of substeps in a world with joints (`Hz`).
const JOINT_RATE: f32 = 240.0;
/// Iterations over all joints in a substep, and, after the positions, without pushing.
const ITERATIONS: (usize, usize) = (4, 2);

impl Standalone {
    /// A world of `ground` without bodies.
    #[must_use]
    pub fn new(ground: impl Into<Grounds>) -> Self {
        Self {
            ground: ground.into(),
            origin: DVec3::ZERO,
            bodies: Vec::new(),
            platforms: Vec::new(),
            joints: Vec::new(),
            axles: Vec::new(),
        }
    }

    /// The ground, in its original coordinates: [`shift_origin`](Self::shift_origin) does not move
    /// it.
    #[must_use]
    pub const fn ground(&self) -> &Grounds {
        &self.ground
    }

    /// Adds fixed ground (`m`, in the original coordinates of this world); returns the collider
    /// named by its hits.
    pub fn add_ground(&mut self, part: GroundPart) -> ColliderId {
        self.ground.0.push(part);
        ColliderId(self.ground.0.len() as u64 - 1)
    }

    /// The world's origin in its original coordinates (`m`).
    #[must_use]
    pub const fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Adds a body, awake.
    ///
    /// # Errors
    /// With every invalid number of the description.
    pub fn add(&mut self, desc: &BodyDesc) -> Result<BodyId, GroundError> {
        desc.check()?;
        self.bodies.push(Some(Body::new(desc)));
        Ok(BodyId(self.bodies.len() as u64 - 1))
    }

    /// Adds a platform: queries find its grounds from now on.
    ///
    /// # Errors
    /// With every invalid number of the platform.
    pub fn add_platform(&mut self, mut platform: Platform) -> Result<BodyId, GroundError> {
        platform.check()?;
        platform.rotation = math::unit(platform.rotation);
        self.platforms.push(platform);
        Ok(platform_id(self.platforms.len() - 1))
    }

    /// A platform.
    ///
    /// # Errors
    /// If there is no such platform.
    pub fn platform(&self, id: BodyId) -> Result<&Platform, BodyError> {
        let index = id.0.checked_sub(PLATFORMS);
        index
            .and_then(|index| self.platforms.get(usize::try_from(index).ok()?))
            .ok_or(BodyError::Missing(id))
    }

    /// Removes a body with its joints and returns it; its id is never reused.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, BodyError> {
        let absent = self.absent(id);
        let body = self.slot(id).and_then(Option::take).ok_or(absent)?;
        for slot in &mut self.joints {
            slot.take_if(|joint| joint.desc.bodies.contains(&id));
        }
        self.axles.retain(|axles| axles.chassis != id);
        Ok(body)
    }

    /// Joins two bodies and wakes them.
    ///
    /// # Errors
    /// If a body does not exist or is joined to itself, or with every invalid number.
    pub fn join(&mut self, desc: &JointDesc) -> Result<JointId, GroundError> {
        desc.check()?;
        if desc.bodies[0] == desc.bodies[1] {
            return Err(GroundError::JoinedToItself(desc.bodies[0]));
        }
        for id in desc.bodies {
            self.body(id)?;
        }
        for id in desc.bodies {
            self.body_mut(id)?.wake();
        }
        self.joints.push(Some(Joint::new(desc)));
        Ok(JointId(self.joints.len() as u64 - 1))
    }

    /// A joint's description; `None` if it or one of its bodies was removed.
    #[must_use]
    pub fn joint(&self, id: JointId) -> Option<&JointDesc> {
        let joint = self.joints.get(usize::try_from(id.0).ok()?)?.as_ref()?;
        Some(&joint.desc)
    }

    /// A joint's description, to change.
    pub(crate) fn joint_mut(&mut self, id: JointId) -> Option<&mut JointDesc> {
        let joint = self.joints.get_mut(usize::try_from(id.0).ok()?)?.as_mut()?;
        Some(&mut joint.desc)
    }

    /// Wakes a body.
    pub(crate) fn wake(&mut self, id: BodyId) -> Result<(), BodyError> {
        self.body_mut(id)?.wake();
        Ok(())
    }

    /// Removes a joint; one that is gone stays so.
    pub fn part(&mut self, id: JointId) {
        let slot = usize::try_from(id.0).ok();
        if let Some(joint) = slot.and_then(|slot| self.joints.get_mut(slot)) {
            *joint = None;
        }
    }

    /// A body.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, id: BodyId) -> Result<&Body, BodyError> {
        usize::try_from(id.0)
            .ok()
            .and_then(|index| self.bodies.get(index)?.as_ref())
            .ok_or_else(|| self.absent(id))
    }

    /// Moves a body's center of mass to `position` (`m`, world) with `rotation` (vehicle frame →
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
        check("body", |i| check_pose(i, position, rotation))?;
        let body = self.body_mut(id)?;
        body.now.position = position;
        body.now.rotation = as_unit(rotation);
        body.wake();
        Ok(())
    }

    /// Sets the velocities of a body or a platform, linear (`m/s`) and angular (`rad/s`, world axes),
    /// and wakes the body.
    ///
    /// # Errors
    /// If there is neither, or a number is not finite.
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), GroundError> {
        check("body", |i| check_velocities(i, linear, angular))?;
        if let Some(platform) = self.platform_mut(id) {
            platform.linear_velocity = linear;
            platform.angular_velocity = angular;
            return Ok(());
        }
        let body = self.body_mut(id)?;
        body.set_velocity(linear, angular);
        body.wake();
        Ok(())
    }

    /// Applies a force (`N`) and a torque about the center of mass (`N·m`) to a body, in world
    /// axes, in every step until set again, and wakes the body. Outcomes and reactions act in
    /// addition to it.
    ///
    /// # Errors
    /// If there is no such body or a number is not finite.
    pub fn set_force(&mut self, id: BodyId, force: Vec3, torque: Vec3) -> Result<(), GroundError> {
        check("body", |i| {
            i.finite_vector("force", force, "N");
            i.finite_vector("torque", torque, "N·m");
        })?;
        self.body_mut(id)?.set_push(force, torque);
        Ok(())
    }

    /// Makes `to` (`m`, world) the new origin: the positions of all bodies and platforms change by
    /// `−to`, and the ground stays in place under them. A point that is not finite changes nothing.
    pub fn shift_origin(&mut self, to: DVec3) {
        if !to.is_finite() {
            return;
        }
        self.origin += to;
        for body in self.bodies.iter_mut().flatten() {
            body.now.position -= to;
        }
        for platform in &mut self.platforms {
            platform.position -= to;
        }
    }

    /// One step of `dt` (`s`) under `gravity` (`m/s²`, world axes), in PhysX's order (semi-implicit
    /// Euler): gravity, accelerations and the user's forces change the velocities; damping; the
    /// limit of angular speed; impulses of the ground on hulls; then the pose follows the
    /// velocities, the rotation along the exact arc; finally, bodies that hardly move fall asleep,
    /// joined ones together.
    ///
    /// In a world with joints, a step is made of substeps of at most 1/240 s, each with impulses of
    /// the joints before its poses change.
    ///
    /// Gyroscopic torque is omitted, as in PhysX by default. A step that is not > 0 or not finite,
    /// or a gravity that is not finite, does nothing.
    pub fn step(&mut self, gravity: Vec3, dt: f32) {
        if !(dt > 0.0 && dt.is_finite() && gravity.is_finite()) {
            return;
        }
        let substeps = self.substeps(dt);
        for _ in 0..substeps {
            self.substep(gravity, dt / substeps as f32);
        }
        self.share_sleep();
        for body in self.bodies.iter_mut().flatten() {
            body.end_step();
        }
        for platform in &mut self.platforms {
            platform.advance(dt);
        }
    }

    /// Number of substeps in a step of `dt` (`s`).
    fn substeps(&self, dt: f32) -> usize {
        if self.joints.iter().any(Option::is_some) {
            // Rounding must not add one.
            (dt * JOINT_RATE - 1e-3).ceil().max(1.0) as usize
        } else {
            1
        }
    }

    fn substep(&mut self, gravity: Vec3, h: f32) {
        let around = Surroundings {
            ground: &self.ground,
            origin: self.origin,
            up: (-gravity.as_dvec3()).try_normalize(),
            dt: h,
        };
        for body in self.bodies.iter_mut().flatten() {
            body.accelerate(gravity, h);
            hull::resolve(&around, body);
        }
        for joint in self.joints.iter().flatten() {
            joint.precess(&mut self.bodies, h);
        }
        let mut solved = self.start_joints(h);
        for (relax, iterations) in [(false, ITERATIONS.0), (true, ITERATIONS.1)] {
            let (joints, movers) = &mut solved;
            for _ in 0..iterations {
                joints
                    .iter_mut()
                    .for_each(|joint| joint.solve(movers, relax));
            }
            for (body, mover) in self.bodies.iter_mut().zip(movers) {
                let (Some(body), Some(mover)) = (body, mover) else {
                    continue;
                };
                body.follow(mover);
                if !relax {
                    body.advance(h);
                }
            }
        }
        for (joint, solved) in self.joints.iter_mut().flatten().zip(&solved.0) {
            joint.remember(solved);
        }
    }

    /// All joints of a substep, and the bodies as they know them.
    fn start_joints(&self, h: f32) -> (Vec<SolvedJoint>, Vec<Option<Mover>>) {
        let around = Around {
            bodies: &self.bodies,
            ground: &self.ground,
            origin: self.origin,
            h,
        };
        let bodies = self.bodies.iter();
        let mut movers: Vec<_> = bodies.map(|body| body.as_ref().map(Body::mover)).collect();
        let joints = self.joints.iter().flatten();
        let joints = joints
            .map(|joint| joint.start(&around, &mut movers))
            .collect();
        (joints, movers)
    }

    /// Of joined bodies, one that is awake keeps the other awake.
    fn share_sleep(&mut self) {
        for joint in self.joints.iter().flatten() {
            let bodies = joint.desc.bodies.map(|id| id.0 as usize);
            let asleep = |n: usize| self.bodies[bodies[n]].as_ref().map(Body::is_asleep);
            let sleeper = match [asleep(0), asleep(1)] {
                [Some(true), Some(false)] => bodies[0],
                [Some(false), Some(true)] => bodies[1],
                _ => continue,
            };
            if let Some(body) = &mut self.bodies[sleeper] {
                body.sleep.asleep = false;
            }
        }
    }

    fn slot(&mut self, id: BodyId) -> Option<&mut Option<Body>> {
        self.bodies.get_mut(usize::try_from(id.0).ok()?)
    }

    pub(crate) fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, BodyError> {
        let absent = self.absent(id);
        self.slot(id).and_then(Option::as_mut).ok_or(absent)
    }

    fn platform_mut(&mut self, id: BodyId) -> Option<&mut Platform> {
        let index = usize::try_from(id.0.checked_sub(PLATFORMS)?).ok()?;
        self.platforms.get_mut(index)
    }

    /// The error for an id without a body.
    fn absent(&self, id: BodyId) -> BodyError {
        match self.platform(id) {
            Ok(_) => BodyError::NotDynamic(id),
            Err(missing) => missing,
        }
    }

    /// The nearest hit of a ray; the fixed ground's if a platform is equally near.
    fn answer(&self, ray: &GroundRay) -> Option<GroundHit> {
        let fixed = self.ground.answer(&GroundRay {
            anchor: ray.anchor + self.origin,
            ..*ray
        });
        let platforms = self.platforms.iter().enumerate();
        platforms.fold(fixed, |nearest, (index, platform)| {
            let body = Some(platform_id(index));
            if ray.filter.ignore.contains(&body) {
                return nearest;
            }
            let hit = platform.answer(ray).map(|hit| GroundHit {
                body,
                collider: platform_collider(index, hit.collider),
                ..hit
            });
            match (nearest, hit) {
                (Some(nearest), Some(hit)) if hit.distance < nearest.distance => Some(hit),
                (nearest, hit) => nearest.or(hit),
            }
        })
    }

    /// Calls `found` with all hits of one sweep, the fixed ground's first.
    fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let shifted = GroundSweep {
            anchor: query.anchor + self.origin,
            ..*query
        };
        self.ground.sweep(&shifted, found);
        for (index, platform) in self.platforms.iter().enumerate() {
            let body = Some(platform_id(index));
            if query.filter.ignore.contains(&body) {
                continue;
            }
            platform.sweep(query, &mut |hit| {
                let ground = GroundHit {
                    body,
                    collider: platform_collider(index, hit.ground.collider),
                    ..hit.ground
                };
                found(SweepHit { ground, ..hit });
            });
        }
    }
}

fn platform_id(index: usize) -> BodyId {
    BodyId(PLATFORMS + index as u64)
}

/// The collider of a platform's part: beyond those of any fixed ground.
fn platform_collider(index: usize, part: ColliderId) -> ColliderId {
    ColliderId(((index as u64 + 1) << 32) | part.0)
}

impl SceneQuery for Standalone {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one hit per ray");
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.answer(ray);
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for Standalone {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        sweep_first(sweeps, hits, |query, found| self.sweep(query, found));
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        sweep_all(sweeps, found, |query, found| self.sweep(query, found));
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
        if let Ok(platform) = self.platform(id) {
            return Some(platform.motion());
        }
        Some(GroundMotion::of(&self.body(id).ok()?.state()))
    }

    /// A velocity change for a sleeping body is ignored unless it is woken, too.
    fn apply(&mut self, ids: &[BodyId], outcomes: &[Outcome]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), outcomes.len(), "one outcome per body");
        for (&id, outcome) in ids.iter().zip(outcomes) {
            let body = self.body_mut(id)?;
            if outcome.wake {
                body.wake();
            }
            let mut acceleration = [Vec3::ZERO; 2];
            match outcome.motion_for(body.is_asleep()) {
                Motion::Keep => {}
                Motion::VelocityChange { linear, angular } => body.add_velocity(linear, angular),
                Motion::Acceleration { linear, angular } => acceleration = [linear, angular],
                Motion::StepMotion {
                    linear,
                    angular,
                    carried,
                    carried_angular,
                } => {
                    body.set_velocity(linear, angular);
                    acceleration = [-carried, -carried_angular];
                }
            }
            body.set_motion(acceleration);
        }
        Ok(())
    }

    /// Queries do not find the bodies of this world, but reactions still act: they accelerate the
    /// body over the next step, unless it sleeps.
    fn react(&mut self, reactions: &[Reaction]) {
        for reaction in reactions.iter().filter(|reaction| reaction.acts()) {
            let Ok(body) = self.body_mut(reaction.body) else {
                continue;
            };
            let arm = (reaction.anchor - body.now.position).as_vec3() + reaction.offset;
            let turn = body.over_inertia(arm.cross(reaction.force) + reaction.torque);
            body.wake();
            body.add_reaction(reaction.force / body.now.mass, turn);
        }
    }
}

#[cfg(test)]
mod tests;
