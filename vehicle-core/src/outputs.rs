//! What a substep found at each wheel: what both solvers fill in and reports show.

use crate::explicit::sticky::Hold;
use crate::lanes::{Mask4, W4};
use crate::slip::TireAxes;
use crate::suspension::Touch;
use crate::tire_model::TireForces4;

/// What one substep found for four wheels; the last substep's is what reports show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelOutputs {
    /// Contact geometry.
    pub touch: Touch,
    /// Wheels that press on the ground.
    pub carrying: Mask4,
    /// Suspension force along the normal [N].
    pub suspension_force: W4,
    /// Filtered tire load [N].
    pub load: W4,
    /// Friction of tire on ground at this slip [−].
    pub friction: W4,
    /// Tire axes.
    pub axes: TireAxes,
    /// Contact speed along the rolling direction [m/s].
    pub forward_speed: W4,
    /// Contact speed to the left [m/s].
    pub lateral_speed: W4,
    /// Longitudinal slip [−]; 0 where held.
    pub slip_ratio: W4,
    /// Tangent of the slip angle [−]; 0 where held.
    pub tan_slip_angle: W4,
    /// Camber [rad].
    pub camber: W4,
    /// Tire forces.
    pub forces: TireForces4,
    /// Wheels held in this step, and timers.
    pub hold: Hold,
}
