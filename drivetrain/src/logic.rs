//! Rules by which gears change, and by which the driver counts as accelerating.

use serde::{Deserialize, Serialize};

/// Rules by which gear requests, autobox and gearbox work together, and by which a driver counts as accelerating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriveLogic {
    /// A directly engaged gear comes in from the current one; requests that cannot be carried out
    /// yet wait. The autobox waits for its latency first and leaves reverse alone. A driver who
    /// brakes does not count as accelerating.
    #[default]
    #[serde(rename = "physx-4")]
    Waiting,
    /// Every change passes through neutral; gears engaged directly during another change are
    /// ignored. The autobox makes its first change at once, and leaves neutral and reverse for
    /// first gear. Each wheel that is not braked counts as accelerated.
    #[serde(rename = "physx-5")]
    Immediate,
}
