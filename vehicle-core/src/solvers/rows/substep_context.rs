//! Inputs of a substep: the chassis, and four wheels.

use glam::Mat3;

use crate::base::lanes::{Mask4, W4};
use crate::base::velocity::{Velocity, VelocityLanes};
use crate::contracts::drivetrain::WheelControl;
use crate::params::profile::RowsSettings;
use crate::stages::chassis::View;
use crate::stages::contact::{MovingGround, SweptWheels};
use crate::stages::load::LoadLine;
use crate::stages::steering::Steering;
use crate::stages::strut_curves::StrutCurves;
use crate::stages::tire_use::TireUse;
use crate::stages::wheel_consts::WheelConsts;

use super::moving_ground::GroundDeviation;
use super::observer::BodyObservation;
use super::slip_limits::SlipLimits;

/// The chassis at the start of a substep, vehicle frame.
#[derive(Clone, Copy, Debug)]
pub struct SubstepContext<'a> {
    /// The rows solver's settings.
    pub settings: &'a RowsSettings,
    /// Filter from suspension force to load.
    pub load_line: &'a LoadLine,
    /// Pose and velocity before gravity, in the axes of the substep's middle.
    pub view: &'a View,
    /// Rotation vehicle → world at the start.
    pub start_matrix: &'a Mat3,
    /// The velocity before gravity.
    pub start: VelocityLanes,
    /// Unconstrained velocity: with gravity and pushes, without the rows' impulses.
    pub unconstrained: VelocityLanes,
    /// The body as observed in the engine.
    pub observation: &'a BodyObservation,
    /// The ground as observed in the engine, if it can move.
    pub ground: Option<&'a GroundDeviation>,
    /// 1/mass (`1/kg`).
    pub inverse_mass: f32,
    /// Inverse inertia tensor [1/(kg·m²)].
    pub inverse_inertia: &'a Mat3,
    /// The projection on directions in which the chassis can move; `None` if no translation is locked.
    pub free_directions: Option<Mat3>,
    /// Length of the substep (`s`).
    pub h: f32,
    /// 1/length (`1/s`).
    pub per_second: f32,
    /// Number of substeps in the step (–).
    pub count: f32,
    /// Fraction of the step that the substep takes (–).
    pub fraction: f32,
    /// Number of substeps after this one (–).
    pub remaining: f32,
    /// Whether the chassis moves faster than 1 m/s relative to the ground.
    pub is_rolling: bool,
    /// Whether wheels have mass when they extend (`limit_expansion`).
    pub limits_expansion: bool,
    /// Whether the vehicle begins anew where it is: there was no step before, or it was teleported.
    pub placed: bool,
}

impl SubstepContext<'_> {
    /// How much later than the step's the middle of the substep is (–), −½ … ½: what acted at once acts over the whole step.
    fn late(&self) -> f32 {
        (self.count - self.remaining) / self.count - 0.5 - 0.5 / self.count
    }

    /// Displacement by the engine away from the end of the last step, this substep's part of it (`m`, `rad`).
    #[must_use]
    pub fn pose_drift(&self) -> VelocityLanes {
        let BodyObservation {
            pose_drift,
            external_change,
            ..
        } = *self.observation;
        self.view.twist_to_vehicle(
            &(pose_drift * self.fraction + external_change * (self.h * self.late())),
        )
    }

    /// Displacement of the ground in this substep that its velocity does not explain.
    #[must_use]
    pub fn ground_drift(&self) -> VelocityLanes {
        self.of_ground(|ground| ground.pose_drift * self.fraction)
    }

    /// Velocity of the ground in this substep from the reported one (`m/s`, `rad/s`).
    #[must_use]
    pub fn ground_change(&self) -> VelocityLanes {
        self.of_ground(|ground| {
            let mut change = ground.change * self.late();
            change.linear += ground.lag;
            change
        })
    }

    /// Change of the ground's velocity within this substep (`m/s`, `rad/s`).
    #[must_use]
    pub fn ground_gain(&self) -> VelocityLanes {
        self.of_ground(|ground| ground.change * self.fraction)
    }

    /// A twist of the ground in the vehicle frame; 0 if it cannot move.
    fn of_ground(&self, world: impl Fn(&GroundDeviation) -> Velocity) -> VelocityLanes {
        self.ground.map_or(VelocityLanes::ZERO, |ground| {
            self.view.twist_to_vehicle(&world(ground).in_lanes())
        })
    }
}

/// Inputs of four wheels in a substep.
#[derive(Clone, Copy, Debug)]
pub struct SubstepInputs<'a> {
    /// Constants.
    pub consts: &'a WheelConsts,
    /// Nonlinear dampers and compliance, if any.
    pub curves: Option<&'a StrutCurves>,
    /// Tire models.
    pub tires: &'a [TireUse],
    /// Brakes and drive.
    pub control: &'a WheelControl,
    /// Limits of slips that brakes keep, if there are any.
    pub limits: Option<&'a SlipLimits>,
    /// Whether a driver aid limits the engine.
    pub limits_engine: bool,
    /// Steering.
    pub steering: &'a Steering,
    /// Motion of the ground under them.
    pub ground: &'a MovingGround,
    /// Orientation of the wheels, if they are swept.
    pub swept: Option<&'a SweptWheels>,
    /// Times from the step's start at which their ground ends (`s`), if any does.
    pub ends: Option<&'a W4>,
    /// Wheels at edges, in steps in which some are.
    pub edges: Option<Mask4>,
}
