//! Brakes that keep the slips of their wheels within limits.

use crate::base::lanes::{Mask4, W4};
use crate::solvers::rows::contact_space::RowBlock;
use crate::solvers::rows::slip_limits::{SlipLimits, TireResponse};

use super::WheelRows;

/// Limits of the slips of four wheels, and the brakes that keep them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solvers::rows) struct LimitedBrakes {
    pub(in crate::solvers::rows) limits: SlipLimits,
    /// Least and greatest impulse of the brakes (`N·m·s`).
    pub(in crate::solvers::rows) range: [W4; 2],
    /// Rolling resistance, which is part of every impulse of the brakes (`N·m·s`).
    rolling_resistance: W4,
    /// Impulse of the brakes in the last sweep (`N·m·s`).
    applied: W4,
}

impl WheelRows {
    /// Sets the limits of slips that brakes keep beside this rolling resistance (`N·m`), in a substep of this length.
    pub fn limit(&mut self, limits: &SlipLimits, rolling_resistance: W4, step: W4) {
        let rolling_resistance = rolling_resistance * step;
        self.limited = Some(LimitedBrakes {
            limits: *limits,
            range: limits.brakes(self.brake, rolling_resistance, step),
            rolling_resistance,
            applied: self.brake,
        });
    }

    /// Impulse of the brakes without rolling resistance (`N·m·s`), as limits let them brake; `None` without limits.
    pub fn limited_brake(&self) -> Option<W4> {
        let limited = self.limited.as_ref()?;
        Some(limited.applied - limited.rolling_resistance)
    }

    /// Spins and impulses with brakes that keep the limits of slips as far as they can. `turned` are those without limits.
    #[inline(never)]
    pub(super) fn keep_slip(
        &mut self,
        mut limited: LimitedBrakes,
        (wheels, rows, normal): (Mask4, &RowBlock<2>, (W4, W4)),
        turned: (W4, [W4; 2]),
    ) -> (W4, [W4; 2]) {
        let needed = self.needed_brake(&limited, rows, normal, turned);
        let (kept, brake) = match needed {
            Some(brake) => (self.turned(rows, normal, brake), brake),
            None => (turned, self.brake),
        };
        limited.applied = wheels.select(brake, limited.applied);
        self.limited = Some(limited);
        kept
    }

    /// Impulses of the brakes with which no slip is beyond its limits; `None` if that is so without.
    fn needed_brake(
        &self,
        limited: &LimitedBrakes,
        rows: &RowBlock<2>,
        normal: (W4, W4),
        (spin, impulses): (W4, [W4; 2]),
    ) -> Option<W4> {
        let own = rows.inverse_effective_mass(0);
        let without = rows.speeds[0] - own * rows.impulses[0];
        let end = without + own * impulses[0];
        let [least, greatest] = limited.limits.lines(end);
        let rim = spin * self.radius;
        let below = least.exists & rim.lt(least.rim_at(end));
        let beyond = below | (greatest.exists & rim.gt(greatest.rim_at(end)));
        if !beyond.any() {
            return None;
        }
        let line = least.or(below, &greatest);
        let tire = TireResponse {
            speed: without,
            inverse_effective_mass: own,
            standing_impulse: self.longitudinal.impulse(rows, 0),
            traction: self.traction,
        };
        let lateral = self.lateral.impulse(rows, 1);
        let (spin, impulse) = line.spin(&tire, self.radius, |impulse| {
            let ([impulse, _], slides) = self.within_ellipse([impulse, lateral], normal);
            (impulse, slides)
        });
        let momentum = self.momentum + self.drive - self.radius * impulse - spin / self.sliding;
        let [least, most] = limited.range;
        let brake = (momentum * W4::ONE.copysign(spin)).max(least).min(most);
        Some(beyond.select(brake, self.brake))
    }
}
