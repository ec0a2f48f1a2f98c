//! Box3D: the ground as fixed shapes, the chassis as a dynamic body.

use glam::{DVec3, Quat, Vec3};
use jounce::box3d::boxddd::{
    self, BodyType, BoxHull, Capsule, Filter, Foundation, MeshData, ShapeDef, SphericalJointDef,
    Transform,
};
use jounce::box3d::convert::{
    from_position, from_rotation, from_vector, motion_locks, position, rotation, vector,
};
use jounce::box3d::{Box3dLink, Box3dScene, Box3dWorld, set_mass_properties};
use jounce::core::{
    BodyError, BodyId, BodyState, ColliderId, Frame, GroundHit, GroundMotion, GroundRay,
    LockedAxes, Reaction, RigidBodies, SceneQuery, StepResult, SweepQuery,
};
use jounce::scene::{BodyDesc, CouplingJoint, Triangles};
use parry_query::HalfSpaceBlock;

use super::abilities::{AxisLocks, Boxes, Colliders, Handling, Joints, Platforms};
use super::collider::{ColliderShape, ColliderSpec};
use super::{PLATFORM_HALF, World};
use crate::error::ProvingError;
use crate::ground::Terrain;

/// The body's axes are the vehicle's.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// Substeps of a step, as Box3D advises.
const SUBSTEPS: i32 = 4;
/// Reach of a half space (`m`).
const REACH: f32 = 4096.0;

/// A Box3D world over a terrain.
pub struct Box3d {
    link: Box3dLink,
    physics: boxddd::World,
    /// The user's own forces, which Box3D forgets after each step.
    pushes: Vec<(BodyId, Vec3)>,
}

impl core::fmt::Debug for Box3d {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Box3d").finish_non_exhaustive()
    }
}

impl From<boxddd::Error> for ProvingError {
    fn from(error: boxddd::Error) -> Self {
        Self::Engine(error.to_string())
    }
}

impl Box3d {
    /// The terrain as shapes: a block, or a mesh.
    ///
    /// # Errors
    /// If Box3D rejects the triangles.
    pub fn new(terrain: &Terrain) -> Result<Self, ProvingError> {
        let box3d = Foundation::initialize_default()?;
        let mut physics = box3d.create_world(box3d.world_def())?;
        // Ground uses the friction of the hulls on it; of two hulls, the more slippery one decides.
        physics.set_friction_callback(|a, b| a.coefficient.min(b.coefficient))?;
        let mut world = Self {
            link: Box3dLink::new(FRAME),
            physics,
            pushes: Vec::new(),
        };
        world.add_collider(&terrain.collider())?;
        Ok(world)
    }

