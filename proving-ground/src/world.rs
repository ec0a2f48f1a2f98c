//! A world for cars, with any engine.

mod collider;
pub mod abilities;
#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "box3d")]
mod box3d;
#[cfg(feature = "jolt")]
mod jolt;
#[cfg(feature = "rapier")]
mod rapier;
mod standalone;

use core::str::FromStr;

use glam::{DVec2, DVec3, Mat3, Quat, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, GroundRay, QueryFilter, RigidBodies, SceneQuery, math,
};
use jounce::file::{Car, WheelKind};
use jounce::jointed::JointedWheels;
use jounce::scene::{BodyDesc, CollisionBox};

pub use abilities::{
    AxisLocks, Boxes, Colliders, CollidingWheels, GuidedPlatforms, Handling, Joints, Platforms,
    Snapshot, Snapshots,
};
#[cfg(feature = "avian")]
pub use avian::Avian;
#[cfg(feature = "box3d")]
pub use box3d::Box3d;
pub use collider::{ColliderShape, ColliderSpec};
#[cfg(feature = "jolt")]
pub use jolt::Jolt;
#[cfg(feature = "rapier")]
pub use rapier::Rapier;
pub use standalone::FreeBodies;

use crate::error::ProvingError;
use crate::ground::{SKY, Terrain};

/// Gravity of every drive (`m/s²`).
pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Start of a car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Horizontal position of the vehicle's origin (`m`, world).
    pub position: DVec2,
    /// Heading (`rad`), 0 along x, positive to the left.
    pub heading: f32,
}

/// Pose of a vehicle: position of its origin and rotation of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The vehicle's origin (`m`, world).
    pub origin: DVec3,
    /// Rotation from the vehicle frame to the world.
    pub rotation: Quat,
}

/// Coulomb's friction between a body and the ground [−]: steel on asphalt.
pub const HULL_FRICTION: f32 = 0.5;

/// Half of a platform's length, width and height (`m`): hulls that hit it do not pass through within a step.
pub const PLATFORM_HALF: Vec3 = Vec3::new(40.0, 40.0, 0.5);

/// Ground and bodies of one engine, through the core's contracts, plus abilities beyond them: creating
/// bodies, moving and pushing them like a user, and advancing time.
///
/// Cars need only three methods. The others are [abilities] of some worlds, `None` for the
/// rest. Callers that require an ability use the method of `dyn World` with its name: it fails with
/// [`ProvingError::Lacks`].
pub trait World: SceneQuery + RigidBodies {
    /// Name that reports and errors show.
    fn name(&self) -> &'static str;

    /// Adds a body, awake; one with sleep threshold 0 never sleeps. Rays find the ground from now
    /// on.
    ///
    /// Its damping acts in every step. Its hull, if it has one, collides with the ground in its
    /// [layers](CollisionBox::layers), with its friction and its restitution.
    ///
    /// # Errors
    /// If a number violates its rule, [`BodyDesc::check`], or the world cannot create such a body:
    /// [`ProvingError::Engine`] has the engine's message.
    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError>;

    /// Advances by `dt` (`s`) under `gravity` (`m/s²`), with the motions and forces applied for this step. A `dt` of 0
    /// changes nothing.
    fn advance(&mut self, gravity: Vec3, dt: f32);

    /// Colliders besides the terrain; `None` if the ground cannot be extended.
    fn colliders(&mut self) -> Option<&mut dyn Colliders> {
        None
    }

    /// Free boxes that collide with cars; `None` if bodies only collide with the ground.
    fn boxes(&mut self) -> Option<&mut dyn Boxes> {
        None
    }

    /// Moving ground; `None` if all ground is fixed.
    fn platforms(&mut self) -> Option<&mut dyn Platforms> {
        None
    }

    /// Platforms that follow poses; `None` if a platform can only be given velocities.
    fn guided_platforms(&mut self) -> Option<&mut dyn GuidedPlatforms> {
        None
    }

    /// Wheel colliders; `None` if the engine has no contact hooks for them.
    fn wheels(&mut self) -> Option<&mut dyn CollidingWheels> {
        None
    }

    /// Manipulation of bodies between steps; `None` if only cars' updates move bodies.
    fn handling(&mut self) -> Option<&mut dyn Handling> {
        None
    }

