//! `jounce_lab::fit`: known tires are recovered from their forces, with the stated confidence.

use std::path::{Path, PathBuf};

use jounce::tires::magic_formula::{Coefficients, Load, MagicFormula, Settings, Slip, Version};
use jounce::tires::tir::{MagicFormulaFile, Reading};
use jounce::tires::{
    BrushParams, DugoffParams, FialaParams, Pacejka89Params, Pacejka94Params, TmEasyParams,
    TmSimpleParams,
};
use jounce_lab::fit::data::Measurement;
use jounce_lab::fit::family::LawFamily;
use jounce_lab::fit::magic_formula::{HELD, fit_magic_formula};
use jounce_lab::fit::outcome::{Certainty, Fit};
use jounce_lab::fit::small::{Small, SmallLaw};
use jounce_lab::fit::{FitError, fit};
use rstest::rstest;

/// Whether slow tests run in their long form (variable `JOUNCE_LONG`).
fn long() -> bool {
    std::env::var_os("JOUNCE_LONG").is_some()
}

/// Reproducible pseudorandom numbers (splitmix64).
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Approximately normal, with mean 0 and deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// Pure and combined slips at five loads and three cambers.
fn states() -> Vec<Measurement> {
    let mut states = Vec::new();
    for load in [1500.0, 2500.0, 4000.0, 5500.0, 7500.0] {
        for inclination in [-0.06, 0.0, 0.06] {
            for n in -8..=8 {
                let s = f64::from(n) / 8.0;
                for (slip_ratio, slip_angle) in [
                    (0.3 * s * s.abs(), 0.0),
                    (0.0, 0.3 * s * s.abs()),
                    (0.2 * s, 0.08),
                    (-0.1, 0.2 * s),
                ] {
                    states.push(Measurement {
                        slip_ratio,
                        slip_angle,
                        inclination,
                        speed: Some(20.0),
                        ..Measurement::new(load)
                    });
                }
            }
        }
    }
    states
}

/// Deviations of the noise (`N`, `N`, `N·m`).
const DEVIATIONS: [f64; 3] = [25.0, 25.0, 1.5];

fn measured(answer: impl Fn(&Measurement) -> [f64; 3], seed: u64) -> Vec<Measurement> {
    let mut noise = Noise(seed);
    let states = states().into_iter();
    states
        .map(|at| {
            let forces = answer(&at);
            let noise = DEVIATIONS.map(|deviation| deviation * noise.normal());
            at.answered([0, 1, 2].map(|n| forces[n] + noise[n]))
        })
        .collect()
}

/// The number of parameters with an interval, and how many of the intervals contain the true
/// values.
fn covered(fit: &Fit, truth: impl Fn(&str) -> f64) -> [usize; 2] {
    let mut counts = [0, 0];
    for estimate in &fit.estimates {
        if let Certainty::Within { interval, .. } = estimate.certainty {
            let off = (estimate.value - truth(&estimate.name)).abs();
            counts[0] += 1;
            counts[1] += usize::from(off <= interval);
        }
    }
    counts
}

fn start<P: SmallLaw>() -> P {
    toml::from_str(P::START).unwrap()
}

/// The start with every fitted number 8 % off, in alternating directions.
fn disturbed<P: SmallLaw>(truth: &P) -> P
where
    P::Of<f64>: Into<P>,
{
    let listed = truth.listed().into_iter().enumerate();
    let values: Vec<f64> = listed
        .map(|(n, (name, x))| match name.as_str() {
            "nominal_load" | "greatest_load" | "contact_length" => x,
            _ => x * if n % 2 == 0 { 1.08 } else { 0.94 },
        })
        .collect();
    truth.with(&values).into()
}

