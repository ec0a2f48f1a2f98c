//! A world in units other than meters and kilograms, seen in SI.

use glam::{DVec3, Vec3};

use crate::MAX_WHEELS;
use crate::base::checked::{Checked, InvalidParams};
use crate::base::ids::BodyId;
use crate::base::units::UnitScale;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::ground_triangles::{GroundTriangle, GroundTriangles, TriangleQuery};
use crate::contracts::rigid_bodies::{BodyState, GroundMotion, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::contracts::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use crate::exchange::step_error::BodyError;
use crate::exchange::step_result::{Motion, Reaction, StepResult};
use crate::params::wheel_shape::WheelShape;

/// A world with lengths and masses in `units`, as a world in SI: queries and bodies are converted in both
/// directions. Vehicles, drivetrains, tires and gravity stay in SI.
///
/// ```
/// use vehicle_core::{InUnits, InvalidParams, UnitScale};
/// # struct World;
///
/// # fn main() -> Result<(), InvalidParams> {
/// let world = World; // of an engine that computes in centimeters
/// let mut world = InUnits::new(world, UnitScale::CENTIMETERS)?;
/// // vehicle_core::step(&mut vehicle, &mut world, &command, &environment, dt)?;
/// # let _ = &mut world;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct InUnits<W> {
    world: W,
    units: UnitConversions,
}

impl<W> InUnits<W> {
    /// The world in SI. It may be borrowed (`&mut world`).
    ///
    /// # Errors
    /// If a unit is outside its range.
    pub fn new(world: W, units: UnitScale) -> Result<Self, InvalidParams> {
        let units = UnitConversions(Checked::new(units)?.into_inner());
        Ok(Self { world, units })
    }

    /// The world in its own units.
    #[must_use]
    pub const fn world(&self) -> &W {
        &self.world
    }

    /// The world in its own units, mutable.
    pub const fn world_mut(&mut self) -> &mut W {
        &mut self.world
    }

    /// Returns the world in its own units.
    #[must_use]
    pub fn into_world(self) -> W {
        self.world
    }
}

/// Conversions between a world's units and SI.
#[derive(Clone, Copy, Debug)]
struct UnitConversions(UnitScale);

impl UnitConversions {
    /// Units of length per meter.
    const fn length(self) -> f32 {
        self.0.length as f32
    }

    fn position(self, position: DVec3) -> DVec3 {
        position * self.0.length
    }

    fn ray(self, ray: &GroundRay) -> GroundRay {
        GroundRay {
            anchor: self.position(ray.anchor),
            offset: ray.offset * self.length(),
            length: ray.length * self.length(),
            ..*ray
        }
    }

    fn sweep(self, sweep: &GroundSweep) -> GroundSweep {
        GroundSweep {
            anchor: self.position(sweep.anchor),
            offset: sweep.offset * self.length(),
            shape: WheelShape {
                radius: sweep.shape.radius * self.length(),
                half_width: sweep.shape.half_width * self.length(),
                ..sweep.shape
            },
            length: sweep.length * self.length(),
            ..*sweep
        }
    }

    fn hit_in_si(self, hit: GroundHit) -> GroundHit {
        GroundHit {
            distance: hit.distance / self.length(),
            ..hit
        }
    }

    fn sweep_hit_in_si(self, hit: SweepHit) -> SweepHit {
        SweepHit {
            ground: self.hit_in_si(hit.ground),
            point: hit.point / self.length(),
        }
    }

    fn triangle_query(self, query: &TriangleQuery) -> TriangleQuery {
        TriangleQuery {
            anchor: self.position(query.anchor),
            low: query.low * self.length(),
            high: query.high * self.length(),
            ..*query
        }
    }

    fn triangle_in_si(self, triangle: &GroundTriangle) -> GroundTriangle {
        GroundTriangle {
            corners: triangle.corners.map(|corner| corner / self.length()),
            ..*triangle
        }
    }

    fn body_in_si(self, body: &BodyState) -> BodyState {
        BodyState {
            position: body.position / self.0.length,
            linear_velocity: body.linear_velocity / self.length(),
            mass: body.mass / self.0.mass as f32,
            inverse_inertia: body.inverse_inertia * self.0.factor(2, 1) as f32,
            ..*body
        }
    }

    fn motion_in_si(self, motion: &GroundMotion) -> GroundMotion {
        GroundMotion {
            position: motion.position / self.0.length,
            rotation: motion.rotation,
            linear_velocity: motion.linear_velocity / self.length(),
            angular_velocity: motion.angular_velocity,
            mass: motion.mass.map(|mass| mass / self.0.mass as f32),
            inverse_inertia: motion.inverse_inertia * self.0.factor(2, 1) as f32,
        }
    }

