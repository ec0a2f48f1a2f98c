//! Tests of the library other than the suite, in one program, which saves linking.

mod aids;
mod allocation;
mod book;
mod coverage;
mod flaws;
mod golden;
mod ground;
mod input;
mod behaviors;
mod smooth;
mod trust_page;
mod wheels;
