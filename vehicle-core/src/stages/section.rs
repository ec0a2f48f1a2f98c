//! Sections of the ground: where a wheel stands on triangles that its planes cut.
//!
//! A wheel is three discs across its axle: one in its middle and one near each shoulder. Each disc's plane cuts a triangle along a
//! segment, and the disc, coming down along the travel, touches the segment inside (a face) or at an end (an edge). What
//! lifts the wheel most carries it. An edge carries along the line to the hub, so that a spring's force does the work that
//! the climb needs; it carries if it is low enough to be climbed, by its height alone and so alike at every time step.

use glam::Vec3;

use crate::base::math;

/// Distance of the outer discs from the middle over the wheel's half width (–): the tread ends before its shoulders do.
const SHOULDER: f32 = 0.9;
/// Cosine of the greatest angle to the wheel's upright, 70°, at which ground carries a wheel (–): of a face's normal, beyond which it
/// is a wall, and of the line from an edge to the hub, so that steps of two thirds of the radius are climbed.
const STEEPEST: f32 = 0.342;
/// Distance of a face's end from where a disc touches its plane, over the radius, within which the disc stands on the face (–): the
/// ends of neighbors differ by rounding.
const SEAM: f32 = 1e-3;
/// Height above the hub's highest place up to which a face is ground, not a roof (`m`).
const ROOF: f32 = 0.05;

/// A wheel that may stand anywhere along its travel. Vectors are in world axes, points from the center of mass (`m`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionWheel {
    /// Center of the wheel at jounce 0.
    pub center: Vec3,
    /// Direction of droop, unit.
    pub travel: Vec3,
    /// Axle, to the left, unit.
    pub axle: Vec3,
    /// Radius (`m`).
    pub radius: f32,
    /// Half width (`m`).
    pub half_width: f32,
    /// Greatest jounce (`m`).
    pub max_compression: f32,
    /// Greatest droop (`m`).
    pub max_droop: f32,
    /// Jounce at which the wheel is (`m`).
    pub jounce: f32,
}

/// Ground on which a wheel stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Jounce of the wheel there (`m`), without limits.
    pub jounce: f32,
    /// Unit normal: of the face, or from an edge to the hub.
    pub normal: Vec3,
    /// A point of the ground that the wheel touches (`m`).
    pub point: Vec3,
    /// Cosine between the line from an edge to the hub and the wheel's upright (–); 1 on a face.
    pub edge: f32,
}

/// A wall in the way of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Unit direction from the wall to the wheel, across the wheel's travel (world axes).
    pub direction: Vec3,
    /// Hub of the wheel from the center of mass (`m`, world axes).
    pub hub: Vec3,
    /// Distance between wheel and wall (`m`); negative in the wall.
    pub gap: f32,
}

/// Axes of a wheel's plane, in which a cut is a segment.
#[derive(Clone, Copy, Debug)]
struct WheelPlane {
    forward: Vec3,
    up: Vec3,
    /// Rise along `up` per jounce (–).
    rise: f32,
}

/// End of a segment in a wheel's plane: forward and up from the hub at its present jounce (`m`).
type CutEnd = [f32; 2];

impl SectionWheel {
    /// The box in which the wheel meets ground, with so much `extension` of the travel downwards (`m`): its least and greatest
    /// coordinates (`m`).
    #[must_use]
    pub(crate) fn bounds(&self, extension: f32) -> [Vec3; 2] {
        let ends = [
            self.center - self.travel * (self.max_compression + ROOF),
            self.center + self.travel * (self.max_droop + extension),
        ];
        // A disc reaches less far along its axle.
        let across = Vec3::from_array(
            self.axle
                .to_array()
                .map(|a| math::sqrt(math::greater(1.0 - a * a, 0.0))),
        );
        let reach = across * self.radius + self.axle.abs() * self.half_width;
        [ends[0].min(ends[1]) - reach, ends[0].max(ends[1]) + reach]
    }

    /// The best support on a triangle, which is a `solid`'s or has two sides; `None` if the wheel cannot stand there.
    #[must_use]
    pub(crate) fn stand(&self, corners: &[Vec3; 3], solid: bool) -> Option<Support> {
        let plane = self.plane();
        let [a, b, c] = *corners;
        let mut normal = math::unit_or_zero((b - a).cross(c - a));
        if plane.up.dot(normal) < 0.0 {
            if solid {
                return None;
            }
            normal = -normal;
        }
        let aside = SHOULDER * self.half_width;
        let mut best: Option<Support> = None;
        for offset in [0.0, aside, -aside] {
            let support = self
                .cut(&plane, corners, offset)
                .and_then(|ends| self.stand_on(&plane, ends, normal, offset));
            if let Some(new) =
                support.filter(|new| best.is_none_or(|best| new.jounce > best.jounce))
            {
                best = Some(new);
            }
        }
        best
    }

