//! A car with an engine: pedals and lever to clutch, ratio, shares, brakes and angles
//! (PhysX 4.1 vehicle SDK, ALGORITHMS §4.2–4.8).

use alloc::format;
use alloc::vec::Vec;
use core::mem;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::{EngineCoupling, EngineLaw, Pedals, Tick};
use vehicle_core::lanes::{Groups, W4};
use vehicle_core::state::WheelState;
use vehicle_core::{
    Check, Checked, Command, CommandFault, Control, DriveState, Drivetrain, Gear, GearCommand,
    Inspector, MAX_WHEELS, scaled,
};

use crate::autobox::AutoboxParams;
use crate::brakes::{self, BrakeParams};
use crate::clutch::ClutchParams;
use crate::differential::{Differential4W, DifferentialKind};
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::pedals;
use crate::per_wheel::{self, Places};
use crate::steering::SteeringParams;

/// Parameters of [`EngineDrive`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineDriveParams {
    /// The engine.
    pub engine: EngineParams,
    /// The clutch.
    pub clutch: ClutchParams,
    /// The gearbox.
    pub gearbox: GearboxParams,
    /// The autobox, if there is one.
    #[serde(default)]
    pub autobox: Option<AutoboxParams>,
    /// The differentials between the four wheels of `driven`.
    pub differential: Differential4W,
    /// Indices of the wheels that the differentials connect: front pair, rear pair.
    pub driven: [usize; 4],
    /// What steers.
    #[serde(default)]
    pub steering: SteeringParams,
    /// Brakes in wheel order; wheels beyond the last entry have none.
    #[serde(default)]
    pub brakes: Vec<BrakeParams>,
}

scaled!(EngineDriveParams {
    engine: inner,
    clutch: inner,
    gearbox: inner,
    autobox: inner,
    differential: inner,
    driven: same,
    steering: inner,
    brakes: inner,
});

impl Check for EngineDriveParams {
    fn check(&self, i: &mut Inspector) {
        i.within("engine", |i| self.engine.check(i));
        i.within("clutch", |i| self.clutch.check(i));
        i.within("gearbox", |i| self.gearbox.check(i));
        if let Some(autobox) = &self.autobox {
            i.within("autobox", |i| {
                autobox.check(i);
                autobox.check_gears(self.gearbox.forward.len(), i);
            });
        }
        i.within("differential", |i| self.differential.check(i));
        for (n, &wheel) in self.driven.iter().enumerate() {
            let name = format!("driven[{n}]");
            per_wheel::check_index(&name, wheel, MAX_WHEELS, i);
            let once = !self.driven[..n].contains(&wheel);
            i.rule(once, &name, wheel, "", "must differ from the others");
        }
        i.within("steering", |i| self.steering.check(i));
        brakes::check_all(&self.brakes, i);
    }
}

/// The drive of a car with an engine. It takes [`CarCommand`]s.
///
/// Wheels that are not driven are steered and braked only.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineDrive {
    params: EngineDriveParams,
    /// Which wheels the differentials connect.
    driven: Places,
    /// Torques of the pressed pedal and of the pulled handbrake [N·m].
    brake: Vec<W4>,
    handbrake: Vec<W4>,
}

impl EngineDrive {
    /// A drive with these parameters.
    #[must_use]
    pub fn new(params: Checked<EngineDriveParams>) -> Self {
        let params = params.into_inner();
        let torques = |f: fn(&BrakeParams) -> f32| {
            per_wheel::grouped(&per_wheel::padded(params.brakes.iter().map(f))).to_vec()
        };
        Self {
            driven: Places::new(params.driven),
            brake: torques(|wheel| wheel.max_torque),
            handbrake: torques(|wheel| wheel.max_handbrake_torque),
            params,
        }
    }

    /// Its parameters.
    #[must_use]
    pub fn params(&self) -> &EngineDriveParams {
        &self.params
    }

    /// Lever, autobox and gearbox; returns the throttle that is left.
    fn change_gears(&self, state: &mut DriveState, tick: Tick, pedals: &mut Pedals) -> f32 {
        let p = &self.params;
        // What is over at an exact tick makes room for what the driver or the autobox asks now.
        if tick.exact {
            p.gearbox.advance(state, tick);
        }
        p.gearbox.command(mem::take(&mut pedals.lever), state, tick);
        let mut throttle = pedals.throttle;
        if let (true, Some(autobox)) = (pedals.automatic, &p.autobox) {
            let relative_speed = state.engine_speed / p.engine.max_speed;
            throttle = autobox.update(relative_speed, throttle, state, tick);
        }
        p.gearbox.start(state, tick);
        if !tick.exact {
            p.gearbox.advance(state, tick);
        }
        throttle
    }

    /// Engine and clutch in the present gear; torque and friction are left to `shares`.
    fn coupling(&self, throttle: f32, clutch_pedal: f32, gear: Gear) -> EngineCoupling {
        let p = &self.params;
        let neutral = gear == Gear::NEUTRAL;
        let clutch = p.clutch.engaged_strength(clutch_pedal, neutral);
        EngineCoupling {
            engine: EngineLaw {
                inertia: p.engine.inertia,
                idle_speed: p.engine.idle_speed,
                max_speed: p.engine.max_speed,
                damping: p.engine.damping(throttle, clutch > 0.0),
                torque: 0.0,
                friction: 0.0,
            },
            ratio: p.gearbox.ratio(gear),
            clutch,
            capacity: p.clutch.engaged_capacity(clutch_pedal, neutral),
            accuracy: p.clutch.accuracy,
            throttle,
        }
    }

