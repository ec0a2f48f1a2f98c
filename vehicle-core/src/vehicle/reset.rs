//! A vehicle that starts again from a state, as a new one would.

use super::{ProbeAge, Trend, Vehicle};
use crate::base::velocity::Velocity;
use crate::exchange::air::AirLoad;
use crate::exchange::state::VehicleState;
use crate::exchange::step_error::StepError;
use crate::stages::contact::ProbedGround;
use crate::stages::outputs::WheelOutputs;
use crate::stages::steering::Steering;
use crate::vehicle::turning::WheelTurns;

impl Vehicle {
    /// Implements [`phases::reset`](crate::phases::reset).
    pub(crate) fn reset_to(&mut self, state: &VehicleState) -> Result<(), StepError> {
        let own = &mut self.state;
        if state.wheels.len() == own.wheels.len() && state.extras.fits(&own.extras) {
            own.copy_from(state);
            self.model.drivetrain().adopt(&mut own.drive);
            let solver = &self.model.params().profile.solver;
            for wheels in own.wheels.iter_mut() {
                wheels.grip = wheels.grip.of(solver);
            }
        } else {
            self.restore(state.clone())?;
        }
        self.forget_updates();
        Ok(())
    }

    /// Forgets all that updates and probes left outside of the state.
    fn forget_updates(&mut self) {
        self.forget_contacts();
        self.ground.forget_pushes();
        self.probed = ProbeAge::Forgotten;
        self.probe_result.ground.fill(ProbedGround::default());
        self.probe_result.position = glam::DVec3::ZERO;
        self.probe_result.needs_probe = false;
        self.probe_times.look_ahead_by(0.0);
        self.swept.fill(None);
        if let Some(edges) = &mut self.edges {
            edges.begin();
        }
        self.control = self.model.idle_control();
        self.steering.fill(Steering::STRAIGHT);
        self.outputs.fill(WheelOutputs::default());
        self.air_load = AirLoad::NONE;
        self.stops.clear();
        self.turning.fill(WheelTurns::default());
        self.turned_for = 0.0;
        self.trend = Trend::NONE;
        self.clamped = false;
        self.input_error = None;
        self.asleep = false;
        self.updated = Velocity::ZERO;
        self.matrix = glam::Mat3::IDENTITY;
    }
}
