//! Cars that are parked on real slopes.

use proving_ground::ProvingError;
use proving_ground::stage::{Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

use super::bench::Bench;
use super::slope::BRAKED;

/// Time for a car to settle, and time of observation after it (`s`).
const SETTLES: f32 = 2.0;
const WATCHED: f32 = 20.0;

/// Motion of a parked car.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parked {
    /// Creep of the car (`mm/min`). The rest of the settling counts three times, because 20 s are observed.
    pub(super) creep: f64,
    /// Sign changes of a tire's longitudinal or lateral force beyond a thousandth of its load (`1/s`), the maximum over
    /// the wheels.
    pub(super) chatter: f64,
}

impl Parked {
    /// A braked car on a slope (`°`) at a heading (`rad`), in a world that steps at `rate` (`Hz`).
    pub(super) fn on(
        bench: &Bench,
        slope: f64,
        heading: f32,
        rate: f32,
    ) -> Result<Self, ProvingError> {
        let scene = Scene {
            heading,
            hull: false,
            ..Scene::nose_down(slope)
        };
        let setup = Setup {
            world: WorldKind::Standalone,
            car: &bench.car,
        };
        let mut stage = Stage::new(&setup, &scene, rate)?;
        stage.run(SETTLES, &BRAKED)?;
        let settled = stage.position()?;
        let mut signs = vec![[Signs::default(); 2]; stage.vehicle.model().wheel_count()];
        let mut way = 0.0_f64;
        for _ in 0..steps(WATCHED, rate) {
            stage.step(&BRAKED)?;
            way = way.max(stage.position()?.distance(settled));
            for (n, [forward, left]) in signs.iter_mut().enumerate() {
                let report = stage.vehicle.wheel_report(n);
                forward.see(report.longitudinal_force, report.load);
                left.see(report.lateral_force, report.load);
            }
        }
        let changes = signs.iter().flatten().map(|signs| signs.changes).max();
        Ok(Self {
            creep: 1e3 * way * f64::from(60.0 / WATCHED),
            chatter: f64::from(changes.unwrap_or_default()) / f64::from(WATCHED),
        })
    }

    /// The componentwise maximum of two.
    pub(super) fn worse(self, other: Self) -> Self {
        Self {
            creep: self.creep.max(other.creep),
            chatter: self.chatter.max(other.chatter),
        }
    }
}

/// Counter of sign changes.
#[derive(Clone, Copy, Default)]
struct Signs {
    last: f32,
    changes: u32,
}

impl Signs {
    /// Counts a sign change since the last force that was not negligible beside the `load`: a rounding of the pose
    /// changes the force of a standing tire by some ten-thousandths of it.
    fn see(&mut self, force: f32, load: f32) {
        if force.abs() > 1e-3 * load {
            self.changes += u32::from(self.last * force < 0.0);
            self.last = force.signum();
        }
    }
}
