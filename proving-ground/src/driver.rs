//! The driver: performs a maneuver with finite rates of pedals and steering.

mod trace;

use glam::DVec2;
use jounce::core::{CarCommand, Gear, GearCommand};
use jounce::input::Rate;

use crate::maneuver::{Maneuver, ManeuverStage};
use trace::TraceFollower;

/// The car as its driver sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Time since the start (`s`).
    pub time: f32,
    /// Speed over ground (`m/s`), ≥ 0.
    pub speed: f32,
    /// Speed along the car (`m/s`).
    pub forward_speed: f32,
    /// Position of the center of mass (`m`, world), seen from above.
    pub position: DVec2,
    /// Speed to the left (`m/s`).
    pub lateral_speed: f32,
    /// Heading (`rad`), continuous over full turns, positive to the left.
    pub heading: f32,
    /// Yaw rate (`rad/s`).
    pub yaw_rate: f32,
    /// The current gear, or the one being engaged.
    pub gear: Gear,
}

/// Start of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageStart {
    /// Index of the stage.
    pub stage: usize,
    /// Time since the start of the drive (`s`).
    pub time: f32,
}

/// Time of full pedal travel: 0.15 s. tuned: by eye, a quick foot.
pub(crate) const PEDALS: Rate = Rate::new(1.0 / 0.15, 1.0 / 0.15);
/// Time from straight to full lock: 0.45 s. tuned: by eye, quick hands.
pub(crate) const STEERING: Rate = Rate::new(1.0 / 0.45, 1.0 / 0.45);
/// Throttle or brake per m/s of speed error (`s/m`). tuned: reaches a speed without overshoot.
const SPEED_GAIN: f32 = 0.35;
/// Time in which a lasting error of speed moves the pedal once more by what it does at once (`s`): the integral part of a
/// PI controller. tuned: shipped vehicles hold a speed within 0.1 m/s, and do not hunt.
const SPEED_TIME: f32 = 3.0;
/// An error of speed that vanishes by itself within this time (`s`) moves no pedal further: the integral part would
/// overshoot. tuned: as above.
const SPEED_CLOSING: f32 = 2.0;
/// Steering per heading error and per yaw rate, at a standstill; less with speed. tuned: keeps a
/// sedan's heading at 5 and at 60 m/s without weaving.
const HEADING_GAIN: f32 = 2.0;
const YAW_GAIN: f32 = 0.3;
/// Speed at which these gains are halved (`m/s`). tuned: as above.
const GAIN_SPEED: f32 = 5.0;
/// Speed below which the driver engages reverse (`m/s`): walking pace. tuned: by habit.
const REVERSIBLE: f32 = 1.5;
/// Speed below which the car counts as stopped (`m/s`).
const STOPPED: f32 = 0.05;

/// A maneuver in progress.
#[derive(Clone, Debug)]
pub struct Driver<'a> {
    maneuver: &'a Maneuver,
    stage: usize,
    began: StageStart,
    first_heading: f32,
    heading: f32,
    distance: f32,
    /// Throttle, or if negative brake, that keeps the speed of the stage, as estimated so far.
    holding: f32,
    /// Lack of speed before the last step (`m/s`).
    lack: f32,
    follower: TraceFollower,
    hands: CarCommand,
}

impl<'a> Driver<'a> {
    /// A driver at the start of a maneuver, with pedals released.
    #[must_use]
    pub fn new(maneuver: &'a Maneuver, seen: &Seen) -> Self {
        Self {
            maneuver,
            stage: 0,
            began: StageStart {
                stage: 0,
                time: 0.0,
            },
            first_heading: seen.heading,
            heading: seen.heading,
            distance: 0.0,
            holding: 0.0,
            lack: 0.0,
            follower: TraceFollower::new(seen.forward_speed),
            hands: CarCommand::default(),
        }
    }

    /// The current stage and its start time.
    #[must_use]
    pub fn stage_start(&self) -> StageStart {
        self.began
    }

