//! Rapier as a world for the vehicles of `vehicle-core`.
//!
//! Nothing here owns or steps a world: the user's own `RigidBodySet`, `ColliderSet` and pipeline
//! are borrowed during an update. State between ticks lives in one small [`RapierLink`].
//!
//! ```
//! use backend_rapier::{RapierLink, RapierWorld, index_colliders};
//! use glam::{DVec3, Vec3};
//! use rapier3d::prelude::*;
//! use vehicle_core::{Frame, GroundRay, QueryFilter, RigidBodies as _, SceneQuery as _};
//!
//! let mut world = PhysicsWorld::new(); // y up
//! world.insert_collider(ColliderBuilder::cuboid(50.0, 1.0, 50.0), None);
//! let chassis = world.insert_body(
//!     RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 3.0, 0.0)),
//! );
//! world.insert_collider(ColliderBuilder::cuboid(2.0, 0.5, 0.9), Some(chassis));
//!
//! let mut link = RapierLink::new(Frame::X_FORWARD_Y_UP);
//! let car = link.add_chassis(chassis, Frame::X_FORWARD_Y_UP);
//! // Once, so that queries answer before the first step.
//! index_colliders(&world.integration_parameters, &world.bodies, &mut world.colliders, &mut world.broad_phase);
//!
//! let down = GroundRay {
//!     anchor: DVec3::new(0.0, 3.0, 0.0),
//!     offset: Vec3::ZERO,
//!     direction: Vec3::NEG_Y,
//!     length: 5.0,
//!     filter: QueryFilter::except(car),
//! };
//! let mut hits = [None];
//! let view = RapierWorld::of(&mut link, &mut world);
//! view.cast_rays(&[down], &mut hits);
//! assert_eq!(hits[0].unwrap().distance, 2.0);
//!
//! world.step();
//! link.end_step(&mut world.bodies); // after every step
//! ```
//!
//! # A tick
//!
//! ```text
//! set_next_kinematic_… · user forces ─▶ RapierWorld: cast_rays ─▶ update ─▶ apply, react
//!                 ▲                                                            │
//!                 │                                                            ▼
//!  pose_wheels ◀─ RapierLink::end_step ◀───────────────────────────── PhysicsPipeline::step
//! ```
//!
//! # What to know
//!
//! * **Axes.** World axes are Rapier's (any). Each chassis has a [`Frame`] with its forward and up
//!   axes.
//! * **Queries before the first step** find nothing, because Rapier fills its tree while stepping;
//!   [`index_colliders`] fills it at once. `CollisionPipeline::step`
//!   (`PhysicsWorld::detect_collisions`) is not a substitute: it consumes the change events of new
//!   bodies, which the physics pipeline then never simulates.
//! * **Layers.** A collider is hit if its collision group *memberships* share a bit with the
//!   query's layers. Rapier's default is membership of all groups.
//! * **Nothing is kept of a query**: each reads poses, shapes and groups as they are, also after a world was restored or edited.
//!   Rays of a vehicle, four with one anchor and one filter, as [`plan_rays`](vehicle_core::phases::plan_rays)
//!   plans them, cost one search of the tree, which four vehicles in a row share.
//! * **Smooth normals** of meshes and heightfields need the triangles numbered as in hits: see
//!   [`surface_triangles`] of the collider's shape.
//! * **Forces.** Rapier keeps a force until it is reset, so this crate records what it added and
//!   [`RapierLink::end_step`] removes exactly that. Call `reset_forces` after `end_step` or before
//!   the update, not between update and step.
//! * **Fast cars with wheel colliders.** Rapier sweeps fast bodies against fixed colliders; the
//!   groups of [`wheel_groups`] exclude wheels from that. Wheels whose contacts are shared with the
//!   suspension need it off: [`RapierLink::check_wheels`] reports from what speed on.
//!
//! # Modules, in data-flow order
//!
//! [`convert`]: ids, axes, types · `guided`: bodies that follow poses · `ledger`: forces for one step · [`query`]: rays and sweeps · [`body`]: chassis and ground bodies ·
//! [`wheels`]: wheel colliders · [`contact`]: contacts of wheels, shared with the suspension ·
//! [`jointed`]: wheels as bodies on joints · [`snapshot`]: copies of a world.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod convert;

