//! A third-party tire law: a hyperbola.
//!
//! ```text
//! s = (Cκ·κ, −Cα·tan α)/μ        F = μN·s/√(1 + |s|²)        Mz = −t·Fy/(1 + |s|²)
//! ```
//!
//! At small slips the stiffnesses per load are Cκ and Cα; large slips reach the friction circle.
//! The trail t vanishes as the tire slides. There is no camber thrust.
//!
//! The tire has a warmth w = 0…1: ẇ = P/E − w/τ with the power P of the sliding contact. Its
//! friction is `cold_grip` when cold, and that of the surface when warm.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod kart;

use std::sync::Arc;

use jounce::core::stateful_tire::TireStep;
use jounce::core::tire::TireTraits;
use jounce::core::{
    Check, Checked, Inspector, InvalidParams, StatefulTire, TireCondition, TireForces, TireInput,
    TireModel, TireState,
};
use jounce::document::tagged::TireSpec;
use jounce::tires::{TireParams, TireRegistry};
use serde::{Deserialize, Serialize};

/// Parameters of [`Hyperbolic`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HyperbolicParams {
    /// Longitudinal force per load and slip ratio Cκ (–), > 0.
    pub slip_stiffness: f32,
    /// Lateral force per load and tangent of the slip angle Cα (`1/rad`), > 0.
    pub cornering_stiffness: f32,
    /// Pneumatic trail at no slip t (`m`), ≥ 0.
    pub trail: f32,
    /// Share of the surface's friction that a cold tire has (–), 0 to 1.
    pub cold_grip: f32,
    /// Sliding energy that warms it up, E (`J`), > 0.
    pub warm_up_energy: f32,
    /// Time in which it loses 63 % of its warmth, τ (`s`), > 0.
    pub cooling_time: f32,
}

// Powers of length and mass.

impl Check for HyperbolicParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("slip_stiffness", self.slip_stiffness, "");
        i.positive("cornering_stiffness", self.cornering_stiffness, "1/rad");
        i.not_negative("trail", self.trail, "m");
        i.within_range("cold_grip", self.cold_grip, 0.0, 1.0, "");
        i.positive("warm_up_energy", self.warm_up_energy, "J");
        i.positive("cooling_time", self.cooling_time, "s");
    }
}

/// The law with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperbolic(HyperbolicParams);

/// Within these bounds nothing overflows: a law answers every finite input.
const GREATEST: f64 = 1e12;

impl TireModel for Hyperbolic {
    fn forces(&self, wheel: &TireInput) -> TireForces {
        let p = &self.0;
        let bounded = |x: f32| f64::from(x).clamp(-GREATEST, GREATEST);
        let limit = bounded(wheel.friction) * bounded(wheel.load);
        if limit <= 0.0 {
            return TireForces::default();
        }
        let friction = f64::from(wheel.friction);
        let along = f64::from(p.slip_stiffness) * bounded(wheel.slip_ratio) / friction;
        let across = -f64::from(p.cornering_stiffness) * bounded(wheel.tan_slip_angle) / friction;
        let beyond = 1.0 + along * along + across * across;
        let per_slip = limit / beyond.sqrt();
        let (longitudinal, lateral) = (along * per_slip, across * per_slip);
        let finite = |x: f64| x.clamp(-1e30, 1e30) as f32;
        TireForces {
            longitudinal: finite(longitudinal),
            lateral: finite(lateral),
            aligning_moment: finite(-f64::from(p.trail) * lateral / beyond),
            wheel_torque: finite(-longitudinal * bounded(wheel.radius)),
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        // No force without slip, and monotonic: solvers evaluate such a law once.
        TireTraits::PLAIN
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

/// Index of the warmth in the tire's state.
const WARMTH: usize = 0;

impl Hyperbolic {
    /// Warmth of a tire with this state (–), 0 to 1.
    #[must_use]
    pub fn warmth(state: &TireState) -> f32 {
        state.values[WARMTH]
    }
}

// The vehicle keeps a state for each wheel in its own state: saving and restoring that is enough.
impl StatefulTire for Hyperbolic {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    fn condition(&self, state: &TireState) -> TireCondition {
        let cold = self.0.cold_grip;
        TireCondition {
            friction: cold + (1.0 - cold) * Self::warmth(state),
            ..TireCondition::NEW
        }
    }

    fn advance(&self, state: &mut TireState, step: &TireStep) {
        let warmed = step.sliding_power() / self.0.warm_up_energy * step.duration;
        let kept = 1.0 + step.duration / self.0.cooling_time;
        state.values[WARMTH] = ((Self::warmth(state) + warmed) / kept).min(1.0);
    }
}

impl TireParams for HyperbolicParams {
    type Model = Hyperbolic;

    fn build(params: Checked<Self>) -> Hyperbolic {
        Hyperbolic(params.into_inner())
    }
}

/// The name in vehicle files.
pub const NAME: &str = "hyperbolic";

/// Jounce's own laws and this one.
#[must_use]
pub fn registry() -> TireRegistry {
    TireRegistry::with_builtins().register::<HyperbolicParams>(NAME)
}

// The alternative: with Jounce's feature `typetag`, the law registers itself in every program that
// links this crate.
#[typetag::serde(name = "hyperbolic")]
impl TireSpec for HyperbolicParams {
    fn build(&self) -> Result<Arc<dyn TireModel>, InvalidParams> {
        Ok(Arc::new(<Self as TireParams>::build(Checked::new(*self)?)))
    }
}
