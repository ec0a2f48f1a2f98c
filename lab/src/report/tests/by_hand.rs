//! Maps of drives of a few samples that are made by hand.

use glam::{DVec3, Vec3};
use proving_ground::driver::StageStart;
use proving_ground::ground::{MeshUp, Terrain};

use super::super::map::Map;
use super::super::svg::viridis;
use super::*;

/// A drive through these positions (m) at such speeds (m/s), a second from one to the next, on level ground.
fn drive(places: &[(f64, f64)], speeds: &[f32]) -> Drive {
    let samples = places.iter().zip(speeds).enumerate();
    let samples = samples.map(|(n, (&(x, y), &speed))| Sample {
        time: n as f32,
        position: DVec3::new(x, y, 0.5),
        speed,
        forward_speed: speed,
        ..Sample::default()
    });
    Drive {
        samples: samples.collect(),
        stages: vec![StageStart {
            stage: 0,
            time: 0.0,
        }],
        terrain: Terrain::new(&GroundSpec::Flat, MeshUp::Y).unwrap(),
        dt: 1.0,
        ..DRIVE.clone()
    }
}

/// Pieces of the path: their colors, and how many points they have.
fn ways(html: &str) -> Vec<(&str, usize)> {
    let ways = all_between(html, "<path class=\"way\" stroke=\"", "\"/>");
    ways.map(|way| {
        let (color, d) = way.split_once("\" d=\"").unwrap();
        (color, path(d).len())
    })
    .collect()
}

/// The axis of speeds goes to 40 km/h, of which each of 48 shades has its share.
#[test]
fn each_piece_of_a_way_has_the_shade_of_its_speed() {
    let places: Vec<(f64, f64)> = (0..6).map(|n| (20.0 * f64::from(n), 0.0)).collect();
    let kmh = [0.0, 0.0, 20.0, 20.0, 20.0, 39.9];
    let drive = drive(&places, &kmh.map(|speed| speed / 3.6));
    let html = Map::new(&drive).html();
    let [slow, middle, fast] = [0.0, 0.5, 1.0].map(viridis);
    // The last sample, which always counts, has a piece of its own.
    let wanted = [(slow.as_str(), 3), (middle.as_str(), 4), (fast.as_str(), 1)];
    assert_eq!(ways(&html), wanted);
    let legend = between(&html, "bar-ticks\">", "</div>");
    assert!(
        legend.contains("left:50%\">20<") && legend.ends_with("left:100%\">40</span>"),
        "{legend}"
    );
    let stops = between(&html, "linear-gradient(90deg,", ")");
    let wanted: Vec<String> = (0..=10).map(|n| viridis(f64::from(n) / 10.0)).collect();
    assert_eq!(stops, wanted.join(","));
}

/// Numbers of a shade are rounded: 1 km/h of 40 is one of 48 shades.
#[test]
fn a_shade_is_one_of_forty_eight() {
    let places: Vec<(f64, f64)> = (0..5).map(|n| (20.0 * f64::from(n), 0.0)).collect();
    let kmh = [1.0, 1.2, 1.3, 39.0, 39.9];
    let drive = drive(&places, &kmh.map(|speed| speed / 3.6));
    let html = Map::new(&drive).html();
    let wanted = [1.0, 2.0, 47.0, 48.0].map(|shade| viridis(shade / 48.0));
    let found: Vec<&str> = ways(&html).into_iter().map(|(color, _)| color).collect();
    assert_eq!(found, wanted);
}

