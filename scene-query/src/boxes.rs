//! Contact of two solid boxes: the corners of one face, clipped to the size of the other.
//!
//! The face among the six of both boxes that the other box is farthest from, or least deep in, decides. Boxes that meet
//! edge to edge also meet on the nearer face. The other box contributes that of its three faces turned there that goes
//! deepest between the sides: its lowest point there lies on one of them.

use glam::{Mat3, Vec3};

use crate::polygon::{ConvexPolygon, SLOP};

/// A face is preferred over an earlier one only if the boxes are this much farther apart on it (`m`), so that it
/// does not change with rounding.
const PREFERENCE: f32 = 1e-3;

/// A box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolidBox {
    /// Center of the box, from a point that both boxes share (`m`, world axes).
    pub(crate) center: Vec3,
    /// Rotation from the box's axes to the world's.
    pub(crate) axes: Mat3,
    /// Half extents (`m`, the box's axes).
    pub(crate) half_extents: Vec3,
}

/// A contact point of two boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoxTouch {
    /// Point of contact, from the shared point (`m`, world axes).
    pub(crate) point: Vec3,
    /// Unit normal, from the second box to the first (world axes).
    pub(crate) normal: Vec3,
    /// Distance of the boxes along the normal (`m`), negative for an overlap.
    pub(crate) gap: f32,
}

/// The face that decides.
#[derive(Clone, Copy)]
struct FacingSide {
    /// Index of the box that has the face; `axis` is perpendicular to the face.
    of: usize,
    axis: usize,
    /// Unit normal, out of its box.
    outward: Vec3,
    /// Distance of the boxes along the face's normal (`m`), negative for an overlap.
    apart: f32,
}

impl SolidBox {
    /// Half of its extent along a unit vector (`m`).
    pub(crate) fn extent(&self, direction: Vec3) -> f32 {
        (self.axes.transpose() * direction)
            .abs()
            .dot(self.half_extents)
    }

    /// The corners, in order around it, of its face along an axis that is turned against `direction`.
    fn face_against(&self, direction: Vec3, axis: usize) -> [Vec3; 4] {
        let side = |n: usize| self.axes.col(n % 3) * self.half_extents[n % 3];
        let along = self.axes.col(axis).dot(direction);
        let middle = self.center - side(axis) * along.signum();
        let [u, v] = [side(axis + 1), side(axis + 2)];
        [
            middle + u + v,
            middle - u + v,
            middle - u - v,
            middle + u - v,
        ]
    }

    /// Indices of the box's axes, the one most nearly along `direction` first.
    fn axes_along(&self, direction: Vec3) -> [usize; 3] {
        let size = (self.axes.transpose() * direction).abs();
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| size[b].total_cmp(&size[a]));
        axes
    }
}

/// Calls `found` with up to eight points where two boxes are closer than `reach` (`m`).
pub(crate) fn touches(boxes: &[SolidBox; 2], reach: f32, found: &mut dyn FnMut(BoxTouch)) {
    let side = facing(boxes);
    if side.apart > reach {
        return;
    }
    let own = &boxes[side.of];
    let gap = |point: &Vec3| (*point - own.center).dot(side.outward) - own.half_extents[side.axis];
    let face = meeting(boxes, &side, gap);
    let normal = if side.of == 0 {
        -side.outward
    } else {
        side.outward
    };
    for point in face.corners() {
        let gap = gap(point);
        if gap <= reach {
            found(BoxTouch {
                point: *point,
                normal,
                gap,
            });
        }
    }
}

/// The other box's deepest face there, clipped to the sides of the face that decides.
fn meeting(boxes: &[SolidBox; 2], side: &FacingSide, gap: impl Fn(&Vec3) -> f32) -> ConvexPolygon {
    let (own, other) = (&boxes[side.of], &boxes[1 - side.of]);
    let cut = |axis: usize| {
        let mut face = ConvexPolygon::new(other.face_against(side.outward, axis));
        for n in [side.axis + 1, side.axis + 2] {
            let across = own.axes.col(n % 3);
            let middle = own.center.dot(across);
            let half = own.half_extents[n % 3] + SLOP;
            face.cut(across, half + middle);
            face.cut(-across, half - middle);
        }
        let gaps = face.corners().iter().map(&gap);
        let least = gaps.fold(f32::INFINITY, f32::min);
        (face, least)
    };
    let [first, rest @ ..] = other.axes_along(side.outward);
    let (mut deepest, mut lowest) = cut(first);
    for (face, least) in rest.map(cut) {
        if least + PREFERENCE < lowest {
            (deepest, lowest) = (face, least);
        }
    }
    deepest
}

