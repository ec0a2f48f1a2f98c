use rstest::rstest;

use super::*;
use crate::digest::MotionDigest;
use crate::drive::{DrivePlan, run};
use crate::ground::GroundSpec;

fn plan(car: &str, track: &str, rate: f32) -> DrivePlan {
    DrivePlan {
        race: Some(RacePlan {
            track: track.to_owned(),
            laps: None,
            line: RaceLine::Racing,
        }),
        dt: 1.0 / rate,
        ..DrivePlan::of(car)
    }
}

fn driven(plan: &DrivePlan) -> Drive {
    run(plan, |_, _| ()).unwrap()
}

fn flying(drive: &Drive) -> f32 {
    drive.race.as_ref().unwrap().laps[1].time
}

/// Two laps of every track within its edges, the second within a tenth of what the plan allows.
#[rstest]
fn cars_lap_every_track_within_the_edges(
    #[values("sedan", "sports-car", "suv", "rally-car", "ev-saloon")] car: &str,
    #[values("oval", "road-course", "kart")] track: &str,
    #[values(60.0, 120.0)] rate: f32,
) {
    let drive = driven(&plan(car, track, rate));
    assert_eq!(drive.end, End::Finished);
    let race = drive.race.as_ref().unwrap();
    assert_eq!(race.laps.len(), 2);
    for lap in &race.laps {
        assert_eq!(lap.off_track, 0.0, "{:?}", race.laps);
    }
    let planned = race.line.lap_time() as f32;
    let needed = flying(&drive) / planned;
    assert!((1.0..1.1).contains(&needed), "{needed}");
    assert_eq!(drive.stage_names(), ["lap 1", "lap 2"]);
    assert_eq!(drive.stages[1].time, race.laps[0].time);
}

/// Flying laps at 30 to 240 Hz take equally long, within 1 %.
#[rstest]
#[case("sedan", "oval")]
#[case("sports-car", "road-course")]
#[case("ev-saloon", "kart")]
fn a_lap_takes_as_long_at_every_rate(#[case] car: &str, #[case] track: &str) {
    let times = [30.0, 60.0, 120.0, 240.0].map(|rate| flying(&driven(&plan(car, track, rate))));
    let [low, high] = times.iter().fold([f32::MAX, 0.0_f32], |[low, high], time| {
        [low.min(*time), high.max(*time)]
    });
    assert!(high / low < 1.01, "{times:?}");
}

/// The racing line of the sports car is worth a thirtieth of a lap and more.
#[rstest]
#[case("oval", 0.965)]
#[case("road-course", 0.965)]
#[case("kart", 0.965)]
fn the_racing_line_is_faster_than_the_center_line(#[case] track: &str, #[case] most: f32) {
    let racing = plan("sports-car", track, 60.0);
    let center = DrivePlan {
        race: racing.race.clone().map(|race| RacePlan {
            line: RaceLine::Center,
            ..race
        }),
        ..racing.clone()
    };
    let [racing, center] = [racing, center].map(|plan| flying(&driven(&plan)));
    assert!(racing < most * center, "{racing} {center}");
}

#[test]
fn a_race_is_the_same_every_time() {
    let digests = [(); 2].map(|()| {
        let drive = driven(&plan("rally-car", "kart", 60.0));
        let mut digest = MotionDigest::default();
        for sample in &drive.samples {
            digest.add_numbers(sample.position.as_vec3().to_array());
            digest.add_numbers([
                sample.command.steer,
                sample.command.throttle,
                sample.command.brake,
            ]);
        }
        digest
    });
    assert_eq!(digests[0], digests[1]);
}

