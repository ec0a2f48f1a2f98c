//! Contact of a box that moves on a straight line with a triangle.
//!
//! Separating axes of moving convex shapes (Ericson, "Real-Time Collision Detection", 5.5.8) give the
//! time of the first touch. There, the axis on which the two are farthest apart, or least deep in each
//! other, decides: the triangle's normal, a face of the box, or two edges. The points are reported as
//! they are at the start of the motion.
//!
//! Everything is in the box's axes, from its center at the start of the motion.

use glam::Vec3;
use vehicle_core::math;

use crate::polygon::{ConvexPolygon, SLOP};

/// The triangle's normal is preferred, and an earlier axis to a later one, unless the shapes are this
/// much farther apart on the other (`m`), so that the choice does not change with rounding.
const PREFERENCE: f32 = 1e-3;
/// Axes: the triangle's normal, three of the box, nine across two edges.
const AXES: usize = 13;
/// A strip of this width along an edge of a triangle is its rim (`m`).
const RIM: f32 = 0.03;
/// Edges less than this out of parallel (squared sine, –) have no axis across both.
const PARALLEL: f32 = 1e-6;

/// A box and its motion within a step, without rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBox {
    pub(crate) half_extents: Vec3,
    /// Displacement of its center (`m`).
    pub(crate) motion: Vec3,
    /// Distance up to which box and triangle count as touching (`m`).
    pub(crate) reach: f32,
}

/// A triangle and the side of it on which the box's center is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FacingTriangle {
    pub(crate) corners: [Vec3; 3],
    /// Unit normal, toward the box's center.
    pub(crate) normal: Vec3,
    /// Height of the box's center over the triangle's plane (`m`), ≥ 0.
    pub(crate) height: f32,
}

/// Two points that touch, or may touch within the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoxSpot {
    /// The point of the box.
    pub(crate) place: Vec3,
    /// The point of the triangle.
    pub(crate) ground: Vec3,
    /// Unit normal, toward the box.
    pub(crate) normal: Vec3,
    /// Distance of the points along the normal (`m`), negative for an overlap.
    pub(crate) gap: f32,
}

/// Meeting of a box and a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxMeeting {
    /// The part of the motion before they touch, 0…1.
    time: f32,
    /// Touching features and unit normal toward the box, if an edge or a corner of the triangle decides.
    edge: Option<(Feature, Vec3)>,
}

/// The part of the box's face that lies over a triangle.
pub(crate) struct FaceMeeting {
    face: ConvexPolygon,
    /// Displacement of the corners back to the start of the motion (`m`).
    back: Vec3,
    /// A point of the triangle's edge beside the face, if the face lies over the rim only.
    pub(crate) rim: Option<Vec3>,
}

/// Features that an axis is perpendicular to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Feature {
    Triangle,
    /// A face of the box, along this axis of it.
    Side(usize),
    /// An edge of the box along this axis, and the edge of the triangle from this corner.
    Edges(usize, usize),
}

/// The extents of both on an axis (`m`).
#[derive(Clone, Copy, Debug)]
struct AxisSpan {
    feature: Feature,
    axis: Vec3,
    /// Ends of the triangle on the axis.
    ends: [f32; 2],
    /// Half of the box's extent on the axis.
    half: f32,
    /// Motion of the box.
    motion: f32,
}

impl AxisSpan {
    /// The side of the triangle on which the box is after a part of its motion, and how far they are
    /// apart (`m`).
    fn apart(&self, time: f32) -> (f32, f32) {
        let middle = self.motion * time;
        let above = middle - self.half - self.ends[1];
        let below = self.ends[0] - middle - self.half;
        if below > above {
            (-1.0, below)
        } else {
            (1.0, above)
        }
    }

    /// The part of the motion before they overlap on this axis; `None` if they never come within
    /// `reach` (`m`).
    fn entry(&self, reach: f32) -> Option<f32> {
        let (side, apart) = self.apart(0.0);
        let closing = -side * self.motion;
        if apart > reach && apart - closing > reach {
            return None;
        }
        let closes = apart > 0.0 && closing > 0.0;
        Some(if closes {
            (apart / closing).min(1.0)
        } else {
            0.0
        })
    }
}

impl FacingTriangle {
    /// The two ends of the edge from a corner, and the corner opposite to it.
    fn edge(&self, corner: usize) -> [Vec3; 3] {
        [0, 1, 2].map(|n| self.corners[(corner + n) % 3])
    }

