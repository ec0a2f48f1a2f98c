//! Which logic changes gears, and when it takes the driver to accelerate.

use serde::{Deserialize, Serialize};

/// How lever, autobox and gearbox work together, and when a driver counts as accelerating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriveLogic {
    /// A gear that is engaged directly comes in from the present one; requests that cannot be
    /// carried out yet wait. The autobox waits for its latency first and leaves reverse alone. A
    /// driver who brakes does not count as accelerating.
    #[default]
    #[serde(rename = "physx-4")]
    Waiting,
    /// Every change leads through neutral; gears that are engaged directly while another change
    /// goes on are not noticed. The autobox changes at once first, and out of neutral and reverse
    /// into first gear. Each wheel that is not braked counts as accelerated.
    #[serde(rename = "physx-5")]
    Immediate,
}
