//! Rapier: the ground as fixed colliders, the chassis as a dynamic body.

mod contracts;
mod platforms;

use glam::{DVec3, Quat, Vec3};
use jounce::core::{
    BodyError, BodyId, ColliderId, Frame, LockedAxes, Vehicle, WheelColliderSettings,
};
use jounce::jointed::JointedWheels;
use jounce::rapier::convert::rapier_locks;
use jounce::rapier::{
    RapierJoints, RapierLink, RapierScene, RapierWorld, WheelSize, attach_wheels, body_handle,
    body_id, collider_id, copy_of, follow_wheels, index_colliders, publish_wheels,
    set_mass_properties, share_contacts,
};
use jounce::scene::{BodyDesc, CouplingJoint};
use rapier3d::math::Pose;
use rapier3d::prelude::{
    CoefficientCombineRule, ColliderBuilder, ColliderHandle, GenericJointBuilder, Group,
    InteractionGroups, JointAxesMask, JointAxis, MotorModel, PhysicsWorld, RigidBody,
    RigidBodyBuilder, RigidBodyHandle,
};

use super::World;
use super::abilities::{
    AxisLocks, Boxes, Colliders, CollidingWheels, GuidedPlatforms, Handling, Joints, Platforms,
    Snapshot, Snapshots,
};
use super::collider::{ColliderSpec, parry_materials, parry_shape};
use crate::error::ProvingError;
use crate::ground::Terrain;

/// The body's axes are the vehicle's.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// Distance at which Rapier predicts contacts of bodies (`m`), if they move as far in a step. Otherwise, hulls sink into the
/// ground by their displacement in a step, and compress the stops of suspensions farther than they could.
const PREDICTED: f32 = 10.0;

/// A Rapier world over a terrain.
pub struct Rapier {
    link: RapierLink,
    physics: PhysicsWorld,
    /// Wheels of the cars that have them, by body.
    wheels: Vec<(BodyId, Vec<Option<ColliderHandle>>)>,
}

impl core::fmt::Debug for Rapier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rapier").finish_non_exhaustive()
    }
}

impl Rapier {
    /// The terrain as colliders: a half space, or a mesh without internal edges; steps of `dt`
    /// (`s`).
    ///
    /// # Errors
    /// If Rapier rejects the triangles.
    pub fn new(terrain: &Terrain, dt: f32) -> Result<Self, ProvingError> {
        let mut physics = PhysicsWorld::new();
        physics.integration_parameters.dt = dt;
        let mut world = Self {
            link: RapierLink::new(FRAME),
            physics,
            wheels: Vec::new(),
        };
        world.add_collider(&terrain.collider())?;
        Ok(world)
    }

    /// Read access to the world through the contracts.
    fn scene(&self) -> RapierScene<'_> {
        RapierScene::of(&self.link, &self.physics)
    }

    /// Write access to the world through the contracts.
    fn view(&mut self) -> RapierWorld<'_> {
        RapierWorld::of(&mut self.link, &mut self.physics)
    }

    fn copy(&self) -> Self {
        Self {
            link: self.link.clone(),
            physics: copy_of(&self.physics),
            wheels: self.wheels.clone(),
        }
    }

    /// A dynamic body whose origin is its center of mass.
    fn insert(&mut self, desc: &BodyDesc) -> Result<RigidBodyHandle, ProvingError> {
        desc.check()?;
        let builder = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(desc.position.as_vec3(), desc.rotation))
            .linvel(desc.linear_velocity)
            .angvel(desc.angular_velocity)
            .linear_damping(desc.linear_damping)
            .angular_damping(desc.angular_damping)
            .can_sleep(desc.sleep_threshold > 0.0)
            .soft_ccd_prediction(PREDICTED)
            // As in the standalone world, and in PhysX by default.
            .gyroscopic_forces_enabled(false);
        let body = self.physics.insert_body(builder);
        if let Some(hull) = &desc.hull {
            let half = hull.half_extents;
            let collider = ColliderBuilder::cuboid(half.x, half.y, half.z)
                .translation(hull.center)
                .collision_groups(
                    InteractionGroups::all().with_filter(Group::from_bits_retain(hull.layers)),
                )
                .friction(hull.friction)
                // Of two hulls, the more slippery one decides.
                .friction_combine_rule(CoefficientCombineRule::Min)
                .restitution(desc.restitution)
                .restitution_combine_rule(CoefficientCombineRule::Max)
                .density(0.0);
            self.physics.insert_collider(collider, Some(body));
        }
        set_mass_properties(
            &mut self.physics.bodies,
            &mut self.physics.colliders,
            body_id(body),
            &FRAME,
            desc.mass,
            desc.inertia,
            Vec3::ZERO,
        )?;
        self.index();
        Ok(body)
    }

    fn free_body(&mut self, id: BodyId) -> Result<&mut RigidBody, BodyError> {
        let body = self.physics.bodies.get_mut(body_handle(id));
        let body = body.ok_or(BodyError::Missing(id))?;
        if body.is_dynamic() {
            Ok(body)
        } else {
            Err(BodyError::NotDynamic(id))
        }
    }

    fn index(&mut self) {
        let physics = &mut self.physics;
        index_colliders(
            &physics.integration_parameters,
            &physics.bodies,
            &mut physics.colliders,
            &mut physics.broad_phase,
        );
    }
}

