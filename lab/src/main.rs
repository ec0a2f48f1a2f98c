//! The `jounce` command. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a drive that did not end as it should.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use jounce_lab::check::{CheckArgs, check_command};
use jounce_lab::kinematics::{KinematicsArgs, kinematics_command};
use jounce_lab::lint::{LintArgs, lint_command};
use jounce_lab::new::{NewArgs, new_command};
use jounce_lab::replay::{ReplayArgs, replay_command};
use jounce_lab::show::{ShowArgs, show_command};
use jounce_lab::tire::{TireArgs, tire_command};
use jounce_lab::trace::{TraceArgs, trace_command};
use jounce_lab::{DriveArgs, drive_command};
use proving_ground::drive::End;

/// Vehicle dynamics for any rigid-body engine: drive vehicle files and inspect the results.
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
    /// Replay a scenario of the real PhysX and write one JSON object per frame
    Trace(TraceArgs),
    /// Repeat a recording of the showroom, and compare the digest of its motion
    Replay(ReplayArgs),
    /// Report every fault of a vehicle file, or describe the vehicle
    Check(CheckArgs),
    /// Print the file of a preset, or list the presets
    Show(ShowArgs),
    /// Write a vehicle file from a data sheet, and compare what the car reaches with it
    New(NewArgs),
    /// Look for problems in a vehicle's numbers, and in a short drive
    ///
    /// The numbers of the file are checked by PhysX 4.1's "Tuning Guide" and "Troubleshooting" and by published figures of real
    /// vehicles. Then the vehicle drives for some seconds on level ground, on slopes and over bumps, in the standalone world. A
    /// finding has the value found, the value wanted with its source, and a change to try.
    ///
    /// An error keeps a vehicle from working, a warning makes it work badly, a note is a deviation that some good vehicles have.
    /// Keys that have no effect are not judged. The exit code is 1 if there are errors.
    Lint(LintArgs),
    /// Compute camber, toe, roll center and more over travel from a suspension's hard points
    Kinematics(KinematicsArgs),
    /// Inspect, evaluate and convert .tir files, fit tires to measurements, plot tires
    Tire(TireArgs),
}

/// Exit code of a drive that does not end as it should: on the roof, off the ground, or where it began.
const ENDED_BADLY: u8 = 3;

fn main() -> ExitCode {
    let mut done = ExitCode::SUCCESS;
    let fails = |failed: bool| {
        if failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    };
    let result = match Cli::parse().command {
        Subcommands::Drive(args) => drive_command(&args).map(|drive| {
            if drive.end != End::Finished {
                done = ENDED_BADLY.into();
            }
            drive.text
        }),
        Subcommands::Trace(args) => trace_command(&args),
        Subcommands::Replay(args) => replay_command(&args),
        Subcommands::Check(args) => check_command(&args).map(|checked| {
            done = fails(checked.failed);
            checked.text
        }),
        Subcommands::Show(args) => show_command(&args),
        Subcommands::New(args) => new_command(&args),
        Subcommands::Kinematics(args) => kinematics_command(&args),
        Subcommands::Tire(args) => tire_command(&args),
        Subcommands::Lint(args) => lint_command(&args).map(|linted| {
            done = fails(linted.failed);
            linted.text
        }),
    };
    match result {
        Ok(text) => match print(&text) {
            ExitCode::SUCCESS => done,
            code => code,
        },
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints to standard output. A closed pipe, such as `head`'s, is not a failure.
fn print(text: &str) -> ExitCode {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
