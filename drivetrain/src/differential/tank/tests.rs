use super::*;
use crate::differential::TorqueBy;
use alloc::vec;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::{Checked, GearCommand};

fn track(side: TrackSide, wheels: &[usize]) -> Track {
    Track {
        side,
        wheels: wheels.to_vec(),
        radii: vec![],
    }
}

fn tank(law: TankLaw) -> TankDifferential {
    TankDifferential {
        tracks: vec![
            track(TrackSide::Left, &[0, 2]),
            track(TrackSide::Right, &[1, 3]),
        ],
        law,
        special: true,
        idle_brake: 0.0,
        coupling: TrackCoupling::ByTorque,
    }
}

fn asked(law: &TankDifferential, thrust: [f32; 2]) -> Control {
    let mut control = Control::idle(4);
    let asked = Asked {
        handbrake: 0.0,
        thrust,
    };
    law.ask(&asked, &mut control);
    control
}

#[rstest]
#[case::none([0.0, 0.0], [0.25, 0.25], [0.25, 0.25])]
#[case::straight([1.0, 1.0], [0.25, 0.25], [0.25, 0.25])]
#[case::bend([0.6, 0.2], [0.375, 0.125], [0.25, 0.25])]
#[case::on_the_spot([0.5, -0.5], [0.25, -0.25], [0.25, -0.25])]
#[case::one_track([0.0, 0.5], [0.0, 0.5], [0.0, 0.25])]
fn thrusts_share_all_the_torque_and_the_engine_speed(
    #[case] thrust: [f32; 2],
    #[case] torque: [f32; 2],
    #[case] by_halves: [f32; 2],
) {
    for (coupling, speed) in [
        (TrackCoupling::ByTorque, torque),
        (TrackCoupling::ByHalves, by_halves),
    ] {
        let law = TankDifferential {
            coupling,
            ..tank(TankLaw::Shared)
        };
        let control = asked(&law, thrust);
        let wheels = control.wheels.first();
        let both = |[left, right]: [f32; 2]| [left, right, left, right];
        assert_eq!(wheels.torque_share.to_array(), both(torque));
        assert_eq!(wheels.speed_share.to_array(), both(speed));
        assert_eq!(
            (control.wheel_couplings, wheels.wheel_coupling),
            (2, [1, 2, 1, 2])
        );
    }
}

#[test]
fn the_rest_of_a_track_gets_the_share_of_a_wheel_that_is_off() {
    let law = tank(TankLaw::Shared);
    let mut control = Control::idle(4);
    control.disabled = 0b0100;
    let straight = Asked {
        handbrake: 0.0,
        thrust: [1.0; 2],
    };
    law.ask(&straight, &mut control);
    let wheels = control.wheels.first();
    let shares = [0.5, 0.25, 0.0, 0.25];
    assert_eq!(wheels.torque_share.to_array(), shares);
    assert_eq!(wheels.speed_share.to_array(), shares);
}

#[test]
fn thrusts_scale_ratios() {
    let ratios = MultiWheel {
        torque_ratios: vec![0.5, 0.5, 0.0, 0.0],
        speed_ratios: vec![0.5, 0.5, 0.0, 0.0],
        torque_by: TorqueBy::TorqueRatio,
        strict: false,
    };
    let control = asked(&tank(TankLaw::Scaled(ratios)), [-0.5, 0.25]);
    let wheels = control.wheels.first();
    assert_eq!(wheels.torque_share.to_array(), [-0.25, 0.125, 0.0, 0.0]);
    assert_eq!(wheels.speed_share.to_array(), [-0.5, 0.5, 0.0, 0.0]);
}

#[test]
fn rims_of_unequal_wheels_have_the_same_speed() {
    let mut tank = tank(TankLaw::Shared);
    tank.tracks[1].radii = vec![0.3, 0.6];
    let control = asked(&tank, [1.0, 1.0]);
    let ratios = control.wheels.first().coupling_ratio.to_array();
    assert_eq!(ratios, [1.0, 1.0, 1.0, 0.5]);
}

