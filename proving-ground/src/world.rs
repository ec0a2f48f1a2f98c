//! A world that a car can be put into, whatever engine runs it.

mod collider;
#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "rapier")]
mod rapier;
mod standalone;

use core::any::Any;
use core::str::FromStr;

use glam::{DVec2, DVec3, Quat, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, ColliderId, GroundRay, QueryFilter, RigidBodies, RigidWheels,
    SceneQuery, Vehicle, math,
};
use jounce::file::Car;
use jounce::scene::{BodyDesc, Hull};

#[cfg(feature = "avian")]
pub use avian::Avian;
pub use collider::{ColliderShape, ColliderSpec};
#[cfg(feature = "rapier")]
pub use rapier::Rapier;
pub use standalone::FreeBodies;

use crate::error::ProvingError;
use crate::ground::{SKY, Terrain};

/// Gravity of every drive [m/s²].
pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Where a car starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Place of the vehicle's origin, seen from above [m, world].
    pub place: DVec2,
    /// Heading [rad], 0 along x, positive to the left.
    pub heading: f32,
}

/// Where a vehicle's origin is and how its frame is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The vehicle's origin [m, world].
    pub origin: DVec3,
    /// Vehicle frame → world.
    pub rotation: Quat,
}

/// Coulomb's friction between a body and the ground [−]: steel on asphalt.
pub const HULL_FRICTION: f32 = 0.5;

/// Half of a platform's length and width [m].
pub const PLATFORM_REACH: f32 = 40.0;

/// What a world was at one time, for [`World::restore`].
pub struct Snapshot(Box<dyn Any>);

impl core::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl Snapshot {
    /// Keeps what a world saves of itself.
    pub fn new<T: 'static>(saved: T) -> Self {
        Self(Box::new(saved))
    }

    /// What it holds, if it is of the world that is called `world`.
    ///
    /// # Errors
    /// If it is of another kind of world.
    pub fn of<T: 'static>(&self, world: &'static str) -> Result<&T, ProvingError> {
        let other = || ProvingError::unsupported(world, "the snapshot is of another world");
        self.0.downcast_ref().ok_or_else(other)
    }
}

/// Ground and bodies of one engine, through core's contracts, and what those leave out: making
/// bodies, moving and pushing them as a user does, and letting time pass.
///
/// Three methods are all that cars need. The others answer [`ProvingError::Unsupported`] unless a world
/// has them; a suite that needs them says so.
pub trait World: SceneQuery + RigidBodies {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// Adds a body, awake; one whose sleep threshold is 0 never sleeps. Rays find the ground from
    /// now on.
    ///
    /// # Errors
    /// If a number of it is not finite, or the world cannot make such a body.
    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, ProvingError>;

    /// Lets `dt` [s] pass under `gravity` [m/s²], with what was applied for this step.
    fn advance(&mut self, gravity: Vec3, dt: f32);