    /// The command for the next step of `dt` (`s`); `None` when the maneuver is over.
    pub fn command(&mut self, seen: &Seen, dt: f32) -> Option<CarCommand> {
        while self.stage()?.until_holds(seen, self) {
            self.stage += 1;
            self.distance = 0.0;
            self.holding = 0.0;
            self.follower = TraceFollower::new(seen.forward_speed);
            self.heading = seen.heading;
            self.began = StageStart {
                stage: self.stage,
                time: seen.time,
            };
        }
        if seen.time >= self.maneuver.duration {
            return None;
        }
        let wanted = self.wanted(self.stage()?, seen, dt);
        let hands = &mut self.hands;
        hands.throttle = PEDALS.follow(hands.throttle, wanted.throttle, dt);
        hands.brake = PEDALS.follow(hands.brake, wanted.brake, dt);
        hands.handbrake = PEDALS.follow(hands.handbrake, wanted.handbrake, dt);
        hands.steer = STEERING.follow(hands.steer, wanted.steer, dt);
        (hands.gear, hands.automatic) = (wanted.gear, wanted.automatic);
        self.distance += seen.speed * dt;
        Some(self.hands)
    }

    fn stage(&self) -> Option<&'a ManeuverStage> {
        self.maneuver.stages.get(self.stage)
    }

    fn wanted(&mut self, stage: &ManeuverStage, seen: &Seen, dt: f32) -> CarCommand {
        let (throttle, brake) = match (stage.hold_speed, &stage.speed_trace) {
            (_, Some(trace)) => {
                let time = (seen.time - self.began.time, dt);
                self.follower.pedals(trace, time, seen.forward_speed)
            }
            (Some(speed), None) => {
                let along = if stage.reverse { -1.0 } else { 1.0 };
                let pedal = self.hold(speed - along * seen.forward_speed, dt);
                (pedal.clamp(0.0, 1.0), (-pedal).clamp(0.0, 1.0))
            }
            (None, None) => (stage.throttle, stage.brake),
        };
        CarCommand {
            throttle,
            brake,
            handbrake: stage.handbrake,
            steer: self.steer(stage, seen).clamp(-1.0, 1.0),
            clutch: 0.0,
            gear: gear(stage.reverse, seen),
            // Until the car is slow enough for reverse, its gears change as before.
            automatic: !stage.reverse || seen.gear > Gear::NEUTRAL,
            steering_wheel: None,
            levers: jounce::core::Levers::RELEASED,
        }
    }

    /// Throttle, or if negative brake, against a lack of speed (`m/s`).
    fn hold(&mut self, lack: f32, dt: f32) -> f32 {
        let pedal = SPEED_GAIN * lack + self.holding;
        let closing = (self.lack - lack) * lack.signum() / dt;
        self.lack = lack;
        // A pedal at its stop teaches nothing.
        if pedal.abs() < 1.0 && closing * SPEED_CLOSING < lack.abs() {
            self.holding += SPEED_GAIN * lack * (dt / SPEED_TIME);
        }
        pedal
    }

    fn steer(&self, stage: &ManeuverStage, seen: &Seen) -> f32 {
        let heading = match stage.heading_deg {
            Some(degrees) => Some(self.first_heading + degrees.to_radians()),
            None => stage.keep_heading.then_some(self.heading),
        };
        if let Some(heading) = heading {
            let gain = GAIN_SPEED / (GAIN_SPEED + seen.speed);
            let turned = seen.heading - heading;
            let back = gain * (HEADING_GAIN * turned + YAW_GAIN * seen.yaw_rate);
            return if stage.reverse { -back } else { back };
        }
        let in_stage = seen.time - self.began.time;
        let sine = stage.sine.map_or(0.0, |sine| {
            sine.amplitude * libm::sinf(core::f32::consts::TAU * in_stage / sine.period)
        });
        stage.steer + sine
    }
}

/// The required gear request: reverse when in a forward gear and slow, first when in reverse.
fn gear(reverse: bool, seen: &Seen) -> GearCommand {
    let slow = seen.forward_speed < REVERSIBLE;
    match (reverse, seen.gear > Gear::NEUTRAL) {
        (true, _) if seen.gear != Gear::REVERSE && slow => GearCommand::Engage(Gear::REVERSE),
        (false, false) => GearCommand::Engage(Gear::FIRST),
        _ => GearCommand::Hold,
    }
}

