//! `jounce drive`: a manoeuvre in a world, and its files.

mod run;

use core::fmt;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use clap::Args;
use glam::Vec3;
use indicatif::{ProgressBar, ProgressStyle};
use jounce::file::Car;

use crate::driver::StageStart;
use crate::error::LabError;
use crate::ground::{GroundSpec, MeshUp, Terrain};
use crate::manoeuvre::Manoeuvre;
use crate::options::{Start, parse_dt, parse_start};
use crate::report;
use crate::summary::Summary;
use crate::telemetry::{Sample, write_csv};
use crate::tow::{self, Towed};
use crate::world::{self, WorldKind};
use run::Run;

/// Options of `jounce drive`.
#[derive(Args, Clone, Debug)]
pub struct DriveArgs {
    /// Vehicle file, or the name of a preset, such as sedan, truck-6x6, tank or trailer: each file of
    /// the folder vehicles is one
    #[arg(default_value = "sedan")]
    pub vehicle: String,
    /// Manoeuvre: tour, tow, accelerate, brake, slalom, circle, handbrake-turn, reverse, lane-change,
    /// or a TOML file. Default: tour, or tow where something is towed
    #[arg(long, value_name = "NAME|FILE")]
    pub manoeuvre: Option<String>,
    /// Ground: flat, slope:DEG, ramp:DEG, steps:RISE, hills, hills:SEED, heightfield:FILE or
    /// mesh:FILE.obj. Default: what the manoeuvre asks for, else hills.
    ///
    /// The world is z up and the car starts towards +x. A slope climbs by DEG (-45..=45) without
    /// end. A ramp climbs by DEG (-45..=45) over 20 m, from x = 20 m on, to a plateau. Steps are
    /// three risers of RISE metres (0.01..=0.5) at x = 20, 24 and 28 m. A heightfield's file says
    /// `cell SIZE origin X Y Z` in metres, then one row of heights per step ahead (x), each from
    /// right to left (y).
    #[arg(long, value_name = "GROUND")]
    pub ground: Option<GroundSpec>,
    /// Which axis of a mesh file is up; y, as most programs export: (x, y, z) becomes (x, -z, y)
    #[arg(long, value_enum, default_value_t)]
    pub up: MeshUp,
    /// Where to start: X,Y in metres, and a heading in degrees to the left of +x. Default: the
    /// origin; the middle of a heightfield or mesh from a file
    #[arg(long, value_name = "X,Y[,DEG]", value_parser = parse_start, allow_hyphen_values = true)]
    pub start: Option<Start>,
    /// Vehicle file, or the name of a preset, to tow by a joint: both need a coupling, and the world
    /// joints. What is towed brakes and does no more. A trailer that is driven brings the vehicle along
    /// that usually tows it
    #[arg(long, value_name = "VEHICLE")]
    pub tow: Option<String>,
    /// Engine that moves the chassis. Default: standalone; one with joints where something is towed
    #[arg(long, value_enum)]
    pub world: Option<WorldKind>,
    /// Time step in seconds: 1/60 or 0.0167
    #[arg(long, default_value = "1/60", value_parser = parse_dt)]
    pub dt: f32,
    /// Ask for the ground in every Nth step only; between, wheels go on with the planes they know
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub query_every: u32,
    /// Folder for telemetry.csv, summary.json and report.html
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
}

/// Why a drive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The manoeuvre was over.
    Finished,
    /// The car fell off the ground.
    LeftTheGround,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "the manoeuvre was finished",
            Self::LeftTheGround => "the car fell off the ground",
        })
    }
}

/// A drive that is over.
#[derive(Clone, Debug)]
pub struct Drive {
    /// What was driven.
    pub car: Car,
    /// What was done.
    pub manoeuvre: Manoeuvre,
    /// Where.
    pub terrain: Terrain,
    /// What it towed.
    pub towed: Option<Towed>,
    /// Which engine moved the chassis.
    pub world: &'static str,
    /// Time step [s].
    pub dt: f32,
    /// The ground was queried only in every n-th step.
    pub query_every: u32,
    /// When stages began.
    pub stages: Vec<StageStart>,
    /// One sample per step; the first is the start.
    pub samples: Vec<Sample>,
    /// Why it ended.
    pub end: End,
    /// The first refusal, if any, of the car or of what it tows.
    pub refusal: Option<String>,
}

