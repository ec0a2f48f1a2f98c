//! Hulls of bodies that meet each other, and those that wheels stand on.

use glam::Vec3;
use jointed_wheels::rows::{Ends, Movers};
use vehicle_core::sweep_query::{GroundSweep, SweepHit};
use vehicle_core::{
    BodyId, ColliderId, GroundHit, GroundRay, GroundTriangle, MaterialId, TriangleQuery, math,
};

use crate::block::{Block, sweep_hulls};
use crate::body::{Body, BodyDesc, CollisionBox};
use crate::boxes::{BoxTouch, SolidBox, touches};
use crate::contact_rows::{ContactRows, tangents};
use crate::ground::{Ground as _, GroundRegion, Ray};
use crate::hull_spots::{HullSpot, HullSpots};
use crate::touch::{Around, MARGIN};

/// Contacts of two bodies this close to where one was are the same (`m`).
const SAME: f32 = 0.03;
/// First collider of hulls: beyond those of ground and platforms.
const COLLIDERS: u64 = 1 << 63;

/// Presence of a body's hull to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HullPresence {
    /// Only wheels that are bodies, or share their contacts, meet the hull.
    #[default]
    Ghost,
    /// Hulls of other bodies meet the hull, too, unless they are ghosts or a joint parts them: a car.
    Solid,
    /// Hulls meet it as a solid one, and queries that ask for
    /// [`dynamic_bodies`](vehicle_core::QueryFilter::dynamic_bodies) hit it, so that wheels stand on it: a crate.
    Ground,
}

/// The hulls of a world that are no ghosts. Lists are kept, so that substeps do not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hulls {
    /// Solid hulls, sorted by the lower ends of their spans.
    solid: Vec<HullSpan>,
    ground: Vec<BodyId>,
    before: Vec<PressedHull>,
    now: Vec<HullTouch>,
    spots: HullSpots,
}

/// Range of a hull along the world's x axis within a substep (`m`).
#[derive(Clone, Copy, Debug)]
struct HullSpan {
    index: usize,
    ends: [f64; 2],
}

/// A contact between the hulls of two bodies, or of one of them and the ground.
#[derive(Clone, Debug)]
struct HullTouch {
    rows: ContactRows,
    bodies: [Option<usize>; 2],
    /// Position of the contact, from the first body's center of mass (`m`, its axes).
    place: Vec3,
}

/// Impulse of a contact between hulls at the end of a substep (`N·s`, world axes).
#[derive(Clone, Copy, Debug)]
struct PressedHull {
    bodies: [Option<usize>; 2],
    place: Vec3,
    impulse: Vec3,
}

/// Two bodies by index, as they are.
type Two<'a> = [(usize, &'a Body); 2];

impl Hulls {
    /// Sets the presence of a body's hull to others.
    pub(crate) fn set(&mut self, id: BodyId, presence: HullPresence) {
        self.forget(id);
        if presence != HullPresence::Ghost {
            self.solid.push(HullSpan {
                index: id.0 as usize,
                ends: [0.0; 2],
            });
        }
        if presence == HullPresence::Ground {
            self.ground.push(id);
        }
    }

    /// Forgets a body.
    pub(crate) fn forget(&mut self, id: BodyId) {
        self.solid.retain(|span| span.index as u64 != id.0);
        self.ground.retain(|ground| *ground != id);
    }

    /// The nearest of a hit elsewhere and the hits of a ray on hulls.
    pub(crate) fn answer(
        &self,
        bodies: &[Option<Body>],
        query: &GroundRay,
        elsewhere: Option<GroundHit>,
    ) -> Option<GroundHit> {
        let Some(ray) = Ray::new(query).filter(|_| query.filter.dynamic_bodies) else {
            return elsewhere;
        };
        let grounds = self.grounds(bodies, query.filter.ignore);
        grounds.fold(elsewhere, |nearest, (body, id)| {
            let hit = Block::of_hull(&body.now).and_then(|block| block.cast(&ray));
            match (nearest, hit) {
                (Some(nearest), Some(hit)) if hit.distance >= nearest.distance => Some(nearest),
                (_, Some(hit)) => Some(GroundHit {
                    distance: hit.distance,
                    normal: hit.normal,
                    material: MaterialId::default(),
                    body: Some(id),
                    collider: collider(id),
                    triangle: None,
                }),
                (nearest, None) => nearest,
            }
        })
    }

    /// Calls `found` with the hits of one sweep on hulls.
    pub(crate) fn sweep(
        &self,
        bodies: &[Option<Body>],
        query: &GroundSweep,
        found: &mut dyn FnMut(SweepHit),
    ) {
        if query.filter.dynamic_bodies {
            let grounds = self.grounds(bodies, query.filter.ignore);
            sweep_hulls(query, grounds, &mut |hit, id| {
                found(hit.answer(query, MaterialId::default(), Some(id), collider(id)));
            });
        }
    }

