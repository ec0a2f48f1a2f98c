//! Probing with sections of the ground: asks for the triangles around each wheel, and selects what it stands on.

use alloc::sync::Arc;

use glam::Vec3;

use super::{StepError, Vehicle};
use crate::MAX_WHEELS;
use crate::base::ids::BodyId;
use crate::base::lanes::LANES;
use crate::base::math;
use crate::contracts::ground::GroundHit;
use crate::contracts::ground_triangles::{GroundTriangle, GroundTriangles, TriangleQuery};
use crate::contracts::rigid_bodies::{BodyState, GroundMotion};
use crate::exchange::state::WheelState;
use crate::params::surface::{SurfaceType, Surfaces};
use crate::stages::contact::Contact;
use crate::stages::edge_ground::{EdgeGround, parts_of};
use crate::stages::section::{Obstacle, SectionWheel, Support};
use crate::vehicle::ground_chord::time_ahead;

const NO_WHEEL: SectionWheel = SectionWheel {
    center: Vec3::ZERO,
    travel: Vec3::NEG_Z,
    axle: Vec3::Y,
    radius: 0.0,
    half_width: 0.0,
    max_compression: 0.0,
    max_droop: 0.0,
    jounce: 0.0,
};

/// Cosine of the inclination of an edge to the upright from which on a step has parts (–): 10°.
const PLAIN: f32 = 0.985;

/// Distance from its way at which a wheel sees walls (`m`).
const NEAR: f32 = 0.05;

/// A triangle and how a wheel stands on it.
type Standing = (GroundTriangle, Support);
/// How each wheel stands; `None` in the air.
type Standings = [Option<Standing>; MAX_WHEELS];

/// The wheels of a vehicle where they will be at the end of the next step.
struct PlacedWheels {
    wheels: [SectionWheel; MAX_WHEELS],
    /// Displacements of the wheels until then (`m`, world axes).
    displacements: [Vec3; MAX_WHEELS],
}

impl PlacedWheels {
    const NONE: Self = Self {
        wheels: [NO_WHEEL; MAX_WHEELS],
        displacements: [Vec3::ZERO; MAX_WHEELS],
    };

    /// A wheel where it will be after this share of the step (–).
    fn after(&self, share: f32, wheel: usize) -> SectionWheel {
        let placed = self.wheels[wheel];
        SectionWheel {
            center: placed.center - self.displacements[wheel] * (1.0 - share),
            ..placed
        }
    }

    /// How the wheels will stand at the end of the step; calls `found` with the walls in their way from where they are on.
    fn look(
        &self,
        queries: &[TriangleQuery],
        ground: &dyn GroundTriangles,
        found: &mut dyn FnMut(&Obstacle),
    ) -> Standings {
        let mut standings: Standings = [None; MAX_WHEELS];
        ground.visit_triangles(queries, &mut |wheel, triangle| {
            prefer(&mut standings[wheel], &self.wheels[wheel], triangle);
            let way = self.displacements[wheel];
            let reach = math::sqrt(way.dot(way)) + NEAR;
            let now = self.after(0.0, wheel);
            if let Some(obstacle) = now.obstacle(&triangle.corners, triangle.solid, reach) {
                found(&obstacle);
            }
        });
        standings
    }

    /// Notes where the wheels whose queries have layers stand after each part of the step.
    fn stand_in_parts(
        &self,
        queries: &[TriangleQuery],
        ground: &dyn GroundTriangles,
        edges: &mut EdgeGround,
    ) {
        for part in 0..edges.count() {
            let share = (part + 1) as f32 / edges.count() as f32;
            let mut standings: Standings = [None; MAX_WHEELS];
            ground.visit_triangles(queries, &mut |wheel, triangle| {
                prefer(&mut standings[wheel], &self.after(share, wheel), triangle);
            });
            let asked = |(_, query): &(usize, &TriangleQuery)| query.filter.layers != 0;
            for (wheel, _) in queries.iter().enumerate().filter(asked) {
                if let Some((_, Support { normal, point, .. })) = standings[wheel] {
                    edges.set(part, wheel, normal, -normal.dot(point));
                }
            }
        }
    }
}

