//! Files of the laws before the Magic Formulas of 1996: `PAC89`, `PAC94` and `FIALA`.

use super::document::{TirDocument, same};
use super::error::{TirError, TirFault};
use super::format::Format;
use super::line::Content;
use super::number;
use super::remark::excerpt;
use super::units::Units;
use std::path::Path;

use toml::Table;

use crate::magic_formula::Dimension;
use crate::registry::{Unresolved, table_of};
use crate::{FialaParams, Pacejka89Params, Pacejka94Params};

impl TirDocument {
    /// The numeric value of a key in a section, in the file's units; the last one if there are
    /// several.
    ///
    /// # Errors
    /// If it is missing or not a number.
    pub fn number(&self, section: &str, key: &str) -> Result<f64, TirError> {
        let given = self.statements().filter_map(|s| match s.content {
            Content::Entry(e) if same(s.section, section) && same(e.key, key) => {
                (!e.value.is_empty()).then_some((s.line.number, e.value))
            }
            _ => None,
        });
        let Some((line, text)) = given.last() else {
            return Err(TirError::at(None, key, TirFault::Missing));
        };
        number::parse(text).ok_or_else(|| {
            let fault = TirFault::NotANumber(excerpt(text));
            TirError::at(line, key, fault)
        })
    }

    /// The units of `[UNITS]`, SI by default.
    ///
    /// # Errors
    /// If one of them is unknown.
    pub fn units(&self) -> Result<Units, TirError> {
        let mut units = Units::SI;
        for statement in self.statements() {
            match statement.content {
                Content::Entry(entry) if same(statement.section, "UNITS") => {
                    units.set(statement.line.number, entry.key, entry.value)?;
                }
                _ => {}
            }
        }
        Ok(units)
    }

    /// Coefficients named by a letter and a number, from 0.
    fn numbered<const N: usize>(&self, section: &str, letter: char) -> Result<[f64; N], TirError> {
        let mut numbers = [0.0; N];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = self.number(section, &format!("{letter}{i}"))?;
        }
        Ok(numbers)
    }

    fn must_be(&self, wanted: Format) -> Result<(), TirError> {
        let found = Format::of(self)?;
        if found == wanted {
            return Ok(());
        }
        let fault = TirFault::OtherFormat {
            found: found.name(),
            wanted: wanted.name(),
        };
        Err(TirError::at(None, "PROPERTY_FILE_FORMAT", fault))
    }
}

/// A tire's table with the parameters of the `.tir` file that its key `file` names, relative to
/// `folder`; its own keys override them.
pub(crate) fn inlined<P: serde::Serialize>(
    mut table: Table,
    folder: Option<&Path>,
    read: impl Fn(&TirDocument) -> Result<P, TirError>,
) -> Result<Table, Unresolved> {
    const FILE: &str = "file";
    let Some(value) = table.remove(FILE) else {
        return Ok(table);
    };
    let opened = || {
        let path = value.as_str().ok_or("must be a text")?;
        let folder = folder.ok_or("a text that is no file has no folder to look for it")?;
        let path = folder.join(path);
        let params = TirDocument::open(&path).and_then(|document| read(&document));
        params.map_err(|error| error.in_file(path.display()).to_string())
    };
    let params = opened().map_err(|reason: String| Unresolved {
        key: FILE.to_owned(),
        value: value.to_string(),
        reason,
    })?;
    let mut inlined = table_of(&params).expect("parameters are a table");
    inlined.extend(table);
    Ok(inlined)
}

const LONGITUDINAL: &str = "LONGITUDINAL_COEFFICIENTS";
const LATERAL: &str = "LATERAL_COEFFICIENTS";
const ALIGNING: &str = "ALIGNING_COEFFICIENTS";

/// Load (`N`) up to which both peaks `(p1·N + p2)·N`, with N in kN, grow; at most a meganewton.
fn greatest_load(x: &[f64], y: &[f64]) -> f64 {
    let of_peak = |p: &[f64]| {
        let most = if p[1] < 0.0 {
            -500.0 * p[2] / p[1]
        } else {
            1e6
        };
        most.min(1e6)
    };
    of_peak(x).min(of_peak(y))
}

impl Pacejka89Params<f64> {
    /// The coefficients of a `PAC89` file, in kN, degrees and per cent whatever its units are. The
    /// curves follow the load while the peaks grow.
    ///
    /// # Errors
    /// If it is for another law, or a coefficient is missing or not a number.
    pub fn from_document(document: &TirDocument) -> Result<Self, TirError> {
        document.must_be(Format::Pac89)?;
        let longitudinal: [f64; 11] = document.numbered(LONGITUDINAL, 'B')?;
        let lateral: [f64; 14] = document.numbered(LATERAL, 'A')?;
        Ok(Self {
            greatest_load: greatest_load(&longitudinal, &lateral),
            longitudinal,
            lateral,
            aligning: document.numbered(ALIGNING, 'C')?,
        })
    }
}

