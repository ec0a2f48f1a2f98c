//! Limited slip on any axles and between any axles.

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::state::WheelState;
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::slip_limiter::SlipLimiter;
use super::split::limit;
use super::{Asked, DifferentialLaw};
use crate::per_wheel;

/// Differentials on any driven axles, and one between the axles.
///
/// Each is open, or takes torque from a shaft that turns more than `bias` times as fast as the mean
/// of the others, and leaves it more of a torque that brakes. The law is that of [`Differential4W`](super::Differential4W) without its jumps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitedSlip {
    /// The driven axles; their shares sum to 1.
    pub axles: Vec<DrivenAxle>,
    /// Speed ratio of an axle to the mean of the others beyond which the differential between them acts, ≥ 1; without it, that
    /// differential is open.
    #[serde(default)]
    pub bias: Option<f32>,
    /// Slip limiter between the axles, of which there must then be two, in place of `bias`.
    #[serde(default)]
    pub slip_limiter: Option<SlipLimiter>,
}

/// Two outputs of a differential, and the slip limiter between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitedOutputs<'a> {
    /// Weights of the wheels' spins in the difference of the outputs' speeds, of both signs (–).
    pub(crate) weights: [f32; MAX_WHEELS],
    /// The slip limiter.
    pub(crate) limiter: &'a SlipLimiter,
}

/// A driven axle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrivenAxle {
    /// Indices of the axle's wheels, one or two.
    pub wheels: Vec<usize>,
    /// Share of the axle in the torque, 0…1.
    pub share: f32,
    /// Share of the first wheel in the axle's torque, 0…1; ignored for a single wheel, which gets all.
    #[serde(default = "half")]
    pub split: f32,
    /// Speed ratio of the axle's wheels beyond which its differential acts, ≥ 1; without it, that differential is open.
    #[serde(default)]
    pub bias: Option<f32>,
    /// Slip limiter between the axle's two wheels, in place of `bias`.
    #[serde(default)]
    pub slip_limiter: Option<SlipLimiter>,
}

fn half() -> f32 {
    0.5
}

impl DrivenAxle {
    /// Shares of its wheels in the axle's torque; for a single wheel the second is 0.
    fn splits(&self) -> [f32; 2] {
        if self.wheels.len() > 1 {
            [self.split, 1.0 - self.split]
        } else {
            [1.0, 0.0]
        }
    }
}

impl LimitedSlip {
    /// Tolerance of the sum of the axles' shares.
    const TOLERANCE: f32 = 0.01;

    /// Shares of all wheels with all differentials open, ≥ 0, sum 1.
    #[must_use]
    pub fn open_shares(&self) -> [f32; MAX_WHEELS] {
        let mut shares = [0.0; MAX_WHEELS];
        for axle in &self.axles {
            for (&wheel, split) in axle.wheels.iter().zip(axle.splits()) {
                shares[wheel] = axle.share * split;
            }
        }
        shares
    }

    /// Outputs between which slip limiters act, those of the center first.
    pub(crate) fn limited_outputs(&self) -> impl Iterator<Item = LimitedOutputs<'_>> {
        let center = self.slip_limiter.as_ref().map(|limiter| {
            let mut weights = [0.0; MAX_WHEELS];
            for (axle, sign) in self.axles.iter().zip([1.0, -1.0]) {
                for (&wheel, split) in axle.wheels.iter().zip(axle.splits()) {
                    weights[wheel] = sign * split;
                }
            }
            LimitedOutputs { weights, limiter }
        });
        let axles = self.axles.iter().filter_map(|axle| {
            let limiter = axle.slip_limiter.as_ref()?;
            let mut weights = [0.0; MAX_WHEELS];
            for (&wheel, weight) in axle.wheels.iter().zip([1.0, -1.0]) {
                weights[wheel] = weight;
            }
            Some(LimitedOutputs { weights, limiter })
        });
        center.into_iter().chain(axles)
    }

    /// Shares of all wheels in a `torque` (`N·m`) at these spins (`rad/s`); ≥ 0, sum 1. A wheel without a spin is
    /// off: it is not compared, and its share goes to the others.
    #[must_use]
    pub fn shares(&self, spins: &[Option<f32>; MAX_WHEELS], torque: f32) -> [f32; MAX_WHEELS] {
        let (mut axles, mut means) = ([0.0; MAX_WHEELS], [None; MAX_WHEELS]);
        for (n, axle) in self.axles.iter().enumerate() {
            axles[n] = axle.share;
            let on = || axle.wheels.iter().filter_map(|&wheel| spins[wheel]);
            means[n] = match on().count() {
                0 => None,
                count => Some(on().sum::<f32>() / count as f32),
            };
        }
        let count = self.axles.len();
        if let Some(bias) = self.bias {
            limit(&mut axles[..count], &means[..count], bias, torque);
        }
        let mut shares = [0.0; MAX_WHEELS];
        for (axle, share) in self.axles.iter().zip(axles) {
            let (mut splits, mut own) = (axle.splits(), [None; 2]);
            for (own, &wheel) in own.iter_mut().zip(&axle.wheels) {
                *own = spins[wheel];
            }
            if let Some(bias) = axle.bias {
                let count = axle.wheels.len();
                limit(&mut splits[..count], &own[..count], bias, torque);
            }
            for (&wheel, split) in axle.wheels.iter().zip(splits) {
                shares[wheel] = share * split;
            }
        }
        shares
    }
}

