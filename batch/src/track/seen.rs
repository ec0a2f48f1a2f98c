//! What a car sees of its track, by name.

use glam::DVec2;
use proving_ground::track::TrackPlace;

use super::{Course, Laps, Sight};

/// A car on its track, as its observations need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnTrack<'a> {
    pub(crate) course: &'a Course,
    pub(crate) model: usize,
    /// Part of the ground's grip (–).
    pub(crate) grip: f32,
    pub(crate) place: TrackPlace,
    /// Position (`m`, world) and heading (`rad`).
    pub(crate) position: DVec2,
    pub(crate) heading: f32,
    /// Speed forward (`m/s`).
    pub(crate) speed: f32,
    pub(crate) laps: Laps,
    /// Time since the beginning of the episode (`s`).
    pub(crate) time: f32,
}

impl OnTrack<'_> {
    /// Moves the laps on to the place at the end of an action of this duration (`s`). Returns whether that completes a lap: back where
    /// the episode began, or at the end of an open track.
    pub(crate) fn go_on(&mut self, duration: f32) -> bool {
        let track = &self.course.track;
        let (laps, s) = (&mut self.laps, self.place.s);
        let (line, is_possible) = if track.is_closed() {
            let count = f64::from(laps.count + 1);
            (laps.start + count * track.length(), true)
        } else {
            (track.length(), laps.count == 0)
        };
        let before = core::mem::replace(&mut laps.s, s);
        let begun = self.time;
        self.time += duration;
        let completed = is_possible && before < line && s >= line;
        if completed {
            let part = (line - before) / (s - before);
            laps.complete(begun + part as f32 * duration);
        }
        completed
    }

    fn speed(&self, stretch: [u32; 2]) -> f64 {
        let car = (self.model, self.grip);
        self.course.speed(car, self.place.s, stretch)
    }

    /// Distance from the nearer edge (`m`), negative beyond it.
    pub(crate) fn room(&self) -> f64 {
        self.place.left.min(self.place.right)
    }
}

/// Channels of the track; a stretch has the distances of its ends ahead of the car (`m`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrackChannel {
    /// Distance along the center line since its beginning (`m`).
    Distance,
    Offset,
    /// Heading against that of the center line (`rad`), to the left.
    Heading,
    Left,
    Right,
    /// Number of completed laps.
    Laps,
    /// Time in the current lap, of the last, and of the fastest lap (`s`).
    Time,
    LapTime,
    BestTime,
    /// Least of all speeds of stretches, less that of the car (`m/s`).
    SpareSpeed,
    Curvature([u32; 2]),
    Sharpest([u32; 2]),
    Speed([u32; 2]),
    /// Distance to an edge in a direction (`°`).
    Ray(i32),
}

impl TrackChannel {
    /// Channels that every track has, with key, unit and usual range.
    const PLAIN: [(Self, &str, &str, [f32; 2]); 10] = [
        (Self::Distance, "s", "m", [0.0, 1000.0]),
        (Self::Offset, "offset", "m", [-10.0, 10.0]),
        (Self::Heading, "heading", "rad", [-1.0, 1.0]),
        (Self::Left, "left", "m", [0.0, 10.0]),
        (Self::Right, "right", "m", [0.0, 10.0]),
        (Self::Laps, "laps", "", [0.0, 10.0]),
        (Self::Time, "time", "s", [0.0, 100.0]),
        (Self::LapTime, "lap_time", "s", [0.0, 100.0]),
        (Self::BestTime, "best_time", "s", [0.0, 100.0]),
        (Self::SpareSpeed, "spare_speed", "m/s", [-20.0, 20.0]),
    ];

    /// All channels of a sight, with key, unit and usual range.
    pub(crate) fn all(sight: &Sight) -> Vec<(Self, String, &'static str, [f32; 2])> {
        let plain = Self::PLAIN.map(|(it, key, unit, range)| (it, key.to_owned(), unit, range));
        let mut all = Vec::from(plain);
        let curvatures = [-0.1, 0.1];
        let groups = [
            (
                "curvature",
                Self::Curvature as fn([u32; 2]) -> Self,
                "1/m",
                curvatures,
            ),
            ("sharpest", Self::Sharpest, "1/m", curvatures),
            ("speed", Self::Speed, "m/s", [0.0, 50.0]),
        ];
        for (key, channel, unit, range) in groups {
            let named = sight.stretches().map(|[from, to]| {
                let key = format!("{key}.{from}_{to}");
                (channel([from, to]), key, unit, range)
            });
            all.extend(named);
        }
        let ray = |angle: &i32| {
            let range = [0.0, sight.reach];
            (Self::Ray(*angle), format!("ray.{angle}"), "m", range)
        };
        all.extend(sight.rays_deg.iter().map(ray));
        all
    }

    /// True if the limits of the car are needed for the column.
    pub(crate) const fn takes_limits(self) -> bool {
        matches!(self, Self::SpareSpeed | Self::Speed(_))
    }

    pub(crate) fn sample(self, seen: &OnTrack<'_>) -> f32 {
        let OnTrack {
            course,
            place,
            laps,
            ..
        } = seen;
        let center = course.track.center();
        let value = match self {
            Self::Distance => center.within(place.s),
            Self::Offset => place.offset,
            Self::Heading => place.heading_error,
            Self::Left => place.left,
            Self::Right => place.right,
            Self::Laps => laps.count.into(),
            Self::Time => (seen.time - laps.end).into(),
            Self::LapTime => laps.last.into(),
            Self::BestTime => laps.best.into(),
            Self::SpareSpeed => {
                let speeds = course.sight.stretches().map(|it| seen.speed(it));
                speeds.fold(f64::MAX, f64::min) - f64::from(seen.speed)
            }
            Self::Curvature([from, to]) => {
                center.curvature(place.s + f64::from(from), place.s + f64::from(to))
            }
            Self::Sharpest(stretch) => course.sharpest(place.s, stretch),
            Self::Speed(stretch) => seen.speed(stretch),
            Self::Ray(angle) => {
                let direction = f64::from(seen.heading) + f64::from(angle).to_radians();
                let reach = course.sight.reach.into();
                course.track.ray(seen.position, place.s, direction, reach)
            }
        };
        value as f32
    }
}