/// Ground that uses the friction of the hulls on it.
fn slippery_as_hulls(collider: ColliderBuilder) -> ColliderBuilder {
    collider
        .friction(1.0)
        .friction_combine_rule(CoefficientCombineRule::Multiply)
}

/// A collider's shape in its pose, as ground.
fn ground(spec: &ColliderSpec) -> Result<ColliderBuilder, ProvingError> {
    let (shape, position, rotation) = parry_shape(spec, "Rapier")?;
    Ok(ColliderBuilder::new(shape).position(Pose::from_parts(position, rotation)))
}

impl World for Rapier {
    fn name(&self) -> &'static str {
        "Rapier"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let body = self.insert(desc)?;
        Ok(self.link.add_chassis(body, FRAME))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        if dt.is_nan() || dt <= 0.0 {
            return;
        }
        self.physics.gravity = gravity;
        self.physics.integration_parameters.dt = dt;
        self.link.step(&mut self.physics, &());
        self.link.end_step(&mut self.physics.bodies);
    }

    fn colliders(&mut self) -> Option<&mut dyn Colliders> {
        Some(self)
    }

    fn boxes(&mut self) -> Option<&mut dyn Boxes> {
        Some(self)
    }

    fn platforms(&mut self) -> Option<&mut dyn Platforms> {
        Some(self)
    }

    fn guided_platforms(&mut self) -> Option<&mut dyn GuidedPlatforms> {
        Some(self)
    }

    fn wheels(&mut self) -> Option<&mut dyn CollidingWheels> {
        Some(self)
    }

    fn handling(&mut self) -> Option<&mut dyn Handling> {
        Some(self)
    }

    fn jointed_wheels(&mut self) -> Option<Box<dyn JointedWheels + '_>> {
        Some(Box::new(RapierJoints::of(
            &mut self.link,
            &mut self.physics,
        )))
    }

    fn joints(&mut self) -> Option<&mut dyn Joints> {
        Some(self)
    }

    fn axis_locks(&mut self) -> Option<&mut dyn AxisLocks> {
        Some(self)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        Some(self)
    }
}

impl Colliders for Rapier {
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        spec.check()?;
        let body = spec.body.map(body_handle);
        if let Some((id, handle)) = spec.body.zip(body)
            && !self.physics.bodies.contains(handle)
        {
            return Err(BodyError::Missing(id).into());
        }
        let groups =
            InteractionGroups::all().with_memberships(Group::from_bits_retain(spec.layers));
        let collider = slippery_as_hulls(ground(spec)?)
            .collision_groups(groups)
            .user_data(spec.material.0.into())
            .sensor(spec.sensor)
            .density(0.0);
        let handle = self.physics.insert_collider(collider, body);
        if let Some(materials) = parry_materials(spec) {
            self.link.materials.set_triangles(handle, materials);
        }
        self.index();
        Ok(collider_id(handle))
    }
}

impl Boxes for Rapier {
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        Ok(body_id(self.insert(desc)?))
    }

    fn drive_on_vehicles(&mut self) {
        self.link.options.drive_on_vehicles = true;
    }
}

impl CollidingWheels for Rapier {
    fn add_wheels(
        &mut self,
        vehicle: &Vehicle,
        settings: WheelColliderSettings,
    ) -> Result<(), ProvingError> {
        let physics = &mut self.physics;
        // Otherwise Rapier merges contacts that are decided separately, and brakes fast wheels on
        // the ground.
        physics.integration_parameters.contact_clustering = false;
        physics.integration_parameters.max_ccd_substeps = 0;
        let (bodies, colliders) = (&mut physics.bodies, &mut physics.colliders);
        let sizes = WheelSize::of(vehicle.model());
        let (chassis, groups) = (vehicle.body(), InteractionGroups::none());
        let wheels = attach_wheels(bodies, colliders, chassis, &FRAME, &sizes, groups)?;
        share_contacts(
            &mut self.link,
            bodies,
            colliders,
            vehicle,
            &wheels,
            settings,
        )?;
        let faults = (self.link).check_wheels(&physics.integration_parameters, bodies, colliders);
        if let Some(&fault) = faults.first() {
            return Err(fault.into());
        }
        self.wheels.push((chassis, wheels));
        self.turn_wheels(vehicle);
        self.index();
        Ok(())
    }

