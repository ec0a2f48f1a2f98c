//! A world that a car can be put into, whatever engine runs it.

mod rapier;
mod standalone;

use glam::{DVec2, DVec3, Quat, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, GroundRay, QueryFilter, RigidBodies, SceneQuery, math,
};
use jounce::file::Car;
use jounce::scene::{BodyDesc, Hull};

pub use rapier::Rapier;
pub use standalone::FreeBodies;

use crate::error::LabError;
use crate::ground::{SKY, Terrain};
use crate::options::Start;

/// Where a vehicle's origin is and how its frame is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The vehicle's origin [m, world].
    pub origin: DVec3,
    /// Vehicle frame → world.
    pub rotation: Quat,
}

/// Coulomb's friction between a body and the ground [−]: steel on asphalt.
const HULL_FRICTION: f32 = 0.5;

/// Ground and bodies of one engine, through core's contracts, and what those leave out: making a
/// chassis and letting time pass.
pub trait World: SceneQuery + RigidBodies {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Adds a body, awake. Rays find the ground from now on.
    ///
    /// # Errors
    /// If a number of it is not finite, or the world cannot make such a body.
    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, LabError>;

    /// Adds the body of a car at rest: mass, inertia and hull of the car, no damping, awake.
    ///
    /// # Errors
    /// As [`World::add_body`].
    fn add_chassis(&mut self, car: &Car, pose: &Pose) -> Result<BodyId, LabError> {
        self.add_body(&BodyDesc {
            rotation: pose.rotation,
            hull: Some(Hull {
                half_extents: car.hull.size * 0.5,
                centre: car.hull.centre - car.centre_of_mass(),
                friction: HULL_FRICTION,
            }),
            ..BodyDesc::at_rest(centre_of_mass(car, pose), car.mass(), car.inertia())
        })
    }

    /// The state of one body.
    ///
    /// # Errors
    /// If the id names no dynamic body.
    fn body_state(&self, id: BodyId) -> Result<BodyState, BodyError> {
        let mut states = [BodyState::BLANK];
        self.read(&[id], &mut states)?;
        Ok(states[0])
    }

    /// Lets `dt` [s] pass under `gravity` [m/s²], with what was applied for this step.
    fn advance(&mut self, gravity: Vec3, dt: f32);

    /// The highest ground at a place seen from above: its point [m] and its unit normal.
    fn ground_at(&self, place: DVec2) -> Option<(DVec3, Vec3)> {
        let ray = GroundRay {
            anchor: place.extend(SKY),
            offset: Vec3::ZERO,
            direction: Vec3::NEG_Z,
            length: 2.0 * SKY as f32,
            filter: QueryFilter {
                layers: u32::MAX,
                ignore: [None; 2],
                dynamic_bodies: false,
            },
        };
        let mut hits = [None];
        self.cast_rays(&[ray], &mut hits);
        let hit = hits[0].filter(|hit| hit.distance > 0.0)?;
        Some((place.extend(SKY - f64::from(hit.distance)), hit.normal))
    }
}

/// Which engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum WorldKind {
    /// Free bodies over the ground's own shapes; no engine.
    #[default]
    Standalone,
    /// Rapier, with the ground as colliders.
    Rapier,
}

/// A world of this kind over a terrain.
///
/// # Errors
/// If the engine refuses the ground's triangles.
pub fn open(kind: WorldKind, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, LabError> {
    Ok(match kind {
        WorldKind::Standalone => Box::new(FreeBodies::new(terrain)),
        WorldKind::Rapier => Box::new(Rapier::new(terrain, dt)?),
    })
}

/// The pose in which a car stands at its design height at `start`: on the plane through the ground
/// under its wheels.
///
/// # Errors
/// If there is no ground under the start.
pub fn standing(
    world: &dyn World,
    terrain: &Terrain,
    car: &Car,
    start: Start,
) -> Result<Pose, LabError> {
    let (sin, cos) = (libm::sinf(start.heading), libm::cosf(start.heading));
    let ahead = Vec3::new(cos, sin, 0.0);
    let left = Vec3::new(-sin, cos, 0.0);
    let under = |x: f32, y: f32| {
        let offset = (ahead * x + left * y).as_dvec3();
        world.ground_at(start.place + DVec2::new(offset.x, offset.y))
    };
    let (middle, normal) = under(0.0, 0.0).ok_or_else(|| LabError::NoGround {
        ground: terrain.name.clone(),
        x: start.place.x,
        y: start.place.y,
    })?;
    let (x, y) = footprint(car);
    let corners = [(x, y), (x, -y), (-x, y), (-x, -y)].map(|(x, y)| under(x, y));
    let (origin, up) = match corners {
        [Some((a, _)), Some((b, _)), Some((c, _)), Some((d, _))] => {
            let up = (a - d).cross(c - b).normalize().as_vec3();
            ((a + b + c + d) * 0.25, if up.z < 0.0 { -up } else { up })
        }
        _ => (middle, normal),
    };
    let x_axis = math::unit_or_zero(ahead - up * up.dot(ahead));
    let rotation = Quat::from_mat3(&glam::Mat3::from_cols(x_axis, up.cross(x_axis), up));
    Ok(Pose { origin, rotation })
}

/// Half of wheelbase and track [m].
fn footprint(car: &Car) -> (f32, f32) {
    let kind = car.kind();
    kind.params().wheels.iter().fold((0.1, 0.1), |(x, y), w| {
        (x.max(w.position.x.abs()), y.max(w.position.y.abs()))
    })
}

/// The centre of mass of a car in a pose [m, world].
#[must_use]
pub fn centre_of_mass(car: &Car, pose: &Pose) -> DVec3 {
    // The design height over level ground is the contract of vehicle files: origin on the ground.
    pose.origin + (pose.rotation * car.centre_of_mass()).as_dvec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{GroundSpec, MeshUp};
    use rstest::rstest;

    #[rstest]
    fn a_car_stands_still_where_it_is_put(
        #[values(WorldKind::Standalone, WorldKind::Rapier)] kind: WorldKind,
        #[values(GroundSpec::Flat, GroundSpec::Slope(10.0))] spec: GroundSpec,
    ) {
        let terrain = Terrain::new(&spec, MeshUp::Y).unwrap();
        let world = open(kind, &terrain, 0.01).unwrap();
        let car = jounce::presets::sedan();
        let start = Start {
            place: DVec2::new(20.0, 5.0),
            heading: 0.5,
        };
        let pose = standing(&*world, &terrain, &car, start).unwrap();
        let up = pose.rotation * Vec3::Z;
        let (_, normal) = world.ground_at(start.place).unwrap();
        assert!(up.distance(normal) < 1e-3, "{up} {normal}");
        let height = terrain.height(start.place).unwrap();
        assert!((pose.origin.z - height).abs() < 5e-3);
    }
}
