//! The clutch: one unknown torque between an engine and wheels that grip, slide or stand (ROWS §7).
//!
//! ```text
//! slip(T) = Ω_e(T) − R·Σ speed_share·Ω(R·T) − T/K = 0,   |T| ≤ capacity
//! ```
//!
//! All speeds are piecewise linear, monotone functions of the transmitted torque T, and so is the slip:
//! Newton's method in a bracket ends after a few steps.

use crate::base::lanes::{Mask4, Pairs, W4};
use crate::base::math;
use crate::contracts::drivetrain::{ClutchAccuracy, EngineCoupling, WheelControl};
use crate::contracts::stateful_tire::TireRow;
use crate::stages::wheel_consts::WheelConsts;

use super::contact_space::RowBlock;
use super::coupled_wheel::{CoupledWheel, Sloped};
use super::slip_limits::{EngineLimit, SlipLine, TireResponse};
use super::tuning::{CLUTCH_SLIP, CLUTCH_STEPS, ENGINE_BISECTIONS, RIGID_CLUTCH, UNLIMITED_TORQUE};
use super::wheel::{WheelRows, clamp, clamp4, gripping, soft, soft4};

/// Spins of four wheels as functions of the clutch's torque, at the rows' present speeds, beside what their [`WheelRows`]
/// know. Torques and forces are multiplied by the substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spins {
    /// Angular momentum per torque on the differentials (`s`).
    per_torque: W4,
    /// Impulse λ₀ of the tire at spin 0 (`N·s`), and its slope in spin (`N·s²`).
    standing_impulse: W4,
    traction: W4,
    /// Bound of the tire's impulse (`N·s`).
    bound: W4,
    /// Angular momenta that the tire takes at spin 0, r·λ₀, and at its bound (`N·m·s`).
    standing_momentum: W4,
    friction_momentum: W4,
    /// Inverse effective inertia while the tire grips (`1/(N·m·s²)`).
    gripping: W4,
    /// Share of the wheel in the mean speed that the clutch sees (–).
    speed_share: W4,
    /// The lanes that sums add first.
    pairs: Pairs,
    /// Spins that limits of slips allow, if there are any.
    limited: Option<LimitedSpins>,
    /// Response of the tires, if aids limit slips.
    tire: Option<TireResponse>,
}

/// Spins of four wheels between which brakes keep them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LimitedSpins {
    /// Least and greatest spins (`rad/s`), and the wheels that have them.
    spins: [W4; 2],
    exist: [Mask4; 2],
    /// Least and greatest impulse of the brakes (`N·m·s`).
    brakes: [W4; 2],
}

/// Four wheels that a clutch may drive, in the middle of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Driven<'a> {
    /// Constants.
    pub consts: &'a WheelConsts,
    /// [`WheelStart::rim_weight`](super::wheel::WheelStart::rim_weight).
    pub rim_weight: W4,
    /// Torque split and speed split of the wheels.
    pub split: &'a WheelControl,
    /// Forward rows of the tires.
    pub row: &'a TireRow<W4>,
    /// Present speeds and impulses of the rows.
    pub tangent: &'a RowBlock<2>,
}

impl Spins {
    /// Eliminates the tires' forward rows at their present speeds s. `bound` limits the tires' impulses
    /// (`N·s`).
    ///
    /// ```text
    /// w′ = loaded_count·w         ŝ  = s − w′·λ
    /// scale = h/(1 + gain·w′·h)
    /// λ₀ = (force − gain·ŝ)·scale          traction = gain·r·scale
    /// ```
    ///
    /// The loaded wheels move the chassis together, but this solve treats each alone: hence the inverse effective mass w′.
    #[inline]
    #[must_use]
    pub fn new(wheels: &Driven<'_>, bound: W4, loaded_count: f32, h: f32) -> Self {
        let Driven {
            consts: k,
            rim_weight,
            split,
            row,
            tangent,
        } = *wheels;
        let step = W4::splat(h);
        let own = tangent.inverse_effective_mass(0) * W4::splat(loaded_count);
        let without = tangent.speeds_of(0) - own * tangent.impulses_of(0);
        let scale = step / (W4::ONE + row.gain * own * step);
        let traction = row.gain * scale * k.radius * rim_weight;
        let inertia = k.inertia + k.damping * step;
        let standing_impulse = (row.force - row.gain * without) * scale;
        Self {
            per_torque: split.torque_share * step,
            standing_impulse,
            traction,
            bound,
            standing_momentum: k.radius * standing_impulse,
            friction_momentum: k.radius * bound,
            gripping: gripping(inertia, k.radius, row.gain, (own, rim_weight), step),
            speed_share: split.speed_share,
            pairs: k.axles.pairs,
            limited: None,
            tire: None,
        }
    }

