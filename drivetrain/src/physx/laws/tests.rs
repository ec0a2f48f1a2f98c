use super::*;
use alloc::vec;
use rstest::rstest;
use vehicle_core::Curve;

use crate::response::{ResponseRow, ResponseTable};

#[test]
fn physx_gives_reverse_the_response_at_the_lowest_speed() {
    let row = |command, points: &[[f32; 2]]| ResponseRow {
        command,
        by_speed: Curve(points.to_vec()),
    };
    let physx = ResponseTable {
        rows: vec![
            row(0.5, &[[0.0, 0.0]]),
            row(1.0, &[[20.0, 1.0], [60.0, 0.0]]),
        ],
        speed_axis: SpeedAxis::Signed,
    };
    assert_eq!(physx.at(1.0, -40.0), 1.0);
    assert!(!physx.is_linear() && ResponseTable::default().is_linear());
}

/// Documents write each choice as a flag.
#[rstest]
fn each_choice_round_trips_as_a_flag(#[values(false, true)] physx_rules: bool) {
    assert_eq!(bool::from(SpeedAxis::from(physx_rules)), physx_rules);
    assert_eq!(bool::from(AxleLaw::from(physx_rules)), physx_rules);
    assert_eq!(bool::from(TorqueBy::from(physx_rules)), physx_rules);
    assert_eq!(bool::from(FreeAxle::from(physx_rules)), physx_rules);
    assert_eq!(bool::from(TrackCoupling::from(physx_rules)), physx_rules);
}

#[test]
fn no_flag_means_the_clean_law() {
    assert_eq!(SpeedAxis::from(false), SpeedAxis::default());
    assert_eq!(AxleLaw::from(false), AxleLaw::default());
    assert_eq!(TorqueBy::from(false), TorqueBy::default());
    assert_eq!(FreeAxle::from(false), FreeAxle::default());
    assert_eq!(TrackCoupling::from(false), TrackCoupling::default());
}
