//! The two solvers over the same stages.

pub mod rows;
pub mod explicit;
