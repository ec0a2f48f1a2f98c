//! Writes coefficients into a document: the original one, or a new one.

use super::document::{TirDocument, same};
use super::error::TirError;
use super::reader::MagicFormulaFile;
use crate::magic_formula::coefficients::{self, Key};
use crate::magic_formula::{Coefficients, Version};

impl MagicFormulaFile {
    /// Stores other coefficients, given in SI units: those that differ are written into the
    /// document in its own units, in place or else in the section they belong to.
    ///
    /// # Errors
    /// If one of them is not finite; nothing changes then.
    pub fn store(&mut self, coefficients: &Coefficients) -> Result<(), TirError> {
        let mut document = self.document.clone();
        let pairs = coefficients.iter().zip(self.coefficients.iter());
        for ((key, new), (_, old)) in pairs {
            if new.to_bits() != old.to_bits() {
                let (section, name) = place_of(&document, key);
                let value = new / self.units.factor(key.dimension);
                document.set_number(&section, &name, value)?;
                self.defaulted.retain(|defaulted| *defaulted != key.name);
            }
        }
        self.document = document;
        self.coefficients = coefficients.clone();
        Ok(())
    }
}

/// Section and spelling of a key in the document, or the default ones.
pub(super) fn place_of(document: &TirDocument, key: &Key) -> (String, String) {
    let is_it = |name: &str| coefficients::key(name).is_some_and(|k| k.name == key.name);
    let standing = document
        .entries()
        .filter(|(section, name, _)| !same(section, "UNITS") && is_it(name))
        .last();
    let (section, name) = standing.map_or((key.section, key.name), |(s, n, _)| (s, n));
    (section.to_owned(), name.to_owned())
}

/// A new file in SI units with every coefficient of a version, section by section.
///
/// # Errors
/// If one of them is not finite.
pub fn document_of(version: Version, coefficients: &Coefficients) -> Result<TirDocument, TirError> {
    document_with(version, coefficients, |_| true)
}

/// A new file in SI units with some coefficients of a version, those `wanted`, section by section.
pub(crate) fn document_with(
    version: Version,
    coefficients: &Coefficients,
    wanted: impl Fn(&Key) -> bool,
) -> Result<TirDocument, TirError> {
    let mut document = TirDocument::new();
    document.set_text("MDI_HEADER", "FILE_TYPE", "tir")?;
    document.set_number("MDI_HEADER", "FILE_VERSION", 3.0)?;
    document.set_text("MDI_HEADER", "FILE_FORMAT", "ASCII")?;
    for (quantity, unit) in [
        ("LENGTH", "meter"),
        ("FORCE", "newton"),
        ("ANGLE", "radians"),
        ("MASS", "kg"),
        ("TIME", "second"),
    ] {
        document.set_text("UNITS", quantity, unit)?;
    }
    let fittyp = match version {
        Version::V52 => 6.0,
        Version::V61 => 61.0,
        Version::V62 => 62.0,
        Version::Motorcycle => 52.0,
    };
    document.set_number("MODEL", "FITTYP", fittyp)?;
    if version == Version::Motorcycle {
        document.set_text("MODEL", "PROPERTY_FILE_FORMAT", "PAC_MC")?;
    }
    let own = coefficients
        .iter()
        .filter(|(key, _)| key.belongs_to(version));
    for (key, &value) in own.filter(|(key, _)| wanted(key)) {
        document.set_number(key.section, key.name, value)?;
    }
    Ok(document)
}