    /// Wheels that are bodies on joints; `None` if the engine's joints cannot carry wheels.
    fn jointed_wheels(&mut self) -> Option<Box<dyn JointedWheels + '_>> {
        None
    }

    /// Joints between bodies; `None` without them.
    fn joints(&mut self) -> Option<&mut dyn Joints> {
        None
    }

    /// Locked axes of bodies; `None` if the engine locks none.
    fn axis_locks(&mut self) -> Option<&mut dyn AxisLocks> {
        None
    }

    /// Copies of the whole world; `None` if the engine cannot copy itself.
    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }

    /// Adds the body of a car whose wheels probe the ground, at rest, awake: [`chassis`].
    ///
    /// # Errors
    /// As [`World::add_body`] and [`probing`].
    fn add_chassis(&mut self, car: &Car, pose: &Pose) -> Result<BodyId, ProvingError> {
        self.add_chassis_at(car, pose, Vec3::ZERO)
    }

    /// Adds the body of a car as [`World::add_chassis`] does, with an initial `velocity` (`m/s`, world axes).
    ///
    /// # Errors
    /// As [`World::add_chassis`].
    fn add_chassis_at(
        &mut self,
        car: &Car,
        pose: &Pose,
        velocity: Vec3,
    ) -> Result<BodyId, ProvingError> {
        probing(car)?;
        self.add_body(&BodyDesc {
            linear_velocity: velocity,
            ..chassis(car, pose)
        })
    }

    /// The state of one body.
    ///
    /// # Errors
    /// If the id does not name a dynamic body.
    fn body_state(&self, id: BodyId) -> Result<BodyState, BodyError> {
        let mut states = [BodyState::BLANK];
        self.read(&[id], &mut states)?;
        Ok(states[0])
    }

    /// The highest ground at a horizontal position: its point (`m`) and its unit normal.
    fn ground_at(&self, position: DVec2) -> Option<(DVec3, Vec3)> {
        let ray = GroundRay {
            anchor: position.extend(SKY),
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
        Some((position.extend(SKY - f64::from(hit.distance)), hit.normal))
    }
}

/// An engine, which opens worlds.
pub trait WorldSource: Sync {
    /// Short name of the engine: one word, unlike those of other engines.
    fn name(&self) -> &'static str;

    /// An empty world over a terrain, with steps of `dt` (`s`).
    ///
    /// # Errors
    /// If the engine has no such ground.
    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError>;
}

impl core::fmt::Debug for dyn WorldSource {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Compares sources by their names.
impl PartialEq for dyn WorldSource {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn WorldSource {}

/// The engine of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorldKind {
    /// Free bodies over the ground's own shapes; no engine.
    #[default]
    Standalone,
    /// Rapier, with the ground as colliders.
    #[cfg(feature = "rapier")]
    Rapier,
    /// Avian, with the ground as colliders.
    #[cfg(feature = "avian")]
    Avian,
    /// Box3D, with the ground as shapes.
    #[cfg(feature = "box3d")]
    Box3d,
    /// Jolt, with the ground as bodies.
    #[cfg(feature = "jolt")]
    Jolt,
    /// Anybody's engine.
    Other(&'static dyn WorldSource),
}

impl WorldKind {
    /// All kinds that this program has by itself.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        &[
            Self::Standalone,
            #[cfg(feature = "rapier")]
            Self::Rapier,
            #[cfg(feature = "avian")]
            Self::Avian,
            #[cfg(feature = "box3d")]
            Self::Box3d,
            #[cfg(feature = "jolt")]
            Self::Jolt,
        ]
    }

    /// Name of the world on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Standalone => "standalone",
            #[cfg(feature = "rapier")]
            Self::Rapier => "rapier",
            #[cfg(feature = "avian")]
            Self::Avian => "avian",
            #[cfg(feature = "box3d")]
            Self::Box3d => "box3d",
            #[cfg(feature = "jolt")]
            Self::Jolt => "jolt",
            Self::Other(engine) => engine.name(),
        }
    }
}

impl WorldKind {
    /// Whether hits in the world have the material of their triangle.
    const fn tells_triangles(self) -> bool {
        match self {
            Self::Standalone | Self::Other(_) => true,
            #[cfg(feature = "rapier")]
            Self::Rapier => true,
            #[cfg(any(feature = "avian", feature = "box3d", feature = "jolt"))]
            _ => false,
        }
    }
}

impl FromStr for WorldKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut all = Self::all().iter().copied();
        all.find(|kind| kind.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::all().iter().map(|kind| kind.name()).collect();
            format!("`{name}`: must be {}", names.join(" or "))
        })
    }
}

