use super::*;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;

const LAW: LuGreParams<f64> = LuGreParams {
    stiffness: [200.0, 150.0],
    damping: [1.0, 1.0],
    viscous_friction: 0.002,
    static_friction: 1.2,
    kinetic_friction: 0.8,
    stribeck_speed: 6.0,
    patch_length: 0.15,
    elastic: 0.8,
};

fn tire() -> LuGre {
    LuGre::new(Checked::new(LAW.map(|&x| x as f32)).unwrap())
}

/// Rolling freely at 20 m/s except for these speeds.
fn input(slip_speed: f32, lateral_speed: f32) -> TireInput {
    TireInput {
        slip_ratio: slip_speed / 20.0,
        tan_slip_angle: lateral_speed / 20.0,
        forward_speed: 20.0 - slip_speed,
        lateral_speed,
        rim_speed: 20.0,
        radius: 0.3,
        load: 4000.0,
        rest_load: 4000.0,
        friction: 1.0,
        gravity: 9.81,
        ..TireInput::default()
    }
}

#[rstest]
#[case::along(0.4, 0.0)]
#[case::across(0.0, -0.7)]
#[case::both(3.0, 2.0)]
fn bristles_converge_to_the_steady_law(#[case] along: f32, #[case] left: f32) {
    let (tire, input, h) = (tire(), input(along, left), 1e-4);
    let mut state = tire.fresh();
    let mut forces = [0.0; 2];
    for _ in 0..20_000 {
        let rows = tire.rows(&state, &input, h).unwrap();
        let speeds = [along, -left];
        forces = core::array::from_fn(|n| rows[n].force + rows[n].gain * speeds[n]);
        let step = TireStep {
            input,
            forces,
            duration: h,
        };
        tire.advance(&mut state, &step);
    }
    let steady = tire.forces(&input);
    assert_relative_eq!(forces[0], steady.longitudinal, max_relative = 1e-3);
    assert_relative_eq!(forces[1], steady.lateral, max_relative = 1e-3);
}

#[test]
fn a_held_tire_is_a_spring() {
    let at = Sliding {
        slip_speeds: [0.01, 0.0],
        rim_speed: 0.0,
        friction: 1.0,
    };
    let most = 1.2 / 200.0;
    assert_eq!(LAW.rates([0.5 * most, 0.0], &at), [0.01, 0.0]);
    assert!(LAW.rates([0.95 * most, 0.0], &at)[0] < 0.01);
    assert_relative_eq!(LAW.rates([most, 0.0], &at)[0], 0.0, epsilon = 1e-7);
    // When slip reverses, it only unbends.
    assert_eq!(LAW.rates([-0.95 * most, 0.0], &at), [0.01, 0.0]);
    let plain = LuGreParams {
        elastic: 0.0,
        ..LAW
    };
    assert!(plain.rates([0.5 * most, 0.0], &at)[0] < 0.01);
}

#[test]
fn slip_stiffness_and_length_are_those_of_the_law() {
    let (tire, told) = (tire(), tire().properties(&input(0.0, 0.0)));
    let small = tire.forces(&input(2e-3, 0.0)).longitudinal / 1e-4;
    assert_relative_eq!(small, told.slip_stiffness[0], max_relative = 5e-3);
    assert_eq!(told.relaxation_length, [0.15; 2]);
    assert_eq!(told.grip, [4800.0; 2]);
}

#[test]
fn faults_name_the_parameter() {
    let bad = LuGreParams {
        static_friction: 0.5,
        elastic: 1.0,
        ..LAW.map(|&x| x as f32)
    };
    let error = Checked::new(bad).unwrap_err().to_string();
    assert!(
        error.contains("static_friction = 0.5: must be at least"),
        "{error}"
    );
    assert!(error.contains("elastic = 1"), "{error}");
}

#[rstest]
#[case::without_load(0.0)]
#[case::pulled_up(-1.0)]
fn in_the_air_bristles_straighten(#[case] load: f32) {
    let (tire, mut state) = (tire(), tire().fresh());
    (state.lengths, state.values) = ([4e-3, -2e-3], [7.0; 6]);
    let step = TireStep {
        input: TireInput {
            load,
            ..input(0.4, -0.2)
        },
        forces: [0.0; 2],
        duration: 1e-3,
    };
    tire.advance(&mut state, &step);
    assert_eq!(state.lengths, [0.0; 2], "bristles that are still bent");
    assert_eq!(state.values, [7.0; 6]);
}

