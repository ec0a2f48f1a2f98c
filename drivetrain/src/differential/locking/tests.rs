use super::*;
use crate::differential::TorqueBy;
use alloc::vec;
use alloc::vec::Vec;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::Checked;
use vehicle_core::lanes::W4;

const LIMIT: SpeedLimit = SpeedLimit {
    bias: 1.5,
    target: 1.2,
};

fn of(limits: [Option<SpeedLimit>; 3]) -> LockingDifferential {
    LockingDifferential {
        ratios: MultiWheel {
            torque_ratios: vec![0.25; 4],
            speed_ratios: vec![0.25; 4],
            torque_by: TorqueBy::TorqueRatio,
            strict: false,
        },
        front: [0, 1],
        rear: [2, 3],
        front_limit: limits[0],
        rear_limit: limits[1],
        center_limit: limits[2],
        rate: None,
        free_axle: FreeAxle::Open,
    }
}

fn locked(law: &LockingDifferential, spins: [f32; 4], duration: f32) -> Control {
    let wheels = core::array::from_fn::<_, 1, _>(|_| WheelState {
        spin: W4::from_array(spins),
        ..WheelState::AT_REST
    });
    let mut control = Control::idle(4);
    law.ask(&Asked::default(), &mut control);
    law.lock(&wheels, duration, &mut control);
    control
}

#[rstest]
#[case::within([10.0, 14.0, 10.0, 10.0], [0, 0, 0, 0])]
#[case::front([10.0, 16.0, 10.0, 10.0], [1, 1, 0, 0])]
#[case::both([10.0, 16.0, -16.0, -10.0], [1, 1, 2, 2])]
#[case::opposed([10.0, -16.0, 10.0, 10.0], [0, 0, 0, 0])]
#[case::standing([0.0, 16.0, 10.0, 10.0], [0, 0, 0, 0])]
fn axles_beyond_their_limit_lock(#[case] spins: [f32; 4], #[case] wheel_couplings: [u8; 4]) {
    let control = locked(&of([Some(LIMIT), Some(LIMIT), None]), spins, 0.01);
    assert_eq!(control.wheels.first().wheel_coupling, wheel_couplings);
    assert_eq!(
        control.wheel_couplings,
        wheel_couplings.into_iter().max().unwrap()
    );
}

#[rstest]
#[case::slower_first([10.0, 20.0, 9.0, 9.0], None, 1.2)]
#[case::faster_first([20.0, 10.0, 9.0, 9.0], None, 1.0 / 1.2)]
#[case::little_by_little([10.0, 20.0, 9.0, 9.0], Some(10.0), 1.9)]
#[case::no_further_than_the_target([10.0, 20.0, 9.0, 9.0], Some(500.0), 1.2)]
fn locked_wheels_are_held_at_the_target(
    #[case] spins: [f32; 4],
    #[case] rate: Option<f32>,
    #[case] ratio: f32,
) {
    let law = LockingDifferential {
        rate,
        ..of([Some(LIMIT), None, None])
    };
    let control = locked(&law, spins, 0.01);
    let ratios = control.wheels.first().coupling_ratio.to_array();
    assert_relative_eq!(ratios[1], ratio, max_relative = 1e-6);
    assert_eq!(ratios[0], 1.0);
}

#[test]
fn in_physx_a_center_that_locks_alone_stops_second_wheels() {
    let law = LockingDifferential {
        free_axle: FreeAxle::StopsSecond,
        ..of([None, None, Some(LIMIT)])
    };
    let control = locked(&law, [10.0, 11.0, 30.0, 24.0], 0.01);
    assert_eq!(control.wheels.first().wheel_coupling, [1; 4]);
    let ratios = control.wheels.first().coupling_ratio.to_array();
    for (found, expected) in ratios.into_iter().zip([1.0, 0.0, 1.2, 0.0]) {
        assert_relative_eq!(found, expected, max_relative = 1e-6);
    }
}

