//! Jolt: the ground as fixed bodies, the chassis as a dynamic body.

mod touch;

use glam::{DVec3, Quat, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, ColliderId, Frame, GroundHit, GroundMotion, GroundRay,
    GroundSweep, Reaction, RigidBodies, SceneQuery, StepResult, SweepHit, SweepQuery,
};
use jounce::jolt::oxijolt::{
    self, Activation, BodySettings, BroadPhaseLayer, CollisionGroup, CollisionLayers,
    CompoundChild, GroupFilterTableBuilder, Inertia, MeshSettings, MotionType, ObjectLayer,
    PhysicsWorld, PointConstraintSettings, Shape, WorldSettings, WorldState,
};
use jounce::jolt::query::SURFACE;
use jounce::jolt::{JoltLink, JoltScene, JoltWorld, LayerUse};
use jounce::scene::{BodyDesc, CouplingJoint, Triangles};

use super::abilities::{Boxes, Colliders, Handling, Joints, Platforms, Snapshot, Snapshots};
use super::collider::{ColliderShape, ColliderSpec};
use super::{PLATFORM_HALF, World};
use crate::error::ProvingError;
use crate::ground::Terrain;
use touch::{JoltTouch, JoltTouches};

/// The body's axes are the vehicle's.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// Reach of a half space (`m`): as far as Jolt's shapes.
const REACH: f32 = 1000.0;
/// Jolt's collision steps in a step. With one, a car that stands on another slips at 30 Hz, as a force then moves a body
/// by a whole step at once.
const SUBSTEPS: u32 = 2;
/// Bodies without a hull touch nothing and are nothing to wheels.
const GHOSTS: u32 = 0;
const BOXES: u32 = 1;
const CARS: u32 = 2;
/// The first of the grounds, see [`grounds`].
const FIRST_GROUND: u32 = 3;

/// Sets of layers that ground may be in, an object layer each: Jolt needs to know them beforehand.
fn grounds() -> impl Iterator<Item = u32> {
    let single = (4..32).map(|bit| 1 << bit);
    [u32::MAX].into_iter().chain(0..16).chain(single)
}

/// A Jolt world over a terrain.
pub struct Jolt {
    link: JoltLink,
    physics: PhysicsWorld,
    layers: Vec<ObjectLayer>,
    touches: JoltTouches,
    /// The user's own forces, which Jolt forgets after each step.
    pushes: Vec<(BodyId, Vec3)>,
    /// Pairs that are joined.
    joined: Vec<[oxijolt::BodyId; 2]>,
}

impl core::fmt::Debug for Jolt {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Jolt").finish_non_exhaustive()
    }
}

/// An error of Jolt's, of any of its kinds.
fn refused(error: impl core::fmt::Display) -> ProvingError {
    ProvingError::Engine(error.to_string())
}

impl Jolt {
    /// The terrain as bodies: a plane, or a mesh.
    ///
    /// # Errors
    /// If Jolt rejects the triangles.
    pub fn new(terrain: &Terrain) -> Result<Self, ProvingError> {
        let mut collisions = CollisionLayers::new(2);
        let moving = [GHOSTS, BOXES, CARS];
        let mut layers: Vec<_> = moving
            .map(|_| collisions.add_object_layer(BroadPhaseLayer::MOVING))
            .to_vec();
        let mut uses = vec![
            (layers[GHOSTS as usize], LayerUse::Nothing),
            (layers[BOXES as usize], LayerUse::Bodies(u32::MAX)),
            (layers[CARS as usize], LayerUse::Vehicles(u32::MAX)),
        ];
        for bits in grounds() {
            let layer = collisions.add_object_layer(BroadPhaseLayer::NON_MOVING);
            layers.push(layer);
            uses.push((layer, LayerUse::Ground(bits)));
        }
        let touching = &layers[BOXES as usize..];
        for body in [BOXES, CARS].map(|layer| layers[layer as usize]) {
            touching.iter().for_each(|&other| {
                collisions.enable_collision(body, other);
            });
        }
        let settings = WorldSettings::default()
            .single_threaded()
            .gravity(super::GRAVITY.into())
            .max_bodies(1024)
            .layers(collisions);
        let mut world = Self {
            link: JoltLink::new(FRAME, &uses),
            physics: PhysicsWorld::new(settings).map_err(refused)?,
            layers,
            touches: JoltTouches::default(),
            pushes: Vec::new(),
            joined: Vec::new(),
        };
        world.touches.listen(&mut world.physics);
        world.add_collider(&terrain.collider())?;
        Ok(world)
    }

