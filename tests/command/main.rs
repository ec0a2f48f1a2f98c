//! The program behind `cargo xtask conformance` and `validate`: the suite in every world, the tables of aids, ground and trust,
//! cars held against others' models.
#![forbid(unsafe_code)]

mod aids;
mod ground;
mod json;
mod page;
mod plots;
#[path = "../shared/published.rs"]
mod published;
#[path = "../shared/recorded.rs"]
mod recorded;
#[path = "../shared/reference.rs"]
mod reference;
mod trust;
mod validate;

use core::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use proving_ground::scenario::random;
use proving_ground::world::WorldKind;
use vehicle_conformance::stability::Preset;
use vehicle_conformance::{Backend, suite};

/// Compares worlds with the contracts, closed-form solutions and one another
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Every case in every world
    Suite {
        /// Only this world, besides the standalone reference; may be repeated
        #[arg(long)]
        backend: Vec<WorldKind>,
        /// Print one JSON object and nothing else on standard output
        #[arg(long)]
        json: bool,
        /// Write a page with the paths of all worlds, and the tables
        #[arg(long, value_name = "FILE.html")]
        report: Option<PathBuf>,
    },
    /// Driver aids in every world
    Aids {
        /// Only in this world; may be repeated
        #[arg(long)]
        backend: Vec<WorldKind>,
    },
    /// Contact of wheels with curbs, walls, stairs and cracks
    Ground {
        /// A world; may be repeated
        #[arg(long, default_value = "standalone")]
        backend: Vec<WorldKind>,
        /// A contact: sections, sweeps or rays; may be repeated
        #[arg(long, default_value = "sections", value_parser = ["sections", "sweeps", "rays"])]
        contact: Vec<String>,
    },
    /// Accuracy of vehicles in every world
    Trust {
        /// With long substeps, which have their own bounds
        #[arg(long)]
        coarse: bool,
        /// With short substeps
        #[arg(long, conflicts_with = "coarse")]
        fine: bool,
        /// Write the table of all worlds as a page, too
        #[arg(long, value_name = "FILE.md", conflicts_with_all = ["coarse", "fine"])]
        page: Option<PathBuf>,
    },
    /// Cars against closed forms and recorded drives
    Validate {
        /// Print one JSON object and nothing else on standard output
        #[arg(long)]
        json: bool,
        /// Write pictures into this folder
        #[arg(long, value_name = "DIR")]
        plots: Option<PathBuf>,
    },
    /// Headers of random PhysX scenarios
    Scenarios {
        /// Seed of the random numbers: the same one gives the same scenarios
        #[arg(long)]
        seed: u64,
        /// Number of scenarios
        #[arg(long, default_value_t = 24)]
        count: u64,
        /// Write a file for each into this folder instead of printing them
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// Length of random scenarios.
const FRAMES: usize = 600;

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Suite {
            backend,
            json,
            report,
        } => run_suite(&backend, json, report.as_deref()),
        Task::Aids { backend } => Ok(aids::run(&backend)),
        Task::Ground { backend, contact } => Ok(ground::run(&backend, &contact)),
        Task::Trust { coarse, fine, page } => {
            let preset = match (coarse, fine) {
                (true, _) => Preset::Coarse,
                (_, true) => Preset::Fine,
                _ => Preset::Shipped,
            };
            trust::run(preset, page.as_deref()).map_err(Into::into)
        }
        Task::Validate { json, plots } => validate::run(json, plots.as_deref()),
        Task::Scenarios { seed, count, out } => scenarios(seed, count, out.as_deref()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints or writes one header per scenario.
fn scenarios(seed: u64, count: u64, out: Option<&Path>) -> Result<bool, Box<dyn Error>> {
    for number in 0..count {
        let header = serde_json::json!({ "header": random(seed, number, FRAMES) });
        match out {
            Some(folder) => {
                let path = folder.join(format!("random_{seed}_{number}.jsonl"));
                std::fs::create_dir_all(folder)?;
                std::fs::write(&path, format!("{header}\n"))
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
            None => println!("{header}"),
        }
    }
    Ok(true)
}

/// Runs the suite, prints the results, and returns whether nothing is unexpected.
fn run_suite(
    chosen: &[WorldKind],
    json: bool,
    page: Option<&Path>,
) -> Result<bool, Box<dyn Error>> {
    let wanted = |kind: &&WorldKind| {
        chosen.is_empty() || chosen.contains(kind) || **kind == WorldKind::Standalone
    };
    let kinds = WorldKind::all().iter().filter(wanted);
    let backends: Vec<&dyn Backend> = kinds.map(|kind| kind as &dyn Backend).collect();
    let start = std::time::Instant::now();
    let results = suite::run(&backends);
    let time = start.elapsed();
    if json {
        println!("{:#}", json::json(&results));
    } else {
        print!("{results}");
        println!("in {:.1} s", time.as_secs_f32());
    }
    if let Some(path) = page {
        std::fs::write(path, page::page(&results).html())
            .map_err(|error| format!("{}: {error}", path.display()))?;
        eprintln!("written: {}", path.display());
    }
    Ok(results.is_good())
}
