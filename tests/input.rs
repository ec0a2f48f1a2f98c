//! Effects of the input logic for a driver, in every world.

mod reverse;
mod slide;
