//! Differentials of four wheels that lock: beyond a ratio of speeds, wheels turn together for a
//! step (PhysX 5 `vehicle2`, ALGORITHMS §7.6).

use alloc::format;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::{Groups, Mask4};
use vehicle_core::state::WheelState;
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::split::{same_way, turning};
use super::{Asked, Law, MultiWheel, bond, receives, release};
use crate::per_wheel;

/// How much faster one shaft may turn than the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimit {
    /// Ratio of the faster speed to the slower beyond which the two lock [−], ≥ 1.
    pub bias: f32,
    /// Ratio at which they are then held [−], 1…`bias`. Bias and target of 1 lock them for good.
    pub target: f32,
}

impl SpeedLimit {
    /// Two shafts that always turn alike.
    pub const LOCKED: Self = Self {
        bias: 1.0,
        target: 1.0,
    };
}

/// Fixed ratios of torque and speed, and limits to the speeds of both wheels of an axle and of both
/// axles. Limits act between wheels that turn the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockingDifferential {
    /// Shares of all wheels in torque and speed.
    pub ratios: MultiWheel,
    /// The wheels of the front axle.
    pub front: [usize; 2],
    /// The wheels of the rear axle.
    pub rear: [usize; 2],
    /// Limit of the front axle.
    #[serde(default)]
    pub front_limit: Option<SpeedLimit>,
    /// Limit of the rear axle.
    #[serde(default)]
    pub rear_limit: Option<SpeedLimit>,
    /// Limit between the axles. One that locks them for good needs both axles locked, too.
    #[serde(default)]
    pub centre_limit: Option<SpeedLimit>,
    /// How fast the ratio of the speeds goes to its target [1/s], ≥ 0; at once without it. With 0,
    /// only what is locked for good is held.
    #[serde(default)]
    pub rate: Option<f32>,
    /// Whether the second wheel of an axle without a limit stands still while the centre locks, as
    /// in PhysX 5; else the axle keeps its ratio.
    #[serde(default)]
    pub physx_rules: bool,
}

/// How an axle or the centre is held.
enum Hold {
    /// Not held: it is within its limit, or has none.
    Free,
    /// Second speed over the first.
    At(f32),
}

impl LockingDifferential {
    /// Makes wheels turn together that are beyond their limits, `duration` [s] after the last time;
    /// lets all others turn on their own.
    pub fn hold_wheels(&self, wheels: &Groups<WheelState>, duration: f32, control: &mut Control) {
        release(control);
        let axles = [self.front, self.rear];
        let [[a, b], [c, d]] = axles;
        let members = [a, b, c, d];
        let spins = members.map(|wheel| per_wheel::lane_of(wheels, wheel, |group| group.spin));
        let [a, b, c, d] = turning(spins, members.map(|wheel| control.is_off(wheel)));
        let (held, together) = self.holds([[a, b], [c, d]], duration);
        if let Some(ratios) = together {
            bond(members.into_iter().zip(ratios), control);
            return;
        }
        for (axle, hold) in axles.into_iter().zip(held) {
            if let Hold::At(ratio) = hold {
                bond(axle.into_iter().zip([1.0, ratio]), control);
            }
        }
    }

    /// Spins over that of the first front wheel, or `None` for a wheel that turns on its own, as
    /// (front pair, rear pair), and whether front and rear are held together.
    fn holds(&self, spins: [[f32; 2]; 2], duration: f32) -> ([Hold; 2], Option<[f32; 4]>) {
        let limits = [self.front_limit, self.rear_limit];
        let hold = |n: usize| self.hold(limits[n], spins[n], same_way(&spins[n]), duration);
        let axles = [hold(0), hold(1)];
        let [front, rear] = spins.map(|[a, b]| a.abs() + b.abs());
        let Hold::At(centre) = self.hold(
            self.centre_limit,
            [front, rear],
            same_way(spins.as_flattened()),
            duration,
        ) else {
            return (axles, None);
        };
        let inner = |n: usize| match axles[n] {
            Hold::At(ratio) => ratio,
            Hold::Free if self.physx_rules && limits[n].is_none() => 0.0,
            Hold::Free => ratio(spins[n][1], spins[n][0]),
        };
        let (f, r) = (inner(0), inner(1));
        let first_rear = centre * (1.0 + f) / (1.0 + r);
        (axles, Some([1.0, f, first_rear, r * first_rear]))
    }

