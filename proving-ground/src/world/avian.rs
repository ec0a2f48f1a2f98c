//! Avian: the ground as fixed colliders, the chassis as a dynamic body.

mod contracts;

use core::cell::RefCell;
use core::time::Duration;

use avian3d::dynamics::integrator::VelocityIntegrationData;
use avian3d::dynamics::solver::islands::WakeBody;
use avian3d::dynamics::solver::solver_body::{SolverBodies, SolverBodyFlags, SolverBodyIndex};
use avian3d::prelude::{
    AngularDamping, AngularVelocity, CoefficientCombine, Collider, ColliderDensity,
    CollisionLayers, ConstantForce, Friction, Gravity, JointCollisionDisabled, LayerMask,
    LinearDamping, LinearVelocity, PhysicsPlugins, PhysicsSchedule, Position, Restitution,
    RigidBody, Rotation, Sensor, SleepingDisabled, SolverSystems, SphericalJoint,
};
use bevy::MinimalPlugins;
use bevy::app::App;
use bevy::ecs::schedule::{ScheduleLabel, Schedules, SingleThreadedExecutor};
use bevy::prelude::{
    ChildOf, Command as _, Entity, IntoScheduleConfigs as _, Query, ResMut, Transform,
    TransformPlugin, With, Without, World as Ecs,
};
use bevy::time::Time;
use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::avian::convert::avian_locks;
use jounce::avian::{
    AvianJoints, AvianLinkPlugin, AvianWorld, ChassisFrame, GroundMaterial, JointedWheel,
    JointedWheelsPlugin, VehicleGround, WheelHooks, WheelHooksPlugin, WheelSettings, WheelSize,
    attach_wheels, body_entity, body_id, collider_id, follow_wheels, index_colliders,
    mass_properties,
};
use jounce::core::{
    BodyError, BodyId, ColliderId, Frame, LockedAxes, Vehicle, WheelColliderSettings,
};
use jounce::jointed::JointedWheels;
use jounce::scene::{BodyDesc, CouplingJoint};

use super::abilities::{AxisLocks, Boxes, Colliders, CollidingWheels, Handling, Joints, Platforms};
use super::collider::{ColliderSpec, parry_shape};
use super::{PLATFORM_HALF, World};
use crate::error::ProvingError;
use crate::ground::Terrain;

/// The body's axes are the vehicle's.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// Least rate of ticks with wheels that are bodies (`Hz`).
const JOINTED_RATE: f32 = 240.0;

/// The schedule of the physics step.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PhysicsTick;

/// An Avian world over a terrain, with Avian's own settings.
pub struct Avian {
    /// Readers need mutable access, too: they keep their tree positions up to date.
    app: RefCell<App>,
    /// Wheel colliders of the cars that have them.
    wheels: Vec<(BodyId, Vec<Option<Entity>>)>,
    /// Whether a car may have wheels that are bodies.
    jointed: bool,
}

impl core::fmt::Debug for Avian {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Avian").finish_non_exhaustive()
    }
}