    /// The wall that a triangle is for the wheel at its present jounce, if it is one and nearer than `reach` (`m`): a face too
    /// steep to roll on, and too high to climb.
    #[must_use]
    pub(crate) fn obstacle(
        &self,
        corners: &[Vec3; 3],
        solid: bool,
        reach: f32,
    ) -> Option<Obstacle> {
        let plane = self.plane();
        let hub = self.hub();
        let [a, b, c] = *corners;
        let mut face = math::unit_or_zero((b - a).cross(c - a));
        if face.dot(hub - a) < 0.0 {
            if solid {
                return None;
            }
            face = -face;
        }
        let direction = math::unit_or_zero(face - self.travel * face.dot(self.travel));
        let facing = face.dot(direction);
        let is_steep = plane.up.dot(face).abs() < STEEPEST && facing > 0.0;
        if !is_steep {
            return None;
        }
        let [low, high] = self.heights_beside(&plane, corners, hub, reach)?;
        if high < -STEEPEST * self.radius {
            return None;
        }
        let height = 0.0f32.clamp(low, high);
        let chord = self.radius * self.radius - height * height;
        let distance = face.dot(hub + plane.up * height - a) / facing;
        let along = direction.dot(self.axle);
        let across = math::sqrt(math::greater(1.0 - along * along, 0.0));
        let half = math::sqrt(math::greater(chord, 0.0)) * across + self.half_width * along.abs();
        let gap = distance - half;
        (chord > 0.0 && gap < reach).then_some(Obstacle {
            direction,
            hub,
            gap,
        })
    }

    /// Heights over the hub between which a triangle lies beside the tread and no farther ahead or behind than `reach` (`m`) from
    /// it; `None` if no part of it does.
    fn heights_beside(
        &self,
        plane: &WheelPlane,
        corners: &[Vec3; 3],
        hub: Vec3,
        reach: f32,
    ) -> Option<[f32; 2]> {
        let mut outline = Outline::of(corners.map(|corner| {
            let arm = corner - hub;
            Vec3::new(
                plane.forward.dot(arm),
                self.axle.dot(arm),
                plane.up.dot(arm),
            )
        }));
        for (side, limit) in [
            (Vec3::Y, self.half_width),
            (Vec3::NEG_Y, self.half_width),
            (Vec3::X, self.radius + reach),
            (Vec3::NEG_X, self.radius + reach),
        ] {
            outline.cut(side, limit);
        }
        let heights = || outline.points().iter().map(|point| point.z);
        let low = heights().reduce(math::lesser)?;
        let high = heights().reduce(math::greater)?;
        (low <= high).then_some([low, high])
    }

    /// A plane with another unit `normal`, on which the wheel stands as on a support: its height below the center of mass (`m`), as
    /// of planes of contacts.
    #[must_use]
    pub(crate) fn height_with(&self, normal: Vec3, support: &Support) -> f32 {
        let across = normal - self.axle * normal.dot(self.axle);
        let hub = self.center - self.travel * support.jounce;
        let lowest = hub - math::unit_or_zero(across) * self.radius;
        -normal.dot(lowest)
    }

    /// Center of the wheel at its present jounce (`m`).
    fn hub(&self) -> Vec3 {
        self.center - self.travel * self.jounce
    }

    fn plane(&self) -> WheelPlane {
        let upwards = self.axle * self.axle.dot(self.travel) - self.travel;
        let up = math::unit_or_zero(upwards);
        WheelPlane {
            forward: self.axle.cross(up),
            up,
            rise: -up.dot(self.travel),
        }
    }