/// The center locks the mean spins of axles that no other lock constrains, with a limit of their own or without.
#[rstest]
#[case::both([None, None], [1, 2, 3, 4], [1.0; 4])]
#[case::within_their_limits([Some(LIMIT); 2], [1, 2, 3, 4], [1.0; 4])]
#[case::front([None, Some(SpeedLimit::LOCKED)], [1, 2, 3, 3], [1.0; 4])]
#[case::rear([Some(SpeedLimit::LOCKED), None], [1, 1, 2, 3], [1.0; 4])]
fn a_center_that_locks_leaves_free_axles_open(
    #[case] limits: [Option<SpeedLimit>; 2],
    #[case] wheel_couplings: [u8; 4],
    #[case] ratios: [f32; 4],
) {
    for (center, target) in [(LIMIT, 1.2), (SpeedLimit::LOCKED, 1.0)] {
        let law = of([limits[0], limits[1], Some(center)]);
        let control = locked(&law, [10.0, 11.0, 30.0, 24.0], 0.01);
        let wheels = control.wheels.first();
        assert_eq!(
            (wheels.wheel_coupling, control.wheel_couplings),
            (wheel_couplings, wheel_couplings[3])
        );
        assert_eq!(wheels.coupling_ratio, W4::from_array(ratios));
        let weights = [0.5 * target, 0.5 * target, -0.5, -0.5];
        assert_eq!(wheels.balance, W4::from_array(weights));
    }
    let open = locked(
        &of([None, None, Some(LIMIT)]),
        [10.0, 11.0, 9.0, 12.0],
        0.01,
    );
    assert_eq!(
        (open.wheel_couplings, open.wheels.first().balance),
        (0, W4::ZERO)
    );
}

#[rstest]
#[case::standing([0.0; 4])]
#[case::opposed([10.0, -9.0, 1.0, 0.0])]
fn a_permanent_lock_always_holds(#[case] spins: [f32; 4]) {
    let locked_axles = [Some(SpeedLimit::LOCKED), Some(SpeedLimit::LOCKED), None];
    let control = locked(&of(locked_axles), spins, 0.01);
    assert_eq!(control.wheels.first().wheel_coupling, [1, 1, 2, 2]);
    let all = locked(&of([Some(SpeedLimit::LOCKED); 3]), spins, 0.01);
    assert_eq!(all.wheels.first().wheel_coupling, [1; 4]);
    assert_eq!(all.wheels.first().coupling_ratio, W4::ONE);
}

/// The center locks with the other wheel of the axle if one is disabled; without an axle, it has nothing to lock.
#[rstest]
#[case::one_of_an_axle(0b0010, [10.0, 0.0, 20.0, 20.0], [1.2, 0.0, -0.5, -0.5])]
#[case::the_other(0b0001, [0.0, 10.0, 20.0, 20.0], [0.0, 1.2, -0.5, -0.5])]
#[case::an_axle(0b0011, [0.0, 0.0, 20.0, 20.0], [0.0; 4])]
fn a_center_locks_without_a_wheel_that_is_off(
    #[case] off: u32,
    #[case] spins: [f32; 4],
    #[case] expected: [f32; 4],
) {
    let wheels = core::array::from_fn::<_, 1, _>(|_| WheelState {
        spin: W4::from_array(spins),
        ..WheelState::AT_REST
    });
    let mut control = Control::idle(4);
    control.disabled = off;
    of([Some(LIMIT), Some(LIMIT), Some(LIMIT)]).lock(&wheels, 0.01, &mut control);
    assert_eq!(control.wheels.first().balance, W4::from_array(expected));
}

#[test]
fn a_rate_of_zero_holds_permanent_locks() {
    let law = LockingDifferential {
        rate: Some(0.0),
        ..of([Some(SpeedLimit::LOCKED), Some(LIMIT), None])
    };
    let control = locked(&law, [10.0, 11.0, 10.0, 20.0], 0.01);
    assert_eq!(control.wheels.first().wheel_coupling, [1, 1, 0, 0]);
}

#[test]
fn bonds_end_and_a_rate_of_zero_makes_none() {
    let mut law = of([Some(LIMIT), None, None]);
    let mut control = locked(&law, [10.0, 20.0, 9.0, 9.0], 0.01);
    let still = [WheelState::AT_REST];
    law.lock(&still, 0.01, &mut control);
    assert_eq!(
        (
            control.wheel_couplings,
            control.wheels.first().wheel_coupling
        ),
        (0, [0; 4])
    );
    law.rate = Some(0.0);
    assert_eq!(
        locked(&law, [10.0, 20.0, 9.0, 9.0], 0.01).wheel_couplings,
        0
    );
}

