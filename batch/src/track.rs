//! Cars on tracks: what they see of the track, and their laps.

mod seen;

use std::sync::{Arc, OnceLock};

use glam::DVec2;
use jounce::core::CarCommand;
use jounce::file::Car;
use proving_ground::ProvingError;
use proving_ground::driver::Seen;
use proving_ground::racing::{CarLimits, RacingLine};
use proving_ground::track::{Track, TrackPlace};
use proving_ground::world::Start;
use serde::{Deserialize, Serialize};

use crate::error::BatchError;
use crate::parallel::each;

pub(crate) use seen::{OnTrack, TrackChannel};

/// Half of the stretch over which the curvature at a point is a mean (`m`).
const HALF_MEAN: f64 = 2.5;
/// Longest action on a track (`s`): a car must stay within the 20 m in which its next place is sought.
const LONGEST_ACTION: f32 = 0.2;

/// Places of a track that a car sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// Ends of the stretches ahead that the previews are of (`m`), one or more, > 0 and rising; the first stretch begins at the car.
    pub ahead: Vec<u32>,
    /// Directions of the rays to the edges against the car's heading (`°`), positive to the left, each once.
    pub rays_deg: Vec<i32>,
    /// Greatest distance that a ray finds (`m`), > 0.
    pub reach: f32,
}

impl Default for Sight {
    /// Twelve stretches up to 250 m, in which a fast car stops, and thirteen rays ahead of up to 100 m.
    fn default() -> Self {
        Self {
            ahead: vec![5, 10, 20, 30, 45, 60, 80, 100, 130, 160, 200, 250],
            rays_deg: (-6..=6).map(|n| 15 * n).collect(),
            reach: 100.0,
        }
    }
}

impl Sight {
    fn check(&self) -> Result<(), BatchError> {
        let rises = self.ahead.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || self.ahead.first().is_none_or(|first| *first == 0) {
            let found = format!("{:?}", self.ahead);
            return Err(BatchError::argument(
                "sight.ahead",
                "one or more, > 0 and rising",
                found,
                "m",
            ));
        }
        let mut rays = self.rays_deg.clone();
        rays.sort_unstable();
        rays.dedup();
        if rays.len() != self.rays_deg.len() {
            let found = format!("{:?}", self.rays_deg);
            return Err(BatchError::argument(
                "sight.rays",
                "each angle once",
                found,
                "°",
            ));
        }
        if self.reach > 0.0 && self.reach.is_finite() {
            return Ok(());
        }
        Err(BatchError::argument(
            "sight.reach",
            "finite and > 0",
            self.reach,
            "m",
        ))
    }

    /// The stretches ahead, each from and to these distances (`m`).
    fn stretches(&self) -> impl Iterator<Item = [u32; 2]> {
        let from = [0].iter().chain(&self.ahead);
        from.zip(&self.ahead).map(|(from, to)| [*from, *to])
    }
}

/// A car as racing drivers reckon with it, once one asks: that takes drives on the proving ground.
#[derive(Debug)]
struct Known {
    car: Car,
    limits: OnceLock<Result<CarLimits, String>>,
    line: OnceLock<Result<Racing, String>>,
}

/// A racing line, and about where on it a car is by its place on the track.
#[derive(Debug)]
struct Racing {
    line: RacingLine,
    /// Distances along the line (`m`) beside each point of the center line.
    beside: Vec<f64>,
}

/// A track that the cars of a batch drive on.
#[derive(Debug)]
pub(crate) struct Course {
    track: Arc<Track>,
    sight: Sight,
    /// Mean curvature of the center line about each of its points (`1/m`).
    bends: Vec<f64>,
    cars: Vec<Known>,
}

impl Course {
    /// A track for cars, each action of which takes this long (`s`).
    pub(crate) fn new(
        track: &Arc<Track>,
        sight: &Sight,
        cars: &[Car],
        action: f32,
    ) -> Result<Self, BatchError> {
        sight.check()?;
        if action > LONGEST_ACTION {
            let expected = format!("<= {LONGEST_ACTION} s per action on a track");
            return Err(BatchError::argument("substeps", expected, action, "s"));
        }
        let center = track.center();
        let bend = |n: usize| {
            let s = n as f64 * center.step();
            center.curvature(s - HALF_MEAN, s + HALF_MEAN)
        };
        let known = |car: &Car| Known {
            car: car.clone(),
            limits: OnceLock::new(),
            line: OnceLock::new(),
        };
        Ok(Self {
            bends: (0..center.points().len()).map(bend).collect(),
            cars: cars.iter().map(known).collect(),
            sight: sight.clone(),
            track: Arc::clone(track),
        })
    }

    pub(crate) const fn sight(&self) -> &Sight {
        &self.sight
    }

    /// The start at a distance along the center line (`m`), to the left of it (`m`), and turned from it (`rad`).
    pub(crate) fn start(&self, s: f64, left: f64, turned: f64) -> Start {
        let heading = self.track.center().heading(s);
        let (sin, cos) = libm::sincos(heading);
        Start {
            position: self.track.center().point(s) + DVec2::new(-sin, cos) * left,
            heading: (heading + turned) as f32,
        }
    }

