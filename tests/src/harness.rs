//! `cargo test`: one test per behavior, with the arguments and output of Rust's own harness.
//!
//! The tests of one backend run in a process each: an engine in another language may abort instead
//! of panicking, and then loses one case, not the run.

use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use proving_ground::world::WorldKind;

use crate::backend::Backend;
use crate::case::{Case, Tier};
pub use crate::finding::Ending;
use crate::finding::{NO_FAILURE, Verdict};
use crate::stability::{self, Preset, StabilityCase, StabilityRow};
use crate::suite::{cases, unknown_failures};

/// Reference of the courses.
const JUDGE: WorldKind = WorldKind::Standalone;

/// One test.
pub struct Trial {
    name: String,
    run: Box<dyn FnOnce() -> Result<Ending, String> + Send>,
}

impl core::fmt::Debug for Trial {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Trial")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Trial {
    /// A test with this name, which fails with a message or by a panic.
    pub fn new(
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> Self {
        Self::ending(name, || run().map(|()| Ending::Passed))
    }

    /// A test with this name that passes, fails with a message or a panic, or ends otherwise.
    pub fn ending(
        name: impl Into<String>,
        run: impl FnOnce() -> Result<Ending, String> + Send + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }
}

/// Runs every case in a backend as a separate test: the whole main function of a test with `harness
/// = false`.
#[must_use]
pub fn main_for(backend: &'static dyn Backend) -> ExitCode {
    run_apart(trials(backend))
}

/// Measures every row of the [trust table](crate::stability) in a backend, one test per row, and
/// prints it: the whole main function of another test with `harness = false`.
///
/// A row that is listed under its [name](StabilityCase::name) in
/// [`Backend::expected_failures`] must be out of its bound. One about an ability that the world lacks is not asked.
#[must_use]
pub fn trust_for(backend: &'static dyn Backend) -> ExitCode {
    run_apart(rows(backend))
}

/// One test per case. Courses are compared with the standalone world, which has no reference
/// itself.
pub fn trials(backend: &'static dyn Backend) -> Vec<Trial> {
    let judge = backend.name() == JUDGE.name();
    let cases = cases().filter(|case| !judge || case.tier != Tier::Agreement);
    let tests = cases.map(|case| trial(backend, case));
    let list = move || match &unknown_failures(backend)[..] {
        [] => Ok(()),
        unknown => Err(format!("no case is called {unknown:?}")),
    };
    let name = format!("{}::expected failures are of cases", backend.name());
    tests
        .chain([Trial::new(name.replace(' ', "_"), list)])
        .collect()
}

/// One test per row of the trust table.
pub fn rows(backend: &'static dyn Backend) -> Vec<Trial> {
    let row = |case: &'static StabilityCase| {
        let name = format!("{}::trust::{}", backend.name(), case.name);
        row_trial(
            name,
            case,
            (backend, WorldKind::Other(backend)),
            Preset::Shipped,
        )
    };
    stability::CASES.iter().map(row).collect()
}

