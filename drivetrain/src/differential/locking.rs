//! Four-wheel differentials that lock: beyond a speed ratio, wheels turn together for one step
//! (PhysX 5 `vehicle2`, ALGORITHMS §7.6).

use alloc::format;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::Mask4;
use vehicle_core::state::WheelState;
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::split::{same_way, turning};
use super::{Asked, DifferentialLaw, MultiWheel, balance, receives, release, wheel_coupling};
use crate::per_wheel;

/// Limit of the speed ratio of two shafts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimit {
    /// Ratio of the faster to the slower speed beyond which the two lock, > 1, or 1.
    pub bias: f32,
    /// Speed ratio at which the two then lock, between 1 and `bias`, neither included. With bias and target
    /// 1 they are permanently locked.
    pub target: f32,
}

impl SpeedLimit {
    /// Two permanently locked shafts.
    pub const LOCKED: Self = Self {
        bias: 1.0,
        target: 1.0,
    };
}

/// Fixed ratios of torque and speed, and limits on the speed ratio of the wheels of each axle and
/// of the two axles. Limits act between wheels that turn in the same direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockingDifferential {
    /// Shares of all wheels in torque and speed.
    pub ratios: MultiWheel,
    /// The wheels of the front axle.
    pub front: [usize; 2],
    /// The wheels of the rear axle.
    pub rear: [usize; 2],
    /// Limit of the front axle, both wheels of which must then have shares of torque and speed.
    #[serde(default)]
    pub front_limit: Option<SpeedLimit>,
    /// Limit of the rear axle; the same.
    #[serde(default)]
    pub rear_limit: Option<SpeedLimit>,
    /// Limit between the axles, all four wheels of which must then have shares. If permanently locked with
    /// [strict](MultiWheel::strict) ratios, both axles must be locked, too.
    #[serde(default)]
    pub center_limit: Option<SpeedLimit>,
    /// Rate at which the speed ratio approaches its target (`1/s`), ≥ 0; immediate if absent. At 0,
    /// only permanent locks act.
    #[serde(default)]
    pub rate: Option<f32>,
    /// Motion of an unlocked axle while the center locks.
    #[serde(default)]
    pub free_axle: FreeAxle,
}

/// Motion of an unlocked axle of a [`LockingDifferential`] while the center locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FreeAxle {
    /// The wheels of the axle turn freely of each other, as those of an open differential: the center constrains their mean.
    #[default]
    Open,
    /// The axle keeps its speed ratio for the step, as in PhysX 5, and without a limit its second wheel stands still.
    StopsSecond,
}

impl LockingDifferential {
    /// Makes wheels beyond their limits turn together, `duration` (`s`) after the previous call,
    /// and releases all others.
    pub fn hold_wheels(&self, wheels: &[WheelState], duration: f32, control: &mut Control) {
        release(control);
        let axles = [self.front, self.rear];
        let [[a, b], [c, d]] = axles;
        let members = [a, b, c, d];
        let spins = members.map(|wheel| per_wheel::lane_of(wheels, wheel, |group| group.spin));
        let [a, b, c, d] = turning(spins, members.map(|wheel| control.is_disabled(wheel)));
        let ([front, rear], center) = self.holds([[a, b], [c, d]], duration);
        if let (Some(f), Some(r), Some(center)) = (front, rear, center) {
            let first_rear = center * (1.0 + f) / (1.0 + r);
            let ratios = [1.0, f, first_rear, r * first_rear];
            wheel_coupling(members.into_iter().zip(ratios), control);
            return;
        }
        for (axle, hold) in axles.into_iter().zip([front, rear]) {
            if let Some(ratio) = hold {
                wheel_coupling(axle.into_iter().zip([1.0, ratio]), control);
            } else if center.is_some() {
                for wheel in axle {
                    wheel_coupling([(wheel, 1.0)].into_iter(), control);
                }
            }
        }
        if let Some(center) = center {
            balance(axles, [center, -1.0], control);
        }
    }

