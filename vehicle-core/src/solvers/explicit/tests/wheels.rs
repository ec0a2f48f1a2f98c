//! Inputs of the tires of four wheels, and results of their outputs.

use super::*;
use crate::params::profile::Profile;
use crate::testing::uneven::wide;

/// Four wheels at different speeds, loads and frictions on a car that turns.
fn rig(tire: Echo) -> Rig {
    let profile = Profile {
        solver: testing::EXPLICIT,
        ..Profile::DEFAULT
    };
    rig_of(
        VehicleParams {
            profile,
            ..uneven()
        },
        tire,
    )
}

fn rig_of(mut params: VehicleParams, tire: Echo) -> Rig {
    substeps(&mut params, 1);
    let model = on_tires(params, tire);
    let motion = (Vec3::new(6.0, -0.8, 0.1), Vec3::new(0.1, -0.2, 0.4));
    let mut rig = Rig::new(model, 1.36).moving(tilt(0.01, -0.01, 0.0), motion.0, motion.1);
    rig.wheels().ground_friction = W4::from_array([0.9, 0.7, 1.1, 0.5]);
    rig.wheels().spin = W4::from_array([12.0, 18.0, 9.0, 14.0]);
    rig.steering[0].turn_to(W4::from_array([0.1, 0.08, 0.0, -0.02]));
    rig
}

/// Input of tires in a substep.
fn input_of(of: fn(&TireInput) -> f32) -> (W4, Rig) {
    let mut rig = rig(echo(of));
    rig.advance(H);
    (rig.out().forces.longitudinal, rig)
}

#[track_caller]
fn assert_lanes(actual: W4, expected: impl Fn(usize) -> f64, size: f32) {
    for lane in 0..LANES {
        let (actual, expected) = (actual.lane(lane), expected(lane) as f32);
        assert!(
            close(actual, expected, size),
            "lane {lane}: {actual} {expected}"
        );
    }
}

#[test]
fn tires_receive_their_load() {
    let (rest, rig) = input_of(|i| i.rest_load);
    let k = *rig.model.wheels().first();
    assert_lanes(rest, |n| wide(k.rest_mass, n) * f64::from(G), 1e4);
    let (load, rig) = input_of(|i| i.load);
    let out = *rig.out();
    assert!(out.loaded.all() && out.suspension_force.gt(W4::ZERO).all());
    // The filter of PhysX: a line from 0.2308 to 3.
    let filtered = |n: usize| {
        let share = wide(out.suspension_force, n) / wide(rest, n);
        (0.2308 + share * (3.0 - 0.2308) / 3.0) * wide(rest, n)
    };
    assert_lanes(load, filtered, 1e4);
    assert_eq!(
        (load, out.suspension_force),
        (out.load, rig.state.wheels[0].normal_force)
    );
    assert_lanes(input_of(|i| i.gravity).0, |_| f64::from(G), 10.0);
    assert_lanes(input_of(|i| i.pressure).0, |_| 2e5, 2e5);
}

#[test]
fn tires_receive_their_speeds() {
    let (rim, rig) = input_of(|i| i.rim_speed);
    let k = *rig.model.wheels().first();
    let spins = [12.0, 18.0, 9.0, 14.0];
    assert_lanes(rim, |n| spins[n] * wide(k.radius, n), 10.0);
    let (radius, _) = input_of(|i| i.radius);
    assert_eq!(radius, k.radius);
    let out = *rig.out();
    let velocity = |n: usize| rig_velocity(&out, n);
    let (forward, _) = input_of(|i| i.forward_speed);
    assert_lanes(
        forward,
        |n| f64::from(velocity(n).dot(out.axes.longitudinal.lane(n))),
        10.0,
    );
    let (lateral, _) = input_of(|i| i.lateral_speed);
    assert_lanes(
        lateral,
        |n| f64::from(velocity(n).dot(out.axes.lateral.lane(n))),
        10.0,
    );
    let (yaw, _) = input_of(|i| i.yaw_speed);
    let turning = tilt(0.01, -0.01, 0.0).inverse() * Vec3::new(0.1, -0.2, 0.4);
    assert_lanes(
        yaw,
        |n| f64::from(turning.dot(out.touch.normal.lane(n))),
        1.0,
    );
}

/// Velocity of the chassis where a wheel touches (vehicle frame).
fn rig_velocity(out: &WheelOutputs, lane: usize) -> Vec3 {
    let back = tilt(0.01, -0.01, 0.0).inverse();
    let (linear, angular) = (Vec3::new(6.0, -0.8, 0.1), Vec3::new(0.1, -0.2, 0.4));
    back * linear + (back * angular).cross(out.touch.bottom.lane(lane))
}

