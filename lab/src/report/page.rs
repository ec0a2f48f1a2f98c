//! The whole page.

use core::fmt::Write as _;

use super::curve::path;
use super::energy::energy;
use super::map::Map;
use super::sheet::shell;
use super::strip::{Strip, Timeline};
use super::strips::{smooth, strips, timeline};
use super::svg::{coordinate, escape};
use proving_ground::drive::{Drive, End};
use proving_ground::sample::Sample;
use proving_ground::summary::{Figure, Summary};

const CURSOR: &str = include_str!("cursor.js");
/// Number of moments that the cursor can show.
const MOMENTS: usize = 500;

/// The report of a drive: one self-contained HTML file.
#[must_use]
pub fn page(drive: &Drive, summary: &Summary) -> String {
    let timeline = timeline(drive);
    let strips = strips(drive);
    let map = Map::new(drive);
    let title = format!(
        "{}: {} on {}",
        summary.vehicle, summary.maneuver, summary.ground
    );
    let mut main = header(drive, summary);
    main.push_str(&cards(summary));
    main.push_str(&map.html());
    main.push_str("<div class=\"pair\">\n");
    main.push_str(&stages(drive, &timeline));
    main.push_str(&grip(drive));
    main.push_str("</div>\n");
    main.push_str(&energy(drive));
    main.push_str("<h2>Over time</h2>\n");
    main.push_str(&all_strips(&strips, &timeline));
    main.push_str(
        "<footer>Values of every step are in telemetry.csv, the numbers above in summary.json. \
         World axes: x ahead, y left, z up.</footer>\n",
    );
    let cursor = format!(
        "<script type=\"application/json\" id=\"moments\">{}</script>\n\
         <script>\n{CURSOR}</script>\n",
        moments(drive, &strips, &map),
    );
    shell(&title, &main, &cursor)
}

fn header(drive: &Drive, summary: &Summary) -> String {
    let query = match summary.query_every {
        1 => String::new(),
        n => format!("<li>ground <b>every {n} steps</b></li>"),
    };
    let mut html = format!(
        "<header>\n<p class=\"brand\">jounce drive</p>\n<h1>{}</h1>\n<p class=\"what\">{}</p>\n\
         <ul class=\"facts\"><li>maneuver <b>{}</b></li><li>ground <b>{}</b></li>\
         <li>world <b>{}</b></li><li>dt <b>1/{} s</b></li>{query}</ul>\n<p class=\"what\">{}</p>\n",
        escape(&summary.vehicle),
        escape(&drive.car.description),
        escape(&summary.maneuver),
        escape(&summary.ground),
        escape(&summary.world),
        coordinate(f64::from(1.0 / summary.dt)),
        escape(&drive.maneuver.description),
    );
    let mut warn = |text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(html, "<p class=\"warning\">{}</p>", escape(text));
    };
    if summary.end != End::Finished {
        warn(&format!("Ended: {}.", summary.end));
    }
    if summary.rolled_over {
        warn("The car rolled over.");
    }
    if let Some(refusal) = &summary.refusal {
        warn(&format!(
            "{} update(s) refused, the first {refusal}",
            summary.refused
        ));
    }
    html + "</header>\n"
}

fn cards(summary: &Summary) -> String {
    let cards = summary.rows().into_iter().map(|row: Figure| {
        format!(
            "<div class=\"card\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n",
            escape(row.label),
            escape(&row.value),
            escape(&row.note),
        )
    });
    format!("<dl class=\"cards\">\n{}</dl>\n", cards.collect::<String>())
}

/// A table of the stages.
fn stages(drive: &Drive, timeline: &Timeline) -> String {
    let mut html = String::from(
        "<section class=\"stages\">\n<h2>Stages</h2>\n<table>\n<thead><tr><th></th><th>stage</th>\
         <th>from</th><th>for</th><th>distance</th><th>speed at the end</th></tr></thead>\n<tbody>\n",
    );
    for (n, (name, start)) in timeline.stages.iter().enumerate() {
        let stage = drive.stages[n].stage;
        let within = |s: &&Sample| s.stage == stage && s.time > 0.0;
        let way: f32 = drive
            .samples
            .iter()
            .filter(within)
            .map(|s| s.speed * drive.dt)
            .sum();
        let last = drive.samples.iter().rfind(within);
        let (until, speed) = last.map_or((*start, 0.0), |s| (s.time, s.speed));
        let _ = writeln!(
            html,
            "<tr><td><i class=\"no\">{}</i></td><td>{}</td><td>{start:.1} s</td><td>{:.1} s</td>\
             <td>{way:.0} m</td><td>{:.0} km/h</td></tr>",
            n + 1,
            escape(name),
            until - start,
            speed * 3.6,
        );
    }
    html + "</tbody>\n</table>\n</section>\n"
}