    /// Speed ratios at which the axles and the center lock: second speed over the first, or `None` if free.
    fn holds(&self, spins: [[f32; 2]; 2], duration: f32) -> ([Option<f32>; 2], Option<f32>) {
        let limits = [self.front_limit, self.rear_limit];
        let sums = spins.map(|[a, b]| a.abs() + b.abs());
        let together = same_way(spins.as_flattened());
        let center = self.hold(self.center_limit, sums, together, duration);
        let axles = [0, 1].map(|n| {
            let own = self.hold(limits[n], spins[n], same_way(&spins[n]), duration);
            let present = ratio(spins[n][1], spins[n][0]);
            own.or(center.and(self.free_axle.ratio(limits[n].is_some(), present)))
        });
        (axles, center)
    }

    /// The ratio at which two shafts with these speeds lock, the second's over the first's, if they do; `same_way`
    /// says whether they turn in the same direction.
    fn hold(
        &self,
        limit: Option<SpeedLimit>,
        [first, second]: [f32; 2],
        same_way: bool,
        duration: f32,
    ) -> Option<f32> {
        let limit = limit?;
        if limit == SpeedLimit::LOCKED {
            return Some(1.0);
        }
        let (first, second) = (first.abs(), second.abs());
        let ratio = ratio(first.max(second), first.min(second));
        if !same_way || ratio <= limit.bias || self.rate == Some(0.0) {
            return None;
        }
        let target = match self.rate {
            None => limit.target,
            Some(rate) => limit.target.max(ratio - rate * duration),
        };
        Some(if first > second { 1.0 / target } else { target })
    }
}

/// Upper bound of speed ratios, which keeps them finite.
const GREATEST_RATIO: f32 = 1e6;

/// Ratio of the magnitudes of two speeds; 1 if both are 0.
fn ratio(a: f32, b: f32) -> f32 {
    if a == b {
        1.0
    } else {
        (a.abs() / b.abs()).min(GREATEST_RATIO)
    }
}

impl DifferentialLaw for LockingDifferential {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        i.within("ratios", |i| self.ratios.check_wheels(wheels, i));
        per_wheel::check_indices("front", &self.front, wheels, i);
        per_wheel::check_indices("rear", &self.rear, wheels, i);
    }

    fn ask(&self, asked: &Asked, control: &mut Control) {
        self.ratios.ask(asked, control);
    }

    fn lock(&self, wheels: &[WheelState], duration: f32, control: &mut Control) {
        self.hold_wheels(wheels, duration, control);
    }

    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        receives(wheels)
    }
}

impl Check for SpeedLimit {
    fn check(&self, i: &mut Inspector) {
        i.within_range("bias", self.bias, 1.0, f32::MAX, "");
        if self.bias > 1.0 {
            let between = self.target > 1.0 && self.target < self.bias;
            let rule = format!("must lie between 1 and the bias, {}", self.bias);
            i.rule(between, "target", self.target, "", rule);
        } else {
            let rule = "must be 1 with a bias of 1: a lock";
            i.rule(self.target == 1.0, "target", self.target, "", rule);
        }
    }
}

impl LockingDifferential {
    /// Reports wheels of limited axles without a share of torque or speed.
    fn check_connected(&self, i: &mut Inspector) {
        let center = self.center_limit.is_some();
        for (axle, wheels, limit) in [
            ("front", self.front, self.front_limit),
            ("rear", self.rear, self.rear_limit),
        ] {
            if limit.is_none() && !center {
                continue;
            }
            for (n, wheel) in wheels.into_iter().enumerate() {
                let share = |of: &[f32]| of.get(wheel).is_some_and(|&ratio| ratio != 0.0);
                let ratios = &self.ratios;
                let driven = share(&ratios.torque_ratios) && share(&ratios.speed_ratios);
                let rule = "must have shares of torque and speed, because its speed is limited";
                i.rule(driven, &format!("{axle}[{n}]"), wheel, "", rule);
            }
        }
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
            ("center_limit", self.center_limit),
        ] {
            if let Some(limit) = limit {
                i.within(name, |i| limit.check(i));
            }
        }
        self.check_connected(i);
        let locked = |limit| limit == Some(SpeedLimit::LOCKED);
        let axles = locked(self.front_limit) && locked(self.rear_limit);
        let holds = !self.ratios.strict || !locked(self.center_limit) || axles;
        let rule = "a locked center needs both axles locked";
        i.rule(holds, "center_limit.bias", 1.0, "", rule);
        if let Some(rate) = self.rate {
            i.not_negative("rate", rate, "1/s");
        }
    }
}

#[cfg(test)]
mod tests;
