//! Which ground to drive on: read from the command line, made once, put into any world.

mod triangles;

use core::fmt;
use core::str::FromStr;
use std::path::PathBuf;

use glam::{DVec2, DVec3};
use jounce::core::Axis;
use jounce::scene::generate::{self, Hills};
use jounce::scene::{Axes, Grounds, HeightField, Plane, Ray, TriangleMesh};

pub use triangles::Triangles;

use crate::error::LabError;

/// A ground as the command line names it.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundSpec {
    /// Level, without end.
    Flat,
    /// A slope that climbs by so many degrees towards +x, without end.
    Slope(f64),
    /// Generated hills of this seed.
    Hills(u64),
    /// A heightfield's text file.
    HeightField(PathBuf),
    /// A Wavefront `.obj` file.
    Mesh(PathBuf),
}

impl FromStr for GroundSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = match text.split_once(':') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let file = |value: &str| PathBuf::from(value);
        match (name, value.filter(|value| !value.is_empty())) {
            ("flat", None) => Ok(Self::Flat),
            ("hills", None) => Ok(Self::Hills(1)),
            ("hills", Some(seed)) => seed
                .parse()
                .map(Self::Hills)
                .map_err(|_| format!("hills:{seed}: the seed must be a whole number >= 0")),
            ("slope", Some(degrees)) => match degrees.parse::<f64>() {
                Ok(slope) if slope.abs() <= 45.0 => Ok(Self::Slope(slope)),
                _ => Err(format!("slope:{degrees}: must be within -45..=45 degrees")),
            },
            ("heightfield", Some(path)) => Ok(Self::HeightField(file(path))),
            ("mesh", Some(path)) => Ok(Self::Mesh(file(path))),
            _ => Err(format!(
                "`{text}`: must be flat, slope:DEG, hills, hills:SEED, heightfield:FILE or \
                 mesh:FILE.obj"
            )),
        }
    }
}

impl fmt::Display for GroundSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat => write!(f, "flat"),
            Self::Slope(degrees) => write!(f, "slope of {degrees}°"),
            Self::Hills(seed) => write!(f, "hills (seed {seed})"),
            Self::HeightField(path) => write!(f, "heightfield {}", path.display()),
            Self::Mesh(path) => write!(f, "mesh {}", path.display()),
        }
    }
}

/// Which axis of an `.obj` file is up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum MeshUp {
    /// y up, as most programs export: (x, y, z) becomes (x, −z, y), so x stays forward.
    #[default]
    Y,
    /// z up: coordinates stay as they are.
    Z,
}

/// What a ground is made of, for engines that need their own shapes.
#[derive(Clone, Debug)]
pub enum Solid {
    /// A half space through a point with an outward normal.
    HalfSpace {
        /// A point of its surface [m].
        point: DVec3,
        /// Outward unit normal.
        normal: DVec3,
    },
    /// Triangles.
    Triangles(Triangles),
}

/// A ground, ready for any world.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// What it is called.
    pub name: String,
    /// It answers rays itself: the standalone world's ground, and the judge of the others.
    pub grounds: Grounds,
    /// What it is made of.
    pub solid: Solid,
    /// Where a car starts unless told otherwise [m].
    pub start: DVec2,
    /// Whether it has hills worth drawing.
    pub relief: bool,
}

/// Heights along each side of the generated hills, and their spacing [m]: one square kilometre.
const HILLS: (usize, f64) = (513, 2.0);
/// The highest generated hill [m].
const HILL_HEIGHT: f64 = 14.0;

impl Terrain {
    /// Makes the ground of a specification; `up` is for meshes only.
    ///
    /// # Errors
    /// If a file cannot be read or holds faults.
    pub fn new(spec: &GroundSpec, up: MeshUp) -> Result<Self, LabError> {
        let name = spec.to_string();
        match spec {
            GroundSpec::Flat => Self::plane(name, DVec3::Z),
            GroundSpec::Slope(degrees) => {
                let (sin, cos) = (
                    libm::sin(degrees.to_radians()),
                    libm::cos(degrees.to_radians()),
                );
                Self::plane(name, DVec3::new(-sin, 0.0, cos))
            }
            GroundSpec::Hills(seed) => {
                let hills = Hills {
                    seed: *seed,
                    size: HILLS.0,
                    cell: HILLS.1,
                    amplitude: HILL_HEIGHT,
                    up: Axis::Z,
                };
                Ok(Self::field(
                    name,
                    generate::hills(&hills)?,
                    Some(DVec2::ZERO),
                ))
            }
            GroundSpec::HeightField(path) => {
                let field = HeightField::load(path, Axes::Z_UP)?;
                Ok(Self::field(name, field, None))
            }
            GroundSpec::Mesh(path) => Self::mesh(name, path, up),
        }
    }

