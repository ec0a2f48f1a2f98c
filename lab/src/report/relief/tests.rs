//! Shading and contours of planes and hills that are known.

use super::*;
use proving_ground::ground::{GroundSpec, MeshUp};

#[test]
fn base_64_is_that_of_the_rfc() {
    let all = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
    assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
}

/// A relief whose height is this function of the position in the window.
fn relief(size: DVec2, height: impl Fn(DVec2) -> f64) -> Relief {
    relief_of([40, 20], size, height)
}

/// A relief of so many cells, whose height is this function of the position in the window.
fn relief_of([columns, rows]: [usize; 2], size: DVec2, height: impl Fn(DVec2) -> f64) -> Relief {
    let low = DVec2::new(-3.0, 7.0);
    let step = size / DVec2::new(columns as f64, rows as f64);
    let points =
        (0..=rows).flat_map(|j| (0..=columns).map(move |i| DVec2::new(i as f64, j as f64)));
    Relief {
        window: Window { low, size },
        size: [columns + 1, rows + 1],
        heights: points.map(|point| height(point * step)).collect(),
    }
}

/// Color and opacity in the middle of a plane that rises so much along x and y.
fn shade(x: f64, y: f64) -> [u8; 4] {
    let plane = relief(DVec2::new(80.0, 40.0), |at| at.dot(DVec2::new(x, y)));
    let middle = plane.height(20, 10);
    plane.pixel(20, 10, (middle, middle + 10.0))
}

fn brightness(pixel: [u8; 4]) -> u32 {
    pixel[..3].iter().map(|&byte| u32::from(byte)).sum()
}

#[test]
fn level_ground_has_the_tint_of_its_height_alone() {
    let bytes = |color: DVec3| color.to_array().map(|c| c as u8);
    let flat = relief(DVec2::new(40.0, 20.0), |_| 4.0);
    let alpha = (TINT * 255.0) as u8;
    for (range, color) in [
        ((4.0, 9.0), LOW),
        ((-6.0, 4.0), HIGH),
        ((3.0, 5.0), LOW.lerp(HIGH, 0.5)),
    ] {
        let [r, g, b] = bytes(color);
        assert_eq!(flat.pixel(7, 3, range), [r, g, b, alpha]);
    }
}

/// Light from the upper left makes no difference between planes that are mirror images about it.
#[test]
fn slopes_that_face_the_light_are_bright() {
    let flat = brightness(shade(0.0, 0.0));
    for steep in [0.02, 0.05, 0.1, 0.14] {
        for (x, y) in [(steep, 0.0), (0.0, -steep), (steep, -steep)] {
            assert!(brightness(shade(x, y)) > flat, "{x} {y}");
            assert!(brightness(shade(-x, -y)) < flat, "{x} {y}");
            assert!(shade(x, y)[3] > shade(0.0, 0.0)[3]);
            assert_eq!(shade(x, y), shade(-y, -x));
        }
    }
}

/// Shown five times as steep, 1 in 5 is the 45° at which the light falls.
#[test]
fn a_slope_of_one_in_five_toward_the_light_is_the_brightest() {
    let side = 0.2 * core::f64::consts::FRAC_1_SQRT_2;
    let best = brightness(shade(side, -side));
    for part in [0.25, 0.5, 0.75, 1.5, 2.0, 4.0] {
        assert!(
            brightness(shade(part * side, -part * side)) < best,
            "{part}"
        );
    }
    let steep = shade(-9.0, 9.0);
    assert_eq!(steep[3], ((TINT + (1.0 - TINT) * 0.6) * 255.0) as u8);
}

#[test]
fn where_there_is_no_ground_nothing_is_drawn() {
    let hole = relief(DVec2::new(40.0, 20.0), |at| {
        if at.x > 15.0 { f64::NAN } else { at.x }
    });
    assert_eq!(hole.range(), Some((0.0, 15.0)));
    assert_eq!(hole.pixel(15, 4, (0.0, 15.0)), [0; 4]);
    assert_ne!(hole.pixel(14, 4, (0.0, 15.0)), [0; 4]);
    let nothing = relief(DVec2::new(40.0, 20.0), |_| f64::NAN);
    assert_eq!((nothing.range(), nothing.shading()), (None, None));
    assert_eq!(nothing.contours(), ["", ""]);
}

