//! Conversion of a tire file: to other units, or for the other side of the vehicle.

use super::document::{TirDocument, same};
use super::error::TirError;
use super::reader::{MagicFormulaFile, Side};
use super::writer::place_of;
use crate::magic_formula::{Variant, mirror};

impl MagicFormulaFile {
    /// This tire in other units: pairs of a quantity of `[UNITS]` and the name of a unit. That section and all values
    /// with a dimension change; coefficients of the formulas are SI in every file. Comments, unknown keys and tables
    /// stay unchanged; check those with a dimension ([`MagicFormulaFile::left_in_old_units`]) separately.
    ///
    /// ```
    /// use tire_models::tir::{MagicFormulaFile, Reading};
    ///
    /// let text = b"[UNITS]\nLENGTH = 'm'\n[MODEL]\nFITTYP = 61\n[DIMENSION]\nWIDTH = 0.205 $ W\n";
    /// let file = MagicFormulaFile::from_bytes(text, Reading::Tolerant)?;
    /// let millimeters = file.in_units(&[("LENGTH", "mm")])?;
    /// assert!(millimeters.document.text().ends_with("WIDTH = 205 $ W\n"));
    /// assert_eq!(millimeters.coefficients, file.coefficients);
    /// # Ok::<(), tire_models::tir::TirError>(())
    /// ```
    ///
    /// # Errors
    /// If a unit is not known, or a value overflows in it.
    pub fn in_units(&self, units: &[(&str, &str)]) -> Result<Self, TirError> {
        let mut converted = self.clone();
        for (quantity, unit) in units {
            converted.units.set(None, quantity, unit)?;
            converted.document.set_text("UNITS", quantity, unit)?;
        }
        for (key, _) in self.coefficients.iter() {
            let [old, new] = [self.units, converted.units].map(|units| units.factor(key.dimension));
            if old.to_bits() != new.to_bits() && !self.defaulted.contains(&key.name) {
                let (section, name) = place_of(&self.document, key);
                let value = self.document.number(&section, &name)? * (old / new);
                converted.document.set_number(&section, &name, value)?;
            }
        }
        Ok(converted)
    }

    /// Entries that [`MagicFormulaFile::in_units`] leaves unchanged though they may have a dimension: numeric keys that are not
    /// coefficients, and sections with tables, except the relative `SHAPE`.
    #[must_use]
    pub fn left_in_old_units(&self) -> Vec<String> {
        let mut left: Vec<String> = unknown_numbers(&self.document);
        for section in self.document.sections_with_rows() {
            if !same(section, "SHAPE") {
                left.push(format!("[{section}]"));
            }
        }
        left
    }

    /// The tire of the other side: mirrored coefficients, as MF-Tyre reads them, and the other `TYRESIDE`.
    ///
    /// # Errors
    /// If a coefficient is not finite.
    pub fn mirrored(&self) -> Result<Self, TirError> {
        let mut other = self.clone();
        other.store(&mirror::coefficients(
            &self.coefficients,
            self.version,
            Variant::MfTyre,
        ))?;
        let (side, name) = match self.side {
            Some(Side::Left) => (Side::Right, "RIGHT"),
            Some(Side::Right) => (Side::Left, "LEFT"),
            Some(Side::Symmetric) | None => return Ok(other),
        };
        let told = self.document.entries();
        let told = told.filter(|(_, key, _)| same(key, "TYRESIDE"));
        let section = told.last().map_or("MODEL", |(section, _, _)| section);
        other.document.set_text(section, "TYRESIDE", name)?;
        other.side = Some(side);
        Ok(other)
    }
}

/// Keys with a number outside `[UNITS]`, `[MODEL]` and the header that are not coefficients.
fn unknown_numbers(document: &TirDocument) -> Vec<String> {
    const OTHERS: [&str; 3] = ["UNITS", "MODEL", "MDI_HEADER"];
    let entries = document.entries().filter(|(section, key, value)| {
        let known = crate::magic_formula::coefficients::key(key).is_some();
        let of_law = section.to_ascii_uppercase().ends_with("_COEFFICIENTS");
        let number = super::number::parse(value).is_some_and(|x| x != 0.0);
        number && !known && !of_law && !OTHERS.iter().any(|other| same(section, other))
    });
    entries.map(|(_, key, _)| key.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Reading;
    use super::*;
    use crate::presets;
    use crate::tir::validate;
    use approx::assert_relative_eq;

    const FILE: &[u8] =
        b"[UNITS]\r\nFORCE = 'N' $ f\r\n[MODEL]\r\nFITTYP = 61\r\nTYRESIDE = 'Left'\r\n\
        [VERTICAL]\r\nFNOMIN = 4000 $ n\r\nMINE = 3\r\n{pen fz}\r\n0.01 2500\r\n\
        [LATERAL_COEFFICIENTS]\r\nPHY1 = 0.002 $ h\r\nPDY1 = 1 $ d\r\n";

    fn file() -> MagicFormulaFile {
        MagicFormulaFile::from_bytes(FILE, Reading::Tolerant).unwrap()
    }

    #[test]
    fn values_with_a_dimension_change_and_the_rest_is_unchanged() {
        let converted = file().in_units(&[("FORCE", "knewton")]).unwrap();
        let expected = String::from_utf8(FILE.to_vec()).unwrap();
        let expected = expected.replace("'N'", "'knewton'").replace("4000", "4");
        assert_eq!(converted.document.text(), expected);
        assert_eq!(converted.left_in_old_units(), ["MINE", "[VERTICAL]"]);
        let error = file().in_units(&[("FORCE", "stone")]).unwrap_err();
        assert!(error.to_string().contains("\"stone\""), "{error}");
    }

    #[test]
    fn every_shipped_tire_is_the_same_in_imperial_units_and_mirrored_twice() {
        let imperial = [
            ("LENGTH", "inch"),
            ("FORCE", "pound_force"),
            ("ANGLE", "degrees"),
            ("MASS", "slinch"),
        ];
        for (_, text) in presets::FILES {
            let file = MagicFormulaFile::from_bytes(text.as_bytes(), Reading::Strict).unwrap();
            let converted = file.in_units(&imperial).unwrap();
            let read = MagicFormulaFile::from_document(converted.document, Reading::Tolerant);
            let read = read.unwrap();
            for ((_, a), (_, b)) in file.coefficients.iter().zip(read.coefficients.iter()) {
                assert_relative_eq!(a, b, max_relative = 1e-14);
            }
            let other = file.mirrored().unwrap();
            assert_ne!(other.coefficients, file.coefficients);
            assert_eq!(other.side, Some(Side::Right));
            let count = |file: &MagicFormulaFile| validate(file.version, &file.coefficients).len();
            assert_eq!(count(&other), count(&file));
            assert_eq!(other.mirrored().unwrap().coefficients, file.coefficients);
        }
    }

    #[test]
    fn mirroring_changes_odd_keys() {
        let expected = String::from_utf8(FILE.to_vec()).unwrap();
        let expected = expected
            .replace("'Left'", "'RIGHT'")
            .replace("0.002", "-0.002");
        let mirrored = file().mirrored().unwrap();
        assert_eq!(mirrored.document.text(), expected);
        assert_eq!(mirrored.document.get("MODEL", "TYRESIDE"), Some("RIGHT"));
    }
}
