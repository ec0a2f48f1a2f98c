use super::*;
use approx::assert_relative_eq;
use rstest::rstest;
use vehicle_core::lanes::W4;

/// Every function of one argument, by name.
const FUNCTIONS: [&str; 10] = [
    "abs", "sqrt", "sin", "cos", "tan", "atan", "acos", "exp", "ln", "cos_atan",
];

fn apply<T: Real>(name: &str, x: T) -> T {
    match name {
        "abs" => x.abs(),
        "sqrt" => x.sqrt(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "atan" => x.atan(),
        "acos" => x.acos(),
        "exp" => x.exp(),
        "ln" => x.ln(),
        _ => x.cos_atan(),
    }
}

#[test]
fn derivatives_are_central_differences() {
    const H: f64 = 1e-6;
    for name in FUNCTIONS {
        for x in [0.1, 0.45, 0.9] {
            let dual = apply(name, Dual::<f64, 1>::variable(x, 0));
            let difference = (apply(name, x + H) - apply(name, x - H)) / (2.0 * H);
            assert_relative_eq!(dual.value, apply(name, x), epsilon = 1e-15);
            assert_relative_eq!(dual.derivatives[0], difference, max_relative = 1e-7);
        }
    }
}

#[test]
fn lanes_give_the_bits_of_scalars() {
    let x = [0.03_f32, 0.4, 0.77, 0.99];
    for name in FUNCTIONS {
        let lanes = apply(name, W4::from_array(x)).to_array();
        assert_eq!(lanes, x.map(|x| apply(name, x)), "{name}");
    }
    let powers = Real::powf(W4::from_array(x), W4::splat(0.85)).to_array();
    assert_eq!(powers, x.map(|x| Real::powf(x, 0.85)));
}

#[rstest]
#[case::base(0, 2.0 * 3.0)]
#[case::exponent(1, 9.0 * 3.0_f64.ln())]
fn a_power_has_two_derivatives(#[case] index: usize, #[case] expected: f64) {
    let base = Dual::<f64, 2>::variable(3.0, 0);
    let power = base.powf(Dual::variable(2.0, 1));
    assert_relative_eq!(power.value, 9.0);
    assert_relative_eq!(power.derivatives[index], expected, max_relative = 1e-14);
}

#[rstest]
#[case::root(|x: Dual<f64, 1>| x.sqrt())]
#[case::power(|x: Dual<f64, 1>| x.powf(Real::of(0.3)))]
#[case::product_of_quotients(|x: Dual<f64, 1>| (x + Real::one()) / (x - Real::of(3.0)))]
fn derivatives_at_zero_are_finite(#[case] f: fn(Dual<f64, 1>) -> Dual<f64, 1>) {
    let y = f(Dual::variable(0.0, 0));
    assert!(y.value.is_finite() && y.derivatives[0].is_finite(), "{y:?}");
}

#[test]
fn signs_of_zero_and_of_nan() {
    assert_eq!((-0.0_f64).sign_or_one(), 1.0);
    assert_eq!(Real::sign(-0.0_f64), 0.0);
    assert_eq!(Real::clamp(f64::NAN, -1.0, 2.0), -1.0);
    assert_eq!(
        Real::sign(W4::from_array([-2.0, 0.0, 3.0, -0.0])).to_array(),
        [-1.0, 0.0, 1.0, 0.0]
    );
}

/// Units in the last place between a single-precision number and the true one.
fn last_places(found: f32, exact: f64) -> f64 {
    let near = (exact as f32).abs().max(f32::MIN_POSITIVE);
    let unit = f64::from(f32::from_bits(near.to_bits() + 1)) - f64::from(near);
    (f64::from(found) - exact).abs() / unit
}

#[test]
fn single_precision_errors_are_below_four_ulps() {
    let mut worst = [0.0_f64; 6];
    let mut note = |i: usize, found: f32, exact: f64| {
        // Next to a zero that is not at 0, the absolute error counts.
        let error = (f64::from(found) - exact).abs();
        if error > 1.5e-8 {
            worst[i] = worst[i].max(last_places(found, exact));
        }
    };
    for n in -400_000..400_000 {
        let x = n as f32 * 1.7e-5;
        note(0, Real::sin(x), libm::sin(x.into()));
        note(1, Real::cos(x), libm::cos(x.into()));
        let steep = (x.abs() % core::f32::consts::PI - core::f32::consts::FRAC_PI_2).abs() < 1e-3;
        if !steep {
            note(2, Real::tan(x), libm::tan(x.into()));
        }
        let far = x * x * x;
        note(3, Real::atan(x), libm::atan(x.into()));
        note(3, Real::atan(far), libm::atan(far.into()));
        note(4, Real::exp(4.0 * x), libm::exp((4.0 * x).into()));
        let positive = 1e-9 + far.abs();
        note(5, Real::ln(positive), libm::log(positive.into()));
    }
    assert!(worst.iter().all(|&w| w <= 4.0), "{worst:?}");
}

#[rstest]
#[case::sine(|x: f32| Real::sin(x), libm::sinf)]
#[case::cosine(|x: f32| Real::cos(x), libm::cosf)]
#[case::tangent(|x: f32| Real::tan(x), libm::tanf)]
#[case::arctangent(|x: f32| Real::atan(x), libm::atanf)]
#[case::power_of_e(|x: f32| Real::exp(x), libm::expf)]
#[case::logarithm(|x: f32| Real::ln(x), libm::logf)]
fn large_and_special_arguments_use_libm(#[case] own: fn(f32) -> f32, #[case] libm: fn(f32) -> f32) {
    for x in [0.0, -0.0, 8191.9, 1e5, -3e20, f32::MAX, f32::MIN_POSITIVE] {
        let (own, libm) = (own(x), libm(x));
        if libm.is_nan() {
            assert!(own.is_nan(), "{x}");
        } else {
            assert_relative_eq!(own, libm, max_relative = 3e-7, epsilon = 1e-6);
        }
    }
    assert!(own(f32::NAN).is_nan());
}
