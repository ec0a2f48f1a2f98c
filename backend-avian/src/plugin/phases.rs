//! The phases as systems: probe, update, apply.

use avian3d::prelude::{Gravity, GravityScale, Physics, PhysicsTime as _};
use bevy::prelude::{Commands, Entity, Local, Query, Res};
use bevy::tasks::ComputeTaskPool;
use bevy::time::Time;
use vehicle_core::params::Probe;
use vehicle_core::{
    BodyState, GroundHit, GroundRay, RigidBodies as _, SceneQuery as _, StepError, UpdateLevel,
    phases,
};

use super::rays::RayBatch;
use super::vehicle::{TickPhase, VehicleCommand, VehicleComponent, VehicleDetail, VehicleSurfaces};
use crate::{AvianScene, AvianWorld, ChassisFrame, body_id};

/// Length of Avian's coming step (`s`), by its own rule; 0 while its clock is paused.
fn step_length(time: &Time, physics: &Time<Physics>) -> f32 {
    if physics.is_paused() {
        return physics.delta_secs();
    }
    let delta = time.delta().mul_f64(physics.relative_speed_f64());
    delta.as_secs_f32()
}

pub(super) fn physics_steps(time: Res<Time>, physics: Res<Time<Physics>>) -> bool {
    step_length(&time, &physics) > 0.0
}

/// Gives bodies the mass properties of their vehicles, in time for Avian's update.
///
/// The body of a vehicle added later in a tick has not been processed by Avian yet; it drives from
/// the next one on.
pub(super) fn fit(
    mut vehicles: Query<(Entity, &mut VehicleComponent, Option<&ChassisFrame>)>,
    mut commands: Commands,
) {
    for (entity, mut vehicle, frame) in &mut vehicles {
        let frame = frame.copied().unwrap_or_default().0;
        if let Some(properties) = vehicle.fit(frame) {
            commands.entity(entity).try_insert(properties);
        }
    }
}

/// Reads bodies and probes the ground under all wheels that are due: rays in one batch, then sweeps
/// per vehicle.
pub(super) fn probe(
    scene: AvianScene<'_, '_>,
    surfaces: Res<VehicleSurfaces>,
    mut vehicles: Query<(Entity, &mut VehicleComponent, Option<&VehicleDetail>)>,
    mut batch: Local<RayBatch<Entity>>,
    mut tick: Local<u64>,
) {
    batch.clear();
    *tick += 1;
    for (entity, mut vehicle, detail) in &mut vehicles {
        if !vehicle.is_fitted() {
            continue;
        }
        vehicle.begin();
        let detail = detail.copied().unwrap_or_default().0;
        let update_level = vehicle
            .core()
            .update_level(detail, *tick, body_id(entity).0);
        let due = (update_level == UpdateLevel::Full).then_some(&mut *batch);
        match look(&scene, entity, &mut vehicle, &surfaces, due) {
            Ok(body) => vehicle.stage = TickPhase::Probed(body, update_level),
            Err(error) => vehicle.refuse(error),
        }
    }
    batch.cast(|rays, hits| cast_on_all(&scene, rays, hits));
    for (entity, rays, hits) in batch.results() {
        let Ok((_, mut vehicle, _)) = vehicles.get_mut(entity) else {
            continue;
        };
        let motion = |id| scene.ground_motion(id);
        let taken = phases::take_hits(vehicle.core_mut(), rays, hits, &surfaces.0, motion);
        if let Err(refused) = taken {
            vehicle.refuse(refused);
        } else if let TickPhase::Probed(body, _) = vehicle.stage {
            let cast = |rays: &[_], hits: &mut [_]| scene.cast_rays(rays, hits);
            phases::find_ground_edges(vehicle.core_mut(), &body, &surfaces.0, cast);
        }
    }
}

/// Fewest rays of a task: some 10 µs of work.
const FEWEST_RAYS: usize = 32;

