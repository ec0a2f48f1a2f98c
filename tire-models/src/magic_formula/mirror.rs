//! A left tire on the right side: mirrored input ([`Quantity::mirrored`] for the output), or mirrored
//! coefficients.

use crate::frames::Quantity;
use crate::real::Real;

use super::{Coefficients, Load, Slip, Variant, Version};

/// Keys that change sign for the other side: all that break left-right symmetry.
const ODD_KEYS: [&str; 18] = [
    "RHX1", "QSX1", "PEY3", "PHY1", "PHY2", "PVY1", "PVY2", "RBY3", "RVY1", "RVY2", "QBZ4", "QDZ3",
    "QDZ6", "QDZ7", "QEZ4", "QHZ1", "QHZ2", "SSZ1",
];

/// The load as seen by the tire of the other side.
#[must_use]
pub fn load<T: Real>(load: &Load<T>) -> Load<T> {
    Load {
        inclination: Quantity::Inclination.mirrored(load.inclination),
        ..*load
    }
}

/// The slip as seen by the tire of the other side.
#[must_use]
pub fn slip<T: Real>(slip: &Slip<T>) -> Slip<T> {
    Slip {
        angle: Quantity::SlipAngle.mirrored(slip.angle),
        turn: Quantity::TurnSlip.mirrored(slip.turn),
        tangent: slip
            .tangent
            .map(|tangent| Quantity::SlipAngle.mirrored(tangent)),
        ..*slip
    }
}

/// The tire of the other side, for the formulas of a version and a variant: \[B\] and that of
/// motorcycles multiply `QDZ3` by the magnitude of γ, so that it keeps its sign. Ranges of angles
/// are mirrored, too.
#[must_use]
pub fn coefficients(left: &Coefficients, version: Version, variant: Variant) -> Coefficients {
    let mut right = left.clone();
    let by_magnitude = variant == Variant::Book || version == Version::Motorcycle;
    let stays = |key: &str| by_magnitude && key == "QDZ3";
    for key in ODD_KEYS.into_iter().filter(|key| !stays(key)) {
        let value = left.get(key).expect("a key of the table");
        // Not −value, which would turn 0 into −0.
        right.set(key, 0.0 - value);
    }
    (right.ALPMIN, right.ALPMAX) = (-left.ALPMAX, -left.ALPMIN);
    (right.CAMMIN, right.CAMMAX) = (-left.CAMMAX, -left.CAMMIN);
    right
}
