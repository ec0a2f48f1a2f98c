//! A vehicle with electric motors, alone or beside an engine, on a power split or in parallel: from pedals and gear to the torques
//! of motors, engine and friction brakes, and the battery that feeds them.

mod heat;
mod motor;
mod battery;
mod power;
mod split;
mod regeneration;
mod creep;
mod vectoring;
mod engine_rules;
mod power_split;
mod memory;
mod hybrid;
mod parallel;
mod shafts;
mod gears;
mod report;
mod demand;

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::{LANES, Mask4, W4};
use vehicle_core::state::WheelState;
use vehicle_core::{
    CarCommand, Check, Checked, Command, Control, DriveState, Drivetrain, Gear, Inspector, Sensors,
    Shafts, SteeringWheel, StepError, TireForces, TireInput,
};

use crate::brakes::{self, BrakeParams, Brakes};
use crate::differential::{Asked, DifferentialLaw, EqualSplit};
use crate::engine::EngineParams;
use crate::logic::DriveLogic;
use crate::pedals;
use crate::per_wheel;
use crate::response::Responses;
use crate::selector::{selected, selected_with_lock};
use crate::steering::SteeringParams;

pub use battery::BatteryParams;
pub use creep::CreepParams;
pub use heat::MotorHeatParams;
pub use motor::{MotorLosses, MotorParams};
pub use parallel::ParallelHybridParams;
pub use power_split::PowerSplitParams;
pub use regeneration::RegenerationParams;
pub use report::{ElectricReport, EngineReport, MotorReport};
pub use vectoring::YawVectoringParams;

use demand::DriverInput;
use memory::ElectricMemory;

/// Maximum number of motors.
const MAX_MOTORS: usize = Shafts::MAX_NODES;

/// One number per motor.
type PerMotor = [f32; MAX_MOTORS];

/// Parameters of [`ElectricDrive`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElectricDriveParams {
    /// The motors, 1 to 8, or 7 beside an engine.
    pub motors: Vec<MotorParams>,
    /// The combustion engine of a power split or a parallel hybrid.
    #[serde(default)]
    pub engine: Option<EngineParams>,
    /// The power split between `engine`, wheels and the one motor without wheels, its generator; `None` without an engine.
    #[serde(default)]
    pub power_split: Option<PowerSplitParams>,
    /// The separating clutch before the first motor and the gearbox behind it, of a parallel hybrid; `None` without.
    #[serde(default)]
    pub parallel: Option<ParallelHybridParams>,
    /// The battery.
    pub battery: BatteryParams,
    /// Braking by motors.
    #[serde(default)]
    pub regeneration: RegenerationParams,
    /// Creep; `None` for a vehicle that waits for the accelerator.
    #[serde(default)]
    pub creep: Option<CreepParams>,
    /// Torque vectoring by yaw; `None` without.
    #[serde(default)]
    pub vectoring: Option<YawVectoringParams>,
    /// Responses to the pedals. There is no clutch: its table must be empty.
    #[serde(default)]
    pub responses: Responses,
    /// Steering.
    #[serde(default)]
    pub steering: SteeringParams,
    /// Brakes in wheel order; wheels beyond the last entry have none.
    #[serde(default)]
    pub brakes: Vec<BrakeParams>,
}