impl Avian {
    /// The terrain as colliders: a half space, or a mesh without internal edges.
    ///
    /// # Errors
    /// If Avian rejects the triangles.
    pub fn new(terrain: &Terrain) -> Result<Self, ProvingError> {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            PhysicsPlugins::new(PhysicsTick).with_collision_hooks::<WheelHooks>(),
            AvianLinkPlugin,
            WheelHooksPlugin,
            JointedWheelsPlugin,
        ));
        app.add_systems(
            PhysicsSchedule,
            without_gyroscopic_torques
                .after(SolverSystems::PrepareSolverBodies)
                .before(SolverSystems::PrepareJoints)
                .ambiguous_with_all(),
        );
        app.finish();
        app.cleanup();
        // Waking threads costs more than these systems, which take microseconds.
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        let mut world = Self {
            app: RefCell::new(app),
            wheels: Vec::new(),
            jointed: false,
        };
        world.add_collider(&terrain.collider())?;
        Ok(world)
    }

    fn ecs(&mut self) -> &mut Ecs {
        self.app.get_mut().world_mut()
    }

    fn view<R>(&self, task: impl FnOnce(&mut AvianWorld<'_, '_>) -> R) -> R {
        AvianWorld::scope(self.app.borrow_mut().world_mut(), task)
    }

    /// A dynamic body whose origin is its center of mass.
    fn insert(&mut self, desc: &BodyDesc) -> Result<Entity, ProvingError> {
        desc.check()?;
        let body = self.ecs().spawn((
            RigidBody::Dynamic,
            Position(desc.position.as_vec3()),
            Rotation(desc.rotation),
            LinearVelocity(desc.linear_velocity),
            AngularVelocity(desc.angular_velocity),
            LinearDamping(desc.linear_damping),
            AngularDamping(desc.angular_damping),
            mass_properties(&FRAME, desc.mass, desc.inertia, Vec3::ZERO),
        ));
        let body = body.id();
        if desc.sleep_threshold == 0.0 {
            self.ecs().entity_mut(body).insert(SleepingDisabled);
        }
        if let Some(hull) = &desc.hull {
            let size = hull.half_extents * 2.0;
            self.ecs().spawn((
                ChildOf(body),
                Transform::from_translation(hull.center),
                Collider::cuboid(size.x, size.y, size.z),
                CollisionLayers::new(LayerMask::DEFAULT, LayerMask(hull.layers)),
                // Of two hulls, the more slippery one decides.
                Friction::new(hull.friction).with_combine_rule(CoefficientCombine::Min),
                Restitution::new(desc.restitution).with_combine_rule(CoefficientCombine::Max),
            ));
        }
        Ok(body)
    }

    fn any_body(&self, id: BodyId) -> Option<(Entity, RigidBody)> {
        let entity = body_entity(id)?;
        let app = self.app.borrow();
        let kind = app.world().get::<RigidBody>(entity)?;
        Some((entity, *kind))
    }

    fn dynamic(&self, id: BodyId) -> Result<Entity, BodyError> {
        match self.any_body(id) {
            Some((entity, RigidBody::Dynamic)) => Ok(entity),
            Some(_) => Err(BodyError::NotDynamic(id)),
            None => Err(BodyError::Missing(id)),
        }
    }

    /// A dynamic body, woken.
    fn woken(&mut self, id: BodyId) -> Result<Entity, BodyError> {
        let entity = self.dynamic(id)?;
        // Fails for a disabled body, which cannot sleep either.
        let _ = WakeBody(entity).apply(self.ecs());
        Ok(entity)
    }
}

/// Removes gyroscopic torques from all bodies but wheels, as in the standalone world; in `PhysX`, no body has them by default.
fn without_gyroscopic_torques(
    mut bodies: ResMut<SolverBodies>,
    others: Query<&SolverBodyIndex, Without<JointedWheel>>,
) {
    for index in &others {
        if let Some(body) = bodies.get_mut(*index) {
            body.flags.remove(SolverBodyFlags::GYROSCOPIC_MOTION);
        }
    }
}

/// Ground that uses the friction of the hulls on it.
fn slippery_as_hulls() -> Friction {
    Friction::new(1.0).with_combine_rule(CoefficientCombine::Multiply)
}

/// A collider's shape in its pose.
fn ground(spec: &ColliderSpec) -> Result<(Collider, Transform), ProvingError> {
    let (shape, position, rotation) = parry_shape(spec, "Avian")?;
    let place = Transform::from_translation(position).with_rotation(rotation);
    Ok((shape.into(), place))
}

/// Moves a body, also before the first step, in which Avian reads transforms.
fn displace(ecs: &mut Ecs, body: Entity, by: Vec3) {
    let mut body = ecs.entity_mut(body);
    if let Some(mut position) = body.get_mut::<Position>() {
        position.0 += by;
        let place = position.0;
        if let Some(mut transform) = body.get_mut::<Transform>() {
            transform.translation = place;
        }
    }
}

/// Accelerations that chassis were given for the coming step (`m/s²`, `rad/s²`).
fn pushes(ecs: &mut Ecs) -> Vec<(Entity, [Vec3; 2])> {
    let mut given = ecs.query_filtered::<(Entity, &VelocityIntegrationData), With<ChassisFrame>>();
    let given = given.iter(ecs);
    let given = given.map(|(id, push)| (id, [push.linear_increment, push.angular_increment]));
    given.filter(|(_, push)| *push != [Vec3::ZERO; 2]).collect()
}

