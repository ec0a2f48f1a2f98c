//! Observations by name: which numbers of a car are written, and in which order.
//!
//! A name is a path: `body.velocity.x`, `wheel.front_left.slip_ratio`. A name that ends earlier stands for everything below it
//! (`body`), and `*` for any one part (`wheel.*.slip_ratio`), in the order of the wheels.

use jounce::core::report::EngineReport;
use jounce::core::{Command, Vehicle, VehicleModel};
use jounce::telemetry::{
    AirChannel, BodyChannel, BodySample, Channel, DriveChannel, EngineChannel, SteeringChannel,
    WheelChannel,
};
use proving_ground::world::GRAVITY;

use crate::error::BatchError;
use crate::task::{GoalChannel, GoalView};
use crate::track::{Course, OnTrack, TrackChannel};
use crate::trailer::{TrailerChannel, TrailerView};

/// One observed number.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Path: the part of the car, and the channel's key.
    pub name: String,
    /// SI unit; empty if it has none.
    pub unit: &'static str,
    /// Lower end of the usual range, which is no bound.
    pub low: f32,
    /// Upper end of the usual range, which is no bound.
    pub high: f32,
}

impl Column {
    const fn new(name: String, unit: &'static str, [low, high]: [f32; 2]) -> Self {
        Self {
            name,
            unit,
            low,
            high,
        }
    }
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Body(BodyChannel),
    Wheel(usize, WheelChannel),
    Engine(EngineChannel),
    Air(AirChannel),
    Steering(SteeringChannel),
    Drive(DriveChannel),
    Goal(GoalChannel),
    Track(TrackChannel),
    Trailer(TrailerChannel),
}

/// A car that is observed: its model, and what its task has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) model: &'a VehicleModel,
    pub(crate) has_goal: bool,
    pub(crate) has_trailer: bool,
    pub(crate) course: Option<&'a Course>,
}

/// A car as it is seen after a step.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) vehicle: &'a Vehicle,
    pub(crate) body: BodySample,
    pub(crate) command: Command,
    pub(crate) goal: GoalView,
    pub(crate) track: Option<OnTrack<'a>>,
    pub(crate) trailer: TrailerView,
}

/// Channels of one part of the car, each with its place in the row.
#[derive(Clone, Debug)]
struct Part<C>(Vec<(usize, C)>);

impl<C> Default for Part<C> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<C: Copy> Part<C> {
    fn write(&self, row: &mut [f32], value: impl Fn(C) -> f32) {
        for &(place, channel) in &self.0 {
            row[place] = value(channel);
        }
    }
}

/// The observed numbers, sorted by the part of the car.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    columns: Vec<Column>,
    body: Part<BodyChannel>,
    /// By wheel; empty if no wheel is observed.
    wheels: Vec<Part<WheelChannel>>,
    engine: Part<EngineChannel>,
    air: Part<AirChannel>,
    steering: Part<SteeringChannel>,
    drive: Part<DriveChannel>,
    goal: Part<GoalChannel>,
    track: Part<TrackChannel>,
    trailer: Part<TrailerChannel>,
}

impl Plan {
    /// The plan of these names for a car; a number that two names stand for is written once.
    pub(crate) fn new(names: &[String], subject: Subject<'_>) -> Result<Self, BatchError> {
        let all = all(subject);
        let mut plan = Self::default();
        let mut chosen = vec![false; all.len()];
        for name in names {
            let mut known = false;
            for (n, (column, source)) in all.iter().enumerate() {
                if !stands_for(name, &column.name) {
                    continue;
                }
                known = true;
                if !chosen[n] {
                    chosen[n] = true;
                    plan.add(column, *source, subject.model.wheel_count());
                }
            }
            if !known {
                let names = all.iter().map(|(column, _)| column.name.as_str());
                let names = PARTS.into_iter().chain(names);
                return Err(BatchError::unknown("observe", name, names));
            }
        }
        if plan.track.0.iter().any(|(_, it)| it.takes_limits()) {
            subject.course.map_or(Ok(()), Course::check_limits)?;
        }
        Ok(plan)
    }