    /// A point of the edge from a corner, and the unit vector out of the triangle across it.
    fn edge_outward(&self, corner: usize) -> (Vec3, Vec3) {
        let [start, end, opposite] = self.edge(corner);
        let across = math::unit_or_zero((end - start).cross(self.normal));
        let inward = across.dot(opposite - start).signum();
        (start, -across * inward)
    }

    /// Mean of the triangle's corners.
    pub(crate) fn middle(&self) -> Vec3 {
        self.corners.iter().sum::<Vec3>() / 3.0
    }
}

impl FaceMeeting {
    /// The points of the box over the triangle.
    pub(crate) fn spots(&self, triangle: &FacingTriangle) -> impl Iterator<Item = BoxSpot> {
        let (normal, height) = (triangle.normal, triangle.height);
        self.face.corners().iter().map(move |corner| {
            let place = *corner + self.back;
            let gap = normal.dot(place) + height;
            BoxSpot {
                place,
                ground: place - normal * gap,
                normal,
                gap,
            }
        })
    }
}

impl BoxMeeting {
    /// Whether an edge or a corner of the triangle decides.
    pub(crate) const fn is_on_edge(&self) -> bool {
        self.edge.is_some()
    }
}

impl MovingBox {
    /// Meeting of the box with a triangle; `None` if they stay apart.
    pub(crate) fn meet(&self, triangle: &FacingTriangle) -> Option<BoxMeeting> {
        let face = self.span(triangle, triangle.normal, Feature::Triangle);
        let mut time = face.entry(self.reach)?;
        let mut spans = [face; AXES];
        let mut count = 1;
        for (axis, feature) in axes(triangle) {
            let span = self.span(triangle, axis, feature);
            time = time.max(span.entry(self.reach)?);
            spans[count] = span;
            count += 1;
        }
        let mut most = face.apart(time).1;
        let mut edge = None;
        for span in &spans[..count] {
            let (side, apart) = span.apart(time);
            if apart > self.reach {
                return None;
            }
            let normal = span.axis * side;
            if apart > most + PREFERENCE && span.is_supported(triangle, normal) {
                most = apart;
                edge = Some((span.feature, normal));
            }
        }
        Some(BoxMeeting { time, edge })
    }

    fn span(&self, triangle: &FacingTriangle, axis: Vec3, feature: Feature) -> AxisSpan {
        let ends = triangle.corners.map(|corner| corner.dot(axis));
        let [a, b, c] = ends;
        let ends = if feature == Feature::Triangle {
            [-triangle.height; 2]
        } else {
            [a.min(b).min(c), a.max(b).max(c)]
        };
        AxisSpan {
            feature,
            axis,
            ends,
            half: axis.abs().dot(self.half_extents),
            motion: axis.dot(self.motion),
        }
    }

    /// The part of its face turned most against the triangle that lies over it.
    pub(crate) fn face_over(&self, triangle: &FacingTriangle, meeting: &BoxMeeting) -> FaceMeeting {
        let way = self.motion * meeting.time;
        let corners = self.face_against(triangle.normal);
        let mut face = ConvexPolygon::new(corners.map(|corner| corner + way));
        let edges = [0, 1, 2].map(|corner| triangle.edge_outward(corner));
        for (start, outward) in edges {
            face.cut(outward, outward.dot(start) + SLOP);
        }
        let corners = face.corners();
        let over_rim = |(start, outward): &(Vec3, Vec3)| {
            let inside = |corner: &Vec3| outward.dot(*start - *corner) <= RIM;
            corners.iter().all(inside)
        };
        let middle = corners.iter().sum::<Vec3>() / corners.len().max(1) as f32;
        let rim = edges.into_iter().find(over_rim);
        let rim = rim.map(|(start, outward)| {
            let along = triangle.normal.cross(outward);
            start + along * along.dot(middle - start)
        });
        FaceMeeting {
            rim,
            face,
            back: -way,
        }
    }

    /// Calls `found` with the points where the triangle's edges and corners touch the box; with none if
    /// they do not decide.
    pub(crate) fn edge_spots(
        &self,
        triangle: &FacingTriangle,
        meeting: &BoxMeeting,
        found: impl FnMut(BoxSpot),
    ) {
        let way = self.motion * meeting.time;
        match meeting.edge {
            Some((Feature::Side(axis), normal)) => {
                self.side_spots(triangle, way, (axis, normal), found);
            }
            Some((Feature::Edges(axis, corner), normal)) => {
                let spot = self.crossing(triangle, way, (axis, corner), normal);
                spot.into_iter().for_each(found);
            }
            Some((Feature::Triangle, _)) | None => {}
        }
    }

