//! Development tasks; `cargo xtask help` lists them.
#![forbid(unsafe_code)]

mod cargo;
mod files;
mod machine;
mod progress;
mod modules;
mod arrows;
mod bench;
mod deps;
mod generated;
mod screen;
mod film;
mod movie;
mod book;
mod programs;
mod mutants;
mod openings;
mod package;
mod sources;
mod surface;
mod engines;
mod apart;
mod showroom;
mod site;
mod bits;
mod test;
mod sections;
mod callgrind;
mod case_table;
mod profile;
mod kinds;
mod instructions;
mod peers;
mod python;
mod python_bench;
mod ci;
mod conformance;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use bits::Bits;
use book::Gallery;
use cargo::Cargo;
use ci::Ci;
use conformance::{Conformance, Scenarios};
use mutants::Mutants;
use python::Python;
use showroom::ShowroomChore;
use site::Site;
use test::Test;
use validate::Validate;

/// The section on build folders in `--help`.
const BUILDS: &str = "\
Build outputs go to $CARGO_TARGET_DIR, by default to `target` in this clone. Everything is built in the
release profile, so that engines are built once.";

/// Development tasks of the project
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = BUILDS)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run every test: unit, property, reference data, documentation
    Test(Test),
    /// Run everything that CI runs: formatting, rules, lints, documentation, one drive, packages,
    /// all tests
    Ci(Ci),
    /// Check the rules for dependencies between crates and modules, and for the text of sources
    Deps,
    /// Compile the programs of the book and the readme with the manifests that their pages show
    Programs,
    /// Pack the crates, unpack and compile them elsewhere, and test a third-party crate against
    /// them
    Package,
    /// Compare every world with the contracts, closed-form solutions and the other worlds
    Conformance(Conformance),
    /// Build the showroom's page, and try its window and its page as far as the tools are here
    Showroom(ShowroomChore),
    /// Hold cars against closed forms and against drives recorded from other programs
    Validate(Validate),
    /// Build the Python package into an environment of its own, and run its tests, its examples and the checks of its types
    Python(Python),
    /// Run mutation tests: put small faults into the code, one at a time, and count those that no
    /// test detects
    Mutants(Mutants),
    /// Measure updates, frames, tires, snapshots and loading, and print medians (`ns` per vehicle)
    Bench {
        /// Print one JSON object and nothing else on standard output
        #[arg(long, conflicts_with = "instructions")]
        json: bool,
        /// Instead, count the instructions of an update with valgrind and hold them against the stored counts
        #[arg(long, group = "stored")]
        instructions: bool,
        /// Instead, time PhysX and Rapier's vehicle controller beside Jounce; takes a C++ compiler, and minutes to build
        #[arg(long, group = "stored")]
        peers: bool,
        /// Instead, time cars of the Python package beside those of other Python programs, which are installed; builds minutes
        #[arg(long, conflicts_with = "stored")]
        python: bool,
        /// Store the counts and benches/INSTRUCTIONS.md, or the tables and the picture of docs/PERFORMANCE.md
        #[arg(long, requires = "stored")]
        accept: bool,
    },
    /// Write the generated terrain, vehicles/hills.obj
    Terrain {
        /// Only compare the file with the generated one
        #[arg(long)]
        check: bool,
    },
    /// Build the book in the build folder, and check every link in it
    Book,
    /// Make the site: the showroom's page in front, book, documentation of the crates, benchmarks, pictures; check its links, and
    /// drive on it in a browser
    Site(Site),
    /// Draw every picture of README and book anew, by driving
    Gallery(Gallery),
    /// Accept the current golden drives: rewrite traces and hashes in tests/golden
    Bless,
    /// Build the golden drives for other platforms, and compare their bits with the stored hashes
    Bits(Bits),
    /// Print headers of random PhysX scenarios, one object per line
    Scenarios(Scenarios),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cargo = Cargo::new();
    let result = match arguments.task {
        Task::Test(chore) => chore.run(&cargo),
        Task::Ci(chore) => chore.run(&cargo),
        Task::Deps => ci::rules(&cargo),
        Task::Programs => programs::check(&cargo),
        Task::Package => package::check(&cargo),
        Task::Conformance(chore) => chore.run(&cargo),
        Task::Showroom(chore) => chore.run(&cargo),
        Task::Validate(chore) => chore.run(&cargo),
        Task::Python(chore) => chore.run(&cargo),
        Task::Mutants(chore) => chore.run(&cargo),
        Task::Bench {
            instructions: true,
            accept,
            ..
        } => instructions::run(&cargo, accept),
        Task::Bench {
            peers: true,
            json,
            accept,
            ..
        } => peers::run(&cargo, json, accept),
        Task::Bench {
            python: true, json, ..
        } => python_bench::run(&cargo, json),
        Task::Bench { json, .. } => bench::run(&cargo, json),
        Task::Terrain { check } => generated::terrain(&cargo, check),
        Task::Book => book::pages(&cargo).map(drop),
        Task::Site(chore) => chore.run(&cargo),
        Task::Gallery(chore) => chore.run(&cargo),
        Task::Bless => bits::bless(&cargo),
        Task::Bits(chore) => chore.run(&cargo),
        Task::Scenarios(chore) => chore.run(&cargo),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