/// Friction is that of tire and ground, times its curve's factor at the slip.
#[test]
fn friction_is_that_of_ground_tire_and_slip() {
    let worn = Echo {
        of: |i| i.friction,
        condition: [0.5, 1.0],
    };
    let mut rig = rig(worn);
    rig.advance(H);
    let k = *rig.model.wheels().first();
    let factor = slip::curve_friction(&k, rig.out().slip_ratio);
    assert!((factor - W4::ONE).abs().gt(W4::splat(0.01)).any());
    let ground = [0.9, 0.7, 1.1, 0.5];
    assert_lanes(
        rig.out().friction,
        |n| 0.5 * ground[n] * wide(factor, n),
        1.0,
    );
    assert_eq!(rig.out().forces.longitudinal, rig.out().friction);
}

/// A stiffer tire is asked at more slip; what is shown is the slip that there is.
#[test]
fn a_stiffer_tire_is_evaluated_at_more_slip() {
    let slips: [fn(&TireInput) -> f32; 2] = [|i| i.slip_ratio, |i| i.tan_slip_angle];
    for (n, of) in slips.into_iter().enumerate() {
        let stiff = Echo {
            of,
            condition: [1.0, 1.5],
        };
        let mut rig = rig(stiff);
        rig.advance(H);
        let out = *rig.out();
        let shown = [out.slip_ratio, out.tan_slip_angle][n];
        assert!(shown.abs().gt(W4::splat(0.01)).all());
        assert_lanes(out.forces.longitudinal, |n| 1.5 * wide(shown, n), 1.0);
    }
}

/// Driven and braked wheels have a slip denominator of their own.
#[test]
fn driven_and_braked_wheels_slip_over_their_own_speed() {
    let mut rig = rig(echo(|_| 0.0));
    let driven = Mask4::from_array([false, true, false, true]);
    rig.control.wheels[0].accelerated = driven;
    rig.control.wheels[0].brake = W4::from_array([0.0, 0.0, 50.0, 50.0]);
    let spin = rig.wheels().spin;
    rig.advance(H);
    let (out, k) = (*rig.out(), *rig.model.wheels().first());
    let active = Mask4::from_array([false, true, true, true]);
    let settings = &rig.model.params().profile.explicit().unwrap().slip;
    let expected = slip::slip_ratio(settings, active, out.forward_speed, spin * k.radius);
    assert_eq!(out.slip_ratio, expected);
    let passive = slip::slip_ratio(settings, Mask4::NONE, out.forward_speed, spin * k.radius);
    assert!((passive - expected).abs().gt(W4::splat(1e-4)).lane(1));
}

/// Ice, a tire without any grip, and the air: no tire, no timers.
#[rstest]
#[case::ground([1.0, 0.0, 1.0, 0.0], 1.0, [true, false, true, false])]
#[case::tire([1.0, 1.0, 1.0, 1.0], 0.0, [false; 4])]
fn without_friction_there_is_no_tire_force(
    #[case] ground: [f32; 4],
    #[case] tire: f32,
    #[case] grips: [bool; 4],
) {
    let slippery = Echo {
        of: |_| 100.0,
        condition: [tire, 1.0],
    };
    let mut rig = rig(slippery);
    rig.wheels().ground_friction = W4::from_array(ground);
    rig.advance(H);
    assert!(rig.out().loaded.all());
    let pushed = rig.out().forces.longitudinal.to_array();
    assert_eq!(pushed, grips.map(|grips| if grips { 100.0 } else { 0.0 }));
}

#[test]
fn a_wheel_in_the_air_has_neither_load_nor_slip_nor_tire() {
    let mut rig = rig(echo(|_| 100.0));
    rig.wheels().ground_height = W4::from_array([1.36, 5.0, 1.36, 5.0]);
    rig.advance(H);
    let out = *rig.out();
    assert_eq!(out.loaded, Mask4::from_array([true, false, true, false]));
    let of_air = [
        out.load,
        out.suspension_force,
        out.friction,
        out.slip_ratio,
        out.tan_slip_angle,
        out.forward_speed,
        out.forces.longitudinal,
        rig.state.wheels[0].normal_force,
    ];
    for numbers in of_air {
        assert_eq!((numbers.lane(1), numbers.lane(3)), (0.0, 0.0));
        assert!(numbers.lane(0) != 0.0 && numbers.lane(2) != 0.0);
    }
}

