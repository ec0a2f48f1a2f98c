//! The tables of the three formulas, as in the documentation of their modules, and properties of
//! every curve.

use super::*;
use crate::steady::SteadyLaw;
use crate::{Bakker87Params, Pacejka89Params, Pacejka94Params};
use approx::assert_relative_eq;
use rstest::rstest;
use vehicle_core::Checked;

/// Distinct coefficients from 0.2 to 1.2.
fn different<const N: usize>(start: f64) -> [f64; N] {
    core::array::from_fn(|i| 0.2 + (start + 0.618_034 * i as f64).fract())
}

const BAKKER: fn() -> Bakker87Params<f64> = || Bakker87Params {
    longitudinal_shape: 1.65,
    lateral_shape: 1.3,
    aligning_shape: 2.4,
    longitudinal: different(0.1),
    lateral: different(0.3),
    aligning: different(0.5),
    greatest_load: 8000.0,
};
const OF_1989: fn() -> Pacejka89Params<f64> = || Pacejka89Params {
    longitudinal: different(0.1),
    lateral: different(0.3),
    aligning: different(0.5),
    greatest_load: 8000.0,
};
const OF_1994: fn() -> Pacejka94Params<f64> = || Pacejka94Params {
    longitudinal: different(0.1),
    lateral: different(0.3),
    aligning: different(0.5),
    greatest_load: 8000.0,
};

/// A column of a table.
struct Column {
    c: f64,
    d: f64,
    stiffness: f64,
    /// Curvatures at positive and at negative slip.
    e: [f64; 2],
    shift: f64,
    lift: f64,
}

impl Column {
    fn check(&self, shape: &Shape<f64>) {
        let found = [
            shape.c,
            shape.d,
            shape.b * shape.c * shape.d,
            shape.e_positive,
            shape.e_negative,
            shape.shift,
            shape.lift,
        ];
        let [positive, negative] = self.e;
        let rest = [positive, negative, self.shift, self.lift];
        let expected = [self.c, self.d, self.stiffness].into_iter().chain(rest);
        for (found, expected) in found.into_iter().zip(expected) {
            assert_relative_eq!(found, expected, max_relative = 1e-12);
        }
    }
}

/// Inclinations of both signs (`°`), and one large enough to leave no stiffness.
const CAMBERS: [f64; 4] = [0.0, 0.7, -0.7, 8.0];

#[rstest]
fn the_curves_of_1987_are_those_of_the_table(#[values(0.5, 2.0, 6.0)] n: f64) {
    let p = BAKKER();
    for camber in CAMBERS {
        let shapes = p.shapes(n, camber);
        let a = |i: usize| p.longitudinal[i - 1];
        let e = (a(6) * n + a(7)) * n + a(8);
        let longitudinal = Column {
            c: 1.65,
            d: a(1) * n * n + a(2) * n,
            stiffness: (a(3) * n * n + a(4) * n) * (-a(5) * n).exp(),
            e: [e; 2],
            shift: 0.0,
            lift: 0.0,
        };
        longitudinal.check(&shapes.longitudinal);
        for (shape, coefficients) in [
            (&shapes.lateral, &p.lateral),
            (&shapes.aligning, &p.aligning),
        ] {
            let a = |i: usize| coefficients[i - 1];
            let across = core::ptr::eq(coefficients, &raw const p.lateral);
            let lean = (1.0 - a(12) * camber.abs()).max(0.0);
            let upright = if across {
                a(3) * (a(4) * (a(5) * n).atan()).sin()
            } else {
                (a(3) * n * n + a(4) * n) * (-a(5) * n).exp()
            };
            let left = if across {
                1.0
            } else {
                1.0 - a(13) * camber.abs()
            };
            let column = Column {
                c: if across { 1.3 } else { 2.4 },
                d: a(1) * n * n + a(2) * n,
                stiffness: upright * lean,
                e: [((a(6) * n + a(7)) * n + a(8)) / left; 2],
                shift: a(9) * camber,
                lift: (a(10) * n * n + a(11) * n) * camber,
            };
            column.check(shape);
        }
    }
}

