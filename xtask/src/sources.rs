//! Rules for the text of source files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cargo::Cargo;
use crate::files::{named, read};
use crate::openings;

/// Attributes that every library has in its root file.
const REQUIRED: [&str; 2] = ["#![forbid(unsafe_code)]", "#![deny(missing_docs)]"];
/// These fuse or approximate on some platforms only, with different bits.
const FORBIDDEN: [&str; 3] = [".mul_add(", ".recip(", "fast-math"];
/// Folders without our sources.
const SKIPPED: [&str; 3] = ["target", "out", "reference"];
/// This package, whose sources contain the words themselves.
const OWN: &str = "xtask";

/// Checks every rule and lists all violations.
pub(crate) fn check(cargo: &Cargo) -> Result<(), String> {
    let mut faults = Vec::new();
    let libraries = libraries(&cargo.packages()?);
    for root in &libraries {
        let text = read(root)?;
        let line = |wanted: &&str| !text.lines().any(|line| line.trim() == *wanted);
        for missing in REQUIRED.iter().filter(|r| line(r)) {
            faults.push(format!("{}: lacks {missing}", root.display()));
        }
        if root.ends_with("vehicle-core/src/lib.rs") && !text.contains("#![no_std]") {
            faults.push(format!("{}: lacks #![no_std]", root.display()));
        }
    }
    let mut files = Vec::new();
    collect(cargo.root(), &mut files)?;
    for path in &files {
        let text = read(path)?;
        let own = path.starts_with(cargo.root().join(OWN));
        let words = (!own).then(|| forbidden(&text)).into_iter().flatten();
        faults.extend(words.map(|(line, word)| format!("{}:{line}: has {word}", path.display())));
        let openings = openings::referring(&text);
        faults.extend(openings.map(|(line, opening)| {
            let place = path.display();
            format!("{place}:{line}: a doc comment begins with {opening:?}, and says nothing alone")
        }));
    }
    println!(
        "{} libraries, {} source files and manifests: {} fault(s)",
        libraries.len(),
        files.len(),
        faults.len()
    );
    for fault in &faults {
        println!("    {fault}");
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{} source rule(s) broken", faults.len()))
    }
}

/// Root files of all libraries.
fn libraries(packages: &[Value]) -> Vec<PathBuf> {
    let targets = packages.iter().filter_map(|p| p["targets"].as_array());
    targets
        .flatten()
        .filter(|target| {
            target["kind"]
                .as_array()
                .is_some_and(|k| k.contains(&"lib".into()))
        })
        .filter_map(|target| target["src_path"].as_str().map(PathBuf::from))
        .collect()
}

/// Rust files and manifests below a folder.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(named(folder))? {
        let path = entry.map_err(named(folder))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_str()) && !name.starts_with(".git") {
                collect(&path, found)?;
            }
        } else if name.ends_with(".rs") || (name.ends_with(".toml") && name != "clippy.toml") {
            found.push(path);
        }
    }
    Ok(())
}

/// Forbidden words of a text with their lines, from 1; allowed in comments.
fn forbidden(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    text.lines().enumerate().flat_map(|(n, line)| {
        let code = line.split("//").next().unwrap_or_default();
        let hits = FORBIDDEN.into_iter().filter(|word| code.contains(word));
        hits.map(move |word| (n + 1, word)).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_with_their_line_but_not_in_comments() {
        let text = "let a = x.recip();\n// no x.mul_add( here\nlet b = y.mul_add(z, w);";
        let found: Vec<_> = forbidden(text).collect();
        assert_eq!(found, [(1, ".recip("), (3, ".mul_add(")]);
    }
}
