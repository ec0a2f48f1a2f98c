//! Cost of the Magic Formula: Fx, Fy and Mz of 6.1 in combined slip, with every term, inclination
//! and pressure: `cargo bench -p jounce-tire-models --bench magic_formula`. Times for `four wheels` are
//! for all four together. `docs/TIRES.md` has the figures.
//!
//! Floor with the load reused, counted: 21 arctangents of 32 vector operations, 9 sines of 36, a tangent of 43, 10 quotients, 7
//! roots and 350 others are some 1,400. Zen 3 begins at most four in a cycle, two of them products: 350 cycles, 27 ns a wheel of
//! four at 3.25 GHz. A wheel alone waits for its longest chain, that of the aligning moment: 340 cycles, 105 ns.

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tire_models::magic_formula::coefficients::KEYS;
use tire_models::magic_formula::{Coefficients, Load, MagicFormula, Settings, Slip, Version};
use tire_models::real::{Dual, Real};
use vehicle_core::lanes::W4;

/// The template, with no coefficient of the formulas left at zero, so that no term is skipped.
fn coefficients() -> Coefficients {
    let mut coefficients = Coefficients::template();
    for key in KEYS {
        let formula = key.section.ends_with("_COEFFICIENTS") && key.name != "LMUV";
        if formula && key.default == 0.0 {
            coefficients.set(key.name, 0.01);
        }
    }
    coefficients
}

fn tire<T: Real>() -> MagicFormula<T> {
    MagicFormula::new(&coefficients(), Version::V61, Settings::vehicle())
        .expect("valid coefficients")
}

fn load<T: Real>() -> Load<T> {
    Load {
        inclination: T::of(0.02),
        ..Load::new(T::of(4200.0))
    }
}

fn slip<T: Real>() -> Slip<T> {
    Slip {
        ratio: T::of(0.04),
        angle: T::of(-0.05),
        ..Slip::rolling(T::of(20.0))
    }
}

/// Fx, Fy, Mz with a new load and with a reused one, Fx and Fy alone, and the load alone.
fn cases<T: Real>(c: &mut Criterion, name: &str) {
    let mut group = c.benchmark_group(name);
    let (tire, load, slip) = (tire::<T>(), load::<T>(), slip::<T>());
    group.bench_function("Fx Fy Mz, new load", |b| {
        b.iter(|| {
            let at = tire.at_load(black_box(&load));
            let planar = tire.planar(&at, black_box(&slip));
            let aligning = tire.aligning(&at, &planar);
            (planar.longitudinal, planar.lateral, aligning.moment)
        });
    });
    group.bench_function("a load", |b| b.iter(|| tire.at_load(black_box(&load))));
    let at = tire.at_load(&load);
    group.bench_function("Fx Fy Mz, load reused", |b| {
        b.iter(|| {
            let planar = tire.planar(black_box(&at), black_box(&slip));
            let aligning = tire.aligning(black_box(&at), &planar);
            (planar.longitudinal, planar.lateral, aligning.moment)
        });
    });
    group.bench_function("Fx Fy, load reused", |b| {
        b.iter(|| {
            let planar = tire.planar(black_box(&at), black_box(&slip));
            (planar.longitudinal, planar.lateral)
        });
    });
    group.finish();
}

fn magic_formula(c: &mut Criterion) {
    cases::<f32>(c, "one wheel");
    cases::<W4>(c, "four wheels");
    cases::<f64>(c, "one wheel, f64");
    cases::<Dual<f32, 2>>(c, "one wheel with two derivatives");
}

criterion_group!(benches, magic_formula);
criterion_main!(benches);
