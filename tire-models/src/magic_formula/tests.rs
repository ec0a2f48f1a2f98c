use super::*;
use crate::real::Dual;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::lanes::W4;

/// Number of a tire's outputs.
const OUTPUTS: usize = 18;

/// Every output.
fn outputs<T: Real>(tire: &MagicFormula<T>, load: &Load<T>, slip: &Slip<T>) -> [T; OUTPUTS] {
    let at = tire.at_load(load);
    let planar = tire.planar(&at, slip);
    let aligning = tire.aligning(&at, &planar);
    let relaxation = tire.relaxation(&at, &planar);
    let rolling = tire.rolling(&at, slip);
    let deflection = tire.deflection(&at, &planar, &rolling);
    let patch = tire.patch(&at);
    [
        planar.longitudinal,
        planar.lateral,
        aligning.moment,
        tire.overturning(&at, &planar),
        tire.rolling_resistance(&at, &planar),
        aligning.trail,
        planar.friction_x,
        planar.friction_y,
        planar.slip_stiffness,
        planar.cornering_stiffness,
        relaxation.longitudinal_length,
        relaxation.lateral_length,
        relaxation.lateral_stiffness,
        rolling.effective_radius,
        rolling.spin,
        deflection.loaded_radius,
        patch.length,
        patch.width,
    ]
}

/// The [`outputs`] that are zero without load.
const FORCES: core::ops::Range<usize> = 0..5;

/// A tire in whose formulas no term is absent: the template with every plain coefficient slightly
/// changed.
fn rich() -> Coefficients {
    let mut coefficients = Coefficients::template();
    for (i, key) in coefficients::KEYS.iter().enumerate() {
        let formula = key.section.ends_with("_COEFFICIENTS") || key.name.starts_with("Q_");
        if formula && key.name != "LMUV" {
            let off = 0.05 * (1.0 + (i % 7) as f64) * if i % 2 == 0 { 1.0 } else { -1.0 };
            coefficients.set(key.name, key.default + off * 0.5);
        }
    }
    coefficients
}

fn settings(variant: Variant, slip_definition: SlipDefinition, turn_slip: bool) -> Settings {
    Settings {
        variant,
        slip_definition,
        turn_slip,
        ..Settings::mf_tyre()
    }
}

/// Every combination of version and settings under test.
fn ways() -> Vec<(Version, Settings)> {
    let plain = settings(Variant::MfTyre, SlipDefinition::Angles, false);
    let turning = settings(Variant::MfTyre, SlipDefinition::Angles, true);
    let tangents = settings(Variant::MfevalCompat, SlipDefinition::Tangents, true);
    let book = settings(Variant::Book, SlipDefinition::Tangents, false);
    let ellipse = Settings {
        combined_slip: CombinedSlip::FrictionEllipse,
        ..plain
    };
    let free = Settings {
        limits: None,
        low_speed: false,
        ..turning
    };
    let scaled = Settings {
        limits: Some(OutOfRange::ScaleWithLoad),
        ..plain
    };
    vec![
        (Version::V52, plain),
        (Version::V52, ellipse),
        (Version::V61, plain),
        (Version::V61, turning),
        (Version::V61, book),
        (Version::V62, tangents),
        (Version::V62, free),
        (Version::V61, scaled),
        (Version::V52, Settings::vehicle()),
        (Version::V61, Settings::vehicle()),
        (Version::Motorcycle, plain),
        (Version::Motorcycle, ellipse),
        (Version::Motorcycle, Settings::vehicle()),
    ]
}

fn tire<T: Real>(coefficients: &Coefficients, way: (Version, Settings)) -> MagicFormula<T> {
    MagicFormula::new(coefficients, way.0, way.1).unwrap()
}

/// Load and slip from eight numbers.
fn input<T: Real>(x: [T; 8]) -> (Load<T>, Slip<T>) {
    let load = Load {
        force: x[0],
        inclination: x[1],
        pressure: Some(x[2]),
        grip: x[3].abs(),
    };
    let slip = Slip {
        ratio: x[4],
        angle: x[5],
        turn: x[6],
        ..Slip::rolling(x[7])
    };
    (load, slip)
}

