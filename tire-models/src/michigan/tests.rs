use super::*;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;

fn tire() -> Michigan {
    Michigan::new(Checked::new(MichiganParams::physx()).unwrap())
}

fn input(slip_ratio: f32, tan_slip_angle: f32, camber: f32) -> TireInput {
    TireInput {
        slip_ratio,
        tan_slip_angle,
        camber,
        radius: 0.3,
        load: 4000.0,
        rest_load: 4000.0,
        friction: 0.9,
        gravity: 9.81,
        ..TireInput::default()
    }
}

#[test]
fn small_slips_give_the_stiffnesses() {
    let law = tire();
    let along = law.forces(&input(1e-4, 0.0, 0.0));
    assert_relative_eq!(along.longitudinal, 0.981, max_relative = 1e-3);
    assert_relative_eq!(along.wheel_torque, -0.3 * along.longitudinal);
    let across = law.forces(&input(0.0, 1e-4, 0.0));
    let stiffness = 4000.0 * law.params.lat_stiff_y * (1.5 - 0.75 + 0.125);
    assert_relative_eq!(across.lateral, -1e-4 * stiffness, max_relative = 1e-3);
}

#[test]
fn full_slip_gives_the_friction_force() {
    let law = tire();
    assert_relative_eq!(law.forces(&input(-2.0, 0.0, 0.0)).longitudinal, -3600.0);
    assert_relative_eq!(law.forces(&input(0.0, 4.0, 0.0)).lateral, -3600.0);
}

#[rstest]
#[case::no_load(TireInput { load: 0.0, ..input(0.3, 0.2, 0.1) })]
#[case::no_friction(TireInput { friction: 0.0, ..input(0.3, 0.2, 0.1) })]
#[case::no_slip(input(0.0, 0.0, 0.0))]
#[case::slips_below_the_threshold(input(9e-6, -9e-6, 9e-6))]
fn edges_without_force(#[case] input: TireInput) {
    let f = tire().forces(&input);
    let all = [f.longitudinal, f.lateral, f.aligning_moment, f.wheel_torque];
    assert_eq!(all, [0.0; 4]);
}

#[test]
fn without_a_limit_the_lateral_stiffness_does_not_depend_on_the_load() {
    let params = MichiganParams {
        lat_stiff_x: 0.0,
        ..MichiganParams::physx()
    };
    let law = Michigan::new(Checked::new(params).unwrap());
    let stiffness = 4000.0 * law.params.lat_stiff_y;
    for load in [40.0, 4000.0, 20_000.0] {
        let forces = law.forces(&TireInput {
            load,
            friction: 1000.0,
            ..input(0.0, 2e-5, 0.0)
        });
        assert_relative_eq!(forces.lateral, -2e-5 * stiffness, max_relative = 1e-4);
    }
}

#[rstest]
#[case(MichiganParams { lat_stiff_x: -0.1, ..MichiganParams::physx() }, "lat_stiff_x")]
#[case(MichiganParams { lat_stiff_y: f32::NAN, ..MichiganParams::physx() }, "lat_stiff_y")]
#[case(MichiganParams { minimum_slip: -1.0, ..MichiganParams::physx() }, "minimum_slip")]
fn bad_parameters_are_named(#[case] params: MichiganParams, #[case] name: &str) {
    assert_eq!(Checked::new(params).unwrap_err().0[0].path, name);
}

#[test]
fn the_polynomial_of_nu_is_exact_to_5e_7() {
    for i in 0..=30_000_i32 {
        let k = i as f32 * 2.5e-4;
        let expected = if f64::from(k) > core::f64::consts::TAU {
            1.0
        } else {
            0.5 * (1.0 - cos(f64::from(k) / 2.0))
        };
        let found = f64::from(sin2_of_quarter(W4::splat(k * k)).lane(0));
        assert!(
            (found - expected).abs() < 5e-7,
            "K = {k}: {found} {expected}"
        );
    }
}

/// The cosine in double precision, by its series.
fn cos(angle: f64) -> f64 {
    let mut term = 1.0;
    (1..30).fold(1.0, |sum, n| {
        let n = f64::from(2 * n);
        term *= -angle * angle / (n * (n - 1.0));
        sum + term
    })
}

#[rstest]
#[case(0.3, 0.05)]
#[case(-13.0, 0.3)]
#[case(2.0, -1.2)]
fn the_difference_of_angles_needs_no_arctangent(#[case] x: f32, #[case] c: f32) {
    let found = tan_of_difference(W4::splat(x), tan(W4::splat(c), Mask4::ALL)).lane(0);
    let expected = math::tan(math::atan(x) - c);
    assert_relative_eq!(found, expected, max_relative = 1e-5);
}

