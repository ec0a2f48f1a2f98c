//! What a substep begins with: the chassis, and four wheels.

use glam::Mat3;

use crate::base::velocity::Velocity;
use crate::contracts::drivetrain::WheelControl;
use crate::params::LoadFilter;
use crate::params::profile::RowsSettings;
use crate::stages::chassis::View;
use crate::stages::contact::{MovingGround, SweptWheels};
use crate::stages::steering::Steering;
use crate::stages::strut_curves::StrutCurves;
use crate::stages::tire_use::TireUse;
use crate::stages::wheel_consts::WheelConsts;

/// The chassis at the start of a substep, vehicle frame.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// The rows solver's settings.
    pub settings: &'a RowsSettings,
    /// Filter from suspension force to load.
    pub load_filter: &'a LoadFilter,
    /// Pose and velocity before gravity, in the axes of the substep's middle.
    pub view: View,
    /// Rotation vehicle → world at the start.
    pub start_matrix: &'a Mat3,
    /// The velocity before gravity.
    pub start: Velocity,
    /// Unconstrained velocity: with gravity and pushes, without the rows' impulses.
    pub unconstrained: Velocity,
    /// Displacement by the engine away from the end of the last step, this substep's part of it (`m`, `rad`).
    pub astray: Velocity,
    /// The same of the ground.
    pub ground_astray: Velocity,
    /// Velocity of the ground in this substep from the reported one (`m/s`, `rad/s`).
    pub ground_change: Velocity,
    /// Change of the ground's velocity within this substep (`m/s`, `rad/s`).
    pub ground_gain: Velocity,
    /// 1/mass (`1/kg`).
    pub inverse_mass: f32,
    /// Inverse inertia tensor [1/(kg·m²)].
    pub inverse_inertia: &'a Mat3,
    /// Magnitude of gravity (`m/s²`).
    pub g: f32,
    /// Length of the substep (`s`).
    pub h: f32,
    /// Number of substeps in the step (–).
    pub count: f32,
    /// Whether the car is faster over the ground than 1 m/s.
    pub drives: bool,
    /// Whether wheels have mass when they extend (`limit_expansion`).
    pub limits_expansion: bool,
    /// Whether the car was placed here: no previous step, or a teleport.
    pub placed: bool,
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
    /// Steering.
    pub steering: &'a Steering,
    /// Motion of the ground under them.
    pub ground: &'a MovingGround,
    /// Their orientation, if they are swept.
    pub swept: Option<&'a SweptWheels>,
}
