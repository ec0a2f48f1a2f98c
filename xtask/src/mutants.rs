//! Mutation tests: small faults are put into the code, one at a time, and the tests should detect
//! them.
//!
//! The faults are those of `cargo-mutants`. The tests of the crate run first; the suite is run on
//! the mutants that they miss.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::cargo::Cargo;
use crate::files;

/// The version to install where the tool is missing.
const VERSION: &str = "27.1.0";
/// The package whose tests are the suite.
const SUITE: &str = "vehicle-conformance";

/// Time limit for the suite: the tool would derive it from the tests of the crate.
const SUITE_SECONDS: &str = "1800";

/// A part of the source with its tests.
struct Room {
    name: &'static str,
    package: &'static str,
    /// Globs of its files, from the root of the workspace.
    files: &'static [&'static str],
    /// Features that its tests need.
    features: &'static str,
}

const fn room(
    name: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    features: &'static str,
) -> Room {
    Room {
        name,
        package,
        files,
        features,
    }
}

const CORE: &str = "vehicle-core";

/// All rooms. Core is divided; every other crate is one room.
const ROOMS: [Room; 20] = [
    room(
        "core",
        CORE,
        &[
            "vehicle-core/src/{base,params,exchange,contracts}/**/*.rs",
            "vehicle-core/src/params.rs",
        ],
        "",
    ),
    room("stages", CORE, &["vehicle-core/src/stages/**/*.rs"], ""),
    room(
        "rows",
        CORE,
        &[
            "vehicle-core/src/solvers/rows.rs",
            "vehicle-core/src/solvers/rows/**/*.rs",
        ],
        "",
    ),
    room(
        "explicit",
        CORE,
        &[
            "vehicle-core/src/solvers/explicit.rs",
            "vehicle-core/src/solvers/explicit/**/*.rs",
        ],
        "",
    ),
    room(
        "vehicle",
        CORE,
        &[
            "vehicle-core/src/vehicle.rs",
            "vehicle-core/src/vehicle/**/*.rs",
        ],
        "",
    ),
    room("tire-models", "jounce-tire-models", &[], ""),
    room("drivetrain", "jounce-drivetrain", &[], ""),
    room("driver-input", "jounce-driver-input", &[], ""),
    room("driver-aids", "jounce-driver-aids", &[], ""),
    room("telemetry", "jounce-telemetry", &[], ""),
    room("parry-query", "jounce-parry-query", &[], ""),
    room("jointed-wheels", "jounce-jointed-wheels", &[], ""),
    room("scene-query", "jounce-scene-query", &[], ""),
    room("backend-rapier", "jounce-backend-rapier", &[], ""),
    room(
        "backend-avian",
        "jounce-backend-avian",
        &[],
        "gizmos,bevy/multi_threaded",
    ),
    room("jounce", "jounce", &[], "rayon,typetag"),
    room(
        "proving-ground",
        "jounce-proving-ground",
        &[],
        "rapier,scenarios",
    ),
    room("batch", "jounce-batch", &[], "rayon"),
    room("lab", "jounce-lab", &[], "rayon"),
    room(
        "fit",
        "jounce-lab",
        &["lab/src/fit.rs", "lab/src/fit/*.rs"],
        "",
    ),
];

#[derive(Debug, Args)]
pub(crate) struct Mutants {
    /// Rooms, by default all: core, stages, rows, explicit, vehicle (of vehicle-core), fit (of lab), or a crate
    room: Vec<String>,
    /// Approximate number of mutants of each room; by default all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Only the tests of the room's crate, not the suite
    #[arg(long)]
    own: bool,
}

