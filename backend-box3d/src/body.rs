//! Chassis and ground bodies.

use std::collections::HashMap;

use boxddd::{BodyType, MassData, World};
use glam::{Mat3, Vec3};
use vehicle_core::{
    BodyError, BodyId, BodyState, GroundMotion, Motion, Reaction, RigidBodies, StepResult, math,
};

use crate::convert::{
    from_matrix, from_motion_locks, from_position, from_rotation, from_vector, matrix, position,
    vector,
};
use crate::{Box3dLink, Box3dScene, Box3dWorld};

/// Gives a chassis exactly these mass properties, whatever shapes it has. Create its shapes before
/// this, or with `update_body_mass(false)`.
///
/// * `mass` (`kg`), > 0.
/// * `inertia`: tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see [`vehicle_core::inertia`].
/// * `center_of_mass` from the vehicle's origin (`m`, vehicle axes).
///
/// # Errors
/// If the id does not name a dynamic body.
pub fn set_mass_properties(
    world: &mut World,
    link: &Box3dLink,
    chassis: BodyId,
    mass: f32,
    inertia: Mat3,
    center_of_mass: Vec3,
) -> Result<(), BodyError> {
    let body = of_type(link, world, chassis, BodyType::Dynamic)?;
    let frame = link.frame(chassis);
    let data = MassData {
        mass,
        center: vector(frame.to_body(center_of_mass)),
        inertia: matrix(frame.tensor_to_body(inertia)),
    };
    let set = world.set_body_mass_data(body, data);
    set.map_err(|_| BodyError::NotDynamic(chassis))
}

/// A force (`N`) and a torque about the center of mass (`N·m`), in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct BoxPush {
    force: Vec3,
    torque: Vec3,
}

/// Effect of the step results on a body in the coming step.
#[derive(Clone, Copy, Debug, Default)]
struct BoxServed {
    /// The force of the body's own vehicle.
    motion: BoxPush,
    /// Whether the body is kept awake in this step, though it may sleep.
    kept_awake: bool,
}

/// Effects of the step results on all bodies in the coming step.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxLedger(HashMap<boxddd::BodyId, BoxServed>);

impl BoxLedger {
    fn entry(&mut self, body: boxddd::BodyId) -> &mut BoxServed {
        self.0.entry(body).or_default()
    }

    /// Box3D itself has ended the forces.
    pub(crate) fn close(&mut self, world: &mut World) {
        for (body, served) in self.0.drain() {
            if served.kept_awake {
                // An error: the body was removed.
                let _ = world.enable_body_sleep(body, true);
            }
        }
    }
}

/// A body of a type; an error if it is of another.
fn of_type(
    link: &Box3dLink,
    world: &World,
    id: BodyId,
    kind: BodyType,
) -> Result<boxddd::BodyId, BodyError> {
    let body = link.body(id).ok_or(BodyError::Missing(id))?;
    match world.body_type(body) {
        Ok(found) if found == kind => Ok(body),
        Ok(_) => Err(BodyError::NotDynamic(id)),
        Err(_) => Err(BodyError::Missing(id)),
    }
}

/// A dynamic body with a mass.
fn dynamic(link: &Box3dLink, world: &World, id: BodyId) -> Result<boxddd::BodyId, BodyError> {
    let body = of_type(link, world, id, BodyType::Dynamic)?;
    let heavy = world.body_mass(body).is_ok_and(|mass| mass > 0.0);
    heavy.then_some(body).ok_or(BodyError::NotDynamic(id))
}

/// Inertia tensor about the center of mass (`kg·m²`, world axes).
fn world_inertia(world: &World, body: boxddd::BodyId) -> boxddd::Result<Mat3> {
    let axes = math::matrix(from_rotation(world.body_rotation(body)?));
    let local = from_matrix(world.body_local_rotational_inertia(body)?);
    Ok(axes * local * axes.transpose())
}

