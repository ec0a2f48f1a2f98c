//! What input logic does for a driver, driven in every world.

mod plain;
mod reverse;
mod slide;
