//! The map: the path, outlines of the car, markers.

use proving_ground::ground::{MeshUp, Terrain};

use super::super::svg::viridis;
use super::*;

fn figure() -> &'static str {
    between(&PAGE, "<figure class=\"map\">", "</figure>")
}

/// Position of the world's origin on the map (`m`, y downwards), from that of the first sample.
fn origin() -> DVec2 {
    let (_, first) = path(between(figure(), "class=\"casing\" d=\"", "\""))[0];
    let start = DRIVE.samples[0].position.truncate();
    DVec2::new(first.x - start.x, first.y + start.y)
}

/// A position on the map, in the world.
fn world(at: DVec2) -> DVec2 {
    let origin = origin();
    DVec2::new(at.x - origin.x, origin.y - at.y)
}

fn places() -> impl Iterator<Item = DVec2> {
    DRIVE.samples.iter().map(|s| s.position.truncate())
}

#[test]
fn the_way_is_where_the_car_was_in_the_color_of_its_speed() {
    let figure = figure();
    let ticks = all_between(
        between(figure, "bar-ticks\">", "</div>"),
        "left:",
        "</span>",
    );
    let ticks: Vec<(f64, f64)> = ticks
        .map(|tick| {
            tick.split_once("%\">")
                .map(|(a, b)| (number(a), number(b)))
                .unwrap()
        })
        .collect();
    let [(from, low), (to, high)] = [ticks[0], ticks[ticks.len() - 1]];
    let share =
        |speed: f32| (from + (f64::from(speed) * 3.6 - low) / (high - low) * (to - from)) / 100.0;
    let shades: Vec<String> = (0..=48).map(|n| viridis(f64::from(n) / 48.0)).collect();
    let ways = all_between(figure, "<path class=\"way\" stroke=\"", "\"/>");
    let (mut all, mut before) = (Vec::<DVec2>::new(), "");
    for way in ways {
        let (color, d) = way.split_once("\" d=\"").unwrap();
        assert_ne!(color, before, "as long as the color stays");
        before = color;
        let points: Vec<DVec2> = path(d).into_iter().map(|(_, at)| world(at)).collect();
        let shade = shades.iter().position(|known| known == color).unwrap() as f64;
        let here = |s: &&Sample| s.position.truncate().distance(points[0]) < 0.02;
        let mut there = DRIVE.samples.iter().filter(here);
        assert!(
            there.any(|s| (share(s.speed) * 48.0 - shade).abs() < 0.51),
            "{way}"
        );
        // Each piece begins where the one before ends.
        assert!(
            all.last()
                .is_none_or(|last| last.distance(points[0]) < 1e-6)
        );
        all.extend(points);
    }
    let far = size().max_element() / 900.0;
    for place in places() {
        assert!(
            all.iter().any(|at| at.distance(place) < far + 0.02),
            "{place}"
        );
    }
    for at in &all {
        assert!(places().any(|place| place.distance(*at) < 0.02), "{at}");
    }
    // Points are spared where the car hardly moves.
    let near = all
        .windows(2)
        .filter(|pair| (0.02..far - 0.02).contains(&pair[0].distance(pair[1])));
    assert!(near.count() <= 1);
    let end = all[all.len() - 1].distance(places().last().unwrap());
    assert!(end < 0.02, "{end}");
    assert!(all.len() > 100);
}

/// The window leaves a margin around the path, and shows no more of the surroundings than needed.
#[test]
fn the_window_leaves_a_margin_around_the_way() {
    let (size, at) = (size(), |place: DVec2| {
        DVec2::new(origin().x + place.x, origin().y - place.y)
    });
    let low = places().map(at).fold(DVec2::INFINITY, DVec2::min);
    let high = places().map(at).fold(DVec2::NEG_INFINITY, DVec2::max);
    let (before, after) = (low, size - high);
    assert!(
        (before - after).abs().max_element() < 0.05,
        "{before} {after}"
    );
    assert!(before.min_element() >= 3.99, "{before}");
    let extent = (high - low).max_element();
    let tight = before.min_element() - 0.5 * (0.12 * extent).max(8.0);
    assert!(
        tight.abs() < 0.05 || size.x / size.y > 2.99 || size.x / size.y < 1.71,
        "{tight}"
    );
}

