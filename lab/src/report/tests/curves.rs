//! Curves over time say what the table of samples says.

use std::collections::BTreeMap;

use super::*;

/// Columns of the table of samples, by their heads.
fn table() -> BTreeMap<String, Vec<f64>> {
    let mut text = Vec::new();
    let names = crate::csv::CsvNames::of(&DRIVE);
    crate::csv::write_csv(&mut text, &DRIVE.samples, &names).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |n: usize| {
        let cells = rows.iter().map(|row| row[n].parse().unwrap_or(f64::NAN));
        (head[n].to_owned(), cells.collect())
    };
    (0..head.len()).map(column).collect()
}

/// Sections of strips by their titles.
fn sections() -> Vec<(&'static str, &'static str)> {
    let sections = all_between(&PAGE, "<section class=\"strip\">", "</section>");
    sections
        .map(|section| (between(section, "<h3>", " <span"), section))
        .collect()
}

/// Value at a share of a plot (`%`), by the outermost labels along a side of it.
fn scale(section: &str, class: &str, side: &str) -> impl Fn(f64) -> f64 + use<> {
    let labels = between(section, &format!("<div class=\"{class}\">"), "</div>");
    let side = format!("{side}:");
    let ends = all_between(labels, &side, "</span>").map(|label| {
        let (share, text) = label.split_once("%\">").unwrap();
        let value = match text {
            "R" => -1.0,
            "N" => 0.0,
            _ => number(text),
        };
        (number(share), value)
    });
    let ends: Vec<(f64, f64)> = ends.collect();
    let [(from, low), (to, high)] = [ends[0], ends[ends.len() - 1]];
    move |share| low + (share - from) / (to - from) * (high - low)
}

/// Sources of a strip's numbers: heads of columns, and the factors on their values.
fn sources(title: &str) -> Vec<(String, f64)> {
    let each = |head: &str, factor: f64| {
        let wheels = DRIVE.wheel_names().into_iter();
        wheels
            .map(|wheel| (format!("{wheel}: {head}"), factor))
            .collect()
    };
    let own = |heads: &[(&str, f64)]| {
        let heads = heads.iter();
        heads
            .map(|(head, factor)| ((*head).to_owned(), *factor))
            .collect()
    };
    match title {
        "Speed" => own(&[("speed [m/s]", 3.6)]),
        "Engine speed and gear" => own(&[("engine [rpm]", 1e-3), ("gear", 1.0)]),
        "Pedals and steering" => own(&[
            ("throttle [1]", 1.0),
            ("brake [1]", 1.0),
            ("handbrake [1]", 1.0),
            ("steering right [1]", 1.0),
        ]),
        "Acceleration" => own(&[
            ("acceleration ahead [m/s2]", 1.0),
            ("acceleration left [m/s2]", 1.0),
        ]),
        "Forces of the air" => own(&[
            ("air force ahead [N]", 1e-3),
            ("air force left [N]", 1e-3),
            ("air force up [N]", 1e-3),
        ]),
        "Height" => own(&[("z [m]", 1.0)]),
        "Wheel load" => each("load [N]", 1e-3),
        "Slip ratio" => each("slip ratio [1]", 1.0),
        "Slip angle" => each("slip angle [deg]", 1.0),
        "Jounce" => each("jounce [m]", 1e3),
        "Longitudinal tire force" => each("longitudinal force [N]", 1e-3),
        "Lateral tire force" => each("lateral force [N]", 1e-3),
        _ => panic!("{title}"),
    }
}

/// Expected value of a strip at a sample: none before the first step, and no slip of a slow wheel.
fn wanted(title: &str, source: usize, column: &[f64], n: usize) -> Option<f64> {
    let sample = &DRIVE.samples[n];
    let slip = title.starts_with("Slip");
    let of_wheel = slip || title == "Jounce" || title.contains("load") || title.contains("force");
    if of_wheel && n == 0 {
        return None;
    }
    if slip {
        let wheel = &sample.wheels[source];
        return (!wheel.in_air && wheel.forward_speed.abs() > 1.0).then_some(column[n]);
    }
    Some(match (title, source) {
        ("Acceleration", 0) => averaged(n, |s| s.acceleration.x),
        ("Acceleration", _) => averaged(n, |s| s.acceleration.y),
        _ => column[n],
    })
}

#[test]
fn curves_are_drawn_where_the_samples_are() {
    let (table, end) = (table(), f64::from(DRIVE.samples.last().unwrap().time));
    let sections = sections();
    assert_eq!(sections.len(), 12);
    for (title, section) in sections {
        let time = scale(section, "xs", "left");
        let drawn = all_between(section, "<path class=\"line c", "\"/>");
        let drawn: Vec<&str> = drawn.collect();
        let sources = sources(title);
        assert_eq!(drawn.len(), sources.len(), "{title}");
        for (source, (curve, (head, factor))) in drawn.into_iter().zip(sources).enumerate() {
            let class = if head == "gear" { "ys right" } else { "ys" };
            let value = scale(section, class, "top");
            let bound = 3e-4 * (value(0.0) - value(100.0)).abs() + 1e-4 * factor.max(1.0);
            let bound = if head.ends_with("[N]") {
                bound + 1e-4
            } else {
                bound
            };
            let known: Vec<Option<f64>> = (0..DRIVE.samples.len())
                .map(|n| wanted(title, source, &table[&head], n).map(|v| v * factor))
                .collect();
            let points = path(curve.split("d=\"").nth(1).unwrap());
            for (_, point) in &points {
                assert!((0.0..=100.0).contains(&point.y), "{title}: {point}");
                let n = (time(point.x / 10.0) / f64::from(DRIVE.dt)).round() as usize;
                let known = known[n].unwrap_or_else(|| panic!("{title}: nothing at {n}"));
                assert!(
                    (value(point.y) - known).abs() < bound,
                    "{title}, {head}, {n}: {} for {known}",
                    value(point.y)
                );
            }
            let count = known.iter().flatten().count();
            assert!(
                points.len() == count || count > super::super::curve::MOST,
                "{title}: {count}"
            );
            let lifted = points.iter().filter(|(letter, _)| *letter == 'M').count();
            let begun = (0..known.len())
                .filter(|&n| known[n].is_some() && (n == 0 || known[n - 1].is_none()));
            assert_eq!(lifted, begun.count(), "{title}");
            close(
                time(points[points.len() - 1].1.x / 10.0),
                end,
                if title.starts_with("Slip") { end } else { 0.01 },
            );
        }
    }
}

