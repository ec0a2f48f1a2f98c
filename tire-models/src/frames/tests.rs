use super::*;
use crate::magic_formula::{self, Coefficients, MagicFormula, Settings, Version};
use crate::magic_formula::{Load, Variant, mirror};
use crate::{MagicFormulaParams, MagicFormulaTire};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::Checked;

const QUANTITIES: [Quantity; 11] = [
    Quantity::SlipRatio,
    Quantity::SlipAngle,
    Quantity::Inclination,
    Quantity::TurnSlip,
    Quantity::LongitudinalForce,
    Quantity::LateralForce,
    Quantity::Load,
    Quantity::OverturningMoment,
    Quantity::RollingMoment,
    Quantity::AligningMoment,
    Quantity::CorneringStiffness,
];

/// A tire with offsets, in which every odd coefficient has an effect.
fn coefficients() -> Coefficients {
    let mut c = Coefficients::template();
    for (n, key) in [
        "RHX1", "QSX1", "PEY3", "PHY1", "PHY2", "PVY1", "PVY2", "RBY3", "RVY1", "RVY2", "QBZ4",
        "QDZ3", "QDZ6", "QDZ7", "QEZ4", "QHZ1", "QHZ2", "SSZ1",
    ]
    .into_iter()
    .enumerate()
    {
        c.set(key, 0.01 + 0.002 * n as f64);
    }
    // Asymmetric ranges that are reached.
    (c.ALPMIN, c.CAMMAX) = (-0.3, 0.05);
    c
}

fn tire(c: &Coefficients) -> MagicFormula<f64> {
    MagicFormula::new(c, Version::V61, Settings::mf_tyre()).unwrap()
}

/// Fx, Fy, Mx, My, Mz in ISO-W.
fn answer(tire: &MagicFormula<f64>, [kappa, alpha, gamma, fz]: [f64; 4]) -> [f64; 5] {
    let at = tire.at_load(&Load {
        inclination: gamma,
        ..Load::new(fz)
    });
    let slip = magic_formula::Slip {
        ratio: kappa,
        angle: alpha,
        ..magic_formula::Slip::rolling(16.7)
    };
    let planar = tire.planar(&at, &slip);
    [
        planar.longitudinal,
        planar.lateral,
        tire.overturning(&at, &planar),
        tire.rolling_resistance(&at, &planar),
        tire.aligning(&at, &planar).moment,
    ]
}

#[rstest]
// The half turn about x alone determines forces and moments.
#[case(Quantity::LateralForce, [false, true, true])]
#[case(Quantity::RollingMoment, [false, true, true])]
#[case(Quantity::AligningMoment, [false, true, true])]
#[case(Quantity::OverturningMoment, [false, false, false])]
#[case(Quantity::Inclination, [false, false, false])]
#[case(Quantity::SlipAngle, [false, false, true])]
#[case(Quantity::Load, [false, false, true])]
// Cornering stiffness is positive only in the book.
#[case(Quantity::CorneringStiffness, [false, true, false])]
fn signs_by_frame(#[case] quantity: Quantity, #[case] flips: [bool; 3]) {
    assert_eq!(TireFrame::ALL.map(|frame| frame.flips(quantity)), flips);
}

#[rstest]
#[case(-1.0, -1.0)]
#[case(0.0, 0.0)]
#[case(0.5, 1.0)]
#[case(0.9, 9.0)]
#[case(1.0, f64::INFINITY)]
fn driving_slips(#[case] s: f64, #[case] kappa: f64) {
    let found = slip_ratio_of_driving_slip(s);
    assert!((found - kappa).abs() < 1e-12 || found == kappa);
}