    fn result(self, result: &StepResult) -> StepResult {
        let length = |v: Vec3| v * self.length();
        let motion = match result.motion {
            Motion::Keep => Motion::Keep,
            Motion::VelocityChange { linear, angular } => Motion::VelocityChange {
                linear: length(linear),
                angular,
            },
            Motion::Acceleration { linear, angular } => Motion::Acceleration {
                linear: length(linear),
                angular,
            },
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => Motion::StepMotion {
                linear: length(linear),
                angular,
                canceled_acceleration: length(canceled_acceleration),
                canceled_angular_acceleration,
            },
        };
        StepResult { motion, ..*result }
    }

    fn reaction(self, reaction: &Reaction) -> Reaction {
        Reaction {
            force: reaction.force * self.0.factor(1, 1) as f32,
            torque: reaction.torque * self.0.factor(2, 1) as f32,
            anchor: self.position(reaction.anchor),
            offset: reaction.offset * self.length(),
            ..*reaction
        }
    }
}

/// Batch size of conversions, so that no call allocates: the wheels of a vehicle.
const BATCH: usize = MAX_WHEELS;

/// Converted batches of `items`, each with the index of its first item.
fn batches<'a, T, U: Copy>(
    items: &'a [T],
    convert: impl Fn(&T) -> U + 'a,
) -> impl Iterator<Item = (usize, [U; BATCH], usize)> + 'a {
    items.chunks(BATCH).enumerate().map(move |(n, chunk)| {
        let last = chunk.len() - 1;
        let converted = core::array::from_fn(|k| convert(&chunk[k.min(last)]));
        (n * BATCH, converted, chunk.len())
    })
}

impl<W: SceneQuery> SceneQuery for InUnits<W> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one answer per ray");
        for (first, converted, count) in batches(rays, |ray| self.units.ray(ray)) {
            let hits = &mut hits[first..first + count];
            self.world.cast_rays(&converted[..count], hits);
            for hit in hits {
                *hit = hit.map(|hit| self.units.hit_in_si(hit));
            }
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        self.world.sweeps().map(|_| self as &dyn SweepQuery)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        self.world.triangles().map(|_| self as &dyn GroundTriangles)
    }
}

/// No triangles in a world that does not tell them.
impl<W: SceneQuery> GroundTriangles for InUnits<W> {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        let Some(world) = self.world.triangles() else {
            return;
        };
        for (first, converted, count) in batches(queries, |query| self.units.triangle_query(query))
        {
            world.visit_triangles(&converted[..count], &mut |n, triangle| {
                on_triangle(first + n, &self.units.triangle_in_si(triangle));
            });
        }
    }

    fn curved_normal(&self, triangle: &GroundTriangle, point: DVec3) -> Option<Vec3> {
        let own = GroundTriangle {
            corners: triangle.corners.map(|corner| corner * self.units.length()),
            ..*triangle
        };
        let world = self.world.triangles()?;
        world.curved_normal(&own, self.units.position(point))
    }
}

/// All sweeps miss in a world without sweeps.
impl<W: SceneQuery> SweepQuery for InUnits<W> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        assert_eq!(sweeps.len(), hits.len(), "one answer per sweep");
        let Some(world) = self.world.sweeps() else {
            return hits.fill(None);
        };
        for (first, converted, count) in batches(sweeps, |sweep| self.units.sweep(sweep)) {
            let hits = &mut hits[first..first + count];
            world.sweep_first(&converted[..count], hits);
            for hit in hits {
                *hit = hit.map(|hit| self.units.sweep_hit_in_si(hit));
            }
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], on_hit: &mut dyn FnMut(usize, SweepHit)) {
        let Some(world) = self.world.sweeps() else {
            return;
        };
        for (first, converted, count) in batches(sweeps, |sweep| self.units.sweep(sweep)) {
            world.sweep_all(&converted[..count], &mut |n, hit| {
                on_hit(first + n, self.units.sweep_hit_in_si(hit));
            });
        }
    }
}

impl<W: RigidBodies> RigidBodies for InUnits<W> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.world.read(ids, out)?;
        for body in out {
            *body = self.units.body_in_si(body);
        }
        Ok(())
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        let motion = self.world.ground_motion(id)?;
        Some(self.units.motion_in_si(&motion))
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), results.len(), "one result per body");
        let units = self.units;
        for (first, converted, count) in batches(results, |result| units.result(result)) {
            self.world
                .apply(&ids[first..first + count], &converted[..count])?;
        }
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        let units = self.units;
        for (_, converted, count) in batches(reactions, |reaction| units.reaction(reaction)) {
            self.world.react(&converted[..count]);
        }
    }
}

#[cfg(test)]
mod tests;