    /// Adds a collider: rays find it from now on.
    ///
    /// # Errors
    /// If a number of it breaks a rule, it names a body that is not there, or the world has no such
    /// collider.
    fn add_collider(&mut self, _spec: &ColliderSpec) -> Result<ColliderId, ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its ground cannot be added to",
        ))
    }

    /// Adds a free box, awake, which meets the chassis of cars and the ground: the body's hull.
    ///
    /// # Errors
    /// As [`World::add_body`], and if free bodies of this world do not meet.
    fn add_box(&mut self, _desc: &BodyDesc) -> Result<BodyId, ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its bodies meet the ground and nothing else",
        ))
    }

    /// Takes a body out, with its colliders. Its id names nothing from now on.
    ///
    /// # Errors
    /// If there is no such body, or the world cannot.
    fn remove_body(&mut self, _id: BodyId) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(self.name(), "its bodies stay"))
    }

    /// Gives a car's body wheels that share their contacts with its suspension: what is not the
    /// suspension's, they run into.
    ///
    /// # Errors
    /// If the id of its body names no dynamic body, or the world has no such wheels.
    fn add_wheels(
        &mut self,
        _vehicle: &Vehicle,
        _settings: RigidWheels,
    ) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its cars have no wheels to run into things with",
        ))
    }

    /// Tells the wheels that were added how the car turns them, between its update and
    /// [`advance`](World::advance).
    fn turn_wheels(&mut self, _vehicle: &Vehicle) {}

    /// Adds a level square slab at rest, 2 [`PLATFORM_REACH`] wide, that a script moves. The middle
    /// of its top is at `top` [m, world]; it turns about that. Rays find it from now on.
    ///
    /// # Errors
    /// If a number is not finite, or no ground of this world moves.
    fn add_platform(&mut self, _top: DVec3) -> Result<BodyId, ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its ground does not move",
        ))
    }

    /// Lets a platform move with these velocities, linear [m/s] and angular [rad/s, world axes],
    /// until they are set anew.
    ///
    /// # Errors
    /// If there is no such platform.
    fn set_platform_velocity(
        &mut self,
        _id: BodyId,
        _linear: Vec3,
        _angular: Vec3,
    ) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its ground does not move",
        ))
    }

    /// Pushes a body at its centre of mass with `force` [N, world axes], in every step until it is
    /// pushed anew, and wakes it. The world itself does it, as for any user of the engine: cars
    /// are not told. To be called before the update of a step.
    ///
    /// # Errors
    /// If the id names no dynamic body, or this world's users have no forces.
    fn push(&mut self, _id: BodyId, _force: Vec3) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its users cannot push bodies",
        ))
    }

    /// Moves a body by `by` [m, world axes] at once, keeps its velocities and wakes it.
    ///
    /// # Errors
    /// If the id names no dynamic body, or the world cannot.
    fn teleport(&mut self, _id: BodyId, _by: DVec3) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its bodies cannot be put elsewhere",
        ))
    }

    /// Puts a body's centre of mass at `position` [m, world] with `rotation` (vehicle frame → world),
    /// at rest, and wakes it.
    ///
    /// # Errors
    /// If the id names no dynamic body, or the world cannot.
    fn place(
        &mut self,
        _id: BodyId,
        _position: DVec3,
        _rotation: Quat,
    ) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "its bodies cannot be put elsewhere",
        ))
    }

    /// Joins two bodies at a point [m, world]: a ball that pulls and pushes, about which they turn.
    /// They do not collide any more.
    ///
    /// # Errors
    /// If an id names no dynamic body, and if this world has no joints.
    fn join(&mut self, _a: BodyId, _b: BodyId, _at: DVec3) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(self.name(), "it has no joints"))
    }

    /// Makes `to` [m, world] the new origin: everything is where it was, and its coordinates are
    /// smaller by `to`. Cars are not told.
    ///
    /// # Errors
    /// If the world cannot.
    fn shift_origin(&mut self, _to: DVec3) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(self.name(), "its origin stays"))
    }

    /// Everything that the world's future depends on. To be taken after a step, before the next
    /// update.
    ///
    /// # Errors
    /// If the world cannot be copied.
    fn snapshot(&self) -> Result<Snapshot, ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "it cannot be copied",
        ))
    }

    /// Makes the world what it was: it goes on to the bit as it did then.
    ///
    /// # Errors
    /// If the snapshot is of another kind of world.
    fn restore(&mut self, _snapshot: &Snapshot) -> Result<(), ProvingError> {
        Err(ProvingError::unsupported(
            self.name(),
            "it cannot be copied",
        ))
    }

    /// Adds the body of a car at rest, awake: [`chassis`].
    ///
    /// # Errors
    /// As [`World::add_body`].
    fn add_chassis(&mut self, car: &Car, pose: &Pose) -> Result<BodyId, ProvingError> {
        self.add_body(&chassis(car, pose))
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
}

impl WorldKind {
    /// Every kind there is.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        &[
            Self::Standalone,
            #[cfg(feature = "rapier")]
            Self::Rapier,
            #[cfg(feature = "avian")]
            Self::Avian,
        ]
    }

    /// What a command line calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standalone => "standalone",
            #[cfg(feature = "rapier")]
            Self::Rapier => "rapier",
            #[cfg(feature = "avian")]
            Self::Avian => "avian",
        }
    }

    /// The first kind whose worlds can join bodies, if this program has one.
    #[must_use]
    pub fn with_joints() -> Option<Self> {
        Self::all()
            .iter()
            .copied()
            .find(|kind| *kind != Self::Standalone)
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
/// If the engine refuses the ground's triangles.
#[cfg_attr(
    not(feature = "rapier"),
    allow(unused_variables, reason = "only engines need to know the step ahead")
)]
pub fn open(kind: WorldKind, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, ProvingError> {
    Ok(match kind {
        WorldKind::Standalone => Box::new(FreeBodies::new(terrain)),
        #[cfg(feature = "rapier")]
        WorldKind::Rapier => Box::new(Rapier::new(terrain, dt)?),
        #[cfg(feature = "avian")]
        WorldKind::Avian => Box::new(Avian::new(terrain)?),
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
) -> Result<Pose, ProvingError> {
    let (sin, cos) = (libm::sinf(start.heading), libm::cosf(start.heading));
    let ahead = Vec3::new(cos, sin, 0.0);
    let left = Vec3::new(-sin, cos, 0.0);
    let under = |x: f32, y: f32| {
        let offset = (ahead * x + left * y).as_dvec3();
        world.ground_at(start.place + DVec2::new(offset.x, offset.y))
    };
    let (middle, normal) = under(0.0, 0.0).ok_or_else(|| ProvingError::NoGround {
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

/// The body of a car at rest: mass, inertia and hull of the car, no damping.
#[must_use]
pub fn chassis(car: &Car, pose: &Pose) -> BodyDesc {
    BodyDesc {
        rotation: pose.rotation,
        hull: Some(Hull {
            half_extents: car.hull.size * 0.5,
            centre: car.hull.centre - car.centre_of_mass(),
            friction: HULL_FRICTION,
        }),
        ..BodyDesc::at_rest(centre_of_mass(car, pose), car.mass(), car.inertia())
    }
}

/// The centre of mass of a car in a pose [m, world].
#[must_use]
pub fn centre_of_mass(car: &Car, pose: &Pose) -> DVec3 {
    // The design height over level ground is the contract of vehicle files: origin on the ground.
    pose.origin + (pose.rotation * car.centre_of_mass()).as_dvec3()
}

#[cfg(all(test, feature = "rapier"))]
mod tests;
