//! The Magic Formula of Pacejka, versions 5.2 (PAC2002), 6.1 and 6.2.

pub mod coefficients;

pub use coefficients::{Coefficients, Dimension, Key};
