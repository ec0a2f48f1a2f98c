//! Maneuvers: instructions for a driver, stage by stage, as TOML.
//!
//! ```toml
//! schema = 1
//! name = "stop"
//! description = "brake from 20 m/s"
//! ground = "flat"                     # optional: the default ground
//! duration = 30.0                     # s, upper limit of the drive
//!
//! [[stages]]                          # one after another
//! name = "speed up"
//! until = { speed_above = 20.0 }      # the first condition met ends the stage
//! throttle = 1.0
//! keep_heading = true
//!
//! [[stages]]
//! name = "brake"
//! until = { stopped = true, time = 8.0 }
//! brake = 1.0
//! keep_heading = true
//! ```
//!
//! `speed_trace = { interval = 1.0, kmh = [0.0, 5.0, 12.0] }` of a stage has accelerator and brake follow speeds, here one per second,
//! as driving cycles have them.
//!
//! Pedals, levers and steering are fractions: 0…1, steering −1 (left) … 1 (right). Units are SI;
//! angles are in degrees if a key ends in `_deg`, speeds of traces in km/h.

mod trace;

use std::borrow::Cow;
use std::path::Path;

use jounce::core::checked::{Check, Inspector};
use jounce::file::read_checked;
use jounce::scene::read_text;
use serde::Deserialize;

use crate::error::ProvingError;

pub use trace::SpeedTrace;

/// A maneuver.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maneuver {
    /// Version of the format: 1.
    pub schema: u32,
    /// Name that reports show and the command takes.
    pub name: String,
    /// A short description.
    pub description: String,
    /// Ground that the maneuver is made for, as on the command line; hills by default.
    pub ground: Option<String>,
    /// Upper limit of the drive's duration (`s`), within 0…3600.
    pub duration: f32,
    /// The stages, in order.
    pub stages: Vec<ManeuverStage>,
}

/// One stage.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManeuverStage {
    /// Name in reports.
    pub name: String,
    /// Condition that ends the stage.
    pub until: Until,
    /// Accelerator, 0…1.
    #[serde(default)]
    pub throttle: f32,
    /// Brake pedal, 0…1.
    #[serde(default)]
    pub brake: f32,
    /// Handbrake lever, 0…1.
    #[serde(default)]
    pub handbrake: f32,
    /// Steering, −1 (left) … 1 (right).
    #[serde(default)]
    pub steer: f32,
    /// Sinusoidal steering, added to `steer`.
    pub sine: Option<Sine>,
    /// Accelerator and brake hold this speed (`m/s`) instead of being constant.
    pub hold_speed: Option<f32>,
    /// Accelerator and brake follow these speeds.
    pub speed_trace: Option<SpeedTrace>,
    /// Steering holds the heading that the car has when the stage starts.
    #[serde(default)]
    pub keep_heading: bool,
    /// Steering turns to this heading (`°`), relative to the start of the drive, positive to the
    /// left, within ±180.
    pub heading_deg: Option<f32>,
    /// Drive in reverse gear.
    #[serde(default)]
    pub reverse: bool,
}

/// Steering as a sine that starts to the right.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// Maximum steering, −1…1; negative starts to the left.
    pub amplitude: f32,
    /// Period (`s`), > 0.
    pub period: f32,
}

/// Conditions that end a stage; the first one met counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// Time in the stage (`s`), > 0.
    pub time: Option<f32>,
    /// Speed above which the stage ends (`m/s`), > 0, in any direction.
    pub speed_above: Option<f32>,
    /// Speed below which the stage ends (`m/s`), > 0.
    pub speed_below: Option<f32>,
    /// Whether the stage ends as the car is slower than 0.05 m/s.
    #[serde(default)]
    pub stopped: bool,
    /// Distance driven in the stage (`m`), > 0.
    pub distance: Option<f32>,
    /// Angle turned in the stage, to either side (`°`), > 0.
    pub turned_deg: Option<f32>,
}

/// Name and text of every built-in maneuver, the default first.
pub const BUILT_IN: [(&str, &str); 10] = [
    ("tour", include_str!("../maneuvers/tour.toml")),
    ("tow", include_str!("../maneuvers/tow.toml")),
    ("accelerate", include_str!("../maneuvers/accelerate.toml")),
    ("brake", include_str!("../maneuvers/brake.toml")),
    ("slalom", include_str!("../maneuvers/slalom.toml")),
    ("circle", include_str!("../maneuvers/circle.toml")),
    (
        "handbrake-turn",
        include_str!("../maneuvers/handbrake-turn.toml"),
    ),
    ("reverse", include_str!("../maneuvers/reverse.toml")),
    ("lane-change", include_str!("../maneuvers/lane-change.toml")),
    ("wltc", include_str!("../maneuvers/wltc.toml")),
];

