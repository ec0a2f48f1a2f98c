//! Contact depth of wheels on planes.

use super::*;
use crate::base::lanes::LANES;
use crate::params::wheel_shape::{ShapeKind, WheelShape};
use crate::testing::uneven::{
    close, height_over, lanes, masks, near, uneven_consts, vectors, views, wheels_over_planes,
};
use proptest::prelude::*;

/// Wheels of which some are off, over planes of which some are missing.
fn some_wheels() -> impl Strategy<Value = (WheelConsts, WheelState)> {
    (masks(), masks(), wheels_over_planes()).prop_map(|(on, under, mut wheels)| {
        let mut k = uneven_consts();
        k.enabled = on;
        wheels.ground_normal = wheels.ground_normal.kept(under);
        (k, wheels)
    })
}

/// Ground that may rise.
fn rising() -> impl Strategy<Value = MovingGround> {
    let rise = (any::<bool>(), lanes(-2.0..2.0));
    rise.prop_map(|(any, rise)| MovingGround {
        any,
        rise,
        ..MovingGround::FIXED
    })
}

fn swept() -> impl Strategy<Value = SweptWheels> {
    let kinds = [
        ShapeKind::Cylinder,
        ShapeKind::Sphere,
        ShapeKind::Capsule,
        ShapeKind::RoundedDisc,
    ];
    let parts = (
        prop::sample::select(kinds.to_vec()),
        vectors(0.3),
        any::<bool>(),
        lanes(0.0..0.2),
    );
    parts.prop_map(|(kind, tilt, overlaps_carry, half_width)| SweptWheels {
        kind,
        half_width,
        axle: V3x4::from_array(core::array::from_fn(|n| {
            (tilt.lane(n) + Vec3::Y).normalize()
        })),
        overlaps_carry,
        fixed: None,
    })
}

/// Height of a point over the plane of a lane, which has risen meanwhile.
fn over(
    wheels: &WheelState,
    view: &View,
    ground: &MovingGround,
    lane: usize,
) -> impl Fn(Vec3) -> f32 {
    let rise = if ground.any {
        ground.rise.lane(lane)
    } else {
        0.0
    };
    let (wheels, view) = (*wheels, *view);
    move |point| height_over(&wheels, &view.matrix, view.moved, point, lane) - rise * view.elapsed
}

/// Whether a number is far enough from its edge that rounding does not decide.
fn clear(x: f32) -> bool {
    x.abs() > 1e-4
}

