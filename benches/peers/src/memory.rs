//! Memory of a fleet.

use jounce::core::{Axis, Vehicle};
use jounce::file::Car;
use jounce::scene::{Plane, Standalone};

use crate::ours::{Drivers, body};

/// Bytes that a vehicle of a model takes in a fleet of `count` that has driven a step: its state and its share of the
/// fleet's buffers, without the parameters that all share and without the engine's body.
pub(crate) fn bytes_per_vehicle(car: &Car, count: usize) -> u64 {
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).expect("a plane"));
    let model = car.model();
    let bodies: Vec<_> = (0..count)
        .map(|n| world.add(&body(car, n, count)).expect("a valid body"))
        .collect();
    let mut kept = None;
    let used = allocation_counter::measure(|| {
        let vehicles = bodies.iter().map(|&body| Vehicle::new(model.clone(), body));
        let mut drivers = Drivers::new(vehicles, false, false);
        drivers.probe(&world);
        drivers.update();
        drivers.apply(&mut world);
        kept = Some(drivers);
    });
    drop(kept);
    u64::try_from(used.bytes_current).unwrap_or(0) / count as u64
}
