//! Abilities that only some worlds have.
//!
//! A world returns the ability or `None` from [`World::platforms`] and the other accessors. The
//! methods of `dyn World` here call the ability, or report uniformly that the world lacks it.

use core::any::Any;

use glam::{DVec3, Quat, Vec3};
use jounce::core::{
    BodyId, ColliderId, LockedAxes, Motion, StepResult, Vehicle, WheelColliderSettings,
};
use jounce::jointed::JointedWheels;
use jounce::scene::{BodyDesc, CouplingJoint};

use super::World;
use super::collider::ColliderSpec;
use crate::error::ProvingError;

/// Colliders besides the terrain.
pub trait Colliders {
    /// Adds a collider: rays find it from now on.
    ///
    /// # Errors
    /// If a number violates its rule, [`ColliderSpec::check`], a named body does not exist, or the
    /// world has no such collider.
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError>;
}

/// Free boxes that collide with cars, and cars as ground of others.
///
/// Hulls of boxes and cars collide with the ground and with each other, as their
/// [layers](jounce::scene::CollisionBox::layers) say, unless they are [coupled](Joints) without contact. Of two hulls,
/// the smaller friction decides; ground has none of its own and takes that of the hull on it.
///
/// Rays find the hulls of boxes, but not those of cars until [`Boxes::drive_on_vehicles`].
pub trait Boxes {
    /// Adds a free box, awake, which collides with the chassis of cars and the ground: the body's
    /// hull.
    ///
    /// # Errors
    /// As [`World::add_body`].
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError>;

    /// Lets wheels stand on other cars, too, from now on.
    fn drive_on_vehicles(&mut self);
}

/// Moving ground.
pub trait Platforms {
    /// Adds a level square slab at rest, of twice [`PLATFORM_HALF`](super::PLATFORM_HALF), moved by
    /// a script. The center of its top is at `top` (`m`, world), also the center of rotation. Rays
    /// find it from now on.
    ///
    /// # Errors
    /// If a number is not finite.
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError>;

    /// Sets a platform's velocities, linear (`m/s`) and angular (`rad/s`, world axes), until set
    /// again.
    ///
    /// # Errors
    /// If there is no such platform.
    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError>;
}

/// Platforms that follow poses.
pub trait GuidedPlatforms {
    /// Lets a platform arrive within the next step where the center of its top is at `top` (`m`, world), turned by
    /// `rotation` from its first orientation.
    ///
    /// # Errors
    /// If there is no such platform.
    fn guide_platform(
        &mut self,
        id: BodyId,
        top: DVec3,
        rotation: Quat,
    ) -> Result<(), ProvingError>;
}

/// Wheel colliders.
pub trait CollidingWheels {
    /// Adds wheels to a car's body that share their contacts with its suspension: contacts that the
    /// suspension does not handle are rigid.
    ///
    /// # Errors
    /// If the id of its body does not name a dynamic body.
    fn add_wheels(
        &mut self,
        vehicle: &Vehicle,
        settings: WheelColliderSettings,
    ) -> Result<(), ProvingError>;

    /// Passes the motion of the car's wheels to the added wheels, between its update and
    /// [`World::advance`].
    fn turn_wheels(&mut self, vehicle: &Vehicle);
}

/// Manipulation of bodies between steps.
pub trait Handling {
    /// Removes a body with its colliders. Its id is invalid from now on.
    ///
    /// # Errors
    /// If there is no such body.
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError>;

    /// Applies `force` (`N`, world axes) at a body's center of mass in every step until set again,
    /// and wakes it. Cars are not informed, as they are not of other forces of an engine's user. Call it
    /// before the update of a step.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError>;

    /// Moves a body by `by` (`m`, world axes) immediately, keeps its velocities and wakes it.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError>;

    /// Moves a body's center of mass to `position` (`m`, world) with `rotation` (vehicle frame →
    /// world), at rest, and wakes it.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    fn place(&mut self, id: BodyId, position: DVec3, rotation: Quat) -> Result<(), ProvingError>;

    /// Makes `to` (`m`, world) the new origin: nothing moves, but all coordinates decrease by `to`.
    /// Cars are not informed.
    fn shift_origin(&mut self, to: DVec3);
}

/// Joints between bodies.
pub trait Joints {
    /// Couples two bodies at a point (`m`, world): the second one swings behind the first within the coupling's
    /// limits, against the axes that their frames have in common.
    ///
    /// Worlds measure pitch and roll as their engines do; their implementations document the limits and stiffnesses that they
    /// have.
    ///
    /// # Errors
    /// If an id does not name a dynamic body.
    fn couple(
        &mut self,
        bodies: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError>;
}

/// Bodies that do not move along or turn about some axes of the world.
pub trait AxisLocks {
    /// Locks these axes of a body (world), and no others, ends its motion along and about them, and wakes it.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), ProvingError>;
}

/// The saved state of a world, for [`Snapshots::restore`].
pub struct Snapshot(Box<dyn Any>);

impl core::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Wraps a world's saved state.
    pub fn new<T: 'static>(saved: T) -> Self {
        Self(Box::new(saved))
    }

    /// Contents of the snapshot, if it is from the world called `world`.
    ///
    /// # Errors
    /// If it is from another kind of world.
    pub fn of<T: 'static>(&self, world: &'static str) -> Result<&T, ProvingError> {
        let other = ProvingError::OtherWorld { world };
        self.0.downcast_ref().ok_or(other)
    }
}

