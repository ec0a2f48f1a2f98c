//! One strip: curves over the time of the drive.

use core::fmt::Write as _;

use super::curve::{decimate, path};
use super::svg::{ChartAxis, coordinate, escape, side_labels, time_labels};

/// Width and height of a strip's drawing in its own units; the page stretches it.
const SIZE: (f64, f64) = (1000.0, 100.0);

/// One curve.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// Name in the legend.
    pub(super) name: String,
    /// Index of the page's color, 0…7.
    pub(super) color: usize,
    /// One value per sample; values that are not finite are gaps.
    pub(super) values: Vec<f32>,
    /// Whether the curve uses the right axis.
    pub(super) right: bool,
    /// Whether the curve is drawn as a thinner line.
    pub(super) thin: bool,
}

impl Series {
    pub(super) fn new(name: impl Into<String>, color: usize, values: Vec<f32>) -> Self {
        Self {
            name: name.into(),
            color,
            values,
            right: false,
            thin: false,
        }
    }
}

/// Ticks of a right axis: value and text.
#[derive(Clone, Debug)]
pub(super) struct RightAxis {
    pub(super) axis: ChartAxis,
    pub(super) ticks: Vec<(f64, String)>,
    pub(super) unit: &'static str,
}

/// Curves over time with a common axis.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    pub(super) how: &'static str,
    pub(super) series: Vec<Series>,
    /// Minimum length of the axis.
    pub(super) least: f64,
    pub(super) right: Option<RightAxis>,
    /// Height on the page (`px`).
    pub(super) height: u32,
}

/// Common data of all strips.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    /// Time of each sample (`s`).
    pub(super) times: Vec<f32>,
    /// Ends at the end of the drive.
    pub(super) axis: ChartAxis,
    /// Name and start (`s`) of each stage reached.
    pub(super) stages: Vec<(String, f32)>,
}

impl Timeline {
    /// Left edge and width of a stage, as fractions of the strip's width.
    pub(super) fn stage(&self, n: usize) -> (f64, f64) {
        let end = self
            .stages
            .get(n + 1)
            .map_or(self.axis.high, |s| f64::from(s.1));
        let left = self.axis.share(f64::from(self.stages[n].1));
        (left, self.axis.share(end) - left)
    }

    /// The stages' names side by side.
    pub(super) fn ribbon(&self) -> String {
        let mut html = String::from("<div class=\"ribbon\" aria-hidden=\"true\">");
        for (n, (name, _)) in self.stages.iter().enumerate() {
            let (left, width) = self.stage(n);
            // Writing to a string cannot fail.
            let _ = write!(
                html,
                "<span class=\"{}\" style=\"left:{}%;width:{}%\"><b>{}</b> <i>{}</i></span>",
                room(width),
                coordinate(left * 100.0),
                coordinate(width * 100.0),
                n + 1,
                escape(name),
            );
        }
        html + "</div>"
    }
}

impl Strip {
    /// The strip's axis.
    fn axis(&self) -> ChartAxis {
        let left = self.series.iter().filter(|series| !series.right);
        let values = left.flat_map(|series| series.values.iter().copied().map(f64::from));
        ChartAxis::around(values, self.least, 6)
    }

    /// The strip as HTML; `first` is the index of its first series on the page.
    pub(super) fn html(&self, timeline: &Timeline, first: usize) -> String {
        let axis = self.axis();
        format!(
            "<section class=\"strip\">\n<h3>{} <span class=\"unit\">{}</span></h3>\n{}\
             <div class=\"plot\" style=\"--h:{}px\">{}<div class=\"area\">{}{}\
             <div class=\"cursor\"></div></div>{}{}</div>\n<p class=\"how\">{}</p>\n</section>\n",
            escape(self.title),
            escape(self.unit),
            self.legend(first),
            self.height,
            side_labels("ys", axis.labels()),
            self.drawing(timeline, &axis),
            stage_numbers(timeline),
            self.right_labels(),
            time_labels(&timeline.axis),
            escape(self.how),
        )
    }

    fn legend(&self, first: usize) -> String {
        let items = self.series.iter().enumerate().map(|(n, series)| {
            let unit = match (&self.right, series.right) {
                (Some(right), true) => format!(" <small>{}</small>", escape(right.unit)),
                _ => String::new(),
            };
            format!(
                "<li class=\"c{}{}\">{}{unit} <b data-s=\"{}\"></b></li>",
                series.color,
                if series.thin { " thin" } else { "" },
                escape(&series.name),
                first + n,
            )
        });
        format!("<ul class=\"legend\">{}</ul>\n", items.collect::<String>())
    }

    fn drawing(&self, timeline: &Timeline, axis: &ChartAxis) -> String {
        let (width, height) = SIZE;
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{} over time\">",
            escape(self.title)
        );
        let x = |time: f64| width * timeline.axis.share(time);
        let y = |axis: &ChartAxis, value: f64| height * (1.0 - axis.share(value));
        for tick in axis.ticks() {
            let class = if tick == 0.0 { "zero" } else { "grid" };
            let at = coordinate(y(axis, tick));
            let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {at}H{width}\"/>");
        }
        for (_, start) in timeline.stages.iter().skip(1) {
            let at = coordinate(x(f64::from(*start)));
            let _ = write!(svg, "<path class=\"stage\" d=\"M{at} 0V{height}\"/>");
        }
        for series in &self.series {
            let own = match (&self.right, series.right) {
                (Some(right), true) => &right.axis,
                _ => axis,
            };
            let kept = decimate(&series.values).into_iter();
            let points = kept.map(|n| {
                let value = f64::from(series.values[n]);
                (x(f64::from(timeline.times[n])), y(own, value))
            });
            let thin = if series.thin { " thin" } else { "" };
            let _ = write!(
                svg,
                "<path class=\"line c{}{thin}\" d=\"{}\"/>",
                series.color,
                path(points)
            );
        }
        svg + "</svg>"
    }

    fn right_labels(&self) -> String {
        let Some(right) = &self.right else {
            return String::new();
        };
        let ticks = right.ticks.iter();
        let ticks = ticks.map(|(value, text)| (right.axis.share(*value), text.clone()));
        side_labels("ys right", ticks)
    }
}

fn stage_numbers(timeline: &Timeline) -> String {
    (0..timeline.stages.len())
        .map(|n| {
            let (left, width) = timeline.stage(n);
            let room = room(width);
            let left = coordinate(100.0 * left);
            format!(
                "<i class=\"no {room}\" style=\"left:{left}%\">{}</i>",
                n + 1
            )
        })
        .collect()
}

/// Class of a stage of this width, by the screens on which its number fits.
fn room(width: f64) -> &'static str {
    match width {
        ..0.018 => "tight",
        ..0.05 => "snug",
        _ => "wide",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_has_axes_units_legend_and_no_nan() {
        let strip = Strip {
            title: "Load",
            unit: "kN",
            how: "how & why",
            series: vec![Series::new(
                "left",
                0,
                vec![1.0, f32::NAN, f32::INFINITY, 3.0],
            )],
            least: 1.0,
            right: None,
            height: 120,
        };
        let timeline = Timeline {
            times: vec![0.0, 1.0, 2.0, 3.0],
            axis: ChartAxis::until(3.0, 8),
            stages: vec![("go".to_owned(), 0.0), ("stop".to_owned(), 2.0)],
        };
        let html = strip.html(&timeline, 4) + &timeline.ribbon();
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
        for part in [
            "kN",
            "how &amp; why",
            "data-s=\"4\"",
            "3.0 s",
            "class=\"stage\"",
            "M0 ",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
