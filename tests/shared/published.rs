//! Cars of the reference folder with published figures.

use std::path::{Path, PathBuf};

use jounce::file::Car;
use vehicle_conformance::validation::{QuasiSteadyFigures, Reckoning, published, quasi_steady};

use crate::reference;

/// The family of reference data.
const FAMILY: &str = "published";
/// Ending of files of cars, and of what else is there: figures of a model, and what computes them.
const CARS: &str = "toml";
const OTHERS: [&str; 3] = ["json", "py", "md"];

/// Every car.
///
/// # Errors
/// If there is none, or a file of an unknown kind.
pub(crate) fn files() -> Result<Vec<PathBuf>, String> {
    let folder = reference::folder(FAMILY);
    let all = reference::files(&folder).map_err(|error| error.to_string())?;
    let ending = |path: &Path| path.extension().map(|it| it.to_string_lossy().into_owned());
    let is =
        |path: &Path, known: &[&str]| ending(path).is_some_and(|it| known.contains(&it.as_str()));
    let (cars, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|path| is(path, &[CARS]));
    match others.iter().find(|path| !is(path, &OTHERS)) {
        Some(path) => Err(format!("{}: not a known kind of file", path.display())),
        None if cars.is_empty() => Err(format!("{}: no cars", folder.display())),
        None => Ok(cars),
    }
}

/// Compares a car with the figures of its file, and of the model's file beside it if there is one.
///
/// # Errors
/// If a file cannot be read, or has no figures.
pub(crate) fn compare(path: &Path) -> Result<Vec<Reckoning>, String> {
    let named =
        |path: &Path, error: &dyn core::fmt::Display| format!("{}: {error}", path.display());
    let car = Car::load(path).map_err(|error| error.to_string())?;
    if car.targets.is_empty() {
        return Err(named(path, &"no published figures in [target]"));
    }
    let mut found = published(&car).map_err(|error| named(path, &error))?;
    let model = path.with_extension("json");
    if model.exists() {
        let text = reference::text(&model).map_err(|error| error.to_string())?;
        let figures = QuasiSteadyFigures::read(&text).map_err(|error| named(&model, &error))?;
        found.extend(quasi_steady(&car, &figures).map_err(|error| named(path, &error))?);
    }
    Ok(found)
}
