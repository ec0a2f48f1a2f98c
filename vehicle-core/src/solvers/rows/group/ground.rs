//! How fast the ground moves along the rows.

use crate::base::lanes::{V3x4, W4};
use crate::solvers::rows::contact_space::Jacobian;
use crate::solvers::rows::raised::Raised;
use crate::solvers::rows::substep_context::{SubstepContext, SubstepInputs};
use crate::stages::suspension::{self, GroundVelocities};

/// Speeds of the ground along the normal, forward and lateral rows (`m/s`).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowSpeeds {
    /// Speeds at the start of the substep.
    pub(super) start: [W4; 3],
    /// Speeds at the end of the substep.
    pub(super) end: [W4; 3],
    /// Change of the ground's speeds forward and to the left in a substep (`m/s`).
    pub(super) gain: [W4; 2],
}

/// Speeds of ground that can move, along rows through these points; lateral forces act at the last one if `raised`.
#[inline]
pub(super) fn row_speeds(
    inputs: &SubstepInputs<'_>,
    now: &SubstepContext<'_>,
    points: [&V3x4; 3],
    jacobian: [&Jacobian; 3],
    raised: Option<&Raised>,
) -> RowSpeeds {
    let (change, gain) = (now.ground_change(), now.ground_gain());
    let grounds =
        points.map(|point| suspension::ground_velocities(now.view, *point, inputs.ground, now.h));
    let [up, forward, left] = [0, 1, 2].map(|n| {
        let row = jacobian[n];
        let along = |of: fn(&GroundVelocities) -> V3x4| match raised {
            Some(raised) if n > 0 => {
                let [_, at, above] = &grounds;
                raised.ground_speed(n - 1, row.direction, [of(at), of(above)])
            }
            _ => row.direction.dot(of(&grounds[n])),
        };
        let moves = |twist| inputs.ground.moves.keep(row.speeds(twist));
        let mean = along(|ground| ground.mean) + moves(&change);
        let gain = along(|ground| ground.gain) + moves(&gain);
        let half = gain * W4::splat(0.5);
        [mean - half, mean + half, gain]
    });
    RowSpeeds {
        start: [up[0], forward[0], left[0]],
        end: [up[1], forward[1], left[1]],
        gain: [forward[2], left[2]],
    }
}

/// Ground speeds g′ that turn the slip speeds J·v − g, along the wheel's axes in the middle of the substep, into those along
/// the axes at its end. `yaw` is the wheels' yaw rate relative to the ground (`rad/s`).
///
/// ```text
/// ψ = yaw·h/2,  s = J·v − g  at the unconstrained velocity
/// g′_x = g_x − ψ·s_y         g′_y = g_y + ψ·s_x
/// ```
#[inline]
pub(super) fn at_the_end(
    yaw: W4,
    now: &SubstepContext<'_>,
    jacobian: &[Jacobian; 2],
    ground: [W4; 2],
) -> [W4; 2] {
    let swing = yaw * W4::splat(0.5 * now.h);
    let forward = jacobian[0].speeds(&now.unconstrained) - ground[0];
    let left = jacobian[1].speeds(&now.unconstrained) - ground[1];
    [ground[0] - swing * left, ground[1] + swing * forward]
}
