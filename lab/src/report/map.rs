//! The path seen from above, colored by speed, on the ground's relief.

use core::fmt::Write as _;

use glam::DVec2;

use super::curve::path;
use super::relief::Relief;
use super::svg::{ChartAxis, VIRIDIS, coordinate, label, viridis};
use super::window::{Window, distance, outline};
use proving_ground::drive::Drive;
use proving_ground::sample::Sample;
use proving_ground::track::Track;

/// Allowed ratio of width to height of the map.
const SHAPE: (f64, f64) = (1.7, 3.0);
/// Number of colors of the path.
const SHADES: f64 = 48.0;
/// Outlines of the car are drawn where its width is at least this share of the map's.
const SMALLEST_CAR: f64 = 0.01;
/// The car slides if at least this share of its speed is sideways: 10°.
const SLIDE: f32 = 0.17;
/// Page width of the map assumed when spacing markers (`px`).
const PAGE: f64 = 700.0;

/// A map of a drive.
pub(super) struct Map<'a> {
    drive: &'a Drive,
    window: Window,
    speed: ChartAxis,
}

impl<'a> Map<'a> {
    pub(super) fn new(drive: &'a Drive) -> Self {
        let speeds = drive.samples.iter().map(|s| f64::from(s.speed) * 3.6);
        Self {
            drive,
            window: window(&drive.samples),
            speed: ChartAxis::around(speeds, 10.0, 7),
        }
    }

    /// Position of a point on the map (`%`, from the left and from the top).
    pub(super) fn percent(&self, point: DVec2) -> DVec2 {
        self.window.percent(point)
    }

    /// The map with its markers, scale and legend.
    pub(super) fn html(&self) -> String {
        let size = self.window.size;
        let (ground, note) = self.ground();
        format!(
            "<figure class=\"map\"><div class=\"land\" style=\"aspect-ratio:{w}/{h}\">\
             <svg viewBox=\"0 0 {w} {h}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"path seen from above\">{ground}{}{}{}</svg>{}{}<div class=\"here\"></div>\
             </div>\n<figcaption>{}<p class=\"how\">Seen from above, the same scale both ways; x \
             (the first heading) to the right, y up. {note} The car's outline is drawn where it \
             slides. Numbers are the starts of the stages below.</p></figcaption></figure>\n",
            self.path(),
            self.racing_line(),
            self.cars(),
            self.markers(),
            self.window.scale(self.places()),
            self.legend(),
            w = coordinate(size.x),
            h = coordinate(size.y),
        )
    }

    /// Size of the map (`m`), and its drawing in these units, without markers, scale and legend.
    pub(super) fn drawing(&self) -> (DVec2, String) {
        let (ground, _) = self.ground();
        let driven = self.path() + &self.racing_line();
        (self.window.size, ground + &driven + &self.cars())
    }

    /// The ground, and a note on it.
    fn ground(&self) -> (String, String) {
        let (mut svg, mut note) = if self.drive.terrain.relief {
            self.relief()
        } else {
            self.grid()
        };
        if let Some(track) = &self.drive.terrain.track {
            svg += &self.track(track);
            note += " The track is gray, with a line where it begins.";
        }
        if self.drive.race.is_some() {
            note += " The thin white line is the racing line.";
        }
        (svg, note)
    }

    /// The area of a track between its edges, and its first cross-section.
    fn track(&self, track: &Track) -> String {
        let side = |side: usize| track.edges().iter().map(move |edges| edges[side]);
        let line = |points: Vec<DVec2>| {
            path(points.into_iter().map(|point| {
                let place = self.window.place(point);
                (place.x, place.y)
            }))
        };
        let [right, left] = [0, 1].map(|n| side(n).collect::<Vec<_>>());
        let start = line(vec![right[0], left[0]]);
        let area = if track.is_closed() {
            format!("{}Z{}Z", line(right), line(left))
        } else {
            line(right.into_iter().chain(left.into_iter().rev()).collect()) + "Z"
        };
        format!("<path class=\"track\" d=\"{area}\"/><path class=\"gate\" d=\"{start}\"/>")
    }

    /// The line that a racing driver follows.
    fn racing_line(&self) -> String {
        let Some(race) = &self.drive.race else {
            return String::new();
        };
        let line = race.line.line();
        let points = line.points().iter().map(|point| {
            let place = self.window.place(*point);
            (place.x, place.y)
        });
        let end = if line.is_closed() { "Z" } else { "" };
        format!("<path class=\"ideal\" d=\"{}{end}\"/>", path(points))
    }

