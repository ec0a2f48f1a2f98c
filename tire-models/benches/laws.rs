//! What the small laws cost as models of a vehicle, one wheel and four at once:
//! `cargo bench -p tire-models --bench laws`. A time of `four` is that of four wheels.

#[path = "../tests/small_tires/mod.rs"]
mod small_tires;

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use small_tires::TIRES;
use tire_models::{MichiganParams, TireRegistry, table_of};
use vehicle_core::TireInput;
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::tire_model::TireInput4;

/// A wheel that drives and turns, below its peak.
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
    }
}

/// Four of them, with loads of their own.
fn four() -> TireInput4 {
    let wheel = one();
    TireInput4 {
        slip_ratio: W4::splat(wheel.slip_ratio),
        tan_slip_angle: W4::splat(wheel.tan_slip_angle),
        forward_speed: W4::splat(wheel.forward_speed),
        lateral_speed: W4::splat(wheel.lateral_speed),
        rim_speed: W4::splat(wheel.rim_speed),
        radius: W4::splat(wheel.radius),
        load: W4::from_array([3000.0, 3500.0, 4200.0, 5000.0]),
        rest_load: W4::splat(wheel.rest_load),
        camber: W4::splat(wheel.camber),
        friction: W4::splat(wheel.friction),
        gravity: wheel.gravity,
    }
}

fn laws(c: &mut Criterion) {
    let registry = TireRegistry::with_builtins();
    let mut michigan = table_of(&MichiganParams::physx()).expect("a table");
    michigan.insert("model".to_owned(), "michigan".into());
    let others = TIRES
        .iter()
        .map(|(text, _)| toml::from_str(text).expect("a table"));
    for (n, table) in others.chain([michigan]).enumerate() {
        let name = table["model"].as_str().expect("a name").to_owned();
        let tire = registry.build(table).expect("a sound tire");
        let mut group = c.benchmark_group(format!("{n} {name}"));
        let (one, four) = (one(), four());
        group.bench_function("one", |b| b.iter(|| tire.forces(black_box(&one))));
        group.bench_function("four", |b| {
            b.iter(|| tire.forces4(black_box(&four), Mask4::ALL));
        });
    }
}

criterion_group!(benches, laws);
criterion_main!(benches);
