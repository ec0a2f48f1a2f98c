use super::*;
use alloc::vec;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::Checked;

/// Full command fades from 20 to 60 m/s; half a command has no response.
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
        speed_axis: SpeedAxis::Magnitude,
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
        speed_axis: SpeedAxis::Magnitude,
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

/// Rows at uneven distances, with curves of different speeds.
fn uneven() -> ResponseTable {
    let row = |command, points: &[[f32; 2]]| ResponseRow {
        command,
        by_speed: Curve(points.to_vec()),
    };
    ResponseTable {
        rows: vec![
            row(0.125, &[[0.0, 0.25], [10.0, 0.125]]),
            row(0.375, &[[0.0, 0.5], [20.0, 0.25]]),
            row(0.875, &[[5.0, 1.0], [25.0, 0.0]]),
        ],
        speed_axis: SpeedAxis::Magnitude,
    }
}

proptest! {
    /// Linear between two rows, constant outside.
    #[test]
    fn commands_between_rows_are_interpolated(
        row in 0..2_usize, part in 0.0..1.0_f32, speed in -30.0..30.0_f32,
    ) {
        let table = uneven();
        let of_row = |n: usize| table.rows[n].by_speed.at(speed.abs());
        let (low, high) = (table.rows[row].command, table.rows[row + 1].command);
        let expected = (1.0 - part) * of_row(row) + part * of_row(row + 1);
        let found = table.at(low + part * (high - low), speed);
        prop_assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        prop_assert_eq!(table.at(0.1 * part, speed), of_row(0));
        prop_assert_eq!(table.at(0.875 + part, speed), of_row(2));
        prop_assert_eq!(table.signed_at(-part, speed), -table.signed_at(part, speed));
    }
}

#[rstest]
#[case::rows_alike(|t: &mut ResponseTable| t.rows[1].command = 0.125, "rows[1].command")]
#[case::rows_back(|t: &mut ResponseTable| t.rows[2].command = 0.2, "rows[2].command")]
#[case::speeds_alike(
    |t: &mut ResponseTable| t.rows[2].by_speed.0[1][0] = 5.0,
    "rows[2].by_speed[1].x"
)]
#[case::speeds_back(
    |t: &mut ResponseTable| t.rows[1].by_speed.0[1][0] = -1.0,
    "rows[1].by_speed[1].x"
)]
#[case::responses(
    |t: &mut ResponseTable| t.rows[0].by_speed.0[0][1] = 1.5,
    "rows[0].by_speed[0].y"
)]
#[case::points(
    |t: &mut ResponseTable| {
        let points = (0..61).map(|n| [n as f32, 0.5]);
        t.rows[0].by_speed = Curve(points.collect());
    },
    "rows"
)]
fn rows_and_points_ascend(#[case] change: fn(&mut ResponseTable), #[case] path: &str) {
    let mut table = uneven();
    assert!(Checked::new(table.clone()).is_ok());
    change(&mut table);
    let error = Checked::new(table).unwrap_err();
    assert_eq!((error.0.len(), error.0[0].path.as_str()), (1, path));
}

#[test]
fn a_table_may_be_full() {
    let rows = (0..8).map(|n| ResponseRow {
        command: n as f32 / 8.0,
        by_speed: Curve((0..8).map(|speed| [speed as f32, 0.5]).collect()),
    });
    let full = ResponseTable {
        rows: rows.collect(),
        speed_axis: SpeedAxis::Magnitude,
    };
    assert!(Checked::new(full).is_ok());
}

#[test]
fn faults_name_the_pedal() {
    let mut bad = uneven();
    bad.rows[0].command = -1.0;
    let responses = Responses {
        throttle: bad.clone(),
        clutch: bad.clone(),
        brake: bad.clone(),
        handbrake: bad,
        governor: 0.0,
        ..Responses::default()
    };
    let error = Checked::new(responses).unwrap_err();
    let found: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    let pedals = ["throttle", "clutch", "brake", "handbrake"];
    let expected = pedals.map(|pedal| format!("{pedal}.rows[0].command"));
    assert_eq!(found, expected);
}

/// Full throttle up to the governed speed, none from its droop above on; a whole accelerator leaves the engine as it is.
#[rstest]
#[case::no_governor(0.0, 0.5, 0.2, 0.5)]
#[case::below(0.1, 0.5, 0.4, 1.0)]
#[case::within_the_droop(0.1, 0.5, 0.55, 0.5)]
#[case::above(0.1, 0.5, 0.7, 0.0)]
#[case::released(0.1, 0.0, 0.0, 0.0)]
#[case::whole(0.1, 1.0, 1.0, 1.0)]
fn a_governor_holds_the_speed(
    #[case] governor: f32,
    #[case] accelerator: f32,
    #[case] speed: f32,
    #[case] expected: f32,
) {
    let responses = Responses {
        governor,
        ..Responses::default()
    };
    let found = responses.governed(accelerator, speed, 0.0);
    assert!((found - expected).abs() < 1e-5, "{found}");
    // From the idle speed on, the accelerator acts.
    let idle = responses.governed(0.01, 0.3, 0.3);
    assert!(idle > 0.0);
}