/// The map shows one outline a second, more often while the car slides, with the nose ahead.
#[test]
fn outlines_of_the_car_are_as_large_as_it_and_as_it_stood() {
    let outlines = between(figure(), "<path class=\"car\" d=\"", "\"").split_terminator('Z');
    let hull = DRIVE.car.hull;
    let center = (hull.center - DRIVE.car.center_of_mass())
        .truncate()
        .as_dvec2();
    let mut last: Option<&Sample> = None;
    let mut slid = 0;
    for outline in outlines {
        let points: Vec<DVec2> = path(outline).into_iter().map(|(_, at)| world(at)).collect();
        assert_eq!(points.len(), 6);
        let [nose, tail] = [(0, 5), (2, 3)].map(|(a, b)| 0.5 * (points[a] + points[b]));
        close(nose.distance(tail), f64::from(hull.size.x), 0.03);
        close(points[2].distance(points[3]), f64::from(hull.size.y), 0.03);
        assert!(points[0].distance(points[5]) < 0.6 * f64::from(hull.size.y));
        // Its sides are straight, up to where the nose begins.
        close(points[1].distance(points[4]), f64::from(hull.size.y), 0.03);
        close(
            points[1].distance(points[2]),
            0.875 * f64::from(hull.size.x),
            0.03,
        );
        let ahead = (nose - tail).normalize();
        let middle = 0.5 * (nose + tail);
        let off = |s: &&Sample| {
            let way = DVec2::from_angle(f64::from(s.heading));
            let place = s.position.truncate() + way.rotate(center);
            place.distance(middle) + way.distance(ahead)
        };
        let after = |s: &&Sample| last.is_none_or(|last| s.time > last.time);
        let slides = |s: &Sample| s.speed > 1.0 && s.lateral_speed.abs() > 0.17 * s.speed;
        let due = last.map_or(0.0, |last| if slides(last) { 0.3 } else { 1.0 });
        let time = last.map_or(0.0, |last| last.time) + due;
        // A car that rocks on its springs is at the same position several times.
        let early = |s: &Sample| (s.time - time).abs();
        let there = DRIVE.samples.iter().filter(after).filter(|s| off(s) < 0.03);
        let sample = there.min_by(|a, b| early(a).total_cmp(&early(b)));
        let sample = sample.unwrap_or_else(|| panic!("{outline}"));
        if let Some(last) = last {
            let pause = sample.time - last.time;
            slid += usize::from(slides(last));
            // Where it hardly moves, many samples have the same outline.
            let bound = 0.02 + 0.03 / sample.speed.min(last.speed);
            assert!((pause - due).abs() < bound, "{pause} s for {due} s");
        }
        last = Some(sample);
    }
    assert!(
        slid > 1 && last.unwrap().time > 0.5 * Summary::of(&DRIVE).duration,
        "{slid}"
    );
}

#[test]
fn level_ground_has_a_grid() {
    let mut level = DRIVE.clone();
    level.terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Y).unwrap();
    let page = page(&level, &Summary::of(&level));
    assert!(page.contains("<path class=\"grid\" d=\"M"));
    assert!(page.contains("A grid line every ") && !page.contains("contour line"));
    assert!(PAGE.contains("<path class=\"contour\" d=\"M"));
}

