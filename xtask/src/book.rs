//! `cargo xtask book` and `cargo xtask gallery`: the book's pages, and the pictures in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cargo::Cargo;
use crate::files::{self, named};
use crate::movie;

/// A workspace of its own.
pub(crate) const MANIFEST: &str = "book/Cargo.toml";
/// The pictures that the gallery writes.
const PICTURES: &str = "book/src/img";

#[derive(Debug, Args)]
pub(crate) struct Gallery {
    /// Only compare the pictures with those that the program draws now
    #[arg(long)]
    check: bool,
}

/// Builds the pages, and checks every link in them; returns their folder.
pub(crate) fn pages(cargo: &Cargo) -> Result<PathBuf, String> {
    let out = cargo.target().join("book");
    files::remove(&out)?;
    let (book, folder) = (cargo.root().join("book"), out.display().to_string());
    let start = [
        "run",
        "--quiet",
        "--locked",
        "--manifest-path",
        MANIFEST,
        "--",
    ];
    cargo.run(&[&start[..], &[&book.display().to_string(), &folder]].concat())?;
    println!("{folder}/index.html");
    Ok(out)
}

impl Gallery {
    pub(crate) const CHECK: Self = Self { check: true };

    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let (fresh, kept) = (cargo.target().join("gallery"), cargo.root().join(PICTURES));
        files::remove(&fresh)?;
        let folder = fresh.display().to_string();
        let example = [
            "run",
            "-p",
            "jounce-lab",
            "--release",
            "--example",
            "gallery",
            "--",
            &folder,
        ];
        cargo.run(&example)?;
        if !self.check {
            files::copy_folder(&fresh, &kept)?;
            return movie::record(cargo).map(drop);
        }
        let stale = stale(&pictures(&fresh)?, &pictures(&kept)?);
        if !stale.is_empty() {
            let list = stale.join("\n");
            return Err(format!("{list}\nrun `cargo xtask gallery`"));
        }
        println!("{PICTURES}: as drawn");
        movie::check(cargo)
    }
}

/// Texts of the pictures of a folder, by name.
fn pictures(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(named(folder))? {
        let path = entry.map_err(named(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        texts.insert(name.into_owned(), files::read(&path)?);
    }
    Ok(texts)
}

/// The fault of each kept picture.
fn stale(fresh: &BTreeMap<String, String>, kept: &BTreeMap<String, String>) -> Vec<String> {
    let changed = fresh
        .iter()
        .filter_map(|(name, text)| match kept.get(name) {
            None => Some(format!("{PICTURES}/{name}: missing")),
            Some(old) if without_rasters(old) != without_rasters(text) => {
                Some(format!("{PICTURES}/{name}: not what the program draws"))
            }
            Some(_) => None,
        });
    let unknown = kept.keys().filter(|name| !fresh.contains_key(*name));
    let unknown = unknown.map(|name| format!("{PICTURES}/{name}: drawn by nobody"));
    changed.chain(unknown).collect()
}

/// A picture's text without its rasters: the shading of a map, whose compression may change with a crate's version,
/// while the contour lines of the same heights are text.
fn without_rasters(svg: &str) -> String {
    let mut parts = svg.split("data:image/png;base64,");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.find('"').map_or("", |end| &part[end..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(pictures: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = pictures
            .iter()
            .map(|(name, text)| (name.to_string(), text.to_string()));
        owned.collect()
    }

    #[test]
    fn stale_missing_and_unknown_pictures_are_named() {
        let fresh = folder(&[("a.svg", "<path d=\"M0 0\"/>"), ("b.svg", "b")]);
        assert!(stale(&fresh, &fresh).is_empty());
        let kept = folder(&[("a.svg", "<path d=\"M0 1\"/>"), ("c.svg", "c")]);
        let told = stale(&fresh, &kept).join("\n");
        for part in [
            "a.svg: not what",
            "b.svg: missing",
            "c.svg: drawn by nobody",
        ] {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn of_a_raster_only_its_place_counts() {
        let map = |raster: &str, end: &str| {
            format!("<image href=\"data:image/png;base64,{raster}\" width=\"1\"/>{end}")
        };
        assert_eq!(
            without_rasters(&map("abc", "x")),
            without_rasters(&map("de", "x"))
        );
        assert_ne!(
            without_rasters(&map("abc", "x")),
            without_rasters(&map("abc", "y"))
        );
    }
}
