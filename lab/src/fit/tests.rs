//! Fits of linear laws, against regression by hand.

use jounce::core::Inspector;
use jounce::tires::real::Real;
use rstest::rstest;

use super::data::Measurement;
use super::family::{LawFamily, Parameter, Range};
use super::outcome::{Certainty, Fit, Residuals};
use super::{AROUND, ATTEMPTS, FitError, InvalidParams, around, fit};

/// The factor of each parameter in Fx, Fy and Mz.
type Factors = fn(&Measurement) -> Vec<[f64; 3]>;

/// A law that is linear in its parameters.
#[derive(Clone)]
struct Linear {
    factors: Factors,
    start: Vec<f64>,
    range: Range,
    /// A further rule: an upper bound of the last parameter.
    most: f64,
    /// Value beyond which the last parameter is invalid.
    end: f64,
}

impl Linear {
    fn new(factors: Factors, start: &[f64]) -> Self {
        Self {
            factors,
            start: start.to_vec(),
            range: Range::Free,
            most: f64::INFINITY,
            end: f64::INFINITY,
        }
    }
}

impl LawFamily for Linear {
    type Law<T: Real> = (Factors, Vec<T>);

    fn parameters(&self) -> Vec<Parameter> {
        let starts = self.start.iter().enumerate();
        let parameter = |(n, &start): (usize, &f64)| Parameter {
            name: format!("p{n}"),
            start,
            range: self.range,
        };
        starts.map(parameter).collect()
    }

    fn law<T: Real>(&self, values: &[T]) -> Self::Law<T> {
        (self.factors, values.to_vec())
    }

    fn answer<T: Real>((factors, values): &Self::Law<T>, at: &Measurement) -> [T; 3] {
        let mut sums = [T::zero(); 3];
        for (factors, &value) in factors(at).into_iter().zip(values) {
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = *sum + T::of(factor) * value;
            }
        }
        sums
    }

    fn check(&self, values: &[f64]) -> Result<(), InvalidParams> {
        let mut inspector = Inspector::new();
        let last = *values.last().unwrap();
        inspector.rule(
            last <= self.end,
            "last",
            last,
            "",
            "must not be beyond the end",
        );
        inspector.verdict()
    }

    fn excesses<T: Real>(&self, values: &[T]) -> Vec<T> {
        let bounded = self.most.is_finite();
        let last = *values.last().unwrap();
        bounded
            .then(|| last - T::of(self.most))
            .into_iter()
            .collect()
    }
}

/// Fx = p0 + p1·κ.
fn line(at: &Measurement) -> Vec<[f64; 3]> {
    vec![[1.0, 0.0, 0.0], [at.slip_ratio, 0.0, 0.0]]
}

/// Fx = p0·κ, Fy = p1·α.
fn apart(at: &Measurement) -> Vec<[f64; 3]> {
    vec![[at.slip_ratio, 0.0, 0.0], [0.0, at.slip_angle, 0.0]]
}

/// Levels of Fx: parameter n of ten for each load n (`N`).
fn levels(at: &Measurement) -> Vec<[f64; 3]> {
    let own = |n: usize| [f64::from(u8::from(at.load as usize == n)), 0.0, 0.0];
    (0..10).map(own).collect()
}

const SLIPS: [f64; 6] = [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0];
const FORCES: [f64; 6] = [2.1, 2.8, 4.2, 4.9, 7.3, 8.8];

fn points(scale: f64) -> Vec<Measurement> {
    let pairs = SLIPS.into_iter().zip(FORCES);
    let point = |(slip_ratio, force): (f64, f64)| Measurement {
        slip_ratio,
        forces: [Some(scale * force), None, None],
        ..Measurement::new(1.0)
    };
    pairs.map(point).collect()
}

/// Intercept and slope of the points, both standard errors, and the residuals.
fn regression() -> ([f64; 2], [f64; 2], Residuals) {
    let count = SLIPS.len() as f64;
    let mean = |values: [f64; 6]| values.iter().sum::<f64>() / count;
    let (x, y) = (mean(SLIPS), mean(FORCES));
    let products = SLIPS.iter().zip(FORCES).map(|(a, b)| (a - x) * (b - y));
    let spread = SLIPS.iter().map(|a| (a - x).powi(2)).sum::<f64>();
    let slope = products.sum::<f64>() / spread;
    let values = [y - slope * x, slope];
    let off = |(a, b): (f64, f64)| values[0] + slope * a - b;
    let off: Vec<f64> = SLIPS.into_iter().zip(FORCES).map(off).collect();
    let squares = off.iter().map(|d| d * d).sum::<f64>();
    let noise = (squares / (count - 2.0)).sqrt();
    let errors = [
        noise * (1.0 / count + x * x / spread).sqrt(),
        noise / spread.sqrt(),
    ];
    let variation = FORCES.iter().map(|b| (b - y).powi(2)).sum::<f64>();
    let left = Residuals {
        values: SLIPS.len(),
        rms: (squares / count).sqrt(),
        greatest: off.iter().fold(0.0, |most, d| most.max(d.abs())),
        explained: 1.0 - squares / variation,
    };
    (values, errors, left)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs()
}