    fn plane(name: String, normal: DVec3) -> Result<Self, LabError> {
        let point = DVec3::ZERO;
        Ok(Self {
            name,
            grounds: Plane::new(point, normal)?.into(),
            solid: Solid::HalfSpace { point, normal },
            start: DVec2::ZERO,
            relief: false,
        })
    }

    fn field(name: String, field: HeightField, start: Option<DVec2>) -> Self {
        let triangles = Triangles::read(&generate::to_obj(&field));
        Self {
            name,
            start: start.unwrap_or_else(|| triangles.middle()),
            grounds: field.into(),
            solid: Solid::Triangles(triangles),
            relief: true,
        }
    }

    fn mesh(name: String, path: &PathBuf, up: MeshUp) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|source| LabError::File {
            path: path.clone(),
            source,
        })?;
        // Its own reader tells what is wrong with the file; then nothing is left to go wrong.
        TriangleMesh::from_obj(&path.display().to_string(), &text)?;
        let mut triangles = Triangles::read(&text);
        if up == MeshUp::Y {
            triangles.turn_up();
        }
        let ground = TriangleMesh::new(&triangles.vertices, &triangles.corners)?;
        Ok(Self {
            name,
            start: triangles.middle(),
            grounds: ground.into(),
            solid: Solid::Triangles(triangles),
            relief: true,
        })
    }

    /// Height of the highest ground at a place seen from above [m]; `None` where there is none.
    #[must_use]
    pub fn height(&self, place: DVec2) -> Option<f64> {
        let ray = Ray {
            origin: place.extend(SKY),
            direction: DVec3::NEG_Z,
            length: 2.0 * SKY as f32,
        };
        let (hit, _) = self.grounds.cast(&ray, u32::MAX)?;
        (!hit.inside).then(|| SKY - f64::from(hit.distance))
    }
}

/// Higher than any ground [m].
pub const SKY: f64 = 4000.0;

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("flat", GroundSpec::Flat)]
    #[case("slope:-7.5", GroundSpec::Slope(-7.5))]
    #[case("hills", GroundSpec::Hills(1))]
    #[case("hills:9", GroundSpec::Hills(9))]
    #[case("heightfield:a/b.txt", GroundSpec::HeightField("a/b.txt".into()))]
    #[case("mesh:C:/x.obj", GroundSpec::Mesh("C:/x.obj".into()))]
    fn grounds_are_named(#[case] text: &str, #[case] spec: GroundSpec) {
        assert_eq!(text.parse(), Ok(spec));
    }

    #[rstest]
    #[case("slope")]
    #[case("slope:")]
    #[case("slope:60")]
    #[case("slope:nan")]
    #[case("hills:x")]
    #[case("mesh")]
    #[case("mesh:")]
    #[case("flat:1")]
    #[case("moon")]
    fn others_are_refused(#[case] text: &str) {
        assert!(text.parse::<GroundSpec>().is_err());
    }

    #[test]
    fn a_slope_climbs_ahead() {
        let terrain = Terrain::new(&GroundSpec::Slope(45.0), MeshUp::Y).unwrap();
        let height = terrain.height(DVec2::new(10.0, 3.0)).unwrap();
        assert!((height - 10.0).abs() < 1e-3, "{height}");
    }

    #[test]
    fn a_missing_file_is_named() {
        for (spec, start) in [
            ("mesh:none/such.obj", "none/such.obj: "),
            ("heightfield:none/such.txt", "none/such.txt: "),
        ] {
            let error = Terrain::new(&spec.parse().unwrap(), MeshUp::Y).unwrap_err();
            assert!(error.to_string().starts_with(start), "{error}");
        }
    }
}
