//! The record of a session.

use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use serde::{Deserialize, Serialize};

use crate::course::CourseName;
use crate::digest::MotionDigest;
use crate::error::ProvingError;
use crate::world::{self, WorldKind};

/// Start of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionStart {
    /// Name of the engine.
    pub world: String,
    /// The course.
    pub course: CourseName,
    /// Text of the vehicle file.
    pub vehicle: String,
    /// Time step (`s`), > 0.
    pub dt: f32,
}

impl SessionStart {
    /// A preset vehicle on hills, in the standalone world, in steps of 1/60 s.
    ///
    /// # Errors
    /// If there is no such preset.
    pub fn of(vehicle: &str) -> Result<Self, ProvingError> {
        let file = presets::FILES
            .into_iter()
            .find(|(name, _)| *name == vehicle);
        let (_, text) =
            file.ok_or_else(|| ProvingError::Engine(format!("{vehicle}: not a preset vehicle")))?;
        Ok(Self {
            world: WorldKind::default().name().to_owned(),
            course: CourseName::default(),
            vehicle: text.to_owned(),
            dt: 1.0 / 60.0,
        })
    }
}

/// A change while a car drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Changes to another engine, by name: everything goes on as it moves.
    World(String),
    /// Changes numbers of the driven vehicle, as the text of its file: it goes on as it moves.
    Tune(String),
    /// Changes to another vehicle, as the text of its file: it stands at the position of the last one.
    Vehicle(String),
    /// Changes to another course: the car stands at its start.
    Course(CourseName),
    /// Couples a vehicle to tow, as the text of its file; `None` lets it go.
    Trailer(Option<String>),
    /// Switches a driver aid of the driven vehicle on or off, by its name.
    Aid(String, bool),
    /// Sets the car on its wheels at its present position.
    Upright,
    /// Restores the state at the start of the course.
    Restart,
}

/// An event before a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionEvent {
    /// The driver's command from now on.
    Command(CarCommand),
    /// A change.
    Change(Change),
}

/// An event and its step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionEntry {
    /// Number of steps before the event.
    pub at: u64,
    /// The event of the entry.
    pub event: SessionEvent,
}

/// A whole session: its start, what happened, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Version of this format: 1.
    pub schema: u32,
    /// The start.
    pub start: SessionStart,
    /// Number of steps.
    pub steps: u64,
    /// The digest of the motion, [`Session::hash`](super::Session::hash).
    pub hash: String,
    /// Events of the session, in order.
    pub entries: Vec<SessionEntry>,
}

impl Recording {
    /// The present version.
    pub const SCHEMA: u32 = 1;

    pub(super) fn of(start: SessionStart) -> Self {
        Self {
            schema: Self::SCHEMA,
            start,
            steps: 0,
            hash: MotionDigest::default().to_string(),
            entries: Vec::new(),
        }
    }

    /// Text of the present vehicle's file: as it was opened, and as it is now.
    #[must_use]
    pub fn vehicle(&self) -> (&str, &str) {
        let started = (&*self.start.vehicle, &*self.start.vehicle);
        let events = self.entries.iter().map(|entry| &entry.event);
        events.fold(started, |(opened, now), event| match event {
            SessionEvent::Change(Change::Vehicle(text)) => (text, text),
            SessionEvent::Change(Change::Tune(text)) => (opened, text),
            _ => (opened, now),
        })
    }

    pub(super) fn note(&mut self, event: SessionEvent) {
        let at = self.steps;
        self.entries.push(SessionEntry { at, event });
    }
}

/// The engine of this name.
pub(super) fn world_kind(name: &str) -> Result<WorldKind, ProvingError> {
    name.parse().map_err(ProvingError::Engine)
}

/// The car of a file's text. Wheels that are bodies are driven elsewhere.
pub(super) fn car(text: &str) -> Result<Car, ProvingError> {
    let car = Car::parse(text, "vehicle")?;
    world::probing(&car)?;
    Ok(car)
}
