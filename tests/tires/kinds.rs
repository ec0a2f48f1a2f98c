//! Kinds of files, by prefix and suffix of the name.

use std::path::Path;

use crate::reference;
use jounce::tires::magic_formula::Version;

use crate::small::{Law, parameters};
use crate::{lugre, relaxation};

/// A kind of file.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A table of the Magic Formula; its parameters are in a `.tir` file of the same name.
    MagicFormula(Version),
    /// A table of a small law.
    Small(&'static Law),
    /// A table of slips with a relaxation length.
    Relaxation,
    /// A table of masses that slide on bristles.
    LuGre,
    /// Parameters of the Magic Formula's tables.
    Parameters,
    /// Parameters of the small laws' tables.
    SmallParameters,
    /// Expectations for a file of the `.tir` grammar.
    Expected,
    /// A file of the `.tir` grammar.
    Grammar,
    /// The description of columns.
    Index,
}

/// Tables of the Magic Formula, by the prefix of their names.
const MAGIC_FORMULA: [(&str, Version); 3] = [
    ("mf52", Version::V52),
    ("mf61", Version::V61),
    ("mf62", Version::V62),
];

/// Folder of files of the `.tir` grammar.
const GRAMMAR: &str = "tir_grammar";

impl Kind {
    /// The kind of a file.
    pub(crate) fn of(path: &Path) -> Result<Self, String> {
        let stem = reference::stem(path);
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let folder = path.parent().map(reference::stem).unwrap_or_default();
        if stem == "SCHEMA" {
            return Ok(Self::Index);
        }
        if stem.starts_with(lugre::PREFIX) && ending == "csv" {
            return Ok(Self::LuGre);
        }
        if stem.starts_with(relaxation::PREFIX) && ending == "csv" {
            return Ok(Self::Relaxation);
        }
        match (Law::of(&stem), &*ending) {
            (Some(law), "csv") => return Ok(Self::Small(law)),
            (None, "json") if stem == parameters::FILE => return Ok(Self::SmallParameters),
            (None, "json") if folder == GRAMMAR => return Ok(Self::Expected),
            (None, "tir") if folder == GRAMMAR => return Ok(Self::Grammar),
            _ => {}
        }
        let formula = MAGIC_FORMULA
            .iter()
            .find(|(name, _)| stem.starts_with(name));
        match (formula, &*ending) {
            (Some((_, version)), "csv") => Ok(Self::MagicFormula(*version)),
            (Some(_), "tir") => Ok(Self::Parameters),
            _ => Err(format!("{}: unknown kind of file", path.display())),
        }
    }
}

/// Parameters are tried with the table beside them; without one, they are not tried at all.
pub(crate) fn belongs_to_a_table(path: &Path) -> Result<(), String> {
    if path.with_extension("csv").exists() {
        Ok(())
    } else {
        Err(format!("{}: no table next to it", path.display()))
    }
}
