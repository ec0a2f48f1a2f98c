//! Recorded input is written, read back and repeated.

use super::*;
use crate::drive::{DriveConditions, DrivePlan, run};
use crate::world::WorldKind;

fn seen(time: f32) -> Seen {
    Seen {
        time,
        ..Seen::default()
    }
}

/// A drive through forward and reverse gears, bends and braking, at another speed, grip and wind.
fn plan() -> DrivePlan {
    DrivePlan {
        maneuver: Some("reverse".to_owned()),
        conditions: DriveConditions {
            speed: 4.0,
            friction: 0.7,
            wind: glam::Vec3::new(3.0, 8.0, 0.0),
            ..DriveConditions::USUAL
        },
        dt: 1.0 / 50.0,
        ..DrivePlan::of("sedan")
    }
}

#[test]
fn a_drive_from_a_record_is_the_same_to_the_bit_in_every_world() {
    for world in WorldKind::all() {
        let plan = DrivePlan {
            world: Some(*world),
            ..plan()
        };
        let first = run(&plan, |_, _| ()).unwrap();
        let path = std::env::temp_dir().join(format!(
            "jounce-input-{}-{}.csv",
            std::process::id(),
            world.name()
        ));
        std::fs::write(&path, InputTrack::of(&first).to_csv()).unwrap();
        let again = DrivePlan {
            maneuver: None,
            input: Some(path.clone()),
            ..plan
        };
        let second = run(&again, |_, _| ());
        std::fs::remove_file(path).unwrap();
        let second = second.unwrap();
        assert!(first.samples == second.samples, "{world:?}");
        assert_eq!(first.stage_names(), second.stage_names());
        assert_eq!(first.stages, second.stages);
        assert_eq!(first.ground, second.ground);
    }
}

#[test]
fn a_record_reads_back_exactly() {
    let drive = run(&plan(), |_, _| ()).unwrap();
    let track = InputTrack::of(&drive);
    let text = track.to_csv();
    assert_eq!(InputTrack::parse(&text, "r.csv").as_ref(), Ok(&track));
    let marked = format!("\u{feff}{text}");
    assert_eq!(InputTrack::parse(&marked, "r.csv"), Ok(track));
}

#[test]
fn a_row_holds_until_the_next_and_the_last_as_long_as_the_one_before() {
    let text = "time,throttle,lever\n0.5,0.25,\n1,0.5,up\n2,1,\n";
    let track = InputTrack::parse(text, "m.csv").unwrap();
    let mut player = InputPlayer::new(&track);
    let mut given = |time| player.command(&seen(time), 0.1);
    let throttle = |command: Option<CarCommand>| command.map(|c| c.throttle);
    assert_eq!(throttle(given(0.3)), Some(0.0));
    assert_eq!(throttle(given(0.46)), Some(0.25));
    assert_eq!(given(1.01).unwrap().gear, GearCommand::Up);
    assert_eq!(given(1.1).unwrap().gear, GearCommand::Hold);
    assert_eq!(throttle(given(1.9)), Some(0.5));
    assert_eq!(throttle(given(2.0)), Some(1.0));
    assert_eq!(throttle(given(2.9)), Some(1.0));
    assert_eq!(given(3.0), None);
}

/// Reports and telemetry name the stage of every sample.
#[test]
fn a_table_of_any_columns_has_a_stage() {
    for column in ["throttle", "brake", "handbrake", "clutch", "automatic"] {
        let track = InputTrack::parse(&format!("time,{column}\n0,1\n1,0\n"), "m.csv").unwrap();
        assert_eq!(track.stages, ["recorded"], "{column}");
    }
    let track = InputTrack::parse("time,stage\n0,go\n1,stop\n", "m.csv").unwrap();
    assert_eq!(track.stages, ["go", "stop"]);
}

/// A gear requested in a row that a long step passes over counts.
#[test]
fn a_lever_is_moved_in_rows_that_are_passed_over() {
    let text = "time,lever\n0,\n0.01,3\n0.02,\n0.03,\n0.04,\n";
    let track = InputTrack::parse(text, "m.csv").unwrap();
    let mut player = InputPlayer::new(&track);
    let gear = |command: Option<CarCommand>| command.unwrap().gear;
    assert_eq!(gear(player.command(&seen(0.0), 0.015)), GearCommand::Hold);
    let next = gear(player.command(&seen(0.015), 0.015));
    assert_eq!(next, GearCommand::Engage(Gear(3)));
    assert_eq!(gear(player.command(&seen(0.03), 0.015)), GearCommand::Hold);
}

#[test]
fn every_fault_is_told_with_its_line() {
    let text = "# ground moon\ntime [s],throttle [1],pedal\n0,1.5,1\n0.1,x,1\n0.1,nan,1\n";
    let error = InputTrack::parse(text, "m.csv").unwrap_err().to_string();
    for told in [
        "m.csv:1: `moon`: must be flat",
        "m.csv:2: column \"pedal\": must be one of time [s], stage, ",
        "m.csv:3: throttle [1] = \"1.5\": must be a number within 0..=1",
        "m.csv:4: throttle [1] = \"x\": must be",
        "m.csv:5: throttle [1] = \"nan\": must be",
        "m.csv:5: time = 0.1 s: must be after the row before, 0.1 s",
    ] {
        assert!(error.contains(told), "{told}: {error}");
    }
    let empty = InputTrack::parse("throttle\n", "m.csv").unwrap_err();
    assert!(
        empty
            .to_string()
            .contains("there must be a column \"time [s]\"")
    );
    let none = InputTrack::parse("time\n", "m.csv").unwrap_err();
    assert_eq!(none.to_string(), "m.csv: has no rows");
}