/// Plausible inputs.
fn plausible() -> impl Strategy<Value = [f64; 8]> {
    (
        (200.0..9000.0, -0.15..0.15, 150e3..300e3, 0.3..1.2),
        (-0.9..0.9, -0.6..0.6, -0.1..0.1, 2.0..50.0),
    )
        .prop_map(|(a, b)| [a.0, a.1, a.2, a.3, b.0, b.1, b.2, b.3])
}

/// Any finite number, and those where formulas branch.
fn any_number() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        3 => POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
        1 => -2.0_f32..2.0,
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, 4000.0, f32::MAX, f32::MIN]),
    ]
}

#[test]
fn forces_have_the_signs_of_iso() {
    let tire = tire::<f64>(&Coefficients::template(), ways()[2]);
    let (load, rolling) = (Load::new(4000.0), Slip::rolling(20.0));
    let slip = |ratio, angle| Slip {
        ratio,
        angle,
        ..rolling
    };
    let [fx, ..] = outputs(&tire, &load, &slip(0.05, 0.0));
    assert!(fx > 2000.0, "{fx}");
    let [_, fy, mz, ..] = outputs(&tire, &load, &slip(0.0, 0.05));
    assert!(fy < -2000.0 && mz > 10.0, "{fy} {mz}");
    let leaning = Load {
        inclination: 0.1,
        ..load
    };
    let [_, fy, _, _, my, ..] = outputs(&tire, &leaning, &rolling);
    assert!(fy < -100.0 && my < 0.0, "{fy} {my}");
}

#[test]
fn no_load_is_no_force() {
    for way in ways() {
        for force in [0.0, -500.0] {
            let slip = Slip {
                ratio: 0.3,
                angle: -0.2,
                turn: 0.05,
                ..Slip::rolling(12.0)
            };
            let load = Load {
                inclination: 0.05,
                ..Load::new(force)
            };
            let found = outputs(&tire::<f64>(&rich(), way), &load, &slip);
            assert_eq!(found[FORCES], [0.0; 5], "{way:?}");
        }
    }
}

#[test]
fn no_grip_is_no_planar_force() {
    for way in ways() {
        let load = Load {
            grip: 0.0,
            ..Load::new(4000.0)
        };
        let slip = Slip {
            ratio: 0.1,
            angle: 0.1,
            ..Slip::rolling(12.0)
        };
        let tire = tire::<f64>(&rich(), way);
        let planar = tire.planar(&tire.at_load(&load), &slip);
        assert_relative_eq!(planar.longitudinal, 0.0, epsilon = 1e-9);
        assert_relative_eq!(planar.lateral, 0.0, epsilon = 1e-9);
    }
}

#[test]
fn the_low_speed_model_has_no_force_at_a_standstill() {
    let tire = tire::<f64>(&rich(), ways()[2]);
    let slip = Slip {
        ratio: 0.5,
        angle: 0.1,
        ..Slip::rolling(0.0)
    };
    let found = outputs(&tire, &Load::new(4000.0), &slip);
    assert_relative_eq!(found[0], 0.0, epsilon = 1e-9);
    assert_relative_eq!(found[1], 0.0, epsilon = 1e-9);
}

#[test]
fn flags_say_which_limits_acted() {
    let coefficients = Coefficients::template();
    let error = Settings {
        limits: Some(OutOfRange::Error),
        ..Settings::mf_tyre()
    };
    let tire = tire::<f64>(&coefficients, (Version::V61, error));
    let inside = tire.at_load(&Load::new(4000.0));
    assert!(tire.try_planar(&inside, &Slip::rolling(20.0)).is_ok());
    let outside = tire.at_load(&Load {
        force: 20_000.0,
        inclination: 0.5,
        pressure: Some(2e6),
        grip: 1.0,
    });
    let slip = Slip {
        ratio: -3.0,
        ..Slip::rolling(20.0)
    };
    let clamped = tire.try_planar(&outside, &slip).unwrap_err().clamped;
    assert_eq!(clamped.bits(), 0b01111);
}

