//! Replays a scenario frame by frame in the standalone world.

use glam::Vec3;
use jounce::core::fleet::{self, Environment};
use jounce::core::{BodyId, Vehicle};
use jounce::scene::Standalone;

use super::{Frame, Scenario, ScenarioError};

/// A scenario being replayed.
#[derive(Debug)]
pub struct Replay<'a> {
    scenario: &'a Scenario,
    world: Standalone,
    vehicle: Vehicle,
    body: BodyId,
    frame: usize,
}

impl<'a> Replay<'a> {
    /// The scenario at its start.
    ///
    /// # Errors
    /// If its ground or its body cannot be made.
    pub fn new(scenario: &'a Scenario) -> Result<Self, ScenarioError> {
        Self::moved(scenario, Vec3::ZERO)
    }

    /// The scenario with its start moved by `moved` [m, our axes].
    ///
    /// # Errors
    /// If its ground or its body cannot be made.
    pub fn moved(scenario: &'a Scenario, moved: Vec3) -> Result<Self, ScenarioError> {
        let mut world = Standalone::new(scenario.ground()?);
        let mut desc = scenario.body();
        desc.position += moved.as_dvec3();
        let body = world.add(&desc)?;
        let mut vehicle = Vehicle::new(scenario.kind(), body);
        scenario.prepare(&mut vehicle);
        Ok(Self {
            scenario,
            world,
            vehicle,
            body,
            frame: 0,
        })
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Frame, fleet::StepError>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.frame < self.scenario.frames()).then(|| self.step())
    }
}

impl Replay<'_> {
    fn step(&mut self) -> Result<Frame, fleet::StepError> {
        let frame = self.frame;
        let moment = self.scenario.moment(frame);
        if let Some(gear) = moment.force_gear {
            self.vehicle.state_mut().drive.force_gear(gear);
        }
        let environment = Environment {
            gravity: self.scenario.gravity(),
            surfaces: self.scenario.surfaces(),
        };
        let dt = self.scenario.dt();
        let asleep = self.body_state().asleep;
        if self.scenario.queries(frame) {
            fleet::probe(&mut self.vehicle, &self.world, environment.surfaces)?;
        }
        fleet::advance(
            &mut self.vehicle,
            &mut self.world,
            &moment.command,
            environment.gravity,
            dt,
        )?;
        let skipped = asleep && self.body_state().asleep;
        self.world.step(environment.gravity, dt);
        self.frame += 1;
        let body = self.body_state();
        let origin = self.scenario.origin();
        Ok(Frame::of(
            frame,
            &self.vehicle,
            &body,
            origin,
            moment.analog,
            skipped,
        ))
    }

    fn body_state(&self) -> jounce::core::BodyState {
        self.world
            .body(self.body)
            .map(|body| body.state())
            .expect("the replay's own body")
    }
}