    /// The corners of the part of the triangle over a face of the box that are nearest to it. From the
    /// others the triangle itself rises along the normal.
    fn side_spots(
        &self,
        triangle: &FacingTriangle,
        way: Vec3,
        (axis, normal): (usize, Vec3),
        mut found: impl FnMut(BoxSpot),
    ) {
        let mut part = ConvexPolygon::new(triangle.corners.map(|corner| corner - way));
        for n in [axis + 1, axis + 2] {
            let across = Vec3::AXES[n % 3];
            let most = self.half_extents[n % 3] + SLOP;
            part.cut(across, most);
            part.cut(-across, most);
        }
        let heights = part.corners().iter().map(|corner| normal.dot(*corner));
        let highest = heights.fold(f32::NEG_INFINITY, f32::max);
        for corner in part.corners() {
            let height = normal.dot(*corner);
            if height < highest - PREFERENCE {
                continue;
            }
            let gap = -height - self.half_extents[axis];
            found(BoxSpot {
                place: *corner + normal * gap,
                ground: *corner + way,
                normal,
                gap: gap - normal.dot(way),
            });
        }
    }

    /// Contact where an edge of the box along `axis` crosses the triangle's edge from `corner`; `None` if they do not cross.
    fn crossing(
        &self,
        triangle: &FacingTriangle,
        way: Vec3,
        (axis, corner): (usize, usize),
        normal: Vec3,
    ) -> Option<BoxSpot> {
        let along = Vec3::AXES[axis];
        let middle = -normal.signum() * self.half_extents * (Vec3::ONE - along);
        let [start, end, _] = triangle.edge(corner).map(|corner| corner - way);
        let (edge, apart) = (end - start, start - middle);
        let slant = along.dot(edge);
        let square = edge.dot(edge) - slant * slant;
        let share = (slant * along.dot(apart) - edge.dot(apart)) / square;
        let point = start + edge * share;
        let place = middle + along * along.dot(point - middle);
        let beyond = place.abs() - self.half_extents;
        let within = (0.0..=1.0).contains(&share) && beyond.max_element() <= SLOP;
        within.then(|| BoxSpot {
            place,
            ground: point + way,
            normal,
            gap: (place - point - way).dot(normal),
        })
    }

    /// The corners, in order around it, of the face that is turned most against `direction`.
    fn face_against(&self, direction: Vec3) -> [Vec3; 4] {
        let axis = direction.abs().max_position();
        let side = |n: usize| Vec3::AXES[n % 3] * self.half_extents[n % 3];
        let middle = -side(axis) * direction[axis].signum();
        let [u, v] = [side(axis + 1), side(axis + 2)];
        [u + v, v - u, -u - v, u - v].map(|corner| middle + corner)
    }
}

impl AxisSpan {
    /// Whether the triangle touches the box with the features that name the axis.
    fn is_supported(&self, triangle: &FacingTriangle, normal: Vec3) -> bool {
        match self.feature {
            Feature::Edges(_, corner) => {
                let [start, _, opposite] = triangle.edge(corner);
                (opposite - start).dot(normal) <= PREFERENCE
            }
            Feature::Side(_) => true,
            Feature::Triangle => false,
        }
    }
}