mod guided;

mod ledger;

pub mod query;

pub mod body;

pub mod wheels;

pub mod contact;

pub mod jointed;

pub mod snapshot;

use rapier3d::dynamics::{RigidBodyHandle, RigidBodySet};
use rapier3d::geometry::{BroadPhaseBvh, ColliderSet};
use rapier3d::pipeline::PhysicsWorld;
use vehicle_core::params::ChassisParams;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, GroundHit, GroundRay, GroundSweep, GroundTriangle,
    GroundTriangles, SceneQuery, SweepHit, SweepQuery, TriangleQuery,
};

pub use rapier3d;

pub use body::set_mass_properties;
pub use contact::{WheelHook, WheelPhysicsHooks, publish_wheels, share_contacts};
pub use convert::{body_handle, body_id, collider_id};
pub use jointed::RapierJoints;
pub use parry_query::{GroundOptions, WheelSize, surface_triangles};
pub use query::{Materials, RapierScene, index_colliders};
pub use snapshot::copy_of;
pub use wheels::{WheelFault, attach_wheels, follow_wheels, pose_wheels, wheel_groups};

/// State between ticks: the vehicles' frames, materials, and forces to remove.
///
/// One per physics world; keep it next to the sets.
#[derive(Clone, Debug)]
pub struct RapierLink {
    /// Bodies that count as ground.
    pub options: GroundOptions,
    /// Materials of colliders.
    pub materials: Materials,
    default_frame: Frame,
    /// Sorted by id.
    chassis: Vec<(BodyId, Frame)>,
    guided: guided::GuidedBodies,
    ledger: ledger::Ledger,
    wheels: contact::WheelTable,
    axles: jointed::JointTable,
}

impl RapierLink {
    /// A link without vehicles; unregistered bodies are read in `default_frame`.
    #[must_use]
    pub fn new(default_frame: Frame) -> Self {
        Self {
            options: GroundOptions::default(),
            materials: Materials::default(),
            default_frame,
            chassis: Vec::new(),
            guided: guided::GuidedBodies::default(),
            ledger: ledger::Ledger::default(),
            wheels: contact::WheelTable::default(),
            axles: jointed::JointTable::default(),
        }
    }

    /// Registers the body of a vehicle, modeled along the axes of `frame`; a later call replaces
    /// the frame.
    pub fn add_chassis(&mut self, body: RigidBodyHandle, frame: Frame) -> BodyId {
        let id = body_id(body);
        match self.find(id) {
            Ok(i) => self.chassis[i].1 = frame,
            Err(i) => self.chassis.insert(i, (id, frame)),
        }
        id
    }

    /// Makes a body of a world the chassis of a vehicle: registers it along the axes that it was registered with, or the
    /// default ones, gives it the vehicle's [mass properties](set_mass_properties), and lets [queries find](index_colliders)
    /// all colliders before the next step. The body's own colliders come before; later ones take density 0.
    ///
    /// # Errors
    /// If the world has no such body, or it is not dynamic.
    pub fn attach(
        &mut self,
        world: &mut PhysicsWorld,
        body: RigidBodyHandle,
        vehicle: &impl AsRef<ChassisParams>,
    ) -> Result<BodyId, BodyError> {
        let (id, frame) = (body_id(body), *self.frame(body_id(body)));
        let params = vehicle.as_ref();
        let (mass, inertia, center) = (params.mass, params.inertia_tensor(), params.center_of_mass);
        let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
        set_mass_properties(bodies, colliders, id, &frame, mass, inertia, center)?;
        let (rates, tree) = (&world.integration_parameters, &mut world.broad_phase);
        index_colliders(rates, bodies, colliders, tree);
        Ok(self.add_chassis(body, frame))
    }

    /// Unregisters a vehicle; returns whether it was registered. Its body may already be removed.
    pub fn remove_chassis(&mut self, id: BodyId) -> bool {
        self.axles.remove(id);
        self.find(id).map(|i| self.chassis.remove(i)).is_ok()
    }