impl ManeuverStage {
    fn until_holds(&self, seen: &Seen, driver: &Driver<'_>) -> bool {
        let until = &self.until;
        let turned = (seen.heading - driver.heading).abs().to_degrees();
        let beyond = |limit: Option<f32>, value: f32| limit.is_some_and(|limit| value >= limit);
        beyond(until.time, seen.time - driver.began.time)
            || beyond(until.speed_above, seen.speed)
            || until.speed_below.is_some_and(|limit| seen.speed <= limit)
            || (until.stopped && seen.speed < STOPPED)
            || beyond(until.distance, driver.distance)
            || beyond(until.turned_deg, turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maneuver(stages: &str) -> Maneuver {
        let head = "schema = 1\nname = \"m\"\ndescription = \"d\"\nduration = 5.0\n";
        Maneuver::parse(&format!("{head}{stages}"), "m.toml").unwrap()
    }

    #[test]
    fn stages_follow_each_other_and_the_last_ends_the_drive() {
        let m = maneuver(
            "[[stages]]\nname = \"a\"\nuntil = { speed_above = 3.0 }\nthrottle = 1.0\n\
             [[stages]]\nname = \"b\"\nuntil = { time = 1.0 }\nbrake = 1.0\n",
        );
        let mut seen = Seen::default();
        let mut driver = Driver::new(&m, &seen);
        for _ in 0..5 {
            assert!(driver.command(&seen, 0.1).unwrap().throttle > 0.0);
            seen.time += 0.1;
        }
        seen.speed = 4.0;
        let first = driver.command(&seen, 0.1).unwrap();
        assert!(first.brake > 0.0 && first.throttle < 1.0);
        let start = driver.stage_start();
        assert!(start.stage == 1 && (start.time - 0.5).abs() < 1e-6);
        seen.time = 1.4;
        assert!(driver.command(&seen, 0.1).is_some());
        seen.time = 1.51;
        assert!(driver.command(&seen, 0.1).is_none());
    }

    #[test]
    fn the_duration_ends_endless_stages() {
        let m = maneuver("[[stages]]\nname = \"a\"\nuntil = { speed_above = 300.0 }\n");
        let mut driver = Driver::new(&m, &Seen::default());
        let at = |time| Seen {
            time,
            ..Seen::default()
        };
        assert!(driver.command(&at(4.9), 0.1).is_some());
        assert!(driver.command(&at(5.0), 0.1).is_none());
    }

    #[test]
    fn reverse_is_engaged_once_and_left_again() {
        let asked = |reverse, now, forward_speed| {
            let seen = Seen {
                gear: now,
                forward_speed,
                ..Seen::default()
            };
            gear(reverse, &seen)
        };
        let back = GearCommand::Engage(Gear::REVERSE);
        assert_eq!(asked(true, Gear(2), 1.0), back);
        assert_eq!(asked(true, Gear(2), -8.0), back);
        assert_eq!(asked(true, Gear(2), 20.0), GearCommand::Hold);
        assert_eq!(asked(true, Gear::REVERSE, 20.0), GearCommand::Hold);
        let first = GearCommand::Engage(Gear::FIRST);
        assert_eq!(asked(false, Gear::REVERSE, -5.0), first);
        assert_eq!(asked(false, Gear(3), 5.0), GearCommand::Hold);
    }

    /// A car whose acceleration falls with its speed needs throttle for any speed, and brakes on a descent: both without a
    /// difference that remains.
    #[test]
    fn a_speed_is_held_against_resistance_and_gravity() {
        let m = maneuver("[[stages]]\nname = \"a\"\nuntil = { time = 99.0 }\nhold_speed = 9.0\n");
        let m = Maneuver {
            duration: 99.0,
            ..m
        };
        for (strength, downhill) in [(4.0, 0.0), (1.0, 0.0), (2.0, -0.8), (2.0, 1.5)] {
            let mut driver = Driver::new(&m, &Seen::default());
            let mut seen = Seen::default();
            let mut most: f32 = 0.0;
            while seen.time < 60.0 {
                let pedals = driver.command(&seen, 0.02).unwrap();
                let pull = strength * pedals.throttle - 8.0 * pedals.brake + downhill;
                seen.forward_speed += 0.02 * (pull - 0.03 * seen.forward_speed);
                seen.speed = seen.forward_speed.abs();
                seen.time += 0.02;
                most = most.max(seen.speed);
            }
            assert!(
                (seen.speed - 9.0).abs() < 0.02,
                "{strength}: {}",
                seen.speed
            );
            // Downhill, nothing brakes before the speed is exceeded.
            let allowed = if downhill > 0.0 { 9.45 } else { 9.3 };
            assert!(most < allowed, "{strength}: {most}");
        }
    }

    #[test]
    fn a_car_that_has_turned_left_is_steered_right() {
        let m = maneuver("[[stages]]\nname = \"a\"\nuntil = { time = 9.0 }\nkeep_heading = true\n");
        let mut driver = Driver::new(&m, &Seen::default());
        let seen = Seen {
            heading: 0.2,
            speed: 10.0,
            forward_speed: 10.0,
            ..Seen::default()
        };
        assert!(driver.command(&seen, 0.1).unwrap().steer > 0.0);
    }
}
