//! Test programs: built by one call of cargo, and run with the time of each test.

use core::time::Duration;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::failures;
use crate::cargo::Cargo;

/// A program that takes longer than all others together; its tests run in parts, which cores share.
const DIVIDED: &str = "tests: suite";

/// A part of the tests of a program.
pub(super) struct Part {
    name: String,
    /// Arguments that choose its tests.
    chosen: Vec<String>,
}

impl Part {
    pub(super) fn new(name: &str, chosen: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            chosen: chosen.iter().map(|&word| word.to_owned()).collect(),
        }
    }
}

/// A test program, or a part of its tests.
#[derive(Clone)]
pub(super) struct Program {
    name: String,
    executable: PathBuf,
    /// The folder of its package, in which cargo starts it.
    folder: PathBuf,
    /// Arguments that choose its tests.
    chosen: Vec<String>,
}

/// Builds every test program; the longest is divided into these parts.
pub(super) fn build(
    cargo: &Cargo,
    everything: &[&str],
    parts: &[Part],
) -> Result<Vec<Program>, String> {
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
    let mut programs: Vec<Program> = programs
        .flat_map(|program| program.divided(parts))
        .collect();
    // The longest first, so that all cores end at about the same time.
    programs.sort_by_key(|program| program.chosen.is_empty());
    Ok(programs)
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
            chosen: Vec::new(),
        })
    }

    /// The program, in parts if it is the long one.
    fn divided(self, parts: &[Part]) -> Vec<Self> {
        if self.name != DIVIDED {
            return vec![self];
        }
        let part = |part: &Part| Self {
            name: format!("{} {}", self.name, part.name),
            chosen: part.chosen.clone(),
            ..self.clone()
        };
        parts.iter().map(part).collect()
    }
}

/// Result of a program.
pub(super) struct ProgramRun {
    pub(super) name: String,
    /// Why it failed, if it did.
    failures: Option<String>,
    /// Its tests with their times.
    pub(super) tests: Vec<(Duration, String)>,
}

impl Program {
    /// Runs it and returns the result and the output.
    pub(super) fn run(
        &self,
        variables: Option<(&str, &str)>,
        left_out: &[&str],
    ) -> (ProgramRun, String) {
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
            .args(&self.chosen)
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
    pub(super) fn print_failures(&self) -> Option<&str> {
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
