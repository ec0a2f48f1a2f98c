//! What input logic does for a driver, driven in every world.

mod reverse;
mod slide;
