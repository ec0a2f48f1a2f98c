//! Tracks as CSV, in the format of TUM's racetrack database and the tools about it.
//!
//! ```text
//! # x_m,y_m,w_tr_right_m,w_tr_left_m
//! 0.000,0.000,6.000,6.000
//! 4.999,0.000,6.000,6.000
//! ```
//!
//! Lines that begin with `#` are comments. The last point leads to the first, unless a comment says `# open`: then the track
//! ends there. A closed track may repeat its first point as the last.

use core::fmt::Write as _;
use std::path::Path;

use glam::DVec2;
use jounce::core::Fault;
use jounce::file::FileError;
use jounce::scene::error::{InvalidText, LineFault};
use jounce::scene::read_text;
use jounce::scene::text::unmarked;

use super::{PointFault, Track, TrackPoint, value_faults};
use crate::error::ProvingError;

/// Columns of the table.
const COLUMNS: [&str; 4] = ["x_m", "y_m", "w_tr_right_m", "w_tr_left_m"];
/// Comment that makes a track an open one.
const OPEN: &str = "open";

/// Name and text of every built-in track.
pub const BUILT_IN: [(&str, &str); 3] = [
    ("oval", include_str!("../../tracks/oval.csv")),
    ("road-course", include_str!("../../tracks/road-course.csv")),
    ("kart", include_str!("../../tracks/kart.csv")),
];

impl Track {
    /// The built-in track of this name, or the file at this path.
    ///
    /// # Errors
    /// If there is neither, with the nearest name; if the file cannot be read, or as [`Track::parse`].
    pub fn load(name: &str) -> Result<Self, ProvingError> {
        if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Ok(Self::parse(text, name)?);
        }
        let path = Path::new(name);
        if !path.exists() {
            return Err(ProvingError::Vehicle(FileError::Unknown {
                name: name.to_owned(),
                known: BUILT_IN.map(|(known, _)| known).to_vec(),
            }));
        }
        let text = read_text(path).map_err(|source| ProvingError::File {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self::parse(&text, name)?)
    }

    /// Reads the text of a track; errors and the track's name call it `file`.
    ///
    /// # Errors
    /// With every fault and its line: one that has not four numbers, and those of [`Track::new`].
    pub fn parse(text: &str, file: &str) -> Result<Self, InvalidText> {
        let (mut points, mut lines, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        let mut closed = true;
        for (line, row) in (1..).zip(unmarked(text).lines()) {
            let row = row.trim();
            if let Some(comment) = row.strip_prefix('#') {
                closed &= comment.trim() != OPEN;
            } else if !row.is_empty() {
                match point(row) {
                    Ok(point) => {
                        points.push(point);
                        lines.push(line);
                    }
                    Err(what) => faults.push(LineFault { line, what }),
                }
            }
        }
        let repeats = |points: &[TrackPoint]| match points {
            [first, .., last] => points.len() > 3 && first.position == last.position,
            _ => false,
        };
        if closed && repeats(&points) {
            points.pop();
        }
        let placed = |found: PointFault| LineFault {
            line: lines.get(found.point).copied().unwrap_or(0),
            what: found.fault.to_string(),
        };
        let name = Path::new(file).file_stem().unwrap_or_default();
        let track = if faults.is_empty() {
            Self::checked(&name.to_string_lossy(), &points, closed)
        } else {
            // Points that are lacking are not counted, nor is a line laid through the others.
            Err(value_faults(&points, closed))
        };
        track.map_err(|found| {
            faults.extend(found.into_iter().map(placed));
            faults.sort_by_key(|fault| fault.line);
            InvalidText {
                file: file.to_owned(),
                faults,
            }
        })
    }

    /// The resampled track as CSV, in millimeters.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if !self.is_closed() {
            let _ = writeln!(text, "# {OPEN}");
        }
        let _ = writeln!(text, "# {}", COLUMNS.join(","));
        for (point, [right, left]) in self.center().points().iter().zip(self.widths()) {
            let _ = writeln!(text, "{:.3},{:.3},{right:.3},{left:.3}", point.x, point.y);
        }
        text
    }
}

/// The point of a row, or the fault of the row.
fn point(row: &str) -> Result<TrackPoint, String> {
    let cells: Vec<&str> = row.split(',').map(str::trim).collect();
    let columns = COLUMNS.join(",");
    let [x, y, right, left] = cells[..] else {
        return Err(format!("{row:?}: must be four numbers, {columns}"));
    };
    let mut wrong = Vec::new();
    let mut number = |cell: &str, column: usize| {
        let number = cell.parse::<f64>();
        if number.is_err() {
            let fault = Fault::new(COLUMNS[column], format!("{cell:?}"), "", "must be a number");
            wrong.push(fault.to_string());
        }
        number.unwrap_or(f64::NAN)
    };
    let point = TrackPoint {
        position: DVec2::new(number(x, 0), number(y, 1)),
        right: number(right, 2),
        left: number(left, 3),
    };
    if wrong.is_empty() {
        Ok(point)
    } else {
        Err(wrong.join("; "))
    }
}
