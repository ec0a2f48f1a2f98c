//! The automatic clutch: the torque up to which it closes.
//!
//! It passes on the engine's torque, and corrects the engine's speed Ω toward a target within its time constant τ:
//!
//! ```text
//! T = T_e + I_e/(τ + h/2)·(Ω − target),   target = max(launch speed, speed of the gearbox's input shaft)
//! ```
//!
//! With half the step h, T is close to the mean of a torque that falls by exp(−t/τ), so that starts do not depend on the step.
//! The launch speed rises with the throttle, from the idle speed. So the clutch opens where the engine would fall below it,
//! starts the vehicle with the engine's torque, and brings the engine to the shaft's speed after a gear change: gently where
//! the wheels must speed it up.

use vehicle_core::drivetrain::EngineCoupling;

use super::ClutchParams;
use crate::engine::EngineParams;

/// Launch speed at full throttle over the engine's maximum speed (–). tuned: by the times to 100 km/h of the shipped cars.
const LAUNCH: f32 = 1.0 / 3.0;
/// Slip over the engine's maximum speed below which the clutch is closed (–). tuned: by the jerk when it closes.
const CLOSED: f32 = 0.01;
/// Most with which wheels speed the engine up, or a launch slows it down, over peak torque (–). tuned: by what passengers feel,
/// and so that wheels that were locked turn again at once.
const DRAG: f32 = 0.2;
/// Engine speed over the idle speed below which creep fades (–), to nothing at the first.
const CREEPS: [f32; 2] = [0.8, 1.0];

impl ClutchParams {
    /// Whether the clutch opens and closes by itself; `exact` in the rows solver.
    pub(crate) fn is_automatic(&self, exact: bool) -> bool {
        self.automatic.unwrap_or(exact)
    }

    /// Mean torque (`N·m`), ≥ 0, up to which the automatic clutch closes in a step of this duration (`s`), at these speeds
    /// (`rad/s`) of the engine and of the gearbox's input shaft; infinite where it is closed.
    #[inline]
    pub(crate) fn automatic_torque(
        &self,
        engine: &EngineParams,
        coupling: &EngineCoupling,
        [speed, shaft]: [f32; 2],
        duration: f32,
    ) -> f32 {
        let slip = speed - shaft;
        let close = CLOSED * engine.max_speed;
        if slip.abs() <= close && shaft >= engine.idle_speed {
            // Without throttle no stronger than needed: wheels that lock, or turn again, need not take the engine along.
            let losses = coupling.damping * speed;
            return if coupling.throttle > 0.0 {
                f32::INFINITY
            } else {
                losses + DRAG * engine.peak_torque
            };
        }
        if engine.stands(speed) && shaft <= close {
            // Closed by its springs, unless the driver wants to start the engine.
            let starts = engine.idle_speed > 0.0 && coupling.throttle > 0.0;
            return if starts { 0.0 } else { f32::INFINITY };
        }
        self.closing_torque(engine, coupling, [speed, shaft], duration)
    }

    /// [`automatic_torque`](Self::automatic_torque) of a slipping clutch.
    #[cold]
    fn closing_torque(
        &self,
        engine: &EngineParams,
        coupling: &EngineCoupling,
        [speed, shaft]: [f32; 2],
        duration: f32,
    ) -> f32 {
        let throttle = coupling.throttle;
        let own = engine.torque(throttle, speed);
        let target = engine.launch_speed(throttle).max(shaft);
        let time = self.closing_time + 0.5 * duration;
        let correction = engine.inertia / time * (speed - target);
        let most = DRAG * engine.peak_torque;
        if speed < shaft {
            // The wheels turn the engine, and overcome its losses.
            let losses = coupling.damping * speed + engine.friction(throttle, speed);
            return (losses - own - correction.max(-most)).max(0.0);
        }
        let launches = target > shaft;
        let torque = own
            + if launches {
                correction.min(most)
            } else {
                correction
            };
        let creeps = shaft < engine.idle_speed && !engine.stands(speed);
        let [none, all] = CREEPS.map(|part| part * engine.idle_speed);
        let creep = if creeps {
            self.creep_torque * ((speed - none) / (all - none)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        torque.max(creep)
    }
}

impl EngineParams {
    /// Engine speed (`rad/s`) at which the automatic clutch starts the vehicle, at a throttle 0…1; 0 without an idle speed.
    fn launch_speed(&self, throttle: f32) -> f32 {
        if self.idle_speed > 0.0 {
            let more = LAUNCH * self.max_speed - self.idle_speed;
            self.idle_speed + throttle * more.max(0.0)
        } else {
            0.0
        }
    }
}
