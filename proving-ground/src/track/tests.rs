use core::f64::consts::{FRAC_PI_2, PI, TAU};

use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn at(x: f64, y: f64, right: f64, left: f64) -> TrackPoint {
    TrackPoint {
        position: DVec2::new(x, y),
        right,
        left,
    }
}

/// A straight of 200 m that begins at `from` and heads to `heading`.
fn straight(from: DVec2, heading: f64, right: f64, left: f64) -> Track {
    let way = DVec2::new(libm::cos(heading), libm::sin(heading));
    let points = [0.0, 55.0, 120.0, 200.0].map(|s| from + way * s);
    let points = points.map(|point| at(point.x, point.y, right, left));
    Track::new("straight", &points, false).unwrap()
}

/// A circle of this radius to the left, by `count` points.
fn circle(radius: f64, count: u32) -> Track {
    let points = (0..count).map(|n| {
        let angle = TAU * f64::from(n) / f64::from(count);
        at(
            radius * libm::sin(angle),
            radius * (1.0 - libm::cos(angle)),
            3.0,
            2.0,
        )
    });
    Track::new("circle", &points.collect::<Vec<_>>(), true).unwrap()
}

fn built_in() -> Vec<Track> {
    BUILT_IN
        .map(|(name, _)| Track::load(name).unwrap())
        .to_vec()
}

#[rstest]
#[case("oval", 551.0, 39.0, 12.0)]
#[case("road-course", 1899.0, 12.4, 8.8)]
#[case("kart", 616.5, 8.4, 7.0)]
fn built_in_tracks_are_closed_and_as_they_are_described(
    #[case] name: &str,
    #[case] length: f64,
    #[case] radius: f64,
    #[case] width: f64,
) {
    let track = Track::load(name).unwrap();
    assert_eq!(track.name(), name);
    assert!(track.is_closed());
    assert!((track.length() - length).abs() < 2.0, "{}", track.length());
    let steps = 0..track.length() as u32;
    let bends = steps.map(|s| track.center().curvature(s.into(), f64::from(s) + 3.0).abs());
    let tightest = 1.0 / bends.fold(0.0, f64::max);
    assert!((tightest / radius - 1.0).abs() < 0.05, "{tightest}");
    let widths = track.widths().iter().map(|[right, left]| right + left);
    let narrowest = widths.fold(f64::INFINITY, f64::min);
    assert!((narrowest - width).abs() < 0.2, "{narrowest}");
    let turned = track.center().heading(track.length()) - track.center().heading(0.0);
    assert!((turned - TAU).abs() < 1e-9, "counterclockwise: {turned}");
}

#[test]
fn a_circle_has_its_radius_length_and_places() {
    let track = circle(50.0, 60);
    assert!((track.length() - TAU * 50.0).abs() < 0.05);
    for s in [0.0, 17.3, 150.0, 400.0] {
        let curvature = track.center().curvature(s, s + 7.0);
        assert!((50.0 * curvature - 1.0).abs() < 2e-3, "{curvature}");
        let angle = s / track.length() * TAU;
        let point = DVec2::new(52.0 * libm::sin(angle), 50.0 - 52.0 * libm::cos(angle));
        let place = track.place(point, angle + 0.2);
        assert!((place.offset + 2.0).abs() < 0.02 && (place.right - 1.0).abs() < 0.02);
        assert!((place.left - 4.0).abs() < 0.02 && (place.heading_error - 0.2).abs() < 1e-2);
    }
}

#[test]
fn a_preview_adds_up_to_the_whole_turn() {
    let track = circle(30.0, 40);
    let mut bends = [0.0; 11];
    let stretch = track.length() / 11.0;
    track.preview(12.0, stretch, &mut bends);
    assert!((bends.iter().sum::<f64>() * stretch - TAU).abs() < 1e-9);
}

