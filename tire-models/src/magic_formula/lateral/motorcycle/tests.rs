use approx::assert_relative_eq;
use proptest::prelude::*;
use vehicle_core::lanes::W4;

use crate::magic_formula::{
    Coefficients, CombinedSlip, Load, MagicFormula, Settings, Slip, Version,
};
use crate::real::{Dual, Real};

/// A plausible rear tire with every term of Fy0.
fn rear() -> Coefficients {
    let mut c = Coefficients::template_of(Version::Motorcycle);
    for (name, value) in [
        ("FNOMIN", 1500.0),
        ("UNLOADED_RADIUS", 0.32),
        ("PCY1", 0.95),
        ("PCY2", 0.7),
        ("PDY1", 1.25),
        ("PDY2", -0.05),
        ("PDY3", 0.04),
        ("PEY1", -1.8),
        ("PEY2", -1.1),
        ("PEY3", 0.2),
        ("PEY4", -0.6),
        ("PEY5", -2.5),
        ("PKY1", -19.0),
        ("PKY2", 1.7),
        ("PKY3", 1.45),
        ("PKY4", 0.4),
        ("PKY5", 0.15),
        ("PKY6", -0.85),
        ("PKY7", 0.06),
        ("PHY1", 0.0),
        ("QSY1", 0.015),
        ("PTY1", 0.8),
        ("PTY2", 1.6),
        ("PTY3", 1.3),
        ("QDZ3", 0.3),
    ] {
        c.set(name, value).unwrap();
    }
    c
}

fn tire<T: Real>(c: &Coefficients) -> MagicFormula<T> {
    MagicFormula::new(c, Version::Motorcycle, Settings::vehicle()).unwrap()
}

fn lateral<T: Real>(tire: &MagicFormula<T>, fz: T, alpha: T, gamma: T) -> T {
    forces(tire, [fz, T::zero(), alpha, gamma])[1]
}

/// Fx, Fy, Mz at load, slip ratio, slip angle, inclination.
fn forces<T: Real>(tire: &MagicFormula<T>, [fz, kappa, alpha, gamma]: [T; 4]) -> [T; 3] {
    let at = tire.at_load(&Load {
        inclination: gamma,
        ..Load::new(fz)
    });
    let slip = Slip {
        ratio: kappa,
        angle: alpha,
        ..Slip::rolling(T::of(20.0))
    };
    let planar = tire.planar(&at, &slip);
    let moment = tire.aligning(&at, &planar).moment;
    [planar.longitudinal, planar.lateral, moment]
}

/// The published formula as one line of plain arithmetic.
fn by_hand(c: &Coefficients, fz: f64, alpha: f64, gamma: f64) -> f64 {
    let bent = |bx: f64, e: f64| (bx - e * (bx - bx.atan())).atan();
    let (g2, dfz) = (gamma * gamma, fz / c.FNOMIN - 1.0);
    let peak = fz * c.PDY1 * (c.PDY2 * dfz).exp() * (1.0 - c.PDY3 * g2);
    let load = fz / ((c.PKY3 + c.PKY4 * g2) * c.FNOMIN);
    let cornering = c.PKY1 * c.FNOMIN * (c.PKY2 * load.atan()).sin() * (1.0 - c.PKY5 * g2);
    let camber = (c.PKY6 + c.PKY7 * dfz) * fz;
    let slip = alpha + c.PHY1;
    let curvature = c.PEY1 + c.PEY2 * g2 + (c.PEY3 + c.PEY4 * gamma) * slip.signum();
    let by_slip = c.PCY1 * bent(cornering / (c.PCY1 * peak) * slip, curvature.min(1.0));
    let by_camber = c.PCY2 * bent(camber / (c.PCY2 * peak) * gamma, c.PEY5.min(1.0));
    peak * (by_slip + by_camber).sin()
}

proptest! {
    #[test]
    fn the_side_force_is_the_published_formula(
        fz in 300.0..3500.0_f64, alpha in -0.4..0.4_f64, gamma in -1.0..1.0_f64,
    ) {
        let mut c = rear();
        c.PHY1 = 0.003;
        let expected = by_hand(&c, fz, alpha, gamma);
        let found = lateral(&tire::<f64>(&c), fz, alpha, gamma);
        prop_assert!((found - expected).abs() < 1e-6 * fz, "{found} {expected}");
    }

    /// A tire without shifts and asymmetric terms is the same on both sides.
    #[test]
    fn a_tire_is_the_same_on_both_sides(
        fz in 300.0..3500.0_f64, kappa in -0.3..0.3_f64,
        alpha in 0.001..0.4_f64, gamma in -1.0..1.0_f64,
    ) {
        let mut c = rear();
        c.PEY3 = 0.0;
        let tire = tire::<f64>(&c);
        let [fx, fy, mz] = forces(&tire, [fz, kappa, alpha, gamma]);
        let other = forces(&tire, [fz, kappa, -alpha, -gamma]);
        for (x, y) in [fx, -fy, -mz].into_iter().zip(other) {
            prop_assert!((x - y).abs() < 1e-9 * fz, "{x} {y}");
        }
    }

    #[test]
    fn four_lanes_have_the_bits_of_one(
        fz in 300.0..3500.0_f32, kappa in -1.0..1.0_f32,
        alpha in -1.0..1.0_f32, gamma in -1.1..1.1_f32,
    ) {
        let c = rear();
        let lanes = [gamma, 0.0, -gamma, 0.5 * gamma];
        let four = forces(
            &tire::<W4>(&c),
            [W4::splat(fz), W4::splat(kappa), W4::splat(alpha), W4::from_array(lanes)],
        );
        for (n, gamma) in lanes.into_iter().enumerate() {
            let one = forces(&tire::<f32>(&c), [fz, kappa, alpha, gamma]);
            for (four, one) in four.iter().zip(one) {
                prop_assert_eq!(four.lane(n), one);
            }
        }
    }
}

