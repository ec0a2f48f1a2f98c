//! Pieces of ground as data: made coarser for the distance, with skirts that hide the gaps beside finer ones.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3, Vec4};

/// How far skirts hang from the edges of tiles (`m`): they hide gaps between fine and coarse neighbors.
const SKIRT: f32 = 1.5;

/// A tile: shaded vertices and triangles.
#[derive(Clone, Default)]
pub(super) struct Tile {
    pub(super) points: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) colors: Vec<Vec4>,
    pub(super) corners: Vec<u32>,
    /// Whether it is a part of a relief, with neighbors.
    pub(super) relief: bool,
}

impl Tile {
    /// The same with skirts below edges that no two triangles share, if it is one of several.
    pub(super) fn skirted(&self) -> Self {
        if !self.relief {
            return self.clone();
        }
        let mut open: BTreeMap<(u32, u32), [u32; 2]> = BTreeMap::new();
        for corners in self.corners.chunks_exact(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(a, b)| (corners[a], corners[b])) {
                let edge = (a.min(b), a.max(b));
                if open.remove(&edge).is_none() {
                    open.insert(edge, [a, b]);
                }
            }
        }
        let mut tile = self.clone();
        for [a, b] in open.into_values() {
            let below = tile.points.len() as u32;
            for top in [a, b].map(|n| n as usize) {
                tile.points.push(tile.points[top] - Vec3::Z * SKIRT);
                tile.normals.push(tile.normals[top]);
                tile.colors.push(tile.colors[top]);
            }
            tile.corners.extend([b, a, below, b, below, below + 1]);
        }
        tile
    }

    /// The same with corners further apart: of those in a cell, the nearest to its corner stands for all.
    pub(super) fn coarse(&self, side: f64) -> Self {
        let cell = |point: Vec3| (point.as_dvec3().truncate() / side).round();
        let off = |n: u32| {
            let point = self.points[n as usize];
            (point.as_dvec3().truncate() - cell(point) * side).length()
        };
        let mut nearest: BTreeMap<(i64, i64), u32> = BTreeMap::new();
        let key = |n: u32| {
            let cell = cell(self.points[n as usize]);
            (cell.x as i64, cell.y as i64)
        };
        for n in 0..self.points.len() as u32 {
            let stands = nearest.entry(key(n)).or_insert(n);
            if off(n) < off(*stands) {
                *stands = n;
            }
        }
        let mut tile = Self {
            relief: self.relief,
            ..Self::default()
        };
        let mut known: BTreeMap<u32, u32> = BTreeMap::new();
        for corners in self.corners.chunks_exact(3) {
            let stand = [corners[0], corners[1], corners[2]].map(|n| nearest[&key(n)]);
            let [a, b, c] = stand;
            if a == b || b == c || a == c {
                continue;
            }
            for n in stand {
                let place = *known.entry(n).or_insert_with(|| {
                    tile.points.push(self.points[n as usize]);
                    tile.normals.push(self.normals[n as usize]);
                    tile.colors.push(self.colors[n as usize]);
                    tile.points.len() as u32 - 1
                });
                tile.corners.push(place);
            }
        }
        tile
    }

    /// Adds a flat triangle.
    pub(super) fn face(&mut self, face: [DVec3; 3], color: Vec4) {
        let [a, b, c] = face.map(|corner| corner.as_vec3());
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Z);
        for point in [a, b, c] {
            self.corners.push(self.points.len() as u32);
            self.points.push(point);
            self.normals.push(normal);
            self.colors.push(color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles share one of five edges; below the others hang two triangles each.
    #[test]
    fn skirts_hang_from_edges_alone() {
        let square = Tile {
            points: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
                .map(|(x, y)| Vec3::new(x, y, 0.0))
                .to_vec(),
            normals: vec![Vec3::Z; 4],
            colors: vec![Vec4::ONE; 4],
            corners: vec![0, 1, 2, 0, 2, 3],
            relief: true,
        };
        let tile = square.skirted();
        assert_eq!(tile.corners.len(), 6 + 4 * 6);
        let below = tile.points.iter().filter(|point| point.z == -SKIRT).count();
        assert_eq!((below, tile.points.len()), (8, 12));
        assert!(
            tile.corners
                .iter()
                .all(|n| (*n as usize) < tile.points.len())
        );
    }
}