/// The numbers behind the cursor: in time, on the map, and of every curve in the order of the legends.
#[test]
fn the_cursor_knows_the_samples() {
    let text = between(&PAGE, "id=\"moments\">", "</script>");
    let moments: serde_json::Value = serde_json::from_str(text).unwrap();
    let list = |value: &serde_json::Value| -> Vec<Option<f64>> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(serde_json::Value::as_f64)
            .collect()
    };
    let times: Vec<f64> = list(&moments["t"]).into_iter().flatten().collect();
    let samples: Vec<usize> = times
        .iter()
        .map(|t| (t / f64::from(DRIVE.dt)).round() as usize)
        .collect();
    assert_eq!(times.len(), DRIVE.samples.len().min(500));
    assert_eq!(
        (samples[0], samples[samples.len() - 1]),
        (0, DRIVE.samples.len() - 1)
    );
    let steps = samples.windows(2).map(|pair| pair[1] - pair[0]);
    let (least, most) = (steps.clone().min().unwrap(), steps.max().unwrap());
    assert!(least > 0 && most <= least + 1);

    let table = table();
    let titles = sections().into_iter().map(|(title, _)| title);
    let sources = titles.flat_map(|title| {
        let sources = sources(title).into_iter().enumerate();
        sources.map(move |(n, (head, factor))| (title, n, head, factor))
    });
    for (place, (title, source, head, factor)) in sources.enumerate() {
        let values = list(&moments["s"][place]);
        assert_eq!(values.len(), samples.len());
        for (value, &n) in values.iter().zip(&samples) {
            let known = wanted(title, source, &table[&head], n).map(|v| v * factor);
            match (value, known) {
                (Some(value), Some(known)) => close(*value, known, 0.0051 + 1e-4 * factor),
                _ => assert_eq!(*value, known, "{title}"),
            }
        }
    }
    let numbers = all_between(&PAGE, "data-s=\"", "\"").map(number);
    assert!(numbers.eq((0..moments["s"].as_array().unwrap().len()).map(|n| n as f64)));

    let shape = size();
    let [x, y] = ["x", "y"].map(|axis| list(&moments[axis]));
    for (n, &sample) in samples.iter().enumerate() {
        let way = DRIVE.samples[sample].position - DRIVE.samples[0].position;
        close(
            (x[n].unwrap() - x[0].unwrap()) * shape.x / 100.0,
            way.x,
            2e-4 * shape.x,
        );
        close(
            (y[0].unwrap() - y[n].unwrap()) * shape.y / 100.0,
            way.y,
            2e-4 * shape.x,
        );
    }
}

/// Stages lie side by side over the time of the drive.
#[test]
fn the_ribbon_has_each_stage_over_its_time() {
    let end = f64::from(DRIVE.samples.last().unwrap().time);
    let ribbon = between(&PAGE, "<div class=\"ribbon\"", "</div>");
    let spans: Vec<(f64, f64)> = all_between(ribbon, "style=\"left:", "\"")
        .map(|style| {
            let (left, width) = style.split_once("%;width:").unwrap();
            (number(left), number(width))
        })
        .collect();
    assert_eq!(spans.len(), DRIVE.stages.len());
    let mut next = 0.0;
    for (start, (left, width)) in DRIVE.stages.iter().zip(&spans) {
        close(*left, f64::from(start.time) / end * 100.0, 0.01);
        close(*left, next, 0.02);
        next = left + width;
    }
    close(next, 100.0, 0.02);
    for (_, section) in sections() {
        let lines = all_between(section, "<path class=\"stage\" d=\"M", " 0V100\"").map(number);
        for (line, (left, _)) in lines.zip(&spans[1..]) {
            close(line, 10.0 * left, 0.11);
        }
        let marks: Vec<&str> = all_between(section, "<i class=\"no ", "</i>").collect();
        assert_eq!(marks.len(), spans.len());
        for (n, (mark, (left, width))) in marks.into_iter().zip(&spans).enumerate() {
            let room = if *width < 1.8 {
                "tight"
            } else if *width < 5.0 {
                "snug"
            } else {
                "wide"
            };
            assert!(
                mark.starts_with(room) && mark.ends_with(&format!(">{}", n + 1)),
                "{mark}"
            );
            close(number(between(mark, "left:", "%")), *left, 0.01);
        }
    }
}
