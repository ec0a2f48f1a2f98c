//! Graphs as data: boxes, lines and colors, for any renderer (PhysX vehicle SDK, ALGORITHMS §6.7).

use alloc::vec;
use alloc::vec::Vec;

use crate::channel::Channel;
use crate::ring::{Ring, SAMPLES};

/// A color: red, green, blue.
pub type Color = [u8; 3];

/// Appearance of graphs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Color behind the line.
    pub background: Color,
    /// Opacity of the background, 0…1.
    pub opacity: f32,
    /// Color of samples below the channel's middle.
    pub low: Color,
    /// Color of all other samples.
    pub high: Color,
}

impl Style {
    /// PhysX's style: blue and red on translucent white.
    pub const PHYSX: Self = Self {
        background: [255, 255, 255],
        opacity: 0.5,
        low: [0, 0, 255],
        high: [255, 0, 0],
    };
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphPoint {
    /// Position: x to the right, y up, in the units of the box.
    pub place: [f32; 2],
    /// The color of the sample.
    pub color: Color,
}

/// The graph of one channel: a box on the screen, x to the right and y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Graph {
    /// Center of the box.
    pub center: [f32; 2],
    /// Width and height of the box.
    pub size: [f32; 2],
    /// Appearance of the graph.
    pub style: Style,
}

impl Graph {
    /// The lower left and the upper right corner of the box.
    #[must_use]
    pub fn corners(&self) -> [[f32; 2]; 2] {
        let [(x, width), (y, height)] = [0, 1].map(|axis| (self.center[axis], self.size[axis]));
        let (half_width, half_height) = (0.5 * width, 0.5 * height);
        [
            [x - half_width, y - half_height],
            [x + half_width, y + half_height],
        ]
    }

    /// The line of a channel, from the oldest sample on the left to the newest on the right. A box
    /// is [`SAMPLES`] wide: fewer begin further right. Samples beyond the channel's range are
    /// clamped to its edge.
    pub fn line<'a>(
        &'a self,
        channel: Channel,
        ring: &'a Ring,
    ) -> impl Iterator<Item = GraphPoint> + 'a {
        let missing = SAMPLES - ring.len();
        let samples = ring.iter().enumerate();
        samples.map(move |(n, sample)| self.point(channel, missing + n, sample))
    }

    /// The point of the sample in slot `slot` of the box.
    fn point(&self, channel: Channel, slot: usize, sample: f32) -> GraphPoint {
        let [[left, bottom], _] = self.corners();
        let across = slot as f32 / SAMPLES as f32;
        let up = (sample - channel.min) / (channel.max - channel.min);
        GraphPoint {
            place: [
                left + self.size[0] * across,
                bottom + self.size[1] * up.clamp(0.0, 1.0),
            ],
            color: if sample < channel.mid {
                self.style.low
            } else {
                self.style.high
            },
        }
    }
}

/// Screen positions of a vehicle's graphs: one for the engine, one per wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Graph of the engine.
    pub engine: Graph,
    /// Graphs of the wheels.
    pub wheels: Vec<Graph>,
}

impl Layout {
    /// The layout of PhysX's guide for a screen from (0, 0) to (1, 1): the engine's graph in the
    /// middle, those of the four wheels around it as seen from above, front up.
    #[must_use]
    pub fn four_wheeler() -> Self {
        let graph = |center| Graph {
            center,
            size: [0.25, 0.25],
            style: Style::PHYSX,
        };
        Self {
            engine: graph([0.5, 0.5]),
            wheels: vec![
                graph([0.25, 0.75]),
                graph([0.75, 0.75]),
                graph([0.25, 0.25]),
                graph([0.75, 0.25]),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: Graph = Graph {
        center: [100.0, 50.0],
        size: [64.0, 20.0],
        style: Style::PHYSX,
    };
    const CHANNEL: Channel = Channel {
        key: "test",
        name: "a",
        unit: "",
        min: -1.0,
        mid: 0.5,
        max: 3.0,
    };

    fn line(samples: &[f32]) -> Vec<GraphPoint> {
        let mut ring = Ring::default();
        samples.iter().for_each(|sample| ring.push(*sample));
        GRAPH.line(CHANNEL, &ring).collect()
    }

    #[test]
    fn a_box_stands_around_its_middle() {
        assert_eq!(GRAPH.corners(), [[68.0, 40.0], [132.0, 60.0]]);
    }

    #[test]
    fn the_newest_sample_is_always_on_the_right() {
        let points = line(&[1.0, 2.0]);
        assert_eq!(points.len(), 2);
        assert_eq!(points[1].place, [68.0 + 64.0 * 255.0 / 256.0, 55.0]);
        assert_eq!(line(&[0.0; 700])[0].place[0], 68.0);
        assert!(line(&[]).is_empty());
    }

    #[test]
    fn samples_are_clamped_and_colored_by_the_middle() {
        let points = line(&[-9.0, 0.49, 0.5, 9.0]);
        let y = |n: usize| points[n].place[1];
        assert_eq!((y(0), y(3)), (40.0, 60.0));
        let colors: Vec<Color> = points.iter().map(|point| point.color).collect();
        let Style { low, high, .. } = Style::PHYSX;
        assert_eq!(colors, [low, low, high, high]);
    }

    /// A sample's position in the box follows its position in the channel's range, in both
    /// directions.
    #[test]
    fn a_points_position_follows_its_samples_range() {
        for (slot, sample, place, color) in [
            (0, -1.0, [68.0, 40.0], Style::PHYSX.low),
            (64, 0.0, [84.0, 45.0], Style::PHYSX.low),
            (128, 0.5, [100.0, 47.5], Style::PHYSX.high),
            (192, 2.0, [116.0, 55.0], Style::PHYSX.high),
        ] {
            let point = GRAPH.point(CHANNEL, slot, sample);
            assert_eq!(point, GraphPoint { place, color });
        }
    }

    /// The four wheels from above, front up, in wheel order; no two graphs overlap.
    #[test]
    fn the_graphs_of_a_four_wheeler_are_arranged_like_its_wheels() {
        let layout = Layout::four_wheeler();
        let [left, right, rear_left, rear_right] = [0, 1, 2, 3].map(|n| layout.wheels[n].center);
        assert_eq!((left[0], left[1]), (rear_left[0], right[1]));
        assert_eq!((right[0], rear_left[1]), (rear_right[0], rear_right[1]));
        assert!(left[0] < layout.engine.center[0] && layout.engine.center[0] < right[0]);
        assert!(rear_left[1] < layout.engine.center[1] && layout.engine.center[1] < left[1]);
        let [[.., bottom], _] = layout.wheels[0].corners();
        let [_, [.., top]] = layout.engine.corners();
        assert!(top <= bottom);
    }
}
