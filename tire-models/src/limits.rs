//! Bounds of the laws' inputs, so that no finite input overflows.
//!
//! Real tires stay far below them; they exist because a tire model is a total function.

use vehicle_core::lanes::W4;

use crate::real::Real;

/// Maximum magnitude of a slip (–).
pub(crate) const SLIP: f32 = 1e6;
/// Maximum load, or product of friction and load (`N`), 10 MN in grams and centimeters.
pub(crate) const FORCE: f32 = 1e12;
/// Maximum force over load (–).
pub(crate) const PER_LOAD: f32 = 1e6;
/// Maximum stiffness [N per unit of slip].
pub(crate) const STIFFNESS: f32 = 1e12;

/// `x` within ±`limit`; `NaN` becomes `limit`.
#[inline]
pub(crate) fn within<T: Real>(x: T, limit: f32) -> T {
    let limit = T::of(f64::from(limit));
    x.min(limit).max(-limit)
}

/// Friction force μ·N (`N`), ≥ 0.
#[inline]
pub(crate) fn friction_force(friction: W4, load: W4) -> W4 {
    let force = friction.max(W4::ZERO) * load.max(W4::ZERO);
    force.min(W4::splat(FORCE))
}
