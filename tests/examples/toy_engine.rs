//! A custom engine; `cargo test -p vehicle-conformance --example toy_engine` runs the suite on it.
use glam::{Quat, Vec3};
use jounce::core::*;
use vehicle_conformance::*;

/// Bodies with their accelerations in the next step only (`m/s²`, `rad/s²`), and the ground.
#[derive(Default)]
struct Toy(Vec<(BodyState, [Vec3; 2])>, Vec<Facet>);

/// A triangle of a collider, or a half-space below its first corner; its layers; the result of a hit.
type Facet = ([Vec3; 3], u32, GroundHit);

fn cast(&([a, b, c], layers, mut hit): &Facet, ray: &GroundRay) -> Option<GroundHit> {
    let from = (ray.anchor + ray.offset.as_dvec3()).as_vec3();
    let (outwards, surface) = (hit.normal, hit.triangle.is_some());
    let (above, sinks) = ((from - a).dot(outwards), -ray.direction.dot(outwards));
    hit.distance = above / sinks;
    let at = from + ray.direction * hit.distance;
    let beside = |(a, b): (Vec3, Vec3)| (b - a).cross(at - a).dot(outwards) < -1e-4;
    let missed = surface && (above < 0.0 || [(a, b), (b, c), (c, a)].into_iter().any(beside));
    if above < 0.0 && !surface {
        (hit.distance, hit.normal) = (0.0, -ray.direction);
    }
    let reached = ray.length.is_finite() && (0.0..=ray.length).contains(&hit.distance);
    (reached && !missed && layers & ray.filter.layers != 0).then_some(hit)
}

impl SceneQuery for Toy {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        for (ray, hit) in rays.iter().zip(hits) {
            let all = self.1.iter().filter_map(|facet| cast(facet, ray));
            *hit = all.min_by(|a, b| a.distance.total_cmp(&b.distance));
        }
    }
}

impl RigidBodies for Toy {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        for (&id, out) in ids.iter().zip(out) {
            let body = self.0.get(id.0 as usize);
            *out = body.ok_or(BodyError::Missing(id))?.0;
        }
        Ok(())
    }

    fn ground_motion(&self, _: BodyId) -> Option<GroundMotion> {
        None
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        for (&id, result) in ids.iter().zip(results) {
            let body = self.0.get_mut(id.0 as usize);
            let (state, once) = body.ok_or(BodyError::Missing(id))?;
            match result.motion_for(false) {
                Motion::Keep => {}
                Motion::VelocityChange { linear, angular } => {
                    state.linear_velocity += linear;
                    state.angular_velocity += angular;
                }
                Motion::Acceleration { linear, angular } => *once = [linear, angular],
                Motion::StepMotion {
                    linear,
                    angular,
                    canceled_acceleration,
                    canceled_angular_acceleration,
                } => {
                    (state.linear_velocity, state.angular_velocity) = (linear, angular);
                    *once = [-canceled_acceleration, -canceled_angular_acceleration];
                }
            }
        }
        Ok(())
    }

    fn react(&mut self, _: &[Reaction]) {}
}

impl World for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        desc.check()?;
        self.0.push((desc.state(), [Vec3::ZERO; 2]));
        Ok(BodyId(self.0.len() as u64 - 1))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        for (state, once) in &mut self.0 {
            state.linear_velocity += (gravity + once[0]) * dt;
            state.angular_velocity += core::mem::take(once)[1] * dt;
            state.position += (state.linear_velocity * dt).as_dvec3();
            let turn = Quat::from_scaled_axis(state.angular_velocity * dt);
            state.rotation = (turn * state.rotation).normalize();
        }
    }

    fn colliders(&mut self) -> Option<&mut dyn Colliders> {
        Some(self)
    }
}

impl Colliders for Toy {
    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        spec.check()?;
        let collider = ColliderId(self.1.len() as u64);
        let mut add = |corners, normal, triangle| {
            let (distance, body, material) = (0.0, None, spec.material);
            let hit = GroundHit {
                distance,
                normal,
                material,
                body,
                collider,
                triangle,
            };
            self.1
                .push((corners, spec.layers * u32::from(!spec.sensor), hit));
        };
        if let ColliderShape::HalfSpace(normal) = spec.shape {
            let point = spec.position.as_vec3();
            add([point; 3], spec.turned(normal).as_vec3(), None);
        }
        let surface = spec.triangles().unwrap_or_default();
        for (number, corners) in (0..).zip(&surface.corners) {
            let [a, b, c] = corners.map(|n| surface.vertices[n as usize].as_vec3());
            add([a, b, c], (b - a).cross(c - a).normalize(), Some(number));
        }
        Ok(collider)
    }
}

struct ToyEngine;

impl WorldSource for ToyEngine {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn open(&self, terrain: &Terrain, _dt: f32) -> Result<Box<dyn World>, ProvingError> {
        let mut toy = Toy::default();
        toy.add_collider(&terrain.collider())?;
        Ok(Box::new(toy))
    }
}

impl Backend for ToyEngine {
    fn expected_failures(&self) -> Vec<Expected> {
        let more = [
            expected("a ray that starts inside a box hits at once", "no insides"),
            expected("100 km away, ground is where it is", "single precision"),
            expected("damping slows a body", "no damping"),
        ];
        without(&Need::ALL, "it is a toy").chain(more).collect()
    }
}

fn main() -> std::process::ExitCode {
    harness::main_for(&ToyEngine)
}
