//! Moments of a law in proportion to its row's force.

use super::*;

/// A law with moments: a trail of the lateral force, plus constants.
#[derive(Debug)]
struct Turning {
    trail: f32,
    align: f32,
    overturn: f32,
    thrust: f32,
}

impl TireModel for Turning {
    fn forces(&self, input: &TireInput) -> TireForces {
        let [longitudinal, lateral] = plain(input);
        TireForces {
            longitudinal,
            lateral: lateral + self.thrust,
            aligning_moment: self.align - self.trail * lateral,
            overturning_moment: self.overturn + 0.01 * lateral,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits {
            has_moments: true,
            has_offsets: self.align != 0.0 || self.overturn != 0.0 || self.thrust != 0.0,
            ..TireTraits::PLAIN
        }
    }
}

fn moments(model: Turning, motion: &ContactMotion, loaded: Mask4) -> Moments {
    let params = VehicleParams {
        profile: Profile::DEFAULT,
        ..testing::four_wheeler()
    };
    let models: [Arc<dyn TireModel>; 1] = [Arc::new(model)];
    let params = Checked::new(params).unwrap();
    let model = VehicleModel::new(params, &models, testing::no_drive()).unwrap();
    let input = TireQuery {
        settings: &SETTINGS,
        consts: model.wheels().first(),
        tires: &model.tires()[0],
        ground_friction: W4::ONE,
        stiffness: W4::ONE,
        loaded,
    };
    TireLinearization::default().evaluate_with_moments(input, *motion, stand(0.0))
}

const SKEWED: Turning = Turning {
    trail: 0.05,
    align: 40.0,
    overturn: 70.0,
    thrust: 300.0,
};

const EVEN: Turning = Turning {
    align: 0.0,
    overturn: 0.0,
    thrust: 0.0,
    ..SKEWED
};

proptest! {
    /// The odd part scales with the lateral force up to the law's, the even part is constant.
    #[test]
    fn the_odd_part_scales_with_the_force(
        tangent in prop_oneof![-0.08f32..-0.01, 0.01f32..0.08], share in -2f32..2.0,
    ) {
        let moments = moments(SKEWED, &motion(20.0, 20.0 * tangent, 20.0), Mask4::ALL);
        let odd = -8.0 * REST * tangent;
        let [aligning, overturning] = moments.at(W4::splat(300.0 + share * odd));
        let within = share.clamp(-1.0, 1.0);
        let expected = [40.0 - 0.05 * odd * within, 70.0 + 0.01 * odd * within];
        for (actual, expected) in [aligning, overturning].into_iter().zip(expected) {
            // Rounding of halves of 5 kN.
            prop_assert!((actual.lane(1) - expected).abs() < 0.01, "{actual:?} {expected}");
        }
    }

    /// Below 1 m/s, moments fade in proportion to the speed.
    #[test]
    fn moments_fade_as_a_wheel_comes_to_rest(speed in 0.0f32..2.0, odd in any::<bool>()) {
        let model = if odd { EVEN } else { SKEWED };
        let (slow, fast) = (motion(speed, 0.0, speed), motion(5.0, 0.0, 5.0));
        let (left, there) = (moments(model, &slow, Mask4::ALL), moments(
            if odd { EVEN } else { SKEWED }, &fast, Mask4::ALL,
        ));
        for n in 0..2 {
            let expected = there.even[n].lane(0) * speed.min(1.0);
            prop_assert!((left.even[n].lane(0) - expected).abs() < 1e-3, "{n}");
            let expected = there.odd[n].lane(0) * speed.min(1.0);
            prop_assert!((left.odd[n].lane(0) - expected).abs() < 1e-3, "{n}");
        }
    }
}

#[test]
fn a_law_without_side_force_has_no_odd_moment() {
    let still = Moments {
        odd: [W4::splat(50.0); 2],
        even: [W4::splat(3.0); 2],
        lateral_force: [W4::ZERO; 2],
    };
    assert_eq!(still.at(W4::splat(100.0)), [W4::splat(3.0); 2]);
}

#[test]
fn a_wheel_without_load_has_no_moments() {
    let loaded = Mask4::from_array([true, false, true, true]);
    let moments = moments(SKEWED, &motion(20.0, 1.0, 20.0), loaded);
    let left = moments.at(W4::splat(1000.0));
    assert_eq!(left.map(|moment| moment.lane(1)), [0.0; 2]);
    assert!(left.iter().all(|moment| moment.lane(2) != 0.0));
}
