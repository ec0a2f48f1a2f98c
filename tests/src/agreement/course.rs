//! Grounds and maneuvers: open-loop commands, so that nothing corrects a deviation.
//!
//! All stay within the tires' grip. A spinning car amplifies any difference of two worlds, and
//! would measure itself instead of them.

use core::f32::consts::TAU;

use glam::{DVec2, DVec3};
use jounce::core::math::sin_cos;
use jounce::core::{CarCommand, Gear, Surfaces};
use jounce::scene::{Axes, GroundError, HeightField, Steps, TriangleMesh};
use proving_ground::ProvingError;
use proving_ground::ground::{Solid, Terrain};
use proving_ground::stage::{FREE, Scene};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use crate::backend::Backend;
use crate::backend::Need;

/// A ground to drive on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// Level ground.
    Plane,
    /// A plane that rises toward +x by 6°.
    Slope,
    /// Long waves, as the engine's own heightfield.
    HeightField,
    /// Long waves, as triangles.
    Mesh,
    /// A curb of 10 cm, 12 m ahead.
    Curb,
    /// A wall of 1.5 m, 12 m ahead.
    Wall,
}

/// Position of curb and wall (`m`).
pub(super) const EDGE: f64 = 12.0;

impl Site {
    /// Opens a world of the site with steps of `dt` (`s`), and returns its terrain, too.
    ///
    /// # Errors
    /// If the backend has no such ground.
    pub fn open(
        self,
        backend: &dyn Backend,
        dt: f32,
    ) -> Result<(Box<dyn World>, Terrain), ProvingError> {
        let terrain = self.terrain()?;
        let mut world = backend.open(&terrain, dt)?;
        if self == Self::HeightField {
            let field = ColliderShape::HeightField(waves()?);
            world.add_collider(&ColliderSpec::fixed(field, DVec3::ZERO))?;
        }
        Ok((world, terrain))
    }

    fn terrain(self) -> Result<Terrain, GroundError> {
        let plane = |height: f64, climb: f64| {
            let normal = DVec3::new(-libm::sin(climb), 0.0, libm::cos(climb));
            Terrain::plane("plane".to_owned(), DVec3::Z * height, normal)
        };
        match self {
            Self::Plane => plane(0.0, 0.0),
            Self::Slope => plane(0.0, 6.0_f64.to_radians()),
            // The field is added to the world separately.
            Self::HeightField => plane(-1000.0, 0.0),
            Self::Mesh => Ok(Terrain {
                name: "waves".to_owned(),
                solid: Solid::Triangles(waves()?.triangles()),
                grounds: TriangleMesh::of(&waves()?.triangles())?.into(),
                start: DVec2::ZERO,
                surfaces: Surfaces::new(),
                relief: true,
                notes: Vec::new(),
                track: None,
            }),
            Self::Curb => edge(0.1),
            Self::Wall => edge(1.5),
        }
    }
}

/// Level ground that ends at a step up.
fn edge(height: f64) -> Result<Terrain, GroundError> {
    let steps = Steps::curb(Axes::Z_UP, DVec3::X * EDGE, height)?;
    Ok(Terrain {
        name: "edge".to_owned(),
        solid: Solid::Triangles(steps.triangles(100.0)),
        grounds: steps.into(),
        start: DVec2::ZERO,
        surfaces: Surfaces::new(),
        relief: true,
        notes: Vec::new(),
        track: None,
    })
}

/// Waves of half a meter, 30 and 50 m long, over 200 m ahead and 80 m to each side, every 2 m.
fn waves() -> Result<HeightField, GroundError> {
    let low = DVec3::new(-20.0, -80.0, 0.0);
    HeightField::from_fn(Axes::Z_UP, low, 2.0, [111, 81], |x, y| {
        let turn = core::f64::consts::TAU;
        0.25 * libm::sin(turn * x / 50.0) + 0.25 * libm::sin(turn * y / 30.0)
    })
}

/// Quantity that is compared between two worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Path and speed.
    Path,
    /// Whether the car crosses the edge, and its heading.
    Crossing,
}

/// A maneuver on a ground.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Name of the case in the suite.
    pub name: &'static str,
    /// The ground.
    pub site: Site,
    /// Initial speed (`m/s`); cars at rest start in first gear, the others out of gear.
    pub speed: f32,
    /// The command at a time (`s`).
    pub command: fn(f32) -> CarCommand,
    /// Quantity that is compared on this course.
    pub judged: Judged,
    /// Ability that the course needs, if any.
    pub need: Option<Need>,
}

impl Course {
    pub(super) fn scene(&self) -> Scene {
        let start = if self.speed == 0.0 {
            Gear::FIRST
        } else {
            Gear::NEUTRAL
        };
        Scene {
            speed: self.speed,
            gear: start,
            ..Scene::LEVEL
        }
    }
}

/// A course from rest, compared by path.
const fn path(name: &'static str, site: Site, command: fn(f32) -> CarCommand) -> Course {
    Course {
        name,
        site,
        speed: 0.0,
        command,
        judged: Judged::Path,
        need: None,
    }
}

/// Every course.
pub const COURSES: [Course; 12] = [
    path("on a plane: pull away", Site::Plane, |_| car(1.0, 0.0, 0.0)),
    path("on a plane: pull away and brake", Site::Plane, brake),
    path("on a plane: slalom", Site::Plane, slalom),
    path("on a plane: circle", Site::Plane, circle),
    path("on a plane: change lanes", Site::Plane, change_lanes),
    path("on a slope: climb", Site::Slope, |_| car(0.8, 0.0, 0.0)),
    path("on a slope: bend", Site::Slope, circle),
    path("on a heightfield: straight on", Site::HeightField, |_| {
        car(0.4, 0.0, 0.0)
    }),
    path("on a heightfield: slalom", Site::HeightField, slalom),
    path("on a mesh: bend", Site::Mesh, circle),
    Course {
        speed: 5.0,
        judged: Judged::Crossing,
        ..path("over a curb: straight on", Site::Curb, |_| FREE)
    },
    Course {
        speed: 8.0,
        judged: Judged::Crossing,
        need: Some(Need::Hulls),
        ..path("into a wall: head on", Site::Wall, |_| FREE)
    },
];

fn brake(time: f32) -> CarCommand {
    if time < 6.0 {
        car(1.0, 0.0, 0.0)
    } else {
        car(0.0, 0.25, 0.0)
    }
}

fn slalom(time: f32) -> CarCommand {
    car(0.5, 0.0, 0.04 * swing(time, 3.0, 10.0, 2.5))
}

fn circle(time: f32) -> CarCommand {
    car(0.5, 0.0, (time / 4.0).min(1.0) * 0.06)
}

fn change_lanes(time: f32) -> CarCommand {
    let throttle = if time < 5.0 { 0.8 } else { 0.2 };
    car(throttle, 0.0, -0.05 * swing(time, 6.0, 8.0, 2.0))
}

/// A sine with this period, from `start` to `end` (`s`).
fn swing(time: f32, start: f32, end: f32, period: f32) -> f32 {
    if (start..end).contains(&time) {
        sin_cos((time - start) * TAU / period).0
    } else {
        0.0
    }
}

fn car(throttle: f32, brake: f32, steer: f32) -> CarCommand {
    CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    }
}
