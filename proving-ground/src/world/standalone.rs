//! The standalone world.

use glam::{DVec3, Quat, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, ColliderId, GroundHit, GroundMotion, GroundRay, GroundTriangles,
    LockedAxes, Reaction, RigidBodies, SceneQuery, StepResult, SweepQuery, Vehicle,
    WheelColliderSettings,
};
use jounce::jointed::JointedWheels;
use jounce::scene::{
    Block, BodyDesc, Capsule, CouplingJoint, GroundPart, HullPresence, JointDesc, JointFrame,
    JointKind, Plane, Platform, Standalone, TriangleMesh, Triangles,
};

use super::abilities::{
    AxisLocks, Boxes, Colliders, CollidingWheels, Handling, Joints, Platforms, Snapshot, Snapshots,
};
use super::collider::{ColliderShape, ColliderSpec};
use super::{HULL_FRICTION, PLATFORM_HALF, World};
use crate::error::ProvingError;
use crate::ground::Terrain;

/// Free bodies over a terrain's own shapes.
#[derive(Clone, Debug)]
pub struct FreeBodies {
    world: Standalone,
    cars: Vec<BodyId>,
    /// Presence of the hulls of cars to others.
    presence: HullPresence,
}

impl FreeBodies {
    /// The terrain, without bodies.
    #[must_use]
    pub fn new(terrain: &Terrain) -> Self {
        Self {
            world: Standalone::new(terrain.grounds.clone()),
            cars: Vec::new(),
            presence: HullPresence::Solid,
        }
    }
}

/// A collider as ground; `origin` is the world's origin in its original coordinates (`m`).
fn ground(spec: &ColliderSpec, origin: DVec3) -> Result<GroundPart, ProvingError> {
    let posed = ColliderSpec {
        position: spec.position + origin,
        ..spec.clone()
    };
    let moved = posed.position != DVec3::ZERO || posed.rotation != Quat::IDENTITY;
    Ok(match &posed.shape {
        ColliderShape::HalfSpace(normal) => {
            GroundPart::new(Plane::new(posed.position, posed.turned(*normal))?)
        }
        ColliderShape::HeightField(field) if !moved => GroundPart::new(field.clone()),
        ColliderShape::Cuboid(half) => {
            GroundPart::new(Block::new(posed.position, posed.rotation, *half)?)
        }
        ColliderShape::Capsule {
            half_length,
            radius,
        } => {
            let half = posed.turned(DVec3::Y * f64::from(*half_length));
            let ends = [posed.position - half, posed.position + half];
            GroundPart::new(Capsule::new(ends, (*radius).into())?)
        }
        _ => GroundPart::new(TriangleMesh::of(&posed.triangles().unwrap_or_default())?),
    })
}

impl World for FreeBodies {
    fn name(&self) -> &'static str {
        "standalone"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let id = self.world.add(desc)?;
        self.world.set_presence(id, self.presence)?;
        self.cars.push(id);
        Ok(id)
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        self.world.step(gravity, dt);
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
        Some(Box::new(&mut self.world))
    }

    fn joints(&mut self) -> Option<&mut dyn Joints> {
        Some(self)
    }

    fn axis_locks(&mut self) -> Option<&mut dyn AxisLocks> {
        Some(self)
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        Some(self)
    }
}

impl Colliders for FreeBodies {
    /// A sensor is omitted. Colliders are fixed: of a body, only its hull is one.
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        spec.check()?;
        if spec.body.is_some() {
            let (world, what) = (self.name(), "more colliders of a body than its hull");
            return Err(ProvingError::Lacks { world, what });
        }
        let mut part = ground(spec, self.world.origin())?.of(spec.material);
        part.triangle_materials.clone_from(&spec.triangle_materials);
        let layers = if spec.sensor { 0 } else { spec.layers };
        Ok(self.world.add_ground(part.in_layers(layers)))
    }
}

impl Boxes for FreeBodies {
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let id = self.world.add(desc)?;
        self.world.set_presence(id, HullPresence::Ground)?;
        Ok(id)
    }

    fn drive_on_vehicles(&mut self) {
        self.presence = HullPresence::Ground;
        for car in &self.cars {
            // Fails for those that were removed.
            let _ = self.world.set_presence(*car, self.presence);
        }
    }
}

impl Platforms for FreeBodies {
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        let reach = f64::from(PLATFORM_HALF.x);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let square = Triangles {
            vertices: corners.map(|(x, y)| DVec3::new(x, y, 0.0) * reach).to_vec(),
            corners: vec![[0, 1, 2], [0, 2, 3]],
        };
        let platform = Platform::at_rest(TriangleMesh::of(&square)?, top);
        Ok(self.world.add_platform(platform)?)
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        self.world.platform(id)?;
        Ok(self.world.set_velocity(id, linear, angular)?)
    }
}

impl CollidingWheels for FreeBodies {
    fn add_wheels(
        &mut self,
        vehicle: &Vehicle,
        settings: WheelColliderSettings,
    ) -> Result<(), ProvingError> {
        Ok(self
            .world
            .share_contacts(vehicle, settings, HULL_FRICTION)?)
    }

    fn turn_wheels(&mut self, vehicle: &Vehicle) {
        self.world.publish_wheels(vehicle);
    }
}

impl Handling for FreeBodies {
    fn remove_body(&mut self, id: BodyId) -> Result<(), ProvingError> {
        self.world.remove(id)?;
        Ok(())
    }

    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), ProvingError> {
        Ok(self.world.set_force(id, force, Vec3::ZERO)?)
    }

    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), ProvingError> {
        let now = *self.world.body(id)?.now();
        Ok(self.world.set_pose(id, now.position + by, now.rotation)?)
    }

    fn place(&mut self, id: BodyId, position: DVec3, rotation: Quat) -> Result<(), ProvingError> {
        self.world.set_pose(id, position, rotation)?;
        Ok(self.world.set_velocity(id, Vec3::ZERO, Vec3::ZERO)?)
    }

    fn shift_origin(&mut self, to: DVec3) {
        self.world.shift_origin(to);
    }
}

impl Joints for FreeBodies {
    fn couple(
        &mut self,
        [a, b]: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        let frame = |id| -> Result<_, BodyError> {
            let body = self.world.body(id)?.now();
            let arm = (at - body.position).as_vec3();
            Ok(JointFrame::at(body.rotation.inverse() * arm))
        };
        self.world.join(&JointDesc {
            bodies: [a, b],
            frames: [frame(a)?, frame(b)?],
            kind: JointKind::Coupling(*coupling),
        })?;
        Ok(())
    }
}

impl AxisLocks for FreeBodies {
    fn lock_axes(&mut self, id: BodyId, axes: LockedAxes) -> Result<(), ProvingError> {
        Ok(self.world.lock_axes(id, axes)?)
    }
}

impl Snapshots for FreeBodies {
    fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.clone())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), ProvingError> {
        self.clone_from(snapshot.of(self.name())?);
        Ok(())
    }
}

impl SceneQuery for FreeBodies {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.world.cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        self.world.sweeps()
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        self.world.triangles()
    }
}

impl RigidBodies for FreeBodies {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.world.read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.world.ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        self.world.apply(ids, results)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.world.react(reactions);
    }
}
