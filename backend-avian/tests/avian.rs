//! Avian through the contracts and the Bevy plugin, in one program: fewer programs, less to link.

mod bodies;
mod plugin;
mod queries;
mod support;
mod wheels;
