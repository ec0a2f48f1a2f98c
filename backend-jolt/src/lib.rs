//! Jolt Physics as a world for the vehicles of `vehicle-core`.
//!
//! Nothing here owns or steps a world: the user's own [`oxijolt::PhysicsWorld`] is borrowed during
//! an update. State between ticks lives in one small [`JoltLink`].
//!
//! ```
//! use backend_jolt::oxijolt::{self, BodySettings, Inertia, ObjectLayer, PhysicsWorld, Shape, WorldSettings};
//! use backend_jolt::{JoltLink, JoltWorld, LayerUse};
//! use glam::{DVec3, Vec3};
//! use vehicle_core::{Frame, GroundRay, QueryFilter, SceneQuery as _};
//!
//! # fn main() -> oxijolt::error::Result<()> {
//! let mut world = PhysicsWorld::new(WorldSettings::default())?; // y up
//! let slab = Shape::new_box(oxijolt::Vec3::new(50.0, 1.0, 50.0))?;
//! world.create_body(&slab, &BodySettings::new_static())?;
//! let inertia = Inertia::Principal(oxijolt::Vec3::new(700.0, 2500.0, 2800.0));
//! let car = BodySettings::new_dynamic().mass_and_inertia(1500.0, inertia);
//! let car = car.position(oxijolt::RVec3::new(0.0, 3.0, 0.0));
//! let chassis = world.create_body(&Shape::new_box(oxijolt::Vec3::new(2.0, 0.5, 0.9))?, &car)?;
//!
//! let layers = [
//!     (ObjectLayer::NON_MOVING, LayerUse::Ground(u32::MAX)),
//!     (ObjectLayer::MOVING, LayerUse::Vehicles(u32::MAX)),
//! ];
//! let mut link = JoltLink::new(Frame::X_FORWARD_Y_UP, &layers);
//! let car = link.add_chassis(chassis, Frame::X_FORWARD_Y_UP, Vec3::ZERO);
//!
//! let down = GroundRay {
//!     anchor: DVec3::new(0.0, 3.0, 0.0),
//!     offset: Vec3::ZERO,
//!     direction: Vec3::NEG_Y,
//!     length: 5.0,
//!     filter: QueryFilter::except(car),
//! };
//! let mut hits = [None];
//! JoltWorld::new(&mut link, &mut world).cast_rays(&[down], &mut hits);
//! assert!((hits[0].unwrap().distance - 2.0).abs() < 1e-5);
//!
//! world.step(1.0 / 60.0)?;
//! link.end_step(&mut world); // after every step
//! # Ok(())
//! # }
//! ```
//!
//! # What to know
//!
//! * **Axes.** World axes are Jolt's (any). Each chassis has a [`Frame`] with its forward and up
//!   axes.
//! * **Layers.** Jolt filters by object layers, of which a body has one: [`LayerUse`] says what
//!   each is to wheels. Sensors belong in a layer that is [`Nothing`](LayerUse::Nothing) to them.
//! * **Materials.** A hit's material is the low 32 bits of the body's user data.
//! * **Mass** and inertia are given when a body is created, by
//!   [`BodySettings::mass_and_inertia`](oxijolt::BodySettings::mass_and_inertia); the center of
//!   mass is that of its shape, which
//!   [`Shape::new_offset_center_of_mass`](oxijolt::Shape::new_offset_center_of_mass) moves.
//! * **Slow platforms** sleep, and so stop below 0.03 m/s, unless created with `allow_sleeping(false)`.
//! * **Only the nearest hit** of a query is known, of all bodies but one. Where two ignored bodies
//!   lie before the ground, a wheel misses it: keep vehicles in a layer for
//!   [`Vehicles`](LayerUse::Vehicles).
//! * **Triangles** of meshes are told apart, but their numbers are Jolt's, which reorders them.
//!
//! # Modules, in data-flow order
//!
//! [`layers`]: what is ground · [`query`]: rays and sweeps · [`body`]: chassis and ground bodies.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod layers;

pub mod query;

pub mod body;

use glam::Vec3;
pub use oxijolt;
use oxijolt::{ObjectLayer, PhysicsWorld};
use parry_query::IdTable;
use vehicle_core::{
    BodyId, Frame, GroundHit, GroundRay, GroundSweep, SceneQuery, SweepHit, SweepQuery,
};

pub use layers::LayerUse;
pub use parry_query::GroundOptions;
pub use query::JoltScene;

