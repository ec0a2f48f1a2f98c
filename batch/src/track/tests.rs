use core::f64::consts::FRAC_PI_2;

use jounce::presets;
use proving_ground::track::TrackPoint;
use rstest::rstest;

use super::*;

fn course(track: Track) -> Course {
    let sight = Sight {
        ahead: vec![20, 50],
        rays_deg: vec![-90, 0, 90],
        reach: 40.0,
    };
    Course::new(&Arc::new(track), &sight, &[presets::sedan()], 0.05).unwrap()
}

/// A straight of 100 m along x, 4 m to the right and 6 m to the left.
fn straight() -> Course {
    let points = [0.0, 100.0].map(|x| TrackPoint {
        position: DVec2::new(x, 0.0),
        right: 4.0,
        left: 6.0,
    });
    course(Track::new("straight", &points, false).unwrap())
}

fn seen(course: &Course, position: DVec2, heading: f32) -> OnTrack<'_> {
    let laps = course.begun(position, None);
    OnTrack {
        course,
        model: 0,
        grip: 1.0,
        place: course.place(position, heading, &laps),
        position,
        heading,
        speed: 10.0,
        laps,
        time: 0.0,
    }
}

#[rstest]
#[case("s", 30.0)]
#[case("offset", 1.0)]
#[case("heading", 0.2)]
#[case("left", 5.0)]
#[case("right", 5.0)]
#[case("sharpest.0_20", 0.0)]
#[case("curvature.20_50", 0.0)]
#[case("ray.0", 5.0 / 0.2_f32.sin())]
#[case("ray.90", 5.0 / 0.2_f32.cos())]
#[case("ray.-90", 5.0 / 0.2_f32.cos())]
fn a_car_on_a_straight_sees_widths_and_angles(#[case] key: &str, #[case] expected: f32) {
    let course = straight();
    let seen = seen(&course, DVec2::new(30.0, 1.0), 0.2);
    let all = TrackChannel::all(course.sight());
    let (channel, ..) = all.iter().find(|(_, name, ..)| name == key).unwrap();
    let found = channel.sample(&seen);
    assert!((found - expected).abs() < 1e-4, "{found}");
}

/// The first bend of the oval, of 40 m radius, begins 125 m from its start.
#[test]
fn previews_see_the_bend_and_the_way_to_brake() {
    let course = course(Track::load("oval").unwrap());
    let at = |s: f64| {
        let center = course.track.center();
        seen(&course, center.point(s), center.heading(s) as f32)
    };
    let sharpest = |x: f64| TrackChannel::Sharpest([20, 50]).sample(&at(x));
    assert!(sharpest(30.0).abs() < 1e-3, "{}", sharpest(30.0));
    assert!(
        (sharpest(90.0) * 40.0 - 1.0).abs() < 0.05,
        "{}",
        sharpest(90.0)
    );
    let mean = TrackChannel::Curvature([20, 50]).sample(&at(90.0));
    assert!(mean > 0.005 && mean < sharpest(90.0), "{mean}");
    let speed = |x: f64, stretch| TrackChannel::Speed(stretch).sample(&at(x));
    let bend = speed(150.0, [0, 20]);
    assert!((17.0..19.0).contains(&bend), "√(8.2 m/s² · 40 m): {bend}");
    let before = speed(90.0, [20, 50]);
    assert!(
        (29.0..35.0).contains(&before),
        "√(18² + 2 · 8 · 50) m/s: {before}"
    );
    let spare = TrackChannel::SpareSpeed.sample(&at(150.0));
    assert!((spare - (bend - 10.0)).abs() < 0.5, "{spare}");
    let slippery = OnTrack {
        grip: 0.25,
        ..at(150.0)
    };
    let half = TrackChannel::Speed([0, 20]).sample(&slippery);
    assert!((half / bend - 0.5).abs() < 0.01, "{half}");
}