/// Points of a path, which has its y downwards.
fn points(d: &str, size: DVec2) -> Vec<DVec2> {
    let pairs = d.split(['M', 'L']).filter(|pair| !pair.is_empty());
    let point = |pair: &str| {
        let (x, y) = pair.split_once(' ').unwrap();
        DVec2::new(x.parse().unwrap(), size.y - y.parse::<f64>().unwrap())
    };
    pairs.map(point).collect()
}

#[test]
fn contours_join_what_is_level_half_way_between_round_heights() {
    let size = DVec2::new(40.0, 20.0);
    let height = |at: DVec2| 0.9 * at.x + 0.4 * at.y - 11.3;
    let relief = relief(size, height);
    let (interval, (low, high)) = (relief.interval(), relief.range().unwrap());
    assert_eq!((interval, low), (5.0, -11.3));
    let mut found = std::collections::BTreeSet::new();
    for (bold, d) in relief.contours().iter().enumerate() {
        for point in points(d, size) {
            let level = height(point) / interval - 0.5;
            assert!((level - level.round()).abs() < 0.01, "{point}: {level}");
            assert_eq!(level.round() as i64 % 5 == 0, bold == 1, "{level}");
            found.insert(level.round() as i64);
        }
    }
    let wanted = (-20..40).filter(|&n| {
        let level = (n as f64 + 0.5) * interval;
        (low..high).contains(&level)
    });
    assert!(found.into_iter().eq(wanted));
}

#[test]
fn contours_have_no_gaps() {
    let (size, top) = (DVec2::new(40.0, 20.0), DVec2::new(20.0, 10.0));
    let [fine, _] = relief(size, |at| at.distance(top)).contours();
    let arms: Vec<DVec2> = points(&fine, size)
        .iter()
        .map(|point| *point - top)
        .collect();
    for radius in [3.0, 5.0] {
        let near = |arm: &&DVec2| (arm.length() - radius).abs() < 0.3;
        for n in 0..24 {
            let way = DVec2::from_angle(f64::from(n) * core::f64::consts::TAU / 24.0);
            let met = arms
                .iter()
                .filter(near)
                .any(|arm| arm.normalize().dot(way) > 0.85);
            assert!(met, "{radius} m, {way}");
        }
    }
}

#[test]
fn the_picture_has_a_pixel_for_each_cell_the_upper_row_first() {
    let size = DVec2::new(40.0, 20.0);
    let hill = relief(size, |at| if at.y > 15.0 { 9.0 } else { 0.0 });
    let data = hill.shading().unwrap();
    let text = data.strip_prefix("data:image/png;base64,").unwrap();
    let mut picture = png::Decoder::new(std::io::Cursor::new(decoded(text)))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
    let info = picture.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (40, 20));
    assert_eq!(pixels[..4], hill.pixel(0, 19, (0.0, 9.0)));
    assert_eq!(pixels[pixels.len() - 4..], hill.pixel(39, 0, (0.0, 9.0)));
    assert_ne!(pixels[..3], pixels[pixels.len() - 4..pixels.len() - 1]);
}

/// Bytes of a text in base 64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(value).collect();
    let groups = letters.chunks(4).flat_map(|group| {
        let bits = group
            .iter()
            .enumerate()
            .fold(0_u32, |bits, (n, &v)| bits | u32::from(v) << (18 - 6 * n));
        [16, 8, 0]
            .map(|shift| (bits >> shift) as u8)
            .into_iter()
            .take(group.len() - 1)
    });
    groups.collect()
}

#[test]
fn a_slope_has_straight_contours_at_round_heights() {
    let terrain = Terrain::new(&GroundSpec::Slope(45.0), MeshUp::Y).unwrap();
    let window = Window {
        low: DVec2::ZERO,
        size: DVec2::new(100.0, 50.0),
    };
    let relief = Relief::new(&terrain, window);
    assert_eq!(relief.interval(), 10.0);
    let [fine, bold] = relief.contours();
    assert!(bold.starts_with("M5 50L5 "), "{}", &bold[..40]);
    assert!(fine.contains("M15 50L15 ") && !fine.contains("NaN"));
    assert!(
        relief
            .shading()
            .unwrap()
            .starts_with("data:image/png;base64,iVBOR")
    );
}