/// Copies of the whole world.
pub trait Snapshots {
    /// Saves everything that determines the world's future. Call it after a step, before the next update.
    fn snapshot(&self) -> Snapshot;

    /// Restores the world: it continues bit for bit as it did then.
    ///
    /// # Errors
    /// If the snapshot is from another kind of world.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError>;
}

impl dyn World + '_ {
    /// An ability of the world, or the error that it lacks `what`.
    fn needed<'w, T: ?Sized>(
        &'w mut self,
        ability: fn(&'w mut Self) -> Option<&'w mut T>,
        what: &'static str,
    ) -> Result<&'w mut T, ProvingError> {
        let world = self.name();
        ability(self).ok_or(ProvingError::Lacks { world, what })
    }

    /// Adds a collider: [`Colliders::add_collider`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        Self::needed(self, |world| world.colliders(), "colliders of its own")?.add_collider(spec)
    }

    /// Adds a free box: [`Boxes::add_box`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        Self::needed(self, |world| world.boxes(), "boxes")?.add_box(desc)
    }

    /// Lets wheels stand on other cars: [`Boxes::drive_on_vehicles`].
    ///
    /// # Errors
    /// If this world lacks the ability.
    pub fn drive_on_vehicles(&mut self) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.boxes(), "cars as ground")?.drive_on_vehicles();
        Ok(())
    }

    /// Adds a platform: [`Platforms::add_platform`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        Self::needed(self, |world| world.platforms(), "platforms")?.add_platform(top)
    }

    /// Sets a platform's velocities: [`Platforms::set_platform_velocity`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.platforms(), "platforms")?
            .set_platform_velocity(id, linear, angular)
    }

    /// Lets a platform arrive at a pose within the next step: [`GuidedPlatforms::guide_platform`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn guide_platform(
        &mut self,
        id: BodyId,
        top: DVec3,
        rotation: Quat,
    ) -> Result<(), ProvingError> {
        let platforms = Self::needed(self, |world| world.guided_platforms(), "guided platforms")?;
        platforms.guide_platform(id, top, rotation)
    }

    /// Adds wheel colliders to a car's body: [`CollidingWheels::add_wheels`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn add_wheels(
        &mut self,
        vehicle: &Vehicle,
        settings: WheelColliderSettings,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.wheels(), "wheels that run into things")?
            .add_wheels(vehicle, settings)
    }

    /// Passes the motion of a car's wheels to its wheel colliders, if this world has them:
    /// [`CollidingWheels::turn_wheels`].
    pub fn turn_wheels(&mut self, vehicle: &Vehicle) {
        if let Some(wheels) = self.wheels() {
            wheels.turn_wheels(vehicle);
        }
    }

    /// Removes a body: [`Handling::remove_body`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.remove_body(id)
    }

    /// Applies a force to a body in every step: [`Handling::push`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.push(id, force)
    }

    /// Changes a body's velocities at once, linear by `linear` (`m/s`, world axes) and angular by `angular` (`rad/s`), and
    /// wakes it: an impulse.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    pub fn kick(&mut self, id: BodyId, linear: Vec3, angular: Vec3) -> Result<(), ProvingError> {
        let motion = Motion::VelocityChange { linear, angular };
        Ok(self.apply(&[id], &[StepResult { motion, wake: true }])?)
    }

    /// Moves a body by a displacement at once: [`Handling::teleport`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.teleport(id, by)
    }

    /// Places a body at rest in a pose: [`Handling::place`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn place(
        &mut self,
        id: BodyId,
        position: DVec3,
        rotation: Quat,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?
            .place(id, position, rotation)
    }

    /// Moves the origin of the world's coordinates: [`Handling::shift_origin`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn shift_origin(&mut self, to: DVec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.shift_origin(to);
        Ok(())
    }

    /// Couples two bodies: [`Joints::couple`].
    ///
    /// # Errors
    /// As the ability, or if this world lacks it.
    pub fn couple(
        &mut self,
        bodies: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.joints(), "joints")?.couple(bodies, at, coupling)
    }

    /// Joins two bodies at a point (`m`, world) with a ball joint. They no longer collide with each other.
    ///
    /// # Errors
    /// As [`Joints::couple`], or if this world lacks joints.
    pub fn join(&mut self, a: BodyId, b: BodyId, at: DVec3) -> Result<(), ProvingError> {
        self.couple([a, b], at, &CouplingJoint::FREE)
    }

    /// Locks axes of a body: [`AxisLocks::lock_axes`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.axis_locks(), "locked axes")?.lock_axes(id, axes)
    }

    /// The world's wheels on joints: [`World::jointed_wheels`].
    ///
    /// # Errors
    /// If this world lacks the ability.
    pub fn on_joints(&mut self) -> Result<Box<dyn JointedWheels + '_>, ProvingError> {
        let world = self.name();
        let what = "wheels that are bodies on joints";
        self.jointed_wheels()
            .ok_or(ProvingError::Lacks { world, what })
    }

    /// Saves the state of the world: [`Snapshots::snapshot`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn snapshot(&mut self) -> Result<Snapshot, ProvingError> {
        Ok(Self::needed(self, |world| world.snapshots(), "snapshots")?.snapshot())
    }

    /// Restores a saved state of the world: [`Snapshots::restore`].
    ///
    /// # Errors
    /// The same, or if this world lacks the ability.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.snapshots(), "snapshots")?.restore(snapshot)
    }
}
