//! Forces of struts.

use super::*;
use crate::base::lanes::LANES;
use crate::testing::uneven::{
    close, lanes, masks, near, normals, uneven_consts, vectors, views, wide,
};
use proptest::prelude::*;

/// Struts at any jounce and jounce speed over inclined planes.
fn touches() -> impl Strategy<Value = (View, Touch)> {
    let parts = (
        views(),
        normals(),
        lanes(-0.1..0.25),
        lanes(-4.0..4.0),
        vectors(2.0),
    );
    parts.prop_map(|(view, normal, jounce, jounce_speed, bottom)| {
        let normal = normal.rotated_back(&view.matrix);
        let touch = Touch {
            touching: Mask4::ALL,
            normal,
            along: normal.dot(uneven_consts().travel),
            bottom,
            jounce,
            jounce_speed,
            beyond_stop: W4::ZERO,
        };
        (view, touch)
    })
}

fn settings() -> impl Strategy<Value = (ExplicitSettings, f32)> {
    let settings = (
        any::<[bool; 3]>(),
        prop_oneof![Just(f32::INFINITY), 1f32..200.0],
    );
    settings.prop_map(|([pull, project, into], most)| {
        let settings = ExplicitSettings {
            damper_may_pull: pull,
            project_suspension_force: project,
            bears_gravity_into_ground: into,
            ..ExplicitSettings::PHYSX_4
        };
        (settings, most)
    })
}

/// Force along a strut [N]: the spring with its preload never pulls, the damper only where it may.
fn strut_force(k: &WheelConsts, weight: f64, touch: &Touch, pull: bool, lane: usize) -> f64 {
    let preload = wide(k.preload_mass, lane) * weight + wide(k.preload, lane);
    let spring = preload + wide(k.stiffness, lane) * wide(touch.jounce, lane);
    let force = spring.max(0.0) + wide(k.damper, lane) * wide(touch.jounce_speed, lane);
    if pull { force } else { force.max(0.0) }
}

/// Force along the ground's normal (`N`) (ALGORITHMS §3.6, §7.10).
fn normal_force(
    k: &WheelConsts,
    settings: &ExplicitSettings,
    view: &View,
    touch: &Touch,
    most: f64,
    lane: usize,
) -> f64 {
    let (normal, travel) = (touch.normal.lane(lane), k.travel.lane(lane));
    let (normal, travel) = (normal.as_dvec3(), travel.as_dvec3());
    let gravity = view.gravity.as_dvec3();
    let weight = travel.dot(gravity).max(0.0);
    let borne = if settings.bears_gravity_into_ground {
        normal.dot(gravity) < 0.0
    } else {
        weight > 0.0
    };
    let across = normal.dot(gravity - travel * travel.dot(gravity));
    let strut = strut_force(k, weight, touch, settings.damper_may_pull, lane);
    let share = if settings.project_suspension_force {
        -normal.dot(travel)
    } else {
        1.0
    };
    let carried = if borne { across } else { 0.0 };
    let force = share * strut - carried * wide(k.sprung_mass, lane);
    force.min(most).max(-most)
}

proptest! {
    /// ALGORITHMS §3.6 and §7.10, wheel by wheel in double precision.
    #[test]
    fn strut_forces_follow_their_law(
        (view, touch) in touches(), (settings, most) in settings(), loaded in masks(),
        mass in lanes(5.0..400.0),
    ) {
        let k = uneven_consts();
        let ground = MovingGround { any: true, mass, ..MovingGround::FIXED };
        let actual = force(&k, None, &settings, &view, &touch, (&ground, most), loaded);
        for lane in 0..LANES {
            let law = normal_force(&k, &settings, &view, &touch, wide(mass, lane) * f64::from(most), lane);
            let expected = if loaded.lane(lane) { law as f32 } else { 0.0 };
            prop_assert!(close(actual.lane(lane), expected, 2e4), "{lane} {expected} {actual:?}");
        }
    }

    /// On an upside-down car gravity pulls struts out, and no ground bears any of it.
    #[test]
    fn gravity_that_pulls_a_strut_out_is_not_carried((view, touch) in touches(), into in any::<bool>()) {
        let k = uneven_consts();
        let view = View { gravity: -view.gravity, ..view };
        let settings = ExplicitSettings { bears_gravity_into_ground: into, ..ExplicitSettings::PHYSX_4 };
        let fixed = (&MovingGround::FIXED, f32::INFINITY);
        let actual = force(&k, None, &settings, &view, &touch, fixed, Mask4::ALL);
        for lane in 0..LANES {
            let law = normal_force(&k, &settings, &view, &touch, f64::INFINITY, lane);
            prop_assert!(close(actual.lane(lane), law as f32, 2e4), "{lane} {law} {actual:?}");
        }
    }

    /// The end of a wheel moves with its jounce.
    #[test]
    fn wheels_end_a_radius_below_their_centers((_, touch) in touches()) {
        let k = uneven_consts();
        let end = wheel_end(&k, &touch);
        for lane in 0..LANES {
            let center = k.center.lane(lane) - k.travel.lane(lane) * touch.jounce.lane(lane);
            let down = k.travel.lane(lane) * k.radius.lane(lane);
            prop_assert!(near(end.lane(lane), center + down, 3.0));
        }
    }
}
