//! Axles of a vehicle file: their wheels, and their position in the whole vehicle.

use super::links::Linked;
use super::schema::{AxleFile, VehicleFile};

/// Assignment of wheels to axles: axles in the file's order, the left wheel first.
pub(super) struct Axles {
    /// Axle of each wheel.
    of_wheel: Vec<usize>,
}

impl Axles {
    pub(super) fn of(file: &VehicleFile) -> Self {
        let wheels = |(axle, row): (usize, &AxleFile)| vec![axle; row.wheel_centers().len()];
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

/// The dimensions to which the links of an axle refer.
pub(super) fn linked(file: &VehicleFile, axle: &AxleFile) -> Linked {
    let (hull, center) = (&file.chassis.hull, file.chassis.center_of_mass);
    let ends = file.axles.iter().map(|axle| axle.x);
    let (first, last) = (
        ends.clone().fold(f32::MIN, f32::max),
        ends.fold(f32::MAX, f32::min),
    );
    let force = |axle: &AxleFile| axle.wheels as f32 * axle.brakes.max_torque / axle.radius;
    let whole: f32 = file.axles.iter().map(force).sum();
    Linked {
        half_track: 0.5 * axle.track.unwrap_or(0.0),
        top: hull.center.z + 0.5 * hull.size.z - axle.ground(),
        ahead: axle.x > center.x,
        rise: (center.z - axle.ground()) / (first - last),
        brakes: force(axle) / whole,
    }
}
