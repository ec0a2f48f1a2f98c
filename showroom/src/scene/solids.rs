//! Building blocks of shapes: tapered blocks, tubes, beams, and panels on faces.

use glam::{Vec3, Vec4};

use super::mesh::MeshData;

/// Distance of a panel from the face that it lies on (`m`).
const LIFT: f32 = 0.012;

/// A horizontal rectangle, symmetric about the vehicle's middle plane (`m`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    /// Rear and front end.
    pub(super) x: [f32; 2],
    /// Half of its width.
    pub(super) y: f32,
    /// Height.
    pub(super) z: f32,
}

impl Slab {
    pub(super) fn new(x: [f32; 2], y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    fn corner(&self, ahead: bool, left: bool) -> Vec3 {
        let y = if left { self.y } else { -self.y };
        Vec3::new(self.x[usize::from(ahead)], y, self.z)
    }
}

/// The faces of a block, counter-clockwise from outside, each beginning at its lower corner on the viewer's left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) front: [Vec3; 4],
    pub(super) rear: [Vec3; 4],
    pub(super) left: [Vec3; 4],
    pub(super) right: [Vec3; 4],
    pub(super) top: [Vec3; 4],
    pub(super) bottom: [Vec3; 4],
}

impl Block {
    pub(super) fn between(low: Slab, high: Slab) -> Self {
        let [l, h] = [low, high].map(|slab| move |ahead, left| slab.corner(ahead, left));
        let (f, r) = (true, false);
        Self {
            front: [l(f, false), l(f, true), h(f, true), h(f, false)],
            rear: [l(r, true), l(r, false), h(r, false), h(r, true)],
            left: [l(f, true), l(r, true), h(r, true), h(f, true)],
            right: [l(r, false), l(f, false), h(f, false), h(r, false)],
            top: [h(r, false), h(f, false), h(f, true), h(r, true)],
            bottom: [l(r, true), l(f, true), l(f, false), l(r, false)],
        }
    }

    fn faces(&self) -> [[Vec3; 4]; 6] {
        [
            self.front,
            self.rear,
            self.left,
            self.right,
            self.top,
            self.bottom,
        ]
    }
}

impl MeshData {
    /// Adds a block between two rectangles; returns its faces, for panels.
    pub(super) fn block(&mut self, low: Slab, high: Slab, color: Vec4) -> Block {
        let block = Block::between(low, high);
        for face in block.faces() {
            self.quad(face, color);
        }
        block
    }

    /// Adds a panel that lies on a face: within these shares of its width and of its height.
    pub(super) fn panel(
        &mut self,
        [a, b, c, d]: [Vec3; 4],
        across: [f32; 2],
        up: [f32; 2],
        color: Vec4,
    ) {
        let lift = (b - a).cross(d - a).normalize_or_zero() * LIFT;
        let at = |u: f32, v: f32| a.lerp(b, u).lerp(d.lerp(c, u), v) + lift;
        let face = [
            at(across[0], up[0]),
            at(across[1], up[0]),
            at(across[1], up[1]),
            at(across[0], up[1]),
        ];
        self.quad(face, color);
    }

    /// Adds a tube from one end to the other, closed at both, with the radius at each.
    pub(super) fn tube(&mut self, ends: [Vec3; 2], radii: [f32; 2], sides: u8, color: Vec4) {
        let [from, to] = ends;
        let along = (to - from).normalize_or(Vec3::Z);
        let (across, up) = along.any_orthonormal_pair();
        let at = |end: usize, n: u8| {
            let angle = core::f32::consts::TAU * f32::from(n) / f32::from(sides);
            ends[end] + (across * angle.cos() + up * angle.sin()) * radii[end]
        };
        for n in 0..sides {
            self.quad([at(0, n), at(0, n + 1), at(1, n + 1), at(1, n)], color);
            self.triangle([from, at(0, n + 1), at(0, n)], color);
            self.triangle([to, at(1, n), at(1, n + 1)], color);
        }
    }

    /// Adds the same on both sides: `add` is called with 1 for the left, −1 for the right.
    pub(super) fn both_sides(&mut self, mut add: impl FnMut(&mut Self, f32)) {
        add(self, 1.0);
        add(self, -1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What looks away from the eye is not drawn.
    #[test]
    fn faces_of_blocks_and_tubes_look_outwards() {
        let mut mesh = MeshData::default();
        let slab = |z: f32| Slab::new([-1.0, 2.0], 0.8 - 0.1 * z, z);
        let block = mesh.block(slab(-1.0), slab(1.0), Vec4::ONE);
        mesh.panel(block.left, [0.2, 0.8], [0.5, 0.9], Vec4::ONE);
        mesh.tube(
            [Vec3::new(0.5, 0.0, -2.0), Vec3::new(0.5, 0.0, 2.0)],
            [0.5, 0.3],
            8,
            Vec4::ONE,
        );
        let middle = Vec3::new(0.5, 0.0, 0.0);
        let sides = mesh.corners.iter().zip(&mesh.normals);
        for (corner, normal) in sides {
            let outward = (*corner - middle).dot(*normal);
            assert!(normal.length() > 0.99 && outward > 0.2, "{corner} {normal}");
        }
        let panel = &mesh.corners[36..42];
        assert!(panel.iter().all(|corner| corner.y > 0.7), "{panel:?}");
    }
}
