use super::*;
use crate::magic_formula::coefficients::Coefficients;
use crate::magic_formula::settings::Version;
use approx::assert_relative_eq;
use proptest::prelude::*;
use vehicle_core::lanes::LANES;

fn params() -> MagicFormulaParams {
    let mut coefficients = Coefficients::template();
    (coefficients.PHY1, coefficients.PVY1) = (0.003, 0.02);
    MagicFormulaParams {
        version: Version::V61,
        mirrored: false,
        settings: Settings::vehicle(),
        coefficients,
    }
}

fn tire(params: MagicFormulaParams) -> MagicFormulaTire {
    MagicFormulaTire::new(Checked::new(params).unwrap())
}

fn input(slip_ratio: f32, tan_slip_angle: f32) -> TireInput {
    TireInput {
        slip_ratio,
        tan_slip_angle,
        forward_speed: 15.0,
        radius: 0.31,
        load: 4000.0,
        rest_load: 4000.0,
        friction: 1.0,
        gravity: 9.81,
        ..TireInput::default()
    }
}

#[test]
fn forces_are_those_of_the_formulas() {
    let tire = tire(params());
    let formula = tire.formula();
    let at = formula.at_load(&Load::new(4000.0));
    let slip = Slip {
        ratio: 0.06,
        angle: libm::atanf(0.05),
        ..Slip::rolling(15.0)
    };
    let planar = formula.planar(&at, &slip);
    let found = tire.forces(&input(0.06, 0.05));
    assert_eq!(found.longitudinal, planar.longitudinal);
    assert_eq!(found.lateral, planar.lateral);
    assert_eq!(found.aligning_moment, formula.aligning(&at, &planar).moment);
    assert_eq!(found.overturning_moment, formula.overturning(&at, &planar));
    let resistance = -formula.rolling_resistance(&at, &planar);
    assert!(resistance > 0.0);
    assert_eq!(found.rolling_resistance, resistance);
    assert_relative_eq!(found.wheel_torque, -0.31 * planar.longitudinal);
}

#[test]
fn properties_are_those_of_the_curves() {
    let mut params = params();
    // Without vertical shift, both directions are alike.
    params.coefficients.PVY1 = 0.0;
    let tire = tire(params);
    let told = tire.properties(&input(0.5, 0.5));
    let slips = (1..3000).map(|i| 1e-3 * i as f32);
    let most = |of: fn(&TireForces) -> f32, at: fn(f32) -> TireInput| {
        let forces = slips.clone().map(|s| of(&tire.forces(&at(s))).abs());
        forces.fold(0.0, f32::max)
    };
    let along = most(|f| f.longitudinal, |s| input(s, 0.0));
    let across = most(|f| f.lateral, |s| input(0.0, s));
    assert_relative_eq!(told.grip[0], along, max_relative = 2e-3);
    assert_relative_eq!(told.grip[1], across, max_relative = 2e-3);

    let slope = |a: f32, b: f32| (a - b).abs() / 2e-3;
    let f = |x, y| tire.forces(&input(x, y));
    let stiffness = [
        slope(f(1e-3, 0.0).longitudinal, f(-1e-3, 0.0).longitudinal),
        slope(f(0.0, 1e-3).lateral, f(0.0, -1e-3).lateral),
    ];
    for (told, found) in told.slip_stiffness.into_iter().zip(stiffness) {
        assert_relative_eq!(told, found, max_relative = 0.01);
    }
    let c = tire.formula().coefficients();
    for (n, carcass) in [c.LONGITUDINAL_STIFFNESS, c.LATERAL_STIFFNESS]
        .into_iter()
        .enumerate()
    {
        let length = told.slip_stiffness[n] / carcass;
        assert_relative_eq!(told.relaxation_length[n], length, max_relative = 1e-5);
    }
}