#[rstest]
#[case::standard(false, [0.5, -0.5], [0.0, 0.0], [0.5, 0.0], [0.0, 0.4])]
#[case::standard_braked(false, [0.5, 0.5], [0.2, 0.0], [0.0, 0.5], [0.4, 0.0])]
#[case::special(true, [0.5, -0.5], [0.2, 0.0], [0.5, -0.5], [0.2, 0.0])]
#[case::idle(true, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])]
fn effective_thrusts_and_brakes(
    #[case] special: bool,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
    #[case] counting: [f32; 2],
    #[case] braked: [f32; 2],
) {
    let tank = TankDifferential {
        special,
        idle_brake: 0.4,
        ..tank(TankLaw::Shared)
    };
    let command = TankCommand {
        thrust,
        brake,
        ..TankCommand::default()
    };
    assert_eq!(tank.thrusts_and_brakes(&command), (counting, braked));
}

#[rstest]
#[case::straight(true, 0.0, 0.0, [1.0, 1.0], [0.0, 0.0])]
#[case::half_right(true, 0.25, 0.0, [1.0, 0.5], [0.0, 0.2])]
#[case::braked_to_the_right(true, 0.25, 0.3, [1.0, 0.5], [0.3, 0.3])]
#[case::left_on_the_spot(true, -1.0, 0.0, [-1.0, 1.0], [0.0, 0.0])]
#[case::braked_to_the_left(false, -0.75, 0.0, [0.0, 1.0], [0.5, 0.0])]
#[case::braked(false, 0.25, 0.4, [1.0, 0.5], [0.4, 0.4])]
fn a_cars_command_on_tracks(
    #[case] special: bool,
    #[case] steer: f32,
    #[case] pedal: f32,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
) {
    let tank = TankDifferential {
        special,
        idle_brake: 0.4,
        ..tank(TankLaw::Shared)
    };
    let found = tank.command_of(&CarCommand {
        throttle: 0.7,
        brake: pedal,
        steer,
        ..CarCommand::default()
    });
    let expected = TankCommand {
        throttle: 0.7,
        thrust,
        brake,
        gear: GearCommand::Hold,
        automatic: true,
    };
    assert_eq!(found, expected);
}

#[test]
fn every_fault_is_found() {
    let bad = TankDifferential {
        tracks: vec![
            track(TrackSide::Left, &[0, 20]),
            Track {
                radii: vec![-0.3],
                ..track(TrackSide::Left, &[0, 1])
            },
        ],
        idle_brake: 2.0,
        ..tank(TankLaw::Scaled(MultiWheel::default()))
    };
    let error = Checked::new(bad).unwrap_err();
    let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    let expected = [
        "tracks",
        "tracks[0].wheels[1]",
        "tracks[1].wheels[0]",
        "tracks[1].radii",
        "tracks[1].radii[0]",
        "law.torque_ratios",
        "law.speed_ratios",
        "hold",
    ];
    assert_eq!(paths, expected);
}

proptest! {
    #[test]
    fn magnitudes_of_shares_sum_to_one(thrust in proptest::array::uniform2(-1.0..1.0_f32)) {
        let (torque, _) = tank(TankLaw::Shared).shares(thrust);
        let sum: f32 = torque.iter().map(|share| share.abs()).sum();
        prop_assert!((sum - 1.0).abs() < 1e-5, "{torque:?}");
    }
}