impl DifferentialLaw for LimitedSlip {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        for (n, axle) in self.axles.iter().enumerate() {
            per_wheel::check_indices(&format!("axles[{n}].wheels"), &axle.wheels, wheels, i);
        }
    }

    fn ask(&self, _asked: &Asked, control: &mut Control) {
        let shares = self.open_shares();
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.speed_share = per_wheel::lanes(&shares, group);
        }
    }

    fn share(&self, wheels: &[WheelState], torque: f32, control: &mut Control) {
        let spins = per_wheel::ungrouped(wheels, |group| group.spin);
        let on = |wheel: usize| (!control.is_disabled(wheel)).then_some(spins[wheel]);
        let shares = self.shares(&core::array::from_fn(on), torque);
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.torque_share = per_wheel::lanes(&shares, group);
        }
    }
}

/// Reports faults of what limits the slip between `outputs` outputs.
fn check_limits(
    bias: Option<f32>,
    limiter: Option<&SlipLimiter>,
    outputs: usize,
    i: &mut Inspector,
) {
    if let Some(bias) = bias {
        i.within_range("bias", bias, 1.0, f32::MAX, "");
    }
    if let Some(limiter) = limiter {
        let rule = "must be left out beside a bias";
        i.rule(bias.is_none(), "slip_limiter", "there", "", rule);
        let rule = "must act between two outputs";
        i.rule(outputs == 2, "slip_limiter", outputs, "outputs", rule);
        i.within("slip_limiter", |i| limiter.check(i));
    }
}