/// Gravity [m/s²].
pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// Drives what the options name. `progress` is told the time since the start and the longest that
/// the drive can take [s].
///
/// # Errors
/// If a file cannot be used, the ground has no place to start, or the world loses the car.
pub fn run(args: &DriveArgs, mut progress: impl FnMut(f32, f32)) -> Result<Drive, LabError> {
    let (car, trailer) = tow::vehicles(&args.vehicle, args.tow.as_deref())?;
    let usual = if trailer.is_some() { "tow" } else { "tour" };
    let manoeuvre = Manoeuvre::load(args.manoeuvre.as_deref().unwrap_or(usual))?;
    let spec = args.ground.clone().unwrap_or_else(|| {
        let own = manoeuvre
            .ground
            .as_deref()
            .and_then(|name| name.parse().ok());
        own.unwrap_or(GroundSpec::Hills(1))
    });
    let terrain = Terrain::new(&spec, args.up)?;
    let joined = trailer.as_ref().and_then(|_| WorldKind::with_joints());
    let kind = args.world.or(joined).unwrap_or_default();
    let mut world = world::open(kind, &terrain, args.dt)?;
    let start = args.start.unwrap_or(Start {
        place: terrain.start,
        heading: 0.0,
    });
    let mut run = Run::new(&mut *world, &car, &terrain, start)?;
    if let Some(trailer) = &trailer {
        run.hook_up(&car, trailer, &terrain, start)?;
    }
    let mut drive = Drive {
        car,
        manoeuvre,
        terrain,
        towed: None,
        world: run.world.name(),
        dt: args.dt,
        query_every: args.query_every,
        stages: Vec::new(),
        samples: Vec::new(),
        end: End::Finished,
        refusal: None,
    };
    let longest = drive.manoeuvre.duration;
    run.go(&mut drive, |time| progress(time, longest))?;
    drive.towed = run.hook.map(|hook| hook.towed);
    Ok(drive)
}

/// A preset of this name, or else the file at this path.
///
/// # Errors
/// If the file cannot be used.
pub fn load_car(name: &str) -> Result<Car, LabError> {
    match jounce::presets::by_name(name) {
        Some(car) => Ok(car),
        None => Ok(Car::load(name)?),
    }
}

/// Carries out `jounce drive` and returns what to print.
///
/// # Errors
/// If a file cannot be used or written, or the world loses the car.
pub fn drive_command(args: &DriveArgs) -> Result<String, LabError> {
    let style = ProgressStyle::with_template("{bar:40} {pos:>4}/{len} s  {msg}");
    // Drawn on the standard error, and only if that is a terminal.
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::no_length().with_style(style);
    let drive = run(args, |time, longest| {
        bar.set_length(longest as u64);
        bar.set_position(time as u64);
    })?;
    bar.set_message("writing the report");
    let summary = Summary::of(&drive);
    write_files(&args.out, &drive, &summary)?;
    bar.finish_and_clear();
    let files = ["telemetry.csv", "summary.json", "report.html"]
        .map(|name| format!("  {}\n", args.out.join(name).display()))
        .concat();
    Ok(format!("{}\nwritten:\n{files}", summary.table(&drive)))
}

/// Writes the three files of a drive into a folder, which is made if need be.
///
/// # Errors
/// If one cannot be written.
pub fn write_files(out: &Path, drive: &Drive, summary: &Summary) -> Result<(), LabError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| LabError::File { path, source }
    };
    fs::create_dir_all(out).map_err(failed(out))?;
    let path = out.join("telemetry.csv");
    let file = fs::File::create(&path).map_err(failed(&path))?;
    write_csv(
        BufWriter::new(file),
        &drive.samples,
        &drive.stage_names(),
        &drive.wheel_names(),
    )
    .map_err(|error| failed(&path)(std::io::Error::other(error)))?;
    let path = out.join("summary.json");
    let text = serde_json::to_string_pretty(summary).map_err(std::io::Error::other);
    let text = text.map_err(failed(&path))?;
    fs::write(&path, text + "\n").map_err(failed(&path))?;
    let path = out.join("report.html");
    fs::write(&path, report::page(drive, summary)).map_err(failed(&path))
}

impl Drive {
    /// Names of the manoeuvre's stages.
    #[must_use]
    pub fn stage_names(&self) -> Vec<String> {
        let stages = self.manoeuvre.stages.iter();
        stages.map(|stage| stage.name.clone()).collect()
    }

    /// Names of the wheels.
    #[must_use]
    pub fn wheel_names(&self) -> Vec<String> {
        let kind = self.car.kind();
        let wheels = kind.params().wheels.iter();
        wheels.map(|wheel| wheel.name.clone()).collect()
    }
}