    const fn scene(&self) -> JoltScene<'_> {
        JoltScene::new(&self.link, &self.physics)
    }

    const fn view(&mut self) -> JoltWorld<'_> {
        JoltWorld::new(&mut self.link, &mut self.physics)
    }

    /// A dynamic body whose origin is its center of mass.
    fn insert(&mut self, desc: &BodyDesc, layer: u32) -> Result<oxijolt::BodyId, ProvingError> {
        desc.check()?;
        let (shape, layer) = match &desc.hull {
            Some(hull) => (centered_box(hull.half_extents, hull.center)?, layer),
            None => (Shape::new_sphere(0.1).map_err(refused)?, GHOSTS),
        };
        let settings = BodySettings::new_dynamic()
            .position(desc.position.into())
            .rotation(desc.rotation.normalize().into())
            .linear_velocity(desc.linear_velocity.into())
            .angular_velocity(desc.angular_velocity.into())
            .linear_damping(desc.linear_damping)
            .angular_damping(desc.angular_damping)
            // Of two, the higher one decides; ground has none.
            .restitution(desc.restitution)
            .mass_and_inertia(desc.mass, Inertia::Tensor(desc.inertia.to_cols_array_2d()))
            .allow_sleeping(desc.sleep_threshold > 0.0)
            .object_layer(self.layers[layer as usize]);
        let body = self.physics.create_body(&shape, &settings);
        let body = body.map_err(refused)?;
        if let Some(hull) = &desc.hull {
            self.touches.set(body, JoltTouch::hull(hull));
        }
        Ok(body)
    }

    /// Ground in these layers, with this shape.
    fn insert_ground(
        &mut self,
        shape: &Shape,
        settings: &BodySettings,
        layers: u32,
    ) -> Result<oxijolt::BodyId, ProvingError> {
        let body = self.physics.create_body(shape, settings).map_err(refused)?;
        self.touches.set(body, JoltTouch::ground(layers));
        Ok(body)
    }

    fn body(&self, id: BodyId) -> Result<oxijolt::BodyId, BodyError> {
        let body = self.link.body(id).ok_or(BodyError::Missing(id))?;
        let found = self
            .physics
            .body(body)
            .map_err(|_| BodyError::Missing(id))?;
        if found.motion_type() == MotionType::Dynamic {
            Ok(body)
        } else {
            Err(BodyError::NotDynamic(id))
        }
    }

    fn lacks(&self, what: &'static str) -> ProvingError {
        let world = self.name();
        ProvingError::Lacks { world, what }
    }

    /// Joined bodies no longer collide with each other.
    fn separate_joined(&mut self) -> Result<(), ProvingError> {
        let mut bodies: Vec<_> = self.joined.as_flattened().to_vec();
        bodies.sort_unstable();
        bodies.dedup();
        // Numbers of few bodies.
        let number = |body| bodies.binary_search(&body).unwrap_or_default() as u32;
        let mut table = GroupFilterTableBuilder::new(bodies.len() as u32).map_err(refused)?;
        for pair in &self.joined {
            let [a, b] = pair.map(number);
            table.disable_collision(a, b).map_err(refused)?;
        }
        let table = table.build();
        for &body in &bodies {
            let group = CollisionGroup::new(&table, 0, number(body)).map_err(refused)?;
            let mut body = self.physics.body_mut(body).map_err(refused)?;
            body.set_collision_group(Some(&group), Activation::DontActivate)
                .map_err(refused)?;
        }
        Ok(())
    }
}