impl Check for LimitedSlip {
    fn check(&self, i: &mut Inspector) {
        let count = self.axles.len();
        let rule = format!("there must be 1 to {MAX_WHEELS}");
        i.rule(
            (1..=MAX_WHEELS).contains(&count),
            "axles",
            count,
            "axles",
            rule,
        );
        check_limits(self.bias, self.slip_limiter.as_ref(), count, i);
        let mut named = Vec::new();
        for (n, axle) in self.axles.iter().enumerate() {
            i.within(format!("axles[{n}]"), |i| {
                let count = axle.wheels.len();
                let rule = "there must be 1 or 2";
                i.rule((1..=2).contains(&count), "wheels", count, "wheels", rule);
                per_wheel::check_indices("wheels", &axle.wheels, MAX_WHEELS, i);
                for (k, wheel) in axle.wheels.iter().enumerate() {
                    let name = format!("wheels[{k}]");
                    let once = !named.contains(wheel);
                    i.rule(once, &name, wheel, "", "must be named only once");
                    named.push(*wheel);
                }
                i.within_range("share", axle.share, 0.0, 1.0, "");
                i.within_range("split", axle.split, 0.0, 1.0, "");
                check_limits(axle.bias, axle.slip_limiter.as_ref(), count, i);
            });
        }
        let sum: f32 = self.axles.iter().map(|axle| axle.share).sum();
        let holds = (sum - 1.0).abs() <= Self::TOLERANCE;
        let rule = format!("must sum to 1 within {}", Self::TOLERANCE);
        i.rule(holds, "axles[*].share", sum, "", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::{Differential4W, DifferentialKind};
    use alloc::vec;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::Checked;
    use vehicle_core::lanes::W4;

    fn axle(wheels: &[usize], share: f32, bias: Option<f32>) -> DrivenAxle {
        DrivenAxle {
            wheels: wheels.to_vec(),
            share,
            split: 0.5,
            bias,
            slip_limiter: None,
        }
    }

    /// A 6×6 with limited slip on the last two axles and between all axles.
    fn six() -> LimitedSlip {
        LimitedSlip {
            axles: vec![
                axle(&[0, 1], 0.4, None),
                axle(&[2, 3], 0.3, Some(1.3)),
                axle(&[4, 5], 0.3, Some(1.3)),
            ],
            bias: Some(1.5),
            slip_limiter: None,
        }
    }

    fn spins(some: &[f32]) -> [Option<f32>; MAX_WHEELS] {
        per_wheel::padded(some.iter().copied()).map(Some)
    }

    #[rstest]
    #[case::one_of_an_axle(&[1], &[20.0, 0.0, 20.0, 20.0, 20.0, 20.0])]
    #[case::an_axle(&[2, 3], &[20.0, 20.0, 0.0, 0.0, 20.0, 20.0])]
    fn nothing_is_compared_with_a_wheel_that_is_off(#[case] off: &[usize], #[case] all: &[f32]) {
        let mut spins = spins(all);
        off.iter().for_each(|wheel| spins[*wheel] = None);
        assert_eq!(six().shares(&spins, 1.0), six().open_shares());
        let on = (0..6).rfind(|wheel| !off.contains(wheel)).unwrap();
        spins[on] = Some(40.0);
        let shares = six().shares(&spins, 1.0);
        assert!(shares[on] < 0.8 * six().open_shares()[on], "{shares:?}");
    }

    #[test]
    fn wheels_that_turn_alike_share_as_if_open() {
        let limited = six();
        for spins in [spins(&[]), spins(&[20.0; 6]), spins(&[-3.0; 6])] {
            for (found, open) in limited
                .shares(&spins, 1.0)
                .into_iter()
                .zip(limited.open_shares())
            {
                assert_relative_eq!(found, open, epsilon = 1e-6);
            }
        }
    }

    #[test]
    fn the_faster_wheel_and_the_faster_axle_get_less_torque() {
        let shares = six().shares(&spins(&[10.0, 10.0, 40.0, 10.0, 10.0, 10.0]), 1.0);
        assert!(shares[2] < 0.5 * shares[3], "{shares:?}");
        assert!(shares[2] + shares[3] < 0.3 && shares[4] + shares[5] > 0.3);
        assert_eq!(shares[0], shares[1]);
    }

    #[test]
    fn the_faster_wheel_gets_more_of_a_torque_that_brakes() {
        let turning = spins(&[10.0, 10.0, 40.0, 10.0, 10.0, 10.0]);
        let (driving, braking) = (six().shares(&turning, 1.0), six().shares(&turning, -1.0));
        assert!(
            driving[2] < driving[3] && braking[2] > 2.0 * braking[3],
            "{braking:?}"
        );
    }

    #[test]
    fn two_axles_are_the_four_wheel_differential() {
        let four = Differential4W {
            front_rear_split: 0.4,
            ..Differential4W::physx()
        };
        let same = LimitedSlip {
            axles: vec![axle(&[0, 1], 0.4, Some(1.3)), axle(&[2, 3], 0.6, Some(1.3))],
            bias: Some(1.3),
            slip_limiter: None,
        };
        for four_spins in [[90.0, 50.0, 140.0, 62.0], [-30.0, -90.0, -40.0, -41.0]] {
            let kind = DifferentialKind::LimitedSlipAll;
            let expected = four.smooth_shares_as(kind, four_spins, four_spins[0]);
            let found = same.shares(&spins(&four_spins), four_spins[0]);
            for (found, expected) in found.into_iter().zip(expected) {
                // The center compares means here, sums there: creep weighs a little less.
                assert_relative_eq!(found, expected, epsilon = 6e-3);
            }
        }
    }

    #[rstest]
    #[case::no_axles(|d: &mut LimitedSlip| d.axles.clear(), &["axles", "axles[*].share"])]
    #[case::named_twice(|d: &mut LimitedSlip| d.axles[1].wheels[0] = 0, &["axles[1].wheels[0]"])]
    #[case::numbers(
        |d: &mut LimitedSlip| { d.bias = Some(0.9); d.axles[2].split = 2.0; },
        &["bias", "axles[2].split"]
    )]
    #[case::shares(|d: &mut LimitedSlip| d.axles[0].share = 0.5, &["axles[*].share"])]
    fn faults(#[case] change: fn(&mut LimitedSlip), #[case] expected: &[&str]) {
        let mut bad = six();
        change(&mut bad);
        let error = Checked::new(bad).unwrap_err();
        let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
        assert_eq!(paths, expected);
    }

