//! A car on a course, driven freely: commands step by step, and changes while it drives, all recorded. A recording
//! replays to the same bits.
//!
//! ```
//! use jounce::core::CarCommand;
//! use proving_ground::session::{Change, Session, SessionStart};
//!
//! let mut session = Session::new(SessionStart::of("sedan")?)?;
//! let ahead = CarCommand { throttle: 1.0, ..CarCommand::default() };
//! for _ in 0..60 {
//!     session.step(&ahead)?;
//! }
//! let text = jounce::presets::FILES[1].1;
//! session.change(Change::Vehicle(text.to_owned()))?;
//! assert_eq!(Session::replay(session.recording())?.hash(), session.hash());
//! # Ok::<(), proving_ground::ProvingError>(())
//! ```

mod recording;
mod rebuild;

use glam::Vec3;
use jounce::core::{
    Air, BodyId, BodyState, CarCommand, Command, Environment, Gear, Surfaces, Vehicle, step,
};
use jounce::file::Car;
use jounce::scene::BodyDesc;

pub use recording::{Change, Recording, SessionEntry, SessionEvent, SessionStart};

use crate::course::{CourseBodies, Cover, DrivingCourse};
use crate::digest::MotionDigest;
use crate::error::ProvingError;
use crate::tow;
use crate::world::{GRAVITY, Snapshot, World, WorldKind};

/// A vehicle of a session: a car and its body.
#[derive(Clone, Debug)]
pub struct DrivenCar {
    /// The vehicle's file and parameters.
    pub car: Car,
    /// The vehicle on its body.
    pub vehicle: Vehicle,
}

/// A car, and perhaps a trailer, on a course in a world.
pub struct Session {
    recording: Recording,
    course: DrivingCourse,
    kind: WorldKind,
    world: Box<dyn World>,
    bodies: CourseBodies,
    driven: DrivenCar,
    trailer: Option<DrivenCar>,
    surfaces: Surfaces,
    command: CarCommand,
    digest: MotionDigest,
    refusal: Option<String>,
}

impl core::fmt::Debug for Session {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut session = f.debug_struct("Session");
        session.field("recording", &self.recording);
        session.finish_non_exhaustive()
    }
}

/// A moment of a session, to return to.
#[derive(Debug)]
pub struct SessionSnapshot {
    world: Snapshot,
    kind: WorldKind,
    course: DrivingCourse,
    bodies: CourseBodies,
    driven: DrivenCar,
    trailer: Option<DrivenCar>,
    command: CarCommand,
    digest: MotionDigest,
    steps: u64,
    entries: usize,
}

impl SessionSnapshot {
    /// Number of steps before the snapshot.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

impl Session {
    /// A session at its start, the car in first gear.
    ///
    /// # Errors
    /// If the vehicle's text has faults, there is no such world, or it cannot be opened.
    pub fn new(start: SessionStart) -> Result<Self, ProvingError> {
        let kind = recording::world_kind(&start.world)?;
        let course = DrivingCourse::new(start.course)?;
        let car = recording::car(&start.vehicle)?;
        let (world, bodies, vehicle) = rebuild::at_start(kind, &course, &car, start.dt)?;
        Ok(Self {
            recording: Recording::of(start),
            course,
            kind,
            world,
            bodies,
            driven: DrivenCar { car, vehicle },
            trailer: None,
            surfaces: Cover::surfaces(),
            command: CarCommand::default(),
            digest: MotionDigest::default(),
            refusal: None,
        })
    }

    /// Repeats a recording to its end.
    ///
    /// # Errors
    /// As [`Session::new`], [`Session::change`] and [`Session::step`].
    pub fn replay(recording: &Recording) -> Result<Self, ProvingError> {
        let mut session = Self::new(recording.start.clone())?;
        session.repeat(recording, recording.steps)?;
        Ok(session)
    }

    /// Goes on as a recording with the same past does, up to its step `to`.
    ///
    /// # Errors
    /// As [`Session::change`] and [`Session::step`].
    pub fn repeat(&mut self, recording: &Recording, to: u64) -> Result<(), ProvingError> {
        let (mut next, mut command) = (self.recording.entries.len(), self.command);
        loop {
            while let Some(entry) = recording.entries.get(next)
                && entry.at <= self.steps()
            {
                next += 1;
                match &entry.event {
                    SessionEvent::Command(given) => command = *given,
                    SessionEvent::Change(change) => self.change(change.clone())?,
                }
            }
            if self.steps() >= to {
                return Ok(());
            }
            self.step(&command)?;
        }
    }

