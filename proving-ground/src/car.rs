//! Vehicles by name, and one with a version for near cameras and one for far ones.

use jounce::core::Vehicle;
use jounce::file::Car;
use jounce::presets;

use crate::changed::car_edited;
use crate::error::ProvingError;

/// A preset car on constraints: tires that stick or slide, and struts that hold the wheels at their
/// design position at a `frequency` (`Hz`) with this damping ratio (–).
///
/// # Errors
/// If there is no such car, or its file has other keys.
pub fn on_constraints(name: &str, frequency: f64, damping: f64) -> Result<Car, ProvingError> {
    car_edited(name, |table| {
        let sticking: toml::Table = toml::toml! { model = "friction" };
        let constraint = [("frequency", frequency), ("damping_ratio", damping)];
        let constraint = constraint.map(|(key, value)| (key.to_owned(), value.into()));
        let constraint = toml::Table::from_iter(constraint);
        let tires = table
            .get_mut("tires")
            .and_then(|tires| tires.as_table_mut());
        for (_, tire) in tires.into_iter().flatten() {
            *tire = sticking.clone().into();
        }
        let axles = table
            .get_mut("axles")
            .and_then(|axles| axles.as_array_mut());
        let struts = axles.into_iter().flatten();
        let struts = struts.filter_map(|axle| axle.get_mut("suspension")?.as_table_mut());
        for strut in struts {
            for key in ["stiffness", "damping", "bump_stop_stiffness"] {
                strut.remove(key);
            }
            strut.insert("constraint".to_owned(), constraint.clone().into());
        }
        Ok(())
    })
}

/// The 18-wheeler in its versions with eighteen and with four wheels.
#[derive(Clone, Debug)]
pub struct EighteenWheeler {
    /// Version on eighteen wheels: `vehicles/eighteen-wheeler.toml`.
    pub near: Car,
    /// Version on four wheels: `vehicles/eighteen-wheeler-far.toml`.
    pub far: Car,
}

impl EighteenWheeler {
    /// Returns both preset versions of the truck.
    #[must_use]
    pub fn shipped() -> Self {
        let version = |name| presets::by_name(name).expect("a preset");
        Self {
            near: version("eighteen-wheeler"),
            far: version("eighteen-wheeler-far"),
        }
    }

    /// Switches a truck from one version to the other. To the far one, all wheels behind the steered
    /// ones continue as the single one on their side; to the near one, that one continues as the
    /// outer wheel in their middle.
    ///
    /// # Panics
    /// If the truck is of neither version.
    pub fn swap(&self, truck: &mut Vehicle) {
        if truck.model().wheel_count() == self.near.model().wheel_count() {
            truck.set_model_with(self.far.model(), &[0, 1, 10, 11].map(Some));
        } else {
            let side = |n: usize| Some(if n < 2 { n } else { 2 + n % 2 });
            truck.set_model_with(self.near.model(), &core::array::from_fn::<_, 18, _>(side));
        }
    }
}