    fn scene(&self) -> Box3dScene<'_> {
        Box3dScene::new(&self.link, &self.physics)
    }

    fn view(&mut self) -> Box3dWorld<'_> {
        Box3dWorld::new(&mut self.link, &mut self.physics)
    }

    /// A dynamic body whose origin is its center of mass.
    fn insert(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        desc.check()?;
        let box3d = Foundation::get()?;
        let builder = box3d
            .body_def_builder()
            .body_type(BodyType::Dynamic)
            .position(position(desc.position))
            .rotation(rotation(desc.rotation))
            .linear_velocity(vector(desc.linear_velocity))
            .angular_velocity(vector(desc.angular_velocity))
            .linear_damping(desc.linear_damping)
            .angular_damping(desc.angular_damping)
            .enable_sleep(desc.sleep_threshold > 0.0);
        let body = self.physics.create_body(builder.build()?)?;
        if let Some(hull) = &desc.hull {
            let filter = Filter {
                mask_bits: hull.layers.into(),
                ..Filter::default()
            };
            let mut def = shape_def(hull.friction, filter)?;
            // Of two, the higher one decides; ground has none.
            def.base_material.restitution = desc.restitution;
            let half = hull.half_extents;
            let shape = BoxHull::offset(half.x, half.y, half.z, vector(hull.center))?;
            self.physics.create_hull_shape(body, &def, &shape)?;
        }
        let id = self.link.body_id(body);
        let (mass, inertia) = (desc.mass, desc.inertia);
        set_mass_properties(&mut self.physics, &self.link, id, mass, inertia, Vec3::ZERO)?;
        Ok(id)
    }

    fn body(&self, id: BodyId) -> Result<boxddd::BodyId, BodyError> {
        let body = self.link.body(id).ok_or(BodyError::Missing(id))?;
        match self.physics.body_type(body) {
            Ok(BodyType::Dynamic) => Ok(body),
            Ok(_) => Err(BodyError::NotDynamic(id)),
            Err(_) => Err(BodyError::Missing(id)),
        }
    }

    /// A fixed collider, on a body of its own: there a plane or the first vertex is at 0, where single precision is
    /// finest.
    fn add_fixed(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        let (mut at, mut turn) = (spec.position, spec.rotation.normalize());
        match &spec.shape {
            ColliderShape::HalfSpace(normal) => {
                turn *= HalfSpaceBlock::below(normal.as_vec3(), REACH).rotation;
            }
            ColliderShape::Mesh(_) | ColliderShape::HeightField(_) => {
                let triangles = spec.shape.triangles();
                at += spec.turned(triangles.as_ref().map_or(DVec3::ZERO, first));
            }
            ColliderShape::Cuboid(_) | ColliderShape::Capsule { .. } => {}
        }
        let def = Foundation::get()?.body_def_builder();
        let def = def.position(position(at)).rotation(rotation(turn));
        let body = self.physics.create_body(def.build()?)?;
        let place = (Vec3::ZERO, Quat::IDENTITY);
        let shape = match spec.shape {
            ColliderShape::HalfSpace(_) => &ColliderShape::HalfSpace(DVec3::Z),
            _ => &spec.shape,
        };
        let shape = self.attach(body, &ground_def(spec)?, shape, place)?;
        // The link then knows it.
        let _ = self.link.body_id(body);
        Ok(self.link.collider_id(shape))
    }

    /// Attaches a shape, moved and turned in the axes of its body.
    fn attach(
        &mut self,
        body: boxddd::BodyId,
        def: &ShapeDef,
        shape: &ColliderShape,
        place: (Vec3, Quat),
    ) -> Result<boxddd::ShapeId, ProvingError> {
        let boxed = |half: Vec3, at: Vec3, turn: Quat| {
            let at = Transform::new(vector(place.0 + place.1 * at), rotation(place.1 * turn));
            BoxHull::transformed(half.x, half.y, half.z, at)
        };
        let physics = &mut self.physics;
        Ok(match shape {
            ColliderShape::HalfSpace(normal) => {
                let block = HalfSpaceBlock::below(normal.as_vec3(), REACH);
                let hull = boxed(block.half_extents, block.center, block.rotation)?;
                physics.create_hull_shape(body, def, &hull)?
            }
            ColliderShape::Cuboid(half) => {
                physics.create_hull_shape(body, def, &boxed(*half, Vec3::ZERO, Quat::IDENTITY)?)?
            }
            ColliderShape::Capsule {
                half_length,
                radius,
            } => {
                let half = place.1 * Vec3::Y * *half_length;
                let ends = [place.0 - half, place.0 + half].map(vector);
                physics.create_capsule_shape(body, def, &Capsule::new(ends[0], ends[1], *radius))?
            }
            ColliderShape::Mesh(_) | ColliderShape::HeightField(_) => {
                let triangles = shape.triangles().unwrap_or_default();
                physics.create_mesh_shape(body, def, mesh(&triangles)?, [1.0; 3])?
            }
        })
    }
}

/// The shape of a ground collider.
fn ground_def(spec: &ColliderSpec) -> Result<ShapeDef, ProvingError> {
    let filter = Filter {
        category_bits: spec.layers.into(),
        ..Filter::default()
    };
    let mut def = shape_def(1.0, filter)?;
    def.base_material.user_material_id = spec.material.0.into();
    def.sensor = spec.sensor;
    Ok(def)
}

/// A shape without mass.
fn shape_def(friction: f32, filter: Filter) -> Result<ShapeDef, ProvingError> {
    let def = Foundation::get()?.shape_def_builder();
    let def = def.friction(friction).filter(filter).density(0.0);
    Ok(def.update_body_mass(false).build()?)
}

/// Triangles with coordinates from their first vertex.
fn mesh(triangles: &Triangles) -> Result<MeshData, ProvingError> {
    let first = first(triangles);
    let vertices = triangles.vertices.iter();
    let vertices: Vec<_> = vertices.map(|v| vector((*v - first).as_vec3())).collect();
    // Indices of a mesh are checked to be few.
    let corners: Vec<_> = (triangles.corners.iter().flatten())
        .map(|&corner| corner as i32)
        .collect();
    let builder = MeshData::builder(vertices, corners).identify_edges(true);
    Ok(builder.build()?)
}

/// The first vertex (`m`).
fn first(triangles: &Triangles) -> DVec3 {
    triangles.vertices.first().copied().unwrap_or_default()
}

impl World for Box3d {
    fn name(&self) -> &'static str {
        "Box3D"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let id = self.insert(desc)?;
        let body = self.body(id)?;
        Ok(self.link.add_chassis(body, FRAME))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        if dt.is_nan() || dt <= 0.0 {
            return;
        }
        for (id, force) in &self.pushes {
            // Errors: the body was removed, or the numbers are beyond Box3D's.
            if let Some(body) = self.link.body(*id) {
                let _ = self
                    .physics
                    .apply_force_to_center(body, vector(*force), true);
            }
        }
        let _ = self.physics.set_gravity(vector(gravity));
        let _ = self.physics.step(dt, SUBSTEPS);
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

    fn axis_locks(&mut self) -> Option<&mut dyn AxisLocks> {
        Some(self)
    }
}

impl Colliders for Box3d {
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        spec.check()?;
        let turn = spec.rotation.normalize();
        let (body, place) = match spec.body {
            Some(id) => (self.body(id)?, (spec.position.as_vec3(), turn)),
            None => return self.add_fixed(spec),
        };
        let shape = self.attach(body, &ground_def(spec)?, &spec.shape, place)?;
        Ok(self.link.collider_id(shape))
    }
}

