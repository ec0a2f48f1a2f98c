//! Shafts within a sweep of a substep.

use crate::base::lanes::{LANES, Mask4, W4};
use crate::contracts::shafts::Shafts;
use crate::solvers::rows::coupled_wheel::Sloped;
use crate::solvers::rows::group::GroupRows;
use crate::solvers::rows::shafts::{self, ShaftEnd, ShaftLimit, WheelTorques};
use crate::solvers::rows::slip_limits::EngineLimit;
use crate::solvers::rows::substep_context::SubstepInputs;

use super::Substep;

impl Substep<'_> {
    /// Solves for the torques of the shafts with the wheels as they are in this sweep, and sets the wheels' torques.
    #[cold]
    #[inline(never)]
    pub(super) fn turn_shafts(
        &self,
        inputs: &[SubstepInputs<'_>],
        groups: &mut [GroupRows],
        shafts: &mut Shafts,
    ) -> ShaftEnd {
        let h = self.now.h;
        self.prepare_clutch(inputs, groups);
        let driven = driven_wheels(shafts);
        let respond = |torques: &WheelTorques, spins: &mut [Sloped; crate::MAX_WHEELS]| {
            for (g, rows) in groups.iter().enumerate() {
                let (spin, slope) = rows.spins_with(of_group(torques, g), h);
                for lane in 0..LANES {
                    spins[g * LANES + lane] = Sloped {
                        value: spin.lane(lane),
                        slope: slope.lane(lane),
                    };
                }
            }
        };
        let excess = |torques: &WheelTorques| {
            let limit = self.engine_limit;
            limit.map_or(f32::NEG_INFINITY, |limit| {
                excess(groups, limit, (torques, &driven), h)
            })
        };
        let limit = self.engine_limit.map(|_| ShaftLimit {
            excess: &excess,
            least: self.least_torques,
        });
        let (end, torques) = shafts::solve(shafts, &respond, limit.as_ref(), h);
        for (g, rows) in groups.iter_mut().enumerate() {
            rows.set_torques(of_group(&torques, g), h);
        }
        end
    }
}

/// Torques on the wheels of a group.
fn of_group(torques: &WheelTorques, g: usize) -> W4 {
    W4::from_fn(|lane| torques[g * LANES + lane])
}

/// Wheels that any row drives.
fn driven_wheels(shafts: &Shafts) -> [bool; crate::MAX_WHEELS] {
    let mut driven = [false; crate::MAX_WHEELS];
    for row in &shafts.rows {
        let wheels = row.torques.iter().skip(shafts.nodes.len());
        for (driven, weight) in driven.iter_mut().zip(wheels) {
            *driven |= *weight != 0.0;
        }
    }
    driven
}

/// How far the driven wheels are beyond the engine's limit at these torques on them, as a spin (`rad/s`).
fn excess(
    groups: &[GroupRows],
    limit: &EngineLimit,
    (torques, driven): (&WheelTorques, &[bool; crate::MAX_WHEELS]),
    h: f32,
) -> f32 {
    let of_groups = groups.iter().enumerate().filter_map(|(g, rows)| {
        let driven = (0..LANES).filter(|lane| driven[g * LANES + lane]);
        let mask = driven.fold(Mask4::NONE, |mask, lane| mask | Mask4::only(lane));
        rows.excess_with(limit, of_group(torques, g), mask, h)
    });
    let worst = of_groups.reduce(|a, b| limit.worse(a, b));
    worst.unwrap_or(f32::NEG_INFINITY)
}
