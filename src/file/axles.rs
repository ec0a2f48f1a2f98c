//! Wheels of a vehicle file, by axle.

use super::schema::{AxleFile, VehicleFile};

/// Assignment of wheels to axles: axles in the file's order, the left wheel first.
pub(super) struct Axles {
    /// Axle of each wheel.
    of_wheel: Vec<usize>,
}

impl Axles {
    pub(super) fn of(file: &VehicleFile) -> Self {
        let wheels = |(axle, row): (usize, &AxleFile)| vec![axle; row.places().len()];
        Self {
            of_wheel: file.axles.iter().enumerate().flat_map(wheels).collect(),
        }
    }

    /// Number of wheels.
    pub(super) fn wheels(&self) -> usize {
        self.of_wheel.len()
    }

    /// The axle of a wheel.
    pub(super) fn axle(&self, wheel: usize) -> usize {
        self.of_wheel.get(wheel).copied().unwrap_or_default()
    }

    /// The first wheel of an axle.
    pub(super) fn first(&self, axle: usize) -> usize {
        self.of_wheel.iter().take_while(|of| **of < axle).count()
    }
}
