//! The ground to drive on: named, created once, added to any world.
//!
//! A ground file, `file:FILE.toml` on the command line, gives surfaces to the materials of a mesh:
//!
//! ```toml
//! schema = 1
//! default = "asphalt"                 # surface of what is named nowhere; optional
//!
//! [mesh]
//! file = "lake.obj"                   # beside this file
//! up = "z"                            # by default the command line's: y
//!
//! [materials]                         # names in the mesh (usemtl): surfaces
//! "Frozen lake" = "ice"
//! Path = "leaves"
//!
//! [surfaces]                          # friction of every tire (–), besides the built-in ones
//! leaves = 0.4
//! ```
//!
//! Built-in surfaces are asphalt (1), ice (0.1), gravel (0.6) and wet (0.7). A material that is called like a surface needs no rule.

mod spec;
mod assign;
mod mesh;
mod file;

use std::path::Path;
use std::sync::Arc;

use glam::{DVec2, DVec3, Vec3};
use jounce::core::{Axis, Surfaces};
use jounce::scene::generate::{self, Hills};
use jounce::scene::{
    Axes, GroundError, Grounds, HeightField, HeightGrid, Plane, Ramp, Ray, Steps, TriangleMesh,
    Triangles,
};

use serde::Deserialize;

use assign::SurfaceRules;
pub use spec::GroundSpec;

use crate::error::ProvingError;
use crate::track::Track;

/// Up axis of an `.obj` file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeshUp {
    /// y up, as most programs export: (x, y, z) becomes (x, −z, y), so x stays forward.
    #[default]
    Y,
    /// z up: coordinates stay as they are.
    Z,
}

impl MeshUp {
    fn to_world(self, vertex: DVec3) -> DVec3 {
        match self {
            Self::Y => DVec3::new(vertex.x, -vertex.z, vertex.y),
            Self::Z => vertex,
        }
    }
}

/// Geometry of a ground, for engines that need their own shapes.
#[derive(Clone, Debug)]
pub enum Solid {
    /// A half space through a point with an outward normal.
    HalfSpace {
        /// A point of its surface (`m`).
        point: DVec3,
        /// Outward unit normal.
        normal: DVec3,
    },
    /// Triangles.
    Triangles(Triangles),
    /// A grid of heights.
    HeightField(HeightField),
}

/// A ground, ready for any world.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// Name that reports and errors show, such as `hills`.
    pub name: String,
    /// Shapes that serve rays: the standalone world's ground, and the reference for the others.
    pub grounds: Grounds,
    /// Geometry of the ground.
    pub solid: Solid,
    /// Default start position of a car (`m`).
    pub start: DVec2,
    /// Friction of tires on the materials of the terrain.
    pub surfaces: Surfaces,
    /// Whether the terrain has relief worth drawing.
    pub relief: bool,
    /// Remarks on the files of the terrain, for whoever drives on it.
    pub notes: Vec<String>,
    /// The track on the terrain, if it has one.
    pub track: Option<Arc<Track>>,
}

/// Heights along each side of the generated hills, and their spacing [m]: one square kilometer.
const HILLS: (usize, f64) = (513, 2.0);
/// The highest generated hill (`m`).
const HILL_HEIGHT: f64 = 14.0;
/// Start of a ramp or steps [m]: a few car lengths ahead of the start.
const FOOT: DVec3 = DVec3::new(20.0, 0.0, 0.0);
/// Length of a ramp, along the slope (`m`).
const RAMP_LENGTH: f64 = 20.0;
/// Number of steps, and their spacing [m]: more than a wheelbase.
const STEPS: (u32, f64) = (3, 4.0);
/// Extent of the triangles of a ramp or steps to every side [m]: more than any built-in maneuver
/// needs. Engines that use triangles have no ground beyond.
const REACH: f64 = 5000.0;

impl Terrain {
    /// Creates the ground of a specification; `up` is for meshes only, where no ground file says theirs.
    ///
    /// # Errors
    /// If a file cannot be read or has faults.
    pub fn new(spec: &GroundSpec, up: MeshUp) -> Result<Self, ProvingError> {
        let name = spec.to_string();
        match spec {
            GroundSpec::Flat => Ok(Self::plane(name, DVec3::ZERO, DVec3::Z)?),
            GroundSpec::Slope(degrees) => {
                let climb = degrees.to_radians();
                let normal = DVec3::new(-libm::sin(climb), 0.0, libm::cos(climb));
                Ok(Self::plane(name, DVec3::ZERO, normal)?)
            }
            GroundSpec::Ramp(degrees) => {
                let ramp = Ramp::new(Axes::Z_UP, FOOT, *degrees, RAMP_LENGTH)?;
                Ok(Self::shaped(name, ramp.triangles(REACH), ramp))
            }
            GroundSpec::Steps(rise) => {
                let steps = Steps::new(Axes::Z_UP, FOOT, *rise, STEPS.1, STEPS.0)?;
                Ok(Self::shaped(name, steps.triangles(REACH), steps))
            }
            GroundSpec::Hills(seed) => Ok(Self::height_field(name, hills(*seed)?)),
            GroundSpec::HeightField(path) => Ok(Self::heights(name, path)?.begun_in_the_middle()),
            GroundSpec::Mesh(path) => mesh::load(name, path, up, &SurfaceRules::built_in()),
            GroundSpec::File(path) => file::load(name, path, up),
            GroundSpec::Track(track) => Ok(Self::with_track(name, Arc::new(Track::load(track)?))?),
        }
    }

