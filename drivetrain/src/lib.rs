//! To be written.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
