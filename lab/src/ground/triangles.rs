//! The triangles of an `.obj` text that is known to be sound.

use glam::{DVec2, DVec3};

/// Vertices and which three of them each triangle joins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Vertices [m, world].
    pub vertices: Vec<DVec3>,
    /// Corners of each triangle, counted from 0.
    pub corners: Vec<[u32; 3]>,
}

impl Triangles {
    /// Reads a text that [`TriangleMesh::from_obj`](jounce::scene::TriangleMesh::from_obj)
    /// accepts; what it would refuse is left out.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut triangles = Self::default();
        for line in text.replace("\\\r\n", " ").replace("\\\n", " ").lines() {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let mut number = || words.next().and_then(|w| w.parse().ok()).unwrap_or(0.0);
                    let vertex = DVec3::new(number(), number(), number());
                    triangles.vertices.push(vertex);
                }
                Some("f") => {
                    let corners: Vec<u32> =
                        words.filter_map(|word| triangles.corner(word)).collect();
                    let fan = corners.get(1..).unwrap_or_default().windows(2);
                    let fan = fan.map(|pair| [corners[0], pair[0], pair[1]]);
                    triangles.corners.extend(fan);
                }
                _ => {}
            }
        }
        triangles
    }

    /// The vertex, from 0, that a word of a face names: from 1, or back from the latest.
    fn corner(&self, word: &str) -> Option<u32> {
        let number: i64 = word.split('/').next()?.parse().ok()?;
        let count = i64::try_from(self.vertices.len()).ok()?;
        let index = if number < 0 {
            count + number
        } else {
            number - 1
        };
        u32::try_from(index).ok().filter(|_| index < count)
    }

    /// Makes y-up coordinates z-up ones, x staying x.
    pub fn turn_up(&mut self) {
        for v in &mut self.vertices {
            *v = DVec3::new(v.x, -v.z, v.y);
        }
    }

    /// The middle of their bounds seen from above [m].
    #[must_use]
    pub fn middle(&self) -> DVec2 {
        let bounds = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = self
            .vertices
            .iter()
            .fold(bounds, |(low, high), &v| (low.min(v), high.max(v)));
        let middle = (low + high) * 0.5;
        DVec2::new(middle.x, middle.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fans_names_and_continued_lines_are_read() {
        let text = "v 0 0 0 # corner\nv 2 0 0\nv 2 4 0\nv 0 4 1\nvt 0 0\nf 1/1 2//3 \\\n -2 -1\n";
        let triangles = Triangles::read(text);
        assert_eq!(triangles.corners, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangles.middle(), DVec2::new(1.0, 2.0));
    }

    #[test]
    fn up_is_turned_up() {
        let mut triangles = Triangles::read("v 1 2 3\n");
        triangles.turn_up();
        assert_eq!(triangles.vertices, [DVec3::new(1.0, -3.0, 2.0)]);
    }
}
