//! Pictures for pages that are not ours: one SVG file each, with its labels and its legend as text within.

use core::fmt::Write as _;

use proving_ground::drive::Drive;

use super::curve::{ChartCurve, path};
use super::map::Map;
use super::svg::{ChartAxis, coordinate, escape, label};

/// Width of a picture, and the margins of its panels (`px`).
const WIDTH: f64 = 560.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
/// Height of a panel's title, of a panel's drawing, of what is below it, and of a line of the legend (`px`).
const TITLE: f64 = 26.0;
const HEIGHT: f64 = 130.0;
const BELOW: f64 = 8.0;
const LEGEND: f64 = 22.0;
/// Room for the ticks below the last panel (`px`).
const TICKS: f64 = 40.0;
/// Estimated width of a letter of a legend (`px`).
const LETTER: f64 = 7.2;
/// The shortest vertical axis, in its unit.
const LEAST: f64 = 1e-3;

/// Light in any page: a picture cannot know which scheme the page around it has.
const STYLE: &str = "<style>text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;\
     fill:#59646b}.t{font-weight:600;fill:#1b2226}.e{text-anchor:end}.m{text-anchor:middle}path{fill:none}\
     .g{stroke:#e6eae7}.z{stroke:#aab4b0}.l{stroke-width:2;stroke-linejoin:round}.dashed{stroke-dasharray:6 4}\
     .c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#3fa0dc}.c3{stroke:#e69f00}.c4{stroke:#009e73}\
     .c5{stroke:#b35a94}</style>";

/// Curves in panels one below the other, over one axis.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Description of the picture, for those who do not see it.
    pub what: String,
    /// Name and unit of the horizontal axis.
    pub across: &'static str,
    /// The panels; curves have the names of the first one's.
    pub panels: Vec<PicturePanel>,
}

/// Curves with a common vertical axis.
#[derive(Clone, Debug)]
pub struct PicturePanel {
    /// Name and unit.
    pub title: String,
    /// The curves.
    pub curves: Vec<ChartCurve>,
}

impl Picture {
    /// The picture as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let points = || {
            let curves = self.panels.iter().flat_map(|panel| &panel.curves);
            curves.flat_map(|curve| &curve.points).map(|point| point.x)
        };
        let (low, high) = points().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        let across = ChartAxis::between(low, high, 8);
        let (legend, mut top) = self.legend();
        let mut inner = legend;
        for panel in &self.panels {
            inner += &panel.svg(&across, top);
            top += TITLE + HEIGHT + BELOW;
        }
        inner += &self.ticks(&across, top - BELOW);
        framed(
            WIDTH,
            top + TICKS - BELOW,
            &self.what,
            &(STYLE.to_owned() + &inner),
        )
    }

    /// The legend, and where it ends (`px`).
    fn legend(&self) -> (String, f64) {
        let curves = self.panels.first().map_or(&[][..], |panel| &panel.curves);
        let (mut svg, mut at) = (String::new(), (LEFT, 18.0));
        for curve in curves.iter().filter(|curve| !curve.name.is_empty()) {
            let width = 34.0 + LETTER * curve.name.chars().count() as f64;
            if at.0 + width > WIDTH {
                at = (LEFT, at.1 + LEGEND);
            }
            let (x, y) = at;
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<path class=\"l {}\" d=\"M{} {}h18\"/><text x=\"{}\" y=\"{y}\">{}</text>",
                class(curve),
                coordinate(x),
                coordinate(y - 4.5),
                coordinate(x + 23.0),
                escape(&curve.name),
            );
            at.0 += width;
        }
        (svg, if curves.is_empty() { 0.0 } else { at.1 + 4.0 })
    }

    /// The labels of the horizontal axis, below the panels.
    fn ticks(&self, across: &ChartAxis, bottom: f64) -> String {
        let mut svg = String::new();
        for (share, text) in across.labels() {
            let x = coordinate(LEFT + (WIDTH - LEFT - RIGHT) * share);
            let y = coordinate(bottom + 17.0);
            let _ = write!(svg, "<text class=\"m\" x=\"{x}\" y=\"{y}\">{text}</text>");
        }
        let (x, y) = (coordinate(WIDTH - RIGHT), coordinate(bottom + 34.0));
        svg + &format!(
            "<text class=\"e\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(self.across)
        )
    }
}

impl PicturePanel {
    /// A panel of these curves.
    pub fn new(title: impl Into<String>, curves: Vec<ChartCurve>) -> Self {
        Self {
            title: title.into(),
            curves,
        }
    }