/// Standard error and half of the interval.
fn within(fit: &Fit, name: &str) -> [f64; 2] {
    match fit.estimate(name).unwrap().certainty {
        Certainty::Within { error, interval } => [error, interval],
        other => panic!("{name}: {other:?}"),
    }
}

fn is_the_regression(found: &Fit, scale: f64) {
    let (values, errors, _) = regression();
    for (n, name) in ["p0", "p1"].into_iter().enumerate() {
        let estimate = found.estimate(name).unwrap();
        assert!(close(estimate.value, scale * values[n]), "{estimate:?}");
        let [error, interval] = within(found, name);
        assert!(close(error, scale * errors[n]), "{error} {}", errors[n]);
        // Student's t of four degrees of freedom.
        assert!((interval / error / 2.776 - 1.0).abs() < 0.01, "{interval}");
    }
}

#[test]
fn errors_are_those_of_a_regression_with_its_degrees_of_freedom() {
    let found = fit(&Linear::new(line, &[1.0, 1.0]), &points(1.0), [1.0; 3]).unwrap();
    is_the_regression(&found, 1.0);
    let (.., expected) = regression();
    let left = found.residuals[0].unwrap();
    assert_eq!(left.values, expected.values);
    assert!(close(left.rms, expected.rms), "{left:?}");
    assert!(close(left.greatest, expected.greatest), "{left:?}");
    assert!(close(left.explained, expected.explained), "{left:?}");
    assert!(found.converged && found.residuals[1..] == [None, None]);
    assert_eq!(found.values().len(), 2);
    assert_eq!(found.value("p1"), Some(found.values()[1]));
}

#[rstest]
#[case::units(Range::Free, [1.0, 1.0], 1000.0, [1.0; 3])]
#[case::weight(Range::Free, [1.0, 1.0], 1.0, [0.01, 0.0, 0.0])]
#[case::start(Range::Free, [0.0, -5.0], 1.0, [1.0; 3])]
#[case::same_sign(Range::SameSign, [1.0, 1.0], 1.0, [1.0; 3])]
#[case::no_sign(Range::SameSign, [0.0, 0.0], 1.0, [1.0; 3])]
#[case::within(Range::Within(0.5, 7.5), [1.0, 1.0], 1.0, [1.0; 3])]
#[case::at_an_end(Range::Within(1.0, 7.5), [1.0, 1.0], 1.0, [1.0; 3])]
#[case::outside(Range::Within(7.0, 7.5), [1.0, 1.0], 1.0, [1.0; 3])]
fn errors_do_not_depend_on_units_weight_or_start(
    #[case] range: Range,
    #[case] start: [f64; 2],
    #[case] scale: f64,
    #[case] weights: [f64; 3],
) {
    let family = Linear {
        range,
        ..Linear::new(line, &start)
    };
    is_the_regression(&fit(&family, &points(scale), weights).unwrap(), scale);
}

#[rstest]
#[case::low(Range::Within(2.5, 5.0), 2.5)]
#[case::high(Range::Within(0.5, 1.0), 1.0)]
fn a_parameter_stays_within_its_range(#[case] range: Range, #[case] end: f64) {
    // Without an intercept, whose best value is in another range.
    let slope: Factors = |at| vec![[at.slip_ratio, 0.0, 0.0]];
    let (Range::Within(low, high), [intercept, _]) = (range, regression().0) else {
        unreachable!("both are bounds");
    };
    let data: Vec<_> = points(1.0)
        .into_iter()
        .map(|at| at.answered(at.forces.map(|force| force.unwrap_or(0.0) - intercept)))
        .collect();
    let family = Linear {
        range,
        ..Linear::new(slope, &[0.5 * (low + high)])
    };
    let found = fit(&family, &data, [1.0, 0.0, 0.0]).unwrap();
    let value = found.value("p0").unwrap();
    assert!((low..=high).contains(&value), "{value}");
    assert!((value - end).abs() < 0.01, "{value}");
}

#[test]
fn a_parameter_keeps_its_sign() {
    let slope: Factors = |at| vec![[at.slip_ratio, 0.0, 0.0]];
    let family = Linear {
        range: Range::SameSign,
        ..Linear::new(slope, &[-1.0])
    };
    let value = fit(&family, &points(1.0), [1.0; 3]).unwrap().values()[0];
    assert!((-1e-3..0.0).contains(&value), "{value}");
}

