//! What the Magic Formula costs: Fx, Fy and Mz of 6.1 in combined slip, with every term, inclination and
//! pressure: `cargo bench -p tire-models --bench magic_formula`.
//!
//! A time of `four` is that of four wheels.
//!
//! What it costs at least follows from the calls that cannot be spared: Fx and Fy need 13 arctangents,
//! 7 sines and cosines and a tangent, Mz another 7, 3 and 2, the context of a load and an inclination 5 more.
//! In plain arithmetic a call is some 25 operations and about 60 cycles from argument to result; a curve is
//! three calls in a row, and the six curves are independent. On a shared core of 3 GHz, one of a row of
//! independent scalar arctangents takes 6 ns and four lanes 8 ns, a sine 11 and 10: 38 calls are some 300 ns
//! for one wheel as for four. A single wheel therefore has independent curves computed in lanes
//! (`Real::atans` and its like), which took its time from 650 ns to between 400 and 480; four wheels take 610
//! to 690 ns, 150 to 170 each. With the load's context reused it is 300 to 360 and 480 to 580 ns.

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
        .expect("sound coefficients")
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

/// Fx, Fy, Mz with a context of their own and with one that is reused, and Fx, Fy alone.
fn cases<T: Real>(c: &mut Criterion, name: &str) {
    let mut group = c.benchmark_group(name);
    let (tire, load, slip) = (tire::<T>(), load::<T>(), slip::<T>());
    group.bench_function("fx_fy_mz", |b| {
        b.iter(|| {
            let at = tire.at_load(black_box(&load));
            let planar = tire.planar(&at, black_box(&slip));
            let aligning = tire.aligning(&at, &planar);
            (planar.longitudinal, planar.lateral, aligning.moment)
        });
    });
    let at = tire.at_load(&load);
    group.bench_function("fx_fy_mz_load_reused", |b| {
        b.iter(|| {
            let planar = tire.planar(black_box(&at), black_box(&slip));
            let aligning = tire.aligning(black_box(&at), &planar);
            (planar.longitudinal, planar.lateral, aligning.moment)
        });
    });
    group.bench_function("fx_fy_load_reused", |b| {
        b.iter(|| {
            let planar = tire.planar(black_box(&at), black_box(&slip));
            (planar.longitudinal, planar.lateral)
        });
    });
    group.finish();
}

fn magic_formula(c: &mut Criterion) {
    cases::<f32>(c, "f32");
    cases::<f64>(c, "f64");
    cases::<W4>(c, "four");
    cases::<Dual<f32, 2>>(c, "f32 with two derivatives");
}

criterion_group!(benches, magic_formula);
criterion_main!(benches);
