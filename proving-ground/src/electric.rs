//! Battery and motors of a car.

use jounce::core::Checked;
use jounce::drive::{ElectricDrive, ElectricReport};
use jounce::file::Car;

/// The electric drive of a car, which makes reports of what it remembers.
#[derive(Clone, Debug)]
pub struct ElectricCar(ElectricDrive);

impl ElectricCar {
    /// The electric drive of a car; `None` if it has another.
    #[must_use]
    pub fn of(car: &Car) -> Option<Self> {
        let params = car.spec().drive.params_of("electric")?;
        Some(Self(ElectricDrive::new(Checked::new(params).ok()?)))
    }

    /// Battery, energy and motors by the drivetrain's memory, as vehicles and samples have it.
    #[must_use]
    pub fn report(&self, memory: &[f32]) -> ElectricReport {
        self.0.report(memory)
    }
}
