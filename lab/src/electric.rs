//! Battery and motors of a drive.

use jounce::core::Checked;
use jounce::drive::{ElectricDrive, ElectricReport};
use proving_ground::drive::Drive;
use proving_ground::sample::Sample;

/// The electric drive of a driven car, which reads its reports from samples.
pub(crate) struct ElectricCar(ElectricDrive);

impl ElectricCar {
    /// The electric drive of a car; `None` if it has another.
    pub(crate) fn of(drive: &Drive) -> Option<Self> {
        let params = drive.car.spec().drive.params_of("electric")?;
        Some(Self(ElectricDrive::new(Checked::new(params).ok()?)))
    }

    /// Battery, energy and motors at a sample.
    pub(crate) fn report(&self, sample: &Sample) -> ElectricReport {
        self.0.report(&sample.drivetrain_memory)
    }
}