/// Width of the map, over 900, is what a car must have gone to be worth a point; the last one always is.
#[test]
fn points_are_spared_where_a_car_hardly_moves() {
    // 0.12 of 100 m beyond it, on both sides together.
    let far = 112.0 / 900.0;
    let places = [
        0.0,
        0.9 * far,
        1.1 * far,
        50.0,
        50.0 - 0.9 * far,
        100.0,
        100.0 + 0.1 * far,
    ];
    let places = places.map(|x| (x - 0.1 * far, 0.0));
    let drive = drive(&places, &[5.0; 7]);
    let html = Map::new(&drive).html();
    let casing = path(between(&html, "class=\"casing\" d=\"", "\""));
    let xs: Vec<f64> = casing.iter().map(|(_, at)| at.x - casing[0].1.x).collect();
    let wanted = [0.0, 1.1 * far, 50.0, 100.0, 100.0 + 0.1 * far];
    assert_eq!(xs.len(), wanted.len(), "{xs:?}");
    for (x, wanted) in xs.iter().zip(wanted) {
        close(*x, wanted, 0.011);
    }
}

fn outlines(drive: &Drive) -> Vec<DVec2> {
    let html = Map::new(drive).html();
    let d = between(&html, "<path class=\"car\" d=\"", "\"").to_owned();
    let outlines = d.split_terminator('Z').map(|outline| {
        let points = path(outline);
        points.iter().map(|(_, at)| *at).sum::<DVec2>() / points.len() as f64
    });
    outlines.collect()
}

/// Samples an eighth of a second apart, along a map so wide (m).
fn eighths(wide: f64, lateral: f32) -> Drive {
    let places: Vec<(f64, f64)> = (0..=20)
        .map(|n| (f64::from(n) * wide / 20.0 / 1.12, 0.0))
        .collect();
    let mut drive = drive(&places, &[10.0; 21]);
    for (n, sample) in drive.samples.iter_mut().enumerate() {
        sample.time = n as f32 / 8.0;
        sample.lateral_speed = lateral;
    }
    drive
}

/// A car of 1.82 m is drawn once a second on 182 m and less; one that slides each time 0.3 s have passed, on any map.
#[test]
fn cars_are_drawn_where_they_can_be_seen_or_slide() {
    assert_eq!(DRIVE.car.hull.size.y, 1.82);
    for (wide, lateral, count) in [
        (180.0, 0.0, 3),
        (184.0, 0.0, 0),
        (184.0, 1.6, 0),
        (184.0, -1.6, 0),
        (184.0, 1.8, 7),
        (184.0, -1.8, 7),
        (100.0, 1.6, 3),
        (100.0, 1.8, 7),
    ] {
        let found = outlines(&eighths(wide, lateral)).len();
        assert_eq!(found, count, "{wide} m, {lateral} m/s");
    }
    // What rolls at 1 m/s or less does not slide, however it points.
    let mut slow = eighths(184.0, 0.9);
    slow.samples.iter_mut().for_each(|s| s.speed = 1.0);
    assert_eq!(outlines(&slow).len(), 0);
    // Exactly so much of the speed, in numbers that have no rest, is no slide yet.
    let mut edge = eighths(184.0, 0.17 * 8.0);
    edge.samples.iter_mut().for_each(|s| s.speed = 8.0);
    assert_eq!(outlines(&edge).len(), 0);
}

/// Text, position (%), offset (px) and whether others crowd it, of each marker.
fn marks(html: &str) -> Vec<(String, DVec2, DVec2, bool)> {
    let marks = all_between(html, "<span class=\"mark", "</span>");
    marks
        .map(|mark| {
            let (style, text) = mark.split_once("px\">").unwrap();
            let pair = |before: &str, middle: &str| {
                let (x, y) = style
                    .split_once(before)
                    .unwrap()
                    .1
                    .split_once(middle)
                    .unwrap();
                DVec2::new(number(x), number(y))
            };
            let (at, offset) = (pair("left:", "%;top:"), pair("--x:", "px;--y:"));
            (text.to_owned(), at, offset, style.contains(" crowd"))
        })
        .collect()
}

