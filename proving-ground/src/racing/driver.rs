//! A driver who follows a racing line.

use jounce::core::{CarCommand, VehicleReport};

use super::RacingLine;
use crate::driver::{PEDALS, STEERING, Seen};
use crate::track::{Projection, turn};

/// The driver steers back to the line within the distance that the car goes in this time (`s`), and at least within this one
/// (`m`): the gain falls with speed. tuned: passenger, sports and rally cars lap all tracks within the edges, 30 to 240 Hz.
const PREVIEW: f64 = 0.5;
const LEAST_PREVIEW: f64 = 5.0;
/// Time by which hands and car lag behind (`s`): so much earlier the driver steers for a bend of the line, and so much ahead
/// he reckons where the car will be. tuned: as above.
const LAG: f64 = 0.2;
/// Stretch over which the curvature of the line is a mean (`m`).
const STRETCH: f64 = 4.0;
/// Time by which the foot is ahead of the speeds of the line (`s`): somewhat less than a pedal's travel.
const FOOT: f64 = 0.12;
/// Acceleration per lack of speed (`1/s`). tuned: as above.
const SPEED_GAIN: f64 = 3.0;
/// Deceleration of a car that coasts, besides drag (`m/s²`): rolling resistance and engine.
const COASTING: f64 = 0.2;
/// Speed below which the direction of motion is not that of the car (`m/s`).
const WALKING: f32 = 3.0;

/// A racing driver in a car. Gears are the autobox's.
#[derive(Clone, Debug)]
pub struct Racer<'a> {
    racing: &'a RacingLine,
    /// Place along the racing line (`m`), on from lap to lap; `None` before the first command.
    s: Option<f64>,
    hands: CarCommand,
}

impl<'a> Racer<'a> {
    /// A driver with pedals released, who goes to the nearest point of the line.
    #[must_use]
    pub fn new(racing: &'a RacingLine) -> Self {
        Self {
            racing,
            s: None,
            hands: CarCommand::default(),
        }
    }

    /// The command for the next step of `dt` (`s`).
    pub fn command(&mut self, seen: &Seen, dt: f32) -> CarCommand {
        let line = self.racing.line();
        let place = match self.s {
            Some(s) => line.project_near(seen.position, s),
            None => line.project(seen.position),
        };
        self.s = Some(place.s);
        let wanted = self.racing.wanted(seen, place);
        let hands = &mut self.hands;
        hands.throttle = PEDALS.follow(hands.throttle, wanted.throttle, dt);
        hands.brake = PEDALS.follow(hands.brake, wanted.brake, dt);
        hands.steer = STEERING.follow(hands.steer, wanted.steer, dt);
        *hands
    }
}

impl RacingLine {
    /// The command that a racing driver wants at a place along the line, before hands and feet take their time to follow.
    #[must_use]
    pub fn wanted(&self, seen: &Seen, Projection { s, offset }: Projection) -> CarCommand {
        let speed = f64::from(seen.forward_speed).max(0.0);
        let curvature = self.curvature(seen, s, offset);
        let limits = self.limits();
        // A car that runs wide does not yet feel the bend that it needs.
        let lateral = speed
            * (curvature * speed)
                .abs()
                .max(f64::from(seen.yaw_rate).abs());
        let pedals = self.pedals(s, speed, lateral);
        let wanted = CarCommand {
            throttle: pedals.max(0.0) as f32,
            brake: (-pedals).max(0.0) as f32,
            steer: -limits.steer_for(curvature, speed) as f32,
            ..CarCommand::default()
        };
        limits.grip.keep(&wanted, &report(seen))
    }

    /// Curvature of the path by which the car stays on the line, or returns to it (`1/m`, positive to the left).
    ///
    /// It is the line's, less 2·e/d² + 2·ψ/d for the distance e from the line and the angle ψ to it: along the line, both
    /// decay like those of an oscillator with the damping ratio 0.7. With the preview d in proportion to the speed, this is
    /// what pure pursuit does near its line, which it also keeps in bends.
    fn curvature(&self, seen: &Seen, s: f64, offset: f64) -> f64 {
        let line = self.line();
        let bend = |s: f64| line.curvature(s - 0.5 * STRETCH, s + 0.5 * STRETCH);
        let speed = f64::from(seen.forward_speed).max(0.0);
        let drift = libm::atan2f(seen.lateral_speed, seen.forward_speed.max(WALKING));
        let away = turn(line.heading(s), f64::from(seen.heading + drift));
        let turning = f64::from(seen.yaw_rate) - speed * bend(s);
        let (offset, away) = (offset + LAG * speed * away, away + LAG * turning);
        let preview = (PREVIEW * speed).max(LEAST_PREVIEW);
        bend(s + LAG * speed) - 2.0 * (offset / preview + away) / preview
    }

    /// Throttle, or if negative brake, at a place along the line (`m`), a speed (`m/s`) and a lateral acceleration (`m/s²`).
    fn pedals(&self, s: f64, speed: f64, lateral: f64) -> f64 {
        let limits = self.limits();
        let ahead = s + FOOT * speed;
        let [target, next] = [ahead, ahead + 1.0].map(|s| self.speed(s));
        let wanted = target * (next - target) + SPEED_GAIN * (target - speed);
        let wanted = wanted.min(limits.traction_beside(lateral, speed));
        let beyond = wanted + limits.drag * speed * speed + COASTING;
        if beyond > 0.0 {
            let most = limits.throttle_at(speed) + limits.drag * speed * speed + COASTING;
            (beyond / most).min(1.0)
        } else {
            (beyond / limits.braking).max(-1.0) * limits.brake()
        }
    }
}

fn report(seen: &Seen) -> VehicleReport {
    VehicleReport {
        forward_speed: seen.forward_speed,
        lateral_speed: seen.lateral_speed,
        yaw_rate: seen.yaw_rate,
        ..VehicleReport::STANDING
    }
}
