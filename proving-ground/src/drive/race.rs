//! Laps of a track by a racing driver.

use jounce::core::{CarCommand, VehicleModel, math};
use jounce::file::Car;
use serde::Serialize;

use super::ending::end_of;
use super::{Drive, DriveConditions, End};
use crate::driver::{Seen, StageStart};
use crate::error::ProvingError;
use crate::maneuver::{Maneuver, ManeuverStage};
use crate::racing::{CarLimits, Racer, RacingLine};
use crate::sample::Sample;
use crate::track::Track;
use crate::world::Start;

/// Line of a racing driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RaceLine {
    /// The line of least curvature within the edges.
    #[default]
    Racing,
    /// The center line.
    Center,
}

/// Laps of a track.
#[derive(Clone, Debug, PartialEq)]
pub struct RacePlan {
    /// Name of a built-in track, or a file.
    pub track: String,
    /// Number of laps, > 0; by default 2, and 1 on an open track, which has no other.
    pub laps: Option<u32>,
    /// Line of the driver.
    pub line: RaceLine,
}

/// A completed lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lap {
    /// Time of the lap (`s`).
    pub time: f32,
    /// Time for which a tire was beyond an edge of the track (`s`).
    pub off_track: f32,
    /// Greatest speed (`m/s`).
    pub top_speed: f32,
}

/// A race: the line of its driver, and the laps.
#[derive(Clone, Debug)]
pub struct Race {
    /// The track.
    pub track: Track,
    /// The racing line.
    pub line: RacingLine,
    /// The completed laps.
    pub laps: Vec<Lap>,
    /// Number of laps to drive.
    pub planned: u32,
}

impl Race {
    /// The race of a plan, before its start.
    ///
    /// # Errors
    /// If there is no such track, it is an open one for more than one lap, or the car cannot race there.
    pub(super) fn new(
        plan: &RacePlan,
        car: &Car,
        conditions: &DriveConditions,
    ) -> Result<Self, ProvingError> {
        let track = Track::load(&plan.track)?;
        let most = if track.is_closed() { u32::MAX } else { 1 };
        let planned = plan.laps.unwrap_or(2.min(most));
        if planned > most {
            return Err(ProvingError::OpenTrack {
                track: track.name().to_owned(),
                laps: planned,
            });
        }
        let limits = CarLimits::of(car)?.with_grip(conditions.grip());
        let line = match plan.line {
            RaceLine::Racing => RacingLine::of(&track, limits)?,
            RaceLine::Center => RacingLine::center(&track, limits),
        };
        Ok(Self {
            line,
            track,
            laps: Vec::new(),
            planned,
        })
    }

    /// Start of the car: on the racing line, where the track begins.
    pub(super) fn start(&self) -> Start {
        let line = self.line.line();
        Start {
            position: line.point(0.0),
            heading: line.heading(0.0) as f32,
        }
    }

    /// A maneuver whose stages are the laps.
    pub(super) fn maneuver(&self) -> Maneuver {
        /// Times as long as planned until a car gives up, and besides for the start (`s`).
        const PATIENCE: (f64, f64) = (2.0, 60.0);
        let laps = (1..=self.planned).map(|n| ManeuverStage {
            name: format!("lap {n}"),
            ..ManeuverStage::default()
        });
        let longest = PATIENCE.1 + PATIENCE.0 * f64::from(self.planned) * self.line.lap_time();
        Maneuver {
            schema: 1,
            name: "race".to_owned(),
            description: format!(
                "a racing driver, whose line and speeds allow a lap in {:.2} s",
                self.line.lap_time()
            ),
            ground: None,
            duration: longest.min(3600.0) as f32,
            stages: laps.collect(),
        }
    }

    /// Notes the laps of a drive that end at these times since its start (`s`), and returns how it ended.
    pub(super) fn finish(&mut self, ends: &[f32], drive: &Drive) -> End {
        let mut s = 0.0;
        let mut begin = 0.0;
        for end in ends {
            let mut lap = Lap {
                time: end - begin,
                off_track: 0.0,
                top_speed: 0.0,
            };
            let within = |sample: &&Sample| sample.time > begin && sample.time <= *end;
            for sample in drive.samples.iter().filter(within) {
                s = self.track.place_near(sample.position.truncate(), 0.0, s).s;
                lap.top_speed = lap.top_speed.max(sample.speed);
                if is_beyond(&self.track, s, sample, &drive.model) {
                    lap.off_track += drive.dt;
                }
            }
            self.laps.push(lap);
            begin = *end;
        }
        match end_of(&drive.samples) {
            End::Finished if ends.len() < self.planned as usize => End::LapsMissing,
            end => end,
        }
    }
}

/// Whether a tire of a car near `s` (`m`) is beyond an edge of a track.
fn is_beyond(track: &Track, s: f64, sample: &Sample, model: &VehicleModel) -> bool {
    let params = model.params();
    let rotation = math::matrix(sample.rotation);
    let mut wheels = sample.wheels.iter().zip(&params.wheels);
    wheels.any(|(wheel, given)| {
        let arm = rotation * (wheel.position - params.chassis.center_of_mass);
        let position = sample.position.truncate() + arm.truncate().as_dvec2();
        let place = track.place_near(position, 0.0, s);
        place.left.min(place.right) < 0.5 * f64::from(given.width)
    })
}

/// A racing driver who counts the laps.
#[derive(Clone, Debug)]
pub(super) struct LapDriver<'a> {
    race: &'a Race,
    racer: Racer<'a>,
    longest: f32,
    /// Place along the track (`m`), on from lap to lap, at the last step, and its time (`s`).
    last: (f64, f32),
    /// Times at which laps ended (`s`).
    ends: Vec<f32>,
}

impl<'a> LapDriver<'a> {
    pub(super) fn new(race: &'a Race, longest: f32) -> Self {
        Self {
            race,
            racer: Racer::new(&race.line),
            longest,
            last: (0.0, 0.0),
            ends: Vec::new(),
        }
    }

    /// Times at which laps ended (`s`).
    pub(super) fn into_ends(self) -> Vec<f32> {
        self.ends
    }

    /// The current lap and its start time.
    pub(super) fn stage_start(&self) -> StageStart {
        StageStart {
            stage: self.ends.len(),
            time: self.ends.last().copied().unwrap_or(0.0),
        }
    }

    /// The command for the next step of `dt` (`s`); `None` after the last lap.
    pub(super) fn command(&mut self, seen: &Seen, dt: f32) -> Option<CarCommand> {
        let (before, then) = self.last;
        let place = self.race.track.place_near(seen.position, 0.0, before);
        let line = (self.ends.len() + 1) as f64 * self.race.track.length();
        if place.s >= line {
            let part = (line - before) / (place.s - before);
            self.ends.push(then + part as f32 * (seen.time - then));
        }
        self.last = (place.s, seen.time);
        let done = self.ends.len() >= self.race.planned as usize || seen.time >= self.longest;
        (!done).then(|| self.racer.command(seen, dt))
    }
}

#[cfg(test)]
mod tests;
