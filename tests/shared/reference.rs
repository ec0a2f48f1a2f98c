//! Reference data: where it lies, how it is read, how a comparison is reported.

use core::fmt;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use proving_ground::text;

/// Environment variable that names another folder of reference data.
pub(crate) const FOLDER_VARIABLE: &str = "JOUNCE_REFERENCE";

/// Reference data that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReferenceError {
    /// A file or folder that cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// A folder without files.
    #[error("{}: holds no reference files", .0.display())]
    Empty(PathBuf),
}

/// The folder of one family of reference data: `$JOUNCE_REFERENCE/<family>`, by default the copy
/// beside these tests.
pub(crate) fn folder(family: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference");
    env::var_os(FOLDER_VARIABLE)
        .map_or(own, PathBuf::from)
        .join(family)
}

/// Every file below `folder`, sorted by path.
///
/// # Errors
/// If the folder cannot be read or is empty.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, ReferenceError> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    if found.is_empty() {
        return Err(ReferenceError::Empty(folder.to_path_buf()));
    }
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), ReferenceError> {
    let unreadable = |source| ReferenceError::Unreadable {
        path: folder.to_path_buf(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// The text of a file, unpacked if its name ends in `.gz`.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn text(path: &Path) -> Result<String, ReferenceError> {
    let unreadable = |source| ReferenceError::Unreadable {
        path: path.to_path_buf(),
        source,
    };
    text::read(path).map_err(unreadable)
}

/// The name of a file without folders and endings.
pub(crate) fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Comparison of a file: one line `name rows max_error bound`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison {
    /// Name of the compared data.
    pub(crate) name: String,
    /// Number of compared rows.
    pub(crate) rows: usize,
    /// Largest error, in the unit of the bound.
    pub(crate) max_error: f64,
    /// Greatest allowed error.
    pub(crate) bound: f64,
    /// Remarks, for example rows that were counted apart.
    pub(crate) note: String,
}

impl Comparison {
    /// Whether any rows were compared, and all are within the bound.
    pub(crate) fn holds(&self) -> bool {
        self.rows > 0 && self.max_error <= self.bound
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            rows,
            max_error,
            bound,
            note,
        } = self;
        write!(f, "{name} {rows} {max_error:.3e} {bound:.1e}")?;
        if note.is_empty() {
            Ok(())
        } else {
            write!(f, " ({note})")
        }
    }
}
