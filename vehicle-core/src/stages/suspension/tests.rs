//! Wheels over planes, and the forces of their struts.

mod expansion;
mod forces;
mod ground;
mod reaching;

use super::*;
use crate::base::checked::Checked;
use crate::stages::model::VehicleModel;
use crate::testing;
use glam::{Mat3, Vec3};
use rstest::rstest;

const G: f32 = 9.81;

fn consts(change: impl FnOnce(&mut crate::VehicleParams)) -> WheelConsts {
    let mut params = testing::four_wheeler();
    change(&mut params);
    let tires = testing::tires();
    let drive = testing::no_drive();
    let model = VehicleModel::new(Checked::new(params).unwrap(), &tires, drive).unwrap();
    *model.wheels().first()
}

fn level(height: f32) -> (View, WheelState) {
    let view = View {
        matrix: Mat3::IDENTITY,
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        gravity: Vec3::new(0.0, 0.0, -G),
        moved: Vec3::ZERO,
        elapsed: 0.0,
    };
    let wheels = WheelState {
        ground_normal: V3x4::splat(Vec3::Z),
        ground_height: W4::splat(height),
        ground_friction: W4::ONE,
        ..WheelState::AT_REST
    };
    (view, wheels)
}

/// The sample car's wheel centers lie 1.15 m below its center of mass, radius 0.5 m.
#[rstest]
#[case::rest(1.65, true, 0.0)]
#[case::pressed(1.55, true, 0.1)]
#[case::beyond_the_stop(1.25, true, 0.3)]
#[case::hanging(1.74, true, -0.09)]
#[case::in_the_air(1.80, false, -0.1)]
fn jounce_follows_the_height(#[case] height: f32, #[case] touching: bool, #[case] jounce: f32) {
    let (view, wheels) = level(height);
    let touch = touch(
        &consts(|_| ()),
        &view,
        &wheels,
        &MovingGround::FIXED,
        None,
        0.01,
    );
    assert_eq!(touch.touching.lane(2), touching);
    assert!((touch.jounce.lane(2) - jounce).abs() < 1e-6, "{touch:?}");
    assert_eq!(
        touch.jounce_speed.lane(2),
        0.0,
        "the last jounce is unknown"
    );
}

#[test]
fn a_ray_that_starts_below_the_ground_touches_nothing() {
    let (view, wheels) = level(0.2);
    assert!(
        !touch(
            &consts(|_| ()),
            &view,
            &wheels,
            &MovingGround::FIXED,
            None,
            0.01
        )
        .touching
        .any()
    );
}

#[test]
fn at_rest_the_strut_carries_its_sprung_mass() {
    let (view, wheels) = level(1.65);
    let k = consts(|_| ());
    let touch = touch(&k, &view, &wheels, &MovingGround::FIXED, None, 0.01);
    let settings = ExplicitSettings::PHYSX_4;
    let f = force(
        &k,
        None,
        &settings,
        &view,
        &touch,
        (&MovingGround::FIXED, f32::INFINITY),
        touch.touching,
    );
    assert!((f.lane(0) - 437.5 * G).abs() < 0.05, "{f:?}");
    assert!((f.sum() - 1500.0 * G).abs() < 0.2);
}

#[test]
fn a_fast_rebound_pulls_only_where_the_profile_allows_it() {
    let (view, mut wheels) = level(1.70);
    wheels.jounce = W4::splat(0.2);
    let k = consts(|_| ());
    let touch = touch(&k, &view, &wheels, &MovingGround::FIXED, None, 0.01);
    let weight = W4::splat(G);
    assert!(strut(&k, weight, k.damper, &touch, true).lane(0) < 0.0);
    assert_eq!(strut(&k, weight, k.damper, &touch, false).lane(0), 0.0);
    assert!(outrun(&k, &view, &touch, wheels.jounce, 0.01).lane(0));
}

#[test]
fn camber_is_an_increment_in_proportion_to_travel() {
    let k = consts(|p| {
        p.wheels[0].suspension.camber = crate::params::CamberCurve {
            at_rest: -0.02,
            at_max_compression: -0.03,
            at_max_droop: 0.01,
        };
    });
    let at = |jounce: f32| k.camber(W4::splat(jounce)).lane(0);
    assert_eq!(at(0.0), -0.02);
    assert!((at(0.3) + 0.05).abs() < 1e-6);
    assert!((at(-0.1) + 0.01).abs() < 1e-6);
}

#[test]
fn the_push_on_a_light_body_is_limited() {
    let (view, wheels) = level(1.60);
    let k = consts(|_| ());
    let touch = touch(&k, &view, &wheels, &MovingGround::FIXED, None, 0.01);
    let ground = MovingGround {
        any: true,
        mass: W4::splat(10.0),
        ..MovingGround::FIXED
    };
    let settings = ExplicitSettings::PHYSX_4;
    let ground = (&ground, 50.0);
    let f = force(&k, None, &settings, &view, &touch, ground, touch.touching);
    assert_eq!(f.lane(1), 500.0);
}
