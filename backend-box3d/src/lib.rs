//! Box3D as a world for the vehicles of `vehicle-core`.
//!
//! Nothing here owns or steps a world: the user's own [`boxddd::World`] is borrowed during an
//! update. State between ticks lives in one small [`Box3dLink`].
//!
//! ```
//! use backend_box3d::boxddd::{BodyType, BoxHull, Foundation};
//! use backend_box3d::{Box3dLink, Box3dWorld, set_mass_properties};
//! use glam::{DVec3, Mat3, Vec3};
//! use vehicle_core::{Frame, GroundRay, QueryFilter, SceneQuery as _};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let box3d = Foundation::initialize_default()?;
//! let mut world = box3d.create_world(box3d.world_def())?; // y up
//! let ground = world.create_body(box3d.body_def())?;
//! world.create_hull_shape(ground, &box3d.shape_def(), &BoxHull::new(50.0, 1.0, 50.0)?)?;
//! let free = box3d.body_def_builder().body_type(BodyType::Dynamic).position([0.0, 3.0, 0.0]);
//! let chassis = world.create_body(free.build()?)?;
//!
//! let frame = Frame::X_FORWARD_Y_UP;
//! let mut link = Box3dLink::new(frame);
//! let car = link.add_chassis(chassis, frame);
//! let inertia = Mat3::from_diagonal(Vec3::new(700.0, 2500.0, 2800.0));
//! set_mass_properties(&mut world, &link, car, 1500.0, inertia, Vec3::ZERO)?;
//!
//! let down = GroundRay {
//!     anchor: DVec3::new(0.0, 3.0, 0.0),
//!     offset: Vec3::ZERO,
//!     direction: Vec3::NEG_Y,
//!     length: 5.0,
//!     filter: QueryFilter::except(car),
//! };
//! let mut hits = [None];
//! Box3dWorld::new(&mut link, &mut world).cast_rays(&[down], &mut hits);
//! assert!((hits[0].unwrap().distance - 2.0).abs() < 1e-6);
//!
//! world.step(1.0 / 60.0, 4)?;
//! link.end_step(&mut world); // after every step
//! # Ok(())
//! # }
//! ```
//!
//! # What to know
//!
//! * **Axes.** World axes are Box3D's (any). Each chassis has a [`Frame`] with its forward and up
//!   axes.
//! * **Layers.** A shape is hit if its filter's category bits share a bit with the query's layers,
//!   of which there are 32.
//! * **Materials.** A hit's material is the low 32 bits of the shape's, or the triangle's,
//!   `user_material_id`.
//! * **Meshes** are hit from outside only. A shape is hit once, however many of its triangles a
//!   sweep meets.
//! * **Gyroscopic torque** is part of Box3D's own step; a vehicle's motion through a step includes
//!   it already, so it is canceled for such a step.
//! * **Slow platforms** sleep, and so stop below the sleep threshold of 0.05 m/s, unless created with
//!   `enable_sleep(false)`.
//! * **Half spaces** do not exist: [`parry_query::HalfSpaceBlock`] stands in for one.
//!
//! # Modules, in data-flow order
//!
//! [`convert`]: types · [`query`]: rays and sweeps · [`body`]: chassis and ground bodies.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod convert;

pub mod query;

pub mod body;

pub use boxddd;
use boxddd::World;
use vehicle_core::params::ChassisParams;
use vehicle_core::{
    BodyError, BodyId, ColliderId, Frame, GroundHit, GroundRay, SceneQuery, SweepQuery,
};

pub use body::set_mass_properties;
pub use parry_query::GroundOptions;
use parry_query::IdTable;
pub use query::Box3dScene;

/// State between ticks: the vehicles' frames, ids, and what was done for one step.
///
/// One per world; keep it next to it.
#[derive(Clone, Debug)]
pub struct Box3dLink {
    /// Bodies that count as ground.
    pub options: GroundOptions,
    default_frame: Frame,
    bodies: IdTable<boxddd::BodyId>,
    shapes: IdTable<boxddd::ShapeId>,
    /// Sorted by id.
    chassis: Vec<(BodyId, Frame)>,
    ledger: body::BoxLedger,
}