#[test]
fn a_moment_at_the_wheels_center_has_the_arm_of_the_radius() {
    let at_contact = Wrench {
        force: [1000.0, 500.0, 4000.0],
        moment: [10.0, -20.0, 30.0],
    };
    let upright = at_contact.in_carrier(0.3, 0.0);
    assert_eq!(upright.force, at_contact.force);
    // Drive Fx turns the wheel's center backward about y; Fy lifts the left side.
    assert_eq!(upright.moment, [160.0, -320.0, 30.0]);
    // The load of a wheel that inclines to the right pushes along its axle to the right of the carrier's z.
    let leaning = at_contact.in_carrier(0.3, 0.1);
    let along_axle = 500.0 * libm::cos(0.1) + 4000.0 * libm::sin(0.1);
    assert!((leaning.force[1] - along_axle).abs() < 1e-9);
}

/// Rows of the reference table of 1989, in its degrees, kN and signs (Chrono's `hmmwv`).
#[rstest]
#[case([-6.3992310925043885, 8.529265803041701], [-4549.755080066061, 97.05345480672129])]
#[case([2.9439567570708505, 8.788346286726], [2540.9955304021228, -75.82282602242707])]
fn the_formula_of_1989_uses_the_books_axes(#[case] at: [f64; 2], #[case] expected: [f64; 2]) {
    let ([degrees, kilonewtons], [lateral, aligning_moment]) = (at, expected);
    let law = crate::Pacejka89Params::<f64> {
        longitudinal: [
            1.50018802672136,
            -15.7761466722458,
            1022.11238546683,
            -2.55317715303733,
            208.777316195246,
            0.0073134908964823,
            -0.00376410345674027,
            0.156330736057758,
            -1.15310023217878,
            0.0,
            0.0,
        ],
        lateral: [
            1.49975356208205,
            -4.84987524731462,
            812.449795340733,
            2613.92367840654,
            48.857910109076,
            0.0,
            -0.00879541881020228,
            0.376999015041155,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
        ],
        aligning: [
            2.34, 0.990427, 2.96848, -0.277098, -0.944859, 0.0, 0.0027699, -0.0001151, 0.1,
            -1.3329, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        ],
        greatest_load: 1e6,
    };
    let book = TireFrame::AdaptedSae;
    let slip = book.slip(SteadyInput {
        ratio: 0.0,
        tan_angle: degrees.to_radians().tan(),
        camber: 0.0,
        load: 1e3 * kilonewtons,
        friction: 1.0,
        speed: 0.0,
    });
    let found = book.forces(SteadyLaw::<f64>::forces(&law, &slip));
    assert!((found.lateral - lateral).abs() < 1e-9 * lateral.abs());
    assert!((found.aligning_moment - aligning_moment).abs() < 1e-9 * lateral.abs());
}

#[test]
fn a_mirrored_model_is_the_model_of_mirrored_coefficients() {
    let model = |mirrored| {
        let params = MagicFormulaParams {
            version: Version::V61,
            mirrored,
            settings: Settings::vehicle(),
            coefficients: coefficients(),
        };
        MagicFormulaTire::new(Checked::new(params).unwrap())
    };
    let at = TireInput {
        slip_ratio: 0.04,
        tan_slip_angle: 0.06,
        forward_speed: 20.0,
        lateral_speed: 1.2,
        camber: 0.05,
        load: 3900.0,
        friction: 0.9,
        radius: 0.3,
        ..TireInput::default()
    };
    let (seen, own) = (Mirrored(model(false)).forces(&at), model(true).forces(&at));
    for (a, b) in [
        (seen.longitudinal, own.longitudinal),
        (seen.lateral, own.lateral),
        (seen.aligning_moment, own.aligning_moment),
        (seen.overturning_moment, own.overturning_moment),
        (seen.rolling_resistance, own.rolling_resistance),
    ] {
        assert!((a - b).abs() <= 1e-4 * b.abs().max(1.0), "{seen:?} {own:?}");
    }
    assert!((own.lateral - model(false).forces(&at).lateral).abs() > 10.0);
}

