//! Contacts of wheels with all that they touch: no sinking in, and Coulomb's friction.

use glam::{DVec3, Vec3};
use jointed_wheels::rows::{Ends, Mover, Movers};
use vehicle_core::sweep_query::GroundSweep;
use vehicle_core::wheel_shape::WheelShape;
use vehicle_core::{BodyId, QueryFilter, math};

use crate::block::sweep_hulls;
use crate::body::Body;
use crate::contact_rows::ContactRows;
use crate::hull_spots::Surroundings;
use crate::scenery::{Scenery, platform_index};

/// Ground this close is in contact (`m`), plus the motion of a substep.
pub(crate) const MARGIN: f32 = 0.01;
/// Least cosine between a ground's normal and the direction against a sweep: steeper ground is for another
/// sweep.
const FACING: f32 = 0.5;
/// Normals up to this cosine apart are those of one contact.
const SAME: f32 = 0.95;

/// Surroundings of joints and wheels in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    pub(crate) scenery: &'a Scenery,
    /// Bodies by id.
    pub(crate) bodies: &'a [Option<Body>],
    /// Unit vector against gravity (world axes), if there is any.
    pub(crate) up: Option<DVec3>,
    /// The substep (`s`).
    pub(crate) h: f32,
}

/// A wheel at its present pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rim {
    pub(crate) shape: WheelShape,
    /// Center of the wheel (`m`, world).
    pub(crate) place: DVec3,
    /// Unit vector along the axle (world axes).
    pub(crate) axle: Vec3,
    /// Filter of contacts: layers of ground, and the hulls of all bodies but the excluded ones.
    pub(crate) filter: QueryFilter,
}

/// Direction and range in which a wheel looks for contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Unit direction of the search (world axes).
    pub(crate) direction: Vec3,
    /// Distance before the wheel's center at which the search begins (`m`): less than from the center to the surface.
    pub(crate) before: f32,
    /// Distance beyond the wheel's center at which the search ends (`m`).
    pub(crate) beyond: f32,
}

/// Something near a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearBody {
    /// Unit normal (world axes), to the wheel.
    pub(crate) normal: Vec3,
    /// Distance along the normal (`m`), negative for an overlap.
    pub(crate) gap: f32,
    /// Point of contact, from the wheel's center (`m`, world axes).
    pub(crate) point: Vec3,
    /// Layers of the ground; none of a body's hull.
    pub(crate) layers: u32,
    pub(crate) body: Option<BodyId>,
}

/// Body and settings of a wheel's contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactHold {
    /// Index of the body.
    pub(crate) body: usize,
    /// Lever arm of the contact, from the body's center of mass (`m`, world axes).
    pub(crate) arm: Vec3,
    /// Sliding velocity that friction aims at, relative to the touched surface (`m/s`, world axes).
    pub(crate) target: Vec3,
    /// Coulomb's coefficient (–).
    pub(crate) friction: f32,
}

/// A contact within a substep.
#[derive(Clone, Debug, PartialEq)]
struct WheelTouch {
    /// Rows along the normal, along the tread, across it.
    rows: ContactRows,
    other: Option<BodyId>,
}

/// A contact's normal and impulse at the end of a substep (`N·s`, world axes).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pressed {
    normal: Vec3,
    impulse: Vec3,
    other: Option<BodyId>,
}

/// All contacts of one wheel. Its lists are kept, so that substeps do not allocate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WheelTouches {
    near: Vec<NearBody>,
    before: Vec<Pressed>,
    now: Vec<WheelTouch>,
}

impl Around<'_> {
    /// The surroundings of hulls on the ground.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            ground: &self.scenery.ground,
            origin: self.scenery.origin,
            up: self.up,
            dt: self.h,
        }
    }

    /// Calls `found` with each hit, and the layers of the ground that was hit.
    fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(NearBody)) {
        let mut touch = |normal, distance: f32, point: Vec3, layers, body| {
            found(NearBody {
                normal,
                gap: distance,
                point: point - query.offset - query.direction * distance,
                layers,
                body,
            });
        };
        self.scenery.sweep(query, &mut |hit| {
            let ground = &hit.ground;
            let layers = self.scenery.layers(ground);
            touch(
                ground.normal,
                ground.distance,
                hit.point,
                layers,
                ground.body,
            );
        });
        let others = self.bodies.iter().enumerate();
        let others = others.filter_map(|(index, body)| {
            let id = BodyId(index as u64);
            let met = body.as_ref().zip(Some(id));
            met.filter(|_| !query.filter.ignore.contains(&Some(id)))
        });
        sweep_hulls(query, others, &mut |hit, id| {
            touch(
                hit.normal,
                hit.distance,
                query.offset + hit.point,
                0,
                Some(id),
            );
        });
    }

    /// The mover of a body or a platform, and its center (`m`, world).
    fn mover(&self, id: BodyId) -> Option<(usize, DVec3)> {
        if let Some(index) = platform_index(id) {
            let platform = &self.scenery.platforms[index];
            return Some((self.bodies.len() + index, platform.position));
        }
        let index = id.0 as usize;
        Some((index, self.bodies[index].as_ref()?.now.position))
    }

    /// All that rows act on: bodies by id, then platforms, which do not feel it.
    pub(crate) fn movers(&self) -> impl Iterator<Item = Option<Mover>> {
        let bodies = self
            .bodies
            .iter()
            .map(|body| body.as_ref().map(Body::mover));
        let platforms = self.scenery.platforms.iter();
        bodies.chain(platforms.map(|platform| Some(platform.mover())))
    }
}

