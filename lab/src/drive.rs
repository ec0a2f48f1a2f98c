//! `jounce drive`: a manoeuvre in a world, and its output files.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use proving_ground::drive::{Drive, DrivePlan, run};
use proving_ground::ground::{GroundSpec, MeshUp};
use proving_ground::world::{Start, WorldKind};

use crate::csv::write_csv;
use crate::error::LabError;
use crate::options::{mesh_ups, parse_dt, parse_start, worlds};
use crate::report;
use crate::summary::Summary;

/// Options of `jounce drive`.
#[derive(Args, Clone, Debug)]
pub struct DriveArgs {
    /// Vehicle file, or the name of a preset, such as sedan, truck-6x6, tank or trailer: one per
    /// file of the folder vehicles
    #[arg(default_value = "sedan")]
    pub vehicle: String,
    /// Manoeuvre: tour, tow, accelerate, brake, slalom, circle, handbrake-turn, reverse,
    /// lane-change, or a TOML file. Default: tour, or tow when towing
    #[arg(long, value_name = "NAME|FILE")]
    pub manoeuvre: Option<String>,
    /// Ground: flat, slope:DEG, ramp:DEG, steps:RISE, hills, hills:SEED, heightfield:FILE or
    /// mesh:FILE.obj. Default: the manoeuvre's, otherwise hills.
    ///
    /// The world is z up and the car starts towards +x. A slope rises by DEG (-45..=45) without
    /// end. A ramp rises by DEG (-45..=45) over 20 m, from x = 20 m on, to a plateau. Steps are
    /// three risers of RISE meters (0.01..=0.5) at x = 20, 24 and 28 m. A heightfield file starts
    /// with `cell SIZE origin X Y Z` in meters, then has one row of heights per step along x, each
    /// from right to left (y).
    #[arg(long, value_name = "GROUND")]
    pub ground: Option<GroundSpec>,
    /// Up axis of a mesh file; y, as most programs export: (x, y, z) becomes (x, -z, y)
    #[arg(long, value_name = "AXIS", default_value = "y", value_parser = mesh_ups())]
    pub up: MeshUp,
    /// Start: X,Y in meters, and a heading in degrees to the left of +x. Default: the origin; the
    /// center of a heightfield or mesh from a file
    #[arg(long, value_name = "X,Y[,DEG]", value_parser = parse_start, allow_hyphen_values = true)]
    pub start: Option<Start>,
    /// Vehicle file, or the name of a preset, to tow by a joint: both need a coupling, and the
    /// world joints. Given several times, each vehicle tows the next one, a towed one by its
    /// rear coupling. Towed vehicles only brake. When a trailer is driven, its usual towing
    /// vehicle is added
    #[arg(long, value_name = "VEHICLE")]
    pub tow: Vec<String>,
    /// Engine that moves the chassis. Default: standalone
    #[arg(long, value_parser = worlds())]
    pub world: Option<WorldKind>,
    /// Time step in seconds: 1/60 or 0.0167
    #[arg(long, default_value = "1/60", value_parser = parse_dt)]
    pub dt: f32,
    /// Query the ground only in every Nth step; in between, wheels reuse the known planes
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub query_every: u32,
    /// Folder for telemetry.csv, summary.json and report.html
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Also write a recording for the viewer Rerun: poses, forces and strips on one timeline. Needs the feature
    /// rerun
    #[arg(long, value_name = "FILE")]
    pub rrd: Option<PathBuf>,
}

impl DriveArgs {
    /// The drive plan of these options.
    #[must_use]
    pub fn plan(&self) -> DrivePlan {
        DrivePlan {
            vehicle: self.vehicle.clone(),
            manoeuvre: self.manoeuvre.clone(),
            ground: self.ground.clone(),
            up: self.up,
            start: self.start,
            tow: self.tow.clone(),
            world: self.world,
            dt: self.dt,
            query_every: self.query_every,
        }
    }
}

/// Runs `jounce drive` and returns its output.
///
/// # Errors
/// If a file cannot be read or written, or the world loses the car.
pub fn drive_command(args: &DriveArgs) -> Result<String, LabError> {
    if args.rrd.is_some() && !cfg!(feature = "rerun") {
        return Err(LabError::NoRerun);
    }
    let style = ProgressStyle::with_template("{bar:40} {pos:>4}/{len} s  {msg}");
    // Drawn on standard error, and only if that is a terminal.
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::no_length().with_style(style);
    let drive = run(&args.plan(), |time, longest| {
        bar.set_length(longest as u64);
        bar.set_position(time as u64);
    })?;
    bar.set_message("writing the report");
    let summary = Summary::of(&drive);
    write_files(&args.out, &drive, &summary)?;
    #[cfg(feature = "rerun")]
    if let Some(path) = &args.rrd {
        crate::rrd::write_rrd(path, &drive).map_err(LabError::of_file(path))?;
    }
    bar.finish_and_clear();
    let files = ["telemetry.csv", "summary.json", "report.html"].map(|name| args.out.join(name));
    let files = files
        .iter()
        .chain(&args.rrd)
        .map(|path| format!("  {}\n", path.display()));
    let files: String = files.collect();
    Ok(format!("{}\nwritten:\n{files}", summary.table(&drive)))
}

/// Writes the three files of a drive into a folder, which is created if needed.
///
/// # Errors
/// If one cannot be written.
pub fn write_files(out: &Path, drive: &Drive, summary: &Summary) -> Result<(), LabError> {
    fs::create_dir_all(out).map_err(LabError::of_file(out))?;
    let path = out.join("telemetry.csv");
    let file = fs::File::create(&path).map_err(LabError::of_file(&path))?;
    write_csv(
        BufWriter::new(file),
        &drive.samples,
        &drive.stage_names(),
        &drive.wheel_names(),
    )
    .map_err(|error| LabError::of_file(&path)(io::Error::other(error)))?;
    let path = out.join("summary.json");
    let text = serde_json::to_string_pretty(summary).map_err(io::Error::other);
    let text = text.map_err(LabError::of_file(&path))?;
    fs::write(&path, text + "\n").map_err(LabError::of_file(&path))?;
    let path = out.join("report.html");
    fs::write(&path, report::page(drive, summary)).map_err(LabError::of_file(&path))
}
