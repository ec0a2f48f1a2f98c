//! The shape of the ground under a map: a shaded picture and contour lines.

use glam::{DVec2, DVec3};

use super::curve::path;
use super::svg::round_step;
use super::window::Window;
use proving_ground::ground::Terrain;

/// Heights on a grid over a window.
pub(super) struct Relief {
    window: Window,
    /// Points along x and y.
    size: [usize; 2],
    /// Rows from the lower left; NaN without ground.
    heights: Vec<f64>,
}

/// Grid points along the longer side.
const FINEST: f64 = 240.0;
/// Light comes from the upper left, as on maps, at 45°.
const LIGHT: DVec3 = DVec3::new(-0.5, 0.5, 0.707);
/// Exaggeration of slopes, which makes gentle hills visible.
const STEEPER: f64 = 5.0;
/// Colors of the lowest and the highest ground, of slopes in light and in shadow.
const LOW: DVec3 = DVec3::new(112.0, 158.0, 138.0);
const HIGH: DVec3 = DVec3::new(212.0, 184.0, 128.0);
const LIT: DVec3 = DVec3::new(255.0, 252.0, 232.0);
const SHADOW: DVec3 = DVec3::new(44.0, 62.0, 60.0);
/// Opacity of the tint.
const TINT: f64 = 0.3;

impl Relief {
    pub(super) fn new(terrain: &Terrain, window: Window) -> Self {
        let cell = window.size.max_element() / FINEST;
        let count = |length: f64| ((length / cell).ceil() as usize + 1).max(2);
        let size = [count(window.size.x), count(window.size.y)];
        let step = window.size / DVec2::new((size[0] - 1) as f64, (size[1] - 1) as f64);
        let heights = (0..size[0] * size[1])
            .map(|n| {
                let at = DVec2::new((n % size[0]) as f64, (n / size[0]) as f64);
                terrain.height(window.low + at * step).unwrap_or(f64::NAN)
            })
            .collect();
        Self {
            window,
            size,
            heights,
        }
    }

    fn height(&self, i: usize, j: usize) -> f64 {
        self.heights[j * self.size[0] + i]
    }

    fn step(&self) -> DVec2 {
        self.window.size / DVec2::new((self.size[0] - 1) as f64, (self.size[1] - 1) as f64)
    }

    /// Minimum and maximum height (`m`); `None` without ground.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let finite = self.heights.iter().copied().filter(|h| h.is_finite());
        let range = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        });
        (range.0 <= range.1).then_some(range)
    }

    /// Spacing of contour lines (`m`).
    pub(super) fn interval(&self) -> f64 {
        self.range()
            .map_or(1.0, |(low, high)| round_step(high - low, 14))
    }

    /// The shading as a PNG in a `data:` address: shade over a height tint, partly transparent.
    pub(super) fn shading(&self) -> Option<String> {
        let [columns, rows] = [self.size[0] - 1, self.size[1] - 1];
        let range = self.range()?;
        let mut pixels = Vec::with_capacity(columns * rows * 4);
        for j in (0..rows).rev() {
            for i in 0..columns {
                pixels.extend(self.pixel(i, j, range));
            }
        }
        let mut file = Vec::new();
        let width = u32::try_from(columns).ok()?;
        let mut png = png::Encoder::new(&mut file, width, u32::try_from(rows).ok()?);
        png.set_color(png::ColorType::Rgba);
        png.set_depth(png::BitDepth::Eight);
        let mut writer = png.write_header().ok()?;
        writer.write_image_data(&pixels).ok()?;
        writer.finish().ok()?;
        Some(format!("data:image/png;base64,{}", base64(&file)))
    }

    /// Color and opacity of the cell right of and above a grid point; `range` of all heights.
    fn pixel(&self, i: usize, j: usize, (low, high): (f64, f64)) -> [u8; 4] {
        let step = self.step();
        let here = self.height(i, j);
        let slope = DVec2::new(self.height(i + 1, j) - here, self.height(i, j + 1) - here) / step;
        if !slope.is_finite() {
            return [0, 0, 0, 0];
        }
        let normal = DVec3::new(-slope.x * STEEPER, -slope.y * STEEPER, 1.0).normalize();
        let light = normal.dot(LIGHT.normalize()) - LIGHT.normalize().z;
        let share = (here - low) / (high - low).max(1.0);
        let tint = LOW.lerp(HIGH, share.clamp(0.0, 1.0));
        let shade = (light.abs() * 0.75).min(0.6);
        let color = tint.lerp(
            if light > 0.0 { LIT } else { SHADOW },
            shade / (TINT + shade),
        );
        let opacity = TINT + (1.0 - TINT) * shade;
        let byte = |value: f64| value.clamp(0.0, 255.0) as u8;
        [
            byte(color.x),
            byte(color.y),
            byte(color.z),
            byte(opacity * 255.0),
        ]
    }

    /// Contour lines as the `d` of a path in map coordinates; every fifth one is in the second
    /// path.
    pub(super) fn contours(&self) -> [String; 2] {
        let Some((low, high)) = self.range() else {
            return [String::new(), String::new()];
        };
        let interval = self.interval();
        let mut lines = [String::new(), String::new()];
        let [first, last] = [low, high].map(|height| (height / interval).floor() as i64);
        // Halfway between round heights: level areas are often at a round one, and a contour
        // through them is noise.
        for n in first..=last {
            let level = (n as f64 + 0.5) * interval;
            lines[usize::from(n % 5 == 0)].push_str(&self.contour(level));
        }
        lines
    }

    /// One contour line, cell by cell (marching squares), as pairs of points.
    fn contour(&self, level: f64) -> String {
        let mut points = Vec::new();
        for j in (0..self.size[1] - 1).step_by(2) {
            for i in (0..self.size[0] - 1).step_by(2) {
                let (k, l) = ((i + 2).min(self.size[0] - 1), (j + 2).min(self.size[1] - 1));
                let corners = [(i, j), (k, j), (k, l), (i, l)];
                let cuts: Vec<DVec2> = (0..4)
                    .filter_map(|e| self.cut(corners[e], corners[(e + 1) % 4], level))
                    .collect();
                for pair in cuts.chunks_exact(2) {
                    points.extend([(pair[0].x, pair[0].y), (pair[1].x, pair[1].y)]);
                    points.push((f64::NAN, f64::NAN));
                }
            }
        }
        path(points.into_iter())
    }

    /// Intersection of the edge between two grid points with a level, in map coordinates.
    fn cut(&self, a: (usize, usize), b: (usize, usize), level: f64) -> Option<DVec2> {
        let (low, high) = (self.height(a.0, a.1), self.height(b.0, b.1));
        if !(low.is_finite() && high.is_finite()) || (low < level) == (high < level) {
            return None;
        }
        let at = |p: (usize, usize)| DVec2::new(p.0 as f64, p.1 as f64) * self.step();
        let point = at(a).lerp(at(b), (level - low) / (high - low));
        Some(DVec2::new(point.x, self.window.size.y - point.y))
    }
}

/// Base 64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for group in bytes.chunks(3) {
        let byte = |n: usize| group.get(n).copied().unwrap_or(0);
        let bits = u32::from_be_bytes([0, byte(0), byte(1), byte(2)]);
        for n in 0..4 {
            if n <= group.len() {
                text.push(LETTERS[(bits >> (18 - 6 * n) & 63) as usize] as char);
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