#[rstest]
fn the_curves_of_1989_are_those_of_the_table(#[values(0.5, 2.0, 6.0)] n: f64) {
    let p = OF_1989();
    let (a, b, c) = (p.lateral, p.longitudinal, p.aligning);
    for camber in CAMBERS {
        let shapes = p.shapes(n, camber);
        let lean = camber.abs();
        let longitudinal = Column {
            c: b[0],
            d: b[1] * n * n + b[2] * n,
            stiffness: (b[3] * n * n + b[4] * n) * (-b[5] * n).exp(),
            e: [b[6] * n * n + b[7] * n + b[8]; 2],
            shift: b[9] * n + b[10],
            lift: 0.0,
        };
        longitudinal.check(&shapes.longitudinal);
        let lateral = Column {
            c: a[0],
            d: a[1] * n * n + a[2] * n,
            stiffness: a[3] * (2.0 * (n / a[4]).atan()).sin() * (1.0 - a[5] * lean).max(0.0),
            e: [a[6] * n + a[7]; 2],
            shift: a[8] * camber + a[9] * n + a[10],
            lift: a[11] * n * camber + a[12] * n + a[13],
        };
        lateral.check(&shapes.lateral);
        let aligning = Column {
            c: c[0],
            d: c[1] * n * n + c[2] * n,
            stiffness: (c[3] * n * n + c[4] * n) * (1.0 - c[6] * lean) * (-c[5] * n).exp(),
            e: [(c[7] * n * n + c[8] * n + c[9]) * (1.0 - c[10] * lean); 2],
            shift: c[11] * camber + c[12] * n + c[13],
            lift: (c[14] * n * n + c[15] * n) * camber + c[16] * n + c[17],
        };
        aligning.check(&shapes.aligning);
    }
}

#[rstest]
fn the_curves_of_1994_are_those_of_the_table(#[values(0.5, 2.0, 6.0)] n: f64) {
    let p = OF_1994();
    let (a, b, c) = (p.lateral, p.longitudinal, p.aligning);
    for camber in [0.0, 0.7, -0.7] {
        let shapes = p.shapes(n, camber);
        let (lean, square) = (camber.abs(), camber * camber);
        // E by the sign of the slip.
        let both = |e: f64, asymmetry: f64| [1.0, -1.0].map(|sign| e * (1.0 - asymmetry * sign));
        let longitudinal = Column {
            c: b[0],
            d: b[1] * n * n + b[2] * n,
            stiffness: (b[3] * n * n + b[4] * n) * (-b[5] * n).exp(),
            e: both(b[6] * n * n + b[7] * n + b[8], b[13]),
            shift: b[9] * n + b[10],
            lift: b[11] * n + b[12],
        };
        longitudinal.check(&shapes.longitudinal);
        let lateral = Column {
            c: a[0],
            d: (a[1] * n * n + a[2] * n) * (1.0 - a[15] * square),
            stiffness: a[3] * (2.0 * (n / a[4]).atan()).sin() * (1.0 - a[5] * lean),
            e: both(a[6] * n + a[7], a[16] * camber + a[17]),
            shift: a[8] * n + a[9] + a[10] * camber,
            lift: a[11] * n + a[12] + (a[13] * n * n + a[14] * n) * camber,
        };
        lateral.check(&shapes.lateral);
        let e = (c[7] * n * n + c[8] * n + c[9]) / (1.0 - c[10] * lean);
        let aligning = Column {
            c: c[0],
            d: (c[1] * n * n + c[2] * n) * (1.0 - c[18] * square),
            stiffness: (c[3] * n * n + c[4] * n) * (1.0 - c[6] * lean) * (-c[5] * n).exp(),
            e: both(e, c[19] * camber + c[20]),
            shift: c[11] * n + c[12] + c[13] * camber,
            lift: c[14] * n + c[15] + (c[16] * n * n + c[17] * n) * camber,
        };
        aligning.check(&shapes.aligning);
    }
}

const SHAPE: Shape<f64> = Shape {
    b: 0.2,
    c: 1.5,
    d: 4000.0,
    e_positive: -0.4,
    e_negative: 0.3,
    shift: 0.25,
    lift: 60.0,
};

/// A curve starts with slope B·C·D about the point given by its shifts, and has maximum D.
#[test]
fn a_curve_begins_with_its_stiffness_and_reaches_its_peak() {
    let still = SHAPE.at(-SHAPE.shift);
    assert_eq!(still, SHAPE.lift);
    let slope = (SHAPE.at(1e-6 - SHAPE.shift) - SHAPE.at(-1e-6 - SHAPE.shift)) / 2e-6;
    assert_relative_eq!(slope, 0.2 * 1.5 * 4000.0, max_relative = 1e-6);
    let over = |sign: f64| (1..4000).map(move |n| sign * 0.01 * f64::from(n));
    let most = over(1.0).map(|x| SHAPE.at(x)).fold(0.0, f64::max);
    assert_relative_eq!(most, 4060.0, max_relative = 1e-6);
    let least = over(-1.0).map(|x| SHAPE.at(x)).fold(0.0, f64::min);
    assert_relative_eq!(least, -3940.0, max_relative = 1e-6);
}