/// The test of one row of the trust table in the world of a backend, under a name; strict for rows that the backend lists.
#[must_use]
pub fn row_trial(
    name: String,
    case: &'static StabilityCase,
    (backend, world): (&'static dyn Backend, WorldKind),
    preset: Preset,
) -> Trial {
    listed_trial(name, (backend, preset.key(case)), move || {
        let heading = stability::heading(world.name(), preset);
        (heading, StabilityRow::of(case, world, preset))
    })
}

/// The test of a row that is `measured`, with a heading; strict if the backend lists its key.
#[must_use]
pub fn listed_trial(
    name: String,
    (backend, key): (&'static dyn Backend, String),
    measured: impl Fn() -> (String, StabilityRow) + Send + 'static,
) -> Trial {
    Trial::ending(name, move || {
        let (heading, row) = measured();
        let listed = backend.expected_failures();
        let listed = listed.iter().any(|expected| expected.case == key);
        let ending = match (row.ending(), listed) {
            (Some(Ending::Passed), true) => return Err(format!("{heading}\n{row}\n{NO_FAILURE}")),
            (None, false) => return Err(format!("{heading}\n{row}")),
            (_, true) => Ending::Expected,
            (Some(ending), false) => ending,
        };
        println!("{row}");
        Ok(ending)
    })
}

fn trial(backend: &'static dyn Backend, case: &'static Case) -> Trial {
    let name = format!("{}::{}::{}", backend.name(), case.tier.letter(), case.name);
    Trial::ending(name.replace(' ', "_"), move || {
        let finding = case.find(backend, &[&JUDGE]);
        match finding.verdict {
            Verdict::Pass => Ok(Ending::Passed),
            Verdict::Expected(_) => Ok(Ending::Expected),
            _ => Err(format!("{}: {}", case.name, finding.complaint(case))),
        }
    })
}

/// Runs tests according to the command line: name filters, `--exact`, `--skip`, `--list` and
/// `--test-threads` work as in Rust's own harness; options for the output are ignored.
#[must_use]
pub fn run(trials: Vec<Trial>) -> ExitCode {
    match Selection::read(std::env::args().skip(1)) {
        Ok(arguments) => carry_out(&arguments, trials),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one test in this process; its name follows.
const IN_PROCESS: &str = "--in-process";

/// Runs tests by the words of the command line, each in a process of its own.
#[must_use]
pub fn run_apart(trials: Vec<Trial>) -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some(IN_PROCESS) {
        let name = words.next();
        let named = |trial: &Trial| Some(&trial.name) == name.as_ref();
        return in_process(trials.into_iter().find(named));
    }
    let apart = |trial: Trial| {
        let name = trial.name;
        Trial::ending(name.clone(), move || {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            finished(Command::new(program).args([IN_PROCESS, &name]))
        })
    };
    run(trials.into_iter().map(apart).collect())
}

fn in_process(trial: Option<Trial>) -> ExitCode {
    match trial.map(|trial| (trial.run)()) {
        Some(Ok(ending)) => ExitCode::from(ending.code()),
        Some(Err(text)) => {
            println!("{text}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("no such test");
            ExitCode::FAILURE
        }
    }
}

/// Runs a test's process to its end, and passes on what it prints.
fn finished(command: &mut Command) -> Result<Ending, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let code = output.status.code();
    let known = |ending: &Ending| code == Some(ending.code().into());
    if let Some(ending) = Ending::ALL.into_iter().find(known) {
        print!("{text}");
        return Ok(ending);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{text}{errors}{}", output.status))
}

fn carry_out(arguments: &Selection, trials: Vec<Trial>) -> ExitCode {
    let all = trials.len();
    let chosen: Vec<Trial> = (trials.into_iter())
        .filter(|trial| arguments.choose(&trial.name))
        .collect();
    let left_out = all - chosen.len();
    if arguments.list {
        chosen
            .iter()
            .for_each(|trial| println!("{}: test", trial.name));
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests", chosen.len());
    let start = Instant::now();
    let Endings { good, failures } = run_all(chosen, arguments.threads);
    if !failures.is_empty() {
        println!("\nfailures:\n");
    }
    for (name, text) in &failures {
        println!("---- {name} ----\n{text}\n");
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; {} failed as expected; {} not asked; {left_out} \
         filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        good[0],
        failures.len(),
        good[1],
        good[2],
        start.elapsed().as_secs_f32(),
    );
    ExitCode::from(if failures.is_empty() { 0 } else { 101 })
}

/// Ends of tests.
#[derive(Debug, Default)]
struct Endings {
    /// Number of tests with each [`Ending`], in the order of [`Ending::ALL`].
    good: [usize; 3],
    /// Names and messages of failed ones.
    failures: Vec<(String, String)>,
}

/// Runs tests on this number of threads.
fn run_all(trials: Vec<Trial>, threads: usize) -> Endings {
    let (queue, endings) = (
        Mutex::new(trials.into_iter()),
        Mutex::new(Endings::default()),
    );
    let next = || queue.lock().expect("no thread panics").next();
    let work = || {
        while let Some(Trial { name, run }) = next() {
            let result = catch_unwind(AssertUnwindSafe(run));
            let result = result.unwrap_or_else(|_| Err("it panics".to_owned()));
            let verdict = result.as_ref().map_or("FAILED", |ending| ending.word());
            println!("test {name} ... {verdict}");
            let mut endings = endings.lock().expect("no thread panics");
            match result {
                Ok(ending) => endings.good[ending as usize] += 1,
                Err(text) => endings.failures.push((name, text)),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    endings.into_inner().expect("no thread panics")
}

/// The parsed command line.
#[derive(Debug, PartialEq, Eq)]
struct Selection {
    /// Tests whose names contain one of these; all if empty.
    wanted: Vec<String>,
    /// Excludes names that contain one of these.
    skipped: Vec<String>,
    /// Names must match completely.
    exact: bool,
    /// Only lists names.
    list: bool,
    /// Selects only ignored tests, of which there are none.
    ignored: bool,
    threads: usize,
}

impl Selection {
    fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut read = Self {
            wanted: Vec::new(),
            skipped: Vec::new(),
            exact: false,
            list: false,
            ignored: false,
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        // `--option=value` is `--option value`.
        let mut words = words.flat_map(|word| match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => {
                vec![option.to_owned(), value.to_owned()]
            }
            _ => vec![word],
        });
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .ok_or_else(|| format!("{word}: lacks its value"))
            };
            match &*word {
                "--exact" => read.exact = true,
                "--list" => read.list = true,
                "--ignored" => read.ignored = true,
                "--skip" => read.skipped.push(value()?),
                "--test-threads" => {
                    let threads = value()?;
                    let count = threads.parse().ok().filter(|count| *count > 0);
                    read.threads = count.ok_or(format!("--test-threads {threads}: no count"))?;
                }
                "--format" | "--color" | "--logfile" | "-Z" => drop(value()?),
                "-q" | "--quiet" | "--nocapture" | "--no-capture" | "--show-output"
                | "--include-ignored" | "--test" | "--bench" => {}
                option if option.starts_with('-') => return Err(format!("{option}: unknown")),
                _ => read.wanted.push(word),
            }
        }
        Ok(read)
    }

    fn choose(&self, name: &str) -> bool {
        let named = |list: &[String]| {
            list.iter().any(|part| {
                if self.exact {
                    name == part
                } else {
                    name.contains(&**part)
                }
            })
        };
        !self.ignored && (self.wanted.is_empty() || named(&self.wanted)) && !named(&self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Selection, String> {
        Selection::read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn names_are_selected_as_by_rusts_harness() {
        let choose = |line: &str, name: &str| read(line).unwrap().choose(name);
        assert!(choose("", "a::b") && choose("x b --quiet", "a::b"));
        assert!(!choose("b --skip a", "a::b") && !choose("--skip=a", "a::b"));
        assert!(!choose("--exact b", "a::b") && choose("--exact a::b", "a::b"));
        assert!(!choose("--ignored", "a::b") && choose("--format terse", "a::b"));
    }

    #[test]
    fn options_are_read_and_others_refused() {
        let arguments = read("--test-threads=3 --list").unwrap();
        assert!(arguments.list && arguments.threads == 3);
        for bad in ["--test-threads 0", "--test-threads", "--lost"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    /// Set in the process that is to abort.
    const ABORT: &str = "JOUNCE_ABORT";

    #[test]
    fn aborts() {
        if std::env::var_os(ABORT).is_some() {
            std::process::abort();
        }
    }

    #[test]
    fn an_abort_ends_one_process() {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--exact", "harness::tests::aborts"]);
        assert_eq!(finished(&mut program), Ok(Ending::Passed));
        let message = finished(program.env(ABORT, "1")).unwrap_err();
        assert!(
            message.contains("signal") || message.contains("exit"),
            "{message}"
        );
    }

    #[test]
    fn endings_are_counted_apart_and_a_panic_is_a_failure() {
        let trials = vec![
            Trial::new("sound", || Ok(())),
            Trial::ending("known", || Ok(Ending::Expected)),
            Trial::ending("lacking", || Ok(Ending::NotAsked)),
            Trial::ending("lacking, too", || Ok(Ending::NotAsked)),
            Trial::new("wrong", || Err("why".to_owned())),
            Trial::new("panics", || panic!("on purpose")),
        ];
        let Endings { good, mut failures } = run_all(trials, 2);
        assert_eq!(good, [1, 1, 2]);
        failures.sort();
        let failures: Vec<_> = failures.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(failures, [("panics", "it panics"), ("wrong", "why")]);
    }
}
