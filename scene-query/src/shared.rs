//! Wheel colliders of the standalone world.

use glam::{Mat3, Quat, Vec3};
use jointed_wheels::rows::Movers;
use vehicle_core::rigid_contact::{WheelColliderSettings, WheelContact};
use vehicle_core::wheel_shape::{ShapeKind, WheelShape};
use vehicle_core::{BodyId, QueryFilter, Vehicle, math, phases};

use crate::body::Body;
use crate::touch::{Around, ContactHold, Look, MARGIN, NearBody, Rim, WheelTouches};

/// Share of a wheel's size before its center at which sweeps begin (–).
const BEFORE: f32 = 0.5;

/// The wheel colliders of one chassis.
#[derive(Clone, Debug)]
pub(crate) struct SharedWheels {
    pub(crate) chassis: BodyId,
    settings: WheelColliderSettings,
    /// Coulomb's coefficient (–).
    friction: f32,
    /// `None` for a disabled wheel.
    wheels: Vec<Option<SharedWheel>>,
}

/// A wheel collider.
#[derive(Clone, Debug)]
struct SharedWheel {
    shape: WheelShape,
    /// Contact of the wheel, in vehicle axes from the center of mass.
    contact: WheelContact,
    /// Filter of the ground that the suspension may stand on. All other ground is rigid to the wheel, at any contact.
    filter: QueryFilter,
    touches: WheelTouches,
}

impl SharedWheels {
    /// Wheel colliders of a vehicle, with this coefficient of friction (–).
    pub(crate) fn new(vehicle: &Vehicle, settings: WheelColliderSettings, friction: f32) -> Self {
        let mut wheels = Self {
            chassis: vehicle.body(),
            settings,
            friction,
            wheels: Vec::new(),
        };
        wheels.publish(vehicle);
        wheels
    }

    /// Takes over the wheels of a vehicle, after its update.
    pub(crate) fn publish(&mut self, vehicle: &Vehicle) {
        let params = &vehicle.model().params().wheels;
        self.wheels.resize_with(params.len(), || None);
        for (number, (slot, params)) in self.wheels.iter_mut().zip(params).enumerate() {
            let before = slot.take().map(|wheel| wheel.touches);
            *slot = params.enabled.then(|| SharedWheel {
                shape: WheelShape {
                    kind: ShapeKind::Cylinder,
                    radius: params.radius,
                    half_width: 0.5 * params.width,
                },
                contact: WheelContact::of(vehicle, number, Quat::IDENTITY, self.settings),
                filter: phases::wheel_filter(vehicle, number),
                touches: before.unwrap_or_default(),
            });
        }
    }

    /// Starts the contacts of a substep; a sleeping body has none.
    pub(crate) fn start(&mut self, around: &Around<'_>, movers: &mut Movers) {
        let index = self.chassis.0 as usize;
        let body = around.bodies[index].as_ref();
        let awake = body.filter(|body| !body.is_asleep());
        for wheel in self.wheels.iter_mut().flatten() {
            match awake {
                Some(body) => wheel.start(around, movers, (index, body), self.friction),
                None => wheel.touches.settle(),
            }
        }
    }

    /// Whether any of the wheels has a contact.
    pub(crate) fn touch(&self) -> bool {
        self.wheels
            .iter()
            .flatten()
            .any(|wheel| wheel.touches.any())
    }

    /// One iteration.
    pub(crate) fn solve(&mut self, movers: &mut Movers, relax: bool) {
        for wheel in self.wheels.iter_mut().flatten() {
            wheel.touches.solve(movers, relax);
        }
    }

    /// Bodies that the wheels press on.
    pub(crate) fn pressed(&self, movers: &Movers) -> impl Iterator<Item = BodyId> {
        let wheels = self.wheels.iter().flatten();
        wheels.flat_map(|wheel| wheel.touches.pressed(movers))
    }
}

impl SharedWheel {
    fn start(
        &mut self,
        around: &Around<'_>,
        movers: &mut Movers,
        (index, body): (usize, &Body),
        friction: f32,
    ) {
        let now = &body.now;
        let contact = turned(&self.contact, &math::matrix(now.rotation));
        let velocity = now.linear_velocity + now.angular_velocity.cross(contact.center);
        let (looks, filter) = (self.looks(&contact, velocity * around.h), self.filter);
        let rim = Rim {
            shape: self.shape,
            place: now.position + contact.center.as_dvec3(),
            axle: contact.axle,
            filter: QueryFilter {
                layers: u32::MAX,
                ..filter
            },
        };
        let hold = |touch: &NearBody| {
            let place = contact.center + touch.point;
            let target = contact.target_velocity(place, touch.normal);
            let ground = touch.layers & filter.layers != 0;
            (target.is_some() || !ground).then(|| ContactHold {
                body: index,
                arm: contact.acting_point(contact.center + rim.arm(touch.normal)),
                target: target.unwrap_or_default(),
                friction,
            })
        };
        self.touches.start(around, movers, &rim, &looks, hold);
    }

    /// Looks along the `motion` of the wheel in a substep (`m`, world axes), and to all sides.
    fn looks(&self, contact: &WheelContact, motion: Vec3) -> [Look; 7] {
        let WheelShape {
            radius, half_width, ..
        } = self.shape;
        let ahead = contact.axle.cross(-contact.travel);
        let look = |direction: Vec3, size: f32, beyond: f32| Look {
            direction,
            before: BEFORE * size,
            beyond: beyond + MARGIN,
        };
        let way = math::sqrt(motion.dot(motion));
        let onward = if way > 0.0 { motion / way } else { ahead };
        [
            look(onward, radius.min(half_width), way),
            look(contact.travel, radius, 0.0),
            look(-contact.travel, radius, 0.0),
            look(ahead, radius, 0.0),
            look(-ahead, radius, 0.0),
            look(contact.axle, half_width, 0.0),
            look(-contact.axle, half_width, 0.0),
        ]
    }
}

/// A contact of vehicle axes in those of the world.
fn turned(contact: &WheelContact, turn: &Mat3) -> WheelContact {
    WheelContact {
        center: *turn * contact.center,
        axle: *turn * contact.axle,
        travel: *turn * contact.travel,
        application_point: contact.application_point.map(|point| *turn * point),
        ..*contact
    }
}