/// Turn slip is that over the ground: on a turntable that turns with the car there is none.
#[test]
fn yaw_speed_is_relative_to_a_turntable() {
    let mut rig = rig(echo(|i| i.yaw_speed));
    rig.ground[0].any = true;
    rig.ground[0].spin = V3x4::splat(Vec3::new(0.0, 0.0, 0.4));
    rig.advance(H);
    // The car turns about its other axes as well, but not about the ground's normal.
    let left = rig.out().forces.longitudinal;
    assert!(left.abs().lt(W4::splat(1e-6)).all(), "{left:?}");
}

/// A strut that the ground outruns carries nothing where expansion is limited: at the ground's jounce in
/// PhysX 4, at its own otherwise.
#[rstest]
#[case::physx_4(Profile::PHYSX_4, false, false)]
#[case::physx_4_limited(Profile::PHYSX_4, true, false)]
#[case::physx_5(Profile::PHYSX_5, false, false)]
#[case::physx_5_limited(Profile::PHYSX_5, true, true)]
fn outrun_struts_follow_the_profile(
    #[case] profile: Profile,
    #[case] limited: bool,
    #[case] own: bool,
) {
    let profile = Profile {
        limit_expansion: limited,
        ..profile
    };
    let mut rig = Rig::new(on_ice(profile), REST);
    // Wheels 0 and 1 are let out by 8 cm within the step, wheel 3 hangs in the air.
    rig.wheels().ground_height = W4::from_array([1.7, 1.7, REST, 3.0]);
    rig.wheels().jounce = W4::from_array([0.03, -0.05, 0.0, -0.1]);
    rig.advance(H);
    let out = *rig.out();
    let outrun = Mask4::from_array([limited, false, false, false]);
    let touches = Mask4::from_array([true, true, true, false]);
    for lane in 0..LANES {
        let carries = touches.lane(lane) && !outrun.lane(lane);
        assert_eq!(out.loaded.lane(lane), carries, "{lane}");
        let touching = if own { carries } else { touches.lane(lane) };
        assert_eq!(out.touch.touching.lane(lane), touching, "{lane}");
    }
    let lags = out.touch.jounce.lane(0) > -0.049;
    assert_eq!(lags, own, "{:?}", out.touch.jounce);
    let wheels = &rig.state.wheels[0];
    assert_eq!(
        (wheels.jounce, wheels.jounce_speed),
        (out.touch.jounce, out.touch.jounce_speed)
    );
}

/// Forces of struts and tires, each at its own point; side forces at the roll influence's share of the
/// height; moments about normal and rolling direction, fading toward a standstill, below 1 m/s.
#[rstest]
#[case::fast(6.0)]
#[case::slow(0.3)]
fn wheel_forces_act_at_their_points(#[case] speed: f32) {
    let params = VehicleParams {
        profile: Profile {
            solver: testing::EXPLICIT,
            ..Profile::DEFAULT
        },
        ..uneven()
    };
    let mut rig = rig_of(params, echo(|i| 900.0 * i.friction));
    rig.chassis.velocity.linear = Vec3::new(speed, -0.5 * speed, 0.0).extend(0.0);
    rig.chassis.velocity.angular = Vec3::ZERO.extend(0.0);
    let before = rig.chassis;
    rig.advance(H);
    let (out, k) = (*rig.out(), *rig.model.wheels().first());
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    for n in 0..LANES {
        let normal = out.touch.normal.lane(n);
        let (long, lat) = (out.axes.longitudinal.lane(n), out.axes.lateral.lane(n));
        let up = normal * out.suspension_force.lane(n);
        let ahead = long * out.forces.longitudinal.lane(n);
        let side = lat * out.forces.lateral.lane(n);
        force += up + ahead + side;
        moment += k.suspension_point.lane(n).cross(up);
        moment += k.tire_point.lane(n).cross(ahead) + k.side_point.lane(n).cross(side);
        let faster = out
            .forward_speed
            .abs()
            .lane(n)
            .max(out.lateral_speed.abs().lane(n));
        let twist = normal * out.forces.aligning_moment.lane(n);
        let roll = long * out.forces.overturning_moment.lane(n);
        moment += (twist + roll) * faster.min(1.0);
    }
    let jounce = out.touch.jounce;
    for [a, b] in [[0, 1], [2, 3]] {
        let bar = k.suspension_arm(b) - k.suspension_arm(a);
        let twist = bar * (10_000.0 * (jounce.lane(a) - jounce.lane(b)));
        moment += twist;
    }
    let change = (rig.chassis.velocity - before.velocity).truncated().linear;
    assert!(near(change, before.matrix * force * (H / 1500.0), 1.0));
    let turned = before.matrix * (before.inverse_inertia * moment) * H;
    let angular = rig.chassis.velocity.truncated().angular;
    assert!(near(angular, turned, 1.0), "{angular} {turned}");
}