/// The unit axes on which a box and a triangle may be apart, without the triangle's normal.
fn axes(triangle: &FacingTriangle) -> impl Iterator<Item = (Vec3, Feature)> {
    let sides = (0..3).map(|axis| (Vec3::AXES[axis], Feature::Side(axis)));
    let edges = (0..9).filter_map(move |n| {
        let (axis, corner) = (n % 3, n / 3);
        let [start, end, _] = triangle.edge(corner);
        let edge = end - start;
        let across = Vec3::AXES[axis].cross(edge);
        let square = across.dot(across);
        (square > edge.dot(edge) * PARALLEL)
            .then(|| (across / math::sqrt(square), Feature::Edges(axis, corner)))
    });
    sides.chain(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    const HALF: Vec3 = Vec3::new(2.0, 1.0, 0.5);

    fn moving(motion: Vec3) -> MovingBox {
        MovingBox {
            half_extents: HALF,
            motion,
            reach: 0.02,
        }
    }

    fn facing(corners: [Vec3; 3]) -> FacingTriangle {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize();
        let side = if normal.dot(a) > 0.0 { -1.0 } else { 1.0 };
        FacingTriangle {
            corners,
            normal: normal * side,
            height: normal.dot(a).abs(),
        }
    }

    fn spots(moving: &MovingBox, triangle: &FacingTriangle) -> Vec<BoxSpot> {
        let Some(meeting) = moving.meet(triangle) else {
            return vec![];
        };
        let mut found = vec![];
        moving.edge_spots(triangle, &meeting, |spot| found.push(spot));
        if !meeting.is_on_edge() {
            found.extend(moving.face_over(triangle, &meeting).spots(triangle));
        }
        found
    }

    /// A triangle in the plane x = 3, as a wall.
    fn wall(y: f32) -> FacingTriangle {
        facing([[3.0, y - 0.1, -0.2], [3.0, y + 0.1, -0.2], [3.0, y, 0.3]].map(Vec3::from))
    }

    #[rstest]
    #[case::reached(Vec3::X * 2.0, 0.0, true)]
    #[case::not_reached(Vec3::X * 0.9, 0.0, false)]
    #[case::away(Vec3::X * -2.0, 0.0, false)]
    #[case::through(Vec3::X * 50.0, 0.0, true)]
    #[case::past(Vec3::X * 50.0, 1.2, false)]
    #[case::past_while_it_goes_aside(Vec3::new(2.0, 2.0, 0.0), 3.2, false)]
    #[case::reached_aside(Vec3::new(2.0, 2.0, 0.0), 1.9, true)]
    fn walls_on_the_way(#[case] motion: Vec3, #[case] y: f32, #[case] touches: bool) {
        let found = spots(&moving(motion), &wall(y));
        assert_eq!(!found.is_empty(), touches, "{found:?}");
        for spot in found {
            assert!((spot.normal + Vec3::X).length() < 1e-6, "{spot:?}");
            assert!((spot.gap - 1.0).abs() < 1e-6, "{spot:?}");
            assert!((spot.place.x - 2.0).abs() < 1e-6, "{spot:?}");
        }
    }

    /// A ridge across the bottom of the box touches it between its corners.
    #[test]
    fn an_edge_under_a_face() {
        let ridge =
            facing([[0.3, -4.0, -0.51], [0.3, 4.0, -0.51], [-9.0, 0.0, -4.0]].map(Vec3::from));
        let found = spots(&moving(Vec3::NEG_Z * 0.1), &ridge);
        let near: Vec<_> = found.iter().filter(|spot| spot.gap < 0.1).collect();
        assert_eq!(near.len(), 2, "{found:?}");
        for spot in near {
            assert!((spot.normal - Vec3::Z).length() < 1e-6, "{spot:?}");
            assert!((spot.gap - 0.01).abs() < 1e-5 && (spot.place.y.abs() - 1.0).abs() < 1e-3);
        }
    }

    /// Two edges that cross touch in one point.
    #[test]
    fn an_edge_across_an_edge() {
        let out = Vec3::new(0.0, 1.0, -1.0).normalize();
        let tip = Vec3::new(0.4, 1.0, -0.5) + out * 0.01;
        let along = Vec3::new(0.0, 1.0, 1.0);
        let blade = facing([tip + along, tip - along, tip + out * 3.0]);
        let found = spots(&moving(Vec3::ZERO), &blade);
        let [spot] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!((spot.normal + out).length() < 1e-5, "{spot:?}");
        assert!(
            (spot.place - Vec3::new(0.4, 1.0, -0.5)).length() < 1e-5,
            "{spot:?}"
        );
        assert!((spot.gap - 0.01).abs() < 1e-5, "{spot:?}");
    }

    proptest! {
        /// A triangle with a point inside the box meets it; one that a face or its own plane parts from
        /// it by more than the reach does not.
        #[test]
        fn overlaps_are_found_and_others_are_not(
            corners in prop::array::uniform3(prop::array::uniform3(-3.0..3.0_f32)),
            motion in prop::array::uniform3(-1.0..1.0_f32),
            still in any::<bool>(),
        ) {
            let corners = corners.map(Vec3::from);
            let [a, b, c] = corners;
            prop_assume!((b - a).cross(c - a).length() > 0.05);
            let triangle = facing(corners);
            let motion = if still { Vec3::ZERO } else { Vec3::from(motion) };
            let met = moving(motion).meet(&triangle).is_some();
            let mut inside = false;
            let mut near = false;
            for n in 0..=20 {
                for m in 0..=20 - n {
                    let [n, m] = [n, m].map(|n| n as f32 / 20.0);
                    let point = a + (b - a) * n + (c - a) * m;
                    for part in 0..=20 {
                        let beyond = (point - motion * (part as f32 / 20.0)).abs() - HALF;
                        inside |= beyond.max_element() < 0.0;
                        near |= beyond.max_element() < 0.6;
                    }
                }
            }
            prop_assert!(met || !inside);
            prop_assert!(near || !met);
        }
    }
}
