//! The vehicles of PhysX, Rapier and Jolt beside ours, in one process: `cargo xtask bench --peers`.
//!
//! Each fleet drives in a world of its own with the same commands. Fleets take turns of a few milliseconds, A B A B, and
//! only the time of this thread counts. Several copies of the program measure the same.

mod clock;
mod contest;
mod course;
mod ours;
mod physx;
mod rapier_world;
mod rapier;
#[cfg(feature = "jolt")]
mod jolt_world;
#[cfg(feature = "jolt")]
mod jolt_sedan;
#[cfg(feature = "jolt")]
mod jolt;
mod field;
mod memory;
mod statistic;
mod result;
mod copies;
mod table;
mod chart;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use result::Measured;

/// Times the vehicles of PhysX, Rapier and Jolt beside Jounce
#[derive(Debug, Parser)]
struct PeerOptions {
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
    /// Vehicles of a fleet
    #[arg(long, value_delimiter = ',', default_value = "1,10,100,1000,5000")]
    vehicles: Vec<usize>,
    /// Copies of this program that measure, one after the other; 1: only itself
    #[arg(long, default_value_t = 5)]
    copies: usize,
    /// Folder for `goals.md`, `peers.md` and `peers.svg`
    #[arg(long)]
    out: Option<PathBuf>,
}

fn run(options: &PeerOptions) -> Result<(), String> {
    if options.vehicles.is_empty() || options.vehicles.contains(&0) {
        return Err("--vehicles: must be > 0".to_owned());
    }
    let progress = |what: &str| eprintln!("{what}");
    let outcome = match options.copies {
        0 => return Err("--copies: must be > 0".to_owned()),
        1 => Measured::measure(&options.vehicles, progress)?,
        copies => copies::measure(copies, &options.vehicles, progress)?,
    };
    let (goals, results) = (table::goals(&outcome), table::results(&outcome));
    if let Some(folder) = &options.out {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        write("goals.md", &goals)?;
        write("peers.md", &results)?;
        write("peers.svg", &chart::svg(&outcome)?)?;
    }
    if options.json {
        let text = serde_json::to_string_pretty(&outcome).map_err(|error| error.to_string())?;
        println!("{text}");
    } else {
        println!("{goals}\n{results}");
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&PeerOptions::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