/// A wheel that lands again starts like a new one.
#[test]
fn a_tire_is_reset_in_the_air() {
    let (tire, h) = (tire(), 1e-3);
    let mut state = tire.fresh();
    for (load, forces) in [(4000.0, [900.0, -700.0]), (0.0, [0.0; 2])] {
        let input = TireInput {
            load,
            ..input(0.4, 0.3)
        };
        let step = TireStep {
            input,
            forces,
            duration: h,
        };
        tire.advance(&mut state, &step);
    }
    assert_eq!(state, tire.fresh());
    let landing = input(0.4, 0.3);
    let rows = tire.rows(&state, &landing, h).unwrap();
    assert_eq!(rows.map(|row| row.force), [0.0; 2]);
}

/// The slip as [`steady::one`] makes it of an input.
fn slip_of(input: &TireInput) -> SteadyInput<f64> {
    let slides = f64::hypot(
        f64::from(input.rim_speed - input.forward_speed),
        f64::from(input.lateral_speed),
    );
    SteadyInput {
        ratio: input.slip_ratio.into(),
        tan_angle: input.tan_slip_angle.into(),
        camber: 0.0,
        load: input.load.into(),
        friction: input.friction.into(),
        speed: slides,
    }
}

proptest! {
    /// z⁺ = z + h·(s − loss·z⁺), and the force is that of z⁺ and of ż = (z⁺ − z)/h.
    #[test]
    fn a_substep_is_that_of_the_bristles_equation(
        along in -3.0..3.0_f32, left in -3.0..3.0_f32, h in 1e-4..5e-3_f32,
        z in proptest::array::uniform2(-5e-3..5e-3_f32),
    ) {
        let (tire, input) = (tire(), input(along, left));
        let mut state = TireState { lengths: z, ..tire.fresh() };
        let rows = tire.rows(&state, &input, h).unwrap();
        let speeds = [along, -left];
        let forces = core::array::from_fn(|n| rows[n].force + rows[n].gain * speeds[n]);
        tire.advance(&mut state, &TireStep { input, forces, duration: h });
        let at = sliding(&input);
        let at = Sliding {
            slip_speeds: speeds.map(f64::from),
            rim_speed: at.rim_speed.into(),
            friction: at.friction.into(),
        };
        let loss = LAW.loss(z.map(f64::from), &at);
        for n in 0..2 {
            let (z, speed, h) = (f64::from(z[n]), f64::from(speeds[n]), f64::from(h));
            let end = (z + h * speed) / (1.0 + h * loss[n]);
            prop_assert!((f64::from(state.lengths[n]) - end).abs() < 2e-6, "{end}");
            let force = 4000.0 * LAW.forces_per_load([end; 2], [(end - z) / h; 2], [speed; 2])[n];
            prop_assert!((f64::from(forces[n]) - force).abs() < 1e-3 * force.abs() + 2.0, "{force}");
        }
    }

    /// F = N·(σ₀·s/(|s|·σ₀/g + |Ω·r|/L) + σ₂·s), below the limit of sticking.
    #[test]
    fn steady_forces_are_those_of_the_formula(along in -9.0..9.0_f64, left in -9.0..9.0_f64) {
        let input = input(along as f32, left as f32);
        let (s, found) = ([along, -left], SteadyLaw::forces(&LAW, &slip_of(&input)));
        // Slips here are relative to the ground speed of the input, 20 m/s.
        let rim = 20.0 * (1.0 + (along / 20.0).min(0.0));
        let total = along.hypot(left);
        let g = 0.8 + 0.4 * (-(total / 6.0).powi(2)).exp();
        let forces: [f64; 2] = core::array::from_fn(|n| {
            let stiffness = LAW.stiffness[n];
            4000.0 * (stiffness * s[n] / (total * stiffness / g + rim / 0.15) + 0.002 * s[n])
        });
        let most = (4800.0 / forces[0].hypot(forces[1])).min(1.0);
        let expected = forces.map(|force| force * most);
        prop_assert!((found.longitudinal - expected[0]).abs() < 1e-3 + 1e-4 * expected[0].abs());
        prop_assert!((found.lateral - expected[1]).abs() < 1e-3 + 1e-4 * expected[1].abs());
    }
}

#[rstest]
#[case::sticks(0.0, 1.2)]
#[case::at_the_speed(6.0, 0.8 + 0.4 * 0.367_879_441_171_442_3)]
#[case::slides_fast(60.0, 0.8)]
fn sliding_friction_is_stribecks_curve(#[case] speed: f64, #[case] expected: f64) {
    for friction in [1.0, 0.4] {
        let found = LAW.sliding_friction(speed, friction);
        assert_relative_eq!(found, friction * expected, max_relative = 1e-12);
    }
}

