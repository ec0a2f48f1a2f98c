//! Properties of every small law as a vehicle model.

mod small_tires;

use core::fmt::Debug;
use std::sync::Arc;

use proptest::prelude::*;
use rstest::rstest;
use small_tires::TIRES;
use tire_models::real::Dual;
use tire_models::steady::{SteadyInput, SteadyLaw};
use tire_models::{
    Bakker87Params, BrushParams, DugoffParams, FialaParams, Pacejka89Params, Pacejka94Params,
    TireRegistry, TmEasyParams, TmSimpleParams,
};
use vehicle_core::lanes::{LANES, Mask4, W4};
use vehicle_core::{TireForces, TireInput, TireModel};

fn build(text: &str) -> Arc<dyn TireModel> {
    let table = toml::from_str(text).unwrap();
    TireRegistry::with_builtins().build(table).unwrap()
}

fn tires() -> impl Iterator<Item = (Arc<dyn TireModel>, f32)> {
    TIRES.into_iter().map(|(text, limit)| (build(text), limit))
}

fn input(slip_ratio: f32, tan_slip_angle: f32) -> TireInput {
    TireInput {
        slip_ratio,
        tan_slip_angle,
        radius: 0.3,
        load: 4000.0,
        rest_load: 4000.0,
        friction: 1.0,
        gravity: 9.81,
        ..TireInput::default()
    }
}

fn all(f: &TireForces) -> [f32; 4] {
    [f.longitudinal, f.lateral, f.aligning_moment, f.wheel_torque]
}

#[test]
fn every_registered_name_is_tested() {
    let names: Vec<String> = TireRegistry::with_builtins()
        .names()
        .map(str::to_owned)
        .collect();
    for name in names.iter().filter(|name| {
        // With tests of their own.
        !["michigan", "magic-formula"].contains(&name.as_str())
    }) {
        let model = format!("model = '{name}'");
        assert!(
            TIRES.iter().any(|(text, _)| text.starts_with(&model)),
            "{name}"
        );
    }
}

#[test]
fn promised_traits_hold() {
    for (tire, _) in tires() {
        let traits = tire.traits();
        let mut before = [0.0_f32; 2];
        for i in 1..2000 {
            let s = 1e-3 * i as f32;
            let (x, y) = (tire.forces(&input(s, 0.0)), tire.forces(&input(0.0, s)));
            if !traits.has_offsets {
                let mirrored = tire.forces(&input(-s, -0.5 * s));
                let plain = tire.forces(&input(-s, 0.5 * s));
                assert_eq!(mirrored.longitudinal, plain.longitudinal, "{tire:?}");
                assert_eq!(mirrored.lateral, -plain.lateral, "{tire:?}");
                let none = tire.forces(&input(0.0, 0.0));
                assert_eq!(all(&none), [0.0; 4], "{tire:?}");
            }
            if !traits.feels_camber {
                let leaning = TireInput {
                    camber: 0.2,
                    ..input(s, 0.5 * s)
                };
                let upright = tire.forces(&input(s, 0.5 * s));
                assert_eq!(tire.forces(&leaning), upright, "{tire:?}");
            }
            if !traits.friction_falls {
                let slack = 1e-2;
                assert!(x.longitudinal >= before[0] - slack, "{tire:?} {s}");
                assert!(-y.lateral >= before[1] - slack, "{tire:?} {s}");
            }
            before = [x.longitudinal, -y.lateral];
        }
    }
}

#[test]
fn grip_is_the_maximum_force_in_each_direction() {
    for (text, _) in TIRES {
        let tire = build(text);
        let told = tire.properties(&input(0.3, 0.2)).grip;
        let four = TireInput {
            load: W4::splat(4000.0),
            friction: W4::ONE,
            ..TireInput::default()
        };
        let lanes = tire.properties4(&four, Mask4::ALL).grip;
        assert_eq!(lanes.map(|grip| grip.lane(2)), told, "{tire:?}");
        let mut most = [0.0_f32; 2];
        for i in 1..4000 {
            let s = 5e-4 * i as f32;
            // Both signs, because of offsets.
            let along = [s, -s].map(|s| tire.forces(&input(s, 0.0)).longitudinal.abs());
            let across = [s, -s].map(|s| tire.forces(&input(0.0, s)).lateral.abs());
            most[0] = most[0].max(0.5 * (along[0] + along[1]));
            most[1] = most[1].max(0.5 * (across[0] + across[1]));
        }
        for n in 0..2 {
            let off = told[n] / most[n] - 1.0;
            // LuGre's bristles leave the contact of a rolling tire before they reach full force.
            let slack = if text.contains("'lugre'") { 0.08 } else { 0.02 };
            assert!(
                off > -0.02 && off < slack,
                "{tire:?} {n}: told {told:?} found {most:?}"
            );
        }
    }
}

#[rstest]
#[case::no_load(TireInput { load: 0.0, ..input(0.3, 0.2) })]
#[case::no_friction(TireInput { friction: 0.0, ..input(0.3, 0.2) })]
fn no_load_or_friction_is_no_force(#[case] input: TireInput) {
    for (tire, _) in tires() {
        let leaning = TireInput {
            camber: 0.1,
            ..input
        };
        assert_eq!(
            all(&tire.forces(&leaning)).map(f32::abs),
            [0.0; 4],
            "{tire:?}"
        );
    }
}

/// Parameters of the first tire of a model.
fn params<P: serde::de::DeserializeOwned>(model: &str) -> P {
    let start = format!("model = '{model}'\n");
    let text = TIRES.iter().find_map(|(text, _)| text.strip_prefix(&start));
    toml::from_str(text.unwrap()).unwrap()
}