impl Box3dLink {
    /// A link without vehicles; unregistered bodies are read in `default_frame`.
    #[must_use]
    pub fn new(default_frame: Frame) -> Self {
        Self {
            options: GroundOptions::default(),
            default_frame,
            bodies: IdTable::default(),
            shapes: IdTable::default(),
            chassis: Vec::new(),
            ledger: body::BoxLedger::default(),
        }
    }

    /// Registers the body of a vehicle, modeled along the axes of `frame`; a later call replaces
    /// the frame.
    pub fn add_chassis(&mut self, body: boxddd::BodyId, frame: Frame) -> BodyId {
        let id = self.body_id(body);
        match self.find(id) {
            Ok(i) => self.chassis[i].1 = frame,
            Err(i) => self.chassis.insert(i, (id, frame)),
        }
        id
    }

    /// Makes a body of a world the chassis of a vehicle: registers it along the axes that it was registered with, or the
    /// default ones, and gives it the vehicle's [mass properties](set_mass_properties). The body's own shapes come before.
    ///
    /// # Errors
    /// If the world has no such body, or it is not dynamic.
    pub fn attach(
        &mut self,
        world: &mut World,
        body: boxddd::BodyId,
        vehicle: &impl AsRef<ChassisParams>,
    ) -> Result<BodyId, BodyError> {
        let (id, params) = (self.body_id(body), vehicle.as_ref());
        let (mass, inertia, center) = (params.mass, params.inertia_tensor(), params.center_of_mass);
        set_mass_properties(world, self, id, mass, inertia, center)?;
        Ok(self.add_chassis(body, *self.frame(id)))
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
            .map_or(&self.default_frame, |i| &self.chassis[i].1)
    }

    /// The id of a body.
    #[must_use]
    pub fn body_id(&self, body: boxddd::BodyId) -> BodyId {
        BodyId(self.bodies.id(body))
    }

    /// The body with an id. It may not exist (any more).
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<boxddd::BodyId> {
        self.bodies.get(id.0)
    }

    /// Every body that has an id, also removed ones.
    #[must_use]
    pub fn bodies(&self) -> Vec<boxddd::BodyId> {
        self.bodies.all()
    }

    /// The id of a shape.
    #[must_use]
    pub fn collider_id(&self, shape: boxddd::ShapeId) -> ColliderId {
        ColliderId(self.shapes.id(shape))
    }

    /// Ends the forces and other effects for one step. Call it once after each [`World::step`].
    pub fn end_step(&mut self, world: &mut World) {
        self.ledger.close(world);
    }

    fn find(&self, id: BodyId) -> Result<usize, usize> {
        self.chassis.binary_search_by_key(&id, |entry| entry.0)
    }
}

/// A world, borrowed for an update: implements [`SceneQuery`], [`SweepQuery`] and
/// [`RigidBodies`](vehicle_core::RigidBodies). Creating one costs nothing and changes nothing.
#[derive(Debug)]
pub struct Box3dWorld<'a> {
    link: &'a mut Box3dLink,
    world: &'a mut World,
}

impl<'a> Box3dWorld<'a> {
    /// Borrows a world and its link.
    #[must_use]
    pub const fn new(link: &'a mut Box3dLink, world: &'a mut World) -> Self {
        Self { link, world }
    }

    /// View of the same world and link that can only read and query.
    #[must_use]
    pub const fn scene(&self) -> Box3dScene<'_> {
        Box3dScene::new(self.link, self.world)
    }
}

impl SceneQuery for Box3dWorld<'_> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.scene().cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for Box3dWorld<'_> {
    fn sweep_first(
        &self,
        sweeps: &[vehicle_core::GroundSweep],
        hits: &mut [Option<vehicle_core::SweepHit>],
    ) {
        self.scene().sweep_first(sweeps, hits);
    }

    fn sweep_all(
        &self,
        sweeps: &[vehicle_core::GroundSweep],
        found: &mut dyn FnMut(usize, vehicle_core::SweepHit),
    ) {
        self.scene().sweep_all(sweeps, found);
    }
}
