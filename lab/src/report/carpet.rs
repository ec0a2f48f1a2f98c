//! A carpet plot: families of curves over anything but time, each labeled with its name.

use core::fmt::Write as _;

use glam::DVec2;

use super::curve::{ChartCurve, legend, path};
use super::svg::{ChartAxis, bottom_labels, coordinate, escape, label, side_labels};

/// Extent of the drawing in its own units, in both directions; the page stretches it. The readout
/// uses it, too.
const SIZE: f64 = 1000.0;
/// Minimum distance of two labels at the right edge (`px`).
const LABEL_HEIGHT: f64 = 14.0;
/// Minimum distance of two labels within the drawing, across and down, over its extent.
const LABEL_SIZE: [f64; 2] = [0.08, 0.035];
/// Most ticks of an axis.
const TICKS: usize = 8;
/// Extension of an axis beyond the maximum value, relative to its length.
const ROOM: f64 = 0.04;
/// The script that shows the values under the pointer.
const READOUT: &str = include_str!("readout.js");

/// The quantity of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisQuantity {
    /// Name, as the axis is titled.
    pub name: &'static str,
    /// Symbol of the quantity; without spaces.
    pub symbol: &'static str,
    /// Unit of the quantity; without spaces.
    pub unit: &'static str,
}

/// Position of a line's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Right of the drawing, next to the last point.
    End,
    /// Above the maximum value of the line's second half.
    Peak,
    /// At the middle point of the line.
    Middle,
}

/// One curve of a family.
#[derive(Clone, Debug)]
pub struct FamilyCurve {
    /// Name in the legend; empty for none.
    pub legend: String,
    /// Name in the readout.
    pub name: String,
    /// Label and its position; may be empty.
    pub label: (Place, String),
    /// Index of the page's color, 0…11.
    pub color: usize,
    /// Prominence, from 0, faint, to 1.
    pub strength: f64,
    /// Points, and whether they are known or extrapolated: extrapolated parts are dashed.
    pub points: Vec<(DVec2, bool)>,
}

/// Families of curves with common axes.
#[derive(Clone, Debug)]
pub struct Carpet {
    /// Title.
    pub title: String,
    /// Explanation.
    pub how: String,
    /// Horizontal quantity, and the ends of its axis.
    pub x: (AxisQuantity, [f64; 2]),
    /// Vertical quantity; its axis contains all values.
    pub y: AxisQuantity,
    /// Whether both axes have the same scale, with zero in the middle.
    pub square: bool,
    /// The curves.
    pub lines: Vec<FamilyCurve>,
    /// Height on the page (`px`), unless it is square.
    pub height: u32,
}

impl FamilyCurve {
    /// The known part and the extrapolated part.
    fn curves(&self) -> [ChartCurve; 2] {
        let known = |wanted: &[bool]| {
            let each = self.points.iter().zip(wanted);
            each.map(|((at, _), wanted)| if *wanted { *at } else { DVec2::NAN })
                .collect()
        };
        let solid: Vec<bool> = self.points.iter().map(|(_, known)| *known).collect();
        // A dashed part starts where the solid one ends.
        let beside = |n: usize| {
            let near = n.saturating_sub(1)..=(n + 1).min(solid.len() - 1);
            solid[near].iter().any(|known| !known)
        };
        let dashed: Vec<bool> = (0..solid.len()).map(beside).collect();
        let curve = |name: &str, wanted: &[bool]| ChartCurve {
            width: 1.3 + 0.9 * self.strength,
            ..ChartCurve::new(name, self.color, known(wanted))
        };
        [
            curve(&self.legend, &solid),
            ChartCurve {
                dashed: true,
                ..curve("", &dashed)
            },
        ]
    }

    /// Position of the label, in the axes' units.
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
        let named: Vec<ChartCurve> = named.collect();
        let of_axis = |axis: &ChartAxis, quantity: &AxisQuantity| {
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

    fn axes(&self) -> (ChartAxis, ChartAxis) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        if self.square {
            let sides = points().flat_map(|(at, _)| [at.x, at.y, -at.x, -at.y]);
            let axis = axis_around(sides);
            return (axis, axis);
        }
        let [low, high] = self.x.1;
        let y = points().map(|(at, _)| at.y);
        (ChartAxis::between(low, high, TICKS), axis_around(y))
    }

    fn drawing(&self, x: &ChartAxis, y: &ChartAxis) -> String {
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

    /// The lines' labels: those at the right edge without overlap, the others at their positions.
    fn labels(&self, x: &ChartAxis, y: &ChartAxis) -> String {
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
            // Of two overlapping labels, the second appears only in the readout.
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

fn tag(class: &str, left: f64, top: f64, line: &FamilyCurve) -> String {
    format!(
        "<span class=\"{class} c{}\" style=\"left:{}%;top:{}%\">{}</span>",
        line.color,
        coordinate(100.0 * left),
        coordinate(100.0 * top),
        escape(&line.label.1)
    )
}

/// Ascending label positions moved apart to `gap` and kept below 1, as far as possible.
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

/// Shows values under the pointer, in all carpets of a page; its last section.
#[must_use]
pub fn readout() -> String {
    format!("<script>\n{READOUT}</script>\n")
}

/// An axis that contains zero and all finite values, with some margin.
fn axis_around(values: impl Iterator<Item = f64>) -> ChartAxis {
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
    ChartAxis::between(low, high, TICKS)
}

/// A human-readable number with about three significant digits.
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
mod tests;