/// Lets a wheel stand on a triangle that lifts it more than what it stands on.
fn prefer(standing: &mut Option<Standing>, wheel: &SectionWheel, triangle: &GroundTriangle) {
    let best = standing.as_ref().map(|(_, support)| support.jounce);
    let support = wheel.stand(&triangle.corners, triangle.solid);
    if let Some(support) = support.filter(|new| best.is_none_or(|best| new.jounce > best)) {
        *standing = Some((*triangle, support));
    }
}

impl Vehicle {
    /// Implements [`phases::meet_sections`](crate::phases::meet_sections).
    pub(crate) fn meet_sections(
        &mut self,
        body: &BodyState,
        query: &dyn GroundTriangles,
        surfaces: &Surfaces,
        mut motion: impl FnMut(BodyId) -> Option<GroundMotion>,
    ) -> Result<(), StepError> {
        self.probe_result.met_sections = Some(true);
        let mut queries = [TriangleQuery::BLANK; MAX_WHEELS];
        let queries = &mut queries[..self.model.wheel_count()];
        let placed = self.place_sections(body, queries);
        let time = time_ahead(&self.state, body.position);
        let mut edges = self.edges.take();
        if let Some(edges) = &mut edges {
            edges.begin();
        }
        let standings = placed.look(queries, query, &mut |obstacle| {
            edges.iter_mut().for_each(|edges| edges.add(obstacle));
        });
        if let Some(edges) = &mut edges {
            self.find_edges(edges, &placed, &standings, (queries, query), time);
        }
        self.edges = edges;
        let (model, grip) = (Arc::clone(&self.model), self.grip);
        self.take_contacts_ahead(body.position, time, |wheel| {
            let (triangle, support) = standings[wheel]?;
            let surface = surfaces.surface_type(triangle.material);
            let tire = model.params().wheels[wheel].tire.kind;
            let friction = grip * surfaces.friction(surface, tire);
            let mut contact = Contact {
                surface,
                friction,
                ..contact_on(&placed.wheels[wheel], &triangle, &support)
            };
            if support.edge >= PLAIN {
                let point = body.position + support.point.as_dvec3();
                if let Some(normal) = query.curved_normal(&triangle, point) {
                    contact.hit.normal = normal;
                    contact.height = placed.wheels[wheel].height_with(normal, &support);
                }
            }
            Some((contact, triangle.body.and_then(&mut motion)))
        })
    }

    /// Divides the next step, which is as long as `time` (`s`), if a wheel is at an edge or a wall, and finds where wheels at edges stand
    /// after each part.
    fn find_edges(
        &self,
        edges: &mut EdgeGround,
        placed: &PlacedWheels,
        standings: &Standings,
        (queries, ground): (&mut [TriangleQuery], &dyn GroundTriangles),
        time: f32,
    ) {
        let mut rolls_over = false;
        for (wheel, query) in queries.iter_mut().enumerate() {
            if self.is_at_edge(wheel, standings[wheel].as_ref()) {
                rolls_over = true;
                edges.note_edge(wheel);
            } else {
                query.filter.layers = 0;
            }
        }
        let one_step = time > 0.0 && time <= self.state.last_step.duration;
        if one_step && (rolls_over || !edges.obstacles().is_empty()) {
            edges.divide(parts_of(time));
            placed.stand_in_parts(queries, ground, edges);
        }
    }

    /// Whether a wheel is at an edge: it stands on one, or the ground rises or falls ahead of it.
    fn is_at_edge(&self, wheel: usize, standing: Option<&Standing>) -> bool {
        let was = self.state.wheels[wheel / LANES]
            .ground_normal
            .lane(wheel % LANES);
        let will = standing.map_or(Vec3::ZERO, |(_, support)| support.normal);
        was.dot(will) < PLAIN && (was != Vec3::ZERO || will != Vec3::ZERO)
            || standing.is_some_and(|(_, support)| support.edge < PLAIN)
    }