/// Over forty times the land, a car is a dot, and one that slides is all the same worth an outline.
#[test]
fn a_car_that_is_small_on_the_map_is_drawn_where_it_slides() {
    let mut far = DRIVE.clone();
    for sample in &mut far.samples {
        sample.position *= 40.0;
    }
    let outlines = |page: &str| {
        between(page, "<path class=\"car\" d=\"", "\"")
            .matches('Z')
            .count()
    };
    let [few, all] = [outlines(&page(&far, &Summary::of(&far))), outlines(&PAGE)];
    let slides = |s: &&Sample| s.speed > 1.0 && s.lateral_speed.abs() > 0.17 * s.speed;
    let sliding = DRIVE.samples.iter().filter(slides).count() as f32 * DRIVE.dt;
    assert!(few > 0 && few < all, "{few} of {all}");
    assert!(few as f32 <= sliding / 0.3 + 3.0, "{few} in {sliding} s");
}

#[test]
fn pins_stand_where_stages_begin_and_their_numbers_beside_one_another() {
    let (figure, size) = (figure(), size());
    let place = |style: &str| {
        let (left, top) = style.split_once("%;top:").unwrap();
        DVec2::new(number(left), number(top)) * size / 100.0
    };
    let pins =
        all_between(figure, "<i class=\"pin\" style=\"left:", "\"").map(|at| world(place(at)));
    let at = |time: f32| {
        let mut samples = DRIVE.samples.iter();
        samples
            .find(|s| s.time >= time - 1e-4)
            .unwrap()
            .position
            .truncate()
    };
    let starts = DRIVE.stages.iter().skip(1).map(|start| at(start.time));
    let ends = [at(0.0), places().last().unwrap()];
    let wanted: Vec<DVec2> = ends.into_iter().chain(starts).collect();
    let pins: Vec<DVec2> = pins.collect();
    assert_eq!(pins.len(), wanted.len());
    for (pin, wanted) in pins.iter().zip(&wanted) {
        assert!(
            pin.distance(*wanted) < 2e-4 * size.x + 0.01,
            "{pin} for {wanted}"
        );
    }
    let marks: Vec<(DVec2, &str)> = all_between(figure, "<span class=\"mark", "</span>")
        .map(|mark| {
            let (style, text) = mark.split_once("px\">").unwrap();
            let offset = between(style, "--x:", "\"").split_once("px;--y:").unwrap();
            let offset = DVec2::new(number(offset.0), number(offset.1));
            assert_eq!(style.contains(" crowd"), offset.length() > 21.0, "{mark}");
            let at = between(style, "left:", "%;--x");
            // As on a page 700 px wide.
            (place(at) * (700.0 / size.x) + offset, text)
        })
        .collect();
    let texts = marks.iter().map(|(_, text)| (*text).to_owned());
    let numbers = (2..=DRIVE.stages.len()).map(|n| n.to_string());
    assert!(
        texts.eq(["start".to_owned(), "end".to_owned()]
            .into_iter()
            .chain(numbers))
    );
    for (n, (a, _)) in marks.iter().enumerate() {
        for (b, _) in &marks[..n] {
            assert!(a.distance(*b) > 27.9, "{a} {b}");
        }
    }
}

#[test]
fn the_note_tells_the_heights_that_the_ground_has() {
    let note = between(figure(), "A contour line every ", "light comes");
    let numbers: Vec<f64> = note
        .split(" m")
        .map(|part| number(part.rsplit(' ').next().unwrap()))
        .take(3)
        .collect();
    let [interval, low, high] = [numbers[0], numbers[1], numbers[2]];
    assert!(interval > 0.0 && high - low > interval, "{note}");
    let ground = |place: DVec2| DRIVE.terrain.height(place).unwrap();
    let [least, most] = [low, high];
    assert!(
        places()
            .map(ground)
            .all(|height| (least - 0.1..=most + 0.1).contains(&height))
    );
    let corner = world(DVec2::ZERO);
    let grid = (0..=100)
        .flat_map(|i| (0..=100).map(move |j| DVec2::new(f64::from(i), -f64::from(j)) / 100.0));
    let heights: Vec<f64> = grid.map(|share| ground(corner + share * size())).collect();
    close(
        heights.iter().copied().fold(f64::INFINITY, f64::min),
        low,
        0.1,
    );
    close(
        heights.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        high,
        0.1,
    );
}
