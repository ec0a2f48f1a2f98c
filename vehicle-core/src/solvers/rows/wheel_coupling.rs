//! Wheel couplings: wheels that turn together, like those of a track or a locked axle (ROWS §7).
//!
//! ```text
//! Ω_i = ρ_i·s                                   one unknown, the speed s
//! need(s) = Σ ρ_i·need_i(ρ_i·s)                 impulse of shafts and brakes, rising in s
//! need(s) = per_torque·T − clamp(…, ±brake)     gives s for each torque T on the differentials
//! ```
//!
//! The brakes of all its wheels act on a wheel coupling together.
//!
//! Wheel couplings may be **balanced** against each other, as a locked center does with the means of open axles, each of whose
//! wheels is a wheel coupling of its own:
//!
//! ```text
//! Σ w·s = 0                                     by an impulse w·C on each, which does no work
//! ```
//!
//! A sweep then solves the wheels' rows in sequence, each with its shaft's impulse, or at its spin if it
//! slides or stands. The final speed follows from the wheel coupling's total angular momentum, so that it is conserved.

use crate::MAX_WHEELS;
use crate::base::lanes::{LANES, W4};

use super::coupled_wheel::{CoupledFour, CoupledWheel, Sloped, Total};
use super::group::GroupRows;
use super::substep_context::SubstepInputs;
use super::tuning::{COUPLING_MOMENTUM, COUPLING_STEPS};
use super::wheel::{Shaft, soft};

/// Number of groups of the largest vehicle.
const GROUPS: usize = MAX_WHEELS.div_ceil(LANES);

/// A set of wheels that turn together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct WheelCoupling {
    /// Impulse per torque on the differentials, `h·Σ ρ·torque_share` (`s`).
    per_torque: f32,
    /// Share of the mean speed that the clutch sees, `Σ ρ·speed_share` (–).
    speed_share: f32,
    /// Maximum impulse of the brakes, `Σ |ρ|·brake` (`N·m·s`).
    brake: f64,
    /// Effective inertia without tires, Σ ρ²·(I + hζ) (`N·m·s²`).
    effective_inertia: f64,
    /// Weight in the sum of speeds that is kept at 0, `Σ ρ·balance` (–).
    weight: f32,
    /// Start of the search, the present speed (`rad/s`).
    guess: f32,
    /// Impulse that shaft and brakes must add for it to stand (`N·m·s`).
    standing: f32,
}

impl WheelCoupling {
    /// Maximum impulse of the brakes (`N·m·s`).
    fn brake(&self) -> f32 {
        self.brake as f32
    }

    /// Speed of the wheel coupling with this angular momentum, brakes not yet counted (`N·m·s`), and its slope.
    fn speed_with(&self, momentum: f32) -> Sloped {
        let (left, inertia) = (soft(momentum, self.brake()), self.effective_inertia as f32);
        if left == 0.0 || inertia <= 0.0 {
            return Sloped::default();
        }
        Sloped {
            value: left / inertia,
            slope: 1.0 / inertia,
        }
    }
}

/// All wheel couplings of a vehicle within a sweep.
#[derive(Clone, Debug)]
pub struct WheelCouplings {
    /// Coupled wheels, as many fours as there are.
    fours: [Option<CoupledFour>; MAX_WHEELS],
    wheel_couplings: [WheelCoupling; MAX_WHEELS],
    count: usize,
    /// Whether any wheel coupling has a weight, so that wheel couplings are balanced.
    balanced: bool,
}

impl WheelCouplings {
    /// No wheel couplings.
    #[inline]
    pub fn none() -> Self {
        Self {
            // Of a constant, all of its bytes would be copied.
            fours: core::array::from_fn(|_| None),
            wheel_couplings: [WheelCoupling::default(); MAX_WHEELS],
            count: 0,
            balanced: false,
        }
    }

    fn fours(&self) -> impl Iterator<Item = &CoupledFour> {
        self.fours.iter().map_while(Option::as_ref)
    }