    /// Lets the spins be limited as the brakes of these `wheels` limit them, and tells how their tires respond, by which the engine is
    /// limited. The other arguments are those of [`Spins::new`].
    #[inline(never)]
    pub fn limit(&mut self, driven: &Driven<'_>, wheels: &WheelRows, loaded_count: f32) {
        let own = driven.tangent.inverse_effective_mass(0) * W4::splat(loaded_count);
        let tire = TireResponse {
            speed: driven.tangent.speeds_of(0) - own * driven.tangent.impulses_of(0),
            inverse_effective_mass: own,
            standing_impulse: self.standing_impulse,
            traction: self.traction,
        };
        self.tire = Some(tire);
        self.limited = wheels.limited.as_ref().map(|limited| {
            let lines = limited.limits.lines(tire.speed);
            LimitedSpins {
                spins: lines.map(|line| self.spin_at(&line, &tire, wheels.radius)),
                exist: lines.map(|line| line.exists),
                brakes: limited.range,
            }
        });
    }

    /// Spins at which wheels of this `radius` (`m`) have the slip of a line (`rad/s`).
    fn spin_at(&self, line: &SlipLine, tire: &TireResponse, radius: W4) -> W4 {
        let within = |impulse: W4| (clamp4(impulse, self.bound), impulse.abs().gt(self.bound));
        line.spin(tire, radius, within).0
    }

    /// How far the spin of the fastest driven wheel is beyond the engine's limit if the differentials receive `torque` (`N·m`), or that
    /// of the slowest (`rad/s`), in the direction of that torque; `None` if none is driven.
    #[must_use]
    pub fn excess_at(&self, wheels: &WheelRows, limit: &EngineLimit, torque: f32) -> Option<f32> {
        let drive = self.per_torque * W4::splat(torque);
        self.excess_with(wheels, limit, drive, !self.per_torque.same(W4::ZERO))
    }

    /// How far the spin of the fastest of the `driven` wheels is beyond the engine's limit with this `drive` of each by its shaft
    /// (`N·m·s`), or that of the slowest (`rad/s`), in the direction of that drive; `None` if none is driven.
    #[must_use]
    pub fn excess_with(
        &self,
        wheels: &WheelRows,
        limit: &EngineLimit,
        drive: W4,
        driven: Mask4,
    ) -> Option<f32> {
        let tire = self.tire.as_ref()?;
        let (spin, _) = self.spins_with(wheels, drive);
        let direction = W4::ONE.copysign(drive);
        let line = SlipLine::new(direction * W4::splat(limit.slip), tire.speed);
        let excess = (spin - self.spin_at(&line, tire, wheels.radius)) * direction;
        let of_driven = driven.lanes().map(|lane| excess.lane(lane));
        of_driven.reduce(|a, b| limit.worse(a, b))
    }

    /// The wheel of a lane as a coupled wheel, which takes over its share of the mean speed.
    #[must_use]
    #[inline]
    pub fn coupled_wheel(&mut self, wheels: &WheelRows, lane: usize) -> CoupledWheel {
        let mut split = self.speed_share.to_array();
        split[lane] = 0.0;
        self.speed_share = W4::from_array(split);
        CoupledWheel {
            momentum: wheels.momentum.as_array()[lane],
            effective_inertia: 1.0 / wheels.sliding.as_array()[lane],
            brake: wheels.brake.as_array()[lane],
            radius: wheels.radius.as_array()[lane],
            standing_impulse: self.standing_impulse.as_array()[lane],
            traction: self.traction.as_array()[lane],
            bound: self.bound.as_array()[lane],
            ..CoupledWheel::default()
        }
    }

    /// Share of these `wheels` in the mean speed (`rad/s`), and its slope, if the differentials receive
    /// `torque` (`N·m`).
    ///
    /// ```text
    /// y′ = y + per_torque·T
    /// grips:   Ω = soft(y′ − r·λ₀, b)/(I + hζ + r·traction),   λ = λ₀ + traction·Ω
    /// slides:  Ω = soft(y′ − r·sign(λ)·bound, b)/(I + hζ)      if |λ| > bound
    /// ```
    #[inline]
    #[must_use]
    pub fn mean_at(&self, wheels: &WheelRows, torque: f32) -> Sloped {
        let (spin, mobility) = self.spins_at(wheels, torque);
        let turning = !spin.same(W4::ZERO);
        let slope = turning.keep(self.per_torque * mobility);
        let of_wheels = [self.speed_share * spin, self.speed_share * slope];
        let [value, slope] = self.pairs.pair_of_sums(of_wheels);
        Sloped { value, slope }
    }

