//! The extension module of the Python package `jounce`: it only converts. All logic is in the crate `jounce-batch`.
#![forbid(unsafe_code)]
#![allow(
    clippy::doc_markdown,
    rustdoc::broken_intra_doc_links,
    reason = "documentation of Python's functions, in the style of NumPy"
)]

mod errors;
mod arrays;
mod threads;
mod car;
mod track;
mod ground;
mod options;
mod batch;
mod sweep;

use pyo3::prelude::*;

/// Cars, grounds and batches of Jounce.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::batch::{Batch, Column, Steps};
    #[pymodule_export]
    use crate::car::{Car, preset_names};
    #[pymodule_export]
    use crate::ground::Ground;
    #[pymodule_export]
    use crate::sweep::SweepPlan;
    #[pymodule_export]
    use crate::track::Track;
}