/// Where two straights pass each other, the nearest point of the whole track may be on the wrong one.
#[test]
fn an_incremental_place_stays_on_its_part_and_counts_laps() {
    let track = Track::load("road-course").unwrap();
    let center = track.center();
    let (mut s, mut strays) = (0.0, 0);
    while s < 2.0 * track.length() {
        let next = s + 3.0;
        let heading = center.heading(next);
        let straight = center.curvature(next - 15.0, next + 15.0).abs() < 2e-3;
        let off = if straight { 16.0 } else { 0.0 };
        let point = center.point(next) + DVec2::new(-libm::sin(heading), libm::cos(heading)) * off;
        let place = track.place_near(point, heading, s);
        assert!((place.s - next).abs() < 1.0, "{} {next}", place.s);
        assert!((place.offset - off).abs() < 0.1, "{}", place.offset);
        let anywhere = track.place(point, heading);
        strays += u32::from((anywhere.s - center.within(next)).abs() > 100.0);
        s = next;
    }
    assert!(strays > 0, "the test shows nothing");
}

#[test]
fn an_open_track_ends() {
    let track = straight(DVec2::ZERO, 0.0, 3.0, 5.0);
    assert!(!track.is_closed() && (track.length() - 200.0).abs() < 1e-9);
    let [before, beyond] = [-30.0, 230.0].map(|x| track.place(DVec2::new(x, 1.0), PI));
    assert_eq!([before.s, beyond.s], [0.0, 200.0]);
    assert!((before.heading_error.abs() - PI).abs() < 1e-9);
    assert_eq!(track.center().curvature(150.0, 400.0), 0.0);
    assert!((track.ray(DVec2::new(150.0, 0.0), 150.0, 0.0, 500.0) - 50.0).abs() < 1e-9);
    assert_eq!(track.ray(DVec2::new(150.0, 0.0), 150.0, 0.0, 20.0), 20.0);
    assert_eq!(track.ray(DVec2::new(150.0, 6.0), 150.0, 0.0, 20.0), 0.0);
}

/// From the middle of a circle's track a ray along it leaves by the outer edge; across it, at the widths.
#[test]
fn rays_of_a_circle_follow_from_its_radii() {
    let track = circle(50.0, 200);
    let ray = |direction| track.ray(DVec2::ZERO, 0.0, direction, 300.0);
    let chord = (53.0_f64 * 53.0 - 50.0 * 50.0).sqrt();
    for (direction, distance) in [
        (0.0, chord),
        (PI, chord),
        (FRAC_PI_2, 2.0),
        (-FRAC_PI_2, 3.0),
    ] {
        assert!(
            (ray(direction) - distance).abs() < 0.02,
            "{direction} {}",
            ray(direction)
        );
    }
}

/// A ray down the straight of the road course meets the edge of the hairpin, and not that of the way back beside it.
#[test]
fn a_ray_stays_in_its_part_of_the_track() {
    let track = Track::load("road-course").unwrap();
    let start = track.center().point(0.0);
    let ahead = track.ray(start, 0.0, 0.0, 1000.0);
    assert!((370.0..430.0).contains(&ahead), "{ahead}");
    for (n, s) in (0..).zip([0.0, 100.0, 395.0, 420.0, 900.0]) {
        let point = track.center().point(s);
        let left = track.ray(point, s, track.center().heading(s) + FRAC_PI_2, 50.0);
        assert!((left - track.widths_at(s)[1]).abs() < 0.15, "{n}: {left}");
    }
}