/// A carcass above the range of loads is as stiff as at its end, and forces go on with the load.
#[test]
fn an_overloaded_carcass_is_as_stiff_as_at_the_end_of_the_range() {
    let tire = tire(params());
    let most = tire.formula().coefficients().FZMAX;
    let at = |load: f32| {
        let told = tire.properties(&TireInput {
            load,
            ..input(0.0, 0.0)
        });
        let carcass: [f32; 2] =
            core::array::from_fn(|n| told.slip_stiffness[n] / told.relaxation_length[n]);
        (told.grip, carcass)
    };
    let ((grip, carcass), (more, overloaded)) = (at(most), at(3.0 * most));
    for n in 0..2 {
        assert_relative_eq!(more[n], 3.0 * grip[n], max_relative = 1e-5);
        assert_relative_eq!(overloaded[n], carcass[n], max_relative = 1e-5);
    }
}

#[test]
fn reversing_is_continuous_and_reverses_the_aligning_moment() {
    let tire = tire(params());
    let at_speed = |forward_speed| {
        tire.forces(&TireInput {
            forward_speed,
            ..input(0.02, 0.03)
        })
    };
    let (back, forth) = (at_speed(-5.0), at_speed(5.0));
    assert_eq!(back.lateral, forth.lateral);
    assert_eq!(back.aligning_moment, -forth.aligning_moment);
    assert_eq!(back.rolling_resistance, forth.rolling_resistance);
    let standing = at_speed(0.0).rolling_resistance;
    assert!(standing > 0.0 && standing < forth.rolling_resistance);
    let (before, after) = (at_speed(-1e-5), at_speed(1e-5));
    assert_relative_eq!(
        before.aligning_moment,
        after.aligning_moment,
        epsilon = 1e-2
    );
}

#[test]
fn a_wheel_that_turns_has_turn_slip() {
    let file = crate::presets::by_name("suv-255-55-r20").unwrap();
    let mut measured = MagicFormulaParams::from_file(&file);
    measured.settings.turn_slip = true;
    let tire = tire(measured);
    let turning = |forward_speed, yaw_speed| {
        let input = TireInput {
            forward_speed,
            yaw_speed,
            ..input(0.0, 0.0)
        };
        tire.forces(&input).aligning_moment
    };
    for speed in [4.0, -4.0] {
        let [left, straight, right] = [1.0, 0.0, -1.0].map(|yaw| turning(speed, yaw));
        assert!(
            left < straight - 5.0 && right > straight + 5.0,
            "it resists turning: {left} {straight} {right}"
        );
    }
    assert_eq!(
        turning(0.0, 1.0),
        turning(0.0, 0.0),
        "no path, no curvature"
    );
    let slow_to_turn = self::tire(params());
    let plain = |yaw_speed| {
        slow_to_turn.forces(&TireInput {
            yaw_speed,
            ..input(0.02, 0.01)
        })
    };
    assert_eq!(plain(2.0), plain(0.0), "by default it has none");
}

/// The formulas of turn slip include camber thrust: an inclined wheel that runs straight turns its
/// contact as a path to the same side of an upright wheel does.
#[test]
fn turn_slip_leaves_camber_thrust_unchanged() {
    let file = crate::presets::by_name("suv-255-55-r20").unwrap();
    let measured = MagicFormulaParams::from_file(&file);
    let mut turning = measured.clone();
    turning.settings.turn_slip = true;
    let leaning = |tire: &MagicFormulaTire, camber| {
        let input = TireInput {
            camber,
            ..input(0.0, 0.0)
        };
        let forces = tire.forces(&input);
        (forces.lateral, forces.aligning_moment)
    };
    let (plain, turning) = (tire(measured), tire(turning));
    for camber in [-0.04, 0.04] {
        let rise = |tire| leaning(tire, camber).0 - leaning(tire, 0.0).0;
        let (thrust, with) = (rise(&plain), rise(&turning));
        assert!(thrust * camber < 0.0);
        assert_relative_eq!(with, thrust, max_relative = 0.05);
        let moment = |tire| leaning(tire, camber).1 - leaning(tire, 0.0).1;
        assert!(moment(&turning) * moment(&plain) > 0.0);
    }
}

#[test]
fn the_given_pressure_is_used() {
    let mut inflated = params();
    inflated.coefficients.PPY1 = 0.4;
    let soft = tire(inflated.clone());
    inflated.coefficients.INFLPRES *= 1.25;
    let own = inflated.coefficients.INFLPRES as f32;
    let hard = tire(inflated);
    let at = |pressure| TireInput {
        pressure,
        ..input(0.02, 0.03)
    };
    assert_eq!(soft.forces(&at(own)), hard.forces(&at(0.0)));
    assert_eq!(soft.properties(&at(own)), hard.properties(&at(0.0)));
    assert_ne!(soft.forces(&at(own)), soft.forces(&at(0.0)));
}

