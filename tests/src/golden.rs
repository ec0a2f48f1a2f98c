//! Golden traces: reviewed recordings of cars.
//!
//! A trace is a fixed drive in the standalone world, ten lines per second. Traces are compared with
//! a tolerance and rewritten only by `cargo xtask bless`.

use core::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use jounce::core::{CarCommand, Vehicle};
use jounce::presets;
use proving_ground::ProvingError;
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

/// One golden trace.
#[derive(Clone, Copy, Debug)]
pub struct GoldenCase {
    /// The car's name.
    pub car: &'static str,
    /// The ground, as on the command line.
    pub ground: &'static str,
}

/// Every golden trace.
#[must_use]
pub fn cases() -> Vec<GoldenCase> {
    // The last one uses the explicit solver.
    let cars = ["sedan", "sports-car", "truck", "physx-snippet"];
    let on = |car| ["flat", "hills"].map(|ground| GoldenCase { car, ground });
    cars.into_iter().flat_map(on).collect()
}

/// A recorded drive.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenTrace {
    /// One line per tenth of a second, columns as in the file's header.
    pub lines: Vec<[f64; COLUMNS]>,
    /// A hash of the last state of vehicle and body: equal if every bit is.
    pub hash: u64,
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
    /// The file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let name = format!("{}-{}.csv", self.car, self.ground);
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("golden")
            .join(name)
    }

    /// Records the drive.
    ///
    /// # Errors
    /// If the world cannot be created or an update is refused.
    pub fn record(&self) -> Result<GoldenTrace, ProvingError> {
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
        for step in 1..=STEPS {
            stage.step(&command((step - 1) as f32 * DT))?;
            if step % DECIMATION == 0 {
                lines.push(line(&stage, step as f32 * DT)?);
            }
        }
        let last = bits(&stage.vehicle, &format!("{:?}", stage.body()?));
        let hash = fnv1a(last.as_bytes());
        Ok(GoldenTrace { lines, hash })
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

/// Text that is equal if all bits of a state are: shortest decimals round-trip exactly.
fn bits(vehicle: &Vehicle, body: &str) -> String {
    let state = serde_json::to_string(vehicle.state()).expect("a state is plain data");
    state + body
}

/// Fowler, Noll and Vo's hash, 64 bits, variant 1a.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl GoldenTrace {
    /// The text of the file.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = format!("# state {:016x}\n{HEADER}\n", self.hash);
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
        let hash = lines
            .next()
            .and_then(|line| line.strip_prefix("# state "))
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .ok_or("line 1: must be `# state` and 16 hexadecimal digits")?;
        if lines.next() != Some(HEADER) {
            return Err(format!("line 2: must be `{HEADER}`"));
        }
        let lines = lines.enumerate().map(|(n, line)| {
            let numbers = line.split(',').map(|word| word.parse().ok());
            let numbers = numbers.collect::<Option<Vec<f64>>>();
            let row = numbers.and_then(|numbers| <[f64; COLUMNS]>::try_from(numbers).ok());
            row.ok_or_else(|| format!("line {}: must be {COLUMNS} numbers", n + 3))
        });
        let lines = lines.collect::<Result<_, _>>()?;
        Ok(Self { lines, hash })
    }

    /// Reads a case's file.
    ///
    /// # Errors
    /// If it cannot be read, or as [`GoldenTrace::parse`].
    pub fn load(case: &GoldenCase) -> Result<Self, String> {
        let path = case.path();
        let failed = |what: &dyn core::fmt::Display| format!("{}: {what}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
        Self::parse(&text).map_err(|error| failed(&error))
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
            hash: 0x12,
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
                .starts_with("line 3")
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
