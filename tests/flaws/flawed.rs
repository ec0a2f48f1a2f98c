//! A world with a flaw: the standalone one, or Rapier's where boxes are to collide.

use glam::{DVec3, Mat3, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, ColliderId, GroundHit, GroundMotion, GroundRay, MaterialId,
    Motion, Reaction, RigidBodies, SceneQuery, StepResult,
};
use jounce::scene::CouplingJoint;
use proving_ground::world::WorldKind;
use proving_ground::world::{Boxes, Joints};
use vehicle_conformance::{
    Backend, BodyDesc, ColliderSpec, Colliders, Platforms, ProvingError, Terrain, World,
    WorldSource,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    ShortRays,
    LongRays,
    NormalsAlongRays,
    NoOffsets,
    /// Hits are off by 2 mm along each axis.
    Misplaced,
    NoMaterials,
    NoTriangles,
    NoBodies,
    AllLayers,
    IgnoresNobody,
    OneFilterPerBatch,
    ReversedBatch,
    MissingIsBlank,
    AddsStepMotions,
    /// Cancels gravity like an adapter that can only set velocities.
    GravityByImpulse,
    /// Cancels the linear acceleration of a step motion, but not the angular one.
    CancelsNoTorque,
    /// Fails once to remove the acceleration of a step result after its step.
    ActsTwice,
    WakesAlways,
    ReactsTwice,
    /// Sleeping bodies sleep on.
    ReactsAwake,
    NoDamping,
    SlipperyHulls,
    DeadHulls,
    AllLayersOfHulls,
    /// Boxes have no hulls.
    BoxesAreGhosts,
    /// Does not join, so that joined bodies collide.
    JoinsNothing,
    CarsAreGround,
    /// Replaces what is not finite by something else.
    TakesAnyNumber,
}

/// A flaw, and the world that has it.
pub(crate) struct Flawed(pub(crate) Flaw, pub(crate) WorldKind);

impl WorldSource for Flawed {
    fn name(&self) -> &'static str {
        "flawed"
    }

    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
        let mut inner = self.1.open(terrain, dt)?;
        if self.0 == Flaw::CarsAreGround {
            inner.drive_on_vehicles()?;
        }
        Ok(Box::new(Spoilt {
            flaw: self.0,
            inner,
            last: Vec::new(),
            again: Vec::new(),
        }))
    }
}

impl Backend for Flawed {}

struct Spoilt {
    flaw: Flaw,
    inner: Box<dyn World>,
    /// Outcomes for the next step, and those that are applied again in the step after it.
    last: Vec<(BodyId, StepResult)>,
    again: Vec<(BodyId, StepResult)>,
}

impl Spoilt {
    fn spoil_ray(&self, ray: &mut GroundRay, first: &GroundRay) {
        match self.flaw {
            Flaw::ShortRays => ray.length -= 1e-3,
            Flaw::LongRays => ray.length += 2e-3,
            Flaw::NoOffsets => ray.offset = Vec3::ZERO,
            Flaw::Misplaced => ray.anchor += DVec3::splat(2e-3),
            Flaw::AllLayers => ray.filter.layers = u32::MAX,
            Flaw::IgnoresNobody => ray.filter.ignore = [None; 2],
            Flaw::OneFilterPerBatch => ray.filter = first.filter,
            _ => {}
        }
    }

    fn spoil_hit(&self, hit: &mut GroundHit) {
        match self.flaw {
            Flaw::NormalsAlongRays => hit.normal = -hit.normal,
            Flaw::NoMaterials => hit.material = MaterialId(0),
            Flaw::NoTriangles => hit.triangle = None,
            Flaw::NoBodies => hit.body = None,
            _ => {}
        }
    }

    fn spoil_body(&self, desc: &BodyDesc) -> BodyDesc {
        let mut spoilt = *desc;
        match self.flaw {
            Flaw::NoDamping => {
                spoilt.linear_damping = 0.0;
                spoilt.angular_damping = 0.0;
            }
            Flaw::SlipperyHulls => spoilt.hull.iter_mut().for_each(|hull| hull.friction = 0.0),
            Flaw::DeadHulls => spoilt.restitution = 0.0,
            Flaw::AllLayersOfHulls => spoilt.hull.iter_mut().for_each(|hull| hull.layers = !0),
            Flaw::TakesAnyNumber if desc.check().is_err() => {
                spoilt =
                    BodyDesc::at_rest(DVec3::ZERO, 800.0, Mat3::from_diagonal(Vec3::splat(400.0)));
            }
            _ => {}
        }
        spoilt
    }

