//! `cargo xtask test`: one call of cargo builds every test; then each core runs one test program
//! after another, with one test at a time, so that the time of each test is known.

mod failures;

use core::cmp::Reverse;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use clap::Args;
use serde_json::Value;

use crate::cargo::{Cargo, LONG, finish};
use crate::engines;

/// How many of the slowest tests are listed.
const SLOWEST: usize = 10;

/// Arguments that build and test the whole workspace, with one set of features, so that nothing is
/// compiled twice.
pub(crate) fn everything(cargo: &Cargo) -> Result<Vec<&'static str>, String> {
    let mut arguments = vec!["--release", "--workspace", "--features", FEATURES];
    arguments.extend(engines::LEFT_OUT);
    arguments.extend(cargo.newer_rust()?);
    Ok(arguments)
}

/// Avian as an additional world, Bevy's threads, as in a game, and features with tests that no
/// member enables.
const FEATURES: &str = "jounce/rayon,jounce/typetag,jounce-lab/rayon,vehicle-conformance/avian,\
                        five-worlds/avian,bevy/multi_threaded";

/// What Bevy draws has some fifty crates more to compile, minutes of one core: the long form tests it, and lints
/// read it.
pub(crate) const GIZMOS: [&str; 2] = ["--features", "backend-avian/gizmos"];

/// Parts of the names of tests that the quick form leaves out: rows of the suite on other worlds, and of further vehicles.
const SLOW: [&str; 3] = ["rapier::", "avian::", "others::"];

#[derive(Debug, Default, Args)]
pub(crate) struct Test {
    /// The long form of the slow tests, every row of the suite in every world, and the test of what Bevy draws, as in CI
    #[arg(long)]
    pub(crate) long: bool,
    /// Only what tells within two minutes, once built: without other worlds and further vehicles in the suite, and without
    /// documentation
    #[arg(long, conflicts_with_all = ["long", "rest"])]
    pub(crate) quick: bool,
    /// Instead, the tests of engines in other languages, Box3D and Jolt, as far as their compilers are here
    #[arg(long, conflicts_with_all = ["long", "quick", "rest"])]
    pub(crate) engines: bool,
    /// Arguments for `cargo test`, for example `-p vehicle-core` or `-- sticky`; cargo then runs
    /// the tests
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<String>,
}

impl Test {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        if self.engines {
            return engines::test(cargo);
        }
        let mut everything = everything(cargo)?;
        if self.long {
            everything.extend(GIZMOS);
        }
        if self.rest.is_empty() {
            self.run_everything(cargo, &everything)
        } else {
            self.run_rest(cargo, &everything)
        }
    }

    /// Runs cargo with the user's arguments.
    fn run_rest(&self, cargo: &Cargo, everything: &[&str]) -> Result<(), String> {
        let rest: Vec<&str> = self.rest.iter().map(String::as_str).collect();
        // A package named by the user replaces the workspace.
        let named = |word: &&str| *word == "-p" || word.starts_with("--package");
        let count = if rest.iter().any(named) {
            1
        } else {
            everything.len()
        };
        let arguments = [&["test", "--no-fail-fast"], &everything[..count], &rest].concat();
        finish(cargo.command(&arguments).envs(self.variables()), &arguments)
    }

    fn run_everything(&self, cargo: &Cargo, everything: &[&str]) -> Result<(), String> {
        let programs = build(cargo, everything)?;
        let start = Instant::now();
        let done = self.run_all(&programs);
        let took = start.elapsed();
        let documentation = [&["test", "--doc", "--no-fail-fast"], everything].concat();
        let documentation = if self.quick {
            Ok(())
        } else {
            cargo.run(&documentation)
        };
        print_slowest(&done);
        println!("{} programs took {:.0} s", done.len(), took.as_secs_f32());
        let failed: Vec<&str> = done.iter().filter_map(ProgramRun::print_failures).collect();
        if failed.is_empty() {
            documentation
        } else {
            Err(format!("tests failed: {}", failed.join(", ")))
        }
    }

    /// Environment variables of its tests.
    fn variables(&self) -> Option<(&'static str, &'static str)> {
        self.long.then_some(LONG)
    }

    /// Parts of the names of tests that are left out.
    fn left_out(&self) -> &'static [&'static str] {
        if self.quick { &SLOW } else { &[] }
    }

    /// Runs programs on all cores; prints the output of each when it has ended.
    fn run_all(&self, programs: &[Program]) -> Vec<ProgramRun> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let work = || {
            while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (run, text) = program.run(self.variables(), self.left_out());
                let mut done = done.lock().expect("no thread panics");
                println!("\n== {}\n{text}", run.name);
                done.push(run);
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
        done.into_inner().expect("no thread panics")
    }
}

/// A test program.
struct Program {
    name: String,
    executable: PathBuf,
    /// The folder of its package, in which cargo starts it.
    folder: PathBuf,
}

/// Builds every test program.
fn build(cargo: &Cargo, everything: &[&str]) -> Result<Vec<Program>, String> {
    let messages = [
        "test",
        "--no-run",
        "--message-format=json-render-diagnostics",
    ];
    let text = cargo.read(&[&messages[..], everything].concat())?;
    let programs = text.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        Program::of(&message)
    });
    Ok(programs.collect())
}

impl Program {
    /// The program that a message of cargo names, if any.
    fn of(message: &Value) -> Option<Self> {
        let tests = message["profile"]["test"].as_bool()?;
        let executable = message["executable"].as_str()?;
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
        let package = folder.file_name()?.to_string_lossy();
        let target = message["target"]["name"].as_str()?;
        tests.then(|| Self {
            name: format!("{package}: {target}"),
            executable: executable.into(),
            folder: folder.into(),
        })
    }
}

