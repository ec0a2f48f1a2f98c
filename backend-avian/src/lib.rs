//! Avian as a world for the vehicles of `vehicle-core`.
//!
//! Nothing here owns or steps a world: the user's own app with Avian's `PhysicsPlugins` is read and
//! written, either by systems with [`AvianScene`] or [`AvianWorld`] as parameters, or from outside
//! by [`AvianWorld::scope`]. [`AvianLinkPlugin`] adds the little that is needed for it.
//!
//! ```
//! use avian3d::prelude::*;
//! use backend_avian::{AvianLinkPlugin, AvianWorld, ChassisFrame, body_id};
//! use bevy::prelude::*;
//! use glam::{DVec3, Vec3};
//! use vehicle_core::{Frame, GroundRay, QueryFilter, SceneQuery as _};
//!
//! let mut app = App::new(); // y up
//! app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), AvianLinkPlugin));
//! app.finish();
//! app.cleanup();
//! let world = app.world_mut();
//! world.spawn((RigidBody::Static, Collider::cuboid(100.0, 2.0, 100.0)));
//! let chassis = world.spawn((
//!     RigidBody::Dynamic,
//!     Collider::cuboid(4.0, 1.0, 1.8),
//!     Transform::from_xyz(0.0, 3.0, 0.0),
//!     ChassisFrame(Frame::X_FORWARD_Y_UP),
//! ));
//! let car = body_id(chassis.id());
//!
//! let down = GroundRay {
//!     anchor: DVec3::new(0.0, 3.0, 0.0),
//!     offset: Vec3::ZERO,
//!     direction: Vec3::NEG_Y,
//!     length: 5.0,
//!     filter: QueryFilter::except(car),
//! };
//! let mut hits = [None];
//! AvianWorld::scope(world, |view| view.cast_rays(&[down], &mut hits));
//! assert_eq!(hits[0].unwrap().distance, 2.0);
//! ```
//!
//! # As a Bevy plugin
//!
//! With [`VehiclePlugin`], a vehicle is a component of its body: a game writes its
//! [`VehicleCommand`], reads its [`LastReport`], and shows its wheels by [`WheelOf`]. Bodies get
//! the vehicle's mass; vehicles can be spawned and despawned at any time; one that cannot be driven
//! is skipped, and a [`VehicleFault`] says why.
//!
//! ```
//! use avian3d::prelude::*;
//! use backend_avian::{
//!     ChassisFrame, LastReport, VehicleCommand, VehicleComponent, VehiclePlugin, WheelOf, hull,
//! };
//! use bevy::prelude::*;
//! use vehicle_core::{CarCommand, Command};
//!
//! fn set_up(mut commands: Commands) {
//!     commands.spawn((RigidBody::Static, Collider::half_space(Vec3::Y)));
//!     let car = jounce::presets::sedan();
//!     let frame = ChassisFrame::default(); // of the body's model: −z forward, y up
//!     let body = commands.spawn((
//!         VehicleComponent::new(car.model()),
//!         LastReport::default(), // only if wanted
//!         frame,
//!         hull(&frame.0, car.hull.size, car.hull.center),
//!         Transform::from_xyz(0.0, 0.1, 0.0),
//!         TransformInterpolation, // interpolates the wheels, too
//!     ));
//!     let vehicle = body.id();
//!     for wheel in 0..4 {
//!         commands.spawn((WheelOf { vehicle, wheel }, ChildOf(vehicle)));
//!     }
//! }
//!
//! fn drive(mut cars: Query<&mut VehicleCommand>) {
//!     for mut command in &mut cars {
//!         command.0 = Command::Car(CarCommand { throttle: 1.0, ..CarCommand::default() });
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, TransformPlugin));
//! app.add_plugins((PhysicsPlugins::default(), VehiclePlugin::default()));
//! app.add_systems(Startup, set_up).add_systems(FixedUpdate, drive);
//! app.finish();
//! app.cleanup();
//! # let frame = core::time::Duration::from_millis(20);
//! # app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(frame));
//! for _ in 0..100 {
//!     app.update();
//! }
//! let mut cars = app.world_mut().query::<&LastReport>();
//! assert!(cars.single(app.world())?.vehicle.forward_speed > 2.0);
//! # Ok::<(), bevy::ecs::error::BevyError>(())
//! ```
//!
//! Its phases are [`VehicleSystems`]; a game's own systems may run in between. Everything else on
//! this page applies to it, too; it does the following steps itself.
//!
//! # A tick
//!
//! ```text
//! user forces ─▶ AvianScene: cast_rays ─▶ update ─▶ AvianWorld: apply, react
//!      ▲                                                       │
//!      │                                                       ▼
//!  pose_wheels ◀─────────────────────────────────────── PhysicsSchedule
//! ```
//!
//! # What to know
//!
//! * **Axes.** World axes are Avian's (any). Each chassis has a [`ChassisFrame`] with its forward
//!   and up axes.
//! * **Queries** find a collider as soon as it is spawned. After a body was moved by its
//!   `Position`, [`index_colliders`] makes them valid before the next step. Before the very first
//!   step, move bodies by their `Transform`: Avian reads poses from there.
//! * **Layers.** A collider is hit if the *memberships* of its `CollisionLayers` share a bit with
//!   the query's layers. Avian's default is membership of only the first layer, bit 0.
//! * **Smooth normals** of meshes and heightfields need the triangles numbered as in hits: see
//!   [`surface_triangles`] of the collider's shape.
//! * **Forces.** Avian clears accelerations after each step, including ours; the user's `Forces`
//!   and constant forces act in addition.
//! * **Sleep.** Writing `Gravity` wakes everything, whether it changes or not.
//! * **Fast cars with wheel colliders.** Avian sweeps fast bodies against fixed colliders; the
//!   layers of [`wheel_layers`] exclude wheels from that.
//! * **Contact hooks** need [`WheelHooks`] named to `PhysicsPlugins` and [`WheelHooksPlugin`],
//!   which sets `NarrowPhaseConfig::recycle_distance` to 0: otherwise Avian reuses the contacts of
//!   slow pairs without calling hooks.
//! * **Copies of a world** are not possible: much of Avian's state, such as its contact graph and
//!   its islands, cannot be written from outside.
//!
//! # Features
//!
//! `gizmos`: `plugin::gizmos::VehicleGizmosPlugin` draws suspensions, contact planes and forces.
//!
//! # Modules, in data-flow order
//!
//! [`convert`]: ids, axes, types · [`body`]: chassis and ground bodies · [`ground`]: what counts as
//! ground · [`query`]: rays and sweeps
//! · [`contact`]: contacts of wheels · [`wheels`]: wheel colliders · [`jointed`]: wheels as
//! bodies on joints · [`plugin`]: vehicles as components.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod convert;
pub mod body;
pub mod ground;
pub mod query;
pub mod contact;
pub mod wheels;
pub mod jointed;
pub mod plugin;