/// Fits `seeds` noisy copies of a tire and returns the share of parameters within their 95 % intervals.
fn coverage<P: SmallLaw>(seeds: u64, friction: f64) -> f64
where
    P::Of<f64>: Into<P>,
{
    let truth: P = start();
    let family = Small::with_friction(truth, friction);
    let values = family.parameters();
    let of = |name: &str| values.iter().find(|p| p.name == name).unwrap().start;
    let mut total = [0, 0];
    for seed in 1..=seeds {
        let data = measured(|at| family.forces(at), seed);
        // A friction outside the law is fitted, too.
        let off = if P::NEEDS_FRICTION { 1.05 } else { 1.0 };
        let from = Small::with_friction(disturbed(&truth), off * friction);
        // The noise of the moment is relatively large.
        let found = fit(&from, &data, [1.0, 1.0, 0.1]).unwrap();
        for (left, deviation) in found.residuals.iter().flatten().zip(DEVIATIONS) {
            let ratio = left.rms / deviation;
            assert!(
                (0.9..1.1).contains(&ratio),
                "{}: {left:?} {deviation}",
                P::MODEL
            );
        }
        let counts = covered(&found, of);
        total = [total[0] + counts[0], total[1] + counts[1]];
    }
    assert!(total[0] > 0);
    total[1] as f64 / total[0] as f64
}

#[rstest]
#[case::dugoff(coverage::<DugoffParams<f64>>(40, 0.9))]
#[case::fiala(coverage::<FialaParams<f64>>(40, 1.0))]
#[case::brush(coverage::<BrushParams<f64>>(40, 0.95))]
#[case::tmsimple(coverage::<TmSimpleParams<f64>>(40, 1.0))]
#[case::tmeasy(coverage::<TmEasyParams<f64>>(20, 1.0))]
#[case::pacejka89(coverage::<Pacejka89Params<f64>>(4, 1.0))]
#[case::pacejka94(coverage::<Pacejka94Params<f64>>(4, 1.0))]
fn ninety_five_of_a_hundred_intervals_hold_the_truth(#[case] share: f64) {
    assert!((0.90..=0.99).contains(&share), "{share}");
}

fn tires() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/reference/tires")
}

fn file(name: &str) -> MagicFormulaFile {
    MagicFormulaFile::open(tires().join(name).with_extension("tir"), Reading::Tolerant).unwrap()
}

/// Coefficients of the fitted sections, off by up to this fraction.
fn off(truth: &Coefficients, part: f64) -> Coefficients {
    let mut noise = Noise(7);
    let mut disturbed = truth.clone();
    for (key, value) in truth.iter() {
        let fitted = ["LONGITUDINAL", "LATERAL", "ALIGNING"];
        let by = 1.0 + part * (2.0 * noise.uniform() - 1.0);
        if fitted
            .iter()
            .any(|section| key.section.starts_with(section))
            && !HELD.contains(&key.name)
        {
            disturbed.set(key.name, value * by);
        }
    }
    disturbed
}

/// Rows of a reference table in plain steady forward slip: forces from another program.
fn reference(name: &str) -> Vec<Measurement> {
    let mut table = csv::Reader::from_path(tires().join(name).with_extension("csv")).unwrap();
    let head = table.headers().unwrap().clone();
    let place = |name: &str| head.iter().position(|column| column == name).unwrap();
    let rows = table.records().map(Result::unwrap);
    let plain = rows.filter(|row| {
        let speed: f64 = row[place("Vx")].parse().unwrap();
        let group = &row[place("group")];
        &row[place("use_mode")] == "111" && speed > 3.0 && group != "limits"
    });
    plain
        .map(|row| {
            let cell = |name: &str| row[place(name)].parse::<f64>().ok();
            Measurement {
                load: cell("Fz").unwrap(),
                slip_ratio: cell("kappa").unwrap(),
                slip_angle: cell("alpha").unwrap(),
                inclination: cell("gamma").unwrap(),
                speed: cell("Vx"),
                pressure: cell("p"),
                forces: ["Fx", "Fy", "Mz"].map(cell),
            }
        })
        .collect()
}