    /// One step with this command.
    ///
    /// # Errors
    /// If the world loses the car. A refused update is no error: see [`Session::refusal`].
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        if self.command != *command {
            self.command = *command;
            self.recording.note(SessionEvent::Command(*command));
        }
        let dt = self.recording.start.dt;
        self.move_platforms()?;
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &self.surfaces,
            air: Air::STILL,
        };
        let world = &mut *self.world;
        let vehicle = &mut self.driven.vehicle;
        let done = step(vehicle, world, &Command::Car(*command), &environment, dt);
        self.refusal = done.err().map(|refused| refused.to_string());
        if let Some(towed) = &mut self.trailer {
            // A vehicle holding its position must know when it is towed off.
            towed.vehicle.set_towed(vehicle.control().accelerating);
            let command = Command::Car(tow::command(command));
            let done = step(&mut towed.vehicle, world, &command, &environment, dt);
            self.refusal = self
                .refusal
                .take()
                .or(done.err().map(|refused| refused.to_string()));
        }
        self.world.advance(GRAVITY, dt);
        self.recording.steps += 1;
        let body = self.body()?;
        self.digest.add_body(&body);
        self.recording.hash = self.digest.to_string();
        Ok(())
    }

    /// Makes a change before the next step. A failed one changes nothing and is not recorded.
    ///
    /// # Errors
    /// If the text of a vehicle has faults, there is no such world, or the world cannot do what it takes.
    pub fn change(&mut self, change: Change) -> Result<(), ProvingError> {
        self.make(&change)?;
        self.recording.note(SessionEvent::Change(change));
        Ok(())
    }

    /// Saves this moment.
    ///
    /// # Errors
    /// If the world has no snapshots.
    pub fn snapshot(&mut self) -> Result<SessionSnapshot, ProvingError> {
        Ok(SessionSnapshot {
            world: self.world.snapshot()?,
            kind: self.kind,
            course: self.course.clone(),
            bodies: self.bodies.clone(),
            driven: self.driven.clone(),
            trailer: self.trailer.clone(),
            command: self.command,
            digest: self.digest,
            steps: self.recording.steps,
            entries: self.recording.entries.len(),
        })
    }

    /// Returns to a moment; what was recorded since is forgotten.
    ///
    /// # Errors
    /// If its world cannot be opened again.
    pub fn restore(&mut self, moment: &SessionSnapshot) -> Result<(), ProvingError> {
        let dt = self.recording.start.dt;
        if self.kind != moment.kind || self.course.name != moment.course.name {
            self.world = crate::world::open(moment.kind, &moment.course.terrain, dt)?;
        }
        self.world.restore(&moment.world)?;
        self.kind = moment.kind;
        self.course = moment.course.clone();
        self.bodies = moment.bodies.clone();
        self.driven = moment.driven.clone();
        self.trailer = moment.trailer.clone();
        self.command = moment.command;
        self.digest = moment.digest;
        self.recording.steps = moment.steps;
        self.recording.entries.truncate(moment.entries);
        self.recording.hash = self.digest.to_string();
        Ok(())
    }

    /// Everything so far.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.recording.steps
    }

    /// Length of a step (`s`).
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.recording.start.dt
    }

    /// A digest of all motion of the car so far: equal for equal bits.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.recording.hash
    }

    /// The course.
    #[must_use]
    pub fn course(&self) -> &DrivingCourse {
        &self.course
    }

    /// Platforms and boxes of the course.
    #[must_use]
    pub fn bodies(&self) -> &CourseBodies {
        &self.bodies
    }

    /// The kind of its world.
    #[must_use]
    pub fn kind(&self) -> WorldKind {
        self.kind
    }

    /// World of the session.
    #[must_use]
    pub fn world(&self) -> &dyn World {
        &*self.world
    }

    /// The car that is driven.
    #[must_use]
    pub fn driven(&self) -> &DrivenCar {
        &self.driven
    }

    /// Trailer behind the driven vehicle.
    #[must_use]
    pub fn trailer(&self) -> Option<&DrivenCar> {
        self.trailer.as_ref()
    }

    /// The command of the last step.
    #[must_use]
    pub fn command(&self) -> &CarCommand {
        &self.command
    }

    /// Reason why the last update was refused, if it was.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// The car's body.
    ///
    /// # Errors
    /// If the world has lost it.
    pub fn body(&self) -> Result<BodyState, ProvingError> {
        Ok(self.world.body_state(self.driven.vehicle.body())?)
    }

    fn move_platforms(&mut self) -> Result<(), ProvingError> {
        let time = self.recording.steps as f32 * self.recording.start.dt;
        for (plan, id) in self.course.platforms.iter().zip(&self.bodies.platforms) {
            let (linear, angular) = plan.velocity(time);
            self.world.set_platform_velocity(*id, linear, angular)?;
        }
        Ok(())
    }

    /// Description of a body in its present state, to be added to another world.
    fn as_it_is(&self, id: BodyId, made: BodyDesc) -> Result<BodyDesc, ProvingError> {
        let body = self.world.body_state(id)?;
        Ok(BodyDesc {
            position: body.position,
            rotation: body.rotation,
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            ..made
        })
    }
}

/// A new vehicle in first gear.
fn fresh(car: &Car, body: BodyId) -> Vehicle {
    let mut vehicle = Vehicle::new(car.model(), body);
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    vehicle
}

/// Heading of a body (`rad`), positive to the left.
fn heading(body: &BodyState) -> f32 {
    let ahead = body.rotation * Vec3::X;
    libm::atan2f(ahead.y, ahead.x)
}

#[cfg(test)]
mod tests;
