//! Vehicles by name, and one with a version for near cameras and one for far ones.

use jounce::core::Vehicle;
use jounce::file::Car;
use jounce::presets;

/// The 18-wheeler in its versions with eighteen and with four wheels.
#[derive(Clone, Debug)]
pub struct EighteenWheeler {
    /// On eighteen wheels: `vehicles/eighteen-wheeler.toml`.
    pub near: Car,
    /// On four: `vehicles/eighteen-wheeler-far.toml`.
    pub far: Car,
}

impl EighteenWheeler {
    /// Both preset versions.
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
        if truck.kind().wheel_count() == self.near.kind().wheel_count() {
            truck.set_kind_with(self.far.kind(), &[0, 1, 10, 11].map(Some));
        } else {
            let side = |n: usize| Some(if n < 2 { n } else { 2 + n % 2 });
            truck.set_kind_with(self.near.kind(), &core::array::from_fn::<_, 18, _>(side));
        }
    }
}