proptest! {
    /// A ray ends on its plane, and the wheel that stands there is as far up its strut as its jounce says.
    #[test]
    fn rays_end_on_their_planes(
        (k, wheels) in some_wheels(), view in views(), ground in rising(),
    ) {
        let actual = contact_depth(&k, &view, &wheels, &ground, None);
        for lane in 0..LANES {
            let over = over(&wheels, &view, &ground, lane);
            let normal = view.matrix.transpose() * wheels.ground_normal.lane(lane);
            let (center, travel) = (k.center.lane(lane), k.travel.lane(lane));
            let (radius, jounce) = (k.radius.lane(lane), actual.jounce.lane(lane));
            prop_assert!(near(actual.normal.lane(lane), normal, 1.0));
            prop_assert!(close(actual.along.lane(lane), normal.dot(travel), 1.0));
            let start = over(center - travel * (radius + k.max_compression.lane(lane)));
            if clear(start) {
                let reaches = k.enabled.lane(lane) && normal.dot(travel) < 0.0 && start > 0.0;
                prop_assert_eq!(actual.reaches.lane(lane), reaches);
            }
            if actual.reaches.lane(lane) {
                let bottom = actual.bottom.lane(lane);
                prop_assert!(over(bottom).abs() < 1e-4, "{}", over(bottom));
                prop_assert!(near(bottom, center + travel * (radius - jounce), 10.0));
            }
        }
    }

    /// Wheels that keep what they met have the same jounce in every later view; their points stay where they were
    /// in the world, but for the offset across the wheel.
    #[test]
    fn kept_jounces_and_points_stay(
        (k, wheels) in some_wheels(), start in views(), later in views(), swept in swept(), points in vectors(1.0),
    ) {
        let fixed = MovingGround::FIXED;
        let met = contact_depth(&k, &start, &wheels, &fixed, Some(&swept));
        let given = |lane: usize| lane.is_multiple_of(2).then(|| points.lane(lane));
        let fixed_contact = fix_contact(&k, &start, &wheels, &fixed, &swept, given);
        let kept = SweptWheels { fixed: Some(fixed_contact), ..swept };
        let touch = touch(&k, &later, &wheels, &fixed, Some(&kept), 0.01);
        for lane in 0..LANES {
            let bottom = met.bottom.lane(lane);
            let point = given(lane).unwrap_or(start.matrix * bottom);
            prop_assert!(near(fixed_contact.point.lane(lane), point, 10.0));
            let normal = later.matrix.transpose() * wheels.ground_normal.lane(lane);
            let jounce = met.jounce.lane(lane);
            let (stop, droop) = (k.max_compression.lane(lane), k.max_droop.lane(lane));
            let faces = k.enabled.lane(lane) && normal.dot(k.travel.lane(lane)) < 0.0;
            prop_assert_eq!(touch.touching.lane(lane), faces && jounce > -droop);
            if touch.touching.lane(lane) {
                prop_assert_eq!(touch.jounce.lane(lane), jounce.min(stop));
                let (bottom, axle) = (touch.bottom.lane(lane), swept.axle.lane(lane));
                prop_assert!(axle.dot(bottom - k.center.lane(lane)).abs() < 1e-4);
                let moved = later.matrix * bottom + later.moved - point;
                prop_assert!(near(moved, later.matrix * axle * moved.dot(later.matrix * axle), 10.0));
            }
        }
    }

    /// A swept wheel that has moved up its strut by its jounce touches its plane with its lowest point.
    #[test]
    fn swept_wheels_stand_on_their_planes(
        (k, wheels) in some_wheels(), view in views(), ground in rising(), swept in swept(),
    ) {
        let actual = contact_depth(&k, &view, &wheels, &ground, Some(&swept));
        for lane in 0..LANES {
            let over = over(&wheels, &view, &ground, lane);
            let normal = view.matrix.transpose() * wheels.ground_normal.lane(lane);
            let axle = swept.axle.lane(lane);
            prop_assert!(near(actual.normal.lane(lane), normal, 1.0));
            let (center, travel) = (k.center.lane(lane), k.travel.lane(lane));
            let (radius, half_width) = (k.radius.lane(lane), swept.half_width.lane(lane));
            if !(normal.dot(travel) < 0.0 && k.enabled.lane(lane)) {
                prop_assert!(!actual.reaches.lane(lane));
                continue;
            }
            let stands = center - travel * actual.jounce.lane(lane);
            let shape = WheelShape { kind: swept.kind, radius, half_width };
            let lowest = over(stands + shape.lowest(normal, axle));
            prop_assert!(lowest.abs() < 1e-4, "{lowest}");
            let (one, middles) = (V3x4::splat, |n, a| {
                swept.kind.lowest(k.radius, swept.half_width, n, a).middle
            });
            let middle = middles(one(normal), one(axle)).lane(lane);
            prop_assert!(near(actual.bottom.lane(lane), stands + middle, 10.0));
            let start = over(center + middle - travel * (radius + k.max_compression.lane(lane)));
            if clear(start) {
                prop_assert_eq!(actual.reaches.lane(lane), swept.overlaps_carry || start > 0.0);
            }
        }
    }

    /// Jounce is that of the ground within its limits, and full droop in the air.
    #[test]
    fn jounce_keeps_within_its_limits(
        (k, wheels) in some_wheels(), known in masks(), view in views(), h in 0.002f32..0.02,
    ) {
        let mut wheels = wheels;
        wheels.jounce = known.select(wheels.jounce, W4::splat(WheelState::UNKNOWN));
        let actual = contact_depth(&k, &view, &wheels, &MovingGround::FIXED, None);
        let touch = touch(&k, &view, &wheels, &MovingGround::FIXED, None, h);
        for lane in 0..LANES {
            let (raw, droop) = (actual.jounce.lane(lane), k.max_droop.lane(lane));
            let touching = actual.reaches.lane(lane) && raw > -droop;
            prop_assert_eq!(touch.touching.lane(lane), touching);
            let most = k.max_compression.lane(lane);
            let jounce = if touching { raw.min(most) } else { -droop };
            prop_assert_eq!(touch.jounce.lane(lane), jounce);
            let change = touch.jounce_speed.lane(lane) * h;
            if touching && known.lane(lane) {
                prop_assert!(close(change, jounce - wheels.jounce.lane(lane), 1.0));
            } else {
                prop_assert_eq!(change, 0.0);
                prop_assert!(touching || touch.beyond_stop.lane(lane) == 0.0);
            }
        }
    }

    /// A chassis that is lifted along the ground's normal by what a strut is beyond its stop stands on it.
    #[test]
    fn passing_a_stop_is_measured_along_the_normal((k, wheels) in some_wheels(), view in views()) {
        let touch = touch(&k, &view, &wheels, &MovingGround::FIXED, None, 0.01);
        for lane in (0..LANES).filter(|&lane| touch.beyond_stop.lane(lane) > 0.0) {
            let out = wheels.ground_normal.lane(lane) * touch.beyond_stop.lane(lane);
            let lifted = View { moved: view.moved + out, ..view };
            let after = contact_depth(&k, &lifted, &wheels, &MovingGround::FIXED, None);
            prop_assert!(close(after.jounce.lane(lane), k.max_compression.lane(lane), 10.0));
        }
    }
}
