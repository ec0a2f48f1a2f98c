//! Fuel that the engine of a drive burns: from its speed at the ends of each substep, and the torque that left it.

use vehicle_core::{Control, DriveState};

use super::{EngineDrive, automatic, dual_clutch, single_clutch};
use crate::fuel::{EngineWork, FuelMemory, FuelParams};

impl EngineDrive {
    /// Adds what the engine burned in the last substep to the `counters`, and remembers how this one begins, in which wheels begin with
    /// this `mean` spin (`rad/s`), and of this `duration` (`s`).
    pub(super) fn burn(
        &self,
        fuel: &FuelParams,
        counters: &mut [f32],
        (state, control): (&DriveState, &Control),
        (mean, duration): (f32, f32),
    ) {
        let mut memory = FuelMemory::read(counters);
        let engine = &self.params.engine;
        if memory.duration > 0.0 {
            let gained = state.engine_speed - memory.speed;
            let work = EngineWork {
                speed: memory.speed + 0.5 * gained,
                torque: engine.inertia * gained / memory.duration
                    + self.engine_load(state, control, mean),
                throttle: memory.throttle,
            };
            memory.add(if engine.stands(work.speed) {
                0.0
            } else {
                fuel.flow_in(&work, engine.idle_speed)
            });
        }
        memory.speed = state.engine_speed;
        memory.duration = duration;
        memory.throttle = control.coupling.map_or(0.0, |coupling| coupling.throttle);
        memory.write(counters);
    }

    /// Torque that the engine gave to clutch or converter in the last substep (`N·m`).
    fn engine_load(&self, state: &DriveState, control: &Control, mean: f32) -> f32 {
        match (&control.shafts, control.coupling) {
            (Some(shafts), _) => {
                let p = &self.params;
                let transmitted = match (&p.converter, &p.dual_clutch) {
                    (Some(_), _) => automatic::engine_load(shafts),
                    (None, Some(_)) => dual_clutch::engine_load(shafts),
                    (None, None) => single_clutch::engine_load(shafts),
                };
                transmitted + self.drawn(shafts)
            }
            // The explicit solver does not keep the torque of its clutch, which is always viscous.
            (None, Some(coupling)) if !control.smooth => {
                coupling.clutch * (state.engine_speed - coupling.ratio * mean)
            }
            _ => state.clutch_torque,
        }
    }
}
