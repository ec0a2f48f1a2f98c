//! A carpet: families of curves over anything but time, each curve with its name beside it.

use core::fmt::Write as _;

use glam::DVec2;

use super::curve::{Curve, legend, path};
use super::svg::{Axis, bottom_labels, coordinate, escape, label, side_labels};

/// Extent of the drawing in its own units, both ways; the page stretches it. The readout knows it.
const SIZE: f64 = 1000.0;
/// Least distance of two labels at the right edge (`px`).
const LABEL_HEIGHT: f64 = 14.0;
/// Least distance of two labels within the drawing, across and down, over its extent.
const LABEL_SIZE: [f64; 2] = [0.08, 0.035];
/// Most ticks of an axis.
const TICKS: usize = 8;
/// What an axis has beyond the greatest value, over its length.
const ROOM: f64 = 0.04;
/// What tells the values under the pointer.
const READOUT: &str = include_str!("readout.js");

/// What an axis measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// In words.
    pub name: &'static str,
    /// In formulas; no space in it.
    pub symbol: &'static str,
    /// Its unit; no space in it.
    pub unit: &'static str,
}

/// Where a line's label stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Right of the drawing, beside the last point.
    End,
    /// Above the greatest value of the line's second half.
    Peak,
    /// At the point in the middle.
    Middle,
}

/// One curve of a family.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend calls it; without a name it is not in there.
    pub legend: String,
    /// What the readout calls it.
    pub name: String,
    /// What stands beside it, and where; may be empty.
    pub label: (Place, String),
    /// Which of the page's colours, 0…5.
    pub colour: usize,
    /// How much it stands out, from 0, faint, to 1.
    pub strength: f64,
    /// What it goes through, and whether that is known rather than extrapolated: if not, it is dashed.
    pub points: Vec<(DVec2, bool)>,
}

/// Families of curves with common axes.
#[derive(Clone, Debug)]
pub struct Carpet {
    /// What is drawn.
    pub title: String,
    /// How to read it.
    pub how: String,
    /// What is to the right, and the ends of its axis.
    pub x: (Quantity, [f64; 2]),
    /// What is upward; its axis holds all values.
    pub y: Quantity,
    /// Whether both axes have one scale, with zero in the middle.
    pub square: bool,
    /// The curves.
    pub lines: Vec<Line>,
    /// Height on the page (`px`), unless it is square.
    pub height: u32,
}

impl Line {
    /// The part that is known, and the part that is not.
    fn curves(&self) -> [Curve; 2] {
        let known = |wanted: &[bool]| {
            let each = self.points.iter().zip(wanted);
            each.map(|((at, _), wanted)| if *wanted { *at } else { DVec2::NAN })
                .collect()
        };
        let solid: Vec<bool> = self.points.iter().map(|(_, known)| *known).collect();
        // A dashed part begins where the solid one ends.
        let beside = |n: usize| {
            let near = n.saturating_sub(1)..=(n + 1).min(solid.len() - 1);
            solid[near].iter().any(|known| !known)
        };
        let dashed: Vec<bool> = (0..solid.len()).map(beside).collect();
        let curve = |name: &str, wanted: &[bool]| Curve {
            width: 1.3 + 0.9 * self.strength,
            ..Curve::new(name, self.colour, known(wanted))
        };
        [
            curve(&self.legend, &solid),
            Curve {
                dashed: true,
                ..curve("", &dashed)
            },
        ]
    }

    /// Where the label stands, in the axes' units.
    fn place(&self) -> Option<DVec2> {
        let points = || self.points.iter().map(|(at, _)| *at);
        let half = self.points.len() / 2;
        match self.label.0 {
            Place::End => points().next_back(),
            Place::Middle => points().nth(half),
            Place::Peak => points().skip(half).max_by(|a, b| a.y.total_cmp(&b.y)),
        }
    }
}