#[rstest]
#[case("mf52_235_85R16")]
#[case("mf52_sedan_245_40R18")]
#[case("mf61_255_55R20")]
#[case("mf61_255_55R20_scaled")]
#[case("mf62_255_55R20")]
fn a_disturbed_tire_converges_to_the_reference_tables(#[case] name: &str) {
    let (file, data) = (file(name), reference(name));
    assert!(data.len() > 100);
    let start = off(&file.coefficients, 0.1);
    let held = HELD.map(str::to_owned);
    let found = fit_magic_formula(&start, file.version, &data, [1.0; 3], &held).unwrap();
    let scales = [
        file.coefficients.FNOMIN,
        file.coefficients.FNOMIN,
        0.1 * file.coefficients.FNOMIN,
    ];
    for (channel, scale) in found.channels.iter().zip(scales) {
        let channel = channel.as_ref().unwrap();
        let left = channel.residuals.iter().flatten().next().unwrap();
        assert!(
            channel.converged && left.greatest <= 1e-6 * scale,
            "{left:?}"
        );
    }
}

#[test]
fn a_noisy_magic_formula_is_recovered_within_its_intervals() {
    let truth = file("mf61_255_55R20").coefficients;
    let tire = MagicFormula::<f64>::new(&truth, Version::V61, Settings::mf_tyre()).unwrap();
    let answer = |at: &Measurement| {
        let load = tire.at_load(&Load {
            inclination: at.inclination,
            ..Load::new(at.load)
        });
        let slip = Slip {
            ratio: at.slip_ratio,
            angle: at.slip_angle,
            ..Slip::rolling(20.0)
        };
        let planar = tire.planar(&load, &slip);
        let aligning = tire.aligning(&load, &planar);
        [planar.longitudinal, planar.lateral, aligning.moment]
    };
    // Noisy copies of the measurement; each takes seconds.
    let copies = if long() { 4 } else { 1 };
    let mut total = [0, 0];
    for seed in 1..=copies {
        let data = measured(answer, seed);
        let held = HELD.map(str::to_owned);
        let found = fit_magic_formula(&off(&truth, 0.05), Version::V61, &data, [1.0; 3], &held);
        // The moment uses the fitted forces, so that its own noise is not the only error.
        for channel in found.unwrap().channels.iter().take(2).flatten() {
            let counts = covered(channel, |name| truth.get(name).unwrap());
            total = [total[0] + counts[0], total[1] + counts[1]];
        }
    }
    let share = total[1] as f64 / total[0] as f64;
    assert!(
        total[0] as u64 > 25 * copies && (0.85..=1.0).contains(&share),
        "{total:?} {share}"
    );
}

#[test]
fn parameters_without_data_stay_and_are_reported() {
    let truth = file("mf61_255_55R20").coefficients;
    let data: Vec<_> = (1..=60)
        .map(|n| {
            let at = Measurement {
                slip_ratio: 0.004 * f64::from(n),
                ..Measurement::new(2000.0 + 80.0 * f64::from(n % 7) * 10.0)
            };
            Measurement {
                forces: [Some(at.load * sine(at.slip_ratio)), None, None],
                ..at
            }
        })
        .collect();
    let found = fit_magic_formula(&truth, Version::V61, &data, [1.0; 3], &[]).unwrap();
    assert!(found.channels[1].is_none() && found.channels[2].is_none());
    let along = found.channels[0].as_ref().unwrap();
    for name in ["PDX3", "PPX1", "RBX3", "RBX1"] {
        let estimate = along.estimate(name).unwrap();
        assert_eq!(estimate.certainty, Certainty::NoData, "{name}");
        assert_eq!(Some(estimate.value), truth.get(name));
    }
    assert_eq!(found.coefficients.PDY1, truth.PDY1);
    assert!(
        along.residuals[0].unwrap().explained > 0.99,
        "{:?}",
        along.residuals
    );
}

