//! Recorded pedals and steering, as a table: what a drive writes, another one repeats.
//!
//! ```text
//! # ground flat
//! time [s],stage,throttle [1],brake [1],handbrake [1],steering right [1],clutch [1],lever,automatic
//! 0,go,0.11111111,0,0,0,0,,1
//! 0.016666668,go,0.22222222,0,0,0,0,,1
//! ```
//!
//! A row holds until the next one, the last one for as long as the one before. Columns but the time may be missing: then
//! the pedal is released, the wheels are straight, the autobox may change gears, the drive is one stage. `lever` is a
//! gear to engage (-1 is reverse, 0 neutral), `up`, `down`, or blank.

use core::fmt::Write as _;

use jounce::core::{CarCommand, Gear, GearCommand};
use jounce::scene::error::{InvalidText, LineFault};
use jounce::scene::text::unmarked;

use super::Drive;
use crate::driver::{Seen, StageStart};
use crate::ground::GroundSpec;

/// Columns of the table.
const COLUMNS: [&str; 9] = [
    "time [s]",
    "stage",
    "throttle [1]",
    "brake [1]",
    "handbrake [1]",
    "steering right [1]",
    "clutch [1]",
    "lever",
    "automatic",
];

/// A command, and from when on it holds.
#[derive(Clone, Debug, PartialEq)]
struct InputRow {
    /// Time since the start (`s`).
    time: f32,
    /// Index of the stage.
    stage: usize,
    command: CarCommand,
}

/// Recorded pedals and steering.
#[derive(Clone, Debug, PartialEq)]
pub struct InputTrack {
    /// The ground on which they were recorded.
    pub ground: Option<GroundSpec>,
    /// Names of the stages, in order.
    pub stages: Vec<String>,
    rows: Vec<InputRow>,
}

impl InputTrack {
    /// Pedals, steering and gear requests of the driver in a drive.
    #[must_use]
    pub fn of(drive: &Drive) -> Self {
        let pairs = drive.samples.windows(2);
        // A sample has the command of the step that ended with it.
        let rows = pairs.map(|pair| InputRow {
            time: pair[0].time,
            stage: pair[1].stage,
            command: pair[1].command,
        });
        Self {
            ground: Some(drive.ground.clone()),
            stages: drive.stage_names(),
            rows: rows.collect(),
        }
    }

    /// Time at which the last row ends (`s`).
    #[must_use]
    pub fn duration(&self) -> f32 {
        match &self.rows[..] {
            [.., before, last] => last.time + (last.time - before.time),
            [only] => only.time,
            [] => 0.0,
        }
    }

    /// The table as CSV, in which numbers read back exactly.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if let Some(ground) = &self.ground {
            let _ = writeln!(text, "{GROUND}{}", ground.argument());
        }
        let _ = writeln!(text, "{}", COLUMNS.join(","));
        for InputRow {
            time,
            stage,
            command: c,
        } in &self.rows
        {
            let stage = self.stages.get(*stage).map_or("", String::as_str);
            let stage = format!("\"{}\"", stage.replace('"', "\"\""));
            let gear_request = match c.gear {
                GearCommand::Hold | GearCommand::Cancel => String::new(),
                GearCommand::Up => "up".to_owned(),
                GearCommand::Down => "down".to_owned(),
                GearCommand::Engage(gear) => gear.0.to_string(),
            };
            let _ = writeln!(
                text,
                "{time},{stage},{},{},{},{},{},{gear_request},{}",
                c.throttle,
                c.brake,
                c.handbrake,
                c.steer,
                c.clutch,
                u8::from(c.automatic)
            );
        }
        text
    }

    /// Reads a table; errors call it `file`.
    ///
    /// # Errors
    /// With every fault: a column that is not known or not there, a cell that is not such a number, a time that does not
    /// rise.
    pub fn parse(text: &str, file: &str) -> Result<Self, InvalidText> {
        let text = unmarked(text);
        let mut reading = InputRows::default();
        let comments = text.lines().take_while(|line| line.starts_with('#'));
        let head = 1 + comments.clone().count();
        let ground = comments.filter_map(|line| line.strip_prefix(GROUND)).next();
        let mut track = Self {
            ground: ground.and_then(|ground| reading.ground(ground)),
            stages: Vec::new(),
            rows: Vec::new(),
        };
        let mut table = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        match table.headers() {
            Ok(names) => reading.columns(names, head),
            Err(error) => reading.fault(0, error.to_string()),
        }
        for record in table.records() {
            match record {
                Ok(record) => reading.row(&record, &mut track),
                Err(error) => reading.fault(0, error.to_string()),
            }
        }
        if track.rows.is_empty() && reading.faults.is_empty() {
            reading.fault(0, "has no rows".to_owned());
        }
        if track.stages.is_empty() {
            track.stages.push(UNNAMED.to_owned());
        }
        if reading.faults.is_empty() {
            return Ok(track);
        }
        Err(InvalidText {
            file: file.to_owned(),
            faults: reading.faults,
        })
    }
}

/// Beginning of the line that tells the ground.
const GROUND: &str = "# ground ";
/// Name of the only stage of a table without a column of stages.
const UNNAMED: &str = "recorded";

/// A table being read.
#[derive(Default)]
struct InputRows {
    /// Index in [`COLUMNS`] of each column.
    places: Vec<Option<usize>>,
    faults: Vec<LineFault>,
}