/// Longitudinal against lateral acceleration, in g.
fn grip(drive: &Drive) -> String {
    const END: f64 = 1.3;
    let g = |values: Vec<f32>| {
        smooth(&values, drive.dt)
            .into_iter()
            .map(|a| f64::from(a) / 9.81)
    };
    let ahead = g(drive.samples.iter().map(|s| s.acceleration.x).collect());
    let left = g(drive.samples.iter().map(|s| s.acceleration.y).collect());
    let near = |(left, ahead): (f64, f64)| {
        (
            -100.0 * left.clamp(-END, END),
            -100.0 * ahead.clamp(-END, END),
        )
    };
    let every = (drive.samples.len() / super::curve::MOST).max(1);
    let points = left.zip(ahead).map(near).step_by(every);
    format!(
        "<section class=\"grip\">\n<h2>Use of grip</h2>\n<div class=\"gg\"><svg viewBox=\"-130 \
         -130 260 260\" role=\"img\" aria-label=\"acceleration ahead against to the side\">\
         <circle class=\"grid\" r=\"50\"/><circle class=\"grid\" r=\"100\"/>\
         <path class=\"zero\" d=\"M-130 0H130M0 -130V130\"/><path class=\"line c0\" d=\"{}\"/></svg>\
         <span style=\"left:50%;top:2%\">ahead</span><span style=\"left:50%;top:98%\">braking</span>\
         <span class=\"side\" style=\"left:2%;top:50%\">left</span>\
         <span class=\"side end\" style=\"left:98%;top:50%\">right</span>\
         <span style=\"left:80%;top:16%\">1 g</span><span style=\"left:66%;top:32%\">0.5 g</span>\
         </div>\n<p class=\"how\">Acceleration of the car over the drive, averaged over 0.2 s. The \
         tires' grip bounds it to a circle; a brave driver draws the whole rim.</p>\n</section>\n",
        path(points)
    )
}

fn all_strips(strips: &[Strip], timeline: &Timeline) -> String {
    let mut html = format!("<div class=\"strips\">\n{}\n", timeline.ribbon());
    let mut first = 0;
    for strip in strips {
        html.push_str(&strip.html(timeline, first));
        first += strip.series.len();
    }
    html + "</div>\n"
}

/// Values at some moments, for the cursor: time, position on the map, and every series.
fn moments(drive: &Drive, strips: &[Strip], map: &Map<'_>) -> String {
    let count = drive.samples.len();
    let moments = MOMENTS.min(count);
    let chosen: Vec<usize> = (0..moments)
        .map(|n| n * (count - 1) / (moments - 1).max(1))
        .collect();
    let list = |values: &mut dyn Iterator<Item = f64>| {
        let text: Vec<String> = values
            .map(|v| {
                if v.is_finite() {
                    coordinate(v)
                } else {
                    "null".to_owned()
                }
            })
            .collect();
        format!("[{}]", text.join(","))
    };
    let of = |value: &dyn Fn(&Sample) -> f64| {
        list(&mut chosen.iter().map(|&n| value(&drive.samples[n])))
    };
    let series: Vec<String> = strips
        .iter()
        .flat_map(|strip| &strip.series)
        .map(|series| list(&mut chosen.iter().map(|&n| f64::from(series.values[n]))))
        .collect();
    format!(
        "{{\"t\":{},\"x\":{},\"y\":{},\"s\":[{}]}}",
        of(&|s| f64::from(s.time)),
        of(&|s| map.percent(s.position.truncate()).x),
        of(&|s| map.percent(s.position.truncate()).y),
        series.join(",\n"),
    )
}
