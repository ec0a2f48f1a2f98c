//! A run by a script as a moving picture: an animated PNG of half the size and 256 colors, which pages and readmes show.

use core::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use three_d::RenderTarget;

/// Every how many frames (of 1/60 s) one is kept.
const EVERY: u64 = 5;
/// Pixels that the palette is chosen by, of all frames.
const SAMPLES: usize = 200_000;
/// Speed of the palette search, from 1 (best palette) to 30 (fastest).
const HASTE: i32 = 3;

/// The frames so far.
#[derive(Debug)]
pub(crate) struct Movie {
    path: PathBuf,
    size: (u32, u32),
    /// Red, green, blue, opacity.
    frames: Vec<Vec<[u8; 4]>>,
}

impl Movie {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            size: (0, 0),
            frames: Vec::new(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a frame if it is its turn.
    pub(crate) fn look(&mut self, frame: u64, target: &RenderTarget<'_>) {
        if frame.is_multiple_of(EVERY) {
            self.size = (target.width() / 2, target.height() / 2);
            let pixels: Vec<[u8; 4]> = target.read_color();
            self.frames.push(halved(&pixels, target.width() as usize));
        }
    }

    /// Writes the file.
    pub(crate) fn write(&self) -> Result<(), Box<dyn Error>> {
        let pixels = || self.frames.iter().flatten();
        let step = (pixels().count() / SAMPLES).max(1);
        let sample: Vec<u8> = pixels().step_by(step).flatten().copied().collect();
        let colors = NeuQuant::new(HASTE, 256, &sample);
        let file = BufWriter::new(File::create(&self.path)?);
        let mut encoder = Encoder::new(file, self.size.0, self.size.1);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(colors.color_map_rgb());
        encoder.set_compression(Compression::High);
        encoder.set_filter(Filter::NoFilter);
        encoder.set_animated(u32::try_from(self.frames.len())?, 0)?;
        encoder.set_frame_delay(u16::try_from(EVERY)?, 60)?;
        let mut writer = encoder.write_header()?;
        for frame in &self.frames {
            let indices: Vec<u8> = frame
                .iter()
                .map(|pixel| colors.index_of(pixel) as u8)
                .collect();
            writer.write_image_data(&indices)?;
        }
        writer.finish()?;
        Ok(())
    }
}

/// The picture at half its width and height: the means of two by two pixels.
fn halved(pixels: &[[u8; 4]], width: usize) -> Vec<[u8; 4]> {
    let lines: Vec<&[[u8; 4]]> = pixels.chunks_exact(width).collect();
    let rows = lines.chunks_exact(2);
    let mean = |[a, b]: [&[[u8; 4]]; 2]| {
        let sum = |channel: usize| {
            [a, b]
                .into_iter()
                .flatten()
                .map(|pixel| u16::from(pixel[channel]))
                .sum::<u16>()
        };
        [0, 1, 2, 3].map(|channel| (sum(channel) / 4) as u8)
    };
    rows.flat_map(|two| two[0].chunks_exact(2).zip(two[1].chunks_exact(2)))
        .map(|(upper, lower)| mean([upper, lower]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_picture_has_the_means_of_its_pixels() {
        let gray = |value: u8| [value, value, value, 255];
        let picture = [
            gray(0),
            gray(4),
            gray(100),
            gray(100),
            gray(8),
            gray(8),
            gray(200),
            gray(200),
            gray(9),
        ];
        // Three wide: the last column and row have no partner.
        assert_eq!(halved(&picture, 3), [gray(28)]);
        assert_eq!(halved(&picture[..8], 4), [gray(5), gray(150)]);
    }
}
