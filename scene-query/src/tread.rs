//! The tread of a wheel that is a body.

use glam::{DVec3, Vec3};
use jointed_wheels::rows::Movers;
use vehicle_core::wheel_shape::{ShapeKind, WheelShape};
use vehicle_core::{BodyId, QueryFilter, math};

use crate::body::BodyDesc;
use crate::touch::{Around, ContactHold, Look, MARGIN, Rim, WheelTouches};

/// The tread of a wheel: a cylinder about y of its body, which rolls on ground, platforms and the
/// hulls of other bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tread {
    /// Radius (`m`), > 0.
    pub radius: f32,
    /// Width (`m`), > 0.
    pub width: f32,
    /// Coulomb's friction coefficient against anything (–), ≥ 0.
    pub friction: f32,
    /// Layers of the ground that it touches, one bit each.
    pub layers: u32,
}

/// Share of the radius before the wheel's center at which sweeps begin (–).
const BEFORE: f32 = 0.5;

impl Tread {
    /// Starts the contacts of a wheel for a substep: under it, along −`up`, and where it moves to.
    /// `bodies` are its chassis, which it does not touch, and itself.
    pub(crate) fn start(
        &self,
        touches: &mut WheelTouches,
        around: &Around<'_>,
        movers: &mut Movers,
        bodies: [BodyId; 2],
        (wheel, up): (&BodyDesc, Vec3),
    ) {
        let axle = math::matrix(wheel.rotation).y_axis;
        let velocity = wheel.linear_velocity;
        let ahead = axle.cross(up);
        let look = |direction| Look {
            direction,
            before: BEFORE * self.radius,
            beyond: MARGIN + math::sqrt(velocity.dot(velocity)) * around.h,
        };
        let looks = [-up, ahead * velocity.dot(ahead).signum()].map(look);
        let rim = self.rim(wheel.position, axle, bodies);
        touches.start(around, movers, &rim, &looks, |touch| {
            Some(ContactHold {
                body: bodies[1].0 as usize,
                arm: rim.arm(touch.normal),
                target: Vec3::ZERO,
                friction: self.friction,
            })
        });
    }

    fn rim(&self, place: DVec3, axle: Vec3, [chassis, wheel]: [BodyId; 2]) -> Rim {
        Rim {
            shape: WheelShape {
                kind: ShapeKind::Cylinder,
                radius: self.radius,
                half_width: 0.5 * self.width,
            },
            place,
            axle,
            filter: QueryFilter {
                layers: self.layers,
                ignore: [Some(chassis), Some(wheel)],
                dynamic_bodies: true,
            },
        }
    }
}