    /// Adds the coupled wheels of group `g` in a substep of `h` (`s`), and removes them from the group's share
    /// of the mean speed; `most` is the number of wheel couplings. After the last group, call
    /// [`find_standing`](Self::find_standing).
    pub fn gather(
        &mut self,
        g: usize,
        inputs: &SubstepInputs<'_>,
        most: u8,
        rows: &mut GroupRows,
        h: f32,
    ) {
        let control = inputs.control;
        let ratios = control.coupling_ratio.as_array();
        let per_torque = control.coupling_ratio * control.torque_share * W4::splat(h);
        let speed_shares = control.coupling_ratio * control.speed_share;
        let weights = control.coupling_ratio * control.balance;
        for lane in inputs.consts.enabled.lanes() {
            let Some(wheel_coupling) = control.wheel_coupling_of(lane, most) else {
                continue;
            };
            let ratio = ratios[lane];
            let wheel = rows.coupled_wheel(lane, ratio);
            self.add(&wheel, (wheel_coupling, g, lane));
            let of = &mut self.wheel_couplings[wheel_coupling];
            of.per_torque += per_torque.as_array()[lane];
            of.speed_share += speed_shares.as_array()[lane];
            of.weight += weights.as_array()[lane];
            self.balanced |= of.weight != 0.0;
            if ratio != 0.0 {
                of.guess = rows.spin().as_array()[lane] / ratio;
            }
        }
    }

    /// Adds a wheel, given its wheel coupling, group and lane.
    fn add(&mut self, wheel: &CoupledWheel, (wheel_coupling, g, lane): (usize, usize, usize)) {
        let mut fours = self.fours.iter_mut();
        let room = fours.find(|four| {
            four.as_ref()
                .is_none_or(|four| four.has_room_for(wheel_coupling))
        });
        if let Some(four) = room {
            let four = four.get_or_insert_with(|| CoupledFour::of(wheel_coupling));
            four.push(wheel, (g, lane));
        }
        self.count = self.count.max(wheel_coupling + 1);
        let of = &mut self.wheel_couplings[wheel_coupling];
        let ratio = wheel.ratio;
        of.brake += f64::from(ratio.abs() * wheel.brake);
        of.effective_inertia += f64::from(ratio * ratio * wheel.effective_inertia);
    }

    /// Finds the impulses with which the wheel couplings stand.
    pub fn find_standing(&mut self) {
        for wheel_coupling in 0..self.count {
            self.wheel_couplings[wheel_coupling].standing = self.need_at(wheel_coupling, 0.0).value;
        }
    }

    /// Impulse that shaft and brakes must add for a wheel coupling to turn at `speed`, `Σ ρ·need_i(ρ·s)` (`N·m·s`).
    fn need_at(&self, wheel_coupling: usize, speed: f32) -> Sloped {
        let own = self
            .fours()
            .filter(|four| four.wheel_coupling == wheel_coupling);
        let mut total = Total::default();
        own.for_each(|four| four.wheels.add_needs_at(speed, &mut total));
        total.sum()
    }

    /// Speed of a wheel coupling whose shaft adds `impulse` (`N·m·s`), and its slope; both 0 if the brakes lock it.
    ///
    /// ```text
    /// missing = soft(impulse − need(0), brake)        0: the wheel coupling stands
    /// need(s) = impulse − sign(missing)·brake         otherwise
    /// ```
    fn speed_at(&self, wheel_coupling: usize, impulse: f32) -> Sloped {
        let of = &self.wheel_couplings[wheel_coupling];
        let WheelCoupling {
            guess, standing, ..
        } = *of;
        let (brake, effective_inertia) = (of.brake(), of.effective_inertia as f32);
        let missing = soft(impulse - standing, brake);
        if missing == 0.0 || effective_inertia <= 0.0 {
            return Sloped::default();
        }
        // Tires resist: without them, the wheel coupling would reach missing/inertia, the end of the bracket.
        let forward = missing.signum();
        let against = forward * impulse - brake;
        let over = |speed: f32| {
            let need = self.need_at(wheel_coupling, forward * speed);
            Sloped {
                value: forward * need.value - against,
                slope: need.slope,
            }
        };
        let speed = rising_root(over, missing.abs() / effective_inertia, forward * guess);
        Sloped {
            value: forward * speed,
            slope: 1.0 / over(speed).slope,
        }
    }

