//! How fast the ground moves along the rows.

use crate::base::lanes::{V3x4, W4};
use crate::solvers::rows::contact_space::Jacobian;
use crate::solvers::rows::instant::{Instant, SubstepInputs};
use crate::stages::suspension;

/// Speeds of the ground along the normal, forward and lateral rows through these points (`m/s`), for a
/// substep of `h` (`s`): the chassis' at its end; with 0, those at its start.
#[inline]
pub(super) fn rates(
    stage: &SubstepInputs<'_>,
    now: &Instant<'_>,
    points: [&V3x4; 3],
    jacobian: [&Jacobian; 3],
    h: f32,
) -> [W4; 3] {
    if !stage.ground.any {
        return [W4::ZERO; 3];
    }
    moving_rates(stage, now, points, jacobian, h)
}

/// The same of ground that can move. Out of line: most ground cannot.
#[inline(never)]
fn moving_rates(
    stage: &SubstepInputs<'_>,
    now: &Instant<'_>,
    points: [&V3x4; 3],
    jacobian: [&Jacobian; 3],
    h: f32,
) -> [W4; 3] {
    let half = if h > 0.0 { 0.5 } else { -0.5 };
    let change = now.ground_change + now.ground_gain * half;
    core::array::from_fn(|n| {
        let ground = suspension::ground_velocity_ahead(&now.view, *points[n], stage.ground, h);
        let change = stage.ground.moves.keep(jacobian[n].rates(&change));
        jacobian[n].direction.dot(ground) + change
    })
}

/// Ground speeds g′ that turn the slip speeds J·v − g into those along the wheel's axes in the middle of
/// the substep; forces act along the axes at its start. A circle then costs no more speed at 30 Hz than at
/// 480. `yaw` is the wheels' yaw rate relative to the ground (`rad/s`).
///
/// ```text
/// ψ = yaw·h/2,  s = J·v − g  at the unconstrained velocity
/// g′_x = g_x − ψ·s_y         g′_y = g_y + ψ·s_x
/// ```
#[inline]
pub(super) fn mid_substep(
    yaw: W4,
    now: &Instant<'_>,
    jacobian: &[Jacobian; 2],
    ground: [W4; 2],
) -> [W4; 2] {
    let swing = yaw * W4::splat(0.5 * now.h);
    let forward = jacobian[0].rates(&now.unconstrained) - ground[0];
    let left = jacobian[1].rates(&now.unconstrained) - ground[1];
    [ground[0] - swing * left, ground[1] + swing * forward]
}