    /// Spins if the differentials receive `torque` (`N·m`), and their inverse effective inertia; 0 where brakes keep a spin.
    #[inline(always)]
    fn spins_at(&self, wheels: &WheelRows, torque: f32) -> (W4, W4) {
        self.spins_with(wheels, self.per_torque * W4::splat(torque))
    }

    /// Spins with this `drive` of each wheel by its shaft (`N·m·s`), and their inverse effective inertia; 0 where brakes keep a spin.
    #[inline(always)]
    pub fn spins_with(&self, wheels: &WheelRows, drive: W4) -> (W4, W4) {
        let momentum = wheels.momentum + drive;
        let (mut spin, mut mobility) = self.turned(wheels, momentum, wheels.brake);
        if let Some(LimitedSpins {
            spins: [least, greatest],
            exist,
            brakes,
        }) = &self.limited
        {
            let below = exist[0] & spin.lt(*least);
            let above = exist[1] & spin.gt(*greatest);
            if (below | above).any() {
                let released = self.turned(wheels, momentum, brakes[0]).0;
                let built = self.turned(wheels, momentum, brakes[1]).0;
                // Brakes oppose the spin.
                let backward = spin.lt(W4::ZERO);
                let raised = backward.select(built, released).min(*least);
                let lowered = backward.select(released, built).max(*greatest);
                spin = below.select(raised, above.select(lowered, spin));
                mobility = (below | above).select(W4::ZERO, mobility);
            }
        }
        (spin, mobility)
    }

    /// Spins of wheels with this angular `momentum` and this impulse of their brakes, and their inverse effective inertia.
    #[inline(always)]
    fn turned(&self, wheels: &WheelRows, momentum: W4, brake: W4) -> (W4, W4) {
        let grip = soft4(momentum - self.standing_momentum, brake) * self.gripping;
        let force = self.standing_impulse + self.traction * grip;
        let over = force.abs().gt(self.bound);
        if !over.any() {
            return (grip, self.gripping);
        }
        let most = self.friction_momentum;
        let limited = force.gt(W4::ZERO).select(most, -most);
        let slide = soft4(momentum - limited, brake) * wheels.sliding;
        (
            over.select(slide, grip),
            over.select(wheels.sliding, self.gripping),
        )
    }
}

/// Engine speed (`rad/s`) as a function of the clutch's torque on it (`N·m`).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Engine {
    /// Angular momentum with and without the engine's own torque (`N·m·s`).
    driven: f32,
    idle: f32,
    friction: f32,
    per_momentum: f32,
    idle_speed: f32,
    /// Most that the idle controller gains in a substep (`rad/s`), ≥ 0.
    idle_gain: f32,
    max_speed: f32,
    h: f32,
}

impl Engine {
    fn new(engine: &EngineCoupling, speed: f32, h: f32) -> Self {
        let idle = engine.inertia * speed;
        let per_momentum = 1.0 / (engine.inertia + engine.damping * h);
        Self {
            driven: idle + engine.torque * h,
            idle,
            friction: engine.friction * h,
            per_momentum,
            idle_speed: engine.idle_speed,
            idle_gain: engine.idle_reserve() * h * per_momentum,
            max_speed: engine.max_speed,
            h,
        }
    }

    /// Speed at a clutch torque T and its slope: raised toward the idle speed as far as the idle controller can, never
    /// backward, and beyond the maximum speed only without the engine's own torque.
    ///
    /// ```text
    /// Ω_e⁺ = soft(I_e·Ω_e + h·T_e − h·T, h·friction)/(I_e + hζ_e)
    /// ```
    fn speed_at(&self, torque: f32) -> Sloped {
        let speed = |momentum: f32| {
            let left = soft(momentum - self.h * torque, self.friction);
            left * self.per_momentum
        };
        let driven = speed(self.driven);
        let value = if driven > self.max_speed {
            math::greater(speed(self.idle), self.max_speed)
        } else {
            driven
        };
        let raised = math::greater(value + self.idle_gain, 0.0);
        let value = math::greater(value, math::lesser(self.idle_speed, raised));
        let moves = value > 0.0 && value != self.idle_speed && value != self.max_speed;
        Sloped {
            value,
            slope: if moves {
                -self.h * self.per_momentum
            } else {
                0.0
            },
        }
    }
}

