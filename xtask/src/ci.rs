//! Everything that CI runs.

use std::fs;
use std::time::Instant;

use crate::bits::Bits;
use crate::book::{self, Gallery};
use crate::cargo::{Cargo, finish};
use crate::test::{self, Test};
use crate::{
    apart, arrows, deps, engines, files, generated, instructions, mutants, package, programs,
    showroom, sources, surface,
};

type CiStep = (&'static str, fn(&Cargo) -> Result<(), String>);

const LONG_TESTS: Test = Test {
    long: true,
    quick: false,
    engines: false,
    rest: Vec::new(),
};

/// Ordered by cost; the tests come last, so that the final lines of the runner are at the end.
const STEPS: [CiStep; 17] = [
    ("formatting", formatting),
    ("rules", rules),
    ("lints", lints),
    ("lints apart", apart::lints),
    ("documentation", documentation),
    ("generated terrain", |cargo| generated::terrain(cargo, true)),
    ("drive", drive),
    ("gallery", |cargo| Gallery::CHECK.run(cargo)),
    ("book", book::pages),
    ("programs", programs::check),
    ("packages", package::check),
    ("engines", engines::test),
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

/// Runs every step, even after failures, and lists the results.
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
    let others = [theirs.as_str(), book::MANIFEST];
    let others = others.map(|path| cargo.run(&["fmt", "--check", "--manifest-path", path]));
    let ours = cargo.run(&["fmt", "--all", "--check"]);
    others.into_iter().fold(ours, Result::and)
}

fn lints(cargo: &Cargo) -> Result<(), String> {
    let everything = test::everything(cargo)?;
    let deny = ["--", "-D", "warnings"];
    let check = ["clippy", "--all-targets"];
    cargo.run(&[&check[..], &everything, &test::GIZMOS, &deny].concat())?;
    // The features that a build of all members always enables.
    for package in ["vehicle-core", "jounce", "vehicle-conformance"] {
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
    let arguments = [&["doc", "--no-deps"], &test::everything(cargo)?[..]].concat();
    let mut command = cargo.command(&arguments);
    finish(command.env("RUSTDOCFLAGS", "-D warnings"), &arguments)
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