/// A mirrored track gives the mirrored drive, but for rounding.
#[test]
fn a_mirrored_track_is_driven_in_the_mirror() {
    let track = Track::load("kart").unwrap();
    let drives = [("own", track.clone()), ("mirrored", track.mirrored())].map(|(name, track)| {
        let path = std::env::temp_dir().join(format!("jounce-{name}-{}.csv", std::process::id()));
        std::fs::write(&path, track.to_csv()).unwrap();
        let drive = driven(&plan("sedan", path.to_str().unwrap(), 60.0));
        std::fs::remove_file(path).unwrap();
        drive
    });
    let [own, mirrored] = &drives;
    assert!((flying(own) / flying(mirrored) - 1.0).abs() < 2e-3);
    for (one, other) in own.samples.iter().zip(&mirrored.samples).take(2000) {
        let there = other.position;
        assert!((one.position.x - there.x).abs() < 0.3, "{}", one.time);
        assert!((one.position.y + there.y).abs() < 0.3, "{}", one.time);
    }
}

/// On an open track, the driver drives to its end.
#[test]
fn an_open_track_is_driven_once() {
    let path = std::env::temp_dir().join(format!("jounce-open-{}.csv", std::process::id()));
    let rows = (0..=20).map(|n| {
        let (sin, cos) = libm::sincos(f64::from(n) * 0.1);
        format!("{},{},4,4\n", 60.0 * sin, 60.0 * (1.0 - cos))
    });
    std::fs::write(&path, format!("# open\n{}", rows.collect::<String>())).unwrap();
    let once = plan("sedan", path.to_str().unwrap(), 60.0);
    let drive = driven(&once);
    let twice = DrivePlan {
        race: once.race.clone().map(|race| RacePlan {
            laps: Some(2),
            ..race
        }),
        ..once
    };
    let refused = run(&twice, |_, _| ()).unwrap_err().to_string();
    std::fs::remove_file(path).unwrap();
    assert_eq!(drive.end, End::Finished);
    let laps = &drive.race.unwrap().laps;
    assert!(laps.len() == 1 && laps[0].off_track == 0.0, "{laps:?}");
    assert!(
        refused.contains("2 laps of an open track: must be 1"),
        "{refused}"
    );
}

/// With half the grip, the driver is slower and stays on the track.
#[test]
fn a_driver_allows_for_less_grip() {
    let dry = plan("sedan", "oval", 60.0);
    let wet = DrivePlan {
        conditions: DriveConditions {
            friction: 0.6,
            ..DriveConditions::USUAL
        },
        ..dry.clone()
    };
    let [dry, wet] = [dry, wet].map(|plan| driven(&plan));
    assert!(
        flying(&wet) > 1.15 * flying(&dry),
        "{} {}",
        flying(&wet),
        flying(&dry)
    );
    assert!(
        wet.race
            .unwrap()
            .laps
            .iter()
            .all(|lap| lap.off_track == 0.0)
    );
}

#[rstest]
#[case::maneuver(DrivePlan { maneuver: Some("brake".to_owned()), ..plan("sedan", "oval", 60.0) }, "excludes a maneuver")]
#[case::ground(DrivePlan { ground: Some(GroundSpec::Flat), ..plan("sedan", "oval", 60.0) }, "excludes a ground")]
#[case::towing(plan("trailer", "oval", 60.0), "excludes a towed vehicle")]
#[case::unknown(plan("sedan", "ovall", 60.0), "did you mean oval?")]
#[case::tank(plan("tank", "oval", 60.0), "cannot race")]
fn what_does_not_fit_is_refused(#[case] plan: DrivePlan, #[case] told: &str) {
    let error = run(&plan, |_, _| ()).unwrap_err().to_string();
    assert!(error.contains(told), "{error}");
}

/// A car starts along the center line of the track that is its ground.
#[test]
fn a_maneuver_is_driven_on_the_ground_of_a_track() {
    let plan = DrivePlan {
        maneuver: Some("brake".to_owned()),
        ground: Some(GroundSpec::Track("road-course".to_owned())),
        ..DrivePlan::of("sedan")
    };
    let drive = driven(&plan);
    let track = drive.terrain.track.as_ref().unwrap();
    let place = track.place(
        drive.samples[0].position.truncate(),
        drive.samples[0].heading.into(),
    );
    assert!(place.offset.abs() < 0.01 && place.heading_error.abs() < 0.01);
    assert_eq!(drive.end, End::Finished);
}
