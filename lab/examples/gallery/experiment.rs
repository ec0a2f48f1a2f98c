//! One drive, repeated with another value of a parameter.

use glam::DVec2;
use jounce::core::CarCommand;
use jounce_lab::report::{ChartCurve, Picture, PicturePanel};
use proving_ground::ProvingError;
use proving_ground::changed::{KeyChange, car_changed};
use proving_ground::sample::{Recorder, Sample};
use proving_ground::stage::{Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Steps between two points of a curve.
const EVERY: usize = 4;
const RATE: f32 = 120.0;
const COLORS: [usize; 3] = [1, 0, 4];

/// A car in which some keys of the file are changed.
pub(crate) struct Version {
    pub(crate) name: &'static str,
    pub(crate) changes: Vec<(&'static str, KeyChange)>,
}

/// Value of a sample that a strip plots.
pub(crate) type Shown = fn(&Sample) -> f32;

pub(crate) struct Experiment {
    pub(crate) file: &'static str,
    pub(crate) what: &'static str,
    pub(crate) car: &'static str,
    pub(crate) versions: Vec<Version>,
    pub(crate) scene: Scene,
    /// (`s`)
    pub(crate) seconds: f32,
    pub(crate) driver: fn(&Sample) -> CarCommand,
    pub(crate) strips: Vec<(&'static str, Shown)>,
}

impl Experiment {
    /// Drives every version and draws the strips.
    pub(crate) fn picture(&self) -> Result<Picture, ProvingError> {
        let drives = self.versions.iter().map(|version| self.drive(version));
        let drives: Vec<Vec<Sample>> = drives.collect::<Result<_, _>>()?;
        let panel = |(title, shown): &(&'static str, Shown)| {
            let curves = self.versions.iter().zip(&drives).zip(COLORS);
            let curve = |((version, samples), color): ((&Version, &Vec<Sample>), _)| {
                let points = samples.iter().step_by(EVERY);
                let point = |s: &Sample| DVec2::new(s.time.into(), shown(s).into());
                ChartCurve::new(version.name, color, points.map(point).collect())
            };
            PicturePanel::new(*title, curves.map(curve).collect())
        };
        Ok(Picture {
            what: self.what.to_owned(),
            across: "time, s",
            panels: self.strips.iter().map(panel).collect(),
        })
    }

    fn drive(&self, version: &Version) -> Result<Vec<Sample>, ProvingError> {
        let car = car_changed(self.car, &version.changes)?;
        let setup = Setup {
            world: WorldKind::Standalone,
            car: &car,
        };
        let mut stage = Stage::new(&setup, &self.scene, RATE)?;
        let mut recorder = Recorder::new(&stage.vehicle, &stage.body()?);
        let mut now = recorder.sample(&stage.vehicle, &stage.body()?, stage.dt);
        let mut samples = Vec::new();
        for n in 0..steps(self.seconds, RATE) {
            stage.step(&(self.driver)(&now))?;
            now = recorder.sample(&stage.vehicle, &stage.body()?, stage.dt);
            now.time = (n + 1) as f32 * stage.dt;
            samples.push(now.clone());
        }
        Ok(samples)
    }
}