#[test]
fn every_fault_is_found() {
    let bad = LockingDifferential {
        rear: [2, 1],
        rate: Some(-1.0),
        ..of([
            Some(SpeedLimit {
                bias: 1.2,
                target: 1.3,
            }),
            Some(SpeedLimit {
                bias: 0.5,
                target: 1.0,
            }),
            Some(SpeedLimit::LOCKED),
        ])
    };
    let error = Checked::new(bad).unwrap_err();
    let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    let expected = ["rear[1]", "front_limit.target", "rear_limit.bias", "rate"];
    assert_eq!(paths, expected);
}

proptest! {
    #[test]
    fn bonds_are_finite_at_any_spin(
        spins in proptest::array::uniform4(prop_oneof![
            Just(0.0_f32), -1e3..1e3_f32, 1e-30..1e-20_f32,
        ]),
        free_axle in prop_oneof![Just(FreeAxle::Open), Just(FreeAxle::StopsSecond)],
    ) {
        let law = LockingDifferential { free_axle, ..of([Some(LIMIT), None, Some(LIMIT)]) };
        let control = locked(&law, spins, 0.01);
        prop_assert!(control.wheels.first().coupling_ratio.is_finite());
    }
}

/// Spins that a wheel coupling gives its wheels, over their own spins; `None` for a free wheel.
fn held(law: &LockingDifferential, spins: [f32; 4]) -> [Option<(u8, f32)>; 4] {
    let control = locked(law, spins, 0.01);
    let wheels = control.wheels.first();
    let ratios = wheels.coupling_ratio.to_array();
    core::array::from_fn(|n| {
        (wheels.wheel_coupling[n] != 0).then_some((wheels.wheel_coupling[n], ratios[n]))
    })
}

/// Ratio of the second speed to the first.
fn ratio_of(held: [Option<(u8, f32)>; 4], first: usize, second: usize) -> Option<f32> {
    let ((one, a), (other, b)) = (held[first]?, held[second]?);
    (one == other).then_some(b / a)
}

proptest! {
    /// The locked ratios do not depend on the direction of travel, on which wheel of an axle comes
    /// first, nor on which axle is the front one.
    #[test]
    fn a_mirrored_car_locks_mirrored(
        spins in proptest::array::uniform4(0.5..60.0_f32),
        limits in proptest::array::uniform3(any::<bool>()),
    ) {
        let law = of(limits.map(|is_limited| is_limited.then_some(LIMIT)));
        let turned = LockingDifferential {
            front_limit: law.rear_limit,
            rear_limit: law.front_limit,
            ..law.clone()
        };
        let [a, b, c, d] = spins;
        let as_is = held(&law, spins);
        for (other, places) in [
            (held(&law, spins.map(|spin| -spin)), [0, 1, 2, 3]),
            (held(&law, [b, a, d, c]), [1, 0, 3, 2]),
            (held(&turned, [c, d, a, b]), [2, 3, 0, 1]),
        ] {
            for (first, second) in [(0, 1), (2, 3), (0, 2), (1, 3)] {
                let expected = ratio_of(as_is, first, second);
                let found = ratio_of(other, places[first], places[second]);
                prop_assert_eq!(found.is_some(), expected.is_some());
                if let (Some(found), Some(expected)) = (found, expected) {
                    prop_assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
                }
            }
        }
    }

    /// Axles that lock together have their mean speeds at the target's ratio, and their wheels at the ratios that they
    /// lock at.
    #[test]
    fn a_center_that_locks_holds_the_means(
        spins in proptest::array::uniform4(0.5..60.0_f32), bias in 1.0..3.0_f32,
    ) {
        let limit = SpeedLimit { bias, target: 1.0 };
        let [front, rear] = [spins[0] + spins[1], spins[2] + spins[3]];
        let beyond = front.max(rear) / front.min(rear);
        prop_assume!((beyond - bias).abs() > 1e-3);
        let own = Some(SpeedLimit::LOCKED);
        let found = held(&of([own, own, Some(limit)]), spins);
        prop_assert_eq!(ratio_of(found, 0, 2).is_some(), beyond > bias);
        if let Some((_, c)) = found[2] && beyond > bias {
            prop_assert_eq!(found.map(|wheel| wheel.unwrap().1), [1.0, 1.0, c, c]);
            prop_assert!((c - 1.0).abs() < 1e-4);
        }
        let free = held(&of([None, None, Some(limit)]), spins);
        prop_assert_eq!(free[0].is_some(), beyond > bias);
    }
}

