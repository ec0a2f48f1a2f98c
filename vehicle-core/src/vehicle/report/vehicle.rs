//! Report on a vehicle as a whole.

use crate::base::math;
use crate::contracts::drivetrain::EngineCoupling;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::air::AirLoad;
use crate::exchange::command::Gear;
use crate::exchange::fuel_use::FuelUse;
use crate::exchange::state::VehicleState;
use crate::exchange::steering_wheel::SteeringWheel;
use crate::params::profile::Solver;
use crate::vehicle::Vehicle;

/// Engine and clutch after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineReport {
    /// Speed (`rad/s`).
    pub speed: f32,
    /// Torque in the last substep (`N·m`).
    pub torque: f32,
    /// Throttle after all cuts (–), 0…1.
    pub throttle: f32,
    /// Total gear ratio, engine speed over mean wheel speed (–); 0 in neutral.
    pub ratio: f32,
    /// Clutch slip: engine speed minus ratio times mean wheel speed (`rad/s`).
    pub clutch_slip: f32,
    /// Torque that the clutch transmits to the gearbox (`N·m`), negative in engine braking; times the ratio it is that
    /// on the differentials.
    pub clutch_torque: f32,
}

impl EngineReport {
    /// Report on engine and clutch of a vehicle; `None` without an engine or before the first update.
    #[must_use]
    pub fn of(vehicle: &Vehicle) -> Option<Self> {
        let coupling = vehicle.control().coupling.as_ref()?;
        Some(Self {
            speed: vehicle.state().drive.engine_speed,
            torque: coupling.torque,
            throttle: coupling.throttle,
            ratio: coupling.ratio,
            clutch_slip: vehicle.clutch_slip(coupling),
            clutch_torque: vehicle.clutch_torque(coupling),
        })
    }
}

/// A vehicle after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleReport {
    /// Whether no wheel carries load.
    pub in_air: bool,
    /// Forward speed (`m/s`).
    pub forward_speed: f32,
    /// Lateral speed (`m/s`), positive to the left.
    pub lateral_speed: f32,
    /// Yaw rate (`rad/s`, vehicle frame), positive to the left.
    pub yaw_rate: f32,
    /// The engaged gear.
    pub gear: Gear,
    /// The engaged gear or the one being changed to.
    pub target_gear: Gear,
    /// Engine and clutch, if there is an engine; `None` before the first update.
    pub engine: Option<EngineReport>,
    /// Fuel that the drivetrain has used, if it counts any.
    pub fuel: Option<FuelUse>,
    /// Load of the air in the last update, if the vehicle has [aerodynamics](crate::VehicleParams::aerodynamics).
    pub air: Option<AirLoad>,
    /// The steering wheel, if torques move it: for force feedback, the hands feel the opposite of its `torque`.
    pub steering: Option<SteeringWheel>,
}

impl VehicleReport {
    /// A vehicle that stands on its wheels in neutral, without an engine.
    pub const STANDING: Self = Self {
        in_air: false,
        forward_speed: 0.0,
        lateral_speed: 0.0,
        yaw_rate: 0.0,
        gear: Gear::NEUTRAL,
        target_gear: Gear::NEUTRAL,
        engine: None,
        fuel: None,
        air: None,
        steering: None,
    };
}

impl VehicleState {
    /// The vehicle's `body` with the velocity at the end of its last step. With the rows solver, the engine moves it at the
    /// mean velocity of the step; where stops pushed it back, at another one.
    #[inline]
    #[must_use]
    pub fn at_end_of_step(&self, body: &BodyState) -> BodyState {
        BodyState {
            linear_velocity: body.linear_velocity + self.carry.linear,
            angular_velocity: body.angular_velocity + self.carry.angular,
            ..*body
        }
    }
}

impl Vehicle {
    /// Report on the vehicle with its chassis at `body`.
    #[must_use]
    pub fn report(&self, body: &BodyState) -> VehicleReport {
        let state = self.state();
        let body = state.at_end_of_step(body);
        VehicleReport {
            in_air: self.is_in_air(),
            forward_speed: body.forward_speed(),
            lateral_speed: body.lateral_speed(),
            yaw_rate: math::matrix(body.rotation)
                .z_axis
                .dot(body.angular_velocity),
            gear: state.drive.gear,
            target_gear: state.drive.target_gear,
            engine: EngineReport::of(self),
            fuel: self.model().fuel_use(state),
            air: self.air_load(),
            steering: state.steering_wheel(),
        }
    }

    /// Load of the air in the last update; `None` without [aerodynamics](crate::VehicleParams::aerodynamics).
    #[must_use]
    pub fn air_load(&self) -> Option<AirLoad> {
        self.model().air().map(|_| self.air_load)
    }

    /// Torque through the clutch in the last substep (`N·m`).
    pub(super) fn clutch_torque(&self, coupling: &EngineCoupling) -> f32 {
        match self.model().params().profile.solver {
            Solver::Rows(_) => self.state().drive.clutch_torque,
            Solver::Explicit(_) => coupling.clutch * self.clutch_slip(coupling),
        }
    }

    fn clutch_slip(&self, coupling: &EngineCoupling) -> f32 {
        let groups = self.control().wheels.iter();
        let spins = groups.zip(self.state().wheels.iter());
        let mean: f32 = spins
            .map(|(control, wheels)| (control.speed_share * wheels.spin).sum())
            .sum();
        self.state().drive.engine_speed - coupling.ratio * mean
    }
}
