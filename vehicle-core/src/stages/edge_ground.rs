//! Ground of wheels that roll over an edge or against a wall within a step: planes of its parts, and obstacles.
//!
//! One plane for a whole step is as good as the ground is flat there. At an edge, a wheel rises within a few centimeters of its
//! way: there a step has up to 480 parts a second, each with the plane that leads to where the wheel stands at its end.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use glam::{Mat3, Vec3};

use crate::base::lanes::{LANES, Mask4, V3x4, W4};
use crate::exchange::state::WheelState;
use crate::stages::contact::{GroundPlanes, SweptWheels};
use crate::stages::section::Obstacle;
use crate::stages::suspension;
use crate::stages::wheel_consts::WheelConsts;

/// Parts of a second (`1/s`).
const RATE: f32 = 480.0;
/// Most parts of a step.
pub(crate) const MOST_PARTS: usize = 16;

/// Most walls in the way of a vehicle's wheels: two at each of the wheels of a large one.
pub const MOST_OBSTACLES: usize = 40;
/// Cosine between the directions of two triangles from which on they are one wall (–).
const SAME_WALL: f32 = 0.999;

/// Number of parts of a step of `time` (`s`).
pub(crate) fn parts_of(time: f32) -> usize {
    // Within rounding, 1/240 s has two.
    let whole = (time * RATE + 0.999) as usize;
    whole.clamp(1, MOST_PARTS)
}

/// Planes under wheels at edges, for each part of a step, and walls in their way; none in a step without such wheels.
#[derive(Clone, Debug)]
pub struct EdgeGround {
    count: usize,
    /// Wheels at edges, per group.
    edges: Box<[Mask4]>,
    /// Planes at the ends of the parts, the groups of the first part first.
    planes: Box<[GroundPlanes]>,
    /// Walls, up to [`MOST_OBSTACLES`].
    obstacles: Vec<Obstacle>,
}

impl EdgeGround {
    /// No parts, for so many groups of wheels.
    #[must_use]
    pub fn none(groups: usize) -> Self {
        Self {
            count: 0,
            edges: vec![Mask4::NONE; groups].into(),
            planes: vec![GroundPlanes::default(); groups * MOST_PARTS].into(),
            obstacles: Vec::with_capacity(MOST_OBSTACLES),
        }
    }

    /// Begins a step without edges and walls.
    pub(crate) fn begin(&mut self) {
        self.count = 0;
        self.edges.fill(Mask4::NONE);
        self.obstacles.clear();
    }

    /// Forgets parts and walls: the ground moves away from them.
    pub(crate) fn keep_edges_only(&mut self) {
        self.count = 0;
        self.obstacles.clear();
    }

    /// Divides the step into `count` parts.
    pub(crate) fn divide(&mut self, count: usize) {
        self.count = count;
        self.planes.fill(GroundPlanes::default());
    }

    /// Number of parts; 0 if no wheel is at an edge or a wall.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Notes that a wheel is at an edge.
    pub(crate) fn note_edge(&mut self, wheel: usize) {
        let (g, lane) = (wheel / LANES, wheel % LANES);
        self.edges[g] = self.edges[g] | Mask4::only(lane);
    }

    /// Wheels of group `g` at edges, if any are.
    #[must_use]
    pub(crate) fn wheels(&self, g: usize) -> Option<Mask4> {
        Some(self.edges[g]).filter(|edges| edges.any())
    }

    /// Sets the plane on which a wheel stands at the end of a part.
    pub(crate) fn set(&mut self, part: usize, wheel: usize, normal: Vec3, height: f32) {
        let (g, lane) = (wheel / LANES, wheel % LANES);
        let planes = &mut self.planes[part * self.edges.len() + g];
        let V3x4 { x, y, z } = planes.normal;
        planes.normal = V3x4 {
            x: x.with_lane(lane, normal.x),
            y: y.with_lane(lane, normal.y),
            z: z.with_lane(lane, normal.z),
        };
        planes.height = planes.height.with_lane(lane, height);
    }

    /// Adds a wall, if there is room for it; of two triangles of one wall, the nearer counts.
    pub(crate) fn add(&mut self, new: &Obstacle) {
        let same = |old: &&mut Obstacle| {
            old.hub == new.hub && old.direction.dot(new.direction) > SAME_WALL
        };
        if let Some(old) = self.obstacles.iter_mut().find(same) {
            if new.gap < old.gap {
                *old = *new;
            }
        } else if self.obstacles.len() < MOST_OBSTACLES {
            self.obstacles.push(*new);
        }
    }

