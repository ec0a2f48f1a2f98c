//! Tires that are evaluated together, each in its own lanes.

mod small_tires;

use std::sync::Arc;

use proptest::prelude::*;
use rstest::rstest;
use small_tires::TIRES;
use tire_models::TireRegistry;
use toml::{Table, Value};
use vehicle_core::lanes::{LANES, Mask4, W4};
use vehicle_core::tire_model::TireRequest;
use vehicle_core::{TireForces, TireInput, TireModel, TireProperties};

const LEFT: &str = "model = 'magic-formula'\npreset = 'suv-255-55-r20'";
const RIGHT: &str = "model = 'magic-formula'\npreset = 'suv-255-55-r20'\nmirrored = true";
const MICHIGAN: &str = "model = 'michigan'\nlat_stiff_x = 2.0\nlat_stiff_y = 10.0\n\
    long_stiff_per_g = 1600.0\ncamber_stiff_per_g = 12.0\nminimum_slip = 0.0";
/// Small laws whose parameters may differ from lane to lane.
const SMALL: [&str; 8] = [
    "dugoff",
    "fiala",
    "brush",
    "tmsimple",
    "tmeasy",
    "bakker-87",
    "pacejka-89",
    "pacejka-94",
];

fn build(table: Table) -> Arc<dyn TireModel> {
    TireRegistry::with_builtins().build(table).unwrap()
}

fn table(text: &str) -> Table {
    toml::from_str(text).unwrap()
}

/// A tire and one of the same law with other numbers.
fn pair(text: &str) -> [Arc<dyn TireModel>; 2] {
    let mut other = table(text);
    for (_, value) in &mut other {
        if let Value::Float(number) = value {
            *number *= 0.99;
        }
    }
    [build(table(text)), build(other)]
}

/// Pairs of tires that can be evaluated together.
fn pairs() -> impl Iterator<Item = [Arc<dyn TireModel>; 2]> {
    let small = SMALL.map(|name| {
        let model = format!("model = '{name}'\n");
        let found = TIRES.iter().find(|(text, _)| text.starts_with(&model));
        found.expect("a tire of each law").0
    });
    let sides = [LEFT, RIGHT].map(|text| build(table(text)));
    small.into_iter().chain([MICHIGAN]).map(pair).chain([sides])
}

fn bits(forces: &TireForces) -> [u32; 6] {
    let TireForces {
        longitudinal,
        lateral,
        aligning_moment,
        overturning_moment,
        rolling_resistance,
        wheel_torque,
    } = *forces;
    [
        longitudinal,
        lateral,
        aligning_moment,
        overturning_moment,
        rolling_resistance,
        wheel_torque,
    ]
    .map(f32::to_bits)
}

fn lane(forces: &TireForces<W4>, n: usize) -> TireForces {
    TireForces {
        longitudinal: forces.longitudinal.lane(n),
        lateral: forces.lateral.lane(n),
        aligning_moment: forces.aligning_moment.lane(n),
        overturning_moment: forces.overturning_moment.lane(n),
        rolling_resistance: forces.rolling_resistance.lane(n),
        wheel_torque: forces.wheel_torque.lane(n),
    }
}

fn same_properties(four: &TireProperties<W4>, one: &TireProperties, n: usize) -> bool {
    let same =
        |four: [W4; 2], one: [f32; 2]| (four.map(|x| x.lane(n).to_bits())) == one.map(f32::to_bits);
    same(four.grip, one.grip)
        && same(four.slip_stiffness, one.slip_stiffness)
        && same(four.relaxation_length, one.relaxation_length)
}

#[rstest]
#[case::of_different_laws(MICHIGAN, LEFT)]
#[case::of_different_versions(
    LEFT,
    "model = 'magic-formula'\npreset = 'suv-255-55-r20'\nversion = '5.2'"
)]
#[case::with_other_settings(
    LEFT,
    "model = 'magic-formula'\npreset = 'suv-255-55-r20'\nsettings = { turn_slip = true }"
)]
fn tires_stay_apart(#[case] one: &str, #[case] other: &str) {
    let (one, other) = (build(table(one)), build(table(other)));
    let own = Mask4::from_array([true, false, true, false]);
    assert!(one.joined(own, &*other).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_lane_has_the_bits_of_its_own_tire(
        v in proptest::array::uniform4(proptest::array::uniform6(-1.5..1.5_f32)),
        own in proptest::array::uniform4(any::<bool>()),
    ) {
        let wheels = v.map(|v| TireInput {
            slip_ratio: v[0],
            tan_slip_angle: v[1],
            camber: 0.1 * v[2],
            load: 4000.0 * v[3].abs(),
            rest_load: 4000.0,
            friction: v[4].abs(),
            radius: 0.3,
            forward_speed: 15.0,
            rim_speed: 20.0 * v[5],
            gravity: 9.81,
            ..TireInput::default()
        });
        let four = TireInput::of(&wheels);
        for pair in pairs() {
            let both = pair[0].joined(Mask4::from_array(own), &*pair[1]).unwrap();
            let forces = both.forces4(&four, Mask4::ALL);
            let properties = both.properties4(&four, Mask4::ALL);
            let request = TireRequest { opposite: true, opposite_moments: true, properties: true };
            let outputs = both.evaluate4(&four, Mask4::ALL, request);
            for n in 0..LANES {
                let tire = &pair[usize::from(!own[n])];
                let alone = tire.forces(&wheels[n]);
                prop_assert_eq!(bits(&lane(&forces, n)), bits(&alone), "{:?}", tire);
                prop_assert_eq!(bits(&lane(&outputs.forces, n)), bits(&alone), "{:?}", tire);
                // Rolling resistance at the opposite slip may be any number.
                let slip_alone = |forces| TireForces { rolling_resistance: 0.0, ..lane(forces, n) };
                let opposite = tire.forces4(&four.opposite(), Mask4::ALL);
                prop_assert_eq!(bits(&slip_alone(&outputs.opposite)), bits(&slip_alone(&opposite)), "{:?}", tire);
                prop_assert!(same_properties(&properties, &tire.properties(&wheels[n]), n), "{:?}", tire);
            }
        }
    }
}
