//! The ground of a course and what stands on it, as colored triangles: smooth relief in tiles, and flat faces.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3, Vec4};
use jounce::scene::Triangles;
use proving_ground::course::Cover;
use proving_ground::ground::Solid;
use proving_ground::world::{ColliderShape, ColliderSpec};

/// Side of a tile, of which only near ones in sight are drawn (`m`).
const TILE: f64 = 64.0;
/// Height of the skirts below the edges of tiles (`m`): they hide gaps between fine and coarse neighbors.
const SKIRT: f32 = 1.5;
/// Materials of the ground, as the shaders tell them apart.
const GRASS: f32 = 1.0;
const ASPHALT: f32 = 2.0;
const CONCRETE: f32 = 3.0;
const GRAVEL: f32 = 4.0;
const ICE: f32 = 5.0;
const WET: f32 = 6.0;
const WARNING: f32 = 7.0;
const FACADE: f32 = 8.0;
const CURB: f32 = 9.0;
const SMOOTH: f32 = 0.0;
/// Half of the side of a plain without end (`m`).
const PLAIN: f64 = 1500.0;

/// A tile: shaded vertices and triangles.
#[derive(Clone, Default)]
pub(super) struct Tile {
    pub(super) points: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) colors: Vec<Vec4>,
    pub(super) corners: Vec<u32>,
}

/// The relief of a course.
pub(super) fn relief(solid: &Solid) -> Vec<Tile> {
    match solid {
        Solid::Triangles(triangles) => tiled(triangles),
        Solid::HeightField(field) => tiled(&field.triangles()),
        Solid::HalfSpace { .. } => vec![plain()],
    }
}

/// Builds a tile of the fixed colliders that stand on it; `None` without any.
pub(super) fn parts(fixed: &[ColliderSpec]) -> Option<Tile> {
    let mut parts = Tile::default();
    for (n, spec) in fixed.iter().enumerate() {
        parts.add_part(spec, n);
    }
    (!parts.corners.is_empty()).then_some(parts)
}

impl Tile {
    /// Tiles with fewer triangles, level by level, each made from the one before; with the distance from which each is drawn.
    pub(super) fn coarser(&self, levels: &[(f32, f64)]) -> impl Iterator<Item = (f32, Self)> {
        let mut last = self.clone();
        levels.iter().filter_map(move |(from, cell)| {
            let next = last.coarse(*cell);
            let fewer = next.corners.len() < last.corners.len();
            last = next;
            fewer.then(|| (*from, last.clone()))
        })
    }

    /// This tile with skirts below its edges between tiles.
    pub(super) fn skirted(&self) -> Self {
        let mut tile = self.clone();
        for corners in self.corners.chunks_exact(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(a, b)| (corners[a], corners[b])) {
                if on_edge(self.points[a as usize], self.points[b as usize]) {
                    tile.hang([a, b]);
                }
            }
        }
        tile
    }

    fn hang(&mut self, [a, b]: [u32; 2]) {
        let below = self.points.len() as u32;
        for top in [a, b].map(|n| n as usize) {
            self.points.push(self.points[top] - Vec3::Z * SKIRT);
            self.normals.push(self.normals[top]);
            self.colors.push(self.colors[top]);
        }
        self.corners.extend([b, a, below, b, below, below + 1]);
    }

    /// This tile with corners further apart: of those in a cell of this size (`m`), the nearest to its corner stands for all.
    fn coarse(&self, size: f64) -> Self {
        let cell = |point: Vec3| (point.as_dvec3().truncate() / size).round();
        let off = |n: u32| {
            let point = self.points[n as usize];
            (point.as_dvec3().truncate() - cell(point) * size).length()
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
        let mut tile = Self::default();
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
    fn face(&mut self, face: [DVec3; 3], color: Vec4) {
        let [a, b, c] = face.map(|corner| corner.as_vec3());
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Z);
        for point in [a, b, c] {
            self.corners.push(self.points.len() as u32);
            self.points.push(point);
            self.normals.push(normal);
            self.colors.push(color);
        }
    }

    fn add_part(&mut self, spec: &ColliderSpec, n: usize) {
        let color = paint(spec, n);
        let Some(triangles) = spec.triangles() else {
            return;
        };
        for corners in &triangles.corners {
            let face = corners.map(|corner| triangles.vertices[corner as usize]);
            let level = face.iter().all(|corner| corner.z == face[0].z);
            // Roofs have no windows, and edges of pavements are curbs.
            let color = match color.w {
                FACADE if level => color.with_w(SMOOTH) * 0.8,
                CONCRETE if !level => Vec4::new(0.92, 0.91, 0.88, CURB),
                _ => color,
            };
            self.face(face, color);
        }
    }
}

