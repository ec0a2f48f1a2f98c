//! Wavefront `.obj` files: vertices, faces, and the names of their materials.
//!
//! The crate `tobj` reads such files, too, but in single precision by default, with fans for concave faces, and with errors that
//! name no line.

use core::fmt::Write as _;
use std::borrow::Cow;
use std::path::Path;

use glam::DVec3;

use crate::error::{GroundError, InvalidText, LineFault, read};
use crate::mesh::TriangleMesh;
use crate::text::unmarked;
use crate::triangles::Triangles;
use crate::triangulate::triangulate;

/// Triangles of a Wavefront file, each with the material that its face names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjMesh {
    /// The triangles.
    pub triangles: Triangles,
    /// Names of materials (`usemtl`), in the order of their first faces; empty for faces before the first `usemtl`.
    pub materials: Vec<String>,
    /// Index of each triangle's material in `materials`.
    pub material_of: Vec<u32>,
}

impl ObjMesh {
    /// The triangles of the text of a Wavefront file called `name`. Coordinates are as in the file.
    ///
    /// Only `v`, `f` and `usemtl` lines are used; a face may contain `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1, or negative from
    /// the latest vertex back; polygons are cut into triangles, fans around their first vertex where these fit; a backslash
    /// continues a line; a number sign at a line's begin or after a blank starts a comment. All other lines are skipped.
    ///
    /// # Errors
    /// With every invalid line. Faces before their vertices are one fault together.
    pub fn parse(name: &str, text: &str) -> Result<Self, GroundError> {
        let mut file = ObjFile::default();
        for (number, line) in logical_lines(unmarked(text)) {
            if let Err(what) = file.line(number, &line) {
                file.faults.push(LineFault { line: number, what });
            }
        }
        file.judge_later_vertices();
        if file.mesh.triangles.corners.is_empty() && file.faults.is_empty() {
            file.faults.push(LineFault {
                line: 0,
                what: "no faces: must have at least one `f` line".to_owned(),
            });
        }
        if file.faults.is_empty() {
            return Ok(file.mesh);
        }
        file.faults.sort_by_key(|fault| fault.line);
        Err(InvalidText {
            file: name.to_owned(),
            faults: file.faults,
        }
        .into())
    }

    /// The triangles of the Wavefront file at `path`, as [`parse`](Self::parse).
    ///
    /// # Errors
    /// If the file cannot be read, or as `parse`.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, GroundError> {
        let path = path.as_ref();
        Self::parse(&path.display().to_string(), &read(path)?)
    }
}

impl Triangles {
    /// The triangles of the text of a Wavefront file called `name`, as [`ObjMesh::parse`]. Coordinates are in the world
    /// (`m`).
    ///
    /// # Errors
    /// With every invalid line.
    pub fn from_obj(name: &str, text: &str) -> Result<Self, GroundError> {
        Ok(ObjMesh::parse(name, text)?.triangles)
    }

    /// The triangles of the Wavefront file at `path`, as [`from_obj`](Self::from_obj).
    ///
    /// # Errors
    /// If the file cannot be read, or as `from_obj`.
    pub fn load_obj(path: impl AsRef<Path>) -> Result<Self, GroundError> {
        Ok(ObjMesh::load(path)?.triangles)
    }

    /// The text of a Wavefront file: a line per vertex, then one per triangle, in order. Numbers
    /// read back exactly.
    #[must_use]
    pub fn to_obj(&self) -> String {
        let mut text = String::from("# x y z [m, world]\n");
        // Writing to a string cannot fail.
        for v in &self.vertices {
            let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
        }
        for corners in &self.corners {
            let [a, b, c] = corners.map(|corner| u64::from(corner) + 1);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        text
    }
}

impl TriangleMesh {
    /// A mesh from the text of a Wavefront file called `name`, as [`Triangles::from_obj`].
    ///
    /// # Errors
    /// With every invalid line.
    pub fn from_obj(name: &str, text: &str) -> Result<Self, GroundError> {
        Self::of(&Triangles::from_obj(name, text)?)
    }

