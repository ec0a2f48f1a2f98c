//! Responses to commands: how much of what a pedal or the wheel asks for is given, by command and
//! speed (PhysX 5 `vehicle2`, ALGORITHMS §7.4).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, scaled};

/// The response to a command, by speed. Without rows the response is the command itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResponseTable {
    /// Commands, ascending; linear between them, constant outside: what is to do nothing at
    /// command 0 needs a row for it.
    pub rows: Vec<ResponseRow>,
    /// Whether speeds count with their sign, as in PhysX 5: who reverses then gets the response of
    /// the lowest speed.
    pub physx_rules: bool,
}

/// The response to one command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseRow {
    /// The command [−], 0…1.
    pub command: f32,
    /// Response [−], 0…1, by forward speed [m/s].
    pub by_speed: Curve,
}

scaled!(ResponseTable {
    rows: inner,
    physx_rules: same,
});

scaled!(ResponseRow {
    command: same,
    by_speed: {[1, 0], [0, 0]},
});

impl ResponseTable {
    /// Most commands of a table.
    pub const COMMANDS: usize = 8;
    /// Most points of all commands together.
    pub const POINTS: usize = 64;

    /// Response [−] to a command at a forward speed [m/s].
    #[must_use]
    pub fn at(&self, command: f32, forward_speed: f32) -> f32 {
        let speed = if self.physx_rules {
            forward_speed
        } else {
            forward_speed.abs()
        };
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

    /// Response to a command of either sign: as to its magnitude, with its sign.
    #[must_use]
    pub fn signed_at(&self, command: f32, forward_speed: f32) -> f32 {
        if command == 0.0 {
            0.0
        } else {
            command.signum() * self.at(command.abs(), forward_speed)
        }
    }

    /// Whether the response is the command itself, at every speed.
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

/// Responses to the pedals of a car, on tracks too; what is not said answers with the command itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Responses {
    /// To the accelerator.
    pub throttle: ResponseTable,
    /// To the clutch pedal: 0 engaged … 1 open.
    pub clutch: ResponseTable,
    /// To the brake pedal; of a tracked vehicle, to the brake of either track.
    pub brake: ResponseTable,
    /// To the handbrake.
    pub handbrake: ResponseTable,
}

scaled!(Responses {
    throttle: inner,
    clutch: inner,
    brake: inner,
    handbrake: inner,
});

impl Check for Responses {
    fn check(&self, i: &mut Inspector) {
        for (name, table) in [
            ("throttle", &self.throttle),
            ("clutch", &self.clutch),
            ("brake", &self.brake),
            ("handbrake", &self.handbrake),
        ] {
            i.within(name, |i| table.check(i));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    /// Full command fades from 20 to 60 m/s; half a command does nothing.
    fn fading() -> ResponseTable {
        let row = |command, points: &[[f32; 2]]| ResponseRow {
            command,
            by_speed: Curve(points.to_vec()),
        };
        ResponseTable {
            rows: vec![
                row(0.5, &[[0.0, 0.0]]),
                row(1.0, &[[20.0, 1.0], [60.0, 0.0]]),
            ],
            physx_rules: false,
        }
    }

    #[rstest]
    #[case::released(0.0, 0.0, 0.0)]
    #[case::full(1.0, 0.0, 1.0)]
    #[case::between_commands(0.75, 10.0, 0.5)]
    #[case::between_speeds(1.0, 40.0, 0.5)]
    #[case::both(0.75, 40.0, 0.25)]
    #[case::beyond(1.01, 70.0, 0.0)]
    #[case::reversing(1.0, -40.0, 0.5)]
    fn lookup(#[case] command: f32, #[case] speed: f32, #[case] expected: f32) {
        assert_relative_eq!(fading().at(command, speed), expected, epsilon = 1e-6);
        let linear = ResponseTable::default();
        assert_eq!(linear.at(command, speed), command);
    }

    #[test]
    fn physx_answers_who_reverses_as_at_the_lowest_speed() {
        let physx = ResponseTable {
            physx_rules: true,
            ..fading()
        };
        assert_eq!(physx.at(1.0, -40.0), 1.0);
    }

    #[rstest]
    #[case(0.0, 0.0)]
    #[case(-1.0, -0.5)]
    #[case(1.0, 0.5)]
    fn either_sign(#[case] command: f32, #[case] expected: f32) {
        assert_relative_eq!(fading().signed_at(command, 40.0), expected, epsilon = 1e-6);
    }

    #[test]
    fn every_fault_is_found() {
        let mut bad = fading();
        bad.rows[0].command = 1.5;
        bad.rows[0].by_speed = Curve::default();
        bad.rows[1].by_speed.0[1] = [f32::NAN, 1.2];
        let error = Checked::new(bad).unwrap_err();
        let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
        let expected = [
            "rows[0].command",
            "rows[0].by_speed",
            "rows[1].command",
            "rows[1].by_speed[1].x",
            "rows[1].by_speed[1].y",
            "rows[1].by_speed[1].x",
        ];
        assert_eq!(paths, expected);
        let many = ResponseTable {
            rows: vec![ResponseRow::default(); 9],
            physx_rules: false,
        };
        assert_eq!(Checked::new(many).unwrap_err().0[0].path, "rows");
    }

    proptest! {
        #[test]
        fn responses_stay_within_their_range(command in -0.01..1.01_f32, speed in -90.0..90.0_f32) {
            let response = fading().at(command, speed);
            prop_assert!((0.0..=1.0).contains(&response));
        }
    }
}
