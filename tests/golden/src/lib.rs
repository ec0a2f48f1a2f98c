//! Golden drives: fixed drives of cars in the standalone world, whose results are stored and reviewed.
//!
//! A trace has ten lines per second and is compared with a tolerance. A hash of the motion in every step is equal if every
//! bit is, on every platform. `cargo xtask bless` stores both anew, and nothing else does.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use core::error::Error;
use core::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use jounce::core::CarCommand;
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::digest::MotionDigest;
use proving_ground::ground::{MeshUp, Terrain};
use proving_ground::stage::{Scene, Stage};
use proving_ground::world::{self, WorldKind};

/// Allowed deviation, relative to the largest value of the column or 1 (–).
pub const TOLERANCE: f64 = 1e-4;
/// Time step (`s`).
const DT: f32 = 1.0 / 60.0;
/// Steps of a drive: 10 s.
const STEPS: usize = 600;
/// Steps per line of a trace: 10 Hz.
const DECIMATION: usize = 6;
/// Columns with their units.
const HEADER: &str = "time [s],x [m],y [m],z [m],speed [m/s],engine [rad/s],gear [-]";
/// Number of columns.
const COLUMNS: usize = 7;

/// File of the hashes in this folder: one line `car ground hash` per drive.
const HASHES: &str = "bits.txt";

/// A car and the ground that it drives on.
#[derive(Clone, Copy, Debug)]
pub struct GoldenCase {
    /// The car's name.
    pub car: &'static str,
    /// The ground, as on the command line.
    pub ground: &'static str,
}

/// Every golden drive.
#[must_use]
pub fn cases() -> Vec<GoldenCase> {
    // The last one uses the explicit solver.
    let cars = ["sedan", "sports-car", "truck", "physx-snippet"];
    let on = |car| ["flat", "hills"].map(|ground| GoldenCase { car, ground });
    cars.into_iter().flat_map(on).collect()
}

/// Motion of a car during a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenTrace {
    /// One line per tenth of a second, columns as in the file's header.
    pub lines: Vec<[f64; COLUMNS]>,
}

/// A recorded drive.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenDrive {
    /// Trace of the drive.
    pub trace: GoldenTrace,
    /// Motion of body, wheels and engine in every step.
    pub digest: MotionDigest,
}

/// Drives off, steers left and right, brakes, and drives off again.
fn command(time: f32) -> CarCommand {
    let (throttle, brake, steer) = match time {
        t if t < 4.0 => (0.8, 0.0, 0.0),
        t if t < 5.0 => (0.5, 0.0, 0.2),
        t if t < 6.0 => (0.5, 0.0, -0.2),
        t if t < 7.5 => (0.0, 0.5, 0.0),
        _ => (0.6, 0.0, -0.05),
    };
    CarCommand {
        throttle,
        brake,
        steer,
        ..CarCommand::default()
    }
}

impl GoldenCase {
    /// The file of the trace.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        in_this_folder(&format!("{}-{}.csv", self.car, self.ground))
    }

    /// Records the drive.
    ///
    /// # Errors
    /// If the world cannot be created or an update is refused.
    pub fn record(&self) -> Result<GoldenDrive, ProvingError> {
        let car = presets::by_name(self.car).expect("the name is a preset's");
        let ground = self.ground.parse().expect("the name is a ground's");
        let terrain = Terrain::new(&ground, MeshUp::Z)?;
        let world = world::open(WorldKind::Standalone, &terrain, DT)?;
        let scene = Scene {
            sleeps: true,
            ..Scene::IN_FIRST
        };
        let mut stage = Stage::put(world, &terrain, &car, &scene, DT)?;
        let mut lines = Vec::new();
        let mut digest = MotionDigest::default();
        for step in 1..=STEPS {
            stage.step(&command((step - 1) as f32 * DT))?;
            digest.add_body(&stage.body()?);
            digest.add_numbers(stage.spins());
            digest.add_numbers([stage.vehicle.state().drive.engine_speed]);
            if step % DECIMATION == 0 {
                lines.push(line(&stage, step as f32 * DT)?);
            }
        }
        let trace = GoldenTrace { lines };
        Ok(GoldenDrive { trace, digest })
    }
}

/// The car at a time (`s`), as a line of the file.
fn line(stage: &Stage, time: f32) -> Result<[f64; COLUMNS], ProvingError> {
    let drive = &stage.vehicle.state().drive;
    let body = stage.body()?;
    let p = body.position;
    let speed = body.linear_velocity.length();
    let [time, speed, engine] = [time, speed, drive.engine_speed].map(f64::from);
    Ok([time, p.x, p.y, p.z, speed, engine, drive.gear.0.into()])
}

