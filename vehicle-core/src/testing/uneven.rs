//! A car with four different wheels anywhere, for laws that hold for every one of them.

use glam::{Mat3, Quat, Vec3};
use proptest::prelude::*;

use super::{four_wheeler, model_of};
use crate::base::lanes::{LANES, Mask4, V3x4, W4};
use crate::base::math;
use crate::exchange::state::WheelState;
use crate::params::{CamberCurve, VehicleParams, WheelParams};
use crate::stages::chassis::View;
use crate::stages::wheel_consts::WheelConsts;

/// The sample car with no two wheels alike, on struts that are tilted each in another direction, its center of mass
/// off its origin.
pub(crate) fn uneven() -> VehicleParams {
    let mut params = four_wheeler();
    params.chassis.center_of_mass = Vec3::new(0.1, -0.05, -0.2);
    for (n, wheel) in params.wheels.iter_mut().enumerate() {
        bend_wheel(wheel, n as f32);
    }
    params.wheels[1].suspension.free_at_droop = true;
    params
}

fn bend_wheel(wheel: &mut WheelParams, n: f32) {
    wheel.radius = 0.4 + 0.03 * n;
    wheel.width = 0.3 + 0.02 * n;
    wheel.mass = 15.0 + 4.0 * n;
    wheel.inertia = 2.0 + 0.7 * n;
    wheel.damping = 0.2 + 0.1 * n;
    wheel.toe = 0.01 * n - 0.02;
    let strut = &mut wheel.suspension;
    strut.stiffness = 30_000.0 + 4_000.0 * n;
    strut.damping = (3000.0 + 500.0 * n).into();
    strut.bump_stop_stiffness = 2e5 + 3e4 * n;
    strut.max_compression = 0.2 + 0.03 * n;
    strut.max_droop = 0.08 + 0.02 * n;
    strut.sprung_mass = 300.0 + 50.0 * n;
    strut.travel_direction = Vec3::new(0.05 * n - 0.1, 0.08 - 0.06 * n, -1.0).normalize();
    strut.application_point += Vec3::new(0.02 * n, -0.03, 0.1 + 0.05 * n);
    strut.roll_influence = 1.0 - 0.2 * n;
    strut.camber = CamberCurve {
        at_rest: 0.01 * n - 0.02,
        at_max_compression: -0.03 - 0.01 * n,
        at_max_droop: 0.01 + 0.004 * n,
    };
    let tire = &mut wheel.tire;
    tire.application_point += Vec3::new(-0.03, 0.02 * n, 0.04 * n);
    tire.friction_curve = [
        [0.0, 1.0 + 0.02 * n],
        [0.1 + 0.01 * n, 1.2],
        [0.8 - 0.1 * n, 0.9 - 0.1 * n],
    ];
    tire.rest_mass = (n > 1.0).then_some(350.0 + 60.0 * n);
}

/// Constants of its wheels.
pub(crate) fn uneven_consts() -> WheelConsts {
    *model_of(uneven()).wheels().first()
}

/// A vector of at most this size along each axis.
pub(crate) fn vector(most: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-most..most).prop_map(Vec3::from_array)
}

/// Four vectors of at most this size along each axis.
pub(crate) fn vectors(most: f32) -> impl Strategy<Value = V3x4> {
    prop::array::uniform4(vector(most)).prop_map(V3x4::from_array)
}

/// Four numbers.
pub(crate) fn lanes(range: core::ops::Range<f32>) -> impl Strategy<Value = W4> {
    prop::array::uniform4(range).prop_map(W4::from_array)
}

/// Any four of yes and no.
pub(crate) fn masks() -> impl Strategy<Value = Mask4> {
    prop::array::uniform4(any::<bool>()).prop_map(Mask4::from_array)
}

/// A rotation that tilts by up to some 50 degrees and heads anywhere.
pub(crate) fn tilted() -> impl Strategy<Value = Quat> {
    let tilt = [-0.4..0.4f32, -0.4..0.4, -2.0..2.0];
    tilt.prop_map(|[x, y, z]| math::unit(Quat::from_xyzw(x, y, z, 1.0)))
}

/// Unit normals that are tilted from the vertical, world axes.
pub(crate) fn normals() -> impl Strategy<Value = V3x4> {
    let tilt = (vectors(0.5), Just(Vec3::Z));
    tilt.prop_map(|(tilt, up)| {
        V3x4::from_array(core::array::from_fn(|n| {
            (tilt.lane(n) * 0.8 + up).normalize()
        }))
    })
}

/// A chassis within a step, moving anyhow, under gravity along the world's z.
pub(crate) fn views() -> impl Strategy<Value = View> {
    let motion = (tilted(), vector(10.0), vector(2.0), vector(0.3), 0f32..0.1);
    motion.prop_map(|(rotation, linear, angular, moved, elapsed)| {
        let matrix = math::matrix(rotation);
        View {
            matrix,
            linear,
            angular,
            gravity: matrix.transpose() * Vec3::new(0.0, 0.0, -9.81),
            moved,
            elapsed,
        }
    })
}

/// Wheels over planes of their own, high, low and out of reach, with a past.
pub(crate) fn wheels_over_planes() -> impl Strategy<Value = WheelState> {
    let ground = (normals(), lanes(0.0..2.4), lanes(0.1..1.2));
    let past = (lanes(-0.08..0.2), lanes(-3.0..3.0), lanes(-60.0..60.0));
    (ground, past).prop_map(
        |((normal, height, friction), (jounce, speed, spin))| WheelState {
            spin,
            jounce,
            jounce_speed: speed,
            ground_normal: normal,
            ground_height: height,
            ground_friction: friction,
            ..WheelState::AT_REST
        },
    )
}

/// A lane's number in double precision.
pub(crate) fn wide(of: W4, lane: usize) -> f64 {
    f64::from(of.lane(lane))
}

/// How close single precision lets numbers of size 1 be after a stage's operations.
pub(crate) const NEAR: f32 = 2e-5;

/// Whether two numbers are as close as single precision lets numbers of this size be.
pub(crate) fn close(a: f32, b: f32, size: f32) -> bool {
    (a - b).abs() <= NEAR * size
}

/// Whether two vectors are as close as single precision lets numbers of this size be.
pub(crate) fn near(a: Vec3, b: Vec3, size: f32) -> bool {
    (a - b).length() <= NEAR * size
}

/// The height of a point (vehicle frame) over the plane of a lane.
pub(crate) fn height_over(
    wheels: &WheelState,
    matrix: &Mat3,
    moved: Vec3,
    point: Vec3,
    lane: usize,
) -> f32 {
    assert!(lane < LANES);
    let normal = wheels.ground_normal.lane(lane);
    wheels.ground_height.lane(lane) + normal.dot(moved + *matrix * point)
}
