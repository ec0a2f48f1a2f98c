//! Everything that CI runs.

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::bits::Bits;
use crate::book::{self, Gallery};
use crate::cargo::{Cargo, finish};
use crate::python::Python;
use crate::test::{EVERYTHING, Test, words};
use crate::{
    apart, arrows, deps, engines, files, generated, instructions, mutants, package, programs,
    showroom, sources, surface,
};

type CiStep = (&'static str, fn(&Cargo) -> Result<(), String>);

const LONG_TESTS: Test = tests(false);
const ENGINE_TESTS: Test = tests(true);

const fn tests(engines: bool) -> Test {
    Test {
        long: !engines,
        quick: false,
        engines,
        rest: Vec::new(),
    }
}

/// Ordered by cost; the tests come last, so that the final lines of the runner are at the end.
const STEPS: [CiStep; 18] = [
    ("formatting", formatting),
    ("rules", rules),
    ("lints", lints),
    ("lints apart", apart::lints),
    ("documentation", documentation),
    ("generated terrain", |cargo| generated::terrain(cargo, true)),
    ("drive", drive),
    ("gallery", |cargo| Gallery::CHECK.run(cargo)),
    ("book", |cargo| book::pages(cargo).map(drop)),
    ("programs", programs::check),
    ("packages", package::check),
    ("python", |cargo| Python::default().run(cargo)),
    ("engines", other_engines),
    ("showroom", showroom::test),
    ("bits", |cargo| Bits::default().run(cargo)),
    ("instructions", |cargo| instructions::run(cargo, false)),
    ("mutants", mutants::of_the_day),
    ("tests", |cargo| LONG_TESTS.run(cargo)),
];

/// Rules for dependencies and sources.
pub(crate) fn rules(cargo: &Cargo) -> Result<(), String> {
    let results = [
        deps::check(cargo),
        arrows::check(cargo),
        sources::check(cargo),
        surface::check(cargo),
    ];
    results.into_iter().collect()
}

/// What `cargo xtask ci` runs: every step, or one.
#[derive(Debug, Args)]
pub(crate) struct Ci {
    /// Run this step only, by its name in the table that all steps print
    #[arg(long, value_parser = STEPS.map(|(name, _)| name))]
    step: Option<String>,
}

impl Ci {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let chosen = |(name, _): &CiStep| Some(*name) == self.step.as_deref();
        match STEPS.into_iter().find(chosen) {
            Some((_, step)) => step(cargo),
            None => all(),
        }
    }
}

/// The last lines of a failed step that are repeated after the table.
const LAST_LINES: usize = 25;

/// Runs every step, even after failures; lists the results, then the last lines of what failed.
fn all() -> Result<(), String> {
    let mut failures = Vec::new();
    let mut table = format!("\n{:<20} {:>7}  result\n", "step", "s");
    for (name, _) in STEPS {
        println!("\n== {name}");
        let start = Instant::now();
        let (succeeded, lines) = apart(name).map_err(|error| format!("{name}: {error}"))?;
        let verdict = if succeeded { "ok" } else { "FAILED" };
        let time = start.elapsed().as_secs_f32();
        table += &format!("{name:<20} {time:>7.1}  {verdict}\n");
        if !succeeded {
            failures.push((name, lines));
        }
    }
    print!("{table}");
    if failures.is_empty() {
        return Ok(());
    }
    for (name, lines) in &failures {
        println!("\n== {name} failed; its last lines:");
        lines.iter().for_each(|line| println!("{line}"));
    }
    let names: Vec<_> = failures.iter().map(|(name, _)| *name).collect();
    Err(format!("failed: {}", names.join(", ")))
}

/// Runs a step in a process of its own: whether it succeeded, and its last lines.
fn apart(step: &str) -> io::Result<(bool, VecDeque<String>)> {
    let (reader, writer) = io::pipe()?;
    let mut child = Command::new(env::current_exe()?)
        .args(["ci", "--step", step])
        .stderr(writer.try_clone()?)
        .stdout(writer)
        .spawn()?;
    let mut lines = VecDeque::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        lines.push_back(line);
        if lines.len() > LAST_LINES {
            lines.pop_front();
        }
    }
    Ok((child.wait()?.success(), lines))
}

fn formatting(cargo: &Cargo) -> Result<(), String> {
    let theirs = package::THIRD_PARTY.map(|path| format!("{path}/Cargo.toml"));
    let others = theirs.iter().map(String::as_str).chain([book::MANIFEST]);
    let others = others.map(|path| cargo.run(&["fmt", "--check", "--manifest-path", path]));
    let ours = cargo.run(&["fmt", "--all", "--check"]);
    others.fold(ours, Result::and)
}

/// Fails on a warning.
const DENY: [&str; 3] = ["--", "-D", "warnings"];

fn lints(cargo: &Cargo) -> Result<(), String> {
    lint(cargo, &EVERYTHING)?;
    // The features that a build of all members always enables.
    for package in ["vehicle-core", "jounce", "vehicle-conformance"] {
        let lean = [
            "clippy",
            "-p",
            package,
            "--no-default-features",
            "--release",
        ];
        cargo.run(&[&lean[..], &DENY].concat())?;
    }
    Ok(())
}

fn lint(cargo: &Cargo, everything: &[&str]) -> Result<(), String> {
    cargo.run(&[&["clippy", "--all-targets"], everything, &DENY].concat())
}

fn documentation(cargo: &Cargo) -> Result<(), String> {
    document(cargo, &EVERYTHING)
}

fn document(cargo: &Cargo, everything: &[&str]) -> Result<(), String> {
    let arguments = [&["doc", "--no-deps"], everything].concat();
    let mut command = cargo.command(&arguments);
    finish(command.env("RUSTDOCFLAGS", "-D warnings"), &arguments)
}

/// Lints, documentation and tests of all that other engines than Rapier take part in.
fn other_engines(cargo: &Cargo) -> Result<(), String> {
    for group in engines::groups() {
        let (everything, facade) = (group.arguments(cargo)?, group.facade());
        lint(cargo, &words(&everything))?;
        document(cargo, &[words(&everything), words(&facade)].concat())?;
    }
    ENGINE_TESTS.run(cargo)
}

/// Files that a drive writes, with the minimum size of each (`bytes`).
const DRIVE_FILES: [(&str, u64); 3] = [
    ("telemetry.csv", 10_000),
    ("summary.json", 100),
    ("report.html", 10_000),
];

/// `jounce drive` with its defaults.
fn drive(cargo: &Cargo) -> Result<(), String> {
    let out = cargo.target().join("xtask-drive");
    files::remove(&out)?;
    let folder = out.display().to_string();
    cargo.run(&["jounce", "drive", "--out", &folder])?;
    for (name, least) in DRIVE_FILES {
        let path = out.join(name);
        let size = fs::metadata(&path).map_or(0, |data| data.len());
        if size < least {
            return Err(format!(
                "{}: {size} bytes, expected {least}",
                path.display()
            ));
        }
    }
    Ok(())
}