/// Two values of each level, one above its mean and one below.
fn pairs() -> Vec<Measurement> {
    let pair = |n: u8| {
        let (mean, off) = (f64::from(n) + 1.0, 0.1 + 0.01 * f64::from(n));
        [mean + off, mean - off].map(|force| Measurement {
            forces: [Some(force), None, None],
            ..Measurement::new(f64::from(n))
        })
    };
    (0..10).flat_map(pair).collect()
}

#[test]
fn each_of_ten_means_has_the_error_of_its_degrees_of_freedom() {
    let found = fit(&Linear::new(levels, &[0.7; 10]), &pairs(), [1.0; 3]).unwrap();
    let squares = (0..10).map(|n| 2.0 * (0.1 + 0.01 * f64::from(n)).powi(2));
    // Ten of twenty degrees of freedom remain.
    let noise = (squares.sum::<f64>() / 10.0).sqrt();
    for n in 0..10 {
        let name = format!("p{n}");
        assert!(close(found.value(&name).unwrap(), f64::from(n) + 1.0));
        let [error, interval] = within(&found, &name);
        assert!(close(error, noise / 2.0_f64.sqrt()), "{n}: {error}");
        assert!((interval / error / 2.228 - 1.0).abs() < 0.001, "{interval}");
    }
}

/// Three values of Fx, and as many of Fy with ten times its noise.
fn two_channels() -> Vec<Measurement> {
    let rows = [(1.0, 2.1, 31.0), (2.0, 3.9, 58.0), (3.0, 6.05, 91.0)];
    let point = |(slip, fx, fy): (f64, f64, f64)| Measurement {
        slip_ratio: slip,
        slip_angle: slip,
        forces: [Some(fx), Some(fy), None],
        ..Measurement::new(1.0)
    };
    rows.into_iter().map(point).collect()
}

#[rstest]
#[case::alike([1.0, 1.0, 0.0])]
#[case::along([5.0, 0.1, 0.0])]
#[case::aside([0.1, 5.0, 1.0])]
fn channels_that_share_no_parameter_have_their_own_noise(#[case] weights: [f64; 3]) {
    let data = two_channels();
    let found = fit(&Linear::new(apart, &[1.0, 1.0]), &data, weights).unwrap();
    let square: f64 = data.iter().map(|at| at.slip_ratio.powi(2)).sum();
    for (channel, name) in ["p0", "p1"].into_iter().enumerate() {
        let force = |at: &Measurement| at.forces[channel].unwrap();
        let best = data.iter().map(|at| at.slip_ratio * force(at)).sum::<f64>() / square;
        let off = |at: &Measurement| (best * at.slip_ratio - force(at)).powi(2);
        let squares = data.iter().map(off).sum::<f64>();
        assert!(close(found.value(name).unwrap(), best));
        // Six values tell two parameters: a mean square of three is one of two.
        let expected = (squares / 2.0 / square).sqrt();
        let [error, _] = within(&found, name);
        assert!(close(error, expected), "{name}: {error} {expected}");
    }
}

#[test]
fn a_channel_without_weight_is_ignored() {
    let found = fit(
        &Linear::new(apart, &[1.0, 7.0]),
        &two_channels(),
        [1.0, 0.0, 1.0],
    )
    .unwrap();
    assert_eq!(found.estimate("p1").unwrap().certainty, Certainty::NoData);
    assert_eq!(found.value("p1"), Some(7.0));
    assert!(found.residuals[0].is_some());
    assert_eq!(found.residuals[1..], [None, None]);
}

#[test]
fn parameters_with_only_their_sum_measured_are_not_determined() {
    let sum: Factors = |at| {
        let one = [1.0, 0.0, 0.0];
        vec![one, one, [at.slip_ratio, 0.0, 0.0]]
    };
    let found = fit(&Linear::new(sum, &[1.0, 2.0, 1.0]), &points(1.0), [1.0; 3]).unwrap();
    let certainty = |name: &str| found.estimate(name).unwrap().certainty;
    assert_eq!(certainty("p0"), Certainty::NotDetermined);
    assert_eq!(certainty("p1"), Certainty::NotDetermined);
    let (values, errors, _) = regression();
    assert!(close(found.value("p2").unwrap(), values[1]));
    assert!(close(within(&found, "p2")[0], errors[1]));
}

