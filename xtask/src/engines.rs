//! Engines in other languages: built and tested where their compilers are.

use std::env;
use std::process::{Command, Stdio};

use crate::cargo::{Cargo, LONG, finish};

/// An engine, and what building it takes.
struct ForeignEngine {
    /// The feature that brings it, and its world's name.
    name: &'static str,
    package: &'static str,
    /// Programs, each with the variable that may name another.
    tools: &'static [(&'static str, &'static str)],
}

const ENGINES: [ForeignEngine; 2] = [
    ForeignEngine {
        name: "box3d",
        package: "backend-box3d",
        tools: &[("cc", "CC")],
    },
    ForeignEngine {
        name: "jolt",
        package: "backend-jolt",
        tools: &[("c++", "CXX"), ("cmake", "CMAKE")],
    },
];

/// Packages that a build of everything leaves out: engines in other languages, peers to be measured, and what draws.
pub(crate) const LEFT_OUT: [&str; 10] = [
    "--exclude",
    "backend-box3d",
    "--exclude",
    "backend-jolt",
    "--exclude",
    "bench-peers",
    "--exclude",
    "bevy-drive",
    "--exclude",
    "showroom",
];

/// Their features of a package, separated by commas: those that can be built here. Of the others it says what is
/// missing.
pub(crate) fn features(package: &str) -> String {
    let present = present();
    let names = present
        .iter()
        .map(|engine| format!("{package}/{}", engine.name));
    names.collect::<Vec<_>>().join(",")
}

/// The first program that building Jolt lacks here.
pub(crate) fn missing_for_jolt() -> Option<String> {
    let mut engines = ENGINES.iter();
    engines.find(|engine| engine.name == "jolt")?.missing()
}

/// Engines that can be built here.
fn present() -> Vec<&'static ForeignEngine> {
    let complete = |engine: &&ForeignEngine| match engine.missing() {
        None => true,
        Some(tool) => {
            println!("{}: left out, as {tool} is missing", engine.name);
            false
        }
    };
    ENGINES.iter().filter(complete).collect()
}

impl ForeignEngine {
    /// The first program that is missing.
    fn missing(&self) -> Option<String> {
        let named =
            |&(usual, variable): &(&str, &str)| env::var(variable).unwrap_or(usual.to_owned());
        self.tools.iter().map(named).find(|tool| !answers(tool))
    }
}

/// Whether a program starts.
pub(crate) fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Lints and tests every engine that can be built here: its own tests, its example, and the suite with the trust table.
pub(crate) fn test(cargo: &Cargo) -> Result<(), String> {
    let engines = present();
    if engines.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = engines
        .iter()
        .flat_map(|engine| ["-p", engine.package])
        .collect();
    let worlds: Vec<String> = engines
        .iter()
        .map(|engine| format!("{}::", engine.name))
        .collect();
    let worlds: Vec<&str> = worlds.iter().map(String::as_str).collect();
    let names: Vec<&str> = engines.iter().map(|engine| engine.name).collect();
    let names = names.join(",");
    let example = ["-p", "five-worlds", "--features", &names];
    let suite = [
        "test",
        "--release",
        "-p",
        "vehicle-conformance",
        "--features",
        &names,
    ];
    let suite = [&suite[..], &["--test", "suite", "--"], &worlds].concat();
    let clippy = ["clippy", "--release", "--all-targets"];
    let deny = ["--", "-D", "warnings"];
    let results = [
        cargo.run(&[&clippy[..], &packages, &deny].concat()),
        cargo.run(&[&clippy[..], &example, &deny].concat()),
        cargo.run(&[&["test", "--release"], &packages[..]].concat()),
        finish(cargo.command(&suite).envs([LONG]), &suite),
    ];
    let drives = engines.iter().map(|engine| {
        cargo.run(&[&["run", "--release"], &example[..], &["--bin", engine.name]].concat())
    });
    results.into_iter().chain(drives).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_named() {
        let engine = |tools| ForeignEngine {
            name: "some",
            package: "some",
            tools,
        };
        assert!(answers("cargo"));
        assert_eq!(engine(&[("cargo", "NO_SUCH_VARIABLE")]).missing(), None);
        let two = engine(&[
            ("cargo", "NO_SUCH_VARIABLE"),
            ("no-such-compiler", "NO_SUCH_VARIABLE"),
        ]);
        assert_eq!(two.missing().as_deref(), Some("no-such-compiler"));
    }
}
