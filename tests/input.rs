//! Effects of the input logic for a driver, in every world.

mod keys;
mod reverse;
mod slide;