use avian3d::dynamics::integrator::IntegrationSystems;
use avian3d::prelude::{PhysicsSchedule, PhysicsStepSystems, SolverSystems};
use bevy::app::{App, Plugin};
use bevy::ecs::system::{SystemParam, SystemState};
use bevy::prelude::{
    Commands, Component, IntoScheduleConfigs as _, Mut, Query, ResMut, Resource, World,
};
use vehicle_core::{
    Axis, Frame, GroundHit, GroundRay, GroundSweep, GroundTriangle, GroundTriangles, SceneQuery,
    SweepHit, SweepQuery, TriangleQuery,
};

pub use {avian3d, bevy};

pub use body::{attach, set_mass_properties};
pub use contact::{ModifiedWheel, WheelHooks, WheelHooksPlugin};
pub use convert::{MassProperties, body_entity, body_id, collider_id, mass_properties};
pub use ground::{GroundMaterial, TriangleMaterials, VehicleGround};
pub use jointed::{AvianJoints, JointedWheel, JointedWheelsPlugin};
pub use parry_query::{GroundOptions, WheelSize, surface_triangles};
pub use plugin::colliders::WheelColliders;
pub use plugin::present::WheelOf;
pub use plugin::report::{LastReport, VehicleFault};
pub use plugin::vehicle::{VehicleCommand, VehicleComponent, VehicleDetail, VehicleSurfaces, hull};
pub use plugin::{VehiclePlugin, VehicleSystems};
pub use query::{AvianScene, index_colliders};
pub use wheels::{
    WheelCollider, WheelError, WheelSettings, attach_wheels, follow_wheels, pose_wheels,
    wheel_layers,
};