impl Maneuver {
    /// The built-in maneuver of this name, or the file at this path.
    ///
    /// # Errors
    /// If there is neither, or the file cannot be read, is not TOML, or has faults.
    pub fn load(name: &str) -> Result<Self, ProvingError> {
        Self::parse(&Self::text(name)?, name)
    }

    /// The text of the built-in maneuver of this name, or of the file at this path.
    ///
    /// # Errors
    /// If there is neither, or the file cannot be read.
    pub fn text(name: &str) -> Result<Cow<'static, str>, ProvingError> {
        if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Ok(Cow::Borrowed(text));
        }
        if !Path::new(name).exists() {
            return Err(ProvingError::UnknownManeuver {
                name: name.to_owned(),
                known: BUILT_IN.map(|(known, _)| known).join(", "),
            });
        }
        let text = read_text(name).map_err(|source| ProvingError::File {
            path: name.into(),
            source,
        });
        text.map(Cow::Owned)
    }

    /// Whether a stage follows a speed trace: the vehicle then never sleeps, so that its stops count, too.
    #[must_use]
    pub fn follows_a_trace(&self) -> bool {
        self.stages.iter().any(|stage| stage.speed_trace.is_some())
    }

    /// Parses the text of a maneuver; errors call it `file`.
    ///
    /// # Errors
    /// If it is not TOML, or with every unknown or missing key and every value that violates its rule.
    pub fn parse(text: &str, file: &str) -> Result<Self, ProvingError> {
        Ok(read_checked(text, file)?)
    }
}

impl Check for Maneuver {
    fn check(&self, i: &mut Inspector) {
        i.rule(self.schema == 1, "schema", self.schema, "", "must be 1");
        let holds = self.duration > 0.0 && self.duration <= 3600.0;
        let rule = "must be > 0 and <= 3600";
        i.rule(holds, "duration", self.duration, "s", rule);
        let count = self.stages.len();
        i.rule(count > 0, "stages", count, "", "there must be at least 1");
        if let Some(ground) = &self.ground
            && let Err(message) = ground.parse::<crate::ground::GroundSpec>()
        {
            i.rule(false, "ground", format!("{ground:?}"), "", message);
        }
        for (n, stage) in self.stages.iter().enumerate() {
            i.within(format!("stages[{n}]"), |i| stage.check(i));
        }
    }
}

impl Check for ManeuverStage {
    fn check(&self, i: &mut Inspector) {
        i.within_range("throttle", self.throttle, 0.0, 1.0, "");
        i.within_range("brake", self.brake, 0.0, 1.0, "");
        i.within_range("handbrake", self.handbrake, 0.0, 1.0, "");
        i.within_range("steer", self.steer, -1.0, 1.0, "");
        if let Some(sine) = self.sine {
            i.within_range("sine.amplitude", sine.amplitude, -1.0, 1.0, "");
            i.positive("sine.period", sine.period, "s");
        }
        if let Some(speed) = self.hold_speed {
            i.positive("hold_speed", speed, "m/s");
            let alone = self.throttle == 0.0 && self.brake == 0.0;
            let rule = "excludes throttle and brake";
            i.rule(alone, "hold_speed", speed, "m/s", rule);
        }
        if let Some(trace) = &self.speed_trace {
            i.within("speed_trace", |i| trace.check(i));
            let pedals = self.throttle != 0.0 || self.brake != 0.0;
            let alone = !pedals && self.hold_speed.is_none() && !self.reverse;
            let rule = "excludes throttle, brake, hold_speed and reverse";
            i.rule(alone, "speed_trace", "given", "", rule);
        }
        let alone = !self.keep_heading || (self.steer == 0.0 && self.sine.is_none());
        let rule = "excludes steer and sine";
        i.rule(alone, "keep_heading", self.keep_heading, "", rule);
        if let Some(heading) = self.heading_deg {
            i.within_range("heading_deg", heading, -180.0, 180.0, "°");
            let alone = !self.keep_heading && self.steer == 0.0 && self.sine.is_none();
            let rule = "excludes keep_heading, steer and sine";
            i.rule(alone, "heading_deg", heading, "°", rule);
        }
        i.within("until", |i| self.until.check(i));
    }
}

