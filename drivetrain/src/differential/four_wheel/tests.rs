use super::*;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::Checked;

const KINDS: [DifferentialKind; 6] = [
    DifferentialKind::LimitedSlipAll,
    DifferentialKind::LimitedSlipFront,
    DifferentialKind::LimitedSlipRear,
    DifferentialKind::OpenAll,
    DifferentialKind::OpenFront,
    DifferentialKind::OpenRear,
];

fn of(kind: DifferentialKind) -> Differential4W {
    Differential4W {
        kind,
        ..Differential4W::physx()
    }
}

#[rstest]
#[case(DifferentialKind::OpenAll, [0.225, 0.225, 0.275, 0.275])]
#[case(DifferentialKind::OpenFront, [0.5, 0.5, 0.0, 0.0])]
#[case(DifferentialKind::LimitedSlipRear, [0.0, 0.0, 0.5, 0.5])]
fn speed_shares(#[case] kind: DifferentialKind, #[case] expected: [f32; 4]) {
    let found = of(kind).speed_shares(0.0);
    for (found, expected) in found.into_iter().zip(expected) {
        assert_relative_eq!(found, expected, epsilon = 1e-6);
    }
}

#[test]
fn a_limited_differential_favors_the_slower_wheel() {
    let rear = of(DifferentialKind::LimitedSlipRear);
    let [_, _, fast, slow] = rear.shares([0.0, 0.0, 20.0, 10.0], 0.0);
    assert_relative_eq!(fast, 0.325, max_relative = 1e-5);
    assert_relative_eq!(slow, 0.675, max_relative = 1e-5);
    let opposed = rear.shares([0.0, 0.0, 20.0, -10.0], 0.0);
    assert_eq!(opposed, [0.0, 0.0, 0.5, 0.5]);
}

#[rstest]
#[case::parked([0.0, 0.0, 1e-7, -1e-9], 0.5)]
#[case::creeping([0.0, 0.0, 1e-3, 1e-4], 0.5)]
#[case::in_a_bend([0.0, 0.0, 20.0, 18.0], 0.5)]
#[case::spinning([0.0, 0.0, 20.0, 10.0], 0.3254)]
#[case::opposed([0.0, 0.0, 20.0, -10.0], 0.0012)]
fn a_smooth_differential_does_not_jump(#[case] spins: [f32; 4], #[case] first: f32) {
    let rear = of(DifferentialKind::LimitedSlipRear);
    let found = rear.smooth_shares_as(rear.kind, spins, 1.0);
    assert_relative_eq!(found[2], first, epsilon = 1e-3);
    assert_relative_eq!(found[2] + found[3], 1.0, max_relative = 1e-6);
    // A torque that brakes slows the faster wheel down, as one that drives leaves it less; so it is backwards.
    let braking = rear.smooth_shares_as(rear.kind, spins, -1.0);
    assert_relative_eq!(braking[2], found[3], max_relative = 1e-6);
    let backwards = rear.smooth_shares_as(rear.kind, spins.map(|spin| -spin), -1.0);
    assert_eq!(backwards, found);
}

#[rstest]
#[case(true, [0.5, 0.5, 0.0, 0.0])]
#[case(false, [0.225, 0.225, 0.275, 0.275])]
fn the_handbrake_disengages_the_rear_axle(#[case] quirk: bool, #[case] expected: [f32; 4]) {
    let differential = Differential4W {
        handbrake_drives_front: quirk,
        ..of(DifferentialKind::OpenAll)
    };
    let found = differential.shares([1.0; 4], 0.1);
    for (found, expected) in found.into_iter().zip(expected) {
        assert_relative_eq!(found, expected, epsilon = 1e-6);
    }
}

#[test]
fn every_fault_is_found() {
    let bad = Differential4W {
        front_rear_split: 1.1,
        rear_split: f32::NAN,
        center_bias: 0.9,
        front_bias: f32::INFINITY,
        ..Differential4W::physx()
    };
    assert_eq!(Checked::new(bad).unwrap_err().0.len(), 4);
}

proptest! {
    #[test]
    fn shares_are_not_negative_and_sum_to_one(
        kind in 0..6_usize,
        splits in proptest::array::uniform3(prop_oneof![Just(0.0_f32), Just(1.0), 0.0..1.0_f32]),
        biases in proptest::array::uniform3(prop_oneof![Just(f32::MAX), 1.0..5.0_f32]),
        spins in proptest::array::uniform4(prop_oneof![
            -100.0..100.0_f32, 0.0..100.0_f32, 0.0..1e-30_f32,
        ]),
        handbrake in prop_oneof![Just(0.0_f32), 0.0..1.0_f32],
    ) {
        let differential = Differential4W {
            wheels: [0, 1, 2, 3],
            kind: KINDS[kind],
            front_rear_split: splits[0],
            front_split: splits[1],
            rear_split: splits[2],
            center_bias: biases[0],
            front_bias: biases[1],
            rear_bias: biases[2],
            handbrake_drives_front: true,
        };
        for shares in [
            differential.shares(spins, handbrake),
            differential.speed_shares(handbrake),
        ] {
            prop_assert!(shares.iter().all(|&share| share >= 0.0), "{shares:?}");
            let sum: f32 = shares.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-5, "{shares:?}");
        }
    }
}