    fn svg(&self, across: &ChartAxis, top: f64) -> String {
        let values = self
            .curves
            .iter()
            .flat_map(|curve| &curve.points)
            .map(|p| p.y);
        let up = ChartAxis::around(values, LEAST, 5);
        let (low, high) = (top + TITLE, top + TITLE + HEIGHT);
        let x = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * across.share(value);
        let y = |value: f64| high - (high - low) * up.share(value);
        let mut svg = format!(
            "<text class=\"t\" x=\"{LEFT}\" y=\"{}\">{}</text>",
            coordinate(low - 8.0),
            escape(&self.title)
        );
        for tick in up.ticks() {
            let class = if tick.abs() < 1e-9 * up.step {
                "z"
            } else {
                "g"
            };
            let at = y(tick);
            let _ = write!(
                svg,
                "<path class=\"{class}\" d=\"M{LEFT} {}H{}\"/><text class=\"e\" x=\"{}\" y=\"{}\">{}</text>",
                coordinate(at),
                WIDTH - RIGHT,
                LEFT - 6.0,
                coordinate(at + 4.0),
                label(tick, up.step),
            );
        }
        for curve in &self.curves {
            let points = curve.points.iter().map(|p| (tenth(x(p.x)), tenth(y(p.y))));
            let _ = write!(
                svg,
                "<path class=\"l {}\" d=\"{}\"/>",
                class(curve),
                path(points)
            );
        }
        svg
    }
}

/// A tenth of a pixel is what a screen shows.
fn tenth(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn class(curve: &ChartCurve) -> String {
    let dashed = if curve.dashed { " dashed" } else { "" };
    format!("c{}{dashed}", curve.color)
}

/// An SVG file on a light ground.
fn framed(width: f64, height: f64, what: &str, inner: &str) -> String {
    let (width, height) = (coordinate(width), coordinate(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\"><title>{}</title><rect width=\"100%\" height=\"100%\" rx=\"6\" \
         fill=\"#fcfdfc\"/>{inner}</svg>\n",
        escape(what)
    )
}

/// The map of a drive, colored by speed, as an SVG file of this width (`px`).
#[must_use]
pub fn map_picture(drive: &Drive, what: &str, width: f64) -> String {
    const MAP: &str = "<style>path{fill:none;stroke-linecap:round;stroke-linejoin:round;vector-effect:\
         non-scaling-stroke}.contour{stroke:#5d6b52;stroke-width:.7;opacity:.55}.bold{stroke-width:1.5;opacity:.7}\
         .grid{stroke:#5d6b52;stroke-width:.7;opacity:.35}.gate{stroke:#20282c;stroke-width:2.5}.track{fill:#9aa2a4;fill-rule:evenodd;stroke:#20282c;stroke-width:1.2}.ideal{stroke:#fff;stroke-width:.8;opacity:.75}.casing{stroke:#20282c;stroke-width:7}\
         .way{stroke-width:4}.car{fill:#ffffff90;stroke:#1b2226}</style>";
    let (size, drawing) = Map::new(drive).drawing();
    let height = width * size.y / size.x;
    let scaled = format!(
        "{MAP}<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#e4eadf\"/><g transform=\"scale({:.5})\">{drawing}</g>",
        width / size.x
    );
    framed(width, height, what, &scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    fn picture() -> Picture {
        let curve =
            |name: &str, y: f64| ChartCurve::new(name, 0, vec![DVec2::ZERO, DVec2::new(4.0, y)]);
        Picture {
            what: "a & b".to_owned(),
            across: "time, s",
            panels: vec![
                PicturePanel::new(
                    "speed, m/s",
                    vec![curve("one < two", 8.0), curve("two", f64::NAN)],
                ),
                PicturePanel::new("roll, °", vec![curve("", -1.0)]),
            ],
        }
    }

    #[test]
    fn a_picture_stands_alone() {
        let svg = picture().svg();
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
        for part in [
            "<title>a &amp; b</title>",
            ">one &lt; two<",
            ">time, s<",
            ">roll, °<",
            ">−1.0<",
            ">8<",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    /// A rising curve reaches from the lower left to the upper right corner of the first panel.
    #[test]
    fn curves_lie_within_their_panel() {
        let svg = picture().svg();
        let (_, end) = picture().legend();
        let (low, high) = (end + TITLE + HEIGHT, end + TITLE);
        let path = format!(
            "d=\"M{LEFT} {}L{} {}\"",
            coordinate(low),
            WIDTH - RIGHT,
            coordinate(high)
        );
        assert!(svg.contains(&path), "{path}: {svg}");
    }

    #[test]
    fn a_long_legend_breaks() {
        let mut long = picture();
        let curve = long.panels[0].curves[0].clone();
        long.panels[0].curves = vec![curve; 12];
        assert!(long.legend().1 > picture().legend().1 + LEGEND - 1.0);
    }
}