/// A world of this kind over a terrain.
///
/// # Errors
/// If the engine rejects the ground's triangles, or the ground has several surfaces and the world knows one.
pub fn open(kind: WorldKind, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
    if terrain.is_patchy() && !kind.tells_triangles() {
        return Err(ProvingError::Lacks {
            world: kind.name(),
            what: "surfaces of single triangles: drive on standalone or rapier",
        });
    }
    Ok(match kind {
        WorldKind::Standalone => Box::new(FreeBodies::new(terrain)),
        #[cfg(feature = "rapier")]
        WorldKind::Rapier => Box::new(Rapier::new(terrain, dt)?),
        #[cfg(feature = "avian")]
        WorldKind::Avian => Box::new(Avian::new(terrain)?),
        #[cfg(feature = "box3d")]
        WorldKind::Box3d => Box::new(Box3d::new(terrain)?),
        #[cfg(feature = "jolt")]
        WorldKind::Jolt => Box::new(Jolt::new(terrain)?),
        WorldKind::Other(engine) => return engine.open(terrain, dt),
    })
}

impl WorldSource for WorldKind {
    fn name(&self) -> &'static str {
        (*self).name()
    }

    fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
        open(*self, terrain, dt)
    }
}

/// Pose of a car at rest at `start`, at its design height over the plane through the ground under its
/// wheels.
///
/// # Errors
/// If there is no ground under the start.
pub fn rest_pose(
    world: &dyn World,
    terrain: &Terrain,
    car: &Car,
    start: Start,
) -> Result<Pose, ProvingError> {
    rest_pose_by(|place| world.ground_at(place), terrain, car, start)
}

/// Pose of a car at rest at `start` over the terrain's own shapes, without a world: see [`rest_pose`].
///
/// # Errors
/// If there is no ground under the start.
pub fn rest_pose_over(terrain: &Terrain, car: &Car, start: Start) -> Result<Pose, ProvingError> {
    rest_pose_by(|place| terrain.ground_at(place), terrain, car, start)
}

fn rest_pose_by(
    ground_at: impl Fn(DVec2) -> Option<(DVec3, Vec3)>,
    terrain: &Terrain,
    car: &Car,
    start: Start,
) -> Result<Pose, ProvingError> {
    let (sin, cos) = (libm::sinf(start.heading), libm::cosf(start.heading));
    let forward = Vec3::new(cos, sin, 0.0);
    let left = Vec3::new(-sin, cos, 0.0);
    let under = |x: f32, y: f32| {
        let offset = (forward * x + left * y).as_dvec3();
        ground_at(start.position + DVec2::new(offset.x, offset.y))
    };
    let (middle, normal) = under(0.0, 0.0).ok_or_else(|| ProvingError::NoGround {
        ground: terrain.name.clone(),
        x: start.position.x,
        y: start.position.y,
        notes: terrain.notes.clone(),
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
    let x_axis = math::unit_or_zero(forward - up * up.dot(forward));
    let rotation = Quat::from_mat3(&Mat3::from_cols(x_axis, up.cross(x_axis), up));
    Ok(Pose { origin, rotation })
}

/// Half of a car's wheelbase and track (`m`).
fn footprint(car: &Car) -> (f32, f32) {
    let model = car.model();
    model.params().wheels.iter().fold((0.1, 0.1), |(x, y), w| {
        (x.max(w.position.x.abs()), y.max(w.position.y.abs()))
    })
}

/// Checks that a car's wheels probe the ground.
///
/// # Errors
/// If they are bodies on joints.
pub fn probing(car: &Car) -> Result<(), ProvingError> {
    match car.wheels {
        WheelKind::Probes => Ok(()),
        WheelKind::Jointed => Err(ProvingError::JointedWheels {
            vehicle: car.name.clone(),
        }),
    }
}

/// The body of a car at rest: the car's mass, inertia and hull, no damping.
#[must_use]
pub fn chassis(car: &Car, pose: &Pose) -> BodyDesc {
    BodyDesc {
        rotation: pose.rotation,
        hull: Some(CollisionBox {
            half_extents: car.hull.size * 0.5,
            center: car.hull.center - car.center_of_mass(),
            friction: HULL_FRICTION,
            layers: u32::MAX,
        }),
        ..BodyDesc::at_rest(center_of_mass(car, pose), car.mass(), car.inertia())
    }
}

/// Mass (`kg`) and inertia (`kg·m²`) of a car with a payload (`kg`) at its center of mass, of the car's own radii of gyration.
#[must_use]
pub fn loaded(car: &Car, payload: f32) -> (f32, Mat3) {
    let own = car.mass();
    let mass = own + payload;
    (mass, car.inertia() * (mass / own))
}

/// The center of mass of a car in a pose (`m`, world).
#[must_use]
pub fn center_of_mass(car: &Car, pose: &Pose) -> DVec3 {
    // Vehicle files have their origin on level ground at design height.
    pose.origin + (pose.rotation * car.center_of_mass()).as_dvec3()
}

#[cfg(all(test, feature = "rapier"))]
mod tests;