#[test]
fn scaled_forces_grow_with_the_load() {
    let coefficients = Coefficients::template();
    let scaled = tire::<f64>(&coefficients, ways()[7]);
    let slip = Slip {
        ratio: 0.05,
        angle: 0.05,
        ..Slip::rolling(20.0)
    };
    let at_limit = outputs(&scaled, &Load::new(coefficients.FZMAX), &slip);
    let beyond = outputs(&scaled, &Load::new(2.0 * coefficients.FZMAX), &slip);
    for i in 0..4 {
        assert_relative_eq!(beyond[i], 2.0 * at_limit[i], max_relative = 1e-12);
    }
    let clamped = outputs(
        &tire::<f64>(&coefficients, ways()[2]),
        &Load::new(2e4),
        &slip,
    );
    assert_relative_eq!(clamped[0], at_limit[0], max_relative = 1e-12);
}

/// The template's rim has 0.1905 m, bottoms 0.01 m further out, and then has 2 MN/m.
#[test]
fn the_rim_adds_force_where_the_tire_bottoms() {
    let tire = tire::<f64>(&Coefficients::template(), ways()[0]);
    for (radius, force) in [(0.3, 0.0), (0.2005, 0.0), (0.2, 1e3), (0.1905, 2e4)] {
        assert_relative_eq!(tire.bottoming_force(radius), force, epsilon = 1e-6);
    }
    let lanes = self::tire::<W4>(&Coefficients::template(), ways()[0]);
    let force = lanes.bottoming_force(W4::from_array([0.3, 0.2, 0.1905, f32::NAN]));
    assert!(force.lane(0) == 0.0 && (force.lane(1) - 1e3).abs() < 0.1 && force.lane(3) == 0.0);
}

#[rstest]
#[case::along(0.1, 0.0)]
#[case::across(0.0, 0.1)]
fn the_ellipse_leaves_pure_slip_unchanged(#[case] ratio: f64, #[case] angle: f64) {
    let coefficients = Coefficients::template();
    let slip = Slip {
        ratio,
        angle,
        ..Slip::rolling(20.0)
    };
    let load = Load::new(4000.0);
    let ellipse = outputs(&tire::<f64>(&coefficients, ways()[1]), &load, &slip);
    let weighted = outputs(&tire::<f64>(&coefficients, ways()[0]), &load, &slip);
    assert_relative_eq!(ellipse[0], weighted[0], epsilon = 1e-6);
    assert_relative_eq!(ellipse[1], weighted[1], epsilon = 1e-6);
}

#[test]
fn friction_decays_with_slip_speed_if_the_file_has_it() {
    let mut coefficients = Coefficients::template();
    let sliding = Slip {
        ratio: -0.5,
        ..Slip::rolling(40.0)
    };
    let before = outputs(
        &tire::<f64>(&coefficients, ways()[2]),
        &Load::new(4000.0),
        &sliding,
    );
    coefficients.LMUV = 0.1;
    let after = outputs(
        &tire::<f64>(&coefficients, ways()[2]),
        &Load::new(4000.0),
        &sliding,
    );
    let decay = 1.0 / (1.0 + 0.1 * 20.0 / coefficients.LONGVL);
    assert_relative_eq!(after[6], before[6] * decay, max_relative = 1e-12);
}

#[test]
fn every_fault_of_coefficients_is_reported() {
    let mut coefficients = Coefficients::template();
    (coefficients.FNOMIN, coefficients.PCX1, coefficients.FZMIN) = (0.0, f64::NAN, 2e4);
    let error = MagicFormula::<f32>::new(&coefficients, Version::V61, Settings::mf_tyre());
    let text = error.unwrap_err().to_string();
    assert_eq!(
        text,
        "3 invalid parameter(s):\nFNOMIN = 0: must be > 0\nPCX1 = NaN: must be within ±1e9\n\
         FZMIN = 20000: must not be above FZMAX"
    );
}

#[test]
fn fittyp_gives_the_version() {
    let versions = [5, 6, 21, 61, 62, 80].map(Version::from_fittyp);
    let (old, new) = (Some(Version::V52), Some(Version::V61));
    assert_eq!(versions, [old, old, old, new, Some(Version::V62), None]);
}

