//! The driven session and its time: a fixed step, poses in between, moments to return to, a ghost. No drawing.

use std::collections::VecDeque;

use glam::{DVec3, Quat, Vec3};
use jounce::core::{BodyId, BodyState, CarCommand, Command, Vehicle, VehicleReport};
use jounce::telemetry::Telemetry;
use proving_ground::ProvingError;
use proving_ground::session::{
    Change, DrivenCar, Recording, Session, SessionSnapshot, SessionStart,
};

/// Steps between moments, and how many of them are kept: half a minute.
const MOMENT_EVERY: u64 = 30;
const MOMENTS: usize = 64;
/// Steps per frame at most: below 8 frames a second, time passes slower.
const MOST_STEPS: u32 = 8;
/// Standard gravity (`m/s²`), over which telemetry states loads.
const GRAVITY: f32 = 9.81;

/// Pose of a body or wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Center of mass, or a wheel's center (`m`, world).
    pub position: DVec3,
    /// Rotation from the body's axes to the world's.
    pub rotation: Quat,
}

impl Place {
    /// Interpolates toward the next pose by `share` (0…1).
    pub(crate) fn between(&self, next: &Self, share: f64) -> Self {
        Self {
            position: self.position.lerp(next.position, share),
            rotation: self.rotation.slerp(next.rotation, share as f32),
        }
    }
}

/// A vehicle and its wheels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The chassis first, then the wheels.
    pub places: Vec<Place>,
}

/// Everything that moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moving {
    /// The car.
    pub car: Shape,
    /// The trailer; empty without one.
    pub trailer: Shape,
    /// The ghost; empty without one.
    pub ghost: Shape,
    /// Platforms, and boxes.
    pub platforms: Shape,
    /// Loose boxes.
    pub boxes: Shape,
}

impl Shape {
    fn of(session: &Session, driven: &DrivenCar) -> Result<Self, ProvingError> {
        let vehicle = &driven.vehicle;
        let body = session.world().body_state(vehicle.body())?;
        let center = driven.car.center_of_mass();
        Ok(Self::around(place(&body), vehicle, center))
    }

    /// A vehicle with its chassis here; its center of mass in its own axes (`m`).
    pub(crate) fn around(chassis: Place, vehicle: &Vehicle, center: Vec3) -> Self {
        let wheels = vehicle.wheel_poses().map(|pose| {
            let lever = chassis.rotation * (pose.position - center);
            Place {
                position: chassis.position + lever.as_dvec3(),
                rotation: chassis.rotation * pose.rotation,
            }
        });
        Self {
            places: core::iter::once(chassis).chain(wheels).collect(),
        }
    }

    fn between(&self, next: &Self, share: f64) -> Self {
        let pairs = next.places.iter().enumerate();
        let blend = |(n, next): (usize, &Place)| match self.places.get(n) {
            Some(place) => place.between(next, share),
            None => *next,
        };
        Self {
            places: pairs.map(blend).collect(),
        }
    }
}

fn place(body: &BodyState) -> Place {
    Place {
        position: body.position,
        rotation: body.rotation,
    }
}

impl Moving {
    fn of(session: &Session, ghost: Option<&Session>) -> Result<Self, ProvingError> {
        let trailer = session.trailer().map(|towed| Shape::of(session, towed));
        let ghost = ghost.map(|ghost| Shape::of(ghost, ghost.driven()));
        let moved = |id: &BodyId| {
            let motion = session.world().ground_motion(*id)?;
            Some(Place {
                position: motion.position,
                rotation: motion.rotation,
            })
        };
        let free = |id: &BodyId| Some(place(&session.world().body_state(*id).ok()?));
        let bodies = session.bodies();
        Ok(Self {
            car: Shape::of(session, session.driven())?,
            trailer: trailer.transpose()?.unwrap_or_default(),
            ghost: ghost.transpose()?.unwrap_or_default(),
            platforms: Shape {
                places: bodies.platforms.iter().filter_map(moved).collect(),
            },
            boxes: Shape {
                places: bodies.boxes.iter().filter_map(free).collect(),
            },
        })
    }

    fn between(&self, next: &Self, share: f64) -> Self {
        Self {
            car: self.car.between(&next.car, share),
            trailer: self.trailer.between(&next.trailer, share),
            ghost: self.ghost.between(&next.ghost, share),
            platforms: self.platforms.between(&next.platforms, share),
            boxes: self.boxes.between(&next.boxes, share),
        }
    }
}

/// A second session under the same commands.
#[derive(Debug)]
struct Ghost {
    session: Session,
    /// Name of the change by which the ghost differs.
    name: String,
}

/// A session in time.
#[derive(Debug)]
pub struct Sim {
    session: Session,
    ghost: Option<Ghost>,
    /// Time since the last step (`s`).
    due: f32,
    /// Simulated seconds per second (–).
    pub pace: f32,
    /// Whether simulated time stands still.
    pub paused: bool,
    before: Moving,
    after: Moving,
    moments: VecDeque<SessionSnapshot>,
    telemetry: Telemetry,
}

impl Sim {
    /// Starts a session.
    ///
    /// # Errors
    /// If it cannot start.
    pub fn new(start: SessionStart) -> Result<Self, ProvingError> {
        let session = Session::new(start)?;
        Self::of(session)
    }

