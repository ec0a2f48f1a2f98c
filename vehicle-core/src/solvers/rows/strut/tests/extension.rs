//! Wheels without ground, extended against their mass, and wheels placed in the ground.

use super::dampers::digressive;
use super::*;
use crate::params::Damping;

/// The sample car's wheels, their dampers by `damping`.
fn curved(damping: Damping) -> (WheelConsts, StrutCurves) {
    let mut params = testing::four_wheeler();
    for wheel in &mut params.wheels {
        wheel.suspension.damping = damping;
    }
    let curves = StrutCurves::new(&params.wheels);
    (consts(|p| *p = params), curves)
}

/// A wheel of 20 kg at this jounce and jounce speed, preloaded by 2 kN.
fn wheels(jounce: f32, speed: f32) -> WheelState {
    WheelState {
        jounce: W4::splat(jounce),
        jounce_speed: W4::splat(speed),
        ..WheelState::AT_REST
    }
}

const PRELOAD: f32 = 2000.0;

/// `j̇⁺ = (m·j̇ − h·(P + k·j))/(m + h·(c + h·k))`, the spring never pulling, in f64.
fn final_speed(jounce: f32, speed: f32, damper: f64, h: f32) -> f64 {
    let [jounce, speed, h] = [jounce, speed, h].map(f64::from);
    let push = (f64::from(PRELOAD) + 35_000.0 * jounce).max(0.0);
    (20.0 * speed - h * push) / (20.0 + h * (damper + h * 35_000.0))
}

