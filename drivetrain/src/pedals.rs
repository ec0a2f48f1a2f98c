//! Command values as the drives use them.

/// The contract examines commands before; PhysX tolerates this much beyond the range
/// (ALGORITHMS §4.10).
const TOLERANCE: f32 = 0.01;

/// A pedal's value, 0…1 and the tolerance.
pub(crate) fn pedal(value: f32) -> f32 {
    value.clamp(-TOLERANCE, 1.0 + TOLERANCE)
}

/// A steering command's value, −1 (left) … 1 (right) and the tolerance.
pub(crate) fn steer(value: f32) -> f32 {
    value.clamp(-1.0 - TOLERANCE, 1.0 + TOLERANCE)
}