proptest! {
    #[test]
    fn conversions_round_trip(x in any::<f64>().prop_filter("", |x| x.is_finite())) {
        for from in TireFrame::ALL {
            for to in TireFrame::ALL {
                for quantity in QUANTITIES {
                    let there = from.convert(to, quantity, x);
                    prop_assert_eq!(to.convert(from, quantity, there).to_bits(), x.to_bits());
                    // Via a third frame, too.
                    for over in TireFrame::ALL {
                        let by = over.convert(to, quantity, from.convert(over, quantity, x));
                        prop_assert_eq!(by.to_bits(), there.to_bits());
                    }
                }
            }
        }
        if (-1.0..1e3).contains(&x) {
            let back = slip_ratio_of_driving_slip(driving_slip_of_slip_ratio(x));
            prop_assert!((back - x).abs() <= 1e-12 * (1.0 + x * x));
        }
    }

    #[test]
    fn contact_to_carrier_round_trips(
        v in prop::array::uniform6(-1e4..1e4_f64), radius in 0.1..1.0_f64, gamma in -0.5..0.5_f64,
    ) {
        let [a, b, c, d, e, f] = v;
        let wrench = Wrench { force: [a, b, c], moment: [d, e, f] };
        let back = wrench.in_carrier(radius, gamma).in_contact(radius, gamma);
        for i in 0..3 {
            prop_assert!((back.force[i] - wrench.force[i]).abs() < 1e-8);
            prop_assert!((back.moment[i] - wrench.moment[i]).abs() < 1e-8);
        }
    }

    /// Each frame's own definitions of slip and force.
    #[test]
    fn a_tire_dissipates_in_every_frame(
        kappa in -0.9..0.9_f64, alpha in -0.5..0.5_f64, fz in 500.0..8000.0_f64,
    ) {
        let tire = tire(&Coefficients::template());
        let iso = answer(&tire, [kappa, alpha, 0.0, fz]);
        for frame in TireFrame::ALL {
            let of = |quantity, x| TireFrame::IsoW.convert(frame, quantity, x);
            let alpha = of(Quantity::SlipAngle, alpha);
            let lateral_speed = match frame {
                TireFrame::IsoW | TireFrame::SaeJ670 => alpha.tan(),
                TireFrame::AdaptedSae => -alpha.tan(),
            };
            let power = of(Quantity::LongitudinalForce, iso[0]) * -kappa
                + of(Quantity::LateralForce, iso[1]) * lateral_speed;
            prop_assert!(power <= 0.0, "{frame:?}: {power}");
        }
    }

    #[test]
    fn mirrored_input_and_output_are_those_of_mirrored_coefficients(
        kappa in -0.9..0.9_f64, alpha in -0.5..0.5_f64, gamma in -0.15..0.15_f64,
        fz in 500.0..8000.0_f64,
    ) {
        let left = coefficients();
        let right = mirror::coefficients(&left, Version::V61, Variant::MfTyre);
        let seen = answer(
            &tire(&left),
            [
                kappa,
                Quantity::SlipAngle.mirrored(alpha),
                Quantity::Inclination.mirrored(gamma),
                fz,
            ],
        );
        let own = answer(&tire(&right), [kappa, alpha, gamma, fz]);
        let quantities = [
            Quantity::LongitudinalForce,
            Quantity::LateralForce,
            Quantity::OverturningMoment,
            Quantity::RollingMoment,
            Quantity::AligningMoment,
        ];
        for (i, quantity) in quantities.into_iter().enumerate() {
            let seen = quantity.mirrored(seen[i]);
            prop_assert!((own[i] - seen).abs() <= 1e-9 * (1.0 + seen.abs()), "{quantity:?}");
        }
    }
}

#[rstest]
fn driving_slip_and_slip_ratio_are_each_others_inverse(
    #[values(-1.0, -0.3, 0.0, 0.2, 1.0, 9.0)] kappa: f64,
) {
    let s = driving_slip_of_slip_ratio(kappa);
    assert!((slip_ratio_of_driving_slip(s) - kappa).abs() < 1e-12, "{s}");
    // The faster of rim and road is the denominator.
    let (road, rim) = (1.0, 1.0 + kappa);
    assert!((s - (rim - road) / rim.max(road)).abs() < 1e-15, "{s}");
}