    fn of(session: Session) -> Result<Self, ProvingError> {
        let after = Moving::of(&session, None)?;
        Ok(Self {
            telemetry: Telemetry::new(session.driven().vehicle.model().wheel_count()),
            session,
            ghost: None,
            due: 0.0,
            pace: 1.0,
            paused: false,
            before: after.clone(),
            after,
            moments: VecDeque::new(),
        })
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The last samples of every channel.
    #[must_use]
    pub fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// Report of the driven vehicle.
    #[must_use]
    pub fn report(&self) -> VehicleReport {
        match self.session.body() {
            Ok(body) => self.session.driven().vehicle.report(&body),
            Err(_) => VehicleReport::STANDING,
        }
    }

    /// Lets `elapsed` (`s`) pass outside. `command` gives the command of each step.
    ///
    /// # Errors
    /// If the world loses the car.
    pub fn pass(
        &mut self,
        elapsed: f32,
        mut command: impl FnMut(&VehicleReport, f32) -> CarCommand,
    ) -> Result<u32, ProvingError> {
        if self.paused {
            return Ok(0);
        }
        let dt = self.session.dt();
        self.due += elapsed * self.pace;
        let steps = ((self.due / dt) as u32).min(MOST_STEPS);
        for _ in 0..steps {
            let command = command(&self.report(), dt);
            self.step(&command)?;
        }
        self.due = (self.due - steps as f32 * dt).clamp(0.0, dt);
        Ok(steps)
    }

    /// One step.
    ///
    /// # Errors
    /// As [`Sim::pass`].
    pub fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        let due = self
            .moments
            .back()
            .map_or(0, |last| last.steps() + MOMENT_EVERY);
        if self.session.steps() >= due {
            self.keep_moment();
        }
        self.session.step(command)?;
        if let Some(ghost) = &mut self.ghost {
            ghost.session.step(command)?;
        }
        let vehicle = &self.session.driven().vehicle;
        self.telemetry
            .record(vehicle, &Command::Car(*command), GRAVITY);
        let after = self.look()?;
        self.before = core::mem::replace(&mut self.after, after);
        Ok(())
    }

    /// A world without snapshots has no moments.
    fn keep_moment(&mut self) {
        if let Ok(moment) = self.session.snapshot() {
            if self.moments.len() == MOMENTS {
                self.moments.pop_front();
            }
            self.moments.push_back(moment);
        }
    }

    /// Everything that moves, between the last two steps.
    #[must_use]
    pub fn moving(&self) -> Moving {
        let share = if self.paused {
            1.0
        } else {
            self.due / self.session.dt()
        };
        self.before.between(&self.after, f64::from(share))
    }

    /// Makes a change; the ghost goes along, except to another engine.
    ///
    /// # Errors
    /// If it is refused: nothing has changed then.
    pub fn change(&mut self, change: Change) -> Result<(), ProvingError> {
        self.session.change(change.clone())?;
        if !matches!(change, Change::World(_)) {
            self.ghost = None;
        }
        self.look_again()
    }

    /// Takes the poses anew after a jump, without interpolation from the poses before it.
    fn look_again(&mut self) -> Result<(), ProvingError> {
        let wheels = self.session.driven().vehicle.model().wheel_count();
        if self.after.car.places.len() != wheels + 1 {
            self.telemetry = Telemetry::new(wheels);
        }
        self.after = self.look()?;
        self.before = self.after.clone();
        Ok(())
    }

    fn look(&self) -> Result<Moving, ProvingError> {
        Moving::of(
            &self.session,
            self.ghost.as_ref().map(|ghost| &ghost.session),
        )
    }

    /// Returns by this much (`s`): to the moment before it, and on from there by the recorded commands.
    ///
    /// # Errors
    /// If the world has no snapshots.
    pub fn rewind(&mut self, seconds: f32) -> Result<(), ProvingError> {
        let back = (seconds / self.session.dt()).round() as u64;
        let target = self.session.steps().saturating_sub(back);
        while self.moments.len() > 1 && self.moments.back().is_some_and(|m| m.steps() > target) {
            self.moments.pop_back();
        }
        let Some(moment) = self.moments.back() else {
            // Tells why.
            return self.session.snapshot().map(|_| ());
        };
        let recording = self.session.recording().clone();
        self.session.restore(moment)?;
        self.session
            .repeat(&recording, target.max(moment.steps()))?;
        self.ghost = None;
        self.look_again()
    }

    /// Starts a ghost: a session that goes on from here with a change, under the same commands; `None` ends it.
    ///
    /// # Errors
    /// If the change is refused.
    pub fn haunt(&mut self, other: Option<(String, Change)>) -> Result<(), ProvingError> {
        self.ghost = match other {
            Some((name, change)) => {
                let mut session = Session::replay(self.session.recording())?;
                session.change(change)?;
                Some(Ghost { session, name })
            }
            None => None,
        };
        self.look_again()
    }

    /// Name of the change by which the ghost differs, and its distance from the car (`m`).
    #[must_use]
    pub fn ghost(&self) -> Option<(&str, f64)> {
        let ghost = self.ghost.as_ref()?;
        let [own, other] = [&self.session, &ghost.session].map(|session| session.body().ok());
        let apart = (own?.position - other?.position).length();
        Some((&ghost.name, apart))
    }

    /// Repeats a recording to its end, and goes on from there.
    ///
    /// # Errors
    /// If it cannot be repeated.
    pub fn replayed(recording: &Recording) -> Result<Self, ProvingError> {
        Self::of(Session::replay(recording)?)
    }
}

#[cfg(test)]
mod tests;