    /// Replaces the planes of the parts of a step by those that lead to them, from where the wheels of a chassis at `body` stand;
    /// the center of mass has `moved` since the probe (`m`, world axes).
    pub(super) fn lead_edges(&mut self, body: &BodyState, moved: Vec3) {
        let Some(mut edges) = self.edges.take() else {
            return;
        };
        if !self.probe_times.looks_ahead() {
            edges.begin();
        } else if self.ground.moves() {
            edges.keep_edges_only();
        }
        if edges.count() > 0 {
            edges.follow(moved);
            for g in 0..self.state.wheels.len() {
                let first = self.probe_result.ground[g].planes;
                let displacement = self.probed_displacement(g, first.normal, body, &self.matrix);
                let displacement = displacement.rotated_back(&self.matrix);
                let swept = self.swept.get(g).and_then(Option::as_ref);
                let k = &self.model.wheels()[g];
                edges.lead(g, (k, &self.matrix), first, swept, displacement);
            }
        }
        self.edges = Some(edges);
    }

    /// Places the wheels where they will be at the end of the next step, and asks for the ground there.
    fn place_sections(&self, body: &BodyState, queries: &mut [TriangleQuery]) -> PlacedWheels {
        assert_eq!(
            queries.len(),
            self.model.wheel_count(),
            "one query per wheel"
        );
        let mut placed = PlacedWheels::NONE;
        let matrix = math::matrix(body.rotation);
        for (g, queries) in queries.chunks_mut(LANES).enumerate() {
            let (k, wheels) = (&self.model.wheels()[g], &self.state.wheels[g]);
            let ahead = self.look_ahead(g, body, &matrix);
            let center = k.center.rotated(&matrix) + ahead.displacement;
            let travel = k.travel.rotated(&matrix);
            let axle = self.orientation(g).axle.rotated(&matrix);
            for (lane, query) in queries.iter_mut().enumerate() {
                let jounce = wheels.jounce.lane(lane);
                let wheel = SectionWheel {
                    center: center.lane(lane),
                    travel: travel.lane(lane),
                    axle: axle.lane(lane),
                    radius: k.radius.lane(lane),
                    half_width: k.half_width.lane(lane),
                    max_compression: k.max_compression.lane(lane),
                    max_droop: k.max_droop.lane(lane),
                    jounce: if jounce == WheelState::UNKNOWN {
                        0.0
                    } else {
                        jounce
                    },
                };
                let [low, high] = wheel.bounds(ahead.extension.lane(lane));
                let (way, near) = (ahead.displacement.lane(lane), Vec3::splat(NEAR));
                *query = TriangleQuery {
                    anchor: body.position,
                    low: low.min(low - way) - near,
                    high: high.max(high - way) + near,
                    filter: self.wheel_filter(g * LANES + lane),
                };
                placed.wheels[g * LANES + lane] = wheel;
                placed.displacements[g * LANES + lane] = ahead.displacement.lane(lane);
            }
        }
        placed
    }
}

/// The contact of a wheel that stands on a triangle, without surface and friction.
fn contact_on(wheel: &SectionWheel, triangle: &GroundTriangle, support: &Support) -> Contact {
    let above = wheel.max_compression + wheel.radius - support.jounce;
    Contact {
        hit: GroundHit {
            distance: math::greater(above, 0.0),
            normal: support.normal,
            material: triangle.material,
            body: triangle.body,
            collider: triangle.collider,
            triangle: triangle.triangle,
        },
        point: support.point,
        height: -support.normal.dot(support.point),
        carries: true,
        in_reach: true,
        surface: SurfaceType::default(),
        friction: 0.0,
    }
}
