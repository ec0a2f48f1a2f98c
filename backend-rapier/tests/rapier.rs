//! Rapier through the contracts, in one program: fewer programs, less to link.

mod bodies;
mod contacts;
mod moved;
mod queries;
mod sweeps;
mod vehicle;
mod wheels;
