//! What a substep found at each wheel, which both solvers fill in and reports show; and what else they
//! work with.

use crate::base::lanes::{Groups, Mask4, V3x4, W4};
use crate::contracts::drivetrain::Control;
use crate::contracts::tire::TireForces4;
use crate::stages::contact::{MovingGround, SweptWheels};
use crate::stages::slip::TireAxes;
use crate::stages::steering::Steering;
use crate::stages::suspension::Touch;

/// Timers after the substep and which rows hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hold {
    /// How long each wheel has stood still (`s`), forward and sideways.
    pub still: [W4; 2],
    /// Wheels held forward.
    pub forward: Mask4,
    /// Wheels held sideways.
    pub sideways: Mask4,
}

/// What one substep found for four wheels; the last substep's is what reports show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelOutputs {
    /// Contact geometry.
    pub touch: Touch,
    /// Wheels that press on the ground.
    pub carrying: Mask4,
    /// Suspension force along the normal (`N`).
    pub suspension_force: W4,
    /// Filtered tire load (`N`).
    pub load: W4,
    /// Friction of tire on ground at this slip (–).
    pub friction: W4,
    /// Greatest force to a side over that forward (–); 1 with the explicit solver.
    pub side_grip: W4,
    /// Tire axes.
    pub axes: TireAxes,
    /// Contact speed along the rolling direction (`m/s`).
    pub forward_speed: W4,
    /// Contact speed to the left (`m/s`).
    pub lateral_speed: W4,
    /// Longitudinal slip (–); 0 where held.
    pub slip_ratio: W4,
    /// Tangent of the slip angle (–); 0 where held.
    pub tan_slip_angle: W4,
    /// Camber (`rad`).
    pub camber: W4,
    /// Tire forces.
    pub forces: TireForces4,
    /// Wheels held in this step, and timers.
    pub hold: Hold,
}

/// What a step's substeps work with beside the state, in either solver.
#[derive(Debug)]
pub struct Workspace<'a> {
    /// The drivetrain's answer; torque shares are renewed in each substep.
    pub control: &'a mut Control,
    /// Steering per group.
    pub steering: &'a Groups<Steering>,
    /// Moving ground per group.
    pub ground: &'a Groups<MovingGround>,
    /// How wheels are turned, if they are swept.
    pub swept: &'a Groups<Option<SweptWheels>>,
    /// Results of the last substep.
    pub outputs: &'a mut Groups<WheelOutputs>,
    /// Reaction of each wheel on its ground.
    pub reactions: &'a mut Groups<GroundPushes>,
}

/// What four wheels do to the ground under them, as the mean over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundPushes {
    /// Forces (`N`, world axes).
    pub force: V3x4,
    /// Torques besides those of the forces (`N·m`, world axes).
    pub torque: V3x4,
}