impl Check for ElectricDriveParams {
    fn check(&self, i: &mut Inspector) {
        let count = self.motors.len();
        let most = MAX_MOTORS - self.first_motor();
        let rule = format!("there must be 1 to {most}");
        i.rule((1..=most).contains(&count), "motors", count, "motors", rule);
        for (n, motor) in self.motors.iter().enumerate() {
            i.within(format!("motors[{n}]"), |i| {
                motor.check(i);
                self.check_wheels_of(n, i);
            });
        }
        self.check_hybrid(i);
        let shares = self.motors.iter().map(MotorParams::weight).sum::<f32>();
        let rule = "must be > 0 for one motor at least";
        i.rule(
            count == 0 || shares != 0.0,
            "motors.share",
            shares,
            "",
            rule,
        );
        i.within("battery", |i| self.battery.check(i));
        i.within("regeneration", |i| {
            self.regeneration.check(i);
            let alone = self.regeneration.alone;
            let full: f32 = self.brakes.iter().map(|brake| brake.max_torque).sum();
            let rule = "must be at most the torque of all brakes at full pedal";
            i.rule(alone <= full, "alone", alone, "N·m", rule);
        });
        if let Some(creep) = &self.creep {
            i.within("creep", |i| creep.check(i));
            let held = self.regeneration.one_pedal;
            let rule = "must be 0 for a vehicle that creeps";
            i.rule(held == 0.0, "regeneration.one_pedal", held, "", rule);
        }
        if let Some(vectoring) = &self.vectoring {
            i.within("vectoring", |i| vectoring.check(i));
        }
        i.within("responses", |i| {
            self.responses.check(i);
            self.responses.check_without_engine("an electric drive", i);
        });
        i.within("steering", |i| self.steering.check(i));
        brakes::check_all(&self.brakes, i);
    }
}

impl ElectricDriveParams {
    /// Number of nodes before those of the motors: the engine's.
    pub(super) fn first_motor(&self) -> usize {
        usize::from(self.engine.is_some())
    }

    /// Reports faults of an engine and its power split or separating clutch, and of an engine without either.
    fn check_hybrid(&self, i: &mut Inspector) {
        let hybrid = self.power_split.is_some() || self.parallel.is_some();
        let rule = "must be there with a power split or a parallel hybrid, and only with one";
        let both = self.engine.is_some() == hybrid;
        i.rule(both, "engine", self.engine.is_some(), "", rule);
        if let Some(parallel) = &self.parallel {
            i.within("parallel", |i| parallel.check(i));
            let alone = self.power_split.is_none();
            let rule = "must be left out beside a power split";
            i.rule(alone, "parallel", "there", "", rule);
        }
        if let Some(engine) = &self.engine {
            i.within("engine", |i| engine.check(i));
        }
        if let Some(split) = &self.power_split {
            i.within("power_split", |i| split.check(i));
            let generators = self.motors.iter().filter(|motor| motor.wheels.is_empty());
            let rule = "must be the number of motors without wheels beside a power split";
            i.rule(
                generators.count() == 1,
                "motors.wheels",
                1,
                "generator",
                rule,
            );
        }
    }

    /// Reports wheels of a motor that one before it drives already, and a motor without wheels and power split.
    fn check_wheels_of(&self, n: usize, i: &mut Inspector) {
        let driving = !self.motors[n].wheels.is_empty() || self.power_split.is_some();
        i.rule(driving, "wheels", 0, "wheels", "there must be at least 1");
        for (k, wheel) in self.motors[n].wheels.iter().enumerate() {
            let mut before = self.motors[..n].iter();
            let free = !before.any(|motor| motor.wheels.contains(wheel));
            let rule = "must be driven by one motor only";
            i.rule(free, &format!("wheels[{k}]"), wheel, "", rule);
        }
    }
}

/// The drive of a vehicle with electric motors, one per axle, per wheel or as the parameters say. It accepts
/// [`CarCommand`]s: gears select forward, neutral or reverse at once. It needs the rows solver.
///
/// State of charge, temperatures and energy are in its memory, from which [`ElectricDrive::report`] reads them. They belong to the
/// end of the last substep but for what happened in it, which the next one adds. A standing vehicle that asks nothing of its motors
/// uses no energy and keeps its temperatures, so that it may fall asleep.
#[derive(Clone, Debug, PartialEq)]
pub struct ElectricDrive {
    params: ElectricDriveParams,
    brakes: Brakes,
    /// Shares of the motors in what the accelerator asks for, 1 in sum.
    shares: PerMotor,
    /// Wheels behind the gearbox of a parallel hybrid.
    geared: Option<EqualSplit>,
}

