//! One suite for every backend of Jounce, and the reference data that it is held against.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod golden;
pub mod reference;
pub mod trust;
pub mod worlds;