    proptest! {
        #[test]
        fn shares_sum_to_one_and_do_not_jump(
            some in proptest::collection::vec(
                prop_oneof![-100.0..100.0_f32, -1.0..1.0_f32, Just(0.0_f32)], 6,
            ),
            wheel in 0..6_usize,
            bias in 1.0..5.0_f32,
            torque in -1.0..1.0_f32,
        ) {
            let limited = LimitedSlip { bias: Some(bias), ..six() };
            let mut spins = spins(&some);
            let shares = limited.shares(&spins, torque);
            prop_assert!(shares.iter().all(|&share| share >= 0.0), "{shares:?}");
            let sum: f32 = shares.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-4, "{shares:?}");
            spins[wheel] = spins[wheel].map(|spin| spin + 1e-4);
            for (after, before) in limited.shares(&spins, torque).into_iter().zip(shares) {
                prop_assert!((after - before).abs() < 0.01, "{before} to {after}");
            }
        }
    }

    /// Splits of an axle, a single wheel, and wheels that are off, read from the control.
    #[test]
    fn a_control_gets_the_shares() {
        let mut law = six();
        law.axles[0] = DrivenAxle {
            split: 0.75,
            ..axle(&[5, 1], 0.4, None)
        };
        law.axles[2] = axle(&[4], 0.3, None);
        law.axles[1].bias = Some(1.3);
        let spin = |n: usize| [9.0, 9.0, 30.0, 10.0, 9.0, 9.0, 0.0, 0.0][n];
        let wheels = core::array::from_fn::<_, 2, _>(|group| WheelState {
            spin: W4::from_fn(|lane| spin(4 * group + lane)),
            ..WheelState::AT_REST
        });
        let mut control = Control::idle(6);
        control.disabled = 0b10_0000;
        law.ask(&Asked::default(), &mut control);
        law.share(&wheels, 1.0, &mut control);
        let mut on: [Option<f32>; MAX_WHEELS] = core::array::from_fn(|n| (n < 6).then(|| spin(n)));
        on[5] = None;
        let (open, limited) = (law.open_shares(), law.shares(&on, 1.0));
        assert_relative_eq!(open[5], 0.3, max_relative = 1e-6);
        assert_relative_eq!(open[1], 0.1, max_relative = 1e-6);
        assert_relative_eq!(open[4], 0.3, max_relative = 1e-6);
        assert!(limited[2] < limited[3]);
        for n in 0..6 {
            assert_eq!(control.wheels[n / 4].speed_share.lane(n % 4), open[n]);
            assert_eq!(control.wheels[n / 4].torque_share.lane(n % 4), limited[n]);
        }
    }

    #[test]
    fn files_may_leave_out_an_even_split() {
        assert_eq!(half(), 0.5);
    }

    #[rstest]
    #[case::three_wheels(|d: &mut LimitedSlip| d.axles[0].wheels = vec![0, 1, 6], "axles[0].wheels")]
    #[case::none(|d: &mut LimitedSlip| d.axles[0].wheels.clear(), "axles[0].wheels")]
    #[case::beyond(|d: &mut LimitedSlip| d.axles[0].wheels[1] = 20, "axles[0].wheels[1]")]
    #[case::share(|d: &mut LimitedSlip| d.axles[0].share = 0.38, "axles[*].share")]
    #[case::bias(|d: &mut LimitedSlip| d.axles[1].bias = Some(0.5), "axles[1].bias")]
    fn each_fault_is_reported(#[case] change: fn(&mut LimitedSlip), #[case] path: &str) {
        let mut bad = six();
        bad.axles[0].share = 0.408;
        assert!(Checked::new(bad.clone()).is_ok());
        change(&mut bad);
        let error = Checked::new(bad).unwrap_err();
        assert_eq!((error.0.len(), error.0[0].path.as_str()), (1, path));
    }
}