/// A file next to the manifest.
fn in_this_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Hashes of all drives on this platform, one line `car ground hash` per drive.
///
/// # Errors
/// As [`GoldenCase::record`].
pub fn hashes() -> Result<String, ProvingError> {
    let line = |case: GoldenCase| {
        let GoldenCase { car, ground } = case;
        Ok(format!("{car} {ground} {}\n", case.record()?.digest))
    };
    cases().into_iter().map(line).collect()
}

/// The stored hashes, as [`hashes`] has them.
///
/// # Errors
/// If the file cannot be read.
pub fn stored_hashes() -> Result<String, String> {
    read(&in_this_folder(HASHES))
}

/// Stores traces and hashes anew.
///
/// # Errors
/// As [`GoldenCase::record`], or if a file cannot be written.
pub fn bless() -> Result<(), Box<dyn Error>> {
    for case in cases() {
        write(&case.path(), &case.record()?.trace.to_csv())?;
    }
    write(&in_this_folder(HASHES), &hashes()?)?;
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{} written", path.display());
    Ok(())
}

impl GoldenTrace {
    /// The text of the file.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for [time, x, y, z, speed, engine, gear] in &self.lines {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{time:.2},{x:.5},{y:.5},{z:.5},{speed:.5},{engine:.3},{gear}"
            );
        }
        text
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// With the first invalid line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(format!("line 1: must be `{HEADER}`"));
        }
        let lines = lines.enumerate().map(|(n, line)| {
            let numbers = line.split(',').map(|word| word.parse().ok());
            let numbers = numbers.collect::<Option<Vec<f64>>>();
            let row = numbers.and_then(|numbers| <[f64; COLUMNS]>::try_from(numbers).ok());
            row.ok_or_else(|| format!("line {}: must be {COLUMNS} numbers", n + 2))
        });
        let lines = lines.collect::<Result<_, _>>()?;
        Ok(Self { lines })
    }

    /// Reads a case's file.
    ///
    /// # Errors
    /// If it cannot be read, or as [`GoldenTrace::parse`].
    pub fn load(case: &GoldenCase) -> Result<Self, String> {
        let path = case.path();
        Self::parse(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The largest difference of any column, relative to the column's largest value or 1, with its
    /// time and column.
    ///
    /// # Errors
    /// If the traces differ in length.
    pub fn deviation(&self, golden: &Self) -> Result<(f64, String), String> {
        if self.lines.len() != golden.lines.len() {
            let lengths = (self.lines.len(), golden.lines.len());
            return Err(format!("{} lines, not {}", lengths.0, lengths.1));
        }
        let mut worst = (0.0, String::from("nowhere"));
        for (column, name) in HEADER.split(',').enumerate() {
            let largest = golden.lines.iter().map(|line| line[column].abs());
            let scale = largest.fold(1.0, f64::max);
            for (line, expected) in self.lines.iter().zip(&golden.lines) {
                let off = (line[column] - expected[column]).abs() / scale;
                let place = || format!("{name} at {:.1} s", expected[0]);
                if off.is_nan() {
                    return Ok((off, place()));
                }
                if off > worst.0 {
                    worst = (off, place());
                }
            }
        }
        Ok(worst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace() -> GoldenTrace {
        GoldenTrace {
            lines: vec![[0.1, 1.0, 2.0, 0.5, 3.0, 100.0, 1.0]; 3],
        }
    }

    #[test]
    fn files_round_trip() {
        assert_eq!(GoldenTrace::parse(&trace().to_csv()), Ok(trace()));
        assert!(
            GoldenTrace::parse("x [m]\n")
                .unwrap_err()
                .starts_with("line 1")
        );
        let broken = trace().to_csv().replacen("1.00000", "one", 1);
        assert!(
            GoldenTrace::parse(&broken)
                .unwrap_err()
                .starts_with("line 2")
        );
    }

    #[test]
    fn deviations_name_their_place() {
        let mut other = trace();
        other.lines[1][5] += 1.0;
        let (worst, place) = other.deviation(&trace()).unwrap();
        assert!((worst - 0.01).abs() < 1e-12);
        assert_eq!(place, "engine [rad/s] at 0.1 s");
        other.lines[2][1] = f64::NAN;
        assert!(other.deviation(&trace()).unwrap().0.is_nan());
        other.lines.pop();
        assert!(other.deviation(&trace()).is_err());
    }
}
