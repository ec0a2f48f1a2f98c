use glam::DVec2;
use jounce::file::Car;
use jounce::presets;
use rstest::rstest;

use super::*;
use crate::driver::Seen;
use crate::track::TrackPoint;

fn limits(name: &str) -> CarLimits {
    CarLimits::of(&presets::by_name(name).unwrap()).unwrap()
}

fn track(points: &[(f64, f64)], closed: bool) -> Track {
    let points = points.iter().map(|&(x, y)| TrackPoint {
        position: DVec2::new(x, y),
        right: 5.0,
        left: 5.0,
    });
    Track::new("track", &points.collect::<Vec<_>>(), closed).unwrap()
}

/// Lateral acceleration: that of the class's target; braking: 100 km/h to 0 within 38 m is 10 m/s².
#[rstest]
#[case("sedan", 8.0..8.6, 8.0..11.0, 52.0..58.0)]
#[case("sports-car", 9.2..10.2, 8.0..12.0, 78.0..90.0)]
#[case("suv", 7.9..8.6, 7.0..11.0, 55.0..62.0)]
fn limits_are_those_of_the_car(
    #[case] name: &str,
    #[case] lateral: core::ops::Range<f64>,
    #[case] braking: core::ops::Range<f64>,
    #[case] top: core::ops::Range<f64>,
) {
    let limits = limits(name);
    assert!(lateral.contains(&limits.lateral), "{}", limits.lateral);
    assert!(braking.contains(&limits.braking), "{}", limits.braking);
    assert!(top.contains(&limits.top_speed()), "{}", limits.top_speed());
    let [slow, fast] = [5.0, 40.0].map(|speed| limits.throttle_at(speed));
    assert!(slow > fast && fast > 0.0 && limits.throttle_at(200.0) == 0.0);
}

/// A sports car has downforce, a sedan lift; the first corners harder the faster it is.
#[test]
fn air_changes_the_grip() {
    for (name, more) in [("sports-car", true), ("sedan", false)] {
        let limits = limits(name);
        assert_eq!(
            limits.lateral_at(50.0) > limits.lateral_at(10.0),
            more,
            "{name}"
        );
    }
}

/// What half the grip leaves.
#[test]
fn less_grip_bounds_bends_and_pedals() {
    let dry = limits("sedan");
    let ice = dry.clone().with_grip(0.5);
    assert!((ice.in_bend(0.02) / dry.in_bend(0.02) - 0.5_f64.sqrt()).abs() < 0.01);
    assert_eq!(ice.braking, 0.5 * dry.braking);
    assert_eq!(ice.brake(), 0.5 * dry.brake());
    assert!(ice.steer_for(0.01, 15.0) > dry.steer_for(0.01, 15.0));
}

/// At the bend itself, the speed in it; farther ahead, that from which the brakes suffice, up to the greatest.
#[test]
fn the_speed_before_a_bend_follows_from_the_braking_distance() {
    let sedan = limits("sedan");
    let at = |distance, grip| sedan.before_bend(0.05, distance, grip);
    assert_eq!(at(0.0, 1.0), sedan.in_bend(0.05));
    let ice = sedan.clone().with_grip(0.5);
    assert!((at(0.0, 0.5) - ice.in_bend(0.05)).abs() < 1e-9);
    let gained = at(40.0, 1.0).powi(2) - at(0.0, 1.0).powi(2);
    assert!((gained - 2.0 * 0.85 * sedan.braking * 40.0).abs() < 1e-9);
    assert_eq!(at(1e4, 1.0), sedan.top_speed());
    assert_eq!(sedan.before_bend(0.0, 0.0, 1.0), sedan.top_speed());
}

#[rstest]
fn steering_is_odd_and_rises(#[values(3.0, 15.0, 40.0)] speed: f64) {
    let limits = limits("sedan");
    let mut last = 0.0;
    for n in 1..20 {
        let curvature = f64::from(n) * 0.004;
        let steer = limits.steer_for(curvature, speed);
        assert_eq!(limits.steer_for(-curvature, speed), -steer);
        assert!(steer >= last && steer <= 1.0);
        last = steer;
    }
}