#[rstest]
#[case::words(
    "0,0,3,3\n9,x,3,3\n9,9,3,3\n0,9,3,3\n",
    "t.csv:2: y_m = \"x\": must be a number"
)]
#[case::cells(
    "0,0,3,3\n9,0,3\n9,9,3,3\n0,9,3,3\n",
    "t.csv:2: \"9,0,3\": must be four numbers"
)]
#[case::width(
    "0,0,3,3\n9,0,3,-1\n9,9,3,3\n0,9,3,3\n",
    "t.csv:2: w_tr_left_m = -1 m: must be finite and > 0"
)]
#[case::endless(
    "0,0,3,3\n9,0,3,3\n9,inf,3,3\n0,9,3,3\n",
    "t.csv:3: y_m = inf m: must be finite"
)]
#[case::twice(
    "0,0,3,3\n9,0,3,3\n9,0,3,3\n0,9,3,3\n",
    "t.csv:3: x_m = 9 m: must not be where"
)]
#[case::nothing(
    "# x_m,y_m,w_tr_right_m,w_tr_left_m\n",
    "t.csv: count = 0 points: must be at least 3"
)]
fn faults_name_file_line_value_and_rule(#[case] text: &str, #[case] told: &str) {
    let error = Track::parse(text, "t.csv").unwrap_err().to_string();
    assert!(error.contains(told), "{error}");
}

/// Three meters inside a bend of two meters, an edge would run backward.
#[test]
fn an_edge_that_folds_is_refused() {
    let mut text = String::from("# x_m,y_m,w_tr_right_m,w_tr_left_m\n");
    for n in 0..12 {
        let angle = TAU * f64::from(n) / 12.0;
        let width = if n == 4 { 3.0 } else { 1.0 };
        text += &format!(
            "{},{},1,{width}\n",
            2.0 * libm::cos(angle),
            2.0 * libm::sin(angle)
        );
    }
    let error = Track::parse(&text, "t.csv").unwrap_err().to_string();
    let told = "t.csv:6: w_tr_left_m = 3 m: must be less than the radius of the bend there, 2.0 m";
    assert_eq!(error, told);
}

#[test]
fn all_faults_are_told_at_once() {
    let text = "# open\n0,0,3,3\n5,0,-3,nan\n\nfive\n9,9,a,b\n9,inf,3,3\n";
    let error = Track::parse(text, "t.csv").unwrap_err();
    let lines: Vec<usize> = error.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [3, 3, 5, 6, 7], "{error}");
}

#[test]
fn arrays_are_refused_with_their_index() {
    let points = [
        at(0.0, 0.0, 3.0, 3.0),
        at(9.0, 0.0, 0.0, 3.0),
        at(9.0, 9.0, 3.0, 3.0),
    ];
    let told = Track::new("t", &points, true).unwrap_err().to_string();
    assert!(
        told.contains("points[1].w_tr_right_m = 0 m: must be"),
        "{told}"
    );
}

#[test]
fn an_unknown_track_is_told_the_nearest() {
    let told = |name| Track::load(name).unwrap_err().to_string();
    assert!(
        told("ovall").contains("did you mean oval?"),
        "{}",
        told("ovall")
    );
    assert!(
        told("moon").contains("oval, road-course, kart"),
        "{}",
        told("moon")
    );
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for track in built_in()
        .into_iter()
        .chain([straight(DVec2::ONE, 0.3, 2.0, 4.0)])
    {
        let again = Track::parse(&track.to_csv(), &format!("{}.csv", track.name())).unwrap();
        assert_eq!(again.name(), track.name());
        assert_eq!(again.is_closed(), track.is_closed());
        assert!((again.length() / track.length() - 1.0).abs() < 2e-4);
    }
}

/// A closed track may repeat its first point, and a text may begin with a byte-order mark.
#[test]
fn a_repeated_first_point_closes_a_track() {
    let rows = "0,0,3,3\n90,0,3,3\n90,90,3,3\n0,90,3,3\n";
    let [usual, repeated] = [rows.to_owned(), format!("\u{feff}{rows}0,0,3,3\n")]
        .map(|text| Track::parse(&text, "t.csv").unwrap());
    assert_eq!(usual, repeated);
}

