//! A vehicle with an engine, on wheels or tracks: from pedals and gear requests to clutch, ratio, torque and speed split,
//! brakes and angles (PhysX 4.1 vehicle SDK, ALGORITHMS §4.2–4.9; PhysX 5 `vehicle2`, §7.4–7.7).

mod params;
mod command;
mod coupling;
mod automatic;
mod single_clutch;
mod dual_clutch;
mod auxiliary;
mod bounds;
mod burning;

use vehicle_core::drivetrain::EngineCoupling;
use vehicle_core::lanes::W4;
use vehicle_core::state::WheelState;
use vehicle_core::{
    Checked, Command, Control, DriveState, Drivetrain, FuelUse, Gear, GearCommand, Inspector,
    Sensors, Shafts, SteeringWheel, StepError, TireForces, TireInput,
};

use crate::brakes::Brakes;
use crate::differential::{Differential, DifferentialLaw, SpeedSplit};
use crate::fuel::FuelMemory;
use crate::gear_change::Gears;
use crate::intention::withdraw;
use crate::per_wheel;
use crate::tick::Tick;

pub(crate) use automatic::{set_engine, set_gear};
pub use params::EngineDriveParams;

use command::CarControls;
use coupling::{EngineRequest, mean_spin};

/// The drive of a vehicle with an engine. It accepts [`CarCommand`](vehicle_core::CarCommand)s, and
/// on tracks also [`TankCommand`](vehicle_core::TankCommand)s, which have neither clutch pedal nor
/// handbrake.
///
/// Wheels that are not driven are only steered and braked.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineDrive {
    params: EngineDriveParams,
    brakes: Brakes,
    /// Speed split of laws of which it depends on the handbrake alone, or on nothing.
    speed_split: Option<SpeedSplit>,
}

impl EngineDrive {
    /// A drive with these parameters.
    #[must_use]
    pub fn new(params: Checked<EngineDriveParams>) -> Self {
        let params = params.into_inner();
        let speed_split = match &params.differential {
            Differential::FourWheel(law) => Some(SpeedSplit::of(law)),
            Differential::Equal(law) => Some(SpeedSplit::always(&law.shares())),
            _ => None,
        };
        Self {
            brakes: Brakes::new(&params.brakes),
            speed_split,
            params,
        }
    }

    /// The parameters of the drive.
    #[must_use]
    pub fn params(&self) -> &EngineDriveParams {
        &self.params
    }

    /// Whether gears change by clutches of the gearbox, which transmit torque meanwhile.
    fn changes_under_torque(&self) -> bool {
        self.params.converter.is_some() || self.params.dual_clutch.is_some()
    }

    /// Whether engine and gearbox are shafts, instead of the solver's coupling.
    fn turns_shafts(&self) -> bool {
        self.changes_under_torque() || self.auxiliary_rows() > 0
    }

    /// Total ratio of a gear in a range, engine speed over wheel speed (–).
    fn ratio(&self, range: u8, gear: Gear) -> f32 {
        let gearbox = &self.params.gearbox;
        gearbox.ratio(gear) * gearbox.range_ratio(range)
    }

    /// Whether the driver works the clutch by its pedal alone.
    fn is_by_pedal(&self, control: &Control) -> bool {
        control.levers.manual_clutch && self.params.clutch.pedal.is_some()
    }

    /// Runs gear request, autobox and gearbox; returns the accelerator after their cuts, and the throttle that reaches the
    /// engine.
    #[inline]
    fn operate_gearbox(
        &self,
        state: &mut DriveState,
        wheels: &[WheelState],
        tick: Tick,
        control: &mut Control,
    ) -> (f32, f32) {
        let p = &self.params;
        let input_speed = match &p.converter {
            Some(_) if state.gear != Gear::NEUTRAL => {
                self.ratio(control.levers.range, state.gear) * mean_spin(wheels, control)
            }
            _ => state.engine_speed,
        };
        let gears = Gears {
            gearbox: &p.gearbox,
            autobox: p.autobox.as_ref(),
            rear_ratio: p.gearbox.range_ratio(control.levers.range)
                * p.variator
                    .as_ref()
                    .map_or(1.0, |variator| variator.ratios[1]),
            engages: !self.is_by_pedal(control)
                || p.clutch.engagement_at(control.clutch, false) <= 0.0,
            input_speed,
            relative_speed: input_speed / p.engine.max_speed,
            engine: &p.engine,
            responses: &p.responses,
            wheels,
            radii: &p.radii,
        };
        let accelerator = p.gearbox.logic.change(&gears, control, state, tick);
        let accelerator = if self.changes_under_torque() {
            // Their clutches change gears under torque.
            control.throttle
        } else {
            accelerator
        };
        let accelerator = match &p.differential {
            Differential::Tank(tank) => tank.coupling.throttle(accelerator, control.throttle),
            _ => accelerator,
        };
        let throttle = gears.fuel(accelerator, gears.relative_speed);
        (accelerator, throttle)
    }