#[rstest]
#[case::at_the_bias([10.0, 15.0, 9.0, 9.0], false)]
#[case::beyond([10.0, 15.1, 9.0, 9.0], true)]
fn an_axle_locks_beyond_its_bias(#[case] spins: [f32; 4], #[case] locks: bool) {
    let found = held(&of([Some(LIMIT), None, None]), spins);
    assert_eq!(
        found.map(|wheel| wheel.is_some()),
        [locks, locks, false, false]
    );
}

/// Strictly: otherwise, bias and target of the center alone lock it.
#[rstest]
#[case::neither(false, false, false)]
#[case::rear(false, true, false)]
#[case::front(true, false, false)]
#[case::both(true, true, true)]
fn a_locked_center_needs_both_axles_locked(
    #[case] front: bool,
    #[case] rear: bool,
    #[case] valid: bool,
) {
    let locked = |is_locked: bool| is_locked.then_some(SpeedLimit::LOCKED);
    let mut law = of([locked(front), locked(rear), Some(SpeedLimit::LOCKED)]);
    assert!(Checked::new(law.clone()).is_ok());
    law.ratios.strict = true;
    assert_eq!(Checked::new(law.clone()).is_ok(), valid);
    law.center_limit = Some(LIMIT);
    assert!(Checked::new(law).is_ok());
}

/// A limited axle needs torque and speed shares.
#[rstest]
#[case::front([Some(LIMIT), None, None], &["front[0]", "front[1]"])]
#[case::rear([None, Some(LIMIT), None], &[])]
#[case::none([None; 3], &[])]
#[case::center([None, None, Some(LIMIT)], &["front[0]", "front[1]"])]
fn limited_axles_are_driven(#[case] limits: [Option<SpeedLimit>; 3], #[case] expected: &[&str]) {
    let mut law = of(limits);
    law.ratios.torque_ratios = vec![0.0, 0.0, 0.5, 0.5];
    law.ratios.speed_ratios = vec![0.0, 0.0, 0.5, 0.5];
    let faults = Checked::new(law).map_or_else(|error| error.0, |_| vec![]);
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, expected);
}

#[test]
fn a_locked_center_alone_holds_standing_axles() {
    let control = locked(&of([None, None, Some(SpeedLimit::LOCKED)]), [0.0; 4], 0.01);
    let wheels = control.wheels.first();
    assert_eq!(
        (wheels.wheel_coupling, wheels.coupling_ratio),
        ([1, 2, 3, 4], W4::ONE)
    );
    assert_eq!(wheels.balance, W4::from_array([0.5, 0.5, -0.5, -0.5]));
}

#[test]
fn any_wheels_may_be_connected() {
    let wheels = core::array::from_fn::<_, 2, _>(|group| WheelState {
        spin: W4::from_array([[30.0, 0.0, 20.0, 0.0], [10.0, 9.0, 0.0, 0.0]][group]),
        ..WheelState::AT_REST
    });
    let law = LockingDifferential {
        front: [4, 2],
        rear: [5, 0],
        ..of([Some(LIMIT), Some(LIMIT), None])
    };
    let mut control = Control::idle(6);
    law.lock(&wheels, 0.01, &mut control);
    assert_eq!(control.wheels[0].wheel_coupling, [2, 0, 1, 0]);
    assert_eq!(control.wheels[1].wheel_coupling, [1, 2, 0, 0]);
    let ratios = control.wheels[0].coupling_ratio.to_array();
    assert_relative_eq!(ratios[2], 1.2);
    assert_relative_eq!(ratios[0], 1.2);
}