    /// The segment in which the plane at an `offset` along the axle (`m`) cuts a triangle, from behind to ahead.
    fn cut(&self, plane: &WheelPlane, corners: &[Vec3; 3], offset: f32) -> Option<[CutEnd; 2]> {
        let hub = self.hub();
        let arms = corners.map(|corner| corner - hub);
        let beside = arms.map(|arm| self.axle.dot(arm) - offset);
        let mut ends = [[0.0; 2]; 2];
        let mut found = 0;
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            if (beside[from] >= 0.0) == (beside[to] >= 0.0) || found == 2 {
                continue;
            }
            let share = beside[from] / (beside[from] - beside[to]);
            let point = arms[from] + (arms[to] - arms[from]) * share;
            ends[found] = [plane.forward.dot(point), plane.up.dot(point)];
            found += 1;
        }
        if ends[1][0] < ends[0][0] {
            ends.swap(0, 1);
        }
        (found == 2).then_some(ends)
    }

    /// The support of a disc at an `offset` along the axle (`m`) on a segment of a face with this normal.
    fn stand_on(
        &self,
        plane: &WheelPlane,
        [from, to]: [CutEnd; 2],
        face: Vec3,
        offset: f32,
    ) -> Option<Support> {
        let facing = plane.up.dot(face);
        if facing < STEEPEST {
            // The top of a wall is an edge of what lies on it.
            return None;
        }
        let [run, climb] = [to[0] - from[0], to[1] - from[1]];
        let length = math::sqrt(run * run + climb * climb);
        if !(run > 0.0 && length.is_finite()) {
            return None;
        }
        let touch = self.radius * climb / length;
        let least = math::greater(from[0], -self.radius);
        let most = math::greater(math::lesser(to[0], self.radius), least);
        let at = touch.clamp(least, most);
        if at.abs() >= self.radius {
            return None;
        }
        let height = from[1] + climb * ((at - from[0]) / run).clamp(0.0, 1.0);
        let point = self.hub() + plane.forward * at + plane.up * height + self.axle * offset;
        if (at - touch).abs() <= SEAM * self.radius {
            let is_ground = height < (self.max_compression - self.jounce + ROOF) * plane.rise;
            return is_ground.then(|| self.on_face(face, point)).flatten();
        }
        (height < -STEEPEST * self.radius)
            .then(|| self.on_edge(plane, face, point, [at, height, offset]))
    }

    /// The support on the end of a face with this unit normal, at a `point` which is so far forward, up and to the left of the hub (`m`).
    ///
    /// The face goes on along the axle: ground that only falls aside does not lift the wheel in its middle, and a wheel that leans stands
    /// on the edge of level ground as on the ground.
    fn on_edge(
        &self,
        plane: &WheelPlane,
        face: Vec3,
        point: Vec3,
        [at, height, offset]: [f32; 3],
    ) -> Support {
        let drop = math::sqrt(self.radius * self.radius - at * at);
        let falls = face.dot(self.axle) / plane.up.dot(face);
        let rise = plane.rise - falls * self.axle.dot(self.travel);
        let rim = plane.forward * drop + plane.up * at;
        Support {
            jounce: self.jounce + (height + offset * falls + drop) / rise,
            normal: math::unit_or_zero(rim.cross(self.axle - face * face.dot(self.axle))),
            point,
            edge: drop / self.radius,
        }
    }

    /// The support on a face with this unit `normal` through a `point`: the middle disc on the face's plane.
    fn on_face(&self, normal: Vec3, point: Vec3) -> Option<Support> {
        let along = normal.dot(self.travel);
        let across = normal - self.axle * normal.dot(self.axle);
        let lowest = self.hub() - math::unit_or_zero(across) * self.radius;
        (along < 0.0).then(|| Support {
            jounce: self.jounce + normal.dot(lowest - point) / along,
            normal,
            point,
            edge: 1.0,
        })
    }
}

/// Most corners of a triangle that four planes cut.
const MOST_CORNERS: usize = 7;

/// A convex outline: a triangle, cut by planes.
#[derive(Clone, Copy, Debug)]
struct Outline {
    points: [Vec3; MOST_CORNERS],
    count: usize,
}

impl Outline {
    fn of([a, b, c]: [Vec3; 3]) -> Self {
        let mut points = [Vec3::ZERO; MOST_CORNERS];
        (points[0], points[1], points[2]) = (a, b, c);
        Self { points, count: 3 }
    }

    fn points(&self) -> &[Vec3] {
        &self.points[..self.count]
    }

    /// Cuts off what lies farther along `side` than `limit`.
    fn cut(&mut self, side: Vec3, limit: f32) {
        let mut kept = Self {
            points: [Vec3::ZERO; MOST_CORNERS],
            count: 0,
        };
        for n in 0..self.count {
            let (from, to) = (self.points[n], self.points[(n + 1) % self.count]);
            let beyond = [from, to].map(|point| side.dot(point) - limit);
            if beyond[0] <= 0.0 {
                kept.push(from);
            }
            if (beyond[0] <= 0.0) != (beyond[1] <= 0.0) {
                kept.push(from + (to - from) * (beyond[0] / (beyond[0] - beyond[1])));
            }
        }
        *self = kept;
    }

    fn push(&mut self, point: Vec3) {
        if let Some(slot) = self.points.get_mut(self.count) {
            *slot = point;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests;