/// A curve of friction.
fn sine(slip: f64) -> f64 {
    (1.6 * (20.0 * slip).atan()).sin()
}

#[test]
fn parameters_that_compensate_for_each_other_are_reported() {
    // Without a moment, only the product of bristle stiffness and contact length matters.
    let family = Small::with_friction(start::<BrushParams<f64>>(), 0.9);
    let data: Vec<_> = measured(|at| family.forces(at), 3)
        .into_iter()
        .map(|at| Measurement {
            forces: [at.forces[0], at.forces[1], None],
            ..at
        })
        .collect();
    let found = fit(&family, &data, [1.0; 3]).unwrap();
    let certainty = |name: &str| found.estimate(name).unwrap().certainty;
    for name in ["half_length", "tread_stiffness_x", "tread_stiffness_y"] {
        assert_eq!(certainty(name), Certainty::NotDetermined, "{name}");
    }
    assert!(matches!(certainty("friction"), Certainty::Within { .. }));
}

#[test]
fn a_fit_stays_within_the_rules_that_its_start_keeps() {
    // Data of a curve that reverses at large slip: a curvature above 1.
    let truth = {
        let mut c = Coefficients::template();
        (c.PEX1, c.PEX2) = (1.6, 0.0);
        c
    };
    let settings = Settings {
        limits: None,
        ..Settings::mf_tyre()
    };
    let tire = MagicFormula::<f64>::new(&truth, Version::V61, settings).unwrap();
    let data: Vec<_> = states()
        .into_iter()
        .filter(|at| at.slip_angle == 0.0)
        .map(|at| {
            let slip = Slip {
                ratio: at.slip_ratio,
                ..Slip::rolling(20.0)
            };
            let planar = tire.planar(&tire.at_load(&Load::new(at.load)), &slip);
            Measurement {
                forces: [Some(planar.longitudinal), None, None],
                ..at
            }
        })
        .collect();
    let start = Coefficients::template();
    let found = fit_magic_formula(&start, Version::V61, &data, [1.0; 3], &[]).unwrap();
    let findings = jounce::tires::tir::validate(Version::V61, &found.coefficients);
    assert_eq!(findings, [], "{:?}", found.coefficients.PEX1);
    // The curve without reversal is close, but not exact.
    let left = found.channels[0].as_ref().unwrap().residuals[0].unwrap();
    assert!((0.9..0.999).contains(&left.explained), "{left:?}");
}

#[rstest]
#[case::none(vec![], FitError::TooFew { values: 0, parameters: 1 })]
#[case::few(vec![sliding(0.1)], FitError::TooFew { values: 2, parameters: 3 })]
#[case::nan(vec![Measurement { slip_angle: f64::NAN, ..sliding(0.1) }], FitError::NotFinite(1))]
#[case::pulls(vec![sliding(0.1), Measurement { load: -1.0, ..sliding(0.1) }], FitError::NotFinite(2))]
fn a_failed_fit_is_an_error(#[case] data: Vec<Measurement>, #[case] expected: FitError) {
    let family = Small::new(start::<DugoffParams<f64>>());
    assert_eq!(fit(&family, &data, [1.0; 3]), Err(expected));
}

fn sliding(slip: f64) -> Measurement {
    let at = Measurement {
        slip_ratio: slip,
        slip_angle: slip,
        ..Measurement::new(4000.0)
    };
    Measurement {
        forces: [Some(2500.0), Some(-2500.0), None],
        ..at
    }
}

#[test]
fn an_invalid_start_is_refused() {
    let bad = DugoffParams {
        slip_stiffness: -1.0,
        cornering_stiffness: 1e5,
    };
    let error = fit(&Small::new(bad), &[sliding(0.1)], [1.0; 3]).unwrap_err();
    assert!(matches!(error, FitError::Start(_)), "{error}");
    assert!(error.to_string().contains("slip_stiffness = -1"), "{error}");
}
