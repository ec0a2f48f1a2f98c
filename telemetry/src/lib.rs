//! The last samples of every channel of a vehicle, and graphs of them as data.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