    fn add(&mut self, column: &Column, source: Source, wheels: usize) {
        let place = self.columns.len();
        self.columns.push(column.clone());
        match source {
            Source::Body(channel) => self.body.0.push((place, channel)),
            Source::Wheel(wheel, channel) => {
                self.wheels.resize_with(wheels, Part::default);
                self.wheels[wheel].0.push((place, channel));
            }
            Source::Engine(channel) => self.engine.0.push((place, channel)),
            Source::Air(channel) => self.air.0.push((place, channel)),
            Source::Steering(channel) => self.steering.0.push((place, channel)),
            Source::Drive(channel) => self.drive.0.push((place, channel)),
            Source::Goal(channel) => self.goal.0.push((place, channel)),
            Source::Track(channel) => self.track.0.push((place, channel)),
            Source::Trailer(channel) => self.trailer.0.push((place, channel)),
        }
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Writes the row of a car: parts that it lacks are 0.
    pub(crate) fn write(&self, seen: &Seen<'_>, row: &mut [f32]) {
        let vehicle = seen.vehicle;
        self.body.write(row, |channel| channel.sample(&seen.body));
        // Reports cost time even if none of them is read.
        if !self.wheels.is_empty() {
            for (part, report) in self.wheels.iter().zip(vehicle.wheel_reports()) {
                part.write(row, |channel| channel.sample(&report, -GRAVITY.z));
            }
        }
        if !self.engine.0.is_empty() {
            let engine = EngineReport::of(vehicle);
            self.engine.write(row, |channel| {
                channel.sample(engine.as_ref(), &seen.command)
            });
        }
        let air = vehicle.air_load();
        self.air
            .write(row, |channel| air.map_or(0.0, |air| channel.sample(&air)));
        let wheel = vehicle.state().steering_wheel();
        self.steering.write(row, |channel| {
            wheel.map_or(0.0, |wheel| channel.sample(&wheel))
        });
        self.drive
            .write(row, |channel| channel.sample(&vehicle.state().drive));
        self.goal.write(row, |channel| channel.sample(&seen.goal));
        self.track.write(row, |channel| {
            seen.track.as_ref().map_or(0.0, |it| channel.sample(it))
        });
        self.trailer
            .write(row, |channel| channel.sample(&seen.trailer));
    }
}

/// First parts of all names.
const PARTS: [&str; 9] = [
    "body", "wheel", "engine", "air", "steering", "drive", "goal", "track", "trailer",
];

/// Every number of a car that can be observed.
fn all(subject: Subject<'_>) -> Vec<(Column, Source)> {
    let mut all = Vec::new();
    let mut add = |part: &str, channel: Channel, source| {
        let name = format!("{part}.{}", channel.key);
        let column = Column::new(name, channel.unit, [channel.min, channel.max]);
        all.push((column, source));
    };
    for channel in BodyChannel::ALL {
        add("body", channel.channel(), Source::Body(channel));
    }
    for (n, name) in wheel_names(subject.model).into_iter().enumerate() {
        for channel in WheelChannel::ALL {
            let part = format!("wheel.{name}");
            add(&part, channel.channel(), Source::Wheel(n, channel));
        }
    }
    for channel in EngineChannel::ALL {
        add("engine", channel.channel(), Source::Engine(channel));
    }
    for channel in AirChannel::ALL {
        add("air", channel.channel(), Source::Air(channel));
    }
    for channel in SteeringChannel::ALL {
        add("steering", channel.channel(), Source::Steering(channel));
    }
    for channel in DriveChannel::ALL {
        add("drive", channel.channel(), Source::Drive(channel));
    }
    all.extend(of_task(subject));
    all
}

/// Every number of a car's task that can be observed.
fn of_task(subject: Subject<'_>) -> Vec<(Column, Source)> {
    let mut all = Vec::new();
    let mut add = |part: &str, (key, unit, range): (&str, _, _), source| {
        all.push((Column::new(format!("{part}.{key}"), unit, range), source));
    };
    for channel in GoalChannel::ALL.into_iter().filter(|_| subject.has_goal) {
        add("goal", channel.about(), Source::Goal(channel));
    }
    let trailer = TrailerChannel::ALL.into_iter();
    for channel in trailer.filter(|_| subject.has_trailer) {
        add("trailer", channel.about(), Source::Trailer(channel));
    }
    let sight = subject.course.map(Course::sight);
    for (channel, key, unit, range) in sight.into_iter().flat_map(TrackChannel::all) {
        add("track", (&key, unit, range), Source::Track(channel));
    }
    all
}

/// Names of the wheels as they are in paths: `front_left`.
#[must_use]
pub fn wheel_names(model: &VehicleModel) -> Vec<String> {
    let wheels = model.params().wheels.iter();
    wheels
        .map(|wheel| wheel.name.replace([' ', '-', '.'], "_"))
        .collect()
}

/// Whether a name stands for the number at a path.
fn stands_for(name: &str, path: &str) -> bool {
    let mut path = path.split('.');
    name.split('.')
        .all(|part| path.next().is_some_and(|own| part == "*" || part == own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce::presets;
    use rstest::rstest;

    fn subject(model: &VehicleModel, has_goal: bool) -> Subject<'_> {
        Subject {
            model,
            has_goal,
            has_trailer: false,
            course: None,
        }
    }

    fn plan(names: &[&str]) -> Result<Plan, BatchError> {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        Plan::new(&names, subject(&presets::sedan().model(), true))
    }

    #[rstest]
    #[case::part("body", BodyChannel::COUNT, "body.position.x")]
    #[case::below("body.velocity", 3, "body.velocity.x")]
    #[case::number("engine.speed", 1, "engine.speed")]
    #[case::wheel("wheel.rear_left", WheelChannel::COUNT, "wheel.rear_left.jounce")]
    #[case::wheels("wheel.*.slip_ratio", 4, "wheel.front_left.slip_ratio")]
    #[case::all_wheels("wheel.*", 4 * WheelChannel::COUNT, "wheel.front_left.jounce")]
    #[case::goal("goal", 4, "goal.x")]
    fn names_stand_for_what_is_below_them(
        #[case] name: &str,
        #[case] count: usize,
        #[case] first: &str,
    ) {
        let plan = plan(&[name]).unwrap();
        assert_eq!(plan.columns().len(), count);
        assert_eq!(plan.columns()[0].name, first);
    }

    #[test]
    fn a_number_is_written_once_in_the_order_of_the_names() {
        let plan = plan(&["drive.gear", "body.velocity.y", "body.velocity"]).unwrap();
        let names: Vec<_> = plan.columns().iter().map(|it| it.name.as_str()).collect();
        let expected = [
            "drive.gear",
            "body.velocity.y",
            "body.velocity.x",
            "body.velocity.z",
        ];
        assert_eq!(names, expected);
    }

    #[rstest]
    #[case("wheel.front_lft", "wheel.front_left")]
    #[case("bdy", "body")]
    #[case("engine.sped", "engine.speed")]
    fn unknown_names_get_suggestions(#[case] name: &str, #[case] meant: &str) {
        let error = plan(&["body", name]).unwrap_err().to_string();
        assert!(
            error.starts_with("observe: ") && error.contains(meant),
            "{error}"
        );
    }

    #[test]
    fn a_car_without_goal_and_track_has_none_to_see() {
        let model = presets::sedan().model();
        for name in ["goal", "track", "trailer"] {
            let names = [name.to_owned()];
            assert!(Plan::new(&names, subject(&model, false)).is_err());
        }
    }
}