/// A box about `at` in a body with its center of mass at 0 (`m`).
fn centered_box(half: Vec3, at: Vec3) -> Result<Shape, ProvingError> {
    // Jolt rounds the edges of boxes that are not told otherwise.
    let shape = Shape::new_box_with_convex_radius(half.into(), 0.0).map_err(refused)?;
    let child = CompoundChild {
        shape: &shape,
        position: at.into(),
        rotation: oxijolt::Quat::IDENTITY,
        user_data: 0,
    };
    let moved = Shape::new_compound(&[child]).map_err(refused)?;
    Shape::new_offset_center_of_mass(&moved, (-at).into()).map_err(refused)
}

/// A mesh with coordinates from its first vertex, and that vertex (`m`).
fn mesh(triangles: &Triangles) -> Result<(Shape, DVec3), ProvingError> {
    let first = triangles.vertices.first().copied().unwrap_or_default();
    let vertices = triangles.vertices.iter();
    let vertices: Vec<_> = vertices.map(|v| (*v - first).as_vec3().into()).collect();
    let settings = MeshSettings::default();
    let mesh = Shape::new_mesh_with_settings(&vertices, &triangles.corners, &settings);
    Ok((mesh.map_err(refused)?.0, first))
}

/// The shape of a fixed collider, where it is (`m`, from the collider's), and what its user data says of it.
fn ground(shape: &ColliderShape) -> Result<(Shape, DVec3, u64), ProvingError> {
    let solid = match shape {
        ColliderShape::HalfSpace(normal) => {
            Shape::new_plane(normal.as_vec3().normalize().into(), 0.0, REACH)
        }
        ColliderShape::Cuboid(half) => Shape::new_box_with_convex_radius((*half).into(), 0.0),
        ColliderShape::Capsule {
            half_length,
            radius,
        } if *half_length > 0.0 => Shape::new_capsule(*half_length, *radius),
        ColliderShape::Capsule { radius, .. } => Shape::new_sphere(*radius),
        ColliderShape::Mesh(_) | ColliderShape::HeightField(_) => {
            let (shape, at) = mesh(&shape.triangles().unwrap_or_default())?;
            return Ok((shape, at, SURFACE));
        }
    };
    Ok((solid.map_err(refused)?, DVec3::ZERO, 0))
}

impl World for Jolt {
    fn name(&self) -> &'static str {
        "Jolt"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let body = self.insert(desc, CARS)?;
        Ok(self.link.add_chassis(body, FRAME, Vec3::ZERO))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        if dt.is_nan() || dt <= 0.0 {
            return;
        }
        for (id, force) in &self.pushes {
            // Errors: the body was removed, or the numbers are beyond Jolt's.
            let body = self.link.body(*id);
            if let Some(Ok(mut body)) = body.map(|body| self.physics.body_mut(body)) {
                let _ = body.add_force((*force).into());
            }
        }
        let _ = self.physics.set_gravity(gravity.into());
        let _ = self.physics.step_with_collision_steps(dt, SUBSTEPS);
        self.link.end_step(&mut self.physics);
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

    fn handling(&mut self) -> Option<&mut dyn Handling> {
        Some(self)
    }

    fn joints(&mut self) -> Option<&mut dyn Joints> {
        Some(self)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        Some(self)
    }
}

impl Colliders for Jolt {
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        spec.check()?;
        if spec.body.is_some() {
            return Err(self.lacks("colliders added to a body later"));
        }
        let place = grounds().position(|bits| bits == spec.layers);
        let layer = match place {
            _ if spec.sensor => GHOSTS as usize,
            Some(place) => FIRST_GROUND as usize + place,
            None => return Err(self.lacks("such a set of layers")),
        };
        let (shape, at, data) = ground(&spec.shape)?;
        let settings = BodySettings::new_static()
            .position((spec.position + spec.turned(at)).into())
            .rotation(spec.rotation.normalize().into())
            .user_data(data | u64::from(spec.material.0))
            .object_layer(self.layers[layer]);
        let body = self.insert_ground(&shape, &settings, spec.layers)?;
        Ok(ColliderId(self.link.body_id(body).0))
    }
}

impl Boxes for Jolt {
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let body = self.insert(desc, BOXES)?;
        Ok(self.link.body_id(body))
    }

    fn drive_on_vehicles(&mut self) {
        self.link.options.drive_on_vehicles = true;
    }
}

