//! Runs cargo: location of the workspace and of the build folder.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The Rust version that Bevy declares.
const BEVY_NEEDS: [u32; 3] = [1, 97, 1];

/// Tells slow tests to try all that they can.
pub(crate) const LONG: (&str, &str) = ("JOUNCE_LONG", "1");

/// Cargo, for this workspace and one build folder.
#[derive(Debug)]
pub(crate) struct Cargo {
    program: PathBuf,
    root: PathBuf,
    target: PathBuf,
}

impl Cargo {
    pub(crate) fn new() -> Self {
        // At run time: with a shared build folder, xtask may have been compiled in another
        // clone.
        let own = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = own
            .parent()
            .expect("xtask lies in the workspace")
            .to_path_buf();
        Self {
            program: env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from),
            target: target(&root),
            root,
        }
    }

    /// The workspace.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Shortens absolute paths in a message to paths from the workspace.
    pub(crate) fn relative(&self, line: &str) -> String {
        line.replace(&format!("{}/", self.root.display()), "")
    }

    /// The build folder.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A cargo command that takes more settings.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target);
        command
    }

    /// Runs cargo, with our standard output.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<(), String> {
        finish(&mut self.command(arguments), arguments)
    }

    /// Runs cargo and returns its standard output.
    pub(crate) fn read(&self, arguments: &[&str]) -> Result<String, String> {
        let what = || format!("cargo {}", arguments.join(" "));
        let output = self
            .command(arguments)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{}: {error}", what()))?;
        if !output.status.success() {
            return Err(format!("{}: {}", what(), output.status));
        }
        String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", what()))
    }

    /// The flag with which an older compiler builds Avian: Bevy's umbrella crate declares a newer
    /// version but compiles with this one.
    pub(crate) fn newer_rust(&self) -> Result<Option<&'static str>, String> {
        let old = version(&self.read(&["--version"])?) < BEVY_NEEDS;
        Ok(old.then_some("--ignore-rust-version"))
    }

    /// The packages of the workspace, from `cargo metadata`.
    pub(crate) fn packages(&self) -> Result<Vec<Value>, String> {
        let text = self.read(&["metadata", "--no-deps", "--format-version", "1"])?;
        let mut metadata: Value =
            serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
        match metadata["packages"].take() {
            Value::Array(packages) => Ok(packages),
            _ => Err("cargo metadata: no packages".to_owned()),
        }
    }
}

/// Runs a cargo command to its end.
pub(crate) fn finish(command: &mut Command, arguments: &[&str]) -> Result<(), String> {
    let what = || format!("cargo {}", arguments.join(" "));
    let status = command
        .status()
        .map_err(|error| format!("{}: {error}", what()))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{}: {status}", what()))
    }
}

/// The build folder: the user's, or the default of plain cargo in this clone.
fn target(root: &Path) -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let folder = set("CARGO_TARGET_DIR").or_else(|| set("CARGO_BUILD_TARGET_DIR"));
    folder.map_or_else(
        || root.join("target"),
        // Relative to the user's folder, not to the folder in which cargo is started.
        |folder| std::path::absolute(&folder).unwrap_or_else(|_| folder.into()),
    )
}

/// The version that `cargo --version` prints; missing numbers are 0.
fn version(text: &str) -> [u32; 3] {
    let word = text.split_whitespace().nth(1).unwrap_or_default();
    let number = word.split('-').next().unwrap_or_default();
    let mut parts = number.split('.').map(|part| part.parse().unwrap_or(0));
    [0; 3].map(|zero| parts.next().unwrap_or(zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("cargo 1.95.0 (f2d3ce0bd 2026-03-21)"), [1, 95, 0]);
        assert_eq!(version("cargo 1.98.0-nightly (abc 2026-08-01)"), [1, 98, 0]);
        assert!(version("cargo 1.97.1") >= BEVY_NEEDS);
        assert!(version("cargo 1.97.0") < BEVY_NEEDS);
        assert_eq!(version("nonsense"), [0, 0, 0]);
    }
}