impl Mutants {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let rooms = self.rooms()?;
        install(cargo)?;
        let mut scores = Vec::new();
        for room in rooms {
            scores.push((room, self.score(cargo, room)?));
        }
        print_table(&scores);
        Ok(())
    }

    fn rooms(&self) -> Result<Vec<&'static Room>, String> {
        if self.room.is_empty() {
            return Ok(ROOMS.iter().collect());
        }
        let find = |name: &String| {
            let names = ROOMS.map(|room| room.name).join(", ");
            let found = ROOMS.iter().find(|room| room.name == name);
            found.ok_or_else(|| format!("{name}: no such room; there are {names}"))
        };
        self.room.iter().map(find).collect()
    }

    fn score(&self, cargo: &Cargo, room: &Room) -> Result<Score, String> {
        let folder = cargo.target().join("mutants-of").join(room.name);
        files::remove(&folder)?;
        fs::create_dir_all(&folder).map_err(files::named(&folder))?;
        let sample = self.sample(cargo, room)?;
        println!("\n== {}: the tests of {}", room.name, room.package);
        let selected = [selection(room), sample].concat();
        run(cargo, room, &folder, &selected, &[])?;
        let own = MutantResults::read(&folder)?;
        let mut missed = own.missed.clone();
        if !self.own && !missed.is_empty() {
            println!("\n== {}: what they missed, and the suite", room.name);
            // If the suite failed without mutants, it would seem to detect all of them.
            cargo.run(&[
                "test",
                "--profile=mutants",
                "--quiet",
                "--package",
                SUITE,
                "--tests",
            ])?;
            let folder = folder.join("suite");
            fs::create_dir_all(&folder).map_err(files::named(&folder))?;
            let tests = ["--test-package", SUITE, "--timeout", SUITE_SECONDS];
            run(cargo, room, &folder, &exactly(room, &missed), &tests)?;
            // In these files, the tool also creates mutants that leave out a field, whatever
            // their names.
            let suite = MutantResults::read(&folder)?;
            missed.retain(|mutant| suite.missed.contains(mutant));
        }
        Ok(Score {
            by_own: own.killed,
            by_suite: own.missed.len() - missed.len(),
            missed,
            unviable: own.unviable,
        })
    }

    /// Arguments for a sample: every k-th mutant, starting at the seed.
    fn sample(&self, cargo: &Cargo, room: &Room) -> Result<Vec<String>, String> {
        let Some(wanted) = self.sample else {
            return Ok(Vec::new());
        };
        let selected = selection(room);
        let mut list = vec!["mutants", "--list"];
        list.extend(selected.iter().map(String::as_str));
        let all = cargo.read(&list)?.lines().count() as u64;
        let parts = (all / wanted).max(1);
        Ok([
            "--shard".to_owned(),
            format!("{}/{parts}", self.seed % parts),
            "--sharding=round-robin".to_owned(),
        ]
        .to_vec())
    }
}

/// Arguments for exactly these mutants of a room.
fn exactly(room: &Room, mutants: &BTreeSet<String>) -> Vec<String> {
    let option = |name: &str, value: &str| [name.to_owned(), value.to_owned()];
    let one = |name: &String| {
        let file = name.split(':').next().unwrap_or_default();
        let pattern = format!("^{}$", escaped(name));
        [option("--file", file), option("--re", &pattern)].concat()
    };
    let package = option("--package", room.package);
    package
        .into_iter()
        .chain(mutants.iter().flat_map(one))
        .collect()
}

/// A regular expression that matches only this text.
fn escaped(text: &str) -> String {
    let escape = |c: char| {
        let backslash = r"\.+*?()|[]{}^$".contains(c).then_some('\\');
        backslash.into_iter().chain([c])
    };
    text.chars().flat_map(escape).collect()
}

/// Rooms whose tests need no engine to be built.
const LIGHT: [&str; 10] = [
    "core",
    "stages",
    "rows",
    "explicit",
    "vehicle",
    "tire-models",
    "drivetrain",
    "driver-input",
    "driver-aids",
    "telemetry",
];

/// A few mutants of one room, different ones each day. Only a report: surviving mutants, or a tool
/// that could not be installed, do not fail.
pub(crate) fn of_the_day(cargo: &Cargo) -> Result<(), String> {
    const SECONDS: u64 = 24 * 60 * 60;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let day = now.map_or(0, |time| time.as_secs() / SECONDS);
    let room = LIGHT[day as usize % LIGHT.len()].to_owned();
    let chore = Mutants {
        room: vec![room],
        sample: Some(6),
        seed: day,
        own: true,
    };
    if let Err(message) = chore.run(cargo) {
        println!("no figures: {message}");
    }
    Ok(())
}