    /// Share of the wheel couplings in the mean speed (`rad/s`) if the differentials receive `torque` (`N·m`).
    #[must_use]
    pub fn mean_at(&self, torque: f32) -> Sloped {
        let balance = self.balance_at(torque);
        let mut mean = Total::default();
        for (n, wheel_coupling) in self.wheel_couplings[..self.count].iter().enumerate() {
            if wheel_coupling.speed_share == 0.0 {
                continue;
            }
            let impulse =
                wheel_coupling.per_torque * torque + wheel_coupling.weight * balance.value;
            let per_torque = wheel_coupling.per_torque + wheel_coupling.weight * balance.slope;
            let speed = self.speed_at(n, impulse);
            mean.add(Sloped {
                value: wheel_coupling.speed_share * speed.value,
                slope: wheel_coupling.speed_share * per_torque * speed.slope,
            });
        }
        mean.sum()
    }

    /// Impulse C that balances the wheel couplings while the differentials receive `torque` (`N·m`), and its slope.
    ///
    /// ```text
    /// dC/dT = −Σ w·s′·per_torque/Σ w²·s′
    /// ```
    fn balance_at(&self, torque: f32) -> Sloped {
        if !self.balanced {
            return Sloped::default();
        }
        let impulses = self
            .wheel_couplings
            .map(|wheel_coupling| wheel_coupling.per_torque * torque);
        let standing = |n: usize| self.wheel_couplings[n].standing;
        let value = self.balance(&impulses, standing, |n, impulse| self.speed_at(n, impulse));
        let mut slopes = Total::default();
        for (n, wheel_coupling) in self.weighted() {
            let slope = wheel_coupling.weight
                * self
                    .speed_at(n, impulses[n] + wheel_coupling.weight * value)
                    .slope;
            slopes.add(Sloped {
                value: slope * wheel_coupling.per_torque,
                slope: slope * wheel_coupling.weight,
            });
        }
        let Sloped {
            value: driven,
            slope: held,
        } = slopes.sum();
        let slope = if held > 0.0 { -driven / held } else { 0.0 };
        Sloped { value, slope }
    }

    fn weighted(&self) -> impl Iterator<Item = (usize, &WheelCoupling)> {
        let all = self.wheel_couplings[..self.count].iter().enumerate();
        all.filter(|(_, wheel_coupling)| wheel_coupling.weight != 0.0)
    }

    /// Impulse C with which the wheel couplings' speeds, `speed_at` their `impulses + w·C`, are balanced: Σ w·s = 0 (`N·m·s`).
    /// `standing` is the impulse with which a wheel coupling stands without its brakes.
    fn balance(
        &self,
        impulses: &[f32; MAX_WHEELS],
        standing: impl Fn(usize) -> f32,
        speed_at: impl Fn(usize, f32) -> Sloped,
    ) -> f32 {
        let sum = |balance: f32| {
            let mut sum = Total::default();
            for (n, wheel_coupling) in self.weighted() {
                let speed = speed_at(n, impulses[n] + wheel_coupling.weight * balance);
                sum.add(Sloped {
                    value: wheel_coupling.weight * speed.value,
                    slope: wheel_coupling.weight * wheel_coupling.weight * speed.slope,
                });
            }
            sum.sum()
        };
        let direction = -sum(0.0).value.signum();
        // There, none turns against C any more.
        let end = self.weighted().fold(0.0_f32, |end, (n, wheel_coupling)| {
            let against =
                (direction * wheel_coupling.weight).signum() * (standing(n) - impulses[n]);
            end.max((against - wheel_coupling.brake()) / wheel_coupling.weight.abs())
        });
        let over = |balance: f32| {
            let sum = sum(direction * balance);
            Sloped {
                value: direction * sum.value,
                ..sum
            }
        };
        direction * rising_root(over, end, 0.0)
    }

