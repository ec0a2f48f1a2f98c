//! Reduction of curves to few points, and their SVG paths.

use core::fmt::Write as _;

use glam::DVec2;

use super::svg::{coordinate, escape};

/// Maximum number of points of a curve.
pub(super) const MOST: usize = 1400;

/// Indices of the samples that keep a curve's look: of each run of samples the minimum and the maximum, and the first
/// gap. Values that are not finite are gaps.
pub(super) fn decimate(values: &[f32]) -> Vec<usize> {
    if values.len() <= MOST {
        return (0..values.len()).collect();
    }
    let runs = MOST / 2;
    let mut kept = Vec::with_capacity(MOST);
    for run in 0..runs {
        let range = run * values.len() / runs..(run + 1) * values.len() / runs;
        let Some(gap) = range.clone().find(|&n| !values[n].is_finite()) else {
            let low = range
                .clone()
                .min_by(|&a, &b| values[a].total_cmp(&values[b]));
            let high = range.max_by(|&a, &b| values[a].total_cmp(&values[b]));
            let mut pair: Vec<usize> = low.into_iter().chain(high).collect();
            pair.sort_unstable();
            pair.dedup();
            kept.extend(pair);
            continue;
        };
        kept.push(gap);
    }
    kept
}

/// The `d` of an SVG path through points; it breaks at those that are not finite.
pub(super) fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut d = String::new();
    let mut pen = false;
    let mut last = (String::new(), String::new());
    for (x, y) in points {
        if !(x.is_finite() && y.is_finite()) {
            pen = false;
            continue;
        }
        let point = (coordinate(x), coordinate(y));
        if pen && point == last {
            continue;
        }
        let letter = if pen { 'L' } else { 'M' };
        // Writing to a string cannot fail.
        let _ = write!(d, "{letter}{} {}", point.0, point.1);
        pen = true;
        last = point;
    }
    d
}

/// A curve of a chart or of a plan.
#[derive(Clone, Debug)]
pub struct ChartCurve {
    /// Name in the legend; empty for none.
    pub name: String,
    /// Index of the page's color, 0…5.
    pub color: usize,
    /// Width of the line (`px`).
    pub width: f64,
    /// Whether the curve is dashed.
    pub dashed: bool,
    /// Points; the line breaks at those that are not finite.
    pub points: Vec<DVec2>,
}

impl ChartCurve {
    /// A curve with the default line.
    pub fn new(name: impl Into<String>, color: usize, points: Vec<DVec2>) -> Self {
        Self {
            name: name.into(),
            color,
            width: 1.9,
            dashed: false,
            points,
        }
    }

    fn class(&self) -> String {
        let dashed = if self.dashed { " dashed" } else { "" };
        format!("c{}{dashed}", self.color)
    }

    /// The curve as SVG; `d` is its path on the page.
    pub(super) fn svg(&self, d: &str) -> String {
        let (class, width) = (self.class(), coordinate(self.width));
        format!("<path class=\"line {class}\" style=\"stroke-width:{width}px\" d=\"{d}\"/>")
    }
}

/// The legend of curves.
pub(super) fn legend(curves: &[ChartCurve]) -> String {
    let named = curves.iter().filter(|curve| !curve.name.is_empty());
    let items = named.map(|curve| {
        let (class, width) = (curve.class(), coordinate(curve.width));
        let name = escape(&curve.name);
        format!("<li class=\"{class}\" style=\"--w:{width}px\">{name}</li>")
    });
    format!("<ul class=\"legend\">{}</ul>\n", items.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_survive() {
        let mut values = vec![0.0_f32; 10_000];
        values[4321] = 9.0;
        values[8765] = -9.0;
        let kept = decimate(&values);
        assert!(kept.len() <= MOST && kept.is_sorted());
        assert!(kept.contains(&4321) && kept.contains(&8765));
    }

    #[test]
    fn gaps_break_the_path() {
        let points = [
            (0.0, 0.0),
            (1.0, 1.0),
            (2.0, f64::NAN),
            (3.0, 1.0),
            (3.0, 1.0),
        ];
        assert_eq!(path(points.into_iter()), "M0 0L1 1M3 1");
        let mut values = vec![1.0_f32; 10_000];
        values[5000] = f32::NAN;
        assert!(decimate(&values).contains(&5000));
    }

    #[test]
    fn a_legend_has_the_looks_of_the_curves_that_have_a_name() {
        let solid = ChartCurve::new("a & b", 2, Vec::new());
        let dashed = ChartCurve {
            width: 0.5,
            dashed: true,
            ..ChartCurve::new("c", 4, Vec::new())
        };
        let unnamed = ChartCurve::new("", 1, Vec::new());
        assert_eq!(
            legend(&[solid.clone(), unnamed, dashed.clone()]),
            "<ul class=\"legend\"><li class=\"c2\" style=\"--w:1.9px\">a &amp; b</li>\
             <li class=\"c4 dashed\" style=\"--w:0.5px\">c</li></ul>\n"
        );
        assert_eq!(
            [solid.svg("M0 0"), dashed.svg("M1 1")],
            [
                "<path class=\"line c2\" style=\"stroke-width:1.9px\" d=\"M0 0\"/>",
                "<path class=\"line c4 dashed\" style=\"stroke-width:0.5px\" d=\"M1 1\"/>",
            ]
        );
    }
}
