//! Wheels as bodies on joints.
//!
//! Avian's joints are solved by positions after its contacts were by speeds, and its motors cannot
//! both carry a load and be implicit. So the rows of these joints are those of
//! [`jointed_wheels::rows`], solved in Avian's own substeps between its contacts; Avian integrates,
//! detects and solves the contacts of the wheels' cylinders, their friction in the axes of the tread,
//! and turns them as gyroscopes. A distance joint without limits tells Avian that wheels and chassis belong together: they sleep
//! together, and do not collide.
//!
//! In the substeps of a step, Avian's contacts turn with the bodies that they are on, so those of a
//! fast wheel rise from the ground: step at 240 Hz or more.

mod substeps;

use avian3d::dynamics::integrator::IntegrationSystems;
use avian3d::dynamics::solver::islands::WakeBody;
use avian3d::dynamics::solver::schedule::{SubstepSchedule, SubstepSolverSystems};
use avian3d::prelude::{
    AngularVelocity, CoefficientCombine, Collider, CollisionLayers, ComputedCenterOfMass,
    DistanceJoint, Friction, JointCollisionDisabled, LayerMask, LinearVelocity, PhysicsSchedule,
    PhysicsStepSystems, Position, RigidBody, Rotation, SolverSystems,
};
use bevy::app::{App, Plugin};
use bevy::ecs::system::Command as _;
use bevy::prelude::{ChildOf, Component, Entity, IntoScheduleConfigs as _, World};
use glam::{Mat3, Quat, Vec3};
use jointed_wheels::motion::{WheelBase, WheelBody, joint_frame};
use jointed_wheels::rows::{JointStrut, WHEEL_ROWS};
use jointed_wheels::{
    ChassisBody, JointedError, JointedWheels, Motor, WheelAttachment, WheelDrive, WheelMotion,
    WheelPlacing,
};
use vehicle_core::{BodyError, BodyId, Frame, Reaction, RigidBodies as _, math};

use crate::convert::{body_entity, body_id, mass_properties, pose_in_body};
use crate::{AvianWorld, ChassisFrame, set_mass_properties};

pub use substeps::JointedWheel;
use substeps::{Struts, relax, start, turn_friction};

/// A length that no joint reaches (`m`).
const FAR: f32 = 1e6;

/// The systems of jointed wheels.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointedWheelsPlugin;

impl Plugin for JointedWheelsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Struts>();
        app.add_systems(
            PhysicsSchedule,
            turn_friction
                .in_set(PhysicsStepSystems::Solver)
                .after(SolverSystems::PrepareContactConstraints)
                .before(SolverSystems::PreSubstep),
        );
        app.add_systems(
            SubstepSchedule,
            (
                start
                    .after(SubstepSolverSystems::WarmStart)
                    .before(SubstepSolverSystems::SolveConstraints),
                relax
                    .after(IntegrationSystems::Position)
                    .before(SubstepSolverSystems::Relax),
            ),
        );
    }
}

/// A world, borrowed to put vehicles on jointed wheels and to drive them. It needs
/// [`JointedWheelsPlugin`].
#[derive(Debug)]
pub struct AvianJoints<'a>(pub &'a mut World);

/// The wheels of a chassis, in order.
#[derive(Component, Clone, Debug)]
struct ChassisWheels(Vec<Entity>);