impl Box3dScene<'_> {
    /// Writes the state of `ids[i]` to `out[i]`, by the rules of [`RigidBodies::read`].
    ///
    /// # Errors
    /// For the first id that does not name a dynamic body.
    ///
    /// # Panics
    /// If `ids.len() != out.len()`.
    pub fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), out.len(), "one slot per body");
        for (&id, state) in ids.iter().zip(out) {
            let body = dynamic(self.link, self.world, id)?;
            *state = self.state(id, body).map_err(|_| BodyError::Missing(id))?;
        }
        Ok(())
    }

    /// The motion of a body under a wheel; `None` if it is fixed or does not exist.
    #[must_use]
    pub fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        let world = self.world;
        if let Ok(body) = dynamic(self.link, world, id) {
            return Some(GroundMotion::of(&self.state(id, body).ok()?));
        }
        let body = of_type(self.link, world, id, BodyType::Kinematic).ok()?;
        Some(GroundMotion {
            position: from_position(world.body_world_center_of_mass(body).ok()?),
            rotation: from_rotation(world.body_rotation(body).ok()?),
            linear_velocity: from_vector(world.body_linear_velocity(body).ok()?),
            angular_velocity: from_vector(world.body_angular_velocity(body).ok()?),
            mass: None,
            inverse_inertia: Mat3::ZERO,
        })
    }

    fn state(&self, id: BodyId, body: boxddd::BodyId) -> boxddd::Result<BodyState> {
        let (world, frame) = (self.world, self.link.frame(id));
        let inertia = from_matrix(world.body_local_rotational_inertia(body)?);
        // Box3D gives none for a body that turns about no axis.
        let inverse_inertia = if inertia == Mat3::ZERO {
            Mat3::ZERO
        } else {
            inertia.inverse()
        };
        Ok(BodyState {
            position: from_position(world.body_world_center_of_mass(body)?),
            rotation: frame.vehicle_rotation(from_rotation(world.body_rotation(body)?)),
            linear_velocity: from_vector(world.body_linear_velocity(body)?),
            angular_velocity: from_vector(world.body_angular_velocity(body)?),
            mass: world.body_mass(body)?,
            inverse_inertia: frame.tensor_to_vehicle(inverse_inertia),
            locked_axes: from_motion_locks(world.body_motion_locks(body)?),
            linear_damping: world.body_linear_damping(body)?,
            angular_damping: world.body_angular_damping(body)?,
            asleep: !world.body_awake(body)?,
        })
    }
}

impl Box3dWorld<'_> {
    fn serve(&mut self, body: boxddd::BodyId, result: &StepResult) -> boxddd::Result<()> {
        let world = &mut *self.world;
        let asleep = !world.body_awake(body)?;
        let locked = from_motion_locks(world.body_motion_locks(body)?);
        let motion = result.motion_for(asleep).in_free_axes(&locked);
        let served = self.link.ledger.entry(body);
        if result.wake {
            world.set_body_awake(body, true)?;
            // The only way to restart the time until sleep.
            if world.body_sleep_enabled(body)? {
                world.enable_body_sleep(body, false)?;
                served.kept_awake = true;
            }
        } else if asleep {
            // Setting a velocity wakes.
            return Ok(());
        }
        let push = match motion {
            Motion::Keep => BoxPush::default(),
            Motion::VelocityChange { linear, angular } => {
                let now = from_vector(world.body_linear_velocity(body)?);
                world.set_body_linear_velocity(body, vector(now + linear))?;
                let now = from_vector(world.body_angular_velocity(body)?);
                world.set_body_angular_velocity(body, vector(now + angular))?;
                BoxPush::default()
            }
            Motion::Acceleration { linear, angular } => BoxPush {
                force: linear * world.body_mass(body)?,
                torque: world_inertia(world, body)? * angular,
            },
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => {
                world.set_body_linear_velocity(body, vector(linear))?;
                world.set_body_angular_velocity(body, vector(angular))?;
                let inertia = world_inertia(world, body)?;
                let gyroscopic = angular.cross(inertia * angular);
                BoxPush {
                    force: -(canceled_acceleration * world.body_mass(body)?),
                    torque: gyroscopic - inertia * canceled_angular_acceleration,
                }
            }
        };
        let (force, torque) = (
            push.force - served.motion.force,
            push.torque - served.motion.torque,
        );
        served.motion = push;
        world.apply_force_to_center(body, vector(force), false)?;
        world.apply_torque(body, vector(torque), false)
    }

    fn push_back(&mut self, reaction: &Reaction) -> Option<()> {
        let body = dynamic(self.link, self.world, reaction.body).ok()?;
        let point = reaction.anchor + reaction.offset.as_dvec3();
        let force = vector(reaction.force);
        // Waking costs a car a step without its springs: bodies under wheels stay awake.
        self.world
            .apply_force(body, force, position(point), true)
            .ok()?;
        self.world
            .apply_torque(body, vector(reaction.torque), true)
            .ok()
    }
}

/// * A dynamic body without mass counts as not dynamic.
/// * Box3D divides velocities by `1 + damping·dt` in each of its substeps where the contract says
///   `1 − damping·dt`; the two differ in second order.
/// * A sleeping body that is not woken ignores every step result.
/// * Reactions wake a sleeping body, and keep it awake while they last.
impl RigidBodies for Box3dWorld<'_> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.scene().read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.scene().ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), results.len(), "one result per body");
        for (&id, result) in ids.iter().zip(results) {
            let body = dynamic(self.link, self.world, id)?;
            self.serve(body, result)
                .map_err(|_| BodyError::Missing(id))?;
        }
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        for reaction in reactions.iter().filter(|reaction| reaction.acts()) {
            // A body that is gone, or not dynamic, is passed over.
            let _ = self.push_back(reaction);
        }
    }
}