impl Boxes for Box3d {
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        self.insert(desc)
    }

    fn drive_on_vehicles(&mut self) {
        self.link.options.drive_on_vehicles = true;
    }
}

impl Platforms for Box3d {
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        ColliderSpec::platform(top)?;
        let def = Foundation::get()?.body_def_builder();
        let def = def.body_type(BodyType::Kinematic).position(position(top));
        // Box3D stops what is slower than its threshold of sleep.
        let def = def.enable_sleep(false);
        let body = self.physics.create_body(def.build()?)?;
        let half = PLATFORM_HALF;
        let shape = BoxHull::offset(half.x, half.y, half.z, vector(Vec3::NEG_Z * half.z))?;
        let def = shape_def(1.0, Filter::default())?;
        self.physics.create_hull_shape(body, &def, &shape)?;
        self.physics.apply_mass_from_shapes(body)?;
        Ok(self.link.body_id(body))
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        let body = self.link.body(id).ok_or(BodyError::Missing(id))?;
        if self.physics.body_type(body)? != BodyType::Kinematic {
            return Err(BodyError::Missing(id).into());
        }
        self.physics
            .set_body_linear_velocity(body, vector(linear))?;
        self.physics
            .set_body_angular_velocity(body, vector(angular))?;
        Ok(())
    }
}

impl Handling for Box3d {
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        let body = self.link.body(id).ok_or(BodyError::Missing(id))?;
        let removed = self.physics.destroy_body(body);
        removed.map_err(|_| BodyError::Missing(id))?;
        self.link.remove_chassis(id);
        Ok(())
    }

    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        self.pushes.retain(|(other, _)| *other != id);
        if force != Vec3::ZERO {
            self.pushes.push((id, force));
        }
        Ok(self.physics.set_body_awake(body, true)?)
    }

    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        let now = self.physics.body_transform(body)?;
        let place = position(from_position(now.p) + by);
        self.physics.set_body_transform(body, place, now.q)?;
        Ok(self.physics.set_body_awake(body, true)?)
    }

    fn place(&mut self, id: BodyId, to: DVec3, turn: Quat) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        let physics = &mut self.physics;
        physics.set_body_transform(body, position(to), rotation(turn))?;
        physics.set_body_linear_velocity(body, vector(Vec3::ZERO))?;
        physics.set_body_angular_velocity(body, vector(Vec3::ZERO))?;
        Ok(physics.set_body_awake(body, true)?)
    }

    /// Every body that the link knows; shapes of fixed ground have bodies, too.
    fn shift_origin(&mut self, to: DVec3) {
        for body in self.link.bodies() {
            if let Ok(now) = self.physics.body_transform(body) {
                let place = position(from_position(now.p) - to);
                // An error: beyond Box3D's world.
                let _ = self.physics.set_body_transform(body, place, now.q);
            }
        }
    }
}

/// A ball joint without limits and without stiffness against roll.
impl Joints for Box3d {
    fn couple(
        &mut self,
        [a, b]: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        let bodies = [self.body(a)?, self.body(b)?];
        let anchor = |body| -> Result<Transform, ProvingError> {
            let now = self.physics.body_transform(body)?;
            let arm = (at - from_position(now.p)).as_vec3();
            let point = from_rotation(now.q).inverse() * arm;
            Ok(Transform::new(vector(point), rotation(Quat::IDENTITY)))
        };
        let joint = SphericalJointDef::new(bodies[0], bodies[1])
            .local_frame_a(anchor(bodies[0])?)
            .local_frame_b(anchor(bodies[1])?)
            .collide_connected(coupling.contact);
        self.physics.create_spherical_joint(joint)?;
        Ok(())
    }
}

impl AxisLocks for Box3d {
    fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), ProvingError> {
        let body = self.body(id)?;
        let physics = &mut self.physics;
        // Where the last rotation is locked or freed, Box3D computes the mass anew, from the shapes.
        let mass = physics.body_mass_data(body)?;
        physics.set_body_motion_locks(body, motion_locks(axes))?;
        physics.set_body_mass_data(body, mass)?;
        let linear = from_vector(physics.body_linear_velocity(body)?);
        physics.set_body_linear_velocity(body, vector(axes.free_linear(linear)))?;
        let angular = from_vector(physics.body_angular_velocity(body)?);
        physics.set_body_angular_velocity(body, vector(axes.free_angular(angular)))?;
        Ok(physics.set_body_awake(body, true)?)
    }
}

impl SceneQuery for Box3d {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.scene().cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for Box3d {
    fn sweep_first(
        &self,
        sweeps: &[jounce::core::GroundSweep],
        hits: &mut [Option<jounce::core::SweepHit>],
    ) {
        self.scene().sweep_first(sweeps, hits);
    }

    fn sweep_all(
        &self,
        sweeps: &[jounce::core::GroundSweep],
        found: &mut dyn FnMut(usize, jounce::core::SweepHit),
    ) {
        self.scene().sweep_all(sweeps, found);
    }
}

impl RigidBodies for Box3d {
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