#[test]
fn only_wheels_with_torque_are_accelerated() {
    let law = of([None; 3]);
    let mut control = locked(&law, [0.0; 4], 0.01);
    let wheels = control.wheels.first();
    let quarter = W4::splat(0.25);
    assert_eq!(
        (wheels.torque_share, wheels.speed_share),
        (quarter, quarter)
    );
    control.wheels[0].torque_share = W4::from_array([0.5, 0.0, -0.5, 0.0]);
    let accelerated = law.accelerated(control.wheels.first());
    assert_eq!(accelerated, Mask4::from_array([true, false, true, false]));
}

/// A law violates the rules of `PxVehicleFourWheelDriveDifferentialParams`, one at a time.
#[rstest]
#[case::torque_ratios(|law: &mut LockingDifferential| law.ratios.torque_ratios[0] = 0.5, "ratios.torque_ratios")]
#[case::torque_ratio(|law: &mut LockingDifferential| law.ratios.torque_ratios = vec![-1.5, 0.5, 0.5, -0.5], "ratios.torque_ratios[0]")]
#[case::speed_ratios(|law: &mut LockingDifferential| law.ratios.speed_ratios[3] = 0.1, "ratios.speed_ratios")]
#[case::speed_ratio(|law: &mut LockingDifferential| law.ratios.speed_ratios = vec![-0.5, 0.5, 0.5, 0.5], "ratios.speed_ratios[0]")]
#[case::twice_in_front(|law: &mut LockingDifferential| law.front[1] = 0, "front[1]")]
#[case::front_and_rear(|law: &mut LockingDifferential| law.rear[0] = 1, "rear[0]")]
#[case::no_such_wheel(|law: &mut LockingDifferential| law.rear[1] = 4, "rear[1]")]
#[case::front_bias(|law: &mut LockingDifferential| law.front_limit.as_mut().unwrap().bias = 0.9, "front_limit.bias")]
#[case::front_target(|law: &mut LockingDifferential| law.front_limit.as_mut().unwrap().target = 1.6, "front_limit.target")]
#[case::target_of_the_bias(|law: &mut LockingDifferential| law.front_limit.as_mut().unwrap().target = 1.5, "front_limit.target")]
#[case::target_of_one(|law: &mut LockingDifferential| law.rear_limit.as_mut().unwrap().target = 1.0, "rear_limit.target")]
#[case::lock_with_a_target(|law: &mut LockingDifferential| law.rear_limit.as_mut().unwrap().bias = 1.0, "rear_limit.target")]
#[case::front_not_driven(|law: &mut LockingDifferential| law.ratios.torque_ratios = vec![0.0, 0.5, 0.25, 0.25], "front[0]")]
#[case::rear_not_driven(|law: &mut LockingDifferential| law.ratios.torque_ratios = vec![0.25, 0.25, 0.5, 0.0], "rear[1]")]
#[case::not_connected(|law: &mut LockingDifferential| law.ratios.speed_ratios = vec![0.25, 0.25, 0.0, 0.5], "rear[0]")]
#[case::rear_bias(|law: &mut LockingDifferential| law.rear_limit.as_mut().unwrap().bias = 0.9, "rear_limit.bias")]
#[case::rear_target(|law: &mut LockingDifferential| law.rear_limit.as_mut().unwrap().target = 0.9, "rear_limit.target")]
#[case::center_bias(|law: &mut LockingDifferential| law.center_limit.as_mut().unwrap().bias = 0.9, "center_limit.bias")]
#[case::center_target(|law: &mut LockingDifferential| law.center_limit.as_mut().unwrap().target = 1.6, "center_limit.target")]
#[case::rate(|law: &mut LockingDifferential| law.rate = Some(-0.1), "rate")]
fn each_rule_of_validity_is_kept(#[case] spoil: fn(&mut LockingDifferential), #[case] path: &str) {
    let verdict = |law: &LockingDifferential| {
        let mut inspector = Inspector::new();
        law.check(&mut inspector);
        law.check_wheels(4, &mut inspector);
        let faults = inspector.verdict().err().map(|error| error.0);
        let faults = faults.unwrap_or_default().into_iter();
        faults.map(|fault| fault.path).collect::<Vec<_>>()
    };
    let mut law = of([Some(LIMIT); 3]);
    assert!(verdict(&law).is_empty());
    spoil(&mut law);
    let found = verdict(&law);
    assert!(found.iter().any(|known| known == path), "{found:?}");
}
