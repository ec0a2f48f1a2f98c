//! Moving pictures as the showroom writes them: animated PNGs with a palette, whose lines are not filtered.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::ZlibDecoder;

use crate::files::named;

/// Side of the squares that are compared (pixels).
const SQUARE: usize = 16;

/// A moving picture.
#[derive(Debug)]
pub(crate) struct Film {
    /// Width and height (pixels).
    size: (usize, usize),
    palette: Vec<u8>,
    /// Places in the palette, line by line.
    frames: Vec<Vec<u8>>,
}

impl Film {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(named(path))?;
        Self::of(&bytes)
            .ok_or_else(|| format!("{}: no moving picture with a palette", path.display()))
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        let (width, height) = size(bytes)?;
        let (mut palette, mut packed) = (Vec::new(), Vec::new());
        for (kind, data) in chunks(bytes) {
            match kind {
                b"PLTE" => palette = data.to_vec(),
                b"fcTL" => packed.push(Vec::new()),
                b"IDAT" => packed.last_mut()?.extend_from_slice(data),
                // A number comes first.
                b"fdAT" => packed.last_mut()?.extend_from_slice(data.get(4..)?),
                _ => {}
            }
        }
        let size = (width as usize, height as usize);
        let frames = packed.iter().map(|packed| unpacked(packed, size));
        Some(Self {
            size,
            palette,
            frames: frames.collect::<Option<_>>()?,
        })
    }

    /// The color that differs most between two films, in squares of their frames: 0 to 255; `None` if their sizes or
    /// lengths differ.
    pub(crate) fn apart(&self, other: &Self) -> Option<f64> {
        let alike = self.size == other.size && self.frames.len() == other.frames.len();
        let frames = 0..self.frames.len();
        let apart = frames.map(|n| {
            let squares = self.squares(n).into_iter().zip(other.squares(n));
            squares.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        });
        alike.then(|| apart.fold(0.0, f64::max))
    }

    /// Mean colors of the squares of a frame.
    fn squares(&self, frame: usize) -> Vec<f64> {
        let across = self.size.0.div_ceil(SQUARE);
        let mut sums = vec![[0.0; 4]; across * self.size.1.div_ceil(SQUARE)];
        for (n, place) in self.frames[frame].iter().enumerate() {
            let (x, y) = (n % self.size.0, n / self.size.0);
            let sum = &mut sums[y / SQUARE * across + x / SQUARE];
            let color = self.palette.iter().skip(3 * usize::from(*place));
            sum.iter_mut()
                .zip(color.take(3))
                .for_each(|(sum, value)| *sum += f64::from(*value));
            sum[3] += 1.0;
        }
        sums.iter()
            .flat_map(|[r, g, b, count]| [r / count, g / count, b / count])
            .collect()
    }
}

/// Lines of a frame without their filters' numbers.
fn unpacked(packed: &[u8], (width, height): (usize, usize)) -> Option<Vec<u8>> {
    let mut lines = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut lines).ok()?;
    let whole = lines.len() == (width + 1) * height;
    let plain = || lines.chunks_exact(width + 1).all(|line| line[0] == 0);
    (whole && plain()).then(|| {
        lines
            .chunks_exact(width + 1)
            .flat_map(|line| &line[1..])
            .copied()
            .collect()
    })
}

/// Names and contents of the chunks of a PNG.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = bytes.get(8..).unwrap_or_default();
    core::iter::from_fn(move || {
        let length = number(rest, 0)? as usize;
        let chunk = (rest.get(4..8)?, rest.get(8..8 + length)?);
        // A checksum follows.
        rest = rest.get(12 + length..)?;
        Some(chunk)
    })
}

/// Width and height of a PNG, from its header.
pub(crate) fn picture_size(path: &Path) -> Result<(u32, u32), String> {
    let bytes = fs::read(path).map_err(named(path))?;
    size(&bytes).ok_or_else(|| format!("{}: not a picture", path.display()))
}

fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    number(bytes, 16).zip(number(bytes, 20))
}

fn number(bytes: &[u8], from: usize) -> Option<u32> {
    let four = bytes.get(from..from + 4)?;
    four.try_into().ok().map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use std::io::Write as _;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&length[..], kind, data, &[0; 4]].concat()
    }

    /// A film 32 wide and 16 high: in each frame, the left half has one place of the palette, the right half another one.
    fn film(frames: &[[u8; 2]]) -> Vec<u8> {
        let header = [
            &32_u32.to_be_bytes()[..],
            &16_u32.to_be_bytes(),
            &[8, 3, 0, 0, 0],
        ]
        .concat();
        let mut bytes = [
            &[0; 8][..],
            &chunk(b"IHDR", &header),
            &chunk(b"PLTE", &[0, 0, 0, 10, 20, 200]),
        ]
        .concat();
        for (n, [left, right]) in frames.iter().enumerate() {
            let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
            for _ in 0..16 {
                packer
                    .write_all(&[&[0][..], &[*left; 16], &[*right; 16]].concat())
                    .unwrap();
            }
            let packed = packer.finish().unwrap();
            bytes.extend(chunk(b"fcTL", &[0; 26]));
            bytes.extend(match n {
                0 => chunk(b"IDAT", &packed),
                _ => chunk(b"fdAT", &[&[0; 4][..], &packed].concat()),
            });
        }
        bytes
    }

    #[test]
    fn films_are_compared_square_by_square() {
        let read = |frames: &[[u8; 2]]| Film::of(&film(frames)).unwrap();
        let dark = read(&[[0, 0], [0, 0]]);
        assert_eq!((dark.size, dark.frames.len()), ((32, 16), 2));
        assert_eq!(dark.apart(&read(&[[0, 0], [0, 0]])), Some(0.0));
        // One square of the last frame; the blue differs most.
        assert_eq!(dark.apart(&read(&[[0, 0], [0, 1]])), Some(200.0));
        assert_eq!(dark.apart(&read(&[[0, 0]])), None);
    }

    #[test]
    fn what_is_no_film_is_refused() {
        let bytes = film(&[[0, 1]]);
        assert_eq!(size(&bytes), Some((32, 16)));
        for short in [0, 20, bytes.len() - 20] {
            let frames = Film::of(&bytes[..short]).map_or(0, |film| film.frames.len());
            assert_eq!(frames, 0, "{short} bytes");
        }
    }
}