    /// The wheels' shafts in this sweep, if the differentials receive `torque` (`N·m`).
    #[must_use]
    pub fn shafts(&self, torque: f32) -> [[Shaft; LANES]; GROUPS] {
        let mut shafts = [[Shaft::Free; LANES]; GROUPS];
        let mut speeds = [None; MAX_WHEELS];
        let balance = self.balance_at(torque).value;
        for four in self.fours() {
            let of = &self.wheel_couplings[four.wheel_coupling];
            let impulse = of.per_torque * torque + of.weight * balance;
            let speed = speeds[four.wheel_coupling]
                .get_or_insert_with(|| self.speed_at(four.wheel_coupling, impulse));
            let turning = four.wheels.at(speed.value);
            // Brakes lock a standing wheel coupling against the tires.
            let held = speed.slope == 0.0;
            for (n, g, lane) in four.locations() {
                shafts[g][lane] = if held || turning.slides.lane(n) {
                    Shaft::At(turning.spin.as_array()[n])
                } else {
                    Shaft::Adds(turning.need.as_array()[n])
                };
            }
        }
        shafts
    }

    /// Sets the spins from the wheel couplings' angular momentum after the tires' impulses λ; the differentials receive
    /// `torque` (`N·m`).
    ///
    /// ```text
    /// s = soft(per_torque·T + Σ ρ·(y − r·λ), brake)/Σ ρ²·(I + hζ)
    /// ```
    pub fn set_spins(&self, torque: f32, groups: &mut [GroupRows]) {
        let mut momenta = self
            .wheel_couplings
            .map(|wheel_coupling| f64::from(wheel_coupling.per_torque * torque));
        for four in self.fours() {
            for (n, g, lane) in four.locations() {
                let tire = groups[g].tangent.impulses[0].as_array()[lane];
                momenta[four.wheel_coupling] += f64::from(four.wheels.momentum_after(n, tire));
            }
        }
        let mut momenta = momenta.map(|momentum| momentum as f32);
        let speed_at = |n: usize, momentum: f32| self.wheel_couplings[n].speed_with(momentum);
        if self.balanced {
            let balance = self.balance(&momenta, |_| 0.0, speed_at);
            for (n, wheel_coupling) in self.weighted() {
                momenta[n] += wheel_coupling.weight * balance;
            }
        }
        for four in self.fours() {
            let speed = speed_at(four.wheel_coupling, momenta[four.wheel_coupling]).value;
            let spins = four.wheels.spins_at(speed);
            for (n, g, lane) in four.locations() {
                groups[g].set_spin(lane, spins.as_array()[n]);
            }
        }
    }
}

/// Root in [0, `end`] of a rising function that is negative at 0 and not negative at `end`. Newton's method in
/// a bracket from `start`, with bisection if a step is not at most half as long as the one before.
fn rising_root(at: impl Fn(f32) -> Sloped, end: f32, start: f32) -> f32 {
    let (mut low, mut high) = (0.0, end);
    let mut x = if start > low && start < high {
        start
    } else {
        0.0
    };
    let mut last = end;
    for _ in 0..COUPLING_STEPS {
        let here = at(x);
        if here.value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        if here.value == 0.0 {
            return x;
        }
        let step = here.value / here.slope;
        let next = x - step;
        if step.abs() <= COUPLING_MOMENTUM * x || high - low <= COUPLING_MOMENTUM * high {
            return next.clamp(low, high);
        }
        let shorter = 2.0 * step.abs() <= last;
        let new = if shorter && next > low && next < high {
            next
        } else {
            0.5 * (low + high)
        };
        last = (new - x).abs();
        x = new;
    }
    x
}

#[cfg(test)]
mod tests;
