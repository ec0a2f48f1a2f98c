//! What came of a step: observations, rewards and flags.

use jounce::core::{Command, math};
use jounce::telemetry::{BodyChannel, BodySample};

use super::Arena;
use crate::observe::{Plan, Seen};
use crate::reward::Happened;
use crate::rows::Rows;
use crate::setup::Design;
use crate::task::GoalView;

impl Arena {
    /// Writes the observation of every car.
    pub(crate) fn observe(&self, design: &Design, observations: &mut [f32]) {
        let width = design.plan.columns().len();
        if width == 0 {
            return;
        }
        for (n, row) in observations.chunks_mut(width).enumerate() {
            design.plan.write(&self.seen(design, n), row);
        }
    }

    /// Writes a row of another plan for one car.
    pub(crate) fn write(&self, design: &Design, plan: &Plan, n: usize, row: &mut [f32]) {
        plan.write(&self.seen(design, n), row);
    }

    /// A car as it is seen.
    fn seen(&self, design: &Design, n: usize) -> Seen<'_> {
        let vehicle = &self.fleet.vehicles()[n];
        let body = self.world.body(vehicle.body()).expect("its body").state();
        let body = vehicle.state().at_end_of_step(&body);
        let sample = BodySample::new(body, self.episodes[n].acceleration);
        let goal = if design.goal.is_some() {
            let heading = BodyChannel::Heading.sample(&sample);
            self.episodes[n].goal.seen_from(body.position, heading)
        } else {
            GoalView::default()
        };
        Seen {
            vehicle,
            body: sample,
            command: Command::Car(self.commands[n]),
            goal,
        }
    }

    /// Judges the step of every car and writes what came of it.
    pub(super) fn report(&mut self, design: &Design, actions: &[f32], rows: Rows<'_>) {
        let (width, terms) = (design.plan.columns().len(), design.rewards.len());
        for n in 0..self.count() {
            self.accelerate(design, n);
            let seen = self.seen(design, n);
            design
                .plan
                .write(&seen, &mut rows.observations[n * width..][..width]);
            let (distance, happened) =
                (seen.goal.distance, self.happened(design, n, &seen, actions));
            let terms = &mut rows.terms[n * terms..][..terms];
            rows.rewards[n] = design.rewards.write(&happened, terms);
            rows.refused[n] = self.errors[n].is_some();
            rows.ended[n] = happened.reached || (happened.failed && !rows.refused[n]);
            let episode = &mut self.episodes[n];
            episode.distance = distance;
            episode.steps += 1;
            let time = episode.steps as f32 * happened.time;
            rows.cut[n] = rows.refused[n] || time >= design.limits.time;
        }
    }

    /// Takes the mean acceleration of the action.
    fn accelerate(&mut self, design: &Design, n: usize) {
        let vehicle = &self.fleet.vehicles()[n];
        let body = self.world.body(vehicle.body()).expect("its body").now();
        let velocity = body.linear_velocity + vehicle.state().carry.linear;
        let episode = &mut self.episodes[n];
        episode.acceleration = (velocity - episode.velocity) / design.duration();
        episode.velocity = velocity;
    }

    fn happened(&self, design: &Design, n: usize, seen: &Seen<'_>, actions: &[f32]) -> Happened {
        let width = design.actions.len();
        let (last, new) = (&self.actions[n * width..][..width], &actions[n * width..]);
        let changes = last.iter().zip(new).map(|(last, new)| new - last);
        let sample = |channel: BodyChannel| channel.sample(&seen.body);
        let speeds = [
            sample(BodyChannel::VelocityX),
            sample(BodyChannel::VelocityY),
        ];
        let speed = math::sqrt(speeds[0] * speeds[0] + speeds[1] * speeds[1]);
        let reached = design.goal.as_ref();
        let episode = &self.episodes[n];
        let (position, up) = (seen.body.position(), seen.body.up());
        Happened {
            time: design.duration(),
            forward_speed: speeds[0],
            lateral_speed: speeds[1],
            effort: changes.map(|change| change * change).sum(),
            failed: self.errors[n].is_some()
                || design.limits.are_passed(position, up, episode.start),
            approach: episode.distance - seen.goal.distance,
            reached: reached.is_some_and(|goal| goal.is_reached(&seen.goal, speed)),
        }
    }
}