/// Marks a body as a vehicle's, modeled along the axes of a frame.
///
/// Bodies without it are not vehicles; they are read in the default frame.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct ChassisFrame(pub Frame);

impl Default for ChassisFrame {
    /// Bevy's axes: −z forward, y up.
    fn default() -> Self {
        let frame = Frame::new(Axis::NegZ, Axis::Y);
        Self(frame.unwrap_or(Frame::X_FORWARD_Y_UP))
    }
}

/// Plugin of the adapter, in addition to Avian's `PhysicsPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AvianLinkPlugin;

impl Plugin for AvianLinkPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<VehicleGround>()
            .init_resource::<body::Accelerations>();
        app.add_systems(
            PhysicsSchedule,
            (
                body::hold_told_rotations
                    .after(SolverSystems::PrepareSolverBodies)
                    .before(SolverSystems::PrepareJoints),
                body::end_step
                    .in_set(SolverSystems::PostSubstep)
                    .after(IntegrationSystems::ClearVelocityIncrements),
                // Otherwise Avian does it at the start of the next step, too late for queries.
                query::place_child_colliders
                    .in_set(PhysicsStepSystems::Finalize)
                    .ambiguous_with_all(),
            ),
        );
    }
}

/// A physics world, borrowed for an update: implements [`SceneQuery`], [`SweepQuery`] and
/// [`RigidBodies`](vehicle_core::RigidBodies).
///
/// A system parameter; code that has a whole `World` borrows it by [`AvianWorld::scope`].
#[derive(SystemParam)]
pub struct AvianWorld<'w, 's> {
    colliders: query::ColliderAccess<'w, 's>,
    bodies: Query<'w, 's, body::BodyComponents>,
    ledger: ResMut<'w, body::Accelerations>,
    commands: Commands<'w, 's>,
}

impl core::fmt::Debug for AvianWorld<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AvianWorld").finish_non_exhaustive()
    }
}

/// Access to a world from outside systems, kept from one scope to the next.
#[derive(Resource)]
struct Outside(SystemState<AvianWorld<'static, 'static>>);

impl AvianWorld<'_, '_> {
    /// Borrows a world exclusively, and applies queued commands at the end.
    ///
    /// # Panics
    /// If the world has no [`AvianLinkPlugin`] or no `PhysicsPlugins`.
    pub fn scope<R>(world: &mut World, task: impl FnOnce(&mut AvianWorld<'_, '_>) -> R) -> R {
        if !world.contains_resource::<Outside>() {
            let state = SystemState::new(world);
            world.insert_resource(Outside(state));
        }
        world.resource_scope(|world, mut outside: Mut<'_, Outside>| {
            let view = outside.0.get_mut(world);
            let result = match view {
                Ok(mut view) => task(&mut view),
                Err(error) => panic!("add PhysicsPlugins and AvianLinkPlugin: {error}"),
            };
            outside.0.apply(world);
            result
        })
    }
}

impl SceneQuery for AvianWorld<'_, '_> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.colliders.cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for AvianWorld<'_, '_> {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        self.colliders.visit_triangles(queries, on_triangle);
    }
}

impl SweepQuery for AvianWorld<'_, '_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.colliders.sweep_first(sweeps, hits);
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.colliders.sweep_all(sweeps, found);
    }
}