impl Check for Until {
    fn check(&self, i: &mut Inspector) {
        let values = [
            ("time", self.time, "s"),
            ("speed_above", self.speed_above, "m/s"),
            ("speed_below", self.speed_below, "m/s"),
            ("distance", self.distance, "m"),
            ("turned_deg", self.turned_deg, "°"),
        ];
        for (name, value, unit) in values {
            if let Some(value) = value {
                i.positive(name, value, unit);
            }
        }
        let any = self.stopped || values.iter().any(|(_, value, _)| value.is_some());
        let rule = "must say time, speed_above, speed_below, stopped, distance or turned_deg";
        i.rule(any, "", "nothing", "", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const STOP: &str = "schema = 1\nname = \"stop\"\ndescription = \"d\"\nduration = 30.0\n\
                        [[stages]]\nname = \"brake\"\nuntil = { stopped = true, time = 8.0 }\n\
                        brake = 1.0\n";

    #[test]
    fn built_in_maneuvers_are_valid_and_named() {
        for (name, _) in BUILT_IN {
            assert_eq!(Maneuver::load(name).unwrap().name, name);
        }
    }

    #[test]
    fn a_text_is_read() {
        let stop = Maneuver::parse(STOP, "stop.toml").unwrap();
        assert_eq!(stop.stages.len(), 1);
        assert_eq!(stop.stages[0].until.time, Some(8.0));
        assert!(stop.stages[0].until.stopped && stop.stages[0].brake == 1.0);
    }

    #[rstest]
    #[case(
        "brake = 1.0",
        "brake = 1.5",
        "stages[0].brake = 1.5: must be within 0..=1"
    )]
    #[case(
        "brake = 1.0",
        "brake = nan",
        "stages[0].brake = NaN: must be within 0..=1"
    )]
    #[case(
        "time = 8.0",
        "time = -1.0",
        "stages[0].until.time = -1 s: must be finite and > 0"
    )]
    #[case(
        "duration = 30.0",
        "duration = 0.0",
        "duration = 0 s: must be > 0 and <= 3600"
    )]
    #[case("schema = 1", "schema = 2", "schema = 2: must be 1")]
    #[case(
        "brake = 1.0",
        "brakes = 1.0",
        "stages[0].brakes = 1.0: unknown key, did you mean brake?"
    )]
    #[case(
        "brake = 1.0",
        "brake = \"x\"",
        "stages[0].brake = \"x\": must be a number"
    )]
    #[case(
        "brake = 1.0",
        "brake = 1.0\nhold_speed = 3.0",
        "hold_speed = 3 m/s: excludes"
    )]
    #[case(
        "brake = 1.0",
        "brake = 1.0\nspeed_trace = { interval = 1.0, kmh = [0.0, 3.0] }",
        "stages[0].speed_trace = given: excludes throttle, brake, hold_speed and reverse"
    )]
    #[case(
        "brake = 1.0",
        "speed_trace = { interval = 1.0, kmh = [0.0, -3.0] }",
        "stages[0].speed_trace.kmh[1] = -3 km/h: must be within 0..=400"
    )]
    #[case(
        "brake = 1.0",
        "steer = 0.1\nkeep_heading = true",
        "keep_heading = true: excludes"
    )]
    #[case(
        "stopped = true, time = 8.0",
        "",
        "stages[0].until = nothing: must say time"
    )]
    #[case(
        "schema = 1",
        "schema = 1\nground = \"moon\"",
        "ground = \"moon\": `moon`: must be"
    )]
    #[case(
        "brake = 1.0",
        "steer = 0.1\nheading_deg = 9.0",
        "heading_deg = 9 °: excludes"
    )]
    #[case("schema = 1", "schema == 1", "stop.toml: TOML parse error")]
    fn faults_name_file_key_value_and_rule(
        #[case] from: &str,
        #[case] to: &str,
        #[case] expected: &str,
    ) {
        let error = Maneuver::parse(&STOP.replacen(from, to, 1), "stop.toml").unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("stop.toml: ") && text.contains(expected),
            "{text}"
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Maneuver::load("no/such.toml").unwrap_err().to_string();
        assert!(error.starts_with("no/such.toml: "), "{error}");
        for (known, _) in BUILT_IN {
            assert!(error.contains(known), "{known}: {error}");
        }
    }

    #[test]
    fn all_faults_are_told_at_once_with_their_lines() {
        let text = STOP
            .replacen("duration = 30.0", "duration = -1.0\ncolor = 3", 1)
            .replacen(
                "brake = 1.0",
                "brake = 1.5\nthrotle = 1.0\nsteer = \"left\"",
                1,
            )
            .replacen("name = \"brake\"\n", "", 1);
        let error = Maneuver::parse(&text, "stop.toml").unwrap_err().to_string();
        for told in [
            "stop.toml:4: duration = -1 s: must be > 0",
            "stop.toml:5: color = 3: unknown key",
            "stages[0].name = nothing: must be given",
            "stop.toml:8: stages[0].brake = 1.5: must be within 0..=1",
            "stop.toml:9: stages[0].throtle = 1.0: unknown key, did you mean throttle?",
            "stop.toml:10: stages[0].steer = \"left\": must be a number",
        ] {
            assert!(error.contains(told), "{told}: {error}");
        }
        assert!(error.starts_with("stop.toml: 6 fault(s):"), "{error}");
    }
}
