use rstest::rstest;

use super::*;

fn part<'a>(start: &'a Coefficients, keys: &'a [&'static Key]) -> PartialTire<'a> {
    let tire = MagicFormula::new(start, Version::V61, Settings::mf_tyre());
    PartialTire {
        tire: tire.unwrap(),
        start,
        keys,
    }
}

/// Coefficients that all have an effect.
fn tire() -> Coefficients {
    let file = jounce::tires::presets::by_name("suv-255-55-r20");
    file.unwrap().coefficients
}

#[rstest]
#[case::along(0, ["PCX1", "RHX1"], ["PCY1", "QBZ1", "PTX1"])]
#[case::aside(1, ["PCY1", "RVY6"], ["PCX1", "SSZ1", "PTY1"])]
#[case::moment(2, ["QBZ1", "SSZ4"], ["PDY1", "PDX1", "FNOMIN"])]
fn a_channel_depends_on_its_own_keys(
    #[case] channel: usize,
    #[case] own: [&str; 2],
    #[case] others: [&str; 3],
) {
    let held = [own[1].to_lowercase()];
    let [all, free] = [
        keys(channel, Version::V61, &[]),
        keys(channel, Version::V61, &held),
    ];
    let has = |keys: &[&Key], name: &str| keys.iter().any(|key| key.name == name);
    assert!(own.iter().all(|name| has(&all, name)));
    assert!(!others.iter().any(|name| has(&all, name)));
    assert!(has(&free, own[0]) && !has(&free, own[1]));
    assert_eq!(free.len() + 1, all.len());
}

#[test]
fn each_value_is_of_its_own_key() {
    let start = tire();
    for channel in 0..3 {
        let keys = keys(channel, Version::V61, &[]);
        let part = part(&start, &keys);
        let starts: Vec<f64> = part.parameters().iter().map(|p| p.start).collect();
        assert_eq!(part.coefficients(&starts), start);
        assert_eq!(part.check(&starts), Ok(()));
        for (n, parameter) in part.parameters().iter().enumerate() {
            let mut values = starts.clone();
            values[n] += 0.125;
            let mut expected = start.clone();
            expected.set(&parameter.name, values[n]);
            assert_eq!(part.coefficients(&values), expected, "{}", parameter.name);
        }
    }
}

#[rstest]
#[case("PCX1", Range::Within(0.0, 2.0 / 1.25))]
#[case("PCY1", Range::Within(0.0, 2.0 / 0.8))]
#[case("QCZ1", Range::Within(0.0, 2.0))]
#[case("PDX1", Range::SameSign)]
#[case("RCY1", Range::SameSign)]
#[case("PEX1", Range::Free)]
#[case("PHY1", Range::Free)]
fn shapes_are_bounded_and_stiffnesses_keep_their_sign(#[case] name: &str, #[case] expected: Range) {
    let mut start = tire();
    (start.LCX, start.LCY) = (1.25, 0.8);
    assert_eq!(range(name, &start), expected);
}

#[rstest]
#[case::load("FZMIN", "FZMAX", |at: &mut Measurement, x| at.load = x)]
#[case::slip_ratio("KPUMIN", "KPUMAX", |at: &mut Measurement, x| at.slip_ratio = x)]
#[case::slip_angle("ALPMIN", "ALPMAX", |at: &mut Measurement, x| at.slip_angle = x)]
#[case::inclination("CAMMIN", "CAMMAX", |at: &mut Measurement, x| at.inclination = x)]
#[case::pressure("PRESMIN", "PRESMAX", |at: &mut Measurement, x| at.pressure = Some(x))]
fn ranges_are_widened_to_what_was_measured(
    #[case] least: &str,
    #[case] most: &str,
    #[case] set: fn(&mut Measurement, f64),
) {
    let start = tire();
    let [low, high] = [least, most].map(|name| start.get(name).unwrap());
    let at = |x: f64| {
        let mut at = Measurement::new(start.FNOMIN);
        set(&mut at, x);
        at
    };
    let (same, keys) = widened(&start, &[at(low), at(high), at(0.5 * (low + high))]);
    assert_eq!((same, keys.is_empty()), (start.clone(), true));
    for (name, x) in [(least, low - 1.0), (most, high + 1.0)] {
        let mut expected = start.clone();
        expected.set(name, x);
        let (wide, keys) = widened(&start, &[at(0.5 * (low + high)), at(x)]);
        assert_eq!((wide, keys), (expected, vec![name]));
    }
}