    /// Laps that begin at a position (`m`, world), near a distance along the center line (`m`), if that is known.
    pub(crate) fn begun(&self, position: DVec2, near: Option<f64>) -> Laps {
        let s = match near {
            Some(s) => self.track.place_near(position, 0.0, s).s,
            None => self.track.place(position, 0.0).s,
        };
        Laps {
            s,
            start: s,
            ..Laps::default()
        }
    }

    /// Place of a car, near its last one.
    pub(crate) fn place(&self, position: DVec2, heading: f32, laps: &Laps) -> TrackPlace {
        self.track.place_near(position, heading.into(), laps.s)
    }

    /// Curvatures about the points of the center line between two distances ahead (`m`), each with its distance (`m`).
    fn bends(&self, s: f64, [from, to]: [u32; 2]) -> impl Iterator<Item = (f64, f64)> {
        let center = self.track.center();
        let [first, last] = [from, to].map(|ahead| ((s + f64::from(ahead)) / center.step()) as i64);
        let count = self.bends.len();
        let mut point = first as usize;
        if center.is_closed() {
            point = first.rem_euclid(count as i64) as usize;
        }
        (first..=last).map(move |n| {
            // A road that ends goes on straight.
            let bend = self.bends.get(point).copied().unwrap_or(0.0);
            point += 1;
            if center.is_closed() && point == count {
                point = 0;
            }
            (bend, (n as f64 * center.step() - s).max(0.0))
        })
    }

    /// Greatest curvature between two distances ahead (`1/m`).
    fn sharpest(&self, s: f64, stretch: [u32; 2]) -> f64 {
        let bends = self.bends(s, stretch);
        bends.fold(0.0, |sharpest: f64, (bend, _)| {
            if bend.abs() > sharpest.abs() {
                bend
            } else {
                sharpest
            }
        })
    }

    /// Limits of a car.
    fn limits(&self, model: usize) -> Result<&CarLimits, BatchError> {
        let known = &self.cars[model];
        let limits = known
            .limits
            .get_or_init(|| CarLimits::of(&known.car).map_err(|error| error.to_string()));
        limits.as_ref().map_err(cannot_race)
    }

    /// Checks that all cars have limits, which some channels take.
    pub(crate) fn check_limits(&self) -> Result<(), BatchError> {
        each((0..self.cars.len()).collect(), |model| {
            // Errors are kept.
            let _ = self.limits(model);
        });
        (0..self.cars.len()).try_for_each(|model| self.limits(model).map(drop))
    }

    /// The command that a racing driver wants, with full grip.
    pub(crate) fn race(
        &self,
        model: usize,
        seen: &Seen,
        laps: &Laps,
    ) -> Result<CarCommand, BatchError> {
        let limits = self.limits(model)?;
        let made = || Racing::new(&self.track, limits.clone()).map_err(|error| error.to_string());
        let racing = self.cars[model].line.get_or_init(made);
        let Racing { line, beside } = racing.as_ref().map_err(cannot_race)?;
        let center = self.track.center();
        let point = (center.within(laps.s) / center.step()) as usize;
        let near = beside[point.min(beside.len() - 1)];
        Ok(line.wanted(seen, line.line().project_near(seen.position, near)))
    }

    /// Greatest speed at a distance along the center line (`m`) from which the brakes of a car, with this part of the ground's grip (–),
    /// suffice for a stretch ahead (`m/s`).
    fn speed(&self, (model, grip): (usize, f32), s: f64, stretch: [u32; 2]) -> f64 {
        let Ok(limits) = self.limits(model) else {
            return 0.0;
        };
        let (mut speed, mut sharpest) = (limits.top_speed(), 0.0);
        for (bend, distance) in self.bends(s, stretch) {
            // Beyond a bend, none but a sharper one counts.
            if bend.abs() > sharpest {
                sharpest = bend.abs();
                speed = speed.min(limits.before_bend(sharpest, distance, grip.into()));
            }
        }
        speed
    }
}

fn cannot_race(error: &String) -> BatchError {
    BatchError::argument("cars", "able to race here", error, "")
}

impl Racing {
    fn new(track: &Track, limits: CarLimits) -> Result<Self, ProvingError> {
        let line = RacingLine::of(track, limits)?;
        let points = track.center().points().iter();
        let beside = points.map(|point| line.line().project(*point).s).collect();
        Ok(Self { line, beside })
    }
}

/// Laps of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Laps {
    /// Place along the center line (`m`), on from lap to lap.
    pub(crate) s: f64,
    /// Place at the beginning (`m`).
    start: f64,
    /// Number of completed laps.
    pub(crate) count: u32,
    /// End of the last completed lap, since the beginning of the episode (`s`).
    end: f32,
    /// Times of the last and the fastest completed lap (`s`); 0 without one.
    last: f32,
    best: f32,
}

impl Laps {
    /// Completes a lap at a time since the beginning of the episode (`s`).
    fn complete(&mut self, time: f32) {
        self.last = time - self.end;
        self.best = match self.count {
            0 => self.last,
            _ => self.best.min(self.last),
        };
        self.count += 1;
        self.end = time;
    }

    /// Whether the numbers can be those of a car.
    pub(crate) fn are_finite(&self) -> bool {
        self.s.is_finite() && self.start.is_finite() && self.end.is_finite()
    }
}

#[cfg(test)]
mod tests;