/// Compares slopes by slip ratio and tangent of the slip angle with central differences.
fn hold_slopes(law: &(impl SteadyLaw<f64> + Debug), dual: &impl SteadyLaw<Dual<f64, 2>>) {
    const STEP: f64 = 1e-6;
    let slip = |ratio, tan_angle| SteadyInput {
        ratio,
        tan_angle,
        camber: 0.02,
        load: 3700.0,
        friction: 0.9,
        speed: 1.0,
    };
    let forces = |ratio, tan| {
        let f = law.forces(&slip(ratio, tan));
        [f.longitudinal, f.lateral, f.aligning_moment]
    };
    for (ratio, tan) in [(0.013, 0.021), (-0.07, 0.11), (0.4, -0.3), (-0.6, -0.9)] {
        let variable = slip(ratio, tan);
        let f = dual.forces(&SteadyInput {
            ratio: Dual::variable(ratio, 0),
            tan_angle: Dual::variable(tan, 1),
            camber: Dual::constant(variable.camber),
            load: Dual::constant(variable.load),
            friction: Dual::constant(variable.friction),
            speed: Dual::constant(variable.speed),
        });
        let found = [f.longitudinal, f.lateral, f.aligning_moment];
        let ahead = [forces(ratio + STEP, tan), forces(ratio, tan + STEP)];
        let behind = [forces(ratio - STEP, tan), forces(ratio, tan - STEP)];
        for (output, found) in found.iter().enumerate() {
            assert!((found.value - forces(ratio, tan)[output]).abs() < 1e-9);
            for by in 0..2 {
                let expected = (ahead[by][output] - behind[by][output]) / (2.0 * STEP);
                let error = (found.derivatives[by] - expected).abs();
                assert!(
                    error <= 1e-5 * expected.abs() + 0.02,
                    "{law:?} {output} by {by}: {error}"
                );
            }
        }
    }
}

/// One law in the two number types that the slopes need.
macro_rules! hold_slopes_of {
    ($($model:literal $params:ident),* $(,)?) => {$({
        let law = params::<$params>($model).map(|&x| f64::from(x));
        let dual = law.map(|&x| Dual::<f64, 2>::constant(x));
        hold_slopes(&law, &dual);
    })*};
}

#[test]
fn slopes_of_duals_are_those_of_the_curves() {
    hold_slopes_of!(
        "dugoff" DugoffParams,
        "fiala" FialaParams,
        "brush" BrushParams,
        "tmsimple" TmSimpleParams,
        "tmeasy" TmEasyParams,
        "bakker-87" Bakker87Params,
        "pacejka-89" Pacejka89Params,
        "pacejka-94" Pacejka94Params,
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn finite_for_every_finite_input(
        v in proptest::array::uniform10(
            proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO,
        ),
    ) {
        for (tire, _) in tires() {
            let f = tire.forces(&TireInput {
                slip_ratio: v[0],
                tan_slip_angle: v[1],
                forward_speed: v[2],
                lateral_speed: v[3],
                rim_speed: v[4],
                radius: v[5].abs(),
                load: v[6].abs(),
                rest_load: v[7].abs(),
                camber: v[8],
                friction: v[9].abs(),
                gravity: 9.81,
                ..TireInput::default()
            });
            prop_assert!(all(&f).iter().all(|x| x.is_finite()), "{tire:?}: {f:?}");
        }
    }

    #[test]
    fn within_the_friction_limit_and_against_the_slip(
        ratio in -2.0..3.0_f32,
        tan in -4.0..4.0_f32,
        camber in -0.1..0.1_f32,
        load in 100.0..8000.0_f32,
        friction in 0.05..1.5_f32,
        speed in 0.0..20.0_f32,
    ) {
        for (tire, limit) in tires() {
            let has_offsets = tire.traits().has_offsets;
            let f = tire.forces(&TireInput {
                load,
                friction,
                rim_speed: speed,
                camber: if has_offsets { camber } else { 0.0 },
                ..input(ratio, tan)
            });
            let most = limit * friction * load * (1.0 + 1e-4) + 0.01;
            prop_assert!(f.longitudinal.hypot(f.lateral) <= most, "{tire:?}: {f:?} {most}");
            if !has_offsets {
                prop_assert!(f.longitudinal * ratio >= 0.0, "{tire:?}: {f:?}");
                prop_assert!(f.lateral * tan <= 0.0, "{tire:?}: {f:?}");
            }
        }
    }

    #[test]
    fn lanes_have_the_bits_of_one(
        v in proptest::array::uniform4(proptest::array::uniform6(-1.5..1.5_f32)),
    ) {
        let wheels = v.map(|v| TireInput {
            camber: 0.1 * v[2],
            load: 4000.0 * v[3].abs(),
            friction: v[4].abs(),
            rim_speed: 20.0 * v[5],
            ..input(v[0], v[1])
        });
        let four = TireInput::of(&wheels);
        for (tire, _) in tires() {
            let together = tire.forces4(&four, Mask4::from_array([true; LANES]));
            for (i, wheel) in wheels.iter().enumerate() {
                let alone = tire.forces(wheel);
                let lane = [
                    together.longitudinal.lane(i),
                    together.lateral.lane(i),
                    together.aligning_moment.lane(i),
                    together.wheel_torque.lane(i),
                ];
                prop_assert_eq!(lane.map(f32::to_bits), all(&alone).map(f32::to_bits), "{:?}", tire);
            }
        }
    }
}