/// The color of a part: covers, pavements, houses, ramps. Alpha is the material.
fn paint(spec: &ColliderSpec, n: usize) -> Vec4 {
    const HOUSES: [Vec3; 4] = [
        Vec3::new(0.80, 0.66, 0.52),
        Vec3::new(0.70, 0.42, 0.34),
        Vec3::new(0.74, 0.75, 0.72),
        Vec3::new(0.55, 0.62, 0.66),
    ];
    let cover = Cover::ALL
        .into_iter()
        .find(|cover| cover.material() == spec.material);
    match (cover, &spec.shape) {
        (Some(Cover::Ice), _) => Vec4::new(0.70, 0.86, 0.97, ICE),
        (Some(Cover::Gravel), _) => Vec4::new(0.70, 0.61, 0.47, GRAVEL),
        (Some(Cover::Wet), _) => Vec4::new(0.25, 0.28, 0.33, WET),
        (_, ColliderShape::Cuboid(half)) if half.z > 1.0 => HOUSES[n % 4].extend(FACADE),
        (_, ColliderShape::Cuboid(_)) => Vec4::new(0.68, 0.68, 0.66, CONCRETE),
        _ => Vec4::new(0.92, 0.70, 0.14, WARNING),
    }
}

/// Whether a line lies on an edge between tiles.
fn on_edge(a: Vec3, b: Vec3) -> bool {
    let along = |a: f32, b: f32| a == b && f64::from(a) % TILE == 0.0;
    along(a.x, b.x) || along(a.y, b.y)
}

/// A level plain.
fn plain() -> Tile {
    let color = Vec4::new(0.50, 0.52, 0.54, ASPHALT);
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0) * PLAIN;
    let mut tile = Tile::default();
    tile.face([at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)], color);
    tile.face([at(-1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)], color);
    tile
}

/// Smooth relief in tiles, green below and paler above and where it is steep.
fn tiled(triangles: &Triangles) -> Vec<Tile> {
    let points: Vec<Vec3> = triangles.vertices.iter().map(|v| v.as_vec3()).collect();
    let mut normals = vec![Vec3::ZERO; points.len()];
    for corners in &triangles.corners {
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        let normal = (b - a).cross(c - a);
        for corner in corners {
            normals[*corner as usize] += normal * normal.z.signum();
        }
    }
    let mut tiles: BTreeMap<(i64, i64), (Tile, BTreeMap<u32, u32>)> = BTreeMap::new();
    for corners in &triangles.corners {
        let corners = upwards(*corners, &points);
        let first = triangles.vertices[corners[0] as usize] / TILE;
        let key = (first.x.floor() as i64, first.y.floor() as i64);
        let (tile, known) = tiles.entry(key).or_default();
        for corner in corners {
            let index = *known.entry(corner).or_insert_with(|| {
                let (point, normal) = (
                    points[corner as usize],
                    normals[corner as usize].normalize_or(Vec3::Z),
                );
                tile.points.push(point);
                tile.normals.push(normal);
                tile.colors.push(grass(point, normal));
                tile.points.len() as u32 - 1
            });
            tile.corners.push(index);
        }
    }
    tiles.into_values().map(|(tile, _)| tile).collect()
}

/// Counter-clockwise from above: what looks away from the eye is not drawn.
fn upwards([a, b, c]: [u32; 3], points: &[Vec3]) -> [u32; 3] {
    let [p, q, r] = [a, b, c].map(|n| points[n as usize]);
    if (q - p).cross(r - p).z < 0.0 {
        [a, c, b]
    } else {
        [a, b, c]
    }
}

fn grass(point: Vec3, normal: Vec3) -> Vec4 {
    let steep = ((1.0 - normal.z) * 14.0).clamp(0.0, 1.0);
    let high = (point.z / 14.0 * 0.5 + 0.5).clamp(0.0, 1.0);
    let low = Vec3::new(0.33, 0.49, 0.22);
    let color = low
        .lerp(Vec3::new(0.60, 0.64, 0.34), high)
        .lerp(Vec3::new(0.58, 0.50, 0.38), 0.7 * steep);
    color.extend(GRASS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles on a tile's corner have two of five lines on edges; two triangles hang below each.
    #[test]
    fn skirts_hang_from_edges_between_tiles() {
        let square = Tile {
            points: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
                .map(|(x, y)| Vec3::new(x, y, 0.0))
                .to_vec(),
            normals: vec![Vec3::Z; 4],
            colors: vec![Vec4::ONE; 4],
            corners: vec![0, 1, 2, 0, 2, 3],
        };
        let tile = square.skirted();
        let below = tile.points.iter().filter(|point| point.z == -SKIRT);
        assert_eq!((below.count(), tile.corners.len()), (4, 6 + 2 * 6));
        assert!(
            tile.corners
                .iter()
                .all(|n| (*n as usize) < tile.points.len())
        );
    }
}
