//! Every built-in law and every preset tire passes the suite for third-party laws.

#[path = "../../tire-models/tests/small_tires/mod.rs"]
mod small_tires;

use std::sync::Arc;

use jounce::core::TireModel;
use jounce::tires::{MichiganParams, TireRegistry, presets, table_of};
use small_tires::TIRES;
use toml::Table;
use vehicle_conformance::expected;
use vehicle_conformance::harness::Trial;
use vehicle_conformance::tires::{Declared, trials};

const DISSIPATES: &str = "a sliding tire takes energy away";
const ODD: &str = "opposite slip has the opposite force";
const MIRRORED: &str = "a mirrored wheel pushes the mirrored way";
const ARM: &str = "the aligning moment has an arm of no more than the radius";

/// A requirement that is not met, and why.
type Failure = (&'static str, &'static str);

const RIM: Failure = (
    ODD,
    "slip counts over the speed of the rim: a braked tire slides sooner than a driven one",
);
const SHIFTED: [Failure; 2] = [
    (ODD, "its curves are shifted"),
    (MIRRORED, "its curves are shifted"),
];
const LEFT: [Failure; 2] = [
    (ODD, "a left tire, with conicity and ply steer"),
    (MIRRORED, "a left tire, with conicity and ply steer"),
];
const RETURNS: Failure = (
    DISSIPATES,
    "published with C = 2.37 along: above 2, the curve turns round at great slip",
);
const TRAIL: Failure = (ARM, "PhysX's trail is 1 m, and grows as the tire slides");

/// Force without slip and slip stiffness of each of [`TIRES`], and requirements that it does not meet.
const SMALL: [([f32; 2], &[Failure]); TIRES.len()] = [
    ([0.0, 2000.0], &[]),
    ([0.1, 40.0], &[]),
    ([0.0, 27.0], &[RIM]),
    ([0.0, 47.5], &[]),
    ([0.0, 71.2], &[RIM]),
    ([0.0, 71.1], &[RIM]),
    ([0.0, 31.5], &[RIM]),
    ([0.0, 39.4], &[RIM]),
    ([0.0, 58.7], &[RIM]),
    ([0.0, 45.8], &[]),
    ([0.142, 71.7], &[]),
    ([0.16, 129.5], &[RETURNS, SHIFTED[0], SHIFTED[1]]),
    ([0.415, 50.3], &SHIFTED),
    ([0.0, 27.0], &[RIM]),
    ([0.0, 27.0], &[RIM]),
];

/// Grip, force without slip and slip stiffness of each of [`presets::FILES`].
const SHIPPED: [[f32; 3]; presets::FILES.len()] = [
    [1.65, 0.175, 62.9],
    [1.67, 0.128, 81.9],
    [1.67, 0.128, 81.9],
    [1.45, 0.123, 58.3],
];

/// A tire of a vehicle file, and its declared properties.
pub(crate) struct Tire {
    pub(crate) name: String,
    pub(crate) table: Table,
    declared: Declared,
}

/// A tire for a wheel of this radius (`m`) and load (`N`).
fn tire(
    text: &str,
    [radius, load]: [f32; 2],
    [grip, offset, slip_stiffness]: [f32; 3],
    failures: &[Failure],
) -> Tire {
    let table: Table = text.parse().expect("it is TOML");
    let named = |key: &str| table.get(key).and_then(|value| value.as_str());
    let failures = failures.iter();
    Tire {
        name: named("preset")
            .or(named("model"))
            .expect("a name")
            .to_owned(),
        declared: Declared {
            grip,
            offset,
            slip_stiffness,
            expected_failures: failures.map(|(case, why)| expected(case, why)).collect(),
            ..Declared::within_the_circle(radius, load)
        },
        table,
    }
}

/// Tires of every law in the registry.
pub(crate) fn tires() -> Vec<Tire> {
    const WHEEL: [f32; 2] = [0.31, 4000.0];
    let physx = table_of(&MichiganParams::physx()).expect("a table");
    let michigan = format!("model = 'michigan'\n{physx}");
    let mut tires = vec![tire(&michigan, WHEEL, [1.0, 0.028, 18.0], &[TRAIL])];
    for ((text, grip), ([offset, stiffness], failures)) in TIRES.into_iter().zip(SMALL) {
        tires.push(tire(text, WHEEL, [grip, offset, stiffness], failures));
    }
    for ((name, _), declared) in presets::FILES.into_iter().zip(SHIPPED) {
        let file = presets::by_name(name).expect("it ships").coefficients;
        let wheel = [file.UNLOADED_RADIUS, file.FNOMIN].map(|x| x as f32);
        let text = format!("model = 'magic-formula'\npreset = '{name}'");
        tires.push(tire(&text, wheel, declared, &LEFT));
    }
    tires
}

/// Tests of all tires, and one that no law is missing.
pub(crate) fn all() -> Vec<Trial> {
    let registry = TireRegistry::with_builtins();
    let tires = tires();
    let has = |name: &str| {
        tires
            .iter()
            .any(|tire| tire.table["model"].as_str() == Some(name))
    };
    let left_out: Vec<_> = registry.names().filter(|name| !has(name)).collect();
    let message = format!("no tire of {left_out:?}");
    let complete = left_out.is_empty();
    let complete = Trial::new("laws::none_is_left_out", move || {
        complete.then_some(()).ok_or(message)
    });
    let each = tires.into_iter().enumerate().flat_map(|(n, tire)| {
        let model: Arc<dyn TireModel> = registry.build(tire.table).expect("a sound tire");
        trials(&format!("laws::{n} {}", tire.name), &model, &tire.declared)
    });
    each.chain([complete]).collect()
}
