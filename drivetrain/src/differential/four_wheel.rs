//! Differentials of a car with four driven wheels: how much torque each wheel gets, and how much
//! its speed counts for the clutch (PhysX 4.1 vehicle SDK, ALGORITHMS §4.5).
//!
//! The four wheels are ordered front pair, rear pair; the splits give the share of the first wheel
//! of a pair, whichever side it is on.

use alloc::format;

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{LANES, W4};
use vehicle_core::state::WheelState;
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::split::{CREEP, excess, power_sign, same_way, shared, turning};
use super::{Asked, DifferentialLaw};
use crate::per_wheel::{self, GROUPS, PerWheel};

/// Driven axles of a four-wheel differential, and the limits of their slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferentialKind {
    /// Both axles, with limited slip in all three differentials.
    LimitedSlipAll,
    /// The front axle, with limited slip.
    LimitedSlipFront,
    /// The rear axle, with limited slip.
    LimitedSlipRear,
    /// Both axles, open.
    OpenAll,
    /// The front axle, open.
    OpenFront,
    /// The rear axle, open.
    OpenRear,
}

impl DifferentialKind {
    /// Whether a differential of this kind shares torques as it shares speeds.
    #[must_use]
    const fn is_open(self) -> bool {
        matches!(self, Self::OpenAll | Self::OpenFront | Self::OpenRear)
    }

    /// The kind that drives only the front axle, if this one drives both.
    #[must_use]
    pub const fn front_only(self) -> Self {
        match self {
            Self::LimitedSlipAll => Self::LimitedSlipFront,
            Self::OpenAll => Self::OpenFront,
            other => other,
        }
    }
}

/// Parameters of the differentials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differential4W {
    /// Indices of the connected wheels: front pair, rear pair.
    #[serde(default = "first_four")]
    pub wheels: [usize; 4],
    /// Driven axles, with or without limited slip.
    pub kind: DifferentialKind,
    /// Share of the front axle, 0…1.
    pub front_rear_split: f32,
    /// Share of the front axle's first wheel, 0…1.
    pub front_split: f32,
    /// Share of the rear axle's first wheel, 0…1.
    pub rear_split: f32,
    /// Speed ratio of the faster axle to the slower one beyond which the center differential acts, ≥ 1.
    pub center_bias: f32,
    /// Speed ratio of the front wheels beyond which the front differential acts, ≥ 1.
    pub front_bias: f32,
    /// Speed ratio of the rear wheels beyond which the rear differential acts, ≥ 1.
    pub rear_bias: f32,
    /// Whether the handbrake disengages the rear axle if both axles are driven, as in PhysX whichever axle the handbrake acts on.
    pub handbrake_drives_front: bool,
}

fn first_four() -> [usize; 4] {
    [0, 1, 2, 3]
}

impl Differential4W {
    /// The kind in effect with the handbrake at `handbrake`, 0…1.
    #[must_use]
    pub fn kind_with(&self, handbrake: f32) -> DifferentialKind {
        if self.handbrake_drives_front && handbrake > 0.0 {
            self.kind.front_only()
        } else {
            self.kind
        }
    }

    /// Shares of the wheels in the mean wheel speed that the clutch sees; ≥ 0, sum 1.
    #[must_use]
    pub fn speed_shares(&self, handbrake: f32) -> [f32; 4] {
        self.open_shares(self.kind_with(handbrake))
    }

    /// Torque shares of the wheels at these spins (`rad/s`); ≥ 0, sum 1.
    #[must_use]
    pub fn shares(&self, spins: [f32; 4], handbrake: f32) -> [f32; 4] {
        self.shares_as(self.kind_with(handbrake), spins)
    }