/// Gives chassis their accelerations again: Avian forgets them after a tick, and a step on joints has several.
fn push(ecs: &mut Ecs, pushes: &[(Entity, [Vec3; 2])]) {
    for (id, [linear, angular]) in pushes {
        if let Some(mut push) = ecs.get_mut::<VelocityIntegrationData>(*id) {
            push.linear_increment += *linear;
            push.angular_increment += *angular;
        }
    }
}

impl World for Avian {
    fn name(&self) -> &'static str {
        "Avian"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let body = self.insert(desc)?;
        self.ecs().entity_mut(body).insert(ChassisFrame(FRAME));
        Ok(body_id(body))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        if dt.is_nan() || dt <= 0.0 {
            return;
        }
        if self.jointed {
            let mut wheels = self.ecs().query::<&JointedWheel>();
            self.jointed = wheels.iter(self.ecs()).next().is_some();
        }
        let jointed = self.jointed;
        let ecs = self.ecs();
        // Mutable access would wake everything.
        if ecs.resource::<Gravity>().0 != gravity {
            ecs.insert_resource(Gravity(gravity));
        }
        let ticks = if jointed {
            (dt * JOINTED_RATE - 1e-3).ceil().max(1.0)
        } else {
            1.0
        };
        let dt = Duration::from_secs_f32(dt / ticks);
        let pushes = if ticks > 1.0 { pushes(ecs) } else { Vec::new() };
        for tick in 0..ticks as usize {
            if tick > 0 {
                push(ecs, &pushes);
            }
            ecs.resource_mut::<Time>().advance_by(dt);
            ecs.run_schedule(PhysicsTick);
        }
        ecs.clear_trackers();
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

    fn wheels(&mut self) -> Option<&mut dyn CollidingWheels> {
        Some(self)
    }

    fn handling(&mut self) -> Option<&mut dyn Handling> {
        Some(self)
    }

    fn jointed_wheels(&mut self) -> Option<Box<dyn JointedWheels + '_>> {
        self.jointed = true;
        Some(Box::new(AvianJoints(self.ecs())))
    }

    fn joints(&mut self) -> Option<&mut dyn Joints> {
        Some(self)
    }

    fn axis_locks(&mut self) -> Option<&mut dyn AxisLocks> {
        Some(self)
    }
}

impl Colliders for Avian {
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        spec.check()?;
        let body = match spec.body {
            None => None,
            Some(id) => Some(self.any_body(id).ok_or(BodyError::Missing(id))?.0),
        };
        let (shape, place) = ground(spec)?;
        let collider = (
            shape,
            place,
            CollisionLayers::from_bits(spec.layers, u32::MAX),
            GroundMaterial(spec.material),
            ColliderDensity(0.0),
            slippery_as_hulls(),
        );
        let mut collider = match body {
            Some(body) => self.ecs().spawn((ChildOf(body), collider)),
            None => self.ecs().spawn((RigidBody::Static, collider)),
        };
        if spec.sensor {
            collider.insert(Sensor);
        }
        let collider = collider.id();
        Ok(collider_id(collider))
    }
}

impl Boxes for Avian {
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        Ok(body_id(self.insert(desc)?))
    }

    fn drive_on_vehicles(&mut self) {
        let mut ground = self.ecs().get_resource_or_init::<VehicleGround>();
        ground.0.drive_on_vehicles = true;
    }
}

impl Platforms for Avian {
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        ColliderSpec::platform(top)?;
        let size = PLATFORM_HALF * 2.0;
        let slab = self.ecs().spawn((
            RigidBody::Kinematic,
            Position(top.as_vec3()),
            // It rotates about its center of mass, which its collider would move.
            mass_properties(&FRAME, 1.0, Mat3::IDENTITY, Vec3::ZERO),
            // Avian wakes what gets a velocity one step late.
            SleepingDisabled,
        ));
        let slab = slab.id();
        self.ecs().spawn((
            ChildOf(slab),
            Transform::from_translation(Vec3::NEG_Z * PLATFORM_HALF.z),
            Collider::cuboid(size.x, size.y, size.z),
            slippery_as_hulls(),
        ));
        Ok(body_id(slab))
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        let slab = self.any_body(id).filter(|(_, model)| model.is_kinematic());
        let (slab, _) = slab.ok_or(BodyError::Missing(id))?;
        let velocities = (LinearVelocity(linear), AngularVelocity(angular));
        self.ecs().entity_mut(slab).insert(velocities);
        Ok(())
    }
}

