//! Results of a substep at each wheel, filled in by both solvers and shown in reports; and the solvers'
//! workspace.

use crate::base::lanes::{Mask4, V3x4, W4};
use crate::contracts::drivetrain::Control;
use crate::contracts::tire::TireForces;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::command::Command;
use crate::stages::contact::{MovingGround, SweptWheels};
use crate::stages::edge_ground::EdgeGround;
use crate::stages::slip::TireAxes;
use crate::stages::steering::Steering;
use crate::stages::suspension::Touch;

/// Wheels on which the explicit solver's sticky rows are engaged (ALGORITHMS §3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StickyRows {
    /// Wheels that stick along the rolling direction.
    pub longitudinal: Mask4,
    /// Wheels that stick laterally.
    pub lateral: Mask4,
}

/// Results of a substep for four wheels; reports show those of the last substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelOutputs {
    /// Contact geometry.
    pub touch: Touch,
    /// Wheels with a normal force.
    pub loaded: Mask4,
    /// Suspension force along the normal (`N`).
    pub suspension_force: W4,
    /// Vertical deflection of the tires (`m`); 0 for rigid ones.
    pub deflection: W4,
    /// Filtered tire load (`N`).
    pub load: W4,
    /// Friction of tire on ground at this slip (–).
    pub friction: W4,
    /// Maximum lateral over maximum longitudinal force (–); 1 with the explicit solver.
    pub lateral_grip: W4,
    /// Tire axes.
    pub axes: TireAxes,
    /// Contact speed along the rolling direction (`m/s`).
    pub forward_speed: W4,
    /// Contact speed to the left (`m/s`).
    pub lateral_speed: W4,
    /// Longitudinal slip (–); 0 where the contact sticks.
    pub slip_ratio: W4,
    /// Tangent of the slip angle (–); 0 where the contact sticks.
    pub tan_slip_angle: W4,
    /// Camber (`rad`).
    pub camber: W4,
    /// Tire forces.
    pub forces: TireForces<W4>,
    /// Wheels that stick in this step.
    pub sticky: StickyRows,
}

impl WheelOutputs {
    /// Whether any wheel sticks or is at its stop.
    #[inline]
    #[must_use]
    pub fn has_rows(&self) -> bool {
        let sticks = self.sticky.longitudinal | self.sticky.lateral;
        (sticks | self.touch.beyond_stop.gt(W4::ZERO)).any()
    }
}

/// Data beside the state that the substeps of either solver need.
#[derive(Debug)]
pub struct Workspace<'a> {
    /// The drivetrain's control; torque shares are updated in each substep.
    pub control: &'a mut Control,
    /// Command of the step, if it was accepted.
    pub command: Option<&'a Command>,
    /// Steering per group; where torques move the steering wheel, of the present substep.
    pub steering: &'a mut [Steering],
    /// Moving ground per group.
    pub ground: &'a [MovingGround],
    /// Orientation of the wheels per group; empty if they are not swept.
    pub swept: &'a [Option<SweptWheels>],
    /// Ground at edges and walls, if wheels meet sections of the ground.
    pub edges: Option<&'a EdgeGround>,
    /// Times from the step's start at which the ground ends per group (`s`); empty if it ends nowhere.
    pub ends: &'a [W4],
    /// Results of the last substep.
    pub outputs: &'a mut [WheelOutputs],
    /// Reaction of each wheel on its ground.
    pub reactions: &'a mut [GroundPushes],
    /// The air around it.
    pub air: Air,
    /// Load of the air in the last substep.
    pub air_load: &'a mut AirLoad,
}

/// Reaction of four wheels on the ground under them, mean over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundPushes {
    /// Forces (`N`, world axes).
    pub force: V3x4,
    /// Torques in addition to those of the forces (`N·m`, world axes).
    pub torque: V3x4,
}
