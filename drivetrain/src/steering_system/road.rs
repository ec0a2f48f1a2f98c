//! Effect of the road on the steering: moments of tires about steering axes, and twisted treads.

use vehicle_core::lanes::W4;
use vehicle_core::{TireForces, TireInput, math};

use super::{KingpinAxis, SteeringSystem, TreadTwist};

/// Inputs at which the tires of four wheels were evaluated, and their forces.
pub(crate) type TireResponse = (TireInput<W4>, TireForces<W4>);

/// Moments of the road on the steering, at the pinion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pull {
    /// Torque (`N·m`).
    pub(crate) torque: f32,
    /// Greatest decrease of the torque as the wheels turn (`N·m/rad`).
    pub(crate) stiffness: f32,
    pub(super) tread: TreadPull,
}

/// The treads of all wheels together, at the pinion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TreadPull {
    stiffness: f32,
    most: f32,
    /// Contacts renewed by rolling per second (`1/s`).
    renewal: f32,
}

/// Most cornering stiffness per load (1/rad): passenger car tires have 10 to 30 (Pacejka, Tire and Vehicle Dynamics, 3rd
/// ed., §1.2).
const STIFFEST: f32 = 30.0;
/// Pneumatic trail of a tire over its radius (–), about that of half its contact.
const PNEUMATIC: f32 = 0.15;
/// Speed above which moments of the tires' laws act in full, and treads no longer twist (`m/s`).
const ROLLS: f32 = 1.0;

impl Pull {
    /// Adds a tire whose wheel turns by `slope` with the pinion, and has this `moment` about its steering axis (`N·m`).
    pub(crate) fn add(
        &mut self,
        system: &SteeringSystem,
        axis: &KingpinAxis,
        tire: &TreadState,
        (moment, slope): (f32, f32),
    ) {
        let gear_request = axis.trail.abs() + PNEUMATIC * tire.radius;
        self.torque += moment * slope;
        self.stiffness += STIFFEST * tire.load * gear_request * slope * slope;
        if let Some(twist) = &system.tread {
            self.tread.add(tire, twist, slope);
        }
    }
}

impl TreadPull {
    /// Adds a tread that moves by `slope` with the pinion. Friction bounds its moment by Gough's formula (R. S. Sharp and R.
    /// Granger, On car steering torques at parking speeds, Proceedings of the Institution of Mechanical Engineers D 217,
    /// 2003), as far as forces leave some:
    ///
    /// ```text
    /// |M| ≤ ⅓·μ·√(N³/p)·√(1 − used²)
    /// ```
    fn add(&mut self, tread: &TreadState, twist: &TreadTwist, slope: f32) {
        if tread.load <= 0.0 {
            return;
        }
        let patch = math::sqrt(tread.load / twist.pressure);
        let stands = (1.0 - tread.speed / ROLLS).max(0.0);
        let grip = tread.friction * tread.load;
        let across = tread.longitudinal * tread.longitudinal + tread.lateral * tread.lateral;
        let left = math::sqrt((grip * grip - across).max(0.0));
        self.stiffness += stands * twist.stiffness * slope * slope;
        self.most += stands * patch * left * slope.abs() / 3.0;
        self.renewal = self.renewal.max(tread.speed / patch);
    }
}

impl Pull {
    /// Adds the treads, which are `wound` up (`rad`), relax as they roll, and slip:
    ///
    /// ```text
    /// u ← u/(1 + h·V/√(N/p)),   |K·u| ≤ Σ|M|
    /// ```
    pub(crate) fn wind(&mut self, wind_up: &mut f32, h: f32) {
        let TreadPull {
            stiffness,
            most,
            renewal,
        } = self.tread;
        if stiffness <= 0.0 {
            *wind_up = 0.0;
            return;
        }
        let bound = most / stiffness;
        *wind_up = (*wind_up / (1.0 + h * renewal)).clamp(-bound, bound);
        self.torque -= stiffness * *wind_up;
        self.stiffness += stiffness;
    }
}

/// A tire in a substep, for its steering axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TreadState {
    pub(super) load: f32,
    pub(super) longitudinal: f32,
    pub(super) lateral: f32,
    pub(super) aligning_moment: f32,
    pub(super) friction: f32,
    pub(super) radius: f32,
    /// Forward speed (`m/s`), with its sign.
    pub(super) forward: f32,
    /// The greatest of forward, lateral and rim speed (`m/s`).
    pub(super) speed: f32,
}

impl TreadState {
    pub(crate) fn of(input: &TireInput<W4>, forces: &TireForces<W4>, lane: usize) -> Self {
        let forward = input.forward_speed.lane(lane);
        let others = [input.lateral_speed, input.rim_speed].map(|speed| speed.lane(lane).abs());
        Self {
            load: input.load.lane(lane),
            longitudinal: forces.longitudinal.lane(lane),
            lateral: forces.lateral.lane(lane),
            aligning_moment: forces.aligning_moment.lane(lane),
            friction: input.friction.lane(lane),
            radius: input.radius.lane(lane),
            forward,
            speed: others.into_iter().fold(forward.abs(), f32::max),
        }
    }

    /// Share of the longitudinal force that a `brake` (`N·m`) takes, which acts at the contact; the rest acts at the wheel's
    /// center.
    pub(crate) fn held_by(&self, brake: f32) -> f32 {
        let asked = self.longitudinal.abs() * self.radius;
        let resists = self.longitudinal * self.forward <= 0.0;
        if resists && asked > 0.0 {
            (brake / asked).min(1.0)
        } else {
            0.0
        }
    }
}

impl KingpinAxis {
    /// Moment of the road about the axis (`N·m`), to the left, at a steering angle δ (`rad`), with this share of the
    /// longitudinal force `held` by the brake (T. Gillespie, Fundamentals of Vehicle Dynamics, ch. 8). With trail n, offset o,
    /// caster τ, inclination σ:
    ///
    /// ```text
    /// M·√(1 + tan²τ + tan²σ) = M_z − n·F_y − o′·F_x + N·(sin δ·(n·tan τ − o·tan σ) − cos δ·(o·tan τ + n·tan σ))
    /// o′ = o + (1 − held)·r·tan σ
    /// ```
    pub(crate) fn moment(&self, tire: &TreadState, angle: f32, held: f32) -> f32 {
        let (caster, lean) = (math::tan(self.caster), math::tan(self.inclination));
        let (sin, cos) = math::sin_cos(angle);
        let arm = self.offset + (1.0 - held) * tire.radius * lean;
        let weight = sin * (self.trail * caster - self.offset * lean)
            - cos * (self.offset * caster + self.trail * lean);
        let turning = tire.aligning_moment - self.trail * tire.lateral - arm * tire.longitudinal;
        (turning + tire.load * weight) / math::sqrt(1.0 + caster * caster + lean * lean)
    }
}
