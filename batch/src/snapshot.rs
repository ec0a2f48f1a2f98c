//! Snapshots of cars as bytes.

use jounce::core::VehicleState;
use jounce::scene::{Body, JOINT_ROWS};
use serde::{Deserialize, Serialize};

use crate::episode::Episode;
use crate::error::BatchError;

/// Number of the format.
const VERSION: u32 = 2;

/// A car of a batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CarRecord {
    /// Index in its batch.
    pub(crate) index: usize,
    pub(crate) episode: Episode,
    pub(crate) vehicle: VehicleState,
    pub(crate) body: Body,
    pub(crate) action: Vec<f32>,
    pub(crate) trailer: Option<TrailerRecord>,
}

/// The trailer of a car.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TrailerRecord {
    pub(crate) vehicle: VehicleState,
    pub(crate) body: Body,
    /// Impulses with which its joint goes on (`N·s`, `N·m·s`).
    pub(crate) impulses: [f32; JOINT_ROWS],
}

#[derive(Serialize, Deserialize)]
struct Snapshot {
    version: u32,
    cars: Vec<CarRecord>,
}

/// Bytes of these cars.
pub(crate) fn written(cars: Vec<CarRecord>) -> Vec<u8> {
    let snapshot = Snapshot {
        version: VERSION,
        cars,
    };
    postcard::to_allocvec(&snapshot).expect("plain data")
}

/// The cars of a snapshot, by their indices.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<CarRecord>, BatchError> {
    let refused = |found: String| {
        let expected = format!("a snapshot of version {VERSION}");
        BatchError::argument("snapshot", expected, found, "")
    };
    let snapshot: Snapshot =
        postcard::from_bytes(bytes).map_err(|error| refused(error.to_string()))?;
    if snapshot.version != VERSION {
        return Err(refused(format!("version {}", snapshot.version)));
    }
    Ok(snapshot.cars)
}
