//! Avian through the contracts and the Bevy plugin, in one program to reduce linking.

mod bodies;
mod jointed;
mod plugin;
mod queries;
mod support;
mod wheels;
