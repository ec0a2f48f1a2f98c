//! File operations with errors that name the path.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(named(path))
}

pub(crate) fn read_json(path: &Path) -> Result<Value, String> {
    serde_json::from_str(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(named(path))
}

pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(named(from))
}

/// Copies a folder without its build outputs.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(named(to))?;
    for entry in fs::read_dir(from).map_err(named(from))? {
        let name = entry.map_err(named(from))?.file_name();
        let (path, copied) = (from.join(&name), to.join(&name));
        if !path.is_dir() {
            copy(&path, &copied)?;
        } else if name != "target" {
            copy_folder(&path, &copied)?;
        }
    }
    Ok(())
}

/// Removes the folder of an earlier run, so that no old file is taken for a new one.
pub(crate) fn remove(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(named(folder))?;
    }
    Ok(())
}

/// An error with its path.
pub(crate) fn named(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}