    /// Walls in the way of wheels.
    #[must_use]
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Moves the planes with a center of mass that has `moved` since the probe (`m`, world axes).
    pub(crate) fn follow(&mut self, moved: Vec3) {
        for planes in &mut self.planes {
            planes.height += planes.normal.dot(V3x4::splat(moved));
        }
        for obstacle in &mut self.obstacles {
            obstacle.gap += obstacle.direction.dot(moved);
        }
    }

    /// Replaces the planes of group `g` by those that lead to them, from the `first` ones, on which its wheels stand; they will
    /// be displaced by `displacement` at the step's end (`m`, vehicle frame).
    pub(crate) fn lead(
        &mut self,
        g: usize,
        (k, matrix): (&WheelConsts, &Mat3),
        first: GroundPlanes,
        swept: Option<&SweptWheels>,
        displacement: V3x4,
    ) {
        let each = displacement * W4::splat(1.0 / self.count as f32);
        let mut start = first;
        for part in 0..self.count {
            let planes = &mut self.planes[part * self.edges.len() + g];
            let next = *planes;
            // As seen by wheels that are already at the start of the part.
            let gone = (each * W4::splat(part as f32)).rotated(matrix);
            let seen = |of: &GroundPlanes, sign: f32| GroundPlanes {
                normal: of.normal,
                height: of.height + of.normal.dot(gone) * W4::splat(sign),
            };
            let ends = [&seen(&start, 1.0), &seen(&next, 1.0)];
            *planes = seen(&suspension::chord(k, matrix, ends, swept, each), -1.0);
            start = next;
        }
    }

    /// Stores the planes of substep `n` of `count` as those of the wheels at edges.
    pub(crate) fn store(&self, n: usize, count: usize, g: usize, wheels: &mut WheelState) {
        let planes = &self.planes[n * self.count / count * self.edges.len() + g];
        let edges = self.edges[g];
        wheels.ground_normal = planes.normal.kept_or(edges, wheels.ground_normal);
        wheels.ground_height = edges.select(planes.height, wheels.ground_height);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(1.0 / 30.0, 16)]
    #[case(1.0 / 60.0, 8)]
    #[case(1.0 / 240.0, 2)]
    #[case(1.0 / 960.0, 1)]
    #[case(1.0, MOST_PARTS)]
    fn parts_last_a_480th_of_a_second(#[case] time: f32, #[case] count: usize) {
        assert_eq!(parts_of(time), count);
    }

    /// Wheels at edges have the plane of the part in which a substep is, others keep theirs.
    #[test]
    fn substeps_have_the_planes_of_their_parts() {
        let mut edges = EdgeGround::none(2);
        edges.divide(2);
        edges.note_edge(5);
        for part in 0..2 {
            edges.set(part, 5, Vec3::X, part as f32);
        }
        let before = WheelState {
            ground_normal: V3x4::splat(Vec3::Z),
            ..WheelState::AT_REST
        };
        let heights = [0, 1, 2, 3].map(|n| {
            let mut wheels = before;
            edges.store(n, 4, 1, &mut wheels);
            assert_eq!(wheels.ground_normal.lane(0), Vec3::Z);
            assert_eq!(wheels.ground_normal.lane(1), Vec3::X);
            wheels.ground_height.lane(1)
        });
        assert_eq!(heights, [0.0, 0.0, 1.0, 1.0]);
        edges.keep_edges_only();
        assert_eq!((edges.count(), edges.wheels(1)), (0, Some(Mask4::only(1))));
        edges.begin();
        assert_eq!((edges.count(), edges.wheels(1)), (0, None));
    }

    /// Triangles of one wall are one obstacle, the nearer one; another wall is another.
    #[test]
    fn walls_are_told_apart() {
        let mut edges = EdgeGround::none(1);
        let wall = |direction, gap| Obstacle {
            direction,
            hub: Vec3::Y,
            gap,
        };
        for obstacle in [wall(Vec3::X, 0.2), wall(Vec3::X, 0.1), wall(Vec3::Y, 0.3)] {
            edges.add(&obstacle);
        }
        assert_eq!(edges.obstacles(), [wall(Vec3::X, 0.1), wall(Vec3::Y, 0.3)]);
        // A center of mass that moved toward a wall is nearer to it.
        edges.follow(Vec3::NEG_X * 0.04);
        assert!((edges.obstacles()[0].gap - 0.06).abs() < 1e-6);
    }
}