/// The torque shares of a differential by the spins of its wheels and the torque.
type Shares = fn(&Differential4W, DifferentialKind, [f32; 4], f32) -> [f32; 4];

/// Torque shares by PhysX's rules, and without jumps.
const LAWS: [Shares; 2] = [
    |law, kind, spins, _| law.shares_as(kind, spins),
    Differential4W::smooth_shares_as,
];

/// Splits and biases that all differ.
fn uneven(kind: DifferentialKind) -> Differential4W {
    Differential4W {
        front_rear_split: 0.4,
        front_split: 0.55,
        rear_split: 0.7,
        center_bias: 1.4,
        front_bias: 1.2,
        rear_bias: 1.6,
        ..of(kind)
    }
}

fn spins() -> impl Strategy<Value = [f32; 4]> {
    prop_oneof![
        proptest::array::uniform4(-100.0..100.0_f32),
        proptest::array::uniform4(1.0..100.0_f32),
        proptest::array::uniform4(-100.0..-1.0_f32),
    ]
}

proptest! {
    /// The wheels of an axle share the axle's torque as if it were driven alone, and the axles
    /// share as the wheels of an axle do.
    #[test]
    fn four_shares_are_those_of_three_differentials(
        spins in spins(), smooth in 0..2_usize, torque in -1.0..1.0_f32,
    ) {
        let law = |car: &Differential4W, kind, spins| LAWS[smooth](car, kind, spins, torque);
        let all = uneven(DifferentialKind::LimitedSlipAll);
        let shares = law(&all, all.kind, spins);
        let [f0, f1, ..] = law(&all, DifferentialKind::LimitedSlipFront, spins);
        let [.., r0, r1] = law(&all, DifferentialKind::LimitedSlipRear, spins);
        let [a, b, c, d] = spins;
        let center = Differential4W {
            front_split: all.front_rear_split,
            front_bias: all.center_bias,
            ..all
        };
        let [f, r, ..] = law(&center, DifferentialKind::LimitedSlipFront, [a + b, c + d, 0.0, 0.0]);
        let expected = [f * f0, f * f1, r * r0, r * r1];
        let open = all.shares_as(DifferentialKind::OpenAll, spins);
        let expected = if smooth == 1 || same_way(&spins) { expected } else { open };
        for (found, expected) in shares.into_iter().zip(expected) {
            prop_assert!((found - expected).abs() < 1e-5, "{shares:?} {expected:?}");
        }
    }

    /// Sides and direction of travel do not matter.
    #[test]
    fn a_mirrored_car_shares_mirrored(
        spins in spins(), smooth in 0..2_usize, kind in 0..6_usize, torque in -1.0..1.0_f32,
    ) {
        let (law, car) = (LAWS[smooth], uneven(KINDS[kind]));
        let mirrored = Differential4W {
            front_split: 1.0 - car.front_split,
            rear_split: 1.0 - car.rear_split,
            ..car
        };
        let [a, b, c, d] = law(&car, car.kind, spins, torque);
        let swapped = [spins[1], spins[0], spins[3], spins[2]];
        let found = [
            law(&mirrored, car.kind, swapped, torque),
            law(&mirrored, car.kind, swapped.map(|spin| -spin), -torque),
        ];
        for found in found {
            for (found, expected) in found.into_iter().zip([b, a, d, c]) {
                prop_assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
        }
    }

    /// Renumbered wheels keep their shares.
    #[test]
    fn any_wheels_may_be_connected(
        spins in spins(),
        names in Just((0..8).collect::<alloc::vec::Vec<usize>>()).prop_shuffle(),
        kind in 0..6_usize,
        smooth in any::<bool>(),
        handbrake in prop_oneof![Just(0.0_f32), Just(0.5)],
        rear_split in prop_oneof![Just(0.0_f32), Just(0.7), Just(1.0)],
    ) {
        let first = Differential4W { rear_split, ..uneven(KINDS[kind]) };
        let wheels = [names[0], names[1], names[2], names[3]];
        let renamed = Differential4W { wheels, ..first };
        let expected = [
            first.speed_shares(handbrake),
            LAWS[usize::from(smooth)](&first, first.kind_with(handbrake), spins, 1.0),
        ];
        for (law, wheels) in [(first, [0, 1, 2, 3]), (renamed, wheels)] {
            let shares = in_control(&law, wheels.into_iter().zip(spins), handbrake, smooth, 0);
            for (of_control, expected) in shares.into_iter().zip(expected) {
                prop_assert_eq!(wheels.map(|wheel| of_control[wheel]), expected);
                let all: f32 = of_control.iter().sum();
                prop_assert!((all - 1.0).abs() < 1e-5);
            }
        }
    }
}

/// Shares (speed, torque) of eight wheels that a control gets at these spins.
fn in_control(
    law: &Differential4W,
    turning: impl Iterator<Item = (usize, f32)>,
    handbrake: f32,
    smooth: bool,
    off: u32,
) -> [[f32; 8]; 2] {
    let mut spins = [0.0; 8];
    turning.for_each(|(wheel, spin)| spins[wheel] = spin);
    let wheels = core::array::from_fn::<_, 2, _>(|group| WheelState {
        spin: W4::from_fn(|lane| spins[group * LANES + lane]),
        ..WheelState::AT_REST
    });
    let mut control = Control::idle(8);
    (control.smooth, control.disabled) = (smooth, off);
    let asked = Asked {
        handbrake,
        ..Asked::default()
    };
    law.ask(&asked, &mut control);
    law.share(&wheels, 1.0, &mut control);
    let all = |share: fn(&vehicle_core::drivetrain::WheelControl) -> W4| {
        core::array::from_fn(|n| share(&control.wheels[n / LANES]).lane(n % LANES))
    };
    [
        all(|wheels| wheels.speed_share),
        all(|wheels| wheels.torque_share),
    ]
}

#[rstest]
#[case::one(0b0010, [9.0, 9.0, 30.0, 12.0])]
#[case::one_of_the_rear(0b0100, [9.0, 20.0, 12.0, 12.0])]
#[case::an_axle(0b1100, [9.0, 20.0, 9.0, 20.0])]
fn a_wheel_that_is_off_counts_as_the_other_of_its_axle(
    #[case] off: u32,
    #[case] counted: [f32; 4],
) {
    let law = uneven(DifferentialKind::LimitedSlipAll);
    let still = |n: usize| if off >> n & 1 == 1 { 0.0 } else { counted[n] };
    let shares =
        |spins: [f32; 4], off| in_control(&law, spins.into_iter().enumerate(), 0.0, true, off);
    assert_eq!(shares(core::array::from_fn(still), off), shares(counted, 0));
}

#[rstest]
#[case::no_quirk(false, 0.5, DifferentialKind::OpenAll)]
#[case::released(true, 0.0, DifferentialKind::OpenAll)]
#[case::pulled(true, 0.5, DifferentialKind::OpenFront)]
fn the_handbrake_takes_the_rear_axle_off_only_when_pulled(
    #[case] handbrake_drives_front: bool,
    #[case] handbrake: f32,
    #[case] expected: DifferentialKind,
) {
    let car = Differential4W {
        handbrake_drives_front,
        ..of(DifferentialKind::OpenAll)
    };
    assert_eq!(car.kind_with(handbrake), expected);
}

#[rstest]
#[case(|d: &mut Differential4W| d.wheels = [0, 1, 2, 1], "wheels[3]")]
#[case(|d: &mut Differential4W| d.wheels = [0, 1, MAX_WHEELS, 3], "wheels[2]")]
#[case(|d: &mut Differential4W| d.front_split = -0.1, "front_split")]
#[case(|d: &mut Differential4W| d.rear_bias = 0.5, "rear_bias")]
fn faults_are_named(#[case] change: fn(&mut Differential4W), #[case] path: &str) {
    let mut bad = uneven(DifferentialKind::LimitedSlipAll);
    assert!(Checked::new(bad).is_ok());
    change(&mut bad);
    let error = Checked::new(bad).unwrap_err();
    assert_eq!((error.0.len(), error.0[0].path.as_str()), (1, path));
}

#[test]
fn files_may_leave_out_the_first_four_wheels() {
    assert_eq!(first_four(), Differential4W::physx().wheels);
}

/// A differential under PhysX's rules is open if its shafts turn in opposite directions.
#[rstest]
#[case::all(DifferentialKind::LimitedSlipAll, [30.0, 10.0, -20.0, -5.0])]
#[case::front(DifferentialKind::LimitedSlipFront, [30.0, -10.0, 20.0, 5.0])]
#[case::rear(DifferentialKind::LimitedSlipRear, [30.0, 10.0, -20.0, 5.0])]
fn shafts_in_opposite_directions_are_open(#[case] kind: DifferentialKind, #[case] spins: [f32; 4]) {
    let car = uneven(kind);
    assert_eq!(car.shares_as(kind, spins), car.speed_shares(0.0));
    assert_ne!(
        car.shares_as(kind, spins.map(f32::abs)),
        car.speed_shares(0.0)
    );
}

/// A car of six wheels: the other two roll along.
#[test]
fn further_wheels_get_nothing_and_count_for_nothing() {
    let law = of(DifferentialKind::LimitedSlipAll);
    let spins = [9.0, 20.0, 9.0, 20.0, 50.0, 1.0];
    let shares = in_control(&law, spins.into_iter().enumerate(), 0.0, true, 0);
    for [first @ .., a, b, c, d] in shares {
        assert_eq!([a, b, c, d], [0.0; 4]);
        assert_relative_eq!(first.iter().sum::<f32>(), 1.0, epsilon = 1e-6);
    }
}
