//! `cargo xtask test`: one call of cargo builds every test; then each core runs one test program
//! after another, with one test at a time, so that the time of each test is known.

mod failures;
mod program;

use core::cmp::Reverse;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use clap::Args;

use crate::cargo::{Cargo, LONG, finish};
use crate::engines::{self, Engine};
use program::{Part, Program, ProgramRun, build};

/// How many of the slowest tests are listed.
const SLOWEST: usize = 10;

/// Arguments that build and test the members that the workspace builds by default, with one set of features, so that nothing
/// is compiled twice.
pub(crate) const EVERYTHING: [&str; 3] = [
    "--release",
    "--features",
    // With tests that no member enables.
    "jounce/rayon,jounce/typetag,jounce-batch/rayon,jounce-lab/rayon",
];

/// Parts of the names of tests that the quick form leaves out: rows of the suite on Rapier, and of further vehicles.
const SLOW: [&str; 2] = [RAPIER, "others::"];
const RAPIER: &str = "rapier::";

#[derive(Debug, Default, Args)]
pub(crate) struct Test {
    /// The long form of the slow tests, and every row of the suite on Rapier, as in CI
    #[arg(long)]
    pub(crate) long: bool,
    /// Only what tells within two minutes, once built: without Rapier and further vehicles in the suite, and without
    /// documentation
    #[arg(long, conflicts_with_all = ["long", "rest"])]
    pub(crate) quick: bool,
    /// Instead, the tests that other engines take part in, in their long form: Avian, and Box3D and Jolt as far as their
    /// compilers are here
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
            return self.run_engines(cargo);
        }
        if !self.rest.is_empty() {
            return self.run_rest(cargo);
        }
        let on_rapier = [
            Part::new("rapier", &[RAPIER]),
            Part::new("others", &["--skip", RAPIER]),
        ];
        self.run_everything(cargo, &EVERYTHING, &[], &on_rapier)
    }

    /// Tests everything that other engines take part in.
    fn run_engines(&self, cargo: &Cargo) -> Result<(), String> {
        let results = engines::groups().into_iter().map(|group| {
            let (arguments, targets) = (group.arguments(cargo)?, group.targets(cargo)?);
            let part = |engine: &&Engine| Part::new(engine.name, &[&format!("{}::", engine.name)]);
            let parts: Vec<Part> = group.engines.iter().map(part).collect();
            self.run_everything(cargo, &words(&arguments), &words(&targets), &parts)
        });
        results.fold(Ok(()), Result::and)
    }

    /// Runs cargo with the user's arguments.
    fn run_rest(&self, cargo: &Cargo) -> Result<(), String> {
        let rest = words(&self.rest);
        // A package named by the user replaces the workspace.
        let named = |word: &&str| *word == "-p" || word.starts_with("--package");
        let count = if rest.iter().any(named) {
            1
        } else {
            EVERYTHING.len()
        };
        let arguments = [&["test", "--no-fail-fast"], &EVERYTHING[..count], &rest].concat();
        finish(cargo.command(&arguments).envs(self.variables()), &arguments)
    }

    /// Builds the programs that `targets` choose (none: all) and runs them, the suite in parts; then the programs of
    /// documentation.
    fn run_everything(
        &self,
        cargo: &Cargo,
        everything: &[&str],
        targets: &[&str],
        parts: &[Part],
    ) -> Result<(), String> {
        let programs = build(cargo, &[everything, targets].concat(), parts)?;
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
        (self.long || self.engines).then_some(LONG)
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

pub(crate) fn words(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
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
