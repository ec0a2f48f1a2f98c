//! `jounce trace`: a scenario as JSON lines, one object per frame.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use proving_ground::scenario::{Replay, Scenario};
use proving_ground::world::WorldKind;

use crate::error::LabError;
use crate::options::worlds;

/// Arguments of `jounce trace`.
#[derive(Args, Clone, Debug)]
pub struct TraceArgs {
    /// Scenario: JSON (`.json`, `.jsonl`, `.gz` of either) that is, or begins with, the header of a
    /// PhysX reference trace, of the legacy SDK or of vehicle2
    pub scenario: PathBuf,
    /// Engine that moves the chassis
    #[arg(long, default_value = "standalone", value_parser = worlds())]
    pub world: WorldKind,
    /// Write to this file instead of the terminal
    #[arg(long)]
    pub out: Option<PathBuf>,
}

/// Replays a scenario and returns the lines, or the name of the file written.
///
/// # Errors
/// If the scenario cannot be read or is not supported, or a step is refused.
pub fn trace_command(args: &TraceArgs) -> Result<String, LabError> {
    let scenario = Scenario::load(&args.scenario)?;
    let mut lines = String::new();
    for frame in Replay::new(&scenario, args.world)? {
        let json = serde_json::to_string(&frame?).map_err(|source| LabError::File {
            path: args.scenario.clone(),
            source: source.into(),
        })?;
        lines.push_str(&json);
        lines.push('\n');
    }
    let Some(path) = &args.out else {
        return Ok(lines);
    };
    fs::write(path, lines).map_err(|source| LabError::File {
        path: path.clone(),
        source,
    })?;
    Ok(format!(
        "{} frames in {}\n",
        scenario.frames(),
        path.display()
    ))
}