impl Platforms for Jolt {
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        ColliderSpec::platform(top)?;
        let shape = centered_box(PLATFORM_HALF, Vec3::NEG_Z * PLATFORM_HALF.z)?;
        let settings = BodySettings::new_kinematic()
            .position(top.into())
            // Jolt stops what is slower than its threshold of sleep.
            .allow_sleeping(false)
            .object_layer(self.layers[FIRST_GROUND as usize]);
        let body = self.insert_ground(&shape, &settings, u32::MAX)?;
        Ok(self.link.body_id(body))
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        let body = self.link.body(id).ok_or(BodyError::Missing(id))?;
        let mut body = self.physics.body_mut(body).map_err(refused)?;
        if body.motion_type() != MotionType::Kinematic {
            return Err(BodyError::Missing(id).into());
        }
        body.set_linear_velocity(linear.into()).map_err(refused)?;
        body.set_angular_velocity(angular.into()).map_err(refused)
    }
}

impl Handling for Jolt {
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        let body = self.link.body(id).ok_or(BodyError::Missing(id))?;
        let removed = self.physics.remove_body(body);
        removed.map_err(|_| BodyError::Missing(id))?;
        self.touches.remove(body);
        self.link.remove_chassis(id);
        Ok(())
    }

    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        self.pushes.retain(|(other, _)| *other != id);
        if force != Vec3::ZERO {
            self.pushes.push((id, force));
        }
        self.physics.body_mut(body).map_err(refused)?.activate();
        Ok(())
    }

    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        let mut body = self.physics.body_mut(body).map_err(refused)?;
        let to = DVec3::from(body.position()) + by;
        let moved = body.set_position(to.into(), Activation::Activate);
        moved.map_err(refused)
    }

    fn place(&mut self, id: BodyId, to: DVec3, turn: Quat) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        let mut body = self.physics.body_mut(body).map_err(refused)?;
        let (to, turn) = (to.into(), turn.normalize().into());
        body.set_position_and_rotation(to, turn, Activation::Activate)
            .map_err(refused)?;
        body.set_linear_velocity(oxijolt::Vec3::ZERO)
            .map_err(refused)?;
        body.set_angular_velocity(oxijolt::Vec3::ZERO)
            .map_err(refused)
    }

    fn shift_origin(&mut self, to: DVec3) {
        for body in self.link.bodies() {
            if let Ok(mut body) = self.physics.body_mut(body) {
                let place = DVec3::from(body.position()) - to;
                // An error: beyond Jolt's world.
                let _ = body.set_position(place.into(), Activation::DontActivate);
            }
        }
    }
}

/// A ball joint without limits and without stiffness against roll.
impl Joints for Jolt {
    fn couple(
        &mut self,
        [a, b]: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        let bodies = [self.body(a)?, self.body(b)?];
        let joint = PointConstraintSettings::new(at.into());
        let made = self.physics.create_constraint(bodies[0], bodies[1], &joint);
        made.map_err(refused)?;
        if coupling.contact {
            return Ok(());
        }
        self.joined.push(bodies);
        self.separate_joined()
    }
}

/// Everything that changes in a step.
struct Saved {
    state: WorldState,
    pushes: Vec<(BodyId, Vec3)>,
}

impl Snapshots for Jolt {
    fn snapshot(&self) -> Snapshot {
        Snapshot::new(Saved {
            state: self.physics.save_state(),
            pushes: self.pushes.clone(),
        })
    }

    /// Restores a snapshot, valid only while no body was added or removed since.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError> {
        let saved = snapshot.of::<Saved>(self.name())?;
        self.physics.restore_state(&saved.state).map_err(refused)?;
        self.pushes.clone_from(&saved.pushes);
        Ok(())
    }
}

impl SceneQuery for Jolt {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.scene().cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for Jolt {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.scene().sweep_first(sweeps, hits);
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.scene().sweep_all(sweeps, found);
    }
}

impl RigidBodies for Jolt {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.scene().read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.scene().ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        self.view().apply(ids, results)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.view().react(reactions);
    }
}
