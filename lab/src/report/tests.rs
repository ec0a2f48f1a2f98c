//! Pages, read back and compared with the samples of the drive.

mod by_hand;
mod curves;
mod map;

use std::sync::LazyLock;

use glam::DVec2;
use proving_ground::drive::{self, Drive, DrivePlan, End};
use proving_ground::ground::GroundSpec;
use proving_ground::sample::Sample;

use super::page;
use proving_ground::summary::Summary;

/// A sedan that is thrown round by its handbrake, on hills.
static DRIVE: LazyLock<Drive> = LazyLock::new(|| {
    let plan = DrivePlan {
        maneuver: Some("handbrake-turn".to_owned()),
        ground: Some(GroundSpec::Hills(3)),
        ..DrivePlan::of("sedan")
    };
    drive::run(&plan, |_, _| ()).unwrap()
});

/// Page of the drive.
static PAGE: LazyLock<String> = LazyLock::new(|| page(&DRIVE, &Summary::of(&DRIVE)));

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    all_between(text, before, after).next().expect(before)
}

fn all_between<'a>(text: &'a str, before: &str, after: &str) -> impl Iterator<Item = &'a str> {
    let parts = text.split(before).skip(1);
    parts.map(move |part| part.split(after).next().unwrap_or(part))
}

/// A number as a page writes it, whatever unit follows.
fn number(text: &str) -> f64 {
    let text = text.replace('\u{2212}', "-");
    let end = text.find(|c: char| !"-.0123456789".contains(c));
    let digits = &text[..end.unwrap_or(text.len())];
    digits
        .parse()
        .unwrap_or_else(|_| panic!("no number: {text:.40}"))
}

/// Points of a path, each with the letter before it.
fn path(d: &str) -> Vec<(char, DVec2)> {
    let starts: Vec<usize> = d.match_indices(['M', 'L']).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([d.len()]);
    let point = |(start, end): (usize, usize)| {
        let (x, y) = d[start + 1..end].split_once(' ').unwrap();
        let letter = d[start..].chars().next().unwrap();
        (letter, DVec2::new(number(x), number(y)))
    };
    starts.iter().copied().zip(ends).map(point).collect()
}

/// Width and height of the map (`m`).
fn size() -> DVec2 {
    let mut sides = between(&PAGE, "style=\"aspect-ratio:", "\"")
        .split('/')
        .map(number);
    DVec2::new(sides.next().unwrap(), sides.next().unwrap())
}

fn close(found: f64, wanted: f64, bound: f64) {
    assert!((found - wanted).abs() <= bound, "{found} for {wanted}");
}

/// Mean over a fifth of a second around a sample.
fn averaged(n: usize, value: impl Fn(&Sample) -> f32) -> f64 {
    let samples = &DRIVE.samples;
    let part = &samples[n.saturating_sub(6)..samples.len().min(n + 7)];
    f64::from(part.iter().map(value).sum::<f32>()) / part.len() as f64
}

/// Rows of stages follow one after another, each from the end of the one before; together they are the drive.
#[test]
fn stages_add_up_to_the_drive() {
    let table = between(&PAGE, "<section class=\"stages\">", "</table>");
    let rows = all_between(table, "<tr><td>", "</tr>");
    let rows: Vec<Vec<&str>> = rows
        .map(|row| all_between(row, "<td>", "</td>").collect())
        .collect();
    assert_eq!(rows.len(), DRIVE.stages.len());
    let (mut end, mut way) = (0.0, 0.0);
    for (n, row) in rows.iter().enumerate() {
        let stage = &DRIVE.maneuver.stages[DRIVE.stages[n].stage];
        assert_eq!(row[0], stage.name);
        let [from, long, far, speed] = [1, 2, 3, 4].map(|k| number(row[k]));
        close(from, end, 0.15);
        (end, way) = (from + long, way + far);
        let at = DRIVE
            .samples
            .iter()
            .rfind(|s| f64::from(s.time) <= end + 0.05);
        // Speeds within the tenth of a second that times are rounded to.
        close(speed, f64::from(at.unwrap().speed) * 3.6, 6.0);
    }
    let summary = Summary::of(&DRIVE);
    close(end, f64::from(summary.duration), 0.15);
    close(way, f64::from(summary.distance), 0.5 * rows.len() as f64);
    let last = number(rows[rows.len() - 1][4]);
    close(
        last,
        f64::from(DRIVE.samples.last().unwrap().speed) * 3.6,
        0.5,
    );
}

