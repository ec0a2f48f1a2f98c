use super::*;
use crate::Checked;
use alloc::string::ToString;
use proptest::prelude::*;
use rstest::rstest;

#[rstest]
#[case::centimeters_in_a_meter(UnitScale::CENTIMETERS, [1, 0], 100.0)]
#[case::square_centimeters(UnitScale::CENTIMETERS, [2, 0], 10_000.0)]
#[case::force_in_gram_meters(UnitScale::GRAMS, [1, 1], 1000.0)]
#[case::per_meter(UnitScale::CENTIMETERS, [-1, 0], 0.01)]
#[case::per_inertia(UnitScale { length: 10.0, mass: 1000.0 }, [-2, -1], 1e-5)]
fn a_quantity_changes_by_powers_of_its_units(
    #[case] units: UnitScale,
    #[case] powers: [i32; 2],
    #[case] factor: f64,
) {
    let [length, mass] = powers;
    let actual = units.factor(length, mass);
    assert!((actual / factor - 1.0).abs() < 1e-12, "{actual}");
}

#[rstest]
#[case::nan(f64::NAN, 1.0, "length = NaN")]
#[case::zero(0.0, 1.0, "length = 0")]
#[case::tiny_mass(1.0, 1e-4, "mass = 0.0001")]
#[case::negative(1.0, -1.0, "mass = -1")]
fn a_unit_is_a_positive_number_within_range(
    #[case] length: f64,
    #[case] mass: f64,
    #[case] named: &str,
) {
    let error = Checked::new(UnitScale { length, mass }).unwrap_err();
    assert!(error.to_string().contains(named), "{error}");
}

proptest! {
    #[test]
    fn powers_add_up(
        length in 0.01..100.0_f64, mass in 0.01..100.0_f64, a in [-3..4_i32, -3..4], b in [-3..4_i32, -3..4],
    ) {
        let units = UnitScale { length, mass };
        let both = units.factor(a[0] + b[0], a[1] + b[1]);
        let one_by_one = units.factor(a[0], a[1]) * units.factor(b[0], b[1]);
        prop_assert!((both / one_by_one - 1.0).abs() < 1e-12);
        prop_assert_eq!(UnitScale::SI.factor(a[0], b[1]), 1.0);
    }
}
