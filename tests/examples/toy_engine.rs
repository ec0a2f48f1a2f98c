//! An engine of one's own: bodies without shapes over planes and triangles, in single precision.
//! `cargo test -p conformance --example toy_engine` holds it against the suite.
use conformance::*;
use glam::{Quat, Vec3};
use jounce::core::{chassis::Velocity, *};
use jounce::scene::BodyDesc;

#[derive(Default)]
struct Toy {
    /// Bodies, and their accelerations in the next step only [m/s², rad/s²].
    bodies: Vec<(BodyState, Velocity)>,
    facets: Vec<Facet>,
}

/// A triangle of a collider, or a half space under its first corner.
struct Facet {
    corners: [Vec3; 3],
    layers: u32,
    /// What a hit tells, but for its distance; with the outward normal.
    hit: GroundHit,
}

impl Facet {
    fn cast(&self, from: Vec3, ray: &GroundRay) -> Option<GroundHit> {
        let ([a, b, c], normal) = (self.corners, self.hit.normal);
        let (above, sinks) = ((from - a).dot(normal), -ray.direction.dot(normal));
        let surface = self.hit.triangle.is_some();
        let (distance, normal) = match above < 0.0 && !surface {
            true => (0.0, -ray.direction),
            false => (above / sinks, normal * sinks.signum()),
        };
        let at = from + ray.direction * distance;
        let beside = |(a, b): (Vec3, Vec3)| (b - a).cross(at - a).dot(self.hit.normal) < -1e-4;
        let missed = surface && [(a, b), (b, c), (c, a)].into_iter().any(beside);
        let reached = ray.length.is_finite() && (0.0..=ray.length).contains(&distance);
        let hit = GroundHit {
            distance,
            normal,
            ..self.hit
        };
        (reached && !missed && self.layers & ray.filter.layers != 0).then_some(hit)
    }
}

impl SceneQuery for Toy {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        for (ray, hit) in rays.iter().zip(hits) {
            let from = (ray.anchor + ray.offset.as_dvec3()).as_vec3();
            let found = self.facets.iter().filter_map(|facet| facet.cast(from, ray));
            *hit = found.min_by(|a, b| a.distance.total_cmp(&b.distance));
        }
    }
}

impl RigidBodies for Toy {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        for (&id, out) in ids.iter().zip(out) {
            let body = self.bodies.get(id.0 as usize);
            *out = body.ok_or(BodyError::Missing(id))?.0;
        }
        Ok(())
    }

    fn ground_motion(&self, _: BodyId) -> Option<GroundMotion> {
        None
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[Outcome]) -> Result<(), BodyError> {
        for (&id, outcome) in ids.iter().zip(outcomes) {
            let body = self.bodies.get_mut(id.0 as usize);
            let (state, once) = body.ok_or(BodyError::Missing(id))?;
            match outcome.motion_for(false) {
                Motion::Keep => {}
                Motion::VelocityChange { linear, angular } => {
                    state.linear_velocity += linear;
                    state.angular_velocity += angular;
                }
                Motion::Acceleration { linear, angular } => *once = Velocity { linear, angular },
                #[rustfmt::skip]
                Motion::StepMotion { linear, angular, carried_gravity } => {
                    (state.linear_velocity, state.angular_velocity) = (linear, angular);
                    once.linear = -carried_gravity;
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

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, LabError> {
        self.bodies.push((desc.state(), Velocity::ZERO));
        Ok(BodyId(self.bodies.len() as u64 - 1))
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        for (state, once) in &mut self.bodies {
            state.linear_velocity += (gravity + once.linear) * dt;
            state.angular_velocity += once.angular * dt;
            *once = Velocity::ZERO;
            state.position += (state.linear_velocity * dt).as_dvec3();
            let turn = Quat::from_scaled_axis(state.angular_velocity * dt);
            state.rotation = (turn * state.rotation).normalize();
        }
    }

    fn add_collider(&mut self, spec: &ColliderSpec) -> Result<ColliderId, LabError> {
        let collider = ColliderId(self.facets.len() as u64);
        let layers = if spec.sensor { 0 } else { spec.layers };
        let (distance, body, material) = (0.0, None, spec.material);
        let mut add = |corners, normal: Vec3, triangle| {
            #[rustfmt::skip]
            let hit = GroundHit { distance, normal, material, body, collider, triangle };
            let facet = Facet {
                corners,
                layers,
                hit,
            };
            self.facets.push(facet);
        };
        if let ColliderShape::HalfSpace(normal) = spec.shape {
            let corners = [spec.position.as_vec3(); 3];
            add(corners, spec.turned(normal).as_vec3(), None);
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

impl Backend for ToyEngine {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn open(&self, terrain: &Terrain, _dt: f32) -> Result<Box<dyn World>, LabError> {
        let mut toy = Toy::default();
        toy.add_collider(&terrain.collider())?;
        Ok(Box::new(toy))
    }

    fn expected_failures(&self) -> Vec<Expected> {
        let needs = [Need::Sweeps, Need::MovingGround, Need::BodiesAsGround];
        let missing = needs.into_iter().chain([Need::Reactions, Need::Sleep]);
        let missing = missing.chain([Need::UserForces, Need::Removal]);
        let missing = missing.flat_map(|need| without(need, "it is a toy"));
        let more = [
            expected(
                "a ray that starts inside a box hits at once",
                "boxes are triangles",
            ),
            expected(
                "100 km away, ground is where it is",
                "it is of single precision",
            ),
            expected("into a wall: head on", "its bodies have no shapes"),
        ];
        missing.chain(more).collect()
    }
}

fn main() -> std::process::ExitCode {
    harness::main_for(&ToyEngine)
}
