//! What only some worlds can do.
//!
//! A world answers [`World::platforms`] and its like with the ability or with `None`. The methods of
//! `dyn World` here carry out what an ability does, or say once and in one way that the world lacks it.

use core::any::Any;

use glam::{DVec3, Quat, Vec3};
use jounce::core::{BodyId, ColliderId, RigidWheels, Vehicle};
use jounce::scene::BodyDesc;

use super::World;
use super::collider::ColliderSpec;
use crate::error::ProvingError;

/// Colliders beside the terrain.
pub trait Colliders {
    /// Adds a collider: rays find it from now on.
    ///
    /// # Errors
    /// If a number of it breaks a rule, it names a body that is not there, or the world has no such
    /// collider.
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError>;
}

/// Free boxes that meet cars.
pub trait Boxes {
    /// Adds a free box, awake, which meets the chassis of cars and the ground: the body's hull.
    ///
    /// # Errors
    /// As [`World::add_body`].
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError>;
}

/// Ground that moves.
pub trait Platforms {
    /// Adds a level square slab at rest, 2 [`PLATFORM_REACH`](super::PLATFORM_REACH) wide, that a script
    /// moves. The middle of its top is at `top` (`m`, world); it turns about that. Rays find it from now on.
    ///
    /// # Errors
    /// If a number is not finite.
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError>;

    /// Lets a platform move with these velocities, linear (`m/s`) and angular (`rad/s`, world axes),
    /// until they are set anew.
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

/// Wheels that run into things.
pub trait WheelColliders {
    /// Gives a car's body wheels that share their contacts with its suspension: what is not the
    /// suspension's, they run into.
    ///
    /// # Errors
    /// If the id of its body names no dynamic body.
    fn add_wheels(&mut self, vehicle: &Vehicle, settings: RigidWheels) -> Result<(), ProvingError>;

    /// Tells the wheels that were added how the car turns them, between its update and
    /// [`World::advance`].
    fn turn_wheels(&mut self, vehicle: &Vehicle);
}

/// What a game does to bodies between steps.
pub trait Handling {
    /// Takes a body out, with its colliders. Its id names nothing from now on.
    ///
    /// # Errors
    /// If there is no such body.
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError>;

    /// Pushes a body at its centre of mass with `force` (`N`, world axes), in every step until it is
    /// pushed anew, and wakes it. The world itself does it, as for any user of the engine: cars
    /// are not told. To be called before the update of a step.
    ///
    /// # Errors
    /// If the id names no dynamic body.
    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError>;

    /// Moves a body by `by` (`m`, world axes) at once, keeps its velocities and wakes it.
    ///
    /// # Errors
    /// If the id names no dynamic body.
    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError>;

    /// Puts a body's centre of mass at `position` (`m`, world) with `rotation` (vehicle frame → world),
    /// at rest, and wakes it.
    ///
    /// # Errors
    /// If the id names no dynamic body.
    fn place(&mut self, id: BodyId, position: DVec3, rotation: Quat) -> Result<(), ProvingError>;

    /// Makes `to` (`m`, world) the new origin: everything is where it was, and its coordinates are
    /// smaller by `to`. Cars are not told.
    fn shift_origin(&mut self, to: DVec3);
}

/// Joints between bodies.
pub trait Joints {
    /// Joins two bodies at a point [m, world]: a ball that pulls and pushes, about which they turn.
    /// They do not collide any more.
    ///
    /// # Errors
    /// If an id names no dynamic body.
    fn join(&mut self, a: BodyId, b: BodyId, at: DVec3) -> Result<(), ProvingError>;
}

/// What a world was at one time, for [`Snapshots::restore`].
pub struct Snapshot(Box<dyn Any>);

impl core::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Keeps what a world saves of itself.
    pub fn new<T: 'static>(saved: T) -> Self {
        Self(Box::new(saved))
    }

    /// What it holds, if it is of the world that is called `world`.
    ///
    /// # Errors
    /// If it is of another kind of world.
    pub fn of<T: 'static>(&self, world: &'static str) -> Result<&T, ProvingError> {
        let other = ProvingError::OtherWorld { world };
        self.0.downcast_ref().ok_or(other)
    }
}

/// Copies of the whole world.
pub trait Snapshots {
    /// Everything that the world's future depends on. To be taken after a step, before the next
    /// update.
    fn snapshot(&self) -> Snapshot;

    /// Makes the world what it was: it goes on to the bit as it did then.
    ///
    /// # Errors
    /// If the snapshot is of another kind of world.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError>;
}

impl dyn World + '_ {
    fn needed<'w, T: ?Sized>(
        &'w mut self,
        ability: fn(&'w mut Self) -> Option<&'w mut T>,
        what: &'static str,
    ) -> Result<&'w mut T, ProvingError> {
        let world = self.name();
        ability(self).ok_or(ProvingError::Lacks { world, what })
    }

    /// [`Colliders::add_collider`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        Self::needed(self, |world| world.colliders(), "colliders of its own")?.add_collider(spec)
    }

    /// [`Boxes::add_box`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        Self::needed(self, |world| world.boxes(), "boxes")?.add_box(desc)
    }

    /// [`Platforms::add_platform`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        Self::needed(self, |world| world.platforms(), "platforms")?.add_platform(top)
    }

    /// [`Platforms::set_platform_velocity`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.platforms(), "platforms")?
            .set_platform_velocity(id, linear, angular)
    }

    /// [`WheelColliders::add_wheels`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn add_wheels(
        &mut self,
        vehicle: &Vehicle,
        settings: RigidWheels,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.wheels(), "wheels that run into things")?
            .add_wheels(vehicle, settings)
    }

    /// [`WheelColliders::turn_wheels`], where this world has such wheels.
    pub fn turn_wheels(&mut self, vehicle: &Vehicle) {
        if let Some(wheels) = self.wheels() {
            wheels.turn_wheels(vehicle);
        }
    }

    /// [`Handling::remove_body`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.remove_body(id)
    }

    /// [`Handling::push`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.push(id, force)
    }

    /// [`Handling::teleport`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.teleport(id, by)
    }

    /// [`Handling::place`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn place(
        &mut self,
        id: BodyId,
        position: DVec3,
        rotation: Quat,
    ) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?
            .place(id, position, rotation)
    }

    /// [`Handling::shift_origin`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn shift_origin(&mut self, to: DVec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.handling(), "handling of bodies")?.shift_origin(to);
        Ok(())
    }

    /// [`Joints::join`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn join(&mut self, a: BodyId, b: BodyId, at: DVec3) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.joints(), "joints")?.join(a, b, at)
    }

    /// [`Snapshots::snapshot`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn snapshot(&mut self) -> Result<Snapshot, ProvingError> {
        Ok(Self::needed(self, |world| world.snapshots(), "snapshots")?.snapshot())
    }

    /// [`Snapshots::restore`].
    ///
    /// # Errors
    /// As that, and if this world has none.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError> {
        Self::needed(self, |world| world.snapshots(), "snapshots")?.restore(snapshot)
    }
}
