//! Wheels that the ground falls away from.

use super::*;
use crate::base::lanes::LANES;
use crate::testing::uneven::{close, lanes, masks, uneven_consts, views, wheels_over_planes, wide};
use proptest::prelude::*;

/// Wheels on the ground or in the air whose jounce changes at any speed, and the length of the step.
fn traveling() -> impl Strategy<Value = (Touch, f32)> {
    let parts = (masks(), lanes(-0.08..0.2), lanes(-6.0..2.0), 0.002f32..0.02);
    parts.prop_map(|(touching, jounce, jounce_speed, h)| {
        let touch = Touch {
            touching,
            jounce,
            jounce_speed,
            ..Touch::default()
        };
        (touch, h)
    })
}

/// Gravity along a lane's strut (`m/s²`).
fn fall(k: &WheelConsts, view: &View, lane: usize) -> f64 {
    f64::from(k.travel.lane(lane).dot(view.gravity))
}

proptest! {
    /// ALGORITHMS §3.5, wheel by wheel in double precision.
    #[test]
    fn a_wheel_is_outrun_beyond_its_springs_acceleration(
        (touch, h) in traveling(), view in views(), before in lanes(-0.08..0.02),
    ) {
        let k = uneven_consts();
        let actual = outrun(&k, &view, &touch, before, h);
        for lane in 0..LANES {
            let spring = (wide(before, lane) + wide(k.max_droop, lane))
                * wide(k.stiffness, lane) / wide(k.wheel_mass, lane);
            let reachable = (spring + fall(&k, &view, lane)) * f64::from(h);
            let speed = wide(touch.jounce_speed, lane);
            if (speed + reachable).abs() > 1e-4 {
                let expected = speed < 0.0 && touch.jounce.lane(lane) <= 0.0 && speed < -reachable;
                prop_assert_eq!(actual.lane(lane), expected);
            }
        }
    }
}

/// Extension of a wheel on its own in a step (ALGORITHMS §7.9): the speed outwards (`m/s`), and the jounce speed
/// down to which it keeps to the ground.
fn free_extension(
    k: &WheelConsts,
    before: &WheelState,
    damper: W4,
    lane: usize,
    h: f64,
    fall: f64,
) -> (f64, f64) {
    let mass = wide(k.wheel_mass, lane);
    let speed = wide(before.jounce_speed, lane);
    let extension = wide(before.jounce, lane) + wide(k.max_droop, lane);
    let pushed = extension * wide(k.stiffness, lane) * h / mass - speed;
    let damped = pushed + speed * wide(damper, lane) * h / mass;
    let own = if pushed >= 0.0 {
        damped.max(0.0)
    } else {
        damped.min(0.0)
    };
    let reachable = if own > 0.0 { own + fall * h } else { own };
    (own, reachable)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// ALGORITHMS §7.9, wheel by wheel in double precision.
    #[test]
    fn expansion_is_limited_by_spring_and_mass(
        (touch, h) in traveling(), view in views(), before in wheels_over_planes(),
        under in masks(), known in masks(), damper in lanes(0.0..4000.0),
    ) {
        let k = uneven_consts();
        let mut before = before;
        before.ground_normal = before.ground_normal.kept(under);
        before.jounce = known.select(before.jounce, W4::splat(WheelState::UNKNOWN));
        let actual = limit_extension(&k, &view, &before, &touch, Some(damper), h);
        for lane in 0..LANES {
            let (now, then) = (wide(touch.jounce, lane), wide(before.jounce, lane));
            let step = f64::from(h);
            let speed = (now - then) / step;
            let fall = fall(&k, &view, lane);
            let (own, reachable) = free_extension(&k, &before, damper, lane, step, fall);
            if (speed + reachable).abs() < 1e-3 || (then - own * step - now).abs() < 1e-6 {
                continue;
            }
            let late = known.lane(lane) && speed < 0.0 && speed < -reachable;
            let jounce = if late { then - own * step } else { now };
            let jounce_speed = if late { -own } else { speed };
            let has_speed = late || (known.lane(lane) && under.lane(lane));
            prop_assert!(close(actual.jounce.lane(lane), jounce as f32, 1.0));
            let expected = if has_speed { jounce_speed as f32 } else { 0.0 };
            prop_assert!(close(actual.jounce_speed.lane(lane), expected, 100.0));
            let touching = touch.touching.lane(lane) && !(late && jounce > now);
            prop_assert_eq!(actual.touching.lane(lane), touching);
        }
    }

    /// The ground pushes a wheel in as fast as it likes: only extension has its limit, however fast the
    /// wheel moved in before.
    #[test]
    fn compression_is_not_limited(
        (touch, h) in traveling(), view in views(), before in wheels_over_planes(),
        speed in lanes(-3.0..12.0), compression in lanes(0.0..0.1), damper in lanes(0.0..4000.0),
    ) {
        let before = WheelState { jounce_speed: speed, ..before };
        let touch = Touch { jounce: before.jounce + compression, ..touch };
        let actual = limit_extension(&uneven_consts(), &view, &before, &touch, Some(damper), h);
        prop_assert_eq!(actual.jounce, touch.jounce, "moves in, without limit");
        prop_assert_eq!(actual.touching, touch.touching);
        let speed = (touch.jounce - before.jounce) / W4::splat(h);
        prop_assert_eq!(actual.jounce_speed, speed);
    }

    /// Where expansion has no limit, wheels stay where they are, and those over ground have a jounce speed.
    #[test]
    fn without_a_limit_a_wheel_follows_the_ground(
        (touch, h) in traveling(), view in views(), before in wheels_over_planes(),
        under in masks(), known in masks(),
    ) {
        let mut before = before;
        before.ground_normal = before.ground_normal.kept(under);
        before.jounce = known.select(before.jounce, W4::splat(WheelState::UNKNOWN));
        let actual = limit_extension(&uneven_consts(), &view, &before, &touch, None, h);
        let speed = (touch.jounce - before.jounce) / W4::splat(h);
        let expected = Touch { jounce_speed: (known & under).keep(speed), ..touch };
        prop_assert_eq!(actual, expected);
    }
}

/// On an upside-down car gravity pulls wheels in: one that the ground hardly outruns is let go where its
/// spring alone would still have reached the ground, and stays on it.
#[test]
fn a_wheel_that_gravity_alone_holds_back_stays_on_the_ground() {
    const H: f32 = 0.01;
    let k = consts(|_| ());
    let (mut view, mut before) = level(1.7);
    view.gravity = -view.gravity;
    before.jounce = W4::splat(-0.05);
    // What the spring gives the wheel within the step (`m/s`), less half of what gravity takes.
    let own = 0.05 * 35_000.0 / 20.0 * H;
    let falls = own - 0.5 * G * H;
    let touch = Touch {
        touching: Mask4::ALL,
        jounce: before.jounce - W4::splat(falls * H),
        ..Touch::default()
    };
    let actual = limit_extension(&k, &view, &before, &touch, Some(W4::ZERO), H);
    assert_eq!(actual.touching, Mask4::ALL);
    assert!(close(actual.jounce_speed.lane(0), -own, 1.0), "{actual:?}");
}
