//! Recorded drives of the reference folder, with our cars.

use std::path::{Path, PathBuf};

use jounce::file::Car;
use vehicle_conformance::validation::{DEVIATIONS, Reckoning, RecordedModel, multi_body};

use crate::reference::{self, Comparison};

/// The family of reference data.
const FAMILY: &str = "commonroad";
/// Ending of files of recorded drives.
const DRIVES: &str = ".jsonl.gz";
/// Endings of what else is there: our cars, and what recorded all this.
const OTHERS: [&str; 3] = [".toml", ".py", ".md"];

/// Every file of recorded drives.
///
/// # Errors
/// If there is none, or a file of an unknown kind.
pub(crate) fn files() -> Result<Vec<PathBuf>, String> {
    let folder = reference::folder(FAMILY);
    let all = reference::files(&folder).map_err(|error| error.to_string())?;
    let ends = |path: &Path, ending: &str| path.to_string_lossy().ends_with(ending);
    let (drives, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|path| ends(path, DRIVES));
    let known = |path: &&PathBuf| OTHERS.iter().any(|ending| ends(path, ending));
    match others.iter().find(|path| !known(path)) {
        Some(path) => Err(format!("{}: not a known kind of file", path.display())),
        None if drives.is_empty() => Err(format!("{}: no drives", folder.display())),
        None => Ok(drives),
    }
}

/// Compares our car with the recorded drives of a file, and returns where these come from.
///
/// # Errors
/// If the file or the car beside it cannot be read.
pub(crate) fn compare(path: &Path) -> Result<(String, Vec<Reckoning>), String> {
    let named = |error: &dyn core::fmt::Display| format!("{}: {error}", path.display());
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let record = RecordedModel::read(&text).map_err(|error| named(&error))?;
    let car = path.with_file_name(format!("{}.toml", record.car));
    let car = Car::load(car).map_err(|error| named(&error))?;
    let found = multi_body(&record, &car).map_err(|error| named(&error))?;
    Ok((record.source, found))
}

/// The line of a file: how far the farthest figure is off, but for known deviations, as a share of its bound.
pub(crate) fn line(name: &str, found: &[Reckoning]) -> Comparison {
    let known = |it: &&Reckoning| DEVIATIONS.iter().any(|deviation| deviation.lists(it));
    let rest = found.iter().filter(|it| !known(it));
    let errors = rest.map(|it| it.difference().abs() / it.bound.max(f64::MIN_POSITIVE));
    Comparison {
        name: name.to_owned(),
        rows: found.len(),
        // One without a number is the worst there is.
        max_error: errors.fold(0.0, |most, error| if error <= most { most } else { error }),
        bound: 1.0,
        note: format!("{} known deviations", found.iter().filter(known).count()),
    }
}
