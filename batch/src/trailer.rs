//! Trailers behind the cars of a batch.

use core::f32::consts::PI;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, Gear, Vehicle, VehicleModel, VehicleState, math};
use jounce::file::{Car, Coupling};
use jounce::scene::{BodyDesc, CouplingJoint, JointDesc, JointFrame, JointKind};
use proving_ground::ground::Terrain;
use proving_ground::world::{self, Pose, Start, rest_pose_over};

use crate::error::BatchError;

/// A trailer, prepared for many, and how it is coupled.
#[derive(Debug)]
pub(crate) struct Trailer {
    car: Car,
    pub(crate) model: Arc<VehicleModel>,
    /// State of a new trailer, out of gear.
    pub(crate) new: VehicleState,
    joint: CouplingJoint,
    /// Position of its coupling (`m`, vehicle frame).
    coupling: Vec3,
    /// Positions of the couplings of the towing vehicle and of the trailer from their centers of mass (`m`, vehicle frame).
    anchors: [Vec3; 2],
}

impl Trailer {
    /// A trailer behind cars, which must be all equal.
    pub(crate) fn new(car: &Car, towing: &[Car]) -> Result<Self, BatchError> {
        let [towing] = towing else {
            let expected = "one car, if it tows";
            return Err(BatchError::argument("cars", expected, towing.len(), ""));
        };
        world::probing(car)?;
        let by = coupled("cars", towing.towing_coupling(), towing)?;
        let own = coupled("trailer", car.coupling.as_ref(), car)?;
        let model = car.model();
        let mut vehicle = Vehicle::new(Arc::clone(&model), BodyId(0));
        vehicle.state_mut().drive.force_gear(Gear::NEUTRAL);
        Ok(Self {
            new: vehicle.state().clone(),
            model,
            joint: by.joint(&towing.hull, (own, &car.hull)),
            coupling: own.position,
            anchors: [
                by.position - towing.center_of_mass(),
                own.position - car.center_of_mass(),
            ],
            car: car.clone(),
        })
    }

    /// The body of a trailer in line behind the body of a car with this heading (`rad`).
    pub(crate) fn behind(
        &self,
        terrain: &Terrain,
        car: &BodyDesc,
        heading: f32,
    ) -> Result<BodyDesc, BatchError> {
        let axes = math::matrix(car.rotation);
        let [ahead, coupling] =
            [self.anchors[0], self.coupling].map(|arm| math::rotated(&axes, arm).as_dvec3());
        let hook = car.position + ahead;
        let start = Start {
            position: (hook - coupling).truncate(),
            heading,
        };
        let Pose { rotation, .. } = rest_pose_over(terrain, &self.car, start)?;
        let arm = math::rotated(&math::matrix(rotation), self.anchors[1]);
        let position = hook - arm.as_dvec3();
        Ok(BodyDesc {
            rotation: math::unit(rotation),
            linear_velocity: car.linear_velocity,
            sleep_threshold: 0.0,
            ..BodyDesc::at_rest(position, self.car.mass(), self.car.inertia())
        })
    }

    /// The joint of a car and its trailer.
    pub(crate) const fn joint(&self, bodies: [BodyId; 2]) -> JointDesc {
        JointDesc {
            bodies,
            frames: [
                JointFrame::at(self.anchors[0]),
                JointFrame::at(self.anchors[1]),
            ],
            kind: JointKind::Coupling(self.joint),
        }
    }
}

fn coupled<'a>(
    argument: &str,
    coupling: Option<&'a Coupling>,
    car: &Car,
) -> Result<&'a Coupling, BatchError> {
    coupling.ok_or_else(|| BatchError::argument(argument, "with a coupling", &car.name, ""))
}

/// A trailer as seen from its towing vehicle, in the horizontal plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TrailerView {
    /// Center of mass ahead of the towing vehicle's, and to the left of it (`m`).
    x: f32,
    y: f32,
    /// Heading of the trailer against that of the towing vehicle (`rad`), −π…π, to the left.
    angle: f32,
    /// Rate of that angle (`rad/s`).
    rate: f32,
}

impl TrailerView {
    /// The view by positions (`m`, world), headings (`rad`) and yaw rates (`rad/s`) of the towing vehicle and the trailer.
    pub(crate) fn new(positions: [DVec3; 2], headings: [f32; 2], rates: [f32; 2]) -> Self {
        let away = (positions[1] - positions[0]).as_vec3();
        let (sin, cos) = math::sin_cos(headings[0]);
        let turn = math::sin_cos(headings[1] - headings[0]);
        Self {
            x: away.x * cos + away.y * sin,
            y: away.y * cos - away.x * sin,
            angle: math::atan2(turn.0, turn.1),
            rate: rates[1] - rates[0],
        }
    }
}

/// Channels of the trailer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrailerChannel {
    X,
    Y,
    Angle,
    Rate,
}

impl TrailerChannel {
    pub(crate) const ALL: [Self; 4] = [Self::X, Self::Y, Self::Angle, Self::Rate];

    /// Key, unit and usual range.
    pub(crate) const fn about(self) -> (&'static str, &'static str, [f32; 2]) {
        match self {
            Self::X => ("x", "m", [-10.0, 10.0]),
            Self::Y => ("y", "m", [-10.0, 10.0]),
            Self::Angle => ("angle", "rad", [-0.5 * PI, 0.5 * PI]),
            Self::Rate => ("rate", "rad/s", [-1.0, 1.0]),
        }
    }

    pub(crate) const fn sample(self, seen: &TrailerView) -> f32 {
        match self {
            Self::X => seen.x,
            Self::Y => seen.y,
            Self::Angle => seen.angle,
            Self::Rate => seen.rate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    #[test]
    fn a_trailer_is_seen_in_the_axes_of_its_car() {
        let behind = [DVec3::new(5.0, 5.0, 0.0), DVec3::new(4.0, 2.0, 0.5)];
        let seen = TrailerView::new(behind, [FRAC_PI_2, FRAC_PI_2 + 0.3 - 2.0 * PI], [0.5, 0.1]);
        let values = TrailerChannel::ALL.map(|channel| channel.sample(&seen));
        for (found, expected) in values.into_iter().zip([-3.0, 1.0, 0.3, -0.4]) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
}