proptest! {
    /// The place of a point on the line is its distance along it, of a built-in track and of its mirror image.
    #[test]
    fn a_point_on_the_line_is_at_its_distance(track in 0_usize..3, part in 0.0_f64..1.0) {
        let track = &built_in()[track];
        for track in [track, &track.mirrored()] {
            let s = part * track.length();
            let place = track.place(track.center().point(s), 0.0);
            prop_assert!((place.s - s).abs() < 1e-6 && place.offset.abs() < 1e-9);
            let near = track.place_near(track.center().point(s), 0.0, s - 11.0);
            prop_assert!((near.s - s).abs() < 1e-6);
        }
    }

    /// Resampling keeps the length, however the points are spaced.
    #[test]
    fn resampling_keeps_the_length(
        heading in -PI..PI, spans in proptest::collection::vec(0.5_f64..40.0, 2..20), radius in 20.0_f64..200.0,
    ) {
        let way = DVec2::new(libm::cos(heading), libm::sin(heading));
        let mut s = 0.0;
        let mut points = vec![at(7.0, 8.0, 2.0, 3.0)];
        for span in spans {
            s += span;
            let point = DVec2::new(7.0, 8.0) + way * s;
            points.push(at(point.x, point.y, 2.0, 3.0));
        }
        let track = Track::new("t", &points, false).unwrap();
        prop_assert!((track.length() - s).abs() < 1e-6 * s);
        let circle = circle(radius, 48);
        prop_assert!((circle.length() / (TAU * radius) - 1.0).abs() < 1e-4);
        let again = Track::new("t", &circle.center.points().iter().map(|p| at(p.x, p.y, 2.0, 2.0)).collect::<Vec<_>>(), true).unwrap();
        prop_assert!((again.length() / circle.length() - 1.0).abs() < 1e-4);
    }

    /// On a straight, a ray reaches an edge at the width over the sine of its angle.
    #[test]
    fn rays_agree_with_widths_on_straights(
        heading in -PI..PI, right in 1.0_f64..9.0, left in 1.0_f64..9.0, part in -0.99_f64..0.99,
        angle in 0.2_f64..2.9, s in 60.0_f64..140.0,
    ) {
        let track = straight(DVec2::new(-3.0, 2.0), heading, right, left);
        let offset = if part < 0.0 { part * right } else { part * left };
        let normal = DVec2::new(-libm::sin(heading), libm::cos(heading));
        let point = track.center().point(s) + normal * offset;
        let place = track.place(point, heading);
        prop_assert!((place.offset - offset).abs() < 1e-9 && (place.s - s).abs() < 1e-9);
        let rays = [angle, -angle].map(|angle| track.ray(point, place.s, heading + angle, 500.0));
        let [to_left, to_right] = [place.left, place.right].map(|width| width / libm::sin(angle));
        prop_assert!((rays[0] - to_left).abs() < 1e-6, "{rays:?} {to_left}");
        prop_assert!((rays[1] - to_right).abs() < 1e-6, "{rays:?} {to_right}");
    }

    /// In the mirror, left and right are swapped.
    #[test]
    fn a_mirrored_track_gives_mirrored_places(
        track in 0_usize..3, part in 0.0_f64..1.0, offset in -3.0_f64..3.0, heading in -PI..PI,
    ) {
        let track = &built_in()[track];
        let mirrored = track.mirrored();
        let s = part * track.length();
        let normal = DVec2::new(-libm::sin(track.center().heading(s)), libm::cos(track.center().heading(s)));
        let point = track.center().point(s) + normal * offset;
        let there = DVec2::new(point.x, -point.y);
        let (place, other) = (track.place(point, heading), mirrored.place(there, -heading));
        prop_assert!((place.s - other.s).abs() < 1e-9 && (place.offset + other.offset).abs() < 1e-9);
        prop_assert!((place.left - other.right).abs() < 1e-9 && (place.right - other.left).abs() < 1e-9);
        let [ray, other] = [
            track.ray(point, place.s, heading, 100.0),
            mirrored.ray(there, other.s, -heading, 100.0),
        ];
        prop_assert!((ray - other).abs() < 1e-6, "{ray} {other}");
    }
}