impl Pacejka94Params<f64> {
    /// The coefficients of a `PAC94` file, as [`Pacejka89Params::from_document`].
    ///
    /// # Errors
    /// If it is for another law, or a coefficient is missing or not a number.
    pub fn from_document(document: &TirDocument) -> Result<Self, TirError> {
        document.must_be(Format::Pac94)?;
        let longitudinal: [f64; 14] = document.numbered(LONGITUDINAL, 'B')?;
        let lateral: [f64; 18] = document.numbered(LATERAL, 'A')?;
        Ok(Self {
            greatest_load: greatest_load(&longitudinal, &lateral),
            longitudinal,
            lateral,
            aligning: document.numbered(ALIGNING, 'C')?,
        })
    }
}

impl FialaParams<f64> {
    /// The parameters of a `FIALA` file, in SI units. Its stiffnesses are force per slip and force per
    /// angle.
    ///
    /// # Errors
    /// If it is for another law, a parameter is missing or not a number, or a unit is unknown.
    pub fn from_document(document: &TirDocument) -> Result<Self, TirError> {
        document.must_be(Format::Fiala)?;
        let units = document.units()?;
        let number = |key| document.number("PARAMETER", key);
        let [force, angle, length] = [Dimension::Force, Dimension::Angle, Dimension::Length]
            .map(|dimension| units.factor(dimension));
        Ok(Self {
            slip_stiffness: number("CSLIP")? * force,
            cornering_stiffness: number("CALPHA")? * force / angle,
            sliding_friction: number("UMIN")?,
            static_friction: number("UMAX")?,
            width: document.number("DIMENSION", "WIDTH")? * length,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn document(format: &str, counts: [(char, &str, usize); 3]) -> TirDocument {
        let mut d = TirDocument::new();
        d.set_text("MODEL", "PROPERTY_FILE_FORMAT", format).unwrap();
        for (letter, section, count) in counts {
            for i in 0..count {
                let value =
                    (f64::from(letter as u32) + i as f64 / 100.0) * if i == 1 { -1.0 } else { 1.0 };
                d.set_number(section, &format!("{letter}{i}"), value)
                    .unwrap();
            }
        }
        d
    }

    #[test]
    fn coefficients_are_found_by_letter_and_number() {
        let d = document(
            "PAC89",
            [
                ('B', LONGITUDINAL, 11),
                ('A', LATERAL, 14),
                ('C', ALIGNING, 18),
            ],
        );
        let p = Pacejka89Params::from_document(&d).unwrap();
        assert_eq!(
            (p.longitudinal[10], p.lateral[13], p.aligning[17]),
            (66.10, 65.13, 67.17)
        );
        // Where the derivative of (−65.01·N + 65.02)·N is 0.
        assert_relative_eq!(p.greatest_load, 500.0 * 66.02 / 66.01, max_relative = 1e-3);
        let error = Pacejka94Params::from_document(&d).unwrap_err().to_string();
        assert_eq!(
            error,
            "PROPERTY_FILE_FORMAT: parameters of Pacejka '89, not of Pacejka '94"
        );
        let d = document(
            "PAC94",
            [
                ('B', LONGITUDINAL, 14),
                ('A', LATERAL, 18),
                ('C', ALIGNING, 20),
            ],
        );
        let error = Pacejka94Params::from_document(&d).unwrap_err().to_string();
        assert_eq!(error, "C20: missing");
    }

    #[test]
    fn fiala_is_read_in_its_units() {
        let text = b"[UNITS]\nLENGTH='mm'\nFORCE='kN'\nANGLE='deg'\n[MODEL]\n\
            PROPERTY_FILE_FORMAT='FIALA'\n[DIMENSION]\nWIDTH=235\n\
            [PARAMETER]\nCSLIP=80\nCALPHA=0.9\nUMIN=0.8\nUMAX=1.0d0 $ u\n";
        let p = FialaParams::from_document(&TirDocument::parse(text).unwrap()).unwrap();
        assert_relative_eq!(p.slip_stiffness, 80_000.0, max_relative = 1e-12);
        let per_radian = 900.0 * 180.0 / core::f64::consts::PI;
        assert_relative_eq!(p.cornering_stiffness, per_radian, max_relative = 1e-12);
        assert_relative_eq!(p.width, 0.235, max_relative = 1e-12);
        assert_eq!((p.sliding_friction, p.static_friction), (0.8, 1.0));
    }
}