impl AvianJoints<'_> {
    fn chassis(&self, id: BodyId) -> Result<Entity, BodyError> {
        let entity = body_entity(id).ok_or(BodyError::Missing(id))?;
        match self.0.get::<RigidBody>(entity) {
            Some(RigidBody::Dynamic) => Ok(entity),
            Some(_) => Err(BodyError::NotDynamic(id)),
            None => Err(BodyError::Missing(id)),
        }
    }

    fn wheels(&self, id: BodyId) -> Result<(Entity, &[Entity]), JointedError> {
        let chassis = self.chassis(id)?;
        let axles = self.0.get::<ChassisWheels>(chassis);
        Ok((chassis, &axles.ok_or(JointedError::NotAttached(id))?.0))
    }

    /// Center of mass, rotation and velocities of a body.
    fn motion(&self, body: Entity) -> Option<[Vec3; 3]> {
        let place = self.0.get::<Position>(body)?.0;
        let linear = self.0.get::<LinearVelocity>(body)?.0;
        Some([place, linear, self.0.get::<AngularVelocity>(body)?.0])
    }

    fn rotation(&self, body: Entity) -> Quat {
        self.0.get::<Rotation>(body).map_or(Quat::IDENTITY, |r| r.0)
    }

    fn center(&self, body: Entity) -> Vec3 {
        let center = self.0.get::<ComputedCenterOfMass>(body);
        center.map_or(Vec3::ZERO, |center| self.rotation(body) * center.0)
    }

    /// The axes in which a body is modeled.
    fn frame(&self, body: Entity) -> Frame {
        let frame = self.0.get::<ChassisFrame>(body).copied();
        frame.unwrap_or_default().0
    }

    /// A chassis as its wheel sees it.
    fn base(&self, wheel: &JointedWheel) -> Option<WheelBase> {
        let rotation = self.rotation(wheel.chassis);
        let [_, linear, angular] = self.motion(wheel.chassis)?;
        Some(WheelBase {
            frame: math::compose(rotation, wheel.frame()),
            arm: rotation * wheel.position,
            linear,
            angular,
        })
    }

    fn attach(&mut self, chassis: Entity, attachment: &WheelAttachment) -> Entity {
        let frame = self.frame(chassis);
        let on_chassis = pose_in_body(&frame, attachment.position, joint_frame(attachment.up, 0.0));
        let base = self.rotation(chassis);
        let rotation = frame.vehicle_rotation(base);
        let [place, linear, angular] = self.motion(chassis).unwrap_or_default();
        let arm = rotation * attachment.position;
        let [about, across] = attachment.inertia;
        let axes = Frame::X_FORWARD_Z_UP;
        let wheel = JointedWheel {
            chassis,
            position: on_chassis.translation,
            upright: on_chassis.rotation,
            steer: 0.0,
            strut: JointStrut {
                stiffness: attachment.stiffness,
                damping: attachment.damping,
                free_travel: attachment.free_travel,
                limits: attachment.limits,
                motor: Motor::default(),
            },
            impulses: [0.0; WHEEL_ROWS],
        };
        let body = (
            RigidBody::Dynamic,
            Position(place + self.center(chassis) + arm),
            Rotation(rotation),
            LinearVelocity(linear + angular.cross(arm)),
            AngularVelocity(angular),
            mass_properties(
                &axes,
                attachment.mass,
                Mat3::from_diagonal(Vec3::new(across, about, across)),
                Vec3::ZERO,
            ),
            ChassisFrame(axes),
            wheel,
        );
        let body = self.0.spawn(body).id();
        self.0.spawn((
            ChildOf(body),
            Collider::cylinder(attachment.radius, attachment.width),
            CollisionLayers::new(LayerMask::DEFAULT, LayerMask(attachment.layers)),
            Friction::new(attachment.friction).with_combine_rule(CoefficientCombine::Min),
        ));
        let together = DistanceJoint::new(chassis, body).with_limits(0.0, FAR);
        self.0.spawn((together, JointCollisionDisabled));
        body
    }
}

