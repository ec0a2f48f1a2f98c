//! Foundations: checked parameters, curves, frames, lanes, math.

pub(crate) mod ids;
pub mod math;
pub(crate) mod lanes;
pub mod checked;
pub mod curve;
pub mod frame;
pub mod inertia;
pub(crate) mod velocity;
pub(crate) mod locked_axes;
pub(crate) mod digest;
pub mod units;
pub(crate) mod words;
#[cfg(feature = "serde")]
pub(crate) mod infinite;