/// The curvature of one side does not affect the other.
#[test]
fn each_side_has_its_own_curvature() {
    let other = Shape {
        e_positive: SHAPE.e_negative,
        e_negative: SHAPE.e_positive,
        ..SHAPE
    };
    for x in [0.5, 3.0, 12.0, 40.0] {
        let about = |shape: &Shape<f64>, x: f64| shape.at(x - shape.shift) - shape.lift;
        assert_relative_eq!(about(&SHAPE, x), -about(&other, -x), max_relative = 1e-14);
        assert!(about(&SHAPE, x) != about(&other, x), "{x}");
    }
}

/// A sliding tire never accelerates the car, whatever its curvature.
#[rstest]
fn curvatures_beyond_one_count_as_one(#[values(1.0, -1.0)] side: f64, #[values(1.5, 9.0)] e: f64) {
    let shapes = |e_positive: f64, e_negative: f64| {
        let shape = Shape {
            e_positive,
            e_negative,
            ..SHAPE
        };
        Shapes {
            longitudinal: shape,
            lateral: shape,
            aligning: shape,
        }
    };
    let (beyond, cut) = if side > 0.0 {
        (shapes(e, 0.3), shapes(1.0, 0.3))
    } else {
        (shapes(-0.4, e), shapes(-0.4, 1.0))
    };
    let none = SteadyInput {
        ratio: 0.0,
        tan_angle: 0.0,
        camber: 0.0,
        load: 4000.0,
        friction: 1.0,
        speed: 0.0,
    };
    for (ratio, tan_angle) in [
        (0.1, 0.05),
        (0.1, -0.05),
        (-0.1, 0.5),
        (-0.9, -0.2),
        (2.0, 3.0),
    ] {
        let slip = SteadyInput {
            ratio,
            tan_angle,
            ..none
        };
        assert_eq!(combined(&beyond, &slip), combined(&cut, &slip));
    }
    // The plain curve has the given curvature.
    assert_ne!(beyond.lateral.at(side * 30.0), cut.lateral.at(side * 30.0));
}

/// Forces and grip no longer change above that load either.
#[rstest]
#[case::bakker(&BAKKER(), BAKKER().shapes(4.0, 0.0))]
#[case::of_1989(&OF_1989(), OF_1989().shapes(4.0, 0.0))]
#[case::of_1994(&OF_1994(), OF_1994().shapes(4.0, 0.0))]
fn above_the_greatest_load_nothing_changes(
    #[case] law: &dyn SteadyLaw<f64>,
    #[case] shapes: Shapes<f64>,
) {
    let at = |load: f64| SteadyInput {
        ratio: 0.02,
        tan_angle: -0.03,
        camber: 0.0,
        load,
        friction: 1.0,
        speed: 0.0,
    };
    assert_eq!(law.forces(&at(8000.0)), law.forces(&at(12_000.0)));
    assert_ne!(law.forces(&at(8000.0)), law.forces(&at(7900.0)));
    assert_eq!(law.grip(&at(8000.0)), law.grip(&at(12_000.0)));
    let [along, across] = law.grip(&at(4000.0));
    // With a shape factor below 1 the sine does not reach its peak.
    let reached = |shape: &Shape<f64>| shape.d * (shape.c.min(1.0) * 90_f64.to_radians()).sin();
    assert_relative_eq!(along, reached(&shapes.longitudinal), max_relative = 1e-12);
    assert_relative_eq!(across, reached(&shapes.lateral), max_relative = 1e-12);
}

/// A tire in the air has zero force with a finite derivative.
#[rstest]
fn without_load_curves_have_a_finite_stiffness(#[values(0.0, 1e-9)] load: f64) {
    for shape in [
        BAKKER().shapes(load, 0.3).lateral,
        OF_1989().shapes(load, 0.3).aligning,
        OF_1994().shapes(load, 0.3).longitudinal,
    ] {
        assert!(shape.b.is_finite() && shape.b > 0.0, "{shape:?}");
        assert!(shape.d.abs() < 1e-8, "{shape:?}");
    }
}

/// A peak falls with load; it must stay above zero at all loads that count.
#[rstest]
#[case::falls([-100.0, 850.0], true)]
#[case::is_spent_before([-100.0, 750.0], false)]
#[case::is_spent_at_that_load([-100.0, 800.0], false)]
#[case::grows([100.0, 10.0], true)]
#[case::grows_from_below([100.0, -10.0], false)]
#[case::begins_with_nothing([100.0, 0.0], false)]
fn a_peak_is_above_zero_up_to_greatest_load(#[case] peak: [f32; 2], #[case] good: bool) {
    let small = |x: [f64; 11]| x.map(|x| x as f32);
    let mut params = Pacejka89Params::<f32> {
        longitudinal: small(different(0.1)),
        lateral: different(0.3).map(|x| x as f32),
        aligning: different(0.5).map(|x| x as f32),
        greatest_load: 8000.0,
    };
    [params.longitudinal[1], params.longitudinal[2]] = peak;
    assert_eq!(Checked::new(params).is_ok(), good);
}