    /// The plane through `point` (`m`) with the unit `normal`.
    ///
    /// # Errors
    /// If a number is not finite or the normal is zero.
    pub fn plane(name: String, point: DVec3, normal: DVec3) -> Result<Self, GroundError> {
        Ok(Self {
            name,
            grounds: Plane::new(point, normal)?.into(),
            solid: Solid::HalfSpace { point, normal },
            start: DVec2::ZERO,
            surfaces: Surfaces::new(),
            relief: false,
            notes: Vec::new(),
            track: None,
        })
    }

    /// A level plain with a track, on which cars start where it begins.
    ///
    /// # Errors
    /// Never: the plane is valid.
    pub fn with_track(name: String, track: Arc<Track>) -> Result<Self, GroundError> {
        Ok(Self {
            start: track.center().point(0.0),
            track: Some(track),
            ..Self::plane(name, DVec3::ZERO, DVec3::Z)?
        })
    }

    /// Default heading of a car at the start (`rad`, to the left of +x): that of a track, otherwise 0.
    #[must_use]
    pub fn heading(&self) -> f32 {
        let track = self.track.as_ref();
        track.map_or(0.0, |track| track.center().heading(0.0) as f32)
    }

    /// Whether the triangles of the ground have several materials.
    #[must_use]
    pub fn is_patchy(&self) -> bool {
        let mut parts = self.grounds.0.iter();
        parts.any(|part| part.triangle_materials.is_some())
    }

    /// This terrain in other layers, one bit each.
    #[must_use]
    pub fn in_layers(mut self, layers: u32) -> Self {
        for part in &mut self.grounds.0 {
            part.layers = layers;
        }
        self
    }

    /// Layers of the terrain, one bit each.
    #[must_use]
    pub fn layers(&self) -> u32 {
        let parts = self.grounds.0.iter();
        parts.fold(0, |layers, part| layers | part.layers)
    }

    /// Heights of a file: an Esri ASCII grid (`.asc`), which has no ground where heights are unknown, or a heightfield's own text.
    fn heights(name: String, path: &Path) -> Result<Self, GroundError> {
        let is_esri = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("asc"));
        if !is_esri {
            return Ok(Self::height_field(
                name,
                HeightField::load(path, Axes::Z_UP)?,
            ));
        }
        let grid = HeightGrid::load_esri(path)?;
        let unknown = grid.unknown();
        if unknown == 0 {
            return Ok(Self::height_field(name, grid.field(DVec3::ZERO)?));
        }
        let mut terrain = Self::triangles(name, grid.triangles(DVec3::ZERO))?;
        let (file, count) = (path.display(), grid.heights.len());
        let note = format!("{file}: {unknown} of {count} heights are unknown, and have no ground");
        terrain.notes.push(note);
        Ok(terrain)
    }

    /// A surface of triangles.
    ///
    /// # Errors
    /// If they are not a valid mesh.
    pub fn triangles(name: String, triangles: Triangles) -> Result<Self, GroundError> {
        let mesh = TriangleMesh::of(&triangles)?;
        Ok(Self::shaped(name, triangles, mesh))
    }

    /// A grid of heights.
    #[must_use]
    pub fn height_field(name: String, field: HeightField) -> Self {
        Self::with_solid(name, Solid::HeightField(field.clone()), field)
    }

    /// A non-planar ground, and its triangles.
    fn shaped(name: String, triangles: Triangles, grounds: impl Into<Grounds>) -> Self {
        Self::with_solid(name, Solid::Triangles(triangles), grounds)
    }

    /// A non-planar ground, and its geometry.
    fn with_solid(name: String, solid: Solid, grounds: impl Into<Grounds>) -> Self {
        Self {
            name,
            grounds: grounds.into(),
            solid,
            start: DVec2::ZERO,
            surfaces: Surfaces::new(),
            relief: true,
            notes: Vec::new(),
            track: None,
        }
    }

    /// This ground with the start at the center of its geometry, seen from above.
    fn begun_in_the_middle(mut self) -> Self {
        match &self.solid {
            Solid::HalfSpace { .. } => {}
            Solid::Triangles(triangles) => {
                let (low, high) = triangles.bounds();
                self.start = low.midpoint(high).truncate();
            }
            Solid::HeightField(field) => {
                let half = field.axes().to_world((field.extent() * 0.5).extend(0.0));
                self.start = (field.origin() + half).truncate();
            }
        }
        self
    }

    /// Height of the highest ground at a horizontal position (`m`); `None` if there is none.
    #[must_use]
    pub fn height(&self, place: DVec2) -> Option<f64> {
        self.height_below(place.extend(SKY))
    }

    /// Height of the highest ground below a point (`m`); `None` if there is none, or the point is in it.
    #[must_use]
    pub fn height_below(&self, point: DVec3) -> Option<f64> {
        self.below(point).map(|(ground, _)| ground.z)
    }

    /// The highest ground at a horizontal position (`m`): its point (`m`) and its unit normal; `None` if there is none.
    #[must_use]
    pub fn ground_at(&self, place: DVec2) -> Option<(DVec3, Vec3)> {
        self.below(place.extend(SKY))
    }

    /// The highest ground below a point (`m`): its point and its unit normal.
    fn below(&self, point: DVec3) -> Option<(DVec3, Vec3)> {
        let ray = Ray {
            origin: point,
            direction: DVec3::NEG_Z,
            length: 2.0 * SKY as f32,
        };
        let (hit, _) = self.grounds.cast(&ray, u32::MAX)?;
        let ground = point - DVec3::Z * f64::from(hit.distance);
        (!hit.inside).then_some((ground, hit.normal))
    }
}