    /// How two shafts of these speeds are held, which turn `same_way` or not.
    fn hold(
        &self,
        limit: Option<SpeedLimit>,
        [first, second]: [f32; 2],
        same_way: bool,
        duration: f32,
    ) -> Hold {
        let Some(limit) = limit else {
            return Hold::Free;
        };
        if limit == SpeedLimit::LOCKED {
            return Hold::At(1.0);
        }
        let (first, second) = (first.abs(), second.abs());
        let ratio = ratio(first.max(second), first.min(second));
        if !same_way || ratio <= limit.bias || self.rate == Some(0.0) {
            return Hold::Free;
        }
        let target = match self.rate {
            None => limit.target,
            Some(rate) => limit.target.max(ratio - rate * duration),
        };
        Hold::At(if first > second { 1.0 / target } else { target })
    }
}

/// Beyond this, ratios of speeds all count the same, so that they stay finite [−].
const GREATEST_RATIO: f32 = 1e6;

/// Ratio of the magnitudes of two speeds [−].
fn ratio(a: f32, b: f32) -> f32 {
    (a.abs() / b.abs()).min(GREATEST_RATIO)
}

impl Law for LockingDifferential {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        i.within("ratios", |i| self.ratios.check_wheels(wheels, i));
        per_wheel::check_indices("front", &self.front, wheels, i);
        per_wheel::check_indices("rear", &self.rear, wheels, i);
    }

    fn ask(&self, asked: &Asked, control: &mut Control) {
        self.ratios.ask(asked, control);
    }

    fn lock(&self, wheels: &Groups<WheelState>, duration: f32, control: &mut Control) {
        self.hold_wheels(wheels, duration, control);
    }

    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        receives(wheels)
    }
}

impl Check for SpeedLimit {
    fn check(&self, i: &mut Inspector) {
        i.within_range("bias", self.bias, 1.0, f32::MAX, "");
        i.within_range("target", self.target, 1.0, self.bias.max(1.0), "");
    }
}

