//! Numbers of drives that are known beforehand.

use super::*;
use jounce::core::CarCommand;

const DT: f32 = 0.01;

/// Stands for 1 s, gains 5 m/s² to 30 m/s, brakes with 9 m/s².
fn run() -> Vec<Sample> {
    let mut speed = 0.0;
    let mut peaked = false;
    (0..1300)
        .map(|n| {
            let time = n as f32 * DT;
            let acceleration = match (time > 1.0, peaked) {
                (false, _) => 0.0,
                (true, false) => 5.0,
                (true, true) => -9.0,
            };
            speed = f32::max(speed + acceleration * DT, 0.0);
            peaked |= speed >= 30.0;
            Sample {
                time,
                speed,
                acceleration: glam::Vec3::X * acceleration,
                command: CarCommand {
                    brake: if peaked { 1.0 } else { 0.0 },
                    ..CarCommand::default()
                },
                target_gear: if time > 3.0 { 2 } else { 1 },
                ..Sample::default()
            }
        })
        .collect()
}

#[test]
fn a_sprint_takes_speed_over_acceleration() {
    let time = zero_to_hundred(&run()).unwrap();
    assert!((time - (HUNDRED - STANDING) / 5.0).abs() < 0.01, "{time}");
    assert_eq!(zero_to_hundred(&run()[..300]), None);
}

#[test]
fn a_braking_distance_counts_from_100_km_h() {
    let found = braking(&run()).unwrap();
    assert_eq!(found.from_speed, HUNDRED);
    assert!(
        (found.distance - HUNDRED * HUNDRED / 18.0).abs() < 0.1,
        "{found:?}"
    );
    assert!((found.deceleration - 9.0).abs() < 0.05, "{found:?}");
    assert!((found.time - HUNDRED / 9.0).abs() < 0.05, "{found:?}");
}

#[test]
fn a_braking_that_is_given_up_does_not_count() {
    let mut samples = run();
    samples.truncate(900);
    assert_eq!(braking(&samples), None);
}

#[test]
fn peaks_are_averaged_and_gears_counted() {
    let samples = run();
    let peak = averaged(&samples, DT, |s| s.acceleration.x);
    let peak = peak.into_iter().fold(0.0, f32::max);
    assert!((peak - 5.0).abs() < 1e-3, "{peak}");
    assert_eq!(gear_changes(&samples), 1);
    let gears = [1, 1, 2, 3, 3, 2].map(|target_gear| Sample {
        target_gear,
        ..Sample::default()
    });
    assert_eq!(gear_changes(&gears), 3);
    // A jolt of one sample, of which twenty make 0.2 s.
    let mut jolt = vec![Sample::default(); 50];
    jolt[30].acceleration.x = 20.0;
    let felt = averaged(&jolt, DT, |s| s.acceleration.x);
    assert_eq!(felt.len(), 31);
    assert_eq!(felt.iter().filter(|a| **a == 1.0).count(), 20);
    assert_eq!(felt.iter().filter(|a| **a == 0.0).count(), 11);
}

/// The numbers of [`run`] with parts of its samples changed.
fn summary(change: impl Fn(&mut Sample)) -> Summary {
    let plan = crate::drive::DrivePlan {
        maneuver: Some("brake".to_owned()),
        ..crate::drive::DrivePlan::of("sedan")
    };
    let mut drive = crate::drive::run(&plan, |_, _| ()).unwrap();
    drive.dt = DT;
    drive.samples = run();
    drive.samples.iter_mut().for_each(change);
    Summary::of(&drive)
}

/// Numbers in a row, without units: value and note.
fn shown(summary: &Summary, label: &str) -> [Option<f32>; 2] {
    let rows = summary.rows();
    let row = rows.iter().find(|row| row.label == label).unwrap();
    [&row.value, &row.note].map(|text| {
        let digit = |c: char| "-.0123456789".contains(c);
        let text = text.trim_start_matches(|c| !digit(c));
        text.split(|c| !digit(c)).next()?.parse().ok()
    })
}

/// The distance is the integral of speed, peaks are those of the run, in any direction of travel.
#[test]
fn a_summary_has_the_numbers_of_the_run() {
    for way in [1.0, -1.0] {
        let found = summary(|s| {
            s.forward_speed = way * s.speed;
            s.acceleration.x *= way;
            s.roll = -0.1 * way;
        });
        let close = |found: f32, wanted: f32| {
            assert!((found / wanted - 1.0).abs() < 0.01, "{found} {wanted}");
        };
        close(found.distance, 30.0 * 30.0 / 10.0 + 30.0 * 30.0 / 18.0);
        close(found.max_speed, 30.0);
        close(found.peak_forward, 5.0);
        close(found.peak_braking, 9.0);
        close(found.peak_roll, 0.1);
        close(found.duration, 12.99);
    }
    let aside = summary(|s| s.acceleration.y = -0.5 * s.acceleration.x.abs());
    assert!((aside.peak_lateral - 4.5).abs() < 1e-3);
}