    fn spoil_result(&self, result: &mut StepResult) {
        result.wake |= self.flaw == Flaw::WakesAlways;
        if let Motion::StepMotion {
            linear,
            angular,
            canceled_acceleration,
            ..
        } = result.motion
        {
            result.motion = match self.flaw {
                Flaw::AddsStepMotions => Motion::VelocityChange { linear, angular },
                Flaw::GravityByImpulse => Motion::StepMotion {
                    linear: linear - canceled_acceleration * (1.0 / 120.0),
                    angular,
                    canceled_acceleration: Vec3::ZERO,
                    canceled_angular_acceleration: Vec3::ZERO,
                },
                Flaw::CancelsNoTorque => Motion::StepMotion {
                    linear,
                    angular,
                    canceled_acceleration,
                    canceled_angular_acceleration: Vec3::ZERO,
                },
                _ => result.motion,
            };
        }
    }
}

impl SceneQuery for Spoilt {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        let mut spoilt = rays.to_vec();
        for ray in &mut spoilt {
            self.spoil_ray(ray, &rays[0]);
        }
        self.inner.cast_rays(&spoilt, hits);
        hits.iter_mut()
            .flatten()
            .for_each(|hit| self.spoil_hit(hit));
        if self.flaw == Flaw::ReversedBatch {
            hits.reverse();
        }
    }
}

impl RigidBodies for Spoilt {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        match self.inner.read(ids, out) {
            Err(BodyError::Missing(_)) if self.flaw == Flaw::MissingIsBlank => Ok(()),
            result => result,
        }
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.inner.ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        let mut spoilt = results.to_vec();
        spoilt
            .iter_mut()
            .for_each(|result| self.spoil_result(result));
        self.last = ids.iter().copied().zip(spoilt.iter().copied()).collect();
        self.inner.apply(ids, &spoilt)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        let mut reactions = reactions.to_vec();
        if self.flaw == Flaw::ReactsAwake {
            let awake = |id| self.inner.body_state(id).is_ok_and(|body| !body.asleep);
            reactions.retain(|reaction| awake(reaction.body));
        }
        self.inner.react(&reactions);
        if self.flaw == Flaw::ReactsTwice {
            self.inner.react(&reactions);
        }
    }
}

impl World for Spoilt {
    fn name(&self) -> &'static str {
        "flawed"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        self.inner.add_body(&self.spoil_body(desc))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        if self.flaw == Flaw::ActsTwice {
            for (id, result) in core::mem::replace(&mut self.again, core::mem::take(&mut self.last))
            {
                // Nothing acts on a removed body.
                let _ = self.inner.apply(&[id], &[result]);
            }
        }
        self.inner.advance(gravity, dt);
    }

    fn colliders(&mut self) -> Option<&mut dyn Colliders> {
        Some(self)
    }

    fn platforms(&mut self) -> Option<&mut dyn Platforms> {
        Some(self)
    }

    fn boxes(&mut self) -> Option<&mut dyn Boxes> {
        self.inner.boxes()?;
        Some(self)
    }

    fn joints(&mut self) -> Option<&mut dyn Joints> {
        Some(self)
    }
}

impl Boxes for Spoilt {
    fn add_box(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        let mut spoilt = self.spoil_body(desc);
        spoilt.hull = spoilt.hull.filter(|_| self.flaw != Flaw::BoxesAreGhosts);
        self.inner.add_box(&spoilt)
    }

    fn drive_on_vehicles(&mut self) {
        // The inner world has boxes.
        let _ = self.inner.drive_on_vehicles();
    }
}

impl Joints for Spoilt {
    fn couple(
        &mut self,
        bodies: [BodyId; 2],
        at: DVec3,
        coupling: &CouplingJoint,
    ) -> Result<(), ProvingError> {
        if self.flaw == Flaw::JoinsNothing {
            return Ok(());
        }
        self.inner.couple(bodies, at, coupling)
    }
}

impl Colliders for Spoilt {
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        if self.flaw == Flaw::TakesAnyNumber && spec.check().is_err() {
            return Ok(ColliderId(0));
        }
        self.inner.add_collider(spec)
    }
}

impl Platforms for Spoilt {
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        self.inner.add_platform(top)
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        self.inner.set_platform_velocity(id, linear, angular)
    }
}
