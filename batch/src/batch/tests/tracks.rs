//! Batches on tracks.

use super::*;
use crate::setup::Focus;

fn race(track: &str, count: usize) -> Setup {
    let ground = terrain(GroundSpec::Track(track.to_owned()));
    let mut setup = Setup::new(presets::sedan(), count, ground);
    setup.observe = names(&["track"]);
    setup.rewards = ["progress", "off_track", "lap", "failure", "impact"]
        .map(|term| (term.to_owned(), 1.0))
        .to_vec();
    setup.limits.off_track = 0.0;
    setup
}

/// The racing driver, by the actions of the batch and with its hands, against the time that the line's speeds allow.
#[rstest]
#[case("oval", 1.12)]
#[case("kart", 1.12)]
fn a_racing_driver_laps(
    #[case] track: &str,
    #[case] most: f32,
    #[values(true, false)] hands: bool,
) {
    let mut setup = race(track, 2);
    (setup.hands, setup.limits.laps) = (hands, 2);
    let mut batch = Batch::new(&setup).unwrap();
    let (mut actions, mut out) = (vec![0.0; 4], Steps::default());
    let (mut progress, mut laps) = (0.0, 0.0);
    for _ in 0..3000 {
        batch.race(&mut actions).unwrap();
        batch.step(&actions, &mut out).unwrap();
        progress += out.terms[0];
        laps += out.terms[2];
        assert_eq!(out.terms[1..2], [0.0], "off the track");
        if out.ended[0] {
            break;
        }
    }
    assert_eq!((laps, out.terms[3]), (2.0, 0.0));
    let length = batch.design.terrain.track.as_ref().unwrap().length();
    assert!((f64::from(progress) - 2.0 * length).abs() < 4.0);
    let [last, best] = ["track.lap_time", "track.best_time"].map(|name| column(&batch, name)[0]);
    assert_eq!(last, best, "the first lap begins at rest");
    let limits = proving_ground::racing::CarLimits::of(&presets::sedan()).unwrap();
    let track = proving_ground::track::Track::load(track).unwrap();
    let line = proving_ground::racing::RacingLine::of(&track, limits).unwrap();
    let ratio = last / line.lap_time() as f32;
    assert!((0.98..most).contains(&ratio), "{ratio}");
}

#[test]
fn a_car_that_leaves_the_track_ends_with_the_square_of_its_speed() {
    let mut setup = race("oval", 1);
    setup.randomize.speed = Uniform::fixed(20.0);
    let mut batch = Batch::new(&setup).unwrap();
    let (mut out, mut sum) = (Steps::default(), 0.0);
    for _ in 0..60 {
        batch.step(&[0.0, 0.6], &mut out).unwrap();
        sum += out.rewards[0];
        if out.ended[0] {
            break;
        }
    }
    assert!(out.ended[0] && !out.cut[0]);
    let [progress, beyond, lap, failure, impact] = out.terms[..] else {
        panic!("five terms");
    };
    assert!(progress > 0.0 && beyond > 0.0 && beyond < 0.05);
    assert_eq!((lap, failure), (0.0, 1.0));
    assert!((200.0..410.0).contains(&impact), "{impact}");
    assert!(sum > impact);
    assert!(column(&batch, "track.right")[0] < 0.0);
}

#[test]
fn starts_are_drawn_along_the_track_and_more_often_in_focus() {
    let between = |low, high| Uniform { low, high };
    let mut setup = race("road-course", 400);
    setup.randomize = Randomize {
        x: between(0.0, 1900.0),
        y: between(-1.0, 2.0),
        heading: between(-0.1, 0.1),
        focus: Some(Focus {
            x: between(300.0, 400.0),
            share: 0.25,
        }),
        ..Randomize::NOTHING
    };
    let batch = Batch::new(&setup).unwrap();
    let [s, offset, heading] =
        ["track.s", "track.offset", "track.heading"].map(|name| column(&batch, name));
    let inside = s.iter().filter(|s| (300.0..400.0).contains(*s)).count();
    // A quarter, and 1/19 of the others: 29 %.
    assert!((90..145).contains(&inside), "{inside}");
    assert!(s.iter().any(|s| *s < 200.0) && s.iter().any(|s| *s > 1700.0));
    let within = |values: &[f32], low, high| values.iter().all(|it| (low..high).contains(it));
    assert!(within(&offset, -1.1, 2.1) && within(&heading, -0.15, 0.15));
    assert_eq!(column(&batch, "track.laps"), [0.0; 400]);
}

#[test]
fn a_given_start_is_found_on_the_whole_track() {
    let mut batch = Batch::new(&race("oval", 1)).unwrap();
    let track = batch.design.terrain.track.clone().unwrap();
    let start = Start {
        position: track.center().point(333.0),
        heading: track.center().heading(333.0) as f32,
    };
    batch.reset(None, None, Some(&[start])).unwrap();
    let s = column(&batch, "track.s")[0];
    assert!((s - 333.0).abs() < 1.0, "{s}");
}

#[test]
fn what_needs_a_track_is_refused_without_one() {
    let told = |change: fn(&mut Setup)| {
        let mut setup = setup(1);
        change(&mut setup);
        Batch::new(&setup).unwrap_err().to_string()
    };
    assert!(told(|it| it.observe = names(&["track.s"])).contains("not known"));
    assert!(told(|it| it.rewards = vec![("progress".to_owned(), 1.0)]).contains("not known"));
    assert!(told(|it| it.slip_angle = Some(0.0)).starts_with("slip_angle = 0 rad"));
    assert!(told(|it| it.limits.off_track = -1.0).starts_with("limits.off_track = -1 m"));
    let focus = Focus {
        x: Uniform::fixed(1.0),
        share: 1.5,
    };
    let mut bad = setup(1);
    bad.randomize.focus = Some(focus);
    let error = Batch::new(&bad).unwrap_err().to_string();
    assert!(error.starts_with("randomize.focus.share = 1.5"), "{error}");
    let batch = Batch::new(&setup(1)).unwrap();
    let error = batch.race(&mut [0.0; 2]).unwrap_err().to_string();
    assert_eq!(error, "ground = none: must be a track");
}