/// Forces of a tire by [`Load`] and [`Slip`].
fn forces(tire: &MagicFormula<f64>, load: Load<f64>, slip: Slip<f64>) -> [f64; 3] {
    let load = tire.at_load(&load);
    let planar = tire.planar(&load, &slip);
    let moment = tire.aligning(&load, &planar).moment;
    [planar.longitudinal, planar.lateral, moment]
}

#[test]
fn missing_values_are_those_of_the_tires_measurement() {
    let start = tire();
    let all = part(&start, &[]);
    let at = Measurement {
        slip_ratio: 0.02,
        slip_angle: 0.03,
        inclination: 0.04,
        ..Measurement::new(4500.0)
    };
    let said = Measurement {
        speed: Some(start.LONGVL),
        pressure: Some(start.NOMPRES),
        ..at
    };
    let answer = |at: &Measurement| PartialTire::answer(&all.law::<f64>(&[]), at);
    assert_eq!(answer(&at), answer(&said));
    let other = Measurement {
        speed: Some(30.0),
        pressure: Some(1.1 * start.NOMPRES),
        ..at
    };
    let load = Load {
        inclination: 0.04,
        pressure: other.pressure,
        ..Load::new(4500.0)
    };
    let slip = Slip {
        ratio: 0.02,
        angle: 0.03,
        ..Slip::rolling(30.0)
    };
    assert_eq!(answer(&other), forces(&all.tire, load, slip));
    assert_ne!(answer(&other), answer(&at));
}

/// Measurements of a tire, each of Fx alone or of Fy alone.
fn measured(truth: &Coefficients) -> Vec<Measurement> {
    let tire = part(truth, &[]);
    let slips = (-10..=10).flat_map(|n| [2500.0, 4500.0, 7000.0].map(|load| (n, load)));
    let states = slips.flat_map(|(n, load)| {
        let slip = 0.02 * f64::from(n);
        [(slip, 0.0, 0.0), (0.0, slip, 0.03)].map(|(slip_ratio, slip_angle, inclination)| {
            Measurement {
                slip_ratio,
                slip_angle,
                inclination,
                ..Measurement::new(load)
            }
        })
    });
    states
        .map(|at| {
            let [fx, fy, _] = PartialTire::answer(&tire.law::<f64>(&[]), &at);
            let along = at.slip_ratio != 0.0;
            Measurement {
                forces: [along.then_some(fx), (!along).then_some(fy), None],
                ..at
            }
        })
        .collect()
}

#[rstest]
#[case::both([1.0, 1.0, 1.0], [true, true, false])]
#[case::along([1.0, 0.0, 1.0], [true, false, false])]
#[case::aside([0.0, 1.0, 1.0], [false, true, false])]
fn weighted_channels_are_fitted_and_others_stay(
    #[case] weights: [f64; 3],
    #[case] fitted: [bool; 3],
) {
    let truth = tire();
    let mut start = truth.clone();
    start.PDX1 *= 1.05;
    start.PDY1 *= 0.95;
    // Few keys, for speed.
    let free = ["PDX1", "PKX1", "PDY1", "PKY1"];
    let others = KEYS.iter().filter(|key| !free.contains(&key.name));
    let held: Vec<String> = others.map(|key| key.name.to_owned()).collect();
    let data = measured(&truth);
    let found = fit_magic_formula(&start, Version::V61, &data, weights, &held).unwrap();
    assert_eq!(found.channels.each_ref().map(Option::is_some), fitted);
    let close = |name: &str| {
        let [a, b] = [&found.coefficients, &truth].map(|of| of.get(name).unwrap());
        (a / b - 1.0).abs() < 1e-6
    };
    for (fitted, names) in fitted.into_iter().zip([["PDX1", "PKX1"], ["PDY1", "PKY1"]]) {
        assert_eq!(names.iter().all(|name| close(name)), fitted, "{names:?}");
    }
    let mut bad = start.clone();
    bad.PDX1 = f64::NAN;
    let error = fit_magic_formula(&bad, Version::V61, &data, [1.0; 3], &held).unwrap_err();
    assert!(matches!(error, FitError::Start(_)), "{error}");
}
