//! Effect of the roll of axles against the body on their wheels, and which wheels share an axle.

use glam::Vec3;

use crate::base::lanes::{LANES, OppositeWheels, W4};
use crate::params::{Compliance, WheelParams};

/// Effect of the roll of axles against the body on their wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxleRoll {
    /// 1/distance from the opposite wheel, positive on the left (`1/m`); 0 without one.
    pub(super) inverse_track: W4,
    opposite: OppositeWheels,
    pub(super) camber: W4,
    pub(super) steer: W4,
}

impl AxleRoll {
    /// Effect of the roll of these wheels' axles; `None` where it has none.
    pub(super) fn new<'a>(
        wheel: impl Fn(usize) -> &'a WheelParams,
        opposite: [usize; LANES],
    ) -> Option<Self> {
        let each = |of: fn(&Compliance) -> f32| W4::from_fn(|lane| of(&wheel(lane).compliance));
        let (camber, steer) = (each(|c| c.roll_camber), each(|c| c.roll_steer));
        if camber.same(W4::ZERO).all() && steer.same(W4::ZERO).all() {
            return None;
        }
        let inverse_track = W4::from_fn(|lane| {
            let track = wheel(lane).position.y - wheel(opposite[lane]).position.y;
            if track == 0.0 { 0.0 } else { 1.0 / track }
        });
        Some(Self {
            inverse_track,
            opposite: OppositeWheels::new(opposite),
            camber,
            steer,
        })
    }

    /// Roll of the axles against the body at these jounces (`rad`), positive where the left wheel is higher.
    pub(super) fn angle(&self, jounce: W4) -> W4 {
        (jounce - self.opposite.of(jounce)) * self.inverse_track
    }
}

/// Lanes of the wheels that stand where the mirror images of these do, to 1 cm; their own without one.
pub(super) fn opposite(wheels: &[WheelParams]) -> [usize; LANES] {
    core::array::from_fn(|lane| {
        let Some(wheel) = wheels.get(lane) else {
            return lane;
        };
        let image = wheel.position * Vec3::new(1.0, -1.0, 1.0);
        let stands = |other: &WheelParams| other.position.distance(image) < 0.01;
        wheels.iter().take(LANES).position(stands).unwrap_or(lane)
    })
}
