//! Heights as surveys have them, with gaps; Esri's ASCII grids.
//!
//! ```text
//! ncols 3
//! nrows 2
//! xllcorner 412000
//! yllcorner 5312000
//! cellsize 5
//! NODATA_value -9999
//! 1 2 3
//! 4 -9999 6
//! ```
//!
//! The first row is the northernmost (Esri, "ASCII raster format"). Instead of the corner of the lowest
//! cell, `xllcenter` and `yllcenter` may give its center. Cells are points of the ground, at the centers of theirs.

use std::path::Path;

use glam::{DVec2, DVec3};

use crate::axes::Axes;
use crate::error::{GroundError, InvalidText, LineFault, check, read};
use crate::heightfield::HeightField;
use crate::text::unmarked;
use crate::triangles::Triangles;

/// Heights over a square grid, x to the east and y to the north, of which some may be unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightGrid {
    /// Number of heights along x and y, ≥ 2 each.
    pub size: [usize; 2],
    /// Spacing of the heights (`m`), > 0.
    pub cell: f64,
    /// Position of the first height in the file's coordinates (`m`).
    pub corner: DVec2,
    /// Heights (`m`), from the southwest, with the y index running fastest; `NaN` where they are unknown.
    pub heights: Vec<f32>,
}

impl HeightGrid {
    /// The heights of the text of an Esri ASCII grid called `name`.
    ///
    /// # Errors
    /// With every fault and its line.
    pub fn parse_esri(name: &str, text: &str) -> Result<Self, GroundError> {
        let mut file = EsriFile::default();
        let mut faults = Vec::new();
        for (index, line) in unmarked(text).lines().enumerate() {
            let found = file.line(line.trim());
            faults.extend(found.err().map(|what| LineFault {
                line: index + 1,
                what,
            }));
        }
        let grid = file.grid();
        match grid {
            Ok(grid) if faults.is_empty() => Ok(grid),
            other => {
                // A missing row often follows from a faulty one.
                if faults.is_empty()
                    && let Err(what) = other
                {
                    faults.push(LineFault { line: 0, what });
                }
                let file = name.to_owned();
                Err(InvalidText { file, faults }.into())
            }
        }
    }

    /// The heights of the Esri ASCII grid at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, or as [`parse_esri`](Self::parse_esri).
    pub fn load_esri(path: impl AsRef<Path>) -> Result<Self, GroundError> {
        let path = path.as_ref();
        Self::parse_esri(&path.display().to_string(), &read(path)?)
    }

    /// Number of unknown heights.
    #[must_use]
    pub fn unknown(&self) -> usize {
        self.heights.iter().filter(|height| height.is_nan()).count()
    }

    /// The heightfield with the first height at `origin` (`m`, world), z up.
    ///
    /// # Errors
    /// If a height is unknown, or as [`HeightField::new`].
    pub fn field(&self, origin: DVec3) -> Result<HeightField, GroundError> {
        let unknown = self.unknown();
        check("heightgrid", |i| {
            i.rule(unknown == 0, "unknown", unknown, "", "must be 0");
        })?;
        let heights = self.heights.clone();
        HeightField::from_heights(Axes::Z_UP, origin, self.cell, self.size, heights)
    }

    /// The triangles between known heights with the first height at `origin` (`m`, world), z up.
    #[must_use]
    pub fn triangles(&self, origin: DVec3) -> Triangles {
        let [rows, columns] = self.size;
        let vertex = |n: usize| {
            let [i, j] = [n / columns, n % columns].map(|n| n as f64 * self.cell);
            // Gaps have vertices, too, which no triangle uses.
            let height = self.heights[n];
            let height = if height.is_nan() { 0.0 } else { height };
            origin + DVec3::new(i, j, f64::from(height))
        };
        let mut triangles = Triangles {
            vertices: (0..rows * columns).map(vertex).collect(),
            corners: Vec::new(),
        };
        for i in 0..rows.saturating_sub(1) {
            for j in 0..columns.saturating_sub(1) {
                let [near, ahead] = [i, i + 1].map(|i| i * columns + j);
                let halves = [[near, ahead, ahead + 1], [near, ahead + 1, near + 1]];
                let known =
                    |corners: &[usize; 3]| corners.iter().all(|&n| !self.heights[n].is_nan());
                let whole = halves.into_iter().filter(known);
                let corners = whole.map(|corners| corners.map(|n| n as u32));
                triangles.corners.extend(corners);
            }
        }
        triangles
    }
}