/// Markers on a page 700 px wide stand above their points, unless another one is less than 28 px away.
#[test]
fn a_marker_stands_above_its_point_where_there_is_room() {
    // The map is 112 × 37.3 m: a pixel is 0.16 m.
    let pixel = 112.0 / 700.0;
    for (apart, beside) in [(27.0, true), (29.0, false)] {
        for way in [DVec2::X, DVec2::Y] {
            let mut drive = drive(&[(0.0, 0.0), (0.0, 0.0), (100.0, 0.0)], &[5.0; 3]);
            let far = apart * pixel * way;
            drive.samples[1].position += far.extend(0.0);
            drive.stages.push(StageStart {
                stage: 1,
                time: 1.0,
            });
            let html = Map::new(&drive).html();
            let marks = marks(&html);
            let texts: Vec<&str> = marks.iter().map(|(text, ..)| text.as_str()).collect();
            assert_eq!(texts, ["start", "end", "2"]);
            for (_, _, offset, crowd) in &marks[..2] {
                assert_eq!((*offset, *crowd), (DVec2::new(0.0, -20.0), false));
            }
            let [start, stage] = [&marks[0], &marks[2]];
            let size = DVec2::new(700.0, 700.0 / 3.0);
            let between = (stage.1 - start.1) / 100.0 * size;
            close(between.length(), apart, 0.2);
            assert_eq!(
                stage.2 == DVec2::new(0.0, -20.0),
                !beside,
                "{apart} {way}: {}",
                stage.2
            );
            let clear = (between + stage.2 - start.2).length();
            assert!(clear > 27.9, "{clear}");
        }
    }
}

/// Eight positions around a point, then eight further out, which a line joins with it.
#[test]
fn markers_at_one_point_stand_in_rings_around_it() {
    let mut drive = drive(&[(0.0, 0.0), (100.0, 0.0)], &[5.0; 2]);
    let stages = 9;
    drive.stages.extend((0..stages).map(|n| StageStart {
        stage: 1,
        time: 0.0 + n as f32 * 1e-5,
    }));
    let html = Map::new(&drive).html();
    let marks = marks(&html);
    let here = marks.iter().filter(|(text, ..)| text != "end");
    let here: Vec<_> = here.collect();
    assert_eq!(here.len(), 10);
    for (n, (text, at, offset, crowd)) in here.iter().enumerate() {
        assert!(at.distance(here[0].1) < 1e-9);
        let far = offset.length();
        assert!(
            [20.0, 40.0, 60.0]
                .iter()
                .any(|ring| (far - ring).abs() < 0.02),
            "{text}: {far}"
        );
        assert_eq!(*crowd, far > 21.0, "{text}");
        for (_, _, other, _) in &here[..n] {
            assert!(other.distance(*offset) > 27.9, "{text}");
        }
    }
    // Two steps of an eighth of a turn on, the second one is to the right of the first.
    assert_eq!(here[0].2, DVec2::new(0.0, -20.0));
    assert_eq!(here[1].2, DVec2::new(20.0, 0.0));
}

/// Shape and margin of the part of the world that is shown.
#[test]
fn a_map_is_a_little_larger_than_the_way() {
    for (end, size) in [
        ((100.0, 0.0), DVec2::new(112.0, 112.0 / 3.0)),
        ((0.0, 100.0), DVec2::new(1.7 * 112.0, 112.0)),
        ((100.0, 50.0), DVec2::new(112.0, 62.0)),
        ((20.0, 10.0), DVec2::new(1.7 * 18.0, 18.0)),
    ] {
        let drive = drive(&[(0.0, 0.0), end], &[5.0; 2]);
        let html = Map::new(&drive).html();
        let shape = between(&html, "aspect-ratio:", "\"")
            .split_once('/')
            .unwrap();
        let found = DVec2::new(number(shape.0), number(shape.1));
        assert!(found.distance(size) < 0.011, "{end:?}: {found} for {size}");
        let first = path(between(&html, "class=\"casing\" d=\"", "\""))[0].1;
        let (x, y) = end;
        let middle = DVec2::new(0.5 * size.x - 0.5 * x, 0.5 * size.y + 0.5 * y);
        assert!(first.distance(middle) < 0.011, "{first} for {middle}");
    }
}