impl ElectricDrive {
    /// A drive with these parameters.
    #[must_use]
    pub fn new(params: Checked<ElectricDriveParams>) -> Self {
        let params = params.into_inner();
        let weights: f32 = params.motors.iter().map(MotorParams::weight).sum();
        let share = |n: usize| params.motors.get(n).map_or(0.0, MotorParams::weight) / weights;
        Self {
            brakes: Brakes::new(&params.brakes),
            shares: core::array::from_fn(share),
            geared: params.parallel.as_ref().map(|_| EqualSplit {
                wheels: params.motors[0].wheels.clone(),
            }),
            params,
        }
    }

    /// The parameters of the drive.
    #[must_use]
    pub fn params(&self) -> &ElectricDriveParams {
        &self.params
    }

    /// Battery, energy and motors by the drive's memory, as
    /// [`VehicleState::drivetrain_memory`](vehicle_core::VehicleState::drivetrain_memory) has it.
    #[must_use]
    pub fn report(&self, memory: &[f32]) -> ElectricReport {
        ElectricReport::new(&self.params, &ElectricMemory::read(memory))
    }

    /// Brake pedal and handbrake after their responses, 0…1.
    fn brakes_of(&self, car: &CarCommand, forward_speed: f32) -> [f32; 2] {
        let responses = &self.params.responses;
        let pressed = |pedal: f32| pedals::pedal(pedal).clamp(0.0, 1.0);
        [
            responses.brake.at(pressed(car.brake), forward_speed),
            responses
                .handbrake
                .at(pressed(car.handbrake), forward_speed),
        ]
    }

    /// Sets the wheels that the driver requests to accelerate.
    fn set_intention(&self, drives: bool, control: &mut Control) {
        control.accelerating = drives;
        for motor in self.params.motors.iter().filter(|_| drives) {
            for &wheel in &motor.wheels {
                if let Some(group) = control.wheels.get_mut(wheel / LANES) {
                    group.accelerated = group.accelerated | Mask4::only(wheel % LANES);
                }
            }
        }
        DriveLogic::Waiting.heed_pedals(control);
    }
}

impl Drivetrain for ElectricDrive {
    fn check(&self, wheels: usize, i: &mut Inspector) {
        let p = &self.params;
        for (n, motor) in p.motors.iter().enumerate() {
            let name = format!("motors[{n}].wheels");
            per_wheel::check_indices(&name, &motor.wheels, wheels, i);
        }
        if let Some(split) = &p.power_split {
            per_wheel::check_indices("power_split.wheels", &split.wheels, wheels, i);
        }
        i.within("steering", |i| p.steering.check_wheels(wheels, i));
        i.within("brakes", |i| {
            per_wheel::check_length(p.brakes.len(), wheels, i);
        });
    }

    /// State of a drive in the forward gear.
    fn initial_state(&self) -> DriveState {
        let mut state = DriveState::default();
        state.force_gear(Gear::FIRST);
        state
    }

    /// Temperatures: a vehicle falls asleep while its motors cool, which they then do not go on with.
    fn counters(&self) -> usize {
        self.params.motors.len()
    }

    fn memory(&self, _wheels: usize) -> usize {
        let gears = usize::from(self.params.parallel.is_some());
        ElectricMemory::length(self.params.motors.len()) + gears
    }

    fn uses_sensors(&self) -> bool {
        true
    }

    fn shafts(&self, wheels: usize) -> Option<Shafts> {
        Some(self.all_shafts(wheels))
    }