/// Checks that `a` equals `b` up to a sign, which is −1 for odd outputs.
fn mirrored(a: [f64; OUTPUTS], b: [f64; OUTPUTS]) -> Result<(), TestCaseError> {
    let mirrored = [1, 2, 3];
    for i in 0..OUTPUTS {
        let sign = if mirrored.contains(&i) { -1.0 } else { 1.0 };
        prop_assert!(
            (a[i] - sign * b[i]).abs() <= 1e-9 * (1.0 + b[i].abs()),
            "output {i}: {} {}",
            a[i],
            b[i],
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_finite_input_gives_finite_output(x in prop::array::uniform8(any_number()), spin: f32) {
        for way in ways() {
            let single = tire::<f32>(&rich(), way);
            let (load, mut slip) = input(x);
            slip.spin = spin.is_finite().then_some(spin);
            for (i, y) in outputs(&single, &load, &slip).into_iter().enumerate() {
                prop_assert!(y.is_finite(), "f32 {way:?} output {i}: {y}");
            }
            let (load, slip) = input(x.map(f64::from));
            for (i, y) in outputs(&tire::<f64>(&rich(), way), &load, &slip).into_iter().enumerate() {
                prop_assert!(y.is_finite(), "f64 {way:?} output {i}: {y}");
            }
        }
    }

    #[test]
    fn derivatives_of_every_finite_input_are_finite(x in prop::array::uniform8(any_number())) {
        for way in ways() {
            let index = core::cell::Cell::new(0);
            let dual = x.map(|x| Dual::<f64, 8>::variable(f64::from(x), index.replace(index.get() + 1)));
            let (load, slip) = input(dual);
            for (i, y) in outputs(&tire(&rich(), way), &load, &slip).into_iter().enumerate() {
                let finite = y.derivatives.iter().all(|d| d.is_finite());
                prop_assert!(y.value.is_finite() && finite, "{way:?} output {i}: {y:?}");
            }
        }
    }

    #[test]
    fn derivatives_are_central_differences(x in plausible()) {
        for way in ways() {
            let index = core::cell::Cell::new(0);
            let dual = x.map(|x| Dual::<f64, 8>::variable(x, index.replace(index.get() + 1)));
            let (load, slip) = input(dual);
            let exact = outputs(&tire(&rich(), way), &load, &slip);
            let tire = tire::<f64>(&rich(), way);
            for variable in 0..8 {
                let step = 1e-6 * x[variable].abs().max(0.1);
                let moved = |by: f64| {
                    let mut x = x;
                    x[variable] += by;
                    let (load, slip) = input(x);
                    outputs(&tire, &load, &slip)
                };
                let (low, here, high) = (moved(-step), moved(0.0), moved(step));
                for i in 0..OUTPUTS {
                    let (before, after) = ((here[i] - low[i]) / step, (high[i] - here[i]) / step);
                    let near = 0.5 * (before + after);
                    let noise = 1e-9 * (1.0 + here[i].abs()) / step + 1e-4 * near.abs();
                    // One-sided differences that disagree mark a corner.
                    if (before - after).abs() > noise {
                        continue;
                    }
                    let found = exact[i].derivatives[variable];
                    prop_assert!(
                        (found - near).abs() <= noise,
                        "{way:?} output {i} by {variable}: {found} {near}",
                    );
                }
            }
        }
    }

    #[test]
    fn lanes_have_the_bits_of_scalars(x in prop::array::uniform4(prop::array::uniform8(any_number()))) {
        for way in ways() {
            let lanes = core::array::from_fn(|i| W4::from_fn(|lane| x[lane][i]));
            let (load, slip) = input(lanes);
            let four = outputs(&tire::<W4>(&rich(), way), &load, &slip);
            let single = tire::<f32>(&rich(), way);
            for (lane, x) in x.into_iter().enumerate() {
                let (load, slip) = input(x);
                for (i, one) in outputs(&single, &load, &slip).into_iter().enumerate() {
                    let found = four[i].lane(lane);
                    prop_assert!(found == one, "{way:?} output {i}: {found} {one}");
                }
            }
        }
    }

    #[test]
    fn the_other_side_is_the_mirror_image(x in plausible()) {
        for way in ways() {
            let left = tire::<f64>(&rich(), way);
            let right = tire::<f64>(&mirror::coefficients(&rich(), way.0, way.1.variant), way);
            let (load, slip) = input(x);
            let (seen_load, seen_slip) = (mirror::load(&load), mirror::slip(&slip));
            mirrored(outputs(&right, &load, &slip), outputs(&left, &seen_load, &seen_slip))?;
            mirrored(outputs(&left, &load, &slip), outputs(&right, &seen_load, &seen_slip))?;
        }
    }
}

/// The outputs of a tire with a key changed.
fn with(way: (Version, Settings), base: &Coefficients, name: &str, value: f64) -> Vec<f64> {
    let mut c = base.clone();
    c.set(name, value).unwrap();
    let tire = MagicFormula::<f64>::checked(&c, way.0, way.1);
    let inputs = [
        [3000.0, 0.05, 2e5, 0.9, 0.1, 0.04, 0.03, 12.0],
        [5500.0, -0.3, 2.5e5, 0.9, -0.12, -0.2, -0.02, 30.0],
        [60.0, 0.1, 2e5, 0.9, 0.2, 0.05, 0.03, 0.5],
        [2e4, -2.0, 2e6, 0.9, 2.0, 2.0, 0.03, -8.0],
        [2e4, 2.0, 5e3, 0.9, -2.0, -2.0, 0.03, -8.0],
    ];
    let outputs = inputs.map(|x| {
        let (mut load, slip) = input(x);
        load.pressure = load.pressure.filter(|_| slip.speed.abs() > 1.0);
        outputs(&tire, &load, &slip)
    });
    let bottoming = tire.bottoming_force(0.1);
    outputs.into_iter().flatten().chain([bottoming]).collect()
}

/// Placeholders are told apart from faults by the list of unused keys: it has those, and only
/// those, that no version's output depends on.
#[test]
fn unused_keys_are_those_without_effect() {
    // In the one or the other, some terms are beyond their bounds.
    let bases = [rich(), Coefficients::template()];
    let differ = coefficients::KEYS.iter().filter(|key| {
        let acts = bases.iter().any(|base| {
            let value = base.get(key.name).unwrap();
            let off = [1e-3, 0.7, 1.3, 30.0].map(|factor| value * factor + 0.01 * factor);
            ways().into_iter().any(|way| {
                let own = with(way, base, key.name, value);
                off.iter().any(|x| with(way, base, key.name, *x) != own)
            })
        });
        acts != key.is_used()
    });
    let differ: Vec<_> = differ.map(|key| key.name).collect();
    assert!(differ.is_empty(), "{differ:?}");
}

/// A range that leaves out drive slip is the default one, unless asked.
#[test]
fn ranges_that_forbid_slip_are_obeyed_only_if_asked() {
    let force = |name: &str, every_range: bool, slip: Slip<f64>| {
        let mut c = Coefficients::template();
        c.set(name, 0.0).unwrap();
        let settings = Settings {
            every_range,
            ..Settings::vehicle()
        };
        let tire = tire::<f64>(&c, (Version::V61, settings));
        let planar = tire.planar(&tire.at_load(&Load::new(4000.0)), &slip);
        planar.longitudinal.abs().max(planar.lateral.abs())
    };
    let driving = Slip {
        ratio: 0.1,
        ..Slip::rolling(20.0)
    };
    let braking = Slip {
        ratio: -0.1,
        ..driving
    };
    let sideways = Slip {
        angle: 0.1,
        ..Slip::rolling(20.0)
    };
    for (name, slip) in [
        ("KPUMAX", driving),
        ("KPUMIN", braking),
        ("ALPMAX", sideways),
    ] {
        assert!(force(name, false, slip) > 2000.0, "{name}");
        assert!(force(name, true, slip) < 1.0, "{name}");
    }
}

#[rstest]
#[case("PDX1")]
#[case("PDY1")]
#[case("PKX1")]
#[case("PKY1")]
#[case("PCX1")]
#[case("FNOMIN")]
fn an_all_zero_tire_is_refused(#[case] name: &str) {
    let mut c = Coefficients::template();
    c.set(name, 0.0).unwrap();
    let error = MagicFormula::<f64>::new(&c, Version::V61, Settings::mf_tyre()).unwrap_err();
    assert!(
        error.to_string().contains(&format!("{name} = 0")),
        "{error}"
    );
}

/// Numbers of keys without a formula are never a fault.
#[test]
fn placeholders_of_unused_keys_make_a_tire() {
    let mut c = Coefficients::template();
    c.BELT_MASS = 1e30;
    assert!(MagicFormula::<f32>::new(&c, Version::V61, Settings::mf_tyre()).is_ok());
    c.PDX2 = 1e30;
    assert!(MagicFormula::<f32>::new(&c, Version::V61, Settings::mf_tyre()).is_err());
}
