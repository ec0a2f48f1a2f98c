//! What happened to a vehicle as a whole.

use crate::contracts::drivetrain::EngineCoupling;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::command::Gear;
use crate::vehicle::Vehicle;

/// Engine and clutch after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineReport {
    /// Speed (`rad/s`).
    pub speed: f32,
    /// Torque in the last substep (`N·m`).
    pub torque: f32,
    /// Accelerator after every cut (–), 0…1.
    pub throttle: f32,
    /// Total gear ratio, engine speed over mean wheel speed (–); 0 in neutral.
    pub ratio: f32,
    /// Engine speed less what the wheels ask for through the gears (`rad/s`).
    pub clutch_slip: f32,
}

/// A vehicle after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleReport {
    /// Whether no wheel carries anything.
    pub in_air: bool,
    /// Speed along the vehicle (`m/s`), positive ahead.
    pub forward_speed: f32,
    /// Speed across the vehicle (`m/s`), positive to the left.
    pub lateral_speed: f32,
    /// The gear that is in.
    pub gear: Gear,
    /// The gear that is in or being changed to.
    pub target_gear: Gear,
    /// Engine and clutch, if there is an engine; none before the first update.
    pub engine: Option<EngineReport>,
}

impl VehicleReport {
    /// A vehicle that stands on its wheels in neutral, without an engine.
    pub const STANDING: Self = Self {
        in_air: false,
        forward_speed: 0.0,
        lateral_speed: 0.0,
        gear: Gear::NEUTRAL,
        target_gear: Gear::NEUTRAL,
        engine: None,
    };
}

impl Vehicle {
    /// Reports on the vehicle whose chassis is now at `body`.
    #[must_use]
    pub fn report(&self, body: &BodyState) -> VehicleReport {
        let state = self.state();
        let body = BodyState {
            linear_velocity: body.linear_velocity + state.carry.linear,
            ..*body
        };
        VehicleReport {
            in_air: self.is_in_air(),
            forward_speed: body.forward_speed(),
            lateral_speed: body.lateral_speed(),
            gear: state.drive.gear,
            target_gear: state.drive.target_gear,
            engine: self.engine_report(),
        }
    }

    /// Reports on engine and clutch; `None` without an engine, or before the first update.
    #[must_use]
    pub fn engine_report(&self) -> Option<EngineReport> {
        let coupling = self.control().coupling.as_ref()?;
        Some(EngineReport {
            speed: self.state().drive.engine_speed,
            torque: coupling.engine.torque,
            throttle: coupling.throttle,
            ratio: coupling.ratio,
            clutch_slip: self.clutch_slip(coupling),
        })
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
