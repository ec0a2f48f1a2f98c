//! Cost of every law as a vehicle's tire: `cargo bench -p jounce-tire-models --bench laws`, followed by a
//! name for a single law. Times for four wheels are for all four together. `docs/TIRES.md` has the
//! figures.
//!
//! | | |
//! |---|---|
//! | `forces, one wheel` | `TireModel::forces` |
//! | `forces, four wheels` | `TireModel::forces4`: the explicit solver |
//! | `properties, four wheels` | `TireModel::properties4`, of laws that have some |
//! | `a substep, four wheels` | `TireModel::evaluate4` with everything the rows solver requests under
//! the law's traits |

#[path = "../tests/small_tires/mod.rs"]
mod small_tires;

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use small_tires::TIRES;
use tire_models::{MichiganParams, TireRegistry, table_of};
use toml::Table;
use vehicle_core::TireInput;
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire_model::TireRequest;

/// A driven, turning wheel below its peak.
fn one() -> TireInput {
    TireInput {
        slip_ratio: 0.04,
        tan_slip_angle: -0.05,
        forward_speed: 20.0,
        lateral_speed: -1.0,
        rim_speed: 20.8,
        radius: 0.3,
        load: 4200.0,
        rest_load: 4000.0,
        camber: 0.02,
        friction: 0.95,
        gravity: 9.81,
        ..TireInput::default()
    }
}

/// Inputs of four wheels, with different loads.
fn four() -> TireInput<W4> {
    let loads = [3000.0, 3500.0, 4200.0, 5000.0];
    TireInput::of(&loads.map(|load| TireInput { load, ..one() }))
}

/// A table of every law; for laws in `small_tires`, the first entry.
fn tables() -> Vec<(String, Table)> {
    let mut michigan = table_of(&MichiganParams::physx()).expect("a table");
    michigan.insert("model".to_owned(), "michigan".into());
    let formula = "model = 'magic-formula'\npreset = 'suv-255-55-r20'";
    let mut tables: Vec<(String, Table)> = Vec::new();
    let texts = TIRES.iter().map(|(text, _)| *text).chain([formula]);
    for table in texts
        .map(|text| toml::from_str(text).expect("a table"))
        .chain([michigan])
    {
        let name = table["model"].as_str().expect("a name").to_owned();
        if !tables.iter().any(|(other, _)| *other == name) {
            tables.push((name, table));
        }
    }
    tables
}

fn laws(c: &mut Criterion) {
    let registry = TireRegistry::with_builtins();
    let tables = tables();
    for name in registry.names() {
        assert!(
            tables.iter().any(|(other, _)| other == name),
            "{name} is not measured"
        );
    }
    for (name, table) in tables {
        let tire = registry.build(table).expect("a valid tire");
        let traits = tire.traits();
        let mut group = c.benchmark_group(name);
        let (one, four) = (one(), four());
        group.bench_function("forces, one wheel", |b| {
            b.iter(|| tire.forces(black_box(&one)));
        });
        group.bench_function("forces, four wheels", |b| {
            b.iter(|| tire.forces4(black_box(&four), Mask4::ALL));
        });
        if traits.has_properties {
            group.bench_function("properties, four wheels", |b| {
                b.iter(|| tire.properties4(black_box(&four), Mask4::ALL));
            });
        }
        let request = TireRequest {
            opposite: traits.has_offsets,
            opposite_moments: traits.has_moments,
            properties: traits.has_properties,
        };
        group.bench_function("a substep, four wheels", |b| {
            b.iter(|| tire.evaluate4(black_box(&four), Mask4::ALL, request));
        });
    }
}

criterion_group!(benches, laws);
criterion_main!(benches);