    fn relief(&self) -> (String, String) {
        let relief = Relief::new(&self.drive.terrain, self.window);
        let size = self.window.size;
        let mut svg = String::new();
        if let Some(shading) = relief.shading() {
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<image href=\"{shading}\" width=\"{}\" height=\"{}\" \
                 preserveAspectRatio=\"none\"/>",
                coordinate(size.x),
                coordinate(size.y),
            );
        }
        let [fine, bold] = relief.contours();
        let _ = write!(
            svg,
            "<path class=\"contour\" d=\"{fine}\"/><path class=\"contour bold\" d=\"{bold}\"/>"
        );
        let interval = relief.interval();
        let (low, high) = relief.range().unwrap_or((0.0, 0.0));
        let note = format!(
            "A contour line every {} m of height, from {} m to {} m; light comes from the upper \
             left and exaggerates the slopes.",
            label(interval, interval),
            label(low, interval.min(0.1)),
            label(high, interval.min(0.1)),
        );
        (svg, note)
    }

    fn grid(&self) -> (String, String) {
        let svg = format!("<path class=\"grid\" d=\"{}\"/>", self.window.grid());
        let step = distance(self.window.grid_step());
        (svg, format!("A grid line every {step}."))
    }

    /// Positions of the car, seen from above (`m`).
    fn places(&self) -> impl Iterator<Item = DVec2> + Clone {
        self.drive.samples.iter().map(|s| s.position.truncate())
    }

    /// Samples to draw: at regular distances, and where the path bends.
    fn kept(&self) -> Vec<&Sample> {
        let far = self.window.size.max_element() / 900.0;
        let mut kept: Vec<&Sample> = Vec::new();
        for sample in &self.drive.samples {
            let new = kept
                .last()
                .is_none_or(|last| (sample.position - last.position).truncate().length() > far);
            if new {
                kept.push(sample);
            }
        }
        kept.extend(self.drive.samples.last());
        kept
    }

    fn path(&self) -> String {
        let kept = self.kept();
        let at = |s: &Sample| {
            let point = self.window.place(s.position.truncate());
            (point.x, point.y)
        };
        let whole = path(kept.iter().map(|s| at(s)));
        let mut svg = format!("<path class=\"casing\" d=\"{whole}\"/>");
        let shade = |s: &Sample| (self.speed.share(f64::from(s.speed) * 3.6) * SHADES).round();
        let mut start = 0;
        for n in 1..kept.len() {
            if n + 1 == kept.len() || shade(kept[n]) != shade(kept[start]) {
                let points = kept[start..=n].iter().map(|s| at(s));
                let color = viridis(shade(kept[start]) / SHADES);
                let _ = write!(
                    svg,
                    "<path class=\"way\" stroke=\"{color}\" d=\"{}\"/>",
                    path(points)
                );
                start = n;
            }
        }
        svg
    }

    /// Outlines of the car's body: one per second if large enough on the map, more often while it
    /// slides, at any size.
    fn cars(&self) -> String {
        let hull = self.drive.car.hull;
        let large = f64::from(hull.size.y) > SMALLEST_CAR * self.window.size.x;
        let mut d = String::new();
        let mut due = 0.0;
        for sample in &self.drive.samples {
            let slides = sample.speed > 1.0 && sample.lateral_speed.abs() > SLIDE * sample.speed;
            if sample.time >= due && (slides || large) {
                due = sample.time + if slides { 0.3 } else { 1.0 };
                d.push_str(&self.outline(sample));
            }
        }
        format!("<path class=\"car\" d=\"{d}\"/>")
    }

    fn outline(&self, sample: &Sample) -> String {
        let heading = f64::from(sample.heading);
        let corners = outline(&self.drive.car, sample.position.truncate(), heading);
        let points = corners.into_iter().map(|corner| {
            let point = self.window.place(corner);
            (point.x, point.y)
        });
        path(points) + "Z"
    }

    /// Start, end and stage numbers, next to the path without overlap.
    fn markers(&self) -> String {
        let samples = &self.drive.samples;
        let at = |time: f32| samples.iter().find(|s| s.time >= time - 1e-4);
        let mut wanted: Vec<(String, &str, &Sample)> = Vec::new();
        wanted.extend(
            samples
                .first()
                .map(|s| ("start".to_owned(), "mark start", s)),
        );
        wanted.extend(samples.last().map(|s| ("end".to_owned(), "mark end", s)));
        for (n, start) in self.drive.stages.iter().enumerate().skip(1) {
            wanted.extend(at(start.time).map(|s| ((n + 1).to_string(), "mark", s)));
        }
        let mut taken: Vec<DVec2> = Vec::new();
        let mut html = String::new();
        for (text, class, sample) in wanted {
            let percent = self.percent(sample.position.truncate());
            let pixels = DVec2::new(
                percent.x,
                percent.y * self.window.size.y / self.window.size.x,
            ) * (PAGE / 100.0);
            let offset = free_place(pixels, &taken);
            taken.push(pixels + offset);
            let crowd = if offset.length() > 21.0 { " crowd" } else { "" };
            let _ = write!(
                html,
                "<i class=\"pin\" style=\"left:{x}%;top:{y}%\"></i><span class=\"{class}{crowd}\" \
                 style=\"left:{x}%;top:{y}%;--x:{}px;--y:{}px\">{text}</span>",
                coordinate(offset.x),
                coordinate(offset.y),
                x = coordinate(percent.x),
                y = coordinate(percent.y),
            );
        }
        html
    }

    fn legend(&self) -> String {
        let stops = (0..VIRIDIS.len()).map(|n| viridis(n as f64 / 10.0));
        let stops = stops.collect::<Vec<_>>().join(",");
        let ticks = self.speed.ticks().into_iter().map(|tick| {
            let left = coordinate(100.0 * self.speed.share(tick));
            format!(
                "<span style=\"left:{left}%\">{}</span>",
                label(tick, self.speed.step)
            )
        });
        format!(
            "<div class=\"speeds\"><em>speed, km/h</em><div class=\"bar\" \
             style=\"background:linear-gradient(90deg,{stops})\"></div><div class=\"bar-ticks\">{}\
             </div></div>",
            ticks.collect::<String>()
        )
    }
}

