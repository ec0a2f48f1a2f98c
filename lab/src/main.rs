//! The `jounce` command.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use jounce_lab::check::{CheckArgs, check_command};
use jounce_lab::lint::{LintArgs, lint_command};
use jounce_lab::tire::{TireArgs, tire_command};
use jounce_lab::trace::{TraceArgs, trace_command};
use jounce_lab::{DriveArgs, drive_command};

/// Vehicle dynamics for any rigid-body engine: drive vehicle files and look at what they do.
#[derive(Parser, Debug)]
#[command(name = "jounce", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand, Debug)]
enum Subcommands {
    /// Drive a vehicle and write telemetry, a summary and a report
    Drive(DriveArgs),
    /// Replay a scenario of the real PhysX and write what happened, one JSON object a frame
    Trace(TraceArgs),
    /// Tell every fault of a vehicle file, or describe the vehicle
    Check(CheckArgs),
    /// Look for what makes a vehicle drive badly: numbers, and a short drive
    Lint(LintArgs),
    /// Look at .tir files, evaluate and convert them, fit tires to measurements, draw tires
    Tire(TireArgs),
}

fn main() -> ExitCode {
    let mut failed = false;
    let result = match Cli::parse().command {
        Subcommands::Drive(args) => drive_command(&args),
        Subcommands::Trace(args) => trace_command(&args),
        Subcommands::Check(args) => check_command(&args),
        Subcommands::Tire(args) => tire_command(&args),
        Subcommands::Lint(args) => lint_command(&args).map(|linted| {
            failed = linted.failed;
            linted.text
        }),
    };
    match result {
        Ok(text) => match print(&text) {
            ExitCode::SUCCESS if failed => ExitCode::FAILURE,
            code => code,
        },
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints to the standard output. A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> ExitCode {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
