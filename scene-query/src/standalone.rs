//! The standalone world: fixed and scripted ground and free rigid bodies, without an engine.

use glam::{DVec3, Quat, Vec3};
use vehicle_core::math;
use vehicle_core::rigid_bodies::{BodyError, BodyState, GroundMotion, RigidBodies};
use vehicle_core::step_result::{Motion, Reaction, StepResult};
use vehicle_core::{BodyId, ColliderId, LockedAxes};

use crate::body::{Body, BodyDesc, as_unit, check_pose, check_velocities};
use crate::constraints::Constraints;
use crate::error::{GroundError, check};
use crate::grounds::{GroundPart, Grounds};
use crate::hull::HullSolver;
use crate::hull_spots::Surroundings;
use crate::joint::{JOINT_ROWS, Joint, JointDesc, JointId};
use crate::platform::Platform;
use crate::scenery::{Scenery, platform_id, platform_index};
use crate::touch::Around;

/// Fixed ground, scripted platforms, and free rigid bodies.
///
/// Bodies use the vehicle frame directly. Their hulls collide with the fixed ground and with wheels that
/// are bodies, not with platforms; with each other, and with rays and sweeps, as
/// [`set_presence`](Self::set_presence) says. Queries find platforms.
///
/// Results are identical bit for bit on every platform. Numbers that are not finite never reach a
/// body: a step result or a reaction with one is silently ignored.
#[derive(Clone, Debug, Default)]
pub struct Standalone {
    pub(crate) scenery: Scenery,
    /// Bodies by id; a removed body leaves its slot empty, so that ids are never reused.
    pub(crate) bodies: Vec<Option<Body>>,
    pub(crate) constraints: Constraints,
    hulls: HullSolver,
}

impl Standalone {
    /// A world of `ground` without bodies.
    #[must_use]
    pub fn new(ground: impl Into<Grounds>) -> Self {
        Self {
            scenery: Scenery {
                ground: ground.into(),
                ..Scenery::default()
            },
            bodies: Vec::new(),
            constraints: Constraints::default(),
            hulls: HullSolver::default(),
        }
    }

    /// The ground, in its original coordinates: [`shift_origin`](Self::shift_origin) does not move
    /// it.
    #[must_use]
    pub const fn ground(&self) -> &Grounds {
        &self.scenery.ground
    }

    /// Adds fixed ground (`m`, in the original coordinates of this world); returns the collider
    /// named by its hits.
    pub fn add_ground(&mut self, part: GroundPart) -> ColliderId {
        self.scenery.ground.0.push(part);
        ColliderId(self.scenery.ground.0.len() as u64 - 1)
    }

    /// The world's origin in its original coordinates (`m`).
    #[must_use]
    pub const fn origin(&self) -> DVec3 {
        self.scenery.origin
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

    /// Replaces pose, velocity, mass, damping and hull of a body, and wakes it; its id, joints, locked axes and the user's force
    /// stay.
    ///
    /// # Errors
    /// If there is no such body, or with every invalid number of the description; nothing is changed then.
    pub fn replace(&mut self, id: BodyId, desc: &BodyDesc) -> Result<(), GroundError> {
        desc.check()?;
        self.body_mut(id)?.describe(desc);
        Ok(())
    }

    /// Puts back a body as it was when [`body`](Self::body) was cloned, with its sleep and all that acts on it: steps from there give
    /// the bits that they gave then. Joints and hulls of other bodies are not part of it.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn restore_body(&mut self, id: BodyId, body: Body) -> Result<(), BodyError> {
        *self.body_mut(id)? = body;
        Ok(())
    }

    /// Adds a platform: queries find its grounds from now on.
    ///
    /// # Errors
    /// With every invalid number of the platform.
    pub fn add_platform(&mut self, mut platform: Platform) -> Result<BodyId, GroundError> {
        platform.check()?;
        platform.rotation = math::unit(platform.rotation);
        self.scenery.platforms.push(platform);
        Ok(platform_id(self.scenery.platforms.len() - 1))
    }

    /// A platform.
    ///
    /// # Errors
    /// If there is no such platform.
    pub fn platform(&self, id: BodyId) -> Result<&Platform, BodyError> {
        platform_index(id)
            .and_then(|index| self.scenery.platforms.get(index))
            .ok_or(BodyError::Missing(id))
    }

