//! Every built-in law passes the suite that third parties' laws pass.

use std::sync::Arc;

use conformance::tires::{Declared, trials};
use conformance::{Expected, expected};
use jounce::core::TireModel;
use jounce::tires::{MichiganParams, TireRegistry, presets, table_of};
use libtest_mimic::{Failed, Trial};
use toml::Table;

/// A tire as a vehicle file has it, and what it declares.
struct Tire {
    name: &'static str,
    table: Table,
    declared: Declared,
}

/// A tire for wheels of 31 cm at 4 kN.
fn tire(
    name: &'static str,
    text: &str,
    [grip, offset, slip_stiffness]: [f32; 3],
    expected_failures: Vec<Expected>,
) -> Tire {
    Tire {
        name,
        table: text.parse().expect("it is TOML"),
        declared: Declared {
            grip,
            offset,
            slip_stiffness,
            expected_failures,
            ..Declared::within_the_circle(0.31, 4000.0)
        },
    }
}

/// A tire that ships, at its nominal load.
fn shipped(
    name: &'static str,
    [grip, offset, slip_stiffness]: [f32; 3],
    expected_failures: Vec<Expected>,
) -> Tire {
    let file = presets::by_name(name).expect("it ships").coefficients;
    let (radius, load) = (file.UNLOADED_RADIUS as f32, file.FNOMIN as f32);
    Tire {
        name,
        table: format!("model = 'magic-formula'\npreset = '{name}'")
            .parse()
            .expect("it is TOML"),
        declared: Declared {
            grip,
            offset,
            slip_stiffness,
            expected_failures,
            ..Declared::within_the_circle(radius, load)
        },
    }
}

const ODD: &str = "opposite slip has the opposite force";
const MIRRORED: &str = "a mirrored wheel pushes the mirrored way";
const ARM: &str = "the aligning moment has an arm of no more than the radius";

const DISSIPATES: &str = "a sliding tire takes energy away";

const RETURNS: &str = "published with C = 2.37 along: above 2, the curve turns round at great slip";
const RIM: &str =
    "slip counts over the speed of the rim: a braked tire slides sooner than a driven one";
const SHIFTED: &str = "its curves are shifted";
const LEFT: &str = "a left tire, with conicity and ply steer";

