//! Gearbox of a parallel hybrid: when it changes gears, and the shafts before and behind it.

use vehicle_core::state::WheelState;
use vehicle_core::{Control, DriveState, Gear, GearCommand, Sensors, Shafts};

use super::memory::ElectricMemory;
use super::parallel::{ParallelDemand, ParallelHybridParams};
use super::shafts::mean_spin;
use super::{ElectricDrive, PerMotor};
use crate::engine::EngineParams;
use crate::engine_drive::{set_engine, set_gear};
use crate::gear_change::Gears;
use crate::selector::selected;
use crate::tick::Tick;
use crate::under_torque::{ChangeUnderTorque, EngagedGear};

/// Difference of speeds over the engine's maximum speed within which the separating clutch counts as closed (–).
const CLOSED: f32 = 0.01;

impl ElectricDrive {
    /// Engine, clutch and gearbox of a parallel hybrid, if this is one.
    fn parallel(&self) -> Option<(&ParallelHybridParams, &EngineParams)> {
        self.params
            .parallel
            .as_ref()
            .zip(self.params.engine.as_ref())
    }

    /// Lets the autobox and the driver change gears.
    pub(super) fn operate_gearbox(
        &self,
        state: &mut DriveState,
        wheels: &[WheelState],
        duration: f32,
        control: &mut Control,
    ) {
        let Some((parallel, engine)) = self.parallel() else {
            return;
        };
        let spins = control.wheels.iter().zip(wheels);
        let spin: f32 = spins
            .map(|(control, wheel)| (control.speed_share * wheel.spin).sum())
            .sum();
        let range = control.levers.range;
        let input_speed = parallel.ratio(range, state.gear) * spin;
        let gears = Gears {
            gearbox: &parallel.gearbox,
            autobox: parallel.autobox.as_ref(),
            rear_ratio: parallel.gearbox.range_ratio(range),
            engages: true,
            input_speed,
            relative_speed: input_speed / engine.max_speed,
            engine,
            responses: &self.params.responses,
            wheels,
            radii: &[],
        };
        let tick = Tick {
            duration,
            exact: control.smooth,
        };
        parallel.gearbox.logic.change(&gears, control, state, tick);
    }

    /// Gear that a request leads to; without a gearbox it is selected at once.
    pub(super) fn requested_gear(&self, request: GearCommand, state: &DriveState) -> Gear {
        match (&self.params.parallel, request) {
            (None, _) => selected(state.target_gear, request),
            (Some(parallel), GearCommand::Engage(gear)) => parallel.gearbox.nearest(gear),
            (Some(parallel), GearCommand::Up) => {
                parallel.gearbox.nearest(Gear(state.target_gear.0 + 1))
            }
            (Some(parallel), GearCommand::Down) => {
                parallel.gearbox.nearest(Gear(state.target_gear.0 - 1))
            }
            (Some(_), GearCommand::Hold | GearCommand::Cancel) => state.target_gear,
        }
    }

    /// Ratio and capacity of the gearbox of a parallel hybrid; `None` without one.
    pub(super) fn engaged(
        &self,
        sensors: &Sensors<'_>,
        memory: &mut ElectricMemory,
        state: &DriveState,
        control: &Control,
        shafts: &Shafts,
    ) -> Option<EngagedGear> {
        let (parallel, engine) = self.parallel()?;
        let ratio = |gear| parallel.ratio(control.levers.range, gear);
        let next = ratio(state.target_gear);
        if state.gear == state.target_gear {
            memory.gear_ratio = next;
            let turns = state.gear != Gear::NEUTRAL;
            return Some(EngagedGear {
                ratio: next,
                capacity: if turns { f32::INFINITY } else { 0.0 },
            });
        }
        let (motor, rotor) = (&self.params.motors[0], &shafts.nodes[1]);
        let clutch = shafts.rows[self.params.motors.len()].torque;
        let speed = rotor.speed / motor.ratio;
        let slip = (shafts.nodes[0].speed - speed).abs();
        let closed = slip < CLOSED * engine.max_speed;
        let change = ChangeUnderTorque {
            ratios: [memory.gear_ratio, next],
            torque: motor.ratio * rotor.applied + clutch,
            speed,
            inertia: motor.ratio * motor.ratio * motor.inertia
                + if closed { engine.inertia } else { 0.0 },
            spin: mean_spin(sensors.wheels, &motor.wheels),
            time: state.switch_time,
            total: parallel.gearbox.switch_time,
            duration: sensors.duration,
            most: f32::INFINITY,
            out_of_neutral: motor.ratio * motor.peak_torque + engine.peak_torque,
        };
        Some(change.engaged())
    }

    /// Speeds of all rotors over the mean spins of their wheels (–), with this gear of a parallel hybrid.
    pub(super) fn ratios(&self, gear: Option<EngagedGear>) -> PerMotor {
        let motors = &self.params.motors;
        let mut ratios = core::array::from_fn(|n| motors.get(n).map_or(0.0, |motor| motor.ratio));
        if let Some(gear) = gear {
            ratios[0] *= gear.ratio;
        }
        ratios
    }

    /// Sets engine, separating clutch and gearbox of a parallel hybrid.
    pub(super) fn couple(
        &self,
        demand: &ParallelDemand,
        gear: EngagedGear,
        shafts: &mut Shafts,
        control: &Control,
    ) {
        let Some((parallel, _)) = self.parallel() else {
            return;
        };
        let clutch = self.params.motors.len();
        let most = demand.coupling.capacity.unwrap_or(f32::INFINITY);
        shafts.rows[clutch].range = [-most, most];
        set_engine(&demand.coupling, clutch + 1, shafts);
        let nodes = shafts.nodes.len();
        let row = &mut shafts.rows[0];
        row.range = [-gear.capacity, gear.capacity];
        set_gear(row, nodes, [gear.ratio; 2], parallel.efficiency, control);
    }
}
