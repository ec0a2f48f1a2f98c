//! `jounce drive`: a maneuver in a world, and its output files.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use glam::Vec3;
use indicatif::{ProgressBar, ProgressStyle};
use jounce::core::Gear;
use proving_ground::ProvingError;
use proving_ground::drive::{
    Drive, DriveConditions, DrivePlan, End, InputTrack, RaceLine, RacePlan, run,
};
use proving_ground::ground::{GroundSpec, MeshUp};
use proving_ground::world::{Start, WorldKind};

use crate::csv::{CsvNames, write_csv};
use crate::error::LabError;
use crate::options::{mesh_ups, parse_dt, parse_start, parse_wind, race_lines, within, worlds};
use crate::report;
use proving_ground::summary::Summary;

/// Options of `jounce drive`.
#[derive(Args, Clone, Debug)]
pub struct DriveArgs {
    /// Vehicle file, or the name of a preset, such as sedan, truck-6x6, tank or trailer: one per
    /// file of the folder vehicles
    #[arg(default_value = "sedan")]
    pub vehicle: String,
    /// Maneuver: tour, tow, accelerate, brake, slalom, circle, handbrake-turn, reverse,
    /// lane-change, wltc, or a TOML file. Default: tour, or tow when towing
    #[arg(long, alias = "manoeuvre", value_name = "NAME|FILE")]
    pub maneuver: Option<String>,
    /// Track to race on: oval, road-course, kart, or a CSV file of its center line with the widths to the right and to the left,
    /// four columns in meters; a comment `# open` for one that ends elsewhere than it begins.
    ///
    /// A racing driver drives on the line of least curvature, as fast as the car's grip, brakes and power allow, with its
    /// gears left to the autobox. The car starts on that line where the track begins. To drive a maneuver there, see --ground
    #[arg(long, value_name = "NAME|FILE.csv", conflicts_with_all = ["maneuver", "input", "ground", "start", "tow"])]
    pub track: Option<String>,
    /// Number of laps of the track. Default: 2, one from rest and a flying one; 1 on an open track
    #[arg(long, value_name = "N", requires = "track", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub laps: Option<u32>,
    /// Line of the racing driver: racing, of least curvature within the edges, or center
    #[arg(long, value_name = "LINE", requires = "track", default_value = "racing", value_parser = race_lines())]
    pub line: RaceLine,
    /// CSV of pedals and steering, as --record writes it, that are repeated instead of those of a maneuver. With the
    /// other options of the drive from which it is, it gives the same drive
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Also write the pedals and steering of every step, as CSV, for --input
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Ground: flat, slope:DEG, ramp:DEG, steps:RISE, hills, hills:SEED, heightfield:FILE,
    /// mesh:FILE.obj, `file:FILE.toml` or track:NAME|FILE.csv. Default: the maneuver's or that of the recorded input, otherwise hills.
    ///
    /// The world is z up and the car starts toward +x. A slope rises by DEG (-45..=45) without
    /// end. A ramp rises by DEG (-45..=45) over 20 m, from x = 20 m on, to a plateau. Steps are
    /// three risers of RISE meters (0.01..=0.5) at x = 20, 24 and 28 m. A heightfield file starts
    /// with `cell SIZE origin X Y Z` in meters, then has one row of heights per step along x, each
    /// from right to left (y). Materials of a mesh that are called asphalt, ice, gravel or wet have
    /// its friction; a ground file gives surfaces to others: see proving-ground/README.md.
    #[arg(long, value_name = "GROUND")]
    pub ground: Option<GroundSpec>,
    /// Up axis of a mesh file; y, as most programs export: (x, y, z) becomes (x, -z, y)
    #[arg(long, value_name = "AXIS", default_value = "y", value_parser = mesh_ups())]
    pub up: MeshUp,
    /// Start: X,Y in meters, and a heading in degrees to the left of +x. Default: the origin; the
    /// center of a heightfield or mesh from a file
    #[arg(long, value_name = "X,Y[,DEG]", value_parser = parse_start, allow_hyphen_values = true)]
    pub start: Option<Start>,
    /// What the vehicle starts with, and what it drives in
    #[command(flatten)]
    pub conditions: ConditionArgs,
    /// Distance of the camera in meters: a vehicle whose file has a `ladder` of detail is what it is there
    #[arg(long, value_name = "M", default_value_t = 0.0, allow_negative_numbers = true, value_parser = within(0.0, 1e6, "m"))]
    pub distance: f32,
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

/// Initial motion, gravity, grip and wind.
#[derive(Args, Clone, Copy, Debug)]
pub struct ConditionArgs {
    /// Speed at the start in m/s, with rolling wheels; negative is backward
    #[arg(long, value_name = "M/S", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = within(-150.0, 150.0, "m/s"))]
    pub speed: f32,
    /// Gear at the start: -1 is reverse, 0 neutral. The autobox changes it as it does all. Default: the one for the speed
    #[arg(long, value_name = "GEAR", allow_hyphen_values = true)]
    pub gear: Option<i8>,
    /// Height above the ground at the start in meters, from which the vehicle falls
    #[arg(long, value_name = "M", default_value_t = 0.0, allow_negative_numbers = true, value_parser = within(0.0, 1000.0, "m"))]
    pub height: f32,
    /// Gravity in m/s²: 1.62 on the Moon
    #[arg(long, value_name = "M/S2", default_value_t = 9.81, allow_negative_numbers = true, value_parser = within(0.0, 100.0, "m/s²"))]
    pub gravity: f32,
    /// Factor on the friction of all tires on the ground: 1 on a dry road, 0.1 on ice
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true, value_parser = within(0.0, 10.0, ""))]
    pub friction: f32,
    /// Wind in m/s, as the velocity of the air over the ground along x and y: 0,-15 blows to the right of a car that
    /// starts toward +x
    #[arg(long, value_name = "X,Y[,Z]", default_value = "0,0", value_parser = parse_wind, allow_hyphen_values = true)]
    pub wind: Vec3,
}