proptest! {
    /// A wheel extends against its damper's rebound coefficient at its present speed.
    #[test]
    fn wheels_with_mass_extend_against_rebound_damping(
        jounce in -0.09f32..0.3, speed in -2f32..2.0, h in 1e-3f32..0.03, bends in any::<bool>(),
    ) {
        let damping = if bends { digressive() } else { 1500.0.into() };
        let (k, curves) = curved(damping);
        let springs = Springs { preload: W4::splat(PRELOAD), stiffness: k.stiffness };
        let free = |curves| Extension::of_mass(&k, curves, &wheels(jounce, speed), springs, h);
        let actual = free(bends.then_some(&curves));
        // 6000 N·s/m up to 0.3 m/s, a quarter of that beyond.
        let fast = (f64::from(speed.abs()) - 0.3).max(0.0);
        let force = 6000.0 * f64::from(speed.abs()).min(0.3) + 1500.0 * fast;
        let secant = if speed == 0.0 { 6000.0 } else { force / f64::from(speed.abs()) };
        let expected = final_speed(jounce, speed, if bends { secant } else { 1500.0 }, h);
        let end = f64::from(jounce) + f64::from(h) * expected;
        let (at, left) = (f64::from(actual.jounce.lane(2)), f64::from(actual.speed.lane(2)));
        prop_assume!((end + 0.1).abs() > 1e-5);
        if end > -0.1 {
            prop_assert!((left - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{left} {expected}");
            prop_assert!((at - end).abs() < 1e-5, "{at} {end}");
        } else {
            prop_assert!((left, at as f32) == (0.0, -0.1), "{left} {at}");
        }
    }
}

#[test]
fn a_wheel_of_unknown_jounce_starts_at_full_droop() {
    let k = testing::wheel_consts();
    let unknown = WheelState {
        jounce_speed: W4::splat(3.0),
        ..WheelState::AT_REST
    };
    let free = Extension::of_mass(&k, None, &unknown, springs(&k), H);
    assert_eq!(free, Extension::full(&k));
}

// 0.3 m of compression; more than 5 cm beyond is in the ground, for a placed car.
#[rstest]
#[case::within(0.29, true, 0.0, false)]
#[case::just_beyond(0.34, true, 0.0, false)]
#[case::put_deep(0.36, true, 0.0, true)]
#[case::driven_deep(0.36, false, 0.0, false)]
#[case::not_out_yet(0.31, false, 0.32, true)]
#[case::out_again(0.29, false, 0.32, false)]
#[case::put_where_nothing_is_known(0.36, true, WheelState::UNKNOWN, true)]
#[case::nothing_known_but_driven(0.36, false, WheelState::UNKNOWN, false)]
fn a_wheel_placed_in_the_ground_is_buried(
    #[case] jounce: f32,
    #[case] placed: bool,
    #[case] before: f32,
    #[case] expected: bool,
) {
    let k = testing::wheel_consts();
    let actual = |reaches| ContactDepth {
        reaches,
        ..contact_depth(jounce, 1.0)
    };
    let state = wheels(before, 0.0);
    let in_ground = buried(&k, &actual(Mask4::ALL), &state, placed);
    assert_eq!(in_ground, Mask4::from_fn(|_| expected));
    let in_air = buried(&k, &actual(Mask4::NONE), &state, placed);
    assert_eq!(in_air, Mask4::NONE);
}

// At most at 1 m/s; slower if its own impulse is smaller.
#[rstest]
#[case::upright(1.0)]
#[case::oblique(0.6)]
fn a_buried_wheel_emerges_slowly(#[case] incidence: f32) {
    let strut = Strut {
        jounce: 0.5,
        incidence,
        without: -0.3,
        ..STRUT()
    };
    let (mut at, ..) = strut.solve();
    let end = |at: &Compression, without: f32| strut.end_at(at, &StrutForces::default(), without);
    let thrown = end(&at, -0.3);
    assert!(thrown > 2.0, "{thrown}");
    at.buried = Mask4::ALL;
    let out = end(&at, -0.3);
    assert!((out - incidence).abs() < 1e-5, "{out}");
    // A faster wheel is not slowed down.
    let out = end(&at, 1.5);
    assert_eq!(out, 1.5);
}

/// A body that falls without the struts is pushed no farther than to where its spring ends, whatever other struts have done before:
/// so many wheels at their springs' ends do not throw it off together. A body that rises is pushed on.
#[rstest]
#[case::fell(-0.05, -0.16, 0.06)]
#[case::stopped_by_others(-0.05, 0.0, 0.06)]
#[case::raised_by_others(-0.05, 0.1, 0.1)]
#[case::rises(0.05, 0.05, f32::INFINITY)]
fn springs_at_their_ends_throw_nothing_off(
    #[case] unconstrained: f32,
    #[case] without: f32,
    #[case] most: f32,
) {
    let near = 1e-3 - testing::wheel_consts().max_droop.lane(0);
    let strut = Strut {
        jounce: near,
        without: unconstrained,
        ..STRUT()
    };
    let (at, ..) = strut.solve();
    let forces = StrutForces {
        springs: Springs {
            preload: W4::splat(20_000.0),
            stiffness: strut.k.stiffness,
        },
        ..StrutForces::default()
    };
    let end = strut.end_at(&at, &forces, without);
    if most.is_finite() {
        assert!((end - most).abs() < 1e-4, "{end}");
    } else {
        assert!(end > 0.1, "{end}");
    }
}

proptest! {
    #[test]
    fn wheels_with_mass_extend_no_further_than_massless_ones(
        jounce in -0.1f32..0.3, speed in -3f32..3.0, h in 1e-3f32..0.05,
    ) {
        let k = testing::wheel_consts();
        let wheels = WheelState {
            jounce: W4::splat(jounce),
            jounce_speed: W4::splat(speed),
            ..WheelState::AT_REST
        };
        let free = Extension::of_mass(&k, None, &wheels, springs(&k), h);
        let (out, speed_after) = (free.jounce.lane(0), free.speed.lane(0));
        prop_assert!(out >= -0.1 && out.is_finite() && speed_after.is_finite());
        // Pushed outwards, at most at the speed at which damper and spring balance.
        prop_assert!(speed_after <= speed.max(0.0));
        prop_assert!(out == -0.1 || (out - (jounce + h * speed_after)).abs() < 1e-6);
    }
}