proptest! {
    /// A mirrored command on a mirrored tank gives mirrored shares.
    #[test]
    fn a_mirrored_command_moves_the_tank_mirrored(
        steer in -1.0..1.0_f32, pedal in 0.0..1.0_f32, special in any::<bool>(),
    ) {
        let tank = TankDifferential { special, idle_brake: 0.4, ..tank(TankLaw::Shared) };
        let of = |steer| {
            let car = CarCommand { steer, brake: pedal, ..CarCommand::default() };
            tank.thrusts_and_brakes(&tank.command_of(&car))
        };
        let (thrust, brake) = of(steer);
        let ([left, right], [brake_left, brake_right]) = of(-steer);
        prop_assert_eq!((thrust, brake), ([right, left], [brake_right, brake_left]));
        let (torque, speed) = tank.shares([0.3, -0.7 * steer]);
        let (mirrored, mirrored_speed) = tank.shares([-0.7 * steer, 0.3]);
        for n in 0..4 {
            prop_assert!((torque[n] - mirrored[n ^ 1]).abs() < 1e-6);
            prop_assert!((speed[n] - mirrored_speed[n ^ 1]).abs() < 1e-6);
        }
    }

    /// Steering takes thrust from the inner track: all of it at half steer, and as much again
    /// beyond.
    #[test]
    fn steering_takes_thrust_from_the_inner_track(steer in 0.0..1.0_f32, pedal in 0.0..1.0_f32) {
        let of = |special| {
            let tank = TankDifferential { special, idle_brake: 0.4, ..tank(TankLaw::Shared) };
            tank.command_of(&CarCommand { steer, brake: pedal, ..CarCommand::default() })
        };
        let left = 1.0 - 2.0 * steer;
        let (special, standard) = (of(true), of(false));
        prop_assert_eq!((special.thrust, standard.thrust), ([1.0, left], [1.0, left.max(0.0)]));
        prop_assert_eq!((special.brake[0], standard.brake[0]), (pedal, pedal));
        let held = 0.4 * (1.0 - left.abs());
        prop_assert!((special.brake[1] - pedal.max(held)).abs() < 1e-6);
        prop_assert!((standard.brake[1] - pedal.max(-left)).abs() < 1e-6);
    }
}

#[rstest]
#[case::straight([1.0, 1.0], [0.0, 0.0], [false, false])]
#[case::bend([1.0, 0.2], [0.0, 0.0], [false, false])]
#[case::on_the_spot([1.0, -1.0], [0.0, 0.0], [true, false])]
#[case::backwards([-1.0, -1.0], [0.0, 0.0], [false, false])]
#[case::one_backwards([-1.0, 0.0], [0.0, 0.0], [false, false])]
#[case::left_braked([0.0, 1.0], [0.5, 0.0], [false, true])]
#[case::right_braked([1.0, 0.0], [0.0, 0.5], [false, true])]
#[case::both_braked([0.0, 0.0], [0.5, 0.5], [false, false])]
#[case::braked_where_it_pulls([1.0, 0.0], [0.5, 0.0], [false, false])]
fn turning_hard(#[case] thrust: [f32; 2], #[case] brake: [f32; 2], #[case] expected: [bool; 2]) {
    let command = TankCommand {
        thrust,
        brake,
        ..TankCommand::default()
    };
    for (special, expected) in [(true, expected[0]), (false, expected[1])] {
        let tank = TankDifferential {
            special,
            ..tank(TankLaw::Shared)
        };
        assert_eq!(tank.is_turning_hard(&command), expected);
    }
}

#[test]
fn wheels_without_a_track_brake_like_the_harder_braked_track() {
    let mut tank = tank(TankLaw::Shared);
    tank.tracks[0].wheels = vec![2];
    for brake in [[0.25, 0.75], [0.75, 0.25]] {
        let found = tank.wheel_brakes(brake);
        assert_eq!(found[..5], [0.75, brake[1], brake[0], brake[1], 0.75]);
    }
}

/// Noise has no effect below the minimum thrust.
#[rstest]
#[case::least([0.0005, -0.0005], [0.5, 0.5], [1.0, 1.0])]
#[case::more([0.0, -0.0011], [0.0, 1.0], [0.0, -1.0])]
#[case::uneven([-0.25, 0.75], [0.25, 0.75], [-1.0, 1.0])]
#[case::other_side([0.75, 0.25], [0.75, 0.25], [1.0, 1.0])]
fn thrusts_share_in_proportion(
    #[case] thrust: [f32; 2],
    #[case] shares: [f32; 2],
    #[case] gearing: [f32; 2],
) {
    assert_eq!(TankDifferential::track_shares(thrust), (shares, gearing));
}