/// Tires of every law in the registry.
fn tires() -> Vec<Tire> {
    let michigan = table_of(&MichiganParams::physx())
        .expect("a table")
        .to_string();
    vec![
        tire(
            "michigan",
            &format!("model = 'michigan'\n{michigan}"),
            [1.0, 0.028, 18.0],
            vec![expected(
                ARM,
                "PhysX's trail is 1 m, and grows as the tire slides",
            )],
        ),
        tire(
            "linear",
            "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
             camber_stiffness = 1.0\ntrail = 0.03",
            [1.0, 0.1, 40.0],
            vec![],
        ),
        tire(
            "dugoff",
            "model = 'dugoff'\nslip_stiffness = 100000.0\ncornering_stiffness = 80000.0",
            [1.0, 0.0, 27.0],
            vec![expected(ODD, RIM)],
        ),
        tire(
            "fiala",
            "model = 'fiala'\n\
             slip_stiffness = 190000.0\n\
             cornering_stiffness = 50000.0\n\
             sliding_friction = 0.7\n\
             static_friction = 0.9\n\
             width = 0.2",
            [0.9, 0.0, 47.5],
            vec![],
        ),
        tire(
            "brush",
            "model = 'brush'\n\
             tread_stiffness_x = 2e7\n\
             tread_stiffness_y = 1.5e7\n\
             half_length = 0.06\n\
             nominal_load = 4000.0\n\
             load_sensitivity = 0.0\n\
             kinetic_friction = 1.0\n\
             stribeck_speed = 2.0",
            [1.0, 0.0, 71.2],
            vec![expected(ODD, RIM)],
        ),
        tire(
            "brush-falling",
            "model = 'brush'\n\
             tread_stiffness_x = 2e7\n\
             tread_stiffness_y = 1.5e7\n\
             half_length = 0.06\n\
             nominal_load = 4000.0\n\
             load_sensitivity = 0.1\n\
             kinetic_friction = 0.8\n\
             stribeck_speed = 2.0",
            [1.1, 0.0, 71.1],
            vec![expected(ODD, RIM)],
        ),
        tire(
            "tmsimple",
            "model = 'tmsimple'\n\
             nominal_load = 3000.0\n\
             initial_x = [54000.0, 100000.0]\n\
             peak_x = [3150.0, 6000.0]\n\
             sliding_x = [2400.0, 4600.0]\n\
             initial_y = [45000.0, 80000.0]\n\
             peak_y = [3000.0, 5700.0]\n\
             sliding_y = [2500.0, 4700.0]",
            [1.1, 0.0, 31.5],
            vec![expected(ODD, RIM)],
        ),
        tire(
            "tmeasy",
            "model = 'tmeasy'\n\
             nominal_load = 3500.0\n\
             contact_length = 0.12\n\
             initial_x = [64000.0, 136000.0]\n\
             peak_x = [3950.0, 7630.0]\n\
             peak_slip_x = [0.139, 0.139]\n\
             sliding_x = [2800.0, 5380.0]\n\
             sliding_slip_x = [0.667, 0.667]\n\
             initial_y = [56000.0, 90000.0]\n\
             peak_y = [3500.0, 6400.0]\n\
             peak_slip_y = [0.149, 0.185]\n\
             sliding_y = [2900.0, 5400.0]\n\
             sliding_slip_y = [0.965, 1.07]\n\
             trail = [0.178, 0.19]\n\
             trail_zero_slip = [0.163, 0.204]\n\
             trail_end_slip = [0.965, 1.07]",
            [1.2, 0.0, 39.4],
            vec![expected(ODD, RIM)],
        ),
        tire(
            "slip-curves",
            "model = 'slip-curves'\n\
             longitudinal = [[0.0, 0.0], [0.06, 1.2], [0.2, 1.0]]\n\
             lateral_deg = [[0.0, 0.0], [3.0, 1.2], [20.0, 1.0]]",
            [1.2, 0.0, 45.8],
            vec![],
        ),
        tire(
            "bakker-87",
            "model = 'bakker-87'\n\
             longitudinal_shape = 1.65\n\
             lateral_shape = 1.3\n\
             aligning_shape = 2.4\n\
             longitudinal = [-21.3, 1144.0, 49.6, 226.0, 0.069, -0.006, 0.056, 0.486]\n\
             lateral = [-22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707, 0.028, 0.0, 14.8, 0.022, 0.0]\n\
             aligning = [-2.72, -2.28, -1.86, -2.73, 0.11, -0.07, 0.643, -4.04, 0.015, -0.066, 0.945, 0.03, 0.07]\n\
             greatest_load = 8000.0",
            [1.144, 0.142, 71.7],
            vec![],
        ),
        tire(
            "pacejka-89",
            "model = 'pacejka-89'\n\
             longitudinal = [2.37272, -9.46, 1490.0, 130.0, 276.0, 0.0886, 0.00402, -0.0615, 1.2, 0.0299, -0.176]\n\
             lateral = [1.65, -34.0, 1250.0, 3036.0, 12.8, 0.00501, -0.02103, 0.77394, 0.002289, 0.013442, 0.003709, 19.1656, 1.21356, 6.26206]\n\
             aligning = [2.34, 1.495, 6.416654, -3.57403, -0.087737, 0.09841, 0.0027699, -0.0001151, 0.1, -1.33329, 0.025501, -0.02357, 0.03027, -0.0647, 0.0211329, 0.89469, -0.099443, -3.336941]\n\
             greatest_load = 8000.0",
            [1.49, 0.16, 129.5],
            vec![
                expected(DISSIPATES, RETURNS),
                expected(ODD, SHIFTED),
                expected(MIRRORED, SHIFTED),
            ],
        ),
        tire(
            "pacejka-94",
            "model = 'pacejka-94'\n\
             longitudinal = [1.62, -60.0, 1350.0, 20.0, 280.0, 0.07, 0.01, -0.06, 0.4, -0.01, 0.05, 2.0, 10.0, 0.08]\n\
             lateral = [1.5, -25.0, 1150.0, 1400.0, 8.0, 0.008, -0.05, -0.2, 0.003, 0.02, -0.12, 8.0, -12.0, -6.0, -2.0, 0.0004, 0.01, 0.05]\n\
             aligning = [2.3, -2.0, -3.0, -2.2, -3.0, 0.1, 0.01, 0.06, -0.4, -1.2, 0.02, 0.02, -0.08, 0.06, 0.3, 0.5, -0.1, -0.6, 0.0006, 0.02, 0.08]\n\
             greatest_load = 8000.0",
            [1.35, 0.415, 50.3],
            vec![expected(ODD, SHIFTED), expected(MIRRORED, SHIFTED)],
        ),
        shipped(
            "sedan-245-40-r18",
            [1.65, 0.175, 62.9],
            vec![expected(ODD, LEFT), expected(MIRRORED, LEFT)],
        ),
        shipped(
            "suv-255-55-r20",
            [1.67, 0.128, 81.9],
            vec![expected(ODD, LEFT), expected(MIRRORED, LEFT)],
        ),
        shipped(
            "suv-255-55-r20-62",
            [1.67, 0.128, 81.9],
            vec![expected(ODD, LEFT), expected(MIRRORED, LEFT)],
        ),
        shipped(
            "light-truck-235-85-r16",
            [1.45, 0.123, 58.3],
            vec![expected(ODD, LEFT), expected(MIRRORED, LEFT)],
        ),
    ]
}

/// All of their tests, and one that no law is left out.
pub(crate) fn all() -> Vec<Trial> {
    let registry = TireRegistry::with_builtins();
    let tires = tires();
    let has = |name: &&str| {
        tires
            .iter()
            .any(|tire| tire.table["model"].as_str() == Some(*name))
    };
    let left_out: Vec<_> = registry
        .names()
        .filter(|name| !has(name))
        .map(str::to_owned)
        .collect();
    let complete = Trial::test("laws::none_is_left_out", move || match &left_out[..] {
        [] => Ok(()),
        names => Err(Failed::from(format!("no tire of {names:?}"))),
    });
    let each = tires.into_iter().flat_map(|tire| {
        let model: Arc<dyn TireModel> = registry.build(tire.table).expect("a sound tire");
        trials(&format!("laws::{}", tire.name), &model, &tire.declared)
    });
    each.chain([complete]).collect()
}
