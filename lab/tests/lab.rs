//! The command and its library from outside, in one program to reduce linking.

#[cfg(feature = "rapier")]
mod axes;
mod cases;
mod drive;
mod ends;
mod fit;
mod gears;
mod lint_rules;
mod restore;
#[cfg(feature = "rapier")]
mod scenario;
mod tire;
mod tire_convert;
mod tire_fit;
mod tire_plot;
mod vehicles;
