//! `cargo xtask python`: the Python package, built into a virtual environment of its own; its tests, its examples, its types.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::cargo::{self, Cargo};
use crate::files;
use crate::machine::skipped;

/// Folder of the package, in the workspace.
pub(crate) const FOLDER: &str = "python";
/// The virtual environment, in the build folder.
const ENVIRONMENT: &str = "python-package";
/// The oldest Python that the package supports.
const OLDEST: (u32, u32) = (3, 11);
/// Packages that building and testing take.
const PACKAGES: [&str; 11] = [
    "maturin>=1.9.4,<2",
    "numpy>=1.26",
    "pytest>=8",
    "mypy>=1.13",
    "gymnasium>=1.1,<2",
    "pettingzoo>=1.25,<2",
    "pyarrow>=16",
    "pandas>=2",
    "matplotlib>=3.8",
    "nbclient>=0.10",
    "ipykernel>=6",
];
/// The cluster that sweeps are tested on, for which not every machine has a package.
const RAY: &str = "ray>=2.60";

#[derive(Debug, Default, Args)]
pub(crate) struct Python {
    /// Build as for a wheel, optimized as a whole: minutes instead of seconds
    #[arg(long)]
    wheel: bool,
    /// Run only tests whose names contain this
    #[arg(long)]
    only: Option<String>,
}

impl Python {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let Some(base) = interpreter() else {
            let (major, minor) = OLDEST;
            println!("python: left out, since there is no Python {major}.{minor} or newer");
            return Ok(());
        };
        let python = environment(&base, &cargo.target().join(ENVIRONMENT), &PACKAGES)?;
        if install(&python, &[RAY]).is_err() {
            skipped("sweeps on Ray", RAY);
        }
        let folder = cargo.root().join(FOLDER);
        let profile = if self.wheel { "wheel" } else { "release" };
        build(cargo, &python, &folder, profile)?;
        let run = |words: &[&str]| {
            let mut command = Command::new(&python);
            // Without caches of compiled scripts among the sources.
            finish(command.arg("-B").args(words).current_dir(&folder))
        };
        let only = self.only.iter().flat_map(|name| ["-k", name.as_str()]);
        let tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
        run(&tests.into_iter().chain(only).collect::<Vec<_>>())?;
        if self.only.is_none() {
            run(&["notebooks/run.py"])?;
        }
        let cache = format!("--cache-dir={}", cargo.target().join("mypy").display());
        run(&["-m", "mypy", &cache, "python/jounce"])?;
        run(&["-m", "mypy.stubtest", "jounce._core"])?;
        source_package(cargo, &python, &folder)
    }
}

/// Builds the package in `folder` into the environment of `python`, with the crates of the shared build folder.
pub(crate) fn build(
    cargo: &Cargo,
    python: &Path,
    folder: &Path,
    profile: &str,
) -> Result<(), String> {
    let mut command = Command::new(python);
    command
        .args(["-m", "maturin", "develop", "--quiet", "--profile", profile])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", cargo.target());
    // Where the interpreter's folder of programs is.
    if let Some(environment) = python.ancestors().nth(2) {
        command.env("VIRTUAL_ENV", environment);
    }
    finish(&mut command)
}

/// Packs the source package, and checks that it compiles where nothing else of the repository is: a file that is read by
/// `include_str!`, but not packed, is missed only there.
fn source_package(cargo: &Cargo, python: &Path, folder: &Path) -> Result<(), String> {
    let out = cargo.target().join("python-source");
    files::remove(&out)?;
    let mut pack = Command::new(python);
    pack.args(["-m", "maturin", "sdist", "--out"]);
    finish(pack.arg(&out).current_dir(folder))?;
    let archive = only_entry(&out)?;
    let unpacked = out.join("unpacked");
    let mut unpack = Command::new(python);
    finish(
        unpack
            .args(["-m", "tarfile", "-e"])
            .args([&archive, &unpacked]),
    )?;
    let manifest = only_entry(&unpacked)?.join(FOLDER).join("Cargo.toml");
    let manifest = manifest.display().to_string();
    let check = ["check", "--release", "--manifest-path", &manifest];
    let mut command = cargo.command(&check);
    // Cargo takes crates at the same place of another workspace for these ones, whose files are older.
    command.env("CARGO_TARGET_DIR", out.join("target"));
    cargo::finish(command.env("PYO3_PYTHON", python), &check)
}

/// What lies in a folder with one entry.
fn only_entry(folder: &Path) -> Result<PathBuf, String> {
    let mut entries = fs::read_dir(folder).map_err(files::named(folder))?;
    match (entries.next(), entries.next()) {
        (Some(Ok(entry)), None) => Ok(entry.path()),
        _ => Err(format!("{}: has not one entry", folder.display())),
    }
}

/// A Python that is new enough.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let (major, minor) = OLDEST;
    let check = format!("import sys, venv; sys.exit(sys.version_info < ({major}, {minor}))");
    let names = ["python3", "python"].map(PathBuf::from);
    names.into_iter().find(|name| {
        let status = Command::new(name)
            .args(["-c", &check])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    })
}

/// The interpreter of a virtual environment in `folder` with these packages, made where there is none.
pub(crate) fn environment(
    base: &Path,
    folder: &Path,
    packages: &[&str],
) -> Result<PathBuf, String> {
    let own = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    let python = folder.join(own);
    if !python.exists() {
        finish(Command::new(base).args(["-m", "venv"]).arg(folder))?;
    }
    install(&python, packages)?;
    Ok(python)
}

/// Installs packages, if they are not there.
pub(crate) fn install(python: &Path, packages: &[&str]) -> Result<(), String> {
    let install = ["-m", "pip", "install", "--quiet"];
    let mut command = Command::new(python);
    command.args(install).arg("--disable-pip-version-check");
    finish(command.args(packages))
}

/// Runs a program to its end.
pub(crate) fn finish(command: &mut Command) -> Result<(), String> {
    let what = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what}: {status}")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}