    /// A mesh from the Wavefront file at `path`, as [`Triangles::from_obj`].
    ///
    /// # Errors
    /// If the file cannot be read, or as `from_obj`.
    pub fn load_obj(path: impl AsRef<Path>) -> Result<Self, GroundError> {
        Self::of(&Triangles::load_obj(path)?)
    }
}

/// The lines of a file without comments, with continuations joined, and the number of the first
/// line.
fn logical_lines(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = text.lines().enumerate();
    core::iter::from_fn(move || {
        let (index, first) = lines.next()?;
        let mut whole = Cow::Borrowed(bare(first));
        while let Some(part) = whole.strip_suffix('\\') {
            let Some((_, next)) = lines.next() else {
                whole = Cow::Owned(part.to_owned());
                break;
            };
            whole = Cow::Owned(format!("{part} {}", bare(next)));
        }
        Some((index + 1, whole))
    })
}

/// A line without its comment.
fn bare(line: &str) -> &str {
    let starts = |&(at, _): &(usize, &str)| at == 0 || line[..at].ends_with(char::is_whitespace);
    let comment = line.match_indices('#').find(starts);
    line[..comment.map_or(line.len(), |(at, _)| at)].trim_end()
}

/// A face that names a vertex which has not been read.
struct LaterVertex {
    line: usize,
    /// Number of the vertex, from 1.
    number: i64,
    /// Number of vertices read so far.
    count: usize,
}

impl LaterVertex {
    fn fault(&self) -> LineFault {
        let Self { number, count, .. } = self;
        LineFault {
            line: self.line,
            what: format!("vertex {number} of {count} so far: out of range"),
        }
    }
}

#[derive(Default)]
struct ObjFile {
    mesh: ObjMesh,
    /// Name of the material of the next faces.
    material: String,
    /// Its index, once a face has it.
    index: Option<u32>,
    later: Vec<LaterVertex>,
    faults: Vec<LineFault>,
}

impl ObjFile {
    fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                // A faulty vertex keeps its index, so that later faces stay correct.
                let vertex = vertex(words);
                let place = vertex.clone().unwrap_or(DVec3::NAN);
                self.mesh.triangles.vertices.push(place);
                vertex.map(|_| ())
            }
            Some("f") => self.face(number, words),
            Some("usemtl") => {
                // Names may contain blanks.
                let name = line.trim_start().strip_prefix("usemtl");
                name.unwrap_or_default()
                    .trim()
                    .clone_into(&mut self.material);
                self.index = None;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn face<'a>(
        &mut self,
        line: usize,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<(), String> {
        let corners = words
            .map(|word| self.corner(line, word))
            .collect::<Result<Option<Vec<u32>>, String>>()?;
        let Some(corners) = corners else {
            return Ok(());
        };
        if corners.len() < 3 {
            return Err(format!(
                "a face of {} vertices: must have at least 3",
                corners.len()
            ));
        }
        let places = corners
            .iter()
            .map(|&n| self.mesh.triangles.vertices[n as usize]);
        let places: Vec<DVec3> = places.collect();
        if places.iter().any(|place| place.is_nan()) {
            // The vertex is the fault.
            return Ok(());
        }
        let triangles = triangulate(&places).ok_or_else(|| {
            let count = corners.len();
            format!("a face of {count} vertices whose edges cross: must be a polygon")
        })?;
        let named = triangles
            .iter()
            .map(|triangle| triangle.map(|n| corners[n]));
        self.mesh.triangles.corners.extend(named);
        let material = self.material_index();
        let count = self.mesh.triangles.corners.len();
        self.mesh.material_of.resize(count, material);
        Ok(())
    }

    /// The index of the present material, which now has a face.
    fn material_index(&mut self) -> u32 {
        let names = &mut self.mesh.materials;
        *self.index.get_or_insert_with(|| {
            let known = names.iter().position(|name| *name == self.material);
            let index = known.unwrap_or_else(|| {
                names.push(self.material.clone());
                names.len() - 1
            });
            index as u32
        })
    }

    /// The index of the vertex, from 0, that a word of a face names; `None`, with a note, if it has not been read.
    fn corner(&mut self, line: usize, word: &str) -> Result<Option<u32>, String> {
        let text = word.split('/').next().unwrap_or_default();
        let number: i64 = text
            .parse()
            .map_err(|_| format!("`{word}` names no vertex"))?;
        let count = self.mesh.triangles.vertices.len();
        let index = match number {
            1.. => usize::try_from(number - 1).ok(),
            ..=-1 => usize::try_from(number.unsigned_abs())
                .ok()
                .and_then(|back| count.checked_sub(back)),
            0 => None,
        };
        let known = index
            .filter(|&index| index < count)
            .and_then(|index| u32::try_from(index).ok());
        if known.is_none() {
            let last = self.later.last();
            if last.is_none_or(|last| last.line != line) {
                self.later.push(LaterVertex {
                    line,
                    number,
                    count,
                });
            }
        }
        Ok(known)
    }

    /// Turns faces with unknown vertices into faults: those before vertices that the file has into one together.
    fn judge_later_vertices(&mut self) {
        let all = self.mesh.triangles.vertices.len() as i64;
        let early = |later: &&LaterVertex| (1..=all).contains(&later.number);
        let mut before = self.later.iter().filter(early);
        if let Some(first) = before.next() {
            let others = before.count();
            let faces = match others {
                0 => "a face that comes".to_owned(),
                _ => format!("{} faces that come", others + 1),
            };
            self.faults.push(LineFault {
                line: first.line,
                what: format!(
                    "{faces} before a vertex of theirs, here vertex {} of {} so far: `v` lines must come first",
                    first.number, first.count
                ),
            });
        }
        let missing = self.later.iter().filter(|later| !early(later));
        self.faults.extend(missing.map(LaterVertex::fault));
    }
}

fn vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<DVec3, String> {
    // A weight and a color may follow; both are ignored.
    let mut given = 0;
    let mut numbers = [""; 3];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word;
        given += 1;
    }
    if given < 3 {
        return Err(format!("a vertex of {given} numbers: must be 3"));
    }
    let [x, y, z] = numbers;
    let number = |word: &str| match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{word}` is not a finite number")),
    };
    Ok(DVec3::new(number(x)?, number(y)?, number(z)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Ground, Ray};
    use glam::Vec3;
    use rstest::rstest;

    const SQUARE: &str = "# unit square\no square\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\n";

    fn down(x: f64, y: f64) -> Ray {
        Ray {
            origin: DVec3::new(x, y, 2.0),
            direction: DVec3::NEG_Z,
            length: 3.0,
        }
    }

    #[rstest]
    #[case::plain("f 1 2 3 4")]
    #[case::texture("vt 0 0\nf 1/1 2/1 3/1 4/1 # a comment")]
    #[case::normals("f 1//1 2//1 3//1 4//1")]
    #[case::both("f 1/2/3 2/2/3 3/2/3 4/2/3")]
    #[case::negative("f -4 -3 -2 -1")]
    #[case::continued("f 1 2 \\\n 3 4")]
    #[case::triangles("f 1 2 3\nf 1 3 4")]
    fn faces(#[case] face: &str) {
        let mesh = TriangleMesh::from_obj("square.obj", &format!("{SQUARE}{face}\n")).unwrap();
        assert_eq!(mesh.triangle_count(), 2);
        for (x, y) in [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5), (0.3, 0.7), (1.0, 0.5)] {
            let hit = mesh.cast(&down(x, y)).unwrap();
            assert_eq!((hit.distance, hit.normal), (2.0, Vec3::Z));
        }
        assert_eq!(mesh.cast(&down(1.1, 0.5)), None);
    }

    #[rstest]
    #[case::too_high("f 1 2 5", "m.obj:7: vertex 5 of 4 so far: out of range")]
    #[case::zero("f 0 1 2", "m.obj:7: vertex 0 of 4 so far: out of range")]
    #[case::too_far_back("f 1 2 -5", "m.obj:7: vertex -5 of 4 so far: out of range")]
    #[case::word("f 1 2 x/1", "m.obj:7: `x/1` names no vertex")]
    #[case::two("f 1 2", "m.obj:7: a face of 2 vertices: must have at least 3")]
    #[case::crossed(
        "f 1 3 2 4",
        "m.obj:7: a face of 4 vertices whose edges cross: must be a polygon"
    )]
    #[case::none("l 1 2", "m.obj: no faces: must have at least one `f` line")]
    #[case::all(
        "v 1 nan 0\nv 1 2\nf 9 1 2\nf 1 2 5 6",
        "m.obj:7: `nan` is not a finite number\n\
         m.obj:8: a vertex of 2 numbers: must be 3\n\
         m.obj:9: vertex 9 of 6 so far: out of range"
    )]
    fn faults_name_file_and_line(#[case] lines: &str, #[case] message: &str) {
        let error = TriangleMesh::from_obj("m.obj", &format!("{SQUARE}{lines}\n")).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn triangles_have_the_material_of_their_face() {
        let faces = "f 1 2 3\nusemtl Wet  road#2 # rain\nf 1 2 3 4\nusemtl ice\nusemtl Wet  road#2\nf 1 3 4\n";
        let mesh = ObjMesh::parse("m.obj", &format!("{SQUARE}{faces}")).unwrap();
        assert_eq!(mesh.materials, ["", "Wet  road#2"]);
        assert_eq!(mesh.material_of, [0, 1, 1, 1]);
        assert_eq!(mesh.triangles.corners.len(), 4);
    }

    #[test]
    fn faces_before_their_vertices_are_one_fault() {
        let text = format!("{}{SQUARE}f 1 2 9\n", "f 1 2 3\n".repeat(9801));
        let error = ObjMesh::parse("m.obj", &text).unwrap_err();
        assert_eq!(
            error.to_string(),
            "m.obj:1: 9801 faces that come before a vertex of theirs, here vertex 1 of 0 so far: `v` lines must come first\n\
             m.obj:9808: vertex 9 of 4 so far: out of range"
        );
        let error = ObjMesh::parse("m.obj", &format!("f 1 -1 2\n{SQUARE}")).unwrap_err();
        let told = error.to_string();
        assert!(
            told.starts_with("m.obj:1: a face that comes before"),
            "{told}"
        );
    }

    #[test]
    fn a_concave_face_covers_what_its_outline_does() {
        let text = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 3 4 5 6 1 2\n";
        let mesh = TriangleMesh::from_obj("l.obj", text).unwrap();
        let hits = |x, y| mesh.cast(&down(x, y)).map(|hit| hit.normal);
        for (x, y) in [(0.5, 0.5), (2.5, 0.5), (0.5, 2.5), (0.9, 1.1)] {
            assert_eq!(hits(x, y), Some(Vec3::Z), "{x}, {y}");
        }
        for (x, y) in [(1.1, 1.1), (2.0, 2.0), (2.5, 1.5), (1.5, 2.5)] {
            assert_eq!(hits(x, y), None, "{x}, {y}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_line() {
        let face = format!("\u{feff}{SQUARE}f 1 2 3\n");
        let plain = Triangles::from_obj("m.obj", &face[3..]).unwrap();
        assert_eq!(Triangles::from_obj("m.obj", &face).unwrap(), plain);
        let vertex = "\u{feff}v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
        assert_eq!(
            Triangles::from_obj("m.obj", vertex).unwrap().vertices.len(),
            3
        );
    }

    #[test]
    fn obj_files_round_trip_exactly() {
        let triangles = Triangles {
            vertices: vec![DVec3::new(0.1, -2e-9, 1e5 + 0.3), DVec3::X, DVec3::NEG_Y],
            corners: vec![[0, 1, 2], [2, 1, 0]],
        };
        let read = Triangles::from_obj("t.obj", &triangles.to_obj());
        assert_eq!(read.unwrap(), triangles);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = TriangleMesh::load_obj("none/such.obj").unwrap_err();
        assert!(error.to_string().starts_with("none/such.obj: "));
    }
}