impl Rim {
    /// Sweep of the wheel in the direction of one look.
    fn sweep(&self, look: &Look) -> GroundSweep {
        GroundSweep {
            anchor: self.place,
            offset: -look.direction * look.before,
            axle: self.axle,
            shape: self.shape,
            direction: look.direction,
            length: look.before + look.beyond,
            filter: self.filter,
        }
    }

    /// Vector from the wheel's center to the point at which a contact of this normal acts (`m`, world axes): the middle of the
    /// tread, or of the side.
    pub(crate) fn arm(&self, normal: Vec3) -> Vec3 {
        let aside = normal.dot(self.axle);
        if aside.abs() > FACING.max(0.7) {
            -self.axle * aside.signum() * self.shape.half_width
        } else {
            -math::unit_or_zero(normal - self.axle * aside) * self.shape.radius
        }
    }
}

impl WheelTouches {
    /// Starts a substep: looks around, and lets `hold` say for each contact what it acts on, if it
    /// counts at all. Contacts start with the impulses that they had.
    pub(crate) fn start(
        &mut self,
        around: &Around<'_>,
        movers: &mut Movers,
        rim: &Rim,
        looks: &[Look],
        hold: impl Fn(&NearBody) -> Option<ContactHold>,
    ) {
        self.settle();
        self.look(around, rim, looks);
        for touch in &self.near {
            let Some(hold) = hold(touch) else { continue };
            let mut contact = WheelTouch::new(around, movers, rim, touch, &hold);
            let known = |pressed: &&Pressed| {
                pressed.other == touch.body && pressed.normal.dot(touch.normal) > SAME
            };
            if let Some(pressed) = self.before.iter().find(known) {
                contact.rows.warm_start(movers, pressed.impulse);
            }
            self.now.push(contact);
        }
    }

    /// Ends a substep: no contacts, only the memory of what they pressed.
    pub(crate) fn settle(&mut self) {
        self.before.clear();
        self.before.extend(self.now.iter().map(WheelTouch::pressed));
        self.now.clear();
    }

    fn look(&mut self, around: &Around<'_>, rim: &Rim, looks: &[Look]) {
        let near = &mut self.near;
        near.clear();
        for look in looks {
            around.sweep(&rim.sweep(look), &mut |found| {
                let facing = -found.normal.dot(look.direction);
                if facing < FACING {
                    return;
                }
                let found = NearBody {
                    gap: (found.gap - look.before) * facing,
                    ..found
                };
                let same = |touch: &&mut NearBody| {
                    let place = (touch.body, touch.layers) == (found.body, found.layers);
                    place && touch.normal.dot(found.normal) > SAME
                };
                match near.iter_mut().find(same) {
                    Some(touch) if found.gap < touch.gap => {
                        (touch.gap, touch.point) = (found.gap, found.point);
                    }
                    Some(_) => {}
                    None => near.push(found),
                }
            });
        }
    }

    /// Whether the wheel has any contact.
    pub(crate) fn any(&self) -> bool {
        !self.now.is_empty()
    }

    /// One iteration.
    pub(crate) fn solve(&mut self, movers: &mut Movers, relax: bool) {
        for contact in &mut self.now {
            contact.rows.solve(movers, relax);
        }
    }

    /// Bodies that the wheel presses on.
    pub(crate) fn pressed(&self, movers: &Movers) -> impl Iterator<Item = BodyId> {
        let pressing = |contact: &&WheelTouch| contact.rows.presses(movers);
        self.now
            .iter()
            .filter(pressing)
            .filter_map(|contact| contact.other)
    }
}

impl WheelTouch {
    fn new(
        around: &Around<'_>,
        movers: &Movers,
        rim: &Rim,
        touch: &NearBody,
        hold: &ContactHold,
    ) -> Self {
        let normal = touch.normal;
        let along = math::unit_or_zero(rim.axle.cross(normal));
        let axes = [normal, along, normal.cross(along)];
        let other = touch.body.and_then(|id| around.mover(id));
        let contact = rim.place + rim.arm(normal).as_dvec3();
        let ends = Ends {
            movers,
            bodies: [Some(hold.body), other.map(|(index, _)| index)],
            arms: [
                hold.arm,
                other.map_or(Vec3::ZERO, |(_, center)| (contact - center).as_vec3()),
            ],
            h: around.h,
        };
        Self {
            rows: ContactRows::new(&ends, axes, touch.gap, hold.target, hold.friction),
            other: touch.body,
        }
    }

    /// Normal and impulse from which the next substep's contact starts.
    fn pressed(&self) -> Pressed {
        Pressed {
            normal: self.rows.normal(),
            impulse: self.rows.impulse(),
            other: self.other,
        }
    }
}
