//! Properties of tires and effects of their condition: carcass, relaxation, maximum forces.

use super::*;

fn telling() -> TireTraits {
    TireTraits {
        has_properties: true,
        ..TireTraits::PLAIN
    }
}

/// The law's result with these relaxation lengths, for tires `stiffer` by their condition.
fn evaluate(lengths: [f32; 2], stiffer: f32, motion: &ContactMotion) -> TireLinearization {
    let tires = Tires::relaxing(plain, telling(), lengths);
    let input = TireQuery {
        settings: &SETTINGS,
        consts: &tires.consts,
        tires: &tires.uses,
        ground_friction: W4::ONE,
        stiffness: W4::splat(stiffer),
        loaded: Mask4::ALL,
    };
    let mut law = TireLinearization::default();
    law.evaluate(&input, motion, &stand(0.0));
    law
}

proptest! {
    /// A stiffer condition reduces slip and keeps the relaxation length: the carcass is stiffer by the same
    /// factor.
    #[test]
    fn a_condition_stiffens_carcass_and_law_alike(
        lengths in prop::array::uniform2(0.2f32..1.0), stiffer in 0.2f32..5.0, speed in 5f32..40.0,
    ) {
        let motion = motion(speed, 0.002 * speed, 0.998 * speed);
        let (new, worn) = (evaluate(lengths, 1.0, &motion), evaluate(lengths, stiffer, &motion));
        for (n, length) in lengths.into_iter().enumerate() {
            let ratio = worn.carcass.stiffness[n].lane(1) / new.carcass.stiffness[n].lane(1);
            prop_assert!((ratio / stiffer - 1.0).abs() < 1e-4, "{n}: {ratio} {stiffer}");
            let ratio = worn.secants[n].lane(1) / new.secants[n].lane(1);
            prop_assert!((ratio / stiffer - 1.0).abs() < 1e-3, "{n}: {ratio} {stiffer}");
            // C/K is the relaxation length.
            let relaxation_length = worn.secants[n].lane(1) / worn.carcass.stiffness[n].lane(1);
            prop_assert!((relaxation_length / length - 1.0).abs() < 2e-3, "{n}: {relaxation_length}");
        }
    }

    /// τ·V is at most a tenth of the relaxation length, at any speed.
    #[test]
    fn the_relaxation_length_limits_damping(
        lengths in prop::array::uniform2(0.1f32..1.0), speed in 0.2f32..40.0,
    ) {
        let law = evaluate(lengths, 1.0, &motion(speed, 0.0, speed));
        for (time, length) in law.carcass.damping_time.into_iter().zip(lengths) {
            let expected = (0.1 * length / speed).min(SETTINGS.carcass_damping_time);
            let off = time.lane(2) - expected;
            prop_assert!(off.abs() < 1e-6 * expected, "{time:?} {expected}");
        }
    }

    /// Provided maximum forces define the ellipse, the forward one over the load; otherwise, a circle.
    #[test]
    fn provided_maximum_forces_define_the_ellipse(
        forward in 100f32..9000.0, side in 100f32..9000.0, friction in 0.1f32..2.0,
        load in prop_oneof![Just(0.0f32), 100f32..9000.0], missing in 0usize..4,
    ) {
        let asked = TireInput { load: W4::splat(load), ..TireInput::default() };
        let mut grip = [W4::splat(forward), W4::splat(side)];
        if let Some(none) = grip.get_mut(missing) {
            *none = W4::ZERO;
        }
        let [actual, ratio] = ellipse(W4::splat(friction), &asked, grip);
        let declared = missing > 1 && load > 0.0;
        let expected = if declared { [forward / load, side / forward] } else { [friction, 1.0] };
        for (actual, expected) in [actual, ratio].into_iter().zip(expected) {
            prop_assert!((actual.lane(0) / expected - 1.0).abs() < 1e-6, "{actual:?} {expected}");
        }
    }
}

// With one relaxation length, the other direction has the default carcass.
#[rstest]
#[case::along([0.5, 0.0])]
#[case::across([0.0, 0.5])]
#[case::infinite([f32::INFINITY, 0.5])]
#[case::none([0.0, 0.0])]
fn missing_relaxation_lengths_use_the_settings(#[case] lengths: [f32; 2]) {
    let law = evaluate(lengths, 1.0, &motion(20.0, 0.0, 20.0));
    for (n, length) in lengths.into_iter().enumerate() {
        let declared = length > 0.0 && length.is_finite();
        let stiffness = if declared {
            [10.0, 8.0][n] * REST / length
        } else {
            REST * SETTINGS.carcass_stiffness
        };
        let actual = law.carcass.stiffness[n].lane(3);
        assert!((actual / stiffness - 1.0).abs() < 1e-6, "{n}: {actual}");
    }
}