    /// [`Differential4W::shares`] for another kind with the same splits and biases.
    #[must_use]
    pub fn shares_as(&self, kind: DifferentialKind, spins: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = spins;
        let share = |spins: (f32, f32), bias: f32, split: f32| {
            shared(split, excess(spins.0.abs(), spins.1.abs(), bias, 0.0))
        };
        let front = || share((a, b), self.front_bias, self.front_split);
        let rear = || share((c, d), self.rear_bias, self.rear_split);
        match kind {
            DifferentialKind::LimitedSlipAll if same_way(&spins) => {
                let axles = (a + b, c + d);
                let (f, r) = share(axles, self.center_bias, self.front_rear_split);
                let ((f0, f1), (r0, r1)) = (front(), rear());
                [f * f0, f * f1, r * r0, r * r1]
            }
            DifferentialKind::LimitedSlipFront if same_way(&[a, b]) => {
                let (f0, f1) = front();
                [f0, f1, 0.0, 0.0]
            }
            DifferentialKind::LimitedSlipRear if same_way(&[c, d]) => {
                let (r0, r1) = rear();
                [0.0, 0.0, r0, r1]
            }
            open => self.open_shares(open),
        }
    }

    /// Torque shares as a continuous function of the spins. Where the differentials of PhysX
    /// ([`Differential4W::shares_as`]) open because wheels turn in opposite directions, these favor the slower one
    /// even more; and wheels that hardly turn share as in an open differential, so that noise does not move a parked
    /// car. A `torque` (`N·m`) that brakes goes to the faster one instead, as a real differential's friction makes
    /// it.
    #[must_use]
    pub fn smooth_shares_as(
        &self,
        kind: DifferentialKind,
        spins: [f32; 4],
        torque: f32,
    ) -> [f32; 4] {
        let [a, b, c, d] = spins;
        let share = |(first, second): (f32, f32), bias: f32, split: f32| {
            let along = if first.abs() >= second.abs() {
                first
            } else {
                second
            };
            let forward = |spin: f32| (spin * along.signum()).max(0.0);
            let excess = excess(forward(first), forward(second), bias, CREEP);
            shared(split, excess * power_sign(torque, along))
        };
        let front = || share((a, b), self.front_bias, self.front_split);
        let rear = || share((c, d), self.rear_bias, self.rear_split);
        match kind {
            DifferentialKind::LimitedSlipAll => {
                let axles = (a + b, c + d);
                let (f, r) = share(axles, self.center_bias, self.front_rear_split);
                let ((f0, f1), (r0, r1)) = (front(), rear());
                [f * f0, f * f1, r * r0, r * r1]
            }
            DifferentialKind::LimitedSlipFront => {
                let (f0, f1) = front();
                [f0, f1, 0.0, 0.0]
            }
            DifferentialKind::LimitedSlipRear => {
                let (r0, r1) = rear();
                [0.0, 0.0, r0, r1]
            }
            open => self.open_shares(open),
        }
    }

    fn open_shares(&self, kind: DifferentialKind) -> [f32; 4] {
        use DifferentialKind as Kind;
        let (f, r) = match kind {
            Kind::LimitedSlipAll | Kind::OpenAll => {
                (self.front_rear_split, 1.0 - self.front_rear_split)
            }
            Kind::LimitedSlipFront | Kind::OpenFront => (1.0, 0.0),
            Kind::LimitedSlipRear | Kind::OpenRear => (0.0, 1.0),
        };
        let (f0, r0) = (self.front_split, self.rear_split);
        [f * f0, f * (1.0 - f0), r * r0, r * (1.0 - r0)]
    }
}

impl Differential4W {
    /// Whether the differential connects the first four wheels in their order, as most do: one whole group.
    #[inline]
    fn is_first_group(&self) -> bool {
        self.wheels == [0, 1, 2, 3]
    }

    /// Shares of the wheels of `group`; 0 for those that it does not connect.
    #[inline]
    fn lanes(&self, shares: [f32; 4], group: usize) -> W4 {
        if group == 0 && self.is_first_group() {
            W4::from_array(shares)
        } else {
            self.lanes_of_any(shares, group)
        }
    }

    /// Shares of the wheels of `group`, whichever four wheels of the vehicle the differential connects; 0 for all others.
    #[inline(never)]
    fn lanes_of_any(&self, shares: [f32; 4], group: usize) -> W4 {
        let mut lanes = [0.0; LANES];
        for (wheel, share) in self.wheels.into_iter().zip(shares) {
            if wheel / LANES == group {
                lanes[wheel % LANES] = share;
            }
        }
        W4::from_array(lanes)
    }

