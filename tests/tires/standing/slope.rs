//! A slope that is tilted under a braked car: level ground with inclined gravity.

use glam::{DVec3, Vec3};
use jounce::core::CarCommand;
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

use super::bench::Bench;
use super::grip::Braked;

pub(super) const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// Speed below which a car stands (`m/s`).
pub(super) const STANDS: f32 = 1e-3;

/// A braked car on a slope.
pub(super) struct Slope<'a> {
    bench: &'a Bench,
    stage: Stage,
    /// Downhill direction, unit vector, vehicle frame.
    downhill: Vec3,
    /// Tangent of its angle (–).
    pub(super) tangent: f64,
}

impl<'a> Slope<'a> {
    /// Puts a car at rest on a slope, in a world that steps at `rate` (`Hz`).
    pub(super) fn put(
        bench: &'a Bench,
        downhill: Vec3,
        tangent: f64,
        rate: f32,
    ) -> Result<Self, ProvingError> {
        let setup = Setup {
            world: WorldKind::Standalone,
            car: &bench.car,
        };
        let scene = Scene {
            hull: false,
            ..Scene::LEVEL
        };
        let mut slope = Self {
            bench,
            stage: Stage::new(&setup, &scene, rate)?,
            downhill,
            tangent,
        };
        slope.tilt(tangent);
        Ok(slope)
    }

    /// Sets the slope.
    pub(super) fn tilt(&mut self, tangent: f64) {
        self.tangent = tangent;
        let g = f64::from(GRAVITY.z);
        let (down, along) = (g * self.cosine(), g * self.sine());
        self.stage.gravity = Vec3::Z * down as f32 - self.downhill * along as f32;
    }

    fn cosine(&self) -> f64 {
        1.0 / self.tangent.hypot(1.0)
    }

    fn sine(&self) -> f64 {
        self.tangent * self.cosine()
    }

    /// Length of a step (`s`).
    pub(super) fn dt(&self) -> f64 {
        f64::from(self.stage.dt)
    }

    pub(super) fn step(&mut self) -> Result<(), ProvingError> {
        self.stage.step(&BRAKED)
    }

    pub(super) fn run(&mut self, seconds: f32) -> Result<(), ProvingError> {
        self.stage.run(seconds, &BRAKED)
    }

    /// Continues for this many seconds, or until the speed (`m/s`) is no longer within `speeds`.
    pub(super) fn run_within(
        &mut self,
        seconds: f32,
        speeds: core::ops::Range<f32>,
    ) -> Result<(), ProvingError> {
        for _ in 0..steps(seconds, 1.0 / self.stage.dt) {
            self.step()?;
            if !speeds.contains(&self.speed()) {
                break;
            }
        }
        Ok(())
    }

    /// Downhill speed (`m/s`).
    pub(super) fn speed(&self) -> f32 {
        self.stage.velocity().dot(self.downhill)
    }

    pub(super) fn position(&self) -> Result<DVec3, ProvingError> {
        self.stage.position()
    }

    /// Force needed to stand over the peak force of the tires under their current loads (–).
    pub(super) fn share_of_peak(&self) -> f64 {
        self.share_of(|braked| braked.peak())
    }

    /// Force needed to stand over the force of tires that slide at `speed` (`m/s`) under their current loads (–).
    pub(super) fn share_of_sliding(&self, speed: f32) -> f64 {
        self.share_of(|braked| braked.sliding(speed))
    }

    fn share_of(&self, force: impl Fn(&Braked<'_>) -> f64) -> f64 {
        let model = self.bench.car.model();
        let wheels = model.params().wheels.iter().enumerate();
        let body = self.stage.body().expect("the car has one");
        let normal = body.rotation.inverse() * Vec3::Z;
        let forces = wheels.map(|(n, wheel)| {
            let report = self.stage.vehicle.wheel_report(n);
            force(&Braked {
                tire: &*self.bench.tire,
                inclination: report.camber + libm::atanf(normal.y / normal.z),
                wheel: &report,
                radius: wheel.radius,
                downhill: self.downhill,
            })
        });
        let weight = f64::from(self.bench.car.mass()) * -f64::from(GRAVITY.z);
        weight * self.sine() / forces.sum::<f64>()
    }
}