#[rstest]
#[case::kept(0.5, 1.0)]
#[case::broken(3.0, 2.0)]
fn a_rule_binds_if_the_start_keeps_it(#[case] start: f64, #[case] expected: f64) {
    // The best slope is 2.
    let slope: Factors = |at| vec![[at.slip_ratio, 0.0, 0.0]];
    let data = [1.0, 2.0].map(|slip_ratio| Measurement {
        slip_ratio,
        forces: [Some(2.0 * slip_ratio), None, None],
        ..Measurement::new(1.0)
    });
    let family = Linear {
        most: 1.0,
        ..Linear::new(slope, &[start])
    };
    let value = fit(&family, &data, [1.0; 3]).unwrap().values()[0];
    assert!((value - expected).abs() < 0.01, "{value}");
}

#[test]
fn a_fit_never_ends_at_an_invalid_law() {
    let family = Linear {
        end: 1.5,
        ..Linear::new(line, &[1.0, 1.0])
    };
    let found = fit(&family, &points(1.0), [1.0; 3]).unwrap();
    assert!(found.values()[1] <= 1.5, "{:?}", found.values());
    let beyond = Linear {
        start: vec![1.0, 2.0],
        ..family
    };
    let error = fit(&beyond, &points(1.0), [1.0; 3]).unwrap_err();
    assert!(matches!(error, FitError::Start(_)), "{error}");
}

#[test]
fn as_many_values_as_parameters_suffice() {
    let family = Linear::new(line, &[1.0, 1.0]);
    let all = points(1.0);
    let found = fit(&family, &all[..2], [1.0; 3]).unwrap();
    assert!(close(found.values()[1], 0.7), "{:?}", found.values());
    let few = FitError::TooFew {
        values: 1,
        parameters: 2,
    };
    assert_eq!(fit(&family, &all[..1], [1.0; 3]), Err(few));
}

#[rstest]
#[case::load(|at: &mut Measurement| at.load = f64::NAN)]
#[case::slip_ratio(|at: &mut Measurement| at.slip_ratio = f64::NAN)]
#[case::slip_angle(|at: &mut Measurement| at.slip_angle = f64::INFINITY)]
#[case::inclination(|at: &mut Measurement| at.inclination = f64::NAN)]
#[case::speed(|at: &mut Measurement| at.speed = Some(f64::NAN))]
#[case::pressure(|at: &mut Measurement| at.pressure = Some(f64::INFINITY))]
#[case::force(|at: &mut Measurement| at.forces[0] = Some(f64::NAN))]
#[case::moment(|at: &mut Measurement| at.forces[2] = Some(f64::NAN))]
#[case::pull(|at: &mut Measurement| at.load = -1e-9)]
fn a_measurement_that_is_not_finite_is_named(#[case] spoil: fn(&mut Measurement)) {
    let mut data = points(1.0);
    data[3].load = 0.0;
    let family = Linear::new(line, &[1.0, 1.0]);
    assert!(fit(&family, &data, [1.0; 3]).is_ok(), "no load is one");
    spoil(&mut data[4]);
    assert_eq!(fit(&family, &data, [1.0; 3]), Err(FitError::NotFinite(5)));
}

#[rstest]
#[case::given(Some(-10.0), 10.0)]
#[case::none(None, 16.7)]
fn a_law_gets_slips_and_sliding_speed(#[case] speed: Option<f64>, #[case] pace: f64) {
    let at = Measurement {
        slip_ratio: 0.3,
        slip_angle: 0.4_f64.atan(),
        inclination: 0.05,
        speed,
        ..Measurement::new(3000.0)
    };
    let slip = at.seen(0.9);
    assert_eq!((slip.ratio, slip.camber), (0.3, 0.05));
    assert_eq!((slip.load, slip.friction), (3000.0, 0.9));
    assert!(close(slip.tan_angle, 0.4) && close(slip.speed, 0.5 * pace));
}

/// The first search starts where the user says; each further one elsewhere, on both sides, within
/// the spread, and never twice at the same point.
#[test]
fn searches_start_around_the_start() {
    for count in [1, 2, 7] {
        assert!(around(0, count).iter().all(|&u| u == 0.0));
        let mut starts: Vec<f64> = (1..ATTEMPTS)
            .flat_map(|attempt| around(attempt, count).iter().copied().collect::<Vec<_>>())
            .collect();
        assert_eq!(starts.len(), (ATTEMPTS - 1) * count);
        assert!(starts.iter().all(|u| u.abs() <= 0.5 * AROUND), "{starts:?}");
        assert!(starts.iter().any(|&u| u > 0.0) && starts.iter().any(|&u| u < 0.0));
        starts.sort_by(f64::total_cmp);
        assert!(
            starts.windows(2).all(|pair| pair[0] < pair[1]),
            "{starts:?}"
        );
    }
}
