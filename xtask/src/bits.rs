//! The golden drives on other platforms than the host's, held against the stored hashes. What a machine lacks is named,
//! and counts as skipped.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::Args;

use crate::cargo::{Cargo, finish};
use crate::engines::answers;
use crate::files;
use crate::machine::{self, find, install, skipped};

/// The package, and its program, which prints `car ground hash` for each drive.
const PROGRAM: &str = "golden-drives";
/// The stored hashes in the same form, from the root.
const STORED: &str = "tests/golden/bits.txt";

#[derive(Debug, Default, Args)]
pub(crate) struct Bits {
    /// Optimize the programs of all platforms: minutes more to build
    #[arg(long)]
    optimized: bool,
}

/// A platform, and what building for it and running its programs take.
struct OtherPlatform {
    name: &'static str,
    target: &'static str,
    /// The profile: without optimization it is built in a fifth of the time.
    profile: &'static str,
    program: &'static str,
    /// A variable of cargo, and its value.
    variable: Option<(&'static str, &'static str)>,
    /// Words that start its programs here; or else what is missing.
    runner: fn() -> Result<&'static [&'static str], &'static str>,
}

const PLATFORMS: [OtherPlatform; 3] = [
    OtherPlatform {
        name: "wasm32",
        target: "wasm32-wasip1",
        profile: "bits",
        program: "golden-drives.wasm",
        variable: None,
        runner: node,
    },
    // With musl, whose libraries the toolchain brings: neither a linker nor a C library of the platform is needed.
    OtherPlatform {
        name: "aarch64",
        target: "aarch64-unknown-linux-musl",
        profile: "bits",
        program: PROGRAM,
        variable: Some(("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld")),
        runner: emulator,
    },
    // Always optimized: the optimizer is what chooses the instructions that this level adds.
    OtherPlatform {
        name: "x86-64-v3",
        target: "x86_64-unknown-linux-gnu",
        profile: "release",
        program: PROGRAM,
        variable: Some(("RUSTFLAGS", "-C target-cpu=x86-64-v3")),
        runner: processor,
    },
];

fn node() -> Result<&'static [&'static str], &'static str> {
    let runner: &[&str] = &["node", "--no-warnings", "tests/golden/wasi.mjs"];
    answers("node").then_some(runner).ok_or("node")
}

fn emulator() -> Result<&'static [&'static str], &'static str> {
    let there = || find("qemu-aarch64").is_some();
    let runner: &[&str] = &["qemu-aarch64"];
    let found = there() || (install(&["qemu-user"]) && there());
    found.then_some(runner).ok_or("qemu-user")
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn processor() -> Result<&'static [&'static str], &'static str> {
    let has = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    has.then_some(&[][..]).ok_or("such a processor")
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn processor() -> Result<&'static [&'static str], &'static str> {
    Err("Linux on x86-64")
}

impl Bits {
    /// Runs the drives on every platform, prints a table, and fails with each drive whose hash is not as stored.
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let stored = files::read(&cargo.root().join(STORED))?;
        let mut columns = Vec::new();
        for platform in &PLATFORMS {
            let start = Instant::now();
            if let Some(found) = self.hashes(cargo, platform)? {
                println!("{}: {:.0} s", platform.name, start.elapsed().as_secs_f32());
                columns.push((platform.name, differing(&stored, &found)));
            }
        }
        print!("{}", table(&stored, &columns));
        let faults = columns.iter().flat_map(|(name, drives)| {
            drives.iter().map(move |drive| format!("{drive} on {name}"))
        });
        let faults: Vec<String> = faults.collect();
        if faults.is_empty() {
            return Ok(());
        }
        Err(format!("not the stored bits: {}", faults.join(", ")))
    }

    /// What the program prints on a platform; `None` if the machine lacks something.
    fn hashes(&self, cargo: &Cargo, platform: &OtherPlatform) -> Result<Option<String>, String> {
        let (name, target) = (platform.name, platform.target);
        let runner = match (platform.runner)() {
            Ok(_) if !machine::target(target) => Err(target),
            found => found,
        };
        let runner = match runner {
            Ok(runner) => runner,
            Err(missing) => {
                skipped(name, missing);
                return Ok(None);
            }
        };
        let profile = if self.optimized {
            "release"
        } else {
            platform.profile
        };
        let build = ["build", "--quiet", "--profile", profile, "--target", target];
        let build = [&build[..], &["-p", PROGRAM]].concat();
        finish(cargo.command(&build).envs(platform.variable), &build)?;
        let program = cargo.target().join(target).join(profile);
        let program = program.join(platform.program).display().to_string();
        let words = [runner, &[program.as_str()]].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(cargo.root());
        let output = command.stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("{name}: {}: {error}", words[0]))?;
        if !output.status.success() {
            return Err(format!("{name}: {}: {}", words.join(" "), output.status));
        }
        Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

/// Accepts what the drives give here: rewrites traces and hashes.
pub(crate) fn bless(cargo: &Cargo) -> Result<(), String> {
    cargo.run(&["run", "--quiet", "--release", "-p", PROGRAM, "--", "bless"])
}

/// Car and ground of a line `car ground hash`.
fn drive(line: &str) -> &str {
    line.rsplit_once(' ').map_or(line, |(drive, _)| drive)
}

/// Drives whose lines are not the same, or are in one text only.
fn differing(stored: &str, found: &str) -> BTreeSet<String> {
    let [stored, found] = [stored, found].map(|text| text.lines().collect::<BTreeSet<_>>());
    let lines = stored.symmetric_difference(&found);
    lines.map(|line| drive(line).to_owned()).collect()
}

/// One line per stored drive, one column per platform.
fn table(stored: &str, columns: &[(&str, BTreeSet<String>)]) -> String {
    let row = |first: &str, hash: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells: String = cells.map(|cell| format!("  {cell:<9}")).collect();
        format!("{first:<20}  {hash:<16}{cells}")
            .trim_end()
            .to_owned()
            + "\n"
    };
    let names = &mut columns.iter().map(|(name, _)| *name);
    let mut text = row("car, ground", "stored", names);
    for line in stored.lines() {
        let (drive, hash) = (drive(line), line.rsplit(' ').next().unwrap_or_default());
        let verdict = |drives: &BTreeSet<String>| {
            if drives.contains(drive) {
                "DIFFERS"
            } else {
                "same"
            }
        };
        let cells = &mut columns.iter().map(|(_, drives)| verdict(drives));
        text += &row(drive, hash, cells);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = "sedan flat 01\ntruck hills 02\n";

    #[test]
    fn a_drive_with_another_hash_is_named() {
        assert!(differing(STORED, STORED).is_empty());
        let other = STORED.replace("02", "03");
        let drives = differing(STORED, &other);
        assert_eq!(drives, BTreeSet::from(["truck hills".to_owned()]));
        let table = table(STORED, &[("wasm32", drives)]);
        let words: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(words[1], ["sedan", "flat", "01", "same"]);
        assert_eq!(words[2], ["truck", "hills", "02", "DIFFERS"]);
    }

    #[test]
    fn a_drive_of_one_text_only_is_named() {
        let drives = |found| differing(STORED, found).into_iter().collect::<Vec<_>>();
        assert_eq!(drives("sedan flat 01\n"), ["truck hills"]);
        assert_eq!(drives(&format!("{STORED}suv flat 04\n")), ["suv flat"]);
    }
}
