//! Responses to commands: how much of a pedal or steering command takes effect, by command and
//! speed (PhysX 5 `vehicle2`, ALGORITHMS §7.4).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector};

/// The response to a command, by speed. Without rows the response is the command itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResponseTable {
    /// Commands, ascending; linear between them, constant outside. For no response at command 0,
    /// add a row for it.
    pub rows: Vec<ResponseRow>,
    /// Sign convention of the forward speed.
    pub speed_axis: SpeedAxis,
}

/// Sign convention of the forward speed in a [`ResponseTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpeedAxis {
    /// Magnitude of the speed: the response is the same forward and in reverse.
    #[default]
    Magnitude,
    /// Speed with its sign, as in PhysX 5: reverse gets the response at the lowest speed.
    Signed,
}

/// The response to one command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseRow {
    /// The command, 0…1.
    pub command: f32,
    /// Response, 0…1, by forward speed (`m/s`).
    pub by_speed: Curve,
}

impl ResponseTable {
    /// Maximum number of commands in a table.
    pub const COMMANDS: usize = 8;
    /// Maximum number of points of all commands together.
    pub const POINTS: usize = 64;

    /// Response to a command at a forward speed (`m/s`).
    #[inline]
    #[must_use]
    pub fn at(&self, command: f32, forward_speed: f32) -> f32 {
        if self.is_linear() {
            command
        } else {
            self.between_rows(command, self.speed_axis.read(forward_speed))
        }
    }

    fn between_rows(&self, command: f32, speed: f32) -> f32 {
        let (Some(first), Some(last)) = (self.rows.first(), self.rows.last()) else {
            return command;
        };
        if command <= first.command {
            return first.by_speed.at(speed);
        }
        for pair in self.rows.windows(2) {
            let (below, above) = (&pair[0], &pair[1]);
            if command < above.command {
                let part = (command - below.command) / (above.command - below.command);
                let low = below.by_speed.at(speed);
                return low + (above.by_speed.at(speed) - low) * part;
            }
        }
        last.by_speed.at(speed)
    }

    /// Response to a command of either sign: that of its magnitude, with its sign.
    #[must_use]
    pub fn signed_at(&self, command: f32, forward_speed: f32) -> f32 {
        if command == 0.0 {
            0.0
        } else {
            command.signum() * self.at(command.abs(), forward_speed)
        }
    }

    /// Whether the table's response equals the command at every speed.
    #[inline]
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Check for ResponseTable {
    fn check(&self, i: &mut Inspector) {
        let count = self.rows.len();
        let rule = format!("there must be at most {}", Self::COMMANDS);
        i.rule(count <= Self::COMMANDS, "rows", count, "commands", rule);
        let points: usize = self.rows.iter().map(|row| row.by_speed.0.len()).sum();
        let rule = format!("there must be at most {}", Self::POINTS);
        i.rule(points <= Self::POINTS, "rows", points, "points", rule);
        for (n, row) in self.rows.iter().enumerate() {
            i.within(format!("rows[{n}]"), |i| {
                i.within_range("command", row.command, 0.0, 1.0, "");
                let ascends = n == 0 || row.command > self.rows[n - 1].command;
                let rule = "must be above the row before";
                i.rule(ascends, "command", row.command, "", rule);
                check_points(&row.by_speed.0, i);
            });
        }
    }
}

/// Reports faults of the points of one command.
fn check_points(points: &[[f32; 2]], i: &mut Inspector) {
    let rule = "there must be at least 1";
    i.rule(!points.is_empty(), "by_speed", 0, "points", rule);
    for (n, &[speed, response]) in points.iter().enumerate() {
        i.within(format!("by_speed[{n}]"), |i| {
            i.finite("x", speed, "m/s");
            i.within_range("y", response, 0.0, 1.0, "");
            let ascends = n == 0 || speed > points[n - 1][0];
            i.rule(ascends, "x", speed, "m/s", "must be above the point before");
        });
    }
}

/// Responses to the pedals of a car, and of tracks; the default response is the command itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Responses {
    /// Forward speed at which the speed limiter leaves no throttle (`m/s`), > 0; `None` without a limiter.
    pub top_speed: Option<f32>,
    /// Reverse speed at which the speed limiter leaves no throttle (`m/s`), > 0; `None` without a limiter.
    pub top_speed_reverse: Option<f32>,
    /// Response to the accelerator.
    pub throttle: ResponseTable,
    /// Response to the clutch pedal: 0 engaged … 1 open.
    pub clutch: ResponseTable,
    /// Response to the brake pedal; on tracks, to the brake of either track.
    pub brake: ResponseTable,
    /// Response to the handbrake.
    pub handbrake: ResponseTable,
    /// Droop of an all-speed governor (–), 0…1: the accelerator then sets the engine's speed, from idle to its maximum, and
    /// this part of the maximum speed lies between full throttle and none. So governed are diesel engines of tracked
    /// vehicles and tractors. 0 without a governor: the accelerator sets the torque.
    pub governor: f32,
}

impl Responses {
    /// Speed over the maximum speed up to which a governor gives full throttle, at an accelerator 0…1 and an idle speed over the
    /// maximum; 1 without a governor.
    #[must_use]
    pub fn governed_speed(&self, accelerator: f32, idle: f32) -> f32 {
        if self.governor > 0.0 {
            (idle + (1.0 - idle) * accelerator).min(1.0)
        } else {
            1.0
        }
    }

    /// Throttle of the engine, 0…1, at an accelerator 0…1, a speed over its maximum speed, and an idle speed over the maximum.
    ///
    /// With a governor of droop d, full up to the governed speed, and closed from d above it on. A released accelerator closes it.
    #[inline]
    #[must_use]
    pub fn governed(&self, accelerator: f32, speed: f32, idle: f32) -> f32 {
        if self.governor > 0.0 && accelerator > 0.0 {
            let governed = self.governed_speed(accelerator, idle);
            (1.0 + (governed - speed) / self.governor).clamp(0.0, 1.0)
        } else {
            accelerator
        }
    }
}

impl Responses {
    /// Reports responses of parts that a `drive` without engine lacks.
    pub(crate) fn check_without_engine(&self, drive: &str, i: &mut Inspector) {
        let rows = self.clutch.rows.len();
        let rule = format!("{drive} has no clutch");
        i.rule(rows == 0, "clutch", rows, "rows", rule);
        let rule = format!("{drive} has no engine to govern");
        i.rule(self.governor == 0.0, "governor", self.governor, "", rule);
    }
}

impl Check for Responses {
    fn check(&self, i: &mut Inspector) {
        self.check_top_speeds(i);
        for (name, table) in [
            ("throttle", &self.throttle),
            ("clutch", &self.clutch),
            ("brake", &self.brake),
            ("handbrake", &self.handbrake),
        ] {
            i.within(name, |i| table.check(i));
        }
        i.within_range("governor", self.governor, 0.0, 1.0, "");
    }
}

#[cfg(test)]
mod tests;