    fn turn_wheels(&mut self, vehicle: &Vehicle) {
        let own = |(body, _): &&(BodyId, _)| *body == vehicle.body();
        if let Some((_, wheels)) = self.wheels.iter().find(own) {
            publish_wheels(&mut self.link, vehicle, wheels);
            let physics = &mut self.physics;
            follow_wheels(
                &physics.bodies,
                &mut physics.colliders,
                wheels,
                vehicle,
                &FRAME,
            );
        }
    }
}

impl Handling for Rapier {
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        let removed = self.physics.remove_body(body_handle(id));
        removed.ok_or(BodyError::Missing(id))?;
        let gone = self.wheels.extract_if(.., |(body, _)| *body == id);
        for wheel in gone.flat_map(|(_, wheels)| wheels).flatten() {
            self.link.unshare_wheel(&mut self.physics.colliders, wheel);
        }
        self.link.remove_chassis(id);
        Ok(())
    }

    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        let body = self.free_body(id)?;
        body.reset_forces(true);
        body.add_force(force, true);
        Ok(())
    }

    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        let body = self.free_body(id)?;
        body.set_translation(body.translation() + by.as_vec3(), true);
        self.index();
        Ok(())
    }

    fn place(&mut self, id: BodyId, position: DVec3, rotation: Quat) -> Result<(), ProvingError> {
        let body = self.free_body(id)?;
        body.set_position(Pose::from_parts(position.as_vec3(), rotation), true);
        body.set_linvel(Vec3::ZERO, true);
        body.set_angvel(Vec3::ZERO, true);
        self.index();
        Ok(())
    }

    fn shift_origin(&mut self, to: DVec3) {
        let to = to.as_vec3();
        let physics = &mut self.physics;
        for (_, body) in physics.bodies.iter_mut() {
            body.set_translation(body.translation() - to, false);
        }
        for (_, collider) in physics.colliders.iter_mut() {
            if collider.parent().is_none() {
                collider.set_translation(collider.translation() - to);
            }
        }
        self.index();
    }
}

/// A ball joint with a coupling's limits, in bodies whose axes are the vehicle's.
fn swinging(coupling: &CouplingJoint) -> GenericJointBuilder {
    let held = if coupling.roll_stiffness == f32::INFINITY {
        JointAxesMask::LOCKED_SPHERICAL_AXES | JointAxesMask::ANG_X
    } else {
        JointAxesMask::LOCKED_SPHERICAL_AXES
    };
    let mut joint = GenericJointBuilder::new(held).contacts_enabled(coupling.contact);
    if coupling.roll_stiffness > 0.0 && coupling.roll_stiffness.is_finite() {
        joint = joint
            .motor_model(JointAxis::AngX, MotorModel::ForceBased)
            .motor_position(JointAxis::AngX, 0.0, coupling.roll_stiffness, 0.0);
    }
    let [yaw, pitch, roll] = coupling.limits.to_array();
    for (axis, limit) in [
        (JointAxis::AngZ, yaw),
        (JointAxis::AngY, pitch),
        (JointAxis::AngX, roll),
    ] {
        if limit < core::f32::consts::PI {
            joint = joint.limits(axis, [-limit, limit]);
        }
    }
    joint
}

impl Joints for Rapier {
    fn couple(
        &mut self,
        [a, b]: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        let mut anchor = |id| -> Result<_, BodyError> {
            let pose = *self.free_body(id)?.position();
            Ok(pose.inverse_transform_point(at.as_vec3()))
        };
        let joint = swinging(coupling)
            .local_anchor1(anchor(a)?)
            .local_anchor2(anchor(b)?);
        let bodies = [a, b].map(body_handle);
        self.physics
            .insert_impulse_joint(bodies[0], bodies[1], joint);
        Ok(())
    }
}

impl AxisLocks for Rapier {
    fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), ProvingError> {
        let body = self.free_body(id)?;
        body.set_locked_axes(rapier_locks(axes), true);
        // Rapier keeps the motion that a body has there.
        body.set_linvel(axes.free_linear(body.linvel()), true);
        body.set_angvel(axes.free_angular(body.angvel()), true);
        Ok(())
    }
}

impl Snapshots for Rapier {
    fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.copy())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError> {
        *self = snapshot.of::<Self>(self.name())?.copy();
        Ok(())
    }
}