    /// Removes a body with its joints and wheel colliders and returns it; its id is never reused.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, BodyError> {
        let absent = self.absent(id);
        let body = self.slot(id).and_then(Option::take).ok_or(absent)?;
        self.constraints.forget(id);
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
        let joints = &mut self.constraints.joints;
        joints.push(Some(Joint::new(desc)));
        Ok(JointId(joints.len() as u64 - 1))
    }

    /// A joint's description; `None` if it or one of its bodies was removed.
    #[must_use]
    pub fn joint(&self, id: JointId) -> Option<&JointDesc> {
        let joints = &self.constraints.joints;
        let joint = joints.get(usize::try_from(id.0).ok()?)?.as_ref()?;
        Some(&joint.desc)
    }

    /// Impulses with which a joint begins its next step (`N·s`, `N·m·s`): all of its state, unless it has a tread. `None` if it is gone.
    #[must_use]
    pub fn joint_impulses(&self, id: JointId) -> Option<[f32; JOINT_ROWS]> {
        let joints = &self.constraints.joints;
        Some(
            joints
                .get(usize::try_from(id.0).ok()?)?
                .as_ref()?
                .impulses(),
        )
    }

    /// Lets a joint begin its next step with these impulses: those of a saved state, or none after its bodies were put elsewhere. A
    /// joint that is gone stays so.
    pub fn set_joint_impulses(&mut self, id: JointId, impulses: [f32; JOINT_ROWS]) {
        let slot = usize::try_from(id.0).ok();
        if let Some(Some(joint)) = slot.and_then(|slot| self.constraints.joints.get_mut(slot)) {
            joint.begin_with(impulses);
        }
    }

    /// A joint's description, to change.
    pub(crate) fn joint_mut(&mut self, id: JointId) -> Option<&mut JointDesc> {
        let joints = &mut self.constraints.joints;
        let joint = joints.get_mut(usize::try_from(id.0).ok()?)?.as_mut()?;
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
        if let Some(joint) = slot.and_then(|slot| self.constraints.joints.get_mut(slot)) {
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

    /// Lets a body neither move along nor turn about these axes of the world from now on, and no others; ends its motion
    /// there, and wakes it. Joints and contacts of hulls push it with its whole mass.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), BodyError> {
        let body = self.body_mut(id)?;
        body.lock(axes);
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
        self.scenery.origin += to;
        for body in self.bodies.iter_mut().flatten() {
            body.now.position -= to;
        }
        for platform in &mut self.scenery.platforms {
            platform.position -= to;
        }
    }

    /// One step of `dt` (`s`) under `gravity` (`m/s²`, world axes), in PhysX's order (semi-implicit
    /// Euler): gravity, accelerations and the user's forces change the velocities; damping; the
    /// limit of angular speed; impulses of the ground on hulls; impulses of joints and of wheels'
    /// contacts; then the pose follows the velocities, the rotation along the exact arc; finally,
    /// bodies that hardly move fall asleep, joined ones together.
    ///
    /// In a world with joints, and while wheels push a body or a wheel collider or two hulls meet something, a
    /// step is made of substeps of at most 1/240 s.
    ///
    /// Gyroscopic torque is omitted, as in PhysX by default. A step that is not > 0 or not finite,
    /// or a gravity that is not finite, does nothing.
    pub fn step(&mut self, gravity: Vec3, dt: f32) {
        if !(dt > 0.0 && dt.is_finite() && gravity.is_finite()) {
            return;
        }
        let up = (-gravity.as_dvec3()).try_normalize();
        let substeps = self.constraints.substeps(&Around {
            scenery: &self.scenery,
            bodies: &self.bodies,
            up,
            h: dt,
        });
        for _ in 0..substeps {
            self.substep(gravity, up, dt / substeps as f32);
        }
        for body in self.bodies.iter_mut().flatten() {
            body.end_step();
        }
    }

    fn substep(&mut self, gravity: Vec3, up: Option<DVec3>, h: f32) {
        let around = Surroundings {
            ground: &self.scenery.ground,
            origin: self.scenery.origin,
            up,
            dt: h,
        };
        for body in self.bodies.iter_mut().flatten() {
            body.accelerate(gravity, h);
        }
        self.hulls
            .approach(&around, self.bodies.iter_mut().flatten());
        self.constraints
            .solve(&self.scenery, &mut self.bodies, (up, h));
        self.hulls.land(h, self.bodies.iter_mut().flatten());
        for platform in &mut self.scenery.platforms {
            platform.advance(h);
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
        self.scenery.platforms.get_mut(platform_index(id)?)
    }

    /// The error for an id without a body.
    fn absent(&self, id: BodyId) -> BodyError {
        match self.platform(id) {
            Ok(_) => BodyError::NotDynamic(id),
            Err(missing) => missing,
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
        if let Ok(platform) = self.platform(id) {
            return Some(platform.motion());
        }
        Some(GroundMotion::of(&self.body(id).ok()?.state()))
    }

    /// A velocity change for a sleeping body is ignored unless it is woken, too.
    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), results.len(), "one result per body");
        for (&id, result) in ids.iter().zip(results) {
            let body = self.body_mut(id)?;
            if result.wake {
                body.wake();
            }
            let mut acceleration = [Vec3::ZERO; 2];
            match result.motion_for(body.is_asleep()) {
                Motion::Keep => {}
                Motion::VelocityChange { linear, angular } => body.add_velocity(linear, angular),
                Motion::Acceleration { linear, angular } => acceleration = [linear, angular],
                Motion::StepMotion {
                    linear,
                    angular,
                    canceled_acceleration,
                    canceled_angular_acceleration,
                } => {
                    body.set_velocity(linear, angular);
                    acceleration = [-canceled_acceleration, -canceled_angular_acceleration];
                }
            }
            body.set_motion(acceleration);
        }
        Ok(())
    }

    /// Reactions accelerate a body over the next step, and wake it.
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