    /// Sets the wheels that the driver requests to accelerate; `drives` says whether throttle reaches the wheels.
    #[inline]
    fn set_intention(&self, drives: bool, control: &mut Control) {
        if !drives {
            return withdraw(control);
        }
        control.accelerating = true;
        let law = &self.params.differential;
        let wheels = &mut control.wheels;
        wheels.each_mut(|_, wheels| wheels.accelerated = law.accelerated(wheels));
        self.params.gearbox.logic.heed_pedals(control);
    }
}

impl Drivetrain for EngineDrive {
    fn check(&self, wheels: usize, i: &mut Inspector) {
        let p = &self.params;
        i.within("differential", |i| {
            p.differential.check_wheels(wheels, i);
        });
        i.within("steering", |i| p.steering.check_wheels(wheels, i));
        i.within("brakes", |i| {
            per_wheel::check_length(p.brakes.len(), wheels, i);
        });
    }

    /// State in first gear, with the engine idling. (PhysX starts in neutral, where an autobox waits for its latency before the
    /// car can move.)
    fn initial_state(&self) -> DriveState {
        let mut state = DriveState {
            engine_speed: self.params.engine.idle_speed,
            ..DriveState::default()
        };
        state.force_gear(Gear::FIRST);
        self.params
            .gearbox
            .logic
            .gear_change(false)
            .rest(&mut state);
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
    ) -> Result<(), StepError> {
        match (command, &self.params.differential) {
            (Command::Tank(asked), Differential::Tank(tank)) => {
                self.read_tank(tank, asked, CarControls::default(), control);
            }
            (Command::Car(car), Differential::Tank(tank)) => {
                let controls = CarControls {
                    clutch: car.clutch,
                    handbrake: car.handbrake,
                };
                self.read_tank(tank, &tank.command_of(car), controls, control);
            }
            (Command::Car(car), _) => self.read_car(car, control),
            (_, Differential::Tank(_)) => {
                let expected = "car or tank";
                return Err(StepError::WrongCommand { expected });
            }
            _ => return Err(StepError::WrongCommand { expected: "car" }),
        }
        Ok(())
    }

    fn change_gears(
        &self,
        state: &mut DriveState,
        wheels: &[WheelState],
        duration: f32,
        control: &mut Control,
    ) {
        let tick = Tick {
            duration,
            exact: control.smooth,
        };
        let (accelerator, throttle) = self.operate_gearbox(state, wheels, tick, control);
        let asked = EngineRequest {
            throttle,
            pedal: control.clutch,
            by_pedal: self.is_by_pedal(control),
            levers: control.levers,
            tick,
        };
        let coupling = self.coupling(asked, state, mean_spin(wheels, control));
        control.coupling = Some(coupling);
        self.params.differential.lock(wheels, duration, control);
        self.set_intention(accelerator > 0.0 && coupling.clutch > 0.0, control);
    }

    fn substep(&self, state: &mut DriveState, duration: f32, control: &mut Control) {
        let gearbox = &self.params.gearbox;
        if !gearbox.logic.substep(gearbox, state, duration) {
            return;
        }
        if let Some(coupling) = control.coupling {
            // An automatic clutch closes in the next step, which knows the speeds.
            let by_pedal = self.is_by_pedal(control);
            let open = self.params.clutch.is_automatic(false) && !by_pedal;
            let asked = EngineRequest {
                throttle: coupling.throttle,
                pedal: if open { 1.0 } else { control.clutch },
                by_pedal,
                levers: control.levers,
                tick: Tick {
                    duration,
                    exact: false,
                },
            };
            control.coupling = Some(self.coupling(asked, state, 0.0));
        }
    }

    fn split_torque(&self, state: &DriveState, wheels: &[WheelState], control: &mut Control) {
        let p = &self.params;
        let torque = |coupling: EngineCoupling| state.clutch_torque * coupling.ratio;
        let torque = control.coupling.map_or(0.0, torque);
        p.differential.share(wheels, torque, control);
        if let Some(coupling) = &mut control.coupling {
            let (throttle, speed) = (coupling.throttle, state.engine_speed);
            coupling.torque = p.engine.torque(throttle, speed);
            coupling.friction = p.engine.friction(throttle, speed);
        }
    }