/// In a circle the speed is √(a/κ); from rest on an open straight, it follows from full throttle.
#[test]
fn speeds_are_those_of_closed_forms() {
    let ring = (0..60).map(|n| {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * f64::from(n) / 60.0);
        (50.0 * cos, 50.0 * sin)
    });
    let sedan = limits("sedan");
    let ring = RacingLine::center(&track(&ring.collect::<Vec<_>>(), true), sedan.clone());
    let wanted = sedan.in_bend(1.0 / 50.0);
    for speed in ring.speeds() {
        assert!((speed / wanted - 1.0).abs() < 5e-3, "{speed} {wanted}");
    }
    assert!((ring.lap_time() * wanted / ring.line().length() - 1.0).abs() < 5e-3);
    let straight = RacingLine::center(&track(&[(0.0, 0.0), (400.0, 0.0)], false), sedan.clone());
    assert_eq!(straight.speed(0.0), 0.0);
    for s in [20.0, 100.0, 350.0] {
        let [before, after] = [s, s + 1.0].map(|s| straight.speed(s));
        let gain = 0.5 * (after * after - before * before);
        assert!(
            (gain - sedan.throttle_at(before)).abs() < 1e-9,
            "{s}: {gain}"
        );
    }
}

#[test]
fn a_car_brakes_before_a_bend_and_not_harder_than_it_can() {
    let sports = limits("sports-car");
    let track = Track::load("road-course").unwrap();
    let racing = RacingLine::of(&track, sports.clone()).unwrap();
    let step = racing.line().step();
    let speeds = racing.speeds();
    let mut hardest = 0.0_f64;
    for n in 0..speeds.len() {
        let next = speeds[(n + 1) % speeds.len()];
        let change = (next * next - speeds[n] * speeds[n]) / (2.0 * step);
        hardest = hardest.max(-change);
        assert!(
            change < 1.05 * sports.throttle_at(speeds[n].min(next)) + 0.1,
            "{n}"
        );
    }
    assert!(
        hardest < sports.braking_at(60.0) && hardest > 0.8 * sports.braking,
        "{hardest}"
    );
    let slowest = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((8.0..14.0).contains(&slowest), "the hairpin: {slowest}");
}

#[rstest]
#[case("tank")]
#[case("trailer")]
fn other_vehicles_cannot_race(#[case] name: &str) {
    let told = CarLimits::of(&presets::by_name(name).unwrap())
        .unwrap_err()
        .to_string();
    assert!(told.contains("cannot race"), "{told}");
}

#[test]
fn a_track_narrower_than_the_car_is_refused() {
    let points = [(0.0, 0.0), (90.0, 0.0)].map(|(x, y)| TrackPoint {
        position: DVec2::new(x, y),
        right: 0.8,
        left: 0.8,
    });
    let path = Track::new("path", &points, false).unwrap();
    let told = RacingLine::of(&path, limits("sedan"))
        .unwrap_err()
        .to_string();
    assert!(
        told.starts_with("path: is 1.60 m wide") && told.ends_with("the width of sedan"),
        "{told}"
    );
}

/// The driver of a mirrored track steers the other way, with the same pedals.
#[test]
fn a_mirrored_track_gives_mirrored_commands() {
    let car: Car = presets::sedan();
    let own = Track::load("kart").unwrap();
    let limits = CarLimits::of(&car).unwrap();
    let [line, mirrored] =
        [own.clone(), own.mirrored()].map(|track| RacingLine::of(&track, limits.clone()).unwrap());
    let (mut racer, mut other) = (Racer::new(&line), Racer::new(&mirrored));
    for n in 0..200 {
        let s = 3.0 * f64::from(n);
        let heading = line.line().heading(s) as f32 + 0.02;
        let seen = Seen {
            position: line.line().point(s) + DVec2::new(0.3, -0.2),
            forward_speed: 12.0,
            lateral_speed: 0.2,
            yaw_rate: 0.1,
            heading,
            ..Seen::default()
        };
        let there = Seen {
            position: DVec2::new(seen.position.x, -seen.position.y),
            lateral_speed: -0.2,
            yaw_rate: -0.1,
            heading: -heading,
            ..seen
        };
        let [left, right] = [racer.command(&seen, 0.02), other.command(&there, 0.02)];
        assert!(
            (left.steer + right.steer).abs() < 1e-4,
            "{s}: {} {}",
            left.steer,
            right.steer
        );
        assert!(
            (left.throttle - right.throttle).abs() < 1e-3
                && (left.brake - right.brake).abs() < 1e-3
        );
    }
}
