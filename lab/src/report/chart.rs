//! A custom chart: curves over time, on a linear or a logarithmic scale.

use core::fmt::Write as _;

use glam::DVec2;

use super::curve::{ChartCurve, legend, path};
use super::svg::{ChartAxis, coordinate, escape, side_labels, time_labels};

/// Width and height of the drawing in its own units; the page stretches it.
const SIZE: (f64, f64) = (1000.0, 100.0);

/// Vertical scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Linear scale from zero to the maximum value, which is at least this.
    Linear(f64),
    /// Logarithmic scale from ten to the power of the first to that of the second; lower values are clamped.
    Decades(i32, i32),
}

/// Curves over time with a common scale.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Explanation.
    pub how: String,
    /// The curves: time (`s`) and value.
    pub curves: Vec<ChartCurve>,
    /// Vertical scale.
    pub scale: Scale,
    /// A limit that must not be exceeded, and its name.
    pub goal: Option<(f64, &'static str)>,
    /// Text within the chart, each centered on a time (`s`) and a value.
    pub words: Vec<(DVec2, &'static str)>,
    /// Height on the page (`px`).
    pub height: u32,
}

impl Chart {
    /// Curves over time on a linear scale, without goal or text.
    #[must_use]
    pub fn plain(title: &str, unit: &'static str, how: &str, curves: Vec<ChartCurve>) -> Self {
        Self {
            title: title.to_owned(),
            unit,
            how: how.to_owned(),
            curves,
            scale: Scale::Linear(1.0),
            goal: None,
            words: Vec::new(),
            height: 200,
        }
    }

    /// The chart as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let (time, axis) = self.axes();
        let y = |value: f64| self.share(&axis, value);
        format!(
            "<section class=\"strip chart\">\n<h3>{} <span class=\"unit\">{}</span></h3>\n{}\
             <div class=\"plot\" style=\"--h:{}px\">{}<div class=\"area\">{}{}</div>{}</div>\n\
             <p class=\"how\">{}</p>\n</section>\n",
            escape(&self.title),
            escape(self.unit),
            legend(&self.curves),
            self.height,
            side_labels("ys", self.labels(&axis)),
            self.drawing(&time, &axis),
            self.words(&time, y),
            time_labels(&time),
            escape(&self.how),
        )
    }

    /// The axes of time and values; on a logarithmic scale, the latter is that of exponents.
    fn axes(&self) -> (ChartAxis, ChartAxis) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let end = points().map(|p| p.x).fold(0.0, f64::max);
        let axis = match self.scale {
            Scale::Linear(least) => ChartAxis::around(points().map(|p| p.y), least, 6),
            Scale::Decades(low, high) => ChartAxis {
                low: f64::from(low),
                high: f64::from(high),
                step: 1.0,
            },
        };
        (ChartAxis::until(end, 12), axis)
    }

    /// Position of a value, 0…1 from below.
    fn share(&self, axis: &ChartAxis, value: f64) -> f64 {
        match self.scale {
            Scale::Linear(_) => axis.share(value),
            Scale::Decades(..) => axis.share(value.log10().clamp(axis.low, axis.high)),
        }
    }

    fn labels(&self, axis: &ChartAxis) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear(_) => axis.labels().collect(),
            Scale::Decades(..) => {
                let ticks = axis.ticks().into_iter();
                let text = |exponent: f64| format!("{}", 10.0_f64.powf(exponent));
                ticks.map(|tick| (axis.share(tick), text(tick))).collect()
            }
        }
    }

    fn drawing(&self, time: &ChartAxis, axis: &ChartAxis) -> String {
        let (width, height) = SIZE;
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{} over time\">",
            escape(&self.title)
        );
        let mut line = |class: &str, share: f64| {
            let at = coordinate(height * (1.0 - share));
            // Writing to a string cannot fail.
            let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {at}H{width}\"/>");
        };
        for tick in axis.ticks() {
            line("grid", axis.share(tick));
        }
        if let Some((goal, _)) = self.goal {
            line("goal", self.share(axis, goal));
        }
        for curve in &self.curves {
            let points = curve.points.iter().map(|p| {
                let y = height * (1.0 - self.share(axis, p.y));
                (width * time.share(p.x), y)
            });
            svg.push_str(&curve.svg(&path(points)));
        }
        svg + "</svg>"
    }

    /// Text within the chart, and the goal's name.
    fn words(&self, time: &ChartAxis, y: impl Fn(f64) -> f64) -> String {
        let word = |class: &str, left: f64, value: f64, text: &str| {
            format!(
                "<span class=\"{class}\" style=\"left:{}%;top:{}%\">{}</span>",
                coordinate(100.0 * left),
                coordinate(100.0 * (1.0 - y(value))),
                escape(text)
            )
        };
        let words = self.words.iter();
        let words = words.map(|(at, text)| word("word", time.share(at.x), at.y, text));
        let goal = self.goal.iter();
        let goal = goal.map(|(value, text)| word("word aim", 1.0, *value, text));
        words.chain(goal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_have_a_floor_a_goal_and_no_nan() {
        let values = [0.0, 1.0, f64::NAN, 100.0];
        let points = (0..4).map(|n| DVec2::new(f64::from(n), values[n as usize]));
        let chart = Chart {
            title: "Drift".to_owned(),
            unit: "mm",
            how: "less & less".to_owned(),
            curves: vec![ChartCurve::new("sedan", 0, points.collect())],
            scale: Scale::Decades(-2, 2),
            goal: Some((1.0, "goal")),
            words: Vec::new(),
            height: 100,
        };
        let html = chart.html();
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
        for part in [
            "d=\"M0 100L333.33 50M1000 0\"",
            "d=\"M0 50H1000\"",
            ">0.01<",
            "3.0 s",
            "less &amp; less",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    /// Words stand at their positions, the goal's at its end.
    #[test]
    fn words_stand_where_they_belong() {
        let points = vec![DVec2::ZERO, DVec2::new(8.0, 4.0)];
        let chart = Chart {
            goal: Some((3.0, "goal < 3")),
            words: vec![(DVec2::new(2.0, 1.0), "a & b")],
            ..Chart::plain(
                "Drift",
                "mm",
                "how",
                vec![ChartCurve::new("sedan", 0, points)],
            )
        };
        let html = chart.html();
        for part in [
            "<span class=\"word\" style=\"left:25%;top:75%\">a &amp; b</span>",
            "<span class=\"word aim\" style=\"left:100%;top:25%\">goal &lt; 3</span>",
            "<path class=\"goal\" d=\"M0 25H1000\"/>",
            "d=\"M0 100L1000 0\"",
            "--h:200px",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let plain = Chart {
            goal: None,
            words: Vec::new(),
            ..chart
        };
        let html = plain.html();
        assert!(
            !html.contains("goal") && !html.contains("<span class=\"word"),
            "{html}"
        );
    }
}
