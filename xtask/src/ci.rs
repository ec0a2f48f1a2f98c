//! The test suite, and all that CI does.

use std::fs;
use std::time::Instant;

use crate::cargo::{Cargo, finish};
use crate::{deps, files, generated, package, sources};

/// Runs the tests of all members, Avian's too; `rest` goes to `cargo test`. One profile for all of them:
/// building Rapier once more takes longer than all tests.
pub(crate) fn test(cargo: &Cargo, rest: &[String]) -> Result<(), String> {
    let mut arguments = TEST.to_vec();
    // A package named by the user replaces all that are built by default, which Avian is not.
    let named = rest.iter().any(|r| r == "-p" || r.starts_with("--package"));
    if !named {
        arguments.extend(FEATURES);
    }
    arguments.extend(rest.iter().map(String::as_str));
    let tested = cargo.run(&arguments);
    if named {
        tested
    } else {
        tested.and(test_avian(cargo, rest))
    }
}

pub(crate) const TEST: [&str; 3] = ["test", "--release", "--no-fail-fast"];

/// What no member asks for, and has tests of its own.
pub(crate) const FEATURES: [&str; 2] = ["--features", "jounce/rayon,jounce/typetag,lab/rayon"];

/// The tests that need Avian: those of its backend, and of all that knows it as a world.
fn test_avian(cargo: &Cargo, rest: &[String]) -> Result<(), String> {
    let avian = cargo.avian()?;
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    cargo.run(&[&TEST[..], &avian, &AVIAN_PACKAGES, &rest].concat())
}

/// What there is to test with Avian, and Bevy's threads, which a game has. One set of features for lints,
/// documentation and tests, so that Bevy is not built twice.
const AVIAN_PACKAGES: [&str; 10] = [
    "-p",
    "backend-avian",
    "-p",
    "lab",
    "-p",
    "conformance",
    "-p",
    "three-worlds",
    "--features",
    "three-worlds/avian,bevy/multi_threaded",
];

type Step = (&'static str, fn(&Cargo) -> Result<(), String>);

/// In the order of their price; the tests come last, so that the runner's closing lines stand at
/// the end.
const STEPS: [Step; 8] = [
    ("formatting", formatting),
    ("rules", |cargo| {
        deps::check(cargo).and(sources::check(cargo))
    }),
    ("lints", lints),
    ("documentation", documentation),
    ("generated terrain", |cargo| generated::terrain(cargo, true)),
    ("drive", drive),
    ("packages", package::check),
    ("tests", |cargo| test(cargo, &[])),
];

/// Runs every step, whatever fails, and lists the results.
pub(crate) fn all(cargo: &Cargo) -> Result<(), String> {
    let mut results = Vec::new();
    for (name, step) in STEPS {
        println!("\n== {name}");
        let start = Instant::now();
        let result = step(cargo);
        if let Err(message) = &result {
            println!("failed: {message}");
        }
        results.push((name, result, start.elapsed()));
    }
    println!("\n{:<20} {:>7}  result", "step", "s");
    for (name, result, time) in &results {
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("{name:<20} {:>7.1}  {verdict}", time.as_secs_f32());
    }
    let failed: Vec<&str> = results
        .iter()
        .filter_map(|(name, result, _)| result.is_err().then_some(*name))
        .collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("failed: {}", failed.join(", ")))
    }
}

fn formatting(cargo: &Cargo) -> Result<(), String> {
    let theirs = format!("{}/Cargo.toml", package::THIRD_PARTY);
    let ours = cargo.run(&["fmt", "--all", "--check"]);
    ours.and(cargo.run(&["fmt", "--check", "--manifest-path", &theirs]))
}

fn lints(cargo: &Cargo) -> Result<(), String> {
    let everything = ["clippy", "--all-targets", "--release"];
    let deny = ["--", "-D", "warnings"];
    cargo.run(&[&everything[..], &FEATURES, &deny].concat())?;
    let avian = cargo.avian()?;
    let gizmos = ["--features", "backend-avian/gizmos"];
    cargo.run(&[&everything[..], &avian, &AVIAN_PACKAGES, &gizmos, &deny].concat())?;
    // The features that a build of all members always turns on.
    for package in ["vehicle-core", "jounce", "conformance"] {
        let lean = [
            "clippy",
            "-p",
            package,
            "--no-default-features",
            "--release",
        ];
        cargo.run(&[&lean[..], &deny].concat())?;
    }
    Ok(())
}

fn documentation(cargo: &Cargo) -> Result<(), String> {
    let plain = ["doc", "--no-deps", "--release"];
    let document = |arguments: &[&str]| {
        let mut command = cargo.command(arguments);
        finish(command.env("RUSTDOCFLAGS", "-D warnings"), arguments)
    };
    document(&[&plain[..], &FEATURES].concat())?;
    document(&[&plain[..], &cargo.avian()?, &AVIAN_PACKAGES].concat())
}

/// What a drive leaves behind, and the least size of each file [bytes].
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
    let run = ["run", "-p", "lab", "--release", "--"];
    cargo.run(&[&run[..], &["drive", "--out", &folder]].concat())?;
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