    /// The kind of differential that this step's speed shares belong to: without a share in the
    /// speed the rear axle is off.
    fn acting_kind(&self, control: &Control) -> DifferentialKind {
        let p = &self.params;
        let connected = p.driven[2..].iter().any(|&wheel| {
            per_wheel::lane_of(&control.wheels, wheel, |group| group.speed_share) != 0.0
        });
        if connected {
            p.differential.kind
        } else {
            p.differential.kind.front_only()
        }
    }
}

impl Drivetrain for EngineDrive {
    fn check(&self, wheels: usize, i: &mut Inspector) {
        let p = &self.params;
        for (n, &wheel) in p.driven.iter().enumerate() {
            per_wheel::check_index(&format!("driven[{n}]"), wheel, wheels, i);
        }
        i.within("steering", |i| p.steering.check_wheels(wheels, i));
        i.within("brakes", |i| {
            per_wheel::check_length(p.brakes.len(), wheels, i);
        });
    }

    /// In first gear, the engine idling. (PhysX starts in neutral, where an autobox waits for its
    /// latency before the car can move.)
    fn initial_state(&self) -> DriveState {
        let mut state = DriveState {
            engine_speed: self.params.engine.idle_speed,
            ..DriveState::default()
        };
        state.force_gear(Gear::FIRST);
        state
    }

    fn adopt(&self, state: &mut DriveState) {
        state.gear = self.params.gearbox.nearest(state.gear);
        state.target_gear = self.params.gearbox.nearest(state.target_gear);
    }

    fn control(
        &self,
        command: &Command,
        _state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), CommandFault> {
        let Command::Car(car) = command else {
            return Err(CommandFault::WrongKind { expected: "car" });
        };
        let p = &self.params;
        let (brake, handbrake) = (pedals::pedal(car.brake), pedals::pedal(car.handbrake));
        control.pedals = Pedals {
            throttle: pedals::pedal(car.throttle),
            clutch: car.clutch,
            braking: brake != 0.0 || handbrake != 0.0,
            lever: car.gear,
            automatic: car.automatic,
        };
        let speed_shares = p.differential.speed_shares(handbrake);
        let (brake, handbrake) = (W4::splat(brake), W4::splat(handbrake));
        if control.steered_for != Some(car.steer) {
            control.steered_for = Some(car.steer);
            let steer = p.steering.angles(pedals::steer(car.steer));
            for (group, wheels) in control.wheels.iter_mut().enumerate() {
                wheels.steer = per_wheel::lanes(&steer, group);
            }
        }
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            let torque = brake * self.brake[group] + handbrake * self.handbrake[group];
            wheels.brake = torque.max(W4::ZERO);
            wheels.drive = W4::ZERO;
            wheels.speed_share = self.driven.lanes(speed_shares, group);
        }
        Ok(())
    }

    fn shift(
        &self,
        state: &mut DriveState,
        _wheels: &Groups<WheelState>,
        tick: Tick,
        control: &mut Control,
    ) {
        let throttle = self.change_gears(state, tick, &mut control.pedals);
        let coupling = self.coupling(throttle, control.pedals.clutch, state.gear);
        let accelerating = throttle > 0.0 && !control.pedals.braking && coupling.clutch > 0.0;
        control.coupling = Some(coupling);
        control.accelerating = accelerating;
        for wheels in control.wheels.iter_mut() {
            let intended = if accelerating {
                wheels.speed_share
            } else {
                W4::ZERO
            };
            wheels.accelerated = !intended.same(W4::ZERO);
        }
    }

    fn shares(&self, state: &DriveState, wheels: &Groups<WheelState>, control: &mut Control) {
        let p = &self.params;
        let spins = p
            .driven
            .map(|wheel| per_wheel::lane_of(wheels, wheel, |group| group.spin));
        let kind = self.acting_kind(control);
        let shares = if control.smooth {
            p.differential.smooth_shares_as(kind, spins)
        } else {
            p.differential.shares_as(kind, spins)
        };
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.torque_share = self.driven.lanes(shares, group);
        }
        if let Some(coupling) = &mut control.coupling {
            let (throttle, speed) = (coupling.throttle, state.engine_speed);
            coupling.engine.torque = p.engine.torque(throttle, speed);
            coupling.engine.friction = p.engine.friction(throttle, speed);
        }
    }

    /// Throttle, steering and gears do (PhysX, ALGORITHMS §3.15).
    fn wants_motion(&self, command: &Command, state: &DriveState) -> bool {
        let Command::Car(car) = command else {
            return false;
        };
        let lever = match car.gear {
            GearCommand::Up | GearCommand::Down => true,
            GearCommand::Engage(gear) => self.params.gearbox.nearest(gear) != state.target_gear,
            GearCommand::Hold => self.params.gearbox.request_waits(state),
            GearCommand::Cancel => false,
        };
        lever || car.throttle != 0.0 || car.steer != 0.0
    }
}

#[cfg(test)]
mod tests;