fn facing(boxes: &[SolidBox; 2]) -> FacingSide {
    let side = |of: usize, axis: usize| {
        let (own, other) = (boxes[of], boxes[1 - of]);
        let normal = own.axes.col(axis);
        let along = (other.center - own.center).dot(normal);
        FacingSide {
            of,
            axis,
            outward: normal * along.signum(),
            apart: along.abs() - own.half_extents[axis] - other.extent(normal),
        }
    };
    let rest = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)];
    rest.into_iter().fold(side(0, 0), |best, (of, axis)| {
        let side = side(of, axis);
        if side.apart > best.apart + PREFERENCE {
            side
        } else {
            best
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::math;

    fn cube(center: Vec3, turn: Quat) -> SolidBox {
        SolidBox {
            center,
            axes: math::matrix(turn),
            half_extents: Vec3::splat(0.5),
        }
    }

    fn found(boxes: &[SolidBox; 2], reach: f32) -> Vec<BoxTouch> {
        let mut all = Vec::new();
        touches(boxes, reach, &mut |touch| all.push(touch));
        all
    }

    #[rstest]
    #[case::on_top(Vec3::Z, Vec3::NEG_Z, 4, 0.0)]
    #[case::aside_on_top([0.7, 0.8, 1.0].into(), Vec3::NEG_Z, 4, 0.0)]
    #[case::under(Vec3::Z * -1.1, Vec3::Z, 4, 0.1)]
    #[case::inside_an_end([0.9, 0.2, 0.0].into(), Vec3::NEG_X, 4, -0.1)]
    #[case::too_far(Vec3::Y * 1.3, Vec3::Y, 0, 0.0)]
    #[case::past_the_edge([1.1, 0.0, 1.1].into(), Vec3::Z, 0, 0.0)]
    fn faces_of_cubes(
        #[case] place: Vec3,
        #[case] normal: Vec3,
        #[case] count: usize,
        #[case] gap: f32,
    ) {
        let boxes = [
            cube(Vec3::ZERO, Quat::IDENTITY),
            cube(place, Quat::IDENTITY),
        ];
        let touches = found(&boxes, 0.2);
        assert_eq!(touches.len(), count, "{touches:?}");
        for touch in touches {
            assert!((touch.normal - normal).length() < 1e-6, "{touch:?}");
            assert!((touch.gap - gap).abs() < 1e-6, "{touch:?}");
            let on_both = boxes.iter().all(|solid| {
                let at = (solid.axes.transpose() * (touch.point - solid.center)).abs();
                (at - solid.half_extents).max_element() < touch.gap.abs() + SLOP + 1e-6
            });
            assert!(on_both, "{touch:?}");
        }
    }

    /// Turned by 45° about the vertical, a cube of the same size has its four corners outside: eight points, on both.
    #[test]
    fn a_turned_cube_stands_on_eight_points() {
        let turn = math::rotation_about(Vec3::Z, core::f32::consts::FRAC_PI_4);
        let boxes = [cube(Vec3::ZERO, Quat::IDENTITY), cube(Vec3::Z, turn)];
        let touches = found(&boxes, 0.01);
        assert_eq!(touches.len(), 8, "{touches:?}");
        let far = touches.iter().map(|touch| touch.point.x.abs());
        assert!(far.fold(0.0, f32::max) < 0.5 + SLOP + 1e-6);
    }

    /// The face that is turned most against the other one lies wholly above it; the face beside it does not.
    #[test]
    fn an_edge_that_dips_between_the_sides_is_found() {
        let turn = math::rotation_about(Vec3::new(0.0, 0.9918156, 1.0).normalize(), -1.2301689);
        let place = Vec3::new(-0.09875872, 0.8838902, 0.746756);
        let touches = found(&[cube(Vec3::ZERO, Quat::IDENTITY), cube(place, turn)], 0.0);
        assert!(touches.iter().any(|touch| touch.gap < 0.0), "{touches:?}");
    }

    proptest! {
        /// Whatever has a point in common touches, in the same depth from either side.
        #[test]
        fn overlaps_are_found(
            (x, y, z) in (-0.45..0.45_f32, -0.45..0.45_f32, -0.45..0.45_f32),
            (u, v, w) in (-0.45..0.45_f32, -0.45..0.45_f32, -0.45..0.45_f32),
            (a, b, turn) in (-1.0..1.0_f32, -1.0..1.0_f32, -3.0..3.0_f32),
        ) {
            let turn = math::rotation_about(Vec3::new(a, b, 1.0).normalize(), turn);
            let place = Vec3::new(x, y, z) - turn * Vec3::new(u, v, w);
            let boxes = [cube(Vec3::ZERO, Quat::IDENTITY), cube(place, turn)];
            let swapped = [boxes[1], boxes[0]];
            prop_assert!((facing(&boxes).apart - facing(&swapped).apart).abs() <= 2.0 * PREFERENCE);
            for boxes in [boxes, swapped] {
                let touches = found(&boxes, 0.0);
                prop_assert!(touches.iter().any(|touch| touch.gap < 0.0), "{boxes:?}");
            }
        }
    }
}
