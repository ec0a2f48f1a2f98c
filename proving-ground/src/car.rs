//! Vehicles by name, and one that has a version for a near camera and one for a far one.

use jounce::core::Vehicle;
use jounce::file::Car;
use jounce::presets;

/// The 18-wheeler with all of its wheels, and on four.
#[derive(Clone, Debug)]
pub struct EighteenWheeler {
    /// On eighteen wheels: `vehicles/eighteen-wheeler.toml`.
    pub near: Car,
    /// On four: `vehicles/eighteen-wheeler-far.toml`.
    pub far: Car,
}

impl EighteenWheeler {
    /// Both versions as they ship.
    #[must_use]
    pub fn shipped() -> Self {
        let version = |name| presets::by_name(name).expect("it ships");
        Self {
            near: version("eighteen-wheeler"),
            far: version("eighteen-wheeler-far"),
        }
    }

    /// Lets a truck of one version go on as the other: all wheels behind the steered ones go on as the
    /// one on their side, or that one as the outer wheel in their middle.
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