impl InputRows {
    fn fault(&mut self, line: usize, what: String) {
        self.faults.push(LineFault { line, what });
    }

    fn ground(&mut self, name: &str) -> Option<GroundSpec> {
        let ground = name.trim().parse();
        ground.map_err(|error| self.fault(1, error)).ok()
    }

    /// Notes the order of the columns. A name may lack its unit.
    fn columns(&mut self, names: &csv::StringRecord, line: usize) {
        for name in names {
            let is = |known: &str| known == name || known.split(" [").next() == Some(name);
            let place = COLUMNS.iter().position(|known| is(known));
            if place.is_none() {
                let known = COLUMNS.join(", ");
                self.fault(line, format!("column {name:?}: must be one of {known}"));
            } else if self.places.contains(&place) {
                self.fault(line, format!("column {name:?}: is there twice"));
            }
            self.places.push(place);
        }
        if !self.places.contains(&Some(0)) {
            self.fault(line, format!("there must be a column {:?}", COLUMNS[0]));
        }
    }

    fn row(&mut self, record: &csv::StringRecord, track: &mut InputTrack) {
        let line = record.position().map_or(0, |at| at.line() as usize);
        let mut row = InputRow {
            time: 0.0,
            stage: track.stages.len().saturating_sub(1),
            command: CarCommand::default(),
        };
        for (cell, place) in record.iter().zip(self.places.clone()) {
            let Some(place) = place else { continue };
            if let Err(rule) = row.take(place, cell, track) {
                let name = COLUMNS[place];
                self.fault(line, format!("{name} = {cell:?}: {rule}"));
            }
        }
        let before = track.rows.last().map_or(-1.0, |row| row.time);
        if row.time <= before {
            let rule = format!(
                "time = {} s: must be after the row before, {before} s",
                row.time
            );
            self.fault(line, rule);
        }
        track.rows.push(row);
    }
}

impl InputRow {
    /// Takes over a cell of a column, or says what it must be.
    fn take(&mut self, column: usize, cell: &str, track: &mut InputTrack) -> Result<(), String> {
        let within = |least: f32, most: f32| {
            let number = cell.parse().ok().filter(|x| (least..=most).contains(x));
            number.ok_or_else(|| format!("must be a number within {least}..={most}"))
        };
        let command = &mut self.command;
        match column {
            0 => self.time = within(0.0, 3600.0)?,
            1 => {
                if track.stages.last().is_none_or(|last| last != cell) {
                    track.stages.push(cell.to_owned());
                }
                self.stage = track.stages.len() - 1;
            }
            2 => command.throttle = within(0.0, 1.0)?,
            3 => command.brake = within(0.0, 1.0)?,
            4 => command.handbrake = within(0.0, 1.0)?,
            5 => command.steer = within(-1.0, 1.0)?,
            6 => command.clutch = within(0.0, 1.0)?,
            7 => command.gear = gear_request(cell)?,
            _ => {
                command.automatic = match cell {
                    "0" => false,
                    "1" => true,
                    _ => return Err("must be 0 or 1".to_owned()),
                }
            }
        }
        Ok(())
    }
}

fn gear_request(cell: &str) -> Result<GearCommand, String> {
    match cell {
        "" => Ok(GearCommand::Hold),
        "up" => Ok(GearCommand::Up),
        "down" => Ok(GearCommand::Down),
        _ => match cell.parse() {
            Ok(gear) => Ok(GearCommand::Engage(Gear(gear))),
            Err(_) => Err("must be a gear, up, down or blank".to_owned()),
        },
    }
}

/// Repeats recorded pedals and steering.
#[derive(Clone, Debug)]
pub(super) struct InputPlayer<'a> {
    track: &'a InputTrack,
    /// Rows that have begun.
    begun: usize,
    stage: StageStart,
}

impl<'a> InputPlayer<'a> {
    pub(super) fn new(track: &'a InputTrack) -> Self {
        Self {
            track,
            begun: 0,
            stage: StageStart {
                stage: 0,
                time: 0.0,
            },
        }
    }

    /// The current stage and its start time.
    pub(super) fn stage_start(&self) -> StageStart {
        self.stage
    }

    /// The command for the next step of `dt` (`s`), of the row nearest to its beginning; `None` after the last one.
    pub(super) fn command(&mut self, seen: &Seen, dt: f32) -> Option<CarCommand> {
        let middle = seen.time + 0.5 * dt;
        if self.begun > 0 && middle >= self.track.duration() {
            return None;
        }
        let rows = &self.track.rows[self.begun..];
        let new = rows.iter().take_while(|row| row.time <= middle);
        // A lever is moved once, also in a row that is passed over.
        let moved = new.clone().map(|row| row.command.gear);
        let moved = moved.filter(|gear| *gear != GearCommand::Hold).last();
        self.begun += new.count();
        let Some(row) = self.begun.checked_sub(1).map(|n| &self.track.rows[n]) else {
            return Some(CarCommand::default());
        };
        if row.stage != self.stage.stage {
            self.stage = StageStart {
                stage: row.stage,
                time: seen.time,
            };
        }
        Some(CarCommand {
            gear: moved.unwrap_or_default(),
            ..row.command
        })
    }
}

#[cfg(test)]
mod tests;