#[test]
fn laps_are_timed_within_actions_from_where_they_began() {
    let course = course(Track::load("oval").unwrap());
    let (length, speed, duration) = (course.track.length(), 30.0, 0.1);
    let mut s = 200.0;
    let mut car = seen(&course, course.track.center().point(s), 0.0);
    let mut completed = Vec::new();
    for step in 1..=500 {
        s += speed * f64::from(duration);
        car.position = course.track.center().point(s);
        car.place = course.place(car.position, 0.0, &car.laps);
        if car.go_on(duration) {
            completed.push(step);
        }
    }
    let lap = length / speed;
    let expected = [1.0, 2.0].map(|n| (n * lap / f64::from(duration)).ceil() as i32);
    assert_eq!(completed, expected);
    let sample = |channel: TrackChannel| f64::from(channel.sample(&car));
    assert_eq!(sample(TrackChannel::Laps), 2.0);
    for channel in [TrackChannel::LapTime, TrackChannel::BestTime] {
        assert!((sample(channel) - lap).abs() < 1e-3, "{}", sample(channel));
    }
    let rest = 50.0 - 2.0 * lap;
    assert!((sample(TrackChannel::Time) - rest).abs() < 1e-3);
    assert!((sample(TrackChannel::Distance) - course.track.center().within(s)).abs() < 1e-3);
}

#[test]
fn an_open_track_has_one_lap_to_its_end() {
    let course = straight();
    let mut car = seen(&course, DVec2::new(40.0, 0.0), 0.0);
    let mut completed = 0;
    for x in [60.0, 80.0, 95.0, 105.0, 110.0, 104.0, 95.0, 106.0] {
        car.place = course.place(DVec2::new(x, 0.0), 0.0, &car.laps);
        completed += u32::from(car.go_on(0.5));
    }
    assert_eq!((completed, car.laps.count), (1, 1));
    assert!(car.laps.last > 1.5 && car.laps.last <= 2.0);
}

#[test]
fn a_start_is_beside_the_line_and_turned_from_it() {
    let course = course(Track::load("oval").unwrap());
    let start = course.start(300.0, 2.0, 0.1);
    let place = course.track.place(start.position, start.heading.into());
    assert!((place.s - 300.0).abs() < 0.1 && (place.offset - 2.0).abs() < 0.01);
    assert!((place.heading_error - 0.1).abs() < 0.02);
    let left = course.start(0.0, 3.0, FRAC_PI_2);
    assert!((left.position - DVec2::new(0.0, 3.0)).length() < 0.1);
}

#[rstest]
#[case(|it: &mut Sight| it.ahead = vec![], "sight.ahead = [] m")]
#[case(|it: &mut Sight| it.ahead = vec![0, 5], "sight.ahead = [0, 5] m: must be one or more, > 0 and rising")]
#[case(|it: &mut Sight| it.ahead = vec![9, 9], "sight.ahead = [9, 9] m")]
#[case(|it: &mut Sight| it.rays_deg = vec![5, 5], "sight.rays = [5, 5] °: must be each angle once")]
#[case(|it: &mut Sight| it.reach = f32::NAN, "sight.reach = NaN m: must be finite and > 0")]
fn bad_sights_are_refused(#[case] change: fn(&mut Sight), #[case] told: &str) {
    let mut sight = Sight::default();
    change(&mut sight);
    let error = sight.check().unwrap_err().to_string();
    assert!(error.starts_with(told), "{error}");
}

#[test]
fn long_actions_and_cars_that_cannot_race_are_refused() {
    let track = Arc::new(Track::load("oval").unwrap());
    let made = |name: &str, action| {
        let cars = [presets::load(name).unwrap()];
        Course::new(&track, &Sight::default(), &cars, action)
    };
    let error = made("sedan", 0.25).unwrap_err().to_string();
    assert_eq!(
        error,
        "substeps = 0.25 s: must be <= 0.2 s per action on a track"
    );
    let error = made("trailer", 0.05).unwrap().check_limits().unwrap_err();
    assert!(error.to_string().contains("cannot race"), "{error}");
}