    /// Ends a pending change of gears at once where there is no gearbox.
    fn adopt(&self, state: &mut DriveState) {
        if let Some(parallel) = &self.params.parallel {
            state.gear = parallel.gearbox.nearest(state.gear);
            state.target_gear = parallel.gearbox.nearest(state.target_gear);
            return;
        }
        let gear = selected(state.target_gear, vehicle_core::GearCommand::Hold);
        let engine_speed = state.engine_speed;
        *state = DriveState {
            engine_speed,
            ..DriveState::default()
        };
        state.force_gear(gear);
    }

    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError> {
        let Command::Car(car) = command else {
            return Err(StepError::WrongCommand { expected: "car" });
        };
        let p = &self.params;
        let speed = control.forward_speed;
        match &self.geared {
            Some(wheels) => {
                (control.gear_request, control.automatic) = (car.gear, car.automatic);
                control.levers = car.levers;
                wheels.ask(&Asked::default(), control);
            }
            None => state.force_gear(selected_with_lock(state.gear, car.gear, speed)),
        }
        p.steering.aim(car, control);
        let accelerator = pedals::pedal(car.throttle).clamp(0.0, 1.0);
        control.throttle = p.responses.throttle_at(accelerator, speed);
        let [brake, handbrake] = self.brakes_of(car, speed);
        control.braking = brake != 0.0 || handbrake != 0.0;
        // Until `sense` leaves some of it to the motors.
        let (brakes, handbrakes) = (W4::splat(brake), W4::splat(handbrake));
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.brake = self.brakes.torque(group, brakes, handbrakes);
            wheels.accelerated = Mask4::NONE;
        }
        let drives = control.throttle != 0.0 || p.creep.is_some();
        self.set_intention(drives && state.target_gear != Gear::NEUTRAL, control);
        Ok(())
    }

    fn change_gears(
        &self,
        state: &mut DriveState,
        wheels: &[WheelState],
        duration: f32,
        control: &mut Control,
    ) {
        self.operate_gearbox(state, wheels, duration, control);
    }

    fn sense(
        &self,
        sensors: &Sensors<'_>,
        memory: &mut [f32],
        state: &mut DriveState,
        control: &mut Control,
    ) {
        let Some(mut shafts) = control.shafts.take() else {
            return;
        };
        let mut remembered = ElectricMemory::read(memory);
        let gear = self.engaged(sensors, &mut remembered, state, control, &shafts);
        let ratios = self.ratios(gear);
        if remembered.duration == 0.0 {
            self.begin(sensors, &ratios, &mut shafts);
        }
        remembered.add_substep(&self.params, &shafts.nodes);
        if let Some(Command::Car(car)) = sensors.command {
            remembered.brakes = self.brakes_of(car, control.forward_speed);
        }
        let first = self.params.first_motor();
        let mut speeds = [0.0; MAX_MOTORS];
        for (speed, node) in speeds.iter_mut().zip(&shafts.nodes[first..]) {
            *speed = node.speed;
        }
        let demand = self.demand(&DriverInput {
            sensors,
            memory: &remembered,
            accelerator: control.throttle,
            direction: f32::from(state.target_gear.0.signum()),
            speeds,
            ratios,
            engine: self.engine_of(&remembered, &shafts, gear),
            gear_ratio: gear.map_or(0.0, |gear| gear.ratio),
        });
        let asked = demand.torques.into_iter().zip(demand.slopes);
        for (node, (torque, slope)) in shafts.nodes[first..].iter_mut().zip(asked) {
            (node.torque, node.slope) = (torque, slope);
        }
        if let Some(hybrid) = &demand.hybrid {
            let engine = &mut shafts.nodes[0];
            ([engine.torque, engine.slope], engine.friction) = (hybrid.engine, hybrid.friction);
            remembered.engine = hybrid.memory;
        }
        if let (Some(parallel), Some(gear)) = (&demand.parallel, gear) {
            self.couple(parallel, gear, &mut shafts, control);
            state.clutch_torque = shafts.rows[0].torque;
            remembered.engine = parallel.memory;
        }
        remembered.duration = sensors.duration;
        remembered.write(memory);
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.brake = per_wheel::lanes(&demand.brakes, group);
        }
        control.shafts = Some(shafts);
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

    /// Throttle, steering and gear changes do, and a vehicle that creeps.
    fn requests_motion(&self, command: &Command, state: &DriveState) -> bool {
        let Command::Car(car) = command else {
            return false;
        };
        let gear = self.requested_gear(car.gear, state);
        let [brake, handbrake] = self.brakes_of(car, 0.0);
        let creeps = self
            .params
            .creep
            .is_some_and(|c| c.at(0.0, brake + handbrake)[0] > 0.0);
        gear != state.target_gear
            || car.throttle != 0.0
            || (creeps && gear != Gear::NEUTRAL)
            || self.params.steering.is_turned(car)
    }
}

#[cfg(test)]
mod tests;
