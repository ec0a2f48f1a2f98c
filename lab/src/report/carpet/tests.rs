//! Positions and looks of a carpet's curves and labels.

use super::*;
use crate::report::svg::round_step;
use rstest::rstest;

const ANGLE: AxisQuantity = AxisQuantity {
    name: "slip angle",
    symbol: "α",
    unit: "°",
};
const FORCE: AxisQuantity = AxisQuantity {
    name: "lateral force",
    symbol: "Fy",
    unit: "kN",
};

fn carpet(points: Vec<(DVec2, bool)>, place: Place) -> Carpet {
    let line = FamilyCurve {
        legend: "soft & wide".to_owned(),
        name: "soft, 4 kN".to_owned(),
        label: (place, "4 kN".to_owned()),
        color: 2,
        strength: 1.0,
        points,
    };
    Carpet {
        title: "Lateral force".to_owned(),
        how: "less < more".to_owned(),
        x: (ANGLE, [-10.0, 10.0]),
        y: FORCE,
        square: false,
        lines: vec![line],
        height: 280,
    }
}

#[test]
fn what_is_extrapolated_is_dashed_from_where_the_rest_ends() {
    let points = [(-10.0, 4.0, true), (0.0, 0.0, true), (10.0, -4.0, false)];
    let points = points.map(|(x, y, known)| (DVec2::new(x, y), known));
    let html = carpet(points.to_vec(), Place::End).html();
    for part in [
        "data-x=\"-10 10 α °\" data-y=\"-4.32 4.32 Fy kN\"",
        "class=\"line c2\" style=\"stroke-width:2.2px\" d=\"M0 37.04L500 500\"",
        "class=\"line c2 dashed\" style=\"stroke-width:2.2px\" d=\"M500 500L1000 962.96\"",
        "<span class=\"tag c2\" style=\"left:100%;top:96.3%\">4 kN</span>",
        "class=\"zero\" d=\"M500 0V1000\"",
        "class=\"grid\" d=\"M750 0V1000\"",
        "class=\"zero\" d=\"M0 500H1000\"",
        "<p class=\"across\">slip angle α [°]</p>",
        "soft &amp; wide",
        "less &lt; more",
        "data-name=\"soft, 4 kN\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[rstest]
#[case(Place::Peak, "tag above c2\" style=\"left:75%;top:3.7%")]
#[case(Place::Middle, "tag within c2\" style=\"left:50%;top:50%")]
fn labels_stand_where_they_are_told(#[case] place: Place, #[case] style: &str) {
    let points = [(-5.0, -9.0), (0.0, 0.0), (5.0, 10.0), (10.0, 2.0)];
    let points = points.map(|(x, y)| (DVec2::new(x, y), true)).to_vec();
    let mut carpet = carpet(points, place);
    carpet.lines[0]
        .points
        .insert(0, (DVec2::new(-10.0, -10.0), true));
    let html = carpet.html();
    assert!(html.contains(style), "{style}: {html}");
}

/// The first that comes keeps its place; those that are far enough, one way or the other, too.
#[test]
fn labels_that_would_cover_one_another_are_left_to_the_readout() {
    let mut carpet = carpet(Vec::new(), Place::Middle);
    let line = carpet.lines[0].clone();
    let places = [
        (0.0, 0.0),
        (1.0, 0.1),
        (-1.0, -0.1),
        (0.0, 6.0),
        (5.0, 0.0),
        (0.5, -6.0),
    ];
    carpet.lines.clear();
    for (n, (x, y)) in places.into_iter().enumerate() {
        carpet.lines.push(FamilyCurve {
            label: (Place::Middle, format!("line {n}")),
            points: vec![(DVec2::new(x, y), true)],
            ..line.clone()
        });
    }
    let html = carpet.html();
    for (n, shown) in [true, false, false, true, true, true]
        .into_iter()
        .enumerate()
    {
        assert_eq!(html.contains(&format!(">line {n}<")), shown, "{n}: {html}");
    }
}

#[test]
fn a_square_has_one_scale_around_zero_and_no_nan() {
    let points = [(DVec2::new(3.0, -1.0), true), (DVec2::NAN, true)];
    let square = Carpet {
        square: true,
        ..carpet(points.to_vec(), Place::End)
    };
    let html = square.html();
    assert!(
        html.contains("data-x=\"-3.24 3.24 α °\" data-y=\"-3.24 3.24 Fy kN\""),
        "{html}"
    );
    assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
}

#[test]
fn labels_are_moved_apart_and_stay_on_the_page() {
    let apart = spread(vec![0.25, 0.3125, 1.0, 1.0], 0.125);
    assert_eq!(apart, [0.25, 0.375, 0.8125, 0.9375]);
    assert_eq!(spread(vec![], 0.1), [0.0; 0]);
}

#[rstest]
#[case(1234.5, "1234")]
#[case(-12.345, "−12.3")]
#[case(0.012_34, "0.0123")]
#[case(0.0, "0")]
#[case(f64::NAN, "–")]
fn figures_are_three(#[case] value: f64, #[case] text: &str) {
    assert_eq!(figures(value), text);
}

/// The more a line stands out, the broader and the less transparent it is; 0 is faint, not gone.
#[rstest]
#[case(0.0, "1.3", "0.4")]
#[case(0.5, "1.75", "0.7")]
#[case(1.0, "2.2", "1")]
fn strong_lines_stand_out(#[case] strength: f64, #[case] width: &str, #[case] opacity: &str) {
    let points = [(-5.0, -9.0), (5.0, 10.0)].map(|(x, y)| (DVec2::new(x, y), true));
    let mut carpet = carpet(points.to_vec(), Place::End);
    carpet.lines[0].strength = strength;
    let html = carpet.html();
    for part in [
        format!("style=\"stroke-width:{width}px\""),
        format!("style=\"--w:{width}px\""),
        format!("data-name=\"soft, 4 kN\" opacity=\"{opacity}\""),
    ] {
        assert!(html.contains(&part), "{part}: {html}");
    }
}

/// A line that has no words, or ends nowhere, has no label; the legend has those with a name.
#[test]
fn nothing_is_written_beside_a_line_without_words_or_place() {
    let end = DVec2::new(5.0, 1.0);
    for (text, at, labels) in [
        ("4 kN", end, 1),
        ("", end, 0),
        ("4 kN", DVec2::new(f64::NAN, 1.0), 0),
        ("4 kN", DVec2::new(5.0, f64::NAN), 0),
    ] {
        let mut carpet = carpet(vec![(end, true), (at, true)], Place::End);
        carpet.lines[0].label.1 = text.to_owned();
        let html = carpet.html();
        assert_eq!(html.matches("<span class=\"tag").count(), labels, "{html}");
        assert_eq!(html.matches("<li ").count(), 1);
        carpet.lines[0].legend.clear();
        assert_eq!(carpet.html().matches("<li ").count(), 0);
    }
    let mut nowhere = carpet(Vec::new(), Place::End);
    nowhere.lines[0].points.clear();
    assert!(!nowhere.html().contains("<span class=\"tag"));
}

/// Two labels at the least distance do not cover one another.
#[test]
fn labels_stand_side_by_side_at_the_least_distance() {
    let mut carpet = carpet(Vec::new(), Place::Middle);
    let line = carpet.lines[0].clone();
    carpet.lines = [0.0, LABEL_SIZE[0]]
        .map(|x| FamilyCurve {
            points: vec![(DVec2::new(x, 0.5), true)],
            ..line.clone()
        })
        .to_vec();
    let unit = ChartAxis::between(0.0, 1.0, TICKS);
    let labels = |carpet: &Carpet| carpet.labels(&unit, &unit).matches("<span").count();
    assert_eq!(labels(&carpet), 2);
    carpet.lines[1].points[0].0.x -= 1e-6;
    assert_eq!(labels(&carpet), 1);
}

/// Values on one side of zero have an axis that ends there, those on both a margin on both.
#[rstest]
#[case(&[2.0, 10.0], 0.0, 10.4)]
#[case(&[-2.0, -10.0], -10.4, 0.0)]
#[case(&[-5.0, 20.0], -6.0, 21.0)]
#[case(&[], -1.0, 1.0)]
#[case(&[f64::NAN, f64::INFINITY, 5.0], 0.0, 5.2)]
fn an_axis_has_a_margin_where_values_are(
    #[case] values: &[f64],
    #[case] low: f64,
    #[case] high: f64,
) {
    let axis = axis_around(values.iter().copied());
    assert!(
        (axis.low - low).abs() + (axis.high - high).abs() < 1e-9,
        "{axis:?}"
    );
    assert_eq!(axis.step, round_step(axis.high - axis.low, TICKS));
}

/// Whichever of its values is the greatest, on whichever side.
#[test]
fn a_square_holds_its_farthest_point_on_all_sides() {
    for far in [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y] {
        let points = vec![(5.0 * far, true), (DVec2::splat(0.5), true)];
        let square = Carpet {
            square: true,
            ..carpet(points, Place::End)
        };
        let (x, y) = square.axes();
        assert_eq!(x, y);
        assert!((x.low + 5.4).abs() + (x.high - 5.4).abs() < 1e-9, "{x:?}");
        assert!(
            square
                .html()
                .contains("class=\"strip chart carpet square\"")
        );
    }
}

#[test]
fn a_page_of_carpets_ends_with_what_reads_them() {
    let script = readout();
    assert!(script.starts_with("<script>\n") && script.ends_with("</script>\n"));
    assert!(
        script.contains("data-name") || script.contains("dataset.name"),
        "{script}"
    );
}
