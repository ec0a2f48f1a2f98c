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
    /// Row after row from the lower left; NaN where there is no ground.
    heights: Vec<f64>,
}

/// Points of the grid along the longer side.
const FINEST: f64 = 240.0;
/// Light comes from the upper left, as on maps, and falls at 45°.
const LIGHT: DVec3 = DVec3::new(-0.5, 0.5, 0.707);
/// Slopes are shown this much steeper, or gentle hills would not show.
const STEEPER: f64 = 5.0;
/// Colours of the lowest and the highest ground, of slopes in the light and in the shadow.
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

    /// Least and greatest height (`m`); `None` without ground.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let finite = self.heights.iter().copied().filter(|h| h.is_finite());
        let range = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        });
        (range.0 <= range.1).then_some(range)
    }

    /// Distance of contour lines (`m`).
    pub(super) fn interval(&self) -> f64 {
        self.range()
            .map_or(1.0, |(low, high)| round_step(high - low, 14))
    }

    /// The shading as a PNG in a `data:` address: shade over the tint of the height, more or
    /// less transparent.
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

    /// Colour and opacity of the cell right and above of a grid point; `range` of all heights.
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
        let colour = tint.lerp(
            if light > 0.0 { LIT } else { SHADOW },
            shade / (TINT + shade),
        );
        let opacity = TINT + (1.0 - TINT) * shade;
        let byte = |value: f64| value.clamp(0.0, 255.0) as u8;
        [
            byte(colour.x),
            byte(colour.y),
            byte(colour.z),
            byte(opacity * 255.0),
        ]
    }

    /// Contour lines as the `d` of a path in map coordinates; every fifth line is in the second.
    pub(super) fn contours(&self) -> [String; 2] {
        let Some((low, high)) = self.range() else {
            return [String::new(), String::new()];
        };
        let interval = self.interval();
        let mut lines = [String::new(), String::new()];
        let first = (low / interval - 0.5).ceil() as i64;
        let last = (high / interval - 0.5).floor() as i64;
        // Half way between round heights: level places are often at a round one, and a contour
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

    /// Where a level crosses the edge between two grid points, in map coordinates.
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
        let byte = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
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
mod tests {
    use super::*;
    use proving_ground::ground::{GroundSpec, MeshUp};

    #[test]
    fn base_64_is_that_of_the_rfc() {
        let all = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }

    /// A relief whose height is this function of the place in the window.
    fn relief(size: DVec2, height: impl Fn(DVec2) -> f64) -> Relief {
        let (low, size) = (DVec2::new(-3.0, 7.0), size);
        let count = [41, 21];
        let step = size / DVec2::new(40.0, 20.0);
        let place = |n: usize| DVec2::new((n % 41) as f64, (n / 41) as f64) * step;
        Relief {
            window: Window { low, size },
            size: count,
            heights: (0..41 * 21).map(|n| height(place(n))).collect(),
        }
    }

    /// Colour and opacity in the middle of a plane that rises so much along x and y.
    fn shade(x: f64, y: f64) -> [u8; 4] {
        let plane = relief(DVec2::new(40.0, 20.0), |at| at.dot(DVec2::new(x, y)));
        let middle = plane.height(20, 10);
        plane.pixel(20, 10, (middle, middle + 10.0))
    }

    fn brightness(pixel: [u8; 4]) -> u32 {
        pixel[..3].iter().map(|&byte| u32::from(byte)).sum()
    }

    #[test]
    fn level_ground_has_the_tint_of_its_height_alone() {
        let bytes = |colour: DVec3| colour.to_array().map(|c| c as u8);
        let flat = relief(DVec2::new(40.0, 20.0), |_| 4.0);
        let alpha = (TINT * 255.0) as u8;
        for (range, colour) in [
            ((4.0, 9.0), LOW),
            ((-6.0, 4.0), HIGH),
            ((3.0, 5.0), LOW.lerp(HIGH, 0.5)),
        ] {
            let [r, g, b] = bytes(colour);
            assert_eq!(flat.pixel(7, 3, range), [r, g, b, alpha]);
        }
    }

    /// Light from the upper left makes no difference between planes that are mirror images about it.
    #[test]
    fn slopes_that_face_the_light_are_bright() {
        let flat = brightness(shade(0.0, 0.0));
        for steep in [0.02, 0.05, 0.1, 0.14] {
            for (x, y) in [(steep, 0.0), (0.0, -steep), (steep, -steep)] {
                assert!(brightness(shade(x, y)) > flat, "{x} {y}");
                assert!(brightness(shade(-x, -y)) < flat, "{x} {y}");
                assert!(shade(x, y)[3] > shade(0.0, 0.0)[3]);
                assert_eq!(shade(x, y), shade(-y, -x));
            }
        }
    }

    /// Shown five times as steep, 1 in 5 is the 45° at which the light falls.
    #[test]
    fn a_slope_of_one_in_five_towards_the_light_is_the_brightest() {
        let side = 0.2 * core::f64::consts::FRAC_1_SQRT_2;
        let best = brightness(shade(side, -side));
        for part in [0.25, 0.5, 0.75, 1.5, 2.0, 4.0] {
            assert!(
                brightness(shade(part * side, -part * side)) < best,
                "{part}"
            );
        }
        let steep = shade(-9.0, 9.0);
        assert_eq!(steep[3], ((TINT + (1.0 - TINT) * 0.6) * 255.0) as u8);
    }

    #[test]
    fn where_there_is_no_ground_nothing_is_drawn() {
        let hole = relief(DVec2::new(40.0, 20.0), |at| {
            if at.x > 15.0 { f64::NAN } else { at.x }
        });
        assert_eq!(hole.range(), Some((0.0, 15.0)));
        assert_eq!(hole.pixel(15, 4, (0.0, 15.0)), [0; 4]);
        assert_ne!(hole.pixel(14, 4, (0.0, 15.0)), [0; 4]);
        let nothing = relief(DVec2::new(40.0, 20.0), |_| f64::NAN);
        assert_eq!((nothing.range(), nothing.shading()), (None, None));
        assert_eq!(nothing.contours(), ["", ""]);
    }

    /// Points of a path, which has its y downwards.
    fn points(d: &str, size: DVec2) -> Vec<DVec2> {
        let pairs = d.split(['M', 'L']).filter(|pair| !pair.is_empty());
        let point = |pair: &str| {
            let (x, y) = pair.split_once(' ').unwrap();
            DVec2::new(x.parse().unwrap(), size.y - y.parse::<f64>().unwrap())
        };
        pairs.map(point).collect()
    }

    #[test]
    fn contours_join_what_is_level_half_way_between_round_heights() {
        let size = DVec2::new(40.0, 20.0);
        let height = |at: DVec2| 0.9 * at.x + 0.4 * at.y - 11.3;
        let relief = relief(size, height);
        let (interval, (low, high)) = (relief.interval(), relief.range().unwrap());
        assert_eq!((interval, low), (5.0, -11.3));
        let mut found = std::collections::BTreeSet::new();
        for (bold, d) in relief.contours().iter().enumerate() {
            for point in points(d, size) {
                let level = height(point) / interval - 0.5;
                assert!((level - level.round()).abs() < 0.01, "{point}: {level}");
                assert_eq!(level.round() as i64 % 5 == 0, bold == 1, "{level}");
                found.insert(level.round() as i64);
            }
        }
        let wanted = (-20..40).filter(|&n| {
            let level = (n as f64 + 0.5) * interval;
            (low..high).contains(&level)
        });
        assert!(found.into_iter().eq(wanted));
    }

    #[test]
    fn contours_have_no_gaps() {
        let (size, top) = (DVec2::new(40.0, 20.0), DVec2::new(20.0, 10.0));
        let [fine, _] = relief(size, |at| at.distance(top)).contours();
        let arms: Vec<DVec2> = points(&fine, size)
            .iter()
            .map(|point| *point - top)
            .collect();
        for radius in [3.0, 5.0] {
            let near = |arm: &&DVec2| (arm.length() - radius).abs() < 0.3;
            for n in 0..24 {
                let way = DVec2::from_angle(f64::from(n) * core::f64::consts::TAU / 24.0);
                let met = arms
                    .iter()
                    .filter(near)
                    .any(|arm| arm.normalize().dot(way) > 0.85);
                assert!(met, "{radius} m, {way}");
            }
        }
    }

    #[test]
    fn the_picture_has_a_pixel_for_each_cell_the_upper_row_first() {
        let size = DVec2::new(40.0, 20.0);
        let hill = relief(size, |at| if at.y > 15.0 { 9.0 } else { 0.0 });
        let data = hill.shading().unwrap();
        let text = data.strip_prefix("data:image/png;base64,").unwrap();
        let mut picture = png::Decoder::new(std::io::Cursor::new(decoded(text)))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
        let info = picture.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (40, 20));
        assert_eq!(pixels[..4], hill.pixel(0, 19, (0.0, 9.0)));
        assert_eq!(pixels[pixels.len() - 4..], hill.pixel(39, 0, (0.0, 9.0)));
        assert_ne!(pixels[..3], pixels[pixels.len() - 4..pixels.len() - 1]);
    }

    /// What base 64 stands for.
    fn decoded(text: &str) -> Vec<u8> {
        let value = |c: u8| match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        let letters: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(value).collect();
        let groups = letters.chunks(4).flat_map(|group| {
            let bits = group
                .iter()
                .enumerate()
                .fold(0_u32, |bits, (n, &v)| bits | u32::from(v) << (18 - 6 * n));
            [16, 8, 0]
                .map(|shift| (bits >> shift) as u8)
                .into_iter()
                .take(group.len() - 1)
        });
        groups.collect()
    }

    #[test]
    fn a_slope_has_straight_contours_at_round_heights() {
        let terrain = Terrain::new(&GroundSpec::Slope(45.0), MeshUp::Y).unwrap();
        let window = Window {
            low: DVec2::ZERO,
            size: DVec2::new(100.0, 50.0),
        };
        let relief = Relief::new(&terrain, window);
        assert_eq!(relief.interval(), 10.0);
        let [fine, bold] = relief.contours();
        assert!(bold.starts_with("M5 50L5 "), "{}", &bold[..40]);
        assert!(fine.contains("M15 50L15 ") && !fine.contains("NaN"));
        assert!(
            relief
                .shading()
                .unwrap()
                .starts_with("data:image/png;base64,iVBOR")
        );
    }
}
