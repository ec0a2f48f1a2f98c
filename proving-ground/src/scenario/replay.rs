//! Replays a scenario frame by frame in any world.

use jounce::core::{Air, BodyId, Environment, Vehicle, WheelColliderSettings, phases};
use jounce::input::CarHands;
use jounce::scene::BodyDesc;

use super::{Scenario, ScenarioError, TraceFrame};
use crate::error::ProvingError;
use crate::world::{World, WorldKind};

/// A scenario being replayed.
pub struct Replay<'a> {
    scenario: &'a Scenario,
    world: Box<dyn World>,
    vehicle: Vehicle,
    body: BodyId,
    hands: CarHands,
    frame: usize,
}

impl<'a> Replay<'a> {
    /// The scenario at its start, in a world of this kind.
    ///
    /// # Errors
    /// If its ground or its body cannot be created.
    pub fn new(scenario: &'a Scenario, kind: WorldKind) -> Result<Self, ScenarioError> {
        Self::starting(scenario, kind, &scenario.body())
    }

    /// The scenario with another chassis at its start.
    ///
    /// # Errors
    /// If its ground or its body cannot be created.
    pub fn starting(
        scenario: &'a Scenario,
        kind: WorldKind,
        start: &BodyDesc,
    ) -> Result<Self, ScenarioError> {
        let mut world = scenario.world(kind)?;
        let body = world.add_body(start)?;
        let mut vehicle = Vehicle::new(scenario.model(), body);
        scenario.prepare(&mut vehicle);
        if scenario.modifies_contacts() {
            // Without wheel colliders, wheels only touch what the suspension handles.
            if let Some(wheels) = world.wheels() {
                wheels.add_wheels(&vehicle, WheelColliderSettings::beside(&vehicle))?;
            }
        }
        Ok(Self {
            scenario,
            world,
            vehicle,
            body,
            hands: CarHands::default(),
            frame: 0,
        })
    }
}

impl core::fmt::Debug for Replay<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Replay")
            .field("scenario", &self.scenario.name())
            .field("world", &self.world.name())
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<TraceFrame, ProvingError>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.frame < self.scenario.frames()).then(|| self.step())
    }
}

impl Replay<'_> {
    /// The vehicle after the last frame.
    pub fn vehicle_mut(&mut self) -> &mut Vehicle {
        &mut self.vehicle
    }

    fn step(&mut self) -> Result<TraceFrame, ProvingError> {
        let frame = self.frame;
        let before = self.world.body_state(self.body)?;
        let seen = self.vehicle.report(&before);
        let moment = self.scenario.moment(frame, &mut self.hands, &seen)?;
        if let Some(gear) = moment.force_gear {
            self.vehicle.state_mut().drive.force_gear(gear);
        }
        let environment = Environment {
            gravity: self.scenario.gravity(),
            surfaces: self.scenario.surfaces(),
            air: Air::STILL,
        };
        let dt = self.scenario.dt();
        if self.scenario.queries(frame) {
            phases::probe(&mut self.vehicle, &*self.world, environment.surfaces)?;
        }
        phases::advance(
            &mut self.vehicle,
            &mut *self.world,
            &moment.command,
            environment.gravity,
            dt,
        )?;
        let skipped = before.asleep && self.world.body_state(self.body)?.asleep;
        self.world.turn_wheels(&self.vehicle);
        self.world.advance(environment.gravity, dt);
        self.frame += 1;
        let body = self.world.body_state(self.body)?;
        let origin = self.scenario.origin();
        Ok(TraceFrame::of(
            frame,
            &self.vehicle,
            &body,
            origin,
            moment.analog,
            skipped,
        ))
    }
}