/// Casts rays on the threads of Bevy's `ComputeTaskPool`. Each hit depends on its ray alone.
fn cast_on_all(scene: &AvianScene<'_, '_>, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
    let pool = ComputeTaskPool::get();
    let size = rays.len().div_ceil(pool.thread_num().max(1));
    let size = size.max(FEWEST_RAYS);
    pool.scope(|scope| {
        for (rays, hits) in rays.chunks(size).zip(hits.chunks_mut(size)) {
            scope.spawn(async move { scene.cast_rays(rays, hits) });
        }
    });
}

/// Reads a body; plans the rays of its vehicle, or sweeps its wheels, if they are due.
fn look(
    scene: &AvianScene<'_, '_>,
    entity: Entity,
    vehicle: &mut VehicleComponent,
    surfaces: &VehicleSurfaces,
    due: Option<&mut RayBatch<Entity>>,
) -> Result<BodyState, StepError> {
    let mut body = [BodyState::BLANK];
    scene.read(&[body_id(entity)], &mut body)?;
    let [body] = body;
    let Some(batch) = due else {
        return Ok(body);
    };
    let motion = |id| scene.ground_motion(id);
    let probed = match vehicle.core().model().params().probe {
        Probe::Ray => {
            batch.plan(entity, vehicle.core(), &body);
            Ok(())
        }
        Probe::Sweep(_) => phases::sweep(vehicle.core_mut(), &body, scene, &surfaces.0, motion),
        // Its colliders give triangles.
        Probe::Sections | Probe::Auto => {
            phases::meet_sections(vehicle.core_mut(), &body, scene, &surfaces.0, motion)
        }
    };
    if let Err(refused) = probed {
        vehicle.refuse(refused);
    }
    Ok(body)
}

/// Computes vehicles on the threads of Bevy's `ComputeTaskPool`, which has only one without Bevy's
/// feature `multi_threaded`. Each is computed independently: neither their order nor the number of
/// threads matters.
pub(super) fn update(
    time: Res<Time>,
    physics: Res<Time<Physics>>,
    gravity: Res<Gravity>,
    mut vehicles: Query<(
        &mut VehicleComponent,
        Option<&VehicleCommand>,
        Option<&GravityScale>,
    )>,
) {
    let dt = step_length(&time, &physics);
    vehicles
        .par_iter_mut()
        .for_each(|(mut vehicle, command, scale)| {
            let TickPhase::Probed(body, update_level) = vehicle.stage else {
                return;
            };
            let command = command.copied().unwrap_or_default().0;
            let gravity = gravity.0 * scale.copied().unwrap_or_default().0;
            let core = vehicle.core_mut();
            let result = match update_level {
                UpdateLevel::Extrapolated => phases::extrapolate(core, &body, gravity, dt),
                UpdateLevel::Full | UpdateLevel::KnownGround => {
                    phases::update(core, &body, &command, gravity, dt)
                }
            };
            match result {
                Ok(result) => {
                    vehicle.stage = TickPhase::Updated(result);
                    if let Some(refused) = vehicle.core().input_error() {
                        vehicle.refuse(refused);
                    }
                }
                Err(refused) => vehicle.refuse(refused),
            }
        });
}

/// Applies motions to bodies for the following step.
pub(super) fn apply(
    mut world: AvianWorld<'_, '_>,
    mut vehicles: Query<(Entity, &mut VehicleComponent)>,
) {
    for (entity, mut vehicle) in &mut vehicles {
        let TickPhase::Updated(result) = core::mem::take(&mut vehicle.stage) else {
            continue;
        };
        match world.apply(&[body_id(entity)], &[result]) {
            Ok(()) => {
                for reaction in phases::reactions(vehicle.core()) {
                    world.react(&[reaction]);
                }
                vehicle.pass();
            }
            Err(error) => vehicle.refuse(error.into()),
        }
    }
}