impl JointedWheels for AvianJoints<'_> {
    fn attach_wheels(
        &mut self,
        chassis: BodyId,
        attachments: &[WheelAttachment],
    ) -> Result<Vec<BodyId>, JointedError> {
        let base = self.chassis(chassis)?;
        if self.0.get::<ChassisWheels>(base).is_some() {
            return Err(JointedError::Twice(chassis));
        }
        if !self.0.contains_resource::<Struts>() {
            return Err(JointedError::Engine("add JointedWheelsPlugin".to_owned()));
        }
        let wheels: Vec<Entity> = attachments
            .iter()
            .map(|attachment| self.attach(base, attachment))
            .collect();
        let bodies = wheels.iter().map(|wheel| body_id(*wheel)).collect();
        self.0.entity_mut(base).insert(ChassisWheels(wheels));
        Ok(bodies)
    }

    fn detach_wheels(&mut self, chassis: BodyId) -> Result<(), JointedError> {
        let (base, wheels) = self.wheels(chassis)?;
        let wheels = wheels.to_vec();
        let mut joints = self.0.query::<(Entity, &DistanceJoint)>();
        let held = joints.iter(self.0).filter(|(_, joint)| {
            let ends = [joint.body1, joint.body2];
            ends.contains(&base) && wheels.iter().any(|wheel| ends.contains(wheel))
        });
        let held: Vec<Entity> = held.map(|(joint, _)| joint).collect();
        for entity in held.into_iter().chain(wheels) {
            self.0.despawn(entity);
        }
        self.0.entity_mut(base).remove::<ChassisWheels>();
        Ok(())
    }

    fn place_wheels(
        &mut self,
        chassis: BodyId,
        starts: &[WheelPlacing],
    ) -> Result<(), JointedError> {
        let (base, wheels) = self.wheels(chassis)?;
        let wheels = wheels.to_vec();
        assert_eq!(wheels.len(), starts.len(), "one start per wheel");
        let [place, ..] = self.motion(base).ok_or(BodyError::Missing(chassis))?;
        let center = place + self.center(base);
        for (&entity, start) in wheels.iter().zip(starts) {
            let missing = BodyError::Missing(body_id(entity));
            let mut wheel = self.0.get_mut::<JointedWheel>(entity).ok_or(missing)?;
            wheel.steer = start.steer;
            let wheel = wheel.clone();
            let put = self.base(&wheel).ok_or(missing)?.body_of(&start.motion);
            self.0.entity_mut(entity).insert((
                Position(center + put.place),
                Rotation(put.rotation),
                LinearVelocity(put.linear),
                AngularVelocity(put.angular),
            ));
        }
        Ok(())
    }

    fn set_chassis(&mut self, chassis: BodyId, body: &ChassisBody) -> Result<(), JointedError> {
        let entity = self.chassis(chassis)?;
        let frame = self.frame(entity);
        let center = self.0.get::<ComputedCenterOfMass>(entity);
        let center = frame.to_vehicle(center.map_or(Vec3::ZERO, |center| center.0)) + body.shift;
        let (mass, inertia) = (body.mass, body.inertia);
        set_mass_properties(self.0, chassis, &frame, mass, inertia, center)?;
        self.0.entity_mut(entity).insert((
            LinearVelocity(body.linear_velocity),
            AngularVelocity(body.angular_velocity),
        ));
        // Fails for a disabled body, which cannot sleep either.
        let _ = WakeBody(entity).apply(self.0);
        Ok(())
    }

    fn push_chassis(&mut self, push: &Reaction) -> Result<(), JointedError> {
        self.wheels(push.body)?;
        AvianWorld::scope(self.0, |world| world.react(core::slice::from_ref(push)));
        Ok(())
    }

    fn wheel_motions(&self, chassis: BodyId, out: &mut [WheelMotion]) -> Result<(), JointedError> {
        let (base, wheels) = self.wheels(chassis)?;
        assert_eq!(wheels.len(), out.len(), "one motion per wheel");
        let [place, ..] = self.motion(base).ok_or(BodyError::Missing(chassis))?;
        let center = place + self.center(base);
        for (&entity, out) in wheels.iter().zip(out) {
            let missing = BodyError::Missing(body_id(entity));
            let wheel = self.0.get::<JointedWheel>(entity).ok_or(missing)?;
            let [place, linear, angular] = self.motion(entity).ok_or(missing)?;
            *out = self.base(wheel).ok_or(missing)?.motion_of(&WheelBody {
                place: place - center,
                rotation: self.rotation(entity),
                linear,
                angular,
            });
        }
        Ok(())
    }

    fn drive_wheels(
        &mut self,
        chassis: BodyId,
        drives: &[WheelDrive],
        wake: bool,
    ) -> Result<(), JointedError> {
        let (base, wheels) = self.wheels(chassis)?;
        let wheels = wheels.to_vec();
        assert_eq!(wheels.len(), drives.len(), "one drive per wheel");
        if wake {
            // Fails for a disabled body, which cannot sleep either.
            let _ = WakeBody(base).apply(self.0);
        }
        for (&entity, drive) in wheels.iter().zip(drives) {
            if let Some(mut wheel) = self.0.get_mut::<JointedWheel>(entity) {
                wheel.steer = drive.steer;
                wheel.strut.free_travel = drive.free_travel;
                wheel.strut.motor = drive.motor;
            }
        }
        Ok(())
    }
}