    /// Values of its wheels, 0 for wheels that the vehicle does not have.
    #[inline]
    fn numbers<T>(&self, groups: &[T], number: impl Fn(&T) -> W4) -> [f32; 4] {
        if self.is_first_group() {
            return number(&groups[0]).to_array();
        }
        self.wheels
            .map(|wheel| per_wheel::lane_of(groups, wheel, &number))
    }

    /// The kind that matches this step's speed shares: if the rear axle has none, it is disengaged.
    fn acting_kind(&self, control: &Control) -> DifferentialKind {
        let [_, _, left, right] = self.numbers(&control.wheels, |group| group.speed_share);
        if left != 0.0 || right != 0.0 {
            self.kind
        } else {
            self.kind.front_only()
        }
    }
}

/// Speed split of all wheels, which depends on the handbrake alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SpeedSplit {
    /// Speed split with the handbrake released, and pulled.
    of_groups: [[W4; GROUPS]; 2],
    /// Whether the torque split is the speed split.
    open: bool,
}

impl SpeedSplit {
    /// Speed split of the wheels under this `law`.
    pub(crate) fn of(law: &Differential4W) -> Self {
        let grouped = |handbrake: f32| {
            let shares = law.speed_shares(handbrake);
            core::array::from_fn(|group| law.lanes(shares, group))
        };
        Self {
            of_groups: [0.0, 1.0].map(grouped),
            open: law.kind.is_open(),
        }
    }

    /// Speed split of wheels that always have these `shares` of torque and speed.
    pub(crate) fn always(shares: &PerWheel) -> Self {
        Self {
            of_groups: [per_wheel::grouped(shares); 2],
            open: true,
        }
    }

    /// Sets the speed split with the handbrake at `handbrake`, 0…1, and a torque split that does not depend on speeds.
    #[inline]
    pub(crate) fn set(&self, handbrake: f32, control: &mut Control) {
        let shares = &self.of_groups[usize::from(handbrake > 0.0)];
        let wheels = &mut control.wheels;
        wheels.each_mut(|group, wheels| {
            wheels.speed_share = shares[group];
            if self.open {
                wheels.torque_share = shares[group];
            }
        });
    }
}

impl DifferentialLaw for Differential4W {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        per_wheel::check_indices("wheels", &self.wheels, wheels, i);
    }

    #[inline]
    fn ask(&self, asked: &Asked, control: &mut Control) {
        SpeedSplit::of(self).set(asked.handbrake, control);
    }

    #[inline]
    fn share(&self, wheels: &[WheelState], torque: f32, control: &mut Control) {
        if !self.kind.is_open() {
            self.share_limited(wheels, torque, control);
        }
    }
}

impl Differential4W {
    /// Sets the torque shares of limited differentials.
    fn share_limited(&self, wheels: &[WheelState], torque: f32, control: &mut Control) {
        let spins = self.numbers(wheels, |group| group.spin);
        let kind = self.acting_kind(control);
        let shares = if control.smooth {
            let off = self.wheels.map(|wheel| control.is_disabled(wheel));
            self.smooth_shares_as(kind, turning(spins, off), torque)
        } else {
            self.shares_as(kind, spins)
        };
        let wheels = &mut control.wheels;
        wheels.each_mut(|group, wheels| wheels.torque_share = self.lanes(shares, group));
    }
}

impl Check for Differential4W {
    fn check(&self, i: &mut Inspector) {
        for (n, &wheel) in self.wheels.iter().enumerate() {
            let name = format!("wheels[{n}]");
            per_wheel::check_index(&name, wheel, MAX_WHEELS, i);
            let once = !self.wheels[..n].contains(&wheel);
            i.rule(once, &name, wheel, "", "must differ from the others");
        }
        for (name, split) in [
            ("front_rear_split", self.front_rear_split),
            ("front_split", self.front_split),
            ("rear_split", self.rear_split),
        ] {
            i.within_range(name, split, 0.0, 1.0, "");
        }
        for (name, bias) in [
            ("center_bias", self.center_bias),
            ("front_bias", self.front_bias),
            ("rear_bias", self.rear_bias),
        ] {
            i.within_range(name, bias, 1.0, f32::MAX, "");
        }
    }
}

#[cfg(test)]
mod tests;