    fn memory(&self, _wheels: usize) -> usize {
        let p = &self.params;
        let of_shafts = match (&p.converter, &p.dual_clutch) {
            (Some(_), _) => automatic::MEMORY + usize::from(p.variator.is_some()),
            (None, Some(_)) => dual_clutch::MEMORY,
            (None, None) if self.turns_shafts() => single_clutch::MEMORY,
            (None, None) => 0,
        };
        of_shafts + bounds::memory(&p.engine) + self.counters()
    }

    fn counters(&self) -> usize {
        let fuel = self.params.engine.fuel.as_ref();
        fuel.map_or(0, |_| FuelMemory::LENGTH)
    }

    fn fuel(&self, memory: &[f32]) -> Option<FuelUse> {
        let fuel = self.params.engine.fuel.as_ref()?;
        let own = memory.len().saturating_sub(FuelMemory::LENGTH);
        Some(FuelMemory::read(&memory[own..]).used(fuel))
    }

    fn uses_sensors(&self) -> bool {
        let engine = &self.params.engine;
        self.turns_shafts() || engine.fuel.is_some() || bounds::memory(engine) > 0
    }

    fn shafts(&self, wheels: usize) -> Option<Shafts> {
        let mut shafts = match (&self.params.converter, &self.params.dual_clutch) {
            (Some(converter), _) => self.automatic_shafts(converter, wheels),
            (None, Some(_)) => self.dual_clutch_shafts(wheels),
            (None, None) if self.turns_shafts() => self.single_clutch_shafts(wheels),
            (None, None) => return None,
        };
        self.append_auxiliary(&mut shafts, wheels);
        Some(shafts)
    }

    fn sense(
        &self,
        sensors: &Sensors<'_>,
        memory: &mut [f32],
        state: &mut DriveState,
        control: &mut Control,
    ) {
        let wheels = sensors.wheels.iter().enumerate();
        let mean = wheels.map(|(n, wheel)| control.wheel(n).speed_share * wheel.spin);
        let turns = (mean.sum(), sensors.duration);
        let own = memory.len().saturating_sub(self.counters());
        let (memory, counters) = memory.split_at_mut(own);
        let own = own.saturating_sub(bounds::memory(&self.params.engine));
        let (memory, of_bounds) = memory.split_at_mut(own);
        self.bound_torque(of_bounds, (state, control), sensors.duration);
        if let Some(fuel) = &self.params.engine.fuel {
            self.burn(fuel, counters, (state, control), turns);
        }
        match (&self.params.converter, &self.params.dual_clutch) {
            (Some(it), _) => self.turn_automatic(it, memory, state, control, turns),
            (None, Some(it)) => self.turn_dual_clutch(it, memory, state, control, turns),
            (None, None) if control.shafts.is_some() => {
                Self::turn_single_clutch(memory, state, control);
            }
            (None, None) => {}
        }
        self.set_auxiliary(sensors.wheels, control);
    }

    fn steering_wheel(&self) -> Option<SteeringWheel> {
        self.params.steering.steering_wheel()
    }

    fn steer(
        &self,
        wheel: &mut SteeringWheel,
        road: &[(TireInput<W4>, TireForces<W4>)],
        duration: f32,
        control: &mut Control,
    ) {
        self.params.steering.steer(wheel, road, duration, control);
    }

    /// Whether the command has throttle, thrust, a turned steering or a gear change: as in PhysX, these wake a vehicle
    /// (ALGORITHMS §3.15).
    fn requests_motion(&self, command: &Command, state: &DriveState) -> bool {
        let (gear, pushes) = match command {
            Command::Car(car) => (
                car.gear,
                car.throttle != 0.0 || self.params.steering.is_turned(car),
            ),
            Command::Tank(tank) => (tank.gear, tank.throttle != 0.0 || tank.thrust != [0.0; 2]),
            Command::Wheels(_) => return false,
        };
        let gear_request = match gear {
            GearCommand::Up | GearCommand::Down => true,
            GearCommand::Engage(gear) => self.params.gearbox.nearest(gear) != state.target_gear,
            GearCommand::Hold => self.params.gearbox.request_waits(state),
            GearCommand::Cancel => false,
        };
        gear_request || pushes
    }
}

#[cfg(test)]
mod tests;
