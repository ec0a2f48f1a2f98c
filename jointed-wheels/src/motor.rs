//! Torques on wheels that the engine solves: engine and clutch as motors.
//!
//! With the clutch shut, the engine's inertia J turns with the wheels' mean speed S = Σ s·Ω times
//! the ratio G. A motor that pulls a wheel towards a spin, by a torque in proportion to what is
//! missing at the end of the step h, is exactly that inertia:
//!
//! ```text
//! T  = T₀ − (J/h)·G·(S⁺ − S)            T₀ = T_e + (J/h)·(Ω_e − G·S)
//! torque on a wheel: share·G·T          |T| ≤ capacity
//! ```
//!
//! An engine solves its motors in n substeps of h, in which a spin that rises evenly has on average
//! risen by (n + 1)/2n of the whole: the motor pulls harder by the inverse.
//!
//! Each wheel's motor knows its own spin at the end of the step, and takes the others' as they are.

use vehicle_core::drivetrain::EngineCoupling;

use crate::contract::Motor;

/// 2n/(n + 1) for the four substeps in a sixtieth of a second that engines have.
const IN_SUBSTEPS: f32 = 1.6;

/// Engine and clutch in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clutch {
    /// Torque transmitted if the wheels keep their spins (`N·m`), and its loss per mean spin gained
    /// (`N·m·s/rad`).
    torque: f32,
    slope: f32,
    /// Most of it (`N·m`).
    most: f32,
    ratio: f32,
    /// The engine's speed and the wheels' mean spin (`rad/s`).
    speed: f32,
    mean: f32,
    /// The engine's own net torque (`N·m`), and its inertia over the step (`kg·m²/s`).
    own: f32,
    inertia: f32,
    limits: [f32; 2],
}

impl Clutch {
    /// For a step of `h` (`s`) from an engine's speed and the wheels' mean spin (`rad/s`).
    pub(crate) fn new(coupling: &EngineCoupling, speed: f32, mean: f32, h: f32) -> Self {
        let own = coupling.torque - coupling.friction - coupling.damping * speed;
        let inertia = coupling.inertia / h;
        let (rigid, most) = match coupling.capacity {
            Some(capacity) => (1.0, capacity),
            None => {
                let strength = coupling.clutch;
                (strength / (inertia + strength), f32::MAX)
            }
        };
        let open = coupling.ratio == 0.0 || coupling.clutch <= 0.0;
        let most = if open { 0.0 } else { most };
        Self {
            torque: rigid * (own + inertia * (speed - coupling.ratio * mean)),
            slope: rigid * inertia * coupling.ratio,
            most,
            ratio: coupling.ratio,
            speed,
            mean,
            own,
            inertia,
            limits: [coupling.idle_speed, coupling.max_speed],
        }
    }

    /// The motor of a wheel with these shares of torque and speed at this `spin` (`rad/s`).
    pub(crate) fn motor(&self, share: f32, speed_share: f32, spin: f32) -> Motor {
        let gear = share * self.ratio;
        let damping = IN_SUBSTEPS * gear * self.slope * speed_share;
        let most = (gear * self.most).abs();
        if damping > 0.0 && most > 0.0 {
            Motor {
                torque: 0.0,
                spin: spin + gear * self.torque / damping,
                damping,
                most,
            }
        } else {
            Motor {
                torque: (gear * self.torque).clamp(-most, most),
                ..Motor::default()
            }
        }
    }

    /// The engine's torque on such a wheel while a brake is its motor (`N·m`).
    pub(crate) fn drag(&self, share: f32) -> f32 {
        share * self.ratio * self.own.clamp(-self.most, self.most)
    }

    /// Torque transmitted (`N·m`) and the engine's speed (`rad/s`) after a step in which the wheels
    /// came to this mean spin.
    pub(crate) fn after(&self, mean: f32) -> (f32, f32) {
        let torque = self.torque - self.slope * (mean - self.mean);
        let torque = torque.clamp(-self.most, self.most);
        let speed = self.speed + (self.own - torque) / self.inertia;
        let [idle, most] = self.limits;
        (torque, speed.clamp(idle, most))
    }
}

#[cfg(test)]
mod tests;
