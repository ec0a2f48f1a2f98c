//! Courses: a terrain with what stands and moves on it, by name, for any world.

mod parts;

use core::str::FromStr;

use glam::{DVec3, Vec3};
use jounce::core::BodyId;
use jounce::scene::BodyDesc;
use serde::{Deserialize, Serialize};

use crate::error::ProvingError;
use crate::ground::{GroundSpec, MeshUp, Terrain};
pub use crate::surface::Cover;
use crate::world::{ColliderSpec, World};

/// A course by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CourseName {
    /// Generated hills of one square kilometer.
    #[default]
    Hills,
    /// A level plain without end: a skid pad.
    SkidPad,
    /// Streets between houses, with curbs, stairs and ramps.
    Town,
    /// Strips of ice, gravel and wet asphalt on a plain.
    Patches,
    /// Ramps for one side at a time, left and right in turn.
    CrossedRamps,
    /// A disc that turns, and behind it a platform that goes to and fro.
    Turntable,
    /// A field of loose boxes, in worlds that have such bodies.
    Boxes,
}

impl CourseName {
    /// All courses.
    pub const ALL: [Self; 7] = [
        Self::Hills,
        Self::SkidPad,
        Self::Town,
        Self::Patches,
        Self::CrossedRamps,
        Self::Turntable,
        Self::Boxes,
    ];

    /// Name of the course in files and on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hills => "hills",
            Self::SkidPad => "skid-pad",
            Self::Town => "town",
            Self::Patches => "patches",
            Self::CrossedRamps => "crossed-ramps",
            Self::Turntable => "turntable",
            Self::Boxes => "boxes",
        }
    }
}

impl FromStr for CourseName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|course| course.name() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{name}`: must be one of {names}")
        })
    }
}

/// Moving ground: a slab, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformPlan {
    /// The center of its top (`m`, world).
    pub top: DVec3,
    /// Angular speed about z (`rad/s`).
    pub turning: f32,
    /// Greatest velocity of a motion to and fro (`m/s`, world), and its period (`s`).
    pub swing: (Vec3, f32),
}

impl PlatformPlan {
    /// Velocities at a time since the start (`s`): linear and angular (`m/s`, `rad/s`).
    #[must_use]
    pub fn velocity(&self, time: f32) -> (Vec3, Vec3) {
        let (greatest, period) = self.swing;
        let phase = core::f32::consts::TAU * time / period;
        (greatest * libm::sinf(phase), Vec3::Z * self.turning)
    }
}

/// A course: what any world needs to open it, and what is to be drawn.
#[derive(Clone, Debug)]
pub struct DrivingCourse {
    /// Name of the course.
    pub name: CourseName,
    /// The ground below everything.
    pub terrain: Terrain,
    /// Fixed things on the course: curbs, houses, ramps, covers.
    pub fixed: Vec<ColliderSpec>,
    /// Platforms that move on their own.
    pub platforms: Vec<PlatformPlan>,
    /// Loose boxes.
    pub boxes: Vec<BodyDesc>,
    /// Whether a car starts on the first platform.
    pub starts_on_platform: bool,
}

/// Bodies of a course in a world.
#[derive(Clone, Debug, Default)]
pub struct CourseBodies {
    /// One body per platform.
    pub platforms: Vec<BodyId>,
    /// One body per box; none in a world without boxes.
    pub boxes: Vec<BodyId>,
}

/// Positions of the platforms and boxes that have moved.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    /// Tops of the platforms (`m`, world).
    pub tops: Vec<DVec3>,
    /// The boxes.
    pub boxes: Vec<BodyDesc>,
}

impl DrivingCourse {
    /// The course with this name.
    ///
    /// # Errors
    /// Never for the built-in ones, unless a shape is invalid.
    pub fn new(name: CourseName) -> Result<Self, ProvingError> {
        let spec = match name {
            CourseName::Hills => GroundSpec::Hills(1),
            _ => GroundSpec::Flat,
        };
        let mut course = Self {
            name,
            terrain: Terrain::new(&spec, MeshUp::Z)?,
            fixed: Vec::new(),
            platforms: Vec::new(),
            boxes: Vec::new(),
            starts_on_platform: false,
        };
        parts::furnish(&mut course);
        Ok(course)
    }

    /// Puts all but the terrain into a world opened over it. `moved` may say where things have gone
    /// meanwhile; otherwise they are where they belong.
    ///
    /// # Errors
    /// If the world lacks colliders or platforms.
    pub fn furnish(
        &self,
        world: &mut dyn World,
        moved: Option<&Moved>,
    ) -> Result<CourseBodies, ProvingError> {
        for spec in &self.fixed {
            world.add_collider(spec)?;
        }
        let tops = match moved {
            Some(moved) => moved.tops.clone(),
            None => self.platforms.iter().map(|plan| plan.top).collect(),
        };
        let platforms = tops.into_iter().map(|top| world.add_platform(top));
        let platforms = platforms.collect::<Result<_, _>>()?;
        let boxes = moved.map_or(&self.boxes, |moved| &moved.boxes);
        let boxes = match world.boxes() {
            Some(room) => boxes.iter().map(|desc| room.add_box(desc)).collect(),
            None => Ok(Vec::new()),
        };
        Ok(CourseBodies {
            platforms,
            boxes: boxes?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{self, WorldKind};
    use rstest::rstest;

    #[rstest]
    fn every_course_opens_in_every_world(#[values(0, 1, 2, 3, 4, 5, 6)] n: usize) {
        let course = DrivingCourse::new(CourseName::ALL[n]).unwrap();
        assert_eq!(course.name.name().parse(), Ok(course.name));
        for kind in WorldKind::all() {
            let mut world = world::open(*kind, &course.terrain, 1.0 / 60.0).unwrap();
            let bodies = course.furnish(&mut *world, None).unwrap();
            assert_eq!(bodies.platforms.len(), course.platforms.len());
            assert_eq!(bodies.boxes.len(), course.boxes.len());
        }
    }

    #[test]
    fn an_unknown_course_is_told_the_others() {
        let told = "moon".parse::<CourseName>().unwrap_err();
        assert!(told.contains("hills, skid-pad, town"), "{told}");
    }
}
