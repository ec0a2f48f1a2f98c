//! A Bevy plugin: vehicles as components, driven in the fixed schedule.
//!
//! ```text
//! game writes VehicleCommand
//! PhysicsSystems::Prepare ─▶ Probe ─▶ Update ─▶ Apply ─▶ PhysicsSystems::StepSimulation
//!     ─▶ Writeback ─▶ Present: LastReport ─▶ PostUpdate, Present: Transforms of wheels
//! ```
//!
//! A car that drives off, in an app without a window:
//!
//! ```
//! use avian3d::prelude::*;
//! use backend_avian::{ChassisFrame, LastReport, VehicleCommand, VehicleComponent, VehiclePlugin, hull};
//! use bevy::prelude::*;
//! use bevy::time::TimeUpdateStrategy;
//! use vehicle_core::{CarCommand, Command};
//!
//! fn set_up(mut commands: Commands) {
//!     let road = Collider::cuboid(1000.0, 1.0, 1000.0);
//!     commands.spawn((RigidBody::Static, road, Transform::from_xyz(0.0, -0.5, 0.0)));
//!     let (car, frame) = (jounce::presets::sedan(), ChassisFrame::default()); // −z forward, y up
//!     let body = hull(&frame.0, car.hull.size, car.hull.center);
//!     commands.spawn((VehicleComponent::new(car.model()), LastReport::default(), body));
//! }
//!
//! fn drive(mut cars: Query<&mut VehicleCommand>) {
//!     for mut command in &mut cars {
//!         command.0 = Command::Car(CarCommand { throttle: 1.0, ..CarCommand::default() });
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default(), VehiclePlugin::default()));
//! app.add_systems(Startup, set_up).add_systems(FixedUpdate, drive);
//! app.insert_resource(TimeUpdateStrategy::ManualDuration(core::time::Duration::from_millis(16)));
//! app.finish();
//! app.cleanup();
//! (0..120).for_each(|_| app.update());
//! let mut reports = app.world_mut().query::<&LastReport>();
//! assert!(reports.single(app.world()).unwrap().vehicle.forward_speed > 3.0); // m/s, two seconds later
//! ```
//!
//! Modules, in that order: `turn`, rotation of wheels between ticks · [`vehicle`] · [`present`],
//! visible wheels · [`colliders`], of wheels · `phases` · [`report`] · `gizmos` (with the feature
//! of that name).

mod turn;
pub mod vehicle;
pub mod present;
pub mod colliders;
mod rays;
mod phases;
pub mod report;

#[cfg(feature = "gizmos")]
pub mod gizmos;

use avian3d::prelude::{Gravity, PhysicsSystems};
use bevy::app::{App, FixedPostUpdate, Plugin, PostUpdate};
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::{IntoScheduleConfigs as _, SystemSet};
use bevy::transform::TransformSystems;

use crate::AvianLinkPlugin;
use report::VehicleFault;
use vehicle::VehicleSurfaces;

/// Drives every entity with a [`VehicleComponent`](vehicle::VehicleComponent), in addition to Avian's
/// `PhysicsPlugins`.
///
/// Adds [`AvianLinkPlugin`], and [`VehicleSurfaces`] and [`VehicleGround`](crate::VehicleGround) as
/// resources. Gravity and time are Avian's; while its clock is paused, vehicles stand still, too.
///
/// # Panics
/// When the app is finished, if it has no `PhysicsPlugins`.
#[derive(Clone, Copy, Debug)]
pub struct VehiclePlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl VehiclePlugin {
    /// A plugin in the schedule of Avian's `PhysicsPlugins`.
    #[must_use]
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for VehiclePlugin {
    /// A plugin in `FixedPostUpdate`, as `PhysicsPlugins::default()`.
    fn default() -> Self {
        Self::new(FixedPostUpdate)
    }
}

/// Phases of vehicles in a tick. All vehicles complete one set before the next starts.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VehicleSystems {
    /// Reads bodies, and probes the ground under all wheels in one batch. Bodies and colliders have
    /// the poses set by `PhysicsSystems::Prepare`.
    Probe,
    /// Computes vehicles, each independently. Does not access the world.
    Update,
    /// Applies motions to bodies and reactions to the ground under wheels. Avian's step follows.
    Apply,
    /// Writes reports after the step; in `PostUpdate`, `Transform`s of wheels.
    Present,
}

impl Plugin for VehiclePlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<AvianLinkPlugin>() {
            app.add_plugins(AvianLinkPlugin);
        }
        app.init_resource::<VehicleSurfaces>()
            .add_message::<VehicleFault>();
        self.add_phases(app);
        app.configure_sets(
            PostUpdate,
            VehicleSystems::Present
                .after(PhysicsSystems::Writeback)
                .before(TransformSystems::Propagate),
        );
        let pose = present::pose_wheels.in_set(VehicleSystems::Present);
        app.add_systems(PostUpdate, pose.after(present::remember_wheels));
    }

    fn finish(&self, app: &mut App) {
        let physics = app.world().contains_resource::<Gravity>();
        assert!(physics, "VehiclePlugin needs Avian's PhysicsPlugins");
    }
}

impl VehiclePlugin {
    fn add_phases(&self, app: &mut App) {
        app.configure_sets(
            self.schedule,
            (
                VehicleSystems::Probe,
                VehicleSystems::Update,
                VehicleSystems::Apply,
            )
                .chain()
                .after(PhysicsSystems::Prepare)
                .before(PhysicsSystems::StepSimulation)
                .run_if(phases::physics_steps),
        );
        app.configure_sets(
            self.schedule,
            VehicleSystems::Present
                .after(PhysicsSystems::Writeback)
                .before(PhysicsSystems::Last),
        );
        app.add_systems(
            self.schedule,
            (
                (phases::fit, colliders::attach, colliders::pose)
                    .chain()
                    .in_set(PhysicsSystems::First),
                phases::probe.in_set(VehicleSystems::Probe),
                phases::update.in_set(VehicleSystems::Update),
                (phases::apply, colliders::tell_hooks).in_set(VehicleSystems::Apply),
                (
                    present::remember_wheels,
                    report::write_reports,
                    report::announce_faults,
                )
                    .chain()
                    .in_set(VehicleSystems::Present),
            ),
        );
    }
}