#[test]
fn only_what_happened_is_counted() {
    let calm = summary(|_| ());
    assert_eq!((calm.refused, calm.clamped, calm.rolled_over), (0, 0, true));
    let upright = summary(|s| s.upright = 0.3);
    assert!(!upright.rolled_over);
    let wild = summary(|s| {
        s.in_air = s.time > 4.995;
        s.refused = s.time < 0.045;
        s.clamped = s.time > 12.945;
    });
    // The first sample is the start.
    assert_eq!((wild.refused, wild.clamped), (4, 5));
    assert!((wild.air_time - 8.0).abs() < 0.02, "{}", wild.air_time);
}

#[test]
fn rows_tell_the_numbers_in_the_units_of_people() {
    let summary = Summary {
        zero_to_hundred: Some(9.25),
        max_slip_ratio: 0.37,
        max_slip_angle: 0.5,
        peak_roll: 0.2,
        air_time: 1.25,
        gear_changes: 7,
        refused: 2,
        clamped: 3,
        towed: Some(Towed {
            trailer: "cart".to_owned(),
            peak_angle: 0.7,
            peak_gap: 0.012,
        }),
        ..summary(|s| s.forward_speed = s.speed)
    };
    let braking = summary.braking.unwrap();
    for (label, value, note) in [
        ("0–100 km/h", 9.25, None),
        ("maximum speed", summary.max_speed * 3.6, None),
        ("braking distance", braking.distance, Some(100.0)),
        ("peak acceleration", 5.0 / 9.81, Some(5.0)),
        ("peak deceleration", 9.0 / 9.81, Some(9.0)),
        ("peak lateral", 0.0, Some(0.0)),
        ("distance", summary.distance, Some(summary.duration)),
        ("gear changes", 7.0, None),
        ("time in air", 1.25, None),
        ("maximum slip", 0.37, Some(28.6)),
        ("maximum roll", 11.5, None),
        ("refused updates", 2.0, Some(3.0)),
        ("angle of trailer", 40.1, Some(12.0)),
    ] {
        let [found, beside] = shown(&summary, label);
        assert!(
            (found.unwrap() - value).abs() < 0.51,
            "{label}: {found:?} for {value}"
        );
        assert_eq!(beside.is_some(), note.is_some(), "{label}");
        let off = beside.unwrap_or(0.0) - note.unwrap_or(0.0);
        assert!(off.abs() < 0.51, "{label}: {beside:?} for {note:?}");
    }
    assert_eq!(shown(&summary, "peak acceleration")[0], Some(0.51));
}

#[test]
fn slips_count_of_wheels_that_roll_on_the_ground() {
    let wheel = |slip_ratio: f32, forward_speed: f32, in_air: bool| WheelSample {
        slip_ratio,
        forward_speed,
        in_air,
        ..WheelSample::default()
    };
    let sample = Sample {
        wheels: vec![
            wheel(0.9, 3.0, false),
            wheel(0.8, 30.0, true),
            wheel(-0.3, -3.1, false),
            wheel(0.2, 3.1, false),
        ],
        ..Sample::default()
    };
    assert_eq!(max_slip_ratio(&sample), 0.3);
}

/// Speed is taken to change evenly between two samples.
#[test]
fn speeds_are_crossed_between_samples() {
    let at = |time: f32, speed: f32| Sample {
        time,
        speed,
        ..Sample::default()
    };
    let (slow, fast) = (at(1.0, 2.0), at(3.0, 6.0));
    for (speed, time) in [(1.0, 1.0), (2.0, 1.0), (3.0, 1.5), (5.0, 2.5), (7.0, 3.0)] {
        assert_eq!(crossing(&slow, &fast, speed), time);
    }
    assert_eq!(crossing(&at(0.0, 8.0), &at(4.0, 0.0), 6.0), 1.0);
}

