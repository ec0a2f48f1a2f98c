use super::*;
use alloc::string::String;
use alloc::vec;
use rstest::rstest;
use vehicle_core::Checked;

#[rstest]
#[case(-2, 0.0)]
#[case(-1, -16.0)]
#[case(0, 0.0)]
#[case(1, 16.0)]
#[case(5, 4.0)]
#[case(6, 0.0)]
#[case(-128, 0.0)]
fn ratios(#[case] gear: i8, #[case] expected: f32) {
    assert_eq!(GearboxParams::physx().ratio(Gear(gear)), expected);
}

/// Without ranges, the ratio of each is 1; one that does not exist is the last.
#[rstest]
#[case(&[], 0, 1.0)]
#[case(&[], 3, 1.0)]
#[case(&[1.0, 2.7], 0, 1.0)]
#[case(&[1.0, 2.7], 1, 2.7)]
#[case(&[1.0, 2.7], 2, 2.7)]
fn ratios_of_ranges(#[case] ranges: &[f32], #[case] range: u8, #[case] expected: f32) {
    let gearbox = GearboxParams {
        ranges: ranges.to_vec(),
        ..GearboxParams::physx()
    };
    assert_eq!(gearbox.range_ratio(range), expected);
}

#[test]
fn every_fault_is_found() {
    let bad = GearboxParams {
        reverse: vec![4.0],
        forward: vec![2.0, 3.0, -1.0],
        final_ratio: 0.0,
        ranges: vec![0.0; 9],
        switch_time: f32::NAN,
        rev_matching: true,
        logic: DriveLogic::PHYSX_4,
    };
    assert_eq!(Checked::new(bad).unwrap_err().0.len(), 15);
    assert!(Checked::new(GearboxParams::physx()).is_ok());
}

#[rstest]
#[case(-128, -2)]
#[case(-2, -2)]
#[case(0, 0)]
#[case(5, 5)]
#[case(127, 5)]
fn a_missing_gear_means_the_nearest(#[case] gear: i8, #[case] nearest: i8) {
    let gearbox = GearboxParams {
        reverse: vec![-4.0, -2.5],
        ..GearboxParams::physx()
    };
    assert_eq!(gearbox.nearest(Gear(gear)), Gear(nearest));
}

#[rstest]
#[case::no_forward(0, 1, "forward")]
#[case::most(30, 30, "")]
#[case::too_many(31, 0, "forward")]
#[case::too_many_back(1, 31, "reverse")]
fn the_number_of_gears_is_checked(#[case] forward: u8, #[case] reverse: u8, #[case] fault: &str) {
    let gearbox = GearboxParams {
        forward: (0..forward).map(|n| 100.0 - f32::from(n)).collect(),
        reverse: (0..reverse).map(|n| f32::from(n) - 100.0).collect(),
        ..GearboxParams::physx()
    };
    let error = Checked::new(gearbox).err();
    let found = error.map_or(String::new(), |error| error.0[0].path.clone());
    assert_eq!(found, fault);
}

#[rstest]
#[case::alike(vec![2.0, 2.0], vec![-4.0], "forward[1]")]
#[case::infinite(vec![2.0], vec![f32::NEG_INFINITY], "reverse[0]")]
#[case::none(vec![2.0], vec![0.0], "reverse[0]")]
fn ratios_descend_and_turn_the_right_way(
    #[case] forward: Vec<f32>,
    #[case] reverse: Vec<f32>,
    #[case] fault: &str,
) {
    let gearbox = GearboxParams {
        forward,
        reverse,
        ..GearboxParams::physx()
    };
    let error = Checked::new(gearbox).unwrap_err();
    assert_eq!((error.0.len(), error.0[0].path.as_str()), (1, fault));
}