fn hills(seed: u64) -> Result<HeightField, ProvingError> {
    Ok(generate::hills(&Hills {
        seed,
        size: HILLS.0,
        cell: HILLS.1,
        amplitude: HILL_HEIGHT,
        up: Axis::Z,
    })?)
}

/// Height above any ground (`m`).
pub const SKY: f64 = 4000.0;

#[cfg(test)]
mod patchy;

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::slope("slope:45", 10.0, 10.0)]
    #[case::before_the_ramp("ramp:30", 19.9, 0.0)]
    #[case::on_the_ramp("ramp:30", 28.660_254, 5.0)]
    #[case::plateau("ramp:30", 300.0, 10.0)]
    #[case::ramp_down("ramp:-30", 300.0, -10.0)]
    #[case::before_the_steps("steps:0.08", 19.9, 0.0)]
    #[case::first_step("steps:0.08", 20.1, 0.08)]
    #[case::second_step("steps:0.08", 24.1, 0.16)]
    #[case::last_step("steps:0.08", 300.0, 0.24)]
    fn heights_ahead(#[case] spec: &str, #[case] x: f64, #[case] height: f64) {
        let terrain = Terrain::new(&spec.parse().unwrap(), MeshUp::Y).unwrap();
        let found = terrain.height(DVec2::new(x, 3.0)).unwrap();
        assert!((found - height).abs() < 1e-3, "{found}");
    }

    #[test]
    fn a_mesh_is_rotated_upright_and_starts_at_its_center() {
        let path = std::env::temp_dir().join(format!("jounce-{}.obj", std::process::id()));
        std::fs::write(&path, "v 0 1 0\nv 4 1 0\nv 4 1 -2\nv 0 1 -2\nf 1 2 3 4\n").unwrap();
        let spec = GroundSpec::Mesh(path.clone());
        let [y_up, z_up] = [MeshUp::Y, MeshUp::Z].map(|up| Terrain::new(&spec, up).unwrap());
        std::fs::remove_file(path).unwrap();
        assert_eq!(y_up.start, DVec2::new(2.0, 1.0));
        assert_eq!(y_up.height(DVec2::new(3.0, 1.5)), Some(1.0));
        assert_eq!(z_up.start, DVec2::new(2.0, 1.0));
        assert_eq!(z_up.height(DVec2::new(3.0, 1.5)), None);
    }

    #[rstest]
    #[case::whole("4 5 6\n1 2 3\n", [Some(3.0), Some(3.4)], 0)]
    #[case::with_a_gap("4 5 6\n1 2 -9\n", [Some(3.0), None], 1)]
    fn a_survey_has_its_heights_and_gaps(
        #[case] rows: &str,
        #[case] expected: [Option<f64>; 2],
        #[case] notes: usize,
    ) {
        let path = std::env::temp_dir().join(format!("jounce-{}-{notes}.ASC", std::process::id()));
        let head = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n";
        std::fs::write(&path, format!("{head}{rows}")).unwrap();
        let terrain = Terrain::new(&GroundSpec::HeightField(path.clone()), MeshUp::Y).unwrap();
        std::fs::remove_file(path).unwrap();
        assert_eq!(terrain.start, DVec2::new(10.0, 5.0));
        let found = [[5.0, 5.0], [18.0, 2.0]].map(|place| terrain.height(place.into()));
        let rounded = found.map(|height| height.map(|height| (height * 1e3).round() / 1e3));
        assert_eq!(rounded, expected);
        assert_eq!(terrain.notes.len(), notes, "{:?}", terrain.notes);
    }

    #[test]
    fn a_missing_file_is_named() {
        for (spec, start) in [
            ("heightfield:none/such.asc", "none/such.asc: "),
            ("mesh:none/such.obj", "none/such.obj: "),
            ("heightfield:none/such.txt", "none/such.txt: "),
            ("file:none/such.toml", "none/such.toml: "),
        ] {
            let error = Terrain::new(&spec.parse().unwrap(), MeshUp::Y).unwrap_err();
            assert!(error.to_string().starts_with(start), "{error}");
        }
    }
}