#[test]
fn the_other_side_mirrors_forces() {
    let left = tire(params());
    let right = tire(MagicFormulaParams {
        mirrored: true,
        ..params()
    });
    let leaning = |tan_slip_angle, camber| TireInput {
        camber,
        ..input(0.03, tan_slip_angle)
    };
    let (l, r) = (
        left.forces(&leaning(0.04, 0.05)),
        right.forces(&leaning(-0.04, -0.05)),
    );
    assert_relative_eq!(l.longitudinal, r.longitudinal, max_relative = 1e-6);
    assert_relative_eq!(l.lateral, -r.lateral, max_relative = 1e-6);
    assert_relative_eq!(l.aligning_moment, -r.aligning_moment, max_relative = 1e-5);
}

#[test]
fn faults_name_the_coefficient() {
    let mut bad = params();
    (bad.coefficients.FNOMIN, bad.coefficients.PCX1) = (-1.0, f64::INFINITY);
    let error = Checked::new(bad).unwrap_err().to_string();
    assert!(
        error.contains("coefficients.FNOMIN = -1: must be > 0"),
        "{error}"
    );
    assert!(error.contains("coefficients.PCX1"), "{error}");
}

proptest! {
    #[test]
    fn finite_for_every_finite_input_and_the_same_in_lanes(
        x in prop::array::uniform7(prop::array::uniform4(
            proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL,
        )),
    ) {
        let tire = tire(params());
        let lanes = x.map(W4::from_array);
        let four = TireInput {
            slip_ratio: lanes[0],
            tan_slip_angle: lanes[1],
            forward_speed: lanes[2],
            camber: lanes[3],
            load: lanes[4].abs(),
            friction: lanes[5].abs(),
            radius: lanes[6].abs(),
            rest_load: W4::ONE,
            gravity: 9.81,
            ..TireInput::default()
        };
        let found = tire.forces4(&four, Mask4::ALL);
        let told = tire.properties4(&four, Mask4::ALL);
        let opposite = tire.forces4(&four.opposite(), Mask4::ALL);
        let without_moments = |forces| TireForces {
            aligning_moment: W4::ZERO,
            overturning_moment: W4::ZERO,
            ..forces
        };
        // Without resistance, which nothing asks for there.
        let opposite = TireForces { rolling_resistance: W4::ZERO, ..opposite };
        let request = TireRequest { opposite: true, opposite_moments: true, properties: true };
        let all = TireOutputs { forces: found, opposite, properties: told };
        prop_assert_eq!(tire.evaluate4(&four, Mask4::ALL, request), all);
        let fewer = TireRequest { opposite_moments: false, ..request };
        let less = TireOutputs { opposite: without_moments(opposite), ..all };
        prop_assert_eq!(tire.evaluate4(&four, Mask4::ALL, fewer), less);
        for lane in 0..LANES {
            let own = tire.properties(&four.lane(lane));
            for (a, b) in [
                (own.grip, told.grip),
                (own.slip_stiffness, told.slip_stiffness),
                (own.relaxation_length, told.relaxation_length),
            ] {
                for n in 0..2 {
                    prop_assert!(a[n].is_finite() && a[n] >= 0.0);
                    prop_assert_eq!(a[n].to_bits(), b[n].lane(lane).to_bits());
                }
            }
            let one = tire.forces(&four.lane(lane));
            for (a, b) in [
                (one.longitudinal, found.longitudinal),
                (one.lateral, found.lateral),
                (one.aligning_moment, found.aligning_moment),
                (one.overturning_moment, found.overturning_moment),
                (one.rolling_resistance, found.rolling_resistance),
                (one.wheel_torque, found.wheel_torque),
            ] {
                prop_assert!(a.is_finite());
                prop_assert_eq!(a.to_bits(), b.lane(lane).to_bits());
            }
        }
    }
}
