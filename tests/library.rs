//! What the library promises beside the suite, in one program: fewer programs, less to link.

mod allocation;
mod coverage;
mod flaws;
mod golden;
mod input;
mod behaviours;
mod smooth;
mod wheels;