#[test]
fn two_tracks_on_a_side_share_by_wheels_and_a_single_wheel_has_no_bond() {
    let mut law = tank(TankLaw::Shared);
    law.tracks = vec![
        track(TrackSide::Left, &[0, 2, 4]),
        track(TrackSide::Left, &[6]),
        track(TrackSide::Right, &[1, 3]),
    ];
    let mut control = Control::idle(7);
    let thrust = [0.6, 0.2];
    law.ask(
        &Asked {
            handbrake: 0.0,
            thrust,
        },
        &mut control,
    );
    let (first, second) = (&control.wheels[0], &control.wheels[1]);
    let quarter = 0.75 / 4.0;
    assert_eq!(
        first.torque_share.to_array(),
        [quarter, 0.125, quarter, 0.125]
    );
    assert_eq!(second.torque_share.to_array(), [quarter, 0.0, quarter, 0.0]);
    assert_eq!(
        (first.wheel_coupling, second.wheel_coupling),
        ([1, 2, 1, 2], [1, 0, 0, 0])
    );
    assert_eq!(control.wheel_couplings, 2);
}

/// A track whose wheels are all off keeps its share: no wheel of it can take it over.
#[test]
fn a_track_without_wheels_keeps_its_shares() {
    let law = tank(TankLaw::Shared);
    let mut control = Control::idle(4);
    control.disabled = 0b0101;
    let thrust = [1.0; 2];
    law.ask(
        &Asked {
            handbrake: 0.0,
            thrust,
        },
        &mut control,
    );
    assert_eq!(
        control.wheels[0].torque_share,
        vehicle_core::lanes::W4::splat(0.25)
    );
}

#[test]
fn with_scaled_shares_a_track_without_thrust_drives_nothing() {
    let ratios = MultiWheel {
        torque_ratios: vec![0.5, 0.25, 0.0, 0.0, 0.25],
        speed_ratios: vec![0.5, 0.25, 0.0, 0.0, 0.25],
        torque_by: TorqueBy::TorqueRatio,
        strict: false,
    };
    let law = tank(TankLaw::Scaled(ratios));
    let (torque, speed) = law.shares([0.0, -0.5]);
    assert_eq!(torque[..5], [0.0, -0.125, 0.0, 0.0, 0.25]);
    assert_eq!(speed[..5], [0.0, -0.25, 0.0, 0.0, 0.25]);
}

/// A track without thrust counts as accelerated in PhysX 4, and does not in PhysX 5.
#[test]
fn bonds_are_accelerated_by_shared_torque_only() {
    let ratios = MultiWheel {
        torque_ratios: vec![0.25; 4],
        speed_ratios: vec![0.25; 4],
        torque_by: TorqueBy::TorqueRatio,
        strict: false,
    };
    for (law, left) in [(TankLaw::Shared, true), (TankLaw::Scaled(ratios), false)] {
        let law = tank(law);
        let control = asked(&law, [0.0, 0.5]);
        let accelerated = law.accelerated(control.wheels.first());
        assert_eq!(accelerated, Mask4::from_array([left, true, left, true]));
    }
}

#[rstest]
#[case::sound(&[], &[])]
#[case::radii(&[0.3, 0.4], &[])]
#[case::one_radius(&[0.3], &["tracks[1].radii"])]
#[case::no_radius(&[0.3, 0.0], &["tracks[1].radii[1]"])]
fn a_track_has_a_radius_for_each_wheel_or_none(#[case] radii: &[f32], #[case] expected: &[&str]) {
    let mut tank = tank(TankLaw::Shared);
    tank.tracks[1].radii = radii.to_vec();
    let faults = Checked::new(tank).map_or_else(|error| error.0, |_| vec![]);
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, expected);
}

#[rstest]
#[case(TrackSide::Left, "no right one")]
#[case(TrackSide::Right, "no left one")]
fn a_missing_side_is_a_fault(#[case] side: TrackSide, #[case] fault: &str) {
    let mut tank = tank(TankLaw::Shared);
    tank.tracks.iter_mut().for_each(|track| track.side = side);
    let error = format!("{}", Checked::new(tank).unwrap_err());
    assert!(error.contains(fault), "{error}");
}

#[test]
fn a_track_without_wheels_is_a_fault() {
    let mut tank = tank(TankLaw::Shared);
    tank.tracks[1].wheels.clear();
    let error = Checked::new(tank).unwrap_err();
    assert_eq!(error.0[0].path, "tracks[1].wheels");
}
