//! What came of a step: observations, rewards and flags.

use glam::Vec3;
use jounce::core::{Command, math};
use jounce::telemetry::{BodyChannel, BodySample};

use proving_ground::driver;

use super::Arena;
use crate::act;
use crate::error::BatchError;
use crate::observe::{Plan, Seen};
use crate::reward::Happened;
use crate::rows::Rows;
use crate::setup::Design;
use crate::task::GoalView;
use crate::track::{Course, OnTrack};
use crate::trailer::TrailerView;

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
    fn seen<'a>(&'a self, design: &'a Design, n: usize) -> Seen<'a> {
        let vehicle = &self.fleet.vehicles()[n];
        let body = self.world.body(vehicle.body()).expect("its body").state();
        let body = vehicle.state().at_end_of_step(&body);
        let sample = BodySample::new(body, self.episodes[n].acceleration);
        let episode = &self.episodes[n];
        let heading = |of: &BodySample| BodyChannel::Heading.sample(of);
        let towed = self.trailer(n);
        let last = towed.as_ref().unwrap_or(&sample);
        let goal = match &design.goal {
            Some(_) => episode.goal.seen_from(last.position(), heading(last)),
            None => GoalView::default(),
        };
        let trailer = towed.as_ref().map_or_else(TrailerView::default, |towed| {
            let both = [&sample, towed];
            let rates = both.map(|it| BodyChannel::RateZ.sample(it));
            TrailerView::new(both.map(BodySample::position), both.map(heading), rates)
        });
        let track = design.course.as_ref().map(|course| {
            let (position, heading) = (body.position.truncate(), heading(&sample));
            OnTrack {
                course,
                model: episode.model,
                grip: episode.grip,
                place: course.place(position, heading, &episode.laps),
                position,
                heading,
                speed: BodyChannel::VelocityX.sample(&sample),
                laps: episode.laps,
                time: episode.steps as f32 * design.duration(),
            }
        });
        Seen {
            vehicle,
            body: sample,
            command: Command::Car(self.commands[n]),
            goal,
            track,
            trailer,
        }
    }

    /// The trailer of a car as it is seen, if there is one; without its acceleration.
    fn trailer(&self, n: usize) -> Option<BodySample> {
        let vehicle = self.fleet.vehicles().get(self.count() + n)?;
        let body = self.world.body(vehicle.body()).expect("its body").state();
        let body = vehicle.state().at_end_of_step(&body);
        Some(BodySample::new(body, Vec3::ZERO))
    }

    /// Writes the actions by which a car is raced along its track.
    pub(crate) fn race(
        &self,
        design: &Design,
        course: &Course,
        n: usize,
        row: &mut [f32],
    ) -> Result<(), BatchError> {
        let seen = self.seen(design, n);
        let sample = |channel: BodyChannel| channel.sample(&seen.body);
        let episode = &self.episodes[n];
        let driver = driver::Seen {
            position: seen.body.position().truncate(),
            forward_speed: sample(BodyChannel::VelocityX),
            lateral_speed: sample(BodyChannel::VelocityY),
            heading: sample(BodyChannel::Heading),
            yaw_rate: sample(BodyChannel::RateZ),
            ..driver::Seen::default()
        };
        let wanted = course.race(episode.model, &driver, &episode.laps)?;
        let hands = &design.models[episode.model].hands;
        let hands = design.has_hands.then_some((hands, driver.forward_speed));
        act::row(&design.actions, &wanted, hands, row);
        Ok(())
    }

    /// Judges the step of every car and writes what came of it.
    pub(super) fn report(&mut self, design: &Design, actions: &[f32], rows: Rows<'_>) {
        let (width, terms) = (design.plan.columns().len(), design.rewards.len());
        for n in 0..self.count() {
            self.accelerate(design, n);
            let mut seen = self.seen(design, n);
            let lap = seen
                .track
                .as_mut()
                .is_some_and(|it| it.go_on(design.duration()));
            let observations = &mut rows.observations[n * width..][..width];
            design.plan.write(&seen, observations);
            let happened = Happened {
                lap,
                ..self.happened(design, n, &seen, actions)
            };
            let (distance, laps) = (seen.goal.distance, seen.track.map(|it| it.laps));
            let terms = &mut rows.terms[n * terms..][..terms];
            rows.rewards[n] = design.rewards.write(&happened, terms);
            rows.refused[n] = self.errors[n].is_some();
            let episode = &mut self.episodes[n];
            episode.laps = laps.unwrap_or_default();
            let is_done = happened.reached || design.limits.are_driven(episode.laps.count);
            rows.ended[n] = is_done || (happened.failed && !rows.refused[n]);
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
        let track = seen.track.as_ref();
        let beyond = track.map_or(0.0, |it| (-it.room()).max(0.0) as f32);
        Happened {
            time: design.duration(),
            forward_speed: speeds[0],
            lateral_speed: speeds[1],
            effort: changes.map(|change| change * change).sum(),
            failed: self.errors[n].is_some()
                || design.limits.are_passed(position, up, episode.start)
                || beyond > design.limits.off_track,
            approach: episode.distance - seen.goal.distance,
            reached: reached.is_some_and(|goal| goal.is_reached(&seen.goal, speed)),
            progress: track.map_or(0.0, |it| (it.laps.s - episode.laps.s) as f32),
            beyond,
            lap: false,
            drift: design.slip_angle.map_or(0.0, |wanted| {
                let share = sample(BodyChannel::SlipAngle) / wanted;
                (1.0 - (share - 1.0).abs()).max(0.0)
            }),
        }
    }
}
