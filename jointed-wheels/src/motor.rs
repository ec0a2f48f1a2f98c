//! Torques on wheels that the engine solves: engine and clutch as motors.
//!
//! With the clutch shut, the engine's inertia J turns with the wheels' mean speed S = Σ s·Ω times
//! the ratio G, and over a step h its clutch transmits
//!
//! ```text
//! T  = T_e + (J/h)·(Ω_e − G·S⁺)         |T| ≤ capacity
//! torque on a wheel: share·G·T
//! ```
//!
//! To a wheel that gains as much as the mean does, this is a rotor of the inertia share·G²·J: its
//! [`Motor`], which a world turns on in all its substeps. Where one wheel gains more than the others,
//! it gets less torque than its share, but all of them together get T.

use vehicle_core::drivetrain::EngineCoupling;

use crate::contract::Motor;

/// Engine and clutch in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clutch {
    /// Torque transmitted if the wheels keep their spins (`N·m`), and its loss per mean spin gained
    /// (`N·m·s/rad`).
    torque: f32,
    slope: f32,
    /// Share of the engine's torque and inertia that a clutch without capacity passes on in the step (–).
    rigid: f32,
    h: f32,
    /// Greatest torque of the clutch (`N·m`).
    most: f32,
    ratio: f32,
    /// The engine's speed and the wheels' mean spin (`rad/s`).
    speed: f32,
    mean: f32,
    /// The engine's own net torque (`N·m`), and its inertia over the step (`kg·m²/s`).
    own: f32,
    inertia: f32,
    idle_speed: f32,
    max_speed: f32,
    /// Torque that the idle controller can add (`N·m`).
    idle_reserve: f32,
}

impl Clutch {
    /// A clutch in a step of `h` (`s`) from an engine's speed and the wheels' mean spin (`rad/s`).
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
            rigid,
            h,
            most,
            ratio: coupling.ratio,
            speed,
            mean,
            own,
            inertia,
            idle_speed: coupling.idle_speed,
            max_speed: coupling.max_speed,
            idle_reserve: coupling.idle_reserve(),
        }
    }

    /// The motor of a wheel with this share of the torque at this `spin` (`rad/s`).
    pub(crate) fn motor(&self, share: f32, spin: f32) -> Motor {
        let gear = share * self.ratio;
        let (inertia, most) = (gear * self.slope * self.h, (gear * self.most).abs());
        if inertia > 0.0 && most > 0.0 {
            Motor {
                torque: 0.0,
                spin: spin + self.speed / self.ratio - self.mean,
                drive: gear * self.rigid * self.own,
                inertia,
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
        let raised = speed + self.idle_reserve / self.inertia;
        let least = raised.max(0.0).min(self.idle_speed);
        (torque, speed.max(least).min(self.max_speed))
    }
}

#[cfg(test)]
mod tests;