    /// Whether the body was registered with [`add_chassis`](Self::add_chassis).
    #[must_use]
    pub fn is_chassis(&self, id: BodyId) -> bool {
        self.find(id).is_ok()
    }

    /// The axes of a body: those it was registered with, or the default.
    #[must_use]
    pub fn frame(&self, id: BodyId) -> &Frame {
        self.find(id)
            .map_or(&self.default_frame, |i| &self.chassis[i].1)
    }

    /// Removes every force of the past step; the user's own forces stay, bit for bit.
    ///
    /// Call it once after each `PhysicsPipeline::step`. Without it, accelerations act until the
    /// same body receives a step result again, reactions on ground bodies add up, and platforms that follow poses are known to
    /// stand a step late.
    pub fn end_step(&mut self, bodies: &mut RigidBodySet) {
        self.ledger.take_back(bodies);
        self.guided.end_step(bodies);
    }

    /// The axes of a body, looked for at `place` first, which becomes that of the next vehicle: those of a fleet mostly come in
    /// order.
    fn frame_from(&self, place: &mut usize, id: BodyId) -> &Frame {
        if self.chassis.get(*place).is_none_or(|entry| entry.0 != id) {
            let Ok(found) = self.find(id) else {
                return &self.default_frame;
            };
            *place = found;
        }
        *place += 1;
        &self.chassis[*place - 1].1
    }

    fn find(&self, id: BodyId) -> Result<usize, usize> {
        self.chassis.binary_search_by_key(&id, |entry| entry.0)
    }
}

/// A physics world, borrowed for an update: implements [`SceneQuery`], [`SweepQuery`] and
/// [`RigidBodies`](vehicle_core::RigidBodies).
///
/// Creating one costs nothing and changes nothing; several may follow each other within a tick.
pub struct RapierWorld<'a> {
    link: &'a mut RapierLink,
    bodies: &'a mut RigidBodySet,
    colliders: &'a ColliderSet,
    broad_phase: &'a BroadPhaseBvh,
    dt: f32,
}

impl core::fmt::Debug for RapierWorld<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RapierWorld")
            .field("link", self.link)
            .field("bodies", &self.bodies.len())
            .field("colliders", &self.colliders.len())
            .field("dt", &self.dt)
            .finish_non_exhaustive()
    }
}

impl<'a> RapierWorld<'a> {
    /// Borrows the parts of a world.
    ///
    /// `dt` (`s`) is the length of the coming step; only the speed of position-based kinematic
    /// bodies depends on it, which is 0 if `dt` is not positive. Updates refuse such a step.
    #[must_use]
    pub fn new(
        link: &'a mut RapierLink,
        bodies: &'a mut RigidBodySet,
        colliders: &'a ColliderSet,
        broad_phase: &'a BroadPhaseBvh,
        dt: f32,
    ) -> Self {
        Self {
            link,
            bodies,
            colliders,
            broad_phase,
            dt,
        }
    }

    /// Borrows a [`PhysicsWorld`], with the `dt` of its integration parameters.
    #[must_use]
    pub fn of(link: &'a mut RapierLink, world: &'a mut PhysicsWorld) -> Self {
        Self::new(
            link,
            &mut world.bodies,
            &world.colliders,
            &world.broad_phase,
            world.integration_parameters.dt,
        )
    }

    /// The state of a chassis, as the contracts have it: for reports, and for the poses of wheels in the world.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    pub fn state(&self, id: BodyId) -> Result<BodyState, BodyError> {
        let mut state = [BodyState::BLANK];
        self.scene().read(&[id], &mut state)?;
        Ok(state[0])
    }

    /// The read-only part, for use from several threads.
    #[must_use]
    pub fn scene(&self) -> RapierScene<'_> {
        RapierScene::new(self.link, self.bodies, self.colliders, self.broad_phase)
    }
}

impl SceneQuery for RapierWorld<'_> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.scene().cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for RapierWorld<'_> {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        self.scene().visit_triangles(queries, on_triangle);
    }
}

impl SweepQuery for RapierWorld<'_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.scene().sweep_first(sweeps, hits);
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.scene().sweep_all(sweeps, found);
    }
}
