use super::*;
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
        hold: 0.0,
        physx_rules: false,
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
fn thrusts_share_all_the_torque_and_the_engine_follows_it(
    #[case] thrust: [f32; 2],
    #[case] torque: [f32; 2],
    #[case] by_halves: [f32; 2],
) {
    for (physx_rules, speed) in [(false, torque), (true, by_halves)] {
        let law = TankDifferential {
            physx_rules,
            ..tank(TankLaw::Shared)
        };
        let control = asked(&law, thrust);
        let wheels = control.wheels.first();
        let both = |[left, right]: [f32; 2]| [left, right, left, right];
        assert_eq!(wheels.torque_share.to_array(), both(torque));
        assert_eq!(wheels.speed_share.to_array(), both(speed));
        assert_eq!((control.bonds, wheels.bond), (2, [1, 2, 1, 2]));
    }
}

#[test]
fn the_others_of_a_track_get_what_a_wheel_that_is_off_had() {
    let law = tank(TankLaw::Shared);
    let mut control = Control::idle(4);
    control.off = 0b0100;
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
        physx_rules: false,
    };
    let control = asked(&tank(TankLaw::Scaled(ratios)), [-0.5, 0.25]);
    let wheels = control.wheels.first();
    assert_eq!(wheels.torque_share.to_array(), [-0.25, 0.125, 0.0, 0.0]);
    assert_eq!(wheels.speed_share.to_array(), [-0.5, 0.5, 0.0, 0.0]);
}

#[test]
fn rims_of_unequal_wheels_move_alike() {
    let mut tank = tank(TankLaw::Shared);
    tank.tracks[1].radii = vec![0.3, 0.6];
    let control = asked(&tank, [1.0, 1.0]);
    let ratios = control.wheels.first().bond_ratio.to_array();
    assert_eq!(ratios, [1.0, 1.0, 1.0, 0.5]);
}

#[rstest]
#[case::standard(false, [0.5, -0.5], [0.0, 0.0], [0.5, 0.0], [0.0, 0.4])]
#[case::standard_braked(false, [0.5, 0.5], [0.2, 0.0], [0.0, 0.5], [0.4, 0.0])]
#[case::special(true, [0.5, -0.5], [0.2, 0.0], [0.5, -0.5], [0.2, 0.0])]
#[case::idle(true, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])]
fn thrusts_that_count_and_brakes_that_hold(
    #[case] special: bool,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
    #[case] counting: [f32; 2],
    #[case] braked: [f32; 2],
) {
    let tank = TankDifferential {
        special,
        hold: 0.4,
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
        hold: 0.4,
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
        hold: 2.0,
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
