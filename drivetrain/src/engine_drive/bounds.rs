//! What keeps the torque of a drive's engine below that of its throttle: the boost of a turbocharger, and a rev limiter.

use vehicle_core::drivetrain::EngineCoupling;
use vehicle_core::{Control, DriveState, Gear};

use super::EngineDrive;
use crate::engine::EngineParams;
use crate::turbo::TurboParams;

/// Number of values that they remember: a boost, and whether the engine is cut (1) or not (0).
pub(super) fn memory(engine: &EngineParams) -> usize {
    usize::from(engine.turbo.is_some()) + usize::from(engine.limiter.is_some())
}

impl EngineDrive {
    /// Advances both by a substep of this `duration` (`s`), and bounds the engine's torque.
    pub(super) fn bound_torque(
        &self,
        memory: &mut [f32],
        (state, control): (&DriveState, &mut Control),
        duration: f32,
    ) {
        let neutral = state.gear == Gear::NEUTRAL;
        let engagement = self.params.clutch.engagement_at(control.clutch, neutral);
        let Some(coupling) = &mut control.coupling else {
            return;
        };
        let (engine, speed) = (&self.params.engine, state.engine_speed);
        let mut values = memory.iter_mut();
        if let Some(turbo) = &engine.turbo
            && let Some(boost) = values.next()
        {
            charge(engine, turbo, boost, coupling, [speed, duration]);
        }
        if let Some(limiter) = &engine.limiter
            && let Some(is_cut) = values.next()
        {
            let cuts = limiter.cuts(*is_cut != 0.0, speed);
            *is_cut = f32::from(u8::from(cuts));
            if cuts {
                (coupling.throttle, coupling.torque) = (0.0, 0.0);
                coupling.damping = engine.damping(0.0, engagement);
            }
        }
    }
}

/// Advances the boost, and reduces the torque to what it allows.
fn charge(
    engine: &EngineParams,
    turbo: &TurboParams,
    boost: &mut f32,
    coupling: &mut EngineCoupling,
    [speed, duration]: [f32; 2],
) {
    let throttle = coupling.throttle;
    let [mean, end] = turbo.advanced(*boost, throttle, speed, duration);
    *boost = end;
    let most = turbo.greatest_throttle(speed, mean);
    if throttle > most {
        coupling.torque = engine.torque(most, speed);
    }
}
