//! Chores of the project; `cargo xtask help` lists them.
#![forbid(unsafe_code)]

mod cargo;
mod files;
mod modules;
mod arrows;
mod bench;
mod deps;
mod generated;
mod mutants;
mod package;
mod sources;
mod test;
mod ci;
mod conformance;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use cargo::Cargo;
use conformance::Conformance;
use mutants::Mutants;
use test::Test;

/// Where builds go, for the reader of `--help`.
const BUILDS: &str = "\
What they build goes to $CARGO_TARGET_DIR, else to the clone's own target. Everything is built in the
release profile, so that engines are built once.";

/// Chores of the project
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = BUILDS)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Run every test: unit, property, reference data, documentation
    Test(Test),
    /// Everything that CI does: formatting, rules, lints, documentation, one drive, packages, all tests
    Ci,
    /// Check what may depend on what, crates and modules, and what source files must and must not say
    Deps,
    /// Pack the crates, unpack them elsewhere, compile them there, and test a third party's crate on them
    Package,
    /// Hold every world against the contracts, closed forms and the other worlds
    Conformance(Conformance),
    /// Put small faults into rooms, one at a time, and count those that no test notices
    Mutants(Mutants),
    /// Measure the update and print medians (`ns` per vehicle)
    Bench {
        /// Print one JSON object, and nothing else on the standard output
        #[arg(long)]
        json: bool,
    },
    /// Write the generated terrain, vehicles/hills.obj
    Terrain {
        /// Only compare the file with what would be written
        #[arg(long)]
        check: bool,
    },
    /// Accept the present golden traces: rewrite tests/golden
    Bless,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cargo = Cargo::new();
    let result = match arguments.chore {
        Chore::Test(chore) => chore.run(&cargo),
        Chore::Ci => ci::all(&cargo),
        Chore::Deps => ci::rules(&cargo),
        Chore::Package => package::check(&cargo),
        Chore::Conformance(chore) => chore.run(&cargo),
        Chore::Mutants(chore) => chore.run(&cargo),
        Chore::Bench { json } => bench::run(&cargo, json),
        Chore::Terrain { check } => generated::terrain(&cargo, check),
        Chore::Bless => conformance::bless(&cargo),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
