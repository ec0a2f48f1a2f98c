//! Heightfields in text files.
//!
//! ```text
//! # Comments start with a number sign.
//! cell 0.5 origin 10 20 0
//! 0.0, 0.1, 0.2
//! 0.1  0.2  0.3
//! ```
//!
//! The header gives the spacing (`m`) and the position of the first height's zero level (`m`,
//! world). Each further line is one row of heights (`m`), separated by commas or blanks: rows along
//! the field's x (forward), heights within a row along its y (left).

use std::path::Path;

use glam::DVec3;

use crate::axes::Axes;
use crate::error::{GroundError, InvalidText, LineFault, read};
use crate::heightfield::HeightField;
use crate::text::unmarked;

impl HeightField {
    /// A field from the text of a file called `name`; `axes` gives the world axes of its x and z.
    ///
    /// # Errors
    /// With every invalid line, or with the faults of [`new`](Self::new).
    pub fn from_text(name: &str, text: &str, axes: Axes) -> Result<Self, GroundError> {
        let mut faults = Vec::new();
        let mut header = None;
        let mut rows: Vec<Vec<f32>> = Vec::new();
        for (index, line) in unmarked(text).lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let parsed = match (line.is_empty(), header) {
                (true, _) => Ok(()),
                (false, None) => parse_header(line).map(|found| header = Some(found)),
                (false, Some(_)) => {
                    parse_row(line, rows.first().map(Vec::len)).map(|row| rows.push(row))
                }
            };
            if let Err(what) = parsed {
                faults.push(LineFault {
                    line: index + 1,
                    what,
                });
                // Without a header no other line can be checked.
                if header.is_none() {
                    break;
                }
            }
        }
        if header.is_none() && faults.is_empty() {
            faults.push(LineFault {
                line: 0,
                what: format!("empty: {HEADER}"),
            });
        }
        match header {
            Some((cell, origin)) if faults.is_empty() => Self::new(axes, origin, cell, &rows),
            _ => Err(InvalidText {
                file: name.to_owned(),
                faults,
            }
            .into()),
        }
    }

    /// A field from the file at `path`, as [`from_text`](Self::from_text).
    ///
    /// # Errors
    /// If the file cannot be read, or as `from_text`.
    pub fn load(path: impl AsRef<Path>, axes: Axes) -> Result<Self, GroundError> {
        let path = path.as_ref();
        Self::from_text(&path.display().to_string(), &read(path)?, axes)
    }
}

const HEADER: &str = "the first line must be `cell SIZE origin X Y Z`";

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
}

fn number(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{word}` is not a finite number")),
    }
}

fn parse_header(line: &str) -> Result<(f64, DVec3), String> {
    let words: Vec<&str> = words(line).collect();
    let ["cell", cell, "origin", x, y, z] = words[..] else {
        return Err(HEADER.to_owned());
    };
    let cell = number(cell)?;
    let origin = DVec3::new(number(x)?, number(y)?, number(z)?);
    if cell > 0.0 {
        Ok((cell, origin))
    } else {
        Err(format!("cell = {cell} m: must be > 0"))
    }
}

fn parse_row(line: &str, columns: Option<usize>) -> Result<Vec<f32>, String> {
    let row = words(line)
        .map(|word| number(word).map(|value| value as f32))
        .collect::<Result<Vec<f32>, String>>()?;
    match columns {
        Some(columns) if columns != row.len() => Err(format!(
            "{} heights: must be {columns} as in the first row",
            row.len()
        )),
        _ => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn a_field_is_read() {
        let text = "# a hill\ncell 0.5 origin 10 20 -1\n0 1, 2\n\n3,4,5 # second row\n";
        let field = HeightField::from_text("hill.txt", text, Axes::Z_UP).unwrap();
        let rows = [vec![0.0, 1.0, 2.0], vec![3.0, 4.0, 5.0]];
        let same = HeightField::new(Axes::Z_UP, DVec3::new(10.0, 20.0, -1.0), 0.5, &rows);
        assert_eq!(field, same.unwrap());
    }

    #[rstest]
    #[case::empty("", "f: empty: the first line must be `cell SIZE origin X Y Z`")]
    #[case::no_header("1 2 3", "f:1: the first line must be `cell SIZE origin X Y Z`")]
    #[case::no_cell("cell 0 origin 0 0 0", "f:1: cell = 0 m: must be > 0")]
    #[case::all_lines(
        "cell 1 origin 0 0 0\n1 2\n1 x\n1 2 3\ninf 1",
        "f:3: `x` is not a finite number\n\
         f:4: 3 heights: must be 2 as in the first row\n\
         f:5: `inf` is not a finite number"
    )]
    #[case::one_row(
        "cell 1 origin 0 0 0\n1 2",
        "1 invalid parameter(s):\nheightfield.rows = 1: must be at least 2"
    )]
    #[case::no_row(
        "cell 1 origin 0 0 0",
        "2 invalid parameter(s):\n\
         heightfield.rows = 0: must be at least 2\n\
         heightfield.columns = 0: must be at least 2"
    )]
    fn faults_are_reported(#[case] text: &str, #[case] message: &str) {
        let error = HeightField::from_text("f", text, Axes::Z_UP).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = HeightField::load("none/such.txt", Axes::Z_UP).unwrap_err();
        assert!(error.to_string().starts_with("none/such.txt: "));
    }
}