impl Carpet {
    /// The carpet as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let (x, y) = self.axes();
        let named = self.lines.iter().map(|line| {
            let [solid, _] = line.curves();
            solid
        });
        let named: Vec<Curve> = named.collect();
        let of_axis = |axis: &Axis, quantity: &Quantity| {
            let (low, high) = (axis.low, axis.high);
            escape(&format!(
                "{low} {high} {} {}",
                quantity.symbol, quantity.unit
            ))
        };
        format!(
            "<section class=\"strip chart carpet{}\">\n<h3>{} <span class=\"unit\">{} [{}]</span></h3>\n{}\
             <div class=\"plot\" style=\"--h:{}px\">{}<div class=\"area\" data-x=\"{}\" data-y=\"{}\">{}{}</div>{}\
             <p class=\"across\">{} {} [{}]</p></div>\n<p class=\"how\">{}</p>\n</section>\n",
            if self.square { " square" } else { "" },
            escape(&self.title),
            escape(self.y.symbol),
            escape(self.y.unit),
            legend(&named),
            self.height,
            side_labels("ys", y.labels()),
            of_axis(&x, &self.x.0),
            of_axis(&y, &self.y),
            self.drawing(&x, &y),
            self.labels(&x, &y),
            bottom_labels(&x, ""),
            escape(self.x.0.name),
            escape(self.x.0.symbol),
            escape(self.x.0.unit),
            escape(&self.how),
        )
    }

    fn axes(&self) -> (Axis, Axis) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        if self.square {
            let sides = points().flat_map(|(at, _)| [at.x, at.y, -at.x, -at.y]);
            let axis = axis_around(sides);
            return (axis, axis);
        }
        let [low, high] = self.x.1;
        let y = points().map(|(at, _)| at.y);
        (Axis::between(low, high, TICKS), axis_around(y))
    }

    fn drawing(&self, x: &Axis, y: &Axis) -> String {
        let across = |value: f64| coordinate(SIZE * x.share(value));
        let down = |value: f64| coordinate(SIZE * (1.0 - y.share(value)));
        let class = |tick: f64| if tick == 0.0 { "zero" } else { "grid" };
        let mut svg = format!(
            "<svg viewBox=\"0 0 {SIZE} {SIZE}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{} over {}\">",
            escape(&self.title),
            escape(self.x.0.name)
        );
        for tick in x.ticks() {
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<path class=\"{}\" d=\"M{} 0V{SIZE}\"/>",
                class(tick),
                across(tick)
            );
        }
        for tick in y.ticks() {
            let _ = write!(
                svg,
                "<path class=\"{}\" d=\"M0 {}H{SIZE}\"/>",
                class(tick),
                down(tick)
            );
        }
        for line in &self.lines {
            let parts = line.curves().map(|curve| {
                let points = curve.points.iter();
                let points = points.map(|p| (SIZE * x.share(p.x), SIZE * (1.0 - y.share(p.y))));
                let d = path(points);
                if d.is_empty() { d } else { curve.svg(&d) }
            });
            let (name, opacity) = (escape(&line.name), coordinate(0.4 + 0.6 * line.strength));
            let parts = parts.concat();
            let _ = write!(
                svg,
                "<g data-name=\"{name}\" opacity=\"{opacity}\">{parts}</g>"
            );
        }
        svg + "</svg>"
    }

    /// The lines' names: those at the right edge without overlap, the others where they belong.
    fn labels(&self, x: &Axis, y: &Axis) -> String {
        let (mut edge, mut inside) = (Vec::new(), Vec::<[f64; 2]>::new());
        let mut html = String::new();
        for line in &self.lines {
            let (Some(at), (place, text)) = (line.place(), &line.label) else {
                continue;
            };
            let (left, top) = (x.share(at.x), 1.0 - y.share(at.y));
            if text.is_empty() || !(left.is_finite() && top.is_finite()) {
                continue;
            }
            if *place == Place::End {
                edge.push((top, line));
                continue;
            }
            // Where two would cover one another, the readout tells the second.
            let [wide, tall] = LABEL_SIZE;
            let covers = |at: &[f64; 2]| (at[0] - left).abs() < wide && (at[1] - top).abs() < tall;
            if !inside.iter().any(covers) {
                inside.push([left, top]);
                let class = if *place == Place::Peak {
                    "tag above"
                } else {
                    "tag within"
                };
                html.push_str(&tag(class, left, top, line));
            }
        }
        edge.sort_by(|a, b| a.0.total_cmp(&b.0));
        let tops = spread(
            edge.iter().map(|(top, _)| *top).collect(),
            LABEL_HEIGHT / f64::from(self.height),
        );
        let edge = edge.iter().zip(tops);
        html.extend(edge.map(|((_, line), top)| tag("tag", 1.0, top, line)));
        html
    }
}

fn tag(class: &str, left: f64, top: f64, line: &Line) -> String {
    format!(
        "<span class=\"{class} c{}\" style=\"left:{}%;top:{}%\">{}</span>",
        line.colour,
        coordinate(100.0 * left),
        coordinate(100.0 * top),
        escape(&line.label.1)
    )
}

/// Ascending places of labels moved apart to `gap` and kept above 1, as far as they fit.
fn spread(mut places: Vec<f64>, gap: f64) -> Vec<f64> {
    let mut least = f64::NEG_INFINITY;
    for place in &mut places {
        *place = place.max(least);
        least = *place + gap;
    }
    let mut most = 1.0 - 0.5 * gap;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    places
}

/// Tells values under the pointer, in all carpets of a page; the last section of it.
#[must_use]
pub fn readout() -> String {
    format!("<script>\n{READOUT}</script>\n")
}

/// An axis that holds zero and all finite values, with some room beyond.
fn axis_around(values: impl Iterator<Item = f64>) -> Axis {
    let ends = values
        .filter(|value| value.is_finite())
        .fold([0.0_f64; 2], |[low, high], value| {
            [low.min(value), high.max(value)]
        });
    let room = ROOM * (ends[1] - ends[0]);
    let [low, high] = match ends {
        [0.0, 0.0] => [-1.0, 1.0],
        [low, 0.0] => [low - room, 0.0],
        [0.0, high] => [0.0, high + room],
        [low, high] => [low - room, high + room],
    };
    Axis::between(low, high, TICKS)
}

/// A number with about three figures, as people read it.
#[must_use]
pub fn figures(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let power = value.abs().log10().floor();
    label(value, 10.0_f64.powf((power - 2.0).min(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const ANGLE: Quantity = Quantity {
        name: "slip angle",
        symbol: "α",
        unit: "°",
    };
    const FORCE: Quantity = Quantity {
        name: "lateral force",
        symbol: "Fy",
        unit: "kN",
    };

    fn carpet(points: Vec<(DVec2, bool)>, place: Place) -> Carpet {
        let line = Line {
            legend: "soft & wide".to_owned(),
            name: "soft, 4 kN".to_owned(),
            label: (place, "4 kN".to_owned()),
            colour: 2,
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
    #[case(Place::Peak, "left:75%;top:3.7%")]
    #[case(Place::Middle, "left:50%;top:50%")]
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
            carpet.lines.push(Line {
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
}