/// Result of a program.
struct ProgramRun {
    name: String,
    /// Why it failed, if it did.
    failures: Option<String>,
    /// Its tests with their times.
    tests: Vec<(Duration, String)>,
}

impl Program {
    /// Runs it and returns the result and the output.
    fn run(&self, variables: Option<(&str, &str)>, left_out: &[&str]) -> (ProgramRun, String) {
        let mut log = Log::new();
        let passed = self.follow(variables, left_out, &mut log);
        let passed = passed.unwrap_or_else(|error| {
            log.text += &format!("{}: {error}\n", self.executable.display());
            false
        });
        let run = ProgramRun {
            name: self.name.clone(),
            failures: (!passed).then(|| failures::of(&log.text).join("\n    ")),
            tests: log.tests,
        };
        (run, log.text)
    }

    fn follow(
        &self,
        variables: Option<(&str, &str)>,
        left_out: &[&str],
        log: &mut Log,
    ) -> std::io::Result<bool> {
        let (reader, writer) = std::io::pipe()?;
        let mut command = Command::new(&self.executable);
        command
            .arg("--test-threads=1")
            .args(left_out.iter().flat_map(|part| ["--skip", *part]))
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .envs(variables)
            .stdin(Stdio::null())
            .stderr(writer.try_clone()?)
            .stdout(writer);
        let mut child = command.spawn()?;
        // The command holds ends of the pipe that would keep it open.
        drop(command);
        log.read(reader)?;
        Ok(child.wait()?.success())
    }
}

impl ProgramRun {
    /// Prints why it failed and returns its name, if it did.
    fn print_failures(&self) -> Option<&str> {
        let failures = self.failures.as_ref()?;
        println!("\n== {} failed\n    {failures}", self.name);
        Some(&self.name)
    }
}

/// Output of a program, with times.
struct Log {
    text: String,
    tests: Vec<(Duration, String)>,
    /// The current test, if its name precedes its output.
    running: Option<String>,
    /// End of the previous test.
    last: Instant,
}

impl Log {
    fn new() -> Self {
        Self {
            text: String::new(),
            tests: Vec::new(),
            running: None,
            last: Instant::now(),
        }
    }

    fn read(&mut self, reader: impl Read) -> std::io::Result<()> {
        for line in BufReader::new(reader).split(b'\n') {
            self.line(&String::from_utf8_lossy(&line?));
        }
        Ok(())
    }

    /// Handles a line: `test NAME ... VERDICT`, where NAME may be a few lines above VERDICT.
    fn line(&mut self, line: &str) {
        let begun = line
            .strip_prefix("test ")
            .and_then(|rest| rest.split_once(" ... "));
        let printed = match begun {
            Some((name, rest)) => {
                self.running = Some(name.trim_end().to_owned());
                rest
            }
            None => line,
        };
        let verdict = ["ok", "FAILED", "ignored"]
            .into_iter()
            .find(|word| printed.starts_with(word));
        match (verdict, self.running.take()) {
            (Some(_), Some(name)) => {
                self.text += &format!("test {name} ... {printed}\n");
                self.tests.push((self.last.elapsed(), name));
                self.last = Instant::now();
            }
            (_, running) => {
                self.running = running;
                self.text += printed;
                self.text += "\n";
            }
        }
    }
}

fn print_slowest(done: &[ProgramRun]) {
    let named = |run: &'_ ProgramRun| {
        let tests = run.tests.iter();
        let named = tests.map(|(time, test)| (*time, format!("{}: {test}", run.name)));
        named.collect::<Vec<_>>()
    };
    let mut tests: Vec<_> = done.iter().flat_map(named).collect();
    tests.sort_by_key(|test| Reverse(test.0));
    let sum: Duration = tests.iter().map(|test| test.0).sum();
    println!(
        "\n{} tests took {:.0} s of one core; the slowest:",
        tests.len(),
        sum.as_secs_f32()
    );
    for (time, name) in tests.iter().take(SLOWEST) {
        println!("{:>7.2} s  {name}", time.as_secs_f32());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lines: &[&str]) -> Log {
        let mut log = Log::new();
        lines.iter().for_each(|line| log.line(line));
        log
    }

    #[test]
    fn verdicts_are_found_where_a_test_prints_lines_of_its_own() {
        let log = log(&[
            "test a     ... mf52 3 1e-9 1e-8",
            "ok",
            "test b::c ... FAILED",
            "ok then",
        ]);
        let names: Vec<&str> = log.tests.iter().map(|test| test.1.as_str()).collect();
        assert_eq!(names, ["a", "b::c"]);
        assert_eq!(
            log.text,
            "mf52 3 1e-9 1e-8\ntest a ... ok\ntest b::c ... FAILED\nok then\n"
        );
    }

    #[test]
    fn programs_are_told_from_other_messages() {
        let message = |tests: bool| {
            serde_json::json!({
                "profile": { "test": tests },
                "executable": "/t/x-1",
                "manifest_path": "/w/core/Cargo.toml",
                "target": { "name": "x" },
            })
        };
        assert_eq!(
            Program::of(&message(true)).map(|p| p.name).as_deref(),
            Some("core: x")
        );
        assert!(Program::of(&message(false)).is_none());
        assert!(Program::of(&serde_json::json!({ "reason": "build-finished" })).is_none());
    }
}