/// Half a sine wave, from where bristles only bend to where they slide.
#[test]
fn the_plastic_share_rises_between_the_two_deflections() {
    let share = |bent| LAW.plastic_share(bent, true);
    assert_eq!(
        [share(0.0), share(0.8), share(1.0), share(2.0)],
        [0.0, 0.0, 1.0, 1.0]
    );
    assert_relative_eq!(share(0.9), 0.5, max_relative = 1e-12);
    assert_relative_eq!(share(0.85), 0.5 - 0.125_f64.sqrt(), max_relative = 1e-9);
    assert_relative_eq!(share(0.85) + share(0.95), 1.0, max_relative = 1e-12);
    assert_eq!(LAW.plastic_share(0.95, false), 0.0);
    let plain = LuGreParams {
        elastic: 0.0,
        ..LAW
    };
    assert_eq!(
        [
            plain.plastic_share(0.1, true),
            plain.plastic_share(0.1, false)
        ],
        [1.0; 2]
    );
}

/// Bristles that only bend lose what the rolling wheel carries out, and yield more the faster it
/// rolls: completely from |Ω·r| = 2|s| on.
#[rstest]
#[case::held(0.0, 0.0)]
#[case::half_way(0.6, 0.5)]
#[case::wholly(1.2, 1.0)]
#[case::faster(5.0, 1.0)]
fn a_rolling_wheel_loses_its_bristles(#[case] rim_speed: f64, #[case] share: f64) {
    let at = Sliding {
        slip_speeds: [0.48, -0.36],
        rim_speed,
        friction: 0.5,
    };
    // Bent the other way: no plastic share.
    let loss = LAW.loss([-1e-3, 1e-3], &at);
    let g = LAW.sliding_friction(0.6, 0.5);
    for (found, stiffness) in loss.into_iter().zip(LAW.stiffness) {
        let expected = share * 0.6 / g * stiffness + rim_speed / 0.15;
        assert_relative_eq!(found, expected, epsilon = 1e-9);
    }
}

/// The deflection counts in both directions, each with its stiffness.
#[rstest]
#[case::along([0.9 * 1.2 / 200.0, 0.0], [1e-6, 0.0])]
#[case::across([0.0, -0.9 * 1.2 / 150.0], [0.0, -1e-6])]
#[case::both([0.54 * 1.2 / 200.0, 0.72 * 1.2 / 150.0], [1e-6, 0.0])]
fn bristles_yield_by_their_resultant(#[case] z: [f64; 2], #[case] slip_speeds: [f64; 2]) {
    let at = Sliding {
        slip_speeds,
        rim_speed: 0.0,
        friction: 1.0,
    };
    let loss = LAW.loss(z, &at);
    let wholly = slip_speeds[0].hypot(slip_speeds[1]) / 1.2;
    assert_relative_eq!(loss[0], 0.5 * wholly * 200.0, max_relative = 1e-6);
    assert_relative_eq!(loss[1], 0.5 * wholly * 150.0, max_relative = 1e-6);
}

#[test]
fn four_wheels_have_the_properties_of_one() {
    let tire = tire();
    let inputs = [
        input(0.4, 0.1),
        input(-2.0, 3.0),
        input(0.0, -0.5),
        input(1.0, 0.0),
    ];
    let mask = Mask4::from_array([true; 4]);
    let told = tire.properties4(&TireInput::of(&inputs), mask);
    for (n, one) in inputs.iter().enumerate() {
        let expected = tire.properties(one);
        assert_eq!(
            told.slip_stiffness.map(|x| x.lane(n)),
            expected.slip_stiffness
        );
        assert_eq!(
            told.relaxation_length.map(|x| x.lane(n)),
            expected.relaxation_length
        );
        assert_eq!(told.grip.map(|x| x.lane(n)), expected.grip);
    }
    let [along, across] = tire.properties(&inputs[0]).slip_stiffness;
    assert_relative_eq!(along, 120_000.0, max_relative = 1e-6);
    assert_relative_eq!(across, 90_000.0, max_relative = 1e-6);
}

#[test]
fn friction_falls_unless_both_are_equal() {
    assert!(tire().traits().friction_falls);
    let plain = LuGreParams {
        static_friction: 0.8,
        ..LAW.map(|&x| x as f32)
    };
    let traits = LuGre::new(Checked::new(plain).unwrap()).traits();
    assert!(!traits.friction_falls && traits.has_properties);
}