/// Without camber and slip ratio K is the slip over its limit, and the moment over the force
/// S2/S1 = K·(1 − K/3)³ / (1 − (1 − K/3)³).
#[rstest]
fn the_aligning_moment_is_that_of_a_parabola(
    #[values(0.1, 1.0, 2.5, 3.0, 5.0)] k: f64,
    #[values(1.0, -1.0)] side: f64,
) {
    let stiffnesses = Stiffnesses {
        longitudinal: 70_000.0,
        lateral: 50_000.0,
        camber_over_lateral: 0.1,
    };
    let limit = 3000.0;
    let f = forces(&stiffnesses, 0.0, side * k * limit / 50_000.0, 0.0, limit);
    let left = (1.0 - k / 3.0).max(0.0).powi(3);
    assert_relative_eq!(f.lateral, -side * limit * (1.0 - left), max_relative = 1e-9);
    let moment = side * limit * k * left;
    assert_relative_eq!(
        f.aligning_moment,
        moment,
        max_relative = 1e-9,
        epsilon = 1e-9
    );
    assert_eq!(f.longitudinal, 0.0);
}

fn any_finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        -1.0..1.0_f32,
        -1e-4..1e-4_f32,
        -1e6..1e6_f32,
        proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO,
    ]
}

prop_compose! {
    fn any_input()(
        v in proptest::array::uniform7(any_finite()),
        size in proptest::array::uniform4(any_finite()),
    ) -> TireInput {
        TireInput {
            slip_ratio: v[0],
            tan_slip_angle: v[1],
            camber: v[2],
            radius: size[0].abs().max(f32::MIN_POSITIVE),
            load: size[1].abs(),
            rest_load: size[2].abs().max(f32::MIN_POSITIVE),
            friction: size[3].abs(),
            gravity: v[6].abs().max(f32::MIN_POSITIVE),
            forward_speed: v[3],
            lateral_speed: v[4],
            rim_speed: v[5],
            ..TireInput::default()
        }
    }
}

prop_compose! {
    fn real_input()(
        kappa in -2.0..2.0_f32, tan in -10.0..10.0_f32, camber in -0.2..0.2_f32,
        load in 0.0..2e4_f32, friction in 0.0..2.0_f32, radius in 0.1..1.0_f32,
    ) -> TireInput {
        TireInput { load, friction, radius, ..input(kappa, tan, camber) }
    }
}

proptest! {
    #[test]
    fn finite_for_every_finite_input(input in any_input()) {
        let f = tire().forces(&input);
        for x in [f.longitudinal, f.lateral, f.aligning_moment, f.wheel_torque] {
            prop_assert!(x.is_finite(), "{f:?}");
        }
    }

    #[test]
    fn within_the_friction_circle(input in any_input()) {
        let f = tire().forces(&input);
        let limit = f64::from(input.friction) * f64::from(input.load);
        let force = f64::from(f.longitudinal).hypot(f64::from(f.lateral));
        prop_assert!(force <= limit * (1.0 + 1e-5) + 1e-30, "{force} > {limit}");
    }

    #[test]
    fn odd_and_dissipative_without_camber(input in real_input()) {
        let law = tire();
        let input = TireInput { camber: 0.0, ..input };
        let f = law.forces(&input);
        let mirrored = law.forces(&TireInput {
            slip_ratio: -input.slip_ratio,
            tan_slip_angle: -input.tan_slip_angle,
            ..input
        });
        prop_assert_eq!(f.longitudinal, -mirrored.longitudinal);
        prop_assert_eq!(f.lateral, -mirrored.lateral);
        prop_assert!(f.longitudinal * input.slip_ratio >= 0.0);
        prop_assert!(f.lateral * input.tan_slip_angle <= 0.0);
    }

    #[test]
    fn lanes_give_the_bits_of_single_wheels(
        inputs in proptest::array::uniform4(real_input()),
        steep in -3.0..3.0_f32,
    ) {
        let law = tire();
        let mut inputs = inputs;
        inputs[2].camber = steep * 1e3;
        let four = TireInput::of(&inputs);
        let lanes = law.forces4(&four, Mask4::ALL);
        for (i, input) in inputs.iter().enumerate() {
            let one = law.forces(input);
            prop_assert_eq!(lanes.longitudinal.lane(i).to_bits(), one.longitudinal.to_bits());
            prop_assert_eq!(lanes.lateral.lane(i).to_bits(), one.lateral.to_bits());
            let moment = lanes.aligning_moment.lane(i);
            prop_assert_eq!(moment.to_bits(), one.aligning_moment.to_bits());
            prop_assert_eq!(lanes.wheel_torque.lane(i).to_bits(), one.wheel_torque.to_bits());
        }
    }
}