impl CollidingWheels for Avian {
    fn add_wheels(
        &mut self,
        vehicle: &Vehicle,
        settings: WheelColliderSettings,
    ) -> Result<(), ProvingError> {
        let sizes = WheelSize::of(vehicle.model());
        let settings = WheelSettings {
            layers: CollisionLayers::ALL,
            shared: Some(settings),
            swept: true,
        };
        let wheels = attach_wheels(self.ecs(), vehicle.body(), &sizes, &settings)?;
        self.wheels.push((vehicle.body(), wheels));
        self.turn_wheels(vehicle);
        Ok(())
    }

    fn turn_wheels(&mut self, vehicle: &Vehicle) {
        let own = |(body, _): &&(BodyId, _)| *body == vehicle.body();
        if let Some((_, wheels)) = self.wheels.iter().find(own) {
            follow_wheels(self.app.get_mut().world_mut(), vehicle, wheels);
        }
    }
}

impl Handling for Avian {
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        let (body, _) = self.any_body(id).ok_or(BodyError::Missing(id))?;
        self.ecs().despawn(body);
        self.wheels.retain(|(owner, _)| *owner != id);
        Ok(())
    }

    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        let body = self.woken(id)?;
        self.ecs().entity_mut(body).insert(ConstantForce(force));
        Ok(())
    }

    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        let body = self.woken(id)?;
        displace(self.ecs(), body, by.as_vec3());
        index_colliders(self.ecs());
        Ok(())
    }

    fn place(&mut self, id: BodyId, position: DVec3, rotation: Quat) -> Result<(), ProvingError> {
        let body = self.woken(id)?;
        let ecs = self.ecs();
        let at = ecs.get::<Position>(body).map_or(Vec3::ZERO, |at| at.0);
        displace(ecs, body, position.as_vec3() - at);
        let mut entity = ecs.entity_mut(body);
        entity.insert((
            Position(position.as_vec3()),
            Rotation(rotation),
            LinearVelocity::ZERO,
            AngularVelocity::ZERO,
        ));
        if let Some(mut transform) = entity.get_mut::<Transform>() {
            transform.rotation = rotation;
        }
        index_colliders(ecs);
        Ok(())
    }

    fn shift_origin(&mut self, to: DVec3) {
        let ecs = self.ecs();
        let mut bodies = ecs.query_filtered::<Entity, With<RigidBody>>();
        let bodies: Vec<Entity> = bodies.iter(ecs).collect();
        for body in bodies {
            displace(ecs, body, -to.as_vec3());
        }
        index_colliders(ecs);
    }
}

/// Joints without limits and without stiffness against roll: Avian's spherical joint has one cone for pitch and roll, which
/// stops yaw, too, at 25°.
impl Joints for Avian {
    fn couple(
        &mut self,
        [a, b]: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        let entities = [a, b].map(|id| self.dynamic(id));
        let (first, second) = (entities[0]?, entities[1]?);
        let joint = SphericalJoint::new(first, second).with_anchor(at.as_vec3());
        let mut joined = self.ecs().spawn(joint);
        if !coupling.contact {
            joined.insert(JointCollisionDisabled);
        }
        Ok(())
    }
}

impl AxisLocks for Avian {
    fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), ProvingError> {
        let body = self.woken(id)?;
        let mut entity = self.ecs().entity_mut(body);
        entity.insert(avian_locks(axes));
        // Avian keeps the motion that a body has there.
        if let Some(mut linear) = entity.get_mut::<LinearVelocity>() {
            linear.0 = axes.free_linear(linear.0);
        }
        if let Some(mut angular) = entity.get_mut::<AngularVelocity>() {
            angular.0 = axes.free_angular(angular.0);
        }
        Ok(())
    }
}
