//! Slips that lag, wheel by wheel.

use alloc::sync::Arc;

use super::*;
use crate::base::lanes::LANES;
use crate::contracts::tire::{TireForces, TireInput, TireProperties, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::testing::uneven::{close, lanes, masks, uneven_consts, wide};
use proptest::prelude::*;

#[test]
fn one_relaxation_length_leaves_1_over_e() {
    let left = relaxed(0.1, 0.0, 1.0);
    assert!((left / 0.1 - (-1.0_f64).exp()).abs() < 1e-15, "{left}");
    assert_eq!(relaxed(0.25_f32, 0.75, 0.0), 0.25);
    assert_eq!(relaxed(0.25_f32, 0.75, f32::INFINITY), 0.75);
}

proptest! {
    #[test]
    fn two_steps_equal_one(
        before in -1.0..1.0,
        slip in -1.0..1.0,
        first in 0.0..5.0,
        then in 0.0..5.0,
    ) {
        let at_once: f64 = relaxed(before, slip, first + then);
        let in_two = relaxed(relaxed(before, slip, first), slip, then);
        prop_assert!((at_once - in_two).abs() < 1e-15);
    }
}

/// Tells its slip stiffnesses, in proportion to load, and relaxation lengths.
#[derive(Debug)]
struct Carcass {
    lengths: [f32; 2],
}

impl TireModel for Carcass {
    fn forces(&self, _: &TireInput) -> TireForces {
        TireForces::default()
    }

    fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        TireProperties {
            slip_stiffness: [20.0 * input.load, 10.0 * input.load],
            relaxation_length: self.lengths,
            ..TireProperties::plain(input)
        }
    }
}

fn tires(lengths: [f32; 2]) -> [TireUse; 1] {
    [TireUse {
        model: Arc::new(Carcass { lengths }),
        wheels: Mask4::ALL,
    }]
}

fn consts() -> WheelConsts {
    WheelConsts {
        properties: Mask4::ALL,
        ..uneven_consts()
    }
}

fn slipping(slip_ratio: W4, tan_slip_angle: W4) -> TireInput<W4> {
    TireInput {
        slip_ratio,
        tan_slip_angle,
        load: W4::splat(4000.0),
        ..TireInput::default()
    }
}

proptest! {
    /// Each wheel's slips lag over its distance, in each direction with its own length; the force of the carcass is
    /// stiffness times slip, forward and to the left.
    #[test]
    fn slips_of_rolling_wheels_relax(
        (ratio, tangent) in (lanes(-0.5..0.5), lanes(-0.5..0.5)),
        (ahead, aside) in (lanes(-4e4..4e4), lanes(-2e4..2e4)),
        rolling in [masks(), masks()], speeds in [lanes(0.0..30.0), lanes(0.0..30.0)],
        h in 0.002f32..0.02,
    ) {
        let lengths = [0.3f32, 0.6];
        let mut remembered = [ahead, aside];
        let mut input = slipping(ratio, tangent);
        relax(&consts(), &tires(lengths), &mut remembered, &mut input, rolling, speeds, h);
        let actual = [input.slip_ratio, -input.tan_slip_angle];
        let forces = [(ahead, remembered[0]), (aside, remembered[1])];
        for (n, slips) in [ratio, -tangent].into_iter().enumerate() {
            for lane in 0..LANES {
                let stiffness = [80_000.0, 40_000.0][n];
                let (slip, distance) = (wide(slips, lane), wide(speeds[n], lane) * f64::from(h));
                let before = wide(forces[n].0, lane) / stiffness;
                let lag = slip + (before - slip) * (-distance / f64::from(lengths[n])).exp();
                let rolls = rolling[n].lane(lane);
                let expected = if rolls { lag } else { slip };
                prop_assert!(close(actual[n].lane(lane), expected as f32, 2.0));
                let force = if rolls { lag * stiffness } else { 0.0 };
                prop_assert!(close(forces[n].1.lane(lane), force as f32, 1e5));
            }
        }
    }

    /// A wheel that relaxes no more, sticking or in the air, forgets its carcass' force at once: when it rolls
    /// again, it does so as a new one.
    #[test]
    fn a_wheel_that_does_not_relax_keeps_no_force(
        force in lanes(-4e4..4e4), slip in lanes(-0.5..0.5), known in any::<bool>(),
    ) {
        let lengths = if known { [0.3, 0.6] } else { [0.0, f32::INFINITY] };
        let rolling = if known { [Mask4::NONE; 2] } else { [Mask4::ALL; 2] };
        let mut remembered = [force; 2];
        let mut input = slipping(slip, slip);
        relax(&consts(), &tires(lengths), &mut remembered, &mut input, rolling, [W4::ONE; 2], 0.01);
        prop_assert_eq!(remembered, [W4::ZERO; 2]);
        prop_assert_eq!((input.slip_ratio, input.tan_slip_angle), (slip, slip));
    }
}