impl Check for LockingDifferential {
    fn check(&self, i: &mut Inspector) {
        i.within("ratios", |i| self.ratios.check(i));
        let all = [self.front, self.rear].concat();
        for (n, wheel) in all.iter().enumerate() {
            let name = format!("{}[{}]", if n < 2 { "front" } else { "rear" }, n % 2);
            per_wheel::check_index(&name, *wheel, MAX_WHEELS, i);
            let once = !all[..n].contains(wheel);
            i.rule(once, &name, wheel, "", "must differ from the others");
        }
        for (name, limit) in [
            ("front_limit", self.front_limit),
            ("rear_limit", self.rear_limit),
            ("centre_limit", self.centre_limit),
        ] {
            if let Some(limit) = limit {
                i.within(name, |i| limit.check(i));
            }
        }
        let locked = |limit| limit == Some(SpeedLimit::LOCKED);
        let holds =
            !locked(self.centre_limit) || (locked(self.front_limit) && locked(self.rear_limit));
        let rule = "a locked centre needs both axles locked";
        i.rule(holds, "centre_limit.bias", 1.0, "", rule);
        if let Some(rate) = self.rate {
            i.not_negative("rate", rate, "1/s");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::Checked;
    use vehicle_core::lanes::W4;

    const LIMIT: SpeedLimit = SpeedLimit {
        bias: 1.5,
        target: 1.2,
    };

    fn of(limits: [Option<SpeedLimit>; 3]) -> LockingDifferential {
        LockingDifferential {
            ratios: MultiWheel {
                torque_ratios: vec![0.25; 4],
                speed_ratios: vec![0.25; 4],
                physx_rules: false,
            },
            front: [0, 1],
            rear: [2, 3],
            front_limit: limits[0],
            rear_limit: limits[1],
            centre_limit: limits[2],
            rate: None,
            physx_rules: false,
        }
    }

    fn locked(law: &LockingDifferential, spins: [f32; 4], duration: f32) -> Control {
        let wheels = Groups::for_wheels(4, |_| WheelState {
            spin: W4::from_array(spins),
            ..WheelState::AT_REST
        });
        let mut control = Control::idle(4);
        law.ask(&Asked::default(), &mut control);
        law.lock(&wheels, duration, &mut control);
        control
    }

    #[rstest]
    #[case::within([10.0, 14.0, 10.0, 10.0], [0, 0, 0, 0])]
    #[case::front([10.0, 16.0, 10.0, 10.0], [1, 1, 0, 0])]
    #[case::both([10.0, 16.0, -16.0, -10.0], [1, 1, 2, 2])]
    #[case::opposed([10.0, -16.0, 10.0, 10.0], [0, 0, 0, 0])]
    #[case::standing([0.0, 16.0, 10.0, 10.0], [0, 0, 0, 0])]
    fn axles_beyond_their_limit_lock(#[case] spins: [f32; 4], #[case] bonds: [u8; 4]) {
        let control = locked(&of([Some(LIMIT), Some(LIMIT), None]), spins, 0.01);
        assert_eq!(control.wheels.first().bond, bonds);
        assert_eq!(control.bonds, bonds.into_iter().max().unwrap());
    }

    #[rstest]
    #[case::slower_first([10.0, 20.0, 9.0, 9.0], None, 1.2)]
    #[case::faster_first([20.0, 10.0, 9.0, 9.0], None, 1.0 / 1.2)]
    #[case::little_by_little([10.0, 20.0, 9.0, 9.0], Some(10.0), 1.9)]
    #[case::no_further_than_the_target([10.0, 20.0, 9.0, 9.0], Some(500.0), 1.2)]
    fn the_target_is_where_they_are_held(
        #[case] spins: [f32; 4],
        #[case] rate: Option<f32>,
        #[case] ratio: f32,
    ) {
        let law = LockingDifferential {
            rate,
            ..of([Some(LIMIT), None, None])
        };
        let control = locked(&law, spins, 0.01);
        let ratios = control.wheels.first().bond_ratio.to_array();
        assert_relative_eq!(ratios[1], ratio, max_relative = 1e-6);
        assert_eq!(ratios[0], 1.0);
    }

    #[rstest]
    #[case::axles_keep_their_ratios(false, [1.0, 1.1, 1.2 * 2.1 / 1.8, 0.8 * 1.2 * 2.1 / 1.8])]
    #[case::physx_stops_second_wheels(true, [1.0, 0.0, 1.2, 0.0])]
    fn a_centre_alone_locks(#[case] physx_rules: bool, #[case] expected: [f32; 4]) {
        let law = LockingDifferential {
            physx_rules,
            ..of([None, None, Some(LIMIT)])
        };
        let control = locked(&law, [10.0, 11.0, 30.0, 24.0], 0.01);
        assert_eq!(control.wheels.first().bond, [1; 4]);
        let ratios = control.wheels.first().bond_ratio.to_array();
        for (found, expected) in ratios.into_iter().zip(expected) {
            assert_relative_eq!(found, expected, max_relative = 1e-6);
        }
    }

    #[rstest]
    #[case::standing([0.0; 4])]
    #[case::opposed([10.0, -9.0, 1.0, 0.0])]
    fn locked_for_good_is_locked_always(#[case] spins: [f32; 4]) {
        let locked_axles = [Some(SpeedLimit::LOCKED), Some(SpeedLimit::LOCKED), None];
        let control = locked(&of(locked_axles), spins, 0.01);
        assert_eq!(control.wheels.first().bond, [1, 1, 2, 2]);
        let all = locked(&of([Some(SpeedLimit::LOCKED); 3]), spins, 0.01);
        assert_eq!(all.wheels.first().bond, [1; 4]);
        assert_eq!(all.wheels.first().bond_ratio, W4::ONE);
    }

    #[rstest]
    #[case::one_of_an_axle(0b0010, [10.0, 0.0, 20.0, 20.0], [1.0, 1.0, 1.2, 1.2])]
    #[case::the_other(0b0001, [0.0, 10.0, 20.0, 20.0], [1.0, 1.0, 1.2, 1.2])]
    fn a_centre_locks_without_a_wheel_that_is_off(
        #[case] off: u32,
        #[case] spins: [f32; 4],
        #[case] expected: [f32; 4],
    ) {
        let wheels = Groups::for_wheels(4, |_| WheelState {
            spin: W4::from_array(spins),
            ..WheelState::AT_REST
        });
        let mut control = Control::idle(4);
        control.off = off;
        of([Some(LIMIT), Some(LIMIT), Some(LIMIT)]).lock(&wheels, 0.01, &mut control);
        assert_eq!(control.wheels.first().bond, [1; 4]);
        let ratios = control.wheels.first().bond_ratio.to_array();
        for (found, expected) in ratios.into_iter().zip(expected) {
            assert_relative_eq!(found, expected, max_relative = 1e-6);
        }
    }

    #[test]
    fn a_rate_of_zero_holds_what_is_locked_for_good() {
        let law = LockingDifferential {
            rate: Some(0.0),
            ..of([Some(SpeedLimit::LOCKED), Some(LIMIT), None])
        };
        let control = locked(&law, [10.0, 11.0, 10.0, 20.0], 0.01);
        assert_eq!(control.wheels.first().bond, [1, 1, 0, 0]);
    }

    #[test]
    fn bonds_end_and_a_rate_of_zero_makes_none() {
        let mut law = of([Some(LIMIT), None, None]);
        let mut control = locked(&law, [10.0, 20.0, 9.0, 9.0], 0.01);
        let still = Groups::for_wheels(4, |_| WheelState::AT_REST);
        law.lock(&still, 0.01, &mut control);
        assert_eq!((control.bonds, control.wheels.first().bond), (0, [0; 4]));
        law.rate = Some(0.0);
        assert_eq!(locked(&law, [10.0, 20.0, 9.0, 9.0], 0.01).bonds, 0);
    }

    #[test]
    fn every_fault_is_found() {
        let bad = LockingDifferential {
            rear: [2, 1],
            rate: Some(-1.0),
            ..of([
                Some(SpeedLimit {
                    bias: 1.2,
                    target: 1.3,
                }),
                Some(SpeedLimit {
                    bias: 0.5,
                    target: 1.0,
                }),
                Some(SpeedLimit::LOCKED),
            ])
        };
        let error = Checked::new(bad).unwrap_err();
        let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
        let expected = [
            "rear[1]",
            "front_limit.target",
            "rear_limit.bias",
            "centre_limit.bias",
            "rate",
        ];
        assert_eq!(paths, expected);
    }

    proptest! {
        #[test]
        fn bonds_are_finite_whatever_turns(
            spins in proptest::array::uniform4(prop_oneof![
                Just(0.0_f32), -1e3..1e3_f32, 1e-30..1e-20_f32,
            ]),
            physx_rules in any::<bool>(),
        ) {
            let law = LockingDifferential { physx_rules, ..of([Some(LIMIT), None, Some(LIMIT)]) };
            let control = locked(&law, spins, 0.01);
            prop_assert!(control.wheels.first().bond_ratio.is_finite());
        }
    }
}