    /// Calls `found` with the triangles of one query on hulls.
    pub(crate) fn tell_triangles(
        &self,
        bodies: &[Option<Body>],
        query: &TriangleQuery,
        found: &mut dyn FnMut(&GroundTriangle),
    ) {
        let Some(region) = GroundRegion::of(query).filter(|_| query.filter.dynamic_bodies) else {
            return;
        };
        for (body, id) in self.grounds(bodies, query.filter.ignore) {
            let Some(block) = Block::of_hull(&body.now) else {
                continue;
            };
            block.triangles_in(&region, &mut |triangle| {
                let told = triangle.answer(query.anchor, MaterialId::default(), collider(id));
                found(&GroundTriangle {
                    body: Some(id),
                    ..told
                });
            });
        }
    }

    fn grounds<'a>(
        &'a self,
        bodies: &'a [Option<Body>],
        ignore: [Option<BodyId>; 2],
    ) -> impl Iterator<Item = (&'a Body, BodyId)> {
        let others = self.ground.iter().copied();
        let others = others.filter(move |id| !ignore.contains(&Some(*id)));
        others.filter_map(|id| Some((bodies.get(id.0 as usize)?.as_ref()?, id)))
    }

    /// Starts the contacts of a substep, with the impulses of the last one. `joined` says whether
    /// a joint parts the hulls of two bodies, by index.
    pub(crate) fn start(
        &mut self,
        around: &Around<'_>,
        movers: &mut Movers,
        joined: impl Fn([usize; 2]) -> bool,
    ) {
        self.settle();
        if !self.may_meet() {
            return;
        }
        for span in &mut self.solid {
            span.ends = ends(around, span.index);
        }
        // Almost in order from the last substep.
        let order = |span: &HullSpan| (span.ends[0], span.index);
        self.solid.sort_unstable_by(|a, b| {
            let [a, b] = [order(a), order(b)];
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        for n in 0..self.solid.len() {
            let first = self.solid[n];
            for m in n + 1..self.solid.len() {
                let second = self.solid[m];
                if second.ends[0] > first.ends[1] {
                    break;
                }
                let pair = [first.index.min(second.index), first.index.max(second.index)];
                let of = |n: usize| Some((pair[n], around.bodies[pair[n]].as_ref()?));
                if let (Some(a), Some(b)) = (of(0), of(1))
                    && !(a.1.is_asleep() && b.1.is_asleep())
                    && !joined(pair)
                {
                    self.meet(around, movers, [a, b]);
                }
            }
        }
        self.meet_ground(around, movers);
    }

    fn meet(&mut self, around: &Around<'_>, movers: &mut Movers, two: Two<'_>) {
        let [Some(a), Some(b)] = two.map(|(_, body)| solid_box(body)) else {
            return;
        };
        let apart = (two[1].1.now.position - two[0].1.now.position).as_vec3();
        let boxes = [
            a,
            SolidBox {
                center: b.center + apart,
                ..b
            },
        ];
        let reach = MARGIN + closing(&two) * around.h;
        touches(&boxes, reach, &mut |touch| {
            let contact = HullTouch::between(&two, movers, &touch, apart, around.h);
            self.add(contact, movers);
        });
    }

    /// Contacts with the ground of the bodies that meet others: what those put on them, the ground bears.
    fn meet_ground(&mut self, around: &Around<'_>, movers: &mut Movers) {
        let surroundings = around.surroundings();
        let mut spots = core::mem::take(&mut self.spots);
        for n in 0..self.solid.len() {
            let index = self.solid[n].index;
            let body = around.bodies[index].as_ref();
            let awake = body.filter(|body| !body.is_asleep());
            let Some((body, hull)) = awake.and_then(|body| Some((body, body.now.hull?))) else {
                continue;
            };
            if self.now.iter().all(|touch| !touch.is_between(index)) {
                continue;
            }
            for spot in spots.find(&surroundings, body, &hull) {
                let contact = HullTouch::on_ground((index, body), &hull, movers, spot, around.h);
                self.add(contact, movers);
            }
        }
        self.spots = spots;
    }

    /// Adds a contact with the impulse that it had, which no other one gets.
    fn add(&mut self, mut contact: HullTouch, movers: &mut Movers) {
        let mut before = self.before.iter();
        if let Some(n) = before.position(|pressed| contact.continues(pressed)) {
            let pressed = self.before.swap_remove(n);
            contact.rows.warm_start(movers, pressed.impulse);
        }
        self.now.push(contact);
    }

    /// Ends a substep: no contacts, only the memory of what they pressed.
    pub(crate) fn settle(&mut self) {
        self.before.clear();
        self.before.extend(self.now.iter().map(HullTouch::pressed));
        self.now.clear();
    }

    /// Whether the world has two solid hulls, which may meet.
    pub(crate) fn may_meet(&self) -> bool {
        self.solid.len() > 1
    }

    /// Whether any hulls are in contact.
    pub(crate) fn touch(&self) -> bool {
        !self.now.is_empty()
    }

    /// One iteration.
    pub(crate) fn solve(&mut self, movers: &mut Movers, relax: bool) {
        for contact in &mut self.now {
            contact.rows.solve(movers, relax);
        }
    }

    /// The bodies that press on each other.
    pub(crate) fn pressed(&self, movers: &Movers) -> impl Iterator<Item = [BodyId; 2]> {
        let pressing = self
            .now
            .iter()
            .filter(|contact| contact.rows.presses(movers));
        pressing.filter_map(|contact| {
            let [first, second] = contact.bodies;
            Some([first?, second?].map(|index| BodyId(index as u64)))
        })
    }
}

impl HullTouch {
    fn between(two: &Two<'_>, movers: &Movers, touch: &BoxTouch, apart: Vec3, h: f32) -> Self {
        let [(first, body), (second, other)] = *two;
        let frictions = [body, other].map(|body| body.now.hull.map_or(0.0, |hull| hull.friction));
        let ends = Ends {
            movers,
            bodies: [Some(first), Some(second)],
            arms: [touch.point, touch.point - apart],
            h,
        };
        let friction = frictions[0].min(frictions[1]);
        Self::new(&ends, body, touch.normal, touch.gap, friction)
    }

    fn on_ground(
        (index, body): (usize, &Body),
        hull: &CollisionBox,
        movers: &Movers,
        spot: &HullSpot,
        h: f32,
    ) -> Self {
        let ends = Ends {
            movers,
            bodies: [Some(index), None],
            arms: [spot.arm, Vec3::ZERO],
            h,
        };
        Self::new(&ends, body, spot.normal, spot.gap, hull.friction)
    }

    /// `body` is the first one.
    fn new(ends: &Ends<'_>, body: &Body, normal: Vec3, gap: f32, friction: f32) -> Self {
        let [along, across] = tangents(normal);
        let axes = [normal, along, across];
        Self {
            rows: ContactRows::new(ends, axes, gap, Vec3::ZERO, friction),
            bodies: ends.bodies,
            place: math::matrix(body.now.rotation).transpose() * ends.arms[0],
        }
    }

    /// Whether the contact is between this body and another one.
    fn is_between(&self, body: usize) -> bool {
        self.bodies[1].is_some() && self.bodies.contains(&Some(body))
    }

    fn continues(&self, pressed: &PressedHull) -> bool {
        let off = self.place - pressed.place;
        pressed.bodies == self.bodies && off.dot(off) < SAME * SAME
    }

    fn pressed(&self) -> PressedHull {
        PressedHull {
            bodies: self.bodies,
            place: self.place,
            impulse: self.rows.impulse(),
        }
    }
}

/// The collider that hits on a body's hull name.
fn collider(id: BodyId) -> ColliderId {
    ColliderId(COLLIDERS | id.0)
}

/// The hull of a body from its center of mass, if it touches anything.
fn solid_box(body: &Body) -> Option<SolidBox> {
    let hull = body.now.hull.filter(|hull| hull.layers != 0)?;
    let axes = math::matrix(body.now.rotation);
    Some(SolidBox {
        center: axes * hull.center,
        axes,
        half_extents: hull.half_extents,
    })
}

/// Most by which two hulls come closer (`m/s`).
fn closing(two: &Two<'_>) -> f32 {
    let [a, b] = two.map(|(_, body)| &body.now);
    size(a.linear_velocity - b.linear_velocity) + turning(a) + turning(b)
}

/// Most speed of a point of a hull about its body's center of mass (`m/s`).
fn turning(body: &BodyDesc) -> f32 {
    let far = |hull: CollisionBox| size(hull.half_extents) + size(hull.center);
    size(body.angular_velocity) * body.hull.map_or(0.0, far)
}

fn size(v: Vec3) -> f32 {
    math::sqrt(v.dot(v))
}

/// Range of a body's hull along x within a substep (`m`); empty without a hull.
fn ends(around: &Around<'_>, index: usize) -> [f64; 2] {
    let body = around.bodies[index].as_ref();
    let Some((body, hull)) = body.and_then(|body| Some((body, solid_box(body)?))) else {
        return [f64::INFINITY, f64::NEG_INFINITY];
    };
    let speed = turning(&body.now) + body.now.linear_velocity.x.abs();
    let half = f64::from(hull.extent(Vec3::X) + MARGIN + speed * around.h);
    let middle = body.now.position.x + f64::from(hull.center.x);
    [middle - half, middle + half]
}

#[cfg(test)]
mod tests;