/// The part of the world around all samples, with a shape that fits a page.
fn window(samples: &[Sample]) -> Window {
    let places = samples.iter().map(|s| s.position.truncate());
    let Some(bounds) = Window::around(places) else {
        return Window {
            low: DVec2::splat(-10.0),
            size: DVec2::splat(20.0),
        };
    };
    let extent = bounds.size;
    let margin = (0.12 * extent.max_element()).max(8.0);
    let mut size = extent + margin;
    size.x = size.x.max(size.y * SHAPE.0);
    size.y = size.y.max(size.x / SHAPE.1);
    bounds.resized(size)
}

/// A position near a point where a marker covers no other (`px`).
fn free_place(point: DVec2, taken: &[DVec2]) -> DVec2 {
    let ways = (1..=3).flat_map(|ring| {
        (0..8).map(move |n| {
            let angle = core::f64::consts::FRAC_PI_4 * f64::from(n) - core::f64::consts::FRAC_PI_2;
            DVec2::from_angle(angle) * 20.0 * f64::from(ring)
        })
    });
    let free = |offset: &DVec2| taken.iter().all(|t| t.distance(point + *offset) > 28.0);
    ways.into_iter()
        .find(free)
        .unwrap_or(DVec2::new(0.0, -20.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn sample(x: f64, y: f64) -> Sample {
        Sample {
            position: DVec3::new(x, y, 0.0),
            ..Sample::default()
        }
    }

    #[test]
    fn a_window_holds_the_path_and_fits_a_page() {
        for end in [(100.0, 0.0), (0.0, 50.0), (3.0, 3.0), (0.0, 0.0)] {
            let window = window(&[sample(0.0, 0.0), sample(end.0, end.1)]);
            let shape = window.size.x / window.size.y;
            assert!(
                (SHAPE.0 - 1e-9..=SHAPE.1 + 1e-9).contains(&shape),
                "{shape}"
            );
            for point in [DVec2::ZERO, DVec2::new(end.0, end.1)] {
                let place = window.place(point);
                assert!(place.cmpgt(DVec2::ZERO).all() && place.cmplt(window.size).all());
            }
        }
        let nowhere = window(&[sample(f64::NAN, 0.0)]);
        assert_eq!(nowhere.percent(DVec2::ZERO), DVec2::splat(50.0));
    }

    #[test]
    fn markers_at_the_same_place_are_kept_apart() {
        let mut taken = Vec::new();
        for _ in 0..10 {
            let place = free_place(DVec2::ZERO, &taken);
            assert!(taken.iter().all(|t: &DVec2| t.distance(place) > 28.0));
            taken.push(place);
        }
    }
}
