//! Rapier through the contracts, in one program to reduce linking.

mod bodies;
mod contacts;
mod jointed;
mod moved;
mod queries;
mod sweeps;
mod vehicle;
mod wheels;