/// Solves for the torque that the clutch transmits in this substep (`N·m`) and the resulting engine speed
/// (`rad/s`). `mean_at` is the wheels' mean speed as a function of the torque on the differentials; `torque`
/// is the warm start.
// Within a substep, whose wheels then stay in registers.
#[inline(always)]
#[must_use]
pub fn solve(
    coupling: &EngineCoupling,
    mean_at: impl Fn(f32) -> Sloped,
    engine_speed: f32,
    torque: f32,
    h: f32,
) -> (f32, f32) {
    let engine = Engine::new(coupling, engine_speed, h);
    let (strength, most) = match coupling.capacity {
        Some(capacity) => (RIGID_CLUTCH, capacity),
        None => (coupling.clutch, UNLIMITED_TORQUE),
    };
    let ratio = coupling.ratio;
    if strength <= 0.0 || most <= 0.0 || ratio == 0.0 {
        return (0.0, engine.speed_at(0.0).value);
    }
    let softness = 1.0 / strength;
    let slip = |torque: f32| {
        let (speed, mean) = (engine.speed_at(torque), mean_at(ratio * torque));
        Sloped {
            value: speed.value - ratio * mean.value - torque * softness,
            slope: speed.slope - ratio * ratio * mean.slope - softness,
        }
    };
    let (steps, enough) = iterations(coupling.accuracy);
    let enough = enough * (1.0 + engine_speed.abs());
    let torque = root(slip, torque, most, enough, steps);
    (torque, engine.speed_at(torque).value)
}

/// [`solve`] with an engine whose torque is reduced until its driven wheels keep the slip of the `limit`. `excess_at` is how far
/// they are beyond it if the differentials receive a torque ([`Spins::excess_at`]); `solution` is that without the limit.
#[inline(never)]
#[must_use]
pub fn solve_limited(
    coupling: &EngineCoupling,
    limit: &EngineLimit,
    (mean_at, excess_at): (impl Fn(f32) -> Sloped, impl Fn(f32) -> f32),
    engine_speed: f32,
    solution: (f32, f32),
    h: f32,
) -> (f32, f32) {
    let ratio = coupling.ratio;
    let excess = |torque: f32| excess_at(ratio * torque);
    let (mut within, mut beyond) = (0.0, solution.0);
    if beyond <= 0.0 || excess(beyond) <= 0.0 {
        return solution;
    }
    for _ in 0..ENGINE_BISECTIONS {
        let torque = 0.5 * (within + beyond);
        if excess(torque) > 0.0 {
            beyond = torque;
        } else {
            within = torque;
        }
    }
    let speed = ratio * mean_at(ratio * within).value;
    let gain = coupling.inertia * (speed - engine_speed) / h;
    let needed = gain + coupling.damping * speed + within;
    let reduced = EngineCoupling {
        torque: math::lesser(math::greater(needed, limit.least), coupling.torque),
        ..*coupling
    };
    solve(&reduced, mean_at, engine_speed, within, h)
}

/// Number of iterations, and the slip at which they end, over the engine's speed (–). An estimate ends after its
/// sweeps: with one, the torque is that of the pieces on which engine and wheels were in the last substep.
#[inline]
fn iterations(accuracy: ClutchAccuracy) -> (u32, f32) {
    match accuracy {
        ClutchAccuracy::Exact => (CLUTCH_STEPS, CLUTCH_SLIP),
        ClutchAccuracy::Iterative { sweeps, tolerance } => (
            sweeps.min(CLUTCH_STEPS),
            math::sqrt(tolerance).max(CLUTCH_SLIP),
        ),
    }
}

/// Root of a falling `slip` within ±`most`, or the end closest to it, after at most this many `steps`, or where the
/// slip is `enough`.
///
/// Newton's method in a bracket whose ends are evaluated before they count as bounds. Between flat pieces, only
/// bisection makes progress.
#[inline(always)]
fn root(slip: impl Fn(f32) -> Sloped, start: f32, most: f32, enough: f32, steps: u32) -> f32 {
    let (mut low, mut high) = (-most, most);
    let (mut low_seen, mut high_seen) = (false, false);
    let mut torque = clamp(start, most);
    for _ in 0..steps {
        let at = slip(torque);
        // Not by a branch: where the slip is enough, its sign is noise.
        let end = most.copysign(at.value);
        if at.value.abs() <= enough || torque == end {
            break;
        }
        if at.value > 0.0 {
            (low, low_seen) = (torque, true);
        } else {
            (high, high_seen) = (torque, true);
        }
        let step = torque - at.value / at.slope;
        if step == torque {
            // The step is below rounding.
            break;
        }
        torque = if step > low && step < high {
            step
        } else if step >= high && !high_seen {
            high
        } else if step <= low && !low_seen {
            low
        } else {
            0.5 * (low + high)
        };
    }
    torque
}

#[cfg(test)]
mod tests;
