//! Engine and clutch in the current gear: idle controller, stalled engine, automatic clutch, and the speed matching of
//! gear changes.

use vehicle_core::drivetrain::{EngineCoupling, WheelControl};
use vehicle_core::state::WheelState;
use vehicle_core::{Control, DriveState, Gear, Levers};

use super::EngineDrive;
use crate::tick::Tick;

/// The driver's request to the engine, and how far the clutch may close.
#[derive(Clone, Copy, Debug)]
pub(super) struct EngineRequest {
    /// Throttle, 0…1.
    pub(super) throttle: f32,
    /// Clutch pedal, 0…1.
    pub(super) pedal: f32,
    /// Whether the driver works the clutch by its pedal alone.
    pub(super) by_pedal: bool,
    /// The levers: range and starter.
    pub(super) levers: Levers,
    /// The step; exact in the rows solver.
    pub(super) tick: Tick,
}

impl EngineDrive {
    /// Engine and clutch at a mean spin of the wheels (`rad/s`); [`split_torque`](vehicle_core::Drivetrain::split_torque) sets
    /// torque and friction.
    pub(super) fn coupling(
        &self,
        asked: EngineRequest,
        state: &DriveState,
        mean: f32,
    ) -> EngineCoupling {
        let p = &self.params;
        let EngineRequest {
            throttle,
            pedal,
            tick,
            ..
        } = asked;
        let engagement = p.clutch.engagement_at(pedal, state.gear == Gear::NEUTRAL);
        let (clutch, capacity) = p.clutch.engaged(engagement);
        let damping = p.engine.damping(throttle, engagement);
        let idle_torque = p.engine.idle_torque(tick.exact);
        let mut coupling = EngineCoupling {
            inertia: p.engine.inertia,
            idle_speed: p.engine.idle_speed,
            idle_torque: idle_torque + damping * p.engine.idle_speed,
            max_speed: p.engine.max_speed,
            damping,
            torque: 0.0,
            friction: 0.0,
            ratio: self.ratio(asked.levers.range, state.gear),
            clutch,
            capacity,
            accuracy: p.clutch.accuracy,
            throttle,
        };
        let works_itself = p.clutch.is_automatic(tick.exact) && !asked.by_pedal;
        if works_itself && !self.changes_under_torque() {
            self.operate_clutch(&mut coupling, &asked, state, mean);
        }
        if idle_torque.is_finite() && p.engine.is_stalled(state.engine_speed) {
            self.stall(&mut coupling, &asked, idle_torque);
        }
        coupling
    }

    /// Opens the automatic clutch during a change of gear, and otherwise closes it as far as it may.
    #[inline]
    fn operate_clutch(
        &self,
        coupling: &mut EngineCoupling,
        asked: &EngineRequest,
        state: &DriveState,
        mean: f32,
    ) {
        if state.gear != state.target_gear {
            let next = self.ratio(asked.levers.range, state.target_gear);
            return self.change_gear(coupling, state, next * mean);
        }
        let (p, tick) = (&self.params, asked.tick);
        let [speed, shaft] = [state.engine_speed, coupling.ratio * mean];
        let torque = p
            .clutch
            .automatic_torque(&p.engine, coupling, [speed, shaft], tick.duration);
        if torque == f32::INFINITY {
            return;
        }
        match &mut coupling.capacity {
            Some(capacity) if tick.exact => *capacity = capacity.min(torque),
            // The explicit solver has viscous clutches only.
            _ => coupling.clutch = coupling.clutch.min(torque / (speed - shaft).abs()),
        }
    }

    /// Opens the clutch and, with speed matching, brings the engine to the `speed` that the next gear needs (`rad/s`).
    #[cold]
    fn change_gear(&self, coupling: &mut EngineCoupling, state: &DriveState, speed: f32) {
        let p = &self.params;
        coupling.clutch = 0.0;
        coupling.capacity = coupling.capacity.map(|_| 0.0);
        if p.gearbox.rev_matching {
            let full = p.engine.torque(1.0, state.engine_speed);
            coupling.idle_speed = speed.clamp(p.engine.idle_speed, p.engine.max_speed);
            coupling.idle_torque = coupling.idle_torque.max(full);
            coupling.throttle = 0.0;
        }
    }

    /// A stalled engine burns nothing; its starter turns it by the driver's switch, or, with a clutch that works itself, where that
    /// is open.
    #[cold]
    fn stall(&self, coupling: &mut EngineCoupling, asked: &EngineRequest, idle_torque: f32) {
        let open = self.changes_under_torque()
            || coupling.clutch <= 0.0
            || coupling.capacity.is_some_and(|most| most <= 0.0);
        let turns = if asked.by_pedal {
            asked.levers.starter
        } else {
            open
        };
        coupling.throttle = 0.0;
        coupling.idle_speed = self.params.engine.idle_speed;
        coupling.idle_torque = if turns {
            idle_torque + self.params.engine.static_friction
        } else {
            0.0
        };
    }
}

/// Mean spin (`rad/s`) of the wheels that the clutch turns.
#[inline]
pub(super) fn mean_spin(wheels: &[WheelState], control: &Control) -> f32 {
    if control.disabled != 0 {
        return mean_enabled_spin(wheels, control);
    }
    let of_group =
        |(control, wheel): (&WheelControl, &WheelState)| control.speed_share * wheel.spin;
    let spins = control.wheels.iter().zip(wheels).map(of_group);
    spins.map(|spins| spins.sum()).sum()
}

/// [`mean_spin`] of a vehicle with disabled wheels, whose speed split is redistributed to the others in proportion.
#[cold]
fn mean_enabled_spin(wheels: &[WheelState], control: &Control) -> f32 {
    let [mut mean, mut enabled, mut all] = [0.0; 3];
    for (group, (shares, state)) in control.wheels.iter().zip(wheels).enumerate() {
        let (shares, spins) = (shares.speed_share.to_array(), state.spin.to_array());
        for (lane, (share, spin)) in shares.into_iter().zip(spins).enumerate() {
            all += share.abs();
            if !control.is_disabled(group * shares.len() + lane) {
                enabled += share.abs();
                mean += share * spin;
            }
        }
    }
    if enabled > 0.0 {
        mean * (all / enabled)
    } else {
        0.0
    }
}