/// Light on a plane that rises along x, over light on level ground, is what the shade is made of.
#[test]
fn shade_grows_with_the_light_that_level_ground_does_not_get() {
    let toward = LIGHT.normalize();
    for rise in [0.01_f64, 0.03, 0.06, -0.01, -0.03, -0.06] {
        // A normal of a plane that is shown five times as steep.
        let steep = 5.0 * rise;
        let light = (toward.z - steep * toward.x) / (1.0 + steep * steep).sqrt() - toward.z;
        let cover = 0.75 * light.abs();
        let [r, g, b, alpha] = shade(rise, 0.0);
        let wanted = 255.0 * (TINT + (1.0 - TINT) * cover);
        assert!(
            (f64::from(alpha) - wanted).abs() < 1.0,
            "{rise}: {alpha} for {wanted}"
        );
        // As much of its color is shade as shade is of all that covers the map.
        let part = cover / (TINT + cover);
        let over = if light > 0.0 { LIT } else { SHADOW };
        let wanted = LOW + part * (over - LOW);
        let found = DVec3::new(f64::from(r), f64::from(g), f64::from(b));
        assert!(
            (found - wanted).abs().max_element() < 1.0,
            "{found} for {wanted}"
        );
    }
}

/// Pieces of contours, from one point to another; one that cuts a corner may be a point.
fn pieces(d: &str, size: DVec2) -> Vec<[DVec2; 2]> {
    let lines = d.split('M').skip(1);
    let piece = |line: &str| {
        let ends = points(&format!("M{line}"), size);
        assert!(ends.len() <= 2, "{line}");
        [ends[0], ends[ends.len() - 1]]
    };
    lines.map(piece).collect()
}

/// The pieces of a contour, each through two cells, join end to end up to the edge of the window or of the ground.
#[test]
fn contours_are_whole_over_any_number_of_cells() {
    for cells in [[40, 20], [41, 20], [40, 21], [41, 21], [23, 13]] {
        let size = DVec2::new(40.0, 20.0);
        let step = size / DVec2::new(cells[0] as f64, cells[1] as f64);
        let (hill, hole) = (DVec2::new(21.3, 9.7), 11.0);
        let ground = |at: DVec2| {
            let far = at.distance(hill);
            if far > hole { f64::NAN } else { 0.0127 * far }
        };
        let relief = relief_of(cells, size, ground);
        assert!(relief.interval() < 0.02, "several lines on a gentle hill");
        let all = relief.contours().concat();
        let all = pieces(&all, size);
        assert!(all.len() > 3);
        for [a, b] in &all {
            let length = (*a - *b).abs();
            assert!(length.cmple(2.0 * step + 0.011).all(), "{a} {b}");
            for end in [a, b] {
                let same = |other: &DVec2| other.distance(*end) < 0.011;
                let meet = all.iter().flatten().filter(|other| same(other)).count();
                let far = end.distance(hill) + 4.0 * step.max_element() > hole;
                let edge = end.cmplt(DVec2::splat(0.011)).any()
                    || (size - *end).cmplt(DVec2::splat(0.011)).any();
                assert!(meet >= 2 || far || edge, "{cells:?}: {end} {meet}");
            }
        }
    }
}

/// A plane has one straight line at each of its levels, from edge to edge.
#[test]
fn contours_of_a_plane_go_from_edge_to_edge() {
    for cells in [[40, 20], [41, 21], [7, 5]] {
        let size = DVec2::new(40.0, 20.0);
        let steps = relief_of(cells, size, |at| 0.02 * at.y);
        let level = pieces(&steps.contours().concat(), size);
        assert!(level.len() > 3 && level.iter().all(|[a, b]| a.x != b.x && a.y == b.y));
        let plane = relief_of(cells, size, |at| 0.02 * at.x);
        let pieces = pieces(&plane.contours().concat(), size);
        assert!(pieces.iter().all(|[a, b]| a.y != b.y), "{cells:?}");
        let mut levels: Vec<i64> = pieces
            .iter()
            .map(|[a, _]| (a.x * 100.0).round() as i64)
            .collect();
        levels.sort_unstable();
        levels.dedup();
        // 0.1 m apart, the first at 0.05 m: 2.5 m, 7.5 m …
        assert_eq!(
            levels,
            [250, 750, 1250, 1750, 2250, 2750, 3250, 3750],
            "{cells:?}"
        );
        for level in levels {
            let here = pieces
                .iter()
                .filter(|[a, _]| (a.x * 100.0).round() as i64 == level);
            let length: f64 = here.map(|[a, b]| a.distance(*b)).sum();
            assert!((length - size.y).abs() < 0.1, "{cells:?}: {length}");
        }
    }
}
