//! Full stops from 100 km/h.

use std::collections::VecDeque;

use jounce::aids::{Abs, AidSuite, RearChannels, SlipTarget};
use jounce::core::CarCommand;
use proving_ground::ProvingError;
use proving_ground::stage::Setup;

use super::rig::{Rig, Road};

/// Rate of a brake without valves (`N·m/s`).
const AT_ONCE: f32 = 1e9;
/// Speed at which a stop begins (`m/s`): 100 km/h.
const SPEED: f32 = 100.0 / 3.6;
/// Speed above which a wheel that stands is locked (`m/s`): 10 km/h.
const LOCKED: f32 = 10.0 / 3.6;
/// Time in which the pedal goes down (`s`).
const PEDAL_TIME: f32 = 0.1;
/// Delay of the driver who steers (`s`), and the fastest that he turns the road wheels (`rad/s`).
const DELAY: f32 = 0.15;
const HANDS: f32 = 0.65;
/// Road-wheel angle of the full steering command (`rad`).
const LOCK: f32 = 0.6;

/// Results of a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stop {
    /// Distance (`m`).
    pub distance: f64,
    /// Greatest yaw angle to either side (`rad`).
    pub yaw: f32,
    /// Longest time for which a wheel stood above 10 km/h (`s`).
    pub locked: f32,
}

/// Stops a car by the full pedal on a road, its clutch open. The driver steers against the yaw, late.
///
/// # Errors
/// If the world refuses it.
pub fn stop(
    setup: &Setup<'_>,
    aids: &AidSuite,
    road: Road,
    rate: f32,
) -> Result<Stop, ProvingError> {
    let mut rig = Rig::new(setup, aids, road, (SPEED, rate))?;
    let (mut stop, mut driver) = (Stop::default(), Driver::new(rate));
    let mut locked = vec![0.0; setup.car.model().wheel_count()];
    for n in 0..(25.0 * rate) as usize {
        let speed = rig.body().linear_velocity.length();
        if speed < 0.1 {
            break;
        }
        // The mean of the step.
        let pedal = ((n as f32 + 0.5) * rig.dt() / PEDAL_TIME).min(1.0);
        rig.step(&CarCommand {
            brake: pedal,
            clutch: 1.0,
            steer: driver.steer(&rig),
            automatic: false,
            ..CarCommand::default()
        })?;
        stop.distance = rig.body().position.x;
        stop.yaw = stop.yaw.max(rig.yaw().abs());
        for (wheel, time) in locked.iter_mut().enumerate() {
            let stands = rig.vehicle().wheel_report(wheel).spin.abs() < 1.0;
            *time = if stands && speed > LOCKED {
                *time + rig.dt()
            } else {
                0.0
            };
            stop.locked = stop.locked.max(*time);
        }
    }
    Ok(stop)
}

/// A driver who corrects yaw, yaw rate and position.
struct Driver {
    /// Angles that he wanted at the starts of the last steps, the present one first (`rad`, to the left).
    wanted: VecDeque<f32>,
    /// His delay, counted from a step's middle (steps): a command is the mean of its step.
    delay: f32,
    angle: f32,
}

impl Driver {
    fn new(rate: f32) -> Self {
        let delay = DELAY * rate - 0.5;
        Self {
            wanted: vec![0.0; delay as usize + 2].into(),
            delay,
            angle: 0.0,
        }
    }

    /// His steering command.
    fn steer(&mut self, rig: &Rig) -> f32 {
        let body = rig.body();
        let yaw_rate = body.angular_velocity.z;
        let wanted = -(1.5 * rig.yaw() + 0.4 * yaw_rate + 0.1 * body.position.y as f32);
        self.wanted.pop_back();
        self.wanted.push_front(wanted);
        let (newer, part) = (self.delay as usize, self.delay.fract());
        let [newer, older] = [newer, newer + 1].map(|steps| self.wanted[steps]);
        let late = newer + part * (older - newer);
        let most = HANDS * rig.dt();
        self.angle += (late - self.angle).clamp(-most, most);
        self.angle = self.angle.clamp(-LOCK, LOCK);
        -self.angle / LOCK
    }
}

/// Shortest distance of the stops with one constant slip of all wheels (`m`), and that slip (–).
///
/// # Errors
/// If the world refuses one.
pub fn best_constant(
    setup: &Setup<'_>,
    road: Road,
    slips: &[f32],
) -> Result<(f64, f32), ProvingError> {
    let mut best = (f64::MAX, 0.0);
    for &slip in slips {
        let abs = Abs {
            slip: SlipTarget::Fixed(slip),
            fill_rate: AT_ONCE,
            release_rate: AT_ONCE,
            rear: RearChannels::Each,
            ..Abs::car()
        };
        let suite = AidSuite {
            abs: Some(abs),
            ..AidSuite::default()
        };
        let distance = stop(setup, &suite, road, 60.0)?.distance;
        if distance < best.0 {
            best = (distance, slip);
        }
    }
    Ok(best)
}
