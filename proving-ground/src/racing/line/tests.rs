use rstest::rstest;

use super::*;
use crate::track::TrackPoint;

fn total(track: &Track, offsets: &[f64]) -> f64 {
    let bends = Bends::of(track);
    let squares = bends
        .triples()
        .map(|triple| bends.at(triple, offsets).value);
    squares.map(|bend| bend * bend).sum()
}

#[rstest]
#[case("oval", 1.15)]
#[case("road-course", 1.5)]
#[case("kart", 1.5)]
fn the_line_stays_clear_of_the_edges_and_bends_less_than_the_center(
    #[case] name: &str,
    #[case] times: f64,
) {
    let track = Track::load(name).unwrap();
    let offsets = least_curvature(&track, 1.5);
    for (offset, [right, left]) in offsets.iter().zip(track.widths()) {
        assert!(right + offset > 1.5 && left - offset > 1.5, "{offset}");
    }
    let center = total(&track, &vec![0.0; offsets.len()]);
    let racing = total(&track, &offsets);
    assert!(racing * times < center, "{racing} {center}");
}

/// No bulge of some centimeters, anywhere within the bounds, makes the line straighter.
#[rstest]
fn the_line_is_a_minimum(
    #[values("oval", "road-course", "kart")] name: &str,
    #[values(6, 25)] reach: i32,
) {
    let track = Track::load(name).unwrap();
    let offsets = least_curvature(&track, 1.5);
    let best = total(&track, &offsets);
    let count = offsets.len() as i32;
    for middle in (0..count).step_by(7) {
        for height in [-0.03, 0.03] {
            let mut other = offsets.clone();
            for n in -reach..=reach {
                let part = 1.0 - f64::from(n * n) / f64::from(reach * reach);
                let at = (middle + n).rem_euclid(count) as usize;
                let [low, high] = bounds(track.widths()[at], 1.5);
                other[at] = (other[at] + height * part * part).clamp(low, high);
            }
            assert!(total(&track, &other) > best - 1e-6, "{middle} {height}");
        }
    }
}

/// The least curved line around a point between two circles is the outer one.
#[test]
fn on_a_ring_the_line_is_the_outer_edge() {
    let points = (0..90).map(|n| {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * f64::from(n) / 90.0);
        TrackPoint {
            position: DVec2::new(60.0 * cos, 60.0 * sin),
            right: 5.0,
            left: 5.0,
        }
    });
    let ring = Track::new("ring", &points.collect::<Vec<_>>(), true).unwrap();
    for offset in least_curvature(&ring, 1.0) {
        assert!((offset + 4.0).abs() < 0.05, "{offset}");
    }
}

/// A car that is as wide as its track has hardly a choice.
#[test]
fn a_narrow_track_leaves_the_middle() {
    let track = Track::load("kart").unwrap();
    for (offset, [right, left]) in least_curvature(&track, 9.0).iter().zip(track.widths()) {
        assert!(
            (offset - 0.5 * (left - right)).abs() <= LEAST_ROOM,
            "{offset}"
        );
    }
}