/// Keys of a header, in lower case.
const KEYS: [&str; 10] = [
    "ncols",
    "nrows",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "yllcenter",
    "cellsize",
    "nodata_value",
    "dx",
    "dy",
];

#[derive(Default)]
struct EsriFile {
    /// Values of the header, in the order of [`KEYS`].
    header: [Option<f64>; KEYS.len()],
    /// Heights row by row, from the north; `NaN` where they are unknown.
    heights: Vec<f32>,
}

impl EsriFile {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(());
        };
        let lower = first.to_ascii_lowercase();
        if let Some(key) = KEYS.iter().position(|&key| key == lower) {
            let word = words.next().unwrap_or_default();
            self.header[key] = Some(number(word)?);
            return Ok(());
        }
        if first.starts_with(char::is_alphabetic) && number(first).is_err() {
            return Err(format!(
                "`{first}`: must be one of {}, or a height",
                KEYS.join(", ")
            ));
        }
        let unknown = self.header[7].unwrap_or(-9999.0);
        for word in line.split_whitespace() {
            let height = if word.eq_ignore_ascii_case("nan") {
                unknown
            } else {
                number(word)?
            };
            // Written with as many digits as the key.
            let known = (height - unknown).abs() > 1e-6 * unknown.abs();
            self.heights
                .push(if known { height as f32 } else { f32::NAN });
        }
        Ok(())
    }

    /// The grid of the whole file, or its first fault.
    fn grid(&self) -> Result<HeightGrid, String> {
        let [columns, rows] = [self.count(0)?, self.count(1)?];
        let cell = self.cell()?;
        let corner = |corner: usize, center: usize| match (self.header[corner], self.header[center])
        {
            (Some(low), _) => low + 0.5 * cell,
            (None, Some(middle)) => middle,
            (None, None) => 0.0,
        };
        let (found, due) = (self.heights.len(), columns.saturating_mul(rows));
        if found != due {
            return Err(format!("{found} heights: must be ncols · nrows = {due}"));
        }
        let from_south = |i: usize| {
            let column = move |j: usize| self.heights[(rows - 1 - j) * columns + i];
            (0..rows).map(column)
        };
        Ok(HeightGrid {
            size: [columns, rows],
            cell,
            corner: DVec2::new(corner(2, 4), corner(3, 5)),
            heights: (0..columns).flat_map(from_south).collect(),
        })
    }

    /// A number of rows or columns.
    fn count(&self, key: usize) -> Result<usize, String> {
        let (name, value) = (KEYS[key], self.header[key]);
        let value = value.ok_or_else(|| format!("{name}: missing"))?;
        let holds = value.fract() == 0.0 && (2.0..=65536.0).contains(&value);
        let rule = "must be a whole number within 2..=65536";
        holds
            .then_some(value as usize)
            .ok_or_else(|| format!("{name} = {value}: {rule}"))
    }

    /// Spacing (`m`).
    fn cell(&self) -> Result<f64, String> {
        let [size, dx, dy] = [6, 8, 9].map(|key| self.header[key]);
        let cell = match (size, dx, dy) {
            (Some(size), ..) => size,
            (None, Some(dx), Some(dy)) if dx == dy => dx,
            (None, Some(dx), Some(dy)) => {
                return Err(format!("dx = {dx} m, dy = {dy} m: must be equal"));
            }
            _ => return Err("cellsize: missing".to_owned()),
        };
        if cell > 0.0 {
            Ok(cell)
        } else {
            Err(format!("cellsize = {cell} m: must be > 0"))
        }
    }
}

