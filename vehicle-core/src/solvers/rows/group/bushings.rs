//! Bushing compliance: wheels that their tires' forces move (ROWS §4).

use crate::base::lanes::W4;
use crate::exchange::state::WheelState;
use crate::stages::force_curves::ForceCurves;
use crate::stages::wheel_consts::WheelConsts;

use super::GroupRows;
use crate::solvers::rows::tuning::MOST_FAVOR;

impl GroupRows {
    /// Softens the lateral rows by what the bushings will yield within the substep, by the slopes of their curves.
    #[inline(never)]
    pub(super) fn soften_by_bushings(&mut self, forces: &ForceCurves, k: &WheelConsts) {
        let toe = forces.toe_per_force(k.moments.keep(self.moments.trail()));
        let row = &mut self.tire_rows[1];
        let resists = -(row.gain * self.tangent.speeds_of(0) * toe);
        let resists = resists.max(W4::splat(MOST_FAVOR));
        let share = W4::ONE / (W4::ONE + resists);
        row.force = (row.force + resists * self.bushings[1]) * share;
        row.gain = row.gain * share;
    }

    /// Puts the forces of a substep of `h` (`s`) on the bushings.
    pub fn load_bushings(&mut self, k: &WheelConsts, wheels: &WheelState, h: f32) {
        let [longitudinal, lateral] = wheels.grip.rows().force;
        let [aligning, _] = self.moments_over(h);
        self.bushings = [longitudinal, lateral, k.moments.keep(aligning)];
    }
}