/// Counted from where the brake was pressed for the stop, not from a tap before it.
#[test]
fn a_slow_car_brakes_from_its_own_speed() {
    let samples: Vec<Sample> = (0..600)
        .map(|n| {
            let time = n as f32 * DT;
            let brake = f32::from(u8::from((0.5..0.6).contains(&time) || time > 2.0));
            Sample {
                time,
                speed: (10.0 - 4.0 * (time - 2.0).max(0.0)).max(0.0),
                command: CarCommand {
                    brake,
                    ..CarCommand::default()
                },
                ..Sample::default()
            }
        })
        .collect();
    let found = braking(&samples).unwrap();
    assert!((found.from_speed - 10.0).abs() < 0.05, "{found:?}");
    assert!((found.distance - 12.5).abs() < 0.2, "{found:?}");
    assert!((found.time - 2.5).abs() < 0.05, "{found:?}");
    assert!((found.deceleration - 4.0).abs() < 0.05, "{found:?}");
}

/// Samples of such speeds (m/s), one a second, with the brake pedal down.
fn seconds(speeds: &[f32]) -> Vec<Sample> {
    let each = speeds.iter().enumerate().map(|(n, &speed)| Sample {
        time: n as f32,
        speed,
        command: CarCommand {
            brake: 1.0,
            ..CarCommand::default()
        },
        ..Sample::default()
    });
    each.collect()
}

/// Few samples: what counts begins and ends between two of them, or at one of them.
#[test]
fn a_sprint_begins_and_ends_between_samples() {
    let close = |speeds: &[f32], wanted: f32| {
        let found = zero_to_hundred(&seconds(speeds)).unwrap();
        assert!((found - wanted).abs() < 1e-5, "{speeds:?}: {found}");
    };
    let end = (HUNDRED - 20.0) / 10.0;
    close(&[0.0, 0.0, 10.0, 20.0, 30.0, 50.0], 3.0 + end - 1.01);
    close(&[9.0, 0.05, 1.05, 20.0, 30.0], 3.0 + end - 1.05);
    // 0.1 m/s is no standstill.
    close(&[0.0, STANDING, STANDING, 20.0, 30.0], 3.0 + end - 1.0);
    close(&[0.0, 10.0, HUNDRED, 30.0], 2.0 - 0.01);
}

#[test]
fn a_braking_begins_above_1_m_s_and_ends_below_a_tenth_of_it() {
    let found = braking(&seconds(&[10.0, 4.0, 0.0])).unwrap();
    assert_eq!((found.from_speed, found.distance), (10.0, 7.0 + 2.0));
    assert_eq!((found.time, found.deceleration), (2.0, 100.0 / 18.0));
    assert_eq!(braking(&seconds(&[1.0, 0.5, 0.0])), None);
    assert_eq!(braking(&seconds(&[10.0, 4.0, STANDING])), None);
    assert_eq!(braking(&seconds(&[10.0, 4.0, 0.5])), None);
}

/// A wheel on ice spins before the car moves.
#[test]
fn a_wheel_that_spins_on_the_spot_has_slip() {
    let wheel = |spin: f32| WheelSample {
        slip_ratio: 0.9,
        slip_angle: 1.2,
        spin,
        loaded_radius: 0.3,
        ..WheelSample::default()
    };
    let slip = |spin: f32| {
        let sample = Sample {
            wheels: vec![wheel(spin)],
            ..Sample::default()
        };
        assert_eq!(max_slip_angle(&sample), 0.0, "it goes nowhere");
        max_slip_ratio(&sample)
    };
    assert_eq!([slip(11.0), slip(-11.0), slip(9.0)], [0.9, 0.9, 0.0]);
}

/// Minutes, seconds and hundredths; the last are rounded up to the next minute.
#[test]
fn laps_are_timed_as_at_a_race_track() {
    for (seconds, text) in [
        (59.994, "0:59.99"),
        (59.996, "1:00.00"),
        (77.089, "1:17.09"),
        (605.0, "10:05.00"),
    ] {
        assert_eq!(lap_time(seconds), text);
    }
}

/// The shortest lap is the best one, and the time beyond the edges is told.
#[test]
fn the_best_lap_is_a_figure() {
    let lap = |time, off_track| Lap {
        time,
        off_track,
        top_speed: 50.0,
    };
    let usual = summary(|_| ());
    assert!(usual.rows().iter().all(|row| row.label != "best lap"));
    let raced = Summary {
        laps: vec![lap(80.0, 0.0), lap(75.5, 0.25), lap(76.0, 0.0)],
        ..usual
    };
    let rows = raced.rows();
    let best = rows.iter().find(|row| row.label == "best lap").unwrap();
    assert_eq!(best.value, "1:15.50");
    assert_eq!(best.note, "lap 2 of 3, 0.25 s beyond the edges");
    let table = raced.lap_table();
    assert!(
        table.contains("lap 3") && table.contains("up to 180 km/h, within the edges"),
        "{table}"
    );
}
