//! A plan: paths seen from above, with the same scale in both directions.

use core::fmt::Write as _;

use glam::DVec2;

use super::curve::{ChartCurve, legend, path};
use super::svg::{coordinate, escape};
use super::window::{Window, distance};

/// A marked point of a plan.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Position (`m`, world).
    pub at: DVec2,
    /// Index of the page's color, 0…5.
    pub color: usize,
    /// Label of the pin; may be empty.
    pub text: String,
}

/// Paths seen from above.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Title.
    pub title: String,
    /// Explanation.
    pub how: String,
    /// The visible part of the world.
    pub window: Window,
    /// Paths, in world meters.
    pub curves: Vec<ChartCurve>,
    /// Closed outlines, such as of cars (`m`, world).
    pub shapes: Vec<Vec<DVec2>>,
    /// Marked points.
    pub pins: Vec<Pin>,
}

impl Plan {
    /// The plan as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        format!(
            "<figure class=\"plan\">\n<h3>{}</h3>\n{}<div class=\"land\" \
             style=\"aspect-ratio:{}/{}\">{}{}{}</div>\n<figcaption class=\"how\">{} A grid line \
             every {}.</figcaption>\n</figure>\n",
            escape(&self.title),
            legend(&self.curves),
            coordinate(100.0 * self.window.size.x / self.window.size.y),
            100,
            self.drawing(),
            self.pins(),
            self.window.scale(self.points()),
            escape(&self.how),
            distance(self.window.grid_step()),
        )
    }

    fn drawing(&self) -> String {
        // Coordinates have two decimals: a power of ten makes them precise enough, and keeps the
        // grid's step round.
        let fine = 10.0_f64.powf(3.0 - self.window.size.x.log10().floor());
        let window = Window {
            low: self.window.low * fine,
            size: self.window.size * fine,
        };
        let way = |points: &[DVec2]| {
            let places = points.iter().map(|p| window.place(*p * fine));
            path(places.map(|p| (p.x, p.y)))
        };
        let mut svg = format!(
            "<svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{}, seen from above\"><path class=\"grid\" d=\"{}\"/>",
            coordinate(window.size.x),
            coordinate(window.size.y),
            escape(&self.title),
            window.grid(),
        );
        for shape in &self.shapes {
            // Writing to a string cannot fail.
            let _ = write!(svg, "<path class=\"car\" d=\"{}Z\"/>", way(shape));
        }
        for curve in &self.curves {
            svg.push_str(&curve.svg(&way(&curve.points)));
        }
        svg + "</svg>"
    }

    /// All points drawn.
    fn points(&self) -> impl Iterator<Item = DVec2> + Clone {
        self.curves
            .iter()
            .flat_map(|curve| curve.points.iter().copied())
    }

    fn pins(&self) -> String {
        let pins = self.pins.iter().map(|pin| {
            let at = self.window.percent(pin.at);
            let (x, y) = (coordinate(at.x), coordinate(at.y));
            let side = if at.x > 66.0 { " left" } else { "" };
            format!(
                "<span class=\"at c{}{side}\" style=\"left:{x}%;top:{y}%\"><b>{}</b></span>",
                pin.color,
                escape(&pin.text)
            )
        });
        pins.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_plan_is_drawn_precisely() {
        let points = vec![DVec2::new(10.0, 5.0), DVec2::new(10.001, 5.0005)];
        let window = Window::around(points.iter().copied()).unwrap();
        let plan = Plan {
            title: "End".to_owned(),
            how: String::new(),
            window: window.resized(DVec2::new(0.2, 0.1)),
            curves: vec![ChartCurve::new("60 Hz", 0, points)],
            shapes: vec![window.corners()],
            pins: Vec::new(),
        };
        let html = plan.html();
        for part in [
            "aspect-ratio:200/100",
            "2 cm",
            "viewBox=\"0 0 2000 1000\"",
            "M995 502.5L1005 497.5",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    /// Pins stand at their positions, their words on the side where there is room.
    #[test]
    fn pins_stand_where_they_are_put() {
        let pin = |x: f64, y: f64, text: &str| Pin {
            at: DVec2::new(x, y),
            color: 3,
            text: text.to_owned(),
        };
        let plan = Plan {
            title: "Pins".to_owned(),
            how: "near < far".to_owned(),
            window: Window {
                low: DVec2::new(-10.0, 20.0),
                size: DVec2::new(40.0, 10.0),
            },
            curves: Vec::new(),
            shapes: Vec::new(),
            pins: vec![
                pin(0.0, 22.0, "a & b"),
                pin(20.0, 30.0, "far"),
                pin(16.4, 25.0, "middle"),
            ],
        };
        let html = plan.html();
        for part in [
            "aspect-ratio:400/100",
            "<span class=\"at c3\" style=\"left:25%;top:80%\"><b>a &amp; b</b></span>",
            "<span class=\"at c3 left\" style=\"left:75%;top:0%\"><b>far</b></span>",
            "<span class=\"at c3\" style=\"left:66%;top:50%\"><b>middle</b></span>",
            "near &lt; far A grid line every 5 m.",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }
}