/// Installs the tool where it is missing.
fn install(cargo: &Cargo) -> Result<(), String> {
    let asked = cargo
        .command(&["mutants", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if asked.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    cargo.run(&["install", "cargo-mutants", "--locked", "--version", VERSION])
}

/// The arguments that select the mutants of a room.
fn selection(room: &Room) -> Vec<String> {
    let files = room.files.iter().flat_map(|file| ["--file", file]);
    let words = ["--package", room.package].into_iter().chain(files);
    words.map(str::to_owned).collect()
}

/// Runs the tool on a copy of the workspace; mutants that are missed are no error.
fn run(
    cargo: &Cargo,
    room: &Room,
    folder: &Path,
    selected: &[String],
    tests: &[&str],
) -> Result<(), String> {
    let output = folder.display().to_string();
    let mut arguments = vec!["mutants", "--profile=mutants", "--colors=never"];
    // Without doctests, which would be compiled each time.
    arguments.extend(["--cargo-test-arg=--tests", "--output", &output]);
    let newer = cargo
        .newer_rust()?
        .map(|flag| format!("--cargo-arg={flag}"));
    arguments.extend(newer.as_deref());
    arguments.extend(selected.iter().map(String::as_str));
    arguments.extend(tests);
    // The features of a room's crate are not features of the suite.
    if tests.is_empty() && !room.features.is_empty() {
        arguments.extend(["--features", room.features]);
    }
    // 2: some were missed. 3: some timed out.
    let what = || format!("cargo {}", arguments.join(" "));
    let status = cargo.command(&arguments).status();
    let status = status.map_err(|error| format!("{}: {error}", what()))?;
    match status.code() {
        Some(0 | 2 | 3) => Ok(()),
        _ => Err(format!("{}: {status}", what())),
    }
}

/// Results that a run of the tool wrote to its folder.
struct MutantResults {
    missed: BTreeSet<String>,
    killed: usize,
    unviable: usize,
}

impl MutantResults {
    fn read(folder: &Path) -> Result<Self, String> {
        let list = |name: &str| -> Result<BTreeSet<String>, String> {
            let path: PathBuf = folder.join("mutants.out").join(name);
            Ok(files::read(&path)?.lines().map(str::to_owned).collect())
        };
        Ok(Self {
            missed: list("missed.txt")?,
            // A test that times out has detected the fault, too.
            killed: list("caught.txt")?.len() + list("timeout.txt")?.len(),
            unviable: list("unviable.txt")?.len(),
        })
    }
}

/// Mutation score of a room.
struct Score {
    by_own: usize,
    by_suite: usize,
    missed: BTreeSet<String>,
    unviable: usize,
}

fn print_table(scores: &[(&Room, Score)]) {
    for (_, score) in scores {
        score
            .missed
            .iter()
            .for_each(|name| println!("missed: {name}"));
    }
    println!("\nroom            viable  killed by own crate  by the suite  missed     %  unviable");
    for (room, score) in scores {
        let missed = score.missed.len();
        let viable = score.by_own + score.by_suite + missed;
        let percent = 100.0 * missed as f64 / viable.max(1) as f64;
        println!(
            "{:<14} {viable:>7}  {:>19}  {:>12}  {missed:>6}  {percent:>4.1}  {:>8}",
            room.name, score.by_own, score.by_suite, score.unviable
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_mutant_is_selected_by_its_full_name() {
        let name = "src/a.rs:3:9: replace + with * in a::<T> -> Option<(f32)>";
        let asked = exactly(&ROOMS[0], &BTreeSet::from([name.to_owned()]));
        let whole = r"^src/a\.rs:3:9: replace \+ with \* in a::<T> -> Option<\(f32\)>$";
        assert_eq!(
            asked,
            ["--package", CORE, "--file", "src/a.rs", "--re", whole]
        );
    }
}