impl ConditionArgs {
    fn conditions(&self) -> DriveConditions {
        DriveConditions {
            speed: self.speed,
            gear: self.gear.map(Gear),
            height: self.height.into(),
            payload: 0.0,
            gravity: self.gravity,
            friction: self.friction,
            wind: self.wind,
        }
    }
}

/// The result of `jounce drive`.
#[derive(Clone, Debug)]
pub struct DriveOutcome {
    /// The output.
    pub text: String,
    /// Reason for the end of the drive.
    pub end: End,
}

impl DriveArgs {
    /// The drive plan of these options.
    #[must_use]
    pub fn plan(&self) -> DrivePlan {
        DrivePlan {
            vehicle: self.vehicle.clone(),
            maneuver: self.maneuver.clone(),
            race: self.track.as_ref().map(|track| RacePlan {
                track: track.clone(),
                laps: self.laps,
                line: self.line,
            }),
            input: self.input.clone(),
            ground: self.ground.clone(),
            up: self.up,
            start: self.start,
            conditions: self.conditions.conditions(),
            distance: self.distance,
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
pub fn drive_command(args: &DriveArgs) -> Result<DriveOutcome, LabError> {
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
    });
    let drive = drive.map_err(|error| match error {
        ProvingError::NoGround { ref notes, .. }
            if notes.is_empty() && matches!(args.ground, Some(GroundSpec::Mesh(_))) =>
        {
            LabError::NoStart(error)
        }
        error => error.into(),
    })?;
    bar.set_message("writing the report");
    let summary = Summary::of(&drive);
    write_files(&args.out, &drive, &summary)?;
    #[cfg(feature = "rerun")]
    if let Some(path) = &args.rrd {
        crate::rrd::write_rrd(path, &drive).map_err(LabError::of_file(path))?;
    }
    if let Some(path) = &args.record {
        let table = InputTrack::of(&drive).to_csv();
        fs::write(path, table).map_err(LabError::of_file(path))?;
    }
    bar.finish_and_clear();
    let files = ["telemetry.csv", "summary.json", "report.html"].map(|name| args.out.join(name));
    let files = files
        .iter()
        .chain(&args.record)
        .chain(&args.rrd)
        .map(|path| format!("  {}\n", path.display()));
    let files: String = files.collect();
    let notes = drive.terrain.notes.iter();
    let notes: String = notes.map(|note| format!("note: {note}\n")).collect();
    let advice = advice(drive.end, &drive.ground);
    Ok(DriveOutcome {
        text: format!(
            "{}{notes}{advice}\nwritten:\n{files}",
            summary.table(&drive)
        ),
        end: drive.end,
    })
}

/// Advice on a drive that did not end as it should, in a sentence.
fn advice(end: End, ground: &GroundSpec) -> String {
    let mesh = matches!(ground, GroundSpec::Mesh(_));
    let axis = if mesh {
        "if the mesh lies on its side, its up axis is the other one: --up z or --up y; "
    } else {
        ""
    };
    let advice = match end {
        End::Finished => return String::new(),
        End::LeftTheGround => "if the ground ends there, start elsewhere: --start X,Y,DEG",
        End::OnItsRoof => {
            "if it fell over by itself, `jounce lint` looks for the reason in the vehicle's numbers"
        }
        End::NeverMoved => {
            "if something is in its way, start elsewhere: --start X,Y,DEG; if its wheels do not turn or do not grip, \
             `jounce lint` looks for the reason in the vehicle's numbers"
        }
        End::LapsMissing => {
            "the map of the report shows where it got to; with less grip than on a dry road, a track may be too narrow"
        }
    };
    format!("advice: {axis}{advice}\n")
}

/// Writes the three files of a drive into a folder, which is created if needed.
///
/// # Errors
/// If one cannot be written.
pub fn write_files(out: &Path, drive: &Drive, summary: &Summary) -> Result<(), LabError> {
    fs::create_dir_all(out).map_err(LabError::of_file(out))?;
    let path = out.join("telemetry.csv");
    let file = fs::File::create(&path).map_err(LabError::of_file(&path))?;
    write_csv(BufWriter::new(file), &drive.samples, &CsvNames::of(drive))
        .map_err(|error| LabError::of_file(&path)(io::Error::other(error)))?;
    let path = out.join("summary.json");
    let text = serde_json::to_string_pretty(summary).map_err(io::Error::other);
    let text = text.map_err(LabError::of_file(&path))?;
    fs::write(&path, text + "\n").map_err(LabError::of_file(&path))?;
    let path = out.join("report.html");
    fs::write(&path, report::page(drive, summary)).map_err(LabError::of_file(&path))
}