/// Slopes without slip are the stiffnesses, exactly, by dual numbers.
#[test]
fn slopes_are_the_stiffnesses() {
    type D = Dual<f64, 2>;
    let c = rear();
    let fz = 1900.0;
    let tire = tire::<D>(&c);
    let [alpha, gamma] = [0, 1].map(|n| D::variable(0.0, n));
    let at = tire.at_load(&Load {
        inclination: gamma,
        ..Load::new(D::of(fz))
    });
    let planar = tire.planar(
        &at,
        &Slip {
            angle: alpha,
            ..Slip::rolling(D::of(20.0))
        },
    );
    let dfz = fz / c.FNOMIN - 1.0;
    let load = fz / (c.PKY3 * c.FNOMIN);
    let cornering = c.PKY1 * c.FNOMIN * (c.PKY2 * load.atan()).sin();
    let camber = (c.PKY6 + c.PKY7 * dfz) * fz;
    assert_relative_eq!(
        planar.lateral.derivatives[0],
        cornering,
        max_relative = 1e-6
    );
    assert_relative_eq!(planar.lateral.derivatives[1], camber, max_relative = 1e-6);
    assert_relative_eq!(
        planar.cornering_stiffness.value,
        cornering,
        max_relative = 1e-9
    );
}

/// Slip and inclination share one peak: the force of both is never more, and reaches it.
#[test]
fn inclination_adds_no_friction() {
    let mut c = rear();
    (c.PDY3, c.PEY3) = (0.0, 0.0);
    let tire = tire::<f64>(&c);
    let peak = c.FNOMIN * c.PDY1;
    for gamma in [0.0, 0.4, 0.9] {
        let slips = (0..=900).map(|n| f64::from(n) / 1000.0);
        let most = slips.map(|alpha| -lateral(&tire, c.FNOMIN, alpha, gamma));
        let most = most.fold(0.0, f64::max);
        assert!(most <= peak * (1.0 + 1e-9), "{gamma}: {most} of {peak}");
        if gamma > 0.0 {
            assert!(most > 0.999 * peak, "{gamma}: {most} of {peak}");
        }
        let at = tire.at_load(&Load {
            inclination: gamma,
            ..Load::new(c.FNOMIN)
        });
        let grip = crate::magic_formula::properties::properties(&tire, &at).0[0][1];
        assert_relative_eq!(grip, most, max_relative = 3e-3);
    }
}

/// Fx in free rolling overcomes the rolling resistance at κ = 0; the lateral force of an inclined tire without slip has no
/// trail.
#[test]
fn shifts_and_moments_are_those_of_motorcycles() {
    let mut c = rear();
    (c.PVX1, c.PHX1) = (0.01, 0.2);
    let tire = tire::<f64>(&c);
    let [fx, ..] = forces(&tire, [1500.0, 0.0, 0.0, 0.0]);
    assert_relative_eq!(fx, -c.QSY1 * 1500.0, max_relative = 1e-2);
    let [_, fy, mz] = forces(&tire, [1500.0, 0.0, 0.0, 0.6]);
    assert!(fy < -0.4 * 1500.0, "{fy}");
    assert_relative_eq!(mz, 0.0, epsilon = 1e-9);
    c.QDZ8 = 0.1;
    let residual = self::tire::<f64>(&c);
    let [.., mz] = forces(&residual, [1500.0, 0.0, 0.0, 0.6]);
    assert_relative_eq!(mz, 1500.0 * 0.32 * 0.1 * 0.6, max_relative = 1e-6);
    // QDZ3 acts by the magnitude of inclination.
    let trail = |gamma: f64| {
        let at = tire.at_load(&Load {
            inclination: gamma,
            ..Load::new(1500.0)
        });
        let planar = tire.planar(
            &at,
            &Slip {
                angle: 0.0,
                ..Slip::rolling(20.0)
            },
        );
        tire.aligning(&at, &planar).trail
    };
    assert_relative_eq!(trail(0.5), trail(-0.5), max_relative = 1e-9);
    assert_relative_eq!(
        trail(0.5),
        trail(0.0) * (1.0 + 0.3 * 0.5),
        max_relative = 1e-9
    );
}

#[test]
fn relaxation_lengths_are_those_of_the_keys() {
    let c = rear();
    let tire = tire::<f64>(&c);
    let at = tire.at_load(&Load {
        inclination: 0.5,
        ..Load::new(1800.0)
    });
    let planar = tire.planar(&at, &Slip::rolling(20.0));
    let length = tire.relaxation(&at, &planar).lateral_length;
    let load = 1800.0_f64 / (1.3 * 1500.0);
    let expected = 0.8 * (1.6 * load.atan()).sin() * (1.0 - 0.15 * 0.25) * 0.32;
    assert_relative_eq!(length, expected, max_relative = 1e-12);
}

/// The ellipse for files without keys of combined slip has the same pure side force.
#[test]
fn the_friction_ellipse_leans_too() {
    let c = rear();
    let settings = Settings {
        combined_slip: CombinedSlip::FrictionEllipse,
        ..Settings::vehicle()
    };
    let ellipse = MagicFormula::<f64>::new(&c, Version::Motorcycle, settings).unwrap();
    let fy = lateral(&ellipse, 1500.0, 0.05, 0.5);
    // Rolling resistance takes its small share.
    assert_relative_eq!(fy, by_hand(&c, 1500.0, 0.05, 0.5), max_relative = 1e-2);
}