/// Level ground has a grid, at least when it is drawn; its note tells the step.
#[test]
fn a_grid_goes_across_the_whole_map() {
    let html = Map::new(&drive(&[(0.0, 0.0), (100.0, 50.0)], &[5.0; 2])).html();
    assert!(html.contains("A grid line every 10 m."), "{html}");
    let d = between(&html, "<path class=\"grid\" d=\"M", "\"");
    let lines: Vec<&str> = d.split('M').collect();
    // Multiples of 10 m within −6…106 m and −6…56 m.
    let (down, across): (Vec<&str>, Vec<&str>) =
        lines.iter().partition(|line| line.ends_with("V62"));
    assert_eq!((down.len(), across.len()), (11, 6));
    assert!(
        across
            .iter()
            .all(|line| line.starts_with("0 ") && line.ends_with("H112"))
    );
    assert_eq!(number(down[0]), 6.0);
}

/// A car that goes backwards, through neutral, has a gear axis with room for R; wheels are known after the
/// first step, slips from 1 m/s on.
#[test]
fn strips_of_a_drive_in_reverse_have_its_gears() {
    let mut drive = drive(&[(0.0, 0.0), (-1.0, 0.0), (-4.0, 0.0)], &[0.0, 1.0, 3.0]);
    for (sample, gear) in drive.samples.iter_mut().zip([1, 0, -1]) {
        sample.gear = gear;
        sample.wheels = DRIVE.samples[0].wheels.clone();
        for wheel in &mut sample.wheels {
            (wheel.in_air, wheel.slip_ratio, wheel.load) = (false, 0.1, 3000.0);
            wheel.forward_speed = sample.speed;
        }
        sample.acceleration = Vec3::X;
    }
    let page = page(&drive, &Summary::of(&drive));
    let right = between(&page, "<div class=\"ys right\">", "</div>");
    for (share, text) in [(88.46, "R"), (50.0, "N"), (11.54, "1")] {
        let label = format!("<span style=\"top:{share}%\">{text}</span>");
        assert!(right.contains(&label), "{label}: {right}");
    }
    let moments = between(&page, "id=\"moments\">", "</script>");
    let moments: serde_json::Value = serde_json::from_str(moments).unwrap();
    assert_eq!(moments["t"], serde_json::json!([0, 1, 2]));
    let series = moments["s"].as_array().unwrap();
    // Speed, engine, gear, four of the driver, two accelerations; then the wheels.
    assert_eq!(series[2], serde_json::json!([1, 0, -1]));
    assert_eq!(series[9], serde_json::json!([null, 3, 3]));
    assert_eq!(series[13], serde_json::json!([null, null, 0.1]));
    // Wheels are told apart, those behind by thinner lines.
    let loads = page.split("Wheel load").nth(1).unwrap();
    let legend = between(loads, "<ul class=\"legend\">", "</ul>");
    for class in ["c0", "c1", "c2 thin", "c3 thin"] {
        assert!(
            legend.contains(&format!("<li class=\"{class}\">")),
            "{class}: {legend}"
        );
    }
    let table = between(&page, "<section class=\"stages\">", "</table>");
    assert!(
        table.contains("<td>0.0 s</td><td>2.0 s</td><td>4 m</td><td>11 km/h</td>"),
        "{table}"
    );
}

/// A drive that has one sample is a page, too.
#[test]
fn a_drive_that_ended_at_once_is_a_page_without_nan() {
    let drive = drive(&[(3.0, 4.0)], &[0.0]);
    let page = page(&drive, &Summary::of(&drive));
    assert!(!page.contains("NaN") && !page.contains("inf%"));
    let moments = between(&page, "id=\"moments\">", "</script>");
    let moments: serde_json::Value = serde_json::from_str(moments).unwrap();
    assert_eq!(moments["t"], serde_json::json!([0]));
}