/// Energies of the picture are those of the samples; what flows in flows out, within 0.1 %.
#[test]
fn energies_of_the_picture_sum_up() {
    let picture = between(&PAGE, "<div class=\"sankey\">", "</div>");
    let sum = |class: &str| -> (f64, f64) {
        let opening = format!("<span class=\"{class}\"");
        let labels = all_between(picture, &opening, "</span>");
        let values = labels.map(|label| {
            let share = label.split("kJ</b> ").nth(1).unwrap();
            (number(between(label, "<b>", "</b>")), number(share))
        });
        values.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))
    };
    let ([given, whole], [taken, parts]) =
        (<[f64; 2]>::from(sum("in")), <[f64; 2]>::from(sum("out")));
    close(taken, given, 1e-3 * given + 1.0);
    close(whole, 100.0, 0.3);
    close(parts, 100.0, 0.6);
    let braked: f64 = DRIVE.samples.iter().map(|s| s.energy.brakes).sum();
    let label = between(picture, "brakes <b>", " kJ");
    close(number(label), braked / 1e3, 0.6);
}

/// The drawing of the grip has 100 units per g; forward is up and left is to the left.
#[test]
fn the_use_of_grip_is_the_averaged_acceleration() {
    let svg = between(&PAGE, "<div class=\"gg\">", "</svg>");
    let points = path(between(svg, "class=\"line c0\" d=\"", "\""));
    let every = (DRIVE.samples.len() / super::curve::MOST).max(1);
    let wanted: Vec<DVec2> = (0..DRIVE.samples.len())
        .step_by(every)
        .map(|n| {
            let side = averaged(n, |s| s.acceleration.y);
            let ahead = averaged(n, |s| s.acceleration.x);
            let g = DVec2::new(-side, -ahead) / 9.81;
            100.0 * g.clamp(DVec2::splat(-1.3), DVec2::splat(1.3))
        })
        .collect();
    // Points that are alike are drawn once.
    let mut next = wanted.iter();
    for (_, point) in &points {
        assert!(next.any(|w| w.distance(*point) < 0.02), "{point}");
    }
    assert!(points.len() * 10 > wanted.len() * 3, "{}", points.len());
}

#[test]
fn only_what_went_wrong_is_warned_of() {
    let sound = Summary::of(&DRIVE);
    let warnings = |summary: &Summary| {
        let page = page(&DRIVE, summary);
        let found = all_between(&page, "<p class=\"warning\">", "</p>");
        found.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(warnings(&sound), [""; 0]);
    let wrong = Summary {
        end: End::LeftTheGround,
        rolled_over: true,
        refused: 3,
        refusal: Some("at 2 s".to_owned()),
        ..sound.clone()
    };
    assert_eq!(
        warnings(&wrong),
        [
            "Ended: the car fell off the ground.",
            "The car rolled over.",
            "3 update(s) refused, the first at 2 s",
        ]
    );
    let table = wrong.table(&DRIVE);
    for part in [
        "\nthe car rolled over\n",
        "\nended: the car fell off the ground\n",
        "\nfirst refusal: at 2 s\n",
    ] {
        assert!(
            table.contains(part) && !sound.table(&DRIVE).contains(part),
            "{table}"
        );
    }
    assert!(PAGE.contains("<b>1/60 s</b>") && !PAGE.contains("every 1 steps"));
    let rarely = Summary {
        query_every: 3,
        ..sound
    };
    assert!(page(&DRIVE, &rarely).contains("<b>every 3 steps</b>"));
}