fn number(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{word}` is not a finite number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Ground, Ray};
    use crate::mesh::TriangleMesh;
    use rstest::rstest;

    const GRID: &str = "NCOLS 3\nNROWS 2\nXLLCORNER 100\nYLLCENTER 200\nCELLSIZE 2\nNODATA_value -9999\n\
                        1 2 3\n4 5 6\n";

    fn parsed(text: &str) -> Result<HeightGrid, String> {
        HeightGrid::parse_esri("g.asc", text).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_begin_in_the_north() {
        let grid = parsed(GRID).unwrap();
        assert_eq!(grid.size, [3, 2]);
        assert_eq!(grid.corner, DVec2::new(101.0, 200.0));
        assert_eq!(grid.heights, [4.0, 1.0, 5.0, 2.0, 6.0, 3.0]);
        let field = grid.field(DVec3::ZERO).unwrap();
        let height = |x, y| field.surface(DVec3::new(x, y, 0.0)).map(|at| at.z);
        assert_eq!(height(0.0, 0.0), Some(4.0));
        assert_eq!(height(4.0, 2.0), Some(3.0));
        assert_eq!(height(4.1, 2.0), None);
    }

    #[test]
    fn rows_may_be_broken_anywhere() {
        let text = GRID.replace("1 2 3\n4 5 6\n", "1 2\n3 4 5 6\n");
        assert_eq!(parsed(&text), parsed(GRID));
    }

    #[test]
    fn the_ground_has_holes_where_heights_are_unknown() {
        let grid = parsed(&GRID.replace("2 3\n", "-9999.0 3\n")).unwrap();
        assert_eq!(grid.unknown(), 1);
        assert!(grid.field(DVec3::ZERO).is_err());
        let triangles = grid.triangles(DVec3::ZERO);
        // Only the half of a cell that is away from the gap keeps its corners.
        assert_eq!(triangles.corners.len(), 1);
        let mesh = TriangleMesh::of(&triangles).unwrap();
        let hit = |x, y| {
            let ray = Ray {
                origin: DVec3::new(x, y, 9.0),
                direction: DVec3::NEG_Z,
                length: 9.0,
            };
            mesh.cast(&ray).is_some()
        };
        assert!(hit(3.5, 0.5) && !hit(2.5, 1.5) && !hit(0.5, 0.2));
    }

    #[test]
    fn without_gaps_triangles_are_those_of_the_field() {
        let grid = parsed(GRID).unwrap();
        let low = DVec3::new(5.0, 6.0, 7.0);
        assert_eq!(grid.triangles(low), grid.field(low).unwrap().triangles());
    }

    #[rstest]
    #[case::no_columns("NCOLS 3\n", "", "g.asc: ncols: missing")]
    #[case::one_row(
        "NROWS 2",
        "NROWS 1",
        "g.asc: nrows = 1: must be a whole number within 2..=65536"
    )]
    #[case::no_cell("CELLSIZE 2\n", "", "g.asc: cellsize: missing")]
    #[case::flat_cell("CELLSIZE 2", "CELLSIZE -2", "g.asc: cellsize = -2 m: must be > 0")]
    #[case::oblong("CELLSIZE 2", "dx 2\ndy 3", "g.asc: dx = 2 m, dy = 3 m: must be equal")]
    #[case::short("4 5 6", "4 5", "g.asc: 5 heights: must be ncols · nrows = 6")]
    #[case::word("4 5 6", "4 x 6", "g.asc:8: `x` is not a finite number")]
    #[case::key(
        "NODATA_value",
        "NODATUM",
        "g.asc:6: `NODATUM`: must be one of ncols, "
    )]
    fn faults_are_named(#[case] from: &str, #[case] to: &str, #[case] message: &str) {
        let error = parsed(&GRID.replace(from, to)).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}