/// A registered body.
#[derive(Clone, Copy, Debug)]
struct RegisteredBody {
    id: BodyId,
    frame: Frame,
    /// Center of mass, from the body's origin (`m`, body axes).
    center_of_mass: Vec3,
}

/// State between ticks: the vehicles' frames, ids, and what was done for one step.
///
/// One per world; keep it next to it.
#[derive(Clone, Debug)]
pub struct JoltLink {
    /// Bodies that count as ground.
    pub options: GroundOptions,
    layers: layers::LayerTable,
    default_frame: Frame,
    bodies: IdTable<oxijolt::BodyId>,
    shapes: query::WheelShapes,
    /// Sorted by id.
    chassis: Vec<RegisteredBody>,
    ledger: body::JoltLedger,
}

impl JoltLink {
    /// A link without vehicles; unregistered bodies are read in `default_frame`. `layers`: what
    /// each of the world's object layers is to wheels; one that is missing is nothing to them.
    #[must_use]
    pub fn new(default_frame: Frame, layers: &[(ObjectLayer, LayerUse)]) -> Self {
        Self {
            options: GroundOptions::default(),
            layers: layers::LayerTable::new(layers),
            default_frame,
            bodies: IdTable::default(),
            shapes: query::WheelShapes::default(),
            chassis: Vec::new(),
            ledger: body::JoltLedger::default(),
        }
    }

    /// Registers the body of a vehicle, modeled along the axes of `frame`, with its center of mass
    /// from the body's origin (`m`, vehicle axes); a later call replaces both.
    pub fn add_chassis(
        &mut self,
        body: oxijolt::BodyId,
        frame: Frame,
        center_of_mass: Vec3,
    ) -> BodyId {
        let id = self.body_id(body);
        let chassis = RegisteredBody {
            id,
            frame,
            center_of_mass: frame.to_body(center_of_mass),
        };
        match self.find(id) {
            Ok(i) => self.chassis[i] = chassis,
            Err(i) => self.chassis.insert(i, chassis),
        }
        id
    }

    /// Unregisters a vehicle; returns whether it was registered. Its body may already be removed.
    pub fn remove_chassis(&mut self, id: BodyId) -> bool {
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
            .map_or(&self.default_frame, |i| &self.chassis[i].frame)
    }

    /// The id of a body.
    #[must_use]
    pub fn body_id(&self, body: oxijolt::BodyId) -> BodyId {
        BodyId(self.bodies.id(body))
    }

    /// The body with an id. It may not exist (any more).
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<oxijolt::BodyId> {
        self.bodies.get(id.0)
    }

    /// Every body that has an id, also removed ones.
    #[must_use]
    pub fn bodies(&self) -> Vec<oxijolt::BodyId> {
        self.bodies.all()
    }

    /// Ends the forces and other effects for one step. Call it once after each [`PhysicsWorld::step`].
    pub fn end_step(&mut self, world: &mut PhysicsWorld) {
        self.ledger.close(world);
    }

    /// Center of mass from the body's origin (`m`, body axes).
    fn center_of_mass(&self, id: BodyId) -> Vec3 {
        self.find(id)
            .map_or(Vec3::ZERO, |i| self.chassis[i].center_of_mass)
    }

    fn find(&self, id: BodyId) -> Result<usize, usize> {
        self.chassis.binary_search_by_key(&id, |chassis| chassis.id)
    }
}

/// A world, borrowed for an update: implements [`SceneQuery`], [`SweepQuery`] and
/// [`RigidBodies`](vehicle_core::RigidBodies). Creating one costs nothing and changes nothing.
pub struct JoltWorld<'a> {
    link: &'a mut JoltLink,
    world: &'a mut PhysicsWorld,
}

impl core::fmt::Debug for JoltWorld<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("JoltWorld")
            .field("link", self.link)
            .finish_non_exhaustive()
    }
}

impl<'a> JoltWorld<'a> {
    /// Borrows a world and its link.
    #[must_use]
    pub const fn new(link: &'a mut JoltLink, world: &'a mut PhysicsWorld) -> Self {
        Self { link, world }
    }

    /// View of the same world and link that can only read and query.
    #[must_use]
    pub const fn scene(&self) -> JoltScene<'_> {
        JoltScene::new(self.link, self.world)
    }
}

impl SceneQuery for JoltWorld<'_> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.scene().cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for JoltWorld<'_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.scene().sweep_first(sweeps, hits);
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.scene().sweep_all(sweeps, found);
    }
}
